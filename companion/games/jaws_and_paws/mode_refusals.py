"""What the questions of Night Mode and of more than two teams refuse.  (JP-16, JP-19)"""

from __future__ import annotations

from companion.core.question import Refusal
from companion.core.ruling import Cite, Seat
from companion.games.jaws_and_paws.crew import NAMES

_MOON_DRAW = Cite.of("JP-16.3, RULING 23")
_DESTINATION = Cite.of("JP-19.5, RULING 31")


def moon_draws_too_many(player: Seat, cards: int, most: int, deck: int) -> Refusal:
    """More than the Moon lets draw, or than the Deck holds."""
    text = f"{NAMES[player]}: the Moon lets you draw up to {most} more, not {cards}."
    if cards <= most:
        text = f"{NAMES[player]}: your Deck holds {deck}; that ends the Moon draw, without a loss."
    return Refusal("JP-E43", text, _MOON_DRAW)


def no_destination(team: Seat, bright: str, *, here: bool) -> Refusal:
    """Move Sun Team goes to another team that still flies."""
    why = f"has the {bright} already" if here else "is shot down"
    text = f"{team} {why}: choose another team that still flies."
    return Refusal("JP-NO-DESTINATION", text, _DESTINATION)
