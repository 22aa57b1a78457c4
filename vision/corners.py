"""Corners of markers to a tenth of a pixel: a line fitted to each side, crossed with the next.

Every side of a marker is an edge from black to white. Where it lies is read along many short lines
across it, so that a corner rests on the whole length of two sides and not on the few pixels around
it, which blur rounds off.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import GreyImage

Corners = NDArray[np.float64]
"""Corners of markers, [n, 4, 2], x and y in px, clockwise in the picture."""

Floats = NDArray[np.float64]

ALONG = np.linspace(0.12, 0.88, 16)
"""Where along a side it is read: not near its ends, which the next side rounds off."""
STEP_PX = 0.5
REACH_CELLS = 0.75
"""How far across the edge is looked: less than a cell, for behind it the code begins."""
NEAREST_PX, FARTHEST_PX = 1.5, 4.0
ROUNDS = 2
WEAKEST_STEP = 12.0
"""Levels of grey from black to white; under that a line across says nothing."""
LEAST_LINES = 5
NEXT, BEFORE = [1, 2, 3, 0], [3, 0, 1, 2]


def sharpen(grey: GreyImage, corners: Corners, cells: int) -> Corners:
    """Corners refined in a picture, [n, 4, 2]; `cells` along a side, the black border included.

    A marker whose sides cannot be read, or whose corners would move by more than was looked at,
    keeps the corners it had.
    """
    if not len(corners):
        return corners
    side_px = np.linalg.norm(corners[:, NEXT] - corners, axis=2).mean(axis=1)
    reach_px = np.clip(REACH_CELLS * side_px / cells, NEAREST_PX, FARTHEST_PX)
    refined = corners
    for _ in range(ROUNDS):
        refined = _crossed(*_sides(grey, refined, reach_px), fallback=refined)
    moved_px = np.linalg.norm(refined - corners, axis=2).max(axis=1)
    kept = np.isfinite(moved_px) & (moved_px <= 1.5 * reach_px)
    return np.where(kept[:, None, None], refined, corners)


def _sides(grey: GreyImage, corners: Corners, reach_px: Floats) -> tuple[Floats, Floats]:
    """A point on each side and its direction, [n, 4, 2] both; not a number where none is found."""
    along = corners[:, NEXT] - corners
    length_px = np.linalg.norm(along, axis=2, keepdims=True)
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1) / length_px
    feet = corners[:, :, None] + ALONG[:, None] * along[:, :, None]
    off_px, weight = _edges(grey, feet, outward, reach_px)
    start, slope = _lines(off_px, weight)
    return corners + start[..., None] * outward, along + slope[..., None] * outward


def _edges(
    grey: GreyImage, feet: Floats, outward: Floats, reach_px: Floats
) -> tuple[Floats, Floats]:
    """How far outwards of each foot the edge lies, px, and how strong it is, [n, 4, k] both."""
    farthest = float(reach_px.max())
    offsets = np.arange(-farthest, farthest + STEP_PX / 2, STEP_PX).astype(np.float32)
    xs, ys = (
        (feet[..., at, None] + offsets * outward[:, :, None, at, None]).astype(np.float32)
        for at in (0, 1)
    )
    flat = (-1, len(offsets))
    levels = cv2.remap(
        grey, xs.reshape(flat), ys.reshape(flat), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    rise = np.diff(levels.reshape(xs.shape).astype(np.float32), axis=-1)
    np.maximum(rise, 0.0, out=rise)
    middle = (offsets[1:] + offsets[:-1]) / 2
    rise *= np.abs(middle) <= reach_px[:, None, None, None]
    weight = rise @ np.ones_like(middle)
    off_px = np.asarray(rise @ middle, np.float64) / np.maximum(weight, 1e-9)
    return off_px, np.where(weight >= WEAKEST_STEP, weight, 0.0).astype(np.float64)


def _lines(off_px: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The straight line through each side's edges: its start and slope, outwards, [n, 4] both."""
    enough = (weight > 0).sum(axis=-1) >= LEAST_LINES
    total = np.where(enough, weight.sum(axis=-1), np.nan)
    mean_t = (weight * ALONG).sum(axis=-1) / total
    mean_off = (weight * off_px).sum(axis=-1) / total
    t = ALONG - mean_t[..., None]
    slope = (weight * t * off_px).sum(axis=-1) / (weight * t**2).sum(axis=-1)
    return mean_off - slope * mean_t, slope


def _crossed(points: Floats, directions: Floats, *, fallback: Corners) -> Corners:
    """Where each side crosses the one before it: its first corner, [n, 4, 2]."""
    before, heading = points[:, BEFORE], directions[:, BEFORE]
    across = heading[..., 0] * directions[..., 1] - heading[..., 1] * directions[..., 0]
    gap = points - before
    share = (gap[..., 0] * directions[..., 1] - gap[..., 1] * directions[..., 0]) / across
    crossing = before + share[..., None] * heading
    readable = np.isfinite(crossing).all(axis=(1, 2), keepdims=True)
    return np.where(readable, crossing, fallback)
