"""Every mode and size of table of Jaws & Paws on the screens: whole matches of bots, key by key."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from companion.core.ruling import Seat
from companion.games.jaws_and_paws.table import PhysicalTable
from companion.match.rulebook import Setup
from ui.scene.deeds import hands_do
from ui.scene.words import Names
from ui.screens.beside.new_match import NewMatchState, present_new_match
from ui.screens.match.choose import ChooseState
from ui.screens.match.counts import CountsState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.result import ResultState
from ui.screens.match.round import RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.spoken import spoken
from ui.touch import actions as a
from ui.touch.acting import act, choose, setup_of
from ui.touch.actions import Panel
from ui.touch.view import SetupDraft, View

MODES = [
    ("night", {}),
    ("two-players", {}),
    ("night two-players", {"timer_s": 10}),
    ("three-players", {}),
    ("night three-players", {"lock_asks": "players", "crews": "1 2"}),
    ("five-players", {"solo_face_up_5plus": "one"}),
    ("night five-players", {"crews": "2 2 2 2 2 2"}),
]
QUESTIONS = {RoundState, ResultState, ReadyState, ChooseState, CountsState}
"""Screens that every match comes by."""


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("variants", "options"), MODES)
def test_a_whole_match_has_a_screen_for_every_moment(
    person: Any, bots: Callable[[int], Any], variants: str, options: dict[str, Any]
) -> None:
    """Played to its end on what is shown; nothing the bots answer is refused."""
    setup = Setup("jaws-and-paws", tuple(variants.split()), {}, options)

    def begin() -> None:
        person.table.new_match(setup)
        person.view = act(a.Checked(), person.table, View())

    person.begin = begin
    playing = bots(3)
    playing.cards = PhysicalTable(setup, Random(3))
    seen = {type(state) for state in playing.play(most=6000)}
    assert seen >= QUESTIONS
    assert person.match.outcome is not None


def at_lock(person: Any, variants: tuple[str, ...], options: dict[str, Any]) -> LockState:
    """The lock of a first round."""
    person.table.new_match(Setup("jaws-and-paws", variants, {}, options))
    person.view = act(a.Checked(), person.table, View())
    person.answer("toss", "Jaws")
    person.answer("sun", "Jaws.GL")
    person.read_rulings()
    person.answer("placed", "placed")
    for key in list(person.match.open):
        person.answer(key, "ready")
    person.wait(20.0)
    person.go_on()
    state = person.state
    assert isinstance(state, LockState)
    return state


def test_a_lock_of_three_teams_comes_in_pages(person: Any) -> None:
    """Two teams a page, as their tracks lie; the next tap takes all."""
    state = at_lock(person, ("five-players",), {})
    assert (state.page, state.pages, len(state.teams)) == (1, 2, 2)
    later = person.touch(a.TurnPage(1))
    shown = [team.side.name for team in (*state.teams, *later.teams)]
    assert sorted(shown) == ["Jaws", "Jaws2", "Paws"]


def test_two_teams_need_no_pages(person: Any) -> None:
    """As ever."""
    state = at_lock(person, ("night",), {})
    assert (state.page, state.pages, len(state.teams)) == (1, 1, 2)


def test_six_words_have_a_key_each_and_no_map(person: Any) -> None:
    """The keys have the room: what is pressed must look so from two metres."""
    person.table.new_match(Setup("jaws-and-paws", ("five-players",), {}, {"crews": "222222"}))
    person.view = act(a.Checked(), person.table, View())
    person.answer("toss", "Jaws")
    person.answer("sun", "Jaws.GL")
    person.read_rulings()
    state = person.answer("placed", "placed")
    assert isinstance(state, ReadyState)
    assert state.map is None
    assert len({row.key.label for row in state.rows}) == 6


def test_a_solo_player_is_named_once(person: Any) -> None:
    """Both hands go by that name; the result sheet tells them apart by role."""
    setup = Setup("jaws-and-paws", ("three-players",), {Seat("JP"): "Ana", Seat("PP"): "Cleo"})
    person.table.new_match(setup)
    names = Names.of(person.match.rulebook, setup.seats)
    assert [names.player(Seat(seat)) for seat in ("JP", "JG", "PP", "PG")] == [
        "Ana", "Jaws Gunner", "Cleo", "Cleo",
    ]  # fmt: skip
    assert [names.role(Seat(seat)) for seat in ("PP", "PG")] == ["Pilot", "Gunner"]


def chosen(person: Any, *choices: tuple[str, Any]) -> tuple[SetupDraft, NewMatchState]:
    """A draft with choices made, and the screen's seats."""
    draft = SetupDraft(box="jaws-and-paws")
    for name, value in choices:
        draft = choose(draft, name, value)
    view = replace(View(), setup=draft).opened(Panel.NEW_MATCH)
    return draft, present_new_match(person.table.situation(), view)


@pytest.mark.parametrize(
    ("variants", "crews", "fields"),
    [
        ("day", "", ["Jaws Pilot", "Jaws Gunner", "Paws Pilot", "Paws Gunner"]),
        ("two-players", "", ["Jaws", "Paws"]),
        ("three-players", "", ["Jaws Pilot", "Jaws Gunner", "Paws"]),
        ("night three-players", "1 2", ["Jaws", "Paws Pilot", "Paws Gunner"]),
        ("five-players", "2 1 1 1", ["Jaws Pilot", "Jaws Gunner", "Paws", "Jaws2", "Paws2"]),
    ],
)
def test_a_new_match_asks_each_person_once(
    person: Any, variants: str, crews: str, fields: list[str]
) -> None:
    """Players by their seats, solo players by their teams; and shows the boards they play on."""
    sizes = [("option.crews", crews)] if crews else []
    draft, state = chosen(person, ("variants", variants), *sizes)
    assert [field.label for field in state.seats] == fields
    assert state.map is not None
    boards = {board.side.name for board in state.map.boards}
    assert len(boards) == len(dict.fromkeys(field.split()[0] for field in fields))
    named = choose(draft, f"seat.{state.seats[-1].seat}", "Zoe")
    assert list(setup_of(named).seats.values()) == ["Zoe"]


def test_night_is_offered_with_any_number_of_players(person: Any) -> None:
    """And two sizes of table are not."""
    draft = choose(SetupDraft(box="jaws-and-paws"), "variants", "three-players")
    view = replace(View(), setup=draft).opened(Panel.NEW_MATCH, "GAME")
    rows = {row.title: row for row in present_new_match(person.table.situation(), view).rows}
    assert [key.label for key in rows["And with it"].values] == ["Nothing", "Night"]


@pytest.mark.slow
def test_a_code_holds_no_more_than_it_can(person: Any, bots: Callable[[int], Any]) -> None:
    """Twelve players are too many for a code: then the winners alone are named."""
    from ui.sharing.logbook import LONGEST

    people = {Seat(f"{team}{role}{box}"): f"Bartholomäus {team}{role}{box}"
              for team in "JP" for role in "PG" for box in ("", "2", "3")}  # fmt: skip
    setup = Setup("jaws-and-paws", ("five-players",), people, {"crews": "222222"})

    def begin() -> None:
        person.table.new_match(setup)
        person.view = act(a.Checked(), person.table, View())

    person.begin = begin
    playing = bots(5)
    playing.cards = PhysicalTable(setup, Random(5))
    *_, result = playing.play(most=6000)
    assert 0 < len(result.code) <= LONGEST
    won = person.match.outcome.winners[0]
    assert result.code.count("winner") == 2
    assert f"%20{won[0]}P" in result.code
    assert len(result.rows) * result.pages == len(people)


def test_five_players_can_be_adjusted_in_whole_words(person: Any, make_sheet: Any) -> None:
    """Planes are their team's, both hands of a solo player are told apart, and nothing is cut."""
    from ui.scene.theme import Theme
    from ui.screens.registry import parts_of, screen_of

    seats = ("JP", "JG", "PP", "PG", "JP2")
    players = {Seat(seat): f"Cleo {n}" for n, seat in enumerate(seats)}
    person.table.new_match(Setup("jaws-and-paws", ("five-players",), players, {}))
    person.view = act(a.Checked(), person.table, View())
    sheet, theme = make_sheet(Theme()), Theme()
    state = person.touch(a.Show(Panel.ADJUST))
    owners = [row.owner for row in state.rows]
    for _ in range(state.page, state.pages):
        state = person.touch(a.TurnPage(1))
        sheet.show(screen_of(state), parts_of(state, theme))
        assert not [text.text for _, text in sheet.written() if text.cut]
        owners += [row.owner for row in state.rows]
    assert {"Cleo 4 Pilot", "Cleo 4 Gunner", "Jaws2"} <= {key.label for key in owners}
    for owner in owners:
        state = person.touch(owner.action)
        labels = [key.second for row in state.rows for key in row.keys]
        assert len({*labels}) == len(labels)
        sheet.show(screen_of(state), parts_of(state, theme))
        assert not [text.text for _, text in sheet.written() if text.cut]


def test_jp_18_3_the_solo_players_card_is_turned_up_by_hands(person: Any) -> None:
    """Whose, what to do and on which section; a voice says so, too, and Done says it is done."""
    person.table.new_match(Setup("jaws-and-paws", ("three-players",)))
    person.view = act(a.Checked(), person.table, View())
    person.answer("toss", "Jaws")
    person.answer("sun", "Jaws.GL")
    person.answer("placed", "placed")
    for team in ("jaws", "paws"):
        person.answer(f"ready/{team}", "ready")
    person.wait(20.0)
    person.go_on()
    (solo,) = person.match.rulebook.position.lineup.solos
    person.answer(f"lock/{solo.lower()}/3", {"pilot": 1, "gunner": 0})
    state = person.answer("checked", "checked")
    assert state.band.lines == (solo, "turn up card 3")
    assert spoken(state) == f"{solo}. turn up card 3"
    assert hands_do(person.match.rulings[-1])
    assert not isinstance(person.go_on(), RulingState)
