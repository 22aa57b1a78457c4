"""The theme's tables: contrast, signals that differ without hue, units, seats."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest

from companion.core.board import Look
from ui.scene.theme import (
    UNITS_ACROSS,
    Caps,
    Colour,
    Light,
    Palette,
    Reach,
    Rgba,
    Theme,
    contrast,
    luminance,
)

THEMES = [Theme(light, palette) for light, palette in itertools.product(Light, Palette)]
GROUNDS = (Colour.BG, Colour.PANEL, Colour.KEY, Colour.SUNK)


@pytest.fixture(params=THEMES, ids=lambda theme: f"{theme.light}-{theme.palette}")
def theme(request: pytest.FixtureRequest) -> Theme:
    """Both lights in all three palettes."""
    chosen: Theme = request.param
    return chosen


def test_text_stands_off_every_ground(theme: Theme) -> None:
    """Large text has a contrast of 7 at least, other text 4.5, on each ground it is written on."""
    for ground in GROUNDS:
        assert contrast(theme[Colour.INK], theme[ground]) >= 7
        assert contrast(theme[Colour.INK2], theme[ground]) >= 4.5
    assert contrast(theme[Colour.GO_INK], theme[Colour.GO]) >= 7
    assert contrast(theme[Colour.LAMP_INK], theme[Colour.LAMP]) >= 7
    assert contrast(theme[Colour.PLATE_INK], theme[Colour.PLATE]) >= 7


@pytest.mark.parametrize("colour", range(4))
def test_a_sides_text_and_fill_are_legible(theme: Theme, colour: int) -> None:
    """A side's name reads at 7 on panel and ground, and so does what is written on its fill."""
    side = theme.side(Look(colour))
    assert contrast(side.text, theme[Colour.PANEL]) >= 7
    assert contrast(side.text, theme[Colour.BG]) >= 7
    assert contrast(side.on_fill, side.fill) >= 7


def test_edges_and_signals_stand_off_the_ground(theme: Theme) -> None:
    """WCAG's 3 for what is no text: edges of keys, signals or their edges."""
    for ground in (Colour.BG, Colour.PANEL):
        for shape in (Colour.OK, Colour.WARN_EDGE, Colour.WARN_LINE, Colour.BAD):
            assert contrast(theme[shape], theme[ground]) >= 3, (shape, ground)
    assert contrast(theme[Colour.EDGE], theme[Colour.BG]) >= 3
    for fill, on in ((Colour.OK, Colour.ON_SIGNAL), (Colour.BAD, Colour.ON_SIGNAL)):
        assert contrast(theme[fill], theme[on]) >= 4.5
    assert contrast(theme[Colour.WARN], theme[Colour.ON_WARN]) >= 4.5


def test_chosen_and_plain_keys_differ_in_grey(theme: Theme) -> None:
    """Without any hue a chosen key is the other way round."""
    plain, chosen = luminance(theme[Colour.KEY]), luminance(theme[Colour.GO])
    assert abs(plain - chosen) > 0.5


def test_two_sides_differ_in_grey(theme: Theme) -> None:
    """The fills of the first two are far apart in lightness too."""
    assert contrast(theme.side(Look(0)).fill, theme.side(Look(1)).fill) >= 3


MISSING_CONES = {
    "none": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "long": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "middle": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "short": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""How eyes without one kind of cones see linear red, green and blue (Machado et al., 2009)."""

TO_XYZ = ((0.4339, 0.3762, 0.1899), (0.2127, 0.7152, 0.0722), (0.0178, 0.1095, 0.8727))
"""Linear sRGB to XYZ over the white of D65."""


def dot(row: Sequence[float], parts: Sequence[float]) -> float:
    """The sum of products."""
    return sum(one * other for one, other in zip(row, parts, strict=True))


def as_seen(colour: Rgba, cones: str) -> tuple[float, float, float]:
    """CIE L*a*b* of a colour as such eyes see it."""
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in colour[:3]]
    seen = [min(1.0, max(0.0, dot(row, linear))) for row in MISSING_CONES[cones]]
    x, y, z = (dot(row, seen) for row in TO_XYZ)
    fx, fy, fz = (
        t ** (1 / 3) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116 for t in (x, y, z)
    )
    return (116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz))


@pytest.mark.parametrize("cones", MISSING_CONES)
def test_four_sides_stay_apart_for_all_eyes(theme: Theme, cones: str) -> None:
    """No two of the first four are nearer than a CIE76 difference of 28, whichever cones lack."""
    lab = [as_seen(theme.side(Look(colour)).text, cones) for colour in range(4)]
    apart = {pair: math.dist(*pair) for pair in itertools.combinations(lab, 2)}
    assert min(apart.values()) >= 28


def test_a_mark_goes_with_every_colour(theme: Theme) -> None:
    """Hue never speaks alone: the box's sign or letter is the mark, and nobody's has none."""
    assert theme.side(Look(0, "jaw")).mark == "jaw"
    assert theme.side(Look(3, letter="D")).mark == "D"
    assert theme.side(Look()).mark == ""
    assert theme.side(Look()).text == theme[Colour.INK]


@pytest.mark.parametrize("colour", range(6))
def test_every_side_is_legible(theme: Theme, colour: int) -> None:
    """Up to six sides: what is written on their colour reads at 4.5, as they do on the panel."""
    side = theme.side(Look(colour))
    assert contrast(side.on_fill, side.fill) >= 4.5
    assert contrast(side.text, theme[Colour.PANEL]) >= 4.5


def test_every_colour_is_in_every_theme(theme: Theme) -> None:
    """No name is forgotten in one of the tables."""
    assert set(theme.colours) == set(Colour)


@pytest.mark.parametrize(
    ("size_px", "unit_px", "wide_u"),
    [((800, 480), 1.0, 800.0), ((1280, 720), 1.5, 853.33), ((1024, 600), 1.25, 819.2)],
)
def test_one_unit_is_a_480th_of_the_height(
    size_px: tuple[int, int], unit_px: float, wide_u: float
) -> None:
    """The layout is the same at every size; only the width differs."""
    theme = Theme(size_px=size_px)
    assert theme.unit_px == pytest.approx(unit_px)
    assert theme.wide_u == pytest.approx(wide_u, abs=0.01)
    assert theme.size_px[1] / theme.unit_px == pytest.approx(UNITS_ACROSS)


@pytest.mark.parametrize(
    ("size_px", "unit_px", "high_u"),
    [((480, 800), 1.0, 800.0), ((720, 1280), 1.5, 853.33), ((600, 1024), 1.25, 819.2)],
)
def test_in_portrait_one_unit_is_a_480th_of_the_width(
    size_px: tuple[int, int], unit_px: float, high_u: float
) -> None:
    """Turned upright a panel keeps its unit, and so the size of type and of fingers' targets."""
    theme = Theme(size_px=size_px)
    assert theme.portrait
    assert theme.unit_px == pytest.approx(unit_px)
    assert theme.wide_u == pytest.approx(UNITS_ACROSS)
    assert theme.high_u == pytest.approx(high_u, abs=0.01)
    assert theme.unit_px == Theme(size_px=(size_px[1], size_px[0])).unit_px


def test_the_count_is_25_mm_high_on_a_7_inch_panel() -> None:
    """Figures are 25 mm at least: an 800x480 panel of 7 inches has 5.6 px to the millimetre."""
    down_px_per_mm = 480 / 85.92
    assert Caps.COUNT / down_px_per_mm >= 25
    assert Caps.STATE / down_px_per_mm >= 25


def test_fingers_have_nine_millimetres() -> None:
    """A target is 9 mm or more both ways on the same panel (5.2 px/mm across, 5.6 down)."""
    assert Reach.TARGET[0] / (800 / 154.08) >= 9
    assert Reach.TARGET[1] / (480 / 85.92) >= 9
