"""What a panel is: countdown lamps, a buzzer with named sounds, five buttons.

Two layers are never mixed. A `SignalPanel` speaks intent ("sound start"); `Wires` speak electricity
("buzzer on"). Between them stands the signal process, which turns a sound into edges at absolute
times, because a library that sleeps between edges drifts.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from companion.core.errors import BadCall
from companion.core.offers import Button, Press
from hardware.panel.debounce import ButtonFault, Contact, Debouncer, Told
from hardware.panel.pins import LAMPS_S

Lamps = tuple[bool, ...]
"""Lit or dark, a lamp each, in the order of `LAMPS_S`."""

DARK: Lamps = tuple(False for _ in LAMPS_S)


def lamps_at(rest_s: float) -> Lamps:
    """The lamps of a round with `rest_s` seconds left: they fill from the left, all lit at zero.

    >>> any(lamps_at(12.0)), lamps_at(4.2)[:3], all(lamps_at(0.0))
    (False, (True, True, False), True)
    """
    return tuple(rest_s <= at_s for at_s in LAMPS_S)


def every_lamp(lamps: Sequence[bool]) -> Lamps:
    """The lamps as given, if it is each of them; BadCall otherwise."""
    if len(lamps) != len(LAMPS_S):
        seconds = ", ".join(f"{at_s:g}" for at_s in LAMPS_S)
        raise BadCall(f"a panel has {len(LAMPS_S)} lamps ({seconds} s), not {len(lamps)}")
    return tuple(bool(lamp) for lamp in lamps)


class Sound(StrEnum):
    """The sounds by name; no two are alike, so that nobody takes a warning for the end."""

    READY = "ready"
    START = "start"
    CUE = "cue"
    LOCK = "lock"
    END = "end"
    ERROR = "error"
    CHALLENGE = "challenge"


def sound_named(name: str) -> Sound:
    """The sound of that name; BadCall with the names there are."""
    try:
        return Sound(name)
    except ValueError:
        raise BadCall(f"no sound {name!r}; there are {', '.join(Sound)}") from None


@dataclass(frozen=True, slots=True)
class Beep:
    """One stretch of noise in a pattern: when it begins and how long it lasts, in s."""

    start_s: float
    length_s: float

    @property
    def end_s(self) -> float:
        return self.start_s + self.length_s


Pattern = tuple[Beep, ...]

PATTERNS: Mapping[Sound, Pattern] = {
    Sound.READY: (Beep(0.0, 0.05),),
    Sound.START: (Beep(0.0, 0.1), Beep(0.2, 0.1)),
    Sound.CUE: (Beep(0.0, 0.15),),
    Sound.LOCK: (Beep(0.0, 1.0),),
    Sound.END: (Beep(0.0, 0.6), Beep(0.8, 0.6), Beep(1.6, 0.6)),
    Sound.ERROR: (Beep(0.0, 0.05), Beep(0.1, 0.05), Beep(0.2, 0.05)),
    Sound.CHALLENGE: (Beep(0.0, 0.4), Beep(0.5, 0.1), Beep(0.7, 0.4)),
}
"""Every sound as a buzzer gives it; the loudspeaker plays the same rhythm."""

FLASHES: Mapping[Sound, Pattern] = {
    **PATTERNS,
    Sound.LOCK: tuple(Beep(at, 0.1) for at in (0.0, 0.2, 0.4, 0.6, 0.8)),
}
"""Every sound as the lamps give it in silent mode: they turn over, lit and dark, in this rhythm."""

TONES_HZ: Mapping[Sound, float] = {
    Sound.READY: 880.0,
    Sound.START: 660.0,
    Sound.CUE: 990.0,
    Sound.LOCK: 330.0,
    Sound.END: 440.0,
    Sound.ERROR: 220.0,
    Sound.CHALLENGE: 520.0,
}
"""The pitch of every sound, on the loudspeaker and on a buzzer that has no tone of its own."""

Percent = int


@dataclass(frozen=True, slots=True)
class Manner:
    """How loud and how bright a panel is, in percent; `silent`: lamps flash instead of sounds.

    Silent is the club's mode for a room in which others think: nothing sounds at any volume.
    """

    volume: Percent = 80
    brightness: Percent = 100
    silent: bool = False

    @property
    def audible(self) -> bool:
        """Whether a sound is heard at all."""
        return self.volume > 0 and not self.silent


def by_ratio(percent: Percent) -> float:
    """A share of full power for a percentage: eye and ear take steps by their ratio.

    >>> by_ratio(100), by_ratio(50), by_ratio(0)
    (1.0, 0.25, 0.0)
    """
    return (percent / 100) ** 2


class SignalPanel(Protocol):
    """Lamps, sounds and buttons as the rest of the program knows them."""

    on_press: Callable[[Press], None] | None

    def show(self, lamps: Sequence[bool]) -> None:
        """Light the countdown lamps as given."""
        ...

    def sound(self, signal: str) -> None:
        """Sound a named pattern; BadCall names those there are."""
        ...


EdgeSink = Callable[[Button, bool, float], None]
"""Takes a raw change of a button: which, whether it is down now, when (monotonic s)."""


class Wires(Protocol):
    """The electricity of a panel; only the signal process holds it."""

    on_edge: EdgeSink | None

    @property
    def factory(self) -> str:
        """The pin factory in use, by the name it was chosen by."""
        ...

    def buzz(self, tone_hz: float, volume: Percent = 100) -> None:
        """Make the buzzer sound, at this pitch if it can; 0.0 is silence."""
        ...

    def light(self, lamps: Lamps, brightness: Percent = 100) -> None:
        """Light the lamps as given."""
        ...

    def levels(self) -> Mapping[Button, bool]:
        """Which of the buttons that are there are down this moment, as the pins say."""
        ...

    def push(self, button: Button, *, down: bool) -> None:
        """Hold or release a button that is only pretended; PanelError on real pins."""
        ...

    def close(self) -> None:
        """Silence and darken everything and let go of the pins; may be called twice."""
        ...


# Buttons: raw edges from the pin library's thread, presses out of them.


class Keys:
    """A debouncer for each button, and a descriptor that is readable once an edge has come.

    `take` may be called from any thread; everything else belongs to the thread at the deadline.
    """

    def __init__(self) -> None:
        self._debouncers = {button: Debouncer(button) for button in Button}
        self._edges: deque[tuple[Button, bool, float]] = deque(maxlen=1024)  # noise cannot fill it
        self._rouse = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._faults: dict[Button, Contact] = {}

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
    def faults(self) -> Mapping[Button, Contact]:
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
            if item.fault is Contact.FREED:
                self._faults.pop(item.button, None)
            else:
                self._faults[item.button] = item.fault
        return told

    def close(self) -> None:
        if self._rouse >= 0:
            os.close(self._rouse)
        self._rouse = -1
