"""What holds at each step of random matches, for every number of players and house rule."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Json, SetTo
from companion.games.starship_edition.faults import faults
from companion.games.starship_edition.rules import StarshipEdition
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of

Bear = Callable[..., list[IllegalAnswer]]
STAMP = Stamp("random", "2026-11-21T19:00:00Z", 0.0)
MOST_ANSWERS = 250
HEADLINE = 22
MAPS: tuple[dict[str, Json], ...] = (
    {}, {"map": {"kind": "none"}}, {"map": {"kind": "hex"}},
    {"map": {"diagonal_steps": False, "headings": True}},
)  # fmt: skip
NONSENSE: tuple[Json, ...] = (
    None, "", "?", "nonsense", -1, 99, 2.5, True, [], [7], ["x"], {}, {"x": 1}, "1,1", "99,99",
    "draw", "draw 9", "set 9", "pass", "second", "second 9", "swap 1 2", "exchange 9", "take 1",
    "ability AB-FOCUS", "ability", "end", "unknown", "unknown " + "x" * 50, "G-DODGE", "G-BOOST",
    "play G-SCAN", "A", "B", "done",
)  # fmt: skip


@st.composite
def matches(draw: st.DrawFn) -> Match[Any]:
    """A new match of any size, under any house rules, with or without a map."""
    switches = StarshipEdition.switches
    house = {name: draw(st.sampled_from(switch.values)) for name, switch in switches.items()}
    cards = draw(st.sampled_from(MAPS))
    setup = Setup("starship-edition", ("base",), options=house, cards=cards)
    return Match[Any].start(setup, STAMP)


def answer(match: Match[Any], raw: Json) -> None:
    """Answer the one open question."""
    (question,) = match.open.values()
    match.answer(Offer(question.key, raw, "bot", question.by), STAMP)


def look_at_position(match: Match[Any]) -> None:
    """Cards are conserved, nothing is below none, two vessels never share a space."""
    position = match.position
    for player in position.players.values():
        assert player.total == player.size
        assert min(player.deck, player.hand, player.removed, player.energy) >= 0
        assert all(tier.cards <= 2 for tier in player.tiers)
        assert all(count >= 0 for count in player.counters.values())
    spaces = [player.space for player in position.alive() if player.space is not None]
    if match.rulebook.options["share_space"] == "no":
        assert len(set(spaces)) == len(spaces)
    if match.outcome is None:
        assert [f"{fault.path}: {fault.text}" for fault in faults(position)] == []


@given(match=matches(), seed=st.integers(0, 2**32 - 1))
def test_invariants_hold_at_each_step(match: Match[Any], seed: int) -> None:
    """Cards conserved, keys unique, headlines short, every ruling cited, no fault anywhere."""
    player, keys, ruled = RandomPlayer(Random(seed)), set[str](), 0
    for _ in range(MOST_ANSWERS):
        for ruling in match.rulings[ruled:]:
            note(ruling.text)
            assert ruling.cite.rules
            assert 0 < len(ruling.headline) <= HEADLINE, ruling.text
            assert ruling.text.endswith((".", ".)", '"')), ruling.text
        ruled = len(match.rulings)
        look_at_position(match)
        if match.outcome is not None:
            assert set(match.outcome.winners) <= set(match.rulebook.sides)
            return
        (question,) = match.open.values()
        assert question.key not in keys, f"{question.key} is asked a second time"
        keys.add(question.key)
        assert 0 < len(question.headline) <= HEADLINE, question.headline
        assert question.prompt
        assert question.cite.rules
        answer(match, player.answer(question))


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@given(match=matches(), seed=st.integers(0, 2**32 - 1), skip=st.integers(0, 120))
def test_what_is_refused_changes_nothing_and_is_cited(
    bear_nonsense: Bear, match: Match[Any], seed: int, skip: int
) -> None:
    """Nonsense, and actions out of place: legal, or refused with code, way out and rule."""
    player = RandomPlayer(Random(seed))
    for number in range(skip + 8):
        if match.outcome is not None:
            return
        (question,) = match.open.values()
        if number >= skip:
            bear_nonsense(match, NONSENSE)
        answer(match, player.answer(question))


@settings(max_examples=settings().max_examples // 2)
@given(match=matches(), seed=st.integers(0, 2**32 - 1), most=st.integers(1, 150))
def test_every_prefix_replays_equal_and_undo_is_identity(
    match: Match[Any], seed: int, most: int
) -> None:
    """A replay of the log stands where the match stands; an undone answer leaves no trace."""
    player = RandomPlayer(Random(seed))
    for _ in range(most):
        if match.outcome is not None:
            break
        (question,) = match.open.values()
        answer(match, player.answer(question))
    again = Match[Any].replay(match.entries)
    assert again.position.digest() == match.position.digest()
    assert list(again.open) == list(match.open)
    if match.outcome is None:
        before = (match.position.digest(), list(match.open))
        (question,) = match.open.values()
        answer(match, player.answer(question))
        match.undo(None, "test", stamp=STAMP)
        assert (match.position.digest(), list(match.open)) == before


@settings(max_examples=settings().max_examples // 2)
@given(match=matches(), seed=st.integers(0, 2**32 - 1), most=st.integers(1, 150))
def test_a_position_file_of_any_moment_asks_the_same(
    match: Match[Any], seed: int, most: int
) -> None:
    """Written, read as JSON and begun anew, a match asks what it asked and stands as it stood."""
    player = RandomPlayer(Random(seed))
    for _ in range(most):
        if match.outcome is not None:
            return
        (question,) = match.open.values()
        answer(match, player.answer(question))
    if match.outcome is not None:
        return
    file = json.loads(json.dumps(match.position_file()))
    setup = Setup("starship-edition", ("base",), options=match.rulebook.options,
                  cards=match.setup.cards, position=file)  # fmt: skip
    again = Match[Any].start(setup, STAMP)
    assert list(again.open) == list(match.open)
    assert again.position.digest() == match.position.digest()


@settings(max_examples=settings().max_examples // 2)
@given(match=matches(), seed=st.integers(0, 2**32 - 1))
def test_bots_hold_the_cards_and_ships_that_the_record_has(match: Match[Any], seed: int) -> None:
    """The hidden table never reads the record, and agrees with it after every answer."""
    bots: Any = bots_of(match.setup, Random(seed))
    ruled = 0
    for _ in range(MOST_ANSWERS):
        bots.perform(deed for ruling in match.rulings[ruled:] for deed in ruling.deeds)
        ruled = len(match.rulings)
        assert bots.placement() == match.position.placement()
        if match.outcome is not None:
            return
        for seat, player in match.position.players.items():
            if player.out:
                continue
            counts = bots.counts(seat)
            assert counts["deck"] == player.deck
            assert counts["hand"] == player.hand
            assert counts["discard"] == len(player.discard)
            assert counts["gear"] == len(player.gear)
            shown = [card for card in player.discard if card in bots.cards]
            lying = [card for card in bots.piles[seat, "discard"] if card in bots.cards]
            assert len(shown) <= len(lying)
        (question,) = match.open.values()
        answer(match, bots.act(question))


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1), players=st.integers(3, 6))
def test_ruling_29_players_may_leave_at_any_moment(seed: int, players: int) -> None:
    """Whatever is asked then: nobody who left is asked, cards stay conserved, and it goes on."""
    rng = Random(seed)
    setup = Setup("starship-edition", ("base",), options={"players": players, "drift": "on"})
    match, player = Match[Any].start(setup, STAMP), RandomPlayer(rng)
    for _ in range(MOST_ANSWERS):
        if match.outcome is not None:
            return
        if rng.random() < 0.02:
            seat = rng.choice([one.seat for one in match.position.alive()])
            match.report({"what": "leaves", "player": str(seat)}, STAMP)
            note(f"{seat} leaves")
            continue
        look_at_position(match)
        (question,) = match.open.values()
        assert question.by not in match.rulebook.absent, question.key
        answer(match, player.answer(question))


def test_play_waits_for_hands_alone() -> None:
    """Draws and tokens that come or go wait to be read; what was told as done, or declared, not."""
    match = Match[Any].start(Setup("starship-edition", ("base",)), STAMP)
    player = RandomPlayer(Random(4))
    for _ in range(MOST_ANSWERS):
        if match.outcome is not None:
            break
        (question,) = match.open.values()
        answer(match, player.answer(question))
    quiet = {ruling.headline.rpartition(": ")[2] for ruling in match.rulings if ruling.quiet}
    loud = {ruling.headline.rpartition(": ")[2] for ruling in match.rulings if not ruling.quiet}
    assert {"set", "reveal", "ability", "prepared"} <= quiet
    assert "draw 1" in loud
    tokens = [words for words in quiet if words.endswith((" hull", " energy", "counters"))]
    assert not tokens
    assert not [words for words in quiet if words.startswith(("draw", "discard 1", "pay"))]


def test_se_set_06_tokens_that_come_or_go_are_deeds() -> None:
    """Hull, energy, counters and who has Priority: a hand lays them, so each is told as a deed."""
    match = Match[Any].start(Setup("starship-edition", ("base",)), STAMP)
    player = RandomPlayer(Random(4))
    for _ in range(MOST_ANSWERS):
        if match.outcome is not None:
            break
        (question,) = match.open.values()
        answer(match, player.answer(question))
    moved = re.compile(r"(?:hull|energy|counters?|has Priority)$")
    rulings = [ruling for ruling in match.rulings if moved.search(ruling.headline)]
    assert {"has Priority", "pay 1 energy"} <= {one.headline.rpartition(": ")[2] for one in rulings}
    assert all(any(isinstance(deed, SetTo) for deed in one.deeds) for one in rulings)
