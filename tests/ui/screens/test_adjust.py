"""Adjust for boxes with headings: the arbiter can set what the box lets be set."""

from __future__ import annotations

from copy import deepcopy
from time import thread_time
from typing import Any

import pytest

from companion.games import RULEBOOKS
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.match.rulebook import Setup
from ui.screens.arbiter.adjust import AdjustState, ValueState
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

SOON_S = 0.04  # of the thread's own time
"""Far more than such a look takes, for machines that are busy; a deep copy of all is more."""


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
    state = person.touch(state.rows[0].owner.action)
    assert "Tokens" in [key.second for row in state.rows for key in row.keys]


def owners(person: Any) -> list[Any]:
    """The keys of all owners, page after page."""
    state = person.touch(a.Show(a.Panel.ADJUST))
    keys = [row.owner for row in state.rows]
    for _ in range(state.page, state.pages):
        keys += [row.owner for row in person.touch(a.TurnPage(1)).rows]
    return keys


def quantities(person: Any, owner: Any) -> list[Any]:
    """The keys of everything that may be set of an owner."""
    state = person.touch(owner.action)
    keys = [key for row in state.rows for key in row.keys]
    for _ in range(state.page, state.pages):
        keys += [key for row in person.touch(a.TurnPage(1)).rows for key in row.keys]
    return keys


def play_to_turn_1(person: Any) -> None:
    """Camel against Fokker, placed."""
    begin(person, "base")
    for key, raw in (("fighter/A", "camel"), ("fighter/B", "fokker"), ("placed", "placed")):
        question = person.match.open[f"set-up/{key}"]
        person.touch(a.Answer(question.key, question.opened, raw))


def test_each_value_offered_can_be_written(person: Any) -> None:
    """Words, seats, numbers and spaces alike: nothing is offered that the box does not take."""
    play_to_turn_1(person)
    offered: dict[str, list[Any]] = {}
    for owner in owners(person):
        for quantity in quantities(person, owner):
            state: ValueState = person.touch(quantity.action)
            actions = [one.key.action for group in state.groups for one in group.keys]
            spaces = state.spaces.spaces if state.spaces is not None else ()
            for set_to in (*actions, *(space.action for space in spaces)):
                if not isinstance(set_to, a.SetAdjust):
                    assert set_to is None
                    continue
                offered.setdefault(set_to.name, []).append(set_to.value)
                deepcopy(person.match.position).adjust({set_to.name: set_to.value})
    assert offered["stage"] == ["reconnaissance", "assessment", "engagement"]
    assert offered["active"] == ["A", "B"]
    assert offered["A.fighter"] == ["fokker", "camel", "albatros", "spad"]
    assert offered["A.pilot_side"] == ["A", "B"]


def test_a_count_is_typed_and_what_is_typed_can_be_erased(person: Any) -> None:
    """Figure by figure, never stepped to; what leads beyond the most begins anew."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    state = person.touch(a.ChooseQuantity("Player A", "A.deck"))

    def figure(label: str) -> Any:
        return next(one.key for one in state.groups[0].keys if one.key.label == label)

    state = person.touch(figure("1").action)
    state = person.touch(figure("7").action)
    assert (state.now, dict(person.view.adjusting)) == ("17", {"A.deck": 17})
    state = person.touch(figure("5").action)
    assert state.now == "5", "no deck has 175 cards"
    state = person.touch(figure("").action)
    assert (state.now, person.view.adjusting) == ("", ())
    assert figure("").action is None
    assert state.frame.bottom.next.second == "nothing is set yet"


def test_a_plane_is_put_where_the_table_has_it(person: Any) -> None:
    """Space on the map, heading, a reason, then held: hands are told to move it."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    state = person.touch(a.ChooseQuantity("Player A", "A.place"))
    assert state.label == "Player A: place"
    assert len(state.spaces.spaces) == len(person.match.rulebook.plan.spaces)
    state = person.touch(next(one for one in state.spaces.spaces if one.space == "2,1").action)
    assert person.view.adjusting == (("A.place", "2,1 N"),)
    assert [one.space for one in state.spaces.spaces if one.chosen] == ["2,1"]
    turned = next(k.key for group in state.groups for k in group.keys if k.key.label == "SE")
    state = person.touch(turned.action)
    assert state.frame.bottom.next.second == "choose a reason first"
    assert "told to put it there" in state.effect
    state = person.touch(a.SetReason("recount"))
    assert "nobody moves anything" in state.effect
    person.touch(a.SetReason("knocked over"))
    person.go_on()
    assert person.match.position.players["A"].plane.name() == "2,1 SE"


def test_two_planes_on_one_space_are_refused_before_they_are_held(person: Any) -> None:
    """It says whose space it is; nothing is changed."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    person.touch(a.ChooseQuantity("Player A", "A.place"))
    person.touch(a.SetAdjust("A.place", "0,0 S"))
    state = person.touch(a.SetReason("arbiter"))
    assert "one Fighter a space" in state.fault.name
    assert state.frame.bottom.next.action is None


def test_a_plane_off_the_board_can_be_put_back(person: Any) -> None:
    """No heading is asked of one that stands nowhere; a touch on the map puts it there."""
    play_to_turn_1(person)
    person.touch(a.Show(a.Panel.ADJUST))
    person.touch(a.ChooseQuantity("Player A", "A.place"))
    state = person.touch(a.SetAdjust("A.place", ""))
    assert [k.key.label for group in state.groups for k in group.keys] == ["Off board"]
    space = next(space for space in state.spaces.spaces if space.space == "0,-2")
    person.touch(space.action)
    assert dict(person.view.adjusting)["A.place"] == "0,-2 N"


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", RULEBOOKS)
def test_a_standing_adjust_costs_nothing_to_look_at(person: Any, box: str) -> None:
    """A screen asks ten times a second: what was tried once is not tried again."""
    person.table.new_match(Setup(box))
    person.view = act(a.Checked(), person.table, View())
    person.touch(a.Show(a.Panel.ADJUST))
    quantity = person.state.rows[0].keys[0].action
    for action in (None, quantity):
        if action is not None:
            person.touch(action)
        person.state  # noqa: B018 - looked at once
        tried = len(person.table.situation().history._found)
        started = thread_time()
        for _ in range(20):
            person.state  # noqa: B018
        assert (thread_time() - started) / 20 < SOON_S
        assert len(person.table.situation().history._found) == tried


def test_what_is_nowhere_is_not_called_nothing(person: Any) -> None:
    """In set-up a place is "Not on the board", what names a person "Nobody", a word "None"."""
    person.table.new_match(Setup("dogfight-hex"))
    person.view = act(a.Checked(), person.table, View())
    said = {key.label for owner in owners(person) for key in quantities(person, owner)}
    assert {"Not on the board", "Nobody"} <= said
    assert not said & {"Nothing", "map", ""}
