"""The map of Starship Edition: its squares, distances and sight, and how a camera knows it.

The size of the printed squares is not in the book: these are the sizes of our printed sheets.
(SE-SET-02, RULING 3)
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from companion.core.board import (
    MARKERS,
    Board,
    BoardPlan,
    Look,
    PointMm,
    Space,
    Token,
    four_corners,
    hex_outline,
    looks_by_seat,
)
from companion.core.errors import BadFile
from companion.core.text import counted
from companion.games.starship_edition.cards import FilePart
from companion.games.starship_edition.seats import NAMES, SEATS, VESSELS, vessel_called
from companion.kit.hexes import STEPS as HEX_STEPS

if TYPE_CHECKING:
    from companion.core.ruling import Seat


# StarMap: distances, reach and lines of sight.

Spot = tuple[int, int]
"""Column and row from the top left of a square map, or q and r of a hex map."""

STRAIGHT = ((0, -1), (1, 0), (0, 1), (-1, 0))
DIAGONAL = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
SQUARE_HEADINGS = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
HEX_HEADINGS = ("NW", "NE", "E", "SE", "SW", "W")
_HAIR = 1e-6
"""A line that only touches a corner is not stopped there."""


def name_of(spot: Spot) -> str:
    """A space as it is called.

    >>> name_of((3, 4))
    '3,4'
    """
    return f"{spot[0]},{spot[1]}"


def read_spot(raw: object) -> Spot:
    """The space of that name; ValueError if it is none.

    >>> read_spot(" 3, 4")
    (3, 4)
    """
    column, _, row = str(raw).partition(",")
    try:
        return (int(column), int(row))
    except ValueError:
        raise ValueError(f"{raw!r} names no space; spaces go as 3,4 [RULING 3]") from None


@dataclass(frozen=True, eq=False)
class StarMap:
    """Every space of the map; `starts` has the letters, `blocked` the obstructions.

    `is_hex` tells the grid, `diagonal` whether a diagonal step of squares counts as one,
    `has_headings` whether a camera is to read which way a vessel points.
    """

    spaces: frozenset[Spot]
    blocked: frozenset[Spot]
    starts: Mapping[Spot, str]
    is_hex: bool = False
    diagonal: bool = True
    has_headings: bool = False

    @property
    def headings(self) -> tuple[str, ...]:
        """What the headings are called, clockwise from heading 0."""
        return HEX_HEADINGS if self.is_hex else SQUARE_HEADINGS

    @cached_property
    def steps(self) -> tuple[Spot, ...]:
        """What one step may add to a space."""
        if self.is_hex:
            return HEX_STEPS
        return DIAGONAL if self.diagonal else STRAIGHT

    @cached_property
    def start_names(self) -> Mapping[str, Spot]:
        """Each start space by its letter, with the space where a letter stands twice."""
        letters = list(self.starts.values())
        return {
            letter if letters.count(letter) == 1 else f"{letter} {name_of(spot)}": spot
            for spot, letter in sorted(self.starts.items(), key=lambda start: (start[1], start[0]))
        }

    @cached_property
    def board(self) -> Board:
        """The map as it lies on the table."""
        return _board(self)

    def distance(self, one: Spot, other: Spot) -> int:
        """How many spaces away another lies; 0 is the own one.

        >>> StarMap(frozenset(), frozenset(), {}).distance((1, 1), (4, 3))
        3
        """
        across, down = other[0] - one[0], other[1] - one[1]
        if self.is_hex:
            return (abs(across) + abs(down) + abs(across + down)) // 2
        if self.diagonal:
            return max(abs(across), abs(down))
        return abs(across) + abs(down)

    def reach(self, start: Spot, most: int) -> Mapping[Spot, int]:
        """Every space that so many steps lead to, round obstructions, with the fewest steps."""
        found, edge = {start: 0}, [start]
        for step in range(1, most + 1):
            edge = [
                spot
                for spot in dict.fromkeys(near for at in edge for near in self._beside(at))
                if spot not in found
            ]
            found.update(dict.fromkeys(edge, step))
        return found

    def _beside(self, spot: Spot) -> Iterator[Spot]:
        for across, down in self.steps:
            near = (spot[0] + across, spot[1] + down)
            if near in self.spaces and near not in self.blocked:
                yield near

    def sees(self, one: Spot, other: Spot) -> bool:
        """Whether the line between the middles of two spaces crosses no obstruction.

        A line along an edge, or through a corner, is free.
        """
        return not any(self._crosses(one, other, spot) for spot in self.blocked - {one, other})

    def _crosses(self, one: Spot, other: Spot, blocked: Spot) -> bool:
        """Whether a line goes through the inside of a space: by clipping it at each edge."""
        (ax, ay), (bx, by) = self.middle(one), self.middle(other)
        mx, my = self.middle(blocked)
        enters, leaves = 0.0, 1.0
        for nx, ny, reach in self._edges:
            start = nx * (ax - mx) + ny * (ay - my) - reach
            slope = nx * (bx - ax) + ny * (by - ay)
            if abs(slope) < _HAIR:
                if start > -_HAIR:
                    return False
            elif slope > 0:
                leaves = min(leaves, -start / slope)
            else:
                enters = max(enters, -start / slope)
        return leaves - enters > _HAIR

    @cached_property
    def _edges(self) -> tuple[tuple[float, float, float], ...]:
        """Each side of a space: its outward direction, and how far it lies from the middle."""
        if self.is_hex:
            root = 3.0**0.5
            return tuple(
                (x, y, root / 2)
                for x, y in ((1.0, 0.0), (0.5, root / 2), (-0.5, root / 2),
                             (-1.0, 0.0), (-0.5, -root / 2), (0.5, -root / 2))
            )  # fmt: skip
        return ((1.0, 0.0, 0.5), (-1.0, 0.0, 0.5), (0.0, 1.0, 0.5), (0.0, -1.0, 0.5))

    def middle(self, spot: Spot) -> tuple[float, float]:
        """The middle of a space: squares of side 1, hexes (a corner on top) of side 1."""
        if not self.is_hex:
            return (float(spot[0]), float(spot[1]))
        return (3.0**0.5 * (spot[0] + spot[1] / 2.0), 1.5 * spot[1])

    @cached_property
    def apart(self) -> Collection[Spot]:
        """Free spaces that no way leads to from a start; a vessel there could never leave."""
        free = self.spaces - self.blocked
        if not self.starts or not free:
            return ()
        return free - set(self.reach(min(self.starts), len(free)))


# The map for camera and screen, in millimetres.

SIDE_MM = 45.0
"""The side of a square space, mm."""
HEX_SIDE_MM = 28.0
"""The side of a hex space, mm."""
MARGIN_MM = 45.0
"""Around the outermost spaces, where the corner markers lie."""
ROOM_MM = 40.0
"""Of table around the map, mm."""
BOARD = "Star map"
FIRST_VESSEL, FIRST_CORNER = 30, 36
"""Vessels A to F have the markers 30 to 35, the corners 36 to 39."""


def board_plan(star_map: StarMap | None, people: Mapping[Seat, str] = NAMES) -> BoardPlan:
    """One board of the map's spaces and a token for each vessel; no board without a map.

    `people` are the players by their seats: whose vessel it is says its label.

    >>> from companion.games.starship_edition.figures import assumed_figures
    >>> plan = board_plan(assumed_figures().map_for(2))
    >>> len(plan.spaces), plan.spaces["1,1"].label
    (64, 'A')
    """
    boards = (star_map.board,) if star_map is not None else ()
    width, height = boards[0].size_mm if boards else (0.0, 0.0)
    return BoardPlan(
        box="starship-edition",
        dictionary=MARKERS,
        boards=boards,
        tokens=tuple(
            Token(
                VESSELS[seat],
                vessel_called(seat, people.get(seat, NAMES[seat])),
                marker=FIRST_VESSEL + number,
            )
            for number, seat in enumerate(SEATS)
        ),
        table_mm=(width + 2 * ROOM_MM, height + 2 * ROOM_MM),
    )


def _board(star_map: StarMap) -> Board:
    outlines = {spot: _outline(star_map, spot) for spot in sorted(star_map.spaces)}
    xs = [x for outline in outlines.values() for x, _ in outline]
    ys = [y for outline in outlines.values() for _, y in outline]
    left, top = min(xs) - MARGIN_MM, min(ys) - MARGIN_MM
    size = (max(xs) + MARGIN_MM - left, max(ys) + MARGIN_MM - top)
    return Board(
        name=BOARD,
        owner="",
        size_mm=size,
        spaces=tuple(
            _space(star_map, spot, [(x - left, y - top) for x, y in outline])
            for spot, outline in outlines.items()
        ),
        centre_mm=(size[0] / 2 + ROOM_MM, size[1] / 2 + ROOM_MM),
        corners=four_corners(FIRST_CORNER, size, MARGIN_MM / 2),
        facings=star_map.headings if star_map.has_headings else (),
        first_facing_deg=-30.0 if star_map.is_hex and star_map.has_headings else 0.0,
    )


def _space(star_map: StarMap, spot: Spot, outline: Sequence[PointMm]) -> Space:
    letter = star_map.starts.get(spot, "")
    sign = "cross" if spot in star_map.blocked else ""
    return Space(name_of(spot), letter or name_of(spot), tuple(outline), sign)


def _outline(star_map: StarMap, spot: Spot) -> list[PointMm]:
    x, y = star_map.middle(spot)
    if not star_map.is_hex:
        half = SIDE_MM / 2
        corners = ((-half, -half), (half, -half), (half, half), (-half, half))
        return [(x * SIDE_MM + dx, y * SIDE_MM + dy) for dx, dy in corners]
    return list(hex_outline((HEX_SIDE_MM * x, HEX_SIDE_MM * y), HEX_SIDE_MM, -30.0))


# Squares that players bring, and how they are laid together.

SIGNS = ".# " + string.ascii_uppercase
WIDEST = 12
_TURNED = re.compile(r"^(.*?)(?:@(0|90|180|270))?$")
_PLACED = "SE-SET-05"

Row = Annotated[str, Field(min_length=1, max_length=WIDEST)]


Players = Literal["2", "3", "4", "5", "6"]
Layout = Annotated[list[Annotated[list[str], Field(min_length=1)]], Field(min_length=1)]
"""Rows of squares by their names, the top row first."""


class Square(FilePart):
    """One map square."""

    rows: Annotated[list[Row], Field(min_length=1, max_length=WIDEST)]


class MapPart(FilePart):
    """How the map is laid; `layouts` has rows of squares for each number of players."""

    kind: Literal["square", "hex", "none"]
    diagonal_steps: bool = True
    headings: bool = False
    layouts: dict[Players, Layout] = Field(default_factory=dict[Players, Layout])


def star_map(
    part: MapPart, squares: Mapping[str, Square], players: int, source: str
) -> StarMap | None:
    """The map for so many players, None where there is no map file; BadFile names the place."""
    if part.kind == "none":
        return None
    place = f"map.layouts.{players}"
    layout = next((rows for key, rows in part.layouts.items() if key == str(players)), None)
    if layout is None:
        known = ", ".join(part.layouts) or "none"
        raise BadFile(source, place, f"no layout for {players} players; there is one for {known}")
    rows = _laid(layout, squares, place, source)
    if len({len(row) for row in rows}) > 1:
        raise BadFile(source, place, "its rows are not equally wide; fill each with squares")
    made = _read(tuple(rows), part.kind, part.diagonal_steps, part.headings)
    _refuse(made, players, place, source)
    return made


def judge_squares(squares: Mapping[str, Square], source: str) -> None:
    """Every square must be a rectangle of known signs; BadFile names row and column."""
    for name, square in squares.items():
        width = len(square.rows[0])
        for number, row in enumerate(square.rows):
            place = f"squares.{name}.rows.{number}"
            if len(row) != width:
                text = f"{len(row)} signs; the first row has {width}, so all must"
                raise BadFile(source, place, text)
            wrong = next((at for at, sign in enumerate(row) if sign not in SIGNS), None)
            if wrong is not None:
                text = f"column {wrong + 1} has {row[wrong]!r}"
                allowed = '"." space, "#" obstruction, blank for none, A to Z a start space'
                raise BadFile(source, place, f"{text}; there are {allowed}")


def judge_layouts(part: MapPart, squares: Mapping[str, Square], source: str) -> None:
    """Every layout must make a map; BadFile names the first that does not."""
    for players in part.layouts:
        star_map(part, squares, int(players), source)


def _laid(
    layout: Sequence[Sequence[str]], squares: Mapping[str, Square], place: str, source: str
) -> list[str]:
    """The whole map as rows of signs."""
    rows: list[str] = []
    for down, line in enumerate(layout):
        laid = [
            _turned(name, squares, f"{place}.{down}.{across}", source)
            for across, name in enumerate(line)
        ]
        if len({len(square) for square in laid}) > 1:
            heights = ", ".join(str(len(square)) for square in laid)
            text = f"squares side by side of {heights} rows; they must be equally high"
            raise BadFile(source, f"{place}.{down}", text)
        rows += ["".join(parts) for parts in zip(*laid, strict=True)]
    return rows


def _turned(named: str, squares: Mapping[str, Square], place: str, source: str) -> Sequence[str]:
    """A square by its name, turned clockwise as "name@90" says."""
    found = _TURNED.match(named)
    name, turn = found.groups() if found else (named, None)
    square = squares.get(name)
    if square is None:
        known = ", ".join(squares)
        raise BadFile(source, place, f"no square is called {named!r}; there are {known}, "
                                     "each also turned, as in NAME@90 (180, 270)")  # fmt: skip
    rows: Sequence[str] = square.rows
    for _ in range(int(turn or 0) // 90):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]
    return rows


@lru_cache(maxsize=32)  # every file that is read has the maps of all numbers of players
def _read(rows: Sequence[str], kind: str, diagonal: bool, headings: bool) -> StarMap:  # noqa: FBT001
    signs: dict[Spot, str] = {}
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != " ":
                signs[_spot(column, row, is_hex=kind == "hex")] = sign
    return StarMap(
        spaces=frozenset(signs),
        blocked=frozenset(spot for spot, sign in signs.items() if sign == "#"),
        starts={spot: sign for spot, sign in signs.items() if sign in string.ascii_uppercase},
        is_hex=kind == "hex",
        diagonal=diagonal,
        has_headings=headings,
    )


def _spot(column: int, row: int, *, is_hex: bool) -> Spot:
    """Rows of hexes lie half a space to the right, every other one."""
    return (column - (row - (row & 1)) // 2, row) if is_hex else (column + 1, row + 1)


def _refuse(made: StarMap, players: int, place: str, source: str) -> None:
    if len(made.starts) < players:
        text = f"{counted(len(made.starts), 'start space')} for {players} vessels; letter some more"
        raise BadFile(source, place, f"{text} [{_PLACED}]")
    stray = made.apart
    if stray:
        text = f"{name_of(min(stray))} cannot be reached from {name_of(min(made.starts))}"
        raise BadFile(source, place, text)


# How seats and vessels are drawn: a ship has its seat's colour.

LOOKS: Mapping[str, Look] = looks_by_seat(VESSELS)
"""The look of every seat and vessel."""
