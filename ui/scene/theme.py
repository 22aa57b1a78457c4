"""The theme: colours, type steps and finger sizes of every screen, in one object.

Distances and type are in units: 1 u is a 480th of the window's shorter side. Type is measured by
its capitals, never by a font's size. Colours are named by their purpose; the tables below give each
name its value by night and by day, and `contrast()` is what tests judge them by.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.board import Look

Rgba = tuple[float, float, float, float]

UNITS_ACROSS = 480
"""The shorter side of every window, u: its height, or in portrait its width. What the longer side
has more than 800 u goes to the map or picture."""


class Light(StrEnum):
    """Ivory on near-black, or ink on paper."""

    NIGHT = "night"
    DAY = "day"


class Palette(StrEnum):
    """Which eyes the signals are chosen for."""

    STANDARD = "standard"
    RED_GREEN = "red-green"
    BLUE_YELLOW = "blue-yellow"


class Hand(StrEnum):
    """Where the next tap lies: under the right hand, or mirrored."""

    RIGHT = "right"
    LEFT = "left"


class Face(StrEnum):
    """The letters: three weights for words, one for figures."""

    BOLD = "bold"
    MEDIUM = "medium"
    REGULAR = "regular"
    FIGURES = "figures"


class Colour(StrEnum):
    """A colour by what it is for."""

    BG = "bg"
    PANEL = "panel"
    SUNK = "sunk"
    KEY = "key"
    EDGE = "edge"
    HAIR = "hair"
    INK = "ink"
    INK2 = "ink2"
    GO = "go"
    GO_INK = "go-ink"
    OK = "ok"
    WARN = "warn"
    WARN_EDGE = "warn-edge"
    WARN_LINE = "warn-line"
    BAD = "bad"
    ON_SIGNAL = "on-signal"
    ON_WARN = "on-warn"
    SUN = "sun"
    SUN_EDGE = "sun-edge"
    LAMP = "lamp"
    LAMP_INK = "lamp-ink"
    LAND = "land"
    CELL = "cell"
    CELL2 = "cell2"
    GRID = "grid"
    PLATE = "plate"
    PLATE_INK = "plate-ink"
    FOUND = "found"
    PAPER = "paper"
    CODE = "code"


class Caps:
    """Heights of capitals in u, by what is read and from how far."""

    COUNT = 192.0
    STATE = 142.0
    HANDS = 56.0
    LEAD = 35.0
    NAME = 26.0
    KEY = 22.0
    BODY = 16.0
    DETAIL = 14.0


LEADING = 1.56
"""From capitals to the capitals of the next line, in heights of capitals."""


class Reach:
    """What fingers need, in u."""

    TARGET = (50.0, 51.0)
    PRIMARY_HIGH = 72.0
    MARGIN = 10.0
    GAP = 8.0
    RADIUS = 6.0
    BAND_RADIUS = 8.0
    EDGE = 1.5
    HOLD_EDGE = 3.0
    HOLD_S = 0.8
    DEAF_S = 0.25
    ECHO_S = 0.1


_NIGHT: Mapping[Colour, str] = {
    Colour.BG: "#0F1317",
    Colour.PANEL: "#1A2026",
    Colour.SUNK: "#090C0F",
    Colour.KEY: "#2B343D",
    Colour.EDGE: "#5E6B78",
    Colour.HAIR: "#39434D",
    Colour.INK: "#F4ECDB",
    Colour.INK2: "#BDB8AA",
    Colour.GO: "#F4ECDB",
    Colour.GO_INK: "#0F1317",
    Colour.WARN_EDGE: "#FFC348",
    Colour.WARN_LINE: "#FFC348",
    Colour.ON_SIGNAL: "#0F1317",
    Colour.ON_WARN: "#0F1317",
    Colour.SUN: "#FFD84F",
    Colour.SUN_EDGE: "#FFD84F",
    Colour.LAMP: "#FFC348",
    Colour.LAMP_INK: "#14100A",
    Colour.LAND: "#1F2A2C",
    Colour.CELL: "#26333A",
    Colour.CELL2: "#2E3D45",
    Colour.GRID: "#5B6D78",
}

_DAY: Mapping[Colour, str] = {
    Colour.BG: "#EDE6D3",
    Colour.PANEL: "#F8F3E5",
    Colour.SUNK: "#DDD4BD",
    Colour.KEY: "#FFFCF3",
    Colour.EDGE: "#6E6857",
    Colour.HAIR: "#BDB298",
    Colour.INK: "#14181B",
    Colour.INK2: "#4A463B",
    Colour.GO: "#14181B",
    Colour.GO_INK: "#FBF6E8",
    Colour.WARN_EDGE: "#14181B",
    Colour.WARN_LINE: "#855300",
    Colour.ON_SIGNAL: "#FBF6E8",
    Colour.ON_WARN: "#14181B",
    Colour.SUN: "#F5B800",
    Colour.SUN_EDGE: "#14181B",
    Colour.LAMP: "#FFC348",
    Colour.LAMP_INK: "#14100A",
    Colour.LAND: "#E3DAC1",
    Colour.CELL: "#EFE7D2",
    Colour.CELL2: "#FAF5E7",
    Colour.GRID: "#857C66",
}

_ALWAYS: Mapping[Colour, str] = {
    Colour.PLATE: "#0B0D0F",  # labels on camera pictures: white on black in any light
    Colour.PLATE_INK: "#FFFFFF",
    Colour.FOUND: "#5FE38A",
    Colour.PAPER: "#FFFFFF",  # a QR code is read by cameras, not by taste
    Colour.CODE: "#000000",
}

_SIGNALS: Mapping[tuple[Palette, Light], tuple[str, str, str]] = {
    (Palette.STANDARD, Light.NIGHT): ("#63C58C", "#FFC348", "#FF7468"),
    (Palette.STANDARD, Light.DAY): ("#17653A", "#FFC400", "#B0201A"),
    (Palette.RED_GREEN, Light.NIGHT): ("#8FC9FF", "#FFE08A", "#F0562E"),
    (Palette.RED_GREEN, Light.DAY): ("#0A5796", "#FFD23F", "#A3200A"),
    (Palette.BLUE_YELLOW, Light.NIGHT): ("#63C58C", "#FFC348", "#FF7468"),
    (Palette.BLUE_YELLOW, Light.DAY): ("#17653A", "#FFC400", "#B0201A"),
}


@dataclass(frozen=True, slots=True)
class SideColours:
    """A team's or seat's colours: of its text, of its fills and of what is written on them.

    `mark` is the sign that goes with the colours wherever they stand, so that hue never speaks
    alone.
    """

    text: Rgba
    fill: Rgba
    on_fill: Rgba
    mark: str


_SIDES: Mapping[Light, tuple[tuple[str, str], ...]] = {
    Light.NIGHT: (
        ("#FFA04A", "#F08A2C"),
        ("#9DBEFF", "#25439B"),
        ("#D4FF00", "#D4FF00"),
        ("#D9BCAD", "#D9BCAD"),
        ("#DB88F5", "#DB88F5"),
        ("#A6AEC0", "#A6AEC0"),
    ),
    Light.DAY: (
        ("#823200", "#F08A2C"),
        ("#1C3A86", "#1F3F92"),
        ("#220033", "#220033"),
        ("#66384F", "#66384F"),
        ("#5A27B0", "#5A27B0"),
        ("#264B57", "#264B57"),
    ),
}
"""Text and fill of each side's colours. The first four stay apart for all eyes (no two nearer than
a CIE76 difference of 28 where cones are missing); with five or six the letters decide."""

_LETTERS = ("#14100A", "#F4ECDB")
"""Dark and light: what is written on a fill."""


def rgba(code: str) -> Rgba:
    """Four parts from 0 to 1 of a colour written "#RRGGBB".

    >>> rgba("#FF0000")
    (1.0, 0.0, 0.0, 1.0)
    """
    red, green, blue = (int(code[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return (red, green, blue, 1.0)


def luminance(colour: Rgba) -> float:
    """Relative luminance as WCAG 2 defines it, 0 (black) to 1 (white)."""
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour[:3]
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Rgba, other: Rgba) -> float:
    """WCAG's ratio of two colours, 1 to 21.

    >>> round(contrast(rgba("#FFFFFF"), rgba("#000000")))
    21
    """
    dark, bright = sorted((luminance(one), luminance(other)))
    return (bright + 0.05) / (dark + 0.05)


@dataclass(frozen=True)
class Theme:
    """How everything looks now: light, palette and hand, for a window of so many pixels.

    Palette, light and hand belong to the table. A new window size, light or palette is a new
    theme; whoever draws is handed it and keeps no colour or size of its own.
    """

    light: Light = Light.DAY
    palette: Palette = Palette.STANDARD
    hand: Hand = Hand.RIGHT
    size_px: tuple[int, int] = (800, 480)
    colours: Mapping[Colour, Rgba] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        ok, warn, bad = _SIGNALS[self.palette, self.light]
        codes = {**_ALWAYS, **(_NIGHT if self.light is Light.NIGHT else _DAY)}
        codes |= {Colour.OK: ok, Colour.WARN: warn, Colour.BAD: bad}
        if self.light is Light.NIGHT:
            codes |= {Colour.WARN_EDGE: warn, Colour.WARN_LINE: warn}
        table = {name: rgba(code) for name, code in codes.items()}
        object.__setattr__(self, "colours", MappingProxyType(table))

    @property
    def portrait(self) -> bool:
        """Whether the window is higher than it is wide."""
        return self.size_px[1] > self.size_px[0]

    @property
    def unit_px(self) -> float:
        """One unit in pixels: the window's height over 480, in portrait its width."""
        return min(self.size_px) / UNITS_ACROSS

    @property
    def wide_u(self) -> float:
        """The window's width in units: 800 at 800x480, 853 at 1280x720; 480 in portrait."""
        return self.size_px[0] / self.unit_px

    @property
    def high_u(self) -> float:
        """The window's height in units: 480; in portrait 800 at 480x800, 853 at 720x1280."""
        return self.size_px[1] / self.unit_px

    def __getitem__(self, name: Colour) -> Rgba:
        return self.colours[name]

    def side(self, look: Look) -> SideColours:
        """Colours and mark of a side, seat or piece as its box has it; ink where it has no colour.

        >>> from companion.core.board import Look
        >>> Theme().side(Look(1, "paw")).mark
        'paw'
        """
        mark = look.sign or look.letter
        if look.colour is None:
            return SideColours(self[Colour.INK], self[Colour.GO], self[Colour.GO_INK], mark)
        return SideColours(*self._sides[look.colour], mark)

    @cached_property
    def _sides(self) -> Sequence[tuple[Rgba, Rgba, Rgba]]:
        """Text, fill, and of dark and light letters those that read better on the fill."""
        dark, bright = (rgba(code) for code in _LETTERS)
        return [
            (rgba(text), rgba(fill), max(dark, bright, key=lambda ink: contrast(ink, rgba(fill))))
            for text, fill in _SIDES[self.light]
        ]


# Fonts: where the distribution keeps them, and what stands in for a missing one.

FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")

_FILES = {
    Face.BOLD: ("RobotoCondensed-Bold.ttf",),
    Face.MEDIUM: ("RobotoCondensed-Medium.ttf", "RobotoCondensed-Bold.ttf"),
    Face.REGULAR: ("RobotoCondensed-Regular.ttf", "RobotoCondensed-Medium.ttf"),
    Face.FIGURES: ("B612-Bold.otf", "B612-Bold.ttf"),
}


@cache
def font_file(face: Face) -> str | None:
    """The file of a face, or None where the distribution's package is not installed."""
    for name in _FILES[face]:
        for folder in FOLDERS:
            for found in sorted(folder.rglob(name)):
                return str(found)
    return None


def missing_faces() -> tuple[Face, ...]:
    """The faces that Kivy's own font stands in for."""
    return tuple(face for face in Face if font_file(face) is None)
