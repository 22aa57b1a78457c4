"""The round: the count, what teams may do, and at zero LOCKED."""

from __future__ import annotations

from collections.abc import Iterator

from ui.presenters.round import Phase, RoundState
from ui.scene.theme import Caps, Colour, Reach
from ui.scene.values import Refusal
from ui.screens.page import Page, Parts
from ui.screens.round_facing import facing
from ui.screens.shown import main
from ui.widgets.box import Box
from ui.widgets.key import key_cap
from ui.widgets.part import Part
from ui.widgets.teams import ShortStripPart, TeamStripPart, figures, lamps, ticks
from ui.widgets.words import Area, Words

STRIP_WIDE = 150.0
_MIDDLE_HIGH = 270.0


def layout(state: RoundState, page: Page) -> Parts:
    """Everything of the round: strips beside the count, the lead line and lamps under it."""
    if state.facing and len(state.strips) == 2:
        yield from facing(state, page)
        return
    if state.phase is Phase.LOCKED:
        yield from _locked(state, page)
    else:
        yield from _running(state, page)
    yield from page.around(state.frame)


def _running(state: RoundState, page: Page) -> Parts:
    body = page.body
    middle = Box(body.x + STRIP_WIDE + 10, body.y, body.wide - 2 * (STRIP_WIDE + 10), _MIDDLE_HIGH)
    yield from _strips(state, body)
    ink = Colour.INK
    if state.inverted:
        yield "middle", Area(box=middle, tint=Colour.GO, radius=Reach.BAND_RADIUS)
        ink = Colour.GO_INK
    yield from _middle(state, middle, ink)
    yield from _lead(state, Box(body.x + 4, body.y + 274, body.wide - 8, 46), page)


def _strips(state: RoundState, body: Box) -> Parts:
    """The teams at either side of the count; of more than two several over one another."""
    sides = [Box(x, body.y, STRIP_WIDE, _MIDDLE_HIGH) for x in (body.x, body.right - STRIP_WIDE)]
    each = max(1, (len(state.strips) + 1) // 2)
    places = [side.rows([1] * each, gap=6) for side in sides]
    for n, strip in enumerate(state.strips):
        part = TeamStripPart if each == 1 else ShortStripPart
        yield f"strip/{n}", part(box=places[n % 2][n // 2], strip=strip)


def _middle(state: RoundState, middle: Box, ink: Colour) -> Parts:
    if state.big:
        yield from _standing(state, middle, ink)
        return
    if not state.count:
        yield (
            "untimed",
            Words(
                box=middle.inset(20, 40), text="NO TIMER", caps=Caps.HANDS, tint=ink, align="centre"
            ),
        )
        return
    room = Box(middle.x + 16, middle.y + 10, middle.wide - 32, Caps.COUNT)
    yield from figures(room, state.count, ink)
    row = Box(middle.x + 16, middle.bottom - 42, middle.wide - 32, 32)
    yield from ticks(row, state.ticks, state.ticks_lit, ink)


def _standing(state: RoundState, middle: Box, ink: Colour) -> Parts:
    """A paused clock: the word large, what is left under it, keys where there are any."""
    room = middle.inset(8, 14)
    keys_high = 64.0 if state.keys else 0.0
    big = room.top(96)
    yield "big", Words(box=big, text=state.big, caps=96, tint=ink, align="centre")
    below = Box(room.x, big.bottom + 26, room.wide, 52)
    yield "below", Words(box=below, text=state.below, caps=44, tint=ink, align="centre")
    if state.keys:
        row = Box(room.x + 10, room.bottom - keys_high, room.wide - 20, keys_high)
        boxes = row.columns([1] * len(state.keys), gap=Reach.GAP)
        for n, (box, key) in enumerate(zip(boxes, state.keys, strict=True)):
            yield f"key/{n}", key_cap(box, key, caps=20)


def _lead(state: RoundState, room: Box, page: Page) -> Parts:
    trouble: Refusal | None = state.frame.refusal
    if trouble is not None:
        yield from page.refusal(Box(room.x - 4, room.bottom - 49, room.wide + 8, 53), trouble)
        return
    lamps_wide = 52.0 * len(state.lamps)
    yield "lead", Words(box=room.left(room.wide - lamps_wide - 12), text=state.lead, caps=Caps.LEAD)
    if state.lamps:
        at = Box(room.right - lamps_wide, room.y + (room.high - 36) / 2, lamps_wide, 36)
        yield from lamps(at, state.lamps)


def _locked(state: RoundState, page: Page) -> Iterator[tuple[str, Part]]:
    """The whole body inverted: the word, what hands must do, and the evidence that was kept."""
    body = page.all
    yield "body", Area(box=body, tint=Colour.GO, radius=0)
    big = Box(body.x + 16, body.y + 28, body.wide - 32, Caps.STATE)
    yield "big", Words(box=big, text=state.big, caps=Caps.STATE, tint=Colour.GO_INK, align="centre")
    below = Box(body.x + 12, big.bottom + 32, body.wide - 24, Caps.HANDS)
    yield (
        "below",
        Words(box=below, text=state.below, caps=Caps.HANDS, tint=Colour.GO_INK, align="centre"),
    )
    rest = Box(body.x + 16, below.bottom + 8, body.wide - 32, body.bottom - below.bottom - 14)
    if state.frame.refusal is not None:
        yield from page.refusal(rest.inset(0, 1), state.frame.refusal)
    elif state.note:
        yield "note", Words(box=rest, text=state.note, caps=18, tint=Colour.GO_INK, align="centre")


if __name__ == "__main__":
    raise SystemExit(main("round"))
