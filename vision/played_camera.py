"""A film or folder played as if it were a camera: at its own rate, on the clock of who looks."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from vision.camera import Camera, open_camera
from vision.frame import Frame

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
        frame = self._film.read()
        if frame is None:
            return None
        if self._last is not None:
            self._wait_until(self._last[1] + frame.taken_at - self._last[0])
        self._last = frame.taken_at, self._clock()
        return replace(frame, taken_at=self._last[1])

    def _wait_until(self, due: float) -> None:
        early_s = due - self._clock()
        if early_s > 0:
            self._wait(min(early_s, LONGEST_WAIT_S))

    def close(self) -> None:
        """Let go of the film."""
        self._film.close()
