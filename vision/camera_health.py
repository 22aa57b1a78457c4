"""What can be wrong with a camera, and what its pictures tell of it.

A device that is gone or busy says so itself. Three faults only its pictures show: the same picture
over and over, no light, and another size than was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from vision.frame import Frame, GreyImage
from vision.live_camera import FROZEN_S


class CameraFault(StrEnum):
    """What keeps a camera from being relied on; the words for it are the screen's."""

    MISSING = "missing"
    BUSY = "busy"
    UNPLUGGED = "unplugged"
    FROZEN = "frozen"
    DARK = "dark"
    OTHER_SIZE = "other size"
    OTHER_CAMERA = "other camera"
    ENDED = "ended"
    FAILED = "failed"
    UNHEARD = "unheard"

    @property
    def blinds(self) -> bool:
        """Whether nothing that the camera gives may be read."""
        seeing = {CameraFault.OTHER_SIZE, CameraFault.OTHER_CAMERA, CameraFault.UNHEARD}
        return self not in seeing


@dataclass(frozen=True, slots=True)
class Trouble:
    """A fault and what is to be said of it: a device's own words, a size, a camera's name."""

    fault: CameraFault
    detail: str = ""


DARK_LEVEL = 28
"""Even the white of markers is no brighter (of 255) where no lamp is lit or a cap is on."""
BRIGHT_SHARE = 0.01
"""So much of the picture may be brighter: a lamp on the device, a gap in the curtain."""
DARK_S = 0.4
"""A hand before the lens is gone sooner."""
LOOK_EVERY_PX = 8
"""One pixel of so many, each way, tells how bright a picture is."""


class PictureHealth:
    """Looks at each frame of one camera in turn; `wanted_px` is the size that was asked for.

    `repeats` is whether a picture that equals the one before bit for bit is a fault: no sensor
    gives one, while a film or a drawing may.

    >>> health = PictureHealth()
    >>> grey = np.full((360, 640), 9, np.uint8)
    >>> [health.look(Frame(grey + n % 2, n / 5, n)) for n in range(3)][-1].fault.value
    'dark'
    """

    def __init__(self, wanted_px: tuple[int, int] | None = None, *, repeats: bool = True) -> None:
        self._wanted_px = wanted_px
        self._repeats = repeats
        self._last: GreyImage | None = None
        self._fresh_at = 0.0
        self._fresh = 0
        self._dark_since: float | None = None

    def look(self, frame: Frame) -> Trouble | None:
        """What is wrong with the picture, the worst first; None where it can be read."""
        repeated_s = self._repeated(frame)
        dark_s = self._dark(frame)
        if self._repeats and repeated_s >= FROZEN_S:
            return Trouble(CameraFault.FROZEN, f"the same picture for {repeated_s:.0f} s")
        if dark_s >= DARK_S:
            return Trouble(CameraFault.DARK)
        if self._wanted_px is not None and frame.size_px != self._wanted_px:
            given, wanted = frame.size_px, self._wanted_px
            words = f"{given[0]} x {given[1]} instead of {wanted[0]} x {wanted[1]}"
            return Trouble(CameraFault.OTHER_SIZE, words)
        return None

    @property
    def fresh_at(self) -> float:
        """When the picture was another one than before, monotonic s."""
        return self._fresh_at

    @property
    def proven(self) -> bool:
        """Whether one picture after another has come: the first alone may be an old one."""
        return self._fresh > 1

    def _repeated(self, frame: Frame) -> float:
        """For how long the picture has been the same to the bit, s."""
        if self._last is None or not np.array_equal(self._last, frame.grey):
            self._last, self._fresh_at = frame.grey, frame.taken_at
            self._fresh += 1
        return frame.taken_at - self._fresh_at

    def _dark(self, frame: Frame) -> float:
        """For how long it has been dark, s."""
        sample = frame.grey[::LOOK_EVERY_PX, ::LOOK_EVERY_PX]
        if np.count_nonzero(sample > DARK_LEVEL) > BRIGHT_SHARE * sample.size:
            self._dark_since = None
            return 0.0
        if self._dark_since is None:
            self._dark_since = frame.taken_at
        return frame.taken_at - self._dark_since
