"""The camera protocol, and which camera a source on the command line means."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, runtime_checkable

from companion.core.errors import CameraError
from vision.camera.frame import Frame, quieten_opencv
from vision.camera.kept import KeptPictures, is_kept
from vision.camera.pi import open_pi_camera
from vision.camera.pictures import PictureFolder, VideoFile, cannot_be_read, is_picture
from vision.camera.usb import find_device, open_usb_camera

DEVICE_WORDS = "a camera (usb, /dev/video0, picamera), a picture, a film or a folder of pictures"


@runtime_checkable
class Camera(Protocol):
    """Whatever gives frames: a device, a film, a folder of pictures, the simulated table.

    `name` is stable from start to start (lens files are kept by it); `size_px` is width and height
    of its frames, (0, 0) until the first where they differ from picture to picture.
    """

    @property
    def name(self) -> str: ...

    @property
    def size_px(self) -> tuple[int, int]: ...

    @property
    def live(self) -> bool:
        """Whether None means "nothing new yet" (a device) or "the end" (files)."""
        ...

    def read(self) -> Frame | None:
        """The next frame; None at the end of a source, or while a device has nothing new.

        Raises `CameraLost` when the camera is gone, `CameraError` for a picture that cannot be
        read; after the latter the next call goes on with the next picture.
        """
        ...

    def close(self) -> None: ...


def open_camera(source: str, *, size_px: tuple[int, int] = (1280, 720)) -> Camera:
    """Open what a source names: a device, Picamera2, a film, a folder or a single picture.

    `size_px` is asked of devices; files have their own. Raises `CameraError` with the way out;
    OpenCV, which would say it in its own way too, is silent from the first call on.
    """
    quieten_opencv()
    if not source.strip():
        raise CameraError(f"no source is named: name {DEVICE_WORDS}")
    kind, _, number = source.partition(":")
    if kind == "picamera":
        return open_pi_camera(_index(source, number or "0"), size_px)
    if _is_usb(source):
        return open_usb_camera(source, size_px)
    return _open_file(Path(source))


def why_missing(source: str) -> str:
    """Why that source cannot be opened, found out without opening it; empty where it seems fine.

    >>> why_missing("gone.mp4")
    'gone.mp4 was chosen, and is no camera, film or folder here'
    """
    if source.partition(":")[0] == "picamera":
        found = find_spec("picamera2") is not None
        return "" if found else f"{source} was chosen, but Picamera2 is not installed"
    if _is_usb(source):
        try:
            find_device(source)
        except CameraError as missing:
            return str(missing)
        return ""
    found = Path(source).expanduser().exists()
    return "" if found else f"{source} was chosen, and is no camera, film or folder here"


def _is_usb(source: str) -> bool:
    return source == "usb" or source.isdecimal() or source.startswith("/dev/")


def _index(source: str, number: str) -> int:
    if not number.isdecimal():
        raise CameraError(f"{source!r} is no camera: write picamera, or picamera:1 for the second")
    return int(number)


def _open_file(path: Path) -> Camera:
    if not _exists(path):
        raise CameraError(f"{path} does not exist: name {DEVICE_WORDS}")
    if path.is_dir():
        if is_kept(path):
            return KeptPictures(path)
        return PictureFolder.of_folder(path)
    if is_picture(path):
        return PictureFolder((path,), name=path.name)
    return VideoFile(path)


def _exists(path: Path) -> bool:
    """Whether it is there; `CameraError` where a folder above does not let that be seen."""
    try:
        return path.exists()
    except OSError as trouble:
        raise cannot_be_read(path, trouble) from trouble
