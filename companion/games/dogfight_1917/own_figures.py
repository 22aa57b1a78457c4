"""Holding the assumed figures against a table's own copy of the box.  (digest: assumed data)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from companion.assumed import AssumedFigure
from companion.errors import BadFile
from companion.games.dogfight_1917.figures import (
    ASSUMED,
    LARGEST_RADIUS,
    read_figures,
    whole_table,
)
from companion.ruling import Cite

if TYPE_CHECKING:
    from companion.offers import Json

LIMITS: Mapping[str, tuple[int, int]] = {
    "board.radius": (2, LARGEST_RADIUS),
    "basic_attack.difficulty_range_1": (1, 6),
    "albatros_evasive_dive.dice": (1, 4),
    "albatros_evasive_dive.difficulty": (1, 6),
    "albatros_evasive_dive.token_at_least": (1, 6),
    "albatros_evasive_dive.damage_at_most": (0, 6),
}
"""Figures that are one whole number, with their limits."""


class OwnFigures:
    """The figures of Dogfight: 1917 that a table may confirm or correct."""

    def listed(self, own: Mapping[str, Json]) -> Sequence[AssumedFigure]:
        """Every figure of the digest's list, with whether somebody has looked."""
        confirmed = read_figures(own).confirmed
        table = whole_table(own)
        return [
            _figure(name, label, Cite.of(cite), _at(table, name), confirmed=name in confirmed)
            for name, (label, cite) in ASSUMED.items()
        ]

    def changed(self, own: Mapping[str, Json], name: str, value: Json) -> dict[str, Json]:
        """One figure as it was read, and confirmed by that; BadFile names what is allowed."""
        if name not in ASSUMED:
            raise BadFile("figures", name, f"is no assumed figure; there are {', '.join(ASSUMED)}")
        table = whole_table(own)
        part, _, key = name.partition(".")
        table[part][key] = value
        table["confirmed"] = sorted({*read_figures(own).confirmed, name})
        read_figures(table, "figures")
        return table

    def confirmed(self, own: Mapping[str, Json], called: str) -> dict[str, Json]:
        """All of them as they stand, looked at."""
        table: dict[str, Any] = {**whole_table(own), "confirmed": True, "name": called}
        read_figures(table, "figures")
        return table


def _figure(name: str, label: str, cite: Cite, value: Json, *, confirmed: bool) -> AssumedFigure:
    low, high = LIMITS.get(name, (None, None))
    return AssumedFigure(name, label, deepcopy(value), _text(value), cite, confirmed, low, high)


def _at(table: Mapping[str, Any], name: str) -> Json:
    part, _, key = name.partition(".")
    value: Json = table[part][key]
    return value


def _text(value: Json) -> str:
    """A figure as people read it: spaces as "0,-3", a range as "1 to 3".

    >>> _text([[0, -3], [3, -3]]), _text([0, 1, 2, 3]), _text(4)
    ('0,-3  3,-3', '0, 1, 2, 3', '4')
    """
    if not isinstance(value, list):
        return str(value)
    if all(isinstance(item, list) for item in value):
        return "  ".join(",".join(str(n) for n in item) for item in value if isinstance(item, list))
    return ", ".join(str(item) for item in value)
