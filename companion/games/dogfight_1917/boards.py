"""The Battlefield Board of Dogfight: 1917 as the camera and the map have it.  (DF-2.1, DF-2.2)

The size of the printed board is not in the book: these are the sizes of our printed sheet and
corner markers, and a table's own file may replace them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.board import Board, BoardPlan, Piece, PointMm, Rgb, Space, Token
from companion.games.dogfight_1917.cards import FIGHTER_NAMES
from companion.hexes import FLAT_TOP_NAMES, Hex

if TYPE_CHECKING:
    from companion.games.dogfight_1917.figures import Figures

SIDE_MM = 34.0
"""The side of one hex, mm."""
MARGIN_MM = 45.0
"""Around the outermost spaces, where the corner markers lie."""
ROOM_MM = 40.0
"""Of table around the board, mm."""
BOARD = "Battlefield Board"
MARKERS = {Piece("fokker"): 20, Piece("camel"): 21, Piece("albatros"): 22, Piece("spad"): 23}
COLOURS: Mapping[Piece, Rgb] = {
    Piece("fokker"): (178, 34, 34),
    Piece("camel"): (122, 106, 60),
    Piece("albatros"): (60, 110, 70),
    Piece("spad"): (70, 100, 150),
}
"""Of the models, as drawn tables and sheets show them."""
MARKER_MM = 30.0
"""The side of a token's marker: with 25 mm a camera of 720 lines has too few points of it."""
DICE_MM = 16.0
FIRST_CORNER = 24
"""Corner markers 24 to 27: top left, top right, bottom right, bottom left."""


def board_plan(figures: Figures) -> BoardPlan:
    """One board of hexes with flat tops, and a token for each Fighter's base.

    >>> from companion.games.dogfight_1917.figures import assumed_figures
    >>> plan = board_plan(assumed_figures())
    >>> len(plan.spaces), plan.spaces["0,-3"].sign
    (61, 'token-1')
    """
    board = _battlefield(figures)
    width, height = board.size_mm
    return BoardPlan(
        box="dogfight-1917",
        dictionary="ARUCO_MIP_36h12",
        boards=(board,),
        tokens=tuple(
            Token(piece, FIGHTER_NAMES[piece], marker, side_mm=MARKER_MM, colour=COLOURS[piece])
            for piece, marker in MARKERS.items()
        ),
        dice_mm=DICE_MM,
        table_mm=(width + 2 * ROOM_MM, height + 2 * ROOM_MM),
    )


def _battlefield(figures: Figures) -> Board:
    middles = {space: space.middle_mm(SIDE_MM) for space in figures.board.spaces}
    half_height = SIDE_MM * math.sqrt(3.0) / 2.0
    left = min(x for x, _ in middles.values()) - SIDE_MM - MARGIN_MM
    top = min(y for _, y in middles.values()) - half_height - MARGIN_MM
    right = max(x for x, _ in middles.values()) + SIDE_MM + MARGIN_MM
    bottom = max(y for _, y in middles.values()) + half_height + MARGIN_MM
    size = (right - left, bottom - top)
    return Board(
        name=BOARD,
        owner="",
        size_mm=size,
        spaces=tuple(
            _space(space, (x - left, y - top), figures.token_spaces.get(space, 0))
            for space, (x, y) in sorted(middles.items())
        ),
        centre_mm=(size[0] / 2 + ROOM_MM, size[1] / 2 + ROOM_MM),
        turn_deg=0.0,
        corners=_corners(size),
        facings=FLAT_TOP_NAMES,
    )


def _corners(size: PointMm) -> dict[int, PointMm]:
    inset = MARGIN_MM / 2
    width, height = size
    places = (
        (inset, inset),
        (width - inset, inset),
        (width - inset, height - inset),
        (inset, height - inset),
    )
    return {FIRST_CORNER + number: place for number, place in enumerate(places)}


def _space(space: Hex, middle: PointMm, tokens: int) -> Space:
    outline = tuple(
        (
            middle[0] + SIDE_MM * math.cos(math.radians(60 * corner)),
            middle[1] + SIDE_MM * math.sin(math.radians(60 * corner)),
        )
        for corner in range(6)
    )
    return Space(str(space), str(space), outline, f"token-{tokens}" if tokens else "")
