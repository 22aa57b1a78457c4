"""Lettering: text drawn as textures, measured by its capitals and fitted into its room.

Kivy places text by its line box, a fifth of which is empty above the capitals, and a bare label
never clips. Here every font is measured once per size by its "H", lines are wrapped by width, and
a text that does not fit is made smaller, never cut in silence.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple
from weakref import proxy

from kivy.core.text import Label as CoreLabel
from kivy.graphics.texture import Texture

from ui.scene.theme import LEADING, Face, Theme, font_file

BUNDLED = "Roboto"
"""The name under which Kivy registers the font it brings."""


# Text measured, fitted and kept as textures.

_WHITE = "luminance_alpha"
"""OpenGL's name for pixels that have a brightness and an opacity."""

_BREAKS = re.compile(r"(?:\b[A-Z]{2,3}-(?=[A-Z\d])|\bRULING (?=\d)|-+(?=\d)|[^ -])*(?:-+ *| +|$)")
"""Lines may end after blanks and hyphens, but not inside a rule's code or after a minus."""

_DEEP = frozenset("gjpqy,;()Q/|[]{}_$")
_SLACK_PX = 1.5
"""Capitals are whole pixels: a line may be one higher than its room says."""

_BLANK_EM, _HINTED_PX = 0.3, 2
_EVEN_PX = 4.0
"""Lines are evened out no finer than this."""

_KEPT = 1200
"""Textures kept; a screen shows about a hundred."""


class Metrics(NamedTuple):
    """A font at one size: rows above the capitals and rows of the capitals, px."""

    above_px: int
    caps_px: int


@dataclass(frozen=True, slots=True)
class Typeset:
    """Lines as they will be drawn; `cut` tells that even the smallest size did not fit."""

    lines: tuple[str, ...]
    face: Face
    size_px: int
    leading_px: float
    cut: bool = False

    @property
    def caps_px(self) -> float:
        """The height of the capitals, before they are fitted to whole pixels."""
        return self.size_px * caps_share(self.face)

    @property
    def high_px(self) -> float:
        """From the first line's capitals to the last base line."""
        return self.leading_px * (len(self.lines) - 1) + self.caps_px

    @property
    def wide_px(self) -> int:
        """The widest line."""
        return max((line_width(line, self.face, self.size_px) for line in self.lines), default=0)


def is_deep(line: str) -> bool:
    """Whether a line reaches below its base line."""
    return not _DEEP.isdisjoint(line)


class _Line(CoreLabel):
    """A line as the font draws it; its texture is made by whoever shows it."""

    def blit_data(self, drawn: Any) -> None:
        """Kivy hands over what it has drawn, as to the texture that it would make itself."""
        self._opacity = drawn.data[3::4]

    def ink(self) -> Ink:
        """How much of it each pixel has; a blank is one pixel without any."""
        self.resolve_font_name()
        wide, high = self._size = self.render()
        if wide <= 1 or high <= 1:
            return Ink(1, 1, bytes(1))
        self.texture = proxy(self)
        self.render(real=True)
        return Ink(wide, high, self._opacity)


class Ink(NamedTuple):
    """How opaque each pixel is, rows from the top."""

    wide: int
    high: int
    opacity: bytes

    def in_white(self, *, gliding: bool = False) -> Texture:
        """White of this opacity, two bytes a pixel; colours come where it is shown.

        `gliding`: smooth between pixels too, which costs as much again without a GPU.
        """
        pixels = bytearray(b"\xff") * (2 * len(self.opacity))
        pixels[1::2] = self.opacity
        texture = Texture.create(size=(self.wide, self.high), colorfmt=_WHITE)
        texture.min_filter = texture.mag_filter = "linear" if gliding else "nearest"
        texture.flip_vertical()
        texture.blit_buffer(bytes(pixels), colorfmt=_WHITE, bufferfmt="ubyte")
        return texture


def _label(text: str, face: Face, size_px: int) -> _Line:
    return _Line(text=text, font_size=size_px, font_name=font_file(face) or BUNDLED)


@cache
def metrics(face: Face, size_px: int) -> Metrics:
    """Measured on an "H" drawn at this size."""
    wide, high, opacity = _label("H", face, size_px).ink()
    rows = range(high)
    inked = [row for row in rows if max(opacity[row * wide : (row + 1) * wide]) > 127]
    return Metrics(inked[0], inked[-1] - inked[0] + 1)


_AHEAD = ((Face.BOLD, 14.0, 24.0), (Face.MEDIUM, 14.0, 17.0))
"""Faces, and capitals from which to which nearly every screen has some of theirs, u."""


def open_ahead(theme: Theme) -> Iterator[int]:
    """Open the letters that the next screens will have, a size at a time (px).

    To open a font at a size takes as long as to write some twenty lines with it.
    """
    for face, least, most in _AHEAD:
        sizes = (size_for(face, caps * theme.unit_px) for caps in (least, most))
        for size_px in range(next(sizes), next(sizes) + 1):
            metrics(face, size_px)
            yield size_px


@cache
def size_for(face: Face, caps_px: float) -> int:
    """The font size whose capitals come nearest to this height."""
    return max(1, round(caps_px / caps_share(face)))


@cache
def caps_share(face: Face) -> float:
    """Capitals as a share of the font size, measured large: 0.71 for Roboto, 0.76 for B612."""
    return metrics(face, 400).caps_px / 400


@lru_cache(maxsize=8192)
def line_width(line: str, face: Face, size_px: int) -> int:
    """How wide a line will be, px."""
    return _measuring(face, size_px).get_extents(line)[0] if line else 0


@lru_cache(maxsize=256)
def _measuring(face: Face, size_px: int) -> CoreLabel:
    """Measures any line of a face and size; nothing is drawn with it."""
    return _label("", face, size_px)


def text_wide(theme: Theme, text: str, caps: float, face: Face = Face.BOLD) -> float:
    """How wide a line of these capitals will be, u."""
    return line_width(text, face, size_for(face, caps * theme.unit_px)) / theme.unit_px


def widest_word(theme: Theme, text: str, caps: float) -> float:
    """How wide the widest word of a text will be in these capitals, u."""
    return _widest_word(text, size_for(Face.BOLD, caps * theme.unit_px)) / theme.unit_px


@lru_cache(maxsize=512)
def _widest_word(text: str, size_px: int) -> int:
    return max((line_width(word, Face.BOLD, size_px) for word in text.split()), default=0)


def wrapped(theme: Theme, text: str, caps: float, wide: float) -> tuple[str, ...]:
    """A text in lines of these capitals; a word that is wider than the room is not parted."""
    size = size_for(Face.BOLD, caps * theme.unit_px)
    return typeset(text, Face.BOLD, size, wide * theme.unit_px).lines


def lines_of(theme: Theme, text: str, caps: float, wide: float, face: Face = Face.BOLD) -> int:
    """How many lines of these capitals a text takes in a room that is so many u wide."""
    size = size_for(face, caps * theme.unit_px)
    return lines_taken(text, face, size, wide * theme.unit_px)


def lines_taken(text: str, face: Face, size_px: int, wide_px: float) -> int:
    """How many lines a text takes, words parted that are wider than the room."""
    return len(_broken(typeset(text, face, size_px, wide_px), wide_px).lines)


def fit(
    text: str,
    face: Face,
    caps_px: float,
    room_px: tuple[float, float],
    *,
    least_px: float,
    lines: int = 1,
) -> Typeset:
    """The largest setting from `caps_px` down to `least_px` whose lines stay in the room."""
    size, least = size_for(face, caps_px), size_for(face, least_px)
    while True:
        setting = typeset(text, face, size, room_px[0])
        if _fits(setting, room_px, lines):
            return setting
        if size <= least:
            broken = _broken(setting, room_px[0])
            return broken if _fits(broken, room_px, lines) else _cut(setting, room_px[0], lines)
        size = max(least, min(size - 1, _size_worth_trying(setting, room_px, lines)))


def _size_worth_trying(setting: Typeset, room_px: tuple[float, float], lines: int) -> int:
    """A size above which these words cannot fit: each size that is tried opens the font anew.

    Widths grow with the size, by hinting not quite evenly; blanks at the ends of lines are lost.
    """
    lost = (lines - 1) * setting.size_px * _BLANK_EM
    together = sum(line_width(one, setting.face, setting.size_px) for one in setting.lines)
    across = lines * room_px[0] / max(1.0, together - lost)
    down = (room_px[1] + _SLACK_PX) / max(1, setting.caps_px)
    return int(setting.size_px * min(across, down)) + _HINTED_PX


def balanced(setting: Typeset, text: str, wide_px: float) -> Typeset:
    """The same text in as many lines, as even in length as its words allow: centred on keys."""
    if len(setting.lines) < 2 or setting.cut:
        return setting
    narrow, wide = wide_px / len(setting.lines), float(wide_px)
    best = setting
    while wide - narrow > _EVEN_PX:
        middle = (narrow + wide) / 2
        tried = typeset(text, setting.face, setting.size_px, middle)
        if len(tried.lines) == len(setting.lines) and tried.wide_px <= middle:
            best, wide = tried, middle
        else:
            narrow = middle
    return best


def _fits(setting: Typeset, room_px: tuple[float, float], lines: int) -> bool:
    return (
        len(setting.lines) <= lines
        and setting.wide_px <= room_px[0] + 0.5
        and setting.high_px <= room_px[1] + _SLACK_PX
    )


@lru_cache(maxsize=2048)
def typeset(text: str, face: Face, size_px: int, wide_px: float) -> Typeset:
    """A text in lines that are no wider than this, where its words allow it."""
    lines: list[str] = []
    for paragraph in text.split("\n"):
        lines += _wrapped(paragraph, face, size_px, wide_px)
    leading = size_px * caps_share(face) * LEADING
    return Typeset(tuple(lines), face, size_px, leading)


def _wrapped(paragraph: str, face: Face, size_px: int, wide_px: float) -> list[str]:
    """As many words a line as fit, one at least.

    Where a line ends is guessed by the widths of its words, and then measured.
    """
    words = [word for word in _BREAKS.findall(paragraph) if word] or [""]
    sums = [0, *accumulate(line_width(word, face, size_px) for word in words)]
    lines, begin = list[str](), 0

    def fits(end: int) -> bool:
        return line_width("".join(words[begin:end]).rstrip(), face, size_px) <= wide_px

    while begin < len(words):
        end = max(begin + 1, bisect_right(sums, sums[begin] + wide_px) - 1)
        while end > begin + 1 and not fits(end):
            end -= 1
        while end < len(words) and fits(end + 1):
            end += 1
        lines.append("".join(words[begin:end]).rstrip())
        begin = end
    return lines


def _broken(setting: Typeset, wide_px: float) -> Typeset:
    """With words that are wider than the room, such as a path, parted where the room ends."""
    lines: list[str] = []
    for line in setting.lines:
        rest = line
        while len(rest) > 1 and line_width(rest, setting.face, setting.size_px) > wide_px:
            at = len(rest) - 1
            while at > 1 and line_width(rest[:at], setting.face, setting.size_px) > wide_px:
                at -= 1
            lines.append(rest[:at])
            rest = rest[at:]
        lines.append(rest)
    return replace(setting, lines=tuple(lines))


def _cut(setting: Typeset, wide_px: float, lines: int) -> Typeset:
    """What fits of it, ending in an ellipsis that says there is more."""
    kept = list(setting.lines[:lines])
    if len(setting.lines) > lines:
        kept[-1] += "…"
    shortened = (_shortened(line, setting, wide_px) for line in kept)
    return Typeset(tuple(shortened), setting.face, setting.size_px, setting.leading_px, cut=True)


def _shortened(line: str, setting: Typeset, wide_px: float) -> str:
    if line_width(line, setting.face, setting.size_px) <= wide_px:
        return line
    while len(line) > 1 and line_width(f"{line}…", setting.face, setting.size_px) > wide_px:
        line = line[:-1].rstrip()
    return f"{line}…"


class TextStore:
    """Textures of lines already drawn, white, tinted where they are shown; oldest forgotten."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[str, Face, int, bool], Texture] = OrderedDict()

    def texture(self, line: str, face: Face, size_px: int, *, gliding: bool = False) -> Texture:
        """The texture of one line."""
        key = (line, face, size_px, gliding)
        if key not in self._kept:
            self._kept[key] = _label(line, face, size_px).ink().in_white(gliding=gliding)
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]
