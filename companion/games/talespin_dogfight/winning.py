"""Phases 3a and 3b: reward, Damage, Draw, or the taken card, and the end.  (TS-301 to TS-328)"""

from __future__ import annotations

from companion.core.question import unless_alone
from companion.core.ruling import Carry, Cite, Deed, Seat
from companion.core.text import counted
from companion.games.talespin_dogfight.asks import AGAIN, ARTIFACT, BLUFF
from companion.games.talespin_dogfight.layout import (
    DEFENDER,
    DISCARD,
    EXTRA_DAMAGE,
    HAND,
    MANEUVERS,
    NOBODY,
    OPEN,
    OVER,
    PACKED,
)
from companion.games.talespin_dogfight.maneuvering import Maneuvering
from companion.games.talespin_dogfight.naming import BY_PILOT
from companion.games.talespin_dogfight.refusals import DAMAGES
from companion.kit.piles import own_pile

_REWARD = Cite.of("TS-303")
_NO_REWARD = Cite.of("TS-303, TS-313")
_NO_DAMAGE = Cite.of("TS-304, TS-311, RULING 13")
_DAMAGE = Cite.of("TS-304, RULING 11")
_EXTRA = Cite.of("TS-305, RULING 11, RULING 12")
_ARTIFACT = Cite.of("RULING 18")
_DRAW = Cite.of("TS-306, RULING 13")
_BOUNTY = Cite.of("TS-323, RULING 14")
_CLEAN = Cite.of("RULING 15")
_AGAIN = Cite.of("TS-101, RULING 3")


class Winning(Maneuvering):
    """What the winner has of it, and what becomes of the cards."""

    # -- 3a --------------------------------------------------------------------------------

    async def reward(self) -> None:
        """What the Pilot card promises; a Player card promises nothing.  (TS-303, TS-313)"""
        position, seat = self.position, self.position.attacker
        if seat in position.left:
            self.go_on()
            return
        if position.start != BY_PILOT:
            text = "Started by RANGE: there is no reward."
            self.rule(text, _NO_REWARD, by=seat, headline="no reward", quiet=True)
            self.go_on()
            return
        card = self.table.pilots.get(position.card)
        text = f"{self.who(seat)} takes the reward printed on {position.card}."
        self.rule(text, _REWARD, by=seat, headline=self.ask.head(seat, "reward"), quiet=True)
        if card is not None and card.reward is not None:
            await self.carry_out_written(seat, card.reward.effects)
        else:
            await self.carry_out_declared(seat)
        self.go_on()

    async def damage(self) -> None:
        """One Damage of the total, or on where all are dealt with.  (TS-304, TS-305, RULING 11)"""
        position = self.position
        printed = position.damage_total()
        total = printed + EXTRA_DAMAGE * position.owes_extra()
        left = total - position.damage_done
        if position.attacker in position.left:
            self.go_on()
        elif left <= 0:
            self.say_no_damage(total)
            self.go_on()
        elif any(position.count(position.defender, kind) for kind in DAMAGES):
            is_extra = position.damage_done >= printed
            await self.deal(position.damage_done + 1, total, is_extra=is_extra)
            position.damage_done += 1
        else:
            text = f"{counted(left, 'Damage', 'Damage')} lost: {self.who(position.defender)} has "
            text += "neither cargo nor a card."
            self.rule(text, _DAMAGE, by=position.defender, headline="Damage lost")
            position.damage_done = total

    def say_no_damage(self, total: int) -> None:
        """Nothing printed on the maneuvers that count."""
        if not total:
            seat = self.position.attacker
            text = f"{self.who(seat)}'s maneuvers bring no Damage."
            self.rule(text, _NO_DAMAGE, by=seat, headline="no Damage", quiet=True)

    async def deal(self, number: int, total: int, *, is_extra: bool) -> None:
        """One Damage is carried out whole before the next.  (RULING 11, RULING 12)"""
        cite = _EXTRA if is_extra else _DAMAGE
        kind = await unless_alone(self.ask.damage(number, total, is_extra=is_extra))
        if kind == PACKED:
            await self.open_cargo(number, cite, is_extra=is_extra)
        elif kind == OPEN:
            seat = self.position.defender
            self.lose(seat, OPEN, "an open cargo", cite)
        else:
            seat = self.position.defender
            self.lose(seat, HAND, f"a card of the hand, of {self.who(seat)}'s own choice", cite)

    def damage_in_all(self) -> str:
        """How much Damage there is and from what, before what the first of it does; else nothing.

        As in "Ben takes 3 Damage: 2 from the 9, 1 from the Player card. ".
        """
        position = self.position
        if position.damage_done:
            return ""
        counts = [one for one in position.of_attacker() if not one.cancelled]
        parts = [f"{one.maneuver.damage} from {one.in_words}" for one in counts
                 if one.maneuver.damage]  # fmt: skip
        who, total = self.who(position.defender), position.damage_total()
        if position.owes_extra():
            parts.append(f"{EXTRA_DAMAGE} as {who} played no maneuver")
            total += EXTRA_DAMAGE
        return f"{who} takes {total} Damage: {', '.join(parts)}. "

    async def open_cargo(self, number: int, cite: Cite, *, is_extra: bool) -> None:
        """Real cargo and artifacts stay, open; a bluff goes at once.  (RULING 11)"""
        seat = self.position.defender
        found = await self.ask.opened(number, is_extra=is_extra)
        if seat in self.position.left:
            return
        if found == ARTIFACT:
            cite = cite.also(_ARTIFACT)
        if found == BLUFF or (found == ARTIFACT and self.options["opened_artifact"] == "bluff"):
            self.lose(seat, PACKED, {ARTIFACT: "an artifact"}.get(found, "a bluff"), cite)
            return
        piles = self.position.piles
        piles.move(1, own_pile(seat, PACKED), own_pile(seat, OPEN))
        article = {"artifact": "an"}.get(found, "a")
        text = f"{self.damage_in_all()}{self.who(seat)} opens {article} {found}; it stays, open."
        carry = Carry(seat, 1, PACKED, OPEN)
        self.rule(text, cite, carry, by=seat, headline=self.ask.head(seat, "cargo open"),
                  quiet=True)  # fmt: skip

    def lose(self, seat: Seat, pile: str, what: str, cite: Cite) -> None:
        """A card of the defender goes to the discard pile."""
        if not self.position.count(seat, pile):
            return
        text = f"{self.damage_in_all()}{self.who(seat)} discards {what}."
        self.rule(text, cite, self.discard(seat, 1, pile), by=seat,
                  headline=self.ask.head(seat, "discard 1"))  # fmt: skip

    async def draw_won(self) -> None:
        """The Draw effects of the attacker's maneuvers together.  (TS-306, RULING 13)"""
        seat, total = self.position.attacker, self.position.draw_total()
        if total:
            self.draw_cards(seat, total, _DRAW)
        else:
            text = f"{self.who(seat)}'s maneuvers bring no Draw."
            self.rule(text, _DRAW, by=seat, headline="no Draw", quiet=True)
        self.go_on()

    # -- 3b --------------------------------------------------------------------------------

    async def bounty(self) -> None:
        """One played maneuver into the hand, never a Player card.  (TS-323, RULING 14)"""
        seat = self.position.defender
        taken = None
        if self.position.on_table() and seat not in self.position.left:
            taken = await unless_alone(self.ask.bounty())
        if taken is None:
            text = f"{self.who(seat)} takes no maneuver card."
            self.rule(text, _BOUNTY, by=seat, headline=self.ask.head(seat, "takes none"),
                      quiet=True)  # fmt: skip
        else:
            carry = self.lift(taken, own_pile(seat, HAND))
            text = f"{self.who(seat)} takes {taken.maneuver} into the hand."
            headline = self.ask.head(seat, "takes a card")
            self.rule(text, _BOUNTY, carry, by=seat, headline=headline, quiet=True)
        self.go_on()

    # -- the end (TS-310, TS-327) ----------------------------------------------------------

    async def clean_up(self) -> None:
        """Maneuvers to the discard pile, the attacker's first; a Player card stays.  (R15)"""
        position = self.position
        now, lost = position.now, position.winner == DEFENDER
        cite = Cite.of(now.rule_b if lost else now.rule).also(_CLEAN)
        deeds: list[Deed] = []
        for seat in (position.attacker, position.defender):
            count = position.count(seat, MANEUVERS)
            if count:
                deeds.append(self.carry(seat, count, MANEUVERS, DISCARD))
        for one in position.played:
            one.lies = False
        cards = sum(deed.count for deed in deeds if isinstance(deed, Carry))
        text = f"The dogfight ends; discard {counted(cards, 'played card')}."
        self.rule(text, cite, *deeds, headline=f"discard {cards} played")
        if position.winner != NOBODY:
            self.player(position.seat_of(position.winner)).wins += 1
        await self.another()

    async def another(self) -> None:
        """A turn has one dogfight, unless the house allows more.  (RULING 3)"""
        position = self.position
        left = int(str(self.options["max_dogfights_per_turn"])) - position.number
        able = left > 0 and position.attacker not in position.left and position.opponents()
        again = bool(able) and await self.ask.again(left) == AGAIN
        position.clear()
        if again:
            position.number += 1
            self.go("announce")
        else:
            self.go(OVER)
