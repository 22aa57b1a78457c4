"""Boards as from above: the print lies where the plan has it, and what was seen stands on it."""

from __future__ import annotations

import itertools
from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.offers import CardSeen, PictureState, SectionSeen, SectionState, Sighting
from companion.games.jaws_and_paws.boards import JAWS_PLANE, board_plan
from vision.boards.place import BoardPlace
from vision.camera.frame import Frame
from vision.drawing.prints import board_print
from vision.drawing.table import PictureLook, SimulatedTable
from vision.evidence.rectified import PX_PER_MM, _pixels_of, drawn_boards, rectified
from vision.markers.dictionaries import load_dictionary
from vision.tracking.tracker import Tracker


@pytest.fixture(scope="module")
def table() -> SimulatedTable:
    table = SimulatedTable(board_plan(), seed=8, look=PictureLook(falloff=0.05))
    table.place(JAWS_PLANE, Pose("Paws.PC"), heading_deg=90.0)
    return table


@pytest.fixture(scope="module")
def seen(table: SimulatedTable) -> tuple[Frame, Tracker, Sighting]:
    """A settled table."""
    tracker = Tracker(board_plan(), table.lens)
    for _ in range(40):
        frame = table.read()
        sighting = tracker.see(frame)
        if sighting.state is PictureState.SETTLED:
            return frame, tracker, sighting
    raise AssertionError("not settled")


def place_of(seen: tuple[Frame, Tracker, Sighting], board: str) -> BoardPlace:
    return seen[1].view.places[board]


@pytest.mark.parametrize("board", ["Jaws Pilot View", "Paws Gunner View", "Paws Action Track"])
def test_a_board_is_as_it_was_printed(seen: tuple[Frame, Tracker, Sighting], board: str) -> None:
    """Lens and tilt are out: the picture and the print differ by less than half a millimetre."""
    place = place_of(seen, board)
    flat = rectified(seen[0].grey, place)
    assert flat.shape == tuple(round(s * PX_PER_MM) for s in reversed(place.board.size_mm))
    printed = cv2.cvtColor(
        board_print(place.board, load_dictionary(board_plan().dictionary)), cv2.COLOR_BGR2GRAY
    )
    printed = cv2.resize(printed, flat.shape[::-1], interpolation=cv2.INTER_AREA)
    shift, response = cv2.phaseCorrelate(np.asarray(printed, np.float32), flat.astype(np.float32))
    assert response > 0.2
    assert float(np.hypot(shift[0], shift[1])) < 0.5 * PX_PER_MM


@pytest.mark.parametrize("bend", [0.0, -0.3])
def test_every_pixel_is_taken_where_the_lens_has_it(
    seen: tuple[Frame, Tracker, Sighting], bend: float
) -> None:
    """Edges and corners too, through a straight lens and a strongly bent one."""
    place = place_of(seen, "Jaws Pilot View")
    place = replace(place, lens=replace(place.lens, distortion=(bend, 0.1, 0.0, 0.0, 0.0)))
    width, height = 395, 203
    taken = _pixels_of(place, width, height, PX_PER_MM)
    assert taken.shape == (height, width, 2)
    for x, y in itertools.product((0, 7, 200, width - 1), (0, 5, 101, height - 1)):
        (exact,) = place.to_picture(np.array([[x + 0.5, y + 0.5]]) / PX_PER_MM)
        assert taken[y, x] == pytest.approx(exact, abs=0.02), (x, y)


def test_what_was_recognised_is_drawn_on_it(seen: tuple[Frame, Tracker, Sighting]) -> None:
    """A green ring round the plane where it stands; boards below one another."""
    frame, tracker, sighting = seen
    sheet = drawn_boards(frame.grey, tracker.view.places, sighting)
    assert sheet is not None
    assert sheet.shape[1] == round(372 * PX_PER_MM)
    only = drawn_boards(frame.grey, {"x": place_of(seen, "Paws Pilot View")}, sighting)
    assert only is not None
    green = (only[..., 1].astype(int) - only[..., 2] > 60) & (only[..., 0] < 110)
    _, xs = np.nonzero(green)
    one = sighting.pieces[JAWS_PLANE]
    assert one.x_mm is not None
    assert xs.size > 100
    assert abs(xs.mean() / PX_PER_MM - one.x_mm) < 8.0


def test_sections_say_what_lies_there(seen: tuple[Frame, Tracker, Sighting]) -> None:
    """Words on the section; nothing of a board that is not seen, and no sheet without boards."""
    frame, _, sighting = seen
    read = SectionSeen(SectionState.READ, (CardSeen("PP", ("MPL own",)),))
    with_card = Sighting(
        sighting.taken_at, 1, sighting.state, {}, cards={"Paws.2": read, "Nowhere.1": read}
    )
    place = place_of(seen, "Paws Action Track")
    bare = drawn_boards(frame.grey, {"x": place}, Sighting(0.0, 0, sighting.state, {}))
    told = drawn_boards(frame.grey, {"x": place}, with_card)
    assert bare is not None
    assert told is not None
    _, xs = np.nonzero(np.any(bare != told, axis=2))
    middle = place.board.spaces[1].centre_mm
    assert abs(xs.mean() / PX_PER_MM - middle[0]) < 6.0
    assert xs.size > 200
    assert drawn_boards(frame.grey, {}, sighting) is None
