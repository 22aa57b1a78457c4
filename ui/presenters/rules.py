"""A rule's text, one tap from the ruling that cites it."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame


@dataclass(frozen=True, slots=True)
class RuleParagraph:
    """One rule or ruling: id, heading, text; `switch` is the option that turns it, as played."""

    rule: str
    heading: str
    text: str
    switch: str = ""


@dataclass(frozen=True, slots=True)
class RulesState:
    """Every paragraph that a cite names, a page at a time."""

    frame: Frame
    cite: str
    paragraphs: tuple[RuleParagraph, ...]
    page: int = 1
    pages: int = 1
