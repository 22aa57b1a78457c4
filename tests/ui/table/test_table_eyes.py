"""The table's own file in the app: beside the settings or where they say, read and written."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from companion.core.board import BoardPlan, Pose
from companion.core.offers import PictureState
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from tests.patience import PATIENCE_S
from ui.demo.drawn import SteppedClock
from ui.screens.beside.table_check import calibration_refusal
from ui.table import TABLE_FILE_NAME
from ui.table.camera_watch import CameraWatch
from ui.table.eyes import ShownEyes, TableEyes
from ui.terminal.setting_up import plans
from vision.drawing.table import PictureLook, SimulatedTable
from vision.looks.teaching import Shown, Teaching
from vision.markers.reading import MarkerReader, MarkerSeen


@pytest.fixture
def table() -> SimulatedTable:
    clock = SteppedClock(50.0)
    return SimulatedTable(board_plan(), seed=5, clock=clock, wait=clock.wait)


def corner_of(table: SimulatedTable) -> list[MarkerSeen]:
    """One corner marker in its picture: enough to know calibrated boards again, and no others."""
    first = next(iter(table.plan.boards[0].corners or ()))
    markers = MarkerReader(table.plan.dictionary).read(table.read().grey)
    return [marker for marker in markers if marker.id == first]


def eyes_of(folder: Path, named: str = "") -> TableEyes:
    return TableEyes(folder, named, plans(), board_plan(), day=lambda: "2026-11-21")


def watching(eyes: TableEyes, table: SimulatedTable) -> CameraWatch:
    trackers = eyes.trackers
    return CameraWatch(lambda: table, trackers.for_camera, tracker_of=trackers.of)


def calibrated(eyes: TableEyes, watch: CameraWatch, plan: BoardPlan | None = None) -> None:
    """Run a calibration to its end."""
    plan = plan or board_plan()
    watch.look_for(plan)
    watch.step()
    eyes.calibrate(watch, plan)
    until = time.monotonic() + PATIENCE_S
    while eyes.calibration is not None and eyes.calibration.running and time.monotonic() < until:
        watch.step()
    assert eyes.calibration is not None
    assert eyes.calibration.kept, eyes.calibration.words


def test_a_calibration_goes_beside_the_settings_and_is_read_from_there(
    tmp_path: Path, table: SimulatedTable
) -> None:
    """Nobody has to name a file; the next start knows every board at once."""
    first = eyes_of(tmp_path)
    calibrated(first, watching(first, table))
    assert (tmp_path / TABLE_FILE_NAME).exists()
    later = eyes_of(tmp_path)
    tracker = later.trackers.for_camera(table)
    tracker.view.look(corner_of(table), table.size_px)
    assert len(tracker.view.places) == 6
    assert later.trackers.trouble == ""


@pytest.mark.slow
def test_the_file_that_the_settings_name_is_the_one(tmp_path: Path, table: SimulatedTable) -> None:
    """For reading and for writing."""
    named = tmp_path / "club.toml"
    named.write_text('# the club\nbox = "jaws-and-paws"\n[heights_mm]\nsun = 2.0\n', "utf-8")
    eyes = eyes_of(tmp_path, str(named))
    calibrated(eyes, watching(eyes, table))
    assert named.read_text("utf-8").startswith("# the club")
    assert "[calibration]" in named.read_text("utf-8")
    assert not (tmp_path / TABLE_FILE_NAME).exists()


def test_a_named_file_that_is_not_there_is_told(tmp_path: Path, table: SimulatedTable) -> None:
    """One that nobody named is not missed."""
    told: list[str] = []
    TableEyes(tmp_path, "", plans(), board_plan(), tell=told.append).trackers.for_camera(table)
    assert told == []
    missing = str(tmp_path / "none.toml")
    TableEyes(tmp_path, missing, plans(), board_plan(), tell=told.append).trackers.for_camera(table)
    assert told == [f"{missing}: cannot be read: No such file or directory"]


@pytest.mark.slow
def test_another_box_is_played_by_the_same_file(tmp_path: Path, table: SimulatedTable) -> None:
    """Its boards are found by their markers."""
    eyes = eyes_of(tmp_path)
    calibrated(eyes, watching(eyes, table))
    tracker = eyes.trackers.of(battlefield_plan(assumed_figures()))
    assert tracker.plan.box == "dogfight-1917"
    assert eyes.trackers.trouble == ""


@pytest.mark.slow
def test_each_box_that_is_calibrated_has_a_file_of_its_own(
    tmp_path: Path, table: SimulatedTable
) -> None:
    """The second one's goes beside the first one's; both are read again, each by its box."""
    eyes = eyes_of(tmp_path)
    calibrated(eyes, watching(eyes, table))
    field = battlefield_plan(assumed_figures())
    clock = SteppedClock(50.0)
    other = SimulatedTable(field, seed=5, clock=clock, wait=clock.wait)
    calibrated(eyes, watching(eyes, other), field)
    assert {path.name for path in tmp_path.iterdir()} == {
        TABLE_FILE_NAME,
        "table-dogfight-1917.toml",
    }
    told: list[str] = []
    later = TableEyes(tmp_path, "", plans(), board_plan(), tell=told.append)
    for drawn, plan in ((table, board_plan()), (other, field), (table, board_plan())):
        later.trackers.for_camera(drawn)
        tracker = later.trackers.of(plan)
        tracker.view.look(corner_of(drawn), drawn.size_px)
        assert set(tracker.view.places) == {board.name for board in plan.boards}
    assert told == []


@pytest.mark.slow
def test_a_file_of_more_teams_keeps_no_other_box_from_playing(
    tmp_path: Path, table: SimulatedTable
) -> None:
    """Its boards are not those of the box as it is usually laid out."""
    words = 'box = "dogfight-1917"\n[boards."Battlefield of four"]\ncorner_side_mm = 30.0\n'
    (tmp_path / TABLE_FILE_NAME).write_text(words, "utf-8")
    eyes = eyes_of(tmp_path)
    assert eyes.trackers.for_camera(table).plan == board_plan()
    assert eyes.trackers.trouble == ""
    calibrated(eyes, watching(eyes, table))
    assert (tmp_path / TABLE_FILE_NAME).read_text("utf-8") == words


@pytest.mark.slow
def test_a_calibration_of_another_camera_is_told_once_and_made_anew(
    tmp_path: Path, table: SimulatedTable
) -> None:
    """The boards are found by their markers meanwhile; Calibrate puts it right."""
    first = eyes_of(tmp_path)
    calibrated(first, watching(first, table))
    path = tmp_path / TABLE_FILE_NAME
    path.write_text(path.read_text("utf-8").replace(table.name, "usb-Other-index0"), "utf-8")
    told: list[str] = []
    eyes = TableEyes(tmp_path, "", plans(), board_plan(), tell=told.append)
    watch = watching(eyes, table)
    for _ in range(14):
        watch.step()
    assert len(told) == 1
    assert "was calibrated with the camera usb-Other-index0, and this is" in told[0]
    refusal = calibration_refusal(eyes.state)
    assert refusal is not None
    assert "tap Calibrate" in refusal.way_out
    assert watch.tracker is not None
    assert len(watch.tracker.view.places) == 6
    assert eyes.trackers.calibration is None
    calibrated(eyes, watch)
    for _ in range(30):
        watch.step()
    assert len(told) == 1
    assert eyes.state.trouble == ""
    assert "usb-Other" not in path.read_text("utf-8")
    assert watch.sighting is not None
    assert watch.sighting.state is PictureState.SETTLED


def test_a_calibration_is_begun_once_and_put_away(tmp_path: Path, table: SimulatedTable) -> None:
    """A second touch while it runs begins no other; leaving the screen leaves it."""
    eyes = eyes_of(tmp_path)
    watch = watching(eyes, table)
    assert eyes.calibration is None
    eyes.calibrate(watch, board_plan())
    first = eyes._calibration
    eyes.calibrate(watch, board_plan())
    assert eyes._calibration is first
    eyes.put_away()
    assert eyes.calibration is None
    assert not (tmp_path / TABLE_FILE_NAME).exists()


@pytest.mark.slow
def test_taught_tokens_are_read_in_the_app_and_bad_looks_are_told(tmp_path: Path) -> None:
    """By the folder beside the table's file; what is wrong with it keeps nobody from playing."""
    clock = SteppedClock(50.0)
    plan = board_plan()
    drawn = SimulatedTable(plan, 4, clock=clock, wait=clock.wait, look=PictureLook(stickers=False))
    told: list[str] = []
    eyes = TableEyes(tmp_path, "", plans(), plan, tell=told.append)
    watch = watching(eyes, drawn)
    for _ in range(26):
        watch.step()
    teaching = Teaching(plan, eyes.looks_folder(plan.box))
    for placed in (False, True):
        if placed:
            drawn.place(JAWS_PLANE, Pose("Paws.PC"), heading_deg=0.0)
        watch.step()
        assert watch.tracker is not None
        assert watch.frame is not None
        teaching.learn(Shown(watch.frame, watch.tracker.view.places, watch.tracker.markers))
    watch.look_for(plan)
    for _ in range(60):
        watch.step()
    assert watch.sighting is not None
    assert watch.sighting.pieces[JAWS_PLANE].pose == Pose("Paws.PC")
    assert set(eyes.state.looks.by_look) == {JAWS_PLANE}
    (eyes.looks_folder(plan.box) / "looks.toml").write_text("box = [", "utf-8")
    assert eyes.trackers.of(plan).taught is None
    assert len(told) == 1
    assert "is no TOML" in told[0]


def test_a_camera_plugged_in_again_is_the_one_that_is_known(
    tmp_path: Path, table: SimulatedTable
) -> None:
    """Also after a match has begun: its name is what a calibration is kept for."""
    eyes = eyes_of(tmp_path)
    clock = SteppedClock(80.0)
    cameras = [table, SimulatedTable(board_plan(), seed=6, clock=clock, wait=clock.wait)]
    trackers = eyes.trackers
    watch = CameraWatch(
        lambda: cameras[0], trackers.for_camera, tracker_of=trackers.of, clock=clock
    )
    watch.look_for(board_plan())
    watch.step()
    watch.step()
    assert trackers._camera is cameras[0]
    watch._let_go()
    del cameras[0]
    watch.step()
    assert trackers._camera is cameras[0]


# Pictures for screens: when one asks, and let go afterwards.


def test_no_picture_is_drawn_before_a_screen_asks(tmp_path: Path, table: SimulatedTable) -> None:
    """The camera watches all along; what screens show of it is worked out when one asks."""
    watch = watching(eyes_of(tmp_path), table)
    shown = ShownEyes()
    assert shown.picture(watch, 50.0) is None, "nothing is seen yet"
    for _ in range(8):
        watch.step()
        shown.tick(watch, 50.0)
    assert watch.shown is None
    assert watch.frame is not None
    raw = shown.picture(watch, watch.frame.taken_at)
    flat = shown.flat(watch, 0, watch.frame.taken_at)
    assert raw is not None
    assert flat is not None
    assert raw.size_px == table.size_px
    assert flat.number == raw.number
    assert shown.picture(watch, watch.frame.taken_at) is raw, "one and the same is drawn once"
