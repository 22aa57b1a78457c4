"""JP-21 held at each step of random matches, under random house rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, note
from hypothesis import strategies as st

from companion.core.errors import IllegalAnswer
from companion.core.offers import Offer, Stamp
from companion.core.ruling import TABLE, Move, Ruling
from companion.games.jaws_and_paws.boards import PLAYERS, TEAMS
from companion.games.jaws_and_paws.faults import faults
from companion.games.jaws_and_paws.switches import SWITCHES
from companion.kit.playing import RandomPlayer
from companion.match.match import Match
from companion.match.rulebook import Setup

STAMP = Stamp("random", "2026-11-21T19:00:00Z", 0.0)
MOST_ANSWERS = 400

houses = st.fixed_dictionaries(
    {
        **{name: st.sampled_from(switch.values) for name, switch in SWITCHES.items()},
        "smoke_damage": st.integers(0, 6),
        "shot_damage": st.integers(0, 12),
    }
)


class Watch:
    """What the position looked like before, and what must not have happened since."""

    def __init__(self, match: Match[Any]) -> None:
        self.match = match
        self.keys: list[str] = []
        self.ruled = 0
        self.refusals: list[IllegalAnswer] = []
        self.before: Mapping[str, Any] = self.now()

    def now(self) -> Mapping[str, Any]:
        position = self.match.position
        return {
            "game": position.game,
            "scrap": {p: position.piles[p].counts["scrap"] for p in PLAYERS},
            "deck": {p: position.piles[p].counts["deck"] for p in PLAYERS},
            "smoke": dict(position.smoke),
        }

    def look(self) -> None:
        """Judge one step: everything of JP-21, and what rulings say of it."""
        position, was, now = self.match.position, self.before, self.now()
        said = self.match.rulings[self.ruled :]
        note("\n".join(ruling.text for ruling in said))
        assert [fault.text for fault in faults(position)] == []
        assert all(refusal.cite.rules or refusal.cite.rulings for refusal in self.refusals)
        if now["game"] == was["game"]:
            for player in PLAYERS:
                assert now["scrap"][player] >= was["scrap"][player]
                if now["deck"][player] > was["deck"][player]:
                    assert any(_shuffles(ruling, player) for ruling in said)
            for team in TEAMS:
                assert now["smoke"][team] >= was["smoke"][team]
        self._look_at_rulings(said)
        self.before, self.ruled = now, len(self.match.rulings)

    def _look_at_rulings(self, said: Sequence[Ruling]) -> None:
        for ruling in said:
            assert ruling.cite.rules, ruling.text
            assert len(ruling.headline) <= 22, ruling.headline
            moved = {deed.piece for deed in ruling.deeds if isinstance(deed, Move)}
            if "sun" in moved and ruling.step is not None:
                assert ruling.step in (1, 2)
            if moved - {"sun"} and ruling.step is not None:
                assert ruling.step in (3, 4)
            scraps = any(getattr(deed, "target", "") == "scrap" for deed in ruling.deeds)
            assert not scraps or ruling.step == 5 or "JP-8.3" in ruling.cite.rules


def _shuffles(ruling: Ruling, player: str) -> bool:
    return any(
        getattr(deed, "owner", "") == player and getattr(deed, "target", "") == "deck"
        for deed in ruling.deeds
    )


def play_randomly(match: Match[Any], rng: Random, watch: Watch) -> None:
    """Random legal answers, a bounded number of them."""
    player = RandomPlayer(rng)
    for _ in range(MOST_ANSWERS):
        waiting = [key for key in match.open if key not in match.answered]
        if not waiting:
            return
        key = rng.choice(waiting)
        question = match.open[key]
        assert question.headline
        assert len(question.headline) <= 22, question.headline
        try:
            match.answer(Offer(key, player.answer(question), "bot", TABLE), STAMP)
        except IllegalAnswer as refusal:
            watch.refusals.append(refusal)
            for answered in list(match.answered):  # what does not go together is said afresh
                if "/lock/" in answered:
                    lapse = match.open[answered].lapse
                    match.answer(Offer(answered, lapse, "bot", TABLE), STAMP)
            continue
        if not match.answered:
            watch.keys += [k for k in match.open if k not in watch.keys[-20:]]
            assert len(set(watch.keys)) == len(watch.keys), "a key was asked twice"
        watch.look()


@given(seed=st.integers(0, 2**32 - 1), house=houses)
def test_jp_21_1_and_2_and_3_and_5_and_7_hold_at_each_step(
    seed: int, house: dict[str, Any]
) -> None:
    """Cards conserved, tokens on their boards, scrap and smoke for good, decks grow by Repair.

    Also: keys unique, headlines short, a cite with every ruling and refusal, the Sun moves in
    steps 1 and 2, planes in 3 and 4, damage in step 5 or while Repairing.
    """
    match: Match[Any] = Match.start(Setup("jaws-and-paws", options=house), STAMP)
    play_randomly(match, Random(seed), Watch(match))


@pytest.mark.slow
@given(seed=st.integers(0, 2**32 - 1))
def test_jp_21_6_with_standard_damage_scrap_is_a_multiple_of_three(seed: int) -> None:
    """Of every survivor; a shortage ends the match."""
    match: Match[Any] = Match.start(Setup("jaws-and-paws"), STAMP)
    play_randomly(match, Random(seed), Watch(match))
    for team in TEAMS:
        if team not in match.position.down:
            for player in (p for p in PLAYERS if p[0] == team[0]):
                assert match.position.piles[player].counts["scrap"] % 3 == 0


@given(seed=st.integers(0, 2**32 - 1))
def test_jp_21_4_hands_are_four_after_discard_and_draw(seed: int) -> None:
    """Exactly four by day, of every survivor."""
    match: Match[Any] = Match.start(Setup("jaws-and-paws"), STAMP)
    rng, player = Random(seed), RandomPlayer(Random(seed + 1))
    for _ in range(120):
        waiting = [key for key in match.open if key not in match.answered]
        if not waiting or "/result/" in waiting[0]:
            return
        key = rng.choice(waiting)
        try:
            match.answer(Offer(key, player.answer(match.open[key]), "bot", TABLE), STAMP)
        except IllegalAnswer:
            return
        if match.position.stage.startswith("section"):
            hands = {piles.counts["hand"] for piles in match.position.piles.values()}
            assert hands == {4}


@pytest.mark.parametrize("seed", range(12))
def test_bots_and_record_agree_at_each_step(bots: Callable[..., Any], seed: int) -> None:
    """The hidden table, moved by deeds alone, has every count and token as recorded."""
    rng = Random(seed)
    house: dict[str, Any] = {name: rng.choice(s.values) for name, s in SWITCHES.items()}
    house["shot_damage"] = rng.choice([0, 3, 5, 6, 10])
    table, physical = bots(seed, options=house)
    assert {str(k): str(v) for k, v in physical.placement().items()} == table.position.zones
    for player in PLAYERS:
        assert physical.counts(player) == table.position.piles[player].counts
    assert physical.smoke == table.position.smoke
