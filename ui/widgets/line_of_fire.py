"""Who fires at whom on the map: a dotted line between them, a ring round the target."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ui.presenters.map import MapFire
from ui.theme import Colour
from ui.widgets.box import Box
from ui.widgets.map_parts import MapFrame
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.raster import Disc, Point, Stroke

_LINE_WIDE = 3.0
_DOT, _GAP = 0.5, 8.0
_RING = 0.62
"""The ring's radius, in heights of the target."""
_REACH_HIGH = 24.0


@dataclass(frozen=True, kw_only=True)
class FirePart(Part):
    """One line of fire, from the edge of the attacker to the ring round the target."""

    start: Point
    end: Point
    radius: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        frame = (self.box.wide, self.box.high)
        start, end = self._local(self.start), self._local(self.end)
        far = math.dist(start, end)
        pen.shapes(self.box, (Disc(end, self.radius, 2.2),), frame, Colour.INK)
        if far > 2 * self.radius:
            line = (
                _between(start, end, self.radius / far),
                _between(end, start, self.radius / far),
            )
            dots = Stroke(line, _LINE_WIDE, dash=_DOT, gap=_GAP)
            pen.shapes(self.box, (dots,), frame, Colour.INK)

    def _local(self, point: Point) -> Point:
        return (point[0] - self.box.x, point[1] - self.box.y)


@dataclass(frozen=True, kw_only=True)
class ReachPart(Part):
    """How far the attack goes, in the book's words."""

    words: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.LAND, 5)
        pen.text(self.words, self.box.inset(4), 15, Colour.INK)


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def lines_of_fire(
    frame: MapFrame, fires: Sequence[MapFire], side: float
) -> Iterator[tuple[str, Part]]:
    """The lines of all attacks under way; `side` is how large the pieces are drawn, u."""
    radius = side * _RING
    for n, fire in enumerate(fires):
        start, end = frame.point(fire.start_mm), frame.point(fire.end_mm)
        xs, ys = (start[0], end[0]), (start[1], end[1])
        box = Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(radius + 3)
        yield f"map/fire/{n}", FirePart(box=box, start=start, end=end, radius=radius)


def reach_of(
    land: Box, fires: Sequence[MapFire], taken: Mapping[str, Box]
) -> Iterator[tuple[str, Part]]:
    """The reach of the only attack, in the first corner from the left top one on that is free."""
    if len(fires) != 1 or not fires[0].reach:
        return
    words = fires[0].reach.capitalize()
    wide = 10.0 * len(words) + 8
    xs, ys = (land.x + 6, land.right - wide - 6), (land.y + 6, land.bottom - _REACH_HIGH - 6)
    corners = [Box(x, y, wide, _REACH_HIGH) for y in ys for x in xs]
    free = (
        box for box in corners if not any(box.meets(other, slack=3) for other in taken.values())
    )
    box = next(free, None)
    if box is not None:
        yield "map/reach", ReachPart(box=box, words=words)
