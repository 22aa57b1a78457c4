"""What a table has read off its own copy of a box: kept, used by matches, and never in the way."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_rulebook
from companion.games.dogfight_1917.figures import ASSUMED
from ui.table.settings_file import OwnFigures
from ui.touch import actions as a

BOX = find_rulebook("dogfight-1917")


def kept(folder: Path) -> Path:
    """Where the figures of the box are kept."""
    return folder / "kept-dogfight-1917.toml"


def theirs(folder: Path) -> Path:
    """What the table's people have written of the box."""
    return folder / "figures-dogfight-1917.toml"


def test_a_table_that_confirmed_nothing_has_no_figures_of_its_own(tmp_path: Path) -> None:
    """And a box that assumes none never has a file."""
    assert OwnFigures.load(tmp_path, BOX) == OwnFigures(theirs(tmp_path), {})
    other = find_rulebook("jaws-and-paws")
    (tmp_path / "figures-jaws-and-paws.toml").write_text("speed = 3")
    assert OwnFigures.load(tmp_path, other).figures == {}


def test_confirmed_figures_are_kept_and_found_again(tmp_path: Path) -> None:
    """As a file that people can read, with the name of the set in it."""
    assert BOX.figures is not None
    own = BOX.figures.changed({}, "board.radius", 5)
    saved = OwnFigures.load(tmp_path / "new", BOX).saved(BOX.figures.confirmed(own, "club table"))
    assert not saved.trouble
    found = OwnFigures.load(tmp_path / "new", BOX)
    assert found.figures == saved.figures
    assert 'name = "club table"' in kept(tmp_path / "new").read_text("utf-8")


@pytest.mark.parametrize(
    "text",
    ["board = ", "[board]\nradius = 1", "wings = 4", "\udcff", "[team_map]\nA = 'NE'"],
    ids=["torn", "out of limits", "unknown key", "no text", "two on one corner"],
)
def test_a_file_that_cannot_be_used_is_named_and_kept(tmp_path: Path, text: str) -> None:
    """The assumed figures hold meanwhile; the next confirmation puts the file aside."""
    kept(tmp_path).write_bytes(text.encode("utf-8", "surrogateescape"))
    own = OwnFigures.load(tmp_path, BOX)
    assert own.figures == {}
    assert str(kept(tmp_path)) in own.trouble
    assert BOX.figures is not None
    again = own.saved(BOX.figures.confirmed({}, "club table"))
    assert not again.trouble
    assert (tmp_path / "kept-dogfight-1917.toml.broken").exists()
    assert OwnFigures.load(tmp_path, BOX).figures["name"] == "club table"


@pytest.mark.parametrize(
    "text",
    ["board = ", "[board]\nradius = 1", "wings = 4", "\udcff"],
    ids=["torn", "out of limits", "unknown key", "no text"],
)
def test_a_file_of_the_people_that_cannot_be_used_is_left_as_it_is(
    tmp_path: Path, text: str
) -> None:
    """It is named until somebody puts it right; what is confirmed meanwhile is kept beside it."""
    raw = text.encode("utf-8", "surrogateescape")
    theirs(tmp_path).write_bytes(raw)
    own = OwnFigures.load(tmp_path, BOX)
    assert own.figures == {}
    assert BOX.figures is not None
    again = own.saved(BOX.figures.confirmed({}, "club table"))
    assert str(theirs(tmp_path)) in again.trouble
    assert theirs(tmp_path).read_bytes() == raw
    assert OwnFigures.load(tmp_path, BOX).figures["name"] == "club table"


def test_the_peoples_file_is_never_written(tmp_path: Path) -> None:
    """Comments and all: a figure changed on the screen is kept beside it, and only what it is."""
    text = "# our board is smaller\n[board]\nradius = 5  # measured\n"
    theirs(tmp_path).write_text(text)
    own = OwnFigures.load(tmp_path, BOX)
    assert BOX.figures is not None
    own = own.saved(BOX.figures.changed(own.figures, "basic_attack.difficulty_range_1", 3))
    assert theirs(tmp_path).read_text("utf-8") == text
    written = tomllib.loads(kept(tmp_path).read_text("utf-8"))
    assert set(written) == {"basic_attack", "confirmed", "name"}
    found = OwnFigures.load(tmp_path, BOX)
    assert found == own
    assert found.figures["board"] == {"radius": 5}


def test_a_figure_that_differs_in_both_files_is_named(tmp_path: Path) -> None:
    """The one that was set on the screen holds; who edits the file afterwards is told."""
    theirs(tmp_path).write_text("[board]\nradius = 5\n")
    own = OwnFigures.load(tmp_path, BOX)
    assert BOX.figures is not None
    own.saved(BOX.figures.changed(own.figures, "board.radius", 6))
    found = OwnFigures.load(tmp_path, BOX)
    assert found.trouble == (
        "board.radius stands in figures-dogfight-1917.toml and in kept-dogfight-1917.toml, and "
        "differs: that of kept-dogfight-1917.toml holds."
    )
    assert found.figures["board"] == {"radius": 6}


def test_a_folder_that_takes_nothing_leaves_the_figures_for_this_match(tmp_path: Path) -> None:
    """The trouble says so; the figures hold until the end."""
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert BOX.figures is not None
    own = OwnFigures(blocked / theirs(tmp_path).name, {}).saved(
        BOX.figures.confirmed({}, "club table")
    )
    assert "cannot be written" in own.unwritten
    assert own.figures["name"] == "club table"


def test_the_first_match_asks_for_the_figures_and_the_next_does_not(person: Any) -> None:
    """New match leads to them; what was confirmed is in the match's first line and on disk."""
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", "dogfight-1917"))
    key = person.state.frame.bottom.next
    assert key.action == a.Show(a.Panel.FIGURES)
    assert str(len(ASSUMED)) in key.second
    person.touch(key.action)
    person.touch(a.SetFigure("board.radius", 5))
    person.touch(a.ConfirmFigures())
    key = person.state.frame.bottom.next
    assert key.action == a.StartMatch()
    person.touch(key.action)
    match = person.table.match
    assert len(match.rulebook.plan.spaces) == 91
    assert match.setup.cards["name"].startswith("this table, ")
    own = kept(person.table.settings_file.path.parent)
    assert tomllib.loads(own.read_text("utf-8"))["board"]["radius"] == 5
