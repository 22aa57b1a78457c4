"""What the table and the record are told of each other, and the camera of the table."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AcceptTable:
    """Take the table's placement over into the record (held)."""

    reason: str = "table accepted"


@dataclass(frozen=True, slots=True)
class FollowRecord:
    """The record is right: hands put the pieces back, the camera waits for it."""


@dataclass(frozen=True, slots=True)
class TrustRecord:
    """Go on without the camera until the next answer: pieces stand as recorded."""


@dataclass(frozen=True, slots=True)
class LookAgain:
    """Forget the last sighting and look afresh."""


@dataclass(frozen=True, slots=True)
class HoldSight:
    """A touch on the body: what was about to be accepted by sight now waits for a tap."""


@dataclass(frozen=True, slots=True)
class LearnLook:
    """Learn how a token looks, which lies alone on the boards; "" for the boards with none."""

    piece: str


@dataclass(frozen=True, slots=True)
class ForgetLook:
    """Know a token no longer by its look (held)."""

    piece: str


@dataclass(frozen=True, slots=True)
class Calibrate:
    """Find the boards anew, and keep where they lie."""
