"""One player of Starship Edition: vessel, cards and tiers of this turn; and one declared attack.

The ledger makes facts, files and setters of what is declared here by `kept`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Protocol

from pydantic import AfterValidator, Field

from companion.core.board import Piece
from companion.core.errors import BadCall
from companion.core.ruling import Fact, Seat, SetTo, Shows
from companion.core.text import one_of
from companion.games.starship_edition import seats
from companion.games.starship_edition.boards import Spot, name_of, read_spot
from companion.games.starship_edition.cards import MOST, FilePart
from companion.games.starship_edition.figures import STANDARD
from companion.games.starship_edition.seats import tier_pile
from companion.kit.adjusting import whole_number
from companion.kit.ledger import FLAG, Kind, Ledger, kept, number, optional, typed, word

if TYPE_CHECKING:
    from companion.core.ruling import Json


class Surroundings(Protocol):
    """What setting a player's quantities needs of the position."""

    def vessel_of(self, seat: Seat) -> str:
        """A seat's ship in a sentence."""
        ...

    def most_hull(self, player: Player) -> int | None:
        """The hull that a vessel has at most, None where nothing limits it."""
        ...

    @property
    def headings(self) -> tuple[str, ...]:
        """What the headings are called, clockwise from heading 0."""
        ...

    def end_effects_of(self, owner: Seat, copy: str) -> list[tuple[Seat, Modifier]]:
        """End what an equipped card changes, on whatever vessel."""
        ...


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


# Kinds of quantities, as the ledger has them.

TEXT: Kind[str] = Kind(str)
CARDS = number(0, seats.MOST_CARDS)


def _words(_: object, name: str, raw: Json) -> list[str]:
    if not isinstance(raw, list) or not all(isinstance(word, str) for word in raw):
        raise BadCall(f"{name}: {raw!r} is no list of cards, the top one last")
    return [str(word) for word in raw]


def _copied(_: object, words: list[str]) -> Json:
    return [*words]


WORDS: Kind[list[str]] = Kind(list[str], _words, _copied, hashed=tuple)
"""Cards or abilities by their ids."""


def _counters(_: object, name: str, raw: Json) -> dict[str, int]:
    if not isinstance(raw, dict):
        raise BadCall(f"{name}: {raw!r} is no table of counters, as over heat = 3")
    return {kind: whole_number(f"{name}.{kind}", n, 0, seats.MOST_CARDS) for kind, n in raw.items()}


def _present(counters: Mapping[str, int]) -> dict[str, int]:
    """Counters of which any are left."""
    return {name: count for name, count in counters.items() if count}


COUNTERS: Kind[dict[str, int]] = Kind(
    typed(dict, str, CARDS.filed),
    _counters,
    told=lambda _, counters: dict(sorted(_present(counters).items())),
    written=lambda _, counters: {**_present(counters)},
    hashed=lambda counters: tuple(sorted(_present(counters).items())),
)


def _spot_told(_: object, spot: Spot) -> str:
    return name_of(spot)


SPACE = replace(word(read_spot, kept_as=tuple[int, int]), told=_spot_told)


class Modifier(NamedTuple):
    """So much more (or less) of a quantity, until when, and by which card.

    While a card is equipped, `source` is its copy: "G-JAM #2" on the own vessel, "A: G-JAM #2" on
    another's. `until` the end of "attack" is that of the next attack to which it can belong.
    """

    stat: str
    amount: int
    until: str
    source: str

    def __str__(self) -> str:
        return f"{self.stat} {self.amount:+} ({self.until}, {self.source})"


class _FiledModifier(FilePart):
    stat: str
    amount: Annotated[int, Field(ge=-MOST, le=MOST)]
    until: Literal["attack", "tier", "turn", "while_equipped", "game"]
    source: str = ""


def _modifiers(filed: list[_FiledModifier]) -> list[Modifier]:
    return [Modifier(one.stat, one.amount, one.until, one.source) for one in filed]


MODIFIERS: Kind[list[Modifier]] = Kind(
    Annotated[list[_FiledModifier], AfterValidator(_modifiers)],
    told=lambda _, modifiers: [str(one) for one in modifiers],
    written=lambda _, modifiers: [one._asdict() for one in modifiers],
    hashed=lambda modifiers: tuple(tuple(one) for one in modifiers),
)


@dataclass(slots=True)
class Tier:
    """One prepared tier: what was done, and which cards lie there ("?" face down, "" none)."""

    action: str = kept(
        "",
        word(lambda raw: one_of(raw, seats.TIER_ACTIONS, "tier action"), seats.TIER_ACTIONS),
        about="what was done",
        required=True,
        sets=(),
    )
    primary: str = kept("", TEXT, about='the first card, `"?"` face down', sets=())
    secondary: str = kept("", TEXT, about="the second", sets=())
    void: bool = kept(False, FLAG, about="whether nothing permits the second", sets=())
    resolved: bool = kept(False, FLAG, about="whether its moment has come", sets=())
    permitted: bool = kept(False, FLAG, about="whether a card's effect laid the second", sets=())

    @property
    def cards(self) -> int:
        """How many cards lie there."""
        return bool(self.primary) + bool(self.secondary)

    @property
    def holds_set_card(self) -> bool:
        """Whether a card was set there by its owner's own tier action.  (RULING 6)"""
        return self.action == seats.SET and self.cards > 0

    def __str__(self) -> str:
        return ", ".join((self.action, *(card for card in (self.primary, self.secondary) if card)))

    def hashed(self) -> tuple[object, ...]:
        """Values that never change, for the digest."""
        plain = (self.action, self.primary, self.secondary, self.void, self.resolved)
        return (*plain, "permitted") if self.permitted else plain


TIER: Ledger[Surroundings, Tier] = Ledger(Tier)


def _tiers(filed: list[Any]) -> list[Tier]:
    return [Tier(**TIER.read(line)) for line in filed]


def _tier_facts(_: object, player: Player) -> Iterator[Fact]:
    """A tier in words: "set, 2 cards", "draw", "not yet"."""
    for at in range(1, max(player.granted, len(player.tiers)) + 1):
        tier = player.tier(at)
        told = "not yet" if tier is None else str(tier)
        yield Fact(f"{player.seat}.tier-{at}", f"Tier {at}", told, player.seat)


def _tiers_written(position: Surroundings, tiers: list[Tier]) -> Json:
    return [TIER.written(position, tier) for tier in tiers]


TIERS_OF_TURN: Kind[list[Tier]] = Kind(
    typed(
        Annotated,
        typed(list, TIER.model("_Tier")),
        Field(max_length=seats.MOST_TIERS),
        AfterValidator(_tiers),
    ),
    told=_tiers_written,
)


# Player: what lies before a seat.


def _set_gear(position: Surroundings, player: Player, _: str, cards: list[str]) -> None:
    """Equipped cards; what those did that are there no longer ends, on other vessels too."""
    before, player.gear = player.gear, copies(cards)
    for copy in before:
        if copy not in player.gear:
            position.end_effects_of(player.seat, copy)


def _heading_fact(position: Surroundings, player: Player) -> Iterator[Fact]:
    """The number, with what the map calls it; a number that the map has not is told as it is."""
    names = dict(enumerate(position.headings))
    seat, heading = player.seat, player.heading
    yield Fact(f"{seat}.heading", "Heading", heading, seat, words=names.get(heading, ""))


def _set_hull(position: Surroundings, player: Player, _: str, hull: int) -> None:
    """Hull: no more than at the start, where nothing can give more.  (SE-R23, RULING 23)"""
    most = position.most_hull(player)
    if most is not None and hull > max(most, player.hull):
        raise BadCall(
            f"{position.vessel_of(player.seat)} has hull {most} at most, as at the start. Set "
            f"{most} or less, or the house rule overrepair first [SE-R23, RULING 23]"
        )
    player.hull = hull


def _set_destroyed(_: object, player: Player, __: str, out: bool) -> None:  # noqa: FBT001 - a put
    """Destroyed: all cards are removed, and the vessel leaves the map.  (SE-R21, RULING 21)"""
    player.out = out
    if out:
        player.removed = player.total
        player.deck = player.hand = 0
        player.discard, player.gear, player.space = [], [], None
        player.new_turn()
        player.modifiers, player.counters = [], {}


@dataclass(slots=True, eq=False)
class Player:
    """What lies before a seat.

    `size` is how many cards the deck had at the start: all that the player has, wherever they lie.
    `space` is None off the map, or where there is no map.
    """

    seat: Seat
    vessel: str = kept(STANDARD, TEXT, "Vessel", "which vessel, by name", sets=())
    deck_name: str = kept(STANDARD, TEXT, about="which deck, by name", sets=(), hashed=False)
    size: int = 0
    deck: int = kept(0, CARDS, "Deck", "how many cards", shows=Shows.COUNT, required=True)
    hand: int = kept(0, CARDS, "Hand", "how many cards", shows=Shows.COUNT, required=True)
    removed: int = kept(0, CARDS, "Removed", "how many cards")
    discard: list[str] = kept(
        [], WORDS, "Discard pile", 'cards by id, the last on top; `"?"` for one nobody named'
    )
    gear: list[str] = kept(
        [],
        replace(WORDS, filed=Annotated[list[str], AfterValidator(copies)]),
        "Equipped",
        'cards by id, a further copy as `"TUBE #2"`',
        put=_set_gear,
    )
    tiers: list[Tier] = kept(
        [],
        TIERS_OF_TURN,
        about="one table for each prepared tier, as below",
        sets=(),
        tells=_tier_facts,
        hashed=False,
    )
    granted: int = kept(
        seats.PRINTED_TIERS,
        number(seats.PRINTED_TIERS, seats.MOST_TIERS),
        "Tiers this turn",
        "tiers of this turn",
    )
    hull: int = kept(
        0,
        number(-seats.MOST_CARDS, seats.MOST_CARDS),
        "Hull",
        "hull points; below 0 the vessel is destroyed",
        shows=Shows.COUNT,
        required=True,
        put=_set_hull,
    )
    energy: int = kept(0, CARDS, "Energy", "tokens", shows=Shows.COUNT, required=True)
    counters: dict[str, int] = kept(
        {}, COUNTERS, "Counters", "how many of each kind: `over heat = 3`",
        written=lambda player: any(player.counters.values()),
    )  # fmt: skip
    modifiers: list[Modifier] = kept(
        [],
        MODIFIERS,
        "In force",
        "tables of `stat`, `amount`, `until` (`attack tier turn while_equipped game`), `source` "
        '(equipped: the copy, on another\'s vessel as `"A: TUBE #2"`)',
        sets=(),
    )
    declared: list[str] = kept(
        [], WORDS, "Abilities to come", "abilities paid for and still to be carried out"
    )
    used: list[str] = kept([], WORDS, "Abilities of this turn", "all abilities declared this turn")
    locked: bool = kept(False, FLAG, "Locked", "whether the tiers are locked")
    prepared: bool = kept(False, FLAG, "Prepared", "whether the own Preparation is over")
    drifted: bool = kept(False, FLAG, "Drifted", "whether the vessel has drifted this turn")
    out: bool = kept(
        False,
        FLAG,
        "Destroyed",
        "whether the vessel is destroyed, or its player has left",
        key="destroyed",
        shows=Shows.BADGE,
        put=_set_destroyed,
    )
    space: Spot | None = kept(
        None, optional(SPACE, None), "Place", 'a space, `"3,4"`', key="place",
        without="not on the map",
    )  # fmt: skip
    heading: int = kept(0, number(0, 7), "Heading", "clockwise from 0", tells=_heading_fact)

    @property
    def piece(self) -> Piece:
        """The ship on the map."""
        return seats.VESSELS[self.seat]

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
        piles = {**dict.fromkeys(seats.PILES, 0), seats.DECK: self.deck, seats.HAND: self.hand}
        piles |= {
            seats.DISCARD: len(self.discard),
            seats.GEAR: len(self.gear),
            seats.REMOVED: self.removed,
        }
        for at, tier in enumerate(self.tiers, 1):
            piles[tier_pile(at)] = int(bool(tier.primary))
            piles[tier_pile(at, secondary=True)] = int(bool(tier.secondary))
        return piles

    def counters_shown(self) -> dict[str, int]:
        """Hull, energy, and every other counter that lies on the vessel or has lain there."""
        return {"hull": self.hull, "energy": self.energy, **self.counters}

    def tokens(self, name: str, was: int) -> SetTo:
        """Hands lay as many tokens on the ship card as the record has now, where so many lay."""
        now = self.counters_shown().get(name, 0)
        return SetTo(self.seat, f"{self.seat}.{name}", name, was, now)

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
            if tier.action == seats.SET
            for letter, card in (("", tier.primary), ("b", tier.secondary))
            if card == seats.FACE_DOWN
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
        self.tiers, self.granted = [], seats.PRINTED_TIERS
        self.declared, self.used = [], []
        self.locked = self.prepared = self.drifted = False


PLAYER: Ledger[Surroundings, Player] = Ledger(
    Player,
    facts=(
        "vessel", "hull", "energy", "deck", "hand", "removed", "discard", "gear", "counters",
        "modifiers", "declared", "used",
    ),
    file=(
        "deck", "hand", "hull", "energy", "removed", "discard", "gear", "tiers", "counters",
        "modifiers", "declared", "used", "locked", "prepared", "drifted", "out", "space", "heading",
    ),
    sets=(
        "energy", "deck", "hand", "removed", "locked", "prepared", "drifted", "out", "discard",
        "declared", "used", "counters", "space", "heading", "granted",
    ),
    hashed=("seat",),
)  # fmt: skip


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
