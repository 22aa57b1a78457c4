"""The lock: whose cards lie on which section. A form of Declare questions, a row a team."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Mark, Side


@dataclass(frozen=True, slots=True)
class BorderKey:
    """How many cards of one border lie there: letter, count, the card's border (light, dark)."""

    letter: str
    count: int
    border: str
    key: Key


@dataclass(frozen=True, slots=True)
class LockSection:
    """One section: number, note ("seen", "doubled", "empty", ""), a key a border."""

    label: str
    note: str
    keys: tuple[BorderKey, ...]
    doubled: bool = False
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class LockTeam:
    """One team's row: "4 cards", "Pilot 2, Gunner 2", its sections."""

    side: Side
    total: str
    split: str
    sections: tuple[LockSection, ...]


@dataclass(frozen=True, slots=True)
class LockState:
    """Next tap: take the lock as shown, or the deed for a doubled section."""

    frame: Frame
    lead: str
    teams: tuple[LockTeam, ...]
