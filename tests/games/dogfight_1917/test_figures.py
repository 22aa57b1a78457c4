"""A table's own figures: other boards, other numbers, and files that cannot be.  (DF-2.2, 28)"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadFile
from companion.games.dogfight_1917.figures import (
    ASSUMED,
    TABLE_FILE,
    assumed_figures,
    read_figures,
)
from companion.kit.hexes import Heading, Hex, hexagon
from ui.terminal.app import run

MakeTable = Callable[..., Any]
BARE: dict[str, Any] = {"one_token": [], "two_tokens": []}
SMALL = [[0, 0], [0, -1], [1, -1], [1, 0], [0, 1], [-1, 1], [-1, 0]]


def on_board(radius: int) -> set[Hex]:
    return {Hex(q, r) for q in range(-9, 10) for r in range(-9, 10)
            if max(abs(q), abs(r), abs(q + r)) <= radius}  # fmt: skip


# -- what is shipped ------------------------------------------------------------------------------


def test_28_what_is_assumed_meanwhile() -> None:
    """As the digest has it, and all of it marked as assumed."""
    figures = assumed_figures()
    assert figures.board.spaces == on_board(4)
    ones = [(0, -3), (3, -3), (3, 0), (0, 3), (-3, 3), (-3, 0)]
    twos = [(2, -4), (4, -2), (2, 2), (-2, 4), (-4, 2), (-2, -2)]
    assert figures.token_spaces == {
        **{Hex(*space): 1 for space in ones}, **{Hex(*space): 2 for space in twos},
    }  # fmt: skip
    assert figures.difficulty == {1: 4, 2: 5}
    assert figures.lewis_range == (1, 3)
    assert figures.royale_tokens == (0, 1, 2, 3)
    assert not figures.confirmed
    assert figures.assumed("board.radius") == " (assumed figure)"


def test_28_every_figure_of_the_list_stands_in_the_file() -> None:
    """So that what a table is asked to confirm is what rules."""
    file = tomllib.loads(TABLE_FILE.read_text("utf-8"))
    for name in ASSUMED:
        part, _, key = name.partition(".")
        assert key in file[part]


def test_28_figures_that_differ_in_nothing_are_the_shipped_ones() -> None:
    """An empty file changes nothing, part of one only that part."""
    assert read_figures({}) is assumed_figures()
    figures = read_figures({"basic_attack": {"difficulty_range_1": 3}})
    assert figures.difficulty == {1: 3, 2: 5}
    assert figures.board.spaces == assumed_figures().board.spaces


# -- other boards (RULING 1) ----------------------------------------------------------------------


@pytest.mark.parametrize("radius", range(2, 10))
def test_ruling_1_another_radius(radius: int) -> None:
    """Spaces, corners and both start maps go with it."""
    figures = read_figures({"board": {"radius": radius, **BARE}})
    assert figures.board.spaces == on_board(radius)
    starts = {seat: start.name() for seat, start in figures.team_starts.items()}
    assert starts == {
        "A": f"{-radius},0 SE", "B": f"{radius},0 NW",
        "C": f"{radius},{-radius} SW", "D": f"{-radius},{radius} NE",
    }  # fmt: skip
    assert figures.corner_start(0) == Heading(Hex(0, -radius), 3)


def test_ruling_1_flown_on_a_smaller_board(table_at: MakeTable) -> None:
    """On radius 2 the third step leaves it: a Stall comes earlier."""
    places: dict[str, Any] = {"A": {"place": "0,-2 N"}, "B": {"place": "0,1 N"}}
    assert "engage" in table_at("assessment", **places).names("action")
    small = {"board": {"radius": 2, **BARE}}
    table = table_at("assessment", **places, cards=small)
    assert "engage" not in table.names("action")
    assert len(table.match.rulebook.plan.spaces) == 19


def test_ruling_1_explicit_spaces(table_at: MakeTable) -> None:
    """A board of any shape: what is not named is off it."""
    spaces = [*SMALL, [0, -2], [1, -3]]
    table = table_at(
        A={"place": "0,0 N"}, B={"place": "0,1 N"}, cards={"board": {"spaces": spaces, **BARE}}
    ).act("Basic Maneuver")
    ends = {name.partition(" ")[0] for name in table.names("fly")}
    assert ends == {"0,-1", "1,-1", "-1,0", "0,-2"}
    assert set(table.match.rulebook.plan.spaces) == {f"{q},{r}" for q, r in spaces}


def test_df_2_8_tactical_positions_of_the_real_board(table_at: MakeTable) -> None:
    """Read off and entered, they pay what they say."""
    cards = {"board": {"one_token": [[0, 0]], "two_tokens": [[0, -1]]}}
    table = table_at(A={"place": "0,1 N"}, B={"place": "2,2 N"}, cards=cards)
    table.act("Basic Maneuver").say("fly", "0,-1 N")
    assert table.player("A").tokens == 2
    assert (
        table_at(A={"place": "0,-2 N"}, B={"place": "2,2 N"}, cards=cards)
        .act("Turning Maneuver")
        .say("fly", "0,-3 N")
        .player("A")
        .tokens
        == 0
    )


def test_ruling_2_another_difficulty(table_at: MakeTable) -> None:
    """At range 1 as the table read it; while nobody has, the ruling says that it is assumed."""
    near = {"A": {"place": "0,0 N", "pilot": "loewenhardt"}}
    table = table_at(**near).act("Basic Attack").say("fire", [3, 4])
    assert table.position.gunsight == 1
    assert "(assumed figure)" in table.said("Difficulty 4").text
    own = {"basic_attack": {"difficulty_range_1": 3},
           "confirmed": ["basic_attack.difficulty_range_1"]}  # fmt: skip
    table = table_at(**near, cards=own).act("Basic Attack").say("fire", [3, 4])
    assert table.position.gunsight == 2
    assert "assumed" not in table.said("Difficulty 3").text


def test_confirmed_by_name_or_as_a_whole() -> None:
    """The mark "assumed" goes from those that were held against the components."""
    some = read_figures({"confirmed": ["board.radius"]})
    assert some.assumed("board.radius") == ""
    assert some.assumed("board.radius", "board.one_token") == " (assumed figure)"
    assert read_figures({"confirmed": True}).confirmed == set(ASSUMED)


# -- files that cannot be -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("raw", "place", "words"),
    [
        ({"board": 3}, "board", "a table of names and values is expected"),
        ({"board": {"radius": 1}}, "board.radius", "greater than or equal to 2 is expected, not 1"),
        ({"board": {"radius": 10}}, "board.radius", "less than or equal to 9 is expected, not 10"),
        ({"board": {"radius": "wide"}}, "board.radius", "not 'wide'"),
        ({"board": {"radius": 3.5}}, "board.radius", "not 3.5"),
        ({"board": {"radius": 3}}, "board.two_tokens", "2,-4 is not on the board; name this"),
        ({"board": {"one_token": [[0, 1, 2]]}}, "board.one_token.0", "not "),
        ({"board": {"one_token": [[9, 9]]}}, "board.one_token", "9,9 is not on the board"),
        ({"board": {"one_token": [[0, 0], [0, 0]]}}, "board.one_token", "0,0 is named twice"),
        ({"board": {"two_tokens": [[0, -3]]}}, "board.two_tokens", "0,-3 is named twice"),
        ({"board": {"width": 9}}, "board.width", "no such figure; there are radius, spaces"),
        ({"speed": 3}, "speed", "no such figure; there are name, confirmed, board"),
        ({"board": {"spaces": [], **BARE}}, "board.spaces", "is missing"),
        ({"board": {"spaces": SMALL[:-1], **BARE}}, "board.spaces", "-1,0 is missing"),
        ({"board": {"spaces": [*SMALL, [0, 1]], **BARE}}, "board.spaces", "0,1 is named twice"),
        ({"board": {"spaces": [*SMALL, [0, -3]], **BARE}}, "board.spaces",
         "0,-3 cannot be reached from 0,0"),
        ({"board": {"spaces": [*SMALL, [99, 0]], **BARE}}, "board.spaces", "99,0 lies over 9"),
        ({"board": {"spaces": [["a", 0]]}}, "board.spaces.0.0", "not 'a'"),
        ({"basic_attack": {"difficulty_range_1": 7}}, "basic_attack.difficulty_range_1", "not 7"),
        ({"basic_attack": {"difficulty_range_3": 6}}, "basic_attack.difficulty_range_3",
         "there are difficulty_range_1, difficulty_range_2"),
        ({"lewis_guns": {"range": [3, 1]}}, "lewis_guns.range", "3 is more than 1"),
        ({"lewis_guns": {"range": [1]}}, "lewis_guns.range.1", "required"),
        ({"albatros_evasive_dive": {"dice": 0}}, "albatros_evasive_dive.dice", "not 0"),
        ({"albatros_second_attack": {"name": ""}}, "albatros_second_attack.name", "not ''"),
        ({"battle_royale": {"tokens": [0, 1, 2]}}, "battle_royale.tokens", "at least 4 items"),
        ({"battle_royale": {"tokens": [0, 1, 2, -3]}}, "battle_royale.tokens.3", "not -3"),
        ({"team_map": {"A": "SE"}}, "team_map", "two players start on one corner"),
        ({"team_map": {"A": "W"}}, "team_map.A", "not 'W'"),
        ({"confirmed": "perhaps"}, "confirmed", "true, false or a list of figures"),
        ({"confirmed": ["board.width"]}, "confirmed", "'board.width' is no assumed figure"),
        ({"name": ""}, "name", "not ''"),
    ],
)  # fmt: skip
def test_28_a_broken_file_names_its_place(raw: dict[str, Any], place: str, words: str) -> None:
    """Which file, which place in it, and what is allowed there."""
    with pytest.raises(BadFile) as refused:
        read_figures(raw, "club.toml")
    assert refused.value.place == place
    assert words in refused.value.text
    assert str(refused.value).startswith(f"club.toml: {place}: ")


@pytest.mark.slow
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=4),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["board", "radius", "name", "x"]), inner, max_size=3)
        ),
        max_leaves=6,
    )
)
def test_28_whatever_stands_in_a_file_is_read_or_refused(raw: Any) -> None:
    """Never anything but figures or a message with a place."""
    for part in ("board", "lewis_guns", "team_map", "confirmed", "name", "nonsense"):
        try:
            figures = read_figures({part: raw})
        except BadFile as refused:
            place = refused.place
        else:
            place = part
            assert Hex(0, 0) in figures.board.spaces
        assert place.startswith(part)


def test_28_at_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--data FILE` rules the match; a broken one is told in a line, with status 2."""
    good, broken = tmp_path / "good.toml", tmp_path / "broken.toml"
    good.write_text("[basic_attack]\ndifficulty_range_1 = 3\n", "utf-8")
    broken.write_text("[board]\nradius = 40\n", "utf-8")
    script = tmp_path / "script"
    script.write_text("", "utf-8")
    call = ["referee", "dogfight-1917", "--script", str(script), "--json", "--data"]
    assert run([*call, str(good)]) == 0
    capsys.readouterr()
    assert run([*call, str(broken)]) == 2
    said = capsys.readouterr()
    assert "board.radius" in said.out + said.err
    assert "less than or equal to 9" in said.out + said.err


def test_rings_of_a_hexagon_are_what_radius_counts() -> None:
    """The outermost spaces lie as many steps from the middle as the radius says."""
    outer = set(hexagon(4)) - set(hexagon(3))
    assert {space.distance(Hex(0, 0)) for space in outer} == {4}
