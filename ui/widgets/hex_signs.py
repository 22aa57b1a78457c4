"""Drawings of hex boards: fighters and ships from above, nose up, wreckage, lozenges for tokens.

Each is told by its silhouette alone: three wings, two round ones with rings, raked tips with a
pointed nose, square tips with a square tail. Marks are holes, so that any colour carries them.
"""

from __future__ import annotations

from collections.abc import Mapping

from ui.widgets.raster import Disc, Fill, Point, Shape, Stroke, arc


def _both(*right: Point) -> tuple[Point, ...]:
    """An outline that is the same on both sides: its right half, from the top down, mirrored."""
    return (*right, *((100 - x, y) for x, y in reversed(right)))


def _wing(left: float, top: float, bottom: float) -> Fill:
    """A straight wing with square tips, as far to the right as to the left."""
    return Fill(_both((50, top), (100 - left, top), (100 - left, bottom), (50, bottom)))


def _round_wing(left: float, top: float, bottom: float) -> Fill:
    """A wing with round tips."""
    radius, middle = (bottom - top) / 2, (top + bottom) / 2
    return Fill((
        *arc((left + radius, middle), radius, 90, 270, steps=12),
        *arc((100 - left - radius, middle), radius, -90, 90, steps=12),
    ))  # fmt: skip


def _fuselage(*right: Point) -> tuple[Shape, ...]:
    """A body that stands off the wings under it by a thin gap."""
    outline = _both(*right)
    return (Stroke(outline, 5.0, closed=True, cut=True), Fill(outline))


def _cross(x: float, y: float, reach: float = 5.5) -> tuple[Shape, ...]:
    return (
        Stroke(((x - reach, y), (x + reach, y)), 3.2, cut=True),
        Stroke(((x, y - reach), (x, y + reach)), 3.2, cut=True),
    )


def _ring(x: float, y: float) -> tuple[Shape, ...]:
    return (Disc((x, y), 5.4, width=2.6, cut=True),)


def _lozenge(x: float) -> Fill:
    return Fill(((x, 30), (x + 15, 50), (x, 70), (x - 15, 50)))


FIGHTERS: Mapping[str, tuple[Shape, ...]] = {
    "fokker": (
        _wing(3, 21, 37), _wing(9, 41, 50), _wing(13, 54, 62),
        *_cross(18, 29), *_cross(82, 29),
        Fill(_both((50, 82), (63, 84), (73, 91), (70, 97), (50, 95))),
        *_fuselage((50, 6), (58, 8), (60, 16), (58, 46), (53, 86), (50, 90)),
    ),
    "camel": (
        _round_wing(3, 22, 42), _round_wing(7, 48, 64),
        *_ring(17, 32), *_ring(83, 32),
        _round_wing(31, 83, 96),
        *_fuselage((50, 5), (59, 7), (62, 14), (61, 42), (53, 88), (50, 91)),
    ),
    "albatros": (
        Fill(_both((50, 24), (91, 27), (99, 43), (50, 43))),
        Fill(_both((50, 52), (82, 54), (88, 61), (50, 61))),
        *_cross(15, 36), *_cross(85, 36),
        Fill((*arc((50, 93), 23, 180, 360), (66, 99), (50, 95), (34, 99))),
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
        Fill(_both((50, 2), (60, 22), (66, 52), (96, 84), (74, 84), (62, 96), (50, 88))),
        Stroke(((50, 24), (50, 66)), 4.5, cut=True),
        Disc((50, 74), 5, cut=True),
    ),
    "debris": (
        Fill(((46, 6), (60, 30), (52, 44), (34, 40))),
        Fill(((66, 40), (92, 58), (80, 78), (62, 62))),
        Fill(((30, 50), (54, 58), (48, 92), (26, 76))),
        Fill(((10, 30), (24, 36), (16, 52), (6, 44))),
        Fill(((70, 14), (84, 20), (78, 32))),
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
    "north": (Fill(((50, 4), (82, 94), (50, 74), (18, 94))),),
}  # fmt: skip
