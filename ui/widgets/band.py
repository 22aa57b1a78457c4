"""Band: the largest text on a screen: what hands must do, or who is asked."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Band, Mark, Refusal
from ui.theme import Caps, Colour, Face, Reach, Rgba, SideColours
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen, lines_high
from ui.widgets.signs import SIGNS

_NOTES = ((66, 250.0), (100, 370.0), (9999, 450.0))
"""The room that three lines of a note with so many letters need beside the band's words."""

DESCENT, DESCENDING = 8.0, frozenset("gjpqyQ,;")
"""Letters of the last line that reach below it, and the room that they need inside the band."""


_ROOM_FOR_THREE = 110.0
"""So high is a refusal whose way out may take three lines."""


@dataclass(frozen=True, kw_only=True)
class BandPart(Part):
    """One or two lines of up to 56 u capitals in the side's colour, or edged as its mark says."""

    band: Band
    caps: float = Caps.HANDS
    note_beside: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        ink, sign = self._draw_ground(pen)
        room = self.box.inset(16, 8)
        if self.band.queue:
            room = self._draw_queue(pen, room, ink)
        if self.band.note and not self.note_beside:
            lines = min(2, pen.lines(self.band.note, Caps.DETAIL, room.wide, Face.MEDIUM))
            note_high = 20.0 if lines == 1 else lines_high(2, 15)
            note = Box(room.x, room.bottom - note_high, room.wide, note_high)
            room = room.top(room.high - note_high - (4 if lines == 1 else 9))
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


@dataclass(frozen=True, kw_only=True)
class RefusalPart(Part):
    """What was not taken, where the band or the next tap stands: cross, reason, code, way out."""

    refusal: Refusal

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        bad = self.refusal.mark is Mark.BAD
        pen.fill(self.box, Colour.KEY if pressed else Colour.PANEL, Reach.BAND_RADIUS)
        pen.edge(self.box, Colour.BAD if bad else Colour.WARN_LINE, 2.5, Reach.BAND_RADIUS)
        side = min(36.0, self.box.high - 20)
        where = Box(self.box.x + 14, self.box.y, side, self.box.high).square(side)
        pen.sign(Mark.BAD if bad else Mark.WARN, where, Colour.INK)
        words = Box(where.right + 14, self.box.y + 6, self.box.right - where.right - 24, 0)
        if self.action is not None:
            book = Box(self.box.right - 34, self.box.bottom - 30, 22, 22)
            pen.sign("book", book, Colour.INK)
            words = words.left(words.wide - 30)
        self._draw_words(pen, Box(words.x, words.y, words.wide, self.box.high - 12))

    def _draw_words(self, pen: Pen, room: Box) -> None:
        """What and the way out; whichever is long takes two lines, or three where there is room."""
        caption = " · ".join(part for part in (self.refusal.code, self.refusal.cite) if part)
        text = ". ".join(part for part in (caption, self.refusal.way_out) if part)
        first = min(2, pen.lines(self.refusal.text, 15, room.wide))
        most = 3 if room.high >= _ROOM_FOR_THREE else 2
        rest = min(most, pen.lines(text, 14, room.wide, Face.MEDIUM))
        large = 30.0 if first + rest == 2 and room.high >= 60 else 17.0
        upper, lower = room.rows([lines_high(first, large), lines_high(rest, 15)], gap=7)
        pen.text(self.refusal.text, upper, min(34.0, upper.high), lines=first)
        pen.text(text, lower, 17, face=Face.MEDIUM, lines=rest)
