"""The lines of the record: plain JSON, each sealed by a hash over the one before it.

A line is the same text in the database and in an exported file, so that its seal holds in both.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

from companion.core.errors import BadCall, refuse_kind, refuse_others
from companion.core.files import written
from companion.match.entry import Entry

if TYPE_CHECKING:
    from companion.match.match import Match

UNSEALED = ""
"""What stands before the first line."""

_WRITTEN = tuple(name for name in Entry._fields if name != "chain")
_USUAL: Mapping[str, Any] = Entry._field_defaults
_KINDS: Mapping[str, Any] = {
    **dict.fromkeys(("kind", "key", "author", "source", "reason", "at_utc", "digest"), str),
    "seq": int,
    "target": int,
    "match_s": int | float,
    "answer": object,
}


@dataclass(frozen=True, slots=True)
class StoredLine:
    """A line as it is stored: its number, its text and its seal."""

    seq: int
    line: str
    chain: str


@dataclass(frozen=True, slots=True)
class Length:
    """How many lines a match has, and the seal of the last.

    It is sealed itself, so that damage to it is not taken for a loss of lines.
    """

    lines: int
    chain: str

    @classmethod
    def up_to(cls, last: StoredLine) -> Length:
        """The length of a match that ends with that line."""
        return cls(last.seq + 1, last.chain)

    @classmethod
    def read(cls, match_id: str, lines: object, chain: object, sealed: object) -> Length | None:
        """What was stored; None if it is not what was written."""
        if not (isinstance(lines, int) and isinstance(chain, str)):
            return None
        length = cls(lines, chain)
        return length if length.seal(match_id) == sealed else None

    def seal(self, match_id: str) -> str:
        """What it is sealed by."""
        return seal(self.chain, f"{match_id} {self.lines}")


@dataclass(frozen=True, slots=True)
class Closing:
    """What a match ended with, as text: it is read where the match can no longer be replayed.

    `winners` are the winning sides (none: a draw), `rulings` every ruling with its cite, in order.
    """

    outcome: str
    cite: str
    winners: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]
    at_utc: str = ""

    @classmethod
    def of(cls, match: Match[Any], at_utc: str) -> Closing:
        """The closing of a match that has its outcome; BadCall if it has none."""
        if match.outcome is None:
            raise BadCall("The match has no outcome yet; it is closed when it has one.")
        ruling = match.outcome.ruling
        rulings = tuple((said.text, str(said.cite)) for said in match.rulings)
        winners = tuple(str(seat) for seat in match.outcome.winners)
        return cls(ruling.text, str(ruling.cite), winners, rulings, at_utc)


@dataclass(frozen=True, slots=True)
class SoundLines:
    """The lines up to the first that is not what was written, and what is wrong there."""

    entries: tuple[Entry, ...]
    damage: str | None

    @property
    def chain(self) -> str:
        """The seal of the last sound line."""
        return self.entries[-1].chain if self.entries else UNSEALED


def seal(before: str, line: str) -> str:
    """The hash over a line and the seal before it: 32 hexadecimal figures."""
    return hashlib.blake2b(f"{before}{line}".encode(), digest_size=16).hexdigest()


def write_entry(entry: Entry) -> str:
    """An entry as the text that is sealed: what it says, without what it leaves empty."""
    said = {name: getattr(entry, name) for name in _WRITTEN}
    return written({k: v for k, v in said.items() if k not in _USUAL or v != _USUAL[k]})


def read_entry(line: str, chain: str = "") -> Entry:
    """The entry that `write_entry` wrote; ValueError if the text is none."""
    plain = json_object(line)
    if not set(plain) <= set(_KINDS) or "seq" not in plain or "kind" not in plain:
        raise ValueError("this is no line of a log")
    for name, value in plain.items():
        if not isinstance(value, _KINDS[name]) or (name != "answer" and isinstance(value, bool)):
            raise ValueError(f"{name} cannot be {value!r}")
    return Entry(**plain, chain=chain)


def closing_row(closing: Closing, last: StoredLine) -> StoredLine:
    """What a match ended with as a row, sealed after its last line."""
    refuse_kind(closing, Closing, "a Closing is wanted")
    line = write_closing(closing, last.seq + 1)
    return StoredLine(last.seq + 1, line, seal(last.chain, line))


def write_closing(closing: Closing, lines: int) -> str:
    """A closing as the text that is sealed; `lines` is how many it closes."""
    said: Any = {"closing": asdict(closing), "lines": lines}
    return written(said)


def read_closing(line: str) -> tuple[Closing, int]:
    """The closing that `write_closing` wrote and its number of lines; ValueError if it is none."""
    plain = json_object(line)
    try:
        said = plain["closing"]
        outcome, cite, at_utc = (str(said[name]) for name in ("outcome", "cite", "at_utc"))
        winners = tuple(str(winner) for winner in said["winners"])
        rulings = tuple((str(text), str(cite)) for text, cite in said["rulings"])
        return Closing(outcome, cite, winners, rulings, at_utc), int(plain["lines"])
    except (TypeError, KeyError) as wrong:
        raise ValueError("this closes no log") from wrong


def json_object(line: str) -> dict[str, Any]:
    """Read one JSON object and nothing else: no NaN, as Python's own reader takes. ValueError."""
    plain: Any = json.loads(line, parse_constant=_no_number)
    if not isinstance(plain, dict):
        raise ValueError("this is no JSON object")  # noqa: TRY004 - one error for all bad text
    return cast("dict[str, Any]", plain)


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number")


def only_entries(new: Sequence[Entry]) -> Sequence[Entry]:
    """These lines; BadCall if one of them is none."""
    refuse_kind(new, (list, tuple), _ENTRIES)
    refuse_others(new, Entry, _ENTRIES)
    return new


_ENTRIES = "a list of lines of a log is wanted"


def next_row(before: str, entry: Entry) -> StoredLine:
    """The row that an entry makes after the line sealed `before`."""
    line = write_entry(entry)
    return StoredLine(entry.seq, line, seal(before, line))


def with_seal(entry: Entry, row: StoredLine) -> Entry:
    """The entry with the seal it was stored under."""
    return entry._replace(chain=row.chain)


def written_meanwhile(match_id: str, row: StoredLine) -> str:
    """Who wrote a line that another program wanted to write."""
    theirs = read_entry(row.line)
    return (
        f"Line {row.seq} of match {match_id} was written by another program: {theirs.kind} "
        f"{theirs.key} by {theirs.author or 'nobody named'} at {theirs.at_utc}. Two programs must "
        "not run one match: end one of them and open the match again."
    )


def read_rows(rows: Iterable[StoredLine], first: int = 0, before: str = UNSEALED) -> SoundLines:
    """Read rows as long as each follows from the one before it."""
    sound: list[Entry] = []
    for row in rows:
        expected = first + len(sound)
        if row.seq != expected:
            return SoundLines(tuple(sound), f"line {expected} is missing")
        if row.chain != seal(before, row.line):
            return SoundLines(tuple(sound), f"line {expected} is not what was written")
        try:
            sound.append(read_entry(row.line, row.chain))
        except (ValueError, RecursionError):
            return SoundLines(tuple(sound), f"line {expected} cannot be read by this version")
        before = row.chain
    return SoundLines(tuple(sound), None)
