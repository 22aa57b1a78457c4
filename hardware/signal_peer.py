"""One client of the signal process: what it sends, line by line, and what it is sent.

Nothing here ever waits. A client that does not read is dropped when its socket is full, one that
sends lines without end, or nothing but nonsense, is told why and dropped.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress

from companion.offers import Json
from hardware.signal_protocol import LINE_MAX, write_line

NONSENSE_MAX = 20
"""Bad lines after which a client is dropped: it speaks another language."""


class Peer:
    """A connected client."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(0.0)
        self._connection = connection
        self._received = b""
        self._nonsense = 0
        self.gone = False

    def fileno(self) -> int:
        return self._connection.fileno()

    def lines(self) -> Iterator[bytes]:
        """The whole lines that have come; a part of one waits for its end."""
        try:
            chunk = self._connection.recv(LINE_MAX)
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            chunk = b""
        if not chunk:
            self.drop()
            return
        *whole, self._received = (self._received + chunk).split(b"\n")
        yield from (line for line in whole if line.strip())
        if len(self._received) > LINE_MAX:
            self.refuse(None, f"a line has at most {LINE_MAX} bytes")
            self.drop()

    def send(self, fields: Mapping[str, Json]) -> None:
        """Send a line at once, or drop the client: half a line would be worse than none."""
        self.send_line(write_line(fields))

    def send_line(self, line: bytes) -> None:
        """Send a line that is written already, to many clients at once."""
        if self.gone:
            return
        try:
            sent = self._connection.send(line, socket.MSG_NOSIGNAL)
        except OSError:
            sent = 0
        if sent < len(line):
            self.drop()

    def refuse(self, number: int | None, text: str) -> None:
        """Answer a request with why nothing was done."""
        self.send({"re": number, "refused": text})

    def nonsense(self, number: int | None, text: str) -> None:
        """Answer a line that is no request; too many, and the client is dropped."""
        self._nonsense += 1
        self.refuse(number, text)
        if self._nonsense >= NONSENSE_MAX:
            self.drop()

    def drop(self) -> None:
        """Mark it gone; `close` follows once nobody walks over the clients."""
        self.gone = True

    def close(self) -> None:
        with suppress(OSError):
            self._connection.close()
