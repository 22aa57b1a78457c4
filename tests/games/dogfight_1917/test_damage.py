"""Damage, and who is shot down by it.  (DF-12, DF-16)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]


@pytest.fixture
def burst(table_at: MakeTable) -> MakeTable:
    """SPAD A fires its Vickers guns at B, who holds no card: so many dice do 2 damage each."""

    def make(dice: int, deck: int, *variants: str, **changes: Any) -> Any:
        target = {"deck": deck, "hand": 0, "box": 14 - deck, **changes.pop("B", {})}
        table = table_at(
            "engagement", *variants,
            A={"fighter": "spad", "pilot": "fonck", "tokens": 3},
            B={"fighter": "fokker", "pilot": "richthofen", **target}, **changes,
        )  # fmt: skip
        several = " fokker" if variants else ""
        table.act(f"Vickers Machine Guns{several}")
        return table.say("fire", [6] * dice + [1] * (3 - dice))

    return make


# -- DF-12.1, DF-12.3 -----------------------------------------------------------------------------


def test_df_12_1_off_the_deck_onto_the_damage_pile(burst: MakeTable) -> None:
    """As many cards as damage, carried unseen: no card is asked for."""
    table = burst(2, 9)
    assert table.piles("B") == {"deck": 5, "discard": 4, "damage": 6, "box": 5}
    ruling = table.said("takes 4 damage")
    assert ruling.text == "Player B takes 4 damage: 4 off the Deck, 5 left."
    assert ruling.headline == "Player B: 4 damage"
    assert [(deed.count, deed.source, deed.target) for deed in ruling.deeds] == [
        (4, "deck", "damage")
    ]
    assert ruling.struck == ("fokker",)
    assert table.asked == ["turn-7/2/action"]


def test_df_12_1_nobody_knows_a_card_of_the_damage_pile(burst: MakeTable) -> None:
    """Cards that were known to lie in the Deck are forgotten as they are moved unseen."""
    table = burst(2, 9, B={"known": {"deck": {"Killer Instinct": 2, "Evasive Dive": 2}}})
    assert "damage" not in table.player("B").piles.known


def test_df_12_3_an_equal_number_empties_the_deck_and_it_flies_on(burst: MakeTable) -> None:
    """Exactly as many cards as damage: no crash, not even at the end of the attacker's turn."""
    table = burst(2, 4)
    assert table.piles("B") == {"discard": 4, "damage": 6, "box": 10}
    assert table.match.outcome is None
    table.act("Turning Maneuver").say("fly", "0,0 N").act("end turn")
    assert table.position.active == "B"
    assert str(table.said("Crash imminent").cite) == "DF-6.2, DF-16.1"


# -- DF-12.2, RULING 30, DF-16.3 ------------------------------------------------------------------


def test_df_12_2_book_example_four_damage_three_cards(burst: MakeTable) -> None:
    """Book: 4 damage to a Fighter with 3 cards in the Deck; it is shot down, the game ends."""
    table = burst(2, 3)
    assert table.match.outcome.winners == ("A",)
    assert "is shot down" in table.match.outcome.ruling.text
    assert str(table.match.outcome.ruling.cite) == "DF-12.2, DF-16.3"


def test_ruling_30_the_last_cards_are_moved_first(burst: MakeTable) -> None:
    """Three cards onto the Damage Pile, and the sentence says three of four."""
    table = burst(2, 3)
    assert table.piles("B") == {"discard": 4, "damage": 5, "box": 11}
    ruling = table.said("takes 4 damage")
    assert "3 off the Deck, 0 left" in ruling.text
    assert str(ruling.cite) == "DF-17.4.S1, DF-14.4, DF-12.1, DF-12.2, RULING 30"


def test_df_12_2_an_empty_deck_falls_to_a_single_hit(burst: MakeTable) -> None:
    """One die of a Basic Attack would do; no card is carried."""
    table = burst(1, 0)
    assert table.match.outcome.winners == ("A",)
    assert table.said("takes 2 damage").deeds[0].count == 0


def test_df_16_3_the_model_leaves_the_board(burst: MakeTable) -> None:
    """The ruling carries the deed for hands."""
    table = burst(2, 3)
    down = table.said("is shot down")
    assert (down.deeds[0].piece, down.deeds[0].now) == ("fokker", None)
    assert table.place("B") == ""


# -- DF-12.4: from the own card -------------------------------------------------------------------


def high_speed(table_at: MakeTable, deck: int, die: int) -> Any:
    """Fokker A flies left at high speed and rolls."""
    table = table_at(
        "engagement", A={"fighter": "fokker", "pilot": "richthofen", "deck": deck,
                         "box": 9 - deck, "place": "0,0 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "4,0 NW"},
    )  # fmt: skip
    table.act("High-speed Maneuver").say("fly", "-1,0 NW")
    return table.say("condition", [die])


def test_df_12_4_damage_i_take_myself_works_the_same(table_at: MakeTable) -> None:
    """On the own turn, off the own Deck."""
    table = high_speed(table_at, 9, 2)
    assert (table.piles("A")["deck"], table.piles("A")["damage"]) == (8, 3)
    cite = table.said("takes 1 damage").cite
    assert {"DF-12.4", "DF-12.1"} <= set(cite.rules)


def test_ruling_30_one_can_shoot_oneself_down(table_at: MakeTable) -> None:
    """With an empty Deck, the game is over at once and the other wins."""
    table = high_speed(table_at, 0, 2)
    assert table.match.outcome.winners == ("B",)
    assert high_speed(table_at, 0, 3).match.outcome is None


def test_ruling_30_a_card_played_to_evade_can_shoot_its_player_down(table_at: MakeTable) -> None:
    """Before the Damage step: the attack's own damage is not even dealt."""
    table = table_at(
        "engagement", A={"fighter": "spad", "pilot": "fonck"},
        B={"fighter": "albatros", "pilot": "loewenhardt", "deck": 0, "box": 9},
    ).act("Basic Attack")  # fmt: skip
    table.say("sharpshooter", [1]).say("fire", [6, 6])
    table.say("evade", "Evasive Dive").say("evasion", [1])
    assert table.match.outcome.winners == ("A",)
    assert len([ruling for ruling in table.rulings if "damage:" in ruling.text]) == 1


# -- DF-16.4: the first crash ends a game of two --------------------------------------------------


def test_df_16_4_nothing_is_carried_out_after_it(table_at: MakeTable) -> None:
    """No Momentum, no Red Baron roll, no evader's Dead Six: nothing is asked any more."""
    table = table_at(
        "engagement", A={"fighter": "fokker", "pilot": "richthofen"},
        B={"fighter": "camel", "pilot": "maclaren", "deck": 0, "box": 9},
    ).act("Basic Attack")  # fmt: skip
    table.say("fire", [6, 6]).say("evade", "Evasive Dive").say("evasion", [6])
    assert table.match.outcome.winners == ("A",)
    assert (dict(table.match.open), table.place("A")) == ({}, "0,1 N")


def test_ruling_33_with_several_the_rest_of_the_attack_is_carried_out(burst: MakeTable) -> None:
    """The model is gone, its space free, and the attacker's turn goes on."""
    camel = {"fighter": "camel", "pilot": "maclaren"}
    table = burst(2, 3, "battle-royale", players="ABCD", D=camel)
    assert table.match.outcome is None
    assert (table.place("B"), table.player("B").out) == ("", True)
    assert table.asked == ["turn-7/2/action"]


def test_ruling_33_momentum_into_the_space_of_who_was_shot_down(table_at: MakeTable) -> None:
    """Removal is at once: straight ahead is free again."""
    table = table_at("engagement", "battle-royale", players="ABCD",
                     A={"place": "0,0 N"}, B={"deck": 0, "hand": 0, "box": 14})  # fmt: skip
    table.act("Basic Attack fokker").say("fire", [6, 6])
    assert "0,-1 N" in table.names("momentum/A")
