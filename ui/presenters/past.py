"""Past matches of the record."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Line


@dataclass(frozen=True, slots=True)
class PastState:
    """A line a match: who played, how it ended, when; each opens it."""

    frame: Frame
    lines: tuple[Line, ...]
    page: int = 1
    pages: int = 1
