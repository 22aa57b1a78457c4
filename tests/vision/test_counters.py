"""Tokens that are only counted: many of one marker, on the spaces where they lie."""

from __future__ import annotations

from dataclasses import replace

from companion.board import Counter, Pose
from companion.games.dogfight_1917.boards import BOARD, board_plan
from companion.games.dogfight_1917.figures import assumed_figures
from companion.offers import PictureState, Sighting
from vision.simulated_table import SimulatedTable, Standing
from vision.tracker import Tracker

TACTICAL = Counter("tactical", "Tactical Token", marker=90, side_mm=22.0)
PLAN = replace(board_plan(assumed_figures()), counters=(TACTICAL,))


def laid(spaces: list[str], table: SimulatedTable) -> None:
    """One more token on each of these spaces, beside those that lie there."""
    for at, space in enumerate(spaces):
        x, y = PLAN.spaces[space].centre_mm
        aside = 17.0 if spaces.index(space) < at else -17.0 if spaces.count(space) > 1 else 0.0
        standing = Standing(BOARD, x + aside, y, 40.0 * at)
        table.add_stranger(TACTICAL.marker, standing, side_mm=TACTICAL.side_mm)


def settled(tracker: Tracker, table: SimulatedTable) -> Sighting:
    told = [tracker.see(table.read()) for _ in range(30)]
    assert told[-1].state is PictureState.SETTLED
    return told[-1]


def test_tokens_are_counted_where_they_lie() -> None:
    """Two on one hex, one on another, one beside the hexes; no plane is in conflict for it."""
    table = SimulatedTable(PLAN, 67_100, (1920, 1080))
    plane = PLAN.tokens[0].piece
    table.place(plane, Pose("0,4", 0))
    laid(["0,0", "0,0", "2,-3"], table)
    table.add_stranger(TACTICAL.marker, Standing(BOARD, 25.0, 310.0), side_mm=TACTICAL.side_mm)
    tracker = Tracker(PLAN, table.lens)
    sighting = settled(tracker, table)
    assert sighting.counts == {"tactical": {"0,0": 2, "2,-3": 1, "": 1}}
    assert sighting.conflicts == ()
    assert sighting.pieces[plane].pose == Pose("0,4", 0)


def test_a_token_that_is_taken_is_counted_no_more() -> None:
    table = SimulatedTable(PLAN, 67_101, (1920, 1080))
    laid(["0,0", "1,1"], table)
    tracker = Tracker(PLAN, table.lens)
    assert settled(tracker, table).counts == {"tactical": {"0,0": 1, "1,1": 1}}
    table.remove_strangers()
    assert settled(tracker, table).counts == {"tactical": {}}
