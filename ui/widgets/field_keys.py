"""Parts beside a field's map: its band, what was not taken, and the keys of a menu."""

from __future__ import annotations

from dataclasses import dataclass

from ui.scene.theme import Caps, Colour, Face, Reach, Rgba
from ui.scene.values import Key, KeyLook, Mark, Refusal
from ui.touch.actions import Panel, Show
from ui.widgets.box import Box
from ui.widgets.key import BandPart
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS

_NOTE = 15.0


@dataclass(frozen=True, kw_only=True)
class NotedBand(BandPart):
    """Who is asked for what, as large as it can be, over the question in full."""

    most_lines: int = 2

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        ink, sign = self._draw_ground(pen)
        room = self.box.inset(13, 8)
        note = self.band.note
        if not note:
            self._draw_lines(pen, room, ink, sign)
            return
        lines = min(self.most_lines, pen.lines(note, _NOTE, room.wide, Face.MEDIUM))
        if pen.lines(note, Caps.DETAIL, room.wide, Face.MEDIUM) > lines:
            lines += 1
        high = lines_high(lines, _NOTE) + 2
        below = Box(room.x, room.bottom - high, room.wide, high)
        self._draw_lines(pen, room.top(room.high - high - 7), ink, sign)
        pen.text(note, below, _NOTE, ink, face=Face.MEDIUM, lines=lines)

    def _draw_lines(self, pen: Pen, room: Box, ink: Colour | Rgba, sign: str) -> Box:
        """Each line as large as it can be: a long name takes nothing from what is asked."""
        rows = room.rows([1] * max(1, len(self.band.lines)), gap=9)
        for line, row in zip(self.band.lines, rows, strict=True):
            caps = min(self.caps, row.high)
            fitting = caps * min(1.0, row.wide / max(1.0, pen.width(line, caps)))
            pen.text(line, row, fitting, ink)
        return room


@dataclass(frozen=True, kw_only=True)
class NarrowRefusal(Part):
    """What was not taken, in a column: what on up to four lines, code and way out below."""

    refusal: Refusal

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        bad = self.refusal.mark is Mark.BAD
        pen.fill(self.box, Colour.KEY if pressed else Colour.PANEL, Reach.BAND_RADIUS)
        pen.edge(self.box, Colour.BAD if bad else Colour.WARN_LINE, 2.5, Reach.BAND_RADIUS)
        mark = Box(self.box.x + 9, self.box.y + 9, 26, 26)
        pen.sign(Mark.BAD if bad else Mark.WARN, mark, Colour.INK)
        if self.action is not None:
            pen.sign("book", Box(mark.x + 2, self.box.bottom - 31, 22, 22), Colour.INK)
        words = Box(mark.right + 9, self.box.y + 7, self.box.right - mark.right - 17, 0)
        self._draw_words(pen, Box(words.x, words.y, words.wide, self.box.high - 14))

    def _draw_words(self, pen: Pen, room: Box) -> None:
        caption = " · ".join(part for part in (self.refusal.code, self.refusal.cite) if part)
        text = f"{caption}. {self.refusal.way_out}" if self.refusal.way_out else caption
        first = min(4, pen.lines(self.refusal.text, 14, room.wide))
        rest = min(3, pen.lines(text, 14, room.wide, Face.MEDIUM))
        upper, lower = room.rows([lines_high(first, 14), lines_high(rest, 14)], gap=8)
        pen.text(self.refusal.text, upper, 17, lines=first, across="top")
        pen.text(text, lower, 15, Colour.INK2, face=Face.MEDIUM, lines=rest, across="bottom")


def narrow_refusal(box: Box, refusal: Refusal) -> NarrowRefusal:
    """What was not taken; a touch opens the rule behind it."""
    action = Show(Panel.RULES, refusal.cite) if refusal.cite else None
    return NarrowRefusal(box=box, refusal=refusal, action=action)


# A menu's key: two lines of words and what they cost.

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
