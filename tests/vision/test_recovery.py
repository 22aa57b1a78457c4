"""How soon the eyes are right again after a hand or a push, and that an evening costs no memory."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, SeenState, Sighting
from companion.games.dogfight_1917.boards import board_plan as battlefield_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.games.jaws_and_paws.boards import JAWS_PLANE, PAWS_PLANE, SUN, board_plan
from vision.boards.lens import Lens
from vision.camera.frame import Frame
from vision.camera.scripted import CameraRig
from vision.drawing.table import Edge, SimulatedTable
from vision.markers.reading import MarkerReader
from vision.tracking.tracker import Tracker

SETTLED, SEEN = PictureState.SETTLED, SeenState.SEEN
FRAMES_A_SECOND = 20


def soak(seeds: range) -> list[Any]:
    """These seeds in the long form of a test alone."""
    return [pytest.param(seed, marks=pytest.mark.soak) for seed in seeds]


def view_boards(seed: int) -> SimulatedTable:
    """Jaws & Paws with its three tokens."""
    table = SimulatedTable(board_plan(), seed)
    for piece, space in ((JAWS_PLANE, "Paws.PC"), (PAWS_PLANE, "Jaws.PR"), (SUN, "Jaws.GL")):
        table.place(piece, Pose(space))
    return table


def hex_board(seed: int) -> SimulatedTable:
    """Dogfight: 1917 with its four planes: one board, so that all of it moves at once."""
    table = SimulatedTable(battlefield_plan(assumed_figures()), seed, (1920, 1080))
    for token, space in zip(table.plan.tokens, ("0,4", "0,-4", "-4,0", "4,0"), strict=True):
        table.place(token.piece, Pose(space, 1))
    return table


def settled(tracker: Tracker, table: SimulatedTable, most: int = 60) -> Sighting:
    """The first settled sighting after hands are gone."""
    while table.busy:
        tracker.see(table.read())
    for _ in range(most):
        sighting = tracker.see(table.read())
        if sighting.state is SETTLED:
            return sighting
    raise AssertionError("the table never settled")


def poses(sighting: Sighting) -> dict[Piece, Pose | None]:
    return {piece: seen.pose for piece, seen in sighting.pieces.items() if seen.state is SEEN}


def frames_until(
    tracker: Tracker, table: SimulatedTable, right: Callable[[Sighting], bool], most: int = 60
) -> int:
    """How many frames pass until a settled sighting is right."""
    for number in range(1, most + 1):
        sighting = tracker.see(table.read())
        if sighting.state is SETTLED and right(sighting):
            return number
    raise AssertionError(f"not right after {most} frames")


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("make", [view_boards, hex_board])
@pytest.mark.parametrize("seed", [*range(66_000, 66_002), *soak(range(73_200, 73_240))])
def test_a_bumped_board_is_posed_again_within_a_second(
    make: Callable[[int], SimulatedTable], seed: int
) -> None:
    """A centimetre aside, with what stands on it: twenty frames at twenty a second."""
    chance, table = np.random.default_rng(seed), make(seed)
    tracker = Tracker(table.plan, table.lens)
    before = settled(tracker, table)
    boards = [board.name for board in table.plan.boards if board.holds_pieces]
    for board in boards:
        way = float(chance.uniform(0, 2 * np.pi))
        table.nudge(board, 10 * np.cos(way), 10 * np.sin(way), float(chance.uniform(-2, 2)))
        assert frames_until(tracker, table, lambda now: poses(now) == table.truth()) <= 20
    after = settled(tracker, table)
    for piece, seen in after.pieces.items():
        assert seen.x_mm == pytest.approx(before.pieces[piece].x_mm, abs=0.6)
        assert seen.y_mm == pytest.approx(before.pieces[piece].y_mm, abs=0.6)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("grain", [None, (4.0, 1.5)])
@pytest.mark.parametrize("seed", [66_020, *soak(range(73_400, 73_420))])
def test_bumps_in_noise_settle_no_wrong_table(seed: int, grain: tuple[float, float] | None) -> None:
    """Pushed in jerks with still spells of three to six frames: what settles between is true."""
    chance, table = np.random.default_rng(seed), view_boards(seed)
    camera, tracker = CameraRig(table, grain=grain).open(), Tracker(table.plan, table.lens)
    boards = [board.name for board in table.plan.boards if board.holds_pieces]
    told = list[Sighting]()
    for jerk in range(12):
        if jerk:
            x, y = chance.normal(0, 3.0, 2).tolist()
            table.nudge(boards[jerk % len(boards)], x, y, float(chance.normal(0, 0.5)))
        for _ in range(int(chance.integers(3, 7)) if 0 < jerk < 11 else 30):
            frame = camera.read()
            assert frame is not None
            told.append(tracker.see(frame))
    assert told[-1].state is SETTLED
    for sighting in {id(one): one for one in told if one.state is SETTLED}.values():
        assert poses(sighting).items() <= table.truth().items()
        for piece, seen in sighting.pieces.items():
            standing = table.standing(piece)
            if standing is not None and seen.state is SEEN:
                assert seen.x_mm == pytest.approx(standing.x_mm, abs=1.0)
                assert seen.y_mm == pytest.approx(standing.y_mm, abs=1.0)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", [*range(66_010, 66_014), *soak(range(73_300, 73_340))])
def test_an_uncovered_token_is_read_in_the_frame_that_shows_it(seed: int) -> None:
    """As soon as its marker can be found again, in that very frame, it is told as seen."""
    table = view_boards(seed)
    table.place(PAWS_PLANE, Pose("Jaws.PR"), offset_mm=(0.0, 0.0))
    tracker = Tracker(table.plan, table.lens)
    settled(tracker, table)
    reader = MarkerReader(table.plan.dictionary, {table.plan.token_of[PAWS_PLANE].marker})
    table.hand_rest(6, over="Jaws.PR", edge=Edge.NEAR)
    shown, told = list[bool](), list[bool]()
    for _ in range(table.pace.approach + 6 + table.pace.withdraw + 8):
        frame = table.read()
        told.append(tracker.see(frame).pieces[PAWS_PLANE].state is SEEN)
        shown.append(bool(reader.read(frame.grey)))
    assert not all(told[: len(told) // 2])
    last_hidden = max(at for at, one in enumerate(shown) if not one)
    assert all(told[last_hidden + 1 :])


def shown(tracker: Tracker, frames: Sequence[Frame]) -> Sighting:
    """The last sighting of some frames."""
    return [tracker.see(frame) for frame in frames][-1]


def turned_lens(lens: Lens, turns: int) -> Lens:
    """The lens of a camera that was turned by so many quarters, as `np.rot90` turns pictures."""
    for _ in range(turns):
        (width, height), (fx, fy), (x, y) = lens.size_px, lens.focal_px, lens.centre_px
        lens = replace(
            lens, size_px=(height, width), focal_px=(fy, fx), centre_px=(y, width - 1 - x)
        )
    return lens


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", [66_020, *soak(range(73_400, 73_420))])
@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_scene_turned_by_quarters_turns_nothing_on_its_boards(turns: int, seed: int) -> None:
    """The camera hung another way round: each piece where it was, to a tenth of its error."""
    table = hex_board(seed)
    frames = [table.read() for _ in range(8)]
    rotated = [
        replace(frame, grey=np.ascontiguousarray(np.rot90(frame.grey, turns)), colour=None)
        for frame in frames
    ]
    one = shown(Tracker(table.plan, table.lens), frames)
    other = shown(Tracker(table.plan, turned_lens(table.lens, turns)), rotated)
    assert one.state is other.state is SETTLED
    assert poses(one) == poses(other) == table.truth()
    for piece, seen in one.pieces.items():
        again = other.pieces[piece]
        assert again.x_mm == pytest.approx(seen.x_mm, abs=0.3)
        assert again.y_mm == pytest.approx(seen.y_mm, abs=0.3)
        assert again.heading_deg == pytest.approx(seen.heading_deg, abs=0.5)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", [66_030, *soak(range(73_500, 73_520))])
@pytest.mark.parametrize("share", [0.8, 0.9, 1.1])
def test_a_dimmed_scene_says_the_same_bit_for_bit(share: float, seed: int) -> None:
    """A fifth darker at once: not one number of any piece changes."""
    table = hex_board(seed)
    tracker = Tracker(table.plan, table.lens)
    before = settled(tracker, table)
    for _ in range(30):
        frame = table.read()
        grey = np.asarray(cv2.convertScaleAbs(frame.grey, alpha=share), np.uint8)
        assert tracker.see(replace(frame, grey=grey, colour=None)).pieces == before.pieces


# -- an hour -------------------------------------------------------------------------------------


def minute(table: SimulatedTable) -> list[Frame]:
    """Frames of a table on which a hand moves a plane there and back, and rests now and then."""
    frames = list[Frame]()
    for pose in (Pose("Paws.GL"), Pose("Paws.PC")):
        table.move(JAWS_PLANE, pose)
        table.hand_rest(4, over="Jaws.PL")
        while table.busy:
            frames.append(table.read())
        frames += [table.read() for _ in range(40)]
    return frames


def played(tracker: Tracker, frames: Sequence[Frame], first: int, count: int) -> int:
    """Show so many frames, over and over; how many sightings were settled."""
    settled_ones = 0
    for number in range(first, first + count):
        frame = frames[number % len(frames)]
        at = number / FRAMES_A_SECOND
        sighting = tracker.see(replace(frame, taken_at=at, number=number))
        settled_ones += sighting.state is SETTLED
    return settled_ones


@pytest.mark.slow
def test_memory_is_bounded() -> None:
    """After the first minute what the tracker holds does not grow: measured by allocation."""
    table = view_boards(66_040)
    tracker, frames = Tracker(table.plan, table.lens), minute(table)
    played(tracker, frames, 0, 3 * len(frames))
    tracemalloc.start()
    played(tracker, frames, 3 * len(frames), len(frames))
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    assert played(tracker, frames, 4 * len(frames), 2 * len(frames)) > len(frames) // 2
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 100_000


@pytest.mark.soak
def test_an_hour_of_frames_takes_no_more_memory() -> None:
    """72 000 frames at twenty a second: from minute five on less than two megabytes."""
    table = view_boards(66_041)
    tracker, frames = Tracker(table.plan, table.lens), minute(table)
    five_minutes = 5 * 60 * FRAMES_A_SECOND
    played(tracker, frames, 0, five_minutes)
    gc.collect()
    before = resident_bytes()
    assert played(tracker, frames, five_minutes, 72_000 - five_minutes) > 20_000
    gc.collect()
    grown = resident_bytes() - before
    print(f"\nan hour of frames: {grown / 1e6:.2f} MB more than after five minutes")  # noqa: T201
    assert grown < 2_000_000


def resident_bytes() -> int:
    """How much memory this process really has, as Linux counts it."""
    status = Path("/proc/self/status")
    if not status.is_file():
        pytest.skip("only Linux tells how much memory a process has")
    (line,) = (one for one in status.read_text("ascii").splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) * 1024
