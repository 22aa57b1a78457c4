"""The boards of Jaws & Paws as the camera and the map have them.  (JP-1.1, JP-2.2, JP-2.5)

Board and token sizes are not printed in the book: these are the sizes of our printed sheets and
corner markers, and a table's own file may replace them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from companion.core.board import Board, BoardPlan, Piece, PointMm, Rgb, Space, Token, four_corners

MARKER_COLUMN_MM = 36.0
VIEW_MM: PointMm = (240.0, 110.0)
SECTION_MM: PointMm = (75.0, 95.0)
TRACK_MM: PointMm = (4 * SECTION_MM[0] + 2 * MARKER_COLUMN_MM, SECTION_MM[1])
ZONE_MM: PointMm = (56.0, 100.0)
JAWS_PLANE, PAWS_PLANE = Piece("jaws"), Piece("paws")
SUN, MOON = Piece("sun"), Piece("moon")
"""Two sides of one token; each has a marker of its own.  (JP-1.3)"""
COLOURS: Mapping[str, Rgb] = {"Jaws": (226, 120, 40), "Paws": (34, 62, 112)}
SUN_COLOUR: Rgb = (245, 196, 60)
MOON_COLOUR: Rgb = (206, 214, 230)
CARD_BACKS: Mapping[str, Rgb] = {"P": (240, 240, 238), "G": (30, 30, 34)}
"""White borders are Pilots' cards, black ones Gunners'.  (JP-1.4)"""
_SUN_SIDE = Token(SUN, "Sun", marker=36, colour=SUN_COLOUR)
_MOON_SIDE = Token(MOON, "Moon", marker=37, colour=MOON_COLOUR)
SUN_TOKEN = replace(_SUN_SIDE, other_side=_MOON_SIDE)
MOON_TOKEN = replace(_MOON_SIDE, other_side=_SUN_SIDE)


def board_plan() -> BoardPlan:
    """One box by day: four view boards, two action tracks, three tokens; Jaws at the near edge.

    >>> plan = board_plan()
    >>> plan.spaces["Paws.GR"].label, plan.board_of["Paws.GR"].name
    ('GR', 'Paws Gunner View')
    """
    return BoardPlan(
        box="jaws-and-paws",
        dictionary="ARUCO_MIP_36h12",
        boards=(
            view_board("Jaws", "Pilot", 0, centre_mm=(155.0, 305.0), turn_deg=0.0),
            view_board("Jaws", "Gunner", 4, centre_mm=(405.0, 305.0), turn_deg=0.0),
            view_board("Paws", "Pilot", 8, centre_mm=(405.0, 175.0), turn_deg=180.0),
            view_board("Paws", "Gunner", 12, centre_mm=(155.0, 175.0), turn_deg=180.0),
            action_track("Jaws", 40, centre_mm=(280.0, 420.0), turn_deg=0.0),
            action_track("Paws", 44, centre_mm=(280.0, 60.0), turn_deg=180.0),
        ),
        tokens=(
            Token(JAWS_PLANE, "Jaws plane", marker=16, colour=COLOURS["Jaws"]),
            Token(PAWS_PLANE, "Paws plane", marker=17, colour=COLOURS["Paws"]),
            SUN_TOKEN,
        ),
        table_mm=(560.0, 480.0),
        card_backs=CARD_BACKS,
    )


def view_board(
    team: str, role: str, first_id: int, *, centre_mm: PointMm, turn_deg: float
) -> Board:
    """One View Board; markers first_id.. lie top left, top right, bottom right, bottom left."""
    return Board(
        name=f"{team} {role} View",
        owner=team,
        size_mm=VIEW_MM,
        spaces=tuple(_zone(team, role[0], column) for column in range(3)),
        centre_mm=centre_mm,
        turn_deg=turn_deg,
        corners=four_corners(first_id, VIEW_MM, MARKER_COLUMN_MM / 2),
        colour=COLOURS[team[:4]],
    )


def _zone(team: str, letter: str, column: int) -> Space:
    label = letter + "LCR"[column]
    left = MARKER_COLUMN_MM + column * ZONE_MM[0]
    top = (VIEW_MM[1] - ZONE_MM[1]) / 2
    sign = {"PC": "cross", "GC": "ring"}.get(label, "")
    return Space(f"{team}.{label}", label, _rectangle(left, top, *ZONE_MM), sign)


def action_track(team: str, first_id: int, *, centre_mm: PointMm, turn_deg: float) -> Board:
    """An Action Track: four numbered sections for cards, no pieces; markers as a View Board's."""
    sections = tuple(
        Space(
            f"{team}.{n}",
            str(n),
            _rectangle(MARKER_COLUMN_MM + (n - 1) * SECTION_MM[0], 0.0, *SECTION_MM),
        )
        for n in (1, 2, 3, 4)
    )
    return Board(
        name=f"{team} Action Track",
        owner=team,
        size_mm=TRACK_MM,
        spaces=sections,
        centre_mm=centre_mm,
        turn_deg=turn_deg,
        corners=four_corners(first_id, TRACK_MM, MARKER_COLUMN_MM / 2),
        holds_pieces=False,
        colour=COLOURS[team[:4]],
    )


def _rectangle(left: float, top: float, width: float, height: float) -> tuple[PointMm, ...]:
    return (
        (left, top),
        (left + width, top),
        (left + width, top + height),
        (left, top + height),
    )
