"""Debris drifts and rams.  (HX-DEB, RULING 23 to 26)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.ruling import Move
from companion.kit.hexes import Hex

Start = Callable[..., Any]

USED = {"card": "shield anchor", "stopped": True}


def drifting(at: Start, dead: Any, space: str = "0,0", **lines: Any) -> Any:
    """D's debris is about to drift; the ships have used their cards."""
    told: dict[str, Any] = {
        "A": {"place": "0,4 NW", **USED}, "B": {"place": "0,-4 SE", **USED},
        "C": {"place": "4,-4 SW", **USED}, "D": dead(space),
    }  # fmt: skip
    for seat in [name for name in lines if name in told]:
        told[seat] = {**told[seat], **lines.pop(seat)}
    return at("debris", **told, **lines)


def test_hx_deb_01_up_to_three_steps_any_way_without_turning(at: Start, dead: Any) -> None:
    """All 37 spaces within three; a fourth is refused."""
    table = drifting(at, dead)
    assert len(table.names("debris/D")) == 37
    refusal = table.refused("debris/D", "-4,0")
    assert refusal.code == "HX-E-STEPS"
    assert refusal.text.startswith("-4,0 is 4 steps away; this debris has 3 steps left.")
    shut = drifting(at, dead, A={"place": "1,0 E"}, B={"place": "0,1 E"}, C={"place": "1,-1 E"})
    behind = shut.refused("debris/D", "3,0").text
    assert behind.startswith("3,0 takes more than 3 steps from 0,0: ships or other debris")
    assert table.refused("debris/D", "0,-9").code == "HX-E-OFFMAP"
    table.say("debris/D", "-3,0")
    assert table.debris("D") == "-3,0"
    (ruling,) = table.cited("HX-DEB-01")
    assert ruling.deeds == (Move(Piece("ship-d-debris"), Pose("0,0"), Pose("-3,0")),)
    assert [*table.position.debris(), *table.position.debris(besides="D")] == [Hex(-3, 0)]


def test_hx_deb_02_debris_drifts_after_all_cards(at: Start, dead: Any) -> None:
    """The question comes when the last card has been carried out, before anything is drawn."""
    table = at("reveal", D=dead("0,0"))
    table.reveal(A="short", B="short", C="short")
    assert table.asked == ["turn-3/debris/D"]
    assert table.cards("A") == 3


def test_hx_deb_03_debris_may_share_a_space_with_wreckage(at: Start, dead: Any) -> None:
    """And drift on over it."""
    table = drifting(at, dead, A={"hull": 1}, wreckage={"hull-a-1": "1,0"})
    assert {"1,0", "2,0"} <= set(table.names("debris/D"))
    table.say("debris/D", "1,0")
    assert table.wreckage("hull-a-1") == {"hull-a-1": "1,0"}
    assert table.debris("D") == "1,0"


def test_hx_deb_04_instead_of_entering_a_ships_space_it_damages_the_ship(
    at: Start, dead: Any
) -> None:
    """One hull point; the ship's owner lays it."""
    table = drifting(at, dead, B={"place": "1,0 W"})
    refusal = table.refused("debris/D", "1,0")
    assert (refusal.code, "ram Player B" in refusal.text) == ("HX-E-BLOCKED", True)
    table.say("debris/D", "0,0 ram B").say("hull-b-1", "2,0")
    assert (table.ship("B").hull, table.debris("D")) == (1, "0,0")
    assert table.cited("HX-DEB-04")[0].by == "D"


def test_hx_deb_05_a_shield_may_stop_it(at: Start, dead: Any) -> None:
    """As any hit."""
    table = drifting(at, dead, B={"place": "1,0 W", "stopped": False, "card": "shield no draw"})
    table.say("debris/D", "ram B")
    assert (table.ship("B").hull, table.ship("B").no_draw) == (2, True)


def test_hx_deb_06_and_ruling_26_debris_need_not_move(at: Start, dead: Any) -> None:
    """Silence means that it stays."""
    table = drifting(at, dead)
    assert table.question("debris/D").lapse == "stay"
    table.say("debris/D", "stay")
    assert table.debris("D") == "0,0"
    assert table.cited("RULING 26")


def test_ruling_23_a_ram_costs_the_step_and_the_debris_may_go_on(at: Start, dead: Any) -> None:
    """From the space it came to; into no ship again this turn."""
    table = drifting(at, dead, B={"place": "2,0 W"}, A={"place": "1,1 W"})
    table.say("debris/D", "1,0 ram B").say("hull-b-1", "3,0")
    assert table.asked == ["turn-3/debris/D/on"]
    assert (table.position.steps, table.debris("D")) == (1, "1,0")
    assert not [name for name in table.names() if "ram" in name]
    for raw in ("ram A", "1,1", "1,0 ram B"):
        assert table.refused("debris/D/on", raw).code == "HX-E-RAM2"
    assert table.refused("debris/D/on", "-1,0").code == "HX-E-STEPS"
    table.say("debris/D/on", "0,0")
    assert table.debris("D") == "0,0"


def test_ruling_23_the_last_step_may_be_the_ram(at: Start, dead: Any) -> None:
    """Then nothing more is asked; a ship farther off is out of reach."""
    table = drifting(at, dead, B={"place": "3,0 W"}, A={"place": "-4,0 W"})
    assert table.refused("debris/D", "ram A").code == "HX-E-STEPS"
    assert table.refused("debris/D", "-3,0 ram A").code == "HX-E-STEPS"
    table.say("debris/D", "2,0 ram B").say("hull-b-1", "4,0")
    assert "turn-4" in table.asked[0]


def test_ruling_23_or_by_house_rule_it_moves_in(at: Start, dead: Any) -> None:
    """It lies on the ship's space; the ship may leave; a beam there hits the ship and stops."""
    table = drifting(at, dead, B={"place": "1,0 W"}, A={"place": "-3,0 E"},
                     DEBRIS_RAM="enter")  # fmt: skip
    table.say("debris/D", "ram B").say("hull-b-1", "2,0")
    assert table.debris("D") == "1,0"
    assert table.texts("(House rule: debris_ram enter.)")
    table.say("debris/D/on", "stay")
    for seat in "BCA":
        table.say(f"declare/{seat}")
    assert "0,0 W" in table.names("move/B")
    table.all_stay().reveal(A="long", B="shield anchor", C="shield anchor")
    assert table.ship("B").anchored


def test_ruling_24_debris_never_shares_with_debris(at: Start, dead: Any) -> None:
    """Nor drifts through it."""
    table = drifting(at, dead, C={"place": None, **dead("1,0"), "card": None, "stopped": None})
    assert table.asked == ["turn-3/debris/C"]
    table.say("debris/C", "stay")
    assert "1,0" not in table.names("debris/D")
    assert table.refused("debris/D", "1,0").code == "HX-E-BLOCKED"


@pytest.mark.parametrize("what", ["C", "wreck-1", "Debris D", "hull-a-1"])
def test_ruling_23_only_living_ships_are_rammed(at: Start, dead: Any, what: str) -> None:
    """Wreckage and debris are not."""
    table = drifting(at, dead, C={"place": None, **dead("1,0"), "card": None, "stopped": None})
    table.say("debris/C", "stay")
    assert table.refused("debris/D", f"ram {what}").code == "HX-E-TARGET"


def test_ruling_25_all_debris_from_the_starting_players_seat_on(at: Start, dead: Any) -> None:
    """Also of a ship that this turn's cards destroyed, unless the house rule says no."""
    lines: dict[str, Any] = {
        "A": {"place": "0,0 E", "card": "short"},
        "B": {"place": "1,0 W", **USED, "hull": 1, "aside": 1},
        "C": {"place": "4,-4 SW", **USED}, "D": dead("-4,4"), "first": "C",
    }  # fmt: skip
    table = at("resolution", **lines).say("hull-b-2", "2,0")
    assert table.asked == ["turn-3/debris/D"]
    table.say("debris/D", "stay")
    assert table.asked == ["turn-3/debris/B"]
    late = at("resolution", **lines, DEBRIS_SAME_TURN=False).say("hull-b-2", "2,0")
    late.say("debris/D", "stay")
    assert "turn-4" in late.asked[0]
    assert late.texts("drifts from the next turn on. (House rule: debris_same_turn false.)")


def test_ruling_25_a_ship_destroyed_by_debris_drifts_from_the_next_turn_on(
    at: Start, dead: Any
) -> None:
    """The list is fixed when the debris begins."""
    table = drifting(at, dead, B={"place": "1,0 W", "hull": 1, "aside": 1})
    table.say("debris/D", "ram B").say("hull-b-2", "2,0").say("debris/D/on", "stay")
    assert not table.ship("B").lives
    assert "turn-4" in table.asked[0]


def test_a_place_that_nobody_can_read_is_refused(at: Start, dead: Any) -> None:
    """With a legal space and, where one can be made, a legal ram."""
    near = drifting(at, dead, A={"place": "0,2 W"})
    refusal = near.refused("debris/D", "over there")
    assert refusal.code == "HX-E-READ"
    space, _, ram = refusal.text.partition("Name one as ")[2].rstrip(".").partition(" or ")
    assert space in near.names("debris/D")
    near.say("debris/D", ram)
    assert near.ship("A").hull == 1 or "hull-a" in near.asked[0]
    far = drifting(at, dead).refused("debris/D", "over there").text
    assert " ram " not in far
    assert "Name one as " in far


@pytest.mark.parametrize(("place", "example"), [("1,0 W", "0,0"), ("2,0 W", "1,0")])
def test_the_ram_that_a_refusal_recommends_is_legal(
    at: Start, dead: Any, place: str, example: str
) -> None:
    """Typed as it stands it is carried out; a ship out of reach has none."""
    table = drifting(at, dead, B={"place": place})
    refusal = table.refused("debris/D", place[:-2])
    said = refusal.text.partition("rammed, as ")[2].partition(".")[0]
    assert said == f"{example} ram Player B"
    wrong = table.refused("debris/D", "-3,0 ram B").text
    assert f"Legal: {said}" in wrong
    table.say("debris/D", said).say("hull-b-1", f"{int(place[0]) + 1},0")
    assert table.ship("B").hull == 1
    far = drifting(at, dead, B={"place": "-4,0 E"})
    assert "3 steps do not suffice to ram it." in far.refused("debris/D", "-4,0").text
    assert "Name a space without a ship, or stay." in far.refused("debris/D", "ram B").text
