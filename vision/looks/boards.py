"""Boards as they look from above with nothing on them, and the tokens that differ from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board
from vision.boards.place import BoardPlace
from vision.camera.frame import Frame

# Tokens that touch show as one thing: parted where it is narrowest, else equally.

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


# Empty boards, and what lies on them.

PX_PER_MM = 1.25
PATCH_MM = 56.0
"""The side of a token's learned picture: the largest token with its nose, turned any way."""
CHANGED = 20.0
"""Levels by which a token differs from the board under it, in at least one channel."""
LEAST_MM2, MOST_MM2 = 180.0, 4000.0
MOST_TOUCHING = 4
"""Tokens that touch are told apart up to so many of the largest."""
WITHIN = 0.3
"""The least share of a thing that lies within the side of a token's picture."""
LIGHT_MM = (240.0, 120.0, 70.0)
"""Surroundings in which the light is told, from wide to narrow; the last hold a token well."""
LIGHT_LIMITS = (0.4, 2.5)
TOO_BRIGHT = 242.0
"""Levels from which on a camera's picture may hide how bright it was."""
SMOOTH_MM = 0.6
FEWER = 4
"""Of so many points along each side one is enough to tell the light."""
LEAST_TOLD = 0.05
CHANNELS = 3

Grid = NDArray[np.float32]
Picture = NDArray[np.float32]
"""[height, width, 3]: lightness and two colours; grey pictures have no colours."""


NO_LIMIT = (255.0, 255.0, 255.0)


@dataclass(frozen=True, eq=False)
class Found:
    """Something that lies on a board: where, how large, and its picture, not yet turned.

    `limit` is how bright, in each channel's levels, the camera could have seen it there.
    """

    board: str
    middle_mm: tuple[float, float]
    area_mm2: float
    picture: Picture
    mask: NDArray[np.bool_]
    limit: tuple[float, float, float] = NO_LIMIT

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

    def differing(self, frame: Frame, place: BoardPlace, most_mm2: float = MOST_MM2) -> list[Found]:
        """What lies on one board; nothing on a board that was never learned.

        What is larger than `most_mm2` is taken for tokens that touch, and parted.
        """
        empty = self._empty.get(place.board.name)
        if empty is None:
            return []
        return _found(place.board, empty, self._flat(frame, place), most_mm2)

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
    """A board from above, in levels."""
    colour = frame.in_colour()
    source = colour if colour is not None else cv2.merge([frame.grey] * CHANNELS)
    flat = cv2.remap(np.asarray(source, np.uint8), grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(flat, (0, 0), SMOOTH_MM * PX_PER_MM)
    return np.asarray(smooth, np.float32)


def in_lab(levels: Picture) -> Picture:
    """Levels as lightness and two colours: as far apart as they look to people."""
    return np.asarray(cv2.cvtColor(levels / 255, cv2.COLOR_BGR2Lab), np.float32)


def _found(board: Board, empty: Picture, now: Picture, most_mm2: float) -> list[Found]:
    """Connected parts of a board that differ from its empty look, large enough for a token."""
    lit, gain = relit(now, empty)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(_changed(lit, now, empty))
    found: list[Found] = []
    for label in range(1, count):
        area_mm2 = float(stats[label, cv2.CC_STAT_AREA]) / PX_PER_MM**2
        if LEAST_MM2 <= area_mm2 <= MOST_MM2 * MOST_TOUCHING:
            for own in _parts(np.asarray(labels, np.int32), stats[label], label, most_mm2):
                thing = _thing(board, lit, gain, own)
                found += [thing] if thing is not None else []
    return found


def _changed(lit: Picture, now: Picture, empty: Picture) -> NDArray[np.uint8]:
    """Where a board differs from its empty look, without specks and holes; 1 there."""
    hidden = (now >= TOO_BRIGHT) & (lit < empty)  # what is too bright to tell may be as before
    off = apart(in_lab(np.where(hidden, empty, lit)), in_lab(empty))
    mask = np.asarray((off > CHANGED).any(axis=2), np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    return np.asarray(cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel, iterations=2), np.uint8)


def _parts(
    labels: NDArray[np.int32], stats: NDArray[Any], label: int, most_mm2: float
) -> Iterator[NDArray[np.bool_]]:
    """The masks of one connected part, or of each token in it; [height, width] of the board."""
    left, top, wide, high = (int(n) for n in stats[:4])
    window = (slice(top, top + high), slice(left, left + wide))
    for part in parted(np.asarray(labels[window] == label), most_mm2 * PX_PER_MM**2):
        own = np.zeros(labels.shape, bool)
        own[window] = part
        yield own


def _thing(board: Board, lit: Picture, gain: Picture, own: NDArray[np.bool_]) -> Found | None:
    """What lies under a mask; None for the rim of a shadow, and for what no token covers."""
    rows, columns = np.nonzero(own)
    middle = (float(columns.mean()), float(rows.mean()))
    patch, inside = _patch(lit, own, middle)
    area_mm2 = len(rows) / PX_PER_MM**2
    if not LEAST_MM2 <= area_mm2 <= MOST_MM2 or inside.sum() < WITHIN * len(rows):
        return None
    at_mm = ((middle[0] + 0.5) / PX_PER_MM, (middle[1] + 0.5) / PX_PER_MM)
    blue, green, red = (TOO_BRIGHT * float(n) for n in gain[own].mean(axis=0))
    return Found(board.name, at_mm, area_mm2, patch, inside, (blue, green, red))


def relit(now: Picture, empty: Picture) -> tuple[Picture, Picture]:
    """A board as it would look under the light in which it was learned, and by what gain, levels.

    Light and its colour differ from place to place: of each point's surroundings what looks as
    before, light apart, tells how much. From wide surroundings to narrow ones, so that a shadow's
    edge is found. What was too bright for the camera, now or then, tells nothing of the light.
    """
    dark = np.asarray((now < TOO_BRIGHT) & (empty < TOO_BRIGHT))
    first = _first_gain(now, empty, dark)
    told = np.asarray(dark & (empty < TOO_BRIGHT * first), np.float32)
    gain = _gain(_few(now * told), _few(empty * told), _few(told), first)
    height, width, _ = told.shape
    gains = np.asarray(cv2.resize(gain, (width, height)), np.float32)
    return np.minimum(now * gains, np.float32(255.0)), gains


def _few(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    """Fewer points, each the mean of its own: light has no fine detail."""
    size = (max(1, round(picture.shape[1] / FEWER)), max(1, round(picture.shape[0] / FEWER)))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _gain(now: Picture, empty: Picture, told: Picture, first: NDArray[np.float32]) -> Picture:
    """By how much more light there was at each point, in each channel.

    Both pictures are weighted by `told`, the share of each point that tells of the light.
    """
    share = np.maximum(told, LEAST_TOLD)
    shown = in_lab(np.asarray(empty / share, np.float32))
    gain = np.broadcast_to(first, now.shape)
    for around_mm in LIGHT_MM:
        lighter = now * gain / share
        lit = in_lab(np.minimum(lighter, np.float32(255)))
        off = apart(lit, shown).max(axis=2)
        trust = (1 / (1 + (off / CHANGED) ** 4) + 1e-4)[..., None]
        side = round(around_mm * PX_PER_MM / FEWER) | 1
        gain = np.clip(_ratio(now, empty, told, trust, side), *LIGHT_LIMITS)
    return np.asarray(gain, np.float32)


def _ratio(now: Picture, empty: Picture, told: Picture, trust: Picture, side: int) -> Picture:
    """The gain of each point's surroundings; a channel that is mostly hidden goes with the rest."""
    then, since, known, sure = (
        cv2.blur(picture * trust, (side, side)) for picture in (empty, now, told, np.ones_like(now))
    )
    hidden = 0.02 + (1 - known / sure) * np.float32(2)
    rest_then = hidden * then.mean(axis=2, keepdims=True)
    rest_since = hidden * since.mean(axis=2, keepdims=True)
    return np.asarray((then + rest_then) / np.maximum(since + rest_since, 1e-3), np.float32)


def _first_gain(now: Picture, empty: Picture, told: NDArray[np.bool_]) -> NDArray[np.float32]:
    """By how much more light there was on the whole, in each channel."""
    ratios = np.ones(CHANNELS, np.float32)
    for n in range(CHANNELS):
        known = told[::FEWER, ::FEWER, n]
        if known.any():
            then, since = empty[::FEWER, ::FEWER, n][known], now[::FEWER, ::FEWER, n][known]
            ratio = (then + 1) / (since + 1)
            ratios[n] = np.median(ratio)
    return np.clip(ratios, *LIGHT_LIMITS)


def apart(one: Picture, other: Picture) -> Picture:
    """How far two pictures are apart at each point, in levels, each channel for itself."""
    levels = (one - other) * np.array([2.55, 2.0, 2.0], np.float32)
    return np.asarray(np.abs(levels), np.float32)


def _patch(
    picture: Picture, mask: NDArray[np.bool_], middle: tuple[float, float]
) -> tuple[Picture, NDArray[np.bool_]]:
    """The surroundings of a point, and which of them belong to the thing there."""
    side = round(PATCH_MM * PX_PER_MM)
    shift = np.array([[1, 0, side / 2 - middle[0]], [0, 1, side / 2 - middle[1]]], np.float64)
    patch = cv2.warpAffine(picture, shift, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(mask.astype(np.uint8), shift, (side, side), flags=cv2.INTER_NEAREST)
    return np.asarray(patch, np.float32), np.asarray(inside, np.uint8).astype(bool)
