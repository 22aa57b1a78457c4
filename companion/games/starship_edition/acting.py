"""The Action Phase: vessel abilities, then tier by tier.  (SE-ACT, SE-TLN, SE-DBL)"""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.ruling import Carry, Cite, Seat
from companion.games.starship_edition.cards import UNKNOWN, Card, permits
from companion.games.starship_edition.coinciding import Event
from companion.games.starship_edition.fighting import ABILITIES
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.layout import FACE_DOWN, HAND, tier_pile
from companion.games.starship_edition.operations import Equip
from companion.games.starship_edition.player import Tier
from companion.games.starship_edition.preparing import Preparing

_ABILITIES = Cite.of("SE-ACT-01, SE-ACT-02")
_OWN_ORDER = Cite.of("SE-R10, RULING 10")
_ACTIVATE = Cite.of("SE-ACT-04")
_TOKEN = Cite.of("SE-ACT-05")
_DOUBLE = Cite.of("SE-DBL-04")
_VOID = Cite.of("SE-DBL-01, SE-R08, RULING 8")
_COST = Cite.of("SE-R12, RULING 12")
_DUAL = Cite.of("SE-R08, RULING 8")
_TIMELINE = Cite.of("SE-ACT-03, SE-TLN-01")
_EXTRA = Cite.of("SE-TLN-02, SE-R11, RULING 11")


class Acting(Preparing):
    """What was planned is revealed."""

    # -- step 1: vessel abilities ----------------------------------------------------------

    async def vessel_abilities(self, when: str = "step1") -> None:
        """Declared abilities of that moment, player by player from Priority on.  (SE-ACT-02)

        Outside step 1 what coincides is put in order by whoever has Priority, where the order can
        matter.  (SE-PPR-01)
        """
        events = {seat: self._events(seat, when) for seat in self.position.turn_order()}
        due = {seat: [*own.values()] for seat, own in events.items() if own}
        seats = [*due]
        if when != "step1":
            with self.ask.at(when):
                what = "in which order are the vessels' abilities carried out?"
                seats = await self.order_of_vessels(due, what, ABILITIES)
        for seat in seats:
            with self.ask.at(when, seat):
                await self.abilities_of(seat, when)

    def _events(self, seat: Seat, when: str) -> dict[str, Event]:
        """A player's declared abilities of that moment."""
        abilities = self.table.abilities
        return {
            name: Event(seat, abilities[name].effects, name)
            for name in self.player(seat).declared
            if abilities[name].when == when
        }

    async def abilities_of(self, seat: Seat, when: str) -> None:
        """One player's, in the order that this player likes.  (SE-R10, RULING 10)"""
        titles = {name: ability.title for name, ability in self.table.abilities.items()}
        what = "in which order are your abilities carried out?"
        due = await self.own_order(seat, self._events(seat, when), titles, "order", _OWN_ORDER,
                                   what, ABILITIES)  # fmt: skip
        for ordinal, name in enumerate(due, 1):
            if self.player(seat).out:
                return
            with self.ask.at(f"ability-{ordinal}"):
                await self.carry_out_ability(seat, name)

    async def carry_out_ability(self, seat: Seat, name: str) -> None:
        """A declared ability does what it says; it is not declared any more.  (SE-ACT-01)"""
        player, ability = self.player(seat), self.table.abilities[name]
        if name in player.declared:
            player.declared.remove(name)
        note = f' ("{ability.text_note}")' if ability.text_note else ""
        self.tell(seat, f"carries out {ability.title}{note}.", _ABILITIES, "ability")
        await self.carry_out(ability.effects, Cause(seat, ability.title, name, ability.duration))

    # -- step 2: tier sequence -------------------------------------------------------------

    async def tier_sequence(self) -> None:
        """Tier 1 of every player in turn order, then tier 2, and so on.  (SE-ACT-03, SE-TLN)"""
        position = self.position
        while (due := position.tier_due()) is not None:
            position.tier = due
            await self._abilities_of_tier(f"tier_{position.tier}")
            for seat in position.turn_order():
                tier = self.player(seat).tier(position.tier)
                if tier is not None and not tier.resolved:
                    position.active = seat
                    self.begin()
                    with self.ask.at(f"tier-{position.tier}", seat):
                        await self.resolve(seat, tier)
                    self.settle()
            self._end_of_tier()
        position.tier = position.last_tier() + 1

    async def _abilities_of_tier(self, moment: str) -> None:
        """Abilities that say so are carried out as a tier begins.  (SE-ABL-02)"""
        if any(self._events(seat, moment) for seat in self.position.turn_order()):
            self.begin()
            await self.vessel_abilities(moment)

    def _end_of_tier(self) -> None:
        """What lasts for one tier has ended."""
        for player in self.position.players.values():
            player.modifiers = [one for one in player.modifiers if one.until != "tier"]

    async def resolve(self, seat: Seat, tier: Tier) -> None:
        """A set card is activated; a reminder token does nothing now.  (SE-ACT-04, SE-ACT-05)"""
        number = self.position.tier
        cite = _EXTRA if number > 3 else _TIMELINE
        tier.resolved = True
        if not tier.cards:
            text = f"has a reminder token in tier {number}: nothing happens."
            self.tell(seat, text, _TOKEN.also(cite), f"tier {number}: token")
            return
        both = [which for which in ("primary", "secondary") if getattr(tier, which)]
        titles = await self._turn_over(seat, tier, both)
        if self.player(seat).out:
            return
        await self._judge_second(seat, tier)
        self.laid_now = []
        for which, place in (("primary", "first"), ("secondary", "second")):
            if which in both:
                with self.ask.at(place):
                    await self._follow_in(seat, number, which, titles.get(which, ""))
        ordinal = 0
        while self.laid_now and not self.player(seat).out:
            ordinal += 1
            with self.ask.at(f"laid-{ordinal}"):
                await self._resolve_laid(seat, number, self.laid_now.pop(0))

    async def _follow_in(self, seat: Seat, number: int, which: str, title: str) -> None:
        """One of the cards of a tier, if it is there yet and nothing forbids it."""
        tier, second = self.player(seat).tier(number), which == "secondary"
        if tier is not None and getattr(tier, which) and not (second and tier.void):
            await self.follow(seat, getattr(tier, which), title, second=second)

    async def _resolve_laid(self, seat: Seat, number: int, which: str) -> None:
        """A card that was laid into the tier which is resolved: turned over, followed.  (DBL-04)"""
        tier = self.player(seat).tier(number)
        if tier is None or getattr(tier, which) != FACE_DOWN:
            return
        titles = await self._turn_over(seat, tier, [which])
        await self._follow_in(seat, number, which, titles[which])

    async def _turn_over(self, seat: Seat, tier: Tier, both: Sequence[str]) -> dict[str, str]:
        """Turn cards of the tier face up; titles given to those that are not listed.  (DBL-04)"""
        deck = self.table.decks[self.player(seat).deck_name]
        listed = self.cards().items()
        cards = dict(sorted(listed, key=lambda item: (not item[1].is_set, item[0] not in deck)))
        titles: dict[str, str] = {}
        for which in both:
            played = await self.ask.activate(seat, which, cards)
            name = FACE_DOWN if played.card == UNKNOWN else played.card
            setattr(tier, which, played.title or name)
            titles[which] = played.title
        if self.player(seat).out:
            return titles
        shown = [self._shown(getattr(tier, which)) for which in both]
        cite = _DOUBLE if len(shown) > 1 else _ACTIVATE
        number = self.position.tier
        self.tell(seat, f"turns over {' and '.join(shown)}.", cite, f"tier {number}: reveal")
        return titles

    def _shown(self, name: str) -> str:
        """A card in a sentence: its title, or the one it was given just now."""
        card = self.card(name)
        return (
            card.title if card is not None else name if name != FACE_DOWN else "a card not listed"
        )

    async def follow(self, seat: Seat, name: str, title: str, *, second: bool) -> None:
        """Pay for a card and carry it out; one that cannot be paid does nothing.  (SE-R12)"""
        card = self.card(name)
        tier = self.position.tier
        if card is None:
            cause = Cause(seat, self._shown(name), name, tier=tier, second=second)
            await self.carry_out_unknown(cause, title)
            return
        if not card.is_set:
            text = f"set {card.title}, which is not for a tier: nothing happens."
            self.tell(seat, text, _COST, "not for a tier")
            return
        if not self.can_pay(seat, card.cost):
            self.tell(seat, f"cannot pay for {card.title}: it is not carried out.", _COST,
                      "cannot pay")  # fmt: skip
            return
        self.read_out(seat, card)
        await self.pay(seat, card.cost, card.title)
        self.settle()
        cause = Cause(seat, card.title, name, card.duration, tier=tier, second=second)
        if card.form == "gear" and not any(isinstance(step, Equip) for step in card.effects):
            self.equip(cause)
        if card.grants_extra_tier and not self.player(seat).out:
            await self.grant_tiers(seat, card.grants_extra_tier)
        await self.carry_out(card.effects, cause)

    # -- doubling up -----------------------------------------------------------------------

    async def _judge_second(self, seat: Seat, tier: Tier) -> None:
        """Whether anything permits the second card; else it is void.  (SE-R08, RULING 8)"""
        if tier.permitted or not (tier.primary and tier.secondary):
            return
        if await self._is_permitted(seat, tier):
            return
        title = self._shown(tier.secondary)
        if self.options["illegal_secondary"] == "return_to_hand":
            tier.secondary = ""
            self.player(seat).hand += 1
            pile = tier_pile(self.position.tier, secondary=True)
            self.tell(seat, f"takes {title} back: nothing permits a second card.", _VOID,
                      "second card back", Carry(seat, 1, pile, HAND))  # fmt: skip
            return
        tier.void = True
        self.tell(seat, f"has no permission for {title}: it is void.", _VOID, "second card void")

    async def _is_permitted(self, seat: Seat, tier: Tier) -> bool:
        """One of the two cards, an equipped one, or an ability of this turn permits the other."""
        one, other = self.card(tier.primary), self.card(tier.secondary)
        if self._permits(one, tier.secondary, other) or self._permits(other, tier.primary, one):
            return True
        player = self.player(seat)
        gear = [self.card(name) for name in player.gear]
        abilities = [self.table.abilities[name].permits_secondary for name in player.used]
        in_force = [*abilities, *(card.permits_secondary for card in gear if card is not None)]
        if any(permits(permit, tier.secondary, other) for permit in in_force):
            return True
        if one is not None and other is not None:
            return False
        prompt = f"{self.who(seat)}: does a card in this tier permit the second one?"
        return await self.ask.yes_no("permits", seat, _DUAL, prompt, "second permitted?")

    def _permits(self, card: Card | None, other_id: str, other: Card | None) -> bool:
        return card is not None and permits(card.permits_secondary, other_id, other)
