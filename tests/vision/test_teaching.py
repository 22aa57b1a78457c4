"""Teaching tokens one by one: what is asked for, what is kept, and that it reads the table."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, BadFile
from companion.core.offers import SeenState
from ui.terminal.setting_up import plan_of
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.looks.file import load_kept, looks_beside, reader_of
from vision.looks.taught import TaughtReader
from vision.looks.teaching import Shown, Teaching
from vision.see import see
from vision.table_file.reading import load_table
from vision.tracking.tracker import Tracker

SPACE = {"jaws": "Paws.PC", "paws": "Jaws.PC", "sun": "Jaws.PC"}


class Desk:
    """A drawn table without stickers, and somebody who does what the words say."""

    def __init__(self, folder: Path) -> None:
        self.plan = plan_of("jaws-and-paws")
        self.drawn = SimulatedTable(self.plan, 4, look=PictureLook(stickers=False))
        self.tracker = Tracker(self.plan, self.drawn.lens)
        self.teaching = Teaching(self.plan, folder)
        self.look(26)

    def look(self, frames: int = 2) -> Frame:
        read = [self.drawn.read() for _ in range(frames)]
        for frame in read:
            self.tracker.see(frame)
        return read[-1]

    def shown(self) -> Shown:
        return Shown(self.look(), self.tracker.view.places, self.tracker.markers)

    def learn(self) -> None:
        self.teaching.learn(self.shown())

    def teach(self) -> None:
        """The empty boards, then every token."""
        self.learn()
        while (token := self.teaching.token) is not None:
            self.drawn.place(token.piece, Pose(SPACE[token.piece]), heading_deg=0.0)
            self.learn()
            self.drawn.remove(token.piece)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "looks")


def test_the_words_lead_through_the_box_and_tell_the_margin(desk: Desk) -> None:
    """Empty boards first, then each token by its name, then how far each look can be trusted."""
    assert desk.teaching.words == "Take every token off the boards, then touch Learn"
    desk.learn()
    first = desk.plan.tokens[0]
    assert desk.teaching.words.startswith(f"Put the {first.label} alone on a board")
    desk.drawn.place(first.piece, Pose(SPACE[first.piece]), heading_deg=0.0)
    desk.learn()
    assert desk.teaching.told.startswith(f"{first.label}: by its look, weaker: margin ")
    desk.teaching.pass_over()
    desk.teaching.pass_over()
    assert desk.teaching.over
    assert desk.teaching.words == "1 token known by looks"


@pytest.mark.slow
def test_what_was_taught_is_read_from_its_folder(desk: Desk) -> None:
    """Looks and empty boards both: a new reader reads the table by them."""
    desk.teach()
    folder, plan = desk.teaching.folder, desk.plan
    kept = load_kept(folder, plan)
    empty, looks = kept.empty, kept.looks
    assert empty.known == desk.teaching.empty.known
    for board, picture in empty.pictures.items():
        assert np.abs(picture - desk.teaching.empty.pictures[board]).mean() < 1.0
    desk.drawn.place(Piece("jaws"), Pose("Paws.PC"))
    seen = TaughtReader(plan, empty, looks).read(desk.look(), desk.tracker.view.places)
    assert seen[Piece("jaws")].pose == Pose("Paws.PC")
    assert seen[Piece("paws")].state is SeenState.LOST


def test_nothing_is_learned_of_what_is_not_alone(desk: Desk) -> None:
    """Nothing there, two things there, no board seen: told, and the same step again."""
    with pytest.raises(BadCall, match="no board is seen"):
        desk.teaching.learn(Shown(desk.look(), {}))
    desk.learn()
    before = desk.teaching.words
    with pytest.raises(BadCall, match="nothing new is seen"):
        desk.learn()
    desk.drawn.place(Piece("jaws"), Pose("Paws.PC"))
    desk.drawn.place(Piece("paws"), Pose("Jaws.PC"))
    with pytest.raises(BadCall, match=r"2 things are new, on .* and .*: leave only the"):
        desk.learn()
    assert desk.teaching.words == before
    assert load_kept(desk.teaching.folder, desk.plan).looks == ()


def test_a_picture_of_a_board_of_another_size_is_refused(desk: Desk) -> None:
    """By its name, with the way out."""
    desk.teach()
    (desk.teaching.folder / "board-0.png").write_bytes(b"no picture")
    with pytest.raises(BadFile, match=r"board-0\.png.*teach the tokens again"):
        reader_of(desk.teaching.folder, desk.plan)


@pytest.mark.slow
def test_a_picture_is_read_by_the_looks_beside_the_tables_file(tmp_path: Path) -> None:
    """`see` needs no word more than the table; of a grey picture it says what is amiss."""
    plan = plan_of("jaws-and-paws")
    table = tmp_path / "table.toml"
    table.write_text('box = "jaws-and-paws"\n', "utf-8")
    desk = Desk(looks_beside(table, plan.box))
    desk.teach()
    desk.drawn.place(Piece("jaws"), Pose("Paws.PC"))
    colour = desk.look().colour
    assert colour is not None
    cv2.imwrite(str(tmp_path / "shown.png"), colour)
    setup = load_table(table, {plan.box: lambda: plan})
    (picture,) = see(str(tmp_path / "shown.png"), table=setup)
    assert picture.pieces is not None
    assert picture.pieces[Piece("jaws")].pose == Pose("Paws.PC")
    assert picture.pieces[Piece("sun")].state is SeenState.LOST
    assert picture.trouble == ""
    cv2.imwrite(str(tmp_path / "shown.png"), cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY))
    (picture,) = see(str(tmp_path / "shown.png"), table=setup)
    assert "shown in colours and this picture has none" in picture.trouble


def test_a_torn_picture_takes_no_other_look_with_it(desk: Desk) -> None:
    """A power cut left an empty file: that look is named, the others are known and stay kept."""
    desk.teach()
    folder = desk.teaching.folder
    (folder / "jaws.png").write_bytes(b"")
    again = Teaching(desk.plan, folder)
    assert {look.piece for look in again.looks} == {"paws", "sun"}
    assert "jaws.png" in again.trouble
    assert "the other looks are known" in again.trouble
    again.learn_empty(Shown(desk.look(), desk.tracker.view.places))
    assert {look.piece for look in load_kept(folder, desk.plan).looks} == {"paws", "sun"}
    assert again.still_lost == "Jaws plane: no longer readable, to be taught anew"
    desk.drawn.place(Piece("jaws"), Pose("Paws.PC"), heading_deg=0.0)
    again.learn_token(Piece("jaws"), Shown(desk.look(), desk.tracker.view.places))
    assert again.still_lost == ""
    assert Teaching(desk.plan, folder).trouble == ""


def test_a_file_that_cannot_be_read_is_set_aside_before_all_is_taught_anew(desk: Desk) -> None:
    """It is said before, and what somebody wrote there is not lost."""
    folder = desk.teaching.folder
    folder.mkdir()
    (folder / "looks.toml").write_text("box = [", "utf-8")
    again = Teaching(desk.plan, folder)
    assert "that file is kept as looks.toml.old" in again.trouble
    assert (folder / "looks.toml").read_text("utf-8") == "box = ["
    again.learn_empty(Shown(desk.look(), desk.tracker.view.places))
    assert (folder / "looks.toml.old").read_text("utf-8") == "box = ["
    assert load_kept(folder, desk.plan).empty.known == again.empty.known
