"""People whose names are words of the box: what is typed means what it would mean without them."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of

HEX = ("Ram", "Stay", "Lot", "Short", "Left", "E", "Ship", "Laid", "Shield reuse")
TALESPIN = ("Pass", "Nobody", "Range", "Concede", "Stop", "Swoop", "None", "Hand", "Head start")
TOLD: dict[str, Any] = {
    **{f"set-up/wreckage/wreck-{n}": space
       for n, space in enumerate(("0,0", "1,1", "2,0", "-2,0"), 1)},
    "set-up/first": "A",
}  # fmt: skip
"""Lots are drawn from what the people are called: here they are told."""
CASES = [
    *(("dogfight-hex", name) for name in HEX),
    *(("talespin-dogfight", name) for name in TALESPIN),
]


@pytest.mark.parametrize(("box", "name"), CASES)
def test_a_name_like_a_word_of_the_box_changes_no_answer(box: str, name: str) -> None:
    """Each word is taken, or refused, as at a table where that person is called Ben."""
    plain, strange = (
        Match[Any].start(
            Setup(box, seats={Seat("A"): "Ana", Seat("B"): called}, options={"players": 3}), STAMP
        )
        for called in ("Ben", name)
    )
    bots, ruled, words = bots_of(plain.setup, Random(4)), 0, [name, f"{name} {name}", "1,0 ram A"]
    while plain.outcome is None:
        question = next(q for key, q in plain.open.items() if key not in plain.answered)
        raw = TOLD.get(question.key) or bots.act(question)
        if str(raw) not in (name, "B") and not question.prompt.startswith("Whose"):
            for said in words:
                assert _code(plain, question.key, said) == _code(strange, question.key, said)
        for match in (plain, strange):
            match.answer(Offer(question.key, raw, "bot", question.by), STAMP)
        for ruling in plain.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(plain.rulings)
    assert strange.outcome is not None
    assert [ruling.cite for ruling in strange.rulings] == [r.cite for r in plain.rulings]


def _code(match: Match[Any], key: str, raw: str) -> str:
    try:
        match.word_before(key, raw)
    except IllegalAnswer as refused:
        return refused.code
    return "taken"
