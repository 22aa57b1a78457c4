"""Hexagonal boards, held against plain geometry: points in the plane and angles in degrees."""

from __future__ import annotations

import math
import pickle
from copy import deepcopy
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kit.hexes import (
    CENTER,
    FLAT_TOP_NAMES,
    LEFT,
    RIGHT,
    Heading,
    Hex,
    HexMap,
    front,
    hexagon,
    range_ahead,
    rear,
)

FACINGS = range(6)
SIDES = (LEFT, CENTER, RIGHT)
NORTHWARDS = {"N": 0, "NE": 60, "SE": 120, "S": 180, "SW": 240, "NW": 300}
"""Where the six headings point, degrees clockwise from north."""

spaces = st.builds(Hex, st.integers(-9, 9), st.integers(-9, 9))
planes = st.builds(Heading, spaces, st.integers(0, 5))


def bearing_deg(start: Hex, end: Hex) -> float:
    """Clockwise from north, seen from the middle of one space to that of another."""
    (x1, y1), (x2, y2) = start.middle_mm(10.0), end.middle_mm(10.0)
    return math.degrees(math.atan2(x2 - x1, y1 - y2)) % 360


def apart_mm(start: Hex, end: Hex, side_mm: float = 10.0) -> float:
    """From middle to middle."""
    return math.dist(start.middle_mm(side_mm), end.middle_mm(side_mm))


# -- spaces and headings --------------------------------------------------------------------------


@pytest.mark.parametrize("facing", FACINGS)
def test_a_step_goes_where_its_heading_points(facing: int) -> None:
    """To the next space, by compass; hexes with flat tops have a neighbour due north."""
    end = Hex(2, -1).ahead(facing)
    assert bearing_deg(Hex(2, -1), end) == pytest.approx(NORTHWARDS[FLAT_TOP_NAMES[facing]])
    assert apart_mm(Hex(2, -1), end) == pytest.approx(10.0 * math.sqrt(3))


@given(spaces, st.integers(0, 5), st.integers(0, 9))
def test_so_many_spaces_ahead_are_so_many_steps(start: Hex, facing: int, count: int) -> None:
    """One after the other, all in the same direction."""
    end = start
    for _ in range(count):
        end = end.ahead(facing)
    assert start.ahead(facing, count) == end
    assert start.distance(end) == count


@given(spaces, spaces)
def test_a_distance_is_the_fewest_steps(start: Hex, end: Hex) -> None:
    """Some neighbour is one step nearer, none is nearer by more; it is the same both ways."""
    far = start.distance(end)
    assert far == end.distance(start)
    if far:
        nearest = min(start.ahead(facing).distance(end) for facing in FACINGS)
        assert nearest == far - 1
    else:
        assert start == end


@given(spaces)
def test_a_space_is_read_as_it_is_written(space: Hex) -> None:
    assert Hex.read(str(space)) == space


@pytest.mark.parametrize("text", ["", "1", "1,", ",1", "1;2", "1,2,3", "a,b", "1.5,2", "N"])
def test_what_names_no_space_is_said_so(text: str) -> None:
    """With what was written, and how a space is named."""
    with pytest.raises(ValueError, match="no space; a space is named q,r as in 1,-2") as wrong:
        Hex.read(text)
    assert repr(text) in str(wrong.value)


@given(planes)
def test_a_heading_is_read_as_it_is_written(plane: Heading) -> None:
    """Whatever the case of its letters."""
    assert Heading.read(plane.name()) == plane
    assert Heading.read(f"  {plane.name().lower()} ") == plane


@pytest.mark.parametrize("text", ["", "0,-1", "0,-1 X", "0,-1 E", "N 0,-1", "0,-1 0"])
def test_what_is_no_heading_is_said_so(text: str) -> None:
    """With the six headings that there are."""
    with pytest.raises(ValueError, match=r"0,-1 N.*N, NE, SE, S, SW, NW"):
        Heading.read(text)


@pytest.mark.parametrize(("text", "space"), [("0 N", "'0'"), ("N", "''"), ("1,x SW", "'1,x'")])
def test_a_heading_on_no_space_is_said_so(text: str, space: str) -> None:
    """The heading is one, what stands before it names no space."""
    with pytest.raises(ValueError, match=f"{space} is no space"):
        Heading.read(text)


# -- front, rear, advance and turn ----------------------------------------------------------------


@pytest.mark.parametrize("facing", FACINGS)
def test_front_and_rear_are_the_six_neighbours(facing: int) -> None:
    """Three ahead of the wings, three behind them, in the order in which the book names them."""
    ahead_deg = 60 * facing
    offsets = [(60 * way - ahead_deg + 180) % 360 - 180 for way in front(facing)]
    assert offsets == [-60, 0, 60]
    behind = [(60 * way - ahead_deg) % 360 for way in rear(facing)]
    assert behind == [120, 180, 240]
    assert sorted((*front(facing), *rear(facing))) == list(FACINGS)


@given(planes, st.sampled_from(SIDES))
def test_who_advances_faces_the_way_it_moved(plane: Heading, side: int) -> None:
    """60 degrees to that side for left and right, unchanged for straight on."""
    end = plane.advanced(side)
    assert bearing_deg(plane.hex, end.hex) == pytest.approx(60 * end.facing, abs=1e-6)
    assert (end.facing - plane.facing) % 6 == side % 6
    assert plane.hex.distance(end.hex) == 1


@given(planes, st.integers(-6, 6))
def test_a_turn_stays_on_its_space(plane: Heading, sixths: int) -> None:
    """Clockwise for a positive number; six make a full circle."""
    turned = plane.turned(sixths)
    assert turned.hex == plane.hex
    assert (60 * turned.facing - 60 * plane.facing - 60 * sixths) % 360 == 0
    assert turned.turned(-sixths) == plane


# -- lines ----------------------------------------------------------------------------------------


@given(planes, spaces)
def test_the_line_ahead_is_a_straight_one(plane: Heading, target: Hex) -> None:
    """Range is counted in spaces; what is not exactly in the Frontal Direction is on no line."""
    found = range_ahead(plane, target)
    on_line = (
        target != plane.hex
        and abs((bearing_deg(plane.hex, target) - 60 * plane.facing + 180) % 360 - 180) < 1e-6
    )
    assert (found is not None) == on_line
    if found is not None:
        assert apart_mm(plane.hex, target) == pytest.approx(found * 10.0 * math.sqrt(3))


def test_nothing_lies_ahead_of_itself_or_behind() -> None:
    """The own space is at no range, nor is what lies behind."""
    plane = Heading(Hex(0, 0), 0)
    assert range_ahead(plane, Hex(0, 0)) is None
    assert range_ahead(plane, Hex(0, 2)) is None
    assert range_ahead(plane, Hex(0, -2)) == 2


# -- boards ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("radius", range(10))
def test_a_hexagon_has_rings_of_six(radius: int) -> None:
    """One space, and a ring of six times its number around it for each step."""
    found = list(hexagon(radius))
    assert len(found) == len(set(found)) == 1 + sum(6 * ring for ring in range(1, radius + 1))
    assert max(space.distance(Hex(0, 0)) for space in found) == radius


@pytest.mark.parametrize("radius", [1, 4, 9])
def test_corners_are_the_farthest_spaces_by_heading(radius: int) -> None:
    """Each straight ahead from the middle; three of its six neighbours are on the board."""
    board = HexMap(hexagon(radius))
    assert board.corners == tuple(Hex(0, 0).ahead(facing, radius) for facing in FACINGS)
    neighbours = {sum(near is not None for near in board.beside[c]) for c in board.corners}
    assert neighbours == {3}


def test_a_board_may_have_any_shape() -> None:
    """Its corners then lie where each line from the middle leaves it."""
    board = HexMap([*hexagon(2), Hex(0, -3), Hex(0, -5)])
    assert board.corners[0] == Hex(0, -3)
    assert Hex(0, -4) not in board
    assert Hex(0, -5) in board
    assert board.beside[Hex(0, -3)] == (None, None, None, Hex(0, -2), None, None)


def test_free_front_leaves_out_edges_and_planes() -> None:
    """In a corner, looking out, no Front space is left; one that is taken is none."""
    board = HexMap(hexagon(4))
    assert board.free_front(Heading(Hex(0, -4), 0), ()) == []
    assert board.front_of(Heading(Hex(0, -4), 0)) == (None, None, None)
    inwards = Heading(Hex(0, -4), 3)
    assert {end.name() for end in board.free_front(inwards, {Hex(0, -3)})} == {
        "1,-4 SE", "-1,-3 SW",
    }  # fmt: skip


@given(st.sampled_from(sorted(hexagon(4))), st.integers(0, 5))
def test_front_spaces_are_told_alike(space: Hex, facing: int) -> None:
    """By name or as end poses, from everywhere."""
    board, plane = HexMap(hexagon(4)), Heading(space, facing)
    assert [end.hex for end in board.free_front(plane, ())] == [
        near for near in board.front_of(plane) if near is not None
    ]
    assert [near for near in board.front_of(plane) if near is not None] == [
        space.ahead(way) for way in front(facing) if space.ahead(way) in board
    ]


# -- flights --------------------------------------------------------------------------------------


def test_a_packed_board_does_not_grow_with_the_flights_that_were_asked_for() -> None:
    """Adjust tries hundreds of values on packed copies of a position: these took seconds each."""
    board = HexMap(hexagon(4))
    fresh = pickle.dumps(board)
    for space in sorted(board.spaces):
        board.flights(Heading(space, 0), 1, 3)
    assert pickle.dumps(board) == fresh
    copies = [pickle.loads(fresh) for _ in range(2)]  # noqa: S301 - packed here
    assert copies[0] is copies[1]
    assert copies[0].spaces == board.spaces
    assert deepcopy(board) is board


@given(
    st.sampled_from(sorted(hexagon(3))),
    st.integers(0, 5),
    st.integers(0, 4),
    st.integers(0, 4),
)
def test_flights_are_all_the_ways_that_stay_on_the_board(
    space: Hex, facing: int, fewest: int, most: int
) -> None:
    """Every row of sides is flown once, and ends where its steps lead one by one."""
    board, plane = HexMap(hexagon(3)), Heading(space, facing)
    wanted: dict[tuple[int, ...], Heading] = {}
    for steps in range(fewest, most + 1):
        for sides in product(SIDES, repeat=steps):
            end, stays = plane, True
            for side in sides:
                end = end.advanced(side)
                stays = stays and end.hex in board
            if stays:
                wanted[sides] = end
    flown = [(sides, end) for end, sides in board.flights(plane, fewest, most)]
    assert dict(flown) == wanted
    assert len(flown) == len(wanted)


def test_what_stands_in_the_way_is_flown_through() -> None:
    """Flights know no planes; only the edge stops them."""
    board = HexMap(hexagon(1))
    ends = [end.name() for end, _ in board.flights(Heading(Hex(0, 1), 0), 2, 2)]
    assert "0,-1 N" in ends
    assert len(ends) == len(set(ends)) == 5
