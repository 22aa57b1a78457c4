"""The panel as the app knows it: a client of the signal process, which it starts where none lives.

All seconds are CLOCK_MONOTONIC. A request that cannot be done raises a PanelError with the way
out. What the process tells unasked (cues, zero, presses, jammed buttons) waits for `events`, or
goes to the callbacks; they run on the listening thread and must only pass on what they get.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Self

from companion.core.errors import BadCall, CompanionError, PinsMissing
from companion.core.offers import Button, Press, SignalEvent
from companion.core.round_clock import Running
from companion.core.ruling import Json
from hardware.panel.debounce import ButtonFault, Contact
from hardware.panel.panel import Manner, every_lamp, sound_named
from hardware.signals.folder import SignalFolder, boot_id, read_journal, zero_of
from hardware.signals.link import SignalLink
from hardware.signals.process import Wanted
from hardware.signals.protocol import BadRequest, Fields, Told, manner_fields, manner_of
from hardware.signals.session import SignalSession

STALE_S = 3.0
"""Three beats missed: what is shown of the panel is old."""

_KEPT = 1000
SILENCE = Manner(0, 0, silent=True)
"""What is shown of a panel that has not said how loud it is."""


class Connection(StrEnum):
    """How far the panel can be relied on."""

    ABSENT = "absent"
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class PanelState:
    """What the screen says of the panel.

    `age_s` is how old the latest word of the process is; `trouble` a sentence with the way out, or
    None; `note` what the system granted. `faults` are the buttons that jam or chatter. Where
    `pins` is not `wanted_pins`, a process was found that runs a round, or serves another program.
    """

    connection: Connection
    pins: str
    wanted_pins: str
    real_time: bool = False
    note: str = ""
    age_s: float = 0.0
    pid: int = 0
    speaker: str = "none"
    manner: Manner = SILENCE
    trouble: str | None = None
    faults: Mapping[Button, Contact] = field(default_factory=dict[Button, Contact])


class SignalClient:
    """Implements `companion.core.round_clock.Signals` and `hardware.panel.panel.Panel`.

    `folder` is where the process is met; by default the user's runtime folder.
    """

    def __init__(self, wanted: Wanted, folder: Path | None = None) -> None:
        self.on_event: Callable[[SignalEvent], None] | None = None
        self.on_press: Callable[[Press], None] | None = None
        self.on_fault: Callable[[ButtonFault], None] | None = None
        self._boot = boot_id()
        self._folder = SignalFolder(folder)
        self._session = SignalSession(self._folder, wanted, self._take)
        self._told: deque[Told] = deque(maxlen=_KEPT)

    # --- Signals ----------------------------------------------------------------------------------

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        """Sound `cues` (seconds left) and zero at `deadline`, whatever happens to this program.

        The armed round's own id gives it another deadline; PanelError while another is armed.
        """
        seconds: list[Json] = [float(cue) for cue in cues]
        self._ask(
            "arm",
            round_id=round_id,
            deadline=deadline,
            cues=seconds,
            total_s=total_s,
            boot=self._boot,
        )

    def stop(self) -> float:
        """Stop the armed round; seconds that were left (0.0 if none was armed)."""
        return Fields(self._ask("stop")).number("rest_s", 0.0, 1e12)

    def pause(self) -> float:
        """Stop the armed round but leave its lamps lit; seconds that were left."""
        return Fields(self._ask("pause")).number("rest_s", 0.0, 1e12)

    def stand(self, round_id: str, rest_s: float) -> None:
        """Show a standing clock with this rest on every lamp and display; nothing is armed then."""
        self._ask("stand", round_id=round_id, rest_s=rest_s)

    def adopt(self) -> Running | None:
        """The round that is armed now, whoever armed it."""
        armed = self._ask("adopt").get("round")
        if not isinstance(armed, dict):
            return None
        fields = Fields(armed)
        deadline = fields.number("deadline", 0.0, 1e12)
        return Running(fields.text("round_id"), deadline, fields.number("total_s", 0.0, 1e12))

    def show(self, lamps: Sequence[bool]) -> None:
        """Light the countdown lamps; a running round lights them anew at its next sign."""
        lit: list[Json] = list(every_lamp(lamps))
        self._ask("show", lamps=lit)

    def sound(self, signal: str) -> None:
        """Sound a named pattern; BadCall names those there are."""
        self._ask("sound", sound=sound_named(signal))

    # --- Beyond the protocols ---------------------------------------------------------------------

    def events(self) -> list[Told]:
        """What was told since the last call, oldest first; never waits."""
        told: list[Told] = []
        while self._told:
            told.append(self._told.popleft())
        return told

    def history(self, round_id: str) -> list[SignalEvent]:
        """What was signalled for a round in this boot, from the journal: no process is needed."""
        return read_journal(self._folder.journal, self._boot, round_id)

    def fired(self, round_id: str) -> SignalEvent | None:
        """The zero that sounded since that round was last armed; None if it has not."""
        return zero_of(self.history(round_id))

    def push(self, button: Button, held_s: float = 0.1) -> None:
        """Press a button of mock pins; PanelError on real ones."""
        self._ask("press", button=button, held_s=held_s)

    def set_manner(self, manner: Manner) -> None:
        """How loud and how bright; volume 0 silences buzzer and loudspeaker, not the lamps."""
        for name, percent in (("volume", manner.volume), ("brightness", manner.brightness)):
            if not 0 <= percent <= 100:
                raise BadCall(f"{name} goes from 0 to 100 percent, not {percent}")
        self._session.manner = manner_fields(manner)
        self._ask("manner", **self._session.manner)

    def connect(self) -> PanelState:
        """Connect, starting a process where none serves; also the way back after a loss."""
        self._session.joined()
        return self.state()

    def state(self) -> PanelState:
        """What the screen says of the panel; never waits and never raises."""
        session, link, wanted = self._session, self._session.link, self._session.wanted.pins
        if link is None:
            seen = Connection.LOST if session.why_lost else Connection.ABSENT
            return PanelState(seen, wanted, wanted, trouble=session.why_lost)
        age_s, panel = time.monotonic() - session.heard_at, session.panel
        trouble = panel.get("trouble")
        return PanelState(
            Connection.LIVE if age_s < STALE_S else Connection.STALE,
            pins=link.hello.pins,
            wanted_pins=wanted,
            real_time=link.hello.real_time,
            note=link.hello.note,
            age_s=age_s,
            pid=link.hello.pid,
            speaker=str(panel.get("speaker", "none")),
            manner=_manner(panel),
            trouble=self._other_plan(link) if trouble is None else str(trouble),
            faults=_faults(panel.get("faults")),
        )

    def _other_plan(self, link: SignalLink) -> str | None:
        """Why the process that was found drives other pins than these settings name."""
        if link.hello.pins != self._session.wanted.pins or self._session.fits(link):
            return None
        return "the panel goes on with its former pin numbers until its round ends: then Retry"

    def end_hung_process(self) -> None:
        """Kill the process that has said nothing for long; another is started by `connect`."""
        self._session.end_hung()

    def end_process(self) -> None:
        """End the process itself; PanelError while a round is armed."""
        self._ask("end")

    def close(self) -> None:
        """Leave the process; an armed round goes on to its zero without us."""
        self._session.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, op: str, **fields: Json) -> Mapping[str, Json]:
        return self._session.joined().ask(op, fields)

    def _take(self, told: Told) -> None:
        """On the listening thread: to its callback, else into the queue."""
        if isinstance(told, SignalEvent) and self.on_event is not None:
            self.on_event(told)
        elif isinstance(told, Press) and self.on_press is not None:
            self.on_press(told)
        elif isinstance(told, ButtonFault) and self.on_fault is not None:
            self.on_fault(told)
        else:
            self._told.append(told)


def _manner(panel: Mapping[str, Json]) -> Manner:
    try:
        return manner_of(Fields(panel))
    except BadRequest:
        return SILENCE


def _faults(fields: Json) -> Mapping[Button, Contact]:
    if not isinstance(fields, dict):
        return {}
    known = {str(button) for button in Button}
    return {
        Button(name): Contact(str(why))
        for name, why in fields.items()
        if name in known and why in set(Contact)
    }


# The watch: a signal process that dies or hangs is replaced without being asked.

HUNG_S = 5.0
"""A process that says nothing for so long hangs; five beats would have come."""

LOOK_EVERY_S = 0.25
FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 30.0
_log = logging.getLogger(__name__)


class SignalWatch:
    """Keeps a signal process alive behind one client; owned by the thread that calls `look`."""

    def __init__(self, client: SignalClient) -> None:
        self._client = client
        self._try_at = self._look_at = 0.0
        self._wait_s = FIRST_WAIT_S
        self._trying: threading.Thread | None = None
        self._hopeless = False  # its library is not installed: trying again changes nothing

    def look(self, now: float) -> None:
        """Start what mends it, if the process is gone or hangs; `now` in monotonic s."""
        if now < self._look_at:
            return
        self._look_at = now + LOOK_EVERY_S
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
