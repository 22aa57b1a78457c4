"""Three shields: what they stop, and what that costs.  (HX-SHD, RULING 15 to 17)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Start = Callable[..., Any]

SHIELDS = ("shield no draw", "shield reuse", "shield anchor")
USED = {"card": "shield anchor", "stopped": True}
PARKED = {"A": "0,4 NW", "B": "-4,-1 W", "C": "-1,-4 NW", "D": "3,2 SE"}


def duel(at: Start, shield: str, /, **lines: Any) -> Any:
    """A attacks B, who stands beside it with a shield; C and D are far off."""
    told: dict[str, Any] = {
        "A": {"place": "0,0 E", "card": "short"},
        "B": {"place": "1,0 W", "card": shield},
        "C": {"place": PARKED["C"], **USED},
        "D": {"place": PARKED["D"], **USED},
    }
    for seat in [name for name in lines if name in told]:
        told[seat] = {**told[seat], **lines.pop(seat)}
    return at("resolution", **told, **lines)


def hulls(table: Any) -> list[int]:
    """The hull points of all, by seat."""
    return [ship.hull for ship in table.position.ships.values()]


@pytest.mark.parametrize("shield", SHIELDS)
def test_hx_shd_01_a_shield_prevents_the_damage_of_the_first_hit(at: Start, shield: str) -> None:
    """Its owner's alone: another ship that the attack hits is not protected."""
    table = duel(at, shield, C={"place": "0,1 W"})
    assert hulls(table)[:3] == [2, 2, 1]
    assert table.texts("Player B's shield stops Player A's short-range attack.")


def test_hx_shd_02_one_shield_stops_one_attack(at: Start) -> None:
    """The second one of the turn hits."""
    table = duel(at, "shield anchor", B={"place": "2,0 W"},
                 C={"place": "4,0 W", "card": "short", "stopped": False})  # fmt: skip
    assert hulls(table)[:3] == [2, 1, 2]


def test_hx_shd_03_a_shield_that_stops_nothing_costs_nothing(at: Start) -> None:
    """Nobody is anchored, and a card is drawn."""
    for shield in SHIELDS:
        table = duel(at, shield, A={"place": "-4,0 W"})
        assert table.cards("B") == 4
        assert not table.ship("B").anchored
        assert table.ship("B").bound == ""
        assert table.texts("Player B's shield waits for a hit.")


def test_hx_shd_04_a_shield_stops_debris_too(at: Start, dead: Any) -> None:
    """A ram that would damage does not."""
    line = {**dead("2,0"), "card": None, "stopped": None}
    table = duel(at, "shield anchor", A={"place": "-4,0 W"}, D=line)
    table.say("debris/D", "ram B")
    assert (table.ship("B").hull, table.ship("B").anchored) == (2, True)


def test_hx_shd_05_no_draw_leaves_one_card_less_for_good(at: Start) -> None:
    """Three cards after this turn, and again after the next."""
    table = duel(at, "shield no draw")
    assert [table.cards(seat) for seat in "ABCD"] == [4, 3, 4, 4]
    assert [ruling.text for ruling in table.cited("HX-SHD-05")] == [
        "Player B draws no card this turn."
    ]
    assert table.texts("Player A, Player C and Player D draw a card.")
    for seat in "ABCD":
        table.say(f"declare/{seat}")
    table.all_stay().reveal(A="shield anchor", B="long", C="shield anchor", D="shield anchor")
    assert table.cards("B") == 3


def test_hx_shd_06_reuse_takes_the_very_card_that_was_stopped(at: Start) -> None:
    """No draw now; next turn that attack; the hand is whole again after it."""
    table = duel(at, "shield reuse")
    assert (table.cards("B"), table.cards("B", "card"), table.ship("B").card) == (3, 1, "short")
    assert table.position.deck.discarded == 3
    assert table.texts(
        "Player B draws no card this turn and must use this short-range attack next turn."
    )
    for seat in "ACD":
        table.say(f"declare/{seat}")
    table.all_stay().reveal(A="shield anchor", C="shield anchor", D="shield anchor")
    assert hulls(table) == [2, 2, 2, 2]
    assert (table.cards("B"), table.cards("B", "captured")) == (4, 0)
    assert table.ship("A").anchored


def test_hx_shd_06a_reuse_against_debris_acts_as_the_first_kind(at: Start, dead: Any) -> None:
    """There is no card to take: nothing is drawn, nothing is bound."""
    line = {**dead("2,0"), "card": None, "stopped": None}
    table = duel(at, "shield reuse", A={"place": "-4,0 W"}, D=line)
    table.say("debris/D", "2,0 ram B").say("debris/D/on", "stay")
    assert (table.cards("B"), table.ship("B").bound) == (3, "")
    assert table.cited("HX-SHD-06a")


def test_hx_shd_07_anchor_forbids_spaces_next_turn_only(at: Start) -> None:
    """It turns, and the turn after that it moves again; a card is drawn as ever."""
    table = duel(at, "shield anchor")
    assert (table.ship("B").anchored, table.cards("B")) == (True, 4)
    for seat in "ABCD":
        table.say(f"declare/{seat}")
    assert table.refused("move/B", "2,0 W").code == "HX-E-ANCHOR"
    table.say("move/B", "1,0 E")
    assert not table.ship("B").anchored
    assert table.texts("Player B is no longer anchored.")
    assert [ruling.text for ruling in table.cited("HX-SHD-05")] == []


def test_ruling_15_a_shield_works_from_the_reveal_on(at: Start) -> None:
    """Before its owner's place in the order; by house rule only from there."""
    assert hulls(duel(at, "shield anchor"))[1] == 2
    late = duel(at, "shield anchor", SHIELD_TIMING="from_own_slot")
    assert hulls(late)[1] == 1
    assert late.texts("does not work before its place in the order. (House rule: shield_timing")
    in_time = duel(at, "shield anchor", first="B", SHIELD_TIMING="from_own_slot")
    assert hulls(in_time)[1] == 2
    together = duel(at, "shield anchor", SHIELD_TIMING="from_own_slot", RESOLUTION="simultaneous")
    assert hulls(together)[1] == 2


def test_ruling_15_a_shield_works_while_debris_drifts(at: Start, dead: Any) -> None:
    """Used shields are away only after that, whatever the timing."""
    for timing in ("from_reveal", "from_own_slot"):
        table = at("debris", B={"place": "1,0 W", "card": "shield anchor"}, D=dead("2,0"),
                   A={"card": "short"}, C={"card": "short"}, SHIELD_TIMING=timing)  # fmt: skip
        table.say("debris/D", "ram B")
        assert table.ship("B").hull == 2


def test_ruling_16_the_first_of_two_shields_takes_the_card(at: Start) -> None:
    """For the other one there is none; or, by house rule, both must reuse that attack."""
    lines = {"C": {"place": "0,1 W", "card": "shield reuse", "stopped": False}}
    table = duel(at, "shield reuse", **lines)
    assert [table.ship(seat).card for seat in "BC"] == ["short", ""]
    assert [table.cards(seat, "card") for seat in "BC"] == [1, 0]
    assert table.cited("RULING 16")[0].by == "C"
    both = duel(at, "shield reuse", **lines, DOUBLE_CAPTURE="proxy")
    assert [both.ship(seat).card for seat in "BC"] == ["short", "short"]
    assert [both.cards(seat, "card") for seat in "BC"] == [1, 0]
    assert both.asked == [f"turn-4/declare/{seat}" for seat in "DA"]
    assert both.texts("must make the short-range attack again, without a card")


def test_ruling_16_a_card_that_is_not_there_can_be_stopped_too(at: Start) -> None:
    """The companion stands in for it once more; no card is conjured up."""
    table = duel(at, "shield reuse", DOUBLE_CAPTURE="proxy", A={"declared": 0})
    assert (table.ship("B").card, table.cards("B", "card")) == ("short", 0)
    assert table.position.deck.piles.total == 54


def test_ruling_17_a_captured_card_goes_over_at_the_end_and_home_at_death(at: Start) -> None:
    """Not into the hand; its owner dead before the reuse, to the discard pile."""
    table = duel(at, "shield reuse")
    assert table.texts("Player B takes Player A's card for the next turn.")
    assert (table.cards("A"), table.cards("B")) == (4, 3)
    table.report("retired", player="B")
    assert (table.cards("B", "card"), table.ship("B").bound) == (0, "")
    assert table.position.deck.discarded == 3 + 1 + 3


def test_ruling_17_the_attacker_may_die_before_the_card_goes_over(at: Start) -> None:
    """What was claimed is kept for the shield's owner."""
    table = duel(at, "shield reuse", A={"hull": 1, "aside": 1},
                 B={"place": "2,0 W"},
                 C={"place": "-2,0 E", "card": "short", "stopped": False})  # fmt: skip
    table.say("hull-c-1", "-3,0").say("hull-a-2", "-1,0")
    assert not table.ship("A").lives
    table.say("debris/A", "stay")
    assert (table.ship("B").card, table.cards("B", "card")) == ("short", 1)
    assert table.cards("A", "card") == 0


def test_ruling_17_whoever_claims_a_card_and_dies_leaves_it_to_the_discard_pile(
    at: Start,
) -> None:
    """The claim dies with the ship."""
    table = duel(at, "shield reuse", B={"place": "2,0 W", "hull": 1, "aside": 1},
                 C={"place": "4,0 W", "card": "short", "stopped": False},
                 D={"place": "-2,4 W"})  # fmt: skip
    table.say("hull-b-2", "1,1").say("debris/B", "stay")
    assert (table.ship("B").claims, table.cards("B", "captured")) == (None, 0)
    assert table.cards("A", "card") == 0
    assert table.position.deck.piles.total == 54
