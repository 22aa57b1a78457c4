"""Reading markers and pieces, beside OpenCV's detector with its defaults on the same grey frame."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import pytest

from companion.core.board import BoardPlan, Piece, Pose, Token
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from vision.boards.view import TableView
from vision.camera.frame import Frame
from vision.drawing.table import SimulatedTable
from vision.markers.memory import MARGIN_SIDES, around
from vision.markers.reading import MarkerReader, MarkerSeen
from vision.tracking.observation import observe

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

ROUNDS = 11
FIRST_TOKEN = 100
TOKENS = 16

AIMS = {
    "full search": 0.70,
    "all sixteen tokens": 0.30,
    "all sixteen tokens, to their spaces": 0.30,
    "one token's crop": 0.08,
    "markers to pieces, boards remembered": 0.15,
    "markers to pieces, boards found anew": 0.25,
}
"""Medians over the median of raw `detectMarkers`, all taken in turn."""


def sixteen() -> BoardPlan:
    """A hex board with sixteen tokens."""
    plan = board_plan(assumed_figures())
    tokens = tuple(Token(Piece(f"plane-{n}"), f"Plane {n}", FIRST_TOKEN + n) for n in range(TOKENS))
    return replace(plan, tokens=tokens)


PLAN = sixteen()


@pytest.fixture(scope="module", params=[(1280, 720), (1920, 1080)], ids=["720p", "1080p"])
def frame(request: pytest.FixtureRequest) -> Frame:
    """The whole table with its sixteen tokens and four corner markers."""
    table = SimulatedTable(PLAN, 7101, request.param)
    hexes = [space.name for space in PLAN.boards[0].spaces]
    for token, space in zip(PLAN.tokens, hexes[1::3], strict=False):
        table.place(token.piece, Pose(space, 1))
    return table.read()


@pytest.fixture(params=[1, 2], ids=["one thread", "two threads"])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    """So many threads for OpenCV, and as many as before afterwards."""
    before = cv2.getNumThreads()
    cv2.setNumThreads(request.param)
    yield request.param
    cv2.setNumThreads(before)


def in_play() -> set[int]:
    """The ids of all tokens and corners, as the tracker has them."""
    corners = (marker for board in PLAN.boards for marker in board.corners or {})
    return {*corners, *(token.marker for token in PLAN.tokens)}


def raw_detection(frame: Frame) -> Callable[[], object]:
    """What the ratios are taken of."""
    codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, f"DICT_{PLAN.dictionary}"))
    detector = cv2.aruco.ArucoDetector(codes, cv2.aruco.DetectorParameters())
    return lambda: detector.detectMarkers(frame.grey)


def ours(frame: Frame) -> Mapping[str, Callable[[], object]]:
    """The steps from a frame to its pieces."""
    reader, view = MarkerReader(PLAN.dictionary, in_play()), TableView(PLAN)
    markers = reader.read(frame.grey)
    observe(frame, markers, view)
    anew = TableView(PLAN, view.lens)
    boards = [one for one in markers if one.id < FIRST_TOKEN]
    crops = [around(one, MARGIN_SIDES) for one in markers if one.id >= FIRST_TOKEN]
    assert len(crops) == TOKENS
    return {
        "full search": lambda: reader.read(frame.grey),
        "all sixteen tokens": lambda: reader.read_crops(frame.grey, crops),
        "all sixteen tokens, to their spaces": lambda: observe(
            frame, (*boards, *reader.read_crops(frame.grey, crops)), view
        ),
        "one token's crop": lambda: reader.read(frame.grey, crops[0]),
        "markers to pieces, boards remembered": lambda: observe(frame, markers, view),
        "markers to pieces, boards found anew": lambda: _found_anew(frame, markers, anew),
    }


def _found_anew(frame: Frame, markers: Sequence[MarkerSeen], view: TableView) -> object:
    view.forget()
    return observe(frame, markers, view)


def medians_s(steps: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """Each step in turn, round after round, so that all meet the same load.

    Work of the processor is counted, of all threads: on a busy machine a clock says little.
    """
    taken: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(ROUNDS):
        for name, step in steps.items():
            began = time.process_time()
            step()
            taken[name].append(time.process_time() - began)
    return {name: statistics.median(times) for name, times in taken.items()}


def test_reading_costs_a_share_of_raw_detection(
    frame: Frame, threads: int, table_of_speeds: Table
) -> None:
    """One frame, all steps, the same thread count: ratios are compared, never times."""
    steps = {"raw": raw_detection(frame), **ours(frame)}
    tokens = steps["all sixteen tokens"]()
    assert isinstance(tokens, tuple)
    assert len(tokens) == TOKENS
    taken = {name: 1e3 * median for name, median in medians_s(steps).items()}
    where = f"{frame.size_px[1]}p, threads {threads}"
    held = [
        table_of_speeds.at_most(f"{where}: {name}", taken[name], taken["raw"], aim, "ms")
        for name, aim in AIMS.items()
    ]
    assert all(held)
