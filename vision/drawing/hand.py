"""A hand with its sleeve, reaching over the drawn table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import PointMm
from vision.drawing.canvas import Canvas, Colour, Sprite, rounded
from vision.drawing.optics import Optics
from vision.drawing.pasting import Rect, blend

_SHEET_MM: PointMm = (150.0, 760.0)  # the arm is longer than any reach over a table
_PX_PER_MM = 1.6
_HEIGHT_MM = 35.0
_ABOVE_MM = 30.0  # empty sheet beyond the fingertips: their shadow is softer than they are
_GRIP_MM = 16.0  # so far the fingertips reach beyond what they hold
_SHADOW_MM = (14.0, 20.0)
_SKINS: tuple[Colour, ...] = ((140, 172, 222), (98, 130, 184), (62, 88, 132), (46, 60, 92))
_SLEEVES: tuple[Colour, ...] = ((38, 34, 32), (120, 70, 40), (60, 60, 150), (150, 150, 152))


@dataclass(frozen=True, slots=True)
class HandAt:
    """What the fingers are on, on the table in mm, and the direction of the arm behind them.

    `arm` is a unit vector from the fingers towards the elbow.
    """

    tip_mm: PointMm
    arm: PointMm


class DrawnHand:
    """One person's hand: skin and sleeve are chosen once, then it is drawn wherever it reaches."""

    def __init__(self, chance: np.random.Generator) -> None:
        self._skin = _SKINS[int(chance.integers(len(_SKINS)))]
        self._sleeve = _SLEEVES[int(chance.integers(len(_SLEEVES)))]
        self._lit: tuple[float, Sprite] | None = None

    def draw(self, picture: NDArray[np.uint8], optics: Optics, at: HandAt, gain: float) -> None:
        """Lay the hand, and before it its shadow, on a picture; `gain` is the light's."""
        x, y = at.tip_mm
        fallen = HandAt((x + _SHADOW_MM[0], y + _SHADOW_MM[1]), at.arm)
        _lay(picture, _shadow(), optics, fallen, 0.0)
        if self._lit is None or self._lit[0] != gain:
            arm = _arm(self._skin, self._sleeve)
            self._lit = (gain, arm if gain == 1.0 else _dimmed(arm, gain))
        _lay(picture, self._lit[1], optics, at, _HEIGHT_MM)


_WHITE: Colour = (255, 255, 255)


@cache
def _arm(skin: Colour, sleeve: Colour) -> Sprite:
    """Fingertips at the top in the middle, the elbow below; made once, hands come and go."""
    middle = _SHEET_MM[0] / 2
    canvas, cover = _sheet(sleeve), _sheet((0, 0, 0))
    _draw_sleeve(canvas, cover, middle, sleeve)
    dark = (skin[0] * 3 // 4, skin[1] * 3 // 4, skin[2] * 3 // 4)
    for sheet, light, low in ((canvas, skin, dark), (cover, _WHITE, _WHITE)):
        _draw_palm(sheet, middle, light, low)
    # Real hands move, so that their outline is never as sharp as print.
    colour, share = (cv2.GaussianBlur(part.image, (0, 0), 1.4) for part in (canvas, cover))
    mixed = cv2.multiply(colour, share, scale=1 / 255)
    arm = np.asarray(np.concatenate([mixed, share[..., :1]], axis=2), np.uint8)
    above = round(_ABOVE_MM * _PX_PER_MM)
    return np.pad(arm, ((above, 0), (0, 0), (0, 0)))


@cache
def _shadow() -> Sprite:
    """What an arm takes of the light, whatever its colours: all have one outline."""
    arm = _arm(_SKINS[0], _SLEEVES[0])
    shadow = np.zeros_like(arm)
    soft = cv2.GaussianBlur(arm[..., 3], (0, 0), 9.0 * _PX_PER_MM)
    shadow[..., 3] = np.rint(soft * 0.5).astype(np.uint8)
    return shadow


def _sheet(colour: Colour) -> Canvas:
    return Canvas(_SHEET_MM, _PX_PER_MM, colour)


def _draw_sleeve(canvas: Canvas, cover: Canvas, middle: float, colour: Colour) -> None:
    end = _SHEET_MM[1] + 5
    outline = [(middle - 41, 168), (middle + 41, 168), (middle + 60, end), (middle - 60, end)]
    cover.fill(outline, _WHITE)
    fold = (colour[0] * 3 // 4, colour[1] * 3 // 4, colour[2] * 3 // 4)
    for y in range(180, int(end), 46):  # folds of the cloth
        canvas.fill([(middle - 70, y), (middle + 30, y + 9), (middle + 10, y + 16)], fold)
        canvas.fill([(middle + 70, y + 20), (middle - 20, y + 27), (middle, y + 34)], fold)


def _draw_palm(sheet: Canvas, middle: float, light: Colour, low: Colour) -> None:
    """Wrist, back of the hand, thumb and four fingers, as when picking something up."""
    sheet.fill(
        [(middle - 27, 110), (middle + 27, 110), (middle + 31, 182), (middle - 31, 182)], light
    )
    back = [(x + middle - 41, y + 62) for x, y in rounded((82.0, 86.0), 30.0)]
    sheet.fill(back, light)
    for x, tip, turn in (
        (-29.0, 20.0, 5.0),
        (-10.0, 4.0, 2.0),
        (10.0, 0.0, -2.0),
        (28.0, 14.0, -6.0),
    ):
        _draw_finger(sheet, (middle + x, 74.0), (middle + x + turn, tip + 9.0), low, 10.2)
        _draw_finger(sheet, (middle + x, 74.0), (middle + x + turn, tip + 9.0), light, 8.8)
    _draw_finger(sheet, (middle - 36, 112.0), (middle - 52, 52.0), low, 12.0)
    _draw_finger(sheet, (middle - 36, 112.0), (middle - 52, 52.0), light, 10.6)


def _draw_finger(
    sheet: Canvas, root: PointMm, tip: PointMm, colour: Colour, radius_mm: float
) -> None:
    dx, dy = tip[0] - root[0], tip[1] - root[1]
    length = math.hypot(dx, dy)
    across = (-dy / length * radius_mm, dx / length * radius_mm)
    ends = [(end, side) for end, side in ((root, 1), (tip, 1), (tip, -1), (root, -1))]
    sheet.fill([(x + s * across[0], y + s * across[1]) for (x, y), s in ends], colour)
    sheet.disc(tip, radius_mm, colour)


def _dimmed(sprite: Sprite, gain: float) -> Sprite:
    other = sprite.copy()
    other[..., :3] = np.minimum(sprite[..., :3] * gain, sprite[..., 3:]).astype(np.uint8)
    return other


def _lay(
    picture: NDArray[np.uint8], sprite: Sprite, optics: Optics, at: HandAt, height_mm: float
) -> None:
    """Turn, scale and lay the sheet so that its fingertips point where the hand is."""
    onto = _placing(optics, at, height_mm)
    rect = _reach(onto, picture.shape[1], picture.shape[0])
    if rect is None:
        return
    left, top, right, bottom = rect
    onto[:, 2] -= (left, top)
    drawn = cv2.warpAffine(sprite, onto, (right - left, bottom - top))
    blend(picture[top:bottom, left:right], np.asarray(drawn, np.uint8))


def _placing(optics: Optics, at: HandAt, height_mm: float) -> NDArray[np.float64]:
    (x, y), (ax, ay) = at.tip_mm, at.arm
    on_table = [(x, y), (x + 100 * ax, y + 100 * ay), (x - 50 * ay, y + 50 * ax)]
    middle = _SHEET_MM[0] / 2
    tip = _ABOVE_MM + _GRIP_MM
    own = np.array([(middle, tip), (middle, tip + 100), (middle - 50, tip)])
    on_sheet = own * _PX_PER_MM - 0.5
    corners = optics.to_px(on_table, height_mm)
    return np.asarray(
        cv2.getAffineTransform(on_sheet.astype(np.float32), corners.astype(np.float32)), np.float64
    )


def _reach(onto: NDArray[np.float64], width: int, height: int) -> Rect | None:
    wide, long = _SHEET_MM[0] * _PX_PER_MM, (_SHEET_MM[1] + _ABOVE_MM) * _PX_PER_MM
    sheet = np.array([[0, 0, 1], [wide, 0, 1], [wide, long, 1], [0, long, 1]]) @ onto.T
    left, top = np.maximum(0, np.floor(sheet.min(axis=0))).astype(int)
    right, bottom = np.minimum((width, height), np.ceil(sheet.max(axis=0)) + 1).astype(int)
    return (int(left), int(top), int(right), int(bottom)) if left < right and top < bottom else None
