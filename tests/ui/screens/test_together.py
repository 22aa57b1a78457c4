"""What one touch tells of several people: all of it counts or none, and one Undo takes it back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core.offers import Stamp
from companion.core.ruling import Seat, SetTo
from companion.games import RULEBOOKS
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from ui.scene.deeds import hands_do
from ui.scene.scene import Scene
from ui.scene.theme import Theme
from ui.scene.values import KeyLook
from ui.screens.match.cards import CardsState
from ui.screens.match.ready import ReadyState
from ui.screens.match.ruling import RulingState, done_by
from ui.screens.registry import parts_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View

STAMP = Stamp("Ada", "2026-11-23T10:00:00Z", 1.0)


def to_draws(person: Any) -> Any:
    """On to the draws of a round in which nobody laid a card."""
    person.to_lock()
    person.answer("checked", "checked")
    return person.answer("nobody", "nobody")


def told(person: Any) -> a.Answers:
    """Every hand at the draws tells of a discard, and the word for all."""
    match = person.match
    raws = {key: "drawn" if key.endswith("drawn") else 1 for key in match.open}
    return a.Answers(tuple(a.Answer(key, match.open[key].opened, raws[key]) for key in raws))


def test_the_companion_tosses_by_itself(person: Any) -> None:
    """Nobody types a number: one touch, two lines of the log, the team told; one Undo."""
    person.begin()
    question = person.match.open["set-up/toss"]
    state = person.touch(a.Answer(question.key, question.opened, "lot"))
    assert [step.key for step in person.match.steps] == ["set-up/toss", "set-up/number"]
    assert isinstance(state, RulingState)
    assert state.band.lines[-1].endswith("in the toss")
    assert "draws a lot from the number" in person.match.rulings[-1].text
    person.touch(a.AskUndo())
    target = Scene(person.table.situation(), person.view).undo_target
    assert target is not None
    assert target == person.match.steps[0].seq
    person.do(a.Undo(target))
    person.touch(a.NameArbiter("Ada"))
    assert {*person.match.open} == {"set-up/toss"}


def test_a_toss_at_the_table_is_one_answer(person: Any) -> None:
    person.begin()
    person.answer("toss", "Paws")
    assert [step.key for step in person.match.steps] == ["set-up/toss"]
    assert person.match.open["set-up/sun"].by == "Paws"


def test_ready_is_said_by_each_and_what_is_done_by_one_for_all(person: Any) -> None:
    """Shuffles have one key for everybody and a key each; a second touch is for who is left."""
    state = person.to_ready()
    assert state.frame.bottom.next.action is None
    to_shuffles(person)
    state = person.state
    assert state.band.lines == ("ALL: SHUFFLE",)
    assert [row.name for row in state.rows] == ["Ana", "Bo", "Cleo", "Dan"]
    state = person.touch(state.rows[1].key.action)
    assert [row.key.look for row in state.rows].count(KeyLook.CHOSEN) == 1
    key = state.frame.bottom.next
    assert (key.label, key.second) == ("All shuffled", "Ana, Cleo, Dan")
    state = person.touch(key.action)
    assert not any("shuffled" in key for key in person.match.open)


def test_a_ruling_stands_with_the_words_that_say_it_is_done(person: Any) -> None:
    """Hits are paid and tracks cleared on the READY screen: no Done, and the words put it away."""
    person.to_section(1, {"jaws/1": "pilot", "paws/1": "gunner"})
    person.answer("reveal/jaws", "SH PL")
    state = person.answer("reveal/paws", "SH GR")
    assert isinstance(state, ReadyState)
    deeds = state.deeds
    assert deeds[-1].lines == ("Clear both tracks",)
    state = person.touch(state.rows[0].key.action)
    assert state.deeds == deeds, "the others still have to"
    person.touch(state.rows[1].key.action)
    assert person.view.read == len(person.match.rulings)


def to_hit(person: Any) -> Any:
    """A section in which the Paws plane moves and is hit; the next one's cards are asked for."""
    laid = {"jaws/1": "pilot", "paws/1": "gunner", "jaws/2": "gunner", "paws/2": "gunner"}
    person.to_section(1, laid)
    person.answer("section-1/reveal/jaws", "SH PC")
    return person.answer("section-1/reveal/paws", "SH PC")


def test_a_card_turned_over_says_that_what_was_ruled_before_it_is_done(person: Any) -> None:
    """Deeds stand over the pad; Undo takes back the card alone, and they are not told again."""
    state = to_hit(person)
    assert isinstance(state, CardsState)
    deeds = state.deeds
    assert deeds
    assert state.asked == "JAWS: FLIP 2"
    ruled = len(person.match.rulings)
    assert done_by(person.match, person.view) < ruled, "nobody has said so yet"
    state = person.answer("section-2/reveal/jaws", "MPL own")
    assert isinstance(state, CardsState)
    assert state.deeds == ()
    assert done_by(person.match, person.view) == ruled
    person.touch(a.AskUndo())
    target = Scene(person.table.situation(), person.view).undo_target
    assert target is not None
    assert target == person.match.steps[-1].seq
    person.do(a.Undo(target))
    state = person.touch(a.NameArbiter("Ada"))
    assert "round-1/section-2/reveal/jaws" not in person.match.answered
    assert isinstance(state, CardsState)
    assert state.deeds == ()


def test_a_deed_opens_its_ruling_and_back_leads_to_the_cards(person: Any) -> None:
    """The map, the sentence and why are one touch away; what was asked waits."""
    state = to_hit(person)
    assert isinstance(state, CardsState)
    for at, deed in enumerate(state.deeds):
        ruling = person.touch(a.Show(a.Panel.RULED, str(at)))
        assert isinstance(ruling, RulingState)
        assert deed.lines[-1].casefold() in ruling.band.lines[-1].casefold()
        assert ruling.lines
        assert person.go_on().deeds == state.deeds


def test_a_ruling_that_may_be_objected_to_has_a_screen_of_its_own(person: Any) -> None:
    """With time to object, and with the screen turned to who is asked, Done is touched."""
    person.table.set_setting("reversal_s", 10)
    assert isinstance(to_hit(person), RulingState)
    person.table.set_setting("reversal_s", 0)
    assert person.is_at(CardsState)


def test_jp_17_3_a_discard_of_a_solo_player_says_of_which_hand(person: Any) -> None:
    players = {Seat("JP"): "Ana", Seat("PP"): "Cleo"}
    person.table.new_match(Setup("jaws-and-paws", ("day", "two-players"), players))
    person.view = act(a.Checked(), person.table, View())
    person.answer("toss", "Jaws")
    person.answer("sun", "Jaws.GL")
    person.read_rulings()
    person.answer("placed", "placed")
    for team in ("jaws", "paws"):
        person.answer(f"ready/{team}", "ready")
    person.wait(20.0)
    person.go_on()
    person.answer("checked", "checked")
    person.answer("nobody", "nobody")
    state = person.touch(person.state.rows[1].keys[2].action)
    assert state.frame.bottom.message.first == "Discard: Ana · Gunner 2"


def test_a_card_that_the_deck_cannot_make_good_is_warned_of_in_a_form(person: Any) -> None:
    """JP-E45: before the number counts, with a key to go on."""
    to_draws(person)
    seat = "JP"
    person.match.adjust({f"{seat}.deck": 1, f"{seat}.scrap": 25}, "", stamp=STAMP)
    row = person.state.rows[0]
    state = person.touch(row.keys[3].action)
    assert state.frame.refusal.code == "JP-E45"
    assert person.match.answered == {}
    person.touch(state.frame.refusal.key.action)
    assert person.match.answered == {"round-1/discard/JP": 3}


def test_what_needs_no_hands_is_told_with_what_is_asked_next(person: Any) -> None:
    """Draws, and shots that miss: between the keys, by name, with the way to their rules."""
    person.to_section(1, {"jaws/1": "pilot", "paws/1": "gunner", "jaws/2": "gunner"})
    person.answer("section-1/reveal/jaws", "SH PL")
    state = person.answer("section-1/reveal/paws", "SH GR")
    assert isinstance(state, CardsState)
    message = state.frame.bottom.message
    assert message.first == "Ana: Shoot PL misses; Dan: Shoot GR misses"
    assert "JP-14.1" in message.cite
    asking = person.touch(a.AskUndo())
    assert asking.frame.bottom.message.first.startswith("Back to before")
    question = person.match.open["round-1/section-2/reveal/jaws"]
    state = person.touch(a.Answer(question.key, question.opened, "SH GL"))
    assert "Shoot PL" not in state.frame.bottom.message.first, "once something else was answered"


def to_shuffles(person: Any) -> None:
    """On to four shuffles in the running match: nobody laid a card, everybody discards one."""
    for team in ("jaws", "paws"):
        person.answer(f"ready/{team}", "ready")
    person.wait(20.0)
    person.go_on()
    person.answer("checked", "checked")
    person.answer("nobody", "nobody")
    person.touch(told(person))


def test_undo_takes_back_what_one_touch_gave(person: Any) -> None:
    """The first touch on Undo says how many answers; what was told before stays told."""
    to_draws(person)
    asked = {*person.match.open}
    state = person.touch(told(person))
    assert {*person.match.open} != asked
    state = person.touch(a.AskUndo())
    assert state.frame.bottom.message.first.startswith("Back to before 5 answers: ")
    undo = state.frame.bottom.keys[0].action
    person.touch(undo)
    person.touch(a.NameArbiter("Ada"))
    assert {*person.match.open} == asked
    assert person.match.answered == {}
    assert len([line for line in person.match.entries if line.kind == "undo"]) == 1


def test_undo_takes_back_one_answer_where_something_came_after(person: Any) -> None:
    to_draws(person)
    person.touch(told(person))
    gone_on = next(iter(person.match.open.values()))
    person.touch(a.Answer(gone_on.key, gone_on.opened, gone_on.options_now()[0].name))
    scene = Scene(person.table.situation(), person.view)
    assert scene.undo_target == person.match.last_act


def test_a_touch_of_which_one_answer_is_refused_gives_none(person: Any) -> None:
    to_draws(person)
    lines = len(person.match.entries)
    answers = told(person).answers
    wrong = a.Answer(answers[2].key, answers[2].opened, 77)
    state = person.touch(a.Answers((*answers[:2], wrong, *answers[3:])))
    assert len(person.match.entries) == lines
    assert state.frame.refusal.text.startswith("Not taken: ")


def test_what_hands_did_with_the_word_they_put_back_after_an_undo(person: Any) -> None:
    """Draws are told when they are done: nobody waits for them, and an undo asks for them."""
    to_draws(person)
    ruled = len(person.match.rulings)
    person.touch(told(person))
    assert done_by(person.match, person.view) == ruled + 4, "the shuffles still wait"
    person.touch(a.AskUndo())
    target = Scene(person.table.situation(), person.view).undo_target
    assert target is not None
    person.touch(a.Undo(target))
    person.touch(a.NameArbiter("Ada"))
    correction = person.table.refereed().hands.correction
    assert correction is not None
    assert correction.tasks


def test_an_undo_names_the_end_of_a_long_place(person: Any, monkeypatch: Any) -> None:
    """All of it would be cut beside the keys."""
    person.to_section(1, {"jaws/1": "pilot", "paws/1": "gunner"})
    person.answer("section-1/reveal/jaws", "SH PL")
    long = "Tier 1 · B · First · Attack 1 · Response target a 1 · Card"
    monkeypatch.setattr(Scene, "line_in_words", lambda *_: long)
    message = person.touch(a.AskUndo()).frame.bottom.message.first
    assert message.startswith("Back to before Attack 1 · Response target a 1 · Card")


@pytest.mark.parametrize("box", RULEBOOKS)
def test_no_ruling_waits_for_hands_that_have_nothing_to_do(box: str) -> None:
    """Whoever touches Done has done something: of each answer's rulings that wait one has a deed.

    The result is told by a screen of its own, without Done.
    """
    for seed in range(4):
        setup, random = Setup(box), Random(seed)
        match = Match[Any].start(setup, STAMP)
        play_out(match, bots_of(setup, random))
        last = match.outcome.ruling if match.outcome is not None else None
        for _, key, rulings in match.ruled_by():
            waiting = [one for one in rulings if not one.quiet and one is not last]
            assert not waiting or any(hands_do(one) for one in waiting), (key, waiting)


def test_what_hands_do_with_tokens_of_hex_ships_is_a_deed() -> None:
    """Who takes the first-player token, in set-up and each turn; a token that is set aside."""
    setup = Setup("dogfight-hex")
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(1)))
    told = [one for one in match.rulings if "player token" in one.text]
    assert len(told) > 2
    holders = [deed for one in told for deed in one.deeds if isinstance(deed, SetTo)]
    assert len(holders) == len(told)
    assert [deed.was for deed in holders[1:]] == [deed.now for deed in holders[:-1]]
    hits = [one for one in match.rulings if one.struck]
    assert hits
    assert all(one.quiet for one in hits), "its owner is asked next to lay the token"


def hex_ships(person: Any) -> Iterator[Any]:
    """Each screen of a match of bots, from its beginning."""
    setup = Setup("dogfight-hex", options={"players": 3})
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    bots, ruled = bots_of(setup, Random(1)), 0
    while person.match.outcome is None:
        yield person.state
        rulings = person.match.rulings
        for ruling in rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(rulings)
        if isinstance(person.state, RulingState):
            person.go_on()
            continue
        asked = person.match.open.values()
        question = next(one for one in asked if one.key not in person.match.answered)
        person.do(a.Answer(question.key, question.opened, question.parse(bots.act(question)).plain))


def test_whoever_is_hit_is_told_where_the_hull_token_is_asked_for(person: Any) -> None:
    """The band says what hands take, the row who was hit, before what was shown before it."""
    state = next(
        state
        for state in hex_ships(person)
        if any("/wreckage/hull-" in key for key in person.match.open)
        and not isinstance(state, RulingState)
    )
    assert re.search(r"ay hull [1-3]$", ": ".join(state.band.lines)), state.band
    assert person.match.rulings[-1].text.endswith("left.")
    assert state.frame.bottom.message.first.startswith(f"{state.band.lines[0]}: hit")


def test_what_becomes_of_a_destroyed_ship_leaves_its_map_room(person: Any, make_sheet: Any) -> None:
    """Whose ship it is stands over the deed, which has one row of 10 mm capitals."""
    state = next(
        state
        for state in hex_ships(person)
        if isinstance(state, RulingState) and "debris" in state.band.lines[-1]
    )
    assert re.fullmatch(r"debris up, discard \d", state.band.lines[-1]), state.band
    sheet = make_sheet(Theme())
    parts = parts_of(state, sheet.theme)
    assert parts["band"].box.high < 140
    maps = [part.box for name, part in parts.items() if name.startswith("map")]
    assert max(box.high for box in maps) > 150
