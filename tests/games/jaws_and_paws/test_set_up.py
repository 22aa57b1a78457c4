"""JP-1 to JP-4: the box, the toss, the Sun, starting hands, and who may see what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadCall, CompanionError
from companion.core.offers import Offer
from companion.core.ruling import Carry
from companion.games.jaws_and_paws.boards import JP, PAWS, ZONES


def test_jp_2_1_a_seat_that_nobody_knows_is_refused(play: Callable[..., Any]) -> None:
    """Two teams of a Pilot and a Gunner: no fifth seat."""
    with pytest.raises(BadCall, match="'XX' is unknown: 4 people play this mode; there are JP, "):
        play(seats={"XX": "Ana"})


def test_jp_3_2_tracks_start_without_smoke(play: Callable[..., Any]) -> None:
    """Action Tracks start on the side without smoke."""
    assert play().position.smoke == {"Jaws": False, "Paws": False}


def test_jp_3_3_planes_start_on_the_opposing_pilot_centre(play: Callable[..., Any]) -> None:
    """Each plane on the PC of the other team."""
    assert play().position.zones == {"jaws": "Paws.PC", "paws": "Jaws.PC"}


def test_jp_3_4_the_toss_decides_who_places_the_sun(play: Callable[..., Any]) -> None:
    """The winning team, and no other, is asked for the Sun."""
    assert play().say("toss", "Paws").question("set-up/sun").by == "Paws"


@pytest.mark.parametrize(("team", "barred"), [("Jaws", "Paws.PC"), ("Paws", "Jaws.PC")])
def test_jp_3_5_eleven_zones_are_legal_for_the_sun(
    play: Callable[..., Any], team: str, barred: str
) -> None:
    """Any zone but the enemy's PC, which holds the placer's own plane; the own PC is legal."""
    table = play().say("toss", team)
    legal = {option.name for option in table.question("set-up/sun").options_now()}
    assert legal == set(ZONES) - {barred}
    refusal = table.refused("set-up/sun", barred)
    assert refusal.code == "JP-E01"
    assert str(refusal.cite) == "JP-3.5"
    assert all(zone in refusal.text for zone in legal)


def test_jp_3_5_the_camera_can_tell_where_the_sun_was_placed(play: Callable[..., Any]) -> None:
    """Every option shows the Sun on its zone, and moves no other piece."""
    options = play().say("toss", "Jaws").question("set-up/sun").options_now()
    assert all(str(option.shows["sun"]) == option.name for option in options)
    assert all(len(option.shows) == 1 for option in options)


def test_jp_3_6_every_player_draws_four(play: Callable[..., Any]) -> None:
    """A starting hand of 4: 26 remain in the Deck."""
    table = play().say("toss", "Jaws").say("set-up/sun", "Jaws.PC")
    assert all(piles.counts["deck"] == 26 for piles in table.position.piles.values())
    assert all(piles.counts["hand"] == 4 for piles in table.position.piles.values())
    assert table.last.deeds[0] == Carry(JP, 4, "deck", "hand")
    assert len(table.last.deeds) == 4


def test_jp_3_6_the_table_confirms_before_the_first_round(play: Callable[..., Any]) -> None:
    """Planes, tracks and hands are confirmed once; then both teams are asked to be ready."""
    table = play().say("toss", "Jaws").say("set-up/sun", "Jaws.PC")
    assert table.asked == ["set-up/placed"]
    assert table.say("placed").asked == ["round-1/ready/jaws", "round-1/ready/paws"]


def test_jp_4_4_and_ruling_4_counts_of_every_pile_are_public(play: Callable[..., Any]) -> None:
    """Piles lie face down, their counts are public (RULING 4)."""
    facts = {fact.name: fact for fact in play().set_up().position.facts()}
    assert facts["JG.deck"].value == 26
    assert facts["JG.deck"].public


def test_ruling_3_the_companion_tosses_where_nobody_has_a_coin(play: Callable[..., Any]) -> None:
    """From a number that somebody says: the same number among the same people, the same team."""
    winners: set[str] = set()
    for number in range(1, 12):
        tables = [play(seats={"JP": "Ana"}).say("toss", "lot").say("number", number) for _ in "ab"]
        won = {table.question("set-up/sun").by for table in tables}
        assert won == {table.last.by for table in tables}
        assert str(tables[0].last.cite) == "JP-3.4, RULING 3"
        winners |= won
    assert winners == {"Jaws", "Paws"}
    assert play().say("toss", "lot").refused("number", 0).cite.rulings == (3,)


def test_ruling_3_either_teammate_places_the_sun_for_good(play: Callable[..., Any]) -> None:
    """It is asked of the team, once; another place is a correction, not an answer."""
    table = play().say("toss", "Paws")
    assert table.question("set-up/sun").by == "Paws"
    table.say("set-up/sun", "Jaws.GC")
    assert table.asked == ["set-up/placed"]
    with pytest.raises(CompanionError):
        table.match.answer(Offer("set-up/sun", "Jaws.GL", "script", PAWS), table.stamp)
