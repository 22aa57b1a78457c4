"""What pictures tell of their camera: frozen, dark, of another size; nothing where all is well."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from companion.games.jaws_and_paws.boards import board_plan
from vision.camera.frame import Frame
from vision.camera.live import FROZEN_S
from vision.camera.source import DARK_S, CameraFault, PictureHealth, Trouble
from vision.drawing.table import SimulatedTable

FPS = 20


@pytest.fixture
def noise() -> Callable[[float], np.ndarray]:
    """Grey pictures of a level with a sensor's noise, none like the other."""
    chance = np.random.default_rng(4)

    def picture(level: float) -> np.ndarray:
        return np.clip(chance.normal(level, 2.5, (240, 320)), 0, 255).astype(np.uint8)

    return picture


def told(health: PictureHealth, pictures: Iterator[np.ndarray]) -> list[Trouble | None]:
    return [health.look(Frame(grey, n / FPS, n)) for n, grey in enumerate(pictures)]


def first(troubles: list[Trouble | None], fault: CameraFault) -> float:
    """When a fault was told first, s."""
    return next(n / FPS for n, one in enumerate(troubles) if one and one.fault is fault)


def test_a_camera_that_does_well_is_told_nothing_of() -> None:
    """A drawn table at its usual light, a minute of it."""
    table = SimulatedTable(board_plan(), seed=3, size_px=(640, 360))
    health = PictureHealth((640, 360))
    assert not any(health.look(table.read()) for _ in range(200))


def test_the_same_picture_over_and_over_is_frozen(noise: Callable[[float], np.ndarray]) -> None:
    """Bit for bit for three seconds, not a frame sooner; one other picture and it is well."""
    stuck = noise(120)
    health = PictureHealth()
    troubles = told(health, (stuck for _ in range(FPS * 4)))
    assert first(troubles, CameraFault.FROZEN) == FROZEN_S
    assert health.look(Frame(noise(120), 4.0, 80)) is None


def test_a_drawing_may_repeat_itself(noise: Callable[[float], np.ndarray]) -> None:
    """Where that is said."""
    stuck = noise(120)
    assert not any(told(PictureHealth(repeats=False), (stuck for _ in range(FPS * 4))))


@pytest.mark.parametrize("level", [0, 8, 18])
def test_a_cap_or_no_lamp_is_dark(noise: Callable[[float], np.ndarray], level: int) -> None:
    """Named within a second, and not for a hand that passes before the lens."""
    health = PictureHealth()
    troubles = told(health, (noise(level) for _ in range(FPS)))
    assert DARK_S <= first(troubles, CameraFault.DARK) <= 0.6
    assert health.look(Frame(noise(90), 2.0, 40)) is None


@pytest.mark.parametrize("light", [0.3, 0.5, 1.3])
def test_a_dim_room_is_not_dark(light: float) -> None:
    """As long as the white of markers stands out, the table is read."""
    table = SimulatedTable(board_plan(), seed=3, size_px=(640, 360))
    table.light(light)
    health = PictureHealth()
    assert not any(health.look(table.read()) for _ in range(FPS))


def test_another_size_is_told_with_both() -> None:
    """Pictures are read all the same: the fault does not blind."""
    health = PictureHealth((1280, 720))
    trouble = health.look(Frame(np.full((480, 640), 90, np.uint8), 0.0, 0))
    assert trouble == Trouble(CameraFault.OTHER_SIZE, "640 x 480 instead of 1280 x 720")
    assert not CameraFault.OTHER_SIZE.blinds
    seeing = {fault for fault in CameraFault if not fault.blinds}
    assert seeing == {CameraFault.OTHER_SIZE, CameraFault.OTHER_CAMERA, CameraFault.UNHEARD}
