"""Phase 2: up to three maneuvers, each to be met or beaten.  (TS-201 to TS-225)"""

from __future__ import annotations

from companion.core.ruling import Cite, Seat
from companion.games.talespin_dogfight.layout import ATTACKER, DEFENDER, HAND, MANEUVERS
from companion.games.talespin_dogfight.maneuver import Maneuver, Played
from companion.games.talespin_dogfight.spoken import Said
from companion.games.talespin_dogfight.starting import Starting

_FIRST = Cite.of("TS-201, TS-225")


class Maneuvering(Starting):
    """The exchanges: an attack, and what answers it."""

    async def attack(self) -> None:
        """The first maneuver is printed on the card that started it, the others come by hand."""
        if self.position.now.exchange == 1:
            self.point_out()
            return
        await self.take_attack(await self.ask.attack())

    async def take_attack(self, said: Said | None) -> None:
        """A card of the hand attacks, or nothing does and the last one was met.  (RULING 7)"""
        seat, number = self.position.attacker, self.position.now.exchange
        if said is None:
            text = f"{self.who(seat)} plays no further maneuver; the last one was met."
            cite = Cite.of(f"{self.position.now.rule}, RULING 7")
            self.rule(text, cite, by=seat, headline=self.ask.head(seat, "stops"), quiet=True)
            self.decide(DEFENDER, cite)
            return
        maneuver = await self.with_effects(seat, said)
        self.lay(seat, number, maneuver, "attacks with")
        self.go_on()

    async def take_maneuver(self, said: Said | None) -> None:
        """Told in the window before it: the attack, or the answer, of this exchange.  (RULING 1)"""
        if self.position.now.role == ATTACKER:
            await self.take_attack(said)
        else:
            self.take_answer(said)

    def point_out(self) -> None:
        """No card of the hand, and no window of the attacker before it.  (TS-201, TS-225)"""
        position, seat = self.position, self.position.attacker
        position.played[0].shown = True
        attack = position.played[0].maneuver
        text = f"{self.who(seat)} attacks with {attack}: {position.attack_value()} is to be met."
        headline = self.ask.head(seat, f"attack {position.attack_value()}")
        self.rule(text, _FIRST, by=seat, headline=headline, quiet=True)
        self.go_on()

    async def with_effects(self, seat: Seat, said: Said) -> Maneuver:
        """Damage and Draw of a maneuver that was told by its value alone.  (RULING 13)"""
        if not said.is_bare:
            return said.maneuver
        damage = await self.ask.effect_of(seat, "damage")
        return Maneuver("", said.maneuver.value, damage, await self.ask.effect_of(seat, "draw"))

    def lay(self, seat: Seat, exchange: int, maneuver: Maneuver, verb: str) -> None:
        """A card of the hand is laid as a maneuver.  (TS-203, TS-205)"""
        carry = self.carry(seat, 1, HAND, MANEUVERS)
        self.position.played.append(Played(seat, exchange, maneuver))
        worth = self.position.worth(seat, maneuver.value)
        changed = f", worth {worth} here" if worth != maneuver.value else ""
        mark = self.table.assumed(f"maneuvers.{maneuver.title}")
        text = f"{self.who(seat)} {verb} {maneuver}{changed}{mark}."
        cite = Cite.of(f"{self.position.now.rule}, TS-221")
        self.rule(text, cite, carry, by=seat, quiet=True,
                  headline=self.ask.head(seat, f"plays {worth}"))  # fmt: skip

    async def answer(self) -> None:
        """Meet or beat this attack alone, or concede.  (TS-221 to TS-224)"""
        self.take_answer(await self.ask.answer())

    def take_answer(self, said: Said | None) -> None:
        """A maneuver that meets the attack, or the attacker has won.  (TS-203, TS-224)"""
        seat, number = self.position.defender, self.position.now.exchange
        if said is None:
            text = f"{self.who(seat)} concedes."
            cite = Cite.of(f"{self.position.now.rule}, TS-224")
            self.rule(text, cite, by=seat, headline=self.ask.head(seat, "concedes"), quiet=True)
            self.decide(ATTACKER, cite)
            return
        self.lay(seat, number, said.maneuver, "meets it with")
        self.next_exchange()
