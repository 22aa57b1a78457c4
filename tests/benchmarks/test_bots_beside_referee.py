"""What bots cost beside the referee, of whole matches: simulating is to try rules, not bots."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from companion.core.offers import Offer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import MOST_ANSWERS, STAMP, bots_of

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

MATCHES = 12
T = TypeVar("T")


class Costs:
    """Seconds of CPU of each of the two, over matches played out."""

    def __init__(self) -> None:
        self.bots_s = self.referee_s = 0.0

    def play(self, setup: Setup, seed: int) -> None:
        """A whole match, as `simulate` plays it."""
        bots = self._of_bots(lambda: bots_of(setup, Random(seed)))
        match = self._of_referee(lambda: Match[Any].start(setup, STAMP))
        followed = 0
        for _ in range(MOST_ANSWERS):
            deeds = [deed for ruling in match.rulings[followed:] for deed in ruling.deeds]
            self._of_bots(partial(bots.perform, deeds))
            followed = len(match.rulings)
            if match.outcome is not None:
                return
            asked = next(q for key, q in match.open.items() if key not in match.answered)
            raw = self._of_bots(partial(bots.act, asked))
            offer = Offer(asked.key, raw, "bot", asked.by)
            self._of_referee(partial(match.answer, offer, STAMP))

    def _of_bots(self, work: Callable[[], T]) -> T:
        began = time.process_time()
        done = work()
        self.bots_s += time.process_time() - began
        return done

    def _of_referee(self, work: Callable[[], T]) -> T:
        began = time.process_time()
        done = work()
        self.referee_s += time.process_time() - began
        return done


@pytest.mark.parametrize(
    ("box", "floor"),
    [
        ("jaws-and-paws", 1.5),
        ("dogfight-1917", 0.85),
        ("dogfight-hex", 1.0),
        ("talespin-dogfight", 0.95),
        ("starship-edition", 2.0),
    ],
)
def test_the_referee_beside_the_bots(box: str, floor: float, table_of_speeds: Table) -> None:
    """How many times what the bots take the referee takes; 1 is wanted.

    Floors are what was reached, less what a busy machine takes away.
    """
    costs = Costs()
    costs.play(Setup(box), 99)  # what is loaded and kept at first
    costs.bots_s = costs.referee_s = 0.0
    for seed in range(MATCHES):
        costs.play(Setup(box), seed)
    held = table_of_speeds.at_least(
        f"{box}: the referee's CPU, beside the bots'",
        costs.referee_s,
        costs.bots_s,
        floor,
        "s",
        1.0,
    )
    assert held
