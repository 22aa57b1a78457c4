"""Laws that every match of Jaws & Paws keeps, held over random ones with random corrections."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import TABLE, Json
from companion.games.jaws_and_paws.faults import faults
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
BOX = "jaws-and-paws"
FATEFUL = ("agreed", "toss", "sun", "reveal", "lock", "discard")


def new_match(options: dict[str, Json] | None = None) -> Match[Any]:
    return Match.start(Setup(BOX, options=options or {}), STAMP)


def say(match: Match[Any], key: str, raw: Json) -> None:
    match.answer(Offer(key, raw, "script", TABLE), STAMP)


def waiting(match: Match[Any]) -> list[str]:
    return [key for key in match.open if key not in match.answered]


def play_on(match: Match[Any], rng: Random, answers: int) -> None:
    """Random legal answers; what does not go together is refused and tried again."""
    player = RandomPlayer(rng)
    for _ in range(answers):
        keys = waiting(match)
        if not keys:
            return
        key = rng.choice(keys)
        try:
            say(match, key, player.answer(match.open[key]))
        except IllegalAnswer:
            _start_form_afresh(match)


def _start_form_afresh(match: Match[Any]) -> None:
    """Answers of a form that do not go together are all taken back."""
    while match.answered and match.last_act is not None:
        match.undo(stamp=STAMP)
        if not match.answered:
            return


def asked(match: Match[Any]) -> object:
    """What is open, for whom, under which rule, with which answers and where they lead."""
    return {
        key: (
            question.terms(),
            str(question.cite),
            question.prompt,
            [(o.name, o.label, o.shows, o.group, o.cell, o.sign) for o in question.options_now()],
        )
        for key, question in match.open.items()
    }


def table(match: Match[Any]) -> object:
    """Everything a table sees of a match."""
    said = [(ruling.text, str(ruling.cite), ruling.deeds) for ruling in match.rulings]
    parked = [(step.key, step.value) for step in match.parked]
    return (
        match.position.to_file(), asked(match), match.answered, said, match.outcome,
        list(match.notices.values()), parked,
    )  # fmt: skip


def options_of(rng: Random) -> dict[str, Json]:
    """A random choice of the switches that change which questions are asked."""
    return {
        "timer_s": rng.choice([20, 10, "none"]),
        "lock_asks": rng.choice(["sections", "sections", "players"]),
        "early_end": rng.choice(["never", "all_locked"]),
        "doubled_reveal": rng.choice([False, True]),
        "unclear_half": rng.choice(["no_effect", "owner_chooses"]),
        "double_ko": rng.choice(["draw", "replay", "most_cards"]),
    }


@pytest.mark.slow(gate=4)
@pytest.mark.seeds(15, 25)
def test_laws_of_answers_and_undo(seed: int) -> None:
    """Every prefix replays equal, keys are unique, undo of an answer restores the table."""
    rng = Random(seed)
    match = new_match(options_of(rng))
    seen: list[str] = []
    for _ in range(60):
        if match.outcome is not None or not waiting(match):
            break
        for key in waiting(match):
            if key not in seen:
                seen.append(key)
        before = table(match)
        key = rng.choice(waiting(match))
        try:
            say(match, key, RandomPlayer(rng).answer(match.open[key]))
        except IllegalAnswer:
            assert table(match) == before
            _start_form_afresh(match)
            continue
        after = table(match)
        match.undo(stamp=STAMP)
        assert table(match) == before
        say(match, key, match.entries[-2].answer)
        assert table(match) == after
    keys = [entry.key for entry in match.entries if entry.key]
    effective = [step.key for step in match.steps]
    assert len(set(effective)) == len(effective)
    assert set(effective) <= set(keys)
    replayed: Match[Any] = Match.replay(match.entries)
    assert table(replayed) == table(match)


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(12, 25)
def test_every_open_question_reads_back_from_a_position_file(seed: int) -> None:
    """Written as a position file and read back, a match asks the same, options included."""
    rng = Random(1_000 + seed)
    options = options_of(rng)
    match = new_match(options)
    for _ in range(40):
        if match.outcome is not None:
            return
        file = match.position_file()
        again: Match[Any] = Match.start(Setup(BOX, options=options, position=file), STAMP)
        assert asked(again) == asked(match)
        assert again.answered == match.answered
        assert again.position_file() == file
        play_on(match, rng, rng.randint(1, 9))


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(14, 40)
def test_laws_of_amend_and_adjust(seed: int) -> None:
    """No answer serves another question; what is refused changes nothing; the log replays equal."""
    rng = Random(2_000 + seed)
    match = new_match(options_of(rng))
    for _ in range(10):
        play_on(match, rng, rng.randint(5, 25))
        before = table(match)
        given = {step.seq: (step.key, step.value) for step in match.steps if step.answers}
        try:
            _correct(match, rng)
        except CompanionError:
            assert table(match) == before
        for step in match.steps:
            if step.answers and step.seq in given:
                assert step.key == given[step.seq][0]
        replayed: Match[Any] = Match.replay(match.entries)
        assert table(replayed) == table(match)
        if not match.parked and match.outcome is None:
            assert faults(match.position) == []


def _correct(match: Match[Any], rng: Random) -> None:
    """Some correction that an arbiter might make, legal or not."""
    answers = [step for step in match.steps if step.answers]
    if rng.random() < 0.3 or not answers:
        zones = [f"{team}.{letters}" for team in ("Jaws", "Paws") for letters in ("PL", "GC", "GR")]
        changes: dict[str, Json] = rng.choice(
            [
                {"JP.deck": rng.randint(0, 30)},
                {"JP.deck": 1, "JP.scrap": 25},
                {"sun": rng.choice(zones)},
                {"jaws": rng.choice(zones)},
                {"Paws.smoke": True},
            ]
        )
        match.adjust(changes, "recounted", stamp=STAMP)
        return
    step = rng.choice(answers)
    others = [other.value for other in answers if other.key.split("/")[-2:] != ["x", "y"]]
    match.amend(step.seq, rng.choice(others), "entered wrong").commit(STAMP)
