"""Calibrating: a minute's work with pieces on the table, and words for all that can be wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.board import BoardPlan, Pose
from companion.core.errors import CameraError
from companion.games import RULEBOOKS
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, board_plan
from ui.terminal.setting_up import plan_of, plans
from vision.boards.calibrating import PATIENCE, READS, Calibrating, Progress, Quality, Stage
from vision.boards.view import TableView
from vision.camera.frame import Frame
from vision.drawing.lying import TokenSpot
from vision.drawing.table import PictureLook, SimulatedTable
from vision.markers.reading import MarkerReader
from vision.tracking.observation import observe

JAWS_PILOT = "Jaws Pilot View"
SIZE = (1280, 720)


def drawn(plan: BoardPlan, seed: int = 3, look: PictureLook | None = None) -> SimulatedTable:
    """A table with its pieces standing on it, as it is when a game begins."""
    table = SimulatedTable(plan, seed, SIZE, look=look or PictureLook(noise=2.0))
    spaces = [space for board in plan.boards if board.holds_pieces for space in board.spaces]
    for token, space in zip(plan.tokens, spaces[:: max(1, len(spaces) // 6)], strict=False):
        facing = 2 if plan.board_of[space.name].facings else None
        table.place(token.piece, Pose(space.name, facing), offset_mm=(0.0, 0.0))
    return table


def finish(calibrating: Calibrating, table: SimulatedTable) -> Progress:
    for _ in range(PATIENCE + 1):
        progress = calibrating.look(table.read())
        if progress.stage.over:
            return progress
    raise AssertionError("not over in time")


@pytest.fixture
def table() -> SimulatedTable:
    return drawn(board_plan())


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("box", RULEBOOKS)
def test_every_box_is_calibrated_from_ten_frames(box: str) -> None:
    """With the pieces on the boards: half a second of pictures, every board good."""
    table = drawn(plan_of(box))
    progress = finish(Calibrating(table.plan, table.name, table.lens), table)
    assert (progress.stage, progress.frames) == (Stage.READY, READS)
    assert {check.quality for check in progress.boards} == {Quality.GOOD}
    assert len(progress.boards) == sum(1 for board in table.plan.boards if board.corners)
    assert max(check.error_px or 9.0 for check in progress.boards) < 0.25


def test_the_result_says_where_every_board_lies(table: SimulatedTable) -> None:
    """To a tenth of a millimetre all over it, and holds for this camera at this size."""
    calibrating = Calibrating(table.plan, table.name, table.lens)
    progress = finish(calibrating, table)
    result = calibrating.result("2026-11-21")
    assert (result.camera, result.size_px, result.made_on) == (table.name, SIZE, "2026-11-21")
    for name, found in result.boards.items():
        board = table.board(name)
        width, height = board.size_mm
        corners = [board.to_table(p) for p in ((0, 0), (width, 0), (width, height), (0, height))]
        off_px = np.array(found.outline_px) - table.optics.to_px(corners)
        assert np.abs(off_px).max() < 0.35
    assert progress.px_per_mm == pytest.approx(result.px_per_mm, abs=0.001)
    side = MarkerReader(table.plan.dictionary).read(table.read().grey)[0].side_px
    assert result.px_per_mm == pytest.approx(side / 28.0, rel=0.03)


def test_a_calibrated_board_is_known_under_a_hand(table: SimulatedTable) -> None:
    """From the first frame on, with no marker of it in sight."""
    calibrating = Calibrating(table.plan, table.name, table.lens)
    finish(calibrating, table)
    view = TableView(table.plan)
    view.remember(calibrating.result())
    seen = MarkerReader(table.plan.dictionary).read(table.read().grey)
    hidden = set(table.plan.board(JAWS_PILOT).corners or ())
    places = view.look([marker for marker in seen if marker.id not in hidden], SIZE)
    assert set(places) == {board.name for board in table.plan.boards}
    middle = table.optics.to_px([table.board(JAWS_PILOT).to_table((120.0, 55.0))], 8.0)
    assert np.abs(places[JAWS_PILOT].to_board(middle, 8.0) - (120.0, 55.0)).max() < 0.2
    assert not view.drift_words


def test_a_picture_of_something_else_shows_no_calibrated_board(table: SimulatedTable) -> None:
    """A camera that was swung aside sees none; the first corner in sight brings all back."""
    calibrating = Calibrating(table.plan, table.name, table.lens)
    finish(calibrating, table)
    view = TableView(table.plan)
    view.remember(calibrating.result())
    assert not view.look([], SIZE)
    assert not view.look([], SIZE)
    seen = MarkerReader(table.plan.dictionary).read(table.read().grey)
    corner = next(iter(table.plan.board(JAWS_PILOT).corners or ()))
    places = view.look([marker for marker in seen if marker.id == corner], SIZE)
    assert set(places) == {board.name for board in table.plan.boards}


def test_out_of_focus_is_said_and_refused() -> None:
    """In words that a player can act on, whether markers are still read or no more."""
    for blur_px in (2.2, 3.5):
        table = drawn(board_plan(), look=PictureLook(blur_px=blur_px))
        calibrating = Calibrating(table.plan, table.name)
        progress = calibrating.look(table.read())
        assert progress.stage is Stage.BLURRED
        assert progress.words.startswith("Out of focus: turn the lens")
        assert (progress.blur_px or 0) > 1.5
        with pytest.raises(CameraError, match="Out of focus"):
            calibrating.result()


def test_a_dark_picture_and_one_without_boards_are_told_apart() -> None:
    """And neither gives a calibration."""
    calibrating = Calibrating(board_plan())
    assert calibrating.look(_frame(np.full(SIZE[::-1], 12, np.uint8))).stage is Stage.DARK
    with pytest.raises(CameraError, match="nothing to calibrate: The picture is dark"):
        calibrating.result()
    crisp = np.full(SIZE[::-1], 120, np.uint8)
    crisp[200:400, 300:600] = 230
    assert calibrating.look(_frame(crisp)).stage is Stage.EMPTY
    with pytest.raises(CameraError, match="No corner marker of these boards is seen"):
        calibrating.result()


def _frame(grey: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Frame:
    return Frame(grey, 0.0, 0)


def test_a_mirrored_picture_is_named(table: SimulatedTable) -> None:
    """Some cameras show a mirror's picture: no marker can be read, and that is why."""
    calibrating = Calibrating(board_plan())
    flipped = np.ascontiguousarray(table.read().grey[:, ::-1])
    progress = calibrating.look(_frame(flipped))
    assert progress.stage is Stage.EMPTY
    assert progress.words.startswith("The picture is mirrored")
    assert "off in the camera's own settings" in progress.words
    with pytest.raises(CameraError, match="nothing to calibrate: The picture is mirrored"):
        calibrating.result()


def test_another_boxs_boards_are_named(table: SimulatedTable) -> None:
    """With the box that lies there, and the one that is looked for; nothing is calibrated."""
    others = [make() for make in plans().values()]
    calibrating = Calibrating(plan_of("dogfight-1917"), others=others)
    progress = calibrating.look(table.read())
    assert progress.stage is Stage.EMPTY
    assert progress.words == (
        "The boards of jaws-and-paws lie there, and those of dogfight-1917 are looked for: lay "
        "those out, or choose jaws-and-paws."
    )
    with pytest.raises(CameraError, match="The boards of jaws-and-paws lie there"):
        calibrating.result()


def _swap(table: SimulatedTable, first: str, second: str) -> None:
    """Two boards change places, and the first comes to lie the other way round."""
    (ax, ay), (bx, by) = table.board(first).centre_mm, table.board(second).centre_mm
    table.nudge(first, bx - ax, by - ay, 180.0)
    table.nudge(second, ax - bx, ay - by)


def test_boards_may_lie_anywhere_swapped_and_turned(table: SimulatedTable) -> None:
    """Two have changed places and one lies the other way round: each is known where it is."""
    _swap(table, JAWS_PILOT, "Paws Gunner View")
    calibrating = Calibrating(table.plan, table.name, table.lens)
    assert finish(calibrating, table).stage is Stage.READY
    for name, found in calibrating.result().boards.items():
        board = table.board(name)
        width, height = board.size_mm
        corners = [board.to_table(p) for p in ((0, 0), (width, 0), (width, height), (0, height))]
        assert np.abs(np.array(found.outline_px) - table.optics.to_px(corners)).max() < 0.5


def test_boards_swapped_after_it_are_named_and_followed(table: SimulatedTable) -> None:
    """Each by its name, with how far it went; what stands on them is read where they lie now."""
    calibrating = Calibrating(table.plan, table.name, table.lens)
    finish(calibrating, table)
    _swap(table, JAWS_PILOT, "Paws Gunner View")
    view = TableView(table.plan)
    view.remember(calibrating.result())
    frame = table.read()
    observation = observe(frame, MarkerReader(table.plan.dictionary).read(frame.grey), view)
    told = " ".join(view.drift_words)
    assert f"{JAWS_PILOT} was moved" in told
    assert "Paws Gunner View was moved" in told
    for piece, pose in table.truth().items():
        assert observation.pieces[piece].pose == pose


@pytest.mark.slow
def test_two_boards_with_the_same_markers_are_named(table: SimulatedTable) -> None:
    """Neither is taken for the board; the others are known all the same."""
    for number, (x, y) in zip((0, 1, 2, 3), ((30, 30), (70, 30), (70, 70), (30, 70)), strict=True):
        place = TokenSpot("Paws Gunner View", float(2 * x), float(y), 0.0)
        table.add_stranger(number, place, side_mm=18.0)
    calibrating = Calibrating(table.plan, table.name, table.lens)
    progress = finish(calibrating, table)
    assert progress.stage is Stage.POOR
    (check,) = (check for check in progress.boards if check.board == JAWS_PILOT)
    assert check.quality is Quality.MISSING
    assert "0, 1, 2, 3 (Jaws Pilot View) is there twice: take one of the two" in check.words
    assert JAWS_PILOT not in calibrating.result().boards
    assert len(calibrating.result().boards) == 5


@pytest.mark.slow
def test_a_board_that_is_not_there_is_done_without(table: SimulatedTable) -> None:
    """After three seconds; it is named, with what to do."""
    plan = replace(table.plan, boards=table.plan.boards[:4])
    alone = drawn(plan)
    calibrating = Calibrating(table.plan, alone.name, alone.lens)
    progress = finish(calibrating, alone)
    assert (progress.stage, progress.frames) == (Stage.POOR, PATIENCE)
    assert progress.words.startswith("4 of 6 boards are known. Jaws Action Track: missing, 0 of 4")
    assert len(calibrating.result().boards) == 4


@pytest.mark.slow
def test_a_board_that_does_not_lie_flat_is_poor(table: SimulatedTable) -> None:
    """A sheet printed at another scale than its plan, too: its corners do not fit each other."""
    crooked = dict(table.plan.boards[0].corners or {})
    crooked[2] = (crooked[2][0] - 14.0, crooked[2][1] - 9.0)
    crooked[0] = (crooked[0][0] + 11.0, crooked[0][1])
    boards = (replace(table.plan.boards[0], corners=crooked), *table.plan.boards[1:])
    calibrating = Calibrating(replace(table.plan, boards=boards), table.name, table.lens)
    progress = finish(calibrating, table)
    (check,) = (check for check in progress.boards if check.board == JAWS_PILOT)
    assert check.quality is Quality.POOR
    assert check.words.startswith("Lay it flat, or print its sheet at 100 %")
    assert progress.stage is Stage.POOR


def test_what_was_read_before_a_nudge_counts_no_more(table: SimulatedTable) -> None:
    """The board is known where it lies now, not somewhere between."""
    calibrating = Calibrating(table.plan, table.name, table.lens)
    for _ in range(READS - 2):
        calibrating.look(table.read())
    table.nudge(JAWS_PILOT, 8.0, -3.0)
    progress = finish(calibrating, table)
    assert progress.stage is Stage.READY
    assert progress.frames == 2 * READS - 2
    board, found = table.board(JAWS_PILOT), calibrating.result().boards[JAWS_PILOT]
    off_px = np.array(found.outline_px[0]) - table.optics.to_px([board.to_table((0.0, 0.0))])
    assert np.abs(off_px).max() < 0.35


def test_one_calibration_is_for_one_size_of_picture(table: SimulatedTable) -> None:
    """The message names both."""
    calibrating = Calibrating(table.plan)
    calibrating.look(table.read())
    with pytest.raises(CameraError, match="is 640 x 360 and the frames before are 1280 x 720"):
        calibrating.look(Frame(np.zeros((360, 640), np.uint8), 0.1, 1))


def test_boards_without_markers_cannot_be_calibrated() -> None:
    """They can be given some in the table's file."""
    plan = board_plan()
    bare = replace(plan, boards=tuple(replace(board, corners=None) for board in plan.boards))
    with pytest.raises(CameraError, match="no board of jaws-and-paws has corner markers"):
        Calibrating(bare)


def test_a_photograph_of_something_else_is_empty(photos_picture: Callable[[str], Frame]) -> None:
    """A chess board is no board of ours."""
    calibrating = Calibrating(board_plan())
    progress = calibrating.look(photos_picture("boards/chessboard_001.jpg"))
    assert progress.stage is Stage.EMPTY
    assert all(check.quality is Quality.MISSING for check in progress.boards)


@pytest.fixture
def photos_picture(photos: object) -> Callable[[str], Frame]:
    def read(name: str) -> Frame:
        grey = cv2.imread(f"{photos}/{name}", cv2.IMREAD_GRAYSCALE)
        return Frame(np.asarray(grey, np.uint8), 0.0, 0)

    return read


def test_pieces_stand_as_before(table: SimulatedTable) -> None:
    """Calibrating asks for no empty table and moves nothing."""
    before = table.truth()
    finish(Calibrating(table.plan, table.name), table)
    assert table.truth() == before
    assert {JAWS_PLANE, PAWS_PLANE} <= set(before)
