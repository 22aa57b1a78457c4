"""LiveFeed: hands what is shown to the server, a process of its own, without ever waiting for it.

The app puts the newest state into a slot; a thread writes it down a pipe. Where the server hangs
the thread hangs with it, and the app does not: what was not sent is replaced by what is newer.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from threading import Condition, Thread
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

from companion.core.errors import BadCall
from ui.live.mqtt import BROKER_IN
from ui.live.shown import LiveClock, LiveView

if TYPE_CHECKING:
    from companion.core.round_clock import RoundClock
    from companion.match.match import Match

USUAL_PORT = 8080
BEAT_S = 5.0
"""With nothing to tell an empty line goes down the pipe: so an ended server is noticed."""
TOP = Path(__file__).parents[2]


def own_address(address: str) -> str:
    """What a phone types for a page that is served at this address; nothing is sent for it.

    >>> own_address("192.168.1.7")
    '192.168.1.7'
    """
    if address not in ("", "0.0.0.0", "::"):  # noqa: S104 - what is compared, not bound
        return address
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        try:
            asked.connect(("192.0.2.1", 9))  # an address that nobody has: it only picks a way out
            found: str = asked.getsockname()[0]
        except OSError:
            return f"{socket.gethostname()}.local"
    return found


def url_of(address: str, port: int) -> str:
    """What a browser opens; an address of IPv6 stands in brackets.

    >>> url_of("table.local", 8080), url_of("fd00::7", 80)
    ('http://table.local:8080/', 'http://[fd00::7]:80/')
    """
    host = f"[{address}]" if ":" in address else address
    return f"http://{host}:{port}/"


def placed(said: str) -> tuple[str, int]:
    """Address and port of a setting such as "0.0.0.0:8080"; BadCall where it is none.

    >>> placed("127.0.0.1:9000"), placed("table.local"), placed("[::1]:80")
    (('127.0.0.1', 9000), ('table.local', 8080), ('::1', 80))
    """
    parts = urlsplit(f"//{said.strip()}")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if not parts.hostname or parts.path or port == -1:
        raise BadCall(f"{said!r} is no place for a live page; write ADDRESS:PORT")
    return parts.hostname, port or USUAL_PORT


class LiveShow:
    """Follows one table: sends what is shown when it has changed, and costs nothing else.

    `place` is where it is served, as the settings have it; `broker` an MQTT broker's address.
    """

    def __init__(self, place: str, broker: str = "") -> None:
        address, port = placed(place)
        self.url = url_of(own_address(address), port)
        self.is_here_alone = address == "localhost" or address.startswith(("127.", "::1"))
        """Whether only browsers of this machine reach it."""
        self._view = LiveView()
        self._told: object = None
        self._feed = LiveFeed("--address", address, "--port", str(port), broker=broker)

    @property
    def trouble(self) -> str:
        """Why nobody is served; empty while all is well."""
        return self._feed.trouble

    def tick(
        self, match: Match[Any] | None, match_id: str, clock: RoundClock | None, now: float
    ) -> None:
        """Look whether anything has changed; call it as often as you like."""
        lines = 0 if match is None else len(match.entries)
        answered = 0 if match is None else len(match.answered)
        told = (id(match), match_id, lines, answered, clock)
        if told == self._told:
            return
        self._told = told
        seen = None
        if clock is not None:
            seen = LiveClock(clock.rest(now), clock.running, clock.total_s)
        self._feed.show(self._view.of(match, match_id, seen))

    def close(self) -> None:
        """End the server."""
        self._feed.close()


class LiveFeed:
    """Starts the server and feeds it; every method returns at once.

    `arguments` are those of `python -m ui.live.server`; the address of a `broker` may have a
    password in it and is handed over in the environment. `trouble` says why nobody is served.
    """

    def __init__(self, *arguments: str, broker: str = "") -> None:
        self.trouble = ""
        self._arguments = arguments
        self._environment = {**os.environ, BROKER_IN: broker}
        self._newest: str | None = None
        self._changed = Condition()
        self._closed = False
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = Thread(target=self._work, name="live-feed", daemon=True)
        self._thread.start()

    def show(self, state: str) -> None:
        """Let everybody see that from now on: one line of JSON."""
        with self._changed:
            self._newest = state
            self._changed.notify()

    @property
    def pid(self) -> int | None:
        """The server's process; None while there is none."""
        return None if self._process is None else self._process.pid

    def close(self, most_s: float = 2.0) -> None:
        """End the server; one that does not end by itself is killed."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        process = self._process
        if process is not None:
            process.terminate()
            try:
                process.wait(most_s)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._thread.join(most_s)

    # -- the thread ------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", "ui.live.server", *self._arguments],
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=TOP,
                env=self._environment,
            )  # fmt: skip
        except OSError as wrong:
            self.trouble = f"the live page cannot be started: {wrong.strerror}"
            return
        assert process.stdin is not None
        assert process.stderr is not None
        said = _LastWord(process.stderr)
        try:
            self._feed(process.stdin)
        except OSError:  # the server is gone
            process.wait()
            self.trouble = said.at_end() or "the live page's server has ended"
        finally:
            with suppress(OSError):
                process.stdin.close()

    def _feed(self, pipe: IO[bytes]) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closed or self._newest is not None, BEAT_S)
                if self._closed:
                    return
                newest, self._newest = self._newest, None
            pipe.write(b"%s\n" % (newest or "").encode())
            pipe.flush()


class _LastWord:
    """Reads what a process says on standard error, for as long as it lives; keeps the last line.

    What nobody read would fill the pipe, and the process would wait for ever to say more.
    """

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream, self._last = stream, b""
        self._thread = Thread(target=self._read, name="live-errors", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with self._stream:
            for line in self._stream:
                self._last = line.strip() or self._last

    def at_end(self, most_s: float = 2.0) -> str:
        """The last line, once the process has ended; empty where it said nothing."""
        self._thread.join(most_s)
        return self._last.decode(errors="replace")
