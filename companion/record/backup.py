"""Backups of a record: copied while it is in use, verified line by line, rotated; and put back.

In the folder that a backup is written to, each has a folder of its own, named by when it was made,
with the database and the witness in it. Evidence never changes once it is kept, so the pictures of
all backups lie beside them once.
"""

from __future__ import annotations

import contextlib
import fcntl
import glob
import os
import re
import shutil
import sqlite3
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from companion.core.errors import BadCall, RecordDamaged, RecordError
from companion.core.text import counted
from companion.record.outbox import IDENTITY
from companion.record.place import (
    RECORD,
    WITNESS,
    finish_restoring,
    held_by,
    put_witness,
    restoring,
)
from companion.record.record import Record
from companion.record.salvage import examine, sync, wal_of
from companion.record.store import read_raw

KEPT = 5
"""So many backups of a record are kept in one folder."""

SPARE_BYTES = 20_000_000
"""Room that is left on the disk besides what a backup needs."""

_PAGES = 2_000
"""Copied at a time: between two of them a table that plays meanwhile may write."""

_MADE = re.compile(r"\d{8}T\d{6}\.\d{3}Z")

Progress = Callable[[int, int], None]
"""Told how much is done, and of how much."""


@dataclass(frozen=True, slots=True)
class Backup:
    """A backup that was made: where it lies, how many matches are in it, and what was wrong.

    `troubles` stood in the record already; `removed` are the older backups that made room.
    """

    folder: Path
    matches: int
    troubles: Sequence[str]
    removed: Sequence[Path]


def _no_progress(_done: int, _all: int) -> None:
    """Tell nobody how far a copy is."""


# Making one.


def back_up(
    place: Path, to: Path, at_utc: str, *, keep: int = KEPT, progress: Progress = _no_progress
) -> Backup:
    """Copy a record into a folder that is there, and read the copy line by line.

    `at_utc` is now (ISO 8601, to the millisecond): the backup is named by it.

    BadCall: there is no record or no such folder, or too little room. RecordDamaged: the copy is
    not what the record holds; nothing is left of it.
    """
    if not place.is_file():
        raise BadCall(f"there is no record at {place}")
    if not to.is_dir():
        raise BadCall(f"{to} is no folder; is the stick plugged in?")
    evidence, kept = _evidence_of(place), to / f"{place.stem}-evidence"
    new = list(_new_files(evidence, kept))
    _sweep(to, place.stem)
    _check_room(to, [place, wal_of(place), *_files_in(_witness_of(place)), *new], "the backup")
    folder = to / f"{place.stem}-{_as_name(at_utc)}"
    if folder.exists():
        raise BadCall(f"{folder} is a backup already; make another in a moment")
    try:
        with _under_way(folder) as part:
            # The witness first: of what is played meanwhile the copy may have more than it saw.
            _copy_tree(_witness_of(place), part / f"{place.name}-witness")
            _copy_database(place, part / place.name, progress)
            matches, troubles = _verified(part / place.name, at_utc)
            for file in new:
                _copy_file(file, kept / file.relative_to(evidence))
            part.rename(folder)
            sync(to)
    except RecordError:
        raise
    except OSError as error:
        raise BadCall(f"{to} takes no backup: {error.strerror}") from error
    return Backup(folder, matches, troubles, _rotate(to, place.stem, keep))


@contextlib.contextmanager
def _under_way(folder: Path) -> Generator[Path]:
    """Where a backup is made until it is whole; locked, so that nobody sweeps it meanwhile."""
    part = folder.with_name(f".{folder.name}{_PART}")
    part.mkdir()
    handle = os.open(part, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)
        os.close(handle)


_PART = ".part"


def _sweep(to: Path, stem: str) -> None:
    """Take away what was left by backups of this record that were killed, or whose stick was."""
    for left in to.glob(f".{glob.escape(stem)}-*{_PART}"):
        with contextlib.suppress(OSError):
            handle = os.open(left, os.O_RDONLY)
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # OSError: it is made just now
                shutil.rmtree(left)
            finally:
                os.close(handle)


def backups(folder: Path, stem: str = "") -> Sequence[Path]:
    """The backups in a folder, the oldest first; of one record where its name is said."""
    begins = f"{stem}-" if stem else ""
    found = (one for one in folder.iterdir() if one.is_dir() and one.name.startswith(begins))
    return sorted((one for one in found if _MADE.fullmatch(_when(one))), key=_when)


def _when(folder: Path) -> str:
    return folder.name.rpartition("-")[2]


def _check_room(to: Path, files: Sequence[Path], what: str) -> None:
    needed = sum(file.stat().st_size for file in files if file.is_file())
    free = shutil.disk_usage(to).free
    if free < needed + SPARE_BYTES:
        told = f"{what} takes {_mb(needed)}, and {_mb(SPARE_BYTES)} stay free"
        raise BadCall(f"{to} has {_mb(free)} left; {told}")


def _mb(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size < 100_000_000 else f"{size / 1e6:.0f} MB"


def _as_name(at_utc: str) -> str:
    """A time as a part of a name: 2026-11-21T19:00:00.125Z as 20261121T190000.125Z."""
    whole, _, part = at_utc.rstrip("Z").partition(".")
    return f"{whole.replace('-', '').replace(':', '')}.{part or '000'}Z"


def _copy_database(place: Path, target: Path, progress: Progress) -> None:
    """Copy a record, whoever writes in it; one beside which nothing can be written, too."""
    try:
        try:
            _copy_in_use(place, target, progress)
        except sqlite3.OperationalError as refused:
            if refused.sqlite_errorcode & 0xFF not in _NO_NOTES:
                raise
            _copy_at_rest(place, target)
    except sqlite3.Error as error:
        raise RecordDamaged(f"{place} cannot be copied: {error}") from error
    sync(target)


_NO_NOTES = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN)
"""SQLite cannot write its own notes beside a file, as on a read-only card."""


def _copy_in_use(place: Path, target: Path, progress: Progress) -> None:
    """With SQLite's own backup: it sees the newest lines, and disturbs nobody who writes."""

    def told(_status: int, left: int, whole: int) -> None:
        progress(whole - left, whole)

    with (
        closing(sqlite3.connect(f"{place.absolute().as_uri()}?mode=ro", uri=True)) as source,
        closing(sqlite3.connect(target)) as copy,
    ):
        source.backup(copy, pages=_PAGES, progress=told, sleep=0.01)
        copy.execute("PRAGMA journal_mode=DELETE").close()


def _copy_at_rest(place: Path, target: Path) -> None:
    """The file and its log as they lie there; SQLite puts the two together in the copy."""
    target.unlink(missing_ok=True)
    with target.open("xb") as copied:
        while part := read_raw(place, copied.tell(), 1 << 20):
            copied.write(part)
    if wal_of(place).is_file():
        shutil.copyfile(wal_of(place), wal_of(target))
    with closing(sqlite3.connect(target)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE").close()


def _verified(copy: Path, at_utc: str) -> tuple[int, Sequence[str]]:
    """Every page and every line of the copy; how many matches it has, and what is wrong."""
    why = examine(copy, whole=True)
    if why is not None:
        raise RecordDamaged(
            f"the copy of {copy.name} is damaged ({why}): `companion check` tells whether the "
            "record is; if not, try another stick"
        )
    with Record.open(copy) as record:
        read = record.verify(record.unverified(), at_utc)
        troubles = [told for found in read for told in found]
        return record.count(), troubles


def _rotate(to: Path, stem: str, keep: int) -> Sequence[Path]:
    """Take away the oldest backups of this record, down to so many."""
    old = backups(to, stem)[: -max(1, keep)]
    for one in old:
        shutil.rmtree(one, ignore_errors=True)
    return old


# Putting one back.


def put_back(source: Path, place: Path, at_utc: str) -> tuple[Path, Path | None]:
    """Put a backup in a record's place; which one it was, and where the old record lies now.

    `source` is a backup, or a folder of backups: its newest. BadCall where that is none, or where
    a program has the record open. Nothing is thrown away: the old record is kept beside the new.
    """
    folder = _newest(source, place.stem)
    copy = _sound_in(folder)
    holder = held_by(place)
    if holder:
        raise BadCall(f"{place} is open in {holder}; end that program first")
    seen, kept = folder / f"{copy.name}-witness", folder.parent / f"{copy.stem}-evidence"
    evidence = _evidence_of(place)
    new = list(_new_files(kept, evidence))
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        old = _files_in(_witness_of(place))
        _check_room(place.parent, [copy, *_files_in(seen), *old, *new], "what is put back")
        finish_restoring(place)
        aside = _swapped(copy, seen, place, at_utc)
        for file in new:
            _copy_file(file, evidence / file.relative_to(kept))
        sync(place.parent)
    except OSError as error:
        raise RecordError(f"{place} cannot be put back: {error.strerror}") from error
    return folder, aside


def _swapped(copy: Path, seen: Path, place: Path, at_utc: str) -> Path | None:
    """Let a backup's record and its witness take a record's place; where the old one lies now."""
    with restoring(place) as folder:
        part = folder / "part"
        shutil.copy2(copy, part)
        _let_be_new(part)
        sync(part)
        part.rename(folder / RECORD)
        (folder / WITNESS).mkdir()
        _copy_tree(seen, folder / WITNESS)
        sync(folder)
        aside = _set_aside(place, _as_name(at_utc))
        (folder / RECORD).replace(place)
        put_witness(place, folder)
        return aside


def _sound_in(folder: Path) -> Path:
    """The database of a backup, every page looked at; BadCall where it is none, or torn."""
    copy = next((file for file in sorted(folder.glob("*")) if file.is_file()), None)
    try:
        torn = copy is None or examine(copy, whole=True) is not None
    except RecordError as wrong:
        raise BadCall(f"{folder} holds no sound record ({wrong}); name another") from wrong
    if copy is None or torn:
        raise BadCall(f"{folder} holds no sound record; name another backup")
    return copy


def _let_be_new(copy: Path) -> None:
    """Let others compare everything with it once more: it is not what they have carried to."""
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute("DELETE FROM about WHERE name = ?", (IDENTITY,))


def _newest(source: Path, stem: str) -> Path:
    if not source.is_dir():
        raise BadCall(f"{source} is no folder; name a backup, or the folder that has them")
    if _MADE.fullmatch(_when(source)):
        return source
    found = backups(source, stem) or backups(source)
    if not found:
        raise BadCall(f"there is no backup in {source}")
    return found[-1]


def _set_aside(place: Path, when: str) -> Path | None:
    """Keep the record that stands there, with its witness; None where there was none.

    A sound one stays in its place, too, until another comes there in one step: a plug that is
    pulled in between leaves a record there, the old one with its witness or the new.
    """
    if not place.exists():
        return None
    names = (f"{place.stem}.before-{when}{n}{place.suffix}" for n in ("", *map(str, range(2, 99))))
    aside = next(other for name in names if not (other := place.with_name(name)).exists())
    try:
        _fold_in(place)
        os.link(place, aside)
    except (OSError, sqlite3.Error):  # no second names on a stick's file system; a damaged record
        place.rename(aside)
    for end in ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            place.with_name(place.name + end).rename(aside.with_name(aside.name + end))
    _copy_tree(_witness_of(place), _witness_of(aside))
    return aside


def _fold_in(place: Path) -> None:
    """Write what stands in a record's log into the record itself; sqlite3.Error where it cannot."""
    with closing(sqlite3.connect(place)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if wal_of(place).exists() and wal_of(place).stat().st_size:
        raise sqlite3.OperationalError("the log is still wanted")


# Files.


def _evidence_of(place: Path) -> Path:
    return place.with_name(f"{place.stem}-evidence")


def _witness_of(place: Path) -> Path:
    return place.with_name(f"{place.name}-witness")


def _files_in(folder: Path) -> Sequence[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _new_files(source: Path, target: Path) -> Iterator[Path]:
    """What lies in one folder of pictures and not, of that size, in the other."""
    for file in sorted(source.rglob("*")) if source.is_dir() else ():
        there = target / file.relative_to(source)
        if file.is_file() and not (there.is_file() and _same_size(file, there)):
            yield file


def _same_size(one: Path, other: Path) -> bool:
    return one.stat().st_size == other.stat().st_size


def _copy_file(source: Path, target: Path) -> None:
    """Copy a file under another name first, so that no half of it bears its own."""
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_name(f".{target.name}.part")
    shutil.copy2(source, part)
    part.replace(target)


def _copy_tree(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)


def told_of(backup: Backup) -> str:
    """A backup that was made, in a sentence."""
    text = f"{backup.folder}: {counted(backup.matches, 'match', 'matches')}, every line verified"
    gone = f"; {counted(len(backup.removed), 'older backup')} removed" if backup.removed else ""
    return f"{text}{gone}"
