"""One table's figures and catalogue: vessels, map, decks and cards.  (RULING 3, card catalogue)

`table.toml` ships; a table's own file goes over it part by part. BadFile names the place, what
stands there and what may.
"""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError

from companion.errors import BadFile
from companion.games.starship_edition.cards import Ability, Card, CounterKind, VesselKind
from companion.games.starship_edition.file_faults import told
from companion.games.starship_edition.layout import OPENING_HAND
from companion.games.starship_edition.map_parts import (
    MapPart,
    Square,
    judge_layouts,
    judge_squares,
    star_map,
)
from companion.games.starship_edition.operations import MOST, Part, Word
from companion.own_table import OwnTable, confirmed_names, merged

if TYPE_CHECKING:
    from companion.games.starship_edition.operations import Step
    from companion.games.starship_edition.star_map import StarMap
    from companion.offers import Json

TABLE_FILE = Path(__file__).with_name("table.toml")
STANDARD = "standard"
"""The vessel, and the deck, of a seat that names none."""
UNKNOWN = "unknown"
"""In a deck: cards that the catalogue does not have."""
BASE_STATS = ("attack", "range", "mobility", "hull_max", "armour")

Copies = Annotated[int, Field(ge=0, le=MOST)]


class TableFile(Part):
    """The whole file, as people write it."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    confirmed: bool | list[str]
    types: Annotated[list[Word], Field(min_length=1)]
    stats: list[Word]
    vessel: VesselKind
    vessels: dict[str, VesselKind] = Field(default_factory=dict[str, VesselKind])
    map: MapPart
    squares: dict[str, Square] = Field(default_factory=dict[str, Square])
    decks: dict[str, dict[str, Copies]]
    counters: dict[str, CounterKind] = Field(default_factory=dict[str, CounterKind])
    abilities: dict[str, Ability] = Field(default_factory=dict[str, Ability])
    cards: dict[str, Card] = Field(default_factory=dict[str, Card])


ASSUMED: Mapping[str, tuple[str, str]] = {
    "vessel.attack": ("Attack of a vessel", "SE-R03, RULING 14"),
    "vessel.range": ("Range of a vessel", "SE-R03, RULING 3"),
    "vessel.mobility": ("Mobility of a vessel", "SE-R03, RULING 3"),
    "vessel.hull": ("Hull at the start", "SE-SET-06, RULING 19"),
    "vessel.energy": ("Energy at the start", "SE-SET-06, RULING 23"),
}
"""Every figure that is assumed until confirmed: what to call it, and where it belongs."""

LIMITS: Mapping[str, tuple[int, int]] = {
    name: (1 if name == "vessel.hull" else 0, MOST) for name in ASSUMED
}


@dataclass(frozen=True, eq=False)
class Figures:
    """A table's figures: what was read, and which of the assumed ones were held against the box."""

    file: TableFile
    confirmed: frozenset[str]
    source: str

    @property
    def name(self) -> str:
        """What the table calls its file."""
        return self.file.name

    @property
    def cards(self) -> Mapping[str, Card]:
        """The catalogue, by the cards' own ids."""
        return self.file.cards

    @property
    def abilities(self) -> Mapping[str, Ability]:
        """What vessels can do, by the abilities' own ids."""
        return self.file.abilities

    @property
    def vessels(self) -> Mapping[str, VesselKind]:
        """Every kind of vessel, the usual one first."""
        return {STANDARD: self.file.vessel, **self.file.vessels}

    @property
    def decks(self) -> Mapping[str, Mapping[str, int]]:
        """Every deck, as counts of its cards."""
        return self.file.decks

    def deck_size(self, deck: str) -> int:
        """How many cards a deck has."""
        return sum(self.decks[deck].values())

    def map_for(self, players: int) -> StarMap | None:
        """The map for so many; BadFile where the file has none for them."""
        return star_map(self.file.map, self.file.squares, players, self.source)

    def assumed(self, *names: str) -> str:
        """What a ruling owes that rests on these: " (assumed figure)", or nothing."""
        return "" if self.confirmed.issuperset(names) else " (assumed figure)"


@cache
def assumed_figures() -> Figures:
    """What ships with the box.

    >>> figures = assumed_figures()
    >>> figures.deck_size("standard"), figures.vessels["standard"].hull
    (40, 10)
    """
    return judge_table(_shipped(), TABLE_FILE.name)


def read_figures(raw: Mapping[str, Json], source: str = "cards") -> Figures:
    """A table's own file over what ships; BadFile names the place and what is allowed."""
    return judge_table(merged(_shipped(), raw), source) if raw else assumed_figures()


@cache
def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table; BadFile where no match could be played with them."""
    try:
        file = TableFile.model_validate(dict(raw))
    except ValidationError as wrong:
        place, text = told(wrong, TableFile)
        raise BadFile(source, place, text) from wrong
    judge_squares(file.squares, source)
    judge_layouts(file.map, file.squares, source)
    _judge_decks(file, source)
    _judge_vessels(file, source)
    _judge_cards(file, source)
    return Figures(file, confirmed_names(file.confirmed, ASSUMED, source), source)


def _judge_decks(file: TableFile, source: str) -> None:
    if STANDARD not in file.decks:
        raise BadFile(source, "decks", f"there must be one called {STANDARD!r}")
    for name, deck in file.decks.items():
        for card in deck:
            if card not in (UNKNOWN, *file.cards):
                known = ", ".join((*file.cards, UNKNOWN))
                raise BadFile(source, f"decks.{name}.{card}",
                              f"no card has this id; there are {known}")  # fmt: skip
        if sum(deck.values()) < OPENING_HAND:
            text = f"{sum(deck.values())} cards; {OPENING_HAND} are drawn at the start"
            raise BadFile(source, f"decks.{name}", f"{text} [SE-SET-01]")


def _judge_vessels(file: TableFile, source: str) -> None:
    if STANDARD in file.vessels:
        raise BadFile(source, f"vessels.{STANDARD}", "the usual vessel stands in [vessel]")
    kinds = {"vessel": file.vessel, **{f"vessels.{k}": v for k, v in file.vessels.items()}}
    for place, kind in kinds.items():
        for number, ability in enumerate(kind.abilities):
            _one_of(ability, file.abilities, "ability", f"{place}.abilities.{number}", source)


def _judge_cards(file: TableFile, source: str) -> None:
    """Types, counters and stats that cards name must be there; effects must fit their moment."""
    for card_id, card in file.cards.items():
        place = f"cards.{card_id}"
        if card_id == UNKNOWN:
            raise BadFile(source, place, "this word stands for cards that the catalogue lacks")
        _one_of(card.type, file.types, "type", f"{place}.type", source)
        if card.permits_secondary is not None and card.permits_secondary.type is not None:
            named = card.permits_secondary.type
            _one_of(named, file.types, "type", f"{place}.permits_secondary.type", source)
        if card.permits_secondary is not None and card.permits_secondary.id is not None:
            named = card.permits_secondary.id
            _one_of(named, file.cards, "card", f"{place}.permits_secondary.id", source)
        if card.form in ("star", "jump") and "tier" in card.windows:
            raise BadFile(source, f"{place}.windows",
                          f"a {card.form} is not set in a tier; leave out 'tier'")  # fmt: skip
        for part in ("cost", "upkeep"):
            _judge_payments(file, getattr(card, part), f"{place}.{part}", source)
        for part in ("effects", "discard_bonus"):
            _judge_steps(file, getattr(card, part), f"{place}.{part}", source)
    for ability_id, ability in file.abilities.items():
        _judge_payments(file, ability.cost, f"abilities.{ability_id}.cost", source)
        _judge_steps(file, ability.effects, f"abilities.{ability_id}.effects", source)
    for name, counter in file.counters.items():
        _judge_steps(file, counter.effects, f"counters.{name}.effects", source)


def _judge_payments(file: TableFile, payments: Sequence[Any], place: str, source: str) -> None:
    for number, payment in enumerate(payments):
        here = f"{place}.{number}.name"
        if payment.pay == "counter":
            _one_of(payment.name or "", file.counters, "kind of counters", here, source)
        elif payment.name is not None:
            raise BadFile(source, here, f"only counters have a name; {payment.pay} has none")


def _judge_steps(file: TableFile, steps: Sequence[Step], place: str, source: str) -> None:
    for here, step in _each(steps, place):
        stat, name = getattr(step, "stat", None), getattr(step, "name", None)
        if stat is not None:
            _one_of(stat, (*BASE_STATS, *file.stats), "stat", f"{here}.stat", source)
        if name is not None:
            _one_of(name, file.counters, "kind of counters", f"{here}.name", source)
        low, high = getattr(step, "min", 0), getattr(step, "max", None)
        if isinstance(high, int) and low > high:
            raise BadFile(source, f"{here}.min", f"{low} is more than max, {high}")


def _each(steps: Sequence[Step], place: str) -> Iterator[tuple[str, Step]]:
    """Every operation with its place, those among which one is chosen included."""
    for number, step in enumerate(steps):
        here = f"{place}.{number}"
        yield here, step
        yield from _each(getattr(step, "of", ()), f"{here}.of")


def _one_of(word: str, known: Collection[str], what: str, place: str, source: str) -> None:
    if word not in known:
        there = ", ".join(dict.fromkeys(known)) or "none"
        raise BadFile(source, place, f"{word!r} is no {what}; there are {there}")


OWN_FIGURES = OwnTable(TABLE_FILE, ASSUMED, judge_table, LIMITS)
"""Holding the assumed figures against a table's own copy of the box."""
