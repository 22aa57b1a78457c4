"""Maneuvers: what is printed at the edge of a card, and one that was played.  (TS-221, RULING 6)"""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.ruling import Seat
from companion.games.talespin_dogfight.layout import HIGHEST, LOWEST

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


@dataclass(slots=True, eq=False)
class Played:
    """A maneuver of this dogfight.

    `exchange` is 1 to 3. `shown` is false of the card that started the dogfight until it is
    pointed out; `lies` whether it is still on the table; `cancelled` that a card took its Damage
    and Draw away.  (RULING 10, RULING 13)
    """

    seat: Seat
    exchange: int
    maneuver: Maneuver
    source: str = FROM_HAND
    shown: bool = True
    lies: bool = True
    cancelled: bool = False

    @property
    def name(self) -> str:
        """Whose it is and in which exchange: "A2"."""
        return f"{self.seat}{self.exchange}"

    @property
    def in_words(self) -> str:
        """What it is within a sentence: "the Player card", "Strafe", "the 9"."""
        cards = {FROM_PLAYER: "the Player card", FROM_PILOT: "the Pilot card"}
        return cards.get(self.source) or self.maneuver.title or f"the {self.maneuver.value}"

    @property
    def is_card_of_the_dogfight(self) -> bool:
        """Whether it lies there as a card that is taken or discarded; a Player card never is."""
        return self.lies and self.source != FROM_PLAYER


def kept_within(value: int) -> int:
    """A value that effects have changed, within what there is.  (RULING 6)

    >>> kept_within(-2), kept_within(7), kept_within(15)
    (1, 7, 13)
    """
    return max(LOWEST, min(HIGHEST, value))
