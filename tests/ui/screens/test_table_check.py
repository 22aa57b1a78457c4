"""The table check: what the camera knows of the boards, and the key that finds them anew."""

from __future__ import annotations

import gc
import time
import weakref
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.core.board import Pose
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, board_plan
from companion.match.rulebook import Setup
from companion.record.record import Record
from tests.ui.screens.test_whole_words import cut
from ui.demo.drawn import SteppedClock
from ui.scene.theme import Light, Theme
from ui.scene.values import Key, Line, Mark
from ui.scene.words import BY_LOOK
from ui.screens.beside.table_check import KEEP, PICTURES, STOP, TableCheckState
from ui.screens.registry import present
from ui.table.calibration import CalibrationState, EyesState
from ui.table.camera_watch import CameraWatch
from ui.table.eyes import UNSEEN_S, TableEyes
from ui.table.lesson import LooksState
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.terminal.app import run
from ui.terminal.setting_up import plans
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from vision.boards.calibrating import BoardCheck, Progress, Quality, Stage
from vision.drawing.table import SimulatedTable
from vision.looks.taught import LookReading


class Desk:
    """A table with a drawn camera, at its table check."""

    def __init__(self, folder: Path) -> None:
        self.clock = SteppedClock(1000.0)
        self.drawn = SimulatedTable(board_plan(), 5, clock=self.clock, wait=self.clock.wait)
        self.drawn.place(JAWS_PLANE, Pose("Paws.PC"))
        self.eyes = TableEyes(folder, "", plans(), board_plan(), day=lambda: "2026-11-21")
        self.sticks: list[Path] = []
        self.eyes.sticks = lambda: self.sticks
        trackers = self.eyes.trackers
        self.watch = CameraWatch(
            lambda: self.drawn, trackers.for_camera, tracker_of=trackers.of, clock=self.clock
        )
        self.table = Table(
            Record.open(folder / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            watch=self.watch,
            eyes=self.eyes,
            clock=self.clock,
        )
        self.table.new_match(Setup("jaws-and-paws", ("day",)))
        self.watch.step()

    def check(self, eyes: EyesState | None = None) -> TableCheckState:
        situation = self.table.situation()
        shown = present(replace(situation, eyes=eyes) if eyes is not None else situation, View())
        assert isinstance(shown, TableCheckState)
        return shown

    def line(self, eyes: EyesState | None = None) -> Line:
        (line,) = (line for line in self.check(eyes).lines if line.name == "Calibration")
        return line


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def finish(desk: Desk) -> None:
    """Pictures come until the calibration is over."""
    for _ in range(600):
        desk.watch.step()
        run = desk.eyes.calibration
        if run is None or not run.running:
            return
        running: Any = desk.eyes._calibration
        running.join(0.01)
    raise AssertionError("it is not over")


@pytest.mark.slow
def test_a_touch_calibrates_and_the_line_says_so(desk: Desk) -> None:
    """None at first; while it runs its words and no key; then the day, and the key again."""
    before = desk.line()
    assert before.value == "boards by their corners"
    assert before.key is not None
    assert before.key.action is not None
    touch(desk, before.key.action)
    assert desk.eyes.calibration is None, "how high markers are is asked first"
    touch(desk, asked(desk).action)
    assert desk.eyes.calibration is not None
    finish(desk)
    after = desk.line()
    assert (after.value, after.mark) == ("6 of 6 boards known", Mark.OK)
    assert after.key == before.key
    desk.table.leave()  # another evening
    desk.table.new_match(Setup("jaws-and-paws", ("day",)))
    desk.watch.step()
    assert desk.line().value == "2026-11-21 · 6 boards"


def touch(desk: Desk, action: a.Action | None) -> None:
    """A touch of a key that does something."""
    assert action is not None
    act(action, desk.table, View())


def asked(desk: Desk, at: int = 0) -> Key:
    """One of the keys beside what the table check asks."""
    refusal = desk.check().frame.refusal
    assert refusal is not None
    assert refusal.key is not None
    return (refusal.key, *refusal.more)[at]


def pictures(desk: Desk) -> Line:
    (line,) = (line for line in desk.check().lines if line.name == PICTURES)
    return line


@pytest.mark.slow
def test_a_calibration_takes_the_height_that_was_measured(desk: Desk) -> None:
    """Half a millimetre a tap; asked again it is what the table's file has."""
    key = desk.line().key
    assert key is not None
    touch(desk, key.action)
    usual = asked(desk).label
    for _ in range(2):
        touch(desk, asked(desk, 2).action)
    higher = f"{max(token.height_mm for token in board_plan().tokens) + 1.0:g} mm"
    assert asked(desk).label == higher != usual
    touch(desk, asked(desk).action)
    finish(desk)
    touch(desk, key.action)
    assert asked(desk).label == higher
    desk.watch.step()
    tracker = desk.watch.tracker
    assert tracker is not None
    assert {f"{token.height_mm:g} mm" for token in tracker.plan.tokens} == {higher}


def test_pictures_are_kept_once_all_agree_and_told_again(
    desk: Desk, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the boards alone, for a stick too; `companion see` says the same of them."""
    stick = tmp_path / "CLUB"
    stick.mkdir()
    desk.sticks.append(stick)
    touch(desk, KEEP.action)
    assert not list(tmp_path.glob("kept-*")), "nobody agreed yet"
    assert desk.check().frame.refusal is not None
    touch(desk, asked(desk).action)
    assert pictures(desk).key == STOP
    for _ in range(4000):
        desk.watch.step()
        state = desk.eyes.state.keeping
        assert state is not None
        if state.pictures >= 3 or not state.running:
            break
        time.sleep(0.01)
    assert pictures(desk).value.endswith(" in kept-2026-11-21-1")
    touch(desk, STOP.action)
    (folder,) = tmp_path.glob("kept-*")
    first = cv2.imread(str(folder / "000000.png"))
    assert first is not None
    assert first.shape[:2] < desk.drawn.size_px[::-1], "the room is not in it"
    assert pictures(desk).value.endswith(" on CLUB")
    assert run(["see", str(stick / folder.name)]) == 0
    assert "All of it was told so when it was kept." in capsys.readouterr().out


def test_nobody_agrees_and_nothing_is_kept(desk: Desk, tmp_path: Path) -> None:
    touch(desk, KEEP.action)
    touch(desk, asked(desk, 2).action)
    assert desk.check().frame.refusal is None
    assert pictures(desk).key == KEEP
    assert not list(tmp_path.glob("kept-*"))


def test_keys_ask_though_the_table_is_read_wrongly(desk: Desk) -> None:
    """Pictures are kept for just that: the question stands over the notice until it is answered."""
    desk.drawn.place(PAWS_PLANE, Pose("Jaws.PL"))
    for _ in range(80):
        desk.watch.step()
        desk.table.tick()
        if desk.check().frame.refusal is not None:
            break
    told = desk.check().frame.refusal
    assert told is not None
    assert "stands on Jaws.PL" in told.text
    touch(desk, KEEP.action)
    assert asked(desk).action == a.KeepPictures(agreed=True)
    touch(desk, asked(desk, 2).action)
    assert desk.check().frame.refusal == told
    key = desk.line().key
    assert key is not None
    touch(desk, key.action)
    assert isinstance(asked(desk).action, a.Calibrate)


def test_a_folder_that_takes_no_pictures_is_told(desk: Desk, tmp_path: Path) -> None:
    """The table's file is torn: its line says which, and nothing else stops."""
    (tmp_path / "table.toml").write_text('box = "jaws-and-paws"\n[lens', "utf-8")
    act(a.KeepPictures(agreed=True), desk.table, View())
    assert pictures(desk).mark is Mark.WARN
    assert "table.toml" in pictures(desk).value


@pytest.mark.slow
def test_pictures_come_while_it_is_looked_at_and_are_let_go_afterwards(desk: Desk) -> None:
    """Each takes megabytes: none before the screen asks, the same for a still table, none after."""
    for _ in range(8):
        desk.watch.step()
        desk.table.tick()
    desk.table.situation()
    assert desk.watch.shown is None
    first, second = (desk.check().picture for _ in range(2))
    assert first is not None
    assert second is not None
    assert second.image is first.image
    kept = weakref.ref(first.image)
    del first, second
    asked = desk.clock()
    desk.table.tick(asked + UNSEEN_S - 0.1)
    assert kept() is not None, "still looked at"
    desk.table.tick(asked + UNSEEN_S + 0.1)
    gc.collect()
    assert desk.watch.shown is None
    assert kept() is None
    assert desk.check().picture is not None, "looked at again"


def test_while_it_runs_there_is_no_second_key(desk: Desk) -> None:
    """What to do stands there instead."""
    progress = Progress(Stage.BLURRED, "Out of focus: turn the lens.", 3)
    line = desk.line(EyesState(run=CalibrationState(running=True, progress=progress)))
    assert (line.value, line.key) == ("out of focus: turn the lens", None)


def test_poor_boards_are_named_each(desk: Desk) -> None:
    """With what to do about them; good ones need no line."""
    missing = BoardCheck("Jaws Pilot View", 0, 4, Quality.MISSING, None, None, "It is not seen.")
    good = BoardCheck("Paws Pilot View", 4, 4, Quality.GOOD, 0.1, 0.1, "")
    progress = Progress(Stage.POOR, "1 of 2 boards are known.", 60, (missing, good))
    state = EyesState(run=CalibrationState(running=False, kept=True, progress=progress))
    lines = {line.name: line for line in desk.check(state).lines}
    assert lines["Jaws Pilot View"].value == "not seen"
    assert lines["Calibration"].mark is Mark.WARN
    assert lines["Calibration"].key is not None
    assert "Paws Pilot View" not in lines


def test_a_file_of_another_camera_is_named_with_the_way_out(desk: Desk) -> None:
    """And the key that mends it is beside it."""
    line = desk.line(EyesState(trouble="table.toml was calibrated with the camera A: plug it in"))
    assert (line.mark, line.value) == (Mark.WARN, "does not fit this camera")
    assert line.key is not None


def test_what_hinders_a_calibration_is_told(desk: Desk) -> None:
    """And it may be tried again."""
    line = desk.line(EyesState(run=CalibrationState(running=False, trouble="The disk is full.")))
    assert (line.value, line.mark) == ("none was made: try again", Mark.WARN)
    assert line.key is not None


def test_the_key_is_always_among_the_lines_shown(desk: Desk) -> None:
    """However much else there is to say."""
    checks = tuple(
        BoardCheck(f"Board {n}", 0, 4, Quality.MISSING, None, None, "It is not seen.")
        for n in range(9)
    )
    progress = Progress(Stage.POOR, "0 of 9 boards are known.", 60, checks)
    state = EyesState(run=CalibrationState(running=False, kept=True, progress=progress))
    assert len(desk.check(state).lines) == 5
    assert desk.line(state).key is not None


def test_without_a_camera_there_is_nothing_to_calibrate(desk: Desk) -> None:
    """The table is taken on people's word, and a touch that comes late does nothing."""
    desk.table.watch = None
    assert not [line for line in desk.check().lines if line.name == "Calibration"]
    act(a.Calibrate(), desk.table, View())
    assert desk.eyes.calibration is None


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
def test_no_text_is_cut_where_a_box_is_new(
    desk: Desk, make_sheet: Any, size: tuple[int, int]
) -> None:
    """First match stands where the log has nothing yet, so that the word beside it has room."""
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    seen = desk.check()
    labels = [key.label for key in seen.frame.bottom.keys]
    assert labels == ["Back", "First match", "Arbiter", "Teach a token"]
    assert seen.frame.bottom.message.first == "First match shows what lies where."
    assert cut(sheet, seen) == []


def test_leaving_the_match_leaves_the_calibration(desk: Desk, tmp_path: Path) -> None:
    """Nothing is written afterwards."""
    desk.table.calibrate()
    desk.table.leave()
    assert desk.eyes.calibration is None
    assert not (tmp_path / "table.toml").exists()


@pytest.mark.slow
def test_a_piece_read_by_its_look_is_told_as_weaker(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the measured likeness; one that its marker tells of is told as ever."""
    monkeypatch.setattr("ui.screens.beside.table_check.LINES", 9)  # room for what is well, too
    for _ in range(60):
        desk.watch.step()
    desk.table.tick()
    lines = {line.name: line.value for line in desk.check().lines}
    assert lines["Jaws plane"] == "Paws.PC"
    look: Any = None
    reading = LookReading(0.914, 0.42, PAWS_PLANE)
    looks = LooksState(1, {JAWS_PLANE: look}, {JAWS_PLANE: reading})
    shown = {line.name: line for line in desk.check(EyesState(looks=looks)).lines}
    assert shown["Jaws plane"].value == "Paws.PC, 91 % alike"
    assert shown["Jaws plane"].right == "by look"
    assert shown[BY_LOOK].value == "1 read, 91 %+ alike"
    grey = replace(looks, by_look={}, lacks_colour=True)
    shown = {line.name: line for line in desk.check(EyesState(looks=grey)).lines}
    assert shown[BY_LOOK].value == "no colours here: teach them anew"
