"""A drawn table, a camera whose plug can be pulled, and a watch over them, on a stepped clock."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.core.board import Pose
from companion.core.offers import PictureState, Sighting
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from ui.demo.drawn import SteppedClock
from ui.table.camera_watch import CameraWatch
from vision.camera.camera import Camera
from vision.camera.scripted import CameraRig
from vision.camera.source import CameraSource
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker


@pytest.fixture
def clock() -> SteppedClock:
    return SteppedClock(50.0)


@pytest.fixture
def drawn(clock: SteppedClock) -> SimulatedTable:
    """A drawn table with one plane on it, on a stepped clock."""
    table = SimulatedTable(board_plan(), seed=5, size_px=(960, 540), clock=clock, wait=clock.wait)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    return table


@pytest.fixture
def watch(drawn: SimulatedTable, clock: SteppedClock) -> CameraWatch:
    return _watch(lambda: drawn, clock)


@pytest.fixture
def rig(drawn: SimulatedTable) -> CameraRig:
    return CameraRig(drawn, name="usb-Acme-video-index0")


@pytest.fixture
def rigged(rig: CameraRig, clock: SteppedClock) -> CameraWatch:
    """A watch that has settled on the rig's picture."""
    watch = _watch(CameraSource("usb", wanted_px=(960, 540), opener=rig.open), clock)
    _settle(watch)
    return watch


@pytest.fixture
def watch_of() -> Callable[[Callable[[], Camera], SteppedClock], CameraWatch]:
    """A watch over whatever camera a test has."""
    return _watch


@pytest.fixture
def settle() -> Callable[[CameraWatch], Sighting]:
    """Pictures until the table is settled; fails where sixty do not settle it."""
    return _settle


@pytest.fixture
def until() -> Callable[..., float]:
    """Seconds until the camera's alarm is the one that is told ("": none)."""
    return _until


def _watch(source: Callable[[], Camera], clock: SteppedClock) -> CameraWatch:
    return CameraWatch(source, lambda _: Tracker(board_plan()), clock=clock)


def _settle(watch: CameraWatch) -> Sighting:
    for _ in range(60):
        watch.step()
        if watch.sighting is not None and watch.sighting.state is PictureState.SETTLED:
            return watch.sighting
    raise AssertionError(f"not settled within 60 frames: {watch.sighting}")


def _until(watch: CameraWatch, clock: SteppedClock, alarm: str, most_s: float = 10.0) -> float:
    start = clock()
    while clock() - start <= most_s:
        if watch.device(clock()).alarm == alarm:
            return clock() - start
        before = clock()
        watch.step()
        if clock() == before:
            clock.wait(0.05)
    raise AssertionError(f"no {alarm!r} within {most_s} s: {watch.device(clock())}")
