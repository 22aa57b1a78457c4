"""Special Attacks and Pilot Special Actions.  (DF-14, DF-17)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import BadFile

MakeTable = Callable[..., Any]

FLOWN = {
    "fokker": "richthofen", "camel": "maclaren", "albatros": "loewenhardt", "spad": "fonck",
}  # fmt: skip
ATTACKS = {
    # Fighter and attack: tokens, farthest range, dice, Difficulty, damage for each die
    ("fokker", "Spandau Machine Guns"): (2, 3, 4, 3, 1),
    ("camel", "Vickers Machine Guns"): (3, 3, 3, 4, 2),
    ("albatros", "Spandau Machine Guns"): (2, 3, 3, 3, 1),
    ("albatros", "Second Guns"): (2, 2, 2, 3, 1),
    ("spad", "Vickers Machine Guns"): (3, 3, 3, 4, 2),
    ("camel", "Lewis Guns"): (2, 3, 4, 5, 0),
}


@pytest.fixture
def guns(table_at: MakeTable) -> MakeTable:
    """A flies what is named with just the tokens given; B, who holds no card, stands ahead."""

    def make(fighter: str, tokens: int, target: str = "0,-1 N", **changes: Any) -> Any:
        enemy = "camel" if fighter != "camel" else "fokker"
        lines = {
            "A": {"fighter": fighter, "pilot": FLOWN[fighter], "tokens": tokens},
            "B": {"fighter": enemy, "pilot": FLOWN[enemy], "place": target, "hand": 0, "box": 5},
        }
        for seat, line in lines.items():
            line.update(changes.pop(seat, {}))
        return table_at("engagement", **lines, **changes)

    return make


# -- DF-14.1: the price ---------------------------------------------------------------------------


@pytest.mark.parametrize(("fighter", "name"), ATTACKS)
def test_df_14_1_tokens_are_paid_before_the_roll(guns: MakeTable, fighter: str, name: str) -> None:
    """Every attack at its own price, with its own dice and Difficulty.  (DF-17)"""
    tokens, _, dice, difficulty, _ = ATTACKS[fighter, name]
    table = guns(fighter, tokens).act(name)
    assert table.player("A").tokens == 0
    roll = table.question("fire")
    assert (roll.dice, roll.passes, roll.by) == (dice, difficulty, "A")
    assert roll.against == f"Difficulty {difficulty}"
    assert f"pays {tokens} tokens for {name}" in table.last.text
    assert table.last.cite.rules[-1] == "DF-14.1"


@pytest.mark.parametrize(("fighter", "name"), ATTACKS)
def test_df_14_1_too_few_tokens_are_refused(guns: MakeTable, fighter: str, name: str) -> None:
    """One short: the refusal says the price and what is there."""
    tokens = ATTACKS[fighter, name][0]
    table = guns(fighter, tokens - 1)
    assert name not in table.names("action")
    refusal = table.refused("action", name)
    assert refusal.code == "DF-E15"
    assert f"{name} costs {tokens} tokens; you have {tokens - 1}." in str(refusal)
    assert str(refusal.cite) == "DF-14.1"


def test_df_14_1_the_menu_tells_the_price(guns: MakeTable) -> None:
    """Of what costs tokens; a Basic Attack costs nothing."""
    options = guns("camel", 3).question("action").options_now()
    labels = {option.name: option.label for option in options if option.group == "Attack"}
    assert labels == {
        "Basic Attack": "Basic Attack", "Vickers Machine Guns": "Vickers Machine Guns, 3 tokens",
        "Lewis Guns": "Lewis Guns, 2 tokens",
    }  # fmt: skip


def test_df_14_1_any_number_while_tokens_last(guns: MakeTable) -> None:
    """And a miss refunds nothing."""
    table = guns("albatros", 5)
    for left in (3, 1):
        table.act("Spandau Machine Guns").say("fire", [1, 1, 1]).say("fire/again-1", "keep")
        assert table.player("A").tokens == left
    assert table.refused("action", "Spandau Machine Guns").code == "DF-E15"


# -- DF-14.3: line and range ----------------------------------------------------------------------


@pytest.mark.parametrize(("fighter", "name"), ATTACKS)
@pytest.mark.parametrize("spaces", [1, 2, 3, 4])
def test_df_14_3_within_the_listed_range(
    guns: MakeTable, fighter: str, name: str, spaces: int
) -> None:
    """1 to 3, the Albatros's second attack 1 to 2; beyond, the refusal names the limit."""
    tokens, farthest, *_ = ATTACKS[fighter, name]
    table = guns(fighter, tokens, f"0,{1 - spaces} N")
    assert (name in table.names("action")) is (spaces <= farthest)
    if spaces > farthest:
        refusal = table.refused("action", name)
        assert refusal.code == "DF-E13"
        assert f"out of range, which is 1 to {farthest}" in str(refusal)
        assert str(refusal.cite) == "DF-14.3, RULING 3"


@pytest.mark.parametrize("facing", ["N", "NE", "SE", "S", "SW", "NW"])
def test_df_14_3_from_front_or_rear_alike(guns: MakeTable, facing: str) -> None:
    """The target's own heading means nothing to a Special Attack."""
    assert "Spandau Machine Guns" in guns("fokker", 2, f"0,-1 {facing}").names("action")


def test_df_14_3_beside_the_line_is_refused(guns: MakeTable) -> None:
    """The attacker must face the target, on the straight line ahead."""
    refusal = guns("fokker", 2, "1,-2 N").refused("action", "Spandau Machine Guns")
    assert refusal.code == "DF-E13"
    assert "straight ahead" in str(refusal)


# -- DF-14.4, DF-14.5: procedure ------------------------------------------------------------------


@pytest.mark.parametrize(("fighter", "name"), list(ATTACKS)[:5])
def test_df_14_4_damage_is_dice_times_multiplier(guns: MakeTable, fighter: str, name: str) -> None:
    """Two dice succeed; those below the Difficulty stay off the Gunsight."""
    tokens, _, dice, difficulty, multiplier = ATTACKS[fighter, name]
    rolled = [difficulty, 6, *[difficulty - 1] * (dice - 2)]
    table = guns(fighter, tokens).act(name).say("fire", rolled)
    assert table.piles("B")["damage"] == 2 + 2 * multiplier
    assert "DF-14.4" in table.said("damage").cite.rules
    assert table.position.gunsight == 0


def test_df_14_4_the_target_may_evade(guns: MakeTable) -> None:
    """After Fire, before Damage: one of three dice is removed, two do 4 damage."""
    table = guns("spad", 3, B={"hand": 5, "box": 0}).act("Vickers Machine Guns")
    table.say("fire", [4, 5, 6])
    assert table.asked == ["turn-7/1/evade"]
    table.say("evade", "Evasive Dive").say("evasion", [3])
    assert table.piles("B")["damage"] == 2 + 4


def test_df_14_4_an_empty_gunsight_skips_damage(guns: MakeTable) -> None:
    """Nothing is said of damage."""
    table = guns("fokker", 2).act("Spandau Machine Guns").say("fire", [1, 2, 2, 1])
    assert table.piles("B")["damage"] == 2
    assert not [ruling for ruling in table.rulings if "damage" in ruling.text]


def test_df_14_5_no_momentum(guns: MakeTable) -> None:
    """The menu is back at once, the attacker where it was."""
    table = guns("fokker", 2).act("Spandau Machine Guns").say("fire", [6, 6, 6, 6])
    assert table.asked == ["turn-7/2/action"]
    assert table.place("A") == "0,1 N"


def test_df_14_6_its_own_range_prevails_over_ace_of_aces(guns: MakeTable) -> None:
    """Fonck's B side cuts Basic Attacks down to range 1; Vickers guns keep what they list."""
    table = guns("spad", 3, "0,-2 S", A={"side": "B"})
    assert "Basic Attack" not in table.names("action")
    roll = table.act("Vickers Machine Guns").question("fire")
    assert (roll.dice, roll.passes) == (3, 4)


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("pilot", ["richthofen", "maclaren", "fonck", "mentor"])
def test_df_14_7_pilots_of_basic_attacks_add_nothing(
    guns: MakeTable, pilot: str, side: str
) -> None:
    """No pre-roll, no die more, no lower Difficulty, no token, no roll after Momentum."""
    enemy = {"pilot": "loewenhardt" if pilot == "maclaren" else "maclaren", "side": "B"}
    line = {"pilot": pilot, "side": side}
    table = guns("albatros", 2, A=line, B=enemy).act("Spandau Machine Guns")
    roll = table.question("fire")
    assert (roll.dice, roll.passes) == (3, 3)
    table.say("fire", [3, 3, 3])
    assert table.asked == ["turn-7/2/action"]
    assert table.player("A").tokens == 0


# -- DF-17.2.S2: Lewis Guns -----------------------------------------------------------------------


def lewis(guns: MakeTable, hand: int, **changes: Any) -> Any:
    """Camel against a Fokker with so many cards in Hand, dice rolled: 5, 6, 4, 5."""
    table = guns("camel", 2, B={"hand": hand, "box": 5 - hand}, **changes)
    table.act("Lewis Guns").say("fire", [5, 6, 4, 5])
    return table.say("evade", "pass") if hand else table


def test_df_17_2_s2_a_random_card_of_the_hand_for_each_die(guns: MakeTable) -> None:
    """Instead of damage: Hand minus 3, Discard plus 3, nothing off the Deck."""
    table = lewis(guns, 5)
    assert table.piles("B") == {"deck": 9, "hand": 2, "discard": 7, "damage": 2}
    assert "discards 3 random cards." in table.said("discards").text
    assert str(table.said("discards").cite) == "DF-17.2.S2, RULING 22"


def test_df_17_2_s2_only_dice_left_after_evasion(guns: MakeTable) -> None:
    """Three placed, one removed: two cards; the Evasion Card lies on the Discard Pile too."""
    table = guns("camel", 2, B={"hand": 5, "box": 0}).act("Lewis Guns").say("fire", [5, 6, 4, 5])
    table.say("evade", "Evasive Climb").say("evasion", [5])
    assert table.piles("B") == {"deck": 9, "hand": 2, "discard": 7, "damage": 2}


def test_df_17_2_s2_ruling_22_a_short_hand_loses_what_it_has(guns: MakeTable) -> None:
    """One card for three dice; the sentence says so, in the singular."""
    table = lewis(guns, 1)
    assert table.piles("B")["discard"] == 5
    assert table.said("discards").text == (
        "Player B discards 1 random card of 3 due: the Hand holds no more."
    )
    assert "Which card lies face up now?" in table.question("lewis").prompt


def test_df_17_2_s2_an_empty_hand_loses_nothing(guns: MakeTable) -> None:
    """And no card is asked for."""
    table = lewis(guns, 0)
    assert table.piles("B") == {"deck": 9, "discard": 4, "damage": 2, "box": 5}
    assert table.asked == ["turn-7/2/action"]


def test_df_17_2_s2_cards_that_lie_open_may_be_named(guns: MakeTable) -> None:
    """As many as were discarded, or none; silence names none.  (DF-4.1)"""
    table = lewis(guns, 5)
    question = table.question("lewis")
    assert (question.by, sum(question.lapse)) == ("B", 0)
    refusal = table.refused("lewis", {"Basic Maneuver": 2})
    assert refusal.code == "DF-COUNT"
    assert "2 cards are named, 3 lie face up. Name 3, or none." in str(refusal)
    table.say("lewis", {"Basic Maneuver": 2, "Evasive Dive": 1})
    assert table.player("B").piles.seen("discard") == {"Basic Maneuver": 2, "Evasive Dive": 1}


def test_df_e17_more_of_a_card_than_exist_is_no_answer(guns: MakeTable) -> None:
    """Three Killer Instincts were misread: a Fighter owns two."""
    refusal = lewis(guns, 5).refused("lewis", {"Killer Instinct": 3})
    assert (refusal.code, str(refusal.cite)) == ("DF-E17", "DF-1.2")
    assert "a Fighter owns 2" in str(refusal)


def test_ruling_22_the_assumed_range_is_told_with_the_price(guns: MakeTable) -> None:
    """It rests on an assumed figure, until the table has read the print."""
    table = guns("camel", 2, "0,-2 N").act("Lewis Guns")
    assert "range 1 to 3 (assumed figure)" in table.last.text
    assert table.question("fire").against == "Difficulty 5"
    cards = {"confirmed": ["lewis_guns.range"], "lewis_guns": {"range": [1, 2]}}
    table = guns("camel", 2, "0,-2 N", cards=cards)
    assert "out of range, which is 1 to 2" in str(table.refused("action", "Lewis Guns"))
    assert "assumed" not in guns("camel", 2, cards=cards).act("Lewis Guns").last.text


# -- DF-17.3.S2: the Albatros's second attack (RULING 24) -----------------------------------------


def second(guns: MakeTable, rolled: list[int], **changes: Any) -> Any:
    """The second attack with these dice."""
    return guns("albatros", 2, **changes).act("Second Guns").say("fire", rolled)


def test_df_17_3_s2_a_three_brings_dead_six_after_the_damage(guns: MakeTable) -> None:
    """Damage first, then the move behind the target, which is compulsory."""
    table = second(guns, [3, 1])
    assert table.piles("B")["damage"] == 3
    assert table.asked == ["turn-7/1/dead six/A"]
    assert table.names("dead six/A") == ["1,-1 NW", "0,0 N", "-1,0 NE"]
    assert table.question("dead six/A").lapse is None
    assert table.say("dead six/A", "1,-1 NW").place("A") == "1,-1 NW"
    assert str(table.last.cite) == "DF-17.3.S2, DF-13.5, RULING 24, RULING 9"


def test_df_17_3_s2_dice_below_three_bring_none(guns: MakeTable) -> None:
    """Then the menu is back."""
    assert second(guns, [2, 2]).asked == ["turn-7/2/action"]


def test_ruling_24_an_evaded_die_still_counts_for_dead_six(guns: MakeTable) -> None:
    """The test looks at the dice as rolled, whether or not they were removed."""
    table = second(guns, [3, 1], B={"hand": 5, "box": 0}).say("evade", "Evasive Climb")
    table.say("evasion", [4, 4])
    assert table.piles("B")["damage"] == 2
    assert table.asked == ["turn-7/1/dead six/A"]


def test_ruling_24_final_values_count(guns: MakeTable) -> None:
    """A 3 that Focus turned into a 1 brings nothing."""
    table = guns("albatros", 3).act("Second Guns").say("fire", [3, 1])
    table.say("fire/again-1", "3 1").say("again-1/dice", [2, 1])
    assert table.asked == ["turn-7/2/action"]


def test_ruling_24_nobody_to_get_behind(table_at: MakeTable) -> None:
    """The target was shot down: the Fighter is off the board, no Dead Six follows."""
    table = table_at(
        "engagement", "battle-royale", players="ABCD",
        A={"fighter": "albatros", "pilot": "loewenhardt", "tokens": 2},
        B={"deck": 0, "hand": 0, "box": 14}, C={"fighter": "camel", "pilot": "maclaren"},
    )  # fmt: skip
    table.act("Second Guns fokker").say("fire", [3, 3])
    assert table.place("B") == ""
    assert table.asked == ["turn-7/2/action"]


def test_ruling_24_the_attackers_dead_six_goes_before_the_evaders(guns: MakeTable) -> None:
    """Then the evader looks at where the attacker is by now.  (RULING 29)"""
    table = second(guns, [3, 3], B={"hand": 5, "box": 0}).say("evade", "Evasive Climb")
    table.say("evasion", [6, 6])
    assert table.asked == ["turn-7/1/dead six/A"]
    table.say("dead six/A", "1,-1 NW")
    assert table.names("dead six/B") == ["2,-2 SW", "2,-1 NW", "1,0 N"]


def test_df_17_3_s2_a_name_of_the_tables_own(guns: MakeTable) -> None:
    """Even one that begins like the first attack's is told from it."""
    cards = {"albatros_second_attack": {"name": "Spandau Machine Guns II"}}
    table = guns("albatros", 2, cards=cards).act("Spandau Machine Guns II")
    assert table.question("fire").dice == 2
    table = guns("albatros", 2, "0,-2 N", cards=cards)
    refusal = table.refused("action", "Spandau Machine Guns II")
    assert "out of range, which is 1 to 2" in str(refusal)


@pytest.mark.parametrize("name", ["spandau machine-guns", "Regroup", "Smiling Beast", "end turn"])
def test_df_17_3_s2_a_name_that_another_action_has_is_refused(guns: MakeTable, name: str) -> None:
    """Nobody could say which is meant; the place in the file is named."""
    with pytest.raises(BadFile, match=r"albatros_second_attack\.name: .* is another action"):
        guns("albatros", 2, cards={"albatros_second_attack": {"name": name}})


# -- DF-14.2: Pilot Special Actions ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("pilot", "action"),
    [("maclaren", "Northern Falcon"), ("loewenhardt", "Smiling Beast"), ("fonck", "Ace of Aces"),
     ("mentor", "Pioneer of the Sky")],
)  # fmt: skip
def test_df_14_2_once_a_game_and_the_card_is_flipped(
    guns: MakeTable, pilot: str, action: str
) -> None:
    """From side A to B; on side B the action is refused."""
    table = guns("albatros", 0, A={"pilot": pilot}, B={"pilot": "richthofen"}).act(action)
    if pilot == "mentor":
        table.say("pioneer", "0,1 N")
    assert table.player("A").pilot_side == "B"
    flip = table.last
    assert (flip.deeds[0].thing, flip.deeds[0].side) == ("A Pilot Card", "B")
    assert "DF-14.2" in flip.cite.rules
    assert action not in table.names("action")
    refusal = table.refused("action", action)
    assert (refusal.code, str(refusal.cite)) == ("DF-E14", "DF-14.2")
    assert "side B" in str(refusal)


def test_df_14_2_costs_nothing_and_is_no_maneuver(guns: MakeTable) -> None:
    """The Maneuver is still to come."""
    table = guns("camel", 1).act("Northern Falcon")
    assert (table.player("A").tokens, table.position.maneuvered) == (1, False)
    assert "end turn" not in table.names("action")


def test_df_14_2_another_pilots_action_is_unknown(guns: MakeTable) -> None:
    """MacLaren is no Richthofen."""
    assert guns("camel", 3).refused("action", "The Flying Circus").code == "Q-NAME"
