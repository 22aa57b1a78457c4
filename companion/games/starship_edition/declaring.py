"""Cards that the catalogue lacks: their effect is declared at the table.

What was declared under a title is remembered: the next such card is carried out by itself, and a
table's own file may keep it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.question import Option
from companion.core.ruling import Cite
from companion.core.text import counted
from companion.games.starship_edition.cards import FORM_WINDOWS, Card, Payment
from companion.games.starship_edition.effects import Effects
from companion.games.starship_edition.figures import BASE_STATS
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.layout import DISCARD_PHASE, END_OF_TURN
from companion.games.starship_edition.operations import KINDS, DeclareEffect

if TYPE_CHECKING:
    from companion.core.ruling import Json, Seat

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
_WHOSE: Mapping[str, str] = {
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


class Declaring(Effects):
    """What the table says that a card does."""

    async def declare_effect(self, step: DeclareEffect, cause: Cause) -> None:
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
                      "cannot pay")  # fmt: skip
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
        return self._asks_all and self.position.stage in (DISCARD_PHASE, END_OF_TURN)

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
                return {**_WHOSE, **(_IN_ATTACK if cause.attack is not None else {})}

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
            self.position.kept.append(title)
            text += ", and is one of the table's own cards"
        self.rule(f"{text}.", _DECLARED, headline="card is kept" if keeps else "card is listed")


def _in_words(chosen: Offered, raw: Mapping[str, Json]) -> str:
    """An operation as it was declared, with all that was said: "damage (all others, 3)"."""
    labels = {**_WHOSE, **_IN_ATTACK, **_DURATIONS}
    told: list[str] = []
    for name in chosen.asks:
        value = raw[name]
        word = str(abs(value)) if isinstance(value, int) else str(value).replace("_", " ")
        is_label = name in ("vessel", "player", "duration")
        told.append(labels.get(str(value), word).lower() if is_label else word)
    said = chosen.label[:1].lower() + chosen.label[1:]
    return f"{said} ({', '.join(told)})" if told else said
