"""What lies on the table of Kites: two kites, the gusts, and how far the turn has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from companion.core.board import Piece
from companion.core.ruling import Seat, Shows
from companion.kit.hexes import Heading, Hex, HexMap, hexagon
from companion.kit.ledger import FLAG, Quantity, kept, number
from companion.kit.seated import SeatedPosition, one_word, pile, place_on, stands

SEATS = A, B = Seat("A"), Seat("B")
NAMES = {A: "Red", B: "Blue"}
KITES: Mapping[Seat, Piece] = {A: Piece("red"), B: Piece("blue")}
STARTS = {A: Heading(Hex(0, 3), 0), B: Heading(Hex(0, -3), 3)}
MAP = HexMap(hexagon(3))
GUSTS = {"1": 6, "2": 6, "3": 6}
STRINGS, HAND_SIZE, LAST_TURN = 3, 3, 20
SET_UP, LAY, SHOW, FLY = STAGES = ("set-up", "lay", "show", "fly")
DECK, DISCARD, HAND, LAID = "deck", "discard", "hand", "laid"


@dataclass(slots=True, eq=False)
class Kite:
    """One seat's kite: where it flies, the strings that hold it, and the gust of this turn."""

    seat: Seat
    place: Heading | None = stands(KITES, place_on(MAP), "Place")
    strings: int = kept(STRINGS, number(0, STRINGS), "Strings", shows=Shows.COUNT)
    gust: int = kept(0, number(0, 3), "Gust")
    flown: bool = kept(False, FLAG, "Has flown")
    hand: ClassVar[Quantity] = pile(HAND, "Hand")
    laid: ClassVar[Quantity] = pile(LAID, "Gust laid")


@dataclass(slots=True, eq=False)
class KitesPosition(SeatedPosition[Kite]):
    """Two kites, one deck, and the stage of the turn."""

    box, seats, part, cards = "kites", SEATS, Kite, sum(GUSTS.values())

    turn: int = kept(1, number(1, LAST_TURN), "Turn")
    stage: str = kept(SET_UP, one_word(STAGES, "stage"), "Stage", required=True)
    deck: ClassVar[Quantity] = pile(DECK, "Deck")
    discard: ClassVar[Quantity] = pile(DISCARD, "Discard pile")

    def due(self) -> Seat | None:
        """Who flies next: the stronger gust; of two alike the red kite in odd turns.  (KT-4)"""
        waiting = [seat for seat in SEATS if not self.players[seat].flown]
        waiting.sort(key=lambda seat: (-self.players[seat].gust, (seat == A) != self.turn % 2))
        return next(iter(waiting), None)
