"""What begins, resumes and leaves matches, and sets what the table keeps beside them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(frozen=True, slots=True)
class SetupChoice:
    """Choose something for a new match: box, variant, option.NAME or seat.CODE."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class SetFigure:
    """Say what one of a box's assumed figures is on this table's own copy."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class ConfirmFigures:
    """The figures were held against the real board and cards: they are this table's own."""


@dataclass(frozen=True, slots=True)
class KeepLearned:
    """Keep what this match has taught in the table's own file of its box."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The table was looked at: go on to the match."""


@dataclass(frozen=True, slots=True)
class StartMatch:
    """Begin the new match as chosen; `rematch` takes seats and options of the one just ended."""

    rematch: bool = False


@dataclass(frozen=True, slots=True)
class ResumeMatch:
    """Go on with a match of the record."""

    match_id: str


@dataclass(frozen=True, slots=True)
class ShowDemo:
    """Play the demonstration match at the simulated table."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Put the match away (it stays in the record) and go home."""


@dataclass(frozen=True, slots=True)
class Quit:
    """End the app (held); a match under way stays in the record, to be gone on with."""


@dataclass(frozen=True, slots=True)
class ExportMatch:
    """Write the match to one file, beside the record or onto a stick."""


@dataclass(frozen=True, slots=True)
class SetSetting:
    """Change one of the table's settings."""

    name: str
    value: Json


@dataclass(frozen=True, slots=True)
class KeepClip:
    """Keep a clip of the camera's last seconds with log line `seq`."""

    seq: int


@dataclass(frozen=True, slots=True)
class Retry:
    """Try a lost or absent device again."""

    device: str
