"""A record that stands in for one that cannot be opened; later its matches are moved into that one.

A table never stands still for its record: a server that does not answer, a card that is full or
locked, a path that was mistyped. What is played meanwhile is kept elsewhere, and told.
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_runtime_path, user_state_path

from companion.core.errors import BadFile, RecordError
from companion.core.text import counted
from companion.record.place import usual_place
from companion.record.record import Record

NAME = "meanwhile.sqlite"
WAITING = "meanwhile-waiting"
"""How a stand-in is called that no match is written to any more, until its matches come home."""
HOME = "brought-home"
"""Added to the name of a stand-in whose matches are in the table's own record now."""


@dataclass(frozen=True, slots=True)
class OpenedRecord:
    """The record to play with. `why` says why it is not the one that was wanted; empty if it is."""

    record: Record
    why: str = ""
    said: Sequence[str] = ()


def open_or_stand_in(
    place: str | Path,
    folders: Sequence[Path],
    opens: Callable[[str | Path], Record] = Record.open,
) -> OpenedRecord:
    """The record at a place, else one in the first of these folders that takes it.

    `opens` opens the wanted one: it may give up sooner than the record itself. RecordError where
    none of them does: it says why the wanted one cannot be opened.
    """
    try:
        record = opens(place)
    except RecordError as closed:
        return _stand_in(closed, folders)
    said: tuple[str, ...] = ()
    if not record.read_only:
        said = tuple(told for folder in folders for told in _bring_home(record, folder / NAME))
        said += bring_home(record, folders)
    return OpenedRecord(record, said=said)


def put_by(folders: Sequence[Path]) -> None:
    """Let stand-ins wait to come home: a match that is kept elsewhere from now on begins another.

    Call it where no match is under way and what was written is closed; one that is open stays.
    """
    for folder in folders:
        place = folder / NAME
        is_open = place.with_name(f"{NAME}-wal").exists()
        if place.is_file() and not is_open:
            numbers = ("", *(f"-{n}" for n in range(2, 1000)))
            names = (f"{WAITING}{number}" for number in numbers)
            stem = next(name for name in names if not [*folder.glob(f"{name}[.-]*")])
            for old, new in zip(
                _files_of(place), _files_of(folder / f"{stem}.sqlite"), strict=True
            ):
                if old.exists():
                    old.rename(new)


def _files_of(place: Path) -> tuple[Path, Path, Path]:
    """A record's folders beside it, and then itself."""
    beside = (f"{place.stem}-evidence", f"{place.name}-witness")
    return place.with_name(beside[0]), place.with_name(beside[1]), place


def waiting(folders: Sequence[Path]) -> Sequence[Path]:
    """Stand-ins that wait to come home."""
    return [place for folder in folders for place in sorted(folder.glob(f"{WAITING}*.sqlite"))]


def bring_home(record: Record, folders: Sequence[Path]) -> tuple[str, ...]:
    """Move the matches of those that wait into the record; which came, or why they stay."""
    return tuple(told for place in waiting(folders) for told in _bring_home(record, place))


def _stand_in(closed: RecordError, folders: Sequence[Path]) -> OpenedRecord:
    for folder in folders:
        with contextlib.suppress(RecordError):
            record = Record.open(folder / NAME)
            if not record.read_only:
                return OpenedRecord(record, str(closed))
            record.close()
    raise closed


def _bring_home(record: Record, place: Path) -> Iterator[str]:
    """Move the matches of a stand-in into the record; say which came, or why they stay there."""
    if not place.is_file() or str(place.absolute()) == record.name:
        return
    try:
        with Record.open(place) as meanwhile:
            brought = [_bring(record, meanwhile, line.match_id) for line in meanwhile.matches()]
        for end in ("", "-evidence", "-witness"):
            _put_away(place, end)
    except (RecordError, BadFile, OSError) as wrong:
        yield f"What was played meanwhile stays in {place}: {wrong}"
        return
    if brought:
        matches = counted(len(brought), "match", "matches")
        yield f"{matches} that {'was' if len(brought) == 1 else 'were'} kept elsewhere came home."


def _bring(record: Record, meanwhile: Record, match_id: str) -> str:
    """Move one match and its pictures into the record; return the id that it has there.

    A match of which the record has the beginning goes on there. One that went on there otherwise
    becomes a match of its own.
    """
    took = record.take(meanwhile.copy_of(match_id))
    here = took.match_id
    if took.differs:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "match.jsonl")
            file.write_text(meanwhile.export(match_id), "utf-8")
            here = record.import_file(file).match_id
    if meanwhile.evidence_of(match_id):
        shutil.copytree(meanwhile.evidence(match_id), record.evidence(here), dirs_exist_ok=True)
    return here


def stand_ins() -> tuple[Path, ...]:
    """Where matches are kept meanwhile; the last is in memory, gone with the power.

    The second is on disk where the usual folder is on a card of its own, or locked. The last
    outlives the app: a service that is started anew may find another /tmp than it left.
    """
    return (
        usual_place().parent,
        user_state_path("companion") / "meanwhile",
        user_runtime_path("companion") / "meanwhile",
    )


def is_in_memory(record: Record) -> bool:
    """Whether a record is the stand-in that goes with the power."""
    return Path(record.name).parent == stand_ins()[-1]


def stand_in(folders: Sequence[Path]) -> Record:
    """A record to go on with in the first of these folders that takes it; RecordError."""
    return _stand_in(RecordError("no folder takes what is played"), folders).record


def _put_away(place: Path, end: str) -> None:
    """Rename what has come home, so that it does not come twice and nothing is thrown away."""
    stem = place.stem if end == "-evidence" else place.name
    old = place.with_name(stem + end)
    if old.exists():
        numbers = ("", *(f"-{n}" for n in range(2, 1000)))
        names = (place.with_name(f"{HOME}{number}-{old.name}") for number in numbers)
        old.rename(next(new for new in names if not new.exists()))
