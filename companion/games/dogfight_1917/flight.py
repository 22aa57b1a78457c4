"""Where a Maneuver may end, and what the way flown makes due.  (DF-9.1 to DF-9.8)

The camera sees where a plane ends, never the path. So an answer is an end pose; only where two
paths to it have different Conditional Effects is the way asked for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from companion.games.dogfight_1917.cards import Check, Maneuver
from companion.kit.hexes import CENTER, LEFT, RIGHT, Heading, Hex, HexMap

if TYPE_CHECKING:
    from companion.core.ruling import Json

Due = tuple[Check, ...]
"""The Conditional Effects for which a die must be rolled; empty: none."""

TURNS: Mapping[int, tuple[int, ...]] = {0: (0,), 1: (0, -1, 1), 2: (0, -2, 2)}
"""Net rotations, in sixths clockwise, of so many optional Turns, all or none.  (RULING 5)"""


_BROUGHT: Mapping[str, str] = {
    "token": "you take 1 token",
    "damage": "you take 1 damage",
    "turn": "you may Turn once",
    "again": "you may fly the card once more",
}


def turned_by(turns: int, *, same_way: bool) -> tuple[int, ...]:
    """Net rotations, in sixths clockwise, of so many Turns that must be made.  (RULING 5)

    >>> turned_by(3, same_way=False), turned_by(3, same_way=True)
    ((-1, 1, 3), (3,))
    """
    sums = (-turns, turns) if same_way else range(-turns, turns + 1, 2)
    return tuple(sorted({(turned + 2) % 6 - 2 for turned in sums}))


_SIDES = {"left": LEFT, "center": CENTER, "right": RIGHT}
_WORDS = {LEFT: "left", CENTER: "straight", RIGHT: "right"}
_TURN_WORDS = {-2: "two turns left", -1: "turn left", 1: "turn right", 2: "two turns right"}


class Way(NamedTuple):
    """One path: the Front spaces entered, then the net rotation of its Turns."""

    sides: tuple[int, ...]
    turn: int

    def __str__(self) -> str:
        words = [_WORDS[side] for side in self.sides]
        return ", ".join((*words, _TURN_WORDS[self.turn]) if self.turn else words) or "stay"


class Arrival(NamedTuple):
    """An end pose, and by what it makes due the shortest way that leads there."""

    end: Heading
    ways: Mapping[Due, Way]

    @property
    def is_plain(self) -> bool:
        """Whether all ways that lead here have the same consequence."""
        return len(self.ways) == 1

    @property
    def moves(self) -> bool:
        """Whether at least one space was advanced."""
        return any(way.sides for way in self.ways.values())


class Readings(NamedTuple):
    """How this table reads the damaged conditions.  (RULING 6, RULING 7)"""

    frontal_exact: str = "count"
    same_direction: str = "relative"

    @classmethod
    def of(cls, house: Mapping[str, Json]) -> Readings:
        """Those of a match's house rules."""
        return cls(str(house["frontal_exact"]), str(house["albatros_same_direction"]))


def arrivals(
    board: HexMap, start: Heading, card: Maneuver, occupied: Collection[Hex], readings: Readings
) -> dict[Heading, Arrival]:
    """Every legal end pose of a card flown from `start`.  (DF-9.3, DF-9.4, DF-9.6)

    `occupied` are the spaces of all other planes; a path may lead through them.
    """
    ways: dict[Heading, dict[Due, Way]] = {}
    turns = TURNS[card.turns]
    for end, sides in board.flights(start, card.fewest, card.most):
        if end.hex in occupied:
            continue
        due = due_checks(card, sides, readings)
        space, facing = end
        for turn in turns:
            found = ways.setdefault(Heading(space, (facing + turn) % 6), {})
            if due not in found:
                found[due] = Way(sides, turn)
    return {end: Arrival(end, found) for end, found in ways.items()}


def arrival_at(
    board: HexMap, start: Heading, card: Maneuver, end: Heading, readings: Readings
) -> Arrival | None:
    """What `arrivals` has of one end pose, where nobody wants the others; None if it is no end."""
    ways: dict[Due, Way] = {}
    for way, due in ways_to(board, start, card, end, readings):
        ways.setdefault(due, way)
    return Arrival(end, ways) if ways else None


def ways_to(
    board: HexMap, start: Heading, card: Maneuver, end: Heading, readings: Readings
) -> list[tuple[Way, Due]]:
    """Every way that explains an end pose, with what it makes due, the shortest first.  (DF-9.7)"""
    return [
        (Way(sides, turn), due_checks(card, sides, readings))
        for (space, facing), sides in board.flights(start, card.fewest, card.most)
        if space == end.hex
        for turn in TURNS[card.turns]
        if (facing + turn) % 6 == end.facing
    ]


def can_fly(board: HexMap, start: Heading, card: Maneuver, occupied: Collection[Hex]) -> bool:
    """Whether a card has any legal end at all.  (DF-7.2)"""
    if card.fewest == 1 and any(
        near is not None and near not in occupied for near in board.front_of(start)
    ):
        return True  # mostly so, and most often asked
    flights = board.flights(start, card.fewest, card.most)
    return any(end.hex not in occupied for end, _ in flights)


def bands(due: Due) -> list[str]:
    """What a die brings, for the dice pad: "3+ turn", "1-2 damage"."""
    return [
        f"{check.low}+ {check.effect}" if check.high == 6 else f"1-{check.high} {check.effect}"
        for check in due
    ]


def in_words(due: Due) -> str:
    """What a die brings, in sentences.

    >>> in_words((Check("right", "turn", low=3), Check("left", "damage", high=2)))
    'On 3 or more you may Turn once. On 2 or less you take 1 damage.'
    """
    return " ".join(
        f"On {f'{check.low} or more' if check.high == 6 else f'{check.high} or less'} "
        f"{_BROUGHT[check.effect]}."
        for check in due
    )


def good_from(due: Due) -> int:
    """The least a die must show to bring all the good there is, and no damage.

    >>> good_from((Check("left", "damage", high=2), Check("right", "turn", low=3)))
    3
    """
    return max(check.low if check.high == 6 else check.high + 1 for check in due)


@lru_cache(maxsize=4096)
def due_checks(card: Maneuver, sides: tuple[int, ...], readings: Readings) -> Due:
    """The Conditional Effects that a path makes due.  (DF-9.7, RULING 6, RULING 7)

    >>> camel = Maneuver("x", None, 1, 2, 1, (Check("center", "token", 1, 1, low=4),))
    >>> len(due_checks(camel, (CENTER, LEFT), Readings()))
    1
    """
    return tuple(check for check in card.checks if _is_due(check, sides, readings))


def _is_due(check: Check, sides: tuple[int, ...], readings: Readings) -> bool:
    if check.steps == "all":
        return check.least <= len(sides) <= check.most
    if check.steps == "same":
        return any(count == check.least for count in _alike(sides, readings.same_direction))
    count = sides.count(_SIDES[check.steps])
    exact = check.least == check.most
    if exact and readings.frontal_exact == "whole_move" and count != len(sides):
        return False
    return check.least <= count <= check.most


def _alike(sides: tuple[int, ...], reading: str) -> Iterator[int]:
    """How many steps went the same way, for each way there is."""
    if reading == "compass":
        facing, facings = 0, list[int]()
        for side in sides:
            facing = (facing + side) % 6
            facings.append(facing)
        return (facings.count(way) for way in range(6))
    ways = (CENTER,) if reading == "straight" else (LEFT, CENTER, RIGHT)
    return (sides.count(way) for way in ways)
