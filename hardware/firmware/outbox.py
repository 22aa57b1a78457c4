"""Events on their way to the companion: kept and sent again until they are acknowledged."""

from hardware.firmware.frame import EVENT, encode

KEPT = 128
"""Unacknowledged events that are kept; one more pushes the oldest out, and that is told."""

WINDOW = 32
"""Events on the way at the same time."""

RESEND_US = 200_000
HASTE_US = 20_000
"""After so long an acknowledgement that repeats the last one means that a line was lost."""


class Outbox:
    """Numbers events from 1; `next` is the number of the one to come."""

    def __init__(self) -> None:
        self.next = 1
        self._waiting: list[tuple[int, bytes]] = []  # number and line, the oldest first
        self._sent = 0  # the highest number sent since the last time round
        self._sent_at = 0

    def put(self, word: str, fields: list[tuple[str, object]]) -> int:
        """Add an event; its number."""
        number = self.next
        self._waiting.append((number, encode(EVENT, number, word, fields)))
        self.next = number + 1
        if len(self._waiting) > KEPT:
            self._waiting.pop(0)
        return number

    @property
    def first(self) -> int:
        """The oldest event that can still be sent; `next` if none waits."""
        return self._waiting[0][0] if self._waiting else self.next

    def acknowledge(self, number: int, now: int) -> None:
        """The companion has every event up to this number, and waits for the one after it."""
        if number == self.first - 1 < self._sent and now - self._sent_at >= HASTE_US:
            self.again()
        while self._waiting and self._waiting[0][0] <= number:
            self._waiting.pop(0)
            self._sent_at = now  # it listens: what follows gets its time anew

    def again(self) -> None:
        """Send everything that waits once more: somebody has just begun to listen."""
        self._sent = 0

    def due(self, now: int) -> list[bytes]:
        """The lines to send now."""
        if self._sent and self._waiting and now - self._sent_at >= RESEND_US:
            self._sent = 0
        lines = [line for number, line in self._waiting[:WINDOW] if number > self._sent]
        if lines:
            self._sent = self._waiting[min(WINDOW, len(self._waiting)) - 1][0]
            self._sent_at = now
        return lines
