"""The port of the box: found by its USB serial number, opened for nobody else.

A port is wanted as "" (whatever looks like a box), a USB serial number, a device's path, or an
address that pyserial opens (`socket://host:port`, `spy:///dev/ttyACM0`).
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast

import serial
from serial.tools import list_ports

from companion.errors import PanelError

PICO = (0x2E8A, 0x0005)
"""Vendor and product of a Pico that runs MicroPython."""

BAUD = 115_200
READ_S = 0.02
WRITE_S = 1.0


class BoxAbsent(PanelError):
    """No such port is there."""


class BoxBusy(PanelError):
    """Another program holds the port."""


class BoxGone(PanelError):
    """The port was open and is no more: the cable was pulled."""


class Port(Protocol):
    """What is needed of an open line."""

    name: str

    def read(self) -> bytes:
        """What has come; empty after a short while without anything. BoxGone at its end."""
        ...

    def write(self, data: bytes) -> None:
        """Send; BoxGone where nobody takes it."""
        ...

    def close(self) -> None:
        """Let go of the line; may be called twice."""
        ...


class SerialPort:
    """A port through pyserial, exclusive to this process."""

    def __init__(self, name: str) -> None:
        self.name = name
        try:
            self._line = serial.serial_for_url(
                name, baudrate=BAUD, timeout=READ_S, write_timeout=WRITE_S, exclusive=True
            )
        except (serial.SerialException, OSError, ValueError) as error:
            raise _why_not(name, error) from error

    def read(self) -> bytes:
        try:
            return bytes(self._line.read(max(1, self._line.in_waiting)))
        except (serial.SerialException, OSError, TypeError, ValueError) as error:
            raise BoxGone(f"{self.name} went away ({_plainly(error)})") from error

    def write(self, data: bytes) -> None:
        try:
            self._line.write(data)
        except (serial.SerialException, OSError, TypeError, ValueError) as error:
            raise BoxGone(f"{self.name} takes nothing ({_plainly(error)})") from error

    def close(self) -> None:
        with suppress(serial.SerialException, OSError):
            self._line.close()


def find_ports(wanted: str) -> list[str]:
    """The ports where the wanted box may be, the likeliest first.

    Error: BoxAbsent, naming what was looked for and what there is.
    """
    protocol, address, _ = wanted.partition("://")
    if address:
        _check_protocol(protocol)
        return [wanted]
    if "/" in wanted:
        if not Path(wanted).exists():
            raise BoxAbsent(f"{wanted} is not there: plug the sensor box in")
        return [wanted]
    found = list(_usb_ports())
    ports = [port for port, number, is_pico in found if (number == wanted if wanted else is_pico)]
    if ports:
        return ports
    there = ", ".join(f"{number} on {port}" for port, number, _ in found) or "none"
    which = f"with the serial number {wanted} " if wanted else ""
    raise BoxAbsent(f"no sensor box {which}is plugged in; USB serial devices: {there}")


def _check_protocol(protocol: str) -> None:
    """BoxAbsent for an address that pyserial has no way to open: trying again brings nothing."""
    if find_spec(f"serial.urlhandler.protocol_{protocol}") is None:
        raise BoxAbsent(
            f"{protocol}:// is no address of a serial line: a box behind a network is "
            "socket://HOST:PORT or rfc2217://HOST:PORT"
        )


def _usb_ports() -> Iterator[tuple[str, str, bool]]:
    """Device, serial number and whether it is a Pico, of every USB serial port."""
    for port in list_ports.comports():
        if port.vid is not None:
            yield port.device, port.serial_number or "?", (port.vid, port.pid) == PICO


def _why_not(name: str, error: Exception) -> PanelError:
    number = _errno(error)
    if number in (errno.EAGAIN, errno.EBUSY) or "exclusively lock" in str(error):
        holder = _holder(name)
        by = f"another program ({holder})" if holder else "another program"
        return BoxBusy(f"{name} is busy by {by}: close it, then Retry")
    if number == errno.ENOENT:
        return BoxAbsent(f"{name} is not there: plug the sensor box in")
    if number in (errno.EACCES, errno.EPERM):
        return PanelError(
            f"{name} may not be opened by this user: `sudo usermod -aG dialout $USER`, then log "
            "in again"
        )
    return PanelError(f"{name} cannot be opened ({_plainly(error)})")


def _errno(error: Exception) -> int | None:
    for one in (error, error.__context__, error.__cause__):
        number = getattr(one, "errno", None)
        if isinstance(number, int):
            return number
    return None


def _plainly(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


def _holder(name: str) -> str:
    """Which process has the device open, as "minicom, process 4242"; empty if nobody can tell."""
    device = os.path.realpath(name)
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            number = link.parts[2]
            if str(link.readlink()) == device and number != str(os.getpid()):
                program = Path("/proc", number, "comm").read_text("utf-8").strip()
                return f"{program}, process {number}"
    return ""


def open_port(name: str) -> Port:
    """Open a port for this process alone.

    Errors: BoxBusy names the other program, BoxAbsent and PanelError the way out.
    """
    return cast("Port", SerialPort(name))
