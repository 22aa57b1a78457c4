"""A match as loaded from the record, and as one line of the list of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from companion.core.errors import RecordDamaged
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.lines import (
    Closing,
    Length,
    SoundLines,
    StoredLine,
    read_closing,
    read_rows,
    seal,
)

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.record.signing import Signature
    from companion.record.witness import Witnessed


class MatchState(StrEnum):
    """Where a recorded match stands: it can go on, has its outcome, or is only to be looked at."""

    OPEN = "open"
    ENDED = "ended"
    DAMAGED = "damaged"


@dataclass(frozen=True, slots=True)
class Rest:
    """What was left of a round, noted at monotonic `at` of the boot named."""

    rest_s: float
    boot_id: str
    at: float


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in the list. `begun` and `last` are ISO 8601; `entries` counts its lines.

    What is wrong with it, `damage`, is known once it was verified or looked at.
    """

    match_id: str
    number: int
    box: str
    variants: tuple[str, ...]
    seats: Mapping[Seat, str]
    begun: str
    last: str
    entries: int
    state: MatchState
    outcome: str = ""
    winners: tuple[str, ...] = ()
    damage: str = ""
    demonstration: bool = False
    """Bots played it, before the simulated table or, where it is `simulated`, without any."""
    simulated: bool = False
    options: Mapping[str, Json] = field(default_factory=dict[str, Any])
    saved: str = ""
    """Which damaged file it was saved from, in a sentence; empty for any other match."""
    verified: str = ""
    """When every line of it was last read, ISO 8601; empty if never."""


@dataclass(frozen=True, slots=True)
class BesideLog:
    """What is known of a match besides its lines: each proves or refutes that they are whole.

    `saved` tells of the damaged file that it was saved from.
    """

    length: Length | None = None
    saved: str = ""
    witnessed: Witnessed | None = None
    signature: Signature | None = None

    def against(self, sound: SoundLines, ending: StoredLine | None) -> str | None:
        """What it says against the sound lines of a match and what it ended with, or None.

        A match without an end has no signature: a program without keys may have gone on with it.
        """
        fault = self.witnessed.against(sound.entries) if self.witnessed is not None else None
        if fault is None and self.signature is not None and ending is not None:
            holds = self.signature.holds(ending.chain)
            fault = None if holds else f"it was changed after it was {self.signature}"
        return fault


@dataclass(frozen=True, slots=True)
class LoadedMatch:
    """A match as far as it is sound; `damage` says in a sentence what is not.

    `saved` tells of the damaged file that it was saved from: it can go on, yet lines may be lost.
    """

    match_id: str
    number: int
    setup: Setup
    entries: tuple[Entry, ...]
    damage: str | None = None
    closing: Closing | None = None
    saved: str = ""
    signature: Signature | None = None

    @classmethod
    def of(
        cls,
        match_id: str,
        number: int,
        copy: StoredLine,
        rows: Sequence[StoredLine],
        ending: StoredLine | None,
        beside: BesideLog | None = None,
    ) -> LoadedMatch:
        """What stored rows tell; RecordDamaged if neither line 0 nor its `copy` is sound."""
        sound = _read_with_copy(copy, rows)
        if not sound.entries:
            raise RecordDamaged(
                f"Match {match_id}: its first line (box, seats, options) is lost, so its other "
                f"{len(rows)} lines cannot be shown. They stay in the record."
            )
        closing, at_end = _closing_after(sound, ending)
        beside = beside or BesideLog()
        short = _too_short(sound, beside.length)
        fault = sound.damage or short or at_end or beside.against(sound, ending)
        damage = _told(match_id, fault, sound, len(rows)) if fault is not None else None
        setup = setup_of(match_id, sound.entries[0])
        known = beside.saved, beside.signature if closing is not None else None
        return cls(match_id, number, setup, sound.entries, damage, closing, *known)

    @property
    def troubles(self) -> Sequence[str]:
        """What is not sound in it, and what it was saved from."""
        return [told for told in (self.damage, self.saved) if told]


def _read_with_copy(copy: StoredLine, rows: Sequence[StoredLine]) -> SoundLines:
    """Line 0 is stored twice: damage to one of the two costs nothing."""
    sound = read_rows(rows)
    if sound.entries:
        return sound
    return read_rows([copy, *(row for row in rows if row.seq != 0)])


def _closing_after(
    sound: SoundLines, ending: StoredLine | None
) -> tuple[Closing | None, str | None]:
    """What the match ended with, and what is wrong with that."""
    if ending is None:
        return None, None
    try:
        closing, lines = read_closing(ending.line)
    except (ValueError, RecursionError):
        return None, "what it ended with cannot be read"
    if ending.chain == seal(sound.chain, ending.line):
        return closing, None
    if lines > len(sound.entries):
        return closing, f"line {len(sound.entries)} is missing"
    return closing, "what it ended with is not what was written"


def _too_short(sound: SoundLines, length: Length | None) -> str | None:
    """Which lines are missing at the end, or that the last is another one than was written."""
    if length is None:
        return None
    there, last = len(sound.entries), length.lines - 1
    if there > last:
        same = sound.entries[last].chain == length.chain
        return None if same else f"line {last} is not what was written"
    if there == last:
        return f"line {there} is missing"
    return f"lines {there} to {last} are missing"


def _told(match_id: str, fault: str, sound: SoundLines, stored: int) -> str:
    shown, kept = len(sound.entries), max(0, stored - len(sound.entries))
    later = f", {kept} more are kept but not shown" if kept else ""
    return f"Match {match_id}: {fault}. It is shown up to line {shown - 1}{later}."


def setup_of(match_id: str, first: Entry) -> Setup:
    """The set-up that line 0 tells; RecordDamaged if this version cannot read it."""
    try:
        if first.kind == "setup" and isinstance(first.answer, dict):
            return Setup.from_json(first.answer)
    except (TypeError, ValueError):
        pass
    raise RecordDamaged(f"Match {match_id}: this version cannot read its set-up (line 0).")
