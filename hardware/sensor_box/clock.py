"""How the sensor box's clock stands to ours, and how wrong that can be at most.

Every question "what time is it?" gives a bound and no guess: the box read its clock after we asked
and before we heard, so the offset lies between two numbers. A line of offset over time must pass
between all of them; the room that is left to it is the error, drift included. No clock is read
here.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

KEPT = 32
"""Round trips that are looked at together: half a minute at one a second."""

DRIFT_MAX = 300e-6
"""Seconds a second. Crystals stay within 100 millionths; a box that drifts more is broken."""

BREATH_S = 1e-6
"""Room that each bound gets: a crystal's own drift moves with its temperature."""


@dataclass(frozen=True, slots=True)
class RoundTrip:
    """One question and its answer: when we asked and heard (monotonic s), what the box said (us).

    `got_us` is when the box read the question, `at_us` when it answered.
    """

    asked: float
    got_us: int
    at_us: int
    heard: float

    @property
    def length_s(self) -> float:
        """How long the line had it, there and back, without what the box took for itself."""
        return (self.heard - self.asked) - (self.at_us - self.got_us) * 1e-6


@dataclass(frozen=True, slots=True)
class BoxMoment:
    """A moment of the box on our clock: monotonic s, and by how much it can be wrong."""

    at: float
    error_s: float


@dataclass(frozen=True, slots=True)
class ClockFit:
    """All lines between the bounds, as seen from box time `from_s`.

    `low` and `high`: our clock at that moment; `slow` and `fast`: least and greatest number of our
    seconds that pass in one of the box's.
    """

    from_s: float
    low: float
    high: float
    slow: float
    fast: float

    def ours(self, box_s: float) -> BoxMoment:
        """A moment of the box on our clock."""
        ahead = box_s - self.from_s
        low = self.low + ahead * (self.slow if ahead >= 0.0 else self.fast)
        high = self.high + ahead * (self.fast if ahead >= 0.0 else self.slow)
        return BoxMoment((low + high) / 2, (high - low) / 2)


class BoxTime:
    """Translates the box's microseconds into our monotonic seconds.

    >>> time = BoxTime()
    >>> time.take(RoundTrip(asked=100.000, got_us=5_000_450, at_us=5_000_550, heard=100.001))
    True
    >>> moment = time.ours(5_000_000)
    >>> f"{moment.at:.4f} s, within {moment.error_s * 1000:.2f} ms"
    '100.0000 s, within 0.45 ms'
    """

    def __init__(self) -> None:
        self._trips: deque[RoundTrip] = deque(maxlen=KEPT)
        self._fit: ClockFit | None = None

    @property
    def known(self) -> bool:
        """Whether a moment of the box can be told at all."""
        return self._fit is not None

    @property
    def drift(self) -> float | None:
        """How much faster the box's clock goes than ours (s/s), as far as that is known."""
        return None if self._fit is None else 1.0 - (self._fit.slow + self._fit.fast) / 2

    @property
    def error_s(self) -> float | None:
        """How wrong a moment of just now can be."""
        return None if self._fit is None else (self._fit.high - self._fit.low) / 2

    def forget(self) -> None:
        """The box began anew: its clock is another one."""
        self._trips.clear()
        self._fit = None

    def take(self, trip: RoundTrip) -> bool:
        """Learn from a round trip; False where it contradicts what is known, which is then new.

        A clock that jumped (the host slept, the box was changed) must not be averaged away.
        """
        if trip.heard < trip.asked or trip.length_s < -2 * BREATH_S or trip.at_us < trip.got_us:
            return False
        self._trips.append(trip)
        fit = _fitted(tuple(self._trips))
        if fit is None:
            self._trips.clear()
            self._trips.append(trip)
            self._fit = _fitted((trip,))
            return False
        self._fit = fit
        return True

    def ours(self, box_us: int) -> BoxMoment:
        """A moment of the box on our clock, in monotonic s."""
        assert self._fit is not None
        return self._fit.ours(box_us * 1e-6)

    def box_us(self, ours: float) -> int:
        """Our monotonic seconds on the box's clock, as well as they are known."""
        assert self._fit is not None
        fit = self._fit
        middle, rate = (fit.low + fit.high) / 2, (fit.slow + fit.fast) / 2
        return round((fit.from_s + (ours - middle) / rate) * 1e6)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """At the box's moment `box_s` our clock showed `low` to `high`."""

    box_s: float
    low: float
    high: float


def _bounds(trips: tuple[RoundTrip, ...]) -> Iterator[_Bounds]:
    """Each trip bounds our clock twice: we had asked when it read, and had not heard at its answer.

    Taken together at the middle of the two moments: drift within one trip is nothing.
    """
    for trip in trips:
        took = (trip.at_us - trip.got_us) * 1e-6
        middle_s = trip.got_us * 1e-6 + took / 2
        low, high = trip.asked + took / 2 - BREATH_S, trip.heard - took / 2 + BREATH_S
        yield _Bounds(middle_s, low, high)


def _fitted(trips: tuple[RoundTrip, ...]) -> ClockFit | None:
    """The room between all bounds, seen from the latest; None where no line passes between them."""
    bounds = list(_bounds(trips))
    slow, fast = 1.0 - DRIFT_MAX, 1.0 + DRIFT_MAX
    for place, later in enumerate(bounds):
        for earlier in bounds[:place]:
            passed = later.box_s - earlier.box_s
            if passed > 0.0:
                slow = max(slow, (later.low - earlier.high) / passed)
                fast = min(fast, (later.high - earlier.low) / passed)
    if slow > fast:
        return None
    at = bounds[-1].box_s
    low = max(one.low + (at - one.box_s) * slow for one in bounds)
    high = min(one.high + (at - one.box_s) * fast for one in bounds)
    return ClockFit(at, low, high, slow, fast) if low <= high else None
