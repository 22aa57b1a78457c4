"""The sensor box as the app knows it: what it noticed, what it is to sound, how far it is trusted.

Callbacks run on the box's own thread and must only pass on what they get. A request that cannot be
done raises a PanelError with the way out; nothing else does.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Self
from urllib.parse import quote, unquote

from companion.core.errors import PanelError
from companion.core.offers import AfterZero, CardEvent, CardMove, Press, SignalEvent, SignalKind
from companion.core.round_clock import Running
from hardware.firmware.box import SLOTS
from hardware.panel.panel import Manner, every_lamp, sound_named
from hardware.sensor_box.clock import BoxTime
from hardware.sensor_box.line import BoxLine, Port, open_port
from hardware.sensor_box.session import TIME_EVERY_S, EventsLost, Fields, Told
from hardware.sensor_box.words import (
    SHIPPED,
    SPOKEN,
    Beat,
    CardWord,
    FaultWord,
    Hello,
    KeyWord,
    SignWord,
    box_lamps,
)

# How far the box can be relied on.

STALE_S = 2.5
"""Two beats missed: what is shown of the box is old."""

INSTALL = "run `companion box install`"


class BoxConnection(StrEnum):
    """From nothing there to a box that can be ruled by, and back."""

    ABSENT = "absent"
    FOUND = "found"
    HANDSHAKEN = "handshaken"
    LIVE = "live"
    STALE = "stale"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class BoxState:
    """What the screen says of the box.

    `age_s` since the last valid line (None: none yet), `trouble` what is wrong and what mends it.
    `slots` are the cards on each section, track after track; where the box `counts` not, 1 stands
    for any number. `error_s` is how wrong a time of the box can be, `drift` how much faster its
    clock goes (s/s).
    """

    connection: BoxConnection
    age_s: float | None = None
    port: str = ""
    board: str = ""
    firmware: str = ""
    trouble: str = ""
    error_s: float | None = None
    drift: float | None = None
    bad_lines: int = 0
    lost_events: int = 0
    slots: tuple[int, ...] = ()
    counts: bool = False
    faults: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def usable(self) -> bool:
        """Whether it may sound a round and rule on a card."""
        return self.connection is BoxConnection.LIVE


def mismatch(hello: Hello) -> str:
    """Why a box's program does not fit this one, with the mend; empty where it does."""
    if hello.protocol != SPOKEN:
        older = "newer than" if hello.protocol > SPOKEN else "older than"
        return (
            f"the sensor box's program {hello.firmware} speaks protocol {hello.protocol}, {older} "
            f"this companion's {SPOKEN}: {INSTALL}"
        )
    if hello.firmware != SHIPPED:
        return (
            f"the sensor box runs program {hello.firmware}, this companion has {SHIPPED}: it "
            f"works; to change it, {INSTALL}"
        )
    return ""


# The box's words on our clock: monotonic seconds, each with its error.

OWN_CLOCK_S = 0.0001
"""How wrong the box may be about two of its own moments: the pins, and its microseconds."""

ROUND_CHARS = "-._~/:+"


def round_word(round_id: str) -> str:
    """A round's name as it goes over the line: no spaces, no signs of the protocol."""
    return quote(round_id, safe=ROUND_CHARS)


def round_of(word: str) -> str:
    """The round's name that went over the line so."""
    return unquote(word)


class Translation:
    """What the sensor box says as events of ours, dated by our clock; `box_time` is to be known.

    It remembers the latest zero: cards that come after it are late by so much.
    """

    def __init__(self, box_time: BoxTime) -> None:
        self._time = box_time
        self._own_zero_us: int | None = None
        self._other_zero: float | None = None

    def forget_zero(self) -> None:
        """A round begins: what is laid now is not late."""
        self._own_zero_us = self._other_zero = None

    def zero_elsewhere(self, at: float) -> None:
        """Zero was sounded by something else, at `at` (monotonic s)."""
        if self._own_zero_us is None:
            self._other_zero = at

    def sign(self, word: SignWord) -> SignalEvent:
        """A cue or zero that the box sounded."""
        kind = SignalKind.CUE if word.rest_ms else SignalKind.ZERO
        if kind is SignalKind.ZERO:
            self._own_zero_us = word.at_us
        at, late_s = self._time.ours(word.at_us).at, word.late_us * 1e-6
        return SignalEvent(kind, round_of(word.round), at, word.rest_ms / 1000, late_s)

    def press(self, word: KeyWord) -> Press:
        """A button's first contact."""
        return Press(word.button, self._time.ours(word.at_us - word.error_us // 2).at)

    def card(self, word: CardWord) -> CardEvent:
        """A section that changed, held against the latest zero."""
        half_s = word.error_us * 0.5e-6
        moment = self._time.ours(word.at_us - word.error_us // 2)
        return CardEvent(
            word.move,
            word.track,
            word.section,
            word.cards,
            moment.at,
            moment.error_s + half_s,
            word.stir_us * 1e-6,
            self._after_zero(word.at_us - word.stir_us - word.error_us // 2, half_s),
        )

    def _after_zero(self, began_us: int, error_s: float) -> AfterZero | None:
        """On the box's own clock where the box sounded: then no translation can be wrong."""
        if self._own_zero_us is not None:
            late_s = (began_us - self._own_zero_us) * 1e-6
            return AfterZero(late_s, error_s + OWN_CLOCK_S)
        if self._other_zero is None:
            return None
        moment = self._time.ours(began_us)
        return AfterZero(moment.at - self._other_zero, moment.error_s + error_s + OWN_CLOCK_S)


# The box.

LATE_PRESS_S = 2.0
"""A press that comes so long after the finger means nothing any more; it is named, not taken."""

UNKNOWN_S = 3600.0
"""The error of a moment that nobody noticed."""

TOLD_KEPT = 200
"""So many signs are remembered: those of some ten rounds."""

NEAR_ZERO_S, TIME_NEAR_S = 3.0, 0.25
"""With so little left the box is asked for the time so often: each answer is a sign of life."""

VOUCH_S = 1.0
"""A word of the box is fresh for so long."""

REARM_LEFT_S = 0.5
REARM_OFF_US = 500
"""A round is armed anew where the box's clock is known better by this much, and zero not near."""


class SensorBox:
    """The sensor box for this run of ours: `round_clock.Signals` and `panel.Panel`.

    `wanted` is a serial number, path or address; "" takes whatever looks like a box. `opener` may
    record the traffic, or replay it. What sounded is remembered by this object alone: the signal
    process is what keeps a journal.
    """

    def __init__(
        self,
        wanted: str = "",
        *,
        opener: Callable[[str], Port] = open_port,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.on_event: Callable[[SignalEvent], None] | None = None
        self.on_press: Callable[[Press], None] | None = None
        self.on_card: Callable[[CardEvent], None] | None = None
        self.on_lost: Callable[[EventsLost], None] | None = None
        self.on_turn: Callable[[], None] | None = None
        self.losses: list[EventsLost] = []
        self._clock = clock
        self._line = BoxLine(wanted, opener, clock, self._take, self._turn)
        self._words = Translation(self._line.time)
        self._hello: Hello | None = None
        self._lying: dict[str, int] = {}  # by slot; as events have told
        self._faults: dict[str, str] = {}
        self._told: deque[SignalEvent] = deque(maxlen=TOLD_KEPT)
        self._ended = ""  # the round whose zero came last
        self._caught_up = threading.Event()
        self._armed: tuple[Running, tuple[float, ...]] | None = None
        self._armed_us = 0
        self._armed_boot: str = ""
        self._arming = threading.RLock()
        """Held while a thread tells the box of a round: nothing arms again what that changes."""
        self._runs = ""  # the round that the box itself has said it runs
        self._runs_us = 0  # ... and when: a beat from before that is old news
        self._manner: Manner | None = None
        self._was_live = False

    def start(self) -> None:
        """Look for the box on a thread of its own, until `close`."""
        self._line.start()

    def retry(self) -> None:
        """Look for the box at once instead of in a while."""
        self._line.retry()

    def close(self) -> None:
        """Let go of the port; a round that is armed on the box goes on to its zero."""
        self._line.close()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- how far it is trusted -------------------------------------------------------------

    def state(self) -> BoxState:
        """What the screen says of the box; never waits and never raises."""
        line, hello = self._line, self._hello
        heard_at, session = line.heard_at, line.session
        age_s = None if heard_at is None else max(0.0, self._clock() - heard_at)
        return BoxState(
            self._connection(age_s),
            age_s,
            line.port,
            hello.board if hello is not None else "",
            hello.firmware if hello is not None else "",
            line.trouble or (mismatch(hello) if hello is not None else ""),
            line.time.error_s,
            line.time.drift,
            line.bad_lines + (session.bad_lines if session is not None else 0),
            len(self.losses),
            tuple(self._lying.get(slot, 0) for slot in SLOTS) if self._hello is not None else (),
            hello.counts if hello is not None else False,
            dict(self._faults),
        )

    def _connection(self, age_s: float | None) -> BoxConnection:
        session = self._line.session
        if session is None:
            return BoxConnection.LOST if self._was_live else BoxConnection.ABSENT
        if age_s is not None and age_s >= STALE_S and self._was_live:
            return BoxConnection.STALE
        if not session.greeted:
            return BoxConnection.FOUND
        return BoxConnection.LIVE if self._line.time.known else BoxConnection.HANDSHAKEN

    # -- Signals ---------------------------------------------------------------------------

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        """Sound `cues` (seconds left) and zero at `deadline`, by the box's own timer.

        The armed round's own id gives it another deadline; PanelError while another is armed.
        """
        if not self._line.time.known:
            raise PanelError("the sensor box's clock is not known yet: try again in a second")
        self._words.forget_zero()
        with self._arming:
            self._arm(Running(round_id, deadline, total_s), cues)

    def _arm(self, running: Running, cues: Sequence[float]) -> None:
        round_id, deadline = running.round_id, running.deadline
        self._ended = ""
        armed_us = self._line.time.box_us(deadline)
        asked = self._clock()
        self._line.ask("arm", _arm_fields(running, armed_us, cues))
        self._tell(SignalEvent(SignalKind.ARMED, round_id, asked, max(0.0, deadline - asked)))
        if self._ended == round_id:
            return  # its zero was told while this thread waited for its turn
        self._armed_us, self._armed_boot = armed_us, self._line.inbox.boot
        self._armed = (running, tuple(cues))
        self._runs, self._runs_us = round_id, self._line.time.box_us(self._clock())

    def take_over(self, running: Running, cues: Sequence[float]) -> None:
        """Arm a round that runs elsewhere already, as soon as that can be; never waits or fails."""
        if self._armed != (running, tuple(cues)):
            self._armed, self._armed_boot = (running, tuple(cues)), ""

    def stop(self) -> float:
        """Stop the armed round; seconds that were left (0.0 if none was armed)."""
        return self._stopped(hold=False)

    def pause(self) -> float:
        """Stop the armed round but leave its lamps lit; seconds that were left."""
        return self._stopped(hold=True)

    def _stopped(self, *, hold: bool) -> float:
        with self._arming:
            self._armed, self._runs = None, ""
            reply = self._line.ask("stop", [("hold", int(hold))])
        rest_s = int(reply["rest"]) * 1e-6
        if reply["round"] != "-":
            name = round_of(reply["round"])
            self._tell(SignalEvent(SignalKind.STOPPED, name, self._clock(), rest_s))
        return rest_s

    def stand(self, round_id: str, rest_s: float) -> None:
        """Show a standing clock with this rest; an armed round is forgotten."""
        with self._arming:
            self._armed, self._runs = None, ""
            self._line.ask("stand", [("rest", round(rest_s * 1000))])
        self._tell(SignalEvent(SignalKind.SET, round_id, self._clock(), rest_s))

    def adopt(self) -> Running | None:
        """The round that is armed on the box now, whoever armed it."""
        reply = self._line.ask("adopt", [])
        if reply["round"] == "-" or not self._line.time.known:
            return None
        deadline = self._line.time.ours(int(reply["at"])).at
        return Running(round_of(reply["round"]), deadline, int(reply["total"]) / 1000)

    def fired(self, round_id: str) -> SignalEvent | None:
        """The zero that sounded since that round was last armed; None if it has not."""
        latest = [event for event in self.history(round_id) if event.kind is not SignalKind.CUE]
        return latest[-1] if latest and latest[-1].kind is SignalKind.ZERO else None

    def history(self, round_id: str) -> Sequence[SignalEvent]:
        """What the box signalled for a round, as far as this object heard it; oldest first."""
        events = [event for event in self._told.copy() if event.round_id == round_id]
        return sorted(events, key=lambda event: event.at)

    def await_backlog(self, wait_s: float) -> bool:
        """Wait until the box has told what it noticed before this object was made; if it did.

        Not for callbacks: they would wait for their own thread.
        """
        return self._caught_up.wait(wait_s)

    def show(self, lamps: Sequence[bool]) -> None:
        """Light those lamps that the box has; a running round lights them anew at its next sign."""
        self._line.ask("lamps", [("lit", box_lamps(every_lamp(lamps)))])

    def sound(self, signal: str) -> None:
        """Sound a named pattern; BadCall names those there are."""
        self._line.ask("sound", [("name", str(sound_named(signal)))])

    def set_manner(self, manner: Manner) -> None:
        """How loud and how bright; kept, and told to every box that is found later."""
        self._manner = manner
        if self.state().usable:
            self._line.ask("manner", _manner_fields(manner))

    def forget_zero(self) -> None:
        """A round begins elsewhere: what is laid now is not late."""
        self._words.forget_zero()

    def has_armed(self, round_id: str) -> bool:
        """Whether the box itself has said that it runs this round."""
        return self._runs == round_id and self.state().usable

    def vouches_for(self, round_id: str) -> bool:
        """Whether it runs this round by its own word, and has said something just now."""
        heard_at = self._line.heard_at
        fresh = heard_at is not None and self._clock() - heard_at <= VOUCH_S
        return fresh and self.has_armed(round_id)

    def zero_elsewhere(self, at: float) -> None:
        """Zero was sounded by something else at `at`: cards are held against that."""
        self._words.zero_elsewhere(at)

    def maintain(self) -> None:
        """Let the box begin anew without its program, so that another can be put there."""
        self._line.ask("maintain", [])

    # -- on the box's thread ---------------------------------------------------------------

    def _take(self, told: Told) -> None:
        if isinstance(told, Hello):
            self._greeted(told)
        elif isinstance(told, Beat):
            self._compare(told)
        elif isinstance(told, EventsLost):
            self.losses.append(told)
            if self.on_lost is not None:
                self.on_lost(told)
        elif isinstance(told, FaultWord):
            self._note_fault(told)
        elif isinstance(told, KeyWord):
            self._pressed(told)
        elif isinstance(told, CardWord):
            self._card(self._words.card(told))
        else:
            self._signed(self._words.sign(told))

    def _greeted(self, hello: Hello) -> None:
        if self._hello is None or hello.boot != self._hello.boot:
            self._faults.clear()
            self._words.forget_zero()
            self._runs, self._runs_us = "", 0
        self._hello = hello
        if self._manner is not None:
            self._line.post("manner", _manner_fields(self._manner))

    def _note_fault(self, word: FaultWord) -> None:
        if word.what == "well":
            self._faults.pop(word.input, None)
        else:
            self._faults[word.input] = word.what

    def _pressed(self, word: KeyWord) -> None:
        if word.held_us is not None:
            return
        press = self._words.press(word)
        if self._clock() - press.at > LATE_PRESS_S:
            boot, why = self._line.inbox.boot, f"{press.button} came too late to be taken"
            number = self._line.inbox.delivered
            self._take(EventsLost(boot, number, number, why))
        elif self.on_press is not None:
            self.on_press(press)

    def _card(self, event: CardEvent) -> None:
        self._lying[f"{event.track + 1}.{event.section}"] = event.cards
        if self.on_card is not None:
            self.on_card(event)

    def _compare(self, beat: Beat) -> None:
        """What lies there without an event that told it: at the beginning, and after a loss.

        When it came there nobody knows, so it is no late card.
        """
        self._note_round(beat)
        if not beat.complete:
            return
        self._caught_up.set()
        for slot, cards in zip(SLOTS, beat.slots, strict=True):
            before = self._lying.get(slot, 0)
            if cards != before:
                move = CardMove.COUNTED if before and cards else CardMove.LAID
                move = move if cards else CardMove.LIFTED
                track, section = (int(part) for part in slot.split("."))
                now = self._clock()
                self._card(CardEvent(move, track - 1, section, cards, now, UNKNOWN_S))

    def _note_round(self, beat: Beat) -> None:
        if beat.at_us < self._runs_us:
            return  # said before the round was armed
        self._runs = "" if beat.round == "-" else round_of(beat.round)
        armed = self._armed
        if armed is not None and self._runs != armed[0].round_id:
            self._armed_boot = ""  # the box does not know of it: it is armed again

    def _signed(self, event: SignalEvent) -> None:
        if event.kind is SignalKind.ZERO:
            self._armed, self._runs, self._ended = None, "", event.round_id
        self._tell(event)

    def _tell(self, event: SignalEvent) -> None:
        self._told.append(event)
        if self.on_event is not None:
            self.on_event(event)

    def _turn(self) -> None:
        live = self.state().usable
        if live:
            self._was_live = True
            if self._arming.acquire(blocking=False):
                try:
                    self._arm_again()
                finally:
                    self._arming.release()
        self._ask_often_near_zero()
        if self.on_turn is not None:
            self.on_turn()

    def _ask_often_near_zero(self) -> None:
        session, armed = self._line.session, self._armed
        if session is not None:
            near = armed is not None and abs(armed[0].deadline - self._clock()) < NEAR_ZERO_S
            session.time_every_s = TIME_NEAR_S if near else TIME_EVERY_S

    def _arm_again(self) -> None:
        """A box that began anew has forgotten the round; one whose clock drifts wants it moved."""
        armed = self._armed  # another thread may forget it
        if armed is None:
            return
        running, cues = armed
        if running.deadline - self._clock() < REARM_LEFT_S:
            return
        at_us, boot = self._line.time.box_us(running.deadline), self._line.inbox.boot
        if boot != self._armed_boot or abs(at_us - self._armed_us) > REARM_OFF_US:
            self._armed_us, self._armed_boot = at_us, boot
            if self._runs not in ("", running.round_id):
                self._line.post("stop", [("hold", 0)])  # a round that nobody waits for any more
            self._line.post("arm", _arm_fields(running, at_us, cues))


def _arm_fields(running: Running, at_us: int, cues: Sequence[float]) -> Fields:
    rests = ",".join(str(round(cue * 1000)) for cue in cues if cue > 0.0) or "-"
    total_ms = round(running.total_s * 1000)
    return [
        ("round", round_word(running.round_id)),
        ("at", at_us),
        ("total", total_ms),
        ("cues", rests),
    ]


def _manner_fields(manner: Manner) -> Fields:
    silent = int(manner.silent)
    return [("volume", manner.volume), ("brightness", manner.brightness), ("silent", silent)]
