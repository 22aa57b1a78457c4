"""Counts: how many each; a form of Count questions (or dice of a Roll), a row each."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Mark, Side


@dataclass(frozen=True, slots=True)
class CountRow:
    """One number asked: who, what, its keys; `value` is the one given ("" none yet).

    `after` says what follows of it ("then draw 2: deck 11").
    """

    side: Side
    name: str
    prompt: str
    keys: tuple[Key, ...]
    value: str = ""
    after: str = ""
    mark: Mark = Mark.NONE


@dataclass(frozen=True, slots=True)
class CountsState:
    """Rows as the form asks them, at most four a page."""

    frame: Frame
    lead: str
    rows: tuple[CountRow, ...]
    page: int = 1
    pages: int = 1
