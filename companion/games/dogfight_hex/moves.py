"""Arithmetic on the map: how ships move, how debris drifts and rams, what an attack covers.

The camera sees where a ship ends, never its path, and nothing happens on the way. So a movement is
judged by its end: legal is what the fewest steps that lead there allow.  (HX-MOV-02 to HX-MOV-07)
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, takewhile
from typing import NamedTuple

from companion.core.ruling import Seat
from companion.games.dogfight_hex.seats import MEDIUM_RANGE, MOVE_STEPS, SHORT_RADIUS
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
    board: HexMap,
    ship: Heading,
    blocked: Collection[Hex],
    *,
    anchored: bool = False,
    turns: bool = True,
) -> list[Heading]:
    """Every pose one step away: along the arrows, then turned on the spot.  (HX-MOV-03 to 07)

    Without `turns` of a ship that was just turned: to turn it again leads nowhere new.
    """
    along, turned = _onward(board, ship)
    ends = [] if anchored else [end for end in along if end.hex not in blocked]
    if turns:
        ends += turned
    return ends


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
    return {way.end: way for way in _spread(board, start, blocked, anchored=anchored, most=most)}


def way_to(
    board: HexMap,
    start: Heading,
    blocked: Collection[Hex],
    end: Heading,
    *,
    anchored: bool = False,
    most: int | None = MOVE_STEPS,
) -> Way | None:
    """What `ways` has of one pose, where nobody wants the others; None if it cannot be reached."""
    spread = _spread(board, start, blocked, anchored=anchored, most=most)
    return next((way for way in spread if way.end == end), None)


def _spread(
    board: HexMap,
    start: Heading,
    blocked: Collection[Hex],
    *,
    anchored: bool,
    most: int | None,
) -> Iterator[Way]:
    """A shortest way to each pose, the nearest poses first."""
    edge, found = [Way(start, None, 0)], {start}
    yield edge[0]
    while edge and (most is None or edge[0].steps < most):
        beyond: list[Way] = []
        for way in edge:
            turns = way.before is None or way.before.end.hex != way.end.hex
            for end in one_step(board, way.end, blocked, anchored=anchored, turns=turns):
                if end not in found:
                    found.add(end)
                    reached = Way(end, way, way.steps + 1)
                    beyond.append(reached)
                    yield reached
        edge = beyond


# Drifting debris, and the ships that it may ram.  (HX-DEB-01, HX-DEB-03, 04)


def drifts(board: HexMap, start: Hex, blocked: Collection[Hex], most: int) -> dict[Hex, int]:
    """Every space that debris reaches, with the fewest steps, the one it lies on among them.

    `blocked` are the spaces of ships and of other debris; wreckage does not block it.
    """
    found = {start: 0}
    edge = [start]
    for steps in range(1, most + 1):
        beyond: list[Hex] = []
        for space in edge:
            for near in board.beside[space]:
                if near is not None and near not in blocked and near not in found:
                    found[near] = steps
                    beyond.append(near)
        edge = beyond
    return found


class Ram(NamedTuple):
    """Debris runs into a ship: from which space, and after how many steps, the ram among them."""

    space: Hex
    target: Seat
    steps: int


def rams(
    board: HexMap, reached: Mapping[Hex, int], standing: Mapping[Hex, Seat], most: int
) -> Iterator[Ram]:
    """Every ram that the steps allow, from every space that is reached.  (RULING 23)"""
    for space, steps in reached.items():
        if steps < most:
            for near in board.beside[space]:
                if near is not None and near in standing:
                    yield Ram(space, standing[near], steps + 1)


# The three shapes of attack.  (HX-ATK-02 to HX-ATK-05)

BEAMS = {"left": LEFT, "ahead": CENTER, "right": RIGHT}
"""The three beams by name, with what they add to the facing.  (RULING 12)"""

Standing = dict[Hex, list[Seat]]
"""The living ships by the space they stand on; two share one only by house rule.  (RULING 23)"""


def front_cone() -> frozenset[Hex]:
    """What lies in front of a ship on 0,0 with facing 0: between the outer arrows.  (RULING 11)

    >>> len(front_cone()), Hex(0, -4) in front_cone(), Hex(1, 0) in front_cone()
    (24, True, False)
    """
    reach = range(MEDIUM_RANGE + 1)
    return frozenset(Hex(b - a, -b) for a in reach for b in reach if (a, b) != (0, 0))


def front_rays() -> frozenset[Hex]:
    """Only the straight lines along the three arrows.  (RULING 11)"""
    reach = range(1, MEDIUM_RANGE + 1)
    return frozenset(Hex(0, 0).ahead(side, spaces) for side in BEAMS.values() for spaces in reach)


def in_front(ship: Heading, target: Hex, shape: frozenset[Hex]) -> bool:
    """Whether a space lies in a shape that is drawn for 0,0 and facing 0."""
    (q, r), facing = ship
    return (target.q - q, target.r - r) in _turned(shape, facing)


@lru_cache(maxsize=64)
def _turned(shape: frozenset[Hex], facing: int) -> frozenset[Hex]:
    return frozenset(space.turned(facing) for space in shape)


def in_short_range(ship: Heading, target: Hex) -> bool:
    """Whether a short-range attack reaches that far, whatever the heading.  (HX-ATK-02)"""
    return ship.hex.distance(target) <= SHORT_RADIUS


class Beam(NamedTuple):
    """One line of a long-range attack: whom it hits, and the space that stopped it, if one did."""

    name: str
    hits: tuple[Seat, ...]
    stopped: Hex | None


def beams(
    board: HexMap, ship: Heading, standing: Standing, blocked: Collection[Hex]
) -> Iterator[Beam]:
    """The three beams of a ship to the edge of the map.  (HX-ATK-04, HX-ATK-05, RULING 12)

    `blocked` are the spaces with wreckage or debris; ships never block.
    """
    for name, side in BEAMS.items():
        hits: list[Seat] = []
        stopped: Hex | None = None
        for space in _line(board, ship.hex, (ship.facing + side) % 6):
            hits += standing.get(space, ())
            if space in blocked:
                stopped = space
                break
        yield Beam(name, tuple(hits), stopped)


@lru_cache(maxsize=8192)
def _line(board: HexMap, start: Hex, facing: int) -> tuple[Hex, ...]:
    """The spaces from one to the edge of the map, the nearest first."""
    ahead = (start.ahead(facing, spaces) for spaces in count(1))
    return tuple(takewhile(board.__contains__, ahead))
