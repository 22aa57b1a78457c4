"""New match for every box: each number of players and each game is reached by touch, and begins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.ruling import Seat
from companion.games import RULEBOOKS, find_rulebook
from companion.match.rulebook import Setup
from ui.scene.draft import in_words
from ui.scene.values import KeyLook
from ui.screens.beside.new_match import NewMatchState
from ui.screens.beside.seat import SeatState
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
    """A key each with its picture: how many play without a house rule of their own."""
    state = choose(person, "")
    told = {box.key.label: box.key.second for box in state.boxes}
    assert told == {
        "Jaws & Paws": "2 to 6 players",
        "Dogfight: 1917": "2 to 4 players",
        "Dogfight! hex ships": "3 to 6 players",
        "TaleSpin: dogfight": "2 to 4 players",
        "Dog Fight: Starship Edition": "2 to 6 players",
    }


def test_numbers_of_players_stand_as_they_are_counted(person: Any) -> None:
    """Four is usual in hex ships, and once stood before three."""
    choose(person, "")
    person.touch(a.SetupChoice("box", "dogfight-hex"))
    choose(person, "GAME")
    keys = keys_of(person, "Players")
    assert [*keys] == ["2", "3", "4", "5", "6"]
    assert [label for label, key in keys.items() if key.look is KeyLook.CHOSEN] == ["4"]


@pytest.mark.parametrize("box", ["dogfight-hex", "starship-edition", "talespin-dogfight"])
def test_the_number_of_players_stands_with_the_game(person: Any, box: str) -> None:
    """As many seats are named as play, whatever was chosen before."""
    person.touch(a.SetupChoice("box", box))
    choose(person, "GAME")
    for label, key in keys_of(person, "Players").items():
        person.touch(key.action)
        if (box, label) == ("dogfight-hex", "2"):
            continue  # a house rule of its own
        assert len(choose(person, "").seats) == int(label)
        choose(person, "GAME")


def test_what_does_not_go_together_says_why_and_how_it_would(person: Any) -> None:
    """Two ships need a house rule: the reason stands there, nothing begins, nothing crashes."""
    person.touch(a.SetupChoice("box", "dogfight-hex"))
    for part in ("GAME", "", "HOUSE RULES"):
        choose(person, part)
        state = person.touch(a.SetupChoice("option.players", 2))
        refusal = state.frame.refusal
        assert "allow_two_players" in refusal.text + refusal.way_out
        assert refusal.cite == "HX-SET-07"
        page: Any = choose(person, "")
        assert page.frame.bottom.next.look is KeyLook.IMPOSSIBLE
        assert page.frame.refusal.cite == "HX-SET-07"
    state = person.touch(a.SetupChoice("option.allow_two_players", value=True))
    assert state.frame.refusal is None
    assert len(start(person).rulebook.seats_taken()) == 2


@pytest.mark.parametrize(("box", "variant"), GAMES, ids=[f"{b}-{v}" for b, v in GAMES])
def test_every_game_is_begun_by_touch(person: Any, box: str, variant: str) -> None:
    """From the box to the first question, with nothing but the keys that are shown."""
    keys = {one.key.label: one.key for one in choose(person, "").boxes}
    person.touch(keys[find_rulebook(box).title].action)
    choose(person, "GAME")
    games = keys_of(person, "Game")
    key = next(k for k in games.values() if k.action == a.SetupChoice("variants", variant))
    person.touch(key.action)
    person.go_on()
    match = start(person)
    assert (match.setup.box, match.setup.variants) == (box, (variant,))
    assert match.open


def test_two_players_are_not_two_to_two() -> None:
    """A box for one number of players says that number."""
    assert in_words({2}) == "2 players"
    assert in_words({4, 2, 3}) == "2 to 4 players"


# Who sits where: touched, where the record knows them.


def seated(person: Any) -> dict[str, str]:
    return dict(person.view.setup.seats)


def known(person: Any) -> list[str]:
    """The players that are offered, in their order."""
    return [key.label for key in person.state.players[2:]]


def played(person: Any, *names: str) -> None:
    """A match of these people is in the record."""
    seats = dict(zip(map(Seat, ("JP", "JG", "PP", "PG")), names, strict=False))
    person.table.new_match(Setup("jaws-and-paws", ("day",), seats))
    person.touch(a.Checked())
    person.touch(a.Leave())
    person.clock.wait(1.0)


def test_players_that_the_record_knows_are_touched(person: Any) -> None:
    """The most recent first, each once, whatever box they played; bots are nobody."""
    played(person, "Ana", "Bo")
    played(person, "Cleo", "ana")
    person.table.new_match(Setup("dogfight-hex", (), {Seat("A"): "Robot"}, demonstration=True))
    person.touch(a.Leave())
    person.touch(a.Show(a.Panel.NEW_MATCH, "seat.JP"))
    assert known(person) == ["Cleo", "ana", "Bo"]


def test_one_touch_a_player_names_the_whole_table(person: Any) -> None:
    """The next seat without a name follows by itself; after the last one stands the page."""
    played(person, "Ana", "Bo", "Cleo", "Dan")
    person.touch(a.Show(a.Panel.NEW_MATCH, "seat.JP"))
    for name in ("Dan", "Cleo", "Bo", "Ana"):
        assert isinstance(person.state, SeatState)
        key = next(key for key in person.state.players if key.label == name)
        person.touch(key.action)
    assert isinstance(person.state, NewMatchState)
    assert seated(person) == {"JP": "Dan", "JG": "Cleo", "PP": "Bo", "PG": "Ana"}


def test_who_sits_elsewhere_changes_places(person: Any) -> None:
    """Nobody is at two seats because a finger was quick; the key says where they sit now."""
    played(person, "Ana", "Bo")
    person.touch(a.Show(a.Panel.NEW_MATCH, "seat.JP"))
    person.touch(a.SetupChoice("sit.JP", "Ana"))
    person.touch(a.SetupChoice("sit.JG", "Bo"))
    state = person.touch(a.Show(a.Panel.NEW_MATCH, "seat.JG"))
    ana = next(key for key in state.players if key.label == "Ana")
    assert ana.second == "now Jaws Pilot"
    person.touch(ana.action)
    assert seated(person) == {"JG": "Ana", "JP": "Bo"}


def test_a_name_is_taken_away_again(person: Any) -> None:
    person.touch(a.SetupChoice("seat.JP", "Ana"))
    state = person.touch(a.Show(a.Panel.NEW_MATCH, "seat.JP"))
    nobody = next(key for key in state.players if key.label == "Nobody")
    state = person.touch(nobody.action)
    assert seated(person) == {}
    assert isinstance(state, SeatState)
    assert next(k for k in state.players if k.label == "Nobody").action is None


def test_a_name_may_still_be_typed(person: Any) -> None:
    """Where the record knows nobody it says so; the keyboard's name is like any other."""
    state = person.touch(a.Show(a.Panel.NEW_MATCH, "seat.PP"))
    assert state.frame.bottom.message.first == "The record knows nobody yet."
    assert state.players[0].action == a.EditName("seat.PP", "Paws Pilot", "Paws")
    person.touch(a.SetupChoice("seat.PP", "Zoe"))
    assert person.view.part == "seat.PG"


def test_a_name_that_is_no_name_stays_where_it_was_typed(person: Any) -> None:
    person.touch(a.Show(a.Panel.NEW_MATCH, "seat.PP"))
    state = person.touch(a.SetupChoice("seat.PP", "An\u202ea"))
    assert "an invisible character" in state.frame.bottom.message.first
    assert state.frame.bottom.next.action is None


def test_a_seat_that_is_none_of_this_game_shows_the_first(person: Any) -> None:
    """The game may have been changed since."""
    assert person.touch(a.Show(a.Panel.NEW_MATCH, "seat.Z")).frame.top.title == "JAWS PILOT"


# Ship and deck.

FIGURES = """
[vessels.cruiser]
title = "Cruiser"
attack = 4
range = 3
mobility = 1
hull = 14
energy = 4
abilities = []

[decks.club-deck]
unknown = 40
"""


def fleet(new_person: Any, folder: Path) -> Any:
    """A table with a second ship and a second deck of its own."""
    (folder / "figures-starship-edition.toml").write_text(FIGURES)
    person = new_person(folder)
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", "starship-edition"))
    return person


def test_ship_and_deck_are_touched(new_person: Any, tmp_path: Path) -> None:
    """They stay when the player is named, changed or taken away, and are in the match."""
    person = fleet(new_person, tmp_path)
    state = person.touch(a.Show(a.Panel.NEW_MATCH, "seat.A"))
    assert [(one.title, [key.label for key in one.keys]) for one in state.goods] == [
        ("Ship", ["Usual", "Cruiser"]),
        ("Deck", ["Usual", "Club deck"]),
    ]
    person.touch(state.goods[0].keys[1].action)
    person.touch(a.SetupChoice("seat.A", "Ana"))
    assert person.view.part == "seat.A", "the ship is still to be chosen"
    state = person.touch(state.goods[1].keys[1].action)
    chosen = [key.label for one in state.goods for key in one.keys if key.look is KeyLook.CHOSEN]
    assert chosen == ["Cruiser", "Club deck"]
    assert seated(person) == {"A": "Ana/cruiser/club-deck"}
    person.touch(a.SetupChoice("sit.A", "Bo"))
    person.touch(a.SetupChoice("brings.A.1", ""))
    page = choose(person, "")
    assert [field.label for field in page.seats] == ["Player A · Cruiser", "Player B"]
    assert [field.player for field in page.seats] == ["Bo", ""]
    match = start(person)
    assert match.setup.seats == {"A": "Bo/cruiser"}
    assert match.position.players[Seat("A")].hull == 14


def test_a_ship_without_a_name_is_the_seats_own(new_person: Any, tmp_path: Path) -> None:
    """Two seats without a name are no two seats of one name."""
    person = fleet(new_person, tmp_path)
    for seat in "AB":
        person.touch(a.SetupChoice(f"brings.{seat}.0", "cruiser"))
    state = choose(person, "")
    assert not any(field.error for field in state.seats)
    assert start(person).setup.seats == {"A": "/cruiser", "B": "/cruiser"}


@pytest.mark.parametrize("name", ["brings.A.7", "brings.A.-1"])
def test_a_thing_that_nobody_brings_changes_nothing(
    new_person: Any, tmp_path: Path, name: str
) -> None:
    person = fleet(new_person, tmp_path)
    person.touch(a.SetupChoice(name, "cruiser"))
    assert seated(person) == {}


def test_a_box_without_ships_to_choose_has_no_such_keys(person: Any) -> None:
    """And a table whose file names no second one neither."""
    assert person.touch(a.Show(a.Panel.NEW_MATCH, "seat.JP")).goods == ()
    person.touch(a.SetupChoice("box", "starship-edition"))
    assert person.touch(a.Show(a.Panel.NEW_MATCH, "seat.A")).goods == ()


def test_a_seat_opens_the_letters_where_nobody_is_known(person: Any) -> None:
    """There is nothing else to touch on its page; once somebody is named there, it opens."""
    first = choose(person, "").seats[0]
    assert isinstance(first.opens, a.EditName)
    named = person.touch(a.SetupChoice(first.opens.choice, "Ana")).seats[0]
    assert (named.player, named.opens) == ("Ana", a.Show(a.Panel.NEW_MATCH, first.opens.choice))


def test_no_house_rule_is_called_by_its_name_on_a_command_line_alone(person: Any) -> None:
    """A title is words: none of two letters, and no text speaks of allow_two_players."""
    titles = list[str]()
    for box in RULEBOOKS:
        person.touch(a.SetupChoice("box", box))
        state = choose(person, "HOUSE RULES")
        for _ in range(state.pages):
            titles += [row.title for row in person.state.rows]
            assert not [row for row in person.state.rows if "_" in row.title + row.why]
            person.touch(a.TurnPage(1))
        choose(person, "")
    assert "Left and right" in titles
    assert not {"Lr frame", "Double ko", "Sight", "Lots"} & set(titles)


def test_new_match_says_that_names_may_wait_until_all_are_there(person: Any) -> None:
    """And the key that leads back from a list says where to."""
    assert choose(person, "").frame.bottom.message.second.startswith("Names may wait")
    back = choose(person, "GAME").frame.bottom.next
    assert back is not None
    assert (back.label, back.second) == ("Done", "to New match")
