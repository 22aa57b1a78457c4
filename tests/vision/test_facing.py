"""Which way a piece points: one facing, or two that are too close to call; and on which hex."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.core.board import Board, BoardPlan, Piece, Pose
from companion.core.offers import RIM, PictureState, Seen, SeenState, Sighting
from companion.games.dogfight_1917.boards import BOARD, SIDE_MM, board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from vision.boards.view import TableView
from vision.tracking.observation import ASKED_FROM_DEG, BORDER_MM, Observation, facings_at, observe
from vision.tracking.seen import Spaces
from vision.tracking.settling import (
    ENTER_DEG,
    LEAVE_DEG,
    QUIET_FRAMES,
    PictureSettling,
    SettlingFrame,
)

if TYPE_CHECKING:
    from tests.vision.conftest import Eye

PLAN = board_plan(assumed_figures())
FIELD = PLAN.board(BOARD)
FOKKER, CAMEL = Piece("fokker"), Piece("camel")
HEXES = sorted(PLAN.spaces)
INNER_MM = SIDE_MM * math.sqrt(3.0) / 2
"""From the middle of a hex to the middle of its side."""
SEEN, UNSURE = SeenState.SEEN, SeenState.UNSURE


def look(eye: Eye, **keywords: list[int]) -> Observation:
    return observe(eye.frame(), eye.look(**keywords), TableView(eye.plan, eye.lens))


def stand(
    eye: Eye, piece: Piece, space: str, heading_deg: float, off: tuple[float, float] = (0.0, 0.0)
) -> None:
    """Put a plane on a hex, off its middle."""
    x, y = eye.plan.spaces[space].centre_mm
    eye.standing[piece] = (BOARD, x + off[0], y + off[1], heading_deg)


@given(
    space=st.sampled_from(HEXES),
    facing=st.integers(0, 5),
    beyond_deg=st.floats(-19.5, 19.5),
    way=st.floats(0, 2 * math.pi),
    off_mm=st.floats(0, INNER_MM - BORDER_MM - 0.5),
)
def test_a_plane_well_inside_a_hex_has_its_space_and_its_facing(
    make_hex_eye: Callable[..., Eye],
    space: str,
    facing: int,
    beyond_deg: float,
    way: float,
    off_mm: float,
) -> None:
    """Set down carelessly, turned carelessly: the marker's top is the nose."""
    eye = make_hex_eye()
    off = (off_mm * math.cos(way), off_mm * math.sin(way))
    stand(eye, FOKKER, space, 60.0 * facing + beyond_deg, off)
    seen = look(eye).pieces[FOKKER]
    assert (seen.state, seen.pose) == (SEEN, Pose(space, facing))
    assert (seen.spaces, seen.facings) == ((space,), (facing,))


@given(
    space=st.sampled_from(HEXES),
    border=st.integers(0, 5),
    off_deg=st.floats(0.1, 30.0 - ASKED_FROM_DEG - 0.3),
    side=st.sampled_from((-1, 1)),
)
def test_a_heading_near_the_middle_of_two_facings_names_both(
    make_hex_eye: Callable[..., Eye], space: str, border: int, off_deg: float, side: int
) -> None:
    """The space is known, the heading is not: never a guess, the nearer facing first.  (DF-E02)"""
    eye = make_hex_eye()
    stand(eye, FOKKER, space, 60.0 * border + 30.0 + side * off_deg)
    seen = look(eye).pieces[FOKKER]
    assert (seen.state, seen.pose, seen.spaces) == (UNSURE, None, (space,))
    before, after = border, (border + 1) % 6
    assert seen.facings == ((before, after) if side < 0 else (after, before))


@pytest.mark.parametrize("facing", range(6))
@pytest.mark.parametrize("way", [-1, 1])
def test_df_e02_a_heading_is_asked_for_from_20_degrees_off(
    make_hex_eye: Callable[..., Eye], facing: int, way: int
) -> None:
    """19 degrees off its facing a plane has it; 21 degrees off both it points between are named."""
    eye = make_hex_eye()
    stand(eye, FOKKER, "0,0", 60.0 * facing + way * 19.0)
    assert look(eye).pieces[FOKKER].pose == Pose("0,0", facing)
    stand(eye, FOKKER, "0,0", 60.0 * facing + way * 21.0)
    seen = look(eye).pieces[FOKKER]
    assert (seen.state, seen.pose, seen.spaces) == (UNSURE, None, ("0,0",))
    assert seen.facings == (facing, (facing + way) % 6)


def test_df_e02_a_plane_turned_from_19_to_21_degrees_off_is_asked_for() -> None:
    """What was sure before does not make it sure now."""
    assert [one.state for one in settled([read(19.0), read(21.0)])] == [SEEN, UNSURE]


def test_a_board_may_have_its_first_facing_anywhere(make_hex_eye: Callable[..., Eye]) -> None:
    """Hexes with a point at the top: facing 0 is 30 degrees from the printed top."""
    eye = make_hex_eye()
    turned = replace(FIELD, first_facing_deg=30.0)
    eye.plan = replace(eye.plan, boards=(turned,))
    for heading_deg, facing in ((30.0, 0), (11.0, 0), (-30.0, 5), (330.0, 5), (91.0, 1)):
        stand(eye, FOKKER, "0,0", heading_deg)
        assert look(eye).pieces[FOKKER].pose == Pose("0,0", facing)
    stand(eye, FOKKER, "0,0", 62.0)
    assert look(eye).pieces[FOKKER].facings == (1, 0)


def test_a_board_that_lies_turned_turns_no_plane(make_hex_eye: Callable[..., Eye]) -> None:
    """Headings count from the board's own printed top."""
    eye = make_hex_eye()
    stand(eye, FOKKER, "1,-2", 122.0)
    for turn_deg in (0.0, 90.0, 173.0, -60.0):
        eye.boards[BOARD] = replace(FIELD, turn_deg=turn_deg)
        assert look(eye).pieces[FOKKER].pose == Pose("1,-2", 2)


@given(
    facing=st.integers(0, 5), off_mm=st.floats(-BORDER_MM + 0.2, BORDER_MM - 0.2),
    along_mm=st.floats(-12, 12),
)  # fmt: skip
def test_a_plane_on_the_border_of_two_hexes_is_between_them(
    make_hex_eye: Callable[..., Eye], facing: int, off_mm: float, along_mm: float
) -> None:
    """Within 3 mm of the line both are named, the nearer first; its facing is known."""
    eye, way = make_hex_eye(), math.radians(60.0 * facing)
    out, sin, cos = INNER_MM + off_mm, math.sin(way), math.cos(way)
    stand(eye, FOKKER, "0,0", 0.0, (out * sin + along_mm * cos, -out * cos + along_mm * sin))
    seen = look(eye).pieces[FOKKER]
    beyond = ("0,-1", "1,-1", "1,0", "0,1", "-1,1", "-1,0")[facing]
    assert (seen.state, seen.pose, seen.facings) == (UNSURE, None, (0,))
    assert set(seen.spaces) == {"0,0", beyond}
    if abs(off_mm) > 0.1:
        assert seen.spaces[0] == ("0,0" if off_mm < 0 else beyond)


def test_where_three_hexes_meet_all_are_named(make_hex_eye: Callable[..., Eye]) -> None:
    """It may stand on any of them: who is asked finds the right one among them."""
    eye = make_hex_eye()
    stand(eye, FOKKER, "0,0", 0.0, (SIDE_MM, 0.0))
    seen = look(eye).pieces[FOKKER]
    assert seen.state is UNSURE
    assert set(seen.spaces) == {"0,0", "1,0", "1,-1"}
    assert set(seen.spaces) <= {"0,0", "1,-1", "1,0"}


def test_two_planes_on_one_hex_are_both_seen_there(make_hex_eye: Callable[..., Eye]) -> None:
    """What that means is for the box to say.  (DF-E03)"""
    eye = make_hex_eye()
    stand(eye, FOKKER, "2,-1", 0.0, (-20.5, 0.0))
    stand(eye, CAMEL, "2,-1", 180.0, (20.5, 0.0))
    pieces = look(eye).pieces
    assert pieces[FOKKER].pose == Pose("2,-1", 0)
    assert pieces[CAMEL].pose == Pose("2,-1", 3)


@pytest.mark.parametrize("spot", [(20.0, 300.0), (300.0, 8.0), (-25.0, 300.0), (600.0, 640.0)])
def test_a_plane_off_the_board_is_not_a_lost_one(
    make_hex_eye: Callable[..., Eye], spot: tuple[float, float]
) -> None:
    """On the rim outside every hex, or on the table: found, and on no space.  (DF-E04)"""
    eye = make_hex_eye()
    eye.standing[FOKKER] = (BOARD, *spot, 60.0)
    read = look(eye)
    told = Sighting(0.0, 0, PictureState.SETTLED, read.pieces, read.boards_seen, read.conflicts)
    seen = told.pieces[FOKKER]
    assert (seen.state, seen.pose, seen.spaces) == (UNSURE, None, ())
    assert told.pieces[CAMEL].state is SeenState.LOST
    assert told.off_board == {FOKKER}


def outer_sides() -> list[tuple[str, float, float, float, float]]:
    """Every side of a hex with no hex beyond it: the hex, its middle, and the way outwards."""
    sides = list[tuple[str, float, float, float, float]]()
    spaces = Spaces(FIELD)
    for space in FIELD.spaces:
        x, y = space.centre_mm
        corners = space.outline_mm
        for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            half_x, half_y = (x1 + x2) / 2 - x, (y1 + y2) / 2 - y
            beyond = (x + 1.2 * half_x, y + 1.2 * half_y)
            if spaces.nearest(beyond, 1)[0][1] < 0:
                way_x, way_y = half_x / INNER_MM, half_y / INNER_MM
                sides.append((space.name, x + half_x, y + half_y, way_x, way_y))
    return sides


@given(side=st.sampled_from(outer_sides()), out_mm=st.floats(-BORDER_MM + 0.2, BORDER_MM - 0.2))
def test_a_plane_at_the_rim_of_the_outermost_hexes_is_asked_for(
    make_hex_eye: Callable[..., Eye], side: tuple[str, float, float, float, float], out_mm: float
) -> None:
    """On the hex or off the board: too close to call, and both are named."""
    eye = make_hex_eye()
    hexagon, x, y, way_x, way_y = side
    eye.standing[FOKKER] = (BOARD, x + out_mm * way_x, y + out_mm * way_y, 60.0)
    read = look(eye)
    seen = read.pieces[FOKKER]
    assert (seen.state, seen.pose, seen.spaces) == (UNSURE, None, (hexagon, RIM))
    told = Sighting(0.0, 0, PictureState.SETTLED, read.pieces, read.boards_seen, read.conflicts)
    assert told.off_board == frozenset()


def test_a_plane_on_no_hex_has_no_facing_either(make_hex_eye: Callable[..., Eye]) -> None:
    """What is asked about it is where it stands; its heading can wait."""
    eye = make_hex_eye()
    eye.standing[FOKKER] = (BOARD, 20.0, 300.0, 30.0)
    assert look(eye).pieces[FOKKER].facings == ()


def test_a_plane_seen_twice_is_not_off_the_board(make_hex_eye: Callable[..., Eye]) -> None:
    eye = make_hex_eye()
    stand(eye, FOKKER, "0,0", 0.0)
    markers = [*eye.look(), *eye.tokens()]
    read = observe(eye.frame(), markers, TableView(eye.plan, eye.lens))
    told = Sighting(0.0, 0, PictureState.SETTLED, read.pieces, read.boards_seen, read.conflicts)
    assert told.conflicts == (FOKKER,)
    assert told.off_board == frozenset()


@given(st.floats(-720, 720))
def test_a_heading_has_the_facing_it_points_nearest_to(heading_deg: float) -> None:
    facings = facings_at(FIELD, heading_deg)
    off = [abs((heading_deg - 60.0 * facing + 180.0) % 360.0 - 180.0) for facing in range(6)]
    assert off[facings[0]] == pytest.approx(min(off))
    assume(abs(min(off) - ASKED_FROM_DEG) > 1e-9)
    assert (len(facings) == 2) == (min(off) > ASKED_FROM_DEG)
    if len(facings) == 2:
        assert off[facings[1]] == pytest.approx(60.0 - min(off))


def test_of_eight_facings_a_heading_near_halfway_is_asked_for_as_well() -> None:
    """There 20 degrees off is nearly the next one."""
    eight = replace(FIELD, facings=("N", "NE", "E", "SE", "S", "SW", "W", "NW"))
    assert [facings_at(eight, deg) for deg in (16.0, 17.0, 27.0)] == [(0,), (0, 1), (1, 0)]


def test_a_board_without_headings_gives_none(hex_plan: BoardPlan) -> None:
    plain = replace(hex_plan.boards[0], facings=())
    assert facings_at(plain, 30.0) == ()


@given(st.floats(0, 566), st.floats(0, 620))
def test_the_spaces_asked_at_once_say_what_each_would(x: float, y: float) -> None:
    """The deepest spaces and how deep, as each space's own outline has it."""
    spaces = Spaces(FIELD)
    inside = {name: PLAN.spaces[name].inside_mm((x, y)) for name in HEXES}
    found = spaces.nearest((x, y), 3)
    assert [deep for _, deep in found] == pytest.approx(sorted(inside.values())[-3:][::-1])
    assert all(inside[name] == pytest.approx(deep) for name, deep in found)


def test_outlines_of_any_number_of_corners_run_either_way_round() -> None:
    triangle = replace(FIELD.spaces[0], name="t", outline_mm=((0, 0), (30, 0), (0, 30)))
    square = replace(FIELD.spaces[0], name="s", outline_mm=((40, 0), (40, 30), (70, 30), (70, 0)))
    board = Board("Odd", "", (100.0, 40.0), (triangle, square), (0.0, 0.0))
    spaces = Spaces(board)
    for point, space in (((55.0, 15.0), square), ((5.0, 10.0), triangle)):
        name, inside_mm = spaces.nearest(point, 2)[0]
        assert name == space.name
        assert inside_mm == pytest.approx(space.inside_mm(point))
    assert Spaces(replace(board, spaces=())).nearest((1.0, 1.0), 2) == []


def test_a_pose_is_named_as_people_write_it() -> None:
    assert PLAN.name_of(Pose("0,-1", 5)) == "0,-1 NW"
    assert PLAN.name_of(Pose("0,-1")) == "0,-1"


# -- settling ------------------------------------------------------------------------------------


def read(heading_deg: float, space: str = "0,0", dx_mm: float = 0.0) -> Seen:
    """A plane as one frame has it, on a hex, pointing somewhere."""
    x, y = PLAN.spaces[space].centre_mm
    facings = facings_at(FIELD, heading_deg)
    sure = len(facings) == 1
    pose = Pose(space, facings[0]) if sure else None
    state = SEEN if sure else UNSURE
    return Seen(state, pose, (space,), BOARD, x + dx_mm, y, heading_deg, facings)


def settled(readings: Sequence[Seen]) -> list[Seen]:
    """The Fokker after each reading has settled; nothing else is on the table."""
    settling, found, number = PictureSettling(PLAN), list[Seen](), 0
    lost = {token.piece: Seen(SeenState.LOST) for token in PLAN.tokens}
    for seen in readings:
        pieces: Mapping[Piece, Seen] = {**lost, FOKKER: seen}
        told = list[Sighting]()
        for state in (PictureState.HAND, *[PictureState.STILL] * (QUIET_FRAMES + 21)):
            at = number / 20.0
            observation = Observation(number, at, (), pieces, frozenset({BOARD}))
            told.append(settling.see(SettlingFrame(state, number, at, observation)))
            number += 1
        assert told[-1].state is PictureState.SETTLED
        found.append(told[-1].pieces[FOKKER])
    return found


def test_a_heading_that_jitters_on_the_line_stays_what_it_was() -> None:
    """Sure a little beyond the limit; unclear until clearly turned."""
    sure = settled([read(18.0), read(20.5)])
    assert [one.pose for one in sure] == [Pose("0,0", 0)] * 2
    torn = settled([read(23.0), read(19.0)])
    assert [one.state for one in torn] == [UNSURE] * 2
    assert torn[1].facings == (0, 1)


def test_a_heading_leaves_and_comes_back_at_its_limits() -> None:
    left = settled([read(18.0), read(ASKED_FROM_DEG + LEAVE_DEG)])
    assert [one.state for one in left] == [SEEN, UNSURE]
    back = settled([read(22.0), read(ASKED_FROM_DEG - ENTER_DEG)])
    assert [one.state for one in back] == [UNSURE, SEEN]
    other = settled([read(30.5), read(40.5)])
    assert [one.facings for one in other] == [(1, 0), (1,)]


@pytest.mark.parametrize(("from_deg", "state"), [(15.5, SEEN), (15.4, UNSURE), (14.0, UNSURE)])
def test_a_heading_turned_by_more_than_five_degrees_is_judged_anew(
    from_deg: float, state: SeenState
) -> None:
    """Up to five it has only been read a little differently."""
    assert settled([read(from_deg), read(20.5)])[1].state is state


def test_a_heading_that_jitters_at_another_facing_keeps_that_one() -> None:
    """From 61 to 39.5 degrees by small steps: still the second, 20.5 off it."""
    assert settled([read(42.0), read(39.5)])[1].facings == (1,)
    assert settled([read(-18.0), read(-20.5)])[1].facings == (0,)


def test_a_plane_turned_on_its_hex_has_another_facing() -> None:
    """The same space, and a new pose."""
    poses = [one.pose for one in settled([read(0.0), read(60.0), read(240.0)])]
    assert poses == [Pose("0,0", 0), Pose("0,0", 1), Pose("0,0", 4)]


def test_a_plane_moved_to_the_next_hex_forgets_what_it_was() -> None:
    poses = [one.pose for one in settled([read(16.0), read(22.0, "0,1"), read(19.0, "0,1")])]
    assert poses == [Pose("0,0", 0), None, None]


def test_a_plane_left_alone_is_bit_for_bit_what_it_was() -> None:
    first, second = settled([read(10.0), read(10.4, dx_mm=0.2)])
    assert second is first
