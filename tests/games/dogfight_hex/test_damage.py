"""Hull points become wreckage, ships debris.  (HX-DMG, RULING 18 to 21)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.core.board import Piece, Pose
from companion.core.ruling import Carry, Flip, Move, Seat

Start = Callable[..., Any]

SHIP, DEBRIS, B = Piece("ship-b"), Piece("ship-b-debris"), Seat("B")
USED = {"card": "shield anchor", "stopped": True}


def shot(at: Start, victim: dict[str, Any] | None = None, **lines: Any) -> Any:
    """A's short range hits B, who stands beside it."""
    told: dict[str, Any] = {
        "A": {"place": "0,0 E", "card": "short"},
        "B": {"place": "1,0 W", **USED, **(victim or {})},
        "C": {"place": "-1,-4 NW", **USED},
        "D": {"place": "3,2 SE", **USED},
    }
    for seat in [name for name in lines if name in told]:
        told[seat] = {**told[seat], **lines.pop(seat)}
    return at("resolution", **told, **lines)


def test_hx_dmg_01_the_owner_lays_a_hull_point_on_a_free_space_beside_the_ship(at: Start) -> None:
    """Of the owner's choice; elsewhere, occupied or off the map is refused."""
    table = shot(at, {"place": "1,0 W"}, D={"place": "1,1 W"})
    assert table.question().by == "B"
    assert table.names() == ["0,1", "1,-1", "2,-1", "2,0"]
    assert table.refused("hull-b-1", "3,0").code == "HX-E-ADJ"
    assert table.refused("hull-b-1", "0,0").code == "HX-E-OCCUPIED"
    assert table.refused("hull-b-1", "9,9").code == "HX-E-OFFMAP"
    assert table.refused("hull-b-1", "stay").code == "HX-E-READ"
    table.say("hull-b-1", "2,0")
    assert (table.wreckage(), table.ship("B").hull) == ({"hull-b-1": "2,0"}, 1)


def test_hx_dmg_01_a_single_free_space_is_not_asked_for(at: Start) -> None:
    """In a corner with one way out the token lies there."""
    table = shot(at, {"place": "5,-1 W"}, A={"place": "4,-1 E"}, C={"place": "5,-2 W"},
                 wreckage={"wreck-3": "5,0"})  # fmt: skip
    assert table.wreckage("hull-b-1") == {"hull-b-1": "4,0"}


def test_hx_dmg_02_laid_tokens_block_for_the_rest_of_the_game(at: Start) -> None:
    """Ships and beams alike; like the first four."""
    table = shot(at).say("hull-b-1", "2,0")
    for seat in "ABCD":
        table.say(f"declare/{seat}")
    table.say("move/B", "stay").say("move/C", "stay").say("move/D", "stay")
    assert "2,0 E" not in table.names("move/A")


def test_hx_dmg_03_without_a_hull_point_a_ship_is_debris_on_its_space(at: Start) -> None:
    """The token is turned over; the hand is discarded; no card is laid any more."""
    table = shot(at, {"hull": 1, "aside": 1}).say("hull-b-2", "2,0")
    ship = table.ship("B")
    assert (ship.lives, table.debris("B"), table.place("B")) == (False, "1,0", "")
    assert (table.cards("B"), table.cards("B", "card")) == (0, 0)
    placement = table.position.placement()
    assert ("ship-b" in placement, str(placement["ship-b-debris"])) == (False, "1,0")
    (ruling,) = table.cited("HX-DMG-03")
    assert ruling.deeds == (
        Flip("Ship B", "debris"),
        Move(SHIP, Pose("1,0", 5), None),
        Move(DEBRIS, None, Pose("1,0")),
        Carry(B, 3, "hand", "discard"),
        Carry(B, 1, "card", "discard"),
    )
    assert ship.fell == 1
    assert table.texts("has no effect") == []  # its card was carried out, or is no attack
    table.say("debris/B", "stay")
    assert table.asked == [f"turn-4/declare/{seat}" for seat in "CDA"]


def test_ruling_18_unoccupied_is_without_ship_debris_or_wreckage(at: Start, dead: Any) -> None:
    """None of the three shares its space with a token that is laid."""
    table = shot(at, D={**dead("2,0"), "card": None, "stopped": None},
                 C={"place": "1,1 W"}, wreckage={"wreck-1": "2,-1"})  # fmt: skip
    assert table.names("hull-b-1") == ["0,1", "1,-1"]


def test_ruling_19_the_last_hull_point_is_laid_before_the_ship_is_debris(at: Start) -> None:
    """Two tokens lie there of a destroyed ship."""
    table = shot(at, {"hull": 1}, wreckage={"hull-b-1": "2,0"})
    table.say("hull-b-2", "1,1")
    assert table.wreckage() == {"hull-b-1": "2,0", "hull-b-2": "1,1"}
    assert not table.ship("B").lives
    assert table.cited("RULING 19")


SHUT_IN = {"A": {"place": "4,-1 E"}, "C": {"place": "5,-2 W"}, "D": {"place": "4,0 W"}}


def test_ruling_20_with_no_free_space_the_token_is_set_aside(at: Start) -> None:
    """Or, by house rule, laid on the nearest free space."""
    lines = {**SHUT_IN, "wreckage": {"wreck-3": "5,0"}}
    table = shot(at, {"place": "5,-1 W"}, **lines)
    assert (table.ship("B").hull, table.ship("B").aside, table.wreckage("hull-b-1")) == (1, 1, {})
    assert "the hull token is set aside" in table.cited("RULING 20")[0].text
    near = shot(at, {"place": "5,-1 W"}, **lines, WRECKAGE_OVERFLOW="nearest")
    assert near.names("hull-b-1") == ["3,-1", "3,0", "3,1", "4,-2", "4,1", "5,-3"]
    near.say("hull-b-1", "3,0")
    assert near.wreckage("hull-b-1") == {"hull-b-1": "3,0"}
    assert near.texts("(House rule: wreckage_overflow nearest.)")


def test_ruling_21_card_and_hand_of_a_dead_ship_are_discarded(at: Start) -> None:
    """Declared or captured; what would have anchored it is over."""
    table = shot(at, {"hull": 1, "aside": 1, "card": "long", "stopped": False, "anchored": True})
    table.say("hull-b-2", "2,0")
    assert table.position.deck.discarded == 3 + 1
    assert not table.ship("B").anchored


def test_the_arbiter_may_correct_while_a_token_waits_to_be_laid(at: Start) -> None:
    """Hull points, tokens to lay, laid and aside stay two in all."""
    table = shot(at)
    table.adjust(B_owes=0, B_hull=2)
    assert table.ship("B").hull == 2
    table.say("hull-b-1", "2,0")
    assert table.wreckage("hull-b-1") == {}
