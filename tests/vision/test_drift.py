"""Nudged boards followed and named: what is ignored, what is said, and when it was the camera."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from companion.core.board import Pose
from companion.core.errors import CameraError
from companion.core.offers import PictureState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from vision.boards.lens import Lens
from vision.boards.place import BoardDrift, Calibration, DriftKind, check_camera, found_of, told
from vision.boards.view import TableView
from vision.drawing.table import SimulatedTable
from vision.markers.reading import MarkerSeen
from vision.tracking.tracker import Tracker

if TYPE_CHECKING:
    from tests.vision.conftest import Eye

SIZE = (1280, 720)
JAWS_PILOT, PAWS_PILOT = "Jaws Pilot View", "Paws Pilot View"


def calibrated(eye: Eye) -> Calibration:
    """What a calibration of this table finds out."""
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(), SIZE)
    boards = {name: found_of(place) for name, place in view.places.items()}
    return Calibration("cam", SIZE, eye.lens, boards)


def remembering(eye: Eye, known: Calibration) -> TableView:
    view = TableView(eye.plan)
    view.remember(known)
    return view


def kinds(view: TableView) -> dict[str, DriftKind]:
    return {name: drift.kind for name, drift in view.drifts.items() if drift.kind != "still"}


@pytest.mark.parametrize(
    ("way_mm", "kind"),
    [(0.3, DriftKind.STILL), (1.6, DriftKind.NUDGED), (12.0, DriftKind.MOVED)],
)
def test_a_way_is_ignored_called_a_nudge_or_a_move(
    eye: Eye, way_mm: float, kind: DriftKind
) -> None:
    """Up to a pixel, up to five, beyond; at 1.5 px a mm or so."""
    known = calibrated(eye)
    eye.nudge(JAWS_PILOT, way_mm, 0.0)
    view = remembering(eye, known)
    view.look(eye.look(), SIZE)
    drift = view.drifts[JAWS_PILOT]
    assert drift.kind is kind
    assert drift.shift_mm == pytest.approx(way_mm, abs=0.15 if kind != "still" else way_mm)
    assert all(d.kind is DriftKind.STILL for n, d in view.drifts.items() if n != JAWS_PILOT)
    assert bool(view.drift_words) == (kind is not DriftKind.STILL)


def test_the_words_say_what_how_far_and_that_it_is_followed(eye: Eye) -> None:
    """Pieces keep their spaces, for those are places on the board."""
    view = remembering(eye, calibrated(eye))
    eye.nudge(JAWS_PILOT, 9.0, 0.0, 4.0)
    view.look(eye.look(), SIZE)
    (words,) = view.drift_words
    assert words.startswith("Jaws Pilot View was moved (")
    assert "+4 degrees" in words
    assert words.endswith("it is followed, pieces keep their spaces")


def test_drift_is_counted_from_the_calibration_on(eye: Eye) -> None:
    """Many small nudges add up, and one back to where it was is none."""
    view = remembering(eye, calibrated(eye))
    for _ in range(6):
        eye.nudge(JAWS_PILOT, 1.5, 0.0)
        view.look(eye.look(), SIZE)
    assert view.drifts[JAWS_PILOT].shift_mm == pytest.approx(9.0, abs=0.2)
    eye.nudge(JAWS_PILOT, -9.0, 0.0)
    view.look(eye.look(), SIZE)
    assert kinds(view) == {}


def test_without_a_calibration_it_is_counted_from_the_first_look(eye: Eye) -> None:
    """The first place of each board is where it was."""
    view = TableView(eye.plan, eye.lens)
    view.look(eye.look(), SIZE)
    assert view.drift_words == ()
    eye.nudge(PAWS_PILOT, 0.0, 7.0)
    view.look(eye.look(), SIZE)
    assert kinds(view) == {PAWS_PILOT: DriftKind.MOVED}


def test_one_marker_that_came_off_moves_no_board(eye: Eye) -> None:
    """Two must agree: the place stays the very same, and nothing is said."""
    view = remembering(eye, calibrated(eye))
    before = view.look(eye.look(), SIZE)[JAWS_PILOT]
    markers = [_pushed(marker, 4.0) if marker.id == 1 else marker for marker in eye.look()]
    assert view.look(markers, SIZE)[JAWS_PILOT] is before
    assert not view.moved


def _pushed(marker: MarkerSeen, by_px: float) -> MarkerSeen:
    return MarkerSeen(marker.id, marker.dictionary, marker.corners_px + by_px)


def test_jitter_moves_no_board(make_eye: Callable[..., Eye]) -> None:
    """Every look of a still table gives the same places, bit for bit."""
    eye = make_eye(noise_px=0.08)
    view = remembering(eye, calibrated(eye))
    first = dict(view.look(eye.look(), SIZE))
    for _ in range(20):
        assert dict(view.look(eye.look(), SIZE)) == first
    assert view.drift_words == ()


def test_when_all_boards_shift_alike_it_was_the_camera(make_eye: Callable[..., Eye]) -> None:
    """One sentence, not six; boards that are not seen have no place any more."""
    eye = make_eye()
    known = calibrated(eye)
    for name in list(eye.boards):
        eye.nudge(name, 20.0, 5.0)
    view = remembering(eye, known)
    hidden = list(eye.plan.board(JAWS_PILOT).corners or ())
    places = view.look(eye.look(hidden=hidden), SIZE)
    (words,) = view.drift_words
    assert words.startswith("the camera was moved, or the table under it")
    assert words.endswith("all boards were found anew; calibrate again when there is time")
    assert "`" not in words  # a screen says it as well as a terminal
    assert JAWS_PILOT not in places


def test_a_calibration_waits_for_a_picture_of_its_size(eye: Eye) -> None:
    """A camera's first picture may have another one: what is known is not lost by that."""
    view = remembering(eye, calibrated(eye))
    corner = eye.look()[:1]
    assert not view.look(corner, (640, 480))
    assert len(view.look(corner, SIZE)) == len(eye.plan.boards)
    assert view.trouble == ""


def test_boards_that_went_different_ways_are_named_each() -> None:
    """Two pushed apart are no camera."""
    drifts = {
        "A": BoardDrift("A", (10.0, 0.0), 10.0, 8.0, 0.0),
        "B": BoardDrift("B", (-10.0, 0.0), 10.0, 8.0, 0.0),
    }
    assert [words.split(" was")[0] for words in told(drifts, ("A", "B"))] == ["A", "B"]
    assert told({}, ()) == ()


def test_another_size_of_picture_knows_nothing_of_the_calibration(
    make_eye: Callable[..., Eye], bent: Callable[..., Lens]
) -> None:
    """Its places are not taken over; the boards are found by their markers alone."""
    small = make_eye()
    large = make_eye(bent(SIZE).at((1920, 1080)))
    view = remembering(small, calibrated(small))
    hidden = list(large.plan.board(JAWS_PILOT).corners or ())
    assert JAWS_PILOT not in view.look(large.look(hidden=hidden), (1920, 1080))


def test_a_calibration_with_an_impossible_outline_is_left_out(eye: Eye) -> None:
    """A file that somebody edited: the board is found by its markers."""
    known = calibrated(eye)
    line = ((0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0))
    broken = {name: type(found)(line, 4, 0.1) for name, found in known.boards.items()}
    view = remembering(eye, Calibration("cam", SIZE, eye.lens, broken))
    assert JAWS_PILOT in view.look(eye.look(), SIZE)


@pytest.mark.parametrize(
    ("camera", "size_px", "said"),
    [
        ("other", SIZE, "with the camera cam, and this is other: plug that one in, or"),
        ("cam", (1920, 1080), "at 1280 x 720 and the pictures are 1920 x 1080: let the camera"),
        ("", (640, 360), "at 1280 x 720 and the pictures are 640 x 360"),
    ],
)
def test_another_camera_or_size_is_refused(
    camera: str, size_px: tuple[int, int], said: str
) -> None:
    """With both named, and the way out."""
    with pytest.raises(
        CameraError, match=rf"table\.toml was (calibrated )?{said}.*run `companion calibrate`"
    ):
        check_camera("cam", SIZE, camera, size_px, "table.toml")


@pytest.mark.parametrize(("camera", "size_px"), [("cam", SIZE), ("", SIZE), ("cam", (0, 0))])
def test_the_same_camera_is_taken(camera: str, size_px: tuple[int, int]) -> None:
    """Pictures that do not say what took them, and cameras whose size is not known yet, too."""
    check_camera("cam", SIZE, camera, size_px, "table.toml")


@pytest.mark.parametrize("way_mm", [3.0, 25.0])
def test_in_play_a_nudged_board_is_placed_anew_within_six_frames(way_mm: float) -> None:
    """Named, and the plane on it stands where it stood, to a tenth of a millimetre."""
    table = SimulatedTable(board_plan(), seed=3)
    table.place(JAWS_PLANE, Pose("Paws.PC"), offset_mm=(0.0, 0.0))
    tracker = Tracker(board_plan(), table.lens)
    before = [tracker.see(table.read()) for _ in range(40)][-1]
    assert before.state is PictureState.SETTLED
    table.nudge(PAWS_PILOT, way_mm, 0.0)
    after = [tracker.see(table.read()) for _ in range(6)][-1]
    assert after.state is PictureState.SETTLED
    assert tracker.view.drift_words[0].startswith("Paws Pilot View was ")
    assert tracker.view.drifts[PAWS_PILOT].shift_mm == pytest.approx(way_mm, abs=0.3)
    was, now = before.pieces[JAWS_PLANE], after.pieces[JAWS_PLANE]
    assert now.pose == was.pose
    assert (now.x_mm, now.y_mm) == pytest.approx((was.x_mm, was.y_mm), abs=0.1)
