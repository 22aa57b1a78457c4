"""Pips: round dark spots of about one size, wherever they lie in a picture."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.sampling import sample

PIP_RADIUS = 0.1
"""Of a pip, in sides of its die."""
LEAST_RESPONSE = 6.0
"""Of a pip, in grey levels, after smoothing."""
LEAST_ROUNDNESS = 0.3
MOST_PIPS = 300
"""The strongest are looked at: a picture of gravel must not hold the table up."""
RING = 0.2
"""How far from a pip's middle there is face again, in sides of the die."""

Floats = NDArray[np.float32]
Places = NDArray[np.float64]
"""Points of a picture, [n, 2], x and y in px."""

_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
_AROUND = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """Dark spots: their `places` px, how strong each is, its `level` of grey and that around it."""

    places: Places
    responses: Floats
    levels: Floats
    rings: Floats

    def __len__(self) -> int:
        return len(self.places)


def find_pips(smooth: Floats, side_px: float, where: NDArray[np.bool_]) -> Pips:
    """The dark spots like pips of dice about `side_px` wide, the strongest first.

    Long ones are left out: they are edges, or the grain of wood. `smooth` is the picture without
    its noise; `where` is false where no die lies.
    """
    response = np.where(where, _response(smooth, side_px), np.float32(0.0))
    reach = max(1, round(0.9 * PIP_RADIUS * side_px))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    peaks = (response >= cv2.dilate(response, kernel)) & (response > LEAST_RESPONSE)
    peaks[:reach] = peaks[-reach:] = peaks[:, :reach] = peaks[:, -reach:] = False
    ys, xs = np.nonzero(peaks)
    falls = np.array([_falls(response, xs, ys, across, down, reach) for across, down in _WAYS])
    round_ones = falls.min(axis=0) > LEAST_ROUNDNESS * falls.max(axis=0)
    ys, xs = ys[round_ones], xs[round_ones]
    strongest = np.argsort(-response[ys, xs], kind="stable")[:MOST_PIPS]
    ys, xs = ys[strongest], xs[strongest]
    places = np.column_stack([xs + _off(response, xs, ys, 1, 0), ys + _off(response, xs, ys, 0, 1)])
    rings = np.median(_around(smooth, places, RING * side_px), axis=1)
    return Pips(places, response[ys, xs], smooth[ys, xs], rings.astype(np.float32))


def _response(smooth: Floats, side_px: float) -> Floats:
    """How much darker each place of the size of a pip is than what is around it."""
    radius_px = PIP_RADIUS * side_px
    # `smooth` has lost half a radius of detail already; variances add up.
    near = cv2.GaussianBlur(smooth, (0, 0), math.sqrt(0.65**2 - 0.5**2) * radius_px)
    around = cv2.GaussianBlur(smooth, (0, 0), math.sqrt(1.5**2 - 0.5**2) * radius_px)
    return np.asarray(around - near, np.float32)


def _falls(
    response: Floats,
    xs: NDArray[np.intp],
    ys: NDArray[np.intp],
    across: int,
    down: int,
    reach: int,
) -> Floats:
    """By how much the response falls off to both sides of each peak along a line."""
    far = reach if not (across and down) else max(1, round(reach / math.sqrt(2)))
    before = response[ys - far * down, xs - far * across]
    after = response[ys + far * down, xs + far * across]
    return np.asarray(response[ys, xs] - (before + after) / 2, np.float32)


def _off(
    response: Floats, xs: NDArray[np.intp], ys: NDArray[np.intp], across: int, down: int
) -> NDArray[np.float64]:
    """How far from its pixel each peak lies, -0.5 to 0.5: that of a parabola."""
    before = response[ys - down, xs - across].astype(np.float64)
    after = response[ys + down, xs + across].astype(np.float64)
    bend = np.minimum(before - 2 * response[ys, xs] + after, -1e-6)
    return np.asarray(np.clip((before - after) / (2 * bend), -0.5, 0.5), np.float64)


def _around(smooth: Floats, places: Places, radius_px: float) -> Floats:
    """The picture in a ring round each place, [n, 16]."""
    xs = places[:, :1] + radius_px * np.cos(_AROUND)
    return sample(smooth, xs, places[:, 1:] + radius_px * np.sin(_AROUND))
