"""What the screens say of a camera in trouble: the banner, the list, the way out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.match.rulebook import Setup
from ui.scene.scene import Situation, lost_device
from ui.scene.values import Device, DeviceState, Line, Mark
from ui.screens.beside.lists import device_lines, present_devices
from ui.table.camera_watch import (
    WORDS,
    lies_over_edge,
    moved_boards,
    never_at_rest,
    resting_hand,
    troubled_camera,
)
from ui.table.table import coarse
from ui.touch import actions as a
from ui.touch.view import View
from vision.camera.source import CameraFault, Trouble

PINS = Device("PINS", DeviceState.LIVE, 0.1, "Pins", "mock")
BANNER_CHARACTERS = 46
"""As many fit beside the longest title on the smallest screen."""


def shown(camera: Device) -> Situation:
    return Situation(1000.0, devices=(PINS, camera))


def line(camera: Device) -> Line:
    (found,) = (one for one in present_devices(shown(camera), View()).lines if one.name == "Camera")
    return found


@pytest.mark.parametrize("fault", list(CameraFault))
def test_every_fault_has_words_a_way_out_and_a_retry(fault: CameraFault) -> None:
    """In the banner and in the list; red where nothing is read any more."""
    state = DeviceState.LOST if fault.blinds else DeviceState.LIVE
    camera = troubled_camera(state, 2.0, Trouble(fault, "detail"))
    banner = lost_device(shown(camera))
    assert banner is not None
    assert banner.text.startswith(WORDS[fault].alarm)
    assert banner.mark is (Mark.BAD if fault.blinds else Mark.WARN)
    assert banner.way_out == WORDS[fault].way_out
    assert banner.key is not None
    assert max(len(banner.text), len(banner.way_out)) <= BANNER_CHARACTERS
    told = line(camera)
    assert told.mark is banner.mark
    assert f"{WORDS[fault].alarm}: detail. {WORDS[fault].way_out}" == told.value
    assert told.key is not None


def test_a_camera_that_is_well_says_nothing() -> None:
    """No banner, a tick, no Retry."""
    camera = Device("CAM", DeviceState.LIVE, 0.1, "Camera", "settled, 6 boards seen")
    assert lost_device(shown(camera)) is None
    assert (line(camera).mark, line(camera).key) == (Mark.OK, None)


def test_a_chosen_camera_that_is_not_there_is_named_from_the_start() -> None:
    """Nothing was lost, so the table check goes on people's word; the banner says why."""
    camera = troubled_camera(DeviceState.ABSENT, None, Trouble(CameraFault.BUSY, "held by cheese"))
    banner = lost_device(shown(camera))
    assert banner is not None
    assert (banner.text, banner.mark) == ("Camera in use", Mark.WARN)


@pytest.mark.parametrize(
    "camera",
    [
        resting_hand(0.1, 61.0),
        moved_boards(0.1, "A was moved (9 mm): it is followed"),
        never_at_rest(0.1, 12.0, grainy=True),
        never_at_rest(0.1, 12.0, grainy=False),
        lies_over_edge(0.1),
    ],
)
def test_what_is_no_fault_is_a_warning(camera: Device) -> None:
    """Said in the banner, while the camera stays live."""
    banner = lost_device(shown(camera))
    assert banner is not None
    assert banner.mark is Mark.WARN
    assert max(len(banner.text), len(banner.way_out)) <= BANNER_CHARACTERS
    assert line(camera).mark is Mark.WARN


def test_the_lost_come_before_the_warned() -> None:
    """One banner: the worst."""
    camera = resting_hand(0.1, 61.0)
    pins = Device("PINS", DeviceState.LOST, 4.0, "Pins", "gone", "Plug the hat in.")
    banner = lost_device(Situation(1000.0, devices=(camera, pins)))
    assert banner is not None
    assert banner.text == "Pins lost 4 s ago"


@pytest.mark.parametrize("panel", [None, a.Panel.DEVICES, a.Panel.SETTINGS, a.Panel.NEW_MATCH])
def test_a_screen_that_stands_still_is_the_same_a_second_later(person: Any, panel: Any) -> None:
    """Nothing is drawn for an age alone: what is fresh has none."""
    before = person.touch(a.Show(panel)) if panel is not None else person.state
    for seconds in (0.1, 0.9, 0.7):
        person.clock.wait(seconds)
        person.table.tick()
        assert person.state == before


def test_a_table_check_that_stands_still_is_the_same_a_second_later(person: Any) -> None:
    """Pieces that lie where they lay have no age of their own: the camera's picture has."""
    person.table.new_match(Setup("jaws-and-paws"))
    before = person.see({"jaws": "Paws.PC", "paws": "Jaws.PC"})
    assert before.lines
    for seconds in (0.3, 1.4, 30.0):
        assert person.wait(seconds) == before


def test_an_old_picture_says_how_old_in_whole_seconds() -> None:
    """From two seconds on, and coarser the older it is."""
    device = Device("CAM", DeviceState.STALE, None, "Camera", "settled")
    told = [
        device_lines(Situation(0.0, devices=(coarse(replace(device, age_s=age_s)),)))[0].right
        for age_s in (0.4, 1.99, 2.0, 3.7, 14.0, 59.0, 200.0)
    ]
    assert told == ["", "", "2 s", "3 s", "10 s", "50 s", "3 min"]
