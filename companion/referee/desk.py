"""What a referee tells its listeners, and what a screen shows of the last answer."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.offers import Offer
    from companion.core.ruling import Cite

_LOG = logging.getLogger(__name__)


class Happening(StrEnum):
    """What listeners are told; they look at the referee for the rest."""

    ASKED = "asked"
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    STALE = "stale"
    SEEN = "seen"
    CLOCK = "clock"
    UNWRITTEN = "unwritten"
    OVER = "over"


class Listeners(list[Callable[[Happening], None]]):
    """Who wants to be told. One that fails is written down, and keeps nobody else from hearing.

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
class Refused:
    """The last answer that was not taken, until a valid one follows."""

    offer: Offer
    code: str
    text: str
    cite: Cite | None


@dataclass(frozen=True, slots=True)
class Source:
    """Whence a confirmed answer came, and when it counted (`at`, monotonic s)."""

    source: str
    at: float
    second: str = ""
