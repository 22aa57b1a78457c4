"""What cards seen on the tracks answer: the lock, a reveal; nothing in doubt, nothing early."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.core.offers import (
    CardSeen,
    LateCard,
    PictureState,
    SectionSeen,
    SectionState,
    Sighting,
)
from companion.core.ruling import Json
from companion.games import rulebook_of
from companion.games.jaws_and_paws.boards import JAWS, JG, JP, PAWS, PG
from companion.games.jaws_and_paws.rules import JawsAndPaws
from companion.match.rulebook import Setup

EMPTY = SectionSeen(SectionState.EMPTY)


def read(*cards: CardSeen | str) -> SectionSeen:
    seen = tuple(CardSeen(card) if isinstance(card, str) else card for card in cards)
    return SectionSeen(SectionState.READ, seen)


def doubt(*owners: str) -> SectionSeen:
    return SectionSeen(SectionState.DOUBT, tuple(CardSeen(owner) for owner in owners))


def sighting(cards: Mapping[str, SectionSeen], *late: LateCard) -> Sighting:
    return Sighting(5.0, 1, PictureState.SETTLED, {}, cards=cards, late=late)


@pytest.fixture
def rules() -> Any:
    def make(**options: Json) -> JawsAndPaws:
        setup = Setup("jaws-and-paws", ("day",), options=options)
        found = rulebook_of(setup)(setup)
        assert isinstance(found, JawsAndPaws)
        return found

    return make


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (EMPTY, {"pilot": 0, "gunner": 0}),
        (read("JP"), {"pilot": 1, "gunner": 0}),
        (read("JG", "JP"), {"pilot": 1, "gunner": 1}),
        (read("JG", "JG"), {"pilot": 0, "gunner": 2}),
        (read("PP"), None),
        (doubt(), None),
        (doubt("JP"), None),
    ],
)
def test_jp_5_7_the_lock_is_answered_by_borders(rules: Any, seen: SectionSeen, told: Json) -> None:
    """Section by section, where it is sure; another team's card is for people to sort out."""
    game = rules()
    question = game.ask.borders(JAWS, 2)
    assert game.seen_answer(question, sighting({"Jaws.2": seen})) == told
    if told is not None:
        question.judge(told)
    assert game.seen_answer(game.ask.borders(PAWS, 2), sighting({"Jaws.2": seen})) is None


def test_jp_8_1_a_players_cards_are_counted_over_the_whole_track(rules: Any) -> None:
    """Where the lock asks for players; one section in doubt, and nothing is said."""
    game = rules(lock_asks="players")
    track = {"Jaws.1": read("JP"), "Jaws.2": EMPTY, "Jaws.3": read("JP", "JG"), "Jaws.4": EMPTY}
    counts = [game.seen_answer(game.ask.laid(player), sighting(track)) for player in (JP, JG, PG)]
    assert counts == [2, 1, None]
    doubled = [game.seen_answer(game.ask.doubled(JAWS, n), sighting(track)) for n in (1, 3)]
    assert doubled == [{"pilot": 0, "gunner": 0}, {"pilot": 1, "gunner": 1}]
    unsure = sighting({**track, "Jaws.4": doubt()})
    assert game.seen_answer(game.ask.laid(JP), unsure) is None
    assert game.seen_answer(game.ask.laid(JP), sighting({"Jaws.1": EMPTY})) is None


@pytest.mark.parametrize(
    ("seen", "told"),
    [
        (read(CardSeen("JP", ("MPL enemy",))), "MPL enemy"),
        (read(CardSeen("JG", ("SH GL",))), "SH GL"),
        (read(CardSeen("JP", ("MPL own", "MPL enemy"))), None),
        (read("JP"), None),
        (read(CardSeen("PP", ("MSL",))), None),
        (read(CardSeen("JP", ("MSL",)), "JG"), None),
        (doubt("JP"), None),
        (EMPTY, None),
    ],
)
def test_jp_9_1_a_reveal_is_answered_by_the_one_card_face_up(
    rules: Any, seen: SectionSeen, told: Json
) -> None:
    """Not by a back, nor sideways, nor where another lies there too."""
    game = rules()
    assert game.seen_answer(game.ask.reveal(JAWS, 1), sighting({"Jaws.1": seen})) == told


def test_jp_5_7_a_late_card_answers_no_lock(rules: Any) -> None:
    """Neither where it came nor where it left: the table rules on it first."""
    game = rules()
    late = LateCard("Jaws.2", "JP", "Jaws.1")
    cards = {"Jaws.1": EMPTY, "Jaws.2": read("JP"), "Jaws.3": EMPTY}
    told = [
        game.seen_answer(game.ask.borders(JAWS, n), sighting(cards, late)) is None
        for n in (1, 2, 3)
    ]
    assert told == [True, True, False]


@pytest.mark.parametrize(
    ("late", "text"),
    [
        (LateCard("Paws.2", "PG"), "A Paws Gunner's card came to Paws 2 after the buzzer."),
        (LateCard("Paws.2", "PG", "Paws.4"), "came to Paws 2 from Paws.4 after the buzzer"),
        (LateCard("Paws.2"), "A card came to Paws 2 after the buzzer."),
        (LateCard("Paws.2", "PG", sure=False), "at the buzzer a hand was over it"),
    ],
)
def test_jp_e20_a_late_card_is_named(rules: Any, late: LateCard, text: str) -> None:
    """With the way out; the table, not the camera, rules on it."""
    (notice,) = rules().compare(sighting({}, late))
    assert notice.code == "JP-E20"
    assert text in notice.text
    assert "pictures" in notice.way_out


def test_other_questions_are_not_answered_by_cards(rules: Any) -> None:
    """No ready word, no toss, nothing before the buzzer."""
    game = rules()
    cards = {f"Jaws.{n}": read("JP") for n in (1, 2, 3, 4)}
    for question in (game.ask.checked(), game.ask.owner(JAWS, 1)):
        assert game.seen_answer(question, sighting(cards)) is None
