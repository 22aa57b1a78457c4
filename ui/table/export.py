"""A match taken along: its log and its pictures in a folder of its own, on a stick or anywhere.

What is there afterwards is whole: it is written beside itself, and gets its name at the end.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import BadCall, RecordError
from companion.core.text import counted

if TYPE_CHECKING:
    from companion.record.record import Record

STICKS = (Path("/media"), Path("/run/media"), Path("/mnt"))
"""Where systems mount what is plugged in, a level or two below."""
LOG_NAME = "match.jsonl"
"""What `companion import` takes in at another table."""
PARTIAL = ".part"
MEGABYTE = 1_000_000
_UNNAMED = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class ExportPlace:
    """A folder that may take a match: what people call it, and how much room it has.

    `trouble` says why it cannot take any; empty where it can.
    """

    title: str
    folder: Path
    free_mb: int = 0
    trouble: str = ""
    is_stick: bool = True


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: the match's own folder, and how many pictures and clips are in it."""

    folder: Path
    pictures: int

    @property
    def told(self) -> str:
        """In words, with the folder's name."""
        pictures = f" and {counted(self.pictures, 'picture')}" if self.pictures else ""
        return f"{self.folder.name}: log{pictures}"


def sticks(
    roots: Sequence[Path] = STICKS, is_mount: Callable[[Path], bool] = Path.is_mount
) -> Iterator[Path]:
    """Every drive that is plugged in and mounted."""
    for root in roots:
        for path in sorted((*root.glob("*"), *root.glob("*/*"))):
            if is_mount(path):
                yield path


def export_places(record: Record, found: Sequence[Path]) -> tuple[ExportPlace, ...]:
    """The drives that are plugged in, and at last this machine: beside the record.

    A record on a server has no place beside it.
    """
    places = [_place(path.name, path) for path in found]
    if "://" not in record.name:
        beside = Path(record.name).parent / "exports"
        places.append(_place("This machine", beside, is_stick=False))
    return tuple(places)


def _place(title: str, folder: Path, *, is_stick: bool = True) -> ExportPlace:
    there = folder if folder.exists() else folder.parent
    try:
        free_mb = shutil.disk_usage(there).free // MEGABYTE
    except OSError as gone:
        return ExportPlace(title, folder, 0, in_words(gone), is_stick)
    if not os.access(there, os.W_OK):
        return ExportPlace(title, folder, free_mb, READ_ONLY, is_stick)
    return ExportPlace(title, folder, free_mb, "" if free_mb else FULL, is_stick)


# Writing.

SAFE = "The stick may be pulled out now."
FULL = "it is full: delete something on it"
READ_ONLY = "nothing can be written to it: look for its lock, or whose it is"
GONE = "it is gone: was it pulled out?"
WORDS: Mapping[int, str] = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EFBIG: "a file is too large for it",
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EPERM: READ_ONLY,
    errno.ENOENT: GONE,
    errno.ENOTDIR: GONE,
    errno.ENODEV: GONE,
    errno.EIO: "it does not answer any more: pull it out and try another",
}
"""What keeps a stick from taking a match, and the way out."""


def in_words(wrong: OSError) -> str:
    """Why nothing was written.

    >>> in_words(OSError(errno.ENOSPC, "No space left on device"))
    'it is full: delete something on it'
    """
    return WORDS.get(wrong.errno or 0, wrong.strerror or str(wrong))


def export_to(record: Record, match_id: str, folder: Path, name: str) -> Exported:
    """Write a match into a folder of its own there, log and pictures.

    BadCall says why it cannot be; nothing of it is left there then. One that is there already under
    this name is replaced: it is the same match, maybe as it was before.
    """
    text = record.export(match_id)
    pictures = _pictures(record, match_id)
    home = folder / folder_name(name, match_id)
    partial = home.with_name(home.name + PARTIAL)
    try:
        folder.mkdir(exist_ok=True)
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        _write(partial / LOG_NAME, text.encode())
        for path in pictures:
            _write(partial / path.name, path.read_bytes())
        if home.exists():
            shutil.rmtree(home)
        partial.rename(home)
        _settle(folder)
    except OSError as wrong:
        shutil.rmtree(partial, ignore_errors=True)
        raise BadCall(f"Nothing was written to {folder.name}: {in_words(wrong)}") from wrong
    return Exported(home, len(pictures))


def folder_name(name: str, match_id: str) -> str:
    """A folder's name that every file system takes, and that no other match has.

    >>> folder_name("Jaws & Paws 2026-11-21 19:00", "0b5cfe2a-77")
    'Jaws-Paws-2026-11-21-19-00-0b5cfe2a'
    """
    words = _UNNAMED.sub("-", name).strip("-")
    return f"{words}-{match_id[:8]}".strip("-")


def _pictures(record: Record, match_id: str) -> list[Path]:
    kept = record.evidence_of(match_id)
    if not kept:
        return []
    try:
        folder = record.evidence(match_id)
    except RecordError:
        return []
    return [folder / file.name for file in kept]


def _write(path: Path, content: bytes) -> None:
    """To the disk itself: a stick is pulled out without a word."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """The names, too, as far as the file system can."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError as cannot:
        if cannot.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(handle)
