"""Who speaks while another is asked is told why, at every moment of a match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.ruling import TABLE, Json, Seat
from companion.games import find_rulebook
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, playing

PEOPLE = {Seat("A"): "Ana", Seat("B"): "Ben", Seat("C"): "Cleo", Seat("D"): "Dan"}
BOXES: dict[str, tuple[str, dict[str, Json]]] = {
    "dogfight-hex": ("HX-E-", {"players": 4}),
    "talespin-dogfight": ("TS-E-", {"players": 4, "max_dogfights_per_turn": 3}),
    "kites": ("KT-E-", {}),
}


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", BOXES)
@given(seed=st.integers(0, 2**32 - 1))
def test_whoever_is_not_asked_is_told_why_at_every_moment(box: str, seed: int) -> None:
    """Random matches of bots: by name, with a code of the box and a paragraph that stands there."""
    code, options = BOXES[box]
    people = {seat: name for seat, name in PEOPLE.items() if seat in find_rulebook(box).seats}
    match = Match[Any].start(Setup(box, seats=people, options=options), STAMP)
    known = {*match.rulebook.paragraphs()}
    for asked in playing(match, bots_of(match.setup, Random(seed))):
        waiting = {q.by for key, q in match.open.items() if key not in match.answered}
        for seat in {*people} - waiting:
            refusal = match.rulebook.not_asked(seat, "9", asked)
            assert (refusal is None) == (asked.by == TABLE)
            if refusal is not None:
                assert refusal.code.startswith(code), refusal
                assert people[seat] in refusal.text
                cited = {*refusal.cite.rules, *map("RULING {}".format, refusal.cite.rulings)}
                assert cited <= known
