"""Pieces glide to where they belong: only they, one after another, and nothing moves after that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ui.scene.theme import Theme
from ui.widgets.box import Box
from ui.widgets.part import Glide

Make = Callable[[Theme], Any]
ACROSS, DOWN = -100.0, 50.0


@dataclass
class Clock:
    """Time that is stepped."""

    now: float = 100.0

    def __call__(self) -> float:
        return self.now


def piece(glide: Glide | None = None, x: float = 300.0) -> Any:
    """A piece on its space."""
    from ui.widgets.words import Area

    return Area(box=Box(x, 200, 40, 40), glide=glide)


def at(sheet: Any, name: str) -> tuple[float, float]:
    """How far from its place a part stands, u across and down; (0, 0) once it is there."""
    gliding = sheet._shown[name].gliding
    if gliding is None:
        return (0.0, 0.0)
    unit = sheet.theme.unit_px
    return gliding.shift.x / unit, -gliding.shift.y / unit


@pytest.fixture
def shown(make_sheet: Make) -> tuple[Any, Clock]:
    """A sheet that glides, with one piece on it that comes from elsewhere."""
    sheet, clock = make_sheet(Theme()), Clock()
    sheet.clock, sheet.glides = clock, True
    parts = {"ground": piece(x=0.0), "piece": piece(Glide(ACROSS, DOWN, 60.0))}
    sheet.show("ruling", parts)
    return sheet, clock


def test_a_piece_is_at_its_place_after_300_ms(shown: tuple[Any, Clock]) -> None:
    """From where it stood, half way in half the time, then there."""
    sheet, clock = shown
    assert at(sheet, "piece") == pytest.approx((ACROSS, DOWN))
    clock.now += 0.15
    sheet._glide_on(0.0)
    assert at(sheet, "piece") == pytest.approx((ACROSS / 2, DOWN / 2))
    assert sheet._shown["piece"].gliding.turn.angle == pytest.approx(-30.0)
    clock.now += 0.16
    sheet._glide_on(0.0)
    assert at(sheet, "piece") == (0.0, 0.0)


def test_only_what_glides_is_drawn_between_pixels(shown: tuple[Any, Clock]) -> None:
    """Elsewhere each pixel of a texture is one of the window's: half the work without a GPU."""
    sheet, _clock = shown

    def filters(name: str) -> set[str]:
        drawn = sheet._shown[name].group.children
        textures = (getattr(one, "texture", None) for one in drawn)
        return {texture.mag_filter for texture in textures if texture is not None}

    assert filters("ground") == {"nearest"}
    assert filters("piece") == {"linear"}


def test_nothing_is_drawn_again_while_it_glides_and_nothing_works_after(
    shown: tuple[Any, Clock],
) -> None:
    """The piece's drawing is moved, not made anew; once it stands no timer is left."""
    sheet, clock = shown
    drawn = sheet.drawn
    for _ in range(20):
        clock.now += 0.02
        sheet._glide_on(0.0)
    assert sheet.drawn == drawn
    assert not sheet.is_gliding
    assert sheet._glider is None


def test_the_second_piece_waits_for_the_first(make_sheet: Make) -> None:
    """Step order: one after another."""
    sheet, clock = make_sheet(Theme()), Clock()
    sheet.clock, sheet.glides = clock, True
    first, second = (Glide(ACROSS, DOWN, turn_in=n) for n in range(2))
    sheet.show("ruling", {"first": piece(first), "second": piece(second)})
    clock.now += 0.3
    sheet._glide_on(0.0)
    assert at(sheet, "first") == (0.0, 0.0)
    assert at(sheet, "second") == pytest.approx((ACROSS, DOWN))
    clock.now += 0.31
    sheet._glide_on(0.0)
    assert not sheet.is_gliding


def test_any_touch_cuts_it_short(window: Any, shown: tuple[Any, Clock]) -> None:
    """Beside every key, too: the piece stands where it belongs."""
    from kivy.tests.common import UnitTestTouch

    sheet, _ = shown
    window.add_widget(sheet) if sheet.parent is None else None
    touch = UnitTestTouch(700, 20)
    touch.touch_down()
    assert not sheet.is_gliding
    touch.touch_up()


def test_a_piece_that_stands_does_not_glide_again(shown: tuple[Any, Clock]) -> None:
    """The same state shown once more moves nothing; a sheet that does not glide never does."""
    sheet, clock = shown
    clock.now += 1.0
    sheet._glide_on(0.0)
    sheet.show("ruling", dict(sheet.parts))
    assert not sheet.is_gliding
    sheet.glides = False
    sheet.show("ruling", {"piece": piece(Glide(1.0, 1.0))})
    assert not sheet.is_gliding
