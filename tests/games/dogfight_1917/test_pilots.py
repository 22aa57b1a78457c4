"""Richthofen and MacLaren, on both sides of their cards.  (DF-18.1, DF-18.2)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]


@pytest.fixture
def flown(table_at: MakeTable) -> MakeTable:
    """A flies an Albatros with the pilot named, B a SPAD whose Mentor adds nothing to evasion.

    A stands two spaces behind B. `pilot` as "fonck" or "fonck B"; B holds no card.
    """

    def make(pilot: str, target: str = "mentor", **changes: Any) -> Any:
        lines = {
            "A": {"fighter": "albatros", **_pilot(pilot), **changes.pop("A", {})},
            "B": {"fighter": "spad", **_pilot(target), "hand": 0, "box": 5, **changes.pop("B", {})},
        }
        return table_at("engagement", **lines, **changes)

    return make


def _pilot(said: str) -> dict[str, str]:
    code, _, side = said.partition(" ")
    return {"pilot": code, "side": side or "A"}


def shooting(table: Any, *rolls: tuple[str, list[int]]) -> Any:
    """A Basic Attack with these rolls."""
    table.act("Basic Attack")
    for tail, dice in rolls:
        table.say(tail, dice)
    return table


# -- DF-18.1 Manfred von Richthofen ---------------------------------------------------------------


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize(("die", "turns"), [(4, False), (5, True), (6, True)])
def test_df_18_1_a_after_momentum_five_or_more_turns_twice(
    flown: MakeTable,
    side: str,
    die: int,
    turns: bool,  # noqa: FBT001
) -> None:
    """The Red Baron on both sides: the roll is compulsory, the Turns are not."""
    table = shooting(flown(f"richthofen {side}"), ("fire", [1, 1]))
    assert table.asked == ["turn-7/1/momentum/A"]
    table.say("momentum/A", "0,0 N")
    roll = table.question("red-baron")
    assert (roll.dice, roll.passes, roll.against, roll.by) == (1, 5, "5+: 2 Turns", "A")
    table.say("red-baron", [die])
    assert ("turn-7/1/red-baron-turns/A" in table.asked) is turns
    if turns:
        question = table.question("red-baron-turns/A")
        assert (table.names("red-baron-turns/A"), question.lapse) == (
            ["stay", "0,0 SW", "0,0 SE"], "stay",
        )  # fmt: skip
    else:
        assert table.last.text == f"Player A rolled {die} for the Red Baron: no Turns."


def test_df_18_1_a_ruling_5_both_turns_or_none(flown: MakeTable) -> None:
    """A net Turn of one is refused; the pose as it is stays, by either name."""
    table = shooting(flown("richthofen"), ("fire", [1, 1]))
    table.say("momentum/A", "0,0 N").say("red-baron", [5])
    refusal = table.refused("red-baron-turns/A", "0,0 NE")
    assert (refusal.code, str(refusal.cite)) == ("DF-E06", "DF-18.1.A, DF-9.5, RULING 5")
    assert table.refused("red-baron-turns/A", "0,-2 N").code == "DF-E01"
    assert table.say("red-baron-turns/A", "0,0 N").place("A") == "0,0 N"


def test_df_18_1_a_turns_may_open_the_next_attack(flown: MakeTable) -> None:
    """After Momentum to the side the Turns bring the target back onto the line."""
    table = shooting(flown("richthofen", B={"place": "0,0 N"}), ("fire", [1, 1]))
    table.say("momentum/A", "-1,1 NW").say("red-baron", [6]).say("red-baron-turns/A", "-1,1 NE")
    assert table.place("A") == "-1,1 NE"
    assert "Basic Attack" in table.names("action")


def test_df_18_1_a_without_momentum_the_step_still_counts(table_at: MakeTable) -> None:
    """No free Front space: no Momentum, but the roll.  (RULING 10)"""
    table = table_at(
        "engagement", "battle-royale", players="ABCD",
        A={"fighter": "fokker", "pilot": "richthofen", "place": "4,-4 S"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "4,-3 S", "hand": 0, "box": 5},
        C={"place": "3,-3 S"},
    ).act("Basic Attack camel")  # fmt: skip
    assert table.say("fire", [1, 1]).asked == ["turn-7/1/red-baron"]


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize(
    ("card", "dice", "earned"),
    [("Evasive Climb", [4, 4], 1), ("Evasive Climb", [4, 3], 0), ("Evasive Climb", [6, 6], 1),
     ("Evasive Dive", [3], 1), ("Evasive Dive", [2], 0)],
)  # fmt: skip
def test_df_18_1_a_a_token_if_every_die_of_the_evasion_succeeds(
    table_at: MakeTable, side: str, card: str, dice: list[int], earned: int
) -> None:
    """On both sides; whatever lies on the Gunsight."""
    table = table_at(
        "engagement", A={"fighter": "albatros", "pilot": "loewenhardt"},
        B={"fighter": "camel", "pilot": "richthofen", "side": side},
    )  # fmt: skip
    shooting(table, ("fire", [5, 1])).say("evade", card).say("evasion", dice)
    assert table.player("B").tokens == earned


def test_df_18_1_a_after_rerolls_and_before_the_cards_own_results(table_at: MakeTable) -> None:
    """Final values count; the Red Baron's token is told before the Albatros card's.  (DF-25)"""
    table = table_at(
        "engagement", A={"fighter": "spad", "pilot": "maclaren", "side": "B"},
        B={"fighter": "albatros", "pilot": "richthofen", "tokens": 1},
    )  # fmt: skip
    shooting(table, ("fire", [1, 6])).say("fire/again-1", "keep").say("evade", "Evasive Climb")
    table.say("evasion", [6, 2]).say("again-1", "2").say("dice", [3])
    assert table.player("B").tokens == 2
    earned = [r.cite.rules[0] for r in table.rulings if "takes 1 token" in r.text]
    assert earned == ["DF-18.1.A", "DF-17.3.E1"]


# The Flying Circus


def circus(table_at: MakeTable, target: str, **changes: Any) -> Any:
    """Richthofen on 0,0 looking north; the target where it is said."""
    return table_at(
        "engagement", A={"fighter": "fokker", "pilot": "richthofen", "place": "0,0 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": target}, **changes,
    )  # fmt: skip


@pytest.mark.parametrize("space", ["0,-1", "1,-1", "1,0", "0,1", "-1,1", "-1,0"])
def test_df_18_1_s_flying_circus_from_exactly_one_space_away(
    table_at: MakeTable, space: str
) -> None:
    """In any direction; the own heading means nothing."""
    assert "The Flying Circus" in circus(table_at, f"{space} S").names("action")


@pytest.mark.parametrize("space", ["0,-2", "2,-1", "1,1", "0,3"])
def test_df_18_1_s_not_from_farther_away(table_at: MakeTable, space: str) -> None:
    """The refusal says what it needs."""
    table = circus(table_at, f"{space} S")
    refusal = table.refused("action", "The Flying Circus")
    assert (refusal.code, str(refusal.cite)) == ("DF-E13", "DF-18.1.S, RULING 9")
    assert "1 space away" in str(refusal)


def test_df_18_1_s_dead_six_then_the_flip(table_at: MakeTable) -> None:
    """In the order of print: the Fighter stands behind the target, then side B lies up."""
    table = circus(table_at, "0,-1 S").act("The Flying Circus")
    assert table.player("A").pilot_side == "A"
    assert (table.last.text, str(table.last.cite)) == (
        "Player A uses The Flying Circus.",
        "DF-18.1.S",
    )
    assert table.names("dead six/A") == ["-1,-1 SE", "0,-2 S", "1,-2 SW"]
    table.say("dead six/A", "0,-2 S")
    assert (table.place("A"), table.player("A").pilot_side) == ("0,-2 S", "B")
    assert table.last.headline == "A: flip the pilot"
    assert "Basic Attack" in table.names("action")


def test_df_18_1_s_ruling_9_needs_a_free_rear_space(table_at: MakeTable) -> None:
    """The target looks out of a corner: behind it is no board, so the action is not to be had."""
    table = table_at(
        "engagement", A={"fighter": "fokker", "pilot": "richthofen", "place": "3,-3 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "4,-4 SW"},
    )  # fmt: skip
    assert "The Flying Circus" not in table.names("action")
    assert table.refused("action", "The Flying Circus").code == "DF-E13"
    assert table.player("A").pilot_side == "A"


def test_df_18_1_s_the_active_player_names_the_target(table_at: MakeTable) -> None:
    """Several Fighters 1 space away: one action each.  (DF-19.3)"""
    table = table_at(
        "engagement", "battle-royale", players="ABCD",
        A={"fighter": "fokker", "pilot": "richthofen", "place": "0,0 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "0,-1 S"}, C={"place": "0,1 N"},
    )  # fmt: skip
    actions = [name for name in table.names("action") if name.startswith("The Flying")]
    assert actions == ["The Flying Circus camel", "The Flying Circus albatros"]
    table.act("The Flying Circus albatros")
    assert table.names("dead six/A") == ["1,1 NW", "0,2 N", "-1,2 NE"]


# -- DF-18.2 Donald Roderick MacLaren -------------------------------------------------------------


@pytest.mark.parametrize(("place", "difficulty"), [("0,1 N", 4), ("0,0 N", 3)])
def test_df_18_2_a_difficulty_of_basic_attacks_is_one_lower(
    flown: MakeTable, place: str, difficulty: int
) -> None:
    """Range 2: 4; range 1: 3; the ruling says whose doing it is."""
    table = flown("maclaren", A={"place": place}).act("Basic Attack")
    assert table.question("fire").passes == difficulty
    assert "DF-18.2.A" in table.question("fire").cite.rules


@pytest.mark.parametrize(("dice", "earned"), [([4, 6], 1), ([3, 6], 0), ([1, 1], 0)])
def test_df_18_2_a_a_token_if_every_die_is_placed(
    flown: MakeTable, dice: list[int], earned: int
) -> None:
    """Silent Pursuer, at the placing."""
    assert shooting(flown("maclaren"), ("fire", dice)).player("A").tokens == earned


def test_ruling_27_the_token_is_kept_if_the_dice_are_evaded(flown: MakeTable) -> None:
    """It is earned before the target is asked, and cited with the ruling."""
    table = shooting(flown("maclaren", B={"hand": 5, "box": 0}), ("fire", [6, 6]))
    assert table.asked == ["turn-7/1/evade"]
    assert table.player("A").tokens == 1
    assert str(table.said("every die was placed").cite) == "DF-18.2.A, RULING 27"
    table.say("evade", "Evasive Dive").say("evasion", [6, 6])
    assert (table.player("A").tokens, table.piles("B")["damage"]) == (1, 2)


def test_ruling_27_all_dice_means_final_values(flown: MakeTable) -> None:
    """A die rolled again with Focus counts as it lies in the end; its token pays the Focus."""
    table = shooting(flown("maclaren", A={"tokens": 1}), ("fire", [1, 6]))
    table.say("again-1", "Focus").say("dice", [4])
    assert table.player("A").tokens == 1


def test_df_18_2_s_northern_falcon_only_flips(flown: MakeTable) -> None:
    """No token, no move."""
    table = flown("maclaren").act("Northern Falcon")
    player = table.player("A")
    assert (player.pilot_side, player.tokens, table.place("A")) == ("B", 0, "0,1 N")
    assert table.asked == ["turn-7/2/action"]


def test_df_18_2_b_side_a_is_gone(flown: MakeTable) -> None:
    """Difficulty 5 again, and no token for two placed dice."""
    table = flown("maclaren B").act("Basic Attack")
    assert table.question("fire").passes == 5
    table.say("fire", [6, 6])
    assert table.player("A").tokens == 0


def test_df_18_2_b_one_free_reroll_a_roll(flown: MakeTable) -> None:
    """Of any number of dice, once; with no token nothing more is asked."""
    table = shooting(flown("maclaren B"), ("fire", [1, 1]))
    assert table.names("fire/again-1") == ["keep", "free reroll 1 1", "free reroll 1"]
    assert str(table.question("fire/again-1").cite) == "DF-10.4, DF-18.2.B"
    table.say("again-1", "free reroll").say("again-1/dice", [5, 1])
    assert table.asked == ["turn-7/1/momentum/A"]
    assert "rolled 5, 1" in table.said("on the Gunsight").text


def test_df_18_2_b_besides_focus_in_any_order(flown: MakeTable) -> None:
    """Focus first, the free reroll after it, or the other way round."""
    for first, second in (("Focus", "free reroll"), ("free reroll", "Focus")):
        table = shooting(flown("maclaren B", A={"tokens": 1}), ("fire", [1, 1]))
        assert {"keep", "free reroll 1", "Focus 1"} <= set(table.names("again-1"))
        table.say("again-1", f"{first} 1").say("again-1/dice", [6])
        assert {name.rstrip(" 16") for name in table.names("again-2")} == {"keep", second}
        table.say("again-2", "1").say("again-2/dice", [6])
        assert "2 dice on the Gunsight" in table.said("on the Gunsight").text


def test_df_18_2_b_on_every_roll_of_his(table_at: MakeTable) -> None:
    """Evasion, Conditional Effect, each with a right of its own; never on another's roll."""
    table = table_at(
        "engagement", A={"fighter": "albatros", "pilot": "loewenhardt"},
        B={"fighter": "camel", "pilot": "maclaren", "side": "B"},
    )  # fmt: skip
    shooting(table, ("fire", [5, 5]))
    assert table.asked == ["turn-7/1/evade"]
    table.say("evade", "Evasive Dive").say("evasion", [1])
    assert table.names("evasion/again-1") == ["keep", "free reroll 1"]
    table.say("evasion/again-1", "free reroll").say("again-1/dice", [6])
    assert table.asked == ["turn-7/1/momentum/A"]


def test_df_18_2_b_may_turn_after_his_maneuver(flown: MakeTable) -> None:
    """Optional, once; on side A there is no such Turn.  (DF-9.10)"""
    table = flown("maclaren B").act("Turning Maneuver").say("fly", "1,0 NE")
    assert table.names("pilot/A") == ["stay", "1,0 N", "1,0 SE"]
    assert table.say("pilot/A", "1,0 N").place("A") == "1,0 N"
    table = flown("maclaren").act("Turning Maneuver").say("fly", "1,0 NE")
    assert table.asked == ["turn-7/2/action"]
