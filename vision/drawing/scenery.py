"""The drawn table without anything that moves: wood, boards, light, drawn once and kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, PointMm
from vision.drawing.light import Field, shaded
from vision.drawing.optics import Optics, Points, kept_by_seed
from vision.drawing.pasting import Rect
from vision.drawing.prints import board_print
from vision.markers.dictionaries import MarkerDictionary

_GROUND_PX_PER_MM = 3.0
_FINE = 2  # the ground is drawn that many times finer than the picture, then averaged

_Lying = tuple[Optics, bytes, dict[str, Board]]
_laid: deque[tuple[_Lying, NDArray[np.uint8]]] = deque(maxlen=2)
"""How boards lay last, under which markers, and that picture: tables of one seed share it."""


class Scenery:
    """Everything that lies still: `plain` as it is, `lit` as the lens sees it, blue green red."""

    def __init__(
        self, optics: Optics, light: Field, blur_px: float, chance: np.random.Generator
    ) -> None:
        self.optics = optics
        self.light = light
        self.blur_px = blur_px
        corners = _corners(optics)
        self._origin_mm: PointMm = (float(corners[0].min()) - 5, float(corners[1].min()) - 5)
        far: PointMm = (float(corners[0].max()) + 5, float(corners[1].max()) + 5)
        self._size_mm = (far[0] - self._origin_mm[0], far[1] - self._origin_mm[1])
        self._wood = _wood(chance, self._size_mm)
        self._map = _ground_map(optics, self._origin_mm)
        self._prints: dict[str, NDArray[np.uint8]] = {}
        self.plain: NDArray[np.uint8] = np.empty(0, np.uint8)
        self.lit: NDArray[np.uint8] = np.empty(0, np.uint8)

    def lay(self, boards: Mapping[str, Board], dictionary: MarkerDictionary) -> None:
        """Lay the boards where they are now, and draw the picture without anything on them."""
        lying = (self.optics, dictionary.codes.bytesList.tobytes(), {**boards})
        kept = [plain for before, plain in _laid if before == lying]
        self.plain = kept[0] if kept else self._drawn(boards, dictionary)
        _laid.append((lying, self.plain))
        self.relight(self.light)

    def _drawn(
        self, boards: Mapping[str, Board], dictionary: MarkerDictionary
    ) -> NDArray[np.uint8]:
        ground = self._wood.copy()
        for name, board in boards.items():
            if name not in self._prints:
                self._prints[name] = board_print(board, dictionary)
            self._lay_board(ground, board, self._prints[name])
        fine = cv2.remap(ground, *self._map, cv2.INTER_LINEAR)
        size_px = self.optics.size_px
        return np.asarray(cv2.resize(fine, size_px, interpolation=cv2.INTER_AREA), np.uint8)

    def relight(self, light: Field) -> None:
        """Another light on the same things."""
        self.light = light
        width, height = self.optics.size_px
        self.lit = shaded(self.plain, light, (0, 0, width, height), self.blur_px)

    def shade(self, plain: NDArray[np.uint8], onto: NDArray[np.uint8], rect: Rect) -> None:
        """Light what was pasted on a copy of `plain` inside a rectangle, into a copy of `lit`."""
        left, top, right, bottom = rect
        onto[top:bottom, left:right] = shaded(plain, self.light, rect, self.blur_px)

    def _lay_board(self, ground: NDArray[np.uint8], board: Board, art: NDArray[np.uint8]) -> None:
        width, height = board.size_mm
        corners: list[PointMm] = [(0, 0), (width, 0), (width, height), (0, height)]
        places: Points = np.array([board.to_table(corner) for corner in corners])
        _darken(ground, self._px(places + 2.5))
        tall, wide = art.shape[:2]
        own = np.array([[0, 0], [wide, 0], [wide, tall]], np.float32) - np.float32(0.5)
        onto = cv2.getAffineTransform(own, self._px(places)[:3].astype(np.float32))
        size = (ground.shape[1], ground.shape[0])
        cv2.warpAffine(art, onto, size, ground, borderMode=cv2.BORDER_TRANSPARENT)

    def _px(self, points_mm: Points) -> Points:
        return (points_mm - self._origin_mm) * _GROUND_PX_PER_MM - 0.5


@lru_cache(maxsize=2)  # as large as ten pictures; tables of one seed have the same
def _ground_map(
    optics: Optics, origin_mm: PointMm
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Where in the ground's picture each pixel of the finer one looks."""
    xs, ys = optics.ground_map(_FINE)
    (x0, y0), scale = origin_mm, _GROUND_PX_PER_MM
    return ((xs - x0) * scale - 0.5, (ys - y0) * scale - 0.5)


def _corners(optics: Optics) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    width, height = optics.size_px
    xs, ys = np.linspace(0, width - 1, 9), np.linspace(0, height - 1, 9)
    rim = [(x, y) for x in xs for y in (0, height - 1)] + [
        (x, y) for y in ys for x in (0, width - 1)
    ]
    seen = optics.to_table_mm(np.array(rim, np.float64))
    return seen[:, 0], seen[:, 1]


def _darken(ground: NDArray[np.uint8], outline_px: Points) -> None:
    """The thin shadow beside a board's edge."""
    mask = np.zeros(ground.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.rint(outline_px).astype(np.int32)], 110, cv2.LINE_AA)
    left, top, width, height = cv2.boundingRect(np.rint(outline_px).astype(np.int32))
    window = (
        slice(max(0, top - 12), top + height + 12),
        slice(max(0, left - 12), left + width + 12),
    )
    keep = cv2.bitwise_not(cv2.GaussianBlur(mask[window], (0, 0), 3.0))
    part = ground[window]
    cv2.multiply(part, cv2.cvtColor(keep, cv2.COLOR_GRAY2BGR), part, scale=1 / 255)


@kept_by_seed
def _wood(chance: np.random.Generator, size_mm: PointMm) -> NDArray[np.uint8]:
    """A table top of planks with a grain; of single precision, for it is large."""
    width, height = (round(side * _GROUND_PX_PER_MM) for side in size_mm)
    fine = chance.normal(0, 3.5, (height // 3, width // 90)).astype(np.float32)
    broad = chance.normal(0, 5.0, (height // 40, width // 400 + 2)).astype(np.float32)
    planks = np.repeat(chance.normal(0, 5.0, height // 330 + 2), 330)[:height, None]
    shade = np.asarray(cv2.resize(fine, (width, height)), np.float32)
    shade += cv2.resize(broad, (width, height))
    shade += planks.astype(np.float32)
    base = np.array([78.0, 112.0, 150.0]) + chance.uniform(-14, 14) - 0.5  # what follows rounds
    return np.asarray(cv2.merge([_bytes(shade, level) for level in base.tolist()]), np.uint8)


def _bytes(shade: Field, level: float) -> NDArray[np.uint8]:
    """The grain on a colour's level, in one pass: what a byte cannot hold is cut at its ends."""
    return np.asarray(cv2.addWeighted(shade, 1.0, shade, 0.0, level, dtype=cv2.CV_8U), np.uint8)
