"""What hands do at the drawn table, frame by frame: come in, act or rest, leave."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from companion.core.board import PointMm
from vision.drawing.hand import HandAt


class Edge(StrEnum):
    """The edge of the picture from which a hand reaches in."""

    NEAR = "near"
    FAR = "far"
    LEFT = "left"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Pace:
    """How many frames each part of a gesture takes."""

    approach: int = 8
    dwell: int = 3
    carry: int = 8
    withdraw: int = 7
    halt: int = 0
    """How long what is carried is held still in the air, halfway."""


Gesture = Iterator[HandAt | None]
"""One value a frame: where the hand is, None while none is in the picture."""

_ARMS: dict[Edge, PointMm] = {
    Edge.NEAR: (0.0, 1.0),
    Edge.FAR: (0.0, -1.0),
    Edge.LEFT: (-1.0, 0.0),
    Edge.RIGHT: (1.0, 0.0),
}


@dataclass(frozen=True, slots=True)
class DrawnArm:
    """An arm over the table: a unit vector from the fingertips towards the elbow.

    `length_mm` back along it, a hand is out of the picture, shadow and all.
    """

    direction: PointMm
    length_mm: float

    def outside(self, tip_mm: PointMm) -> PointMm:
        """Where the fingertips are when the hand has left."""
        (x, y), (dx, dy) = tip_mm, self.direction
        return (x + self.length_mm * dx, y + self.length_mm * dy)


def arm_from(edge: Edge, slant: float, length_mm: float) -> DrawnArm:
    """An arm that comes from an edge, turned by `slant` radians."""
    x, y = _ARMS[edge]
    cos, sin = math.cos(slant), math.sin(slant)
    return DrawnArm((cos * x - sin * y, sin * x + cos * y), length_mm)


SHEET_MM = 210.0
"""How wide a sheet of paper is."""


def sheet_over(tip_mm: PointMm, edge: Edge, length_mm: float) -> list[PointMm]:
    """The corners of a sheet from a point on the table to beyond one edge of the picture."""
    (x, y), (dx, dy) = tip_mm, _ARMS[edge]
    half_x, half_y = -dy * SHEET_MM / 2, dx * SHEET_MM / 2
    out_x, out_y = x + dx * length_mm, y + dy * length_mm
    ends = ((x, y, -1), (x, y, 1), (out_x, out_y, 1), (out_x, out_y, -1))
    return [(at_x + side * half_x, at_y + side * half_y) for at_x, at_y, side in ends]


def reach(
    at: DrawnArm, tip_mm: PointMm, dwell: int, act: Callable[[], None] | None, pace: Pace
) -> Gesture:
    """A hand comes to a point, stays for `dwell` frames, acts halfway through, and leaves."""
    yield from _glide(at, at.outside(tip_mm), tip_mm, pace.approach)
    for n in range(max(1, dwell)):
        if n == dwell // 2 and act is not None:
            act()
        yield HandAt(tip_mm, at.direction)
    yield from _glide(at, tip_mm, at.outside(tip_mm), pace.withdraw)


def carry(
    at: DrawnArm,
    start_mm: PointMm,
    goal_mm: PointMm,
    hold: Callable[[PointMm | None], None],
    pace: Pace,
) -> Gesture:
    """A hand takes what stands at one point and sets it down at another.

    `hold` is told at each frame of the way where the thing is; None when it is let go.
    """
    yield from _glide(at, at.outside(start_mm), start_mm, pace.approach)
    yield from (HandAt(start_mm, at.direction) for _ in range(pace.dwell))
    for n, place in enumerate(_glide(at, start_mm, goal_mm, pace.carry)):
        for _ in range(1 + pace.halt * (n == pace.carry // 2)):
            hold(place.tip_mm)
            yield place
    hold(None)
    yield from (HandAt(goal_mm, at.direction) for _ in range(pace.dwell))
    yield from _glide(at, goal_mm, at.outside(goal_mm), pace.withdraw)


def _glide(at: DrawnArm, start: PointMm, goal: PointMm, frames: int) -> Iterator[HandAt]:
    """From one point to another, slow at both ends as hands move; the last frame is at the goal."""
    for n in range(1, frames + 1):
        share = (1 - math.cos(math.pi * n / frames)) / 2
        x = start[0] + (goal[0] - start[0]) * share
        y = start[1] + (goal[1] - start[1]) * share
        yield HandAt((x, y), at.direction)
