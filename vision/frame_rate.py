"""When the frames of a drawn camera are taken: by their number, or held to a clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(slots=True)
class FrameRate:
    """Without a clock, frame n is taken at `start_s` + n / `fps` and nothing waits.

    With `clock` the frames carry its time, and `wait` (such as `time.sleep`) is asked to hold the
    rate.

    >>> FrameRate(20.0, 5.0).take(3)
    5.15
    """

    fps: float
    start_s: float = 0.0
    clock: Callable[[], float] | None = None
    wait: Callable[[float], None] | None = None

    def take(self, number: int) -> float:
        """The time at which a frame is taken, once it has come."""
        due = self.start_s + number / self.fps
        if self.clock is None:
            return due
        now = self.clock()
        if number == 0 or now - due > 1.0:  # first, or far behind: the rate counts from here
            self.start_s, due = now - number / self.fps, now
        if self.wait is not None and now < due:
            self.wait(due - now)
            now = self.clock()
        return now
