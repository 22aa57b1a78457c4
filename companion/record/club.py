"""A club: its tables write their own records first, and carry them to one that they share.

Matches that have ended come back from there, with what was said of players. Nothing at a table
waits for this: it reads and writes in short transactions, never in one here while it waits for
there. What arrives is verified as if it were a file: every seal, and the signature. The same
words may be carried twice and change nothing the second time, so a link may be cut anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.errors import RecordDamaged
from companion.core.text import counted
from companion.record.outbox import Cursor, Stub

if TYPE_CHECKING:
    from companion.record.record import Record

AT_ONCE = 100
"""So many matches are compared in one question."""

Progress = Callable[[int, int], None]
"""Told how many changes are looked at, and of how many."""


@dataclass(slots=True)
class Carried:
    """What was carried: matches sent and taken, words on names, and what people must be told."""

    sent: int = 0
    taken: int = 0
    names: int = 0
    told: list[str] = field(default_factory=list[str])
    differing: dict[str, str] = field(default_factory=dict[str, str])
    """Which matches were changed on both sides, by what they are called here."""

    def __str__(self) -> str:
        names = f", {counted(self.names, 'word')} on names" if self.names else ""
        return f"{counted(self.sent, 'match', 'matches')} sent, {self.taken} taken{names}"


def carry(
    here: Record, there: Record, *, whole: bool = False, progress: Progress | None = None
) -> Carried:
    """Carry what is new between a table's record and the club's, both ways.

    `whole`: everything is compared once more, not only what has changed since. RecordError: one
    of the two does not answer, or takes nothing; what was carried until then stays carried.
    """
    if whole:
        here.outbox.forget_carried()
    done = Carried()
    done.names = _carry_names(here, there)
    place = there.outbox.identity()
    cursor = here.outbox.cursor(place)
    if cursor.taken > there.outbox.newest():  # it was put back to an earlier day
        cursor = Cursor()
    for sent in _carry_changes(here, there, cursor.sent, done, progress, only_ended=False):
        cursor = Cursor(sent, cursor.taken)
        here.outbox.set_cursor(place, cursor)
    for taken in _carry_changes(there, here, cursor.taken, done, progress, only_ended=True):
        cursor = Cursor(cursor.sent, taken)
        here.outbox.set_cursor(place, cursor)
    done.told += here.outbox.differing()
    return done


def _carry_names(here: Record, there: Record) -> int:
    ours, theirs = set(here.namings()), set(there.namings())
    sent, taken = there.add_namings([*ours - theirs]), here.add_namings([*theirs - ours])
    return sent + taken


def _carry_changes(
    source: Record,
    target: Record,
    after: int,
    done: Carried,
    progress: Progress | None,
    *,
    only_ended: bool,
) -> Iterator[int]:
    """Carry the changes of one record to the other; after each page, up to which number."""
    top, first = source.outbox.newest(), after
    while after < top:
        page = [
            (number, stub)
            for number, stub in source.outbox.changes(after, AT_ONCE)
            if number <= top
        ]
        known = target.outbox.stubs([stub.match_id for _, stub in page])
        for _, stub in page:
            if _is_wanted(stub, known.get(stub.match_id), only_ended=only_ended):
                _carry_match(source, target, stub.match_id, done, comes_here=only_ended)
        after = page[-1][0] if page else top
        yield after
        if progress is not None:
            progress(after - first, top - first)


def _is_wanted(stub: Stub, known: Stub | None, *, only_ended: bool) -> bool:
    """Whether there is something to carry.

    A match under way at another table is none of ours until it has ended; one of our own, of which
    the club has more, is one that was put back to an earlier day.
    """
    if known == stub:
        return False
    if not only_ended or stub.ending is not None:
        return True
    return known is not None and known.ending is None


def _carry_match(
    source: Record, target: Record, match_id: str, done: Carried, *, comes_here: bool
) -> None:
    here = target if comes_here else source
    try:
        took = target.take(source.copy_of(match_id), source.outbox.identity())
    except RecordDamaged as damage:
        here.outbox.note_differing(match_id, str(damage))
        return
    ours = took.match_id if comes_here else match_id
    if ours in done.differing:
        return
    here.outbox.note_differing(ours, took.differs)
    if took.differs:
        done.differing[ours] = took.differs
    elif took.is_new and comes_here:
        done.taken += 1
    elif took.is_new:
        done.sent += 1
