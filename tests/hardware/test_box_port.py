"""Where the box is: found by its USB serial number; and why a port cannot be had."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
import serial
from serial.tools.list_ports_common import ListPortInfo

from companion.core.errors import PanelError
from hardware.sensor_box.line import (
    PICO,
    BoxAbsent,
    BoxBusy,
    BoxGone,
    Port,
    find_ports,
    open_port,
)
from hardware.sensor_box.sensor_box import SensorBox
from tests.patience import wait_until


def usb(device: str, number: str | None, kind: tuple[int, int] = PICO) -> ListPortInfo:
    """A USB serial port as pyserial lists it."""
    port = ListPortInfo(device, skip_link_detection=True)
    port.vid, port.pid = kind
    port.serial_number = number
    return port


@pytest.fixture
def plugged_in(monkeypatch: pytest.MonkeyPatch) -> list[ListPortInfo]:
    """The serial ports of this machine: two Picos, a score board, one that is no USB device."""
    ports = [
        ListPortInfo("/dev/ttyS0", skip_link_detection=True),
        usb("/dev/ttyUSB0", "SCORE1", (0x0403, 0x6001)),
        usb("/dev/ttyACM0", "E661"),
        usb("/dev/ttyACM1", "E662"),
    ]
    monkeypatch.setattr("hardware.sensor_box.line.list_ports.comports", lambda: ports)
    return ports


def test_a_box_is_found_by_its_serial_number(plugged_in: list[ListPortInfo]) -> None:
    """Whatever name the system gave it this time."""
    assert find_ports("E662") == ["/dev/ttyACM1"]
    plugged_in[3].device = "/dev/ttyACM7"
    assert find_ports("E662") == ["/dev/ttyACM7"]
    assert find_ports("SCORE1") == ["/dev/ttyUSB0"]


def test_without_a_number_whatever_looks_like_a_box_is_tried(
    plugged_in: list[ListPortInfo],
) -> None:
    """Picos, and nothing else that may be plugged in."""
    assert find_ports("") == ["/dev/ttyACM0", "/dev/ttyACM1"]


def test_a_box_that_is_not_there_is_named_with_what_is(plugged_in: list[ListPortInfo]) -> None:
    """The number that was looked for, and those there are."""
    with pytest.raises(BoxAbsent, match="serial number E999 is plugged in") as absent:
        find_ports("E999")
    assert "SCORE1 on /dev/ttyUSB0, E661 on /dev/ttyACM0" in str(absent.value)
    plugged_in.clear()
    with pytest.raises(BoxAbsent, match="no sensor box is plugged in; USB serial devices: none"):
        find_ports("")


def test_addresses_and_paths_are_taken_as_they_are(tmp_path: Path) -> None:
    """A path must be there; an address is for pyserial to judge."""
    assert find_ports("socket://table:4000") == ["socket://table:4000"]
    (tmp_path / "box").write_text("", "ascii")
    assert find_ports(str(tmp_path / "box")) == [str(tmp_path / "box")]
    with pytest.raises(BoxAbsent, match="is not there: plug the sensor box in"):
        find_ports(str(tmp_path / "none"))


@pytest.mark.parametrize("wanted", ["tcp://table:4000", "http://table", "no such://x"])
def test_an_address_that_nothing_opens_is_refused_at_once(wanted: str) -> None:
    """Nobody tries it for ever: the kinds that there are for a box behind a network are named."""
    with pytest.raises(BoxAbsent, match=r"socket://HOST:PORT or rfc2217://HOST:PORT"):
        find_ports(wanted)


@pytest.mark.parametrize(
    ("error", "kind", "said"),
    [
        (serial.SerialException(errno.EAGAIN, "Could not exclusively lock port"), BoxBusy,
         "is busy by another program"),
        (serial.SerialException(errno.EBUSY, "busy"), BoxBusy, "is busy by another program"),
        (serial.SerialException(errno.ENOENT, "no such file"), BoxAbsent, "is not there"),
        (serial.SerialException(errno.EACCES, "denied"), PanelError, "usermod -aG dialout"),
        (serial.SerialException("a fault\nof two lines"), PanelError, r"opened \(a fault\)"),
        (ValueError("invalid URL, protocol 'x' not known"), PanelError, "protocol 'x' not known"),
    ],
)  # fmt: skip
def test_why_a_port_cannot_be_opened_is_said(
    error: Exception, kind: type[PanelError], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the way out, not with the library's own words."""

    def refuse(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("hardware.sensor_box.line.serial.serial_for_url", refuse)
    with pytest.raises(kind, match=said):
        open_port("/dev/ttyACM0")


def test_a_file_is_no_port(tmp_path: Path) -> None:
    """Somebody names what is no serial line at all."""
    (tmp_path / "notes.txt").write_text("x", "ascii")
    with pytest.raises(PanelError, match="cannot be opened"):
        open_port(str(tmp_path / "notes.txt"))


def test_a_line_over_the_network_is_a_line() -> None:
    """The library's own loop: what is sent comes back."""
    port = open_port("loop://")
    port.write(b"~1 hello\n")
    assert port.read() == b"~1 hello\n"
    port.close()
    port.close()


def test_a_line_that_ends_is_told_in_our_own_words() -> None:
    """Its cable is pulled: what the library thinks of that is for the log, not for the screen."""
    ours, theirs = os.openpty()
    port = open_port(os.ttyname(theirs))
    os.close(ours)
    os.close(theirs)
    with pytest.raises(BoxGone) as gone:
        port.read()
    assert str(gone.value) == f"{port.name} went away: look at its plug"
    port.close()


@pytest.mark.parametrize(
    "typed", ["a.b://box", "://", "tcp://box:1", "socket://", "socket://box", "socket://box:99999"]
)
def test_an_address_that_cannot_be_one_is_told_with_those_that_can(typed: str) -> None:
    """Whatever is typed in its place."""
    with pytest.raises(BoxAbsent, match=r"is no address of a serial line: .* socket://HOST:PORT"):
        find_ports(typed)


def test_whatever_opening_raises_the_line_goes_on_looking() -> None:
    """It is told as trouble; without its thread nobody would hear the box again."""
    tries: list[str] = []

    def opened(name: str) -> Port:
        tries.append(name)
        raise RuntimeError("a driver's own bug")

    box = SensorBox("loop://", opener=opened)
    with box:
        box.retry()
        wait_until(lambda: len(tries) > 1)
        assert "a driver's own bug" in box.state().trouble
