"""Lines that wait after an amend: they come back, or are dropped once play is past them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.offers import Offer
from companion.games import RULEBOOKS, find_rulebook
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.referee.protocol import read_protocol

SETUPS = [Setup(box, (mode,)) for box in RULEBOOKS for mode in find_rulebook(box).variants]
BEFORE, AFTER, TRIES, SEEDS = 50, 60, 12, 9


def _amended(setup: Setup, seed: int) -> Match[Any] | None:
    """A match of which an amend has taken lines out of effect; None where twelve tries did not."""
    rng = Random(seed)
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, rng), BEFORE)
    for _ in range(TRIES):
        line = rng.choice([step for step in match.steps if step.answers][-25:])
        asked = match.asked_at(line.seq)
        assert asked is not None
        try:
            revision = match.amend(line.seq, RandomPlayer(rng).answer(asked), "misread")
        except CompanionError:
            continue
        if revision.waiting or revision.changed.dropped:
            revision.commit(STAMP)
            return match
    return None


def _plays_on(match: Match[Any], rng: Random) -> bool:
    """One more answer; false where there is none that the rules take."""
    question = next((q for key, q in match.open.items() if key not in match.answered), None)
    if question is None:
        return False
    try:
        raw = RandomPlayer(rng).answer(question)
        match.answer(Offer(question.key, raw, "script", question.by), STAMP)
    except CompanionError:
        return False
    return True


def _is_over(match: Match[Any], key: str) -> bool:
    number = match.rulebook.round_number
    return match.outcome is not None or number(key) < min(map(number, match.open), default=())


DRAWS = ("dogfight-1917", "dogfight-hex", "starship-edition")


@pytest.mark.parametrize("box", DRAWS)
def test_a_warning_stands_until_its_round_is_over(box: str) -> None:
    """Cards drawn beyond what was ruled: to be put back then, or never; a replay says the same."""
    setup, rng = Setup(box), Random(4)
    match = Match[Any].start(setup, STAMP)
    bots = bots_of(setup, rng)
    play_out(match, bots, 25)
    seat = match.rulebook.seats_taken()[0]
    match.report({"what": "drew", "player": str(seat), "count": 1}, STAMP)
    (seq,) = match.notices
    number = match.rulebook.round_number
    reported_in = min(map(number, match.open))
    while min(map(number, match.open)) == reported_in:
        assert seq in match.notices
        assert _plays_on(match, rng)
        assert match.outcome is None
    assert seq not in match.notices
    assert not Match[Any].replay(match.entries).notices
    over_since = len(match.entries) - 1
    again = match.report({"what": "drew", "player": str(seat), "count": 1}, STAMP)
    assert again is not None
    match.report({"what": "solved", "code": again.code}, STAMP)
    (line,) = [one for one in read_protocol(match.entries, str).lines if one.entry.seq == seq]
    assert [mark.text for mark in line.marks] == [f"Needed no longer since line {over_since}."]


NOTHING_IS_DROPPED: frozenset[str] = frozenset()
"""Boxes in which no answer changes what is asked later; name yours where that is so."""


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: "-".join((s.box, *s.variants)))
def test_what_waits_is_dropped_when_its_round_is_over_and_not_before(setup: Setup) -> None:
    """No line waits for a question of a round that is over; none that is dropped comes back."""
    dropped = seed = 0
    while not dropped and seed < SEEDS:
        seed += 1
        match = _amended(setup, seed)
        rng = Random(seed)
        was: set[int] = set()
        while match is not None and len(match.entries) < BEFORE + AFTER and _plays_on(match, rng):
            assert not [step for step in match.parked if _is_over(match, step.key)]
            assert was <= match.dropped.keys()
            was = {*match.dropped}
        if match is None:
            continue
        dropped += len(was)
        again = Match[Any].replay(match.entries)
        assert (again.parked, again.dropped) == (match.parked, match.dropped)
        for line in read_protocol(match.entries, lambda _: "").lines:
            seq = line.entry.seq
            ends = [mark.text for mark in line.marks if "never came again" in mark.text]
            over = match.dropped.get(seq)
            assert [end.rpartition(" (")[2] for end in ends] == (
                [] if over is None else [f"{over} is over)."]
            )
            assert not (line.in_effect and over)
    if setup.box in NOTHING_IS_DROPPED:
        assert not dropped, f"{setup.box} has lines that are dropped: take it off the list"
        pytest.skip("no answer of this box changes what is asked later")
    assert dropped, f"where no answer of {setup.box} changes what is asked later, list it above"


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", ["dogfight-1917", "dogfight-hex"])
def test_the_protocol_says_by_what_end_an_ended_match_has_dropped_lines(box: str) -> None:
    """Lines that a round's end had dropped are those of a match that is over, when it is."""
    ended = (_ended(Setup(box), seed) for seed in range(1, SEEDS))
    match = next(match for match in ended if match is not None)
    assert {*match.dropped.values()} == {"the match"}
    for line in read_protocol(match.entries, lambda _: "").lines:
        if line.entry.seq in match.dropped:
            assert line.marks[-1].text.endswith("never came again (the match is over).")


def _ended(setup: Setup, seed: int) -> Match[Any] | None:
    """A match that has ended after a round's end had dropped lines; None where none were."""
    match, rng = _amended(setup, seed), Random(seed)
    was: set[int] = set()
    while match is not None and match.outcome is None:
        was = {*match.dropped}
        if not _plays_on(match, rng):
            return None
    return match if was else None
