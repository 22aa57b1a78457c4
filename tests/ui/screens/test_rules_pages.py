"""Every page of every book as it comes out on the smallest screen."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from companion.games import RULEBOOKS
from ui.scene.books import Book, part_of
from ui.scene.scene import Situation
from ui.scene.theme import Caps, Theme
from ui.screens.beside.rules import present_chapter, present_rules
from ui.touch.actions import Panel
from ui.touch.view import View


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_page_of_the_book_is_whole(make_sheet: Any, box: str) -> None:
    """No text is cut, small, or under another; letters stay at what reading needs."""
    from ui.screens.registry import parts_of, screen_of

    theme = Theme()
    sheet = make_sheet(theme)
    book = Book(box)
    for title in book.chapters:
        for page in range(len(book.pages(title))):
            view = View().opened(Panel.CHAPTER, part_of(box, title), page)
            state = present_chapter(Situation(0.0), view)
            sheet.show(screen_of(state), parts_of(state, theme))
            written = [(name, text) for name, text in sheet.written() if text.text]
            for name, text in written:
                assert not text.cut, (title, name, text.text)
                assert text.caps_u >= Caps.DETAIL - 0.05, (title, name, text)
                assert text.ink.bottom <= sheet.parts[name].box.bottom, (title, name, text)
            for (_, first), (_, second) in itertools.combinations(written, 2):
                assert not first.ink.meets(second.ink, slack=1.0), (first.text, second.text)


def test_few_words_are_read_large(make_sheet: Any) -> None:
    """A page with one short paragraph has its text in larger capitals than a full one."""
    from ui.screens.registry import parts_of, screen_of

    theme = Theme(size_px=(480, 800))
    sheet = make_sheet(theme)

    def largest(cite: str) -> float:
        state = present_rules(Situation(0.0), View().opened(Panel.RULES, cite))
        sheet.show(screen_of(state), parts_of(state, theme))
        written = [text for name, text in sheet.written() if name.startswith("rule/")]
        return float(max(text.caps_u for text in written if text.text))

    assert largest("JP-3.5") > largest("JP-17")
