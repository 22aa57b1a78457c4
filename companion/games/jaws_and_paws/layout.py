"""The places for cards, and the places at which a match can start.  (JP-1.7, JP-2.5, JP-5.1)"""

from __future__ import annotations

PILES = ("deck", "hand", "discard", "scrap", "track")
SECTIONS = (1, 2, 3, 4)

ROUND = (
    "action", "lock", "draw", "repair", "section-1", "section-2", "section-3", "section-4",
    "cleanup",
)  # fmt: skip
STAGES = ("set-up", *ROUND)
"""In the order of the book."""

REPAIRED = frozenset(ROUND[ROUND.index("repair") :])
"""From Repairing on it stands who is Repairing this round.  (JP-8.7)"""

NOBODY, UNTOLD = "", "?"
"""On a section lies no card; or one may lie there and its owner was not asked (lock_asks)."""
