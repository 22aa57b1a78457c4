"""Finger: the one that is down, and the edge that fills while it holds."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from kivy.graphics import Color, InstructionGroup, SmoothLine

from ui.theme import Colour, Reach
from ui.widgets.box import Box
from ui.widgets.pen import Pen
from ui.widgets.raster import Point, rounded


class Finger:
    """On which part and where (u), since when (s), and the edge it has filled so far."""

    def __init__(self, name: str, point: Point, down_at: float) -> None:
        self.name = name
        self.point = point
        self.down_at = down_at
        self.edge = InstructionGroup()
        self.timer: Any = None

    def draw_edge(self, pen: Pen, box: Box, share: float) -> None:
        """The part of the outline that has been held, clockwise from the middle of the top."""
        self.edge.clear()
        outline = rounded((box.wide, box.high), Reach.RADIUS, inset=2.5)
        path = first_part([*outline, outline[0]], share)
        if len(path) < 2:
            return
        unit, high_px = pen.theme.unit_px, pen.theme.size_px[1]
        points = [(box.x + x, box.y + y) for x, y in path]
        flat = [length for x, y in points for length in (x * unit, high_px - y * unit)]
        self.edge.add(Color(*pen.colour(Colour.BAD)))
        self.edge.add(SmoothLine(points=flat, width=pen.px(2.5)))


def first_part(path: list[Point], share: float) -> list[Point]:
    """The first `share` (0 to 1) of a path, by length.

    >>> first_part([(0, 0), (10, 0), (10, 10)], 0.75)
    [(0, 0), (10, 0), (10.0, 5.0)]
    """
    sides = list(pairwise(path))
    left = share * sum(math.dist(start, end) for start, end in sides)
    kept = [path[0]]
    for start, end in sides:
        length = math.dist(start, end)
        if length > left:
            part = left / length
            step = ((end[0] - start[0]) * part, (end[1] - start[1]) * part)
            return [*kept, (start[0] + step[0], start[1] + step[1])]
        kept.append(end)
        left -= length
    return kept
