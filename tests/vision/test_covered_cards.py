"""A card under another one, in a film: told, for no single picture shows it."""

from __future__ import annotations

from companion.core.board import Deck
from companion.core.offers import PictureState
from vision.cards.cards import CardOn, CardRead, CoveredCards
from vision.cards.sleeves import back_of

SETTLED, STILL, HAND = PictureState.SETTLED, PictureState.STILL, PictureState.HAND
PILOTS, GUNNERS = (Deck(owner, n, "P", {"MSL": ("MSL",)}) for n, owner in enumerate(("JP", "JG")))


def card(deck: Deck, section: str | None = "Jaws.1") -> CardOn:
    """A back as it is read."""
    return CardOn(section, CardRead(back_of(deck), (40.0, 60.0), 0.0))


def told(covered: CoveredCards, *shown: CardOn, state: PictureState = SETTLED) -> list[str]:
    """What is said of a picture's cards."""
    return [str(one) for one in covered.look(shown, state)]


def test_a_card_laid_on_another_may_lie_over_it() -> None:
    """Until the section was seen without any card; a hand hides, and does not cover."""
    covered = CoveredCards()
    assert told(covered, card(PILOTS)) == ["Jaws.1: JP face down"]
    assert told(covered, state=HAND) == []
    assert told(covered, state=STILL) == []
    over = ["Jaws.1: JG face down, perhaps over JP"]
    assert told(covered, card(GUNNERS), state=HAND) == over
    assert told(covered, card(GUNNERS)) == over
    assert told(covered, card(GUNNERS)) == over
    assert told(covered) == []
    assert told(covered, card(GUNNERS)) == ["Jaws.1: JG face down"]


def test_cards_that_lie_apart_are_over_none() -> None:
    """Two in sight of one section, one of each on two, and one between sections."""
    covered = CoveredCards()
    shown = (card(PILOTS), card(GUNNERS), card(PILOTS, "Jaws.2"), card(GUNNERS, None))
    for _ in range(2):
        assert all(not one.over for one in covered.look(shown, SETTLED))
    (first, second, *_) = covered.look((card(GUNNERS), *shown[2:]), SETTLED)
    assert (first.over, second.over) == (("JP",), ())


def test_of_one_owners_two_cards_one_may_lie_over_the_other() -> None:
    """They are counted: one that was read twice and is read once has gone, or is covered."""
    covered = CoveredCards()
    told(covered, card(PILOTS), card(PILOTS))
    assert told(covered, card(PILOTS)) == ["Jaws.1: JP face down, perhaps over JP"]
