"""Clocks for a demonstration: the real one, a faster one, and one that is stepped."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from companion.core.errors import BadCall

FASTEST = 60.0


class PacedClock(Protocol):
    """Monotonic seconds of the table, and a way to let some pass."""

    def __call__(self) -> float: ...

    def wait(self, seconds: float) -> None:
        """Let so many seconds of the table pass."""
        ...


class SteppedClock:
    """Time passes when it is waited for, and only then.

    >>> clock = SteppedClock(100.0)
    >>> clock.wait(2.5)
    >>> clock()
    102.5
    """

    def __init__(self, start_s: float = 0.0) -> None:
        self._now = start_s

    def __call__(self) -> float:
        return self._now

    def wait(self, seconds: float) -> None:
        self._now += seconds


class RunningClock:
    """The real clock, `pace` times as fast; at pace 1 it is the monotonic clock itself."""

    def __init__(
        self,
        pace: float = 1.0,
        *,
        real: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.pace = pace
        self._real, self._sleep = real, sleep
        self._start_s = real()

    def __call__(self) -> float:
        return self._start_s + (self._real() - self._start_s) * self.pace

    def wait(self, seconds: float) -> None:
        self._sleep(seconds / self.pace)


def clock_for(pace: float) -> SteppedClock | RunningClock:
    """The clock of a pace: 0 is stepped, 1 is real; BadCall names what may be said."""
    if not 0.0 <= pace <= FASTEST:
        raise BadCall(f"--pace {pace:g}: 0 steps a clock, 1 is real time, up to {FASTEST:g}")
    return SteppedClock(time.monotonic()) if pace == 0 else RunningClock(pace)
