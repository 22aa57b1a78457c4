"""The log: every line with its time and source, and what can be done about it."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Mark, Side


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line: what was told, when, by which source, by whom; `taken_back` lines are struck."""

    seq: int
    text: str
    time: str
    source: str
    key: Key
    author: str = ""
    chosen: bool = False
    taken_back: bool = False
    mark: Mark = Mark.NONE
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class LogState:
    """Left a page of lines, newest last; right the chosen one in full and its keys."""

    frame: Frame
    lines: tuple[LogLine, ...]
    title: str
    details: tuple[str, ...]
    keys: tuple[Key, ...]
    page: int = 1
    pages: int = 1
