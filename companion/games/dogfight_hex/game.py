"""Game: the base of all chapters of Dogfight! hex ships, with its seats, ships and cards.

The chapters are a chain of classes: Game; Turn (turn.py); DogfightHex (rules.py).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar, Self

from companion.core.errors import BadCall
from companion.core.ruling import Cite, Deed, Fault, Move, Notice, Seat
from companion.games.dogfight_hex import comparing
from companion.games.dogfight_hex.asks import Asks
from companion.games.dogfight_hex.boards import LOOKS, board_plan
from companion.games.dogfight_hex.cards import KINDS, OWN_FIGURES, read_figures
from companion.games.dogfight_hex.faults import faults, faults_at_start
from companion.games.dogfight_hex.moves import BEAMS, SIDES
from companion.games.dogfight_hex.position import DogfightHexPosition, read_position
from companion.games.dogfight_hex.seats import (
    CAPTURED,
    CARD,
    DEBRIS_OF,
    FEWEST,
    HAND,
    HAND_SIZE,
    LABELS,
    MOST,
    NAMES,
    SEATS,
    SHIPS,
    labels_of,
)
from companion.games.dogfight_hex.switches import HOUSE, SWITCHES
from companion.kit.box import starting_position
from companion.kit.hexes import FLAT_TOP_NAMES, POINTY_TOP_NAMES, pose_of
from companion.match.house_rules import Switch
from companion.match.rulebook import Rulebook, Setup, with_first_seats

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Look, Piece
    from companion.core.offers import Sighting
    from companion.core.ruling import Json
    from companion.games.dogfight_hex.cards import Figures
    from companion.games.dogfight_hex.position import Ship
    from companion.kit.figures import TableFigures
    from companion.kit.hexes import Heading
    from companion.match.house_rules import HouseRules


class Game(Rulebook[DogfightHexPosition]):
    """Seats, ships and cards, and what hands do with them."""

    box: ClassVar[str] = "dogfight-hex"
    edition: ClassVar[int] = 2
    title: ClassVar[str] = "Dogfight! hex ships"
    variants: ClassVar[tuple[str, ...]] = ("base",)
    seats: ClassVar[Mapping[Seat, str]] = NAMES
    sides: ClassVar[tuple[Seat, ...]] = SEATS
    rounds: ClassVar[tuple[str, ...]] = ("turn",)
    switches: ClassVar[Mapping[str, Switch]] = SWITCHES
    house: ClassVar[HouseRules] = HOUSE
    figures: ClassVar[TableFigures | None] = OWN_FIGURES
    looks: Mapping[str, Look] = LOOKS
    corrections: ClassVar[Cite] = Cite.of("RULING 30")

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.table: Figures = read_figures(setup.cards)
        self._seats = SEATS[: int(str(self.options["players"]))]
        self._refuse_players(setup)
        people = tuple(self.named.get(seat, name) for seat, name in NAMES.items())
        self.plan: BoardPlan = _plan_of(self.table, people)
        self.position = starting_position(
            self,
            lambda: DogfightHexPosition.fresh(self._seats, self.table),
            lambda file: read_position(DogfightHexPosition, file, "position", self.table),
        )
        self._refuse_seats(self.position)
        self.position.names, self.position.labels = self.named, labels_of(self.named)
        self.ask = Asks(self.position, self.named)

    # -- who plays (HX-SET-07) -------------------------------------------------------------

    @classmethod
    def seated(cls, options: Mapping[str, Json]) -> type[Self]:
        """The rules for as many seats as play; nobody else can win.  (HX-SET-07)"""
        told, switch = options.get("players"), cls.switches["players"]
        players = switch.default if told is None else switch.read(told)
        return with_first_seats(cls, int(str(players)))

    def seats_taken(self) -> tuple[Seat, ...]:
        """The seats of this match, clockwise.  (HX-SET-07)"""
        return self._seats

    def _refuse_players(self, setup: Setup) -> None:
        """Two play only by house rule; nobody sits beyond the last.  (HX-SET-07, RULING 6)"""
        players = len(self.seats_taken())
        if players < FEWEST and self.options["allow_two_players"] is not True:
            raise BadCall(
                f"players: {players}; {FEWEST} to {MOST} play [HX-E-PLAYERS, HX-SET-07]: take "
                "more, or set allow_two_players"
            )
        unknown = sorted(set(setup.seats) - set(self.seats_taken()))
        if unknown:
            known = ", ".join(self.seats_taken())
            raise BadCall(
                f"seat {unknown[0]!r} is none of the {players} here, {known} "
                "[HX-E-PLAYERS, HX-SET-07]: set players"
            )
        if self.table.deck_size < players * HAND_SIZE:
            raise BadCall(
                f"data: {self.table.deck_size} cards; {players} players draw "
                f"{players * HAND_SIZE} [HX-SET-06]"
            )

    @classmethod
    def faults(cls, position: DogfightHexPosition) -> list[Fault]:
        return faults(position)

    @classmethod
    def faults_at_start(cls, position: DogfightHexPosition) -> list[Fault]:
        return [*faults_at_start(position)]

    def _refuse_seats(self, position: DogfightHexPosition) -> None:
        here = tuple(position.ships)
        if here != self.seats_taken():
            there, wanted = " ".join(here), len(self.seats_taken())
            raise BadCall(f"position: ships {there}; this match has {wanted}: set players")

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        return comparing.compare(self.position, sighting, lagging)

    @property
    def absent(self) -> Collection[Seat]:
        """Who has left the table.  (RULING 22)"""
        return tuple(seat for seat, ship in self.position.ships.items() if ship.retired)

    def spoken_names(self) -> Mapping[str, str]:
        """People by their ships: a bare letter might be the heading E."""
        names = {
            name: (LABELS[SHIPS[Seat(code)]], LABELS[DEBRIS_OF[Seat(code)]])
            for name, code in super().spoken_names().items()
        }
        ships = {words: ship for name, (ship, _) in names.items() for words in _its("ship", name)}
        debris = {words: it for name, (_, it) in names.items() for words in _its("debris", name)}
        rams = {
            f"ram {words}": f"ram {ship}"
            for name, (ship, _) in names.items()
            for words in (name, *_its("ship", name))
        }
        return {**{name: ship for name, (ship, _) in names.items()}, **ships, **debris, **rams}

    def own_words(self) -> Collection[str]:
        """Moves, beams and cards, what a ram is told by, and the tokens."""
        return _OWN_WORDS

    # -- who is who ------------------------------------------------------------------------

    def ship(self, seat: Seat) -> Ship:
        """A seat's ship, or its debris."""
        return self.position.ships[seat]

    def all_of(self, seats: Sequence[Seat]) -> list[str]:
        """Several seats in a sentence."""
        return [self.who(seat) for seat in seats]

    def has_acted(self, seat: Seat) -> None:
        """A seat has had its place in the order."""
        if seat not in self.position.done:
            self.position.done = (*self.position.done, seat)

    def enter(self, stage: str) -> None:
        """The next part of the turn begins: nobody has acted in it."""
        self.position.stage, self.position.done = stage, ()

    # -- what hands do ---------------------------------------------------------------------

    def put(self, seat: Seat, now: Heading) -> Move:
        """A hand puts a seat's ship there."""
        ship = self.ship(seat)
        was, ship.at = ship.at, now
        return Move(ship.piece, pose_of(was) if was is not None else None, pose_of(now))

    def discard_all(self, seat: Seat) -> list[Deed]:
        """Hand and captured card of a destroyed player, and the declared one.  (RULING 21)

        A declared card that somebody's shield has taken stays until the end of the turn.
        """
        deck, ship = self.position.deck, self.ship(seat)
        taken = any(other.claims == seat for other in self.position.ships.values())
        piles = (HAND, CAPTURED) if taken else (HAND, CAPTURED, CARD)
        ship.bound, ship.claims, ship.anchored = "", None, False
        return [deck.discard(seat, pile) for pile in piles if deck.count(seat, pile)]


_OWN_WORDS = frozenset((
    *SIDES, *BEAMS, *KINDS, *map(str.lower, FLAT_TOP_NAMES), *map(str.lower, POINTY_TOP_NAMES),
    "ram", "stay", "lot", "laid", "down", "none", "pass", "back", "ship", "debris",
    "hull", "wreckage",
))  # fmt: skip
"""Words that answers are made of."""


def _its(token: str, name: str) -> tuple[str, ...]:
    """How people say whose token it is."""
    return f"{name}'s {token}", f"{token} {name}", f"{token} of {name}"


@lru_cache(maxsize=8)
def _plan_of(figures: Figures, people: tuple[str, ...]) -> BoardPlan:
    return board_plan(figures, labels_of(dict(zip(SEATS, people, strict=True))))
