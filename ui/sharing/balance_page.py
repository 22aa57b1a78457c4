"""How even a game is, as one HTML page with plots: what came of many simulated matches."""

from __future__ import annotations

from html import escape
from pathlib import Path
from statistics import median

from companion.core.errors import BadCall
from companion.core.text import counted
from companion.games import find_rulebook
from companion.season.balance import Balance
from companion.season.shares import Share
from ui.sharing.plots import dots, lengths, squares
from ui.sharing.season_page import plain_page, write_page


def write_balance_page(path: Path, balance: Balance) -> None:
    """Write the page; BadCall where no match found its end, or plots cannot be drawn here."""
    if not balance.finished:
        raise BadCall("no match found its end: nothing to draw")
    write_page(path, page_of_balance(balance))


def page_of_balance(balance: Balance) -> str:
    """The page, whole."""
    told = [(result, _in_percent(share)) for result, share in balance.shares.items()]
    plots = [dots("Matches won", "%", told)]
    if len(balance.sides) > 2:
        title = "How often a row beat a column (%)"
        plots.append(squares(title, balance.sides, balance.beaten))
    plots.append(lengths("Lengths", "answers a match", balance.lengths))
    figures = "".join(f"<figure>{svg}</figure>" for svg in plots)
    title = f"Balance of {find_rulebook(balance.setup.box).title}"
    body = f'<p>{_lead(balance)}</p><div class="plots">{figures}</div>{_table(balance)}'
    return plain_page(title, body)


def _in_percent(share: Share) -> tuple[float, float, float]:
    return 100 * share.share, 100 * share.low, 100 * share.high


def _table(balance: Balance) -> str:
    """The same in figures: how many matches each result ended, and its share."""
    head = "<tr><th>Result</th><th>Matches</th><th>Share (95 % interval)</th></tr>"
    rows = "".join(
        f"<tr><td>{escape(result)}</td><td>{share.count}</td><td>{share}</td></tr>"
        for result, share in balance.shares.items()
    )
    return f"<h3>Results</h3><table>{head}{rows}</table>"


def _lead(balance: Balance) -> str:
    """What was played, and how to read the plots."""
    setup, of_them = balance.setup, balance.finished
    rules = [f"{name} {value}" for name, value in setup.options.items()]
    mode = ", ".join((*setup.variants, *rules))
    ended = "" if of_them == len(balance.played) else f" {of_them} of them found their end."
    return escape(
        f"{counted(len(balance.played), 'match', 'matches')} ({mode}) between bots, simulated, "
        f"without a table.{ended} Half of them took at most {median(balance.lengths):g} answers. "
        "A dot is what was counted; the line through it holds the true share in 95 of 100 such "
        "runs. Bots aim a little and err now and then: people may fare otherwise."
    )
