"""The ids of card sleeves: each side of each sleeve one, and none of a token or a board."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.core.board import BoardPlan, Deck
from companion.core.errors import BadCall
from ui.terminal.setting_up import plan_of
from vision.cards.sleeves import DECKS, IDS_A_DECK, SLEEVE_DICTIONARY, back_of, face_of, sleeves_of
from vision.markers.dictionaries import load_dictionary


@pytest.fixture(scope="module")
def plan() -> BoardPlan:
    return plan_of("jaws-and-paws")


@pytest.mark.parametrize("variants", [(), ("five-players",), ("three-players",)])
def test_every_side_has_an_id_of_its_own(variants: tuple[str, ...]) -> None:
    """All of them exist in the dictionary, which is not that of the table."""
    plan = plan_of("jaws-and-paws", variants)
    sleeves = sleeves_of(plan)
    assert len(sleeves) == sum(len(deck.cards) + 1 for deck in plan.decks)
    assert max(sleeves) < load_dictionary(SLEEVE_DICTIONARY).size
    assert plan.dictionary != SLEEVE_DICTIONARY
    for deck in plan.decks:
        assert not sleeves[back_of(deck).marker].card
        assert {face_of(deck, card).marker for card in deck.cards} <= sleeves.keys()


def test_a_sleeve_stays_right_when_more_teams_come(plan: BoardPlan) -> None:
    """Printed once, used in every mode."""
    more = sleeves_of(plan_of("jaws-and-paws", ("five-players",)))
    few = sleeves_of(plan)
    assert all(more[marker].title == sleeve.title for marker, sleeve in few.items())


def test_twelve_decks_fit() -> None:
    """Of three boxes; the thirteenth is refused with the limit."""
    decks = tuple(Deck(f"P{n}", n, "P", {"MPL": ("MPL",)}) for n in range(DECKS + 1))
    plan = BoardPlan("box", "4X4_50", (), (), (0.0, 0.0))
    assert len(sleeves_of(replace(plan, decks=decks[:-1]))) == 2 * DECKS == 24
    with pytest.raises(BadCall, match=f"decks 0 to {DECKS - 1}"):
        sleeves_of(replace(plan, decks=decks))


def test_too_many_kinds_are_refused(plan: BoardPlan) -> None:
    """A deck of a table's own, with more kinds than ids; and two decks of one number."""
    cards = {f"card {n}": (f"card {n}",) for n in range(IDS_A_DECK)}
    many = replace(plan.decks[0], cards=cards)
    with pytest.raises(BadCall, match=f"tell {IDS_A_DECK - 1} apart"):
        sleeves_of(replace(plan, decks=(many,)))
    with pytest.raises(BadCall, match="one number"):
        sleeves_of(replace(plan, decks=(plan.decks[0], replace(plan.decks[1], number=0))))
    with pytest.raises(BadCall, match="no card 'MPX' in the deck of JP"):
        face_of(plan.decks[0], "MPX")
