"""Players that are no people: random players, and the hidden table that bots play at.

A hidden table has the real cards and pieces of one match: bots look at their own cards, hands do
what was ruled. It never reads the record: where both differ, somebody made a mistake. `Bots` is
what a program that plays matches may call; the protocols after it are for what not every box has
on its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from companion.core.errors import IllegalAnswer
from companion.core.question import (
    ChooseSome,
    Count,
    Declare,
    Order,
    Reveal,
    Roll,
)
from companion.core.ruling import TABLE, Carry, Move, Shuffle
from companion.match.rulebook import pile_among

if TYPE_CHECKING:
    from random import Random

    from companion.core.board import Piece, Pose
    from companion.core.question import Option, Question
    from companion.core.ruling import Deed, Json, Seat
    from companion.match.rulebook import Rulebook, Setup

    Pile = tuple[Seat, str]

# What a program may call.


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


# Random players.

_TRIES = 40


class RandomPlayer:
    """Any legal answer, each about as likely as another.

    >>> from random import Random
    >>> from companion.core.question import Ready
    >>> RandomPlayer(Random(1)).answer(Ready(key="k", by=..., cite=..., prompt="Ready?"))
    'ready'
    """

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def answer(self, question: Question[Any]) -> Json:
        """A legal answer; IllegalAnswer from the question itself if forty tries found none."""
        raw: Json = None
        for _ in range(_TRIES):
            raw = self._guess(question)
            try:
                return question.judge(raw).plain
            except IllegalAnswer:
                continue
        if question.lapse is not None:
            return question.lapse
        return question.judge(raw).plain

    def _guess(self, question: Question[Any]) -> Json:
        rng, asked = self.rng, question
        match question:
            case Reveal():
                return rng.choice(list(question.faces))
            case Count():
                return rng.randint(question.low, max(question.low, question.most))
            case Declare():
                return {part: self._few(question.most) for part in question.parts}
            case Roll():
                return [rng.randint(1, question.faces) for _ in range(question.dice)]
            case ChooseSome():
                names = _names(asked)
                return [
                    *rng.sample(names, rng.randint(question.fewest, min(question.most, len(names))))
                ]
            case Order():
                names = _names(asked)
                return [*rng.sample(names, len(names))]
            case _ if options := question.options_now():
                return rng.choice(options).name
            case _:
                what = f"{question.key}: a {question.kind} with no answers to choose from"
                raise TypeError(f"{what}; offer at least one, or do not ask")

    def _few(self, most: int) -> int:
        """A few of several things: mostly none, sometimes one, seldom more."""
        roll = self.rng.random()
        return min(most, 0 if roll < 0.6 else 1 if roll < 0.97 else 2)


def _names(question: Question[Any]) -> list[str]:
    """What a question that offers options in a fixed list may be answered with."""
    offered: Sequence[Option[Any]] = getattr(question, "offered", ())
    return [option.name for option in offered]


# The hidden table.

RulesT = TypeVar("RulesT", bound="Rulebook[Any]")
CardT = TypeVar("CardT")


class HiddenTable(RandomPlayer, Generic[RulesT, CardT]):
    """The real cards and pieces of one match, and the bots that sit there.

    `setup` is the match's own; all chance comes from the generator. `pieces` and `piles` begin as
    the starting position has them. A box names its `rulebook`, puts its cards into the piles
    (`deal`), and lets its bots look at them (`act`). `held` is the card that a player has picked,
    which is the one that leaves the hand when a ruling says so; else it is any card of the hand.
    """

    rulebook: ClassVar[type[Rulebook[Any]]]
    hands: ClassVar[tuple[str, ...]] = ("hand",)
    """Piles from which a player picks a card; from others the top card is taken."""
    shown: ClassVar[str] = "laid"
    """The pile whose top card its owner turns over when a `Reveal` asks for it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not hasattr(cls, "rulebook"):
            raise TypeError(f"{cls.__name__} names no `rulebook`: the rules whose cards it deals.")

    def __init__(self, setup: Setup, rng: Random) -> None:
        super().__init__(rng)
        rules: Any = self.rulebook.in_variants(setup.variants).seated(setup.options)(setup)
        self.rules: RulesT = rules
        """What is printed, and where the match begins: its position is as it was then."""
        position = self.rules.position
        self.pieces: dict[Piece, Pose] = dict(position.placement())
        self.piles: dict[Pile, list[CardT]] = {pile: [] for pile in position.pile_counts()}
        self.held: dict[Seat, CardT] = {}
        self.deal()

    # -- for a box to fill in --------------------------------------------------------------

    def deal(self) -> None:
        """Put every card into its pile; a box without cards has none."""

    def act(self, question: Question[Any]) -> Json:
        """What the players say to an open question.

        Where a box says no more: the card that was laid, else any legal answer. Whether people are
        ready is not asked at every table (not in a demonstration): pick no card on a `Ready`. Which
        one leaves a hand is for `picked`.
        """
        lying = self.piles.get((question.by, self.shown))
        if isinstance(question, Reveal) and lying:
            return self._turned_over(question, str(lying[-1]))
        return self.answer(question)

    def _turned_over(self, question: Reveal[Any], top: str) -> Json:
        """The card on top; ValueError where the question does not know it."""
        if top not in question.faces:
            there = ", ".join(question.faces)
            raise ValueError(
                f"{question.key}: {top!r} lies on top of {self.shown} and is none of {there}"
            )
        return top

    # -- cards -----------------------------------------------------------------------------

    def fill(
        self,
        cards: Mapping[CardT, int],
        piles: Iterable[Pile] | None = None,
        known: Mapping[Pile, Iterable[CardT]] | None = None,
    ) -> None:
        """Lay so many copies of each card at random into these piles, by the sizes recorded.

        All piles of the match, where none are named. `known` cards lie where they are known.
        ValueError where they are fewer than the record counts.
        """
        counts, seen = self.rules.position.pile_counts(), known or {}
        stack = [card for card, copies in cards.items() for _ in range(copies)]
        for pile, lying in seen.items():
            for card in lying:
                self.piles[pile].append(card)
                stack.remove(card)
        self.rng.shuffle(stack)
        for pile in counts if piles is None else piles:
            lacking = counts[pile] - len(self.piles[pile])
            if lacking > len(stack):
                raise ValueError(
                    f"{sum(cards.values())} cards are too few: {len(stack)} are left for "
                    f"{' '.join(pile)}, where the record counts {counts[pile]}"
                )
            self.piles[pile] += stack[:lacking]
            stack = stack[lacking:]

    def fill_own(
        self, cards: Mapping[CardT, int], known: Mapping[Pile, Iterable[CardT]] | None = None
    ) -> None:
        """As `fill`, where every seat has so many copies of each card for itself."""
        for seat in dict.fromkeys(owner for owner, _ in self.piles if owner != TABLE):
            lying = {pile: lie for pile, lie in (known or {}).items() if pile[0] == seat}
            self.fill(cards, [pile for pile in self.piles if pile[0] == seat], lying)

    def pile(self, owner: Seat, name: str) -> list[CardT]:
        """The pile that a deed of this owner means by a name; the last card of it is on top."""
        at = pile_among(self.piles, owner, name)
        if at is None:
            raise ValueError(f"{owner} has no pile called {name!r}")
        return self.piles[at]

    # -- what hands do as ruled ------------------------------------------------------------

    def placement(self) -> Mapping[Piece, Pose]:
        """Where each piece stands."""
        return dict(self.pieces)

    def place(self, shows: Mapping[Piece, Pose]) -> None:
        """Put pieces where an option shows them: a hand that moves before anybody is told."""
        self.pieces.update(shows)

    def counts(self, seat: Seat) -> dict[str, int]:
        """How many cards of a player lie in each pile."""
        return {name: len(cards) for (owner, name), cards in self.piles.items() if owner == seat}

    def perform(self, deeds: Iterable[Deed]) -> None:
        """Do what rulings told the hands to do; ValueError where the cards do not allow it."""
        for deed in deeds:
            match deed:
                case Move(piece, _, now) if now is not None:
                    self.pieces[piece] = now
                case Move(piece):
                    self.pieces.pop(piece, None)
                case Carry():
                    self.carry(deed)
                case Shuffle(owner, _, source, target):
                    self.shuffle(self.pile(owner, source), self.pile(owner, target))
                case _:
                    pass

    def carry(self, deed: Carry) -> None:
        """Cards go from one pile to another, one by one."""
        source, target = self.pile(deed.owner, deed.source), self.pile(deed.owner, deed.target)
        if deed.count > len(source):
            raise ValueError(
                f"{deed.owner}: {deed.count} of {len(source)} cards from {deed.source}: "
                f"the record has them there; does {type(self).__name__}.deal lay them?"
            )
        for _ in range(deed.count):
            card = self.picked(deed, source)
            if deed.source not in self.hands and source[-1] == card:
                source.pop()  # others like it may lie below
            else:
                source.remove(card)
            target.append(card)

    def picked(self, deed: Carry, source: Sequence[CardT]) -> CardT:
        """Out of a hand the card that its owner holds out, or any; else the one on top."""
        if deed.source not in self.hands:
            return source[-1]
        card = self.held.pop(deed.owner, None)
        return card if card is not None and card in source else self.rng.choice(source)

    def shuffle(self, source: list[CardT], target: list[CardT]) -> None:
        """Shuffle a pile into another, or into itself."""
        if source is not target:
            target += source
            source.clear()
        self.rng.shuffle(target)
