"""Tokens without stickers: what is painted on them, a plane that points somewhere or an emblem."""

from __future__ import annotations

import zlib

import numpy as np

from companion.core.board import PointMm, Token
from vision.drawing.canvas import Canvas, Colour, Sprite, rounded
from vision.drawing.prints import INK, SPRITE_PX_PER_MM, TOKEN_CORNER_MM, WHITE


def painted_top(token: Token, side_mm: float, colour: Colour, nose_mm: float = 0.0) -> Sprite:
    """A token's top in its colour: a plane in white on it, or for one without a front a star.

    Tokens of one colour differ by what is painted on the wings, as those of a box do.
    """
    whole = side_mm + 2 * nose_mm
    canvas = Canvas((whole, whole), SPRITE_PX_PER_MM, colour)
    middle = whole / 2
    if token.headed:
        _draw_plane(canvas, middle, side_mm, str(token.piece))
    else:
        _draw_star(canvas, middle, side_mm)
    outline = rounded((side_mm, side_mm), TOKEN_CORNER_MM, (nose_mm, nose_mm))
    if nose_mm:
        outline += [(middle - nose_mm, nose_mm), (middle, 0.0), (middle + nose_mm, nose_mm)]
    canvas.cut(outline)
    return canvas.sprite()


def _draw_plane(canvas: Canvas, middle: float, side_mm: float, name: str) -> None:
    """Fuselage, wings and tail from above, its nose up; signs on the wings by its name."""

    def at(points: list[PointMm]) -> list[PointMm]:
        return [(middle + x * side_mm, middle + y * side_mm) for x, y in points]

    body = [(-0.06, -0.38), (0.06, -0.38), (0.05, 0.36), (-0.05, 0.36)]
    wings = [(-0.40, -0.16), (0.40, -0.16), (0.38, 0.02), (-0.38, 0.02)]
    tail = [(-0.16, 0.28), (0.16, 0.28), (0.14, 0.38), (-0.14, 0.38)]
    for part in (wings, tail, body):
        canvas.fill(at(part), WHITE)
        canvas.line(at(part), INK, 0.5)
    chance = np.random.default_rng(zlib.crc32(name.encode()))
    for x in (-0.26, 0.26):
        spot = at([(x, -0.07)])[0]
        canvas.disc(spot, side_mm * (0.045 + 0.03 * chance.random()), INK)


def _draw_star(canvas: Canvas, middle: float, side_mm: float) -> None:
    """Eight rays round a disc: the same whichever way it lies."""
    for ray in range(8):
        turn = np.pi * ray / 4
        tip = (
            float(middle + 0.42 * side_mm * np.sin(turn)),
            float(middle - 0.42 * side_mm * np.cos(turn)),
        )
        for off in (-0.12, 0.12):
            foot = (
                float(middle + 0.24 * side_mm * np.sin(turn + off * 2)),
                float(middle - 0.24 * side_mm * np.cos(turn + off * 2)),
            )
            canvas.line([foot, tip], WHITE, 1.0)
    canvas.disc((middle, middle), 0.22 * side_mm, WHITE)
