"""Adjust: thing, quantity, value, reason, touched from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from ui.presenters.adjust import AdjustState
from ui.scene.theme import Caps, Colour, Theme
from ui.scene.values import Key
from ui.screens.menu import two_lines_of
from ui.screens.page import Page, Parts, stacked
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.lettering import text_wide
from ui.widgets.words import LinePart, Words

_HEADS = ("THING", "QUANTITY", "VALUE", "REASON")
_WRITTEN_WIDE, _LEAST_WRITTEN_WIDE = 186.0, 184.0
_ROWS = 5
_NARROWEST = 56.0


def layout(state: AdjustState, page: Page) -> Parts:
    """Four columns of keys; beside them what was written, and whether the sums hold."""
    body = page.body
    if state.frame.refusal is not None:
        yield from page.refusal(body.top(60), state.frame.refusal)
        body = body.below(66)
    rows = _ROWS if state.frame.refusal is None else _ROWS - 1
    groups = (state.things, state.quantities, state.values, state.reasons)
    shares = [
        _share(group, rows, head, page.theme) for head, group in zip(_HEADS, groups, strict=True)
    ]
    keys, written = _sides(state, page, body, sum(shares) + 7 * (len(shares) - 1))
    columns = keys.columns(shares, gap=7)
    for head, column, group in zip(_HEADS, columns, groups, strict=True):
        yield (
            f"head/{head}",
            Words(box=column.top(20), text=head, caps=Caps.DETAIL, tint=Colour.INK2),
        )
        yield from _column(column.below(24), group, head, rows)
    if written.wide >= _LEAST_WRITTEN_WIDE:
        yield from _written(state, written)
    yield from page.around(state.frame)


def _sides(state: AdjustState, page: Page, body: Box, wanted: float) -> tuple[Box, Box]:
    """The keys' room and what is left for what was written: none while there is nothing.

    The message and the last key tell it too, so that the keys may take its room.
    """
    beside = body.wide - wanted - 12
    if beside < _LEAST_WRITTEN_WIDE or (beside < _WRITTEN_WIDE and not state.changes):
        return body, body.left(0)
    return page.sides(body, body.wide - min(beside, _WRITTEN_WIDE) - 12)


def _share(group: Sequence[Key], rows: int, head: str, theme: Theme) -> float:
    """As wide as its longest line; more keys than fit one under another stand side by side."""
    words = [line for key in group for line in two_lines_of(key.label)]
    widest = max((text_wide(theme, word, Caps.DETAIL + 0.5) for word in words), default=0.0)
    each = max(_NARROWEST, widest + 5)
    wide = -(-max(1, len(group)) // rows)
    return max(wide * each + 6 * (wide - 1), text_wide(theme, head, Caps.DETAIL) + 6)


def _column(room: Box, group: Sequence[Key], head: str, rows: int) -> Parts:
    wide = -(-max(1, len(group)) // rows)
    boxes = [
        box
        for strip in stacked(room, min(rows, len(group)), high=54, gap=5)
        for box in strip.columns([1] * wide, gap=6)
    ]
    for n, (box, key) in enumerate(zip(boxes, group, strict=False)):
        yield f"{head}/{n}", key_cap(box, key)


def _written(state: AdjustState, room: Box) -> Parts:
    yield (
        "head/written",
        Words(box=room.top(20), text="WRITTEN", caps=Caps.DETAIL, tint=Colour.INK2),
    )
    lines = (*state.changes[-2:], *state.sums[:3])
    for n, (box, line) in enumerate(
        zip(stacked(room.below(24), len(lines), high=62, gap=3), lines, strict=True)
    ):
        yield f"written/{n}", LinePart(box=box, line=line)


if __name__ == "__main__":
    raise SystemExit(main("adjust"))
