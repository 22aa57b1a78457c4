"""The hexagon map of Dogfight! hex ships for camera and screen, and how its tokens are drawn.

The size of the printed map is not in the book: these are the sizes of our printed sheet and corner
markers, and a table's own file may give another shape.  (HX-MAT-01, RULING 1)
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.board import (
    Board,
    BoardPlan,
    Look,
    PointMm,
    Rgb,
    Space,
    Token,
    four_corners,
    hex_outline,
)
from companion.games.dogfight_hex.seats import (
    DEBRIS_OF,
    HULLS,
    LABELS,
    SEATS,
    SHIPS,
    WRECKAGE,
    WRECKS,
)
from companion.kit.hexes import Hex

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.games.dogfight_hex.cards import Figures


SIDE_MM = 32.0
"""The side of one hex, mm."""
MARGIN_MM = 45.0
"""Around the outermost spaces, where the corner markers lie."""
ROOM_MM = 40.0
"""Of table around the map, mm."""
BOARD = "Hexagon Map"
MARKERS = {
    **{SHIPS[seat]: number for number, seat in enumerate(SEATS, 60)},
    **{DEBRIS_OF[seat]: number for number, seat in enumerate(SEATS, 66)},
    **{piece: number for number, piece in enumerate(WRECKAGE, 72)},
}
"""Ships 60 to 65, their other sides 66 to 71, wreckage and hull points 72 to 87."""
FIRST_CORNER = 88
"""Corner markers 88 to 91: top left, top right, bottom right, bottom left."""
START_SIGN = "start"
GREY: Rgb = (110, 112, 118)
COLOURS: tuple[Rgb, ...] = (
    (176, 58, 46), (36, 113, 163), (183, 149, 11), (30, 132, 73), (125, 60, 152), (20, 143, 119),
)  # fmt: skip


def board_plan(figures: Figures, labels: Mapping[Piece, str] = LABELS) -> BoardPlan:
    """One map of hexes; a token for each side of a ship, for wreckage and hull points.

    >>> from companion.games.dogfight_hex.cards import assumed_figures
    >>> plan = board_plan(assumed_figures())
    >>> len(plan.spaces), len(plan.tokens), plan.spaces["0,-5"].sign
    (91, 28, 'start')
    """
    board = _map(figures)
    width, height = board.size_mm
    return BoardPlan(
        box="dogfight-hex",
        dictionary="ARUCO_MIP_36h12",
        boards=(board,),
        tokens=tuple(_tokens(labels)),
        table_mm=(width + 2 * ROOM_MM, height + 2 * ROOM_MM),
    )


def _tokens(labels: Mapping[Piece, str]) -> list[Token]:
    tokens: list[Token] = []
    for seat, colour in zip(SEATS, COLOURS, strict=True):
        ship, debris = SHIPS[seat], DEBRIS_OF[seat]
        flipped = Token(debris, labels[debris], MARKERS[debris], colour=colour, headed=False)
        ship_side = Token(ship, labels[ship], MARKERS[ship], colour=colour, other_side=flipped)
        tokens += [ship_side, flipped]
    wreckage = (
        Token(piece, labels[piece], MARKERS[piece], colour=GREY, headed=False) for piece in WRECKAGE
    )
    return [*tokens, *wreckage]


def _map(figures: Figures) -> Board:
    middles = {space: _middle_mm(space, figures) for space in figures.board.spaces}
    reach_x, reach_y = _reach_mm(figures)
    left = min(x for x, _ in middles.values()) - reach_x
    top = min(y for _, y in middles.values()) - reach_y
    right = max(x for x, _ in middles.values()) + reach_x
    bottom = max(y for _, y in middles.values()) + reach_y
    size = (right - left, bottom - top)
    return Board(
        name=BOARD,
        owner="",
        size_mm=size,
        spaces=tuple(
            _space(space, (x - left, y - top), figures) for space, (x, y) in sorted(middles.items())
        ),
        centre_mm=(size[0] / 2 + ROOM_MM, size[1] / 2 + ROOM_MM),
        corners=four_corners(FIRST_CORNER, size, MARGIN_MM / 2),
        facings=figures.facings,
        first_facing_deg=-30.0 if figures.is_pointy else 0.0,
    )


def _middle_mm(space: Hex, figures: Figures) -> PointMm:
    return space.pointy_middle_mm(SIDE_MM) if figures.is_pointy else space.middle_mm(SIDE_MM)


def _reach_mm(figures: Figures) -> PointMm:
    """From the middle of an outermost space to the edge of the map, x and y."""
    across, along = SIDE_MM * math.sqrt(3.0) / 2.0 + MARGIN_MM, SIDE_MM + MARGIN_MM
    return (across, along) if figures.is_pointy else (along, across)


def _space(space: Hex, middle: PointMm, figures: Figures) -> Space:
    outline = hex_outline(middle, SIDE_MM, 30.0 if figures.is_pointy else 0.0)
    sign = START_SIGN if space in figures.start_spaces else ""
    return Space(str(space), str(space), outline, sign)


# How seats and ships are drawn: a ship and its debris have its player's colour.


def _looks() -> dict[str, Look]:
    looks: dict[str, Look] = {wreck: Look(None, "wreckage", "W") for wreck in WRECKS}
    for colour, seat in enumerate(SEATS):
        looks[seat] = Look(colour, "", seat)
        looks[SHIPS[seat]] = Look(colour, "ship", seat)
        looks[DEBRIS_OF[seat]] = Look(colour, "debris", seat)
        for hull in HULLS[seat]:
            looks[hull] = Look(colour, "wreckage", "W")
    return looks


LOOKS: Mapping[str, Look] = _looks()
"""The look of every seat and token."""
