"""Ready: a word that something is done, of the table or of several seats."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.presenters.ready import ReadyRow, ReadyState
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.key import BandPart, key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import LinePart

_ONE_LINE, _TWO_LINES = 106.0, 158.0
_KEY_WIDE = 130.0
_IN_ONE_COLUMN = 4
_ROOMY = 70.0


@dataclass(frozen=True, kw_only=True)
class SeatGround(Part):
    """Whose word it is, beside the key."""

    row: ReadyRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        colours = pen.theme.side(self.row.side.tint)
        pen.fill(self.box.left(5), colours.text, 2)
        draw_emblem(pen, self.row.side, Box(self.box.x + 14, self.box.y, 34, self.box.high)
                    .square(34))  # fmt: skip
        room = Box(self.box.x + 60, self.box.y, self.box.wide - 60 - _KEY_WIDE - 16, self.box.high)
        tight = self.box.high < _ROOMY
        inner = room.inset(0, 4 if tight else 7)
        high = 16.0 if tight else 20.0
        pen.text(self.row.name, inner.top(high), high, colours.text)
        below = inner.below(high + 5)
        pen.text(self.row.prompt, below, 15, Colour.INK2, face=Face.MEDIUM, lines=2)


def layout(state: ReadyState, page: Page) -> Parts:
    """The deed over the seats' words, or over lines and map."""
    body = page.body
    high = _TWO_LINES if len(state.band.lines) > 1 else _ONE_LINE
    band = body.top(high)
    if state.frame.refusal is not None:
        yield from page.refusal(band, state.frame.refusal)
    else:
        yield "band", BandPart(box=band, band=state.band)
    room = body.below(high + 8)
    if state.map is not None and (state.rows or state.lines):
        room, shown = page.sides(room, room.wide * 0.5)
        yield from board_map(shown, state.map)
    elif state.map is not None:
        yield from board_map(room, state.map)
    yield from _rows(state, room)
    yield from page.around(state.frame)


def _places(room: Box, rows: int) -> Sequence[Box]:
    """One under another; more than the room has height for stand in two columns."""
    if rows <= _IN_ONE_COLUMN:
        return stacked(room, rows, high=76.0 if rows <= 2 else 66.0)
    left, right = room.columns([1, 1], gap=8)
    first = (rows + 1) // 2
    return (*stacked(left, first, high=66.0), *stacked(right, first, high=66.0)[: rows - first])


def _rows(state: ReadyState, room: Box) -> Parts:
    boxes = _places(room, len(state.rows))
    for n, (box, row) in enumerate(zip(boxes, state.rows, strict=True)):
        bare = ReadyRow(row.side, row.name, row.prompt, row.key)
        yield f"seat/{n}", SeatGround(box=box, row=bare)
        key = Box(box.right - _KEY_WIDE - 6, box.y + 5, _KEY_WIDE, box.high - 10)
        yield f"seat/{n}/key", key_cap(key, row.key, caps=18)
    used = boxes[-1].bottom - room.y + 6 if boxes else 0.0
    rest = room.below(used)
    fitting = min(len(state.lines), max(0, int((rest.high + 3) // 46)))
    for n, (box, line) in enumerate(
        zip(stacked(rest, fitting, high=46, gap=3), state.lines, strict=False)
    ):
        yield f"line/{n}", LinePart(box=box, line=line)


if __name__ == "__main__":
    raise SystemExit(main("ready"))
