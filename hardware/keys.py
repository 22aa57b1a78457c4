"""The buttons of a panel: raw edges from the pin library's thread, presses out of them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping
from contextlib import suppress

from companion.offers import Button
from hardware.debounce import ButtonFault, Debouncer, Fault, Told


class Keys:
    """A debouncer for each button, and a descriptor that is readable once an edge has come.

    `take` may be called from any thread; everything else belongs to the thread at the deadline.
    """

    def __init__(self) -> None:
        self._debouncers = {button: Debouncer(button) for button in Button}
        self._edges: deque[tuple[Button, bool, float]] = deque(maxlen=1024)  # noise cannot fill it
        self._rouse = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._faults: dict[Button, Fault] = {}

    def fileno(self) -> int:
        """The descriptor, as `select.poll` wants it."""
        return self._rouse

    def take(self, button: Button, down: bool, at: float) -> None:  # noqa: FBT001 - an EdgeSink
        """Take a raw edge and rouse the thread at the deadline."""
        self._edges.append((button, down, at))
        os.eventfd_write(self._rouse, 1)

    @property
    def wakes_at(self) -> float | None:
        """When `look` has something to tell even without an edge."""
        times = [debouncer.wakes_at for debouncer in self._debouncers.values()]
        return min((at for at in times if at is not None), default=None)

    @property
    def faults(self) -> Mapping[Button, Fault]:
        """The buttons that are jammed or chatter now."""
        return self._faults

    def read(self) -> list[Told]:
        """What the edges that have come make certain."""
        with suppress(BlockingIOError):
            os.eventfd_read(self._rouse)
        told: list[Told] = []
        while self._edges:
            button, down, at = self._edges.popleft()
            told += self._debouncers[button].edge(down, at)
        return self._noted(told)

    def look(self, levels: Mapping[Button, bool], now: float) -> list[Told]:
        """What the pins' own levels make certain at `now`; lost edges are mended by it."""
        told = self.read()
        for button, debouncer in self._debouncers.items():
            told += debouncer.tick(levels.get(button, False), now)
        return self._noted(told)

    def _noted(self, told: list[Told]) -> list[Told]:
        for item in told:
            if not isinstance(item, ButtonFault):
                continue
            if item.fault is Fault.FREED:
                self._faults.pop(item.button, None)
            else:
                self._faults[item.button] = item.fault
        return told

    def close(self) -> None:
        if self._rouse >= 0:
            os.close(self._rouse)
        self._rouse = -1
