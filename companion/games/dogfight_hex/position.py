"""The position of Dogfight! hex ships: what lies there, its file, and what an arbiter may set.

In this order: kinds of quantities, one ship, the whole position, position files, adjustments. It
holds all that lasts through a turn; the ledger makes facts, files and setters of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeVar

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall
from companion.core.files import read_model
from companion.core.ruling import Fact, LineOfFire, Seat, Shows
from companion.games.dogfight_hex import cards, seats
from companion.games.dogfight_hex.cards import (
    ActionDeck,
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
from companion.games.dogfight_hex.seats import ship_named
from companion.kit.adjusting import Setter, citing, named, set_all
from companion.kit.hexes import Heading, Hex, pose_of
from companion.kit.ledger import (
    FLAG,
    Kind,
    Ledger,
    Quantity,
    always,
    counts,
    derived,
    held,
    kept,
    number,
    optional,
    seat_lines,
    seats_model,
    several,
    typed,
    word,
    word_of,
)
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


# Kinds of quantities, as the ledger has them.

BOX: Literal["dogfight-hex"] = "dogfight-hex"
MOST_TURNS = 9_999
"""Far beyond any match: what is more was mistyped."""
ALL_CARDS = 6 * cards.MOST_CARDS

POINTS = number(0, seats.HULL_POINTS)
SEAT: Kind[Seat] = word(seat_named)


def _space_told(_: object, space: Hex) -> str:
    return str(space)


SPACE = replace(word(space_named, kept_as=Hex), told=_space_told, hashed=tuple)


def _place(raw: object, table: Figures) -> Heading:
    """A place in the words of this table's map."""
    return place_named(raw, table.facings)


def _place_told(position: DogfightHexPosition, at: Heading) -> str:
    return position.named(at)


def _place_hashed(at: Heading) -> tuple[int, int, int]:
    return (at.hex.q, at.hex.r, at.facing)


PLACE = replace(
    word_of(_place, lambda position: position.table, Heading),
    told=_place_told,
    hashed=_place_hashed,
)


WRECKAGE: Kind[dict[Piece, Hex]] = Kind(
    typed(dict, word(wreckage_named).filed, SPACE.filed),
    told=lambda _, lying: {str(piece): str(space) for piece, space in lying.items()},
)


# Ship: where it is, what is left of it, and what its cards have brought upon it.


def _own_pile(
    pile: str, most: int, label: str, about: str, shows: Shows = Shows.NOTHING
) -> Quantity:
    """How many cards a player has in a pile of their own."""

    def count(position: DogfightHexPosition, ship: Ship) -> int:
        return position.deck.count(ship.seat, pile)

    def put(position: DogfightHexPosition, ship: Ship, _: str, count: int) -> None:
        position.deck.piles[pile_of(ship.seat, pile)] = count

    return held(0, number(0, most), label, about, count, put=put, shows=shows)


def _show_card(position: DogfightHexPosition, ship: Ship, _: str, card: str) -> None:
    """What lies face up, and is known to lie there."""
    ship.card = card
    position.deck.piles.known.pop(pile_of(ship.seat, seats.CARD), None)
    if card:
        position.deck.turn_over(ship.seat, card, position.table.deck[card])


def _state(_: DogfightHexPosition, ship: Ship) -> str:
    """Why a ship is not on the map; empty while it lives."""
    if ship.retired:
        return "Left the table"
    return "Destroyed" if ship.fell else ""


@dataclass(slots=True, eq=False)
class Ship:
    """One seat: its ship, or the debris that it has become.

    `at` is None before the ship is placed and once it is destroyed. Ships destroyed together share
    their number in `fell`, which is 0 while a ship lives. `card` to `fresh` are of the turn under
    way, `bound` and `anchored` for the next.
    """

    seat: Seat
    token: ClassVar = derived("Ship", lambda _, ship: ship.piece, fact="ship")
    at: Heading | None = kept(
        None, optional(PLACE, None), "Place", 'space and heading, `"0,-1 NW"`',
        key="place", without="not on the map",
    )  # fmt: skip
    hull: int = kept(seats.HULL_POINTS, POINTS, "Hull", "hull points left", shows=Shows.COUNT)
    hand: ClassVar = _own_pile(seats.HAND, ALL_CARDS, "Hand", "how many cards", shows=Shows.COUNT)
    debris: Hex | None = kept(
        None, optional(SPACE, None), "Debris on", "of a destroyed ship: its space",
        without="none",
    )  # fmt: skip
    fell: int = kept(
        0, number(0, seats.MOST), "Order destroyed", "as which it was destroyed, from 1 on",
        without="0: it lives",
    )  # fmt: skip
    owes: int = kept(
        0, POINTS, "Tokens to lay", "hull points lost whose tokens are still to be laid"
    )
    aside: int = kept(
        0, POINTS, "Tokens set aside", "hull points lost whose tokens are out of the game"
    )
    retired: bool = kept(
        False, FLAG, "Left the table", "whether the player has left: the debris never moves"
    )
    down: ClassVar = derived("State", _state)
    declared: ClassVar = _own_pile(
        seats.CARD, 1, "Declared", "1 once a card lies before the player"
    )
    card: str = kept(
        "", optional(word(card_named, cards.KINDS), ""), "Card", "what it is, if it lies face up",
        put=_show_card, without="face down",
    )  # fmt: skip
    stopped: bool = kept(False, FLAG, "Shield used", "whether its shield has stopped a hit")
    no_draw: bool = kept(
        False, FLAG, "Draws no card", "whether no card is drawn at the end of this turn"
    )
    claims: Seat | None = kept(
        None, optional(SEAT, None), "Captures the card of",
        "whose card the player takes at the end of this turn", without="nobody's",
    )  # fmt: skip
    fresh: bool = kept(False, FLAG, "Destroyed this turn", "whether it was destroyed in this turn")
    captured: ClassVar = _own_pile(
        seats.CAPTURED, 1, "Captured cards", "1 if a captured card must be used next"
    )
    bound: str = kept(
        "", word(attack_named, cards.ATTACKS), "Must use again", "the attack that must be used next"
    )
    anchored: bool = kept(
        False, FLAG, "Anchored", "whether no other space may be entered in the next movement"
    )

    @property
    def piece(self) -> Piece:
        """The ship token."""
        return seats.SHIPS[self.seat]

    @property
    def debris_piece(self) -> Piece:
        """The other side of the ship token.  (HX-MAT-02)"""
        return seats.DEBRIS_OF[self.seat]

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
        return self.card in cards.SHIELDS and not self.stopped

    def next_hull(self, laid: Collection[Piece]) -> Piece:
        """The hull point token that is laid next, of those that are not.  (HX-DMG-01)"""
        tokens = seats.HULLS[self.seat]
        given = seats.HULL_POINTS - self.hull - self.owes
        return next(token for token in (*tokens[given:], *tokens) if token not in laid)

    def forget_turn(self) -> None:
        """A turn is over: its card counts for nothing any more."""
        self.card, self.claims = "", None
        self.stopped = self.no_draw = self.fresh = False


SHIP: Ledger[DogfightHexPosition, Ship] = Ledger(
    Ship,
    facts=("token", "hull", "hand"),
    sets=(
        "at", "debris", "hull", "fell", "owes", "aside", "retired", "hand", "declared", "captured",
    ),
    hashed=("seat", "at", "debris"),
)  # fmt: skip


# The whole position.


def _pile(pile: str, label: str, *, required: bool = False) -> Quantity:
    """How many cards lie in a pile of everybody's."""

    def put(position: DogfightHexPosition, _: object, __: str, count: int) -> None:
        position.deck.piles[pile] = count

    def count(position: DogfightHexPosition, _: object) -> int:
        return position.deck.piles[pile]

    about = "how many cards"
    kind = number(0, ALL_CARDS)
    return held(0, kind, label, about, count, put=put, key=pile, required=required)


@dataclass(slots=True, eq=False)
class DogfightHexPosition(Position):
    """Ships, wreckage, debris and cards, and how far the turn has come.

    `drifting` is fixed when the debris begins to drift; `fires` are the attacks under way, whose
    damage is being laid: who, at whom; no part of a file. `table` (this table's figures), `house`,
    `names` (of people) and `labels` (of tokens) are the match's and no part of a file.
    """

    pile_names: ClassVar[Mapping[str, str]] = {
        seats.DISCARD: "discard pile",
        seats.CARD: "declared card",
        seats.CAPTURED: "captured cards",
    }

    ships: dict[Seat, Ship] = field(default_factory=dict[Seat, Ship])
    deck: ActionDeck = field(default_factory=lambda: ActionDeck.of((), {}))
    turn: int = kept(1, number(1, MOST_TURNS), "Turn", "which turn it is", written=always)
    stage: str = kept(
        seats.SET_UP,
        word(stage_named, seats.STAGES),
        "Phase",
        "what comes next",
        key="phase",
        required=True,
        sets=(),
    )
    first: Seat = kept(
        seats.SEATS[0], SEAT, "Starting player", "who has the starting-player token, `A` to `F`",
        written=lambda position: position.stage != seats.SET_UP or position.first != seats.SEATS[0],
    )  # fmt: skip
    active: ClassVar = derived("Acts now", lambda position, _: position.due() or "")
    done: tuple[Seat, ...] = kept(
        (), several(SEAT, seats.MOST), "Have acted",
        "who has moved, whose card was carried out, or whose debris has drifted in this phase: "
        '`["B", "C"]`', sets=(), without="nobody",
    )  # fmt: skip
    drifting: tuple[Seat, ...] | None = kept(
        None, optional(several(SEAT, seats.MOST), None, told=None), "May drift",
        "whose debris drifts this turn, once that has begun", sets=(),
        without="all that may, when it begins",
    )  # fmt: skip
    steps: int = kept(
        0,
        number(0, seats.DEBRIS_STEPS),
        "Steps of debris",
        "steps left of the debris under way",
        sets=(),
    )
    rammed: bool = kept(
        False,
        FLAG,
        "Debris has rammed",
        "whether the debris under way has run into a ship",
        sets=(),
    )
    left: ClassVar = _pile(seats.DECK, "Deck", required=True)
    discard: ClassVar = _pile(seats.DISCARD, "Discard pile")
    discarded: ClassVar = held(
        {},
        counts(card_named, ALL_CARDS),
        "",
        "cards that everybody saw go to the discard pile: `short = 3`",
        lambda position, _: dict(Counter(position.deck.piles.known.get(seats.DISCARD, ()))),
        sets=(),
    )
    wreckage: dict[Piece, Hex] = kept(
        {}, WRECKAGE, "", "token and space: `wreck-1` to `wreck-4`, and of each player `hull-a-1`, "
        "`hull-a-2`", sets=(), hashed=False,
        tells=lambda position, _: (
            Fact(piece, "Wreckage", str(space)) for piece, space in position.wreckage.items()
        ),
    )  # fmt: skip
    fires: tuple[tuple[Seat, Seat], ...] = ()
    table: Figures = field(default_factory=assumed_figures)
    house: Mapping[str, Json] = field(default_factory=dict[str, "Json"])
    names: Mapping[Seat, str] = field(default_factory=lambda: seats.NAMES)
    labels: Mapping[Piece, str] = field(default_factory=lambda: seats.LABELS)

    @classmethod
    def fresh(cls, players: tuple[Seat, ...], table: Figures) -> Self:
        """The box as it is opened: all cards in the deck, nothing on the map."""
        return cls(
            ships={seat: Ship(seat) for seat in players},
            deck=ActionDeck.of(players, {seats.DECK: table.deck_size}),
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
        if self.stage in (seats.MOVEMENT, seats.RESOLUTION):
            return next((seat for seat in self.order() if seat not in self.done), None)
        if self.stage != seats.DEBRIS:
            return None
        drifting = (seat for seat in self.drifting or () if seat not in self.done)
        return next((seat for seat in drifting if not self.ships[seat].retired), None)

    def called(self, piece: Piece) -> str:
        """A token inside a sentence: "Ana's ship", or "ship A" where nobody's name is known."""
        label = self.labels[piece]
        return label[0].lower() + label[1:] if label == seats.LABELS[piece] else label

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
        return (seats.SET_UP,) if self.stage == seats.SET_UP else (f"turn-{self.turn}", self.stage)

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
        ships = self.ships.values()
        own = (fact for ship in ships for fact in SHIP.facts(self, ship, ship.seat))
        return [*TURN.facts(self, self), *own]

    def figures(self) -> object:
        """What the digest hashes: every quantity as values that never change."""
        return (
            *TURN.hashed(self),
            tuple(self.deck.piles.counts.values()),
            tuple((piece, *space) for piece, space in sorted(self.wreckage.items())),
            tuple(map(SHIP.hashed, self.ships.values())),
        )

    def adjust(self, changes: Mapping[str, Json]) -> None:
        """Set all of them; BadCall names the one that is unknown or not of its kind."""
        by_seat: dict[str, Json] = {}
        for name, value in changes.items():
            if _by_seat(name) in by_seat:
                raise BadCall(f"{_by_seat(name)} is given twice; give it once [RULING 30]")
            by_seat[_by_seat(name)] = value
        with citing("RULING 30"):
            set_all(self, setters_of(self), by_seat)

    def to_file(self) -> dict[str, Json]:
        """The file of a position; what stands at its default is left out."""
        ships: Json = {seat: SHIP.written(self, ship) for seat, ship in self.ships.items()}
        return {"box": BOX, **TURN.written(self, self), "ships": ships}

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        return read_position(cls, raw, source, assumed_figures())


TURN: Ledger[DogfightHexPosition, DogfightHexPosition] = Ledger(
    DogfightHexPosition, file=("turn", "stage", "first", "done", "steps", "rammed")
)


# Position files, in words.  (positions/README.md)

PositionT = TypeVar("PositionT", bound=DogfightHexPosition)

_File = TURN.model(
    "_File",
    {"box": (Literal["dogfight-hex"], BOX)},
    {
        "ships": (seats_model("_Ships", SHIP.model("_Ship"), seats.SEATS, 2), ...),
        "since": (list[Any], []),  # answers given after this position: the match takes them itself
    },
)


def read_position(
    cls: type[PositionT], raw: Mapping[str, Json], source: str, table: Figures
) -> PositionT:
    """The position a file describes, not yet judged; BadFile names source, place and limit."""
    file: Any = read_model(_File, dict(raw), source, context=table)
    lines = seat_lines(file.ships)
    return cls(
        ships={seat: Ship(seat, **SHIP.read(line)) for seat, line in lines.items()},
        deck=_deck(file, lines),
        table=table,
        **TURN.read(file),
    )


def _deck(file: Any, lines: Mapping[Seat, Any]) -> ActionDeck:
    counts = {seats.DECK: file.deck, seats.DISCARD: file.discard}
    seen: dict[str, int] = file.discarded
    known = {seats.DISCARD: sorted(Counter(seen).elements())}
    for seat, line in lines.items():
        own = {seats.HAND: line.hand, seats.CARD: line.declared, seats.CAPTURED: line.captured}
        counts |= {pile_of(seat, pile): own[pile] for pile in seats.OWN_PILES}
        if line.declared and line.card:
            known[pile_of(seat, seats.CARD)] = [line.card]
        if line.captured and line.bound:
            known[pile_of(seat, seats.CAPTURED)] = [line.bound]
    return ActionDeck.of(
        tuple(lines), counts, {name: copies for name, copies in known.items() if copies}
    )


# Adjustments: what an arbiter may set, by name.


def setters_of(position: DogfightHexPosition) -> dict[str, Setter]:
    """Every name that may be set at this table, and what setting it does."""
    ships = position.ships.items()
    tokens = (*seats.WRECKS, *(hull for seat in position.ships for hull in seats.HULLS[seat]))
    own = {seat: SHIP.setters(position, ship) for seat, ship in ships}
    return {
        **TURN.setters(position, position),
        **{piece: _wreckage(position, piece) for piece in tokens},
        **{seats.SHIPS[seat]: setters["place"] for seat, setters in own.items()},
        **{seats.DEBRIS_OF[seat]: setters["debris"] for seat, setters in own.items()},
        **{f"{seat}.{name}": put for seat, setters in own.items() for name, put in setters.items()},
    }


def _wreckage(position: DogfightHexPosition, piece: Piece) -> Setter:
    def put(name: str, raw: Json) -> None:
        if raw in (None, ""):
            position.wreckage.pop(piece, None)
        else:
            position.wreckage[piece] = named(name, raw, space_named)

    return put


def _by_seat(name: str) -> str:
    """A name by its seat, also where the ship is named: "Ship B.hull" is "B.hull"."""
    owner, dot, rest = name.partition(".")
    seat = ship_named(owner.strip()) if dot else None
    return name if seat is None else f"{seat}.{rest}"
