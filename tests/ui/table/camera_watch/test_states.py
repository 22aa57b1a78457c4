"""The camera watched: every way it can go is a state with an age."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.core.board import Piece, Pose
from companion.core.errors import CameraError
from companion.core.offers import PictureState, Sighting
from companion.games.dogfight_1917.boards import board_plan as hex_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from tests.patience import PATIENCE_S
from ui.demo.drawn import SteppedClock
from ui.scene.values import DeviceState
from ui.table.camera_watch import CameraWatch
from vision.camera.camera import Camera, open_camera
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker

WatchOf = Callable[[Callable[[], Camera], SteppedClock], CameraWatch]
Settle = Callable[[CameraWatch], Sighting]


def test_a_camera_is_live_with_its_first_frame_and_ages(
    watch: CameraWatch, clock: SteppedClock
) -> None:
    """Absent before it was opened; live by a fresh frame alone; stale after a second."""
    assert watch.device(clock()).state is DeviceState.ABSENT
    assert watch.step()
    live = watch.device(clock())
    assert (live.state, live.age_s) == (DeviceState.LIVE, 0.0)
    clock.wait(1.5)
    stale = watch.device(clock())
    assert (stale.state, stale.age_s) == (DeviceState.STALE, 1.5)


def test_each_new_sighting_is_told_once(watch: CameraWatch, settle: Settle) -> None:
    """A still table says nothing twice."""
    told: list[Sighting] = []
    watch.listeners.append(told.append)
    settled = settle(watch)
    count = len(told)
    assert told[-1] is settled
    for _ in range(20):
        watch.step()
    assert len(told) == count


def test_a_cable_that_is_pulled_is_lost_and_comes_back(
    watch: CameraWatch, drawn: SimulatedTable, clock: SteppedClock, settle: Settle
) -> None:
    """Lost with its words, blind meanwhile; tried again by itself after a while."""
    told: list[Sighting] = []
    watch.listeners.append(told.append)
    settle(watch)
    drawn.unplug()
    assert not watch.step()
    lost = watch.device(clock())
    assert lost.state is DeviceState.LOST
    assert "unplugged" in lost.text
    assert told[-1].state is PictureState.BLIND
    drawn.plug_in()
    assert not watch.step(), "it is not tried at every frame"
    clock.wait(2.1)
    assert watch.step()
    assert watch.device(clock()).state is DeviceState.LIVE
    assert settle(watch).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


def test_retry_tries_at_once(
    watch: CameraWatch, drawn: SimulatedTable, clock: SteppedClock
) -> None:
    """The banner's key."""
    watch.step()
    drawn.unplug()
    watch.step()
    drawn.plug_in()
    watch.retry()
    assert watch.step()
    assert watch.device(clock()).state is DeviceState.LIVE


def test_a_camera_that_cannot_be_opened_is_absent_with_the_reason(
    clock: SteppedClock, watch_of: WatchOf
) -> None:
    """Never an exception, and no frame."""

    def missing() -> Camera:
        raise CameraError("/dev/video7 does not exist: plug the camera in")

    watch = watch_of(missing, clock)
    assert not watch.step()
    device = watch.device(clock())
    assert device.state is DeviceState.ABSENT
    assert "/dev/video7" in device.text


def test_a_camera_that_gives_nothing_is_frozen_and_opened_again(
    clock: SteppedClock, watch_of: WatchOf
) -> None:
    """A camera may take six seconds to wake; it is named after three, then tried afresh."""
    opened: list[Frozen] = []

    class Frozen:
        """A device that hangs."""

        name, size_px, live = "frozen", (640, 360), True

        def __init__(self) -> None:
            self.closed = False
            opened.append(self)

        def read(self) -> None:
            return None

        def close(self) -> None:
            self.closed = True

    watch = watch_of(Frozen, clock)
    watch.step()
    assert watch.device(clock()).state is DeviceState.FOUND
    clock.wait(3.1)
    watch.step()
    assert "no first picture for 3 s" in watch.device(clock()).text
    clock.wait(3.0)
    watch.step()
    assert opened[0].closed
    assert "no picture for 6 s" in watch.device(clock()).text
    clock.wait(2.1)
    watch.step()
    assert len(opened) == 2


def test_a_folder_of_pictures_ends_and_says_so(
    tmp_path: Path, clock: SteppedClock, watch_of: WatchOf
) -> None:
    """A film or folder is a camera too, until its last picture."""
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((360, 640, 3), 90, np.uint8))
    watch = watch_of(lambda: open_camera(str(tmp_path)), clock)
    assert [watch.step() for _ in range(3)] == [True, True, False]
    assert watch.device(clock()).text == "Film at its end"


def test_before_the_table_has_settled_no_boards_are_no_finding(
    tmp_path: Path, clock: SteppedClock, watch_of: WatchOf
) -> None:
    """In the first seconds nothing was read yet: it says that it looks, not that none is there."""
    cv2.imwrite(str(tmp_path / "1.png"), np.full((360, 640, 3), 90, np.uint8))
    watch = watch_of(lambda: open_camera(str(tmp_path)), clock)
    watch.step()
    assert watch.device(clock()).text.endswith(", looks for the boards")


def test_a_thread_watches_until_it_is_closed() -> None:
    """On real time; once closed it reads no frame more."""
    drawn = SimulatedTable(
        board_plan(), 5, (640, 360), clock=time.monotonic, wait=time.sleep, fps=60.0
    )
    watch = CameraWatch(lambda: drawn, lambda _: Tracker(board_plan()))
    seen = threading.Event()
    watch.listeners.append(lambda _: seen.set())
    watch.start()
    assert seen.wait(PATIENCE_S)
    watch.close()
    last = watch.frame
    time.sleep(0.1)
    assert watch.frame is last


def test_a_match_of_another_box_is_looked_for_by_its_own_boards(
    clock: SteppedClock, settle: Settle
) -> None:
    """The pieces of the box on the table are seen, whichever the camera began with."""
    plan = hex_plan(assumed_figures())
    drawn = SimulatedTable(plan, seed=5, size_px=(1280, 720), clock=clock, wait=clock.wait)
    camel, stands = Piece("camel"), Pose("0,-1", 0)
    drawn.place(camel, stands)
    watch = CameraWatch(
        lambda: drawn, lambda _: Tracker(board_plan()), tracker_of=Tracker, clock=clock
    )
    for _ in range(20):
        watch.step()
    assert watch.sighting is not None
    assert camel not in watch.sighting.pieces
    watch.look_for(plan)
    assert watch.sighting is None
    assert settle(watch).pieces[camel].pose == stands


def test_who_cannot_look_for_other_boards_goes_on_as_before(
    watch: CameraWatch, settle: Settle
) -> None:
    """As the demonstration, which knows its box from the beginning."""
    seen = settle(watch)
    watch.look_for(hex_plan(assumed_figures()))
    assert watch.sighting is seen
    watch.step()
    assert watch.tracker is not None
    assert watch.tracker.plan == board_plan()
