"""The port of the sensor box behind a pseudo-terminal: absent, silent, in use, of another kind."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from companion.core.errors import PanelError
from hardware.sensor_box.line import SILENT_S, BoxBusy, SerialPort
from hardware.sensor_box.sensor_box import STALE_S, BoxConnection, SensorBox
from hardware.sensor_box.simulated import SimulatedBox
from tests.patience import wait_until

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "box"


def test_a_box_goes_through_its_states(link: Path) -> None:
    """Absent, live, lost, live again: the age of its last word with each."""
    with SensorBox(str(link)) as box:
        assert box.state().connection is BoxConnection.ABSENT
        assert box.state().age_s is None
        wait_until(lambda: "not there" in box.state().trouble, box.state)
        with SimulatedBox(link):
            wait_until(lambda: box.state().usable)
            state = box.state()
            assert state.age_s is not None
            assert (state.port, state.board, state.trouble) == (str(link), "SIMULATED0000001", "")
        wait_until(lambda: box.state().connection is BoxConnection.LOST)
        assert box.state().trouble
        with SimulatedBox(link):
            wait_until(lambda: box.state().usable)


def test_a_port_in_use_is_named_with_its_user(link: Path) -> None:
    """Busy by another program, and which: not a silent sharing of half the lines."""
    with SimulatedBox(link):
        other = SerialPort(str(link))
        try:
            with pytest.raises(BoxBusy, match="is busy by another program"):
                SerialPort(str(link))
        finally:
            other.close()
        SerialPort(str(link)).close()


def test_a_silent_port_is_found_and_no_box(link: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something is plugged in that says nothing a box says."""
    monkeypatch.setattr("hardware.sensor_box.line.SILENT_S", 0.4)
    master, slave = os.openpty()
    link.symlink_to(os.ttyname(slave))
    with SensorBox(str(link)) as box:
        seen = set[BoxConnection]()

        def is_silent() -> bool:
            seen.add(box.state().connection)
            return "says nothing that a sensor box says" in box.state().trouble

        wait_until(is_silent)
        assert BoxConnection.FOUND in seen
    os.close(master)
    os.close(slave)
    assert SILENT_S > STALE_S


def test_a_board_that_is_no_box_is_left_to_others(
    link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where any Pico is taken for a box, one that does not speak as one is let go, until Retry."""
    monkeypatch.setattr("hardware.sensor_box.line.SILENT_S", 0.3)
    monkeypatch.setattr("hardware.sensor_box.line.find_ports", lambda _: [str(link)])
    master, slave = os.openpty()
    link.symlink_to(os.ttyname(slave))
    with SensorBox("") as box:
        wait_until(lambda: "says nothing that a sensor box says" in box.state().trouble, box.state)
        time.sleep(0.6)
        assert box._line.opened == 1
        SerialPort(str(link)).close()  # another program may have it
        box.retry()
        wait_until(lambda: box._line.opened == 2)
    os.close(master)
    os.close(slave)


def test_another_protocol_is_named_with_the_mend(
    link: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Found, never live; `companion box install` is the way out."""
    monkeypatch.setattr("hardware.firmware.box.PROTOCOL", 2)
    with SimulatedBox(link), SensorBox(str(link)) as box:
        wait_until(lambda: "companion box install" in box.state().trouble, box.state)
        assert box.state().connection is BoxConnection.FOUND
        assert "protocol 2, newer than" in box.state().trouble
        with pytest.raises(PanelError):
            box.sound("start")
