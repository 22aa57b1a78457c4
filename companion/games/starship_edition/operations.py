"""What a card can do: the operations of which effects are composed.

These are read from files that people write, so each names what may stand in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

MOST = 99
"""No number on a card is larger; what is more was mistyped."""

Whose = Literal["this", "target", "attacker", "one", "any", "others", "all"]
"""Vessels: the one that acts, the two of the attack under way, one other or any that the acting
player names, every other, or all."""
Duration = Literal["instant", "attack", "tier", "turn", "while_equipped", "game"]
Number = Annotated[int, Field(ge=0, le=MOST)]
OneOrMore = Annotated[int, Field(ge=1, le=MOST)]
Signed = Annotated[int, Field(ge=-MOST, le=MOST)]
Word = Annotated[str, Field(min_length=1, max_length=40)]


class Part(BaseModel):
    """A piece of a file: nothing unknown in it, nothing of another kind."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class Step(Part):
    """What all operations share: whether it is the player's choice, and under what condition."""

    optional: bool = False
    condition: Annotated[str, Field(max_length=200)] = ""


class Move(Step):
    """A vessel moves up to so many spaces."""

    op: Literal["move"]
    vessel: Whose = "this"
    max: Number | Literal["mobility"] = "mobility"
    min: Number = 0


class Rotate(Step):
    """A vessel turns: by so many headings clockwise, or to any."""

    op: Literal["rotate"]
    vessel: Whose = "this"
    steps: Signed | Literal["free"] = "free"


class Attack(Step):
    """A vessel attacks: one that it names, whoever attacks it, or every other within range."""

    op: Literal["attack"]
    power: Number | Literal["attack"] = "attack"
    range: Number | Literal["range"] = "range"
    at: Literal["one", "attacker", "others"] = "one"
    kind: Literal["", "projectile", "energy"] = ""
    ignores: list[Literal["los", "obstruction", "range"]] = Field(
        default_factory=list[Literal["los", "obstruction", "range"]]
    )


class Damage(Step):
    """Hull is lost without an attack."""

    op: Literal["damage"]
    vessel: Whose = "one"
    amount: OneOrMore


class Reduce(Step):
    """The attack under way does less damage."""

    op: Literal["reduce"]
    amount: OneOrMore


class Miss(Step):
    """The attack under way misses."""

    op: Literal["miss"]


class Nullify(Step):
    """The attack under way comes to nothing."""

    op: Literal["nullify"]


class Repair(Step):
    """Hull is mended."""

    op: Literal["repair"]
    vessel: Whose = "this"
    amount: OneOrMore


class Energy(Step):
    """Energy is gained or lost."""

    op: Literal["energy"]
    vessel: Whose = "this"
    amount: Signed


class Counter(Step):
    """Counters of a kind are laid or taken away."""

    op: Literal["counter"]
    name: Word
    vessel: Whose = "this"
    amount: Signed


class Modify(Step):
    """A quantity of a vessel changes for a while; without `duration` for as long as the card's."""

    op: Literal["modify"]
    stat: Word
    amount: Signed
    vessel: Whose = "this"
    duration: Duration | None = None


class Draw(Step):
    """Cards from the own deck into the hand."""

    op: Literal["draw"]
    player: Whose = "this"
    number: OneOrMore = 1


class Discard(Step):
    """Cards from hand or deck to the discard pile."""

    op: Literal["discard"]
    player: Whose = "this"
    number: OneOrMore = 1
    source: Annotated[Literal["hand", "deck"], Field(alias="from")] = "hand"


class ReturnToHand(Step):
    """Cards from the discard pile or from the vessel back to the hand."""

    op: Literal["return_to_hand"]
    player: Whose = "this"
    number: OneOrMore = 1
    source: Annotated[Literal["discard", "gear"], Field(alias="from")] = "discard"


class RemoveFromGame(Step):
    """Cards leave the game."""

    op: Literal["remove_from_game"]
    player: Whose = "this"
    number: OneOrMore = 1
    source: Annotated[Literal["hand", "deck", "discard", "gear"], Field(alias="from")] = "hand"


class Equip(Step):
    """The card stays on the vessel."""

    op: Literal["equip"]


class Expire(Step):
    """Equipped cards of a vessel go to their owner's discard pile."""

    op: Literal["expire"]
    vessel: Whose = "this"
    number: OneOrMore = 1


class SetSecondary(Step):
    """A card from the hand is laid behind the first one of an own tier."""

    op: Literal["set_secondary"]


class ExtraTier(Step):
    """One more tier action this turn, or several."""

    op: Literal["extra_tier"]
    player: Whose = "this"
    number: Annotated[int, Field(ge=1, le=6)] = 1


class DeclareEffect(Step):
    """The table says what happens."""

    op: Literal["declare"]
    text: Annotated[str, Field(min_length=1, max_length=200)]


class ChooseOne(Step):
    """One of several operations, as the acting player likes."""

    op: Literal["choose"]
    of: Annotated[list[Operation], Field(min_length=2, max_length=9)]


Operation = Annotated[
    Move | Rotate | Attack | Damage | Reduce | Miss | Nullify | Repair | Energy | Counter | Modify
    | Draw | Discard | ReturnToHand | RemoveFromGame | Equip | Expire | SetSecondary | ExtraTier
    | DeclareEffect | ChooseOne,
    Field(discriminator="op"),
]  # fmt: skip

ChooseOne.model_rebuild()

KINDS: Mapping[str, type[Step]] = {
    "move": Move, "rotate": Rotate, "attack": Attack, "damage": Damage, "reduce": Reduce,
    "miss": Miss, "nullify": Nullify, "repair": Repair, "energy": Energy, "counter": Counter,
    "modify": Modify, "draw": Draw, "discard": Discard, "return_to_hand": ReturnToHand,
    "remove_from_game": RemoveFromGame, "equip": Equip, "expire": Expire,
    "set_secondary": SetSecondary, "extra_tier": ExtraTier, "declare": DeclareEffect,
    "choose": ChooseOne,
}  # fmt: skip
"""Each operation by its name in files."""
