"""Discard Phase and End of Turn Phase.  (SE-DIS, SE-EOT, SE-R16 to SE-R18, SE-R23 to SE-R25)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.referee.protocol import what_stands

MakeTable = Callable[..., Any]
PLATE = {"gear": ["G-PLATE"], "modifiers": [
    {"stat": "armour", "amount": 1, "until": "while_equipped", "source": "G-PLATE"}]}  # fmt: skip
DYNAMO = {"gear": ["G-DYNAMO"]}


def test_se_dis_01_renewals_are_paid_and_bonuses_gained(table_at: MakeTable) -> None:
    """One energy keeps the plating; the dynamo of the other gives one."""
    table = table_at("discard-phase", A=PLATE, B=DYNAMO)
    assert table.question().key.endswith("renewal/A/1/pay")
    table.say("yes")
    assert (table.player("A").energy, table.player("B").energy) == (2, 4)
    assert table.player("A").gear == ["G-PLATE"]


def test_se_ppr_01_priority_orders_renewals_that_fall_together(table_at: MakeTable) -> None:
    """Two players pay or not: who decides later knows more, and Priority orders it."""
    table = table_at("discard-phase", priority="B", A=PLATE, B=PLATE)
    assert table.question().by == "B"
    assert "SE-PPR-01" in table.question().cite.rules
    assert table.question().lapse == ["B", "A"]
    table.say(["A", "B"])
    assert table.question().key.endswith("renewal/A/1/pay")


def test_se_r16_a_renewal_that_is_not_paid_expires(table_at: MakeTable) -> None:
    """By choice, or by lack; what the card did ends with it."""
    table = table_at("discard-phase", A=PLATE).say("no")
    assert (table.player("A").gear, table.player("A").discard) == ([], ["G-PLATE"])
    assert table.player("A").modifiers == []
    lacking = table_at("discard-phase", A={**PLATE, "energy": 0})
    assert lacking.said("the renewal cannot be paid")


def test_se_r16_renewal_is_due_in_the_turn_of_equipping(tiers_at: MakeTable) -> None:
    """Equipped in tier 1, paid for in the same turn."""
    table = tiers_at(A=1).say("G-PLATE")
    assert table.player("A").gear == ["G-PLATE"]
    assert table.question().key.endswith("pay")


def test_se_ppr_03_on_one_vessel_its_player_orders(table_at: MakeTable) -> None:
    """B has two equipped cards: B is asked, though A has Priority."""
    both = {"gear": ["G-PLATE", "G-DYNAMO"], "modifiers": PLATE["modifiers"], "energy": 0}
    table = table_at("discard-phase", B=both)
    assert table.question().by == "B"
    assert "SE-PPR-03" in table.question().cite.rules
    table.say(["bonus G-DYNAMO", "renewal G-PLATE"], "yes")
    assert table.player("B").gear == ["G-PLATE", "G-DYNAMO"]


def test_se_dis_02_the_tiers_expire(table_at: MakeTable) -> None:
    """Cards to the pile face up, tokens back to the supply."""
    # fmt: off
    tiers = [{"action": "set", "primary": "G-SHOT", "resolved": True},
             {"action": "draw", "resolved": True}, {"action": "pass", "resolved": True}]
    # fmt: on
    table = table_at("discard-phase", A={"tiers": tiers})
    assert table.player("A").discard == ["G-SHOT"]
    assert table.said("2 reminder tokens back")


def test_se_dis_04_and_se_r17_order_on_the_pile(table_at: MakeTable) -> None:
    """Tier by tier, the first card below the second, on top of what lay there."""
    # fmt: off
    tiers = [{"action": "set", "primary": "G-SHOT", "secondary": "G-TWIN", "resolved": True},
             {"action": "set", "primary": "G-MOVE", "resolved": True},
             {"action": "set", "primary": "?", "secondary": "G-SCAN", "resolved": True}]
    # fmt: on
    table = table_at("discard-phase", A={"tiers": tiers, "discard": ["G-BOOST"]})
    table.say("nobody")
    assert table.player("A").discard == ["G-BOOST", "G-SHOT", "G-TWIN", "G-MOVE", "?", "G-SCAN"]


def test_se_dis_03_a_pile_is_open_to_see(table_at: MakeTable) -> None:
    """The record shows every pile, in its order, to everybody."""
    table = table_at(A={"discard": ["G-SHOT", "G-MOVE"]})
    (fact,) = [fact for fact in table.position.facts() if fact.name == "A.discard"]
    assert fact.public
    assert fact.value == ["G-SHOT", "G-MOVE"]


def test_se_eot_01_effects_of_the_turn_end(table_at: MakeTable) -> None:
    """What lasts for the turn ends, what lasts for the game stays."""
    lines = [{"stat": "attack", "amount": 1, "until": "turn", "source": "Focus"},
             {"stat": "attack", "amount": 2, "until": "game", "source": "Core"}]  # fmt: skip
    table = table_at("end-of-turn", A={"modifiers": lines, "tiers": []})
    assert [one.source for one in table.player("A").modifiers] == ["Core"]


def test_se_eot_02_priority_alone_may_draw_once_more(table_at: MakeTable) -> None:
    """Asked of the Priority player; others who draw are told (SE-E-ORDER)."""
    table = table_at("end-of-turn", priority="B")
    assert table.question().by == "B"
    assert table.report("drew", player="A", count=1).code == "SE-E-ORDER"
    table.say("yes")
    assert table.player("B").hand == 6


def test_se_r18_the_draw_is_lost_with_an_empty_deck(table_at: MakeTable) -> None:
    """Nobody is asked; silence is no draw."""
    assert table_at("end-of-turn").question().lapse == "no"
    table = table_at("end-of-turn", A={"deck": 0, "removed": 35})
    assert table.question().key == "turn-4/prepare/B/1"


def test_se_eot_03_priority_passes_to_the_left_past_the_lost(table_at: MakeTable) -> None:
    """A to B; past B if its vessel is gone, to C."""
    lost: dict[str, Any] = dict.fromkeys(("deck", "hand"), 0)
    lost |= {"removed": 40, "hull": -1, "destroyed": True, "place": None, "tiers": []}
    assert table_at("end-of-turn").say("no").position.priority == "B"
    table = table_at("end-of-turn", players="ABC", B=lost)
    assert table.say("no").position.priority == "C"
    (fares,) = (told for told in what_stands(table.match) if "Destroyed" in told)
    assert fares.startswith("Player B: Hull -1, Destroyed")


@pytest.mark.parametrize(("rule", "hull"), [("no", 10), ("yes", 11)])
def test_se_r23_repair_stops_at_the_hull_of_the_start(
    tiers_at: MakeTable, rule: str, hull: int
) -> None:
    """Unless the house rule lets it go on."""
    table = tiers_at({"A": {"hull": 9}}, A=1, options={"overrepair": rule}).say("G-REPAIR")
    assert table.player("A").hull == hull


def test_se_r23_energy_is_never_below_none(tiers_at: MakeTable) -> None:
    """A loss takes what there is."""
    leak = {"cards": {"LEAK": {"title": "Leak", "type": "ENVIRONMENT",
                               "effects": [{"op": "energy", "amount": -9}]}}}  # fmt: skip
    assert tiers_at(A=1, cards=leak).say("LEAK").player("A").energy == 0


@pytest.mark.parametrize(("count", "out"), [(9, False), (10, True)])
def test_se_r23_ten_over_heat_destroy(table_at: MakeTable, count: int, *, out: bool) -> None:
    """Counted at the end of the turn."""
    table = table_at("end-of-turn", players="ABC", A={"counters": {"over heat": count}})
    assert table.player("A").out is out


@pytest.mark.parametrize(("rule", "offered"), [("no_draw", False), ("reshuffle", True)])
def test_se_r24_an_empty_deck(table_at: MakeTable, rule: str, *, offered: bool) -> None:
    """No draw; by house rule the discard pile is shuffled into it."""
    lines = {"hand": 5, "deck": 0, "removed": 33, "discard": ["G-SHOT", "G-MOVE"]}
    table = table_at(A=lines, options={"empty_deck": rule})
    assert ("draw" in table.names()) is offered
    if offered:
        table.say("draw")
        assert (table.player("A").deck, table.player("A").discard) == (1, [])
    else:
        assert table.refused("draw").code == "SE-E-DECK"


def test_ruling_26_nobody_has_a_card_left(table_at: MakeTable) -> None:
    """The table is asked whether that is a draw; it may play on."""
    bare = {"hand": 0, "deck": 0, "removed": 40}
    table = table_at(A=bare, B=bare)
    assert table.question().key == "turn-3/spent"
    assert table.say("yes").match.outcome.winners == ()
    assert table_at(A=bare, B=bare).say("no").question().key == "turn-3/prepare/A/1"
