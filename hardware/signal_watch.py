"""The app's watch over the signal process: one that dies or hangs is replaced without being asked.

One that could not be started is tried again too: another program may have held its pins. `look` is
called with each tick and never waits: starting a process takes part of a second, so a thread of its
own does it. Between tries that fail it waits longer each time.
"""

from __future__ import annotations

import logging
import threading

from companion.errors import CompanionError, PinsMissing
from hardware.signal_client import Connection, SignalClient

HUNG_S = 5.0
"""A process that says nothing for so long hangs; five beats would have come."""

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
_log = logging.getLogger(__name__)


class SignalWatch:
    """Keeps a signal process alive behind one client; owned by the thread that calls `look`."""

    def __init__(self, client: SignalClient) -> None:
        self._client = client
        self._try_at = 0.0
        self._wait_s = FIRST_WAIT_S
        self._trying: threading.Thread | None = None
        self._hopeless = False  # its library is not installed: trying again changes nothing

    def look(self, now: float) -> None:
        """Start what mends it, if the process is gone or hangs; `now` in monotonic s."""
        if self._trying is not None and self._trying.is_alive():
            return
        state = self._client.state()
        if state.connection is Connection.LIVE:
            self._wait_s = FIRST_WAIT_S
        hung = state.connection is Connection.STALE and state.age_s >= HUNG_S
        gone = state.connection in (Connection.ABSENT, Connection.LOST) and not self._hopeless
        if now < self._try_at or not (hung or gone):
            return
        self._try_at, self._wait_s = now + self._wait_s, min(2 * self._wait_s, LONGEST_WAIT_S)
        self._trying = threading.Thread(
            target=self._mend, args=(hung,), name="signal-watch", daemon=True
        )
        self._trying.start()

    def _mend(self, hung: bool) -> None:  # noqa: FBT001 - a thread's argument
        try:
            if hung:
                self._client.end_hung_process()
            self._client.connect()
        except PinsMissing as missing:
            self._hopeless = True
            _log.warning("%s", missing)
        except CompanionError as failed:
            _log.warning("the signal process could not be replaced: %s", failed)

    def close(self) -> None:
        """Wait for a try that is under way."""
        if self._trying is not None:
            self._trying.join()
