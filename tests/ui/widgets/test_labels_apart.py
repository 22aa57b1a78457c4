"""Labels never cover pieces: on the map, and on the flat picture of all boards."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

from companion.core.board import Board, BoardPlan, Look, Piece, Pose
from companion.core.offers import PictureState, Seen, SeenState, Sighting
from companion.core.ruling import LineOfFire
from companion.games import rulebook_of
from companion.match.rulebook import Setup
from ui.scene.map import MapView
from ui.scene.theme import Light, Theme
from ui.scene.values import Picture
from ui.table.eyes import flat_marks
from ui.widgets.board_map import board_map
from ui.widgets.box import Box
from ui.widgets.field_map import PiecePart
from ui.widgets.picture import PicturePart
from vision.boards.lens import Lens
from vision.boards.place import BoardFound, BoardPlace, Outline, recalled
from vision.evidence.flat import FlatTable

BOXES: Mapping[str, Mapping[str, Any]] = {
    "jaws-and-paws": {},
    "dogfight-1917": {},
    "dogfight-hex": {"players": 6},
    "talespin-dogfight": {"players": 4},
    "starship-edition": {"players": 6},
}
ROOMS = (Box(0, 52, 430, 240), Box(0, 52, 468, 560))
"""A map beside words, and one upright."""
SHARED = 3.0
"""So much of a piece's edge a letter's box may touch: its own box has corners that are empty."""

Placement = dict[Piece, Pose]


@cache
def box_of(name: str) -> tuple[BoardPlan, Mapping[str, Look]]:
    """The plan and looks of a box with as many players as it takes."""
    setup = Setup(name, options=dict(BOXES[name]))
    rulebook = rulebook_of(setup)(setup)
    return rulebook.plan, rulebook.looks


def boards_of(plan: BoardPlan) -> Sequence[Board]:
    return [board for board in plan.boards if board.holds_pieces]


def placements(name: str) -> Iterator[tuple[str, Placement]]:
    """Where pieces are worst for labels: neighbours, every edge, two or all on one space."""
    plan, _ = box_of(name)
    pieces = list(dict.fromkeys(token.piece for token in plan.tokens))[:8]
    boards = boards_of(plan)
    spots = {
        space.name: board.to_table(space.centre_mm) for board in boards for space in board.spaces
    }
    middle = boards[0].spaces[len(boards[0].spaces) // 2].name
    near = sorted(spots, key=lambda one: math.dist(spots[one], spots[middle]))
    yield "neighbours", _posed(plan, pieces, near)
    for edge, of in {"left": (1, 0), "right": (-1, 0), "top": (0, 1), "low": (0, -1)}.items():
        along = sorted(spots, key=lambda one: of[0] * spots[one][0] + of[1] * spots[one][1])
        yield f"all at the {edge} edge", _posed(plan, pieces, along)
    corners = [near[-1], near[-2], near[-3], near[-4]]
    yield "corners", _posed(plan, pieces, corners)
    yield "two on each space", _posed(plan, pieces, [one for one in near for _ in range(2)])
    for space in (near[0], near[-1]):
        yield f"all on {space}", _posed(plan, pieces, [space] * len(pieces))


def _posed(plan: BoardPlan, pieces: Sequence[Piece], spaces: Sequence[str]) -> Placement:
    """Each piece on the next space; on boards with headings each looks another way."""
    return {
        piece: Pose(space, n % len(board.facings) if board.facings else None)
        for n, (piece, space) in enumerate(zip(pieces, spaces, strict=False))
        for board in (plan.board_of[space],)
    }


def hidden_pieces(sheet: Any) -> Iterator[str]:
    """Pieces over which another part wrote or filled, or another piece its letter."""
    pieces = {n: part for n, part in sheet.parts.items() if isinstance(part, PiecePart)}
    for name, text in sheet.written():
        for other, part in pieces.items():
            stood = part.piece.dashed and name in pieces  # who stands where another stood
            if other != name and not stood and text.ink.meets(part.box, slack=SHARED):
                yield f"{name}: {text.text!r} over {other}"
    drawn = list(sheet.parts)
    for other, part in pieces.items():
        for later in drawn[drawn.index(other) + 1 :]:
            fills = [] if later in pieces else sheet._shown[later].filled
            if any(filled.box.meets(part.box, slack=SHARED) for filled in fills):
                yield f"{later} is filled over {other}"


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("name", BOXES)
def test_no_label_of_a_map_covers_a_piece(make_sheet: Callable[[Theme], Any], name: str) -> None:
    """Wherever pieces stand, in small rooms and large; moved, hit and fired at."""
    plan, looks = box_of(name)
    sheet, found = make_sheet(Theme(Light.DAY, size_px=(800, 800))), list[str]()
    view = MapView(plan, "near", looks)
    for case, placed in placements(name):
        others = list(placed)
        was = dict(zip(others, [*list(placed.values())[1:], placed[others[0]]], strict=True))
        fires = (LineOfFire(others[0], others[1], "at long range"),)
        states = {
            "fire": view.draw(placed, fires=fires, struck=others[:1]),
            "moved": view.draw(placed, ghosts=was, legend="where the record has it"),
            "paths": view.draw(placed, ghosts=was, arrows=True, legend="before"),
        }
        for room in ROOMS:
            for way, state in states.items():
                where = f"{case}, {way}, {room.wide:.0f}x{room.high:.0f}"
                sheet.show(where, dict(board_map(room, state)))
                found += [f"{where}: {fault}" for fault in hidden_pieces(sheet)]
    assert found == [], f"{len(found)}:\n" + "\n".join(found[:: max(1, len(found) // 25)])


# The flat picture.

SIZE = (1280, 720)


def seen_places(plan: BoardPlan) -> Mapping[str, BoardPlace]:
    """Every board as a camera straight above the table has it."""
    scale = min(SIZE[0] / plan.table_mm[0], SIZE[1] / plan.table_mm[1]) * 0.9
    places: dict[str, BoardPlace] = {}
    for board in plan.boards:
        wide, high = board.size_mm
        corners = [board.to_table(at) for at in ((0, 0), (wide, 0), (wide, high), (0, high))]
        one, two, three, four = ((30 + x * scale, 30 + y * scale) for x, y in corners)
        outline: Outline = (one, two, three, four)
        found = recalled(board, Lens.usual(SIZE), BoardFound(outline, 4, 0.2))
        assert found is not None
        places[board.name] = found
    return places


def sighting_of(plan: BoardPlan, placed: Placement) -> Sighting:
    """Every piece seen in the middle of its space, those of one space side by side."""
    pieces: dict[Piece, Seen] = {}
    for piece, pose in placed.items():
        board, space = plan.board_of[pose.space], plan.spaces[pose.space]
        there = [other for other, at in placed.items() if at.space == pose.space]
        aside = plan.token_of[piece].side_mm * 1.1
        shift = (there.index(piece) - (len(there) - 1) / 2) * aside
        x = min(max(space.centre_mm[0] + shift, 0.0), board.size_mm[0])
        pieces[piece] = Seen(SeenState.SEEN, pose, (pose.space,), board.name, x, space.centre_mm[1])
    return Sighting(0.0, 1, PictureState.SETTLED, pieces)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("name", BOXES)
def test_no_label_of_a_flat_picture_covers_a_piece(
    make_sheet: Callable[[Theme], Any], name: str
) -> None:
    """On table check's picture: each label lies beside every ring, and beside every other label."""
    plan, _ = box_of(name)
    places, found = seen_places(plan), list[str]()
    sheet = make_sheet(Theme(Light.DAY, size_px=(800, 800)))
    for turn in (0, 90):
        flat = FlatTable.of(places, turn)
        assert flat is not None
        image = np.full((flat.size_px[1], flat.size_px[0], 3), 90, np.uint8)
        for case, placed in placements(name):
            marks = flat_marks(flat, plan, sighting_of(plan, placed))
            picture = Picture(image, 1, flat.size_px, marks, note="settled")
            for room in (Box(0, 52, 470, 320), Box(0, 52, 700, 400), Box(0, 52, 468, 380)):
                part = PicturePart(box=room, slot="flat", picture=picture)
                sheet.show(f"{case} {room.wide}", {"picture": part})
                where = f"turn {turn} {case} {room.wide:.0f}x{room.high:.0f}"
                found += [f"{where}: {fault}" for fault in hidden_rings(sheet, part)]
    assert found == [], f"{len(found)}:\n" + "\n".join(found[:: max(1, len(found) // 25)])


def hidden_rings(sheet: Any, part: PicturePart) -> Iterator[str]:
    """Rings that a label's plate lies over; plates over plates."""
    assert part.picture is not None
    rings = [(mark.label, box) for mark, box in part.placed()]
    labels = [text for _, text in sheet.written() if text.text != part.picture.note]
    filled = [one.box for one in sheet._shown["picture"].filled]
    plates = [
        (text.text, min((box for box in filled if box.holds(text.room)), key=lambda box: box.high))
        for text in labels
    ]
    for said, plate in plates:
        for label, ring in rings:
            if _over(plate, ring):
                yield f"{said!r} over the ring of {label!r}"
    for n, (said, plate) in enumerate(plates):
        for other, beside in plates[n + 1 :]:
            if plate.meets(beside, slack=1.0):
                yield f"{said!r} over {other!r}"


def _over(plate: Box, ring: Box) -> bool:
    """Whether a plate reaches into a round piece."""
    x, y = ring.centre
    near = (min(max(x, plate.x), plate.right), min(max(y, plate.y), plate.bottom))
    return math.dist((x, y), near) < ring.high / 2 - 1
