"""Teaching tokens in the app: a touch on the table check, a lesson a token, used at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import SeenState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, board_plan
from companion.match.rulebook import Setup
from companion.record.record import Record
from ui.demo.drawn import SteppedClock
from ui.scene.values import KeyLook, Line, Mark
from ui.scene.words import BY_LOOK
from ui.screens.beside.table_check import TEACH_KEY, TableCheckState
from ui.screens.beside.teach import BOARDS, TeachState
from ui.screens.registry import present
from ui.table.camera_watch import CameraWatch
from ui.table.eyes import TableEyes
from ui.table.lesson import LessonState
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.terminal.setting_up import plans
from ui.touch.acting import act
from ui.touch.actions import Back, ForgetLook, LearnLook
from ui.touch.view import View
from vision.drawing.table import PictureLook, SimulatedTable

SPACE = {"jaws": "Paws.PC", "paws": "Jaws.PC", "sun": "Jaws.GC"}


class Desk:
    """A table whose tokens have no stickers, and somebody who does what the screen says."""

    def __init__(self, folder: Path, drawn: SimulatedTable, clock: SteppedClock) -> None:
        self.drawn = drawn
        self.eyes = TableEyes(folder, "", plans(), board_plan())
        trackers = self.eyes.trackers
        self.watch = CameraWatch(
            lambda: drawn, trackers.for_camera, tracker_of=trackers.of, clock=clock
        )
        self.table = Table(
            Record.open(folder / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            watch=self.watch,
            eyes=self.eyes,
            clock=clock,
        )
        self.table.new_match(Setup("jaws-and-paws", ("day",)))
        self.view = View()
        self.look(30)

    def look(self, frames: int = 2) -> None:
        for _ in range(frames):
            self.watch.step()
        self.table.tick()

    def touch(self, action: Any) -> None:
        self.view = act(action, self.table, self.view)

    @property
    def check(self) -> TableCheckState:
        shown = present(self.table.situation(), View())
        assert isinstance(shown, TableCheckState)
        return shown

    @property
    def teach(self) -> TeachState:
        shown = present(self.table.situation(), self.view)
        assert isinstance(shown, TeachState)
        return shown

    def row(self, name: str) -> Line:
        """One token's line, whichever page it is on."""
        for page in range(self.teach.pages):
            for line in self.at_page(page).lines:
                if line.name == name:
                    return line
        raise AssertionError(f"no line {name}")

    def at_page(self, page: int) -> TeachState:
        from dataclasses import replace

        shown = present(self.table.situation(), replace(self.view, page=page))
        assert isinstance(shown, TeachState)
        return shown

    @property
    def lesson(self) -> LessonState:
        state = self.eyes.state.looks.lesson
        assert state is not None
        return state

    def learn(self) -> None:
        """Touch Learn and keep still until the lesson is over."""
        key = self.teach.frame.bottom.next
        assert key is not None
        assert isinstance(key.action, LearnLook), key
        self.touch(key.action)
        self.finish()

    def finish(self) -> None:
        lesson: Any = self.eyes._lesson
        for _ in range(400):
            self.watch.step()
            lesson.join(0.01)
            if not self.lesson.running:
                self.look(3)
                return
        raise AssertionError("the lesson is not over")

    def put(self, piece: str) -> None:
        self.drawn.place(Piece(piece), Pose(SPACE[piece]), heading_deg=0.0)
        self.look(4)

    def teach_one(self, piece: str) -> None:
        self.put(piece)
        self.learn()
        self.drawn.remove(Piece(piece))
        self.look(12)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    clock = SteppedClock(1000.0)
    drawn = SimulatedTable(
        board_plan(), 4, clock=clock, wait=clock.wait, look=PictureLook(stickers=False)
    )
    return Desk(tmp_path, drawn, clock)


@pytest.fixture
def opened(desk: Desk) -> Desk:
    """With the lessons open."""
    desk.touch(TEACH_KEY.action)
    return desk


def test_the_key_on_the_table_check_leads_through_the_box(opened: Desk) -> None:
    """Empty boards, then each token by its name; what was learned is found at once, or asked for.

    How much doubt a taught look leaves hangs on the frames of which it was taught.
    """
    assert TEACH_KEY in opened.check.frame.bottom.keys
    assert opened.teach.band.lines == ("CLEAR THE BOARDS",)
    opened.learn()
    assert opened.row(BOARDS).mark is Mark.OK
    for piece in SPACE:
        label = board_plan().token_of[Piece(piece)].label
        assert opened.teach.band.lines == (f"SHOW {label}".upper(),)
        opened.teach_one(piece)
        assert opened.lesson.told.startswith(f"{label}: by its look, weaker")
        assert opened.row(label).value == "taught, not seen now"
    assert opened.teach.band.lines == ("ALL ARE KNOWN",)
    opened.drawn.place(JAWS_PLANE, Pose("Paws.PL"))
    opened.look(60)
    sighting = opened.watch.sighting
    assert sighting is not None
    assert sighting.pieces[JAWS_PLANE].spaces == ("Paws.PL",)
    reading = opened.eyes.state.looks.by_look[JAWS_PLANE]
    told = {line.name: line for line in opened.check.lines}
    assert opened.row("Jaws plane").value.startswith(
        f"taught: {100 * reading.likeness:.0f} % alike, next"
    )
    assert told["Paws plane"].value == "taught, not seen now"
    assert told[BY_LOOK].value == f"1 read, {100 * reading.likeness:.0f} %+ alike · 2 away"
    next_key = opened.teach.frame.bottom.next
    assert next_key is not None
    assert next_key.action == Back()


@pytest.mark.slow
def test_what_is_not_one_token_alone_is_told_with_the_way_out(opened: Desk) -> None:
    """Nothing, or two things, which are marked in the picture; then it goes on as before."""
    opened.learn()
    opened.learn()
    refusal = opened.teach.frame.refusal
    assert refusal is not None
    assert refusal.text == "Not learned: nothing new is seen"
    assert refusal.way_out.startswith("Put the Jaws plane on a board, alone")
    opened.put("jaws")
    opened.put("paws")
    opened.learn()
    refusal = opened.teach.frame.refusal
    assert refusal is not None
    assert "2 things are new, on " in refusal.text
    assert refusal.way_out == "Leave only the Jaws plane there"
    picture = opened.teach.picture
    assert picture is not None
    assert [mark.label for mark in picture.marks].count("new") == 2
    opened.drawn.remove(PAWS_PLANE)
    opened.look(4)
    opened.learn()
    assert opened.teach.frame.refusal is None
    assert JAWS_PLANE in opened.eyes.state.looks.taught


@pytest.mark.slow
def test_a_token_too_like_another_is_told_and_asked_for(opened: Desk) -> None:
    """The same token shown for two: the lesson says so, and no more than one of them is read."""
    opened.learn()
    opened.teach_one("jaws")
    assert opened.teach.band.lines == ("SHOW PAWS PLANE",)
    opened.put("jaws")
    opened.learn()
    assert opened.lesson.told.startswith("Paws plane: too like the Jaws plane: margin ")
    opened.look(60)
    sighting = opened.watch.sighting
    assert sighting is not None
    states = [sighting.pieces[piece].state for piece in (JAWS_PLANE, PAWS_PLANE)]
    assert SeenState.LOST in states
    told = {line.name: line for line in opened.check.lines}
    assert "1 read" in told[BY_LOOK].value or "1 asked" in told[BY_LOOK].value


def test_a_blurred_picture_teaches_nothing(tmp_path: Path) -> None:
    """Neither boards nor tokens; the screen says how blurred it is and what to turn."""
    clock = SteppedClock(1000.0)
    look = PictureLook(blur_px=2.4, stickers=False)
    drawn = SimulatedTable(board_plan(), 4, clock=clock, wait=clock.wait, look=look)
    desk = Desk(tmp_path, drawn, clock)
    desk.touch(TEACH_KEY.action)
    desk.learn()
    refusal = desk.teach.frame.refusal
    assert refusal is not None
    assert refusal.text.startswith("Not learned: the picture is blurred by 1.7 px, more than")
    assert refusal.way_out == "Turn the lens until the boards' corners are sharp"
    assert desk.eyes.state.looks.boards == 0
    assert desk.teach.band.lines == ("CLEAR THE BOARDS",)


@pytest.mark.slow
def test_a_hand_in_view_is_waited_for(opened: Desk) -> None:
    """The screen says what it waits for, and learns once the hand is gone."""
    opened.learn()
    opened.put("jaws")
    opened.drawn.hand_rest(40, over="Paws.PC")
    opened.look(6)
    key = opened.teach.frame.bottom.next
    assert key is not None
    opened.touch(key.action)
    lesson: Any = opened.eyes._lesson
    for _ in range(10):
        opened.watch.step()
        lesson.join(0.02)
    shown = opened.teach
    assert shown.band.lines == ("KEEP HANDS AWAY",)
    assert shown.band.note == "Take your hand away."
    assert shown.frame.bottom.next is not None
    assert shown.frame.bottom.next.look is KeyLook.IMPOSSIBLE
    assert opened.lesson.running
    assert not opened.lesson.told
    opened.finish()
    assert opened.lesson.told.startswith("Jaws plane")


@pytest.mark.slow
def test_it_is_left_and_gone_on_with_another_evening(opened: Desk, tmp_path: Path) -> None:
    """What was taught is there after a restart; the next token is the one that is missing."""
    opened.learn()
    opened.teach_one("jaws")
    opened.table.leave()
    again = Desk(tmp_path, opened.drawn, SteppedClock(5000.0))
    again.touch(TEACH_KEY.action)
    assert again.row("Jaws plane").value == "taught, not seen now"
    assert again.teach.band.lines == ("SHOW PAWS PLANE",)


@pytest.mark.slow
def test_one_token_is_taught_anew_and_forgotten(opened: Desk, tmp_path: Path) -> None:
    """A touched line teaches that token; Forget is held, and takes its picture away."""
    opened.learn()
    opened.teach_one("jaws")
    row = opened.row("Jaws plane")
    assert row.key is not None
    opened.touch(row.key.action)
    shown = opened.teach
    assert shown.frame.bottom.next is not None
    assert shown.frame.bottom.next.second == "anew"
    before = opened.eyes.state.looks.taught[JAWS_PLANE]
    opened.teach_one("jaws")
    assert opened.eyes.state.looks.taught[JAWS_PLANE] is not before
    opened.touch(row.key.action)
    forget = next(key for key in opened.teach.frame.bottom.keys if key.label == "Forget")
    assert (forget.look, forget.action) == (KeyLook.HOLD, ForgetLook(JAWS_PLANE))
    opened.touch(forget.action)
    opened.finish()
    assert opened.row("Jaws plane").value == "not taught yet"
    assert not list(tmp_path.rglob("jaws.png"))


@pytest.mark.slow
def test_skip_goes_to_the_next_token_that_is_missing(opened: Desk) -> None:
    """Whoever has a marker for it, or does not play with it, shows the next one."""
    opened.learn()
    skip = next(key for key in opened.teach.frame.bottom.keys if key.label == "Skip")
    opened.touch(skip.action)
    assert opened.teach.band.lines == ("SHOW PAWS PLANE",)


def test_a_token_with_a_marker_needs_no_lesson(tmp_path: Path) -> None:
    """It is told so, and not asked for."""
    clock = SteppedClock(1000.0)
    drawn = SimulatedTable(board_plan(), 4, clock=clock, wait=clock.wait)
    drawn.place(JAWS_PLANE, Pose("Paws.PC"))
    desk = Desk(tmp_path, drawn, clock)
    desk.touch(TEACH_KEY.action)
    desk.look(60)
    assert desk.row("Jaws plane").value == "has a marker, needs no look"
    sighting = desk.watch.sighting
    assert sighting is not None
    assert sighting.pieces[JAWS_PLANE].state is SeenState.SEEN


def test_without_a_camera_nothing_is_learned(desk: Desk) -> None:
    """The key is not there, and a touch that comes late is told what to do."""
    desk.table.watch = None
    desk.table.new_match(Setup("jaws-and-paws", ("day",)))
    assert TEACH_KEY not in desk.check.frame.bottom.keys
    desk.touch(LearnLook(""))
    assert desk.view.refusal is not None
    assert "No camera looks at the table" in desk.view.refusal.text


@pytest.mark.slow
def test_a_disk_that_takes_nothing_is_told(opened: Desk, tmp_path: Path) -> None:
    """By the folder's name; nothing is known afterwards."""
    (tmp_path / "looks").write_text("no folder", "utf-8")
    opened.learn()
    refusal = opened.teach.frame.refusal
    assert refusal is not None
    assert "could not be kept" in refusal.text
    assert opened.eyes.state.looks.boards == 0
