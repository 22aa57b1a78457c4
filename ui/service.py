"""Telling systemd that the app is ready and alive, where systemd started it and waits for that.

The protocol is a line on a datagram socket that the environment names.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from contextlib import suppress


class Service:
    """The app as systemd's service; without systemd every word is spoken to nobody.

    `beat` is called with each tick: systemd ends an app whose ticks stop, and starts it anew.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._address = environ.get("NOTIFY_SOCKET", "")
        microseconds = environ.get("WATCHDOG_USEC", "")
        every_s = int(microseconds) / 2e6 if microseconds.isdecimal() else 0.0
        mine = environ.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
        self._beat_s = every_s if self._address and mine else 0.0
        self._beat_at = float("-inf")

    @property
    def is_awaited(self) -> bool:
        """Whether somebody waits for `ready`."""
        return bool(self._address)

    def ready(self, status: str = "") -> None:
        """The window is open."""
        self._say("READY=1", f"STATUS={status}")

    def failing(self, status: str) -> None:
        """It will end soon, and why; `systemctl status` shows it."""
        self._say(f"STATUS={status}")

    def beat(self, now: float) -> None:
        """The app ticks; told twice in the time that systemd waits. `now` in monotonic s."""
        if self._beat_s and now - self._beat_at >= self._beat_s:
            self._beat_at = now
            self._say("WATCHDOG=1")

    def stopping(self) -> None:
        """The app ends by itself."""
        self._say("STOPPING=1")

    def _say(self, *lines: str) -> None:
        if not self._address:
            return
        address = f"\0{self._address[1:]}" if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as plug:
            plug.settimeout(1.0)
            plug.sendto("\n".join(line.replace("\n", " ") for line in lines).encode(), address)


def of_this_process() -> Service:
    """The service of this process; the programs that it starts are none."""
    service = Service(os.environ)
    for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
        os.environ.pop(name, None)
    return service
