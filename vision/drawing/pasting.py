"""Lays flat things on a picture: each through the four places where its corners fall."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.canvas import Sprite
from vision.drawing.optics import Points

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in px; the last two are outside."""

Layer = tuple[Rect, Sprite]
"""A sprite as it falls on the picture, and where."""

_FINE = 4  # a sprite is drawn that many times finer than the picture, then averaged


def paste(picture: NDArray[np.uint8], sprite: Sprite, corners_px: Points) -> Rect | None:
    """Lay a sprite so that its corners fall on `corners_px` (top left first, clockwise).

    Returns the pixels touched; None where all of it is out of the picture.
    """
    layer = seen(sprite, corners_px, (picture.shape[1], picture.shape[0]))
    return None if layer is None else lay(picture, layer)


def seen(sprite: Sprite, corners_px: Points, size_px: tuple[int, int]) -> Layer | None:
    """A sprite as the lens sees it; None where all of it is out of the picture."""
    rect = _bounds(corners_px, *size_px)
    if rect is None:
        return None
    left, top, right, bottom = rect
    size = ((right - left) * _FINE, (bottom - top) * _FINE)
    fine = cv2.warpPerspective(sprite, _onto(sprite, corners_px, left, top), size)
    drawn = cv2.resize(fine, (right - left, bottom - top), interpolation=cv2.INTER_AREA)
    return rect, np.asarray(drawn, np.uint8)


def lay(picture: NDArray[np.uint8], layer: Layer) -> Rect:
    """Lay what the lens sees on the picture; the pixels touched."""
    (left, top, right, bottom), drawn = layer
    blend(picture[top:bottom, left:right], drawn)
    return left, top, right, bottom


def blend(patch: NDArray[np.uint8], sprite: Sprite) -> None:
    """Lay a sprite of the patch's own size on it, pixel by pixel."""
    uncovered = cv2.cvtColor(cv2.bitwise_not(sprite[..., 3]), cv2.COLOR_GRAY2BGR)
    cv2.multiply(patch, uncovered, patch, scale=1 / 255)
    cv2.add(patch, cv2.cvtColor(sprite, cv2.COLOR_BGRA2BGR), patch)


def grown(rect: Rect, by_px: int, size_px: tuple[int, int]) -> Rect:
    """A rectangle with a margin, kept inside the picture."""
    left, top, right, bottom = rect
    width, height = size_px
    return (
        max(0, left - by_px),
        max(0, top - by_px),
        min(width, right + by_px),
        min(height, bottom + by_px),
    )


def _bounds(corners_px: Points, width: int, height: int) -> Rect | None:
    left, top = np.floor(corners_px.min(axis=0)).astype(int) - 2
    right, bottom = np.ceil(corners_px.max(axis=0)).astype(int) + 3
    left, top = max(0, int(left)), max(0, int(top))
    right, bottom = min(width, int(right)), min(height, int(bottom))
    return (left, top, right, bottom) if left < right and top < bottom else None


def _onto(sprite: Sprite, corners_px: Points, left: int, top: int) -> NDArray[np.float64]:
    """From the sprite's pixels to those of the fine patch; centres lie on whole numbers."""
    height, width = sprite.shape[:2]
    own = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32) - 0.5
    fine = (corners_px - (left, top) + 0.5) * _FINE - 0.5
    return np.asarray(
        cv2.getPerspectiveTransform(own.astype(np.float32), fine.astype(np.float32)), np.float64
    )
