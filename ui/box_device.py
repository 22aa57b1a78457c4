"""The sensor box as a device in the top bar."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from hardware.sensor_box.sensor_box import BoxConnection, BoxState
from hardware.sensor_box.words import FAULTS, input_named
from hardware.signals.both import BothSignals
from ui.presenters.common import Device, DeviceState

if TYPE_CHECKING:
    from companion.referee.late import Tracks
    from companion.referee.referee import Referee

NAME, LABEL = "BOX", "Sensor box"
BY_HAND = "people tell what the sensors do not: tap as always"
WHOSE = "the match asks whose it is: touch who laid it, or In time"
SAID_TWICE = "no sensor box is plugged in; "
"""Of the port's words what the state says already."""
STATES = {
    BoxConnection.ABSENT: DeviceState.ABSENT,
    BoxConnection.FOUND: DeviceState.FOUND,
    BoxConnection.HANDSHAKEN: DeviceState.FOUND,
    BoxConnection.LIVE: DeviceState.LIVE,
    BoxConnection.STALE: DeviceState.STALE,
    BoxConnection.LOST: DeviceState.LOST,
}

WORDS = {
    BoxConnection.ABSENT: "none plugged in",
    BoxConnection.FOUND: "plugged in, has not answered yet",
    BoxConnection.HANDSHAKEN: "answers, its clock is being measured",
    BoxConnection.LIVE: "live",
    BoxConnection.STALE: "says nothing any more",
    BoxConnection.LOST: "no longer found",
}


def box_devices(signals: object, referee: Referee | None = None) -> tuple[Device, ...]:
    """The box of these signals, if they have one; late cards that wait for a word are its alarm."""
    if not isinstance(signals, BothSignals):
        return ()
    device = box_device(signals.box.state())
    late = referee.tracks.late if referee is not None else ()
    if not late or device.state is DeviceState.LOST:
        return (device,)
    told = "; ".join(f"{card.team} {card.section}: laid {card.after_zero}" for card in late)
    return (replace(device, alarm=told, way_out=WHOSE),)


def sense_tracks(signals: object, tracks: Tracks) -> None:
    """Tell a match's tracks how their sensors are; a box that is not live is not relied on."""
    if isinstance(signals, BothSignals):
        state = signals.box.state()
        tracks.sense(state.slots if state.usable else None, counts=state.counts)


def box_device(state: BoxState) -> Device:
    """The box's state with the age of its last word, what is wrong, and what mends it."""
    way_out = state.trouble.removeprefix(SAID_TWICE)
    if state.connection in (BoxConnection.LOST, BoxConnection.STALE):
        way_out = ". ".join(filter(None, (state.trouble, BY_HAND)))
    shown = STATES[state.connection]
    return Device(NAME, shown, state.age_s, LABEL, _text(state), way_out, _alarm(state))


def _alarm(state: BoxState) -> str:
    """What is worth a banner though the box is not lost."""
    if state.connection is BoxConnection.FOUND and state.trouble and state.firmware:
        return "The sensor box does not fit this companion"
    faults = _faults(state)
    return f"Sensor box: {', '.join(faults)}: look at its plug and wires" if faults else ""


def _text(state: BoxState) -> str:
    words = [WORDS[state.connection]]
    if state.connection is BoxConnection.LIVE and state.error_s is not None:
        words = [f"times within {max(1, math.ceil(state.error_s * 1000))} ms"]
    words += _faults(state)
    if state.lost_events:
        words.append(f"events lost: {state.lost_events}")
    return ", ".join(words)


def _faults(state: BoxState) -> list[str]:
    return [f"{input_named(name)} {FAULTS[fault]}" for name, fault in state.faults.items()]
