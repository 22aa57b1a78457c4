"""What holds at each step of random matches of any number of players, under random house rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.question import Question
from companion.core.ruling import Json, Ruling
from companion.games.dogfight_hex.faults import faults
from companion.games.dogfight_hex.rules import DogfightHex
from companion.games.dogfight_hex.seats import HULLS, WRECKS
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

Bear = Callable[..., list[IllegalAnswer]]
STAMP = Stamp("random", "2026-11-21T19:00:00Z", 0.0)
MOST_ANSWERS = 500
HEADLINE = 22
WHOLE_MATCHES = settings(max_examples=settings().max_examples // 2)
"""Each example is a match of hundreds of answers: a third of the usual, in every profile."""
NONSENSE: tuple[Json, ...] = (
    None, "", "?", "nonsense", -1, 99, 2.5, True, [], [7], ["x"], {}, {"x": 1}, "0,0 NW", "9,9 E",
    "0,0", "9,9", "short", "down", "stay", "none", "left", "back", "ahead ahead ahead ahead ahead",
    "A", "B: 0,0 E", "ship-c", "wreck-1", "Debris D", "ram A", "0,0 ram B", "lot", "ram wreck-1",
)  # fmt: skip


@st.composite
def matches(draw: st.DrawFn) -> Match[Any]:
    """A new match of two to six players, under any house rules."""
    switches = DogfightHex.switches
    house = {name: draw(st.sampled_from(switch.values)) for name, switch in switches.items()}
    house["allow_two_players"] = True
    return Match.start(Setup("dogfight-hex", options=house), STAMP)


class Watch:
    """Looks at a match after each answer."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self.keys: set[str] = set()
        self.open: frozenset[str] = frozenset()
        self.ruled = 0

    def look(self) -> None:
        """Judge one step: the position, the rulings it brought, and what is asked now."""
        said = self.match.rulings[self.ruled :]
        self.ruled = len(self.match.rulings)
        note("\n".join(ruling.text for ruling in said))
        self._look_at_rulings(said)
        self._look_at_cards()
        self._look_at_map()
        for key, question in self.match.open.items():
            assert key in self.open or key not in self.keys, f"{key} is asked a second time"
            self._look_at_question(question)
        self.open = frozenset(self.match.open)
        self.keys |= self.open
        assert self.match.open or self.match.outcome

    def _look_at_question(self, question: Question[Any]) -> None:
        assert question.headline
        assert len(question.headline) <= HEADLINE, question.headline
        assert question.cite.rules or question.cite.rulings
        assert question.prompt.endswith((".", "?")), question.prompt

    def _look_at_rulings(self, said: Sequence[Ruling]) -> None:
        for ruling in said:
            assert ruling.cite.rules or ruling.cite.rulings, ruling.text
            assert len(ruling.headline) <= HEADLINE, ruling.headline
            assert ruling.text.endswith((".", ".)")), ruling.text

    def _look_at_cards(self) -> None:
        """Deck, discard pile, hands and captured cards are the whole deck."""
        piles = self.match.position.deck.piles
        assert piles.total == 54
        assert min(piles.counts.values()) >= 0
        seen = self.match.position.deck.seen()
        table = self.match.position.table.deck
        assert all(count <= table[kind] for kind, count in seen.items())

    def _look_at_map(self) -> None:
        """Hull points on ships, laid and aside are two each; nothing shares what it must not."""
        position = self.match.position
        laid = [piece for piece in position.wreckage if piece not in WRECKS]
        for seat, ship in position.ships.items():
            here = sum(hull in position.wreckage for hull in HULLS[seat])
            assert ship.hull + ship.owes + ship.aside + here == 2
        tokens = 2 * len(position.ships)
        kept = sum(ship.hull + ship.owes + ship.aside for ship in position.ships.values())
        assert kept + len(laid) == tokens
        spaces = [*position.wreckage.values(), *position.standing()]
        assert len(set(spaces)) == len(spaces)
        assert all(space in position.table.board for space in spaces)
        if self.match.outcome is None:
            assert [fault.text for fault in faults(position)] == []


def next_question(match: Match[Any]) -> Question[Any]:
    """The first question that waits."""
    return next(q for key, q in match.open.items() if key not in match.answered)


def answer(match: Match[Any], raw: Json) -> None:
    """Answer the first question that waits."""
    question = next_question(match)
    match.answer(Offer(question.key, raw, "bot", question.by), STAMP)


@pytest.mark.slow
@WHOLE_MATCHES
@given(match=matches(), seed=st.integers(0, 2**32 - 1))
def test_cards_hull_points_and_spaces_add_up_at_each_step(match: Match[Any], seed: int) -> None:
    """No key asked twice, short headlines, a cite with every ruling, no fault in any position."""
    player, watch = RandomPlayer(Random(seed)), Watch(match)
    watch.look()
    for _ in range(MOST_ANSWERS):
        if match.outcome is not None:
            break
        answer(match, player.answer(next_question(match)))
        watch.look()
    if match.outcome is not None:
        assert set(match.outcome.winners) <= set(match.position.ships)
        left = [ship.seat for ship in match.position.ships.values() if ship.lives]
        assert list(match.outcome.winners) == left


@pytest.mark.slow
@WHOLE_MATCHES
@given(match=matches(), seed=st.integers(0, 2**32 - 1), skip=st.integers(0, 120))
def test_what_is_refused_changes_nothing_and_is_cited(
    bear_nonsense: Bear, match: Match[Any], seed: int, skip: int
) -> None:
    """Nonsense, and answers out of place: taken if legal, else refused with code and rule."""
    player = RandomPlayer(Random(seed))
    for number in range(skip + 8):
        if match.outcome is not None:
            return
        if number >= skip:
            refusals = bear_nonsense(match, NONSENSE)
            assert all(refusal.code.startswith(("HX-E-", "Q-")) for refusal in refusals)
        answer(match, player.answer(next_question(match)))
