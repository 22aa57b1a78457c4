"""Card sleeves: which marker is which player's card, and where on the sleeve it sits.

The one place where these ids are given out: the printed sheets, the drawn table and the reader of
the tracks all ask here. Sleeves have a dictionary of their own, so that no card is ever taken for a
token or a board's corner.

Each deck has a block of `IDS_A_DECK` ids, by the deck's number: its kinds of cards in their order,
and the back as the last id of the block. The number is the same in every match of the box, so
sleeves that were printed once stay right when more teams come to the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.core.board import BoardPlan, Deck, PointMm
from companion.core.errors import BadCall
from vision.markers.choice import RIM_CELLS

SLEEVE_DICTIONARY = "5X5_250"
IDS = 250
IDS_A_DECK = 20
"""Nineteen kinds of cards and the back; twelve players' decks, of three boxes, fit."""
DECKS = IDS // IDS_A_DECK

CARD_MM: PointMm = (63.0, 88.0)
SLEEVE_SIDE_MM = 18.0
"""The black square: 25 px for a camera of 720 lines over a table of two teams."""
SLEEVE_RIM_CELLS = RIM_CELLS
SLEEVE_AT_MM: PointMm = (CARD_MM[0] / 2, 17.0)
"""The middle of the square from the card's top left, face and back alike, its top to the card's.

So near to the top, a second card that is laid a marker's height further down leaves the first
one's back in sight.
"""


@dataclass(frozen=True, slots=True)
class Sleeve:
    """One side of a sleeve: its marker, whose deck it belongs to, and the card where it is a face.

    `faces` are the names that the card is revealed by, its printed upper half first; none on a
    back.
    """

    marker: int
    deck: Deck
    card: str = ""

    @property
    def faces(self) -> tuple[str, ...]:
        """The names of the card's printed halves; none on a back."""
        return self.deck.cards[self.card] if self.card else ()

    @property
    def title(self) -> str:
        """What is written beside it on the sheet: "JP back", "PG SH GL"."""
        return f"{self.deck.owner} {self.card or 'back'}"


def sleeves_of(plan: BoardPlan) -> Mapping[int, Sleeve]:
    """Every side of every sleeve of a plan by its marker; none for a box without decks.

    Raises `BadCall` for more decks, or more kinds of cards in one, than the dictionary has room
    for.

    >>> deck = Deck("JP", 0, "P", {"MPL": ("MPL own", "MPL enemy"), "MSL": ("MSL",)})
    >>> sleeves = sleeves_of(BoardPlan("box", "4X4_50", (), (), (0.0, 0.0), decks=(deck,)))
    >>> {marker: sleeve.title for marker, sleeve in sleeves.items()}
    {0: 'JP MPL', 1: 'JP MSL', 19: 'JP back'}
    """
    found = {sleeve.marker: sleeve for deck in plan.decks for sleeve in _of_deck(deck)}
    if len(found) < sum(len(deck.cards) + 1 for deck in plan.decks):
        owners = ", ".join(f"{deck.owner} {deck.number}" for deck in plan.decks)
        raise BadCall(f"two decks have one number, so their sleeves would look alike: {owners}")
    return found


def back_of(deck: Deck) -> Sleeve:
    """The back of a deck's sleeves."""
    return Sleeve((_checked(deck).number + 1) * IDS_A_DECK - 1, deck)


def face_of(deck: Deck, card: str) -> Sleeve:
    """The face of one kind of card of a deck; `BadCall` with the kinds it has."""
    if card not in _checked(deck).cards:
        raise BadCall(f"no card {card!r} in the deck of {deck.owner}: {', '.join(deck.cards)}")
    return Sleeve(deck.number * IDS_A_DECK + list(deck.cards).index(card), deck, card)


def _of_deck(deck: Deck) -> Iterator[Sleeve]:
    yield from (face_of(deck, card) for card in deck.cards)
    yield back_of(deck)


def _checked(deck: Deck) -> Deck:
    if not 0 <= deck.number < DECKS:
        raise BadCall(
            f"deck {deck.number} of {deck.owner}: {SLEEVE_DICTIONARY} has markers for decks 0 to "
            f"{DECKS - 1} of {IDS_A_DECK} each"
        )
    if len(deck.cards) >= IDS_A_DECK:
        raise BadCall(
            f"the deck of {deck.owner} has {len(deck.cards)} kinds of cards: sleeves tell "
            f"{IDS_A_DECK - 1} apart, so play this deck without them"
        )
    return deck
