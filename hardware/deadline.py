"""The timeline of a round and its sounds: every edge at an absolute time, nothing here waits.

`due` hands out what must happen by `now`, in order. Each edge of a pattern is counted from the
pattern's beginning, so a late edge delays no other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.round_clock import Running
from hardware.panel import FLASHES, PATTERNS, Lamps, Sound, lamps_at

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
    heard: bool = True

    @property
    def zero(self) -> bool:
        return self.rest_s <= 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """What must happen at `at` (monotonic s); None leaves a thing as it is."""

    at: float
    buzz: bool | None = None
    lamps: Lamps | None = None
    sign: Sign | None = None
    sound: Sound | None = None


class Timeline:
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

    def arm(self, running: Running, cues: Sequence[float], now: float) -> Step:
        """Plan the signs of a round, in place of the armed one; the lamps it begins with."""
        ahead = {cue for cue in cues if cue > 0.0 and running.deadline - cue > now + AHEAD_S}
        self._running = running
        rests = sorted({*ahead, 0.0}, reverse=True)  # zero last, however small a cue is
        self._signs = [(running.deadline - rest, rest) for rest in rests]
        return Step(now, lamps=lamps_at(running.deadline - now))

    def stop(self, now: float) -> float:
        """Forget the armed round; the seconds it had left, 0.0 if none was armed."""
        running, self._running = self._running, None
        self._signs = []
        return 0.0 if running is None else max(0.0, running.deadline - now)

    def sound(self, sound: Sound, now: float) -> Step | None:
        """Begin a pattern in place of the present one; None while zero sounds."""
        if self._sounding is Sound.LOCK:
            return None
        return self._begin(sound, now)

    def due(self, now: float) -> Iterator[Step]:
        """What must happen by `now`, the earliest first; each is handed out once."""
        while (at := self.next_at) is not None and at <= now:
            if self._signs and self._signs[0][0] == at:
                yield self._next_sign(now)
            else:
                yield self._next_edge()

    def _next_sign(self, now: float) -> Step:
        at, rest_s = self._signs.pop(0)
        assert self._running is not None
        heard = not (self._signs and self._signs[0][0] <= now)  # overtaken: the later one sounds
        sign = Sign(self._running.round_id, rest_s, heard)
        if sign.zero:
            self._running = None
        if not heard:
            return Step(at, sign=sign)
        sound = Sound.LOCK if sign.zero else Sound.CUE
        self._begin(sound, at if now - at <= PUNCTUAL_S else now)
        return Step(at, buzz=True, lamps=lamps_at(rest_s), sign=sign, sound=sound)

    def _begin(self, sound: Sound, now: float) -> Step:
        first, *others = (FLASHES if self.silent else PATTERNS)[sound]
        self._sounding = sound
        self._edges = [(now + first.end_s, False)]
        for beep in others:
            self._edges += [(now + beep.start_s, True), (now + beep.end_s, False)]
        return Step(now, buzz=True, sound=sound)

    def _next_edge(self) -> Step:
        at, on = self._edges.pop(0)
        if not self._edges:
            self._sounding = None
        return Step(at, buzz=on)
