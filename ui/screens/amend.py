"""Amend: what was told, what it really was, and all that this changes."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.amend import AmendState
from ui.screens.log import LIST_WIDE, log_list
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.theme import Colour, Face, Reach
from ui.widgets.box import Box
from ui.widgets.card_pad import pad
from ui.widgets.key import key_cap
from ui.widgets.lines import ChangePart
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import Words


@dataclass(frozen=True, kw_only=True)
class WasNow(Part):
    """The old answer struck, the new one larger, the reason under it."""

    was: str
    now: str
    reason: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 6)
        labels, words = room.left(46), room.beside(56)
        rows = [1.0, 1.35, 1.0] if self.now or self.reason else [1.0]
        heights = [row.high for row in room.rows(rows)]
        tops = [row.y for row in room.rows(rows)]
        label = Box(labels.x, tops[0], labels.wide, heights[0])
        pen.text("WAS", label, 15, Colour.INK2)
        first = Box(words.x, tops[0], words.wide, heights[0])
        pen.text(self.was, first, 17, Colour.INK2, face=Face.MEDIUM, struck=bool(self.now))
        if len(rows) == 1:
            return
        pen.text("NOW", Box(labels.x, tops[1], labels.wide, heights[1]), 15, Colour.INK2)
        second = Box(words.x, tops[1], words.wide, heights[1])
        pen.text(self.now or "choose", second, 20, Colour.INK if self.now else Colour.INK2)
        if self.reason:
            third = Box(words.x, tops[2], words.wide, heights[2])
            pen.text(f"Reason: {self.reason}", third, 15, face=Face.MEDIUM)


def layout(state: AmendState, page: Page) -> Parts:
    """First the pad of that question's answers; once one is chosen, what it would change."""
    body = page.body
    list_wide = LIST_WIDE + (page.wide - 800) * 0.6
    if state.pad:
        list_wide = 240.0
    listed, room = page.sides(body, list_wide)
    yield from log_list(listed, state.lines)
    if state.frame.refusal is not None:
        yield from page.refusal(room.top(76), state.frame.refusal)
        room = room.below(84)
    head_high = 86.0 if state.now or state.reason else 40.0
    yield "was", WasNow(box=room.top(head_high), was=state.was, now=state.now, reason=state.reason)
    room = room.below(head_high + 6)
    if state.reasons:
        room = yield from _reasons(state, room)
    if state.pad:
        yield from pad(room, state.pad, caps=15)
    else:
        yield from _changes(state, room)
    yield from page.around(state.frame, next_wide=316, pages=(state.page, state.pages))


def _reasons(state: AmendState, room: Box):  # noqa: ANN202 - a generator that returns what is left
    """Reasons as keys at the foot; returns the room above them."""
    row = Box(room.x, room.bottom - 52, room.wide, 52)
    for n, (box, key) in enumerate(
        zip(row.columns([1] * len(state.reasons), gap=6), state.reasons, strict=True)
    ):
        yield f"reason/{n}", key_cap(box, key)
    return room.top(room.high - 58)


def _changes(state: AmendState, room: Box) -> Parts:
    yield "changes", Words(box=room.top(24), text="What this changes", caps=17)
    boxes = stacked(room.below(28), len(state.changes), high=36, gap=3)
    for n, (box, change) in enumerate(zip(boxes, state.changes, strict=True)):
        yield f"change/{n}", ChangePart(box=box, change=change)


if __name__ == "__main__":
    raise SystemExit(main("amend"))
