"""Tokens that point nowhere, on a board whose other pieces have headings."""

from __future__ import annotations

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, SeenState, Sighting
from companion.games.dogfight_hex.boards import board_plan
from companion.games.dogfight_hex.cards import assumed_figures
from vision.drawing.table import SimulatedTable
from vision.markers.choice import NOSE_MM, nose_of
from vision.tracking.tracker import Tracker

PLAN = board_plan(assumed_figures())
SHIP, DEBRIS, WRECK = Piece("ship-a"), Piece("ship-b-debris"), Piece("wreck-1")


def settled(table: SimulatedTable) -> Sighting:
    """The first settled sighting after hands are gone."""
    tracker = Tracker(PLAN)
    for _ in range(80):
        told = tracker.see(table.read())
        if told.state is PictureState.SETTLED and not table.busy:
            return told
    raise AssertionError("the table never settled")


def laid_out(seed: int) -> SimulatedTable:
    """A ship, debris and a piece of wreckage, before a camera of 1080 lines."""
    table = SimulatedTable(PLAN, seed, (1920, 1080))
    table.place(SHIP, Pose("0,-5", 3))
    table.place(DEBRIS, Pose("2,1"))
    table.place(WRECK, Pose("-3,1"))
    return table


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("turned_deg", [0.0, 30.0, 60.0, 210.0])
def test_a_token_without_a_heading_is_sure_however_it_is_turned(turned_deg: float) -> None:
    """Halfway between two facings, too; a ship beside it keeps its own facing."""
    table = laid_out(1)
    table.place(WRECK, Pose("-3,1"), heading_deg=turned_deg)
    seen = settled(table).pieces
    assert (seen[WRECK].state, seen[WRECK].pose) == (SeenState.SEEN, Pose("-3,1"))
    assert seen[WRECK].facings == ()
    assert seen[DEBRIS].pose == Pose("2,1")
    assert seen[SHIP].pose == Pose("0,-5", 3)


def test_the_truth_of_such_a_token_has_no_facing() -> None:
    """What is drawn and what is seen are compared as they are."""
    assert laid_out(2).truth() == {SHIP: Pose("0,-5", 3), DEBRIS: Pose("2,1"), WRECK: Pose("-3,1")}


def test_only_what_points_somewhere_has_a_nose() -> None:
    """And nothing has one where no piece has a heading."""
    assert nose_of(PLAN, PLAN.token_of[SHIP]) == NOSE_MM
    assert nose_of(PLAN, PLAN.token_of[WRECK]) == 0.0


@pytest.mark.slow
def test_what_was_put_down_last_lies_on_top() -> None:
    """Debris that drifts onto wreckage is read; the wreckage below it may not be."""
    table = laid_out(3)
    table.place(DEBRIS, Pose("-3,1"), offset_mm=(0.0, 0.0))
    table.place(WRECK, Pose("-3,1"), offset_mm=(0.0, 0.0))
    assert settled(table).pieces[WRECK].pose == Pose("-3,1")
    table.place(DEBRIS, Pose("-3,1"), offset_mm=(0.0, 0.0))
    seen = settled(table).pieces
    assert seen[DEBRIS].pose == Pose("-3,1")
    assert seen[WRECK].state is SeenState.LOST
