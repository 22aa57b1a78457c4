"""One table's figures and catalogue: vessels, map, decks and cards.  (RULING 3, card catalogue)

`table.toml` ships; a table's own file goes over it part by part (`laid_over`). BadFile names the
place, what stands there and what may.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

from pydantic import Field, ValidationError

from companion.core.errors import BadFile
from companion.games.starship_edition.cards import (
    RESERVED,
    UNKNOWN,
    Ability,
    Card,
    CounterKind,
    VesselKind,
    every,
)
from companion.games.starship_edition.file_faults import told
from companion.games.starship_edition.layout import OPENING_HAND
from companion.games.starship_edition.map_parts import (
    MapPart,
    Square,
    judge_layouts,
    judge_squares,
    star_map,
)
from companion.games.starship_edition.misfits import judge_misfits, notices, one_of
from companion.games.starship_edition.operations import MOST, Part, Word
from companion.kit.figures import OwnTable, confirmed_names, merged

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.operations import Step
    from companion.games.starship_edition.star_map import StarMap

TABLE_FILE = Path(__file__).with_name("table.toml")
STANDARD = "standard"
"""The vessel, and the deck, of a seat that names none."""
FIRST_TO_JUDGE_MISFITS = 2
"""Matches of earlier editions were begun with catalogues of which parts may do nothing."""
BASE_STATS = ("attack", "range", "mobility", "hull_max", "armour")

Copies = Annotated[int, Field(ge=0, le=MOST)]


class TableFile(Part):
    """The whole file, as people write it."""

    name: Annotated[str, Field(min_length=1, max_length=60)]
    confirmed: bool | list[str]
    samples: bool = True
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
    def notices(self) -> Sequence[str]:
        """What loads and may yet be meant otherwise, in sentences."""
        return tuple(notices(self.file))

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


def read_figures(
    raw: Mapping[str, Json], source: str = "cards", edition: int = FIRST_TO_JUDGE_MISFITS
) -> Figures:
    """A table's own file over what ships; BadFile names the place and what is allowed.

    A match of an earlier `edition` has its file as it was read then.
    """
    if not raw:
        return assumed_figures()
    if edition < FIRST_TO_JUDGE_MISFITS:
        return _read(merged(_shipped(), raw), source)
    return judge_table(laid_over(raw), source)


def laid_over(own: Mapping[str, Any]) -> dict[str, Any]:
    """A table's own file over what ships, part by part.

    A deck that says how many cards are `unknown` is told whole: the one that ships is not under
    it. With `samples = false` no card, ability or deck that ships is there.
    """
    below = dict(_shipped())
    if own.get("samples") is False:
        below |= {"cards": {}, "abilities": {}, "decks": {}}
        below["vessel"] = {**below["vessel"], "abilities": []}
    told: Any = own.get("decks")
    if isinstance(told, dict):
        decks = cast("dict[str, object]", told)
        below["decks"] = {
            name: deck for name, deck in below["decks"].items() if not _is_whole(decks.get(name))
        }
    return merged(below, own)


def _is_whole(deck: object) -> bool:
    """Whether a deck of a table's own stands for itself."""
    return isinstance(deck, dict) and UNKNOWN in deck


@cache
def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table.

    BadFile where no match could be played with them, or a part could never do anything.
    """
    figures = _read(raw, source)
    judge_misfits(figures.file, source)
    return figures


def _read(raw: Mapping[str, Any], source: str) -> Figures:
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
        why = "" if file.samples else ": samples = false leaves out the one that ships"
        raise BadFile(source, "decks", f"there must be one called {STANDARD!r}{why}")
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
            one_of(ability, file.abilities, "ability", f"{place}.abilities.{number}", source)


def _judge_cards(file: TableFile, source: str) -> None:
    """Types, counters and stats that cards name must be there; no card is called by a key."""
    for card_id, card in file.cards.items():
        if card_id.lower() in RESERVED:
            raise BadFile(source, f"cards.{card_id}", f"{card_id!r} {RESERVED[card_id.lower()]}")
        one_of(card.type, file.types, "type", f"cards.{card_id}.type", source)
        for part in ("effects", "discard_bonus"):
            _judge_words(file, getattr(card, part), f"cards.{card_id}.{part}", source)
    for ability_id, ability in file.abilities.items():
        _judge_words(file, ability.effects, f"abilities.{ability_id}.effects", source)
    for name, counter in file.counters.items():
        _judge_words(file, counter.effects, f"counters.{name}.effects", source)


def _judge_words(file: TableFile, steps: Sequence[Step], place: str, source: str) -> None:
    for inner, step in every(steps):
        here = f"{place}.{inner}"
        stat, name = getattr(step, "stat", None), getattr(step, "name", None)
        if stat is not None:
            one_of(stat, (*BASE_STATS, *file.stats), "stat", f"{here}.stat", source)
        if name is not None:
            one_of(name, file.counters, "kind of counters", f"{here}.name", source)
        low, high = getattr(step, "min", 0), getattr(step, "max", None)
        if isinstance(high, int) and low > high:
            raise BadFile(source, f"{here}.min", f"{low} is more than max, {high}")


OWN_FIGURES = OwnTable(TABLE_FILE, ASSUMED, judge_table, LIMITS, laid_over)
"""Holding the assumed figures against a table's own copy of the box."""
