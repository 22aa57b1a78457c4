"""Another camera, other pins: they work at the touch that chooses them, in a match too."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.errors import CameraBusy, CameraError, PanelError
from companion.core.offers import Button
from companion.games import USUAL_BOX
from companion.match.rulebook import Setup
from companion.record.record import Record
from hardware.panel.desk import DeskPanel
from ui.demo.drawn import SteppedClock
from ui.scene.values import DeviceState
from ui.table.camera_watch import CameraWatch
from ui.table.exchange import CALM_S, Makers
from ui.table.eyes import TableEyes
from ui.table.previews import LOOKED_S, CameraPreviews, CameraSeen, plugged_in
from ui.table.settings import Settings
from ui.table.settings_file import SettingsFile
from ui.table.table import Table
from ui.terminal.setting_up import plan_of, plans
from vision.camera.camera import open_camera
from vision.camera.source import CameraSource, open_played

LONGEST_S = 60.0


def wait_for(true: Callable[[], object]) -> None:
    """Until it is so; threads open and close cameras meanwhile."""
    until = time.monotonic() + LONGEST_S
    while not true():
        assert time.monotonic() < until, "it never came"
        time.sleep(0.02)


def film(path: Path, grey: int, frames: int = 60) -> str:
    """A film of noise around a grey, as no two pictures of a sensor are alike."""
    random = np.random.default_rng(grey)
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (320, 180))
    for _ in range(frames):
        writer.write(random.integers(grey - 20, grey + 20, (180, 320, 3), np.uint8))
    writer.release()
    return str(path)


class Exchanged:
    """A table whose makers open films, and pretended signals."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.made: list[Settings] = []
        self.previews = CameraPreviews(
            partial(plugged_in, dev=folder / "dev"), partial(open_camera, size_px=(320, 180))
        )
        makers = Makers(self.eyes, self.watch, self.signals, self.previews)
        self.clock = time.monotonic
        self.table = Table(
            Record.open(folder / "record.sqlite"),
            SettingsFile.load(folder / "settings.toml"),
            makers=makers,
        )

    def eyes(self, file: SettingsFile) -> TableEyes:
        return TableEyes(self.folder, file.settings.table_file, plans(), plan_of(USUAL_BOX))

    def watch(self, settings: Settings, eyes: TableEyes) -> CameraWatch | None:
        if not settings.camera:
            return None
        source = CameraSource(settings.camera, opener=open_played)
        return CameraWatch(source, eyes.trackers.for_camera, tracker_of=eyes.trackers.of)

    def signals(self, settings: Settings) -> Any:
        self.made.append(settings)
        if settings.pins == "none":
            raise PanelError("there are no pins")
        return DeskPanel()

    @property
    def camera(self) -> Any:
        return self.table.devices(self.clock())[0]

    def choose(self, name: str, value: object) -> None:
        self.table.set_setting(name, value)


@pytest.fixture
def exchanged(tmp_path: Path) -> Iterator[Exchanged]:
    exchanged = Exchanged(tmp_path)
    yield exchanged
    exchanged.table.close()


def test_a_camera_that_is_chosen_works_at_once(exchanged: Exchanged, tmp_path: Path) -> None:
    """Its pictures are the table's, without a new start; the next one takes its place."""
    assert exchanged.camera.text == "none chosen"
    exchanged.choose("camera", film(tmp_path / "one.avi", 60))
    first = exchanged.table.watch
    assert first is not None
    wait_for(lambda: first.frame is not None)
    assert exchanged.table.situation().picture is not None
    exchanged.choose("camera", film(tmp_path / "two.avi", 160))
    second = exchanged.table.watch
    assert second is not None
    assert second is not first
    wait_for(lambda: second.frame is not None)
    assert second.frame is not None
    assert 140 < second.frame.grey.mean() < 180
    names = [thread.name for thread in threading.enumerate()]
    assert names.count("camera") == 1, "the old camera goes on"


def test_without_a_camera_the_match_goes_on_by_touch(exchanged: Exchanged, tmp_path: Path) -> None:
    """Whatever the old one saw counts no more, and nothing waits for it."""
    exchanged.choose("camera", film(tmp_path / "one.avi", 60, frames=400))
    exchanged.table.new_match(Setup(USUAL_BOX))
    watch = exchanged.table.watch
    assert watch is not None
    wait_for(lambda: watch.sighting is not None)
    exchanged.table.tick()
    assert exchanged.table.evidence is not None
    exchanged.choose("camera", "")
    exchanged.table.tick()
    referee = exchanged.table.refereed()
    assert referee.sight.sighting is None
    assert exchanged.table.evidence is None
    assert exchanged.camera.state is DeviceState.ABSENT
    assert exchanged.table.offer("set-up/toss", -1, "Jaws", "touch")


@pytest.mark.slow
def test_a_camera_chosen_in_a_match_looks_for_its_boards(
    exchanged: Exchanged, tmp_path: Path
) -> None:
    """And keeps its pictures as evidence."""
    exchanged.table.new_match(Setup("dogfight-hex"))
    exchanged.choose("camera", film(tmp_path / "one.avi", 60, frames=400))
    watch = exchanged.table.watch
    assert watch is not None
    wait_for(lambda: watch.tracker is not None and watch.tracker.plan.box == "dogfight-hex")
    assert exchanged.table.evidence is not None


@pytest.mark.parametrize("source", ["/dev/video97", "usb", "gone.mp4", "picamera:x"])
def test_a_source_that_cannot_be_opened_is_told_in_words(exchanged: Exchanged, source: str) -> None:
    """The table goes on, says why, and another source may be chosen."""
    exchanged.choose("camera", source)
    wait_for(lambda: exchanged.camera.alarm)
    assert exchanged.camera.way_out
    exchanged.choose("camera", "")
    assert exchanged.camera.text == "none chosen"


@pytest.mark.slow
def test_a_sighting_of_the_old_camera_is_not_taken(exchanged: Exchanged, tmp_path: Path) -> None:
    """Its thread may be in the middle of a picture when another camera is chosen."""
    exchanged.choose("camera", film(tmp_path / "one.avi", 60, frames=400))
    old = exchanged.table.watch
    assert old is not None
    wait_for(lambda: old.sighting is not None)
    (listener,), sighting = old.listeners, old.sighting
    assert sighting is not None
    exchanged.table.new_match(Setup(USUAL_BOX))
    exchanged.choose("camera", "")
    listener(sighting)
    exchanged.table.tick()
    assert exchanged.table.refereed().sight.sighting is None


# What sounds.


class Sounding(Exchanged):
    """The same on a clock that is stepped."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.stepped = SteppedClock(1000.0)
        self.table.clock = self.stepped

    def wait(self, seconds: float) -> None:
        self.stepped.wait(seconds)
        self.table.tick()


@pytest.fixture
def sounding(tmp_path: Path) -> Iterator[Sounding]:
    sounding = Sounding(tmp_path)
    yield sounding
    sounding.table.close()


def test_pins_are_taken_a_moment_after_the_last_touch(sounding: Sounding) -> None:
    """Several touches move a pin: the signal process is made anew once."""
    for pin in (16, 15, 14):
        sounding.choose("panel.buzzer", pin)
        sounding.wait(CALM_S / 2)
    assert not sounding.made
    sounding.wait(CALM_S)
    assert [made.panel.plan.buzzer for made in sounding.made] == [14]
    assert isinstance(sounding.table.signals, DeskPanel)


def test_other_pins_wait_for_a_clock_that_runs(sounding: Sounding) -> None:
    """Its buzzer sounds at zero as it was armed; the page says that they wait."""
    table = sounding.table
    table.new_match(Setup(USUAL_BOX))
    table.checked = True
    for key, raw in (
        ("set-up/toss", "Jaws"),
        ("set-up/sun", "Jaws.GL"),
        ("set-up/placed", "placed"),
    ):
        assert table.offer(key, -1, raw, "touch")
    for key in list(table.refereed().match.open):
        assert table.offer(key, -1, "ready", "touch")
    sounding.choose("sounds_from", "box")
    sounding.wait(CALM_S + 1.0)
    assert not sounding.made
    assert table.situation().exchange.waits
    table.refereed().pause(sounding.stepped())
    sounding.wait(0.1)
    assert len(sounding.made) == 1
    assert table.refereed().signals is table.signals
    assert not table.situation().exchange.waits


def test_signals_that_cannot_be_made_leave_the_screen_to_count(sounding: Sounding) -> None:
    sounding.choose("pins", "none")
    sounding.wait(CALM_S + 0.1)
    assert sounding.table.signals is None
    (_, pins) = sounding.table.devices(sounding.stepped())
    assert pins.text == "none: the screen counts"


def test_a_button_of_the_new_panel_is_heard(sounding: Sounding) -> None:
    """What it presses comes to the match under way."""
    sounding.table.new_match(Setup(USUAL_BOX))
    sounding.table.checked = True
    sounding.choose("pins", "mock")
    sounding.choose("pins", "none")
    sounding.choose("pins", "mock")
    sounding.wait(CALM_S + 0.1)
    panel = sounding.table.signals
    assert isinstance(panel, DeskPanel)
    panel.push(Button.CHALLENGE_FIRST)
    sounding.wait(0.2)
    assert sounding.table.refereed().presses.challenge is not None


# What there is to choose from.


def seen_of(previews: CameraPreviews, watched: str = "") -> dict[str, CameraSeen]:
    return {one.source: one for one in previews.seen(watched, None)}


def test_every_camera_is_shown_as_it_sees_now(tmp_path: Path) -> None:
    """One after another is opened and let go of; one that fails says why."""
    good, gone = film(tmp_path / "good.avi", 100), str(tmp_path / "gone.avi")
    open_now: list[str] = []
    most = 0

    def opens(source: str) -> Any:
        nonlocal most
        if source == "busy":
            raise CameraBusy("the webcam is in use by another program")
        if source == "bug":
            raise OSError(19, "No such device")
        camera = open_camera(source)
        open_now.append(source)
        most = max(most, len(open_now))
        close = camera.close

        def closed() -> None:
            open_now.remove(source)
            close()

        camera.close = closed  # type: ignore[method-assign]
        return camera

    sources = [(name, name) for name in (good, gone, "busy", "bug")]
    previews = CameraPreviews(lambda _: sources, opens)
    wait_for(lambda: all(one.told != "Looking for its picture" for one in previews.seen("", None)))
    seen = seen_of(previews)
    previews.close()
    picture = seen[good].picture
    assert picture is not None
    assert picture.size_px == (320, 180)
    assert not seen[good].troubled
    assert "gone.avi" in seen[gone].told
    assert seen["busy"].told == "the webcam is in use by another program"
    assert seen["bug"].told == "No such device"
    assert all(seen[name].troubled for name in (gone, "busy", "bug"))
    assert (most, open_now) == (1, [])


def test_nobody_looks_and_no_camera_is_opened() -> None:
    """Whoever leaves the page lets go of all of them."""
    opened: list[str] = []

    def opens(source: str) -> Any:
        opened.append(source)
        raise CameraError("it gives nothing")

    clock = SteppedClock(0.0)
    previews = CameraPreviews(lambda _: [("A camera", "a")], opens, clock=clock)
    previews.seen("", None)
    wait_for(lambda: opened)
    clock.wait(LOOKED_S + 0.1)
    wait_for(lambda: all(thread.name != "previews" for thread in threading.enumerate()))
    count = len(opened)
    previews.seen("", None)
    wait_for(lambda: len(opened) > count)
    previews.close()


@pytest.mark.slow
def test_the_camera_that_watches_is_never_opened_a_second_time(
    exchanged: Exchanged, tmp_path: Path
) -> None:
    """Its own last picture is shown; a fault of it is told in its place."""
    source = film(tmp_path / "one.avi", 60, frames=400)
    exchanged.choose("camera", source)
    watch = exchanged.table.watch
    assert watch is not None
    wait_for(lambda: watch.frame is not None)
    (seen,) = exchanged.table.situation().cameras()
    assert (seen.title, seen.source) == ("one.avi", source)
    assert seen.picture is not None
    exchanged.choose("camera", str(tmp_path / "gone.avi"))
    wait_for(lambda: exchanged.camera.alarm)
    (seen,) = exchanged.table.situation().cameras()
    assert seen.picture is None
    assert seen.told.startswith("Camera not found")


def test_a_device_is_offered_once_by_its_stable_name(tmp_path: Path) -> None:
    """Chosen by another name of it, it keeps that one; without stable names there is the first."""
    folder = tmp_path / "v4l" / "by-id"
    folder.mkdir(parents=True)
    (tmp_path / "video0").touch()
    (tmp_path / "video2").touch()
    assert plugged_in("", tmp_path) == [("USB camera", "usb")]
    one, two = folder / "usb-046d_C270-video-index0", folder / "usb-Cam_HD-video-index0"
    one.symlink_to(tmp_path / "video0")
    two.symlink_to(tmp_path / "video2")
    assert plugged_in("", tmp_path) == [("046d C270", str(one)), ("Cam HD", str(two))]
    assert plugged_in("usb", tmp_path) == [("046d C270", "usb"), ("Cam HD", str(two))]
    node = str(tmp_path / "video2")
    assert plugged_in(node, tmp_path) == [("046d C270", str(one)), ("Cam HD", node)]
    assert plugged_in("picamera", tmp_path, pi_camera=True)[-1] == ("Pi camera", "picamera")


def test_twins_are_offered_by_their_sockets(tmp_path: Path) -> None:
    """Their one name leads to one of them; sockets, which newer systems tell twice, to both.

    The Pi's own nodes have sockets, too, and are no USB cameras.
    """
    by_id, by_path = (tmp_path / "v4l" / kind for kind in ("by-id", "by-path"))
    for folder in (by_id, by_path):
        folder.mkdir(parents=True)
    (by_id / "usb-HD_Camera-video-index0").symlink_to(tmp_path / "video2")
    (by_path / "platform-bcm2835-codec-video-index0").symlink_to(tmp_path / "video10")
    for node, socket in (("video0", "1.1"), ("video2", "1.3")):
        (tmp_path / node).touch()
        for usb in ("usb", "usbv2"):
            link = by_path / f"platform-xhci-{usb}-0:{socket}:1.0-video-index0"
            link.symlink_to(tmp_path / node)
    one, two = (by_path / f"platform-xhci-usb-0:{n}:1.0-video-index0" for n in ("1.1", "1.3"))
    titles = ["USB camera in socket 1.1", "USB camera in socket 1.3"]
    assert plugged_in("", tmp_path) == [*zip(titles, (str(one), str(two)), strict=True)]
    (by_id / "usb-Other-video-index0").symlink_to(tmp_path / "video0")
    assert [title for title, _ in plugged_in("", tmp_path)] == ["HD Camera", "Other"]
