"""Where boards lie: to a tenth of a millimetre, nudged, covered, with a lens known or not."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import CameraError
from vision.boards.lens import Lens
from vision.boards.lens_guess import guessed_lens
from vision.boards.place import BoardFound, recalled
from vision.boards.view import TableView
from vision.markers.reading import MarkerSeen
from vision.tracking.observation import observe

if TYPE_CHECKING:
    from tests.vision.conftest import Eye

BOARDS = ("Jaws Pilot View", "Jaws Gunner View", "Paws Pilot View", "Paws Gunner View")
TRACKS = {"Jaws Action Track", "Paws Action Track"}
JAWS_PILOT = "Jaws Pilot View"
GRID_MM = np.array([(x, y) for x in (40.0, 120.0, 200.0) for y in (10.0, 55.0, 100.0)])
SIZE = (1280, 720)


def off_mm(view: TableView, eye: Eye, board: str, height_mm: float = 0.0) -> float:
    """How far points all over a board are read from where they are, at the most."""
    pixels = eye.pixels(board, GRID_MM.tolist(), height_mm)
    found = view.places[board].to_board(pixels, height_mm)
    return float(np.linalg.norm(found - GRID_MM, axis=1).max())


@pytest.mark.parametrize("height_mm", [0.0, 0.5, 8.0, 30.0])
def test_every_board_is_found_exactly(eye: Eye, height_mm: float) -> None:
    """With the lens known, a point at any height is where it is; action tracks are boards too."""
    view = TableView(eye.plan, eye.lens)
    assert set(view.look(eye.look(), SIZE)) == {*BOARDS, *TRACKS}
    assert max(off_mm(view, eye, board, height_mm) for board in BOARDS) < 0.01


@pytest.mark.parametrize("focal_per_width", [0.77, 0.866])
def test_without_a_lens_its_bend_is_fitted(
    make_eye: Callable[..., Eye], bent: Callable[..., Lens], focal_per_width: float
) -> None:
    """Between 60 and 66 degrees of view and token height 8 mm: under half a millimetre."""
    eye = make_eye(bent(SIZE, focal_per_width))
    view = TableView(eye.plan)
    view.look(eye.look(), SIZE)
    assert view.lens is not None
    assert view.lens.assumed
    assert max(off_mm(view, eye, board, 8.0) for board in BOARDS) < 0.5


def test_the_height_of_tokens_matters(eye: Eye) -> None:
    """Read as if it lay flat, a token of 8 mm at the table's edge is read millimetres outwards."""
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(), SIZE)
    pixels = eye.pixels(JAWS_PILOT, [(60.0, 90.0)], 8.0)
    flat = view.places[JAWS_PILOT].to_board(pixels, 0.0)
    assert np.linalg.norm(flat - (60.0, 90.0)) > 1.5


@given(st.lists(st.tuples(st.floats(-10, 10), st.floats(-10, 10), st.floats(-180, 180)), min_size=4,
                max_size=4))  # fmt: skip
def test_boards_may_lie_anywhere(
    make_eye: Callable[..., Eye], moves: list[tuple[float, float, float]]
) -> None:
    """Shifted by centimetres and turned any way, each from its own markers."""
    eye = make_eye()
    for name, (dx_mm, dy_mm, turn_deg) in zip(BOARDS, moves, strict=True):
        eye.nudge(name, dx_mm, dy_mm, turn_deg)
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(), SIZE)
    assert max(off_mm(view, eye, board, 8.0) for board in BOARDS) < 0.02


@given(points=st.lists(st.tuples(st.floats(0, 240), st.floats(0, 110)), min_size=1, max_size=9),
       height_mm=st.floats(0, 40))  # fmt: skip
def test_there_and_back(
    make_eye: Callable[..., Eye], points: list[tuple[float, float]], height_mm: float
) -> None:
    """`to_picture` and `to_board` are each other's reverse, and agree with the camera."""
    eye = make_eye()
    place = TableView(eye.plan, eye.lens).look(eye.look(), SIZE)[JAWS_PILOT]
    pixels = place.to_picture(np.array(points), height_mm)
    assert np.abs(pixels - eye.pixels(JAWS_PILOT, points, height_mm)).max() < 0.05
    assert np.abs(place.to_board(pixels, height_mm) - points).max() < 0.01


def test_the_outline_is_the_boards(eye: Eye) -> None:
    """Printed top left first: what the table check draws."""
    place = TableView(eye.plan, eye.lens).look(eye.look(), SIZE)[JAWS_PILOT]
    corners = eye.pixels(JAWS_PILOT, [(0, 0), (240, 0), (240, 110), (0, 110)])
    assert np.abs(place.outline_px - corners).max() < 0.05


@pytest.mark.parametrize("hidden", [0, 1, 2, 3])
def test_any_three_corner_markers_do(make_eye: Callable[..., Eye], hidden: int) -> None:
    """With the noise that a good picture has."""
    eye = make_eye(noise_px=0.1)
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(hidden=[hidden]), SIZE)
    assert off_mm(view, eye, JAWS_PILOT, 8.0) < 0.6


@pytest.mark.parametrize("shown", [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)])
def test_two_do_beside_a_board_that_shows_three(
    make_eye: Callable[..., Eye], shown: tuple[int, int]
) -> None:
    """All lie on one table, so only the shift and the turn are open."""
    eye = make_eye(noise_px=0.05)
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(hidden=sorted({0, 1, 2, 3} - set(shown))), SIZE)
    assert off_mm(view, eye, JAWS_PILOT, 8.0) < 1.5


@pytest.mark.slow(gate=2)
@pytest.mark.parametrize("hidden", [(), (2,), (2, 3), (0, 2)])
def test_a_token_far_from_the_corners_that_are_seen_is_told_no_surer_than_it_is(
    make_eye: Callable[..., Eye], hidden: tuple[int, ...]
) -> None:
    """Where a marker is hidden a board's place is much less sure than in the middle of four."""
    off_sds = list[float]()
    for seed in range(60):
        eye = make_eye(noise_px=0.1, seed=seed)
        piece = eye.plan.tokens[0].piece
        for x, y in ((215.0, 90.0), (120.0, 55.0)):
            eye.standing[piece] = (JAWS_PILOT, x, y, 10.0)
            view = TableView(eye.plan, eye.lens)
            seen = observe(eye.frame(), eye.look(hidden=hidden), view).pieces[piece]
            assert seen.x_mm is not None
            assert seen.y_mm is not None
            assert seen.place_sd_mm
            off_sds.append(math.hypot(seen.x_mm - x, seen.y_mm - y) / seen.place_sd_mm)
    assert float(np.mean(np.array(off_sds) <= 3.0)) >= 0.98


def test_a_board_without_markers_is_recalled_by_its_outline(eye: Eye) -> None:
    """A calibration may name one; its outline, too, tells how surely points of it are known."""
    board = replace(eye.plan.board(JAWS_PILOT), corners=None)
    corners = [(0.0, 0.0), (240.0, 0.0), (240.0, 110.0), (0.0, 110.0)]
    first, second, third, fourth = ((x, y) for x, y in eye.pixels(JAWS_PILOT, corners).tolist())
    place = recalled(board, eye.lens, BoardFound((first, second, third, fourth), 0, 0.0))
    assert place is not None
    middle, corner = place.corner_sds(np.array([(120.0, 55.0), (0.0, 0.0)]))
    assert corner == pytest.approx(1.0)
    assert middle < 1.5


def test_one_marker_is_not_enough(eye: Eye) -> None:
    """Nor are two that no other board's markers stand beside."""
    view = TableView(eye.plan, eye.lens)
    assert JAWS_PILOT not in view.look(eye.look(hidden=[0, 1, 2]), SIZE)
    alone = [marker for marker in eye.look() if marker.id in {0, 1}]
    assert view.look(alone, SIZE).keys() == {
        "Jaws Gunner View",
        "Paws Pilot View",
        "Paws Gunner View",
        *TRACKS,
    }
    assert not TableView(eye.plan, eye.lens).look(alone, SIZE)


def test_a_covered_board_keeps_its_place(eye: Eye) -> None:
    """A hand hides it; nothing says that it moved."""
    view = TableView(eye.plan, eye.lens)
    before = view.look(eye.look(), SIZE)[JAWS_PILOT]
    for hidden in ([0], [0, 1], [0, 1, 2], [0, 1, 2, 3]):
        assert view.look(eye.look(hidden=hidden), SIZE)[JAWS_PILOT] is before
        assert not view.moved


def test_a_nudged_board_is_found_anew_and_named(eye: Eye) -> None:
    """The others keep theirs, bit for bit."""
    view = TableView(eye.plan, eye.lens)
    before = view.look(eye.look(), SIZE)
    eye.nudge(JAWS_PILOT, 6.0, -4.0, 3.0)
    after = view.look(eye.look(), SIZE)
    assert view.moved == {JAWS_PILOT}
    assert off_mm(view, eye, JAWS_PILOT, 8.0) < 0.01
    assert all(after[name] is before[name] for name in BOARDS if name != JAWS_PILOT)


def test_a_board_nudged_under_a_hand_has_no_place_until_two_markers_show(eye: Eye) -> None:
    """One marker that is elsewhere proves that the old place is wrong, and no new one."""
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(), SIZE)
    eye.nudge(JAWS_PILOT, 6.0, 0.0)
    assert JAWS_PILOT not in view.look(eye.look(hidden=[0, 1, 2]), SIZE)
    assert view.moved == {JAWS_PILOT}
    assert JAWS_PILOT in view.look(eye.look(hidden=[0, 1]), SIZE)


def test_a_marker_half_under_a_finger_does_not_bend_the_board(eye: Eye) -> None:
    """Its corners are off by 2 mm: the other three agree and are believed."""
    markers = eye.look()
    pushed = [_pushed(marker, 3.0) if marker.id == 2 else marker for marker in markers]
    view = TableView(eye.plan, eye.lens)
    view.look(pushed, SIZE)
    assert off_mm(view, eye, JAWS_PILOT) < 0.05


def test_an_id_seen_twice_counts_for_nothing(eye: Eye) -> None:
    """The three others place the board."""
    markers = eye.look()
    stranger = MarkerSeen(0, eye.plan.dictionary, markers[0].corners_px + 200.0)
    view = TableView(eye.plan, eye.lens)
    view.look([stranger, *markers], SIZE)
    assert off_mm(view, eye, JAWS_PILOT) < 0.05


def test_a_place_from_few_markers_is_bettered_when_more_show(make_eye: Callable[..., Eye]) -> None:
    """And this is no move."""
    eye = make_eye(noise_px=0.05)
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(hidden=[1, 2]), SIZE)
    assert view.look(eye.look(), SIZE)[JAWS_PILOT].markers == 4
    assert not view.moved


def test_another_picture_size_starts_afresh(
    make_eye: Callable[..., Eye], bent: Callable[..., Lens]
) -> None:
    """The lens known at 720p holds at 1080p; the boards are looked for again."""
    small, large = make_eye(bent(SIZE)), make_eye(bent(SIZE).at((1920, 1080)))
    view = TableView(small.plan, small.lens)
    view.look(small.look(), SIZE)
    view.look(large.look(), (1920, 1080))
    assert off_mm(view, large, JAWS_PILOT, 8.0) < 0.02


def test_a_lens_of_another_shape_is_refused() -> None:
    """A camera crops its sensor for another shape: what was calibrated does not hold."""
    told = r"calibrated at 1280 x 720 .* 640 x 480.*take \[lens\] out"
    with pytest.raises(CameraError, match=told):
        Lens.usual((1280, 720)).at((640, 480))


def test_a_lens_that_does_not_serve_is_told_and_fitted_anew(eye: Eye) -> None:
    """A table's file with the lens of another picture shape must not stop the table."""
    view = TableView(eye.plan, replace(Lens.usual((640, 480)), assumed=False))
    view.look(eye.look(), SIZE)
    assert "another shape" in view.trouble
    assert max(off_mm(view, eye, board, 8.0) for board in BOARDS) < 0.5


@given(st.floats(0, 1279), st.floats(0, 719))
def test_rays_and_pixels_are_each_others_reverse(
    bent: Callable[..., Lens], x: float, y: float
) -> None:
    """Also in the corners, where the lens bends most."""
    lens = bent(SIZE)
    back = lens.pictured(lens.rays(np.array([(x, y)])))
    assert np.abs(back - (x, y)).max() < 0.05


def test_few_corners_leave_the_lens_as_unsure_as_it_was() -> None:
    """One marker says nothing of it: about the usual lens stands, and may be any other."""
    square = np.array([(0.0, 0.0), (100.0, 0.0), (100.0, 100.0), (0.0, 100.0)])
    for lens in (guessed_lens(SIZE, [square], [square + 300.0]), guessed_lens(SIZE, [], [])):
        assert lens.focal_px[0] / SIZE[0] == pytest.approx(0.72, abs=0.05)
        assert sum(way.focal**2 for way in lens.spread) ** 0.5 > 0.2


def test_no_picture_is_needed_to_start(eye: Eye) -> None:
    """Nothing seen yet, nothing there."""
    view = TableView(eye.plan)
    assert view.lens is None
    assert view.look([], SIZE) == {}


def _pushed(marker: MarkerSeen, by_px: float) -> MarkerSeen:
    corners = marker.corners_px.copy()
    corners[:2] += by_px
    return MarkerSeen(marker.id, marker.dictionary, corners)


@pytest.mark.parametrize("size_px", [(1280, 720), (1920, 1080)])
def test_one_board_alone_tells_the_bend_by_its_markers_shapes(
    make_hex_eye: Callable[..., Eye], bent: Callable[..., Lens], size_px: tuple[int, int]
) -> None:
    """Tokens all over it are then read to three quarters of a millimetre at the most."""
    eye = make_hex_eye(noise_px=0.05)
    eye.lens = bent(size_px)
    (board,) = eye.plan.boards
    view = TableView(eye.plan)
    view.look(eye.look(), size_px)
    assert view.lens is not None
    assert view.lens.assumed
    assert view.lens.distortion[0] == pytest.approx(-0.11, abs=0.04)
    width, height = board.size_mm
    grid = np.array([(x * width, y * height) for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)])
    found = view.places[board.name].to_board(eye.pixels(board.name, grid.tolist(), 8.0), 8.0)
    assert np.linalg.norm(found - grid, axis=1).max() < 0.75
