"""Presses out of raw edges: contacts bounce, drivers report twice, wires catch noise, keys jam.

Pure arithmetic on timestamps: nothing here waits or reads a clock. Feed each edge with `edge`, ask
`wakes_at` when to look again, and call `tick` with the level that the pin has then, which also
mends edges that a driver lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.core.offers import LONG_PRESS_S, Button, Press

SETTLE_S = 0.01
"""A level counts once it has stood this long; bounces of common keys last under 5 ms."""

GAP_S = 0.15
"""A press so soon after a release is the same press: a finger that slid, a tired spring."""

STUCK_S = 10.0
"""A button held so long is jammed or shorted: said once, and nothing of it counts until freed."""

CHATTER_S = 1.0
"""A line that has not settled for so long is broken or catches noise: said once."""


class Contact(StrEnum):
    """What is wrong with a button, or that it is well again."""

    STUCK = "stuck"
    CHATTER = "chatter"
    FREED = "freed"


@dataclass(frozen=True, slots=True)
class ButtonFault:
    """A button that jams, chatters, or is well again; `at` in monotonic s."""

    button: Button
    fault: Contact
    at: float


Told = Press | ButtonFault


class Debouncer:
    """One button. A press is told `SETTLE_S` after its first contact, and dated by that.

    Held on for `LONG_PRESS_S` it is told once more, as a long one.

    >>> key = Debouncer(Button.REFEREE)
    >>> [key.edge(down, at) for down, at in ((True, 1.0), (False, 1.001), (True, 1.002))]
    [[], [], []]
    >>> key.tick(True, 1.02)
    [Press(button=<Button.REFEREE: 'referee'>, at=1.0, held_s=0.0)]
    """

    def __init__(self, button: Button) -> None:
        self.button = button
        self._down = False  # the level that has settled
        self._level = False  # the level last seen, settled or not
        self._level_at = 0.0
        self._burst_at: float | None = None  # when the present unrest began
        self._press_at = 0.0
        self._long = False  # the present press has been told as a long one
        self._released_at = float("-inf")
        self._fault: Contact | None = None

    @property
    def down(self) -> bool:
        """Whether the button is down, bounces aside."""
        return self._down

    @property
    def wakes_at(self) -> float | None:
        """When `tick` has something to say if no edge comes; None while the button rests."""
        if self._burst_at is not None:
            return self._level_at + SETTLE_S
        if not self._down or self._fault is Contact.STUCK:
            return None
        return self._press_at + (STUCK_S if self._long else LONG_PRESS_S)

    def edge(self, down: bool, at: float) -> list[Told]:  # noqa: FBT001 - the level itself
        """Take a change of level at `at`; what it makes certain about the time before it."""
        told = self.tick(self._level, at)
        if down != self._level:  # else the driver reported the same edge twice
            self._level = down
            self._level_at = at
            if self._burst_at is None:
                self._burst_at = at
        return told

    def tick(self, down: bool, now: float) -> list[Told]:  # noqa: FBT001 - the level itself
        """Take the level at `now`; the presses and faults that are certain by then."""
        told = self._settled(now)
        if down != self._level:  # an edge was lost on its way
            told += self.edge(down, now)
        return told + self._aged(now)

    def _settled(self, now: float) -> list[Told]:
        if self._burst_at is None or now - self._level_at < SETTLE_S:
            return []
        began, self._burst_at = self._burst_at, None
        told = self._well(now, Contact.CHATTER)
        if self._level == self._down:
            return told  # noise shorter than a finger
        self._down = self._level
        return told + (self._pressed(began) if self._down else self._released(began, now))

    def _pressed(self, at: float) -> list[Told]:
        self._press_at, self._long = at, False
        return [Press(self.button, at)] if at - self._released_at >= GAP_S else []

    def _released(self, at: float, now: float) -> list[Told]:
        self._released_at = at
        return self._well(now, Contact.STUCK)

    def _aged(self, now: float) -> list[Told]:
        if self._burst_at is not None:
            return self._ill(now, Contact.CHATTER) if now - self._burst_at >= CHATTER_S else []
        held_s = now - self._press_at if self._down else 0.0
        told: list[Told] = []
        if held_s >= LONG_PRESS_S and not self._long:
            self._long = True
            told.append(Press(self.button, self._press_at, LONG_PRESS_S))
        return told + (self._ill(now, Contact.STUCK) if held_s >= STUCK_S else [])

    def _ill(self, now: float, fault: Contact) -> list[Told]:
        if self._fault is not None:
            return []
        self._fault = fault
        return [ButtonFault(self.button, fault, now)]

    def _well(self, now: float, fault: Contact) -> list[Told]:
        if self._fault is not fault:
            return []
        self._fault = None
        return [ButtonFault(self.button, Contact.FREED, now)]
