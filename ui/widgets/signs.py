"""Signs: every symbol of the screens as vectors, in a frame of 100 x 100, y down.

The fonts have no arrows, ticks or triangles, and a symbol must read the same in every palette. A
sign is a stack of layers; a layer without a colour takes the one it is drawn with.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ui.scene.theme import Colour
from ui.widgets.shape import SHAPES, Disc, Point, Shape, Solid, Stroke, arc, rounded

FRAME = (100.0, 100.0)


class Layer(NamedTuple):
    """Shapes of one colour; None: the colour that the sign is asked for in."""

    shapes: tuple[Shape, ...]
    colour: Colour | None = None


Sign = tuple[Layer, ...]

W = 8.0
"""The line of a sign at rest, so that all signs look drawn with one pen."""


def plain(*shapes: Shape) -> Sign:
    """A sign of one layer in the colour it is asked for in."""
    return (Layer(shapes),)


def line(*points: Point, width: float = W) -> Stroke:
    """An open line."""
    return Stroke(points, width)


def loop(*points: Point, width: float = W) -> Stroke:
    """A closed line."""
    return Stroke(points, width, closed=True)


def frame_of(left: float, top: float, wide: float, high: float, width: float = W) -> Stroke:
    """The outline of a rectangle."""
    right, bottom = left + wide, top + high
    return loop((left, top), (right, top), (right, bottom), (left, bottom), width=width)


def solid(left: float, top: float, wide: float, high: float) -> Solid:
    """A filled rectangle."""
    right, bottom = left + wide, top + high
    return Solid(((left, top), (right, top), (right, bottom), (left, bottom)))


# --- arrows ---

_ARROWS: Mapping[str, Sign] = {
    "left": plain(line((90, 50), (12, 50)), line((38, 24), (12, 50), (38, 76))),
    "right": plain(line((10, 50), (88, 50)), line((62, 24), (88, 50), (62, 76))),
    "up": plain(line((50, 90), (50, 12)), line((24, 38), (50, 12), (76, 38))),
    "down": plain(line((50, 10), (50, 88)), line((24, 62), (50, 88), (76, 62))),
    "corner": plain(
        Stroke(((14, 74), *arc((46, 50), 32, 180, 340)), W),
        line((52, 46), (78, 46), (86, 20)),
    ),
    "view": plain(
        frame_of(12, 12, 76, 34, width=6),
        frame_of(12, 54, 76, 34, width=6),
        line((26, 26), (74, 74)),
        line((74, 52), (74, 74), (52, 74)),
    ),
    "team": plain(
        line((30, 88), (30, 14)),
        line((12, 32), (30, 14), (48, 32)),
        line((70, 12), (70, 86)),
        line((52, 68), (70, 86), (88, 68)),
    ),
    "flip": plain(
        line((14, 32), (86, 32)),
        line((64, 10), (86, 32)),
        line((86, 68), (14, 68)),
        line((36, 90), (14, 68)),
    ),
    "undo": plain(
        Stroke(((14, 34), (64, 34), *arc((64, 58), 24, -90, 90), (30, 82)), W),
        line((36, 12), (14, 34), (36, 56)),
    ),
    "again": plain(
        Stroke(arc((50, 52), 34, -60, 210), W),
        Solid(((50, 6), (50, 36), (72, 21))),
    ),
}  # fmt: skip

# --- the bottom row, the top bar, home ---

_TOOLS: Mapping[str, Sign] = {
    "log": plain(
        *(Disc((14, y), 6) for y in (22, 50, 78)),
        *(line((32, y), (92, y)) for y in (22, 50, 78)),
    ),
    "arbiter": plain(
        line((50, 8), (50, 88), width=6),
        line((30, 90), (70, 90)),
        line((16, 22), (84, 22), width=6),
        loop((4, 58), (20, 24), (36, 58), width=5),
        loop((64, 58), (80, 24), (96, 58), width=5),
        Solid(((4, 57), (36, 57), (28, 68), (12, 68))),
        Solid(((64, 57), (96, 57), (88, 68), (72, 68))),
    ),
    "search": plain(Disc((42, 42), 28, width=8), line((63, 63), (90, 90), width=10)),
    "pause": plain(solid(20, 10, 20, 80), solid(60, 10, 20, 80)),
    "play": plain(Solid(((16, 6), (92, 50), (16, 94)))),
    "tick": plain(line((8, 54), (36, 82), (92, 18), width=13)),
    "cross": plain(line((18, 18), (82, 82), width=9), line((82, 18), (18, 82), width=9)),
    "plus": plain(line((50, 14), (50, 86), width=10), line((14, 50), (86, 50), width=10)),
    "minus": plain(line((14, 50), (86, 50), width=10)),
    "menu": plain(*(line((8, y), (92, y), width=7) for y in (18, 50, 82))),
    "speaker": plain(
        Solid(((8, 36), (26, 36), (52, 12), (52, 88), (26, 64), (8, 64))),
        Stroke(arc((52, 50), 20, -50, 50), 7),
        Stroke(arc((52, 50), 38, -50, 50), 7),
    ),
    "speaker-off": plain(
        Solid(((8, 36), (26, 36), (52, 12), (52, 88), (26, 64), (8, 64))),
        line((64, 36), (92, 64), width=7),
        line((92, 36), (64, 64), width=7),
    ),
    "eye": plain(
        Stroke((*arc((50, 82), 56, -145, -35), *arc((50, 18), 56, 35, 145)), 6, closed=True),
        Disc((50, 50), 13),
    ),
    "boxes": plain(
        *(frame_of(6 + 32 * n, top, 24, 30, width=6) for n in range(3) for top in (16, 56))
    ),
    "gear": plain(
        *(Stroke(tuple(arc((50, 50), r, a, a, steps=1)[0] for r in (30, 45)), 13)
          for a in range(0, 360, 45)),
        Disc((50, 50), 27, width=13),
    ),
    "back": plain(line((90, 50), (12, 50)), line((40, 22), (12, 50), (40, 78))),
    "clock": plain(Disc((50, 50), 40, width=W), line((50, 26), (50, 52), (68, 62))),
    "hand": plain(
        Solid(((26, 94), (10, 58), (20, 52), (32, 66), (32, 20), (42, 20), (44, 50), (46, 8),
              (56, 8), (57, 50), (64, 14), (73, 16), (70, 54), (80, 34), (88, 38), (80, 74),
              (70, 94))),
    ),
    "pen": plain(
        loop((14, 86), (20, 62), (70, 12), (88, 30), (38, 80), width=7),
        line((58, 24), (76, 42), width=7),
    ),
    "card": plain(Stroke(rounded((100, 100), 18, 14), W, closed=True), solid(40, 34, 20, 32)),
    "save": plain(
        line((50, 8), (50, 58)),
        line((26, 36), (50, 60), (74, 36)),
        line((12, 62), (12, 90), (88, 90), (88, 62)),
    ),
    "home": plain(line((8, 50), (50, 12), (92, 50)), line((22, 42), (22, 88), (78, 88), (78, 42))),
    "book": plain(
        loop((10, 18), (50, 28), (50, 88), (10, 78), width=7),
        loop((90, 18), (50, 28), (50, 88), (90, 78), width=7),
    ),
    "shot": plain(
        Disc((50, 50), 30, width=6),
        *(line(a, b, width=6) for a, b in (((50, 4), (50, 40)), ((50, 60), (50, 96)),
                                           ((4, 50), (40, 50)), ((60, 50), (96, 50)))),
    ),
    "erase": plain(
        loop((6, 50), (32, 20), (94, 20), (94, 80), (32, 80), width=7),
        line((48, 36), (76, 64), width=7),
        line((76, 36), (48, 64), width=7),
    ),
    "screen": plain(frame_of(8, 16, 84, 68, width=5)),
    "draw": plain(
        Stroke(rounded((100, 100), 14, 22), 7, closed=True),
        line((50, 34), (50, 66), width=7),
        line((34, 50), (66, 50), width=7),
    ),
    "people": plain(
        Disc((32, 30), 15),
        Solid(((6, 84), (10, 60), (22, 50), (42, 50), (54, 60), (58, 84))),
        Disc((70, 38), 12),
        Solid(((62, 84), (60, 64), (66, 54), (78, 54), (90, 62), (94, 84))),
    ),
}  # fmt: skip

# --- signals: shape first, hue second ---

_TICK = line((27, 52), (44, 68), (74, 34), width=11)
_TRIANGLE: tuple[Point, ...] = ((50, 7), (97, 92), (3, 92))

_SIGNALS: Mapping[str, Sign] = {
    "ok": (
        Layer((Disc((50, 50), 48),), Colour.OK),
        Layer((_TICK,), Colour.ON_SIGNAL),
    ),
    "warn": (
        Layer((Solid(_TRIANGLE), Stroke(_TRIANGLE, 5, closed=True)), Colour.WARN),
        Layer((Stroke(_TRIANGLE, 5, closed=True),), Colour.WARN_EDGE),
        Layer((line((50, 38), (50, 62), width=12), Disc((50, 78), 7)), Colour.ON_WARN),
    ),
    "bad": (
        Layer((solid(3, 3, 94, 94),), Colour.BAD),
        Layer((line((28, 28), (72, 72), width=13), line((72, 28), (28, 72), width=13)),
              Colour.ON_SIGNAL),
    ),
    "ask": plain(
        Disc((50, 50), 42, width=7),
        Stroke((*arc((50, 38), 15, -180, 60), (50, 56), (50, 62)), 8),
        Disc((50, 76), 6),
    ),
    "absent": plain(Disc((50, 50), 40, width=9)),
    "found": plain(Disc((50, 50), 40, width=9), Disc((50, 50), 13)),
    "stale": (
        Layer((Disc((50, 50), 40, width=11),), Colour.WARN_LINE),
        Layer((line((50, 26), (50, 52), (68, 60), width=10),)),
    ),
    "lost": (
        Layer((solid(3, 3, 94, 94),), Colour.BAD),
        Layer((line((28, 28), (72, 72), width=13), line((72, 28), (28, 72), width=13)),
              Colour.ON_SIGNAL),
    ),
}  # fmt: skip


def _column(number: int) -> Sign:
    """Three zones of a board, one of them meant."""
    boxes: list[Shape] = [frame_of(3 + 33 * n, 32, 28, 36, width=5) for n in range(3)]
    return plain(*boxes, solid(3 + 33 * number, 32, 28, 36))


_ZONES: Mapping[str, Sign] = {
    "first-of-three": _column(0),
    "second-of-three": _column(1),
    "third-of-three": _column(2),
    "cross-hair": plain(
        Disc((50, 50), 34, width=2.5),
        line((50, 2), (50, 98), width=2.5),
        line((2, 50), (98, 50), width=2.5),
    ),
    "ring": plain(Disc((50, 50), 36, width=2.5), Disc((50, 50), 14, width=2.5)),
}

# --- teams and what they have ---

_SUN_RAYS = tuple(
    line(arc((50, 50), 36, a, a, steps=1)[0], arc((50, 50), 48, a, a, steps=1)[0], width=5)
    for a in range(0, 360, 30)
)

_CRESCENT = (*arc((50, 50), 40, 24.6, 282.2), *arc((66, 42), 32, 256.3, 50.5))

_EMBLEMS: Mapping[str, Sign] = {
    "jaw": plain(
        Solid(((4, 14), (96, 14), (96, 50), (88, 34), (78, 50), (68, 34), (59, 50), (50, 34),
              (41, 50), (32, 34), (22, 50), (12, 34), (4, 50))),
        Solid(((12, 86), (7, 60), (12, 52), (22, 68), (32, 52), (41, 68), (50, 52), (59, 68),
              (68, 52), (78, 68), (88, 52), (93, 60), (88, 86))),
    ),
    "paw": plain(
        Solid((*arc((50, 66), 26, 180, 360), *arc((50, 70), 26, 0, 180))),
        Disc((14, 46), 11.5),
        Disc((36, 22), 12.5),
        Disc((64, 22), 12.5),
        Disc((86, 46), 11.5),
    ),
    "sun": (
        Layer(_SUN_RAYS, Colour.SUN),
        Layer((Disc((50, 50), 29),), Colour.SUN),
        Layer((Disc((50, 50), 29, width=3),), Colour.SUN_EDGE),
    ),
    "moon": (
        Layer((Solid(_CRESCENT),), Colour.SUN),
        Layer((Stroke(_CRESCENT, 3, closed=True),), Colour.SUN_EDGE),
    ),
    "smoke": plain(
        Disc((24, 50), 19, width=4),
        Disc((52, 54), 23, width=4),
        Disc((80, 48), 17, width=4),
    ),
}  # fmt: skip

# --- planes from above ---


def _both(*right: Point) -> tuple[Point, ...]:
    """An outline that is the same on both sides: its right half, from the top down, mirrored."""
    return (*right, *((100 - x, y) for x, y in reversed(right)))


def _tipped(left: float, top: float, right: float, bottom: float) -> Solid:
    """A wing with round tips."""
    radius = (bottom - top) / 2
    middle = (top + bottom) / 2
    return Solid((
        *arc((left + radius, middle), radius, 90, 270, steps=12),
        *arc((right - radius, middle), radius, -90, 90, steps=12),
    ))  # fmt: skip


_JAWS_FUSELAGE = _both((50, 7), (55, 10), (58, 22), (59, 46), (54, 88), (50, 92))
_JAWS_BODY = (
    Solid(_both((50, 31), (88, 35), (98, 42), (90, 48), (50, 46))),
    Solid(_both((50, 53), (82, 56), (92, 62), (84, 67), (50, 65))),
    Solid(_both((50, 84), (57, 84), (73, 92), (73, 98), (50, 95))),
    Solid(_JAWS_FUSELAGE),
)
_JAWS_MARKS = (
    line((33, 5), (67, 5), width=3),
    Stroke(_JAWS_FUSELAGE, 2.4, closed=True),
    Stroke(((42, 24), (45, 19), (48, 25), (52, 25), (55, 19), (58, 24)), 2.6),
    line((23, 47), (23, 58), width=2.4),
    line((77, 47), (77, 58), width=2.4),
)

_PAWS_FUSELAGE = _both((50, 8), (57, 10), (59, 17), (59, 44), (54, 90), (50, 93))
_PAWS_BODY = (
    _tipped(5, 30, 95, 44),
    _tipped(9, 52, 91, 65),
    _tipped(29, 85, 71, 96),
    Solid(_PAWS_FUSELAGE),
)
_PAW_PADS = tuple(
    Disc((x + dx, 58.5 + dy), radius)
    for x in (19.0, 81.0)
    for dx, dy, radius in ((0, 1.5, 3.2), (-4, -2, 1.6), (0, -3.6, 1.7), (4, -2, 1.6))
)
_PAWS_MARKS: tuple[Shape, ...] = (
    line((30, 5), (70, 5), width=3),
    Stroke(_PAWS_FUSELAGE, 2.2, closed=True),
    line((27, 44), (27, 52), width=2.4),
    line((73, 44), (73, 52), width=2.4),
    *_PAW_PADS,
)

_PLANES: Mapping[str, Sign] = {
    "jaws-plane": (Layer(_JAWS_BODY), Layer(_JAWS_MARKS, Colour.LAMP_INK)),
    "paws-plane": (Layer(_PAWS_BODY), Layer(_PAWS_MARKS, Colour.PLATE_INK)),
}

_BURST: Mapping[str, Sign] = {
    "burst": plain(
        Stroke(
            tuple(
                arc((50, 50), 48 if n % 2 else 37, 15 * n, 15 * n, steps=1)[0] for n in range(24)
            ),
            4.5,
            closed=True,
        )
    )
}

_NAMES = {
    "list": "log", "scales": "arbiter", "retry": "again", "look": "eye", "next": "right",
    "done": "tick", "cancel": "cross", "close": "cross", "new": "boxes", "new-match": "boxes",
    "past": "log", "rules": "eye", "demo": "play", "settings": "gear", "resume": "play",
    "swap": "flip", "crosshair": "cross-hair", "shoot": "shot",
    "zone-left": "first-of-three", "zone-centre": "second-of-three", "zone-right": "third-of-three",
    "gunsight": "shot", "cards": "boxes",
    "ready": "tick",
    "next-tap": "right", "page-up": "up", "page-down": "down", "sound": "speaker",
}  # fmt: skip
"""Other words that screens and options use for the same drawing."""


def _all() -> Mapping[str, Sign]:
    signs: dict[str, Sign] = {}
    for table in (_ARROWS, _TOOLS, _SIGNALS, _ZONES, _EMBLEMS, _PLANES, _BURST):
        signs |= table
    signs |= {name: plain(*shapes) for name, shapes in SHAPES.items()}
    signs |= {name: signs[meant] for name, meant in _NAMES.items() if name not in signs}
    return MappingProxyType(signs)


SIGNS = _all()
"""Every sign by name."""
