"""Where an action card may lie, and the parts of a game in the book's order.  (HX-TRN-01)"""

from __future__ import annotations

DECK, DISCARD = "deck", "discard"
HAND, CARD, CAPTURED = "hand", "card", "captured"
OWN_PILES = (HAND, CARD, CAPTURED)
"""Before each player: `card` is the one declared this turn, `captured` one kept for the next."""

SET_UP, DECLARE, MOVEMENT, REVEAL, RESOLUTION, DEBRIS = (
    "set-up", "declare", "movement", "reveal", "resolution", "debris",
)  # fmt: skip
STAGES = (SET_UP, DECLARE, MOVEMENT, REVEAL, RESOLUTION, DEBRIS)
"""In the order of the book; the last five make a turn."""

HULL_POINTS = 2
HAND_SIZE = 4
MOVE_STEPS = 4
DEBRIS_STEPS = 3
SHORT_RADIUS = 2
MEDIUM_RANGE = 4
WRECKAGE_TOKENS = 4
"""What the book prints."""
