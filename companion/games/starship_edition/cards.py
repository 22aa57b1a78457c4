"""The entries of a table's catalogue: operations, cards, abilities, counters, vessels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

# Operations, of which the effects of cards are composed.

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


class FilePart(BaseModel):
    """A piece of a file: nothing unknown in it, nothing of another kind."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, populate_by_name=True)


class BaseOperation(FilePart):
    """What all operations share: whether it is the player's choice, and under what condition."""

    optional: bool = False
    condition: Annotated[str, Field(max_length=200)] = ""


class MoveVessel(BaseOperation):
    """A vessel moves up to so many spaces."""

    op: Literal["move"]
    vessel: Whose = "this"
    max: Number | Literal["mobility"] = "mobility"
    min: Number = 0


class Rotate(BaseOperation):
    """A vessel turns: by so many headings clockwise, or to any."""

    op: Literal["rotate"]
    vessel: Whose = "this"
    steps: Signed | Literal["free"] = "free"


class Attack(BaseOperation):
    """A vessel attacks: one that it names, whoever attacks it, or every other within range."""

    op: Literal["attack"]
    power: Number | Literal["attack"] = "attack"
    range: Number | Literal["range"] = "range"
    at: Literal["one", "attacker", "others"] = "one"
    kind: Literal["", "projectile", "energy"] = ""
    ignores: list[Literal["los", "obstruction", "range"]] = Field(
        default_factory=list[Literal["los", "obstruction", "range"]]
    )


class Damage(BaseOperation):
    """Hull is lost without an attack."""

    op: Literal["damage"]
    vessel: Whose = "one"
    amount: OneOrMore


class Reduce(BaseOperation):
    """The attack under way does less damage."""

    op: Literal["reduce"]
    amount: OneOrMore


class Miss(BaseOperation):
    """The attack under way misses."""

    op: Literal["miss"]


class Nullify(BaseOperation):
    """The attack under way comes to nothing."""

    op: Literal["nullify"]


class Repair(BaseOperation):
    """Hull is mended."""

    op: Literal["repair"]
    vessel: Whose = "this"
    amount: OneOrMore


class Energy(BaseOperation):
    """Energy is gained or lost."""

    op: Literal["energy"]
    vessel: Whose = "this"
    amount: Signed


class LayCounters(BaseOperation):
    """Counters of a kind are laid or taken away."""

    op: Literal["counter"]
    name: Word
    vessel: Whose = "this"
    amount: Signed


class Modify(BaseOperation):
    """A quantity of a vessel changes for a while; without `duration` for as long as the card's."""

    op: Literal["modify"]
    stat: Word
    amount: Signed
    vessel: Whose = "this"
    duration: Duration | None = None


class Draw(BaseOperation):
    """Cards from the own deck into the hand."""

    op: Literal["draw"]
    player: Whose = "this"
    number: OneOrMore = 1


class Discard(BaseOperation):
    """Cards from hand or deck to the discard pile."""

    op: Literal["discard"]
    player: Whose = "this"
    number: OneOrMore = 1
    source: Annotated[Literal["hand", "deck"], Field(alias="from")] = "hand"


class ReturnToHand(BaseOperation):
    """Cards from the discard pile or from the vessel back to the hand."""

    op: Literal["return_to_hand"]
    player: Whose = "this"
    number: OneOrMore = 1
    source: Annotated[Literal["discard", "gear"], Field(alias="from")] = "discard"


class RemoveFromGame(BaseOperation):
    """Cards leave the game."""

    op: Literal["remove_from_game"]
    player: Whose = "this"
    number: OneOrMore = 1
    source: Annotated[Literal["hand", "deck", "discard", "gear"], Field(alias="from")] = "hand"


class Equip(BaseOperation):
    """The card stays on the vessel."""

    op: Literal["equip"]


class Expire(BaseOperation):
    """Equipped cards of a vessel go to their owner's discard pile."""

    op: Literal["expire"]
    vessel: Whose = "this"
    number: OneOrMore = 1


class SetSecondary(BaseOperation):
    """A card from the hand is laid behind the first one of an own tier."""

    op: Literal["set_secondary"]


class ExtraTier(BaseOperation):
    """One more tier action this turn, or several."""

    op: Literal["extra_tier"]
    player: Whose = "this"
    number: Annotated[int, Field(ge=1, le=6)] = 1


class DeclareEffect(BaseOperation):
    """The table says what happens."""

    op: Literal["declare"]
    text: Annotated[str, Field(min_length=1, max_length=200)]


class ChooseOne(BaseOperation):
    """One of several operations, as the acting player likes."""

    op: Literal["choose"]
    of: Annotated[list[Operation], Field(min_length=2, max_length=9)]


Operation = Annotated[
    MoveVessel | Rotate | Attack | Damage | Reduce | Miss | Nullify | Repair | Energy | LayCounters
    | Modify | Draw | Discard | ReturnToHand | RemoveFromGame | Equip | Expire | SetSecondary
    | ExtraTier | DeclareEffect | ChooseOne,
    Field(discriminator="op"),
]  # fmt: skip

ChooseOne.model_rebuild()

KINDS: Mapping[str, type[BaseOperation]] = {
    "move": MoveVessel, "rotate": Rotate, "attack": Attack, "damage": Damage, "reduce": Reduce,
    "miss": Miss, "nullify": Nullify, "repair": Repair, "energy": Energy, "counter": LayCounters,
    "modify": Modify, "draw": Draw, "discard": Discard, "return_to_hand": ReturnToHand,
    "remove_from_game": RemoveFromGame, "equip": Equip, "expire": Expire,
    "set_secondary": SetSecondary, "extra_tier": ExtraTier, "declare": DeclareEffect,
    "choose": ChooseOne,
}  # fmt: skip
"""Each operation by its name in files."""


# Cards, abilities, counters, vessels.

Window = Literal[
    "tier", "prep", "step1", "attacker_modifier", "response_target", "response_other",
    "discard_phase", "end_of_turn", "any",
]  # fmt: skip
Moment = Literal[
    "preparation", "step1", "tier_1", "tier_2", "tier_3", "discard_phase", "end_of_turn",
]  # fmt: skip
"""When an ability is carried out: at once, in step 1, as a tier begins, or at the turn's end."""
Form = Literal["normal", "gear", "star", "jump"]
Title = Annotated[str, Field(min_length=1, max_length=40)]

USUAL_WINDOWS: Mapping[str, tuple[str, ...]] = {
    "normal": ("tier",), "gear": ("tier",), "jump": ("prep",), "star": ("any",),
}  # fmt: skip
"""Where a card may be used that does not say it, by its form."""
ATTACK_WINDOWS = ("attacker_modifier", "response_target", "response_other")
"""Moments at which an attack is under way."""
FORM_WINDOWS: Mapping[str, tuple[str, ...]] = {
    "normal": ("tier", "any"), "gear": ("tier", "any"), "jump": ("prep", "any"),
    "star": tuple(window for window in get_args(Window) if window != "tier"),
}  # fmt: skip
"""Where a card of each form can be used at all; `any` is all of them."""


UNKNOWN = "unknown"
"""In a deck, and where a card is named: one that the catalogue does not have."""
RESERVED: Mapping[str, str] = {
    UNKNOWN: "stands for cards that the catalogue lacks",
    "done": "is how a player says that no more cards are played",
    "?": "stands for a card that nobody has named",
}
"""What no card may be called, and what it means instead."""


class Payment(FilePart):
    """One price: energy, hull, counters of a name, or cards from the hand or the discard pile."""

    pay: Literal["energy", "hull", "counter", "hand", "discard"]
    amount: OneOrMore = 1
    name: Word | None = None


class Filter(FilePart):
    """Which other card is meant; what is left out may be anything."""

    type: Word | None = None
    form: Form | None = None
    id: Word | None = None


def _none_for_false(raw: object) -> object:
    """`false` is how a file says that nothing is permitted."""
    return None if raw is False else raw


Permit = Annotated[Filter | None, BeforeValidator(_none_for_false)]


class Card(FilePart):
    """A card as a table has typed it in."""

    title: Title
    type: Word
    form: Form = "normal"
    windows: list[Window] = Field(default_factory=list[Window])
    cost: list[Payment] = Field(default_factory=list[Payment])
    permits_secondary: Permit = None
    grants_extra_tier: Annotated[int, Field(ge=0, le=6)] = 0
    effects: list[Operation] = Field(default_factory=list[Operation])
    upkeep: list[Payment] = Field(default_factory=list[Payment])
    discard_bonus: list[Operation] = Field(default_factory=list[Operation])
    duration: Duration = "instant"
    unique_on_vessel: bool = True
    text_note: Annotated[str, Field(max_length=400)] = ""

    def used_in(self, window: str) -> bool:
        """Whether it may be used at that moment."""
        windows = self.windows or USUAL_WINDOWS[self.form]
        return window in windows or "any" in windows

    @property
    def used_at(self) -> list[str]:
        """All moments at which it may be used, `any` spelt out."""
        return [one for one in FORM_WINDOWS[self.form] if one != "any" and self.used_in(one)]

    @property
    def is_set(self) -> bool:
        """Whether it is laid face down into a tier."""
        return self.used_in("tier") and self.form in ("normal", "gear")

    @property
    def is_equipped(self) -> bool:
        """Whether it ever stays on a vessel."""
        return self.form == "gear" or any(isinstance(one, Equip) for _, one in every(self.effects))


class Ability(FilePart):
    """An elective ability of a vessel."""

    title: Title
    cost: list[Payment] = Field(default_factory=list[Payment])
    when: Moment = "step1"
    effects: Annotated[list[Operation], Field(min_length=1)]
    permits_secondary: Permit = None
    once_a_turn: bool = True
    duration: Duration = "turn"
    text_note: Annotated[str, Field(max_length=400)] = ""


class CounterKind(FilePart):
    """A kind of counters: who holds them, and what so many of them bring about."""

    holder: Literal["vessel", "card"] = "vessel"
    threshold: OneOrMore | None = None
    at: Literal["at_once", "end_of_turn"] = "end_of_turn"
    destroys: bool = False
    effects: list[Operation] = Field(default_factory=list[Operation])


UNTITLED = "Vessel"
"""What a ship without a title of its own is called."""


class VesselKind(FilePart):
    """A ship card."""

    title: Title = UNTITLED
    attack: Number
    range: Number
    mobility: Number
    hull: Annotated[int, Field(ge=1, le=MOST)]
    energy: Number
    abilities: list[Word] = Field(default_factory=list[Word])


def every(steps: Sequence[BaseOperation], place: str = "") -> Iterator[tuple[str, BaseOperation]]:
    """Every operation with its place ("1.of.0"), those among which one is chosen included."""
    for number, step in enumerate(steps):
        here = f"{place}{number}"
        yield here, step
        yield from every(getattr(step, "of", ()), f"{here}.of.")


def permits(permit: Filter | None, card_id: str, card: Card | None) -> bool:
    """Whether a card that lets another be set behind it lets this one.

    >>> shot = Card(title="Shot", type="ATTACK")
    >>> permits(Filter(type="ATTACK"), "S", shot), permits(None, "S", shot)
    (True, False)
    """
    if permit is None:
        return False
    if permit.id is not None and permit.id != card_id:
        return False
    if card is None:
        return permit.type is None and permit.form is None
    return permit.type in (None, card.type) and permit.form in (None, card.form)
