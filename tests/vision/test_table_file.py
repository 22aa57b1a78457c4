"""The table's own file: what it replaces, and how it is refused."""

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadFile
from companion.core.files import line_of
from companion.games.jaws_and_paws.boards import board_plan
from vision.table_file import reading as table_file
from vision.table_file.reading import TableSetup, load_table

PLANS = {"jaws-and-paws": board_plan}
EXAMPLE = textwrap.dedent((inspect.getdoc(table_file) or "").split("::\n\n")[1])


def load(folder: Path, text: str) -> TableSetup:
    path = folder / "table.toml"
    path.write_text(text, "utf-8")
    return load_table(path, PLANS)


def test_the_documented_example_is_read(tmp_path: Path) -> None:
    """Every key of the module's example replaces what it says and nothing else."""
    setup, own = load(tmp_path, EXAMPLE), board_plan()
    assert setup.plan.dictionary == "4X4_50"
    assert [token.side_mm for token in setup.plan.tokens] == [20.0, 25.0, 25.0]
    assert [token.height_mm for token in setup.plan.tokens] == [8.0, 8.0, 2.5]
    assert setup.plan.board("Jaws Pilot View").corner_side_mm == 30.0
    assert setup.plan.board("Paws Pilot View") == own.board("Paws Pilot View")
    assert setup.lens is not None
    assert setup.lens.distortion[0] == -0.11
    assert not setup.lens.assumed


def test_a_box_alone_is_a_table(tmp_path: Path) -> None:
    """The box's own plan holds, and no lens is known."""
    setup = load(tmp_path, 'box = "jaws-and-paws"')
    assert setup.plan == board_plan()
    assert setup.lens is None


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"jaws-and-paws"', '"chess"', "line 1, box: 'chess' is no box here; one of: jaws-and"),
        ("box =", "bax =", "box: is missing"),
        ("4X4_50", "4X4_5", "line 2, dictionary: '4X4_5' is not OpenCV's; one of: .*4X4_50"),
        ("4X4_50", "APRILTAG_16h5", "line 2, dictionary: .* by chance"),
        ("jaws = 16", "jaws = 99", "line 5, markers.jaws: marker 99: 4X4_50 has only 0 to 49"),
        ("jaws = 16", "jaws = 17", "markers.paws: marker 17 is already that of the Jaws plane"),
        ("jaws = 16", "jaws = 0", "line 5, markers.jaws: .* already that of the Jaws Pilot View"),
        ("jaws = 16", "moon = 16", "line 5, markers.moon: no such piece; one of: jaws, paws, sun"),
        ("jaws = 16", 'jaws = "x"', "line 5, markers.jaws: .*whole number.*'x'"),
        ("sun = 2.5", "sun = -1", "line 9, heights_mm.sun: .*greater than or equal to 0"),
        ("30.0", "inf", "line 12, .*corner_side_mm: .*finite"),
        ("30.0", "0", "line 12, .*corner_side_mm: .*greater than 0"),
        ("0 = [18, 18]", "0 = [18]", "line 13, .*corners_mm.0"),
        (", 2 = [222, 92], 3 = [18, 92]", "", "line 13, .*corners_mm: has 2 markers; .* needs 3"),
        ("[222, 92]", "[2220, 92]", r"line 13, .*corners_mm.2: \[2220, 92\] is off the board"),
        ('"Jaws Pilot View"', "Cockpit", "line 11, boards.Cockpit: no such board; one of: Jaws"),
        ("corner_side_mm", "corner_size_mm", "line 12, .*corner_size_mm: is no key"),
        ("[1280, 720]", "[0, 0]", "line 17, lens.size_px: .*greater than or equal to 16"),
        ("-0.11", '"x"', "line 20, lens.distortion: .*number"),
        ("-0.11,", "-0.11, 1,", "line 20, lens.distortion: .*at most 5"),
        ("[lens]", "[lens", "is no TOML: .*line 15"),
        ("[lens]", "[lens]\ncolour = 1", "line 16, lens.colour: is no key"),
    ],
)
def test_what_is_wrong_is_named_by_line_key_and_what_is_allowed(
    old: str, new: str, said: str, tmp_path: Path
) -> None:
    """A person edits this file: the message says where and what would do."""
    assert old in EXAMPLE
    with pytest.raises(BadFile, match=said) as refused:
        load(tmp_path, EXAMPLE.replace(old, new))
    assert str(refused.value).startswith(str(tmp_path / "table.toml"))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("outlines", "said"),
    [
        ('"Paws.PL" = [[0, 0], [9, 0], [9, 9]]', "Paws.PL.*no such space there; one of: Jaws.PL"),
        ('"Jaws.PL" = [[0, 0], [9, 0]]', "Jaws.PL.*at least 3"),
        ('"Jaws.PL" = [[0, 0], [9, 0], [2, 1], [0, 9]]', "Jaws.PL.*is not convex"),
        ('"Jaws.PL" = [[0, 0], [9, 9], [9, 0], [0, 9]]', "Jaws.PL.*is not convex"),
    ],
)
def test_outlines_are_those_of_the_board_and_convex(
    outlines: str, said: str, tmp_path: Path
) -> None:
    """Inside and outside are told by the sides of a convex outline."""
    text = f'box = "jaws-and-paws"\n[boards."Jaws Pilot View".outlines_mm]\n{outlines}'
    with pytest.raises(BadFile, match=f"line 3, .*{said}"):
        load(tmp_path, text)


def test_outlines_replace_spaces(tmp_path: Path) -> None:
    """A table with boards of its own says where their zones lie; labels stay."""
    text = (
        'box = "jaws-and-paws"\n[boards."Jaws Pilot View".outlines_mm]\n'
        '"Jaws.PL" = [[0, 0], [50, 0], [50, 90], [0, 90]]'
    )
    space = load(tmp_path, text).plan.spaces["Jaws.PL"]
    assert (space.centre_mm, space.label) == ((25.0, 45.0), "PL")


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"\x00"])
def test_what_is_no_text_is_refused(content: bytes, tmp_path: Path) -> None:
    """A picture given as a table's file, for instance."""
    path = tmp_path / "table.toml"
    path.write_bytes(content)
    with pytest.raises(BadFile, match=r"table\.toml"):
        load_table(path, PLANS)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    """One line, with what the system says."""
    with pytest.raises(BadFile, match="No such file"):
        load_table(tmp_path / "none.toml", PLANS)
    with pytest.raises(BadFile, match="directory"):
        load_table(tmp_path, PLANS)


@given(st.text(alphabet="[]{}=\"'#.\n box1,", max_size=80))
def test_any_text_gives_a_table_or_a_refusal(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """Whatever is typed into it, the file never crashes what reads it."""
    path = tmp_path_factory.getbasetemp() / "typed.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(BadFile):
        load_table(path, PLANS)


def test_a_line_is_found_for_a_key_or_for_what_is_around_it() -> None:
    """Tables, dotted keys and keys inside a one-line table."""
    text = 'a = 1\n[b."c d"]\ne = 2\nf.g = 3\n[h]\ni = { j = 4 }'
    assert line_of(text, ("b", "c d", "e")) == 3
    assert line_of(text, ("b", "c d", "f", "g")) == 4
    assert line_of(text, ("h", "i", "j")) == 6
    assert line_of(text, ("b", "c d", "missing")) == 2
    assert line_of(text, ("z",)) is None
