"""Positions of Dogfight: 1917: what a file may say, and what is written back."""

from __future__ import annotations

import json
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import companion.games.dogfight_1917 as box
from companion.core.errors import BadFile
from companion.core.ruling import Seat
from companion.games.dogfight_1917 import position as position_file
from companion.games.dogfight_1917.cards import COPIES, FIGHTERS, PILES, PILOTS, SEATS, STAGES
from companion.games.dogfight_1917.faults import faults
from companion.games.dogfight_1917.position import PLAYER, TURN, Dogfight1917Position, Player
from companion.kit.hexes import Heading, hexagon
from companion.kit.piles import CountedPiles

HERE = Path(box.__file__).parent
EXAMPLES = sorted((HERE / "positions").glob("*.toml"))
MODES = (
    "base", "draft", "daring-escape", "battle-royale", "team-battle", "entente-vs-central-powers",
)  # fmt: skip


def engaged(**changes: Any) -> dict[str, Any]:
    """Two Fighters in turn 7; `changes` are keys of the file, A and B those of a player."""
    line = {"side": "A", "tokens": 1, "deck": 10, "hand": 5, "discard": 3, "damage": 2}
    file: dict[str, Any] = {
        "turn": 7,
        "phase": "engagement",
        "active": "A",
        "players": {
            "A": {"fighter": "camel", "pilot": "maclaren", "place": "0,1 N", **line},
            "B": {"fighter": "fokker", "pilot": "richthofen", "place": "0,-1 N", **line},
        },
    }
    for name, value in changes.items():
        if name in file["players"]:
            file["players"][name] |= value
        else:
            file[name] = value
    return file


def read(file: dict[str, Any], source: str = "position") -> Dogfight1917Position:
    return Dogfight1917Position.from_file(file, source)


def everything(position: Dogfight1917Position) -> object:
    """All that a position holds, facts or not, but what is the match's."""
    table = {
        name: getattr(position, name)
        for name in position.__dataclass_fields__
        if name not in ("players", "table", "house", "side_of", "returning")
    }
    players = [
        [getattr(player, name) for name in player.__dataclass_fields__ if name != "piles"]
        + [player.piles.counts, {pile: seen for pile, seen in player.piles.known.items() if seen}]
        for player in position.players.values()
    ]  # fmt: skip
    return table, players


# -- examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_are_read_and_written_back(path: Path) -> None:
    """Each example is a position that can be, and survives being written."""
    position = read(tomllib.loads(path.read_text("utf-8")), path.name)
    again = read(position.to_file())
    assert again.digest() == position.digest()
    assert everything(again) == everything(position)
    assert again.to_file() == position.to_file()


def test_there_is_an_example_of_every_mode() -> None:
    """Named as the mode is on the command line."""
    assert {path.stem for path in EXAMPLES} >= set(MODES)


def test_the_page_has_the_rows_of_the_ledger() -> None:
    """What may stand in a file, and what an arbiter may set, is told as it is declared."""
    page = (HERE / "positions" / "README.md").read_text("utf-8")
    assert "\n".join(TURN.rows()) in page
    assert "\n".join(PLAYER.rows("A.")) in page


# -- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fighter", "pilot"),
    [
        ("SPAD S.XIII", "René Fonck"),
        ("spad s.xiii", "Rene Fonck"),
        ("spad", "fonck"),
        ("SPAD", "RENÉ FONCK"),
    ],
)
def test_names_are_taken_however_they_are_typed(fighter: str, pilot: str) -> None:
    """The printed name, with or without accents, or the code that seats use."""
    position = read(engaged(A={"fighter": fighter, "pilot": pilot}))
    assert (position.players[Seat("A")].fighter, position.players[Seat("A")].pilot) == (
        "spad", "fonck",
    )  # fmt: skip


def test_names_are_written_as_the_book_has_them() -> None:
    """Fighters and pilots in full, the places as on the board."""
    line: Any = read(engaged(A={"place": "1,-2 se"})).to_file()["players"]
    assert (line["A"]["fighter"], line["A"]["pilot"], line["A"]["place"]) == (
        "Sopwith Camel", "Donald Roderick MacLaren", "1,-2 SE",
    )  # fmt: skip


def test_what_stands_at_its_default_is_left_out() -> None:
    """A file has no line without news; Deck and Hand are always told."""
    fresh: dict[str, Any] = {seat: {"deck": 20, "hand": 0} for seat in "AB"}
    assert read({"phase": "set-up", "players": fresh}).to_file() == {
        "box": "dogfight-1917", "turn": 1, "phase": "set-up",
        "players": fresh,
    }  # fmt: skip


# -- files that are wrong -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "place", "message"),
    [
        ({"phase": "lunch"}, "phase", "'lunch' is no phase; there are set-up, reconnaissance"),
        ({"phase": None}, "phase", "None is no phase"),
        ({"active": "E"}, "active", "'E' is no seat; there are A, B, C, D"),
        ({"phases": 2}, "phases", "no such key; there are box, turn, phase, active"),
        ({"turn": 0}, "turn", "greater than or equal to 1 is expected, not 0"),
        ({"turn": 10**30}, "turn", "less than or equal to 9999"),
        ({"turn": "seven"}, "turn", "a whole number is expected, not 'seven'"),
        ({"turn": True}, "turn", "a whole number is expected"),
        ({"maneuvered": "yes"}, "maneuvered", "true or false is expected"),
        ({"gunsight": 9}, "gunsight", "less than or equal to 8"),
        ({"dice": [0]}, "dice.0", "greater than or equal to 1"),
        ({"dice": [1, 7]}, "dice.1", "less than or equal to 6"),
        ({"box": "jaws-and-paws"}, "box", "'dogfight-1917'"),
        ({"players": {}}, "players.A", "is required"),
        ({"players": []}, "players", "a table of names and values is expected"),
        ({"players": {"A": {}, "B": {}, "E": {}}}, "players.A.deck", "is required"),
        ({"players": {"A": {"deck": 9, "hand": 5}, "B": {"deck": 9, "hand": 5}, "C": {"rank": 1}}},
         "players.C.deck", "is required"),
        ({"A": {"rank": "ace"}}, "players.A.rank", "no such key; there are fighter, pilot, side"),
        ({"A": {"fighter": "Gotha"}}, "players.A.fighter",
         "'Gotha' is no Fighter; there are Fokker Dr.I (fokker), Sopwith Camel (camel)"),
        ({"A": {"pilot": 3}}, "players.A.pilot", "3 is no pilot; there are Manfred von Richthofen"),
        ({"A": {"side": "C"}}, "players.A.side", "'C' is no side of a Pilot Card; there are A, B"),
        ({"A": {"place": "0,1"}}, "players.A.place",
         "The heading is missing: add one of N, NE, SE, S, SW, NW to 0,1. [DF-2.3]"),
        ({"A": {"place": "0,1 NNE"}}, "players.A.place", "NNE is no heading: add one of N, NE"),
        ({"A": {"place": "0,1 90"}}, "players.A.place", "90 is no heading"),
        ({"A": {"place": "e4 N"}}, "players.A.place", "'e4' names no space"),
        ({"A": {"place": "0,1,2 N"}}, "players.A.place", "'0,1,2' names no space"),
        ({"A": {"place": "0,1.5 N"}}, "players.A.place", "'0,1.5' names no space"),
        ({"A": {"place": f"{'9' * 5000},0 N"}}, "players.A.place", "names no space"),
        ({"A": {"place": "100,0 N"}}, "players.A.place", "over 99 spaces from the middle"),
        ({"A": {"place": [0, 1]}}, "players.A.place", "names no space"),
        ({"A": {"deck": -1}}, "players.A.deck", "greater than or equal to 0"),
        ({"A": {"deck": 21}}, "players.A.deck", "less than or equal to 20"),
        ({"A": {"deck": 9.5}}, "players.A.deck", "a whole number is expected"),
        ({"A": {"tokens": -1}}, "players.A.tokens", "greater than or equal to 0"),
        ({"A": {"known": {"sleeve": {}}}}, "players.A.known.sleeve", "'sleeve' is no pile"),
        ({"A": {"known": {"discard": {"Loop": 1}}}}, "players.A.known.discard",
         "'Loop' is no Flight Card; there are Basic Maneuver, High-speed Maneuver"),
        ({"A": {"known": {"discard": {"Evasive Dive": 0}}}},
         "players.A.known.discard.Evasive Dive", "greater than or equal to 1"),
        ({"A": {"known": {"discard": ["Evasive Dive"]}}}, "players.A.known.discard",
         "a table of names and values is expected"),
        ({"A": {"known": {"discard": {"Evasive Dive": 1, "evasive dive": 1}}}},
         "players.A.known.discard", "Evasive Dive is counted twice"),
    ],
)  # fmt: skip
def test_a_file_that_is_wrong_is_refused_by_name_and_place(
    change: dict[str, Any], place: str, message: str
) -> None:
    """Source, place in the file, and what is allowed."""
    with pytest.raises(BadFile) as refusal:
        read(engaged(**change), "mine.toml")
    assert refusal.value.source == "mine.toml"
    assert refusal.value.place == place
    assert message in str(refusal.value)
    assert len(str(refusal.value)) < 400


# -- facts and digests ----------------------------------------------------------------------------

CHANGES: dict[str, dict[str, Any]] = {
    "turn": {"turn": 8},
    "stage": {"phase": "assessment"},
    "active": {"active": "B"},
    "maneuvered": {"maneuvered": True},
    "improvised": {"improvised": True},
    "gunsight": {"gunsight": 2},
    "dice": {"dice": [3, 5]},
    "next_turn": {"next_turn": "B"},
    "A.fighter": {"A": {"fighter": "spad"}},
    "A.pilot": {"A": {"pilot": "fonck"}},
    "A.pilot_side": {"A": {"side": "B"}},
    "A.place": {"A": {"place": "0,1 NE"}},
    "A.flying": {"A": {"place": None}},
    "A.out": {"A": {"crashed": True}},
    "A.tokens": {"A": {"tokens": 2}},
    **{f"A.{pile}": {"A": {pile: 1}} for pile in PILES},
    "A.seen": {"A": {"known": {"discard": {"Evasive Dive": 1}}}},
}


def test_figures_cover_every_fact() -> None:
    """What changes a fact changes the digest: no fact is left out of it."""

    def position_of(**changes: Any) -> Dogfight1917Position:
        position = position_file.read_position(Dogfight1917Position, engaged(**changes), "position")
        position.house = {"show_deducible_cards": True}
        return position

    before = position_of()
    assert {fact.name.replace("B.", "A.") for fact in before.facts()} == set(CHANGES)
    for name, change in CHANGES.items():
        after = position_of(**change)
        values = [{fact.name: fact.value for fact in p.facts()} for p in (before, after)]
        assert values[0][name] != values[1][name], name
        assert before.digest() != after.digest(), name


def test_facts_have_names_of_their_own() -> None:
    """No two facts share a name."""
    names = [fact.name for fact in read(engaged()).facts()]
    assert len(names) == len(set(names))


# -- every fact is written and read back ----------------------------------------------------------

_COUNTS = st.integers(0, 20)
_PLACES = st.none() | st.builds(Heading, st.sampled_from(list(hexagon(4))), st.integers(0, 5))


@st.composite
def _known(draw: st.DrawFn, counts: dict[str, int]) -> dict[str, list[str]]:
    """Some cards of each pile, never more than lie there."""
    return {
        pile: draw(st.lists(st.sampled_from(list(COPIES)), max_size=counts[pile]))
        for pile in draw(st.sets(st.sampled_from(PILES)))
    }


@st.composite
def _players(draw: st.DrawFn, seat: Seat) -> Player:
    counts = {pile: draw(_COUNTS) for pile in PILES}
    return Player(
        seat=seat,
        piles=CountedPiles(seat, counts, draw(_known(counts))),
        fighter=draw(st.sampled_from(["", *FIGHTERS])),
        pilot=draw(st.sampled_from(["", *PILOTS])),
        pilot_side=draw(st.sampled_from("AB")),
        tokens=draw(st.integers(0, 999)),
        plane=draw(_PLACES),
        start=draw(_PLACES),
        out=draw(st.booleans()),
    )


@st.composite
def positions(draw: st.DrawFn) -> Dogfight1917Position:
    """Whatever a file can say, whether or not it can be on a table."""
    seats = SEATS[: draw(st.integers(2, 4))]
    return Dogfight1917Position(
        players={seat: draw(_players(seat)) for seat in seats},
        stage=draw(st.sampled_from(STAGES)),
        turn=draw(st.integers(1, 9_999)),
        active=draw(st.sampled_from(SEATS)),
        maneuvered=draw(st.booleans()),
        improvised=draw(st.booleans()),
        actions=draw(st.integers(0, 30)),
        gunsight=draw(st.integers(0, 8)),
        dice=tuple(draw(st.lists(st.integers(1, 6), max_size=8))),
        next_turn=draw(st.none() | st.sampled_from(SEATS)),
    )


@pytest.mark.slow
@given(positions())
def test_every_fact_can_be_written_and_read_back(position: Dogfight1917Position) -> None:
    """Through JSON as well; nothing is lost, and the digests are equal."""
    file = json.loads(json.dumps(position.to_file()))
    again = position_file.read_position(Dogfight1917Position, file, "position")
    assert everything(again) == everything(position)
    assert again.digest() == position.digest()
    assert again.facts() == position.facts()
    assert again.to_file() == position.to_file()


@pytest.mark.slow
@given(positions())
def test_judging_any_position_ends_in_faults_not_in_an_error(
    position: Dogfight1917Position,
) -> None:
    """Each fault has a place that begins in the file, words and a rule."""
    keys = ("phase", "turn", "active", "maneuvered", "improvised", "gunsight", "next_turn")
    for fault in faults(position):
        assert fault.path.split(".")[0] in (*keys, "players")
        assert fault.text
        assert fault.cite.rules


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
_KEYS = st.sampled_from([
    ("turn",), ("phase",), ("active",), ("maneuvered",), ("gunsight",), ("dice",), ("next_turn",),
    ("players",), ("players", "A"), ("players", "C"), ("players", "A", "fighter"),
    ("players", "A", "pilot"), ("players", "A", "place"), ("players", "A", "start"),
    ("players", "A", "deck"), ("players", "A", "known"), ("players", "A", "crashed"),
    ("since",), ("box",), ("lunch",),
])  # fmt: skip


@given(_KEYS, _JSON)
def test_no_value_whatever_gets_past_the_reader_as_an_error_of_ours(
    keys: tuple[str, ...], value: Any
) -> None:
    """A file is read, or refused with its place: never another exception."""
    file = engaged()
    inner = file
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = value
    with suppress(BadFile):
        assert faults(read(file)) == []
