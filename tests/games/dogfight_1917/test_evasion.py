"""Evasion and Dead Six: who, when, with what, and what it brings.  (DF-13)"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from companion.core.errors import StaleOffer
from companion.core.offers import Offer
from companion.core.ruling import Level, Seat
from companion.games.dogfight_1917.faults import faults

MakeTable = Callable[..., Any]
Line = Mapping[str, Any]

PILOT_OF = {
    "fokker": "richthofen", "camel": "maclaren", "albatros": "loewenhardt", "spad": "fonck",
}  # fmt: skip
EVASIONS = {
    # Fighter and evasion: dice, Difficulty, from which die on what else
    ("fokker", "Evasive Climb"): (1, 3, {6: "dead six"}),
    ("fokker", "Evasive Dive"): (2, 3, {6: "dead six"}),
    ("camel", "Evasive Climb"): (2, 4, {6: "dead six"}),
    ("camel", "Evasive Dive"): (1, 3, {6: "dead six"}),
    ("albatros", "Evasive Climb"): (2, 3, {5: "token", 6: "token"}),
    ("albatros", "Evasive Dive"): (
        1, 3, {1: "damage", 2: "damage", 5: "token", 6: "token"},
    ),
    ("spad", "Evasive Climb"): (2, 4, {5: "token", 6: "token"}),
    ("spad", "Evasive Dive"): (2, 3, {5: "token", 6: "token"}),
    ("spad", "Steep Dive"): (1, 2, {5: "dead six", 6: "dead six"}),
}  # fmt: skip


@pytest.fixture
def shot(table_at: MakeTable) -> MakeTable:
    """B flies what is named, with a pilot who adds nothing to an evasion; A has shot at it.

    Two dice lie on the Gunsight unless other dice are named.
    """

    def make(fighter: str = "camel", fired: list[int] | None = None, **changes: Any) -> Any:
        enemy = "albatros" if fighter != "albatros" else "spad"
        lines: dict[str, Line] = {
            "A": {"fighter": enemy, "pilot": "mentor", "side": "B", **changes.pop("A", {})},
            "B": {"fighter": fighter, "pilot": "mentor", **changes.pop("B", {})},
        }
        table = table_at("engagement", **lines, **changes).act("Basic Attack")
        return table.say("fire", fired or [6, 6, 1])

    return make


# -- DF-13.1: only the target ---------------------------------------------------------------------


def test_df_13_1_the_target_is_asked_and_nobody_else(table_at: MakeTable) -> None:
    """In Battle Royale C was shot at; B and D are not asked."""
    table = table_at(
        "engagement", "battle-royale", players="ABCD",
        B={"place": "0,-3 N"}, C={"place": "0,-1 N"}, D={"place": "4,0 NW"},
    )  # fmt: skip
    table.act("Basic Attack albatros").say("fire", [6, 6])
    assert table.asked == ["turn-7/1/evade"]
    assert table.question("evade").by == "C"


def test_df_13_1_at_the_end_of_fire_and_never_before(shot: MakeTable) -> None:
    """The window closes with the answer: nothing takes an evasion after it."""
    table = shot().say("evade", "pass")
    assert table.asked == ["turn-7/1/momentum/A"]
    with pytest.raises(AssertionError):
        table.key("evade")


# -- DF-13.2: one try, card or Special Action -----------------------------------------------------


def test_df_13_2_means_are_told_by_type_only(shot: MakeTable) -> None:
    """Whatever the Hand holds the question is the same; tokens buy the SPAD a third means."""
    assert shot("camel").names("evade") == ["pass", "Evasive Climb", "Evasive Dive"]
    assert shot("spad").names("evade") == ["pass", "Evasive Climb", "Evasive Dive"]
    assert shot("spad", B={"tokens": 2}).names("evade") == [
        "pass", "Evasive Climb", "Evasive Dive", "Steep Dive",
    ]  # fmt: skip


def test_df_13_2_an_empty_hand_leaves_the_special_action(shot: MakeTable) -> None:
    """The card cannot be played, the Steep Dive can be paid for."""
    table = shot("spad", B={"tokens": 2, "hand": 0, "box": 5})
    assert table.names("evade") == ["pass", "Steep Dive"]
    refusal = table.refused("evade", "Evasive Climb")
    assert refusal.code == "DF-E14"
    assert "The Hand is empty" in str(refusal)


def test_df_13_2_with_no_means_at_all_nothing_is_asked(shot: MakeTable) -> None:
    """Hand and tokens are public: everybody sees that nothing can be done."""
    table = shot("spad", B={"tokens": 1, "hand": 0, "box": 5})
    assert table.asked == ["turn-7/1/momentum/A"]


def test_df_13_2_one_card_a_try(shot: MakeTable) -> None:
    """Hand minus one, Discard plus one; after the roll no second try is asked for."""
    table = shot("spad", B={"tokens": 2}).say("evade", "Evasive Climb")
    assert table.piles("B") == {"deck": 9, "hand": 4, "discard": 4, "damage": 2, "played": 1}
    table.say("evasion", [1, 1]).say("evasion/again-1", "keep")
    assert table.asked == ["turn-7/1/momentum/A"]
    assert table.piles("B") == {"deck": 7, "hand": 4, "discard": 5, "damage": 4}


def test_df_13_2_steep_dive_is_paid_and_plays_no_card(shot: MakeTable) -> None:
    """Two tokens, before the roll, and never refunded."""
    table = shot("spad", B={"tokens": 2}).say("evade", "Steep Dive")
    assert table.player("B").tokens == 0
    assert table.piles("B")["hand"] == 5
    assert table.last.text == "Player B pays 2 tokens and evades with the Steep Dive."
    assert str(table.last.cite) == "DF-17.4.S2, DF-14.1"


def test_df_13_2_every_attack_has_a_try_of_its_own(shot: MakeTable) -> None:
    """The second attack of a turn opens the window again."""
    table = shot().say("evade", "pass").say("momentum/A", "0,0 N").act("Basic Attack")
    assert table.say("fire", [6, 6, 6]).asked == ["turn-7/2/evade"]


def test_df_13_2_steep_dive_needs_a_spad(shot: MakeTable) -> None:
    """However many tokens a Camel has; it is not told of a price it could not pay."""
    for tokens in (0, 9):
        refusal = shot("camel", B={"tokens": tokens}).refused("evade", "Steep Dive")
        assert refusal.code == "DF-E14"
        assert "Only the SPAD" in str(refusal)


def test_df_13_2_steep_dive_needs_two_tokens(shot: MakeTable) -> None:
    """The refusal has the price, what is there, and the way out."""
    refusal = shot("spad", B={"tokens": 1}).refused("evade", "Steep Dive")
    assert refusal.code == "DF-E15"
    assert "Steep Dive costs 2 tokens; you have 1. Play a card, or pass." in str(refusal)


@pytest.mark.parametrize("card", ["Basic Maneuver", "Killer Instinct"])
def test_df_13_2_other_cards_do_not_evade(shot: MakeTable, card: str) -> None:
    """Only Evasion Cards answer an attack.  (DF-4.3)"""
    refusal = shot().refused("evade", card)
    assert (refusal.code, str(refusal.cite)) == ("DF-E14", "DF-4.3, DF-13.2")
    assert f"{card} is no Evasion Card" in str(refusal)


# -- RULING 11, evade_on_empty_gunsight -----------------------------------------------------------


def test_ruling_11_an_empty_gunsight_may_be_evaded(shot: MakeTable) -> None:
    """By house rule: an evasion may bring tokens and Dead Six even so."""
    table = shot("albatros", [1, 1, 1], options={"evade_on_empty_gunsight": True})
    assert table.names("evade") == ["pass", "Evasive Climb", "Evasive Dive"]
    table.say("evade", "Evasive Climb").say("evasion", [5, 1])
    assert table.player("B").tokens == 1
    assert "0 dice removed, 0 dice left" in table.said("removed").text


def test_opt_7_evade_on_empty_gunsight_off(shot: MakeTable) -> None:
    """Then the target is not asked; with a die on the Gunsight it is, as ever."""
    off = {"evade_on_empty_gunsight": False}
    assert shot(fired=[1, 1, 1], options=off).asked == ["turn-7/1/momentum/A"]
    assert shot(fired=[6, 1, 1], options=off).asked == ["turn-7/1/evade"]


# -- DF-13.3: dice off the Gunsight ---------------------------------------------------------------


@pytest.mark.parametrize(("fighter", "name"), EVASIONS)
def test_df_13_3_rolls_as_the_effect_says(shot: MakeTable, fighter: str, name: str) -> None:
    """Number of dice and Difficulty of each card, and of the Steep Dive.  (DF-17)"""
    dice, difficulty, _ = EVASIONS[fighter, name]
    table = shot(fighter, B={"tokens": 2} if name == "Steep Dive" else {}).say("evade", name)
    roll = table.question("evasion")
    assert (roll.dice, roll.passes, roll.by) == (dice, difficulty, "B")


@pytest.mark.parametrize(
    ("rolled", "left"), [([3, 3], 2), ([4, 3], 1), ([4, 5], 0)]
)  # fmt: skip
def test_df_13_3_each_success_removes_one_die(
    shot: MakeTable, rolled: list[int], left: int
) -> None:
    """Camel's Climb against Difficulty 4; what is left does the damage."""
    table = shot().say("evade", "Evasive Climb").say("evasion", rolled)
    assert table.piles("B")["damage"] == 2 + left
    assert "DF-13.3" in table.said("removed").cite.rules


def test_df_13_3_never_below_none(shot: MakeTable) -> None:
    """One die lies there, two succeed: one is removed, and the sentence says one."""
    table = shot(fired=[6, 1, 1]).say("evade", "Evasive Climb").say("evasion", [4, 5])
    assert "1 die removed, 0 dice left" in table.said("removed").text
    assert table.piles("B")["damage"] == 2


# -- DF-13.4: when an evader moves ----------------------------------------------------------------


def test_df_13_4_after_all_steps_momentum_included(shot: MakeTable) -> None:
    """Damage, Momentum, then Dead Six on where the attacker stands by now."""
    table = shot().say("evade", "Evasive Climb").say("evasion", [6, 1])
    assert table.said("has earned Dead Six").headline == "B: Dead Six later"
    assert table.piles("B")["damage"] == 3
    assert table.asked == ["turn-7/1/momentum/A"]
    table.say("momentum/A", "1,0 NE")
    assert table.names("dead six/B") == ["1,1 N", "0,1 NE", "0,0 SE"]
    assert table.say("dead six/B", "0,0 SE").place("B") == "0,0 SE"
    assert str(table.said("takes Dead Six").cite) == "DF-13.4, DF-13.5, RULING 29, RULING 9"
    assert table.asked == ["turn-7/2/action"]


def test_df_13_4_who_was_shot_down_does_not_move(table_at: MakeTable) -> None:
    """Dead Six was rolled, then the damage was too much."""
    table = table_at("engagement", "battle-royale", players="ABCD", B={"deck": 0, "box": 9}).act(
        "Basic Attack fokker"
    )
    table.say("fire", [6, 6]).say("evade", "Evasive Climb").say("evasion", [6])
    assert table.place("B") == ""
    assert table.say("momentum/A", "0,0 N").asked == ["turn-7/2/action"]


# -- DF-13.5, RULING 9: Dead Six ------------------------------------------------------------------


def test_df_13_5_one_of_three_rear_spaces_facing_the_opponent(shot: MakeTable) -> None:
    """Distance and obstacles mean nothing; other spaces and headings are refused."""
    table = shot().say("evade", "Evasive Climb").say("evasion", [6, 6])
    table.say("momentum/A", "0,0 N")
    assert table.names("dead six/B") == ["1,0 NW", "0,1 N", "-1,1 NE"]
    for wrong in ("0,1 S", "1,-1 SW", "0,2 N"):
        refusal = table.refused("dead six/B", wrong)
        assert refusal.code == "DF-E01"
        assert "Legal nearby: " in str(refusal)
    table.say("dead six/B", "-1,1 NE")
    assert table.place("B") == "-1,1 NE"


def test_df_13_5_it_is_compulsory(shot: MakeTable) -> None:
    """Not marked optional: silence is no answer."""
    table = shot().say("evade", "Evasive Climb").say("evasion", [6, 6])
    table.say("momentum/A", "0,0 N")
    assert table.question("dead six/B").lapse is None
    assert table.refused("dead six/B", "stay").code == "Q-NAME"


def test_ruling_9_the_own_space_counts_as_free(table_at: MakeTable) -> None:
    """Already behind the opponent: staying there is a Dead Six, but no movement, and unpaid."""
    table = table_at(
        "engagement",
        A={"fighter": "fokker", "pilot": "richthofen", "place": "0,3 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "0,2 N"},
    )  # fmt: skip
    table.act("The Flying Circus")
    assert "0,3 N" in table.names("dead six/A")
    table.say("dead six/A", "0,3 N")
    assert (table.place("A"), table.player("A").tokens) == ("0,3 N", 0)


def test_ruling_9_ending_on_a_tactical_position_pays(table_at: MakeTable) -> None:
    """A Dead Six that moves ends a movement.  (RULING 8)"""
    table = table_at(
        "engagement",
        A={"fighter": "fokker", "pilot": "richthofen", "place": "1,1 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "0,2 N"},
    )  # fmt: skip
    table.act("The Flying Circus").say("dead six/A", "0,3 N")
    assert table.player("A").tokens == 1


def test_ruling_9_none_free_and_the_move_is_lost(table_at: MakeTable) -> None:
    """The attacker shoots out of a corner: behind it there is no board."""
    table = table_at(
        "engagement",
        A={"fighter": "albatros", "pilot": "loewenhardt", "place": "4,-4 SW", "tokens": 2},
        B={"fighter": "camel", "pilot": "maclaren", "place": "3,-3 SW"},
    ).act("Spandau Machine Guns")
    table.say("fire", [1, 1, 6]).say("evade", "Evasive Climb").say("evasion", [6, 6])
    assert table.asked == ["turn-7/2/action"]
    assert table.place("B") == "3,-3 SW"
    lost = table.said("Player B's Dead Six is lost: no Rear space is free")
    assert str(lost.cite) == "DF-13.4, DF-13.5, RULING 29, RULING 9"


def test_ruling_9_taken_spaces_are_left_out(table_at: MakeTable) -> None:
    """One Fighter a space: the Rear space on which C stands is none of the choices."""
    table = table_at(
        "engagement", "battle-royale", players="ABCD", A={"place": "0,0 N", "tokens": 3},
        B={"place": "0,-1 N"}, C={"place": "0,1 N"}, D={"place": "4,0 NW"},
    ).act("Vickers Machine Guns fokker")  # fmt: skip
    table.say("fire", [1, 1, 6]).say("evade", "Evasive Climb").say("evasion", [6])
    assert table.names("dead six/B") == ["1,0 NW", "-1,1 NE"]


# -- DF-13.6: tokens and self-damage at once ------------------------------------------------------


@pytest.mark.parametrize(("fighter", "name"), EVASIONS)
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5, 6])
def test_df_13_6_what_each_die_brings(shot: MakeTable, fighter: str, name: str, die: int) -> None:
    """Every card with every number: a token, 1 damage, Dead Six, or nothing.  (DF-17)"""
    dice, difficulty, results = EVASIONS[fighter, name]
    table = shot(fighter, [6, 6, 6], B={"tokens": 2} if name == "Steep Dive" else {})
    table.say("evade", name).say("evasion", [die, *[1] * (dice - 1)])
    if table.asked == ["turn-7/1/evasion/again-1"]:
        table.say("again-1", "keep")
    effects = results.get(die, "")
    removed = 1 if die >= difficulty else 0
    assert table.player("B").tokens == (1 if effects == "token" else 0)
    assert table.piles("B")["damage"] == 2 + 3 - removed + (1 if effects == "damage" else 0)
    table.say("momentum/A", "1,0 NE")
    assert bool([key for key in table.asked if "dead six" in key]) is (effects == "dead six")


def test_df_13_6_before_the_damage_step(shot: MakeTable) -> None:
    """The Albatros dives badly: its own damage is told first, then the attack's."""
    table = shot("albatros").say("evade", "Evasive Dive").say("evasion", [2])
    took = [ruling for ruling in table.rulings if "takes" in ruling.text]
    assert [str(ruling.cite) for ruling in took] == [
        "DF-17.3.E2, DF-12.4, DF-12.1, RULING 23", "DF-11.5, DF-12.1",
    ]  # fmt: skip


def test_df_13_6_a_token_may_pay_nothing_of_the_same_roll(shot: MakeTable) -> None:
    """It comes after the roll is closed: no Focus is asked for with it."""
    table = shot("spad").say("evade", "Evasive Dive").say("evasion", [5, 1])
    assert (table.player("B").tokens, table.asked) == (1, ["turn-7/1/momentum/A"])


def test_ruling_12_several_fitting_dice_bring_it_once(shot: MakeTable) -> None:
    """Two sixes: one token."""
    table = shot("albatros").say("evade", "Evasive Climb").say("evasion", [6, 6])
    assert table.player("B").tokens == 1


def test_ruling_12_two_conditions_of_one_card_may_both_come_true(shot: MakeTable) -> None:
    """A table whose Albatros dives with two dice: a 5 earns, a 1 costs."""
    cards = {"albatros_evasive_dive": {"dice": 2}}
    table = shot("albatros", cards=cards).say("evade", "Evasive Dive").say("evasion", [5, 1])
    assert table.player("B").tokens == 1
    assert table.piles("B")["damage"] == 2 + 1 + 1


def test_ruling_23_what_is_assumed_says_so(shot: MakeTable) -> None:
    """Dice, Difficulty and both conditions of the dive rest on assumed figures."""
    table = shot("albatros").say("evade", "Evasive Dive")
    assert table.question("evasion").against == "Difficulty 3 (assumed figure)"
    table.say("evasion", [6])
    earned = table.said("takes 1 token")
    assert "(assumed figure)" in earned.text
    assert str(earned.cite) == "DF-17.3.E2, RULING 23"


def test_ruling_23_a_table_with_its_own_print(shot: MakeTable) -> None:
    """Read off the card: two dice against 4, a token from 6, damage on a 1."""
    name = "albatros_evasive_dive"
    figures = {"dice": 2, "difficulty": 4, "token_at_least": 6, "damage_at_most": 1}
    cards = {"confirmed": [f"{name}.{key}" for key in figures], name: figures}
    table = shot("albatros", cards=cards).say("evade", "Evasive Dive")
    roll = table.question("evasion")
    assert (roll.dice, roll.against) == (2, "Difficulty 4")
    table.say("evasion", [5, 2])
    assert (table.player("B").tokens, table.piles("B")["damage"]) == (0, 3)


# -- DF-E17: a card that cannot be ----------------------------------------------------------------


def test_df_e17_the_last_evasive_dive_was_seen_elsewhere(shot: MakeTable) -> None:
    """Both lie open on the Discard Pile: playing a third is flagged, and taken if insisted on."""
    table = shot(B={"known": {"discard": {"Evasive Dive": 2}}})
    notice = table.question("evade").word_before("Evasive Dive")
    assert (notice.code, notice.level) == ("DF-E17", Level.WARN)
    assert "All 2 copies of Evasive Dive" in notice.text
    assert table.question("evade").word_before("Evasive Climb") is None
    assert table.question("evade").word_before("pass") is None
    table.say("evade", "Evasive Dive").say("evasion", [1])
    assert faults(table.position) == []


def test_an_answer_for_a_window_that_has_closed_is_stale(shot: MakeTable) -> None:
    """A second try for the same attack finds no question."""
    table = shot()
    offer_key = table.key("evade")
    table.say("evade", "pass")
    with pytest.raises(StaleOffer):
        table.match.answer(Offer(offer_key, "Evasive Climb", "script", Seat("B")), table.stamp)
