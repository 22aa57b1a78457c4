"""One picture of the table, as every camera gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

GreyImage = NDArray[np.uint8]
"""Brightness, [height, width], 0-255."""

ColourImage = NDArray[np.uint8]
"""Blue, green, red as OpenCV orders them, [height, width, 3], 0-255."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One picture: grey always, colour where the camera has it without extra work.

    `taken_at` is monotonic seconds; `number` counts the frames of one camera from 0; `source` names
    the file the picture is from where there is one, else the camera. `undeveloped` works the
    colours out where they would cost work: who cannot do without them asks `in_colour`.

    >>> frame = Frame(np.zeros((720, 1280), np.uint8), taken_at=12.5, number=0)
    >>> frame.size_px
    (1280, 720)
    """

    grey: GreyImage
    taken_at: float
    number: int
    colour: ColourImage | None = None
    source: str = ""
    undeveloped: Callable[[], ColourImage | None] | None = None

    def __post_init__(self) -> None:
        if self.grey.ndim != 2 or self.grey.dtype != np.uint8 or not self.grey.size:
            raise ValueError(
                f"a frame's grey picture is [height, width] of uint8, "
                f"not {self.grey.shape} of {self.grey.dtype}"
            )

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        height, width = self.grey.shape
        return (width, height)

    def in_colour(self) -> ColourImage | None:
        """The colours, be they work or not; None where the camera gives none."""
        if self.colour is not None or self.undeveloped is None:
            return self.colour
        return self.undeveloped()

    def in_grey(self) -> Frame:
        """The grey picture alone: what is kept of frames that nobody needs in colour."""
        return replace(self, colour=None, undeveloped=None)
