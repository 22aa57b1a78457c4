"""Planes that are not where the record has them.  (RULING 2)"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from companion.core.board import Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.games.talespin_dogfight.boards import board_plan

MakeTable = Callable[..., Any]
PLANE = Piece("plane-a")


def sighting(seen: Seen, state: PictureState = PictureState.SETTLED) -> Sighting:
    return Sighting(1.0, 1, state, {PLANE: seen})


@pytest.mark.parametrize(
    ("seen", "words"),
    [
        (Seen(SeenState.SEEN, Pose("location-5")), "is on location 5; the record has it on"),
        (Seen(SeenState.UNSURE, spaces=("location-1", "location-2")),
         "lies between location 1 and location 2"),
        (Seen(SeenState.UNSURE), "no location"),
        (Seen(SeenState.LOST), "is not seen"),
    ],
)  # fmt: skip
def test_what_differs_is_said_with_a_way_out(seen: Seen, words: str, at: MakeTable) -> None:
    """Nothing of it stops the dogfight."""
    table = at("defend")
    (notice,) = table.match.rulebook.compare(sighting(seen))
    assert notice.code == "TS-SEEN"
    assert words in notice.text
    assert notice.way_out


def test_what_is_as_recorded_or_unsettled_or_lagging_is_passed_over(at: MakeTable) -> None:
    """So is a plane under a hand."""
    rules = at("defend").match.rulebook
    elsewhere = Seen(SeenState.SEEN, Pose("location-5"))
    assert rules.compare(sighting(Seen(SeenState.SEEN, Pose("location-1")))) == []
    assert rules.compare(sighting(elsewhere, PictureState.MOVING)) == []
    assert rules.compare(sighting(elsewhere), (PLANE,)) == []
    assert rules.compare(sighting(Seen(SeenState.COVERED))) == []


@pytest.mark.parametrize("locations", [3, 4, 5, 12, 13, 24])
def test_the_ring_has_as_many_locations_as_the_table_says(locations: int) -> None:
    """Each its own square, neighbours side by side, markers told apart."""
    plan = board_plan(locations)
    centres = [space.centre_mm for space in plan.boards[0].spaces]
    assert len(set(centres)) == locations
    for (ax, ay), (bx, by) in pairwise(centres):
        assert abs(ax - bx) + abs(ay - by) == 80.0
    markers = [*(token.marker for token in plan.tokens), *(plan.boards[0].corners or {})]
    assert len(set(markers)) == len(markers)
