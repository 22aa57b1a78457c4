"""The TaleSpin dogfight, step by step as its table has it.  (TS-101 to TS-328)

Phase 1, and the windows between the steps, are in starting.py; phases 2, 3a and 3b are here.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.question import unless_alone
from companion.core.ruling import (
    AttackMade,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    Deed,
    Notice,
    Outcome,
    Ruling,
    Seat,
)
from companion.core.text import counted
from companion.games.talespin_dogfight import reports, seats
from companion.games.talespin_dogfight.asks import AGAIN, ARTIFACT, BLUFF
from companion.games.talespin_dogfight.maneuvers import BY_PILOT, EXTRA_DAMAGE, Maneuver
from companion.games.talespin_dogfight.position import Played
from companion.games.talespin_dogfight.refusals import DAMAGES, Said
from companion.games.talespin_dogfight.starting import Starting
from companion.games.talespin_dogfight.steps import EXCHANGES, OVER
from companion.kit.piles import own_pile

if TYPE_CHECKING:
    from companion.core.board import Piece
    from companion.core.offers import Sighting
    from companion.core.question import Question, Refusal
    from companion.core.ruling import Json, Occurrence


# Phase 2, up to three maneuvers, each to be met or beaten.  (TS-201 to TS-225)

_FIRST = Cite.of("TS-201, TS-225")

# Phases 3a and 3b, reward, Damage, Draw or the taken card, and the end.  (TS-301 to 328)

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


# The whole dogfight.

_WON = Cite.of("TS-310, TS-327")
_NOBODY = Cite.of("TS-101, RULING 16")


class TalespinDogfight(Starting):
    """The whole dogfight, from the announcement to the discards."""

    # -- the exchanges: an attack, and what answers it (TS-201 to TS-225) ----------------

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
            self.decide(seats.DEFENDER, cite)
            return
        maneuver = await self.with_effects(seat, said)
        self.lay(seat, number, maneuver, "attacks with")
        self.go_on()

    async def take_maneuver(self, said: Said | None) -> None:
        """Told in the window before it: the attack, or the answer, of this exchange.  (RULING 1)"""
        if self.position.now.role == seats.ATTACKER:
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

    def attack_made(self, *, hit: bool) -> AttackMade:
        """The attack that was just answered, by the value that was to be met."""
        position = self.position
        reach = f"value {position.attack_value()}"
        return AttackMade(position.attacker, position.defender, hit, reach)

    def lay(
        self, seat: Seat, exchange: int, maneuver: Maneuver, verb: str, *happened: Occurrence
    ) -> None:
        """A card of the hand is laid as a maneuver.  (TS-203, TS-205)"""
        carry = self.carry(seat, 1, seats.HAND, seats.MANEUVERS)
        self.position.played.append(Played(seat, exchange, maneuver))
        worth = self.position.worth(seat, maneuver.value)
        changed = f", worth {worth} here" if worth != maneuver.value else ""
        mark = self.table.assumed(f"maneuvers.{maneuver.title}")
        text = f"{self.who(seat)} {verb} {maneuver}{changed}{mark}."
        cite = Cite.of(f"{self.position.now.rule}, TS-221")
        self.rule(text, cite, carry, by=seat, quiet=True,
                  headline=self.ask.head(seat, f"plays {worth}"),
                  happened=(CardLaid(seat, str(maneuver)), *happened))  # fmt: skip

    async def answer(self) -> None:
        """Meet or beat this attack alone, or concede.  (TS-221 to TS-224)"""
        self.take_answer(await self.ask.answer())

    def take_answer(self, said: Said | None) -> None:
        """A maneuver that meets the attack, or the attacker has won.  (TS-203, TS-224)"""
        seat, number = self.position.defender, self.position.now.exchange
        if said is None:
            text = f"{self.who(seat)} concedes."
            cite = Cite.of(f"{self.position.now.rule}, TS-224")
            self.rule(text, cite, by=seat, headline=self.ask.head(seat, "concedes"), quiet=True,
                      happened=(self.attack_made(hit=True),))  # fmt: skip
            self.decide(seats.ATTACKER, cite)
            return
        self.lay(seat, number, said.maneuver, "meets it with", self.attack_made(hit=False))
        self.next_exchange()

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
        if kind == seats.PACKED:
            await self.open_cargo(number, cite, is_extra=is_extra)
        elif kind == seats.OPEN:
            seat = self.position.defender
            self.lose(seat, seats.OPEN, "an open cargo", cite)
        else:
            seat = self.position.defender
            self.lose(
                seat, seats.HAND, f"a card of the hand, of {self.who(seat)}'s own choice", cite
            )

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
            self.lose(seat, seats.PACKED, {ARTIFACT: "an artifact"}.get(found, "a bluff"), cite)
            return
        piles = self.position.piles
        piles.move(1, own_pile(seat, seats.PACKED), own_pile(seat, seats.OPEN))
        article = {"artifact": "an"}.get(found, "a")
        text = f"{self.damage_in_all()}{self.who(seat)} opens {article} {found}; it stays, open."
        carry = Carry(seat, 1, seats.PACKED, seats.OPEN)
        self.rule(text, cite, carry, by=seat, headline=self.ask.head(seat, "cargo open"),
                  quiet=True, happened=(self.damage_taken(seat),))  # fmt: skip

    def lose(self, seat: Seat, pile: str, what: str, cite: Cite) -> None:
        """A card of the defender goes to the discard pile."""
        if not self.position.count(seat, pile):
            return
        text = f"{self.damage_in_all()}{self.who(seat)} discards {what}."
        self.rule(text, cite, self.discard(seat, 1, pile), by=seat,
                  headline=self.ask.head(seat, "discard 1"),
                  happened=(self.damage_taken(seat),))  # fmt: skip

    def damage_taken(self, seat: Seat) -> DamageTaken:
        """One Damage that was carried out."""
        return DamageTaken(seat, 1, self.position.attacker)

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
            carry = self.lift(taken, own_pile(seat, seats.HAND))
            text = f"{self.who(seat)} takes {taken.maneuver} into the hand."
            headline = self.ask.head(seat, "takes a card")
            self.rule(text, _BOUNTY, carry, by=seat, headline=headline, quiet=True)
        self.go_on()

    # -- the end (TS-310, TS-327) ----------------------------------------------------------

    async def clean_up(self) -> None:
        """Maneuvers to the discard pile, the attacker's first; a Player card stays.  (R15)"""
        position = self.position
        now, lost = position.now, position.winner == seats.DEFENDER
        cite = Cite.of(now.rule_b if lost else now.rule).also(_CLEAN)
        deeds: list[Deed] = []
        for seat in (position.attacker, position.defender):
            count = position.count(seat, seats.MANEUVERS)
            if count:
                deeds.append(self.carry(seat, count, seats.MANEUVERS, seats.DISCARD))
        for one in position.played:
            one.lies = False
        cards = sum(deed.count for deed in deeds if isinstance(deed, Carry))
        text = f"The dogfight ends; discard {counted(cards, 'played card')}."
        self.rule(text, cite, *deeds, headline=f"discard {cards} played", quiet=not cards)
        if position.winner != seats.NOBODY:
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

    # -- the whole of it -----------------------------------------------------------------

    async def play(self) -> Outcome:
        """Step after step; each is a place where a match can start."""
        while self.position.step != OVER:
            self.begin()
            await self.step()
        return Outcome(self.winners(), self.last_word())

    async def step(self) -> None:
        """The step under way: a window, or what the table says of it."""
        now = self.position.now
        if now.window:
            await self.window()
            return
        steps = {
            "set-up": self.set_up,
            "announce": self.announce,
            "opponent": self.opponent,
            "defend": self.defend,
            "draw-attacker": self.draw_by_pilot,
            "draw-defender": self.draw_by_pilot,
            **{f"attack-{number}": self.attack for number in range(1, EXCHANGES + 1)},
            **{f"answer-{number}": self.answer for number in range(1, EXCHANGES + 1)},
            "reward": self.reward,
            "damage": self.damage,
            "draw-won": self.draw_won,
            "bounty": self.bounty,
            "clean-up": self.clean_up,
        }
        await steps[now.name]()

    def winners(self) -> tuple[Seat, ...]:
        """Who has won most dogfights of this turn; mostly there was one."""
        most = max(player.wins for player in self.position.players.values())
        won = {seat: player.wins for seat, player in self.position.players.items()}
        return tuple(seat for seat, wins in won.items() if 0 < wins == most)

    def last_word(self) -> Ruling:
        """How the turn's dogfights came out."""
        winners = self.winners()
        if not winners:
            return self.rule("Nobody has won a dogfight.", _NOBODY, headline="No winner")
        names = " and ".join(self.who(seat) for seat in winners)
        verb = "have" if len(winners) > 1 else "has"
        headline = self.ask.head(next(iter(winners)), "wins")
        return self.rule(f"{names} {verb} won the dogfight.", _WON, headline=headline)

    def not_asked(self, seat: Seat, raw: Json, asked: Question[Any]) -> Refusal | None:
        return reports.not_asked(self, seat, raw, asked)

    def compare(self, sighting: Sighting, lagging: Collection[Piece] = ()) -> list[Notice]:
        return reports.compare(self.position, sighting, lagging)

    def report(self, fact: Mapping[str, Json]) -> Notice:
        return reports.judge_report(self, fact)

    reporting = reports.REPORTING

    def report_words(self) -> Mapping[str, Sequence[str]]:
        return reports.WORDS

    def examples(self) -> Mapping[str, Mapping[str, Json]]:
        """What an arbiter may type here, by verb."""
        return {
            **super().examples(),
            "adjust": {"A.hand": 5},
            "report": {"what": "recount", "player": "A", "pile": "hand", "count": 5},
        }
