"""The cameras that this machine has, each with its picture as it is seen now.

A device is held no longer than its picture takes: one after another is opened, read and let go.
The camera that watches the table is left alone, its own last picture is shown.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from ui.scene.values import Mark, Picture

if TYPE_CHECKING:
    from ui.table.camera_watch import CameraWatch
    from vision.camera.camera import Camera
    from vision.camera.frame import Frame

Open = Callable[[str], "Camera"]
"""Opens a source once; whatever it raises is told in the place of a picture."""
Listed = Callable[[str], Sequence[tuple[str, str]]]
"""What there is now, each its title and its source; the source that is chosen is among them."""

LOOKED_S = 3.0
"""So long after the last look nobody looks any more, and no camera is opened again."""
PAUSE_S = 0.7
"""Between the last camera and the first one again."""
WAKING_S = 5.0
"""A device that gave no picture for so long gives none."""
LIGHT_S = 0.6
"""A sensor that has just woken sees too dark; what it gives after this long is shown."""
WIDE_PX = 480
"""A picture is kept no wider."""
READ_S = 0.02
LOOKING = "Looking for its picture"
"""What stands in the place of a picture that is still to come."""


@dataclass(frozen=True, slots=True)
class CameraSeen:
    """One camera: its title, its source, its last picture, or in words why there is none."""

    title: str
    source: str
    picture: Picture | None = None
    told: str = LOOKING

    @property
    def troubled(self) -> bool:
        """Whether it was tried and gave nothing."""
        return self.picture is None and self.told != LOOKING


class CameraPreviews:
    """Looks through the cameras for as long as somebody looks at them. `seen` never waits.

    `listed` tells what is plugged in, `opens` opens one of them.
    """

    def __init__(
        self, listed: Listed, opens: Open, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._listed, self._opens, self._clock = listed, opens, clock
        self._seen: dict[str, CameraSeen] = {}
        self._busy = ""
        self._looked_at = float("-inf")
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._number = 0

    def seen(self, watched: str, watch: CameraWatch | None) -> tuple[CameraSeen, ...]:
        """Every camera with its newest picture; who asks again within seconds keeps them new.

        `watched` is the source that `watch` has open, which nobody else may open.
        """
        self._looked_at, self._busy = self._clock(), watched
        if (self._thread is None or not self._thread.is_alive()) and not self._ending.is_set():
            self._thread = threading.Thread(target=self._run, name="previews", daemon=True)
            self._thread.start()
        return tuple(self._one(title, source, watch) for title, source in self._listed(watched))

    def _one(self, title: str, source: str, watch: CameraWatch | None) -> CameraSeen:
        bare = CameraSeen(title, source)
        if source == self._busy and watch is not None:
            return _watched(bare, watch, self._clock())
        return replace(self._seen.get(source, bare), title=title)

    def close(self) -> None:
        """Open nothing any more."""
        self._ending.set()

    # -- on the thread of its own ----------------------------------------------------------

    def _run(self) -> None:
        while self._is_looked_at:
            for _, source in self._listed(self._busy):
                if self._is_looked_at and source not in ("", self._busy):
                    self._seen[source] = self.look(source)
            self._ending.wait(PAUSE_S)

    @property
    def _is_looked_at(self) -> bool:
        return not self._ending.is_set() and self._clock() - self._looked_at <= LOOKED_S

    def look(self, source: str) -> CameraSeen:
        """Open a camera, wait for a picture and let it go; what fails is told in words."""
        try:
            camera = self._opens(source)
        except Exception as wrong:  # noqa: BLE001 - a driver may raise whatever it likes
            return CameraSeen("", source, told=in_words(wrong))
        try:
            frame = self._frame_of(camera)
        except Exception as wrong:  # noqa: BLE001 - a driver may raise whatever it likes
            return CameraSeen("", source, told=in_words(wrong))
        finally:
            camera.close()
        if frame is None:
            return CameraSeen("", source, told="It gives no picture: pull its plug and put it in.")
        self._number += 1
        return CameraSeen("", source, small_picture(frame, self._number), "")

    def _frame_of(self, camera: Camera) -> Frame | None:
        """Its first picture by the light that it finds; None where none comes, or nobody waits."""
        begun, newest = time.monotonic(), None
        while (waited_s := time.monotonic() - begun) < WAKING_S and not self._ending.is_set():
            frame = camera.read()
            newest = frame if frame is not None else newest
            if newest is not None and (not camera.live or waited_s >= LIGHT_S):
                return newest
            if frame is None and not camera.live:
                return None
            time.sleep(READ_S)
        return newest


def _watched(bare: CameraSeen, watch: CameraWatch, now: float) -> CameraSeen:
    """The camera that watches the table: its last picture, or what is wrong with it."""
    device, frame = watch.device(now), watch.frame
    if device.alarm:
        return replace(bare, told=f"{device.alarm}. {device.way_out}")
    if frame is None:
        return bare
    return replace(bare, picture=small_picture(frame, frame.number), told="")


def small_picture(frame: Frame, number: int) -> Picture:
    """A frame no wider than a key needs it, without marks."""
    colour = frame.colour
    image = frame.grey[:, :, None].repeat(3, axis=2) if colour is None else colour
    step = max(1, -(-image.shape[1] // WIDE_PX))
    small = image[::step, ::step].copy()
    return Picture(small, number, (small.shape[1], small.shape[0]), note_mark=Mark.NONE)


def in_words(wrong: Exception) -> str:
    """Why there is no picture: of ours the first sentence, of the system what it says.

    >>> in_words(OSError(13, "Permission denied"))
    'Permission denied'
    """
    if isinstance(wrong, CompanionError):
        return str(wrong).partition(". ")[0].partition(": ")[0]
    if isinstance(wrong, OSError) and wrong.strerror:
        return wrong.strerror
    return repr(wrong)


# What this machine has.

DEV = Path("/dev")


def plugged_in(present: str, dev: Path = DEV, *, pi_camera: bool = False) -> list[tuple[str, str]]:
    """Every camera by its stable name, the Pi's own, and what is chosen now whatever it is.

    Twins have the names of their sockets. A device that is chosen by another of its names ("usb":
    the first) keeps that one. Where a system gives no stable names the first USB camera stands for
    all.

    >>> plugged_in("/films/evening.mp4", Path("/nowhere"))
    [('evening.mp4', '/films/evening.mp4')]
    """
    from vision.camera.usb import sockets_of_twins  # OpenCV, which home does without

    by_id = sorted((dev / "v4l" / "by-id").glob("*-video-index0"))
    named = sockets_of_twins(dev) or by_id
    found = [
        (_title(path), present if _is_meant(present, path, first=path == named[0]) else str(path))
        for path in named
    ]
    if not named and any(dev.glob("video*")):
        found.append(("USB camera", "usb"))
    if pi_camera:
        found.append(("Pi camera", "picamera"))
    if present and present not in [source for _, source in found]:
        known = {"usb": "First USB camera", "picamera": "Pi camera"}
        found.insert(0, (known.get(present, Path(present).name or present), present))
    return found


def _is_meant(present: str, path: Path, *, first: bool) -> bool:
    """Whether a source names this device in another way."""
    if present == "usb":
        return first
    if not present.startswith("/") or not Path(present).exists():
        return False
    return Path(present).resolve() == path.resolve()


def _title(path: Path) -> str:
    """A device's name as people read it: "Logitech C270"; of twins the number of its socket."""
    if path.parent.name == "by-path":
        return f"USB camera in socket {path.name.split(':')[-2]}"
    name = path.name.removeprefix("usb-").removesuffix("-video-index0")
    return name.replace("_", " ").strip()
