"""Cards in sleeves, as the drawn table lays them: a plain back, a sleeve's back, or its face.

A card is named by what is seen of it: the letter of a plain back ("P"), a deck's owner for the back
of its sleeve ("JP"), or owner and kind for its face ("JP MPL"); with "@180" it lies turned by so
many degrees.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from companion.core.board import BoardPlan
from companion.core.errors import BadCall
from vision.cards.sleeves import (
    CARD_MM,
    SLEEVE_AT_MM,
    SLEEVE_DICTIONARY,
    SLEEVE_RIM_CELLS,
    SLEEVE_SIDE_MM,
    Sleeve,
    back_of,
    face_of,
)
from vision.drawing.canvas import Canvas, Colour, Sprite, bgr, rounded
from vision.drawing.prints import BOARD_PX_PER_MM, card_back
from vision.markers.dictionaries import load_dictionary

FACE: Colour = (236, 240, 244)
INK: Colour = (60, 52, 48)
WHITE: Colour = (244, 244, 244)


@dataclass(frozen=True)
class DrawnCard:
    """One card as it lies: the letter of its plain back, or its sleeve's side, and its turn."""

    back: str
    sleeve: Sleeve | None = None
    turn_deg: float = 0.0


def card_of(plan: BoardPlan, name: str) -> DrawnCard:
    """What a name stands for; BadCall with what there is."""
    seen, _, turn = name.partition("@")
    turn_deg = _degrees(name, turn) if turn else 0.0
    if seen in plan.card_backs:
        return DrawnCard(seen, None, turn_deg)
    owner, _, kind = seen.partition(" ")
    deck = next((deck for deck in plan.decks if deck.owner == owner), None)
    if deck is None:
        names = (*plan.card_backs, *(deck.owner for deck in plan.decks))
        there = f"there are {', '.join(names)}" if names else "this box lays no cards"
        raise BadCall(f"no card back {seen!r}; {there}")
    return DrawnCard(deck.back, face_of(deck, kind) if kind else back_of(deck), turn_deg)


def _degrees(name: str, turn: str) -> float:
    try:
        return float(turn)
    except ValueError as wrong:
        raise BadCall(f"{name!r}: after @ stands by how many degrees the card is turned") from wrong


def card_sprite(plan: BoardPlan, card: DrawnCard, colour: Colour) -> Sprite:
    """The card as it is seen from above; `colour` is that of its board's cards."""
    edge = bgr(plan.card_backs[card.back])
    if card.sleeve is None:
        return _plain(edge, colour)
    return _sleeved(edge, colour, card.sleeve.marker, card.sleeve.card)


@cache
def _plain(edge: Colour, colour: Colour) -> Sprite:
    return card_back(edge, colour)


@cache
def _sleeved(edge: Colour, colour: Colour, marker: int, kind: str) -> Sprite:
    """A back or a face with its sticker on the sleeve."""
    width, height = CARD_MM
    canvas = Canvas(CARD_MM, BOARD_PX_PER_MM * 2, edge)
    inner = [(4.0, 4.0), (width - 4, 4.0), (width - 4, height - 4), (4.0, height - 4)]
    canvas.fill(inner, FACE if kind else colour)
    if kind:
        canvas.line([(6, height / 2), (width - 6, height / 2)], INK, 0.6)
        canvas.text((width / 2, 0.45 * height), kind, 6.0, INK)
        canvas.text((width / 2, 0.75 * height), kind, 6.0, INK)
    else:
        canvas.disc((width / 2, 0.68 * height), 14.0, edge)
        canvas.disc((width / 2, 0.68 * height), 11.0, colour)
    codes = load_dictionary(SLEEVE_DICTIONARY)
    rim = SLEEVE_SIDE_MM * SLEEVE_RIM_CELLS / codes.cells
    side = SLEEVE_SIDE_MM + 2 * rim
    left, top = SLEEVE_AT_MM[0] - side / 2, SLEEVE_AT_MM[1] - side / 2
    right, low = left + side, top + side
    canvas.fill([(left, top), (right, top), (right, low), (left, low)], WHITE)
    canvas.marker(codes, marker, SLEEVE_AT_MM, SLEEVE_SIDE_MM)
    canvas.cut(rounded(CARD_MM, 3.0))
    return canvas.sprite()
