"""What listeners of a referee are told, and what a screen shows of the last answer."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.offers import Offer
    from companion.ruling import Cite


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
