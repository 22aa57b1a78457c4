"""Cables: the camera and the sensor box are plugged in late, pulled, and others plugged in."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion.core.board import Pose
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, board_plan
from tests.rig.hands import LAMPS_AT, TITLE_AT, CameraCable, colours, same, says_locked
from tests.rig.machine import Machine, State
from tests.rig.rig import (
    COMPANION,
    LOG,
    RECORD,
    RESUME,
    SETTINGS,
    Rig,
    readable_by_others,
    restarts,
)
from tests.rig.test_round import BOTH_READY, main_process, sounded_to_the_end
from vision.drawing.table import SimulatedTable


def chosen(machine: Machine, camera: str, *others: str) -> None:
    """The app starts anew with this camera, and with other settings as lines of their file."""
    machine.run("systemctl stop companion")
    lines = (f'camera = "{camera}"', *others)
    machine.write(SETTINGS, "".join(f"{line}\n" for line in lines), user="pi")
    machine.run("systemctl start companion; sleep 5")


def test_the_camera_comes_late_goes_and_comes_back(rig: Rig, at_home: State) -> None:
    """Chosen before it is there; the screen says so, and sees it as soon as it is plugged in."""
    machine = rig.at(at_home)
    camera, screen = rig.camera(machine), rig.screen(machine)
    chosen(machine, camera.NODE)
    absent = screen.picture("not-there-yet")
    camera.plug()
    seen = screen.wait_for_change("plugged-in-late", absent, at=LAMPS_AT)
    camera.pull()
    pulled = screen.wait_for_change("pulled", seen, at=LAMPS_AT)
    camera.plug()
    screen.wait_for_change("plugged-in-again", pulled, at=LAMPS_AT)
    screen.wait_for_lamps("another-one", seen)
    rig.keep("companion.log", machine.run(f"cat {LOG}"))
    assert restarts(machine) == "0"
    rig.saw("late, pulled, another: each said on the screen, the app went on")


def test_a_round_goes_on_while_its_camera_is_pulled(rig: Rig, at_ready: State) -> None:
    """The screen says what is missing, the clock and its signs know nothing of it."""
    machine = rig.at(at_ready)
    camera, screen, pins = rig.camera(machine), rig.screen(machine), rig.pins(machine)
    camera.plug()
    chosen(machine, camera.NODE, 'pins = "lgpio"')
    home = screen.picture("home")
    screen.touch(*RESUME)
    screen.wait_for_change("ready", home, at=TITLE_AT)
    pins.watch()
    pins.press(*BOTH_READY)
    machine.run("sleep 3")
    filmed = screen.picture("filmed")
    camera.pull()
    machine.run("sleep 3")
    pulled = screen.picture("pulled")
    assert not same(filmed, pulled)
    camera.plug()
    sounded_to_the_end(rig, machine)
    assert says_locked(screen.wait_for_lamps("locked-with-another-one", filmed))
    assert restarts(machine) == "0"
    rig.keep("companion.log", machine.run(f"cat {LOG}"))
    rig.saw("pulled and another one plugged in while the round ran; all its signs sounded")
    kept = machine.run(f"find {Path(RECORD).parent} -name '*.jpg'").split()
    assert kept, "no picture was kept as evidence"
    assert not readable_by_others(machine)
    rig.saw(f"record, log and {len(kept)} pictures: no other user reads any")


def test_a_sensor_box_is_known_by_its_serial_number(rig: Rig, at_home: State) -> None:
    """Two are there: the app takes the one that its settings name, late and after its cable.

    At first it does not speak: it is told as there, and not relied on.
    """
    machine = rig.at(at_home)
    other, ours = rig.sensor_boxes(machine, "E6614C311B01", "E6614C311B02")
    machine.run("systemctl stop companion")
    machine.write(SETTINGS, f'box = "{ours.serial}"\n', user="pi")
    machine.run("systemctl start companion; sleep 5")
    screen = rig.screen(machine)
    absent = screen.picture("absent")
    other.plug()
    machine.run("sleep 5")
    screen.picture("another-box")
    ours.plug(speaks=False)
    silent = screen.wait_for_change("silent", absent, at=LAMPS_AT)
    rig.keep("by-id.txt", machine.run("ls -l /dev/serial/by-id"))
    ours.speak()
    taken = screen.wait_for_change("taken", silent, at=LAMPS_AT)
    machine.run("sleep 5")
    taken = screen.picture("taken")
    ours.pull()
    screen.wait_for_change("pulled", taken, at=LAMPS_AT)
    ours.plug()
    screen.wait_for_lamps("taken-again", taken)
    assert restarts(machine) == "0"
    rig.saw("silent: said; the app takes the box of this number, late and after its cable")
    for box, holds in ((other, ""), (ours, "companion")):
        said = machine.try_to(f"{COMPANION} box monitor {box.serial} --seconds 20", user="pi")
        rig.keep(f"monitor-{box.serial}.txt", said.out + said.err)
        assert said.status == (1 if holds else 0), said.err
        assert holds in said.err
    rig.saw("the other one is free: `box monitor` hears it")


WAY_TO_THE_CAMERAS = {"settings": (716, 330), "cameras": (75, 220)}
"""The screens from home to the cameras, each with the place whose touch leads to it."""

SECOND_CAMERA = (630, 120)

ONE, OTHER = "usb-Rig_Camera_A1", "usb-Rig_Camera_B2"
SOCKETS = ("platform-rig-usb-0:1:1.0", "platform-rig-usb-0:2:1.0")
"""The names of two cameras at USB, and of their sockets, as udev gives them."""


@pytest.mark.parametrize("are_twins", [False, True], ids=["by-name", "twins"])
def test_of_two_cameras_the_chosen_one_looks(rig: Rig, at_home: State, *, are_twins: bool) -> None:
    """The other one is free, and is not taken in its place; a touch chooses it.

    Twins have one name, which udev gives to either of them: they are told apart by their sockets.
    """
    machine = rig.at(at_home)
    screen = rig.screen(machine)
    one, other = rig.camera(machine), rig.camera(machine, 1)
    names = (ONE, ONE if are_twins else OTHER)
    for camera, name, socket in zip((one, other), names, SOCKETS, strict=True):
        camera.is_called(name, socket)
        camera.plug()
    kind = "by-path" if are_twins else "by-id"
    first, second = SOCKETS if are_twins else (ONE, OTHER)
    rig.keep("names.txt", machine.run("ls -l /dev/v4l/by-id /dev/v4l/by-path"))
    absent = screen.picture("none-chosen")
    chosen(machine, f"/dev/v4l/{kind}/{first}-video-index0")
    films = screen.wait_for_change("one-films", absent, at=LAMPS_AT)
    app = main_process(machine)
    assert one.filmed_by() == {app}
    machine.run(f"v4l2-ctl -d {other.node()} --stream-mmap --stream-count=1 --stream-to=/dev/null")
    rig.saw("the chosen one films, another program films with the other")

    node = one.node()
    one.pull()
    screen.wait_for_change("one-pulled", films, at=LAMPS_AT)
    other.pull()
    other.plug()
    assert other.node() == node, "it has the number that the chosen one had"
    machine.run("sleep 10")
    assert not other.filmed_by()
    screen.picture("other-has-its-number")
    one.plug()
    screen.wait_for_lamps("one-again", films)
    assert one.filmed_by() == {app}
    assert not other.filmed_by()
    rig.saw("pulled: said, and the other is not taken, under its number either; back: it films")

    shown = films
    for name, place in WAY_TO_THE_CAMERAS.items():
        screen.touch(*place)
        shown = screen.wait_for_change(name, shown, at=TITLE_AT, rests=False)
    machine.run("sleep 10")
    screen.picture("both-are-seen")
    screen.touch(*SECOND_CAMERA)
    machine.wait_for(f"grep -q {second} {SETTINGS}")
    machine.run("sleep 10")
    screen.picture("other-is-chosen")
    assert other.filmed_by() == {app}
    assert restarts(machine) == "0"
    rig.keep("companion.log", machine.run(f"cat {LOG}"))
    rig.saw("chosen by three touches, from its picture: the other one films")


@pytest.mark.parametrize("sounds_from", ["pins", "box"])
def test_a_round_goes_on_while_its_box_is_pulled(
    rig: Rig, at_ready: State, sounds_from: str
) -> None:
    """Its signs come from the pins then; the box is taken again by its number.

    One that is to sound stays away until zero: back in the round it would sound itself.
    """
    machine = rig.at(at_ready)
    (box,) = rig.sensor_boxes(machine, "E6614C311B02")
    screen, pins = rig.screen(machine), rig.pins(machine)
    machine.run("systemctl stop companion")
    lines = ('pins = "lgpio"', f'box = "{box.serial}"', f'sounds_from = "{sounds_from}"')
    machine.write(SETTINGS, "".join(f"{line}\n" for line in lines), user="pi")
    machine.run("systemctl start companion; sleep 5")
    absent = screen.picture("home-without-it")
    box.plug()
    screen.wait_for_change("taken", absent, at=LAMPS_AT)
    machine.run("sleep 5")
    home = screen.picture("taken")
    screen.touch(*RESUME)
    screen.wait_for_change("ready", home, at=TITLE_AT)
    pins.watch()
    pins.press(*BOTH_READY)
    machine.run("sleep 2")
    running = screen.picture("running")
    box.pull()
    screen.wait_for_change("pulled", running, at=LAMPS_AT, rests=False)
    if sounds_from == "pins":
        box.plug()
    sounded_to_the_end(rig, machine)
    assert says_locked(screen.picture("locked"))
    if sounds_from == "box":
        box.plug()
    screen.wait_for_lamps("taken-again", running)
    assert rig.jaws_are_ready(machine)
    assert restarts(machine) == "0"
    rig.keep("companion.log", machine.run(f"cat {LOG}"))
    rig.saw("pulled in the round: said, every sign came from the pins; plugged in: taken again")


def test_a_table_is_seen_through_the_cameras_driver(rig: Rig, at_home: State) -> None:
    """A drawn table is held before it: the pieces are found where they stand, as a file tells."""
    machine = rig.at(at_home)
    machine.run("systemctl stop companion")
    table = SimulatedTable(board_plan(), 7, CameraCable.SIZE_PX)
    stand = {JAWS_PLANE: Pose("Jaws.PL"), PAWS_PLANE: Pose("Paws.PC")}
    for piece, pose in stand.items():
        table.place(piece, pose)
    picture = table.read().colour
    assert picture is not None
    cv2.imwrite(str(rig.folder / "drawn.png"), picture)
    camera = rig.camera(machine)
    camera.plug()
    camera.hold_before_it(picture)
    look = f"timeout --signal INT 240 {COMPANION} see {camera.NODE} --json"
    said = machine.try_to(f"{look} | head -n 12", user="pi")  # the first are dark
    rig.keep("seen.jsonl", said.out + said.err)
    seen = [json.loads(line) for line in said.out.splitlines()]
    assert seen, said.err
    found = {one["piece"]: one["space"] for one in seen[-1]["pieces"] if one["state"] == "seen"}
    assert found == {piece: pose.space for piece, pose in stand.items()}
    rig.saw("both planes found on their spaces in pictures from /dev/video0")


def test_a_camera_that_gives_no_frames_is_told(rig: Rig, at_home: State) -> None:
    """It is there and answers, and no picture comes: the screen says so, and sees the first one."""
    machine = rig.at(at_home)
    camera, screen = rig.camera(machine), rig.screen(machine)
    chosen(machine, camera.NODE)
    absent = screen.picture("absent")
    camera.plug()
    films = screen.wait_for_change("films", absent, at=LAMPS_AT)
    camera.gives_frames(yes=False)
    silent = screen.wait_for_change("no-frames", films, at=LAMPS_AT)
    machine.run("systemctl restart companion; sleep 30")
    started = screen.picture("started-without-frames")
    assert colours(started) > 100
    camera.gives_frames(yes=True)
    screen.wait_for_lamps("frames-again", films)
    assert restarts(machine) == "0"
    rig.keep("companion.log", machine.run(f"cat {LOG}"))
    assert not same(films, silent)
    rig.saw("silence is said on the screen, the app starts without frames, and takes them again")
