"""The protocols of a box's hidden table: what a program that plays matches with bots may call.

A hidden table stands for the cardboard of one match: bots look at their own cards, hands do what
was ruled. Every box has the first protocol; the others are for what not every box has on its
table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from random import Random

    from companion.core.board import Piece, Pose
    from companion.core.question import Question
    from companion.core.ruling import Deed, Json
    from companion.match.rulebook import Setup


class Bots(Protocol):
    """A hidden table: real cards and pieces, and players who look at them."""

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question, having done at the table what it asks for."""
        ...

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where cards do not allow it."""
        ...

    def placement(self) -> Mapping[Piece, Pose]:
        """Where each piece stands."""
        ...


@runtime_checkable
class LaysCards(Protocol):
    """A hidden table on whose boards cards lie, in sight of a camera."""

    def tracks(self) -> Mapping[str, tuple[str, ...]]:
        """The backs of the cards on each space, by the space's full name, lowest first."""
        ...


@runtime_checkable
class SleevesCards(LaysCards, Protocol):
    """A hidden table whose cards can be played in sleeves that a camera reads."""

    def sleeves(self) -> Mapping[str, tuple[str, ...]]:
        """As `tracks`: the owner of each back, or owner and kind of a face with its turn (@180)."""
        ...


@runtime_checkable
class MovesFirst(Protocol):
    """A hidden table at which players may move a piece before they say by which right."""

    def moves_first(self, question: Question[Any]) -> Mapping[Piece, Pose]:
        """Where pieces are moved before the answer that `act` gave to this question is told.

        Only such as the question lets hands move already; often none. What is asked about the
        move later is answered with it.
        """
        ...


class MakeBots(Protocol):
    """Lays out a hidden table for a match of a set-up; all chance comes from the generator."""

    def __call__(self, setup: Setup, rng: Random) -> Bots: ...
