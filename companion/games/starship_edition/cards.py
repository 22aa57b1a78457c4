"""Cards, vessel abilities, counters, vessels: the entries of a table's catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Literal, get_args

from pydantic import BeforeValidator, Field

from companion.games.starship_edition.operations import (
    MOST,
    Duration,
    Equip,
    Number,
    OneOrMore,
    Operation,
    Part,
    Step,
    Word,
)

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


class Payment(Part):
    """One price: energy, hull, counters of a name, or cards from the hand or the discard pile."""

    pay: Literal["energy", "hull", "counter", "hand", "discard"]
    amount: OneOrMore = 1
    name: Word | None = None


class Filter(Part):
    """Which other card is meant; what is left out may be anything."""

    type: Word | None = None
    form: Form | None = None
    id: Word | None = None


def _none_for_false(raw: object) -> object:
    """`false` is how a file says that nothing is permitted."""
    return None if raw is False else raw


Permit = Annotated[Filter | None, BeforeValidator(_none_for_false)]


class Card(Part):
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


class Ability(Part):
    """An elective ability of a vessel."""

    title: Title
    cost: list[Payment] = Field(default_factory=list[Payment])
    when: Moment = "step1"
    effects: Annotated[list[Operation], Field(min_length=1)]
    permits_secondary: Permit = None
    once_a_turn: bool = True
    duration: Duration = "turn"
    text_note: Annotated[str, Field(max_length=400)] = ""


class CounterKind(Part):
    """A kind of counters: who holds them, and what so many of them bring about."""

    holder: Literal["vessel", "card"] = "vessel"
    threshold: OneOrMore | None = None
    at: Literal["at_once", "end_of_turn"] = "end_of_turn"
    destroys: bool = False
    effects: list[Operation] = Field(default_factory=list[Operation])


class VesselKind(Part):
    """A ship card."""

    title: Title = "Vessel"
    attack: Number
    range: Number
    mobility: Number
    hull: Annotated[int, Field(ge=1, le=MOST)]
    energy: Number
    abilities: list[Word] = Field(default_factory=list[Word])


def every(steps: Sequence[Step], place: str = "") -> Iterator[tuple[str, Step]]:
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
