"""Who speaks at another's step is told so by the rules, as the table of steps has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

MakeTable = Callable[..., Any]


@pytest.mark.parametrize(
    ("step", "seat", "code"),
    [
        ("announce", "B", "TS-E-TURN"), ("opponent", "B", "TS-E-WHO"),
        ("start-attacker", "C", "TS-E-WHO"), ("before-defender", "A", "TS-E-CLOSED"),
        ("end-attacker", "C", "TS-E-WHO"), ("end-defender", "A", "TS-E-CLOSED"),
        ("defend", "A", "TS-E-WHO"), ("draw-attacker", "B", "TS-E-ORDER"),
        ("draw-defender", "A", "TS-E-ORDER"), ("draw-won", "B", "TS-E-ORDER"),
        ("answer-1", "A", "TS-E-WHO"), ("attack-2", "B", "TS-E-WHO"), ("bounty", "A", "TS-E-WHO"),
    ],
)  # fmt: skip
def test_ts_win_01_each_step_has_its_player(step: str, seat: str, code: str, at: MakeTable) -> None:
    """Windows, draws and decisions of another: the code of the table, a cite, a way out."""
    table = at(step, players=3)
    refusal = table.match.rulebook.not_asked(seat, "9", table.question)
    assert refusal.code == code
    assert refusal.cite.rules or refusal.cite.rulings
    assert refusal.text.endswith(".")


def test_while_the_table_is_asked_nobody_is_out_of_turn(
    new_table: MakeTable, at: MakeTable
) -> None:
    """The set-up asks all of them; a seat that does not play is none."""
    table = new_table()
    assert table.match.rulebook.not_asked("B", "9", table.question) is None
    table = at("defend")
    assert table.match.rulebook.not_asked("D", "9", table.question) is None


def test_who_plays_a_card_waits_while_another_draws_for_it(at: MakeTable) -> None:
    """A's window, and B draws by A's card: A is told to wait, not that all is well."""
    table = at("start-attacker").say("other card", "draw B", 1)
    refusal = table.match.rulebook.not_asked("A", "pass", table.question)
    assert (refusal.code, table.by) == ("TS-E-WHO", "B")
    assert "Player B is" in refusal.text


@pytest.mark.parametrize(
    ("raw", "words"),
    [("3", "A 3 is too low; 9 or more is needed"), ("8", "An 8 is too low"),
     ("Swoop", "Swoop (3) is too low")],
)  # fmt: skip
def test_ts_223_what_is_too_low_is_told_as_it_was_said(raw: str, words: str, at: MakeTable) -> None:
    """By its number or its title; with what it is worth where effects have changed that."""
    assert words in at("answer-3").refuse(raw).text
    changed = at("answer-3", B={"value_bonus": 1}).refuse("3")
    assert "A 3, worth 4 here, is too low" in changed.text


def test_people_are_called_by_their_names(file: Callable[..., Any], new_table: MakeTable) -> None:
    """A refusal says Ana where Ana sits."""
    table = new_table(position=file("draw-attacker"), seats={"A": "Ana"})
    assert table.refuse(9).text.startswith("Ana draws 3, not 9")


def test_ruling_17_the_arbiter_closes_by_a_ruling_that_says_so(new_table: MakeTable) -> None:
    """What a closed match cites is about the arbiter, not about windows."""
    table = new_table()
    table.match.close(["B"], "A gives up.", "late", table.stamp)
    cite = str(table.match.rulings[-1].cite)
    assert cite == "RULING 17"
    assert "close the match" in table.match.rulebook.paragraphs()[cite].text
