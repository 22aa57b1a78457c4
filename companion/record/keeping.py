"""MatchKeeping: how the referee writes one match into the record, and what is noted with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.core.offers import Stamp
from companion.record.lines import Closing
from companion.referee.referee import Keeping

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from companion.match.match import Match
    from companion.record.record import Record


@dataclass(slots=True)
class MatchKeeping:
    """Writes one match. It is created in the record with its first line that the disk takes.

    `boot_id` names this boot: the rest of a round is noted in its monotonic seconds.
    """

    record: Record
    match: Match[Any]
    boot_id: str
    match_id: str = ""

    def for_referee(self) -> Keeping:
        """The three verbs that a referee needs."""
        return Keeping(self.append, self.note_rest, self.last_rest)

    def append(self, entries: Sequence[Entry]) -> None:
        """Write log lines durably; RecordError where the disk does not take them."""
        if not self.match_id:
            first = self.match.entries[0]
            stamp = Stamp(first.author, first.at_utc, first.match_s)
            self.match_id = self.record.create(self.match.setup, stamp)
        self.record.append(self.match_id, entries)
        self._finish()

    def _finish(self) -> None:
        """What the match ended with stands beside its log, for lists that replay nothing.

        Written after every line that comes while it stands: the record takes a line that follows
        for a match that goes on.
        """
        if self.match.outcome is not None:
            self.record.finish(self.match_id, Closing.of(self.match, self.match.entries[-1].at_utc))

    def note_rest(self, key: str, rest_s: float, now: float) -> None:
        """Note what is left of the running round."""
        if self.match_id:
            self.record.note_rest(self.match_id, key, rest_s, self.boot_id, now)

    def last_rest(self, key: str) -> float | None:
        """What was last noted of a round."""
        rest = self.record.last_rest(self.match_id, key) if self.match_id else None
        return None if rest is None else rest.rest_s
