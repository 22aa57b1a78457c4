"""Where a ship may come to stand, by which steps, or why not.  (HX-MOV-02 to HX-MOV-07)

The camera sees where a ship ends, never its path, and nothing happens on the way. So a movement is
judged by its end: legal is what the fewest steps that lead there allow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.games.dogfight_hex.layout import MOVE_STEPS
from companion.hexes import CENTER, LEFT, RIGHT, STEPS, Heading, Hex, HexMap

SIDES: Mapping[str, int] = {"ahead": CENTER, "left": LEFT, "right": RIGHT}
"""The three arrows of a ship token, by name.  (HX-MAT-02)"""


class Way(NamedTuple):
    """One way to a pose: every pose on it, where it began left out."""

    poses: tuple[Heading, ...]

    @property
    def steps(self) -> int:
        """How many steps it takes."""
        return len(self.poses)

    def told(self, start: Heading, names: Sequence[str]) -> str:
        """Its steps in words: "ahead, turn E, left"."""
        words: list[str] = []
        for pose in self.poses:
            words.append(_step_words(start, pose, names))
            start = pose
        return ", ".join(words)


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
    if not anchored:
        for side in SIDES.values():
            end = entered(ship, side)
            if end.hex in board and end.hex not in blocked:
                yield end
    for turn in range(1, len(STEPS)):
        yield ship.turned(turn)


def ways(
    board: HexMap,
    start: Heading,
    blocked: Collection[Hex],
    *,
    anchored: bool = False,
    most: int | None = MOVE_STEPS,
) -> dict[Heading, Way]:
    """Every pose that can be reached, each with a shortest way; `most` None: however long.

    >>> from companion.hexes import hexagon
    >>> open_sea = HexMap(hexagon(5))
    >>> [len(ways(open_sea, Heading(Hex(0, 0), 2), (), most=n)) for n in range(5)]
    [1, 9, 38, 98, 194]
    """
    found = {start: Way(())}
    edge = [start]
    while edge and (most is None or found[edge[0]].steps < most):
        beyond: list[Heading] = []
        for here in edge:
            for there in one_step(board, here, blocked, anchored=anchored):
                if there not in found:
                    found[there] = Way((*found[here].poses, there))
                    beyond.append(there)
        edge = beyond
    return found
