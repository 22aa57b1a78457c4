"""The hidden table of bots and demonstrations."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import companion.games.jaws_and_paws as box
from companion.core.board import Pose
from companion.core.ruling import Carry, Flip, Move, Seat, Shuffle
from companion.games.jaws_and_paws.boards import JAWS, JP, PLAYERS, SUN, TEAMS
from companion.games.jaws_and_paws.cards import printed_cards
from companion.games.jaws_and_paws.table import PhysicalTable, plan_team
from companion.match.rulebook import Setup

EXAMPLES = sorted((Path(box.__file__).parent / "positions").glob("*.toml"))


def table(seed: int = 1, **setup: Any) -> PhysicalTable:
    return PhysicalTable(Setup("jaws-and-paws", **setup), Random(seed))


def all_cards(physical: PhysicalTable, player: Seat) -> Counter[str]:
    """Every card of a player, wherever it lies."""
    cards = Counter(
        card for (owner, _), pile in physical.piles.items() if owner == player for card in pile
    )
    on_track = (laid for cards in physical.sections.values() for laid in cards)
    return cards + Counter(laid.card for laid in on_track if laid.owner == player)


def test_decks_are_the_tables_own() -> None:
    """Thirty real cards a player, as the card file lists them."""
    physical = table()
    for player in PLAYERS:
        assert all_cards(physical, player) == Counter(printed_cards().decks[player])


def test_the_same_seed_is_the_same_table(bots: Callable[..., Any]) -> None:
    """A demonstration can be repeated."""
    one, _ = bots(7)
    two, _ = bots(7)
    other, _ = bots(8)
    assert one.texts() == two.texts() != other.texts()


def test_no_card_is_lost_in_a_match(bots: Callable[..., Any]) -> None:
    """Every card that was there at the start is there at the end."""
    _, physical = bots(3)
    for player in PLAYERS:
        assert all_cards(physical, player) == Counter(printed_cards().decks[player])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_it_starts_from_a_position(example: Callable[..., Any], path: Path) -> None:
    """Cards are dealt into piles of the sizes that the position names."""
    setup = example(path)
    physical = table(**setup)
    for player, line in setup["position"]["players"].items():
        assert physical.counts(player) == {
            pile: line.get(pile, 0) for pile in ("deck", "hand", "discard", "scrap", "track")
        }
        assert all_cards(physical, player) == Counter(printed_cards().decks[player])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_bots_play_on_from_a_position(
    bots: Callable[..., Any], example: Callable[..., Any], path: Path
) -> None:
    """To an end, in the mode and with the house rule that the position needs."""
    played, _ = bots(5, **example(path))
    assert played.match.outcome is not None


def test_bots_lay_once_a_round() -> None:
    """Called by the demonstration when the phase starts, or by the question that ends it."""
    physical = table()
    for player in PLAYERS:
        physical.perform([Carry(player, 4, "deck", "hand")])
    physical.place({SUN: Pose("Jaws.GC")})
    physical.lay()
    before = physical.tracks()
    physical.lay_before("round-1")
    assert physical.tracks() == before
    assert sum(len(borders) for borders in before.values()) > 0


def test_tracks_show_borders_only() -> None:
    """What an overhead camera sees of face-down cards."""
    physical = table(position=tomllib.loads(_example("section-2")))
    assert physical.tracks()["Jaws.1"] == ("P",)
    assert physical.tracks()["Jaws.2"] == ("G",)
    assert physical.tracks()["Paws.4"] == ()
    assert set(physical.tracks()) == {f"{team}.{n}" for team in TEAMS for n in (1, 2, 3, 4)}


def _example(name: str) -> str:
    return next(path for path in EXAMPLES if path.stem == name).read_text("utf-8")


def test_deeds_move_cards_and_tokens() -> None:
    """As hands would."""
    physical = table()
    physical.perform(
        [
            Carry(JP, 4, "deck", "hand"),
            Carry(JP, 6, "deck", "scrap"),
            Carry(JP, 2, "hand", "discard"),
            Shuffle(JP, 2, "discard", "deck"),
            Flip("Jaws Action Track", "smoke"),
        ]
    )
    assert physical.counts(JP) == {"deck": 22, "hand": 2, "discard": 0, "scrap": 6, "track": 0}
    assert physical.smoke[JAWS]
    physical.perform([Flip("Jaws card on section 2", "face")])
    assert physical.smoke[JAWS], "a card is turned up, not the track"
    piece = next(iter(physical.zones))
    physical.perform([Move(piece, None, None)])
    assert piece not in physical.placement()


def test_a_hand_may_place_a_token_before_anybody_is_told(play: Callable[..., Any]) -> None:
    """The Sun at set-up: the camera sees it, and that is the answer."""
    physical = table()
    options = play().say("toss", "Jaws").question("set-up/sun").options_now()
    physical.place(options[0].shows)
    assert str(physical.placement()[SUN]) == options[0].name


def test_a_deed_that_the_cards_do_not_allow_is_an_error() -> None:
    """Record and table differ: said at once, not papered over."""
    with pytest.raises(ValueError, match="JP: 31 of 30 cards from deck"):
        table().perform([Carry(JP, 31, "deck", "hand")])
    with pytest.raises(ValueError, match="1 of 0 cards on track"):
        table().perform([Carry(JP, 1, "track", "discard")])


def test_bots_take_a_shot_that_hits() -> None:
    """They aim a little: with a fitting shot in hand, most rounds open with it."""
    shots = 0
    for seed in range(60):
        physical = table(seed, position=tomllib.loads(_example("after-the-buzzer")))
        hand = physical.piles[JP, "hand"]
        hand[:] = ["SH GC", "MSL", "MSL", "MSL"]
        laid = plan_team(physical, JAWS)
        shots += any(card.card == "SH GC" and number == 1 for number, card in laid)
    assert shots > 40


@pytest.mark.parametrize("seed", range(6))
def test_a_match_ends_in_a_sane_number_of_rounds(bots: Callable[..., Any], seed: int) -> None:
    """Neither at once nor never."""
    played, _ = bots(seed)
    assert 2 <= played.position.round_number <= 40


def test_even_harmless_shots_come_to_an_end(bots: Callable[..., Any]) -> None:
    """With no damage at all bots lose patience, and Decks run out."""
    played, _ = bots(1, options={"shot_damage": 0, "smoke_damage": 0})
    assert played.match.outcome is not None
