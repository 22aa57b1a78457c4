"""How many touches a round and an attack take without a camera, on keys that are really there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from companion.match.simulation import bots_of
from tests.ui.screens.fingers import Fingers, Touch
from ui.scene.scene import Scene
from ui.scene.theme import Theme
from ui.screens.match.result import ResultState
from ui.screens.match.ruling import RulingState, waits_for_hands
from ui.touch import actions as a

SEEDS = range(4)


class Told:
    """Players who say what is written down for them, and else that there is nothing to say."""

    def __init__(self, answers: Mapping[str, Any]) -> None:
        self.answers = answers

    def act(self, question: Any) -> Any:
        """The answer whose name ends the question's key; else silence, or the word."""
        for ending, raw in self.answers.items():
            if question.key.endswith(ending):
                return raw
        return question.word if question.lapse is None else question.lapse

    def perform(self, deeds: Any) -> None:
        """Hands follow."""


def by_round(made: list[Touch]) -> dict[str, list[Touch]]:
    """The touches of each round, by its number."""
    rounds = defaultdict[str, list[Touch]](list)
    for touch in made:
        rounds[touch.place.split("/")[0]].append(touch)
    return {name: touches for name, touches in rounds.items() if name.startswith("round")}


ONE = {"pilot": 1, "gunner": 0}
OTHER = {"pilot": 0, "gunner": 1}


def test_a_round_of_four_takes_at_most_17_touches(window: Any, person: Any) -> None:
    """Each lays a card, two planes move and two are hit.

    Two say READY, five touches lock, one draws for all, four tell cards; hands are told four deeds,
    and clear the tracks with the next READY.
    """
    person.to_ready()
    cards = {
        "lock/jaws/1": ONE, "lock/jaws/2": OTHER, "lock/paws/1": ONE, "lock/paws/2": OTHER,
        "section-1/reveal/jaws": "MPL own", "section-1/reveal/paws": "SH PL",
        "section-2/reveal/jaws": "SH GC", "section-2/reveal/paws": "MPL own",
    }  # fmt: skip
    fingers = Fingers(person, Told(cards))
    while "round-2/ready/jaws" not in person.match.open or isinstance(person.state, RulingState):
        fingers.step()
    touches = by_round(fingers.made)["round-1"]
    told = [touch for touch in fingers.made if touch.screen == "Ruling"]
    assert len(fingers.made) <= 17, [touch.kind for touch in fingers.made]
    assert sum(touch.screen == "Everyone" for touch in touches) == 1
    assert sum(touch.screen == "Lock" for touch in touches) == 5
    assert all(touch.deeds for touch in told)
    assert "Discard Piles" in person.state.band.note


@pytest.mark.parametrize("seed", SEEDS)
def test_no_touch_of_a_match_is_empty(window: Any, person: Any, seed: int) -> None:
    """Each answers something, leads to its answer, or says that hands have done what was ruled."""
    person.begin()
    fingers = Fingers(person, bots_of(person.match.setup, Random(seed)))
    fingers.play()
    empty = [
        touch
        for touch in fingers.made
        if not touch.answers
        and not touch.deeds
        and not isinstance(touch.action, a.FillForm | a.Fill | a.Show | a.TurnPage)
    ]
    said = {touch.said for touch in empty}
    assert len(empty) <= 1, said  # the last ruling, which says who has won
    rounds = by_round(fingers.made)
    mean = sum(map(len, rounds.values())) / len(rounds)
    assert mean <= MOST_ON_AVERAGE, {name: len(touches) for name, touches in rounds.items()}


MOST_ON_AVERAGE = 22.5
"""Of bots' rounds, in which five cards lie, a plane falls, decks are shuffled and counted."""


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
def test_two_deeds_that_move_no_piece_are_told_and_done_at_once(
    make_sheet: Any, person: Any, size: tuple[int, int]
) -> None:
    """A band each and every sentence whole; one Done says that both are done."""
    from ui.screens.registry import parts_of, screen_of

    theme, seen = Theme(size_px=size), 0
    sheet = make_sheet(theme)
    person.begin()
    fingers = Fingers(person, bots_of(person.match.setup, Random(3)))
    while not isinstance(person.state, ResultState):
        state = person.state
        at_once = isinstance(state, RulingState) and state.then is not None
        if at_once:
            sheet.show(screen_of(state), parts_of(state, theme))
            cut = [text.text for _, text in sheet.written() if text.cut]
            assert not cut
            assert {"band", "then"} <= {*sheet.parts}
        left = len(waits_for_hands(Scene(person.table.situation(), person.view)))
        fingers.step()
        if at_once:
            seen += 1
            scene = Scene(person.table.situation(), person.view)
            assert len(waits_for_hands(scene)) == left - 2 or not waits_for_hands(scene)
    assert seen


def test_an_attack_of_1917_takes_six_touches(window: Any, person: Any, duel: Any) -> None:
    """The attack, a touch a die, and whether to evade: eight before the last die gave the roll."""
    duel()
    answers = {
        "action": "Basic Attack", "fire": [5, 5], "evade": "Evasive Dive", "evasion": [2, 1],
    }  # fmt: skip
    fingers = Fingers(person, Told(answers))
    while not any("momentum" in key or "again" in key for key in person.match.open):
        fingers.step()
    assert [touch.answers for touch in fingers.made] == [1, 0, 1, 1, 0, 1]
