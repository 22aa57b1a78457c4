"""One connection to a signal process: requests with their replies, and a thread that listens."""

from __future__ import annotations

import queue
import socket
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Self

from companion.core.errors import BadCall, PanelError
from companion.core.ruling import Json
from hardware.signals.folder import SignalFolder
from hardware.signals.protocol import (
    LINE_MAX,
    PROTOCOL,
    BadRequest,
    Fields,
    parse_object,
    write_line,
)

REPLY_MAX_S = 2.0
"""A process that answers later than this is stopped or gone."""


class LinkLost(PanelError):
    """The connection ended; the process died, or dropped a client that did not read."""


@dataclass(frozen=True, slots=True)
class ProcessHello:
    """How a signal process introduces itself; `seq` is the number of its latest event.

    `panel` is its word on the panel, the same that comes with each beat.
    """

    pid: int
    boot: str
    pins: str
    plan: Mapping[str, Json]
    real_time: bool
    in_memory: bool
    note: str
    seq: int
    panel: Mapping[str, Json]
    program: str = ""
    """Where its program lies; empty where it is too old to say so."""

    @classmethod
    def read(cls, line: bytes) -> Self:
        """The hello of a line; PanelError where the process turns us away or speaks otherwise."""
        try:
            greeting = parse_object(line)
            if isinstance(refused := greeting.get("refused"), str):
                raise PanelError(refused)
            hello, panel = greeting.get("hello"), greeting.get("state")
            hello = hello if isinstance(hello, dict) else {}
            fields, plan = Fields(hello), hello.get("plan")
            protocol, pid = fields.whole("protocol", 0, 2**31), fields.whole("pid", 0, 2**31)
            if protocol != PROTOCOL:
                raise PanelError(
                    f"the signal process {pid} speaks protocol {protocol}, this program "
                    f"{PROTOCOL}: one of them is of an older release; end it with `kill {pid}`"
                )
            return cls(
                pid,
                fields.text("boot"),
                fields.text("pins"),
                plan if isinstance(plan, dict) else {},
                fields.flag("real_time"),
                fields.flag("in_memory"),
                fields.text("note", LINE_MAX),
                fields.whole("seq", 0, 2**53),
                panel if isinstance(panel, dict) else {},
                str(hello.get("program", "")),
            )
        except BadRequest as error:
            raise PanelError(f"what answers on the socket is no signal process: {error}") from None


class SignalLink:
    """A living connection. `on_line` gets every unasked line, on the listening thread."""

    def __init__(
        self,
        connection: socket.socket,
        on_line: Callable[[SignalLink, Mapping[str, Json]], None],
        on_lost: Callable[[SignalLink], None],
    ) -> None:
        self._connection = connection
        self._on_line = on_line
        self._on_lost = on_lost
        self._numbers = count(1)
        self._replies: queue.SimpleQueue[Mapping[str, Json] | None] = queue.SimpleQueue()
        self._asking = threading.Lock()
        self._lines = connection.makefile("rb")
        self.alive = True
        try:
            connection.settimeout(REPLY_MAX_S)
            self.hello = ProcessHello.read(self._lines.readline())
            connection.settimeout(None)
        except (OSError, PanelError) as error:
            self._close_socket()
            if isinstance(error, PanelError):
                raise
            raise LinkLost(f"the signal process did not greet: {error}") from error
        self._listener = threading.Thread(target=self._listen, name="signals", daemon=True)
        self._listener.start()

    def ask(self, op: str, fields: Mapping[str, Json] | None = None) -> Mapping[str, Json]:
        """Send a request and wait for its reply.

        Errors: PanelError with the process's words where it refuses, LinkLost where it does not
        answer, BadCall from a callback (its thread is the one that would hear the reply).
        """
        if threading.current_thread() is self._listener:
            raise BadCall(f"{op} asked from a callback: post it to a thread of your own")
        with self._asking:
            number = next(self._numbers)
            self._send(write_line({"id": number, "op": op, **(fields or {})}))
            reply = self._reply_to(number)
        refused, ok = reply.get("refused"), reply.get("ok")
        if refused is not None:
            raise PanelError(str(refused))
        return ok if isinstance(ok, dict) else {}

    def _send(self, line: bytes) -> None:
        try:
            self._connection.sendall(line)
        except OSError as error:
            raise LinkLost(f"the signal process is gone ({error})") from error

    def _reply_to(self, number: int) -> Mapping[str, Json]:
        while True:
            try:
                reply = self._replies.get(timeout=REPLY_MAX_S)
            except queue.Empty:
                self.hang_up()
                raise LinkLost(
                    f"the signal process {self.hello.pid} has not answered for {REPLY_MAX_S:g} s"
                ) from None
            if reply is None:
                self._replies.put(None)  # for whoever asks next
                raise LinkLost(f"the signal process {self.hello.pid} is gone")
            if reply.get("re") in (number, None):
                return reply

    def _listen(self) -> None:
        with suppress(OSError, ValueError):  # ValueError: closed while it was read
            for line in self._lines:
                with suppress(BadRequest):
                    self._take(parse_object(line))
        self.alive = False
        self._replies.put(None)
        self._on_lost(self)
        self._close_socket()

    def _take(self, fields: Mapping[str, Json]) -> None:
        if "re" in fields:
            self._replies.put(fields)
        else:
            self._on_line(self, fields)

    def close(self) -> None:
        """End the connection, and wait for the listening thread, which ends with it."""
        self.hang_up()
        if self._listener.is_alive() and threading.current_thread() is not self._listener:
            self._listener.join(REPLY_MAX_S)

    def hang_up(self) -> None:
        """End the connection without waiting for anybody."""
        self.alive = False
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def _close_socket(self) -> None:
        with suppress(OSError):
            self._lines.close()
        self._connection.close()


def connect(
    folder: SignalFolder,
    on_line: Callable[[SignalLink, Mapping[str, Json]], None],
    on_lost: Callable[[SignalLink], None],
) -> SignalLink | None:
    """A connection to the process that serves `folder`; None where none does."""
    until = time.monotonic() + REPLY_MAX_S
    while True:
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.settimeout(REPLY_MAX_S)
        try:
            connection.connect(str(folder.socket))
        except BlockingIOError:  # so many knock at once that one more must wait
            connection.close()
            if time.monotonic() > until:
                raise LinkLost(f"{folder.socket} is served but lets nobody in") from None
            time.sleep(0.02)
        except OSError:
            connection.close()
            return None
        else:
            return SignalLink(connection, on_line, on_lost)
