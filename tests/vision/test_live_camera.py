"""Devices that hang, vanish, fail or send half a picture."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from companion.core.errors import CameraError, CameraLost, CameraUnplugged
from vision.camera.frame import Frame, Raw
from vision.camera.live import FROZEN_S, SILENT_S, WAKING_S, LiveCamera

PATIENCE = 300_000
"""Looks for a frame, 2 ms apart: only a test that fails takes so many."""
GREY = np.tile(np.arange(0, 160, dtype=np.uint8), (120, 1))


class Script:
    """A driver at the edge: gives what it is told, waits where it is told to."""

    def __init__(self, *raws: Raw | CameraError | threading.Event) -> None:
        self._raws = iter(raws)
        self.released = threading.Event()

    def grab(self) -> Raw:
        for raw in self._raws:
            if isinstance(raw, threading.Event):
                raw.wait(5.0)
            elif isinstance(raw, CameraError):
                raise raw
            else:
                return raw
        self.released.wait(5.0)
        return GREY

    def release(self) -> None:
        self.released.set()


@pytest.fixture
def film_with() -> Iterator[Callable[..., LiveCamera]]:
    opened: list[tuple[LiveCamera, Script]] = []

    def start(driver: Script, **settings: Any) -> LiveCamera:
        opened.append((LiveCamera("webcam", (160, 120), driver, **settings), driver))
        return opened[-1][0]

    yield start
    for camera, driver in opened:
        driver.released.set()
        camera.close()


def soon(camera: LiveCamera) -> Frame:
    """Wait for the next frame, as the table's loop does."""
    for _ in range(PATIENCE):
        if (frame := camera.read()) is not None:
            return frame
        time.sleep(0.002)
    raise AssertionError("no frame came")


def test_a_device_gives_its_newest_frame(film_with: Callable[..., LiveCamera]) -> None:
    """Reading never waits; what was read is not given twice."""
    camera = film_with(Script(GREY))
    frame = soon(camera)
    assert (frame.number, frame.source, camera.live) == (0, "webcam", True)
    assert (frame.grey == GREY).all()
    assert camera.read() is None


def test_a_torn_frame_is_passed_over(film_with: Callable[..., LiveCamera]) -> None:
    """Webcams send one now and then; the next is a frame again, and numbers have no gap."""
    torn = np.frombuffer(b"\xff\xd8\xff torn", np.uint8)[None]
    more = threading.Event()
    camera = film_with(Script(torn, more, GREY))
    assert all(camera.read() is None for _ in range(20))
    more.set()
    assert soon(camera).number == 0


def test_a_frozen_device_is_lost(film_with: Callable[..., LiveCamera]) -> None:
    """After three seconds; the reader does not hang with it, and learns the way out."""
    now = [100.0]
    hang = threading.Event()
    camera = film_with(Script(GREY, hang, GREY), clock=lambda: now[0])
    soon(camera)
    now[0] += FROZEN_S
    assert camera.read() is None
    now[0] += 0.1
    with pytest.raises(CameraLost, match="webcam gives no picture for 3 s: pull its plug"):
        camera.read()
    hang.set()  # it comes back by itself, and the next read is a frame again
    for _ in range(PATIENCE):
        with suppress(CameraLost):
            if (frame := camera.read()) is not None:
                assert frame.number == 1
                return
        time.sleep(0.002)
    pytest.fail("a camera that thawed gives no frames")


def test_a_device_may_take_its_time_to_wake(film_with: Callable[..., LiveCamera]) -> None:
    """Until the first frame it has six seconds."""
    now = [100.0]
    camera = film_with(Script(threading.Event()), clock=lambda: now[0])
    now[0] += WAKING_S
    assert camera.read() is None
    now[0] += 0.1
    with pytest.raises(CameraLost, match="no picture for 6 s"):
        camera.read()


def test_colours_are_there_for_who_asks(film_with: Callable[..., LiveCamera]) -> None:
    """Else a frame is grey: taught tokens need colours now and then, all else never."""
    yellow = np.full((120, 160, 3), (40, 200, 210), np.uint8)
    frame = soon(film_with(Script(yellow)))
    assert frame.colour is None
    colour = frame.in_colour()
    assert colour is not None
    assert (colour == yellow).all()
    assert frame.in_grey().in_colour() is None


def test_a_device_that_fails_once_more_when_let_go_says_nothing_new(
    film_with: Callable[..., LiveCamera],
) -> None:
    """What it said first counts; an exception out of its thread would be a warning of its own."""

    class Stubborn(Script):
        def release(self) -> None:
            super().release()
            raise RuntimeError("no such camera to stop")

    driver = Stubborn(CameraUnplugged("webcam was unplugged"))
    camera = film_with(driver)
    camera.close()
    with pytest.raises(CameraUnplugged, match="unplugged"):
        camera.read()


def test_an_unplugged_device_is_lost(film_with: Callable[..., LiveCamera]) -> None:
    """What the driver said is what the reader learns, each time it asks; the device is let go."""
    driver = Script(CameraLost("webcam was unplugged"))
    camera = film_with(driver)
    assert driver.released.wait(5.0)
    for _ in range(2):
        with pytest.raises(CameraLost, match="unplugged"):
            camera.read()


def test_a_driver_that_fails_in_its_own_way_is_lost(film_with: Callable[..., LiveCamera]) -> None:
    """A library may raise anything; it ends as a lost camera, not as a dead thread."""

    class Broken(Script):
        def grab(self) -> Raw:
            raise RuntimeError("ioctl failed")

    driver = Broken()
    camera = film_with(driver)
    assert driver.released.wait(5.0)
    with pytest.raises(CameraLost, match="webcam failed: ioctl failed"):
        camera.read()


def test_a_closed_device_is_let_go(film_with: Callable[..., LiveCamera]) -> None:
    """By its own thread; closing twice does no harm."""
    driver = Script(*[GREY] * 3)
    camera = film_with(driver)
    driver.released.set()
    camera.close()
    camera.close()
    assert driver.released.is_set()


def test_a_driver_that_waits_at_an_empty_socket_is_unplugged(
    film_with: Callable[..., LiveCamera],
) -> None:
    """The driver would wait for its picture for seconds; the socket says it at once."""
    now, there = [100.0], [True]
    hang = threading.Event()
    camera = film_with(Script(GREY, hang), clock=lambda: now[0], present=lambda: there[0])
    soon(camera)
    there[0] = False
    now[0] += SILENT_S
    assert camera.read() is None
    now[0] += 0.1
    with pytest.raises(CameraUnplugged, match="webcam was unplugged: plug it in again"):
        camera.read()
    there[0] = True
    assert camera.read() is None
    hang.set()
