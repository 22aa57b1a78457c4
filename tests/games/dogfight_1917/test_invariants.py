"""What holds at each step of random matches in every mode, under random house rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from hypothesis import given, note, settings
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Json, Ruling
from companion.games.dogfight_1917.cards import COPIES
from companion.games.dogfight_1917.faults import faults
from companion.games.dogfight_1917.rules import Dogfight1917
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

Bear = Callable[..., list[IllegalAnswer]]
STAMP = Stamp("random", "2026-11-21T19:00:00Z", 0.0)
MOST_ANSWERS = 700
HEADLINE = 22
WHOLE_MATCHES = settings(max_examples=settings().max_examples // 2)
"""Each example is a match of hundreds of answers: a third of the usual, in every profile."""

MODES: tuple[tuple[str, ...], ...] = (
    ("base",), ("draft",), ("daring-escape",), ("battle-royale",), ("team-battle",),
    ("entente-vs-central-powers",), ("battle-royale", "draft"), ("team-battle", "draft"),
)  # fmt: skip
NONSENSE: tuple[Json, ...] = (
    None, "", "?", "nonsense", -1, 99, 2.5, True, [], [7], ["x"], {}, {"x": 1}, "0,0 N", "9,9 N",
    "0,0 W", "Basic Maneuver", "Basic Attack camel", "Regroup", "Focus", "end turn", "Blackout",
    "Steep Dive", "Evasive Dive", "free reroll", [6, 6, 6, 6, 6, 6, 6, 6, 6],
)  # fmt: skip


@st.composite
def matches(draw: st.DrawFn) -> Match[Any]:
    """A new match in any mode, under any of its house rules."""
    names = draw(st.sampled_from(MODES))
    switches = Dogfight1917.in_variants(names).switches
    house = {name: draw(st.sampled_from(switch.values)) for name, switch in switches.items()}
    return Match.start(Setup("dogfight-1917", names, options=house), STAMP)


class Watch:
    """Looks at a match after each answer."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self.keys: set[str] = set()
        self.ruled = 0

    def look(self) -> None:
        """Judge one step: the position, the rulings it brought, and what is asked now."""
        said = self.match.rulings[self.ruled :]
        self.ruled = len(self.match.rulings)
        note("\n".join(ruling.text for ruling in said))
        self._look_at_rulings(said)
        self._look_at_position()
        for key, question in self.match.open.items():
            assert key not in self.keys, f"{key} is asked a second time"
            self.keys.add(key)
            assert question.headline
            assert len(question.headline) <= HEADLINE, question.headline
            assert question.cite.rules
            assert question.prompt
        assert self.match.open or self.match.outcome

    def _look_at_rulings(self, said: Sequence[Ruling]) -> None:
        for ruling in said:
            assert ruling.cite.rules, ruling.text
            assert 0 < len(ruling.headline) <= HEADLINE, ruling.text
            assert ruling.text.endswith((".", ".)")), ruling.text

    def _look_at_position(self) -> None:
        position = self.match.position
        for player in position.players.values():
            assert player.piles.total == 20
            assert min(player.piles.counts.values()) >= 0
            assert player.piles.counts["played"] <= 1
            assert player.tokens >= 0
            seen = player.piles.seen(*player.piles.counts)
            assert all(count <= COPIES[card] for card, count in seen.items())
        if self.match.rulebook.options["token_supply_limited"] is True:
            assert sum(player.tokens for player in position.players.values()) <= 20
        flying = position.flying()
        spaces = [player.plane.hex for player in flying]
        assert len(set(spaces)) == len(spaces), "two planes on one space"
        assert all(space in position.table.board for space in spaces)
        assert not any(player.flies and player.out for player in flying)
        if self.match.outcome is None:
            assert [fault.text for fault in faults(position)] == []


def answer(match: Match[Any], raw: Json) -> None:
    """Answer the one open question."""
    (question,) = match.open.values()
    match.answer(Offer(question.key, raw, "bot", question.by), STAMP)


@WHOLE_MATCHES
@given(match=matches(), seed=st.integers(0, 2**32 - 1))
def test_df_4_2_and_all_other_invariants_hold_at_each_step(match: Match[Any], seed: int) -> None:
    """Cards conserved, tokens never below none nor beyond a limited supply, one plane a space.

    Everybody on the board, no key asked twice, short headlines, a cite with every ruling, and no
    fault in any position before the outcome.
    """
    player, watch = RandomPlayer(Random(seed)), Watch(match)
    watch.look()
    for _ in range(MOST_ANSWERS):
        if match.outcome is not None:
            break
        (question,) = match.open.values()
        answer(match, player.answer(question))
        watch.look()
    if match.outcome is not None:
        assert set(match.outcome.winners) <= set(match.rulebook.sides)
        assert len(match.outcome.winners) == 1, "there is no draw in this book"


@WHOLE_MATCHES
@given(match=matches(), seed=st.integers(0, 2**32 - 1), skip=st.integers(0, 200))
def test_what_is_refused_changes_nothing_and_is_cited(
    bear_nonsense: Bear, match: Match[Any], seed: int, skip: int
) -> None:
    """Nonsense, and actions out of place: taken if legal, else refused with code and rule."""
    rng = Random(seed)
    player = RandomPlayer(rng)
    for number in range(skip + 12):
        if match.outcome is not None:
            return
        (question,) = match.open.values()
        if number >= skip:
            bear_nonsense(match, NONSENSE)
        answer(match, player.answer(question))
