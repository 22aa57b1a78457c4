"""The page with what came of simulated matches: it draws what was counted, and says who played."""

from __future__ import annotations

from html import escape
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from companion.core.errors import BadCall
from companion.match.rulebook import Setup
from companion.match.simulation import BotMatch
from companion.season.balance import Balance
from ui.sharing.balance_page import page_of_balance, write_balance_page
from ui.sharing.season_page import write_page
from ui.terminal.simulate import _pairs

FOUR = ("A", "B", "C", "D")
THREE_WON = [
    BotMatch(finished=True, winners=(side,), answers=90 + n) for n, side in enumerate(FOUR[:3])
]
ENDLESS = BotMatch(finished=False, answers=20_000, trouble="no end in 20000 answers")


@pytest.fixture
def balance() -> Balance:
    played = [*THREE_WON * 4, BotMatch(finished=True, answers=120), ENDLESS]
    return Balance(Setup("dogfight-1917", ("battle-royale",)), played, 2.0)


def test_what_was_counted_is_on_the_page(balance: Balance) -> None:
    """Shares of results, who beat whom, lengths: nothing of matches without an end."""
    assert (balance.finished, balance.outcomes["draw"]) == (13, 1)
    first, second, *_ = balance.sides
    assert set(balance.beaten) >= {(first, second), (second, first)}
    page = page_of_balance(balance)
    assert page.count("<svg") == 3
    assert "Matches won (%): A 30.8; B 30.8; C 30.8; draw 7.7" in page
    assert "from 90 to 120 answers a match" in page
    told = (
        "14 matches (battle-royale)",
        "13 of them found their end",
        "simulated, without a table",
    )
    assert all(one in page for one in told)
    assert "<td>draw</td><td>1</td><td>8 % (1-33)</td>" in page
    assert "<script" not in page


def test_of_sides_that_never_met_nothing_is_told(balance: Balance) -> None:
    """A won against each; of the others none ever beat another."""
    won = [BotMatch(finished=True, winners=("A",), answers=n) for n in (90, 91)]
    never = Balance(balance.setup, won, 1.0)
    page = page_of_balance(never)
    assert "A beat C 100 %" in page
    assert "C beat D" not in page
    with StringIO() as out:
        Console(file=out, width=200).print(_pairs(never))
        assert "100 % (34-100)" in out.getvalue()
        assert "(0-100)" not in out.getvalue()


def test_a_page_of_nothing_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "balance.html"
    with pytest.raises(BadCall, match="nothing to draw"):
        write_balance_page(out, Balance(Setup("jaws-and-paws", ("day",)), [ENDLESS], 1.0))
    assert not out.exists()


@pytest.mark.parametrize("name", ["page.pdf", "page.svg", "page.csv"])
def test_a_page_is_named_as_what_it_is(tmp_path: Path, name: str) -> None:
    """A viewer of PDF would call it broken."""
    with pytest.raises(BadCall, match=r"a page is written as \.html; name the file so"):
        write_page(tmp_path / name, "<p>A page.")
    assert not list(tmp_path.iterdir())


def test_a_page_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Somebody names a folder, or a file in none."""
    for wrong in (tmp_path, tmp_path / "none" / "page.html"):
        with pytest.raises(BadCall, match="cannot be written: "):
            write_page(wrong, "<p>A page.")
    write_page(tmp_path / "page.html", "<p>A page.")
    assert (tmp_path / "page.html").read_text("utf-8") == "<p>A page."


@pytest.mark.parametrize("name", ["$\\frac$", "$x_$", "日本", "<script>"])
def test_a_cruel_name_is_drawn_as_it_is(name: str) -> None:
    """No formula, no warning, nothing that a browser carries out."""
    played = [BotMatch(finished=True, winners=(side,), answers=90) for side in (name, "B", "C")]
    page = page_of_balance(Balance(Setup("dogfight-1917", ("battle-royale",)), played, 2.0))
    assert page.count("<svg") == 3
    assert escape(name) in page
    assert "<script" not in page
