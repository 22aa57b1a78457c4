"""PicturePart: the camera's last frame in one reused texture, with what was recognised on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor, hypot

from ui.scene.theme import Colour, Face
from ui.scene.values import Mark, Picture, PictureMark
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import WHOLE, Pen, lines_high
from ui.widgets.shape import Point, Stroke

NOTE_HIGH = 30.0


@dataclass(frozen=True, kw_only=True)
class PicturePart(Part):
    """Frame, picture, marks and one line under it; labels are white on black plates."""

    slot: str
    picture: Picture | None

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.SUNK, 6)
        pen.edge(self.box, Colour.HAIR, 1.5, 6)
        inner = self.box.inset(4)
        if self.picture is None or self.picture.image is None:
            note = self.picture.note if self.picture else ""
            pen.sign(
                "eye", Box(inner.x, inner.y, inner.wide, inner.high - 40).square(80), Colour.HAIR
            )
            pen.text(
                note or "No picture yet", inner.below(inner.high - 40), 16, Colour.INK2,
                face=Face.MEDIUM, align="centre", lines=2,
            )  # fmt: skip
            return
        self._draw_picture(pen, self.picture)
        self._draw_note(pen, self.picture, inner.below(inner.high - NOTE_HIGH))

    def _draw_picture(self, pen: Pen, picture: Picture) -> None:
        """The part of the picture in which something was recognised, as large as it fits."""
        shown, within = self._rooms(picture)
        pen.picture(self.slot, picture.image, shown, shown_part(picture))
        marks = self.placed()
        for mark, box in marks:
            self._draw_mark(pen, mark, box)
        pieces = [box.grown(_CLEAR) for _, box in marks]
        labels: list[Box] = []
        for mark, box in marks:
            if mark.label:
                labels.append(
                    self._draw_label(pen, mark.label, box, (shown, within), (pieces, labels))
                )

    def _rooms(self, picture: Picture) -> tuple[Box, Box]:
        """Where the picture lies, and where labels may: beside it, too, where rings have any."""
        inner = self.box.inset(4)
        room = inner.top(inner.high - NOTE_HIGH) if picture.note else inner
        wide, high = picture.size_px
        part = shown_part(picture)
        shown = room.fitted(part.wide * wide / (part.high * high))
        if any(mark.kind == "ring" and mark.label for mark in picture.marks):
            return shown.moved(across=room.x - shown.x), room
        return shown, shown

    @property
    def shown_wide(self) -> float:
        """How wide the picture lies in its frame."""
        return self._rooms(self.picture)[0].wide if self.picture is not None else 0.0

    def placed(self) -> Sequence[tuple[PictureMark, Box]]:
        """The picture's marks, and where each lies on the screen."""
        picture = self.picture
        if picture is None:
            return ()
        (wide, high), part, shown = picture.size_px, shown_part(picture), self._rooms(picture)[0]
        return [
            (
                mark,
                _around(
                    [
                        (
                            shown.x + (x / wide - part.x) / part.wide * shown.wide,
                            shown.y + (y / high - part.y) / part.high * shown.high,
                        )
                        for x, y in mark.outline_px
                    ]
                ),
            )
            for mark in picture.marks
        ]

    def _draw_mark(self, pen: Pen, mark: PictureMark, box: Box) -> None:
        tint = {Mark.BAD: Colour.BAD, Mark.WARN: Colour.WARN}.get(mark.mark, Colour.FOUND)
        if mark.kind == "corner":
            ring = box.square(max(box.wide, box.high) + 10)
            pen.edge(ring, tint, 2, ring.high / 2)
        elif mark.kind == "ring":
            ring = box.square(max(box.wide, box.high))
            pen.edge(ring.grown(1.5), Colour.PLATE, 5, ring.high / 2 + 1.5)
            pen.edge(
                ring, tint if mark.mark is not Mark.OK else Colour.PLATE_INK, 2.5, ring.high / 2
            )
        else:
            _draw_brackets(pen, box.grown(4))

    def _draw_label(
        self,
        pen: Pen,
        label: str,
        at: Box,
        rooms: tuple[Box, Box],
        taken: tuple[list[Box], list[Box]],
    ) -> Box:
        """Where it hides no piece and no other label, as near as may be; from afar with a line."""
        wide, high = pen.width(label, 14) + 14, 20.0
        (pieces, labels), (shown, within) = taken, rooms
        beside = within.right - shown.right >= 0.7 * wide

        def cost(place: Box) -> tuple[float, float, float]:
            hidden = sum(_shared(place, piece) for piece in pieces)
            return (hidden, sum(_shared(place, other) for other in labels), _apart(place, at))

        edge = shown.right + _BESIDE
        places = _beside_it(edge, at, wide, high) if beside else _around_it(at, wide, high)
        plate = min((_pushed(one, within) for one in places), key=cost)
        if any(cost(plate)[:2]):
            plate = min((plate, *_anywhere(within, wide, high)), key=cost)
        if _apart(plate, at) > _NEAR:
            path = (_nearest(plate, at.centre), _nearest(at, plate.centre))
            for width, tint in ((4.0, Colour.PLATE), (1.6, Colour.PLATE_INK)):
                pen.line(path, tint, width)
        pen.fill(plate, Colour.PLATE, 3)
        pen.text(label, plate.inset(5, 2), 14, Colour.PLATE_INK, align="centre")
        return plate

    def _draw_note(self, pen: Pen, picture: Picture, room: Box) -> None:
        if not picture.note:
            return
        pen.sign(picture.note_mark or "eye", Box(room.x + 5, room.y, 20, room.high).square(18),
                 Colour.INK)  # fmt: skip
        words = room.beside(32)
        lines = pen.lines(picture.note, 15, words.wide)
        high = lines_high(lines, 15)
        if lines > 1 and self._rooms(picture)[0].bottom <= words.bottom - high:
            words = Box(words.x, words.bottom - high, words.wide, high)
            pen.text(picture.note, words, 15, lines=lines)
        else:
            pen.text(picture.note, words, 15)


_BESIDE = 10.0
"""Between a flat picture and the labels beside it."""


def _beside_it(edge: float, at: Box, wide: float, high: float) -> Iterator[Box]:
    """Places at the edge of a picture, level with a box or as little above or below as may be."""
    row = at.centre[1] - high / 2
    for n in range(12):
        yield Box(edge, row + n * (high + 2) / 2, wide, high)
        yield Box(edge, row - n * (high + 2) / 2, wide, high)


def _anywhere(within: Box, wide: float, high: float) -> Iterator[Box]:
    """Places all over a room, for labels that found none near what they name."""
    for row in range(int(within.high / (high + 2) * 2)):
        for column in range(max(1, int((within.wide - wide) / _SIDEWAYS) + 1)):
            box = Box(within.x + column * _SIDEWAYS, within.y + row * (high + 2) / 2, wide, high)
            if within.holds(box):
                yield box


_SIDEWAYS = 14.0
_CLEAR = 3.0
"""Room that a label leaves around a piece."""
_NEAR = 16.0
"""So far from its piece a label belongs to it without a line."""
_WAYS = (6.0, 14.0, 30.0, 54.0, 86.0, 126.0)


def _around_it(at: Box, wide: float, high: float) -> Iterator[Box]:
    """Places for a plate of this size round a box, the nearest first."""
    x, y = at.centre
    for way in _WAYS:
        left, right = at.x - way - wide, at.right + way
        above, below = at.y - way - high, at.bottom + way
        for column in (x - wide / 2, x - wide, x, left, right):
            yield Box(column, below, wide, high)
            yield Box(column, above, wide, high)
        for row in (y - high / 2, y - high, y):
            yield Box(right, row, wide, high)
            yield Box(left, row, wide, high)


def _nearest(box: Box, point: Point) -> Point:
    """The point of a box that is nearest to another."""
    x = min(max(point[0], box.x), box.right)
    return (x, min(max(point[1], box.y), box.bottom))


def _apart(one: Box, two: Box) -> float:
    """The way between two boxes; 0 where they touch."""
    across = max(0.0, one.x - two.right, two.x - one.right)
    down = max(0.0, one.y - two.bottom, two.y - one.bottom)
    return hypot(across, down)


_CORNERS = 4
"""With so many marks it is known where the boards lie in the camera's picture."""
_STEP = 0.05
"""The shown part changes in such steps only, so that it does not wobble with each frame."""


def shown_part(picture: Picture) -> Box:
    """The part in which marks lie, with a margin, as shares of the picture's sides."""
    points = [point for mark in picture.marks for point in mark.outline_px]
    if len(picture.marks) < _CORNERS or any(mark.kind == "ring" for mark in picture.marks):
        return WHOLE
    found = _around(points)
    wide, high = picture.size_px
    left, top = floor((found.x / wide - 0.06) / _STEP), floor((found.y / high - 0.06) / _STEP)
    right = ceil((found.right / wide + 0.06) / _STEP)
    low = ceil((found.bottom / high + 0.12) / _STEP)
    left, top = max(0, left), max(0, top)
    right, low = min(round(1 / _STEP), right), min(round(1 / _STEP), low)
    return Box(left * _STEP, top * _STEP, (right - left) * _STEP, (low - top) * _STEP)


def _pushed(box: Box, within: Box) -> Box:
    """The box moved inside another, as far as it fits."""
    x = min(max(box.x, within.x), max(within.x, within.right - box.wide))
    y = min(max(box.y, within.y), max(within.y, within.bottom - box.high))
    return Box(x, y, box.wide, box.high)


def _shared(one: Box, two: Box) -> float:
    """The area two boxes share."""
    across = min(one.right, two.right) - max(one.x, two.x)
    down = min(one.bottom, two.bottom) - max(one.y, two.y)
    return max(0.0, across) * max(0.0, down)


def _around(points: list[Point]) -> Box:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _draw_brackets(pen: Pen, box: Box) -> None:
    """Four corners, dark under light, so that they show on any picture."""
    arm = min(box.wide, box.high) * 0.28
    frame = (box.wide, box.high)
    strokes: list[tuple[Point, ...]] = []
    for x, dx in ((1.5, arm), (box.wide - 1.5, -arm)):
        for y, dy in ((1.5, arm), (box.high - 1.5, -arm)):
            strokes.append(((x + dx, y), (x, y), (x, y + dy)))
    for width, tint in ((4.0, Colour.PLATE), (1.8, Colour.PLATE_INK)):
        pen.shapes(box, tuple(Stroke(points, width) for points in strokes), frame, tint)
