"""Cards carried out: three shapes, targets that must be hit.  (HX-RES, HX-ATK, RULING 11 to 14)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.games.dogfight_hex.cards import assumed_figures
from companion.games.dogfight_hex.moves import front_cone, front_rays, in_front
from companion.kit.hexes import Heading, Hex, hexagon

Start = Callable[..., Any]
BOARD = assumed_figures().board

PARKED = {"A": "0,4 NW", "B": "-4,-1 W", "C": "-1,-4 NW", "D": "3,2 SE"}
"""Out of everybody's way, unless a test says otherwise."""


def resolving(at: Start, /, **lines: Any) -> Any:
    """The resolution; whoever has no attack shows an anchor shield that is used up."""
    told: dict[str, Any] = {}
    players: int = lines.pop("players", 4)
    for seat in "ABCD"[:players]:
        own = lines.pop(seat, {})
        used = {} if "card" in own else {"card": "shield anchor", "stopped": True}
        told[seat] = {"place": PARKED[seat], **used, **own}
    return at("resolution", players, **told, **lines)


def hit(table: Any) -> list[str]:
    """The seats that lost a hull point, in the order told."""
    return [ruling.by for ruling in table.cited("HX-DMG-01") if ruling.struck]


def test_hx_res_02_each_card_is_finished_before_the_next(at: Start) -> None:
    """A's victim lays its wreckage before B's card is carried out."""
    table = resolving(at, A={"place": "0,0 E", "card": "short"},
                      B={"place": "1,0 W", "card": "short"})  # fmt: skip
    assert table.asked == ["turn-3/resolve/A/wreckage/hull-b-1"]
    assert hit(table) == ["B"]
    table.say("hull-b-1", "2,0")
    assert hit(table) == ["B", "A"]


def test_hx_res_02_or_all_together_by_house_rule(at: Start) -> None:
    """Everybody aims from the positions of the reveal; nobody's card is lost through death."""
    lines = {"A": {"place": "0,0 E", "card": "short", "hull": 1, "aside": 1},
             "B": {"place": "1,0 W", "card": "short", "hull": 1, "aside": 1}}  # fmt: skip
    ordered = resolving(at, players=3, **lines)
    assert hit(ordered) == ["B"]
    together = resolving(at, players=3, **lines, RESOLUTION="simultaneous")
    assert hit(together) == ["B", "A"]
    assert together.match.outcome.winners == ("C",)
    assert together.texts("(House rule: resolution simultaneous.)")


def test_hx_res_03_a_dead_ships_card_does_nothing(at: Start) -> None:
    """B dies by A's card and does not shoot any more."""
    table = resolving(at, A={"place": "0,0 E", "card": "short"},
                      B={"place": "1,0 W", "card": "short", "hull": 1, "aside": 1})  # fmt: skip
    table.say("hull-b-2", "2,0")
    assert hit(table) == ["B"]
    assert not table.ship("B").lives
    assert table.cited("HX-RES-03")[0].text == "Player B's short-range attack has no effect."


def test_hx_res_04_a_damaged_ship_resolves_its_card(at: Start) -> None:
    """B is hit first and hits back."""
    table = resolving(at, A={"place": "0,0 E", "card": "short"},
                      B={"place": "1,0 W", "card": "short"})  # fmt: skip
    table.say("hull-b-1", "2,0")
    assert hit(table) == ["B", "A"]


def test_hx_res_05_wreckage_laid_a_moment_ago_counts(at: Start) -> None:
    """B lays it in its own line of fire, and the beam that would hit D is stopped."""
    lines = {"A": {"place": "0,0 E", "card": "short"}, "B": {"place": "1,0 E", "card": "long"},
             "D": {"place": "4,0 W"}}  # fmt: skip
    blocked = resolving(at, **lines)
    blocked.say("hull-b-1", "2,0")
    assert hit(blocked) == ["B"]
    open_line = resolving(at, **lines)
    open_line.say("hull-b-1", "1,-1")
    assert hit(open_line) == ["B", "D"]


def test_hx_atk_01_one_attack_costs_one_hull_point(at: Start) -> None:
    """Whatever the card."""
    for card, place in (("short", "1,0 W"), ("medium", "3,0 W"), ("long", "5,-5 W")):
        shooter = {"place": "0,0 NE" if card == "long" else "0,0 E", "card": card}
        wrecks = {"wreck-1": "-1,0"}
        table = resolving(at, A=shooter, B={"place": place}, wreckage=wrecks)
        assert table.ship("B").hull == 1


def test_hx_atk_02_short_range_hits_all_within_two_spaces(at: Start) -> None:
    """Behind and before, past wreckage, without choice, and never the attacker."""
    table = resolving(at, A={"place": "0,0 E", "card": "short", "hull": 1},
                      B={"place": "-2,0 W"}, C={"place": "0,2 W"}, D={"place": "3,0 W"},
                      wreckage={"hull-a-1": "-1,0"})  # fmt: skip
    assert hit(table) == ["B", "C"]
    assert (table.ship("A").hull, table.ship("D").hull) == (1, 2)


def test_hx_atk_03_medium_range_one_ship_within_four_in_front(at: Start) -> None:
    """Of the attacker's choice; nothing in between blocks it."""
    table = resolving(at, A={"place": "-1,0 E", "card": "medium", "hull": 1},
                      B={"place": "1,0 W"}, C={"place": "3,0 W"}, D={"place": "-3,0 W"},
                      wreckage={"hull-a-1": "0,0"})  # fmt: skip
    assert table.asked == ["turn-3/resolve/A/target"]
    assert table.names() == ["B", "C"]
    assert table.refused("target", "D").code == "HX-E-RANGE"
    table.say("target", "C")
    assert hit(table) == ["C"]


def test_hx_atk_03_a_single_ship_in_range_is_not_asked_for(at: Start) -> None:
    """There is nothing to choose."""
    table = resolving(at, A={"place": "0,0 E", "card": "medium"}, B={"place": "4,0 W"})
    assert hit(table) == ["B"]


def test_hx_atk_04_a_beam_runs_to_the_edge_and_hits_all_on_it(at: Start) -> None:
    """Without limit of distance; ships do not block it."""
    table = resolving(at, A={"place": "-4,0 E", "card": "long"}, B={"place": "0,0 W"},
                      C={"place": "4,0 W"}, D={"place": "-5,1 E"})  # fmt: skip
    assert hit(table) == ["B", "C"]


@pytest.mark.parametrize("what", ["wreckage", "debris"])
def test_hx_atk_05_the_first_obstacle_stops_a_beam(at: Start, dead: Any, what: str) -> None:
    """The ship before it is hit, the one behind it is not."""
    lines: dict[str, Any] = {
        "A": {"place": "-4,0 E", "card": "long"}, "B": {"place": "0,0 W"}, "C": {"place": "4,0 W"}
    }  # fmt: skip
    if what == "wreckage":
        lines["D"], lines["wreckage"] = {"hull": 1}, {"hull-d-1": "2,0"}
    else:
        lines["D"] = {**dead("2,0"), "card": None, "stopped": None}
    assert hit(resolving(at, **lines)) == ["B"]


def test_hx_atk_06_an_attack_that_can_hit_must(at: Start) -> None:
    """No waste, medium or long."""
    table = resolving(at, A={"place": "0,0 E", "card": "medium"}, B={"place": "1,0 W"},
                      C={"place": "2,0 W"})  # fmt: skip
    refusal = table.refused("target", "none")
    assert (refusal.code, refusal.cite.rules) == ("HX-E-MUST", ("HX-ATK-06",))


def test_hx_atk_07_wreckage_and_debris_are_no_targets(at: Start) -> None:
    """Named as such they are refused; so is the own ship."""
    table = resolving(at, A={"place": "0,0 E", "card": "medium"}, B={"place": "1,0 W"},
                      C={"place": "2,0 W"})  # fmt: skip
    for raw in ("wreck-1", "Wreckage 2", "Debris D", "hull-b-1", "A", "ship-a"):
        assert table.refused("target", raw).code == "HX-E-TARGET"


def test_hx_atk_08_line_and_target_are_chosen_when_the_card_is_carried_out(at: Start) -> None:
    """Not at the declaration: the question comes in the card's own place."""
    table = at("declare", A={"place": "0,0 E"}, B={"place": "1,0 W"}, C={"place": "2,0 W"})
    for seat in "ABCD":
        table.say(f"declare/{seat}")
    table.all_stay().reveal(A="medium", B="long", C="shield anchor", D="shield anchor")
    assert table.asked == ["turn-3/resolve/A/target"]


def test_hx_atk_09_an_attack_with_nobody_to_hit_has_no_effect(at: Start) -> None:
    """Nothing is asked."""
    table = resolving(at, A={"card": "short"}, B={"card": "medium"}, C={"card": "long"})
    assert [ruling.by for ruling in table.cited("HX-ATK-09")] == ["A", "B", "C"]
    assert [str(ruling.cite) for ruling in table.cited("HX-ATK-09")][1].endswith("RULING 11")
    assert hit(table) == []


# -- what the book leaves open -------------------------------------------------------------


def test_ruling_11_in_front_is_the_sector_between_the_outer_arrows(at: Start) -> None:
    """The 24 spaces that four forward steps without a turn can reach on an empty map."""
    ship, cone = Heading(Hex(0, 0), 2), front_cone()
    reached = {space for space in BOARD.spaces if in_front(ship, space, cone)}
    assert len(cone) == 24
    assert all(0 < max(q, q + r) <= 4 and q >= 0 and q + r >= 0 for q, r in reached)
    assert len(reached) == 24
    assert front_rays() < cone
    lines = {"A": {"place": "0,0 E", "card": "medium"}, "B": {"place": "2,-1 W"}}
    assert hit(resolving(at, **lines)) == ["B"]
    assert hit(resolving(at, **lines, FRONT_SHAPE="three_rays")) == []
    own = {"medium_range": {"spaces": [[1, -1], [2, -2]]}}
    assert hit(resolving(at, **lines, FRONT_SHAPE="custom", data=own)) == []
    aimed = resolving(at, **lines | {"B": {"place": "2,0 W"}}, FRONT_SHAPE="custom")
    assert hit(aimed) == ["B"]
    assert aimed.texts("reaches Player B (assumed figure). (House rule: front_shape custom.)")


@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("here", ["3,-1", "-2,4", "0,-4"])
def test_ruling_11_wherever_the_ship_stands_and_looks(here: str, facing: int) -> None:
    """As many steps along one outer arrow as along the other, up to four, and nothing else."""
    ship, cone = Heading(Hex.read(here), facing), front_cone()
    steps = [(one, other) for one in range(5) for other in range(5) if one or other]
    wanted = {ship.hex.ahead(facing - 1, one).ahead(facing + 1, other) for one, other in steps}
    around = {space for space in hexagon(12) if in_front(ship, space, cone)}
    assert around == wanted


def test_ruling_12_three_beams_along_the_three_arrows(at: Start) -> None:
    """Left, ahead, right; a fourth there is not."""
    table = resolving(at, A={"place": "0,0 E", "card": "long"}, B={"place": "2,-2 W"},
                      C={"place": "3,0 W"}, D={"place": "0,4 W"})  # fmt: skip
    assert table.names("beam") == ["left", "ahead", "right"]
    refusal = table.refused("beam", "astern")
    assert (refusal.code, refusal.cite.rulings) == ("HX-E-BEAM", (12,))
    table.say("beam", "right")
    assert hit(table) == ["D"]


def test_ruling_13_a_beam_that_hits_must_be_chosen_if_there_is_one(at: Start) -> None:
    """Any of them, not the one with most ships; one that hits nobody is refused."""
    table = resolving(at, A={"place": "0,0 E", "card": "long"}, B={"place": "2,0 W"},
                      C={"place": "3,0 W"}, D={"place": "0,4 W"})  # fmt: skip
    assert table.names("beam") == ["ahead", "right"]
    for raw in ("left", "none"):
        assert table.refused("beam", raw).code == "HX-E-MUST"
    table.say("beam", "right")
    assert hit(table) == ["D"]
    covered = resolving(at, A={"place": "0,0 E", "card": "long", "hull": 1},
                        B={"place": "2,0 W"}, wreckage={"hull-a-1": "1,0"})  # fmt: skip
    assert covered.cited("HX-ATK-09")


def test_ruling_14_all_hits_of_one_attack_are_taken_together(at: Start) -> None:
    """Wreckage of the first victim in the beam saves nobody; they lay it in turn order."""
    table = resolving(at, A={"place": "-4,0 E", "card": "long"},
                      B={"place": "3,0 W"}, C={"place": "0,0 W"})  # fmt: skip
    assert hit(table) == ["B", "C"]
    assert table.asked == ["turn-3/resolve/A/wreckage/hull-b-1"]
    table.say("hull-b-1", "2,0").say("hull-c-1", "1,0")
    assert table.wreckage() == {"hull-b-1": "2,0", "hull-c-1": "1,0"}


def test_hx_atk_while_a_hit_is_laid_out_all_see_who_fired_at_whom(at: Start) -> None:
    """A line from the attacker to each ship it hit, gone once its wreckage lies."""
    table = resolving(at, A={"place": "0,0 E", "card": "short"}, B={"place": "1,0 W"})
    (line,) = table.position.lines_of_fire()
    pieces = tuple(table.ship(seat).piece for seat in "AB")
    assert (line.attacker, line.target, line.reach) == (*pieces, "range 1")
    table.say("hull-b-1", "2,0")
    assert not table.position.lines_of_fire()
