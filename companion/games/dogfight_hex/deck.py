"""The one deck of action cards: how many lie where, and which of them everybody has seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from companion.core.ruling import TABLE, Carry, Seat, Shuffle
from companion.games.dogfight_hex.layout import CAPTURED, CARD, DECK, DISCARD, HAND, OWN_PILES
from companion.kit.piles import CountedPiles


def pile_of(seat: Seat, pile: str) -> str:
    """What a player's own pile is called among all of them.

    >>> pile_of(Seat("A"), "hand")
    "A's hand"
    """
    return f"{seat}'s {pile}"


class Deck:
    """Deck, discard pile, and before each player the hand, the declared and the captured card."""

    __slots__ = ("piles",)

    def __init__(self, piles: CountedPiles) -> None:
        self.piles = piles

    @classmethod
    def of(
        cls,
        seats: tuple[Seat, ...],
        counts: Mapping[str, int],
        known: Mapping[str, Iterable[str]] | None = None,
    ) -> Deck:
        """So many cards in each pile; those that are not named are empty."""
        own = (pile_of(seat, pile) for seat in seats for pile in OWN_PILES)
        named = dict.fromkeys((DECK, DISCARD, *own), 0)
        return cls(CountedPiles(TABLE, {**named, **counts}, known))

    @property
    def left(self) -> int:
        """Cards that can be drawn before the discard pile is shuffled."""
        return self.piles[DECK]

    @property
    def discarded(self) -> int:
        """Cards in the discard pile."""
        return self.piles[DISCARD]

    def count(self, seat: Seat, pile: str) -> int:
        """How many cards a player has in a pile of their own."""
        return self.piles[pile_of(seat, pile)]

    def known(self, seat: Seat, pile: str) -> tuple[str, ...]:
        """The kinds that everybody knows to lie there."""
        return tuple(self.piles.known.get(pile_of(seat, pile), ()))

    def seen(self) -> Counter[str]:
        """How often each kind is known to lie anywhere but in the deck and the hands."""
        return self.piles.seen(*self.piles.counts)

    # -- what hands do ---------------------------------------------------------------------

    def shuffle(self) -> Shuffle:
        """The discard pile, shuffled, is the new deck.  (RULING 27)"""
        return self.piles.shuffle(DISCARD, DECK)

    def draw(self, seat: Seat, count: int) -> Carry:
        """Cards off the deck into a hand."""
        self.piles.move(count, DECK, pile_of(seat, HAND))
        return Carry(seat, count, DECK, HAND)

    def declare(self, seat: Seat) -> Carry:
        """One card of the hand is laid face down.  (HX-DEC-01)"""
        return self._carry(seat, 1, HAND, CARD)

    def use_captured(self, seat: Seat) -> Carry:
        """The captured card is the declared one.  (HX-DEC-04)"""
        return self._carry(seat, self.count(seat, CAPTURED), CAPTURED, CARD)

    def turn_over(self, seat: Seat, kind: str, copies: int) -> bool:
        """Everybody sees which card was declared; whether it is one more than there are.

        Then some were misread before: those are forgotten, so that what is known never is more
        than the deck has.  (HX-RES-01, RULING 2)
        """
        beyond = self.seen()[kind] >= copies
        if beyond:
            known = self.piles.known
            self.piles.known = {
                pile: [card for card in cards if card != kind] for pile, cards in known.items()
            }
        self.piles.learn(pile_of(seat, CARD), kind)
        return beyond

    def discard(self, seat: Seat, pile: str) -> Carry:
        """All cards of a player's pile go to the discard pile."""
        count = self.count(seat, pile)
        self.piles.move(count, pile_of(seat, pile), DISCARD)
        return Carry(seat, count, pile, DISCARD)

    def capture(self, seat: Seat, attacker: Seat) -> Carry:
        """The attacker's card goes before the player whose shield stopped it.  (RULING 17)"""
        source = pile_of(attacker, CARD)
        count = self.piles[source]
        self.piles.move(count, source, pile_of(seat, CAPTURED))
        return Carry(seat, count, source, CAPTURED)

    def _carry(self, seat: Seat, count: int, source: str, target: str) -> Carry:
        self.piles.move(count, pile_of(seat, source), pile_of(seat, target))
        return Carry(seat, count, source, target)
