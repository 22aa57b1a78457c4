"""Answers in words: noted as each is taken, and the same as the match played again tells them."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.offers import Offer
from companion.core.ruling import TABLE
from companion.games import RULEBOOKS, find_rulebook
from companion.kit.playing import RandomPlayer
from companion.match.history import History, Told
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.run import Run
from companion.match.simulation import STAMP, bots_of

SETUPS = [Setup(box, (mode,)) for box in RULEBOOKS for mode in find_rulebook(box).variants]
ANSWERS = 60


def _by_answers(match: Match[Any], setup: Setup) -> Iterator[None]:
    """A match that bots play, stopped at after each answer."""
    bots, ruled = bots_of(setup, Random(3)), 0
    for _ in range(ANSWERS):
        if match.outcome is not None:
            return
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
        yield


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: "-".join((s.box, *s.variants)))
def test_what_is_noted_is_what_the_match_played_again_tells(setup: Setup) -> None:
    """Whatever was undone, amended or reported on the way."""
    rng = Random(2)
    match = Match[Any].start(setup, STAMP)
    history = History.following(match)
    for at, _ in enumerate(_by_answers(match, setup)):
        if at % 7 == 0:
            assert history.told == History(match).told
    for _ in range(6):
        line = rng.choice([step for step in match.steps if step.answers][-20:])
        asked = match.asked_at(line.seq)
        assert asked is not None
        with suppress(CompanionError):
            if rng.random() < 0.7:
                raw = RandomPlayer(rng).answer(asked)
                match.amend(line.seq, raw, "misread").commit(STAMP)
            else:
                match.undo(line.seq, stamp=STAMP)
        assert history.told == History(match).told
        open_now = [q for key, q in match.open.items() if key not in match.answered]
        for question in open_now[:1]:
            with suppress(CompanionError):
                raw = RandomPlayer(rng).answer(question)
                match.answer(Offer(question.key, raw, "script", question.by), STAMP)
        assert history.told == History(match).told


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("setup", SETUPS, ids=lambda s: "-".join((s.box, *s.variants)))
def test_what_is_tried_is_tried_on_a_copy_of_the_whole_position(setup: Setup) -> None:
    """Each quantity may be set to what it is, and trying another one leaves the match alone."""
    match = Match[Any].start(setup, STAMP)
    history = History.following(match)
    for at, _ in enumerate(_by_answers(match, setup)):
        if at % 15:
            continue
        facts, digest = list(match.position.facts()), match.position.digest()
        for fact in facts:
            set_anew = history.adjusted(fact.name, fact.value)
            assert set_anew is None or (set_anew.name, set_anew.seat) == (fact.name, fact.seat)
            for value in (0, 1, True, ""):
                history.adjusted(fact.name, value)
        copy = history._copy()
        assert copy is not match.position
        assert (list(copy.facts()), copy.digest(), copy.to_file()) == (
            facts,
            digest,
            match.position.to_file(),
        )
        assert (list(match.position.facts()), match.position.digest()) == (facts, digest)


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Runs that were thrown away stay and can be counted: each is in a circle with its rules."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def _runs() -> int:
    return sum(isinstance(one, Run) for one in gc.get_objects())


@pytest.mark.usefixtures("uncollected")
def test_a_live_match_is_not_played_twice() -> None:
    """Its words need no run beside the match's own, neither for a moment nor for good."""
    before, setup = _runs(), Setup("dogfight-1917")
    match = Match[Any].start(setup, STAMP)
    history = History.following(match)
    for _ in _by_answers(match, setup):
        assert len(history.told) == len([step for step in match.steps if step.answers])
    assert _runs() == before + 1


def test_what_a_line_said_is_known_after_it_was_taken_back() -> None:
    """By whoever read it then, and by whoever reads the log afterwards."""
    match = Match[Any].start(Setup("jaws-and-paws"), STAMP)
    history = History.following(match)
    match.answer(Offer("set-up/toss", "Jaws", "script", TABLE), STAMP)
    assert history.told[1].said == "Team Jaws"
    match.undo(stamp=STAMP)
    assert 1 not in history.told
    told = history.once_told(1)
    assert isinstance(told, Told)
    assert (told.key, told.said) == ("set-up/toss", "Team Jaws")
    assert history.once_told(7) is None
    assert History(Match[Any].replay(match.entries)).once_told(1) == told


def test_what_a_screen_looks_up_is_found_once_until_the_log_grows() -> None:
    """Screens ask ten times a second; what a correction would do changes with the log alone."""
    setup = Setup("dogfight-1917")
    match = Match[Any].start(setup, STAMP)
    history = History.following(match)
    found: list[int] = []

    def find() -> int:
        found.append(len(match.entries))
        return len(match.entries)

    answers = _by_answers(match, setup)
    for lines in (1, 2, 3):
        assert [history.found("lines", find) for _ in range(3)] == [lines] * 3
        next(answers)
    assert found == [1, 2, 3]
    assert history.asked_at(1) is history.asked_at(1)
    match.undo(1, stamp=STAMP)
    assert history.asked_at(1) is None
