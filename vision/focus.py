"""How sharp the picture is, read off the sides of its markers: each is an edge known to be crisp.

Along each side many short lines across it are laid over one another; what their middle course
climbs at the steepest gives the blur, as the sigma of a bell-shaped one, in px.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.corners import ALONG
from vision.frame import GreyImage
from vision.observation import MarkerSeen
from vision.sampling import sample

Floats = NDArray[np.float64]

MOST_BLUR_PX = 1.5
"""Above this, markers of 30 px are missed: the lens must be turned."""
STEP_PX = 0.25
REACH_PX = 4.0
LEAST_CONTRAST = 25.0
"""Levels of grey between a marker's black and its rim; of less nothing can be said."""

WINDOW_PX = 9
SCHARR_SUM = 32.0
STRONG, STRONGEST_PERCENT, LEAST_EDGES = 60.0, 98.0, 50
"""Which edges of a whole picture are looked at: 60 levels at the least, the strongest 2 of 100."""
LEAST_SLOPE = 1.0
"""Levels a px: flat paper next to an edge is its own strongest, and no edge."""
CRISP_PERCENT = 25.0
"""Not every strong edge is a crisp one in the world: the crisper quarter speaks for the lens."""


def blur_of(grey: GreyImage, markers: Sequence[MarkerSeen]) -> float | None:
    """The blur in the middle of some markers, sigma in px; None where no marker tells."""
    each = [blur for marker in markers if (blur := _blur(grey, marker)) is not None]
    return float(np.median(each)) if each else None


def _blur(grey: GreyImage, marker: MarkerSeen) -> float | None:
    """The blur at one marker, its four sides together; None for one without contrast."""
    course = _course(grey, marker.corners_px)
    climb = np.gradient(course, STEP_PX)
    steepest, contrast = float(climb.max()), float(course.max() - course.min())
    if contrast < LEAST_CONTRAST or steepest <= 0:
        return None
    return contrast / (steepest * float(np.sqrt(2 * np.pi)))


def _course(grey: GreyImage, corners: Floats) -> Floats:
    """The mean brightness across a marker's sides, from inside outwards."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1, keepdims=True)
    outward = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths
    offsets = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX)
    feet = corners[:, None] + ALONG[:, None] * sides[:, None]
    points = feet[:, :, None] + offsets[:, None] * outward[:, None, None]
    flat = points.reshape(-1, len(offsets), 2).astype(np.float32)
    levels = sample(grey, flat[..., 0], flat[..., 1])
    return np.asarray(np.mean(levels, axis=0), np.float64)


def blur_of_picture(grey: GreyImage) -> float | None:
    """The blur of a picture in which no marker can be read, from its strongest edges.

    None for a picture that shows nothing. Above 2.5 px it says no more than that.
    """
    around = np.ones((WINDOW_PX, WINDOW_PX), np.uint8)
    contrast = cv2.subtract(cv2.dilate(grey, around), cv2.erode(grey, around))
    slopes = [cv2.Scharr(grey, cv2.CV_32F, *axis) / SCHARR_SUM for axis in ((1, 0), (0, 1))]
    slope = np.hypot(*(np.asarray(one, np.float32) for one in slopes))
    on_edges = (slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8))) & (slope > LEAST_SLOPE)
    if not on_edges.any():
        return None
    strongest = max(STRONG, float(np.percentile(contrast[on_edges], STRONGEST_PERCENT)))
    chosen = on_edges & (np.asarray(contrast) >= strongest)
    if chosen.sum() < LEAST_EDGES:
        return None
    each = np.asarray(contrast)[chosen] / (slope[chosen] * np.sqrt(2 * np.pi))
    return float(np.percentile(each, CRISP_PERCENT))
