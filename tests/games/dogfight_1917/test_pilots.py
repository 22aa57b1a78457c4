"""The pilots, on both sides of their cards.  (DF-18)"""

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


# -- DF-18.3 Erich Loewenhardt --------------------------------------------------------------------


def attacked(flown: MakeTable, pilot: str, hand: int = 5, **changes: Any) -> Any:
    """Mentor A has shot at B, who has this pilot and so many cards."""
    line = {"hand": hand, "box": 5 - hand, **changes.pop("B", {})}
    return shooting(flown("mentor", pilot, B=line, **changes), ("fire", [6, 1, 1]))


@pytest.mark.parametrize(("die", "earned"), [(2, 0), (3, 1), (6, 1)])
def test_df_18_3_a_heart_of_iron_for_not_evading(flown: MakeTable, die: int, earned: int) -> None:
    """He passes: one die, compulsory; from 3 on a token."""
    table = attacked(flown, "loewenhardt").say("evade", "pass")
    roll = table.question("heart-of-iron")
    assert (roll.by, roll.dice, roll.passes, roll.lapse) == ("B", 1, 3, None)
    assert table.say("heart-of-iron", [die]).player("B").tokens == earned
    assert str(table.said("Heart of Iron").cite) == "DF-18.3.A, RULING 26"


def test_df_18_3_a_before_the_damage(flown: MakeTable) -> None:
    """The roll belongs to the passing, at the end of Fire.  (DF-25)"""
    table = attacked(flown, "loewenhardt").say("evade", "pass")
    assert table.piles("B")["damage"] == 2


def test_df_18_3_a_not_if_he_evades(flown: MakeTable) -> None:
    """Nor on side B."""
    table = attacked(flown, "loewenhardt").say("evade", "Evasive Climb").say("evasion", [1, 1])
    assert table.asked == ["turn-7/1/momentum/A"]
    assert attacked(flown, "loewenhardt B").say("evade", "pass").asked == ["turn-7/1/momentum/A"]


def test_df_18_3_a_holds_for_special_attacks_too(flown: MakeTable) -> None:
    """Any attack on him, also one that missed."""
    table = flown("mentor", "loewenhardt", A={"tokens": 2}).act("Spandau Machine Guns")
    assert table.say("fire", [1, 1, 1]).asked == ["turn-7/1/heart-of-iron"]


def test_ruling_26_nothing_to_evade_with_is_not_evading(flown: MakeTable) -> None:
    """With an empty Hand he is not asked, and rolls."""
    assert attacked(flown, "loewenhardt", 0).asked == ["turn-7/1/heart-of-iron"]


def test_opt_8_heart_of_iron_needs_means(flown: MakeTable) -> None:
    """By house rule who could not evade earns nothing: he says so himself, or his Hand is empty."""
    options = {"heart_of_iron_needs_means": True}
    assert attacked(flown, "loewenhardt", 0, options=options).asked == ["turn-7/1/momentum/A"]
    table = attacked(flown, "loewenhardt", options=options)
    assert table.names("evade")[:2] == ["pass", "pass without means"]
    assert table.say("evade", "pass without means").asked == ["turn-7/1/momentum/A"]
    table = attacked(flown, "loewenhardt", options=options)
    assert table.say("evade", "pass").asked == ["turn-7/1/heart-of-iron"]


def test_opt_8_he_says_so_too_where_the_gunsight_is_empty(flown: MakeTable) -> None:
    """An attack that missed is one that he does not evade: asked for nothing, he rolled nothing."""
    options = {"heart_of_iron_needs_means": True}
    table = flown("mentor", "loewenhardt", B={"hand": 5, "box": 0}, options=options)
    table.act("Basic Attack").say("fire", [1, 1, 1])
    assert table.names("evade") == ["pass", "pass without means"]
    assert table.say("evade", "pass").asked == ["turn-7/1/heart-of-iron"]


def test_opt_8_off_there_is_no_such_answer(flown: MakeTable) -> None:
    """Nobody is made to speak of his Hand."""
    table = attacked(flown, "loewenhardt")
    assert "pass without means" not in table.names("evade")
    assert table.refused("evade", "pass without means").code == "Q-NAME"


@pytest.mark.parametrize("enemy", ["1,-1 N", "2,-1 S", "2,0 N", "1,1 N", "0,1 N", "0,0 S"])
def test_df_18_3_a_may_turn_beside_an_enemy(flown: MakeTable, enemy: str) -> None:
    """Exactly 1 space away, in any direction: optional, once."""
    table = flown("loewenhardt", A={"place": "1,2 N"}, B={"place": enemy})
    table.act("High-speed Maneuver").say("fly", "1,0 N")
    while "turn-7/1/pilot/A" not in table.asked:
        table.say(table.asked[0], [1])
    assert table.names("pilot/A") == ["stay", "1,0 NW", "1,0 NE"]


@pytest.mark.parametrize("enemy", ["0,-1 N", "0,2 N", "3,-1 N", "1,-2 N"])
def test_df_18_3_a_not_two_spaces_away(flown: MakeTable, enemy: str) -> None:
    """Nor farther."""
    table = flown("loewenhardt", B={"place": enemy}).act("Turning Maneuver").say("fly", "1,0 NE")
    assert table.asked == ["turn-7/2/action"]


def test_df_18_3_a_ruling_43_distance_is_measured_after_the_maneuver(flown: MakeTable) -> None:
    """Beside the enemy before it, away from it after it: no Turn."""
    near = flown("loewenhardt", B={"place": "1,1 N"}).act("Turning Maneuver")
    assert near.say("fly", "-1,1 NW").asked == ["turn-7/2/action"]
    here = flown("loewenhardt", B={"place": "0,-1 S"}).act("Turning Maneuver").say("fly", "0,0 N")
    assert here.names("pilot/A") == ["stay", "0,0 NW", "0,0 NE"]
    assert 43 in here.question("pilot/A").cite.rulings


def test_df_18_3_s_smiling_beast_only_flips(flown: MakeTable) -> None:
    """Heart of Iron is gone with side A."""
    table = flown("loewenhardt").act("Smiling Beast")
    assert (table.player("A").pilot_side, table.asked) == ("B", ["turn-7/2/action"])
    table.act("Turning Maneuver").say("fly", "0,0 N")
    assert table.asked == ["turn-7/3/action"]


@pytest.mark.parametrize(
    ("fighter", "action", "tokens", "dice", "difficulty"),
    [("fokker", "Spandau Machine Guns", 2, 5, 2), ("camel", "Vickers Machine Guns", 3, 4, 3),
     ("camel", "Lewis Guns", 2, 5, 4), ("albatros", "Spandau Machine Guns", 2, 4, 2),
     ("albatros", "Second Guns", 2, 3, 2), ("spad", "Vickers Machine Guns", 3, 4, 3)],
)  # fmt: skip
def test_df_18_3_b_difficulty_one_lower_and_a_die_more(
    table_at: MakeTable, fighter: str, action: str, tokens: int, dice: int, difficulty: int
) -> None:
    """All Special Attacks, whichever Fighter he was drafted with."""
    enemy = "camel" if fighter != "camel" else "fokker"
    table = table_at(
        "engagement",
        A={"fighter": fighter, "pilot": "loewenhardt", "side": "B", "tokens": tokens},
        B={"fighter": enemy, "pilot": "mentor", "hand": 0, "box": 5},
    ).act(action)  # fmt: skip
    roll = table.question("fire")
    assert (roll.dice, roll.passes) == (dice, difficulty)
    assert "DF-18.3.B" in roll.cite.rules
    assert 25 in roll.cite.rulings
    assert f"{dice - 1} for {action}, 1 for Smiling Beast" in roll.prompt


def test_df_18_3_b_not_on_basic_attacks_nor_evasion_cards(table_at: MakeTable) -> None:
    """Only Fighter Special Actions are named."""
    table = table_at(
        "engagement", A={"fighter": "albatros", "pilot": "loewenhardt", "side": "B"},
        B={"fighter": "camel", "pilot": "mentor"},
    ).act("Basic Attack")  # fmt: skip
    assert (table.question("fire").dice, table.question("fire").passes) == (2, 5)


def diving(table_at: MakeTable, **options: Any) -> Any:
    """A SPAD flown by the Smiling Beast is shot at and dives."""
    table = table_at(
        "engagement", A={"fighter": "albatros", "pilot": "mentor"},
        B={"fighter": "spad", "pilot": "loewenhardt", "side": "B", "tokens": 2}, options=options,
    )  # fmt: skip
    return shooting(table, ("fire", [6, 6, 6])).say("evade", "Steep Dive")


def test_ruling_25_steep_dive_against_difficulty_one(table_at: MakeTable) -> None:
    """Two dice against 1, never below it; the 5 for Dead Six is no Difficulty and stays."""
    table = diving(table_at)
    assert (table.question("evasion").dice, table.question("evasion").passes) == (2, 1)
    table.say("evasion", [1, 4])
    assert table.piles("B")["damage"] == 3
    assert table.say("momentum/A", "0,0 N").asked == ["turn-7/2/action"]


def test_opt_19_smiling_beast_thresholds_on_the_steep_dive(table_at: MakeTable) -> None:
    """By house rule a 4 is enough for Dead Six."""
    table = diving(table_at, smiling_beast_thresholds=True).say("evasion", [1, 4])
    assert table.say("momentum/A", "0,0 N").asked == ["turn-7/1/dead six/B"]


def test_ruling_25_slip_turn_with_two_dice(table_at: MakeTable) -> None:
    """One fitting die of two is enough; the 3 stays, but for the house rule."""

    def slip(rolled: list[int], **options: Any) -> Any:
        line = {"fighter": "fokker", "pilot": "loewenhardt", "side": "B", "tokens": 2}
        enemy = {"fighter": "camel", "pilot": "mentor"}
        table = table_at("engagement", A=line, B=enemy, options=options).act("Slip-turn")
        assert table.question("slip-turn").dice == 2
        return table.say("slip-turn", rolled)

    assert slip([1, 3]).asked == ["turn-7/1/slip/A"]
    assert slip([1, 2]).asked == ["turn-7/2/action"]
    by_house = slip([1, 2], smiling_beast_thresholds=True)
    assert by_house.asked == ["turn-7/1/slip/A"]


def test_opt_19_smiling_beast_thresholds_on_the_second_attack(flown: MakeTable) -> None:
    """Its 3 for Dead Six becomes a 2 by house rule, which the ruling names."""
    line = {"tokens": 2}
    table = flown("loewenhardt B", A=line).act("Second Guns").say("fire", [2, 1, 1])
    assert table.asked == ["turn-7/2/action"]
    options = {"smiling_beast_thresholds": True}
    table = flown("loewenhardt B", A=line, options=options).act("Second Guns")
    table.say("fire", [2, 1, 1])
    assert table.asked == ["turn-7/1/dead six/A"]
    assert "(House rule: smiling_beast_thresholds true.)" in table.said("on the Gunsight").text


# -- DF-18.4 René Fonck ---------------------------------------------------------------------------


@pytest.mark.parametrize(("die", "dice"), [(4, 2), (5, 4), (6, 4)])
def test_df_18_4_a_before_each_basic_attack_he_rolls(flown: MakeTable, die: int, dice: int) -> None:
    """Compulsory; from 5 on two dice more, four in all."""
    table = flown("fonck").act("Basic Attack")
    assert table.asked == ["turn-7/1/sharpshooter"]
    roll = table.question("sharpshooter")
    assert (roll.dice, roll.passes, roll.lapse) == (1, 5, None)
    table.say("sharpshooter", [die])
    assert table.question("fire").dice == dice
    assert table.question("fire").passes == 5


def test_df_18_4_a_the_pre_roll_may_be_rolled_again(flown: MakeTable) -> None:
    """Focus works on any roll, that one too."""
    table = flown("fonck", A={"tokens": 1}).act("Basic Attack").say("sharpshooter", [1])
    table.say("sharpshooter/again-1", "Focus").say("again-1/dice", [5])
    assert table.question("fire").dice == 4


@pytest.mark.parametrize(
    ("place", "dice", "earned"),
    [("0,1 N", [5, 1], 1), ("0,1 N", [6, 6], 1), ("0,1 N", [4, 4], 0), ("0,0 N", [6, 6], 0)],
)
def test_df_18_4_a_a_token_for_a_die_placed_from_range_two(
    flown: MakeTable, place: str, dice: list[int], earned: int
) -> None:
    """One token however many dice; none from range 1.  (RULING 27)"""
    table = shooting(flown("fonck", A={"place": place}), ("sharpshooter", [1]), ("fire", dice))
    assert table.player("A").tokens == earned


def test_df_18_4_s_ace_of_aces_only_flips(flown: MakeTable) -> None:
    """From then on his Basic Attack is another."""
    table = flown("fonck").act("Ace of Aces")
    assert (table.player("A").pilot_side, table.asked) == ("B", ["turn-7/2/action"])
    assert "Basic Attack" not in table.names("action")


@pytest.mark.parametrize("facing", ["N", "NE", "SE", "S", "SW", "NW"])
def test_df_18_4_b_range_one_from_front_or_rear(flown: MakeTable, facing: str) -> None:
    """Two dice against 3, one damage for each, Momentum after it; no pre-roll."""
    table = flown("fonck B", A={"place": "0,0 N"}, B={"place": f"0,-1 {facing}"})
    table.act("Basic Attack")
    assert table.asked == ["turn-7/1/fire"]
    roll = table.question("fire")
    assert (roll.dice, roll.passes, str(roll.cite)) == (2, 3, "DF-18.4.B")
    table.say("fire", [3, 2])
    assert table.piles("B")["damage"] == 3
    assert (table.player("A").tokens, table.asked) == (0, ["turn-7/1/momentum/A"])


def test_df_18_4_b_not_from_range_two(flown: MakeTable) -> None:
    """The refusal names his own range and paragraph."""
    refusal = flown("fonck B").refused("action", "Basic Attack")
    assert (refusal.code, str(refusal.cite)) == ("DF-E13", "DF-18.4.B, RULING 3")
    assert "out of range, which is 1." in str(refusal)


# -- DF-18.5 Pilot Mentor -------------------------------------------------------------------------


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize(("place", "difficulty"), [("0,1 N", 5), ("0,0 N", 4)])
def test_df_18_5_one_die_more_in_all_basic_attacks(
    flown: MakeTable, side: str, place: str, difficulty: int
) -> None:
    """Marksmanship, on both sides; the Difficulty stays."""
    roll = flown(f"mentor {side}", A={"place": place}).act("Basic Attack").question("fire")
    assert (roll.dice, roll.passes) == (3, difficulty)
    assert "2 for a Basic Attack, 1 for the Pilot Mentor" in roll.prompt


def test_df_18_5_a_two_tokens_during_set_up(new_table: MakeTable) -> None:
    """Each player of a first game starts with two.  (DF-3.7)"""
    table = new_table("base", options={"first_game_deck": True})
    while table.asked != ["set-up/placed"]:
        table.say(table.asked[0], table.names()[0])
    assert [table.player(seat).tokens for seat in "AB"] == [2, 2]


def test_df_18_5_s_pioneer_advances_none_to_two_and_may_turn(flown: MakeTable) -> None:
    """Then the card is flipped; it was no Maneuver Action."""
    table = flown("mentor").act("Pioneer of the Sky")
    names = table.names("pioneer")
    assert {"0,1 N", "0,1 NE", "0,0 N", "0,0 NW", "1,-1 NE"} <= set(names)
    assert "0,-1 N" not in names
    table.say("pioneer", "1,-1 NE")
    assert (table.place("A"), table.player("A").pilot_side) == ("1,-1 NE", "B")
    assert table.position.maneuvered is False


def test_df_18_5_s_staying_collects_nothing_moving_does(flown: MakeTable) -> None:
    """Nought spaces is no movement.  (RULING 8)"""
    table = flown("mentor", A={"place": "0,3 N"}).act("Pioneer of the Sky")
    assert table.say("pioneer", "0,3 NE").player("A").tokens == 0
    table = flown("mentor", A={"place": "0,4 N"}).act("Pioneer of the Sky")
    assert table.say("pioneer", "0,3 N").player("A").tokens == 1


def test_df_18_5_s_a_pose_it_does_not_reach(flown: MakeTable) -> None:
    """Three spaces on, or onto the other Fighter."""
    table = flown("mentor").act("Pioneer of the Sky")
    assert table.refused("pioneer", "1,-2 N").code == "DF-E01"
    assert table.refused("pioneer", "0,-1 N").code == "DF-E03"
