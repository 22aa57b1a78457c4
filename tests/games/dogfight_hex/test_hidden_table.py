"""The hidden table of bots and demonstrations, and the bots that sit there."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games.dogfight_hex as box
from companion.core.board import Piece, Pose
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Carry, Move, Seat
from companion.games.dogfight_hex.cards import ATTACKS
from companion.games.dogfight_hex.rules import DogfightHex
from companion.games.dogfight_hex.table import PhysicalTable
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import play_one

STAMP = Stamp("bot", "", 0.0)
A = Seat("A")
EXAMPLES = sorted((Path(box.__file__).parent / "positions").glob("*.toml"))


def laid_out(seed: int = 1, **setup: Any) -> PhysicalTable:
    """A hidden table by itself."""
    return PhysicalTable(Setup("dogfight-hex", **setup), Random(seed))


def play(setup: Setup, seed: int) -> tuple[Match[Any], PhysicalTable]:
    """A match of bots, cards and tokens held against the record after each answer."""
    physical, match = PhysicalTable(setup, Random(seed)), Match[Any].start(setup, STAMP)
    ruled = 0
    for _ in range(2_000):
        if match.outcome is not None:
            break
        question = next(q for key, q in match.open.items() if key not in match.answered)
        match.answer(Offer(question.key, physical.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            physical.perform(ruling.deeds)
        ruled = len(match.rulings)
        _agree(match, physical)
    return match, physical


def _agree(match: Match[Any], physical: PhysicalTable) -> None:
    """Counts, places, and every card that the record names where it lies."""
    assert physical.placement() == match.position.placement()
    recorded = match.position.deck.piles
    assert {pile: len(cards) for pile, cards in physical.piles.items()} == recorded.by_owner()
    for pile, known in recorded.known_by_owner().items():
        assert not Counter(known) - Counter(physical.piles[pile]), pile


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_bots_and_record_agree_at_each_step_to_the_end(players: int, seed: int) -> None:
    """Under the book's rules and under random house rules; no card is lost, every match ends."""
    rng = Random(seed)
    switches = DogfightHex.switches.items()
    house = {name: rng.choice(switch.values) for name, switch in switches} if seed else {}
    options = {**house, "players": players, "allow_two_players": False}
    match, physical = play(Setup("dogfight-hex", options=options), seed)
    assert match.outcome is not None
    assert sum(map(len, physical.piles.values())) == 54


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_bots_play_on_from_every_example(example: Callable[..., Any], path: Path) -> None:
    """Cards are dealt into piles of the sizes that the position names."""
    options, _ = example(path)
    setup = Setup("dogfight-hex", options=options, position=tomllib.loads(path.read_text("utf-8")))
    match, _ = play(setup, 1)
    assert match.outcome is not None


def test_the_same_seed_plays_the_same_match() -> None:
    """And another one another."""
    setup = Setup("dogfight-hex")
    assert play_one(setup, Random(5)) == play_one(setup, Random(5))
    assert play(setup, 5)[0].entries != play(setup, 6)[0].entries


def test_hands_do_not_take_what_is_not_there() -> None:
    """Where record and cardboard differ somebody made a mistake, and it is said."""
    with pytest.raises(ValueError, match="A: 1 of 0 cards from hand"):
        laid_out().perform([Carry(A, 1, "hand", "card")])


def test_tokens_are_put_and_taken_off() -> None:
    """As ruled."""
    table, piece = laid_out(), Piece("hull-a-1")
    table.perform([Move(piece, None, Pose("0,0"))])
    assert table.placement() == {piece: Pose("0,0")}
    table.perform([Move(piece, Pose("0,0"), None)])
    assert table.placement() == {}


def test_bots_mostly_attack_and_in_a_long_game_always() -> None:
    """So that every match ends."""
    table = laid_out()
    table.piles[A, "hand"] = ["shield anchor", "short", "medium", "long"]
    table.turns = 99
    assert {table.bot.card(A) for _ in range(50)} <= set(ATTACKS)
    table.turns = 1
    assert "shield anchor" in {table.bot.card(A) for _ in range(200)}
    table.piles[A, "hand"] = ["shield anchor"]
    assert table.bot.card(A) == "shield anchor"
