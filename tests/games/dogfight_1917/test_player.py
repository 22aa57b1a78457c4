"""One seat of Dogfight: 1917: what everybody knows of its cards."""

from __future__ import annotations

from companion.core.ruling import Seat
from companion.games.dogfight_1917.position import Player


def laid(**piles: int) -> Player:
    """A player whose cards lie so, the rest in the Deck."""
    player = Player.fresh(Seat("A"))
    for pile, count in piles.items():
        player.piles.move(count, "deck", pile)
    return player


def test_df_1_2_a_fighter_owns_twenty_cards() -> None:
    """All in the Deck before anything was drawn."""
    player = Player.fresh(Seat("A"))
    assert (player.piles["deck"], player.piles.total, player.piles.known) == (20, 20, {})


def test_what_is_seen_adds_up() -> None:
    """Two Killer Instincts lie in the box, a Basic Maneuver on the Discard Pile."""
    player = laid(box=2, discard=3)
    for pile, card in (("box", "Killer Instinct"), ("discard", "Basic Maneuver")):
        player.learn(pile, card)
    player.learn("box", "Killer Instinct")
    assert player.piles.known == {
        "box": ["Killer Instinct", "Killer Instinct"], "discard": ["Basic Maneuver"],
    }  # fmt: skip


def test_df_e17_a_third_killer_instinct_makes_the_others_doubtful() -> None:
    """The table insists: then one of those seen before was another card, nobody knows which."""
    player = laid(box=2, discard=2, played=1)
    player.learn("box", "Killer Instinct")
    player.learn("box", "Killer Instinct")
    player.learn("discard", "Basic Maneuver")
    player.learn("played", "Killer Instinct")
    assert player.piles.seen("box", "discard", "played") == {
        "Basic Maneuver": 1, "Killer Instinct": 1,
    }  # fmt: skip
