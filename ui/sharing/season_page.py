"""A season's statistics as one HTML page with plots: it opens in any browser, without a network."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.files import write_whole
from companion.games import RULEBOOKS, find_rulebook
from companion.season.measured import FIGURES, Measured, ToldAs
from companion.season.seating import CountedBy
from companion.season.statistics import Counted
from ui.sharing.plots import dots

if TYPE_CHECKING:
    from companion.season.measured import FigureTold
    from companion.season.statistics import MatchFilter


@dataclass(frozen=True, slots=True)
class Axis:
    """A figure on one axis: what it is called, and of a row its value, low and high end.

    `key` is what its key says on the screen of the season; without one it is on the page alone.
    """

    title: str
    unit: str
    of: Callable[[Counted], tuple[float, float, float] | None]
    key: str = ""


def _share(row: Counted, measured: Measured) -> tuple[float, float, float] | None:
    one = row.share_of(measured)
    return (100 * one.share, 100 * one.low, 100 * one.high) if one.of else None


def _mean(row: Counted, measured: Measured) -> tuple[float, float, float] | None:
    one = row.mean_of(measured)
    if not one.number or not one.total:
        return None
    return one.mean, max(0.0, one.mean - one.spread), one.mean + one.spread


def _axis(measured: Measured, figure: FigureTold) -> Axis:
    of = _share if figure.told is ToldAs.SHARE else _mean
    return Axis(figure.title, figure.unit, lambda row: of(row, measured), figure.key)


AXES = tuple(_axis(measured, figure) for measured, figure in FIGURES.items() if figure.title)

HEADINGS = {
    CountedBy.PLAYER: "Players",
    CountedBy.SEAT: "Seats",
    CountedBy.SIDE: "Sides",
    CountedBy.MODE: "Modes, by side",
    CountedBy.RULE: "House rules, by side",
    CountedBy.BOX: "Boxes",
    CountedBy.FIGHTER: "Fighters and ships",
    CountedBy.PILOT: "Pilots",
    CountedBy.DECK: "Decks",
    CountedBy.CARD: "Cards",
}

STYLE = """
body{font:16px/1.45 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:1rem;color:#1b2430;
background:#fff}
h1{font-size:1.7rem}h2{margin-top:2.2rem;border-bottom:2px solid #1b2430}h3{margin-bottom:.2rem}
figure{margin:0}svg{width:100%;height:auto}figcaption{color:#4a5563}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(21rem,1fr));gap:1rem}
table{border-collapse:collapse;margin:.6rem 0}td,th{padding:.15rem .7rem .15rem 0;text-align:right}
td:first-child,th:first-child{text-align:left}
@media print{h2{break-after:avoid}figure{break-inside:avoid}}
"""


def write_season_page(
    path: Path, rows: Sequence[Counted], wanted: MatchFilter, *, simulated: bool = False
) -> None:
    """Write the page; BadCall where nothing was counted, or plots cannot be drawn here."""
    if not rows:
        who = "bots played" if simulated else "people played"
        raise BadCall(f"no match that {who} to its end is among these: nothing to draw")
    write_page(path, page_of_season(rows, wanted, simulated=simulated))


def write_page(path: Path, page: str) -> None:
    """Write a page into its file, over an earlier one of plots.

    BadCall where anything else is there, such as the page of a match, or where it takes nothing.
    """
    refuse_no_page(path)
    try:
        write_whole(path, page)
    except OSError as refused:
        raise BadCall(f"{path} cannot be written: {refused.strerror}") from refused


def refuse_no_page(path: Path) -> None:
    """BadCall where no page can be written; nothing is touched, so it may be asked long before."""
    why = ""
    if path.suffix.lower() not in ("", ".html", ".htm"):
        raise BadCall(f"{path}: a page is written as .html; name the file so")
    try:
        if path.is_file() and not _is_of_plots(path):
            raise BadCall(f"{path} is there, and no page of plots; name another file")
        if path.exists() and not (path.is_file() or path.is_dir()):
            why = "it is a pipe or a device, not a file"
        elif path.is_dir():
            why = "it is a folder; name a file in it"
        elif not path.parent.is_dir():
            why = f"there is no folder {path.parent}; make it, or name another"
        elif not os.access(path.parent, os.W_OK):
            why = f"nothing may be written in {path.parent.absolute()}"
    except OSError as refused:
        why = f"{refused.strerror}"
    if why:
        raise BadCall(f"{path} cannot be written: {why}")


def _is_of_plots(path: Path) -> bool:
    with path.open("rb") as page:
        return _TITLED.search(page.read(_HEAD)) is not None


_HEAD = 1000
_TITLED = re.compile(rb"<title>(?:Statistics|Balance) of ")
"""What the head of a page of statistics, or of simulated matches, says."""


def page_of_season(rows: Sequence[Counted], wanted: MatchFilter, *, simulated: bool = False) -> str:
    """The page, whole; `simulated` says that the rows are of simulated matches, and no others."""
    body = "".join(_part(by, list(of)) for by, of in groupby(rows, key=lambda row: row.by))
    title = "Statistics of simulated matches" if simulated else "Statistics of the season"
    counting = (
        "Bots played all of them; no match that people played is among them."
        if simulated
        else "Demonstrations and simulated matches do not count."
    )
    told = (
        f"<p>{escape(filter_in_words(wanted))} A dot is what was counted; the line through it "
        f"holds the true value in 95 of 100 such seasons. {counting}</p>"
    )
    return plain_page(title, told + body)


def plain_page(title: str, body: str) -> str:
    """A page of plots and tables under a title; `body` is HTML already."""
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1>"
        f"{body}</body></html>\n"
    )


def filter_in_words(wanted: MatchFilter) -> str:
    """Which matches count, in a sentence."""
    parts = [
        f"of {wanted.box}" if wanted.box else "",
        f"from {wanted.since} on" if wanted.since else "",
        f"until {wanted.until}" if wanted.until else "",
        f"with {' and '.join(wanted.who)}" if wanted.who else "",
    ]
    told = " ".join(part for part in parts if part)
    return f"All matches {told}.".replace(" .", ".")


def _part(by: CountedBy, rows: Sequence[Counted]) -> str:
    """One kind of thing: a plot a measure, then what has no axis."""
    plots = [svg for measure in AXES if (svg := plot_of(measure, rows))]
    figures = "".join(f"<figure>{svg}</figure>" for svg in plots)
    heading = HEADINGS[by]
    return f'<h2>{heading}</h2><div class="plots">{figures}</div>{_ranges(rows)}{_disputes(rows)}'


def _ranges(rows: Sequence[Counted]) -> str:
    """Hits by range: a row a name, a column a range."""
    parts = sorted({part for row in rows for part in row.details(Measured.HITS)})
    if not parts:
        return ""
    head = "".join(f"<th>{escape(part)}</th>" for part in parts)
    lines: list[str] = []
    for row in rows:
        shares = [row.share_of(Measured.HITS, part) for part in parts]
        if any(one.of for one in shares):
            cells = "".join(f"<td>{one if one.of else ''}</td>" for one in shares)
            lines.append(f"<tr><td>{escape(called(row, rows))}</td>{cells}</tr>")
    return f"<h3>Hits by range</h3><table><tr><th></th>{head}</tr>{''.join(lines)}</table>"


def _disputes(rows: Sequence[Counted]) -> str:
    told: list[str] = []
    for row in rows:
        ends = {e: row.sum(Measured.DISPUTES, e).number for e in row.details(Measured.DISPUTES)}
        if ends:
            words = ", ".join(f"{number} {end}" for end, number in ends.items())
            told.append(f"<li>{escape(called(row, rows))}: {words}</li>")
    return f"<h3>Disputes</h3><ul>{''.join(told)}</ul>" if told else ""


def called(row: Counted, rows: Sequence[Counted]) -> str:
    """A row's name, with its box where several are told of."""
    several = len({one.box for one in rows}) > 1 and row.by is not CountedBy.BOX
    if not several:
        return row.name
    return f"{row.name} · {find_rulebook(row.box).title if row.box in RULEBOOKS else row.box}"


# One plot.


def plot_of(measure: Axis, rows: Sequence[Counted]) -> str:
    """The SVG of one measure, the first row on top; empty where no row has it."""
    told = [(called(row, rows), at) for row in rows if (at := measure.of(row)) is not None]
    return dots(measure.title, measure.unit, told) if told else ""
