"""The position of Dogfight! hex ships: what lies there, its file, and what an arbiter may set.

In this order: one ship, position files, adjustments, and the whole position. It holds all that
lasts through a turn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self, TypeVar, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall
from companion.core.ruling import Fact, Fault, LineOfFire, Seat, Shows
from companion.games.dogfight_hex import faults as position_faults
from companion.games.dogfight_hex.cards import (
    MOST_CARDS,
    SHIELDS,
    Deck,
    Figures,
    assumed_figures,
    attack_named,
    card_named,
    pile_of,
    place_named,
    seat_named,
    space_named,
    stage_named,
    wreckage_named,
)
from companion.games.dogfight_hex.refusals import ship_named
from companion.games.dogfight_hex.seats import (
    CAPTURED,
    CARD,
    DEBRIS,
    DEBRIS_OF,
    DEBRIS_STEPS,
    DECK,
    DISCARD,
    HAND,
    HULL_POINTS,
    HULLS,
    LABELS,
    MOST,
    MOVEMENT,
    NAMES,
    OWN_PILES,
    RESOLUTION,
    SEATS,
    SET_UP,
    SHIPS,
    WRECKS,
)
from companion.kit.figures import read_model
from companion.kit.hexes import Heading, Hex, pose_of
from companion.kit.reports import citing, flag, named, set_all, whole_number
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Ship: where it is, what is left of it, and what its cards have brought upon it.


@dataclass(slots=True, eq=False)
class Ship:
    """One seat: its ship, or the debris that it has become.

    `at` is None before the ship is placed and once it is destroyed; `debris` is the space of the
    debris. `fell` numbers the destructions from 1 on, 0 while the ship lives; ships destroyed
    together share it. `owes` are hull points lost whose tokens are still to be laid, `aside` those
    that never were. `retired`: the player left the table, the debris does not move.

    Of the turn: `card` is the kind that lies face up ("" = none, or face down), `stopped` that its
    shield has stopped a hit, `no_draw` that no card is drawn at its end, `claims` whose card is
    taken at its end, `fresh` that the ship was destroyed in it. For the next: `bound` is the attack
    to be used again, `anchored` that no space may be entered.
    """

    seat: Seat
    at: Heading | None = None
    hull: int = HULL_POINTS
    debris: Hex | None = None
    fell: int = 0
    owes: int = 0
    aside: int = 0
    retired: bool = False
    card: str = ""
    stopped: bool = False
    no_draw: bool = False
    claims: Seat | None = None
    fresh: bool = False
    bound: str = ""
    anchored: bool = False

    @property
    def piece(self) -> Piece:
        """The ship token."""
        return SHIPS[self.seat]

    @property
    def debris_piece(self) -> Piece:
        """The other side of the ship token.  (HX-MAT-02)"""
        return DEBRIS_OF[self.seat]

    @property
    def lives(self) -> bool:
        """Whether it is not destroyed."""
        return not self.fell

    @property
    def place(self) -> Heading:
        """Where the ship stands and looks; only asked of one that does."""
        if self.at is None:
            raise ValueError(f"ship {self.seat} is not on the map")
        return self.at

    @property
    def shielded(self) -> bool:
        """Whether its card is a shield that has stopped nothing yet.  (HX-SHD-02)"""
        return self.card in SHIELDS and not self.stopped

    def next_hull(self, laid: Collection[Piece]) -> Piece:
        """The hull point token that is laid next, of those that are not.  (HX-DMG-01)"""
        tokens = HULLS[self.seat]
        given = HULL_POINTS - self.hull - self.owes
        return next(token for token in (*tokens[given:], *tokens) if token not in laid)

    def forget_turn(self) -> None:
        """A turn is over: its card counts for nothing any more."""
        self.card, self.claims = "", None
        self.stopped = self.no_draw = self.fresh = False


# Position files, in words.  (positions/README.md)

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


# Adjustments: what an arbiter may set, by name.

Setter = Callable[["DogfightHexPosition", str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""
ShipSetter = Callable[["DogfightHexPosition", "Ship", str, "Json"], None]


def adjust(position: DogfightHexPosition, changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind."""
    own = {name: _at(position, setter) for name, setter in setters_of(position).items()}
    by_seat: dict[str, Json] = {}
    for name, value in changes.items():
        if _by_seat(name) in by_seat:
            raise BadCall(f"{_by_seat(name)} is given twice; give it once [RULING 30]")
        by_seat[_by_seat(name)] = value
    with citing("RULING 30"):
        set_all(position, own, by_seat)


def _by_seat(name: str) -> str:
    """A name by its seat, also where the ship is named: "Ship B.hull" is "B.hull"."""
    owner, dot, rest = name.partition(".")
    seat = ship_named(owner.strip()) if dot else None
    return name if seat is None else f"{seat}.{rest}"


def _at(position: DogfightHexPosition, setter: Setter) -> Callable[[str, Json], None]:
    return lambda name, raw: setter(position, name, raw)


def setters_of(position: DogfightHexPosition) -> Mapping[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    seats = tuple(position.ships)
    tokens = (*WRECKS, *(hull for seat in seats for hull in HULLS[seat]))
    return {
        **_TABLE,
        **{piece: _wreckage(piece) for piece in tokens},
        **{SHIPS[seat]: _of(seat, _set_place) for seat in seats},
        **{DEBRIS_OF[seat]: _of(seat, _set_debris) for seat in seats},
        **{f"{seat}.{name}": _of(seat, own) for seat in seats for name, own in _OWN.items()},
    }


def _space(name: str, raw: Json) -> Hex | None:
    return None if raw in (None, "") else named(name, raw, space_named)


# -- what belongs to the table -------------------------------------------------------------


def _set_turn(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.turn = whole_number(name, raw, 1, MOST_TURNS)


def _set_stage(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.stage = named(name, raw, stage_named)


def _set_first(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.first = named(name, raw, seat_named)


def _set_deck(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.deck.piles[DECK] = whole_number(name, raw, 0, ALL_CARDS)


def _set_discard(position: DogfightHexPosition, name: str, raw: Json) -> None:
    position.deck.piles[DISCARD] = whole_number(name, raw, 0, ALL_CARDS)


_TABLE: Mapping[str, Setter] = {
    "turn": _set_turn,
    "phase": _set_stage,
    "first": _set_first,
    "deck": _set_deck,
    "discard": _set_discard,
}


def _wreckage(piece: Piece) -> Setter:
    def put(position: DogfightHexPosition, name: str, raw: Json) -> None:
        space = _space(name, raw)
        if space is None:
            position.wreckage.pop(piece, None)
        else:
            position.wreckage[piece] = space

    return put


# -- what belongs to a ship ----------------------------------------------------------------


def _of(seat: Seat, setter: ShipSetter) -> Setter:
    def put(position: DogfightHexPosition, name: str, raw: Json) -> None:
        setter(position, position.ships[seat], name, raw)

    return put


def _set_place(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    def read(given: object) -> Heading:
        return place_named(given, position.table.facings)

    ship.at = None if raw in (None, "") else named(name, raw, read)


def _set_debris(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.debris = _space(name, raw)


def _set_hull(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.hull = whole_number(name, raw, 0, HULL_POINTS)


def _set_fell(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.fell = whole_number(name, raw, 0, MOST)


def _set_owes(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.owes = whole_number(name, raw, 0, HULL_POINTS)


def _set_aside(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.aside = whole_number(name, raw, 0, HULL_POINTS)


def _set_retired(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.retired = flag(name, raw)


def _set_card(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    """What lies face up, and is known to lie there."""
    ship.card = "" if raw in (None, "") else named(name, raw, card_named)
    position.deck.piles.known.pop(pile_of(ship.seat, CARD), None)
    if ship.card:
        position.deck.turn_over(ship.seat, ship.card, position.table.deck[ship.card])


def _set_stopped(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.stopped = flag(name, raw)


def _set_no_draw(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.no_draw = flag(name, raw)


def _set_claims(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.claims = None if raw in (None, "") else named(name, raw, seat_named)


def _set_fresh(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.fresh = flag(name, raw)


def _set_bound(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.bound = named(name, raw, attack_named)


def _set_anchored(_: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
    ship.anchored = flag(name, raw)


def _pile(pile: str, most: int) -> ShipSetter:
    def count(position: DogfightHexPosition, ship: Ship, name: str, raw: Json) -> None:
        position.deck.piles[pile_of(ship.seat, pile)] = whole_number(name, raw, 0, most)

    return count


_OWN: Mapping[str, ShipSetter] = {
    "place": _set_place,
    "debris": _set_debris,
    "hull": _set_hull,
    "fell": _set_fell,
    "owes": _set_owes,
    "aside": _set_aside,
    "retired": _set_retired,
    "hand": _pile(HAND, ALL_CARDS),
    "declared": _pile(CARD, 1),
    "captured": _pile(CAPTURED, 1),
    "card": _set_card,
    "stopped": _set_stopped,
    "no_draw": _set_no_draw,
    "claims": _set_claims,
    "fresh": _set_fresh,
    "bound": _set_bound,
    "anchored": _set_anchored,
}


# The whole position.


@dataclass(slots=True, eq=False)
class DogfightHexPosition(Position):
    """Ships, wreckage, debris and cards, and how far the turn has come.

    `first` has the starting-player token this turn. `done` are those who have moved, or whose card
    was carried out, or whose debris has drifted, in the stage under way. `drifting` is whose debris
    may drift this turn, fixed when that begins; `steps` and `rammed` are of the debris under way.
    `fires` are the attacks under way, whose damage is being laid: who, at whom; no part of a file.
    `table` (this table's figures), `house`, `names` (of people) and `labels` (of tokens) are the
    match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        DISCARD: "discard pile",
        CARD: "declared card",
        CAPTURED: "captured cards",
    }

    ships: dict[Seat, Ship] = field(default_factory=dict[Seat, Ship])
    deck: Deck = field(default_factory=lambda: Deck.of((), {}))
    wreckage: dict[Piece, Hex] = field(default_factory=dict[Piece, Hex])
    stage: str = SET_UP
    turn: int = 1
    first: Seat = SEATS[0]
    done: tuple[Seat, ...] = ()
    drifting: tuple[Seat, ...] | None = None
    steps: int = 0
    rammed: bool = False
    fires: tuple[tuple[Seat, Seat], ...] = ()
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    names: Mapping[Seat, str] = field(default_factory=lambda: NAMES)
    labels: Mapping[Piece, str] = field(default_factory=lambda: LABELS)

    @classmethod
    def fresh(cls, seats: tuple[Seat, ...], table: Figures) -> Self:
        """The box as it is opened: all cards in the deck, nothing on the map."""
        return cls(
            ships={seat: Ship(seat) for seat in seats},
            deck=Deck.of(seats, {DECK: table.deck_size}),
            table=table,
        )

    # -- what the rules ask of it ----------------------------------------------------------

    def round_table(self) -> list[Seat]:
        """Every seat clockwise from the starting player's, destroyed or not."""
        return clockwise_from(self.first, tuple(self.ships))

    def order(self) -> list[Seat]:
        """Turn order: the living ships clockwise from the starting player.  (HX-TRN-01)"""
        return [seat for seat in self.round_table() if self.ships[seat].lives]

    def due(self) -> Seat | None:
        """Whose turn it is to move, to carry out a card or to drift; None where all act at once."""
        if self.stage in (MOVEMENT, RESOLUTION):
            return next((seat for seat in self.order() if seat not in self.done), None)
        if self.stage != DEBRIS:
            return None
        drifting = (seat for seat in self.drifting or () if seat not in self.done)
        return next((seat for seat in drifting if not self.ships[seat].retired), None)

    def called(self, piece: Piece) -> str:
        """A token inside a sentence: "Ana's ship", or "ship A" where nobody's name is known."""
        label = self.labels[piece]
        return label[0].lower() + label[1:] if label == LABELS[piece] else label

    def standing(self, besides: Seat | None = None) -> dict[Hex, Seat]:
        """The living ships by their spaces, apart from that of one seat."""
        return {
            ship.at.hex: seat
            for seat, ship in self.ships.items()
            if ship.at is not None and seat != besides
        }

    def debris(self, besides: Seat | None = None) -> dict[Hex, Seat]:
        """The debris by its space, apart from that of one seat."""
        return {
            ship.debris: seat
            for seat, ship in self.ships.items()
            if ship.debris is not None and seat != besides
        }

    def obstacles(self) -> frozenset[Hex]:
        """What stops beams: wreckage and debris.  (HX-ATK-05)"""
        return frozenset((*self.wreckage.values(), *self.debris()))

    def blocked(self, seat: Seat) -> frozenset[Hex]:
        """Spaces that a ship may not enter: ships, wreckage and debris.  (HX-MOV-05)"""
        return self.obstacles() | frozenset(self.standing(seat))

    def unoccupied(self) -> frozenset[Hex]:
        """Spaces with nothing on them.  (RULING 18)"""
        return self.table.board.spaces - self.obstacles() - frozenset(self.standing())

    def named(self, place: Heading) -> str:
        """A place as this table calls it: "0,-1 NW"."""
        return place.name(self.table.facings)

    # -- what panels, files and digests read -----------------------------------------------

    def where(self) -> Sequence[str]:
        return (SET_UP,) if self.stage == SET_UP else (f"turn-{self.turn}", self.stage)

    def placement(self) -> Mapping[Piece, Pose]:
        placed: dict[Piece, Pose] = {
            piece: Pose(str(space)) for piece, space in self.wreckage.items()
        }
        for ship in self.ships.values():
            if ship.at is not None:
                placed[ship.piece] = pose_of(ship.at)
            if ship.debris is not None:
                placed[ship.debris_piece] = Pose(str(ship.debris))
        return placed

    def pile_counts(self) -> Mapping[tuple[Seat, str], int]:
        return self.deck.piles.by_owner()

    def sides(self) -> Mapping[str, str]:
        """Each ship token, which is debris on its back.  (HX-MAT-02)"""
        return {
            self.labels[ship.piece]: "ship" if ship.debris is None else "debris"
            for ship in self.ships.values()
        }

    def counters(self) -> Sequence[Fact]:
        """Hull points, and whose the starting-player token is.  (HX-SET-07, HX-DMG-01)"""
        return [
            Fact("first", "holder of the starting-player token", self.first),
            *(Fact(f"{ship.seat}.hull", "hull", ship.hull, ship.seat)
              for ship in self.ships.values()),
        ]  # fmt: skip

    def lines_of_fire(self) -> Sequence[LineOfFire]:
        """From each attacking ship to each it has hit.  (HX-ATK)"""
        standing = [
            (self.ships[attacker], self.ships[target])
            for attacker, target in self.fires
            if self.ships[attacker].at is not None and self.ships[target].at is not None
        ]
        return [
            LineOfFire(one.piece, other.piece, f"range {one.place.hex.distance(other.place.hex)}")
            for one, other in standing
        ]

    def covered(self) -> frozenset[Piece]:
        """Wreckage on whose space debris lies.  (HX-DEB-03)"""
        debris = self.debris()
        return frozenset(piece for piece, space in self.wreckage.items() if space in debris)

    def facts(self) -> Sequence[Fact]:
        facts = [
            Fact("turn", "Turn", self.turn),
            Fact("phase", "Phase", self.stage),
            Fact("first", "Starting player", self.first),
            Fact("active", "Acts now", self.due() or ""),
            Fact("done", "Have acted", [*self.done]),
            Fact("drifting", "May drift", None if self.drifting is None else [*self.drifting]),
            Fact("steps", "Steps of debris", self.steps),
            Fact("rammed", "Debris has rammed", self.rammed),
            Fact("deck", "Deck", self.deck.left),
            Fact("discard", "Discard pile", self.deck.discarded),
            *(Fact(piece, "Wreckage", str(space)) for piece, space in self.wreckage.items()),
        ]
        return [*facts, *(fact for ship in self.ships.values() for fact in self._ship_facts(ship))]

    def _ship_facts(self, ship: Ship) -> Sequence[Fact]:
        seat = ship.seat
        told: dict[str, tuple[str, Json]] = {
            "ship": ("Ship", ship.piece),
            "hull": ("Hull", ship.hull),
            "hand": ("Hand", self.deck.count(seat, HAND)),
            "place": ("Place", self.named(ship.at) if ship.at is not None else ""),
            "debris": ("Debris on", str(ship.debris) if ship.debris is not None else ""),
            "fell": ("Destroyed as number", ship.fell),
            "owes": ("Tokens to lay", ship.owes),
            "aside": ("Tokens set aside", ship.aside),
            "retired": ("Left the table", ship.retired),
            "down": ("State", _state(ship)),
            "declared": ("Declared", self.deck.count(seat, CARD)),
            "card": ("Card", ship.card),
            "stopped": ("Shield used", ship.stopped),
            "no_draw": ("Draws no card", ship.no_draw),
            "claims": ("Captures the card of", ship.claims or ""),
            "fresh": ("Destroyed this turn", ship.fresh),
            "captured": ("Captured cards", self.deck.count(seat, CAPTURED)),
            "bound": ("Must use again", ship.bound),
            "anchored": ("Anchored", ship.anchored),
        }
        return [
            Fact(f"{seat}.{n}", label, value, seat, shows=_SHOWN.get(n, Shows.NOTHING))
            for n, (label, value) in told.items()
        ]

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        return (
            self.turn, self.stage, self.first, self.done, self.drifting, self.steps, self.rammed,
            tuple(self.deck.piles.counts.values()),
            tuple((piece, *space) for piece, space in sorted(self.wreckage.items())),
            tuple(_ship_figures(ship) for ship in self.ships.values()),
        )  # fmt: skip

    def faults(self) -> list[Fault]:
        return position_faults.faults(self)

    def faults_at_start(self) -> list[Fault]:
        return [*position_faults.faults_at_start(self)]

    def adjust(self, changes: Mapping[str, Json]) -> None:
        adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        position = read_position(cls, raw, source, assumed_figures())
        position.refuse_faults(source)
        return position


_SHOWN = {"hull": Shows.COUNT, "hand": Shows.COUNT}
"""What panels count of a player, the deciding one first."""


def _state(ship: Ship) -> str:
    """Why a ship is not on the map; empty while it lives."""
    if ship.retired:
        return "Left the table"
    return "Destroyed" if ship.fell else ""


def _ship_figures(ship: Ship) -> tuple[object, ...]:
    """One ship as values without names, which are dear to write."""
    at = None if ship.at is None else (*ship.at.hex, ship.at.facing)
    debris = None if ship.debris is None else (*ship.debris,)
    return (
        ship.seat, at, debris, ship.hull, ship.fell, ship.owes, ship.aside, ship.retired,
        ship.card, ship.stopped, ship.no_draw, ship.claims, ship.fresh, ship.bound,
        ship.anchored,
    )  # fmt: skip
