"""The table calibrated from the app: the watch goes on, the file is written, troubles are words."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.board import BoardPlan, Pose
from companion.core.errors import BadFile
from companion.core.offers import PictureState
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from tests.patience import PATIENCE_S
from ui.demo.drawn import SteppedClock
from ui.table.calibration import NO_PICTURE, TableCalibration
from ui.table.camera_watch import CameraWatch
from vision.boards.calibrating import READS, Calibrating, Progress, Stage
from vision.boards.place import Calibration
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.table_file.reading import TableSetup, load_table
from vision.table_file.trackers import TableTrackers
from vision.table_file.writing import write_calibration


class Bench:
    """A drawn table, watched, with a file of its own."""

    def __init__(self, path: Path, look: PictureLook | None = None) -> None:
        self.path = path
        clock = SteppedClock(50.0)
        self.table = SimulatedTable(board_plan(), seed=5, look=look, clock=clock, wait=clock.wait)
        self.table.place(JAWS_PLANE, Pose("Paws.PC"))
        self.trackers = TableTrackers(board_plan(), self.setup_of)
        self.watch = CameraWatch(
            lambda: self.table, self.trackers.for_camera, tracker_of=self.trackers.of, clock=clock
        )

    def setup_of(self, plan: BoardPlan) -> TableSetup:
        if not self.path.exists():
            return TableSetup(plan)
        return load_table(self.path, {plan.box: lambda: plan})

    def keep(self, plan: BoardPlan, calibration: Calibration) -> None:
        write_calibration(self.path, plan.box, calibration)

    def calibration(self, plan: BoardPlan | None = None) -> TableCalibration:
        self.watch.step()
        return TableCalibration(
            self.watch,
            plan or board_plan(),
            self.keep,
            camera=self.trackers.camera_name,
            lens=self.trackers.lens,
            day=lambda: "2026-11-21",
        )

    def run(self, calibration: TableCalibration, frames: int = 80) -> int:
        """Frame after frame of the watch, until the calibration is over; how many it took."""
        for number in range(frames):
            calibration.step()
            if not calibration.state.running:
                return number + 1
            self.watch.step()
        return frames


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "table.toml")


@pytest.mark.slow
def test_a_calibration_is_kept_and_followed(bench: Bench) -> None:
    """Ten frames; the file is bound to the camera, and the next tracker knows it."""
    calibration = bench.calibration()
    assert calibration.state.words == "Looking at the table."
    assert bench.run(calibration) == READS
    assert calibration.state.kept
    assert calibration.state.words == "All 6 boards are known."
    setup = bench.setup_of(board_plan())
    assert setup.calibration is not None
    assert (setup.calibration.camera, setup.calibration.made_on) == (bench.table.name, "2026-11-21")
    bench.watch.step()
    assert bench.watch.tracker is not None
    assert len(bench.watch.tracker.view.places) in {0, 6}  # six with the first picture it reads
    assert bench.watch.tracker.view.trouble == ""


@pytest.mark.slow
def test_the_watch_goes_on_meanwhile(bench: Bench) -> None:
    """It settles on the table as it did before."""
    bench.run(bench.calibration())
    for _ in range(60):
        bench.watch.step()
        sighting = bench.watch.sighting
        if sighting is not None and sighting.state is PictureState.SETTLED:
            assert sighting.pieces[JAWS_PLANE].pose == Pose("Paws.PC")
            return
    raise AssertionError("the table did not settle")


def test_progress_is_told_from_the_first_picture_on(bench: Bench) -> None:
    """With a line a board for the screen."""
    calibration = bench.calibration()
    assert calibration.step()
    progress = calibration.state.progress
    assert progress is not None
    assert progress.stage is Stage.STEADYING
    assert len(progress.boards) == 6
    assert not calibration.step()  # the same picture is not looked at twice


def test_a_blurred_picture_keeps_nothing(tmp_path: Path) -> None:
    """It goes on saying so until the lens is turned."""
    bench = Bench(tmp_path / "table.toml", PictureLook(blur_px=4.0))
    calibration = bench.calibration()
    bench.run(calibration, frames=4)
    assert calibration.state.running
    assert calibration.state.words.startswith("Out of focus: turn the lens")
    assert not bench.path.exists()


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_told(bench: Bench) -> None:
    """And the table goes on as before."""
    bench.path = bench.path.parent / "none" / "table.toml"
    calibration = bench.calibration()
    bench.run(calibration)
    assert not calibration.state.running
    assert not calibration.state.kept
    assert "none/table.toml: cannot be written: No such file" in calibration.state.words
    assert bench.watch.step()


def test_a_box_without_corner_markers_is_told(bench: Bench) -> None:
    """By its name."""
    bare = tuple(replace(board, corners=None) for board in board_plan().boards)
    calibration = bench.calibration(replace(board_plan(), boards=bare))
    bench.run(calibration)
    assert calibration.state.words.startswith("no board of jaws-and-paws has corner markers")


@pytest.mark.slow
def test_on_its_own_thread_it_ends_by_itself(bench: Bench) -> None:
    """Nobody waits for it; what was torn before is written anew only if it can be read."""
    calibration = bench.calibration()
    calibration.start()
    for _ in range(400):
        bench.watch.step()
        if not calibration.state.running:
            break
        calibration.join(0.01)
    assert calibration.state.kept


def test_it_can_be_left(bench: Bench) -> None:
    """Nothing is kept."""
    calibration = bench.calibration()
    calibration.start()
    calibration.cancel()
    calibration.join()
    assert not calibration.state.running
    assert not bench.path.exists()


def test_without_a_picture_it_says_so(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Within the minute."""
    monkeypatch.setattr("ui.table.calibration.MOST_S", 0.05)
    calibration = TableCalibration(bench.watch, board_plan(), bench.keep)
    calibration.start()
    calibration.join()
    assert calibration.state.words == NO_PICTURE


@pytest.mark.slow
def test_a_torn_file_is_not_overwritten(bench: Bench) -> None:
    """It may hold more than a calibration."""
    calibration = bench.calibration()
    bench.path.write_text("box = ", "utf-8")
    bench.run(calibration)
    assert "is no TOML" in calibration.state.words
    assert bench.path.read_text("utf-8") == "box = "
    with pytest.raises(BadFile):
        bench.setup_of(board_plan())


@pytest.mark.slow
def test_one_that_was_left_while_it_wrote_leaves_the_watch_alone(bench: Bench) -> None:
    """Another box may be looked for by then: the watch is not turned back."""
    bench.watch.step()
    field = battlefield_plan(assumed_figures())
    calibration: TableCalibration

    def leave_and_keep(plan: BoardPlan, found: Calibration) -> None:
        bench.keep(plan, found)  # a slow card: meanwhile the match is left and another begun
        calibration.cancel()
        bench.watch.look_for(field)

    calibration = TableCalibration(bench.watch, board_plan(), leave_and_keep)
    bench.run(calibration)
    bench.watch.step()
    assert bench.watch.tracker is not None
    assert bench.watch.tracker.plan.box == "dogfight-1917"


@pytest.mark.slow
def test_one_that_was_left_at_its_last_picture_writes_nothing(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Left while that picture was looked at: the file and the watch stay as they were."""
    calibration = bench.calibration()
    look = Calibrating.look

    def look_and_be_left(self: Calibrating, frame: Frame) -> Progress:
        progress = look(self, frame)
        if progress.stage.over:
            calibration.cancel()
        return progress

    monkeypatch.setattr(Calibrating, "look", look_and_be_left)
    bench.run(calibration, frames=READS + 2)
    assert not bench.path.exists()
    assert not calibration.state.kept


@pytest.mark.slow
def test_a_fault_of_any_kind_ends_it_with_words(bench: Bench) -> None:
    """It does not stay running for ever: it can be begun anew."""

    def broken(_: BoardPlan, __: Calibration) -> None:
        raise RecursionError("too deep")

    bench.watch.step()
    calibration = TableCalibration(bench.watch, board_plan(), broken)
    bench.run(calibration)
    assert not calibration.state.running
    assert "too deep" in calibration.state.words
    assert "calibrate again" in calibration.state.words


def test_with_pictures_that_never_do_it_ends_within_the_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And says what was wrong with them."""
    bench = Bench(tmp_path / "table.toml", PictureLook(blur_px=4.0))
    calibration = bench.calibration()
    calibration.step()
    monkeypatch.setattr("ui.table.calibration.MOST_S", 0.05)
    calibration.start()
    until = time.monotonic() + PATIENCE_S
    while calibration.state.running and time.monotonic() < until:
        bench.watch.step()
    assert not calibration.state.running
    assert calibration.state.words.startswith("Out of focus: turn the lens")
    assert "calibrate again" in calibration.state.words
