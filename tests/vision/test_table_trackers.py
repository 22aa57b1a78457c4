"""The app's trackers: the table's file where it fits the camera, and play goes on where not."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.board import BoardPlan
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import board_plan
from vision.boards.calibrating import READS, Calibrating
from vision.boards.place import Calibration
from vision.drawing.table import SimulatedTable
from vision.markers.reading import MarkerReader, MarkerSeen
from vision.table_file.reading import TableSetup, load_table
from vision.table_file.trackers import TableTrackers
from vision.table_file.writing import write_calibration

JAWS_PILOT = "Jaws Pilot View"


@pytest.fixture
def table() -> SimulatedTable:
    return SimulatedTable(board_plan(), seed=6, size_px=(1280, 720))


@pytest.fixture(scope="module")
def calibration() -> Calibration:
    """What was found out before that camera."""
    table = SimulatedTable(board_plan(), seed=6, size_px=(1280, 720))
    calibrating = Calibrating(table.plan, table.name, table.lens)
    for _ in range(READS):
        calibrating.look(table.read())
    return calibrating.result("2026-11-21")


@pytest.fixture
def path(calibration: Calibration, tmp_path: Path) -> Path:
    """A table's file that keeps it."""
    place = tmp_path / "table.toml"
    write_calibration(place, board_plan().box, calibration)
    return place


def corner_of(table: SimulatedTable) -> list[MarkerSeen]:
    """One corner marker in its picture: enough to know calibrated boards again, and no others."""
    first = next(iter(table.plan.boards[0].corners or ()))
    markers = MarkerReader(table.plan.dictionary).read(table.read().grey)
    return [marker for marker in markers if marker.id == first]


def trackers_of(path: Path, told: list[str]) -> TableTrackers:
    def setup_of(plan: BoardPlan) -> TableSetup:
        return load_table(path, {"jaws-and-paws": board_plan, plan.box: lambda: plan})

    return TableTrackers(board_plan(), setup_of, told.append)


def test_the_camera_it_was_calibrated_with_knows_every_board(
    table: SimulatedTable, path: Path
) -> None:
    """From the first corner in sight on, with the lens that was measured."""
    told: list[str] = []
    tracker = trackers_of(path, told).for_camera(table)
    tracker.view.look(corner_of(table), table.size_px)
    assert set(tracker.view.places) == {board.name for board in table.plan.boards}
    assert tracker.view.lens is not None
    assert not tracker.view.lens.assumed
    assert (tracker.view.trouble, told) == ("", [])


def test_another_camera_is_refused_and_play_goes_on(path: Path) -> None:
    """Said once, with the way out; boards are found by their markers."""
    told: list[str] = []
    other = SimulatedTable(board_plan(), seed=7)
    trackers = trackers_of(path, told)
    trackers.for_camera(other)
    tracker = trackers.for_camera(other)
    tracker.view.look(corner_of(other), other.size_px)
    assert not tracker.view.places
    (words,) = told
    assert words == trackers.trouble == tracker.view.trouble
    assert "simulated-table-6, and this is simulated-table-7: plug that one in" in words


def test_another_size_is_refused(path: Path) -> None:
    """What the driver gives, whatever was asked of it."""
    told: list[str] = []
    trackers_of(path, told).for_camera(SimulatedTable(board_plan(), 6, (1920, 1080)))
    assert "at 1280 x 720 and the pictures are 1920 x 1080" in told[0]


def test_another_box_keeps_the_lens(table: SimulatedTable, path: Path) -> None:
    """The same camera looks at it; where its boards lie is not known."""
    trackers = trackers_of(path, [])
    trackers.for_camera(table)
    plan = battlefield_plan(assumed_figures())
    tracker = trackers.of(plan)
    tracker.view.look(corner_of(table), table.size_px)
    assert tracker.plan == plan
    assert not tracker.view.places
    assert tracker.view.lens is not None
    assert tracker.view.lens.focal_px == pytest.approx(table.lens.focal_px, abs=0.001)


@pytest.mark.parametrize("content", ["box = ", 'box = "jaws-and-paws"\nlens = 3', "\x00"])
def test_a_torn_file_keeps_nobody_from_playing(
    content: str, table: SimulatedTable, path: Path
) -> None:
    """It is named; the box is looked at as it is printed."""
    path.write_text(content, "utf-8")
    told: list[str] = []
    tracker = trackers_of(path, told).for_camera(table)
    assert tracker.plan == board_plan()
    assert told[0].startswith(str(path))
    assert tracker.view.trouble == told[0]


def test_without_a_file_there_is_nothing_to_refuse(table: SimulatedTable) -> None:
    """As it is on the first day."""
    trackers = TableTrackers(board_plan())
    assert trackers.for_camera(table).view.trouble == ""
    assert trackers.trouble == ""
