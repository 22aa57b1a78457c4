"""Parts beside a map: its band, what was not taken, and the keys of a menu."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from ui.scene.theme import Caps, Colour, Face, Reach, Theme
from ui.scene.values import Alert, Band, Key, KeyLook, Mark
from ui.touch.actions import Panel, Show
from ui.widgets.box import Box
from ui.widgets.key import DESCENDING, BandPart, refusal_caption, whole_refusal
from ui.widgets.lettering import lines_of, text_wide, wrapped
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS

# The band: who, and what hands do or are asked, in capitals of 10 mm whatever their words.

_EDGE, _SIDE = 9.0, 13.0
_LOW_EDGE = 6.0
"""Where keys want the room below."""
_NOTE, _NOTE_GAP = 15.0, 11.0
_WHO = 30.0
"""Who, where the name has a row of its own."""
_LEAST_WHO = 26.0
_REASONS = (44.0, 38.0, 32.0, 28.0, _LEAST_WHO, 22.0, 20.0)
"""Of a sentence under a band, which two metres away is read, too."""
_BETWEEN = 14.0
_ROW_GAP = 19.0
"""From capitals to the next row's: letters reach below them."""
_DEPTH, _LOW_DEPTH, _LEAST_DEPTH = 18.0, 14.0, 6.0
"""What the lowest letters need under a row."""
_MOST_ROWS = 3
"""Of a band, that of the name among them where the window is wide: the map needs the rest."""
_HEIGHTS = (Caps.HANDS, 50.0, 45.0, 40.0, 36.0, 32.0)
_EMBLEM = 52.0
_QUEUE = 20.0


Text = tuple[str, float, float]


class SaidRow(NamedTuple):
    """One row of a band: texts with the heights of their capitals and their widths, u."""

    texts: tuple[Text, ...]

    @property
    def high(self) -> float:
        return max(caps for _, caps, _ in self.texts)


@dataclass(frozen=True, kw_only=True)
class SaidBand(BandPart):
    """Rows as `said_band` has set them, over the question in full."""

    rows: tuple[SaidRow, ...]
    notes: int = 0
    edge: float = _EDGE

    @property
    def told(self) -> Sequence[Text]:
        """What is done or asked, without the name of whoever does it."""
        texts = [text for row in self.rows for text in row.texts]
        return texts[len(self.band.lines) > 1 :]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        ink, sign = self._draw_ground(pen)
        room = self.box.inset(_SIDE, self.edge)
        if self.band.queue:
            self._draw_queue(pen, room, ink)
        if self.notes:
            high = lines_high(self.notes, _NOTE)
            note = Box(room.x, room.bottom - high - 1, room.wide, high + 2)
            pen.text(self.band.note, note, _NOTE, ink, face=Face.MEDIUM, lines=self.notes)
        y = room.y
        for n, row in enumerate(self.rows):
            x = room.x
            if n == 0 and sign:
                side = min(_EMBLEM, row.high + 8)
                pen.sign(sign, Box(x - 2, y, side, row.high).square(side), ink)
                x += side + 10
            for text, caps, wide in row.texts:
                below = Box(x, y + row.high - caps, wide + 2, caps)
                pen.text(text, below, caps, ink)
                x += wide + _BETWEEN
            y += row.high + _ROW_GAP


def said_band(theme: Theme, room: Box, band: Band, *, low: bool = False) -> SaidBand:
    """The band at the top of a room, as high as its words need; `low` as little as may be.

    Who and what share a row, the name smaller where it must be; else what is done has rows of its
    own. It is 56 u high as long as each of its words fits; what would take more rows than leave
    room below is as high as may be in so many.
    """
    wide = room.wide - 2 * _SIDE
    emblem = _EMBLEM + 8 if band.side is not None and band.side.tint.sign in SIGNS else 0.0
    queue = text_wide(theme, band.queue, _QUEUE) + 14 if band.queue else 0.0
    rows = _rows(theme, band.lines, wide, emblem, queue)
    notes, edge = _note_lines(theme, band.note, wide), _LOW_EDGE if low else _EDGE
    high = sum(row.high for row in rows) + _ROW_GAP * (len(rows) - 1) + 2 * edge
    deep = any(DESCENDING & set(text) for text, *_ in rows[-1].texts)
    if notes:
        high += lines_high(notes, _NOTE) + _NOTE_GAP + 9 * deep
    else:
        depth = (_LOW_DEPTH if low else _DEPTH) if deep else _LEAST_DEPTH
        high += max(0.0, depth - edge)
    return SaidBand(box=room.top(high), band=band, rows=rows, notes=notes, edge=edge)


def _rows(
    theme: Theme, lines: tuple[str, ...], wide: float, emblem: float, queue: float
) -> tuple[SaidRow, ...]:
    """In one row where it can be, else who over what."""

    def measured(text: str, caps: float = Caps.HANDS) -> Text:
        return text, caps, text_wide(theme, text, caps)

    first = wide - emblem - queue
    who, what = "".join(lines[:-1]), lines[-1]
    if who:
        name, deed = measured(f"{who}:"), measured(what)
        share = (first - deed[2] - _BETWEEN) / name[2]
        if share >= _LEAST_WHO / Caps.HANDS:
            caps = Caps.HANDS * min(1.0, share)
            return (SaidRow((measured(f"{who}:", caps), deed)),)
    what = what[:1].upper() + what[1:]
    room = wide if who else first
    most = _MOST_ROWS if theme.portrait or not who else _MOST_ROWS - 1
    high = next(
        (caps for caps in _HEIGHTS if len(wrapped(theme, what, caps, room)) <= most), _HEIGHTS[-1]
    )
    broken = _numbers_kept(theme, wrapped(theme, what, high, room), high, room)
    rows = tuple(SaidRow((_fitting(theme, line, room, high),)) for line in broken)
    if not who:
        return rows
    caps = min(_WHO, Caps.HANDS * first / text_wide(theme, who, Caps.HANDS))
    return (SaidRow((measured(who, caps),)), *rows)


def _numbers_kept(theme: Theme, lines: Sequence[str], caps: float, room: float) -> Sequence[str]:
    """A number that ends a line goes to what it counts, and one that stands alone is not alone.

    So it is where the line that it, or the word before it, goes to has room.
    """
    kept = [*lines]
    for n, line in enumerate(kept[:-1]):
        start, _, last = line.rpartition(" ")
        moved = f"{last} {kept[n + 1]}"
        parted = last.isdigit() or kept[n + 1].isdigit()
        if start and parted and text_wide(theme, moved, caps) <= room:
            kept[n : n + 2] = start, moved
    return kept


def _fitting(theme: Theme, text: str, room: float, high: float) -> Text:
    """A word too long for its row is smaller."""
    wide = text_wide(theme, text, high)
    caps = high * min(1.0, room / max(1.0, wide + 1))
    return text, caps, min(wide, room)


def asked_band(theme: Theme, room: Box, band: Band, most: float) -> SaidBand:
    """What is asked, on one row: who asks it is left out where it would take one of its own.

    In no more than so much of the room's height it is as large as may be.
    """
    said = said_band(theme, room, band, low=True)
    if said.box.high > most and len(band.lines) > 1:
        what = band.lines[-1]
        said = said_band(theme, room, replace(band, lines=(what[:1].upper() + what[1:],)), low=True)
    if said.box.high <= most:
        return said
    look = band.side.tint if band.side is not None else None
    wide = room.wide - 2 * _SIDE
    first = wide - (_EMBLEM + 8 if look is not None and look.sign in SIGNS else 0.0)
    for caps in (*_HEIGHTS, 28.0, _LEAST_WHO):
        lines = wrapped(theme, said.band.lines[-1], caps, first)
        high = len(lines) * (caps + _ROW_GAP) - _ROW_GAP + 2 * said.edge
        if high <= most and all(text_wide(theme, one, caps) <= first for one in lines):
            rows = tuple(SaidRow((_fitting(theme, one, first, caps),)) for one in lines)
            return replace(said, rows=rows, box=said.box.top(most))
    return said


def with_reason(theme: Theme, room: Box, band: Band, most: float) -> SaidBand:
    """The band over its note as a sentence, each as large as goes in a height of so much."""
    wide = room.wide - 2 * _SIDE
    said = _in_few_rows(theme, said_band(theme, room, replace(band, note="")), wide)
    told = said
    for caps in _REASONS:
        lines = wrapped(theme, band.note, caps, wide)
        under = tuple(SaidRow((_fitting(theme, line, wide, caps),)) for line in lines)
        high = said.box.high + sum(row.high + _ROW_GAP for row in under)
        high += _LEAST_DEPTH if DESCENDING & set(lines[-1]) else 0.0
        told = replace(said, box=room.top(high), rows=(*said.rows, *under))
        if high <= most and (len(lines) == 1 or caps <= _LEAST_WHO):
            return told
    return told


def _in_few_rows(theme: Theme, said: SaidBand, wide: float) -> SaidBand:
    """Words on one row, upright on two, as long as they are still large there."""
    look = said.band.side.tint if said.band.side is not None else None
    first = wide - (_EMBLEM + 8 if look is not None and look.sign in SIGNS else 0.0)
    most = 2 if theme.portrait else 1
    for caps in (*_HEIGHTS, 28.0, _LEAST_WHO):
        lines = wrapped(theme, said.band.lines[-1], caps, first)
        if len(lines) <= most and all(text_wide(theme, one, caps) <= first for one in lines):
            rows = tuple(SaidRow((_fitting(theme, one, first, caps),)) for one in lines)
            high = len(rows) * (caps + _ROW_GAP) - _ROW_GAP + 2 * said.edge
            return replace(said, rows=rows, box=said.box.top(high))
    return said


def _note_lines(theme: Theme, note: str, wide: float) -> int:
    return lines_of(theme, note, Caps.DETAIL, wide, Face.MEDIUM) if note else 0


@dataclass(frozen=True, kw_only=True)
class NarrowRefusal(Part):
    """What was not taken, in a column: what on up to four lines, code and way out below."""

    refusal: Alert

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        edge = {Mark.BAD: Colour.BAD, Mark.OK: Colour.OK}.get(self.refusal.mark, Colour.WARN_LINE)
        pen.fill(self.box, Colour.KEY if pressed else Colour.PANEL, Reach.BAND_RADIUS)
        pen.edge(self.box, edge, 2.5, Reach.BAND_RADIUS)
        mark = Box(self.box.x + 9, self.box.y + 9, 26, 26)
        pen.sign(self.refusal.mark or Mark.WARN, mark, Colour.INK)
        if self.action is not None:
            pen.sign("book", Box(mark.x + 2, self.box.bottom - 31, 22, 22), Colour.INK)
        words = Box(mark.right + 9, self.box.y + 7, self.box.right - mark.right - 17, 0)
        self._draw_words(pen, Box(words.x, words.y, words.wide, self.box.high - 14))

    def _draw_words(self, pen: Pen, room: Box) -> None:
        """Whole sentences, as many as there is room for."""
        told = whole_refusal(pen, self.refusal, room)
        caps = _told_caps(pen.theme, self.refusal, room)
        if caps > _LEAST_NARROW:
            lines = pen.lines(told.text, caps, room.wide)
            told = told._replace(lines=(lines, told.lines[1]))
        if not told.below:
            pen.text(told.text, room, caps, lines=told.lines[0], across="top")
            return
        heights = [lines_high(told.lines[0], max(14.5, caps - 2)), lines_high(told.lines[1], 14)]
        upper, lower = room.rows(heights, gap=7)
        pen.text(told.text, upper, caps, lines=told.lines[0], across="top")
        pen.text(
            told.below, lower, 15, Colour.INK2,
            face=Face.MEDIUM, lines=told.lines[1], across="bottom",
        )  # fmt: skip


_NARROW_CAPS: dict[float, int] = {28.0: 2, 24.0: 2, 20.0: 3, 17.0: 4}
"""Capitals of a reason, and how many lines it may have in them: few words are told larger."""


def _narrow_need(theme: Theme, refusal: Alert, caps: float, wide: float) -> tuple[int, float]:
    """Lines of the reason in these capitals, and what all of the words need then, u."""
    lines = lines_of(theme, refusal.text, caps, wide)
    caption = refusal_caption(refusal)
    rest = lines_of(theme, caption, Caps.DETAIL, wide, Face.MEDIUM) if caption else 0
    return lines, lines_high(lines, caps) + (7 + lines_high(rest, 15) if rest else 0)


def _told_caps(theme: Theme, refusal: Alert, room: Box) -> float:
    """As large as the reason may be told in this room."""
    for caps, most in _NARROW_CAPS.items():
        lines, high = _narrow_need(theme, refusal, caps, room.wide)
        if lines <= most and high <= room.high + 1:
            return caps
    return _LEAST_NARROW


def narrow_refusal_high(theme: Theme, refusal: Alert, wide: float) -> float:
    """How high a column of this width must be for all that is said."""
    inside = wide - _NARROW_SIDES
    high = 0.0
    for caps, most in _NARROW_CAPS.items():
        lines, high = _narrow_need(theme, refusal, caps, inside)
        if lines <= most:
            break
    return max(_NARROW_LEAST, high + _NARROW_EDGES)


_LEAST_NARROW = 17.0
_NARROW_SIDES, _NARROW_EDGES, _NARROW_LEAST = 52.0, 18.0, 76.0


def narrow_refusal(box: Box, refusal: Alert) -> NarrowRefusal:
    """What was not taken; a touch opens the rule behind it."""
    action = Show(Panel.RULES, refusal.cite) if refusal.cite else None
    return NarrowRefusal(box=box, refusal=refusal, action=action)


# A menu's key: two lines of words and what they cost.

_LEAST = 14.0
_SECOND_GAP, _WIDE_GAP = 4.0, 6.5


@dataclass(frozen=True, kw_only=True)
class MenuKey(Part):
    """Words as large as the key has room for, the second line below; a sign beside them."""

    key: Key
    caps: float = 18.0

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = pressed is not (self.key.look is KeyLook.CHOSEN)
        impossible = self.key.look is KeyLook.IMPOSSIBLE
        ground = Colour.BG if impossible else Colour.KEY
        pen.fill(self.box, Colour.GO if inverted else ground, Reach.RADIUS)
        seen = bool(self.key.seen)
        edge, wide = (Colour.OK, Reach.HOLD_EDGE) if seen else (Colour.EDGE, Reach.EDGE)
        pen.edge(self.box, edge, wide, Reach.RADIUS)
        ink, ink2 = (Colour.GO_INK, Colour.GO_INK) if inverted else (Colour.INK, Colour.INK2)
        ink = ink2 if impossible else ink
        room = self.box.inset(5, 2)
        if seen:
            pen.sign(Mark.OK, Box(room.right - 15, room.y, 16, 16), Colour.INK)
        if self.key.sign in SIGNS:
            side = min(40.0, room.high - 6)
            if not self.key.label:
                pen.sign(self.key.sign, room.square(side), ink)
                return
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
        gap = max(_SECOND_GAP, min(_WIDE_GAP, (room.high - first - Caps.DETAIL) / 2))
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
