"""How ships move: four steps, three arrows, and why not else.  (HX-MOV, RULING 9, RULING 10)"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.dogfight_hex.cards import assumed_figures
from companion.games.dogfight_hex.moves import one_step, ways
from companion.kit.hexes import STEPS, Heading, Hex

Start = Callable[..., Any]
BOARD = assumed_figures().board


def test_hx_mat_02_three_arrows_and_two_sides(at: Start) -> None:
    """A ship enters the space ahead or one of its two neighbours; its other side is debris."""
    table = at(A={"place": "0,0 E"})
    assert {"1,0 E", "1,-1 E", "0,1 E"} <= set(table.names())
    steps = {end.hex for end in one_step(BOARD, Heading(Hex(0, 0), 2), ())} - {Hex(0, 0)}
    assert steps == {Hex(1, 0), Hex(1, -1), Hex(0, 1)}
    plan = table.match.rulebook.plan
    assert plan.token_of["ship-a"].marker != plan.token_of["ship-a-debris"].marker


def test_hx_mov_01_living_ships_move_one_after_another_in_turn_order(at: Start, dead: Any) -> None:
    """From the starting player clockwise, past those who are destroyed."""
    table = at(first="C", D=dead("1,1"))
    asked = []
    while any("/move/" in key for key in table.asked):
        asked.append(table.asked[0])
        table.say("", "stay")
    assert asked == [f"turn-3/move/{seat}" for seat in "CAB"]


def test_hx_mov_02_up_to_four_steps_and_fewer_down_to_none(at: Start) -> None:
    """On an empty map 194 poses are reached; staying is what silence means."""
    counts = [len(ways(BOARD, Heading(Hex(0, 0), 2), (), most=n)) for n in range(5)]
    spaces = [
        len({end.hex for end in ways(BOARD, Heading(Hex(0, 0), 2), (), most=n)}) for n in range(5)
    ]
    assert (counts, spaces) == ([1, 9, 38, 98, 194], [1, 4, 12, 26, 46])
    table = at(A={"place": "0,0 E"}, C={"place": "-5,1 E"})
    assert len(table.names()) == 194
    assert table.question().lapse == "stay"
    table.say("move/A", "4,0 E")
    assert table.texts("4,0 E in 4 steps: ahead, ahead, ahead, ahead.")


def test_hx_mov_03_each_space_entered_lies_along_an_arrow(at: Start) -> None:
    """Straight back takes a turn and a step; told without the turn it is refused."""
    table = at(A={"place": "0,0 E"})
    refusal = table.refused("move/A", "back")
    assert refusal.code == "HX-E-FORWARD"
    assert "ahead 1,0, left 1,-1, right 0,1" in refusal.text
    assert table.refused("move/A", "-1,0 0,0 -1,0").code == "HX-E-FORWARD"
    table.say("move/A", "W ahead")
    assert table.place("A") == "-1,0 W"


def test_hx_mov_04_any_turn_on_the_spot_is_one_step(at: Start) -> None:
    """Whatever the angle."""
    table = at(A={"place": "0,0 E"})
    table.say("move/A", "0,0 W")
    assert table.texts("0,0 W in 1 step: turn W.")


@pytest.mark.parametrize(
    ("seat", "lines", "what"),
    [
        ("B", {"place": "2,0 W"}, "Ship B"),
        ("D", "debris", "Debris D"),
        ("A", {"hull": 1}, "Wreckage"),
    ],
)
def test_hx_mov_05_ships_wreckage_and_debris_are_not_entered(
    at: Start, dead: Any, seat: str, lines: Any, what: str
) -> None:
    """Neither as the end of a movement nor on the way."""
    changes: dict[str, Any] = {"A": {"place": "0,0 E"}}
    if lines == "debris":
        changes[seat] = dead("2,0")
    elif seat == "A":
        changes |= {"A": {"place": "0,0 E", **lines}, "wreckage": {"hull-a-1": "2,0"}}
    else:
        changes[seat] = lines
    table = at(**changes)
    assert "2,0 E" not in table.names()
    refusal = table.refused("move/A", "2,0 E")
    assert refusal.code == "HX-E-BLOCKED"
    assert refusal.text.startswith(f"{what} is on 2,0")
    assert table.refused("move/A", "ahead ahead ahead").code == "HX-E-BLOCKED"
    table.say("move/A", "3,0 E")
    assert table.texts("3,0 E in 4 steps")


def test_hx_mov_06_steps_and_turns_in_any_order(at: Start) -> None:
    """Turn, step, turn, step: four in all; as the steps were told or as the end was seen."""
    for said in ("SE ahead W ahead", "-1,1 W"):
        table = at(A={"place": "0,0 E"})
        table.say("move/A", said)
        assert table.place("A") == "-1,1 W"


def test_hx_mov_07_under_the_anchor_a_ship_only_turns(at: Start) -> None:
    """Six headings on its own space are left; entering another is refused."""
    table = at(A={"place": "0,0 E", "anchored": True})
    assert table.names() == ["stay", *(f"0,0 {name}" for name in ("SE", "SW", "W", "NW", "NE"))]
    for said in ("1,0 E", "ahead", "SE ahead"):
        assert table.refused("move/A", said).code == "HX-E-ANCHOR"
    table.say("move/A", "0,0 W")
    assert table.place("A") == "0,0 W"
    assert not table.ship("A").anchored


def test_ruling_09_stepping_aside_does_not_turn_the_ship(at: Start) -> None:
    """The heading stays, whichever arrow was followed."""
    table = at(A={"place": "0,0 E"})
    table.say("move/A", "left right")
    assert table.place("A") == "1,0 E"


def test_ruling_10_no_ship_leaves_the_map(at: Start) -> None:
    """A step off it is illegal; a ship with no step left may turn or stay."""
    table = at(A={"place": "0,5 SE"})
    for said in ("ahead", "0,6 SE"):
        refusal = table.refused("move/A", said)
        assert (refusal.code, str(refusal.cite)) == ("HX-E-OFFMAP", "RULING 10")
    assert all(name == "stay" or Hex.read(name.split()[0]) in BOARD for name in table.names())


def test_more_than_four_steps_are_refused_with_their_number(at: Start) -> None:
    """Told steps by how many are too many; a seen pose by the fewest that lead there."""
    table = at(A={"place": "0,0 E"})
    refusal = table.refused("move/A", "ahead ahead ahead ahead SE")
    assert (refusal.code, "5 steps" in refusal.text) == ("HX-E-STEPS", True)
    refusal = table.refused("move/A", "-3,0 E")
    assert refusal.code == "HX-E-UNREACHABLE"
    assert "-3,0 E takes 5 steps from 0,0 E; a ship has 4." in refusal.text
    assert "Legal nearby: -3,0 NW; -3,0 SW" in refusal.text


def test_a_pose_behind_an_obstacle_says_so(at: Start) -> None:
    """The way around costs more than the straight one would."""
    table = at(A={"place": "0,0 E"}, B={"place": "1,0 W"}, C={"place": "1,-1 W"},
               D={"place": "0,1 W"})  # fmt: skip
    refusal = table.refused("move/A", "3,0 E")
    assert refusal.code == "HX-E-UNREACHABLE"
    assert "around what stands there" in refusal.text


def test_a_pose_with_no_way_to_it_says_that(at: Start) -> None:
    """A ship shut in on all sides reaches nothing beyond."""
    table = at(players=6, A={"place": "5,-1 E"}, B={"place": "5,-2 E"}, C={"place": "4,-1 E"},
               D={"place": "4,0 E"}, E={"place": "0,0 E"}, F={"place": "-4,0 E"})  # fmt: skip
    refusal = table.refused("move/A", "3,0 E")
    assert refusal.code == "HX-E-UNREACHABLE"
    assert "No way leads" in refusal.text


def test_steps_are_understood_as_rulings_print_them(at: Start) -> None:
    """With commas and with "turn" before a heading; a ruling's own words lead there again."""
    for said in ("turn SE, right, turn W, left", "SE,right,W,left", "Turn se right turn w left"):
        table = at(A={"place": "0,0 E"})
        table.say("move/A", said)
        assert table.place("A") == "-2,2 W", said
    table = at(A={"place": "0,0 E"})
    table.say("move/A", "1,0, right")
    told = table.last.text if "steps: " in table.last.text else table.texts("2 steps: ")[0].text
    again = at(A={"place": "0,0 E"})
    again.say("move/A", told.partition("steps: ")[2].rstrip("."))
    assert (table.place("A"), again.place("A")) == ("1,1 E", "1,1 E")


def test_a_step_with_two_meanings_is_asked_back(at: Start) -> None:
    """One step along the arrow ahead to the right, or two steps."""
    table = at(A={"place": "0,0 E"})
    refusal = table.refused("move/A", "ahead-right")
    assert (refusal.code, refusal.text) == (
        "HX-E-READ",
        "ahead-right may be one step or two: say right for the arrow, or ahead, right.",
    )
    assert table.refused("move/A", "turn left-handed").code == "HX-E-READ"
    table.say("move/A", "ahead, right")
    assert table.place("A") == "1,1 E"


def test_a_space_beside_the_ship_with_wreckage_is_refused_for_the_wreckage(at: Start) -> None:
    """Wherever it lies: before, behind or farther off; the ship's own first space is free."""
    lying = {"A": {"place": "0,0 E", "hull": 1}, "wreckage": {"hull-a-1": "-1,0"}}
    table = at(**lying)
    for said in ("-1,0", "ahead, -1,0"):
        refusal = table.refused("move/A", said)
        assert refusal.code == "HX-E-BLOCKED", said
        assert refusal.text == "Wreckage is on -1,0: no ship may enter. Go around it."
    assert table.refused("move/A", "ahead, 0,0").code == "HX-E-FORWARD"


def test_nothing_readable_is_told_how_a_movement_is_told(at: Start) -> None:
    """The pose, or the steps."""
    refusal = at(A={"place": "0,0 E"}).refused("move/A", "fly home")
    assert refusal.code == "HX-E-READ"
    assert "ahead, left, right" in refusal.text


@given(
    start=st.sampled_from(sorted(BOARD.spaces)),
    facing=st.integers(0, 5),
    blocked=st.sets(st.sampled_from(sorted(BOARD.spaces)), max_size=20),
)
def test_every_way_told_is_a_legal_walk_of_as_many_steps(
    start: Hex, facing: int, blocked: set[Hex]
) -> None:
    """Each pose on it is one step from the one before, free and on the map; none is shorter."""
    ship = Heading(start, facing)
    for end, way in ways(BOARD, ship, blocked - {start}).items():
        assert (way.poses[0], way.poses[-1], len(way.poses)) == (ship, end, way.steps + 1)
        for here, there in itertools.pairwise(way.poses):
            assert there in set(one_step(BOARD, here, blocked - {start}))
        turns = end.facing != facing
        assert way.steps >= start.distance(end.hex) + turns or end == ship


def test_the_facings_run_clockwise_from_north_west() -> None:
    """The house convention: facing 0 is the step 0,-1, which here points up to the left."""
    assert assumed_figures().facings == ("NW", "NE", "E", "SE", "SW", "W")
    assert STEPS[2] == (1, 0)
