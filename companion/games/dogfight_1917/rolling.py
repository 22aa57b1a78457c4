"""Dice: rolled by the table, rolled again by right or for a token.  (DF-10)"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.ruling import Cite, Seat
from companion.games.dogfight_1917.asks import FOCUS, FREE_REROLL, Throw
from companion.games.dogfight_1917.cards import MACLAREN
from companion.games.dogfight_1917.game import Game

_PAID = Cite.of("DF-10.3, DF-15.4")
_FREE = Cite.of("DF-10.4, DF-18.2.B")


def successes(dice: tuple[int, ...], difficulty: int) -> int:
    """How many dice reach the Difficulty, each by itself.  (DF-10.1)

    >>> successes((4, 4, 6), 5)
    1
    """
    return sum(die >= difficulty for die in dice)


class Rolling(Game):
    """Every roll goes this way, on whoever's turn it falls."""

    async def roll(self, throw: Throw) -> tuple[int, ...]:
        """The dice as they count, after Focus and free rerolls.  (DF-10.2 to DF-10.4)"""
        dice, _ = await self.roll_and_keep_right(throw)
        return dice

    async def roll_and_keep_right(self, throw: Throw) -> tuple[tuple[int, ...], bool]:
        """The dice as they count, and whether a free reroll is still left."""
        self.due = throw
        dice = await self.ask.dice(throw, throw.dice)
        self.due, self.position.dice = None, dice
        return await self.roll_again(throw, dice, free=self.has_free_reroll(throw.by))

    async def roll_again(
        self, throw: Throw, dice: tuple[int, ...], *, free: bool, window: str = "again"
    ) -> tuple[tuple[int, ...], bool]:
        """Focus as often as there are tokens, and one free reroll.  (DF-10.3, DF-10.4)"""
        values, again = list(dice), 1
        while not throw.leaves_nothing_to_wish(values) and self.reroll_means(throw.by, free=free):
            means = partial(self.reroll_means, throw.by, free=free)
            said = await self.ask.reroll(throw, values, means, f"{window}-{again}")
            if not said.places:
                break
            self.claim_reroll(throw.by, said.means)
            free = free and said.means != FREE_REROLL
            await self.reroll_some(throw, values, said.places, f"{window}-{again}")
            again += 1
        return tuple(values), free

    def claim_reroll(self, seat: Seat, means: str) -> None:
        """What a reroll costs: a token, or the one that Northern Falcon gives."""
        if means == FOCUS:
            self.pay(seat, 1)
            self.rule(f"{self.who(seat)} pays 1 token to Focus.", _PAID, by=seat,
                      headline=self.ask.head(seat, "Focus, -1 token"))  # fmt: skip
            return
        text = f"{self.who(seat)} takes Northern Falcon's reroll of this roll."
        self.rule(text, _FREE, by=seat, headline=self.ask.head(seat, "free reroll"))

    async def reroll_some(
        self, throw: Throw, values: list[int], places: Sequence[int], again: str
    ) -> None:
        """Some of the dice are rolled again; only what they show then counts.  (DF-10.3)"""
        rolled = await self.ask.dice(throw, len(places), again, "dice")
        for place, value in zip(places, rolled, strict=True):
            values[place] = value
        self.position.dice = tuple(values)

    def has_free_reroll(self, seat: Seat) -> bool:
        """MacLaren's Northern Falcon: once per roll.  (DF-10.4, DF-18.2.B)"""
        return self.player(seat).is_pilot(MACLAREN, "B")

    def reroll_means(self, seat: Seat, *, free: bool) -> list[str]:
        """By what rights dice may be rolled again now."""
        means = [FREE_REROLL] if free else []
        return [*means, FOCUS] if self.player(seat).tokens else means
