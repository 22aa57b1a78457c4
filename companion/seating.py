"""Seats round a table: who comes after whom, and which of a box's seats a match has."""

from __future__ import annotations

import unicodedata
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.rulebook import Rulebook
    from companion.ruling import Seat

LONGEST_NAME = 24
"""Letters of a player's name: as many as the app's own keyboard takes and every screen shows."""

_NO_LETTERS = {
    **dict.fromkeys(("Cc", "Zl", "Zp"), "a line break or a control code"),
    "Cf": "an invisible character that changes how others are shown",
}
"""Unicode's categories of what no screen shows as a letter."""

RulesT = TypeVar("RulesT", bound="Rulebook[Any]")


def name_fault(name: str) -> str:
    """Why this is no name that a screen can show; empty if it is one.

    >>> name_fault("Ana")
    ''
    >>> name_fault(f"An{chr(0x202E)}a").partition(" has ")[2]
    'an invisible character that changes how others are shown in it'
    """
    if len(name) > LONGEST_NAME:
        return f"a name has at most {LONGEST_NAME} letters"
    kinds = (_NO_LETTERS.get(unicodedata.category(letter)) for letter in name)
    kind = next(filter(None, kinds), None)
    return f"{name!r} has {kind} in it" if kind is not None else ""


def clockwise_from(first: Seat, seats: Sequence[Seat]) -> list[Seat]:
    """These seats round the table, beginning at one of them; ValueError if it is none of them.

    >>> clockwise_from("C", ["A", "B", "C", "D"])
    ['C', 'D', 'A', 'B']
    """
    at = list(seats).index(first)
    return [*seats[at:], *seats[:at]]


def with_first_seats(rules: type[RulesT], players: int) -> type[RulesT]:
    """The same rules for a match of so many players, who take the first seats.

    For boxes in which each player is a side of their own; the rules themselves where all play.
    """
    return rules if players >= len(rules.seats) else cast("type[RulesT]", _few(rules, players))


@cache
def _few(rules: type[Rulebook[Any]], players: int) -> type[Rulebook[Any]]:
    taken = tuple(rules.seats)[:players]
    body: dict[str, Any] = {
        "seats": {seat: rules.seats[seat] for seat in taken},
        "sides": taken,
        "__doc__": rules.__doc__,
        "__module__": rules.__module__,
    }
    return cast("type[Rulebook[Any]]", type(rules.__name__, (rules,), body))
