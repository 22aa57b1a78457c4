"""Lamps, buzzer and buttons as a device in the top bar."""

from __future__ import annotations

from hardware.panel.debounce import Fault
from hardware.panel.desk import DeskPanel
from hardware.signals.client import Connection, PanelState, SignalClient
from hardware.signals.process import Wanted
from ui.presenters.common import Device, DeviceState
from ui.settings import Settings

LABEL = "Lamps, buzzer"
PRETENDED = "mock"
"""The pin factory that moves nothing: no lamp shines, so no tick may say that one does."""
WIRING = "Screen and loudspeaker tell the time; Settings, Pins."
STATES = {
    Connection.ABSENT: DeviceState.ABSENT,
    Connection.LIVE: DeviceState.LIVE,
    Connection.STALE: DeviceState.STALE,
    Connection.LOST: DeviceState.LOST,
}

JAMMED = {
    Fault.STUCK: "{0} is held down all the time: free it, or mend its wire; its key on the screen "
    "does the same",
    Fault.CHATTER: "{0} catches noise: look for a loose wire; its key on the screen does the same",
}
"""What mends a button, and what does its work meanwhile."""

NAMES = {Fault.STUCK: "stuck", Fault.CHATTER: "noisy"}


def wanted_process(settings: Settings) -> Wanted:
    """The signal process as the table's settings want it."""
    return Wanted(settings.pins, settings.player, plan=settings.panel.plan)


def signals_device(signals: SignalClient | DeskPanel | None) -> Device:
    """The panel's state, its pin factory by name and what is wrong with it."""
    if isinstance(signals, SignalClient):
        return _of_process(signals.state())
    if signals is None:
        text = "none: the screen counts"
        return Device("PINS", DeviceState.ABSENT, None, LABEL, text, "Settings, Pins.")
    return Device("PINS", DeviceState.LIVE, 0.0, LABEL, "on the screen alone")


def _of_process(state: PanelState) -> Device:
    pretended = state.pins == PRETENDED
    words = ["not wired (mock)" if pretended else f"pins: {state.pins}"]
    if state.wanted_pins != state.pins:
        words.append(f"wanted: {state.wanted_pins}")
    words += [f"{button} {fault}" for button, fault in state.faults.items()]
    shown = STATES[state.connection]
    if shown is DeviceState.LIVE and (state.trouble or state.faults):
        shown = DeviceState.STALE
    if shown is DeviceState.LIVE and pretended:
        shown = DeviceState.ABSENT
    age = state.age_s if state.connection in (Connection.LIVE, Connection.STALE) else None
    jammed = "; ".join(JAMMED[fault].format(button) for button, fault in state.faults.items())
    alarm = ", ".join(
        f"button {button} is {NAMES[fault]}" for button, fault in state.faults.items()
    )
    way_out = state.trouble or jammed or (WIRING if pretended else "")
    return Device("PINS", shown, age, LABEL, ", ".join(words), way_out, alarm)
