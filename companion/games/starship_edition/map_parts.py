"""The squares that players bring, and how they are laid together.  (SE-SET-02, RULING 3)

A square is drawn row by row: "." is a space, "#" an obstruction, a blank no space at all, and a
capital letter a start space.
"""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from companion.core.errors import BadFile
from companion.core.text import counted
from companion.games.starship_edition.operations import Part
from companion.games.starship_edition.star_map import Spot, StarMap, name_of

SIGNS = ".# " + string.ascii_uppercase
WIDEST = 12
_TURNED = re.compile(r"^(.*?)(?:@(0|90|180|270))?$")
_PLACED = "SE-SET-05"

Row = Annotated[str, Field(min_length=1, max_length=WIDEST)]


Players = Literal["2", "3", "4", "5", "6"]
Layout = Annotated[list[Annotated[list[str], Field(min_length=1)]], Field(min_length=1)]
"""Rows of squares by their names, the top row first."""


class Square(Part):
    """One map square."""

    rows: Annotated[list[Row], Field(min_length=1, max_length=WIDEST)]


class MapPart(Part):
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
    made = _read(rows, part)
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


def _read(rows: Sequence[str], part: MapPart) -> StarMap:
    signs: dict[Spot, str] = {}
    for row, line in enumerate(rows):
        for column, sign in enumerate(line):
            if sign != " ":
                signs[_spot(column, row, is_hex=part.kind == "hex")] = sign
    return StarMap(
        spaces=frozenset(signs),
        blocked=frozenset(spot for spot, sign in signs.items() if sign == "#"),
        starts={spot: sign for spot, sign in signs.items() if sign in string.ascii_uppercase},
        is_hex=part.kind == "hex",
        diagonal=part.diagonal_steps,
        has_headings=part.headings,
    )


def _spot(column: int, row: int, *, is_hex: bool) -> Spot:
    """Rows of hexes lie half a space to the right, every other one."""
    return (column - (row - (row & 1)) // 2, row) if is_hex else (column + 1, row + 1)


def _refuse(made: StarMap, players: int, place: str, source: str) -> None:
    if len(made.starts) < players:
        text = f"{counted(len(made.starts), 'start space')} for {players} vessels; letter some more"
        raise BadFile(source, place, f"{text} [{_PLACED}]")
    stray = made.apart()
    if stray:
        text = f"{name_of(min(stray))} cannot be reached from {name_of(min(made.starts))}"
        raise BadFile(source, place, text)
