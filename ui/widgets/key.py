"""Keys, the band and what was not taken, as they are drawn in each of their states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import NamedTuple

from ui.scene.theme import Caps, Colour, Face, Reach, Rgba, SideColours
from ui.scene.values import Alert, Band, Key, KeyLook, Mark
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS

# Keys.

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
        if above.high < _LEAST_SIGN:
            self._draw_words(pen, inks, inner, "centre")
            return
        pen.sign(self.key.sign, above.square(min(side, above.high)), tint)
        words = Box(self.box.x + 1.5, words.y, self.box.wide - 3, words.high)
        self._draw_words(pen, inks, words, "centre")

    def _draw_beside_sign(self, pen: Pen, inks: Inks, inner: Box, tint: Colour | Rgba) -> None:
        """Sign and words as one group, in the middle or at the left.

        Words are worth more: where they have no room beside it the sign is small, or left out.
        """
        side, gap = self.sign_side or min(36.0, inner.high * 0.66), 10.0
        if not self._has_room(pen, inner.beside(side + gap + 4)):
            side, gap = min(side, 22.0), 7.0
        if not self._has_room(pen, inner.beside(side + gap + 4)):
            self._draw_words(pen, inks, inner, self.align)
            return
        widest = max(
            pen.width(self.key.label, self.caps),
            pen.width(self._second, Caps.DETAIL, Face.MEDIUM) if self._second else 0.0,
        )
        if widest > inner.wide - 4 - side - gap and widest <= inner.wide:
            self._draw_words(pen, inks, inner, self.align)  # whole words rather than a sign
            return
        wide = min(inner.wide - 4, side + gap + widest)
        start = inner.x + 4
        if self.align == "centre":
            start = inner.x + (inner.wide - wide) / 2
        pen.sign(self.key.sign, Box(start, inner.y, side, inner.high).square(side), tint)
        words = Box(start + side + gap, inner.y, inner.right - start - side - gap, inner.high)
        self._draw_words(pen, inks, words, "left")

    def _has_room(self, pen: Pen, words: Box) -> bool:
        """Whether label and second line are whole in this room, in the smallest letters."""
        label = pen.lines(self.key.label, Caps.DETAIL, words.wide)
        longest = max(self.key.label.split(), key=len, default="")
        if pen.width(longest, Caps.DETAIL) > words.wide:
            return False
        if not self._second:
            return label <= 2
        lines = self._second_lines(pen, words)
        fits = lines[1] > 1 or self._fits(pen, lines[0], words)
        high = lines_high(label, Caps.DETAIL) + lines_high(lines[1], Caps.DETAIL) + 8
        return fits and label <= 2 and high <= words.high

    def _draw_words(self, pen: Pen, inks: Inks, room: Box, align: str) -> None:
        if align == "left" and not self.key.sign:
            room = room.beside(6)
        if not self._second:
            lines = 2 if room.high >= 2.4 * self.caps else 1
            pen.text(self.key.label, room, self.caps, inks.first, align=align, lines=lines)
            return
        if pen.width(self.key.label, Caps.DETAIL) > room.wide:
            self._draw_long(pen, inks, room, align)
            return
        words, lines = self._second_lines(pen, room)
        below = lines_high(lines, 14)
        caps = min(self.caps, room.high - below - 8)
        high = caps + below + min(11.0, max(6.0, room.high - caps - below - 4))
        group = Box(room.x, room.y + (room.high - high) / 2, room.wide, high)
        first, second = group.top(caps), group.below(high - below)
        pen.text(self.key.label, first, caps, inks.first, align=align, across="top")
        pen.text(
            words, second, Caps.DETAIL, inks.second,
            face=Face.MEDIUM, align=align, across="bottom", lines=lines,
        )  # fmt: skip

    def _draw_long(self, pen: Pen, inks: Inks, room: Box, align: str) -> None:
        """A label that no line holds takes two; the second words stay where there is room."""
        label = room
        if room.high >= lines_high(2, 14) + 22:
            words, _ = self._second_lines(pen, room.top(Caps.DETAIL))
            label, below = room.top(room.high - 22), room.below(room.high - 17)
            pen.text(words, below, Caps.DETAIL, inks.second, face=Face.MEDIUM, align=align)
        pen.text(self.key.label, label, self.caps, inks.first, align=align, lines=2)

    def _second_lines(self, pen: Pen, room: Box) -> tuple[str, int]:
        """The second line's words and how many lines they take: two where one is too short."""
        words = self._second
        if self._fits(pen, words, room):
            return words, 1
        words = short_cites(words)
        if self._fits(pen, words, room):
            return words, 1
        shorter = _ONE_CITE.sub(r"\1", words)
        if self._fits(pen, shorter, room):
            return shorter, 1
        roomy = room.high >= Caps.DETAIL + lines_high(2, 14) + 8
        return (words, 2) if roomy and pen.lines(words, 14, room.wide, Face.MEDIUM) == 2 else (
            shorter, 1
        )  # fmt: skip

    def _fits(self, pen: Pen, words: str, room: Box) -> bool:
        return pen.width(words, Caps.DETAIL, Face.MEDIUM) <= room.wide


_LEAST_SIGN = 8.0
"""A smaller sign would be a dot: the words alone are told."""

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


def key_cap(
    box: Box,
    key: Key,
    *,
    caps: float = Caps.BODY,
    align: str = "centre",
    sign_side: float = 0.0,
    primary: bool = False,
) -> KeyCap:
    """The key in its box, tapped or held as its look says."""
    return KeyCap(
        box=box, key=key, action=key.action, held=key.look is KeyLook.HOLD, primary=primary,
        caps=caps, align=align, sign_side=sign_side,
    )  # fmt: skip


# The band, the largest text on a screen; and what was not taken, in its place.

_NOTES = ((66, 250.0), (100, 370.0), (9999, 450.0))
"""The room that three lines of a note with so many letters need beside the band's words."""

DESCENT, DESCENDING = 8.0, frozenset("gjpqyQ,;")
"""Letters of the last line that reach below it, and the room that they need inside the band."""


_HIGH_BAND = 170.0
"""A note under the words of a band that is so high may have three lines."""


@dataclass(frozen=True, kw_only=True)
class BandPart(Part):
    """One or two lines of up to 56 u capitals in the side's colour, or edged as its mark says.

    `rebroken`: the lines are broken anew where that makes them larger, as in a narrow window.
    """

    band: Band
    caps: float = Caps.HANDS
    note_beside: bool = False
    rebroken: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        ink, sign = self._draw_ground(pen)
        room = self.box.inset(16, 8)
        if pen.theme.portrait or self.rebroken:
            replace(self, band=self._broken(pen, room, sign)).draw_words(pen, room, ink, sign)
        else:
            self.draw_words(pen, room, ink, sign)

    def draw_words(self, pen: Pen, room: Box, ink: Colour | Rgba, sign: str) -> None:
        """The lines, the queue and the note on a ground that is drawn already."""
        if self.band.queue:
            room = self._draw_queue(pen, room, ink)
        if self.band.note and not self.note_beside:
            most = 3 if self.box.high >= _HIGH_BAND else 2
            lines = min(most, pen.lines(self.band.note, Caps.DETAIL, room.wide, Face.MEDIUM))
            note_high = 20.0 if lines == 1 else lines_high(lines, 15)
            note = Box(room.x, room.bottom - note_high, room.wide, note_high)
            room = room.top(room.high - note_high - (4.0 + DESCENT if lines == 1 else 9.0))
            self._draw_lines(pen, room, ink, sign)
            pen.text(self.band.note, note, 18, ink, face=Face.MEDIUM, lines=lines)
            return
        room = self._draw_lines(pen, room, ink, sign)
        if self.band.note:
            pen.text(self.band.note, room, 18, ink, lines=3)

    def _draw_ground(self, pen: Pen) -> tuple[Colour | Rgba, str]:
        """Fill or edge; returns the letters' colour and the sign before the first line."""
        if self.band.side is not None:
            side: SideColours = pen.theme.side(self.band.side.tint)
            pen.fill(self.box, side.fill, Reach.BAND_RADIUS)
            return side.on_fill, self._emblem(side)
        pen.fill(self.box, Colour.PANEL, Reach.BAND_RADIUS)
        edges = {Mark.BAD: Colour.BAD, Mark.WARN: Colour.WARN_LINE, Mark.OK: Colour.OK}
        if self.band.mark in edges:
            pen.edge(self.box, edges[self.band.mark], 2.5, Reach.BAND_RADIUS)
        return Colour.INK, self.band.mark

    def _broken(self, pen: Pen, room: Box, sign: str) -> Band:
        """The lines broken anew where the window is narrow: up to three, as large as may be."""
        words = " ".join(self.band.lines).split()
        high = room.high - (32.0 if self.band.note else 0.0)
        best, largest = self.band.lines, self._size(pen, self.band.lines, room, high, sign)
        for lines in _breaks(words, _MOST_LINES):
            size = self._size(pen, lines, room, high, sign)
            if any(line[-1:].isdigit() for line in lines[:-1]):  # "4 cards" stay together
                size *= _AFTER_NUMBER
            if size > largest + 0.5:
                best, largest = lines, size
        return replace(self.band, lines=best)

    def _size(self, pen: Pen, lines: tuple[str, ...], room: Box, high: float, sign: str) -> float:
        """The capitals that these lines would have."""
        each = (high - 12.0 * (len(lines) - 1)) / max(1, len(lines))
        caps = min(self.caps, each)
        queue = 60.0 if self.band.queue else 0.0
        for n, line in enumerate(lines):
            indent = min(62.0, each) + 14 if sign and n == 0 else 0.0
            wide = room.wide - queue - indent
            caps = min(caps, caps * wide / max(1.0, pen.width(line, caps)))
        return caps

    def _emblem(self, side: SideColours) -> str:
        return side.mark if side.mark in SIGNS else ""

    def _draw_queue(self, pen: Pen, room: Box, ink: Colour | Rgba) -> Box:
        wide = pen.width(self.band.queue, 20) + 8
        corner = Box(room.right - wide, room.y, wide, 20)
        pen.text(self.band.queue, corner, 20, ink, align="right")
        return room.left(room.wide - wide - 8)

    def _draw_lines(self, pen: Pen, room: Box, ink: Colour | Rgba, sign: str) -> Box:
        """The lines of one height; returns what is left beside them."""
        if self._deep and not self.band.note and DESCENDING & set(self.band.lines[-1]):
            room = room.top(room.high - DESCENT)
        rooms = room.rows([1] * max(1, len(self.band.lines)), gap=12 if self._deep else 6)
        caps = min(self.caps, rooms[0].high)
        side = min(62.0, rooms[0].high)
        indent = side + 14 if sign else 0.0
        fitted = self._caps(pen, rooms, indent, caps)
        widest = 0.0
        for n, (line, row) in enumerate(zip(self.band.lines, rooms, strict=True)):
            shift = indent if n == 0 else 0.0
            ink_box = pen.text(line, row.beside(shift), fitted, ink)
            widest = max(widest, ink_box.right - room.x)
        if sign:
            pen.sign(sign, Box(room.x - 2, rooms[0].y, side, rooms[0].high).square(side), ink)
        return room.beside(widest + 24)

    @property
    def _deep(self) -> bool:
        return len(self.band.lines) > 1

    def _caps(self, pen: Pen, rooms: list[Box], indent: float, caps: float) -> float:
        """The height at which the longest line still fits, with room for the reason beside it."""
        keep = 0.0
        if self.note_beside and self.band.note:
            keep = next(wide for most, wide in _NOTES if len(self.band.note) <= most)
        share = 1.0
        for n, (line, row) in enumerate(zip(self.band.lines, rooms, strict=True)):
            wide = row.wide - (indent if n == 0 else 0.0) - keep
            share = min(share, wide / max(1.0, pen.width(line, caps)))
        return caps * min(1.0, share)


_MOST_LINES = 3
"""Lines of a band in a narrow window."""


def _breaks(words: Sequence[str], most: int) -> Iterator[tuple[str, ...]]:
    """Every way to break words into two lines or more.

    >>> list(_breaks(["FLIP", "3", "CARDS"], 2))
    [('FLIP', '3 CARDS'), ('FLIP 3', 'CARDS')]
    """
    for number in range(2, most + 1):
        for cuts in combinations(range(1, len(words)), number - 1):
            ends = (0, *cuts, len(words))
            yield tuple(" ".join(words[start:end]) for start, end in pairwise(ends))


_AFTER_NUMBER = 0.75
"""So much larger letters are that end a line after a number, where that is done at all."""
_LEAST_TOLD, _TOLD_GAP = 14.0, 7.0
"""Capitals of a refusal where there is little room, and what lies between its two texts."""


class ToldRefusal(NamedTuple):
    """What of a refusal is told in a room: both texts, and how many lines each takes."""

    text: str
    below: str
    lines: tuple[int, int]


def whole_refusal(pen: Pen, refusal: Alert, room: Box) -> ToldRefusal:
    """As much as fits in whole sentences: all of it, else without its last ones, what for what.

    The reason is told before the way out; only a room for less than the reason has its first
    clause alone.
    """
    told = ToldRefusal(refusal.text, "", (1, 0))
    for text in _shorter(refusal.text, _CLAUSES):
        for below in (*_shorter(refusal_caption(refusal), _SENTENCES), ""):
            first = pen.lines(text, _LEAST_TOLD + 0.5, room.wide)
            rest = pen.lines(below, _LEAST_TOLD, room.wide, Face.MEDIUM) if below else 0
            told = ToldRefusal(text, below, (first, rest))
            if refusal_high(first, rest) <= room.high + 1:
                return told
    return told


def refusal_high(first: int, rest: int) -> float:
    """What so many lines of a reason and of its way out need, u."""
    below = _TOLD_GAP + lines_high(rest, _LEAST_TOLD) if rest else 0.0
    return lines_high(first, _LEAST_TOLD + 0.5) + below


def refusal_caption(refusal: Alert) -> str:
    """Code, rule and way out in one."""
    caption = " · ".join(part for part in (refusal.code, refusal.cite) if part)
    return ". ".join(part for part in (caption, refusal.way_out) if part)


_SENTENCES, _CLAUSES = re.compile(r"(?<=[.!?]) "), re.compile(r"(?<=[,;:.]) ")


def _shorter(text: str, ends: re.Pattern[str]) -> Iterator[str]:
    """The whole text, then without its last sentence or clause, and so on.

    >>> list(_shorter("JP-E33. Recount. Then go on.", _SENTENCES))
    ['JP-E33. Recount. Then go on.', 'JP-E33. Recount.', 'JP-E33.']
    """
    parts = ends.split(text)
    for number in range(len(parts), 0, -1):
        short = " ".join(parts[:number])
        yield short if number == len(parts) else short.rstrip(",;:")


@dataclass(frozen=True, kw_only=True)
class RefusalPart(Part):
    """What was not taken, where the band or the next tap stands: cross, reason, code, way out."""

    refusal: Alert

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        edge = {Mark.BAD: Colour.BAD, Mark.OK: Colour.OK}.get(self.refusal.mark, Colour.WARN_LINE)
        pen.fill(self.box, Colour.KEY if pressed else Colour.PANEL, Reach.BAND_RADIUS)
        pen.edge(self.box, edge, 2.5, Reach.BAND_RADIUS)
        side = min(36.0, self.box.high - 20)
        where = Box(self.box.x + 14, self.box.y, side, self.box.high).square(side)
        pen.sign(self.refusal.mark or Mark.WARN, where, Colour.INK)
        words = Box(where.right + 14, self.box.y + 6, self.box.right - where.right - 24, 0)
        if self.action is not None:
            book = Box(self.box.right - 34, self.box.bottom - 30, 22, 22)
            pen.sign("book", book, Colour.INK)
            words = words.left(words.wide - 30)
        self._draw_words(pen, Box(words.x, words.y, words.wide, self.box.high - 12))

    def _draw_words(self, pen: Pen, room: Box) -> None:
        """What and the way out, each in as many lines as it needs: whole sentences, none cut."""
        told = whole_refusal(pen, self.refusal, room)
        large = 30.0 if told.lines == (1, 1) and room.high >= 60 else 17.0
        if not told.below:
            pen.text(told.text, room, 20, lines=told.lines[0], least=_LEAST_TOLD)
            return
        shares = [lines_high(told.lines[0], large), lines_high(told.lines[1], 15)]
        if large == 17.0:
            shares = [lines_high(told.lines[0], 15), lines_high(told.lines[1], 14.2)]
        upper, lower = room.rows(shares, gap=_TOLD_GAP)
        pen.text(told.text, upper, min(34.0, upper.high), lines=told.lines[0])
        pen.text(told.below, lower, 17, face=Face.MEDIUM, lines=told.lines[1])
