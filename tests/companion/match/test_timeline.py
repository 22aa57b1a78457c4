"""The steps in effect: taken back one by one, refitted, and what an amend is said to change."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from companion.core.errors import BadCall, IllegalAnswer, RuleBug, StaleOffer
from companion.core.ruling import TABLE, Cite, Ruling, Seat
from companion.match.entry import Step
from companion.match.match import Match
from companion.match.revision import Revision, RulingFlip
from companion.match.timeline import Fate, OldQuestion, Refit, never_again

Maker = Callable[..., Any]


def play(table: Any, at: int, a: int, b: int | None = None, *, bonus: str = "no") -> None:
    """A whole round of Tally; where B says nothing his silence lapses."""
    table.say(f"round-{at}/a", a)
    if b is not None:
        table.say(f"round-{at}/b", b)
    table.say(f"round-{at}/done", "ready")
    if b == 3:
        table.say(f"round-{at}/more", 2)
    table.say(f"round-{at}/bonus", bonus)


@pytest.fixture
def table(tally: Maker) -> Any:
    """Two rounds of Tally: lines 1 to 4 with B silent and a bonus, lines 5 to 9 with B's three."""
    table = tally()
    play(table, 1, 3, bonus="yes")
    play(table, 2, 2, 3)
    return table


def flips(revision: Revision) -> list[tuple[str, str | None, str | None]]:
    """What is ruled otherwise: the question, the ruling as it stands, as it would be."""
    return [(flip.key, _text(flip.old), _text(flip.new)) for flip in revision.flips]


def _text(ruling: Ruling | None) -> str | None:
    return None if ruling is None else ruling.text


def opened(match: Match[Any]) -> list[tuple[str, int]]:
    return [(key, question.opened) for key, question in match.open.items()]


# -- steps and the way back ------------------------------------------------------------------


def test_every_line_of_the_log_is_a_step_and_what_lapsed_comes_before_the_word(table: Any) -> None:
    """So that any of them can be amended by its number."""
    steps = [(step.seq, step.kind, step.key, step.value) for step in table.match.steps]
    lines = [(line.seq, line.kind, line.key, line.answer) for line in table.match.entries[1:]]
    assert steps == lines
    assert steps[1:3] == [
        (2, "lapse", "round-1/b", 0),
        (3, "answer", "round-1/done", "ready"),
    ]


def test_a_question_is_opened_by_the_line_before_it(table: Any, tally: Maker) -> None:
    """An offer names that number; whoever looked before has another one."""
    assert opened(tally().match) == [(f"round-1/{part}", 1) for part in ("a", "b", "done")]
    assert opened(table.match) == [(f"round-3/{part}", 10) for part in ("a", "b", "done")]
    table.match.amend(1, 2).commit(table.stamp)  # line 10
    assert opened(table.match) == [(f"round-3/{part}", 11) for part in ("a", "b", "done")]
    table.match.adjust({"tally": 9}, "", before=9, stamp=table.stamp)  # line 11
    assert opened(table.match)[0] == ("round-3/a", 12)
    table.match.undo(stamp=table.stamp)
    assert opened(table.match)[0] == ("round-3/a", 13)
    table.match.undo(7, stamp=table.stamp)
    assert opened(table.match) == [(f"round-2/{part}", 14) for part in ("a", "b", "done")]


def test_a_rule_that_fails_leaves_open_questions_as_they_were_opened(
    table: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = opened(table.match)
    rule = type(table.match.rulebook).rule

    def broken_in_the_third_round(rules: Any, *words: Any) -> Any:
        if rules.position.round == 3:
            raise ZeroDivisionError
        return rule(rules, *words)

    with monkeypatch.context() as patch:
        patch.setattr(type(table.match.rulebook), "rule", broken_in_the_third_round)
        with pytest.raises(RuleBug, match=r"failed after round-3/done = 'ready': ZeroDivision"):
            table.say("round-3/done", "ready")
    assert opened(table.match) == before
    assert table.match.last_act == 9


def test_undo_takes_back_one_act_after_another(table: Any) -> None:
    """An amend and an adjustment are one each, and so is an answer with what lapsed with it."""
    table.match.amend(1, 2).commit(table.stamp)  # line 10
    table.match.adjust({"tally": 9}, "", stamp=table.stamp)  # line 11
    acts = list[int | None]()
    while table.match.last_act is not None:
        acts.append(table.match.last_act)
        table.match.undo(stamp=table.stamp)
    assert acts == [11, 10, 9, 8, 7, 6, 5, 4, 3, 1]
    assert table.match.steps == []
    with pytest.raises(BadCall, match="Nothing to undo"):
        table.match.undo(stamp=table.stamp)


def test_the_undo_of_an_amend_brings_back_what_stood_before_it(table: Any) -> None:
    """Also an amend of an amend, whose parked answers wait again."""
    table.match.amend(2, 3).commit(table.stamp)
    parked = table.match.parked
    assert [step.seq for step in parked] == [4, 5, 6, 7, 8, 9]
    table.match.amend(3, "ready").commit(table.stamp)
    assert table.match.parked == parked
    table.match.amend(2, 0).commit(table.stamp)
    assert table.match.parked == ()
    table.match.undo(stamp=table.stamp)
    assert table.match.parked == parked
    table.match.undo(stamp=table.stamp)
    table.match.undo(stamp=table.stamp)
    assert [step.seq for step in table.match.steps] == [*range(1, 10)]
    assert table.match.parked == ()


def test_the_undo_of_an_answer_lets_those_wait_again_that_found_their_places_by_it(
    table: Any,
) -> None:
    """What waited before the answer waits after it was taken back; nothing of it is lost."""
    table.match.amend(2, 3).commit(table.stamp)
    waiting = table.match.parked
    table.say("round-1/more", 0)
    assert table.match.parked == ()
    table.match.undo(stamp=table.stamp)
    assert table.match.parked == waiting
    assert [step.seq for step in table.match.steps] == [1, 2, 3]


def test_an_undo_takes_back_what_lapsed_with_a_word_while_lines_wait_or_are_dropped(
    table: Any,
) -> None:
    """And so it does in the log when that is played again, where what lapsed is a line before."""
    table.match.amend(6, 0).commit(table.stamp)
    assert table.match.dropped == {8: "round 2"}
    table.say("round-3/a", 1)
    table.say("round-3/done", "ready")
    assert table.match.steps[-2].kind == "lapse"
    table.match.undo(stamp=table.stamp)
    again: Match[Any] = Match.replay(table.match.entries)
    assert table.match.answered == again.answered == {"round-3/a": 1}


def test_an_undo_and_what_brought_it_back_can_be_brought_back(table: Any) -> None:
    """Each is a correction of its own, with what stood before it."""
    table.match.amend(2, 3).commit(table.stamp)
    waiting = table.match.parked
    undone = table.match.undo(stamp=table.stamp)
    amended = table.match.bring_back(undone.seq, stamp=table.stamp)
    assert table.match.parked == waiting
    table.match.bring_back(amended.seq, stamp=table.stamp)
    assert table.match.parked == ()
    assert [step.seq for step in table.match.steps] == [*range(1, 10)]


@pytest.mark.parametrize(("target", "left"), [(9, 8), (6, 4), (3, 1), (2, 1), (1, 0)])
def test_undo_of_an_older_line_takes_back_all_that_came_after(
    table: Any, target: int, left: int
) -> None:
    """In a closed form all of it from that line on; what lapsed with a word goes with it."""
    table.match.undo(target, stamp=table.stamp)
    expected = [*range(1, left + 1)] if target != 6 else [1, 2, 3, 4, 5]
    assert [step.seq for step in table.match.steps] == expected
    acts = [seq for seq in expected if seq != 2]
    assert table.match.last_act == (acts[-1] if acts else None)


@pytest.mark.parametrize("target", [9, 6, 1])
def test_what_an_undo_of_an_older_line_took_back_can_be_brought_back(
    table: Any, target: int
) -> None:
    """All of it, and what a plain undo then takes back is what it was before."""
    steps, last = tuple(table.match.steps), table.match.last_act
    undone = table.match.undo(target, stamp=table.stamp)
    assert tuple(table.match.steps) != steps
    table.match.bring_back(undone.seq, stamp=table.stamp)
    assert (tuple(table.match.steps), table.match.last_act) == (steps, last)


def test_undo_in_an_open_form_takes_back_that_word_and_keeps_the_others_acts(table: Any) -> None:
    first = table.say("round-3/a", 1)
    second = table.say("round-3/b", 2)
    table.match.undo(first.seq, stamp=table.stamp)
    assert table.match.answered == {"round-3/b": 2}
    assert table.match.last_act == second.seq
    table.match.undo(stamp=table.stamp)
    assert (table.match.answered, table.match.last_act) == ({}, 9)


def test_what_is_not_in_effect_can_neither_be_undone_nor_amended(table: Any) -> None:
    table.match.undo(8, stamp=table.stamp)
    gone = "Line 9 is not in effect: it was undone, or amended"
    with pytest.raises(BadCall, match=gone):
        table.match.undo(9, stamp=table.stamp)
    with pytest.raises(BadCall, match=gone):
        table.match.amend(9, "yes")
    with pytest.raises(BadCall, match=gone):
        table.match.adjust({"tally": 1}, "", before=9, stamp=table.stamp)


def test_a_report_is_undone_and_not_amended(table: Any) -> None:
    table.match.report({"what": "spill"}, table.stamp)
    with pytest.raises(BadCall, match="Line 10 is no answer; undo it instead"):
        table.match.amend(10, {"what": "other"})
    table.match.undo(stamp=table.stamp)
    assert not table.match.notices


def test_an_offer_refused_behind_silence_leaves_the_last_act_and_the_openings(tally: Maker) -> None:
    """What lapsed for it is taken back with it."""
    table = tally()
    table.say("round-1/done", "ready")
    before = opened(table.match), table.match.last_act, list(table.match.steps)
    for raw, refused in ((99, IllegalAnswer), (1, StaleOffer)):
        with pytest.raises(refused):
            table.say("round-2/b" if raw == 99 else "round-3/b", raw)
        assert (opened(table.match), table.match.last_act, list(table.match.steps)) == before


def test_an_adjustment_before_an_older_line_stands_there_and_belongs_to_the_one_before(
    table: Any,
) -> None:
    table.match.adjust({"tally": 7}, "", before=5, stamp=table.stamp)
    assert [(step.seq, step.key) for step in table.match.steps][3:6] == [
        (4, "round-1/bonus"),
        (10, "round-1/bonus"),
        (5, "round-2/a"),
    ]
    table.match.adjust({"tally": 1}, "", before=1, stamp=table.stamp)
    assert [(step.seq, step.key) for step in table.match.steps][:2] == [(11, ""), (1, "round-1/a")]


# -- refit -----------------------------------------------------------------------------------


def test_another_kind_of_question_or_one_for_somebody_else_is_another() -> None:
    """The same question between other things is the same: its answer may still fit."""
    a, b = Seat("A"), Seat("B")
    asked = OldQuestion("count", a, (0, 1))
    assert asked.is_other(OldQuestion("choose", a, (0, 1)))
    assert asked.is_other(OldQuestion("count", b, (0, 1)))
    assert not asked.is_other(OldQuestion("count", a, (0, 1, 2)))


@pytest.mark.parametrize(
    ("kind", "by", "fate"),
    [
        ("count", "A", Fate.DOUBTFUL),
        ("choose", "A", Fate.ASKED_AGAIN),
        ("count", "B", Fate.ASKED_AGAIN),
        ("", "", Fate.KEPT),
    ],
)
def test_an_old_answer_fits_only_who_was_asked_for_the_same(
    tally: Maker, kind: str, by: str, fate: Fate
) -> None:
    """However well it would do; where nobody knows what it was given to, it does."""
    run = tally().match._timeline.replayer(1)
    refit = Refit(run, [])
    terms = {1: OldQuestion(kind, Seat(by), ("other",))} if kind else {}
    refit.place([Step(1, "answer", "round-1/a", 2)], terms)
    assert refit.fates == {1: fate}
    assert len(refit.steps) == len(run.answered) == (fate is not Fate.ASKED_AGAIN)


def test_each_later_answer_has_its_fate_and_an_undo_forgets_it(table: Any) -> None:
    """Kept, or doubtful where the options changed: A's most, and how many more there may be."""
    revision = table.match.amend(1, 1)
    doubtful = {5: Fate.DOUBTFUL, 8: Fate.DOUBTFUL}
    fates = dict.fromkeys((2, 3, 4, 6, 7, 9), Fate.KEPT) | doubtful
    assert revision.fate == fates
    assert table.match.fates == {}
    revision.commit(table.stamp)
    assert table.match.fates == fates
    table.match.undo(stamp=table.stamp)
    assert table.match.fates == {}, "what an amend brought goes with it"
    table.match.amend(1, 1).commit(table.stamp)
    table.match.undo(6, stamp=table.stamp)
    assert table.match.fates == {seq: fate for seq, fate in fates.items() if seq < 6}


def test_an_answer_that_is_legal_no_more_is_asked_again(table: Any) -> None:
    """A may add three to the tally at most: five were too many of none."""
    table.say("round-3/a", 5)
    table.match.adjust({"tally": 0}, "", before=10, stamp=table.stamp)
    assert table.match.fates[10] is Fate.ASKED_AGAIN
    assert table.match.answered == {}


def test_after_a_restart_nothing_is_given_to_questions_before_it(table: Any) -> None:
    """What waits behind it waits for it, whatever else would fit."""
    table.match.restart({"round": 1, "tally": 0}, "", table.stamp)  # line 10
    play(table, 1, 1)  # lines 11 to 14
    revision = table.match.amend(2, 3)
    assert revision.asked == ["round-1/more"]
    assert revision.waiting == [4, *range(5, 15)]
    revision.commit(table.stamp)
    table.say("round-1/more", 0)
    assert not table.match.parked
    assert table.match.position.round == 2
    assert table.match.position.tally == 1


@pytest.mark.parametrize("act", ["adjust", "report", "close"])
def test_what_an_arbiter_does_after_a_restart_stays_with_it(table: Any, act: str) -> None:
    """No answer came before it in the new position: another past of the old one moves it not."""
    table.match.restart({"round": 1, "tally": 0}, "", table.stamp)  # line 10
    if act == "adjust":
        table.match.adjust({"tally": 7}, "", stamp=table.stamp)
        table.match.adjust({"tally": 8}, "", stamp=table.stamp)
    elif act == "report":
        table.match.report({"what": "spill"}, table.stamp)
    else:
        table.match.close([], "late", "", stamp=table.stamp)
    stood, notices = table.match.position.to_file(), len(table.match.notices)
    revision = table.match.amend(1, 1)
    assert {*revision.fate.values()} == {Fate.KEPT, Fate.DOUBTFUL}
    revision.commit(table.stamp)
    assert table.match.position.to_file() == stood
    assert len(table.match.notices) == notices
    assert (table.match.outcome is not None) == (act == "close")
    assert Match.replay(table.match.entries).position.to_file() == stood


def test_what_belongs_to_an_answer_that_waits_waits_with_it(table: Any) -> None:
    """A report after a line is read again after that line, not before."""
    table.match.adjust({"tally": 9}, "", stamp=table.stamp)
    revision = table.match.amend(2, 3)
    assert revision.fate[10] is Fate.PARKED
    revision.commit(table.stamp)
    assert table.match.position.tally == 3
    table.say("round-1/more", 0)
    assert (table.match.position.tally, table.match.fates[10]) == (9, Fate.KEPT)


@pytest.mark.parametrize("back", [1, 2])
def test_what_an_arbiter_does_in_a_form_stays_when_a_word_before_it_is_taken_back(
    table: Any, back: int
) -> None:
    """The report does not wait for that word: it was true without it."""
    table.say("round-3/a", 1)
    table.say("round-3/b", 1)
    word = table.match.steps[-back]
    table.match.report({"what": "spill"}, table.stamp)
    table.match.undo(word.seq, stamp=table.stamp)
    revision = table.match.amend(1, 3)
    assert {*revision.fate.values()} == {Fate.KEPT}
    revision.commit(table.stamp)
    assert len(table.match.notices) == 1
    again: Match[Any] = Match.replay(table.match.entries)
    assert again.notices.keys() == table.match.notices.keys()


def test_a_parked_answer_is_doubtful_by_what_it_was_first_chosen_between(table: Any) -> None:
    """However long it waited, and over however many amends."""
    table.match.amend(2, 3).commit(table.stamp)
    table.match.amend(1, 1).commit(table.stamp)
    table.say("round-1/more", 0)
    fates = table.match.fates
    assert [seq for seq, fate in fates.items() if fate is Fate.DOUBTFUL] == [5, 8]
    again: Match[Any] = Match.replay(table.match.entries)
    assert again.fates == fates


@pytest.mark.parametrize("change", ["undo", "amend"])
def test_the_rules_of_a_past_that_is_given_up_do_not_run_on(table: Any, change: str) -> None:
    """Their coroutine is unwound; nothing of it runs on."""
    old = table.match._timeline.run
    assert inspect.getcoroutinestate(old._coroutine) == inspect.CORO_SUSPENDED
    if change == "undo":
        table.match.undo(7, stamp=table.stamp)
    else:
        table.match.amend(1, 2).commit(table.stamp)
    assert inspect.getcoroutinestate(old._coroutine) == inspect.CORO_CLOSED
    now = table.match._timeline.run
    assert inspect.getcoroutinestate(now._coroutine) == inspect.CORO_SUSPENDED


def test_only_a_run_that_writes_a_file_keeps_one(table: Any) -> None:
    """A file a round, kept by each of hundreds of runs that are tried, is work for nobody."""
    assert table.match._timeline.run.file is None
    assert table.match._timeline.replayer(1).file is None
    assert table.match._timeline.replayer(1, keep_file=True).file is not None


# -- what an amend is said to change ---------------------------------------------------------


def test_an_amend_says_how_many_lines_stay_and_which_have_other_options(table: Any) -> None:
    changed = "stays, but its options have changed"
    assert table.match.amend(1, 1).in_words() == [
        f"6 later lines stay; line 5 (A adds? — 2) {changed}; line 8 (More? — 2) {changed}."
    ]
    assert table.match.amend(8, 1).in_words() == ["1 later line stays."]
    assert table.match.amend(9, "yes").in_words() == ["0 later lines stay."]


def test_an_amend_says_what_waits_for_which_questions(table: Any) -> None:
    table.match.report({"what": "spill"}, table.stamp)
    waits = table.match.amend(2, 3)
    assert (waits.asked, waits.waiting) == (["round-1/more"], [*range(4, 11)])
    back = "come back when that is answered, where they still fit."
    assert waits.in_words() == [
        f"Asked first: More? 7 lines below (lines 4 to 10) {back}",
        "1 later line stays.",
    ]
    assert table.match.amend(3, "ready").in_words() == ["7 later lines stay."]


def test_an_answer_whose_question_is_past_is_dropped(table: Any) -> None:
    """Without B's three nobody is asked for more, and the next round is asked already."""
    revision = table.match.amend(6, 0)
    assert (revision.fate[8], revision.waiting) == (Fate.DROPPED, [])
    (words,) = revision.in_words()
    over = "is dropped: its question does not come again (round 2 is over)"
    assert words == f"2 later lines stay; line 8 (More? — 2) {over}."
    revision.commit(table.stamp)
    assert table.match.fates[8] is Fate.DROPPED
    assert (table.match.parked, table.match.dropped) == ((), {8: "round 2"})


def test_what_stands_behind_a_restart_shares_its_fate() -> None:
    """Nothing is said of it before it is known what is asked."""

    class Play:
        """A match in its third round."""

        def over(self, key: str) -> str:
            return key.partition("/")[0] if key < "round-3" else ""

    play: Any = Play()
    old, restart = Step(4, "answer", "round-1/A", 2), Step(5, "restart", "round-2/A", None)
    later, new = Step(6, "answer", "round-3/A", 1), Step(7, "answer", "round-3/B", 1)
    assert never_again(play, [old, later, restart, new]) == {
        4: "round-1",
        5: "round-2",
        7: "round-2",
    }
    waiting = restart._replace(key="round-3/A")
    assert never_again(play, [old, waiting, old._replace(seq=8)]) == {4: "round-1"}


def test_what_lapsed_with_a_word_is_taken_back_with_it_from_the_first_line_on(table: Any) -> None:
    """Of one breath are lines whose numbers follow each other, the word last."""
    timeline = table.match._timeline
    first, word, later = (
        Step(seq, kind, key, 0) for seq, kind, key in ((1, "lapse", "a"), (2, "answer", "b"),
                                                       (4, "answer", "c"))
    )  # fmt: skip
    timeline.steps[:] = [first, word, later]
    assert [timeline._lapsed_with(at) for at in range(3)] == [False, True, False]
    timeline.steps[:] = [first, later]
    assert not timeline._lapsed_with(1), "line 2 was taken back alone"


def test_one_line_that_waits_comes_back_by_itself(tally: Maker) -> None:
    table = tally()
    play(table, 1, 1)
    revision = table.match.amend(2, 3)
    assert revision.waiting == [4]
    back = "comes back when that is answered, where it still fits."
    assert revision.in_words()[0] == f"Asked first: More? 1 line below (line 4) {back}"


def test_a_word_given_in_the_open_form_is_not_asked_first(table: Any) -> None:
    table.say("round-3/a", 1)
    assert table.match.amend(9, "yes").asked == ["round-3/b", "round-3/done"]


def test_an_answer_that_fits_no_more_is_asked_again_and_an_act_falls_away(table: Any) -> None:
    """A question can be asked anew; nobody is asked for a report."""
    table.say("round-3/a", 11)
    revision = table.match.amend(5, 0)
    assert revision.fate[10] is Fate.ASKED_AGAIN
    (words,) = revision.in_words()
    assert words.endswith("; line 10 (A adds? — 11) is asked again.")
    (words,) = replace(revision, acts={10}, said={}).in_words()
    assert words.endswith("; line 10 falls away: it does not fit any more.")


def test_rulings_are_told_in_the_order_of_the_match(table: Any) -> None:
    assert flips(table.match.amend(1, 1)) == [
        ("round-1/done", "The tally is 3.", "The tally is 1."),
        ("round-2/done", "The tally is 6.", "The tally is 4."),
    ]
    assert flips(table.match.amend(4, "no")) == [
        ("round-1/bonus", "A bonus of one.", None),
        ("round-2/done", "The tally is 6.", "The tally is 5."),
    ]
    assert flips(table.match.amend(9, "yes")) == [("round-2/bonus", None, "A bonus of one.")]


def test_of_equal_rulings_the_one_under_its_own_question_stays(table: Any) -> None:
    """Two bonuses, and the first is taken back: the second is as it was."""
    table.match.amend(9, "yes").commit(table.stamp)
    assert flips(table.match.amend(4, "no"))[0] == ("round-1/bonus", "A bonus of one.", None)
    assert len(flips(table.match.amend(9, "no"))) == 1


def test_what_is_ruled_alike_in_another_round_is_a_change(tally: Maker) -> None:
    """Three were told at last, in round 2; told at once they are of round 1."""
    table = tally()
    play(table, 1, 1)
    play(table, 2, 2)
    assert flips(table.match.amend(1, 3)) == [
        ("round-1/done", "The tally is 1.", "The tally is 3."),
        ("round-2/done", "The tally is 3.", "The tally is 5."),
    ]


def test_a_ruling_that_flips_concerns_whom_the_new_one_names() -> None:
    """Where it is not ruled any more, whom the old one named."""
    a, b = (Ruling("Hit", Cite.of("T-1"), by=Seat(seat)) for seat in "AB")
    assert RulingFlip("q", a, b).by == "B"
    assert RulingFlip("q", a, None).by == "A"
    assert RulingFlip("q", None, None).by == TABLE


def test_rulings_of_a_line_that_waits_fall_with_it_and_are_no_flips(table: Any) -> None:
    """They come again with it; those of a line that is dropped are gone."""
    revision = table.match.amend(2, 3)
    assert flips(revision) == []
    falling = {seq: [one.text for one in said] for seq, said in revision.falling.items()}
    fallen = {4: ["A bonus of one."], 7: ["The tally is 6."], 8: ["2 more."]}
    assert falling == {seq: fallen.get(seq, []) for seq in range(4, 10)}
    assert flips(table.match.amend(6, 0)) == [("round-2/more", "2 more.", None)]
