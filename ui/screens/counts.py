"""Counts: how many each; a row a seat."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.presenters.counts import CountRow, CountsState
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import draw_emblem
from ui.widgets.words import Words, draw_mark

_LEAD_HIGH = 46.0
_NAME_WIDE = 272.0
_AFTER_WIDE = 132.0
_MARK_WIDE = 36.0
_MOST_HIGH = 84.0
_FEWEST, _FEWEST_WORDS = 5, 3
"""Fewer keys than this in a row are no wider; words need more room than figures."""


@dataclass(frozen=True, kw_only=True)
class CountGround(Part):
    """Who is asked at the left, what follows of the number at the right."""

    row: CountRow

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.row.side.tint)
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        pen.fill(self.box.left(5), colours.text, 2)
        draw_emblem(
            pen, self.row.side, Box(self.box.x + 12, self.box.y, 30, self.box.high).square(30)
        )
        room = Box(self.box.x + 50, self.box.y, _NAME_WIDE - 54, self.box.high).inset(0, 9)
        upper, lower = room.rows([1.2, 1], gap=2)
        pen.text(self.row.name, upper, 19, colours.text, lines=1)
        pen.text(self.row.prompt, lower, 15, Colour.INK2, face=Face.MEDIUM)
        after = Box(self.box.right - _AFTER_WIDE, self.box.y, _AFTER_WIDE - 10, self.box.high)
        if self.row.mark:
            draw_mark(pen, self.row.mark, Box(after.right - 22, after.y, 22, after.high).square(20))
            after = after.left(after.wide - 28)
        if self.row.after:
            pen.text(self.row.after, after.inset(0, 6), 16, lines=2, face=Face.MEDIUM)


def layout(state: CountsState, page: Page) -> Parts:
    """The lead line over a row for each number asked."""
    body = page.body
    lead = Box(body.x + 4, body.y - 2, body.wide - 8, _LEAD_HIGH - 4)
    if state.frame.refusal is not None:
        yield from page.refusal(Box(body.x, body.y - 6, body.wide, 53), state.frame.refusal)
    else:
        yield "lead", Words(box=lead, text=state.lead, caps=30)
    room = body.below(_LEAD_HIGH + 4)
    high = min(_MOST_HIGH, (room.high - 18) / 4 if len(state.rows) > 3 else _MOST_HIGH)
    for n, row in enumerate(state.rows[:4]):
        box = Box(room.x, room.y + n * (high + 6), room.wide, high)
        yield f"count/{n}", CountGround(box=box, row=replace(row, keys=()))
        right = _AFTER_WIDE if row.after else _MARK_WIDE if row.mark else 0.0
        keys = Box(box.x + _NAME_WIDE, box.y + 5, box.wide - _NAME_WIDE - right - 8, high - 10)
        least = _FEWEST_WORDS if any(len(key.label) > 3 for key in row.keys) else _FEWEST
        places = keys.columns([1] * max(least, len(row.keys)), gap=6)
        for at, (place, key) in enumerate(zip(places, row.keys, strict=False)):
            yield f"count/{n}/{at}", key_cap(place, key, caps=22)
    yield from page.around(state.frame, pages=(state.page, state.pages))


if __name__ == "__main__":
    raise SystemExit(main("counts"))
