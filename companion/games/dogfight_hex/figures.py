"""What a table has read off its own copy: the map, its start lines, the deck.  (RULING 1, 2, 11)

`table.toml` holds what is assumed meanwhile; a table's own file replaces any part of it. Rulings
that rest on an assumed figure say so.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from companion.core.errors import BadFile
from companion.games.dogfight_hex.cards import ATTACKS, CARDS, KINDS
from companion.games.dogfight_hex.layout import HAND_SIZE, MEDIUM_RANGE
from companion.games.dogfight_hex.seats import FEWEST, MOST, WRECKS
from companion.kit.figures import OwnTable, confirmed_names, merged, read_model
from companion.kit.hexes import FLAT_TOP_NAMES, POINTY_TOP_NAMES, Hex, HexMap, hexagon

if TYPE_CHECKING:
    from companion.core.ruling import Json

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
    confirmed: bool | list[str]
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


def read_figures(raw: Mapping[str, Json], source: str = "data") -> Figures:
    """A table's own figures over the assumed ones; BadFile names the place and what is allowed."""
    return judge_table(merged(_shipped(), raw), source) if raw else assumed_figures()


def _shipped() -> dict[str, Any]:
    return tomllib.loads(TABLE_FILE.read_text("utf-8"))


def judge_table(raw: Mapping[str, Any], source: str) -> Figures:
    """The figures of a whole table; BadFile where no game could be played with them."""
    file = read_model(_TableFile, raw, source)
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
    if len(spaces) < len(WRECKS) + 2 * MOST:
        return f"{len(spaces)} spaces; at least {len(WRECKS) + 2 * MOST} are needed"
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
    needed = MOST + len(WRECKS)
    if len(spaces) < needed:
        text = f"{len(spaces)} spaces; {MOST} ships and {len(WRECKS)} wreckage need {needed}"
        raise BadFile(source, place, f"{text} [HX-SET-05, RULING 3]")
    return frozenset(spaces)


def _deck(part: _Deck, source: str) -> Mapping[str, int]:
    counts = part.model_dump(by_alias=True)
    deck = {kind: int(counts[kind]) for kind in KINDS}
    if not any(deck[kind] for kind in ATTACKS):
        raise BadFile(source, "deck", "no attack card: nobody could ever win [HX-WIN-01]")
    if sum(deck.values()) < FEWEST * HAND_SIZE:
        text = f"{sum(deck.values())} cards; {FEWEST} players draw {FEWEST * HAND_SIZE}"
        raise BadFile(source, "deck", f"{text} [HX-SET-06]")
    return deck


def _custom_front(part: _MediumRange, source: str) -> frozenset[Hex]:
    spaces = _each_once(part.spaces, "medium_range.spaces", source)
    for space in spaces:
        if not 1 <= space.distance(Hex(0, 0)) <= MEDIUM_RANGE:
            text = f"{space} is not 1 to {MEDIUM_RANGE} spaces from 0,0, where the ship is"
            raise BadFile(source, "medium_range.spaces", f"{text} [HX-ATK-03]")
    return frozenset(spaces)


OWN_FIGURES = OwnTable(TABLE_FILE, ASSUMED, judge_table, LIMITS)
"""Holding the assumed figures against a table's own copy of the box."""
