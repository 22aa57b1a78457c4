"""Who the arbiter is; amendments, adjustments, reports and the closing word, till committed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(frozen=True, slots=True)
class NameArbiter:
    """Say who the arbiter is, for all corrections until the app ends; empty: nobody says."""

    name: str


@dataclass(frozen=True, slots=True)
class TypeArbiter:
    """Open the keyboard, to type who the arbiter is."""


@dataclass(frozen=True, slots=True)
class SelectLine:
    """Choose a line of the log."""

    seq: int


@dataclass(frozen=True, slots=True)
class AmendTo:
    """Show what amending log line `seq` to `raw` would change; nothing counts yet."""

    seq: int
    raw: Json


@dataclass(frozen=True, slots=True)
class SetReason:
    """Choose the reason of an amendment, adjustment, report or closing."""

    reason: str


@dataclass(frozen=True, slots=True)
class Amend:
    """Commit the amendment that is shown (held)."""

    seq: int
    raw: Json
    reason: str


@dataclass(frozen=True, slots=True)
class SetAdjust:
    """Put one quantity or place into the adjustment being written; None takes it out."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose what to adjust: a thing, then one of its quantities."""

    thing: str
    quantity: str = ""


@dataclass(frozen=True, slots=True)
class Adjust:
    """Set the quantities and places that were written, together (held)."""

    changes: tuple[tuple[str, Json], ...]
    reason: str


@dataclass(frozen=True, slots=True)
class SetField:
    """Put one field into the report being told."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class Report:
    """Tell what the table saw and no question asked; why, if anybody says so."""

    fact: tuple[tuple[str, Json], ...]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Solve:
    """Say that a notice is dealt with, or go on in spite of a warning."""

    code: str


@dataclass(frozen=True, slots=True)
class Close:
    """Close the match by the arbiter's word (held); no winners is a draw."""

    winners: tuple[str, ...]
    reason: str
