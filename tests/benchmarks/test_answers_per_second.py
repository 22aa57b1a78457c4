"""Answers per second of whole matches, beside python-chess at random play in the same run.

The aims are 3 times python-chess for Jaws & Paws and 2 times for Dogfight: 1917; floors are what
was reached, less what a busy machine takes away.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any

import chess
import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import TABLE
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

STAMP = Stamp("bench", "2026-11-21T19:00:00Z", 0.0)
MATCHES = 8
TURNS = 11


def random_answers(box: str, seed: int) -> list[Offer]:
    """The answers of one whole match at random play, as the log kept them."""
    rng = Random(seed)
    player, match = RandomPlayer(rng), _new_match(box)
    while match.outcome is None:
        key = next(key for key in match.open if key not in match.answered)
        try:
            match.answer(Offer(key, player.answer(match.open[key]), "bot", TABLE), STAMP)
        except IllegalAnswer:
            while match.answered:
                match.undo(stamp=STAMP)
    return _answers_of(match)


def bots_answers(box: str, seed: int) -> list[Offer]:
    """The answers of one whole match between the box's own bots."""
    setup = Setup(box)
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)))
    return _answers_of(match)


def _answers_of(match: Match[Any]) -> list[Offer]:
    return [Offer(s.key, s.value, "bot", TABLE) for s in match.steps if s.answers]


def _new_match(box: str) -> Match[Any]:
    return Match.start(Setup(box), STAMP)


def play_matches(box: str, matches: list[list[Offer]]) -> int:
    """Judge, apply, digest and rule every answer; how many there were."""
    for offers in matches:
        match = _new_match(box)
        for offer in offers:
            match.answer(offer, STAMP)
        assert match.outcome is not None
    return sum(len(offers) for offers in matches)


def play_chess(moves: int) -> int:
    """Random play to the end of each game: every legal move listed, one of them made."""
    rng, board = Random(1), chess.Board()
    for _ in range(moves):
        if board.is_game_over():
            board = chess.Board()
        board.push(rng.choice(list(board.legal_moves)))
    return moves


def per_second(work: Callable[[], int]) -> float:
    start = time.process_time()  # of this process alone: other programs share the core
    done = work()
    return done / (time.process_time() - start)


@pytest.mark.parametrize(
    ("box", "answers", "floor", "aim"),
    [
        ("jaws-and-paws", random_answers, 1.6, 3.0),
        ("dogfight-1917", bots_answers, 0.65, 2.0),
        ("dogfight-hex", bots_answers, 0.3, 0.0),
        ("talespin-dogfight", bots_answers, 0.9, 0.0),
        ("starship-edition", bots_answers, 0.3, 0.0),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_answers_per_second_beside_python_chess(
    box: str,
    answers: Callable[[str, int], list[Offer]],
    floor: float,
    aim: float,
    table_of_speeds: Table,
) -> None:
    """Both in turn, medians of one run."""
    matches = [answers(box, seed) for seed in range(MATCHES)]
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(TURNS):
        ours.append(per_second(lambda: play_matches(box, matches)))
        theirs.append(per_second(lambda: play_chess(2_000)))
    held = table_of_speeds.at_least(
        f"{box}: answers, beside python-chess's moves",
        median(ours), median(theirs), floor, "/s", aim,
    )  # fmt: skip
    assert held
