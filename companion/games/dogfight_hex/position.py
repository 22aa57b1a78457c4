"""What lies on the table in Dogfight! hex ships, and what of it lasts through a turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Self

from companion.core.board import Piece, Pose
from companion.core.ruling import Fact, Fault, LineOfFire, Seat, Shows
from companion.games.dogfight_hex import adjusting, position_faults, position_file
from companion.games.dogfight_hex.deck import Deck
from companion.games.dogfight_hex.figures import Figures, assumed_figures
from companion.games.dogfight_hex.layout import (
    CAPTURED,
    CARD,
    DEBRIS,
    DECK,
    DISCARD,
    HAND,
    MOVEMENT,
    RESOLUTION,
    SET_UP,
)
from companion.games.dogfight_hex.seats import LABELS, NAMES, SEATS
from companion.games.dogfight_hex.ship import Ship
from companion.kit.hexes import Heading, Hex, pose_of
from companion.match.rulebook import Position, clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json


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
        adjusting.adjust(self, changes)

    def to_file(self) -> dict[str, Json]:
        return position_file.write_position(self)

    @classmethod
    def from_file(cls, raw: Mapping[str, Json], source: str = "position") -> Self:
        position = position_file.read_position(cls, raw, source, assumed_figures())
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
