"""Tokens that touch show as one thing: parted where it is narrowest, else into equal parts."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]

LEAST_CORE_PX = 12
"""What is left of a part when its rim is taken off must have so many points."""
ROUNDS = 20
"""Of finding the middles of equal parts."""


def parted(thing: Mask, most_px: float) -> list[Mask]:
    """A thing's parts, each of at most so many points as far as can be told; itself if it is so.

    >>> two = np.zeros((20, 44), bool)
    >>> two[2:18, 2:18] = two[2:18, 24:40] = two[9:11, 18:24] = True  # two squares and a neck
    >>> [int(part.sum()) for part in parted(two, 300.0)]
    [262, 262]
    """
    if thing.sum() <= most_px:
        return [thing]
    parts = _at_its_neck(thing) or _equal(thing, max(2, round(2 * float(thing.sum()) / most_px)))
    return [small for part in parts for small in parted(part, most_px)]


def _at_its_neck(thing: Mask) -> list[Mask]:
    """Parted where so much of its rim is taken off that it falls apart; empty where it never does.

    Every point goes to the part whose core is nearest.
    """
    depth = cv2.distanceTransform(np.pad(thing, 1).astype(np.uint8), cv2.DIST_L2, 5)[1:-1, 1:-1]
    for rim_px in range(1, int(depth.max()) + 1):
        count, labels, stats, _ = cv2.connectedComponentsWithStats(
            (depth > rim_px).astype(np.uint8)
        )
        cores = [n for n in range(1, count) if stats[n, cv2.CC_STAT_AREA] >= LEAST_CORE_PX]
        if len(cores) > 1:
            away = np.stack([_away(np.asarray(labels == n)) for n in cores])
            nearest = away.argmin(axis=0)
            return [np.asarray(thing & (nearest == n)) for n in range(len(cores))]
    return []


def _away(core: Mask) -> NDArray[np.float32]:
    """How far each point is from a core."""
    return np.asarray(cv2.distanceTransform((~core).astype(np.uint8), cv2.DIST_L2, 5), np.float32)


def _equal(thing: Mask, count: int) -> list[Mask]:
    """Parted into the compactest parts: tokens that lie edge to edge have no neck."""
    points = np.argwhere(thing).astype(np.float32)
    along = points - points.mean(axis=0)
    axis = np.linalg.svd(along.T @ along)[0][:, 0]
    order = np.quantile(along @ axis, (np.arange(count) + 0.5) / count)
    middles = points.mean(axis=0) + order[:, None] * axis
    nearest = np.zeros(len(points), np.intp)
    for _ in range(ROUNDS):
        away = np.linalg.norm(points[:, None] - middles[None], axis=2)
        nearest = away.argmin(axis=1)
        middles = np.stack(
            [points[nearest == n].mean(axis=0) if (nearest == n).any() else middles[n]
             for n in range(count)]
        )  # fmt: skip
    labels = np.full(thing.shape, -1)
    labels[thing] = nearest
    return [part for n in range(count) if (part := np.asarray(labels == n)).any()]
