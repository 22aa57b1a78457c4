"""What every box keeps to while it is played, whatever its book says."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out, playing

ANSWERS = 120


@pytest.fixture(scope="module")
def match(setup: Setup) -> Match[Any]:
    """A match under way, played so far by its box's bots."""
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(1)), ANSWERS)
    return match


def test_no_question_comes_twice_under_one_key(match: Match[Any]) -> None:
    """Corrections and resumed matches find an answer by its key: the place is numbered in it."""
    keys = Counter(step.key for step in match.steps if step.answers)
    assert keys
    assert [key for key, times in keys.items() if times > 1] == []


@pytest.mark.slow(gate=5)
def test_headlines_are_short_enough_for_every_screen(match: Match[Any]) -> None:
    """Of questions and of rulings: 22 characters."""
    asked = [match.asked_at(step.seq) for step in match.steps if step.answers]
    told = [ruling.headline for ruling in match.rulings]
    told += [question.headline for question in asked if question is not None]
    assert len(told) > 10
    assert [headline for headline in told if len(headline) > 22] == []


@pytest.mark.slow(gate=8)
def test_a_match_can_be_begun_again_from_any_position(setup: Setup) -> None:
    """What `show --position` writes is read again: the same is asked, of the same position.

    It fails where a procedure that asks does not call `begin()` first.
    """
    match = Match[Any].start(setup, STAMP)
    table = bots_of(setup, Random(2))
    for answers, _ in enumerate(playing(match, table, 60)):
        if answers % 5 == 0:
            file = json.loads(json.dumps(match.position_file()))
            again = Match[Any].start(replace(match.setup, position=file), STAMP)
            assert [*again.open] == [*match.open]
            assert again.position.digest() == match.position.digest()


def test_every_piece_on_a_board_has_a_look(match: Match[Any]) -> None:
    """Else a map shows a nameless token for it."""
    assert match.position.placement()
    assert {*match.position.placement()} <= {*match.rulebook.looks}


def test_every_piece_on_a_board_has_a_token(match: Match[Any]) -> None:
    """Nothing stands there that no camera could see and no sheet has a marker for."""
    tokens = match.rulebook.plan.tokens
    known = {token.piece for token in tokens}
    known |= {token.other_side.piece for token in tokens if token.other_side}
    assert match.position.placement()
    assert {*match.position.placement()} <= known
