"""The sensor box in the list of devices: its state, its age, what is wrong and what mends it."""

from __future__ import annotations

import pytest

from hardware.sensor_box.line import BoxAbsent, find_ports
from hardware.sensor_box.sensor_box import BoxConnection, BoxState
from ui.scene.values import DeviceState
from ui.table.signals import BY_HAND, box_device, box_devices


@pytest.mark.parametrize(
    ("state", "shown", "text", "way_out"),
    [
        (BoxState(BoxConnection.ABSENT, trouble="plug it in"), DeviceState.ABSENT,
         "none plugged in", "plug it in"),
        (BoxState(BoxConnection.FOUND, trouble="run `companion box install`"), DeviceState.FOUND,
         "plugged in, has not answered yet", "run `companion box install`"),
        (BoxState(BoxConnection.HANDSHAKEN, 0.1), DeviceState.FOUND,
         "answers, its clock is being measured", ""),
        (BoxState(BoxConnection.LIVE, 0.1, error_s=0.0012), DeviceState.LIVE,
         "times within 2 ms", ""),
        (BoxState(BoxConnection.LIVE, 0.1, error_s=0.0003, faults={"1.3": "chatter"},
                  lost_events=2), DeviceState.LIVE,
         "times within 1 ms, track 1 section 3 flickers, events lost: 2", ""),
        (BoxState(BoxConnection.STALE, 3.0), DeviceState.STALE, "says nothing any more", BY_HAND),
        (BoxState(BoxConnection.LOST, 9.0, trouble="it was unplugged"), DeviceState.LOST,
         "no longer found", f"It was unplugged. {BY_HAND}"),
    ],
)  # fmt: skip
def test_each_state_has_its_words(
    state: BoxState, shown: DeviceState, text: str, way_out: str
) -> None:
    """A tick for a fresh valid word alone; whatever is lost, people may tell by hand at once."""
    device = box_device(state)
    assert (device.name, device.label) == ("BOX", "Sensor box")
    assert (device.state, device.text, device.way_out) == (shown, text, way_out)
    assert device.age_s == state.age_s


def test_what_is_wrong_with_a_box_that_is_there_is_loud() -> None:
    """A box that does not fit, and an input that jams, are named over the screen's body."""
    other = BoxState(BoxConnection.FOUND, 0.1, firmware="9.0", trouble="speaks protocol 9")
    assert box_device(other).alarm == "The sensor box does not fit this companion"
    jammed = BoxState(BoxConnection.LIVE, 0.1, error_s=0.001, faults={"ready-1": "stuck"})
    said = "Sensor box: ready button 1 is stuck: look at its plug and wires"
    assert box_device(jammed).alarm == said
    assert box_device(BoxState(BoxConnection.FOUND)).alarm == ""


def test_a_table_without_a_box_shows_none() -> None:
    """Nobody misses what was never wanted."""
    assert box_devices(None) == ()


def test_that_no_box_is_there_is_said_once() -> None:
    """What the port says of it adds which devices there are, and repeats nothing."""
    trouble = "no sensor box is plugged in; USB serial devices: none"
    device = box_device(BoxState(BoxConnection.ABSENT, trouble=trouble))
    assert (device.text, device.way_out) == ("none plugged in", "USB serial devices: none")


def test_that_the_chosen_box_is_missing_is_not_told_as_none_there() -> None:
    """Another one is plugged in: the home screen may not call that none."""
    with pytest.raises(BoxAbsent) as absent:
        find_ports("no-such-number")
    device = box_device(BoxState(BoxConnection.ABSENT, trouble=str(absent.value)))
    assert device.text == "the chosen one is not plugged in"
    assert "no-such-number" in device.way_out


@pytest.mark.parametrize("wanted", ["", "no-such-number"])
def test_a_cable_that_was_pulled_is_to_be_plugged_in_again(wanted: str) -> None:
    """What a banner and the foot of home have room for; `companion doctor` names the devices."""
    with pytest.raises(BoxAbsent) as absent:
        find_ports(wanted)
    device = box_device(BoxState(BoxConnection.LOST, 9.0, trouble=str(absent.value)))
    assert device.way_out == f"Plug it in again. {BY_HAND}"
    assert device.text == "no longer found"
