"""Whole matches of Starship Edition on the screens: each question has one that works."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.players import RandomPlayer
from companion.rulebook import Setup
from companion.ruling import Seat
from ui.presenters import actions as a
from ui.presenters.acting import act
from ui.presenters.result import ResultState
from ui.presenters.ruling import RulingState
from ui.presenters.view import View
from ui.tapping import actions_on

NAMES = ("Ana", "Bartholomäus", "Cleo", "Dan", "Eve", "Fay")
MOST = 700


@pytest.mark.parametrize("players", [2, 4, 6])
def test_every_question_of_a_match_has_a_screen(person: Any, players: int) -> None:
    """From set-up on: whatever is asked is shown, with keys, and answered as the rules take it."""
    seats = {Seat(seat): name for seat, name in zip("ABCDEF"[:players], NAMES, strict=False)}
    setup = Setup("starship-edition", ("base",), seats, {"players": players})
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    player, shown = RandomPlayer(Random(players)), Counter[str]()
    for _ in range(MOST):
        state = person.state
        shown[type(state).__name__] += 1
        if isinstance(state, ResultState):
            break
        if isinstance(state, RulingState):
            person.go_on()
            continue
        match = person.match
        assert actions_on(state), f"nothing can be touched at {list(match.open)}"
        question = next(q for key, q in match.open.items() if key not in match.answered)
        raw = player.answer(question)
        before = len(match.entries)
        person.touch(a.Anyway(a.Answer(question.key, question.opened, raw)))
        assert len(match.entries) > before, f"{question.key}: {raw!r} was not taken"
    assert shown["ChooseState"] > 20
