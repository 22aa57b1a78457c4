"""The panel as a device: its state, its age, and what is wrong with it by name."""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.offers import Button
from hardware.panel.debounce import Contact
from hardware.panel.desk import DeskPanel
from hardware.signals.client import Connection, PanelState, SignalClient
from hardware.signals.process import Wanted
from tests.patience import wait_until
from ui.scene.values import DeviceState
from ui.table.settings import Settings
from ui.table.signals import JAMMED, _of_process, signals_device, wanted_process


def test_without_pins_the_screen_counts_alone() -> None:
    device = signals_device(None)
    assert (device.state, device.text) == (DeviceState.ABSENT, "none: the screen counts")
    assert signals_device(DeskPanel()).state is DeviceState.LIVE


@pytest.mark.parametrize("fault", [Contact.STUCK, Contact.CHATTER])
def test_a_jammed_button_is_named_with_what_mends_it(fault: Contact) -> None:
    """It is no live panel, and the key on the screen does the button's work."""
    faults = {Button.CHALLENGE_SECOND: fault}
    device = _of_process(PanelState(Connection.LIVE, "mock", "mock", faults=faults))
    assert device.state is DeviceState.STALE
    assert f"challenge-2 {fault}" in device.text
    assert device.way_out.startswith("challenge-2 ")
    assert "key on the screen" in device.way_out
    assert device.alarm.startswith("button challenge-2 is ")


def test_pretended_pins_are_never_ticked() -> None:
    """Mock pins light no lamp: they are as absent; real ones that answer are live."""
    pretended = _of_process(PanelState(Connection.LIVE, "mock", "mock"))
    assert (pretended.state, pretended.text) == (DeviceState.ABSENT, "not wired (mock)")
    assert "Settings, Pins" in pretended.way_out
    real = _of_process(PanelState(Connection.LIVE, "lgpio", "lgpio"))
    assert (real.state, real.text) == (DeviceState.LIVE, "pins: lgpio")


def test_every_fault_that_a_button_can_have_has_its_words() -> None:
    assert set(JAMMED) == set(Contact) - {Contact.FREED}


def test_the_process_is_wanted_as_the_settings_say() -> None:
    """Pins, loudspeaker and every part's pin reach it."""
    settings = Settings(pins="mock", loudspeaker="never").changed("panel.buzzer", 12)
    wanted = wanted_process(settings)
    assert (wanted.pins, wanted.player, wanted.plan.buzzer) == ("mock", "none", 12)


@pytest.fixture
def client() -> Iterator[SignalClient]:
    folder = Path(tempfile.mkdtemp(prefix="dev-"))
    with SignalClient(Wanted("mock", speaker="none", linger_s=0.5), folder) as client:
        client.connect()
        yield client
    shutil.rmtree(folder, ignore_errors=True)


def test_a_panel_goes_from_live_to_stale_to_lost(client: SignalClient) -> None:
    """Connected means a fresh word, with its age; each loss is another state, with a way out."""
    device = signals_device(client)
    assert (device.state, device.text) == (DeviceState.ABSENT, "not wired (mock)")
    assert device.age_s is not None
    pid = client.state().pid
    os.kill(pid, signal.SIGSTOP)
    wait_until(lambda: signals_device(client).state is DeviceState.STALE)
    stale = signals_device(client)
    assert stale.age_s is not None
    assert stale.age_s >= 3.0
    os.kill(pid, signal.SIGKILL)
    wait_until(lambda: signals_device(client).state is DeviceState.LOST)
    assert "is gone" in signals_device(client).way_out
