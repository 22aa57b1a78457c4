"""Corners of markers to a tenth of a pixel: a line fitted to each side, crossed with the next.

Every side of a marker is an edge from black to white. Where it lies is read along many short lines
across it, so that a corner rests on the whole length of two sides and not on the few pixels around
it, which blur rounds off.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import GreyImage

# Levels between pixels.

MOST_ROWS = 32_000
"""OpenCV remaps at most 32 767 rows at once, and as many columns."""

Level = TypeVar("Level", np.uint8, np.float32)


def sample(
    picture: NDArray[Level], xs: NDArray[np.floating], ys: NDArray[np.floating]
) -> NDArray[Level]:
    """The levels at places [n, k], x and y in px; beyond its edge a picture goes on as there."""
    x, y = np.asarray(xs, np.float32), np.asarray(ys, np.float32)
    if x.size <= MOST_ROWS:  # as a rule; one row is nothing that OpenCV wakes its threads for
        return _remapped(picture, x.reshape(1, -1), y.reshape(1, -1)).reshape(x.shape)
    rows = range(0, len(x), MOST_ROWS)
    parts = [_remapped(picture, x[at : at + MOST_ROWS], y[at : at + MOST_ROWS]) for at in rows]
    return np.concatenate(parts)


def _remapped(
    picture: NDArray[Level], xs: NDArray[np.float32], ys: NDArray[np.float32]
) -> NDArray[Level]:
    if not xs.size:
        return np.empty(xs.shape, picture.dtype)
    levels = cv2.remap(picture, xs, ys, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(levels, picture.dtype)


# Corners refined.

Corners = NDArray[np.float64]
"""Corners of markers, [n, 4, 2], x and y in px, clockwise in the picture."""

Floats = NDArray[np.float64]

ALONG = np.linspace(0.12, 0.88, 16)
"""Where along a side it is read: not near its ends, which the next side rounds off."""
POWERS = np.stack([ALONG**0, ALONG, ALONG**2])
STEP_PX = 0.5
REACH_CELLS = 0.75
"""How far across the edge is looked: less than a cell, for behind it the code begins."""
NEAREST_PX, FARTHEST_PX = 1.5, 4.0
ROUNDS = 2
WEAKEST_STEP = 12.0
"""Levels of grey from black to white; under that a line across says nothing."""
LEAST_LINES = 5
BEFORE = np.eye(4)[[3, 0, 1, 2]]
"""Takes each corner or side, [4, 2], for the one before it."""
TO_NEXT, FROM_BEFORE = BEFORE.T - np.eye(4), np.eye(4) - BEFORE
"""The way from each to the next, and to each from the one before."""
FEET = np.concatenate([np.outer(1 - ALONG, here) + np.outer(ALONG, there)
                       for here, there in zip(np.eye(4), BEFORE.T, strict=True)])  # fmt: skip
"""Takes the corners, [4, 2], for all places along the sides, [4 lines, 2]."""
MIRRORED = np.array([1.0, -1.0])


def sharpen(grey: GreyImage, corners: Corners, cells: int) -> Corners:
    """Corners refined in a picture, [n, 4, 2]; `cells` along a side, the black border included.

    A marker whose sides cannot be read, or whose corners would move by more than was looked at,
    keeps the corners it had.
    """
    if not len(corners):
        return corners
    along = TO_NEXT @ corners
    side_px = np.hypot(along[..., 0], along[..., 1]).sum(axis=1) / 4
    reach_px = np.minimum(np.maximum(REACH_CELLS * side_px / cells, NEAREST_PX), FARTHEST_PX)
    across = _Across.within(reach_px)
    refined = corners
    for _ in range(ROUNDS):
        refined = _crossed(*_sides(grey, refined, across), fallback=refined)
    moved = refined - corners
    moved_px = np.hypot(moved[..., 0], moved[..., 1]).max(axis=1)
    kept = moved_px <= 1.5 * reach_px  # no: not a number
    return refined if kept.all() else np.where(kept[:, None, None], refined, corners)


@dataclass(frozen=True, slots=True, eq=False)
class _Across:
    """The short lines across edges: where on them it is looked, and how that is summed up.

    `offsets_px` [k + 1] outwards of the edge; `sums` [n, k, 2] makes of the k steps between them
    how strong the edge is, and that times how far outwards it lies.
    """

    offsets_px: NDArray[np.float32]
    sums: NDArray[np.float32]

    @classmethod
    def within(cls, reach_px: Floats) -> _Across:
        farthest = float(reach_px.max())
        offsets = np.arange(-farthest, farthest + STEP_PX / 2, STEP_PX).astype(np.float32)
        middle = offsets[1:] - np.float32(STEP_PX / 2)
        sums = np.empty((len(reach_px), len(middle), 2), np.float32)
        sums[..., 0] = np.abs(middle) <= reach_px[:, None]
        sums[..., 1] = sums[..., 0] * middle
        return cls(offsets, sums)


def _sides(grey: GreyImage, corners: Corners, across: _Across) -> tuple[Floats, Floats]:
    """A point on each side and its direction, [n, 4, 2] both; not a number where none is found."""
    along = TO_NEXT @ corners
    outward = along[..., ::-1] * MIRRORED
    outward /= np.hypot(outward[..., 0], outward[..., 1])[..., None]
    start, slope = _lines(_edges(grey, corners, outward, across))
    return corners + start[..., None] * outward, along + slope[..., None] * outward


def _edges(
    grey: GreyImage, corners: Corners, outward: Floats, across: _Across
) -> NDArray[np.float32]:
    """How strong the edge is on each line across, and that times how far outwards it lies, px.

    [n, 4, lines, 2], and 0 where there is no edge.
    """
    shape = (2, len(corners), 4, len(ALONG), 1)
    feet = (FEET @ corners).astype(np.float32).transpose(2, 0, 1).reshape(shape)
    ways = outward.astype(np.float32).transpose(2, 0, 1)[..., None, None] * across.offsets_px
    xs, ys = (feet + ways).reshape(2, -1, len(across.offsets_px))
    levels = sample(grey, xs, ys)
    rise = np.asarray(cv2.subtract(levels[:, 1:], levels[:, :-1]), np.float32)  # a fall counts 0
    sums = rise.reshape(len(corners), -1, rise.shape[1]) @ across.sums
    sums *= sums[..., :1] >= WEAKEST_STEP
    return sums.reshape(len(corners), 4, len(ALONG), 2)


def _lines(edges: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """The straight line through each side's edges: its start and slope, outwards, [n, 4] both.

    Those of least squares, by the sums of weights and places with the powers of how far along.
    """
    sums = POWERS @ edges  # in double precision: powers are
    total, first, second = sums[..., 0, 0], sums[..., 1, 0], sums[..., 2, 0]
    off, along = sums[..., 0, 1], sums[..., 1, 1]
    enough = (edges[..., 0] > 0).sum(axis=-1) >= LEAST_LINES
    spread = np.where(enough, total * second - first * first, np.nan)
    slope = (total * along - first * off) / spread
    return (second * off - first * along) / spread, slope


def _crossed(points: Floats, directions: Floats, *, fallback: Corners) -> Corners:
    """Where each side crosses the one before it: its first corner, [n, 4, 2]."""
    gap, heading = FROM_BEFORE @ points, BEFORE @ directions
    x, y = directions[..., 0], directions[..., 1]
    share = (gap[..., 0] * y - gap[..., 1] * x) / (heading[..., 0] * y - heading[..., 1] * x)
    crossing = points - gap + share[..., None] * heading
    readable = np.isfinite(crossing)
    if readable.all():  # as a rule
        return crossing
    return np.where(readable.all(axis=(1, 2), keepdims=True), crossing, fallback)
