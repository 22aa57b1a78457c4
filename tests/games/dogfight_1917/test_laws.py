"""Laws that every match of Dogfight: 1917 keeps, held over random ones with random corrections."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Json
from companion.games.dogfight_1917.faults import faults
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
MODES: tuple[tuple[str, ...], ...] = (
    ("base",), ("draft",), ("daring-escape",), ("battle-royale",), ("team-battle",),
    ("entente-vs-central-powers",), ("battle-royale", "draft"), ("team-battle", "draft"),
)  # fmt: skip
PLACES = ("0,0 N", "2,-1 SE", "0,-4 S", "9,9 N", "0,0", None)


def new_setup(rng: Random, names: tuple[str, ...]) -> Setup:
    """A mode under random house rules, a few of them switched."""
    switches = Dogfight1917.in_variants(names).switches
    house = {
        name: rng.choice(switch.values) for name, switch in switches.items() if rng.random() < 0.4
    }
    return Setup("dogfight-1917", names, options=house)


def say(match: Match[Any], raw: Json) -> None:
    """Answer the one open question."""
    (question,) = match.open.values()
    match.answer(Offer(question.key, raw, "script", question.by), STAMP)


def play_on(match: Match[Any], rng: Random, answers: int) -> None:
    """Random legal answers."""
    player = RandomPlayer(rng)
    for _ in range(answers):
        if match.outcome is not None or not match.open:
            return
        (question,) = match.open.values()
        say(match, player.answer(question))


def asked(match: Match[Any]) -> object:
    """What is open, for whom, under which rule, with which answers and where they lead."""
    return {
        key: (
            question.terms(),
            str(question.cite),
            question.prompt,
            question.headline,
            [(o.name, o.label, o.shows, o.group, o.sign) for o in question.options_now()],
        )
        for key, question in match.open.items()
    }


def table(match: Match[Any]) -> object:
    """Everything a table sees of a match."""
    said = [(ruling.text, str(ruling.cite), ruling.deeds) for ruling in match.rulings]
    parked = [(step.key, step.value) for step in match.parked]
    return (
        match.position.digest(), match.position.to_file(), asked(match), said, match.outcome,
        list(match.notices.values()), parked,
    )  # fmt: skip


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(2, 4)
@pytest.mark.parametrize("names", MODES, ids="+".join)
def test_undo_of_an_answer_restores_the_table(names: tuple[str, ...], seed: int) -> None:
    """And the same answer again leads to the same table; keys are unique in a match."""
    rng = Random(f"{names}/{seed}")
    match: Match[Any] = Match.start(new_setup(rng, names), STAMP)
    play_on(match, rng, rng.choice([0, 30, 90, 200]))
    for _ in range(30):
        if match.outcome is not None:
            break
        before = table(match)
        (question,) = match.open.values()
        say(match, RandomPlayer(rng).answer(question))
        after, given = table(match), match.entries[-1].answer
        match.undo(stamp=STAMP)
        assert table(match) == before
        say(match, given)
        assert table(match) == after
    keys = [step.key for step in match.steps]
    assert len(set(keys)) == len(keys)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("names", MODES, ids="+".join)
def test_every_prefix_of_a_log_replays_equal(names: tuple[str, ...]) -> None:
    """Wherever a log breaks off, it tells the table as it stood then."""
    rng = Random(f"prefix/{names}")
    match: Match[Any] = Match.start(new_setup(rng, names), STAMP)
    stood = [table(match)]
    while match.outcome is None and len(stood) < 120:
        play_on(match, rng, 1)
        stood.append(table(match))
    for length in range(1, len(match.entries) + 1):
        assert table(Match.replay(match.entries[:length])) == stood[length - 1]


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(2, 3)
@pytest.mark.parametrize("names", MODES, ids="+".join)
def test_every_open_question_reads_back_from_a_position_file(
    names: tuple[str, ...], seed: int
) -> None:
    """Written as a position file and read back, a match asks the same, options included."""
    rng = Random(f"file/{names}/{seed}")
    setup = new_setup(rng, names)
    match: Match[Any] = Match.start(setup, STAMP)
    for _ in range(40):
        if match.outcome is not None:
            return
        file = match.position_file()
        again: Match[Any] = Match.start(
            Setup(setup.box, names, options=setup.options, position=file), STAMP
        )
        assert asked(again) == asked(match)
        assert again.position.digest() == match.position.digest()
        assert again.position_file() == file
        play_on(match, rng, rng.randint(1, 9))


@pytest.mark.slow(gate=4)
@pytest.mark.seeds(2, 4)
@pytest.mark.parametrize("names", MODES, ids="+".join)
def test_laws_of_amend_and_adjust(names: tuple[str, ...], seed: int) -> None:
    """No answer serves another question; what is refused changes nothing; the log replays equal."""
    rng = Random(f"amend/{names}/{seed}")
    match: Match[Any] = Match.start(new_setup(rng, names), STAMP)
    play_on(match, rng, rng.choice([0, 10, 60]))
    for _ in range(6):
        play_on(match, rng, rng.randint(3, 12))
        before = table(match)
        given = {step.seq: step.key for step in match.steps if step.answers}
        try:
            _correct(match, rng)
        except CompanionError:
            assert table(match) == before
        for step in match.steps:
            assert not step.answers or step.key == given.get(step.seq, step.key)
        if not match.parked and match.outcome is None:
            assert faults(match.position) == []
    assert table(Match.replay(match.entries)) == table(match)


def _correct(match: Match[Any], rng: Random) -> None:
    """Some correction that an arbiter might make, legal or not."""
    answers = [step for step in match.steps if step.answers]
    if rng.random() < 0.4 or not answers:
        match.adjust(_changes(match, rng), "recounted", stamp=STAMP)
        return
    step = rng.choice(answers)
    others = [other.value for other in answers if other.key.rpartition("/")[2] in step.key]
    match.amend(step.seq, rng.choice(others), "entered wrong").commit(STAMP)


def _changes(match: Match[Any], rng: Random) -> dict[str, Json]:
    """Quantities, places and house rules, some of them impossible."""
    seat = rng.choice([*match.position.players])
    player = match.position.players[seat]
    deck = player.piles["deck"]
    switch = rng.choice([*match.rulebook.switches.values()])
    return rng.choice(
        [
            {f"{seat}.tokens": rng.randint(-1, 25)},
            {f"{seat}.deck": deck + 1},
            {f"{seat}.deck": 0, f"{seat}.damage": player.piles["damage"] + deck},
            {f"{seat}.place": rng.choice(PLACES)},
            {f"{seat}.pilot_side": rng.choice(["A", "B", "C"])},
            {f"{seat}.crashed": True},
            {"maneuvered": rng.choice([True, False])},
            {"active": rng.choice("ABCD")},
            {f"option.{switch.name}": rng.choice(switch.values)},
        ]
    )
