"""What can go wrong with a camera, by a rig whose plug can be pulled: named in time, and mended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.board import Pose
from companion.core.offers import PictureState, Sighting
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from ui.demo.drawn import SteppedClock
from ui.scene.values import DeviceState
from ui.table.camera_watch import CameraWatch
from vision.camera.camera import Camera
from vision.camera.scripted import CameraRig
from vision.camera.source import CameraSource
from vision.drawing.table import SimulatedTable

WatchOf = Callable[[Callable[[], Camera], SteppedClock], CameraWatch]
Settle = Callable[[CameraWatch], Sighting]
Until = Callable[..., float]


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(
    ("change", "alarm", "within_s"),
    [
        ({"plugged": False}, "Camera unplugged", 1.0),
        ({"plugged": False, "held_by": "cheese (4711)"}, "Camera unplugged", 1.0),
        ({"frozen": True}, "Camera frozen", 4.0),
        ({"repeating": True}, "Camera frozen", 4.0),
        ({"capped": True}, "Camera in the dark", 1.0),
        ({"name": "usb-Other-video-index0"}, "Camera unplugged", 1.0),
    ],
)
def test_each_fault_is_named_in_time_and_blinds(
    rigged: CameraWatch, rig: CameraRig, clock: SteppedClock, change: dict[str, Any],
    alarm: str, within_s: float, until: Until
) -> None:  # fmt: skip
    """Within a second of what can be known; frozen by four. Nothing seen counts meanwhile."""
    for name, value in change.items():
        setattr(rig, name, value)
    assert until(rigged, clock, alarm) <= within_s
    assert rigged.device(clock()).state is DeviceState.LOST
    assert rigged.device(clock()).way_out
    assert rigged.sighting is not None
    assert rigged.sighting.state is PictureState.BLIND


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("name", ["plugged", "frozen", "repeating", "capped"])
def test_each_fault_mends_by_itself(
    rigged: CameraWatch,
    rig: CameraRig,
    clock: SteppedClock,
    name: str,
    settle: Settle,
    until: Until,
) -> None:
    """Nobody touches anything: the camera is opened again and the plane is where it stood."""
    setattr(rig, name, name != "plugged")
    for _ in range(100):
        rigged.step()
        clock.wait(0.05)
    assert rigged.device(clock()).alarm
    setattr(rig, name, name == "plugged")
    assert until(rigged, clock, "") <= 2.5
    assert settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


def test_a_busy_camera_is_named_with_the_program_and_taken_when_free(
    rig: CameraRig, clock: SteppedClock, watch_of: WatchOf
) -> None:
    """Also where the table was never seen."""
    rig.held_by = "cheese (4711)"
    watch = watch_of(CameraSource("usb", opener=rig.open), clock)
    assert not watch.step()
    device = watch.device(clock())
    assert (device.state, device.alarm) == (DeviceState.ABSENT, "Camera in use")
    assert "cheese (4711)" in device.text
    rig.held_by = ""
    clock.wait(2.1)
    assert watch.step()


def test_another_size_is_named_and_read(
    rigged: CameraWatch, rig: CameraRig, clock: SteppedClock, settle: Settle, until: Until
) -> None:
    """The picture is of use, so the camera is not lost; both sizes are said."""
    rig.gives_px = (640, 360)
    assert until(rigged, clock, "Camera gives another size") <= 1.0
    device = rigged.device(clock())
    assert (device.state, "640 x 360 instead of 960 x 540" in device.text) == (
        DeviceState.LIVE,
        True,
    )
    assert settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


def test_another_camera_is_named_until_somebody_takes_it(
    rigged: CameraWatch, rig: CameraRig, clock: SteppedClock, until: Until
) -> None:
    """It looks at the same table, yet its lens was not measured."""
    rig.name = "usb-Other-video-index0"
    assert until(rigged, clock, "Another camera") <= 3.0
    assert "usb-Other-video-index0, not usb-Acme" in rigged.device(clock()).text
    assert rigged.device(clock()).state is DeviceState.LIVE
    rigged.retry()
    assert until(rigged, clock, "") <= 0.5


def test_a_driver_that_never_returns_is_named_by_who_looks(
    clock: SteppedClock, watch_of: WatchOf
) -> None:
    """The thread that watches hangs with it; the screen says so all the same."""
    drawn = SimulatedTable(board_plan(), seed=5, size_px=(320, 180), clock=clock)
    watch = watch_of(lambda: drawn, clock)
    watch.step()
    clock.wait(3.6)
    device = watch.device(clock())
    assert (device.state, device.alarm) == (DeviceState.LOST, "Camera frozen")
    watch.step()
    assert not watch.device(clock()).alarm


def test_a_picture_that_breaks_the_reader_does_not_end_the_watch(
    rigged: CameraWatch, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch, until: Until
) -> None:
    """A fault of ours is a fault of the camera's line, and the next picture is read again."""
    assert rigged.tracker is not None
    with monkeypatch.context() as broken:
        broken.setattr(rigged.tracker, "see", lambda _: 1 / 0)
        assert until(rigged, clock, "Camera failed") <= 1.0
        assert "ZeroDivisionError" in rigged.device(clock()).text
    assert until(rigged, clock, "") <= 1.0


def test_a_hand_that_rests_is_spoken_of(
    rigged: CameraWatch, drawn: SimulatedTable, clock: SteppedClock, settle: Settle, until: Until
) -> None:
    """After ten seconds; gone with the hand. Nothing is lost by it."""
    drawn.hand_rest(20 * 15, over="Paws.PC")
    assert 10.0 <= until(rigged, clock, "A hand rests over the table", 20.0) <= 13.0
    assert rigged.device(clock()).state is DeviceState.LIVE
    assert until(rigged, clock, "", 20.0) <= 8.0
    assert settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


@pytest.mark.slow
def test_a_nudged_board_is_named_for_a_while(
    rigged: CameraWatch, drawn: SimulatedTable, clock: SteppedClock, settle: Settle, until: Until
) -> None:
    """It is followed: the plane on it keeps its zone."""
    drawn.nudge("Paws Pilot View", 9.0, 4.0)
    assert until(rigged, clock, "Paws Pilot View was moved (10 mm)") <= 1.5
    assert settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")
    assert until(rigged, clock, "", 20.0) <= 10.0
