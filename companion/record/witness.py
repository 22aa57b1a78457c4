"""A witness beside the record: each match's last seal, in plain files that no database writes.

Whoever cuts lines off a match, or changes one and seals all that follow anew, leaves a record that
is sound in itself. It no longer ends as the witness saw it end. A line is `MATCH NUMBER SEAL`; it
is added after the record has it on disk, so the witness is never ahead of what was confirmed.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, insert, select

from companion.core.errors import RecordReadOnly
from companion.core.text import counted
from companion.record.lines import StoredLine
from companion.record.store import about, closings, entries, matches

if TYPE_CHECKING:
    from companion.match.entry import Entry

_SHARD = 2
"""Figures of a match's id that name its file: one of 256 is read to look a match up."""


@dataclass(frozen=True, slots=True)
class Witnessed:
    """What was seen of a match: the number of its last line, and the seal of that one."""

    seq: int
    chain: str

    def against(self, entries: Sequence[Entry]) -> str | None:
        """What the lines of a match lack of it, or None.

        Later lines may have been added by a program without a witness.
        """
        there = len(entries)
        if self.seq >= there:
            what = f"line {there} is" if self.seq == there else f"lines {there} to {self.seq} are"
            return f"{what} missing, which the witness beside the record has seen"
        if entries[self.seq].chain != self.chain:
            return f"line {self.seq}, or one before it, is not what the witness has seen"
        return None


class SealWitness:
    """The witness of one record, in a folder beside it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def note(self, match_id: str, last: StoredLine, *, at_end: bool = False) -> None:
        """Add what a match ends with now; `at_end`: it is on disk when this returns.

        Where it cannot be written nothing is lost: the record has the line.
        """
        line = f"{match_id} {last.seq} {last.chain}\n"
        with contextlib.suppress(OSError):
            self.folder.mkdir(mode=0o700, exist_ok=True)
            with self._file(match_id).open("a", encoding="ascii") as file:
                file.write(line)
                if at_end:
                    file.flush()
                    os.fsync(file.fileno())

    def of(self, match_id: str) -> Witnessed | None:
        """What was last seen of a match; None where nothing was, or a torn file tells nothing."""
        named = f"{match_id} ".encode()
        with contextlib.suppress(OSError):
            for end in _ends_of(self._file(match_id)):
                at = len(end)
                while (at := end.rfind(named, 0, at)) >= 0:
                    if (seen := _LINE.match(end, at)) is not None:
                        return Witnessed(int(seen.group(1)), seen.group(2).decode("ascii"))
        return None

    def of_many(self, wanted: AbstractSet[str]) -> Mapping[str, Witnessed]:
        """What was last seen of each of these matches, every file read once."""
        found: dict[str, Witnessed] = {}
        for shard in sorted({match_id[:_SHARD] for match_id in wanted}):
            with contextlib.suppress(OSError):
                raw = self._file(shard).read_bytes()
                last = {line[1]: line for line in _OF_MATCH.finditer(raw)}
                for name, line in last.items():
                    if (match_id := name.decode("ascii")) in wanted:
                        found[match_id] = Witnessed(int(line[2]), line[3].decode("ascii"))
        return found

    def newest(self) -> tuple[str, Witnessed] | None:
        """The match that was last written of, and what was seen of it; None where none was.

        Of 256 files the end of the one that was written last is read, whatever the record holds.
        """
        with contextlib.suppress(OSError):
            last = max(self.folder.iterdir(), key=lambda one: one.stat().st_mtime_ns, default=None)
            for end in () if last is None else _ends_of(last):
                for line in reversed(end.splitlines(keepends=True)):
                    if (whole := _LINE.fullmatch(line)) is not None:
                        match_id = line.partition(b" ")[0].decode("ascii", "replace")
                        seen = Witnessed(int(whole.group(1)), whole.group(2).decode("ascii"))
                        return match_id, seen
        return None

    def besides(self, known: AbstractSet[str]) -> AbstractSet[str]:
        """Every match that anything was seen of, but for those that are known."""
        ours = {b"", *(match_id.encode() for match_id in known)}
        found = set[bytes]()
        with contextlib.suppress(OSError):
            for file in sorted(self.folder.iterdir()):
                raw = file.read_bytes()
                if {line.partition(b" ")[0] for line in raw.split(b"\n")} <= ours:
                    continue  # sooner told than which of its lines are whole
                found.update(line.partition(b" ")[0] for line in _WHOLE.findall(raw))
        return {one.decode("ascii", "replace") for one in found - ours}

    def fault(self) -> str:
        """Why nothing can be seen in it, or nothing."""
        try:
            next(self.folder.iterdir(), None)
        except FileNotFoundError:
            return "is gone"
        except OSError as wrong:
            return f"cannot be read ({wrong.strerror})"
        return ""

    def begin_anew(self, rows: Iterable[tuple[str, int, str]], at_utc: str) -> Path | None:
        """See each match as it ends now, by its id, last line and seal; where the old one is kept.

        RecordReadOnly where that cannot be written: the old one stays in its place then.
        """
        mark = "".join(filter(str.isalnum, at_utc))
        aside = self.folder.with_name(f"{self.folder.name}-until-{mark}")
        new = self.folder.with_name(f"{self.folder.name}-next")
        try:
            _write_whole(new, rows)
            is_there = self.folder.exists()
            if is_there:
                self.folder.rename(aside)
            new.rename(self.folder)
        except OSError as wrong:
            shutil.rmtree(new, ignore_errors=True)
            told = f"{self.folder} cannot be begun anew: {wrong.strerror}"
            raise RecordReadOnly(told) from wrong
        return aside if is_there else None

    def _file(self, match_id: str) -> Path:
        return self.folder / match_id[:_SHARD]


def _write_whole(folder: Path, rows: Iterable[tuple[str, int, str]]) -> None:
    """A new witness, on disk: the last line of each match by its number and seal. OSError."""
    lines = defaultdict[str, list[str]](list)
    for match_id, seq, chain in rows:
        lines[match_id[:_SHARD]].append(f"{match_id} {seq} {chain}\n")
    shutil.rmtree(folder, ignore_errors=True)  # what a call that was cut off has left
    folder.mkdir(mode=0o700)
    for shard, texts in lines.items():
        with (folder / shard).open("w", encoding="ascii") as file:
            file.write("".join(texts))
            file.flush()
            os.fsync(file.fileno())


_AT_FIRST = 1 << 14
"""So many bytes of a file's end are read at first: the last some hundred lines."""
_MORE = 8


def _ends_of(file: Path) -> Iterator[bytes]:
    """The end of a file, then ever more of it, at last all; each begins where a line begins."""
    with file.open("rb") as opened:
        size, wanted = opened.seek(0, os.SEEK_END), _AT_FIRST
        while wanted < size:
            opened.seek(size - wanted)
            yield opened.read().partition(b"\n")[2]
            wanted *= _MORE
        opened.seek(0)
        yield opened.read()


_LINE = re.compile(rb"[^ ]+ (\d{1,9}) ([0-9a-f]{32})\n")
_OF_MATCH = re.compile(rb"([0-9a-f]{10}) (\d{1,9}) ([0-9a-f]{32})\n")
_WHOLE = re.compile(rb"^[^ \n]+ \d{1,9} [0-9a-f]{32}$", re.MULTILINE)


# What the record has that its witness has not seen, and the other way round.

Reading = Callable[[], AbstractContextManager[Connection]]
"""Opens a transaction that reads the record."""

_SINCE = "witness"
"""The row of `about` with the number of the first match of which there has been a witness."""
_TOLD = 12
"""So many ids are told."""
_WAY_OUT = (
    "`companion restore` puts a backup back, with its witness; `companion check --witness` takes "
    "the record as it stands, and begins a new witness of it."
)


def note_since(database: Connection, first: int | None = None) -> None:
    """Note from which match on there is a witness, the newest if none is named; once for good."""
    if _since(database) is None:
        number = first or database.execute(select(func.max(matches.c.number))).scalar_one()
        database.execute(insert(about), {"name": _SINCE, "text": str(number)})


def _since(database: Connection) -> int | None:
    text = database.execute(select(about.c.text).where(about.c.name == _SINCE)).scalar()
    return int(text) if text is not None and text.isdecimal() else None


def last_lines(database: Connection) -> Sequence[tuple[str, int, str]]:
    """Each match by its id, the number of its last line, and the seal of that one."""
    last = select(entries.c.match_id, func.max(entries.c.seq).label("seq"))
    last_of = last.group_by(entries.c.match_id).subquery()
    at = (entries.c.match_id == last_of.c.match_id) & (entries.c.seq == last_of.c.seq)
    query = select(entries.c.match_id, entries.c.seq, entries.c.chain).join(last_of, at)
    return [(match_id, seq, chain) for match_id, seq, chain in database.execute(query)]


def torn_off(reading: Reading, witness: SealWitness) -> Sequence[str]:
    """That the record does not end as the witness saw it end: its log was torn off, silently."""
    seen = witness.newest()
    if seen is None:
        return ()
    match_id, last = seen
    at = (entries.c.match_id == match_id, entries.c.seq == last.seq)
    with reading() as database:
        chain = database.execute(select(entries.c.chain).where(*at)).scalar()
    if chain is not None:
        return ()
    told = (
        f"The newest lines of the record are missing: line {last.seq} of match {match_id} was "
        "confirmed. `companion check` names every match that lacks any; `companion restore` "
        "puts a backup back."
    )
    return (told,)


def missing(reading: Reading, witness: SealWitness) -> Sequence[str]:
    """Which whole matches are missing that the witness has seen."""
    gone = sorted(witness.besides(_ids(reading)))
    if gone:  # one of them may have begun after the first look at the record
        known = _ids(reading)
        gone = [one for one in gone if one not in known]
    if not gone:
        return ()
    many = counted(len(gone), "match is", "matches are")
    seen = "that the witness beside the record has seen"
    return (f"{many} missing {seen}: {_named(gone)}. {_WAY_OUT}",)


def unseen(reading: Reading, witness: SealWitness, only: str = "") -> Sequence[str]:
    """Which matches ended here, since there is a witness, and it knows nothing of them.

    Of a match that goes on it may know nothing after a power cut: a line of it waits for no disk.
    """
    query = select(matches.c.id).join(closings, closings.c.match_id == matches.c.id)
    query = query.order_by(matches.c.number)
    with reading() as database:
        since = _since(database)
        if since is None:
            return ()
        query = query.where(matches.c.number >= since)
        if only:
            query = query.where(matches.c.id == only)
        ended = list(database.execute(query).scalars())
    fault = witness.fault()
    lost = ended
    for _ in range(2):  # what another program has just imported is seen at the second look
        lost = [one for one in lost if one not in witness.of_many({*lost})]
    if not (lost or fault):
        return ()
    return (f"{_what_is_unseen(witness.folder.name, lost, len(ended), fault)}. {_WAY_OUT}",)


def _what_is_unseen(folder: str, lost: Sequence[str], ended: int, fault: str) -> str:
    cut = "whether lines were cut off or sealed anew cannot be told"
    if fault:
        return f"The witness beside the record, the folder {folder}, {fault}: {cut}"
    if len(lost) == ended > 1:
        many = f"the {ended} matches that ended here"
        return (
            f"The folder {folder} is no witness of this record, it has seen none of {many}: {cut}"
        )
    many = counted(len(lost), "match", "matches")
    return f"The witness beside the record has seen nothing of {many} ({_named(lost)}): {cut}"


def _ids(reading: Reading) -> AbstractSet[str]:
    with reading() as database:
        return {*database.execute(select(matches.c.id)).scalars()}


def _named(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_TOLD]) + (" ..." if len(ids) > _TOLD else "")
