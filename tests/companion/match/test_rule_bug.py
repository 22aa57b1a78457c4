"""A bug in a rule of ours: it is named, the match stands as before, and the program goes on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.core.errors import Drift, RuleBug
from companion.match.match import Match

Maker = Callable[..., Any]


def stands(match: Match[Any]) -> object:
    """Where a match stands, and how long its log is."""
    answered = dict(match.answered)
    return (match.position.to_file(), list(match.open), answered, len(match.entries))


def broken_law(_: object) -> None:
    raise ZeroDivisionError


def broken_rule(*_: object, **__: object) -> None:
    raise ZeroDivisionError


def test_a_bug_in_a_rule_leaves_the_match_as_it_was(
    tally: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = tally()
    table.say("round-1/a", 1)
    before = stands(table.match)

    with monkeypatch.context() as patch:
        patch.setattr(type(table.match.rulebook), "rule", broken_rule)
        with pytest.raises(RuleBug, match="ZeroDivisionError"):
            table.say("round-1/done", "ready")
    assert stands(table.match) == before
    table.say("round-1/done", "ready")


def test_a_bug_in_a_law_is_named_and_changes_nothing(tally: Maker) -> None:
    """Judging is the rules' own code too: it may fail, and neither match nor program ends."""
    table = tally()
    before = stands(table.match)
    table.match.open["round-1/a"].law = broken_law
    with pytest.raises(RuleBug, match=r"round-1/a = 1.*ZeroDivisionError"):
        table.say("round-1/a", 1)
    assert stands(table.match) == before


def test_a_bug_in_a_rule_after_a_correction_is_named_and_changes_nothing(
    tally: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A correction plays the match again; where a rule fails then, all stands as before."""
    table = tally()
    first = table.say("round-1/a", 1)
    table.say("round-1/done", "ready")
    before = stands(table.match)
    with monkeypatch.context() as patch:
        patch.setattr(type(table.match.rulebook), "rule", broken_rule)
        with pytest.raises(RuleBug):
            table.match.adjust({"tally": 4}, "recounted", before=first.seq, stamp=table.stamp)
    assert stands(table.match) == before


def test_a_log_on_which_a_rule_fails_drifts_at_that_line(
    tally: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that today's rules cannot play is told by its line, and so can still be shown."""
    table = tally()
    table.say("round-1/a", 1)
    table.say("round-1/done", "ready")
    monkeypatch.setattr(type(table.match.rulebook), "rule", broken_rule)
    with pytest.raises(Drift) as drift:
        Match.replay(table.match.entries)
    assert drift.value.seq == len(table.match.entries) - 1


def test_a_bug_says_where_it_is(tally: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """File and line: in the box, where one of its lines called what failed."""
    table = tally()
    table.say("round-1/a", 1)
    with monkeypatch.context() as patch:
        patch.setattr(type(table.match.rulebook), "rule", broken_rule)
        with pytest.raises(RuleBug, match=r"ZeroDivisionError\(\) at match/test_rule_bug.py:\d+$"):
            table.say("round-1/done", "ready")
        patch.setattr(type(table.match.rulebook), "rule", json.loads)
        with pytest.raises(RuleBug, match=r"TypeError.* at companion/conftest.py:\d+$"):
            table.say("round-1/done", "ready")


def test_a_book_that_ends_without_an_outcome_is_a_bug(
    tally: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`play` gives back who has won: the sentence says so, and the match stands as before."""
    table = tally()
    table.say("round-1/a", 1)
    before = stands(table.match)

    with monkeypatch.context() as patch:
        patch.setattr(type(table.match.rulebook), "play", ends_at_once)
        with pytest.raises(TypeError, match=r"`play` of Tally gives back None: .* the Outcome"):
            tally()
    assert stands(table.match) == before


async def ends_at_once(_: object) -> None:
    """A book of no procedure."""
