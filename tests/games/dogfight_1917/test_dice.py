"""Dice: each by itself, as many as the rule says, rolled again by right.  (DF-10)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.dogfight_1917.game import successes

MakeTable = Callable[..., Any]
FALCON = {"pilot": "maclaren", "side": "B"}


def shot(table_at: MakeTable, **seats: Any) -> Any:
    """A shoots at B from two spaces behind: Difficulty 5, two dice, a pilot without part in it."""
    shooter = {"pilot": "loewenhardt", **seats.pop("A", {})}
    return table_at(A=shooter, **seats).act("Basic Attack")


# -- comparing (DF-10.1, DF-10.2) -----------------------------------------------------------------


def test_df_10_1_the_books_example(table_at: MakeTable) -> None:
    """At range 2 the 6 is placed and the 4 is not; without an evasion that is 1 damage."""
    table = shot(table_at).say("fire", [4, 6])
    assert table.position.gunsight == 1
    table.say("evade", "pass")
    assert table.piles("B") == {"deck": 8, "hand": 5, "discard": 4, "damage": 3}
    assert table.asked == ["turn-7/1/momentum/A"]


@pytest.mark.parametrize(
    ("rolled", "placed"), [([5, 5], 2), ([4, 4], 0), ([1, 6], 1), ([5, 4], 1), ([6, 6], 2)]
)
def test_df_10_1_the_printed_number_counts_and_nothing_is_added(
    table_at: MakeTable, rolled: list[int], placed: int
) -> None:
    """A 5 reaches Difficulty 5; two 4s do not become 8."""
    assert shot(table_at).say("fire", rolled).position.gunsight == placed


@given(st.lists(st.integers(1, 6), max_size=8), st.integers(1, 6))
def test_df_10_1_each_die_by_itself(dice: list[int], difficulty: int) -> None:
    """The number of successes is that of the dice that succeed alone."""
    assert successes(tuple(dice), difficulty) == sum(successes((d,), difficulty) for d in dice)
    assert successes(tuple(dice), 1) == len(dice)


@pytest.mark.parametrize("rolled", [[6], [6, 6, 6], [], "6", "6 6 6"])
def test_df_10_2_another_number_of_dice_is_refused(table_at: MakeTable, rolled: Any) -> None:
    """The number is fixed by the rule, and the refusal says which and why."""
    refusal = shot(table_at).refused("fire", rolled)
    assert refusal.code == "DF-E08"
    assert "2 dice" in str(refusal)


def test_df_10_2_the_reason_is_told(table_at: MakeTable) -> None:
    """The Pilot Mentor's additional die stands in the question and in the refusal."""
    table = shot(table_at, A={"pilot": "mentor"})
    assert table.question("fire").dice == 3
    assert "Mentor" in table.question("fire").prompt
    assert "Mentor" in str(table.refused("fire", [6, 6]))


@pytest.mark.parametrize("raw", [["?", 5], [None, 5], "? 5"])
def test_df_e09_a_die_that_nobody_can_read(table_at: MakeTable, raw: Any) -> None:
    """Typed, or rolled again as the table agrees."""
    refusal = shot(table_at).refused("fire", raw)
    assert refusal.code == "DF-E09"
    assert "roll it again" in str(refusal)


@pytest.mark.parametrize("raw", [[2, 5], "2 5", "2,5", ["2", "5"]])
def test_dice_are_read_as_people_write_them(table_at: MakeTable, raw: Any) -> None:
    assert shot(table_at).say("fire", raw).position.dice == (2, 5)


# -- Focus (DF-10.3, RULING 13) -------------------------------------------------------------------


def test_df_10_3_focus_rolls_any_of_the_own_dice_again(table_at: MakeTable) -> None:
    """For one token; only what then lies there counts."""
    table = shot(table_at, A={"tokens": 2}).say("fire", [1, 5])
    assert table.names("fire/again-1") == ["keep", "Focus 1", "Focus 5", "Focus 1 5"]
    assert table.question("fire/again-1").lapse == "keep"
    table.say("fire/again-1", "Focus")
    assert table.player("A").tokens == 1
    assert table.question("fire/again-1/dice").dice == 1
    table.say("fire/again-1/dice", 6)
    assert table.position.dice == (6, 5)
    assert table.position.gunsight == 2
    said = table.said("to Focus")
    assert said.cite.rules == ("DF-10.3", "DF-15.4")
    assert said.headline == "A: Focus, -1 token"


def test_df_10_3_as_often_as_tokens_last(table_at: MakeTable) -> None:
    """And not once more; a reroll may make it worse."""
    table = shot(table_at, A={"tokens": 2}).say("fire", [5, 4])
    for again, named, rolled in (("again-1", "5 4", [1, 2]), ("again-2", "Focus", [3, 4])):
        table.say(f"fire/{again}", named).say(f"fire/{again}/dice", rolled)
    assert table.player("A").tokens == 0
    assert table.asked == ["turn-7/1/momentum/A"]
    assert table.position.gunsight == 0


@pytest.mark.parametrize(
    ("raw", "words"),
    [(["1", "1"], "No more die shows 1; there are 1, 6, 3"), ("2", "No die shows 2"),
     ("Focus 0", "No die shows 0"), ("7", "No die shows 7")],
)  # fmt: skip
def test_df_10_3_a_die_that_nobody_sees_is_refused(
    table_at: MakeTable, raw: Any, words: str
) -> None:
    """Dice are named by what they show, each as often as it lies there."""
    table = shot(table_at, A={"tokens": 1, "pilot": "mentor"}).say("fire", [1, 6, 3])
    assert words in table.refused("fire/again-1", raw).text


@pytest.mark.parametrize(
    ("raw", "left"),
    [("3", (1, 6, 5)), ("1", (5, 6, 3)), ("6", (1, 5, 3)), (["6"], (1, 5, 3)),
     ("Focus 3", (1, 6, 5)), ("focus 3", (1, 6, 5)), (3, (1, 6, 5))],
)  # fmt: skip
def test_df_10_3_a_die_is_named_by_what_it_shows(
    table_at: MakeTable, raw: Any, left: tuple[int, ...]
) -> None:
    """A 3 is the die that shows 3, not the third one."""
    table = shot(table_at, A={"tokens": 1, "pilot": "mentor"}).say("fire", [1, 6, 3])
    table.say("fire/again-1", raw).say("fire/again-1/dice", 5)
    assert table.position.dice == left


def test_df_10_3_focus_offers_the_failed_dice_at_once(table_at: MakeTable) -> None:
    """One word, and those below the Difficulty are rolled; new faces stand in their places."""
    table = shot(table_at, A={"tokens": 1, "pilot": "mentor"}).say("fire", [1, 6, 3])
    assert table.names("fire/again-1")[:2] == ["keep", "Focus 1 3"]
    table.say("fire/again-1", "Focus")
    assert table.match.entries[-1].answer == "Focus 1 3"
    assert table.say("fire/again-1/dice", [5, 2]).position.dice == (5, 6, 2)


def test_df_10_3_nobody_is_asked_about_dice_that_all_succeed(table_at: MakeTable) -> None:
    """Only where a 6 moves the Fighter other numbers may be wanted all the same."""
    table = shot(table_at, A={"tokens": 3}, B={"tokens": 3}).say("fire", [5, 6])
    assert table.asked == ["turn-7/1/evade"]
    table.say("evade", "Evasive Climb").say("evasion", 4)
    assert table.names("evasion/again-1") == ["keep", "Focus 4"]
    table = shot(table_at, A={"tokens": 3}, B={"fighter": "spad", "tokens": 3})
    table.say("fire", [5, 6]).say("evade", "Evasive Dive").say("evasion", [3, 5])
    assert table.asked == ["turn-7/1/momentum/A"]


def test_df_10_3_the_reroll_of_one_die_takes_one(table_at: MakeTable) -> None:
    """However many the roll had."""
    table = shot(table_at, A={"tokens": 1, "pilot": "mentor"}).say("fire", [1, 2, 3])
    table.say("fire/again-1", "2")
    refusal = table.refused("fire/again-1/dice", [5, 5])
    assert refusal.code == "DF-E08"
    assert "takes 1 die" in str(refusal)
    assert "Mentor" not in str(refusal)


def test_df_10_3_also_for_one_die_checks(table_at: MakeTable) -> None:
    """A Conditional Effect's die is a roll like any other; which one need not be asked."""
    table = table_at(A={"place": "0,0 N", "tokens": 1}, B={"place": "2,2 N"})
    table.act("Basic Maneuver").say("fly", "0,-1 N").say("condition", 1)
    table.say("condition/again-1", "Focus").say("condition/again-1/dice", 4)
    assert table.player("A").tokens == 1
    assert table.said("takes 1 token: the die shows 4")


def test_df_10_3_the_other_player_has_no_say(table_at: MakeTable) -> None:
    """B's tokens reroll B's evasion, on A's turn, and none of A's dice."""
    table = shot(table_at, B={"tokens": 1}).say("fire", [6, 6])
    assert table.asked == ["turn-7/1/evade"]
    table.say("evade", "Evasive Dive").say("evasion", [1, 1])
    question = table.question("evasion/again-1")
    named = [option.name for option in question.options_now()]
    assert (question.by, named) == ("B", ["keep", "Focus 1 1", "Focus 1"])
    table.say("evasion/again-1", "Focus").say("evasion/again-1/dice", [3, 3])
    assert table.player("B").tokens == 1
    assert table.position.gunsight == 0


def test_ruling_13_closed_once_the_target_decides(table_at: MakeTable) -> None:
    """Attack dice that were kept are not asked about again."""
    table = shot(table_at, A={"tokens": 3}).say("fire", [1, 6]).say("fire/again-1", "keep")
    assert table.asked == ["turn-7/1/evade"]
    table.say("evade", "pass")
    assert not [key for key in table.asked if "fire" in key]


def test_df_e15_focus_without_a_token(table_at: MakeTable) -> None:
    """Where a reroll is asked for, another's right to it, or a token, may be missing."""
    table = shot(table_at, A=FALCON).say("fire", [1, 1])
    refusal = table.refused("fire/again-1", "Focus")
    assert refusal.code == "DF-E15"
    assert refusal.cite.rules == ("DF-15.4",)


# -- Northern Falcon (DF-10.4) --------------------------------------------------------------------


def test_df_10_4_one_free_reroll_per_roll(table_at: MakeTable) -> None:
    """Besides Focus, in any order; not twice for one roll, anew for the next."""
    table = shot(table_at, A={**FALCON, "tokens": 1}).say("fire", [1, 1])
    question = table.question("fire/again-1")
    assert [option.name for option in question.options_now()] == [
        "keep", "free reroll 1 1", "free reroll 1", "Focus 1 1", "Focus 1",
    ]  # fmt: skip
    assert question.cite.rules == ("DF-10.3", "DF-15.4", "DF-10.4", "DF-18.2.B")
    table.say("fire/again-1", "Focus 1").say("fire/again-1/dice", 2)
    assert table.names("fire/again-2")[:2] == ["keep", "free reroll 2 1"]
    assert table.question("fire/again-2").cite.rules == ("DF-10.4", "DF-18.2.B")
    table.say("fire/again-2", "free reroll").say("fire/again-2/dice", [6, 5])
    assert table.position.gunsight == 2
    assert table.said("Northern Falcon's reroll").headline == "Player A: free reroll"
    table.say("evade", "pass").say("momentum/A", "0,0 N").act("Basic Attack").say("fire", [1, 1])
    assert table.names("fire/again-1")[:2] == ["keep", "free reroll 1 1"]


def test_df_10_4_a_second_free_reroll_is_refused(table_at: MakeTable) -> None:
    table = shot(table_at, A={**FALCON, "tokens": 1}).say("fire", [1, 1])
    table.say("fire/again-1", "free reroll 1").say("fire/again-1/dice", 2)
    assert table.names("fire/again-2")[:2] == ["keep", "Focus 2 1"]
    refusal = table.refused("fire/again-2", "free reroll")
    assert refusal.code == "DF-E14"
    assert "Keep the dice" in str(refusal)


def test_df_10_4_only_maclaren_on_side_b(table_at: MakeTable) -> None:
    """Without tokens nobody else is asked about rerolls."""
    assert shot(table_at).say("fire", [1, 1]).asked == ["turn-7/1/momentum/A"]
    assert shot(table_at, A=FALCON).say("fire", [1, 1]).asked == ["turn-7/1/fire/again-1"]


# -- several dice, one condition (DF-10.5, RULING 12) ---------------------------------------------


@pytest.mark.parametrize(
    ("rolled", "tokens"), [([5, 2], 1), ([6, 1], 1), ([5, 1], 1), ([4, 2], 0), ([5, 5], 2)]
)
def test_df_10_5_a_condition_comes_true_once(
    table_at: MakeTable, rolled: list[int], tokens: int
) -> None:
    """The Albatros's Climb earns one token by a 5 or 6, not one for each.

    Where both dice reach the Difficulty, the Red Baron's token comes on top: another condition.
    """
    albatros = {"fighter": "albatros", "pilot": "richthofen"}
    table = shot(table_at, B=albatros).say("fire", [6, 6]).say("evade", "Evasive Climb")
    table.say("evasion", rolled)
    assert table.player("B").tokens == tokens


def test_df_10_5_final_dice_decide(table_at: MakeTable) -> None:
    """A 6 that was rolled away brings no Dead Six."""
    table = shot(table_at, B={"tokens": 1}).say("fire", [6, 6]).say("evade", "Evasive Climb")
    table.say("evasion", 6).say("evasion/again-1", "Focus").say("evasion/again-1/dice", 3)
    table.say("momentum/A", "-1,1 NW")
    assert not [key for key in table.asked if "dead six" in key]
