"""The drawn hex board, camera and eyes together: every pose learned from the frames."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.core.board import Board, BoardPlan, Piece, Pose
from companion.core.errors import BadCall
from companion.core.offers import PictureState, SeenState, Sighting
from companion.games.dogfight_1917.boards import BOARD, board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import board_plan as jaws_and_paws_plan
from vision.drawing.dice import DIE_MM, DrawnDie
from vision.drawing.lying import TableSpot
from vision.drawing.painter import square
from vision.drawing.prints import board_print
from vision.drawing.table import PictureLook, SimulatedTable, TokenSpot
from vision.markers.dictionaries import load_dictionary
from vision.tracking.tracker import Tracker

PLAN = board_plan(assumed_figures())
FOKKER, CAMEL, ALBATROS, SPAD = (Piece(p) for p in ("fokker", "camel", "albatros", "spad"))
STARTS = {
    FOKKER: Pose("0,4", 0),
    CAMEL: Pose("0,-4", 3),
    ALBATROS: Pose("-4,0", 2),
    SPAD: Pose("4,0", 5),
}
SIZE_PX = (1920, 1080)


def drawn(seed: int, **settings: Any) -> SimulatedTable:
    """Four planes at their starts, before a camera of 1080 lines."""
    table = SimulatedTable(PLAN, seed, SIZE_PX, **settings)
    for piece, pose in STARTS.items():
        table.place(piece, pose)
    return table


def settled(tracker: Tracker, table: SimulatedTable, most: int = 60) -> Sighting:
    """The first settled sighting after hands are gone."""
    while table.busy:
        tracker.see(table.read())
    told = [tracker.see(table.read())]
    while told[-1].state is not PictureState.SETTLED and len(told) < most:
        told.append(tracker.see(table.read()))
    assert told[-1].state is PictureState.SETTLED
    return told[-1]


def poses(sighting: Sighting) -> dict[Piece, Pose | None]:
    return {piece: seen.pose for piece, seen in sighting.pieces.items()}


def test_place_honours_the_facing() -> None:
    """About where it points, as hands turn a plane; never beyond what is clear."""
    table = drawn(1)
    assert table.truth() == STARTS
    for facing in range(6):
        table.place(FOKKER, Pose("0,0", facing))
        standing = table.standing(FOKKER)
        assert standing is not None
        assert abs((standing.heading_deg - 60.0 * facing + 180.0) % 360.0 - 180.0) <= 15.0
        assert table.truth()[FOKKER] == Pose("0,0", facing)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", range(3))
def test_every_pose_is_learned_from_the_frames(seed: int) -> None:
    """Anywhere on the board, any facing: what is seen is what is true."""
    chance = np.random.default_rng(seed)
    table = drawn(seed)
    tracker = Tracker(PLAN, table.lens)
    names = sorted(PLAN.spaces)
    for _ in range(5):
        spaces = chance.choice(names, len(PLAN.tokens), replace=False).tolist()
        for token, space in zip(PLAN.tokens, spaces, strict=True):
            table.place(token.piece, Pose(space, int(chance.integers(6))))
        assert poses(settled(tracker, table)) == table.truth()


def test_a_hand_flies_a_plane_and_turns_it() -> None:
    """Carried to another hex and set down with another heading."""
    table = drawn(2)
    tracker = Tracker(PLAN, table.lens)
    settled(tracker, table)
    for pose in (Pose("-1,3", 5), Pose("-1,2", 0), Pose("-1,2", 1), Pose("0,1", 1)):
        table.move(FOKKER, pose)
        assert poses(settled(tracker, table)) == {**STARTS, FOKKER: pose}


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", range(1, 4))
def test_planes_whose_bases_touch_are_both_read(seed: int) -> None:
    """A camera of 720 lines: the quick look takes two white rims for one, a second one does not."""
    table = SimulatedTable(PLAN, seed, (1280, 720))
    table.stand(CAMEL, TokenSpot(BOARD, 329.5, 159.3, 58.6))
    table.stand(ALBATROS, TokenSpot(BOARD, 288.6, 135.4, 234.6))
    tracker = Tracker(PLAN, table.lens)
    seen = settled(tracker, table).pieces
    assert {piece: seen[piece].pose for piece in (CAMEL, ALBATROS)} == table.truth()
    assert all(seen[piece].state is SeenState.SEEN for piece in (CAMEL, ALBATROS))
    later = [tracker.see(table.read()) for _ in range(50)][-1]  # checked every other second
    assert later.state is PictureState.SETTLED
    assert later.pieces[CAMEL].state is SeenState.SEEN


@pytest.mark.slow
def test_a_plane_taken_off_the_board_is_lost_and_one_beside_it_is_not() -> None:
    """Shot down and removed, or put down on the table: two things to ask about.  (DF-E04)"""
    table = drawn(3)
    tracker = Tracker(PLAN, table.lens)
    settled(tracker, table)
    table.move(SPAD, None)
    sighting = settled(tracker, table)
    assert sighting.pieces[SPAD].state in {SeenState.LOST, SeenState.COVERED}
    assert sighting.off_board == frozenset()
    table.stand(SPAD, TokenSpot(None, 30.0, 350.0, 10.0))
    sighting = settled(tracker, table)
    assert sighting.pieces[SPAD].state is SeenState.UNSURE
    assert sighting.off_board == {SPAD}
    table.move(SPAD, Pose("4,-2", 4))
    assert poses(settled(tracker, table)) == {**STARTS, SPAD: Pose("4,-2", 4)}


@pytest.mark.slow
def test_a_heading_between_two_facings_is_told_by_name() -> None:
    """Settled, and not guessed: both facings of one space.  (DF-E02)"""
    table = drawn(4)
    tracker = Tracker(PLAN, table.lens)
    table.place(CAMEL, Pose("1,1", 0), heading_deg=151.0)
    camel = settled(tracker, table).pieces[CAMEL]
    assert (camel.state, camel.spaces, camel.facings) == (SeenState.UNSURE, ("1,1",), (3, 2))


@pytest.mark.slow
def test_two_planes_on_one_hex_are_seen_there() -> None:
    """The box judges it.  (DF-E03)"""
    table = drawn(5)
    tracker = Tracker(PLAN, table.lens)
    table.place(CAMEL, Pose("1,1", 0), offset_mm=(-20.5, 0.0), heading_deg=0.0)
    table.place(SPAD, Pose("1,1", 0), offset_mm=(20.5, 0.0), heading_deg=0.0)
    seen = poses(settled(tracker, table))
    assert seen[CAMEL] == seen[SPAD] == Pose("1,1", 0)


@pytest.mark.slow
def test_planes_side_by_side_do_not_hide_each_other() -> None:
    """All four on neighbouring hexes, nose to nose."""
    table = drawn(6)
    tracker = Tracker(PLAN, table.lens)
    close = {
        FOKKER: Pose("0,0", 0),
        CAMEL: Pose("0,-1", 3),
        ALBATROS: Pose("1,-1", 4),
        SPAD: Pose("1,0", 5),
    }
    for piece, pose in close.items():
        table.place(piece, pose)
    assert poses(settled(tracker, table)) == table.truth() == close


def test_tactical_positions_are_printed_as_many_discs() -> None:
    """The sign's own word says how many."""
    board = PLAN.board(BOARD)
    art = board_print(board, load_dictionary(PLAN.dictionary))
    scale = art.shape[1] / board.size_mm[0]

    def discs(name: str) -> int:
        x, y = (round(n * scale) for n in PLAN.spaces[name].centre_mm)
        reach = round(15 * scale)
        patch = art[y - round(6 * scale) : y + round(6 * scale), x - reach : x + reach]
        yellow = (patch[..., 2] > 200) & (patch[..., 0] < 120)
        return cv2.connectedComponents(yellow.astype(np.uint8))[0] - 1

    found = {name: discs(name) for name in PLAN.spaces}
    worth = {name: int(space.sign[-1]) if space.sign else 0 for name, space in PLAN.spaces.items()}
    assert found == worth
    assert sorted(set(worth.values())) == [0, 1, 2]


def test_a_nose_shows_which_way_a_plane_points() -> None:
    """For people who look at the picture: the token stands out in front, and only there."""
    table = drawn(7, look=PictureLook(noise=0.0, turn_deg=0.0))
    table.remove(FOKKER)
    empty = table.read()
    table.place(FOKKER, Pose("0,2", 2), offset_mm=(0.0, 0.0), heading_deg=120.0)
    there = cv2.absdiff(table.read().grey, empty.grey)
    standing = table.standing(FOKKER)
    assert standing is not None

    def touched(ahead_deg: float) -> bool:
        place = np.radians(120.0 + ahead_deg)
        board = table.board(BOARD)
        middle = board.to_table((standing.x_mm, standing.y_mm))
        reach = 0.96 * PLAN.token_of[FOKKER].side_mm  # just beyond the token's round edge
        tip = (middle[0] + reach * np.sin(place), middle[1] - reach * np.cos(place))
        x, y = np.rint(table.optics.to_px([tip], 8.0)[0]).astype(int)
        return bool(there[y, x] > 40)

    assert touched(0.0)
    assert not touched(90.0)


@pytest.mark.parametrize("plan", [PLAN, jaws_and_paws_plan()], ids=lambda plan: plan.box)
@pytest.mark.parametrize("seed", range(4))
def test_dice_come_to_rest_beside_the_boards(plan: BoardPlan, seed: int) -> None:
    """In the picture, on no board, on no token and not on each other; a new throw replaces them."""
    table = SimulatedTable(plan, seed)
    for values in ([1, 2, 3, 4, 5, 6], [6, 6]):
        table.roll(values, ["white", "black"])
        assert [die.value for die in table.dice] == values
        assert [die.colour for die in table.dice] == ["white", "black"] * (len(values) // 2)
        middles = [(die.x_mm, die.y_mm) for die in table.dice]
        apart = [math.dist(one, other) for one, other in combinations(middles, 2)]
        assert min(apart) >= DIE_MM * math.sqrt(2)
        for middle in middles:
            x, y = table.optics.to_px([middle], DIE_MM)[0]
            assert 20 < x < 1260
            assert 20 < y < 700
            boards = [table.board(board.name) for board in plan.boards]
            assert min(_outside_mm(middle, board) for board in boards) > DIE_MM / math.sqrt(2)
    table.roll([])
    assert table.dice == ()


def _outside_mm(point: tuple[float, float], board: Board) -> float:
    """How far a point of the table is outside a board's outline."""
    width, height = board.size_mm
    outline = [board.to_table(one) for one in ((0, 0), (width, 0), (width, height), (0, height))]
    line = np.array(outline, np.float32).reshape(-1, 1, 2)
    return -cv2.pointPolygonTest(line, point, measureDist=True)


def test_dice_show_as_many_pips_as_they_have() -> None:
    """White dice with dark pips, black ones with light pips; counted in the picture."""
    table = drawn(9, look=PictureLook(noise=0.0, falloff=0.0, blur_px=0.3))
    for values in ([1, 2, 3], [4, 5, 6]):
        for colour in ("white", "black"):
            table.roll(values, [colour])
            picture = table.read().grey
            assert [_pips(table, picture, die) for die in table.dice] == values


def _pips(table: SimulatedTable, picture: NDArray[np.uint8], die: DrawnDie) -> int:
    """Blobs on the top face of a die that differ from it."""
    place = TableSpot(die.x_mm, die.y_mm, die.turn_deg)
    side = 96
    onto = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    corners = square(table.optics, place, 0.84 * DIE_MM, DIE_MM).astype(np.float32)
    face = cv2.warpPerspective(
        picture, cv2.getPerspectiveTransform(corners, onto), (side, side), flags=cv2.INTER_CUBIC
    )
    low, high = int(face.min()), int(face.max())
    middle = (low + high) / 2
    other = face < middle if die.colour == "white" else face > middle
    return cv2.connectedComponents(other.astype(np.uint8))[0] - 1


@pytest.mark.slow
def test_a_hand_throws_the_dice() -> None:
    """They lie there once the hand has come, not before."""
    table = drawn(10)
    table.roll([3, 5], by_hand=True)
    assert table.dice == ()
    assert table.busy
    while table.busy:
        table.read()
    assert [die.value for die in table.dice] == [3, 5]


@pytest.mark.slow
def test_dice_beside_the_board_change_nothing_on_it() -> None:
    table = drawn(11)
    tracker = Tracker(PLAN, table.lens)
    before = poses(settled(tracker, table))
    table.roll([1, 6, 6, 2], ["white", "black"], by_hand=True)
    assert poses(settled(tracker, table)) == before == STARTS


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda table: table.place(FOKKER, Pose("9,9", 0)), "9,9"),
        (lambda table: table.place(FOKKER, Pose("0,0", 6)), "no facing 6 on Battlefield Board"),
        (lambda table: table.move(FOKKER, Pose("0,0", -1)), "no facing -1"),
        (lambda table: table.lay({"0,0": ["P"]}), "this box lays no cards"),
        (lambda table: table.roll([3, 7]), "no die shows 7; a die shows 1 to 6"),
        (lambda table: table.roll([3], ["pink"]), "no die is 'pink'; dice are white, black"),
        (lambda table: table.roll([1] * 200), "no room for 200 dice"),
    ],
)
def test_what_cannot_be_drawn_is_refused(act: Callable[[SimulatedTable], None], words: str) -> None:
    """The message names the thing; the table is as before."""
    table = drawn(8)
    truth = table.truth()
    with pytest.raises(BadCall, match=words):
        act(table)
    assert not table.busy
    assert table.truth() == truth
