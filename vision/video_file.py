"""A film on disk as a camera."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from companion.errors import CameraError
from vision.film_container import missing_bytes
from vision.frame import Frame
from vision.pictures import cannot_be_read
from vision.quiet import quieten_opencv

USUAL_FPS = 20.0
CUT_SHORT = 0.9
"""A film with less than this share of the frames it announces is torn; many announce a guess."""


class VideoFile:
    """Every frame of a film, in order; `taken_at` follows the film's own rate from 0."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path
        self._capture = _open(path)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = fps if 0 < fps < 1000 else USUAL_FPS
        self._announced = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._next = 0
        self._is_checked = False
        self.size_px = (
            int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )

    def read(self) -> Frame | None:
        """The next frame, None after the last; `CameraError` once where the film is torn."""
        grabbed, picture = self._capture.read()
        if not grabbed:
            self._check_end()
            return None
        colour = np.asarray(picture, np.uint8)
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
        number = self._next
        self._next += 1
        return Frame(grey, number / self._fps, number, colour, str(self._path))

    def close(self) -> None:
        """Let go of the file."""
        self._capture.release()

    def _check_end(self) -> None:
        if self._is_checked:
            return
        self._is_checked = True
        torn = "it is torn; what was read so far holds"
        if self._next < CUT_SHORT * self._announced:
            announced = f"announces {self._announced:.0f} frames and ends after {self._next}"
            raise CameraError(f"{self._path} {announced}: {torn}")
        try:
            missing = missing_bytes(self._path)
        except OSError as trouble:
            raise cannot_be_read(self._path, trouble) from trouble
        if missing:
            raise CameraError(f"{self._path} lacks {missing} bytes at its end or more: {torn}")


def _open(path: Path) -> cv2.VideoCapture:
    try:
        size = path.stat().st_size
    except OSError as trouble:
        raise cannot_be_read(path, trouble) from trouble
    if not size:
        raise CameraError(f"{path} is empty (0 bytes)")
    quieten_opencv()
    for backend in (cv2.CAP_FFMPEG, cv2.CAP_GSTREAMER):
        capture = cv2.VideoCapture(str(path), backend)
        if capture.isOpened():
            return capture
    raise CameraError(f"{path} is neither a picture nor a film that OpenCV reads")
