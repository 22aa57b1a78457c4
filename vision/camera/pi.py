"""The Raspberry Pi's own camera through Picamera2, which comes with Raspberry Pi OS alone."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from companion.core.errors import CameraBusy, CameraError
from vision.camera.frame import Planes, Raw
from vision.camera.live import LiveCamera

FRAMES_A_SECOND = 20.0
INSTALL = (
    "sudo apt install -y python3-picamera2, with the companion in a virtual environment made by "
    "python3 -m venv --system-site-packages"
)


def open_pi_camera(index: int = 0, size_px: tuple[int, int] = (1280, 720)) -> LiveCamera:
    """Start the Pi camera of that number; its grey plane (Y of YUV420) needs no conversion.

    The colours lie behind it, for who asks.

    Raises `CameraError` when the library or the camera is missing, `CameraBusy` when another
    program holds it.
    """
    library = _library()
    cameras = _cameras(library)
    if index >= len(cameras):
        raise CameraError(
            f"no Pi camera number {index} ({len(cameras)} found): switch the Pi off, check the "
            "ribbon cable, and see that rpicam-hello --list-cameras lists it"
        )
    model = cameras[index].get("Model", "camera")
    driver = _Picamera2(_started(library, index, size_px), size_px)
    return LiveCamera(f"picamera-{index}-{model}", size_px, driver)


def _library() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ImportError as trouble:
        raise CameraError(f"Picamera2 is not installed ({trouble}): {INSTALL}") from trouble
    except Exception as trouble:
        # built for another Python or NumPy it fails in ways of its own
        raise CameraError(f"Picamera2 cannot be used ({trouble}): {INSTALL}") from trouble


def _cameras(library: Any) -> list[dict[str, Any]]:
    try:
        return list(library.Picamera2.global_camera_info())
    except Exception as trouble:
        raise CameraError(
            f"Picamera2 does not tell which cameras there are ({trouble}): see that "
            "rpicam-hello --list-cameras does"
        ) from trouble


def _started(library: Any, index: int, size_px: tuple[int, int]) -> Any:
    try:
        camera = library.Picamera2(index)
    except RuntimeError as trouble:
        raise CameraBusy(
            f"Pi camera {index} is held by another program ({trouble}): close it first"
        ) from trouble
    except Exception as trouble:
        raise CameraError(f"Pi camera {index} cannot be opened: {trouble}") from trouble
    try:
        main = {"size": size_px, "format": "YUV420"}
        controls = {"FrameRate": FRAMES_A_SECOND}
        camera.configure(camera.create_video_configuration(main=main, controls=controls))
        camera.start()
    except Exception as trouble:
        camera.close()
        raise CameraError(f"Pi camera {index} does not start: {trouble}") from trouble
    return camera


class _Picamera2:
    """The driver of one started Pi camera."""

    def __init__(self, camera: Any, size_px: tuple[int, int]) -> None:
        self._camera = camera
        self._size_px = size_px

    def grab(self) -> Raw:
        """All planes of the next picture; rows may be padded."""
        return Planes(np.asarray(self._camera.capture_array("main"), np.uint8), self._size_px)

    def release(self) -> None:
        """Stop the camera and let go of it."""
        self._camera.stop()
        self._camera.close()
