"""The drawn table shows what is true of the physical one, and refuses what cannot be drawn."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.board import Piece, Pose
from companion.core.errors import BadCall, CameraLost
from companion.games import find_rulebook
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from companion.match.rulebook import Setup
from vision.camera.camera import Camera
from vision.camera.frame import Frame
from vision.drawing.prints import token_radius_mm
from vision.drawing.table import Edge, PictureLook, SimulatedTable, TokenSpot
from vision.markers.dictionaries import load_dictionary

PLAN = board_plan()


def drawn(seed: int = 1, **settings: Any) -> SimulatedTable:
    """A table with its three tokens on it."""
    table = SimulatedTable(PLAN, seed, **settings)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    table.place(PAWS_PLANE, Pose("Jaws.PC"))
    table.place(SUN, Pose("Jaws.GL"))
    return table


def frames_until_quiet(table: SimulatedTable) -> list[Frame]:
    """All frames in which a hand or the light is busy."""
    frames: list[Frame] = []
    while table.busy:
        frames.append(table.read())
    return frames


def corners_found(frame: Frame) -> dict[int, NDArray[np.float64]]:
    """Every marker by OpenCV's own detector, nothing of ours: id to corners [4, 2]."""
    codes = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_ARUCO_MIP_36h12)
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    quads, ids, _ = cv2.aruco.ArucoDetector(codes, parameters).detectMarkers(frame.grey)
    return {
        int(number): np.asarray(quad, np.float64).reshape(4, 2)
        for quad, number in zip(quads, np.ravel(ids), strict=True)
    }


def spot(table: SimulatedTable, piece: Piece) -> tuple[float, float]:
    """Where on its board a piece stands."""
    standing = table.standing(piece)
    assert standing is not None
    return standing.x_mm, standing.y_mm


def changed_px(before: Frame, after: Frame) -> NDArray[np.bool_]:
    """Where two frames differ by more than noise."""
    return cv2.absdiff(before.grey, after.grey) > 25


def test_it_is_a_camera() -> None:
    """Whatever reads a device reads the drawn table the same way."""
    table = drawn()
    assert isinstance(table, Camera)
    assert table.live
    assert table.size_px == table.read().size_px == (1280, 720)


@pytest.mark.slow
def test_one_seed_draws_the_same_pictures_again() -> None:
    """A demonstration can be repeated picture by picture; another seed is another table."""

    def pictures(seed: int) -> list[NDArray[np.uint8]]:
        table = drawn(seed)
        table.move(JAWS_PLANE, Pose("Paws.GL"))
        return [table.read().grey for _ in range(12)]

    first, again, other = pictures(5), pictures(5), pictures(6)
    assert all(np.array_equal(one, same) for one, same in zip(first, again, strict=True))
    assert not np.array_equal(first[0], other[0])


def test_noise_is_fresh_in_every_frame() -> None:
    """A still table is never the same picture twice, and never far from it."""
    table = drawn()
    one, other = table.read(), table.read()
    assert not np.array_equal(one.grey, other.grey)
    assert not changed_px(one, other).any()


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_markers_lie_where_the_lens_sees_them(seed: int) -> None:
    """Tokens stand with their height where they are said to stand, to a third of a pixel."""
    table = drawn(seed, look=PictureLook(noise=0.0, falloff=0.1))
    found = corners_found(table.read())
    for token in PLAN.tokens:
        standing = table.standing(token.piece)
        assert standing is not None
        assert standing.board is not None
        middle_mm = table.board(standing.board).to_table((standing.x_mm, standing.y_mm))
        expected = table.optics.to_px([middle_mm], token.height_mm)[0]
        assert np.abs(found[token.marker].mean(axis=0) - expected).max() < 0.35


@pytest.mark.slow
def test_all_corner_markers_are_in_the_picture() -> None:
    """Each seed hangs the camera elsewhere; the whole table is always before it."""
    corners = {marker for board in PLAN.boards for marker in board.corners or {}}
    for seed in range(20, 26):
        assert corners <= corners_found(SimulatedTable(PLAN, seed).read()).keys()


def test_frames_carry_the_time_of_their_number() -> None:
    """Without a clock nothing waits: frame n is taken at the start plus n frames' time."""
    table = drawn(fps=10.0, start_s=100.0)
    assert [table.read().taken_at for _ in range(3)] == [100.0, 100.1, 100.2]


def test_a_clock_gives_the_time_and_is_waited_for() -> None:
    """With a clock the rate is held by waiting, never by drawing ahead."""
    now = [50.0]

    def wait(rest_s: float) -> None:
        now[0] += rest_s

    table = drawn(fps=10.0, clock=lambda: now[0], wait=wait)
    assert [round(table.read().taken_at, 6) for _ in range(4)] == [50.0, 50.1, 50.2, 50.3]


def test_a_slow_reader_does_not_pile_up_frames() -> None:
    """After a pause of a minute the next frames come at their rate again, not all at once."""
    now = [50.0]

    def wait(rest_s: float) -> None:
        now[0] += rest_s

    table = drawn(fps=10.0, clock=lambda: now[0], wait=wait)
    table.read()
    now[0] += 60.0
    times = [table.read().taken_at for _ in range(3)]
    assert np.allclose(np.diff(times), 0.1)


def test_truth_follows_what_is_done() -> None:
    """Placing, moving and removing change what is true, and nothing else does."""
    table = drawn()
    assert table.truth() == {
        JAWS_PLANE: Pose("Paws.PC"),
        PAWS_PLANE: Pose("Jaws.PC"),
        SUN: Pose("Jaws.GL"),
    }
    table.move(JAWS_PLANE, Pose("Paws.GR"))
    table.move(SUN, None)
    frames_until_quiet(table)
    assert table.truth() == {JAWS_PLANE: Pose("Paws.GR"), PAWS_PLANE: Pose("Jaws.PC")}
    assert table.standing(SUN) is None


def test_a_piece_off_the_table_is_brought_by_a_hand() -> None:
    """A hand may put down what was not there before."""
    table = drawn()
    table.remove(SUN)
    table.move(SUN, Pose("Paws.PL"))
    assert frames_until_quiet(table)
    assert table.truth()[SUN] == Pose("Paws.PL")


@pytest.mark.slow
def test_a_move_is_a_hand_that_comes_and_goes() -> None:
    """The token is under fingers on its way, and is read by anybody before and after."""
    table = drawn()
    before = corners_found(table.read())
    table.move(JAWS_PLANE, Pose("Paws.GL"), edge=Edge.FAR)
    on_the_way = [corners_found(frame) for frame in frames_until_quiet(table)]
    after = corners_found(table.read())
    assert 16 in before
    assert 16 in after
    assert any(16 not in found for found in on_the_way)
    assert np.abs(before[16] - after[16]).max() > 50
    assert np.abs(before[17] - after[17]).max() < 1.0


@pytest.mark.parametrize("edge", list(Edge))
def test_a_hand_reaches_in_from_its_edge(edge: Edge) -> None:
    """A hand is never an island: it comes from one edge, and none is left when it has gone."""
    table = drawn(look=PictureLook(noise=0.0))
    empty = table.read()
    table.hand_rest(3, over="Jaws.PC", edge=edge)
    frames = frames_until_quiet(table)
    resting = changed_px(empty, frames[len(frames) // 2])
    rim = {
        Edge.NEAR: resting[-1],
        Edge.FAR: resting[0],
        Edge.LEFT: resting[:, 0],
        Edge.RIGHT: resting[:, -1],
    }
    assert rim[edge].any()
    assert not changed_px(empty, table.read()).any()


def test_cards_lie_on_their_section_only() -> None:
    """What is laid is seen where it lies, and can be taken away again."""
    table = drawn(look=PictureLook(noise=0.0))
    empty = table.read()
    table.lay({"Jaws.2": ["P"], "Paws.4": ["G", "P"]})
    laid = changed_px(empty, table.read())
    for section, touched in (("Jaws.2", True), ("Paws.4", True), ("Jaws.4", False)):
        board = table.board(PLAN.board_of[section].name)
        middle_mm = board.to_table(PLAN.spaces[section].centre_mm)
        x, y = np.rint(table.optics.to_px([middle_mm])[0]).astype(int)
        assert laid[y - 20 : y + 20, x - 20 : x + 20].any() == touched
    table.lay({"Jaws.2": [], "Paws.4": []})
    assert not changed_px(empty, table.read()).any()


def test_white_and_black_borders_look_different() -> None:
    """The deck of a card that lies face down is seen by its border.  (JP-1.4)"""
    table = drawn(look=PictureLook(noise=0.0))
    table.lay({"Jaws.1": ["P"]})
    pilot = table.read()
    table.lay({"Jaws.1": ["G"]})
    assert changed_px(pilot, table.read()).any()


def test_a_hand_lays_cards() -> None:
    """Cards appear under the hand, not before it comes."""
    table = drawn(look=PictureLook(noise=0.0))
    empty = table.read()
    table.lay({"Jaws.1": ["P"]}, by_hand=True)
    assert not changed_px(empty, table.read())[250:400].any()
    assert len(frames_until_quiet(table)) > 10
    assert changed_px(empty, table.read()).any()


def test_a_pushed_board_takes_its_tokens_along() -> None:
    """Tokens keep their place on the board when the board does not keep its own."""
    table = drawn()
    before, standing = corners_found(table.read()), table.standing(PAWS_PLANE)
    table.nudge("Jaws Pilot View", 20.0, 0.0, 5.0)
    after = corners_found(table.read())
    assert table.standing(PAWS_PLANE) == standing
    assert np.abs(after[17] - before[17]).max() > 15
    assert np.abs(after[4] - before[4]).max() < 1.0


def test_light_dims_everything_and_comes_back() -> None:
    """A lamp at half its light halves the picture."""
    table = drawn(look=PictureLook(noise=0.0))
    before = table.read()
    table.light(0.5)
    dim = table.read()
    assert 0.45 < dim.grey.mean() / before.grey.mean() < 0.55
    table.light(1.0, frames=4)
    frames_until_quiet(table)
    assert np.array_equal(before.grey, table.read().grey)


def test_a_shadow_passes() -> None:
    """Somebody leans over: darker for a while, nothing moved."""
    table = drawn(look=PictureLook(noise=0.0))
    before = table.read()
    table.lean_over(10)
    frames = frames_until_quiet(table)
    assert min(frame.grey.mean() for frame in frames) < 0.95 * before.grey.mean()
    assert np.array_equal(before.grey, table.read().grey)


def test_strangers_lie_beside_the_pieces() -> None:
    """A token that is not in the plan, or a copy of one that is, is no piece of the truth."""
    table = drawn()
    truth = table.truth()
    table.add_stranger(49, TokenSpot("Paws Gunner View", 70.0, 55.0))
    assert 49 in corners_found(table.read())
    assert table.truth() == truth
    table.remove_strangers()
    assert 49 not in corners_found(table.read())


@pytest.mark.slow
def test_two_tokens_share_a_zone_side_by_side() -> None:
    """Hands set the Sun down beside the plane that stands there, not on it.  (JP-2.10)"""
    for seed in range(40, 46):
        table = drawn(seed)
        table.place(SUN, Pose("Jaws.PC"))
        assert {17, 36} <= corners_found(table.read()).keys()


def test_tokens_give_way_to_one_another_while_their_zone_has_room() -> None:
    """Hands push planes aside for the Sun and lay it on none; each stays in its zone.  (JP-2.10)"""
    rules = find_rulebook("jaws-and-paws").in_variants(("five-players",))
    plan = rules(Setup("jaws-and-paws", ("five-players",))).plan
    zone = [Piece("paws-on-jaws"), Piece("jaws2-on-jaws"), SUN]
    cells = load_dictionary(plan.dictionary).cells
    wide_mm = {piece: token_radius_mm(plan.token_of[piece], cells) for piece in zone}
    for seed in range(6):
        table = SimulatedTable(plan, seed, (640, 360))
        for piece in zone:
            table.place(piece, Pose("Jaws.PL"))
        for one, other in combinations(zone, 2):
            (x, y), (u, v) = spot(table, one), spot(table, other)
            assert np.hypot(x - u, y - v) >= wide_mm[one] + wide_mm[other], f"seed {seed}"
        assert table.truth() == dict.fromkeys(zone, Pose("Jaws.PL"))


def test_a_jpeg_camera_sends_what_a_jpeg_keeps() -> None:
    """Compression changes pixels, not places."""
    table = drawn(look=PictureLook(jpeg_quality=70))
    assert {16, 17, 36} <= corners_found(table.read()).keys()


def test_an_unplugged_camera_is_lost_until_plugged_in() -> None:
    """As a device whose cable came out."""
    table = drawn()
    table.unplug()
    with pytest.raises(CameraLost, match="unplugged"):
        table.read()
    table.plug_in()
    assert table.read().number == 0


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda table: table.place(SUN, Pose("Jaws.XX")), "Jaws.XX"),
        (lambda table: table.place(Piece("moon"), Pose("Jaws.PC")), "moon"),
        (lambda table: table.move(SUN, Pose("nowhere")), "nowhere"),
        (lambda table: table.stand(SUN, TokenSpot("No board", 1.0, 1.0)), "No board"),
        (lambda table: table.lay({"Jaws.1": ["P"], "Jaws.2": ["X"]}), "'X'"),
        (lambda table: table.lay({"Jaws.9": ["P"]}, by_hand=True), "Jaws.9"),
        (lambda table: table.hand_rest(5, over="the moon"), "the moon"),
        (lambda table: table.light(0.0), "light"),
        (lambda table: table.nudge("No board", 1.0, 1.0), "No board"),
        (lambda table: table.add_stranger(9999, TokenSpot(None, 0.0, 0.0)), "9999"),
    ],
)
def test_what_cannot_be_drawn_is_refused(act: Callable[[SimulatedTable], None], words: str) -> None:
    """The message names the thing; the table is as before, and so is its picture."""
    table = drawn(look=PictureLook(noise=0.0))
    before, truth = table.read(), table.truth()
    with pytest.raises(BadCall, match=words):
        act(table)
    assert not table.busy
    assert table.truth() == truth
    assert np.array_equal(table.read().grey, before.grey)
