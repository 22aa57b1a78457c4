"""Where a ship or a piece of debris may end, as options of a question.  (HX-MOV, HX-DEB)

Options are listed when somebody looks, and anew when something on the map has moved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from companion.core.board import Piece, Pose
from companion.core.question import Option
from companion.games.dogfight_hex.move_refusals import STAY, follow
from companion.games.dogfight_hex.moves import Way, drifts, rams, way_to, ways
from companion.games.dogfight_hex.refusals import ram_in, without_own
from companion.games.dogfight_hex.seats import ship_named
from companion.kit.hexes import Heading, Hex, pose_of

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.games.dogfight_hex.position import DogfightHexPosition


class Drifted(NamedTuple):
    """Debris came to a space after so many steps, and ran from there into a ship, or into none."""

    space: Hex
    steps: int
    target: Seat | None = None


class DriftEnds:
    """The ends of debris that is under way: its steps and whether it has rammed are recorded."""

    def __init__(self, position: DogfightHexPosition, seat: Seat) -> None:
        self._position = position
        self._ship = position.ships[seat]

    def spaces(self) -> dict[Hex, int]:
        """Every space that is reached, with the fewest steps."""
        start = self._ship.debris
        if start is None:
            return {}
        position = self._position
        blocked = {*position.standing(), *position.debris(besides=self._ship.seat)}
        return drifts(position.table.board, start, blocked, position.steps)

    def options(self) -> Sequence[Option[Drifted]]:
        """Staying, every space, and every ram that the steps allow."""
        start, reached = self._ship.debris, self.spaces()
        stay = Drifted(start if start is not None else Hex(0, 0), 0)
        ends = (self._to(Drifted(s, steps)) for s, steps in reached.items() if s != start)
        shows = self._shows(start) if start is not None else None
        return [Option(STAY, stay, "Stay", shows), *ends, *self._rams(reached)]

    def _rams(self, reached: dict[Hex, int]) -> list[Option[Drifted]]:
        position = self._position
        if position.rammed:
            return []
        found = rams(position.table.board, reached, position.standing(), position.steps)
        return [self._ram(Drifted(ram.space, ram.steps, ram.target)) for ram in found]

    def named(self, raw: Json) -> Option[Drifted] | None:
        """The option that was meant; a ram without a space is one from where the debris lies."""
        said = without_own(raw, self._ship.seat)
        if (ram := ram_in(said)) is not None:
            said = f"{ram[0] or self._ship.debris} ram {ship_named(ram[1])}"
        names = {option.name.lower(): option for option in self.options()}
        return names.get(said.lower())

    def _to(self, end: Drifted) -> Option[Drifted]:
        name = str(end.space)
        return Option(name, end, name, self._shows(end.space))

    def _ram(self, end: Drifted) -> Option[Drifted]:
        """From the picture alone a ram cannot be told from lying beside the ship."""
        name = f"{end.space} ram {end.target}"
        group = f"Ram {self._position.names[end.target]}" if end.target is not None else ""
        label = f"{group} from {end.space}"
        return Option(name, end, label, self._shows(end.space), group=group)

    def _shows(self, space: Hex) -> dict[Piece, Pose]:
        return {self._ship.debris_piece: Pose(str(space))}


# Ships.


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
            moved = (way for way in found.values() if way.steps)
            self._options = [self._staying(), *self._moving(moved)]
        return self._options

    def named(self, raw: Json) -> Option[Way | None] | None:
        """The one that was meant, by its pose or by the steps that lead there."""
        said = without_own(raw, self._ship.seat)
        if said.lower() == STAY:
            return self._staying()
        ship, position = self._ship, self._position
        if ship.at is None:
            return None
        try:
            end: object = Heading.read(said, position.table.facings)
        except ValueError:
            end = follow(position, ship.seat, said)
        if not isinstance(end, Heading):
            return None
        blocked = position.blocked(ship.seat)
        way = way_to(position.table.board, ship.at, blocked, end, anchored=ship.anchored)
        if way is None:
            return None
        return next(self._moving([way])) if way.steps else self._staying()

    def _staying(self) -> Option[Way | None]:
        """No step at all; silence means it."""
        return Option(STAY, None, "Stay")

    def _moving(self, found: Iterable[Way]) -> Iterator[Option[Way | None]]:
        piece, facings = self._ship.piece, self._position.table.facings
        for way in found:
            name = way.end.name(facings)
            yield Option(name, way, name, {piece: pose_of(way.end)})
