"""Laws that every match keeps, held over random ones with random corrections."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Json
from companion.games.dogfight_hex.faults import faults
from companion.games.dogfight_hex.rules import DogfightHex
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
PLAYERS = (3, 4, 6)
PLACES = ("0,0 E", "2,-1 W", "0,-4 SE", "9,9 NW", "0,0", None)


def new_match(rng: Random, players: int) -> Match[Any]:
    """So many players under random house rules, a few of them switched."""
    house = {
        name: rng.choice(switch.values)
        for name, switch in DogfightHex.switches.items()
        if rng.random() < 0.4
    }
    options = {**house, "players": players, "allow_two_players": False}
    return Match.start(Setup("dogfight-hex", options=options), STAMP)


def say(match: Match[Any], raw: Json) -> None:
    """Answer the first question that waits."""
    question = waiting(match)
    match.answer(Offer(question.key, raw, "script", question.by), STAMP)


def waiting(match: Match[Any]) -> Any:
    """The first question without an answer."""
    return next(q for key, q in match.open.items() if key not in match.answered)


def play_on(match: Match[Any], rng: Random, answers: int) -> None:
    """Random legal answers."""
    player = RandomPlayer(rng)
    for _ in range(answers):
        if match.outcome is not None:
            return
        say(match, player.answer(waiting(match)))


def asked(match: Match[Any]) -> object:
    """What is open, for whom, under which rule, with which answers and where they lead."""
    return {
        key: (
            question.terms(),
            str(question.cite),
            question.prompt,
            question.headline,
            [(o.name, o.label, o.shows, o.group) for o in question.options_now()],
        )
        for key, question in match.open.items()
    }


def table(match: Match[Any]) -> object:
    """Everything a table sees of a match."""
    said = [(ruling.text, str(ruling.cite), ruling.deeds) for ruling in match.rulings]
    parked = [(step.key, step.value) for step in match.parked]
    return (
        match.position.digest(), match.position.to_file(), asked(match), match.answered, said,
        match.outcome, list(match.notices.values()), parked,
    )  # fmt: skip


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(2, 3)
@pytest.mark.parametrize("players", PLAYERS)
def test_undo_of_an_answer_restores_the_table(players: int, seed: int) -> None:
    """And the same answer again leads to the same table; keys are unique in a match."""
    rng = Random(f"{players}/{seed}")
    match = new_match(rng, players)
    play_on(match, rng, rng.choice([0, 25, 60, 120]))
    for _ in range(30):
        if match.outcome is not None:
            break
        before = table(match)
        say(match, RandomPlayer(rng).answer(waiting(match)))
        after, key, given = table(match), match.entries[-1].key, match.entries[-1].answer
        match.undo(stamp=STAMP)
        assert table(match) == before
        match.answer(Offer(key, given, "script", match.open[key].by), STAMP)
        assert table(match) == after
    keys = [step.key for step in match.steps]
    assert len(set(keys)) == len(keys)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("players", PLAYERS)
def test_every_prefix_of_a_log_replays_equal(players: int) -> None:
    """Wherever a log breaks off, it tells the table as it stood then."""
    rng = Random(f"prefix/{players}")
    match = new_match(rng, players)
    stood = [table(match)]
    while match.outcome is None and len(stood) < 110:
        play_on(match, rng, 1)
        stood.append(table(match))
    for length in range(1, len(match.entries) + 1, 3):
        assert table(Match.replay(match.entries[:length])) == stood[length - 1]


@pytest.mark.slow(gate=1)
@pytest.mark.seeds(2, 4)
@pytest.mark.parametrize("players", PLAYERS)
def test_laws_of_amend_adjust_and_report(players: int, seed: int) -> None:
    """No answer serves another question; what is refused changes nothing; the log replays equal."""
    rng = Random(f"amend/{players}/{seed}")
    match = new_match(rng, players)
    play_on(match, rng, rng.choice([12, 40, 90]))
    for _ in range(7):
        if match.outcome is not None:
            break
        play_on(match, rng, rng.randint(2, 10))
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
    chance = rng.random()
    if chance < 0.15:
        match.report({"what": "retired", "player": rng.choice("ABCD")}, STAMP)
        return
    if chance < 0.5 or not answers:
        match.adjust(_changes(match, rng), "recounted", stamp=STAMP)
        return
    step = rng.choice(answers)
    part = step.key.split("/")[1]
    others = [other.value for other in answers if other.key.split("/")[1] == part]
    match.amend(step.seq, rng.choice(others), "entered wrong").commit(STAMP)


def _changes(match: Match[Any], rng: Random) -> dict[str, Json]:
    """Quantities, places and house rules, some of them impossible."""
    seat = rng.choice([*match.position.ships])
    ship, deck = match.position.ships[seat], match.position.deck
    switch = rng.choice([*match.rulebook.switches.values()])
    gone: dict[str, Json] = {
        f"{seat}.hull": 0, f"{seat}.owes": 0, f"{seat}.place": "", f"{seat}.debris": "0,0",
        f"{seat}.fell": 1,
    }  # fmt: skip
    choices: list[dict[str, Json]] = [
        {f"{seat}.hull": rng.randint(0, 2)},
        {f"{seat}.hull": 0, f"{seat}.aside": ship.aside + ship.hull},
        {"deck": deck.left + 1},
        {"deck": 0, "discard": deck.discarded + deck.left},
        {f"{seat}.place": rng.choice(PLACES)},
        {f"{seat}.anchored": rng.choice([True, False])},
        {f"{seat}.card": rng.choice(["short", "shield anchor", ""])},
        {"first": rng.choice("ABCD")},
        {"wreck-1": rng.choice(["0,0", "1,1", ""])},
        gone,
        {f"option.{switch.name}": rng.choice(switch.values)},
    ]
    return rng.choice(choices)
