"""How many answers a turn takes: nothing is asked that has one legal answer.  (DF-5 to DF-10)"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

MakeTable = Callable[..., Any]
Answers = Sequence[tuple[str, Any]]

PLAIN: Answers = (("action", "Turning Maneuver"), ("fly", "0,0 N"), ("action", "end turn"))
"""A turn without an attack, from its first question to its last."""

ATTACK: Answers = (
    ("action", "Basic Attack"), ("fire", [1, 6]), ("fire/again-1", "Focus"),
    ("fire/again-1/dice", 5), ("evade", "Evasive Dive"), ("evasion", 3), ("momentum/A", "0,0 N"),
)  # fmt: skip
"""An attack with one Focus and an evasion, from the first question of its turn."""

MISS: Answers = (("action", "Basic Attack"), ("fire", [1, 1]), ("momentum/A", "0,0 N"))
"""An attack that hits nothing, by a player without tokens."""

FREE: Answers = (
    ("action", "Basic Attack"), ("fire", [1, 6]), ("fire/again-1", "free reroll"),
    ("fire/again-1/dice", 5), ("evade", "pass"), ("momentum/A", "0,0 N"),
)  # fmt: skip
"""The same with Northern Falcon's reroll, and nobody evades."""

TABLE: Sequence[tuple[str, Answers, int, int]] = (
    ("a plain turn", PLAIN, 4, 3),
    ("an attack with one Focus and an evasion", ATTACK, 10, 7),
    ("an attack that misses", MISS, 5, 3),
    ("an attack with a free reroll", FREE, 8, 6),
)
"""What is played, its answers, how many the first edition asked for, how many there are now."""


def played(table_at: MakeTable, answers: Answers) -> Any:
    """A turn of A, two spaces behind B, from its Assessment Phase on; every question is answered.

    Each answer is for the only question that is open: none is passed over.
    """
    pilot = {"pilot": "maclaren", "side": "B"} if answers is FREE else {"pilot": "loewenhardt"}
    tokens = 2 if answers is ATTACK else 0
    far = {"place": "3,0 N"} if answers is PLAIN else {}
    table = table_at("assessment", A={**pilot, "fighter": "albatros", "tokens": tokens},
                     B={"fighter": "camel", "pilot": "fonck", **far})  # fmt: skip
    for tail, raw in answers:
        assert [key for key in table.asked if key.endswith(tail)] == table.asked, (
            tail,
            table.asked,
        )
        table.say(tail, raw)
    return table


@pytest.mark.parametrize(("what", "answers", "before", "now"), TABLE, ids=[row[0] for row in TABLE])
def test_how_many_answers_it_takes(
    table_at: MakeTable, what: str, answers: Answers, before: int, now: int
) -> None:
    """The log has just these lines, and the turn is over or its attack is."""
    table = played(table_at, answers)
    given = [entry for entry in table.match.entries if entry.kind in ("answer", "lapse")]
    print(f"{what:42} {before:2} answers before, {len(given):2} now")  # noqa: T201
    assert len(given) == now < before
    assert table.asked[0].endswith("/action")


def test_df_5_1_engage_may_still_be_said(table_at: MakeTable) -> None:
    """As a word of its own it begins the same phase, with the same keys after it."""
    table = table_at("assessment", B={"place": "3,0 N"}).act("engage").act("Turning Maneuver")
    assert table.asked == ["turn-7/2/fly"]
    at_once = table_at("assessment", B={"place": "3,0 N"}).act("Turning Maneuver")
    assert at_once.asked == ["turn-7/2/fly"]
    assert at_once.position.stage == "engagement"
    assert at_once.position.digest() == table.position.digest()


def test_df_5_1_with_an_action_the_assessment_phase_is_over(table_at: MakeTable) -> None:
    """Tactical Improvisation is not to be had after it."""
    table = table_at("assessment").act("Killer Instinct")
    assert table.refused("action", "Tactical Improvisation").code == "DF-E14"


def test_df_7_1_nobody_is_asked_how_many_of_no_cards(table_at: MakeTable) -> None:
    """The discarded card was the last of the Hand, or the Deck has none to draw."""
    table = table_at("assessment", A={"hand": 1, "discard": 8}).act("Tactical Improvisation")
    assert table.say("improvised", "not named").player("A").tokens == 1
    assert not [key for key in table.asked if "shuffled" in key]


def test_df_13_2_nobody_is_asked_to_evade_an_empty_gunsight(table_at: MakeTable) -> None:
    """Unless the house rule says so; Heart of Iron rolls, for no evasion was made (RULING 26)."""
    heart = {"fighter": "albatros", "pilot": "loewenhardt"}
    table = table_at(B=heart).act("Basic Attack").say("fire", [1, 1])
    assert table.asked == ["turn-7/1/heart-of-iron"]


def test_df_11_6_the_only_space_of_a_momentum_is_told(table_at: MakeTable) -> None:
    """Of the others one is taken and one off the board: hands are told to fly there."""
    table = table_at(A={"place": "-3,-1 NE"}, B={"place": "-2,-2 NE"})
    table.act("Basic Attack").say("fire", [1, 1])
    flown = table.said("goes on to")
    assert not flown.quiet
    assert flown.deeds
    assert table.asked == ["turn-7/2/action"]


def test_df_8_5_a_turn_with_nothing_left_to_do_ends_by_itself(table_at: MakeTable) -> None:
    """No card, no token, no target, the pilot used: only its end is left."""
    table = table_at(A={"hand": 1, "discard": 8, "side": "B", "pilot": "fonck"},
                     B={"place": "3,0 N", "pilot": "maclaren"})  # fmt: skip
    table.act("Turning Maneuver").say("fly", "0,0 N")
    assert table.position.active == "B"
