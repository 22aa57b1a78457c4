"""The result: winner, reason, the count sheet that adds up, and the code for a logbook."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.result import ResultState, SheetRow
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.touch.actions import Back, Panel, Show
from ui.widgets.box import Box
from ui.widgets.key import BandPart
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Area, CodePart, Words

_BAND_HIGH = 92.0
_CODE = 174.0


@dataclass(frozen=True, kw_only=True)
class Sheet(Part):
    """The count sheet: a player a row, places across, notes under it."""

    columns: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    notes: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 8)
        notes = " · ".join(self.notes)
        note_lines = min(2, pen.lines(notes, 14, room.wide, Face.MEDIUM)) if notes else 0
        notes_high = (0.0, 26.0, 46.0)[note_lines]
        table = room.top(room.high - notes_high)
        lines = table.rows([0.8, *[1] * max(1, len(self.rows))])
        self._draw_head(pen, lines[0])
        for line, row in zip(lines[1:], self.rows, strict=False):
            pen.fill(Box(line.x, line.y, line.wide, 1), Colour.HAIR)
            self._draw_row(pen, line, row)
        if self.notes:
            at = Box(room.x, room.bottom - notes_high + 6, room.wide, notes_high - 6)
            pen.text(notes, at, 15, Colour.INK2, face=Face.MEDIUM, lines=note_lines)

    def _cells(self, line: Box) -> list[Box]:
        names = line.wide * 0.34
        return line.beside(names).columns([1] * max(1, len(self.columns)))

    def _draw_head(self, pen: Pen, line: Box) -> None:
        for cell, title in zip(self._cells(line), self.columns, strict=False):
            pen.text(title, cell.inset(2, 0), 15, Colour.INK2, align="centre")

    def _draw_row(self, pen: Pen, line: Box, row: SheetRow) -> None:
        tint = pen.theme.side(row.side.tint).text
        draw_emblem(pen, row.side, Box(line.x, line.y, 26, line.high).square(24))
        names = Box(line.x + 34, line.y, line.wide * 0.34 - 36, line.high)
        role_wide = pen.width(row.role, 15, Face.MEDIUM)
        name = pen.text(row.player, names.left(max(60, names.wide - role_wide - 8)), 17, tint)
        pen.text(row.role, names.beside(name.wide + 8), 15, Colour.INK2, face=Face.MEDIUM)
        for cell, figure in zip(self._cells(line), row.values, strict=False):
            pen.text(figure, cell.inset(2, 0), 17, face=Face.FIGURES, align="centre")


def layout(state: ResultState, page: Page) -> Parts:
    """Band, sheet, code; the code alone where it was touched."""
    if state.code_large:
        yield from _large(state, page)
        return
    body = page.body
    band = body.top(_BAND_HIGH)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band, note_beside=True)
    below = body.below(_BAND_HIGH + 10)
    code_wide = 208.0 if state.code else 0.0
    sheet, code = page.sides(below, below.wide - code_wide - (12 if state.code else 0))
    if state.pages > 1:
        yield from page.turning(
            Box(sheet.right - 60, sheet.y, 60, sheet.high), state.page, state.pages
        )
        sheet = sheet.left(sheet.wide - 66)
    yield "sheet", Sheet(box=sheet, columns=state.columns, rows=state.rows, notes=state.notes)
    if state.code:
        place = code.top(min(_CODE, code.high - 30)).square()
        touched = Show(Panel.CODE)
        yield "code", CodePart(box=place, text=state.code, action=touched)
        caption = Box(code.x, place.bottom + 8, code.wide, 20)
        yield "code/caption", Words(box=caption, text=state.code_caption, caps=15, align="centre")
    yield from page.around(state.frame)


def _large(state: ResultState, page: Page) -> Parts:
    """The code over the whole screen: a touch anywhere closes it."""
    whole = Box(0, 0, page.wide, 480)
    yield "paper", Area(box=whole, tint=Colour.PAPER, radius=0, action=Back())
    yield "code/large", CodePart(box=Box(0, 0, page.wide, 480).square(), text=state.code)
    words = Box(10, 200, (page.wide - 480) / 2 - 20, 80)
    yield (
        "code/close",
        Words(box=words, text="Touch to close", caps=16, tint=Colour.CODE, lines=3, align="centre"),
    )


if __name__ == "__main__":
    raise SystemExit(main("result"))
