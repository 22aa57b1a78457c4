"""Events of the box: each once, in order, or named as lost. Pure bookkeeping of numbers."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.firmware.frame import Frame

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
