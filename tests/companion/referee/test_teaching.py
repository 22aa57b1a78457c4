"""What would have done it: the box's own judge tells beginners; asking changes nothing."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, playing
from companion.referee.teaching import is_miss, last_miss, legal_instead, taught, would_have_hit

ANA = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
BOXES = (
    ("jaws-and-paws", "day"), ("dogfight-1917", "base"), ("dogfight-hex", "base"),
    ("starship-edition", "base"), ("talespin-dogfight", "base"),
)  # fmt: skip


def match_at_a_miss(seed: int = 0) -> Match[Any]:
    """Jaws & Paws, played until a shot has missed."""
    setup = Setup("jaws-and-paws", ("day",), {}, {})
    match = Match[Any].start(setup, ANA)
    for _ in playing(match, bots_of(setup, Random(seed)), 200):
        if last_miss(match) is not None:
            return match
    raise AssertionError("nobody missed")


@pytest.mark.parametrize("seed", range(3))
def test_the_other_answer_hits_indeed(seed: int) -> None:
    """Amended so, the match rules a hit where it had ruled the miss."""
    match = match_at_a_miss(seed)
    missed = last_miss(match)
    assert missed is not None
    seq, miss = missed
    found = would_have_hit(match, seq, miss)
    assert found
    question = match.asked_at(found[0].line)
    assert question is not None
    for one in found:
        name = next(
            o.name for o in question.options_now() if question.in_words(o.name) == one.answer
        )
        changed = match.amend(one.line, name).changed.run.ruled_by()
        ruled = [ruling for _, _, rulings in changed for ruling in rulings]
        assert miss not in ruled
        assert any(ruling.text == one.ruled and ruling.struck for ruling in ruled)


def test_asking_changes_nothing() -> None:
    match = match_at_a_miss()
    before = list(match.entries), [*match.rulings], dict(match.answered)
    assert "would have hit" in taught(match, None)
    assert (list(match.entries), [*match.rulings], dict(match.answered)) == before


def test_without_a_miss_nothing_is_said() -> None:
    match = Match[Any].start(Setup("jaws-and-paws", ("day",), {}, {}), ANA)
    assert taught(match, None) == ""
    assert taught(match, ("no/such/key", "x")) == ""


@pytest.mark.parametrize(("box", "variant"), BOXES)
def test_what_is_told_as_legal_is_legal(box: str, variant: str) -> None:
    """In every box: each option that is told passes the judge; what was refused is not told."""
    setup = Setup(box, (variant,), {}, {})
    match = Match[Any].start(setup, ANA)
    told = 0
    for question in playing(match, bots_of(setup, Random(1)), 60):
        with pytest.raises(IllegalAnswer):
            match.answer(Offer(question.key, "no such thing", "typed", question.by), ANA)
        words = taught(match, (question.key, "no such thing"))
        options = question.options_now()
        assert bool(words) >= bool(options)
        for option in options[:3]:
            question.judge(option.name)
            told += 1
        if len(options) <= 3:
            assert all(question.in_words(option.name) in words for option in options)
    assert told > 20


def test_the_nearest_is_told_first_and_many_are_counted() -> None:
    match = match_at_a_miss()
    reveal = next(match.asked_at(step.seq) for step in reversed(match.steps)
                  if "reveal" in step.key)  # fmt: skip
    assert reveal is not None
    told = legal_instead(reveal, "own plane Lefd")
    assert told.startswith("Legal now: own plane Left")
    assert told.endswith(" others.")


def test_a_hit_is_no_miss() -> None:
    setup = Setup("jaws-and-paws", ("day",), {}, {})
    match = Match[Any].start(setup, ANA)
    for _ in playing(match, bots_of(setup, Random(2)), 200):
        pass
    hits = [ruling for ruling in match.rulings if ruling.struck]
    assert hits
    assert not any(is_miss(match, ruling) for ruling in hits)
