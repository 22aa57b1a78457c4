"""What seats say beforehand that they fly, and the advice for a first game.  (DF-3.2, DF-3.3)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.games.dogfight_1917.cards import BASIC, CLIMB

MakeTable = Callable[..., Any]


def flown(table: Any) -> dict[str, tuple[str, str]]:
    """Fighter and pilot of each seat."""
    return {seat: (p.fighter, p.pilot) for seat, p in table.position.players.items()}


# -- seats that say what they fly (DF-3.2, DF-3.3) -----------------------------------------


def test_a_fighter_named_for_a_seat_is_offered_to_nobody_else(new_table: MakeTable) -> None:
    """DF-3.2: each exists once, even before its seat has had its turn to choose."""
    table = new_table(seats={"B": "Bo/camel"})
    assert table.names() == ["fokker", "albatros", "spad"]
    assert table.refused("fighter/A", "camel").code == "DF-TAKEN"


def test_a_pilot_named_for_a_seat_brings_the_fighter(new_table: MakeTable) -> None:
    """DF-3.2: the chart pairs them, so half of a pair names the other."""
    table = new_table(seats={"A": "Ana//fonck"})
    assert flown(table)["A"] == ("spad", "fonck")
    assert table.names() == ["fokker", "camel", "albatros"]


@pytest.mark.parametrize(
    ("seats", "words"),
    [
        ({"A": "Ana/camel", "B": "Bo/camel"}, "fighter 'camel' is named for two seats"),
        ({"A": "Ana//fonck", "B": "Bo/spad"}, "fighter 'spad' is named for two seats"),
        ({"A": "Ana/camel/fonck"}, "seat A: the Sopwith Camel comes with maclaren .*DF-3.2"),
        ({"A": "Ana/zeppelin"}, "no fighter 'zeppelin'; there are"),
        ({"A": "Ana/camel/biggles"}, "no pilot 'biggles'; there are"),
        ({"A": "Ana/camel/maclaren/x"}, "is not NAME/FIGHTER/PILOT"),
        (
            {"C": "Cleo"},
            r"seat 'C' is one too many: this mode has A, B \[DF-PLAYERS, DF-19.4\]. 3 players",
        ),
        ({"Z": "Zoe"}, "seat 'Z' is unknown here; there are A, B"),
    ],
)
def test_seats_that_cannot_be_are_refused(
    new_table: MakeTable, seats: dict[str, str], words: str
) -> None:
    """Named at once, with what there is."""
    with pytest.raises(BadCall, match=words):
        new_table(seats=seats)


def test_no_more_mentors_than_cards(new_table: MakeTable) -> None:
    """DF-1.1: there are two Pilot Mentor Cards, and by house rule two may fly with them."""
    free = {"basic_combination_enforced": False}
    seats = {"A": "Ana/camel/mentor", "B": "Bo/spad/mentor"}
    new_table("battle-royale", seats=seats, options=free)
    with pytest.raises(BadCall, match="'mentor' is named for three seats; there are two"):
        new_table("battle-royale", seats={**seats, "C": "Cleo//mentor"}, options=free)


# -- the first game (DF-3.3, RULING 21) ----------------------------------------------------


def test_first_game_deck(new_table: MakeTable) -> None:
    """RULING 21: three cards go to the box only by the advice for a first game.

    Two Basic Maneuvers and an Evasive Climb, so 17 each; Mentors; Camel and Fokker.
    """
    table = new_table(options={"first_game_deck": True})
    assert flown(table) == {"A": ("camel", "mentor"), "B": ("fokker", "mentor")}
    for seat in "AB":
        assert table.piles(seat) == {"deck": 12, "hand": 5, "box": 3}
        assert table.player(seat).piles.seen("box") == {BASIC: 2, CLIMB: 1}
        assert table.player(seat).tokens == 2
    ruling = table.said("returns 2 Basic Maneuvers and 1 Evasive Climb")
    assert str(ruling.cite) == "DF-3.3, RULING 21"
    assert "(House rule: first_game_deck true.)" in ruling.text
    usual = new_table(seats={"A": "Ana/camel", "B": "Bo/fokker"})
    assert usual.piles("A") == {"deck": 15, "hand": 5}


def test_ruling_21_the_fighters_are_only_advised(new_table: MakeTable) -> None:
    """Whoever names another flies that one; who is left without the advised one is asked."""
    first = {"first_game_deck": True}
    table = new_table(options=first, seats={"A": "Ana/fokker", "B": "Bo"})
    assert table.names() == ["camel", "albatros", "spad"]
    table.say("fighter/B", "spad")
    assert flown(table) == {"A": ("fokker", "mentor"), "B": ("spad", "mentor")}
    own = new_table(options=first, seats={"A": "Ana/camel/maclaren"})
    assert flown(own)["A"] == ("camel", "maclaren")
    assert own.piles("A") == {"deck": 12, "hand": 5, "box": 3}


@pytest.mark.parametrize(
    "name", ["daring-escape", "battle-royale", "team-battle", "entente-vs-central-powers"]
)
def test_ruling_21_other_modes_have_no_first_game(new_table: MakeTable, name: str) -> None:
    """There are two Mentor Cards and advice for two; the option is not offered elsewhere."""
    with pytest.raises(BadCall, match="option 'first_game_deck' is unknown"):
        new_table(name, options={"first_game_deck": True})
