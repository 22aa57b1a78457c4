"""Printable sheets, true to size: boards with their corner markers, tokens, a calibration board."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import numpy as np
from reportlab.lib.pagesizes import A0, A1, A2, A3, A4, landscape, portrait
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.board import Board, BoardPlan, PointMm, Space
from companion.errors import BadCall, BadFile
from vision.dictionaries import MarkerDictionary, load_dictionary

MARGIN_MM = 12.0
RULER_MM = 100
RULER_FOOT_MM = 16.0
"""Kept free at the foot of each page for the ruler."""
RIM_CELLS = 2
"""White around a marker that stands alone: with one cell the rim's outline is mistaken for it."""
GAP_MM = 8.0
CAPTION_MM = 6.0
LABEL_MM = 8.0
PAPERS = tuple(turn(paper) for paper in (A4, A3, A2, A1, A0) for turn in (landscape, portrait))
"""The smallest first, lying before standing."""
NOSE_MM = 8.0
"""The arrow above a token's marker where it matters which way the piece points."""

CHARUCO_SQUARES = (10, 6)
CHARUCO_SQUARE_MM = 25.0
CHARUCO_MARKER_MM = 18.0
CHARUCO_DICTIONARY = "5X5_100"

INK, PALE = 0.0, 0.6


def write_sheets(plan: BoardPlan, path: Path) -> int:
    """Write every sheet of a box as one PDF and return the number of its pages.

    First each board that has corner markers, then tokens and single corner markers to cut out, last
    the calibration board. Raises `BadFile` where the file cannot be written, `BadCall` where the
    plan's dictionary is too small for it.
    """
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=PAPERS[0], invariant=True, pageCompression=True)
    canvas.setTitle(f"Markers of {plan.box} ({plan.dictionary})")
    sheets = list(_sheets(plan))
    for number, sheet in enumerate(sheets, 1):
        sheet.draw(canvas, f"{plan.box}, sheet {number} of {len(sheets)}: {sheet.title}")
    canvas.save()
    try:
        path.write_bytes(buffer.getvalue())
    except OSError as trouble:
        raise BadFile(str(path), "", f"cannot be written: {trouble.strerror}") from trouble
    return len(sheets)


@dataclass(frozen=True)
class Sheet:
    """One page: what it is called and what lies on it, in mm from the page's top left."""

    title: str
    size_mm: PointMm
    items: tuple[Item, ...]

    def draw(self, canvas: Canvas, title: str) -> None:
        """Draw the page; its frame has y down, as boards have, until it is shown."""
        canvas.setPageSize((self.size_mm[0] * mm, self.size_mm[1] * mm))
        pen = Pen(canvas, self.size_mm[1])
        for item in self.items:
            item.draw(pen)
        _draw_ruler(pen, self.size_mm, title)
        canvas.showPage()


class Pen:
    """Draws in mm with x right and y down."""

    def __init__(self, canvas: Canvas, height_mm: float, origin_mm: PointMm = (0.0, 0.0)) -> None:
        self._canvas = canvas
        self._height_mm = height_mm
        self._origin_mm = origin_mm

    def at(self, origin_mm: PointMm) -> Pen:
        """A pen whose zero lies elsewhere."""
        x, y = self._origin_mm
        return Pen(self._canvas, self._height_mm, (x + origin_mm[0], y + origin_mm[1]))

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

    def text(self, words: str, middle: PointMm, size_mm: float, grey: float = INK) -> None:
        """Words centred on a point of their base line, `size_mm` high."""
        self._canvas.setFillGray(grey)
        self._canvas.setFont("Helvetica", size_mm * mm)
        self._canvas.drawCentredString(*self._point(middle), words)

    def cut_marks(self, size_mm: PointMm, length_mm: float = 4.0, off_mm: float = 1.0) -> None:
        """Where to cut a rectangle out: ticks outside its corners, nothing along its edges."""
        width, height = size_mm
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


@dataclass(frozen=True)
class Item(ABC):
    """Something on a sheet, at `place_mm` from the page's top left."""

    place_mm: PointMm

    @abstractmethod
    def draw(self, pen: Pen) -> None:
        """Draw it with a pen of the page's frame."""


@dataclass(frozen=True)
class BoardItem(Item):
    """A whole board: corner markers, spaces, its name and which way is up."""

    board: Board
    dictionary: MarkerDictionary

    def draw(self, pen: Pen) -> None:
        """Draw the board with cut marks around it."""
        mine = pen.at(self.place_mm)
        width, height = self.board.size_mm
        mine.cut_marks(self.board.size_mm)
        for space in self.board.spaces:
            _draw_space(mine, space)
        for marker, centre in (self.board.corners or {}).items():
            mine.marker(self.dictionary, marker, centre, self.board.corner_side_mm)
        mine.text(f"{self.board.name} - this edge is its top", (width / 2, -4.0), 3.5)
        if self.board.owner:
            mine.text("nearest to its player", (width / 2, height + 7.0), 3.5)


@dataclass(frozen=True)
class MarkerItem(Item):
    """A single marker to cut out, with white around it and its name outside the cut.

    `nose_mm` is how far an arrow stands out above it; 0 for none.
    """

    dictionary: MarkerDictionary
    number: int
    side_mm: float
    caption: str
    nose_mm: float = 0.0

    @property
    def size_mm(self) -> PointMm:
        """What is cut out: the marker, its rim and its nose."""
        side = self.side_mm * (1 + 2 * RIM_CELLS / self.dictionary.cells)
        return (side, side + self.nose_mm)

    def draw(self, pen: Pen) -> None:
        """Draw the marker with cut marks around its rim."""
        mine, nose = pen.at(self.place_mm), self.nose_mm
        width, height = self.size_mm
        mine.cut_marks(self.size_mm, length_mm=2.5)
        if nose:
            middle = width / 2
            mine.shape([(middle, 1.0), (middle + nose, nose), (middle - nose, nose)])
        mine.marker(self.dictionary, self.number, (width / 2, nose + width / 2), self.side_mm)
        mine.text(self.caption, (width / 2, height + CAPTION_MM), 2.8)


@dataclass(frozen=True)
class CharucoItem(Item):
    """The calibration board: squares with a marker in each white one, as OpenCV numbers them."""

    dictionary: MarkerDictionary

    def draw(self, pen: Pen) -> None:
        """Draw squares and markers."""
        mine, square = pen.at(self.place_mm), CHARUCO_SQUARE_MM
        columns, rows = CHARUCO_SQUARES
        cells = [(column, row) for row in range(rows) for column in range(columns)]
        black = [(x * square, y * square, square, square) for x, y in cells if (x + y) % 2 == 0]
        mine.fill(black, INK)
        for number, (x, y) in enumerate(cell for cell in cells if sum(cell) % 2):
            centre = ((x + 0.5) * square, (y + 0.5) * square)
            mine.marker(self.dictionary, number, centre, CHARUCO_MARKER_MM)


def _sheets(plan: BoardPlan) -> Iterator[Sheet]:
    dictionary = load_dictionary(plan.dictionary)
    for board in plan.boards:
        if board.corners:
            size = _paper_for(board.size_mm, board.name)
            yield Sheet(
                board.name, size, (BoardItem(_centred(board.size_mm, size), board, dictionary),)
            )
    nose_mm = NOSE_MM if plan.has_facings else 0.0
    tokens = [
        MarkerItem(
            (0, 0),
            dictionary,
            token.marker,
            token.side_mm,
            f"{token.label} ({token.marker})",
            nose_mm,
        )
        for token in plan.tokens
    ]
    yield from _to_cut_out("tokens", tokens)
    corners = [
        MarkerItem((0, 0), dictionary, marker, board.corner_side_mm, f"{board.name} ({marker})")
        for board in plan.boards
        for marker in board.corners or {}
    ]
    yield from _to_cut_out("corner markers, for boards of your own", corners)
    yield _calibration_sheet()


def _calibration_sheet() -> Sheet:
    columns, rows = CHARUCO_SQUARES
    board = (columns * CHARUCO_SQUARE_MM, rows * CHARUCO_SQUARE_MM)
    size = _paper_for(board, "calibration board")
    item = CharucoItem(_centred(board, size), load_dictionary(CHARUCO_DICTIONARY))
    return Sheet("calibration board, to be glued flat on card", size, (item,))


def _to_cut_out(title: str, items: Sequence[MarkerItem]) -> Iterator[Sheet]:
    """Single markers in rows, on as many pages as they need."""
    width, height = (side / mm for side in PAPERS[0])
    x = y = top = MARGIN_MM
    placed: list[Item] = []
    for item in items:
        wide, high = max(item.size_mm[0], _caption_mm(item.caption)), item.size_mm[1]
        if x + wide > width - MARGIN_MM and x > MARGIN_MM:
            x, y = MARGIN_MM, y + high + CAPTION_MM + GAP_MM
        if y + high + CAPTION_MM > height - MARGIN_MM - RULER_FOOT_MM and placed:
            yield Sheet(title, (width, height), tuple(placed))
            placed, x, y = [], MARGIN_MM, top
        inset = (wide - item.size_mm[0]) / 2
        placed.append(replace(item, place_mm=(x + inset, y)))
        x += wide + GAP_MM
    if placed:
        yield Sheet(title, (width, height), tuple(placed))


def _caption_mm(words: str) -> float:
    """About how wide a caption is: Helvetica's letters are half as wide as high."""
    return 1.5 * len(words)


def _paper_for(size_mm: PointMm, name: str) -> PointMm:
    """The smallest paper that takes a board with margins and ruler."""
    for paper in PAPERS:
        width, height = (side / mm for side in paper)
        room = (width - 2 * MARGIN_MM, height - 2 * MARGIN_MM - RULER_FOOT_MM)
        if size_mm[0] <= room[0] and size_mm[1] <= room[1]:
            return (width, height)
    raise BadCall(f"{name} is {size_mm[0]:g} x {size_mm[1]:g} mm: larger than any paper (A0)")


def _centred(inner_mm: PointMm, page_mm: PointMm) -> PointMm:
    high = page_mm[1] - RULER_FOOT_MM
    return ((page_mm[0] - inner_mm[0]) / 2, (high - inner_mm[1]) / 2)


def _draw_space(pen: Pen, space: Space) -> None:
    pen.line([*space.outline_mm, space.outline_mm[0]])
    ys = [y for _, y in space.outline_mm]
    x, _ = space.centre_mm
    pen.text(space.label, (x, max(ys) - 4.0), LABEL_MM, PALE)
    _draw_sign(pen, space)


def _draw_sign(pen: Pen, space: Space) -> None:
    """What the space's sign names, in its middle: "cross", "ring", "token-2" (two rings)."""
    (x, y), (kind, _, number) = space.centre_mm, space.sign.partition("-")
    if kind == "cross":
        pen.line([(x - 6, y), (x + 6, y)])
        pen.line([(x, y - 6), (x, y + 6)])
    elif kind == "ring":
        pen.ring((x, y), 6.0)
    elif kind == "token" and number.isdecimal():
        for at in range(int(number)):
            pen.ring((x + 11.0 * (at - (int(number) - 1) / 2), y), 5.0)


def _draw_ruler(pen: Pen, page_mm: PointMm, title: str) -> None:
    """A ruler to check the print with, and how to print."""
    y, left = page_mm[1] - MARGIN_MM, MARGIN_MM
    for tick in range(RULER_MM + 1):
        length = 4.0 if tick % 10 == 0 else 2.5 if tick % 5 == 0 else 1.5
        pen.line([(left + tick, y), (left + tick, y - length)], INK)
    pen.line([(left, y), (left + RULER_MM, y)], INK)
    for tick in range(0, RULER_MM + 1, 10):
        pen.text(str(tick), (left + tick, y - 5.0), 2.5)
    advice = f"Print at 100 %, not fitted to the page: this ruler must measure {RULER_MM} mm."
    pen.text(advice, (left + RULER_MM + 75.0, y), 3.0)
    pen.text(title, (left + RULER_MM + 75.0, y - 5.0), 3.0)
