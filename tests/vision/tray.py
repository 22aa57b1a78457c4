"""Dice alone before a drawn camera: the part of the picture round a throw, and nothing else.

Much cheaper than a whole drawn table, so that thousands of throws can be looked at.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import PointMm
from vision.camera.frame import ColourImage, GreyImage
from vision.drawing.canvas import Colour, Sprite
from vision.drawing.dice import DIE_MM, EDGE_MM, DrawnDie, die_layers
from vision.drawing.optics import Optics, overhead
from vision.drawing.pasting import paste
from vision.drawing.prints import soft_shadow

GROUNDS = ("wood", "felt", "tray", "white", "print")
"""What dice lie on: planks, a green or grey cloth, a plain tray, white paper, a printed map."""
_PRINT_PX_PER_MM = 4.0
_WINDOW_MM = 100.0  # from the middle of a throw to the window's edge
_RIM = 0.2  # in parts of the picture: so far from its edge a throw comes to rest at least


@dataclass(frozen=True, slots=True)
class Window:
    """A part of a picture: its top left corner there, and what it shows."""

    left: int
    top: int
    colour: ColourImage

    @property
    def grey(self) -> GreyImage:
        return np.asarray(cv2.cvtColor(self.colour, cv2.COLOR_BGR2GRAY), np.uint8)


class DrawnTray:
    """One camera over one ground, in some light and sharpness: all by chance.

    The table is `table_mm` wide and high and just fits the picture of `size_px`. The camera is
    tilted by `tilt_deg`, `towards_deg`, or else as `overhead` has it. `light` is in parts of the
    usual one.
    """

    def __init__(
        self, table_mm: PointMm, size_px: tuple[int, int], ground: str, chance: np.random.Generator,
        *, tilt_deg: float | None = None, towards_deg: float | None = None, light: float = 1.0,
    ) -> None:  # fmt: skip
        self.optics: Optics = overhead(
            chance, table_mm, size_px, margin_mm=10.0, tilt_deg=tilt_deg, towards_deg=towards_deg
        )
        self.middle_mm = self._somewhere(chance)
        self._chance = chance
        self._blur_px, self._noise = (
            float(chance.uniform(0.4, 1.0)),
            float(chance.uniform(1.0, 4.0)),
        )
        self._jpeg = (None, 90, 80)[int(chance.integers(3))]
        middle_px = self.optics.to_px([self.middle_mm])[0]
        around = self.optics.to_px([(self.middle_mm[0] + _WINDOW_MM, self.middle_mm[1])])[0]
        reach = math.ceil(math.dist(middle_px, around))
        starts = zip(middle_px.tolist(), size_px, strict=True)
        left, top = (min(max(0, round(at) - reach), side - 2 * reach) for at, side in starts)
        self._corner = (left, top)
        self._ground = _ground(ground, 2 * reach, reach / _WINDOW_MM, chance)
        self._light = light * _light(2 * reach, chance)

    def _somewhere(self, chance: np.random.Generator) -> PointMm:
        share = chance.uniform(_RIM, 1.0 - _RIM, (1, 2))
        x, y = self.optics.to_table_mm(share * np.array(self.optics.size_px))[0].tolist()
        return (x, y)

    def still(self, dice: Sequence[DrawnDie]) -> Window:
        """The dice as the lens sees them, before its sensor's noise."""
        left, top = self._corner
        picture = self._ground.copy()
        layers = [_shadow(die, self.optics) for die in dice if not die.lift_mm]
        for die in sorted(dice, key=self._nearness):
            layers += [_shadow(die, self.optics)] if die.lift_mm else []
            layers += die_layers(die, self.optics)
        for sprite, corners in layers:
            paste(picture, sprite, corners - (left, top))
        soft = cv2.GaussianBlur(picture * self._light[..., None], (0, 0), self._blur_px)
        return Window(left, top, _bytes(soft))

    def _nearness(self, die: DrawnDie) -> tuple[float, float]:
        """What hides others is drawn after them: what lies higher, then what is nearer."""
        x, y, _ = self.optics.eye_mm
        return die.lift_mm, -math.hypot(die.x_mm - x, die.y_mm - y)

    def taken(self, still: Window) -> Window:
        """The same as one frame has it: with noise, and sent as a camera sends it."""
        chance, size = self._chance, still.colour.shape
        noise = chance.normal(0.0, self._noise, (*size[:2], 1)) + chance.normal(0.0, 1.0, size)
        colour = _bytes(still.colour + noise)
        if self._jpeg is not None:
            _, coded = cv2.imencode(".jpg", colour, [cv2.IMWRITE_JPEG_QUALITY, self._jpeg])
            colour = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
        return replace(still, colour=colour)


def _bytes(picture: NDArray[Any]) -> ColourImage:
    return np.asarray(np.clip(np.rint(picture), 0, 255), np.uint8)


def _shadow(die: DrawnDie, optics: Optics) -> tuple[Sprite, NDArray[np.float64]]:
    half, turn = 0.75 * DIE_MM, math.radians(die.turn_deg)
    cos, sin = math.cos(turn), math.sin(turn)
    own = ((-half, -half), (half, -half), (half, half), (-half, half))
    at = (die.x_mm + 2.5, die.y_mm + 3.5)
    corners = [(at[0] + cos * x - sin * y, at[1] + sin * x + cos * y) for x, y in own]
    sprite = soft_shadow(DIE_MM, 0.5, corner_mm=EDGE_MM)
    return sprite, optics.to_px(corners, die.lift_mm)


def _ground(
    kind: str, side_px: int, px_per_mm: float, chance: np.random.Generator
) -> NDArray[np.uint8]:
    """What the dice lie on, seen from straight above."""
    if kind == "print":
        return _print(side_px, px_per_mm, chance)
    colours: dict[str, Colour] = {
        "wood": (78, 112, 150),
        "felt": ((60, 96, 40), (96, 92, 90))[int(chance.integers(2))],
        "tray": ((52, 60, 84), (150, 160, 166))[int(chance.integers(2))],
        "white": (240, 244, 246),
    }
    grain = {"wood": (side_px // 3, max(2, side_px // 40)), "felt": (side_px, side_px)}
    rows, columns = grain.get(kind, (4, 4))
    rough = chance.normal(0.0, 5.0, (rows, columns)).astype(np.float32)
    shade = cv2.resize(rough, (side_px, side_px))[..., None] + float(chance.uniform(-14, 14))
    return np.asarray(np.clip(np.rint(np.array(colours[kind]) + shade), 0, 255), np.uint8)


def _print(side_px: int, px_per_mm: float, chance: np.random.Generator) -> NDArray[np.uint8]:
    """A map with fields, hexes and numbers."""
    scale = _PRINT_PX_PER_MM
    side = round(side_px / px_per_mm * scale)
    art = np.full((side, side, 3), (176, 196, 200), np.uint8)
    for _ in range(12):
        spot = tuple(chance.integers(0, side, 2).tolist())
        colour = tuple(int(n) for n in chance.integers(90, 210, 3))
        cv2.circle(art, spot, int(chance.integers(40, 160)), colour, -1, cv2.LINE_AA)
    across = 28.0 * scale
    for row in range(int(side / across * 1.2) + 1):
        for column in range(int(side / across) + 1):
            middle = np.array([(column + 0.5 * (row % 2)) * across, row * across * 0.87])
            angles = np.radians(np.arange(30, 390, 60))
            ring = middle + across / math.sqrt(3) * np.column_stack(
                [np.cos(angles), np.sin(angles)]
            )
            cv2.polylines(art, [np.rint(ring).astype(np.int32)], True, (70, 70, 70), 2, cv2.LINE_AA)  # noqa: FBT003
            place = (round(float(middle[0])) - 24, round(float(middle[1])) - 20)
            cv2.putText(art, f"{row},{column}", place, 0, 0.5, (50, 50, 50), 1, cv2.LINE_AA)
            if chance.random() < 0.15:  # a star or a town
                spot = tuple(np.rint(middle).astype(int).tolist())
                cv2.circle(art, spot, int(chance.integers(4, 14)), (40, 40, 60), -1, cv2.LINE_AA)
    return np.asarray(cv2.resize(art, (side_px, side_px), interpolation=cv2.INTER_AREA), np.uint8)


def _light(side_px: int, chance: np.random.Generator) -> NDArray[np.float32]:
    """Light that comes from one side, and now and then the soft edge of a shadow."""
    xs, ys = np.meshgrid(*[np.linspace(-1.0, 1.0, side_px)] * 2)
    angle = chance.uniform(0, 2 * math.pi, 2)
    light = chance.uniform(0.6, 1.05) + chance.uniform(0, 0.12) * (
        xs * math.cos(angle[0]) + ys * math.sin(angle[0])
    )
    beyond = xs * math.cos(angle[1]) + ys * math.sin(angle[1]) - chance.uniform(-0.5, 1.5)
    light *= 1.0 - chance.uniform(0.1, 0.4) / (1 + np.exp(-beyond / 0.08))
    return light.astype(np.float32)
