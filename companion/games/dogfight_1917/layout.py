"""The places for Flight Cards, and the parts of a game in the book's order.  (DF-4.1, DF-5.1)"""

from __future__ import annotations

DECK, HAND, DISCARD, DAMAGE, BOX, PLAYED = (
    "deck", "hand", "discard", "damage", "box", "played",
)  # fmt: skip
PILES = (DECK, HAND, DISCARD, DAMAGE, BOX, PLAYED)
"""Where a Flight Card may be; `played` is face up before its owner while it is carried out."""

SET_UP, RECONNAISSANCE, ASSESSMENT, ENGAGEMENT = (
    "set-up", "reconnaissance", "assessment", "engagement",
)  # fmt: skip
STAGES = (SET_UP, RECONNAISSANCE, ASSESSMENT, ENGAGEMENT)
"""In the order of the book; the last three are the phases of a turn.  (DF-5.1)"""
