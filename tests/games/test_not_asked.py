"""Who speaks while another is asked is told why, at every moment of a match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.offers import Offer
from companion.core.ruling import TABLE, Json, Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of

PEOPLE = {Seat("A"): "Ana", Seat("B"): "Ben", Seat("C"): "Cleo", Seat("D"): "Dan"}
BOXES: dict[str, tuple[str, dict[str, Json]]] = {
    "dogfight-hex": ("HX-E-", {"players": 4}),
    "talespin-dogfight": ("TS-E-", {"players": 4, "max_dogfights_per_turn": 3}),
}


@pytest.mark.parametrize("box", BOXES)
@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_whoever_is_not_asked_is_told_why_at_every_moment(box: str, seed: int) -> None:
    """Random matches of bots: by name, with a code of the box and a paragraph that stands there."""
    code, options = BOXES[box]
    setup = Setup(box, seats=PEOPLE, options=options)
    match, bots, ruled = Match[Any].start(setup, STAMP), bots_of(setup, Random(seed)), 0
    known = {*match.rulebook.paragraphs()}
    while match.outcome is None:
        waiting = [q for key, q in match.open.items() if key not in match.answered]
        for seat in {*PEOPLE} - {question.by for question in waiting}:
            refusal = match.rulebook.not_asked(seat, "9", waiting[0])
            assert (refusal is None) == (waiting[0].by == TABLE)
            if refusal is not None:
                assert refusal.code.startswith(code), refusal
                assert PEOPLE[seat] in refusal.text
                cited = {*refusal.cite.rules, *map("RULING {}".format, refusal.cite.rulings)}
                assert cited <= known
        question = waiting[0]
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
