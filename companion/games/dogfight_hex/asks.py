"""The questions of Dogfight! hex ships: whom they ask, which rule asks, what is offered.

Keys are built from the turn and the place in it: "turn-3/move/B", "turn-3/resolve/A/target".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from companion.core.board import Pose
from companion.core.question import Choose, Count, Option, Ready, Refusal, Reveal
from companion.core.ruling import TABLE, Carry, Cite, Level, Notice, Seat
from companion.core.text import counted
from companion.games.dogfight_hex import move_refusals, refusals, seats
from companion.games.dogfight_hex.cards import CARDS, KINDS
from companion.games.dogfight_hex.ends import Drifted, DriftEnds, MoveEnds
from companion.games.dogfight_hex.move_refusals import STAY
from companion.games.dogfight_hex.moves import BEAMS, Beam, Way
from companion.games.dogfight_hex.seats import ship_named
from companion.kit.hexes import Heading, Hex, pose_of
from companion.kit.piles import HIGHEST

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Json
    from companion.games.dogfight_hex.position import DogfightHexPosition

HEADLINE = 22
"""As many characters as a headline may have."""

LOT, GONE = "lot", "gone"
_NOBODY: Option[Any] = Option("nobody", None, "Nobody is in range any more")
"""Left of a choice when an arbiter has moved all that could be chosen."""

_FIRST = Cite.of("HX-SET-02, RULING 5")
_WRECKAGE = Cite.of("HX-SET-01, RULING 3")
_PLACE = Cite.of("HX-SET-05, RULING 4")
_DECLARE = Cite.of("HX-DEC-01, HX-DEC-02")
_MOVE = Cite.of("HX-MOV-01, HX-MOV-02")
ANCHORED = Cite.of("HX-MOV-04, HX-MOV-07")
_REVEAL = Cite.of("HX-RES-01")
_COUNTED = Cite.of("RULING 2")
_TARGET = Cite.of("HX-ATK-03, HX-ATK-06, HX-ATK-08")
_BEAM = Cite.of("HX-ATK-04, HX-ATK-06, HX-ATK-08, RULING 12, RULING 13")
_LAY = Cite.of("HX-DMG-01, RULING 18")
_DRIFT = Cite.of("HX-DEB-01, HX-DEB-06")
_DRIFT_ON = Cite.of("HX-DEB-01, RULING 23")


class Asks:
    """Knows the position and what seats are called; names the places in keys."""

    def __init__(self, position: DogfightHexPosition, names: Mapping[Seat, str]) -> None:
        self.position = position
        self.names = names

    def key(self, *place: object) -> str:
        """A key from the turn on: "turn-3/move/B"."""
        stage = self.position.stage
        begin = seats.SET_UP if stage == seats.SET_UP else f"turn-{self.position.turn}"
        return "/".join((begin, *map(str, place)))

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player, by the seat's letter where the name is too long."""
        named = f"{self.names[seat]}: {words}"
        return named if len(named) <= HEADLINE else f"{seat}: {words}"[:HEADLINE]

    def unplaced(self) -> frozenset[Piece]:
        """Tokens that hands may be laying out already, while the map is set up."""
        ships = (ship.piece for ship in self.position.ships.values() if ship.at is None)
        return frozenset((*ships, *refusals.free_wreckage(self.position)))

    # -- set-up ----------------------------------------------------------------------------

    def first(self) -> Choose[Seat | None]:
        """Who takes the first-player token; silence means the first of those who play."""
        position = self.position

        def offered() -> Sequence[Option[Seat | None]]:
            whom: list[Option[Seat | None]] = [
                Option(seat, seat, self.names[seat], group="Player", about=seat)
                for seat in position.order()
            ]
            return [*whom, Option(LOT, None, "Nobody knows: draw a lot", group="Lot")]

        return Choose(
            key=self.key("first"), by=TABLE, cite=_FIRST, lapse=position.order()[0],
            prompt="Who was on a boat last? That player takes the first-player token.",
            headline="Last on a boat: who?", offered=offered,
            named=lambda raw: _of_ship(raw, offered()),
            unlisted=lambda raw: refusals.who(raw, position),
        )  # fmt: skip

    def number(self, place: str, cite: Cite) -> Count:
        """A number that somebody says, from which a lot is drawn."""
        return Count(
            key=self.key("number", place), by=TABLE, cite=cite, low=1, high=HIGHEST,
            prompt=f"Let somebody say any number from 1 to {HIGHEST}: the lot is drawn from it.",
            headline="Say any number", by_chance=True,
        )  # fmt: skip

    def scatter(self, piece: Piece, legal: Callable[[], Sequence[Hex]]) -> Choose[Hex | None]:
        """Where one of the four wreckage tokens came to lie, or that all are drawn by lot."""
        label = seats.LABELS[piece]

        def offered() -> Sequence[Option[Hex | None]]:
            spaces = (_on_space(piece, space) for space in legal())
            return [*spaces, Option(LOT, None, "Draw the rest by lot")]

        return Choose(
            key=self.key("wreckage", piece), by=TABLE, cite=_WRECKAGE,
            prompt=f"Scatter at random: where does {label} lie?",
            headline=f"{label} lies where?"[:HEADLINE], offered=offered,
            may_move=self.unplaced() - {piece},
            unlisted=lambda raw: refusals.scattered(raw, self.position, legal()),
        )  # fmt: skip

    def place(self, seat: Seat, legal: Callable[[], Sequence[Heading]]) -> Choose[Heading]:
        """Where a ship starts, and which way it looks."""
        piece = self.position.ships[seat].piece

        def offered() -> Sequence[Option[Heading]]:
            return [_at_place(piece, place, self.position.named(place)) for place in legal()]

        def named(raw: Json) -> Option[Heading] | None:
            try:
                said = refusals.without_own(raw, seat)
                place = Heading.read(said, self.position.table.facings)
            except ValueError:
                return None
            return _at_place(piece, place, self.position.named(place)) if place in legal() else None

        return Choose(
            key=self.key("ship", seat), by=seat, cite=_PLACE,
            prompt=f"{self.names[seat]}: place your ship on a start space, looking any way.",
            headline=self.head(seat, "place ship"), offered=offered, named=named,
            may_move=self.unplaced() - {piece},
            unlisted=lambda raw: refusals.start(raw, self.position, seat),
        )  # fmt: skip

    # -- declaring and revealing -----------------------------------------------------------

    def declare(self, seat: Seat) -> Ready:
        """A card lies face down; which one is nobody's business yet."""
        return Ready(
            key=self.key("declare", seat), by=seat, cite=_DECLARE, word="down", says="laid",
            all_do="lay one card",
            prompt=f"{self.names[seat]}: lay one card of your hand face down.",
            headline=self.head(seat, "card laid?"), deeds=(Carry(seat, 1, seats.HAND, seats.CARD),),
        )  # fmt: skip

    def reveal(self, seat: Seat) -> Reveal[str]:
        """Which card was declared, now that it is turned over."""
        return Reveal(
            key=self.key("reveal", seat), by=seat, cite=_REVEAL,
            prompt=f"{self.names[seat]}: turn your card over. Which one is it?",
            headline=self.head(seat, "which card?"),
            faces={kind: kind for kind in KINDS}, lay=_faces, caution=self._too_many,
        )  # fmt: skip

    def _too_many(self, kind: str) -> Notice | None:
        """One more of a kind than the deck is said to have.  (RULING 2)"""
        copies = self.position.table.deck[kind]
        if self.position.deck.seen()[kind] < copies:
            return None
        text = f"More than {copies} of {CARDS[kind].label} were shown since the last shuffle."
        return Notice("HX-W-COUNT", text, _COUNTED, Level.WARN,
                      "Look again, or correct how many the deck has.")  # fmt: skip

    # -- movement --------------------------------------------------------------------------

    def move(self, seat: Seat) -> Choose[Way | None]:
        """Where a ship ends its movement; nothing depends on the way."""
        ends = MoveEnds(self.position, seat)
        anchored = self.position.ships[seat].anchored
        limit = "you are anchored: turn if you like" if anchored else \
            f"move up to {counted(seats.MOVE_STEPS, 'step')}; a turn is one"  # fmt: skip
        return Choose(
            key=self.key("move", seat), by=seat, cite=ANCHORED if anchored else _MOVE, lapse=STAY,
            prompt=f"{self.names[seat]}: {limit}. Where does your ship end?",
            headline=self.head(seat, "turn?" if anchored else "move"),
            offered=ends.options, named=ends.named,
            unlisted=lambda raw: move_refusals.told(raw, self.position, seat),
        )  # fmt: skip

    # -- resolution ------------------------------------------------------------------------

    def target(self, seat: Seat, legal: Callable[[], Sequence[Seat]]) -> Choose[Seat | None]:
        """Whom a medium-range attack hits, of several in range."""

        def offered() -> Sequence[Option[Seat | None]]:
            return [Option(other, other, self.names[other], about=other) for other in legal()] or [
                _NOBODY
            ]

        return Choose(
            key=self.key("resolve", seat, "target"), by=seat, cite=_TARGET,
            prompt=f"{self.names[seat]}: medium range. Which ship do you hit?",
            headline=self.head(seat, "hit whom?"),
            offered=offered, named=lambda raw: _of_ship(raw, offered()),
            unlisted=lambda raw: refusals.target(raw, self.position, seat, legal()),
        )  # fmt: skip

    def beam(self, seat: Seat, legal: Callable[[], Sequence[Beam]]) -> Choose[Beam | None]:
        """Which beam a long-range attack takes, of several that hit somebody."""

        def offered() -> Sequence[Option[Beam | None]]:
            return [Option(beam.name, beam, self._hits(beam)) for beam in legal()] or [_NOBODY]

        return Choose(
            key=self.key("resolve", seat, "beam"), by=seat, cite=_BEAM,
            prompt=f"{self.names[seat]}: long range. Which of the three beams?",
            headline=self.head(seat, "which beam?"), offered=offered,
            unlisted=lambda raw: refusals.beam(
                raw, self._beam_names(), [beam.name for beam in legal()]
            ),
        )  # fmt: skip

    def _beam_names(self) -> Sequence[str]:
        return [*BEAMS]

    def _hits(self, beam: Beam) -> str:
        return f"{beam.name.capitalize()}: hits {', '.join(self.names[hit] for hit in beam.hits)}"

    def lay(
        self, seat: Seat, key: str, piece: Piece, legal: Callable[[], Sequence[Hex]], where: str
    ) -> Choose[Hex | None]:
        """Where a hull point that was lost is laid as wreckage."""
        number = piece.rpartition("-")[2]

        def offered() -> Sequence[Option[Hex | None]]:
            spaces: list[Option[Hex | None]] = [_on_space(piece, space) for space in legal()]
            return spaces or [Option(GONE, None, "Set it aside")]

        return Choose(
            key=key, by=seat, cite=_LAY,
            prompt=f"{self.names[seat]}: lay your hull token {number} on a free space {where}.",
            headline=self.head(seat, f"lay hull {number}"), offered=offered,
            unlisted=lambda raw: self._not_laid(raw, seat, legal()),
        )  # fmt: skip

    def _not_laid(self, raw: Json, seat: Seat, legal: Sequence[Hex]) -> Refusal | None:
        ship = self.position.ships[seat]
        if ship.at is None:
            return None
        return refusals.laid(raw, self.position, ship.at.hex, legal)

    # -- debris ----------------------------------------------------------------------------

    def drift(self, seat: Seat) -> Choose[Drifted]:
        """Where debris drifts, and whether it rams a ship on the way; silence: it stays."""
        ends = DriftEnds(self.position, seat)
        on = self.position.rammed
        steps = counted(self.position.steps, "step")
        what = f"drift on, {steps} left" if on else f"debris drifts up to {steps}"
        return Choose(
            key=self.key("debris", seat, *(("on",) if on else ())), by=seat,
            cite=_DRIFT_ON if on else _DRIFT, lapse=STAY,
            prompt=f"{self.names[seat]}: {what}. To where?",
            headline=self.head(seat, "debris on?" if on else "debris?"),
            offered=ends.options, named=ends.named,
            may_move=frozenset((self.position.ships[seat].debris_piece,)),
            unlisted=lambda raw: refusals.drift(raw, self.position, seat, ends.spaces()),
        )  # fmt: skip


def _of_ship(raw: Json, offered: Sequence[Option[Seat | None]]) -> Option[Seat | None] | None:
    """The option of the seat whose ship is named."""
    seat = ship_named(raw)
    return next((option for option in offered if seat and option.value == seat), None)


def _faces() -> Sequence[Option[str]]:
    """The six kinds for a pad: attacks in one row, shields in the other."""
    return [
        Option(kind, kind, card.label, group="Attack" if card.attacks else "Shield",
               cell=(0 if card.attacks else 1, number % 3))
        for number, (kind, card) in enumerate(CARDS.items())
    ]  # fmt: skip


@lru_cache(maxsize=4096)
def _on_space(piece: Piece, space: Hex) -> Option[Hex | None]:
    """A token that lies there; made once, for a map has many and they are listed often."""
    return Option(str(space), space, str(space), {piece: Pose(str(space))})


@lru_cache(maxsize=4096)
def _at_place(piece: Piece, place: Heading, name: str) -> Option[Heading]:
    """A ship that starts there, by the name that this map has for the place."""
    return Option(name, place, name, {piece: pose_of(place)})
