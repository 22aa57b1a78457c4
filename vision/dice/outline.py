"""Where the foot of a die is seen, as its outline tells.

However a cube lies, the middle of all that is seen of it is its own: half-way from the middle of
any of its faces to that of the opposite one. So the foot of a die is seen twice as far from the
middle of its upper face as the middle of its outline is. Of one that lies flat it is seen where the
camera alone makes it be; a side of one that leans has its opposite one elsewhere.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import Frame
from vision.dice.dice import SMOOTH, Point
from vision.dice.faces import Floats, Places
from vision.dice.stance import (
    DARK_DIE,
    DARKEST,
    DARKEST_OF_DARK,
    LEAST_GROUND,
    OTHER_DIE,
    OWN_AREA,
    STRANGE,
    is_bright,
    is_strange,
)
from vision.markers.corners import sample

SAME_DIE = 0.75
"""Two faces so near to each other, in widths of a die, are of one die, or one lies on another."""
NEAREST_END, FARTHEST_END = 0.3, 1.15
"""So far from the middle of a face, in widths of a die, its outline may be."""
FACE_END = 0.56
"""So far from its middle a face ends as a rule: at 0.5 along its edges, at 0.7 in its corners."""
SHARP = 0.4
"""A step there is so large at least, in parts of what is usual all round: where a shadow ends, or
the light that a glass scatters, it is softer."""

_WAYS = np.radians(np.arange(0.0, 360.0, 7.5))
_OUTWARDS = np.column_stack([np.cos(_WAYS), np.sin(_WAYS)])
_OUT = np.arange(0.21, 1.3, 0.03)
_STEP = 4
_ENDS: NDArray[np.float64] = _OUT[_STEP // 2 : _STEP // 2 + len(_OUT) - _STEP]
_BEYOND_PIPS = (_ENDS > 0.45) & (_ENDS <= FARTHEST_END)
_OWN, _FURTHER = (_OUT > 0.29) & (_OUT < 0.45), _OUT > 1.05


@dataclass(frozen=True, slots=True, eq=False)
class Outlines:
    """The outlines of dice about `die_px` wide: the picture, smoothed, in each of its colours.

    `faces` [n, 2] are the middles of all faces that were found, px.
    """

    planes: tuple[Floats, ...]
    faces: Places
    die_px: float

    @classmethod
    def of(cls, frame: Frame, faces: Sequence[Point], die_px: float) -> Outlines:
        """Those of a picture; in grey where it has no colours."""
        colour = frame.in_colour()
        picture = (frame.grey if colour is None else colour).astype(np.float32)
        soft = cv2.GaussianBlur(picture, (0, 0), SMOOTH * die_px)
        planes = tuple(np.asarray(plane, np.float32) for plane in cv2.split(soft))
        return cls(planes, np.array(faces, np.float64).reshape(-1, 2), die_px)

    def foot_from(self, middle: Point) -> Point | None:
        """How far from a face's middle the opposite one's is seen, in widths of a die.

        None where no outline is seen, or too little of the ground to know it.
        """
        reaches = self._reaches(np.array(middle))
        if reaches is None:
            return None
        x, y = 4 / 3 * (reaches**3 @ _OUTWARDS) / (reaches**2).sum()
        return float(x), float(y)

    def _reaches(self, middle: Places) -> NDArray[np.float64] | None:
        """How far the outline is from a face's middle on each way outwards, in widths.

        Where it is not seen, as far as on the way back, but no further than a face is as a rule.
        """
        spots = middle + self.die_px * _OUTWARDS[:, None] * _OUT[:, None]
        looks = np.stack([sample(it, spots[..., 0], spots[..., 1]) for it in self.planes], axis=-1)
        near = self._from_others(spots, middle)
        ground = (near > OWN_AREA) & _FURTHER
        if ground.mean() < LEAST_GROUND:
            return None
        steps = np.linalg.norm(looks[:, _STEP:] - looks[:, :-_STEP], axis=-1)
        sharp = steps >= SHARP * np.median(steps[:, _BEYOND_PIPS].max(axis=1))
        sharp &= _is_peak(steps) & (_ENDS >= NEAREST_END) & (_ENDS <= FARTHEST_END)
        sharp &= _is_paint(looks, ground)[:, :-_STEP] & (near[:, :-_STEP] > OTHER_DIE)
        reaches = np.asarray(np.where(sharp, _ENDS, 0.0).max(axis=1), np.float64)
        back = np.roll(reaches, len(reaches) // 2)
        unseen = np.where(back > 0.0, np.minimum(back, FACE_END), FACE_END)
        return np.where(reaches > 0.0, reaches, unseen) if reaches.any() else None

    def _from_others(self, spots: Places, middle: Places) -> NDArray[np.float64]:
        """How far spots are from the faces of other dice, in widths."""
        apart = np.linalg.norm(self.faces - middle, axis=1)
        others = self.faces[apart > SAME_DIE * self.die_px]
        if not len(others):
            return np.full(spots.shape[:-1], math.inf)
        away = np.linalg.norm(spots[..., None, :] - others, axis=-1)
        return np.asarray(away.min(axis=-1) / self.die_px, np.float64)


def _is_peak(steps: Floats) -> NDArray[np.bool_]:
    """Which steps are no smaller than those before and after them."""
    wide = np.pad(steps, ((0, 0), (1, 1)), constant_values=math.inf)
    return np.asarray((steps >= wide[:, :-2]) & (steps >= wide[:, 2:]), np.bool_)


def _is_paint(looks: Floats, ground: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which places are neither ground nor in a shadow on it, of looks [ways, k, planes]."""
    flat, below = looks.reshape(-1, looks.shape[-1]), ground.ravel()
    grey, own = flat.mean(axis=1), np.broadcast_to(_OWN, ground.shape).ravel()
    dark = float(np.median(grey[own])) < DARK_DIE * float(np.median(grey[below]))
    strange = is_strange(flat, below, DARKEST_OF_DARK if dark else DARKEST, STRANGE)
    return np.asarray((strange | is_bright(grey, below, own)).reshape(ground.shape))
