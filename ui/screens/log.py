"""The log: every line with its time and source, and what can be done about the chosen one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ui.presenters.log import LogLine, LogState
from ui.scene.theme import Colour, Face, Reach
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.words import LogPart

LIST_WIDE = 322.0
_LINE_HIGH, _LINE_GAP, _CHOSEN_MORE = 51.0, 1.5, 18.0


@dataclass(frozen=True, kw_only=True)
class Details(Part):
    """The chosen line in full: what, then when, by whom, under which rule, what it ruled."""

    title: str
    details: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, Reach.RADIUS)
        room = self.box.inset(14, 12)
        ink = pen.text(self.title, room.top(54), 21, across="top", lines=2)
        y = ink.bottom + 14
        for detail in self.details:
            left = Box(room.x, y, room.wide, min(46.0, room.bottom - y))
            if left.high < 14:
                return
            ink = pen.text(detail, left, 16, Colour.INK2, face=Face.MEDIUM, across="top", lines=2)
            y = ink.bottom + 9


def log_list(room: Box, lines: Sequence[LogLine]) -> Parts:
    """A page of lines, newest last; the chosen one is higher where there is room."""
    if not lines:
        return
    spare = room.high - len(lines) * _LINE_HIGH - (len(lines) - 1) * _LINE_GAP
    chosen_high = _LINE_HIGH + min(_CHOSEN_MORE, max(0.0, spare))
    y = room.y
    for line in lines:
        box = Box(room.x, y, room.wide, chosen_high if line.chosen else _LINE_HIGH)
        yield f"log/{line.seq}", LogPart(box=box, line=line, action=line.key.action)
        y = box.bottom + _LINE_GAP


def layout(state: LogState, page: Page) -> Parts:
    """List at one side, the chosen line and its keys at the other."""
    listed, chosen = page.sides(page.body, LIST_WIDE + (page.wide - 800) * 0.6)
    yield from log_list(listed, state.lines)
    if state.frame.refusal is not None:
        yield from page.refusal(chosen.top(76), state.frame.refusal)
        chosen = chosen.below(84)
    keys_high = 72.0 if len(state.keys) <= 2 else 60.0
    keys = Box(
        chosen.x,
        chosen.bottom - len(state.keys) * (keys_high + 6) + 6,
        chosen.wide,
        len(state.keys) * (keys_high + 6) - 6,
    )
    if state.title:
        room = Box(chosen.x, chosen.y, chosen.wide, keys.y - chosen.y - 8)
        yield "details", Details(box=room, title=state.title, details=state.details)
    for n, (box, key) in enumerate(
        zip(stacked(keys, len(state.keys), high=keys_high), state.keys, strict=True)
    ):
        yield f"key/{n}", key_cap(box, key, caps=19, align="left", sign_side=32)
    yield from page.around(state.frame, pages=(state.page, state.pages))


if __name__ == "__main__":
    raise SystemExit(main("log"))
