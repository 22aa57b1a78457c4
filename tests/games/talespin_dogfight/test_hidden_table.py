"""The hidden table: bots play to the end, and cards and record agree at each step."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.core.offers import Offer, Stamp
from companion.core.ruling import TABLE, Carry, Seat
from companion.games.talespin_dogfight.table import DECK_SIZE, PhysicalTable
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import play_one

STAMP = Stamp("bot", "", 0.0)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_cards_and_record_agree_after_every_answer(players: int, seed: int) -> None:
    """Each pile of the record has as many cards as lie there."""
    setup = Setup("talespin-dogfight", options={"players": players, "max_dogfights_per_turn": 2})
    match, bots = Match[Any].start(setup, STAMP), PhysicalTable(setup, Random(seed))
    ruled = 0
    while match.outcome is None:
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, bots.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(match.rulings)
        if match.position.step != "set-up":
            counts = match.position.pile_counts()
            assert {pile: len(cards) for pile, cards in bots.piles.items()} == counts
            assert dict(match.position.placement()) == dict(bots.placement())
    assert sum(len(cards) for cards in bots.piles.values()) <= DECK_SIZE


def test_bots_take_up_a_dogfight_in_the_middle(file: Any) -> None:
    """From every other step on."""
    for step in ("announce", "before-attacker", "answer-2", "damage", "bounty", "end-others"):
        setup = Setup(
            "talespin-dogfight", options={"players": 3}, position=file(step, 3, start="range")
        )
        assert play_one(setup, Random(5)).trouble == ""


def test_a_table_with_more_cards_than_usual_is_laid_out(file: Any) -> None:
    """A position may have larger piles than the deck that bots take: more cards are found."""
    position = file("announce", draw=DECK_SIZE, discard=10)
    table = PhysicalTable(Setup("talespin-dogfight", position=position), Random(5))
    assert len(table.piles[TABLE, "draw"]) == DECK_SIZE
    assert sum(map(len, table.piles.values())) > DECK_SIZE


def test_hands_cannot_take_what_is_not_there() -> None:
    """A deed that the cards do not allow is a ValueError."""
    table = PhysicalTable(Setup("talespin-dogfight"), Random(1))
    with pytest.raises(ValueError, match="A: 99 of"):
        table.perform([Carry(Seat("A"), 99, "hand", "discard")])
