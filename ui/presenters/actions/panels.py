"""What opens and closes screens, and turns their pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Panel(StrEnum):
    """Screens that are opened by a touch, above whatever the match asks."""

    HOME = "home"
    NEW_MATCH = "new-match"
    PAST = "past"
    SETTINGS = "settings"
    MENU = "menu"
    DEVICES = "devices"
    TABLE_CHECK = "table-check"
    TEACH = "teach"
    LOG = "log"
    AMEND = "amend"
    ARBITER = "arbiter"
    ADJUST = "adjust"
    REPORT = "report"
    CLOSE = "close"
    RULES = "rules"
    BOOKS = "books"
    CHAPTERS = "chapters"
    CHAPTER = "chapter"
    FOUND = "found"
    CODE = "code"
    PAD = "pad"
    FIGURES = "figures"
    EVIDENCE = "evidence"
    CHALLENGE = "challenge"
    WHO = "who"


@dataclass(frozen=True, slots=True)
class Show:
    """Open a panel, on one of its parts (a question's key, a rule's id, a choice) if named."""

    panel: Panel
    part: str = ""
    page: int = 0


@dataclass(frozen=True, slots=True)
class Back:
    """Close the panel on top; what was begun in it is dropped."""


@dataclass(frozen=True, slots=True)
class Search:
    """Open the keyboard, to look words up in a box's book."""

    box: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class CloseBook:
    """Close everything that was opened of the books."""


@dataclass(frozen=True, slots=True)
class Page:
    """Turn pages of a list by `step`."""

    step: int
