"""Every mode and size of table keeps the laws of a match, and JP-21, in random ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError, IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import TABLE, Json
from companion.games import rulebook_of
from companion.games.jaws_and_paws.faults import faults
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
BOX = "jaws-and-paws"
MODES: Sequence[tuple[str, str]] = [
    ("night", ""),
    ("two-players", ""),
    ("night two-players", ""),
    ("three-players", "2 1"),
    ("three-players", "1 2"),
    ("night three-players", "2 1"),
    ("five-players", "2 2 1"),
    ("five-players", "2 1 1 1"),
    ("night five-players", "1 1 1 1 1"),
    ("night five-players", "2 2 2"),
    ("five-players", "2 2 2 2 2 2"),
]
modes = pytest.mark.parametrize(("variants", "crews"), MODES)


def setup_of(variants: str, crews: str, options: Mapping[str, Json]) -> Setup:
    seats = {"crews": crews} if crews else {}
    return Setup(BOX, tuple(variants.split()), options={**options, **seats})


def house_of(variants: str, rng: Random) -> dict[str, Json]:
    """Random house rules, but for the table's size and what the camera may say."""
    switches = rulebook_of(setup_of(variants, "", {})).switches
    return {
        name: rng.choice(switch.values)
        for name, switch in switches.items()
        if name not in ("crews", "sight")
    }


def waiting(match: Match[Any]) -> list[str]:
    return [key for key in match.open if key not in match.answered]


def table(match: Match[Any]) -> object:
    """Everything a table sees of a match."""
    said = [(ruling.text, str(ruling.cite), ruling.deeds) for ruling in match.rulings]
    return (match.position.to_file(), asked(match), match.answered, said, match.outcome)


def asked(match: Match[Any]) -> object:
    """What is open, for whom, under which rule, with which answers."""
    return {
        key: (question.terms(), str(question.cite), question.prompt)
        for key, question in match.open.items()
    }


class Play:
    """A random match, looked at before and after each answer."""

    def __init__(self, variants: str, crews: str, seed: int) -> None:
        self.rng = Random(seed)
        self.setup = setup_of(variants, crews, house_of(variants, self.rng))
        self.match: Match[Any] = Match.start(self.setup, STAMP)
        self.player = RandomPlayer(self.rng)
        self.keys: list[str] = []
        self.refusals: list[tuple[str, bool, bool]] = []
        self.ruled = 0

    @property
    def over(self) -> bool:
        return self.match.outcome is not None

    def step(self) -> bool:
        """One answer, judged; whether it was taken."""
        match = self.match
        key = self.rng.choice(waiting(match))
        question = match.open[key]
        assert 0 < len(question.headline) <= 22, question.headline
        before = match.position.digest(), list(match.open), len(match.entries)
        try:
            match.answer(Offer(key, self.player.answer(question), "bot", TABLE), STAMP)
        except IllegalAnswer as refusal:
            cited = refusal.cite.rules or refusal.cite.rulings
            changed = before != (match.position.digest(), list(match.open), len(match.entries))
            self.refusals.append((str(refusal), bool(cited), changed))
            self._say_the_form_afresh()
            return False
        if not match.answered:
            new = [key for key in match.open if key not in self.keys[-60:]]
            assert not set(new) & set(self.keys), "a key was asked twice"
            self.keys += new
        self._judge()
        return True

    def _say_the_form_afresh(self) -> None:
        """Answers that do not go together are taken back."""
        while self.match.answered and self.match.last_act is not None:
            self.match.undo(stamp=STAMP)

    def _judge(self) -> None:
        """JP-21, and what every ruling has."""
        assert [fault.text for fault in faults(self.match.position)] == []
        for ruling in self.match.rulings[self.ruled :]:
            assert ruling.cite.rules, ruling.text
            assert len(ruling.headline) <= 22, ruling.headline
            assert " 1 cards" not in ruling.text
        self.ruled = len(self.match.rulings)


@pytest.mark.slow(gate=1)
@modes
@pytest.mark.parametrize("seed", range(3))
def test_random_matches_keep_every_law(variants: str, crews: str, seed: int) -> None:
    """Cards and tokens add up, keys are unique, headlines short, refusals cite and change nothing.

    Every answer undone restores the table, and the log replays to the same.
    """
    play = Play(variants, crews, seed)
    for number in range(150):
        if play.over:
            break
        before = table(play.match)
        if play.step() and number % 7 == 0 and not play.over:
            after = table(play.match)
            answered = play.match.entries[-1]
            play.match.undo(stamp=STAMP)
            assert table(play.match) == before
            offer = Offer(answered.key, answered.answer, "bot", TABLE)
            play.match.answer(offer, STAMP)
            assert table(play.match) == after
    assert all(cited and not changed for _, cited, changed in play.refusals)
    replayed: Match[Any] = Match.replay(play.match.entries)
    assert table(replayed) == table(play.match)


@pytest.mark.slow(gate=1)
@modes
@pytest.mark.parametrize("seed", range(2))
def test_a_position_file_of_any_moment_asks_the_same(variants: str, crews: str, seed: int) -> None:
    """Written and read back, with the answers since."""
    play = Play(variants, crews, 100 + seed)
    for number in range(200):
        if play.over:
            return
        if number % 9 == 0:
            file = play.match.position_file()
            options = play.setup.options
            setup = Setup(BOX, play.setup.variants, options=options, position=file)
            again: Match[Any] = Match.start(setup, STAMP)
            assert asked(again) == asked(play.match)
            assert again.position_file() == file
        play.step()


@modes
@pytest.mark.parametrize("seed", range(4))
def test_bots_and_record_agree_to_the_end(variants: str, crews: str, seed: int) -> None:
    """The hidden table, moved by deeds alone, ends with every count and token as recorded."""
    rng = Random(seed)
    setup = setup_of(variants, crews, house_of(variants, rng))
    match: Match[Any] = Match.start(setup, STAMP)
    bots: Any = bots_of(setup, rng)
    play_out(match, bots)
    assert match.outcome is not None
    position = match.position
    assert {str(k): str(v) for k, v in bots.placement().items()} == position.zones
    for player in position.lineup.players:
        assert bots.counts(player) == position.piles[player].counts, player
    assert bots.smoke == position.smoke


@pytest.mark.slow(gate=1)
@modes
@pytest.mark.parametrize("seed", range(2))
def test_corrections_fit_or_change_nothing(variants: str, crews: str, seed: int) -> None:
    """Answers amended and quantities set in the middle: refused, or the log replays to the same."""
    play = Play(variants, crews, 200 + seed)
    rng, match = play.rng, play.match
    for number in range(120):
        if play.over or not waiting(match):
            return
        play.step()
        play.keys, play.ruled = [], len(match.rulings)
        if number % 10:
            continue
        before = table(match)
        try:
            _correct(match, rng)
        except CompanionError:
            assert table(match) == before
        replayed: Match[Any] = Match.replay(match.entries)
        assert table(replayed) == table(match)


def _correct(match: Match[Any], rng: Random) -> None:
    """Some correction that an arbiter might make, legal or not."""
    position = match.position
    answers = [step for step in match.steps if step.answers]
    if rng.random() < 0.4 or not answers:
        player, team = rng.choice(position.lineup.players), rng.choice(position.lineup.teams)
        zone, piece = rng.choice(position.lineup.zones), rng.choice(position.lineup.tokens)
        changes: Mapping[str, Json] = rng.choice(
            [
                {f"{player}.deck": rng.randint(0, 30)},
                {str(position.light): zone},
                {str(piece): zone},
                {f"{team}.smoke": True},
                {f"{team}.down": True},
                {"option.crews": "2 2"},
            ]
        )
        match.adjust(changes, "recounted", stamp=STAMP)
        return
    step, other = rng.choice(answers), rng.choice(answers)
    match.amend(step.seq, other.value, "misheard").commit(STAMP)
