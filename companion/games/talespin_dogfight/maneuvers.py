"""Maneuvers, the effects of cards, and what people call things in files.  (TS-221, RULING 6)

A maneuver is what is printed at the edge of a card.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.text import one_of
from companion.games.talespin_dogfight.seats import ATTACKER, DEFENDER, NOBODY

LOWEST, HIGHEST = 1, 13
EXTRA_DAMAGE = 1
"""What the book prints; the values of maneuvers are public besides.  (RULING 6)"""

FROM_HAND, FROM_PILOT, FROM_PLAYER = "hand", "pilot", "player"
SOURCES = (FROM_HAND, FROM_PILOT, FROM_PLAYER)
"""A card of the hand, the Pilot card that started the dogfight, or the Player card."""


def titled(title: str, value: int) -> str:
    """A title with its value, which is not said twice.

    >>> titled("Strafe", 8), titled("Maneuver 7", 7)
    ('Strafe (8)', 'Maneuver 7')
    """
    return title if title.split()[-1:] == [str(value)] else f"{title} ({value})"


@dataclass(frozen=True, slots=True)
class Maneuver:
    """Name, value, Damage and Draw; `any_answer`: as an answer it meets whatever comes.  (R09)"""

    title: str
    value: int
    damage: int = 0
    draw: int = 0
    any_answer: bool = False

    def __str__(self) -> str:
        article = "an" if self.value in (8, 11) else "a"
        return titled(self.title, self.value) if self.title else f"{article} {self.value}"


def kept_within(value: int) -> int:
    """A value that effects have changed, within what there is.  (RULING 6)

    >>> kept_within(-2), kept_within(7), kept_within(15)
    (1, 7, 13)
    """
    return max(LOWEST, min(HIGHEST, value))


# Effects of window cards and rewards, in the few operations that the record must know: cards drawn
# or discarded; values or PILOT changed for this dogfight; a played maneuver whose Damage and Draw
# are cancelled, or which leaves the table; the end without a winner.

DRAW_CARDS, DISCARD_CARDS = "draw", "discard"
RAISE, LOWER, PILOT = "raise", "lower", "pilot"
CANCEL, REMOVE, NO_WINNER = "cancel", "remove", "no winner"
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


# Names as people type them: starts, winners, sources of maneuvers.

BY_PILOT, BY_RANGE = FROM_PILOT, "range"
STARTS = (BY_PILOT, BY_RANGE)
"""How a dogfight is started.  (TS-101)"""
WINNERS = (ATTACKER, DEFENDER, NOBODY)


def start_named(raw: object) -> str:
    """By Pilot card or by RANGE; "" before it is announced."""
    return "" if raw == "" else one_of(raw, STARTS, "start of a dogfight")


def winner_named(raw: object) -> str:
    """Attacker, defender or nobody; "" while it is open."""
    return "" if raw == "" else one_of(raw, WINNERS, "winner of a dogfight")


def source_named(raw: object) -> str:
    """Whence a maneuver was played."""
    return one_of(raw, SOURCES, "source of a maneuver")
