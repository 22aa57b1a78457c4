"""Looking words up: what is found, in which order, and what is said of words that are missing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games import RULEBOOKS, find_rulebook
from companion.match.book import Paragraph, Place, look_up, words_of

BOOK = (
    Paragraph("JP-9.4", "Step 2", "The Move Sun card of the other team is second.", "Resolve"),
    Paragraph("JP-9.40", "Step 40", "Nothing happens, see JP-9.4.", "Resolve"),
    Paragraph("JP-13.1", "Move Sun", "It goes one zone.", "Move Sun cards"),
    Paragraph("RULING 1", "Élan", "Repairing needs a card of each.", "Our rulings"),
    Paragraph("RULING 15", "Sun order", "Noted at the start of the round.", "Our rulings"),
)


def found(typed: str) -> list[str]:
    return [hit.paragraph.rule for hit in look_up(typed, BOOK)]


@pytest.mark.parametrize(
    ("typed", "rules"),
    [
        ("JP-9.4", ["JP-9.4", "JP-9.40"]),
        ("jp-9", ["JP-9.4", "JP-9.40"]),
        ("9.40", ["JP-9.40"]),
        ("ruling 1", ["RULING 1", "RULING 15"]),
        ("Ruling 15", ["RULING 15"]),
        ("sun", ["JP-13.1", "RULING 15", "JP-9.4"]),
        ("SUN card", ["JP-13.1", "JP-9.4"]),
        ("elan", ["RULING 1"]),
        ("repair", ["RULING 1"]),
        ("epair", []),
        ("flamingo", []),
        ("", []),
        (" ., -", []),
    ],
)
def test_ids_come_first_then_headings_then_texts(typed: str, rules: list[str]) -> None:
    """Words by their beginning, without regard to capitals and accents; ids up to a dot."""
    assert found(typed) == rules


def test_where_no_paragraph_has_every_word_those_with_most_are_named() -> None:
    """Each hit says which of the words it has."""
    hits = look_up("sun order flamingo", BOOK)
    assert [(hit.paragraph.rule, hit.words) for hit in hits] == [("RULING 15", ("sun", "order"))]
    assert hits[0].place is Place.HEADING


@given(st.text(max_size=60))
def test_anything_can_be_typed(typed: str) -> None:
    """Nothing crashes, and every hit has at least one of the words."""
    for hit in look_up(typed, BOOK):
        assert set(hit.words) <= set(words_of(typed))
        assert hit.words


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_paragraph_is_found_by_its_id_and_by_its_heading(box: str) -> None:
    """The one that is meant stands first; under its heading it is among what is found."""
    paragraphs = find_rulebook(box).paragraphs()
    for rule, paragraph in paragraphs.items():
        assert look_up(rule, paragraphs.values())[0].paragraph.rule == rule
        assert paragraph in [
            hit.paragraph for hit in look_up(paragraph.heading, paragraphs.values())
        ]
