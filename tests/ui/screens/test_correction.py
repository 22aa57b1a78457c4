"""After an undo, an amend or an adjustment: what hands are to do at the table, until Done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.ruling import TABLE, Seat, SetTo
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, playing
from tests.ui.screens.conftest import DUEL, DUELLISTS
from ui.samples.live import Evening, MatchByTouch
from ui.scene.deeds import task_in_words
from ui.scene.scene import Scene
from ui.scene.theme import Light, Theme
from ui.scene.values import Band, Message
from ui.screens.arbiter.put_right import PutRightState
from ui.screens.beside.home import HomeState
from ui.screens.match.lock import LockState
from ui.screens.match.result import ResultState
from ui.screens.match.round import RoundState
from ui.screens.match.ruling import RulingState
from ui.screens.registry import parts_of, present, screen_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from ui.widgets.box import Box
from ui.widgets.field_keys import said_band
from ui.widgets.key import BandPart

CARDS = {"jaws/1": "pilot", "paws/1": "gunner"}


def _seq(person: Any, part: str) -> int:
    """The log line of the last answer to a question whose key ends so."""
    return max(int(step.seq) for step in person.match.steps if step.key.endswith(part))


def _shot(person: Any, aim: str = "SH PC") -> int:
    """A shot of the Jaws Pilot that was ruled and done, the tracks cleared, too; its log line."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", aim)
    person.answer("reveal/paws", "SH GR")
    person.read_rulings()
    person.do(a.Done(len(person.match.rulings)))
    return _seq(person, "reveal/jaws")


def _amend(person: Any, seq: int, raw: str) -> Any:
    return person.touch(a.Amend(seq, raw, "card misread"))


def test_a_hit_amended_to_a_miss_sends_the_cards_back(person: Any) -> None:
    """The record gives the cards back at once; only hands can do it at the table."""
    seq = _shot(person)
    scraps = {seat: person.match.position.piles[seat]["scrap"] for seat in ("PP", "PG")}
    hurt = next(seat for seat, count in scraps.items() if count)
    deck, count = person.match.position.piles[hurt]["deck"], scraps[hurt]
    state = _amend(person, seq, "SH PL")
    assert isinstance(state, RulingState)
    who, person_there = {"PP": ("Paws Pilot", "Cleo"), "PG": ("Paws Gunner", "Dan")}[hurt]
    assert state.band.lines == (f"{who} {person_there}", f"{count} cards: scrap to deck")
    message = state.frame.bottom.message
    assert message.first == f"{who}: deck {deck}, then {deck + count}"
    assert message.second == f"{who}: scrap {count}, then 0"
    assert [line.struck for line in state.lines].count(True) >= 1
    correction = person.table.referee.hands.correction
    assert not set(correction.struck) & set(correction.brought)
    assert state.frame.bottom.next is not None
    assert state.frame.bottom.next.label == "Done"


def test_a_correction_stays_until_done_and_shows_no_old_deed(person: Any) -> None:
    """Time alone does not take it away, and after Done the match goes on where it was."""
    seq = _shot(person)
    _amend(person, seq, "SH PL")
    assert person.wait(60.0).frame.top.title == "CORRECTED"
    assert not isinstance(person.go_on(), RulingState)


def test_a_second_tap_on_done_does_no_second_task(person: Any) -> None:
    """A bouncing finger cannot skip what the next task tells."""
    seq = _shot(person)
    state = _amend(person, seq, "MPL enemy")
    assert state.band.queue == "1 of 2"
    done = state.frame.bottom.next.action
    person.touch(done)
    assert person.touch(done).band.queue == "2 of 2"
    assert not isinstance(person.go_on(), RulingState)


def test_an_undo_names_the_way_back_of_a_plane(person: Any) -> None:
    """A plane that was moved by a ruling goes back to where it stood."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "MPL own")
    person.answer("reveal/paws", "SH GR")
    place = person.match.position.zones["jaws"]
    person.read_rulings()
    state = person.touch(a.Undo(_seq(person, "reveal/jaws")))
    stood = person.match.position.zones["jaws"]
    assert stood != place
    assert state.band.lines[-1].startswith("Jaws plane to ")
    was, now = (zone.replace(".", " ") for zone in (place, stood))
    assert state.frame.bottom.message.second == f"from {was}, now {now}"
    assert len(state.map.arrows) == 1


def test_what_hands_have_not_done_is_not_taken_back(person: Any) -> None:
    """An undo while its ruling still waits for Done leaves the table as it lies."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "MPL own")
    person.answer("reveal/paws", "SH GR")
    assert person.is_at(RulingState)
    assert not isinstance(person.touch(a.Undo(_seq(person, "reveal/jaws"))), RulingState)


def test_a_second_correction_takes_up_what_the_first_left(person: Any) -> None:
    """Amended and amended back before a hand moved: nothing is left to do."""
    seq = _shot(person)
    assert isinstance(_amend(person, seq, "SH PL"), RulingState)
    state = _amend(person, seq, "SH PC")
    assert state.band.lines == ("Nothing to move",)
    assert not isinstance(person.go_on(), RulingState)


@pytest.mark.usefixtures("window")
def test_a_piece_that_is_moved_has_its_map_however_long_the_words(person: Any) -> None:
    """A way of three parts takes three lines in the largest letters, and left the map no room."""
    person.table.new_match(Setup("dogfight-1917", ("base",), DUELLISTS, position=DUEL))
    person.view = act(a.Checked(), person.table, View())
    state = person.touch(a.Adjust((("A.place", "2,1 SE"),), "knocked over"))
    long = replace(state.band, lines=("Player A: 1 back right, 2 back, turn left",), queue="1 of 7")
    state = replace(state, band=long, lines=state.lines * 12)
    parts = dict(parts_of(state, Theme(Light.DAY, size_px=(800, 480))))
    assert "map/board" in parts


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
@pytest.mark.parametrize("many", [1, 12])
def test_a_move_in_many_words_has_a_map_as_high_as_the_body(
    person: Any, make_sheet: Any, judge: Any, many: int, size: tuple[int, int]
) -> None:
    """It once had what two rows of the deed left under them: a third of the body."""
    person.table.new_match(Setup("dogfight-1917", ("base",), DUELLISTS, position=DUEL))
    person.view = act(a.Checked(), person.table, View())
    state = person.touch(a.Adjust((("A.place", "2,1 SE"),), "knocked over"))
    long = replace(state.band, lines=("Albatros D.III: 2 back left, turn right",))
    state = replace(state, band=long, lines=state.lines * many)
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    assert state.frame.bottom.message == Message(), "the band says where it goes, once"
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    box = sheet.parts["map/board"].box
    assert min(box.wide, box.high) > 300
    large = [text.text for name, text in sheet.written() if name == "band" and text.caps_u >= 44]
    assert " ".join(large) == long.lines[0]
    assert list(judge.all(sheet)) == []


def test_an_adjusted_count_orders_no_card_to_be_carried(person: Any) -> None:
    """Deck and hand as somebody counted them: the record follows, and play goes on at once."""
    person.to_section(1, CARDS)
    piles = person.match.position.piles["JP"]
    changes = (("JP.deck", piles["deck"] + 1), ("JP.hand", piles["hand"] - 1))
    state = person.touch(a.Adjust(changes, "recount"))
    assert not isinstance(state, RulingState)
    assert person.table.referee.put_right is None
    assert person.match.position.piles["JP"]["deck"] == piles["deck"] + 1


def _restart(person: Any, player: str, **counts: int) -> Any:
    """Go on from where the match stands, but for some quantities of a player."""
    file = person.match.position_file()
    players = {**file["players"], player: {**file["players"][player], **counts}}
    table = person.table
    table.referee.restart({**file, "players": players}, "mixed up", person.clock())
    return person.wait(0.0)


def test_an_adjusted_place_is_told_as_a_move(person: Any) -> None:
    """The piece and where it is to stand."""
    person.to_section(1, CARDS)
    state = person.touch(a.Adjust((("jaws", "Paws.PL"),), "knocked over"))
    assert state.band.lines == ("Jaws plane to Paws PL",)


def test_a_recount_changes_the_record_and_orders_nobody(person: Any) -> None:
    """A plane and the Sun stand there already; nor does the undo send them back."""
    person.to_section(1, CARDS)
    stood = dict(person.match.position.placement())
    state = person.touch(a.Adjust((("jaws", "Paws.PL"), ("sun", "Paws.GR")), "recount"))
    assert not isinstance(state, RulingState)
    assert person.table.referee.hands.correction is None
    assert person.match.position.zones["jaws"] == "Paws.PL"
    seq = person.match.entries[-1].seq
    assert not isinstance(person.touch(a.Undo(seq)), RulingState)
    assert person.match.position.placement() == stood


def test_a_plane_that_was_only_found_elsewhere_turns_without_a_deed(person: Any, duel: Any) -> None:
    """Its heading is read off the table, too; told for another reason it is a move."""
    duel()
    state = person.touch(a.Adjust((("A.place", "0,1 S"), ("A.tokens", 5)), "recount"))
    assert not isinstance(state, RulingState)
    state = person.touch(a.Adjust((("A.place", "0,1 N"),), "told wrongly"))
    assert state.band.lines == ("Sopwith Camel: turn about",)


def test_a_match_that_is_resumed_shows_no_deed_of_long_ago(person: Any) -> None:
    """The last round's deeds were done: the match has gone on since."""
    person.to_lock()
    match_id = person.table.match_id
    person.touch(a.Leave())
    assert person.is_at(HomeState)
    person.touch(a.ResumeMatch(match_id))
    while isinstance(person.state, RoundState):
        person.go_on()
    assert person.is_at(LockState)
    state = person.touch(a.Close(("Paws",), "time is up"))
    assert isinstance(state, ResultState)
    assert state.frame.bottom.next is not None
    assert state.band.lines == ("PAWS WIN",)
    assert state.band.note == "The arbiter closed the match: time is up."
    assert (state.frame.bottom.next.label, state.frame.bottom.next.action) == ("Home", a.Leave())


def test_what_the_last_act_brought_is_shown_after_a_resume(person: Any) -> None:
    """Nobody may have seen it before the power went."""
    person.begin()
    person.answer("toss", "Jaws")
    person.answer("sun", "Jaws.GL")
    match_id = person.table.match_id
    person.touch(a.Leave())
    state = person.touch(a.ResumeMatch(match_id))
    assert state.deeds[0].lines == ("Jaws", "Sun to Jaws GL")


def test_a_ruling_begins_with_who_shot_and_what_it_did(person: Any) -> None:
    """Who first, then what: every line is short enough to be shown whole."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    person.answer("reveal/paws", "SH GR")
    lines = person.state.lines
    hit = next(line for line in lines if line.step)
    assert hit.first.startswith("Jaws Pilot Ana's Shoot PC hits")
    assert "scraps" in hit.first, "one ruling, one sentence"
    assert len({line.first for line in lines}) == len(lines) == len({id(x.why) for x in lines})


def test_counts_follow_one_another_from_task_to_task(person: Any, make_sheet: Any) -> None:
    """Two tasks take from one hand: on one page each says what lies there before and after it."""
    person.to_section(1, CARDS)
    deck, hand, scrap = (person.match.position.piles["JP"][p] for p in ("deck", "hand", "scrap"))
    state = _restart(person, "JP", deck=deck + 1, scrap=scrap + 2, hand=hand - 3)
    assert [band.lines for band in (state.band, *state.more)] == [
        ("Jaws Pilot Ana: 1 card: hand to deck",),
        ("Jaws Pilot Ana: 2 cards: hand to scrap",),
    ]
    assert [band.note for band in (state.band, *state.more)] == [
        f"deck {deck}, then {deck + 1} · hand {hand}, then {hand - 1}",
        f"scrap {scrap}, then {scrap + 2} · hand {hand - 1}, then {hand - 3}",
    ]
    assert state.band.queue == "1 to 2 of 2"
    sheet = make_sheet(Theme(Light.DAY))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    told = [text for _, text in sheet.written() if "Jaws Pilot Ana: " in text.text]
    assert len({text.room.high for text in told}) == 1, "a p in one of them takes no room of it"
    assert len({text.room.wide for text in told}) == 1, "nor does the place in the queue"
    assert any(text.text.endswith(" · 1 to 2 of 2") for _, text in sheet.written())
    assert not isinstance(person.go_on(), RulingState), "one touch: both are done"


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
def test_several_tasks_and_what_was_struck_are_whole_in_all_sizes(
    person: Any, make_sheet: Any, judge: Any, size: tuple[int, int]
) -> None:
    """Every page of tasks, and the sentences on pages of their own."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PL")
    sheet = make_sheet(Theme(Light.NIGHT, size_px=size))
    first = person.match.steps[0].seq
    state, pages = person.touch(a.Undo(first, "misread")), 0
    while isinstance(state, RulingState):
        for _ in range(4):
            sheet.show(screen_of(state), parts_of(state, sheet.theme))
            assert list(judge.all(sheet)) == []
            state = person.touch(a.TurnPage(1))
        state, pages = person.go_on(), pages + 1
    assert 0 < pages <= 4


def test_a_fighter_that_only_turned_is_told_with_its_heading(person: Any, duel: Any) -> None:
    """The space alone would say that nothing is to be done."""
    duel()
    state = person.touch(a.Adjust((("A.place", "0,1 S"),), "knocked over"))
    assert state.band.lines == ("Sopwith Camel: turn about",)
    assert "0,1" not in str(state.frame), "no board has coordinates in print"


def test_tokens_and_dice_are_told_as_what_they_must_show(person: Any, duel: Any) -> None:
    """What lies in no pile of its own is set to the number that holds."""
    duel()
    state = _restart(person, "A", tokens=5)
    assert state.band.lines == ("Ana", "Tokens 3, now 5")
    assert not isinstance(person.go_on(), RulingState)


def test_a_report_that_moves_cards_tells_hands(person: Any) -> None:
    """A card laid late goes back to the hand: the record says so, and so does the screen, once.

    By the section where it lies, which hands know better than the track that the record has.
    """
    person.to_lock()
    person.answer("lock/jaws/1", {"pilot": 1, "gunner": 0})
    person.answer("checked", "checked")
    person.read_rulings()
    fact = (("what", "late card"), ("player", "JP"), ("section", 1))
    state = person.touch(a.Report(fact))
    assert state.frame.top.title == "REPORT"
    assert state.band.lines == ("ANA:", "TAKE 1 BACK")
    assert state.way_out == "The lock is corrected."
    assert person.match.position.pile_counts()["JP", "hand"] == 4
    assert person.go_on().frame.top.title != "CORRECTED"


def test_lines_that_come_back_are_told_once_as_one_correction(person: Any) -> None:
    """Their cards go back where they lay; their rulings are not followed a second time."""
    person.to_section(1, CARDS)
    person.read_rulings()
    piles = dict(person.match.position.pile_counts())
    toss = _seq(person, "set-up/toss")
    raw = next(step.value for step in person.match.steps if step.seq == toss)
    state = _amend(person, toss, "Paws" if raw == "Jaws" else "Jaws")
    while state.frame.top.title == "CORRECTED":
        state = person.go_on()
    (sun,) = person.match.open.values()
    state = person.touch(a.Answer(sun.key, sun.opened, sun.options_now()[0].name))
    assert state.frame.top.title == "CORRECTED"
    told = []
    while state.frame.top.title == "CORRECTED":
        told.append(state.band.lines[-1])
        state = person.go_on()
    assert any("track" in line.lower() for line in told), told
    assert dict(person.match.position.pile_counts()) == piles
    assert not isinstance(state, RulingState)


# Ships whose cards lie before their players.


def _declared(person: Any) -> None:
    """Four ships, each with a card before its player, before the first moves."""
    person.table.new_match(Setup("dogfight-hex"))
    person.view = act(a.Checked(), person.table, View())
    bots, match = bots_of(person.match.setup, Random(2)), person.match
    list(takewhile(lambda asked: "move" not in asked.key, playing(match, bots)))
    person.do(a.Done(len(match.rulings)))


def test_a_card_before_its_player_is_called_so_and_its_counts_stand_clear_of_it(
    person: Any, make_sheet: Any
) -> None:
    """A "card" among cards says nothing; letters that reach down touch no word below them."""
    _declared(person)
    card = next(step.seq for step in person.match.steps if "declare" in step.key)
    state = person.touch(a.Undo(card, "misread"))
    assert state.band.lines[0].endswith(": 1 card: declared card to hand")
    assert state.band.note.endswith("declared card 1, then 0")
    sheet = make_sheet(Theme(Light.DAY))
    sheet.show(screen_of(state), parts_of(state, sheet.theme))
    first, note = (text for name, text in sheet.written() if name == "task/1")
    assert first.ink.bottom < note.ink.y


def test_counts_are_told_in_one_form_or_not_at_all(tmp_path: Path) -> None:
    """Cards before their players are counted in the hand until they are turned: "+1" says less."""
    playing = MatchByTouch(Evening("dogfight-hex"), tmp_path)
    declared = list[int]()
    for _ in playing.states():
        steps = playing.table.refereed().match.steps
        declared = [step.seq for step in steps if "declare" in step.key]
        if len(declared) == 4:
            break
    view = act(a.Undo(declared[-1], "misread"), playing.table, View())
    state = present(playing.table.situation(), view)
    assert isinstance(state, PutRightState)
    told = [(band.lines[0].partition(": ")[2], band.note) for band in (state.band, *state.more)]
    assert told == [("1 card: hand to declared card", "hand 5, then 4")] * 3
    playing.table.close()


def test_what_nobody_had_before_is_told_without_it(new_person: Any, tmp_path: Path) -> None:
    """The priority of Starship Edition once the lot is told anew: whose it is, by name."""
    person = new_person(tmp_path)
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    person.table.new_match(Setup("starship-edition", ("base",), seats, {"players": 2}))
    scene = Scene(person.table.situation(), View())
    told = [
        task_in_words(scene, SetTo(TABLE, "priority", "Priority", was, now))
        for was, now in (("", "A"), ("A", "B"), ("B", ""))
    ]
    assert told == ["Priority: Ana", "Priority Ana, now Bo", "Priority Bo, now none"]


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_a_number_stays_with_what_it_counts(
    make_sheet: Callable[..., Any], size: tuple[int, int]
) -> None:
    """However a band is broken: "Bo: 4" and "cards: hand to deck" is read twice."""
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    line, room = "Bo: 4 cards: hand to deck", Box(10, 120, 380, 120)
    note = "deck 29, then 33 · hand 9, then 5"
    part = BandPart(box=room, band=Band((line,), note=note), rebroken=True)
    sheet.show("band", {"band": part})
    (lines,) = ([text.text for _, text in sheet.written() if text.text != note],)
    assert len(lines) > 1
    assert not [one for one in lines[:-1] if one[-1].isdigit()]
    for line, wide in (("Fly 2 ahead, turn right", 300), ("Shuffle, draw 5", 460)):
        said = said_band(sheet.theme, Box(10, 120, wide, 200), Band((line,)))
        words = ["".join(text for text, *_ in row.texts) for row in said.rows]
        assert len(words) > 1
        assert not [one for one in words[:-1] if one[-1].isdigit()], words
        assert not [one for one in words if one.isdigit()], words
