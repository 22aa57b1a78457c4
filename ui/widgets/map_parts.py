"""What maps of any board are made of: millimetres on the screen, pieces, paths, the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.core.board import PointMm
from ui.presenters.map import MapPiece
from ui.theme import Colour, Face, Rgba, SideColours
from ui.widgets.box import Box
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.raster import Disc, Point, Shape, Stroke, rounded
from ui.widgets.signs import SIGNS

_LEAST_LETTERED = 12.0


@dataclass(frozen=True, slots=True)
class MapFrame:
    """How millimetres of the table lie on the screen.

    Boards of few zones in a row may be stretched to fill the room; hexes stay hexes.
    """

    box: Box
    left_mm: float
    top_mm: float
    across_u: float
    down_u: float

    @classmethod
    def fit(
        cls, room: Box, bounds_mm: tuple[float, float, float, float], stretch: float = 1.0
    ) -> MapFrame:
        """Into the room's middle; one way may be scaled up to `stretch` times the other."""
        left, top, wide_mm, high_mm = bounds_mm
        across, down = room.wide / wide_mm, room.high / high_mm
        across, down = min(across, down * stretch), min(down, across * stretch)
        box = Box(
            room.x + (room.wide - wide_mm * across) / 2,
            room.y + (room.high - high_mm * down) / 2,
            wide_mm * across,
            high_mm * down,
        )
        return cls(box, left, top, across, down)

    def point(self, point_mm: PointMm) -> Point:
        """A point of the table on the screen, u."""
        return (
            self.box.x + (point_mm[0] - self.left_mm) * self.across_u,
            self.box.y + (point_mm[1] - self.top_mm) * self.down_u,
        )

    def around(self, outline_mm: Sequence[PointMm]) -> Box:
        """The box around an outline."""
        points = [self.point(point) for point in outline_mm]
        xs, ys = [x for x, _ in points], [y for _, y in points]
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@dataclass(frozen=True, kw_only=True)
class PiecePart(Part):
    """A piece: solid is the table, dashed is where it was or where the record has it."""

    piece: MapPiece

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        sign = self.piece.tint.sign
        colours = pen.theme.side(self.piece.tint)
        if self.piece.dashed:
            owned = self.piece.tint.colour is not None
            self._draw_ghost(pen, sign, colours.text if owned else Colour.SUN_EDGE)
            return
        box = self.box
        if self.piece.struck:
            pen.sign("burst", box, Colour.BAD)
            box = box.inset(box.high * 0.13)
        if sign in SIGNS:
            self._draw_solid(pen, sign, box, colours)
        else:
            self._draw_disc(pen)

    @property
    def _turn_deg(self) -> float:
        """Clockwise from the top of the screen."""
        return self.piece.heading_deg or 0.0

    def _draw_solid(self, pen: Pen, sign: str, box: Box, colours: SideColours) -> None:
        if self.piece.tint.colour is None:
            pen.sign(sign, box, Colour.SUN)
            return
        pen.halo(sign, box, colours.text, self._turn_deg)
        pen.sign(sign, box, colours.fill, self._turn_deg)

    def _draw_ghost(self, pen: Pen, sign: str, tint: Colour | Rgba) -> None:
        if sign in SIGNS:
            pen.ghost(sign, self.box, tint, self._turn_deg)
        else:
            frame = (self.box.wide, self.box.high)
            ring = rounded(frame, min(frame) / 2, 2)
            pen.shapes(self.box, (Stroke(ring, 1.6, closed=True, dash=5, gap=3),), frame, tint)

    def _draw_disc(self, pen: Pen) -> None:
        """A piece without a drawing: a disc with its letter."""
        colours = pen.theme.side(self.piece.tint)
        disc: Shape = Disc((50, 50), 46)
        pen.filled_shape(self.box, (disc,), (100, 100), colours.fill)
        if self.box.high < _LEAST_LETTERED:  # its letter would lie over its neighbours
            return
        letter = self.piece.tint.letter or self.piece.label[:1].upper()
        caps = max(14.0, min(30.0, self.box.high * 0.5))
        least = pen.width(letter, 14.0) + 1
        room = self.box if self.box.wide >= least else self.box.grown((least - self.box.wide) / 2)
        pen.text(letter, room, caps, colours.on_fill, align="centre")


@dataclass(frozen=True, kw_only=True)
class ArrowPart(Part):
    """The path of the hand."""

    start: Point
    end: Point

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.arrow(self.start, self.end, Colour.INK)


@dataclass(frozen=True, kw_only=True)
class LegendPart(Part):
    """What dashed outlines mean here."""

    legend: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        y = self.box.centre[1]
        frame = (self.box.wide, self.box.high)
        stroke = Stroke(((2, y - self.box.y), (36, y - self.box.y)), 1.6, dash=5, gap=3)
        pen.shapes(self.box, (stroke,), frame, Colour.INK2)
        pen.text(self.legend, self.box.beside(44), 14, Colour.INK2, face=Face.MEDIUM)
