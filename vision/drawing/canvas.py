"""A sheet to draw on in millimetres: boards, cards and tokens before they lie on the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import PointMm, Rgb
from vision.markers.dictionaries import MarkerDictionary

Colour = tuple[int, int, int]
"""Blue, green, red, 0-255."""

Sprite = NDArray[np.uint8]
"""[height, width, 4]: blue, green, red, already multiplied by the fourth, how much it covers."""

_SHIFT = 5  # OpenCV draws at 1/32 px


def bgr(colour: Rgb) -> Colour:
    """A plan's colour as pictures have it."""
    red, green, blue = colour
    return (blue, green, red)


class Canvas:
    """A sheet of `size_mm`; x right and y down in mm from its top left corner."""

    def __init__(self, size_mm: PointMm, px_per_mm: float, colour: Colour) -> None:
        width, height = (max(1, round(side * px_per_mm)) for side in size_mm)
        self.px_per_mm = px_per_mm
        self.image: NDArray[np.uint8] = np.empty((height, width, 3), np.uint8)
        self.image[0] = colour
        self.image[1:] = self.image[0]  # whole rows: many times quicker than pixel by pixel
        self._cover: NDArray[np.uint8] | None = None

    def fill(self, outline_mm: Sequence[PointMm], colour: Colour) -> None:
        """A filled polygon."""
        cv2.fillPoly(self.image, [self._px(outline_mm)], colour, cv2.LINE_AA, _SHIFT)

    def line(self, points_mm: Sequence[PointMm], colour: Colour, width_mm: float) -> None:
        """A closed outline."""
        thick = max(1, round(width_mm * self.px_per_mm))
        points = [self._px(points_mm)]
        cv2.polylines(self.image, points, True, colour, thick, cv2.LINE_AA, _SHIFT)  # noqa: FBT003

    def disc(self, centre_mm: PointMm, radius_mm: float, colour: Colour) -> None:
        """A filled circle."""
        centre = tuple(int(n) for n in self._px([centre_mm])[0])
        radius = round(radius_mm * self.px_per_mm * 2**_SHIFT)
        cv2.circle(self.image, (centre[0], centre[1]), radius, colour, -1, cv2.LINE_AA, _SHIFT)

    def text(self, middle_mm: PointMm, words: str, height_mm: float, colour: Colour) -> None:
        """One line of text with its middle at a point."""
        font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, round(height_mm * self.px_per_mm / 9))
        (_, tall), _ = cv2.getTextSize(words, font, 1.0, thick)
        scale = height_mm * self.px_per_mm / tall
        (width, tall), _ = cv2.getTextSize(words, font, scale, thick)
        x, y = (n * self.px_per_mm for n in middle_mm)
        place = (round(x - width / 2), round(y + tall / 2))
        cv2.putText(self.image, words, place, font, scale, colour, thick, cv2.LINE_AA)

    def marker(
        self, dictionary: MarkerDictionary, number: int, centre_mm: PointMm, side_mm: float
    ) -> None:
        """A marker, upright, with its black square's middle at a point and no rim of its own."""
        side_px = dictionary.cells * max(1, round(side_mm * self.px_per_mm / dictionary.cells))
        art = cv2.cvtColor(dictionary.picture(number, side_px), cv2.COLOR_GRAY2BGR)
        scale = side_mm * self.px_per_mm / side_px
        left, top = ((n - side_mm / 2) * self.px_per_mm for n in centre_mm)
        patch, (x, y) = self._window(left, top, scale * side_px)
        # A pixel's centre lies on a whole number, its edge half a pixel before.
        onto = np.array(
            [[scale, 0, left + scale / 2 - 0.5 - x], [0, scale, top + scale / 2 - 0.5 - y]],
            np.float64,
        )
        # Art and how much it covers, each alone: what happens at the edge of a picture that is
        # warped onto another differs from one OpenCV to the next, by half a pixel.
        size = (patch.shape[1], patch.shape[0])
        covered = cv2.warpAffine(np.full_like(art, 255), onto, size)
        cv2.multiply(patch, cv2.bitwise_not(covered), patch, scale=1 / 255)
        cv2.add(patch, cv2.warpAffine(art, onto, size), patch)

    def _window(
        self, left: float, top: float, side: float
    ) -> tuple[NDArray[np.uint8], tuple[int, int]]:
        """The part of the sheet that a square touches, and where that part begins; all in px."""
        x, y = max(0, int(left) - 2), max(0, int(top) - 2)
        return self.image[y : int(top + side) + 3, x : int(left + side) + 3], (x, y)

    def cut(self, outline_mm: Sequence[PointMm]) -> None:
        """Keep only what lies inside the outline."""
        self._cover = np.zeros(self.image.shape[:2], np.uint8)
        cv2.fillPoly(self._cover, [self._px(outline_mm)], 255, cv2.LINE_AA, _SHIFT)

    def sprite(self) -> Sprite:
        """The sheet, ready to be pasted."""
        if self._cover is None:
            full = np.full((*self.image.shape[:2], 1), 255, np.uint8)
            return np.concatenate([self.image, full], axis=2)
        share = self._cover[..., None].astype(np.float32) / 255.0
        colours = np.rint(self.image * share).astype(np.uint8)
        return np.concatenate([colours, self._cover[..., None]], axis=2)

    def _px(self, points_mm: Sequence[PointMm]) -> NDArray[np.int32]:
        points: NDArray[Any] = np.asarray(points_mm, np.float64) * self.px_per_mm - 0.5
        return np.asarray(np.rint(points * 2**_SHIFT), np.int32)


def rounded(size_mm: PointMm, radius_mm: float, at_mm: PointMm = (0.0, 0.0)) -> list[PointMm]:
    """The outline of a rectangle with rounded corners, its top left corner at a point."""
    (width, height), (left, top) = size_mm, at_mm
    right, low = width - radius_mm, height - radius_mm
    middles = [(right, radius_mm), (right, low), (radius_mm, low), (radius_mm, radius_mm)]
    return [
        (left + x + radius_mm * float(np.cos(angle)), top + y + radius_mm * float(np.sin(angle)))
        for quarter, (x, y) in enumerate(middles)
        for angle in np.radians(np.linspace(-90, 0, 7) + 90 * quarter)
    ]
