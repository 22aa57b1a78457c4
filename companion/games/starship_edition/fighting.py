"""Cards that change hands, attacks, vessels that move: three chapters.  (SE-PPR-01, SE-R14)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.question import Choose, Option, Refusal
from companion.core.ruling import (
    AttackMade,
    CardLaid,
    Carry,
    Cite,
    DamageTaken,
    EvasionTried,
    Seat,
    Shuffle,
)
from companion.core.text import counted
from companion.games.starship_edition import refusals, seats
from companion.games.starship_edition.asks import DONE, LONGEST_TITLE, Played, titled
from companion.games.starship_edition.boards import Spot, StarMap, name_of
from companion.games.starship_edition.cards import UNKNOWN
from companion.games.starship_edition.coinciding import Coincidence, Due, Event
from companion.games.starship_edition.game import Cause, Game
from companion.games.starship_edition.player import Declared, copies
from companion.games.starship_edition.seats import tier_pile
from companion.match.rulebook import clockwise_from

if TYPE_CHECKING:
    from companion.core.ruling import Json, Occurrence
    from companion.games.starship_edition.cards import (
        Attack,
        BaseOperation,
        Card,
        MoveVessel,
        Payment,
        Rotate,
        Whose,
    )
    from companion.games.starship_edition.player import Modifier, Player


# Drawing, paying, discarding, equipping.

_DRAW = Cite.of("SE-PRE-04")
_EMPTY = Cite.of("SE-R24, RULING 24")
_LOCK = Cite.of("SE-LCK-02, SE-R05, RULING 5")
_PAY = Cite.of("SE-R23, RULING 23")
_GONE = Cite.of("SE-R12, RULING 12")

# Attacks declared, finalized, answered, put in order, resolved.  (SE-PPR-01, SE-R14)

_DECLARE = Cite.of("SE-R14, RULING 14")
_PREROGATIVE = Cite.of("SE-PPR-01, SE-PPR-02, SE-R13, RULING 13")
_COINCIDES = Cite.of("SE-PPR-01, SE-R13, RULING 13")
_SAME = Cite.of("SE-PPR-03, SE-R13, RULING 13")
_SURVIVES = Cite.of("SE-R15, RULING 15")
_SKIPPED = Cite.of("SE-R12, RULING 12")
_HULL = Cite.of("SE-R14, SE-R20, RULING 14, RULING 20")

ARMOUR = "armour"
"""The stat by which each attack on a vessel does less damage."""
OF_ABILITIES = "abilities"
"""What is put in order, as a headline says it, where it is abilities."""
NOT_LISTED = "a card not listed"
FIRST_TO_ASK_NOBODY_IN_VAIN = 3
"""Matches of earlier editions ask everybody with a hand whether a card is played."""
FIRST_TO_ORDER_SINGLE_THINGS = 3
"""Those of earlier editions order whole vessels, and abilities, cards, renewals each by itself."""
MODIFIER, TARGET, OTHER = "attacker_modifier", "response_target", "response_other"
_ROLE = {
    MODIFIER: "Do you add to your attack?", TARGET: "Do you respond?", OTHER: "Do you respond?",
}  # fmt: skip


# Vessels that move and turn.  (SE-R03, RULING 3)

_MOVE = Cite.of("SE-R03, RULING 3")


class Fighting(Game):
    """Cards and prices, attacks, and vessels that move."""

    # -- drawing ---------------------------------------------------------------------------

    def can_draw(self, seat: Seat) -> bool:
        """Whether a draw would bring a card.  (SE-R24, RULING 24)"""
        player = self.player(seat)
        refill = self.options["empty_deck"] == "reshuffle" and bool(player.discard)
        return player.deck > 0 or refill

    def draw(self, seat: Seat, number: int, cite: Cite = _DRAW) -> None:
        """Cards off the own deck, as many as there are; in the Preparation that may lock."""
        for _ in range(number):
            if not self.can_draw(seat):
                self.tell(seat, "has no card left to draw.", _EMPTY, "no card to draw", quiet=True)
                return
            self._draw_one(seat, cite)

    def _draw_one(self, seat: Seat, cite: Cite) -> None:
        player = self.player(seat)
        if not player.deck:
            count = len(player.discard)
            player.deck, player.discard = count, []
            shuffle = Shuffle(seat, count, seats.DISCARD, seats.DECK)
            self.tell(seat, f"shuffles {counted(count, 'card')} of the discard pile into the deck.",
                      _EMPTY, "reshuffle", shuffle)  # fmt: skip
        player.deck -= 1
        player.hand += 1
        text = f"draws 1 card; {player.deck} left in the deck."
        self.tell(seat, text, cite, "draw 1", Carry(seat, 1, seats.DECK, seats.HAND))
        self._lock(player)

    def _lock(self, player: Player) -> None:
        """A draw in the own Preparation with a card set locks the tiers.  (SE-LCK-02, SE-LCK-03)"""
        position = self.position
        own = position.stage == seats.PREPARATION and position.active == player.seat
        if own and not player.prepared and not player.locked and player.set_cards:
            player.locked = True
            self.tell(player.seat, "drew with a card set: the tiers are locked.", _LOCK, "locked",
                      quiet=True)  # fmt: skip

    # -- paying ----------------------------------------------------------------------------

    def can_pay(self, seat: Seat, prices: Sequence[Payment], card: str = "") -> bool:
        """Whether every price can be paid in full, one after the other.  (SE-R23, RULING 23)

        Of an equipped `card` the counters that lie on it pay, too.
        """
        player = self.player(seat)
        due: dict[str, int] = {}
        for price in prices:
            name = f"{price.pay} {self._counters_of(price, card)}"
            due[name] = due.get(name, 0) + price.amount
        have = {
            "energy ": player.energy, "hull ": player.hull, "hand ": player.hand,
            "discard ": len(player.discard),
        }  # fmt: skip
        return all(
            amount <= have.get(name, player.counters.get(name.partition(" ")[2], 0))
            for name, amount in due.items()
        )

    def can_pay_from_hand(self, seat: Seat, card: Card) -> bool:
        """Whether a card's price can be paid once the card itself has left the hand."""
        due = sum(price.amount for price in card.cost if price.pay == seats.HAND)
        return due < self.player(seat).hand and self.can_pay(seat, card.cost)

    def _counters_of(self, price: Payment, card: str) -> str:
        """Which counters pay, as their holder has them; empty where none do."""
        kind = self.table.file.counters.get(price.name or "")
        held = kind is not None and kind.holder == "card"
        return f"{card}: {price.name}" if held else price.name or ""

    async def pay(self, seat: Seat, prices: Sequence[Payment], what: str, card: str = "") -> None:
        """Every price, in the order of the card; asked for only where it can be paid."""
        for number, price in enumerate(prices, 1):
            with self.ask.at(f"price-{number}"):
                await self._pay_one(seat, price, what, card)

    async def _pay_one(self, seat: Seat, price: Payment, what: str, card: str) -> None:
        player, amount = self.player(seat), price.amount
        match price.pay:
            case "energy":
                player.energy -= amount
                text = f"pays {amount} energy for {what}; {player.energy} left."
                self.tell(seat, text, _PAY, f"pay {amount} energy",
                          player.tokens("energy", player.energy + amount))  # fmt: skip
            case "hull":
                player.hull -= amount
                text = f"pays {amount} hull for {what}; {player.hull} left."
                self.tell(seat, text, _PAY, f"pay {amount} hull",
                          player.tokens("hull", player.hull + amount))  # fmt: skip
            case "counter":
                name = self._counters_of(price, card)
                player.counters[name] = player.counters.get(name, 0) - amount
                text = f"pays {counted(amount, 'counter')} ({price.name}) for {what}."
                self.tell(seat, text, _PAY,
                          f"pay {counted(amount, 'counter')}",
                          player.tokens(name, player.counters[name] + amount))  # fmt: skip
            case "hand":
                await self.discard_from_hand(seat, amount, _PAY)
            case "discard":
                await self.remove_from_discard(seat, amount, _PAY)

    # -- discarding ------------------------------------------------------------------------

    async def discard_from_hand(self, seat: Seat, number: int, cite: Cite) -> None:
        """Cards of the own choice from the hand, one by one, face up."""
        for ordinal in range(1, min(number, self.player(seat).hand) + 1):
            with self.ask.at(f"discard-{ordinal}"):
                named = await self.name_card(seat, "which", "put one card on your discard pile.")
            if self.player(seat).out:
                return
            self.hand_to_discard(seat, named, cite)

    def hand_to_discard(self, seat: Seat, card: str, cite: Cite) -> None:
        """A named card from the hand, face up on the pile."""
        player = self.player(seat)
        player.hand -= 1
        player.discard.append(card)
        self.tell(seat, f"discards {self.title_of(card)}.", cite, "discard 1",
                  Carry(seat, 1, seats.HAND, seats.DISCARD))  # fmt: skip

    async def name_card(self, seat: Seat, key: str, what: str) -> str:
        """Which card of the own hand is shown; it need not be one of the catalogue."""
        cards = self.cards()
        offered = [Option(name, name, card.title, group=card.type) for name, card in cards.items()]
        offered.append(Option("unknown", seats.FACE_DOWN, "Another card", group="Not listed"))
        return await self.ask.one_of(key, seat, offered, _GONE, what, "which card?")

    async def name_discarded(self, seat: Seat, key: str, what: str) -> int:
        """Which card of the own discard pile, the top one being the last."""
        pile = self.player(seat).discard
        offered = [
            Option(f"{place} {card}", str(place), self.title_of(card), group="Discard pile")
            for place, card in enumerate(pile, 1)
        ]
        chosen = await self.ask.one_of(key, seat, offered, _GONE, what, "which card?")
        return int(chosen) - 1

    async def remove_from_discard(self, seat: Seat, number: int, cite: Cite) -> None:
        """Cards of the own choice from the discard pile leave the game."""
        for ordinal in range(1, min(number, len(self.player(seat).discard)) + 1):
            with self.ask.at(f"remove-{ordinal}"):
                at = await self.name_discarded(seat, "which", "which card leaves the game?")
            player = self.player(seat)
            if player.out:
                return
            card = player.discard.pop(min(at, len(player.discard) - 1))
            player.removed += 1
            self.tell(seat, f"removes {self.title_of(card)} from the game.", cite, "remove 1",
                      Carry(seat, 1, f"{seats.DISCARD}/{at + 1}", seats.REMOVED))  # fmt: skip

    # -- equipping -------------------------------------------------------------------------

    def equip(self, cause: Cause) -> bool:
        """The card that acts stays on its vessel; false if the title is there already."""
        player = self.player(cause.seat)
        card = self.card(cause.card)
        unique = card is None or card.unique_on_vessel
        there = any(self.card_name(copy) == cause.card for copy in player.gear)
        if unique and there and cause.card != seats.FACE_DOWN:
            text = f"has {cause.title} equipped already; nothing is added."
            self.tell(cause.seat, text, Cite.of("SE-R12, RULING 12"), "already equipped",
                      quiet=True)  # fmt: skip
            return False
        source = self._take_from_play(cause)
        if source is None:
            return False
        known = {*self.table.cards, *self.position.taught}
        player.gear = copies([*player.gear, cause.card], known)
        cause.gear = player.gear[-1]
        self.tell(cause.seat, f"equips {cause.title}.", Cite.of("SE-ACT-04"), "equip",
                  Carry(cause.seat, 1, source, seats.GEAR))  # fmt: skip
        return True

    def _take_from_play(self, cause: Cause) -> str | None:
        """Take the card that acts from where it lies; the pile it lay on, None if it is gone."""
        player = self.player(cause.seat)
        tier = player.tier(cause.tier)
        if tier is not None and cause.second and tier.secondary:
            tier.secondary = ""
            return tier_pile(cause.tier, secondary=True)
        if tier is not None and not cause.second and tier.primary:
            tier.primary = ""
            return tier_pile(cause.tier)
        if cause.tier == 0 and cause.card in player.discard:
            at = len(player.discard) - 1 - player.discard[::-1].index(cause.card)
            del player.discard[at]
            return f"{seats.DISCARD}/{at + 1}"
        return None

    def expire(self, seat: Seat, card: str, cite: Cite, why: str) -> None:
        """An equipped card goes to its owner's discard pile, and what it did ends."""
        player = self.player(seat)
        source = self.unequip(player, card)
        player.discard.append(self.card_name(card))
        self.tell(seat, f"loses {self.title_of(card)}: {why}.", cite, "gear expires",
                  Carry(seat, 1, source, seats.DISCARD))  # fmt: skip

    def unequip(self, player: Player, card: str) -> str:
        """Take a copy off a vessel with all it did, wherever; where it lay, as deeds call it."""
        at = player.gear.index(card)
        del player.gear[at]
        self.end_effects(player.seat, card)
        held = f"{card}: "
        player.counters = {
            name: count for name, count in player.counters.items() if not name.startswith(held)
        }
        return f"{seats.GEAR}/{at + 1}"

    # -- the attack sequence -------------------------------------------------------------

    @abstractmethod
    async def carry_out(self, steps: Sequence[BaseOperation], cause: Cause) -> None:
        """The operations of a card or ability, one after the other; effects.py has them."""

    @abstractmethod
    async def grant_tiers(self, seat: Seat, number: int) -> None:
        """So many more tiers for a player; effects.py has it."""

    @abstractmethod
    async def carry_out_unknown(self, cause: Cause, title: str) -> None:
        """What a card does that the catalogue lacks; effects.py has it."""

    # -- Priority's prerogative ------------------------------------------------------------

    async def order_of_vessels(
        self, due: Mapping[Seat, Sequence[Event]], what: str, of: str
    ) -> list[Seat]:
        """In turn order; where the order can matter, as the Priority player says.  (SE-PPR-01)

        What concerns one vessel alone its own player puts in order.  (SE-PPR-03, RULING 13) In a
        match of edition 1 it was asked of any two, and of abilities where they reach others.
        """
        order = [*due]
        together = self.coincidence([*due.values()])
        asks = together.order_matters if self.setup.edition > 1 else len(order) > 1 and (
            of != OF_ABILITIES or together.reaches_others
        )  # fmt: skip
        if not asks:
            return order
        by = self._who_orders(together)
        cite = _SAME if len(together.vessels) == 1 else _COINCIDES
        offered = [Option(str(seat), str(seat), self.who(seat), about=seat) for seat in order]
        chosen = await self.ask.order("vessel-order", by, offered, cite, what, of)
        return [Seat(name) for name in chosen]

    async def own_order(
        self, seat: Seat, due: Mapping[str, Event], titles: Mapping[str, str],
        key: str, cite: Cite, what: str, of: str,
    ) -> list[str]:  # fmt: skip
        """Of one player, as that player likes; as they came where it cannot matter.  (RULING 13)"""
        together = self.coincidence([[event] for event in due.values()])
        if len(due) < 2 or (self.setup.edition > 1 and not together.order_matters):
            return [*due]
        offered = [Option(name, name, titles[name]) for name in due]
        return [*await self.ask.order(key, seat, offered, cite, what, of)]

    def coincidence(self, bundles: Sequence[Sequence[Event]]) -> Coincidence:
        """Bundles of events that fall together now."""
        to_the_end = self.setup.edition >= FIRST_TO_ORDER_SINGLE_THINGS
        return Coincidence(self.position, bundles, to_the_end=to_the_end)

    def interleaves(self, due: Sequence[Due]) -> bool:
        """Whether an order of whole vessels is not enough.  (SE-PPR-01, RULING 13)"""
        together = self.coincidence([[one.event] for one in due])
        return self.setup.edition >= FIRST_TO_ORDER_SINGLE_THINGS and together.interleaves

    async def in_order(self, due: Sequence[Due], what: str, of: str) -> list[Due]:
        """Single things of all vessels, as they came where it cannot matter.  (RULING 13)

        Each player puts the own ones in order (SE-PPR-03); then Priority puts those of different
        players in order (SE-PPR-01), and those of one player stay as that player wants them. That
        counters are at their limit is nobody's doing: it is a thing beside those of their player.
        """
        groups: dict[tuple[Seat, bool], list[Due]] = {}
        for one in due:
            groups.setdefault(one.group, []).append(one)
        together = self.coincidence([[one.event for one in own] for own in groups.values()])
        by = self._who_orders(together) if together.order_matters else None
        kept: dict[tuple[Seat, bool], Iterator[Due]] = {}
        for group, own in groups.items():
            if group[0] != by and self.coincidence([[one.event] for one in own]).order_matters:
                kept[group] = iter(await self._own_things(group[0], own))
        chosen = [*due]
        if by is not None:
            offered = [Option(one.code, one.code, f"{self.who(one.seat)}'s {one.kind}: {one.title}",
                              about=one.seat) for one in due]  # fmt: skip
            cite = _SAME if len(together.vessels) == 1 else _COINCIDES
            names = await self.ask.order("event-order", by, offered, cite, what, of)
            codes = {one.code: one for one in due}
            chosen = [codes[name] for name in names]
        return [next(kept[one.group]) if one.group in kept else one for one in chosen]

    async def _own_things(self, seat: Seat, own: Sequence[Due]) -> list[Due]:
        """As their player wants them."""
        things = {one.own: one for one in own}
        events = {name: one.event for name, one in things.items()}
        titles = {name: one.label for name, one in things.items()}
        what = "in which order do yours happen?"
        with self.ask.at(seat, own[0].kind):
            names = await self.own_order(seat, events, titles, "own-order", _SAME, what, "yours")
        return [things[name] for name in names]

    def _who_orders(self, together: Coincidence) -> Seat:
        """Priority; of what concerns one vessel alone, its player.  (SE-PPR-03, RULING 13)"""
        concerned = together.vessels
        return next(iter(concerned)) if len(concerned) == 1 else self.chooser()

    # -- A1: declaring ---------------------------------------------------------------------

    async def attack(self, step: Attack, cause: Cause) -> None:
        """An attack of the acting vessel; one that responds to another waits with it."""
        targets = await self._targets(step, cause)
        if self.player(cause.seat).out:
            return
        if not targets:
            text = f"has no legal target for {cause.title}; the attack is left out."
            self.tell(cause.seat, text, _SKIPPED, "no target", quiet=True)
            return
        waits = self.position.attacks_waiting
        if not waits:
            self._queue: list[Declared] = []
        changes = self._for_one_attack(cause.seat, aimed_at=False)
        for target in targets:
            self._declare(step, cause, target, changes)
        if not waits:
            await self._resolve_set()

    def _for_one_attack(self, seat: Seat, *, aimed_at: bool) -> list[Modifier]:
        """What changes a vessel for its next attack, or for the next one at it; it is used up."""
        player = self.player(seat)
        used = [one for one in player.modifiers
                if one.until == "attack" and (one.stat == ARMOUR) == aimed_at]  # fmt: skip
        player.modifiers = [one for one in player.modifiers if one not in used]
        return used

    def _declare(
        self, step: Attack, cause: Cause, target: Seat, changes: Sequence[Modifier]
    ) -> None:
        number, own_power = len(self._queue) + 1, step.power == "attack"
        declared = Declared(number, cause.seat, target, 0, cause.title, own_power=own_power)
        for one in changes:
            declared.change(cause.seat, one.stat, one.amount)
        for one in self._for_one_attack(target, aimed_at=True):
            declared.change(target, one.stat, one.amount)
        more = declared.changes.get((cause.seat, "attack"), 0)
        power = self.stat(cause.seat, "attack", declared) if own_power else (
            max(0, int(step.power) + more)
        )  # fmt: skip
        declared.power = power
        self._queue.append(declared)
        self.position.attacks_waiting = len(self._queue)
        kind = f" ({step.kind})" if step.kind else ""
        text = f"attacks {self.who(target)} with {cause.title}{kind}, power {power}."
        self.tell(cause.seat, text, _DECLARE, f"attack {target}", quiet=True)

    async def _targets(self, step: Attack, cause: Cause) -> list[Seat]:
        """Whom the attack is aimed at: named, the attacker, or everybody in range."""
        others = self._others(cause.seat)
        legal = [seat for seat in others if not self.out_of_aim(step, cause, seat)]
        if step.at == "others":
            return legal
        if step.at == "attacker":
            attacker = cause.attack.attacker if cause.attack is not None else None
            return [seat for seat in legal if seat == attacker]
        if not legal:
            return []
        what = f"whom do you attack with {cause.title}?"
        target = await self.ask.vessel(
            "target", cause.seat, legal, _DECLARE, what,
            lambda raw: self._refuse_target(raw, step, cause),
        )  # fmt: skip
        return [target]

    def _others(self, seat: Seat) -> list[Seat]:
        return [other for other in self.position.turn_order() if other != seat]

    def _refuse_target(self, raw: Json, step: Attack, cause: Cause) -> Refusal | None:
        named = Seat(str(raw).strip().upper())
        if named not in self.position.players:
            return None
        if named == cause.seat:
            why = "a vessel does not attack itself"
        elif self.player(named).out:
            why = "the vessel is destroyed"
        else:
            why = self.out_of_aim(step, cause, named)
        return refusals.no_target(raw, self.ask.names, why)

    def out_of_aim(self, step: Attack, cause: Cause, target: Seat) -> str:
        """Why a vessel cannot be attacked; empty if it can, or if the table judges that itself."""
        star_map = self.position.map
        one, other = self.player(cause.seat).space, self.player(target).space
        if star_map is None or one is None or other is None:
            return ""
        most = self.stat(cause.seat, "range") if step.range == "range" else int(step.range)
        away = star_map.distance(one, other)
        if away > most and "range" not in step.ignores:
            return f"{away} spaces away, the range is {most}"
        if not {"los", "obstruction"} & set(step.ignores) and not star_map.sees(one, other):
            return "an obstruction lies in the line of sight"
        return ""

    # -- A2 to A5: modifiers, responses, order ---------------------------------------------

    async def _resolve_set(self) -> None:
        """All attacks that wait: each is finalized and answered, then all are resolved."""
        answered = 0
        while answered < len(self._queue):
            declared = self._queue[answered]
            answered += 1
            with self.ask.at(f"attack-{declared.number}"):
                await self._finalize(declared)
        self.under_way = self.position.fires = None
        for name in await self._ordered():
            declared = next(one for one in self._queue if one.name == name)
            await self._resolve(declared)
        self.position.attacks_waiting, self.position.fires = 0, None
        self._queue = []
        self.settle()

    async def _finalize(self, declared: Declared) -> None:
        """The attacker's own additions, the target's answers, then everybody else's, once each."""
        self.under_way = declared
        self.position.fires = (declared.attacker, declared.target)
        await self._window(declared.attacker, MODIFIER, declared)
        await self._window(declared.target, TARGET, declared)
        for seat in self.position.turn_order():
            if seat not in (declared.attacker, declared.target):
                await self._window(seat, OTHER, declared)

    async def _window(self, seat: Seat, window: str, declared: Declared) -> None:
        """One player's cards at one moment of an attack, until there are no more."""
        ordinal = 0
        while self.has_a_say(seat, window):
            ordinal += 1
            with self.ask.at(f"{window}-{seat}-{ordinal}"):
                played = await self._ask_window(seat, window, declared)
                if played.card == DONE:
                    return
                await self.use_from_hand(seat, played, window, declared)

    def has_a_say(self, seat: Seat, window: str) -> bool:
        """Whether a player may have a card for this moment; else there is nothing to ask."""
        if self.player(seat).out or not self.player(seat).hand:
            return False
        asks_all = self.setup.edition < FIRST_TO_ASK_NOBODY_IN_VAIN
        return asks_all or self.may_hold_unlisted(seat) or bool(self.stars_for(seat, window))

    def stars_for(self, seat: Seat, window: str) -> Mapping[str, Card]:
        """Cards of the catalogue that a player can pay for and play at this moment."""
        return {
            name: card for name, card in self.cards().items()
            if card.form == "star" and card.used_in(window) and self.can_pay_from_hand(seat, card)
        }  # fmt: skip

    def _ask_window(self, seat: Seat, window: str, declared: Declared) -> Choose[Played]:
        cards = self.stars_for(seat, window)
        whom = f"{self.who(declared.attacker)} attacks {self.who(declared.target)}"
        return Choose(
            key=self.ask.key("card"), by=seat, cite=_DECLARE, lapse=DONE,
            prompt=f"{whom}. {self.who(seat)}: {_ROLE[window]}",
            headline=self.ask.head(seat, "add a card?" if window == MODIFIER else "respond?"),
            offered=[*(Option(name, Played(name), card.title, group="From hand")
                       for name, card in cards.items()),
                     Option(UNKNOWN, Played(UNKNOWN), "Another card", group="From hand",
                            letters_more=LONGEST_TITLE),
                     Option(DONE, Played(DONE), "Done, nothing more", group="Done")],
            named=lambda raw: titled(raw, self.cards()),
            unlisted=lambda raw: self._refuse_window(raw, seat, window),
        )  # fmt: skip

    def _refuse_window(self, raw: Json, seat: Seat, window: str) -> Refusal | None:
        cards = self.cards()
        card = refusals.card_named(str(raw), cards)
        if card is None:
            return refusals.over(raw)
        return refusals.not_in_window(card, window)

    async def use_from_hand(
        self, seat: Seat, played: Played, window: str, declared: Declared | None = None
    ) -> None:
        """A card played from the hand, and carried out at once."""
        cause = await self.lay_from_hand(seat, played, window, declared)
        await self.carry_out_from_hand(cause)

    async def lay_from_hand(
        self, seat: Seat, played: Played, window: str, declared: Declared | None = None
    ) -> Cause:
        """A card from the hand: laid on the discard pile, paid for.  (RULING 17)"""
        card = self.card(played.card)
        title = card.title if card is not None else played.title or NOT_LISTED
        duration = card.duration if card is not None else "instant"
        name = played.card if card is not None else played.title or seats.FACE_DOWN
        cause = Cause(seat, title, name, duration, declared, window=window, form=played.form)
        player = self.player(seat)
        player.hand -= 1
        player.discard.append(name)
        self.tell(seat, f"plays {title} from the hand.", Cite.of("SE-R14, SE-R17, RULING 17"),
                  "discard the card", Carry(seat, 1, seats.HAND, seats.DISCARD),
                  quiet=True, happened=(CardLaid(seat, title),))  # fmt: skip
        if card is not None:
            self.read_out(seat, card)
            await self.pay(seat, card.cost, title)
            self.settle()
        return cause

    async def carry_out_from_hand(self, cause: Cause) -> None:
        """What a card does that was laid from the hand; one that is not listed is declared."""
        card = self.card(cause.card)
        if self.player(cause.seat).out:
            return
        if card is None:
            title = cause.title if cause.title != NOT_LISTED else ""
            await self.carry_out_unknown(cause, title)
            return
        if card.grants_extra_tier:
            await self.grant_tiers(cause.seat, card.grants_extra_tier)
        await self.carry_out(card.effects, cause)

    async def _ordered(self) -> list[str]:
        """In which order the waiting attacks are resolved.  (SE-PPR-01, SE-PPR-03)"""
        if len(self._queue) < 2 or not self.position.alive():
            return [declared.name for declared in self._queue]
        clockwise = clockwise_from(self.position.priority, list(self.position.players))
        waiting = sorted(self._queue, key=lambda one: (clockwise.index(one.attacker), one.number))
        doing = [declared for declared in waiting if not declared.stopped]
        if len(doing) < 2 and self.setup.edition >= FIRST_TO_ASK_NOBODY_IN_VAIN:
            return [declared.name for declared in waiting]
        attackers = {declared.attacker for declared in self._queue}
        of_one = len(attackers) == 1
        by = self._queue[0].attacker if of_one else self.chooser()
        if self.player(by).out:
            by = self.chooser()
        offered = [
            Option(one.name, one.name,
                   f"{self.who(one.attacker)} at {self.who(one.target)}: {one.title}")
            for one in waiting
        ]  # fmt: skip
        cite = _SAME if of_one else _PREROGATIVE
        what = "in which order are these attacks resolved?"
        return [*await self.ask.order("attack-order", by, offered, cite, what, "attacks")]

    # -- A6: resolving ---------------------------------------------------------------------

    async def _resolve(self, declared: Declared) -> None:
        """Damage of one attack.  (SE-R14, SE-R15)"""
        attacker, target = self.player(declared.attacker), self.player(declared.target)
        whom = self.who(declared.target)
        if attacker.out and self.options["declared_attack_survives"] == "no":
            self.tell(declared.attacker, f"is destroyed: the attack on {whom} is void.",
                      _SURVIVES, "attack is void", quiet=True)  # fmt: skip
            return
        if target.out:
            self.tell(declared.attacker, f"finds {whom} destroyed: the attack has no target.",
                      _SKIPPED, "target is gone", quiet=True)  # fmt: skip
            return
        if declared.stopped:
            self.tell(declared.attacker, f"attacks {whom}: {declared.stopped}.", _HULL, "no damage",
                      quiet=True, happened=self._made(declared, 0))  # fmt: skip
            return
        self._hit(declared, target)
        self.settle()

    def _hit(self, declared: Declared, target: Player) -> None:
        armour = self.stat(target.seat, ARMOUR, declared)
        damage = declared.damage(armour)
        target.hull -= damage
        less = declared.reduction + armour
        full = declared.power + declared.bonus
        cite = _HULL.also(_SURVIVES) if self.player(declared.attacker).out else _HULL
        notes = [f"{full} - {less}"] if less else []
        notes += ["assumed figure"] if self.table.assumed("vessel.attack") else []
        why = f" ({', '.join(notes)})" if notes else ""
        text = f"takes {damage} damage{why}; {target.hull_in_words}."
        self.tell(target.seat, text, cite, f"lose {damage} hull" if damage else "no damage",
                  target.tokens("hull", target.hull + damage),
                  struck=(target.piece,) if damage else (),
                  happened=self._made(declared, armour))  # fmt: skip

    def _made(self, declared: Declared, armour: int) -> tuple[Occurrence, ...]:
        """An attack for the statistics: what it would have done, what was done about it."""
        by, at, damage = declared.attacker, declared.target, declared.damage(armour)
        full = max(0, declared.power + declared.bonus - armour)
        reach = next((line.reach for line in self.position.lines_of_fire()), "")
        made: list[Occurrence] = [AttackMade(by, at, full > 0, reach, declared.title)]
        if full > damage:
            means = "stopped" if declared.stopped else "damage lowered"
            made.append(EvasionTried(at, means, full - damage, saved=not damage))
        if damage:
            made.append(DamageTaken(at, damage, by))
        return (*made,)

    # -- where vessels may go ------------------------------------------------------------

    @abstractmethod
    async def vessels(self, whose: Whose, cause: Cause, what: str) -> list[Seat]:
        """The vessels that an operation means; effects.py has it."""

    async def move(self, step: MoveVessel, cause: Cause) -> None:
        """A vessel moves up to so many spaces; the player who acts says where to."""
        for seat in await self.vessels(step.vessel, cause, "which vessel moves?"):
            most = self.stat(seat, "mobility") if step.max == "mobility" else int(step.max)
            await self.move_vessel(seat, cause.seat, step.min, most)

    async def move_vessel(self, seat: Seat, by: Seat, least: int, most: int) -> None:
        """One vessel from where it stands; a ruling where it went.  (SE-R03, RULING 3)"""
        star_map, mover = self.position.map, self.player(seat)
        if star_map is None or mover.space is None:
            await self.ask.moved(mover, by, most)
            if mover.out or self.player(by).out:
                return
            text = "moves as declared at the table."
            self.tell(seat, text, _MOVE, "moved as declared", quiet=True)
            return
        ends = self.ends(star_map, mover, least, most)
        if not ends:
            self.tell(seat, "has nowhere to go: the move is skipped.", _SKIPPED, "cannot move",
                      quiet=True)  # fmt: skip
            return
        start, taken = mover.space, self._taken(mover)
        spot = await self.ask.destination(
            mover, by, ends,
            lambda raw: refusals.destination(raw, star_map, start, most, taken),
        )  # fmt: skip
        if mover.out or self.player(by).out:
            return
        was = name_of(mover.space)
        moves = self.put(seat, spot)
        text = f"moves from {was} to {name_of(spot)}." if moves else f"stays on {was}."
        self.tell(seat, text, _MOVE, f"to {name_of(spot)}", *moves, quiet=True)

    def ends(self, star_map: StarMap, mover: Player, least: int, most: int) -> list[Spot]:
        """Where a vessel may end, nearest first; the own space only if it need not move."""
        if mover.space is None:
            return []
        taken = self._taken(mover)
        reach = star_map.reach(mover.space, most)
        return [spot for spot, away in reach.items() if away >= least and spot not in taken]

    def _taken(self, mover: Player) -> dict[Spot, str]:
        """Spaces on which another vessel stands, with whose it is."""
        if self.options["share_space"] == "yes":
            return {}
        return {
            other.space: self.position.vessel_of(other.seat)
            for other in self.position.alive()
            if other is not mover and other.space is not None
        }

    async def rotate(self, step: Rotate, cause: Cause) -> None:
        """A vessel turns; which way it points is recorded."""
        names = self.position.headings
        for seat in await self.vessels(step.vessel, cause, "which vessel turns?"):
            mover = self.player(seat)
            if step.steps == "free":
                with self.ask.at(seat):
                    heading = await self.ask.heading(mover, cause.seat, names)
            else:
                heading = (mover.heading + step.steps) % len(names)
            if mover.out or self.player(cause.seat).out:
                continue
            moves = self.turn_to(seat, heading)
            self.tell(seat, f"points {names[heading]} now.", _MOVE, f"points {names[heading]}",
                      *moves, quiet=True)  # fmt: skip
