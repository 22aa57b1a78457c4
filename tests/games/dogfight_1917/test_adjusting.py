"""What an arbiter may set in Dogfight: 1917: by name, all together, judged afterwards."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.games.dogfight_1917 as box
from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games.dogfight_1917.faults import faults
from companion.games.dogfight_1917.position import Dogfight1917Position, read_position, setters_of

HERE = Path(box.__file__).parent
A, B = Seat("A"), Seat("B")


@pytest.fixture
def position() -> Dogfight1917Position:
    """Two Fighters in the middle of an Engagement Phase."""
    file = tomllib.loads((HERE / "positions" / "base.toml").read_text("utf-8"))
    return Dogfight1917Position.from_file(file)


@pytest.mark.parametrize(
    ("name", "value", "fact", "wanted"),
    [
        ("turn", 8, "turn", 8),
        ("active", "b", "active", "B"),
        ("maneuvered", True, "maneuvered", True),
        ("improvised", False, "improvised", False),
        ("gunsight", 2, "gunsight", 2),
        ("next_turn", "A", "next_turn", "A"),
        ("A.fighter", "SPAD S.XIII", "A.fighter", "spad"),
        ("A.pilot", "Rene Fonck", "A.pilot", "fonck"),
        ("A.pilot_side", "b", "A.pilot_side", "B"),
        ("B.tokens", 5, "B.tokens", 5),
        ("b.TOKENS", 0, "B.tokens", 0),
        ("A.crashed", True, "A.out", True),
        ("A.place", "1,-2 se", "A.place", "1,-2 SE"),
        ("A.place", "", "A.flying", False),
        ("camel", "1,-2 SE", "A.place", "1,-2 SE"),
        ("the camel", None, "A.place", ""),
        ("Fokker", "2,0 N", "B.place", "2,0 N"),
        ("A.deck", 3, "A.deck", 3),
        ("A.hand", 3, "A.hand", 3),
        ("A.discard", 3, "A.discard", 3),
        ("A.damage", 3, "A.damage", 3),
        ("A.box", 3, "A.box", 3),
        ("A.played", 1, "A.played", 1),
    ],
)
def test_each_quantity_is_set_by_its_name(
    position: Dogfight1917Position, name: str, value: Any, fact: str, wanted: Any
) -> None:
    """That one, and what follows from it, but nothing else."""
    before = {known.name: known.value for known in position.facts()}
    position.adjust({name: value})
    after = {known.name: known.value for known in position.facts()}
    assert after[fact] == wanted
    derived = {"A.flying"} if after["A.place"] == "" else set[str]()
    changed = {known for known in after if after[known] != before[known]}
    assert changed - derived - {"A.place"} <= {fact}


def test_a_start_is_set_too(position: Dogfight1917Position) -> None:
    """It is no fact of a panel; the file has it."""
    position.adjust({"A.start": "-4,0 SE"})
    line: Any = position.to_file()["players"]
    assert line["A"]["start"] == "-4,0 SE"
    position.adjust({"A.start": ""})
    assert position.players[A].start is None


def test_next_turn_is_cleared(position: Dogfight1917Position) -> None:
    """By nothing, in either spelling."""
    for nobody in ("", None):
        position.next_turn = A
        position.adjust({"next_turn": nobody})
        assert position.next_turn is None


def test_several_are_set_together_and_stand(position: Dogfight1917Position) -> None:
    """Cards from pile to pile, and planes that change places: none of them would do alone."""
    position.adjust({"A.deck": 8, "A.damage": 3, "camel": "0,-1 N", "fokker": "0,1 N"})
    assert faults(position) == []
    position.adjust({"A.deck": 9})
    assert [str(fault.cite) for fault in faults(position)] == ["DF-4.2"]


def test_a_piece_means_who_flies_it_afterwards(position: Dogfight1917Position) -> None:
    """Whatever the order in which the changes are named."""
    position.adjust({"spad": "2,0 N", "A.fighter": "spad"})
    assert position.players[A].at.name() == "2,0 N"


def test_what_was_known_of_a_shrinking_pile_is_forgotten(position: Dogfight1917Position) -> None:
    """Nobody can say which of the four cards are gone."""
    position.adjust({"A.discard": 3, "A.hand": 6})
    assert faults(position) == []
    assert "discard" not in position.players[A].piles.known


def test_known_cards_are_named_anew(position: Dogfight1917Position) -> None:
    """After the piles, whatever the order; nothing is known of the piles left out."""
    position.adjust({"B.known": {"discard": {"evasive dive": 2}}, "B.discard": 2, "B.damage": 4})
    assert position.players[B].piles.known == {"discard": ["Evasive Dive", "Evasive Dive"]}
    assert faults(position) == []
    position.adjust({"B.known": {}})
    assert position.players[B].piles.known == {}


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("moon", 1, "nothing is called 'moon'; there are turn, active"),
        ("C.tokens", 1, "nothing is called 'C.tokens'; near it are A.tokens and B.tokens"),
        ("A.altitude", 1, "nothing is called 'A.altitude'"),
        ("dice", [1], "nothing is called 'dice'"),
        ("turn", 0, "turn: 0 is not a whole number from 1 to 9999"),
        ("phase", "assessment", "phase: where play is cannot be set, for the rules ask on"),
        ("active", "E", "active: 'E' is no seat; there are A, B, C, D"),
        ("active", None, "active: None is no seat"),
        ("next_turn", 3, "next_turn: 3 is no seat"),
        ("maneuvered", "yes", "maneuvered: 'yes' is neither true nor false"),
        ("improvised", 1, "improvised: 1 is neither true nor false"),
        ("gunsight", 9, "gunsight: 9 is not a whole number from 0 to 8"),
        ("A.tokens", -1, "A.tokens: -1 is not a whole number from 0 to 999"),
        ("A.tokens", True, "A.tokens: True is not a whole number"),
        ("A.tokens", "many", "A.tokens: 'many' is not a whole number"),
        ("A.tokens", 1.0, "A.tokens: 1.0 is not a whole number"),
        ("A.deck", 21, "A.deck: 21 is not a whole number from 0 to 20"),
        ("A.fighter", "Gotha", "A.fighter: 'Gotha' is no Fighter; there are Fokker Dr.I (fokker)"),
        ("A.pilot", "Ana", "A.pilot: 'Ana' is no pilot; there are Manfred von Richthofen"),
        ("A.pilot_side", "C", "A.pilot_side: 'C' is no side of a Pilot Card; there are A, B"),
        ("A.place", "0,1 NNE", "A.place: NNE is no heading: add one of N, NE, SE, S, SW, NW"),
        ("A.place", "0,1", "A.place: The heading is missing: add one of N, NE, SE, S, SW, NW"),
        ("A.place", [0, 1], "A.place: '[0,' names no space"),
        ("camel", "e4 N", "camel: 'e4' names no space"),
        ("A.start", "x", "A.start: 'x' names no space"),
        ("A.crashed", "no", "A.crashed: 'no' is neither true nor false"),
        ("A.known", {"sleeve": {}}, "A.known: sleeve: 'sleeve' is no pile; there are deck, hand"),
        ("A.known", {"discard": {"Loop": 1}}, "A.known: discard: 'Loop' is no Flight Card"),
        ("A.known", {"discard": {"Evasive Dive": 0}},
         "A.known: discard.Evasive Dive: a number greater than or equal to 1 is expected, not 0"),
        ("A.known", 3, "A.known: a table of names and values is expected, not 3"),
        ("spad", "0,0 N", "spad: nobody flies the SPAD S.XIII; set a player's fighter"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused_by_name(
    position: Dogfight1917Position, name: str, value: Any, message: str
) -> None:
    """The quantity, what was given, and what is allowed."""
    with pytest.raises(BadCall) as refusal:
        position.adjust({name: value})
    assert message in str(refusal.value)


_POSITION = tomllib.loads((HERE / "positions" / "base.toml").read_text("utf-8"))
_NAMES = sorted(setters_of(Dogfight1917Position.from_file(_POSITION)))
_VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 30)
    | st.floats()
    | st.sampled_from(["", "A", "b", "camel", "fonck", "2,-1 sw", "engagement", "0,0", "?"])
    | st.lists(st.integers(), max_size=2)
    | st.dictionaries(st.sampled_from(["discard", "sleeve"]), st.integers(), max_size=1)
)


@given(st.dictionaries(st.sampled_from(_NAMES), _VALUES, max_size=4))
def test_whatever_is_set_is_taken_or_refused(changes: dict[str, Any]) -> None:
    """Never another exception; what was taken can be judged, written and read back."""
    position = Dogfight1917Position.from_file(_POSITION)
    try:
        position.adjust(changes)
    except BadCall:
        return
    again = read_position(Dogfight1917Position, position.to_file(), "position")
    assert again.digest() == position.digest()
    assert [fault.path for fault in faults(again)] == [fault.path for fault in faults(position)]


def test_an_unknown_name_among_others_sets_none(position: Dogfight1917Position) -> None:
    """Names are read before anything is set."""
    before = position.digest()
    with pytest.raises(BadCall, match="'moon'"):
        position.adjust({"A.tokens": 9, "moon": 1})
    assert position.digest() == before


def test_house_rules_are_among_the_names(position: Dogfight1917Position) -> None:
    """The match sets them itself, by names that start with "option."."""
    position.house = {"friendly_fire": False}
    with pytest.raises(BadCall, match=r"option\.friendly_fire$"):
        position.adjust({"friendly_fires": 1})


def test_every_name_stands_in_the_schema(position: Dogfight1917Position) -> None:
    """README.md names each quantity that may be set, of one player for all."""
    schema = (HERE / "positions" / "README.md").read_text("utf-8")
    names = {name for name in setters_of(position) if not name.startswith("B.")}
    aliases = {"fokker", "albatros", "spad"}
    assert [name for name in sorted(names - aliases) if f"`{name}`" not in schema] == []
