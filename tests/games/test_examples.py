"""What an arbiter may type is shown in the words of the box that is played."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.games import rulebook_of
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out

ANSWERS = 24
"""Beyond the set-up of each box, and far from the end of a match."""


@pytest.fixture
def match(setup: Setup) -> Match[Any]:
    """A match under way, played so far by its box's bots."""
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(1)), ANSWERS)
    assert match.outcome is None
    return match


def test_an_example_of_each_verb_is_taken(match: Match[Any]) -> None:
    """An adjustment, a report and a close, word for word as shown, are those of this match."""
    examples = match.rulebook.examples()
    assert {*examples} == {"adjust", "report", "close"}
    match.adjust(examples["adjust"], "as shown", stamp=STAMP)
    match.report(examples["report"], STAMP)
    winners: Any = examples["close"]["winners"]
    match.close(winners, str(examples["close"]["text"]), "as shown", STAMP)
    assert match.outcome is not None
    assert list(match.outcome.winners) == winners
    assert set(match.outcome.winners) < set(match.rulebook.sides_taken())


def test_a_closed_match_cites_the_arbiters_right(match: Match[Any]) -> None:
    """The cite of a close opens a paragraph that speaks of the arbiter and of closing."""
    match.close([], "", "the hall shuts", STAMP)
    assert match.outcome is not None
    cite, known = match.outcome.ruling.cite, rulebook_of(match.setup).paragraphs()
    text = " ".join(known[rule].text for rule in (*cite.rules, *map(_ruling, cite.rulings)))
    words = "close the match"
    assert "arbiter" in text, f"{cite}, its `corrections`: say that an arbiter may {words}"
    assert words in text, f"{cite}, its `corrections`: say in these words: {words}"


def _ruling(number: int) -> str:
    return f"RULING {number}"
