"""Dice on the drawn table: pips on every side, flat or cocked, and where a throw comes to rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.core.board import Board, PointMm
from vision.drawing.canvas import Canvas, Colour, Sprite, rounded
from vision.drawing.optics import Optics, Points

DIE_MM = 16.0
PIP_MM = 1.6
"""Half the width of a pip."""
PIP_OFF_MM = 4.0
"""How far from the middle of a face its outer pips are, along each edge."""
EDGE_MM = 2.5
COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "white": ((226, 234, 238), (36, 32, 32)),
    "black": ((44, 38, 38), (226, 232, 234)),
    "ivory": ((172, 210, 226), (40, 36, 34)),
    "red": ((38, 34, 168), (230, 234, 236)),
    "blue": ((150, 74, 30), (232, 234, 234)),
    "green": ((62, 112, 34), (230, 236, 234)),
    "yellow": ((40, 196, 232), (30, 30, 30)),
}
"""Face and pips of each die that can be drawn."""

_ROOM_MM = 8.0  # between dice, and between dice and boards
_TRIED = 400
_RIM = 0.12
_BUNCH_MM = 70.0  # a throw comes to rest within so much of its middle
_SIDE_LIGHT = 0.7  # a side gets so much of the light that falls on the top

PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of each value are: columns and rows from the middle."""
ROWS = 6
"""The pips of this value lie in two rows."""

_AROUND: Mapping[int, tuple[int, int, int, int]] = {
    1: (2, 3, 5, 4), 2: (1, 4, 6, 3), 3: (1, 2, 6, 5), 4: (1, 5, 6, 2), 5: (1, 3, 6, 4),
    6: (2, 4, 5, 3),
}  # fmt: skip
"""What the four sides show, in turn, under each top; opposite sides add up to seven."""


@dataclass(frozen=True, slots=True)
class Make:
    """How a make of dice has its pips.

    They lie `spread` times as far apart as is usual, and the rows of a 6 `rows` times as far as its
    pips in a row. Those of a 2 and a 3 may lie `along` the edges. That of a 1 is `one` times as
    wide as others.
    """

    spread: float = 1.0
    rows: float = 1.0
    along: bool = False
    one: float = 1.0

    def pips(self, value: int) -> list[tuple[float, float, float]]:
        """Each pip of a face: how far from its middle, and half how wide, mm."""
        off_mm = self.spread * PIP_OFF_MM
        across = off_mm * (self.rows if value == ROWS else 1.0)
        down = 0.0 if self.along and value in {2, 3} else off_mm
        radius_mm = PIP_MM * (self.one if value == 1 else 1.0)
        return [(column * across, row * down, radius_mm) for column, row in PIPS[value]]


USUAL = Make()


@dataclass(frozen=True, slots=True)
class DrawnDie:
    """One die at rest on the table: what it shows, its colour, its middle and how it is turned.

    A cocked one leans by `lean_deg` towards `lean_way_deg`; one that lies on others has its lowest
    point `lift_mm` above the table. Its pips are those of its `make`.
    """

    value: int
    colour: str
    x_mm: float
    y_mm: float
    turn_deg: float
    lean_deg: float = 0.0
    lean_way_deg: float = 0.0
    lift_mm: float = 0.0
    make: Make = USUAL


@cache
def die_top(value: int, colour: str, make: Make = USUAL) -> Sprite:
    """The face of a die that is up."""
    return _face(value, colour, 1.0, make)


@cache
def die_side(value: int, colour: str, make: Make = USUAL) -> Sprite:
    """A face that is not: the same in less light."""
    return _face(value, colour, _SIDE_LIGHT, make)


@cache
def die_body(colour: str) -> Sprite:
    """What is between the faces of a die: the colour of its sides."""
    canvas = Canvas((DIE_MM, DIE_MM), 8.0, _lit(COLOURS[colour][0], _SIDE_LIGHT))
    canvas.cut(rounded((DIE_MM, DIE_MM), EDGE_MM))
    return canvas.sprite()


def die_layers(die: DrawnDie, optics: Optics) -> list[tuple[Sprite, Points]]:
    """What to lay on a picture for a die, one thing above the other, each with its corners px."""
    axes = _axes(die)
    middle = np.array([die.x_mm, die.y_mm, 0.0])
    middle[2] = die.lift_mm + DIE_MM / 2 * np.abs(axes[2]).sum()
    shares = (-0.5, -0.3, -0.1, 0.1, 0.3, 0.45)
    body = [(die_body(die.colour), _quad(optics, middle, axes, share)) for share in shares]
    sides = [
        (die_side(value, die.colour, die.make), _quad(optics, middle, turned, 0.5))
        for value, turned in _sides(die.value, axes)
        if _is_seen(optics, middle, turned)
    ]
    top = die_top(die.value, die.colour, die.make)
    return [*body, *sides, (top, _quad(optics, middle, axes, 0.5))]


def _face(value: int, colour: str, light: float, make: Make) -> Sprite:
    face, pip = (_lit(each, light) for each in COLOURS[colour])
    canvas, middle = Canvas((DIE_MM, DIE_MM), 16.0, face), DIE_MM / 2
    for across, down, radius_mm in make.pips(value):
        canvas.disc((middle + across, middle + down), radius_mm, pip)
    canvas.cut(rounded((DIE_MM, DIE_MM), EDGE_MM))
    return canvas.sprite()


def _lit(colour: Colour, light: float) -> Colour:
    blue, green, red = colour
    return (round(blue * light), round(green * light), round(red * light))


def _axes(die: DrawnDie) -> Points:
    """The die's own x, y and up as columns, [3, 3], in x, y and height over the table."""
    turn, way, lean = np.radians((die.turn_deg, die.lean_way_deg, die.lean_deg))
    flat = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0]])
    upright = np.vstack([flat, [0, 0, 1.0]])
    x, y = math.cos(way), math.sin(way)
    cos, sin, less = math.cos(lean), math.sin(lean), 1 - math.cos(lean)
    leaning = np.array(
        [
            [1 - less * x * x, -less * x * y, sin * x],
            [-less * x * y, 1 - less * y * y, sin * y],
            [-sin * x, -sin * y, cos],
        ]
    )
    return np.asarray(leaning @ upright, np.float64)


def _sides(top: int, axes: Points) -> list[tuple[int, Points]]:
    """The four sides, each with the axes that it has for its own: right, down and outwards."""
    across, down, up = axes[:, 0], axes[:, 1], axes[:, 2]
    turned = ((across, down), (-down, across), (-across, -down), (down, -across))
    return [
        (value, np.column_stack([right, -up, out]))
        for value, (right, out) in zip(_AROUND[top], turned, strict=True)
    ]


def _quad(optics: Optics, middle: Points, axes: Points, off: float) -> Points:
    """Where the corners of a square across the third axis fall, its own top left first."""
    own = DIE_MM * np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])
    solid = middle + own @ axes[:, :2].T + DIE_MM * off * axes[:, 2]
    return optics.solid_to_px(solid)


def _is_seen(optics: Optics, middle: Points, axes: Points) -> bool:
    """Whether a face looks towards the camera."""
    outwards = axes[:, 2]
    return float((optics.eye_mm - middle - DIE_MM / 2 * outwards) @ outwards) > 0.0


def rest_beside(
    boards: Sequence[Board], optics: Optics, taken: Sequence[PointMm], dice: int,
    chance: np.random.Generator,
) -> list[PointMm] | None:  # fmt: skip
    """Where a throw comes to rest: in a bunch, beside the boards and near them, in the picture.

    `taken` are things that lie there already. None where there is not room for so many.
    """
    free = [spot for spot in _spots(optics, chance) if _is_clear(spot, boards, taken)]
    free.sort(key=lambda spot: min((_beside_mm(spot, board) for board in boards), default=0.0))
    if not dice:
        return []
    for middle in free[: max(1, len(free) // 4)]:
        bunch = list[PointMm]()
        for spot in free:
            if math.dist(spot, middle) <= _BUNCH_MM and _is_apart(spot, bunch):
                bunch.append(spot)
            if len(bunch) == dice:
                return bunch
    return None


def _spots(optics: Optics, chance: np.random.Generator) -> list[PointMm]:
    """Places on the table all over the picture, inside of its rim, where sleeves are looked for."""
    shares = chance.uniform(_RIM, 1.0 - _RIM, (_TRIED, 2))
    found = optics.to_table_mm(shares * (np.array(optics.size_px) - 1.0), DIE_MM)
    return [(float(x), float(y)) for x, y in found]


def _is_clear(spot: PointMm, boards: Sequence[Board], taken: Sequence[PointMm]) -> bool:
    room_mm = DIE_MM / math.sqrt(2) + _ROOM_MM
    return all(_beside_mm(spot, board) >= room_mm for board in boards) and all(
        math.dist(spot, other) >= 3 * DIE_MM for other in taken
    )


def _is_apart(spot: PointMm, others: Sequence[PointMm]) -> bool:
    return all(math.dist(spot, other) >= DIE_MM * math.sqrt(2) + _ROOM_MM for other in others)


def _beside_mm(spot: PointMm, board: Board) -> float:
    """How far outside a board's edge a point of the table lies, mm; 0 on the board."""
    turn = math.radians(-board.turn_deg)
    dx, dy = spot[0] - board.centre_mm[0], spot[1] - board.centre_mm[1]
    x = math.cos(turn) * dx - math.sin(turn) * dy
    y = math.sin(turn) * dx + math.cos(turn) * dy
    width, height = board.size_mm
    return math.hypot(max(0.0, abs(x) - width / 2), max(0.0, abs(y) - height / 2))
