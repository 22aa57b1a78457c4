"""PicturePart: the camera's last frame in one reused texture, with what was recognised on it."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Mark
from ui.presenters.table_check import Picture, PictureMark
from ui.theme import Colour, Face
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.raster import Point, Stroke

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
        wide, high = picture.size_px
        shown = room.fitted(wide / high)
        pen.picture(self.slot, picture.image, shown)
        scale = (shown.wide / wide, shown.high / high)
        for mark in picture.marks:
            corners = [(shown.x + x * scale[0], shown.y + y * scale[1]) for x, y in mark.outline_px]
            self._draw_mark(pen, mark, _around(corners), shown)

    def _draw_mark(self, pen: Pen, mark: PictureMark, around: Box, within: Box) -> None:
        tint = {Mark.BAD: Colour.BAD, Mark.WARN: Colour.WARN}.get(mark.mark, Colour.FOUND)
        if mark.kind == "corner":
            ring = around.square(max(around.wide, around.high) + 12)
            pen.edge(ring, tint, 2, ring.high / 2)
        else:
            _draw_brackets(pen, around.grown(3))
        if not mark.label:
            return
        wide = pen.width(mark.label, 14) + 14
        x = min(max(around.centre[0] - wide / 2, within.x), within.right - wide)
        y = min(around.bottom + 6, within.bottom - 21)
        plate = Box(x, y, wide, 20)
        pen.fill(plate, Colour.PLATE, 3)
        pen.text(mark.label, plate.inset(5, 2), 14, Colour.PLATE_INK, align="centre")

    def _draw_note(self, pen: Pen, picture: Picture, room: Box) -> None:
        if not picture.note:
            return
        pen.sign(picture.note_mark or "eye", Box(room.x + 5, room.y, 20, room.high).square(18),
                 Colour.INK)  # fmt: skip
        pen.text(picture.note, room.beside(32), 15)


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
