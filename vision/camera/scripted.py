"""A drawn camera whose plug can be pulled: the stand-in for tests and rehearsals of its faults.

It stands between a simulated table and whoever opens a camera, and does to its pictures what
cables, other programs, caps and clumsy hands do to a real one's.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np

from companion.core.errors import CameraBusy, CameraError, CameraUnplugged
from vision.camera.frame import Frame, GreyImage
from vision.drawing.table import SimulatedTable


@dataclass
class CameraRig:
    """The socket, the cable and the lens of a camera over a drawn table; an opener of it.

    `plugged`: its plug is in. `held_by`: another program films with it. `frozen`: it gives no
    picture; `repeating`: the same one each time. `capped`: nothing but the sensor's noise.
    `mirrored`: as a mirror shows them. `gives_px`: the size of its pictures, None for that of the
    drawn table. `grain`: noise over them, its levels (sigma) and how wide its grains are, px.
    `name`: which camera hangs on the cable.
    """

    drawn: SimulatedTable
    name: str = ""
    plugged: bool = True
    held_by: str = ""
    frozen: bool = False
    repeating: bool = False
    capped: bool = False
    mirrored: bool = False
    gives_px: tuple[int, int] | None = None
    grain: tuple[float, float] | None = None
    opened: int = 0

    def __post_init__(self) -> None:
        self.name = self.name or self.drawn.name

    def open(self, source: str = "usb", *, size_px: tuple[int, int] = (0, 0)) -> ScriptedCamera:
        """Open it as `open_camera` opens a device; `CameraError` or `CameraBusy` as things stand.

        `size_px` is what is asked for; what it gives is for the rig to say.
        """
        del size_px
        if not self.plugged:
            raise CameraError(f"{source} is not there; USB cameras now: none")
        if self.held_by:
            raise CameraBusy(f"{self.name} is in use by {self.held_by}: close that first")
        self.opened += 1
        return ScriptedCamera(self)


class ScriptedCamera:
    """The camera of a rig, opened once: pulled out, it stays gone, as a device's handle does."""

    live = True

    def __init__(self, rig: CameraRig) -> None:
        self.name = rig.name
        self.size_px = rig.gives_px or rig.drawn.size_px
        self._rig = rig
        self._gone = False
        self._last: Frame | None = None

    def read(self) -> Frame | None:
        """The next picture, or None while frozen; `CameraUnplugged` once the plug was pulled."""
        rig = self._rig
        self._gone = self._gone or not rig.plugged or rig.name != self.name
        if self._gone:
            raise CameraUnplugged(f"{self.name} was unplugged: plug it in again")
        if rig.frozen:
            return None
        drawn = rig.drawn.read()
        self._last = self._changed(drawn)
        return self._last

    def close(self) -> None:
        """Let go of it; the rig may be opened again."""
        self._gone = True

    def _changed(self, frame: Frame) -> Frame:
        """The drawn picture as this camera would give it: its colours for who asks alone."""
        if self._rig.repeating and self._last is not None:
            return replace(self._last, taken_at=frame.taken_at, number=frame.number)
        if self._rig.grain is not None:
            return replace(frame.in_grey(), grey=_grainy(frame, *self._rig.grain))
        if self._rig.capped:
            grey = np.asarray(frame.grey % 7, np.uint8)  # the noise alone is left of it
            return replace(frame.in_grey(), grey=grey)
        if self._rig.mirrored:
            return replace(frame.in_grey(), grey=np.ascontiguousarray(frame.grey[:, ::-1]))
        if self._rig.gives_px not in (None, frame.size_px):
            grey = np.asarray(cv2.resize(frame.grey, self._rig.gives_px), np.uint8)
            return replace(frame.in_grey(), grey=grey)
        return replace(frame, colour=None, undeveloped=frame.in_colour)


def _grainy(frame: Frame, sigma: float, grain_px: float) -> GreyImage:
    """A frame as a camera gives it at night: noise of so many levels, whose grains are so wide."""
    chance = np.random.default_rng(frame.number)
    white = chance.standard_normal(frame.grey.shape, np.float32)
    noise = np.asarray(cv2.GaussianBlur(white, (0, 0), grain_px), np.float32)
    strong = noise * np.float32(sigma / float(noise.std()))
    noisy = frame.grey + strong
    return noisy.clip(0, 255).astype(np.uint8)
