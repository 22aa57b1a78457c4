"""Every token on its space: drawn scenes with seeds that nothing was tuned on."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.board import Pose, Space
from companion.core.offers import PictureState, SeenState, Sighting
from companion.games.jaws_and_paws.boards import SUN, board_plan
from tests.vision.conftest import off_deg, off_mm, seen_places, tracker_of
from vision.drawing.table import PictureLook, SimulatedTable, TokenSpot
from vision.tracking.tracker import Tracker

PLAN = board_plan()
SETTLED = PictureState.SETTLED
ZONES = [space for board in PLAN.boards if board.holds_pieces for space in board.spaces]


def settled(tracker: Tracker, table: SimulatedTable, frames: int = 8) -> Sighting:
    """The sighting after so many frames."""
    return [tracker.see(table.read()) for _ in range(frames)][-1]


def spot_in(space: Space, inside_mm: float, chance: np.random.Generator) -> tuple[float, float]:
    """An offset from the middle of a space to a spot at least so far inside it."""
    xs, ys = zip(*space.outline_mm, strict=True)
    while True:
        spot = float(chance.uniform(min(xs), max(xs))), float(chance.uniform(min(ys), max(ys)))
        if space.inside_mm(spot) >= inside_mm:
            return (spot[0] - space.centre_mm[0], spot[1] - space.centre_mm[1])


def scattered(table: SimulatedTable, chance: np.random.Generator) -> None:
    """Each token on some zone of its own, 3.5 mm or more inside, any heading."""
    boards = [board for board in PLAN.boards if board.holds_pieces]
    for token, number in zip(PLAN.tokens, chance.permutation(len(boards)), strict=False):
        spaces = boards[number].spaces
        space = spaces[int(chance.integers(len(spaces)))]
        table.place(token.piece, Pose(space.name), offset_mm=spot_in(space, 3.5, chance))


@pytest.mark.slow(gate=4)
@pytest.mark.parametrize("calibrated", [True, False])
@pytest.mark.parametrize("seed", range(1000, 1006))
def test_every_token_is_on_its_space(seed: int, calibrated: bool) -> None:  # noqa: FBT001
    """Three millimetres or more inside a zone: the right zone, all of them, none wrong."""
    chance = np.random.default_rng(seed)
    table = SimulatedTable(PLAN, seed)
    tracker = tracker_of(table, calibrated=calibrated)
    for _ in range(4):
        scattered(table, chance)
        sighting = settled(tracker, table)
        assert sighting.state is SETTLED
        assert seen_places(sighting) == table.truth()
        for piece, seen in sighting.pieces.items():
            assert off_mm(table, piece, seen) < (0.5 if calibrated else 2.5)
            assert off_deg(table, piece, seen) < 1.5


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(5000, 5200))
def test_every_token_is_on_its_space_however_often(seed: int) -> None:
    """As above, with worse pictures: right or unsure, never wrong."""
    chance = np.random.default_rng(seed)
    look = PictureLook(
        blur_px=float(chance.uniform(0.4, 1.1)),
        noise=float(chance.uniform(1.0, 5.0)),
        falloff=float(chance.uniform(0.1, 0.5)),
        jpeg_quality=None if seed % 2 else 80,
    )
    table = SimulatedTable(PLAN, seed, look=look)
    tracker = tracker_of(table, calibrated=bool(seed % 3))
    for _ in range(10):
        scattered(table, chance)
        sighting = settled(tracker, table, 25)
        assert sighting.state is SETTLED
        truth = table.truth()
        assert all(truth[piece] == pose for piece, pose in seen_places(sighting).items())
        assert len(seen_places(sighting)) >= 2


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", range(1010, 1014))
def test_near_a_border_it_is_right_or_unsure(seed: int) -> None:
    """Anywhere on a board: the right zone, or both; never the wrong one alone."""
    chance = np.random.default_rng(seed)
    table = SimulatedTable(PLAN, seed)
    tracker = tracker_of(table)
    for _ in range(4):
        space = ZONES[int(chance.integers(len(ZONES)))]
        board = PLAN.board_of[space.name]
        edge_x = space.outline_mm[1][0] + float(chance.uniform(-4, 4))
        table.stand(SUN, TokenSpot(board.name, edge_x, 55.0, float(chance.uniform(0, 360))))
        sun = settled(tracker, table, 25).pieces[SUN]
        truth = table.truth().get(SUN)
        assert sun.state in {SeenState.SEEN, SeenState.UNSURE}
        if sun.state is SeenState.SEEN:
            assert sun.pose == truth
        elif truth is not None:
            assert sun.spaces == () or truth.space in sun.spaces
