"""Attacks, Priority's prerogative, destruction and the end.  (SE-PPR, SE-R13 to SE-R15, SE-R19)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]
NOT_LISTED = {"decks": {"standard": {"unknown": 40}}}
"""Nobody has typed in what lies in the decks."""
# fmt: off
EXCESS = {"cards": {"BLAST": {"title": "Blast", "type": "ATTACK",
                              "effects": [{"op": "attack", "at": "others", "range": 9}]}}}
# fmt: on


def test_se_r14_damage_is_power_and_modifiers_less_reductions(tiers_at: MakeTable) -> None:
    """Attack 3, boosted by 2, against one plate: 4."""
    # fmt: off
    plate = {"gear": ["G-PLATE"], "modifiers": [
        {"stat": "armour", "amount": 1, "until": "while_equipped", "source": "G-PLATE"}]}
    # fmt: on
    table = tiers_at({"B": plate}, A=1).say("G-SHOT", "G-BOOST", "done", "done")
    assert table.player("B").hull == 6
    assert (table.player("A").energy, table.player("A").hand) == (2, 4)
    told = table.said("takes 4 damage").text
    assert told == "Player B takes 4 damage (5 - 1, assumed figure); hull 6."


def test_se_r19_a_hull_below_zero_is_told_as_destroyed(tiers_at: MakeTable) -> None:
    """A hull of zero still has its figure: the vessel lives."""
    for hull, told in ((2, "destroyed"), (3, "hull 0")):
        table = tiers_at({"B": {"hull": hull}}, A=1).say("G-SHOT", "done", "done")
        text = table.said("takes 3 damage").text
        assert text == f"Player B takes 3 damage (assumed figure); {told}."


def test_se_r14_responses_come_after_the_own_additions(tiers_at: MakeTable) -> None:
    """Attacker, target, then the others; an addition in answer time is refused (SE-E-FINAL)."""
    table = tiers_at(players="ABC", A=1, cards=NOT_LISTED).say("G-SHOT", "B")
    asked = []
    for _ in range(3):
        asked.append(table.question().by)
        if asked[-1] != "A":
            assert table.refused("G-BOOST").code == "SE-E-FINAL"
        table.say("done")
    assert asked == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("card", "energy", "code"),
    [("G-DODGE", 3, "SE-E-WINDOW"), ("G-SHOT", 3, "SE-E-WINDOW"), ("G-BOOST", 0, "SE-E-ENERGY")],
)
def test_se_r14_cards_for_another_moment(
    tiers_at: MakeTable, card: str, energy: int, code: str
) -> None:
    """A card that does not fit, or cannot be paid, while the attacker adds."""
    table = tiers_at({"A": {"energy": energy}}, A=1, cards=NOT_LISTED).say("G-SHOT")
    assert table.refused(card).code == code


def test_se_r14_a_dodge_makes_it_miss(tiers_at: MakeTable) -> None:
    """No damage; the card lies on the discard pile, paid for."""
    table = tiers_at(A=1).say("G-SHOT", "done", "G-DODGE", "done")
    player = table.player("B")
    assert (player.hull, player.energy, player.discard) == (10, 2, ["G-DODGE"])


def test_se_r14_one_chance_is_all(tiers_at: MakeTable) -> None:
    """Silence means nothing more; a card reported late is refused (SE-E-FINAL)."""
    table = tiers_at(A=1).say("G-SHOT")
    assert table.question().lapse == "done"
    assert table.report("late card", player="B").code == "SE-E-FINAL"


@pytest.mark.parametrize(("target", "why"), [("A", "itself"), ("C", "6 spaces away")])
def test_se_r14_the_target_must_be_legal(tiers_at: MakeTable, target: str, why: str) -> None:
    """Oneself, or out of range: SE-E-TARGET."""
    table = tiers_at({"C": {"place": "7,1"}}, players="ABCD", A=1).say("G-SHOT")
    refusal = table.refused(target)
    assert refusal.code == "SE-E-TARGET"
    assert why in refusal.text


def test_se_r14_a_target_that_is_the_only_one_is_not_asked_for(tiers_at: MakeTable) -> None:
    """B is the only vessel in range: the attack is declared on it, and A is asked to finalize."""
    table = tiers_at({"C": {"place": "7,1"}}, players="ABC", A=1).say("G-SHOT")
    assert table.said("attacks Player B with Salvo")
    assert table.question().key.endswith("attacker_modifier-A-1/card")


def test_se_r03_an_obstruction_in_the_line_of_sight(tiers_at: MakeTable) -> None:
    """From 1,3 to 4,3 the line crosses 3,3; a card that ignores it may attack."""
    places = {"A": {"place": "1,3"}, "B": {"place": "4,3"}}
    table = tiers_at(places, A=1).say("G-SHOT")
    assert table.said("no legal target")
    through = {"cards": {"LOB": {"title": "Lob", "type": "ATTACK",
                                 "effects": [{"op": "attack", "ignores": ["los"]}]}}}  # fmt: skip
    assert tiers_at(places, A=1, cards=through).say("LOB").said("attacks Player B")


def test_se_ppr_01_se_ppr_02_priority_orders_attacks_of_different_players(
    tiers_at: MakeTable,
) -> None:
    """B counter-attacks: the Priority player says which is resolved first."""
    table = tiers_at({"A": {"hull": 2}, "B": {"hull": 2}}, A=1)
    table.say("G-SHOT", "done", "G-COUNTER", "done", "done", "done")
    assert table.question().by == "A"
    assert "SE-PPR-01" in table.question().cite.rules
    table.say(["2 B>A", "1 A>B"])
    assert table.match.outcome.winners == ()


def test_se_r13_the_next_survivor_chooses_for_a_lost_priority_player(tiers_at: MakeTable) -> None:
    """A holds Priority and is lost to its own card: the rest of the turn B orders."""
    ram = {"cards": {"RAM": {"title": "Ram", "type": "ATTACK", "effects": [
        {"op": "damage", "vessel": "this", "amount": 50}]}}}  # fmt: skip
    table = tiers_at(players="ABC", A=1, B=1, cards=ram).say("RAM")
    assert table.player("A").out
    assert table.report("ordered", player="B").code == "SE-AGREES"
    assert table.report("ordered", player="C").code == "SE-E-PREROGATIVE"


def test_se_ppr_03_the_own_player_orders_what_is_of_one_vessel(tiers_at: MakeTable) -> None:
    """Two attacks of one card: their player is asked, not Priority."""
    table = tiers_at(players="ABC", B=1, cards=EXCESS).say("BLAST", *["done"] * 4)
    assert table.question().by == "B"
    assert "SE-PPR-03" in table.question().cite.rules
    assert table.report("ordered", player="B").code == "SE-E-PREROGATIVE"


@pytest.mark.parametrize(("rule", "hull"), [("yes", 7), ("no", 10)])
def test_se_r15_an_attack_of_a_lost_vessel(tiers_at: MakeTable, rule: str, hull: int) -> None:
    """Declared before, it is resolved; by house rule it is void."""
    table = tiers_at({"B": {"hull": 1}}, players="ABC", A=1,
                     options={"declared_attack_survives": rule})  # fmt: skip
    table.say("G-SHOT", "B", "done", "G-COUNTER", *["done"] * 3, ["1 A>B", "2 B>A"])
    assert table.player("B").out
    assert table.player("A").hull == hull


@pytest.mark.parametrize(("rule", "out"), [("below_zero", False), ("zero", True)])
def test_se_r19_at_zero_a_vessel_lives(tiers_at: MakeTable, rule: str, *, out: bool) -> None:
    """Destroyed below zero, or at zero by house rule."""
    table = tiers_at({"B": {"hull": 3}}, players="ABC", A=1, options={"destroyed_at": rule})
    table.say("G-SHOT", "B", "done", "done")
    assert table.player("B").out is out


def test_se_r20_destruction_is_judged_after_each_event(tiers_at: MakeTable) -> None:
    """The first of two effects that destroys takes the vessel off before the second."""
    twice = {"cards": {"TWICE": {"title": "Twice", "type": "ATTACK", "effects": [
        {"op": "damage", "vessel": "one", "amount": 11},
        {"op": "damage", "vessel": "others", "amount": 1}]}}}  # fmt: skip
    table = tiers_at(players="ABC", A=1, cards=twice).say("TWICE", "B")
    assert table.player("B").hull == -1
    assert table.player("C").hull == 9


def test_se_r21_the_cards_of_a_lost_player_do_nothing_more(tiers_at: MakeTable) -> None:
    """B is lost in tier 1 before its own card: it leaves the game, C goes on."""
    table = tiers_at({"B": {"hull": 0}}, players="ABC", A=1, B=1, C=1)
    table.say("G-SHOT", "B", "done", "done")
    player = table.player("B")
    assert (player.removed, player.set_cards, player.space) == (40, 0, None)
    assert table.question().key == "turn-3/tier-1/C/primary"


def test_se_r22_the_last_vessel_wins_at_once(tiers_at: MakeTable) -> None:
    """Two are left and one is lost."""
    table = tiers_at({"B": {"hull": 2}}, A=1).say("G-SHOT", "done", "done")
    assert table.match.outcome.winners == ("A",)


def test_se_r22_nobody_left_is_a_draw(tiers_at: MakeTable) -> None:
    """One effect takes both."""
    doom = {"cards": {"DOOM": {"title": "Doom", "type": "ENVIRONMENT", "effects": [
        {"op": "damage", "vessel": "all", "amount": 50}]}}}  # fmt: skip
    table = tiers_at(A=1, cards=doom).say("DOOM")
    assert table.match.outcome.winners == ()
    assert table.said("a draw")


def test_se_r14_while_an_attack_is_answered_all_see_who_fires_at_whom(tiers_at: MakeTable) -> None:
    """From its declaration until the last answer; nothing of it is left when it is resolved."""
    table = tiers_at(A=1).say("G-SHOT")
    (line,) = table.position.lines_of_fire()
    pieces = tuple(table.player(seat).piece for seat in "AB")
    assert (line.attacker, line.target, line.reach) == (*pieces, "range 2")
    table.say("done", "done")
    assert not table.position.lines_of_fire()
