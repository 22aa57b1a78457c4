"""The arbiter's keys, and every other screen that is a list of keys (menu, report, close)."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Line


@dataclass(frozen=True, slots=True)
class ArbiterState:
    """Keys in reading order, at most eight a page; `lines` of standing notices below them."""

    frame: Frame
    lead: str
    keys: tuple[Key, ...]
    lines: tuple[Line, ...] = ()
    page: int = 1
    pages: int = 1
