"""The spaces of one board, asked all at once how far inside each of them a point lies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.board import Board, PointMm, Space


class Spaces:
    """One board's spaces as the straight lines round them.

    A space with fewer corners than another repeats its first side, which changes nothing.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> plan = board_plan()
    >>> spaces = Spaces(plan.board("Paws Gunner View"))
    >>> spaces.nearest(plan.spaces["Paws.GR"].centre_mm, 1)
    [('Paws.GR', 28.0)]
    """

    def __init__(self, board: Board) -> None:
        self.names = tuple(space.name for space in board.spaces)
        most = max((len(space.outline_mm) for space in board.spaces), default=0)
        sides = [_sides(space, most) for space in board.spaces]
        self._sides: NDArray[np.float64] = np.array(sides).reshape(len(sides), most, 3)

    def nearest(self, point: PointMm, most: int) -> list[tuple[str, float]]:
        """Up to so many spaces and how far inside each the point lies, mm; the deepest first."""
        return self.nearest_of(np.array([point]), most)[0]

    def nearest_of(self, points: NDArray[np.float64], most: int) -> list[list[tuple[str, float]]]:
        """Likewise for each of some points, [n, 2]."""
        if not self.names:
            return [[] for _ in points]
        full = np.column_stack([points, np.ones(len(points))])
        inside_mm = (self._sides @ full.T).min(axis=1)
        order = np.argsort(-inside_mm, axis=0, kind="stable")[:most]
        deepest = np.take_along_axis(inside_mm, order, axis=0)
        return [
            [(self.names[at], deep) for at, deep in zip(places, depths, strict=True)]
            for places, depths in zip(order.T.tolist(), deepest.T.tolist(), strict=True)
        ]


def _sides(space: Space, sides: int) -> list[tuple[float, float, float]]:
    """For each side (a, b, c): a x + b y + c is how far inside of it a point lies, mm."""
    corners = np.array(space.outline_mm, np.float64)
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.hypot(*along.T)[:, None]
    inward = np.column_stack([-along[:, 1], along[:, 0]])
    off = -(inward * corners).sum(axis=1)
    if inward[0] @ corners.mean(axis=0) + off[0] < 0:  # the outline runs the other way round
        inward, off = -inward, -off
    lines: Sequence[tuple[float, float, float]] = np.column_stack([inward, off]).tolist()
    return [*lines, *[lines[0]] * (sides - len(lines))]
