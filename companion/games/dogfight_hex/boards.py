"""The hexagon map of Dogfight! hex ships for camera and screen, and how its tokens are drawn.

The size of the printed map is not in the book: these are the sizes of our printed sheet and corner
markers, and a table's own file may give another shape.  (HX-MAT-01, RULING 1)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.board import BoardPlan, Look, Rgb, Token
from companion.games.dogfight_hex import seats
from companion.kit.hexes import TOKEN_COLOURS, hex_board, plan_of

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.games.dogfight_hex.cards import Figures


SIDE_MM = 32.0
"""The side of one hex, mm."""
BOARD = "Hexagon Map"
MARKERS = {
    **{seats.SHIPS[seat]: number for number, seat in enumerate(seats.SEATS, 60)},
    **{seats.DEBRIS_OF[seat]: number for number, seat in enumerate(seats.SEATS, 66)},
    **{piece: number for number, piece in enumerate(seats.WRECKAGE, 72)},
}
"""Ships 60 to 65, their other sides 66 to 71, wreckage and hull points 72 to 87."""
FIRST_CORNER = 88
"""Corner markers 88 to 91: top left, top right, bottom right, bottom left."""
START_SIGN = "start"
GREY: Rgb = (110, 112, 118)


def board_plan(figures: Figures, labels: Mapping[Piece, str] = seats.LABELS) -> BoardPlan:
    """One map of hexes; a token for each side of a ship, for wreckage and hull points.

    >>> from companion.games.dogfight_hex.cards import assumed_figures
    >>> plan = board_plan(assumed_figures())
    >>> len(plan.spaces), len(plan.tokens), plan.spaces["0,-5"].sign
    (91, 28, 'start')
    """
    starts = dict.fromkeys(figures.start_spaces, START_SIGN)
    spaces, pointy = figures.board.spaces, figures.is_pointy
    board = hex_board(BOARD, spaces, FIRST_CORNER, side_mm=SIDE_MM, pointy=pointy, signs=starts)
    return plan_of("dogfight-hex", board, _tokens(labels))


def _tokens(labels: Mapping[Piece, str]) -> list[Token]:
    tokens: list[Token] = []
    for seat, colour in zip(seats.SEATS, TOKEN_COLOURS, strict=True):
        ship, debris = seats.SHIPS[seat], seats.DEBRIS_OF[seat]
        flipped = Token(debris, labels[debris], MARKERS[debris], colour=colour, headed=False)
        ship_side = Token(ship, labels[ship], MARKERS[ship], colour=colour, other_side=flipped)
        tokens += [ship_side, flipped]
    wreckage = (
        Token(piece, labels[piece], MARKERS[piece], colour=GREY, headed=False)
        for piece in seats.WRECKAGE
    )
    return [*tokens, *wreckage]


# How seats and ships are drawn: a ship and its debris have its player's colour.


def _looks() -> dict[str, Look]:
    looks: dict[str, Look] = {wreck: Look(None, "wreckage", "W") for wreck in seats.WRECKS}
    for colour, seat in enumerate(seats.SEATS):
        looks[seat] = Look(colour, "", seat)
        looks[seats.SHIPS[seat]] = Look(colour, "ship", seat)
        looks[seats.DEBRIS_OF[seat]] = Look(colour, "debris", seat)
        for hull in seats.HULLS[seat]:
            looks[hull] = Look(colour, "wreckage", "W")
    return looks


LOOKS: Mapping[str, Look] = _looks()
"""The look of every seat and token."""
