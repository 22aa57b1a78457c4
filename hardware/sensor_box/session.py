"""The companion's half of the sensor box's protocol, without port, thread or clock.

Bytes go in and come out: call `receive` with what came, `due` now and then, and send what
`outgoing` holds. What was told comes out as typed words, each event once and in order.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace

from companion.core.errors import PanelError
from hardware.firmware.frame import (
    EVENT,
    NUMBER_MAX,
    REPLY,
    REQUEST,
    TELLING,
    BadFrame,
    Frame,
    Lines,
    decode,
    encode,
)
from hardware.sensor_box.clock import BoxTime, RoundTrip
from hardware.sensor_box.words import SPOKEN, Beat, EventWord, Hello, read_event

# The inbox: each event once and in order, or named as lost.

AHEAD_MAX = 256
"""Frames kept until a missing one comes; the box sends all of them again anyway."""


@dataclass(frozen=True, slots=True)
class EventsLost:
    """Events of one run of the box that will never come: `first` to `last`, both included.

    `last` None: the box began anew, and how many it still had nobody knows; perhaps none.
    """

    boot: str
    first: int
    last: int | None
    why: str

    def __str__(self) -> str:
        if self.last is None:
            return f"{self.why}: what it had noticed after event {self.first - 1} is lost"
        which = f"event {self.first}" if self.first == self.last else f"{self.first} to {self.last}"
        return f"{self.why}: lost {which}"


Delivery = tuple[int, Frame] | EventsLost


class Inbox:
    """Puts the events of one box in order across cables pulled and boxes begun anew.

    `delivered` is the last number that was passed on (or named as lost) of run `boot`.
    """

    def __init__(self) -> None:
        self.boot = ""
        self.delivered = 0
        self._waiting: dict[int, Frame] = {}

    def greet(self, boot: str, first: int) -> list[Delivery]:
        """A box says which run of it this is and the oldest event it can still send."""
        if boot == self.boot:
            return self.floor(first)
        lost: list[Delivery] = []
        if self.boot:
            lost.append(EventsLost(self.boot, self.delivered + 1, None, "the box began anew"))
        self.boot, self.delivered = boot, first - 1
        self._waiting.clear()
        if first > 1 and lost:
            lost.append(EventsLost(boot, 1, first - 1, "the box could not keep them"))
        return lost

    def floor(self, first: int) -> list[Delivery]:
        """The box can send nothing older than `first`: what is missing before that is lost."""
        come: list[Delivery] = []
        while self.delivered + 1 < first:
            until = min([first, *self._waiting]) - 1
            if until > self.delivered:
                lost = EventsLost(
                    self.boot, self.delivered + 1, until, "the box could not keep them"
                )
                come.append(lost)
                self.delivered = until
            come += self._ready()
        return come

    def take(self, frame: Frame) -> list[Delivery]:
        """An event came: what can be passed on now; what came before is passed over."""
        if self.delivered < frame.number <= self.delivered + AHEAD_MAX:
            self._waiting.setdefault(frame.number, frame)
        return self._ready()

    def _ready(self) -> list[Delivery]:
        ready: list[Delivery] = []
        while (frame := self._waiting.pop(self.delivered + 1, None)) is not None:
            self.delivered += 1
            ready.append((frame.number, frame))
        return ready


# The session.

RETRY_S = 0.15
TRIES = 10
HELLO_EVERY_S = 0.5
TIME_EVERY_S = 1.0
TIME_QUICK_S = 0.05
QUICK_TRIPS = 8
"""So many questions for the time come quickly, one after the other, before it is one a second."""

TIME_LOST_S = 1.0

Fields = list[tuple[str, object]]
Told = EventWord | EventsLost | Hello | Beat


@dataclass(slots=True)
class Pending:
    """A request on its way: sent again until it is answered or given up."""

    number: int
    line: bytes
    sent_at: float
    awaited: bool = True
    tries: int = 1
    reply: Frame | None = None
    failed: bool = False


class BoxSession:
    """One connection to a box. `inbox` and `time` outlive it: hand them on to the next."""

    def __init__(self, name: str, inbox: Inbox, time: BoxTime) -> None:
        self.outgoing: deque[bytes] = deque()
        self.hello: Hello | None = None
        self.heard_at: float | None = None  # the last valid frame
        self.bad: deque[str] = deque(maxlen=8)  # why the latest lines were none
        self.bad_lines = 0
        self.inbox = inbox
        self.time = time
        self._name = name
        self._lines = Lines()
        self._number = 0
        self._told = 0
        self._pending: dict[int, Pending] = {}
        self._hello_at = float("-inf")
        self._greeting: set[int] = set()
        self._asked: dict[int, float] = {}  # questions for the time, and when they went out
        self.time_every_s = TIME_EVERY_S
        self._trips = 0
        self._time_at = float("-inf")

    @property
    def greeted(self) -> bool:
        """Whether a box that speaks our protocol has answered."""
        return self.hello is not None and self.hello.protocol == SPOKEN

    # -- what came -------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> list[Told]:
        """Take bytes that came at `now` (monotonic s); what they told."""
        told: list[Told] = []
        delivered = self.inbox.delivered
        repeated = False
        for line in self._lines.feed(data):
            try:
                frame = decode(line)
                told += self._read(frame, now)
                repeated |= frame.mark == EVENT
            except BadFrame as why:
                self.bad_lines += 1
                self.bad.append(f"{why}: {line[:80]!r}")
        if self.greeted and (repeated or self.inbox.delivered != delivered):
            self._acknowledge()
        return told

    def _read(self, frame: Frame, now: float) -> list[Told]:
        if frame.mark == EVENT:
            told = self._event(frame)
        elif frame.mark == REPLY:
            told = self._reply(frame, now)
        elif frame.mark == TELLING and frame.word == "beat":
            told = self._beat(frame)
        elif frame.mark == TELLING and frame.word == "hello":
            self._hello_at = float("-inf")  # it does not know us: greet it at once
            told = self._unknown(Hello.read(frame))
        else:
            raise BadFrame(f"nothing that a box says: {frame.mark}{frame.word}")
        self.heard_at = now
        return told

    def _event(self, frame: Frame) -> list[Told]:
        """Events wait until run and clock of the box are known; they come again by themselves."""
        if not self.greeted or not self.time.known:
            return []
        read_event(frame)  # first of all: what cannot be read is not acknowledged
        return self._delivered(self.inbox.take(frame))

    def _delivered(self, come: list[tuple[int, Frame] | EventsLost]) -> list[Told]:
        told: list[Told] = []
        for one in come:
            word = one if isinstance(one, EventsLost) else read_event(one[1])
            if word is not None:
                told.append(word)
        return told

    def _beat(self, frame: Frame) -> list[Told]:
        beat = Beat.read(frame)
        if not self.greeted:
            return []
        come = self._delivered(self.inbox.floor(beat.first))
        complete = beat.next == self.inbox.delivered + 1  # now: events may follow in these bytes
        return [*come, replace(beat, complete=complete)]

    def _unknown(self, hello: Hello) -> list[Told]:
        """A box that knows us not, or no more; one of another protocol cannot be greeted."""
        if hello.protocol == SPOKEN:
            self.hello = None
            return []
        self.hello = hello
        return [hello]

    def _reply(self, frame: Frame, now: float) -> list[Told]:
        asked = self._asked.pop(frame.number, None)
        if asked is not None and frame.word == "time":
            self._timed(frame, asked, now)
            return []
        if frame.number in self._greeting and frame.word == "hello":
            self._greeting.clear()
            return self._greet(Hello.read(frame))
        pending = self._pending.get(frame.number)
        if pending is not None:
            pending.reply = frame
        return []

    def _greet(self, hello: Hello) -> list[Told]:
        self.hello = hello
        if hello.protocol != SPOKEN:
            return [hello]
        if hello.boot != self.inbox.boot:
            self.time.forget()
            self._trips = 0
        return [hello, *self._delivered(self.inbox.greet(hello.boot, hello.first))]

    def _timed(self, frame: Frame, asked: float, now: float) -> None:
        got_us, at_us = frame.whole("got", 0, 10**15), frame.whole("at", 0, 10**15)
        self.time.take(RoundTrip(asked, got_us, at_us, now))
        self._trips += 1
        if self._trips < QUICK_TRIPS:
            self._time_at = float("-inf")

    # -- what goes out ---------------------------------------------------------------------

    def due(self, now: float) -> None:
        """Put into `outgoing` what time itself brings: hello, questions for the time, repeats."""
        if self._hello_at == float("-inf") or (
            not self.greeted and now - self._hello_at >= HELLO_EVERY_S
        ):
            self._say_hello(now)
        if self.greeted:
            self._ask_time(now)
        for pending in list(self._pending.values()):
            self._repeat(pending, now)
            if not pending.awaited and (pending.failed or pending.reply is not None):
                del self._pending[pending.number]

    def _say_hello(self, now: float) -> None:
        self._hello_at = now
        boot, got = self.inbox.boot or "-", self.inbox.delivered
        fields: Fields = [("protocol", SPOKEN), ("session", self._name)]
        number, line = self._request("hello", [*fields, ("boot", boot), ("got", got)])
        self._greeting.add(number)
        self.outgoing.append(line)

    def _ask_time(self, now: float) -> None:
        """Not kept waiting in `outgoing`: the question counts from when it is made."""
        every_s = TIME_QUICK_S if self._trips < QUICK_TRIPS else self.time_every_s
        if now - self._time_at < every_s:
            return
        self._time_at = now
        self._asked = {n: at for n, at in self._asked.items() if now - at < TIME_LOST_S}
        number, line = self._request("time", [])
        self._asked[number] = now
        self.outgoing.append(line)

    def _repeat(self, pending: Pending, now: float) -> None:
        if pending.reply is not None or pending.failed or now - pending.sent_at < RETRY_S:
            return
        if pending.tries >= TRIES:
            pending.failed = True
            return
        pending.tries += 1
        pending.sent_at = now
        self.outgoing.append(pending.line)

    def _acknowledge(self) -> None:
        self._told = self._told % NUMBER_MAX + 1
        fields: Fields = [("boot", self.inbox.boot), ("event", self.inbox.delivered)]
        self.outgoing.append(encode(TELLING, self._told, "ack", fields))

    def _request(self, word: str, fields: Fields) -> tuple[int, bytes]:
        self._number = self._number % NUMBER_MAX + 1
        return self._number, encode(REQUEST, self._number, word, fields)

    def overhear(self, data: bytes, now: float) -> None:
        """Take what a companion before us sent at `now`: a replay must know its questions."""
        for line in data.splitlines():
            with suppress(BadFrame):
                frame = decode(line)
                if frame.mark == REQUEST and frame.word == "time":
                    self._asked[frame.number] = now
                elif frame.mark == REQUEST and frame.word == "hello":
                    self._greeting.add(frame.number)

    # -- requests --------------------------------------------------------------------------

    def ask(self, word: str, fields: Fields, now: float, *, awaited: bool = True) -> Pending:
        """Put a request on its way; `settled` tells when and how it ended, if that is awaited."""
        number, line = self._request(word, fields)
        pending = self._pending[number] = Pending(number, line, now, awaited)
        self.outgoing.append(line)
        return pending

    def settled(self, pending: Pending) -> Mapping[str, str] | None:
        """The reply's fields, None while it is awaited; PanelError where it was refused or lost."""
        if pending.reply is None and not pending.failed:
            return None
        self._pending.pop(pending.number, None)
        if pending.reply is None:
            raise PanelError("the sensor box does not answer")
        if pending.reply.word == "no":
            raise PanelError(_refusal(pending.reply.fields.get("why", "?")))
        return pending.reply.fields


_REFUSALS = {
    "armed": "another round is armed on the sensor box: adopt or stop it first",
    "past": "the deadline is past: the sensor box arms nothing that is over",
    "far": "the deadline lies more than a day ahead: the sensor box arms no such round",
    "long": "the round's name is too long for the sensor box: at most 100 characters",
    "unknown": "the sensor box does not know this word: `companion box install` brings its program",
    "malformed": "the sensor box could not read the request: `companion box install`",
}


def _refusal(why: str) -> str:
    return _REFUSALS.get(why, f"the sensor box refused: {why}")
