"""What an arbiter may set: whose each quantity is, to what it may be set, what makes up for it."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from companion.core.ruling import TABLE, Fact, Json, Seat
from companion.core.text import inside
from companion.kit.adjusting import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import TypeGuard

    from ui.scene.scene import Scene

FEW_TEAMS, FEW_SPACES = 2, 16
"""More teams have their pieces with them; more spaces are touched on a map."""
SPREAD = 30
"""So many more than there are are tried; the box itself knows its limits."""


@dataclass(frozen=True, slots=True)
class Owned:
    """One quantity that may be set: whose it is as rows have it, and what it is called there."""

    fact: Fact
    owner: str
    label: str


def owned(scene: Scene) -> tuple[Owned, ...]:
    """Everything that an arbiter may set: people's, then the table's, then the teams'."""
    return scene.history.found("owned", lambda: tuple(_owned(scene)))


def _owned(scene: Scene) -> list[Owned]:
    listed = [Owned(fact, *_owner(scene, fact)) for fact in scene.facts if _can_be_set(scene, fact)]
    return sorted(listed, key=lambda one: _rank(scene, one))


def _rank(scene: Scene, one: Owned) -> tuple[int, int]:
    """People, table, teams; of each owner counts before places, and those before the rest."""
    owners = [*(_person(scene, seat) for seat in scene.names.seats), scene.names.label(TABLE)]
    at = owners.index(one.owner) if one.owner in owners else len(owners)
    return at, kind_of(scene, one.fact)


COUNT, PLACE, OTHER = range(3)
OFF_THE_BOARD = ""
MOST_OFFERS = 3


def kind_of(scene: Scene, fact: Fact) -> int:
    """What people count first, then what stands somewhere, then the rest."""
    if fact.shows.is_count or (fact.seat, fact.name) in scene.match.position.pile_counts():
        return COUNT
    return OTHER if heading_of(scene, fact) is None else PLACE


def _owner(scene: Scene, fact: Fact) -> tuple[str, str]:
    """Whose a quantity is, and what it is called there.

    What lies on the table is the table's, but for the pieces of many teams: they are the team's.
    """
    if fact.seat != TABLE:
        return _person(scene, fact.seat), fact.label
    sides = scene.names.sides if len(scene.names.sides) > FEW_TEAMS else ()
    for side in sides:
        rest = fact.label.removeprefix(f"{scene.names.label(side)} ")
        if rest != fact.label:
            return scene.names.label(side), rest[:1].upper() + rest[1:]
    return scene.names.label(TABLE), fact.label


def _person(scene: Scene, seat: Seat) -> str:
    """A player; somebody who plays with both hands is told with the role of each."""
    player = scene.names.player(seat)
    seats = [other for other in scene.names.seats if scene.names.players.get(other) == player]
    return f"{player} {scene.names.role(seat)}" if len(seats) > 1 else player


def named(scene: Scene, name: str) -> str:
    """A quantity in words, and whose it is: "Dan: deck"."""
    one = next((one for one in owned(scene) if one.fact.name == name), None)
    if one is None:
        return name
    return one.label if one.fact.seat == TABLE else f"{one.owner}: {inside(one.label)}"


def heading_of(scene: Scene, fact: Fact) -> str | None:
    """A heading of the board where it is a place with one, "" of a space alone; None: no place."""
    return scene.history.found(("place", fact.name), lambda: _found_place(scene, fact))


def _found_place(scene: Scene, fact: Fact) -> str | None:
    if not isinstance(fact.value, str):
        return None
    for board in scene.map.plan.boards:
        if not board.holds_pieces or not board.spaces:
            continue
        space = board.spaces[0].name
        for facing in (*board.facings[:1], ""):
            if scene.history.can_adjust(fact.name, f"{space} {facing}".strip()):
                return facing
    return None


def _can_be_set(scene: Scene, fact: Fact) -> bool:
    """Whether there is anything that a quantity or place may be set to."""
    if scene.match.position.choices(fact.name):
        return True
    of_a_kind = isinstance(fact.value, bool | int | str)
    return (
        of_a_kind
        and scene.history.can_adjust(fact.name, fact.value)
        and (heading_of(scene, fact) is not None or has_more_values(scene, fact, 1))
    )


def values_of(scene: Scene, fact: Fact) -> list[Json]:
    """What a quantity may be set to, but for places of which a map has too many."""
    return scene.history.found(("allowed", fact.name), lambda: _found_values(scene, fact))


def has_more_values(scene: Scene, fact: Fact, than: int) -> bool:
    """Whether it may be set to more than so many; no more are tried than that takes."""
    value = fact.value
    if isinstance(value, bool) or scene.match.position.choices(fact.name):
        return len(values_of(scene, fact)) > than
    if isinstance(value, int):
        fewer = value - _least(scene, fact.name, value)
        return fewer >= than or len(values_of(scene, fact)) > than
    return next(islice(_allowed_words(scene, fact), than, None), None) is not None


def _found_values(scene: Scene, fact: Fact) -> list[Json]:
    choices = scene.match.position.choices(fact.name)
    if choices:
        return list(choices)
    if isinstance(fact.value, bool):
        return [True, False]
    if isinstance(fact.value, int):
        return _numbers(scene, fact.name, fact.value)
    return [*_allowed_words(scene, fact)]


def _allowed_words(scene: Scene, fact: Fact) -> Iterator[str]:
    """Spaces, sides or people that the box takes, each tried when it is asked for."""
    if heading_of(scene, fact) == "":
        boards = (board for board in scene.map.plan.boards if board.holds_pieces)
        words = [space.name for board in boards for space in board.spaces]
    elif fact.value in scene.names.sides:
        words = [str(side) for side in scene.names.sides]
    else:
        words = ["", *map(str, scene.names.crew(fact.seat)), *map(str, scene.names.seats)]
    return (one for one in dict.fromkeys(words) if scene.history.can_adjust(fact.name, one))


def _numbers(scene: Scene, name: str, value: int) -> list[Json]:
    """The numbers that the box takes, from its least to far more than there are now."""

    def is_refused(number: int) -> bool:
        return not scene.history.can_adjust(name, number)

    over = bisect_left(range(value, value + SPREAD), 1, key=is_refused)
    return [*range(_least(scene, name, value), value + over)]


def _least(scene: Scene, name: str, value: int) -> int:
    """The least number that the box takes; it takes the one that there is."""
    return next(
        number
        for number in (0, 1, value)
        if number == value or scene.history.can_adjust(name, number)
    )


def value_in_words(scene: Scene, name: str, value: Json) -> str:
    """A value as the box itself calls it, once it is set."""
    fact = scene.history.adjusted(name, value)
    said = words_of(fact, scene.match.rulebook) if fact is not None else str(value)
    board = scene.map.plan.board_of.get(str(value))
    if board is not None and len(board.spaces) <= FEW_SPACES:
        return f"{board.owner} {scene.map.plan.spaces[str(value)].label}".strip()
    if fact is not None and value in ("", None):
        return _without(scene, fact)
    return said[:1].upper() + said[1:]


def _without(scene: Scene, fact: Fact) -> str:
    """What is said where there is no value: of a place, of a person, of anything else."""
    if heading_of(scene, fact) is not None:
        return "Not on the board"
    seats = {*map(str, scene.names.seats)}
    return "Nobody" if seats.intersection(map(str, values_of(scene, fact))) else "None"


# What makes up for it where a sum must hold.


def made_up(
    scene: Scene, one: Owned, changes: Mapping[str, Json]
) -> list[tuple[str, Json, str, str]]:
    """What else is set, to what, in words, and what it was: as many as have room."""
    found: list[tuple[str, Json, str, str]] = [
        (other, number, f" {number}", f"was {scene.values.get(other)}")
        for other, number in _adding_up(scene, one, changes)
    ] or [
        (other, OFF_THE_BOARD, ": off board", "was on the map")
        for other in _lying_too_much(scene, changes)
    ]
    return found[:MOST_OFFERS]


def _adding_up(scene: Scene, one: Owned, changes: Mapping[str, Json]) -> Sequence[tuple[str, int]]:
    """What makes up for all that are written: other piles where it is one, else other numbers.

    Those of the same owner first, then the table's.
    """
    if not is_number(changes[one.fact.name]) or not is_number(one.fact.value):
        return []
    piles = scene.match.position.pile_counts()
    is_pile = (one.fact.seat, one.fact.name.rpartition(".")[2]) in piles
    theirs = [
        fact
        for seat in dict.fromkeys((one.fact.seat, TABLE))
        for fact in scene.facts
        if fact.seat == seat and is_number(fact.value)
        and ((seat, fact.name.rpartition(".")[2]) in piles) is is_pile
    ]  # fmt: skip
    written = [fact for fact in theirs if is_number(changes.get(fact.name))]
    more = sum(int(str(changes[fact.name])) - int(str(fact.value)) for fact in written)
    others = [fact for fact in theirs if fact.name not in changes]
    made = [(fact.name, int(str(fact.value)) - more) for fact in others]
    return [
        (name, number)
        for name, number in made
        if number >= 0 and scene.history.adds_up({**changes, name: number})
    ]


def _lying_too_much(scene: Scene, changes: Mapping[str, Json]) -> Sequence[str]:
    """What lies on the map and would make up for them if it did not."""
    return [
        one.fact.name
        for one in owned(scene)
        if one.fact.seat == TABLE and one.fact.value and heading_of(scene, one.fact) is not None
        and one.fact.name not in changes
        and scene.history.adds_up({**changes, one.fact.name: OFF_THE_BOARD})
    ]  # fmt: skip


def is_number(value: object) -> TypeGuard[int]:
    """Whether it is a count; yes and no are none."""
    return isinstance(value, int) and not isinstance(value, bool)
