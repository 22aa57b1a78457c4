"""Whole matches of Dogfight! hex ships on the hex board's screen, with three to six players."""

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

PEOPLE = ("Ana", "Bartholomäus", "Cleo", "Dan", "Eve", "Finn")


def begin(person: Any, players: int, **house: Any) -> None:
    """A match of so many past its table check."""
    seats = {Seat(seat): name for seat, name in zip("ABCDEF"[:players], PEOPLE, strict=False)}
    options = {"players": players, **house}
    person.table.new_match(Setup("dogfight-hex", ("base",), seats, options))
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
        question = waiting(person)
        raw = player.answer(question)
        person.touch(a.Anyway(a.Answer(question.key, question.opened, raw)))


def waiting(person: Any) -> Any:
    """The first question without an answer."""
    answered = person.match.answered
    return next(q for key, q in person.match.open.items() if key not in answered)


def kind_of(state: FieldState) -> str:
    """Which of its pads a screen shows."""
    return "poses" if state.poses else "menu" if state.menu else "plain"


@pytest.mark.slow
@pytest.mark.parametrize("players", [3, 4, 6])
def test_every_question_of_a_match_has_a_screen(person: Any, players: int) -> None:
    """From the wreckage to the result: what is asked is answered there, as the rules take it."""
    begin(person, players)
    shown: Counter[str] = Counter()
    for state in screens(person, seed=3, most=900):
        if not isinstance(state, FieldState):
            continue
        question = waiting(person)
        shown[f"{kind_of(state)} {question.key.split('/')[1]}"] += 1
        leads_on = False
        for action in actions_on(state):
            leads_on = leads_on or isinstance(action, a.Answer | a.Fill | a.Show | a.TurnPage)
            if isinstance(action, a.Answer):
                assert action.opened == question.opened
                taken(question, action.raw)
        assert leads_on, state
        assert len(state.panels) == players
    assert isinstance(person.state, ResultState)
    assert {"poses wreckage", "poses ship", "poses move", "menu declare", "menu reveal"} <= {*shown}


def taken(question: Any, raw: Any) -> None:
    """A screen offers nothing that the question refuses."""
    try:
        question.judge(raw)
    except IllegalAnswer as refused:
        pytest.fail(f"{question.key}: {raw!r} is on the screen: {refused}")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_match_is_played_by_touches_alone(person: Any, seed: int) -> None:
    """Somebody who touches any key there is gets on: nothing is refused, nothing gets stuck."""
    begin(person, 3)
    person.touch_any(Random(seed), 600, most_idle=60)
    assert len(person.match.entries) > 30


def test_debris_beside_a_ship_asks_whether_it_rams(person: Any) -> None:
    """A space from which a ship can be rammed opens; its keys say what they mean."""
    lines: dict[str, Any] = {
        "A": {"place": "0,4 NW", "hand": 4}, "B": {"place": "1,0 W", "hand": 4},
        "C": {"debris": "0,0", "hull": 0, "aside": 2, "fell": 1},
    }  # fmt: skip
    wrecks = {f"wreck-{n}": space for n, space in enumerate(("5,-5", "-5,5", "5,0", "-5,0"), 1)}
    file: dict[str, Any] = {
        "box": "dogfight-hex", "turn": 3, "phase": "debris", "deck": 46, "wreckage": wrecks,
        "ships": lines,
    }  # fmt: skip
    person.table.new_match(Setup("dogfight-hex", ("base",), {}, {"players": 3}, position=file))
    person.view = act(a.Checked(), person.table, View())
    spaces = {space.space: space.action for space in person.state.poses.spaces}
    assert isinstance(spaces["-1,0"], a.Answer)
    state = person.touch(spaces["0,0"])
    assert [key.key.label for key in state.poses.headings] == ["Stay", "Ram Player B from here"]
    assert state.frame.bottom.message.first == "Which of these is it?"


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seed"), [(6, 5), (4, 6)])
def test_every_text_of_a_match_is_whole(
    person: Any, make_sheet: Any, players: int, seed: int
) -> None:
    """The rules' own words fit: no label, prompt or headline of a match is cut."""
    from ui.scene.theme import Theme
    from ui.screens.registry import parts_of, screen_of

    sheet = make_sheet(Theme())
    begin(person, players)
    for state in screens(person, seed, most=160):
        sheet.show(screen_of(state), parts_of(state, sheet.theme))
        cut = [(name, text.text) for name, text in sheet.written() if text.cut]
        assert [told for told in cut if told[1] not in PEOPLE] == [], "people's names may be cut"
