"""What the referee's sides may use of it, what listeners are told, and what was last refused."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from companion.core.offers import Offer
    from companion.core.round_clock import RoundClock
    from companion.core.ruling import Cite, Json, Notice
    from companion.match.match import Match
    from companion.referee.phase import TimedPhase
    from companion.referee.sight import Sight

_LOG = logging.getLogger(__name__)


class Happening(StrEnum):
    """What listeners are told has happened; they ask the referee for the rest."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    STALE = "stale"
    SEEN = "seen"
    CLOCK = "clock"
    UNWRITTEN = "unwritten"
    OVER = "over"


class Listeners(list[Callable[[Happening], None]]):
    """Everybody who wants to be told. Where one fails, that is logged and the others are told.

    `fault` names the last failure; empty while there was none.
    """

    def __init__(self) -> None:
        super().__init__()
        self.fault = ""

    def tell(self, happening: Happening) -> None:
        """Tell everybody; never raises."""
        for listener in tuple(self):
            try:
                listener(happening)
            except Exception as wrong:  # noqa: BLE001 - whatever it is, the rest still hear
                self.fault = f"{type(wrong).__name__} when told that it was {happening}: {wrong}"
                _LOG.exception("a listener failed when told that it was %s", happening)


@dataclass(frozen=True, slots=True)
class LastRefused:
    """The last answer that was not taken, until a valid one follows."""

    offer: Offer
    code: str
    text: str
    cite: Cite | None


@dataclass(frozen=True, slots=True)
class Source:
    """Where a confirmed answer came from, and when it counted (`at`, monotonic s)."""

    source: str
    at: float
    second: str = ""


class Desk(Protocol):
    """What buttons, slot sensors and late cards may use of the referee, who is one."""

    @property
    def match(self) -> Match[Any]:
        """The match at this table."""
        ...

    @property
    def phase(self) -> TimedPhase:
        """The timed phase."""
        ...

    @property
    def clock(self) -> RoundClock | None:
        """The phase's clock while a timed phase is open."""
        ...

    @property
    def sight(self) -> Sight:
        """What the camera sees."""
        ...

    @property
    def listeners(self) -> Listeners:
        """Who is told what happens."""
        ...

    def take(self, offer: Offer, now: float) -> None:
        """Take an offered answer, or refuse it in words."""
        ...

    def report(
        self, fact: Mapping[str, Json], now: float, *, reason: str = "", by: str = ""
    ) -> Notice | None:
        """What the table saw and no question asked."""
        ...

    def halt(self, now: float, *, reason: str = "", by: str = "") -> None:
        """Stop the clock if one runs."""
        ...

    def run_on(self, now: float, *, reason: str = "", by: str = "") -> None:
        """Let the clock run if one stands."""
        ...

    def note_clock(
        self, events: Sequence[Mapping[str, Json]], now: float, *, reason: str = "", by: str = ""
    ) -> None:
        """Log what the clock did, and who had it do so and why."""
        ...
