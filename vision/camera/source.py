"""The chosen camera, opened again in whichever socket it is; its faults; films played as one."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np

from vision.camera.camera import Camera, open_camera
from vision.camera.frame import Frame, GreyImage
from vision.camera.live import FROZEN_S
from vision.camera.usb import DEV

# The chosen camera, found again.


class Opener(Protocol):
    """What opens a source once: `open_camera`, or a stand-in for machines without a device."""

    def __call__(self, source: str, *, size_px: tuple[int, int]) -> Camera: ...


@runtime_checkable
class CameraOpener(Protocol):
    """Opens one and the same camera, as often as it must be."""

    @property
    def wanted_px(self) -> tuple[int, int] | None:
        """The size that is asked of devices; None where none is."""
        ...

    def __call__(self) -> Camera:
        """Open it; `CameraError` says why not."""
        ...

    def accept(self) -> None:
        """Whichever camera is opened next is the right one: somebody has chosen it."""
        ...


@dataclass(frozen=True)
class PlainOpener:
    """A function that opens a camera, taken for an opener that asks for no size."""

    open: Callable[[], Camera]
    wanted_px: tuple[int, int] | None = None

    def __call__(self) -> Camera:
        """Open it, as the function does."""
        return self.open()

    def accept(self) -> None:
        """Any camera was the right one all along."""


def opener_of(opens: CameraOpener | Callable[[], Camera]) -> CameraOpener:
    """What opens a camera, be it a source that remembers its camera or a plain function."""
    return opens if isinstance(opens, CameraOpener) else PlainOpener(opens)


class CameraSource:
    """A source as the settings name it, which remembers which camera answered to it.

    A USB camera gets another number in another socket, and another camera may get its old one. So
    once one was opened, its stable name (`/dev/v4l/by-id`, of twins that of their socket) is tried
    before the source's own.
    `wanted_px` is the size asked of devices; files have their own.

    >>> from vision.drawing.table import SimulatedTable
    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> drawn = SimulatedTable(board_plan(), seed=1, size_px=(640, 360))
    >>> source = CameraSource("usb", opener=lambda source, size_px: drawn)
    >>> source().name
    'simulated-table-1'
    """

    def __init__(
        self,
        source: str,
        *,
        wanted_px: tuple[int, int] = (1280, 720),
        opener: Opener = open_camera,
        dev: Path = DEV,
    ) -> None:
        self.source = source
        self.wanted_px = wanted_px
        self._opener = opener
        self._names = (dev / "v4l" / "by-id", dev / "v4l" / "by-path")
        self._stable: Path | None = None

    def __call__(self) -> Camera:
        """Open it; `CameraError` (`CameraBusy`) says why not."""
        source = self.source
        if self._stable is not None and self._stable.exists():
            source = str(self._stable)
        camera = self._opener(source, size_px=self.wanted_px)
        self._remember(camera.name)
        return camera

    def accept(self) -> None:
        """Whichever camera is opened next is the right one: somebody has chosen it."""
        self._stable = None

    def _remember(self, name: str) -> None:
        """The first camera that has a stable name is the one that is meant from now on."""
        links = (folder / name for folder in self._names)
        if self._stable is None and name:
            self._stable = next((link for link in links if link.exists()), None)


# Faults: what can be wrong with a camera, and what its pictures tell of it.


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


# Played: a film or folder at its own rate, on the clock of who looks.

LONGEST_WAIT_S = 1.0
"""Whoever reads is never held longer, however far apart two frames say they were taken."""


def open_played(source: str, *, size_px: tuple[int, int] = (1280, 720)) -> Camera:
    """Open as `open_camera` does; what is on disk is played, a device is itself.

    Who wants a film's own times (`companion see`) opens it with `open_camera`.
    """
    camera = open_camera(source, size_px=size_px)
    return camera if camera.live else PlayedCamera(camera)


class PlayedCamera:
    """The frames of a source on disk, none before its time and each stamped with the clock's.

    `taken_at` is monotonic seconds of `clock`, so that ages, settling and pictures kept round a
    moment hold as with a device. No frame is left out: a machine that is too slow plays slower.
    The next one is decoded when its time has nearly come: nobody needs two at once.
    """

    live = False

    def __init__(
        self,
        film: Camera,
        *,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self._film, self._clock, self._wait = film, clock, wait
        self._last: tuple[float, float] | None = None  # of the film, and of the clock
        self._step_s, self._took_s = math.inf, 0.0  # the shortest step, and the last reading

    @property
    def name(self) -> str:
        """The film's own."""
        return self._film.name

    @property
    def size_px(self) -> tuple[int, int]:
        """The film's own."""
        return self._film.size_px

    def read(self) -> Frame | None:
        """The next frame once its time has come; None after the last.

        `CameraError` for one that cannot be read; the next call goes on.
        """
        patience_ends = self._clock() + LONGEST_WAIT_S
        if self._last is not None and self._step_s < math.inf:
            self._wait_until(min(self._last[1] + self._step_s - self._took_s, patience_ends))
        began_at = self._clock()
        frame = self._film.read()
        self._took_s = self._clock() - began_at
        if frame is None:
            return None
        if self._last is not None:
            step_s = frame.taken_at - self._last[0]
            self._step_s = min(self._step_s, step_s)
            self._wait_until(min(self._last[1] + step_s, patience_ends))
        self._last = frame.taken_at, self._clock()
        return replace(frame, taken_at=self._last[1])

    def _wait_until(self, due: float) -> None:
        early_s = due - self._clock()
        if early_s > 0:
            self._wait(early_s)

    def close(self) -> None:
        """Let go of the film."""
        self._film.close()
