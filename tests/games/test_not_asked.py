"""Who speaks while another is asked is told why, at every moment of a match."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.ruling import TABLE, Json
from companion.games import rulebook_of
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, playing

PEOPLE = ("Ana", "Ben", "Cleo", "Dan")
OPTIONS: dict[str, dict[str, Json]] = {
    "dogfight-hex": {"players": 4},
    "talespin-dogfight": {"players": 4, "max_dogfights_per_turn": 3},
}
CODES = {"dogfight-hex": "HX-E-", "talespin-dogfight": "TS-E-"}
SAY_NOTHING = ("jaws-and-paws", "dogfight-1917", "starship-edition")
"""Boxes that hear whoever speaks."""


@pytest.mark.slow(gate=1)
@given(seed=st.integers(0, 2**32 - 1))
def test_whoever_is_not_asked_is_told_why_at_every_moment(box: str, seed: int) -> None:
    """Random matches of bots: by name, with a code of the box and a paragraph that stands there."""
    if box in SAY_NOTHING:
        pytest.skip("it hears whoever speaks")
    rules: Any = rulebook_of(Setup(box, options=OPTIONS.get(box, {})))
    code = CODES.get(box) or f"{rules.letters}-E-"
    people = dict(zip(rules.seats, PEOPLE, strict=False))
    match = Match[Any].start(Setup(box, seats=people, options=OPTIONS.get(box, {})), STAMP)
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
