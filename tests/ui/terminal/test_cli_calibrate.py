"""`companion calibrate` and `companion markers`: from sheets to a table that the camera knows."""

from __future__ import annotations

import errno
import json
import math
import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.board import Piece, Pose
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from ui.terminal import calibrate as command
from ui.terminal.app import run
from ui.terminal.setting_up import plan_of
from vision.boards.proving import ProofState
from vision.camera.camera import Camera
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.table_file.reading import load_table

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str]) -> Call:
    """Make a call; its exit status, what it said, and what it complained of."""

    def make(*words: object) -> tuple[int, str, str]:
        status = run([str(word) for word in words])
        told = capsys.readouterr()
        return status, told.out, told.err

    return make


def taken(folder: Path, table: SimulatedTable, pictures: int = 12) -> Path:
    """A folder of pictures of a table."""
    folder.mkdir(exist_ok=True)
    for number in range(pictures):
        keep(folder / f"p{number}.png", table)
    return folder


def keep(path: Path, table: SimulatedTable) -> Path:
    """One picture of a table."""
    cv2.imwrite(str(path), table.read().grey)
    return path


def drawn() -> SimulatedTable:
    table = SimulatedTable(board_plan(), seed=5)
    table.place(JAWS_PLANE, Pose("Paws.PC"), offset_mm=(3.0, 2.0))
    return table


@pytest.fixture
def table() -> SimulatedTable:
    return drawn()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return taken(tmp_path_factory.mktemp("table") / "pictures", drawn())


def test_a_table_is_calibrated_and_then_seen(call: Call, pictures: Path, tmp_path: Path) -> None:
    """The box is told from its markers, each board is named with its quality.

    It fits to a tenth of a pixel; by a guessed lens, places on it are told to within 1 mm or hardly
    more, which is no longer good.
    """
    out = tmp_path / "table.toml"
    status, told, _ = call("calibrate", pictures, "--out", out)
    assert status == 0
    assert "All 6 boards are known." in told
    assert re.search(r"Jaws Pilot View: (good|fair), 4 of 4 corner markers, 0\.[01]", told)
    assert "Lay it flat" not in told
    assert "tokens: 25 mm are 33 px, good" in told
    assert f"{out}: written, for pictures at 1280 x 720 px." in told
    status, told, _ = call("see", pictures / "p3.png", "--table", out)
    assert status == 0
    assert "jaws on Paws.PC" in told
    assert "was moved" not in told


@pytest.mark.parametrize("name", ["ARUCO_MIP_36h12", "DICT_ARUCO_MIP_36h12", "aruco_mip_36h12"])
def test_pieces_are_seen_however_the_dictionary_is_spelled(
    name: str, call: Call, pictures: Path
) -> None:
    """As OpenCV has it, or in small letters; a dictionary that is no box's shows none."""
    status, told, _ = call("see", pictures / "p3.png", "--dictionary", name, "--json")
    assert status == 0
    assert {one["piece"] for one in json.loads(told)["pieces"]} >= {"jaws"}
    _, told, _ = call("see", pictures / "p3.png", "--dictionary", "4X4_50", "--json")
    assert not json.loads(told)["pieces"]


@pytest.mark.slow
def test_a_picture_of_another_table_shows_none_of_its_boards(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    """Neither a bare wall nor another box's boards pass for those that were calibrated."""
    path = tmp_path / "t.toml"
    assert call("calibrate", pictures, "--out", path)[0] == 0
    wall, other = tmp_path / "wall.png", SimulatedTable(plan_of("dogfight-hex"), seed=5)
    cv2.imwrite(str(wall), np.full((720, 1280), 120, np.uint8))
    status, told, _ = call("see", wall, "--table", path)
    assert (status, "0 of 6 boards" in told) == (1, True)
    assert "No corner marker of these boards is seen" in told
    assert "0 of 6 boards" in call("see", keep(tmp_path / "other.png", other), "--table", path)[1]


def test_the_call_that_measures_the_lens_is_told_whole(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    """It is said once, and keeps what it measures in the file that was just written."""
    path = tmp_path / "t.toml"
    _, told, _ = call("calibrate", pictures, "--out", path)
    assert told.count("--lens") == 1
    assert f": companion calibrate --lens SOURCE --out {path}\n" in told


@pytest.mark.parametrize("option", ["--out", "--table"])
def test_a_folder_without_rights_is_told_with_the_way_out(
    option: str, call: Call, pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As it is for a user who may not look into it."""
    closed = tmp_path / "closed" / "t.toml"
    closed.parent.mkdir()

    def refused(path: Path, **_: object) -> object:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    words = {
        "--out": ("calibrate", pictures, "--out", closed),
        "--table": ("markers", "jaws-and-paws", "--table", closed, "--out", tmp_path / "s.pdf"),
    }[option]
    real = Path.stat
    monkeypatch.setattr(
        Path, "stat", lambda path, **how: (refused if path == closed else real)(path, **how)
    )
    status, _, complaint = call(*words)
    assert status == 2
    assert f"{closed}: Permission denied: give this user the right to it" in complaint


def test_a_nudged_board_is_named_and_followed(
    call: Call, table: SimulatedTable, pictures: Path, tmp_path: Path
) -> None:
    """In words, and in JSON under `drift`; the plane keeps its space."""
    out = tmp_path / "table.toml"
    call("calibrate", pictures, "--out", out)
    table.nudge("Paws Pilot View", 7.0, 4.0, 2.0)
    nudged = keep(tmp_path / "nudged.png", table)
    status, told, _ = call("see", nudged, "--table", out, "--json")
    line = json.loads(told)
    assert status == 0
    assert [words.split(" (")[0] for words in line["drift"]] == ["Paws Pilot View was moved"]
    assert next(one for one in line["pieces"] if one["piece"] == "jaws")["space"] == "Paws.PC"


@pytest.mark.slow
def test_json_lines_tell_the_stages_and_the_end(call: Call, pictures: Path, tmp_path: Path) -> None:
    """One object a line; the last has every board with its figures (a guessed lens may be good)."""
    status, told, _ = call("calibrate", pictures, "--out", tmp_path / "t.toml", "--json")
    *stages, end = [json.loads(line) for line in told.splitlines()]
    assert status == 0
    assert [one["stage"] for one in stages] == ["steadying", "ready"]
    assert (end["size_px"], end["camera"], len(end["boards"])) == ([1280, 720], "", 6)
    assert {board["quality"] for board in end["boards"]} <= {"good", "fair"}
    assert all(board["error_px"] < 0.3 for board in end["boards"])


@pytest.mark.slow
def test_pictures_are_told_nothing_that_only_people_can_do(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    """No hands to keep off, and why nothing is seen is said once, on one of the two streams."""
    _, told, _ = call("calibrate", pictures, "--out", tmp_path / "t.toml")
    assert "Keep hands off" not in told
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros((720, 1280), np.uint8))
    for box in ((), ("--box", "jaws-and-paws")):
        status, told, complaint = call("calibrate", tmp_path / "dark.png", *box)
        assert status == 2
        assert (told + complaint).count("The picture is dark") == 1


@pytest.mark.slow
def test_a_check_by_pictures_says_what_it_needs(call: Call, pictures: Path, tmp_path: Path) -> None:
    """Nobody can be asked to move a token in one."""
    status, told, _ = call("calibrate", pictures, "--out", tmp_path / "t.toml", "--check")
    assert status == 1
    assert "the check needs a camera" in told


@pytest.mark.slow
def test_json_has_an_object_a_line_for_torn_pictures_too(
    call: Call, table: SimulatedTable, tmp_path: Path
) -> None:
    """What is passed over is told in words, as an object like all else."""
    folder = taken(tmp_path / "torn", table)
    (folder / "p1.png").write_bytes(b"\x89PNG torn")
    status, told, _ = call("calibrate", folder, "--out", tmp_path / "t.toml", "--json")
    lines = [json.loads(line) for line in told.splitlines()]
    assert status == 0
    (passed,) = (line["words"] for line in lines if list(line) == ["words"])
    assert "passed over: " in passed
    assert "p1.png" in passed


def test_a_board_that_is_missing_is_told_by_the_exit_status(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    """The others are written all the same; with one picture too."""
    out = tmp_path / "table.toml"
    arguments = ("--box", "jaws-and-paws", "--variant", "five-players", "--out", out)
    status, told, _ = call("calibrate", pictures / "p1.png", *arguments)
    assert status == 1
    assert "Jaws2 Pilot View: missing, 0 of 4 corner markers. It is not seen: lay it" in told
    assert out.read_text("utf-8").count("outline_px") == 6


@pytest.mark.slow
def test_what_a_person_wrote_stays(call: Call, pictures: Path, tmp_path: Path) -> None:
    """Comments and keys of their own; the box is the file's."""
    out = tmp_path / "table.toml"
    out.write_text('# ours\nbox = "jaws-and-paws"\n[heights_mm]\nsun = 2.5 # flat\n', "utf-8")
    assert call("calibrate", pictures, "--out", out)[0] == 0
    text = out.read_text("utf-8")
    assert text.startswith('# ours\nbox = "jaws-and-paws"\n[heights_mm]\nsun = 2.5 # flat\n')
    assert "[calibration]" in text


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("box = ", "is no TOML"),
        ('box = "chess"', "'chess' is no box here"),
        ('box = "dogfight-hex"', "The boards of jaws-and-paws lie there"),
        ("\x00", "table.toml"),
    ],
)
def test_a_wrong_file_is_left_as_it_is(
    content: str, said: str, call: Call, pictures: Path, tmp_path: Path
) -> None:
    """Exit 2, one line, nothing written."""
    out = tmp_path / "table.toml"
    out.write_text(content, "utf-8")
    status, _, complaint = call("calibrate", pictures, "--out", out)
    assert (status, complaint.count("\n")) == (2, 1)
    assert said in complaint
    assert out.read_text("utf-8") == content


def test_other_pictures_are_refused_with_the_way_out(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    """Of another size than the calibration is for."""
    out = tmp_path / "table.toml"
    call("calibrate", pictures / "p1.png", "--out", out)
    small = keep(tmp_path / "small.png", SimulatedTable(board_plan(), 5, (640, 360)))
    status, _, complaint = call("see", small, "--table", out)
    assert status == 2
    assert "was calibrated at 1280 x 720 and the pictures are 640 x 360" in complaint
    assert "run `companion calibrate`" in complaint


@pytest.mark.parametrize(
    ("look", "said"),
    [
        (PictureLook(blur_px=4.0), "Out of focus: turn the lens"),
        (PictureLook(falloff=0.99, noise=1.0), "is seen"),
    ],
)
def test_a_bad_picture_is_told(look: PictureLook, said: str, call: Call, tmp_path: Path) -> None:
    """What to do, and no file is made."""
    table = SimulatedTable(board_plan(), 5, look=look)
    if said == "is seen":
        table.light(0.02)
    out = tmp_path / "table.toml"
    status, _, complaint = call("calibrate", taken(tmp_path / "bad", table, 2), "--out", out)
    assert status == 2
    assert said in complaint
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("none.png",), "none.png does not exist"),
        (("--box", "chess"), "no box is called 'chess'"),
        ((".", "--size", "big"), "--size 'big': write width x height in px"),
        (("--lens", "none", "--target", "8x8"), "none does not exist"),
        (("--lens", ".", "--target", "knights"), "'knights' is no calibration board"),
    ],
)
def test_a_bad_call_is_told_in_one_line(words: Sequence[str], said: str, call: Call) -> None:
    """Exit 2."""
    status, _, complaint = call("calibrate", *words)
    assert (status, complaint.count("\n")) == (2, 1)
    assert said in complaint


@pytest.mark.slow
def test_a_camera_is_calibrated_by_its_name(
    call: Call, table: SimulatedTable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A device is bound to what it found: another one is refused."""
    out = tmp_path / "table.toml"

    def opened(source: str, *, size_px: tuple[int, int]) -> Camera:
        return table

    monkeypatch.setattr(command, "open_camera", opened)
    assert call("calibrate", "usb", "--out", out)[0] == 0
    assert f'camera = "{table.name}"' in out.read_text("utf-8")


class Helped(SimulatedTable):
    """A drawn table at which somebody does what is asked for; or, `careless`, something else."""

    asked: str = ""
    careless = False

    def read(self) -> Frame:
        if self.asked and not self.busy:
            self.move(JAWS_PLANE, Pose("Paws.GC" if self.careless else self.asked))
            self.asked = ""
        return super().read()


@pytest.mark.slow
@pytest.mark.parametrize("hand", ["careful", "careless"])
def test_a_token_on_three_spaces_is_the_check(
    hand: str, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Read right it is done; read elsewhere it says what may be wrong, and exits 1."""
    table = Helped(board_plan(), seed=5)
    careless = table.careless = hand == "careless"
    table.place(JAWS_PLANE, Pose("Paws.PC"))

    def opened(source: str, *, size_px: tuple[int, int]) -> Camera:
        return table

    def told(_: object, state: ProofState) -> None:
        table.asked = state.space
        print(state.words)  # noqa: T201 - so that the test reads it

    monkeypatch.setattr(command, "open_camera", opened)
    monkeypatch.setattr(command, "_tell_proof", told)
    monkeypatch.setattr(command, "PROOF_S", 8.0 if careless else 120.0)
    status, said, _ = call("calibrate", "usb", "--out", tmp_path / "t.toml", "--check")
    assert status == int(careless)
    assert ("All 3 spaces were read right." in said) is not careless
    assert ("The check is not done: " in said) is careless
    assert ("is read on Paws.GC" in said.splitlines()[-1]) is careless


# -- sheets --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--camera", "720p", "--field", "90x90"), "use a camera with more lines (1080p)"),
        (("--camera", "720p", "--field", "60x60"), "name the file that tells them to the camera"),
        (("--camera", "wide"), "not WIDTHxHEIGHT, as in 1920x1080, nor one of 720p"),
        (("--camera", "720p", "--field", "60"), "--field '60' is not WIDTHxHEIGHT"),
        (("--field", "60x60"), "of which camera? Add --camera"),
        (("--table", "."), "cannot be read"),
    ],
)
def test_sheets_that_would_not_be_read_are_refused(
    words: Sequence[str], said: str, call: Call, tmp_path: Path
) -> None:
    """Exit 2, with what would do; no file is made."""
    out = tmp_path / "sheets.pdf"
    status, _, complaint = call("markers", "jaws-and-paws", "--out", out, *words)
    assert (status, complaint.count("\n")) == (2, 1)
    assert said.lower() in complaint.lower()
    assert not out.exists()


def test_sizes_for_a_camera_go_to_paper_and_to_the_tables_file(call: Call, tmp_path: Path) -> None:
    """So that what is printed is what is looked for; a second call changes nothing."""
    out, toml = tmp_path / "sheets.pdf", tmp_path / "table.toml"
    words = ("markers", "dogfight-hex", "--out", out, "--table", toml)
    status, told, _ = call(*words, "--camera", "720p")
    assert status == 0
    assert "tokens: 32 mm are 32 px, good" in told
    assert "ship-a = 32.0" in toml.read_text("utf-8")
    first = (out.read_bytes(), toml.read_bytes())
    assert call(*words, "--camera", "720p")[0] == 0
    assert (out.read_bytes(), toml.read_bytes()) == first
    assert call(*words)[0] == 0
    assert out.read_bytes() == first[0]


def test_sheets_and_the_tables_file_are_written_both_or_neither(call: Call, tmp_path: Path) -> None:
    """Markers larger than the camera is told would be read in the wrong places."""
    out, toml = tmp_path / "none" / "sheets.pdf", tmp_path / "table.toml"
    words = ("markers", "dogfight-hex", "--camera", "720p", "--table", toml, "--out")
    status, _, complaint = call(*words, out)
    assert (status, toml.exists()) == (2, False)
    assert f"{out}: cannot be written" in complaint
    toml.write_text('# ours\nbox = "dogfight-hex"\n', "utf-8")
    assert call(*words, out)[0] == 2
    assert toml.read_text("utf-8") == '# ours\nbox = "dogfight-hex"\n'
    nowhere = tmp_path / "none" / "table.toml"
    sheets = tmp_path / "sheets.pdf"
    status, _, complaint = call(*words[:4], "--table", nowhere, "--out", sheets)
    assert (status, sheets.exists()) == (2, False)
    assert f"{nowhere}: cannot be written" in complaint


@pytest.mark.slow
def test_a_calibrated_table_prints_what_its_picture_needs(call: Call, tmp_path: Path) -> None:
    """Measured px a mm, not those of a leaflet."""
    far = plan_of("starship-edition")
    wide_mm = (far.table_mm[0] + 160.0, far.table_mm[1] + 160.0)
    table = SimulatedTable(replace(far, table_mm=wide_mm), seed=2)
    toml, out = tmp_path / "table.toml", tmp_path / "sheets.pdf"
    status, told, _ = call("calibrate", taken(tmp_path / "far", table), "--out", toml)
    assert status == 0
    assert "too small" in told
    assert f"Print larger markers: companion markers starship-edition --table {toml}" in told
    assert call("markers", "starship-edition", "--table", toml, "--out", out)[0] == 0
    written = tomllib.loads(toml.read_text("utf-8"))
    printed_mm = written["sides_mm"]["vessel-a"]
    assert printed_mm > far.token_of[Piece("vessel-a")].side_mm
    assert printed_mm * written["calibration"]["px_per_mm"] >= 28.0


class Typed(StringIO):
    """A terminal at which somebody types."""

    def isatty(self) -> bool:
        return True


def heights_in(path: Path) -> set[float]:
    """Of the tokens, as the table's file has them."""
    plan = load_table(path, {board_plan().box: board_plan}).plan
    return {token.height_mm for token in plan.tokens}


@pytest.mark.slow
def test_the_tokens_height_is_taken_and_then_tells_where_they_stand(
    call: Call, pictures: Path, tmp_path: Path
) -> None:
    """Taken to be twice as high as they are, tokens seem to stand nearer to the camera's foot."""
    out, places = tmp_path / "table.toml", list[tuple[float, float]]()
    for height_mm in (8.0, 16.0):
        status, told, _ = call("calibrate", pictures, "--out", out, "--height-mm", height_mm)
        assert status == 0
        assert f"are taken to be {height_mm:g} mm above the board" in told
        assert heights_in(out) == {height_mm}
        _, seen, _ = call("see", pictures / "p0.png", "--table", out, "--json")
        (piece,) = [one for one in json.loads(seen)["pieces"] if one["piece"] == JAWS_PLANE]
        places.append((piece["x_mm"], piece["y_mm"]))
    assert 0.5 < math.dist(*places) < 8.0


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(
    ("typed", "height_mm"), [("5.5\n", 5.5), ("high\n400\n6 mm\n", 6.0), ("\n", None), ("", None)]
)
def test_who_sits_at_the_terminal_is_asked_how_high_tokens_are(
    call: Call, pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    typed: str, height_mm: float | None,
) -> None:  # fmt: skip
    """What is no height is asked for again; Enter leaves it as it is taken to be."""
    out, usual = tmp_path / "table.toml", {token.height_mm for token in board_plan().tokens}
    monkeypatch.setattr("sys.stdin", Typed(typed))
    status, told, _ = call("calibrate", pictures, "--out", out)
    assert status == 0
    assert "How high is a token's marker above the board, mm?" in told
    assert heights_in(out) == ({height_mm} if height_mm is not None else usual)
