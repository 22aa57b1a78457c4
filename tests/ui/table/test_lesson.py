"""One lesson in the app: whatever happens meanwhile it ends, says why, and can be begun anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.board import BoardPlan
from companion.core.errors import CameraUnplugged
from companion.core.offers import PictureState
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import board_plan
from ui.demo.drawn import SteppedClock
from ui.table.camera_watch import CameraWatch, fault_of
from ui.table.eyes import TableEyes
from ui.table.lesson import EMPTY, NO_PICTURE, Lesson, LessonState
from ui.terminal.setting_up import plans
from vision.camera.camera import Camera
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.looks.taught import TaughtReader


class Reopened:
    """A camera that was opened again: it counts its pictures from 0."""

    live = True

    def __init__(self, table: SimulatedTable) -> None:
        self.name, self.size_px = table.name, table.size_px
        self._table, self._number = table, -1

    def read(self) -> Frame:
        self._number += 1
        return replace(self._table.read(), number=self._number)

    def close(self) -> None:
        """Nothing is held."""


class Desk:
    """A drawn table without stickers before the app's eyes, at rest."""

    def __init__(self, folder: Path, plan: BoardPlan | None = None, frames: int = 26) -> None:
        clock = SteppedClock(50.0)
        drawn, look = plan or board_plan(), PictureLook(stickers=False)
        self.plan = board_plan()
        self.table = SimulatedTable(drawn, 4, clock=clock, wait=clock.wait, look=look)
        self.camera: Camera = self.table
        self.told: list[str] = []
        self.eyes = TableEyes(folder, "", plans(), self.plan, tell=self.told.append)
        trackers = self.eyes.trackers
        self.watch = CameraWatch(
            lambda: self.camera, trackers.for_camera, tracker_of=trackers.of, clock=clock
        )
        self.folder = self.eyes.looks_folder(self.plan.box)
        self.steps(frames)

    def steps(self, count: int) -> None:
        for _ in range(count):
            self.watch.step()

    def lesson(self, use: Callable[[TaughtReader], None] | None = None) -> Lesson:
        """One of the empty boards, begun."""
        use = use or self.eyes.trackers.use_looks
        lesson = Lesson(self.watch, self.plan, self.folder, EMPTY, use)
        lesson.start()
        return lesson

    def ended(self, lesson: Lesson) -> LessonState:
        """Run one that was begun, with fresh pictures, until it is over."""
        for _ in range(60):
            self.steps(1)
            lesson.join(0.02)
            if not lesson.state.running:
                break
        return lesson.state


def test_odd_looks_end_a_lesson_with_words_and_not_for_good(tmp_path: Path) -> None:
    """The file went bad while the app ran: it is set aside, said, and all is taught anew."""
    desk = Desk(tmp_path)
    desk.folder.mkdir(parents=True)
    (desk.folder / "looks.toml").write_text("x = " + "[" * 5000, "utf-8")
    state = desk.ended(desk.lesson())
    assert state.told.startswith("4 empty boards are known. ")
    assert "looks.toml.old" in state.told


def test_a_fault_of_any_kind_ends_a_lesson_with_words(tmp_path: Path) -> None:
    """It does not stay running for ever, which would keep every other from beginning."""

    def broken(_: TaughtReader) -> None:
        raise RecursionError("too deep")

    desk = Desk(tmp_path)
    state = desk.ended(desk.lesson(broken))
    assert not state.running
    assert "too deep" in state.trouble
    assert "learn it again" in state.trouble


def test_odd_looks_blind_no_camera(tmp_path: Path) -> None:
    """They are told; the watch goes on without them."""
    folder = tmp_path / "looks" / "jaws-and-paws"
    folder.mkdir(parents=True)
    (folder / "looks.toml").write_text("x = " + "[" * 5000, "utf-8")
    desk = Desk(tmp_path, frames=2)
    assert desk.watch.frame is not None
    assert desk.watch.tracker is not None
    (told,) = desk.told
    assert "looks.toml" in told
    assert "too deep" in told


def test_a_lesson_that_was_left_gives_no_other_box_its_looks(tmp_path: Path) -> None:
    """It ends when another box is looked for already."""
    desk = Desk(tmp_path)
    readers: list[TaughtReader] = []
    assert desk.ended(desk.lesson(readers.append)).told
    desk.watch.look_for(battlefield_plan(assumed_figures()))
    desk.steps(1)
    desk.eyes.trackers.use_looks(readers[0])
    assert desk.watch.tracker is not None
    assert desk.watch.tracker.taught is None
    assert desk.eyes.trackers.taught is None


@pytest.mark.slow
def test_a_camera_that_was_plugged_in_again_counts_anew(tmp_path: Path) -> None:
    """Its pictures are as fresh as any; the lesson takes one of them."""
    desk = Desk(tmp_path)
    lesson = desk.lesson()
    desk.camera = Reopened(desk.table)
    desk.watch._lose(fault_of(CameraUnplugged("it was unplugged")))
    desk.watch.retry()
    desk.watch.step()
    assert desk.watch.frame is not None
    assert desk.watch.frame.number == 0
    assert desk.ended(lesson).told == "4 empty boards are known"


def test_where_no_board_is_seen_that_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not that there is no picture: they come all the while."""
    desk = Desk(tmp_path, frames=3)
    lesson = Lesson(desk.watch, desk.plan, desk.folder, EMPTY, desk.eyes.trackers.use_looks)
    desk.steps(3)
    assert desk.watch.sighting is not None
    desk.watch.sighting = replace(desk.watch.sighting, state=PictureState.BLIND)
    monkeypatch.setattr("ui.table.lesson.MOST_S", 0.05)
    lesson.start()
    lesson.join()
    assert lesson.state.trouble.startswith("No board is seen")
    assert lesson.state.trouble != NO_PICTURE


def test_tokens_are_taught_on_boards_of_the_size_that_the_file_gives(tmp_path: Path) -> None:
    """The table's file makes a board larger: its picture is kept, and read again, at that size."""
    name, (width, height) = board_plan().boards[0].name, board_plan().boards[0].size_mm
    words = f'box = "jaws-and-paws"\n[boards."{name}"]\nsize_mm = [{width + 20}, {height + 10}]\n'
    (tmp_path / "table.toml").write_text(words, "utf-8")
    desk = Desk(tmp_path)
    desk.eyes.teach(desk.watch, desk.plan, EMPTY)
    lesson = desk.eyes._lesson
    assert lesson is not None
    assert desk.ended(lesson).told == "4 empty boards are known"
    assert desk.watch.tracker is not None
    reader = desk.eyes.trackers.taught
    assert reader is not None
    assert reader.plan.board(name).size_mm == (width + 20, height + 10)
    assert desk.eyes.trackers.of(desk.plan).taught is not None
    assert desk.told == []


def test_a_picture_that_the_watch_has_not_read_is_not_learned(tmp_path: Path) -> None:
    """It may show a hand that comes in: what is told of the table is of the one before."""
    desk = Desk(tmp_path)
    lesson = Lesson(desk.watch, desk.plan, desk.folder, EMPTY, desk.eyes.trackers.use_looks)
    for _ in range(40):
        desk.steps(1)
        if lesson._rested() is not None:
            break
    read = desk.watch.frame
    desk.watch.frame = desk.table.read()
    shown = lesson._rested()
    assert shown is not None
    assert shown.frame is read
