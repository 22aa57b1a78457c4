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
    from companion.core.offers import Stamp
    from companion.core.ruling import Json, Seat


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
    """A match in the list. `begun` and `last` are ISO 8601; `entries` counts its sound lines."""

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
    options: Mapping[str, Json] = field(default_factory=dict[str, Any])
    saved: str = ""
    """Which damaged file it was saved from, in a sentence; empty for any other match."""


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

    @classmethod
    def of(
        cls,
        match_id: str,
        number: int,
        copy: StoredLine,
        rows: Sequence[StoredLine],
        ending: StoredLine | None,
        length: Length | None = None,
        saved: str = "",
    ) -> LoadedMatch:
        """What stored rows tell; RecordDamaged if neither line 0 nor its `copy` is sound."""
        sound = _read_with_copy(copy, rows)
        if not sound.entries:
            raise RecordDamaged(
                f"Match {match_id}: its first line (box, seats, options) is lost, so its other "
                f"{len(rows)} lines cannot be shown. They stay in the record."
            )
        closing, at_end = _closing_after(sound, ending)
        fault = sound.damage or _too_short(sound, length) or at_end
        damage = _told(match_id, fault, sound, len(rows)) if fault is not None else None
        setup = _setup_of(match_id, sound.entries[0])
        return cls(match_id, number, setup, sound.entries, damage, closing, saved)

    @property
    def troubles(self) -> Sequence[str]:
        """What is not sound in it, and what it was saved from."""
        return [told for told in (self.damage, self.saved) if told]

    def in_a_line(self) -> MatchLine:
        """The match in a line of the list."""
        state = MatchState.OPEN if self.closing is None else MatchState.ENDED
        return MatchLine(
            self.match_id,
            self.number,
            self.setup.box,
            self.setup.variants,
            self.setup.seats,
            self.entries[0].at_utc,
            self.entries[-1].at_utc,
            len(self.entries),
            state if self.damage is None else MatchState.DAMAGED,
            self.closing.outcome if self.closing is not None else "",
            self.closing.winners if self.closing is not None else (),
            self.damage or "",
            self.setup.demonstration,
            self.setup.options,
            self.saved,
        )


def lost_line(match_id: str, number: int, lines: int, damage: str) -> MatchLine:
    """The line of a match that cannot be shown."""
    state = MatchState.DAMAGED
    return MatchLine(match_id, number, "", (), {}, "", "", lines, state, damage=damage)


def setup_entry(setup: Setup, stamp: Stamp) -> Entry:
    """Line 0 of a match's log, as the match itself writes it."""
    return Entry(
        0,
        "setup",
        answer=setup.to_json(),
        author=stamp.author,
        at_utc=stamp.at_utc,
        match_s=stamp.match_s,
    )


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


def _setup_of(match_id: str, first: Entry) -> Setup:
    try:
        if first.kind == "setup" and isinstance(first.answer, dict):
            return Setup.from_json(first.answer)
    except (TypeError, ValueError):
        pass
    raise RecordDamaged(f"Match {match_id}: this version cannot read its set-up (line 0).")
