"""Hexagonal boards: spaces, facings, front and rear, lines, and where a flight may end.

Axial coordinates: the centre space is (0, 0), facing 0 is the step (0, -1), facings run clockwise.
That is north where hexes have flat tops, north-west where they have a corner on top.
Nothing here knows a game: a box says how far a plane may fly and where it may not end. Last come
a board of hexes and a whole plan of it, in millimetres, for camera and screen.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.board import (
    FREE_MARKERS,
    MARKERS,
    Board,
    BoardPlan,
    Piece,
    PointMm,
    Pose,
    Rgb,
    Space,
    Token,
    four_corners,
    hex_outline,
)

STEPS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
"""What facing 0 to 5 adds to (q, r)."""

FLAT_TOP_NAMES = ("N", "NE", "SE", "S", "SW", "NW")
"""Facings of a board whose hexes have flat tops, clockwise from facing 0."""

POINTY_TOP_NAMES = ("NW", "NE", "E", "SE", "SW", "W")
"""Facings of a board whose hexes have a corner on top, clockwise from facing 0."""

_SPACE_FIRST = re.compile(r"(-?\d+\s*,\s*-?\d+)(?:\s+(.*))?")

LEFT, CENTER, RIGHT = -1, 0, 1
"""The three Front spaces, by what entering one adds to the facing."""


class Hex(NamedTuple):
    """One space, by axial coordinates.

    >>> Hex(0, 0).ahead(1), str(Hex(1, -1))
    (Hex(q=1, r=-1), '1,-1')
    """

    q: int
    r: int

    def __str__(self) -> str:
        return f"{self.q},{self.r}"

    @classmethod
    def read(cls, name: str) -> Hex:
        """The space of that name ("1,-2"); ValueError if it is no name of a space."""
        return _read_space(name)

    def ahead(self, facing: int, spaces: int = 1) -> Hex:
        """The space so many steps away in a facing's direction."""
        dq, dr = STEPS[facing % 6]
        return Hex(self.q + dq * spaces, self.r + dr * spaces)

    def distance(self, other: Hex) -> int:
        """How many steps away another space lies."""
        dq, dr = self.q - other.q, self.r - other.r
        return (abs(dq) + abs(dr) + abs(dq + dr)) // 2

    def is_in_line(self, other: Hex) -> bool:
        """Whether another space lies straight ahead in one of the six directions.

        >>> Hex(0, 0).is_in_line(Hex(-3, 3)), Hex(0, 0).is_in_line(Hex(1, 1))
        (True, False)
        """
        dq, dr = self.q - other.q, self.r - other.r
        return dq == 0 or dr == 0 or dq == -dr

    def middle_mm(self, side_mm: float) -> tuple[float, float]:
        """Its middle, x right and y down from the middle of (0, 0), hexes with flat tops, mm."""
        return (1.5 * side_mm * self.q, math.sqrt(3.0) * side_mm * (self.r + self.q / 2.0))

    def pointy_middle_mm(self, side_mm: float) -> tuple[float, float]:
        """The same where hexes have a corner on top: facing 0 then points up to the left.

        >>> x, y = Hex(0, -1).pointy_middle_mm(10.0)
        >>> round(x, 2), y
        (-8.66, -15.0)
        """
        return (math.sqrt(3.0) * side_mm * (self.q + self.r / 2.0), 1.5 * side_mm * self.r)

    def turned(self, sixths: int) -> Hex:
        """The space after a turn about (0, 0), in steps of 60 degrees clockwise.

        >>> Hex(0, -1).turned(1), Hex(0, -1).turned(-1)
        (Hex(q=1, r=-1), Hex(q=-1, r=0))
        """
        q, r = self.q, self.r
        for _ in range(sixths % 6):
            q, r = -r, q + r
        return Hex(q, r)


class Heading(NamedTuple):
    """A plane on a space, with its facing 0 to 5.

    >>> Heading(Hex(0, 0), 0).advanced(LEFT)
    Heading(hex=Hex(q=-1, r=0), facing=5)
    """

    hex: Hex
    facing: int

    def advanced(self, side: int) -> Heading:
        """One space into a Front space; the plane then faces the way it moved."""
        facing = (self.facing + side) % 6
        return Heading(self.hex.ahead(facing), facing)

    def turned(self, sixths: int) -> Heading:
        """The place after a turn on the spot, in steps of 60 degrees clockwise."""
        return Heading(self.hex, (self.facing + sixths) % 6)

    def name(self, names: tuple[str, ...] = FLAT_TOP_NAMES) -> str:
        """The place as people write it: "0,-1 N"."""
        return _place_name(self, names)

    @classmethod
    def read(cls, text: str, names: tuple[str, ...] = FLAT_TOP_NAMES) -> Heading:
        """The place that people wrote so; ValueError says what is expected."""
        space, _, facing = text.strip().rpartition(" ")
        if facing.upper() not in names:
            raise ValueError(f"{text!r}: a space and a heading, as 0,-1 {names[0]}; headings: "
                             f"{', '.join(names)}")  # fmt: skip
        return cls(Hex.read(space), names.index(facing.upper()))


def parted(told: str) -> tuple[str, str]:
    """The space that is named first, and what follows it; else all but the last word, and that.

    >>> parted(" 0, -1 nw"), parted("-1,0"), parted("stay")
    (('0, -1', 'nw'), ('-1,0', ''), ('stay', ''))
    """
    found = _SPACE_FIRST.fullmatch(told.strip())
    if found is not None:
        return found[1], found[2] or ""
    words = told.rsplit(maxsplit=1)
    return (words[0], words[1]) if len(words) > 1 else (told.strip(), "")


@lru_cache(maxsize=8192)
def _place_name(place: Heading, names: tuple[str, ...]) -> str:
    """Every option of every movement is named: the same places come again and again."""
    return f"{place.hex} {names[place.facing]}"


@lru_cache(maxsize=8192)
def pose_of(place: Heading) -> Pose:
    """A place as cameras and maps have it.

    >>> pose_of(Heading(Hex(0, -1), 2))
    Pose(space='0,-1', facing=2)
    """
    return Pose(str(place.hex), place.facing)


def heading_of(pose: Pose) -> Heading:
    """A place that a camera or map named; ValueError without a heading."""
    if pose.facing is None:
        raise ValueError(f"{pose.space} has no heading")
    return Heading(Hex.read(pose.space), pose.facing)


def front(facing: int) -> tuple[int, int, int]:
    """The facings of the left, Center and right Front spaces."""
    return ((facing - 1) % 6, facing, (facing + 1) % 6)


def rear(facing: int) -> tuple[int, int, int]:
    """The directions of the three Rear spaces: right rear, straight behind, left rear."""
    return ((facing + 2) % 6, (facing + 3) % 6, (facing + 4) % 6)


def range_ahead(plane: Heading, target: Hex) -> int | None:
    """How many spaces straight ahead a target lies; None if it is not on that line.

    >>> range_ahead(Heading(Hex(0, 0), 0), Hex(0, -3))
    3
    """
    dq, dr = target.q - plane.hex.q, target.r - plane.hex.r
    step_q, step_r = STEPS[plane.facing]
    spaces = max(abs(dq), abs(dr))
    if spaces and (dq, dr) == (step_q * spaces, step_r * spaces):
        return spaces
    return None


def hexagon(radius: int) -> Iterator[Hex]:
    """All spaces of a regular hexagon of hexes around (0, 0)."""
    for q in range(-radius, radius + 1):
        for r in range(max(-radius, -q - radius), min(radius, -q + radius) + 1):
            yield Hex(q, r)


Flight = tuple[Heading, tuple[int, ...]]
"""One way to advance: where it ends, and the sides by which spaces were entered."""


class HexMap:
    """The spaces of one board, of any shape, and what lies next to what."""

    def __init__(self, spaces: Iterable[Hex]) -> None:
        self.spaces = frozenset(spaces)
        self._flights: dict[tuple[Heading, int, int], tuple[Flight, ...]] = {}

    def __reduce__(self) -> tuple[Callable[[frozenset[Hex]], HexMap], tuple[frozenset[Hex]]]:
        """A board is its spaces: a packed one does not carry all flights that were asked for."""
        return _board_of, (self.spaces,)

    def __deepcopy__(self, _memo: object) -> HexMap:
        """Itself: a board does not change."""
        return self

    def __contains__(self, space: object) -> bool:
        return space in self.spaces

    @cached_property
    def beside(self) -> Mapping[Hex, tuple[Hex | None, ...]]:
        """Every space's neighbours by facing 0 to 5; None where the board ends."""
        return {
            space: tuple(
                near if (near := space.ahead(facing)) in self.spaces else None
                for facing in range(6)
            )
            for space in self.spaces
        }

    def apart_from(self, start: Hex) -> frozenset[Hex]:
        """Spaces to which no steps on the board lead from `start`; none on a board in one piece.

        >>> HexMap([Hex(0, 0), Hex(0, 1), Hex(5, 5)]).apart_from(Hex(0, 0))
        frozenset({Hex(q=5, r=5)})
        """
        found, edge = {start}, [start]
        while edge:
            near = {space for space in self.beside[edge.pop()] if space is not None} - found
            found |= near
            edge += near
        return self.spaces - found

    @cached_property
    def corners(self) -> tuple[Hex, ...]:
        """The farthest space from (0, 0) in each facing's direction, 0 to 5."""
        return tuple(self._farthest(facing) for facing in range(6))

    def _farthest(self, facing: int) -> Hex:
        space = Hex(0, 0)
        while space.ahead(facing) in self.spaces:
            space = space.ahead(facing)
        return space

    def front_of(self, plane: Heading) -> tuple[Hex | None, ...]:
        """The left, Center and right Front spaces; None where the board ends."""
        near, facing = self.beside[plane.hex], plane.facing
        return (near[facing - 1], near[facing], near[(facing + 1) % 6])

    def free_front(self, plane: Heading, occupied: Collection[Hex]) -> list[Heading]:
        """Where one step forward may end: on the board, and on no other plane."""
        ends = (plane.advanced(side) for side in (LEFT, CENTER, RIGHT))
        return [end for end in ends if end.hex in self.spaces and end.hex not in occupied]

    def flights(self, plane: Heading, fewest: int, most: int) -> Sequence[Flight]:
        """Every way to advance `fewest` to `most` spaces: where it ends, and the sides entered.

        No step leaves the board; what stands in the way is flown through. Whether a flight may end
        where it does is for the caller to say. Each list is made once: a board does not change.
        """
        known = self._flights.get((plane, fewest, most))
        if known is None:
            known = self._flights[plane, fewest, most] = tuple(self._fly(plane, fewest, most))
        return known

    def _fly(self, plane: Heading, fewest: int, most: int) -> Iterator[Flight]:
        beside = self.beside
        edge: list[Flight] = [(plane, ())]
        if fewest == 0:
            yield edge[0]
        for steps in range(1, most + 1):
            beyond: list[Flight] = []
            for (space, facing), sides in edge:
                near = beside[space]
                for side in (LEFT, CENTER, RIGHT):
                    turned = (facing + side) % 6
                    entered = near[turned]
                    if entered is not None:
                        beyond.append((Heading(entered, turned), (*sides, side)))
            if steps >= fewest:
                yield from beyond
            edge = beyond


@lru_cache(maxsize=16)
def _board_of(spaces: frozenset[Hex]) -> HexMap:
    """The one board that all copies of a position share once they are unpacked."""
    return HexMap(spaces)


# Boards of hexes with markers, in millimetres.

MARGIN_MM = 45.0
"""Around the outermost spaces, where the corner markers lie."""
ROOM_MM = 40.0
"""Of table around a board."""
TOKEN_COLOURS: tuple[Rgb, ...] = (
    (176, 58, 46), (36, 113, 163), (183, 149, 11), (30, 132, 73), (125, 60, 152), (20, 143, 119),
)  # fmt: skip
"""Of tokens as drawn tables and sheets show them, seat by seat."""


def hex_board(
    name: str,
    spaces: Iterable[Hex],
    first_corner: int,
    *,
    side_mm: float = 32.0,
    pointy: bool = False,
    headings: bool = True,
    signs: Mapping[Hex, str] | None = None,
) -> Board:
    """A board of hexes of that side, four corner markers from `first_corner` on around it.

    `pointy`: hexes have a corner on top. Without `headings` no camera tells which way a piece
    points. `signs` are printed in the middle of spaces.

    >>> board = hex_board("Map", hexagon(1), 124)
    >>> len(board.spaces), [*(board.corners or ())], [round(mm) for mm in board.size_mm]
    (7, [124, 125, 126, 127], [250, 256])
    """
    middles = {
        space: space.pointy_middle_mm(side_mm) if pointy else space.middle_mm(side_mm)
        for space in spaces
    }
    across, along = side_mm * math.sqrt(3.0) / 2.0 + MARGIN_MM, side_mm + MARGIN_MM
    reach_x, reach_y = (across, along) if pointy else (along, across)
    left = min(x for x, _ in middles.values()) - reach_x
    top = min(y for _, y in middles.values()) - reach_y
    right = max(x for x, _ in middles.values()) + reach_x
    bottom = max(y for _, y in middles.values()) + reach_y
    size = (right - left, bottom - top)

    def printed(space: Hex, middle: PointMm) -> Space:
        outline = hex_outline(middle, side_mm, 30.0 if pointy else 0.0)
        return Space(str(space), str(space), outline, (signs or {}).get(space, ""))

    return Board(
        name=name,
        owner="",
        size_mm=size,
        spaces=tuple(
            printed(space, (x - left, y - top)) for space, (x, y) in sorted(middles.items())
        ),
        centre_mm=(size[0] / 2 + ROOM_MM, size[1] / 2 + ROOM_MM),
        corners=four_corners(first_corner, size, MARGIN_MM / 2),
        facings=() if not headings else POINTY_TOP_NAMES if pointy else FLAT_TOP_NAMES,
        first_facing_deg=-30.0 if pointy else 0.0,
    )


def plan_of(box: str, board: Board, tokens: Iterable[Token]) -> BoardPlan:
    """The plan of one board with room around it."""
    width, height = board.size_mm
    table_mm = (width + 2 * ROOM_MM, height + 2 * ROOM_MM)
    return BoardPlan(box, MARKERS, (board,), tuple(tokens), table_mm)


def hex_plan(
    box: str,
    spaces: Iterable[Hex],
    pieces: Mapping[Piece, str],
    *,
    pointy: bool = False,
    headings: bool = True,
    unheaded: Collection[Piece] = (),
    first_marker: int = FREE_MARKERS.start,
) -> BoardPlan:
    """A board of hexes, and a token for each piece with what is written on it.

    Without `headings` no camera tells which way a piece points; `unheaded` are the pieces that
    point nowhere on a board that has them.
    The markers count on from the first: four corners, then the pieces in their order. Where none
    is named they are such as no box here bears.

    >>> plan = hex_plan("kites", hexagon(3), {Piece("red"): "Red kite", Piece("blue"): "Blue kite"})
    >>> len(plan.spaces), {token.label: token.marker for token in plan.tokens}
    (37, {'Red kite': 128, 'Blue kite': 129})
    """
    board = hex_board("Map", spaces, first_marker, pointy=pointy, headings=headings)
    tokens = [
        Token(
            piece,
            label,
            first_marker + 4 + at,
            colour=TOKEN_COLOURS[at % len(TOKEN_COLOURS)],
            headed=piece not in unheaded,
        )
        for at, (piece, label) in enumerate(pieces.items())
    ]
    return plan_of(box, board, tokens)


@lru_cache(maxsize=4096)
def _read_space(name: str) -> Hex:
    q, _, r = name.partition(",")
    try:
        return Hex(int(q), int(r))
    except ValueError:
        text = f"{name!r} is no space; a space is named q,r as in 1,-2"
        raise ValueError(text) from None
