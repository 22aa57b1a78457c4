"""KeyCap: a key as it is drawn: sign, label, second line, in one of its states."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from ui.presenters.common import Key, KeyLook, Mark
from ui.theme import Caps, Colour, Face, Reach, Rgba
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.signs import SIGNS

_PLACES = frozenset(SIGNS[name] for name in ("first-of-three", "second-of-three", "third-of-three"))
"""Signs that illustrate a label rather than stand for it: they lie under it."""


class Inks(NamedTuple):
    """A key's fill (None: outline only), letters, second line and edge."""

    fill: Colour | None
    first: Colour
    second: Colour
    edge: Colour | Rgba
    edge_wide: float = Reach.EDGE


_PLAIN = Inks(Colour.KEY, Colour.INK, Colour.INK2, Colour.EDGE)
_INVERTED = Inks(Colour.GO, Colour.GO_INK, Colour.GO_INK, Colour.GO)

_LOOKS = {
    KeyLook.PLAIN: _PLAIN,
    KeyLook.GO: _INVERTED,
    KeyLook.CHOSEN: _INVERTED,
    KeyLook.IMPOSSIBLE: Inks(None, Colour.INK2, Colour.INK2, Colour.HAIR),
    KeyLook.HOLD: _PLAIN._replace(edge=Colour.BAD, edge_wide=Reach.HOLD_EDGE),
}


@dataclass(frozen=True, kw_only=True)
class KeyCap(Part):
    """A key in its box; sign above or beside the words as the box is tall or wide."""

    key: Key
    caps: float = Caps.BODY
    align: str = "centre"
    sign_side: float = 0.0

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inks = self._inks(pen, pressed=pressed)
        if inks.fill is not None:
            pen.fill(self.box, inks.fill, Reach.RADIUS)
        pen.edge(self.box, inks.edge, inks.edge_wide, Reach.RADIUS)
        inner = self._draw_mark(pen, self.box.inset(5 if self.box.wide > 100 else 2, 5))
        if self.key.sign in SIGNS:
            self._draw_with_sign(pen, inks, inner)
        else:
            self._draw_words(pen, inks, inner, self.align)

    def _inks(self, pen: Pen, *, pressed: bool) -> Inks:
        look = self.key.look
        if pressed:
            return _PLAIN if look in (KeyLook.GO, KeyLook.CHOSEN) else _INVERTED
        inks = _LOOKS[look]
        if self.key.seen:
            return inks._replace(edge=Colour.OK, edge_wide=Reach.HOLD_EDGE)
        if self.key.tint and look is KeyLook.PLAIN:
            return inks._replace(edge=pen.theme.side(self.key.tint).text)
        return inks

    @property
    def _second(self) -> str:
        """The second line; a narrow key has room for the age alone, beside its tick."""
        if self.key.seen and self.box.wide < 90:
            return self.key.seen.removeprefix("seen ")
        return self.key.seen or self.key.second

    def _draw_mark(self, pen: Pen, inner: Box) -> Box:
        """The signal at the right edge; returns the room that is left."""
        mark = self.key.mark or (Mark.OK if self.key.seen else Mark.NONE)
        if not mark:
            return inner
        if inner.wide < 120:
            pen.sign(mark, Box(inner.right - 14, inner.y - 1, 15, 15), Colour.INK)
            return inner
        pen.sign(mark, Box(inner.right - 24, inner.y + inner.high / 2 - 10, 20, 20), Colour.INK)
        return inner.left(inner.wide - 28)

    # --- arrangements ---

    def _draw_with_sign(self, pen: Pen, inks: Inks, inner: Box) -> None:
        tint = self._sign_tint(pen, inks)
        if not self.key.label:
            side = self.sign_side or min(34, inner.high)
            pen.sign(self.key.sign, inner.square(side), tint)
        elif SIGNS[self.key.sign] in _PLACES:
            self._draw_over_place(pen, inks, inner)
        elif inner.wide > 2.0 * inner.high:
            self._draw_beside_sign(pen, inks, inner, tint)
        else:
            self._draw_under_sign(pen, inks, inner, tint)

    def _sign_tint(self, pen: Pen, inks: Inks) -> Colour | Rgba:
        if self.key.tint and inks.first is Colour.INK:
            return pen.theme.side(self.key.tint).text
        return inks.first

    def _draw_over_place(self, pen: Pen, inks: Inks, inner: Box) -> None:
        label, place = inner.top(inner.high * 0.62), inner.below(inner.high * 0.62)
        pen.text(self.key.label, label, 20, inks.first, align="centre")
        if self._second:
            pen.text(self._second, place, Caps.DETAIL, inks.second, align="centre")
        else:
            pen.sign(self.key.sign, place.square(min(place.wide, 40)), inks.first)

    def _draw_under_sign(self, pen: Pen, inks: Inks, inner: Box, tint: Colour | Rgba) -> None:
        caps = min(self.caps, 18.0)
        lines = 2 if self._second else 1
        words = inner.below(inner.high - (caps * 1.25 + (18 if lines == 2 else 2)))
        above = Box(inner.x, inner.y + 2, inner.wide, words.y - inner.y - 5)
        side = self.sign_side or min(34, above.high, above.wide)
        pen.sign(self.key.sign, above.square(min(side, above.high)), tint)
        words = Box(self.box.x + 1.5, words.y, self.box.wide - 3, words.high)
        self._draw_words(pen, inks, words, "centre")

    def _draw_beside_sign(self, pen: Pen, inks: Inks, inner: Box, tint: Colour | Rgba) -> None:
        """Sign and words as one group, in the middle or at the left."""
        side = self.sign_side or min(36.0, inner.high * 0.66)
        gap = 10.0
        widest = max(
            pen.width(self.key.label, self.caps),
            pen.width(self._second, Caps.DETAIL, Face.MEDIUM) if self._second else 0.0,
        )
        wide = min(inner.wide - 4, side + gap + widest)
        start = inner.x + 4
        if self.align == "centre":
            start = inner.x + (inner.wide - wide) / 2
        pen.sign(self.key.sign, Box(start, inner.y, side, inner.high).square(side), tint)
        words = Box(start + side + gap, inner.y, inner.right - start - side - gap, inner.high)
        self._draw_words(pen, inks, words, "left")

    def _draw_words(self, pen: Pen, inks: Inks, room: Box, align: str) -> None:
        if align == "left" and not self.key.sign:
            room = room.beside(6)
        if not self._second:
            lines = 2 if room.high >= 2.4 * self.caps else 1
            pen.text(self.key.label, room, self.caps, inks.first, align=align, lines=lines)
            return
        high = self.caps + 14 + min(11.0, max(6.0, room.high - self.caps - 18))
        group = Box(room.x, room.y + (room.high - high) / 2, room.wide, high)
        first, second = group.top(self.caps), group.below(high - 14)
        pen.text(self.key.label, first, self.caps, inks.first, align=align, across="top")
        words = self._second
        if pen.width(words, Caps.DETAIL, Face.MEDIUM) > room.wide:
            words = short_cites(words)
        if pen.width(words, Caps.DETAIL, Face.MEDIUM) > room.wide:
            words = _ONE_CITE.sub(r"\1", words)
        pen.text(
            words, second, Caps.DETAIL, inks.second,
            face=Face.MEDIUM, align=align, across="bottom",
        )  # fmt: skip


_CITE = r"[A-Z]+(?:-[\w.]+)+|RULING \d+"
_CITES = re.compile(rf"({_CITE})((?:, (?:{_CITE}))+)")


_ONE_CITE = re.compile(rf"({_CITE}) \+\d+")


def short_cites(text: str) -> str:
    """The first of several ids and how many more there are; a touch shows them all.

    >>> short_cites("JP-9.6, JP-12.3, RULING 1: do it now")
    'JP-9.6 +2: do it now'
    >>> short_cites("HX-ATK-01, HX-DMG-01")
    'HX-ATK-01 +1'
    """
    return _CITES.sub(lambda found: f"{found[1]} +{found[2].count(', ')}", text)


def key_cap(box: Box, key: Key, **how: float | str | bool) -> KeyCap:
    """The key in its box, tapped or held as its look says."""
    return KeyCap(box=box, key=key, action=key.action, held=key.look is KeyLook.HOLD, **how)
