"""The map that squares make together: distances, reach and lines of sight.  (SE-SET-02, RULING 3)

Without a map file the players say themselves what is in range and where a vessel may go.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from companion.kit.hexes import STEPS as HEX_STEPS

Spot = tuple[int, int]
"""Column and row from the top left of a square map, or q and r of a hex map."""

STRAIGHT = ((0, -1), (1, 0), (0, 1), (-1, 0))
DIAGONAL = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
SQUARE_HEADINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
HEX_HEADINGS = ("NW", "NE", "E", "SE", "SW", "W")
_HAIR = 1e-6
"""A line that only touches a corner is not stopped there."""


def name_of(spot: Spot) -> str:
    """A space as it is called.

    >>> name_of((3, 4))
    '3,4'
    """
    return f"{spot[0]},{spot[1]}"


def read_spot(raw: object) -> Spot:
    """The space of that name; ValueError if it is none.

    >>> read_spot(" 3, 4")
    (3, 4)
    """
    column, _, row = str(raw).partition(",")
    try:
        return (int(column), int(row))
    except ValueError:
        raise ValueError(f"{raw!r} names no space; spaces go as 3,4 [RULING 3]") from None


@dataclass(frozen=True, eq=False)
class StarMap:
    """Every space of the map; `starts` has the letters, `blocked` the obstructions.

    `is_hex` tells the grid, `diagonal` whether a diagonal step of squares counts as one,
    `has_headings` whether a camera is to read which way a vessel points.
    """

    spaces: frozenset[Spot]
    blocked: frozenset[Spot]
    starts: Mapping[Spot, str]
    is_hex: bool = False
    diagonal: bool = True
    has_headings: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """What the headings are called, clockwise from heading 0."""
        return HEX_HEADINGS if self.is_hex else SQUARE_HEADINGS

    @cached_property
    def steps(self) -> tuple[Spot, ...]:
        """What one step may add to a space."""
        if self.is_hex:
            return HEX_STEPS
        return DIAGONAL if self.diagonal else STRAIGHT

    @cached_property
    def start_names(self) -> Mapping[str, Spot]:
        """Each start space by its letter, with the space where a letter stands twice."""
        letters = list(self.starts.values())
        return {
            letter if letters.count(letter) == 1 else f"{letter} {name_of(spot)}": spot
            for spot, letter in sorted(self.starts.items(), key=lambda start: (start[1], start[0]))
        }

    def distance(self, one: Spot, other: Spot) -> int:
        """How many spaces away another lies; 0 is the own one.

        >>> StarMap(frozenset(), frozenset(), {}).distance((1, 1), (4, 3))
        3
        """
        across, down = other[0] - one[0], other[1] - one[1]
        if self.is_hex:
            return (abs(across) + abs(down) + abs(across + down)) // 2
        if self.diagonal:
            return max(abs(across), abs(down))
        return abs(across) + abs(down)

    def reach(self, start: Spot, most: int) -> Mapping[Spot, int]:
        """Every space that so many steps lead to, round obstructions, with the fewest steps."""
        found, edge = {start: 0}, [start]
        for step in range(1, most + 1):
            edge = [
                spot
                for spot in dict.fromkeys(near for at in edge for near in self._beside(at))
                if spot not in found
            ]
            found.update(dict.fromkeys(edge, step))
        return found

    def _beside(self, spot: Spot) -> Iterator[Spot]:
        for across, down in self.steps:
            near = (spot[0] + across, spot[1] + down)
            if near in self.spaces and near not in self.blocked:
                yield near

    def sees(self, one: Spot, other: Spot) -> bool:
        """Whether the line between the middles of two spaces crosses no obstruction.

        A line along an edge, or through a corner, is free.
        """
        return not any(self._crosses(one, other, spot) for spot in self.blocked - {one, other})

    def _crosses(self, one: Spot, other: Spot, blocked: Spot) -> bool:
        """Whether a line goes through the inside of a space: by clipping it at each edge."""
        (ax, ay), (bx, by) = self.middle(one), self.middle(other)
        mx, my = self.middle(blocked)
        enters, leaves = 0.0, 1.0
        for nx, ny, reach in self._edges:
            start = nx * (ax - mx) + ny * (ay - my) - reach
            slope = nx * (bx - ax) + ny * (by - ay)
            if abs(slope) < _HAIR:
                if start > -_HAIR:
                    return False
            elif slope > 0:
                leaves = min(leaves, -start / slope)
            else:
                enters = max(enters, -start / slope)
        return leaves - enters > _HAIR

    @cached_property
    def _edges(self) -> tuple[tuple[float, float, float], ...]:
        """Each side of a space: its outward direction, and how far it lies from the middle."""
        if self.is_hex:
            root = 3.0**0.5
            return tuple(
                (x, y, root / 2)
                for x, y in ((1.0, 0.0), (0.5, root / 2), (-0.5, root / 2),
                             (-1.0, 0.0), (-0.5, -root / 2), (0.5, -root / 2))
            )  # fmt: skip
        return ((1.0, 0.0, 0.5), (-1.0, 0.0, 0.5), (0.0, 1.0, 0.5), (0.0, -1.0, 0.5))

    def middle(self, spot: Spot) -> tuple[float, float]:
        """The middle of a space: squares of side 1, hexes (a corner on top) of side 1."""
        if not self.is_hex:
            return (float(spot[0]), float(spot[1]))
        return (3.0**0.5 * (spot[0] + spot[1] / 2.0), 1.5 * spot[1])

    def apart(self) -> Collection[Spot]:
        """Free spaces that no way leads to from a start; a vessel there could never leave."""
        free = self.spaces - self.blocked
        if not self.starts or not free:
            return ()
        return free - set(self.reach(min(self.starts), len(free)))
