"""The books on the screen: boxes, chapters, paragraphs, words looked up, and the way back."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games import RULEBOOKS, Shelf, find_rulebook
from ui.scene.books import Book, lines_of
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.beside.home import HomeState
from ui.screens.beside.naming import LONGEST, SearchState
from ui.screens.beside.rules import FoundState, RulesState, snippet
from ui.touch import actions as a
from ui.touch.actions import TakeName, TypeLetter
from ui.window.operator import Operator


def key(state: Any, label: str) -> Any:
    """The key with this label, in the body or in the row."""
    bottom = state.frame.bottom
    keys = (*getattr(state, "keys", ()), *bottom.keys, bottom.next)
    return next(one for one in keys if one is not None and one.label == label)


def touch(person: Any, label: str) -> Any:
    return person.touch(key(person.state, label).action)


@pytest.fixture
def operator(person: Any) -> Operator:
    return Operator(person.table)


def test_from_home_one_chooses_the_box_then_a_chapter(person: Any) -> None:
    """All boxes by title, then their chapters, then paragraphs to read."""
    state = person.touch(a.Show(a.Panel.RULES))
    assert [one.label for one in state.keys] == [find_rulebook(box).title for box in RULEBOOKS]
    state = touch(person, "Dogfight! hex ships")
    assert isinstance(state, ArbiterState)
    assert state.keys[0].label == "Components"
    touch(person, "Later")
    state = touch(person, "End of the turn")
    assert isinstance(state, RulesState)
    assert state.paragraphs[0].rule == "HX-END-01"


def test_how_many_boxes_there_are_follows_from_the_shelf(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sixth box is counted too."""
    person.begin()
    person.touch(a.Show(a.Panel.RULES))
    assert key(person.state, "Boxes").second == "all five"
    person.touch(a.Back())
    monkeypatch.setitem(RULEBOOKS, "kites", Shelf("tests.games.kites", "Kites", "PhysicalTable"))
    person.touch(a.Show(a.Panel.RULES))
    assert key(person.state, "Boxes").second == "all six"


def test_back_returns_to_where_one_was(person: Any) -> None:
    """Page and all, through every book that was opened; the match below is as it was."""
    person.begin()
    asked = person.state
    person.touch(a.Show(a.Panel.RULES))
    chapters = touch(person, "Later")
    chapter = touch(person, "Shoot cards and damage")
    later = touch(person, "Read on")
    assert later.page == 2
    person.touch(a.Show(a.Panel.RULES, "JP-9.4"))
    person.touch(a.Show(a.Panel.RULES, "JP-9.5"))
    assert person.touch(a.Back()).cite == "JP-9.4"
    assert person.touch(a.Back()) == later
    assert isinstance(chapter, RulesState)
    assert person.touch(a.Back()) == chapters
    assert person.touch(a.Back()) == asked


def test_close_leaves_the_books_at_once(person: Any) -> None:
    """Where Back would have to be touched more than once."""
    person.begin()
    asked = person.state
    person.touch(a.Show(a.Panel.RULES, "JP-9.4"))
    assert not any(one.label == "Close" for one in person.state.frame.bottom.keys)
    touch(person, "Whole chapter")
    assert touch(person, "Close") == asked


def test_reading_a_rule_drops_nothing_of_what_was_begun(person: Any) -> None:
    """An amendment half told stands as it was after a look into the book."""
    person.to_ready()
    seq = person.match.steps[0].seq
    person.touch(a.Show(a.Panel.AMEND, str(seq)))
    person.touch(a.SetReason("misread"))
    begun = person.state
    person.touch(a.Show(a.Panel.RULES, "JP-3.4"))
    assert person.touch(a.Back()) == begun


def test_a_cite_opens_what_it_names_and_from_there_its_chapter(person: Any) -> None:
    """The paragraph first, the ruling too; a touch on either opens its chapter at its page."""
    person.begin()
    state = person.touch(a.Show(a.Panel.RULES, "RULING 15, JP-9.4"))
    assert [one.rule for one in state.paragraphs] == ["RULING 15", "JP-9.4"]
    assert all(len(one.text) > 20 for one in state.paragraphs)
    state = person.touch(state.paragraphs[0].chapter)
    assert "Our rulings" in state.frame.top.where
    assert "RULING 15" in [one.rule for one in state.paragraphs]


def test_what_a_paragraph_refers_to_is_one_touch_away(person: Any) -> None:
    """See also opens every id that the shown texts name."""
    person.touch(a.Show(a.Panel.RULES, "dogfight-1917|DF-9.4"))
    state = touch(person, "See also")
    assert [one.rule for one in state.paragraphs] == ["RULING 1"]
    assert state.frame.top.where.startswith("Dogfight: 1917")


def test_a_cite_of_a_whole_chapter_opens_all_of_it(person: Any) -> None:
    """JP-17 is every paragraph of the chapter."""
    state = person.touch(a.Show(a.Panel.RULES, "JP-17"))
    assert state.paragraphs[0].rule == "JP-17.1"
    assert len(state.paragraphs) > 1 or state.pages > 1


def test_an_unknown_id_says_so_and_leads_to_the_chapters(person: Any) -> None:
    """No empty page and no dead end."""
    state = person.touch(a.Show(a.Panel.RULES, "JP-99.9"))
    assert "no text for it" in state.paragraphs[0].text
    assert isinstance(touch(person, "Chapters"), ArbiterState)


def test_a_house_rule_says_how_it_is_played(person: Any) -> None:
    """Beside the ruling that it turns, in a match of that box alone."""
    person.begin(sun_order="current_section")
    state = person.touch(a.Show(a.Panel.RULES, "RULING 15"))
    assert state.paragraphs[0].switch == "Two Sun cards: current section"
    state = person.touch(a.Show(a.Panel.RULES, "dogfight-1917|RULING 15"))
    assert state.paragraphs[0].switch == ""


def test_words_are_typed_on_the_screen_and_counted_meanwhile(operator: Operator) -> None:
    """The next tap says how many paragraphs have them; then they are listed, each to be opened."""
    operator.touched(a.Show(a.Panel.CHAPTERS, "jaws-and-paws|"))
    operator.touched(a.Search("jaws-and-paws"))
    for letter in "repair":
        operator.touched(TypeLetter(letter))
    typing = operator.state()
    assert isinstance(typing, SearchState)
    assert typing.counted.endswith("paragraphs")
    operator.touched(TakeName())
    found = operator.state()
    assert isinstance(found, FoundState)
    assert found.frame.bottom.message.first == typing.counted
    assert found.frame.bottom.message.second == "with repair"
    assert found.lines[0].right == "heading"
    assert found.lines[0].key is not None
    assert found.lines[0].key.action is not None
    operator.touched(found.lines[0].key.action)
    state = operator.state()
    assert isinstance(state, RulesState)
    assert "Repair" in state.paragraphs[0].heading
    operator.touched(a.Back())
    assert operator.state() == found


def test_nothing_found_says_so_with_the_way_out(operator: Operator) -> None:
    """The words stand in the message, and the next tap has them ready to be changed."""
    operator.touched(a.Search("talespin-dogfight", "flamingo"))
    operator.touched(TakeName())
    state = operator.state()
    assert isinstance(state, FoundState)
    assert "flamingo" in state.told
    assert "TS-WIN-01" in state.told
    again = state.frame.bottom.next
    assert again is not None
    assert again.action == a.Search("talespin-dogfight", "flamingo")


def test_nothing_typed_cannot_be_searched_and_too_much_is_cut(operator: Operator) -> None:
    """Take without a letter does nothing; the line holds so many letters."""
    operator.touched(a.Search("dogfight-hex", "  "))
    operator.touched(TakeName())
    assert isinstance(operator.state(), SearchState)
    for _ in range(LONGEST + 20):
        operator.touched(TypeLetter("x"))
    state = operator.state()
    assert isinstance(state, SearchState)
    assert len(state.text) == LONGEST


def test_leaving_the_table_closes_the_books(person: Any) -> None:
    """Home is home."""
    person.begin()
    person.touch(a.Show(a.Panel.RULES, "JP-9.4"))
    assert isinstance(person.touch(a.Leave()), HomeState)


@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_paragraph_is_on_a_page_of_its_chapter(box: str) -> None:
    """Once, whole, in the book's order, in pieces that a screen can hold."""
    book = Book(box)
    for title, paragraphs in book.chapters.items():
        shown = [one for page in book.pages(title) for one in page]
        assert list(dict.fromkeys(one.rule for one in shown)) == [one.rule for one in paragraphs]
        for paragraph in paragraphs:
            texts = [one.text for one in shown if one.rule == paragraph.rule]
            assert " ".join(texts).split() == paragraph.text.split()
            assert all(lines_of(text) <= 10 for text in texts)


def test_a_snippet_begins_shortly_before_the_word() -> None:
    """So that one sees why it was found."""
    text = "First comes a good deal that nobody looked for here. Then comes the Smoke at last."
    assert snippet(text, ("smoke",), 30).startswith("… ")
    assert "Smoke" in snippet(text, ("smoke",), 30)


@pytest.mark.parametrize("box", sorted(RULEBOOKS))
def test_no_paragraph_calls_a_house_rule_as_files_do(box: str) -> None:
    """What is read on the screen has the words of its house rules screen."""
    switches = [name for name in find_rulebook(box).switches if "_" in name]
    texts = " ".join(one.text for one in Book(box).paragraphs.values())
    assert [name for name in switches if name in texts] == []
