"""What an arbiter may set, for any box: names as people type them, and values by their kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

from companion.errors import BadCall

if TYPE_CHECKING:
    from companion.offers import Json

T = TypeVar("T")
Setter = Callable[[str, "Json"], None]
"""Sets one quantity; its name comes along for the message."""


class HasHouse(Protocol):
    """A position that knows the house rules of its match."""

    house: Mapping[str, Json]


def set_all(position: HasHouse, setters: Mapping[str, Setter], changes: Mapping[str, Json]) -> None:
    """Set all of them; BadCall names the one that is unknown or not of its kind.

    Meant for a position that is thrown away when one is refused, as `Match` does, which judges it
    then.
    """
    by_plain = {_plain(name): name for name in setters}
    meant: list[tuple[str, Json]] = []
    for name, value in changes.items():
        known = by_plain.get(_plain(name))
        if known is None:
            there = ", ".join((*setters, *(f"option.{rule}" for rule in position.house)))
            raise BadCall(f"nothing is called {name!r}; there are {there}")
        meant.append((known, value))
    for name, value in meant:
        setters[name](name, value)


def _plain(name: str) -> str:
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
