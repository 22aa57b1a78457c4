"""How a section of a track looks, small and in even light, to tell whether something lies there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import PointMm, Space
from vision.boards.lens import Points
from vision.boards.place import BoardPlace
from vision.camera.frame import GreyImage

STEP_MM = 2.0
SMOOTH_MM = 0.9
MARGIN_PX = 4
CHANGED = 22.0
"""Levels of grey, after the lamp is taken out; noise and print seen a little aside stay below."""
FAINTLY_CHANGED = 12.0
"""Where a hand must not be taken for the board: it may be about as bright."""
WHITE_SIDES, WHITE_STEPS, WHITE_PERCENT = 1.2, 16, 85.0
"""Where a marker's white is looked for, in sides of its own, and how bright it then is."""
RIM_MM = 4.0
"""The section's own printed border is not looked at: a card beside it may cover it."""


PointPx = NDArray[np.floating]
"""One place in a picture, [2]."""


@dataclass(frozen=True, eq=False)
class SectionLook:
    """A section as from above: brightness in steps of `STEP_MM`, and where each step lies, mm.

    `light` is how bright the white of its board's corner markers is: cards do not lie on them.
    """

    levels: NDArray[np.float64]
    origin_mm: PointMm
    light: float


class LookGrid:
    """Where the steps of one section lie in the picture, worked out once for a board's place."""

    def __init__(self, place: BoardPlace, space: Space) -> None:
        corners = np.array(space.outline_mm, np.float64)
        left, top = (corners.min(axis=0) + RIM_MM).tolist()
        right, low = (corners.max(axis=0) - RIM_MM).tolist()
        x, y = np.meshgrid(np.arange(left, right, STEP_MM), np.arange(top, low, STEP_MM))
        points = np.asarray(np.column_stack([x.ravel(), y.ravel()]), np.float64)
        at = place.to_picture(points)
        self.origin_mm = (left, top)
        self._low_px, self._high_px = at.min(axis=0), at.max(axis=0)
        first = np.floor(self._low_px).astype(int) - MARGIN_PX
        last = np.ceil(self._high_px).astype(int) + MARGIN_PX
        self._crop = (max(0, int(first[0])), max(0, int(first[1])), int(last[0]), int(last[1]))
        self._at = (at - self._crop[:2]).astype(np.float32).reshape(*x.shape, 2)
        self._smooth_px = SMOOTH_MM * place.px_per_mm

    def look(self, grey: GreyImage, light: float) -> SectionLook | None:
        """How the section looks in a picture: smoothed, so that noise and grain average out.

        None where it does not lie wholly in the picture: beyond the edge nothing can be seen.
        """
        if not _shows(grey, self._low_px, self._high_px):
            return None
        left, top, right, low = self._crop
        part = cv2.GaussianBlur(grey[top:low, left:right], (0, 0), self._smooth_px)
        levels = cv2.remap(part, self._at[..., 0], self._at[..., 1], cv2.INTER_LINEAR)
        return SectionLook(np.asarray(levels, np.float64), self.origin_mm, light)


def changed_share(
    empty: SectionLook,
    now: SectionLook,
    besides: Sequence[Points] = (),
    levels: float = CHANGED,
) -> float:
    """What share of a section differs by so much from its empty look, outside of outlines (mm).

    The lamp is taken out by how bright the board's markers are, so that a dimmed room changes
    nothing.
    """
    if empty.levels.shape != now.levels.shape:
        return 1.0
    free = ~_covered(now, besides)
    gain = empty.light / max(1.0, now.light)
    differs = np.abs(empty.levels - gain * now.levels) > levels
    return float(np.count_nonzero(differs & free) / now.levels.size)


def light_of(grey: GreyImage, place: BoardPlace) -> float:
    """How bright the white around and in a board's corner markers is: the middle one of them.

    Of the markers that lie in the picture; 1.0 where none does.
    """
    reach = WHITE_SIDES * place.board.corner_side_mm / 2
    steps = np.linspace(-reach, reach, WHITE_STEPS)
    dx, dy = np.meshgrid(steps, steps)
    whites: list[float] = []
    for x, y in (place.board.corners or {}).values():
        points = np.asarray(np.column_stack([dx.ravel() + x, dy.ravel() + y]), np.float64)
        at = place.to_picture(points).astype(np.float32)
        if not _shows(grey, at.min(axis=0), at.max(axis=0)):
            continue
        found = cv2.remap(grey, at[:, :1], at[:, 1:], cv2.INTER_LINEAR)
        whites.append(_white_of(np.asarray(found, np.uint8)))
    return float(np.median(whites)) if whites else 1.0


def _white_of(found: GreyImage) -> float:
    """The level that so many percent stay below, as `np.percentile` tells it.

    That takes seven times as long, and loads a megabyte that nothing else needs.
    """
    order = np.sort(found, axis=None)
    return float(np.interp(WHITE_PERCENT / 100 * (order.size - 1), np.arange(order.size), order))


def _shows(grey: GreyImage, low_px: PointPx, high_px: PointPx) -> bool:
    """Whether the picture reaches from one corner (x, y) to the other."""
    height, width = grey.shape
    return bool((low_px >= 0).all() and (high_px <= (width - 1, height - 1)).all())


def _covered(look: SectionLook, outlines: Sequence[Points]) -> NDArray[np.bool_]:
    """The steps that lie inside one of the outlines."""
    mask = np.zeros(look.levels.shape, np.uint8)
    for outline in outlines:
        points = np.rint((outline - look.origin_mm) / STEP_MM).astype(np.int32)
        cv2.fillConvexPoly(mask, points, 1)
    return mask.astype(bool)
