"""Where one ship may end, listed when somebody looks, anew when something on the map moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.games.dogfight_hex.move_refusals import STAY, follow
from companion.games.dogfight_hex.moves import Way, ways
from companion.games.dogfight_hex.refusals import without_own
from companion.kit.hexes import Heading, pose_of

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_hex.position import DogfightHexPosition


class MoveEnds:
    """The end poses of a ship as options of a question.  (HX-MOV-02 to HX-MOV-07)

    Of a ship that was destroyed while it was asked only staying is left.
    """

    def __init__(self, position: DogfightHexPosition, seat: Seat) -> None:
        self._position = position
        self._ship = position.ships[seat]
        self._stood: object = None
        self._found: Mapping[Heading, Way] = {}
        self._options: list[Option[Way | None]] = []

    def found(self) -> Mapping[Heading, Way]:
        """Every legal end pose, with a shortest way to it."""
        ship = self._ship
        if ship.at is None:
            return {}
        blocked = self._position.blocked(ship.seat)
        stands = (ship.at, blocked, ship.anchored)
        if stands != self._stood:
            board = self._position.table.board
            self._found = ways(board, ship.at, blocked, anchored=ship.anchored)
            self._stood, self._options = stands, []
        return self._found

    def options(self) -> Sequence[Option[Way | None]]:
        """All of them, to be shown; staying first."""
        found = self.found()
        if not self._options or not found:
            moved = (self._option(way) for way in found.values() if way.steps)
            self._options = [self._staying(), *moved]
        return self._options

    def named(self, raw: Json) -> Option[Way | None] | None:
        """The one that was meant, by its pose or by the steps that lead there."""
        said = without_own(raw, self._ship.seat)
        if said.lower() == STAY:
            return self._staying()
        if self._ship.at is None:
            return None
        try:
            end: object = Heading.read(said, self._position.table.facings)
        except ValueError:
            end = follow(self._position, self._ship.seat, said)
        way = self.found().get(end) if isinstance(end, Heading) else None
        if way is None:
            return None
        return self._option(way) if way.steps else self._staying()

    def _staying(self) -> Option[Way | None]:
        """No step at all; silence means it."""
        return Option(STAY, None, "Stay")

    def _option(self, way: Way) -> Option[Way | None]:
        name = self._position.named(way.end)
        return Option(name, way, name, {self._ship.piece: pose_of(way.end)})
