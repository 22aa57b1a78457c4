"""Where a record is: a file of this table or a club's server; opened, mended, or read only."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
from collections.abc import Generator, Sequence
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from reprlib import repr as brief

import platformdirs
from sqlalchemy import Connection, Engine, inspect, make_url
from sqlalchemy.exc import ArgumentError

from companion.core.errors import BadCall, RecordError, RecordReadOnly, refuse_kind
from companion.core.text import without_secrets
from companion.record.listing import fill, lacks_rows
from companion.record.outbox import note_missing
from companion.record.salvage import (
    Restored,
    Salvaged,
    carve,
    examine,
    has_tables,
    is_small,
    keep_wal,
    lacks_heads,
    lacks_lines,
    make_tables,
    restore_from_wal,
    restore_heads,
    salvage,
    sweep,
    wal_bytes,
    wal_of,
)
from companion.record.store import (
    ADDED,
    end_of_commits,
    hold_alone,
    is_url,
    made_in,
    not_writable,
    open_server,
    open_sqlite,
    plain_errors,
    suspect_of,
    writer,
)
from companion.record.witness import SealWitness


@dataclass(frozen=True, slots=True)
class OpenDatabase:
    """An open database, where evidence and witness lie, and what opening it brought to light."""

    name: str
    engine: Engine
    evidence: Path
    witness: Path
    path: Path | None = None
    said: tuple[str, ...] = ()
    read_only: RecordReadOnly | None = None
    missing: frozenset[str] = frozenset()
    """Tables that are missing, where an older program wrote it and nothing can be added."""

    def faults(self) -> Sequence[str]:
        """What is wrong with the file as such."""
        why = examine(self.path, whole=True) if self.path is not None else None
        if self.path is None or why is None:
            return []
        with contextlib.suppress(OSError):
            suspect_of(self.path).touch()
        return [f"{self.name} is damaged: {why}. The next start sets it aside and keeps the rest."]


def usual_place() -> Path:
    """The record of this user where no other is named."""
    return platformdirs.user_data_path("companion") / "matches.sqlite"


_A_PLACE = "the path or the URL of a record is wanted"


def open_place(place: str | Path) -> OpenDatabase:
    """Open or begin a record; RecordError if there is something else at that place, or no place."""
    refuse_kind(place, (str, Path), _A_PLACE)
    if not str(place):
        raise BadCall(f"{_A_PLACE}, not ''")
    try:
        return _opened(str(place))
    except RecordError:
        raise
    except (OSError, RuntimeError, ValueError) as wrong:  # too long, a NUL in it, no such home
        said = f"record {brief(str(place))} cannot be opened: {_why(wrong)}"
        raise RecordError(without_secrets(said)) from wrong


def _why(wrong: Exception) -> str:
    """What is wrong, without the path, which is named already."""
    return (isinstance(wrong, OSError) and wrong.strerror) or str(wrong)


def _opened(text: str) -> OpenDatabase:
    if not is_url(text):
        return _open_file(Path(text).expanduser())
    try:
        url = make_url(text)
    except (ArgumentError, ValueError) as wrong:
        said = f"record {text!r} is no path and no URL of a database"
        raise RecordError(without_secrets(said)) from wrong
    if url.get_backend_name() != "sqlite":
        return _open_server(text)
    if not url.database or url.database == ":memory:":
        raise RecordError(f"record {text!r} names no file; write sqlite:///path or the path alone")
    return _open_file(Path(url.database))


def is_begun(place: str | Path) -> bool:
    """Whether there is something at a place already; a server is asked when it is opened."""
    text = str(place)
    if not is_url(text):
        try:
            return Path(text).expanduser().exists()
        except (OSError, RuntimeError, ValueError):
            return True  # opening it says what is wrong
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        return True  # opening it says what is wrong
    return url.get_backend_name() != "sqlite" or not url.database or Path(url.database).exists()


def open_again(path: Path) -> OpenDatabase:
    """A record that this program has open already, once more: nothing is looked through or mended.

    RecordError where there is none any more.
    """
    if not path.is_file():
        raise RecordError(f"{path} is not there any more")
    beside = _beside(path)
    return OpenDatabase(str(path), open_sqlite(path), *beside, path)


def _open_server(text: str) -> OpenDatabase:
    engine = open_server(text)
    name = engine.url.render_as_string(hide_password=True)
    with plain_errors(name):
        with engine.begin() as database:
            is_ready = has_tables(database) and not lacks_rows(database)
        if not is_ready:
            with engine.begin() as database:
                hold_alone(database)
                make_tables(database)
                fill(database)
                note_missing(database)
    beside = usual_place()
    return OpenDatabase(name, engine, beside.with_name("evidence"), beside.with_name("witness"))


def _open_file(path: Path) -> OpenDatabase:
    if path.is_dir():
        raise RecordError(f"{path} is a folder; name a file in it with --record")
    path = path.absolute()
    beside = _beside(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordReadOnly(f"{path.parent} cannot be made: {error.strerror}") from error
    sweep(path)
    finish_restoring(path)
    is_new = not path.exists()
    why = _damage(path)
    said = salvage(path, why, _last_written(path)) if why is not None else []
    if is_new:
        _begin_private(path)
    try:
        engine, more = _begin(path, is_new=is_new)
    except RecordReadOnly as closed:
        if is_new:
            _leave_nothing(path)
        if is_new or path.stat().st_size == 0:
            raise _not_begun(closed) from closed
        reading = _open_reading(path)
        with plain_errors(str(path)):
            missing = _missing_in(reading)
        found = tuple(said)
        return OpenDatabase(str(path), reading, *beside, path, found, copy(closed), missing)
    return OpenDatabase(str(path), engine, *beside, path, (*said, *more))


def _damage(path: Path) -> str | None:
    """Why a file is to be set aside; RecordError where another program would go on writing it."""
    why = examine(path)
    holder = held_by(path) if why is not None else ""
    if holder:
        raise RecordError(f"{path} is damaged ({why}) and open in {holder}; end that program first")
    return why


def _missing_in(reading: Engine) -> frozenset[str]:
    with reading.connect() as database:
        return ADDED - made_in(database)


def _beside(path: Path) -> tuple[Path, Path]:
    """Where the evidence and the witness of a file lie."""
    return path.with_name(f"{path.stem}-evidence"), path.with_name(f"{path.name}-witness")


def held_by(path: Path) -> str:
    """Which other program has a file open, as far as this user may see; nothing where none has."""
    wanted, ours = path.resolve(), str(os.getpid())
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # it has ended, or is another user's
            if process.name != ours and any(
                _points_to(wanted, link) for link in (process / "fd").iterdir()
            ):
                name = (process / "comm").read_text("utf-8").strip()
                return f"process {process.name} ({name})"
    return ""


def _points_to(wanted: Path, link: Path) -> bool:
    try:
        return link.readlink() == wanted
    except OSError:  # closed meanwhile
        return False


# A backup on its way here.


@contextlib.contextmanager
def restoring(path: Path) -> Generator[Path]:
    """A folder beside a record for what is to take its place; `finish_restoring` empties it.

    It is locked, so that nobody else does so meanwhile. OSError: another program puts one back.
    """
    folder = path.with_name(f".{path.name}.restoring")
    folder.mkdir(exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        try:
            yield folder
        finally:
            if not _waits_for_witness(folder):
                shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(handle)


def _waits_for_witness(folder: Path) -> bool:
    """Whether a record has come from there, and its witness not yet."""
    return not (folder / RECORD).exists() and (folder / WITNESS).is_dir()


def finish_restoring(path: Path) -> None:
    """Let a backup that was on its way here when its program was killed come whole, or not at all.

    It has come as soon as its record stands here: its witness belongs to it then.
    """
    if not path.with_name(f".{path.name}.restoring").is_dir():
        return
    with contextlib.suppress(OSError), restoring(path) as folder:
        if not path.exists() and (folder / RECORD).exists():  # the old one was set aside already
            (folder / RECORD).replace(path)
        put_witness(path, folder)


RECORD, WITNESS = "record", "witness"
"""How a backup's record and its witness are called on their way."""


def put_witness(path: Path, folder: Path) -> None:
    """Put the witness in its place, once the record itself is no longer on its way."""
    new, old = folder / WITNESS, _beside(path)[1]
    if _waits_for_witness(folder):
        shutil.rmtree(old, ignore_errors=True)
        if any(new.iterdir()):
            new.rename(old)
        else:  # an old backup has none
            new.rmdir()


def _leave_nothing(path: Path) -> None:
    """Take away what a record that could not be begun has left."""
    for name in ("", "-journal", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + name).unlink(missing_ok=True)


def _not_begun(closed: RecordReadOnly) -> RecordReadOnly:
    way_out = "make room or name another place with --record"
    return RecordReadOnly(f"{closed.reason}, so no record is begun there; {way_out}")


def _begin_private(path: Path) -> None:
    """An empty file that its user alone can read: what people said at a table is theirs.

    SQLite gives the files beside it the same rights. Where it cannot be made, opening says why.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _begin(path: Path, *, is_new: bool) -> tuple[Engine, Sequence[str]]:
    """Open for writing, with the tables there and a torn log's lines put back.

    Where all of that is so already, nothing is locked: another program may be writing just now.
    """
    said: list[str] = []
    if not is_new and path.is_file() and path.stat().st_size == 0:
        said.append(f"The record {path.name} was an empty file; a new one is begun in it.")
    left = wal_bytes(path)
    when = _last_written(wal_of(path)) if left else ""
    found = _in_log(left, SealWitness(_beside(path)[1]))
    engine = open_sqlite(path)
    restored = Restored()
    with contextlib.ExitStack() as undone:
        undone.callback(engine.dispose)
        with plain_errors(str(path)):
            with engine.begin() as database:
                is_ready = _is_ready(database, found, whole=is_small(path))
            if not is_ready:
                with writer(engine).begin() as database:
                    make_tables(database)
                    restored = restore_from_wal(found, database)
                    said += restore_heads(database)
                    fill(database)
                    note_missing(database)
        undone.pop_all()
    if is_ready and not os.access(path, os.W_OK):  # with its notes beside it SQLite says nothing
        engine.dispose()
        raise not_writable(str(path))
    said += restored.said
    if restored.torn:
        said.append(f"The torn log {_kept(path, left, when)}.")
    return engine, said


def _in_log(left: bytes, witness: SealWitness) -> Salvaged:
    """The lines in a write-ahead log.

    A writing at its end that was never committed was never confirmed, and is no part of it; but
    for lines that the witness has seen: that log was cut off.
    """
    found, late = Salvaged(), Salvaged()
    end = end_of_commits(left)
    carve(left[:end], found)
    carve(left[end:], late)
    for match_id, lines in late.lines.items():
        seen = witness.of(match_id)
        for row in (row for seq in lines for row in lines[seq] if seen and seq <= seen.seq):
            found.add(match_id, row.line, row.chain)
    return found


def _is_ready(database: Connection, found: Salvaged, *, whole: bool) -> bool:
    """Whether an open record lacks nothing; `whole`: also the list is held against the lines."""
    if not has_tables(database) or lacks_rows(database) or lacks_lines(found, database):
        return False
    return not (whole and lacks_heads(database))


def _kept(path: Path, left: bytes, when: str) -> str:
    try:
        return f"is kept as {keep_wal(path, left, when).name}"
    except OSError as error:
        return f"could not be kept: {error.strerror}"


def _open_reading(path: Path) -> Engine:
    """For looking at alone: where not even SQLite's own notes beside the file can be written."""
    engine = open_sqlite(path, mode="ro")
    with contextlib.suppress(RecordError), plain_errors(str(path)), engine.begin() as database:
        database.exec_driver_sql("SELECT 1 FROM matches")
        return engine
    engine.dispose()
    engine = open_sqlite(path, mode="ro", immutable="1")
    with plain_errors(str(path)), engine.connect() as database:
        if not inspect(database).has_table("matches"):
            engine.dispose()
            raise RecordError(f"{path} is no record of matches; name another file with --record")
    return engine


def _last_written(path: Path) -> str:
    """When a file was last changed, as a part of a file's name."""
    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return moment.strftime("%Y%m%dT%H%M%SZ")
