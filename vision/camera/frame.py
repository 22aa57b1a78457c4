"""One picture of the table as every camera gives it, and how it is made of what drivers send."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

# Frames.

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


# What drivers send: grey at once, colours only for who asks.


@dataclass(frozen=True, slots=True, eq=False)
class Planes:
    """A picture in YUV420: the brightness, and under it both colours at half the size.

    `rows` is [height * 3 / 2, stride]; a stride wider than the picture is padded at the right.
    """

    rows: NDArray[np.uint8]
    size_px: tuple[int, int]


Raw = NDArray[np.uint8] | Planes
"""A picture as a driver gives it: grey, colour, YUYV, the bytes of a JPEG, or planes."""


class Undeveloped:
    """The colours of a picture, worked out when they are first asked for.

    >>> red = np.full((4, 6, 3), (0, 0, 200), np.uint8)
    >>> Undeveloped(red)().shape, Undeveloped(red[..., 0])() is None
    ((4, 6, 3), True)
    """

    __slots__ = ("_colour", "_raw")

    def __init__(self, raw: Raw) -> None:
        self._raw: Raw | None = raw
        self._colour: ColourImage | None = None

    def __call__(self) -> ColourImage | None:
        """The colours; None where the driver gives none. Safe from any thread."""
        raw = self._raw
        if raw is not None:
            self._colour = colour_of(raw)
            self._raw = None
        return self._colour


def grey_of(raw: Raw) -> GreyImage | None:
    """The grey picture; None for a torn JPEG.

    JPEG bytes are decoded in grey alone, which saves most of the work; of YUYV the brightness is
    every other byte, of planes the first one.

    >>> grey_of(np.zeros((480, 640, 2), np.uint8)).shape
    (480, 640)
    """
    if isinstance(raw, Planes):
        width, height = raw.size_px
        return np.ascontiguousarray(raw.rows[:height, :width])
    if raw.ndim == 3 and raw.shape[2] == 3:
        return np.asarray(cv2.cvtColor(raw, cv2.COLOR_BGR2GRAY), np.uint8)
    if raw.ndim == 3 and raw.shape[2] == 2:
        return np.ascontiguousarray(raw[:, :, 0])
    if _is_jpeg(raw):
        return _decoded(raw, cv2.IMREAD_GRAYSCALE)
    return np.ascontiguousarray(raw)


def colour_of(raw: Raw) -> ColourImage | None:
    """The colours, blue, green, red; None for a grey picture and for a torn JPEG."""
    if isinstance(raw, Planes):
        width, height = raw.size_px
        whole = cv2.cvtColor(raw.rows, cv2.COLOR_YUV2BGR_I420)  # the padding goes afterwards
        return np.ascontiguousarray(np.asarray(whole, np.uint8)[:height, :width])
    if raw.ndim == 3 and raw.shape[2] == 3:
        return raw
    if raw.ndim == 3 and raw.shape[2] == 2:
        return np.asarray(cv2.cvtColor(raw, cv2.COLOR_YUV2BGR_YUY2), np.uint8)
    return _decoded(raw, cv2.IMREAD_COLOR) if _is_jpeg(raw) else None


def _is_jpeg(raw: NDArray[np.uint8]) -> bool:
    """Bytes come as one row, or as none at all."""
    return raw.ndim < 2 or min(raw.shape) <= 1


def _decoded(raw: NDArray[np.uint8], kind: int) -> NDArray[np.uint8] | None:
    """The picture in a JPEG's bytes; None where they are torn, be it in the head alone."""
    if not raw.size:
        return None
    try:
        decoded = cv2.imdecode(np.ravel(raw), kind)
    except cv2.error:  # a size that no camera has
        return None
    return None if decoded is None else np.asarray(decoded, np.uint8)


# Keeping OpenCV from the terminal: what is wrong with a source we say, in one line.

FFMPEG_SAYS = "OPENCV_FFMPEG_LOGLEVEL"
NOTHING = "-8"
"""AV_LOG_QUIET."""


def quieten_opencv() -> None:
    """Have it write nothing but what ends the program, from now on and in the whole process.

    FFmpeg is told by the environment, and asks it once, before the first film. Where somebody has
    set that level, it stays.
    """
    os.environ.setdefault(FFMPEG_SAYS, NOTHING)
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_FATAL)
