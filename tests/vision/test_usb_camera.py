"""USB cameras: found, asked and refused before OpenCV opens them."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import cv2
import pytest

from companion.core.errors import CameraBusy, CameraError, CameraFrozen, CameraUnplugged
from vision.camera import usb as usb_camera
from vision.camera.usb import find_device, holders, usb_devices


def test_without_a_usb_camera_the_way_out_is_told(tmp_path: Path) -> None:
    """`usb` on a machine that has none."""
    assert usb_devices(tmp_path) == []
    with pytest.raises(CameraError, match=r"no USB camera is there\. Plug a USB camera in"):
        find_device("usb", tmp_path)


def test_an_absent_device_is_named(tmp_path: Path) -> None:
    """With the cameras that are there."""
    with pytest.raises(CameraError, match="video7 is not there; USB cameras now: none"):
        find_device("7", tmp_path)


def test_a_node_that_is_no_camera_is_told(tmp_path: Path) -> None:
    """It is asked before OpenCV opens it."""
    node = tmp_path / "video0"
    node.touch()
    with pytest.raises(CameraError, match="video0 is no camera"):
        find_device("0", tmp_path)
    (tmp_path / "v4l" / "by-id").mkdir(parents=True)
    (tmp_path / "v4l" / "by-id" / "usb-Acme-video-index0").symlink_to(node)
    assert usb_devices(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may open everything")
def test_a_camera_of_other_users_is_told_with_the_group(tmp_path: Path) -> None:
    """Membership of the group `video` is what is missing."""
    node = tmp_path / "video0"
    node.touch(mode=0)
    with pytest.raises(CameraError, match="usermod -aG video"):
        find_device("0", tmp_path)


def _as_camera(handle: int, request: int, argument: bytes) -> bytes:
    """What the kernel answers for a webcam that another program films with."""
    del handle
    if request == usb_camera.REQUEST_BUFFERS:
        raise OSError(16, "Device or resource busy")
    assert len(argument) == usb_camera.CAPABILITY.size
    return usb_camera.CAPABILITY.pack(
        b"uvcvideo", b"Acme Webcam", b"usb-0000:01:00.0-1.2", 0x60100, 0x84A00001, 0x04200001
    )


def test_a_camera_is_known_by_its_stable_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of /dev/video0 changes from start to start; the link by id does not."""
    by_id = tmp_path / "v4l" / "by-id"
    by_id.mkdir(parents=True)
    (tmp_path / "video2").touch()
    (by_id / "usb-Acme_Webcam_123-video-index0").symlink_to(tmp_path / "video2")
    monkeypatch.setattr("fcntl.ioctl", _as_camera)
    for source in ("usb", "2", str(tmp_path / "video2"), str(next(by_id.iterdir()))):
        device = find_device(source, tmp_path)
        assert device.path == tmp_path / "video2"
        assert device.stable.name == "usb-Acme_Webcam_123-video-index0"
        assert device.card == "Acme Webcam"


def test_of_twins_each_is_known_by_its_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their one name by id is given to the other as soon as the first is pulled."""
    by_id, by_path = (tmp_path / "v4l" / kind for kind in ("by-id", "by-path"))
    sockets = [by_path / f"platform-usb-0:{n}:1.0-video-index0" for n in (1, 2)]
    for folder in (by_id, by_path):
        folder.mkdir(parents=True)
    for n, socket in enumerate(sockets):
        (tmp_path / f"video{n}").touch()
        socket.symlink_to(tmp_path / f"video{n}")
    name = by_id / "usb-Twin-video-index0"
    name.symlink_to(tmp_path / "video0")
    monkeypatch.setattr("fcntl.ioctl", _as_camera)
    for source in ("0", str(name), str(sockets[0])):
        assert find_device(source, tmp_path).stable == sockets[0]
    name.unlink()
    name.symlink_to(tmp_path / "video1")
    sockets[0].unlink()
    with pytest.raises(CameraError, match="is not there"):
        find_device(str(sockets[0]), tmp_path)
    assert find_device(str(sockets[1]), tmp_path).stable == sockets[1], "alone: by its socket still"


def test_a_busy_camera_names_who_holds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """V4L2 refuses to give buffers while another program streams."""
    node = tmp_path / "video0"
    node.touch()
    monkeypatch.setattr("fcntl.ioctl", _as_camera)
    with node.open("rb") as held, subprocess.Popen(["sleep", "60"], stdin=held) as other:
        try:
            with pytest.raises(CameraBusy, match=rf"Acme Webcam .* in use by .*\({other.pid}\)"):
                usb_camera.open_usb_camera(str(node))
        finally:
            other.kill()


def test_a_camera_that_hangs_in_this_very_program_is_no_other_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that does not come back keeps its device: there is nothing to close."""
    node = tmp_path / "video0"
    monkeypatch.setattr("fcntl.ioctl", _as_camera)
    with node.open("wb"), pytest.raises(CameraFrozen, match="hangs and was not let go: pull"):
        usb_camera.open_usb_camera(str(node))


def test_a_plug_that_is_pulled_while_it_is_asked_is_told_as_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node is there when its name is asked, and gone a moment later."""
    node = tmp_path / "video0"
    node.touch()

    def pulled(handle: int, request: int, argument: bytes) -> bytes:
        node.unlink()
        return _as_camera(handle, request, argument)

    monkeypatch.setattr("fcntl.ioctl", pulled)
    with pytest.raises(CameraUnplugged, match=r"Acme Webcam .* is gone\. Plug a USB camera in"):
        usb_camera.open_usb_camera(str(node))


@pytest.mark.parametrize(
    ("refused", "kind", "said"),
    [
        (errno.ENODEV, CameraUnplugged, "is gone"),
        (errno.ENXIO, CameraUnplugged, "is gone"),
        (errno.EBUSY, CameraBusy, "in use by another program"),
        (errno.EACCES, CameraError, "usermod -aG video"),
        (errno.EIO, CameraError, "cannot be opened: Input/output error"),
    ],
)
def test_whatever_the_system_refuses_is_a_cameras_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refused: int, kind: type[CameraError],
    said: str,
) -> None:  # fmt: skip
    """Never a bare OSError, which nobody who watches a camera waits for."""
    node = tmp_path / "video0"
    node.touch()

    def refusing(path: Path, flags: int) -> int:
        raise OSError(refused, os.strerror(refused), str(path), flags)

    monkeypatch.setattr("os.open", refusing)
    with pytest.raises(kind, match=said):
        find_device("0", tmp_path)


def test_who_holds_a_file_is_found() -> None:
    """By name and number: here the very process that tests."""
    with Path(__file__).open("rb"):
        assert any(name.endswith(f"({os.getpid()})") for name in holders(Path(__file__).resolve()))


def test_what_the_kernel_is_asked_has_the_kernels_size() -> None:
    """The number of an ioctl carries the size of its argument in bits 16 to 29."""
    assert usb_camera.CAPABILITY.size == usb_camera.QUERY_CAPABILITY >> 16 & 0x3FFF
    assert usb_camera.BUFFERS.size == usb_camera.REQUEST_BUFFERS >> 16 & 0x3FFF


class _Driver:
    """The stand-in of an opened device that sends one format, whatever it is asked for."""

    def __init__(self, sends: str) -> None:
        self._settings = {cv2.CAP_PROP_FOURCC: float(cv2.VideoWriter.fourcc(*sends))}

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV calls it
        return True

    def set(self, setting: int, value: float) -> bool:
        if setting == cv2.CAP_PROP_FOURCC:
            return False
        self._settings[setting] = value
        return True

    def get(self, setting: int) -> float:
        return self._settings[setting]


@pytest.mark.parametrize(
    ("sends", "converts"),
    [
        ("MJPG", 0),  # as asked
        ("YUYV", 0),
        ("BGR3", 0),
        ("UYVY", 1),  # colours first: taken for YUYV, the table would be grey in grey
        ("NV12", 1),  # colours in rows below: the picture would be half as high again
        ("YU12", 1),
        ("RGB3", 1),
        ("Y16 ", 1),
    ],
)
def test_a_format_that_is_not_read_here_opencv_turns_to_colours(
    sends: str, converts: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asked for MJPG, a camera that has none sends what it has."""
    driver = _Driver(sends)
    monkeypatch.setattr(usb_camera, "_is_filmed", lambda *_: False)
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: driver)
    device = usb_camera.CameraDevice(Path("/dev/video0"), Path("/dev/video0"), "stand-in")
    usb_camera._capture(device, (1280, 720))
    assert driver.get(cv2.CAP_PROP_CONVERT_RGB) == converts
