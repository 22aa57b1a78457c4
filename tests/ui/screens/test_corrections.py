"""Undo, log, amend, adjust, report, close: each says what it would do before it does it."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.core.offers import Offer
from companion.kit.playing import RandomPlayer
from ui.scene.values import Consequence, KeyLook, Mark
from ui.screens.arbiter.adjust import AdjustState
from ui.screens.arbiter.amend import AmendState
from ui.screens.arbiter.arbiter import ArbiterState
from ui.screens.arbiter.log import LogState
from ui.screens.match.cards import CardsState
from ui.screens.match.lock import LockState
from ui.screens.match.ready import ReadyState
from ui.screens.match.result import ResultState
from ui.touch import actions as a

CARDS = {"jaws/1": "pilot", "paws/1": "gunner"}


def _undo_key(state: Any) -> Any:
    return next(key for key in state.frame.bottom.keys if key.label == "Undo")


def test_undo_names_its_goal_first_and_does_it_second(person: Any) -> None:
    """Two touches; the first changes nothing."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    lines = len(person.match.entries)
    state = person.touch(_undo_key(person.state).action)
    assert state.frame.bottom.message.first == "Back to before Section 1 · Reveal · Jaws"
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
    assert [team.total for team in state.teams] == ["1 card", "0 cards"]


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
    assert state.lines[-1].text == "Section 1 · Reveal · Jaws: enemy plane Left"
    assert state.lines[-1].source == "touch"
    assert (state.page, state.pages) == (state.pages, -(-len(person.match.entries) // 6))
    older = person.touch(a.TurnPage(1))
    assert older.page == state.page - 1


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


def test_a_line_that_was_taken_back_is_struck_and_cannot_be_amended(person: Any) -> None:
    """It stays in the log for ever."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "MPL enemy")
    seq = person.match.entries[-1].seq
    person.touch(a.Undo(seq))
    person.touch(a.Show(a.Panel.LOG))
    state = person.touch(a.SelectLine(seq))
    line = next(line for line in state.lines if line.seq == seq)
    assert line.taken_back
    assert [key.action for key in state.keys] == [None]
    assert state.keys[0].second == "it was taken back"


def test_a_line_in_effect_is_told_in_full_and_can_be_amended_or_undone_to(person: Any) -> None:
    """By whom, under which rule, what it ruled; and what an amend before made of it."""
    person.to_section(1, CARDS)
    person.answer("reveal/jaws", "SH PC")
    seq = person.match.entries[-1].seq
    person.answer("reveal/paws", "SH PL")
    person.read_rulings()
    person.touch(a.Show(a.Panel.LOG))
    state = person.touch(a.SelectLine(seq))
    when, rule = state.details
    assert when.endswith(" · touch · Jaws")
    assert rule == "Jaws: flip 1 · JP-9.1, JP-9.9"
    amend, undo = (next(key for key in state.keys if key.label == word)
                   for word in ("Amend", "Undo to here"))  # fmt: skip
    assert amend.action == a.Show(a.Panel.AMEND, str(seq))
    assert undo.action == a.Undo(seq)
    assert undo.second == "2 answers go"
    last = person.touch(a.SelectLine(person.match.entries[-1].seq))
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
    assert {"Ana", "Dan", "Sun", "Jaws plane"} <= {key.label for key in state.things}
    person.touch(a.ChooseQuantity("Ana", "JP.deck"))
    state = person.touch(a.SetAdjust("JP.deck", 26))
    assert state.sums[0].mark is Mark.BAD
    assert "30" in state.sums[0].name
    assert state.frame.bottom.next.action is None
    state = person.touch(a.SetAdjust("JP.hand", 3))
    assert state.sums[0].mark is Mark.OK
    assert state.frame.bottom.next.second == "choose a reason first"
    state = person.touch(a.SetReason("recount"))
    person.touch(state.frame.bottom.next.action)
    assert person.match.entries[-1].answer == {"JP.deck": 26, "JP.hand": 3}
    assert person.view.panels == ()


def test_jp_e20_a_late_card_is_reported_in_three_touches(person: Any) -> None:
    """Word, player, section; the notice stands where the band is until it is dealt with."""
    person.to_lock()
    state = person.touch(a.Show(a.Panel.REPORT))
    assert person.is_at(ArbiterState)
    for label in ("Late card", "Dan", "4"):
        while not any(key.label == label for key in state.keys):
            state = person.touch(a.TurnPage(1))
        state = person.touch(next(key for key in state.keys if key.label == label).action)
    assert person.is_at(LockState)
    notices = list(person.match.notices.values())
    assert [notice.code for notice in notices] == ["JP-E20"]


def test_a_report_takes_a_reason(person: Any) -> None:
    """One touch more for who wants to say why; it stands in the log."""
    person.to_lock()
    state = person.touch(a.Show(a.Panel.REPORT))
    for label in ("Late card", "Dan"):
        while not any(key.label == label for key in state.keys):
            state = person.touch(a.TurnPage(1))
        state = person.touch(next(key for key in state.keys if key.label == label).action)
    why = next(key for key in state.frame.bottom.keys if key.label == "Why: not said")
    state = person.touch(why.action)
    assert any(key.label == "Why: all saw it" for key in state.frame.bottom.keys)
    person.touch(next(key for key in state.keys if key.label == "4").action)
    line = person.match.entries[-1]
    assert (line.kind, line.reason) == ("report", "all saw it")


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
