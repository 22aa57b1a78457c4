"""Arithmetic on the board: where a Maneuver may end, and who may be shot at.  (DF-9.1 to DF-9.8)

The camera sees where a plane ends, never the path. So an answer is an end pose; only where two
paths to it have different Conditional Effects is the way asked for. Stalls that a player's own
move would cause after the Assessment Phase are foreseen here, too.  (DF-8.4)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from companion.core.question import Option, Refusal
from companion.core.ruling import Cite, Level, Notice
from companion.games.dogfight_1917.cards import Check, Maneuver
from companion.kit.hexes import CENTER, LEFT, RIGHT, Heading, Hex, HexMap, pose_of, range_ahead

if TYPE_CHECKING:
    from companion.core.ruling import Json
    from companion.games.dogfight_1917.position import Dogfight1917Position, Player


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
    arriving: dict[Heading, Arrival] = {}
    dues = dues_of(card, readings)
    for end, paths in landings(board, start, card.fewest, card.most, card.turns).items():
        if end.hex in occupied:
            continue
        ways: dict[Due, Way] = {}
        for way in paths:
            ways.setdefault(dues[way.sides], way)
        arriving[end] = Arrival(end, ways)
    return arriving


@lru_cache(maxsize=1024)
def landings(
    board: HexMap, start: Heading, fewest: int, most: int, turns: int
) -> Mapping[Heading, Sequence[Way]]:
    """Every end pose of so many spaces and Turns with all ways to it, whoever stands there.

    Made once a place and figures of a card: all that is asked of flying goes through here.
    """
    ways: dict[Heading, list[Way]] = {}
    for (space, facing), sides in board.flights(start, fewest, most):
        for turn in TURNS[turns]:
            ways.setdefault(Heading(space, (facing + turn) % 6), []).append(Way(sides, turn))
    return ways


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
    dues = dues_of(card, readings)
    ways = landings(board, start, card.fewest, card.most, card.turns).get(end, ())
    return [(way, dues[way.sides]) for way in ways]


def flyable(
    board: HexMap, start: Heading, cards: Iterable[Maneuver], occupied: Collection[Hex]
) -> Iterator[str]:
    """The names of those of these cards that have any legal end at all.  (DF-7.2)"""
    ahead = any(near is not None and near not in occupied for near in board.front_of(start))
    for card in cards:
        if ahead and card.fewest == 1:
            yield card.name
            continue
        flights = board.flights(start, card.fewest, card.most)
        if any(end.hex not in occupied for end, _ in flights):
            yield card.name


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


@lru_cache(maxsize=256)
def dues_of(card: Maneuver, readings: Readings) -> Mapping[tuple[int, ...], Due]:
    """The Conditional Effects that each path of a card makes due.  (DF-9.7, RULING 6, RULING 7)

    >>> camel = Maneuver("x", None, 1, 2, 1, (Check("center", "token", 1, 1, low=4),))
    >>> len(dues_of(camel, Readings())[CENTER, LEFT])
    1
    """
    paths = (
        sides
        for steps in range(card.fewest, card.most + 1)
        for sides in product((LEFT, CENTER, RIGHT), repeat=steps)
    )
    return {
        sides: tuple(check for check in card.checks if _is_due(check, sides, readings))
        for sides in paths
    }


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


# EndPoses: where one card may end, as options; listed anew when the board changes.


class EndPoses:
    """Where one player's card may end, as options of a question.  (DF-9.6)"""

    def __init__(self, position: Dogfight1917Position, player: Player, card: Maneuver) -> None:
        self._position = position
        self._player = player
        self._card = card
        self._stood: object = None
        self._found: Mapping[Heading, Arrival] = {}
        self._options: list[Option[Arrival]] = []

    def found(self) -> Mapping[Heading, Arrival]:
        """Every legal end pose, by where it is."""
        occupied = self._position.occupied(self._player.seat)
        stands = (self._player.plane, occupied)
        if stands != self._stood:
            board, readings = self._position.table.board, Readings.of(self._position.house)
            self._found = arrivals(board, self._player.at, self._card, occupied, readings)
            self._stood, self._options = stands, []
        return self._found

    def options(self) -> Sequence[Option[Arrival]]:
        """All of them, to be shown."""
        found = self.found()
        if not self._options:
            self._options = [self._option(arrival) for arrival in found.values()]
        return self._options

    def named(self, raw: Json) -> Option[Arrival] | None:
        """The one of that very name, without listing the others."""
        try:
            end = Heading.read(str(raw))
        except ValueError:
            return None
        position, player = self._position, self._player
        if end.hex in position.occupied(player.seat):
            return None
        readings = Readings.of(position.house)
        arrival = arrival_at(position.table.board, player.at, self._card, end, readings)
        return self._option(arrival) if arrival is not None else None

    def _option(self, arrival: Arrival) -> Option[Arrival]:
        name = arrival.end.name()
        return Option(name, arrival, name, {self._player.piece: pose_of(arrival.end)})


def option_at(raw: Json, options: Iterable[Option[Heading]]) -> Option[Heading] | None:
    """The option of a few that stands where a name says, however its blanks are set."""
    try:
        wanted = Heading.read(str(raw))
    except ValueError:
        return None
    return next((option for option in options if option.value == wanted), None)


# Stalls after the Assessment Phase: warned of, or refused by house rule.  (DF-8.4)

_LATE = Cite.of("DF-8.4, RULING 19")
_NO_OTHER = Cite.of("DF-7.2, DF-7.5, DF-8.4, RULING 19")
_AFTER_ENGAGING = Cite.of("DF-7.2, DF-7.5, DF-8.4")


def stall_after_engaging(who: str, engaged_at: str) -> Notice:
    """What to say to whom claims after engaging that no Maneuver can be performed.

    `engaged_at` is the key of the answer with which that was done; empty where it is not known.
    """
    text = f"{who} engaged, and nothing took a Maneuver Card since."
    back = f"undo to {engaged_at}" if engaged_at else "have the arbiter go back"
    way_out = f"Fly one, or {back} and stall there."
    return Notice("DF-STALL", text, _AFTER_ENGAGING, Level.WARN, way_out)


@dataclass(frozen=True, slots=True)
class LateStall:
    """What the moves of a player lead to whose Maneuver is still to come.

    `is_here` tells of an end pose whether the plane stands so: staying is no move. `is_stuck` tells
    whether no Maneuver Card gets away from it; `is_forbidden` whether such ends are refused by
    house rule (late_stall) as long as there are others.
    """

    is_here: Callable[[Heading], bool]
    is_stuck: Callable[[Heading], bool]
    is_forbidden: bool

    def word_before(self, end: Heading, ends: Iterable[Heading]) -> Notice | None:
        """What to say before a move that leads to a Stall; `ends` are all that it may have."""
        if self.is_here(end) or not self.is_stuck(end):
            return None
        text = f"From {end.name()} no Maneuver Card can be flown: a Stall follows."
        if all(other == end for other in ends):
            way_out = "No other end is open. Fly there, and stall when nothing else is left to do."
            return Notice("DF-STALL", text, _NO_OTHER, Level.WARN, way_out)
        return Notice("DF-STALL", text, _LATE, Level.WARN, "Go on anyway, or end elsewhere.")

    def refusal(self, end: Heading, ends: Iterable[Heading]) -> Refusal | None:
        """Why an end is refused, where one of the others keeps a Maneuver open."""
        if not self.is_forbidden or self.is_here(end) or not self.is_stuck(end):
            return None
        if all(self.is_stuck(other) for other in ends):
            return None
        text = (f"From {end.name()} no Maneuver Card can be flown, and the house rule late_stall "
                "forbids that. End elsewhere.")  # fmt: skip
        return Refusal("DF-E14", text, _LATE)


# Aim: who may be shot at from where, by line, range and Rear.  (DF-11.1, DF-11.2, DF-14.3)

HIDDEN = "a Fighter in between"
"""Why a target is missed where the nearest one on the line is the only one.  (RULING 4)"""


class Aim(NamedTuple):
    """What must hold for an attack: range from and to, and whether the Rear must be faced."""

    nearest: int
    farthest: int
    from_rear: bool

    def miss(self, attacker: Heading, target: Heading) -> str:
        """Why a target cannot be attacked: "line", "range" or "Rear"; empty where it can be.

        >>> from companion.kit.hexes import Hex
        >>> Aim(1, 2, from_rear=True).miss(Heading(Hex(0, 0), 0), Heading(Hex(0, -2), 3))
        'Rear'
        """
        spaces = range_ahead(attacker, target.hex)
        if spaces is None:
            return "line"
        if not self.nearest <= spaces <= self.farthest:
            return "range"
        if self.from_rear and not faces_rear(attacker, target):
            return "Rear"
        return ""


@dataclass(frozen=True, slots=True)
class Shot:
    """One attack as it is about to be rolled.

    `why` says how the number of dice comes about; `spaces` is the range of a Basic Attack, on which
    more than its aim hangs; `note` is appended to a Difficulty that is an assumed figure.
    """

    name: str
    cite: Cite
    dice: int
    difficulty: int
    why: str
    spaces: int = 0
    multiplier: int = 1
    effect: str = "damage"
    dead_six_from: int = 0
    is_basic: bool = False
    note: str = ""


class Bonus(NamedTuple):
    """What a pilot adds to an attack or a Special Action: dice, and what is taken off its numbers.

    `lower` is taken off the Difficulty, `thresholds` off the other numbers that dice must reach.
    """

    dice: int = 0
    lower: int = 0
    thresholds: int = 0
    name: str = ""
    cite: Cite = Cite(())

    def told_with(self, dice: str) -> str:
        """How the number of dice comes about; empty where nothing is added.

        >>> Bonus(1, 1, 0, "Smiling Beast").told_with("2 for Evasive Dive")
        '2 for Evasive Dive, 1 for Smiling Beast'
        """
        return f"{dice}, {self.dice} for {self.name}" if self.name else ""


NO_BONUS = Bonus()


def faces_rear(attacker: Heading, target: Heading) -> bool:
    """Whether an attacker on the line looks into the target's Rear.  (DF-11.1)"""
    return (attacker.facing - target.facing) % 6 in (0, 1, 5)


def is_first_on_line(attacker: Heading, target: Player, others: Iterable[Player]) -> bool:
    """Whether none of the others that fly does so between attacker and target.  (RULING 4)"""
    spaces = range_ahead(attacker, target.at.hex)
    between = (range_ahead(attacker, other.at.hex) for other in others)
    return spaces is not None and not any(near is not None and near < spaces for near in between)
