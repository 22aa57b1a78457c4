"""A rule's text, one tap from the ruling that cites it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ui.presenters.common import Frame
from ui.presenters.quiet import BACK, page_keys, pages_of, quiet_frame

if TYPE_CHECKING:
    from ui.presenters.situation import Situation
    from ui.presenters.view import View


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


PARAGRAPHS_A_PAGE = 2


def present_rules(situation: Situation, view: View) -> RulesState:
    """The paragraphs that a cite names; all of them where none is named."""
    cite = view.part
    names = [name.strip() for name in cite.split(",") if name.strip()] or list(situation.rules)
    shown, page, pages = pages_of(names, view.page, PARAGRAPHS_A_PAGE)
    return RulesState(
        quiet_frame(situation, view, "RULES", cite, keys=(BACK, *page_keys(page, pages))),
        cite,
        tuple(_paragraph(situation, name) for name in shown),
        page,
        pages,
    )


def _paragraph(situation: Situation, name: str) -> RuleParagraph:
    known = situation.rules.get(name)
    if known is None:
        return RuleParagraph(name, "", "This paragraph stands in the book alone.")
    return RuleParagraph(name, known.heading, known.text, _switch(situation, name))


def _switch(situation: Situation, name: str) -> str:
    """The house rule that turns this paragraph, as this match is played."""
    if situation.referee is None:
        return ""
    rulebook = situation.referee.match.rulebook
    for switch in rulebook.switches.values():
        if name in str(switch.cite).split(", "):
            return f"{switch.name}: {str(rulebook.options[switch.name]).lower()}"
    return ""
