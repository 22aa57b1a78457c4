"""Which parts of a picture to read for dice: what changed, and there only round what may be pips.

A window is a part that is read for itself. A die needs its edges and what is round it, so that
windows are larger than what changed, and those into which a large one is cut share so much.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.lens import Points
from vision.camera.frame import GreyImage
from vision.markers.reading import Crop

AROUND_SIDES = 1.5
"""So many sides round a change are read, for a die needs its edges."""
CLEAR_SIDES = 0.4
"""No die lies nearer to a board's edge than that; a print of the edge may look like pips."""
TILES, WHOLE_SHARE = 5, 0.045
"""A part wider or higher than one of so many of the picture is read in several, if it is more than
such a share of all: each reads anew the dice in what it shares with its neighbours."""
PIP_LEVELS, SMOOTH_SIDES = 18, 0.05
"""Levels by which a pip differs from its face at the least, without what is smaller than that, in
sides of a die: the noise of a picture is like pips all over it."""
PIP_SIDES = 0.55
"""What is narrower, in sides of a die, may be a pip: that of a 1 is up to 0.4 wide."""
FULL_SHARE = 0.6
"""Where pips may be in so much of a window, all of it is read."""

Window = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of the picture, px; the last two are outside."""
Size = tuple[int, int]


@dataclass(slots=True, eq=False)
class PartToRead:
    """A part of the picture that is to be read so many times, each time in another frame.

    `areas` are what changed in it (None: all of the picture may have), lying still `since` then.
    `frame` is the number of the last one that was read.
    """

    window: Window
    areas: Sequence[Crop] | None
    since: float
    reads: int
    frame: int = -1

    def changed(self, x: float, y: float) -> bool:
        """Whether a place of the picture is in one of the areas."""
        return self.areas is not None and any(
            area.left <= x <= area.right and area.top <= y <= area.bottom for area in self.areas
        )


# Windows.


def windows_round(size_px: Size, areas: Sequence[Crop] | None, side_px: float) -> list[Window]:
    """What is to be read of some areas, or (None) of all; parts that overlap are read as one."""
    if areas is None:
        return [(0, 0, *size_px)]
    reach = round(AROUND_SIDES * side_px)
    return joined((area.grown(reach) for area in areas), size_px)


def joined(crops: Iterable[Crop], size_px: Size) -> list[Window]:
    """Crops as windows inside the picture, those that overlap as one."""
    windows = list[Window]()
    for crop in crops:
        window = (crop.left, crop.top, crop.right, crop.bottom)
        while (other := next((one for one in windows if _meet(one, window)), None)) is not None:
            windows.remove(other)
            lows = (min(window[0], other[0]), min(window[1], other[1]))
            window = (*lows, max(window[2], other[2]), max(window[3], other[3]))
        windows.append(window)
    width, height = size_px
    return [(max(0, x0), max(0, y0), min(width, x1), min(height, y1)) for x0, y0, x1, y1 in windows]


def _meet(one: Window, other: Window) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def tiles(window: Window, size_px: Size, side_px: float) -> Iterator[Window]:
    """A window in parts that are not too large, each die whole and with what is round it in one."""
    left, top, right, bottom = window
    if (right - left) * (bottom - top) <= WHOLE_SHARE * size_px[0] * size_px[1]:
        yield window
        return
    for y0, y1 in _spans(top, bottom, size_px[1] / TILES, side_px):
        for x0, x1 in _spans(left, right, size_px[0] / TILES, side_px):
            yield (x0, y0, x1, y1)


def _spans(start: int, end: int, most: float, side_px: float) -> Iterator[tuple[int, int]]:
    shared = (1 + 2 * AROUND_SIDES) * side_px
    count = max(1, math.ceil((end - start - shared) / most))
    step = (end - start - shared) / count
    for at in range(count):
        first = start + at * step
        yield round(first), min(end, round(first + step + shared))


def is_in(one: Window, other: Window) -> bool:
    """Whether one part of the picture lies in another."""
    starts = one[0] >= other[0] and one[1] >= other[1]
    return starts and one[2] <= other[2] and one[3] <= other[3]


def is_clear_of_rim(place: tuple[float, float], window: Window, size_px: Size, rim: float) -> bool:
    """Whether a place keeps away from those edges of a window that are not the picture's own."""
    (x, y), (left, top, right, bottom) = place, window
    return (
        (not left or x >= left + rim)
        and (not top or y >= top + rim)
        and (right >= size_px[0] or x <= right - rim)
        and (bottom >= size_px[1] or y <= bottom - rim)
    )


# What of a window is worth reading.


def lies_on(window: Window, board: Points) -> bool:
    """Whether a part of the picture shows nothing but a board."""
    left, top, right, bottom = window
    outline = board.astype(np.float32)
    return all(
        cv2.pointPolygonTest(outline, (x, y), measureDist=False) > 0
        for x in (left, right)
        for y in (top, bottom)
    )


def table_in(window: Window, things: Sequence[Points], side_px: float) -> NDArray[np.bool_]:
    """Where in a part of the picture dice may lie: on no board and on no marker."""
    left, top, right, bottom = window
    mask = np.full((bottom - top, right - left), 255, np.uint8)
    for outline in things:
        cv2.fillPoly(mask, [np.rint(outline - (left, top)).astype(np.int32)], 0)
    reach = max(1, round(CLEAR_SIDES * side_px))
    return np.asarray(cv2.erode(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0)


def like_pips(grey: GreyImage, table: NDArray[np.bool_], side_px: float) -> list[Window]:
    """Windows of a picture round all that is narrow and dark or light enough for a pip.

    Most of a table has nothing like it, and this is a fiftieth of the work of reading it.
    """
    wide = 2 * max(1, round(PIP_SIDES * side_px / 2)) + 1
    square = np.ones((wide, wide), np.uint8)
    smooth = cv2.GaussianBlur(grey, (0, 0), SMOOTH_SIDES * side_px)  # else noise is like pips
    found = np.zeros(grey.shape, np.bool_)
    for way in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        found |= np.asarray(cv2.morphologyEx(smooth, way, square)) >= PIP_LEVELS
    found &= table
    if not found.any():
        return []
    reach = round(0.5 * side_px)
    near = cv2.dilate(found.astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    size_px = (grey.shape[1], grey.shape[0])
    outlines, _ = cv2.findContours(near, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    further = round(AROUND_SIDES * side_px) - reach
    boxes = sorted((Crop(*cv2.boundingRect(one)) for one in outlines), key=lambda box: box.top)
    windows = joined((box.grown(further) for box in boxes), size_px)
    area = sum((right - left) * (bottom - top) for left, top, right, bottom in windows)
    return [(0, 0, *size_px)] if area > FULL_SHARE * grey.size else windows
