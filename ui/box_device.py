"""The sensor box as a device in the top bar."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from hardware.both_signals import BothSignals
from hardware.box_state import BoxConnection, BoxState
from ui.presenters.common import Device, DeviceState

if TYPE_CHECKING:
    from companion.tracks import Tracks

NAME, LABEL = "BOX", "Sensor box"
BY_HAND = "people tell what the sensors do not: tap as always"
STATES = {
    BoxConnection.ABSENT: DeviceState.ABSENT,
    BoxConnection.FOUND: DeviceState.FOUND,
    BoxConnection.HANDSHAKEN: DeviceState.FOUND,
    BoxConnection.LIVE: DeviceState.LIVE,
    BoxConnection.STALE: DeviceState.STALE,
    BoxConnection.LOST: DeviceState.LOST,
}


def box_devices(signals: object) -> tuple[Device, ...]:
    """The box of these signals, if they have one."""
    return (box_device(signals.box.state()),) if isinstance(signals, BothSignals) else ()


def sense_tracks(signals: object, tracks: Tracks) -> None:
    """Tell a match's tracks how their sensors are; a box that is not live is not relied on."""
    if isinstance(signals, BothSignals):
        state = signals.box.state()
        tracks.sense(state.slots if state.usable else None, counts=state.counts)


def box_device(state: BoxState) -> Device:
    """The box's state with the age of its last word, what is wrong, and what mends it."""
    way_out = state.trouble
    if state.connection in (BoxConnection.LOST, BoxConnection.STALE):
        way_out = ". ".join(filter(None, (state.trouble, BY_HAND)))
    return Device(NAME, STATES[state.connection], state.age_s, LABEL, _text(state), way_out)


def _text(state: BoxState) -> str:
    if state.connection is BoxConnection.ABSENT:
        return "none plugged in"
    words = [str(state.connection)]
    if state.connection is BoxConnection.LIVE and state.error_s is not None:
        words = [f"times within {max(1, math.ceil(state.error_s * 1000))} ms"]
    words += [f"{name} {fault}" for name, fault in state.faults.items()]
    if state.lost_events:
        words.append(f"events lost: {state.lost_events}")
    return ", ".join(words)
