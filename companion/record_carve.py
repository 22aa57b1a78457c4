"""What can still be read of a damaged database file.

Two ways, one after the other: SQLite reads the rows it still reaches, forwards and backwards; then
the bytes of the file and of its write-ahead log are searched for lines, which are told by their
shape. What is found twice, and what only looks like a line, is told by its seal.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from companion.record_line import UNSEALED, Length, Row, read_closing, read_entry, seal

MATCH_ID = re.compile(r"[0-9a-f]{10}")
"""What a match is called, in any record."""

_START = re.compile(rb"[0-9a-f]{10}(?=[\x00-\xff]{0,4}?\{\")")
_LINE = re.compile(rb"[\x00-\xff]{0,4}?(\{\"[ -~]*?\})([0-9a-f]{32})")


@dataclass(slots=True)
class Found:
    """Lines by match and number, with every reading there is of each; closings likewise."""

    numbers: dict[str, int] = field(default_factory=dict[str, int])
    lines: dict[str, dict[int, set[Row]]] = field(default_factory=dict[str, dict[int, set[Row]]])
    closings: dict[str, set[Row]] = field(default_factory=dict[str, set[Row]])
    lengths: dict[str, Length] = field(default_factory=dict[str, Length])
    saved: dict[str, str] = field(default_factory=dict[str, str])

    def add(self, match_id: object, line: object, chain: object) -> None:
        """Take in what may be a stored line or closing; anything else is passed over."""
        if not (isinstance(match_id, str) and isinstance(line, str) and isinstance(chain, str)):
            return
        if not MATCH_ID.fullmatch(match_id):
            return
        with contextlib.suppress(ValueError, RecursionError):
            if line.startswith('{"closing"'):
                _, count = read_closing(line)
                self.closings.setdefault(match_id, set()).add(Row(count, line, chain))
            else:
                seq = read_entry(line).seq
                readings = self.lines.setdefault(match_id, {}).setdefault(seq, set())
                readings.add(Row(seq, line, chain))

    def matches(self) -> Mapping[str, list[Row]]:
        """Each match's best lines in order; left out is what no seal holds together."""
        best = {match_id: self._best(match_id) for match_id in self._in_order()}
        twice = {rows[0].chain for rows in best.values() if len(rows) > 1}
        return {
            match_id: rows
            for match_id, rows in best.items()
            if len(rows) > 1 or (rows and rows[0].chain not in twice)  # else a name was damaged
        }

    def _in_order(self) -> list[str]:
        last = max(self.numbers.values(), default=0) + 1
        return sorted(self.lines, key=lambda name: (self.numbers.get(name, last), self._at(name)))

    def _at(self, match_id: str) -> str:
        readings = self.lines[match_id]
        return min(read_entry(row.line).at_utc for row in readings[min(readings)])

    def _best(self, match_id: str) -> list[Row]:
        rows: list[Row] = []
        held = 0
        before = UNSEALED
        for _, readings in sorted(self.lines[match_id].items()):
            sealed = [row for row in readings if row.chain == seal(before, row.line)]
            held += len(sealed)
            rows.append(min(sealed or readings, key=lambda row: row.line))
            before = rows[-1].chain
        return rows if held else []

    def following(self, match_id: str, first: int, before: str) -> list[Row]:
        """The lines from number `first` on that follow by their seals from the one `before`."""
        rows: list[Row] = []
        while True:
            readings = self.lines.get(match_id, {}).get(first + len(rows), set())
            sealed = [row for row in readings if row.chain == seal(before, row.line)]
            if not sealed:
                return rows
            rows.append(sealed[0])
            before = sealed[0].chain

    def beyond(self, match_id: str, last: int) -> list[Row]:
        """Lines after number `last` that are sealed to a neighbour, but not to that line."""
        lines = self.lines.get(match_id, {})
        rows: dict[int, Row] = {}
        for seq, readings in sorted(lines.items()):
            for row in readings:
                for before in lines.get(seq - 1, ()):
                    if row.chain == seal(before.chain, row.line):
                        rows |= {seq - 1: before, seq: row}
        return [row for seq, row in sorted(rows.items()) if seq > last]

    def closing(self, match_id: str, rows: list[Row]) -> Row | None:
        """The closing that is sealed after these lines, or any there is if none is."""
        readings = self.closings.get(match_id, set())
        sealed = [row for row in readings if row.chain == seal(rows[-1].chain, row.line)]
        return min(sealed or readings, key=lambda row: row.line, default=None)


def read_what_is_left(path: Path) -> Found:
    """Every line in the file and beside it. The file may be changed by it: give a copy."""
    found = Found()
    carve(_bytes_of(path), found)
    carve(_bytes_of(wal_of(path)), found)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.text_factory = _ascii
        with contextlib.suppress(*_UNREADABLE):
            _scan(database, found)
    return found


def wal_of(path: Path) -> Path:
    """The write-ahead log that SQLite keeps beside a file."""
    return path.with_name(f"{path.name}-wal")


def carve(raw: bytes, found: Found) -> None:
    """Take in whatever looks like a line in raw bytes of a database file."""
    for start in _START.finditer(raw):
        line = _LINE.match(raw, start.end())
        if line is not None:
            found.add(start.group().decode(), line.group(1).decode(), line.group(2).decode())


def _scan(database: sqlite3.Connection, found: Found) -> None:
    for number, match_id, line, chain in _rows(database, _SCANS["matches"]):
        found.add(match_id, line, chain)
        if isinstance(number, int):
            found.numbers.setdefault(str(match_id), number)
    for table in ("entries", "closings"):
        for match_id, line, chain in _rows(database, _SCANS[table]):
            found.add(match_id, line, chain)
    for match_id, lines, chain, sealed in _rows(database, _SCANS["lengths"]):
        length = Length.read(str(match_id), lines, chain, sealed)
        if length is not None:
            found.lengths[str(match_id)] = length
    for match_id, text in _rows(database, _SCANS["saved"]):
        found.saved[str(match_id)] = str(text)


_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite raises of damage; the latter where even its message holds damaged bytes."""

_SCANS = {
    "matches": "SELECT number, id, line, chain FROM matches NOT INDEXED ORDER BY rowid",
    "entries": "SELECT match_id, line, chain FROM entries NOT INDEXED ORDER BY rowid",
    "closings": "SELECT match_id, line, chain FROM closings NOT INDEXED ORDER BY rowid",
    "lengths": "SELECT match_id, lines, chain, seal FROM lengths NOT INDEXED ORDER BY rowid",
    "saved": "SELECT match_id, text FROM saved NOT INDEXED ORDER BY rowid",
}


def _rows(database: sqlite3.Connection, query: str) -> Iterator[tuple[object, ...]]:
    """Rows up to the first that cannot be reached, from either end."""
    for direction in (" ASC", " DESC"):
        with contextlib.suppress(*_UNREADABLE):
            yield from database.execute(query + direction)
            return


def _bytes_of(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _ascii(raw: bytes) -> str:
    return raw.decode("ascii", "replace")
