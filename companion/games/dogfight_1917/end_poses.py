"""The end poses of one card, listed when somebody looks, anew when something on the board moved."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.question import Option
from companion.games.dogfight_1917.flight import Arrival, Readings, arrival_at, arrivals
from companion.kit.hexes import Heading, pose_of

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.cards import Maneuver
    from companion.games.dogfight_1917.player import Player
    from companion.games.dogfight_1917.position import Dogfight1917Position


class EndPoses:
    """Where one player's card may end, as options of a question.  (DF-9.6)"""

    def __init__(self, position: Dogfight1917Position, player: Player, card: Maneuver) -> None:
        self._position = position
        self._player = player
        self._card = card
        self._stood: object = None
        self._found: Mapping[Heading, Arrival] = {}
        self._options: list[Option[Arrival]] = []

    def found(self) -> Mapping[Heading, Arrival]:
        """Every legal end pose, by where it is."""
        occupied = self._position.occupied(self._player.seat)
        stands = (self._player.plane, occupied)
        if stands != self._stood:
            board, readings = self._position.table.board, Readings.of(self._position.house)
            self._found = arrivals(board, self._player.at, self._card, occupied, readings)
            self._stood, self._options = stands, []
        return self._found

    def options(self) -> Sequence[Option[Arrival]]:
        """All of them, to be shown."""
        found = self.found()
        if not self._options:
            self._options = [self._option(arrival) for arrival in found.values()]
        return self._options

    def named(self, raw: Json) -> Option[Arrival] | None:
        """The one of that very name, without listing the others."""
        try:
            end = Heading.read(str(raw))
        except ValueError:
            return None
        position, player = self._position, self._player
        if end.hex in position.occupied(player.seat):
            return None
        readings = Readings.of(position.house)
        arrival = arrival_at(position.table.board, player.at, self._card, end, readings)
        return self._option(arrival) if arrival is not None else None

    def _option(self, arrival: Arrival) -> Option[Arrival]:
        name = arrival.end.name()
        return Option(name, arrival, name, {self._player.piece: pose_of(arrival.end)})


def option_at(raw: Json, options: Iterable[Option[Heading]]) -> Option[Heading] | None:
    """The option of a few that stands where a name says, however its blanks are set."""
    try:
        wanted = Heading.read(str(raw))
    except ValueError:
        return None
    return next((option for option in options if option.value == wanted), None)
