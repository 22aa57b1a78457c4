"""A damaged record file: examined, set aside, and read as far as it can be into a new one.

Nothing that was written is ever overwritten: the damaged file stays beside the new one, under a
name that tells when it was last written.
"""

from __future__ import annotations

import contextlib
import fcntl
import filecmp
import glob
import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path

from sqlalchemy import (
    Connection,
    String,
    Table,
    column,
    insert,
    select,
)
from sqlalchemy import (
    table as named_table,
)
from sqlalchemy.dialects import sqlite

from companion.core.errors import RecordError, RecordReadOnly
from companion.core.text import counted
from companion.record.lines import (
    UNSEALED,
    Length,
    StoredLine,
    read_closing,
    read_entry,
    read_rows,
    seal,
)
from companion.record.players import Naming, add_namings
from companion.record.signing import Signature
from companion.record.store import (
    ADDED,
    FORMAT,
    NEWEST,
    SINCE,
    VERSION,
    about,
    arrived,
    closings,
    disk_refuses,
    entries,
    failing_disk,
    format_of,
    made_in,
    matches,
    open_sqlite,
    plain_errors,
    put_length,
    read_raw,
    saved,
    signatures,
    suspect_of,
    tables,
    writer,
    written_about,
)

# Reading what is left: rows that SQLite still reaches, lines found among the raw bytes.

MATCH_ID = re.compile(r"[0-9a-f]{10}")
"""What a match is called, in any record."""

_KEY, _SIGNATURE = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9a-f]{128}")
_START = re.compile(rb"[0-9a-f]{10}(?=[\x00-\xff]{0,4}?\{\")")
_LINE = re.compile(rb"[\x00-\xff]{0,4}?(\{\"[ -~]*?\})([0-9a-f]{32})")


@dataclass(slots=True)
class Salvaged:
    """Lines by match and number, with every reading there is of each; closings likewise."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])
    lines: dict[str, dict[int, set[StoredLine]]] = field(
        default_factory=dict[str, dict[int, set[StoredLine]]]
    )
    closings: dict[str, set[StoredLine]] = field(default_factory=dict[str, set[StoredLine]])
    lengths: dict[str, Length] = field(default_factory=dict[str, Length])
    saved: dict[str, str] = field(default_factory=dict[str, str])
    signatures: dict[str, Signature] = field(default_factory=dict[str, Signature])
    arrived: dict[str, str] = field(default_factory=dict[str, str])
    namings: list[Naming] = field(default_factory=list[Naming])

    def add(self, match_id: object, line: object, chain: object) -> None:
        """Take in what may be a stored line or closing; anything else is passed over."""
        if not (isinstance(match_id, str) and isinstance(line, str) and isinstance(chain, str)):
            return
        if not MATCH_ID.fullmatch(match_id):
            return
        with contextlib.suppress(ValueError, RecursionError):
            if line.startswith('{"closing"'):
                _, count = read_closing(line)
                self.closings.setdefault(match_id, set()).add(StoredLine(count, line, chain))
            else:
                seq = read_entry(line).seq
                readings = self.lines.setdefault(match_id, {}).setdefault(seq, set())
                readings.add(StoredLine(seq, line, chain))

    def matches(self) -> Mapping[str, list[StoredLine]]:
        """Each match's best lines in order; left out is what no seal holds together."""
        best = {match_id: self._best(match_id) for match_id in self._in_order()}
        twice = {rows[0].chain for rows in best.values() if len(rows) > 1}
        return {
            match_id: rows
            for match_id, rows in best.items()
            if len(rows) > 1 or (rows and rows[0].chain not in twice)  # else a name was damaged
        }

    def _in_order(self) -> list[str]:
        last = max(self.numbers.values(), default=0) + 1
        return sorted(self.lines, key=lambda name: (self.numbers.get(name, last), self._at(name)))

    def _at(self, match_id: str) -> str:
        readings = self.lines[match_id]
        return min(read_entry(row.line).at_utc for row in readings[min(readings)])

    def _best(self, match_id: str) -> list[StoredLine]:
        rows: list[StoredLine] = []
        held = 0
        before = UNSEALED
        for _, readings in sorted(self.lines[match_id].items()):
            sealed = [row for row in readings if row.chain == seal(before, row.line)]
            held += len(sealed)
            rows.append(min(sealed or readings, key=lambda row: row.line))
            before = rows[-1].chain
        return rows if held else []

    def following(self, match_id: str, first: int, before: str) -> list[StoredLine]:
        """The lines from number `first` on that follow by their seals from the one `before`."""
        rows: list[StoredLine] = []
        while True:
            readings = self.lines.get(match_id, {}).get(first + len(rows), set())
            sealed = [row for row in readings if row.chain == seal(before, row.line)]
            if not sealed:
                return rows
            rows.append(sealed[0])
            before = sealed[0].chain

    def beyond(self, match_id: str, last: int) -> list[StoredLine]:
        """Lines after number `last` that are sealed to a neighbour, but not to that line."""
        lines = self.lines.get(match_id, {})
        rows: dict[int, StoredLine] = {}
        for seq, readings in sorted(lines.items()):
            for row in readings:
                for before in lines.get(seq - 1, ()):
                    if row.chain == seal(before.chain, row.line):
                        rows |= {seq - 1: before, seq: row}
        return [row for seq, row in sorted(rows.items()) if seq > last]

    def closing(self, match_id: str, rows: list[StoredLine]) -> StoredLine | None:
        """The closing that is sealed after these lines, or any there is if none is."""
        readings = self.closings.get(match_id, set())
        sealed = [row for row in readings if row.chain == seal(rows[-1].chain, row.line)]
        return min(sealed or readings, key=lambda row: row.line, default=None)


def read_what_is_left(path: Path) -> Salvaged:
    """Every line in the file and beside it. The file may be changed by it: give a copy."""
    found = Salvaged()
    carve(_bytes_of(path), found)
    carve(_bytes_of(wal_of(path)), found)
    _mend_header(path)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.text_factory = _ascii
        with contextlib.suppress(*_UNREADABLE):
            _scan(database, found)
    return found


def _mend_header(path: Path) -> None:
    """Give a file that begins with other bytes the head of a new record: SQLite reads it then.

    All records have pages of one size; whatever is not in order behind it stays damaged.
    """
    if _fault_of_header(_first_bytes(path)) is None or path.stat().st_size < _PAGE_BYTES:
        return
    new = path.with_name(f"head-of-{path.name}")
    begin_record(new)
    head = bytearray(new.read_bytes()[:_HEADER_BYTES])
    head[28:32] = (path.stat().st_size // _PAGE_BYTES).to_bytes(4, "big")
    head[32:40] = bytes(8)  # no page is free
    with path.open("r+b") as file:
        file.write(head)


def wal_of(path: Path) -> Path:
    """The write-ahead log that SQLite keeps beside a file."""
    return path.with_name(f"{path.name}-wal")


def carve(raw: bytes, found: Salvaged) -> None:
    """Take in whatever looks like a line in raw bytes of a database file."""
    for start in _START.finditer(raw):
        line = _LINE.match(raw, start.end())
        if line is not None:
            found.add(start.group().decode(), line.group(1).decode(), line.group(2).decode())


def _scan(database: sqlite3.Connection, found: Salvaged) -> None:
    for number, match_id, line, chain in _rows(database, _SCANS["matches"]):
        found.add(match_id, line, chain)
        if isinstance(number, int):
            found.numbers.setdefault(str(match_id), number)
    for table in ("entries", "closings"):
        for match_id, line, chain in _rows(database, _SCANS[table]):
            found.add(match_id, line, chain)
    for match_id, lines, chain, sealed in _rows(database, _SCANS["lengths"]):
        length = Length.read(str(match_id), lines, chain, sealed)
        if length is not None:
            found.lengths[str(match_id)] = length
    for match_id, text in _rows(database, _SCANS["saved"]):
        found.saved[str(match_id)] = str(text)
    _scan_beside(database, found)


def _scan_beside(database: sqlite3.Connection, found: Salvaged) -> None:
    """What is no part of a log: signatures, from where a match came, whose names are whose.

    These are texts in any letters. A signature is taken as it stands, whether it holds or not: what
    was changed after signing stays told. Of one with torn figures nothing can be told.
    """
    database.text_factory = partial(str, encoding="utf-8", errors="replace")
    for match_id, *said in _rows(database, _SCANS["signatures"]):
        if all(isinstance(one, str) for one in said) and _is_whole(*map(str, said[1:])):
            found.signatures[str(match_id)] = Signature(*map(str, said))
    for match_id, place in _rows(database, _SCANS["arrived"]):
        if isinstance(place, str) and MATCH_ID.fullmatch(str(match_id)):
            found.arrived[str(match_id)] = place
    for key, *said in _rows(database, _SCANS["players"]):
        naming = Naming(*map(str, said))
        if naming.key == key and naming not in found.namings:
            found.namings.append(naming)


def _is_whole(public: str, value: str) -> bool:
    """Whether a key and a signature have all their figures."""
    return bool(_KEY.fullmatch(public) and _SIGNATURE.fullmatch(value))


_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises of damage; the latter where even its message holds damaged bytes."""

_SCANS = {
    "matches": "SELECT number, id, line, chain FROM matches NOT INDEXED ORDER BY rowid",
    "entries": "SELECT match_id, line, chain FROM entries NOT INDEXED ORDER BY rowid",
    "closings": "SELECT match_id, line, chain FROM closings NOT INDEXED ORDER BY rowid",
    "lengths": "SELECT match_id, lines, chain, seal FROM lengths NOT INDEXED ORDER BY rowid",
    "saved": "SELECT match_id, text FROM saved NOT INDEXED ORDER BY rowid",
    "signatures": "SELECT match_id, name, public, value FROM signatures NOT INDEXED ORDER BY rowid",
    "arrived": "SELECT match_id, place FROM arrived NOT INDEXED ORDER BY rowid",
    "players": "SELECT key, name, player, at_utc, author FROM players NOT INDEXED ORDER BY rowid",
}


def _rows(database: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    """Rows up to the first that cannot be reached, from either end."""
    for direction in (" ASC", " DESC"):
        with contextlib.suppress(*_UNREADABLE):
            yield from database.execute(query + direction)
            return


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _ascii(raw: bytes) -> str:
    return raw.decode("ascii", "replace")


# Examining a record, and writing what was found into a new one.

SMALL_BYTES = 1_000_000
"""A table's first weeks: a Pi looks such a file through while a page is drawn."""

_MAGIC = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_PAGE_BYTES = 4096
_FIXED = {
    18: (b"\x01\x01", b"\x02\x02"),
    20: (b"\x00\x40\x20\x20",),
    44: (b"\x00\x00\x00\x04", bytes(4)),
    52: (bytes(4),),
    56: (b"\x00\x00\x00\x01", bytes(4)),
    60: (bytes(32),),
}
"""What stands where in the header of any record; SQLite would take another value for a feature."""

_TRACES = (b"CREATE TABLE entries", b"record of the dogfight companion", b'{"answer":{"app_version')


_EXPORTED = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:\{\s*"chain"|<!doctype html|<html)', re.IGNORECASE)
"""How an exported match or the page of one begins: what lies in it is not to be set aside."""


def examine(path: Path, *, whole: bool = False) -> str | None:
    """Why a file cannot be used as it is; None if it can, or if there is none yet.

    Every page is looked at if the file is small, if it is `whole`, or if damage was met in it since
    it was last looked through; else only what is needed to open it, which takes no longer for more
    matches.

    RecordError if it is no record at all, is a newer program's, or cannot be read.
    """
    if path.exists() and not path.is_file():  # reading a pipe or a device might never end
        raise RecordError(f"{path} is no file; name one with --record")
    try:
        head = _first_bytes(path)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    if not head:
        return None
    if _EXPORTED.match(head):
        told = f"{path} is no record but one match of it, as a file"
        raise RecordError(f"{told}: `companion import {path}` takes it in")
    suspect = suspect_of(path)
    whole = whole or is_small(path) or suspect.exists()
    why = _fault_of_header(head) or _fault_of_database(path, whole=whole)
    if why is not None and disk_refuses(path):
        raise failing_disk(str(path))
    if why is None and whole:
        with contextlib.suppress(OSError):
            suspect.unlink(missing_ok=True)
    if why is not None and not _is_ours(_begun_before(path) or path):
        raise RecordError(f"{path} is no record of matches; name another file with --record")
    return why


def is_small(path: Path) -> bool:
    """Whether all of a file may be read at each start."""
    return path.stat().st_size <= SMALL_BYTES if path.is_file() else True


def _first_bytes(path: Path) -> bytes:
    try:
        return read_raw(path, 0, _HEADER_BYTES)
    except FileNotFoundError:
        return b""


def _fault_of_header(head: bytes) -> str | None:
    if len(head) < _HEADER_BYTES or not head.startswith(_MAGIC):
        return "it does not begin as a record does"
    if not all(head.startswith(allowed, at) for at, allowed in _FIXED.items()):
        return "its first bytes are not what was written"
    return None


def _fault_of_database(path: Path, *, whole: bool) -> str | None:
    try:
        with contextlib.closing(_connect_reading(path)) as database:
            query = "PRAGMA integrity_check(1)"
            found = [str(row[0]) for row in database.execute(query)] if whole else ["ok"]
            if found != ["ok"]:
                return found[0].splitlines()[-1]
            return _fault_of_tables(database, path)
    except UnicodeDecodeError:  # in the names of tables, and so in what SQLite says of them
        return "its tables are not those of a record"
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_BUSY:
            with plain_errors(str(path)):
                raise
        return str(error)


def _connect_reading(path: Path) -> sqlite3.Connection:
    """A connection that changes nothing, not even by closing: the bytes may have to be kept."""
    uri = path.absolute().as_uri()
    try:
        database = sqlite3.connect(f"{uri}?mode=ro", uri=True)
        database.execute("SELECT 1 FROM sqlite_master").close()
    except sqlite3.OperationalError:
        database = sqlite3.connect(f"{uri}?mode=ro&immutable=1", uri=True)
    return database


def _fault_of_tables(database: sqlite3.Connection, path: Path) -> str | None:
    columns = _columns(database)
    if not any(columns.values()) and not database.execute("SELECT 1 FROM sqlite_master").fetchone():
        return None
    new = _columns_of_new()
    if any(columns[name] != new[name] for name in new if columns[name] or name not in ADDED):
        return "its tables are not those of a record"
    row = database.execute("SELECT text FROM about WHERE name = 'record'").fetchone()
    number = format_of(str(row[0])) if row is not None else None
    if number is None:
        return "its title is not what was written"
    if number > FORMAT:
        raise RecordError(
            f"{path} was written by a newer companion (format {number}, this one reads {FORMAT}); "
            "update this one or name another file with --record"
        )
    return None


_Columns = dict[str, list[tuple[object, ...]]]


def _columns(database: sqlite3.Connection) -> _Columns:
    query = "SELECT * FROM pragma_table_info(?)"
    return {name: database.execute(query, (name,)).fetchall() for name in tables.tables}


@cache
def _columns_of_new() -> _Columns:
    """What SQLite tells of the tables that the migrations make."""
    return {name: [*_told_of(made)] for name, made in tables.tables.items()}


def _told_of(made: Table) -> Iterator[tuple[object, ...]]:
    keys = [*made.primary_key.columns]
    for at, one in enumerate(made.columns):
        kind = one.type.compile(dialect=sqlite.dialect())
        yield (
            at,
            one.name,
            kind,
            int(not one.nullable),
            None,
            keys.index(one) + 1 if one in keys else 0,
        )


def _is_ours(path: Path) -> bool:
    """Whether a file that is no sound record was one; any other is left alone."""
    raw = read_raw(path, 0, path.stat().st_size) + wal_bytes(path)
    if len(raw) < _PAGE_BYTES:
        return raw.startswith(_MAGIC) or _MAGIC.startswith(raw) or not any(raw)
    return not any(raw) or any(trace in raw for trace in _TRACES) or _is_cut_short(raw)


def _is_cut_short(raw: bytes) -> bool:
    """Whether it begins as a record does, and was cut off before the names of any tables."""
    pages = int.from_bytes(raw[28:32], "big")
    is_cut = len(raw) < pages * _PAGE_BYTES
    return is_cut and _fault_of_header(raw) is None and b"CREATE TABLE" not in raw


def begin_record(path: Path) -> None:
    """Make the tables of a record where there are none."""
    engine = open_sqlite(path)
    try:
        with writer(engine).begin() as database:
            make_tables(database)
    finally:
        engine.dispose()


def make_tables(database: Connection) -> None:
    """Tables and title, where they are missing."""
    if not _has_tables(database):
        from companion.record.migrations import migrate

        migrate(database)
    if database.execute(select(about.c.text).where(about.c.name == "record")).first() is None:
        database.execute(insert(about).values(name="record", text=written_about()))


def has_tables(database: Connection) -> bool:
    """Whether tables and title are there."""
    if not _has_tables(database):
        return False
    title = select(about.c.text).where(about.c.name == "record")
    return database.execute(title).first() is not None


def _has_tables(database: Connection) -> bool:
    """Whether every table, index and trigger is there, and alembic's note of it.

    A note that this program does not know is a newer one's, or damage that costs nothing.
    """
    if not made_in(database).issuperset({*tables.tables, *ADDED, VERSION}):
        return False
    noted = database.execute(
        select(column("version_num", String)).select_from(named_table(VERSION))
    ).scalar()
    return noted is not None and (noted == NEWEST or noted not in (step for step, _ in SINCE))


def salvage(path: Path, why: str, when: str) -> list[str]:
    """Set a damaged file aside and put a sound one in its place; what to tell people.

    `when` names the file set aside. RecordReadOnly if there is no room for both.
    """
    try:
        with _workshop(path) as folder:
            copy, fresh = folder / path.name, folder / f"new-{path.name}"
            begun = _begun_before(path)
            _copy(begun or path, copy)
            found = read_what_is_left(copy)
            aside = begun or _free_name(path, when)
            kept = _pour_all(found, fresh, _Mark(aside.name, at_rest=not wal_bytes(begun or path)))
            if begun is None:
                _set_aside(path, aside)
            for suffix in ("-wal", "-shm"):  # they belong to the damaged file, not to the new one
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            fresh.replace(path)
            sync(path.parent)
            suspect_of(path).unlink(missing_ok=True)
    except OSError as error:
        raise RecordReadOnly(f"{path} is damaged ({why}) and there: {error.strerror}") from error
    return [f"The record {path.name} was damaged: {why}. It is kept as {aside.name}.", *kept]


@contextlib.contextmanager
def _workshop(path: Path) -> Generator[Path]:
    """A folder beside a record to mend it in; locked, so that nobody sweeps it meanwhile."""
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=_prefix(path)) as name:
        handle = os.open(name, os.O_RDONLY)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX)
            yield Path(name)
        finally:
            os.close(handle)


def _prefix(path: Path) -> str:
    return f".salvage-{path.name}-"


def sweep(path: Path) -> None:
    """Take away what a mending of this record left that was cut off."""
    with contextlib.suppress(OSError):
        for left in path.parent.glob(f"{glob.escape(_prefix(path))}*"):
            handle = os.open(left, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError: somebody mends it now
                shutil.rmtree(left)
            finally:
                os.close(handle)


def _begun_before(path: Path) -> Path | None:
    """The file set aside by a mending of this very file that was cut off; None where none was.

    It has the write-ahead log, which may be gone from beside the record by then. A cut that left
    less of it than the record itself still has leaves it alone.
    """
    for aside in path.parent.glob(f"{glob.escape(path.stem)}.damaged-*"):
        if aside.suffix == path.suffix and filecmp.cmp(path, aside, shallow=False):
            left = wal_bytes(path)
            if not left or left == wal_bytes(aside):
                return aside
    return None


def _copy(path: Path, target: Path) -> None:
    shutil.copy2(path, target)
    if wal_of(path).is_file():
        shutil.copy2(wal_of(path), wal_of(target))


def keep_wal(path: Path, raw: bytes, when: str) -> Path:
    """Keep the bytes of a torn write-ahead log beside the record; where. OSError: none is left."""
    aside = wal_of(_free_name(path, when))
    try:
        aside.write_bytes(raw)
        sync(aside)
    except OSError:
        aside.unlink(missing_ok=True)
        raise
    return aside


def _set_aside(path: Path, aside: Path) -> None:
    _copy(path, aside)
    for file in (aside, wal_of(aside), path.parent):
        if file.exists():
            sync(file)


def _free_name(path: Path, when: str) -> Path:
    ordinals = ("", *(f"-{n}" for n in range(2, 1000)))
    names = (f"{path.stem}.damaged-{when}{ordinal}{path.suffix}" for ordinal in ordinals)
    places = (path.with_name(name) for name in names)
    return next(place for place in places if not (place.exists() or wal_of(place).exists()))


def sync(path: Path) -> None:
    """Write what a file or folder holds through to the disk, before anything relies on it."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@dataclass(frozen=True, slots=True)
class _Mark:
    """What is written for good of what comes from a damaged file.

    `at_rest`: no write-ahead log lay beside it, so a length that it still tells is the last one.
    """

    aside: str
    at_rest: bool

    def of_record(self) -> str:
        """For the list: a match that was lost altogether leaves no other trace."""
        return (
            f"This record was saved from a damaged file, kept as {self.aside}; whole matches may "
            "be missing."
        )

    def of_match(self, match_id: str, found: Salvaged, rows: list[StoredLine]) -> str:
        """What may be lost of a match; nothing where its end proves it whole."""
        last, length, closing = rows[-1], found.lengths.get(match_id), found.closing(match_id, rows)
        is_closed = closing is not None and closing.chain == seal(last.chain, closing.line)
        is_whole = is_closed or (self.at_rest and length == Length.up_to(last))
        if is_whole and read_rows(rows).damage is None:
            return ""
        told = (
            f"Match {match_id} was saved from a damaged file, kept as {self.aside}; what came "
            f"after line {last.seq} may be lost."
        )
        return " ".join(filter(None, (found.saved.get(match_id), told)))


def _pour_all(found: Salvaged, path: Path, mark: _Mark) -> list[str]:
    begin_record(path)
    engine = open_sqlite(path)
    try:
        with writer(engine).begin() as database:
            return list(_pour(found, database, mark))
    finally:
        engine.dispose()


def _pour(found: Salvaged, database: Connection, mark: _Mark) -> Iterator[str]:
    everything = found.matches()
    database.execute(insert(saved), {"match_id": "", "text": mark.of_record()})
    if not everything:
        yield "No line of it could be read; a new record is begun."
    for number, (match_id, rows) in enumerate(everything.items(), 1):
        first = rows[0] if rows[0].seq == 0 else StoredLine(0, "", "")
        _insert_head(match_id, first, database, number=number)
        _insert_lines(match_id, rows, database)
        closing = found.closing(match_id, rows)
        if closing is not None:
            database.execute(insert(closings), _stored(match_id, closing))
        put_length(database, match_id, found.lengths.get(match_id) or Length.up_to(rows[-1]))
        damage = read_rows(rows).damage
        kept = f"Match {match_id}: {counted(len(rows), 'line')} kept"
        yield kept + (f"; {damage}." if damage else ".")
        told = mark.of_match(match_id, found, rows) or found.saved.get(match_id)
        if told:
            database.execute(insert(saved), {"match_id": match_id, "text": told})
            yield told
    _pour_beside(found, everything.keys(), database)


def _pour_beside(found: Salvaged, kept: Collection[str], database: Connection) -> None:
    """Signatures and where matches came from, of those that are kept; and whose names are whose."""
    signed = [
        {"match_id": match_id, "name": one.table, "public": one.public, "value": one.value}
        for match_id, one in found.signatures.items()
        if match_id in kept and match_id in found.closings
    ]
    came = [
        {"match_id": match_id, "place": place}
        for match_id, place in found.arrived.items()
        if match_id in kept
    ]
    for table, rows in ((signatures, signed), (arrived, came)):
        if rows:
            database.execute(insert(table), rows)
    add_namings(database, found.namings)


def _stored(match_id: str, row: StoredLine) -> dict[str, object]:
    return {"match_id": match_id, "line": row.line, "chain": row.chain}


def wal_bytes(path: Path) -> bytes:
    """The write-ahead log as a crash left it; nothing after an orderly end."""
    wal = wal_of(path)
    return wal.read_bytes() if wal.is_file() else b""


@dataclass(frozen=True, slots=True)
class Restored:
    """What a torn write-ahead log gave back; `torn` if it holds more than could be put in place."""

    said: tuple[str, ...] = ()
    torn: bool = False


def restore_from_wal(found: Salvaged, database: Connection) -> Restored:
    """Add lines of a torn write-ahead log that SQLite passed over; `found` is what is in it.

    SQLite stops at the first frame that is damaged. A later line that follows by its seal from
    the last one in the database was confirmed, and belongs there. Lines after a gap are kept too,
    so that the match is known to be damaged and nobody goes on before the gap.
    """
    said: list[str] = []
    torn = False
    for match_id in found.lines:
        last = _restore_match(match_id, found, database, said)
        torn |= last is not None and max(found.lines[match_id]) > last
    return Restored(tuple(said), torn)


def lacks_lines(found: Salvaged, database: Connection) -> bool:
    """Whether a write-ahead log holds lines that SQLite passed over."""
    for match_id in found.lines:
        last = _last_line(match_id, database)
        first, before = (last.seq + 1, last.chain) if last is not None else (0, UNSEALED)
        if found.following(match_id, first, before):
            return True
        if last is not None and found.beyond(match_id, last.seq):
            return True
    return False


def _restore_match(
    match_id: str, found: Salvaged, database: Connection, said: list[str]
) -> int | None:
    """Put back what can be; the number of the last line that follows, None for no such match."""
    last = _last_line(match_id, database)
    first, before = (last.seq + 1, last.chain) if last is not None else (0, UNSEALED)
    rows = found.following(match_id, first, before)
    if rows:
        if last is None:
            _insert_head(match_id, rows[0], database)
        _insert_lines(match_id, rows, database)
        restored = counted(len(rows), "line")
        said.append(f"Match {match_id}: {restored} restored from a torn log.")
    elif last is None:
        return None
    end = first + len(rows) - 1
    beyond = found.beyond(match_id, end)
    if beyond:
        _insert_lines(match_id, beyond, database)
        said.append(f"Match {match_id}: line {end + 1} was lost in a torn log.")
    return end


def lacks_heads(database: Connection) -> bool:
    """Whether there are lines of a match that has no row in the table of matches."""
    ids = set(database.execute(select(matches.c.id)).scalars())
    return not set(database.execute(select(entries.c.match_id).distinct()).scalars()) <= ids


def restore_heads(database: Connection) -> list[str]:
    """List matches again whose lines are there and whose row in the list is gone; what to tell."""
    if not lacks_heads(database):
        return []
    heads = {row.id: row.chain for row in database.execute(select(matches.c.id, matches.c.chain))}
    seals = set(heads.values())
    first = select(entries.c.match_id, entries.c.line, entries.c.chain).where(entries.c.seq == 0)
    said: list[str] = []
    for match_id, line, chain in database.execute(first.order_by(entries.c.match_id)).all():
        lost = match_id not in heads and chain not in seals  # else its name is damaged
        if lost and MATCH_ID.fullmatch(match_id) and chain == seal(UNSEALED, line):
            _insert_head(match_id, StoredLine(0, line, chain), database)
            said.append(f"Match {match_id} was missing in the list of matches; it is there again.")
    return said


def _last_line(match_id: str, database: Connection) -> StoredLine | None:
    columns = select(entries.c.seq, entries.c.line, entries.c.chain)
    of_match = columns.where(entries.c.match_id == match_id)
    row = database.execute(of_match.order_by(entries.c.seq.desc()).limit(1)).first()
    return StoredLine(*row) if row is not None else None


def _insert_head(match_id: str, first: StoredLine, database: Connection, **number: int) -> None:
    values = {"id": match_id, "line": first.line, "chain": first.chain, **number}
    database.execute(insert(matches), values)


def _insert_lines(match_id: str, rows: Sequence[StoredLine], database: Connection) -> None:
    lines = [{**_stored(match_id, row), "seq": row.seq} for row in rows]
    database.execute(insert(entries), lines)
