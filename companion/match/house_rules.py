"""House rules: the switches of a box, and which of its rulings each of them turns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

from companion.core.errors import BadCall
from companion.core.ruling import Cite

if TYPE_CHECKING:
    from companion.core.ruling import Json


@dataclass(frozen=True, slots=True)
class Switch:
    """A house rule: its values (the first is the default), what it does, which ruling it turns.

    `free` takes values beyond those listed, as the custom timer does; it returns the value to
    keep or None if refused. `besides` says in words which those are ("a number from 1 to 3600").
    `refused` says why others are refused, with the code, where the box has words for it ("3 to 6
    play [HX-E-PLAYERS, HX-SET-07]").
    """

    name: str
    values: tuple[Json, ...]
    text: str
    cite: Cite
    free: Callable[[Json], Json] | None = None
    besides: str = ""
    refused: str = ""

    @property
    def default(self) -> Json:
        """The value that holds where nobody sets any: the first."""
        return self.values[0]

    def read(self, raw: Json) -> Json:
        """The value meant by `raw` (a string from a command line will do); BadCall otherwise."""
        for value in self.values:
            if raw == value and isinstance(raw, bool) == isinstance(value, bool):
                return value
        for value in self.values:
            if str(raw).lower() == str(value).lower():
                return value
        kept = self.free(raw) if self.free is not None else None
        if kept is None and self.refused:
            raise BadCall(f"{self.name}: {raw}; {self.refused}")
        if kept is None:
            allowed = ", ".join(str(value).lower() for value in self.values)
            allowed += f", nor {self.besides}" if self.besides else ""
            raise BadCall(f"option {self.name}: {raw!r} is none of {allowed} [{self.cite}]")
        return kept


def sight_switch(cite: Cite) -> Switch:
    """The switch of every match that has pieces to be seen; `cite` is where its book moves them."""
    text = "What the camera saw waits for a tap, or counts once settled."
    return Switch("sight", ("confirm", "accept"), text, cite)


Row = tuple[str, tuple["Json", ...], str, str]
"""A switch as a box lists it: its name, its values, its cite, what it does."""


def switches_of(
    rows: Iterable[Row],
    *more: Switch,
    sight: str = "",
    refused: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Switch]:
    """The switches of a box by name: its rows, then those that are built otherwise.

    `sight` is the cite under which pieces move, for a box that has some to be seen; `refused` says
    by name why other values are refused, where the box has words for it.

    >>> [*switches_of([("reach", (2, 3), "KT-5, RULING 1", "How far.")], sight="KT-4")]
    ['reach', 'sight']
    """
    listed_first = [
        Switch(name, values, text, Cite.of(cite), refused=refused.get(name, ""))
        for name, values, cite, text in rows
    ]
    last = [sight_switch(Cite.of(sight))] if sight else []
    return {switch.name: switch for switch in (*listed_first, *more, *last)}


# A ruling says under which of them it was given.


class HouseRules:
    """The switches of a box by the RULING that each turns.

    `plain` names those that are no other reading of the book, as the number of players.
    """

    def __init__(self, switches: Mapping[str, Switch], plain: Collection[str] = ()) -> None:
        self._turning: dict[int, list[tuple[str, Json]]] = {}
        """By ruling: the name and the default of each switch that turns it."""
        for switch in switches.values():
            for number in switch.cite.rulings if switch.name not in plain else ():
                self._turning.setdefault(number, []).append((switch.name, switch.default))

    def turned(self, house: Mapping[str, Json]) -> Mapping[int, Sequence[str]]:
        """The house rules of a match that are not as the book is read, by the ruling they turn.

        >>> from companion.core.ruling import Cite
        >>> bounty = Switch("bounty", ("must", "may"), "Take one.", Cite.of("RULING 14"))
        >>> HouseRules({"bounty": bounty}).turned({"bounty": "may"})
        {14: ['bounty may']}
        """
        turned: dict[int, list[str]] = {}
        for number, switches in self._turning.items():
            for name, default in switches:
                if (value := house.get(name, default)) != default:
                    turned.setdefault(number, []).append(f"{name} {str(value).lower()}")
        return turned


def house_words(cite: Cite, turned: Mapping[int, Sequence[str]]) -> str:
    """Under which of these house rules a ruling with this cite is given; empty where under none.

    >>> from companion.core.ruling import Cite
    >>> house_words(Cite.of("TS-323, RULING 14"), {14: ["bounty may"]})
    ' (House rule: bounty may.)'
    """
    told = [words for number in cite.rulings for words in turned.get(number, ())]
    return f" (House rule: {', '.join(dict.fromkeys(told))}.)" if told else ""
