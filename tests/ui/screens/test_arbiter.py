"""Who corrects the record is asked once a sitting, and kept with the reason in the log."""

from __future__ import annotations

from typing import Any

import pytest

from ui.scene.values import Mark
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.differ import DifferState
from ui.touch import actions as a
from ui.touch.actions import DecideChallenge, OpenChallenge


@pytest.fixture
def stranger(person: Any) -> Any:
    """Somebody before a table where nobody has said yet who the arbiter is."""
    person.table.arbiter = None
    return person


def _key(state: Any, label: str) -> Any:
    return next(key for key in state.keys if key.label == label)


def _asks_who(person: Any) -> bool:
    state = person.state
    return isinstance(state, ArbiterState) and state.lead == "Who is the arbiter?"


def _last(person: Any) -> Any:
    return person.match.entries[-1]


def _first_answer(person: Any) -> Any:
    """An Undo of more than the last answer: back to before the first."""
    seq = next(line.seq for line in person.match.entries if line.kind == "answer")
    assert seq != person.match.last_act
    return a.Undo(seq, "wrong key")


def test_the_last_answer_is_taken_back_by_whoever_holds_the_screen(stranger: Any) -> None:
    """Nobody is asked for a name, and none stands in the log, though an arbiter is known."""
    stranger.to_ready()
    stranger.touch(a.AskUndo())
    undo = stranger.state.frame.bottom.keys[0].action
    stranger.touch(undo)
    assert not _asks_who(stranger)
    assert (_last(stranger).kind, _last(stranger).author) == ("undo", "table")
    stranger.table.arbiter = "Ada"
    stranger.to_ready()
    stranger.touch(a.Undo(stranger.match.last_act))
    assert (_last(stranger).kind, _last(stranger).author) == ("undo", "table")


def test_undoing_a_correction_is_the_arbiters(stranger: Any) -> None:
    """What an arbiter set is not taken back without a name."""
    stranger.to_ready()
    stranger.table.arbiter = "Ada"
    stranger.touch(a.Adjust((("option.late_card", "discard"),), "recount"))
    stranger.table.arbiter = None
    stranger.touch(a.Undo(stranger.match.last_act))
    assert _asks_who(stranger)


def test_the_first_correction_asks_who_and_then_is_done(stranger: Any) -> None:
    """The players stand there as keys; the undo itself waits, and has the name in the log."""
    stranger.to_ready()
    lines = len(stranger.match.entries)
    state = stranger.touch(_first_answer(stranger))
    assert _asks_who(stranger)
    assert len(stranger.match.entries) == lines
    assert {"Ana", "Bo", "Cleo", "Dan"} < {key.label for key in state.keys}
    stranger.touch(_key(state, "Cleo").action)
    assert (_last(stranger).kind, _last(stranger).author) == ("undo", "Cleo")
    assert _last(stranger).reason == "wrong key"


def test_it_is_asked_once_a_sitting(stranger: Any) -> None:
    """The second correction, and one in the next match, go by the same name."""
    stranger.to_ready()
    stranger.touch(_first_answer(stranger))
    stranger.touch(a.NameArbiter("Ada"))
    stranger.touch(a.Adjust((("option.late_card", "discard"),), "recount"))
    assert (_last(stranger).author, _last(stranger).reason) == ("Ada", "recount")
    stranger.to_ready()
    stranger.touch(_first_answer(stranger))
    assert (_last(stranger).kind, _last(stranger).author) == ("undo", "Ada")


def test_nobody_need_say_it(stranger: Any) -> None:
    """Skipped once it is not asked again; the log then names the table."""
    stranger.to_ready()
    state = stranger.touch(_first_answer(stranger))
    stranger.touch(_key(state, "Nobody").action)
    assert (_last(stranger).kind, _last(stranger).author) == ("undo", "table")
    stranger.to_ready()
    stranger.touch(_first_answer(stranger))
    assert not _asks_who(stranger)


def test_a_cancelled_question_corrects_nothing_and_loses_nothing(stranger: Any) -> None:
    """Back at the adjustment as it was being written; next time it is asked again."""
    stranger.to_ready()
    stranger.touch(a.Show(a.Panel.ADJUST))
    stranger.touch(a.SetAdjust("option.late_card", "discard"))
    lines = len(stranger.match.entries)
    stranger.touch(a.Adjust((("option.late_card", "discard"),), "recount"))
    stranger.touch(a.Back())
    assert stranger.view.panel is a.Panel.ADJUST
    assert stranger.view.adjusting == (("option.late_card", "discard"),)
    assert stranger.view.waiting is None
    assert len(stranger.match.entries) == lines
    stranger.touch(a.Adjust((("option.late_card", "discard"),), "recount"))
    assert _asks_who(stranger)


def test_the_last_arbiters_are_offered(stranger: Any) -> None:
    """Who corrected an earlier match of this record stands before the players."""
    stranger.table.arbiter = "Ada"
    stranger.to_ready()
    stranger.touch(_first_answer(stranger))
    stranger.table.arbiter = None
    stranger.to_ready()
    state = stranger.touch(_first_answer(stranger))
    assert [key.label for key in state.keys][:2] == ["Ada", "Ana"]


def test_the_name_can_be_changed(stranger: Any) -> None:
    """The arbiter's own screen says who it is, and asks anew."""
    stranger.to_ready()
    stranger.table.arbiter = "Adda"
    state = stranger.touch(a.Show(a.Panel.ARBITER))
    assert state.frame.bottom.message.first == "Arbiter: Adda"
    stranger.touch(next(key for key in state.frame.bottom.keys if key.label == "Who?").action)
    assert _asks_who(stranger)
    stranger.touch(a.NameArbiter("Ada"))
    assert stranger.table.arbiter == "Ada"
    assert stranger.view.panel is a.Panel.ARBITER


def test_the_clock_stops_before_anybody_is_asked(stranger: Any) -> None:
    """Twenty seconds wait for no name; what gives time back does."""
    stranger.to_round()
    stranger.touch(a.Pause())
    assert not stranger.table.refereed().clock.running
    assert not _asks_who(stranger)
    stranger.touch(a.GiveTime(5.0))
    stranger.touch(a.NameArbiter("Ada"))
    assert (_last(stranger).answer["event"], _last(stranger).author) == ("given", "Ada")
    stranger.touch(a.Resume())
    assert (_last(stranger).answer["event"], _last(stranger).author) == ("resumed", "Ada")


def test_every_verb_of_the_screen_keeps_who(person: Any) -> None:
    """Amend, report, the table being right, and the closing word: all in the arbiter's name."""
    person.to_section(1, {"jaws/1": "pilot", "paws/1": "gunner"})
    reveal = person.match.open
    assert reveal
    person.answer("reveal/jaws", "SH PC")
    person.answer("reveal/paws", "SH GR")
    seq = next(step.seq for step in person.match.steps if step.key.endswith("reveal/jaws"))
    person.touch(a.Amend(seq, "SH PL", "card misread"))
    assert (_last(person).kind, _last(person).author) == ("amend", "Ada")
    person.touch(a.Close(("Paws",), "time is up"))
    assert (_last(person).kind, _last(person).author) == ("close", "Ada")
    assert _last(person).reason == "time is up"


def test_a_table_that_is_right_leaves_hands_nothing_to_do(person: Any) -> None:
    """The record follows the piece, in the arbiter's name: no deed sends the piece anywhere."""
    person.to_ready()
    person.see({"jaws": "Paws.PC", "paws": "Jaws.PL", "sun": "Jaws.GL"})
    assert person.is_at(DifferState)
    person.touch(a.AcceptTable())
    entry = _last(person)
    assert (entry.kind, entry.author, entry.reason) == ("adjust", "Ada", "the table is right")
    assert person.table.refereed().put_right is None


def test_an_adjustment_says_what_changed(person: Any) -> None:
    """What hands need not follow is said in words on the screen, as panels call it."""
    person.to_ready()
    state = person.touch(a.Adjust((("option.late_card", "discard"),), "recount"))
    assert state.frame.refusal.mark is Mark.OK
    assert state.frame.refusal.text == "late card discard, was return to hand"
    changed = person.table.refereed().adjust({"JP.deck": 29, "JP.hand": 1}, "recount", 5.0)
    assert [str(one) for one in changed] == [
        "Jaws Pilot Ana: deck 29, was 26",
        "Jaws Pilot Ana: hand 1, was 4",
    ]


def test_undo_offers_its_reasons(person: Any) -> None:
    """Touched once, Undo is done by a second touch, with a reason or without."""
    person.to_ready()
    state = person.touch(a.AskUndo())
    undos = [key.action for key in state.frame.bottom.keys[:3]]
    assert [undo.reason for undo in undos] == ["", "wrong key", "misread"]
    person.touch(undos[1])
    assert (_last(person).kind, _last(person).reason) == ("undo", "wrong key")


def test_a_challenge_keeps_the_arbiter_who_opened_and_decided_it(person: Any) -> None:
    """Who disputes stands in the line; who had the clock stand is its author."""
    person.to_round()
    person.touch(OpenChallenge("Jaws"))
    said = [line for line in person.match.entries if line.kind == "clock"][-2:]
    assert [line.answer["event"] for line in said] == ["paused", "challenged"]
    assert {line.author for line in said} == {"Ada"}
    assert _last(person).answer["by"] == "Jaws"
    person.touch(DecideChallenge())
    assert (_last(person).answer["event"], _last(person).author) == ("resumed", "Ada")
