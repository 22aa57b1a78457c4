"""Pictures kept with what was told of them, and looked at again to the same words."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.errors import BadCall, BadFile, CameraError, RecordError
from companion.core.offers import PictureState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from ui.terminal.app import run
from vision import see as sight
from vision.camera.camera import open_camera
from vision.camera.frame import Frame
from vision.camera.kept import TOLD_FILE, KeptPictures
from vision.drawing.table import SimulatedTable
from vision.evidence import keeping as kept_by
from vision.evidence.keeping import KeptFolder
from vision.see import PictureSeen, see
from vision.table_file.reading import TableSetup

FRAMES = 64
STRANGER = slice(0, 60), slice(0, 90)
"""Rows and columns of a corner of the picture that no board reaches."""


class Film:
    """A drawn device with grain, in colours, at uneven times: a hand moves a token meanwhile."""

    live = False
    name = "film"
    size_px = (960, 540)

    def __init__(self) -> None:
        self.table = SimulatedTable(board_plan(), seed=11, size_px=self.size_px)
        self.table.place(JAWS_PLANE, Pose("Jaws.PC"))
        self.number = 0

    def read(self) -> Frame | None:
        number, self.number = self.number, self.number + 1
        if number == FRAMES:
            return None
        if number == 20:
            self.table.move(JAWS_PLANE, Pose("Jaws.GR"))
        if number == 30:
            raise CameraError("picture 30 is torn")
        frame = self.table.read()
        colour = np.asarray(cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR), np.uint8)
        colour[STRANGER] = (40, 90, 200)  # a face
        taken_at = 812.3 + number * 0.061 + 0.013 * (number % 3)
        return replace(frame, colour=None, undeveloped=lambda: colour, taken_at=taken_at)

    def close(self) -> None:
        pass


class Kept(NamedTuple):
    """The folder, and what was told meanwhile."""

    folder: Path
    told: list[PictureSeen]


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Kept:
    """The film, kept once for all: nobody writes in that folder."""
    folder = tmp_path_factory.mktemp("film") / "kept"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sight, "open_camera", lambda _: Film())
        told = list(see("film", table=TableSetup(board_plan()), keeping=KeptFolder(folder)))
    return Kept(folder, told)


@pytest.fixture
def copied(film: Kept, tmp_path: Path) -> Path:
    """The film's folder, to be torn."""
    return Path(shutil.copytree(film.folder, tmp_path / "copied"))


def plain(seen: PictureSeen) -> dict[str, object]:
    """All that is told but where it is from."""
    return {key: value for key, value in seen.to_json().items() if key != "source"}


@pytest.mark.slow
def test_a_kept_film_is_told_again_to_the_same_words(film: Kept) -> None:
    """Markers, places, states and settling, with a hand, uneven times and a torn picture."""
    again = list(see(str(film.folder), table=TableSetup(board_plan())))
    assert [plain(seen) for seen in again] == [plain(seen) for seen in film.told]
    assert [seen.told for seen in again] == [seen.told for seen in film.told]
    states = [seen.state for seen in again]
    assert {PictureState.SETTLED, PictureState.HAND, PictureState.BLIND} <= set(states)
    assert len(again) == FRAMES
    assert again[-1].pieces is not None
    assert again[-1].pieces[JAWS_PLANE].pose == Pose("Jaws.GR")


def test_nothing_is_kept_but_the_boards_rectangle(film: Kept) -> None:
    """The boards lie where they lay in the picture; what was round them is in no file."""
    with closing(open_camera(str(film.folder))) as camera:
        frame = camera.read()
    assert frame is not None
    assert frame.colour is not None
    assert frame.size_px == Film.size_px
    assert not (frame.colour == (40, 90, 200)).all(axis=2).any()
    first = json.loads((film.folder / TOLD_FILE).read_text().splitlines()[1])
    (left, top), part = first["at_px"], cv2.imread(str(film.folder / first["picture"]))
    assert part is not None
    assert part.shape[:2] != Film.size_px[::-1]
    whole = Film().read()
    assert whole is not None
    height, width = part.shape[:2]
    assert np.array_equal(part[..., 0], whole.grey[top : top + height, left : left + width])


def test_whole_pictures_are_kept_for_who_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With all that came before the camera, from the first picture on, be there a board or none."""
    monkeypatch.setattr(sight, "open_camera", lambda _: Film())
    keeping = KeptFolder(tmp_path / "kept", whole=True)
    with closing(see("film", keeping=keeping)) as found:  # type: ignore[type-var]
        next(found)
    with closing(KeptPictures(keeping.folder)) as camera:
        frame = camera.read()
    assert frame is not None
    assert frame.colour is not None
    assert (frame.colour[STRANGER] == (40, 90, 200)).all()


def test_nothing_is_kept_before_a_board_is_seen(tmp_path: Path) -> None:
    """Whoever stands there while the boards are laid out is told of, and not kept."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    cv2.imwrite(str(pictures / "a.png"), np.full((540, 960), 120, np.uint8))
    table = SimulatedTable(board_plan(), seed=3, size_px=(960, 540))
    cv2.imwrite(str(pictures / "b.png"), table.read().grey)
    keeping = KeptFolder(tmp_path / "kept")
    told = list(see(str(pictures), guesses=[board_plan()], keeping=keeping))
    assert "not kept" in told[0].trouble
    assert "not kept" not in told[1].trouble
    assert keeping.pictures == 1
    (again,) = see(str(keeping.folder), guesses=[board_plan()])
    assert plain(again) == plain(told[1])


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    """So is a file of that name: nothing that is there is mixed up or written over."""
    (tmp_path / "notes.txt").write_text("ours")
    with pytest.raises(BadCall, match="not empty; name a new folder"):
        KeptFolder(tmp_path)
    with pytest.raises(BadCall, match="is a file; name a new folder"):
        KeptFolder(tmp_path / "notes.txt")
    assert (tmp_path / "notes.txt").read_text() == "ours"


def test_a_full_disk_ends_it_and_what_was_kept_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some room stays free for the record; the pictures before are told again as they were."""
    monkeypatch.setattr(sight, "open_camera", lambda _: Film())
    keeping = KeptFolder(tmp_path / "kept")
    told = list[PictureSeen]()

    def look() -> None:
        for seen in see("film", table=TableSetup(board_plan()), keeping=keeping):
            told.append(seen)
            if seen.frame == 2:
                monkeypatch.setattr(kept_by, "FREE_BYTES", 1 << 60)

    with pytest.raises(RecordError, match=r"the 3 pictures before hold\. Make room"):
        look()
    monkeypatch.undo()
    again = list(see(str(keeping.folder), table=TableSetup(board_plan())))
    assert [plain(seen) for seen in again] == [plain(seen) for seen in told]
    assert len(again) == 3


def test_a_torn_list_is_read_as_far_as_it_goes(copied: Path) -> None:
    """A line cut in two, one of nonsense and a picture that is gone are named, the rest is read."""
    lines = (copied / TOLD_FILE).read_bytes().splitlines()[:5]
    (copied / json.loads(lines[1])["picture"]).unlink()
    lines[2] = b'{"frame": -1}'
    lines[4] = lines[4][:70]
    (copied / TOLD_FILE).write_bytes(b"\n".join(lines))
    first, second, third, fourth = see(str(copied), table=TableSetup(board_plan()))
    assert "000000.png" in first.trouble
    assert "line 3 is torn" in second.trouble
    assert not third.trouble
    assert "line 5 is torn" in fourth.trouble


@pytest.mark.parametrize("first", ["", "{}", "[1", '{"reads": "backwards"}'])
def test_a_list_without_its_head_has_a_way_out(copied: Path, first: str) -> None:
    """Without it nobody knows how the pictures were looked at; they can be read as any others."""
    (copied / TOLD_FILE).write_text(f"{first}\n")
    with pytest.raises(BadFile, match=r"line 1.*take this file out of the folder"):
        open_camera(str(copied))


def test_of_a_torn_head_no_bytes_are_shown(copied: Path) -> None:
    """What lies there is no text that people wrote."""
    head = (copied / TOLD_FILE).read_bytes().splitlines()[0]
    for torn in (head[:30], b"\xff\xfe" + head):
        (copied / TOLD_FILE).write_bytes(torn + b"\n")
        with pytest.raises(BadFile, match="line 1: is torn, or no JSON; take") as refused:
            open_camera(str(copied))
        assert "b'" not in str(refused.value)


def test_names_in_a_list_stay_inside_its_folder(copied: Path) -> None:
    """A folder comes from strangers: it leads to no file elsewhere, and to no huge picture."""
    head, line, *_ = (copied / TOLD_FILE).read_text().splitlines()
    for forged in ({"picture": "../x.png"}, {"size_px": [99999, 99999]}, {"at_px": [900, 0]}):
        (copied / TOLD_FILE).write_text(f"{head}\n{json.dumps(json.loads(line) | forged)}\n")
        with closing(open_camera(str(copied))) as camera, pytest.raises(CameraError):
            camera.read()


def test_the_command_keeps_the_tables_file_and_looks_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It asks for consent, keeps what it was told with the pictures, and says if that is so now."""
    table = SimulatedTable(board_plan(), seed=3, size_px=(960, 540))
    cv2.imwrite(str(tmp_path / "a.png"), table.read().grey)
    (tmp_path / "club.toml").write_text('box = "jaws-and-paws"\n')
    kept = tmp_path / "kept"
    call = ["see", str(tmp_path / "a.png"), "--table", str(tmp_path / "club.toml")]
    assert run([*call, "--keep", str(kept)]) == 0
    said = capsys.readouterr()
    assert "Ask everybody" in said.err
    assert "1 picture kept" in said.err
    assert run(["see", str(kept)]) == 0
    again = capsys.readouterr().out
    assert again.splitlines()[0].split("]", 1)[1] == said.out.splitlines()[0].split("]", 1)[1]
    assert "All of it was told so when it was kept." in again
    list_ = (kept / TOLD_FILE).read_text()
    (kept / TOLD_FILE).write_text(list_.replace('"words":"still', '"words":"settled'))
    run(["see", str(kept)])
    assert "Otherwise than when it was kept: 1 picture. First [0], told then: settled" in (
        capsys.readouterr().out
    )
    head = list_.splitlines()[0].replace('"reads":"picture"', '"reads":"pictures"')
    (kept / TOLD_FILE).write_text(f"{head}\ntorn\n")
    assert run(["see", str(kept)]) == 1
    again = capsys.readouterr().out
    assert "All of it" not in again
    assert "Nothing of it can be compared with what was told when it was kept." in again
    (kept / "table.toml").unlink()
    assert run(["see", str(kept)]) == 2
    assert "table.toml is missing" in capsys.readouterr().err
    assert run([*call, "--keep", str(kept)]) == 2
    assert run([*call, "--whole"]) == 2


def test_names_that_are_no_utf_8_are_kept_as_a_terminal_writes_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stick's files may be called so; of a torn one its trouble has the name."""
    folder = tmp_path / "stick"
    folder.mkdir()
    table = SimulatedTable(board_plan(), seed=3, size_px=(960, 540))
    for name in (b"a\xff.png", b"b.png"):
        content = cv2.imencode(".png", table.read().grey)[1].tobytes()
        (folder / os.fsdecode(name)).write_bytes(content)
    (folder / os.fsdecode(b"c\xff.png")).write_bytes(b"torn")
    assert isinstance(sys.stdout, io.TextIOWrapper)
    sys.stdout.reconfigure(errors="backslashreplace")  # as the command does
    assert run(["see", str(folder), "--keep", str(tmp_path / "kept")]) == 1
    assert "2 pictures kept" in capsys.readouterr().err
    assert run(["see", str(tmp_path / "kept")]) == 1
    again = capsys.readouterr().out
    assert "c\\udcff.png is no picture" in again
    assert "All of it was told so when it was kept." in again


def test_a_folder_in_which_nothing_was_kept_says_so(
    copied: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The disk was full, or it was ended before a board was seen."""
    head = (copied / TOLD_FILE).read_text().splitlines()[0]
    (copied / TOLD_FILE).write_text(f"{head}\n")
    assert run(["see", str(copied)]) == 0
    assert capsys.readouterr().out == "No picture was kept in it.\n"


def test_markers_of_a_file_of_codes_are_told_again_by_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """However a browser called the file that it already had."""
    side, codes = 6, tmp_path / "club.json (1)"
    rows = ["1" * 18 + "0" * 18, "10" * 9 + "01" * 9]
    codes.write_text(
        json.dumps({"bits_per_side": side, "max_correction_bits": 0, "codes_row_by_row": rows})
    )
    black = np.zeros((side + 2, side + 2), np.uint8)
    black[1:-1, 1:-1] = np.array([int(bit) * 255 for bit in rows[1]]).reshape(side, side)
    paper = np.full((480, 640), 255, np.uint8)
    paper[160:320, 240:400] = np.kron(black, np.ones((20, 20), np.uint8))
    cv2.imwrite(str(tmp_path / "a.png"), paper)
    kept, call = tmp_path / "kept", ["see", str(tmp_path / "a.png"), "--whole", "--keep"]
    assert run([*call, str(kept), "--dictionary", str(codes)]) == 0
    assert "1 of club (1)" in capsys.readouterr().out
    assert run(["see", str(kept)]) == 0
    again = capsys.readouterr().out
    assert "1 of club (1)" in again
    assert "All of it was told so when it was kept." in again
