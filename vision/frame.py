"""One picture of the table, as every camera gives it."""

from __future__ import annotations

from dataclasses import dataclass

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
    the file the picture is from where there is one, else the camera.

    >>> frame = Frame(np.zeros((720, 1280), np.uint8), taken_at=12.5, number=0)
    >>> frame.size_px
    (1280, 720)
    """

    grey: GreyImage
    taken_at: float
    number: int
    colour: ColourImage | None = None
    source: str = ""

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
