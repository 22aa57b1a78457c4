"""Frame to sighting on drawn scenes: hands, light, pushes, a camera that comes and goes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.errors import CameraLost
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from tests.vision.conftest import off_deg, off_mm, seen_places, tracker_of
from vision.camera.frame import Frame
from vision.drawing.table import Edge, SimulatedTable, TokenSpot
from vision.markers.memory import STEADY_READS
from vision.tracking.tracker import CHECK_S, Tracker

PLAN = board_plan()
SETTLED = PictureState.SETTLED


def soak(seeds: range) -> list[Any]:
    """These seeds in the long form of a test alone."""
    return [pytest.param(seed, marks=pytest.mark.soak) for seed in seeds]


def drawn(seed: int) -> SimulatedTable:
    """A table with its three tokens and some cards."""
    table = SimulatedTable(PLAN, seed)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    table.place(PAWS_PLANE, Pose("Jaws.PR"))
    table.place(SUN, Pose("Jaws.GL"))
    table.lay({"Jaws.1": ["P"], "Paws.3": ["G"]})
    return table


def watch(
    tracker: Tracker,
    table: SimulatedTable,
    frames: int,
    change: Callable[[Frame], Frame] = lambda frame: frame,
) -> list[Sighting]:
    """The sightings of so many frames, and of all in which hand or light are busy before them."""
    sightings: list[Sighting] = []
    while table.busy:
        sightings.append(tracker.see(change(table.read())))
    return sightings + [tracker.see(change(table.read())) for _ in range(frames)]


def test_a_move_is_one_event() -> None:
    """A hand moves a plane: hand, then settled once, with the plane where it stands now."""
    table = drawn(1020)
    tracker = tracker_of(table)
    watch(tracker, table, 8)
    table.move(JAWS_PLANE, Pose("Paws.GL"))
    sightings = watch(tracker, table, 10)
    states = [sighting.state for sighting in sightings]
    begun = states.index(PictureState.HAND)
    settled = [s for s in sightings[begun:] if s.state is SETTLED]
    assert all(sighting is settled[0] for sighting in settled)
    assert seen_places(settled[0]) == table.truth()
    assert settled[0].pieces[SUN] == sightings[0].pieces[SUN]


@pytest.mark.parametrize("turn_deg", [60.0, 180.0, 300.0])
def test_a_plane_turned_on_the_spot_points_where_it_points_now(turn_deg: float) -> None:
    """Its middle stays where it was to a hair: what settles next has its new heading."""
    table = drawn(1029)
    tracker = tracker_of(table)
    watch(tracker, table, 8)
    before = table.standing(JAWS_PLANE)
    assert before is not None
    table.stand(JAWS_PLANE, replace(before, heading_deg=before.heading_deg + turn_deg))
    states = [tracker.see(table.read()) for _ in range(8)]
    settled = next(s for s in states[1:] if s.state is SETTLED)
    assert off_deg(table, JAWS_PLANE, settled.pieces[JAWS_PLANE]) < 1.5


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", [*range(1030, 1034), *soak(range(73_000, 73_040))])
def test_six_frames_after_the_hand_it_is_settled(seed: int) -> None:
    """From the first frame without a hand to the new sighting: 300 ms at 20 frames a second."""
    table = drawn(seed)
    tracker = tracker_of(table)
    watch(tracker, table, 8)
    table.move(PAWS_PLANE, Pose("Jaws.GC"))
    watch(tracker, table, 0)
    frames = 1
    while tracker.see(table.read()).state is not SETTLED:
        frames += 1
    assert frames <= 6


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", range(1040, 1044))
def test_a_resting_hand_never_settles(seed: int) -> None:
    """Motionless for three seconds over the table: still a hand, nothing is read."""
    table = drawn(seed)
    tracker = tracker_of(table)
    watch(tracker, table, 8)
    table.hand_rest(60, over="Jaws.GL", edge=list(Edge)[seed % 4])
    states = [sighting.state for sighting in watch(tracker, table, 0)]
    resting = states[table.pace.approach : -table.pace.withdraw]
    assert set(resting) == {PictureState.HAND}


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", [*range(1050, 1054), *soak(range(73_100, 73_140))])
def test_a_hand_moves_nothing_that_it_does_not_cover(seed: int) -> None:
    """All stay within a millimetre, what it covers is covered, and then all is as it was."""
    table = drawn(seed)
    table.place(PAWS_PLANE, Pose("Jaws.PR"), offset_mm=(0.0, 0.0))
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.hand_rest(20, over="Jaws.PR", edge=Edge.NEAR)  # on the Paws plane
    during = watch(tracker, table, 0)
    covered = [s for s in during if s.pieces[PAWS_PLANE].state is SeenState.COVERED]
    assert covered
    for sighting in during:
        for piece, seen in sighting.pieces.items():
            assert seen.pose == table.truth()[piece]
            assert off_mm(table, piece, seen) < 1.0
        assert sighting.pieces[JAWS_PLANE] == before.pieces[JAWS_PLANE]
    after = watch(tracker, table, 8)[-1]
    assert after.state is SETTLED
    assert after.pieces == before.pieces


@pytest.mark.slow
def test_a_covered_token_keeps_its_place_until_it_is_uncovered() -> None:
    """Not to be seen once the hand has gone: covered, with its last pose; then seen again."""
    table = drawn(1060)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    standing = table.standing(SUN)
    table.move(SUN, None)
    hidden = watch(tracker, table, 30)[-1]
    assert hidden.state is SETTLED
    assert hidden.pieces[SUN] == replace(before.pieces[SUN], state=SeenState.COVERED)
    assert standing is not None
    table.stand(SUN, standing)
    again = watch(tracker, table, 8)[-1]
    assert again.state is SETTLED
    assert again.pieces[SUN].state is SeenState.SEEN
    assert off_mm(table, SUN, again.pieces[SUN]) < 0.5


def test_an_empty_table_has_no_pieces() -> None:
    """Boards but no tokens: settled after a second, everything lost, nothing made up."""
    table = SimulatedTable(PLAN, 1070)
    tracker = tracker_of(table)
    sightings = watch(tracker, table, 60)
    assert sightings[-1].state is SETTLED
    assert len(sightings[-1].boards_seen) == 6
    assert all(seen == Seen(SeenState.LOST) for s in sightings for seen in s.pieces.values())


def test_two_tokens_of_one_id_move_nothing() -> None:
    """The copy is named as a conflict; the piece stays where it was until one is taken away."""
    table = drawn(1080)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.add_stranger(36, TokenSpot("Paws Gunner View", 120.0, 55.0))
    twice = watch(tracker, table, 30)[-1]
    assert twice.state is SETTLED
    assert twice.conflicts == (SUN,)
    assert twice.pieces[SUN] == replace(before.pieces[SUN], state=SeenState.UNSURE)
    table.remove_strangers()
    after = watch(tracker, table, 8)[-1]
    assert after.conflicts == ()
    assert seen_places(after) == table.truth()


def test_an_id_that_is_not_in_play_is_ignored() -> None:
    """A marker of another game on the table is no piece and no conflict."""
    table = drawn(1090)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.add_stranger(99, TokenSpot("Paws Gunner View", 120.0, 55.0))
    after = watch(tracker, table, 30)[-1]
    assert after.state is SETTLED
    assert after.pieces == before.pieces
    assert after.conflicts == ()


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("factor", [0.8, 0.92, 1.15])
def test_another_light_changes_nothing(factor: float) -> None:
    """Dimmed by a fifth, or brightened: not one piece changes, bit for bit."""
    table = drawn(1100)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.light(factor, frames=5)
    for sighting in watch(tracker, table, 60):
        assert sighting.state is not PictureState.HAND
        assert sighting.pieces == before.pieces


def test_a_shadow_changes_nothing() -> None:
    """Somebody leans over the table and goes: no piece changes at any time."""
    table = drawn(1110)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.lean_over(30)
    for sighting in watch(tracker, table, 20):
        assert sighting.pieces == before.pieces
        assert sighting.state in {PictureState.LIGHT, PictureState.STILL, SETTLED}


def test_a_turned_picture_turns_nothing_on_the_boards() -> None:
    """The camera hung the other way round: every piece where it was on its board."""
    table = drawn(1120)

    def turned(frame: Frame) -> Frame:
        grey = np.asarray(cv2.rotate(frame.grey, cv2.ROTATE_180), np.uint8)
        return replace(frame, grey=grey, colour=None)

    upright, upside_down = tracker_of(table, calibrated=False), Tracker(PLAN)
    one = watch(upright, table, 8)[-1]
    other = watch(upside_down, table, 8, turned)[-1]
    assert other.state is SETTLED
    assert seen_places(other) == seen_places(one) == table.truth()
    for piece, seen in other.pieces.items():
        assert off_mm(table, piece, seen) < 1.0
        assert off_deg(table, piece, seen) < 1.5
    width, height = table.size_px
    pairs = zip(upright.markers, upside_down.markers, strict=True)
    for marker, mirrored in pairs:
        x, y = marker.centre_px
        assert marker.id == mirrored.id
        assert np.allclose(mirrored.centre_px, (width - 1 - x, height - 1 - y), atol=0.5)


def test_a_pushed_board_takes_its_pieces_along() -> None:
    """A centimetre aside, and two degrees: the pieces on it have not moved."""
    table = drawn(1130)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.nudge("Jaws Pilot View", 10.0, 4.0, 2.0)
    after = watch(tracker, table, 12)[-1]
    assert after.state is SETTLED
    assert seen_places(after) == seen_places(before) == table.truth()
    assert off_mm(table, PAWS_PLANE, after.pieces[PAWS_PLANE]) < 0.5


def test_a_bumped_camera_is_read_anew() -> None:
    """All markers elsewhere in the picture: within a second or two all stand where they stood."""
    table = drawn(1140)
    tracker = tracker_of(table, calibrated=False)

    def bumped(frame: Frame) -> Frame:
        return replace(frame, grey=np.roll(frame.grey, (6, -14), axis=(0, 1)), colour=None)

    before = watch(tracker, table, 8)[-1]
    after = watch(tracker, table, 60, bumped)[-1]
    assert after.state is SETTLED
    assert seen_places(after) == seen_places(before) == table.truth()


def test_a_check_finds_what_no_glance_noticed() -> None:
    """A token that was shifted by less than the first look notices is read at the next check."""
    table = drawn(1150)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    for _ in range(8):  # a quarter of a millimetre a frame: no frame differs from the one before
        standing = table.standing(SUN)
        assert standing is not None
        table.stand(SUN, replace(standing, x_mm=standing.x_mm + 0.25))
        watch(tracker, table, 1)
    after = watch(tracker, table, round(20 * CHECK_S) + 10)[-1]
    assert after.state is SETTLED
    assert off_mm(table, SUN, before.pieces[SUN]) > 1.5
    assert off_mm(table, SUN, after.pieces[SUN]) < 0.6


def test_looking_again_takes_what_lies_there_for_the_table() -> None:
    """A bag over the table's edge is no hand: look again, and the rest is read."""
    table = drawn(1160)
    tracker = tracker_of(table)
    watch(tracker, table, 8)
    table.hand_rest(100, over="Jaws.GR", edge=Edge.NEAR)
    during = [tracker.see(table.read()) for _ in range(table.pace.approach + 10)]
    assert during[-1].state is PictureState.HAND
    tracker.look_again()
    sighting = [tracker.see(table.read()) for _ in range(30)][-1]
    assert sighting.state is SETTLED
    assert sighting.pieces[JAWS_PLANE].state is SeenState.SEEN


def test_looking_again_reads_at_once_though_a_piece_is_missing() -> None:
    """The next still frame is read, and nothing settles on what was read before."""
    table = drawn(1165)
    table.remove(SUN)
    tracker = tracker_of(table)
    assert [tracker.see(table.read()).state for _ in range(10)][-1] is PictureState.STILL
    tracker.look_again()
    assert not tracker.markers
    tracker.see(table.read())
    assert len(tracker.markers) >= 10
    states = [tracker.see(table.read()).state for _ in range(25)]
    assert states.index(SETTLED) >= STEADY_READS - 1


def test_the_same_sighting_while_nothing_changes() -> None:
    """Three seconds of a still table are one object, checks included."""
    table = drawn(1170)
    tracker = tracker_of(table)
    first = watch(tracker, table, 8)[-1]
    assert all(sighting is first for sighting in watch(tracker, table, 60))


def test_a_picture_without_boards_is_blind() -> None:
    """A grey wall: nothing can be told, and that is what is told."""
    tracker = Tracker(PLAN)
    wall = np.full((720, 1280), 128, np.uint8)
    sightings = [tracker.see(Frame(wall, n / 20, n)) for n in range(40)]
    assert sightings[-1].state is PictureState.BLIND
    assert not sightings[-1].boards_seen


def test_a_lost_camera_is_blind_and_comes_back() -> None:
    """Unplugged: no piece is seen, its pose is kept; plugged in: all is read again."""
    table = drawn(1180)
    tracker = tracker_of(table)
    before = watch(tracker, table, 8)[-1]
    table.unplug()
    blind = tracker.blind(1.0)
    assert blind.state is PictureState.BLIND
    assert not seen_places(blind)
    assert blind.pieces[SUN].pose == before.pieces[SUN].pose
    with pytest.raises(CameraLost):
        table.read()
    table.plug_in()
    sighting = watch(tracker, table, 10)[-1]
    assert sighting.state is SETTLED
    assert sighting.pieces == before.pieces


@pytest.mark.slow
def test_another_picture_size_is_another_table() -> None:
    """Switched to another resolution, everything is read anew and stands where it stood."""
    table, small = drawn(1190), SimulatedTable(PLAN, 1190, size_px=(1920, 1080))
    for piece, pose in table.truth().items():
        standing = table.standing(piece)
        assert standing is not None
        assert standing.board == PLAN.board_of[pose.space].name
        small.stand(piece, standing)
    tracker = Tracker(PLAN)
    watch(tracker, table, 8)
    after = watch(tracker, small, 8)[-1]
    assert after.state is SETTLED
    assert seen_places(after) == table.truth()
