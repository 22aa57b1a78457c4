"""One frame to pieces on spaces: sure, between two, on none, missing, seen twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.core.board import Pose
from companion.core.offers import Seen, SeenState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from vision.boards.view import TableView
from vision.markers.reading import MarkerSeen
from vision.tracking.observation import BORDER_MM, Observation, heading_deg, observe

if TYPE_CHECKING:
    from tests.vision.conftest import Eye

ZONES = [
    space.name for board in board_plan().boards if board.holds_pieces for space in board.spaces
]


def look(eye: Eye, **keywords: list[int]) -> Observation:
    return observe(eye.frame(), eye.look(**keywords), TableView(eye.plan, eye.lens))


def stand(eye: Eye, space: str, dx_mm: float = 0.0, dy_mm: float = 0.0, turn: float = 0.0) -> None:
    """Put the Jaws plane on a space, off its middle."""
    x, y = eye.plan.spaces[space].centre_mm
    board = eye.plan.board_of[space].name
    eye.standing[JAWS_PLANE] = (board, x + dx_mm, y + dy_mm, turn)


@given(space=st.sampled_from(ZONES), dx=st.floats(-24.9, 24.9), dy=st.floats(-46.9, 46.9),
       turn=st.floats(0, 359.9), noise=st.sampled_from([0.0, 0.1]))  # fmt: skip
def test_a_piece_three_mm_inside_a_zone_is_on_it(
    make_eye: Callable[..., Eye], space: str, dx: float, dy: float, turn: float, noise: float
) -> None:
    """Anywhere in it, turned any way: the zone, the place and the heading."""
    eye = make_eye(noise_px=noise)
    stand(eye, space, dx, dy, turn)
    assume(abs(dx) < 24.9 - 4 * noise)
    seen = look(eye).pieces[JAWS_PLANE]
    assert (seen.state, seen.pose, seen.spaces) == (SeenState.SEEN, Pose(space), (space,))
    x, y = eye.plan.spaces[space].centre_mm
    assert seen.x_mm is not None
    assert seen.y_mm is not None
    assert seen.heading_deg is not None
    assert math.hypot(seen.x_mm - x - dx, seen.y_mm - y - dy) < 0.02 + 4 * noise
    assert abs((seen.heading_deg - turn + 180) % 360 - 180) < 0.05 + 8 * noise


@given(st.floats(-BORDER_MM + 0.1, BORDER_MM - 0.1), st.floats(-40, 40))
def test_a_piece_near_the_border_of_two_zones_is_between_them(
    make_eye: Callable[..., Eye], off_mm: float, dy: float
) -> None:
    """Too close to it: both are named, the nearer first, and nothing is claimed."""
    eye = make_eye()
    stand(eye, "Jaws.PL", 28.0 + off_mm, dy)
    seen = look(eye).pieces[JAWS_PLANE]
    assert (seen.state, seen.pose) == (SeenState.UNSURE, None)
    assert set(seen.spaces) == {"Jaws.PL", "Jaws.PC"}
    if abs(off_mm) > 0.1:
        assert seen.spaces[0] == ("Jaws.PL" if off_mm < 0 else "Jaws.PC")


@pytest.mark.parametrize("off_mm", [-(BORDER_MM + 0.2), BORDER_MM + 0.2])
def test_a_piece_past_the_border_is_sure(eye: Eye, off_mm: float) -> None:
    """Just over 3 mm from it."""
    stand(eye, "Jaws.PL", 28.0 + off_mm)
    expected = "Jaws.PL" if off_mm < 0 else "Jaws.PC"
    assert look(eye).pieces[JAWS_PLANE].pose == Pose(expected)


def test_a_piece_on_the_board_but_on_no_zone_is_unsure(eye: Eye) -> None:
    """Its place on the board is told, no space is named."""
    stand(eye, "Jaws.PL", -28.0 - 10.0)
    seen = look(eye).pieces[JAWS_PLANE]
    assert (seen.state, seen.spaces, seen.board) == (SeenState.UNSURE, (), "Jaws Pilot View")
    assert seen.x_mm == pytest.approx(26.0, abs=0.05)


def test_a_piece_beside_the_boards_is_nowhere(eye: Eye) -> None:
    """On the bare table there is no board to tell a place on."""
    stand(eye, "Jaws.PL", -28.0 - 60.0)
    assert look(eye).pieces[JAWS_PLANE] == Seen(SeenState.UNSURE)


def test_a_piece_on_a_board_that_is_not_found_is_nowhere(eye: Eye) -> None:
    """The place on some other board would be a guess."""
    stand(eye, "Jaws.PL")
    assert look(eye, hidden=[0, 1, 2, 3]).pieces[JAWS_PLANE] == Seen(SeenState.UNSURE)


def test_a_piece_whose_marker_is_missing_is_lost(eye: Eye) -> None:
    """All pieces of the plan are told, seen or not."""
    stand(eye, "Jaws.PL")
    pieces = look(eye).pieces
    assert set(pieces) == {JAWS_PLANE, PAWS_PLANE, SUN}
    assert pieces[SUN] == Seen(SeenState.LOST)


def test_a_piece_seen_twice_is_a_conflict(eye: Eye) -> None:
    """Neither place is believed."""
    stand(eye, "Jaws.PL")
    markers = eye.look()
    twin = MarkerSeen(16, eye.plan.dictionary, markers[-1].corners_px + 80.0)
    seen = observe(eye.frame(), [*markers, twin], TableView(eye.plan, eye.lens))
    assert seen.conflicts == (JAWS_PLANE,)
    assert seen.pieces[JAWS_PLANE] == Seen(SeenState.UNSURE)


def test_markers_of_another_dictionary_are_no_pieces(eye: Eye) -> None:
    """Card sleeves have their own, with the same numbers."""
    stand(eye, "Jaws.PL")
    foreign = [MarkerSeen(one.id, "5X5_250", one.corners_px) for one in eye.look()]
    seen = observe(eye.frame(), foreign, TableView(eye.plan, eye.lens))
    assert not seen.boards_seen
    assert seen.pieces[JAWS_PLANE].state is SeenState.LOST
    assert len(seen.markers) == len(foreign)


def test_pieces_keep_their_place_on_a_nudged_board(eye: Eye) -> None:
    """The board moves with what stands on it: board coordinates stay."""
    stand(eye, "Paws.GC", 5.0, 7.0, 90.0)
    table = TableView(eye.plan, eye.lens)
    before = observe(eye.frame(0), eye.look(), table).pieces[JAWS_PLANE]
    eye.nudge("Paws Gunner View", -8.0, 5.0, 6.0)
    after = observe(eye.frame(1), eye.look(), table).pieces[JAWS_PLANE]
    assert before.pose == after.pose == Pose("Paws.GC")
    assert after.x_mm == pytest.approx(before.x_mm, abs=0.02)
    assert after.y_mm == pytest.approx(before.y_mm, abs=0.02)
    assert after.heading_deg == pytest.approx(90.0, abs=0.1)


def test_a_frame_is_named(eye: Eye) -> None:
    """Number and time are those of the frame that was read."""
    seen = observe(eye.frame(7), eye.look(), TableView(eye.plan, eye.lens))
    assert (seen.frame, seen.taken_at) == (7, 0.35)
    assert len(seen.boards_seen) == 6


@given(st.floats(0, 359.99), st.floats(0.5, 2.0))
def test_headings_go_clockwise_from_the_top(turn: float, stretch: float) -> None:
    """Upright is 0, a quarter turn clockwise 90; a marker seen a little askew has the same."""
    angle = math.radians(turn)
    matrix = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * stretch @ matrix + (40, 50)
    assert abs((heading_deg(corners) - turn + 180) % 360 - 180) < 1e-6


def test_the_middle_of_every_zone_is_read(
    eye: Eye, places: Mapping[str, tuple[float, float]]
) -> None:
    """All twelve, one after the other, with the boards remembered."""
    table = TableView(eye.plan, eye.lens)
    for zone in ZONES:
        board = eye.plan.board_of[zone].name
        eye.standing[SUN] = (board, *places[zone], 45.0)
        assert observe(eye.frame(), eye.look(), table).pieces[SUN].pose == Pose(zone)


def test_a_hair_left_of_up_is_no_full_turn() -> None:
    """Headings are 0 to below 360: what rounds up to a full turn points up."""
    corners = np.array([(-1e-18, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])
    assert heading_deg(corners) == 0.0
