"""The theme's tables: contrast, signals that differ without hue, units, seats."""

from __future__ import annotations

import itertools

import pytest

from ui.theme import UNITS_HIGH, Caps, Colour, Light, Palette, Reach, Theme, contrast, luminance

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


@pytest.mark.parametrize("team", ["Jaws", "Paws"])
def test_a_teams_text_and_fill_are_legible(theme: Theme, team: str) -> None:
    """A team's name reads at 7 on panel and ground, and so does what is written on its fill."""
    side = theme.side(team)
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


def test_the_teams_differ_in_grey(theme: Theme) -> None:
    """Jaws' and Paws' fills are far apart in lightness too."""
    assert contrast(theme.side("Jaws").fill, theme.side("Paws").fill) >= 3


def test_every_team_has_a_mark_of_its_own(theme: Theme) -> None:
    """Hue never speaks alone: each side has a mark, and nobody's has none."""
    marks = [theme.side(name).mark for name in ("Jaws", "Paws", "A", "B", "C", "D", "E", "F")]
    assert all(marks)
    assert len(set(marks)) == len(marks)
    assert theme.side("nobody").mark == ""


def test_every_seat_is_legible(theme: Theme) -> None:
    """Seats of other boxes: what is written on their colour reads at 4.5."""
    for letter in "ABCDEF":
        side = theme.side(letter)
        assert contrast(side.on_fill, side.fill) >= 4.5, letter


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
    assert theme.size_px[1] / theme.unit_px == pytest.approx(UNITS_HIGH)


def test_the_count_is_25_mm_high_on_a_7_inch_panel() -> None:
    """Figures are 25 mm at least: an 800x480 panel of 7 inches has 5.6 px to the millimetre."""
    down_px_per_mm = 480 / 85.92
    assert Caps.COUNT / down_px_per_mm >= 25
    assert Caps.STATE / down_px_per_mm >= 25


def test_fingers_have_nine_millimetres() -> None:
    """A target is 9 mm or more both ways on the same panel (5.2 px/mm across, 5.6 down)."""
    assert Reach.TARGET[0] / (800 / 154.08) >= 9
    assert Reach.TARGET[1] / (480 / 85.92) >= 9
