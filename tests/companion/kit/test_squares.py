"""Boards of squares: steps and headings, and a small box whose pieces stand on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from companion.core.board import Piece, Pose, looks_by_seat
from companion.core.errors import BadCall, BadFile, BadPosition
from companion.core.ruling import Cite, Json, Outcome, Seat
from companion.kit.box import SmallBox
from companion.kit.ledger import Quantity, kept, number
from companion.kit.seated import SeatedPosition, one_word, pile, place_on, space_on, stands
from companion.kit.squares import (
    Square,
    SquareHeading,
    SquareMap,
    rectangle,
    square_board,
    square_plan,
)
from companion.match.house_rules import switches_of
from companion.match.rulebook import Setup

SEATS = A, B = Seat("A"), Seat("B")
BIRDS = {A: Piece("red"), B: Piece("blue")}
NESTS = {A: Piece("red nest"), B: Piece("blue nest")}
MAP = SquareMap(rectangle(4, 3))
EAST, WEST = SquareHeading(Square(1, 2), 2), SquareHeading(Square(4, 2), 6)


@dataclass(slots=True, eq=False)
class Bird:
    """A bird that points somewhere, and a nest that does not."""

    seat: Seat
    place: SquareHeading | None = stands(BIRDS, place_on(MAP), "Place")
    nest: Square | None = stands(NESTS, space_on(MAP), "Nest")
    hand: ClassVar[Quantity] = pile("hand", "Hand", begins=2)


@dataclass(slots=True, eq=False)
class BirdsPosition(SeatedPosition[Bird]):
    """Two birds on a board of four by three."""

    box, seats, part, cards = "birds", SEATS, Bird, 4

    turn: int = kept(1, number(1, 9), "Turn")
    stage: str = kept("set-up", one_word(("set-up", "fly"), "stage"), "Stage", required=True)


class Birds(SmallBox[BirdsPosition]):
    """A box that only sets its pieces."""

    box, title, letters, starts = "birds", "Birds", "BI", BirdsPosition
    seats: ClassVar = {A: "Red", B: "Blue"}
    switches = switches_of((), sight="RULING 1")
    plan = square_plan(
        "birds", MAP.spaces, {BIRDS[A]: "Red", BIRDS[B]: "Blue", NESTS[A]: "R", NESTS[B]: "B"},
        unheaded=NESTS.values(),
    )  # fmt: skip
    looks = looks_by_seat(BIRDS, "spad") | looks_by_seat(NESTS)
    corrections = placed = apart = Cite.of("RULING 1")

    async def play(self) -> Outcome:
        """Nothing more."""
        self.begin()
        return Outcome((), self.rule("Over.", self.corrections))


def birds() -> Birds:
    """Both birds and nests on the map."""
    rules = Birds(Setup("birds"))
    for piece, place in ((BIRDS[A], EAST), (BIRDS[B], WEST)):
        rules.put(piece, place)
    for seat, column in ((A, 2), (B, 3)):
        rules.put(NESTS[seat], Square(column, 3))
    return rules


def test_pieces_stand_on_squares_with_a_heading_or_without() -> None:
    """As cameras and maps have it."""
    assert birds().position.placement() == {
        "red": Pose("1,2", 2), "blue": Pose("4,2", 6),
        "red nest": Pose("2,3"), "blue nest": Pose("3,3"),
    }  # fmt: skip
    assert Birds.plan.name_of(Pose("4,2", 6)) == "4,2 W"


def test_a_position_on_squares_is_written_and_read_again() -> None:
    """With the same digest; facing and space count for it."""
    position = birds().position
    file = position.to_file()
    again = BirdsPosition.from_file(file)
    assert file["players"] == {
        "A": {"place": "1,2 E", "nest": "2,3", "hand": 2},
        "B": {"place": "4,2 W", "nest": "3,3", "hand": 2},
    }
    assert again.digest() == position.digest()
    again.stand(BIRDS[A], EAST.turned(1))
    assert again.digest() != position.digest()


@pytest.mark.parametrize(
    ("told", "why"),
    [("5,2 N", "5,2 is off the board"), ("1,2", "headings: N, NE"), ("x,2 N", "column,row")],
)
def test_a_place_that_is_none_is_refused(told: str, why: str) -> None:
    """From a file, and from an arbiter."""
    position = birds().position
    players: Json = {"A": {"place": told, "hand": 2}, "B": {"hand": 2}}
    file = {**position.to_file(), "players": players}
    with pytest.raises(BadFile, match=why):
        BirdsPosition.from_file(file)
    with pytest.raises(BadCall, match=why):
        position.adjust({"A.place": told})
    with pytest.raises(ValueError, match="off the board"):
        position.stand(BIRDS[A], SquareHeading(Square(9, 9), 0))


def test_two_pieces_on_one_square_are_a_fault() -> None:
    """Where the box names the rule, also a bird on a nest."""
    rules = birds()
    rules.put(NESTS[A], Square(1, 2))
    rules.position.stage = "fly"
    with pytest.raises(BadPosition, match="R stands on 1,2 with Red"):
        Birds(Setup("birds", position=rules.position.to_file()))


def test_steps_end_at_the_edge() -> None:
    """A corner has three neighbours, and nobody flies off the map."""
    assert [str(near) for near in MAP.beside[Square(1, 1)] if near] == ["2,1", "2,2", "1,2"]
    assert MAP.flights(SquareHeading(Square(4, 1), 2), 1, 3) == []
    assert [end.name() for end in MAP.flights(WEST, 0, 1)] == ["3,1 NW", "3,2 W", "3,3 SW", "4,2 W"]


def test_a_board_of_part_of_a_map_is_as_large_as_that() -> None:
    """Spaces lie where they are called, from the outermost on."""
    board = square_board("Map", [Square(3, 5), Square(4, 5)], 124, side_mm=10.0)
    assert board.size_mm == (110.0, 100.0)
    assert [space.name for space in board.spaces] == ["3,5", "4,5"]
    assert board.spaces[1].outline_mm[0] == (55.0, 45.0)
