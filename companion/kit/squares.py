"""Boards of squares: spaces, headings, steps and distances, and such a board with markers.

Columns count to the right and rows down, from 1,1 at the top left; a step goes straight or aslant.
Facing 0 is north, up the board, and facings run clockwise in eighths of a turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from companion.core.board import FREE_MARKERS, Board, BoardPlan, Piece, PointMm, Space, four_corners
from companion.kit.hexes import MARGIN_MM, ROOM_MM, plan_of, tokens_of

STEPS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""What facing 0 to 7 adds to column and row."""
SQUARE_NAMES = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Facings of a board of squares, clockwise from facing 0."""


class Square(NamedTuple):
    """One space, by column and row.

    >>> Square(2, 2).ahead(1), str(Square(3, 1)), Square(1, 1).distance(Square(4, 3))
    (Square(column=3, row=1), '3,1', 3)
    """

    column: int
    row: int

    def __str__(self) -> str:
        return f"{self.column},{self.row}"

    @classmethod
    def read(cls, name: str) -> Square:
        """The space of that name ("3,4"); ValueError if it is no name of a space."""
        column, _, row = name.partition(",")
        try:
            return cls(int(column), int(row))
        except ValueError:
            text = f"{name!r} is no space; a space is named column,row as in 3,4"
            raise ValueError(text) from None

    def ahead(self, facing: int, spaces: int = 1) -> Square:
        """The space so many steps away in a facing's direction."""
        across, down = STEPS[facing % 8]
        return Square(self.column + across * spaces, self.row + down * spaces)

    def distance(self, other: Square) -> int:
        """How many steps away another space lies; one aslant is one."""
        return max(abs(self.column - other.column), abs(self.row - other.row))

    def facing_to(self, other: Square) -> int | None:
        """The facing in which another space lies straight ahead; None if it is in no line.

        >>> Square(2, 2).facing_to(Square(4, 4)), Square(2, 2).facing_to(Square(4, 3))
        (3, None)
        """
        spaces = self.distance(other)
        return next((f for f in range(8) if spaces and self.ahead(f, spaces) == other), None)


class SquareHeading(NamedTuple):
    """A plane on a square, with its facing 0 to 7.

    >>> SquareHeading(Square(2, 2), 0).advanced(1).name()
    '3,1 NE'
    """

    square: Square
    facing: int

    def advanced(self, side: int) -> SquareHeading:
        """One space ahead after a turn by `side` eighths; the plane then faces the way it moved."""
        facing = (self.facing + side) % 8
        return SquareHeading(self.square.ahead(facing), facing)

    def turned(self, eighths: int) -> SquareHeading:
        """The place after a turn on the spot, in steps of 45 degrees clockwise."""
        return SquareHeading(self.square, (self.facing + eighths) % 8)

    def name(self) -> str:
        """The place as people write it: "3,4 NE"."""
        return f"{self.square} {SQUARE_NAMES[self.facing]}"

    @classmethod
    def read(cls, text: str) -> SquareHeading:
        """The place that people wrote so; ValueError says what is expected."""
        space, _, facing = text.strip().rpartition(" ")
        if facing.upper() not in SQUARE_NAMES:
            raise ValueError(f"{text!r}: a space and a heading, as 3,4 N; headings: "
                             f"{', '.join(SQUARE_NAMES)}")  # fmt: skip
        return cls(Square.read(space), SQUARE_NAMES.index(facing.upper()))


def rectangle(columns: int, rows: int) -> Iterator[Square]:
    """All spaces of a board so wide and so high.

    >>> [str(space) for space in rectangle(2, 2)]
    ['1,1', '2,1', '1,2', '2,2']
    """
    for row in range(1, rows + 1):
        for column in range(1, columns + 1):
            yield Square(column, row)


class SquareMap:
    """The spaces of one board of squares, of any shape, and what lies next to what."""

    def __init__(self, spaces: Iterable[Square]) -> None:
        self.spaces = frozenset(spaces)

    def __deepcopy__(self, _memo: object) -> SquareMap:
        """Itself: a board does not change."""
        return self

    def __contains__(self, space: object) -> bool:
        return space in self.spaces

    @cached_property
    def beside(self) -> Mapping[Square, tuple[Square | None, ...]]:
        """Every space's neighbours by facing 0 to 7; None where the board ends."""
        return {
            space: tuple(
                near if (near := space.ahead(facing)) in self.spaces else None
                for facing in range(8)
            )
            for space in self.spaces
        }

    def flights(self, plane: SquareHeading, fewest: int, most: int) -> list[SquareHeading]:
        """Where a plane may be after so many steps, each ahead or aslant; none leaves the board.

        >>> there = SquareHeading(Square(1, 1), 2)
        >>> [end.name() for end in SquareMap(rectangle(2, 2)).flights(there, 1, 1)]
        ['2,1 E', '2,2 SE']
        """
        ends = {plane} if fewest == 0 else set[SquareHeading]()
        edge = {plane}
        for steps in range(1, most + 1):
            ahead = {place.advanced(side) for place in edge for side in (-1, 0, 1)}
            edge = {place for place in ahead if place.square in self.spaces}
            if steps >= fewest:
                ends |= edge
        return sorted(ends)


# A board of squares with markers, in millimetres.


def square_board(
    name: str,
    spaces: Iterable[Square],
    first_corner: int,
    *,
    side_mm: float = 50.0,
    headings: bool = True,
    signs: Mapping[Square, str] | None = None,
) -> Board:
    """A board of squares of that side, four corner markers from `first_corner` on around it.

    Without `headings` no camera tells which way a piece points. `signs` are printed in the middle
    of spaces.

    >>> board = square_board("Map", rectangle(3, 2), 124)
    >>> len(board.spaces), [*(board.corners or ())], board.size_mm
    (6, [124, 125, 126, 127], (240.0, 190.0))
    """
    listed = sorted(spaces)
    left, top = min(space.column for space in listed), min(space.row for space in listed)
    wide = max(space.column for space in listed) - left + 1
    high = max(space.row for space in listed) - top + 1
    size = (wide * side_mm + 2 * MARGIN_MM, high * side_mm + 2 * MARGIN_MM)

    def printed(space: Square) -> Space:
        x, y = MARGIN_MM + (space.column - left) * side_mm, MARGIN_MM + (space.row - top) * side_mm
        corners: tuple[PointMm, ...] = (
            (x, y), (x + side_mm, y), (x + side_mm, y + side_mm), (x, y + side_mm),
        )  # fmt: skip
        return Space(str(space), str(space), corners, (signs or {}).get(space, ""))

    return Board(
        name=name,
        owner="",
        size_mm=size,
        spaces=tuple(printed(space) for space in listed),
        centre_mm=(size[0] / 2 + ROOM_MM, size[1] / 2 + ROOM_MM),
        corners=four_corners(first_corner, size, MARGIN_MM / 2),
        facings=SQUARE_NAMES if headings else (),
    )


def square_plan(
    box: str,
    spaces: Iterable[Square],
    pieces: Mapping[Piece, str],
    *,
    headings: bool = True,
    unheaded: Collection[Piece] = (),
    first_marker: int = FREE_MARKERS.start,
) -> BoardPlan:
    """A board of squares, and a token for each piece with what is written on it.

    All else is as in `hex_plan`.

    >>> plan = square_plan("kites", rectangle(5, 5), {Piece("red"): "Red kite"})
    >>> len(plan.spaces), {token.label: token.marker for token in plan.tokens}
    (25, {'Red kite': 128})
    """
    board = square_board("Map", spaces, first_marker, headings=headings)
    return plan_of(box, board, tokens_of(pieces, first_marker + 4, unheaded))
