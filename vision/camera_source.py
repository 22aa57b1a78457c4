"""The chosen camera, opened as often as it must be: the same one again in whichever socket."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from vision.camera import Camera, open_camera
from vision.usb_camera import DEV


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
