"""Cards that the catalogue lacks: their effect is declared at the table.

What was declared under a title is remembered: the next such card is carried out by itself, and a
table's own file may keep it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.games.starship_edition.cards import Card
from companion.games.starship_edition.effects import Effects
from companion.games.starship_edition.game import Cause
from companion.games.starship_edition.operations import KINDS, DeclareEffect
from companion.question import Option
from companion.ruling import Cite
from companion.wording import counted

if TYPE_CHECKING:
    from companion.offers import Json
    from companion.ruling import Seat

_DECLARED = Cite.of("SE-ACT-04, SE-R12, RULING 12")
NOTHING_MORE, KEEP = "nothing more", "keep"
"""How a declaration ends: the card is known in this match, or in the table's catalogue as well."""
MOST, MOST_TAUGHT, LONGEST_TITLE = 20, 999, 40
"""Larger numbers are typed into the catalogue."""
NOT_PRINTED = "not said"


class Offered(NamedTuple):
    """An operation that the table may declare: its name in files, its label, what is asked."""

    op: str
    label: str
    asks: tuple[str, ...] = ()
    sign: int = 1


DECLARABLE: Mapping[str, Offered] = {
    "move": Offered("move", "Move a vessel", ("vessel", "max")),
    "move by mobility": Offered("move", "Move by its mobility", ("vessel",)),
    "rotate": Offered("rotate", "Turn a vessel", ("vessel",)),
    "attack": Offered("attack", "Attack of a power", ("power",)),
    "own attack": Offered("attack", "Attack by own power"),
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
}
"""Every operation by the words that the table declares it with."""

_OF_ATTACKS = ("reduce", "miss", "nullify")
_WHOSE: Mapping[str, str] = {
    "this": "The own vessel", "one": "One other", "others": "All others", "all": "All vessels",
}  # fmt: skip
_IN_ATTACK: Mapping[str, str] = {"attacker": "The attacker", "target": "The target"}
_DURATIONS: Mapping[str, str] = {
    "turn": "This turn", "tier": "This tier", "while_equipped": "While equipped",
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
        """Declare what a card does, carry it out, and remember it by its title."""
        self.tell(cause.seat, f"plays {cause.title}: its effect is declared.", _DECLARED,
                  "declared card")  # fmt: skip
        kind = await self._type(cause.seat)
        steps, keeps = await self.declare(cause, may_keep=True)
        if title or keeps:
            self.teach(title or self._name_for(steps), kind, steps, cause.window, keeps=keeps)

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
                raw = await self._declare_one(DECLARABLE[said], cause)
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

    async def _declare_one(self, chosen: Offered, cause: Cause) -> dict[str, Json]:
        """An operation with its numbers, empty if it was not confirmed."""
        raw: dict[str, Json] = {"op": chosen.op}
        for name in chosen.asks:
            raw[name] = await self._parameter(name, chosen, cause)
        return raw if await self._is_sure(cause.seat, raw) else {}

    def _offered(self, cause: Cause) -> Sequence[tuple[str, Offered]]:
        return [
            (name, one)
            for name, one in DECLARABLE.items()
            if (one.op not in _OF_ATTACKS or cause.attack is not None)
            and (one.op != "counter" or self.table.file.counters)
        ]

    async def _parameter(self, name: str, chosen: Offered, cause: Cause) -> Json:
        """What an operation needs to be told."""
        seat = cause.seat
        if name in ("amount", "number", "max", "power"):
            low = 0 if name in ("max", "power") else 1
            what = f"{chosen.label.lower()}: how many?"
            return chosen.sign * await self.ask.number(
                f"how-{name}", seat, low, MOST, _DECLARED, what
            )
        words = {
            "stat": {stat: stat.replace("_", " ").capitalize() for stat in self.table.file.stats},
            "name": {kind: kind.capitalize() for kind in self.table.file.counters},
            "duration": _DURATIONS,
        }.get(name) or {**_WHOSE, **(_IN_ATTACK if cause.attack is not None else {})}
        offered = [Option(word, word, label, group=chosen.label) for word, label in words.items()]
        what = f"{chosen.label.lower()}: {_ASKED[name]}?"
        return await self.ask.one_of(f"how-{name}", seat, offered, _DECLARED, what, f"{name}?")

    async def _is_sure(self, seat: Seat, raw: Mapping[str, Json]) -> bool:
        words = ", ".join(f"{name} {value}" for name, value in raw.items() if name != "op")
        said = f"{str(raw['op']).replace('_', ' ')} {words}".strip()
        prompt = f"{self.who(seat)} declares: {said}. Carry it out?"
        keys = ("Carry it out", "Drop it")
        sure = await self.ask.yes_no("sure", seat, _DECLARED, prompt, "carry it out?", keys)
        text = f"declares: {said}." if sure else f"drops what was declared: {said}."
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

    def teach(
        self, title: str, kind: str, steps: Sequence[Mapping[str, Json]], window: str, *,
        keeps: bool,
    ) -> None:  # fmt: skip
        """Remember a declared card, as a catalogue would have it: where it may be played, too."""
        effects: list[Json] = [dict(step) for step in steps]
        raw: dict[str, Any] = {"title": title, "type": kind, "effects": effects}
        if window != "tier":
            raw |= {"form": "jump" if window == "prep" else "star", "windows": [window]}
        Card.model_validate(raw)
        self.position.taught[title] = raw
        text = f"{title} is listed now with {counted(len(steps), 'declared effect')}"
        if keeps:
            self.position.kept.append(title)
            text += ", and is one of the table's own cards"
        self.rule(f"{text}.", _DECLARED, headline="card is kept" if keeps else "card is listed")
