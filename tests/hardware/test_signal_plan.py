"""The process drives the pins that are wanted: its plan comes with it, and changes with another."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from companion.core.offers import Button
from hardware.panel.pins import PINS, PinPlan
from hardware.signals.client import SignalClient
from hardware.signals.process import Wanted
from tests.patience import PATIENCE_S

NewClient = Callable[[PinPlan], SignalClient]

WITHOUT = replace(PINS, button_ready_1=None, lamp_ten=21)


@pytest.fixture
def planned(socket_folder: Path) -> Iterator[NewClient]:
    """Makes clients that want a plan; each is closed at the test's end."""
    made: list[SignalClient] = []

    def make(plan: PinPlan) -> SignalClient:
        wanted = Wanted("mock", speaker="none", linger_s=PATIENCE_S, plan=plan)
        made.append(SignalClient(wanted, socket_folder))
        made[-1].connect()
        return made[-1]

    yield make
    for client in made:
        client.close()


def test_the_process_drives_the_wanted_pins(planned: NewClient) -> None:
    """A part that the settings leave out is not there, in the process too."""
    client = planned(WITHOUT)
    with pytest.raises(PanelError, match="no pin is wired for ready-1"):
        client.push(Button.READY_FIRST)
    client.push(Button.READY_SECOND)


def test_other_pins_are_taken_when_nobody_needs_the_old_ones(planned: NewClient) -> None:
    """The settings were changed and the app started anew: no process of the old plan stays."""
    before = planned(PINS)
    pid = before.state().pid
    before.close()
    client = planned(WITHOUT)
    assert client.state().pid != pid
    assert client.state().trouble is None


def test_the_process_of_another_release_goes_when_nobody_needs_it(
    planned: NewClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an update the buzzer is the new program's too; a running round keeps the old one."""
    before = planned(PINS)
    pid = before.state().pid
    before.arm("round-1", time.monotonic() + 60.0, (), 60.0)
    before.close()
    monkeypatch.setattr("hardware.signals.session.PROGRAM", "/home/pi/releases/0.2.0")
    in_its_round = planned(PINS)
    assert in_its_round.state().pid == pid
    in_its_round.stop()
    in_its_round.close()
    assert planned(PINS).state().pid != pid


def test_a_round_that_runs_keeps_its_pins_and_it_is_said(planned: NewClient) -> None:
    """Nobody's deadline is taken away for another plan."""
    before = planned(PINS)
    before.arm("round-1", time.monotonic() + PATIENCE_S, (), PATIENCE_S)
    before.close()
    client = planned(WITHOUT)
    assert "former pin numbers until its round ends" in (client.state().trouble or "")
    client.stop()


@pytest.mark.parametrize("plan", ["{", "[]", '{"buzzer": 22}', '{"buzzer": 99}', '{"horn": 1}'])
def test_a_bad_plan_starts_nothing(socket_folder: Path, plan: str) -> None:
    """Said in one line, with the part that is wrong; nothing listens afterwards."""
    command = [sys.executable, "-m", "hardware.signals.process", "--pins", "mock"]
    done = subprocess.run(
        [*command, "--folder", str(socket_folder), "--plan", plan],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 2
    assert '"failed":"panel"' in done.stdout
    assert not (socket_folder / "signal.sock").exists()


@pytest.mark.parametrize(
    ("wanted", "player"),
    [
        (Wanted("lgpio"), "none"),
        (Wanted("mock"), "auto"),
        (Wanted("lgpio", plan=replace(PINS, buzzer=None)), "auto"),
        (Wanted("lgpio", speaker="aplay"), "aplay"),
    ],
)
def test_by_default_one_thing_sounds(wanted: Wanted, player: str) -> None:
    """The buzzer where there is one, else the loudspeaker (field notes, 7)."""
    assert wanted.player == player
