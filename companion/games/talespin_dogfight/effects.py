"""What cards of windows and rewards do, in the few operations that the record must know.

Anything else that a printed card does is done by hands and needs no word: its operation is none.
"""

from __future__ import annotations

from dataclasses import dataclass

DRAW_CARDS, DISCARD_CARDS = "draw", "discard"
RAISE, LOWER, PILOT = "raise", "lower", "pilot"
CANCEL, REMOVE, NO_WINNER = "cancel", "remove", "no winner"
OPERATIONS = (DRAW_CARDS, DISCARD_CARDS, RAISE, LOWER, PILOT, CANCEL, REMOVE, NO_WINNER)
"""Cards drawn or discarded; values or PILOT changed for this dogfight; a played maneuver whose
Damage and Draw are cancelled, or which leaves the table; the end without a winner."""
OF_A_PLAYER = (DRAW_CARDS, DISCARD_CARDS, RAISE, LOWER, PILOT)
"""Operations that happen to one player, so many times."""

SELF, OPPONENT = "self", "opponent"
WHO = (SELF, OPPONENT)
MOST = 13
"""No operation counts further."""

MET, VALUE, SKIP = "met", "value", "skip"
ATTACKER_WINS, DEFENDER_WINS, OTHER = "attacker wins", "defender wins", "other"
RESULTS = (MET, VALUE, SKIP, ATTACKER_WINS, DEFENDER_WINS, NO_WINNER, OTHER)
"""What a card brings that is played instead of a maneuver.  (RULING 8)"""
NOT_OF_ATTACKER, NOT_OF_DEFENDER = (MET,), (SKIP,)


@dataclass(frozen=True, slots=True)
class Effect:
    """One operation: what, to whom as the player of the card sees it, how many."""

    does: str
    who: str = SELF
    count: int = 1
