"""Rows of values to choose from: house rules, timer, settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.presenters.new_match import ChoiceRow
from ui.screens.page import Parts, stacked
from ui.theme import Colour, Face
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen

_ROW_HIGH = 106.0
_KEY_HIGH = 51.0


@dataclass(frozen=True, kw_only=True)
class RowGround(Part):
    """Title, ruling and why around the keys; a bar marks a value that is not the book's."""

    row: ChoiceRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, 5)
        if self.row.changed:
            pen.fill(self.box.left(5), Colour.INK, 2)
        room = self.box.inset(13, 5)
        cite = self.row.cite + (" · changed" if self.row.changed and self.row.cite else "")
        wide = pen.width(cite, 14) + 8 if cite else 0.0
        pen.text(self.row.title, Box(room.x, room.y, room.wide - wide, 18), 16)
        if cite:
            face, tint = (Face.BOLD, Colour.INK) if self.row.changed else (Face.BOLD, Colour.INK2)
            at = Box(room.right - wide, room.y, wide, 18)
            pen.text(cite, at, 14, tint, face=face, align="right")
        if self.row.why:
            high = self.box.high - 5 - 18 - 4 - _KEY_HIGH - 4
            why = Box(room.x, self.box.bottom - high, room.wide, high - 3)
            pen.text(
                self.row.why, why, 15, Colour.INK2, face=Face.MEDIUM,
                lines=max(1, int((high + 9) // 24)),
            )  # fmt: skip


def choice_rows(room: Box, rows: Sequence[ChoiceRow], name: str = "row") -> Parts:
    """Rows one under another; a row of many values may take two lines of keys."""
    many = [max(1, -(-len(row.values) // 8)) for row in rows]
    if any(lines > 1 for lines in many) and len(rows) == 1:
        yield from _row(room, rows[0], f"{name}/0", lines=many[0])
        return
    for n, (box, row) in enumerate(zip(stacked(room, len(rows), high=_ROW_HIGH, gap=4), rows,
                                       strict=True)):  # fmt: skip
        yield from _row(box, row, f"{name}/{n}", lines=1)


def _row(box: Box, row: ChoiceRow, name: str, *, lines: int) -> Parts:
    bare = ChoiceRow(row.title, (), row.why, row.cite, row.changed)
    yield name, RowGround(box=box, row=bare)
    inner = Box(box.x + 12, box.y + 27, box.wide - 24, lines * (_KEY_HIGH + 6) - 6)
    each = -(-len(row.values) // lines) if row.values else 1
    for at, key in enumerate(row.values):
        line, column = divmod(at, each)
        strip = inner.rows([1] * lines, gap=6)[line]
        place = strip.columns([1] * max(each, 3), gap=8)[column]
        yield f"{name}/{at}", key_cap(place, key)
