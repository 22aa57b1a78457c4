"""A menu's key: two lines of words and what they cost, where other keys have one line."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Key, KeyLook, Mark
from ui.theme import Caps, Colour, Face, Reach
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS

_LEAST = 14.0
_SECOND_GAP, _WIDE_GAP = 5.0, 6.5


@dataclass(frozen=True, kw_only=True)
class MenuKey(Part):
    """Words as large as the key has room for, the second line below; a sign beside them."""

    key: Key
    caps: float = 18.0

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = pressed is not (self.key.look is KeyLook.CHOSEN)
        pen.fill(self.box, Colour.GO if inverted else Colour.KEY, Reach.RADIUS)
        seen = bool(self.key.seen)
        edge, wide = (Colour.OK, Reach.HOLD_EDGE) if seen else (Colour.EDGE, Reach.EDGE)
        pen.edge(self.box, edge, wide, Reach.RADIUS)
        ink, ink2 = (Colour.GO_INK, Colour.GO_INK) if inverted else (Colour.INK, Colour.INK2)
        room = self.box.inset(5, 2)
        if seen:
            pen.sign(Mark.OK, Box(room.right - 15, room.y, 16, 16), Colour.INK)
        if self.key.sign in SIGNS:
            side = min(40.0, room.high - 6)
            pen.sign(self.key.sign, Box(room.x + 2, room.y, side, room.high).square(side), ink)
            room = room.beside(side + 8)
        self._draw_words(pen, room, ink, ink2)

    def _draw_words(self, pen: Pen, room: Box, ink: Colour, ink2: Colour) -> None:
        second = self.key.seen or self.key.second
        if not second:
            lines = self._lines(pen, room.wide, room.high)
            pen.text(self.key.label, room, self.caps, ink, align="centre", lines=lines)
            return
        left = room.high - Caps.DETAIL - _SECOND_GAP
        lines = self._lines(pen, room.wide, left)
        first = min(lines_high(lines, self.caps), left)
        gap = _WIDE_GAP if lines == 1 else _SECOND_GAP
        top = room.y + (room.high - first - gap - Caps.DETAIL) / 2
        words = Box(room.x, top, room.wide, first)
        pen.text(self.key.label, words, self.caps, ink, align="centre", lines=lines)
        below = Box(room.x, words.bottom + gap, room.wide, Caps.DETAIL + 0.5)
        pen.text(second, below, Caps.DETAIL, ink2, face=Face.MEDIUM, align="centre")

    def _lines(self, pen: Pen, wide: float, high: float) -> int:
        """Two lines where the words are larger so, or need them, and there is room for them."""
        fits = pen.width(self.key.label, _LEAST + 0.5) <= wide
        large = pen.width(self.key.label, self.caps) <= wide
        if " " not in self.key.label or large:
            return 1
        return 2 if high >= lines_high(2, _LEAST + 2 if fits else _LEAST) else 1
