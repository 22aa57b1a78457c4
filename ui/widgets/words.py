"""The plainest parts: words, areas, the lines of lists, and QR codes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ui.scene.theme import Caps, Colour, Face, Reach, Rgba, Theme
from ui.scene.values import Consequence, Line, LogLine, Mark, RulingLine
from ui.widgets.box import Box
from ui.widgets.lettering import lines_of, text_wide
from ui.widgets.part import Part
from ui.widgets.pen import Pen, Tint, lines_high
from ui.widgets.signs import SIGNS
from ui.widgets.teams import draw_emblem

if TYPE_CHECKING:
    from ui.touch.actions import Action

# Words, areas and symbols.


@dataclass(frozen=True, kw_only=True)
class Words(Part):
    """A text in its room; see Pen.text."""

    text: str
    caps: float = Caps.BODY
    tint: Colour | Rgba = Colour.INK
    face: Face = Face.BOLD
    align: str = "left"
    across: str = "middle"
    lines: int = 1
    struck: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.text(
            self.text,
            self.box,
            self.caps,
            self.tint,
            face=self.face,
            align=self.align,
            across=self.across,
            lines=self.lines,
            struck=self.struck,
        )


@dataclass(frozen=True, kw_only=True)
class Area(Part):
    """A filled rectangle, edged if wanted, with a bar of a side's colour along one edge."""

    tint: Colour | Rgba = Colour.PANEL
    radius: float = Reach.RADIUS
    edge: Colour | Rgba | None = None
    bar: Colour | Rgba | None = None
    bar_at: str = "left"

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, self.tint, self.radius)
        if self.edge is not None:
            pen.edge(self.box, self.edge, Reach.EDGE, self.radius)
        if self.bar is not None:
            strip = self.box.left(5) if self.bar_at == "left" else self.box.top(6)
            pen.fill(strip, self.bar, 2)


def rule(box: Box) -> Area:
    """A hair line, as thin as its box."""
    return Area(box=box, tint=Colour.HAIR, radius=0)


@dataclass(frozen=True, kw_only=True)
class UpsideDown(Part):
    """A part turned upside down about the window's middle, for those who sit opposite.

    Its box, and so its touches, lie where it is seen.
    """

    part: Part

    def action_at(self, x: float, y: float) -> Action | None:
        """What the part means by a touch there, as those opposite see it."""
        wide, high = self.box.right + self.part.box.x, self.box.bottom + self.part.box.y
        return self.part.action_at(wide - x, high - y)

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        before = len(pen.written), len(pen.filled)
        with pen.half_turn():
            self.part.draw(pen, pressed=pressed)
        size = pen.theme.wide_u, pen.theme.high_u
        pen.written[before[0] :] = [
            replace(text, room=turned(text.room, size), ink=turned(text.ink, size))
            for text in pen.written[before[0] :]
        ]
        pen.filled[before[1] :] = [
            replace(area, box=turned(area.box, size)) for area in pen.filled[before[1] :]
        ]


def turned(box: Box, size: tuple[float, float]) -> Box:
    """Where a box lies when the window of this width and height (u) is turned upside down."""
    return Box(size[0] - box.right, size[1] - box.bottom, box.wide, box.high)


def turned_part(part: Part, size: tuple[float, float]) -> UpsideDown:
    """The part as it is seen from the other side of a window of this width and height, u."""
    return UpsideDown(
        box=turned(part.box, size),
        part=part,
        action=part.action,
        held=part.held,
        primary=part.primary,
    )


# Lines of lists: devices and checks, rulings with their Why? key, the log, changes.

STEP_WIDE = 44.0

_EDGES = {Mark.BAD: Colour.BAD, Mark.WARN: Colour.WARN_LINE}


def draw_mark(pen: Pen, mark: Mark, box: Box) -> None:
    """A signal; flips in the colour of what is changed."""
    if mark in SIGNS:
        pen.sign(mark, box.square(), Colour.BAD if mark is Mark.FLIP else Colour.INK)


@dataclass(frozen=True, kw_only=True)
class LinePart(Part):
    """Signal or emblem, name over value, age at the right edge; edged where it is the worst."""

    line: Line
    ground: bool = True
    worst: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        line = self.line
        if self.action is not None:
            pen.fill(self.box, Colour.GO if pressed else Colour.KEY, 6)
            pen.edge(self.box, Colour.EDGE, 1.5, 6)
        elif self.ground:
            pen.fill(self.box, Colour.PANEL, 5)
        if self.worst and line.mark in _EDGES:
            pen.edge(self.box, _EDGES[line.mark], 1.8, 5)
        ink = Colour.GO_INK if pressed else Colour.INK
        room = self.box.inset(8, 3)
        room = self._draw_signal(pen, room)
        wide = pen.width(line.right, 16) + 6
        if line.right and self.box.high >= _FOOTED and wide > _RIGHT_SHARE * room.wide:
            spare = self.box.high - line_high(pen.theme, line, self.box.wide)
            room = room.inset(0, max(0.0, min(5.0, spare / 2)))
            foot = room.below(room.high - 16)
            pen.text(line.right, foot, 15, ink, face=Face.MEDIUM, across="bottom")
            room = room.top(room.high - 21)
        elif line.right:
            at = Box(room.right - wide, room.y, wide, room.high)
            pen.text(line.right, at, 16, ink, face=Face.BOLD, align="right")
            room = room.left(room.wide - wide - 6)
        self._draw_words(pen, room, ink)

    def _draw_signal(self, pen: Pen, room: Box) -> Box:
        if self.line.side is not None:
            draw_emblem(pen, self.line.side, Box(room.x, room.y, 26, room.high).square(24))
            return room.beside(36)
        if self.line.mark:
            draw_mark(pen, self.line.mark, Box(room.x, room.y, 22, room.high).square(21))
            return room.beside(31)
        return room

    def _draw_whole(self, pen: Pen, room: Box, tint: Tint, second: Colour) -> bool:
        """Name over value, each in as many lines as it takes; False where single lines do."""
        name = pen.lines(self.line.name, 14, room.wide)
        value = pen.lines(self.line.value, 14, room.wide, Face.MEDIUM)
        shares = [lines_high(name, 14.2), lines_high(value, 14.2)]
        if (name + value == 2 and not self._is_long(pen, room)) or sum(shares) > room.high:
            return False
        spare = room.high - sum(shares) - _NAME_GAP
        upper, lower = room.inset(0, max(0.0, min(4.0, spare / 2))).rows(shares, gap=_NAME_GAP)
        pen.text(self.line.name, upper, 16, tint, lines=name)
        pen.text(self.line.value, lower, 15, second, face=Face.MEDIUM, lines=value)
        return True

    def _is_long(self, pen: Pen, room: Box) -> bool:
        """Whether a word alone is wider than the room."""
        name, value = pen.width(self.line.name, 14), pen.width(self.line.value, 14, Face.MEDIUM)
        return max(name, value) > room.wide

    def _draw_words(self, pen: Pen, room: Box, ink: Colour) -> None:
        line = self.line
        tint = pen.theme.side(line.side.tint).text if line.side and not line.value else ink
        if not line.value:
            pen.text(line.name, room, 17, tint, lines=2)
            return
        if line.side is not None and pen.width(line.name, 14) > room.wide:
            pen.text(line.name, room, 15, ink, lines=2)  # when it was told matters less
            return
        second = ink if self.worst or ink is Colour.GO_INK else Colour.INK2
        if self._draw_whole(pen, room, tint, second):
            return
        if self.box.high > 60 and pen.width(line.value, 14, Face.MEDIUM) > room.wide:
            pen.text(line.name, room.top(16), 16, tint)
            pen.text(line.value, room.below(19), 14, second, face=Face.MEDIUM, lines=2)
            return
        upper, lower = room.top(16), Box(room.x, room.bottom - 19, room.wide, 15)
        if self.box.high > 50:
            upper, lower = (half.inset(0, 3) for half in room.rows([1, 1]))
        pen.text(line.name, upper, 16, tint, across="top" if self.box.high <= 50 else "middle")
        pen.text(line.value, lower, 15, second, face=Face.MEDIUM, across="middle")


def line_high(theme: Theme, line: Line, wide: float) -> float:
    """How high a line must be in which nothing is cut, u; never less than one of single lines."""
    room = wide - 16 - (36 if line.side is not None else 31 if line.mark else 0)
    right = text_wide(theme, line.right, 16) + 6
    footed = bool(line.right) and right > _RIGHT_SHARE * room
    if line.right and not footed:
        room -= right + 6
    high = lines_high(lines_of(theme, line.name, 14, room), 14.2) + 9
    if line.value:
        value = lines_of(theme, line.value, 14, room, Face.MEDIUM)
        high = max(_TWO_LINES, high + lines_high(value, 14.2) + _NAME_GAP)
    return max(_FOOTED, high + 21) if footed else high


_NAME_GAP, _TWO_LINES = 7.0, 46.0
_FOOTED, _RIGHT_SHARE = 72.0, 0.3
"""A line so high tells below what else would take more than this share of its width."""

_SENTENCE_EDGE = 12.0
_MARK_WIDE = 24.0


def sentence_wide(line: RulingLine, wide: float) -> float:
    """How wide the words of a ruling may be in a part of this width, u."""
    step = STEP_WIDE if line.step else _SENTENCE_EDGE
    return wide - step - 8.0 - (_MARK_WIDE if line.mark else 0.0)


@dataclass(frozen=True, kw_only=True)
class RulingPart(Part):
    """One ruling: its step and its whole sentence; the Why? key stands beside or under it."""

    line: RulingLine
    caps: float = 16.0

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PANEL, 5)
        left = _SENTENCE_EDGE
        if self.line.step:
            self._draw_step(pen)
            left = STEP_WIDE
        room = self.box.beside(left).inset(0, 5)
        if self.line.mark:
            at = Box(room.right - 26, room.y, 20, room.high).square(18)
            draw_mark(pen, self.line.mark, at)
        self._draw_words(pen, room.left(sentence_wide(self.line, self.box.wide)))

    def _draw_step(self, pen: Pen) -> None:
        column = Box(self.box.x + 1, self.box.y, STEP_WIDE - 4, self.box.high)
        figure, word = column.square(42).rows([1, 1])
        pen.text(self.line.step, figure, 17, align="centre")
        pen.text("step", word, 14, Colour.INK2, align="centre")

    def _draw_words(self, pen: Pen, room: Box) -> None:
        line, struck = self.line, self.line.struck
        lines = pen.lines(line.first, self.caps, room.wide)
        if not line.second:
            pen.text(line.first, room, self.caps, lines=lines, struck=struck)
            return
        upper = room.top(lines_high(lines, self.caps) + 2)
        lower = room.below(upper.high + 8)
        more = pen.lines(line.second, 14.5, lower.wide, Face.MEDIUM)
        pen.text(line.first, upper, self.caps, lines=lines, struck=struck)
        pen.text(line.second, lower, 14.5, Colour.INK2, face=Face.MEDIUM, lines=more)


@dataclass(frozen=True, kw_only=True)
class LogPart(Part):
    """One line of the log: what was told, when, by which source; chosen is inverted."""

    line: LogLine

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = self.line.chosen != pressed
        pen.fill(self.box, Colour.GO if inverted else Colour.PANEL, 5)
        ink = Colour.GO_INK if inverted else Colour.INK
        room = self.box.inset(10, 4)
        if self.line.mark:
            draw_mark(pen, self.line.mark, Box(room.right - 22, room.y, 22, room.high).square(20))
            room = room.left(room.wide - 28)
        second = ink if inverted else Colour.INK2
        rows = 3 if self.line.ruled else 2
        long = pen.width(self.line.text, Caps.DETAIL) > room.wide
        if self.box.high < _ROWS[rows + long] and (self.line.ruled or long):
            self._draw_short(pen, room, ink, second)
            return
        below = Box(room.x, room.bottom - 16, room.wide, 15)
        words = room.top(room.high - _BELOW_WORDS)
        if self.line.ruled:
            ruled = Box(room.x, words.bottom - 19, room.wide, 16)
            self._draw_ruled(pen, ruled, ink)
            words = words.top(words.high - 20)
        self._draw_words(pen, words, ink)
        time = pen.text(self.line.time, below, 14, second, face=Face.FIGURES)
        source = ", ".join(part for part in (self.line.author, self.line.source) if part)
        pen.text(source, below.beside(time.wide + 9), 14, second, face=Face.MEDIUM)

    def _draw_short(self, pen: Pen, room: Box, ink: Colour, second: Colour) -> None:
        """What over what came of it, and when; by whom is told once it is chosen.

        Long words have two rows, where need be the ruling's, which is told then, too.
        """
        wide = pen.width(self.line.time, 14, Face.FIGURES) + 8
        two = room.high >= lines_high(2, Caps.DETAIL) + _BELOW_WORDS
        has_ruled = bool(self.line.ruled) and (
            two or pen.width(self.line.text, Caps.DETAIL) <= room.wide
        )
        low = Box(room.x, room.bottom - 18, room.wide, 18)
        short = pen.width(self.line.ruled, 14.5, Face.MEDIUM) <= low.wide - _RULED_SIGN - wide
        beside = has_ruled and short  # else the time stands beside the words
        row = low if beside else room.top(22)
        time = Box(row.right - wide, row.y, wide, row.high)
        pen.text(self.line.time, time, 14, second, face=Face.FIGURES, align="right")
        words = room if beside else room.left(room.wide - wide - 6)
        if has_ruled:
            self._draw_ruled(pen, low.left(low.wide - wide) if beside else low, ink)
            words = words.top(words.high - _BELOW_WORDS)
        self._draw_words(pen, words, ink)

    def _draw_words(self, pen: Pen, room: Box, ink: Colour) -> None:
        """What was told, in two rows where it needs them and there is room; no word is cut."""
        two = room.high >= lines_high(2, Caps.DETAIL)
        lines = 2 if two and pen.width(self.line.text, Caps.DETAIL) > room.wide else 1
        told = first_parts(
            self.line.text, lambda text: pen.lines(text, Caps.DETAIL, room.wide) <= lines
        )
        pen.text(told, room, 16, ink, lines=lines, struck=self.line.taken_back)

    def _draw_ruled(self, pen: Pen, box: Box, ink: Colour) -> None:
        """What was ruled, as many parts of it as one row has room for."""
        pen.sign("right", Box(box.x, box.y, 15, box.high).square(14), ink)
        told = box.beside(_RULED_SIGN)
        parts = first_parts(
            self.line.ruled, lambda text: pen.width(text, 14.5, Face.MEDIUM) <= told.wide
        )
        pen.text(parts, told, 14.5, ink, face=Face.MEDIUM)


def first_parts(text: str, fits: Callable[[str], bool]) -> str:
    """As much of a text as fits, up to a comma or an "and" of it, and that there is more.

    >>> first_parts("1 ahead, turn right, 3 ahead; 2 more", lambda text: len(text) < 31)
    '1 ahead, turn right, and more'
    >>> first_parts("Ana takes a ship and two hull points", lambda text: len(text) < 31)
    'Ana takes a ship, and more'
    >>> first_parts("Ana takes a ship and two hull points", lambda text: len(text) < 25)
    'Ana takes a ship; more'
    """
    short = text
    for part in reversed([*_BETWEEN_PARTS.finditer(text)]):
        if fits(short):
            break
        begins = text[: part.start()]
        short = f"{begins}, and more"
        short = short if fits(short) else f"{begins}; more"
    return short


_BETWEEN_PARTS = re.compile(", | and ")


_RULED_SIGN = 21.0
_BELOW_WORDS = 23.0
"""What when and by whom take of a line of the log, clear of letters that reach below theirs."""

_ROWS = {2: 0.0, 3: 73.0, 4: 93.0}
"""So high is a line of the log with so many rows: its words, its ruling, when and by whom."""

WHOLE_HEAD, WHOLE_LINE, WHOLE_LETTER = 26.0, 24.0, 9.35
"""A change in full lines: its head and each line in u, and how wide a letter is at the most."""
CHANGE_SIDES = 50.0
"""What its mark and its margins take of its width."""


def whole_lines(text: str, wide: float) -> int:
    """How many lines a text takes in a change that is told in full, in a room so many u wide."""
    return -(-len(text) // max(1, int(wide / WHOLE_LETTER)))


def whole_high(change: Consequence, wide: float) -> float:
    """How high a change is that is told in full, its text so many u wide."""
    lines = whole_lines(change.was, wide) + whole_lines(change.now, wide)
    return _head_high(change, wide) + WHOLE_LINE * lines + 4


def _head_high(change: Consequence, wide: float) -> float:
    return WHOLE_HEAD + 22.0 * (whole_lines(change.title, wide) - 1)


@dataclass(frozen=True, kw_only=True)
class ChangePart(Part):
    """One consequence of an amendment: old struck, new beside it; or what is kept, asked again."""

    change: Consequence

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        change = self.change
        pen.fill(self.box, Colour.PANEL, 5)
        draw_mark(pen, change.mark, Box(self.box.x + 10, self.box.y, 22, self.box.high).square(21))
        words = self.box.beside(42)
        room = words.left(words.wide - 8)
        if change.whole:
            self._draw_whole(pen, room)
            return
        most = 2 if self.box.high >= lines_high(2, 14) + 8 else 1
        wanted = pen.width(change.title, 17) + 4
        title = room.left(min(room.wide * 0.4, max(room.wide * 0.2, wanted)))
        pen.text(change.title, title, 17, lines=most)
        rest = room.beside(title.wide + 10)
        if change.was:
            rest = self._draw_was(pen, rest, most)
        text, face, tint = (
            (change.now, Face.BOLD, Colour.INK)
            if change.now
            else (change.note, Face.MEDIUM, Colour.INK2)
        )
        pen.text(text, rest, Caps.BODY, tint, face=face, lines=most)

    def _draw_whole(self, pen: Pen, room: Box) -> None:
        """Whose it is above; then what was, struck, and under it what is now."""
        head = _head_high(self.change, room.wide)
        pen.text(self.change.title, room.top(head), 15, lines=2 if head > WHOLE_HEAD else 1)
        rows = [text for text in (self.change.was, self.change.now) if text]
        heights = [whole_lines(text, room.wide) for text in rows]
        for text, row in zip(rows, room.below(head).rows(heights), strict=True):
            struck, lines = text == self.change.was, whole_lines(text, room.wide)
            tint, face = (Colour.INK2, Face.MEDIUM) if struck else (Colour.INK, Face.BOLD)
            pen.text(text, row, 14, tint, face=face, lines=lines, struck=struck)

    def _draw_was(self, pen: Pen, rest: Box, most: int) -> Box:
        """The old one struck, and an arrow; returns the room of the new one."""
        half = rest.left((rest.wide - 34) * 0.5)
        was = pen.text(
            self.change.was, half, 16, Colour.INK2, face=Face.MEDIUM, lines=most, struck=True
        )
        rest = rest.beside(was.wide + 8)
        pen.sign("right", Box(rest.x, rest.y, 18, rest.high).square(17), Colour.INK)
        return rest.beside(26)


# QR codes: black on white in any theme, each module a whole number of pixels.

_QUIET = 4
"""Modules of white that a code needs around it."""
_MASK = 4
"""Any of the eight masks is read; to try them all for the prettiest takes six times as long."""


@lru_cache(maxsize=4)
def modules(text: str) -> np.ndarray:
    """The code's modules with the quiet zone, 0 black and 255 white."""
    import segno  # wanted where a match ends, and nowhere before

    code = segno.make_qr(text, error="l", boost_error=False, mask=_MASK)
    dark = np.array([list(row) for row in code.matrix_iter(border=_QUIET)], np.uint8)
    return np.where(dark > 0, 0, 255).astype(np.uint8)


@dataclass(frozen=True, kw_only=True)
class CodePart(Part):
    """The largest code of whole pixels a module that fits its box; of fewer than `least` none."""

    text: str
    least: int = 1

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PAPER, 2)
        pattern = modules(self.text)
        unit = pen.theme.unit_px
        times = int(min(self.box.wide, self.box.high) * unit // len(pattern))
        if times < self.least:
            caps = max(14.0, min(24.0, self.box.high / 7))
            words = "TOUCH FOR CODE" if self.box.high > 4 * lines_high(1, caps) else "CODE"
            pen.text(words, self.box.inset(2), caps, Colour.CODE, align="centre", lines=3)
            return
        large = np.kron(pattern, np.ones((times, times), np.uint8))
        side = len(large) / unit
        where = Box(*self.box.centre, 0, 0).moved(-side / 2, -side / 2)
        pixels = np.repeat(large[:, :, None], 3, axis=2)
        pen.picture(f"code/{times}", pixels, Box(where.x, where.y, side, side))
