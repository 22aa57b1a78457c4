"""A round's deadline: its timeline, the timer that wakes on time, and real-time scheduling.

The timeline waits for nothing: `due` hands out what must happen by `now`, in order. Each edge of a
pattern is counted from the pattern's beginning, so a late edge delays no other.
"""

from __future__ import annotations

import ctypes
import gc
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from companion.core.round_clock import Running
from hardware.panel.panel import FLASHES, PATTERNS, Lamps, Sound, lamps_at

# The timeline of a round and its sounds.

PUNCTUAL_S = 0.05
"""A sign later than this begins its pattern when it really begins: nobody hears a beep that is
over before it starts."""

AHEAD_S = 0.02
"""A cue this near, when a round is armed, is left out: the start itself was the sign."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A moment of a round: `rest_s` seconds left, zero at its end."""

    round_id: str
    rest_s: float
    heard: bool

    @property
    def zero(self) -> bool:
        return self.rest_s <= 0.0


@dataclass(frozen=True, slots=True)
class SignalStep:
    """What must happen at `at` (monotonic s); None leaves a thing as it is."""

    at: float
    buzz: bool | None = None
    lamps: Lamps | None = None
    sign: Sign | None = None
    sound: Sound | None = None


class SignalTimeline:
    """At most one armed round and one pattern that sounds.

    The last seconds go first: a cue or zero silences what sounds; while zero sounds, nothing else
    starts. `silent`: patterns begin as the lamps give them, not as the buzzer does.
    """

    def __init__(self) -> None:
        self.silent = False
        self._running: Running | None = None
        self._signs: list[tuple[float, float]] = []  # when, rest_s; the earliest first
        self._edges: list[tuple[float, bool]] = []  # when, buzzer on; the earliest first
        self._sounding: Sound | None = None

    @property
    def running(self) -> Running | None:
        """The armed round, until its zero or its stop."""
        return self._running

    @property
    def sounding(self) -> Sound | None:
        """The pattern that has not ended yet."""
        return self._sounding

    @property
    def next_at(self) -> float | None:
        """When something must happen next; None when nothing is planned."""
        planned = [queue[0][0] for queue in (self._signs, self._edges) if queue]
        return min(planned, default=None)

    def arm(self, running: Running, cues: Sequence[float], now: float) -> SignalStep:
        """Plan the signs of a round, in place of the armed one; the lamps it begins with."""
        ahead = {cue for cue in cues if cue > 0.0 and running.deadline - cue > now + AHEAD_S}
        self._running = running
        rests = sorted({*ahead, 0.0}, reverse=True)  # zero last, however small a cue is
        self._signs = [(running.deadline - rest, rest) for rest in rests]
        return SignalStep(now, lamps=lamps_at(running.deadline - now))

    def stop(self, now: float) -> float:
        """Forget the armed round; the seconds it had left, 0.0 if none was armed."""
        running, self._running = self._running, None
        self._signs = []
        return 0.0 if running is None else max(0.0, running.deadline - now)

    def sound(self, sound: Sound, now: float) -> SignalStep | None:
        """Begin a pattern in place of the present one; None while zero sounds."""
        if self._sounding is Sound.LOCK:
            return None
        return self._begin(sound, now)

    def due(self, now: float) -> Iterator[SignalStep]:
        """What must happen by `now`, the earliest first; each is handed out once."""
        while (at := self.next_at) is not None and at <= now:
            if self._signs and self._signs[0][0] == at:
                yield self._next_sign(now)
            else:
                yield self._next_edge()

    def _next_sign(self, now: float) -> SignalStep:
        at, rest_s = self._signs.pop(0)
        assert self._running is not None
        heard = not (self._signs and self._signs[0][0] <= now)  # overtaken: the later one sounds
        sign = Sign(self._running.round_id, rest_s, heard)
        if sign.zero:
            self._running = None
        if not heard:
            return SignalStep(at, sign=sign)
        sound = Sound.LOCK if sign.zero else Sound.CUE
        self._begin(sound, at if now - at <= PUNCTUAL_S else now)
        return SignalStep(at, buzz=True, lamps=lamps_at(rest_s), sign=sign, sound=sound)

    def _begin(self, sound: Sound, now: float) -> SignalStep:
        first, *others = (FLASHES if self.silent else PATTERNS)[sound]
        self._sounding = sound
        self._edges = [(now + first.end_s, False)]
        for beep in others:
            self._edges += [(now + beep.start_s, True), (now + beep.end_s, False)]
        return SignalStep(now, buzz=True, sound=sound)

    def _next_edge(self) -> SignalStep:
        at, on = self._edges.pop(0)
        if not self._edges:
            self._sounding = None
        return SignalStep(at, buzz=on)


# The timer: `poll` sees it fire at an absolute monotonic time (Linux timerfd).

_CLOCK_MONOTONIC = 1
_TFD_TIMER_ABSTIME = 1
_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC  # what TFD_NONBLOCK and TFD_CLOEXEC are


class _Timespec(ctypes.Structure):
    _fields_ = (("sec", ctypes.c_long), ("nsec", ctypes.c_long))


class _Itimerspec(ctypes.Structure):
    _fields_ = (("interval", _Timespec), ("value", _Timespec))


_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


class AbsoluteTimer:
    """A timer with a descriptor that becomes readable at a given moment (monotonic s).

    >>> with AbsoluteTimer() as timer:
    ...     timer.set(time.monotonic() - 1.0)  # what is past fires at once
    ...     timer.fired()
    True
    """

    def __init__(self) -> None:
        self._fd = _checked(_libc.timerfd_create(_CLOCK_MONOTONIC, _FLAGS))

    def fileno(self) -> int:
        """The descriptor, as `select.poll` wants it."""
        return self._fd

    def set(self, at: float | None) -> None:
        """Fire at `at` (monotonic s), in place of what was set; None: never."""
        sec, nsec = (0, 0) if at is None else divmod(max(1, round(at * 1e9)), 1_000_000_000)
        spec = _Itimerspec(_Timespec(0, 0), _Timespec(sec, nsec))
        _checked(_libc.timerfd_settime(self._fd, _TFD_TIMER_ABSTIME, ctypes.byref(spec), None))

    def fired(self) -> bool:
        """Whether it has fired since it was last set or asked."""
        try:
            os.read(self._fd, 8)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def sleep_until(at: float) -> None:
    """Sleep to an absolute monotonic time; at once where it is past.

    `time.sleep` is an absolute clock_nanosleep from Python 3.11 on.
    """
    ahead = at - time.monotonic()
    if ahead > 0.0:
        time.sleep(ahead)


# Real time: the system is asked to run this process first and keep it in memory.

PRIORITY = 20
"""Above every ordinary process, below the kernel's own interrupt threads (50)."""

_MCL_CURRENT = 1

_WAY_OUT = (
    "allow it with the lines `@gpio - rtprio 20` and `@gpio - memlock 262144` in "
    "/etc/security/limits.d/companion.conf, then log in again"
)


@dataclass(frozen=True, slots=True)
class RealTime:
    """What the system granted; `note` is a sentence for people."""

    first: bool
    in_memory: bool
    note: str


def ask_first() -> str | None:
    """Ask for SCHED_FIFO for this thread and those it starts; None, or why it was refused."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except (OSError, AttributeError) as error:
        return str(error)
    return None


def ask_in_memory() -> str | None:
    """Pin the pages of now in memory; None, or why it was refused.

    Only those of now: with a limit on locked memory, locking the future too would let a later
    allocation fail.
    """
    gc.collect()
    gc.freeze()  # what stands now is never walked again: a collection takes microseconds
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlockall(_MCL_CURRENT) == 0:
        return None
    return os.strerror(ctypes.get_errno())


def granted(first: str | None, in_memory: str | None) -> RealTime:
    """Put the two refusals (None: granted) into words."""
    refused = [
        f"{wish} was refused ({why})"
        for wish, why in (("real-time scheduling", first), ("locking memory", in_memory))
        if why is not None
    ]
    note = f"{' and '.join(refused)}: {_WAY_OUT}" if refused else "real-time, locked in memory"
    return RealTime(first is None, in_memory is None, note)
