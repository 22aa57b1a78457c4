"""The light on the drawn table, and the noise of the drawn camera's sensor."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.drawing.optics import kept_by_seed
from vision.drawing.pasting import Rect

Field = NDArray[np.float32]
"""How much of the light reaches each pixel, [height, width]; 1 is full light."""


def lamp_light(size_px: tuple[int, int], chance: np.random.Generator, *, falloff: float) -> Field:
    """A lamp beside the middle, its light falling off, and the soft shadow of a bystander."""
    width, height = size_px
    xs, ys = np.meshgrid(np.linspace(-1, 1, width // 8), np.linspace(-1, 1, height // 8))
    lamp_x, lamp_y = chance.uniform(-0.5, 0.5, 2)
    away = np.hypot(xs - lamp_x, ys - lamp_y) / 1.6
    light = 1.02 - falloff * np.minimum(away, 1.0) ** 2
    angle = chance.uniform(0, 2 * np.pi)
    beyond = xs * np.cos(angle) + ys * np.sin(angle) - chance.uniform(0.45, 0.9)
    soft = 1 / (1 + np.exp(-beyond / 0.04))
    light *= 1.0 - chance.uniform(0.15, 0.4) * soft
    return np.asarray(cv2.resize(light.astype(np.float32), size_px), np.float32)


def shaded(
    picture: NDArray[np.uint8], light: Field, rect: Rect, blur_px: float
) -> NDArray[np.uint8]:
    """The pixels of a rectangle as the lens sees them: lit, then blurred by `blur_px` (sigma)."""
    left, top, right, bottom = rect
    patch = picture[top:bottom, left:right]
    share = cv2.cvtColor(light[top:bottom, left:right], cv2.COLOR_GRAY2BGR)
    lit = cv2.multiply(patch, share, dtype=cv2.CV_8U)
    if blur_px > 0:
        lit = cv2.GaussianBlur(lit, (0, 0), blur_px)
    return np.asarray(lit, np.uint8)


def passing_shadow(
    size_px: tuple[int, int], place: tuple[float, float], depth: float
) -> NDArray[np.uint8]:
    """The shadow of a head and shoulders, 255 where all light passes.

    `place` is the head's, in shares of the picture's width and height.
    """
    width, height = size_px[0] // 8, size_px[1] // 8
    mask = np.zeros((height, width), np.float32)
    x, y = round(place[0] * width), round(place[1] * height)
    cv2.circle(mask, (x, y), height // 5, 1.0, -1)
    down = 1 if place[1] > 0.5 else -1
    cv2.ellipse(mask, (x, y + down * height // 3), (height // 2, height // 4), 0, 0, 360, 1.0, -1)
    soft = 255.0 * (1.0 - depth * cv2.GaussianBlur(mask, (0, 0), height / 40))
    return np.asarray(cv2.resize(np.rint(soft).astype(np.uint8), size_px), np.uint8)


class SensorNoise:
    """Noise from a small pool made beforehand: each picture takes one field at a random shift.

    Brighter and darker halves are kept apart, since two saturating additions of bytes are many
    times quicker than arithmetic on wider numbers.
    """

    _SPARE_PX = 64

    def __init__(
        self, size_px: tuple[int, int], sigma: float, chance: np.random.Generator, fields: int = 4
    ) -> None:
        self._size_px = size_px
        shape = (size_px[1] + self._SPARE_PX, size_px[0] + self._SPARE_PX)
        self._fields = _fields(chance, shape, sigma, fields) if sigma > 0 else []

    def add(self, picture: NDArray[np.uint8], chance: np.random.Generator) -> None:
        """Add fresh noise to a picture, in place."""
        if not self._fields:
            return
        choices = (len(self._fields), self._SPARE_PX, self._SPARE_PX)
        number, x, y = (int(n) for n in chance.integers(0, choices))
        plus, minus = self._fields[number]
        width, height = self._size_px
        window = (slice(y, y + height), slice(x, x + width))
        cv2.add(picture, plus[window], picture)
        cv2.subtract(picture, minus[window], picture)


@kept_by_seed
def _fields(
    chance: np.random.Generator, shape: tuple[int, int], sigma: float, number: int
) -> list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]:
    """Of each field what is added and what is taken away."""
    fields = list[tuple[NDArray[np.uint8], NDArray[np.uint8]]]()
    for _ in range(number):
        noise = chance.normal(0, sigma, shape)
        fields.append((_bytes(noise, 1.0), _bytes(noise, -1.0)))
    return fields


def _bytes(noise: NDArray[np.float64], sign: float) -> NDArray[np.uint8]:
    """What of the noise has that sign, rounded."""
    field = cv2.addWeighted(noise, sign, noise, 0.0, 0.0, dtype=cv2.CV_8U)
    # The same for all colours: a sensor's noise, once demosaiced, is mostly one of brightness.
    return np.asarray(cv2.cvtColor(field, cv2.COLOR_GRAY2BGR), np.uint8)
