"""An amend that opens a new question: what is said of the lines that wait until it is answered."""

from __future__ import annotations

from typing import Any

import pytest

from companion.match import Match
from companion.offers import Offer, Stamp
from companion.refit import Fate
from companion.rulebook import Setup
from companion.ruling import Seat
from companion.simulation import STAMP

ANA = Stamp("Ana", "2026-11-21T19:42:10Z", 65.0)
A, B = Seat("A"), Seat("B")


def _player(fighter: str, place: str, tokens: int) -> dict[str, Any]:
    return {
        "fighter": fighter, "pilot": "mentor", "place": place, "tokens": tokens,
        "deck": 12, "hand": 2, "discard": 2, "damage": 4,
    }  # fmt: skip


def _say(match: Match[Any], seat: Seat, raw: Any) -> None:
    match.answer(Offer(next(iter(match.open)), raw, "script", seat), STAMP)


@pytest.fixture
def match() -> Match[Any]:
    """Ana attacked (line 2); Ben drew two too many, and Ana's tokens were counted twice."""
    players = {"A": _player("camel", "0,1 N", 4), "B": _player("spad", "0,-1 N", 0)}
    position: Any = {"turn": 7, "phase": "engagement", "active": "A", "players": players}
    seats = {A: "Ana", B: "Ben"}
    match: Match[Any] = Match.start(Setup("dogfight-1917", position=position, seats=seats), STAMP)
    _say(match, A, "Basic Attack")
    _say(match, A, [6, 6, 6])
    _say(match, B, "pass")
    match.report({"what": "drew", "player": "B", "count": 2}, STAMP)
    match.report({"what": "tokens", "player": "A", "count": 3}, STAMP)
    match.report({"what": "solved", "code": "DF-E16"}, STAMP, "counted again, 4")
    return match


def test_an_amend_says_first_what_is_asked_anew_and_that_later_lines_wait(
    match: Match[Any],
) -> None:
    """Not as if they were lost; a report, which has no question, is told in its own sentence."""
    revision = match.amend(2, [6, 6, 1], "misread")
    first, among = revision.in_words()
    asked = "Asked first: Ana: you rolled 6, 6, 1 against Difficulty 5 for the Basic Attack at Ben."
    assert first.startswith(asked)
    assert first.endswith(
        "Do you roll any again? 4 lines below (lines 3 to 6) come back when that is answered, "
        "where they still fit."
    )
    assert among.startswith("Among them: line 4 (Reported: Ben drew 2")
    assert among.endswith("; line 6 (The notice DF-E16 is solved).")
    assert [(flip.old.text[:10], flip.new) for flip in revision.flips if flip.old] == [
        ("Ana rolled", None)
    ], "what Ben's waiting answer ruled is not said to be gone"


def test_an_amend_that_asks_nothing_anew_says_what_stays(match: Match[Any]) -> None:
    """Other dice, as many hits: every later line stands."""
    revision = match.amend(2, [6, 6, 5], "misread")
    assert set(revision.fate.values()) == {Fate.KEPT}
    assert revision.in_words() == ["4 later lines stay."]
