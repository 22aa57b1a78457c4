"""A match taken along: log, protocol, score sheet and pictures in a folder of its own, anywhere.

What is there afterwards is whole: it is written beside itself, and gets its name at the end.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import BadCall, RecordError
from companion.core.text import counted
from companion.record.evidence import EvidenceFile
from companion.record.keeping import Bounded, at_once
from companion.referee.protocol import read_protocol
from ui.sharing.page import page_of
from ui.table.protocol import Printed, time_of_day

if TYPE_CHECKING:
    from companion.record.record import Record

LOG_NAME = "match.jsonl"
"""What `companion import` takes in at another table."""
TEXT_NAME, PAGE_NAME = "protocol.txt", "match.html"
"""What people read anywhere: the protocol as a text, and the match as a page to step through."""
SHEET_NAME = "sheet.pdf"
"""What is printed and signed: the score sheet."""
OURS = (LOG_NAME, TEXT_NAME, PAGE_NAME, SHEET_NAME, "protocol.html")
"""The last one is what an older program wrote."""
PARTIAL, REPLACED = ".part", ".old"
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
    """What was written: the match's own folder, how many pictures and clips are in it.

    `unread`: so many more could not be read where they are kept.
    """

    folder: Path
    pictures: int
    unread: int = 0

    @property
    def told(self) -> str:
        """In words, with the folder's name."""
        pictures = f", {counted(self.pictures, 'picture')}" if self.pictures else ""
        unread = f"; {counted(self.unread, 'picture')} could not be read" if self.unread else ""
        return f"{self.folder.name}: log, protocol, page, score sheet{pictures}{unread}"


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
    try:
        there = folder if folder.exists() else folder.parent
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


def export_to(
    record: Record, match_id: str, folder: Path, name: str, asked: Bounded = at_once
) -> Exported:
    """Write a match into a folder of its own there: log, protocol, score sheet, pictures.

    BadCall says why it cannot be; nothing of it is left there then, and what was there stays. One
    that is there already under this name is replaced, unless it holds files of somebody else.
    `asked` is how the record is asked: RecordError where its server does not answer.
    """
    files, pictures = _files(record, match_id, asked), _pictures(record, match_id)
    home = _home(folder / folder_name(name, match_id))
    partial, old = (home.with_name(home.name + end) for end in (PARTIAL, REPLACED))
    try:
        folder.mkdir(exist_ok=True)
        sizes = (*map(len, files.values()), *map(_size, pictures))
        _has_room(folder, sum(sizes))
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir()
        for file, content in files.items():
            _write(partial / file, content)
        taken = [_copied(path, partial) for path in pictures]
        _let_everybody_read(partial)
        _take_place(partial, home, old)
        _settle(folder)
    except OSError as wrong:
        shutil.rmtree(partial, ignore_errors=True)
        raise BadCall(f"Nothing was written to {folder.name}: {in_words(wrong)}") from wrong
    shutil.rmtree(old, ignore_errors=True)
    return Exported(home, sum(taken), len(taken) - sum(taken))


def take_along(folders: Iterable[Path], found: Iterable[Path]) -> str:
    """Copy folders of kept pictures onto the first stick that is plugged in; its name.

    Those that are there already are let be. Empty where no stick is plugged in; BadCall says what
    keeps one from taking them.
    """
    stick = next(iter(found), None)
    if stick is None:
        return ""
    try:
        for folder in folders:
            _take_one(folder, stick)
        _settle(stick)
    except OSError as wrong:
        raise BadCall(f"{stick.name}: {in_words(wrong)}") from wrong
    return stick.name


def _take_one(folder: Path, stick: Path) -> None:
    """Copy one folder of kept pictures there: whole, or nothing of it."""
    names = (folder.name if n == 1 else f"{folder.name}-{n}" for n in count(1))
    homes = (stick / name for name in names)
    home = next(one for one in homes if not one.exists() or _is_same(folder, one))
    if home.exists():
        return
    partial = home.with_name(home.name + PARTIAL)
    shutil.rmtree(partial, ignore_errors=True)
    files = [path for path in folder.rglob("*") if path.is_file()]
    try:
        _has_room(stick, sum(map(_size, files)))
        for file in files:
            to = partial / file.relative_to(folder)
            to.parent.mkdir(parents=True, exist_ok=True)
            _write(to, file.read_bytes())
        _let_everybody_read(partial)
        partial.rename(home)
    except OSError:
        shutil.rmtree(partial, ignore_errors=True)
        raise


def _is_same(folder: Path, there: Path) -> bool:
    """Whether a folder is a copy of these pictures, and none of another table's of that day."""
    from vision.camera.kept import TOLD_FILE  # with the libraries of sight

    return _read(there / TOLD_FILE) == _read(folder / TOLD_FILE)


def _take_place(partial: Path, home: Path, old: Path) -> None:
    """Give what was written its name; what had it before is there until then, and comes back."""
    shutil.rmtree(old, ignore_errors=True)
    if home.exists():
        home.rename(old)
    try:
        partial.rename(home)
    except OSError:
        with suppress(OSError):
            old.rename(home)
        raise


def _home(wanted: Path) -> Path:
    """The folder of this name, or of the next number where people keep something else in it."""
    for number in range(1, 100):
        home = wanted if number == 1 else wanted.with_name(f"{wanted.name}-{number}")
        try:
            there = [path.name for path in home.iterdir()]
        except FileNotFoundError:
            return home
        except OSError:  # a file of this name, or a folder that cannot be read
            continue
        if all(one in OURS or EvidenceFile.parse(one) for one in there):
            return home
    return wanted


def _has_room(folder: Path, needed: int) -> None:
    """Say so before anything is written: a match is not written by halves."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        mb = [max(1, round(size / MEGABYTE)) for size in (needed, free)]
        text = f"it has {mb[1]} MB left and {mb[0]} MB are needed: delete something on it"
        raise OSError(None, text)


def folder_name(name: str, match_id: str) -> str:
    """A folder's name that every file system takes, and that no other match has.

    >>> folder_name("Jaws & Paws 2026-11-21 19:00", "0b5cfe2a-77")
    'Jaws-Paws-2026-11-21-19-00-0b5cfe2a'
    """
    words = _UNNAMED.sub("-", name).strip("-")
    return f"{words}-{match_id[:8]}".strip("-")


def _files(record: Record, match_id: str, asked: Bounded) -> Mapping[str, bytes]:
    """The log, the protocol of it as a text, the page with all of it, and the score sheet."""
    from ui.sharing.sheet import score_sheet  # ReportLab is wanted only now

    loaded = asked(partial(record.load, match_id))
    log, kept = asked(partial(record.export, match_id)), record.evidence_of(match_id)
    printed = Printed(loaded, read_protocol(loaded.entries, time_of_day), kept)
    paths = {path.name: path for path in _pictures(record, match_id)}

    def small(file: EvidenceFile) -> bytes | None:
        from vision.evidence.evidence import small_jpeg  # with the libraries of sight

        return small_jpeg(_read(paths.get(file.name)) or b"")

    page = page_of(printed, log, small, beside=True)
    texts = {LOG_NAME: log, TEXT_NAME: printed.as_text(), PAGE_NAME: page}
    written = {name: text.encode() for name, text in texts.items()}
    return {**written, SHEET_NAME: score_sheet(printed)}


def _pictures(record: Record, match_id: str) -> list[Path]:
    kept = record.evidence_of(match_id)
    if not kept:
        return []
    try:
        folder = record.evidence(match_id)
    except RecordError:
        return []
    return [folder / file.name for file in kept]


def _read(path: Path | None) -> bytes | None:
    """A picture where it is kept; None where that disk does not give it."""
    try:
        return path.read_bytes() if path is not None else None
    except OSError:
        return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _copied(path: Path, to: Path) -> bool:
    """Whether a picture was written there; one that cannot be read keeps no other from it."""
    content = _read(path)
    if content is None:
        return False
    _write(to / path.name, content)
    return True


def _write(path: Path, content: bytes) -> None:
    """To the disk itself: a stick is pulled out without a word."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _let_everybody_read(folder: Path) -> None:
    """It is given away: whoever plugs the stick in elsewhere is another user to its file system.

    File systems without rights have no need of it.
    """
    for path in (folder, *folder.rglob("*")):
        with suppress(OSError):
            path.chmod(0o755 if path.is_dir() else 0o644)


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
