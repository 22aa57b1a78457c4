"""Reports as sentences: every word of every box, with people's names and tokens' labels."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.ruling import Seat
from companion.games import rulebook_of
from companion.kit.reports import (
    ASKED,
    PHRASES,
    SENTENCES,
    asked_of,
    likely_reports,
    phrase_of,
    report_in_words,
)
from companion.match.rulebook import Setup

PEOPLE = {"A": "Ana", "B": "Ben", "JP": "Ana", "JG": "Ben", "PP": "Cleo", "PG": "Dan"}
BOXES = (
    ("jaws-and-paws", "day"),
    ("jaws-and-paws", "night"),
    ("dogfight-1917", ""),
    ("talespin-dogfight", ""),
    ("starship-edition", ""),
    ("dogfight-hex", ""),
)


def _rules(box: str, variant: str = "") -> Any:
    seats = {Seat(code): name for code, name in PEOPLE.items()
             if (box == "jaws-and-paws") == (len(code) == 2)}  # fmt: skip
    setup = Setup(box, (variant,) if variant else (), seats)
    return rulebook_of(setup)(setup)


@pytest.mark.parametrize(("box", "variant"), BOXES)
def test_every_report_of_every_box_is_a_sentence(box: str, variant: str) -> None:
    """No word is told as a bare word with its fields."""
    rules = _rules(box, variant)
    for what, fields in rules.report_words().items():
        said = report_in_words({"what": what, **dict.fromkeys((f.rstrip("?") for f in fields), 1)},
                               rules)  # fmt: skip
        assert what in SENTENCES
        assert not said.startswith(f"{what},")
        assert "{" not in said
        assert "  " not in said


@pytest.mark.parametrize(("box", "variant"), BOXES)
def test_every_report_begins_as_people_put_it(box: str, variant: str) -> None:
    """A sentence for each word, a question for each field; the likely ones can be reported."""
    rules = _rules(box, variant)
    words = rules.report_words()
    phrases = [phrase_of(rules, word).words for word in words]
    assert len({*phrases}) == len(phrases)
    for word, words_of_it in zip(words, phrases, strict=True):
        assert word in PHRASES
        assert " " in words_of_it
        for field in asked_of(rules, word):
            assert field in ASKED
    listed = {word for likely in rules.reporting.likely.values() for word in likely}
    assert listed <= words.keys()
    likely, others = likely_reports(rules)
    assert len(likely) == 3
    assert sorted((*likely, *others)) == sorted(words)


@pytest.mark.parametrize(
    ("fact", "told"),
    [
        ({}, "the report 'late card' lacks player and section; it is told as"),
        ({"player": "JP", "when": 1}, "lacks section, and has no field when; it is told as"),
        ({"player": "JP", "section": 1, "by": 1, "when": 1}, "has no field by and when; it is"),
    ],
)
def test_all_that_a_report_lacks_is_named_at_once(fact: dict[str, Any], told: str) -> None:
    """With how it is told, so that one more line is enough."""
    with pytest.raises(BadCall) as refused:
        _rules("jaws-and-paws", "day").report({"what": "late card", **fact})
    assert told in str(refused.value)
    assert str(refused.value).endswith(
        '{"what": "late card", "player": …, "section": …}, if need be with late_ms, moved_from '
        "and counted"
    )


@pytest.mark.parametrize(
    ("box", "fact", "told"),
    [
        (
            "starship-edition",
            {"what": "recount", "count": 1, "pile": "hull", "player": "B"},
            "Ben's hull was counted: 1",
        ),
        (
            "talespin-dogfight",
            {"what": "recount", "pile": "draw", "count": 9},
            "the draw pile was counted: 9",
        ),
        (
            "jaws-and-paws",
            {"what": "late card", "player": "pg", "section": 3, "late_ms": 178},
            "Dan laid a card late, on section 3, at least 178 ms after the buzzer",
        ),
        (
            "jaws-and-paws",
            {"what": "token", "piece": "jaws", "zone": "Paws.PC"},
            "Jaws plane was looked for, it stands on Paws.PC",
        ),
        ("jaws-and-paws", {"what": "late card"}, "late card"),
        ("dogfight-hex", {"what": "decision", "text": "we roll."}, "the table decides: we roll"),
    ],
)
def test_a_report_is_told_with_names(box: str, fact: dict[str, Any], told: str) -> None:
    """Who for a seat, what for a token; what was left out is not made up."""
    assert report_in_words(fact, _rules(box, "day" if box == "jaws-and-paws" else "")) == told
