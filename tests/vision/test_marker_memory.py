"""Markers remembered from frame to frame."""

from __future__ import annotations

import numpy as np
import pytest

from vision.markers.memory import MARGIN_SIDES, STEADY_READS, MarkerMemory, around
from vision.markers.reading import Crop, MarkerSeen


def marker(number: int, x: float, y: float, side: float = 30.0) -> MarkerSeen:
    """An upright marker with its middle at a place."""
    half = side / 2
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return MarkerSeen(number, "4X4_50", corners + np.array([x, y]))


def places(memory: MarkerMemory) -> list[tuple[int, float, float]]:
    """Ids and middles of what is remembered."""
    return [(one.id, *one.centre_px) for one in memory.markers]


def test_a_marker_is_the_median_of_its_last_reads() -> None:
    """One bad read among five has no say, and old reads are forgotten."""
    memory = MarkerMemory()
    for x in (100.0, 100.1, 101.4, 100.2, 100.1):
        memory.read([marker(3, x, 50.0)], None)
    assert places(memory) == [(3, 100.1, 50.0)]
    for _ in range(5):
        memory.read([marker(3, 100.9, 50.0)], None)
    assert places(memory) == [(3, 100.9, 50.0)]


def test_a_moved_marker_starts_afresh() -> None:
    """Its old place counts no more, and its new one not before it was read often enough."""
    memory = MarkerMemory()
    for _ in range(STEADY_READS):
        memory.read([marker(3, 100.0, 50.0)], None)
    assert memory.steady
    memory.read([marker(3, 200.0, 50.0)], None)
    assert places(memory) == [(3, 200.0, 50.0)]
    assert not memory.steady
    assert memory.doubted() == [around(marker(3, 200.0, 50.0), MARGIN_SIDES)]
    assert memory.doubted(besides=[Crop(100, 0, 200, 200)]) == []
    for _ in range(STEADY_READS - 1):
        memory.read([marker(3, 200.0, 50.0)], None)
    assert memory.steady


@pytest.mark.parametrize(("turn_deg", "is_same"), [(2.0, True), (8.0, False), (90.0, False)])
def test_a_marker_turned_on_the_spot_starts_afresh(turn_deg: float, *, is_same: bool) -> None:
    """Its middle has not moved, but what was read of it before tells where it pointed."""
    cos, sin = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    before, memory = marker(3, 100.0, 50.0), MarkerMemory()
    corners = (before.corners_px - (100.0, 50.0)) @ np.array([(cos, sin), (-sin, cos)])
    turned = MarkerSeen(3, before.dictionary, corners + np.array([100.0, 50.0]))
    for _ in range(STEADY_READS):
        memory.read([before], None)
    memory.read([turned], None)
    assert memory.steady is is_same
    now = before if is_same else turned
    assert [one.corners_px.tolist() for one in memory.markers] == [now.corners_px.tolist()]


def test_one_corner_that_was_misread_is_no_turn() -> None:
    """Under a fingertip, or in a lamp's glare: the median of its reads has the say."""
    before, memory = marker(3, 100.0, 50.0), MarkerMemory()
    for _ in range(STEADY_READS):
        memory.read([before], None)
    corners = before.corners_px.copy()
    corners[0] += 3.0, -3.0
    memory.read([MarkerSeen(3, before.dictionary, corners)], None)
    assert memory.steady
    assert memory.markers[0].corners_px.tolist() == before.corners_px.tolist()


def test_reads_that_agree_are_known_from_those_that_do_not() -> None:
    """Two alike need no third of all the picture; one that came or went since does."""
    memory = MarkerMemory()
    assert not memory.found_alike
    both = [marker(1, 100.0, 100.0), marker(2, 400.0, 100.0)]
    for found, alike in ((both, False), (both, True), (both[:1], False), (both[:1], True)):
        memory.read(found, None)
        assert memory.found_alike is alike
    memory.read(both, None)
    assert not memory.found_alike


def test_only_what_lies_in_a_crop_is_read_again() -> None:
    """What was not looked at stays; what was looked at and not found is gone."""
    memory = MarkerMemory()
    memory.read([marker(1, 100.0, 100.0), marker(2, 400.0, 100.0)], None)
    memory.read([], [Crop(350, 50, 100, 100)])
    assert places(memory) == [(1, 100.0, 100.0)]


def test_a_marker_that_pokes_out_of_a_crop_is_not_missed_in_it() -> None:
    """Without its rim no detector finds it there."""
    memory = MarkerMemory()
    memory.read([marker(1, 100.0, 100.0)], None)
    memory.read([], [Crop(90, 50, 200, 100)])
    assert places(memory) == [(1, 100.0, 100.0)]


def test_a_memory_is_not_steady_before_anything_was_read() -> None:
    """Cleared, it knows nothing; after a read it knows that no marker is there."""
    memory = MarkerMemory()
    assert not memory.steady
    memory.read([], None)
    assert memory.steady
    memory.clear()
    assert not memory.steady


def test_patience_keeps_a_marker_that_was_missed_once() -> None:
    """A check that misses a marker asks again before it is given up; found, all is forgiven."""
    memory = MarkerMemory()
    for _ in range(STEADY_READS):
        memory.read([marker(1, 100.0, 100.0)], None)
    memory.read([], None, patience=3)
    memory.read([], None, patience=3)
    assert memory.doubted() == [around(marker(1, 100.0, 100.0), MARGIN_SIDES)]
    memory.read([marker(1, 100.0, 100.0)], None, patience=3)
    assert memory.doubted() == []
    for _ in range(3):
        memory.read([], None, patience=3)
    assert memory.markers == ()


def test_two_of_one_id_are_two() -> None:
    """A copy in another place is another entry; one found in two crops at once is not."""
    memory = MarkerMemory()
    memory.read([marker(1, 100.0, 100.0), marker(1, 300.0, 100.0)], None)
    assert len(memory.markers) == 2
    memory.clear()
    memory.read([marker(1, 100.0, 100.0), marker(1, 100.2, 100.0)], [Crop(0, 0, 200, 200)])
    assert len(memory.markers) == 1


def test_all_moved_is_another_view_of_the_table() -> None:
    """All markers found, most of them elsewhere: the camera moved. One missing: perhaps a hand."""
    memory = MarkerMemory()
    before = [marker(n, 100.0 * n, 50.0) for n in range(1, 5)]
    after = [marker(n, 100.0 * n + 20, 50.0) for n in range(1, 5)]
    memory.read(before, None)
    assert memory.has_moved_to(after)
    assert not memory.has_moved_to(after[1:])
    assert not memory.has_moved_to([*before[:3], after[3]])


def test_a_changed_area_is_read_with_the_markers_that_poke_into_it() -> None:
    """A token that was pushed a little changes a crescent; it must be read as a whole."""
    memory = MarkerMemory()
    memory.read([marker(1, 100.0, 100.0), marker(2, 400.0, 100.0)], None)
    crop = memory.crop_of(Crop(110, 90, 20, 20), margin_px=4)
    assert crop.holds(around(marker(1, 100.0, 100.0), sides=0.5))
    assert crop.right < 350
    assert memory.crop_of(Crop(200, 200, 30, 20), margin_px=4) == Crop(196, 196, 38, 28)


def test_around_a_marker_is_its_crop() -> None:
    """So many sides on every side, in whole pixels."""
    crop = around(marker(1, 100.0, 100.0, side=20.0), sides=1.0)
    assert (crop.left, crop.top) == (70, 70)
    assert crop.width in {60, 61, 62}
    assert Crop(60, 60, 80, 80).holds(crop)
    assert not Crop(80, 60, 80, 80).holds(crop)
