"""Tactical Tokens and Actions: Killer Instinct, Focus, Regroup, Emergency Repair.  (DF-15)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from companion.core.question import Roll, RollAgain
from companion.core.ruling import Level
from companion.games.dogfight_1917.faults import faults

MakeTable = Callable[..., Any]

CARDS = (
    "Basic Maneuver", "High-speed Maneuver", "Turning Maneuver", "Evasive Climb", "Evasive Dive",
    "Killer Instinct",
)  # fmt: skip


def tokens(table_at: MakeTable, count: int, **changes: Any) -> Any:
    """A has so many tokens; both players' pilots add nothing here."""
    line = {"tokens": count, **changes.pop("A", {})}
    return table_at("engagement", A=line, **changes)


# -- DF-15.1: the supply --------------------------------------------------------------------------


def test_df_15_1_the_supply_has_no_end(table_at: MakeTable) -> None:
    """When the twenty are gone anything else will do."""
    table = tokens(table_at, 12, B={"tokens": 8}).act("Killer Instinct")
    assert table.player("A").tokens == 14


@pytest.mark.parametrize(("held", "taken"), [(11, 1), (12, 0), (10, 2)])
def test_opt_16_only_the_twenty_of_the_box(table_at: MakeTable, held: int, taken: int) -> None:
    """By house rule: what is not there cannot be taken, and the sentence counts what was."""
    options = {"token_supply_limited": True}
    table = tokens(table_at, held, B={"tokens": 8}, options=options).act("Killer Instinct")
    assert table.player("A").tokens == held + taken
    word = "1 token:" if taken == 1 else f"{taken} tokens:"
    assert f"takes {word}" in table.said("takes").text


def test_opt_16_what_was_paid_can_be_taken_again(table_at: MakeTable) -> None:
    """Tokens go back to the supply."""
    options = {"token_supply_limited": True}
    table = tokens(table_at, 12, B={"tokens": 8}, options=options).act("Regroup")
    table.say("regrouped", [0] * 6).act("Killer Instinct")
    assert table.player("A").tokens == 12


# -- DF-15.3: Tactic Card -------------------------------------------------------------------------


def test_df_15_3_killer_instinct_brings_two_and_goes_to_the_box(table_at: MakeTable) -> None:
    """Used, it never comes back: Hand minus 1, box plus 1.  (DF-4.5)"""
    table = tokens(table_at, 0).act("Killer Instinct")
    assert table.player("A").tokens == 2
    assert table.piles("A") == {"deck": 9, "hand": 4, "discard": 4, "damage": 2, "box": 1}
    assert table.player("A").piles.seen("box") == {"Killer Instinct": 1}
    assert str(table.said("goes to the box").cite) == "DF-4.5, DF-15.3"


def test_df_15_3_both_in_one_turn(table_at: MakeTable) -> None:
    """Any number of Tactic Cards a turn."""
    table = tokens(table_at, 0).act("Killer Instinct").act("Killer Instinct")
    assert (table.player("A").tokens, table.piles("A")["box"]) == (4, 2)


def test_df_e17_a_third_killer_instinct_is_flagged(table_at: MakeTable) -> None:
    """Two lie in the box: it is told before it counts, and taken if the table insists."""
    table = tokens(table_at, 0).act("Killer Instinct")
    assert table.question("action").word_before("Killer Instinct") is None
    table.act("Killer Instinct")
    notice = table.question("action").word_before("Killer Instinct")
    assert (notice.code, notice.level, str(notice.cite)) == (
        "DF-E17", Level.WARN, "DF-1.2, DF-4.2",
    )  # fmt: skip
    assert "All 2 copies of Killer Instinct" in notice.text
    table.act("Killer Instinct")
    assert faults(table.position) == []


@pytest.mark.parametrize("card", CARDS[:3])
def test_df_e17_maneuvers_all_seen_are_flagged(table_at: MakeTable, card: str) -> None:
    """A ninth Basic Maneuver, a fourth High-speed Maneuver, a third Turning Maneuver."""
    copies = {"Basic Maneuver": 8, "High-speed Maneuver": 3, "Turning Maneuver": 2}[card]
    line = {"discard": 8, "deck": 5, "known": {"discard": {card: copies}}}
    notice = tokens(table_at, 0, A=line).question("action").word_before(card)
    assert notice.code == "DF-E17"
    line["known"] = {"discard": {card: copies - 1}}
    assert tokens(table_at, 0, A=line).question("action").word_before(card) is None


def test_df_15_3_not_with_an_empty_hand(table_at: MakeTable) -> None:
    """There is no card to play."""
    table = tokens(table_at, 0, A={"hand": 0, "deck": 14})
    assert "Killer Instinct" not in table.names("action")
    refusal = table.refused("action", "Killer Instinct")
    assert refusal.code == "DF-E14"
    assert "The Hand is empty" in str(refusal)


# -- DF-15.4, DF-10.3: Focus ----------------------------------------------------------------------


def fired(table_at: MakeTable, count: int, rolled: Sequence[int], **changes: Any) -> Any:
    """Albatros A has fired a Basic Attack from range 2 and holds so many tokens."""
    line = {"fighter": "albatros", "pilot": "loewenhardt", "tokens": count}
    enemy = {"fighter": "camel", "pilot": "maclaren", **changes.pop("B", {})}
    table = table_at("engagement", A=line, B=enemy, **changes).act("Basic Attack")
    return table.say("fire", list(rolled))


def test_df_15_4_one_token_rerolls_any_number_of_dice(table_at: MakeTable) -> None:
    """The token is paid, the dice are named, only their new values count."""
    table = fired(table_at, 2, [1, 6])
    assert isinstance(table.question("fire/again-1"), RollAgain)
    assert table.names("fire/again-1") == ["keep", "Focus 1", "Focus 6", "Focus 1 6"]
    table.say("fire/again-1", "1")
    assert table.player("A").tokens == 1
    assert str(table.last.cite) == "DF-10.3, DF-15.4"
    roll = table.question("fire/again-1/dice")
    assert isinstance(roll, Roll)
    assert roll.dice == 1
    table.say("fire/again-1/dice", [5])
    assert list(table.position.dice) == [5, 6]


def test_df_15_4_as_often_as_tokens_last(table_at: MakeTable) -> None:
    """Two tokens: twice; then nothing more is asked."""
    table = fired(table_at, 2, [1, 1])
    for again in (1, 2):
        table.say(f"again-{again}", "Focus")
        table.say(f"again-{again}/dice", [1, 1])
    assert (table.player("A").tokens, table.asked) == (0, ["turn-7/1/momentum/A"])


def test_df_15_4_at_least_one_die_is_named(table_at: MakeTable) -> None:
    """A die that does not lie there is none; to name none of them keeps them all, unpaid."""
    table = fired(table_at, 1, [1, 1])
    assert "No die shows 3" in table.refused("again-1", "Focus 3").text
    assert "No more die shows 1" in table.refused("again-1", ["1", "1", "1"]).text
    assert table.say("again-1", []).player("A").tokens == 1


def test_df_15_4_silence_keeps_the_dice(table_at: MakeTable) -> None:
    """Focus is optional."""
    table = fired(table_at, 1, [6, 2])
    assert table.question("again-1").lapse == "keep"
    assert table.say("again-1", "keep").player("A").tokens == 1


def test_df_15_4_without_a_token_nothing_is_asked(table_at: MakeTable) -> None:
    """The dice lie as they lie."""
    assert fired(table_at, 0, [1, 6]).asked == ["turn-7/1/evade"]


def test_df_15_4_on_evasion_rolls_in_anothers_turn(table_at: MakeTable) -> None:
    """The owner of the roll pays, whoever's turn it is; the attacker may not pay for it."""
    table = fired(table_at, 0, [6, 6], B={"tokens": 1}).say("evade", "Evasive Climb")
    table.say("evasion", [1, 1])
    assert table.question("evasion/again-1").by == "B"
    table.say("evasion/again-1", "Focus").say("again-1/dice", [4, 4])
    assert (table.player("B").tokens, table.piles("B")["damage"]) == (0, 2)
    table = fired(table_at, 1, [6, 6]).say("evade", "Evasive Climb")
    assert table.say("evasion", [1, 1]).asked == ["turn-7/1/momentum/A"]


def test_ruling_13_attack_dice_are_closed_once_placed(table_at: MakeTable) -> None:
    """When the target is asked, the attacker's tokens buy nothing any more."""
    table = fired(table_at, 3, [1, 6]).say("fire/again-1", "keep")
    assert table.asked == ["turn-7/1/evade"]


def test_opt_18_focus_after_placement(table_at: MakeTable) -> None:
    """By house rule dice may be rolled again after they were placed, until the target answers."""
    options = {"focus_after_placement": True}
    table = fired(table_at, 1, [1, 6], options=options).say("fire/again-1", "keep")
    assert table.position.gunsight == 1
    assert table.asked == ["turn-7/1/fire/placed-1"]
    table.say("placed-1", "Focus").say("placed-1/dice", [5])
    assert table.position.gunsight == 2
    assert "2 dice on the Gunsight" in table.last.text
    assert table.asked == ["turn-7/1/evade"]


def test_opt_18_placement_tokens_look_at_the_last_dice(table_at: MakeTable) -> None:
    """MacLaren's token is for all dice as they count in the end.  (RULING 27)"""
    table = table_at("engagement", A={"tokens": 1}, options={"focus_after_placement": True})
    table.act("Basic Attack").say("fire", [6, 1]).say("fire/again-1", "keep")
    assert table.player("A").tokens == 1
    table.say("placed-1", "Focus").say("placed-1/dice", [4])
    assert (table.player("A").tokens, table.position.gunsight) == (1, 2)


# -- DF-15.5, RULING 14, RULING 15: Regroup -------------------------------------------------------


def test_df_15_5_two_random_cards_of_the_discard_pile(table_at: MakeTable) -> None:
    """Discard minus 2, Hand plus 2, two tokens paid; shuffled first, then carried unseen."""
    table = tokens(table_at, 3).act("Regroup")
    assert table.player("A").tokens == 1
    assert table.piles("A") == {"deck": 9, "hand": 7, "discard": 2, "damage": 2}
    ruling = table.said("regroups")
    shuffle, carry = ruling.deeds
    assert (shuffle.source, shuffle.count, shuffle.target) == ("discard", 4, "discard")
    assert (carry.source, carry.count, carry.target) == ("discard", 2, "hand")
    assert str(ruling.cite) == "DF-15.5, DF-15.7, RULING 14, RULING 15"
    assert ruling.headline == "Player A: regroup 2"


def test_ruling_14_regroup_leaves_the_damage_pile_alone(table_at: MakeTable) -> None:
    """Its printed last sentence is Emergency Repair's."""
    assert tokens(table_at, 2).act("Regroup").piles("A")["damage"] == 2


@pytest.mark.parametrize(("damage", "discard"), [(2, 4), (1, 4), (0, 4), (4, 1)])
def test_ruling_14_the_house_may_take_the_last_sentence_at_its_word(
    table_at: MakeTable, damage: int, discard: int
) -> None:
    """Two random cards first, then the whole Damage Pile face up; all 20 cards are still there."""
    lines = {"damage": damage, "discard": discard, "deck": 15 - damage - discard}
    options = {"regroup_empties_damage": True}
    table = tokens(table_at, 2, A=lines, options=options).act("Regroup")
    taken = min(2, discard)
    piles = table.piles("A")
    assert sum(piles.values()) == 20
    assert piles == {
        "deck": 15 - damage - discard, "hand": 5 + taken, "discard": discard - taken + damage,
    }  # fmt: skip
    ruling = table.said("regroups")
    assert [deed.source for deed in ruling.deeds] == [
        "discard", "discard", *(["damage"] if damage else []),
    ]  # fmt: skip
    assert ("of the Damage Pile face up onto it." in ruling.text) is (damage > 0)
    assert "(House rule: regroup_empties_damage" in ruling.text
    assert table.question("regrouped").most == discard - taken + damage


@pytest.mark.parametrize(("pile", "taken"), [(1, 1), (2, 2)])
def test_ruling_15_regroup_takes_what_there_is(table_at: MakeTable, pile: int, taken: int) -> None:
    """One card: one. Nothing stays face up then, and nothing is asked."""
    table = tokens(table_at, 2, A={"discard": pile, "deck": 13 - pile}).act("Regroup")
    assert table.piles("A")["hand"] == 5 + taken
    assert ("1 random card " in table.said("regroups").text) is (taken == 1)
    assert table.asked == ["turn-7/2/action"]


def test_ruling_15_regroup_of_nothing_is_refused(table_at: MakeTable) -> None:
    """The refusal names the pile; no token is lost."""
    table = tokens(table_at, 2, A={"discard": 0, "deck": 13})
    assert "Regroup" not in table.names("action")
    refusal = table.refused("action", "Regroup")
    assert refusal.code == "DF-E14"
    assert "needs a card in the Discard Pile" in str(refusal)
    assert 15 in refusal.cite.rulings


def test_df_15_5_regroup_costs_two(table_at: MakeTable) -> None:
    """One short."""
    table = tokens(table_at, 1)
    assert "Regroup" not in table.names("action")
    refusal = table.refused("action", "regroup")
    assert refusal.code == "DF-E15"
    assert "Regroup costs 2 tokens; you have 1." in str(refusal)


def test_df_15_5_any_number_of_times(table_at: MakeTable) -> None:
    """As long as tokens and cards last."""
    table = tokens(table_at, 4).act("Regroup").say("regrouped", [0] * 6).act("Regroup")
    assert (table.piles("A")["hand"], table.player("A").tokens) == (9, 0)


# -- DF-15.6, RULING 15: Emergency Repair ---------------------------------------------------------


def repaired(table_at: MakeTable, damage: int, back: int) -> Any:
    """A has three tokens and so many damage cards, and shuffles so many into the Deck."""
    table = tokens(table_at, 3, A={"damage": damage, "deck": 11 - damage})
    return table.act("Emergency Repair").say("repaired", back)


def test_df_15_6_up_to_three_into_the_deck_the_rest_face_up(table_at: MakeTable) -> None:
    """Deck plus c, Discard plus the rest, Damage 0, in the order of hands."""
    table = repaired(table_at, 5, 3)
    assert table.player("A").tokens == 0
    assert table.piles("A") == {"deck": 9, "hand": 5, "discard": 6}
    ruling = table.said("repairs")
    back, shuffle, out = ruling.deeds
    assert (back.source, back.count, back.target) == ("damage", 3, "deck")
    assert (shuffle.source, shuffle.count, shuffle.target) == ("deck", 9, "deck")
    assert (out.source, out.count, out.target) == ("damage", 2, "discard")
    assert "3 cards into the Deck, which has 9; 2 face up" in ruling.text


@pytest.mark.parametrize("back", [0, 1, 2, 3])
def test_df_15_6_fewer_may_be_chosen(table_at: MakeTable, back: int) -> None:
    """Up to three: none is a choice too, and one is "1 card"."""
    table = repaired(table_at, 5, back)
    assert table.piles("A") == {"deck": 6 + back, "hand": 5, "discard": 4 + 5 - back}
    assert ("1 card into" in table.said("repairs").text) is (back == 1)


def test_df_15_6_four_are_too_many(table_at: MakeTable) -> None:
    """The limit is the rule's, or the pile's if that is smaller."""
    table = tokens(table_at, 3, A={"damage": 5, "deck": 6}).act("Emergency Repair")
    refusal = table.refused("repaired", 4)
    assert refusal.code == "DF-COUNT"
    assert "4 cards are too many. 0 to 3 may be taken." in str(refusal)
    table = tokens(table_at, 3, A={"damage": 1, "deck": 10}).act("Emergency Repair")
    assert "0 to 1 may be taken" in str(table.refused("repaired", 2))
    for wrong in (-1, "two", 1.5, None, [1]):
        table.refused("repaired", wrong)


def test_ruling_15_repair_of_nothing_is_refused(table_at: MakeTable) -> None:
    """It needs a card in the Damage Pile."""
    table = tokens(table_at, 3, A={"damage": 0, "deck": 11})
    assert "Emergency Repair" not in table.names("action")
    refusal = table.refused("action", "Emergency Repair")
    assert refusal.code == "DF-E14"
    assert "needs a card in the Damage Pile" in str(refusal)


def test_df_15_6_repair_costs_three(table_at: MakeTable) -> None:
    """One short."""
    refusal = tokens(table_at, 2).refused("action", "emergency-repair")
    assert refusal.code == "DF-E15"
    assert "Emergency Repair costs 3 tokens; you have 2." in str(refusal)


def test_df_16_1_repair_averts_a_crash(table_at: MakeTable) -> None:
    """The only cure of an empty Deck: with a card in it the turn ends without a crash."""
    table = tokens(table_at, 3, A={"deck": 0, "damage": 2, "discard": 13})
    table.act("Emergency Repair").say("repaired", 1).say("repaired-shown", [0] * 6)
    table.act("Turning Maneuver").say("fly", "0,0 N").act("end turn")
    assert (table.match.outcome, table.position.active) == (None, "B")
