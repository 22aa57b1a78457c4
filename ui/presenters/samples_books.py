"""Sample states of the books on the screen, out of the books themselves."""

from __future__ import annotations

from collections.abc import Mapping

from ui.presenters.rules import (
    present_books,
    present_chapter,
    present_chapters,
    present_found,
    present_rules,
)
from ui.presenters.situation import Situation
from ui.presenters.states import ScreenState
from ui.touch.actions import Panel
from ui.touch.view import View

_HOME = Situation(0.0)
_READING = View().opened(Panel.BOOKS)


def _opened(panel: Panel, part: str, page: int = 0) -> View:
    return _READING.opened(panel, part, page)


BOOKS: Mapping[str, ScreenState] = {
    "rules-boxes": present_books(_HOME, _READING),
    "rules-chapters": present_chapters(
        _HOME, _opened(Panel.CHAPTERS, "dogfight-1917|", page=1)
    ),
    "rules-chapter": present_chapter(
        _HOME, _opened(Panel.CHAPTER, "jaws-and-paws|Our rulings", page=2)
    ),
    "rules-cite": present_rules(
        _HOME, _opened(Panel.RULES, "starship-edition|RULING 3, SE-PRE-02, RULING 14")
    ),
    "rules-unknown": present_rules(_HOME, _opened(Panel.RULES, "dogfight-hex|HX-ATK-99")),
    "found": present_found(_HOME, _opened(Panel.FOUND, "talespin-dogfight|damage")),
    "found-some-words": present_found(
        _HOME, _opened(Panel.FOUND, "jaws-and-paws|sun order flamingo")
    ),
    "found-none": present_found(_HOME, _opened(Panel.FOUND, "dogfight-1917|flamingo zzz")),
}  # fmt: skip
