"""A client's tie to whichever signal process serves: started where none does, remade when it tears.

Events come in order and none twice, those included that were missed between two connections to the
same process.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache

from companion.core.errors import PanelError
from companion.core.offers import SignalEvent, SignalKind
from companion.core.ruling import Json
from hardware.panel.pins import PinPlan
from hardware.signals.folder import PROGRAM, SignalFolder
from hardware.signals.link import SignalLink, connect
from hardware.signals.process import Wanted, start_process
from hardware.signals.protocol import BadRequest, Told, read_told

_ENDING_S = 3.0
_log = logging.getLogger(__name__)


@lru_cache(maxsize=2)
def _in_json(plan: PinPlan) -> Mapping[str, Json]:
    """A plan as the process tells it; compared many times a second."""
    return plan.to_json()


class SignalSession:
    """One client's tie. `tell` is called on a listening thread, with one event after the other."""

    def __init__(self, folder: SignalFolder, wanted: Wanted, tell: Callable[[Told], None]) -> None:
        self.folder = folder
        self.wanted = wanted
        self.why_lost: str | None = None
        self.heard_at = 0.0
        self.panel: Mapping[str, Json] = {}  # the process's latest word on its panel
        self._tell = tell
        self._joining = threading.Lock()
        self._telling = threading.Lock()
        self._link: SignalLink | None = None
        self._held: list[Mapping[str, Json]] = []  # of a link that is not caught up yet
        self._pid: int = 0
        self._seq: int = 0
        self._armed: tuple[str, float] | None = None  # the round that runs, and its deadline
        self.manner: Mapping[str, Json] = {}  # as it was last asked for; a new process hears it too

    @property
    def link(self) -> SignalLink | None:
        """The link as it is; None before the first and after a lost one."""
        return self._link

    def joined(self) -> SignalLink:
        """The living link, made anew with a new process if need be; PanelError if impossible."""
        with self._joining:
            if self._link is None or not self._link.alive:
                self._take_on(self._found() or self._started())
            assert self._link is not None
            return self._link

    def close(self) -> None:
        """Leave the process."""
        with self._joining:
            link, self._link = self._link, None
        if link is not None:
            link.close()

    # --- Joining ----------------------------------------------------------------------------------

    def fits(self, link: SignalLink) -> bool:
        """Whether the process at the other end drives the pins that are wanted here."""
        wanted, hello = self.wanted, link.hello
        return (hello.pins, hello.plan) == (wanted.pins, _in_json(wanted.plan))

    def _connect(self) -> SignalLink | None:
        self._held = []
        return connect(self.folder, self._take_line, self._lose)

    def _found(self) -> SignalLink | None:
        """A link to the process that serves, unless nobody needs it as it is.

        That is one with other pins, or of another release of this program.
        """
        link = self._connect()
        if link is None or (self.fits(link) and link.hello.program in ("", PROGRAM)):
            return link
        serving = link.ask("adopt")
        if serving.get("round") is not None or serving.get("clients") != 1:
            return link  # it goes on with the pins it has; the state names both factories
        link.ask("end")
        link.hang_up()  # its listening thread waits for the lock that is held here
        until = time.monotonic() + _ENDING_S
        while self.folder.socket.exists() and time.monotonic() < until:
            time.sleep(0.02)
        return None

    def _started(self) -> SignalLink:
        """A link to a new process; one that is just ending is waited for."""
        until = time.monotonic() + _ENDING_S
        while time.monotonic() < until:
            start_process(self.folder, self.wanted)
            link = self._connect()
            if link is not None:
                return link
            time.sleep(0.05)
        raise PanelError(
            f"a signal process serves {self.folder.socket} but lets nobody in: end it (its number "
            f"stands in {self.folder.lock}), then try again"
        )

    def _take_on(self, link: SignalLink) -> None:
        """Make it the link; what was missed since the last one to this process comes first."""
        replaced = self._pid not in (0, link.hello.pid)
        panel = link.hello.panel
        if link.hello.pid != self._pid:
            self._pid, self._seq = link.hello.pid, link.hello.seq
            self._armed = None
            if self.manner:
                link.ask("manner", self.manner)
                panel = {**panel, **self.manner}
        self.panel, self.heard_at = panel, time.monotonic()
        missed = link.ask("events", {"since": self._seq}).get("events")
        with self._telling:
            for line in [*(missed if isinstance(missed, list) else ()), *self._held]:
                self._read_line(line if isinstance(line, dict) else {})
            self._link, self.why_lost = link, None
            if replaced:
                self._pass_on(SignalEvent(SignalKind.FOUND, "", time.monotonic()))

    # --- Hearing ----------------------------------------------------------------------------------

    def _take_line(self, link: SignalLink, line: Mapping[str, Json]) -> None:
        with self._telling:
            if link is self._link:
                self._read_line(line)
            else:
                self._held.append(line)

    def _read_line(self, line: Mapping[str, Json]) -> None:
        self.heard_at = time.monotonic()
        panel, seq = line.get("state"), line.get("seq")
        if isinstance(panel, dict):
            self.panel = panel
        if not isinstance(seq, int) or seq <= self._seq:
            return
        self._seq = seq
        with suppress(BadRequest):  # a word of a newer process is passed over
            told = read_told(line)
            if told is not None:
                self._pass_on(told)

    def _pass_on(self, told: Told) -> None:
        if isinstance(told, SignalEvent):
            self._note_round(told)
        try:
            self._tell(told)
        except Exception:  # noqa: BLE001 - a callback may raise anything
            _log.exception("a callback failed on %s; the next event comes all the same", told)

    def _note_round(self, event: SignalEvent) -> None:
        if event.kind is SignalKind.ARMED:
            self._armed = (event.round_id, event.at + event.rest_s)
        elif event.kind is not SignalKind.CUE:
            self._armed = None

    def end_hung(self) -> None:
        """Kill the process of this link, if it serves here still: it says nothing any more."""
        link = self._link
        if link is None or self.folder.served_by() != link.hello.pid:
            return
        _log.warning("the signal process %d hangs: it is ended", link.hello.pid)
        with suppress(ProcessLookupError, PermissionError):
            os.kill(link.hello.pid, signal.SIGKILL)
        until = time.monotonic() + _ENDING_S
        while link.alive and time.monotonic() < until:
            time.sleep(0.01)  # the listening thread hears the end, and says that it is lost

    # --- Losing -----------------------------------------------------------------------------------

    def _lose(self, link: SignalLink) -> None:
        """A link ended: go on with the same process, or say that it is lost."""
        with self._joining:
            if link is not self._link:
                return  # left, or replaced already
            self._link = None
            if not self._rejoined():
                self._say_lost(link)

    def _rejoined(self) -> bool:
        """Whether the same process took us back: it drops clients that do not read."""
        with suppress(PanelError):
            link = self._connect()
            if link is not None and link.hello.pid == self._pid:
                self._take_on(link)
                return True
            if link is not None:
                link.hang_up()
        return False

    def _say_lost(self, link: SignalLink) -> None:
        self.why_lost = (
            f"the signal process {link.hello.pid} is gone: nothing sounds until Retry starts a new "
            "one"
        )
        round_id, deadline = self._armed or ("", 0.0)
        self._armed = None
        now = time.monotonic()
        with self._telling:
            self._pass_on(SignalEvent(SignalKind.LOST, round_id, now, max(0.0, deadline - now)))
