"""Whatever fails, the thread that watches the camera goes on, and the screen has words."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import Sighting
from companion.games.dogfight_1917.boards import board_plan as hex_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from tests.patience import PATIENCE_S
from ui.demo.drawn import SteppedClock
from ui.scene.values import DeviceState
from ui.table.camera_watch import CameraWatch
from vision.camera.camera import Camera, open_camera
from vision.camera.frame import Frame
from vision.camera.scripted import CameraRig
from vision.drawing.table import SimulatedTable
from vision.looks.boards import PATCH_MM, PX_PER_MM, EmptyBoards
from vision.looks.look import TaughtLook
from vision.looks.taught import TaughtReader
from vision.tracking.tracker import Tracker

WatchOf = Callable[[Callable[[], Camera], SteppedClock], CameraWatch]
Settle = Callable[[CameraWatch], Sighting]
Until = Callable[..., float]


class Hostile:
    """A camera over a drawn table of which every part may fail in a way of its own."""

    live = True

    def __init__(self, drawn: SimulatedTable) -> None:
        self.drawn, self.name, self.size_px = drawn, drawn.name, drawn.size_px
        self.opens: Exception | None = None
        self.reads: Exception | None = None
        self.closes: Exception | None = None
        self.tracked: Exception | None = None
        self.opened = 0

    def open(self) -> Camera:
        self.opened += 1
        return self._unless(self.opens)

    def tracker(self, camera: Camera) -> Tracker:
        del camera
        self._unless(self.tracked)
        return Tracker(board_plan())

    def read(self) -> Any:
        return self._unless(self.reads).drawn.read()

    def close(self) -> None:
        self._unless(self.closes)

    def _unless(self, fault: Exception | None) -> Hostile:
        if fault is not None:
            raise fault
        return self


FAULTS: dict[str, tuple[dict[str, Exception], str]] = {
    "a bare OSError of the opener": ({"opens": OSError(19, "No such device")}, "No such device"),
    "a fault of its library": ({"opens": RuntimeError("no backend")}, "no backend"),
    "a tracker that cannot be made": ({"tracked": RecursionError("too deep")}, "too deep"),
    "a driver's own fault": ({"reads": ValueError("ioctl")}, "ioctl"),
    "a close that fails too": (
        {"reads": OSError(5, "Input/output error"), "closes": OSError(5, "again")},
        "Input/output error",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_ends_the_watch(
    drawn: SimulatedTable, clock: SteppedClock, fault: str, settle: Settle, until: Until
) -> None:
    """It is said in words within a second, and once it is over the table is read again."""
    failing, words = FAULTS[fault]
    hostile = Hostile(drawn)
    watch = CameraWatch(hostile.open, hostile.tracker, clock=clock)
    for part, error in failing.items():
        setattr(hostile, part, copy(error))  # an error that was raised keeps the table
    assert until(watch, clock, "Camera failed") <= 1.0
    assert words in watch.device(clock()).text
    tried = hostile.opened
    for _ in range(40):
        watch.step()
        clock.wait(0.1)
    assert tried < hostile.opened <= tried + 9, "twice a second, and not at every look"
    hostile.opens = hostile.reads = hostile.closes = hostile.tracked = None
    assert until(watch, clock, "") <= 2.5
    assert settle(watch).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_ends_its_thread(drawn: SimulatedTable, fault: str) -> None:
    """On real time: the thread is there, and the words are on the screen."""
    hostile = Hostile(drawn)
    watch = CameraWatch(hostile.open, hostile.tracker)
    for part, error in FAULTS[fault][0].items():
        setattr(hostile, part, copy(error))  # an error that was raised keeps the table
    watch.start()
    alarm, deadline = "", time.monotonic() + PATIENCE_S
    while alarm != "Camera failed" and time.monotonic() < deadline:
        time.sleep(0.01)  # where the machine stalls, the first word may be "frozen"
        alarm = watch.device(time.monotonic()).alarm
    assert alarm == "Camera failed"
    assert any(thread.name == "camera" for thread in threading.enumerate())
    watch.close()


def test_who_fails_to_take_a_sighting_is_told_again(
    rigged: CameraWatch, drawn: SimulatedTable, clock: SteppedClock, settle: Settle, until: Until
) -> None:
    """The others are told all the same; it is said, and the camera is none the worse."""
    told: list[Sighting] = []
    failing = [True]

    def fails(sighting: Sighting) -> None:
        if failing:
            raise ZeroDivisionError("a listener's own fault")
        told.append(sighting)

    heard: list[Sighting] = []
    rigged.listeners += [fails, heard.append]
    drawn.place(JAWS_PLANE, Pose("Paws.GL"))
    assert until(rigged, clock, "Sight is not passed on") <= 1.0
    device = rigged.device(clock())
    assert (device.state, "a listener's own fault" in device.text) == (DeviceState.LIVE, True)
    settled = settle(rigged)
    assert heard[-1] is settled
    assert len(heard) == len({id(one) for one in heard}), "who took it is not told twice"
    failing.clear()
    rigged.step()
    assert told[-1] is rigged.sighting
    assert not rigged.device(clock()).alarm


def test_of_boards_that_nobody_looks_for_any_more_nobody_is_told(clock: SteppedClock) -> None:
    """A new match begins while the thread is in the middle of a picture of the old one."""
    drawn = SimulatedTable(board_plan(), seed=5, size_px=(960, 540), clock=clock)

    class Interrupted(Tracker):
        """A tracker in the middle of whose picture somebody begins a match."""

        def see_all(self, frame: Frame) -> Sighting:
            seen = super().see_all(frame)
            interrupted.look_for(hex_plan(assumed_figures()))
            return seen

    interrupted = CameraWatch(
        lambda: drawn, lambda _: Interrupted(board_plan()), tracker_of=Tracker, clock=clock
    )
    told: list[Sighting] = []
    interrupted.listeners.append(told.append)
    interrupted.step()
    assert (told, interrupted.sighting) == ([], None)
    interrupted.step()
    assert told
    assert all(JAWS_PLANE not in sighting.pieces for sighting in told)


def test_a_film_is_begun_anew_by_who_wants_it(
    tmp_path: Path, clock: SteppedClock, watch_of: WatchOf
) -> None:
    """Not by itself, again and again; and a torn picture in a folder is passed over."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((360, 640, 3), 90, np.uint8))
    (tmp_path / "1.png").write_bytes(b"torn")
    watch = watch_of(lambda: open_camera(str(tmp_path)), clock)
    assert watch.step()
    assert watch.step()
    assert "1.png is no picture" in watch.device(clock()).text
    assert watch.step()
    assert not watch.device(clock()).alarm
    for _ in range(30):
        assert not watch.step()
        clock.wait(0.2)
    assert watch.device(clock()).alarm == "Film at its end"
    watch.retry()
    assert watch.step()
    assert not watch.device(clock()).alarm


@pytest.mark.slow
def test_tokens_are_known_by_their_looks_in_colour(
    drawn: SimulatedTable, rig: CameraRig, clock: SteppedClock, settle: Settle
) -> None:
    """A live camera gives grey pictures; where looks are read they are asked for their colours."""
    asked: list[int] = []

    class Coloured(Hostile):
        def read(self) -> Any:
            frame = drawn.read()
            return replace(frame, colour=None, undeveloped=partial(self._developed, frame))

        def _developed(self, frame: Frame) -> Any:
            asked.append(frame.number)
            return frame.colour

    plan = board_plan()
    coloured = Coloured(drawn)
    watch = CameraWatch(coloured.open, coloured.tracker, clock=clock)
    settle(watch)
    assert watch.frame is not None
    assert (watch.frame.colour, asked) == (None, []), "no look was taught: nobody asks"
    assert watch.tracker is not None
    empty = EmptyBoards(8.0)
    empty.learn(watch.frame, watch.tracker.view.places)
    assert set(asked) == {watch.frame.number}
    side_px = round(PATCH_MM * PX_PER_MM)
    look = TaughtLook(
        Piece("sun"),
        np.zeros((side_px, side_px, 3), np.float32),
        np.ones((side_px, side_px), bool),
        500.0,
        headed=False,
    )
    watch.tracker.taught = TaughtReader(plan, empty, (look,))
    asked.clear()
    drawn.place(JAWS_PLANE, Pose("Paws.GL"))
    for _ in range(60):
        watch.step()
    assert len(set(asked)) == 1, "once, when the table has come to rest"
