"""The record's tables, how its database is opened, and its errors in plain words."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import sqlite3
import threading
from collections.abc import Collection, Generator, Iterator, Sequence
from operator import methodcaller
from pathlib import Path

from sqlalchemy import (
    CTE,
    Column,
    ColumnElement,
    Connection,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    inspect,
    make_url,
    select,
    update,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from companion.core.errors import RecordDamaged, RecordError, RecordReadOnly
from companion.core.text import without_secrets
from companion.record.lines import Length, StoredLine, seal
from companion.record.signing import Signature

FORMAT = 1
"""Raised when tables or lines change; an older program then refuses the newer record."""

BUSY_S = 5.0
"""How long a writer waits for another before it is told."""

ANSWERS_WITHIN_S = 5
"""How long a server may take to let us in: nobody sits down at a table that only waits."""

tables = MetaData()

about = Table(
    "about",
    tables,
    Column("name", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
"""What this database is: a row that bears its own seal, so that damage is no new version; and one
by which other records know it again."""

matches = Table(
    "matches",
    tables,
    Column("number", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("line", Text, nullable=False),
    Column("chain", Text, nullable=False),
    Index("matches_first", "chain"),
)
"""One row a match. `line` and `chain` repeat line 0: without its set-up a match tells nothing."""

entries = Table(
    "entries",
    tables,
    Column("match_id", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("line", Text, nullable=False),
    Column("chain", Text, nullable=False),
    UniqueConstraint("match_id", "seq"),
)
"""The logs, a row a line, never changed."""

closings = Table(
    "closings",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("line", Text, nullable=False),
    Column("chain", Text, nullable=False),
)
"""What ended matches ended with, sealed after their last line."""

lengths = Table(
    "lengths",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("lines", Integer, nullable=False),
    Column("chain", Text, nullable=False),
    Column("seal", Text, nullable=False),
)
"""How many lines a match has, and the seal of its last one, written together with that line.

An older record has none, an older program adds lines without it: so a match has no fewer lines.
"""

saved = Table(
    "saved",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
"""What was told of a match when it was saved from a damaged file; of the record, where the id is
empty. It stays for good."""

listed = Table(
    "listed",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("box", Text, nullable=False),
    Column("demonstration", Integer, nullable=False),
    Column("begun", Text, nullable=False),
    Column("setup", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("winners", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("verified", Text, nullable=False),
    Column("fault", Text, nullable=False),
    Index("listed_outcomes", "box", "winners", "state", "demonstration"),
    Index("listed_begun", "begun"),
)
"""What lists and statistics tell of each match: derived from its log, and made again of it where it
is missing. `verified` is when the whole log was last read (ISO 8601), `fault` what was found."""

signatures = Table(
    "signatures",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("public", Text, nullable=False),
    Column("value", Text, nullable=False),
)
"""Which table's key signed the closing of a match, and how that table is called."""

seated = Table(
    "seated",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Index("seated_names", "name"),
)
"""Who sat where, a row a seat that somebody named, but for demonstrations: derived as `listed`."""

players = Table(
    "players",
    tables,
    Column("key", Text, primary_key=True),
    Column("name", Text, nullable=False),
    Column("player", Text, nullable=False),
    Column("at_utc", Text, nullable=False),
    Column("author", Text, nullable=False),
)
"""What was said of names: that one is such a player's. Rows are added, never changed, so that those
of several tables are one set; `key` seals the row. See `players.py`."""

rests = Table(
    "rests",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("rest_s", Float, nullable=False),
    Column("boot_id", Text, nullable=False),
    Column("at", Float, nullable=False),
)
"""What was last left on the clock of a round. No part of the log: a lost note loses no answer."""


outbox = Table(
    "outbox",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Index("outbox_numbers", "number"),
)
"""Which matches have changed, by the number of the last change of each: see `outbox.py`."""

carried = Table(
    "carried",
    tables,
    Column("place", Text, primary_key=True),
    Column("sent", Integer, nullable=False),
    Column("taken", Integer, nullable=False),
)
"""Up to which change another record was told of this one, and this one of it."""

arrived = Table(
    "arrived",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("place", Text, nullable=False),
)
"""Matches that were played at another table, and from which record they came."""

differing = Table(
    "differing",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("text", Text, nullable=False),
)
"""What is told of a match that was changed here and elsewhere, or is damaged in one of the two
records, until it is settled."""

counted = Table(
    "counted",
    tables,
    Column("match_id", Text, primary_key=True),
    Column("form", Integer, nullable=False),
    Column("seal", Text, nullable=False),
    Column("told", Text, nullable=False),
)
"""What each match adds to the statistics: derived from its log, and made again of it at will.

`told` is JSON of the `form` of whoever wrote it, `seal` that of the closing it was derived under:
another one, or none, says that the match went on since. See `sums.py`.
"""

sums = Table(
    "sums",
    tables,
    Column("about", Text, primary_key=True),
    Column("box", Text, primary_key=True),
    Column("name", Text, primary_key=True),
    Column("figure", Text, primary_key=True),
    Column("detail", Text, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("total", Float, nullable=False),
    Column("squares", Float, nullable=False),
    Index("sums_figures", "about", "figure", "name", "box", "number"),
)
"""What all rows of `counted` come to, so that a page of statistics reads no match."""

periods = Table(
    "periods",
    tables,
    Column("period", Text, primary_key=True),
    Column("about", Text, primary_key=True),
    Column("seals", Text, nullable=False),
    Column("told", Text, nullable=False),
)
"""What the matches of a month, or of a year, come to for one kind of thing, as JSON.

`seals` is a seal over the matches that it was made of. Whoever counts one of these otherwise throws
it away with that: triggers see to it, for older programs too. See `sums.py`.
"""

FORGETTING = (
    "periods_of_added",
    "periods_of_changed",
    "periods_of_gone",
    "periods_of_listed",
    "periods_of_unlisted",
    "periods_moved_from",
    "periods_moved_to",
)
"""The triggers on `counted` and `listed` that throw away the month and the year of a match."""

ratings = Table(
    "ratings",
    tables,
    Column("player", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("begun", Text, nullable=False),
)
"""How strong each player is after the last match counted. The row of no player tells of how many
matches (`mu`) and namings (`sigma`) that is, and when the last of them began."""


def _names_of(*made: Table) -> tuple[str, ...]:
    return tuple(table.name for table in made)


SINCE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("1", _names_of(about, matches, entries, closings, rests)),
    ("2", _names_of(lengths, saved)),
    ("3", (*_names_of(listed, signatures), "listed_outcomes")),
    ("4", (*_names_of(players, seated), "seated_names")),
    ("5", (*_names_of(outbox, carried, arrived, differing), "outbox_numbers", "matches_first")),
    ("6", (*_names_of(counted, sums, ratings), "listed_begun")),
    ("7", _names_of(periods)),
    ("8", FORGETTING),
    ("9", ("sums_figures",)),
)
"""Which step of the migrations has made which tables, indexes and triggers, the oldest first."""

NEWEST = SINCE[-1][0]
VERSION = "alembic_version"
"""The table in which alembic notes the last step that was taken."""

ADDED = frozenset(name for _, made in SINCE[1:] for name in made)
"""Tables, indexes and triggers that a sound record of an older program may lack."""


def written_about(number: int = FORMAT) -> str:
    """The text of the one row of `about`."""
    text = f"record of the dogfight companion, format {number}"
    return f"{text}, {seal('', text)[:8]}"


def format_of(text: str) -> int | None:
    """The format that the row of `about` names; None if the row is damaged."""
    words = text.split()
    number = int(words[-2].rstrip(",")) if len(words) > 1 and words[-2][:-1].isdecimal() else None
    return number if number is not None and text == written_about(number) else None


def is_url(place: str) -> bool:
    """Whether a record is named by a database's URL, not by a path."""
    return "://" in place


def open_server(url: str) -> Engine:
    """A database server by URL; RecordError if the URL or its driver is wrong."""
    if not url.startswith("postgresql"):
        told = without_secrets(f"record {url!r} is of no kind that can be opened")
        raise RecordError(f"{told}; name a path or postgresql://…")
    try:
        return create_engine(make_url(url), pool_pre_ping=True, connect_args=_patience(url))
    except (ArgumentError, NoSuchModuleError, ValueError) as wrong:
        said = without_secrets(f"record {url!r}: {wrong}; name a path or postgresql://…")
        raise RecordError(said) from wrong
    except ModuleNotFoundError as missing:
        said = f"record {url!r} needs {missing.name}: pip install 'dogfight-companion[postgresql]'"
        raise RecordError(without_secrets(said)) from missing


def _patience(url: str) -> dict[str, object]:
    """How long a server is waited for, in its driver's words, unless the URL itself says that."""
    wanted = make_url(url)
    if wanted.drivername not in ("postgresql", "postgresql+psycopg", "postgresql+psycopg2"):
        return {}
    ours: dict[str, object] = {
        "connect_timeout": ANSWERS_WITHIN_S,
        "options": " ".join(f"-c {name}={ms}" for name, ms in _WITHIN_MS.items()),
        "tcp_user_timeout": ANSWERS_WITHIN_S * 1000,
        "keepalives_idle": ANSWERS_WITHIN_S,
        "keepalives_interval": 2,
        "keepalives_count": 3,
    }
    return {name: value for name, value in ours.items() if name not in wanted.query}


_WITHIN_MS = {
    "statement_timeout": 20_000,
    "lock_timeout": 5_000,
    "idle_in_transaction_session_timeout": 20_000,
}
"""How long a server works on one statement, waits for another writer, and for us; a table whose
link was cut in the middle of writing holds up nobody for longer."""


def open_sqlite(path: Path, **how: str) -> Engine:
    """The SQLite file at `path`; each commit is on disk before it returns.

    `how` is what SQLite's URIs take: mode="ro", immutable="1". Without it the file may be written.
    """
    url = URL.create("sqlite", database=path.absolute().as_uri(), query={"uri": "true", **how})
    engine = create_engine(url, connect_args={"timeout": BUSY_S})
    event.listen(engine, "connect", _prepare_reading if how else _prepare)
    event.listen(engine, "begin", _begin)
    return engine


def _prepare_reading(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # BEGIN is ours, see _begin
    connection.text_factory = _as_text


def _prepare(connection: sqlite3.Connection, record: object) -> None:
    _prepare_reading(connection, record)
    with _RAW:
        for pragma in ("journal_mode=WAL", "synchronous=FULL"):
            connection.execute(f"PRAGMA {pragma}").close()


_as_text = methodcaller("decode", "utf-8", "replace")
"""A damaged byte must not hide the row that it stands in: its seal tells."""


def _begin(connection: Connection) -> None:
    """A writer takes its place at once: SQLite refuses to turn a reader into a writer."""
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def writer(engine: Engine) -> Engine:
    """The same database, for transactions that write."""
    return engine.execution_options(writes=True)


_ALONE = 20_261_121
"""The number of the lock of a server that writers of a record take in turn."""


def hold_alone(database: Connection) -> None:
    """Let no other transaction write until this one ends; on SQLite none does anyway."""
    if database.dialect.name == "postgresql":
        database.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_ALONE})")


@contextlib.contextmanager
def plain_errors(where: str) -> Generator[None]:
    """Raise what the database says as one of the record's errors, named in plain words."""
    try:
        yield
    except IntegrityError:  # somebody wrote the same line: the record itself finds out who
        raise
    except DBAPIError as error:
        raise _named(error, where) from error
    except sqlite3.Error as error:
        raise _named_sqlite(error, where) from error


_AROUND = re.compile(
    r'^connection failed: |connection to server at "[^"]*"( \([^)]*\))?, port \d+ failed: '
    r"|FATAL: | Is the server running .*\?$"
)


def driver_words(said: str) -> str:
    r"""What a driver says of a server, on one line, without what is known anyway and guesses.

    >>> driver_words(
    ...     'connection failed: connection to server at "10.0.0.2", port 5432 failed: '
    ...     "Connection refused\n\tIs the server running on that host and accepting connections?"
    ... )
    'Connection refused'
    """
    return " ".join(_AROUND.sub("", " ".join(said.split())).split())


def _named(error: DBAPIError, where: str) -> RecordError:
    if isinstance(error.orig, sqlite3.Error):
        return _named_sqlite(error.orig, where)
    said = driver_words(str(error.orig))
    if "read-only" in said:
        return RecordReadOnly(f"{where} takes nothing more: {said}")
    return RecordError(f"{where} does not answer: {said}")


def suspect_of(path: Path) -> Path:
    """The mark beside a file in which damage was met."""
    return path.with_name(f"{path.name}-suspect")


_RAW = threading.Lock()
"""Held while a file is opened and closed besides SQLite, and while SQLite locks it first."""


def read_raw(path: Path, at: int, most: int) -> bytes:
    """Bytes of a file that SQLite may have open here; OSError where they cannot be read.

    When a program closes a file it loses every lock that it has on it, SQLite's among them: another
    program that closes the record would then take its log away, with all that is written from then
    on. So what SQLite has open is read from there, and not opened once more.
    """
    with _RAW:
        wanted = path.stat()
        for here in _open_here(wanted):
            try:
                raw = os.pread(here, most, at)
                if os.path.samestat(os.fstat(here), wanted):
                    return raw
            except OSError as refused:
                if refused.errno != errno.EBADF:  # else it was closed meanwhile
                    raise
        with path.open("rb", buffering=0) as file:
            file.seek(at)
            return file.read(most)


def _open_here(wanted: os.stat_result) -> Iterator[int]:
    """The numbers under which this program has a file open, whatever it is called."""
    with contextlib.suppress(OSError):  # where there is no such list
        for link in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):  # it was closed meanwhile
                if os.path.samestat(os.fstat(int(link.name)), wanted):
                    yield int(link.name)


def disk_refuses(path: Path) -> bool:
    """Whether a part of a file cannot be read at all: SQLite tells that as damage, too.

    So a worn card answers, which Linux 6.6 to 6.13 let nobody read any more after its first error.
    """
    for suffix in ("", "-wal"):
        at = 0
        try:
            while part := read_raw(path.with_name(path.name + suffix), at, 1 << 20):
                at += len(part)
        except FileNotFoundError:
            continue
        except OSError:
            return True
    return False


_LOG_HEAD, _FRAME_HEAD = 32, 24
_PAGE_SIZES = tuple(1 << power for power in range(9, 17))


def end_of_commits(log: bytes) -> int:
    """How far the writings in a write-ahead log of SQLite go that were committed.

    A disk that was full, or a kill, leaves one after them that never was; and what the log held
    before SQLite began it anew lies there still. All of the log counts where its head or a frame in
    the middle is damaged: what SQLite passes over then was committed.
    """
    page = int.from_bytes(log[8:12], "big")
    if page not in _PAGE_SIZES:
        return len(log)
    step, this_course = _FRAME_HEAD + page, log[16:24]
    heads = [log[at : at + _FRAME_HEAD] for at in range(_LOG_HEAD, len(log) - step + 1, step)]
    ours = [number for number, head in enumerate(heads) if head[8:16] == this_course]
    if not ours or ours != [*range(len(ours))]:
        return len(log)
    committed = [number for number in ours if any(heads[number][4:8])]
    return min(len(log), _LOG_HEAD + (committed[-1] + 1) * step) if committed else _LOG_HEAD


LEAST_FREE_BYTES = 1 << 20
"""With less free SQLite cannot make room for its own notes beside a record."""


def is_full(path: Path) -> bool:
    """Whether a file's disk has no room left: SQLite may tell that as a disk that fails."""
    try:
        return shutil.disk_usage(path.parent).free < LEAST_FREE_BYTES
    except OSError:
        return False


def failing_disk(where: str) -> RecordReadOnly:
    """What is told of a disk that gives or takes nothing more."""
    return RecordReadOnly("the disk fails", "start the machine again", place=where)


def not_writable(where: str, why: str = "the file may not be written") -> RecordReadOnly:
    """What is told of a file that may be read alone."""
    return RecordReadOnly(why, "make it writable", place=where)


def _named_sqlite(error: sqlite3.Error, where: str) -> RecordError:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    damaged = code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    if code in (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and is_full(Path(where)):
        code = sqlite3.SQLITE_FULL
    if code == sqlite3.SQLITE_IOERR or (damaged and disk_refuses(Path(where))):
        return failing_disk(where)
    if code == sqlite3.SQLITE_FULL:
        return RecordReadOnly("the disk is full", "make room", place=where)
    if code == sqlite3.SQLITE_CANTOPEN:
        return not_writable(where, "the file cannot be opened for writing")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return not_writable(where)
    if damaged:
        with contextlib.suppress(OSError):  # the next start looks all of it through
            suspect_of(Path(where)).touch()
        return RecordDamaged(
            f"{where} is damaged ({error}). Start again: the damaged file is set aside and what "
            "can be read of it is kept."
        )
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL):  # the latter: crowded out for 10 s
        return RecordError(
            f"{where} is held by another program for over {BUSY_S:g} s; end that one or wait."
        )
    return RecordError(f"{where}: {error}")


def made_in(database: Connection) -> set[str]:
    """The tables, indexes and triggers that a record has, by name; keys of tables have none."""
    if database.dialect.name == "sqlite":
        there = "SELECT name FROM sqlite_master WHERE sql IS NOT NULL"
        return {*database.exec_driver_sql(there).scalars()}
    more = (
        "SELECT trigger_name FROM information_schema.triggers "
        "UNION SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()"
    )
    return {*inspect(database).get_table_names(), *database.exec_driver_sql(more).scalars()}


def once(column: Column[str], *where: ColumnElement[bool]) -> CTE:
    """Every `text` of a column once, from each to the next of its index: as many looks as texts."""
    first = select(func.min(column).label("text")).where(*where).cte("texts", recursive=True)
    following = select(func.min(column)).where(column > first.c.text, *where)
    more = select(following.scalar_subquery()).where(first.c.text.is_not(None))
    return first.union_all(more)


def read_once(database: Connection, column: Column[str], *where: ColumnElement[bool]) -> list[str]:
    """What `once` finds."""
    texts = once(column, *where)
    found = database.execute(select(texts.c.text).where(texts.c.text.is_not(None)))
    return [str(text) for text in found.scalars().all()]


def behind(begins: str) -> str:
    """A text behind all texts of days, times and ids that begin so, in whatever order they are put.

    A club's server puts texts in the order of its language, which may pass over every sign.

    >>> "2026-11-30T21:00:00.000Z" < behind("2026-11") < "2026-12"
    True
    """
    return f"{begins}zz"


# The rows of a match.


def put_match(database: Connection, match_id: str, rows: Sequence[StoredLine]) -> None:
    """Write a match that is not there yet: its head, its lines, its length."""
    head = {"id": match_id, "line": rows[0].line, "chain": rows[0].chain}
    database.execute(insert(matches), head)
    put_lines(database, match_id, rows)


def put_lines(database: Connection, match_id: str, rows: Sequence[StoredLine]) -> None:
    """Add lines to a match, and note how long it is now."""
    values = [{**_sealed(match_id, row), "seq": row.seq} for row in rows]
    database.execute(_INSERT_LINE, values)
    put_length(database, match_id, Length.up_to(rows[-1]))


def put_length(database: Connection, match_id: str, length: Length) -> None:
    """Note how many lines a match has now."""
    values = {"lines": length.lines, "chain": length.chain, "seal": length.seal(match_id)}
    if database.execute(_MEASURE, {"of": match_id, **values}).rowcount == 0:
        database.execute(insert(lengths), {"match_id": match_id, **values})


def put_ending(
    database: Connection, match_id: str, closing: StoredLine | None, signed: Signature | None
) -> None:
    """Write what a match ended with and who signed it, in place of what was there."""
    for table in (closings, signatures):
        database.execute(delete(table).where(table.c.match_id == match_id))
    if closing is not None:
        database.execute(insert(closings), _sealed(match_id, closing))
    if signed is not None:
        row = {"name": signed.table, "public": signed.public, "value": signed.value}
        database.execute(insert(signatures), {"match_id": match_id, **row})


def signed_by_others(
    database: Connection, keys: Collection[str], only: str = ""
) -> Sequence[tuple[str, Signature]]:
    """Each match that is signed, but by none of these keys, and how; of one match or all."""
    query = select(signatures).where(signatures.c.public.not_in(list(keys)))
    if only:
        query = query.where(signatures.c.match_id == only)
    rows = database.execute(query.order_by(signatures.c.match_id))
    return [(row.match_id, Signature(row.name, row.public, row.value)) for row in rows]


def _sealed(match_id: str, row: StoredLine) -> dict[str, object]:
    return {"match_id": match_id, "line": row.line, "chain": row.chain}


_INSERT_LINE = insert(entries)
_MEASURE = (
    update(lengths)
    .where(lengths.c.match_id == bindparam("of"))
    .values({name: bindparam(name) for name in ("lines", "chain", "seal")})
)
"""Written once: an answer is confirmed when its line is on disk, and waits for all of this."""
