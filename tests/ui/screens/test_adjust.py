"""Adjust for boxes with headings: the arbiter can set what the box lets be set."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from companion.games.dogfight_1917.rules import Dogfight1917
from companion.match.rulebook import Setup
from ui.scene.values import Mark
from ui.screens.arbiter.adjust import AdjustState
from ui.screens.beside.figures import FigureState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View


def begin(person: Any, mode: str) -> None:
    """A match of Dogfight: 1917 past its table check."""
    person.table.new_match(Setup("dogfight-1917", (mode,)))
    person.view = act(a.Checked(), person.table, View())


@pytest.mark.parametrize("mode", Dogfight1917.variants)
def test_adjust_opens_in_every_mode(person: Any, mode: str) -> None:
    """Whoever plays, and whether or not there are teams."""
    begin(person, mode)
    state = person.touch(a.Show(a.Panel.ADJUST))
    assert person.is_at(AdjustState)
    assert "Tokens" in [key.label for key in person.touch(state.things[-1].action).quantities]


def keys_of(state: Any) -> dict[str, Any]:
    """Every key of the four columns by what stands on it."""
    columns = (state.things, state.quantities, state.values, state.reasons)
    return {key.label: key for column in columns for key in column}


def play_to_turn_1(person: Any) -> None:
    """Camel against Fokker, placed."""
    begin(person, "base")
    for key, raw in (("fighter/A", "camel"), ("fighter/B", "fokker"), ("placed", "placed")):
        question = person.match.open[f"set-up/{key}"]
        person.touch(a.Answer(question.key, question.opened, raw))


def test_each_value_offered_can_be_written(person: Any) -> None:
    """Words, seats and numbers alike: nothing is offered that the box does not take."""
    play_to_turn_1(person)
    state = person.touch(a.Show(a.Panel.ADJUST))
    offered: dict[str, list[Any]] = {}
    for thing in state.things:
        for quantity in person.touch(thing.action).quantities:
            if isinstance(quantity.action, a.Show):
                continue
            for value in person.touch(quantity.action).values:
                offered.setdefault(value.action.name, []).append(value.action.value)
                deepcopy(person.match.position).adjust({value.action.name: value.action.value})
    assert offered["stage"] == ["reconnaissance", "assessment", "engagement"]
    assert offered["active"] == ["A", "B"]
    assert offered["A.fighter"] == ["fokker", "camel", "albatros", "spad"]
    assert offered["A.pilot_side"] == ["A", "B"]


def test_a_whole_deck_is_counted_down_and_up(person: Any) -> None:
    """Fewer and more lie behind the same two keys, which rest where there is no further."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    state = person.touch(a.ChooseQuantity("Player A", "A.deck"))
    less = state.frame.bottom.keys[1]
    while less.action is not None:
        state = person.touch(less.action)
        less = state.frame.bottom.keys[1]
    assert (less.label, state.values[0].label) == ("Less", "0")
    state = person.touch(state.frame.bottom.keys[2].action)
    assert [key.label for key in state.values] == ["5", "6", "7", "8", "9", "10"]
    while state.frame.bottom.keys[2].action is not None:
        state = person.touch(state.frame.bottom.keys[2].action)
    assert state.values[-1].label == "20"


def test_a_plane_is_put_where_the_table_has_it(person: Any) -> None:
    """Space on the map, heading, back to the columns; a reason, then held."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    state = person.touch(a.ChooseQuantity("Player A"))
    state = person.touch(keys_of(state)["Place"].action)
    assert person.is_at(FigureState)
    assert (state.label, state.text) == ("Player A: place", "0,-1 N")
    seen = {space.space for space in state.spaces.spaces}
    while state.spaces.page < state.spaces.pages:
        state = person.touch(state.frame.bottom.keys[2].action)
        seen |= {space.space for space in state.spaces.spaces}
    assert len(seen) == len(person.match.rulebook.plan.spaces)
    space = next(space for space in state.spaces.spaces if space.space == "2,1")
    state = person.touch(space.action)
    assert state.text == "2,1 N"
    state = person.go_on()
    turned = next(k.key for group in state.groups for k in group.keys if k.key.label == "SE")
    assert person.touch(turned.action).text == "2,1 SE"
    state = person.go_on()
    assert [line.value for line in state.changes] == ["2,1 SE, was 0,-1 N"]
    assert state.sums[0].mark is Mark.OK
    state = person.touch(a.SetReason("knocked over"))
    person.go_on()
    assert person.match.position.players["A"].plane.name() == "2,1 SE"


def test_two_planes_on_one_space_are_refused_before_they_are_held(person: Any) -> None:
    """The columns say whose space it is; nothing is changed."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    person.touch(a.SetAdjust("A.place", "0,0 S"))
    state = person.touch(a.SetReason("arbiter"))
    assert "one Fighter a space" in state.sums[0].name
    assert state.frame.bottom.next.action is None


def test_a_plane_off_the_board_can_be_put_back(person: Any) -> None:
    """No heading is asked of one that stands nowhere; a touch on the map puts it there."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    person.touch(a.SetAdjust("A.place", ""))
    state = person.touch(a.Show(a.Panel.ADJUST, "A.place/heading"))
    assert state.text == "off the board"
    assert [k.key.label for group in state.groups for k in group.keys] == ["Off the board"]
    state = person.touch(state.frame.bottom.keys[0].action)
    space = next(space for space in state.spaces.spaces if space.space == "0,-2")
    assert person.touch(space.action).text == "0,-2 N"
