"""Holding the assumed figures against a table's own copy of the box.  (DF-2.2, RULING 1)"""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.dogfight_1917.figures import ASSUMED, LARGEST_RADIUS, TABLE_FILE, judge_table
from companion.kit.figures import OwnTable

LIMITS: Mapping[str, tuple[int, int]] = {
    "board.radius": (2, LARGEST_RADIUS),
    "basic_attack.difficulty_range_1": (1, 6),
    "albatros_evasive_dive.dice": (1, 4),
    "albatros_evasive_dive.difficulty": (1, 6),
    "albatros_evasive_dive.token_at_least": (1, 6),
    "albatros_evasive_dive.damage_at_most": (0, 6),
}
"""Figures that are one whole number, with their limits."""


class OwnFigures(OwnTable):
    """The figures of Dogfight: 1917 that a table may confirm or correct."""

    def __init__(self) -> None:
        super().__init__(TABLE_FILE, ASSUMED, judge_table, LIMITS)
