"""A camera's lens: turns pixels into straight rays and back, and says how sure it is of that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import CameraError

Points = NDArray[np.float64]
"""Points, [n, 2] (on a plane or in a picture) or [n, 3]."""

USUAL_FOCAL_PER_WIDTH = 0.82
"""Webcams and Pi cameras see 60 to 66 degrees across."""


class LensSpread(NamedTuple):
    """One way in which a guessed lens may be off, by one standard deviation.

    `focal` is a share of the focal length, `x` and `y` shares of the picture's width by which the
    middle is off, `k1` and `k2` what is added to the bend. All five go together; the ways of one
    lens are independent of each other.
    """

    focal: float
    x: float
    y: float
    k1: float
    k2: float


@dataclass(frozen=True)
class Lens:
    """A camera's lens at one picture size.

    `focal_px` and `centre_px` in px of pictures of `size_px`; `distortion` as OpenCV orders it (k1,
    k2, p1, p2, k3). `rms_px` is how well it was calibrated. `assumed` lenses were never calibrated
    but guessed: `spread` says how far they may be off, and is empty where that is not known.
    """

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)
    rms_px: float = 0.0
    camera: str = ""
    assumed: bool = False
    spread: tuple[LensSpread, ...] = ()

    @classmethod
    def usual(cls, size_px: tuple[int, int]) -> Lens:
        """What a camera has most likely, when nothing is known of it: 63 degrees, no distortion."""
        width, height = size_px
        focal = USUAL_FOCAL_PER_WIDTH * width
        centre = ((width - 1) / 2, (height - 1) / 2)
        return cls(size_px, (focal, focal), centre, assumed=True)

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """The camera matrix, [3, 3]."""
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    @cached_property
    def coefficients(self) -> NDArray[np.float64]:
        """The distortion as an array."""
        return np.array(self.distortion, np.float64)

    def at(self, size_px: tuple[int, int]) -> Lens:
        """The same lens at another picture size; `CameraError` where the shape differs."""
        if size_px == self.size_px:
            return self
        scale = size_px[0] / self.size_px[0]
        if abs(self.size_px[1] * scale - size_px[1]) > 1:
            raise CameraError(
                f"the lens was calibrated at {times(self.size_px)} and the pictures are "
                f"{times(size_px)}, another shape: measure the lens at that size, or take [lens] "
                "out of the table's file"
            )
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        return Lens(
            size_px,
            (fx * scale, fy * scale),
            ((cx + 0.5) * scale - 0.5, (cy + 0.5) * scale - 0.5),
            self.distortion,
            self.rms_px * scale,
            self.camera,
            self.assumed,
            self.spread,
        )

    @property
    def known(self) -> bool:
        """Whether it was measured, or guessed with a spread."""
        return not self.assumed or bool(self.spread)

    @cached_property
    def others(self) -> tuple[Lens, ...]:
        """Lenses that explain what was seen nearly as well: one deviation along each way."""
        (fx, fy), (cx, cy), width = self.focal_px, self.centre_px, self.size_px[0]
        k1, k2, *more = self.distortion
        return tuple(
            replace(
                self,
                focal_px=(fx * (1 + way.focal), fy * (1 + way.focal)),
                centre_px=(cx + way.x * width, cy + way.y * width),
                distortion=(k1 + way.k1, k2 + way.k2, *more),
                spread=(),
            )
            for way in self.spread
        )

    def rays(self, points_px: Points) -> Points:
        """Where the rays of pixels cross the plane one unit before the camera, [n, 2]."""
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        straight = cv2.undistortPoints(points, self.matrix, self.coefficients)
        return np.asarray(straight, np.float64).reshape(-1, 2)

    def pictured(self, rays: Points) -> Points:
        """The pixels of rays, [n, 2]: the reverse of `rays`."""
        ahead = np.column_stack([rays, np.ones(len(rays))])
        zero = np.zeros(3)
        pixels, _ = cv2.projectPoints(ahead, zero, zero, self.matrix, self.coefficients)
        return np.asarray(pixels, np.float64).reshape(-1, 2)


def times(size_px: tuple[int, int]) -> str:
    """A picture's size as people write it.

    >>> times((1280, 720))
    '1280 x 720'
    """
    return f"{size_px[0]} x {size_px[1]}"
