"""A match to sit down at: a new one, or one of the record where its last line left it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from companion.commands.origin import why_drifted
from companion.core.errors import BadCall, Drift, RecordDamaged
from companion.core.offers import Stamp
from companion.core.ruling import TABLE
from companion.match.match import Match
from companion.record.keeping import MatchKeeping
from hardware.signals.folder import boot_id

if TYPE_CHECKING:
    from companion.match.rulebook import Setup
    from companion.record.record import Record


class Stamps:
    """Says who did something and when; `began` is where the match's seconds count from."""

    def __init__(self, began: float) -> None:
        self._began = began

    def __call__(self, author: str, now: float) -> Stamp:
        at = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        return Stamp(author, at, round(now - self._began, 3))


@dataclass(frozen=True, slots=True)
class Standing:
    """A match, its place in the record (None: it is kept nowhere), and what is written of it."""

    match: Match[Any]
    stamps: Stamps
    keeping: MatchKeeping | None = None
    written: int = 0
    saved: str = ""
    """Which damaged file it was saved from, in a sentence."""

    @property
    def match_id(self) -> str:
        """What the record calls it; empty where it has no place."""
        return self.keeping.match_id if self.keeping is not None else ""


def begin(setup: Setup, record: Record | None) -> Standing:
    """A new match; it is in the record with its first line."""
    began = time.monotonic()
    stamps = Stamps(began)
    match = Match[Any].start(setup, stamps(str(TABLE), began))
    keeping = MatchKeeping(record, match, boot_id()) if record is not None else None
    return Standing(match, stamps, keeping)


def take_up(name: str, record: Record) -> Standing:
    """A match of the record, to go on with.

    BadCall: there is none of that name, or it does not replay here. RecordDamaged: it can only be
    looked at.
    """
    loaded = record.load(record.find(name))
    if loaded.damage is not None:
        raise RecordDamaged(
            f"{loaded.damage} Nothing is added to it; `companion export {loaded.match_id}` and "
            "`companion import` make a match of the sound part that can go on."
        )
    try:
        match = Match[Any].replay(loaded.entries)
    except Drift as drift:
        raise BadCall(f"it cannot go on here: {why_drifted(drift, loaded.entries[0])}") from drift
    keeping = MatchKeeping(record, match, boot_id(), loaded.match_id)
    began = time.monotonic() - loaded.entries[-1].match_s
    return Standing(match, Stamps(began), keeping, len(loaded.entries), loaded.saved)
