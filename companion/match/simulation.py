"""Matches played by a box's own bots, with real cards, from the first question to the outcome."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError
from companion.core.offers import Offer, Stamp
from companion.games import find_bots
from companion.match.match import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.core.question import Question
    from companion.kit.playing import Bots
    from companion.match.rulebook import Setup


STAMP = Stamp("bot", "", 0.0)
MOST_ANSWERS = 20_000
"""A match with more answers is given up: no box takes nearly as many."""


@dataclass(frozen=True, slots=True)
class BotMatch:
    """A match that bots played: who won, in how many answers.

    `last` is the place in the book where it ended ("turn-19"). Not finished if it found no end;
    `trouble` says why, where the bots and the record fell out.
    """

    finished: bool
    winners: tuple[str, ...] = ()
    answers: int = 0
    trouble: str = ""
    last: str = ""

    @property
    def result(self) -> str:
        """The winners' names, or a draw; what a table of outcomes counts."""
        return " and ".join(self.winners) if self.winners else "draw"


def bots_of(setup: Setup, rng: Random) -> Bots:
    """The hidden table of a match, with the bots of its box."""
    return find_bots(setup.box)(setup, rng)


def play_one(setup: Setup, rng: Random) -> BotMatch:
    """A match of bots; the same generator plays the same match everywhere."""
    return played_out(Match[Any].start(setup, STAMP), rng)


def played_out(match: Match[Any], rng: Random) -> BotMatch:
    """The result of a match that has just begun, after the bots of its box have played it."""
    try:
        answers = play_out(match, bots_of(match.setup, rng))
    except CompanionError as wrong:
        trouble = f"after {len(match.entries)} lines: {wrong}"
        return BotMatch(finished=False, answers=len(match.entries) - 1, trouble=trouble)
    if match.outcome is None:
        return BotMatch(finished=False, answers=answers, trouble=f"no end in {answers} answers")
    winners = tuple(str(seat) for seat in match.outcome.winners)
    last = match.position.where()[0]
    return BotMatch(finished=True, winners=winners, answers=answers, last=last)


def play_out(match: Match[Any], bots: Bots, most: int = MOST_ANSWERS) -> int:
    """Answer until the match is over, or `most` were given; how many were.

    IllegalAnswer: the bots' cards and the record differ, which is a bug of ours.
    """
    return sum(1 for _ in playing(match, bots, most))


def playing(match: Match[Any], bots: Bots, most: int = MOST_ANSWERS) -> Iterator[Question[Any]]:
    """Each question that bots answer, before they do; hands have followed every ruling by then.

    Whoever stops looking leaves the match there: the question it stopped at is not answered.
    """
    ruled = _follow(match, bots, 0)
    for _ in range(most):
        if match.outcome is not None:
            return
        question = next(q for key, q in match.open.items() if key not in match.answered)
        yield question
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        ruled = _follow(match, bots, ruled)


def _follow(match: Match[Any], bots: Bots, ruled: int) -> int:
    """Have hands do what the rulings after the first `ruled` say; how many rulings there are."""
    for ruling in match.rulings[ruled:]:
        bots.perform(ruling.deeds)
    return len(match.rulings)
