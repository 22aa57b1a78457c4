"""The action cards, their deck, a table's own figures, and names as people type them.

The six kinds come from `cards.toml`; map, start lines and deck are assumed in `table.toml` until a
table has read them off.  (HX-ATK-01, HX-SHD-01, RULING 1, 2, 11)
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from reprlib import repr as brief
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.board import Piece, no_heading
from companion.core.errors import BadFile
from companion.core.files import read_model
from companion.core.ruling import TABLE, Carry, Cite, Seat, Shuffle
from companion.core.text import one_of, spelt_like
from companion.games.dogfight_hex import seats
from companion.kit.figures import Confirmed, OwnTable, confirmed_names, merged, read_once
from companion.kit.hexes import (
    FLAT_TOP_NAMES,
    POINTY_TOP_NAMES,
    Heading,
    Hex,
    HexMap,
    hexagon,
    parted,
)
from companion.kit.piles import CountedPiles

if TYPE_CHECKING:
    from companion.core.ruling import Json


SHORT, MEDIUM, LONG = "short", "medium", "long"
NO_DRAW, REUSE, ANCHOR = "shield no draw", "shield reuse", "shield anchor"
KINDS = (SHORT, MEDIUM, LONG, NO_DRAW, REUSE, ANCHOR)


@dataclass(frozen=True, slots=True)
class CardKind:
    """One kind of card: what it is called, whether it attacks or shields, and where that stands."""

    name: str
    label: str
    attacks: bool
    cite: Cite

    @property
    def attack(self) -> str:
        """What an attack of this kind is called in a sentence: "medium-range attack"."""
        return f"{self.label.lower().replace(' ', '-')} attack"


def _read() -> Mapping[str, CardKind]:
    rows = tomllib.loads(Path(__file__).with_name("cards.toml").read_text("utf-8"))
    return {
        name: CardKind(name, row["label"], row["does"] == "attack", Cite.of(row["cite"]))
        for name, row in rows.items()
    }


CARDS: Mapping[str, CardKind] = _read()
"""Every kind by its name, in the order of the book."""
ATTACKS = tuple(name for name, kind in CARDS.items() if kind.attacks)
SHIELDS = tuple(name for name, kind in CARDS.items() if not kind.attacks)


# The one deck: how many cards lie where, and which of them everybody has seen.


def pile_of(seat: Seat, pile: str) -> str:
    """What a player's own pile is called among all of them.

    >>> pile_of(Seat("A"), "hand")
    "A's hand"
    """
    return f"{seat}'s {pile}"


class ActionDeck:
    """Deck, discard pile, and before each player the hand, the declared and the captured card."""

    __slots__ = ("piles",)

    def __init__(self, piles: CountedPiles) -> None:
        self.piles = piles

    @classmethod
    def of(
        cls,
        players: tuple[Seat, ...],
        counts: Mapping[str, int],
        known: Mapping[str, Iterable[str]] | None = None,
    ) -> ActionDeck:
        """So many cards in each pile; those that are not named are empty."""
        own = (pile_of(seat, pile) for seat in players for pile in seats.OWN_PILES)
        named = dict.fromkeys((seats.DECK, seats.DISCARD, *own), 0)
        return cls(CountedPiles(TABLE, {**named, **counts}, known))

    @property
    def left(self) -> int:
        """Cards that can be drawn before the discard pile is shuffled."""
        return self.piles[seats.DECK]

    @property
    def discarded(self) -> int:
        """Cards in the discard pile."""
        return self.piles[seats.DISCARD]

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
        return self.piles.shuffle(seats.DISCARD, seats.DECK)

    def draw(self, seat: Seat, count: int) -> Carry:
        """Cards off the deck into a hand."""
        self.piles.move(count, seats.DECK, pile_of(seat, seats.HAND))
        return Carry(seat, count, seats.DECK, seats.HAND)

    def declare(self, seat: Seat) -> Carry:
        """One card of the hand is laid face down.  (HX-DEC-01)"""
        return self._carry(seat, 1, seats.HAND, seats.CARD)

    def use_captured(self, seat: Seat) -> Carry:
        """The captured card is the declared one.  (HX-DEC-04)"""
        return self._carry(seat, self.count(seat, seats.CAPTURED), seats.CAPTURED, seats.CARD)

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
        self.piles.learn(pile_of(seat, seats.CARD), kind)
        return beyond

    def discard(self, seat: Seat, pile: str) -> Carry:
        """All cards of a player's pile go to the discard pile."""
        count = self.count(seat, pile)
        self.piles.move(count, pile_of(seat, pile), seats.DISCARD)
        return Carry(seat, count, pile, seats.DISCARD)

    def capture(self, seat: Seat, attacker: Seat) -> Carry:
        """The attacker's card goes before the player whose shield stopped it.  (RULING 17)"""
        source = pile_of(attacker, seats.CARD)
        count = self.piles[source]
        self.piles.move(count, source, pile_of(seat, seats.CAPTURED))
        return Carry(seat, count, source, seats.CAPTURED)

    def _carry(self, seat: Seat, count: int, source: str, target: str) -> Carry:
        self.piles.move(count, pile_of(seat, source), pile_of(seat, target))
        return Carry(seat, count, source, target)


# Figures: map, start lines and deck, assumed or read off a table's copy.  (RULING 1, 2, 11)

TABLE_FILE = Path(__file__).with_name("table.toml")
SMALLEST_RADIUS, LARGEST_RADIUS = 2, 12
MOST_CARDS = 60
EDGE = "edge"

_Space = tuple[int, int]
_Cards = Annotated[int, Field(ge=0, le=MOST_CARDS)]


def _edge(raw: object) -> object:
    """None for the outermost spaces, which a file calls by their name."""
    if isinstance(raw, str) and raw != EDGE:
        raise ValueError(f'"{EDGE}" or a list of spaces is expected, not {raw!r}')
    return None if raw == EDGE else raw


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=False)


class _MapPart(_Part):
    radius: Annotated[int, Field(ge=SMALLEST_RADIUS, le=LARGEST_RADIUS)]
    orientation: Literal["pointy", "flat"]
    spaces: list[_Space] | None = None
    start_spaces: Annotated[list[_Space] | None, BeforeValidator(_edge)]


class _Deck(_Part):
    short: _Cards
    medium: _Cards
    long: _Cards
    no_draw: Annotated[int, Field(ge=0, le=MOST_CARDS, alias="shield no draw")]
    reuse: Annotated[int, Field(ge=0, le=MOST_CARDS, alias="shield reuse")]
    anchor: Annotated[int, Field(ge=0, le=MOST_CARDS, alias="shield anchor")]


class _MediumRange(_Part):
    spaces: Annotated[list[_Space], Field(min_length=1)]


class _TableFile(_Part):
    name: Annotated[str, Field(min_length=1, max_length=60)]
    confirmed: Confirmed
    map: _MapPart
    deck: _Deck
    medium_range: _MediumRange


ASSUMED: Mapping[str, tuple[str, str]] = {
    "map.radius": ("Spaces from the middle to a corner", "RULING 1"),
    "map.orientation": ("Which way the hexes lie", "RULING 1"),
    "map.start_spaces": ("Spaces on which ships start", "HX-SET-05, RULING 1"),
    **{f"deck.{kind}": (f"Cards: {CARDS[kind].label}", "HX-MAT-01, RULING 2") for kind in KINDS},
    "medium_range.spaces": ("Medium range, if the card shows it", "HX-ATK-03, RULING 11"),
}
"""Every figure that is assumed until confirmed: what to call it, and where it belongs."""

LIMITS: Mapping[str, tuple[int, int]] = {
    "map.radius": (SMALLEST_RADIUS, LARGEST_RADIUS),
    **{f"deck.{kind}": (0, MOST_CARDS) for kind in KINDS},
}
"""Figures that are one whole number, with their limits."""


@dataclass(frozen=True, eq=False)
class Figures:
    """One table's figures; `confirmed` names those that were held against the real components.

    `facings` are the names of the six headings; `deck` counts cards by kind; `custom_front` is the
    medium range that the table's own card shows, for a ship on 0,0 with facing 0.
    """

    name: str
    confirmed: frozenset[str]
    board: HexMap
    is_pointy: bool
    start_spaces: frozenset[Hex]
    deck: Mapping[str, int]
    custom_front: frozenset[Hex]

    @property
    def facings(self) -> tuple[str, ...]:
        """What facing 0 to 5 are called on this map."""
        return POINTY_TOP_NAMES if self.is_pointy else FLAT_TOP_NAMES

    @property
    def deck_size(self) -> int:
        """All action cards of the box."""
        return sum(self.deck.values())

    def assumed(self, *names: str) -> str:
        """What a ruling owes that rests on these: " (assumed figure)", or nothing."""
        return "" if self.confirmed.issuperset(names) else " (assumed figure)"


@cache
def assumed_figures() -> Figures:
    """The figures that ship with the box.

    >>> figures = assumed_figures()
    >>> len(figures.board.spaces), len(figures.start_spaces), figures.deck_size
    (91, 30, 54)
    """
    return judge_table(_shipped(), TABLE_FILE.name)


@read_once
def read_figures(raw: Mapping[str, Json], source: str = "data") -> Figures:
    """A table's own figures over the assumed ones; BadFile names the place and what is allowed."""
    return judge_table(merged(_shipped(), raw), source) if raw else assumed_figures()


def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table; BadFile where no game could be played with them."""
    file = read_model(_TableFile, raw, source, "figure")
    board = HexMap(_spaces(file.map, source))
    return Figures(
        name=file.name,
        confirmed=confirmed_names(file.confirmed, ASSUMED, source),
        board=board,
        is_pointy=file.map.orientation == "pointy",
        start_spaces=_start_spaces(file.map, board, source),
        deck=_deck(file.deck, source),
        custom_front=_custom_front(file.medium_range, source),
    )


def _spaces(part: _MapPart, source: str) -> Sequence[Hex]:
    if part.spaces is None:
        return list(hexagon(part.radius))
    spaces = _each_once(part.spaces, "map.spaces", source)
    wrong = _wrong_with(spaces)
    if wrong:
        raise BadFile(source, "map.spaces", f"{wrong} [HX-SET-01, RULING 1]")
    return spaces


def _wrong_with(spaces: Sequence[Hex]) -> str:
    """Why ships could not fly on these spaces; empty if they can."""
    if len(spaces) < len(seats.WRECKS) + 2 * seats.MOST:
        return f"{len(spaces)} spaces; at least {len(seats.WRECKS) + 2 * seats.MOST} are needed"
    far = next((s for s in spaces if s.distance(Hex(0, 0)) > LARGEST_RADIUS), None)
    if far is not None:
        return f"{far} lies over {LARGEST_RADIUS} spaces from 0,0"
    stray = HexMap(spaces).apart_from(spaces[0])
    return f"{min(stray)} cannot be reached from {spaces[0]}" if stray else ""


def _each_once(raw: Sequence[_Space], place: str, source: str) -> list[Hex]:
    spaces = [Hex(*space) for space in raw]
    twice = next((space for space in spaces if spaces.count(space) > 1), None)
    if twice is not None:
        raise BadFile(source, place, f"{twice} is named twice; name it once")
    return spaces


def _start_spaces(part: _MapPart, board: HexMap, source: str) -> frozenset[Hex]:
    """The highlighted lines: the outermost spaces, or those that the table names.  (RULING 1)"""
    place = "map.start_spaces"
    if isinstance(part.start_spaces, list):
        spaces = _each_once(part.start_spaces, place, source)
    else:
        spaces = [space for space, near in board.beside.items() if None in near]
    off = next((space for space in spaces if space not in board), None)
    if off is not None:
        raise BadFile(source, place, f"{off} is not on the map [HX-SET-05]")
    needed = seats.MOST + len(seats.WRECKS)
    if len(spaces) < needed:
        wreckage = len(seats.WRECKS)
        text = f"{len(spaces)} spaces; {seats.MOST} ships and {wreckage} wreckage need {needed}"
        raise BadFile(source, place, f"{text} [HX-SET-05, RULING 3]")
    return frozenset(spaces)


def _deck(part: _Deck, source: str) -> Mapping[str, int]:
    counts = part.model_dump(by_alias=True)
    deck = {kind: int(counts[kind]) for kind in KINDS}
    if not any(deck[kind] for kind in ATTACKS):
        raise BadFile(source, "deck", "no attack card: nobody could ever win [HX-WIN-01]")
    drawn = seats.FEWEST * seats.HAND_SIZE
    if sum(deck.values()) < drawn:
        text = f"{sum(deck.values())} cards; {seats.FEWEST} players draw {drawn}"
        raise BadFile(source, "deck", f"{text} [HX-SET-06]")
    return deck


def _custom_front(part: _MediumRange, source: str) -> frozenset[Hex]:
    spaces = _each_once(part.spaces, "medium_range.spaces", source)
    for space in spaces:
        if not 1 <= space.distance(Hex(0, 0)) <= seats.MEDIUM_RANGE:
            text = f"{space} is not 1 to {seats.MEDIUM_RANGE} spaces from 0,0, where the ship is"
            raise BadFile(source, "medium_range.spaces", f"{text} [HX-ATK-03]")
    return frozenset(spaces)


OWN_FIGURES = OwnTable(
    TABLE_FILE,
    ASSUMED,
    judge_table,
    LIMITS,
    words={
        "map.orientation": (("pointy", "A corner on top"), ("flat", "A side on top")),
        "map.start_spaces": ((EDGE, "Edge"),),
    },
    spaces={"map.start_spaces": lambda table: [[q, r] for q, r in sorted(table.start_spaces)]},
)
"""Holding the assumed figures against a table's own copy of the box."""


# Names as people type them: seats, stages, cards, places, tokens.

FARTHEST = 99
"""No map reaches beyond so many spaces from its middle."""


def seat_named(raw: object) -> Seat:
    """A seat by its letter, or by its ship.

    >>> seat_named("c"), seat_named("Ship B")
    ('C', 'B')
    """
    ships = {
        spelling: seat
        for seat, ship in seats.SHIPS.items()
        for spelling in (ship, seats.LABELS[ship])
    }
    meant = spelt_like(raw, ships) if isinstance(raw, str) else None
    return ships[meant] if meant is not None else Seat(one_of(raw, seats.SEATS, "seat"))


def stage_named(raw: object) -> str:
    """Set-up, or a phase of a turn."""
    return one_of(raw, seats.STAGES, "phase")


def card_named(raw: object) -> str:
    """One of the six kinds of action cards.

    >>> card_named("shield_no_draw")
    'shield no draw'
    """
    return one_of(raw, KINDS, "action card")


def attack_named(raw: object) -> str:
    """One of the three attacks, which alone can be captured; "" for none.  (HX-SHD-06)"""
    return "" if raw == "" else one_of(raw, ATTACKS, "attack card")


def pile_named(raw: object) -> str:
    """A pile before a player."""
    return one_of(raw, seats.OWN_PILES, "pile of a player")


def wreckage_named(raw: object) -> Piece:
    """A wreckage or hull point token: "wreck-2", "hull-b-1"."""
    return Piece(one_of(raw, seats.WRECKAGE, "wreckage"))


def space_named(raw: object) -> Hex:
    """A space; whether the map has it is for the faults.

    >>> space_named("0,-1")
    Hex(q=0, r=-1)
    """
    try:
        space = Hex.read(str(raw).strip())
    except ValueError:
        raise ValueError(f"{brief(raw)} names no space; spaces go as 0,-1 [RULING 1]") from None
    if space.distance(Hex(0, 0)) > FARTHEST:
        raise ValueError(f"{brief(raw)} is over {FARTHEST} spaces from the middle [RULING 1]")
    return space


def place_named(raw: object, facings: Sequence[str]) -> Heading:
    """A space and one of this map's six headings.

    >>> from companion.kit.hexes import POINTY_TOP_NAMES
    >>> place_named("0,-1 se", POINTY_TOP_NAMES)
    Heading(hex=Hex(q=0, r=-1), facing=3)
    """
    name, facing = parted(str(raw))
    space = space_named(name)
    if facing.upper() not in facings:
        raise ValueError(no_heading(str(space), facing, facings))
    return Heading(space, facings.index(facing.upper()))
