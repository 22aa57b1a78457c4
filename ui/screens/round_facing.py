"""The round face to face: the screen lies flat between the teams, a half for each."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ui.presenters.round import RoundState, TeamStrip
from ui.scene.theme import Caps, Colour, Face, Reach
from ui.scene.values import Key
from ui.screens.page import Page, Parts
from ui.widgets.bars import next_key
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS
from ui.widgets.teams import draw_emblem, figures, lamps
from ui.widgets.words import Area, Words, turned_part

_COUNT = 150.0
_WORDS_WIDE = 212.0
_KEY_WIDE = 232.0
_HALF = Box(8, 244, 0, 228)
"""The near half; its width is the window's, less the margins."""


@dataclass(frozen=True, kw_only=True)
class FacingWords(Part):
    """Whose half it is, what they may do, and what they have."""

    strip: TeamStrip

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        side = self.strip.side
        colours = pen.theme.side(side.tint)
        draw_emblem(pen, side, Box(self.box.x, self.box.y + 4, 48, 42))
        name = Box(self.box.x + 58, self.box.y + 12, self.box.wide - 58, 26)
        pen.text(side.name.upper(), name, Caps.NAME, colours.text)
        may = Box(self.box.x, self.box.y + 62, self.box.wide, 84)
        pen.text(self.strip.may, may, 17, across="top", lines=3)
        for n, badge in enumerate(self.strip.badges[:1]):
            row = Box(self.box.x, self.box.bottom - 32 - 34 * n, self.box.wide, 32)
            if badge.sign in SIGNS:
                pen.sign(badge.sign, Box(row.x + 4, row.y, 34, row.high).square(), Colour.INK2)
            pen.text(badge.title, row.beside(48), 16)


def facing(state: RoundState, page: Page) -> Parts:
    """The near half as it is, the far one turned upside down; each has its own key."""
    for name, strip in zip(("near", "far"), state.strips, strict=False):
        for part_name, part in _half(state, strip, page):
            shown = turned_part(part, page.wide) if name == "far" else part
            yield f"{name}/{part_name}", shown


def _half(state: RoundState, strip: TeamStrip, page: Page) -> Parts:
    """One half as its team reads it: words, count, and what can be touched."""
    half = Box(_HALF.x, _HALF.y, page.wide - 2 * _HALF.x, _HALF.high)
    inverted = state.inverted
    bar = page.theme.side(strip.side.tint).text
    yield "ground", Area(box=half, tint=Colour.PANEL, bar=bar, bar_at="top")
    words = Box(half.x + 20, half.y + 18, _WORDS_WIDE, half.high - 26)
    yield "words", FacingWords(box=words, strip=strip)
    right = Box(half.right - _KEY_WIDE - 12, half.y + 14, _KEY_WIDE, half.high - 26)
    middle = Box(words.right + 8, half.y + 14, right.x - words.right - 16, half.high - 24)
    ink = Colour.GO_INK if inverted else Colour.INK
    if inverted:
        yield "middle", Area(box=middle, tint=Colour.GO, radius=Reach.BAND_RADIUS)
    yield from _middle(state, middle, ink)
    yield (
        "title",
        Words(
            box=right.top(24), text=state.frame.top.title, caps=20, tint=Colour.INK2, align="centre"
        ),
    )
    yield from lamps(Box(right.x, right.y + 40, right.wide, 34), state.lamps)
    if state.frame.bottom.next is not None:
        key = Box(right.x, right.bottom - 80, right.wide, 80)
        yield "next", next_key(key, _short(state.frame.bottom.next))


def _short(key: Key) -> Key:
    """The key without its second line, unless that says why it is impossible."""
    return replace(key, second="") if key.action is not None else key


def _middle(state: RoundState, middle: Box, ink: Colour) -> Parts:
    if not state.big and state.count:
        yield from figures(
            Box(middle.x, middle.centre[1] - _COUNT / 2, middle.wide, _COUNT), state.count, ink
        )
        return
    room = middle.inset(8, 20)
    yield "big", Words(
        box=room.top(room.high * 0.5), text=state.big or "NO TIMER", caps=90, tint=ink,
        align="centre",
    )  # fmt: skip
    if state.below:
        yield "below", Words(
            box=room.below(room.high * 0.58), text=state.below, caps=40, tint=ink,
            face=Face.BOLD, align="centre", lines=2,
        )  # fmt: skip
