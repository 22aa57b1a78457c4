"""Frame to sighting beside one raw full-frame marker detection on the same frame."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from vision.camera.frame import Frame
from vision.drawing.table import SimulatedTable
from vision.tracking.tracker import Tracker

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

STILL_AIM = 0.07
MOVED_AIM = 0.15
DRAWING_AIM = 1.0
"""Shares of the raw detection's time."""

STILL_FRAMES = 60
MOVES = 12
FRAMES_TO_SETTLE = 6
"""The frame that moves, and five quiet ones; the last of them gives the sighting."""


@dataclass(frozen=True)
class Flight:
    """A table, and the poses that one of its pieces is moved between."""

    table: SimulatedTable
    piece: Piece
    poses: tuple[Pose, ...]


Size = tuple[int, int]


def jaws_and_paws(size_px: Size) -> Flight:
    """The whole table of Jaws & Paws: 16 corner markers, three tokens, some cards."""
    table = SimulatedTable(board_plan(), 7001, size_px)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    table.place(PAWS_PLANE, Pose("Jaws.PR"))
    table.place(SUN, Pose("Jaws.GL"))
    table.lay({"Jaws.1": ["P"], "Paws.3": ["G"]})
    return Flight(table, JAWS_PLANE, (Pose("Paws.PL"), Pose("Paws.GR"), Pose("Paws.PC")))


def dogfight_1917(size_px: Size) -> Flight:
    """Dogfight: 1917: 4 corner markers, four planes, 61 hexes, six facings, dice beside."""
    plan = replace(battlefield_plan(assumed_figures()), dice_mm=16.0)
    table = SimulatedTable(plan, 7002, size_px)
    table.roll([2, 5, 6], ["white", "black"])
    for token, space in zip(plan.tokens, ("0,4", "0,-4", "-4,0", "4,0"), strict=True):
        table.place(token.piece, Pose(space, 1))
    return Flight(table, plan.tokens[0].piece, (Pose("-1,4", 0), Pose("-1,2", 1), Pose("2,1", 5)))


@pytest.fixture(params=[(1280, 720), (1920, 1080)], ids=["720p", "1080p"])
def size_px(request: pytest.FixtureRequest) -> Size:
    """The two sizes that cameras over tables have."""
    size: Size = request.param
    return size


@pytest.fixture(autouse=True, params=[1, 2], ids=["one thread", "two threads"])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """So many threads for OpenCV, and as many as before afterwards."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(request.param)
    yield request.param
    cv2.setNumThreads(before)


@pytest.fixture(params=[jaws_and_paws, dogfight_1917], ids=lambda make: make.__name__)
def flight(request: pytest.FixtureRequest, size_px: Size) -> Flight:
    """One table of each kind."""
    made: Flight = request.param(size_px)
    return made


Compared = Callable[[str, float, float, float], bool]
"""Adds a row to the table: what was done, our seconds, those of a raw detection, the share."""


@pytest.fixture
def compared(request: pytest.FixtureRequest, threads: int, table_of_speeds: Table) -> Compared:
    """Rows that name the table, its size and the threads."""
    flight, size = request.getfixturevalue("flight"), request.getfixturevalue("size_px")
    where = f"{flight.table.plan.box} {size[1]}p, threads {threads}"

    def add(name: str, ours_s: float, raw_s: float, limit: float) -> bool:
        return table_of_speeds.at_most(f"{where}: {name}", 1e3 * ours_s, 1e3 * raw_s, limit, "ms")

    return add


@pytest.fixture
def table(flight: Flight) -> SimulatedTable:
    return flight.table


@pytest.fixture
def tracker(table: SimulatedTable) -> Tracker:
    """A tracker for which the table lies settled, dice and all: they are read after the rest."""
    tracker = Tracker(table.plan, table.lens)
    while tracker.see(table.read()).state is not PictureState.SETTLED or tracker.reads_dice:
        pass
    return tracker


@pytest.fixture
def raw() -> Callable[[Frame], object]:
    """OpenCV's detector as it comes, on the same grey picture."""
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    detector = cv2.aruco.ArucoDetector(codes)
    return lambda frame: detector.detectMarkers(frame.grey)


def seconds(call: Callable[[Frame], object], frame: Frame) -> float:
    """How much a processor works for a call on a frame: on a busy machine a clock says little."""
    start = time.process_time()
    call(frame)
    return time.process_time() - start


def test_a_still_table_costs_next_to_nothing(
    table: SimulatedTable, tracker: Tracker, raw: Callable[[Frame], object], compared: Compared
) -> None:
    """Three seconds of nothing, the check every other second among them."""
    frames = [table.read() for _ in range(STILL_FRAMES)]
    pairs = [(seconds(tracker.see, frame), seconds(raw, frame)) for frame in frames]
    ours, theirs = (statistics.median(taken) for taken in zip(*pairs, strict=True))
    assert compared("still table", ours, theirs, STILL_AIM)


def test_a_moved_token_costs_little(
    flight: Flight, tracker: Tracker, raw: Callable[[Frame], object], compared: Compared
) -> None:
    """From the frame that moves to the sighting, the mean of a frame; and the dearest of them."""
    ours: list[list[float]] = [[] for _ in range(FRAMES_TO_SETTLE)]
    theirs: list[float] = []
    for move in range(MOVES):
        pose = flight.poses[move % len(flight.poses)]
        flight.table.place(flight.piece, pose)
        for times in ours:
            frame = flight.table.read()
            theirs.append(seconds(raw, frame))
            times.append(seconds(tracker.see, frame))
        last = tracker.see(flight.table.read())
        assert last.state is PictureState.SETTLED
        assert last.pieces[flight.piece].pose == pose
    medians = [statistics.median(times) for times in ours]
    raw_s = statistics.median(theirs)
    mean = compared("moved token, the mean of a frame", statistics.fmean(medians), raw_s, MOVED_AIM)
    dearest = compared("moved token, the dearest frame", max(medians), raw_s, MOVED_AIM)
    assert mean
    assert dearest


def test_drawing_a_frame_is_no_dearer_than_reading_one(
    table: SimulatedTable, raw: Callable[[Frame], object], compared: Compared
) -> None:
    """The drawn table keeps up with any camera: a still frame costs less than a raw detection."""
    pairs: list[tuple[float, float]] = []
    for _ in range(30):
        start = time.process_time()
        frame = table.read()
        pairs.append((time.process_time() - start, seconds(raw, frame)))
    ours, theirs = (statistics.median(taken) for taken in zip(*pairs, strict=True))
    assert compared("drawing a frame", ours, theirs, DRAWING_AIM)
