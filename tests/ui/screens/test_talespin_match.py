"""Whole matches of the TaleSpin dogfight on the screens: each question has one that works."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.core.ruling import Json, Seat
from companion.games.talespin_dogfight.table import PhysicalTable
from companion.match.rulebook import Setup
from ui.demo.driver import touch_for
from ui.screens.match.result import ResultState
from ui.screens.match.ruling import RulingState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

NAMES = ("Ana", "Bartholomäus", "Cleo", "Dan")
MOST_TOUCHES = 40


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("windows", ["announce", "ask"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_question_of_a_match_has_keys_that_answer_it(
    person: Any, players: int, windows: str
) -> None:
    """Nothing is typed: numbers are stepped to, windows passed, maneuvers touched by value."""
    seats = {Seat(seat): name for seat, name in zip("ABCD", NAMES[:players], strict=False)}
    options: dict[str, Json] = {
        "players": players,
        "windows": windows,
        "max_dogfights_per_turn": 2,
    }
    setup = Setup("talespin-dogfight", ("base",), seats, options)
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    bots, shown, ruled = PhysicalTable(setup, Random(players)), Counter[str](), 0
    while not isinstance(person.state, ResultState):
        shown[type(person.state).__name__] += 1
        if isinstance(person.state, RulingState):
            person.go_on()
            continue
        match = person.match
        question = next(q for key, q in match.open.items() if key not in match.answered)
        wanted = question.parse(bots.act(question)).plain
        _touch(person, question.key, wanted)
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
    assert shown["FieldState"] > 5
    assert shown["CountsState"] > 5
    assert person.match.outcome is not None


def _touch(person: Any, key: str, wanted: Any) -> None:
    """Touch what leads to an answer until the question has one."""
    for _ in range(MOST_TOUCHES):
        match = person.match
        if key not in match.open or match.answered.get(key) == wanted:
            return
        action = touch_for(person.state, key, wanted)
        assert action is not None, f"no key for {key} = {wanted!r}: {type(person.state).__name__}"
        person.touch(action)
    pytest.fail(f"{key} = {wanted!r} is not reached in {MOST_TOUCHES} touches")


def test_an_arbiter_finds_counts_places_and_played_maneuvers_to_set(person: Any) -> None:
    """The screen of adjustments lists the players with what is theirs, and the piles."""
    played = {"by": "A", "exchange": 1, "value": 5, "source": "pilot", "title": "Pilot card"}
    file: dict[str, Any] = {
        "box": "talespin-dogfight", "step": "answer-1", "turn_of": "A", "defender": "B",
        "start": "pilot", "card": "Pilot card", "defended": True, "draw": 9, "played": [played],
        "players": {"A": {"hand": 3, "place": 1}, "B": {"hand": 4, "place": 2}},
    }  # fmt: skip
    person.table.new_match(Setup("talespin-dogfight", ("base",), position=file))
    person.view = act(a.Checked(), person.table, View())
    person.touch(a.Show(a.Panel.ADJUST))
    rows = {row.owner.label: [key.second for key in row.keys] for row in person.state.rows}
    assert {"Player A", "Player B"} <= rows.keys()
    assert "Draw pile" in rows["Table"]
