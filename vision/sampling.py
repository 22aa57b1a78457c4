"""A picture read between its pixels, at as many places as one likes."""

from __future__ import annotations

from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

MOST_ROWS = 32_000
"""OpenCV remaps at most 32 767 rows at once."""

Level = TypeVar("Level", np.uint8, np.float32)


def sample(
    picture: NDArray[Level], xs: NDArray[np.floating], ys: NDArray[np.floating]
) -> NDArray[Level]:
    """The levels at places [n, k], x and y in px; beyond its edge a picture goes on as there."""
    x, y = np.asarray(xs, np.float32), np.asarray(ys, np.float32)
    if len(x) <= MOST_ROWS:  # as a rule
        return _remapped(picture, x, y)
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
