"""What all questions of Jaws & Paws share: their place in the match, and one more look."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from companion.core.question import Question, Refusal
from companion.games.jaws_and_paws.crew import MATE_OF, PIECE_NAMES

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat
    from companion.games.jaws_and_paws.cards import CardTable
    from companion.games.jaws_and_paws.position import JawsAndPawsPosition


def still_legal(
    questions: Mapping[Any, Question[Any]],
) -> Callable[[Mapping[Any, Any]], Refusal | None]:
    """Judge every answer of a form once more as it closes: the arbiter may have adjusted."""

    def check(values: Mapping[Any, Any]) -> Refusal | None:
        for name, value in values.items():
            law = questions[name].law
            refusal = law(value) if law is not None else None
            if refusal is not None:
                return refusal
        return None

    return check


class Asking:
    """Knows the position, the house rules and the cards; names the places in keys."""

    def __init__(
        self, position: JawsAndPawsPosition, house: Mapping[str, Json], cards: CardTable
    ) -> None:
        self.position = position
        self.house = house
        self.cards = cards
        sizes = sorted(set(position.hands.values()), reverse=True)
        self.full_hands = " or ".join(map(str, sizes))
        """How many cards hands are drawn up to: "4 or 3" where a solo player sits."""

    def speaker(self, player: Seat) -> Seat:
        """Who answers for a player: the teammate, once that player has left.  (RULING 39)"""
        gone, mate = self.position.gone, MATE_OF[player]
        return mate if player in gone and mate not in gone else player

    @property
    def tracks(self) -> str:
        """The Action Tracks of everybody who plays, in a sentence."""
        return "both tracks" if len(self.position.lineup.teams) == 2 else "all tracks"

    @property
    def bright(self) -> str:
        """What the Sun, or what replaces it, is called."""
        return PIECE_NAMES[self.position.light]

    @property
    def game(self) -> str:
        """The place of this game in keys: empty, or "game-2/"."""
        return "" if self.position.game == 1 else f"game-{self.position.game}/"

    @property
    def round(self) -> str:
        """The place of this round in keys: "round-3"."""
        position = self.position
        if position.game == 1:
            return f"round-{position.round_number}"
        return f"{self.game}round-{position.round_number}"
