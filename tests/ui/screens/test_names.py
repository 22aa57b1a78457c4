"""How seats are called on the screens of a match: by name, and never by their codes."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.question import Option
from companion.core.ruling import Cite, Seat
from companion.games import RULEBOOKS, Shelf
from companion.match.rulebook import Setup
from tests.games.kites.rules import Kites
from ui.screens.match.counts import CountsState
from ui.screens.match.ruling import RulingState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View


def test_what_its_label_says_is_not_said_twice() -> None:
    """A group named Player over the key "Player D" is one player, in the log too."""
    assert Option("D", "D", "Player D", group="Player").in_words == "Player D"
    assert Option("own", 1, "own plane", group="Move plane").in_words == ("Move plane own plane")
    assert Option("x", 1, "Left").in_words == "Left"


def test_a_form_of_several_players_asks_nobody_by_name(person: Any) -> None:
    """Its title says what is asked; who, the rows say."""
    setup = Setup("talespin-dogfight", (), {Seat("A"): "Ana", Seat("B"): "Bo"})
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    state = person.state
    for _ in range(12):
        if isinstance(state, CountsState) and len({row.name for row in state.rows}) > 1:
            break
        step(person)
        state = person.state
    assert isinstance(state, CountsState)
    assert {row.name for row in state.rows} == {"Ana", "Bo"}
    said = f"{state.lead} {state.frame.bottom.message.first}"
    assert "Ana" not in said
    assert "Player A" not in said
    assert state.lead[:1].isupper()


def test_a_ruling_that_begins_with_its_players_name_has_no_other_before_it(
    person: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A seat with a title of its own ("Red") is not said besides: "Red: Ana flies to 0,0 N."."""
    monkeypatch.setitem(RULEBOOKS, "kites", Shelf("tests.games.kites", "Kites", "PhysicalTable"))
    rule = Kites.rule

    def in_one_sentence(rules: Kites, text: str, cite: Cite, *_: object, by: Any, **__: Any) -> Any:
        return rule(rules, text, cite, by=by)

    monkeypatch.setattr(Kites, "rule", in_one_sentence)
    kites = {"A": {"place": "0,3 N", "gust": 3, "hand": 2, "laid": 1},
             "B": {"place": "0,-2 S", "gust": 1, "hand": 2, "laid": 1}}  # fmt: skip
    file: Any = {"box": "kites", "stage": "fly", "deck": 12, "players": kites}
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("kites", (), seats, position=file))
    person.view = act(a.Checked(), person.table, View())
    step(person)
    assert isinstance(person.state, RulingState)
    (told,) = person.state.band.lines
    assert told.startswith("Ana flies to ")


def step(person: Any) -> None:
    """The next tap, or the first answer there is."""
    state = person.state
    following = state.frame.bottom.next
    if isinstance(state, RulingState) or (following is not None and following.action is not None):
        person.touch(following.action)
        return
    question = next(q for key, q in person.match.open.items() if key not in person.match.answered)
    person.touch(a.Answer(question.key, question.opened, question.options_now()[0].name))
