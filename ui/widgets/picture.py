"""PicturePart: the camera's last frame in one reused texture, with what was recognised on it."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from ui.scene.theme import Colour, Face
from ui.scene.values import Mark, Picture, PictureMark
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import WHOLE, Pen
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
        room = inner.top(inner.high - NOTE_HIGH) if self.picture.note else inner
        self._draw_picture(pen, room, self.picture)
        self._draw_note(pen, self.picture, inner.below(inner.high - NOTE_HIGH))

    def _draw_picture(self, pen: Pen, room: Box, picture: Picture) -> None:
        """The part of the picture in which something was recognised, as large as it fits."""
        wide, high = picture.size_px
        part = shown_part(picture)
        shown = room.fitted(part.wide * wide / (part.high * high))
        pen.picture(self.slot, picture.image, shown, part)
        marks = [(mark, self._placed(mark, picture, part, shown)) for mark in picture.marks]
        for mark, box in marks:
            self._draw_mark(pen, mark, box)
        taken = [box for _, box in marks]
        for mark, box in marks:
            if mark.label:
                taken.append(self._draw_label(pen, mark.label, box, shown, taken))

    def _placed(self, mark: PictureMark, picture: Picture, part: Box, shown: Box) -> Box:
        """Where a mark lies on the screen."""
        wide, high = picture.size_px
        return _around(
            [
                (
                    shown.x + (x / wide - part.x) / part.wide * shown.wide,
                    shown.y + (y / high - part.y) / part.high * shown.high,
                )
                for x, y in mark.outline_px
            ]
        )

    def _draw_mark(self, pen: Pen, mark: PictureMark, box: Box) -> None:
        tint = {Mark.BAD: Colour.BAD, Mark.WARN: Colour.WARN}.get(mark.mark, Colour.FOUND)
        if mark.kind == "corner":
            ring = box.square(max(box.wide, box.high) + 10)
            pen.edge(ring, tint, 2, ring.high / 2)
        else:
            _draw_brackets(pen, box.grown(4))

    def _draw_label(self, pen: Pen, label: str, at: Box, within: Box, taken: list[Box]) -> Box:
        """Under, over or beside what it names: where it hides least of the others."""
        wide, high = pen.width(label, 14) + 14, 20.0
        places = [
            Box(at.centre[0] - wide / 2, at.bottom + 6, wide, high),
            Box(at.centre[0] - wide / 2, at.y - high - 6, wide, high),
            Box(at.right + 6, at.centre[1] - high / 2, wide, high),
            Box(at.x - wide - 6, at.centre[1] - high / 2, wide, high),
            Box(at.centre[0] - wide / 2, at.bottom + 6 + high, wide, high),
            Box(at.centre[0] - wide / 2, at.y - 2 * high - 6, wide, high),
        ]
        inside = [_pushed(place, within) for place in places]
        plate = min(inside, key=lambda place: sum(_shared(place, other) for other in taken))
        pen.fill(plate, Colour.PLATE, 3)
        pen.text(label, plate.inset(5, 2), 14, Colour.PLATE_INK, align="centre")
        return plate

    def _draw_note(self, pen: Pen, picture: Picture, room: Box) -> None:
        if not picture.note:
            return
        pen.sign(picture.note_mark or "eye", Box(room.x + 5, room.y, 20, room.high).square(18),
                 Colour.INK)  # fmt: skip
        pen.text(picture.note, room.beside(32), 15)


_STEP = 0.05
"""The shown part changes in such steps only, so that it does not wobble with each frame."""


def shown_part(picture: Picture) -> Box:
    """The part in which marks lie, with a margin, as shares of the picture's sides."""
    points = [point for mark in picture.marks for point in mark.outline_px]
    if len(picture.marks) < 4:
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
