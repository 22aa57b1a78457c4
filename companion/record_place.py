"""Where a record lives: a file of this table, or a club's server; opened, mended, or read only."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import platformdirs
from sqlalchemy import Engine, inspect, make_url
from sqlalchemy.exc import ArgumentError

from companion.errors import RecordError, RecordReadOnly
from companion.record_carve import wal_of
from companion.record_salvage import (
    examine,
    keep_wal,
    make_tables,
    restore_from_wal,
    restore_heads,
    salvage,
    wal_bytes,
)
from companion.record_store import ADDED, is_url, open_server, open_sqlite, plain_errors, writer


@dataclass(frozen=True, slots=True)
class Place:
    """An open database, where evidence goes, and what opening it brought to light."""

    name: str
    engine: Engine
    evidence: Path
    path: Path | None = None
    said: tuple[str, ...] = ()
    read_only: str = ""
    is_older: bool = False
    """Whether an older program wrote it and nothing can be added: tables are missing."""

    def faults(self) -> Sequence[str]:
        """What is wrong with the file as such."""
        why = examine(self.path) if self.path is not None else None
        return [f"{self.name} is damaged: {why}."] if why is not None else []


def usual_place() -> Path:
    """The record of this user where no other is named."""
    return platformdirs.user_data_path("companion") / "matches.sqlite"


def open_place(place: str | Path, last_written: Callable[[Path], str]) -> Place:
    """Open or begin a record; `last_written` names the moment a damaged file was last changed."""
    text = str(place)
    if not is_url(text):
        return _open_file(Path(text).expanduser(), last_written)
    try:
        url = make_url(text)
    except ArgumentError as wrong:
        raise RecordError(f"record {text!r} is no path and no URL of a database") from wrong
    if url.get_backend_name() != "sqlite":
        return _open_server(text)
    if not url.database or url.database == ":memory:":
        raise RecordError(f"record {text!r} names no file; write sqlite:///path or the path alone")
    return _open_file(Path(url.database), last_written)


def is_begun(place: str | Path) -> bool:
    """Whether there is something at a place already; a server is asked when it is opened."""
    text = str(place)
    if not is_url(text):
        return Path(text).expanduser().exists()
    try:
        url = make_url(text)
    except ArgumentError:
        return True  # opening it says what is wrong
    return url.get_backend_name() != "sqlite" or not url.database or Path(url.database).exists()


def _open_server(text: str) -> Place:
    engine = open_server(text)
    name = engine.url.render_as_string(hide_password=True)
    with plain_errors(name), engine.begin() as database:
        make_tables(database)
    return Place(name, engine, usual_place().with_name("evidence"))


def _open_file(path: Path, last_written: Callable[[Path], str]) -> Place:
    if path.is_dir():
        raise RecordError(f"{path} is a folder; name a file in it with --record")
    path = path.absolute()
    evidence = path.with_name(f"{path.stem}-evidence")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordReadOnly(f"{path.parent} cannot be made: {error.strerror}") from error
    is_new = not path.exists()
    why = examine(path)
    said = salvage(path, why, last_written(path)) if why is not None else []
    try:
        engine, more = _begin(path, last_written)
    except RecordReadOnly as closed:
        if is_new:
            _leave_nothing(path)
        if is_new or path.stat().st_size == 0:
            raise RecordReadOnly(_not_begun(closed)) from closed
        reading = _open_reading(path)
        with plain_errors(str(path)):
            is_older = not {*ADDED} <= {*inspect(reading).get_table_names()}
        return Place(str(path), reading, evidence, path, tuple(said), str(closed), is_older)
    return Place(str(path), engine, evidence, path, (*said, *more))


def _leave_nothing(path: Path) -> None:
    """Take away what a record that could not be begun has left."""
    for name in ("", "-journal", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + name).unlink(missing_ok=True)


def _not_begun(closed: RecordReadOnly) -> str:
    why = str(closed).partition(". ")[0]
    return f"{why}, so no record is begun there; make room or name another place with --record"


def _begin(path: Path, last_written: Callable[[Path], str]) -> tuple[Engine, Sequence[str]]:
    """Open for writing, with the tables there and a torn log's lines put back."""
    said: list[str] = []
    if path.is_file() and path.stat().st_size == 0:
        said.append(f"The record {path.name} was an empty file; a new one is begun in it.")
    left = wal_bytes(path)
    when = last_written(wal_of(path)) if left else ""
    engine = open_sqlite(path)
    with contextlib.ExitStack() as undone:
        undone.callback(engine.dispose)
        with plain_errors(str(path)), writer(engine).begin() as database:
            make_tables(database)
            restored = restore_from_wal(left, database)
            said += restore_heads(database)
        undone.pop_all()
    said += restored.said
    if restored.torn:
        said.append(f"The torn log is kept as {_kept(path, left, when)}.")
    return engine, said


def _kept(path: Path, left: bytes, when: str) -> str:
    try:
        return keep_wal(path, left, when).name
    except OSError as error:
        return f"nothing: {error.strerror}"


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
