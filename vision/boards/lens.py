"""A camera's lens: turns pixels into straight rays and back, and can be guessed from boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import CameraError

Points = NDArray[np.float64]
"""Points, [n, 2] (on a plane or in a picture) or [n, 3]."""

USUAL_FOCAL_PER_WIDTH = 0.82
"""Webcams and Pi cameras see 60 to 66 degrees across."""
MOST_BENT = 0.6
"""No camera that belongs over a table has a stronger first coefficient."""
FIT_POINTS = 16
"""The corners of four markers."""
BETTER_SHARE = 0.95
"""A bend is believed if it leaves less than this share of what a straight lens leaves: noise alone
brings that to 0.98."""


@dataclass(frozen=True)
class Lens:
    """A camera's lens at one picture size.

    `focal_px` and `centre_px` in px of pictures of `size_px`; `distortion` as OpenCV orders it (k1,
    k2, p1, p2, k3). `rms_px` is how well it was calibrated. `assumed` lenses were never calibrated:
    with a lens much wider or narrower than usual, tokens are then read up to 3 mm outwards or
    inwards at the picture's edge.
    """

    size_px: tuple[int, int]
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)
    rms_px: float = 0.0
    camera: str = ""
    assumed: bool = False

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
                f"{times(size_px)}, another shape: calibrate at that size, or leave the lens out"
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


def fitted_lens(
    size_px: tuple[int, int], boards_mm: Sequence[Points], boards_px: Sequence[Points]
) -> Lens:
    """Guess a lens from printed boards in one picture: how straight their rows of corners are.

    Each board gives its corners on the board, mm, and in the picture, px. The focal length cannot
    be told from boards that all lie flat under the camera, so the usual one stands; the bend can,
    even from the shapes of one board's four markers. The usual lens stands where corners are too
    few, or where a bend does not explain them much better.
    """
    lens = Lens.usual(size_px)
    if sum(map(len, boards_mm)) < FIT_POINTS:
        return lens
    straight_px, _ = _bend(lens, boards_mm, boards_px, cv2.CALIB_FIX_K1)
    rms_px, first = _bend(lens, boards_mm, boards_px, 0)
    if not np.isfinite(first) or abs(first) > MOST_BENT or rms_px > BETTER_SHARE * straight_px:
        return lens
    distortion = (first, 0.0, 0.0, 0.0, 0.0)
    return Lens(size_px, lens.focal_px, lens.centre_px, distortion, rms_px, assumed=True)


def _bend(
    lens: Lens, boards_mm: Sequence[Points], boards_px: Sequence[Points], fixed: int
) -> tuple[float, float]:
    """What boards leave over, px rms, and the first coefficient that explains them best."""
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_FOCAL_LENGTH
    flags |= cv2.CALIB_FIX_PRINCIPAL_POINT | cv2.CALIB_ZERO_TANGENT_DIST
    flags |= cv2.CALIB_FIX_K2 | cv2.CALIB_FIX_K3
    on_boards = [np.column_stack([p, np.zeros(len(p))]).astype(np.float32) for p in boards_mm]
    in_picture = [np.asarray(p, np.float32) for p in boards_px]
    rms, _, bend, _, _ = cv2.calibrateCamera(
        on_boards, in_picture, lens.size_px, lens.matrix.copy(), np.zeros(5), flags=flags | fixed
    )
    return float(rms), float(np.ravel(bend)[0])


def times(size_px: tuple[int, int]) -> str:
    """A picture's size as people write it.

    >>> times((1280, 720))
    '1280 x 720'
    """
    return f"{size_px[0]} x {size_px[1]}"
