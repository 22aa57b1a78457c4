"""TablePlan: a box's boards in small, as they lie, and what stands on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ui.scene.theme import Caps, Colour, Face
from ui.widgets.board_map import in_a_row
from ui.widgets.box import Box
from ui.widgets.field_map import MapFrame
from ui.widgets.part import Part
from ui.widgets.shape import Solid, Stroke
from ui.widgets.signs import SIGNS

if TYPE_CHECKING:
    from ui.scene.map import MapBoard, MapState
    from ui.widgets.pen import Pen

_STRETCH = 2.2
_THIN, _EDGE = 1.0, 1.6
_LEAST_LETTERED = 22.0
"""A smaller disc has no letter: it would lie over its neighbours."""
_LEAST_CELL = 3.0
"""Cells smaller than so many u are left out: they would only be grey."""


@dataclass(frozen=True, kw_only=True)
class TablePlan(Part):
    """The boards as they lie before the screen: hexes and squares as they are, zones in a row.

    Pieces are drawn with their signs, else as discs with letters; `titled` boards have names.
    """

    map: MapState
    titled: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.LAND, 5)
        pen.edge(self.box, Colour.HAIR, 1.5, 5)
        room = self.box.inset(min(14, self.box.wide * 0.05), 6)
        draw_plan(pen, room, self.map)
        if self.titled:
            _draw_titles(pen, room, self.map)


def draw_plan(pen: Pen, room: Box, shown: MapState) -> None:
    """Boards and pieces, as large as they fit into the room."""
    frame = MapFrame.fit(room, shown.bounds_mm, stretch=1.0 if shown.field else _STRETCH)
    for board in shown.boards:
        _draw_board(pen, board, frame)
    for piece in shown.pieces:
        x, y = frame.point(piece.centre_mm)
        side = max(15.0, min(34.0, room.high * 0.3))
        box = Box(x - side / 2, y - side / 2, side, side)
        tint = pen.theme.side(piece.tint)
        if piece.tint.sign in SIGNS:
            pen.silhouette(piece.tint.sign, box, tint.text, piece.heading_deg or 0.0)
            pen.halo(piece.tint.sign, box, Colour.LAND, piece.heading_deg or 0.0)
            continue
        pen.fill(box, tint.fill, side / 2)
        if side < _LEAST_LETTERED:
            continue
        letter = piece.tint.letter or piece.label[:1]
        pen.text(letter, box, max(Caps.DETAIL, side * 0.5), tint.on_fill, align="centre")


def _draw_board(pen: Pen, board: MapBoard, frame: MapFrame) -> None:
    """Its edge in its owner's colour, and its spaces."""
    place = frame.around(board.outline_mm).inset(1)
    tint = pen.theme.side(board.side.tint).text
    if in_a_row(board):
        pen.fill(place, Colour.CELL, 4)
        pen.edge(place, tint, _EDGE, 4)
        for cell in place.columns([1] * len(board.cells))[1:]:
            pen.fill(replace(cell, y=place.y + 2, wide=1, high=place.high - 4), Colour.GRID)
        return
    cells = [tuple(frame.point(point) for point in cell.outline_mm) for cell in board.cells]
    if not cells or max(x for x, _ in cells[0]) - min(x for x, _ in cells[0]) < _LEAST_CELL:
        pen.edge(place, tint, _EDGE, 4)
        return
    around = Box(place.x - 2, place.y - 2, place.wide + 4, place.high + 4)
    local = [tuple((x - around.x, y - around.y) for x, y in cell) for cell in cells]
    frame_u = (around.wide, around.high)
    pen.shapes(around, tuple(Solid(cell) for cell in local), frame_u, Colour.CELL2)
    strokes = tuple(Stroke(cell, _THIN, closed=True) for cell in local)
    pen.shapes(around, strokes, frame_u, Colour.GRID)


def _draw_titles(pen: Pen, room: Box, shown: MapState) -> None:
    """Each board's name in its middle, on a plate of its own; of a single field none."""
    if len(shown.boards) == 1:
        return
    frame = MapFrame.fit(room, shown.bounds_mm, stretch=_STRETCH)
    for board in shown.boards:
        place = frame.around(board.outline_mm)
        wide = pen.width(board.name, Caps.DETAIL, Face.MEDIUM) + 12
        name = board.name if wide <= place.wide - 4 else board.title
        wide = min(place.wide - 4, pen.width(name, Caps.DETAIL, Face.MEDIUM) + 12)
        plate = Box(place.centre[0] - wide / 2, place.centre[1] - 11, wide, 22)
        pen.fill(plate, Colour.LAND, 3)
        tint = pen.theme.side(board.side.tint).text
        pen.text(name, plate, Caps.DETAIL, tint, face=Face.MEDIUM, align="centre")
