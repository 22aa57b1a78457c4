"""Listing the end poses of the widest Maneuver, beside one move generation of python-chess."""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median
from typing import TYPE_CHECKING, Any

import chess

from companion.core.offers import Offer, Stamp
from companion.games.dogfight_1917 import moves as end_poses
from companion.games.dogfight_1917.moves import arrivals
from companion.match.match import Match
from companion.match.rulebook import Setup

if TYPE_CHECKING:
    import pytest

    from tests.benchmarks.conftest import Table

AIM = 40.0
STAMP = Stamp("bench", "2026-11-21T19:00:00Z", 0.0)
TURNS = 150

SPAD_IN_THE_MIDDLE: dict[str, Any] = {
    "phase": "engagement",
    "players": {
        "A": {"fighter": "spad", "pilot": "fonck", "place": "0,0 N",
              "deck": 9, "hand": 5, "discard": 4, "damage": 2},
        "B": {"fighter": "camel", "pilot": "maclaren", "place": "0,-2 N",
              "deck": 9, "hand": 5, "discard": 4, "damage": 2},
    },
}  # fmt: skip


def asked_to_fly() -> Match[Any]:
    """The SPAD in the middle of the board is asked where its High-speed Maneuver ended."""
    match = Match[Any].start(Setup("dogfight-1917", position=SPAD_IN_THE_MIDDLE), STAMP)
    (key,) = match.open
    match.answer(Offer(key, "High-speed Maneuver", "bench", match.open[key].by), STAMP)
    return match


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def test_the_widest_maneuver_is_listed_in_forty_move_generations(table_of_speeds: Table) -> None:
    """About 170 end poses; each question that is asked afresh lists them once."""
    board = chess.Board()
    ours: list[float] = []
    theirs: list[float] = []
    (question,) = asked_to_fly().open.values()
    for _ in range(TURNS):
        (question,) = asked_to_fly().open.values()
        ours.append(seconds(question.options_now))
        theirs.append(seconds(lambda: list(board.legal_moves)))
    assert len(question.options_now()) > 150
    assert table_of_speeds.at_most(
        "end poses of the widest Maneuver, beside a move generation",
        1e6 * median(ours), 1e6 * median(theirs), AIM, "us",
    )  # fmt: skip


def test_end_poses_are_listed_once_for_each_question(monkeypatch: pytest.MonkeyPatch) -> None:
    """However often screens and sight look; anew only when something on the board changes."""
    listings: list[object] = []

    def counted(*given: Any) -> Any:
        listings.append(given)
        return arrivals(*given)

    monkeypatch.setattr(end_poses, "arrivals", counted)
    match = asked_to_fly()
    for _ in range(25):
        (question,) = match.open.values()
        question.options_now()
    assert len(listings) == 1
    match.adjust({"B.place": "0,-3 N"}, "bench", stamp=STAMP)
    for _ in range(25):
        next(iter(match.open.values())).options_now()
    assert len(listings) == 2
