"""Piles of cards as the record counts them, and lots that the companion draws for a table.

The record knows how many cards lie in each pile, and which of them only where a card was turned
over for everybody.
"""

from __future__ import annotations

import hashlib
from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from companion.core.ruling import Carry, Seat, Shuffle


def own_pile(seat: Seat, pile: str) -> str:
    """The name of a player's own pile among the piles of one common deck.

    >>> own_pile(Seat("A"), "hand")
    "A's hand"
    """
    return f"{seat}'s {pile}"


def _owned(owner: Seat, pile: str) -> tuple[Seat, str]:
    """Whose a pile is, and what it is called: the reverse of `own_pile`."""
    whose, apostrophe, name = pile.partition("'s ")
    return (Seat(whose), name) if apostrophe else (owner, pile)


class CountedPiles:
    """How many cards of one owner lie in each pile, and the few that everybody has seen.

    >>> piles = CountedPiles(Seat("JP"), {"deck": 26, "hand": 4, "discard": 0})
    >>> piles.move(3, "deck", "hand")
    Carry(owner='JP', count=3, source='deck', target='hand')
    >>> piles["deck"], piles["hand"], piles.total
    (23, 7, 30)
    """

    __slots__ = ("counts", "known", "owner")

    def __init__(
        self,
        owner: Seat,
        counts: Mapping[str, int],
        known: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.owner = owner
        self.counts = dict(counts)
        self.known: dict[str, list[str]] = {n: sorted(c) for n, c in (known or {}).items()}

    def __getitem__(self, pile: str) -> int:
        return self.counts[pile]

    def __setitem__(self, pile: str, count: int) -> None:
        """Recounted by the arbiter; what was known of a pile that shrank below it is forgotten."""
        if pile not in self.counts:
            raise KeyError(pile)
        self.counts[pile] = count
        if len(self.known.get(pile, ())) > count:
            self.known.pop(pile)

    def __repr__(self) -> str:
        piles = ", ".join(f"{name} {count}" for name, count in self.counts.items())
        return f"<{self.owner}: {piles}>"

    def by_owner(self) -> dict[tuple[Seat, str], int]:
        """Every pile by whose it is and its name: a common deck has piles of players, too.

        >>> CountedPiles(Seat("table"), {"deck": 30, own_pile(Seat("A"), "hand"): 4}).by_owner()
        {('table', 'deck'): 30, ('A', 'hand'): 4}
        """
        return {_owned(self.owner, pile): count for pile, count in self.counts.items()}

    def known_by_owner(self) -> dict[tuple[Seat, str], list[str]]:
        """The cards that everybody has seen, by their piles as `by_owner` names them."""
        return {_owned(self.owner, pile): cards for pile, cards in self.known.items()}

    @property
    def total(self) -> int:
        """All cards of this owner, wherever they lie."""
        return sum(self.counts.values())

    def move(self, count: int, source: str, target: str, place: str = "") -> Carry:
        """Move cards nobody has looked at; ValueError if the source has too few.

        `place` is what hands call the source or target where that is more exact ("Jaws.2").
        Known cards stay behind unless the whole pile moves.
        """
        counts = self.counts
        if not 0 <= count <= counts[source]:
            raise ValueError(f"{self.owner}: {count} of {counts[source]} cards from {source}")
        if source in self.known:
            self._move_known(count, source, target)
        counts[source] -= count
        counts[target] += count
        return Carry(self.owner, count, place or source, target)

    def _move_known(self, count: int, source: str, target: str) -> None:
        if count == self.counts[source]:
            moved = self.known.pop(source)
            self.known[target] = sorted((*self.known.get(target, ()), *moved))
        elif count > self.counts[source] - len(self.known[source]):
            del self.known[source]

    def shuffle(self, source: str, target: str) -> Shuffle:
        """Shuffle a whole pile into another; nobody knows any card of either afterwards."""
        count = self.counts[source]
        self.counts[source] = 0
        self.counts[target] += count
        self.known.pop(source, None)
        self.known.pop(target, None)
        return Shuffle(self.owner, count, source, target)

    def learn(self, pile: str, card: str) -> None:
        """Everybody has seen that this card lies in this pile."""
        known = self.known.setdefault(pile, [])
        if len(known) < self.counts[pile]:
            insort(known, card)

    def seen(self, *piles: str) -> Counter[str]:
        """How often each card is known to lie in these piles.

        >>> piles = CountedPiles(Seat("JP"), {"track": 2, "discard": 0})
        >>> piles.learn("track", "MPL")
        >>> _ = piles.move(2, "track", "discard")
        >>> piles.seen("track", "discard")
        Counter({'MPL': 1})
        """
        return Counter(card for pile in piles for card in self.known.get(pile, ()))


# Lots, drawn from words that everybody heard, so that anybody can check them.

T = TypeVar("T")

HIGHEST = 99
"""The greatest number that somebody may say for a lot, from 1 on."""


def drawn(things: Sequence[T], words: str) -> T:
    """One of several things, each about equally likely; the same words give the same one.

    >>> drawn("ABCD", "Ana, Ben/47/first"), drawn("ABCD", "Ana, Ben/48/first")
    ('A', 'D')
    """
    figures = hashlib.blake2b(words.encode(), digest_size=8).digest()
    return things[int.from_bytes(figures, "big") % len(things)]
