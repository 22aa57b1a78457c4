"""Matches played by bots from the first question to the outcome."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion.errors import IllegalAnswer
from companion.match import Match
from companion.offers import Offer, Stamp
from companion.players import RandomPlayer

if TYPE_CHECKING:
    from random import Random

    from companion.offers import Json
    from companion.players import Player
    from companion.question import Question
    from companion.rulebook import Setup

STAMP = Stamp("bot", "", 0.0)
MOST_ANSWERS = 20_000
"""A match that is longer has lost its end: far beyond what any box takes."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match that bots played: who won, in how many answers; not finished if it found no end."""

    finished: bool
    winners: tuple[str, ...] = ()
    answers: int = 0

    @property
    def result(self) -> str:
        """The winners' names, or a draw; what a table of outcomes counts."""
        return " and ".join(self.winners) if self.winners else "draw"


class ListReader(RandomPlayer):
    """A random player that, where guessing fails, takes one of the answers that are listed."""

    def answer(self, question: Question[Any]) -> Json:
        """A legal answer; IllegalAnswer if guesses are refused and nothing is listed."""
        try:
            return super().answer(question)
        except IllegalAnswer:
            listed = question.options_now()
            if not listed:
                raise
            return question.judge(self.rng.choice(listed).name).plain


def play_one(setup: Setup, rng: Random) -> Played:
    """A match of random players; the same generator plays the same match everywhere."""
    match = Match[Any].start(setup, STAMP)
    answers = play_out(match, ListReader(rng), rng)
    if match.outcome is None:
        return Played(finished=False, answers=answers)
    winners = tuple(str(seat) for seat in match.outcome.winners)
    return Played(finished=True, winners=winners, answers=answers)


def play_out(match: Match[Any], player: Player, rng: Random, most: int = MOST_ANSWERS) -> int:
    """Answer until the match is over (or `most` were given); how many were taken."""
    given = 0
    while match.outcome is None and given < most:
        question = rng.choice(_waiting(match))
        given += 1
        try:
            _give(match, question, player)
        except IllegalAnswer:
            _revise(match, player, rng)
    return given


def _waiting(match: Match[Any]) -> Sequence[Question[Any]]:
    """Open questions without an answer; first those that silence would answer, else none would."""
    waiting = [q for key, q in match.open.items() if key not in match.answered]
    optional = [question for question in waiting if question.lapse is not None]
    return optional or waiting


def _give(match: Match[Any], question: Question[Any], player: Player) -> None:
    match.answer(Offer(question.key, player.answer(question), "bot", question.by), STAMP)


def _revise(match: Match[Any], player: Player, rng: Random) -> None:
    """The answers of a form do not go together: one of them, drawn, is given anew."""
    answered = [match.open[key] for key in match.answered]
    if answered:
        _give(match, rng.choice(answered), player)
