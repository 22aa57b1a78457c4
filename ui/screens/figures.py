"""Assumed figures: a row each, with less and more; the next tap confirms them all."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.presenters.figures import FigureRow, FiguresState
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import Words, draw_mark

_LEAD_HIGH = 32.0
_ROW_HIGH = Reach.TARGET[1] + 3
_GAP = 4.0
_KEY_WIDE = 74.0


@dataclass(frozen=True, kw_only=True)
class FigureGround(Part):
    """Whether somebody has looked, what it is, and what holds."""

    row: FigureRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        draw_mark(pen, self.row.mark, Box(self.box.x + 8, self.box.y, 24, self.box.high).square(24))
        room = self.box.inset(42, 5)
        room = Box(room.x, room.y, self.box.right - room.x - 12, room.high)
        long = pen.width(self.row.text, 19) > room.wide * 0.36
        if long:
            cite = pen.width(self.row.cite, 14, Face.MEDIUM) + 14
            pen.text(self.row.label, Box(room.x, room.y, room.wide - cite, 17), 17)
            where = Box(room.right - cite, room.y, cite, 17)
            pen.text(self.row.cite, where, 14, Colour.INK2, face=Face.MEDIUM, align="right")
            below = Box(room.x, room.y + 25, room.wide, 17)
            pen.text(self.row.text, below, 16, face=Face.MEDIUM)
            return
        words = room.left(room.wide * 0.64)
        two = pen.width(self.row.label, 14) > words.wide
        pen.text(self.row.label, words.top(36 if two else 18), 17, lines=2 if two else 1)
        if two:
            pen.text(self.row.text, room.beside(words.wide), 24, align="right")
            return
        below = Box(words.x, words.bottom - 17, words.wide, 15)
        pen.text(self.row.cite, below, 14, Colour.INK2, face=Face.MEDIUM)
        value = room.beside(words.wide)
        pen.text(self.row.text, value, 24, align="right")


def layout(state: FiguresState, page: Page) -> Parts:
    """The lead line over a page of figures; a refusal takes the lead's place."""
    body = page.body
    lead = Box(body.x + 4, body.y - 4, body.wide - 8, _LEAD_HIGH)
    if state.frame.refusal is None:
        yield "lead", Words(box=lead, text=state.lead, caps=26)
    else:
        yield from page.refusal(Box(body.x, body.y - 6, body.wide, 53), state.frame.refusal)
    room = body.below(_LEAD_HIGH + (4 if state.frame.refusal is None else 21))
    high = min(_ROW_HIGH, (room.high - _GAP * 4) / 5)
    for n, row in enumerate(state.rows):
        box = Box(room.x, room.y + n * (high + _GAP), room.wide, high)
        keys_wide = (_KEY_WIDE + Reach.GAP) * 2 if any(row.keys for row in state.rows) else 0.0
        ground = box.left(box.wide - keys_wide) if row.keys else box
        yield f"figure/{n}", FigureGround(box=ground, row=replace(row, keys=()))
        for at, key in enumerate(row.keys):
            place = box.beside(box.wide - keys_wide + Reach.GAP).columns(
                [1] * len(row.keys), gap=Reach.GAP
            )[at]
            yield f"figure/{n}/{at}", key_cap(place, key, caps=15, sign_side=20)
    yield from page.around(state.frame, pages=(state.page, state.pages))


if __name__ == "__main__":
    raise SystemExit(main("figures"))
