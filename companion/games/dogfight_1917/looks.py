"""How seats, sides and planes are drawn: a plane has the colour of whoever flies it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.board import Look
from companion.games.dogfight_1917.cards import FIGHTER_NAMES
from companion.games.dogfight_1917.seats import SEATS

if TYPE_CHECKING:
    from companion.core.ruling import Seat
    from companion.games.dogfight_1917.position import Dogfight1917Position


def looks_of(position: Dogfight1917Position, side_of: Mapping[Seat, Seat]) -> Mapping[str, Look]:
    """The look of every seat, side and piece, as far as Fighters are chosen."""
    looks: dict[str, Look] = {}
    for piece in FIGHTER_NAMES:
        looks[piece] = Look(None, piece, piece[0].upper())
    for colour, seat in enumerate(SEATS):
        looks[seat] = Look(colour, "", seat)
        looks.setdefault(side_of.get(seat, seat), Look(colour, "", seat))
    for seat, player in position.players.items():
        if player.fighter:
            letter = player.fighter[0].upper()
            looks[player.fighter] = Look(looks[seat].colour, player.fighter, letter)
    return looks
