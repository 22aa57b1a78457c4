"""The match: answers, forms, undo, amend, adjust, report, position files, replay."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.errors import (
    BadCall,
    BadPosition,
    CompanionError,
    Drift,
    IllegalAnswer,
    MatchClosed,
    StaleOffer,
)
from companion.core.offers import Stamp
from companion.core.ruling import Json
from companion.games.dogfight_hex.rules import DogfightHex
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.timeline import Fate

Maker = Callable[..., Any]
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)


def play_on(table: Any, rng: Random, answers: int = 1_000) -> None:
    """Let a random player give up to `answers` answers."""
    player = RandomPlayer(rng)
    for _ in range(answers):
        waiting = [k for k in table.match.open if k not in table.match.answered]
        if not waiting:
            return
        key = rng.choice(waiting)
        try:
            table.say(key, player.answer(table.match.open[key]))
        except IllegalAnswer:
            continue  # two and two


def state(match: Match[Any]) -> object:
    """All that a table sees of a match, but for the log numbers."""
    return (
        match.position.to_file(),
        {key: question.terms() for key, question in match.open.items()},
        match.answered,
        list(match.rulings),
        match.outcome,
        match.parked,
    )


def test_a_form_closes_with_its_last_word_and_logs_what_lapsed(tally: Maker) -> None:
    """Silence in a form is an answer of its own: it stands in the log, so it can be amended."""
    table = tally()
    table.say("round-1/a", 2)
    table.say("round-1/done", "ready")
    kinds = [(entry.kind, entry.key, entry.answer) for entry in table.match.entries[1:]]
    assert kinds == [
        ("answer", "round-1/a", 2),
        ("lapse", "round-1/b", 0),
        ("answer", "round-1/done", "ready"),
    ]
    assert table.match.position.tally == 2


def test_an_answer_in_a_form_may_be_revised_until_it_closes(tally: Maker) -> None:
    table = tally()
    table.say("round-1/a", 2)
    table.say("round-1/a", 1)
    assert table.match.answered == {"round-1/a": 1}
    table.say("round-1/done", "ready")
    assert table.match.position.tally == 1


def test_answers_that_do_not_go_together_are_refused_and_store_nothing(tally: Maker) -> None:
    table = tally()
    table.say("round-1/a", 2)
    table.say("round-1/b", 2)
    before, lines = state(table.match), len(table.match.entries)
    with pytest.raises(IllegalAnswer) as refused:
        table.say("round-1/done", "ready")
    assert (refused.value.code, str(refused.value.cite)) == ("T-2", "T-1")
    assert (state(table.match), len(table.match.entries)) == (before, lines)


def test_an_offer_for_the_question_after_a_silent_one_stores_both(tally: Maker) -> None:
    """Nobody taps "no" all evening: the next answer lets an optional question lapse."""
    table = tally()
    table.say("round-1/done", "ready")
    assert list(table.match.open) == ["round-1/bonus"]
    table.say("round-2/a", 1)
    assert [(e.kind, e.key) for e in table.match.entries[-2:]] == [
        ("lapse", "round-1/bonus"),
        ("answer", "round-2/a"),
    ]
    assert Match.replay(table.match.entries).answered == table.match.answered


def test_an_offer_that_fits_no_question_after_silence_changes_nothing(tally: Maker) -> None:
    table = tally()
    table.say("round-1/done", "ready")
    before, lines = state(table.match), len(table.match.entries)
    with pytest.raises(StaleOffer):
        table.say("round-3/a", 1)
    assert (state(table.match), len(table.match.entries)) == (before, lines)


def test_an_offer_refused_after_silence_is_refused_by_the_question_it_was_meant_for(
    tally: Maker,
) -> None:
    """The way out is in the refusal of that question; the silence before it did not happen."""
    table = tally()
    table.say("round-1/done", "ready")
    before, lines = state(table.match), len(table.match.entries)
    with pytest.raises(IllegalAnswer, match="99 is not from 0 to 3") as refused:
        table.say("round-2/b", 99)
    assert refused.value.code == "Q-LIMIT"
    assert (state(table.match), len(table.match.entries)) == (before, lines)


def test_an_offer_from_before_an_undo_is_stale(tally: Maker) -> None:
    """An offer names the opening it was made for; a question asked afresh is another opening."""
    table = tally()
    opened = table.match.open["round-1/a"].opened
    table.say("round-1/done", "ready")
    table.match.undo(stamp=table.stamp)
    with pytest.raises(StaleOffer):
        table.say("round-1/a", 1, opened=opened)


def test_undo_in_a_form_takes_back_one_key(tally: Maker) -> None:
    table = tally()
    first = table.say("round-1/a", 1)
    table.say("round-1/b", 2)
    table.match.undo(first.seq, stamp=table.stamp)
    assert table.match.answered == {"round-1/b": 2}


def test_undo_of_a_closed_form_takes_back_what_lapsed_with_it(tally: Maker) -> None:
    table = tally()
    table.say("round-1/b", 1)
    before = state(table.match)
    table.say("round-1/done", "ready")
    table.match.undo(stamp=table.stamp)
    assert state(table.match) == before


def test_undo_at_the_start_says_so(tally: Maker) -> None:
    table = tally()
    with pytest.raises(BadCall, match="Nothing to undo"):
        table.match.undo(stamp=table.stamp)


def test_amend_keeps_doubts_asks_again_and_parks(tally: Maker) -> None:
    """Later answers are fitted by key: kept, doubtful, asked again, or parked."""
    table = tally()
    table.say("round-1/a", 3)
    table.say("round-1/b", 3)
    table.say("round-1/done", "ready")
    more = table.say("round-1/more", 3)
    table.say("round-1/bonus", "no")
    later = table.say("round-2/a", 5)
    revision = table.match.amend(1, 1, "miscounted")
    assert revision.fate[more.seq] is Fate.ASKED_AGAIN
    assert revision.fate[later.seq] is Fate.PARKED
    assert revision.asked == ["round-1/more"]
    assert table.match.position.tally == 6, "nothing changes before it is committed"
    revision.commit(table.stamp)
    table.say("round-1/more", 1)
    assert list(table.match.open) == ["round-2/a", "round-2/b", "round-2/done"]
    assert table.match.answered == {"round-2/a": 5}, "one and one and three still allow five"
    assert table.match.fates[later.seq] is Fate.DOUBTFUL, "but less than six would have"


def test_amend_never_gives_an_answer_to_another_question(tally: Maker) -> None:
    """It waits for its own key, and is dropped once that round is over; it fits nothing else."""
    table = tally()
    table.say("round-1/b", 3)
    table.say("round-1/done", "ready")
    more = table.say("round-1/more", 0)
    table.say("round-1/bonus", "no")
    revision = table.match.amend(1, 0, "no three")
    assert revision.fate[more.seq] is Fate.DROPPED
    assert revision.in_words()[0].endswith(
        "is dropped: its question does not come again (round 1 is over)."
    )
    revision.commit(table.stamp)
    assert list(table.match.open) == ["round-2/a", "round-2/b", "round-2/done"]
    table.match.undo(stamp=table.stamp)
    assert [step.key for step in table.match.steps][-2:] == ["round-1/more", "round-1/bonus"]


def test_amend_shows_the_rulings_that_flip(tally: Maker) -> None:
    table = tally()
    table.say("round-1/a", 3)
    table.say("round-1/done", "ready")
    (flip,) = table.match.amend(1, 2, "").flips
    assert (flip.old.text, flip.new.text) == ("The tally is 3.", "The tally is 2.")


def test_an_amend_that_was_looked_at_before_the_match_went_on_is_not_committed(
    tally: Maker,
) -> None:
    """Nothing is committed that nobody was shown: what the match gained since could change."""
    table = tally()
    entry = table.say("round-1/a", 3)
    revision = table.match.amend(entry.seq, 1, "miscounted")
    table.say("round-1/done", "ready")
    before, lines = state(table.match), len(table.match.entries)
    with pytest.raises(BadCall, match="look at the change again"):
        revision.commit(table.stamp)
    assert (state(table.match), len(table.match.entries)) == (before, lines)


def test_an_illegal_amend_is_refused_and_changes_nothing(tally: Maker) -> None:
    table = tally()
    entry = table.say("round-1/a", 3)
    table.say("round-1/done", "ready")
    before = state(table.match)
    with pytest.raises(IllegalAnswer):
        table.match.amend(entry.seq, 9, "")
    assert state(table.match) == before


def test_adjust_is_judged_after_all_its_changes(tally: Maker) -> None:
    """One quantity alone may break a sum; what cannot be is refused by name, nothing changed."""
    table = tally()
    before, lines = state(table.match), len(table.match.entries)
    with pytest.raises(BadPosition, match="below zero"):
        table.match.adjust({"tally": -1}, "dropped", stamp=table.stamp)
    assert (state(table.match), len(table.match.entries)) == (before, lines)
    table.match.adjust({"tally": 4, "option.limit": 5}, "recounted", stamp=table.stamp)
    assert table.match.position.tally == 4


def test_an_adjustment_of_nothing_is_no_line(tally: Maker) -> None:
    """Nothing named is a slip of the hand: refused, and the log stays as it was."""
    table = tally()
    before, lines = state(table.match), len(table.match.entries)
    with pytest.raises(BadCall, match="names what it changes"):
        table.match.adjust({}, "a slip", stamp=table.stamp)
    assert (state(table.match), len(table.match.entries)) == (before, lines)


def test_adjust_before_an_old_line_refits_what_followed(tally: Maker) -> None:
    table = tally()
    table.say("round-1/a", 1)
    table.say("round-1/done", "ready")
    first = table.say("round-1/bonus", "yes")
    table.match.adjust({"tally": 7}, "found a token", before=first.seq, stamp=table.stamp)
    assert table.match.position.tally == 8
    assert Match.replay(table.match.entries).position.tally == 8


def test_a_block_stops_answers_until_it_is_solved(tally: Maker) -> None:
    table = tally()
    table.match.report({"what": "spill"}, table.stamp)
    with pytest.raises(IllegalAnswer, match="Wipe the table") as refused:
        table.say("round-1/a", 1)
    assert refused.value.code == "T-E1"
    table.match.report({"what": "solved", "code": "T-E1"}, table.stamp)
    table.say("round-1/a", 1)
    with pytest.raises(BadCall, match="no notice"):
        table.match.report({"what": "solved", "code": "T-E1"}, table.stamp)


def test_a_match_can_start_from_a_position_file(tally: Maker) -> None:
    table = tally()
    table.say("round-1/done", "ready")
    table.say("round-1/bonus", "yes")
    table.say("round-2/a", 1)
    file = table.match.position_file()
    assert file == {"round": 2, "tally": 1, "since": [{"key": "round-2/a", "answer": 1}]}
    again = tally(Setup("tally", position=file))
    assert again.match.answered == {"round-2/a": 1}
    assert again.match.position_file() == file


def test_a_position_file_keeps_every_report_that_waits_for_a_word(tally: Maker) -> None:
    """What solves one that the file does not tell is passed over."""
    table = tally()
    table.match.report({"what": "spill"}, table.stamp)
    table.match.report({"what": "spill"}, table.stamp)
    table.match.report({"what": "laughter"}, table.stamp)
    file = table.match.position_file()
    for again in (tally(Setup("tally", position=file)), tally()):
        if again.match.setup.position is None:
            again.match.restart(file, "begun elsewhere", again.stamp)
        levels = [notice.level for notice in again.match.notices.values()]
        assert levels == [notice.level for notice in table.match.notices.values()]
        with pytest.raises(IllegalAnswer, match="Wipe the table"):
            again.say("round-1/a", 1)
    solved: dict[str, Json] = {"what": "solved", "code": "T-E1"}
    table.match.report(solved, table.stamp)
    begun = tally(Setup("tally", position=table.match.position_file()))
    assert not begun.match.notices
    later: dict[str, Json] = {"round": 1, "tally": 0, "since": [{"report": solved}]}
    assert not tally(Setup("tally", position=later)).match.notices


def test_restart_and_close_are_the_arbiters_last_resorts(tally: Maker) -> None:
    table = tally()
    table.match.restart({"round": 4, "tally": 0}, "power cut", table.stamp)
    assert list(table.match.open) == ["round-4/a", "round-4/b", "round-4/done"]
    with pytest.raises(BadCall, match="winners"):
        table.match.close(["C"], "", "", table.stamp)
    table.match.close(["B"], "A had to leave.", "agreed", table.stamp)
    assert table.match.outcome is not None
    assert table.match.outcome.winners == ("B",)
    with pytest.raises(MatchClosed):
        table.say("round-4/a", 1)
    replayed: Match[Any] = Match.replay(table.match.entries)
    assert replayed.outcome == table.match.outcome
    table.match.undo(stamp=table.stamp)
    assert table.match.outcome is None


def test_a_set_up_with_a_word_of_a_newer_program_drifts_at_line_0(tally: Maker) -> None:
    set_up = tally().match.entries[0]
    newer = set_up._replace(answer={**set_up.answer, "tables": 3})
    with pytest.raises(Drift, match="tables") as drift:
        Match.replay([newer])
    assert drift.value.seq == 0


def test_a_log_that_no_longer_fits_names_its_line(tally: Maker) -> None:
    table = tally()
    table.say("round-1/a", 1)
    entries = list(table.match.entries)
    entries[1] = type(entries[1])(seq=1, kind="answer", key="round-9/a", answer=1)
    with pytest.raises(Drift) as drift:
        Match.replay(entries)
    assert drift.value.seq == 1
    with pytest.raises(Drift):
        Match.replay([])


@pytest.mark.slow(gate=50)
@pytest.mark.parametrize("seed", range(150))
def test_random_matches_hold_the_laws(tally: Maker, seed: int) -> None:
    """Random verbs in random order: replay equals live, undo is identity, files ask the same."""
    rng = Random(seed)
    table = tally()
    for _ in range(12):
        play_on(table, rng, rng.randint(1, 4))
        before = state(table.match)
        steps = [step for step in table.match.steps if step.answers]
        try:
            match rng.randrange(4):
                case 0 if steps:
                    step = rng.choice(steps)
                    raw = rng.choice([0, 1, 2, "yes", "no", "ready", step.value])
                    table.match.amend(step.seq, raw, "random").commit(table.stamp)
                case 1:
                    tally_now = {"tally": rng.randint(-1, 5)}
                    table.match.adjust(tally_now, "random", stamp=table.stamp)
                    table.match.undo(stamp=table.stamp)
                    assert state(table.match) == before
                case 2 if steps:
                    table.match.undo(rng.choice(steps).seq, stamp=table.stamp)
                case _:
                    waiting = [k for k in table.match.open if k not in table.match.answered]
                    if waiting:
                        key = waiting[0]
                        table.say(key, RandomPlayer(rng).answer(table.match.open[key]))
                        table.match.undo(stamp=table.stamp)
                        assert state(table.match) == before
        except CompanionError:
            assert state(table.match) == before
        replayed: Match[Any] = Match.replay(table.match.entries)
        assert state(replayed) == state(table.match)
        file = table.match.position_file()
        if table.match.outcome is None and not table.match.parked:
            again = tally(Setup("tally", position=file)).match
            assert {k: q.terms() for k, q in again.open.items()} == {
                k: q.terms() for k, q in table.match.open.items()
            }
            assert again.answered == table.match.answered


def test_a_new_match_is_played_by_the_present_edition(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever begins it names none: an app that forgot would record an old edition."""
    later = DogfightHex.edition + 1
    monkeypatch.setattr(DogfightHex, "edition", later)
    match = Match[Any].start(Setup("dogfight-hex"), STAMP)
    assert match.setup.edition == later
    assert Match[Any].replay(match.entries).setup.edition == later
