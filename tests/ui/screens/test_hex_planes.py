"""Planes of Battle Royale on the hex board's screen, from when they are chosen."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.board import NO_LOOK, Look
from companion.core.ruling import Json, Seat
from companion.match.rulebook import Setup
from ui.scene.theme import Theme
from ui.scene.values import Side
from ui.screens.match.field import FieldState
from ui.screens.match.field_panels import FighterPanel, PanelCount, StripPart
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from ui.widgets.box import Box


def test_df_9_9_tokens_to_be_taken_are_told_with_the_space_that_is_asked_for(person: Any) -> None:
    """Nobody puts "+1 token" away: it stands between the keys, before how to answer."""
    duel: dict[str, Json] = {
        "box": "dogfight-1917", "turn": 7, "phase": "engagement", "active": "A",
        "players": {
            seat: {"fighter": fighter, "pilot": pilot, "tokens": 0, "place": place, "deck": 9,
                   "hand": 6, "discard": 3, "damage": 2}
            for seat, fighter, pilot, place in (
                ("A", "albatros", "loewenhardt", "0,1 N"), ("B", "fokker", "richthofen", "0,-2 N"))
        },
    }  # fmt: skip
    players = {Seat("A"): "Ana", Seat("B"): "Ben"}
    setup = Setup("dogfight-1917", ("base",), players, position=duel)
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    person.read_rulings()
    (asked,) = person.match.open.values()
    basic = next(one.name for one in asked.options_now() if "basic maneuver" in one.label.lower())
    raws: tuple[Json, ...] = (basic, "0,-1 NW", [6])
    for raw in raws:
        (asked,) = person.match.open.values()
        person.touch(a.Answer(asked.key, asked.opened, raw))
    message = person.state.frame.bottom.message
    took = "Ana takes 1 token: the die shows 6."
    assert (message.first, message.second) == (took, "Which way does it look?")
    (asked,) = person.match.open.values()
    stay = person.touch(a.Answer(asked.key, asked.opened, asked.lapse))
    came = "Ana's card goes to the Discard Pile"
    assert stay.band.note == f"{came}. What do you do? The Maneuver is done."


def test_a_plane_off_the_board_is_said_to_be(person: Any) -> None:
    """Before the planes are placed none is on the board; nobody is said to have crashed."""
    setup = Setup("dogfight-1917", ("battle-royale",), {Seat(s): s * 3 for s in "ABC"},
                  {"players": 3})  # fmt: skip
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    question = next(iter(person.match.open.values()))
    person.touch(a.Answer(question.key, question.opened, "spad"))
    first, *others = person.read_rulings().panels
    assert (first.fighter, first.down) == ("SPAD S.XIII", "Off the board")
    assert [panel.down for panel in others] == ["", ""]


def test_a_plane_has_its_players_colour_from_when_it_is_chosen(person: Any) -> None:
    """Corners of Battle Royale: each plane in the colour of whoever places it."""
    setup = Setup("dogfight-1917", ("battle-royale",), {Seat(s): s * 3 for s in "ABC"},
                  {"players": 3})  # fmt: skip
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    drawn: list[int | None] = []
    while len(drawn) < 3:
        question = next(iter(person.match.open.values()))
        shown = person.state if isinstance(person.state, FieldState) else None
        if shown is not None and shown.poses is not None:
            drawn.append(shown.poses.drawn.colour)
            assert all(piece.tint.colour is not None for piece in shown.map.pieces)
        option = question.options_now()[0].name if question.options_now() else question.word
        person.touch(a.Answer(question.key, question.opened, option))
        person.read_rulings()
    assert drawn == [0, 1, 2]


@pytest.mark.parametrize("wide", [150.0, 186.0, 216.0, 300.0])
@pytest.mark.parametrize("tokens", [0, 5, 12])
def test_tokens_lie_over_no_count_of_a_strip(make_sheet: Any, wide: float, tokens: int) -> None:
    """Where a line has no room for all, the last counts are left out."""
    counts = (PanelCount("Deck", 14), PanelCount("Hand", 4), PanelCount("Damage", 10, "Dmg"))
    side = Side("Ana", Look(letter="A"))
    panel = FighterPanel(side, NO_LOOK, "Fokker Dr.I", counts=counts, tokens=tokens)
    sheet = make_sheet(Theme(size_px=(800, 480)))
    sheet.show("Field", {"strip": StripPart(box=Box(10, 60, wide, 20), panel=panel)})
    *_, figure, told = [text for _, text in sheet.written()]
    assert (figure.text, figure.cut, told.cut) == (str(tokens), False, False)
    assert told.text.startswith("Deck 14")
    assert told.ink.right <= figure.ink.x - 17, "the lozenge is between them"
    assert ("Dmg 10" in told.text) is (wide == 300)


def test_of_people_of_whom_one_is_named_none_leads_on_more_than_another(person: Any) -> None:
    """Whoever begins where nobody says so stands among the others."""
    person.table.new_match(Setup("dogfight-hex"))
    person.view = act(a.Checked(), person.table, View())
    while not any(key.endswith("first") for key in person.match.open):
        (asked,) = person.match.open.values()
        person.touch(a.Answer(asked.key, asked.opened, asked.options_now()[0].name))
        if not isinstance(person.state, FieldState):
            assert person.state.band.lines[-1].startswith("place Wreckage")
            person.read_rulings()
    state = person.state
    assert state.frame.bottom.next is None
    assert state.menu is not None
    named = [cell.key.label for group in state.menu for cell in group.keys]
    assert named[:4] == ["Player A", "Player B", "Player C", "Player D"]
