"""Where tokens stand on one board: all that a frame shows at once, each with its uncertainty."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, PointMm, Space, Token

if TYPE_CHECKING:
    from vision.boards.place import BoardPlace
    from vision.markers.reading import MarkerSeen


# Spaces: how far inside each of them a point lies, asked all at once.


class Spaces:
    """One board's spaces as the straight lines round them.

    A space with fewer corners than another repeats its first side, which changes nothing.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> plan = board_plan()
    >>> spaces = Spaces(plan.board("Paws Gunner View"))
    >>> spaces.nearest(plan.spaces["Paws.GR"].centre_mm, 1)
    [('Paws.GR', 28.0)]
    """

    def __init__(self, board: Board) -> None:
        self.names = tuple(space.name for space in board.spaces)
        most = max((len(space.outline_mm) for space in board.spaces), default=0)
        sides = [_sides(space, most) for space in board.spaces]
        self._sides: NDArray[np.float64] = np.array(sides).reshape(len(sides), most, 3)

    def nearest(self, point: PointMm, most: int) -> list[tuple[str, float]]:
        """Up to so many spaces and how far inside each the point lies, mm; the deepest first."""
        return self.nearest_of(np.array([point]), most)[0]

    def nearest_of(self, points: NDArray[np.float64], most: int) -> list[list[tuple[str, float]]]:
        """Likewise for each of some points, [n, 2]."""
        if not self.names:
            return [[] for _ in points]
        full = np.ones((len(points), 3))
        full[:, :2] = points
        inside_mm = (self._sides @ full.T).min(axis=1)
        order = np.argsort(-inside_mm, axis=0, kind="stable")[:most]
        deepest = inside_mm[order, np.arange(len(points))]
        return [
            [(self.names[at], deep) for at, deep in zip(places, depths, strict=True)]
            for places, depths in zip(order.T.tolist(), deepest.T.tolist(), strict=True)
        ]


def _sides(space: Space, sides: int) -> list[tuple[float, float, float]]:
    """For each side (a, b, c): a x + b y + c is how far inside of it a point lies, mm."""
    corners = np.array(space.outline_mm, np.float64)
    along = np.roll(corners, -1, axis=0) - corners
    along /= np.hypot(*along.T)[:, None]
    inward = np.column_stack([-along[:, 1], along[:, 0]])
    off = -(inward * corners).sum(axis=1)
    if inward[0] @ corners.mean(axis=0) + off[0] < 0:  # the outline runs the other way round
        inward, off = -inward, -off
    lines: Sequence[tuple[float, float, float]] = np.column_stack([inward, off]).tolist()
    return [*lines, *[lines[0]] * (sides - len(lines))]


# Tokens.

Floats = NDArray[np.float64]

USUAL_CORNER_PX = 0.06
"""How far off a marker's sharpened corner is as a rule against its other three, px."""
WHOLE_PX = 0.05
"""How far off a marker is as a whole, besides, along each axis (drawn ones before a lens that is
known: with it three deviations hold 99.9 of 100 places, without it 96)."""
BOARD_CORNER_PX, CORNER_WORTH = 0.1, 10
"""How far off a corner of a board is as a rule, and how many readings that counts for, beside those
of its own corners."""
EVEN_PX = 0.15
"""Corners of a board that lies flat, printed as it should be, are off by less (rms); what they are
off beyond tells of all that stands on it."""
EVEN_GUESSED_PX, TAKEN_TIMES = 0.10, 2.2
"""A guessed lens has bent itself to a crooked sheet and leaves less over (photographs of a printed
board, rms: 0.17 to 0.34 px by guesses, 0.16 to 0.97 by the lens measured of that camera, and places
off as much by both): what its corners are off beyond this counts so many times."""
PLANE_FREEDOMS = 8
"""So many numbers are fitted to a board's corners."""
SPARE_FREEDOMS = 5
"""Four corners of a square of known side, in a plane, have so many freedoms too many."""
MEETING = 4
"""So many spaces meet in a corner at most."""
NEXT = [1, 2, 3, 0]
SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
"""A marker's corners in its own frame, in halves of its side; its own top left first."""


@dataclass(frozen=True, slots=True)
class TokenPlace:
    """A token's place as one board has it; `near` are its deepest spaces, and how deep in mm."""

    board: Board
    x_mm: float
    y_mm: float
    heading_deg: float
    place_sd_mm: float
    heading_sd_deg: float
    near: Sequence[tuple[str, float]]

    @property
    def on_board(self) -> bool:
        """Whether it is on the board at all."""
        width, height = self.board.size_mm
        return 0 <= self.x_mm <= width and 0 <= self.y_mm <= height


@dataclass(frozen=True, eq=False)
class TokensOn:
    """Where some tokens are by their markers, one at the least, as one board has them.

    `spaces` are those of the board. Which of them are near is told at little cost; how uncertain a
    place is, at more, is asked of the board alone on which a token stands.
    """

    place: BoardPlace
    spaces: Spaces
    tokens: Sequence[tuple[Token, MarkerSeen]]

    @cached_property
    def near(self) -> list[list[tuple[str, float]]]:
        """The deepest spaces of each token, and how deep it is in them, mm."""
        return self.spaces.nearest_of(self._middles_mm, MEETING)

    def inside_mm(self, token: int) -> float:
        """How far inside the nearest space one of them is; negative outside of it."""
        near = self.near[token]
        return near[0][1] if near else -math.inf

    @cached_property
    def places(self) -> list[TokenPlace]:
        """The place of each, with its uncertainty."""
        place, corners_px, corners_mm = self.place, self._corners_px, self._corners_mm
        side_mm = np.array([token.side_mm for token, _ in self.tokens])
        headings = headings_deg(corners_mm)
        mm_per_px = side_mm / _token_sides(corners_px)
        corner_sd = corner_sds_mm(corners_mm, headings, side_mm, mm_per_px)
        # A corner's error is a half of itself in the mean of four, and turns a square of that side.
        place_sd_mm = np.hypot(corner_sd / 2, _whole_px(place, self._middles_mm) * mm_per_px)
        if place.is_guessed:
            at_px, high_mm = corners_px.mean(axis=1), self._height_mm[:, None]
            place_sd_mm = np.hypot(place_sd_mm, place.lens_sds_mm(at_px, high_mm))
        heading_sd_deg = np.degrees(corner_sd / (math.sqrt(2) * side_mm))
        columns = (self._middles_mm, headings, place_sd_mm, heading_sd_deg)
        rows = zip(*(column.tolist() for column in columns), self.near, strict=True)
        return [
            TokenPlace(place.board, x, y, heading, place_sd, heading_sd, own)
            for (x, y), heading, place_sd, heading_sd, own in rows
        ]

    @cached_property
    def _height_mm(self) -> Floats:
        return np.array([token.height_mm for token, _ in self.tokens])

    @cached_property
    def _corners_px(self) -> Floats:
        return np.array([marker.corners_px for _, marker in self.tokens])

    @cached_property
    def _corners_mm(self) -> Floats:
        high_mm = np.repeat(self._height_mm, 4)[:, None]
        return self.place.to_board(self._corners_px.reshape(-1, 2), high_mm).reshape(-1, 4, 2)

    @cached_property
    def _middles_mm(self) -> Floats:
        return np.asarray(self._corners_mm.sum(axis=1) / 4, np.float64)


def board_sds_mm(place: BoardPlace, points_mm: Floats) -> Floats:
    """How uncertain a token's place is at points of a board, but for its lens, mm; [n]."""
    return np.hypot(USUAL_CORNER_PX / 2, _whole_px(place, points_mm)) / place.px_per_mm


def _whole_px(place: BoardPlace, points_mm: Floats) -> Floats:
    """How uncertain a marker as a whole is, and the board below it at points of that, px; [n]."""
    even_px, times = (EVEN_GUESSED_PX, TAKEN_TIMES) if place.is_guessed else (EVEN_PX, 1.0)
    uneven_px = times * math.sqrt(max(0.0, place.error_px**2 - even_px**2))
    own_px, corner_px = math.hypot(WHOLE_PX, uneven_px), _corner_px(place)
    return np.array([math.hypot(own_px, corner_px * sd) for sd in place.corner_sds(points_mm)])


def _corner_px(place: BoardPlace) -> float:
    """How far off each corner of a board is along each axis, px."""
    corners = 4 * place.markers
    spare = max(0, 2 * corners - PLANE_FREEDOMS)
    total = corners * place.error_px**2 + CORNER_WORTH * BOARD_CORNER_PX**2
    return math.sqrt(total / (spare + CORNER_WORTH))


def headings_deg(corners_mm: Floats) -> Floats:
    """Where markers' tops point, degrees clockwise from up (y points down), 0 to below 360; [n].

    `corners_mm` [n, 4, 2]; all four sides of each have their say.
    """
    first, second, third, fourth = (corners_mm[:, at] for at in range(4))
    up = (first - fourth) + (second - third)
    right = (second - first) + (third - fourth)
    x, y = up[:, 0] + right[:, 1], up[:, 1] - right[:, 0]
    turn = np.degrees(np.arctan2(x, -y)) % 360
    return np.where(turn < 360, turn, 0.0)  # a hair left of up is rounded up to a full turn


def corner_sds_mm(
    corners_mm: Floats, headings: Floats, side_mm: Floats, mm_per_px: Floats
) -> Floats:
    """How uncertain each marker's corners are along each axis, mm; [n].

    What the spare freedoms of four corners say, which are few, is held together with what corners
    are like as a rule.
    """
    turn = np.radians(headings)
    cos, sin = np.cos(turn)[:, None], np.sin(turn)[:, None]
    x, y = (side_mm[:, None] / 2 * SQUARE[:, at] for at in (0, 1))
    square = np.stack([cos * x - sin * y, sin * x + cos * y], axis=-1)
    off_mm = corners_mm - corners_mm.sum(axis=1, keepdims=True) / 4 - square
    usual_mm = USUAL_CORNER_PX * mm_per_px
    total = (off_mm**2).sum(axis=(1, 2)) + SPARE_FREEDOMS * usual_mm**2
    return np.asarray(np.sqrt(total / (2 * SPARE_FREEDOMS)), np.float64)


def _token_sides(corners_px: Floats) -> Floats:
    """The mean length of each marker's sides, [n]."""
    along = corners_px[:, NEXT] - corners_px
    return np.asarray(np.hypot(along[..., 0], along[..., 1]).sum(axis=1) / 4, np.float64)
