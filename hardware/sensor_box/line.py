"""The line to the sensor box: found, opened, listened to, and found again after a pulled cable.

One thread owns the port. It ends no program and raises nothing: what is wrong stands in `trouble`.
"""

from __future__ import annotations

import errno
import logging
import os
import secrets
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, cast
from urllib.parse import urlsplit

import serial
from serial.tools import list_ports

from companion.core.errors import BadCall, PanelError
from hardware.firmware.frame import BadFrame
from hardware.sensor_box.clock import BoxTime
from hardware.sensor_box.session import BoxSession, Fields, Inbox, Pending, Told

# The port: found by its USB serial number, opened for nobody else.

PICO = (0x2E8A, 0x0005)
"""Vendor and product of a Pico that runs MicroPython."""

NETWORK = ("socket", "rfc2217")
"""Protocols whose addresses need a port."""

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
            _log.info("%s went away: %s", self.name, _plainly(error))
            raise BoxGone(f"{self.name} went away: look at its plug") from error

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
    if "://" in wanted:
        _check_address(wanted)
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


def _check_address(wanted: str) -> None:
    """BoxAbsent for an address that pyserial has no way to open: trying again brings nothing."""
    protocol = wanted.partition("://")[0]
    needs_port = protocol in NETWORK
    try:
        known = find_spec(f"serial.urlhandler.protocol_{protocol}") is not None
        known = known and not (needs_port and urlsplit(wanted).port is None)
    except (ImportError, ValueError):  # a dot in its name; a port that is no number, or too high
        known = False
    if not known:
        raise BoxAbsent(
            f"{wanted if needs_port else f'{protocol}://'} is no address of a serial line: a box "
            "behind a network is socket://HOST:PORT or rfc2217://HOST:PORT"
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


# The line: the thread that owns the port.

AGAIN_S, LONGEST_S = 0.3, 2.0
"""How often a box that is not there is looked for: at first, and after a while."""

SILENT_S = 6.0
"""A port that gives no valid line for so long is closed and opened again, or the next one tried."""

SHUN_S = 60.0
"""A port that only looks like a box's is left to others for so long: it may be their board."""

PATIENCE_S = 2.0
SILENT = (
    "{} says nothing that a sensor box says: `companion box install` puts its program on a Pico"
)

_log = logging.getLogger(__name__)


class BoxLine:
    """Keeps one session with one box after the other; events and clock outlive each of them.

    `take` gets what was told; `turn` comes at least every 20 ms while a port is open, and each time
    that one is looked for. Both on the line's own thread.
    """

    def __init__(
        self,
        wanted: str,
        opener: Callable[[str], Port],
        clock: Callable[[], float],
        take: Callable[[Told], None],
        turn: Callable[[], None],
    ) -> None:
        self.inbox = Inbox()
        self.time = BoxTime()
        self.session: BoxSession | None = None
        self.port = ""
        self.trouble = ""
        self.heard_at: float | None = None
        self.bad_lines = 0
        self.opened = 0  # how often a port was opened
        self._wanted, self._opener, self._clock = wanted, opener, clock
        self._take, self._turn = take, turn
        self._line: Port | None = None
        self._opened_at = 0.0
        self._silent: dict[str, float] = {}  # ports where no box spoke, and when they were left
        self._wait_s = AGAIN_S
        self._again = threading.Event()
        self._ending = False
        self._talking = threading.RLock()
        self._replied = threading.Condition(self._talking)
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Look for the box on a thread of its own, until `close`."""
        self._thread = threading.Thread(target=self._run, name="sensor box", daemon=True)
        self._thread.start()

    def retry(self) -> None:
        """Look for the box at once instead of in a while, everywhere."""
        self._silent.clear()
        self._wait_s = AGAIN_S
        self._again.set()

    def close(self) -> None:
        """Let go of the port."""
        self._ending = True
        self._again.set()
        if self._thread is not None and threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)
        self._leave("")

    # -- the thread ------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._ending:
            try:
                if self._line is None and not self._open():
                    self._wait()
                else:
                    self._listen()
            except BoxGone as gone:
                self._leave(str(gone))
                self._wait()
            except Exception as error:  # noqa: BLE001 - without this thread nobody hears the box
                _log.exception("the sensor box's line failed; it is opened anew")
                self._leave(f"the line to the sensor box failed ({error}); it is opened anew")
                self._wait()

    def _wait(self) -> None:
        self._pass_on(self._turn)
        self._again.wait(self._wait_s)
        self._again.clear()
        self._wait_s = min(LONGEST_S, 1.5 * self._wait_s)

    def _open(self) -> bool:
        """Open the likeliest port that was not silent just now."""
        try:
            name = self._likeliest(find_ports(self._wanted))
            line = self._opener(name)
        except PanelError as why:
            self.trouble = str(why)
            return False
        with self._talking:
            self._line, self.port = line, name
            self._opened_at = self._clock()
            self.opened += 1
            self.session = BoxSession(secrets.token_hex(4), self.inbox, self.time)
        self._wait_s = AGAIN_S
        return True

    def _likeliest(self, ports: list[str]) -> str:
        """The first port that was not silent of late; one that was asked for by name always is."""
        now = self._clock()
        fresh = [port for port in ports if now >= self._silent.get(port, now - SHUN_S) + SHUN_S]
        if not fresh and not self._wanted:
            raise BoxGone(SILENT.format(", ".join(ports)))
        return (fresh or ports)[0]

    def _listen(self) -> None:
        line, session = self._line, self.session
        assert line is not None
        assert session is not None
        data = line.read()
        with self._talking:
            told = session.receive(data, self._clock()) if data else []
            session.due(self._clock())
            self._flush()
            self._replied.notify_all()
        if session.heard_at is not None:
            self.heard_at, self.trouble = session.heard_at, ""
        for one in told:
            self._pass_on(partial(self._take, one))
        self._pass_on(self._turn)
        self._judge_silence(session)

    def _pass_on(self, tell: Callable[[], None]) -> None:
        try:
            tell()
        except BoxGone:
            raise
        except Exception:  # noqa: BLE001 - a callback may raise anything
            _log.exception(
                "a callback failed on the sensor box's word; the next comes all the same"
            )

    def _judge_silence(self, session: BoxSession) -> None:
        heard_at = self._opened_at if session.heard_at is None else session.heard_at
        if self._clock() - heard_at < SILENT_S:
            return
        if session.heard_at is None:
            self._silent[self.port] = self._clock()
        raise BoxGone(SILENT.format(self.port))

    def _leave(self, why: str) -> None:
        with self._talking:
            line, self._line = self._line, None
            if self.session is not None:
                self.bad_lines += self.session.bad_lines
            self.session, self.port = None, ""
            self.trouble = why or self.trouble
            self._replied.notify_all()
        if line is not None:
            line.close()

    def _flush(self) -> None:
        line, session = self._line, self.session
        if line is None or session is None:
            return
        while session.outgoing:
            line.write(session.outgoing.popleft())

    # -- from any thread -------------------------------------------------------------------

    def ask(self, word: str, fields: Fields) -> Mapping[str, str]:
        """Ask and wait for the reply; PanelError where it is refused or does not come."""
        if threading.current_thread() is self._thread:
            raise BadCall(f"{word} asked from a callback: post it to a thread of your own")
        with self._talking:
            session, pending = self._put(word, fields)
            until = self._clock() + PATIENCE_S
            while (reply := session.settled(pending)) is None:
                if self.session is not session:
                    raise PanelError("the sensor box was unplugged")
                if self._clock() >= until or not self._replied.wait(PATIENCE_S):
                    pending.failed = True
        return reply

    def post(self, word: str, fields: Fields) -> None:
        """Ask and do not wait: for the line's own thread, where a later turn mends what is lost."""
        with self._talking:
            self._put(word, fields, awaited=False)

    def _put(
        self, word: str, fields: Fields, *, awaited: bool = True
    ) -> tuple[BoxSession, Pending]:
        session = self.session
        if session is None or not session.greeted:
            raise PanelError(f"no sensor box answers{f' ({self.trouble})' if self.trouble else ''}")
        try:
            pending = session.ask(word, fields, self._clock(), awaited=awaited)
            self._flush()
        except BadFrame as wrong:
            raise PanelError(f"the sensor box cannot be told to {word}: {wrong}") from wrong
        except BoxGone as gone:
            raise PanelError(f"the sensor box was unplugged ({gone})") from gone
        return session, pending
