"""How the cheap first look measures a camera's noise, and what shows in spite of it."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera.frame import GreyImage
from vision.tracking.gate import Gate

WIDE, HIGH = 320, 180
GREY = np.full((HIGH, WIDE), 120, np.uint8)


def noise(sigma: float) -> NDArray[np.float64]:
    """Noise of such a sigma, each value as often as it should be, at places of no order."""
    exact = NormalDist()
    many = (HIGH // 4) * (WIDE // 4)
    values = np.array([sigma * exact.inv_cdf((at + 0.5) / many) for at in range(many)])
    tiles = [np.random.default_rng(seed).permutation(values) for seed in range(16)]
    picture = np.empty((HIGH, WIDE))
    for number, tile in enumerate(tiles):
        picture[number // 4 :: 4, number % 4 :: 4] = tile.reshape(HIGH // 4, WIDE // 4)
    return picture


def noisy(sigma: float, on: GreyImage = GREY) -> GreyImage:
    """A picture that differs from another by such noise."""
    return np.asarray(np.clip(np.rint(on + noise(sigma)), 0, 255), np.uint8)


def measured(*sigmas: float) -> Gate:
    """A gate that saw each of these noises come and go: twice it was the difference of two."""
    gate = Gate()
    gate.look(GREY)
    for sigma in sigmas:
        gate.look(noisy(sigma))
        gate.look(GREY)
    return gate


@pytest.mark.parametrize("sigma", [1.5, 2.0, 3.0, 5.0, 8.0])
def test_the_noise_of_a_camera_is_measured(sigma: float) -> None:
    assert measured(sigma, sigma).noise_levels == pytest.approx(sigma, rel=0.06)


def test_noise_of_less_than_a_level_is_not_told_apart_but_small() -> None:
    """Levels are whole: 0.4 of one is told a little too large, none as the least that there is."""
    assert 0.4 < measured(0.4, 0.4).noise_levels < 0.5
    assert measured(0.0, 0.0).noise_levels == pytest.approx(1.4826 / 4)


def test_the_noise_is_the_middle_one_of_the_last_frames() -> None:
    assert Gate().noise_levels == 0
    assert measured(4.0).noise_levels == 0, "of two frames nothing is known"
    assert measured(6.0, 8.0, 2.0, 4.0).noise_levels == pytest.approx(6.0, rel=0.05)


def test_a_camera_that_is_given_more_light_is_known_to_be_calm_after_eight_frames() -> None:
    """Of the last fifteen, eight are the most."""
    gate = measured(*[3.0] * 8)
    for _ in range(7):
        gate.look(GREY)
    assert gate.noise_levels == pytest.approx(3.0, rel=0.05)
    gate.look(GREY)
    assert gate.noise_levels < 0.5


@pytest.mark.parametrize(("sigma", "frames"), [(1.5, 32), (8.0, 8)])
def test_noise_that_comes_to_a_calm_camera_is_known_after_so_many_frames(
    sigma: float, frames: int
) -> None:
    """At rest one frame of four is measured; each is as soon as anything moves."""
    gate = measured(*[0.0] * 8)
    for number in range(frames - 4):
        gate.look(noisy(sigma) if number % 2 == 0 else GREY)
    assert gate.noise_levels < 1.0
    for number in range(8):
        gate.look(noisy(sigma) if number % 2 == 0 else GREY)
    assert gate.noise_levels == pytest.approx(sigma, rel=0.06)


def test_neither_another_light_nor_what_moves_is_noise() -> None:
    """A lamp makes all of it brighter; a hand covers an eighth of it."""
    lamp, hand = noisy(3.0, np.asarray(GREY + 40, np.uint8)), noisy(3.0)
    hand[:90, :80] = 240
    for other in (lamp, hand):
        gate = Gate()
        for picture in (GREY, other, GREY, other):
            gate.look(picture)
        assert gate.noise_levels == pytest.approx(3.0, rel=0.25)


def test_a_shadow_over_less_than_half_of_the_picture_is_no_noise() -> None:
    """Nor is it taken for the light of the whole."""
    shade = GREY.copy()
    shade[: 2 * len(GREY) // 5] -= 10
    gate = Gate()
    for picture in (GREY, shade, GREY, shade):
        gate.look(picture)
    assert gate.noise_levels < 1.0


def test_another_cameras_noise_is_measured_anew() -> None:
    gate = measured(4.0, 4.0)
    small = np.ascontiguousarray(GREY[:90])
    gate.learn()
    assert gate.look(small).fresh
    assert gate.noise_levels == 0
    assert gate.look(small).fresh, "its table has not settled"


def test_a_camera_is_calm_when_three_frames_say_so() -> None:
    """What differs by six levels would show: half of what is motion."""
    gate = measured(0.0)
    assert not gate.is_calm
    gate.look(GREY)
    assert gate.is_calm
    for sigma, calm in ((1.0, True), (1.4, False)):
        assert measured(sigma, sigma).is_calm is calm


@pytest.mark.parametrize(
    ("sigma", "line", "moved"),
    [
        (2.2, 13, True),  # as it is
        (2.2, 12, False),
        (6.0, 38, True),  # a third of it is 13
        (6.0, 36, False),
        (10.0, 64, True),  # a fifth of it is 13
        (10.0, 60, False),
        (18.0, 110, True),  # of such noise a fifth is 18 five times: a fifth of the line is 22
        (18.0, 80, False),
        (26.0, 123, True),  # 25, and never is more asked for than 24
        (26.0, 119, False),
    ],
)
def test_a_thin_line_shows_as_far_as_the_noise_lets_it(
    sigma: float,
    line: int,
    moved: bool,  # noqa: FBT001
) -> None:
    """A grainy picture is smoothed over three or five pixels, no more than it must be."""
    gate = measured(*[sigma] * 7)
    lined = GREY.copy()
    lined[90] += np.uint8(line)
    assert gate.look(lined).moved is moved


@pytest.mark.parametrize(("sigma", "too_noisy"), [(2.0, False), (22.5, False), (25.5, True)])
def test_a_camera_is_too_noisy_when_even_a_smoothed_picture_is(
    sigma: float,
    too_noisy: bool,  # noqa: FBT001
) -> None:
    assert measured(*[sigma] * 7).is_too_noisy is too_noisy


def test_noise_that_is_averaged_in_the_small_picture_is_no_motion() -> None:
    """Every second pixel of a larger picture by twenty levels: ten where four are one."""
    gate, board = Gate(), np.full((2 * HIGH, 2 * WIDE), 120, np.uint8)
    gate.look(board)
    board[::2, ::2] += np.uint8(20)
    board[1::2, 1::2] += np.uint8(20)
    assert not gate.look(board).moved
