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
