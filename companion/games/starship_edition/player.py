"""One player of Starship Edition: vessel, cards and tiers of this turn; and one declared attack."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple

from companion.core.board import Piece
from companion.core.ruling import Seat
from companion.games.starship_edition.boards import Spot
from companion.games.starship_edition.seats import (
    DECK,
    DISCARD,
    FACE_DOWN,
    GEAR,
    HAND,
    PILES,
    PRINTED_TIERS,
    REMOVED,
    SET,
    VESSELS,
    tier_pile,
)


class Modifier(NamedTuple):
    """So much more (or less) of a quantity, until when, and by which card.

    While a card is equipped, `source` is its copy: "G-JAM #2" on the own vessel, "A: G-JAM #2" on
    another's. `until` the end of "attack" is that of the next attack to which it can belong.
    """

    stat: str
    amount: int
    until: str
    source: str


@dataclass(slots=True)
class Tier:
    """One prepared tier: what was done, and which cards lie there ("?" face down, "" none).

    `void` is a second card that nothing permits, `permitted` one that a card's effect has laid;
    `resolved` once its moment has come.
    """

    action: str
    primary: str = ""
    secondary: str = ""
    void: bool = False
    resolved: bool = False
    permitted: bool = False

    @property
    def cards(self) -> int:
        """How many cards lie there."""
        return bool(self.primary) + bool(self.secondary)

    @property
    def holds_set_card(self) -> bool:
        """Whether a card was set there by its owner's own tier action.  (RULING 6)"""
        return self.action == SET and self.cards > 0


@dataclass(slots=True, eq=False)
class Player:
    """What lies before a seat.

    `discard` is face up, the last on top; a card that nobody named is "?". `gear` are the cards on
    the vessel, a second copy of a card as "G-PLATE #2". `granted` is how many tiers there are this
    turn, `declared` the abilities that are paid for and still to be carried out, `used` all that
    were declared this turn. `size` is how many cards the deck had at the start. `space` is None off
    the map, or where there is no map.
    """

    seat: Seat
    vessel: str
    deck_name: str
    size: int
    deck: int
    hand: int = 0
    removed: int = 0
    discard: list[str] = field(default_factory=list[str])
    gear: list[str] = field(default_factory=list[str])
    tiers: list[Tier] = field(default_factory=list[Tier])
    granted: int = PRINTED_TIERS
    hull: int = 0
    energy: int = 0
    counters: dict[str, int] = field(default_factory=dict[str, int])
    modifiers: list[Modifier] = field(default_factory=list[Modifier])
    declared: list[str] = field(default_factory=list[str])
    used: list[str] = field(default_factory=list[str])
    locked: bool = False
    prepared: bool = False
    drifted: bool = False
    out: bool = False
    space: Spot | None = None
    heading: int = 0

    @property
    def piece(self) -> Piece:
        """The ship on the map."""
        return VESSELS[self.seat]

    @property
    def hull_in_words(self) -> str:
        """What is left of the vessel: "hull 3"; below zero it is destroyed.  (RULING 19)"""
        return f"hull {self.hull}" if self.hull >= 0 else "destroyed"

    @property
    def set_cards(self) -> int:
        """Cards in the tiers."""
        return sum(tier.cards for tier in self.tiers)

    @property
    def total(self) -> int:
        """All cards of the player, wherever they lie."""
        return (
            self.deck + self.hand + self.removed + len(self.discard) + len(self.gear)
            + self.set_cards
        )  # fmt: skip

    def pile_counts(self) -> dict[str, int]:
        """How many cards lie in each place; nothing is ever left aside."""
        piles = {**dict.fromkeys(PILES, 0), DECK: self.deck, HAND: self.hand}
        piles |= {DISCARD: len(self.discard), GEAR: len(self.gear), REMOVED: self.removed}
        for number, tier in enumerate(self.tiers, 1):
            piles[tier_pile(number)] = int(bool(tier.primary))
            piles[tier_pile(number, secondary=True)] = int(bool(tier.secondary))
        return piles

    def counters_shown(self) -> dict[str, int]:
        """Hull, energy, and every other counter that lies on the vessel or has lain there."""
        return {"hull": self.hull, "energy": self.energy, **self.counters}

    @property
    def next_tier(self) -> int:
        """The tier to be prepared next; one beyond `granted` when all are."""
        return len(self.tiers) + 1

    @property
    def has_tiers_left(self) -> bool:
        """Whether a tier of this turn is still to be prepared."""
        return self.next_tier <= self.granted

    @property
    def has_cards(self) -> bool:
        """Whether there is a card to play, now or later."""
        return self.deck + self.hand + self.set_cards > 0

    def tier(self, number: int) -> Tier | None:
        """A prepared tier by its number, None if there is none."""
        return self.tiers[number - 1] if 1 <= number <= len(self.tiers) else None

    def places(self) -> list[str]:
        """Where cards lie face down in tiers set by the owner: "1", "1b", "3"."""
        return [
            f"{number}{letter}"
            for number, tier in enumerate(self.tiers, 1)
            if tier.action == SET
            for letter, card in (("", tier.primary), ("b", tier.secondary))
            if card == FACE_DOWN
        ]

    def turned_over(self) -> list[str]:
        """Cards that lie face up in a tier; one that nobody has typed in is "?"."""
        return [card for tier in self.tiers if tier.resolved
                for card in (tier.primary, tier.secondary) if card]  # fmt: skip

    def bonus(self, stat: str) -> int:
        """What the modifiers in force add to a quantity."""
        return sum(one.amount for one in self.modifiers if one.stat == stat)

    def new_turn(self) -> None:
        """Clear what belongs to one turn."""
        self.tiers, self.granted = [], PRINTED_TIERS
        self.declared, self.used = [], []
        self.locked = self.prepared = self.drifted = False


def copies(cards: Sequence[str], others: Collection[str] = ()) -> list[str]:
    """Cards on a vessel with a number after each further copy; `others` are names of other cards.

    >>> copies(["G-PLATE", "G-CORE", "G-PLATE"])
    ['G-PLATE', 'G-CORE', 'G-PLATE #2']
    """
    named: list[str] = []
    for card in cards:
        further = (f"{card} #{number}" for number in count(2))
        free = (name for name in further if name not in named and name not in others)
        named.append(card if card not in named else next(free))
    return named


def card_of(copy: str, known: Collection[str]) -> str:
    """Which card a copy is.

    >>> card_of("G-PLATE #2", ["G-PLATE"]), card_of("Tube #2", ["Tube #2"])
    ('G-PLATE', 'Tube #2')
    """
    card, _, number = copy.rpartition(" #")
    return card if copy not in known and card and number.isdecimal() else copy


def pile_at(place: str) -> str:
    """The pile of a place in the tiers ("1b"), as deeds call it."""
    return tier_pile(int(place.rstrip("b")), secondary=place.endswith("b"))


# Declared: one attack from its declaration to its damage.  (SE-R14, RULING 14)


@dataclass(slots=True)
class Declared:
    """An attack under way: who, at whom, how strong, and what was added or taken away since.

    `number` tells the attacks of one set apart, in the order of their declaration. `changes` are
    quantities of vessels that are more or less in this attack alone; `own_power` says that its
    power is the attack of the vessel and not one that its card has.
    """

    number: int
    attacker: Seat
    target: Seat
    power: int
    title: str
    bonus: int = 0
    reduction: int = 0
    stopped: str = ""
    own_power: bool = True
    changes: dict[tuple[Seat, str], int] = field(default_factory=dict[tuple[Seat, str], int])

    def change(self, seat: Seat, stat: str, amount: int) -> None:
        """So much more of a quantity of a vessel, in this attack alone."""
        self.changes[seat, stat] = self.changes.get((seat, stat), 0) + amount

    @property
    def name(self) -> str:
        """What the attack is called where several wait: "2 B>A"."""
        return f"{self.number} {self.attacker}>{self.target}"

    def damage(self, armour: int) -> int:
        """Power with all that was added, less all reductions, never below 0."""
        if self.stopped:
            return 0
        return max(0, self.power + self.bonus - self.reduction - armour)
