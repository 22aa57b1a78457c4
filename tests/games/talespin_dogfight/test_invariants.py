"""What holds at each step of random matches, under random house rules and numbers of players."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.question import Count
from companion.core.ruling import Json, Ruling
from companion.games.talespin_dogfight.faults import faults
from companion.games.talespin_dogfight.rules import TalespinDogfight
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out

Bear = Callable[..., list[IllegalAnswer]]
STAMP = Stamp("random", "2026-11-21T19:00:00Z", 0.0)
MOST_ANSWERS = 500
NONSENSE: tuple[Json, ...] = (
    None, "", "?", "nonsense", -1, 999, 2.5, True, [], [7], ["x"], {}, {"x": 1}, "pass", "A", "B",
    "concede", "stop", "none", "range", "Swoop", "Lucky Shot", "13", "0", "7 1", "A1",
    "A: Homeward",
)  # fmt: skip


@st.composite
def matches(draw: st.DrawFn) -> Match[Any]:
    """A new match under any house rules."""
    switches = TalespinDogfight.switches
    house = {name: draw(st.sampled_from(switch.values)) for name, switch in switches.items()}
    house["hand_max"] = draw(st.sampled_from((1, 10, 60)))
    house["max_dogfights_per_turn"] = draw(st.sampled_from((1, 3)))
    return Match.start(Setup("talespin-dogfight", options=house), STAMP)


class Watch:
    """Looks at a match after each answer."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self.keys: set[str] = set()
        self.ruled = 0
        self.total: int | None = None

    def look(self) -> None:
        """Judge one step: the position, the rulings it brought, and what is asked now."""
        said = self.match.rulings[self.ruled :]
        self.ruled = len(self.match.rulings)
        for ruling in said:
            note(ruling.text)
            self._look_at_ruling(ruling)
        self._look_at_position()
        fresh = {key for key in self.match.open if key not in self.match.answered}
        for key in fresh:
            question = self.match.open[key]
            assert question.headline
            assert len(question.headline) <= 22, question.headline
            assert question.cite.rules or question.cite.rulings
            assert question.prompt
        assert self.match.open or self.match.outcome

    def answered(self, key: str) -> None:
        """A key is answered once in a match."""
        assert key not in self.keys, f"{key} is asked a second time"
        self.keys.add(key)

    def _look_at_ruling(self, ruling: Ruling) -> None:
        assert ruling.cite.rules or ruling.cite.rulings
        assert 0 < len(ruling.headline) <= 22, ruling.text
        assert ruling.text.endswith((".", ".)")), ruling.text
        assert "  " not in ruling.text

    def _look_at_position(self) -> None:
        position = self.match.position
        if position.step == "set-up":
            return
        counts = position.piles.counts
        assert min(counts.values()) >= 0
        if self.total is None:
            self.total = position.piles.total
        assert position.piles.total == self.total, "no card is lost or made"
        if self.match.outcome is None:
            assert [f"{fault.path}: {fault.text}" for fault in faults(position)] == []


def answer(match: Match[Any], key: str, raw: Json) -> None:
    match.answer(Offer(key, raw, "bot", match.open[key].by), STAMP)


def next_of(match: Match[Any]) -> Any:
    """The first question that has no answer yet."""
    return next(question for key, question in match.open.items() if key not in match.answered)


def guess(player: RandomPlayer, question: Any) -> Json:
    """Few cards while they are counted; what is listed for a number under a law; else anything."""
    if isinstance(question, Count) and question.law is not None:
        return int(player.rng.choice(question.options_now()).name)
    if isinstance(question, Count):
        return player.rng.randint(question.low, min(question.most, 12))
    return player.answer(question)


@given(match=matches(), seed=st.integers(0, 2**32 - 1))
def test_the_invariants_hold_at_each_step(match: Match[Any], seed: int) -> None:
    """Cards are conserved, keys unique, headlines short, rulings cited, positions possible."""
    player, watch = RandomPlayer(Random(seed)), Watch(match)
    watch.look()
    for _ in range(MOST_ANSWERS):
        if match.outcome is not None:
            break
        question = next_of(match)
        watch.answered(question.key)
        answer(match, question.key, guess(player, question))
        watch.look()
    assert match.outcome is not None
    assert set(match.outcome.winners) <= set(match.rulebook.seats_taken())


@pytest.mark.slow
@given(match=matches(), seed=st.integers(0, 2**32 - 1), skip=st.integers(0, 60))
def test_what_is_refused_changes_nothing_and_is_cited(
    bear_nonsense: Bear, match: Match[Any], seed: int, skip: int
) -> None:
    """Nonsense, and answers out of place: taken if legal, else refused with code and rule."""
    player = RandomPlayer(Random(seed))
    for number in range(skip + 4):
        if match.outcome is not None:
            return
        if number >= skip:
            bear_nonsense(match, NONSENSE)
        question = next_of(match)
        answer(match, question.key, guess(player, question))


def played(seed: int, **options: Json) -> Match[Any]:
    """A whole match of bots."""
    setup = Setup("talespin-dogfight", options=options)
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)))
    assert match.outcome is not None
    return match


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_prefix_replays_and_undo_is_the_way_back(players: int) -> None:
    """Replay of a prefix, and undo of the next line, come out alike."""
    match = played(3, players=players, max_dogfights_per_turn=2)
    ends = range(1, len(match.entries) + 1)
    digests = [Match[Any].replay(match.entries[:end]).position.digest() for end in ends]
    back = Match[Any].replay(match.entries)
    assert back.position.digest() == digests[-1]
    while back.last_act is not None:
        at = back.last_act
        back.undo(None, "test", stamp=STAMP)
        assert back.position.digest() == digests[at - 1]


@pytest.mark.parametrize("seed", range(4))
def test_a_position_file_of_any_moment_asks_the_same(seed: int) -> None:
    """Written, read and begun with: the same questions, the same digest."""
    match = played(seed, players=2 + seed % 3)
    options = match.setup.options
    for end in range(1, len(match.entries)):
        here = Match[Any].replay(match.entries[:end])
        if here.outcome is not None:
            continue
        setup = Setup("talespin-dogfight", options=options, position=here.position_file())
        again = Match[Any].start(setup, STAMP)
        assert list(again.open) == list(here.open), here.entries[-1].key
        assert again.position.digest() == here.position.digest(), here.entries[-1].key


def test_amending_an_early_answer_plays_on() -> None:
    """The defender had declined after all: what followed is refitted or put aside."""
    match = next(match for match in map(played, range(50)) if _defended(match))
    line = next(entry for entry in match.entries if entry.key.endswith("/decides"))
    match.amend(line.seq, "decline", "misheard").commit(STAMP)
    assert match.position.winner in ("attacker", "")
    assert match.outcome is not None or match.open


def _defended(match: Match[Any]) -> bool:
    return any(line.key.endswith("/decides") and line.answer == "defend" for line in match.entries)
