"""Dice by their pips: right or in doubt, on drawn faces, on photographs, beside a board."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from companion.core.board import Pose
from companion.core.offers import PictureState, Sighting
from companion.games.dogfight_1917.boards import board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from tests.vision.dice_rates import WIDE, photo_row
from vision.boards.view import TableView
from vision.camera.frame import Frame, GreyImage
from vision.dice.dice import DieSeen, read_dice
from vision.dice.memory import DiceMemory
from vision.dice.stance import FlatDie, on_sides
from vision.drawing.dice import DIE_MM, die_top
from vision.drawing.table import SimulatedTable
from vision.markers.reading import MarkerReader
from vision.tracking.observation import observe
from vision.tracking.tracker import Tracker

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
PLAN = replace(board_plan(assumed_figures()), dice_mm=DIE_MM)
STARTS = ("0,4", "0,-4", "-4,0", "4,0")


SIZE_PX, FINE = 96, 8
"""Of a picture of one die, and so many times as fine it is drawn."""


def face(value: int, colour: str, turn_deg: float, side_px: float, ground: int = 120) -> GreyImage:
    """One die from straight above on a plain ground, as a camera with a little blur has it."""
    drawn, cover = drawn_die(value, colour, turn_deg, side_px)
    return shrunk(drawn.mean(axis=2) + ground * (1.0 - cover))


def drawn_die(
    value: int, colour: str, turn_deg: float, side_px: float
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The upper face in the middle of a fine picture, in colour, and what of it that covers."""
    sprite = die_top(value, colour)
    scale = side_px * FINE / sprite.shape[0]
    middle = SIZE_PX * FINE / 2
    onto = cv2.getRotationMatrix2D((sprite.shape[1] / 2, sprite.shape[0] / 2), turn_deg, scale)
    onto[:, 2] += middle - sprite.shape[0] / 2
    drawn = cv2.warpAffine(sprite, onto, (SIZE_PX * FINE,) * 2).astype(np.float32)
    return np.asarray(drawn[..., :3]), np.asarray(drawn[..., 3] / np.float32(255.0))


def shrunk(fine: NDArray[np.float32]) -> NDArray[np.uint8]:
    """A fine picture as a camera with a little blur has it."""
    small = cv2.resize(fine, (SIZE_PX, SIZE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(np.rint(cv2.GaussianBlur(small, (0, 0), 0.7)), np.uint8)


def noisy(grey: GreyImage, sigma: float, seed: int) -> GreyImage:
    noise = np.random.default_rng(seed).normal(0, sigma, grey.shape)
    return np.asarray(np.clip(grey + noise, 0, 255), np.uint8)


def values(found: Sequence[DieSeen]) -> list[int | None]:
    return [die.value for die in found]


@given(
    value=st.integers(1, 6), colour=st.sampled_from(["white", "black"]),
    turn_deg=st.floats(0, 360), side_px=st.floats(15, 40), ground=st.sampled_from([110, 150]),
    seed=st.integers(0, 99),
)  # fmt: skip
def test_a_die_from_above_is_read_or_in_doubt(
    value: int, colour: str, turn_deg: float, side_px: float, ground: int, seed: int
) -> None:
    """However it is turned, from 15 px on: its own value, or none; from 18 px on its own."""
    grey = noisy(face(value, colour, turn_deg, side_px, ground), 2.0, seed)
    found = read_dice(grey, side_px)
    assert set(values(found)) <= {value, None}
    if side_px >= 18:
        assert values(found) == [value]
        (die,) = found
        assert math.dist(die.centre_px, (47.5, 47.5)) < 0.1 * side_px


@pytest.mark.parametrize("value", range(1, 7))
def test_the_expected_size_need_not_be_exact(value: int) -> None:
    """Dice are not all of one size: a tenth more or less is read as well."""
    grey = face(value, "white", 20.0, 30.0)
    assert all(values(read_dice(grey, 30.0 * off)) == [value] for off in (0.9, 1.0, 1.1))


@pytest.mark.parametrize("spot", [(0.0, -0.25), (-0.1, 0.2), (0.25, 0.0)])
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_a_blemish_like_a_pip_makes_a_doubt(value: int, spot: tuple[float, float]) -> None:
    """A stain that belongs to no value's picture is no reason to guess."""
    grey = face(value, "white", 0.0, 32.0).copy()
    middle = (round(47.5 + 32 * spot[0]), round(47.5 + 32 * spot[1]))
    cv2.circle(grey, middle, 3, 35, -1, cv2.LINE_AA)
    assert set(values(read_dice(grey, 32.0))) <= {None}


def test_a_die_half_under_a_finger_has_no_value() -> None:
    for value in range(1, 7):
        grey = face(value, "white", 10.0, 32.0).copy()
        grey[:, 50:] = 150
        assert set(values(read_dice(grey, 32.0))) <= {None}


def test_gravel_shows_no_dice() -> None:
    """Spots of a pip's size everywhere: nothing is made of them, and it does not take for ever."""
    chance = np.random.default_rng(3)
    spots = cv2.GaussianBlur(chance.normal(0, 1, (300, 400)), (0, 0), 1.6)
    grey = np.asarray(np.clip(128 + 400 * spots, 0, 255), np.uint8)
    assert [one for one in values(read_dice(grey, 16.0)) if one is not None] == []


GRAVEL = """
import time
import cv2
import numpy as np
from vision.dice.dice import read_dice
from vision.dice.faces import get_ready

cv2.setNumThreads(1)
get_ready()
chance = np.random.default_rng(3)
spots = cv2.GaussianBlur(chance.normal(0, 1, (300, 400)), (0, 0), 1.6)
grey = np.asarray(np.clip(128 + 400 * spots, 0, 255), np.uint8)
time.sleep(0.2)  # what libraries began as they were loaded has ended
began = time.process_time() - time.thread_time()
read_dice(grey, 16.0)
print(time.process_time() - time.thread_time() - began)
"""


def test_faces_are_compared_in_one_thread() -> None:
    """Libraries' own threads, once woken, count for as long as two searches for markers take."""
    ended = subprocess.run(
        [sys.executable, "-c", GRAVEL],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "2"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert float(ended.stdout) < 1e-3


def test_where_no_table_is_no_dice_are_read() -> None:
    grey = face(5, "white", 0.0, 24.0)
    where = np.ones(grey.shape, np.bool_)
    assert values(read_dice(grey, 24.0, where)) == [5]
    where[:, :60] = False
    assert read_dice(grey, 24.0, where) == ()


CORK, FLAKE, PAPER = (84, 114, 154), (103, 139, 188), (165, 165, 165)
"""Blue, green and red of a ground, of a lighter part of it, and of something as light upon it."""


@pytest.mark.parametrize(("patch", "told"), [(CORK, 5), (FLAKE, 5), (PAPER, None)])
def test_a_lighter_part_of_the_ground_is_no_die_below(
    patch: tuple[int, int, int], told: int | None
) -> None:
    """A flake of cork beside a die has the ground's colour; what has another may be a die."""
    side_px = 24.0
    die, cover = drawn_die(5, "white", 0.0, side_px)
    ground = np.full(die.shape, CORK, np.float32)
    left, top = (round(FINE * (SIZE_PX / 2 + off * side_px)) for off in (-0.4, -0.78))
    low, right = round(FINE * (SIZE_PX / 2 - 0.5 * side_px)), round(FINE * (SIZE_PX / 2))
    ground[top:low, left:right] = patch
    fine = die + ground * (np.float32(1.0) - cover[..., None])
    colour = noisy(shrunk(np.asarray(fine, np.float32)), 2.0, 4)
    grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
    flat = FlatDie(side_px, (0.0, 0.0))
    assert values(read_dice(grey, side_px, flat_at=lambda _: flat, colour=lambda: colour)) == [told]


# -- photographs ---------------------------------------------------------------------------------


def photographs() -> list[tuple[str, dict[str, Any]]]:
    """Pictures of many dice from above, with what they show."""
    try:
        truth = json.loads((PHOTOS / "truth.json").read_text("utf-8"))["files"]
    except OSError:
        return []
    return [(name, entry) for name, entry in truth.items() if name.startswith("dice/many")]


def photographed(name: str, px_per_mm: float) -> tuple[GreyImage, float]:
    """One of them as a camera over a table would have it, and by how much it was shrunk."""
    share = px_per_mm / 10.0
    grey = cv2.imread(str(PHOTOS / name), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    soft = np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8)
    return noisy(soft, 2.5, 1), share


@pytest.mark.skipif(not photographs(), reason=f"no photographs in {PHOTOS}")
@pytest.mark.parametrize("px_per_mm", [1.2, 1.85])
def test_dice_on_photographs_are_right_or_in_doubt(px_per_mm: float) -> None:
    """72 real dice from above and through glass: none wrong, at most one in doubt."""
    right = wrong = dice = 0
    for name, entry in photographs():
        grey, share = photographed(name, px_per_mm)
        found = read_dice(grey, 17.0 * px_per_mm)
        for die in entry["dice"]:
            spot = tuple(share * n for n in die["centre"])
            near = [one for one in found if math.dist(one.centre_px, spot) < 12 * px_per_mm]
            read = {one.value for one in near} - {None}
            dice += 1
            right += read == {die["value"]}
            wrong += bool(read - {die["value"]})
    assert dice == 72
    assert wrong == 0
    assert right >= dice - 1


@pytest.mark.skipif(not photographs(), reason=f"no photographs in {PHOTOS}")
def test_dice_on_brighter_paper_are_read() -> None:
    """Photographs on white that is over-exposed, at three sizes: a bare corner is no pip."""
    counts = photo_row("photographs on white")
    assert counts == {"right": 45}


@pytest.mark.skipif(not photographs(), reason=f"no photographs in {PHOTOS}")
def test_real_dice_are_read_beside_a_board() -> None:
    """Their pips lie closer together than on drawn ones, and that of a 1 is small.

    In the light of one lamp their shadows are nearly black.
    """
    for of in ("", ", in grey"):
        counts = photo_row(f"photographs from above, beside a board{of}")
        assert counts["right"] >= 0.8 * 36
        assert counts["right"] + counts["doubt"] == 36


@pytest.mark.skipif(not photographs(), reason=f"no photographs in {PHOTOS}")
def test_real_dice_are_read_before_a_slanted_camera() -> None:
    """The rows of their 6 are near, a 2 lies along its edges, and the pip of a 1 is wide."""
    counts = photo_row("photographs at 12 to 33 degrees, beside a board")
    assert counts["right"] >= 0.85 * 27
    assert counts["right"] + counts["doubt"] + counts["missed"] == 27
    assert not counts["made up"]


@pytest.mark.skipif(not photographs(), reason=f"no photographs in {PHOTOS}")
def test_real_dice_at_a_slant_are_read_where_the_tilt_is_told() -> None:
    """No board is in sight."""
    counts = photo_row("photographs at 12 to 33 degrees, tilt told")
    assert counts["right"] >= 0.85 * 27
    assert counts["right"] + counts["doubt"] + counts["missed"] == 27
    assert not counts["made up"]


@pytest.mark.slow
@pytest.mark.skipif(not photographs(), reason=f"no photographs in {PHOTOS}")
def test_real_dice_at_a_slant_are_read_where_nobody_tells_it() -> None:
    """Neither a board nor a tilt; pips alone told 18 of these 42."""
    counts = photo_row("photographs at 12 to 35 degrees, nothing told")
    assert counts["right"] >= 0.85 * 42
    assert counts["right"] + counts["doubt"] + counts["missed"] == 42
    assert not counts["made up"]


def few_dice() -> list[str]:
    """The other photographs: slanted, on cork, towels, wood and paper, or of one die."""
    try:
        truth = json.loads((PHOTOS / "truth.json").read_text("utf-8"))["files"]
    except OSError:
        return []
    of_dice = (name for name, entry in truth.items() if entry["kind"] == "dice")
    return [name for name in of_dice if not name.startswith("dice/many")]


def strange_values(
    name: str, wide_px: float, seed: int, sizes: Sequence[float] = (0.85, 1.0, 1.15)
) -> list[DieSeen]:
    """Dice told with a value that no upper face near them has; they are expected in some sizes."""
    truth = json.loads((PHOTOS / "truth.json").read_text("utf-8"))["files"][name]
    own_px = next(wide for stem, wide in WIDE.items() if Path(name).stem.startswith(stem))
    share, grey = wide_px / own_px, cv2.imread(str(PHOTOS / name), cv2.IMREAD_GRAYSCALE)
    assert grey is not None
    small = cv2.resize(grey, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    soft = noisy(np.asarray(cv2.GaussianBlur(small, (0, 0), 0.6), np.uint8), 2.5, seed)

    def is_told(one: DieSeen) -> bool:
        spots = [(die.get("top_face_centre"), die["value"]) for die in truth["dice"]]
        near = [
            value
            for spot, value in spots
            if spot is None or math.dist([share * n for n in spot], one.centre_px) < 0.6 * wide_px
        ]
        return one.value is None or one.value in near

    return [one for off in sizes for one in read_dice(soft, off * wide_px) if not is_told(one)]


@pytest.mark.skipif(not few_dice(), reason=f"no photographs in {PHOTOS}")
def test_slanted_dice_on_photographs_show_no_wrong_value() -> None:
    """No side face, stain or grain is told, though nobody knows how the camera stood."""
    assert len(few_dice()) == 32
    assert [name for name in few_dice() if strange_values(name, 24.0, 7, (1.0,))] == []


@pytest.mark.skipif(not few_dice(), reason=f"no photographs in {PHOTOS}")
def test_what_the_edge_of_a_picture_cuts_off_is_no_die() -> None:
    """Tufts of a towel make a 6 there, part of whose face would lie beyond the edge."""
    assert strange_values("dice/towel_2_5.jpg", 24.0, 2, (1.15,)) == []


@pytest.mark.soak
@pytest.mark.skipif(not few_dice(), reason=f"no photographs in {PHOTOS}")
@pytest.mark.parametrize("wide_px", [19.0, 22.0, 24.0, 30.0, 38.0])
def test_slanted_dice_of_any_size_show_no_wrong_value(wide_px: float) -> None:
    for seed in (1, 2):
        assert [name for name in few_dice() if strange_values(name, wide_px, seed)] == []


# -- beside a board ------------------------------------------------------------------------------


def laid(seed: int, size_px: tuple[int, int] = (1920, 1080)) -> SimulatedTable:
    """A drawn hex board with its four planes."""
    table = SimulatedTable(PLAN, seed, size_px)
    for token, space in zip(PLAN.tokens, STARTS, strict=True):
        table.place(token.piece, Pose(space, 1))
    return table


def settled(tracker: Tracker, table: SimulatedTable) -> Sighting:
    """The first settled sighting after hands are gone whose dice were all read."""
    while table.busy:
        tracker.see(table.read())
    for _ in range(240):  # a whole picture of 1080 lines is read for dice in some 140
        sighting = tracker.see(table.read())
        if sighting.state is PictureState.SETTLED and not tracker.reads_dice:
            return sighting
    raise AssertionError("the table never settled")


def truth(table: SimulatedTable) -> list[int]:
    """What the dice show, from left to right in the picture."""
    places = {
        tuple(table.optics.to_px([(die.x_mm, die.y_mm)], DIE_MM)[0].tolist()): die.value
        for die in table.dice
    }
    return [places[at] for at in sorted(places)]


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.soak) for n in (1, 2))])
def test_dice_thrown_by_hand_are_read_once_they_lie_still(seed: int) -> None:
    """Each throw anew, black and white; none wrong, and at 1080 lines all are read."""
    chance = np.random.default_rng(seed)
    table = laid(seed)
    tracker = Tracker(PLAN, table.lens)
    assert settled(tracker, table).dice == ()
    for _ in range(3):
        thrown = chance.integers(1, 7, int(chance.integers(1, 5))).tolist()
        table.roll(thrown, ["white", "black"], by_hand=True)
        before = table.read().taken_at
        sighting = settled(tracker, table)
        assert list(sighting.dice) == truth(table)
        assert sighting.thrown_at > before


@pytest.mark.slow
def test_dice_that_lie_there_from_the_start_are_read() -> None:
    table = laid(5)
    table.roll([2, 6, 3])
    assert list(settled(Tracker(PLAN, table.lens), table).dice) == truth(table)


@pytest.mark.slow
def test_a_plane_that_moves_throws_no_dice() -> None:
    """The dice lie where they lay, since when they lay there."""
    table = laid(6)
    tracker = Tracker(PLAN, table.lens)
    table.roll([4, 4], ["black"], by_hand=True)
    thrown = settled(tracker, table)
    table.move(PLAN.tokens[0].piece, Pose("0,2", 0))
    moved = settled(tracker, table)
    assert thrown.dice == moved.dice == (4, 4)
    assert thrown.thrown_at == moved.thrown_at
    table.roll([], by_hand=False)
    assert settled_without(tracker, table) == ()


def settled_without(tracker: Tracker, table: SimulatedTable) -> tuple[int | None, ...]:
    """The dice told once the picture has settled again after they were taken up."""
    for _ in range(12):
        tracker.see(table.read())
    return settled(tracker, table).dice


@pytest.mark.slow
def test_one_die_left_lying_makes_no_new_throw() -> None:
    """The throw is as old as the die that has lain longest: one rolled alone is not all of it."""
    table = laid(7)
    tracker = Tracker(PLAN, table.lens)
    table.roll([5], by_hand=True)
    first = settled(tracker, table)
    table._lying.throw([*table.dice, replace(table.dice[0], y_mm=table.dice[0].y_mm + 60.0)])
    second = settled_without(tracker, table)
    assert second == (5, 5)
    assert settled(tracker, table).thrown_at == first.thrown_at


@pytest.mark.slow
def test_dice_are_told_once_all_are_read_and_are_as_old_as_the_rest() -> None:
    """The table settles first; no die is told of before, and none as younger than its rest."""
    table = laid(12)
    tracker = Tracker(PLAN, table.lens)
    settled(tracker, table)
    table.roll([3, 5, 2], ["white"], by_hand=True)
    told: list[tuple[PictureState, tuple[int | None, ...], bool]] = []
    gone_at, sighting = math.inf, tracker.see(table.read())
    while table.busy or not told or tracker.reads_dice or not sighting.dice:
        frame = table.read()
        gone_at = frame.taken_at if table.busy else gone_at
        sighting = tracker.see(frame)
        told.append((sighting.state, sighting.dice, tracker.reads_dice))
        assert len(told) < 200
    states = [state for state, *_ in told]
    first = states.index(PictureState.SETTLED, states.index(PictureState.HAND))
    reading = [dice for _, dice, reads in told[first:] if reads]
    assert len(reading) > 3
    assert set(reading) == {()}
    assert list(sighting.dice) == truth(table)
    assert gone_at - 0.15 <= sighting.thrown_at <= gone_at + 0.15


@pytest.mark.slow
def test_what_a_hand_disturbs_is_read_when_it_has_gone() -> None:
    """A hand comes while dice are read: they are read afterwards, and are as old as they are."""
    table = laid(13)
    tracker = Tracker(PLAN, table.lens)
    settled(tracker, table)
    table.roll([4, 1], ["black"], by_hand=True)
    while table.busy:
        tracker.see(table.read())
    lay_at = table.read().taken_at
    for _ in range(6):
        tracker.see(table.read())
    assert tracker.reads_dice
    table.hand_rest(3, over="0,0")
    sighting = settled(tracker, table)
    assert list(sighting.dice) == truth(table)
    assert sighting.thrown_at <= lay_at + 0.3


def test_a_box_without_dice_reads_none() -> None:
    plan = replace(PLAN, dice_mm=0.0)
    table = laid(8)
    table.roll([1, 2, 3])
    assert settled(Tracker(plan, table.lens), table).dice == ()


@pytest.mark.slow
def test_a_die_that_could_not_be_read_for_a_while_was_not_thrown() -> None:
    """Lost under a shadow's edge and found again in its place: as old as it was."""
    table = laid(9)
    table.roll([6, 3])
    frame = table.read()
    markers = MarkerReader(PLAN.dictionary).read(frame.grey)
    view = TableView(PLAN, table.lens)
    observe(frame, markers, view)
    memory = DiceMemory(DIE_MM)
    memory.read(frame, view.places.values(), markers, None)
    since = memory.thrown_at
    assert sorted(map(str, memory.values)) == ["3", "6"]
    covered: NDArray[np.uint8] = frame.grey.copy()
    covered[:, int(max(p[0] for p in view.places[PLAN.boards[0].name].outline_px)) + 5 :] = 90
    covered[:, : int(min(p[0] for p in view.places[PLAN.boards[0].name].outline_px)) - 5] = 90
    memory.read(Frame(covered, 50.0, 50), view.places.values(), markers, None)
    assert not memory.values
    memory.read(Frame(frame.grey, 51.0, 51), view.places.values(), markers, None)
    assert sorted(map(str, memory.values)) == ["3", "6"]
    assert memory.thrown_at == since
    memory.forget()
    assert not memory.values
    assert not memory.begun


# -- how a flat die looks --------------------------------------------------------------------------


def test_all_between_a_face_and_its_foot_is_on_its_sides() -> None:
    """The square passes over each place on the way, and over none beside it; however it is turned.

    Between two of a few places on that way there were gaps.
    """
    flat, along = FlatDie(20.0, (80.0, 40.0)), np.linspace(0.0, 1.0, 41)[:, None]
    for turn in (0.0, 0.4, 1.1):
        cos, sin = math.cos(turn), math.sin(turn)
        own = 9.9 * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ [(cos, sin), (-sin, cos)]
        on_the_way = (own[:, None] + along * np.array(flat.foot_px)).reshape(-1, 2)
        assert on_sides(on_the_way, flat, [turn], 0.0).all()
        beyond = np.array([(-15.0, -10.0), (98.0, 62.0), (-20.0, 40.0), (60.0, -10.0)])
        assert not on_sides(beyond, flat, [turn], 0.0).any()
    assert on_sides(np.zeros((1, 2)), FlatDie(20.0, (0.0, 0.0)), [0.4]).all()
    assert not on_sides(np.zeros((1, 2)), FlatDie(20.0), [0.4]).any()
