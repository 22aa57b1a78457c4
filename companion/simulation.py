"""Matches played by a box's own bots, with real cards, from the first question to the outcome."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

from companion.errors import CompanionError
from companion.games import find_rulebook
from companion.match import Match
from companion.offers import Offer, Stamp

if TYPE_CHECKING:
    from random import Random

    from companion.offers import Json
    from companion.question import Question
    from companion.rulebook import Setup
    from companion.ruling import Deed

STAMP = Stamp("bot", "", 0.0)
MOST_ANSWERS = 20_000
"""A match that is longer has lost its end: far beyond what any box takes."""


class Bots(Protocol):
    """A box's hidden table: real cards, and players who look at them."""

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question."""
        ...

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what a ruling told the hands to do."""
        ...


@dataclass(frozen=True, slots=True)
class Played:
    """A match that bots played: who won, in how many answers.

    Not finished if it found no end; `trouble` says why, where the bots and the record fell out.
    """

    finished: bool
    winners: tuple[str, ...] = ()
    answers: int = 0
    trouble: str = ""

    @property
    def result(self) -> str:
        """The winners' names, or a draw; what a table of outcomes counts."""
        return " and ".join(self.winners) if self.winners else "draw"


def bots_of(setup: Setup, rng: Random) -> Bots:
    """The hidden table of a box, with its bots; every box keeps one in `physical.py`."""
    folder = find_rulebook(setup.box).__module__.rpartition(".")[0]
    bots: Bots = import_module(f"{folder}.physical").PhysicalTable(setup, rng)
    return bots


def play_one(setup: Setup, rng: Random) -> Played:
    """A match of bots; the same generator plays the same match everywhere."""
    match = Match[Any].start(setup, STAMP)
    try:
        answers = play_out(match, bots_of(setup, rng))
    except CompanionError as wrong:
        trouble = f"after {len(match.entries)} lines: {wrong}"
        return Played(finished=False, answers=len(match.entries) - 1, trouble=trouble)
    if match.outcome is None:
        return Played(finished=False, answers=answers, trouble=f"no end in {answers} answers")
    winners = tuple(str(seat) for seat in match.outcome.winners)
    return Played(finished=True, winners=winners, answers=answers)


def play_out(match: Match[Any], bots: Bots, most: int = MOST_ANSWERS) -> int:
    """Answer until the match is over, or `most` were given; how many were.

    IllegalAnswer: the bots' cards and the record differ, which is a bug of ours.
    """
    given = ruled = 0
    while match.outcome is None and given < most:
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        given += 1
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
    return given
