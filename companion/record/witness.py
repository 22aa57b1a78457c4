"""A witness beside the record: each match's last seal, in plain files that no database writes.

Whoever cuts lines off a match, or changes one and seals all that follow anew, leaves a record that
is sound in itself. It no longer ends as the witness saw it end. A line is `MATCH NUMBER SEAL`; it
is added after the record has it on disk, so the witness is never ahead of what was confirmed.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Sequence
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
        try:
            raw = self._file(match_id).read_bytes()
        except OSError:
            return None
        at = len(raw)
        while (at := raw.rfind(f"{match_id} ".encode(), 0, at)) >= 0:
            seen = _LINE.match(raw, at)
            if seen is not None:
                return Witnessed(int(seen.group(1)), seen.group(2).decode("ascii"))
        return None

    def newest(self) -> tuple[str, Witnessed] | None:
        """The match that was last written of, and what was seen of it; None where none was.

        Of 256 files the one that was written last is read, whatever the record holds.
        """
        try:
            last = max(self.folder.iterdir(), key=lambda one: one.stat().st_mtime_ns, default=None)
            lines = [] if last is None else last.read_bytes().splitlines(keepends=True)
        except OSError:
            return None
        for line in reversed(lines):
            if (whole := _LINE.fullmatch(line)) is not None:
                match_id = line.partition(b" ")[0].decode("ascii", "replace")
                return match_id, Witnessed(int(whole.group(1)), whole.group(2).decode("ascii"))
        return None

    def every(self) -> AbstractSet[str]:
        """Every match that anything was seen of."""
        found = set[bytes]()
        with contextlib.suppress(OSError):
            for file in sorted(self.folder.iterdir()):
                found.update(line.partition(b" ")[0] for line in _WHOLE.findall(file.read_bytes()))
        return {one.decode("ascii", "replace") for one in found}

    def _file(self, match_id: str) -> Path:
        return self.folder / match_id[:_SHARD]


_LINE = re.compile(rb"[^ ]+ (\d{1,9}) ([0-9a-f]{32})\n")
_WHOLE = re.compile(rb"^[^ \n]+ \d{1,9} [0-9a-f]{32}$", re.MULTILINE)
