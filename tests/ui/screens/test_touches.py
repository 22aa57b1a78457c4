"""How many touches a round and an attack take without a camera, on keys that are really there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.match.simulation import bots_of
from tests.ui.screens.fingers import Fingers, Touch
from ui.scene.theme import Theme
from ui.screens.match.cards import CardsState
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

    Two say READY, five touches lock, one draws for all, four tell cards. What hands do stands over
    the next cards, and with the next READY.
    """
    person.to_ready()
    cards = {
        "lock/jaws/1": ONE, "lock/jaws/2": OTHER, "lock/paws/1": ONE, "lock/paws/2": OTHER,
        "section-1/reveal/jaws": "MPL own", "section-1/reveal/paws": "SH PL",
        "section-2/reveal/jaws": "SH GC", "section-2/reveal/paws": "MPL own",
    }  # fmt: skip
    fingers = Fingers(person, Told(cards))
    while "round-2/ready/jaws" not in person.match.open:
        fingers.step()
    touches = by_round(fingers.made)["round-1"]
    assert len(fingers.made) == 12, [touch.kind for touch in fingers.made]
    assert sum(touch.screen == "Everyone" for touch in touches) == 1
    assert sum(touch.screen == "Lock" for touch in touches) == 5
    assert not any(touch.screen == "Ruling" for touch in touches)
    assert person.state.deeds[-1].lines == ("Clear both tracks",)


def test_a_round_of_four_takes_17_touches_on_average_and_none_is_empty(
    window: Any, new_person: Any, tmp_path: Path
) -> None:
    """Each answers something, leads to its answer, or says that hands have done what was ruled.

    Rounds of bots, in which five cards lie, a plane falls, decks are shuffled and counted.
    """
    rounds: list[int] = []
    for seed in SEEDS:
        (folder := tmp_path / str(seed)).mkdir()
        person = new_person(folder)
        person.begin()
        fingers = Fingers(person, bots_of(person.match.setup, Random(seed)))
        fingers.play()
        empty = {
            touch.said
            for touch in fingers.made
            if not touch.answers
            and not touch.deeds
            and not isinstance(touch.action, a.FillForm | a.Fill | a.Show | a.TurnPage)
        }
        assert len(empty) <= 1, empty  # the last ruling, which says who has won
        rounds += map(len, by_round(fingers.made).values())
    assert sum(rounds) / len(rounds) <= MOST_ON_AVERAGE, rounds
    assert sorted(rounds)[len(rounds) * 9 // 10] <= MOST_OF_NINE_IN_TEN, rounds


MOST_ON_AVERAGE, MOST_OF_NINE_IN_TEN = 17.0, 22


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
def test_several_deeds_stand_whole_over_what_is_asked_next(
    make_sheet: Any, person: Any, size: tuple[int, int]
) -> None:
    """A band each, no word cut, and the next answer says that all of them are done."""
    from ui.screens.registry import parts_of, screen_of

    theme, seen = Theme(size_px=size), 0
    sheet = make_sheet(theme)
    person.begin()
    fingers = Fingers(person, bots_of(person.match.setup, Random(3)))
    while seen < ENOUGH:
        state = person.state
        deeds = getattr(state, "deeds", ())
        fingers.step()
        if len(deeds) <= 1:
            continue
        seen += 1
        sheet.show(screen_of(state), parts_of(state, theme))
        assert not [text.text for _, text in sheet.written() if text.cut]
        assert {"band", "then"} <= {*sheet.parts}
        if isinstance(state, CardsState):
            assert getattr(person.state, "deeds", ()) != deeds


ENOUGH = 6


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
