"""A timed round as arithmetic: time is always passed in, nothing here reads a clock.

`Signals` is the protocol by which a referee speaks to whatever sounds (deadline, lamps, buzzer);
`hardware` implements it, this package does not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from companion.core.errors import BadCall

if TYPE_CHECKING:
    from companion.core.offers import SignalEvent

CUES_S = (10.0, 5.0, 3.0, 2.0, 1.0, 0.0)
"""Seconds left at which lamps and buzzer give a sign; zero ends the phase."""


@dataclass(frozen=True, slots=True)
class Running:
    """A round that a signal process has armed: its deadline on CLOCK_MONOTONIC of this boot."""

    round_id: str
    deadline: float
    total_s: float


class Signals(Protocol):
    """What sounds and shines. Errors: PanelError when the process or its pins are gone."""

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        """Sound `cues` (seconds left) and zero at `deadline` (monotonic s), whatever else hangs."""
        ...

    def stop(self) -> float:
        """Stop the armed round; seconds that were left (0.0 if none was armed)."""
        ...

    def pause(self) -> float:
        """Stop the armed round but leave its lamps lit; seconds that were left."""
        ...

    def stand(self, round_id: str, rest_s: float) -> None:
        """Show a standing clock with this rest; an armed round is forgotten."""
        ...

    def adopt(self) -> Running | None:
        """The round that is still armed from before this process started, if any."""
        ...

    def fired(self, round_id: str) -> SignalEvent | None:
        """The zero of that round if it has sounded already, even while nobody was connected.

        Read from what is kept on disk of what sounded when, so that a restarted app can tell.
        """
        ...

    def history(self, round_id: str) -> Sequence[SignalEvent]:
        """All that was signalled for that round, oldest first; from what is kept on disk."""
        ...

    def show(self, lamps: Sequence[bool]) -> None:
        """Light the countdown lamps as given."""
        ...

    def sound(self, signal: str) -> None:
        """Sound a named pattern: ready, start, lock, end, error, challenge."""
        ...


@dataclass(frozen=True, slots=True)
class RoundClock:
    """One timed phase: `rest_s` was left at `since` (monotonic s); None: it stands.

    Seconds are finite and not negative; anything else is a BadCall. A `now` before `since` (another
    boot's clock, say) never adds time.

    >>> clock = RoundClock.fresh("round-1", 20.0).resumed(now=100.0)
    >>> clock.rest(now=103.5), clock.deadline
    (16.5, 120.0)
    >>> clock.paused(now=103.5).given(5.0).rest(now=999.0)
    21.5
    """

    round_id: str
    total_s: float
    rest_s: float
    since: float | None = None

    def __post_init__(self) -> None:
        for name, seconds in (("total_s", self.total_s), ("rest_s", self.rest_s)):
            if not 0.0 <= seconds < math.inf:
                raise BadCall(f"{self.round_id}: {name} is a number of seconds, not {seconds}")

    @classmethod
    def fresh(cls, round_id: str, total_s: float) -> RoundClock:
        """A round not yet started: all its time left, standing."""
        return cls(round_id, total_s, total_s)

    @classmethod
    def adopted(cls, running: Running, now: float) -> RoundClock:
        """The round that a signal process has armed: running with what is left of it."""
        rest_s = max(0.0, running.deadline - now)
        return cls(running.round_id, max(running.total_s, rest_s), rest_s, now)

    @classmethod
    def interrupted(cls, round_id: str, total_s: float, noted_s: float) -> RoundClock:
        """A round that nothing keeps any more: standing with the rest last noted.

        Monotonic times of before (another boot's, perhaps) mean nothing, so none is asked for. A
        rest above the total is time that was given, and stays.
        """
        rest_s = max(0.0, noted_s)
        return cls(round_id, max(total_s, rest_s), rest_s)

    @property
    def running(self) -> bool:
        return self.since is not None

    @property
    def deadline(self) -> float | None:
        """Monotonic seconds of zero while running; None while it stands."""
        return None if self.since is None else self.since + self.rest_s

    def rest(self, now: float) -> float:
        """Seconds left at `now`, never below zero and never more than there were."""
        if self.since is None:
            return self.rest_s
        return min(self.rest_s, max(0.0, self.rest_s - (now - self.since)))

    def resumed(self, now: float) -> RoundClock:
        """Running from `now` with what is left; unchanged if it runs already."""
        return self if self.running else RoundClock(self.round_id, self.total_s, self.rest_s, now)

    def paused(self, now: float) -> RoundClock:
        """Standing with what was left at `now`."""
        return RoundClock(self.round_id, self.total_s, self.rest(now))

    def given(self, seconds: float, now: float | None = None) -> RoundClock:
        """With `seconds` more (or fewer) on it; the preset of later rounds is not touched.

        A running round wants `now`: what has run below zero counts from zero, so that five seconds
        given are five seconds had.
        """
        if not math.isfinite(seconds):
            raise BadCall(f"{self.round_id}: {seconds} s cannot be given; name a number of seconds")
        if self.since is None:
            return RoundClock(self.round_id, self.total_s, max(0.0, self.rest_s + seconds))
        if now is None:
            raise BadCall(f"{self.round_id} is running: say when the {seconds:g} s are given")
        return self.paused(now).given(seconds).resumed(now)
