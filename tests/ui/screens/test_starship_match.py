"""Whole matches of Starship Edition on the screens: each question has one that works."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.ruling import Cite, Json, Ruling, Seat
from companion.kit.playing import RandomPlayer
from companion.match.rulebook import Setup
from ui.demo.driver import actions_on, touch_for
from ui.scene.scene import Scene
from ui.scene.values import KeyLook
from ui.screens.beside.naming import TitleState
from ui.screens.match import ruling
from ui.screens.match.field import FieldState
from ui.screens.match.result import ResultState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import present
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.actions import TakeName, TypeLetter
from ui.touch.view import View
from ui.window.operator import Operator

NAMES = ("Ana", "Bartholomäus", "Cleo", "Dan", "Eve", "Fay")
MOST = 700


@pytest.mark.slow(gate=1)
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
        assert any(True for _ in actions_on(state)), f"nothing can be touched at {list(match.open)}"
        question = next(q for key, q in match.open.items() if key not in match.answered)
        raw = player.answer(question)
        before = len(match.entries)
        person.touch(a.Anyway(a.Answer(question.key, question.opened, raw)))
        assert len(match.entries) > before, f"{question.key}: {raw!r} was not taken"
    assert shown["FieldState"] > 20


def test_who_does_not_play_cannot_win_by_the_arbiters_word(person: Any) -> None:
    """The box has six seats; of a match of two there are three ends."""
    seats = {Seat("A"): "Ana", Seat("B"): "Bartholomäus"}
    person.table.new_match(Setup("starship-edition", ("base",), seats, {"players": 2}))
    person.view = act(a.Checked(), person.table, View())
    state = person.touch(a.Show(a.Panel.CLOSE))
    ends = [key.label for key in state.keys if key.look is KeyLook.IMPOSSIBLE]
    assert ends == ["Ana wins", "Bartholomäus wins", "Draw"]


def test_an_order_is_touched_item_by_item_in_the_order_wanted(person: Any) -> None:
    """Keys lead from nothing to the whole order, whichever is wanted; then it is given."""
    file: dict[str, Any] = {
        "box": "starship-edition", "turn": 3, "phase": "end-of-turn",
        "players": {
            seat: {"deck": 35, "hand": 5, "hull": 9, "energy": 3, "place": place, "prepared": True,
                   "counters": {"over heat": 10},
                   "tiers": [{"action": "pass", "resolved": True}] * 3}
            for seat, place in (("A", "1,1"), ("B", "3,1"), ("C", "5,1"))
        },
    }  # fmt: skip
    person.table.new_match(Setup("starship-edition", ("base",), position=file))
    person.view = act(a.Checked(), person.table, View())
    while not isinstance(person.state, FieldState):
        person.go_on()
    (question,) = person.match.open.values()
    wanted: list[Json] = ["C", "A", "B"]
    unsaid = person.state.frame.bottom.next
    assert unsaid is not None
    assert isinstance(unsaid.action, a.Answer)
    assert unsaid.action.raw == ["A", "B", "C"], "unsaid, as it stands"
    for _ in wanted:
        person.touch(touch_for(person.state, question.key, wanted))
        assert not person.match.steps, "nothing counts before it is given"
    person.touch(touch_for(person.state, question.key, wanted))
    assert person.match.steps[-1].value == wanted


def test_an_unlisted_cards_title_is_typed_on_the_screen(person: Any) -> None:
    """Its key opens the keyboard; what is taken there is the answer, its spaces put right."""
    file: dict[str, Any] = {
        "box": "starship-edition", "turn": 3, "phase": "tier-sequence",
        "players": {
            seat: {"deck": 34, "hand": 5, "hull": 9, "energy": 3, "place": place, "prepared": True,
                   "tiers": [{"action": "set", "primary": "?"}, {"action": "pass"},
                             {"action": "pass"}]}
            for seat, place in (("A", "1,1"), ("B", "3,1"))
        },
    }  # fmt: skip
    person.table.new_match(Setup("starship-edition", ("base",), position=file))
    operator = Operator(person.table)
    operator.touched(a.Checked())
    question = person.match.open[next(iter(person.match.open))]
    (key,) = [touch for touch in actions_on(operator.state()) if isinstance(touch, a.AddWords)]
    operator.touched(key)
    for letter in "tractor  beam":
        operator.touched(TypeLetter(letter))
    typing = operator.state()
    assert isinstance(typing, TitleState)
    assert typing.text == "Tractor  beam"
    operator.touched(TakeName())
    assert not isinstance(operator.state(), TitleState)
    told = next(entry for entry in person.match.entries if entry.key == question.key)
    assert told.answer == "unknown Tractor beam"


def test_se_pre_04_and_se_r23_hands_are_told_of_every_token(person: Any) -> None:
    """Reminder tokens on their keys; hull, energy and Priority in large letters, as other deeds.

    Nothing that hands have done already stands in their place.
    """
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("starship-edition", ("base",), seats))
    person.view = act(a.Checked(), person.table, View())
    player, told, keys = RandomPlayer(Random(1)), set[str](), dict[str, str]()
    for _ in range(120):
        state = person.state
        if isinstance(state, ResultState):
            break
        if isinstance(state, RulingState):
            told |= {band.lines[-1] for band in (state.band, state.then) if band is not None}
            person.go_on()
            continue
        if isinstance(state, FieldState):
            keys |= {one.key.label: one.key.second for group in state.menu for one in group.keys}
        question = next(iter(person.match.open.values()))
        answered = a.Answer(question.key, question.opened, player.answer(question))
        person.touch(a.Anyway(answered))
    assert keys["Draw"] == keys["Pass"] == keys["Play Scan"] == "lay a token"
    assert {"10 hull, 3 energy", "has Priority", "pay 1 energy"} <= told
    quiet = {"tier 1: token", "tier 2: token", "tier 3: token", "prepared", "effects end"}
    assert not told & quiet


def test_no_ruling_is_titled_by_what_the_text_leaves_open(new_person: Any, tmp_path: Path) -> None:
    """Damage comes under such a paragraph: the title says the tier or another chapter."""
    person = new_person(tmp_path)
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("starship-edition", ("base",), seats, {"players": 2}))
    scene = Scene(person.table.situation(), View())
    for rules, title in (
        (("SE-R14",), ""),
        (("SE-R14", "SE-ACT-01"), "Action Phase"),
        (("SE-EOT-02", "SE-R18"), "End of Turn"),
    ):
        assert ruling._chapter(scene, [Ruling("Ana takes 4 damage.", Cite(rules))]) == title


def test_finished_is_answered_by_the_next_tap(new_person: Any, tmp_path: Path) -> None:
    """It leads on, and is not looked for on the second page of what else may be done."""
    person = new_person(tmp_path)
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("starship-edition", ("base",), seats, {"players": 2}))
    person.view = act(a.Checked(), person.table, View())
    for _ in range(40):
        asked = next(iter(person.match.open.values()))
        options = {option.name: option for option in asked.options_now()}
        if "end" in options:
            break
        if not isinstance(person.state, FieldState):
            person.go_on()
            continue
        raw = "set" if "set" in options else next(iter(options))
        person.touch(a.Answer(asked.key, asked.opened, raw))
    state: Any = present(person.table.situation(), person.view)
    assert state.band.lines[-1] == "finished?"
    key = state.frame.bottom.next
    assert (key.label, key.action.raw) == ("Preparation is done", "end")
    assert "end" not in [one.key.action.raw for group in state.menu for one in group.keys]
