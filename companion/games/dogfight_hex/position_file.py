"""Position files of Dogfight! hex ships, read and written in words.  (positions/README.md)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from companion.core.board import Piece
from companion.core.ruling import Seat
from companion.games.dogfight_hex.deck import Deck, pile_of
from companion.games.dogfight_hex.figures import MOST_CARDS, Figures
from companion.games.dogfight_hex.layout import (
    CAPTURED,
    CARD,
    DEBRIS_STEPS,
    DECK,
    DISCARD,
    HAND,
    HULL_POINTS,
    OWN_PILES,
    SET_UP,
)
from companion.games.dogfight_hex.naming import (
    attack_named,
    card_named,
    place_named,
    seat_named,
    space_named,
    stage_named,
    wreckage_named,
)
from companion.games.dogfight_hex.seats import MOST, SEATS
from companion.games.dogfight_hex.ship import Ship
from companion.kit.figures import read_model
from companion.kit.hexes import Heading, Hex

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_hex.position import DogfightHexPosition

BOX: Literal["dogfight-hex"] = "dogfight-hex"
MOST_TURNS = 9_999
"""Far beyond any match: what is more was mistyped."""
ALL_CARDS = 6 * MOST_CARDS

PositionT = TypeVar("PositionT", bound="DogfightHexPosition")


def _each_once(raw: object) -> object:
    """Cards by their names; one that is named twice would lose a count."""
    if not isinstance(raw, dict):
        return raw
    cards: dict[str, object] = {}
    for name, count in cast("dict[object, object]", raw).items():
        card = card_named(name)
        if card in cards:
            raise ValueError(f"{card} is counted twice; give one count")
        cards[card] = count
    return cards


def _place(raw: object, info: ValidationInfo) -> Heading:
    """A place in the words of this table's map, which come along as the context."""
    table = cast("Figures", info.context)
    return place_named(raw, table.facings)


_STRICT = ConfigDict(extra="forbid", strict=True)

_Stage = Annotated[str, BeforeValidator(stage_named)]
_Seat = Annotated[str, BeforeValidator(seat_named)]
_Card = Annotated[str, BeforeValidator(card_named)]
_Attack = Annotated[str, BeforeValidator(attack_named)]
_Place = Annotated[Heading, BeforeValidator(_place)]
_Space = Annotated[Hex, BeforeValidator(space_named)]
_Token = Annotated[str, BeforeValidator(wreckage_named)]
_Cards = Annotated[int, Field(ge=0, le=ALL_CARDS)]
_Tokens = Annotated[int, Field(ge=0, le=HULL_POINTS)]
_Seats = Annotated[list[_Seat], Field(max_length=MOST)]
_Seen = Annotated[dict[str, Annotated[int, Field(ge=1, le=ALL_CARDS)]], BeforeValidator(_each_once)]


class _Ship(BaseModel):
    model_config = _STRICT

    place: _Place | None = None
    hull: _Tokens = HULL_POINTS
    hand: _Cards = 0
    debris: _Space | None = None
    fell: Annotated[int, Field(ge=0, le=MOST)] = 0
    owes: _Tokens = 0
    aside: _Tokens = 0
    retired: bool = False
    declared: Annotated[int, Field(ge=0, le=1)] = 0
    card: _Card | None = None
    stopped: bool = False
    no_draw: bool = False
    claims: _Seat | None = None
    fresh: bool = False
    captured: Annotated[int, Field(ge=0, le=1)] = 0
    bound: _Attack = ""
    anchored: bool = False


class _Ships(BaseModel):
    model_config = _STRICT

    A: _Ship
    B: _Ship
    C: _Ship | None = None
    D: _Ship | None = None
    E: _Ship | None = None
    F: _Ship | None = None


class _File(BaseModel):
    model_config = _STRICT

    box: Literal["dogfight-hex"] = BOX
    turn: Annotated[int, Field(ge=1, le=MOST_TURNS)] = 1
    phase: _Stage
    first: _Seat = SEATS[0]
    done: _Seats = []
    drifting: _Seats | None = None
    steps: Annotated[int, Field(ge=0, le=DEBRIS_STEPS)] = 0
    rammed: bool = False
    deck: _Cards
    discard: _Cards = 0
    discarded: _Seen = {}
    wreckage: dict[_Token, _Space] = {}
    ships: _Ships
    since: list[Any] = []
    """Answers given after this position: the match's, which takes them from here itself."""


# -- reading -------------------------------------------------------------------------------


def read_position(
    cls: type[PositionT], raw: Mapping[str, Json], source: str, table: Figures
) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file = read_model(_File, dict(raw), source, "key", context=table)
    named = {Seat(seat): getattr(file.ships, seat) for seat in _Ships.model_fields}
    lines: dict[Seat, _Ship] = {seat: line for seat, line in named.items() if line is not None}
    return cls(
        ships={seat: _ship(seat, line) for seat, line in lines.items()},
        deck=_deck(file, lines),
        wreckage={Piece(piece): space for piece, space in file.wreckage.items()},
        stage=file.phase,
        turn=file.turn,
        first=Seat(file.first),
        done=_seats(file.done),
        drifting=None if file.drifting is None else _seats(file.drifting),
        steps=file.steps,
        rammed=file.rammed,
        table=table,
    )


def _seats(names: list[str]) -> tuple[Seat, ...]:
    return tuple(Seat(name) for name in names)


def _ship(seat: Seat, line: _Ship) -> Ship:
    return Ship(
        seat=seat,
        at=line.place,
        hull=line.hull,
        debris=line.debris,
        fell=line.fell,
        owes=line.owes,
        aside=line.aside,
        retired=line.retired,
        card=line.card or "",
        stopped=line.stopped,
        no_draw=line.no_draw,
        claims=None if line.claims is None else Seat(line.claims),
        fresh=line.fresh,
        bound=line.bound,
        anchored=line.anchored,
    )


def _deck(file: _File, lines: Mapping[Seat, _Ship]) -> Deck:
    counts = {DECK: file.deck, DISCARD: file.discard}
    known = {DISCARD: sorted(Counter(file.discarded).elements())}
    for seat, line in lines.items():
        own = {HAND: line.hand, CARD: line.declared, CAPTURED: line.captured}
        counts |= {pile_of(seat, pile): own[pile] for pile in OWN_PILES}
        if line.declared and line.card:
            known[pile_of(seat, CARD)] = [line.card]
        if line.captured and line.bound:
            known[pile_of(seat, CAPTURED)] = [line.bound]
    return Deck.of(tuple(lines), counts, {name: cards for name, cards in known.items() if cards})


# -- writing -------------------------------------------------------------------------------


def write_position(position: DogfightHexPosition) -> dict[str, Json]:
    """The file of a position; what stands at its default is left out."""
    deck = position.deck
    file: dict[str, Json] = {"box": BOX, "turn": position.turn, "phase": position.stage}
    if position.stage != SET_UP or position.first != SEATS[0]:
        file["first"] = str(position.first)
    said: dict[str, Json] = {
        "done": [*position.done],
        "steps": position.steps,
        "rammed": position.rammed,
    }
    file |= {name: value for name, value in said.items() if value}
    if position.drifting is not None:
        file["drifting"] = [*position.drifting]
    file["deck"] = deck.left
    if deck.discarded:
        file["discard"] = deck.discarded
    if seen := deck.piles.known.get(DISCARD):
        file["discarded"] = {**Counter(seen)}
    if position.wreckage:
        file["wreckage"] = {str(piece): str(space) for piece, space in position.wreckage.items()}
    file["ships"] = {str(seat): _line(position, ship) for seat, ship in position.ships.items()}
    return file


def _line(position: DogfightHexPosition, ship: Ship) -> dict[str, Json]:
    seat, deck = ship.seat, position.deck
    line: dict[str, Json] = {}
    if ship.at is not None:
        line["place"] = position.named(ship.at)
    if ship.hull != HULL_POINTS:
        line["hull"] = ship.hull
    said: dict[str, Json] = {
        "hand": deck.count(seat, HAND),
        "debris": str(ship.debris) if ship.debris is not None else "",
        "fell": ship.fell,
        "owes": ship.owes,
        "aside": ship.aside,
        "retired": ship.retired,
        "declared": deck.count(seat, CARD),
        "card": ship.card,
        "stopped": ship.stopped,
        "no_draw": ship.no_draw,
        "claims": ship.claims,
        "fresh": ship.fresh,
        "captured": deck.count(seat, CAPTURED),
        "bound": ship.bound,
        "anchored": ship.anchored,
    }
    return {**line, **{name: value for name, value in said.items() if value}}
