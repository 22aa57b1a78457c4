"""Damage, crashes and the end of a game of two.  (DF-12, DF-16)"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

from companion.core.ruling import Cite, MatchOver, Move, Notice, Outcome, Ruling, Seat
from companion.games.dogfight_1917 import reports
from companion.games.dogfight_1917.rolling import Rolling

if TYPE_CHECKING:
    from companion.core.ruling import Json

_DAMAGE = Cite.of("DF-12.1")
_LEFT = Cite.of("RULING 46")
_OVERKILL = Cite.of("DF-12.2, RULING 30")


class Crash(Enum):
    """Why a Fighter crashes: a word for it, and the paragraph."""

    SHOT_DOWN = ("shot down", Cite.of("DF-12.2, DF-16.3"))
    FIGHTER_DOWN = ("down: its Deck is empty at the end of its turn", Cite.of("DF-5.2, DF-16.2"))
    STALLED = ("down: it stalls with an empty Deck", Cite.of("DF-7.6"))

    @property
    def words(self) -> str:
        """What a sentence says of the Fighter."""
        return self.value[0]

    @property
    def cite(self) -> Cite:
        """Where the book says so."""
        return self.value[1]


class Losing(Rolling):
    """What damage does, and who has lost."""

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    async def take_damage(
        self, seat: Seat, damage: int, cite: Cite, shooter: Seat | None = None
    ) -> None:
        """Cards off the Deck, unseen; more than there are: Shot Down.  (DF-12)

        `shooter` is whose attack it was, None for damage from a player's own card.
        """
        player = self.player(seat)
        taken = min(damage, player.piles["deck"])
        carry = player.piles.move(taken, "deck", "damage")
        left = player.piles["deck"]
        text = f"{self.who(seat)} takes {damage} damage: {taken} off the Deck, {left} left."
        ruled = cite.also(_DAMAGE) if taken == damage else cite.also(_DAMAGE, _OVERKILL)
        self.rule(text, ruled, carry, by=seat, headline=self.ask.head(seat, f"{damage} damage"),
                  struck=(player.piece,))  # fmt: skip
        if damage > taken:
            await self.crash(seat, Crash.SHOT_DOWN, shooter)

    async def crash(self, seat: Seat, cause: Crash, shooter: Seat | None = None) -> None:
        """The first crash ends a game of two on the spot.  (DF-16.4)

        `shooter` is whose attack it was, None for every other cause.
        """
        ruling = self.tell_crash(seat, cause)
        winner = next(p.seat for p in self.position.players.values() if p.seat != seat)
        self.player(seat).out = True
        self.end_match((winner,), ruling)

    def end_match(self, winners: Sequence[Seat], ruling: Ruling) -> NoReturn:
        """The game is over: nothing lies on the Gunsight, no card is under way.  (DF-16.4)"""
        for seat in self.position.players:
            self.discard_played(seat)
        self.position.gunsight, self.position.fires_at = 0, None
        self.position.dice = ()
        raise MatchOver(Outcome(tuple(winners), ruling))

    def retire(self, seat: Seat, notice: Notice) -> None:
        """A player leaves the table: of two the other has won.  (RULING 46)"""
        ruling = self.tell_leaving(seat)
        self.player(seat).out = True
        winner = next(p.seat for p in self.position.players.values() if p.seat != seat)
        self.end_match((winner,), ruling)

    def tell_leaving(self, seat: Seat) -> Ruling:
        """Say that a player has left; the model leaves the board."""
        deeds: tuple[Move, ...] = (self.put(seat, None),) if self.player(seat).plane else ()
        text = f"{self.who(seat)} has left the table; the {self.fighter_name(seat)} is out."
        headline = self.ask.head(seat, "has left")
        return self.rule(text, _LEFT, *deeds, by=seat, headline=headline)

    def tell_crash(self, seat: Seat, cause: Crash) -> Ruling:
        """Say that a Fighter has crashed; its model leaves the board."""
        player = self.player(seat)
        deeds: tuple[Move, ...] = (self.put(seat, None),) if player.plane else ()
        text = f"{self.who(seat)}'s {self.fighter_name(seat)} is {cause.words}."
        headline = self.ask.head(seat, "crashed")
        struck = (player.piece,)
        return self.rule(text, cause.cite, *deeds, by=seat, headline=headline, struck=struck)
