"""One seat of Dogfight: 1917: Fighter and pilot, cards, tokens, and where the model stands."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.board import Piece
from companion.core.ruling import Carry, Seat
from companion.games.dogfight_1917.cards import COPIES, DECK_SIZE
from companion.games.dogfight_1917.layout import DECK, HAND, PILES
from companion.kit.hexes import Heading
from companion.kit.piles import CountedPiles


def fresh_piles(seat: Seat) -> CountedPiles:
    """A Fighter's twenty cards, all in the Deck.  (DF-1.2)"""
    return CountedPiles(seat, {**dict.fromkeys(PILES, 0), DECK: DECK_SIZE})


@dataclass(slots=True, eq=False)
class Player:
    """One seat: its Fighter and pilot, its cards, its tokens, and where its model stands.

    `fighter` and `pilot` are empty until chosen. `plane` is None while the model is off the board;
    `start` is where it was placed at set-up. `out` has crashed for good; a Wingman that crashed is
    off the board without being out.
    """

    seat: Seat
    piles: CountedPiles
    fighter: str = ""
    pilot: str = ""
    pilot_side: str = "A"
    tokens: int = 0
    plane: Heading | None = None
    start: Heading | None = None
    out: bool = False

    @classmethod
    def fresh(cls, seat: Seat) -> Player:
        """A seat before anything was chosen."""
        return cls(seat, fresh_piles(seat))

    @property
    def piece(self) -> Piece:
        """The model on the board."""
        return Piece(self.fighter)

    @property
    def flies(self) -> bool:
        """Whether the model is on the board."""
        return self.plane is not None

    @property
    def at(self) -> Heading:
        """Where the model stands and looks; only asked of one that flies."""
        if self.plane is None:
            raise ValueError(f"{self.seat} has no Fighter on the board")
        return self.plane

    def is_pilot(self, code: str, side: str = "") -> bool:
        """Whether that pilot sits in the Fighter, with that side of the card up ("" = either)."""
        return self.pilot == code and side in ("", self.pilot_side)

    def from_hand(self, count: int, target: str, card: str = "") -> Carry:
        """Cards leave the Hand: one that is named, or some that nobody saw.

        What was known of the Hand stays known as far as it must still be there.
        """
        still = self.piles.known.pop(HAND, [])
        if not card and count:
            still = []
        elif card in still:
            still.remove(card)
        carry = self.piles.move(count, HAND, target)
        for known in still:
            self.piles.learn(HAND, known)
        return carry

    def learn(self, pile: str, card: str) -> None:
        """Everybody has seen this card in that pile.

        One more than there are means that some were misread before: those are forgotten, so that
        what is known never is more than a Fighter owns.  (DF-1.2, DF-E17)
        """
        if self.piles.seen(*PILES)[card] >= COPIES[card]:
            self.piles.known = {
                name: [seen for seen in cards if seen != card]
                for name, cards in self.piles.known.items()
            }
        self.piles.learn(pile, card)
