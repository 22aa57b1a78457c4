"""Amend: what a changed answer would change later; nothing counts before it is held."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Mark, PadGroup
from ui.presenters.log import LogLine


@dataclass(frozen=True, slots=True)
class Change:
    """One consequence: a ruling that flips (was struck, now), or answers kept, doubtful, asked."""

    mark: Mark
    title: str
    was: str = ""
    now: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class AmendState:
    """First a pad of the answers that question took; then was, now, reason and changes."""

    frame: Frame
    lines: tuple[LogLine, ...]
    was: str
    now: str
    reason: str
    pad: tuple[PadGroup, ...]
    reasons: tuple[Key, ...]
    changes: tuple[Change, ...]
    page: int = 1
    pages: int = 1
