"""CodePart: a QR code, black on white in any theme, each module a whole number of pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import segno

from ui.theme import Colour
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen

_QUIET = 4
"""Modules of white that a code needs around it."""


@lru_cache(maxsize=4)
def modules(text: str) -> np.ndarray:
    """The code's modules with the quiet zone, 0 black and 255 white."""
    code = segno.make_qr(text, error="l", boost_error=False)
    dark = np.array([list(row) for row in code.matrix_iter(border=_QUIET)], np.uint8)
    return np.where(dark > 0, 0, 255).astype(np.uint8)


@dataclass(frozen=True, kw_only=True)
class CodePart(Part):
    """The largest code of whole pixels a module that fits its box."""

    text: str
    slot: str = "code"

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.PAPER, 2)
        pattern = modules(self.text)
        unit = pen.theme.unit_px
        times = int(min(self.box.wide, self.box.high) * unit // len(pattern))
        if times < 1:
            pen.text("code: touch", self.box, 14, Colour.CODE, align="centre", lines=2)
            return
        large = np.kron(pattern, np.ones((times, times), np.uint8))
        side = len(large) / unit
        where = Box(*self.box.centre, 0, 0).moved(-side / 2, -side / 2)
        pixels = np.repeat(large[:, :, None], 3, axis=2)
        pen.picture(f"{self.slot}/{times}", pixels, Box(where.x, where.y, side, side))
