"""What people read in a match: whole sentences, with people's names and never a seat's letter."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.offers import Offer
from companion.games import find_rulebook
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of

PEOPLE = {"A": "Ana", "B": "Ben", "C": "Cleo", "D": "Dan"}
MODES = find_rulebook("dogfight-1917").variants
GAME = "dogfight-1917"

LETTER = re.compile(r"\b(Player|Plane|Seat|seat) [A-D]\b|\b[A-D]\+[A-D]\b|\b[BCD]:|\bA:")
"""A seat that is called by its letter."""
GLUED = re.compile(r"[.?!] [a-z]|: [^.?]*: |\d\+")
"""A sentence that begins small, two colons in one, or a number that is written "3+"."""


def told_in(mode: str, seed: int) -> tuple[set[str], set[str]]:
    """Every question and every ruling of a match that bots play under people's names."""
    seats = {seat: PEOPLE[seat] for seat in find_rulebook(GAME).in_variants([mode]).seats}
    setup = Setup(GAME, (mode,), seats=seats)
    match, bots = Match[Any].start(setup, STAMP), bots_of(setup, Random(seed))
    asked: set[str] = set()
    ruled = 0
    while match.outcome is None:
        question = next(iter(match.open.values()))
        asked.add(question.prompt)
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
    return asked, {ruling.text for ruling in match.rulings}


@pytest.mark.parametrize("mode", MODES)
def test_questions_and_rulings_are_sentences_about_people(mode: str) -> None:
    """Each ends like one, begins with whom it concerns, and glues nothing together."""
    for seed in (1, 2):
        asked, ruled = told_in(mode, seed)
        assert len(asked) > 20
        assert len(ruled) > 20
        for text in asked:
            assert text.endswith((".", "?")), text
            assert not GLUED.search(text), text
        for text in ruled:
            assert text.endswith((".", ".)")), text
            assert not GLUED.search(text), text
        for text in asked | ruled:
            assert not LETTER.search(text), text


@pytest.mark.parametrize(
    ("mode", "winner"), [("team-battle", "B+D"), ("entente-vs-central-powers", "B+D")]
)
def test_a_team_that_wins_is_told_by_its_people(
    table_at: Callable[..., Any], mode: str, winner: str
) -> None:
    """The code of a side stays in the outcome; people read their own names."""
    gone = {"crashed": True, "place": None} if mode == "team-battle" else {}
    roles = {"A": {"fighter": "fokker", "pilot": "richthofen", "deck": 0, "discard": 13},
             "B": {"fighter": "spad", "pilot": "fonck"},
             "C": {"fighter": "albatros", "pilot": "loewenhardt", **gone},
             "D": {"fighter": "camel", "pilot": "maclaren"}}  # fmt: skip
    table = table_at("engagement", mode, players="ABCD", seats=PEOPLE, maneuvered=True, **roles)
    table.act("end turn")
    assert table.match.outcome.winners == (winner,)
    assert table.match.rulebook.who(winner) == "Ben and Dan"
    assert table.last.text.endswith(": Ben and Dan win.")
    assert table.last.headline == "Ben and Dan win"
