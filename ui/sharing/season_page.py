"""A season's statistics as one HTML page with plots: it opens in any browser, without a network.

The plots are SVG, drawn by matplotlib (extra `plots`) as the page is written. A dot is what was
counted, the line through it the interval that holds the true value in 95 of 100 such seasons.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from io import StringIO
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.errors import BadCall
from companion.core.files import write_whole
from companion.games import RULEBOOKS, find_rulebook
from companion.season.adding import Measured
from companion.season.seating import CountedBy
from companion.season.statistics import Counted

if TYPE_CHECKING:
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


def _share(figure: Measured) -> Callable[[Counted], tuple[float, float, float] | None]:
    def of(row: Counted) -> tuple[float, float, float] | None:
        one = row.share_of(figure)
        return (100 * one.share, 100 * one.low, 100 * one.high) if one.of else None

    return of


def _mean(figure: Measured) -> Callable[[Counted], tuple[float, float, float] | None]:
    def of(row: Counted) -> tuple[float, float, float] | None:
        one = row.mean_of(figure)
        if not one.number or not row.sum(figure).total:
            return None
        return one.mean, max(0.0, one.mean - one.spread), one.mean + one.spread

    return of


AXES = (
    Axis("Matches won", "%", _share(Measured.WON), "Won"),
    Axis("Attacks that hit", "%", _share(Measured.HITS), "Hit"),
    Axis("Damage given", "a match", _mean(Measured.DEALT), "Given"),
    Axis("Damage taken", "a match", _mean(Measured.TAKEN), "Taken"),
    Axis("Evasions that left nothing", "%", _share(Measured.EVADED), "Evaded"),
    Axis("Damage averted", "an evasion", _mean(Measured.AVERTED)),
    Axis("Cards laid after", "s of the round", _mean(Measured.LAID)),
    Axis("Rounds", "s", _mean(Measured.ROUND), "Round"),
)

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


def write_season_page(path: Path, rows: Sequence[Counted], wanted: MatchFilter) -> None:
    """Write the page; BadCall where nothing was counted, or plots cannot be drawn here."""
    if not rows:
        raise BadCall("no match that people played to its end is among these: nothing to draw")
    write_whole(path, page_of_season(rows, wanted))


def page_of_season(rows: Sequence[Counted], wanted: MatchFilter) -> str:
    """The page, whole."""
    body = "".join(_part(by, list(of)) for by, of in groupby(rows, key=lambda row: row.by))
    title, told = "Statistics of the season", escape(filter_in_words(wanted))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">"
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head><body><h1>{title}</h1>"
        f"<p>{told} A dot is what was counted; the line through it holds the true value in 95 of "
        "100 such seasons. Demonstrations and simulated matches do not count.</p>"
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

_INCHES_WIDE, _INCHES_A_ROW, _INCHES_ROUND = 6.4, 0.3, 0.95
_INK, _DOT = "#1b2430", "#0b63b0"


def plot_of(measure: Axis, rows: Sequence[Counted]) -> str:
    """The SVG of one measure, the first row on top; empty where no row has it."""
    told = [(called(row, rows), at) for row in rows if (at := measure.of(row)) is not None]
    if not told:
        return ""
    try:
        from matplotlib import rc_context  # pyright: ignore[reportUnknownVariableType]
        from matplotlib.figure import Figure as Drawing
    except ModuleNotFoundError as missing:
        how = "pip install 'dogfight-companion[plots]'"
        raise BadCall(f"plots are drawn by matplotlib, which is not installed: {how}") from missing
    high = _INCHES_ROUND + _INCHES_A_ROW * len(told)
    fixed: dict[Any, Any] = {"svg.hashsalt": "companion", "svg.fonttype": "path", "font.size": 11}
    with rc_context(fixed):
        drawing = Drawing(figsize=(_INCHES_WIDE, high), layout="constrained")
        _draw(drawing.add_subplot(), measure, told)
        into = StringIO()
        plain = {"Date": None, "Creator": None}
        drawing.savefig(into, format="svg", metadata=plain)  # pyright: ignore[reportUnknownMemberType]
    svg = into.getvalue()
    named = f'<svg role="img" aria-label="{escape(_in_words(measure, told))}"'
    return svg[svg.index("<svg") :].replace("<svg", named, 1)


def _draw(axes: Any, measure: Axis, told: Sequence[tuple[str, tuple[float, float, float]]]) -> None:
    places = range(len(told), 0, -1)
    for place, (_, (middle, low, high)) in zip(places, told, strict=True):
        axes.plot([low, high], [place, place], color=_DOT, linewidth=3, solid_capstyle="butt")
        axes.plot([middle], [place], "o", color=_INK, markersize=7, clip_on=False)
    axes.set_yticks(list(places), [name for name, _ in told])
    axes.set_title(f"{measure.title} ({measure.unit})", loc="left", fontweight="bold")
    axes.set_xlim(0, 100 if measure.unit == "%" else None)
    axes.set_ylim(0.4, len(told) + 0.6)
    axes.grid(axis="x", color="#d5dae0")
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)


def _in_words(measure: Axis, told: Sequence[tuple[str, tuple[float, float, float]]]) -> str:
    """What the plot shows, for those who do not see it."""
    values = "; ".join(f"{name} {at[0]:.1f}" for name, at in told)
    return f"{measure.title} ({measure.unit}): {values}"
