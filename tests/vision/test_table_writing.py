"""A table's file as the companion writes it: comments stay, a broken one is left alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.errors import BadFile, CameraError
from companion.games.jaws_and_paws.boards import board_plan
from vision.boards.lens import Lens
from vision.boards.place import BoardFound, Calibration
from vision.markers.choice import Scale, sized_for
from vision.table_file.reading import TableSetup, load_table
from vision.table_file.writing import write_calibration, write_heights, write_lens, write_sizes

PLANS = {"jaws-and-paws": board_plan}
SIZE = (1280, 720)
LENS = Lens(SIZE, (1101.25, 1102.5), (641.5, 358.25), (-0.11, 0.02, 0.0, 0.0, 0.0), 0.21, "cam")
OUTLINE = ((300.1, 402.5), (624.8, 404.0), (624.1, 552.9), (299.6, 551.2))
FOUND = Calibration(
    "cam", SIZE, LENS, {"Jaws Pilot View": BoardFound(OUTLINE, 4, 0.12)}, 0.83, 1.41, "2026-11-21"
)
BY_HAND = """# Our club's table, measured by Ana.
box = "jaws-and-paws"   # the first box

[heights_mm]
sun = 2.5       # a flat token
# [lens] is gone: the old camera broke
[markers]
jaws = 18
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def load(path: Path) -> TableSetup:
    return load_table(path, PLANS)


def test_what_was_calibrated_is_read_back(path: Path) -> None:
    """All of it, from a file that was not there before."""
    write_calibration(path, "jaws-and-paws", FOUND)
    setup = load(path)
    assert setup.plan == board_plan()
    assert setup.lens == LENS
    assert setup.calibration == FOUND


def test_comments_and_other_keys_stay(path: Path) -> None:
    """What a person wrote is theirs, in the order they wrote it."""
    path.write_text(BY_HAND, "utf-8")
    write_calibration(path, "jaws-and-paws", FOUND)
    text = path.read_text("utf-8")
    assert text.startswith(BY_HAND.rstrip())
    assert load(path).plan.token_of[board_plan().tokens[0].piece].marker == 18
    assert load(path).calibration == FOUND


def test_a_file_with_a_byte_order_mark_is_read_and_written(path: Path) -> None:
    """As some editors write one."""
    path.write_text(BY_HAND, "utf-8-sig")
    write_calibration(path, "jaws-and-paws", FOUND)
    assert load(path).plan.token_of[board_plan().tokens[0].piece].marker == 18
    assert load(path).calibration == FOUND


def test_a_second_calibration_takes_the_place_of_the_first(path: Path) -> None:
    """No key is there twice, and boards that are gone are gone."""
    write_calibration(path, "jaws-and-paws", FOUND)
    again = replace(FOUND, camera="other", lens=replace(LENS, camera="other"), boards={})
    write_calibration(path, "jaws-and-paws", again)
    assert load(path).calibration == again
    assert path.read_text("utf-8").count("\n[calibration]\n") == 1
    assert "Jaws Pilot View" not in path.read_text("utf-8")


WORDY = """# the club's table
box = "jaws-and-paws"

# over the lens
[lens]  # on it
# in it
size_px = [1280, 720]
focal_px = [1100.0, 1100.0]
centre_px = [640.0, 360.0]
# behind it
[calibration]
size_px = [1280, 720]
[calibration.boards."Jaws Pilot View"]
outline_px = [[0, 0], [100, 0], [100, 50], [0, 50]]  # on a board

# over the heights
[heights_mm]
sun = 2.5  # measured by Ana
"""


def words_in(path: Path) -> list[str]:
    """The comments of a file in their order, those of the companion's own left out."""
    lines = path.read_text("utf-8").splitlines()
    return [f"# {line.split('# ')[1]}" for line in lines if "# " in line and "guessed" not in line]


def test_words_beside_all_our_own_parts_stay(path: Path) -> None:
    """Over a part, on its line, among its values and behind them; again and again."""
    path.write_text(WORDY, "utf-8")
    before = words_in(path)
    guessed = replace(FOUND, lens=replace(LENS, assumed=True))
    for found in (FOUND, guessed, replace(FOUND, boards=FOUND.boards), FOUND):
        write_calibration(path, "jaws-and-paws", found)
        assert words_in(path) == before
        assert load(path).calibration == found
        assert ("guessed" in path.read_text("utf-8")) == found.lens.assumed
    write_lens(path, "jaws-and-paws", LENS)
    assert load(path).calibration is None
    assert words_in(path) == [words for words in before if words != "# on a board"]
    text = path.read_text("utf-8")
    assert text.index("rms_px") < text.index("# behind it") < text.index("# over the heights")


@pytest.mark.parametrize("text", [
    "lens = { size_px = [1280, 720], focal_px = [1100, 1100], centre_px = [640, 360] }\n# mine",
    "lens.size_px = [1280, 720]\nlens.focal_px = [1100, 1100]\nlens.centre_px = [640, 360]\n# mine",
    ('[calibration]\nsize_px = [1280, 720]\n[heights_mm]\nsun = 2.5\n# mine\n'
     '[calibration.boards."Jaws Pilot View"]\noutline_px = [[0, 0], [9, 0], [9, 5], [0, 5]]'),
])  # fmt: skip
def test_our_own_parts_are_put_anew_however_they_were_written(path: Path, text: str) -> None:
    """In one line, key by key, or in two places: once afterwards, and the rest as it was."""
    path.write_text(f'box = "jaws-and-paws"\n{text}\n', "utf-8")
    before = load(path).plan
    write_calibration(path, "jaws-and-paws", FOUND)
    assert (load(path).calibration, load(path).plan) == (FOUND, before)
    write_lens(path, "jaws-and-paws", LENS)
    assert (load(path).calibration, load(path).lens) == (None, LENS)
    assert words_in(path) == ["# mine"]


@pytest.mark.parametrize("box", ['"dogfight-1917"', "3", "{}"])
def test_the_file_of_another_box_is_left_as_it_is(path: Path, box: str) -> None:
    """Its boards are no boards of this one: nobody could read the file any more."""
    path.write_text(f"box = {box}\n", "utf-8")
    own = board_plan()
    writers: list[Callable[[], None]] = [
        lambda: write_calibration(path, own.box, FOUND),
        lambda: write_lens(path, own.box, LENS),
        lambda: write_sizes(path, sized_for(own, Scale(1.2, "a camera")), own),
    ]
    for write in writers:
        with pytest.raises(
            BadFile, match=r"box: it is the table of .*, not of jaws-and-paws: take"
        ):
            write()
    assert path.read_text("utf-8") == f"box = {box}\n"


@pytest.mark.parametrize("text", ["sides_mm = 3", "boards = [1]", "[[boards]]", "[[sides_mm]]"])
def test_sizes_have_no_place_in_what_is_no_table(path: Path, text: str) -> None:
    """The key is named, and the file left as it is."""
    path.write_text(f'box = "jaws-and-paws"\n{text}\n', "utf-8")
    own = board_plan()
    boards = tuple(replace(board, corner_side_mm=30.0) for board in own.boards)
    tokens = tuple(replace(token, side_mm=28.0) for token in own.tokens)
    with pytest.raises(BadFile, match=r"(sides_mm|boards): is no table of values; mend it there"):
        write_sizes(path, replace(own, boards=boards, tokens=tokens), own)
    assert path.read_text("utf-8") == f'box = "jaws-and-paws"\n{text}\n'


def test_torn_files_are_refused_and_never_crash(path: Path) -> None:
    """A whole file cut here and there, and with a byte gone here and there: read and written."""
    path.write_text(WORDY, "utf-8")
    write_calibration(path, "jaws-and-paws", FOUND)
    whole = path.read_bytes()
    cut = [whole[:at] for at in range(0, len(whole), 41)]
    gaps = [whole[:at] + whole[at + 1 :] for at in range(4, len(whole), 41)]
    for torn in (*cut, *gaps):
        path.write_bytes(torn)
        readable = not isinstance(caught(lambda: load(path)), BadFile)
        refused = caught(lambda: write_calibration(path, "jaws-and-paws", FOUND))
        if refused is not None:
            assert path.read_bytes() == torn
        if readable:
            assert refused is None
            assert load(path).calibration == FOUND


def caught(deed: Callable[[], object]) -> BadFile | None:
    """The refusal of a deed; what else goes wrong ends the test."""
    try:
        deed()
    except BadFile as refused:
        return refused
    return None


def test_a_guessed_lens_says_so(path: Path) -> None:
    """In words beside it, and to whoever reads it back."""
    guessed = replace(LENS, assumed=True, camera="")
    write_calibration(path, "jaws-and-paws", replace(FOUND, lens=guessed))
    assert "# guessed from the boards; measure it" in path.read_text("utf-8")
    assert load(path).lens == guessed


def test_a_new_lens_takes_out_what_was_seen_through_the_old_one(path: Path) -> None:
    """The boards are calibrated anew; all else stays."""
    path.write_text(BY_HAND, "utf-8")
    write_calibration(path, "jaws-and-paws", FOUND)
    write_lens(path, "jaws-and-paws", replace(LENS, rms_px=0.4))
    setup = load(path)
    assert setup.calibration is None
    assert setup.lens is not None
    assert setup.lens.rms_px == 0.4
    assert "measured by Ana" in path.read_text("utf-8")


def test_sizes_of_markers_are_read_back(path: Path) -> None:
    """Those that differ from the box's own, and no others."""
    path.write_text(BY_HAND, "utf-8")
    own = board_plan()
    larger = sized_for(own, Scale(1.2, "a camera of 720 lines"))
    write_sizes(path, replace(larger, boards=own.boards), own)
    text = path.read_text("utf-8")
    assert "[sides_mm]\njaws = 28.0\npaws = 28.0\nsun = 28.0" in text
    assert "corner_side_mm" not in text
    assert [token.side_mm for token in load(path).plan.tokens] == [28.0, 28.0, 28.0]
    boards = tuple(replace(board, corner_side_mm=30.0) for board in own.boards[:1])
    write_sizes(path, replace(own, boards=(*boards, *own.boards[1:])), own)
    assert load(path).plan.boards[0].corner_side_mm == 30.0


@pytest.mark.parametrize("text", [
    "sides_mm = { jaws = 20.0 }",
    "sides_mm.jaws = 20.0",
    ('[boards."Jaws Pilot View"]\ncorner_side_mm = 28.0\n[sides_mm]\n'
     '[boards."Paws Pilot View"]\ncorner_side_mm = 28.0'),
])  # fmt: skip
def test_sizes_are_written_however_a_person_wrote_theirs(path: Path, text: str) -> None:
    """In a table of its own, in one line, or apart from its like."""
    own = board_plan()
    path.write_text(f'box = "jaws-and-paws"\n{text}\n', "utf-8")
    boards = tuple(replace(board, corner_side_mm=30.0) for board in own.boards)
    larger = replace(own, boards=boards, tokens=tuple(replace(t, side_mm=28.0) for t in own.tokens))
    write_sizes(path, larger, own)
    plan = load(path).plan
    assert [token.side_mm for token in plan.tokens] == [28.0, 28.0, 28.0]
    assert {board.corner_side_mm for board in plan.boards} == {30.0}


@pytest.mark.parametrize("torn", [
    "box = ",
    '[lens\ncamera = "x"',
    'box = "a"\nbox = "b"',
    '[lens]\ncamera = "a"\n# [calibration]\ncamera = "a"',  # somebody took one line out
])  # fmt: skip
def test_a_torn_file_is_left_as_it_is(path: Path, torn: str) -> None:
    """It may hold more than we could write; the message names it."""
    path.write_text(torn, "utf-8")
    with pytest.raises(BadFile, match=r"table\.toml: this is no TOML.*; mend it there"):
        write_calibration(path, "jaws-and-paws", FOUND)
    assert path.read_text("utf-8") == torn


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    """A folder, a picture, a folder that is not there: nothing is left behind."""
    with pytest.raises(BadFile, match="cannot be read"):
        write_calibration(tmp_path, "jaws-and-paws", FOUND)
    picture = tmp_path / "table.jpg"
    picture.write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(BadFile, match="cannot be read"):
        write_calibration(picture, "jaws-and-paws", FOUND)
    with pytest.raises(BadFile, match="cannot be written: No such file"):
        write_calibration(tmp_path / "none" / "table.toml", "jaws-and-paws", FOUND)
    assert sorted(tmp_path.iterdir()) == [picture]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("markers = 4", "markers = 0", "calibration.*markers: .*greater than or equal to 1"),
        ("[300.1, 402.5], ", "", "calibration.*outline_px"),
        ("300.1", "nan", "calibration.*outline_px.*finite"),
        ('boards."Jaws Pilot View"', 'boards."Cockpit"', "Cockpit: no such board; one of: Jaws"),
        ("px_per_mm", "px_pro_mm", "px_pro_mm: is no key of a table's file"),
        ("size_px = [1280, 720]\nmade", "size_px = [640, 480]\nmade", "lens.size_px: .*shape"),
        ("blur_px = 0.83", "blur_px = -1", "blur_px: .*greater than or equal to 0"),
    ],
)
def test_what_is_wrong_in_a_calibration_is_named(path: Path, old: str, new: str, said: str) -> None:
    """A person may edit it: line, key, and what is allowed."""
    write_calibration(path, "jaws-and-paws", FOUND)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(BadFile, match=rf"line \d+, .*{said}"):
        load(path)


def test_a_table_knows_which_camera_it_was_calibrated_with(path: Path) -> None:
    """By the calibration, or where there is only a lens, by that."""
    write_calibration(path, "jaws-and-paws", FOUND)
    load(path).check_camera("cam", SIZE)
    with pytest.raises(CameraError, match=rf"{path} was calibrated with the camera cam"):
        load(path).check_camera("other", SIZE)
    with pytest.raises(CameraError, match="the pictures are 1920 x 1080"):
        load(path).check_camera("cam", (1920, 1080))
    write_lens(path, "jaws-and-paws", LENS)
    load(path).check_camera("cam", (1920, 1080))
    with pytest.raises(CameraError, match="with the camera cam, and this is other"):
        load(path).check_camera("other", SIZE)
    TableSetup(board_plan()).check_camera("any", SIZE)


def test_one_height_is_that_of_every_token(tmp_path: Path) -> None:
    """A file of one's own keeps what else is in it."""
    own, path = board_plan(), tmp_path / "table.toml"
    path.write_text('# ours\nbox = "jaws-and-paws"\n', "utf-8")
    write_heights(path, own, 5.5)
    assert path.read_text("utf-8").startswith("# ours\n")
    assert {token.height_mm for token in load_table(path, PLANS).plan.tokens} == {5.5}
