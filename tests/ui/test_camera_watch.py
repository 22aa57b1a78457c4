"""The camera watched: every way it can go is a state with an age, and it comes back by itself."""

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

from companion.board import Piece, Pose
from companion.errors import CameraError
from companion.games.dogfight_1917.boards import board_plan as hex_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from companion.offers import PictureState, Sighting
from ui.camera_watch import CameraWatch
from ui.paces import SteppedClock
from ui.presenters.common import DeviceState
from vision.camera import Camera, open_camera
from vision.camera_source import CameraSource
from vision.empty_boards import EmptyBoards
from vision.frame import Frame
from vision.scripted_camera import CameraRig
from vision.simulated_table import SimulatedTable
from vision.taught import TaughtReader
from vision.token_look import TaughtLook
from vision.tracker import Tracker


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


def _watch(source: Callable[[], Camera], clock: SteppedClock) -> CameraWatch:
    return CameraWatch(source, lambda _: Tracker(board_plan()), clock=clock)


def _settle(watch: CameraWatch, frames: int = 60) -> Sighting:
    for _ in range(frames):
        watch.step()
        if watch.sighting is not None and watch.sighting.state is PictureState.SETTLED:
            return watch.sighting
    raise AssertionError(f"not settled within {frames} frames: {watch.sighting}")


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


def test_each_new_sighting_is_told_once(watch: CameraWatch) -> None:
    """A still table says nothing twice."""
    told: list[Sighting] = []
    watch.listeners.append(told.append)
    settled = _settle(watch)
    count = len(told)
    assert told[-1] is settled
    for _ in range(20):
        watch.step()
    assert len(told) == count


def test_a_cable_that_is_pulled_is_lost_and_comes_back(
    watch: CameraWatch, drawn: SimulatedTable, clock: SteppedClock
) -> None:
    """Lost with its words, blind meanwhile; tried again by itself after a while."""
    told: list[Sighting] = []
    watch.listeners.append(told.append)
    _settle(watch)
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
    assert _settle(watch).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


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


def test_a_camera_that_cannot_be_opened_is_absent_with_the_reason(clock: SteppedClock) -> None:
    """Never an exception, and no frame."""

    def missing() -> Camera:
        raise CameraError("/dev/video7 does not exist: plug the camera in")

    watch = _watch(missing, clock)
    assert not watch.step()
    device = watch.device(clock())
    assert device.state is DeviceState.ABSENT
    assert "/dev/video7" in device.text


def test_a_camera_that_gives_nothing_is_frozen_and_opened_again(clock: SteppedClock) -> None:
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

    watch = _watch(Frozen, clock)
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


def test_a_folder_of_pictures_ends_and_says_so(tmp_path: Path, clock: SteppedClock) -> None:
    """A film or folder is a camera too, until its last picture."""
    for number in range(2):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((360, 640, 3), 90, np.uint8))
    watch = _watch(lambda: open_camera(str(tmp_path)), clock)
    assert [watch.step() for _ in range(3)] == [True, True, False]
    assert "has ended" in watch.device(clock()).text


def test_a_thread_watches_until_it_is_closed() -> None:
    """On real time; once closed it reads no frame more."""
    drawn = SimulatedTable(
        board_plan(), 5, (640, 360), clock=time.monotonic, wait=time.sleep, fps=60.0
    )
    watch = CameraWatch(lambda: drawn, lambda _: Tracker(board_plan()))
    seen = threading.Event()
    watch.listeners.append(lambda _: seen.set())
    watch.start()
    assert seen.wait(10.0)
    watch.close()
    last = watch.frame
    time.sleep(0.1)
    assert watch.frame is last


def test_a_match_of_another_box_is_looked_for_by_its_own_boards(clock: SteppedClock) -> None:
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
    assert _settle(watch).pieces[camel].pose == stands


def test_who_cannot_look_for_other_boards_goes_on_as_before(watch: CameraWatch) -> None:
    """As the demonstration, which knows its box from the beginning."""
    seen = _settle(watch)
    watch.look_for(hex_plan(assumed_figures()))
    assert watch.sighting is seen
    watch.step()
    assert watch.tracker is not None
    assert watch.tracker.plan == board_plan()


# -- what can go wrong with a camera, by a rig whose plug can be pulled ----------------------------


@pytest.fixture
def rig(drawn: SimulatedTable) -> CameraRig:
    return CameraRig(drawn, name="usb-Acme-video-index0")


@pytest.fixture
def rigged(rig: CameraRig, clock: SteppedClock) -> CameraWatch:
    """A watch that has settled on the rig's picture."""
    watch = _watch(CameraSource("usb", wanted_px=(960, 540), opener=rig.open), clock)
    _settle(watch)
    return watch


def _until(watch: CameraWatch, clock: SteppedClock, alarm: str, most_s: float = 10.0) -> float:
    """Seconds until the camera's alarm is this one ("": none)."""
    start = clock()
    while clock() - start <= most_s:
        if watch.device(clock()).alarm == alarm:
            return clock() - start
        before = clock()
        watch.step()
        if clock() == before:
            clock.wait(0.05)
    raise AssertionError(f"no {alarm!r} within {most_s} s: {watch.device(clock())}")


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
    alarm: str, within_s: float,
) -> None:  # fmt: skip
    """Within a second of what can be known; frozen by four. Nothing seen counts meanwhile."""
    for name, value in change.items():
        setattr(rig, name, value)
    assert _until(rigged, clock, alarm) <= within_s
    assert rigged.device(clock()).state is DeviceState.LOST
    assert rigged.device(clock()).way_out
    assert rigged.sighting is not None
    assert rigged.sighting.state is PictureState.BLIND


@pytest.mark.parametrize("name", ["plugged", "frozen", "repeating", "capped"])
def test_each_fault_mends_by_itself(
    rigged: CameraWatch, rig: CameraRig, clock: SteppedClock, name: str
) -> None:
    """Nobody touches anything: the camera is opened again and the plane is where it stood."""
    setattr(rig, name, name != "plugged")
    for _ in range(100):
        rigged.step()
        clock.wait(0.05)
    assert rigged.device(clock()).alarm
    setattr(rig, name, name == "plugged")
    assert _until(rigged, clock, "") <= 2.5
    assert _settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


def test_a_busy_camera_is_named_with_the_program_and_taken_when_free(
    rig: CameraRig, clock: SteppedClock
) -> None:
    """Also where the table was never seen."""
    rig.held_by = "cheese (4711)"
    watch = _watch(CameraSource("usb", opener=rig.open), clock)
    assert not watch.step()
    device = watch.device(clock())
    assert (device.state, device.alarm) == (DeviceState.ABSENT, "Camera in use")
    assert "cheese (4711)" in device.text
    rig.held_by = ""
    clock.wait(2.1)
    assert watch.step()


def test_another_size_is_named_and_read(
    rigged: CameraWatch, rig: CameraRig, clock: SteppedClock
) -> None:
    """The picture is of use, so the camera is not lost; both sizes are said."""
    rig.gives_px = (640, 360)
    assert _until(rigged, clock, "Camera gives another size") <= 1.0
    device = rigged.device(clock())
    assert (device.state, "640 x 360 instead of 960 x 540" in device.text) == (
        DeviceState.LIVE,
        True,
    )
    assert _settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


def test_another_camera_is_named_until_somebody_takes_it(
    rigged: CameraWatch, rig: CameraRig, clock: SteppedClock
) -> None:
    """It looks at the same table, yet its lens was not measured."""
    rig.name = "usb-Other-video-index0"
    assert _until(rigged, clock, "Another camera") <= 3.0
    assert "usb-Other-video-index0, not usb-Acme" in rigged.device(clock()).text
    assert rigged.device(clock()).state is DeviceState.LIVE
    rigged.retry()
    assert _until(rigged, clock, "") <= 0.5


def test_a_driver_that_never_returns_is_named_by_who_looks(clock: SteppedClock) -> None:
    """The thread that watches hangs with it; the screen says so all the same."""
    drawn = SimulatedTable(board_plan(), seed=5, size_px=(320, 180), clock=clock)
    watch = _watch(lambda: drawn, clock)
    watch.step()
    clock.wait(3.6)
    device = watch.device(clock())
    assert (device.state, device.alarm) == (DeviceState.LOST, "Camera frozen")
    watch.step()
    assert not watch.device(clock()).alarm


def test_a_picture_that_breaks_the_reader_does_not_end_the_watch(
    rigged: CameraWatch, clock: SteppedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours is a fault of the camera's line, and the next picture is read again."""
    assert rigged.tracker is not None
    with monkeypatch.context() as broken:
        broken.setattr(rigged.tracker, "see", lambda _: 1 / 0)
        assert _until(rigged, clock, "Camera failed") <= 1.0
        assert "ZeroDivisionError" in rigged.device(clock()).text
    assert _until(rigged, clock, "") <= 1.0


def test_a_hand_that_rests_is_spoken_of(
    rigged: CameraWatch, drawn: SimulatedTable, clock: SteppedClock
) -> None:
    """After ten seconds; gone with the hand. Nothing is lost by it."""
    drawn.hand_rest(20 * 15, over="Paws.PC")
    assert 10.0 <= _until(rigged, clock, "A hand rests over the table", 20.0) <= 13.0
    assert rigged.device(clock()).state is DeviceState.LIVE
    assert _until(rigged, clock, "", 20.0) <= 8.0
    assert _settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


def test_a_nudged_board_is_named_for_a_while(
    rigged: CameraWatch, drawn: SimulatedTable, clock: SteppedClock
) -> None:
    """It is followed: the plane on it keeps its zone."""
    drawn.nudge("Paws Pilot View", 9.0, 4.0)
    assert _until(rigged, clock, "Paws Pilot View was moved (10 mm)") <= 1.5
    assert _settle(rigged).pieces[JAWS_PLANE].pose == Pose("Paws.PC")
    assert _until(rigged, clock, "", 20.0) <= 10.0


# -- whatever fails, the thread goes on ------------------------------------------------------------


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
def test_no_fault_ends_the_watch(drawn: SimulatedTable, clock: SteppedClock, fault: str) -> None:
    """It is said in words within a second, and once it is over the table is read again."""
    failing, words = FAULTS[fault]
    hostile = Hostile(drawn)
    watch = CameraWatch(hostile.open, hostile.tracker, clock=clock)
    for part, error in failing.items():
        setattr(hostile, part, copy(error))  # an error that was raised keeps the table
    assert _until(watch, clock, "Camera failed") <= 1.0
    assert words in watch.device(clock()).text
    tried = hostile.opened
    for _ in range(40):
        watch.step()
        clock.wait(0.1)
    assert tried < hostile.opened <= tried + 9, "twice a second, and not at every look"
    hostile.opens = hostile.reads = hostile.closes = hostile.tracked = None
    assert _until(watch, clock, "") <= 2.5
    assert _settle(watch).pieces[JAWS_PLANE].pose == Pose("Paws.PC")


@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_ends_its_thread(drawn: SimulatedTable, fault: str) -> None:
    """On real time: the thread is there, and the words are on the screen."""
    hostile = Hostile(drawn)
    watch = CameraWatch(hostile.open, hostile.tracker)
    for part, error in FAULTS[fault][0].items():
        setattr(hostile, part, copy(error))  # an error that was raised keeps the table
    watch.start()
    alarm, deadline = "", time.monotonic() + 5.0
    while alarm != "Camera failed" and time.monotonic() < deadline:
        time.sleep(0.01)  # where the machine stalls, the first word may be "frozen"
        alarm = watch.device(time.monotonic()).alarm
    assert alarm == "Camera failed"
    assert any(thread.name == "camera" for thread in threading.enumerate())
    watch.close()


def test_who_fails_to_take_a_sighting_is_told_again(
    rigged: CameraWatch, drawn: SimulatedTable, clock: SteppedClock
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
    assert _until(rigged, clock, "Sight is not passed on") <= 1.0
    device = rigged.device(clock())
    assert (device.state, "a listener's own fault" in device.text) == (DeviceState.LIVE, True)
    settled = _settle(rigged)
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


def test_a_film_is_begun_anew_by_who_wants_it(tmp_path: Path, clock: SteppedClock) -> None:
    """Not by itself, again and again; and a torn picture in a folder is passed over."""
    for number in range(3):
        cv2.imwrite(str(tmp_path / f"{number}.png"), np.full((360, 640, 3), 90, np.uint8))
    (tmp_path / "1.png").write_bytes(b"torn")
    watch = _watch(lambda: open_camera(str(tmp_path)), clock)
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


# -- colours, for who asks ---------------------------------------------------------------------


def test_tokens_are_known_by_their_looks_in_colour(
    drawn: SimulatedTable, rig: CameraRig, clock: SteppedClock
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
    _settle(watch)
    assert watch.frame is not None
    assert (watch.frame.colour, asked) == (None, []), "no look was taught: nobody asks"
    assert watch.tracker is not None
    empty = EmptyBoards(8.0)
    empty.learn(watch.frame, watch.tracker.view.places)
    assert set(asked) == {watch.frame.number}
    look = TaughtLook(
        Piece("sun"),
        np.zeros((55, 55, 3), np.float32),
        np.ones((55, 55), bool),
        500.0,
        headed=False,
    )
    watch.tracker.taught = TaughtReader(plan, empty, (look,))
    asked.clear()
    drawn.place(JAWS_PLANE, Pose("Paws.GL"))
    for _ in range(60):
        watch.step()
    assert len(set(asked)) == 1, "once, when the table has come to rest"
