"""The cheap first look: what moves, what is a hand, what is only the light."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.board import Pose
from companion.core.offers import PictureState
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from vision.camera.frame import GreyImage
from vision.camera.pictures import VideoFile
from vision.drawing.table import Edge, PictureLook, SimulatedTable, TokenSpot
from vision.tracking.gate import Gate
from vision.tracking.settling import CALM_FRAMES, QUIET_FRAMES
from vision.tracking.tracker import Tracker

STILL, MOVING = PictureState.STILL, PictureState.MOVING
HAND, LIGHT = PictureState.HAND, PictureState.LIGHT


def drawn(seed: int) -> SimulatedTable:
    """A table with its tokens and some cards."""
    table = SimulatedTable(board_plan(), seed)
    table.place(JAWS_PLANE, Pose("Paws.PC"))
    table.place(PAWS_PLANE, Pose("Jaws.PR"))
    table.place(SUN, Pose("Jaws.GL"))
    table.lay({"Jaws.1": ["P"], "Paws.3": ["G"]})
    return table


def settled_gate(table: SimulatedTable) -> Gate:
    """A gate that knows the table as it lies now."""
    gate = Gate()
    for _ in range(3):
        gate.look(table.read().grey)
    gate.learn()
    return gate


def busy_states(gate: Gate, table: SimulatedTable) -> list[PictureState]:
    """What the gate makes of each frame until nothing is busy any more."""
    states: list[PictureState] = []
    while table.busy:
        states.append(gate.look(table.read().grey).state)
    return states


def film(path: Path) -> list[GreyImage]:
    """Every frame of a film."""
    camera = VideoFile(path)
    frames: list[GreyImage] = []
    while (frame := camera.read()) is not None:
        frames.append(frame.grey)
    camera.close()
    return frames


def settled_frames(frames: Iterable[GreyImage]) -> tuple[list[int], list[PictureState]]:
    """Frames that would settle (four or five quiet ones without a hand), and each frame's state.

    A settled table becomes the background, as in the tracker.
    """
    gate, quiet = Gate(), 0
    settled: list[int] = []
    states: list[PictureState] = []
    for number, grey in enumerate(frames):
        state = gate.look(grey).state
        states.append(state)
        quiet = quiet + 1 if state is STILL else 0
        if quiet >= (CALM_FRAMES if gate.is_calm else QUIET_FRAMES):
            settled.append(number)
            gate.learn()
    return settled, states


# --- drawn scenes ---


def test_noise_is_no_motion() -> None:
    """A still table stays still for as long as it lies."""
    table = drawn(101)
    gate = settled_gate(table)
    assert {gate.look(table.read().grey).state for _ in range(40)} == {STILL}


@pytest.mark.parametrize("shift_mm", [2.0, 5.0, 30.0])
def test_a_moved_token_is_motion_and_then_an_area(shift_mm: float) -> None:
    """Two millimetres are noticed, and where they were is told."""
    table = drawn(102)
    gate = settled_gate(table)
    standing = table.standing(JAWS_PLANE)
    assert standing is not None
    table.stand(JAWS_PLANE, TokenSpot(standing.board, standing.x_mm + shift_mm, standing.y_mm))
    assert gate.look(table.read().grey).state is MOVING
    glance = gate.look(table.read().grey)
    assert glance.state is STILL
    assert glance.areas
    assert not glance.everywhere


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(
    "seed",
    [*range(110, 113), *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(113, 116))],
)
def test_a_resting_hand_stays_a_hand(seed: int) -> None:
    """However long it lies still, whatever its sleeve and the edge it came from: never still."""
    table = drawn(seed)
    gate = settled_gate(table)
    for edge, space in zip(Edge, ("Jaws.PC", "Paws.GC", "Jaws.GL", "Paws.PR"), strict=True):
        table.hand_rest(30, over=space, edge=edge)
        states = busy_states(gate, table)
        resting = states[table.pace.approach : -table.pace.withdraw]
        assert set(resting) == {HAND}
        for _ in range(3):
            gate.look(table.read().grey)


@pytest.mark.parametrize("seed", range(120, 124))
def test_a_shadow_is_light(seed: int) -> None:
    """Somebody leans over the table: the print below keeps its pattern."""
    table = drawn(seed)
    gate = settled_gate(table)
    table.lean_over(20)
    assert set(busy_states(gate, table)) <= {LIGHT, STILL}


@pytest.mark.parametrize("factor", [0.8, 0.92, 1.2])
def test_a_lamp_is_light(factor: float) -> None:
    """Another light at once: light, then still; dimmed, there is not even an area left.

    (Brightened, white paper is cut off at 255, and that can be seen.)
    """
    table = drawn(125)
    gate = settled_gate(table)
    table.light(factor)
    assert set(busy_states(gate, table)) <= {LIGHT, STILL}
    glance = gate.look(table.read().grey)
    assert glance.state is STILL
    assert factor > 1 or not glance.areas


def test_what_a_hand_leaves_behind_is_no_hand() -> None:
    """Cards near the edge and a moved token lie still once the hand is gone."""
    table = drawn(126)
    gate = settled_gate(table)
    table.move(JAWS_PLANE, Pose("Paws.GL"))
    table.lay({"Jaws.4": ["P"], "Paws.1": ["G"]}, by_hand=True)
    busy_states(gate, table)
    gate.look(table.read().grey)
    assert {gate.look(table.read().grey).state for _ in range(20)} == {STILL}


@pytest.mark.parametrize("seed", [117, 118])
def test_cards_put_down_after_a_hand_has_left_are_no_hand(seed: int) -> None:
    """A full track is as large as a hand and lies near the edge; only a hand that stayed stays."""
    table = drawn(seed)
    table.lay({f"{team}.{n}": [] for team in ("Jaws", "Paws") for n in (1, 2, 3, 4)})
    gate = settled_gate(table)
    table.hand_rest(6, over="Paws.PL", edge=Edge.FAR)
    assert HAND in busy_states(gate, table)
    for _ in range(3):
        assert gate.look(table.read().grey).state is not HAND
    table.lay({f"Paws.{n}": ["P"] for n in (1, 2, 3, 4)})
    states = [gate.look(table.read().grey).state for _ in range(12)]
    assert HAND not in states
    assert states[-1] is STILL


def test_a_pushed_board_is_no_hand() -> None:
    """A board that was bumped by a centimetre differs much, and is still when it lies."""
    table = drawn(127)
    gate = settled_gate(table)
    table.nudge("Jaws Pilot View", 10.0, 3.0, 2.0)
    assert gate.look(table.read().grey).state is MOVING
    assert {gate.look(table.read().grey).state for _ in range(20)} == {STILL}


def test_a_hand_that_was_there_first_leaves_no_ghost() -> None:
    """A hand taken for part of the table is seen to have left, within a second or so."""
    table = drawn(129)
    gate = Gate()
    table.hand_rest(20, over="Jaws.PC", edge=Edge.NEAR)
    for _ in range(table.pace.approach + 8):
        gate.look(table.read().grey)
    gate.learn()  # the hand is in the background now
    busy_states(gate, table)
    later = [gate.look(table.read().grey).state for _ in range(40)]
    assert set(later[-10:]) == {STILL}


def test_another_picture_size_starts_afresh() -> None:
    """A camera switched to another resolution has no background yet."""
    gate = Gate()
    gate.look(np.zeros((720, 1280), np.uint8))
    gate.learn()
    assert gate.look(np.zeros((480, 640), np.uint8)).fresh


# --- the real film ---


@pytest.fixture(scope="module")
def hands(photos: Path) -> Sequence[GreyImage]:
    """A real game filmed from above: hands, sleeves, shadows. (The first frame is torn.)"""
    return film(photos / "video" / "hands_000_160.avi")


def test_the_film_settles_only_where_it_is_settled(hands: Sequence[GreyImage]) -> None:
    """No hand and no moving shadow in frames 110 to 142, and nowhere else for long enough."""
    settled, _ = settled_frames(hands)
    assert settled
    assert set(settled) <= set(range(110, 143))
    assert settled[0] <= 110 + 12


def test_the_films_hand_rests_and_does_not_settle(hands: Sequence[GreyImage]) -> None:
    """In frames 151 to 153 the hand lies motionless: held for ten seconds it is still a hand."""
    held = [*hands[:152], *([hands[152]] * 200)]
    settled, states = settled_frames(held)
    assert max(settled) < 143
    assert set(states[146:]) == {HAND}


def test_the_films_shadows_alone_are_no_event(hands: Sequence[GreyImage]) -> None:
    """Frames 5 to 24 hold deep moving shadows: they are light, and nothing settles in them."""
    known = [*([hands[4]] * 8), *hands[5:25]]
    settled, states = settled_frames(known)
    assert settled == [4, 5, 6, 7]  # the eight frames before the first shadow
    assert MOVING not in states[8:]
    assert states[8:].count(LIGHT) > len(states[8:]) / 2


def test_the_empty_board_film_has_no_event(photos: Path) -> None:
    """Nobody there: still from the second frame to the last."""
    _, states = settled_frames(film(photos / "video" / "empty_board.avi")[1:])
    assert set(states[1:]) == {STILL}


@pytest.mark.parametrize("size_px", [(4000, 5), (5, 4000), (641, 2), (4000, 1), (1, 1)])
def test_a_picture_however_flat_is_looked_at(size_px: tuple[int, int]) -> None:
    """A strip of a folder's pictures: still or moving, and never an error."""
    plain = np.full(size_px[::-1], 120, np.uint8)
    half = plain.copy()
    half[:, : size_px[0] // 2] = 30
    gate = Gate()
    states = [gate.look(picture).state for picture in (plain, plain)]
    gate.learn()
    states += [gate.look(picture).state for picture in (half, half, plain)]
    assert states[:2] == [MOVING, STILL]
    assert set(states) <= set(PictureState)


def test_a_shadow_that_stays_does_settle(hands: Sequence[GreyImage]) -> None:
    """Somebody stands in the light: when the shadow rests, the table is as readable as before."""
    shade = cv2.convertScaleAbs(hands[120], alpha=0.7)
    half = hands[120].copy()
    half[:, :320] = np.asarray(shade, np.uint8)[:, :320]
    settled, _ = settled_frames([*hands[112:125], *([half] * 12)])
    assert settled[-1] == 24


def test_a_resting_arm_in_a_sleeve_like_the_table_is_no_hole() -> None:
    """Its outline is fainter than the print it covers: it is told by what is steep across it."""
    table = SimulatedTable(board_plan(), 4, look=PictureLook(stickers=False))
    tracker = Tracker(board_plan(), table.lens)
    for _ in range(32):
        tracker.see(table.read())
    table.place(JAWS_PLANE, Pose("Paws.PC"), heading_deg=0.0)
    for _ in range(12):
        tracker.see(table.read())
    table.hand_rest(40, over="Paws.PC")
    rests = [tracker.see(table.read()).state for _ in range(46)][6:]
    assert set(rests) == {PictureState.HAND}
