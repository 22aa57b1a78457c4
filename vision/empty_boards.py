"""Boards as they look with nothing on them, from above, and what differs from that: tokens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board
from vision.board_place import BoardPlace
from vision.frame import Frame

PX_PER_MM = 1.25
PATCH_MM = 44.0
"""The side of a token's learned picture: the largest token with its nose, turned any way."""
CHANGED = 20.0
"""Levels by which a token differs from the board under it, in at least one channel."""
LEAST_MM2, MOST_MM2 = 180.0, 4000.0
WITHIN = 0.3
"""The least share of a thing that lies within the side of a token's picture."""
LIGHT_MM = (240.0, 120.0, 70.0)
"""Surroundings in which the light is told, from wide to narrow; the last hold a token well."""
LIGHT_LIMITS = (0.4, 2.5)
CHANNELS = 3

Grid = NDArray[np.float32]
Picture = NDArray[np.float32]
"""[height, width, 3]: lightness and two colours; grey pictures have no colours."""


@dataclass(frozen=True, eq=False)
class Found:
    """Something that lies on a board: where, how large, and its picture, not yet turned."""

    board: str
    middle_mm: tuple[float, float]
    area_mm2: float
    picture: Picture
    mask: NDArray[np.bool_]

    def covers(self, point_mm: tuple[float, float]) -> bool:
        """Whether a point of its board lies under it."""
        half = self.mask.shape[0] / 2
        column, row = (
            int((at - middle) * PX_PER_MM + half)
            for at, middle in zip(point_mm, self.middle_mm, strict=True)
        )
        inside = 0 <= row < self.mask.shape[0] and 0 <= column < self.mask.shape[1]
        return inside and bool(self.mask[row, column])


class EmptyBoards:
    """How the boards of a plan look when nothing stands on them, from above at a token's height."""

    def __init__(self, height_mm: float) -> None:
        self.height_mm = height_mm
        self._empty: dict[str, Picture] = {}
        self._grids: dict[str, tuple[BoardPlace, Grid]] = {}

    @property
    def known(self) -> frozenset[str]:
        """The boards that were learned."""
        return frozenset(self._empty)

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """Each board as it was learned, from above."""
        return self._empty

    def recall(self, board: str, picture: Picture) -> None:
        """A board as it was learned another time."""
        self._empty[board] = picture

    def learn(self, frame: Frame, places: Mapping[str, BoardPlace]) -> None:
        """The boards that pieces stand on, as they look now."""
        for name, place in places.items():
            if place.board.holds_pieces:
                self._empty[name] = self._flat(frame, place)

    def differing(self, frame: Frame, place: BoardPlace) -> list[Found]:
        """What lies on one board; nothing on a board that was never learned."""
        empty = self._empty.get(place.board.name)
        if empty is None:
            return []
        return _found(place.board, empty, self._flat(frame, place))

    def _flat(self, frame: Frame, place: BoardPlace) -> Picture:
        """The board from above; where its points lie is worked out once for each place."""
        known = self._grids.get(place.board.name)
        if known is None or known[0] is not place:
            known = self._grids[place.board.name] = (place, grid_of(place, self.height_mm))
        return flattened(frame, known[1])


def flat_size_px(board: Board) -> tuple[int, int]:
    """Width and height of a board's picture from above."""
    width, height = (max(1, round(side * PX_PER_MM)) for side in board.size_mm)
    return (width, height)


def grid_of(place: BoardPlace, height_mm: float) -> Grid:
    """Where the points of a board, at some height over it, lie in the picture, [h, w, 2] px."""
    width, height = flat_size_px(place.board)
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    points = np.asarray(np.column_stack([x.ravel(), y.ravel()]) / PX_PER_MM, np.float64)
    return place.to_picture(points, height_mm).astype(np.float32).reshape(height, width, 2)


def flattened(frame: Frame, grid: Grid) -> Picture:
    """A board from above: lightness and colours, float."""
    colour = frame.in_colour()
    source = colour if colour is not None else cv2.merge([frame.grey] * CHANNELS)
    flat = cv2.remap(np.asarray(source, np.uint8), grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(flat, (0, 0), 0.6 * PX_PER_MM)
    return np.asarray(cv2.cvtColor(smooth.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _found(board: Board, empty: Picture, now: Picture) -> list[Found]:
    """Connected parts of a board that differ from its empty look, large enough for a token."""
    lit = relit(now, empty)
    mask = np.asarray((_apart(lit, empty) > CHANGED).any(axis=2), np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel, iterations=2)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8))
    found: list[Found] = []
    for label in range(1, count):
        area_mm2 = float(stats[label, cv2.CC_STAT_AREA]) / PX_PER_MM**2
        if LEAST_MM2 <= area_mm2 <= MOST_MM2:
            middle = (float(middles[label][0]), float(middles[label][1]))
            own = np.asarray(labels == label)
            patch, inside = _patch(lit, own, middle)
            if inside.sum() < WITHIN * stats[label, cv2.CC_STAT_AREA]:
                continue  # the rim of a shadow, or more than one token
            at_mm = ((middle[0] + 0.5) / PX_PER_MM, (middle[1] + 0.5) / PX_PER_MM)
            found.append(Found(board.name, at_mm, area_mm2, patch, inside))
    return found


def relit(now: Picture, empty: Picture) -> Picture:
    """A board as it would look under the light in which it was learned.

    Light differs from place to place: of each point's surroundings what looks as before, light
    apart, tells how much. From wide surroundings to narrow ones, so that a shadow's edge is found.
    """
    gain = np.median(empty[..., 0]) / max(1.0, float(np.median(now[..., 0])))
    lit = _lit_by(now, np.float32(gain), np.zeros(2, np.float32))
    for around_mm in LIGHT_MM:
        off = _apart(lit, empty).max(axis=2)
        trust = 1 / (1 + (off / CHANGED) ** 4) + 1e-4
        lit = _lit_by(now, *_light(now, empty, trust, around_mm))
    return lit


def _light(
    now: Picture, empty: Picture, trust: NDArray[np.float32], around_mm: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """By how much more light there was, and how other its colour, in each point's surroundings."""
    side = round(around_mm * PX_PER_MM) | 1

    def mean(values: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.blur(values, (side, side)), np.float32)

    weight = mean(trust)
    gain = mean(empty[..., 0] * trust) / np.maximum(mean(now[..., 0] * trust), 1e-3 * weight)
    tint = [mean((empty[..., n] - now[..., n]) * trust) / weight for n in (1, 2)]
    return np.clip(gain, *LIGHT_LIMITS), np.stack(tint, axis=2)


def _lit_by(now: Picture, gain: NDArray[np.float32] | np.float32, tint: Picture) -> Picture:
    lit = now.copy()
    lit[..., 0] *= gain
    lit[..., 1:] += tint
    return lit


def _apart(one: Picture, other: Picture) -> Picture:
    """How far two pictures are apart at each point, in levels, each channel for itself."""
    return np.asarray(np.abs(one - other) * np.array([2.55, 2.0, 2.0], np.float32), np.float32)


def _patch(
    picture: Picture, mask: NDArray[np.bool_], middle: tuple[float, float]
) -> tuple[Picture, NDArray[np.bool_]]:
    """The surroundings of a point, and which of them belong to the thing there."""
    side = round(PATCH_MM * PX_PER_MM)
    shift = np.array([[1, 0, side / 2 - middle[0]], [0, 1, side / 2 - middle[1]]], np.float64)
    patch = cv2.warpAffine(picture, shift, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(mask.astype(np.uint8), shift, (side, side), flags=cv2.INTER_NEAREST)
    return np.asarray(patch, np.float32), np.asarray(inside, np.uint8).astype(bool)
