"""What cards do, operation by operation, and cards that no catalogue lists.  (SE-R12)"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.question import Option
from companion.core.ruling import Carry, Cite, DamageTaken, Seat
from companion.core.text import counted
from companion.games.starship_edition import cards, seats
from companion.games.starship_edition.cards import FORM_WINDOWS, KINDS, Card, Payment
from companion.games.starship_edition.coinciding import Due, Event
from companion.games.starship_edition.fighting import Fighting
from companion.games.starship_edition.figures import BASE_STATS
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.player import Modifier

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.starship_edition.cards import CounterKind


_SKIPPED = Cite.of("SE-R12, RULING 12")
_FOLLOW = Cite.of("SE-ACT-04, SE-R12, RULING 12")
_HULL = Cite.of("SE-R20, RULING 20")
_ATTACK = Cite.of("SE-R14, RULING 14")
_COUNT = Cite.of("SE-R23, RULING 23")
_TURN = Cite.of("SE-EOT-01, SE-R23, RULING 23")
_EXTRA = Cite.of("SE-R11, RULING 11")
_OWN = Cite.of("SE-PPR-03, SE-R13, RULING 13")
_WHOSE = Cite.of("SE-R12, SE-R13, RULING 13")

# What a card does that the catalogue lacks, as the table says it.

_DECLARED = Cite.of("SE-ACT-04, SE-R12, RULING 12")
_COST = Cite.of("SE-R12, SE-R23, RULING 12, RULING 23")
NOTHING_MORE, KEEP, FREE = "nothing more", "keep", "free"
"""How a declaration ends: the card is known in this match, or in the table's catalogue as well. A
card that is `free` has no price."""
FIRST_TO_ASK = 2
"""Matches of earlier editions ask of a declared card neither its price nor its moments."""
MOST, MOST_TAUGHT, LONGEST_TITLE = 20, 999, 40
"""Larger numbers are typed into the catalogue."""
NOT_PRINTED = "not said"


class Offered(NamedTuple):
    """An operation that the table may declare: its name in files, its label, what is asked.

    `has` are parameters that need no asking.
    """

    op: str
    label: str
    asks: tuple[str, ...] = ()
    sign: int = 1
    has: Mapping[str, Json] = MappingProxyType({})


DECLARABLE: Mapping[str, Offered] = {
    "move": Offered("move", "Move a vessel", ("vessel", "max")),
    "move by mobility": Offered("move", "Move by its mobility", ("vessel",)),
    "rotate": Offered("rotate", "Turn a vessel", ("vessel",)),
    "attack": Offered("attack", "Attack of a power", ("power",)),
    "own attack": Offered("attack", "Attack by own power"),
    "add to attack": Offered("modify", "Add to this attack", ("amount",),
                             has={"stat": "attack", "duration": "attack"}),
    "damage": Offered("damage", "Damage", ("vessel", "amount")),
    "repair": Offered("repair", "Repair", ("vessel", "amount")),
    "gain energy": Offered("energy", "Gain energy", ("vessel", "amount")),
    "lose energy": Offered("energy", "Lose energy", ("vessel", "amount"), -1),
    "lay counters": Offered("counter", "Lay counters", ("name", "vessel", "amount")),
    "take counters": Offered("counter", "Take counters", ("name", "vessel", "amount"), -1),
    "raise": Offered("modify", "Raise a quantity", ("stat", "vessel", "amount", "duration")),
    "lower": Offered("modify", "Lower a quantity", ("stat", "vessel", "amount", "duration"), -1),
    "draw": Offered("draw", "Draw cards", ("player", "number")),
    "discard": Offered("discard", "Discard from hand", ("player", "number")),
    "return to hand": Offered("return_to_hand", "Take back discards", ("player", "number")),
    "remove": Offered("remove_from_game", "Cards out of the game", ("player", "number")),
    "equip": Offered("equip", "Equip this card"),
    "expire": Offered("expire", "Gear expires", ("vessel",)),
    "second card": Offered("set_secondary", "Set a second card"),
    "extra tier": Offered("extra_tier", "Extra tier", ("player",)),
    "reduce": Offered("reduce", "Reduce the attack", ("amount",)),
    "miss": Offered("miss", "The attack misses"),
    "nullify": Offered("nullify", "Nullify the attack"),
}  # fmt: skip
"""Every operation by the words that the table declares it with."""

_OF_ATTACKS = ("add to attack", "reduce", "miss", "nullify")
_OF_TIERS = ("set_secondary", "extra_tier")
_PAYS: Mapping[str, str] = {
    "energy": "Energy", "hull": "Hull", "counter": "Counters", "hand": "Cards from hand",
    "discard": "Cards of the discard pile",
}  # fmt: skip
_MOMENTS: Mapping[str, str] = {
    "prep": "While preparing", "step1": "As abilities are", "attacker_modifier": "In own attacks",
    "response_target": "When attacked", "response_other": "When others are",
    "discard_phase": "Discard Phase", "end_of_turn": "End of turn", "any": "At any moment",
}  # fmt: skip
_WHOSE_VESSEL: Mapping[str, str] = {
    "this": "The own vessel", "one": "One other", "others": "All others", "all": "All vessels",
}  # fmt: skip
_IN_ATTACK: Mapping[str, str] = {"attacker": "The attacker", "target": "The target"}
_DURATIONS: Mapping[str, str] = {
    "turn": "This turn", "tier": "This tier", "attack": "One attack",
    "while_equipped": "While equipped",
    "game": "The whole game",
}  # fmt: skip


_ASKED: Mapping[str, str] = {
    "vessel": "which vessel", "player": "whose cards", "stat": "which quantity",
    "name": "which counters", "duration": "for how long",
}  # fmt: skip


class Effects(Fighting):
    """What cards do, by the catalogue or as the table declares it."""

    # -- every operation of the catalogue ------------------------------------------------

    async def carry_out(self, steps: Sequence[cards.BaseOperation], cause: Cause) -> None:
        """Operations in the order of the card; what cannot be followed is skipped.  (SE-R12)"""
        for number, step in enumerate(steps, 1):
            if self.player(cause.seat).out:
                return
            with self.ask.at(number):
                await self.carry_out_one(step, cause)

    async def carry_out_one(self, step: cards.BaseOperation, cause: Cause) -> None:
        """One operation, if its player wants it and its condition holds."""
        if (step.optional or step.condition) and not await self._is_wanted(step, cause):
            self.tell(cause.seat, f"leaves out a part of {cause.title}.", _FOLLOW, "left out",
                      quiet=True)  # fmt: skip
            return
        if self.player(cause.seat).out:
            return
        await _DOES[type(step)](self, step, cause)
        self.settle()

    async def _is_wanted(self, step: cards.BaseOperation, cause: Cause) -> bool:
        what = f'does this hold: "{step.condition}"?' if step.condition else "do you want it?"
        kind = str(getattr(step, "op", "")).replace("_", " ")
        prompt = f"{self.who(cause.seat)}: {cause.title}, {kind}: {what}"
        return await self.ask.yes_no("wanted", cause.seat, _FOLLOW, prompt, f"{kind}?")

    # -- whom it concerns ------------------------------------------------------------------

    async def vessels(self, whose: cards.Whose, cause: Cause, what: str) -> list[Seat]:
        """The vessels that an operation means, without those destroyed."""
        attack, order = cause.attack, self.position.turn_order()
        match whose:
            case "this":
                named = [cause.seat]
            case "target":
                named = [attack.target] if attack is not None else []
            case "attacker":
                named = [attack.attacker] if attack is not None else []
            case "all":
                named = order
            case _:
                named = [seat for seat in order if seat != cause.seat or whose == "any"]
        left = [seat for seat in named if seat in order]
        if whose in ("one", "any") and left:
            left = [await self.ask.vessel("vessel", cause.seat, left, _WHOSE, what)]
            if self.player(cause.seat).out:
                return []
        if not left:
            self.tell(cause.seat, f"finds no vessel for {cause.title}: it is skipped.", _SKIPPED,
                      "nothing happens", quiet=True)  # fmt: skip
        return left

    # -- hull, energy, counters, stats -----------------------------------------------------

    async def damage(self, step: cards.Damage, cause: Cause) -> None:
        """Hull is lost; that is no attack."""
        for seat in await self.vessels(step.vessel, cause, "whom does the damage hit?"):
            player = self.player(seat)
            player.hull -= step.amount
            text = f"takes {step.amount} damage from {cause.title}; {player.hull_in_words}."
            lost = player.tokens("hull", player.hull + step.amount)
            self.tell(seat, text, _HULL, f"lose {step.amount} hull", lost, struck=(player.piece,),
                      happened=(DamageTaken(seat, step.amount, cause.seat),))  # fmt: skip

    async def repair(self, step: cards.Repair, cause: Cause) -> None:
        """Hull is mended up to what it was at the start.  (SE-R23, RULING 23)"""
        for seat in await self.vessels(step.vessel, cause, "which vessel is repaired?"):
            player = self.player(seat)
            most = self.stat(seat, "hull_max")
            whole = player.hull + step.amount
            if self.options["overrepair"] != "yes":
                whole = max(player.hull, min(whole, most))
            got, player.hull = whole - player.hull, whole
            self.tell(seat, f"repairs {got}; hull {player.hull}.", _COUNT,
                      f"gain {got} hull" if got else "nothing to repair",
                      player.tokens("hull", whole - got), quiet=not got)  # fmt: skip

    async def energy(self, step: cards.Energy, cause: Cause) -> None:
        """Energy comes or goes, never below 0.  (SE-R23, RULING 23)"""
        for seat in await self.vessels(step.vessel, cause, "whose energy changes?"):
            player = self.player(seat)
            before, player.energy = player.energy, max(0, player.energy + step.amount)
            change = player.energy - before
            deed = f"{'lose' if change < 0 else 'gain'} {abs(change)} energy"
            text = f"has {player.energy} energy ({change:+}, {cause.title})."
            self.tell(seat, text, _COUNT, deed if change else "same energy",
                      player.tokens("energy", before))  # fmt: skip

    async def counter(self, step: cards.LayCounters, cause: Cause) -> None:
        """Counters are laid or taken, never below 0; then their limits are judged.  (RULING 23)"""
        kind = self.table.file.counters[step.name]
        held = kind.holder == "card"
        name = f"{cause.gear or cause.card}: {step.name}" if held else step.name
        whose = await self.vessels(step.vessel, cause, "whose counters change?")
        for seat in whose:
            player = self.player(seat)
            before = player.counters.get(name, 0)
            player.counters[name] = max(0, before + step.amount)
            text = f"has {counted(player.counters[name], 'counter')} ({step.name})."
            self.tell(seat, text, _COUNT, f"{step.amount:+} counters", player.tokens(name, before))
        if kind.at == "at_once":
            with self.ask.at("counters"):
                await self.judge_counters([(seat, name) for seat in whose])

    async def judge_counters(self, laid: Sequence[tuple[Seat, str]]) -> None:
        """Limits reached together: vessel by vessel, as ordered.  (SE-PPR-01, RULING 13)"""
        reached = self.counters_due(laid)
        what = "in which order do the vessels' counters take effect?"
        if self.interleaves(reached):
            for one in await self.in_order(reached, what, "counters"):
                with self.ask.at(one.seat):
                    await self.judge_counter(one.seat, one.name)
            return
        due: dict[Seat, dict[str, Event]] = {}
        for one in reached:
            due.setdefault(one.seat, {})[one.name] = one.event
        vessels = {seat: [*events.values()] for seat, events in due.items()}
        for seat in await self.order_of_vessels(vessels, what, "counters"):
            with self.ask.at(seat):
                names = {name: name.capitalize() for name in due[seat]}
                what = "in which order do your counters take effect?"
                for name in await self.own_order(seat, due[seat], names, "order", _OWN, what,
                                                 "counters"):  # fmt: skip
                    await self.judge_counter(seat, name)

    def counters_due(self, laid: Sequence[tuple[Seat, str]]) -> list[Due]:
        """Those of these counters that have reached their limit."""
        return [
            Due("counters", name, name,
                Event(seat, kind.effects, counters=name, destroys=kind.destroys))
            for seat, name in laid
            if (kind := self._kind_reached(seat, name)) is not None
        ]  # fmt: skip

    def _kind_reached(self, seat: Seat, name: str) -> CounterKind | None:
        """The kind of these counters, if there are so many that they bring something about."""
        kind = self.table.file.counters.get(name.rpartition(": ")[2])
        player = self.player(seat)
        if kind is None or kind.threshold is None or player.out:
            return None
        return kind if player.counters.get(name, 0) >= kind.threshold else None

    async def judge_counter(self, seat: Seat, name: str) -> None:
        """What so many counters bring about, if they are that many.  (SE-R23, RULING 23)"""
        kind, player = self._kind_reached(seat, name), self.player(seat)
        if kind is None:
            return
        text = f"has {player.counters[name]} counters ({name}), the limit being {kind.threshold}."
        self.tell(seat, text, _COUNT, "counters: limit")
        if kind.destroys:
            self.destroy(seat)
            self.settle()
            return
        player.counters[name] = 0
        with self.ask.at(f"counters-{seat}", name):
            await self.carry_out(kind.effects, Cause(seat, name))

    async def modify(self, step: cards.Modify, cause: Cause) -> None:
        """A quantity is more or less for a while: with its copy, for one attack, or for longer."""
        until = step.duration or cause.duration
        until = "turn" if until == "instant" else until
        attack = cause.attack
        if until == "attack" and step.stat == "attack" and attack is not None:
            attack.bonus += step.amount
            text = f"changes the attack by {step.amount:+}: {cause.title}."
            self.tell(cause.seat, text, _ATTACK, f"{step.amount:+} attack", quiet=True)
            return
        if until == "while_equipped" and not cause.gear:
            text = f"has no copy of {cause.title} equipped by this: {step.stat} stays as it is."
            self.tell(cause.seat, text, _SKIPPED, "nothing is added", quiet=True)
            return
        for seat in await self.vessels(step.vessel, cause, "which vessel changes?"):
            if until == "attack" and attack is not None:
                attack.change(seat, step.stat, step.amount)
            else:
                self._change_for_longer(seat, step, until, cause)
            text = f"has {step.stat} {step.amount:+} ({until.replace('_', ' ')}): {cause.title}."
            self.tell(seat, text, _TURN, f"{step.stat} {step.amount:+}"[:15], quiet=True)

    def _change_for_longer(self, seat: Seat, step: cards.Modify, until: str, cause: Cause) -> None:
        """It counts for the attack on which it is played, too, whatever power that has."""
        source, attack = cause.title, cause.attack
        if until == "while_equipped":
            source = cause.gear if seat == cause.seat else f"{cause.seat}: {cause.gear}"
        before = self.stat(seat, "attack")
        self.player(seat).modifiers.append(Modifier(step.stat, step.amount, until, source))
        if attack is None or step.stat != "attack" or seat != attack.attacker:
            return
        more = self.stat(seat, "attack") - before if attack.own_power else step.amount
        attack.bonus += more

    # -- the attack under way --------------------------------------------------------------

    async def reduce(self, step: cards.Reduce, cause: Cause) -> None:
        """The attack under way does less damage."""
        if self._has_attack(cause) and cause.attack is not None:
            cause.attack.reduction += step.amount
            self.tell(cause.seat, f"reduces the attack by {step.amount}.",
                      Cite.of("SE-R14, RULING 14"), f"-{step.amount} attack",
                      quiet=True)  # fmt: skip

    async def stop(self, step: cards.Miss | cards.Nullify, cause: Cause) -> None:
        """The attack under way misses, or comes to nothing."""
        if self._has_attack(cause) and cause.attack is not None:
            how = "misses" if step.op == "miss" else "is nullified"
            does = "makes the attack miss" if step.op == "miss" else "nullifies the attack"
            cause.attack.stopped = f"it {how} ({cause.title})"
            self.tell(cause.seat, f"{does}: {cause.title}.", Cite.of("SE-R14, RULING 14"),
                      f"attack {how}", quiet=True)  # fmt: skip

    def _has_attack(self, cause: Cause) -> bool:
        if cause.attack is None:
            self.tell(cause.seat, f"has no attack to answer with {cause.title}.", _SKIPPED,
                      "nothing happens", quiet=True)  # fmt: skip
        return cause.attack is not None

    # -- cards -----------------------------------------------------------------------------

    async def draw_cards(self, step: cards.Draw, cause: Cause) -> None:
        """Cards off the own deck."""
        for seat in await self.vessels(step.player, cause, "who draws?"):
            self.draw(seat, step.number, Cite.of("SE-ACT-04, SE-R24, RULING 24"))

    async def discard_cards(self, step: cards.Discard, cause: Cause) -> None:
        """Cards from hand or deck, face up on the discard pile."""
        for seat in await self.vessels(step.player, cause, "who discards?"):
            if step.source == "hand":
                with self.ask.at(seat):
                    await self.discard_from_hand(seat, step.number, _FOLLOW)
                continue
            for ordinal in range(1, min(step.number, self.player(seat).deck) + 1):
                with self.ask.at(f"{seat}-{ordinal}"):
                    card = await self.name_card(seat, "top", "which card was on top of the deck?")
                player = self.player(seat)
                if player.out:
                    break
                player.deck -= 1
                player.discard.append(card)
                self.tell(seat, f"discards {self.title_of(card)} off the deck.", _FOLLOW,
                          "discard 1", Carry(seat, 1, seats.DECK, seats.DISCARD))  # fmt: skip

    async def return_to_hand(self, step: cards.ReturnToHand, cause: Cause) -> None:
        """Cards from the discard pile, or off the vessel, back to the hand."""
        for seat in await self.vessels(step.player, cause, "who takes cards back?"):
            for ordinal in range(1, step.number + 1):
                with self.ask.at(f"{seat}-{ordinal}"):
                    await self._return_one(seat, step.source)

    async def _return_one(self, seat: Seat, source: str) -> None:
        player = self.player(seat)
        if source == "gear":
            if not player.gear:
                return
            card = await self._name_gear(seat)
            if player.out:
                return
            place = self.unequip(player, card)
        else:
            if not player.discard:
                return
            at = await self.name_discarded(seat, "which", "which card do you take back?")
            if player.out:
                return
            at = min(at, len(player.discard) - 1)
            card, place = player.discard.pop(at), f"{seats.DISCARD}/{at + 1}"
        player.hand += 1
        self.tell(seat, f"takes {self.title_of(card)} back to the hand.", _FOLLOW, "card to hand",
                  Carry(seat, 1, place, seats.HAND))  # fmt: skip

    async def _name_gear(self, seat: Seat) -> str:
        gear = dict.fromkeys(self.player(seat).gear)
        offered = [Option(card, card, self.title_of(card), group="Equipped") for card in gear]
        return await self.ask.one_of("gear", seat, offered, _FOLLOW, "which equipped card?",
                                     "which card?")  # fmt: skip

    async def remove_from_game(self, step: cards.RemoveFromGame, cause: Cause) -> None:
        """Cards leave the game."""
        for seat in await self.vessels(step.player, cause, "whose cards leave the game?"):
            with self.ask.at(seat):
                if step.source == "discard":
                    await self.remove_from_discard(seat, step.number, _FOLLOW)
                else:
                    await self._remove_unseen(seat, step.source, step.number)

    async def _remove_unseen(self, seat: Seat, source: str, number: int) -> None:
        """Off deck or hand, or off the vessel, one by one."""
        for ordinal in range(1, number + 1):
            player = self.player(seat)
            left = {seats.DECK: player.deck, seats.HAND: player.hand}.get(source, len(player.gear))
            if not left:
                return
            place = source
            if source == seats.DECK:
                player.deck -= 1
            elif source == seats.HAND:
                player.hand -= 1
            else:
                with self.ask.at(ordinal):
                    card = await self._name_gear(seat)
                if player.out:
                    return
                place = self.unequip(player, card)
            player.removed += 1
            self.tell(seat, f"removes a card from the game ({source}).", _FOLLOW, "remove 1",
                      Carry(seat, 1, place, seats.REMOVED))  # fmt: skip

    async def equip_card(self, step: cards.Equip, cause: Cause) -> None:
        """The card stays on the vessel."""
        self.equip(cause)

    async def expire_cards(self, step: cards.Expire, cause: Cause) -> None:
        """Equipped cards come off."""
        for seat in await self.vessels(step.vessel, cause, "whose equipped card expires?"):
            for ordinal in range(1, step.number + 1):
                if self.player(seat).gear:
                    with self.ask.at(f"{seat}-{ordinal}"):
                        card = await self._name_gear(seat)
                    if not self.player(seat).out:
                        self.expire(seat, card, _FOLLOW, cause.title)

    # -- tiers -----------------------------------------------------------------------------

    async def extra_tier(self, step: cards.ExtraTier, cause: Cause) -> None:
        """More tier actions this turn; outside the Preparation they are prepared at once."""
        for seat in await self.vessels(step.player, cause, "who has another tier?"):
            await self.grant_tiers(seat, step.number)

    async def grant_tiers(self, seat: Seat, number: int) -> None:
        """So many more tiers for a player.  (SE-R11, RULING 11)"""
        player = self.player(seat)
        got = min(number, seats.MOST_TIERS - player.granted)
        player.granted += got
        text = f"has {counted(got, 'more tier')} this turn, {player.granted} in all."
        self.tell(seat, text, _EXTRA, f"{player.granted} tiers", quiet=True)
        if self.position.stage == seats.PREPARATION and not player.prepared:
            return
        while self.player(seat).has_tiers_left and not self.player(seat).out:
            with self.ask.at(f"extra-{seat}"):
                await self.prepare_extra(seat)

    @abstractmethod
    async def prepare_extra(self, seat: Seat) -> None:
        """A tier granted in the Action Phase; preparing.py has it."""

    @abstractmethod
    async def set_secondary(self, step: cards.SetSecondary, cause: Cause) -> None:
        """A second card into an own tier; preparing.py has it."""

    async def choose_one(self, step: cards.ChooseOne, cause: Cause) -> None:
        """One of several operations."""
        offered = [
            Option(str(number), str(number), _named(one), group="One of")
            for number, one in enumerate(step.of, 1)
        ]
        chosen = await self.ask.one_of("choice", cause.seat, offered, _FOLLOW,
                                       f"{cause.title}: choose one.", "choose one")  # fmt: skip
        with self.ask.at(f"choice-{chosen}"):
            await self.carry_out_one(step.of[int(chosen) - 1], cause)

    # -- what the table says that a card does --------------------------------------------

    async def declare_effect(self, step: cards.DeclareEffect, cause: Cause) -> None:
        """A card's own words that no operation has: the table carries them out."""
        self.tell(cause.seat, f'reads out: "{step.text}"', _DECLARED, "declared effect")
        await self.declare(cause)

    async def carry_out_unknown(self, cause: Cause, title: str) -> None:
        """Declare what a card costs and does, carry it out, and remember it by its title."""
        self.tell(cause.seat, f"plays {cause.title}: its effect is declared.", _DECLARED,
                  "declared card")  # fmt: skip
        kind = await self._type(cause.seat)
        prices = await self._prices(cause) if self._asks_all else []
        if not await self._pays(cause, prices):
            return
        steps, keeps = await self.declare(cause, may_keep=True)
        if not title and not keeps:
            return
        title = title or self._name_for(steps)
        raw: dict[str, Json] = {"type": kind, "effects": [dict(step) for step in steps]}
        raw |= await self._moments(cause, title)
        if prices:
            raw["cost"] = [price.model_dump(exclude_defaults=True) for price in prices]
        self.teach(title, raw, keeps=keeps)

    @property
    def _asks_all(self) -> bool:
        return self.setup.edition >= FIRST_TO_ASK

    async def form_of_unknown(self, seat: Seat) -> str:
        """Whether a card that is not listed takes a tier action of the Preparation: jump or star.

        A star where no tier action is left.
        """
        if not self.player(seat).has_tiers_left:
            return "star"
        if not self._asks_all:
            return "jump"
        offered = [Option("jump", "jump", "Instead of a tier", group="Played"),
                   Option("star", "star", "Beside the tiers", group="Played")]  # fmt: skip
        what = "does this card take a tier action (jump) or none (star)?"
        return await self.ask.one_of("form", seat, offered, _DECLARED, what, "jump or star?")

    # -- what it costs ---------------------------------------------------------------------

    async def _prices(self, cause: Cause) -> list[Payment]:
        """What the card costs, price by price."""
        prices: list[Payment] = []
        while True:
            with self.ask.at(f"price-{len(prices) + 1}-declared"):
                price = await self._price(cause, prices)
            if price is None:
                return prices
            prices.append(price)

    async def _price(self, cause: Cause, said: Sequence[Payment]) -> Payment | None:
        ends, label = (NOTHING_MORE, "Nothing more") if said else (FREE, "No price")
        named = {price.pay for price in said}
        offered = [Option(ends, ends, label, group="Done")]
        offered += [
            Option(pay, pay, text, group="Price") for pay, text in _PAYS.items()
            if pay not in named and (pay != "counter" or self._counter_kinds())
        ]  # fmt: skip
        what = f"what {'else ' if said else ''}does {cause.title} cost?"
        pay = await self.ask.one_of("price", cause.seat, offered, _COST, what, "what price?")
        if pay == ends:
            return None
        raw: dict[str, Json] = {"pay": pay}
        if pay == "counter":
            raw["name"] = await self._parameter("name", Offered("", "Price"), cause, ())
        what = f"{_PAYS[pay].lower()}: how many?"
        raw["amount"] = await self.ask.number("how-amount", cause.seat, 1, MOST, _COST, what)
        return Payment.model_validate(raw)

    async def _pays(self, cause: Cause, prices: Sequence[Payment]) -> bool:
        """Every price in full; else the card does nothing.  (SE-R12, SE-R23)"""
        seat = cause.seat
        own = sum(price.amount for price in prices if price.pay == "discard")
        own += bool(own) and cause.tier == 0  # the card lies on the pile itself
        if not self.can_pay(seat, prices) or own > len(self.player(seat).discard):
            self.tell(seat, f"cannot pay for {cause.title}: it is not carried out.", _COST,
                      "cannot pay", quiet=True)  # fmt: skip
            return False
        await self.pay(seat, prices, cause.title)
        self.settle()
        return True

    # -- when it may be played -------------------------------------------------------------

    async def _moments(self, cause: Cause, title: str) -> dict[str, Json]:
        """The form and the windows of a card played from hand; one that was set has the usual."""
        if cause.window == "tier":
            return {}
        form = cause.form or ("jump" if cause.window == "prep" else "star")
        windows = {cause.window}
        if form == "star" and self._asks_all and not self.player(cause.seat).out:
            there = sorted(FORM_WINDOWS[form], key=lambda one: one != cause.window)
            offered = [Option(one, one, _MOMENTS[one]) for one in there]
            windows |= set(await self.ask.moments("windows", cause.seat, offered, _DECLARED, title))
        said: list[Json] = [one for one in FORM_WINDOWS[form] if one in windows]
        return {"form": form, "windows": ["any"] if "any" in windows else said}

    # -- what it does ----------------------------------------------------------------------

    async def _type(self, seat: Seat) -> str:
        offered = [Option(name, name, name.capitalize(), group="Type")
                   for name in self.table.file.types]  # fmt: skip
        offered.append(Option(NOT_PRINTED, self.table.file.types[0], "Not said", group="Type"))
        return await self.ask.one_of("type", seat, offered, _DECLARED,
                                     "of which type is the card?", "which type?")  # fmt: skip

    async def declare(
        self, cause: Cause, *, may_keep: bool = False
    ) -> tuple[list[dict[str, Json]], bool]:
        """One operation after the other, each confirmed before it is carried out.

        Also whether the table keeps the card in its catalogue, where it `may_keep` it.
        """
        declared: list[dict[str, Json]] = []
        ordinal, said = 0, ""
        while not self.player(cause.seat).out:
            ordinal += 1
            with self.ask.at(f"declared-{ordinal}"):
                said = await self._which_effect(cause, may_keep=may_keep)
                if said in (NOTHING_MORE, KEEP):
                    break
                raw = await self._declare_one(DECLARABLE[said], cause, declared)
                if raw:
                    declared.append(raw)
                    step = KINDS[str(raw["op"])].model_validate(raw)
                    await self.carry_out_one(step, cause)
        return declared, said == KEEP

    async def _which_effect(self, cause: Cause, *, may_keep: bool) -> str:
        """The words of an operation, or how the declaration ends."""
        offered = [Option(NOTHING_MORE, NOTHING_MORE, "Nothing more", group="Done")]
        if may_keep:
            offered.append(Option(KEEP, KEEP, "Keep for later matches", group="Done"))
        offered += [
            Option(name, name, one.label, group="Effect") for name, one in self._offered(cause)
        ]
        what = f"what does {cause.title} do?"
        return await self.ask.one_of("effect", cause.seat, offered, _DECLARED, what, "what effect?")

    async def _declare_one(
        self, chosen: Offered, cause: Cause, before: Sequence[Mapping[str, Json]]
    ) -> dict[str, Json]:
        """An operation with its numbers, empty if it was not confirmed."""
        raw: dict[str, Json] = {"op": chosen.op, **chosen.has}
        for name in chosen.asks:
            raw[name] = await self._parameter(name, chosen, cause, before)
        return raw if await self._is_sure(cause, _in_words(chosen, raw)) else {}

    def _offered(self, cause: Cause) -> Sequence[tuple[str, Offered]]:
        """What may be declared now: of an attack while one is under way, of tiers to come."""
        return [
            (name, one)
            for name, one in DECLARABLE.items()
            if (name not in _OF_ATTACKS or cause.attack is not None)
            and (one.op not in _OF_TIERS or not self._is_late())
            and (one.op != "counter" or self._counter_kinds())
        ]

    def _is_late(self) -> bool:
        return self._asks_all and self.position.stage in (seats.DISCARD_PHASE, seats.END_OF_TURN)

    def _counter_kinds(self) -> Sequence[str]:
        """Kinds of counters that vessels hold."""
        kinds = self.table.file.counters
        return [name for name, kind in kinds.items()
                if kind.holder == "vessel" or not self._asks_all]  # fmt: skip

    async def _parameter(
        self, name: str, chosen: Offered, cause: Cause, before: Sequence[Mapping[str, Json]]
    ) -> Json:
        """What an operation needs to be told."""
        seat = cause.seat
        if name in ("amount", "number", "max", "power"):
            low = 0 if name == "power" or (name == "max" and not self._asks_all) else 1
            what = f"{chosen.label.lower()}: how many?"
            return chosen.sign * await self.ask.number(
                f"how-{name}", seat, low, MOST, _DECLARED, what
            )
        words = self._words_of(name, cause, before)
        offered = [Option(word, word, label, group=chosen.label) for word, label in words.items()]
        what = f"{chosen.label.lower()}: {_ASKED[name]}?"
        return await self.ask.one_of(f"how-{name}", seat, offered, _DECLARED, what, f"{name}?")

    def _words_of(
        self, name: str, cause: Cause, before: Sequence[Mapping[str, Json]]
    ) -> Mapping[str, str]:
        """What may be said of a parameter: each word with its label."""
        match name:
            case "stat":
                stats = dict.fromkeys((*BASE_STATS, *self.table.file.stats))
                return {stat: stat.replace("_", " ").capitalize() for stat in stats}
            case "name":
                return {kind: kind.capitalize() for kind in self._counter_kinds()}
            case "duration":
                gear = not self._asks_all or any(one["op"] == "equip" for one in before)
                never = {"while_equipped"} if not gear else set[str]()
                never |= {"tier"} if self._is_late() else set()
                return {word: label for word, label in _DURATIONS.items() if word not in never}
            case _:
                return {**_WHOSE_VESSEL, **(_IN_ATTACK if cause.attack is not None else {})}

    async def _is_sure(self, cause: Cause, said: str) -> bool:
        seat = cause.seat
        prompt = f"{self.who(seat)} declares of {cause.title}: {said}. Carry it out?"
        keys = ("Carry it out", "Drop it")
        sure = await self.ask.yes_no("sure", seat, _DECLARED, prompt, "carry it out?", keys)
        does = "declares" if sure else "drops what was declared"
        text = f"{does} of {cause.title}: {said}."
        self.tell(seat, text, _DECLARED, "declared" if sure else "dropped")
        return sure

    def _name_for(self, steps: Sequence[Mapping[str, Json]]) -> str:
        """What a card is called to which nobody gave a title: a number, and what it does."""
        words = [str(value) for step in steps for value in step.values()]
        number = next(n for n in range(1, MOST_TAUGHT) if not self._has_number(n))
        does = " ".join(words).replace("_", " ") or "nothing"
        return f"Card {number}: {does}"[:LONGEST_TITLE].strip()

    def _has_number(self, number: int) -> bool:
        return any(name.startswith(f"Card {number}:") for name in self.cards())

    def teach(self, title: str, raw: Mapping[str, Json], *, keeps: bool) -> None:
        """Remember a declared card as a catalogue would have it."""
        card: dict[str, Any] = {"title": title, **raw}
        steps = Card.model_validate(card).effects
        self.position.taught[title] = card
        text = f"{title} is listed now with {counted(len(steps), 'declared effect')}"
        if keeps:
            self.position.kept_titles.append(title)
            text += ", and is one of the table's own cards"
        self.rule(f"{text}.", _DECLARED, headline="card is kept" if keeps else "card is listed")


def _named(step: cards.BaseOperation) -> str:
    """An operation on a key: "damage 2", "move mobility"."""
    said = step.model_dump(exclude_defaults=True, by_alias=True)
    words = [str(value) for value in said.values() if isinstance(value, str | int)]
    return " ".join(words).replace("_", " ")


Does = Callable[[Effects, Any, Cause], Awaitable[None]]

_DOES: Mapping[type[cards.BaseOperation], Does] = {
    cards.MoveVessel: lambda rules, step, cause: rules.move(step, cause),
    cards.Rotate: lambda rules, step, cause: rules.rotate(step, cause),
    cards.Attack: lambda rules, step, cause: rules.attack(step, cause),
    cards.Damage: lambda rules, step, cause: rules.damage(step, cause),
    cards.Reduce: lambda rules, step, cause: rules.reduce(step, cause),
    cards.Miss: lambda rules, step, cause: rules.stop(step, cause),
    cards.Nullify: lambda rules, step, cause: rules.stop(step, cause),
    cards.Repair: lambda rules, step, cause: rules.repair(step, cause),
    cards.Energy: lambda rules, step, cause: rules.energy(step, cause),
    cards.LayCounters: lambda rules, step, cause: rules.counter(step, cause),
    cards.Modify: lambda rules, step, cause: rules.modify(step, cause),
    cards.Draw: lambda rules, step, cause: rules.draw_cards(step, cause),
    cards.Discard: lambda rules, step, cause: rules.discard_cards(step, cause),
    cards.ReturnToHand: lambda rules, step, cause: rules.return_to_hand(step, cause),
    cards.RemoveFromGame: lambda rules, step, cause: rules.remove_from_game(step, cause),
    cards.Equip: lambda rules, step, cause: rules.equip_card(step, cause),
    cards.Expire: lambda rules, step, cause: rules.expire_cards(step, cause),
    cards.SetSecondary: lambda rules, step, cause: rules.set_secondary(step, cause),
    cards.ExtraTier: lambda rules, step, cause: rules.extra_tier(step, cause),
    cards.DeclareEffect: lambda rules, step, cause: rules.declare_effect(step, cause),
    cards.ChooseOne: lambda rules, step, cause: rules.choose_one(step, cause),
}
"""What carries out each operation; called on the rules, so that a later chapter may have it."""


def _in_words(chosen: Offered, raw: Mapping[str, Json]) -> str:
    """An operation as it was declared, with all that was said: "damage (all others, 3)"."""
    labels = {**_WHOSE_VESSEL, **_IN_ATTACK, **_DURATIONS}
    told: list[str] = []
    for name in chosen.asks:
        value = raw[name]
        word = str(abs(value)) if isinstance(value, int) else str(value).replace("_", " ")
        is_label = name in ("vessel", "player", "duration")
        told.append(labels.get(str(value), word).lower() if is_label else word)
    said = chosen.label[:1].lower() + chosen.label[1:]
    return f"{said} ({', '.join(told)})" if told else said
