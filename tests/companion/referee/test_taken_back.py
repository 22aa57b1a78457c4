"""A decision that is taken back, in a match of each box: all is as it was, the log keeps both."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from companion.referee.challenge import (
    Verdict,
    challenges_in,
    counted_corrections,
    counted_verdicts,
    replayed_from,
)
from companion.referee.protocol import read_protocol

Maker = Callable[..., Any]
NAMES = ("Ana", "Ben", "Cleo", "Dan")
SEATS = {
    "jaws-and-paws": ("JP", "JG", "PP", "PG"),
    "dogfight-1917": ("A", "B"),
    "dogfight-hex": ("A", "B"),
    "starship-edition": ("A", "B"),
    "talespin-dogfight": ("A", "B"),
}
ANSWERS = 24


def begun(tables: Maker, box: str, seed: int = 3) -> tuple[Any, Any]:
    """A table whose match of a box has come so far, and the bots that played it."""
    seats = {Seat(seat): name for seat, name in zip(SEATS[box], NAMES, strict=False)}
    setup = Setup(box, seats=seats)
    table = tables(setup=setup)
    table.referee.begin(table.now)
    bots = bots_of(setup, Random(seed))
    play_out(table.referee.match, bots, ANSWERS)
    return table, bots


def standing(match: Match[Any]) -> tuple[Any, ...]:
    """All that a decision may change, and what hands are asked."""
    facts = tuple((fact.name, fact.value) for fact in match.position.facts())
    rulings = tuple(ruling.text for ruling in match.rulings)
    placed = tuple(match.position.placement().items())
    return tuple(match.steps), tuple(match.open), dict(match.answered), facts, rulings, placed


def play_on(match: Match[Any], bots: Any, most: int) -> None:
    """After something was taken back; bots that count what was laid cannot."""
    if match.setup.box not in ("dogfight-hex", "dogfight-1917"):
        before = len(match.steps)
        play_out(match, bots, most)
        assert len(match.steps) > before


@pytest.mark.parametrize("box", SEATS)
def test_a_round_that_was_played_again_is_as_it_was(real_tables: Maker, box: str) -> None:
    """Some of it was played once more in between; the old answers count, the new ones do not."""
    table, bots = begun(real_tables, box)
    referee = table.referee
    before = standing(referee.match)
    referee.presses.open(table.now, Seat(referee.match.rulebook.sides_taken()[0]))
    began = replayed_from(referee.match)
    assert began is not None
    referee.decide(table.now, Verdict.REPLAYED, by="Judy")
    play_on(referee.match, bots, 3)
    assert standing(referee.match) != before
    referee.take_back_decision(table.now, reason="touched by mistake", by="Judy")
    assert standing(referee.match) == before
    entries = table.disk.lines
    assert len(entries) == len(referee.match.entries)
    assert standing(Match[Any].replay(entries)) == before
    protocol = read_protocol(entries, lambda at: at)
    assert protocol.drift is None
    lines = {line.entry.seq: line for line in protocol.lines}
    (challenge,) = challenges_in(entries)
    (struck,) = challenge.struck
    assert not lines[struck.seq].in_effect
    assert "(Judy, " in lines[struck.seq].marks[-1].text
    undo = next(line for line in lines.values() if line.entry.kind == "undo")
    assert not undo.in_effect
    assert all(lines[step.seq].in_effect for step in before[0])
    play_on(referee.match, bots, 6)
    assert Match[Any].replay(referee.match.entries).steps == referee.match.steps


@pytest.mark.parametrize("box", SEATS)
def test_what_was_corrected_is_as_it_was(real_tables: Maker, box: str) -> None:
    """An answer undone and told otherwise within the dispute; then both are taken back."""
    table, bots = begun(real_tables, box, 5)
    referee = table.referee
    before = standing(referee.match)
    referee.presses.open(table.now, Seat(referee.match.rulebook.sides_taken()[0]))
    referee.undo(table.now, referee.match.steps[len(before[0]) // 2].seq, "wrong", "Judy")
    referee.decide(table.now, Verdict.CORRECTED, by="Judy")
    play_on(referee.match, bots, 2)
    referee.take_back_decision(table.now, reason="decided too soon", by="Judy")
    assert standing(referee.match) == before
    assert standing(Match[Any].replay(table.disk.lines)) == before
    assert counted_verdicts(table.disk.lines) == "1 challenge: 1 open"
    referee.decide(table.now, Verdict.STANDS, by="Judy")
    assert standing(referee.match) == before
    assert counted_verdicts(table.disk.lines) == "1 challenge: 1 stood"
    assert counted_corrections(table.disk.lines) == ["1 decision taken back"]
    (challenge,) = challenges_in(table.disk.lines)
    assert challenge.verdict is Verdict.STANDS


def test_of_what_stood_nothing_changes(real_tables: Maker) -> None:
    """What was told since the decision counts; the challenge alone is open again."""
    table, bots = begun(real_tables, "dogfight-1917")
    referee = table.referee
    referee.presses.open(table.now, Seat("A"))
    referee.decide(table.now, Verdict.STANDS)
    play_out(referee.match, bots, 4)
    after = standing(referee.match)
    referee.take_back_decision(table.now, reason="decided too soon")
    assert standing(referee.match) == after
    assert referee.presses.challenge is not None


def test_a_correction_counts_while_it_stands() -> None:
    """Brought back to before it, and once that was taken back as well."""
    setup = Setup("dogfight-1917", seats={Seat("A"): "Ana", Seat("B"): "Ben"})
    stamp = Stamp("Judy", "2026-11-21T19:00:00Z", 0.0)
    match = Match[Any].start(setup, stamp)
    play_out(match, bots_of(setup, Random(3)), ANSWERS)
    assert not counted_corrections(match.entries)
    match.undo(match.steps[-1].seq, "misheard", stamp=stamp)
    second = match.undo(match.steps[-1].seq, "misheard", stamp=stamp)
    assert counted_corrections(match.entries) == ["2 undone"]
    back = match.bring_back(second.seq, "", stamp=stamp)
    assert counted_corrections(match.entries) == ["1 undone"]
    match.bring_back(back.seq, "", stamp=stamp)
    assert counted_corrections(match.entries) == ["2 undone"]
    protocol = read_protocol(match.entries, lambda at: at)
    told = next(line.told for line in protocol.lines if line.entry.seq == back.seq)
    assert told.endswith(" counts again.")


@pytest.mark.parametrize("back", [1, 3], ids=["at-once", "with-what-was-before-it"])
@pytest.mark.parametrize("box", SEATS)
def test_what_was_undone_before_the_decision_does_not_come_back(
    real_tables: Maker, box: str, back: int
) -> None:
    """A correction that the arbiter took back in the challenge is no part of what stood before."""
    table, _ = begun(real_tables, box)
    referee = table.referee
    before = standing(referee.match)
    line = referee.match.steps[-2].seq if back > 1 else None
    referee.presses.open(table.now, Seat(referee.match.rulebook.sides_taken()[0]))
    referee.adjust({"option.sight": "accept"}, "no need to tap", table.now, by="Judy")
    referee.undo(table.now, line, "a mistake", "Judy")
    referee.decide(table.now, Verdict.CORRECTED, by="Judy")
    referee.take_back_decision(table.now, reason="decided too soon", by="Judy")
    assert standing(referee.match) == before
    again = Match[Any].replay(referee.match.entries)
    assert standing(again) == before
