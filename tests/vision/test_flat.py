"""All boards drawn flat in one picture: every space where the plan has it, whatever the camera."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.offers import PictureState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from vision.camera.frame import Frame
from vision.drawing.table import PictureLook, SimulatedTable
from vision.evidence.flat import MOST_PX, OUTSIDE, FlatTable, changed_spots
from vision.tracking.tracker import Tracker


@pytest.fixture(scope="module")
def seen() -> tuple[Frame, Tracker]:
    """A settled table with the Jaws plane on Paws.PC."""
    table = SimulatedTable(board_plan(), seed=8, look=PictureLook(falloff=0.05))
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    tracker = Tracker(board_plan(), table.lens)
    for _ in range(40):
        frame = table.read()
        if tracker.see(frame).state is PictureState.SETTLED:
            return frame, tracker
    raise AssertionError("not settled")


@pytest.mark.parametrize("turn_deg", [0, 90, 180, 270])
def test_every_board_lies_where_the_plan_has_it(seen: tuple[Frame, Tracker], turn_deg: int) -> None:
    """Each corner marker's corners, as the camera has them, come to where they are printed."""
    frame, tracker = seen
    flat = FlatTable.of(tracker.view.places, turn_deg)
    assert flat is not None
    wide, high = flat.size_px
    assert wide <= MOST_PX[0]
    assert high <= MOST_PX[1]
    assert flat.drawn(frame.grey).shape == (high, wide)
    for marker in tracker.markers:
        for board in tracker.plan.boards:
            if marker.id in (board.corners or {}):
                middle = flat.to_flat(marker.corners_px)
                printed = flat.spot(board.name, (board.corners or {})[marker.id])
                assert middle is not None
                assert printed is not None
                off = float(np.linalg.norm(middle.mean(axis=0) - np.array(printed)))
                assert off < 1.0 * flat.px_per_mm


def test_what_is_no_board_is_dark(seen: tuple[Frame, Tracker]) -> None:
    """The table's wood between the boards says nothing."""
    frame, tracker = seen
    flat = FlatTable.of(tracker.view.places)
    assert flat is not None
    drawn = flat.drawn(frame.grey)
    assert int(drawn[0, 0]) == OUTSIDE
    assert float((drawn == OUTSIDE).mean()) < 0.5


def test_it_is_worked_out_anew_only_for_boards_that_moved(seen: tuple[Frame, Tracker]) -> None:
    """The same places, or nearly, need nothing; another turn or a board less does."""
    places = seen[1].view.places
    flat = FlatTable.of(places)
    assert flat is not None
    assert flat.holds(places, 0)
    assert not flat.holds(places, 90)
    assert not flat.holds(dict(list(places.items())[1:]), 0)


def test_without_a_board_there_is_no_flat_picture() -> None:
    assert FlatTable.of({}) is None
    with pytest.raises(ValueError, match="by quarters"):
        FlatTable.of({}, 45)


def test_what_differs_is_found_whatever_the_light(seen: tuple[Frame, Tracker]) -> None:
    """A card on a section is one spot; the same table a little darker is none."""
    grey = seen[0].grey
    laid = grey.copy()
    laid[200:260, 300:350] = 255
    (spot,) = changed_spots(grey, laid)
    x, y, wide, high = spot
    assert x <= 300
    assert y <= 200
    assert x + wide >= 350
    assert y + high >= 260
    darker = (grey * 0.9).astype(np.uint8)
    assert changed_spots(grey, darker) == []
    assert changed_spots(grey, np.zeros_like(grey)) == []
    assert changed_spots(grey, grey[:100]) == []
