"""Positions that cannot be, and what an arbiter may set.  (positions/README.md)"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import companion.games.dogfight_hex as box
from companion.core.errors import BadCall, BadPosition
from companion.games.dogfight_hex.faults import faults
from companion.games.dogfight_hex.position import DogfightHexPosition, setters_of
from companion.games.dogfight_hex.rules import DogfightHex

Make = Callable[..., Any]

GONE = {"place": None, "debris": "1,1", "hull": 0, "aside": 2, "fell": 1, "hand": 0, "declared": 0}


@pytest.mark.parametrize(
    ("phase", "change", "path", "words"),
    [
        ("movement", {"turn": 1, "phase": "set-up"}, "phase", "it is empty before it"),
        ("movement", {"done": ["E"]}, "done", "nobody sits at E; there are A, B, C, D"),
        ("movement", {"done": ["A", "A"]}, "done", "A is named twice"),
        ("reveal", {"done": ["A"]}, "done", "in reveal all act at once"),
        ("movement", {"steps": 2}, "drifting", "nothing drifts in movement"),
        ("movement", {"A": {"hull": 1}}, "ships.A.hull", "= 1; Player A has 2 hull point tokens"),
        ("movement", {"A": {"hull": 1, "owes": 1}}, "ships.A.owes", "has tokens to lay"),
        ("movement", {"A": {"place": None}}, "ships.A.place", "stands nowhere"),
        ("movement", {"A": {"debris": "1,1"}}, "ships.A.debris", "is not destroyed"),
        ("movement", {"A": {"retired": True}}, "ships.A.retired", "has left"),
        ("movement", {"A": {"hull": 0, "aside": 2}}, "ships.A.hull", "no hull point left"),
        ("movement", {"A": {**GONE, "place": "0,4 E"}}, "ships.A.place", "lies as debris"),
        ("movement", {"A": {**GONE, "debris": None}}, "ships.A.debris", "name the space"),
        ("movement", {"A": {**GONE, "hull": 2, "aside": 0}}, "ships.A.hull", "has no hull point"),
        ("movement", {"A": {**GONE, "hand": 1}}, "ships.A.hand", "hand and captured card"),
        ("movement", {"A": {**GONE, "anchored": True}}, "ships.A.bound", "nothing binds debris"),
        ("resolution", {"A": {"card": "short", "stopped": True}}, "ships.A.stopped", "no shield"),
        ("resolution", {"A": {"claims": "A"}}, "ships.A.claims", "cannot take a card of Player A"),
        ("declare", {"A": {"captured": 1, "hand": 3}}, "ships.A.bound", "say in bound which"),
        ("movement", {"deck": 40}, "deck", "the deck has 54 cards"),
        ("movement", {"discarded": {"short": 1}}, "discarded", "1 card known in discard; the"),
        ("declare", {"A": {"declared": 1, "hand": 3}}, "ships.A.declared", "nothing is declared"),
        ("movement", {"A": {"place": "0,9 E"}}, "ships.A.place", "is off the map of 91 spaces"),
        ("movement", {"A": {"place": "0,-4 E"}}, "ships.B.place", "Ship A is on 0,-4 already"),
        ("movement", {"wreckage": {"wreck-1": "0,4"}}, "ships.A.place", "Wreckage 1 is on 0,4"),
        ("movement", {"A": GONE, "B": {"place": "1,1 E"}}, "ships.A.debris", "Ship B is on 1,1"),
        ("movement", {"A": GONE, "B": GONE, "C": GONE}, "ships", "the game is over"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_names_place_and_rule(
    file: Make, phase: str, change: dict[str, Any], path: str, words: str
) -> None:
    """All that is wrong at once, each with its cite."""
    with pytest.raises(BadPosition) as refused:
        DogfightHex.refuse_faults(DogfightHexPosition.from_file(file(phase, **change)), "position")
    told = {fault.path: fault.text for fault in refused.value.faults}
    assert words in told[path], told
    assert all(fault.cite.rules or fault.cite.rulings for fault in refused.value.faults)


def test_wreckage_of_the_set_up_lies_somewhere(file: Make) -> None:
    """HX-SET-01: all four."""
    broken = file("movement")
    del broken["wreckage"]["wreck-3"]
    with pytest.raises(BadPosition, match="Wreckage 3 lies nowhere; all 4 lie on the map"):
        DogfightHex.refuse_faults(DogfightHexPosition.from_file(broken), "position")


def test_first_seats_are_taken_first(file: Make) -> None:
    """HX-SET-07: no gap."""
    broken = file("movement", 4)
    line = broken["ships"].pop("C")
    broken["ships"]["E"] = line
    with pytest.raises(BadPosition, match="C is empty; 4 players take the first seats"):
        DogfightHex.refuse_faults(DogfightHexPosition.from_file(broken), "position")


def test_set_up_has_all_cards_in_the_deck(file: Make) -> None:
    """HX-SET-06 deals them."""
    broken: dict[str, Any] = {"phase": "set-up", "deck": 53, "ships": {"A": {"hand": 1}, "B": {}}}
    with pytest.raises(BadPosition, match="all 54 cards are in the deck before it"):
        DogfightHex.refuse_faults(DogfightHexPosition.from_file(broken), "position")


def test_debris_may_share_where_the_house_rule_lets_it_in(at: Make, dead: Any) -> None:
    """RULING 23: only then a ship and debris are on one space."""
    lines = {"A": {"place": "0,0 E"}, "D": dead("0,0")}
    with pytest.raises(BadPosition, match="Ship A is on 0,0 already"):
        at("movement", **lines)
    table = at("movement", **lines, DEBRIS_RAM="enter")
    assert "1,0 E" in table.names("move/A")
    assert "0,0 W" in table.names("move/A")


# -- what an arbiter may set ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("speed", 1, "nothing is called 'speed'; there are turn"),
        ("turn", "x", "turn: 'x' is not a whole number from 1"),
        ("phase", "reveal", "phase: where play is cannot be set"),
        ("first", "Q", "first: 'Q' is no seat"),
        ("A.hull", 3, "A.hull: 3 is not a whole number from 0 to 2"),
        ("A.place", "0,0", "A.place: The heading is missing: add one of NW, NE"),
        ("A.debris", "x", "A.debris: 'x' names no space"),
        ("A.card", "sun", "A.card: 'sun' is no action card"),
        ("A.bound", "shield reuse", "A.bound: 'shield reuse' is no attack card"),
        ("A.retired", 1, "A.retired: 1 is neither true nor false"),
        ("A.declared", 2, "A.declared: 2 is not a whole number from 0 to 1"),
        ("wreck-1", "x", "wreck-1: 'x' names no space"),
        ("option.speed", 1, "option 'speed' is unknown"),
    ],
)
def test_an_adjustment_that_is_none_changes_nothing(
    at: Make, name: str, value: Any, words: str
) -> None:
    """The message names the quantity and what it takes."""
    table = at("movement")
    before = table.position.digest()
    with pytest.raises(BadCall) as refused:
        table.match.adjust({name: value}, "", stamp=table.stamp)
    assert words in str(refused.value)
    assert table.position.digest() == before


def test_quantities_are_set_together_and_judged_afterwards(at: Make) -> None:
    """A hit that was none: point and token go back in one."""
    table = at("movement", B={"hull": 1}, wreckage={"hull-b-1": "2,2"})
    with pytest.raises(BadPosition):
        table.match.adjust({"B.hull": 2}, "", stamp=table.stamp)
    table.match.adjust({"B.hull": 2, "Hull-B-1": ""}, "no hit", stamp=table.stamp)
    assert (table.ship("B").hull, table.wreckage()) == (2, {})


@pytest.mark.parametrize(
    ("changes", "look"),
    [
        ({"ship-a": "0,0 W"}, ("A", "at")),
        ({"A.anchored": True}, ("A", "anchored")),
        ({"A.no_draw": True, "A.fresh": False}, ("A", "no_draw")),
        ({"A.claims": "B"}, ("A", "claims")),
        ({"A.captured": 1, "A.hand": 2, "A.bound": "long"}, ("A", "bound")),
        ({"A.card": "shield anchor", "A.stopped": True}, ("A", "stopped")),
        ({"B.hull": 0, "B.fell": 1, "B.aside": 2, "B.place": "", "ship-b-debris": "0,-4",
          "B.hand": 0, "B.declared": 0, "discard": 4, "B.owes": 0, "B.retired": True},
         ("B", "debris")),
        ({"turn": 9, "first": "B", "deck": 37, "discard": 1}, None),
    ],
)  # fmt: skip
def test_everything_may_be_set(at: Make, changes: dict[str, Any], look: Any) -> None:
    """And the open question follows."""
    table = at("movement")
    table.match.adjust(changes, "as it lies", stamp=table.stamp)
    if look is not None:
        assert getattr(table.ship(look[0]), look[1])
    assert not faults(table.position)
    assert table.asked


def test_a_ship_that_was_set_elsewhere_is_asked_from_there(at: Make) -> None:
    """The options of the open question are listed afresh."""
    table = at("movement")
    table.match.adjust({"A.place": "0,0 E", "wreck-1": "1,0"}, "", stamp=table.stamp)
    assert "1,0 E" not in table.names("move/A")
    assert "1,-1 E" in table.names("move/A")


def test_what_may_be_set_is_told(at: Make) -> None:
    """The page of position files names every quantity."""
    page = (Path(box.__file__).parent / "positions" / "README.md").read_text("utf-8")
    for name in setters_of(at("movement").position):
        if name[1:2] == ".":
            assert f"`A{name[1:]}`" in page, name
