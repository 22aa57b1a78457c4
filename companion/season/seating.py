"""Who sat at which side of a match, and by what else it is counted.

A match is counted by its players, seats, sides, mode, house rules and box, and by what each seat
flew. A `CountedAt` is one of these: whatever happened in a match is counted at all places that it
belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.errors import BadCall
from companion.core.files import written
from companion.games import find_rulebook

if TYPE_CHECKING:
    from companion.core.ruling import Seat
    from companion.match.rulebook import Rulebook
    from companion.record.listing import PlayedMatch


class CountedBy(StrEnum):
    """What a row of the statistics is about."""

    PLAYER = "player"
    SEAT = "seat"
    SIDE = "side"
    MODE = "mode"
    RULE = "rule"
    BOX = "box"
    FIGHTER = "fighter"
    PILOT = "pilot"
    DECK = "deck"
    CARD = "card"


ALL_KINDS = tuple(CountedBy)

FLOWN = (CountedBy.FIGHTER, CountedBy.PILOT, CountedBy.DECK)
"""What a box may say that a seat flew, by `Rulebook.flown_by`."""


class CountedAt(NamedTuple):
    """By which matches are counted together."""

    by: CountedBy
    name: str


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sat where in one match, by names as they were typed, and how it ended.

    `sides` are those for which somebody plays, `people` the name at each seat that has one, `flown`
    what a seat flew by what that is.
    """

    box: str
    mode: str
    rules: tuple[str, ...]
    sides: tuple[str, ...]
    side_of: Mapping[str, str]
    people: Mapping[str, str]
    winners: tuple[str, ...]
    flown: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])

    @classmethod
    def of(cls, match: PlayedMatch) -> Seating:
        """What the list of matches tells; of a box that is not here any more just its seats."""
        mode = "+".join(match.variants)
        rules = tuple(f"{rule}={value}" for rule, value in match.options.items())
        book = _rules_of(match.box, match.variants, written({**match.options}))
        if book is None:
            side_of = {str(seat): str(seat) for seat in match.seats}
            return cls(match.box, mode, rules, tuple(side_of), side_of, {}, match.winners)
        seats = match.seats or dict.fromkeys(book.seats, "")
        side_of = {
            str(seat): str(book.side_of.get(seat, seat)) for seat in seats if seat in book.seats
        }
        named = {str(seat): book.person(text) for seat, text in match.seats.items()}
        people = {seat: name for seat, name in named.items() if name and seat in side_of}
        sides = tuple(str(side) for side in book.sides if not _is_away(side, book, side_of))
        return cls(match.box, mode, rules, sides, side_of, people, match.winners)

    def places(self, seat: str) -> Iterator[CountedAt]:
        """All by which what happened at a seat is counted; what a table does counts at each."""
        side = self.side_of.get(seat, seat)
        yield CountedAt(CountedBy.SEAT, seat)
        if seat in self.people:
            yield CountedAt(CountedBy.PLAYER, self.people[seat])
        for kind, name in self.flown.get(seat, {}).items():
            if kind in FLOWN and name:
                yield CountedAt(CountedBy(kind), name)
        yield from self.places_of_side(side)

    def places_of_side(self, side: str) -> Iterator[CountedAt]:
        """All by which what a side did together is counted."""
        yield CountedAt(CountedBy.SIDE, side)
        yield CountedAt(CountedBy.MODE, f"{self.mode}: {side}")
        yield from (CountedAt(CountedBy.RULE, f"{rule}: {side}") for rule in self.rules)
        yield CountedAt(CountedBy.BOX, self.box)

    def everywhere(self) -> frozenset[CountedAt]:
        """All by which this match is counted."""
        seats = (place for seat in self.side_of for place in self.places(seat))
        sides = (place for side in self.sides for place in self.places_of_side(side))
        return frozenset((*seats, *sides, CountedAt(CountedBy.BOX, self.box)))

    def results(self) -> Mapping[CountedAt, tuple[int, int]]:
        """At each place how many sides took part there, and how many of these won.

        Where a player, a seat or the box itself is counted it is one match, won or not.
        """
        sides: dict[CountedAt, set[str]] = {}
        for seat, side in self.side_of.items():
            for place in self.places(seat):
                sides.setdefault(place, set()).add(side)
        for side in self.sides:
            for place in self.places_of_side(side):
                sides.setdefault(place, set()).add(side)
        told: dict[CountedAt, tuple[int, int]] = {}
        for place, there in sides.items():
            won = len(there & {*self.winners})
            several = place.by in FLOWN
            told[place] = (len(there), won) if several else (1, min(1, won))
        told[CountedAt(CountedBy.BOX, self.box)] = (1, int(bool(self.winners)))
        return told


def _is_away(side: Seat, rules: type[Rulebook[Any]], side_of: Mapping[str, str]) -> bool:
    """Whether nobody played at a side that is a seat by itself, as in a game of two of four."""
    return side in rules.seats and str(side) not in side_of.values()


@lru_cache(maxsize=256)
def _rules_of(box: str, variants: tuple[str, ...], options: str) -> type[Rulebook[Any]] | None:
    """The rules of a mode with its house rules (JSON); None where this program has none such."""
    import json

    try:
        return find_rulebook(box).in_variants(variants).seated(json.loads(options))
    except BadCall:
        return None
