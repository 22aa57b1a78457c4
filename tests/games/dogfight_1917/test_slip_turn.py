"""Slip-turn, the Fokker's Special Action of type Tactic.  (DF-17.1.S2)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

MakeTable = Callable[..., Any]


def slip(table_at: MakeTable, rolled: list[int], **changes: Any) -> Any:
    """Fokker A pays for a Slip-turn and rolls."""
    lines: dict[str, dict[str, Any]] = {
        "A": {"fighter": "fokker", "pilot": "richthofen", "tokens": 2, "place": "0,0 N"},
        "B": {"fighter": "camel", "pilot": "maclaren", "place": "-3,0 N"},
    }
    for seat, line in lines.items():
        line.update(changes.pop(seat, {}))
    return table_at("engagement", **lines, **changes).act("Slip-turn").say("slip-turn", rolled)


def test_df_17_1_s2_three_turns_then_one_space_if_wanted(table_at: MakeTable) -> None:
    """On 3 or more: the Turns are compulsory, the step is not; no Maneuver was made."""
    table = slip(table_at, [3])
    assert table.names("slip/A") == ["0,0 NW", "0,0 NE", "0,0 S"]
    assert table.question("slip/A").lapse is None
    table.say("slip/A", "0,0 S")
    assert table.names("slip-advance") == ["0,0 S", "1,0 SE", "0,1 S", "-1,1 SW"]
    assert table.question("slip-advance").lapse == "0,0 S"
    table.say("slip-advance", "1,0 SE")
    assert (table.place("A"), table.position.maneuvered) == ("1,0 SE", False)


def test_df_17_1_s2_one_or_two_does_nothing_and_costs_all_the_same(table_at: MakeTable) -> None:
    """Tokens are never refunded."""
    table = slip(table_at, [2])
    assert table.asked == ["turn-7/2/action"]
    assert (table.place("A"), table.player("A").tokens) == ("0,0 N", 0)
    assert "Player A's Slip-turn fails" in table.last.text


def test_df_17_1_s2_ruling_5_never_no_turn_nor_two(table_at: MakeTable) -> None:
    """Three Turns net 60 degrees or 180: staying, or 120, is refused."""
    table = slip(table_at, [6])
    for wanted in ("0,0 N", "0,0 SE", "0,0 SW"):
        refusal = table.refused("slip/A", wanted)
        assert refusal.code == "DF-E06"
        assert 5 in refusal.cite.rulings


def test_opt_4_three_turns_the_same_way_turn_about(table_at: MakeTable) -> None:
    """By house rule all Turns of one effect go the same way round: 180 degrees, and hands are told.

    With no choice left nobody is asked for it.
    """
    table = slip(table_at, [6], options={"multi_turn_same_direction": True})
    assert (table.place("A"), table.asked) == ("0,0 S", ["turn-7/1/slip-advance"])
    turned = table.said("turns to 0,0 S")
    assert not turned.quiet, "hands have it still to do"
    assert turned.deeds


def test_df_17_1_s2_the_step_collects(table_at: MakeTable) -> None:
    """A movement that ends on a Tactical Position pays; staying on one does not.  (RULING 8)"""
    table = slip(table_at, [3], A={"place": "0,2 N"}).say("slip/A", "0,2 S")
    assert table.say("slip-advance", "0,3 S").player("A").tokens == 1
    table = slip(table_at, [3], A={"place": "0,3 N"}).say("slip/A", "0,3 S")
    assert table.say("slip-advance", "0,3 S").player("A").tokens == 0


def test_df_17_1_s2_without_tokens(table_at: MakeTable) -> None:
    """One token short."""
    table = table_at("engagement", active="B", B={"tokens": 1})
    refusal = table.refused("action", "Slip-turn")
    assert refusal.code == "DF-E15"
    assert "Slip-turn costs 2 tokens; you have 1." in str(refusal)
