"""The order of every question and ruling of an attack and of a Maneuver Action.  (DF-25)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]
Answer = tuple[str, Any]


def story(table: Any, *answers: Answer) -> list[str]:
    """What was asked of whom and what was ruled upon, in order: "B? evade", "B! DF-13.3".

    Each answer goes to the one question that is open; the last line is what waits then.
    """
    told, said = list[str](), len(table.rulings)
    for tail, raw in answers:
        assert [key for key in table.asked if key.endswith(tail)] == table.asked, (tail, told)
        told.append(f"{table.question(tail).by}? {tail}")
        table.say(tail, raw)
        told += [f"{ruling.by}! {ruling.cite.rules[0]}" for ruling in table.rulings[said:]]
        said = len(table.rulings)
    waits = ("/".join(key.split("/")[1:]) for key in table.asked)
    return [*told, f"then {', '.join(waits)}"]


# -- Attack ---------------------------------------------------------------------------------------


def test_df_25_basic_attack_with_all_that_can_come_before_the_damage(table_at: MakeTable) -> None:
    """Fonck's roll, Fire, Focus, placing, his token, evasion, its tokens, Damage, Momentum."""
    table = table_at(
        "engagement", A={"fighter": "spad", "pilot": "fonck", "tokens": 1, "place": "0,0 N"},
        B={"fighter": "albatros", "pilot": "richthofen", "place": "0,-2 N"},
    )  # fmt: skip
    assert story(
        table, ("action", "Basic Attack"), ("sharpshooter", [5]),
        ("fire", [1, 5, 6, 1]), ("fire/again-1", "1"),
        ("again-1/dice", [5]), ("evade", "Evasive Dive"), ("evasion", [5]),
        ("momentum/A", "0,-1 N"),
    ) == [
        "A? action",
        "A? sharpshooter", "A! DF-18.4.A",  # 2: pre-roll
        "A? fire",  # 3: Fire, rerolls, final values
        "A? fire/again-1", "A! DF-10.3", "A? again-1/dice",
        "A! DF-11.3", "A! DF-18.4.A",  # 4: placed, and the token for it at once
        "B? evade", "B! DF-17.3.E2",  # 5: a card is played,
        "B? evasion", "B! DF-17.3.E2",  # rolled, dice removed,
        "B! DF-18.1.A", "B! DF-17.3.E2", "B! DF-4.5",  # Red Baron's token, the card's, discarded
        "B! DF-11.5",  # 6: Damage
        "A? momentum/A", "A! DF-11.6",  # 8
        "then 2/action",  # 12
    ]  # fmt: skip


def test_df_25_basic_attack_with_all_that_moves_after_the_damage(table_at: MakeTable) -> None:
    """Momentum with its tokens, Red Baron and his Turns, last the evader."""
    table = table_at(
        "engagement", A={"fighter": "fokker", "pilot": "richthofen", "place": "0,-1 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "0,-2 N"},
    )  # fmt: skip
    table.adjust(A__place="0,-2 N", B__place="0,-4 N")
    assert story(
        table, ("action", "Basic Attack"), ("fire", [5, 6]), ("evade", "Evasive Climb"),
        ("evasion", [6, 2]), ("momentum/A", "0,-3 N"), ("red-baron", [4]),
        ("red-baron/again-1", "Focus"), ("again-1/dice", [6]), ("red-baron-turns/A", "0,-3 SE"),
        ("dead six/B", "-1,-3 SE"),
    ) == [
        "A? action", "A? fire", "A! DF-11.3",
        "B? evade", "B! DF-17.2.E1", "B? evasion", "B! DF-17.2.E1", "B! DF-17.2.E1", "B! DF-4.5",
        "B! DF-11.5",  # 6
        "A? momentum/A", "A! DF-11.6", "A! DF-9.9",  # 8: Momentum, then its Tactical Position
        "A? red-baron", "A? red-baron/again-1", "A! DF-10.3", "A? again-1/dice",  # 9: with Focus
        "A? red-baron-turns/A", "A! DF-18.1.A",
        "B? dead six/B", "B! DF-13.4",  # 11, from where the attacker looks now
        "then 2/action",
    ]  # fmt: skip


def test_df_25_special_attack_with_both_dead_sixes(table_at: MakeTable) -> None:
    """Tokens first; no Momentum; the Albatros's own move, then the evader's.  (RULING 29)"""
    table = table_at(
        "engagement",
        A={"fighter": "albatros", "pilot": "loewenhardt", "tokens": 2, "place": "0,1 N"},
        B={"fighter": "camel", "pilot": "maclaren", "place": "0,0 N"},
    )  # fmt: skip
    assert story(
        table, ("action", "Second Guns"), ("fire", [3, 3]), ("evade", "Evasive Dive"),
        ("evasion", [6]), ("dead six/A", "1,0 NW"), ("dead six/B", "2,0 NW"),
    ) == [
        "A? action", "A! DF-17.3.S2",  # 1: paid
        "A? fire", "A! DF-17.3.S2",  # 3, 4
        "B? evade", "B! DF-17.2.E2", "B? evasion", "B! DF-17.2.E2", "B! DF-17.2.E2", "B! DF-4.5",
        "B! DF-17.3.S2",  # 6: Damage
        "A? dead six/A", "A! DF-17.3.S2",  # 10
        "B? dead six/B", "B! DF-13.4",  # 11
        "then 2/action",
    ]  # fmt: skip


def test_df_25_passing_rolls_for_heart_of_iron_before_the_damage(table_at: MakeTable) -> None:
    """Step 5, rerolls included; then 6."""
    table = table_at(
        "engagement", A={"fighter": "camel", "pilot": "maclaren"},
        B={"fighter": "albatros", "pilot": "loewenhardt", "tokens": 1},
    )  # fmt: skip
    assert story(
        table, ("action", "Basic Attack"), ("fire", [4, 5]), ("evade", "pass"),
        ("heart-of-iron", [2]), ("heart-of-iron/again-1", "Focus"), ("again-1/dice", [3]),
        ("momentum/A", "0,0 N"),
    ) == [
        "A? action", "A? fire", "A! DF-11.3", "A! DF-18.2.A",
        "B? evade", "B? heart-of-iron", "B? heart-of-iron/again-1", "B! DF-10.3", "B? again-1/dice",
        "B! DF-18.3.A", "B! DF-11.5",
        "A? momentum/A", "A! DF-11.6",
        "then 2/action",
    ]  # fmt: skip
    assert table.player("B").tokens == 1


def test_df_25_lewis_guns_discard_in_place_of_the_damage(table_at: MakeTable) -> None:
    """Step 6: cards leave the Hand, may be named, and the attack is over."""
    table = table_at("engagement", A={"tokens": 2})
    assert story(
        table, ("action", "Lewis Guns"), ("fire", [5, 6, 1, 1]), ("evade", "pass"),
        ("lewis", [0] * 6),
    ) == [
        "A? action", "A! DF-17.2.S2", "A? fire", "A! DF-17.2.S2",
        "B? evade", "B! DF-17.2.S2", "B? lewis", "then 2/action",
    ]  # fmt: skip


def test_df_25_a_crash_then_spoils_then_momentum(table_at: MakeTable) -> None:
    """Step 6 with several: Damage, crash, removal, Spoils of War; then 8.  (RULING 33)"""
    table = table_at("engagement", "battle-royale", players="ABCD",
                     B={"deck": 1, "hand": 0, "box": 13})  # fmt: skip
    assert story(
        table, ("action", "Basic Attack fokker"), ("fire", [6, 6]), ("momentum/A", "0,0 N"),
    ) == [
        "A? action", "A? fire", "A! DF-11.3", "A! DF-18.2.A",
        "B! DF-11.5", "B! DF-12.2", "B! DF-19.2", "A! DF-22.4",
        "A? momentum/A", "A! DF-11.6", "then 2/action",
    ]  # fmt: skip


def test_df_25_a_wingman_shot_down_then_the_leaders_reward(table_at: MakeTable) -> None:
    """Step 6 in Entente vs Central Powers: new Deck, next turn, reward; then 8."""
    table = table_at(
        "engagement", "entente-vs-central-powers", players="ABCD",
        A={"fighter": "fokker", "pilot": "richthofen", "place": "0,1 N"},
        B={"fighter": "spad", "pilot": "fonck", "place": "4,0 NW"},
        C={"fighter": "albatros", "pilot": "loewenhardt", "place": "-3,0 SE"},
        D={"fighter": "camel", "pilot": "maclaren", "place": "0,-1 N", "deck": 1, "hand": 0,
           "box": 13},
    )  # fmt: skip
    assert story(
        table, ("action", "Basic Attack camel"), ("fire", [6, 6]), ("reward-A", 1),
        ("momentum/A", "0,0 N"), ("red-baron", [1]),
    ) == [
        "A? action", "A? fire", "A! DF-11.3",
        "D! DF-11.5", "D! DF-12.2", "D! DF-24.4", "B! DF-24.4",
        "A? reward-A", "A! DF-24.6",
        "A? momentum/A", "A! DF-11.6", "A? red-baron", "A! DF-18.1.A", "then 2/action",
    ]  # fmt: skip


@pytest.mark.parametrize("answer", ["Basic Maneuver", "Killer Instinct", "Regroup", "end turn"])
def test_ruling_28_nothing_else_breaks_into_an_attack(table_at: MakeTable, answer: str) -> None:
    """While the target is asked, and while Momentum is due, the menu is not there."""
    table = table_at("engagement", A={"tokens": 5}).act("Basic Attack").say("fire", [1, 6])
    table.say("fire/again-1", "keep")
    assert table.asked == ["turn-7/1/evade"]
    table.refused("evade", answer)
    table.say("evade", "pass")
    assert table.asked == ["turn-7/1/momentum/A"]
    table.refused("momentum/A", answer)


def test_ruling_28_a_roll_takes_dice_and_nothing_else(table_at: MakeTable) -> None:
    """Pilot actions and Tactic Cards wait until the attack is over."""
    table = table_at("engagement").act("Basic Attack")
    for answer in ("Northern Falcon", "Killer Instinct", "Emergency Repair"):
        table.refused("fire", answer)


# -- Maneuver Action ------------------------------------------------------------------------------


def test_df_25_maneuver_with_repeat_and_pilots_turn(table_at: MakeTable) -> None:
    """Card, steps, tokens, condition with rerolls, repeat, its tokens, pilot, card aside."""
    table = table_at(
        "engagement",
        A={"fighter": "camel", "pilot": "maclaren", "side": "B", "place": "2,1 N"},
        B={"place": "-4,0 NE"},
    )  # fmt: skip
    assert story(
        table, ("action", "High-speed Maneuver"), ("fly", "3,0 NE"), ("condition", [1]),
        ("condition/again-1", "free reroll"), ("again-1/dice", [2]), ("again-2", "Focus"),
        ("again-2/dice", [3]), ("repeat", "3,-3 NW"), ("pilot/A", "3,-3 N"),
    ) == [
        "A? action", "A! DF-17.2.M2", "A? fly", "A! DF-17.2.M2",
        "A! DF-9.9",  # tokens of the landing may pay a Focus
        "A? condition", "A? condition/again-1", "A! DF-10.4", "A? again-1/dice",
        "A? again-2", "A! DF-10.3", "A? again-2/dice",
        "A? repeat", "A! DF-17.2.M2", "A! DF-9.9",
        "A? pilot/A", "A! DF-18.2.B",
        "A! DF-4.5", "then 2/action",
    ]  # fmt: skip


# -- End of turn ----------------------------------------------------------------------------------


def test_df_25_the_deck_is_looked_at_after_all_actions(table_at: MakeTable) -> None:
    """Maneuver done, an attack after it, then the end: only there an empty Deck is fatal."""
    table = table_at(
        "engagement", A={"deck": 0, "box": 9, "place": "0,2 N"}, B={"hand": 0, "box": 5}
    )  # fmt: skip
    assert story(
        table, ("action", "Turning Maneuver"), ("fly", "0,1 N"), ("action", "Basic Attack"),
        ("fire", [1, 1]), ("momentum/A", "0,0 N"), ("action", "end turn"),
    ) == [
        "A? action", "A! DF-17.2.M3", "A? fly", "A! DF-17.2.M3", "A! DF-4.5",
        "A? action", "A? fire", "A! DF-11.3", "A? momentum/A", "A! DF-11.6",
        "A? action", "A! DF-5.2", "then ",
    ]  # fmt: skip
    assert table.match.outcome.winners == ("B",)
