"""Whole matches on the hex board's screen, in every mode: each question has a screen that works."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.ruling import Seat
from companion.kit.playing import RandomPlayer
from companion.match.rulebook import Setup
from ui.demo.driver import actions_on
from ui.screens.match.field import FieldState
from ui.screens.match.result import ResultState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

NAMES = ("Ana", "Bartholomäus", "Cleo", "Dan")
MODES = {
    "base": 2,
    "draft": 2,
    "daring-escape": 2,
    "battle-royale": 4,
    "team-battle": 4,
    "entente-vs-central-powers": 4,
}


def begin(person: Any, mode: str) -> None:
    """A match of that mode past its table check."""
    seats = {Seat(seat): name for seat, name in zip("ABCD"[: MODES[mode]], NAMES, strict=False)}
    person.table.new_match(Setup("dogfight-1917", (mode,), seats))
    person.view = act(a.Checked(), person.table, View())


def screens(person: Any, seed: int, most: int) -> Iterator[Any]:
    """Every screen of a match, each before a random player answers what it asks."""
    player = RandomPlayer(Random(seed))
    for _ in range(most):
        state = person.state
        yield state
        if isinstance(state, ResultState):
            return
        if not isinstance(state, FieldState):
            person.go_on()
            continue
        match = person.match
        question = next(q for key, q in match.open.items() if key not in match.answered)
        raw = player.answer(question)
        person.touch(a.Anyway(a.Answer(question.key, question.opened, raw)))


def kind_of(state: FieldState) -> str:
    """Which of its pads a screen shows."""
    pads = {"poses": state.poses, "dice": state.pad, "menu": state.menu}
    return next((name for name, pad in pads.items() if pad), "plain")


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("mode", MODES)
def test_every_question_of_a_match_has_a_screen(person: Any, mode: str) -> None:
    """From set-up to result: whatever is asked is answered there, and as the rules take it."""
    begin(person, mode)
    shown: Counter[str] = Counter()
    for state in screens(person, seed=3, most=1500):
        if not isinstance(state, FieldState):
            continue
        shown[kind_of(state)] += 1
        question = next(q for k, q in person.match.open.items() if k not in person.match.answered)
        leads_on = False
        for action in actions_on(state):
            if isinstance(action, a.Fill | a.Show | a.TurnPage):
                leads_on = True
            elif isinstance(action, a.Answer):
                leads_on = True
                assert action.opened == question.opened
                taken(question, action.raw)
        assert leads_on, state
    assert isinstance(person.state, ResultState)
    assert shown["menu"]
    assert shown["plain"]


def taken(question: Any, raw: Any) -> None:
    """A screen offers nothing that the question refuses."""
    try:
        question.judge(raw)
    except IllegalAnswer as refused:
        pytest.fail(f"{question.key}: {raw!r} is on the screen: {refused}")


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", range(3))
def test_a_match_is_played_by_touches_alone(person: Any, seed: int) -> None:
    """Somebody who touches any key there is gets on: nothing is refused, nothing gets stuck."""
    begin(person, "base")
    person.touch_any(
        Random(seed), 700, most_idle=250
    )  # cards shown are counted up by chance, until they add up
    assert len(person.match.entries) > 30


@pytest.mark.slow
@pytest.mark.parametrize("seed", [5, 6])
def test_every_text_of_a_match_is_whole(person: Any, make_sheet: Any, seed: int) -> None:
    """The rules' own words fit: no label, prompt or headline of a match is cut."""
    from ui.scene.theme import Theme
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(Theme())
    begin(person, ("entente-vs-central-powers", "base")[seed % 2])
    for state in screens(person, seed, most=220):
        sheet.show(screen_of(state), parts_of(state, sheet.theme))
        cut = [(name, text.text) for name, text in sheet.written() if text.cut]
        assert not cut
