"""What a slanted camera sees, as one from straight above would have it: faces are square again.

A board tells how the camera stands over the table, or people do. Where it looks down at a slant the
upper faces of dice are squeezed one way; a part of the picture is stretched that way, so that
nothing is lost, and read there.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board
from vision.boards.lens import Lens, Points
from vision.boards.place import BoardPlace
from vision.camera.frame import ColourImage, GreyImage
from vision.dice.dice import ColourOf, DieSeen, Point
from vision.dice.parts import Window
from vision.dice.stance import FlatAt, FlatDie

SQUEEZED = 0.965
"""A face less squeezed than that (a slant of 15 degrees) is read as it is."""
MOST_GROWN = 4.0
"""A part that fills so many times its own pixels from above is squeezed too much to be read."""

Matrix = NDArray[np.float64]
Pixels = TypeVar("Pixels", GreyImage, ColourImage)


@dataclass(frozen=True, eq=False)
class FromAbove:
    """A part of the picture seen from straight above, at the height of dice's upper faces.

    `onto` [3, 3] takes pixels of the part to pixels of what is read, of `size_px`; in it a die is
    `side_px` wide, and `shrunk` times as wide in the picture itself. It has `grown` to so many
    times its pixels: beyond all bounds where the table's horizon is in it.
    """

    onto: Matrix
    size_px: tuple[int, int]
    side_px: float
    shrunk: float
    grown: float

    @property
    def is_too_flat(self) -> bool:
        """Whether the camera looks along the table there: no face can be read, if there is any."""
        return self.grown > MOST_GROWN

    @cached_property
    def back(self) -> Matrix:
        """From what is read to the part of the picture."""
        return np.asarray(np.linalg.inv(self.onto), np.float64)

    def turned(self, picture: Pixels) -> Pixels:
        """What is read, of the part; beyond the part its edge goes on."""
        warped = cv2.warpPerspective(
            picture, self.onto, self.size_px, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        )
        read: Pixels = np.asarray(warped, np.uint8)  # pyright: ignore[reportAssignmentType]
        return read

    def table(self, table: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Where in what is read the table is; nowhere beyond the part."""
        levels = table.astype(np.uint8)
        return cv2.warpPerspective(levels, self.onto, self.size_px, flags=cv2.INTER_NEAREST) > 0

    def colour(self, colour: ColourOf) -> ColourOf:
        """The same in colour, once it is asked for."""

        def turned() -> ColourImage | None:
            own = colour()
            return None if own is None else self.turned(own)

        return turned

    def flat_at(self, flat_at: FlatAt) -> FlatAt:
        """How a flat die looks at a point of what is read."""

        def flat(point: Point) -> FlatDie:
            (at,) = through(self.back, [point])
            own = flat_at((float(at[0]), float(at[1])))
            foot = own.foot_px or (0.0, 0.0)
            here = at + np.array([(0.0, 0.0), foot, (1.0, 0.0), (0.0, 1.0)])
            middle, low, right, under = through(self.onto, here)
            grown = abs(float(np.linalg.det([right - middle, under - middle])))
            x, y = (low - middle).tolist()
            return FlatDie(own.side_px * math.sqrt(grown), own.foot_px and (x, y))

        return flat

    def in_part(self, found: Sequence[DieSeen]) -> list[DieSeen]:
        """Dice that were read, where they are in the part."""
        if not found:
            return []
        places = through(self.back, [die.centre_px for die in found]).tolist()
        return [
            DieSeen(die.value, (x, y), self.shrunk * die.side_px)
            for die, (x, y) in zip(found, places, strict=True)
        ]


def from_above(place: BoardPlace, window: Window, die_mm: float) -> FromAbove | None:
    """How to see a part of the picture from above; None where the camera nearly does so itself."""
    left, top, right, bottom = window
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    (middle,) = place.to_board(corners.mean(axis=0, keepdims=True), die_mm)
    around = middle + die_mm / 2 * np.array([(-1, 0), (1, 0), (0, -1), (0, 1)])
    ends = place.to_picture(around, die_mm)
    turn, (most, least), other = np.linalg.svd((ends[[1, 3]] - ends[[0, 2]]).T / die_mm)
    if least >= SQUEEZED * most:
        return None
    own = most * place.to_board(corners, die_mm) @ (turn @ other).T
    own = (own - own.min(axis=0)).astype(np.float32)
    onto = cv2.getPerspectiveTransform((corners - (left, top)).astype(np.float32), own)
    width, height = np.ceil(own.max(axis=0)).astype(int).tolist()
    whole = cv2.isContourConvex(own) and cv2.contourArea(own, oriented=True) > 0
    grown = width * height / ((right - left) * (bottom - top)) if whole else math.inf
    shrunk = math.sqrt(float(least / most))
    side_px = float(most * die_mm)
    return FromAbove(np.asarray(onto, np.float64), (width, height), side_px, shrunk, grown)


def tilted_place(size_px: tuple[int, int], tilt_deg: float, die_px: float) -> BoardPlace:
    """Where a board would lie before a usual camera that is tilted, from straight down.

    The picture's upper edge is the far one. A die, of side 1, is `die_px` wide in its middle.
    """
    lens = Lens.usual(size_px)
    tilt = math.radians(tilt_deg)
    cos, sin = math.cos(tilt), math.sin(tilt)
    above = lens.focal_px[0] / die_px * cos + 1.0
    nearer = above * math.tan(tilt)  # than what the middle of the picture shows
    plane = np.array(
        [[above, 0.0, 0.0], [0.0, above * cos + nearer * sin, 0.0], [0.0, sin, cos]], np.float64
    )
    table = Board("Table", "", (1.0, 1.0), (), (0.0, 0.0))
    return BoardPlace(table, lens, plane, plane, (0.0, nearer, above), markers=0)


def through(matrix: Matrix, points: Points | Sequence[Point]) -> Points:
    """Points [n, 2] through a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    solid = np.column_stack([flat, np.ones(len(flat))]) @ matrix.T
    return np.asarray(solid[:, :2] / solid[:, 2:], np.float64)
