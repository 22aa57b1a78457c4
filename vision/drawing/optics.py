"""The drawn camera: where a point of the table falls in the picture, and the other way round."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import PointMm

Points = NDArray[np.float64]
"""[n, 2], x and y, in px or mm as the name says."""

P = ParamSpec("P")
T = TypeVar("T")
_SEEDS_KEPT = 2


def kept_by_seed(
    draw: Callable[Concatenate[np.random.Generator, P], T],
) -> Callable[Concatenate[np.random.Generator, P], T]:
    """Keeps what was last drawn by chance, as that takes long: tables of one seed share it.

    The generator goes on as if it had drawn. What is shared is never drawn upon.
    """
    kept: dict[object, tuple[T, Mapping[str, Any]]] = {}

    @wraps(draw)
    def drawn(chance: np.random.Generator, /, *args: P.args, **named: P.kwargs) -> T:
        key = (repr(chance.bit_generator.state), args, *named.items())
        found = kept.get(key)
        if found is None:
            found = draw(chance, *args, **named), chance.bit_generator.state
            for oldest in [*kept][: 1 - _SEEDS_KEPT]:
                kept.pop(oldest, None)
            kept[key] = found
        made, chance.bit_generator.state = found
        return made

    return drawn


@dataclass(frozen=True, slots=True, eq=False)
class Optics:
    """A camera with a lens above a table: OpenCV's model with k1 and k2 alone.

    The table's frame is x right, y down, z *into* the table, all in mm; so what stands on the table
    has a negative z. `rotation` [3, 3] and `translation_mm` [3] take table points to the camera.
    """

    size_px: tuple[int, int]
    matrix: NDArray[np.float64]
    k1: float
    k2: float
    rotation: NDArray[np.float64]
    translation_mm: NDArray[np.float64]

    @property
    def distortion(self) -> NDArray[np.float64]:
        """Five coefficients in OpenCV's order."""
        return np.array([self.k1, self.k2, 0.0, 0.0, 0.0])

    def to_px(self, points_mm: Sequence[PointMm] | Points, height_mm: float = 0.0) -> Points:
        """Points on the table, or `height_mm` above it, to the picture."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return self.solid_to_px(np.column_stack([flat, np.full(len(flat), height_mm)]))

    def solid_to_px(self, points_mm: Points) -> Points:
        """Points over the table, [n, 3]: x, y and how high above it, to the picture."""
        solid = points_mm * (1.0, 1.0, -1.0)
        x, y, z = self.rotation @ solid.T + self.translation_mm[:, None]
        x, y = x / z, y / z
        stretch = self._stretch(x * x + y * y)
        (fx, _, cx), (_, fy, cy), _ = self.matrix
        return np.column_stack([fx * x * stretch + cx, fy * y * stretch + cy])

    @property
    def eye_mm(self) -> NDArray[np.float64]:
        """Where the camera is: x and y on the table, and how high above it."""
        place = -self.rotation.T @ self.translation_mm
        return np.asarray(place * (1.0, 1.0, -1.0), np.float64)

    def to_table_mm(self, points_px: Points, height_mm: float = 0.0) -> Points:
        """Points of the picture to where their rays meet the plane `height_mm` above the table."""
        (fx, _, cx), (_, fy, cy), _ = self.matrix
        bent = np.column_stack([(points_px[:, 0] - cx) / fx, (points_px[:, 1] - cy) / fy])
        straight = bent.copy()
        for _ in range(30):  # a fixed point; 30 rounds are exact to far below 0.001 px
            straight = bent / self._stretch((straight**2).sum(axis=1))[:, None]
        rays = np.column_stack([straight, np.ones(len(straight))]) @ self.rotation
        origin = -self.rotation.T @ self.translation_mm
        depth = (-height_mm - origin[2]) / rays[:, 2]
        return np.asarray(origin[:2] + rays[:, :2] * depth[:, None], np.float64)

    def ground_map(self, factor: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Table x and y in mm of every pixel of a picture `factor` times finer than this one's.

        Worked out on a coarse grid and interpolated: the mapping is so smooth that the error stays
        below 0.01 px.
        """
        width, height = (side * factor for side in self.size_px)
        cell = 8 * factor
        columns = np.arange(-1, math.ceil(width / cell) + 1)
        rows = np.arange(-1, math.ceil(height / cell) + 1)
        # A cell's middle in fine pixels, then in this picture's; centres lie on whole numbers.
        xs, ys = (((n + 0.5) * cell) / factor - 0.5 for n in (columns, rows))
        grid_px = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        grid_mm = self.to_table_mm(grid_px).reshape(len(rows), len(columns), 2).astype(np.float32)
        fine = np.asarray(cv2.resize(grid_mm, (len(columns) * cell, len(rows) * cell)), np.float32)
        fine = fine[cell : cell + height, cell : cell + width]
        xs_mm, ys_mm = cv2.split(fine)
        return np.asarray(xs_mm, np.float32), np.asarray(ys_mm, np.float32)

    def _stretch(self, squared_radius: NDArray[np.float64]) -> NDArray[np.float64]:
        return 1.0 + squared_radius * (self.k1 + self.k2 * squared_radius)


@kept_by_seed
def overhead(
    chance: np.random.Generator,
    table_mm: PointMm,
    size_px: tuple[int, int],
    *,
    margin_mm: float,
    field_deg: float = 60.0,
    tilt_deg: float | None = None,
    towards_deg: float | None = None,
) -> Optics:
    """A camera hung above the middle of a table as people hang it: about straight, never quite.

    The lens covers `field_deg` across; it hangs as low as it can with the whole table, and
    `margin_mm` around it, in the picture. It is tilted by `tilt_deg`, or else by 2 to 7 degrees,
    `towards_deg` (at 180 the picture's upper edge is the far one), or else towards anywhere.
    """
    focal_px = size_px[0] / 2 / math.tan(math.radians(field_deg / 2))
    matrix = np.array([[focal_px, 0, 0], [0, focal_px, 0], [0, 0, 1.0]])
    matrix[:2, 2] = (np.array(size_px) - 1) / 2 + chance.normal(0, 0.004 * size_px[0], 2)
    about_straight = float(chance.uniform(2.0, 7.0))
    tilt = math.radians(about_straight if tilt_deg is None else tilt_deg)
    anywhere = float(chance.uniform(0, 2 * math.pi))
    towards = anywhere if towards_deg is None else math.radians(towards_deg)
    turn = np.radians(chance.normal(0, 1.0))
    rotation = _rotation(tilt * math.cos(towards), tilt * math.sin(towards), turn)
    k1, k2 = chance.uniform(-0.13, -0.05), chance.uniform(0.0, 0.03)
    width, height = table_mm
    off_x, off_y = chance.normal(0, 4.0, 2)
    middle = np.array([width / 2 + off_x, height / 2 + off_y, 0.0])
    rim = _rim(table_mm, margin_mm)
    distance_mm = 0.5 * max(width, height)
    while True:
        place = middle - rotation[2] * distance_mm  # rotation[2] is where the lens looks
        optics = Optics(size_px, matrix, k1, k2, rotation, -rotation @ place)
        seen = optics.to_px(rim)
        if seen.min() >= 0 and (seen <= np.array(size_px) - 1).all():
            return optics
        distance_mm *= 1.01


def _rotation(about_x: float, about_y: float, about_z: float) -> NDArray[np.float64]:
    x, y, z = (
        cv2.Rodrigues(np.array(axis))[0]
        for axis in ((about_x, 0.0, 0.0), (0.0, about_y, 0.0), (0.0, 0.0, about_z))
    )
    all_three = x @ y @ z
    return np.asarray(all_three, np.float64)


def _rim(table_mm: PointMm, margin_mm: float) -> list[PointMm]:
    """Points all along the table's edge, the margin outside it: a lens bends straight edges."""
    width, height = table_mm
    steps = np.linspace(0.0, 1.0, 9)
    xs = -margin_mm + steps * (width + 2 * margin_mm)
    ys = -margin_mm + steps * (height + 2 * margin_mm)
    across = [(float(x), y) for x in xs for y in (-margin_mm, height + margin_mm)]
    return [*across, *((x, float(y)) for y in ys for x in (-margin_mm, width + margin_mm))]
