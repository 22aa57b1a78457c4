"""New match for every box: each number of players and each game is reached by touch, and begins."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import RULEBOOKS, find_rulebook
from ui.scene.values import KeyLook
from ui.screens.beside.new_match import NewMatchState
from ui.touch import actions as a

GAMES = [(box, variant) for box in RULEBOOKS for variant in find_rulebook(box).variants]


def choose(person: Any, part: str) -> NewMatchState:
    state: NewMatchState = person.touch(a.Show(a.Panel.NEW_MATCH, part))
    return state


def keys_of(person: Any, title: str) -> dict[str, Any]:
    """The keys of a row of the part shown, on whichever page it is."""
    for _ in range(10):
        state = person.state
        row = next((row for row in state.rows if row.title == title), None)
        if row is not None:
            return {key.label: key for key in row.values}
        person.touch(a.TurnPage(1))
    raise AssertionError(f"no row {title!r}")


def start(person: Any) -> Any:
    """Touch the next tap until the match is there: figures of the box are confirmed on the way."""
    for _ in range(20):
        if person.table.match is not None:
            return person.match
        person.go_on()
    raise AssertionError(f"not begun: {person.state}")


def test_every_box_says_how_many_play(person: Any) -> None:
    """A line each: how many play without a house rule of their own, and games of the box."""
    state = choose(person, "BOX")
    told = {key.label: key.second for key in state.rows[0].values}
    assert told == {
        "Jaws & Paws": "2 to 6 players, 5 games",
        "Dogfight: 1917": "2 to 4 players, 6 games",
        "Dogfight! hex ships": "3 to 6 players",
        "TaleSpin: dogfight": "2 to 4 players",
        "Dog Fight: Starship Edition": "2 to 6 players",
    }


@pytest.mark.parametrize("box", ["dogfight-hex", "starship-edition", "talespin-dogfight"])
def test_the_number_of_players_stands_with_the_game(person: Any, box: str) -> None:
    """As many seats are named as play, whatever was chosen before."""
    person.touch(a.SetupChoice("box", box))
    choose(person, "GAME")
    for label, key in keys_of(person, "Players").items():
        person.touch(key.action)
        if (box, label) == ("dogfight-hex", "2"):
            continue  # a house rule of its own
        assert len(choose(person, "SEATS").seats) == int(label)
        choose(person, "GAME")


def test_what_does_not_go_together_says_why_and_how_it_would(person: Any) -> None:
    """Two ships need a house rule: the reason stands there, nothing begins, nothing crashes."""
    person.touch(a.SetupChoice("box", "dogfight-hex"))
    for part in ("GAME", "SEATS", "HOUSE RULES"):
        choose(person, part)
        state = person.touch(a.SetupChoice("option.players", 2))
        refusal = state.frame.refusal
        assert "allow_two_players" in refusal.text + refusal.way_out
        assert refusal.cite == "HX-SET-07"
        assert state.frame.bottom.next.look is KeyLook.IMPOSSIBLE
    state = person.touch(a.SetupChoice("option.allow_two_players", value=True))
    assert state.frame.refusal is None
    assert len(start(person).rulebook.seats_taken()) == 2


@pytest.mark.parametrize(("box", "variant"), GAMES, ids=[f"{b}-{v}" for b, v in GAMES])
def test_every_game_is_begun_by_touch(person: Any, box: str, variant: str) -> None:
    """From the box to the first question, with nothing but the keys that are shown."""
    keys = {key.label: key for key in choose(person, "BOX").rows[0].values}
    person.touch(keys[find_rulebook(box).title].action)
    choose(person, "GAME")
    games = keys_of(person, "Game")
    key = next(k for k in games.values() if k.action == a.SetupChoice("variants", variant))
    person.touch(key.action)
    match = start(person)
    assert (match.setup.box, match.setup.variants) == (box, (variant,))
    assert match.open
