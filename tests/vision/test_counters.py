"""Tokens that are only counted: many of one marker, on the spaces where they lie."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from companion.core.board import Pose
from companion.core.offers import PictureState, Sighting
from companion.games.dogfight_1917.boards import BOARD, TACTICAL, board_plan, tray_of
from companion.games.dogfight_1917.cards import A, B
from companion.games.dogfight_1917.figures import assumed_figures
from vision.drawing.table import SimulatedTable, TokenSpot
from vision.see import see
from vision.table_file.reading import TableSetup
from vision.tracking.tracker import Tracker

PLAN = board_plan(assumed_figures())


def laid(spaces: list[str], table: SimulatedTable) -> None:
    """One more token on each of these spaces, beside those that lie there."""
    for at, space in enumerate(spaces):
        x, y = PLAN.spaces[space].centre_mm
        aside = 17.0 if spaces.index(space) < at else -17.0 if spaces.count(space) > 1 else 0.0
        standing = TokenSpot(BOARD, x + aside, y, 40.0 * at)
        table.add_stranger(TACTICAL.marker, standing, side_mm=TACTICAL.side_mm)


def settled(tracker: Tracker, table: SimulatedTable) -> Sighting:
    told = [tracker.see(table.read()) for _ in range(30)]
    assert told[-1].state is PictureState.SETTLED
    return told[-1]


@pytest.mark.slow
def test_tokens_are_counted_where_they_lie() -> None:
    """Two on one hex, one on another, one beside the hexes; no plane is in conflict for it."""
    table = SimulatedTable(PLAN, 67_100, (1920, 1080))
    plane = PLAN.tokens[0].piece
    table.place(plane, Pose("0,4", 0))
    laid(["0,0", "0,0", "2,-3"], table)
    table.add_stranger(TACTICAL.marker, TokenSpot(BOARD, 22.0, 310.0), side_mm=TACTICAL.side_mm)
    tracker = Tracker(PLAN, table.lens)
    sighting = settled(tracker, table)
    assert sighting.counts == {"tactical": {"0,0": 2, "2,-3": 1, "": 1}}
    assert sighting.conflicts == ()
    assert sighting.pieces[plane].pose == Pose("0,4", 0)


@pytest.mark.slow
def test_a_token_that_is_taken_is_counted_no_more() -> None:
    table = SimulatedTable(PLAN, 67_101, (1920, 1080))
    laid(["0,0", "1,1"], table)
    tracker = Tracker(PLAN, table.lens)
    assert settled(tracker, table).counts == {"tactical": {"0,0": 1, "1,1": 1}}
    table.remove_strangers()
    assert settled(tracker, table).counts == {"tactical": {}}


def fill(tray: str, count: int, table: SimulatedTable) -> None:
    """So many tokens in a seat's place, side by side in rows, none straight."""
    (place,) = (place for place in PLAN.boards[0].trays if place.name == tray)
    left, top = place.outline_mm[0]
    for at in range(count):
        x, y = left + 19.0 + 36.0 * (at % 4), top + 24.0 + 40.0 * (at // 4)
        table.add_stranger(TACTICAL.marker, TokenSpot(BOARD, x, y, 35.0 * at), side_mm=22.0)


@pytest.mark.slow
def test_each_seats_tokens_are_counted_in_its_place() -> None:
    """Seven of A's, two of B's and one left on a hex; a place that is taken away from counts on."""
    table = SimulatedTable(PLAN, 67_102, (1920, 1080))
    fill(tray_of(A), 7, table)
    fill(tray_of(B), 2, table)
    laid(["1,1"], table)
    tracker = Tracker(PLAN, table.lens)
    assert settled(tracker, table).counts == {"tactical": {"A.tokens": 7, "B.tokens": 2, "1,1": 1}}


@pytest.mark.slow
def test_a_picture_tells_its_counts(tmp_path: Path) -> None:
    """`companion see`: in JSON by kind and place, and in a sentence; no key where none is kept."""
    table = SimulatedTable(PLAN, 67_103, (1920, 1080))
    fill(tray_of(B), 3, table)
    frame = table.read()
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), frame.grey if frame.colour is None else frame.colour)
    (seen,) = see(str(path), table=TableSetup(PLAN, table.lens))
    assert seen.to_json()["counts"] == {"tactical": {"B.tokens": 3}}
    assert "tactical: 3 on B.tokens" in str(seen)
