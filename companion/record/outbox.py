"""What others have to be told of: every match that has changed, by the number of its last change.

A change is noted in the transaction that makes it, so that nothing is carried that is not on disk
and nothing on disk is forgotten. Numbers only grow, and those who write take turns: whoever has
read up to a number has seen all that came before it. How far one record has been told of another
is a row of its own (`carried`), so a link that is cut anywhere is taken up where it stood.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Join, delete, func, insert, select, text, update

from companion.core.errors import RecordDamaged
from companion.record.lines import StoredLine, read_entry, read_rows, seal
from companion.record.listing import list_stored, storable
from companion.record.store import (
    about,
    arrived,
    carried,
    closings,
    differing,
    entries,
    lengths,
    listed,
    matches,
    outbox,
    put_ending,
    put_lines,
    put_match,
    signatures,
)

if TYPE_CHECKING:
    from companion.record.file import Export

IDENTITY = "identity"
"""The row of `about` by which another record knows this one again."""

_NUMBERED = text(
    "INSERT INTO outbox (match_id, number) "
    "SELECT CAST(:match_id AS TEXT), coalesce(max(number), 0) + 1 FROM outbox WHERE true "
    "ON CONFLICT (match_id) DO UPDATE SET number = excluded.number"
)
_ALL_NUMBERED = text(
    "INSERT INTO outbox (match_id, number) "
    "SELECT id, number + (SELECT coalesce(max(number), 0) FROM outbox) FROM matches "
    "WHERE id NOT IN (SELECT match_id FROM outbox)"
)


@dataclass(frozen=True, slots=True)
class Stub:
    """So much of a match as tells whether two records have the same of it.

    `first` and `last` are the seals of its lines 0 and last, `ending` that of what it ended with.
    """

    match_id: str
    first: str
    lines: int | None
    last: str | None
    ending: str | None
    signed: str | None


@dataclass(frozen=True, slots=True)
class Cursor:
    """Up to which change of this record another one was told, and the other way."""

    sent: int = 0
    taken: int = 0


def note_change(database: Connection, match_id: str) -> None:
    """A match has changed in this transaction."""
    database.execute(_NUMBERED, {"match_id": match_id})


def note_missing(database: Connection) -> None:
    """Note matches of which nothing is noted, as an older program's."""
    database.execute(_ALL_NUMBERED)


_STUB = (
    matches.c.id,
    matches.c.chain,
    lengths.c.lines,
    lengths.c.chain,
    closings.c.chain,
    signatures.c.value,
)


def _with_ends() -> Join:
    joined = matches.outerjoin(lengths, lengths.c.match_id == matches.c.id)
    joined = joined.outerjoin(closings, closings.c.match_id == matches.c.id)
    return joined.outerjoin(signatures, signatures.c.match_id == matches.c.id)


class Outbox:
    """What one record tells others: its changes by number, and how far each was told of them.

    `reading` and `writing` open its transactions; `lacks` says that an older program wrote it,
    without these tables, and it takes nothing.
    """

    def __init__(
        self,
        reading: Callable[[], AbstractContextManager[Connection]],
        writing: Callable[[], AbstractContextManager[Connection]],
        lacks: Callable[..., bool],
    ) -> None:
        self._reading, self._writing, self._lacks = reading, writing, lacks

    def identity(self) -> str:
        """By what another record knows this one again, wherever it is; made on first use."""
        query = select(about.c.text).where(about.c.name == IDENTITY)
        with self._writing() as database:
            known = database.execute(query).scalar()
            if known is None:
                known = secrets.token_hex(8)
                database.execute(insert(about), {"name": IDENTITY, "text": known})
        return str(known)

    # -- what has changed ------------------------------------------------------------------

    def newest(self) -> int:
        """The number of the last change of any match; 0 where there was none."""
        query = select(func.coalesce(func.max(outbox.c.number), 0))
        with self._reading() as database:
            return int(database.execute(query).scalar_one())

    def changes(self, after: int, most: int) -> Sequence[tuple[int, Stub]]:
        """So many changes after that number, in order; demonstrations go nowhere."""
        joined = _with_ends().join(outbox, outbox.c.match_id == matches.c.id)
        joined = joined.outerjoin(listed, listed.c.match_id == matches.c.id)
        is_played = func.coalesce(listed.c.demonstration, 0) == 0
        query = select(outbox.c.number, *_STUB).select_from(joined)
        query = query.where((outbox.c.number > after) & is_played)
        with self._reading() as database:
            rows = database.execute(query.order_by(outbox.c.number).limit(most))
            return [(number, Stub(*stub)) for number, *stub in rows]

    def stubs(self, ids: Sequence[str]) -> Mapping[str, Stub]:
        """What is here of these matches, by id, without reading a log."""
        query = select(*_STUB).select_from(_with_ends()).where(matches.c.id.in_(ids))
        with self._reading() as database:
            return {row[0]: Stub(*row) for row in database.execute(query)}

    # -- what another record was told ------------------------------------------------------

    def has_carried(self) -> bool:
        """Whether there is a record with which this one was ever compared."""
        with self._reading() as database:
            return database.execute(select(carried.c.place).limit(1)).first() is not None

    def cursor(self, place: str) -> Cursor:
        """How far this record and the one of that identity are with each other."""
        query = select(carried.c.sent, carried.c.taken).where(carried.c.place == place)
        with self._reading() as database:
            row = database.execute(query).first()
        return Cursor(*row) if row is not None else Cursor()

    def set_cursor(self, place: str, cursor: Cursor) -> None:
        """Note how far they are now."""
        values = {"sent": cursor.sent, "taken": cursor.taken}
        changed = update(carried).where(carried.c.place == place).values(values)
        with self._writing() as database:
            if database.execute(changed).rowcount == 0:
                database.execute(insert(carried), {"place": place, **values})

    def forget_carried(self) -> None:
        """Let everything be compared once more, matches of older programs among it."""
        with self._writing() as database:
            database.execute(delete(carried))
            note_missing(database)

    # -- what went on in both --------------------------------------------------------------

    def differing(self) -> Sequence[str]:
        """What is to be told of matches that were changed here and elsewhere."""
        if self._lacks(differing):
            return ()
        query = select(differing.c.text).order_by(differing.c.match_id)
        with self._reading() as database:
            return [str(told) for told in database.execute(query).scalars()]

    def note_differing(self, match_id: str, told: str) -> None:
        """Keep what is to be told of a match until it is settled; empty: it is."""
        if not told and not self.differing():
            return
        with self._writing() as database:
            database.execute(delete(differing).where(differing.c.match_id == match_id))
            if told:
                database.execute(insert(differing), {"match_id": match_id, "text": storable(told)})


def note_arrived(database: Connection, match_id: str, place: str) -> None:
    """A match came from another record."""
    database.execute(delete(arrived).where(arrived.c.match_id == match_id))
    database.execute(insert(arrived), {"match_id": match_id, "place": place})


# Taking over what another record has of a match.

_OTHERWISE = "otherwise"
"""Sealed into the id of a match that is called as another match here."""


@dataclass(frozen=True, slots=True)
class TakenOver:
    """What came of taking a match over: what it is called here, and whether anything was new.

    `differs` tells that it was changed on both sides; then nothing was taken.
    """

    match_id: str
    is_new: bool = False
    differs: str = ""


def take_copy(database: Connection, copy: Export, place: str) -> TakenOver:
    """Add what is missing here of a match, in the transaction that is open; RecordDamaged."""
    match_id = _same_match(database, copy)
    own = _rows_of(database, match_id)
    damage = read_rows(own).damage
    if damage is not None:
        raise RecordDamaged(f"Match {match_id}: {damage}; nothing is added to it.")
    differs = _apart(match_id, own, copy.rows)
    if differs or len(copy.rows) < len(own):
        return TakenOver(match_id, differs=differs)
    if len(copy.rows) == len(own):
        return _take_ending(database, match_id, copy)
    if own:
        put_lines(database, match_id, copy.rows[len(own) :])
    else:
        put_match(database, match_id, copy.rows)
        if place:
            note_arrived(database, match_id, place)
    return _put_ending(database, match_id, copy)


def _same_match(database: Connection, copy: Export) -> str:
    """What a match is called here: as there, but where another one is called so.

    Two tables may by chance give one name to two matches; their first lines tell them apart.
    """
    first, there = copy.rows[0].chain, copy.match_id
    query = select(matches.c.id, matches.c.chain)
    query = query.where((matches.c.chain == first) | (matches.c.id == there))
    known = {str(row.id): str(row.chain) for row in database.execute(query)}
    for match_id, chain in known.items():
        names = (match_id, _renamed(match_id, first))
        if chain == first and (there in names or _renamed(there, first) == match_id):
            return match_id
    return _renamed(there, first) if there in known else there


def _renamed(match_id: str, first: str) -> str:
    return seal(first, f"{_OTHERWISE} {match_id}")[:10]


def _rows_of(database: Connection, match_id: str) -> Sequence[StoredLine]:
    query = select(entries.c.seq, entries.c.line, entries.c.chain)
    query = query.where(entries.c.match_id == match_id).order_by(entries.c.seq)
    return [StoredLine(*row) for row in database.execute(query)]


def _apart(match_id: str, own: Sequence[StoredLine], theirs: Sequence[StoredLine]) -> str:
    """Where two logs of a match part, in words; nothing where one begins as the other."""
    for ours, other in zip(own, theirs, strict=False):
        if ours.chain != other.chain:
            return (
                f"Match {match_id} was changed on both sides: line {ours.seq} is "
                f"{_said(ours)} in one record and {_said(other)} in the other. {_KEEP_BOTH}"
            )
    return ""


def _said(row: StoredLine) -> str:
    entry = read_entry(row.line)
    return f"{entry.kind} {entry.key} by {entry.author or 'nobody named'} at {entry.at_utc}"


_KEEP_BOTH = (
    "Both stay as they are; `companion export` from one record and `companion import` into the "
    "other keep both in one."
)


def _take_ending(database: Connection, match_id: str, copy: Export) -> TakenOver:
    """Both have the same lines: what the match ended with, or who signed it, may be missing."""
    query = select(closings.c.chain, signatures.c.value).select_from(
        closings.outerjoin(signatures, signatures.c.match_id == closings.c.match_id)
    )
    own = database.execute(query.where(closings.c.match_id == match_id)).first()
    if copy.closing is None:
        return TakenOver(match_id)
    if own is not None and own[0] != copy.closing.chain:
        told = f"Match {match_id} ended otherwise in one record than in the other. {_KEEP_BOTH}"
        return TakenOver(match_id, differs=told)
    if own is not None and (own[1] is not None or copy.signature is None):
        return TakenOver(match_id)
    return _put_ending(database, match_id, copy)


def _put_ending(database: Connection, match_id: str, copy: Export) -> TakenOver:
    put_ending(database, match_id, copy.closing, copy.signature)
    list_stored(database, match_id)
    note_change(database, match_id)
    return TakenOver(match_id, is_new=True)
