"""Lists: past matches, devices, what was looked up: a line each, what it opens at its edge."""

from __future__ import annotations

from collections.abc import Sequence

from ui.presenters.devices import DevicesState
from ui.presenters.past import PastState
from ui.presenters.rules import FoundState
from ui.scene.theme import Caps, Colour
from ui.scene.values import Frame, Line
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.words import LinePart, Words

_KEY_WIDE = 130.0


def past(state: PastState, page: Page) -> Parts:
    """A line a match; a touch opens it."""
    yield from _listed(state.frame, state.lines, page, "No match has been played here yet.")
    yield from page.around(state.frame, pages=(state.page, state.pages))


def devices(state: DevicesState, page: Page) -> Parts:
    """A line a device, worst first; Retry beside what is not live."""
    yield from _listed(state.frame, state.lines, page, "No device was looked for yet.")
    yield from page.around(state.frame)


def found(state: FoundState, page: Page) -> Parts:
    """A line a paragraph; a touch opens it."""
    yield from _listed(state.frame, state.lines, page, state.told)
    yield from page.around(state.frame, pages=(state.page, state.pages))


def _listed(frame: Frame, lines: Sequence[Line], page: Page, empty: str) -> Parts:
    body = page.body
    if frame.refusal is not None:
        yield from page.refusal(body.top(76), frame.refusal)
        body = body.below(84)
    if not lines:
        yield (
            "empty",
            Words(box=body, text=empty, caps=Caps.NAME, tint=Colour.INK2, align="centre", lines=4),
        )
    for n, (box, line) in enumerate(
        zip(stacked(body, len(lines), high=60, gap=5), lines, strict=True)
    ):
        yield from _line(box, line, n)


def _line(box: Box, line: Line, n: int) -> Parts:
    """A key without a label makes the whole line a key."""
    if line.key is None:
        yield f"line/{n}", LinePart(box=box, line=line)
    elif not line.key.label:
        yield f"line/{n}", LinePart(box=box, line=line, action=line.key.action)
    else:
        yield f"line/{n}", LinePart(box=box.left(box.wide - _KEY_WIDE - 6), line=line)
        key = Box(box.right - _KEY_WIDE, box.y, _KEY_WIDE, box.high)
        yield f"line/{n}/key", key_cap(key, line.key)


if __name__ == "__main__":
    raise SystemExit(main("lists"))
