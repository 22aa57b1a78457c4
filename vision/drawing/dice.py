"""Dice on the drawn table: real pips, rounded edges, and where a throw comes to rest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from companion.board import Board, PointMm
from vision.drawing.canvas import Canvas, Colour, Sprite, rounded
from vision.drawing.optics import Optics

DIE_MM = 16.0
PIP_MM = 1.6
"""Half the width of a pip."""
PIP_OFF_MM = 4.0
"""How far from the middle of a face its outer pips are, along each edge."""
EDGE_MM = 2.5
COLOURS: Mapping[str, tuple[Colour, Colour]] = {
    "white": ((226, 234, 238), (36, 32, 32)),
    "black": ((44, 38, 38), (226, 232, 234)),
}
"""Face and pips of each die that can be drawn."""

_ROOM_MM = 8.0  # between dice, and between dice and boards
_TRIED = 400
_RIM = 0.12
_BUNCH_MM = 70.0  # a throw comes to rest within so much of its middle

PIPS: Mapping[int, tuple[tuple[int, int], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}
"""Where the pips of each value are: columns and rows from the middle."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die at rest on the table: what it shows, its colour, its middle and how it is turned."""

    value: int
    colour: str
    x_mm: float
    y_mm: float
    turn_deg: float


@cache
def die_top(value: int, colour: str) -> Sprite:
    """The face of a die that is up."""
    face, pip = COLOURS[colour]
    canvas, middle = Canvas((DIE_MM, DIE_MM), 16.0, face), DIE_MM / 2
    for column, row in PIPS[value]:
        centre = (middle + column * PIP_OFF_MM, middle + row * PIP_OFF_MM)
        canvas.disc(centre, PIP_MM, pip)
    canvas.cut(rounded((DIE_MM, DIE_MM), EDGE_MM))
    return canvas.sprite()


@cache
def die_body(colour: str) -> Sprite:
    """The sides of a die: the colour of its face in less light."""
    blue, green, red = COLOURS[colour][0]
    canvas = Canvas((DIE_MM, DIE_MM), 8.0, (blue * 7 // 10, green * 7 // 10, red * 7 // 10))
    canvas.cut(rounded((DIE_MM, DIE_MM), EDGE_MM))
    return canvas.sprite()


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
