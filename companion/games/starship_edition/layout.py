"""The parts of a turn in the book's order, and where cards may lie.  (SE-PRI-01, SE-PRE-02)"""

from __future__ import annotations

SET_UP, PREPARATION, ABILITIES, TIERS, DISCARD_PHASE, END_OF_TURN = (
    "set-up", "preparation", "vessel-abilities", "tier-sequence", "discard-phase", "end-of-turn",
)  # fmt: skip
STAGES = (SET_UP, PREPARATION, ABILITIES, TIERS, DISCARD_PHASE, END_OF_TURN)
"""In the order of the book; the third and fourth are the two steps of the Action Phase."""

OPENING_HAND = 7
PRINTED_TIERS = 3
MOST_IN_TIER = 2
MOST_TIERS = 9
"""More extra tiers than anybody can prepare in one turn: a limit of the companion."""

DRAW, SET, PASS, PLAY = "draw", "set", "pass", "play"
"""What was done in a tier; `play` is a card played in the Preparation instead of setting one."""
TIER_ACTIONS = (DRAW, SET, PASS, PLAY)

FACE_DOWN = "?"
"""A card that nobody has named."""

DECK, HAND, DISCARD, GEAR, REMOVED, ASIDE = (
    "deck", "hand", "discard", "gear", "removed", "aside",
)  # fmt: skip


def tier_pile(tier: int, *, secondary: bool = False) -> str:
    """The place of a card in a tier, as deeds call it.

    >>> tier_pile(2), tier_pile(2, secondary=True)
    ('tier-2', 'tier-2b')
    """
    return f"tier-{tier}{'b' if secondary else ''}"


TIER_PILES = tuple(
    tier_pile(tier, secondary=second)
    for tier in range(1, MOST_TIERS + 1)
    for second in (False, True)
)
PILES = (DECK, HAND, *TIER_PILES, DISCARD, GEAR, REMOVED, ASIDE)
"""Every place of a player's cards; `aside` only while two set cards change places."""
