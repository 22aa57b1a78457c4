"""The ring of locations for camera and map.  (RULING 2)

The ring says who is in RANGE. How the printed one looks is not in the book: our printed sheet lays
the locations around a square, and their number is a figure of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.core.board import (
    MARKERS,
    Board,
    BoardPlan,
    Look,
    Rgb,
    Space,
    Token,
    four_corners,
    looks_by_seat,
)
from companion.games.talespin_dogfight.seats import LABELS, SEATS, TOKENS

if TYPE_CHECKING:
    from companion.core.board import Piece


SIDE_MM = 80.0
"""The side of one location, mm: four tokens lie on it beside each other."""
MARGIN_MM = 45.0
"""Around the ring, where the corner markers lie."""
ROOM_MM = 40.0
"""Of table around the board, mm."""
BOARD = "Locations"
FIRST_TOKEN, FIRST_CORNER = 100, 104
"""Tokens are markers 100 to 103, corners 104 to 107: top left and on clockwise."""
COLOURS: tuple[Rgb, ...] = ((176, 58, 46), (36, 113, 163), (183, 149, 11), (30, 132, 73))


def space_of(location: int) -> str:
    """A location as pieces name it: "location-3"."""
    return f"location-{location}"


def in_words(space: str) -> str:
    """A location in a sentence: "location 3"."""
    return space.replace("-", " ")


def location_of(space: str) -> int:
    """The number in a space's name; ValueError where it is none."""
    return int(space.removeprefix("location-"))


def board_plan(locations: int = 12, labels: Mapping[Piece, str] = LABELS) -> BoardPlan:
    """One board of locations around a square, and a token for each player.

    >>> plan = board_plan()
    >>> len(plan.spaces), len(plan.tokens), plan.spaces["location-1"].label
    (12, 4, '1')
    """
    side = _cells_a_side(locations)
    size = (side * SIDE_MM + 2 * MARGIN_MM, side * SIDE_MM + 2 * MARGIN_MM)
    board = Board(
        name=BOARD,
        owner="",
        size_mm=size,
        spaces=tuple(
            _space(number, cell)
            for number, cell in zip(range(1, locations + 1), _around(side), strict=False)
        ),
        centre_mm=(size[0] / 2 + ROOM_MM, size[1] / 2 + ROOM_MM),
        corners=four_corners(FIRST_CORNER, size, MARGIN_MM / 2),
    )
    return BoardPlan(
        box="talespin-dogfight",
        dictionary=MARKERS,
        boards=(board,),
        tokens=tuple(
            Token(TOKENS[seat], labels[TOKENS[seat]], FIRST_TOKEN + number, colour=COLOURS[number])
            for number, seat in enumerate(SEATS)
        ),
        table_mm=(size[0] + 2 * ROOM_MM, size[1] + 2 * ROOM_MM),
    )


def _cells_a_side(locations: int) -> int:
    """The smallest square whose rim has room for so many."""
    return max(2, -(-locations // 4) + 1)


def _around(side: int) -> list[tuple[int, int]]:
    """The cells of a square's rim, column and row, clockwise from the top left."""
    last = side - 1
    return [
        *((column, 0) for column in range(last)),
        *((last, row) for row in range(last)),
        *((column, last) for column in range(last, 0, -1)),
        *((0, row) for row in range(last, 0, -1)),
    ]


def _space(number: int, cell: tuple[int, int]) -> Space:
    left, top = (MARGIN_MM + place * SIDE_MM for place in cell)
    right, bottom = left + SIDE_MM, top + SIDE_MM
    outline = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Space(space_of(number), str(number), outline)


# How seats and planes are drawn: a plane has its player's colour.

LOOKS: Mapping[str, Look] = looks_by_seat(TOKENS)
"""The look of every seat and token."""
