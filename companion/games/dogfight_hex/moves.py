"""Where a ship may come to stand, by which steps, or why not.  (HX-MOV-02 to HX-MOV-07)

The camera sees where a ship ends, never its path, and nothing happens on the way. So a movement is
judged by its end: legal is what the fewest steps that lead there allow.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.games.dogfight_hex.layout import MOVE_STEPS
from companion.kit.hexes import CENTER, LEFT, RIGHT, Heading, Hex, HexMap

SIDES: Mapping[str, int] = {"ahead": CENTER, "left": LEFT, "right": RIGHT}
"""The three arrows of a ship token, by name.  (HX-MAT-02)"""


class Way(NamedTuple):
    """One way to a pose: the last step of it, and the way before (None: the ship has not moved)."""

    end: Heading
    before: Way | None
    steps: int

    @property
    def poses(self) -> tuple[Heading, ...]:
        """Every pose on it, where it began first."""
        return (*(self.before.poses if self.before is not None else ()), self.end)

    def told(self, names: Sequence[str]) -> str:
        """Its steps in words: "ahead, turn E, left"."""
        poses = self.poses
        pairs = itertools.pairwise(poses)
        return ", ".join(_step_words(start, end, names) for start, end in pairs)


def _step_words(start: Heading, end: Heading, names: Sequence[str]) -> str:
    if start.hex == end.hex:
        return f"turn {names[end.facing]}"
    return next(word for word, side in SIDES.items() if entered(start, side) == end)


def entered(ship: Heading, side: int) -> Heading:
    """One step along one of the arrows; the heading stays.  (HX-MOV-03, RULING 9)

    >>> entered(Heading(Hex(0, 0), 0), LEFT)
    Heading(hex=Hex(q=-1, r=0), facing=0)
    """
    return Heading(ship.hex.ahead(ship.facing + side), ship.facing)


def one_step(
    board: HexMap, ship: Heading, blocked: Collection[Hex], *, anchored: bool = False
) -> Iterator[Heading]:
    """Every pose one step away: along the arrows, then turned on the spot.  (HX-MOV-03 to 07)"""
    along, turned = _onward(board, ship)
    if not anchored:
        yield from (end for end in along if end.hex not in blocked)
    yield from turned


@lru_cache(maxsize=8192)
def _onward(board: HexMap, ship: Heading) -> tuple[tuple[Heading, ...], tuple[Heading, ...]]:
    """What lies along a ship's arrows, and the ways it may be turned, whoever stands there.

    Made once a pose and map: all that is asked of a movement goes through here.
    """
    here, facing = ship
    near = (board.beside[here][(facing + side) % 6] for side in SIDES.values())
    along = tuple(Heading(space, facing) for space in near if space is not None)
    return along, tuple(Heading(here, (facing + turn) % 6) for turn in range(1, 6))


def ways(
    board: HexMap,
    start: Heading,
    blocked: Collection[Hex],
    *,
    anchored: bool = False,
    most: int | None = MOVE_STEPS,
) -> dict[Heading, Way]:
    """Every pose that can be reached, each with a shortest way; `most` None: however long.

    >>> from companion.kit.hexes import hexagon
    >>> open_sea = HexMap(hexagon(5))
    >>> [len(ways(open_sea, Heading(Hex(0, 0), 2), (), most=n)) for n in range(5)]
    [1, 9, 38, 98, 194]
    """
    found = {start: Way(start, None, 0)}
    edge = [found[start]]
    while edge and (most is None or edge[0].steps < most):
        beyond: list[Way] = []
        for way in edge:
            for end in one_step(board, way.end, blocked, anchored=anchored):
                if end not in found:
                    found[end] = one = Way(end, way, way.steps + 1)
                    beyond.append(one)
        edge = beyond
    return found
