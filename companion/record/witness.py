"""A witness beside the record: each match's last seal, in plain files that no database writes.

Whoever cuts lines off a match, or changes one and seals all that follow anew, leaves a record that
is sound in itself. It no longer ends as the witness saw it end. A line is `MATCH NUMBER SEAL`; it
is added after the record has it on disk, so the witness is never ahead of what was confirmed.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.record.lines import StoredLine

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

    def _file(self, match_id: str) -> Path:
        return self.folder / match_id[:_SHARD]


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
