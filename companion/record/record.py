"""The record of matches: everything that it does. Where it is, and how it is opened: `place`.

What is confirmed is on disk before anybody sees it confirmed. One database for a table (SQLite, a
file) or for a club (PostgreSQL, by URL). A match is a chain of lines; damage to one is found by its
seal and costs what follows in that match, nothing else.
"""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection, Engine, Select, Table, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion.core.errors import (
    BadCall,
    CompanionError,
    RecordDamaged,
    RecordError,
    RecordReadOnly,
    WrittenElsewhere,
    refuse_kind,
)
from companion.match.entry import Entry
from companion.match.match import setup_line
from companion.record.evidence import EvidenceFile, kept_in
from companion.record.file import Export, read_export, write_export
from companion.record.lines import (
    UNSEALED,
    Closing,
    Length,
    StoredLine,
    closing_row,
    next_row,
    only_entries,
    seal,
    with_seal,
    written_meanwhile,
)
from companion.record.listing import (
    PlayedMatch,
    Standings,
    fill,
    list_ended,
    list_goes_on,
    list_lost,
    list_match,
    list_stored,
    list_verified,
    read_page,
    read_played,
    read_tally,
)
from companion.record.match import BesideLog, LoadedMatch, MatchLine, MatchState, Rest
from companion.record.outbox import Outbox, TakenOver, note_change, note_missing, take_copy
from companion.record.place import OpenDatabase, open_again, open_place
from companion.record.players import (
    Naming,
    Players,
    add_namings,
    namings_of,
    read_namings,
    read_players,
)
from companion.record.salvage import lacks_heads, restore_heads
from companion.record.signing import UNSIGNED, Signature, TableKey, usual_key
from companion.record.store import (
    arrived,
    behind,
    closings,
    entries,
    hold_alone,
    lengths,
    listed,
    matches,
    plain_errors,
    players,
    put_ending,
    put_lines,
    put_match,
    rests,
    saved,
    seated,
    signatures,
    signed_by_others,
    writer,
)
from companion.record.sums import Sums
from companion.record.witness import (
    SealWitness,
    Witnessed,
    last_lines,
    missing,
    note_since,
    torn_off,
    unseen,
)

if TYPE_CHECKING:
    from companion.core.offers import Stamp
    from companion.match.rulebook import Setup

_VERIFIED_AT_ONCE = 50
_TOLD = 12
"""So many ids are told where a name means several."""
_FIGURES = 9
"""A number of more is none that a match has."""

_ANOTHER = "another"
"""Sealed into the id of a match that would be called as one that is there already."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of a file: the match it is here, and whether that is new in this record.

    `was` is its id in the file; `damage` what is wrong with the line after its good part; `signed`
    by whom it is signed, that it is not, or that it was changed after signing.
    """

    match_id: str
    was: str
    damage: str = ""
    signed: str = UNSIGNED
    is_new: bool = True


class Record:
    """The matches of a table. Every verb that writes returns when it is on disk.

    RecordReadOnly: the disk takes nothing more; the same call may be tried again later.
    RecordDamaged: what is asked for cannot be read, or may not be added to.
    """

    def __init__(self, place: OpenDatabase) -> None:
        """A record that is open; use `Record.open`."""
        refuse_kind(place, OpenDatabase, "an open database is wanted (Record.open opens a record)")
        self.name = place.name
        self.said: tuple[str, ...] = place.said
        """What opening had to tell people: a damaged file set aside, lines restored."""
        self.read_only = place.read_only
        """Why nothing can be written; None where it can."""
        self._place = place
        self._missing = place.missing
        self._engine: Engine = place.engine
        self._writer: Engine = writer(place.engine)
        self._tails: dict[str, StoredLine] = {}
        self._unfinished: set[str] = set()
        self._faults: dict[str, tuple[str, int]] = {}
        self._witness = SealWitness(place.witness)
        self.sums = Sums(self._reading, self._writing, self._lacks)
        """What all matches come to: derived, and kept for `companion.season`."""
        self.outbox = Outbox(self._reading, self._writing, self._lacks)
        """What has changed, and how far other records were told of it."""

    @classmethod
    def open(cls, place: str | Path) -> Record:
        """Open the record at a path or URL, or begin one there.

        A damaged file is set aside and what can be read of it kept; `said` tells. RecordError if
        there is something else at that place.
        """
        record = cls(open_place(place))
        with contextlib.suppress(RecordError):
            record.said += tuple(record._torn_off())
        return record

    @classmethod
    def open_again(cls, path: Path) -> Record:
        """The record of a file that is open in this program, for another thread of it.

        Damage is left alone: mending would take the file away from whoever writes it.
        """
        return cls(open_again(path))

    def close(self) -> None:
        """Let go of the database."""
        self._engine.dispose()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lacks(self, *wanted: Table | str) -> bool:
        """Whether an older program wrote it, without these, and nothing can be added."""
        return not self._missing.isdisjoint(map(str, wanted))

    # -- writing ---------------------------------------------------------------------------

    def create(self, setup: Setup, stamp: Stamp) -> str:
        """Begin a match and write its line 0, the set-up; what the match is called from now on."""
        row = next_row(UNSEALED, setup_line(setup, stamp))
        with self._writing() as database:
            match_id = _free_id(database, row.chain)
            put_match(database, match_id, [row])
            list_match(database, match_id, setup, stamp.at_utc)
            note_change(database, match_id)
            note_since(database)
        self._witness.note(match_id, row)
        self._tails[match_id] = row
        self._unfinished.add(match_id)
        return match_id

    def append(self, match_id: str, new: Sequence[Entry]) -> Sequence[Entry]:
        """Write the next lines of a match, all or none; the lines as sealed.

        A line that stands there already, word for word, is confirmed again: so a call whose end
        was not seen can be repeated. WrittenElsewhere if another program has written meanwhile.
        """
        try:
            return self._append(match_id, new)
        except IntegrityError:
            self._tails.pop(match_id, None)
            return self._append(match_id, new)

    def _append(self, match_id: str, new: Sequence[Entry]) -> Sequence[Entry]:
        tail = self._tail(match_id)
        again = [entry for entry in only_entries(new) if entry.seq <= tail.seq]
        rows = self._rows_again(match_id, again)
        for entry in new[len(again) :]:
            if entry.seq != tail.seq + 1:
                raise RecordError(
                    f"{self.name}: line {entry.seq} of match {match_id} cannot follow line "
                    f"{tail.seq}; write line {tail.seq + 1} first."
                )
            tail = next_row(tail.chain, entry)
            rows.append(tail)
        self._insert(match_id, rows[len(again) :])
        self._tails[match_id] = tail
        return [with_seal(entry, row) for entry, row in zip(new, rows, strict=True)]

    def _tail(self, match_id: str) -> StoredLine:
        """The last line of a match; RecordDamaged if the lines before it are not sound."""
        if match_id not in self._tails:
            loaded = self.load(match_id)
            if loaded.damage is not None:
                raise RecordDamaged(
                    f"{loaded.damage} Nothing is added to it; `companion export {match_id}` and "
                    "`companion import` make a match of the sound part that can go on."
                )
            last = loaded.entries[-1]
            self._tails[match_id] = StoredLine(last.seq, "", last.chain)
        return self._tails[match_id]

    def _rows_again(self, match_id: str, again: Sequence[Entry]) -> list[StoredLine]:
        if not again:
            return []
        stored = {row.seq: row for row in self._rows(match_id)}
        rows = [stored[entry.seq] for entry in again]
        before = stored[again[0].seq - 1].chain if again[0].seq else UNSEALED
        for entry, row in zip(again, rows, strict=True):
            if next_row(before, entry) != row:
                raise WrittenElsewhere(written_meanwhile(match_id, row))
            before = row.chain
        return rows

    def _insert(self, match_id: str, rows: Sequence[StoredLine]) -> None:
        if not rows:
            return
        with self._writing() as database:
            put_lines(database, match_id, rows)
            if match_id not in self._unfinished:  # it goes on: what it ended with is no more
                put_ending(database, match_id, None, None)
                list_goes_on(database, match_id)
            note_change(database, match_id)
        self._witness.note(match_id, rows[-1])
        self._unfinished.add(match_id)

    @contextlib.contextmanager
    def _writing(self) -> Generator[Connection]:
        """A transaction that is on disk when it ends without an error."""
        if self.read_only is not None:
            self._try_again(self.read_only)
        with plain_errors(self.name), self._writer.begin() as database:
            hold_alone(database)
            yield database

    @contextlib.contextmanager
    def _reading(self) -> Generator[Connection]:
        with plain_errors(self.name), self._engine.begin() as database:
            yield database

    def _try_again(self, closed: RecordReadOnly) -> None:
        """What was full or locked when it was opened may take something now; RecordReadOnly if not.

        What opening then had to tell (lines put back from a torn log) is added to `said`.
        """
        path = self._place.path
        if path is None:
            raise copy(closed)
        again = open_place(path)
        if again.read_only is not None:
            again.engine.dispose()
            self.read_only = again.read_only
            raise copy(again.read_only)
        self._engine.dispose()
        self._place, self._engine, self._writer = again, again.engine, writer(again.engine)
        self.said += again.said
        self.read_only, self._missing = None, again.missing

    def finish(self, match_id: str, closing: Closing) -> None:
        """Write what a match ended with; further lines take it away again."""
        tail = self._tail(match_id)
        row = closing_row(closing, tail)
        signature = self._signed(row)
        with self._writing() as database:
            put_ending(database, match_id, row, signature)
            list_ended(database, match_id, closing)
            note_change(database, match_id)
        self._witness.note(match_id, tail, at_end=True)
        self._unfinished.discard(match_id)

    def _signed(self, row: StoredLine) -> Signature | None:
        """The table's signature under what a match ends with; without a key it stays unsigned."""
        try:
            return TableKey.at(usual_key()).sign(row.chain)
        except (CompanionError, OSError):
            return None

    # -- reading ---------------------------------------------------------------------------

    def load(self, match_id: str) -> LoadedMatch:
        """A match as far as it is sound; RecordDamaged if not even its set-up is left.

        BadCall if there is no match of that name.
        """
        return self._loaded(match_id, self._witness.of(str(match_id)))

    def _loaded(self, match_id: str, seen: Witnessed | None) -> LoadedMatch:
        with self._reading() as database:
            head = database.execute(select(matches).where(matches.c.id == match_id)).first()
            ending = database.execute(
                select(closings).where(closings.c.match_id == match_id)
            ).first()
            beside = self._beside(database, match_id, seen)
        if head is None:
            raise BadCall(f"{self.name} has no match {match_id!r}")
        copy = StoredLine(0, head.line, head.chain)
        rows = self._rows(match_id)
        closing = StoredLine(0, ending.line, ending.chain) if ending is not None else None
        try:
            found = LoadedMatch.of(match_id, head.number, copy, rows, closing, beside)
        except RecordDamaged as lost:
            self._faults[match_id] = (str(lost), len(rows))
            raise
        self._faults[match_id] = (found.damage or "", len(found.entries))
        return found

    def _beside(self, database: Connection, match_id: str, seen: Witnessed | None) -> BesideLog:
        """How long a match is, what it was saved from, who has seen it and who signed it."""
        length = text = by = None
        if not self._lacks(lengths, saved):
            row = database.execute(select(lengths).where(lengths.c.match_id == match_id)).first()
            length = None if row is None else Length.read(*row)
            text = database.execute(
                select(saved.c.text).where(saved.c.match_id == match_id)
            ).scalar()
        if not self._lacks(signatures):
            signed = select(signatures.c.name, signatures.c.public, signatures.c.value)
            by = database.execute(signed.where(signatures.c.match_id == match_id)).first()
        return BesideLog(length, text or "", seen, None if by is None else Signature(*by))

    def _rows(self, match_id: str) -> list[StoredLine]:
        query = select(entries.c.seq, entries.c.line, entries.c.chain)
        query = query.where(entries.c.match_id == match_id).order_by(entries.c.seq)
        with self._reading() as database:
            return [StoredLine(*row) for row in database.execute(query)]

    def matches(self, most: int | None = None, *, skip: int = 0) -> Sequence[MatchLine]:
        """So many matches in a line each, the newest first but for those skipped; else all.

        No log is read for it: damage is told of a match that was verified, or loaded since the
        record was opened.
        """
        with self._reading() as database:
            lines = read_page(database, most, skip, is_older=self._lacks(listed, saved))
        return [self._with_fault(line) for line in lines]

    def _with_fault(self, line: MatchLine) -> MatchLine:
        """With what loading the match has shown since."""
        fault, sound = self._faults.get(line.match_id, ("", 0))
        if not fault:
            return line
        return replace(line, damage=fault, entries=sound, state=MatchState.DAMAGED)

    def tally(self) -> Standings:
        """How often each outcome came, by box and winners."""
        if not self._lacks(listed):
            with self._reading() as database:
                return read_tally(database)
        return Standings.of(self.matches())

    def played(self, box: str = "", since: str = "", until: str = "") -> Sequence[PlayedMatch]:
        """Every match that people played to its end, in order; of a box, between two days."""
        if not self._lacks(listed):
            with self._reading() as database:
                return read_played(database, box, since, until)
        ended = (line for line in reversed(self.matches()) if line.state is MatchState.ENDED)
        return [
            PlayedMatch.of(line)
            for line in ended
            if not line.demonstration and box in ("", line.box)
            if since <= line.begun and (not until or line.begun < behind(until))
        ]

    def count(self) -> int:
        """How many matches there are, demonstrations among them."""
        with self._reading() as database:
            return database.execute(select(func.count()).select_from(matches)).scalar_one()

    def find(self, name: str) -> str:
        """The match meant by `last`, its number in the list, or its id from the beginning on.

        BadCall if that is none or several.
        """
        refuse_kind(name, str, "the name of a match is wanted")
        with self._reading() as database:
            found: list[str] = []
            for query in _meant(name, knows_arrived=not self._lacks(arrived)):
                found = found or [*database.execute(query).scalars()]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(sorted(found[:_TOLD])) + (" ..." if len(found) > _TOLD else "")
            raise BadCall(f"match {name!r} is any of {several}; type more of it")
        count = self.count()
        there = f"`companion matches` lists its {count}" if count else "no match was played yet"
        raise BadCall(f"{self.name} has no match {name!r}; {there}")

    # -- players ---------------------------------------------------------------------------

    def players(self, *, with_seats: bool = True) -> Players:
        """Whom every name means: ask it wherever a name of a log is shown or counted.

        Without seats it is read sooner, and tells nothing of how many each has taken.
        """
        if self._lacks(players, seated):
            return Players()
        with self._reading() as database:
            return read_players(database, with_seats=with_seats)

    def name_player(self, names: Sequence[str], player: str, stamp: Stamp) -> Players:
        """Say that names are one player's; no log is touched. BadCall where one is no name."""
        said = namings_of(names, player, stamp)
        with self._writing() as database:
            add_namings(database, said)
        return self.players()

    # -- verifying -------------------------------------------------------------------------

    def unverified(self, *, again: bool = True) -> Sequence[str]:
        """The matches to verify, the newest first: all, or those that never were."""
        query = select(matches.c.id).order_by(matches.c.number.desc())
        if not (again or self._lacks(listed)):
            done = select(listed.c.match_id).where(listed.c.verified != "")
            query = query.where(matches.c.id.not_in(done))
        with self._reading() as database:
            return list(database.execute(query).scalars())

    def verify(self, wanted: Sequence[str], at_utc: str = "") -> Generator[Sequence[str]]:
        """Read matches whole, line by line; after each, what is wrong with it, a sentence each.

        What was found is written down, some hundred at a time, where the record takes it, and the
        time that is handed in (ISO 8601) as that of the verification.
        """
        seen = self._witness.of_many({*wanted})
        for at in range(0, len(wanted), _VERIFIED_AT_ONCE):
            found: dict[str, LoadedMatch | str] = {}
            for match_id in wanted[at : at + _VERIFIED_AT_ONCE]:
                try:
                    found[match_id] = loaded = self._loaded(match_id, seen.get(match_id))
                except RecordDamaged as lost:
                    found[match_id] = str(lost)
                    yield [str(lost)]
                else:
                    yield loaded.troubles
            self._note_verified(found, at_utc)

    def _note_verified(self, found: Mapping[str, LoadedMatch | str], at_utc: str) -> None:
        if self.read_only:
            return
        with contextlib.suppress(RecordReadOnly), self._writing() as database:
            for match_id, what in found.items():
                if isinstance(what, str):
                    list_lost(database, match_id, what, at_utc)
                else:
                    list_verified(database, what, at_utc)

    def not_signed_by(
        self, keys: Collection[str], only: str = ""
    ) -> Sequence[tuple[str, Signature]]:
        """Which matches another key than these has signed, by public halves; of one or all."""
        if self._lacks(signatures):
            return ()
        with self._reading() as database:
            return signed_by_others(database, keys, only)

    def known_faults(self) -> Sequence[str]:
        """What verifying and saving have found before, a sentence each; nothing is read for it."""
        if self._lacks(listed, saved):
            return ()
        told = (select(listed.c.fault).where(listed.c.fault != ""), select(saved.c.text))
        with self._reading() as database:
            return [text for query in told for text in database.execute(query).scalars()]

    def check(self, at_utc: str = "") -> Sequence[str]:
        """Everything that is wrong with the record, a sentence each; nothing if it is sound.

        It reads everything: see `verify` for a part, or for telling how far it has come.
        """
        said = self.check_file()
        found = (told for troubles in self.verify(self.unverified(), at_utc) for told in troubles)
        return [*said, *found]

    def check_file(self) -> Sequence[str]:
        """What is wrong with the file as such, every page looked at; lost matches are listed again.

        It takes longer the more matches there are; a match that is played meanwhile waits only
        while something is written.
        """
        said = [*self._place.faults()]
        if said:
            return said
        if self.read_only:
            return self.against_witness()
        with self._reading() as database:
            has_lost = lacks_heads(database)
        with contextlib.suppress(RecordReadOnly), self._writing() as database:
            said += restore_heads(database) if has_lost else ()
            fill(database)
            note_missing(database)
        return [*said, *self.against_witness()]

    def _torn_off(self) -> Sequence[str]:
        """That the end of the log was torn off, silently; nothing is said of a server's record.

        Nor of one that was saved from a damaged file: what that one had lost was told then.
        """
        if self._place.path is None or self.saved_from():
            return ()
        return torn_off(self._reading, self._witness)

    def against_witness(self, match_id: str = "") -> Sequence[str]:
        """What only one of the two has, the record and the witness beside it; of a match or all."""
        if self._place.path is None or self.saved_from():
            return ()
        if match_id:
            seen = self._witness.of(match_id) is not None
            return () if seen else unseen(self._reading, self._witness, match_id)
        looks = (missing, unseen)
        return [told for look in looks for told in look(self._reading, self._witness)]

    def begin_witness_anew(self, at_utc: str) -> Path | None:
        """Let the witness see every match as it stands now; where the old one is kept."""
        if self._place.path is None:
            raise BadCall(f"{self.name} is a server's record: a witness lies beside a file")
        with self._writing() as database:
            note_since(database, 1)
            return self._witness.begin_anew(last_lines(database), at_utc)

    def saved_from(self) -> str:
        """Which damaged file this record was saved from, in a sentence; empty if from none."""
        if self._lacks(saved):
            return ""
        with self._reading() as database:
            text = database.execute(select(saved.c.text).where(saved.c.match_id == "")).scalar()
        return text or ""

    # -- as a file -------------------------------------------------------------------------

    def export(self, match_id: str) -> str:
        """A match as JSON lines; of a damaged one its sound part, which imports as a match."""
        loaded = self.load(match_id)
        rows: list[StoredLine] = []
        for entry in loaded.entries:
            rows.append(next_row(rows[-1].chain if rows else UNSEALED, entry))
        if loaded.closing is None or loaded.damage is not None:
            return write_export(match_id, rows, None)
        closing = closing_row(loaded.closing, rows[-1])
        return write_export(match_id, rows, closing, loaded.signature)

    def import_file(self, path: str | Path, *, good_part: bool = False) -> Imported:
        """Take in an exported match; BadFile names the first line that was changed.

        With `good_part` what stands before that line is taken. A match that is here already stays
        as it is; another one under the same id gets a new id.
        """
        refuse_kind(path, (str, Path), "the path of a file is wanted")
        export = read_export(Path(path), good_part=good_part)
        damage = str(export.damage or "")
        match_id, is_new = self._home_of(export)
        if is_new:
            with self._writing() as database:
                put_match(database, match_id, export.rows)
                put_ending(database, match_id, export.closing, export.signature)
                list_stored(database, match_id)
                note_change(database, match_id)
            self._witness.note(match_id, export.rows[-1], at_end=True)
        return Imported(match_id, export.match_id, damage, export.signed, is_new=is_new)

    def _home_of(self, export: Export) -> tuple[str, bool]:
        """What a file's match is called here, and whether it is still to be written."""
        match_id, chain = export.match_id, export.rows[-1].chain
        while self._has(match_id):
            if self._holds(match_id, export):
                return match_id, False
            match_id, chain = chain[:10], seal(chain, _ANOTHER)
        return match_id, True

    def _has(self, match_id: str) -> bool:
        with self._reading() as database:
            return _is_taken(database, match_id)

    def _holds(self, match_id: str, export: Export) -> bool:
        """Whether every line of a file stands in a match of this record, sound."""
        last = export.rows[-1]
        try:
            loaded = self.load(match_id)
        except RecordDamaged:
            return False
        within = loaded.damage is None and last.seq < len(loaded.entries)
        return within and loaded.entries[last.seq].chain == last.chain

    # -- carried to and from another record ------------------------------------------------

    def namings(self) -> Sequence[Naming]:
        """All that was said of names."""
        with self._reading() as database:
            return read_namings(database)

    def add_namings(self, namings: Sequence[Naming]) -> int:
        """Take over what was said of names elsewhere; how much of it was new."""
        if not namings:
            return 0
        with self._writing() as database:
            return len(add_namings(database, namings))

    def copy_of(self, match_id: str) -> Export:
        """A sound match with all its seals, to be taken by another record; RecordDamaged."""
        loaded = self.load(match_id)
        if loaded.damage is not None:
            raise RecordDamaged(loaded.damage)
        rows = tuple(self._rows(match_id)[: len(loaded.entries)])
        closing = closing_row(loaded.closing, rows[-1]) if loaded.closing is not None else None
        return Export(match_id, rows, closing, loaded.signature)

    def take(self, copy: Export, place: str = "") -> TakenOver:
        """Take over what another record has of a match and this one has not: all or nothing.

        A match that went on on both sides is left as it is on both; `differs` tells. `place` is
        the identity of the other record. RecordDamaged: what is here is no sound match.
        """
        with self._writing() as database:
            took = take_copy(database, copy, place)
        if took.is_new:
            self._tails.pop(took.match_id, None)
            self._unfinished.discard(took.match_id)
            self._faults.pop(took.match_id, None)
            self._witness.note(took.match_id, copy.rows[-1], at_end=True)
        return took

    # -- beside the log --------------------------------------------------------------------

    def evidence(self, match_id: str) -> Path:
        """The folder for a match's pictures and clips; made if it is not there."""
        folder = self._place.evidence / match_id
        try:
            self._place.evidence.mkdir(mode=0o700, parents=True, exist_ok=True)
            folder.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise RecordReadOnly(f"{folder} cannot be made: {error.strerror}") from error
        return folder

    def evidence_of(self, match_id: str) -> tuple[EvidenceFile, ...]:
        """What is kept there of a match, by log line; nothing is made for it."""
        return kept_in(self._place.evidence / match_id)

    def note_rest(self, match_id: str, key: str, rest_s: float, boot_id: str, at: float) -> None:
        """Note what is left of a running round, at monotonic `at` of the boot named."""
        this = (rests.c.match_id == match_id) & (rests.c.key == key)
        note = {"rest_s": rest_s, "boot_id": boot_id, "at": at}
        with self._writing() as database:
            if database.execute(update(rests).where(this).values(note)).rowcount == 0:
                database.execute(insert(rests), {"match_id": match_id, "key": key, **note})

    def last_rest(self, match_id: str, key: str) -> Rest | None:
        """What was last noted of a round; None if it never ran."""
        this = (rests.c.match_id == match_id) & (rests.c.key == key)
        with self._reading() as database:
            row = database.execute(select(rests).where(this)).first()
        return Rest(row.rest_s, row.boot_id, row.at) if row is not None else None


def _free_id(database: Connection, chain: str) -> str:
    """An id made of a seal: the same match gets the same one anywhere, as long as it is free."""
    while _is_taken(database, chain[:10]):
        chain = seal(chain, _ANOTHER)
    return chain[:10]


def _is_taken(database: Connection, match_id: str) -> bool:
    query = select(matches.c.id).where(matches.c.id == match_id)
    return database.execute(query).first() is not None


def _meant(name: str, *, knows_arrived: bool) -> Iterator[Select[Any]]:
    """Which matches a name means: the last, that of a number, or those whose id begins so.

    The last is the last that began here, if any did. Queries, of which the first that finds counts.
    """
    query = select(matches.c.id).order_by(matches.c.number.desc()).limit(_TOLD + 1)
    if name == "last":
        came = select(arrived.c.match_id).where(arrived.c.match_id == matches.c.id)
        if knows_arrived:
            yield query.where(~came.exists()).limit(1)
        yield query.limit(1)
    elif name:
        begins = matches.c.id.between(name, behind(name))
        by_number = matches.c.number == (int(name) if _is_number(name) else -1)
        is_number = select(matches.c.id).where(by_number).exists()
        yield query.where(by_number | (begins & ~is_number))


def _is_number(name: str) -> bool:
    return name.isdecimal() and len(name) <= _FIGURES
