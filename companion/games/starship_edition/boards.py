"""The map of Starship Edition as the camera and the screen have it.  (SE-SET-02, RULING 3)

The size of the printed squares is not in the book: these are the sizes of our printed sheets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.board import Board, BoardPlan, PointMm, Space, Token, four_corners, hex_outline
from companion.games.starship_edition.seats import NAMES, SEATS, VESSELS, vessel_called
from companion.games.starship_edition.star_map import Spot, StarMap, name_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from companion.core.ruling import Seat

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
    boards = (_board(star_map),) if star_map is not None else ()
    width, height = boards[0].size_mm if boards else (0.0, 0.0)
    return BoardPlan(
        box="starship-edition",
        dictionary="ARUCO_MIP_36h12",
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
