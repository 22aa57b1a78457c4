"""Rows of values to choose from: house rules, timer, settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.presenters.new_match import ChoiceRow
from ui.scene.theme import Colour, Face, Theme
from ui.screens.page import Parts, stacked
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen

_MOST_HIGH = 158.0
_MOST_COLUMNS = 5
_KEY_HIGH = 51.0


@dataclass(frozen=True, kw_only=True)
class RowGround(Part):
    """Title, ruling and why around the keys; a bar marks a value that is not the book's.

    `why_box` is where the one line why stands: under the keys, or beside few of them.
    """

    row: ChoiceRow
    why_box: Box

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, 5)
        if self.row.changed:
            pen.fill(self.box.left(5), Colour.INK, 2)
        room = self.box.inset(13, 5)
        cite = self.row.cite + (" · changed" if self.row.changed and self.row.cite else "")
        wide = pen.width(cite, 14) + 8 if cite else 0.0
        pen.text(self.row.title, Box(room.x, room.y, room.wide - wide, 18), 16)
        if cite:
            tint = Colour.INK if self.row.changed else Colour.INK2
            at = Box(room.right - wide, room.y, wide, 18)
            pen.text(cite, at, 14, tint, align="right")
        if self.row.why:
            most = max(1, int((self.why_box.high + 9) // 22))
            pen.text(self.row.why, self.why_box, 15, Colour.INK2, face=Face.MEDIUM, lines=most)


def choice_rows(room: Box, rows: Sequence[ChoiceRow], theme: Theme, name: str = "row") -> Parts:
    """Rows one under another, each its title over its values over one line why."""
    for n, (box, row) in enumerate(
        zip(stacked(room, len(rows), high=_MOST_HIGH, gap=4), rows, strict=True)
    ):
        yield from _row(box, row, f"{name}/{n}", theme)


def _row(box: Box, row: ChoiceRow, name: str, theme: Theme) -> Parts:
    inner = Box(box.x + 12, box.y + 27, box.wide - 24, _KEY_HIGH)
    under = Box(inner.x + 1, inner.bottom + 2, inner.wide, box.bottom - inner.bottom - 4)
    columns, why = max(len(row.values), 3), under
    if columns > _MOST_COLUMNS:
        lower = under.below(_KEY_HIGH + 6)
        why = lower if lower.high >= 15 else under.top(0)
    too_long = text_wide(theme, row.why, 14, Face.MEDIUM) > under.wide
    if too_long and under.high < 34 and len(row.values) <= 2:
        columns = 4
        beside = inner.columns([1] * columns, gap=8)[2]
        why = Box(beside.x + 4, inner.y - 2, inner.right - beside.x - 4, box.bottom - inner.y)
    bare = ChoiceRow(row.title, (), row.why, row.cite, row.changed)
    yield name, RowGround(box=box, row=bare, why_box=why)
    for at, (place, key) in enumerate(zip(_places(inner, columns), row.values, strict=False)):
        yield f"{name}/{at}", key_cap(place, key)


def _places(inner: Box, columns: int) -> list[Box]:
    """A place for each key: beside one another, many in two lines."""
    if columns <= _MOST_COLUMNS:
        return inner.columns([1] * columns, gap=8)
    each = -(-columns // 2)
    below = inner.moved(down=_KEY_HIGH + 6)
    return [*inner.columns([1] * each, gap=8), *below.columns([1] * each, gap=8)]
