"""Paragraphs that other tests only pass through, each in a test of its own name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]


@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_ts_win_01_only_the_player_named_and_only_cards_of_that_text(
    seat: str, at: MakeTable
) -> None:
    """Before PILOT cards are drawn: the attacker's window, with the one card that says so."""
    table = at("before-attacker", players=3)
    assert table.by == "A"
    assert table.names() == ["pass", "nobody", "Warm engine", "other card"]
    if seat == "A":
        assert table.say("Warm engine").position.skill("A") == 5
    else:
        assert table.refused(f"{seat}: Warm engine").code == "TS-E-WHO"
    assert table.refused("Second look").code == "TS-E-WINDOW"


@pytest.mark.parametrize(("value", "met"), [(7, False), (8, True), (9, True)])
def test_ts_221_an_equal_value_meets_a_lower_one_does_not(
    value: int, at: MakeTable, *, met: bool
) -> None:
    """The second attack is worth 8: a tie is good for the defender."""
    table = at("answer-2")
    if met:
        assert table.say(str(value)).step == "instead-attack-3"
    else:
        assert table.refused(str(value)).code == "TS-E-LOW"


def test_ts_222_an_answer_is_held_against_the_attack_of_its_own_exchange(at: MakeTable) -> None:
    """After an 8 and a 9 a 2 attacks: a 2 meets it, although it met neither of the others."""
    table = at("attack-3").say("2 0 0")
    assert "play a maneuver of 2 or more" in table.question.prompt
    assert table.say("2").position.winner == "defender"


def test_ts_223_a_lower_maneuver_is_never_played(at: MakeTable) -> None:
    """Refused, not laid: the card stays in the hand, and the same question stands."""
    table = at("answer-3")
    hand, asked = table.cards("B"), table.asked
    refused = table.refused("8")
    assert refused.code == "TS-E-LOW"
    assert "TS-223" in refused.cite.rules
    assert (table.cards("B"), table.asked) == (hand, asked)


@pytest.mark.parametrize(
    ("rule", "step", "seat"),
    [("TS-324", "end-attacker", "A"), ("TS-325", "end-defender", "B"),
     ("TS-326", "end-others", "C")],
)  # fmt: skip
def test_the_last_windows_where_the_defender_has_won(
    rule: str, step: str, seat: str, at: MakeTable
) -> None:
    """The same moment as in phase 3a, cited by the paragraphs of phase 3b."""
    table = at(step, players=3, winner="defender")
    assert table.by == seat
    assert rule in table.question.cite.rules
    hand = table.cards(seat)
    table.say("Homeward")
    assert table.cards(seat) == hand, "one card played, one drawn"
    assert rule not in at(step, players=3).question.cite.rules


def test_ts_326_the_others_come_in_turn_order_from_the_attacker(at: MakeTable) -> None:
    """C attacked B: D is the first of the others, then A."""
    table = at("end-others", players=4, turn_of="C", defender="B", winner="defender",
               played=[{"by": "C", "exchange": 1, "value": 5, "source": "pilot"}])  # fmt: skip
    asked = []
    while table.asked:
        asked.append(table.by)
        table.say("pass")
    assert asked == ["D", "A"]


def test_ts_328_the_defenders_win_has_no_reward_no_damage_and_no_draw(at: MakeTable) -> None:
    """Three attacks with Damage and Draw, a Pilot card with a reward: nothing of it happens."""
    table = at("answer-3").say("13")
    cargo = (table.cards("B", "packed"), table.cards("B", "open"))
    hands = (table.cards("A"), table.cards("B"))
    table.pass_on().say("A2").pass_on()
    assert (table.cards("B", "packed"), table.cards("B", "open")) == cargo
    assert (table.cards("A"), table.cards("B")) == (hands[0], hands[1] + 1)
    assert table.match.outcome.winners == ("B",)


def test_ruling_12_the_additional_damage_is_the_last(at: MakeTable) -> None:
    """Two printed ones come first, under TS-304; only the third is under TS-305."""
    double = {"title": "Ace", "value": 5, "damage": 2, "draw": 0, "source": "pilot"}
    table = at("damage", played=[{"by": "A", "exchange": 1, **double}], card="Ace")
    rules = []
    while "damage" in table.asked[0]:
        rules.append("TS-305" in table.question.cite.rules)
        table.say("hand")
    assert rules == [False, False, True]


def test_ruling_15_one_discard_pile_the_attackers_first_in_order_played(at: MakeTable) -> None:
    """Three of the attacker's, then three of the defender's, onto the common pile."""
    table = at("clean-up")
    carried = [(deed.owner, deed.count, deed.target) for deed in table.said("ends").deeds]
    assert carried == [("A", 3, "discard"), ("B", 3, "discard")]
    assert table.piles == (40, 16)


TABLE_OF_THE_BOOK = [
    "TS-103", "TS-104", "TS-105", "TS-106", "TS-107", "TS-108", "TS-109", "TS-110", "TS-111",
    "TS-201", "TS-202", "TS-203", "TS-204", "TS-205", "TS-206", "TS-207", "TS-208", "TS-209",
    "TS-210", "TS-211",
]  # fmt: skip
WON = ["TS-301", "TS-302", "TS-303", "TS-304", "TS-306", "TS-307", "TS-308", "TS-309", "TS-310"]
LOST = ["TS-212", "TS-321", "TS-322", "TS-323", "TS-324", "TS-325", "TS-326", "TS-327"]


@pytest.mark.parametrize(("last", "ends"), [("concede", WON), ("13", LOST)])
def test_the_whole_table_goes_by_in_the_order_of_the_book(
    last: str, ends: list[str], at: MakeTable
) -> None:
    """Every step with three players, asked or ruled: none left out, none before another."""
    table = at("start-attacker", players=3, A={"hand": 9}, B={"hand": 9}, WINDOWS="ask")
    seen: list[str] = []
    ruled = len(table.rulings)
    while table.asked:
        seen.append(table.question.cite.rules[0])
        names = table.names()
        lower = last if "answer-3" in table.asked[0] else "10 1 1"
        told = "defend" if "defend" in names else lower if table.by == "B" else "7 1 1"
        table.say("pass" if "pass" in names else told if "1" in names or "defend" in names or
                  "13" in names else names[0])  # fmt: skip
        seen += [rule for ruling in table.rulings[ruled:] for rule in ruling.cite.rules[:1]]
        ruled = len(table.rulings)
    steps = {*TABLE_OF_THE_BOOK, *ends}
    assert [*dict.fromkeys(rule for rule in seen if rule in steps)] == [*TABLE_OF_THE_BOOK, *ends]
