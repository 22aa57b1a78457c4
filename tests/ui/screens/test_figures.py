"""Holding assumed figures against the box: looked through, put right on screens, then confirmed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games import RULEBOOKS, find_rulebook
from companion.games.dogfight_1917.figures import ASSUMED
from ui.demo.driver import actions_on
from ui.scene.values import KeyLook
from ui.screens.beside.figures import FiguresState, FigureState
from ui.screens.beside.naming import NamingState
from ui.screens.match.ruling import RulingState
from ui.touch import actions as a

BOX = "dogfight-1917"


@pytest.fixture
def looked(person: Any) -> Any:
    """Somebody before the first match of the box, at the list of its figures."""
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", BOX))
    person.touch(person.state.frame.bottom.next.action)
    assert isinstance(person.state, FiguresState)
    return person


def figure(person: Any, name: str) -> Any:
    """What holds now."""
    part, _, key = name.partition(".")
    return person.table.figures_of(BOX)[part][key]


def opened(person: Any, name: str) -> FigureState:
    """The figure's own screen."""
    state: FigureState = person.touch(a.Show(a.Panel.FIGURES, name))
    assert isinstance(state, FigureState)
    return state


def test_all_pages_are_seen_before_anything_is_confirmed(looked: Any) -> None:
    """The next tap turns pages; only on the last of them does it confirm."""
    labels: list[str] = []
    while not isinstance(looked.state.frame.bottom.next.action, a.ConfirmFigures):
        labels += [row.label for row in looked.state.rows]
        assert looked.state.frame.bottom.next.action == a.TurnPage(1)
        looked.go_on()
    labels += [row.label for row in looked.state.rows]
    assert labels == [label for label, _ in ASSUMED.values()]
    looked.go_on()
    assert looked.table.figures_of(BOX)["confirmed"] is True


def test_a_row_stays_where_it_is_when_it_is_put_right(looked: Any) -> None:
    """A changed figure counts as looked at, and does not run from under the finger."""
    before = [row.label for row in looked.state.rows]
    key = looked.state.rows[3].keys[1]
    state = looked.touch(key.action)
    assert [row.label for row in state.rows] == before
    assert (state.rows[3].text, state.rows[3].mark) == ("5", "ok")


@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_figure_is_put_right_on_the_screen(person: Any, box: str) -> None:
    """By less and more, by keys, spaces and numbers on screens of their own, or the keyboard."""
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", box))
    state = person.touch(a.Show(a.Panel.FIGURES))
    listed = find_rulebook(box).figures
    wanted = [one.label for one in listed.listed({})] if listed is not None else []
    seen = dict[str, int]()
    for _ in range(state.pages):
        seen |= {row.label: len(row.keys) for row in person.state.rows}
        person.touch(a.TurnPage(1))
    assert list(seen) == wanted
    assert 0 not in seen.values(), seen


def test_the_edge_of_hex_ships_is_lit_touched_and_put_back(person: Any) -> None:
    """A word that stands for spaces shows them; one touch takes one out, the key the word again."""
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", "dogfight-hex"))
    state = opened(person, "map.start_spaces")
    edge = state.frame.bottom.keys[1]
    assert (state.text, edge.label, edge.look) == ("Edge", "Edge", KeyLook.CHOSEN)
    assert state.spaces is not None
    lit = [space for space in state.spaces.spaces if space.chosen]
    assert len(lit) == 30
    state = person.touch(lit[0].action)
    assert state.text == "29 spaces"
    assert state.frame.bottom.keys[1].look is KeyLook.PLAIN
    assert person.touch(edge.action).text == "Edge"
    state = opened(person, "map.orientation")
    keys = [placed.key for group in state.groups for placed in group.keys]
    assert [key.label for key in keys] == ["A corner on top", "A side on top"]
    assert person.touch(keys[1].action).text == "A side on top"
    assert person.table.figures_of("dogfight-hex")["map"] == {
        "orientation": "flat",
        "start_spaces": "edge",
    }


def test_a_name_is_typed(looked: Any) -> None:
    """The keyboard begins with what holds; what is taken is judged like any figure."""
    label = "Albatros, name of the second attack"
    while label not in [row.label for row in looked.state.rows]:
        looked.go_on()
    (key,) = next(row.keys for row in looked.state.rows if row.label == label)
    assert isinstance(key.action, a.EditName)
    typed = NamingState(key.action, key.action.player).after(a.EraseLetter())
    looked.touch(typed.taken)
    assert figure(looked, "albatros_second_attack.name") == "Second Gun"
    state = looked.touch(a.SetFigure("albatros_second_attack.name", "Basic Attack"))
    assert "another action already" in state.frame.refusal.text


@pytest.mark.parametrize("side", ["near", "right"])
def test_tactical_positions_are_touched_on_the_map(looked: Any, side: str) -> None:
    """One touch takes a space in, another takes it out; every space of the board is there."""
    looked.table.set_setting("screen_side", side)
    state = opened(looked, "board.one_token")
    assert state.spaces is not None
    spaces = {space.space: space for space in state.spaces.spaces}
    assert len(spaces) == 61
    assert {name for name, space in spaces.items() if space.chosen} == {
        "0,-3", "3,-3", "3,0", "0,3", "-3,3", "-3,0",
    }  # fmt: skip
    looked.touch(spaces["1,1"].action)
    assert [1, 1] in figure(looked, "board.one_token")
    assert len(figure(looked, "board.one_token")) == 7
    again = opened(looked, "board.one_token").spaces
    assert again is not None
    looked.touch(next(space.action for space in again.spaces if space.space == "0,-1"))
    assert len(figure(looked, "board.one_token")) == 8
    again = looked.state.spaces
    looked.touch(next(space.action for space in again.spaces if space.space == "0,-1"))
    assert [0, -1] not in figure(looked, "board.one_token")


def test_a_smaller_board_needs_its_positions_moved_first(looked: Any) -> None:
    """DF-2.8: what lies outside is refused by name; once it is gone the board may shrink."""
    smaller = a.SetFigure("board.radius", 3)
    state = looked.touch(smaller)
    assert state.frame.refusal is not None
    assert "one space is not on the board" in state.frame.refusal.text
    assert "2,-4" not in state.frame.refusal.text, "no board has coordinates in print"
    assert state.frame.refusal.code == "Tactical Positions worth 2 tokens"
    for q, r in ((2, -4), (4, -2), (2, 2), (-2, 4), (-4, 2), (-2, -2)):
        pad = opened(looked, "board.two_tokens").spaces
        assert pad is not None
        looked.touch(next(s.action for s in pad.spaces if s.space == f"{q},{r}"))
    looked.touch(smaller)
    assert looked.view.refusal is None
    assert figure(looked, "board.radius") == 3


def test_a_space_cannot_be_worth_both(looked: Any) -> None:
    """The refusal names it, the figure stays, and the keys stay where they are."""
    state = opened(looked, "board.two_tokens")
    assert state.spaces is not None
    before = looked.table.figures_of(BOX)
    touch = next(space.action for space in state.spaces.spaces if space.space == "0,-3")
    after = looked.touch(touch)
    assert after.frame.refusal is not None
    assert "one space is named twice" in after.frame.refusal.text
    assert after.frame.refusal.code == "Tactical Positions worth 2 tokens"
    assert after.spaces == state.spaces
    assert looked.table.figures_of(BOX) == before


def test_numbers_and_corners_have_keys(looked: Any) -> None:
    """A range by its two ends, tokens by seat, a corner by its heading."""
    state = opened(looked, "lewis_guns.range")
    more = [x for x in actions_on(state.groups) if isinstance(x, a.SetFigure)]
    assert [x.value for x in more] == [[0, 3], [2, 3], [1, 2], [1, 4]]
    looked.touch(more[-1])
    assert figure(looked, "lewis_guns.range") == [1, 4]
    refused = looked.touch(more[0])
    assert refused.frame.refusal is not None
    state = opened(looked, "team_map.A")
    (group,) = state.groups
    assert [pad.key.label for pad in group.keys] == ["N", "NE", "SE", "S", "SW", "NW"]
    looked.touch(group.keys[0].key.action)
    assert figure(looked, "team_map.A") == "N"
    assert isinstance(looked.go_on(), FiguresState)


def test_gear_whose_change_ends_early_is_told_at_the_check(person: Any, tmp_path: Path) -> None:
    """The catalogue's notices: how many there are, before the match that says them."""
    (tmp_path / "figures-starship-edition.toml").write_text(
        '[cards.CORE]\ntitle = "Core"\ntype = "EQUIP"\nform = "gear"\n'
        'effects = [{ op = "modify", stat = "attack", amount = 1 }]\n'
    )
    person.table.__init__(
        person.table.record, person.table.settings_file, clock=person.clock, signals=person.desk
    )
    person.touch(a.Show(a.Panel.NEW_MATCH))
    person.touch(a.SetupChoice("box", "starship-edition"))
    state = person.touch(person.state.frame.bottom.next.action)
    said = state.frame.bottom.message.first
    assert said == "1 card to look at: told as the match begins."
    person.touch(a.ConfirmFigures())
    person.touch(person.state.frame.bottom.next.action)
    said = [ruling.text for ruling in person.match.rulings]
    assert any(
        "Core (CORE) is equipped, but its change of attack lasts the turn" in one for one in said
    )


def test_figures_that_somebody_confirmed_are_told_to_nobody_once_more(looked: Any) -> None:
    """They stand in the log with their rule; the first screen asks the first thing."""
    looked.touch(a.ConfirmFigures())
    looked.touch(a.StartMatch())
    state = looked.touch(a.Checked())
    assert "figures of this table" in [ruling.headline for ruling in looked.match.rulings]
    assert not isinstance(state, RulingState)
