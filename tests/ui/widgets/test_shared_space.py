"""Pieces that stand on one space: none hides another."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from companion.core.board import Look, Piece, Pose
from companion.games import find_rulebook
from companion.match.rulebook import Setup
from ui.scene.map import MapPiece, MapState, MapView
from ui.widgets.board_map import in_rows
from ui.widgets.box import Box
from ui.widgets.field_map import TurnPart, hex_map, piece_parts
from ui.widgets.part import Part


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


@pytest.mark.parametrize("pieces", range(3, 7))
@pytest.mark.parametrize("size", [(30.0, 60.0), (90.0, 24.0), (50.0, 50.0)])
def test_planes_of_many_teams_on_one_zone_lie_apart(pieces: int, size: tuple[float, float]) -> None:
    """Each in a place of its own within the zone, in rows that let them be drawn largest."""
    room = Box(10.0, 20.0, *size)
    boxes = in_rows(room, pieces)
    assert len(boxes) == pieces
    assert all(room.holds(box, slack=0.01) for box in boxes)
    pairs = combinations(boxes, 2)
    assert not any(one.meets(other, slack=0.01) for one, other in pairs)
    alone = min(size[1], size[0] / pieces)
    assert min(min(box.wide, box.high) for box in boxes) >= alone - 0.01


def test_a_piece_that_only_turns_is_not_drawn_over_its_own_ghost() -> None:
    """An arrow goes round it instead; one that moves leaves its ghost where it was."""
    box = Box(0, 0, 40, 40)
    stands = MapPiece("A", "Camel", Look(0, "camel"), "0,0", (0.0, 0.0), 1, heading_deg=60.0)
    was = replace(stands, dashed=True, heading_deg=300.0)
    boxes = {("A", True): box, ("A", False): box}

    def drawn(*pieces: MapPiece) -> dict[str, Part]:
        return dict(piece_parts(MapState((), pieces), boxes))

    turned = drawn(was, stands)
    assert set(turned) == {"map/turn/A", "map/piece/A"}
    assert isinstance(turned["map/turn/A"], TurnPart)
    assert turned["map/turn/A"].turned == (300.0, 60.0)
    assert turned["map/piece/A"].box.wide < box.wide, "the arrow has room round it"
    assert set(drawn(replace(was, space="0,1"), stands)) == {"map/ghost/A", "map/piece/A"}
