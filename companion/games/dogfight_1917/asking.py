"""What every question of Dogfight: 1917 is built on: who is called what, and how keys are made.

Keys are built from the turn and the place in it: "turn-7/2/fly", 2 being what was begun in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.text import headed
from companion.games.dogfight_1917.cards import FIGHTERS
from companion.games.dogfight_1917.layout import SET_UP

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_1917.cards import Fighter
    from companion.games.dogfight_1917.position import Dogfight1917Position


class Asking:
    """Knows the position, the house rules and the printed cards; names the places in keys."""

    def __init__(
        self,
        position: Dogfight1917Position,
        house: Mapping[str, Json],
        fighters: Mapping[str, Fighter],
        names: Mapping[Seat, str],
    ) -> None:
        self.position = position
        self.house = house
        self.fighters = fighters
        self.names = names

    def key(self, *place: object) -> str:
        """A key from the turn on: "turn-7/2/fly"."""
        parts = [str(part) for part in place]
        if self.position.stage == SET_UP:
            return "/".join((SET_UP, *parts))
        return "/".join((f"turn-{self.position.turn}", str(self.position.actions), *parts))

    def may_move(self, *pieces: Piece) -> frozenset[Piece]:
        """What hands may be moving: these pieces, and in set-up any model of the box."""
        return frozenset(FIGHTERS if self.position.stage == SET_UP else pieces)

    def head(self, seat: Seat, words: str) -> str:
        """A headline that names its player, by the seat's letter where the name is too long."""
        return headed(self.names[seat], seat, words)
