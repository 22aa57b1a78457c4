"""The arbiter's keys, and every other screen that is a list of keys: menu, report, close."""

from __future__ import annotations

from ui.presenters.arbiter import ArbiterState
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.words import LinePart, Words

_KEY_HIGH = 72.0
_LINE_HIGH = 51.0


def layout(state: ArbiterState, page: Page) -> Parts:
    """Keys in reading order, two a row, standing notices under them."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    elif state.lead:
        yield "lead", Words(box=body.top(38), text=state.lead, caps=24, lines=1)
        body = body.below(44)
    rows = -(-len(state.keys) // 2)
    fitting = max(0, int((body.high - rows * 57) // (_LINE_HIGH + 3)))
    lines = state.lines[:fitting]
    lines_high = len(lines) * (_LINE_HIGH + 3)
    yield from _keys(state, body.top(body.high - lines_high), rows)
    foot = Box(body.x, body.bottom - lines_high + 3, body.wide, lines_high)
    for n, (box, line) in enumerate(
        zip(stacked(foot, len(lines), high=_LINE_HIGH, gap=3), lines, strict=True)
    ):
        action = line.key.action if line.key is not None else None
        yield f"line/{n}", LinePart(box=box, line=line, action=action)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _keys(state: ArbiterState, room: Box, rows: int) -> Parts:
    strips = stacked(room, rows, high=_KEY_HIGH, gap=6)
    for n, key in enumerate(state.keys):
        row, column = divmod(n, 2)
        box = strips[row].columns([1, 1], gap=8)[column]
        yield f"key/{n}", key_cap(box, key, caps=19, align="left", sign_side=36)


if __name__ == "__main__":
    raise SystemExit(main("arbiter"))
