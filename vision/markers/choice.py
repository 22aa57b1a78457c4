"""How large markers must be printed so that a camera reads them, or why it cannot.

One dictionary serves boards and tokens alike, ARUCO_MIP_36h12: its codes differ in twelve bits at
the least, so that no misread one is another's. It needs no more pixels than smaller codes do
(`vision/README.md` has what was measured), so what is left to choose is the side in mm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeVar

from companion.core.board import Board, BoardPlan, Counter, PointMm, Token
from companion.core.errors import BadCall

LEAST_PX, GOOD_PX = 28.0, 32.0
"""Side of a marker in the picture: 98 of 100 are found, a little out of focus; and of 32 px all."""
SIDES_MM = (18.0, 20.0, 22.0, 25.0, 28.0, 30.0, 32.0, 35.0, 40.0)
"""Markers are printed in these sizes where the box's own will not do."""
MOST_TOKEN_MM = 32.0
"""A token with a larger marker hides the spaces around it."""
MOST_GROWTH = 1.3
"""Where several tokens share a space they must still fit: none grows by more."""
RIM_CELLS = 2
"""White around a marker that stands alone: with one cell the rim's outline is mistaken for it."""
LEAST_RIM_CELLS = 1
"""White around a corner marker, between it and the edge of its board; the table may be dark."""
NOSE_MM = 8.0
"""How far the nose of a token stands out above its marker, where it matters which way it points."""
CELLS = 8
OneToken = TypeVar("OneToken", Token, Counter)
"""A token of its own, or one of many that are counted."""
CAMERAS = {"720p": (1280, 720), "1080p": (1920, 1080)}


@dataclass(frozen=True, slots=True)
class Scale:
    """How many px a mm has in the picture; `why` says where that is from, for messages."""

    px_per_mm: float
    why: str

    @classmethod
    def of_field(cls, size_px: tuple[int, int], field_mm: PointMm) -> Scale:
        """A camera that sees just this much of the table.

        >>> Scale.of_field((1920, 1080), (900.0, 600.0)).px_per_mm
        1.8
        """
        (width, height), (across, along) = size_px, field_mm
        px_per_mm = min(width / across, height / along)
        why = f"{width} x {height} px over {across / 10:.0f} x {along / 10:.0f} cm"
        return cls(px_per_mm, why)


@dataclass(frozen=True, slots=True)
class MarkerSize:
    """What markers of one side are for a camera: `side_px`, and whether that will do."""

    what: str
    side_mm: float
    side_px: float

    @property
    def will_do(self) -> bool:
        """Whether they are found nearly always."""
        return self.side_px >= LEAST_PX

    def __str__(self) -> str:
        """One line for people."""
        worth = "good" if self.side_px >= GOOD_PX else "enough" if self.will_do else "too small"
        return f"{self.what}: {self.side_mm:g} mm are {self.side_px:.0f} px, {worth}"


def nose_of(plan: BoardPlan, token: Token) -> float:
    """How far the nose of a token stands out, mm; only pieces that point somewhere have one."""
    return NOSE_MM if plan.has_facings and token.headed else 0.0


def sizes_of(plan: BoardPlan, scale: Scale) -> tuple[MarkerSize, ...]:
    """The markers of a plan as a camera has them, each size once; corner markers first."""
    sides = {board.corner_side_mm for board in plan.boards if board.corners}
    corners = [("corner markers", side) for side in sorted(sides)]
    tokens = [("tokens", side) for side in sorted({token.side_mm for token in plan.tokens})]
    counted = [(kind.label.lower(), kind.side_mm) for kind in plan.counters]
    sizes = (*corners, *tokens, *counted)
    return tuple(MarkerSize(what, mm, mm * scale.px_per_mm) for what, mm in sizes)


def sized_for(plan: BoardPlan, scale: Scale) -> BoardPlan:
    """The plan with its markers as large as this camera needs them; its own where those will do.

    Raises `BadCall` where they would have to be larger than the boards and spaces have room for.
    """
    boards = tuple(_sized_board(board, scale) if board.corners else board for board in plan.boards)
    tokens = tuple(_sized_token(token, scale) for token in plan.tokens)
    counters = tuple(_sized_token(kind, scale) for kind in plan.counters)
    return replace(plan, boards=boards, tokens=tokens, counters=counters)


def _sized_token(token: OneToken, scale: Scale) -> OneToken:
    most_mm = min(MOST_TOKEN_MM, MOST_GROWTH * token.side_mm)
    return replace(token, side_mm=_side(token.label, token.side_mm, most_mm, scale))


def _sized_board(board: Board, scale: Scale) -> Board:
    side_mm = _side(f"corners of {board.name}", board.corner_side_mm, _room_mm(board), scale)
    return replace(board, corner_side_mm=side_mm)


def _room_mm(board: Board) -> float:
    """The largest corner marker that keeps its white rim on the board."""
    width, height = board.size_mm
    edges = [min(x, y, width - x, height - y) for x, y in (board.corners or {}).values()]
    return max(board.corner_side_mm, 2 * min(edges) / (1 + 2 * LEAST_RIM_CELLS / CELLS))


def _side(what: str, own_mm: float, most_mm: float, scale: Scale) -> float:
    """The box's own side if it is good, else the smallest good one, else one that will do."""
    larger = [side for side in SIDES_MM if own_mm < side <= most_mm]
    for least_px in (GOOD_PX, LEAST_PX):
        for side_mm in (own_mm, *larger):
            if side_mm * scale.px_per_mm >= least_px:
                return side_mm
    needed_mm, needed_scale = LEAST_PX / scale.px_per_mm, math.ceil(100 * LEAST_PX / most_mm) / 100
    raise BadCall(
        f"{what}: {scale.why} is {scale.px_per_mm:.2f} px a mm, so markers would need "
        f"{needed_mm:.0f} mm to be {LEAST_PX:.0f} px, and there is room for {most_mm:.0f} mm. Use "
        "a camera with more lines (1080p), or let it see less of the table: "
        f"{needed_scale:.2f} px a mm are needed"
    )
