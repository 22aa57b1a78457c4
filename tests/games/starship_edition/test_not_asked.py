"""Who acts out of turn is told so by the rules: order, phase, chance, prerogative."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ui.terminal.app import run

MakeTable = Callable[..., Any]
NOT_LISTED = {"decks": {"standard": {"unknown": 40}}}
"""Nobody has typed in what lies in the decks."""


def code(table: Any, seat: str, raw: str = "set") -> str:
    """The code of what the rules say when a seat speaks that is not asked; empty if nothing."""
    refusal = table.match.rulebook.not_asked(seat, raw, table.question())
    if refusal is None:
        return ""
    assert refusal.cite.rules
    assert refusal.text.endswith(".")
    return str(refusal.code)


def test_se_set_05_nobody_places_a_vessel_out_of_order(new_table: MakeTable) -> None:
    """While lots are drawn the table is asked, and nobody is out of order yet."""
    table = new_table()
    assert code(table, "A") == ""
    assert code(table.say("A"), "A", "A") == "SE-E-ORDER"


def test_se_pre_01_nobody_prepares_before_the_one_ahead_is_done(table_at: MakeTable) -> None:
    """B while A prepares, and A when B does; what A rearranges by then is of another phase."""
    table = table_at()
    assert code(table, "B") == "SE-E-ORDER"
    table.say("pass", "pass", "pass", "end")
    assert code(table, "A") == "SE-E-ORDER"
    for late in ("swap 1 2", "exchange 1", "ability AB-FIX"):
        assert code(table, "A", late) == "SE-E-PHASE"
    assert code(table, "Q") == ""


def test_se_r14_a_second_chance_at_an_attack_is_refused(tiers_at: MakeTable) -> None:
    """Once the target is asked the attacker has had a chance; the others have still theirs."""
    table = tiers_at(players="ABC", A=1, cards=NOT_LISTED).say("G-SHOT", "B")
    assert [code(table, seat, "G-BOOST") for seat in "BC"] == ["SE-E-ORDER", "SE-E-ORDER"]
    table.say("done")
    assert code(table, "A", "G-BOOST") == "SE-E-FINAL"
    assert code(table, "C", "G-BOOST") == "SE-E-ORDER"
    table.say("done")
    assert [code(table, seat, "G-DODGE") for seat in "AB"] == ["SE-E-FINAL", "SE-E-FINAL"]


def test_se_ppr_01_only_who_may_puts_things_in_order(tiers_at: MakeTable) -> None:
    """Two attacks wait: Priority orders them, and the target does not."""
    table = tiers_at(A=1).say("G-SHOT", "done", "G-COUNTER", "done", "done", "done")
    assert table.question().by == "A"
    assert code(table, "B") == "SE-E-PREROGATIVE"


def test_a_line_of_a_script_for_a_seat_that_is_not_asked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The code stands in the refusal, and the match goes on as before."""
    script = tmp_path / "script.txt"
    script.write_text("A\nA: A\nB: A\nA: B 3,5\nB: set\nset\n")
    assert run(["referee", "starship-edition", "--script", str(script)]) == 1
    said = capsys.readouterr().out
    assert said.count("SE-E-ORDER") == 2
    assert "Player A sets a card in tier 1." in said


def test_ruling_28_the_arbiter_closes_by_a_ruling_that_says_so(new_table: MakeTable) -> None:
    """What a closed match cites is about the arbiter, not about energy."""
    table = new_table()
    table.match.close(["B"], "A gives up.", "late", table.stamp)
    cite = str(table.match.rulings[-1].cite)
    assert cite == "RULING 28"
    assert "close the match" in table.match.rulebook.paragraphs()[cite].text
