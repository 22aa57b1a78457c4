"""The Pi camera through Picamera2: its grey plane, and what is said when it is missing."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from companion.core.errors import CameraBusy, CameraError
from tests.patience import PATIENCE_S
from vision.camera.camera import open_camera, why_missing
from vision.camera.frame import Raw
from vision.camera.live import LiveCamera


class PiLibrary(ModuleType):
    """As much of the module `picamera2` as is used: only Raspberry Pi OS has the real one."""

    def __init__(self, cameras: int = 1, *, busy: bool = False) -> None:
        library = self

        class Picamera2:
            def __init__(self, index: int) -> None:
                if busy:
                    raise RuntimeError("Camera __init__ sequence did not complete.")

            @staticmethod
            def global_camera_info() -> list[dict[str, str]]:
                return [{"Model": "imx708"}] * cameras

            def create_video_configuration(self, **settings: Any) -> dict[str, Any]:
                return settings

            def configure(self, settings: dict[str, Any]) -> None:
                library.configured = settings

            def start(self) -> None: ...
            def stop(self) -> None: ...

            def capture_array(self, stream: str) -> Raw:
                width, height = library.configured[stream]["size"]
                planes = np.full((height * 3 // 2, width + 32), 128, np.uint8)  # rows are padded
                planes[:height, :width] = 77
                time.sleep(0.005)
                return planes

            def close(self) -> None:
                library.closed.set()

        super().__init__("picamera2")
        self.Picamera2 = Picamera2
        self.configured: dict[str, Any] = {}
        self.closed = threading.Event()


def test_a_pi_camera_gives_its_grey_plane(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Y plane of YUV420 without padding; the camera is named by its model."""
    library = PiLibrary()
    monkeypatch.setitem(sys.modules, "picamera2", library)
    camera = open_camera("picamera", size_px=(160, 120))
    assert isinstance(camera, LiveCamera)
    deadline = time.monotonic() + PATIENCE_S
    while (frame := camera.read()) is None and time.monotonic() < deadline:
        time.sleep(0.002)
    assert frame is not None
    assert (frame.size_px, camera.name) == ((160, 120), "picamera-0-imx708")
    assert (frame.grey == 77).all()
    colour = frame.in_colour()
    assert colour is not None
    assert (colour.shape, int(np.ptp(colour))) == ((120, 160, 3), 0), "grey, and no padding in it"
    assert library.configured["main"] == {"size": (160, 120), "format": "YUV420"}
    camera.close()
    assert library.closed.wait(60.0)


def test_a_missing_pi_library_names_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes with Raspberry Pi OS, not with pip."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(CameraError, match="apt install -y python3-picamera2"):
        open_camera("picamera")


def test_a_missing_or_busy_pi_camera_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to look at."""
    monkeypatch.setitem(sys.modules, "picamera2", PiLibrary(cameras=0))
    with pytest.raises(CameraError, match=r"no Pi camera number 1 \(0 found\).*ribbon cable"):
        open_camera("picamera:1")
    monkeypatch.setitem(sys.modules, "picamera2", PiLibrary(busy=True))
    with pytest.raises(CameraBusy, match="held by another program"):
        open_camera("picamera")
    with pytest.raises(CameraError, match="write picamera, or picamera:1"):
        open_camera("picamera:front")


@pytest.mark.parametrize("fails", ["global_camera_info", "__init__"])
def test_a_pi_library_that_fails_in_its_own_way_is_told(
    monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """As one that was built for another Python: never anything but a `CameraError`."""
    library = PiLibrary()

    def broken(*_: object) -> None:
        raise OSError("libcamera.so: cannot open shared object file")

    monkeypatch.setattr(library.Picamera2, fails, broken)
    monkeypatch.setitem(sys.modules, "picamera2", library)
    with pytest.raises(CameraError, match="cannot open shared object file"):
        open_camera("picamera")


def test_every_kind_of_source_is_asked_for_in_its_own_way(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The second Pi camera and a USB camera by its number are cameras, and no missing files."""
    monkeypatch.setitem(sys.modules, "picamera2", None)
    for source in ("picamera", "picamera:1"):
        assert why_missing(source) == f"{source} was chosen, but Picamera2 is not installed"
    assert "/dev/video4711 is not there; USB cameras now:" in why_missing("4711")
    assert why_missing(str(tmp_path)) == ""
    assert why_missing("gone").endswith("is no camera, film or folder here")
