"""The hidden table of bots and demonstrations, and the bots that sit there."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games.dogfight_1917 as box
from companion.core.board import Piece, Pose
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Carry, Move, Seat, Shuffle
from companion.games.dogfight_1917.cards import BASIC, CLIMB, COPIES
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.games.dogfight_1917.table import ALL_CARDS, PhysicalTable
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import play_one

STAMP = Stamp("bot", "", 0.0)
A, B = Seat("A"), Seat("B")
EXAMPLES = sorted((Path(box.__file__).parent / "positions").glob("*.toml"))
MODES: tuple[tuple[str, ...], ...] = (
    ("base",), ("draft",), ("daring-escape",), ("battle-royale",), ("team-battle",),
    ("entente-vs-central-powers",), ("battle-royale", "draft"), ("team-battle", "draft"),
)  # fmt: skip


def table(seed: int = 1, *variants: str, **setup: Any) -> PhysicalTable:
    return PhysicalTable(Setup("dogfight-1917", variants, **setup), Random(seed))


def all_cards(physical: PhysicalTable, seat: Seat) -> Counter[str]:
    """Every card of a player, wherever it lies."""
    return Counter(
        card for (owner, _), pile in physical.piles.items() if owner == seat for card in pile
    )


def play(setup: Setup, seed: int, most: int = 5_000) -> tuple[Match[Any], PhysicalTable]:
    """A match of bots, the cards and models held against the record after each answer."""
    physical, match = PhysicalTable(setup, Random(seed)), Match[Any].start(setup, STAMP)
    ruled = 0
    for _ in range(most):
        if match.outcome is not None:
            break
        (question,) = match.open.values()
        match.answer(Offer(question.key, physical.act(question), "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            physical.perform(ruling.deeds)
        ruled = len(match.rulings)
        _agree(match, physical)
    return match, physical


def _agree(match: Match[Any], physical: PhysicalTable) -> None:
    """Counts, places, and every card that the record names where it lies."""
    assert physical.placement() == match.position.placement()
    for seat, player in match.position.players.items():
        assert physical.counts(seat) == player.piles.counts
        for pile, known in player.piles.known.items():
            assert not Counter(known) - Counter(physical.piles[seat, pile]), (seat, pile)


def random_house(rng: Random, names: tuple[str, ...]) -> Mapping[str, Any]:
    """Any of the mode's house rules."""
    switches = Dogfight1917.in_variants(names).switches
    return {name: rng.choice(switch.values) for name, switch in switches.items()}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("names", MODES, ids="+".join)
def test_bots_and_record_agree_at_each_step_to_the_end(names: tuple[str, ...], seed: int) -> None:
    """Under the book's rules and under random house rules; no card is lost, every match ends."""
    house = random_house(Random(seed), names) if seed else {}
    match, physical = play(Setup("dogfight-1917", names, options=house), seed)
    assert match.outcome is not None
    for seat in match.position.players:
        assert all_cards(physical, seat) == Counter(ALL_CARDS)


def test_decks_are_twenty_real_cards() -> None:
    """As the card file lists them.  (DF-1.2)"""
    assert Counter(ALL_CARDS) == COPIES
    physical = table()
    assert {seat: all_cards(physical, seat) for seat in (A, B)} == {A: COPIES, B: COPIES}


def test_the_same_seed_is_the_same_match() -> None:
    """A demonstration can be repeated."""
    setup = Setup("dogfight-1917")
    one, two = play_one(setup, Random(7)), play_one(setup, Random(7))
    texts = [[ruling.text for ruling in play(setup, seed)[0].rulings] for seed in (7, 7, 8)]
    assert one == two
    assert texts[0] == texts[1] != texts[2]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_bots_play_on_from_an_example(path: Path) -> None:
    """Cards are dealt into piles of the sizes that the position names; the match ends."""
    text = path.read_text("utf-8")
    names = next(
        line.removeprefix("# Mode: ").split(", ")[0].split()[0]
        for line in text.splitlines() if line.startswith("# Mode: ")
    )  # fmt: skip
    file = tomllib.loads(text)
    options = {"players": len(file["players"])} if names == "battle-royale" else {}
    match, physical = play(Setup("dogfight-1917", (names,), options=options, position=file), 5)
    assert match.outcome is not None
    for seat in match.position.players:
        assert all_cards(physical, seat) == Counter(ALL_CARDS)


def test_known_cards_lie_where_they_are_known() -> None:
    """What a position names of a pile is dealt there, the rest at random."""
    players: dict[str, dict[str, Any]] = {
        seat: {"fighter": fighter, "pilot": pilot, "place": place, "deck": 9, "hand": 5,
               "discard": 4, "damage": 2}
        for seat, fighter, pilot, place in (
            ("A", "camel", "maclaren", "0,1 N"), ("B", "fokker", "richthofen", "0,-1 N"),
        )
    }  # fmt: skip
    players["A"]["known"] = {"discard": {BASIC: 2, CLIMB: 1}}
    file: dict[str, Any] = {"box": "dogfight-1917", "turn": 3, "phase": "engagement",
                            "active": "A", "players": players}  # fmt: skip
    physical = table(2, position=file)
    assert not Counter({BASIC: 2, CLIMB: 1}) - Counter(physical.piles[A, "discard"])
    assert physical.counts(A) == {
        "deck": 9, "hand": 5, "discard": 4, "damage": 2, "box": 0, "played": 0,
    }  # fmt: skip


def test_a_first_game_puts_the_right_cards_into_the_box() -> None:
    """Two Basic Maneuvers and an Evasive Climb of each player, whatever lay on top."""
    match, physical = play(Setup("dogfight-1917", options={"first_game_deck": True}), 3, most=1)
    assert match.open
    for seat in (A, B):
        assert Counter(physical.piles[seat, "box"]) == {BASIC: 2, CLIMB: 1}
        assert all_cards(physical, seat) == Counter(ALL_CARDS)


def test_deeds_move_cards_and_models() -> None:
    """As hands would; a card that is held out is the one that leaves the Hand."""
    physical = table()
    physical.perform([Carry(A, 5, "deck", "hand"), Carry(A, 2, "deck", "damage")])
    physical.held[A] = physical.hand(A)[2]
    held_out = physical.held[A]
    physical.perform([Carry(A, 1, "hand", "discard")])
    assert physical.piles[A, "discard"] == [held_out]
    physical.perform([Shuffle(A, 2, "damage", "deck")])
    assert physical.counts(A)["deck"] == 15
    camel = Piece("camel")
    physical.perform([Move(camel, None, Pose("0,0", 1))])
    assert physical.placement() == {camel: Pose("0,0", 1)}
    physical.perform([Move(camel, Pose("0,0", 1), None)])
    assert physical.placement() == {}
    physical.place({camel: Pose("0,1", 2)})
    assert physical.placement() == {camel: Pose("0,1", 2)}


def test_a_deed_that_the_cards_do_not_allow_is_an_error() -> None:
    """Record and table differ: said at once, not papered over."""
    with pytest.raises(ValueError, match="A: 21 of 20 cards from deck"):
        table().perform([Carry(A, 21, "deck", "hand")])
    with pytest.raises(ValueError, match="Sample larger than population"):
        table().perform([Carry(A, 1, "hand", "discard")])


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("names", MODES[:6], ids="+".join)
def test_a_match_has_a_sane_length(names: tuple[str, ...]) -> None:
    """Neither at once nor never, whatever the house."""
    for seed in range(8):
        match, _ = play(Setup("dogfight-1917", names), 100 + seed)
        assert 4 <= match.position.turn <= 150


def test_bots_aim() -> None:
    """In most matches Fighters are shot at more than once a player; evasion is tried."""
    told = [
        ruling.text
        for seed in range(10)
        for ruling in play(Setup("dogfight-1917"), seed)[0].rulings
    ]
    assert sum("on the Gunsight" in text for text in told) > 60
    assert sum(" evades with " in text for text in told) > 20
    assert sum("repairs:" in text for text in told) > 5


@pytest.mark.slow
def test_bots_use_everything_that_the_book_has() -> None:
    """A demonstration shows each kind of action within a few matches."""
    told: set[str] = set()
    for seed in range(30):
        match, _ = play(Setup("dogfight-1917", ("draft",)), seed)
        told |= {ruling.text for ruling in match.rulings}
    for words in (
        "regroups", "repairs", "Killer Instinct", "Focus", "flipped to side B", "Dead Six",
        "Slip-turn", "Steep Dive", "shuffles 3 cards", "blacks out",
    ):  # fmt: skip
        assert any(words in text for text in told), words


def test_a_plane_may_be_flown_before_its_card_is_named() -> None:
    """Now and then; the question that follows is answered with where it was put."""
    setup, early = Setup("dogfight-1917"), 0
    physical, match = PhysicalTable(setup, Random(4)), Match[Any].start(setup, STAMP)
    ruled, put = 0, dict[Piece, Pose]()
    while match.outcome is None:
        (question,) = match.open.values()
        said = physical.act(question)
        if put:
            shown = {option.name: option.shows for option in question.options_now()}
            assert shown[str(said)] == put
            early += 1
        put = dict(physical.moves_first(question))
        match.answer(Offer(question.key, said, "bot", question.by), STAMP)
        for ruling in match.rulings[ruled:]:
            physical.perform(ruling.deeds)
        ruled = len(match.rulings)
    assert early
