"""Undo, log, amend, adjust, report, close: each says what it would do before it does it."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from companion.core.offers import Offer
from companion.core.ruling import Seat
from companion.kit.playing import RandomPlayer
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from tests.ui.screens.conftest import DUEL, DUELLISTS
from ui.scene.scene import Scene
from ui.scene.theme import Light, Theme
from ui.scene.values import Consequence, Key, KeyLook, LogLine, Mark
from ui.screens.arbiter.adjust import AdjustState
from ui.screens.arbiter.amend import AmendState
from ui.screens.arbiter.log import LINES_A_PAGE, Details, LogState, line_text
from ui.screens.arbiter.report import ReportState
from ui.screens.arbiter.whys import WhysState
from ui.screens.match.cards import CardsState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.result import ResultState
from ui.screens.registry import parts_of
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from ui.widgets.box import Box
from ui.widgets.words import LogPart

CARDS = {"jaws/1": "pilot", "paws/1": "gunner"}


def _undo_key(state: Any) -> Any:
    return next(key for key in state.frame.bottom.keys if key.label == "Undo")


def test_undo_names_its_goal_first_and_does_it_second(person: Any) -> None:
    """Two touches; the first changes nothing."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    lines = len(person.match.entries)
    state = person.touch(_undo_key(person.state).action)
    assert state.frame.bottom.message.first == "Back to before Section 1 · Reveal · Jaws: Shoot PC"
    assert len(person.match.entries) == lines
    state = person.touch(_undo_key(state).action)
    assert person.is_at(CardsState)
    assert state.side.name == "Jaws"
    assert person.match.entries[-1].kind == "undo"


def test_undo_in_a_form_takes_back_one_key(person: Any) -> None:
    """The other sections stay told."""
    person.to_lock()
    person.answer("lock/jaws/1", {"pilot": 1, "gunner": 0})
    person.answer("lock/paws/2", {"pilot": 0, "gunner": 1})
    person.touch(a.AskUndo())
    state = person.touch(_undo_key(person.state).action)
    assert person.is_at(LockState)
    totals = {team.side.name: team.total for team in state.teams}
    assert totals == {"Jaws": "1 card", "Paws": "0 cards"}


def test_undo_at_the_beginning_says_why_it_cannot(person: Any) -> None:
    """No dead key: the reason stands on it."""
    person.begin()
    key = _undo_key(person.state)
    assert (key.action, key.look, key.second) == (None, KeyLook.IMPOSSIBLE, "not yet")


def test_undo_of_the_lock_stands_paused_with_the_rest_it_had(person: Any) -> None:
    """Clock and position move together; nobody is hurried by a clock that runs on."""
    person.to_lock()
    person.touch(a.AskUndo())
    state = person.touch(_undo_key(person.state).action)
    assert state.big == "PAUSED"


def test_the_log_tells_every_line_in_words(person: Any) -> None:
    """Text, time, source; the newest page first, pages backwards."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "MPL enemy")
    state = person.touch(a.Show(a.Panel.LOG))
    assert person.is_at(LogState)
    line = state.lines[-1]
    assert line.text == "Section 1 · Reveal · Jaws: enemy plane Left"
    assert (line.author, line.source) == ("Jaws", "by touch")
    assert len(state.lines) == LINES_A_PAGE
    oldest = state.frame.bottom.next
    assert oldest.label == "Oldest", "the newest are shown"
    first = person.touch(oldest.action)
    assert (first.page, first.lines[0].text) == (1, "Match begun")
    assert person.touch(first.frame.bottom.next.action).page == state.page
    older = person.touch(a.TurnPage(1))
    assert older.page == state.page - 1
    assert older.frame.bottom.next.label == "Newest"
    ready = next(line for line in older.lines if line.text.startswith("Ready"))
    assert ready.text == "Ready: Jaws, Paws", "one word of all is said once"


def test_of_a_ruling_that_has_no_room_its_first_sentences_are_told(make_sheet: Any) -> None:
    """And how many more there are; nothing is cut."""
    ruled = "It hits the plane on GR; 6 damage. " + "Both take it in full: they scrap 6. " * 4
    part = Details(box=Box(400, 60, 384, 160), title="Reveal", details=("19:46", ruled, "More."))
    sheet = make_sheet(Theme(Light.DAY, size_px=(800, 480)))
    sheet.show("Log", {"details": part})
    told = [text for _, text in sheet.written()]
    assert not [text for text in told if text.cut]
    assert told[2].text.startswith("It hits the plane on GR; 6 damage")
    assert told[2].text.endswith("...")
    assert told[-1].text == "And 1 more: Why?"


def test_the_lines_of_a_form_are_told_as_one_and_open_one_by_one(person: Any) -> None:
    """A lock's sections in one line with their numbers; each is amended by itself."""
    person.to_lock()
    for place, role in CARDS.items():
        person.answer(f"lock/{place}", {"pilot": 0, "gunner": 0, role: 1})
    state = person.touch(a.Show(a.Panel.LOG))
    line = state.lines[-1]
    assert line.text == "Lock: Jaws pilot on 1; Paws gunner on 1"
    state = person.touch(line.key.action)
    assert state.title == "Lock: 2 answers"
    assert [key.label for key in state.members] == [
        "Jaws · Section 1: pilot 1, gunner 0",
        "Paws · Section 1: pilot 0, gunner 1",
    ]
    assert "Amend" not in [key.label for key in state.keys]
    state = person.touch(state.members[0].action)
    assert state.title == "Lock · Jaws · Section 1: pilot 1, gunner 0"
    seq = person.match.entries[-2].seq
    assert _key(state.keys, "Amend").action == a.Show(a.Panel.AMEND, str(seq))
    assert _key(state.keys, "Undo to here").second == "2 lines go"


def test_jp_5_7_the_log_tells_all_that_was_locked(person: Any) -> None:
    """Every section of both tracks, by border; what nobody touched is by silence, and no card."""
    person.to_lock()
    for team in ("jaws", "paws"):
        for section, parts in LAID.items():
            person.answer(f"lock/{team}/{section}", {"pilot": 0, "gunner": 0, **parts})
    person.answer("checked", "checked")
    lines = person.touch(a.Show(a.Panel.LOG)).lines
    (line,) = [one for one in lines if one.text.startswith("Lock: ")]
    each = "P on 1, 4 (2), G on 3"
    assert line.text == f"Lock: Jaws {each}; Paws {each}"
    assert line.source == "by touch"


def test_jp_5_7_a_word_that_is_its_own_place_is_said_once(person: Any) -> None:
    """That nobody laid a card is told at the lock, and not as "Nobody: Nobody"."""
    person.to_lock()
    person.answer("checked", "checked")
    person.answer("nobody", "nobody")
    lines = person.touch(a.Show(a.Panel.LOG)).lines
    assert "Lock: Checked; Nobody" in [line.text for line in lines]


LAID = {1: {"pilot": 1}, 3: {"gunner": 1}, 4: {"pilot": 2}}


def _log_of_a_section(person: Any) -> Any:
    """The log once both cards of the first section are turned over and resolved."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    person.answer("reveal/paws", "SH PL")
    person.read_rulings()
    return person.touch(a.Show(a.Panel.LOG))


def test_each_ruling_of_a_line_opens_its_own_paragraph(window: Any, person: Any) -> None:
    """Why? tells all that a line brought, each whole with its own Why?; Back leads to the line."""
    state = _log_of_a_section(person)
    rulings = person.match.ruled_by()[-1][2]
    chosen = person.touch(state.lines[-1].key.action)
    state = person.touch(_key(chosen.keys, "Why?").action)
    assert isinstance(state, WhysState)
    assert [line.first for line in state.lines][-len(rulings) :] == [
        ruling.text.partition(": ")[2] if ruling.step else ruling.text for ruling in rulings
    ]
    parts = parts_of(state, Theme())
    whys = [part.action for name, part in parts.items() if name.startswith("why/")]
    cites = [str(ruling.cite) for ruling in rulings]
    assert whys == [line.why.action for line in state.lines][: len(whys)]
    books = [a.Show(a.Panel.RULES, cite) for cite in cites]
    assert [line.why.action for line in state.lines][-len(cites) :] == books
    last = state.lines[-1].why.action
    person.touch(last)
    assert person.view.part == cites[-1]
    person.touch(a.Back())
    assert person.touch(a.Back()) == chosen


def test_each_ruling_stands_under_its_answer(person: Any) -> None:
    """The first in short, and how many more; the line itself tells all."""
    state = _log_of_a_section(person)
    rulings = person.match.ruled_by()[-1][2]
    line = state.lines[-1]
    assert line.ruled.endswith(f"; {len(rulings) - 1} more")
    details = person.touch(line.key.action).details
    assert [f"{one.text} ({one.cite})" for one in rulings] == list(details[-len(rulings) :])


def test_a_challenges_line_tells_both_claims_the_rule_and_where_it_would_change(
    person: Any,
) -> None:
    """What was said before the decision stays; evidence and amend are of the disputed line."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    person.answer("reveal/paws", "SH PL")
    seq = next(s.seq for s in person.match.steps if s.key.endswith("reveal/jaws"))
    calls = person.table.refereed().presses
    calls.open(5.0, Seat("Paws"))
    calls.dispute(5.0, seq)
    calls.claim(5.0, Seat("Paws"), "the card said PL")
    calls.claim(5.0, Seat("Jaws"), "it lay upside down")
    calls.close(6.0)
    person.touch(a.Show(a.Panel.LOG))
    state = person.touch(a.SelectLine(person.match.entries[-1].seq))
    told = " / ".join(state.details)
    assert "Paws challenged." in told
    assert "Disputed: Section 1 · Reveal · Jaws: Shoot PC (JP-9.1" in told
    assert "Paws claims: the card said PL" in told
    assert "Jaws claims: it lay upside down" in told
    assert _key(state.keys, "Correct it").action == a.Show(a.Panel.AMEND, str(seq))
    assert "JP-9.1" in _key(state.keys, "Why?").action.part
    evidence = _key(state.frame.bottom.keys, "Evidence")
    opened = next(
        one.seq
        for one in person.match.entries
        if one.kind == "clock" and one.answer["event"] == "challenged"
    )
    assert evidence.action == a.Show(a.Panel.EVIDENCE, f"{a.DISPUTE}{opened}/")


def test_the_log_names_seats_and_leaves_out_what_no_clock_said(person: Any) -> None:
    """No codes, no gaps: "Discard · Paws Gunner", "Clock sounded"."""
    person.to_lock()
    person.answer("checked", "checked")
    person.answer("nobody", "nobody")
    person.answer("discard/PG", 1)
    person.touch(a.Show(a.Panel.LOG))
    texts = [line.text for line in person.state.lines]
    for _ in range(person.state.pages - 1):
        texts += [line.text for line in person.touch(a.TurnPage(1)).lines]
    assert any(text.endswith("Paws Gunner: 1") for text in texts)
    assert "Clock sounded" in texts
    assert "PG" not in {line.author for line in person.state.lines}
    assert not any("Pg" in text or ",  s left" in text for text in texts)


def test_what_the_place_says_is_not_said_again_and_the_clock_gave_no_answer(person: Any) -> None:
    """It is "Checked", not "Checked: Checked"; a line of the clock was never taken back."""
    person.to_lock()
    person.answer("checked", "checked")
    lines = _whole_log(person)
    said = [line.text.rpartition(": ") for line in lines]
    assert not [text for place, _, text in said if place.split(" · ")[-1] == text]
    clock = next(e.seq for e in person.match.entries if e.kind == "clock")
    assert _of_line(person, clock).keys[-1].second == "it is no answer"


def _whole_log(person: Any) -> list[Any]:
    """All lines of the log, page by page."""
    person.touch(a.Show(a.Panel.LOG))
    lines = [*person.state.lines]
    for _ in range(person.state.pages - 1):
        lines += person.touch(a.TurnPage(1)).lines
    person.touch(a.Back())
    return lines


def test_a_line_that_was_taken_back_is_struck_and_cannot_be_amended(person: Any) -> None:
    """It stays in the log for ever, in the words in which it was told."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "MPL enemy")
    seq = person.match.entries[-1].seq
    person.touch(a.Undo(seq))
    person.touch(a.Show(a.Panel.LOG))
    state = person.touch(a.SelectLine(seq))
    line = next(line for line in state.lines if line.seq == seq)
    assert line.taken_back
    assert "MPL" not in line.text
    assert [key.action for key in state.keys] == [None]
    assert state.keys[0].second == "it was taken back"
    undone = next(line for line in state.lines if line.seq == seq + 1)
    place = line.text.partition(":")[0]
    assert undone.text == f"Undone back to {place}", "no number: lines show none"


def test_a_line_in_effect_is_told_in_full_and_can_be_amended_or_undone_to(person: Any) -> None:
    """By whom, under which rule, what it ruled; and what an amend before made of it."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    seq = person.match.entries[-1].seq
    person.answer("reveal/paws", "SH PL")
    person.read_rulings()
    person.touch(a.Show(a.Panel.LOG))
    state = person.touch(a.SelectLine(seq))
    state = person.touch(state.members[0].action)
    when, rule = state.details
    assert when.endswith(" · Jaws, by touch")
    assert rule == "Jaws: flip 1 · JP-9.1, JP-9.9"
    amend, undo = (next(key for key in state.keys if key.label == word)
                   for word in ("Amend", "Undo to here"))  # fmt: skip
    assert amend.action == a.Show(a.Panel.AMEND, str(seq))
    assert undo.action == a.Undo(seq)
    assert undo.second == "2 lines go"
    later = person.match.entries[-1].seq
    last = person.touch(a.Show(a.Panel.LOG, str(later)))
    ruled = person.match.ruled_by()[-1][2]
    assert last.details[2:] == tuple(f"{one.text} ({one.cite})" for one in ruled)
    person.table.refereed().commit(person.match.amend(seq, "SH PR"), person.clock())
    assert "After an amend: kept" in person.state.details


def _all_changes(person: Any, state: AmendState) -> list[Consequence]:
    """What the preview lists, page after page."""
    listed = [*state.changes]
    for _ in range(state.page, state.pages):
        later = next(key for key in state.frame.bottom.keys if key.label == "Later")
        state = person.touch(later.action)
        listed += state.changes
    return listed


def test_amend_shows_what_it_changes_before_anything_counts(person: Any) -> None:
    """Was, now, rulings that flip, answers kept; a reason first, then held."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    seq = person.match.entries[-1].seq
    person.answer("reveal/paws", "SH PL")
    person.read_rulings()
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert person.is_at(AmendState)
    assert state.was == "Shoot PC"
    keys = [key.key for group in state.pad for key in group.keys]
    state = person.touch(next(key for key in keys if key.label == "PR").action)
    assert state.now == "Shoot PR"
    assert state.changes[0].mark is Mark.FLIP
    listed = _all_changes(person, state)
    assert any(change.title.endswith("kept") for change in listed)
    revision = person.match.amend(seq, "SH PR")
    for flip in revision.flips:
        old, new = (one.text if one else "" for one in (flip.old, flip.new))
        (row,) = [change for change in listed if (change.was, change.now) == (old, new)]
        assert row.whole
        assert row.title.startswith(("Jaws ", "Paws ")), "it names whose it is"
    assert state.frame.bottom.next.second == "choose a reason first"
    lines = len(person.match.entries)
    state = person.touch(state.reasons[0].action)
    assert state.frame.bottom.next.look is KeyLook.HOLD
    assert len(person.match.entries) == lines
    after = person.touch(state.frame.bottom.next.action)
    assert not isinstance(after, AmendState)
    assert person.match.entries[-1].kind == "amend"
    assert person.match.entries[-1].reason == "card misread"


def test_lines_of_a_lock_name_their_section(person: Any) -> None:
    """In the log, and wherever else a line is told."""
    person.to_lock()
    person.answer("lock/jaws/3", {"pilot": 1, "gunner": 0})
    seq = person.match.entries[-1].seq
    state = person.touch(a.Show(a.Panel.LOG))
    (line,) = [line for line in state.lines if line.seq == seq]
    assert line.text == "Lock · Jaws · Section 3: pilot 1, gunner 0"


def _of_line(person: Any, seq: int) -> LogState:
    person.touch(a.Show(a.Panel.LOG))
    state = person.touch(a.SelectLine(seq))
    assert isinstance(state, LogState)
    return state


def test_a_line_that_waits_says_so_in_the_log_and_that_it_is_dropped(person: Any) -> None:
    """No card lay there after all: its reveal waits, in vain once the round is over."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    match, referee = person.match, person.table.referee
    shot = match.entries[-1].seq
    told = next(step.seq for step in match.steps if step.key.endswith("/lock/jaws/1"))
    referee.commit(referee.amend(told, {"pilot": 0, "gunner": 0}, "misread"), 1.0)
    assert [step.seq for step in match.parked] == [shot]
    assert _of_line(person, shot).keys[0].second == "it waits for its question"
    rng = Random(1)
    while match.parked:
        question = next(q for key, q in match.open.items() if key not in match.answered)
        raw = RandomPlayer(rng).answer(question)
        referee.take(Offer(question.key, raw, "script", question.by), 2.0)
    state = _of_line(person, shot)
    assert state.keys[0].second == "dropped: round 1 is over"
    assert "Dropped: its question never came again (round 1 is over)." in state.details


def test_the_preview_of_a_line_that_is_gone_says_what_it_was(person: Any) -> None:
    """Taken back while somebody looked at it: its words stay, and nothing can be held."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    seq = person.match.entries[-1].seq
    assert person.touch(a.Show(a.Panel.AMEND, str(seq))).was == "Shoot PC"
    person.table.referee.undo(1.0, seq)
    state = person.touch(a.Show(a.Panel.AMEND, str(seq)))
    assert state.was == "Shoot PC"
    assert not state.pad
    assert seq in [line.seq for line in state.lines]


def test_an_amend_that_is_not_legal_says_so_and_cannot_be_held(person: Any) -> None:
    """The screen stays, nothing changes."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    seq = person.match.entries[-1].seq
    person.touch(a.Show(a.Panel.AMEND, str(seq)))
    state = person.touch(a.AmendTo(seq, "none"))
    assert state.changes[0].title == "Not legal"
    assert state.frame.bottom.next.action is None


def test_adjust_judges_all_quantities_together(person: Any) -> None:
    """One card more in the deck alone cannot be; with one fewer in the hand it can."""
    person.to_section(1, CARDS)
    state = person.touch(a.Show(a.Panel.ADJUST))
    assert person.is_at(AdjustState)
    assert [row.owner.label for row in state.rows] == ["Ana", "Bo", "Cleo", "Dan", "Table"]
    table = [key.second for key in state.rows[4].keys]
    assert {"Sun", "Jaws plane", "Paws plane"} <= {*table}
    person.touch(a.ChooseQuantity("Ana", "JP.deck"))
    state = person.touch(a.SetAdjust("JP.deck", 26))
    assert state.fault.mark is Mark.BAD
    assert "30" in state.fault.name
    assert state.frame.bottom.next.action is None
    state = person.touch(a.SetAdjust("JP.hand", 3))
    assert state.fault is None
    assert state.frame.bottom.next.second == "2 changes: recount"
    person.touch(state.frame.bottom.next.action)
    assert person.match.entries[-1].answer == {"JP.deck": 26, "JP.hand": 3}
    assert person.match.entries[-1].reason == "recount"
    assert person.view.panels == ()


def _key(keys: Any, label: str) -> Any:
    return next(key for key in keys if key.label == label)


def test_a_recount_takes_four_touches_from_the_arbiter(person: Any) -> None:
    """Adjust, the pile, the number next to it, held; it moves nothing, and the sum holds again."""
    person.to_section(1, CARDS)
    piles = dict(person.match.position.piles["JP"].counts)
    state = person.touch(a.Show(a.Panel.ARBITER))
    state = person.touch(_key(state.keys, "Adjust").action)
    deck = next(key for key in state.rows[0].keys if key.second == "Deck")
    state = person.touch(deck.action)
    near = next(one.key for one in state.groups[0].keys if one.key.second == "1 fewer")
    state = person.touch(near.action)
    assert state.frame.bottom.next.action is None, "the deck alone does not add up"
    assert [key.look for key in state.offers] == [KeyLook.HOLD] * len(state.offers)
    other = _key(state.offers, f"Ana: discard {piles['discard'] + 1}")
    assert other.second == f"was {piles['discard']}"
    assert not any("hand" in key.label for key in state.offers), "a hand of five cannot be"
    person.touch(other.action)
    now = person.match.position.piles["JP"]
    assert (now["deck"], now["discard"]) == (piles["deck"] - 1, piles["discard"] + 1)
    assert person.table.referee.hands.correction is None
    assert person.view.panels == ()


def test_jp_e20_a_late_card_is_reported_in_three_touches(person: Any) -> None:
    """It is the likeliest after the buzzer: what, who, section; the notice stands in the band."""
    person.to_lock()
    state = person.touch(a.Show(a.Panel.REPORT))
    assert person.is_at(ReportState)
    assert state.keys[0].label == "A card came late"
    for label in ("A card came late", "Dan", "4"):
        state = person.touch(_key(state.keys, label).action)
    assert state.band.lines == ("DAN:", "TAKE 4 BACK")
    person.go_on()
    assert person.is_at(LockState)
    notices = list(person.match.notices.values())
    assert [notice.code for notice in notices] == ["JP-E20"]


def test_a_report_takes_a_reason(person: Any) -> None:
    """One touch more for who wants to say why; it stands in the log."""
    person.to_lock()
    state = person.touch(a.Show(a.Panel.REPORT))
    for label in ("A card came late", "Dan"):
        state = person.touch(_key(state.keys, label).action)
    assert (state.lead, state.said) == ("Which section?", "A card came late · Dan")
    why = next(key for key in state.frame.bottom.keys if key.label == "Why: not said")
    state = person.touch(why.action)
    assert any(key.label == "Why: all saw it" for key in state.frame.bottom.keys)
    person.touch(_key(state.keys, "4").action)
    line = person.match.entries[-1]
    assert (line.kind, line.reason) == ("report", "all saw it")


def test_a_reported_count_is_typed(person: Any) -> None:
    """Behind "Something else": whose pile, which one, how many; the next tap reports it."""
    person.to_section(1, CARDS)
    state = person.touch(a.Show(a.Panel.REPORT))
    state = person.touch(_key(state.keys, "Something else").action)
    state = person.touch(_key(state.keys, "A pile's count is wrong").action)
    state = person.touch(_key(state.keys, "Ana").action)
    assert _key(state.keys, "Deck").second == "recorded: 25"
    state = person.touch(_key(state.keys, "Deck").action)
    assert state.frame.bottom.next.action is None
    for figure in "24":
        keys = [one.key for group in state.groups for one in group.keys]
        state = person.touch(_key(keys, figure).action)
    assert state.said == "A pile's count is wrong · Ana · Deck · 24"
    person.go_on()
    assert person.match.entries[-1].answer == {
        "what": "pile counted", "player": "JP", "pile": "deck", "cards": 24
    }  # fmt: skip


def test_a_block_waits_until_it_is_solved(person: Any) -> None:
    """JP-E14: two tokens of one team; no answer is taken until somebody says solved."""
    person.to_section(1, CARDS)
    state = person.touch(a.Report((("what", "token twice"), ("piece", "jaws"))))
    assert state.frame.refusal.code == "JP-E14"
    assert state.frame.refusal.key.label == "Solved"
    assert person.answer("reveal/jaws", "SH PC").frame.refusal.code == "JP-E14"
    person.touch(state.frame.refusal.key.action)
    assert person.answer("reveal/jaws", "SH PC").frame.refusal is None


def test_the_arbiter_closes_a_match_with_a_reason(person: Any) -> None:
    """The last resort: no winner can be held before a reason stands."""
    person.to_ready()
    state = person.touch(a.Show(a.Panel.CLOSE))
    assert [key.action for key in state.keys[3:]] == [None, None, None]
    state = person.touch(state.keys[0].action)
    paws = next(key for key in state.keys if key.label == "Paws win")
    assert paws.look is KeyLook.HOLD
    person.touch(paws.action)
    state = person.read_rulings()
    assert person.is_at(ResultState)
    assert state.band.lines == ("PAWS WIN",)


def test_a_warning_before_an_answer_may_be_gone_on_with(person: Any) -> None:
    """A refusal in red, a caution in amber with its own key."""
    person.to_section(1, CARDS)
    question = next(q for key, q in person.match.open.items() if key.endswith("reveal/jaws"))
    from companion.core.ruling import Cite, Level, Notice

    said = Notice("JP-E65", "More of a kind than the table's list holds.", Cite.of("JP-21.1"),
                  Level.WARN, "Count again.")  # fmt: skip
    question.caution = lambda _face: said
    state = person.answer("reveal/jaws", "SH PC")
    assert (state.frame.refusal.code, state.frame.refusal.mark) == ("JP-E65", Mark.WARN)
    assert "reveal/jaws" not in str(person.match.answered)
    state = person.touch(state.frame.refusal.key.action)
    assert state.frame.refusal is None
    assert any(key.endswith("reveal/jaws") for key in person.match.answered)


def test_an_answer_meant_for_a_question_that_is_gone_is_told(person: Any) -> None:
    """A finger that was too slow changes nothing."""
    state = person.to_ready()
    late = state.rows[0].key.action
    person.touch(a.Undo(person.match.last_act))
    person.answer("placed", "placed")
    state = person.touch(late)
    assert person.is_at(ReadyState)
    assert state.frame.refusal.code == "Q-GONE"


def test_two_fingers_on_one_field_of_a_report_tell_it_once(duel: Any, person: Any) -> None:
    """The later one holds; the report asks on, or is as complete as by one finger."""
    duel()
    person.touch(a.Show(a.Panel.REPORT))
    person.touch(a.SetField("what", "tokens"))
    person.touch(a.SetField("player", "A"))
    assert isinstance(person.touch(a.SetField("player", "B")), ReportState)
    assert person.view.report == (("what", "tokens"), ("player", "B"))


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
@pytest.mark.parametrize("ask", ["action", "maneuver", "fighter"])
def test_what_was_set_leaves_the_question_where_it_is(
    new_person: Any, tmp_path: Any, make_sheet: Any, judge: Any, size: tuple[int, int], ask: str
) -> None:
    """Both are read: what the record has now, and who is asked for what."""
    person = new_person(tmp_path)
    position = DUEL if ask != "fighter" else None
    person.table.new_match(Setup("dogfight-1917", ("base",), DUELLISTS, position=position))
    person.view = act(a.Checked(), person.table, View())
    if ask == "maneuver":
        person.answer("action", "Basic Maneuver")
    before = person.state.band
    name, value = ("A.deck", 8), ("A.discard", 5)
    changes = (name, value) if position else (("turn", 1),)
    state = person.touch(a.Adjust(changes, "recount"))
    assert state.frame.refusal is not None
    assert state.band == before
    sheet = make_sheet(Theme(Light.DAY, size_px=size))
    sheet.show("Asked", parts_of(state, sheet.theme))
    assert {"refusal", "band"} <= {*sheet.parts}
    assert list(judge.all(sheet)) == []


MANY = "Regrouped: Basic Maneuver 3, High-speed Maneuver 1, Turning Maneuver 1, Evasive Climb 3, "


@pytest.mark.parametrize("ruled", ["", "Ana: 8 cards to the deck; 1 more"])
@pytest.mark.parametrize("high", [51, 73, 93])
def test_a_long_line_of_the_log_ends_with_a_whole_part(
    make_sheet: Any, ruled: str, high: float
) -> None:
    """What has no room is said to be there; nothing is cut inside a word."""
    line = LogLine(7, f"{MANY}Evasive Dive 1", "22:08:00", "by touch", Key("", None), ruled=ruled)
    sheet = make_sheet(Theme(size_px=(800, 480)))
    sheet.show("Log", {"log/7": LogPart(box=Box(10, 60, 386, high), line=line)})
    told = [text for _, text in sheet.written()]
    assert not [text.text for text in told if text.cut]
    assert any("Regrouped: Basic Maneuver 3" in text.text for text in told)
    assert any("more" in text.text for text in told)


def test_of_many_parts_the_log_tells_those_that_there_are(person: Any) -> None:
    """Six kinds of cards, of which three lie there: the others are not told with a 0."""
    setup = Setup("dogfight-1917", ("battle-royale",))
    person.table.new_match(setup)
    person.view = act(a.Checked(), person.table, View())
    bots, ruled, raw = bots_of(setup, Random(3)), 0, None
    for _ in range(1500):
        match = person.match
        bots.perform([deed for ruling in match.rulings[ruled:] for deed in ruling.deeds])
        ruled = len(match.rulings)
        question = next((q for k, q in match.open.items() if k not in match.answered), None)
        assert question is not None, "the match ended before it was asked for cards"
        raw = question.parse(bots.act(question)).plain
        person.do(a.Anyway(a.Answer(question.key, question.opened, raw)))
        if isinstance(raw, dict) and len(raw) > 2 and any(raw.values()):
            break
    assert isinstance(raw, dict)
    seq = next(e.seq for e in reversed(person.match.entries) if e.answer == raw)
    scene = Scene(person.table.situation(), person.view)
    text = line_text(scene, person.match.entries[seq])
    told = {int(number) for number in re.findall(r" (\d+)(?=,|$)", text)}
    assert told == {number for number in raw.values() if number}, text
