"""Who sits at the table and what each brings; the piles, and the parts of a turn.  (SE-SET-04)

Seats are A to F, clockwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.board import Piece
from companion.core.errors import BadCall
from companion.core.ruling import Seat

SEATS = tuple(Seat(letter) for letter in "ABCDEF")
NAMES: Mapping[Seat, str] = {seat: f"Player {seat}" for seat in SEATS}
FEWEST, MOST = 2, len(SEATS)
"""So few and so many may play.  (RULING 1)"""

VESSELS: Mapping[Seat, Piece] = {seat: Piece(f"vessel-{seat.lower()}") for seat in SEATS}
"""The ship on the map before each seat."""


def vessel_called(seat: Seat, player: str) -> str:
    """The ship of a seat in a sentence: by its player, where somebody has said a name.

    >>> vessel_called(Seat("B"), "Ben"), vessel_called(Seat("B"), "Player B")
    ("Ben's vessel", 'Vessel B')
    """
    return f"Vessel {seat}" if player == NAMES[seat] else f"{player}'s vessel"


class Sitting(NamedTuple):
    """What is said of a seat beforehand: who sits there, the vessel and the deck ("" = usual)."""

    name: str
    vessel: str = ""
    deck: str = ""


def read_sitting(seat: Seat, text: str) -> Sitting:
    """Read NAME[/VESSEL[/DECK]]; BadCall where there is more than that.

    >>> read_sitting(Seat("A"), "Ana/cruiser")
    Sitting(name='Ana', vessel='cruiser', deck='')
    """
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 3:
        raise BadCall(f"seat {seat}: {text!r} is not NAME/VESSEL/DECK")
    name, vessel, deck = (*parts, "", "")[:3]
    return Sitting(name, vessel, deck)


# Stages of a turn, and where cards may lie.  (SE-PRI-01, SE-PRE-02)

SET_UP, PREPARATION, ABILITIES, TIERS, DISCARD_PHASE, END_OF_TURN = (
    "set-up", "preparation", "vessel-abilities", "tier-sequence", "discard-phase", "end-of-turn",
)  # fmt: skip
STAGES = (SET_UP, PREPARATION, ABILITIES, TIERS, DISCARD_PHASE, END_OF_TURN)
"""In the order of the book; the third and fourth are the two steps of the Action Phase."""

OPENING_HAND = 7
PRINTED_TIERS = 3
MOST_CARDS = 999
"""More cards, tokens or counters than anybody has: a limit of the companion."""
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
