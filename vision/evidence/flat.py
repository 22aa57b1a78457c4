"""All boards of a table in one flat picture, each rectified to its own rectangle where it belongs.

Which pixel shows which spot is worked out once for boards that lie still; after that a picture of
the camera costs one look-up for each pixel shown. What lies between the boards is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, PointMm
from vision.boards.lens import Points
from vision.boards.place import BoardPlace
from vision.camera.frame import ColourImage, GreyImage

MOST_PX = (960, 720)
"""The flat picture is no wider and no higher: no screen shows more of it."""
MARGIN_MM = 6.0
STEP_PX = 8
"""Between spots that are worked out in full lie others of which the mean will do."""
STILL_PX = 1.0
"""Boards that moved by less are shown as if they had not."""
OUTSIDE = 24
"""How bright that is which is no board."""


@dataclass(frozen=True, eq=False)
class FlatTable:
    """The boards seen in one picture, drawn flat: as they nominally lie, turned by `turn_deg`.

    `size_px` is the flat picture's, `px_per_mm` its scale. `places` are those it was made of.
    """

    places: Mapping[str, BoardPlace]
    turn_deg: int
    size_px: tuple[int, int]
    px_per_mm: float
    start_mm: PointMm
    outlines_px: tuple[Points, ...]
    from_px: NDArray[np.float32]

    @classmethod
    def of(cls, places: Mapping[str, BoardPlace], turn_deg: int = 0) -> FlatTable | None:
        """The flat table of boards that are seen, turned by quarters clockwise; None without any.

        ValueError for another turn than 0, 90, 180 or 270 degrees.
        """
        if turn_deg % 90:
            raise ValueError(f"a flat picture is turned by quarters, not by {turn_deg} degrees")
        if not places:
            return None
        corners = [_turned(_on_table(place.board), turn_deg) for place in places.values()]
        every = np.concatenate(corners)
        low, high = every.min(axis=0) - MARGIN_MM, every.max(axis=0) + MARGIN_MM
        wide_mm, high_mm = (high - low).tolist()
        finest = max(place.px_per_mm for place in places.values())
        scale = min(MOST_PX[0] / wide_mm, MOST_PX[1] / high_mm, finest)
        size_px = (max(1, round(wide_mm * scale)), max(1, round(high_mm * scale)))
        from_px = np.full((size_px[1], size_px[0], 2), -1.0, np.float32)
        for place, outline in zip(places.values(), corners, strict=True):
            _fill(from_px, place, (outline - low) * scale)
        x, y = low.tolist()
        outlines = tuple(place.outline_px for place in places.values())
        return cls(dict(places), turn_deg, size_px, scale, (x, y), outlines, from_px)

    def holds(self, places: Mapping[str, BoardPlace], turn_deg: int) -> bool:
        """Whether it still shows these boards: the same ones, where they were."""
        if turn_deg != self.turn_deg or places.keys() != self.places.keys():
            return False
        now = (place.outline_px for place in places.values())
        ways = (np.abs(a - b).max() for a, b in zip(now, self.outlines_px, strict=True))
        return all(way <= STILL_PX for way in ways)

    def drawn(self, image: ColourImage | GreyImage) -> ColourImage | GreyImage:
        """A picture of the camera drawn flat; what is no board is dark."""
        x, y = self.from_px[..., 0], self.from_px[..., 1]
        edge = (OUTSIDE,) * 3 if image.ndim == 3 else OUTSIDE
        flat = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderValue=edge)
        return np.asarray(flat, np.uint8)

    def to_flat(self, points_px: Points) -> Points | None:
        """Points of the camera's picture, [n, 2], on the flat one; None beside every board.

        All are taken for points of the board on which their middle lies.
        """
        middle = np.asarray(points_px, np.float64).mean(axis=0, keepdims=True)
        for place in self.places.values():
            x, y = place.to_board(middle)[0].tolist()
            if 0 <= x <= place.board.size_mm[0] and 0 <= y <= place.board.size_mm[1]:
                return self._flat(place.board, place.to_board(points_px))
        return None

    def _flat(self, board: Board, points_mm: Points) -> Points:
        on_table = np.array([board.to_table((x, y)) for x, y in points_mm.tolist()])
        from_start = _turned(on_table, self.turn_deg) - np.array(self.start_mm)
        return np.asarray(from_start * self.px_per_mm, np.float64)

    def spot(self, board: str, at_mm: PointMm) -> PointMm | None:
        """A point of a board on the flat picture, px; None where that board is not seen."""
        place = self.places.get(board)
        if place is None:
            return None
        x, y = self._flat(place.board, np.array([at_mm]))[0].tolist()
        return (x, y)


def _on_table(board: Board) -> Points:
    """A board's corners where it nominally lies, its printed top left first, then clockwise."""
    width, height = board.size_mm
    corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
    return np.array([board.to_table(corner) for corner in corners], np.float64)


def _turned(points: Points, turn_deg: int) -> Points:
    """Points turned clockwise about the table's origin, as a screen shows them."""
    angle = math.radians(turn_deg)
    cos, sin = round(math.cos(angle)), round(math.sin(angle))
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]), np.float64)


def _fill(from_px: NDArray[np.float32], place: BoardPlace, corners: Points) -> None:
    """Where the pixels of one board come from; its corners lie there on the flat picture."""
    top_left, top_right, _, low_left = corners
    wide, high = (np.linalg.norm(side - top_left) for side in (top_right, low_left))
    box = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    mm = np.array(place.board.size_mm) / (float(wide), float(high))
    columns, rows = max(2, int(wide) // STEP_PX), max(2, int(high) // STEP_PX)
    x, y = np.meshgrid(np.linspace(0, wide, columns), np.linspace(0, high, rows))
    spots = place.to_picture(np.column_stack([x.ravel(), y.ravel()]) * mm)
    coarse = spots.astype(np.float32).reshape(rows, columns, 2)
    onto = cv2.getPerspectiveTransform(corners.astype(np.float32), box)
    _spread(from_px, coarse, np.asarray(onto, np.float64), (float(wide), float(high)), corners)


def _spread(
    from_px: NDArray[np.float32],
    coarse: NDArray[np.float32],
    onto: NDArray[np.float64],
    size: tuple[float, float],
    corners: Points,
) -> None:
    """Fill in the pixels between the spots that were worked out, inside the board alone."""
    left, top = (max(0, math.floor(side)) for side in corners.min(axis=0).tolist())
    right, bottom = (math.ceil(side) for side in corners.max(axis=0).tolist())
    right, bottom = min(right, from_px.shape[1]), min(bottom, from_px.shape[0])
    flat = np.ones((bottom - top, right - left, 3), np.float64)
    flat[..., 0] = np.linspace(left + 0.5, right - 0.5, right - left)
    flat[..., 1] = np.linspace(top + 0.5, bottom - 0.5, bottom - top)[:, np.newaxis]
    flat = np.asarray(flat @ onto.T, np.float64)
    on_board = flat[..., :2] / flat[..., 2:]
    rows, columns = coarse.shape[:2]
    at = (on_board * ((columns - 1) / size[0], (rows - 1) / size[1])).astype(np.float32)
    found = cv2.remap(coarse, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    inside = ((on_board >= 0) & (on_board <= size)).all(axis=-1)
    region = from_px[top:bottom, left:right]
    region[inside] = np.asarray(found, np.float32)[inside]


# What differs between two pictures of one table.

LEAST_SHARE, MOST_SPOTS = 0.0008, 3
"""Of the picture, that a spot must take; and how many are worth a ring."""
DIFFERENT = 28
"""So many steps of brightness apart, after both are as bright on the whole."""
LIGHT_SHARE = 0.35
"""Where more of the picture differs, the light changed or the camera was moved."""
GROWN_PX = 9

Spot = tuple[int, int, int, int]
"""Left, top, width and height, px."""


def changed_spots(before: GreyImage, after: GreyImage) -> Sequence[Spot]:
    """Where two pictures of the same place differ, the largest first; nothing where all differs.

    Another light on the whole table counts for nothing, and so does noise.

    >>> empty = np.full((90, 160), 80, np.uint8)
    >>> card = empty + 20
    >>> card[30:60, 40:70] = 220
    >>> changed_spots(empty, card)
    [(35, 25, 40, 40)]
    """
    if before.shape != after.shape or not before.size:
        return []
    one = cv2.GaussianBlur(before, (5, 5), 0).astype(np.int16)
    two = cv2.GaussianBlur(after, (5, 5), 0).astype(np.int16)
    difference = two - one
    lighter = int(np.median(difference))
    apart = (np.abs(difference - lighter) >= DIFFERENT).astype(np.uint8)
    if float(apart.mean()) > LIGHT_SHARE:
        return []
    kernel = np.ones((GROWN_PX, GROWN_PX), np.uint8)
    whole = np.asarray(cv2.morphologyEx(apart, cv2.MORPH_CLOSE, kernel), np.uint8)
    _, _, stats, _ = cv2.connectedComponentsWithStats(whole, connectivity=8)
    listed: list[list[int]] = np.asarray(stats, np.int32)[1:].tolist()
    found = sorted(listed, key=_largest)
    found = [stat for stat in found if stat[4] >= LEAST_SHARE * before.size]
    grown = GROWN_PX // 2
    return [
        (x - grown, y - grown, wide + 2 * grown, high + 2 * grown)
        for x, y, wide, high, _ in found[:MOST_SPOTS]
    ]


def _largest(stat: Sequence[int]) -> int:
    return -stat[4]
