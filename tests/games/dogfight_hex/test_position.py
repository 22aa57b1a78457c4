"""Position files of Dogfight! hex ships: what they say, and what is written back."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.games.dogfight_hex as box
from companion.core.errors import BadCall, BadFile, CompanionError
from companion.core.offers import Offer, Stamp
from companion.games.dogfight_hex.position import SHIP, TURN, DogfightHexPosition
from companion.games.dogfight_hex.seats import STAGES
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

HERE = Path(box.__file__).parent
EXAMPLES = sorted((HERE / "positions").glob("*.toml"))
STAMP = Stamp("test", "2026-11-21T19:00:00Z", 0.0)
Make = Callable[..., Any]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_begins_where_it_says(example: Make, path: Path) -> None:
    """With its players, at its question; and is written back as it was read."""
    options, asks = example(path)
    file = tomllib.loads(path.read_text("utf-8"))
    match: Match[Any] = Match.start(Setup("dogfight-hex", options=options, position=file), STAMP)
    assert next(iter(match.open)) == asks
    read = DogfightHexPosition.from_file(file)
    assert DogfightHexPosition.from_file(read.to_file()).digest() == read.digest()
    assert json.loads(json.dumps(read.to_file())) == read.to_file()


def test_where_names_the_books_place() -> None:
    """Set-up, or the turn and its phase."""
    match: Match[Any] = Match.start(Setup("dogfight-hex"), STAMP)
    assert [*match.position.where()] == ["set-up"]
    file = tomllib.loads((HERE / "positions" / "movement.toml").read_text("utf-8"))
    position = DogfightHexPosition.from_file(file)
    assert [*position.where()] == ["turn-3", "movement"]


def test_facts_say_where_ships_and_debris_are() -> None:
    """As the map calls the places; nothing where there is none."""
    file = tomllib.loads((HERE / "positions" / "debris.toml").read_text("utf-8"))
    facts = {fact.name: fact.value for fact in DogfightHexPosition.from_file(file).facts()}
    assert [facts[f"{seat}.place"] for seat in "AC"] == ["4,-4 SW", ""]
    assert [facts[f"{seat}.debris"] for seat in "AC"] == ["", "1,1"]
    assert (facts["active"], facts["hull-c-1"], facts["D.card"]) == ("F", "1,1", "shield no draw")


def test_there_is_an_example_for_each_part_of_a_turn() -> None:
    """And for each number of players, two by house rule."""
    files = [tomllib.loads(path.read_text("utf-8")) for path in EXAMPLES]
    assert {file["phase"] for file in files} == set(STAGES)
    assert {len(file["ships"]) for file in files} == {2, 3, 4, 5, 6}


def test_the_page_has_the_rows_of_the_ledger() -> None:
    """What may stand in a file, and what an arbiter may set, is told as it is declared."""
    page = (HERE / "positions" / "README.md").read_text("utf-8")
    assert "\n".join(TURN.rows()) in page
    assert "\n".join(SHIP.rows("A.")) in page


@pytest.mark.parametrize(
    ("change", "place", "words"),
    [
        ({"phase": "lunch"}, "phase", "'lunch' is no phase; there are set-up"),
        ({"turn": 0}, "turn", "greater than or equal to 1"),
        ({"turn": "3"}, "turn", "not '3'"),
        ({"first": "G"}, "first", "is no seat; there are A, B, C, D, E, F"),
        ({"speed": 3}, "speed", "there is no such key; there are box, turn, phase"),
        ({"wreckage": {"wreck-9": "0,0"}}, "wreckage.wreck-9", "is no wreckage"),
        ({"wreckage": {"wreck-1": "here"}}, "wreckage.wreck-1", "names no space"),
        (
            {"A": {"place": "0,0"}},
            "ships.A.place",
            "The heading is missing: add one of NW, NE, E, SE, SW, W to 0,0",
        ),
        ({"A": {"place": "0,0 N"}}, "ships.A.place", "N is no heading: add one of NW, NE"),
        ({"A": {"hull": 3}}, "ships.A.hull", "less than or equal to 2"),
        ({"A": {"card": "torpedo"}}, "ships.A.card", "is no action card; there are short"),
        ({"A": {"bound": "shield anchor"}}, "ships.A.bound", "is no attack card"),
        ({"A": {"wings": 2}}, "ships.A.wings", "there is no such key; there are place, hull"),
        ({"C": {"wings": 2}}, "ships.C.wings", "there is no such key; there are place, hull"),
        ({"discarded": {"short": 1, "SHORT": 1}}, "discarded", "short is counted twice"),
        ({"ships": {}}, "ships.A", "is required"),
        ({"done": ["A"] * 7}, "done", "at most 6"),
    ],
)
def test_a_file_that_cannot_be_read_names_the_place(
    file: Make, change: dict[str, Any], place: str, words: str
) -> None:
    """And says what may stand there."""
    broken = file("movement", **change)
    with pytest.raises(BadFile) as refused:
        DogfightHexPosition.from_file(broken, "table.toml")
    assert (refused.value.source, refused.value.place) == ("table.toml", place)
    assert words in refused.value.text


def test_headings_are_those_of_the_tables_own_map(file: Make) -> None:
    """On a map of hexes with flat tops they are N to NW."""
    flat: dict[str, Any] = {"map": {"orientation": "flat"}}
    placed = file("movement", 2, A={"place": "0,4 N"}, B={"place": "0,-4 S"})
    match: Match[Any] = Match.start(
        Setup(
            "dogfight-hex",
            options={"players": 2, "allow_two_players": True},
            cards=flat,
            position=placed,
        ),
        STAMP,
    )
    assert "0,3 N" in [option.name for option in match.open["turn-3/move/A"].options_now()]
    assert match.position.to_file()["ships"]["A"]["place"] == "0,4 N"


def test_a_position_for_other_seats_is_refused(new_table: Make, file: Make) -> None:
    """With the way out."""
    with pytest.raises(BadCall, match="position: ships A B C; this match has 4: set players"):
        new_table(position=file("movement", 3))


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1), answers=st.integers(0, 160), players=st.integers(3, 6))
def test_a_position_file_of_any_moment_asks_the_same(seed: int, answers: int, players: int) -> None:
    """The position at the last begin() and what was answered since lead to the same question."""
    rng = Random(seed)
    setup = Setup("dogfight-hex", options={"players": players})
    match: Match[Any] = Match.start(setup, STAMP)
    player = RandomPlayer(rng)
    for _ in range(answers):
        if match.outcome is not None:
            return
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, player.answer(question), "bot", question.by), STAMP)
    if match.outcome is not None:
        return
    again: Match[Any] = Match.start(
        Setup("dogfight-hex", options={"players": players}, position=match.position_file()), STAMP
    )
    assert list(again.open) == list(match.open)
    assert again.answered == match.answered
    assert again.position.digest() == match.position.digest()
    terms = [question.terms() for question in match.open.values()]
    assert [question.terms() for question in again.open.values()] == terms


@given(raw=st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["box", "turn", "phase", "first", "ships", "A", "B", "place", "hull", "deck", "wreckage",
         "done", "hand", "x"]), inner, max_size=5), max_leaves=12))  # fmt: skip
def test_whatever_stands_in_a_file_is_read_or_refused(raw: Any) -> None:
    """Never a crash."""
    with suppress(CompanionError):
        DogfightHexPosition.from_file(raw if isinstance(raw, dict) else {"ships": raw})
