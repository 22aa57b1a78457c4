"""Phase 2: three maneuvers, met or beaten one by one.  (TS-201 to TS-225)"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]


def test_ts_201_the_first_maneuver_is_the_printed_one(at: MakeTable) -> None:
    """Pointed out, not played: no card leaves the hand, and nobody is asked what it is."""
    table = at("after-defender").say("pass")
    assert (table.step, table.cards("A")) == ("instead-answer-1", 5)
    assert table.position.attack_value() == 5
    assert table.position.played[0].shown
    assert str(table.said("5 is to be met").cite) == "TS-201, TS-225"


@pytest.mark.parametrize("raw", ["Swoop", "7", "7 1 0"])
def test_ts_225_a_card_of_the_hand_is_no_first_maneuver(raw: str, at: MakeTable) -> None:
    """Nor has the attacker a window before it: who names one is told what the first is."""
    table = at("attack-1")
    refusal = table.match.rulebook.not_asked("A", raw, table.question)
    assert (refusal.code, str(refusal.cite)) == ("TS-E-FIRST", "TS-201, TS-225")
    assert "first maneuver is the one printed on Pilot card" in refusal.text
    assert table.match.rulebook.not_asked("A", "pass", table.question).code == "TS-E-WHO"


@pytest.mark.parametrize(("exchange", "needed"), [(1, 5), (2, 8), (3, 9)])
def test_ts_203_207_211_each_answer_meets_or_beats_its_own_attack(
    exchange: int, needed: int, at: MakeTable
) -> None:
    """TS-221, TS-222, TS-223: one less is refused, a tie is good."""
    table = at(f"answer-{exchange}")
    refused = table.refused(str(needed - 1))
    assert refused.code == "TS-E-LOW"
    assert f"{needed} or more is needed" in refused.text
    assert str(needed - 1) not in table.names()
    hand = table.cards("B")
    table.say(str(needed))
    assert (table.cards("B"), table.cards("B", "maneuvers")) == (hand - 1, exchange)
    follows = {1: "instead-attack-2", 2: "instead-attack-3", 3: "lost-attacker"}
    assert table.step == follows[exchange]


@pytest.mark.parametrize("exchange", [1, 2, 3])
def test_ts_224_the_defender_may_concede_although_able(exchange: int, at: MakeTable) -> None:
    """Phase 3a."""
    table = at(f"answer-{exchange}").say("concede")
    assert (table.step, table.position.winner) == ("won-attacker", "attacker")
    own = {1: "TS-203", 2: "TS-207", 3: "TS-211"}[exchange]
    assert [str(ruling.cite) for ruling in table.cited("TS-224")] == [f"{own}, TS-224"] * 2
    at_once = at(f"instead-answer-{exchange}").say("concede")
    assert [str(ruling.cite) for ruling in at_once.cited("TS-224")] == [f"{own}, TS-224"] * 2


def test_ts_205_and_209_the_attacker_plays_a_card_of_the_hand(at: MakeTable) -> None:
    """By title, by its three numbers, or by value with Damage and Draw asked."""
    table = at("attack-2").say("Swoop")
    assert (table.step, table.position.attack_value(), table.cards("A")) == (
        "instead-answer-2", 3, 4,
    )  # fmt: skip
    assert "(assumed figure)" in table.said("attacks with Swoop").text
    assert at("attack-3").say("7 2 1").position.damage_total() == 4
    bare = at("attack-2").say("7")
    assert bare.asked == ["dogfight-1/attack-2/damage"]
    bare.say(2, 3)
    assert (bare.position.damage_total(), bare.position.draw_total()) == (3, 4)


def test_an_attack_may_be_lower_than_the_one_before(at: MakeTable) -> None:
    """Only the answer is compared, and only with its own attack.  (TS-222)"""
    table = at("attack-3").say("1 0 0", "pass", "1")
    assert table.position.winner == "defender"


def test_ts_212_the_third_maneuver_met_is_the_defenders_win(at: MakeTable) -> None:
    """Phase 3b."""
    table = at("answer-3").say("13")
    assert (table.step, table.position.winner) == ("lost-attacker", "defender")
    assert table.cited("TS-212")


def test_ruling_7_the_attacker_may_stop_and_has_lost(at: MakeTable) -> None:
    """The last maneuver was met: phase 3b."""
    for step, own in (("attack-2", "TS-205"), ("attack-3", "TS-209")):
        table = at(step).say("stop")
        assert (table.step, table.position.winner) == ("lost-attacker", "defender")
        assert str(table.said("plays no further maneuver").cite) == f"{own}, RULING 7"


def test_ruling_7_the_house_may_let_only_who_is_unable_stop(at: MakeTable) -> None:
    """`attacker_may_stop` only_if_unable."""
    table = at("attack-2", ATTACKER_MAY_STOP="only_if_unable")
    assert table.refused("stop").code == "TS-E-MUST"
    assert "stop" not in table.names()
    assert at("attack-2", ATTACKER_MAY_STOP="only_if_unable", A={"hand": 0}).say("stop")


@pytest.mark.parametrize(("step", "seat"), [("answer-1", "B"), ("attack-2", "A")])
def test_an_empty_hand_plays_no_maneuver(step: str, seat: str, at: MakeTable) -> None:
    """TS-E-HAND; conceding or stopping is all that is left."""
    table = at(step, **{seat: {"hand": 0}})
    refusal = table.refused("13")
    assert refusal.code == "TS-E-HAND"
    assert refusal.cite.rules == ({"B": "TS-203", "A": "TS-205"}[seat],)
    assert len(table.names()) == 1


@pytest.mark.parametrize("step", ["answer-1", "attack-2"])
@pytest.mark.parametrize("raw", ["0", 0, "14", 14, "-3", "99 1 1"])
def test_ruling_6_values_go_from_1_to_13(step: str, raw: Any, at: MakeTable) -> None:
    """TS-E-VALUE."""
    assert at(step).refused(raw).code == "TS-E-VALUE"


def test_ruling_9_the_lucky_shot_answers_anything(at: MakeTable) -> None:
    """`lucky_shot_defence` meets_any; as an attack it is a 1."""
    table = at("answer-3").say("Lucky Shot")
    assert table.position.winner == "defender"
    assert at("attack-2").say("Lucky Shot").position.attack_value() == 1
    assert at("answer-1").refused("1").code == "TS-E-LOW"


def test_ruling_9_the_house_may_take_the_lucky_shot_for_a_one(at: MakeTable) -> None:
    """`lucky_shot_defence` value_1."""
    refused = at("answer-1", LUCKY_SHOT_DEFENCE="value_1").refused("Lucky Shot")
    assert refused.code == "TS-E-LOW"
    assert refused.cite.rulings == (9,)
