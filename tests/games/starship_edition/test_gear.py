"""Equipped cards copy by copy, and changes that last for one attack.  (SE-R12, SE-R14, SE-R16)"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

MakeTable = Callable[..., Any]


def modify(stat: str, amount: int, **more: Any) -> dict[str, Any]:
    """An operation that changes a quantity."""
    return {"op": "modify", "stat": stat, "amount": amount, **more}


def gear(*effects: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A card that stays on its vessel, and what it does as long as it is there."""
    return {"title": "Tube", "type": "EQUIP", "form": "gear", "duration": "while_equipped",
            "effects": [*effects], **more}  # fmt: skip


def star(window: str, duration: str, *effects: dict[str, Any]) -> dict[str, Any]:
    """A card that is played from the hand."""
    return {"title": "Trick", "type": "INTERVENE", "form": "star", "windows": [window],
            "duration": duration, "effects": [*effects]}  # fmt: skip


def stat(table: Any, seat: str, name: str) -> int:
    """A quantity of a vessel, as the rules count with it."""
    return int(table.match.rulebook.stat(seat, name))


THREE_SET = [{"action": "set", "primary": "?"}] * 3
MANY = {"tiers": THREE_SET}
ARMOUR = modify("armour", 1)


def test_se_r12_a_second_copy_of_one_title_adds_nothing(table_at: MakeTable) -> None:
    """It stays in its tier and is discarded; its armour does not count either."""
    table = table_at("tier-sequence", A=MANY).say("G-PLATE", "G-PLATE", "G-PLATE")
    assert table.player("A").gear == ["G-PLATE"]
    assert stat(table, "A", "armour") == 1
    assert table.say("no", "no").player("A").discard == ["G-PLATE"] * 3
    assert stat(table, "A", "armour") == 0


def test_se_r16_each_copy_is_renewed_and_takes_its_own_effect_along(table_at: MakeTable) -> None:
    """`unique_on_vessel` false: one is paid for, the other expires with what it did alone."""
    either = {"op": "choose", "of": [ARMOUR, modify("attack", 2)]}
    card = gear(either, unique_on_vessel=False, upkeep=[{"pay": "energy"}])
    table = table_at("tier-sequence", A=MANY, cards={"cards": {"TUBE": card}})
    table.say("TUBE", "1", "TUBE", "2", "G-CHARGE")
    assert table.player("A").gear == ["TUBE", "TUBE #2"]
    assert (stat(table, "A", "armour"), stat(table, "A", "attack")) == (1, 5)
    table.say(["renewal TUBE", "renewal TUBE #2"], "no", "yes")
    assert table.player("A").gear == ["TUBE #2"]
    assert table.player("A").discard[-1:] != ["TUBE #2"]
    assert (stat(table, "A", "armour"), stat(table, "A", "attack")) == (0, 5)
    assert table.player("A").energy == 4


@pytest.mark.parametrize("how", ["expires", "is destroyed"])
def test_se_r16_gear_that_weakens_another_vessel_ends_with_it(
    table_at: MakeTable, how: str
) -> None:
    """B shoots with 1 as long as A has the card, and with 3 when it is gone."""
    card = gear(modify("attack", -2, vessel="one"), upkeep=[{"pay": "energy"}])
    own = {"cards": {"JAM": card, "DOOM": {"title": "Doom", "type": "ATTACK", "effects": [
        {"op": "damage", "vessel": "this", "amount": 50}]}}}  # fmt: skip
    tiers = [*THREE_SET[:2], {"action": "pass"}]
    table = table_at("tier-sequence", players="ABC", A={"tiers": tiers}, cards=own)
    table.say("JAM", "B")
    assert (stat(table, "B", "attack"), stat(table, "A", "attack")) == (1, 3)
    table.say("DOOM") if how == "is destroyed" else table.say("G-CHARGE", "no")
    assert stat(table, "B", "attack") == 3
    assert table.said("has attack -2 no longer").text.startswith("Player B")


def test_gear_of_two_players_on_one_vessel_ends_each_by_itself(table_at: MakeTable) -> None:
    """A's copy goes, B's goes on weakening C."""
    card = gear(modify("attack", -1, vessel="one"), upkeep=[{"pay": "energy"}])
    tiers = {"tiers": [*THREE_SET[:1], {"action": "pass"}, {"action": "pass"}]}
    table = table_at("tier-sequence", players="ABC", A=tiers, B=tiers,
                     cards={"cards": {"JAM": card}})  # fmt: skip
    table.say("JAM", "C", "JAM", "C")
    assert stat(table, "C", "attack") == 1
    table.say(["A", "B"], "no", "yes")
    assert stat(table, "C", "attack") == 2


def test_a_change_for_one_attack_is_over_after_it(tiers_at: MakeTable) -> None:
    """Two of armour in answer to the first of two attacks: 1 damage, then 3.  (SE-R14)"""
    own = {"cards": {"HIDE": star("response_target", "attack", modify("armour", 2))}}
    table = tiers_at(A=2, cards=own).say("G-TWIN", "G-SHOT", "done", "HIDE", "done")
    assert table.player("B").hull == 9
    table.say("done", "done")
    assert table.player("B").hull == 6
    assert table.player("B").modifiers == []


def test_a_change_for_one_attack_may_be_laid_before_it(tiers_at: MakeTable) -> None:
    """Of a card in a tier it is the next attack: power 4 for the first, 3 for the second."""
    ready = {"title": "Aim", "type": "ATTACK", "permits_secondary": {}, "effects": [
        modify("attack", 1, duration="attack"), {"op": "attack"}, {"op": "attack"}]}  # fmt: skip
    table = tiers_at(A=1, cards={"cards": {"AIM": ready}}).say("AIM", "done", "done")
    assert table.player("B").hull == 6
    assert table.say("done", "done").player("B").hull == 3


def test_armour_for_one_attack_waits_for_the_next_one_at_that_vessel(tiers_at: MakeTable) -> None:
    """B braces in tier 1 after its own attack; the next attack at it does 3 less, no other."""
    brace = {"title": "Brace", "type": "MOVE", "duration": "attack",
             "effects": [modify("armour", 3)]}  # fmt: skip
    twice = {"title": "Twice", "type": "ATTACK", "effects": [{"op": "attack"}, {"op": "attack"}]}
    table = tiers_at(B=1, A=1, priority="B", active="B",
                     cards={"cards": {"BRACE": brace, "TWICE": twice}})  # fmt: skip
    table.say("BRACE", "TWICE", "done", "done", "done", "done")
    assert table.player("B").hull == 7
    told = [one.headline.split(": ")[-1] for one in table.match.rulings if "damage" in one.text]
    assert told == ["no damage", "lose 3 hull"], "what hands do is no figure of nothing"


@pytest.mark.parametrize("duration", ["attack", "turn"])
def test_se_r14_an_addition_counts_for_its_attack_whatever_power_that_has(
    tiers_at: MakeTable, duration: str
) -> None:
    """A card of power 2 and 2 more: 4. The next one does 2: it does not use the vessel's attack."""
    shot = {"title": "Dart", "type": "ATTACK", "effects": [{"op": "attack", "power": 2}]}
    own = {"cards": {"DART": shot, "RAGE": star("attacker_modifier", duration,
                                                modify("attack", 2))}}  # fmt: skip
    table = tiers_at({"A": {"tiers": [*THREE_SET[:2], {"action": "pass"}]}}, cards=own)
    table.say("DART", "RAGE", "done", "done")
    assert table.player("B").hull == 6
    table.say("DART", "done", "done")
    assert table.player("B").hull == 4


def test_se_r14_a_change_of_this_turn_counts_for_the_attack_it_is_played_on(
    tiers_at: MakeTable,
) -> None:
    """Two more, for this attack and for the next one of the turn."""
    own = {"cards": {"RAGE": star("attacker_modifier", "turn", modify("attack", 2))}}
    table = tiers_at(A=2, cards=own).say("G-TWIN", "G-SHOT", "RAGE", "done", "done")
    assert table.player("B").hull == 5
    assert table.say("done", "done").player("B").hull == 0


def test_se_eot_01_a_change_for_an_attack_that_never_came_ends_with_the_turn(
    tiers_at: MakeTable,
) -> None:
    """Nobody attacked: nothing of it is left."""
    aim = {"title": "Aim", "type": "MOVE", "duration": "attack", "effects": [modify("attack", 1)]}
    table = tiers_at(A=1, cards={"cards": {"AIM": aim}}).say("AIM", "no")
    assert table.player("A").modifiers == []


def test_a_position_file_keeps_copies_and_what_waits_for_an_attack(table_at: MakeTable) -> None:
    """Two copies written as one name each are told apart when they are read."""
    card = {"cards": {"TUBE": gear(ARMOUR, unique_on_vessel=False)}}
    waits = [{"stat": "attack", "amount": 1, "until": "attack", "source": "Aim"}]
    table = table_at(A={"gear": ["TUBE", "TUBE"], "modifiers": waits}, cards=card)
    assert table.player("A").gear == ["TUBE", "TUBE #2"]
    assert table.match.position_file()["players"]["A"]["modifiers"] == waits


# -- an oracle beside random play ----------------------------------------------------------


class Model:
    """Two vessels and cards that may lie on them, counted by copies and by nothing else.

    Every copy is [owner, whom it changes, by how much, paid for].
    """

    def __init__(self) -> None:
        self.copies: list[tuple[str, str, int]] = []

    def attack(self, seat: str) -> int:
        """The attack of a vessel: 3, and what all copies that lie somewhere change."""
        return max(0, 3 + sum(amount for _, whom, amount in self.copies if whom == seat))


OWN = {"cards": {
    "TUBE": gear(modify("attack", 2), unique_on_vessel=False, upkeep=[{"pay": "energy"}]),
    "CORE": gear(modify("attack", 5), upkeep=[{"pay": "energy"}]),
    "JAM": gear(modify("attack", -1, vessel="one"), unique_on_vessel=False,
                upkeep=[{"pay": "energy"}]),
}}  # fmt: skip
CHANGES = {"TUBE": ("own", 2), "CORE": ("own", 5), "JAM": ("other", -1)}


@pytest.mark.parametrize("seed", range(12))
def test_gear_counts_as_a_model_of_copies_does(table_at: MakeTable, seed: int) -> None:
    """Turn after turn cards are equipped, renewed and lost at random: attack is as counted."""
    rng, model = Random(seed), Model()
    line = {"energy": 90, "hand": 30}
    table = table_at(A=line, B=line, cards=OWN)
    for _ in range(4):
        while table.question().key.split("/")[1] == "prepare":
            table.say("set" if "set" in table.names() else "end")
        while "tier-" in table.question().key:
            card, seat = rng.choice([*CHANGES]), str(table.question().by)
            table.say(card)
            whose, amount = CHANGES[card]
            whom = seat if whose == "own" else "AB".replace(seat, "")
            mine = [copy for copy in model.copies if copy[0] == seat and copy[2] == 5]
            if card != "CORE" or not mine:
                model.copies.append((seat, whom, amount))
            assert [stat(table, one, "attack") for one in "AB"] == [*map(model.attack, "AB")]
        while "discard/" in table.question().key:
            if table.question().key.endswith("order"):
                table.say(rng.sample(table.question().lapse, len(table.question().lapse)))
                continue
            keeps, prompt = rng.random() < 0.5, table.question().prompt
            seat = str(table.question().by)
            before = list(table.player(seat).gear)
            table.say("yes" if keeps else "no")
            if not keeps:
                (lost,) = set(before) - set(table.player(seat).gear)
                amount = CHANGES[lost.partition(" #")[0]][1]
                gone = next(c for c in model.copies if c[0] == seat and c[2] == amount)
                model.copies.remove(gone)
                assert "Tube" in prompt
            assert [stat(table, one, "attack") for one in "AB"] == [*map(model.attack, "AB")]
        table.say("no")
