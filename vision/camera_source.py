"""The chosen camera, opened as often as it must be: the same one again in whichever socket."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from vision.camera import Camera, open_camera
from vision.usb_camera import DEV


class Opener(Protocol):
    """What opens a source once: `open_camera`, or a stand-in for machines without a device."""

    def __call__(self, source: str, *, size_px: tuple[int, int]) -> Camera: ...


class CameraSource:
    """A source as the settings name it, which remembers which camera answered to it.

    A USB camera gets another number in another socket, and another camera may get its old one. So
    once one was opened, its stable name (`/dev/v4l/by-id`) is tried before the source's own.
    `wanted_px` is the size asked of devices; files have their own.

    >>> from vision.simulated_table import SimulatedTable
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
        self._by_id = dev / "v4l" / "by-id"
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
        link = self._by_id / name
        if self._stable is None and name and link.exists():
            self._stable = link
