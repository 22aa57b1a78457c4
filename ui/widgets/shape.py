"""Shapes drawn as smooth masks, and the drawings of planes, ships and tokens made of them.

A mask is drawn once, at the very size it is shown at. Kivy's multisampling does nothing off-screen
and its thick lines have rough edges; a mask drawn eight times too large and averaged is smooth
everywhere, and one rectangle to the graphics card. Shapes live in a frame of their own (usually 100
x 100, y down) that is stretched onto the mask.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import cv2
import numpy as np
import numpy.typing as npt

Point = tuple[float, float]
Mask = npt.NDArray[np.uint8]

_FINE, _LARGE_PX = 4, 1 << 15
"""How many times too large a mask is drawn, each way, before averaging: half so many from so
many pixels on."""

_SHIFT = 4
"""Fraction bits of OpenCV's drawing coordinates."""


@dataclass(frozen=True, slots=True)
class Solid:
    """A filled outline; `cut` takes it away from what was drawn before."""

    points: tuple[Point, ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line of a width with round ends; `dash` and `gap` along it when it is dashed."""

    points: tuple[Point, ...]
    width: float
    closed: bool = False
    dash: float = 0.0
    gap: float = 0.0
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Disc:
    """A filled circle, or with `width` a ring whose middle line has that radius."""

    centre: Point
    radius: float
    width: float = 0.0
    cut: bool = False


Shape = Solid | Stroke | Disc


def mask(shapes: Iterable[Shape], frame: tuple[float, float], size_px: tuple[int, int]) -> Mask:
    """Opacity 0-255 of each pixel, rows from the top: height x width."""
    wide, high = size_px
    fine = _FINE if wide * high < _LARGE_PX else _FINE // 2  # a map's outlines are smooth enough
    canvas = np.zeros((high * fine, wide * fine), np.uint8)
    scale = (wide * fine / frame[0], high * fine / frame[1])
    for shape in shapes:
        _draw(canvas, shape, scale)
    small = cv2.resize(canvas, (wide, high), interpolation=cv2.INTER_AREA)
    return small.astype(np.uint8, copy=False)


def turned(shapes: Sequence[Shape], degrees: float) -> tuple[Shape, ...]:
    """Shapes of a 100 x 100 frame turned clockwise about its middle."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))

    def place(point: Point) -> Point:
        x, y = point[0] - 50, point[1] - 50
        return (50 + cos * x - sin * y, 50 + sin * x + cos * y)

    return tuple(
        replace(shape, centre=place(shape.centre))
        if isinstance(shape, Disc)
        else replace(shape, points=tuple(place(point) for point in shape.points))
        for shape in shapes
    )


@lru_cache(maxsize=64)
def borders(
    shapes: tuple[Shape, ...], frame: tuple[float, float], size_px: tuple[int, int]
) -> tuple[tuple[Point, ...], ...]:
    """The outlines of the silhouette that these shapes make together, in pixels."""
    return outline(mask(shapes, frame, size_px))


def outline(source: Mask) -> tuple[tuple[Point, ...], ...]:
    """The outer borders of a mask, in its own pixels: for ghosts of any silhouette."""
    found, _ = cv2.findContours(
        (source > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    return tuple(tuple((float(x), float(y)) for x, y in border[:, 0, :]) for border in found)


@lru_cache(maxsize=512)
def rounded(size: tuple[float, float], radius: float, inset: float = 0.0) -> tuple[Point, ...]:
    """The outline of a rectangle with round corners, clockwise from the middle of its top."""
    left, top = inset, inset
    right, bottom = size[0] - inset, size[1] - inset
    radius = max(0.0, min(radius - inset, (right - left) / 2, (bottom - top) / 2))
    corners = (
        (right - radius, top + radius, -90),
        (right - radius, bottom - radius, 0),
        (left + radius, bottom - radius, 90),
        (left + radius, top + radius, 180),
    )
    points: list[Point] = [((left + right) / 2, top)]
    for x, y, first in corners:
        points += arc((x, y), radius, first, first + 90, steps=10)
    return tuple(points)


def arc(
    centre: Point, radius: float, first_deg: float, last_deg: float, steps: int = 24
) -> tuple[Point, ...]:
    """Points on a circle, clockwise on the screen from `first_deg` (0 points right)."""
    turns = [first_deg + (last_deg - first_deg) * n / steps for n in range(steps + 1)]
    return tuple(
        (
            centre[0] + radius * math.cos(math.radians(turn)),
            centre[1] + radius * math.sin(math.radians(turn)),
        )
        for turn in turns
    )


def dashes(
    points: Sequence[Point], dash: float, gap: float, *, closed: bool
) -> list[tuple[Point, ...]]:
    """A line cut into dashes, measured along it."""
    path = [*points, points[0]] if closed else list(points)
    pieces: list[tuple[Point, ...]] = []
    current: list[Point] = [path[0]]
    drawn, left = True, dash
    for start, end in pairwise(path):
        length = math.dist(start, end)
        at = 0.0
        while length - at > left:
            at += left
            point = _between(start, end, at / length)
            if drawn:
                pieces.append((*current, point))
            drawn = not drawn
            current, left = [point], dash if drawn else gap
        left -= length - at
        current.append(end)
    if drawn and len(current) > 1:
        pieces.append(tuple(current))
    return pieces


def _between(start: Point, end: Point, part: float) -> Point:
    return (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)


def _draw(canvas: Mask, shape: Shape, scale: tuple[float, float]) -> None:
    colour = 0 if shape.cut else 255
    if isinstance(shape, Solid):
        cv2.fillPoly(canvas, [_fixed(shape.points, scale)], colour, cv2.LINE_AA, _SHIFT)
    elif isinstance(shape, Disc):
        _draw_disc(canvas, shape, scale, colour)
    else:
        _draw_stroke(canvas, shape, scale, colour)


def _draw_disc(canvas: Mask, disc: Disc, scale: tuple[float, float], colour: int) -> None:
    centre = _fixed((disc.centre,), scale)[0]
    radius = round(disc.radius * min(scale) * 2**_SHIFT)
    width = max(1, round(disc.width * min(scale))) if disc.width else cv2.FILLED
    where = (int(centre[0]), int(centre[1]))
    cv2.circle(canvas, where, radius, colour, width, cv2.LINE_AA, _SHIFT)


def _draw_stroke(canvas: Mask, stroke: Stroke, scale: tuple[float, float], colour: int) -> None:
    width = max(1, round(stroke.width * min(scale)))
    if stroke.dash:
        lines = dashes(stroke.points, stroke.dash, stroke.gap, closed=stroke.closed)
        closed = False
    else:
        lines, closed = [stroke.points], stroke.closed
    fixed = [_fixed(line, scale) for line in lines]
    cv2.polylines(canvas, fixed, closed, colour, width, cv2.LINE_AA, _SHIFT)


def _fixed(points: Sequence[Point], scale: tuple[float, float]) -> npt.NDArray[np.int32]:
    """Points on the canvas as OpenCV's whole numbers with fraction bits."""
    placed = np.asarray(points, np.float64) * np.asarray(scale) - 0.5
    fixed: npt.NDArray[np.int32] = np.round(placed * 2**_SHIFT).astype(np.int32)
    return fixed


# Drawings for fields: fighters and ships from above, nose up, wreckage, lozenges.


def _both(*right: Point) -> tuple[Point, ...]:
    """An outline that is the same on both sides: its right half, from the top down, mirrored."""
    return (*right, *((100 - x, y) for x, y in reversed(right)))


def _wing(left: float, top: float, bottom: float) -> Solid:
    """A straight wing with square tips, as far to the right as to the left."""
    return Solid(_both((50, top), (100 - left, top), (100 - left, bottom), (50, bottom)))


def _round_wing(left: float, top: float, bottom: float) -> Solid:
    """A wing with round tips."""
    radius, middle = (bottom - top) / 2, (top + bottom) / 2
    return Solid((
        *arc((left + radius, middle), radius, 90, 270, steps=12),
        *arc((100 - left - radius, middle), radius, -90, 90, steps=12),
    ))  # fmt: skip


def _fuselage(*right: Point) -> tuple[Shape, ...]:
    """A body that stands off the wings under it by a thin gap."""
    outline = _both(*right)
    return (Stroke(outline, 5.0, closed=True, cut=True), Solid(outline))


def _cross(x: float, y: float, reach: float = 5.5) -> tuple[Shape, ...]:
    return (
        Stroke(((x - reach, y), (x + reach, y)), 3.2, cut=True),
        Stroke(((x, y - reach), (x, y + reach)), 3.2, cut=True),
    )


def _ring(x: float, y: float) -> tuple[Shape, ...]:
    return (Disc((x, y), 5.4, width=2.6, cut=True),)


def _lozenge(x: float) -> Solid:
    return Solid(((x, 30), (x + 15, 50), (x, 70), (x - 15, 50)))


FIGHTERS: Mapping[str, tuple[Shape, ...]] = {
    "fokker": (
        _wing(3, 21, 37), _wing(9, 41, 50), _wing(13, 54, 62),
        *_cross(18, 29), *_cross(82, 29),
        Solid(_both((50, 82), (63, 84), (73, 91), (70, 97), (50, 95))),
        *_fuselage((50, 6), (58, 8), (60, 16), (58, 46), (53, 86), (50, 90)),
    ),
    "camel": (
        _round_wing(3, 22, 42), _round_wing(7, 48, 64),
        *_ring(17, 32), *_ring(83, 32),
        _round_wing(31, 83, 96),
        *_fuselage((50, 5), (59, 7), (62, 14), (61, 42), (53, 88), (50, 91)),
    ),
    "albatros": (
        Solid(_both((50, 24), (91, 27), (99, 43), (50, 43))),
        Solid(_both((50, 52), (82, 54), (88, 61), (50, 61))),
        *_cross(15, 36), *_cross(85, 36),
        Solid((*arc((50, 93), 23, 180, 360), (66, 99), (50, 95), (34, 99))),
        *_fuselage((50, 1), (54, 8), (59, 22), (58, 44), (54, 84), (50, 90)),
    ),
    "spad": (
        _wing(2, 25, 44), _wing(2, 50, 66),
        *_ring(17, 34.5), *_ring(83, 34.5),
        Stroke(((30, 44), (30, 50)), 3), Stroke(((70, 44), (70, 50)), 3),
        _wing(30, 83, 96),
        *_fuselage((50, 9), (62, 9), (63, 20), (60, 46), (54, 88), (50, 92)),
        Disc((50, 7), 5),
    ),
}  # fmt: skip
"""By the names of pieces, as a box's looks give them."""

SHIPS: Mapping[str, tuple[Shape, ...]] = {
    "ship": (
        Solid(_both((50, 2), (60, 22), (66, 52), (96, 84), (74, 84), (62, 96), (50, 88))),
        Stroke(((50, 24), (50, 66)), 4.5, cut=True),
        Disc((50, 74), 5, cut=True),
    ),
    "debris": (
        Solid(((46, 6), (60, 30), (52, 44), (34, 40))),
        Solid(((66, 40), (92, 58), (80, 78), (62, 62))),
        Solid(((30, 50), (54, 58), (48, 92), (26, 76))),
        Solid(((10, 30), (24, 36), (16, 52), (6, 44))),
        Solid(((70, 14), (84, 20), (78, 32))),
    ),
    "wreckage": (
        Stroke(((18, 26), (82, 74)), 13),
        Stroke(((26, 80), (76, 22)), 13),
        Stroke(((50, 12), (50, 30)), 8),
        Stroke(((8, 52), (26, 52)), 8),
    ),
}  # fmt: skip
"""Ships of the stars, nose up, what is left of one, and a part of its hull."""

TOKENS: Mapping[str, tuple[Shape, ...]] = {
    "token": (_lozenge(50),),
    "token-1": (_lozenge(50),),
    "token-2": (_lozenge(31), _lozenge(69)),
}
"""What a space printed with so many tokens shows."""

SHAPES: Mapping[str, tuple[Shape, ...]] = {
    **FIGHTERS,
    **SHIPS,
    **TOKENS,
    "start": (Disc((50, 50), 16, width=5),),
    "reticle": (
        Disc((50, 50), 46, width=4),
        Disc((50, 50), 20, width=2),
        *(Stroke(path, 2.5) for path in (((50, 0), (50, 26)), ((50, 74), (50, 100)),
                                         ((0, 50), (26, 50)), ((74, 50), (100, 50)))),
    ),
    "north": (Solid(((50, 4), (82, 94), (50, 74), (18, 94))),),
}  # fmt: skip
