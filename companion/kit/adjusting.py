"""Adjustments for any box: what an arbiter sets, by name and kind, and what it changed in words.

A box lists the names and how each is set; names are read as people type them, values by their kind.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from companion.core.errors import BadCall
from companion.core.ruling import TABLE, Seat
from companion.core.text import inside, listed

if TYPE_CHECKING:
    from companion.core.ruling import Fact, Json
    from companion.match.rulebook import Rulebook


T = TypeVar("T")
Setter = Callable[[str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""


class HasHouse(Protocol):
    """A position that knows the house rules of its match."""

    house: Mapping[str, Json]


class UnknownName(BadCall):
    """Nothing is called so: the names that are near, else the first of that player or of all.

    Where play is has no name to be set by; its ways are told.

    >>> print(UnknownName("hand", ("turn", "A.hand", "B.hand")))
    nothing is called 'hand'; near it are A.hand and B.hand
    >>> print(UnknownName("moon", ("turn", "A.hand"), {"A": "Ana"}))
    nothing is called 'moon'; there are turn and Ana.hand
    >>> print(UnknownName("A.moon", ("turn", "A.hand", "A.deck", "B.hand"), {"A": "Ana"}))
    nothing is called 'Ana.moon'; there are Ana.hand and Ana.deck
    """

    def __init__(
        self,
        name: str,
        there: Sequence[str],
        people: Mapping[str, str] | None = None,
        cite: str = "",
    ) -> None:
        self.name, self.there, self.cite = name, there, cite
        by_code = people or {}
        near = [_of_person(one, by_code) for one in _near(name, there)]
        whose, dot, _ = name.partition(".")
        theirs = [one for one in there if dot and one.startswith(f"{whose}.")]
        known = [_of_person(one, by_code) for one in theirs or there]
        more = [f"{len(known) - _FEW} more"] if len(known) > _FEW else []
        told = f"near it are {listed(near)}" if len(near) > 1 else f"near it is {listed(near)}"
        if not near:
            told = f"there are {listed([*known[:_FEW], *more])}"
        said = f"nothing is called {_of_person(name, by_code)!r}; {told}"
        super().__init__(f"{name}: {_WAYS_THERE}{cite}" if name in _WHERE_PLAY_IS else said + cite)

    def called(self, people: Mapping[str, str]) -> UnknownName:
        """The same with people's names, by the codes of their seats."""
        return UnknownName(self.name, self.there, people, self.cite)


_FEW = 8
"""The most names that are offered."""

_WHERE_PLAY_IS = ("phase", "stage", "step")
_WAYS_THERE = (
    "where play is cannot be set, for the rules ask on from where they are; an undo goes back, "
    "and a restart begins anew from a position"
)


def _near(name: str, there: Sequence[str]) -> list[str]:
    """Names that end so, then those that have a part of it, then those that look like it."""
    wanted = _plainly(name)
    whose, _, quantity = wanted.rpartition(".")
    plain = {one: _plainly(one) for one in there}
    ends = [one for one, said in plain.items() if said.rpartition(".")[2] == quantity]
    parts = [one for one, said in plain.items() if quantity and quantity in said]
    alike = get_close_matches(wanted, plain.values(), _FEW, 0.7)
    near = [*ends, *parts, *(one for one, said in plain.items() if said in alike)]
    own = [one for one in near if whose and plain[one].startswith(f"{whose}.")]
    return list(dict.fromkeys((*own, *near)))[:_FEW]


def _of_person(name: str, people: Mapping[str, str]) -> str:
    whose, dot, quantity = name.partition(".")
    return f"{people.get(whose, whose)}{dot}{quantity}"


@contextmanager
def citing(cite: str) -> Generator[None]:
    """A refusal that names no paragraph gets this one.

    >>> with citing("RULING 17"):
    ...     raise BadCall("hand: -1 is not a whole number from 0 to 200")
    Traceback (most recent call last):
    ...
    companion.core.errors.BadCall: hand: -1 is not a whole number from 0 to 200 [RULING 17]
    """
    try:
        yield
    except UnknownName as unknown:
        unknown.cite = unknown.cite or f" [{cite}]"
        raise unknown.called({}) from unknown
    except BadCall as wrong:
        raise BadCall(str(wrong) if str(wrong).endswith("]") else f"{wrong} [{cite}]") from wrong


def set_all(position: HasHouse, setters: Mapping[str, Setter], changes: Mapping[str, Json]) -> None:
    """Set all these quantities; BadCall names one that is unknown or of another kind.

    Meant for a position that is thrown away when one is refused, as `Match` does, which judges it
    then.
    """
    by_plain = {_plainly(name): name for name in setters}
    meant: list[tuple[str, Json]] = []
    for name, value in changes.items():
        known = by_plain.get(_plainly(name))
        if known in dict(meant):
            raise BadCall(f"{known} is given twice; give it once")
        if known is None:
            raise UnknownName(name, (*setters, *(f"option.{rule}" for rule in position.house)))
        meant.append((known, value))
    for name, value in meant:
        setters[name](name, value)


@lru_cache(maxsize=2048)
def _plainly(name: str) -> str:
    return " ".join(name.lower().replace("_", " ").split()).removeprefix("the ")


def whole_number(name: str, raw: Json, low: int, most: int) -> int:
    """A number within its limits; BadCall names them."""
    if isinstance(raw, bool) or not isinstance(raw, int) or not low <= raw <= most:
        raise BadCall(f"{name}: {raw!r} is not a whole number from {low} to {most}")
    return raw


def flag(name: str, raw: Json) -> bool:
    """True or false; BadCall otherwise."""
    if not isinstance(raw, bool):
        raise BadCall(f"{name}: {raw!r} is neither true nor false")
    return raw


def named(name: str, raw: Json, read: Callable[[object], T]) -> T:
    """What a reader of names makes of it; BadCall with its words."""
    try:
        return read(raw)
    except ValueError as wrong:
        raise BadCall(f"{name}: {wrong}") from wrong


# -- what an adjustment changed ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Changed:
    """One quantity, place or option before an adjustment and after it, in words.

    >>> str(Changed("A.hull", "Ana: hull", "3", "5"))
    'Ana: hull 5, was 3'
    """

    name: str
    label: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.label} {self.now}, was {self.was}"


def changed_facts(
    stood: Sequence[Fact], rulebook: Rulebook[Any], named: Collection[str]
) -> tuple[Changed, ...]:
    """Facts that are different now, also those that follow from others; hidden ones if named."""
    before, asked = {fact.name: fact for fact in stood}, {_plainly(name) for name in named}
    after = {fact.name: fact for fact in rulebook.position.facts()}
    told: list[Changed] = []
    for name, fact in {**before, **after}.items():
        was, now = before.get(name), after.get(name)
        shown = fact.public or _plainly(name) in asked
        if shown and (was is None or now is None or was.value != now.value):
            told.append(
                Changed(
                    name, label_of(fact, rulebook), words_of(was, rulebook), words_of(now, rulebook)
                )
            )
    return tuple(told)


def changed_options(was: Mapping[str, Json], now: Mapping[str, Json]) -> tuple[Changed, ...]:
    """House rules that are different now."""
    return tuple(
        Changed(
            f"option.{name}", *(_value(one).replace("_", " ") for one in (name, was[name], value))
        )
        for name, value in now.items()
        if was[name] != value
    )


def label_of(fact: Fact, rulebook: Rulebook[Any]) -> str:
    """A quantity, and whose it is: "Ana: hull"."""
    if fact.seat == TABLE:
        return fact.label
    whose = rulebook.who(fact.seat) if fact.seat in rulebook.named else str(fact.seat)
    return f"{whose}: {inside(fact.label)}"


def words_of(fact: Fact | None, rulebook: Rulebook[Any]) -> str:
    """A value as people read it."""
    if fact is None:
        return "nothing"
    if fact.words:
        return fact.words
    seated = isinstance(fact.value, str) and Seat(fact.value) in rulebook.named
    return rulebook.who(Seat(str(fact.value))) if seated else _value(fact.value)


def _value(value: Json) -> str:
    """A plain value in words.

    >>> _value(True), _value(""), _value(["Ana", 3]), _value({"heat": 2})
    ('yes', 'nothing', 'Ana, 3', 'heat 2')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(_value, value)) or "nothing"
    if isinstance(value, dict):
        return ", ".join(f"{name} {_value(one)}" for name, one in value.items()) or "nothing"
    return "nothing" if value in ("", None) else str(value)
