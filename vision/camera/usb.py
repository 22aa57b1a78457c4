"""USB cameras through V4L2: found by their stable ids, asked before they are opened."""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from companion.core.errors import CameraBusy, CameraError, CameraFrozen, CameraLost, CameraUnplugged
from vision.camera.frame import Raw
from vision.camera.live import LiveCamera

DEV = Path("/dev")
FRAMES_A_SECOND = 30
UNDERSTOOD = frozenset({"MJPG", "JPEG", "YUYV", "BGR3", "GREY"})
"""What a `Raw` can be as it comes from the driver, by its V4L2 code."""

PLUG_IN = "Plug a USB camera in"

# From linux/videodev2.h.
QUERY_CAPABILITY, CAPABILITY = 0x80685600, struct.Struct("16s32s32sIII12x")
REQUEST_BUFFERS, BUFFERS = 0xC0145608, struct.Struct("IIIII")
CAPTURES_VIDEO, HAS_DEVICE_CAPABILITIES = 0x00000001, 0x80000000
CAPTURE_BUFFERS, IN_MEMORY_OF_DRIVER = 1, 1
GONE = frozenset({errno.ENOENT, errno.ENODEV, errno.ENXIO})
"""What the system says of a device whose plug was pulled a moment ago."""


@dataclass(frozen=True, slots=True)
class CameraDevice:
    """A camera at this machine: its node, the name that stays the same, what it calls itself."""

    path: Path
    stable: Path
    card: str


def open_usb_camera(source: str, size_px: tuple[int, int] = (1280, 720)) -> LiveCamera:
    """Open `usb` (the first), a number, or a path such as /dev/v4l/by-id/...

    Raises `CameraError` when there is none or it may not be used, `CameraBusy` when another
    program films with it, `CameraFrozen` while this one still waits for a driver that hangs.
    """
    device = find_device(source)
    capture = _capture(device, size_px)
    width = int(capture.get(cv2.CAP_PROP_FRAME_WIDTH))
    height = int(capture.get(cv2.CAP_PROP_FRAME_HEIGHT))
    driver, size_px = _V4l2(device, capture), (width, height)
    return LiveCamera(device.stable.name, size_px, driver, present=presence(device.path))


def presence(node: Path) -> Callable[[], bool]:
    """Whether this very node is still there: one that is plugged in again may have its name."""

    def identity() -> tuple[int, int] | None:
        try:
            found = node.stat()
        except OSError:
            return None
        return (found.st_ino, found.st_rdev)

    first = identity()
    return lambda: first is not None and identity() == first


def find_device(source: str, dev: Path = DEV) -> CameraDevice:
    """The device that a source means; `CameraError` says what is there instead."""
    if source == "usb":
        devices = usb_devices(dev)
        if not devices:
            raise CameraError(f"no USB camera is there. {PLUG_IN}, or name another source")
        return devices[0]
    path = dev / f"video{source}" if source.isdecimal() else Path(source)
    if not path.exists():
        there = ", ".join(str(device.stable) for device in usb_devices(dev)) or "none"
        raise CameraError(f"{path} is not there; USB cameras now: {there}. {PLUG_IN}")
    return _asked(path, dev)


def usb_devices(dev: Path = DEV) -> list[CameraDevice]:
    """The USB cameras at this machine, those with a stable name first."""
    by_id = sorted((dev / "v4l" / "by-id").glob("*-video-index*"))
    plain = sorted(dev.glob("video*"), key=lambda path: (len(path.name), path.name))
    found: dict[Path, CameraDevice] = {}
    for path in (*by_id, *plain):
        try:
            device = _asked(path, dev, usb_only=path in plain)
        except CameraError:
            continue  # a camera's second node tells its settings, not pictures
        found.setdefault(device.path, device)
    return list(found.values())


def _asked(path: Path, dev: Path, *, usb_only: bool = False) -> CameraDevice:
    """Ask a node what it is (VIDIOC_QUERYCAP) and whether another program films with it."""
    node = path.resolve()
    with _opened(node, str(path)) as handle:
        card, bus = _capability(handle, path)
        if usb_only and not bus.startswith("usb"):
            raise CameraError(f"{path} is no USB camera")
    is_socket = path.parent == dev / "v4l" / "by-path"
    return CameraDevice(node, path if is_socket else _stable(node, dev), card)


@contextmanager
def _opened(node: Path, name: str) -> Generator[int, None, None]:
    """A handle of a device, which may vanish at any moment.

    Raises `CameraUnplugged` where it is gone, `CameraBusy` where one program alone may open it and
    another one has, `CameraError` for all else.
    """
    try:
        handle = os.open(node, os.O_RDWR | os.O_NONBLOCK)
    except PermissionError as trouble:
        way_out = "sudo usermod -aG video $USER, then log in again"
        raise CameraError(f"{name} may not be opened by this user: {way_out}") from trouble
    except OSError as trouble:
        if trouble.errno in GONE:
            raise CameraUnplugged(f"{name} is gone. {PLUG_IN}") from trouble
        if trouble.errno == errno.EBUSY:
            raise _busy(name, node) from trouble
        raise CameraError(f"{name} cannot be opened: {trouble.strerror}. {PLUG_IN}") from trouble
    try:
        yield handle
    finally:
        os.close(handle)


def _capability(handle: int, path: Path) -> tuple[str, str]:
    """The card's name and bus; `CameraError` if the node gives no pictures."""
    try:
        answer = fcntl.ioctl(handle, QUERY_CAPABILITY, bytes(CAPABILITY.size))
    except OSError as trouble:
        raise CameraError(f"{path} is no camera (it does not speak V4L2)") from trouble
    _, card, bus, _, whole, own = CAPABILITY.unpack(answer)
    if not (own if whole & HAS_DEVICE_CAPABILITIES else whole) & CAPTURES_VIDEO:
        raise CameraError(f"{path} belongs to a camera but gives no pictures: take its first node")
    return _text(card), _text(bus)


def _text(field: bytes) -> str:
    return field.split(b"\0")[0].decode(errors="replace")


def _stable(node: Path, dev: Path) -> Path:
    """The name in /dev/v4l/by-id that stays the same in another socket; of twins the socket's own.

    Where there is none that is the node itself.
    """
    links = sockets_of_twins(dev) or sorted((dev / "v4l" / "by-id").glob("*"))
    return next((link for link in links if link.resolve() == node), node)


def sockets_of_twins(dev: Path = DEV) -> Sequence[Path]:
    """Every USB camera by its socket (/dev/v4l/by-path), where two have the same name by id.

    Cameras of one kind without serial numbers: udev gives their name to one of them, and to the
    other as soon as that one is pulled. Empty where each has a name of its own.
    """
    named = {link.resolve() for link in (dev / "v4l" / "by-id").glob("*-video-index0")}
    links = sorted((dev / "v4l" / "by-path").glob("*-usb*-video-index0"))
    sockets = {link.resolve(): link for link in reversed(links)}  # newer systems tell each twice
    return sorted(sockets.values()) if named and sockets.keys() - named else ()


def _capture(device: CameraDevice, size_px: tuple[int, int]) -> cv2.VideoCapture:
    name = f"{device.card} ({device.stable})"
    if _is_filmed(device.path, name):
        raise _busy(name, device.path)
    capture = cv2.VideoCapture(str(device.path), cv2.CAP_V4L2)
    if not capture.isOpened():
        raise CameraError(f"{name} does not start: pull its plug and retry")
    for setting, value in (
        (
            cv2.CAP_PROP_FOURCC,
            cv2.VideoWriter.fourcc(*"MJPG"),
        ),  # 720p raw does not fit through USB 2
        (cv2.CAP_PROP_FRAME_WIDTH, size_px[0]),
        (cv2.CAP_PROP_FRAME_HEIGHT, size_px[1]),
        (cv2.CAP_PROP_FPS, FRAMES_A_SECOND),
        (cv2.CAP_PROP_BUFFERSIZE, 1),
    ):
        capture.set(setting, value)
    # What else there is (a capture stick's UYVY or NV12) OpenCV turns to colours itself.
    capture.set(cv2.CAP_PROP_CONVERT_RGB, int(_format(capture) not in UNDERSTOOD))
    return capture


def _format(capture: cv2.VideoCapture) -> str:
    """What the driver sends, whatever it was asked for: four characters, such as YUYV."""
    return (
        (int(capture.get(cv2.CAP_PROP_FOURCC)) & 0xFFFFFFFF).to_bytes(4, "little").decode("latin-1")
    )


def _is_filmed(node: Path, name: str) -> bool:
    """Ask for no buffers: V4L2 refuses even that while another file handle owns the stream."""
    none = BUFFERS.pack(0, CAPTURE_BUFFERS, IN_MEMORY_OF_DRIVER, 0, 0)
    with _opened(node, name) as handle:
        try:
            fcntl.ioctl(handle, REQUEST_BUFFERS, none)
        except OSError as trouble:
            if trouble.errno in GONE:
                raise CameraUnplugged(f"{name} is gone. {PLUG_IN}") from trouble
            return trouble.errno == errno.EBUSY
    return False


def _busy(name: str, node: Path) -> CameraError:
    """Who films with it; where it is this very program, the driver has not come back from it."""
    all_of_them = holders(node)
    others = [one for one in all_of_them if not one.endswith(f"({os.getpid()})")]
    if all_of_them and not others:
        return CameraFrozen(f"{name} hangs and was not let go: pull its plug and put it in again")
    held_by = ", ".join(others) or "another program"
    return CameraBusy(f"{name} is in use by {held_by}: close that first")


def holders(node: Path, proc: Path = Path("/proc")) -> list[str]:
    """The programs that have a file open, as far as this user may see: `cheese (4711)`."""
    found: list[str] = []
    for process in sorted(proc.glob("[0-9]*")):
        try:
            if any(os.path.realpath(link) == str(node) for link in (process / "fd").iterdir()):
                found.append(f"{(process / 'comm').read_text().strip()} ({process.name})")
        except OSError:
            continue  # gone meanwhile, or another user's
    return found


class _V4l2:
    """The driver of one opened device."""

    def __init__(self, device: CameraDevice, capture: cv2.VideoCapture) -> None:
        self._device = device
        self._capture = capture

    def grab(self) -> Raw:
        """The next picture; `CameraLost` when the plug was pulled or the driver gives up."""
        grabbed, raw = self._capture.read()
        if grabbed:
            return np.asarray(raw, np.uint8)
        name = f"{self._device.card} ({self._device.stable})"
        if not self._device.path.exists():
            raise CameraUnplugged(f"{name} was unplugged: plug it in again")
        raise CameraLost(f"{name} gives no more pictures: pull its plug and put it in again")

    def release(self) -> None:
        """Let go of the device."""
        self._capture.release()
