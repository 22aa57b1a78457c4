"""A pen that draws in millimetres, x right and y down, as boards have them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import pairwise

import numpy as np
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.core.board import PointMm
from vision.markers.dictionaries import MarkerDictionary

INK, PALE = 0.0, 0.6
"""Levels of grey, 0 black to 1 white."""


class PaperPen:
    """Draws in mm with x right and y down."""

    def __init__(self, canvas: Canvas, height_mm: float, origin_mm: PointMm = (0.0, 0.0)) -> None:
        self._canvas = canvas
        self._height_mm = height_mm
        self._origin_mm = origin_mm

    def at(self, origin_mm: PointMm) -> PaperPen:
        """A pen whose zero lies elsewhere."""
        x, y = self._origin_mm
        return PaperPen(self._canvas, self._height_mm, (x + origin_mm[0], y + origin_mm[1]))

    def _point(self, point: PointMm) -> PointMm:
        x, y = point[0] + self._origin_mm[0], point[1] + self._origin_mm[1]
        return (x * mm, (self._height_mm - y) * mm)

    def fill(self, rectangles: Iterable[tuple[float, float, float, float]], grey: float) -> None:
        """Fill rectangles (left, top, width, height) in one stroke, so that no seam shows."""
        path = self._canvas.beginPath()
        for left, top, width, height in rectangles:
            x, y = self._point((left, top + height))
            path.rect(x, y, width * mm, height * mm)  # pyright: ignore[reportUnknownMemberType]
        self._canvas.setFillGray(grey)
        self._canvas.drawPath(path, stroke=0, fill=1)  # pyright: ignore[reportUnknownMemberType]

    def shape(self, points: Sequence[PointMm], grey: float = INK) -> None:
        """A filled polygon."""
        path = self._canvas.beginPath()
        path.moveTo(*self._point(points[0]))  # pyright: ignore[reportUnknownMemberType]
        for point in points[1:]:
            path.lineTo(*self._point(point))  # pyright: ignore[reportUnknownMemberType]
        path.close()  # pyright: ignore[reportUnknownMemberType]
        self._canvas.setFillGray(grey)
        self._canvas.drawPath(path, stroke=0, fill=1)  # pyright: ignore[reportUnknownMemberType]

    def ring(self, centre: PointMm, radius_mm: float, grey: float = PALE) -> None:
        """A thin circle."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(0.4 * mm)
        self._canvas.circle(*self._point(centre), radius_mm * mm, stroke=1, fill=0)

    def line(self, points: Sequence[PointMm], grey: float = PALE, width_mm: float = 0.2) -> None:
        """A thin line through points."""
        self._canvas.setStrokeGray(grey)
        self._canvas.setLineWidth(width_mm * mm)
        for start, end in pairwise(points):
            self._canvas.line(*self._point(start), *self._point(end))

    @contextmanager
    def within(self, size_mm: PointMm) -> Generator[None, None, None]:
        """For a while, draw nothing outside of a rectangle at this pen's zero."""
        (x, y), (width, height) = self._point((0.0, size_mm[1])), size_mm
        path = self._canvas.beginPath()
        path.rect(x, y, width * mm, height * mm)  # pyright: ignore[reportUnknownMemberType]
        self._canvas.saveState()
        self._canvas.clipPath(path, stroke=0, fill=0)  # pyright: ignore[reportUnknownMemberType]
        try:
            yield
        finally:
            self._canvas.restoreState()

    def dashes(self, points: Sequence[PointMm]) -> None:
        """A fine dashed line through points: to be cut or folded along."""
        self._canvas.saveState()
        self._canvas.setDash(1.2 * mm, 1.2 * mm)
        self.line(points, PALE, 0.1)
        self._canvas.restoreState()

    def text(self, words: str, middle: PointMm, size_mm: float, grey: float = INK) -> None:
        """Words centred on a point of their base line, `size_mm` high."""
        self._canvas.setFillGray(grey)
        self._canvas.setFont("Helvetica", size_mm * mm)
        self._canvas.drawCentredString(*self._point(middle), words)

    def words(self, text: str, left: PointMm, size_mm: float, *, bold: bool = False) -> None:
        """Words that begin at a point of their base line."""
        self._canvas.setFillGray(INK)
        self._canvas.setFont("Helvetica-Bold" if bold else "Helvetica", size_mm * mm)
        self._canvas.drawString(*self._point(left), text)

    def cut_lines(self, size_mm: PointMm, length_mm: float = 4.0, off_mm: float = 1.0) -> None:
        """Where to cut a rectangle out: pale dashes along its edges, ticks outside its corners.

        The dashes are too fine and too pale for a camera to take them for a marker's edge.
        """
        width, height = size_mm
        self.dashes([(0, 0), (width, 0), (width, height), (0, height), (0, 0)])
        for x, outward in ((0.0, -1), (width, 1)):
            for y, down in ((0.0, -1), (height, 1)):
                near, far = off_mm, off_mm + length_mm
                self.line([(x + outward * near, y), (x + outward * far, y)], INK)
                self.line([(x, y + down * near), (x, y + down * far)], INK)

    def marker(
        self, dictionary: MarkerDictionary, number: int, centre: PointMm, side_mm: float
    ) -> None:
        """One marker, its top up: black first, then its white cells in one stroke."""
        left, top = centre[0] - side_mm / 2, centre[1] - side_mm / 2
        cell = side_mm / dictionary.cells
        white = np.argwhere(dictionary.picture(number, dictionary.cells) > 127).tolist()
        self.fill([(left, top, side_mm, side_mm)], INK)
        self.fill([(left + x * cell, top + y * cell, cell, cell) for y, x in white], 1.0)
