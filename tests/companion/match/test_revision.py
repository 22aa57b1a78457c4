"""What an amend would change, line by line and in words, of runs that are made up for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from companion.core.ruling import TABLE, Cite, Ruling, Seat
from companion.match.revision import Revision, RulingFlip
from companion.match.timeline import Fate

A, B = Seat("A"), Seat("B")
BACK = "back when that is answered, where"


def ruled(text: str, by: Seat = A, rule: str = "R-1") -> Ruling:
    return Ruling(text, Cite.of(rule), by=by)


Ruled = Sequence[tuple[int, str, Sequence[Ruling]]]


def revision(
    *,
    before: Ruled = (),
    now: Ruled = (),
    fates: Mapping[int, Fate] | None = None,
    over: Mapping[int, str] | None = None,
    asks: Mapping[str, str] | None = None,
    answered: Sequence[str] = (),
    open_now: Mapping[str, str] | None = None,
) -> Revision:
    """An amend of line 1, as if a box had ruled and asked this."""
    asked = {key: SimpleNamespace(prompt=prompt) for key, prompt in (asks or {}).items()}
    rules = SimpleNamespace(split_key=lambda key: key.rpartition("/")[::2])
    run = SimpleNamespace(open=asked, answered=answered, ruled_by=lambda: now, rules=rules)
    changed: Any = SimpleNamespace(run=run, fates=fates or {}, dropped=over or {})
    put: Any = None
    return Revision(1, 5, "misread", changed, before, put, {}, open=open_now or {})


def test_a_ruling_that_says_the_same_rule_of_the_same_one_is_changed_and_others_come_and_go() -> (
    None
):
    hit, missed = ruled("A is hit."), ruled("A is missed.")
    other, crash = ruled("B climbs.", B), ruled("A crashes.", rule="R-2")
    told = revision(
        before=[(4, "fire", [hit, other]), (6, "turn", [ruled("A turns.")])],
        now=[(4, "fire", [missed, crash]), (6, "turn", [ruled("A turns.")])],
    )
    assert told.flips == [
        RulingFlip("fire", hit, missed),
        RulingFlip("fire", other, None),
        RulingFlip("fire", None, crash),
    ]
    assert [flip.by for flip in told.flips] == [A, B, A]
    assert RulingFlip("fire", None, None).by is TABLE


def test_of_equal_rulings_as_many_stay_as_are_ruled_again() -> None:
    """The last one goes; and each that comes is paired with one that goes, not twice."""
    hit, missed = ruled("A is hit."), ruled("A is missed.")
    told = revision(before=[(4, "fire", [hit, hit, hit])], now=[(4, "fire", [hit, missed])])
    assert told.flips == [RulingFlip("fire", hit, missed), RulingFlip("fire", hit, None)]
    told = revision(before=[(4, "fire", [hit])], now=[(4, "fire", [hit, hit])])
    assert told.flips == [RulingFlip("fire", None, hit)]


def test_a_ruling_is_the_same_under_its_own_question_first() -> None:
    """The hit of the second question stays; that of the first is the one that goes."""
    hit, cite = ruled("A is hit."), ruled("A is hit.", rule="R-2")
    told = revision(before=[(4, "one", [hit]), (5, "two", [hit])], now=[(5, "two", [hit])])
    assert [(flip.key, flip.new) for flip in told.flips] == [("one", None)]
    told = revision(before=[(4, "one", [hit])], now=[(5, "two", [hit])])
    assert told.flips == [], "under another question it is ruled all the same"
    told = revision(before=[(4, "one", [hit])], now=[(4, "one", [cite])])
    assert len(told.flips) == 2, "by another rule it is another ruling"


def test_a_ruling_of_another_round_is_another() -> None:
    """Ana climbs in the second turn only where she did not in the first."""
    climbs = ruled("Ana climbs: height 3.")
    told = revision(before=[(4, "turn-1/climb", [climbs])], now=[(7, "turn-2/climb", [climbs])])
    assert [(flip.key, flip.old, flip.new) for flip in told.flips] == [
        ("turn-1/climb", climbs, None),
        ("turn-2/climb", None, climbs),
    ]
    told = revision(before=[(4, "turn-1/climb", [climbs])], now=[(5, "turn-1/fly", [climbs])])
    assert told.flips == []


def test_rulings_of_a_line_that_waits_fall_with_it() -> None:
    """And are told there, not among those that change."""
    hit, climbs = ruled("A is hit."), ruled("B climbs.", B)
    told = revision(
        before=[(4, "fire", [hit]), (6, "climb", [climbs])],
        fates={4: Fate.PARKED, 5: Fate.PARKED, 6: Fate.ASKED_AGAIN},
    )
    assert told.falling == {4: [hit], 5: []}
    assert [flip.old for flip in told.flips] == [climbs]


@pytest.mark.parametrize(
    ("fates", "words"),
    [
        ({}, "0 later lines stay."),
        ({4: Fate.KEPT}, "1 later line stays."),
        ({4: Fate.KEPT, 5: Fate.KEPT}, "2 later lines stay."),
        (
            {5: Fate.ASKED_AGAIN, 4: Fate.DOUBTFUL, 6: Fate.KEPT},
            (
                "1 later line stays; line 4 (hit) stays, but its options have changed; "
                "line 5 is asked again."
            ),
        ),
        ({7: Fate.ASKED_AGAIN}, "0 later lines stay; line 7 falls away: it does not fit any more."),
    ],
)
def test_what_becomes_of_later_lines_is_said_of_each(fates: Mapping[int, Fate], words: str) -> None:
    told = replace(revision(fates=fates), said={4: "hit"}, acts={7})
    assert told.in_words() == [words]


def test_three_lines_that_are_dropped_are_said_singly_and_four_together() -> None:
    for many in (3, 4):
        lines = range(4, 4 + many)
        fates = {**dict.fromkeys(lines, Fate.DROPPED), 9: Fate.DOUBTFUL}
        told = revision(fates=fates, over=dict.fromkeys(lines, "round 4"))
        (words,) = told.in_words()
        end = "not come again (round 4 is over)"
        single = f"line 4 is dropped: its question does {end}"
        together = f"lines 4 to 7 are dropped: their questions do {end}"
        assert (single in words, together in words) == (many == 3, many == 4)
        assert words.count("round 4 is over") == (3 if many == 3 else 1)
        assert "line 9 stays, but its options have changed" in words


def test_dropped_lines_are_said_together_by_what_is_over() -> None:
    over = {**dict.fromkeys((4, 5, 6, 7), "round 4"), 8: "round 5"}
    told = revision(fates=dict.fromkeys(over, Fate.DROPPED), over=over)
    assert told.in_words() == [
        (
            "0 later lines stay; "
            "line 8 is dropped: its question does not come again (round 5 is over); "
            "lines 4 to 7 are dropped: their questions do not come again (round 4 is over)."
        )
    ]


def test_questions_that_are_new_are_said_and_those_that_stand_are_not() -> None:
    """A question under an old key that asks something else is a new one."""
    asks = {"one": "How far?", "two": "Who?", "three": "Where?", "four": "When?"}
    told = revision(asks=asks, answered=["four"], open_now={"one": "How far?", "two": "Which?"})
    assert told.asked == ["one", "two", "three"]
    assert told.in_words() == ["0 later lines stay.", "Asked then: Who? / Where?"]
    told = revision(asks=asks, answered=["four"], open_now=asks)
    assert told.in_words() == ["0 later lines stay."]


@pytest.mark.parametrize(
    ("fates", "asks", "words"),
    [
        (
            {4: Fate.PARKED},
            {"one": "How far?"},
            [f"Asked first: How far? 1 line below (line 4) comes {BACK} it still fits."],
        ),
        (
            {5: Fate.PARKED, 4: Fate.PARKED, 6: Fate.KEPT},
            {"one": "How far?", "two": "Who?"},
            [
                (
                    f"Asked first: How far? / Who? 2 lines below (lines 4 and 5) come {BACK} they "
                    "still fit."
                ),
                "1 later line stays.",
            ],
        ),
        (
            {4: Fate.PARKED, 5: Fate.ASKED_AGAIN},
            {},
            [
                "1 line below (line 4) comes back when asked again, where it still fits.",
                "line 5 is asked again.",
            ],
        ),
    ],
)
def test_lines_that_wait_are_said_with_what_is_asked_first(
    fates: Mapping[int, Fate], asks: Mapping[str, str], words: list[str]
) -> None:
    assert revision(fates=fates, asks=asks).in_words() == words
