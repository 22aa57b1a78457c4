"""The same camera again, in whichever socket; and the stand-in whose plug can be pulled."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.core.errors import CameraBusy, CameraError, CameraUnplugged
from companion.games.jaws_and_paws.boards import board_plan
from vision.camera.camera import Camera
from vision.camera.scripted import CameraRig
from vision.camera.source import CameraSource, opener_of
from vision.camera.usb import presence
from vision.drawing.table import SimulatedTable


@pytest.fixture
def rig() -> CameraRig:
    return CameraRig(SimulatedTable(board_plan(), seed=3, size_px=(320, 180)), name="usb-Acme")


class Sockets:
    """A folder of device nodes, and an opener that notes what it was asked for."""

    def __init__(self, dev: Path, rig: CameraRig) -> None:
        self.dev, self.rig, self.asked = dev, rig, list[str]()
        (dev / "v4l" / "by-id").mkdir(parents=True)

    def plug(self, node: str, name: str) -> None:
        """A camera on a node, with its stable name."""
        (self.dev / node).touch()
        link = self.dev / "v4l" / "by-id" / name
        link.unlink(missing_ok=True)
        link.symlink_to(self.dev / node)

    def open(self, source: str, *, size_px: tuple[int, int]) -> Camera:
        self.asked.append(source)
        return self.rig.open(source, size_px=size_px)


@pytest.fixture
def sockets(tmp_path: Path, rig: CameraRig) -> Sockets:
    return Sockets(tmp_path, rig)


@pytest.mark.parametrize("source", ["usb", "0", "/dev/video0"])
def test_a_camera_in_another_socket_is_the_same(sockets: Sockets, source: str) -> None:
    """Once opened it is asked for by its stable name, whatever number it has now."""
    sockets.plug("video0", "usb-Acme")
    chosen = CameraSource(source, opener=sockets.open, dev=sockets.dev)
    chosen()
    sockets.plug("video4", "usb-Acme")
    chosen()
    assert sockets.asked == [source, str(sockets.dev / "v4l" / "by-id" / "usb-Acme")]


def test_while_it_is_away_another_may_stand_in(sockets: Sockets) -> None:
    """The source's own words count then; and the first is taken again once it is back."""
    sockets.plug("video0", "usb-Acme")
    chosen = CameraSource("usb", opener=sockets.open, dev=sockets.dev)
    chosen()
    by_id = sockets.dev / "v4l" / "by-id" / "usb-Acme"
    by_id.unlink()
    sockets.rig.name = "usb-Other"
    sockets.plug("video1", "usb-Other")
    assert chosen().name == "usb-Other"
    sockets.rig.name = "usb-Acme"
    sockets.plug("video2", "usb-Acme")
    chosen()
    assert sockets.asked == ["usb", "usb", str(by_id)]


def test_of_twins_the_one_in_the_socket_is_meant(sockets: Sockets) -> None:
    """Pulled, it is waited for in that socket: their name by id leads to the other one now."""
    sockets.plug("video0", "usb-Twin")
    by_path = sockets.dev / "v4l" / "by-path"
    by_path.mkdir()
    socket = by_path / "platform-usb-0:1:1.0-video-index0"
    socket.symlink_to(sockets.dev / "video0")
    sockets.rig.name = socket.name
    by_id = str(sockets.dev / "v4l" / "by-id" / "usb-Twin")
    chosen = CameraSource(by_id, opener=sockets.open, dev=sockets.dev)
    chosen()
    sockets.plug("video1", "usb-Twin")
    chosen()
    assert sockets.asked == [by_id, str(socket)]


def test_who_chooses_another_camera_gets_it(sockets: Sockets) -> None:
    """`accept`: what is opened next is the right one."""
    sockets.plug("video0", "usb-Acme")
    chosen = CameraSource("usb", opener=sockets.open, dev=sockets.dev)
    chosen()
    chosen.accept()
    chosen()
    assert sockets.asked == ["usb", "usb"]


def test_without_stable_names_the_source_counts(sockets: Sockets) -> None:
    """As in a machine without udev, or with a Pi camera."""
    chosen = CameraSource("picamera", opener=sockets.open, dev=sockets.dev)
    chosen()
    chosen()
    assert sockets.asked == ["picamera", "picamera"]


def test_the_node_of_a_camera_plugged_in_again_is_another(tmp_path: Path) -> None:
    """Of the same name: the handle that is open is of no use any more."""
    node = tmp_path / "video0"
    node.touch()
    (tmp_path / "held").hardlink_to(node)  # so that its number is not given out again
    there = presence(node)
    assert there()
    node.unlink()
    assert not there()
    node.touch()
    assert not there()
    assert not presence(tmp_path / "video9")()


def test_a_pulled_plug_is_told_as_one(rig: CameraRig) -> None:
    """And what was opened stays gone; the rig has to be opened anew."""
    camera = rig.open()
    assert camera.read() is not None
    rig.plugged = False
    with pytest.raises(CameraUnplugged, match="usb-Acme was unplugged"):
        camera.read()
    with pytest.raises(CameraError, match="usb is not there"):
        rig.open()
    rig.plugged = True
    with pytest.raises(CameraUnplugged):
        camera.read()
    assert rig.open().read() is not None


def test_another_program_is_named(rig: CameraRig) -> None:
    """As the real one is."""
    rig.held_by = "cheese (4711)"
    with pytest.raises(CameraBusy, match=r"in use by cheese \(4711\)"):
        rig.open()


def test_what_a_rig_does_to_pictures(rig: CameraRig) -> None:
    """None while frozen; the same again; only noise under a cap; another size."""
    camera = rig.open()
    before = camera.read()
    assert before is not None
    rig.repeating = True
    again = camera.read()
    assert again is not None
    assert (again.grey == before.grey).all()
    assert again.taken_at > before.taken_at
    rig.repeating, rig.capped = False, True
    dark = camera.read()
    assert dark is not None
    assert dark.grey.max() < 10
    rig.capped, rig.gives_px = False, (160, 120)
    small = camera.read()
    assert small is not None
    assert small.size_px == (160, 120)
    rig.frozen = True
    assert camera.read() is None


def test_a_plain_function_is_an_opener_too(rig: CameraRig) -> None:
    """It asks for no size, and takes any camera for the right one; a source stays what it is."""
    plain = opener_of(rig.open)
    plain.accept()
    assert (plain().name, plain.wanted_px) == ("usb-Acme", None)
    chosen = CameraSource("usb", wanted_px=(320, 180), opener=rig.open)
    assert opener_of(chosen) is chosen


def test_a_rig_gives_colours_to_who_asks_alone(rig: CameraRig) -> None:
    """As devices do; under a cap there are none."""
    frame = rig.open().read()
    assert frame is not None
    assert frame.colour is None
    colour = frame.in_colour()
    assert colour is not None
    assert colour.shape == (180, 320, 3)
    rig.capped = True
    dark = rig.open().read()
    assert dark is not None
    assert dark.in_colour() is None
