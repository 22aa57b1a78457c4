"""Amend: what was told, what it really was, and all that this changes."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.amend import AmendState
from ui.scene.theme import Colour, Face, Reach
from ui.screens.log import LIST_WIDE, log_list
from ui.screens.menu import Menu
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.teams import pad, too_many
from ui.widgets.words import ChangePart, Words


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
    room = page.body
    if not state.pad:
        listed, room = page.sides(room, LIST_WIDE + (page.wide - 800) * 0.6)
        yield from log_list(listed, state.lines)
    if state.frame.refusal is not None:
        yield from page.refusal(room.top(70), state.frame.refusal)
        room = room.below(76)
    head_high = 86.0 if not state.pad else 40.0
    yield (
        "was",
        WasNow(box=room.top(head_high), was=state.was, now=state.now, reason=state.reason)
        if not state.pad
        else WasNow(box=room.top(head_high), was=state.was, now="", reason=""),
    )
    room = room.below(head_high + 6)
    if state.reasons:
        row = Box(room.x, room.bottom - 51, room.wide, 51)
        yield from _reasons(state, row)
        room = room.top(room.high - 57)
    yield from _pads(state, room, page) if state.pad else _changes(state, room)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _reasons(state: AmendState, row: Box) -> Parts:
    """Reasons as keys at the foot."""
    boxes = row.columns([1] * max(3, len(state.reasons)), gap=6)
    for n, (box, key) in enumerate(zip(boxes, state.reasons, strict=False)):
        yield f"reason/{n}", key_cap(box, key)


def _pads(state: AmendState, room: Box, page: Page) -> Parts:
    """The question's own pad; many groups stand in two columns, as they do on its screen.

    More keys than fingers find at once come in pages.
    """
    wider = [group for group in state.pad if group.columns > 3]
    others = [group for group in state.pad if group.columns <= 3]
    if (not wider or not others) and too_many(state.pad, room):
        yield from Menu(state.pad, page.theme).parts(room, state.pad_page, page)
        return
    if not wider or not others:
        yield from pad(room, state.pad, caps=16)
        return
    left, right = room.columns([1.2, 1], gap=16)
    yield from pad(left, wider, "left")
    yield from pad(right, others, "right")


def _changes(state: AmendState, room: Box) -> Parts:
    yield "changes", Words(box=room.top(24), text="What this changes", caps=17)
    boxes = stacked(room.below(28), len(state.changes), high=48, gap=3)
    for n, (box, change) in enumerate(zip(boxes, state.changes, strict=True)):
        yield f"change/{n}", ChangePart(box=box, change=change)


if __name__ == "__main__":
    raise SystemExit(main("amend"))
