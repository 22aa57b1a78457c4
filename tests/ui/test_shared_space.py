"""Pieces that stand on one space: none hides another."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.board import Piece, Pose
from companion.games import find_rulebook
from companion.rulebook import Setup
from ui.presenters.mapping import MapView
from ui.widgets.box import Box
from ui.widgets.hex_map import hex_map


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_pieces_on_one_space_stand_apart(number: int) -> None:
    """In a TaleSpin dogfight every plane may fly at the same range."""
    rulebook = find_rulebook("talespin-dogfight")(
        Setup("talespin-dogfight", options={"players": number if number > 1 else 2})
    )
    plan = rulebook.plan
    space = next(iter(plan.board_of))
    pieces = [Piece(name) for name in list(plan.token_of)[:number]]
    assert len(pieces) == number
    state = MapView(plan, "near", rulebook.looks).draw({piece: Pose(space) for piece in pieces})
    parts = dict(hex_map(Box(0, 0, 480, 320), state))
    boxes = [parts[f"map/piece/{piece}"].box for piece in pieces]
    assert all(box.wide > 0 for box in boxes)
    for one, other in combinations(boxes, 2):
        aside = one.right <= other.x or other.right <= one.x
        below = one.bottom <= other.y or other.bottom <= one.y
        assert aside or below
