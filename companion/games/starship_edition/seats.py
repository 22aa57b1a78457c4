"""Who sits at the table: seats A to F clockwise, and what each of them brings.  (SE-SET-04)"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.board import Piece
from companion.core.errors import BadCall
from companion.core.ruling import Seat

SEATS = tuple(Seat(letter) for letter in "ABCDEF")
NAMES: Mapping[Seat, str] = {seat: f"Player {seat}" for seat in SEATS}
FEWEST, MOST = 2, len(SEATS)
"""So few and so many may play.  (RULING 1)"""

VESSELS: Mapping[Seat, Piece] = {seat: Piece(f"vessel-{seat.lower()}") for seat in SEATS}
"""The ship on the map before each seat."""


def vessel_called(seat: Seat, player: str) -> str:
    """The ship of a seat in a sentence: by its player, where somebody has said a name.

    >>> vessel_called(Seat("B"), "Ben"), vessel_called(Seat("B"), "Player B")
    ("Ben's vessel", 'Vessel B')
    """
    return f"Vessel {seat}" if player == NAMES[seat] else f"{player}'s vessel"


class Sitting(NamedTuple):
    """What is said of a seat beforehand: who sits there, the vessel and the deck ("" = usual)."""

    name: str
    vessel: str = ""
    deck: str = ""


def read_sitting(seat: Seat, text: str) -> Sitting:
    """Read NAME[/VESSEL[/DECK]]; BadCall where there is more than that.

    >>> read_sitting(Seat("A"), "Ana/cruiser")
    Sitting(name='Ana', vessel='cruiser', deck='')
    """
    parts = [part.strip() for part in text.split("/")]
    if len(parts) > 3:
        raise BadCall(f"seat {seat}: {text!r} is not NAME/VESSEL/DECK")
    name, vessel, deck = (*parts, "", "")[:3]
    return Sitting(name, vessel, deck)
