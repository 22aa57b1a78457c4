"""What goes wrong on a line: garbage, torn lines, delays, duplicates, losses; by a seed."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, fields
from random import Random

from companion.errors import BadCall

GARBAGE_MAX = 40


@dataclass(frozen=True, slots=True)
class Faults:
    """How often each line suffers what (0 to 1), and what befalls the box itself.

    `garbage` changes, adds or takes bytes anywhere in it; `torn` cuts it short, its end included;
    `delayed` holds it and all behind it back for up to `delay_s`. `drift` is how much faster the
    box's clock goes (s/s); resets and pulled cables come after `reset_s` and `unplug_s` on average
    (0: never).
    """

    garbage: float = 0.0
    torn: float = 0.0
    duplicate: float = 0.0
    missing: float = 0.0
    delayed: float = 0.0
    delay_s: float = 0.05
    drift: float = 0.0
    reset_s: float = 0.0
    unplug_s: float = 0.0

    def __post_init__(self) -> None:
        for share in ("garbage", "torn", "duplicate", "missing", "delayed"):
            if not 0.0 <= getattr(self, share) <= 1.0:
                raise BadCall(f"{share} is a share from 0 to 1, not {getattr(self, share):g}")
        if not -0.01 <= self.drift <= 0.01:
            raise BadCall(f"drift is from -0.01 to 0.01 seconds a second, not {self.drift:g}")
        for span in ("delay_s", "reset_s", "unplug_s"):
            if not 0.0 <= getattr(self, span) < float("inf"):
                raise BadCall(f"{span} is a number of seconds, not {getattr(self, span):g}")


def faults_of(words: list[str]) -> Faults:
    """Faults as they are typed: `garbage=0.01 unplug_s=30`; BadCall names those there are.

    >>> faults_of(["torn=0.5", "drift=20e-6"])
    Faults(garbage=0.0, torn=0.5, duplicate=0.0, missing=0.0, delayed=0.0, delay_s=0.05, \
drift=2e-05, reset_s=0.0, unplug_s=0.0)
    """
    names = [field.name for field in fields(Faults)]
    given: dict[str, float] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = None
        if name not in names or number is None:
            raise BadCall(f"{word!r} is no FAULT=NUMBER with a fault of {', '.join(names)}")
        given[name] = number
    return Faults(**given)


class FaultyWire:
    """One direction of a line: put lines in, take bytes out when they are due, in order."""

    def __init__(self, faults: Faults, chance: Random) -> None:
        self._faults = faults
        self._chance = chance
        self._held: deque[tuple[float, bytes]] = deque()
        self.spoilt = 0

    def put(self, line: bytes, now: float) -> None:
        """A line sets out at `now`."""
        faults = self._faults
        if self._happens(faults.missing):
            return
        copies = 2 if self._happens(faults.duplicate) else 1
        late_s = self._chance.uniform(0.0, faults.delay_s) if self._happens(faults.delayed) else 0.0
        due = max(now + late_s, self._held[-1][0] if self._held else now)
        for _ in range(copies):
            self._held.append((due, self._suffered(line)))

    def take(self, now: float) -> bytes:
        """What has arrived by `now`."""
        come = bytearray()
        while self._held and self._held[0][0] <= now:
            come += self._held.popleft()[1]
        return bytes(come)

    @property
    def next_at(self) -> float | None:
        """When something arrives."""
        return self._held[0][0] if self._held else None

    def _happens(self, share: float) -> bool:
        happens = share > 0.0 and self._chance.random() < share
        self.spoilt += happens
        return happens

    def _suffered(self, line: bytes) -> bytes:
        if self._happens(self._faults.torn):
            line = line[: self._chance.randrange(len(line))]
        if self._happens(self._faults.garbage):
            line = self._garbled(line)
        return line

    def _garbled(self, line: bytes) -> bytes:
        """A stretch anywhere in the line becomes other bytes, more or fewer."""
        begin = self._chance.randrange(len(line) + 1)
        end = min(len(line), begin + self._chance.randrange(8))
        noise = self._chance.randbytes(self._chance.randrange(GARBAGE_MAX))
        return line[:begin] + noise + line[end:]
