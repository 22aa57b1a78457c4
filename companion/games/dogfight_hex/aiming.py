"""The three shapes of attack, as spaces on the map.  (HX-ATK-02 to HX-ATK-05)"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from companion.core.ruling import Seat
from companion.games.dogfight_hex.layout import MEDIUM_RANGE, SHORT_RADIUS
from companion.kit.hexes import CENTER, LEFT, RIGHT, Heading, Hex, HexMap

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


def in_front(ship: Heading, target: Hex, shape: Collection[Hex]) -> bool:
    """Whether a space lies in a shape that is drawn for 0,0 and facing 0."""
    away = Hex(target.q - ship.hex.q, target.r - ship.hex.r)
    return away.turned(-ship.facing) in shape


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
        space, stopped = ship.hex.ahead(ship.facing + side), None
        while space in board and stopped is None:
            hits += standing.get(space, ())
            stopped = space if space in blocked else None
            space = space.ahead(ship.facing + side)
        yield Beam(name, tuple(hits), stopped)
