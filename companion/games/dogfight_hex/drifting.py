"""Where debris may drift, and which ships it may ram on the way.  (HX-DEB-01, HX-DEB-03, 04)"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from companion.core.ruling import Seat
from companion.kit.hexes import Hex, HexMap


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
