"""MatchKeeping: how the referee writes one match into the record, and what is noted with it.

A record on a server may stall in the middle of a match. Whoever keeps a match there says how long
that may take (`bounded`) and where it is kept meanwhile (`stand_in`): from the first stall on the
whole match is written there, and it comes home when the record is opened again.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from companion.core.errors import (
    RecordDamaged,
    RecordError,
    RecordReadOnly,
    WrittenElsewhere,
)
from companion.core.offers import Stamp
from companion.record.file import Export
from companion.record.lines import UNSEALED, Closing, StoredLine, closing_row, next_row, seal
from companion.record.store import is_url
from companion.referee.referee import Keeping

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from companion.match.match import Match
    from companion.record.record import Record

A_MATCH_BYTES = 50_000_000
"""What a match with its pictures may take."""


def short_of_room(record: Record) -> str:
    """That there is too little room for a match, in a sentence; empty where there is enough.

    Nothing is said of a server's disk.
    """
    if is_url(record.name):
        return ""
    try:
        free = shutil.disk_usage(Path(record.name).parent).free
    except OSError:
        return ""
    if free >= A_MATCH_BYTES:
        return ""
    return (
        f"The disk has {free // 1_000_000} MB left, and a match with its pictures may take "
        f"{A_MATCH_BYTES // 1_000_000} MB."
    )


def sealed(match: Match[Any]) -> Export:
    """A match as a record takes it over whole: its lines, and what it ended with if it has."""
    rows: list[StoredLine] = []
    for entry in match.entries:
        rows.append(next_row(rows[-1].chain if rows else UNSEALED, entry))
    closing = None
    if match.outcome is not None:
        closing = closing_row(Closing.of(match, match.entries[-1].at_utc), rows[-1])
    return Export(rows[0].chain[:10], tuple(rows), closing)


T = TypeVar("T")


class Bounded(Protocol):
    """Calls what it is given, and raises RecordError where that takes too long."""

    def __call__(self, call: Callable[[], T], /) -> T: ...


def at_once(call: Callable[[], T], /) -> T:
    """Wait as long as it takes."""
    return call()


@dataclass(slots=True)
class MatchKeeping:
    """Writes one match. It is created in the record with its first line that the disk takes.

    `boot_id` names this boot: the rest of a round is noted in its monotonic seconds. `bounded`
    calls what it is given and raises RecordError where that takes too long; `stand_in` opens the
    record that takes the match then.
    """

    record: Record
    match: Match[Any]
    boot_id: str
    match_id: str = ""
    bounded: Bounded = at_once
    stand_in: Callable[[], Record] | None = None
    away: str = ""
    """Why the match is kept elsewhere; empty while its record takes it."""

    def for_referee(self) -> Keeping:
        """The three verbs that a referee needs."""
        return Keeping(self.append, self.note_rest, self.last_rest)

    def append(self, entries: Sequence[Entry]) -> None:
        """Write log lines durably; RecordError where the disk does not take them."""
        closing = self._closing()
        if not self.away:
            write = partial(self._write, self.record, self.match_id, entries, closing)
            try:
                self.bounded(write)
            except (RecordReadOnly, RecordDamaged, WrittenElsewhere):
                raise
            except RecordError as silent:
                self._leave(silent)
            else:
                return
        self._write_away(closing)

    def _write(
        self, record: Record, match_id: str, entries: Sequence[Entry], closing: Closing | None
    ) -> None:
        """Write lines into a record, and what they ended with.

        A call that stalled may come to its end while the match is kept elsewhere: it writes what it
        was given, where it was begun.
        """
        if not match_id:
            first = self.match.entries[0]
            stamp = Stamp(first.author, first.at_utc, first.match_s)
            match_id = record.create(self.match.setup, stamp)
            if record is self.record:
                self.match_id = match_id
        record.append(match_id, entries)
        if closing is not None:
            record.finish(match_id, closing)

    def _closing(self) -> Closing | None:
        """What the match ended with: it stands beside its log, for lists that replay nothing.

        Written after every line that comes while it stands: the record takes a line that follows
        for a match that goes on.
        """
        if self.match.outcome is None:
            return None
        return Closing.of(self.match, self.match.entries[-1].at_utc)

    def _leave(self, silent: RecordError) -> None:
        """Keep the match elsewhere from now on; RecordError where there is no such place."""
        if self.stand_in is None:
            raise silent
        self.record, self.away = self.stand_in(), str(silent)

    def _write_away(self, closing: Closing | None) -> None:
        """The whole match stands there, also what its own record has of it already.

        Where an older course of it waits there to come home, this one gets a name of its own.
        """
        whole = replace(sealed(self.match), closing=None)
        match_id = self.match_id or whole.match_id
        took = self.record.take(replace(whole, match_id=match_id))
        if took.differs:
            other = seal(whole.rows[-1].chain, match_id)[:10]
            took = self.record.take(replace(whole, match_id=other))
        self.match_id = took.match_id
        if closing is not None:
            self.record.finish(self.match_id, closing)

    def note_rest(self, key: str, rest_s: float, now: float) -> None:
        """Note what is left of the running round; where that stalls the match is kept elsewhere."""
        if not self.match_id:
            return
        rest = (key, rest_s, self.boot_id, now)
        if not self.away:
            try:
                self.bounded(partial(self.record.note_rest, self.match_id, *rest))
            except (RecordReadOnly, RecordDamaged):
                raise
            except RecordError as silent:
                self._leave(silent)
                self._write_away(self._closing())
            else:
                return
        self.record.note_rest(self.match_id, *rest)

    def last_rest(self, key: str) -> float | None:
        """What was last noted of a round."""
        if not self.match_id:
            return None
        ask = partial(self.record.last_rest, self.match_id, key)
        rest = ask() if self.away else self.bounded(ask)
        return None if rest is None else rest.rest_s
