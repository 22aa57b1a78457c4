"""Plots of a page as SVG, drawn by matplotlib (extra `plots`) as the page is written.

Each says in words what it shows, for those who do not see it. A dot is what was counted, the line
through it the interval that holds the true value in 95 of 100 such countings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import StringIO
from typing import Any
from warnings import catch_warnings, filterwarnings

from companion.core.errors import BadCall
from companion.season.shares import Share

Dot = tuple[str, tuple[float, float, float]]
"""A row of a plot of dots: its name, and its value with the low and the high end."""

_INCHES_WIDE, _INCHES_A_ROW, _INCHES_ROUND = 6.4, 0.3, 0.95
_INCHES_A_SQUARE = 0.62
_INK, _DOT, _GRID = "#1b2430", "#0b63b0", "#d5dae0"
_RIVALS = "RdBu"
"""From red (seldom) through white (as often as not) to blue: told apart by colour-blind people."""
_MOST_BARS = 40


def dots(title: str, unit: str, told: Sequence[Dot]) -> str:
    """Rows with a dot and its interval, the first on top; in percent the axis goes to 100."""
    values = "; ".join(f"{name} {at[0]:.1f}" for name, at in told)
    high = _INCHES_ROUND + _INCHES_A_ROW * len(told)
    return _drawn(
        f"{title} ({unit})", values, high, lambda axes: _draw_dots(axes, told, unit == "%")
    )


def squares(title: str, sides: Sequence[str], beaten: Mapping[tuple[str, str], Share]) -> str:
    """How often each row's side beat each column's: a square a pair, with its interval."""
    met = {pair: share for pair, share in beaten.items() if share.of}
    values = "; ".join(f"{one} beat {two} {share}" for (one, two), share in met.items())
    high = _INCHES_ROUND + _INCHES_A_SQUARE * len(sides)
    return _drawn(title, values, high, lambda axes: _draw_squares(axes, sides, beaten))


def lengths(title: str, unit: str, counts: Sequence[int]) -> str:
    """How often each length came, as bars."""
    values = f"from {min(counts)} to {max(counts)} {unit}"
    bars = max(1, min(_MOST_BARS, max(counts) - min(counts)))
    return _drawn(f"{title} ({unit})", values, 2.6, lambda axes: _draw_lengths(axes, counts, bars))


def _drawn(title: str, values: str, inches_high: float, draw: Callable[[Any], None]) -> str:
    try:
        from matplotlib import rc_context  # pyright: ignore[reportUnknownVariableType]
        from matplotlib.figure import Figure as Drawing
    except ModuleNotFoundError as missing:
        how = "pip install 'dogfight-companion[plots]'"
        raise BadCall(f"plots are drawn by matplotlib, which is not installed: {how}") from missing
    fixed: dict[Any, Any] = {"svg.hashsalt": "companion", "svg.fonttype": "path", "font.size": 11}
    fixed["text.parse_math"] = False  # a name with a $ in it is no formula
    with rc_context(fixed), catch_warnings():
        filterwarnings(
            "ignore", "Glyph .* missing", UserWarning
        )  # the table beside it has the name
        drawing = Drawing(figsize=(_INCHES_WIDE, inches_high), layout="constrained")
        axes = drawing.add_subplot()
        axes.set_title(title, loc="left", fontweight="bold")  # pyright: ignore[reportUnknownMemberType]
        draw(axes)
        into = StringIO()
        plain = {"Date": None, "Creator": None}
        drawing.savefig(into, format="svg", metadata=plain)  # pyright: ignore[reportUnknownMemberType]
    svg = into.getvalue()
    named = f'<svg role="img" aria-label="{escape(f"{title}: {values}")}"'
    return svg[svg.index("<svg") :].replace("<svg", named, 1)


def _draw_dots(axes: Any, told: Sequence[Dot], is_share: bool) -> None:  # noqa: FBT001
    places = range(len(told), 0, -1)
    for place, (_, (middle, low, high)) in zip(places, told, strict=True):
        axes.plot([low, high], [place, place], color=_DOT, linewidth=3, solid_capstyle="butt")
        axes.plot([middle], [place], "o", color=_INK, markersize=7, clip_on=False)
    axes.set_yticks(list(places), [name for name, _ in told])
    axes.set_xlim(0, 100 if is_share else None)
    axes.set_ylim(0.4, len(told) + 0.6)
    axes.grid(axis="x", color=_GRID)
    _without_frame(axes)


def _draw_squares(axes: Any, sides: Sequence[str], beaten: Mapping[tuple[str, str], Share]) -> None:
    places = range(len(sides))
    shares = [[_percent(beaten.get((one, two))) for two in sides] for one in sides]
    axes.pcolormesh(
        shares, cmap=_RIVALS, vmin=0, vmax=100, alpha=0.55, edgecolors="white", linewidth=2
    )
    for row, one in enumerate(sides):
        for column, two in enumerate(sides):
            share = beaten.get((one, two))
            if share is not None and share.of:
                told = str(share).replace(" (", "\n(")
                axes.text(column + 0.5, row + 0.5, told, ha="center", va="center", color=_INK)
    axes.set_yticks([place + 0.5 for place in places], sides)
    axes.set_xticks([place + 0.5 for place in places], sides)
    axes.xaxis.tick_top()
    axes.invert_yaxis()
    _without_frame(axes, "bottom")
    axes.tick_params(length=0)


def _percent(share: Share | None) -> float:
    """Of a square; not a number where the two never met, which is drawn as nothing."""
    return 100 * share.share if share is not None and share.of else float("nan")


def _draw_lengths(axes: Any, counts: Sequence[int], bars: int) -> None:
    axes.hist(counts, bins=bars, color=_DOT, edgecolor="white")
    axes.set_ylabel("matches")
    axes.grid(axis="y", color=_GRID)
    _without_frame(axes)


def _without_frame(axes: Any, *more: str) -> None:
    axes.set_axisbelow(True)
    for side in ("top", "right", "left", *more):
        axes.spines[side].set_visible(False)
    axes.tick_params(axis="y", length=0)
