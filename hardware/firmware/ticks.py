"""The box's clock: microseconds since it began, out of a counter that wraps every 18 minutes."""

PERIOD = 1 << 30
"""The counter (`time.ticks_us`) starts over at so many microseconds."""


class Clock:
    """Made with the counter as it stands; must be read at least once between two wraps."""

    def __init__(self, ticks: int) -> None:
        self._last = ticks
        self._total = 0

    def at(self, ticks: int) -> int:
        """Microseconds since the box began when the counter read `ticks`, now or not long ago."""
        passed = ((ticks - self._last + PERIOD // 2) % PERIOD) - PERIOD // 2
        if passed <= 0:
            return self._total + passed
        self._total += passed
        self._last = ticks
        return self._total
