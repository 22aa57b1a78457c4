"""What lies on a sheet: a board, a marker to cut out, a token of two sides, a sticker."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from reportlab.pdfbase.pdfmetrics import stringWidth

from companion.core.board import Board, PointMm, Space
from vision.boards.lens_fit import PRINTED_MARKER_MM, PRINTED_SQUARE_MM, PRINTED_SQUARES
from vision.markers.choice import RIM_CELLS
from vision.markers.dictionaries import MarkerDictionary
from vision.printing.pen import PALE, PaperPen

CAPTION_MM = 6.0
CAPTION_SIZE_MM = 2.8
NAME_OF_RIM = 0.4
"""How high the letters are that name what is cut out, as a share of its white rim."""
NAME_FOOT = 0.12
"""How far they stand above the cut, as a share of the rim: the inner half of it stays white."""
NAME_ACROSS = 0.94
"""How much of the width they may fill: a cut is never quite on its line."""
NAME_GREY = 0.35
LABEL_MM = 8.0
TRAY_LABEL_MM = 4.5


@dataclass(frozen=True)
class Item(ABC):
    """Something on a sheet, at `place_mm` from the page's top left."""

    place_mm: PointMm

    @property
    @abstractmethod
    def size_mm(self) -> PointMm:
        """What of it is cut out, width and height."""

    @property
    def wide_mm(self) -> float:
        """How much room it needs across, its words included."""
        return self.size_mm[0]

    @abstractmethod
    def draw(self, pen: PaperPen) -> None:
        """Draw it with a pen of the page's frame."""


@dataclass(frozen=True)
class BoardItem(Item):
    """A whole board: corner markers, spaces, its name and which way is up."""

    board: Board
    dictionary: MarkerDictionary

    @property
    def size_mm(self) -> PointMm:
        """The board's own size."""
        return self.board.size_mm

    def draw(self, pen: PaperPen) -> None:
        """Draw the board with cut lines around it."""
        mine = pen.at(self.place_mm)
        width, height = self.board.size_mm
        mine.cut_lines(self.board.size_mm)
        for space in self.board.spaces:
            _draw_space(mine, space)
        for tray in self.board.trays:
            _draw_tray(mine, tray)
        for marker, centre in (self.board.corners or {}).items():
            mine.marker(self.dictionary, marker, centre, self.board.corner_side_mm)
        mine.text(f"{self.board.name} - this edge is its top", (width / 2, -4.0), 3.5)
        if self.board.owner:
            mine.text("nearest to its player", (width / 2, height + 7.0), 3.5)


@dataclass(frozen=True)
class MarkerItem(Item):
    """A single marker to cut out, with white around it, its name in that, all else outside the cut.

    `nose_mm` is how far an arrow stands out above it, which shows where the piece points; 0 for a
    piece that points nowhere. `name` stays on it once it is cut out.
    """

    dictionary: MarkerDictionary
    number: int
    side_mm: float
    caption: str
    nose_mm: float = 0.0
    name: str = ""

    @property
    def size_mm(self) -> PointMm:
        """The marker, its rim and its nose."""
        side = self.side_mm + 2 * _rim_mm(self.dictionary, self.side_mm)
        return (side, side + self.nose_mm)

    @property
    def wide_mm(self) -> float:
        """With its caption, which may be longer."""
        return max(self.size_mm[0], _caption_mm(self.caption))

    def draw(self, pen: PaperPen) -> None:
        """Draw the marker with cut lines around its rim."""
        mine = pen.at(self.place_mm)
        width, height = self.size_mm
        mine.cut_lines(self.size_mm, length_mm=2.5)
        self.draw_face(mine)
        mine.text(self.caption, (width / 2, height + CAPTION_MM), CAPTION_SIZE_MM)

    def draw_face(self, mine: PaperPen) -> None:
        """The marker and the nose alone, with a pen of its own frame."""
        nose, middle = self.nose_mm, self.size_mm[0] / 2
        if nose:
            mine.shape([(middle, 1.0), (middle + nose, nose), (middle - nose, nose)])
        mine.marker(self.dictionary, self.number, (middle, nose + middle), self.side_mm)
        _draw_name(mine, self.name, self.size_mm, _rim_mm(self.dictionary, self.side_mm))


@dataclass(frozen=True)
class FoldedItem(Item):
    """Both sides of a token, to be cut out in one piece and folded along the line between them.

    The other side lies right of the face; their edges are the same, so that it covers the back.
    """

    face: MarkerItem
    back: MarkerItem

    @property
    def size_mm(self) -> PointMm:
        """Both sides beside each other, as high as the higher one."""
        (width, height), (other_width, other_height) = self.face.size_mm, self.back.size_mm
        return (2 * max(width, other_width), max(height, other_height))

    @property
    def wide_mm(self) -> float:
        """With both captions under it."""
        return max(self.size_mm[0], 2 * _caption_mm(max(self._captions, key=len)))

    @property
    def _captions(self) -> tuple[str, str]:
        return (self.face.caption, self.back.caption)

    def draw(self, pen: PaperPen) -> None:
        """Draw both, the line to fold along, and what is what."""
        mine = pen.at(self.place_mm)
        width, height = self.size_mm
        mine.cut_lines(self.size_mm, length_mm=2.5)
        mine.dashes([(width / 2, -2.0), (width / 2, height + 2.0)])
        for part, side in enumerate((self.face, self.back)):
            left = part * width / 2 + (width / 2 - side.size_mm[0]) / 2
            side.draw_face(mine.at((left, height - side.size_mm[1])))
            middle = (part + 0.5) * width / 2
            mine.text(side.caption, (middle, height + CAPTION_MM), CAPTION_SIZE_MM)
        mine.text("fold", (width / 2, -2.5), 2.2, PALE)


@dataclass(frozen=True)
class SleeveItem(Item):
    """A sticker for a card's sleeve: its upper edge goes flush with the card's, in the middle.

    `drop_mm` is from that edge down to the middle of the marker. `name` stays on it once it is cut.
    """

    dictionary: MarkerDictionary
    number: int
    side_mm: float
    drop_mm: float
    caption: str
    name: str = ""

    @property
    def size_mm(self) -> PointMm:
        """The marker, its rim, and what is between it and the card's edge."""
        rim = _rim_mm(self.dictionary, self.side_mm)
        return (self.side_mm + 2 * rim, self.drop_mm + self.side_mm / 2 + rim)

    @property
    def wide_mm(self) -> float:
        """With its caption, which may be longer."""
        return max(self.size_mm[0], _caption_mm(self.caption))

    def draw(self, pen: PaperPen) -> None:
        """Draw the marker, and a small arrow to the edge that goes to the card's."""
        mine = pen.at(self.place_mm)
        width, height = self.size_mm
        middle = width / 2
        mine.cut_lines(self.size_mm, length_mm=2.5)
        mine.line([(middle, 0.6), (middle - 1.2, 2.2), (middle + 1.2, 2.2), (middle, 0.6)])
        mine.marker(self.dictionary, self.number, (middle, self.drop_mm), self.side_mm)
        _draw_name(mine, self.name, self.size_mm, _rim_mm(self.dictionary, self.side_mm))
        mine.text(self.caption, (middle, height + CAPTION_MM), CAPTION_SIZE_MM)


@dataclass(frozen=True)
class CharucoItem(Item):
    """The calibration board: squares with a marker in each white one, as OpenCV numbers them."""

    dictionary: MarkerDictionary

    SIZE_MM: ClassVar[PointMm] = (
        PRINTED_SQUARES[0] * PRINTED_SQUARE_MM,
        PRINTED_SQUARES[1] * PRINTED_SQUARE_MM,
    )

    @property
    def size_mm(self) -> PointMm:
        """All squares."""
        return self.SIZE_MM

    def draw(self, pen: PaperPen) -> None:
        """Draw squares and markers."""
        mine, square = pen.at(self.place_mm), PRINTED_SQUARE_MM
        columns, rows = PRINTED_SQUARES
        cells = [(column, row) for row in range(rows) for column in range(columns)]
        black = [(x * square, y * square, square, square) for x, y in cells if (x + y) % 2 == 0]
        mine.fill(black, 0.0)
        for number, (x, y) in enumerate(cell for cell in cells if sum(cell) % 2):
            centre = ((x + 0.5) * square, (y + 0.5) * square)
            mine.marker(self.dictionary, number, centre, PRINTED_MARKER_MM)


def _caption_mm(words: str) -> float:
    """About how wide a caption is: Helvetica's letters are half as wide as high."""
    return 0.55 * CAPTION_SIZE_MM * len(words)


def _rim_mm(dictionary: MarkerDictionary, side_mm: float) -> float:
    """How wide the white around a marker that stands alone is."""
    return RIM_CELLS * side_mm / dictionary.cells


def _draw_name(pen: PaperPen, name: str, size_mm: PointMm, rim_mm: float) -> None:
    """What is cut out says what it is: small, at its foot, in the outer half of its white rim.

    Too small for a camera to take it for cells of a marker, and off the half that a reader needs.
    """
    if not name:
        return
    width, height = size_mm
    room = NAME_ACROSS * width / stringWidth(name, "Helvetica", 1.0)
    pen.text(
        name, (width / 2, height - NAME_FOOT * rim_mm), min(NAME_OF_RIM * rim_mm, room), NAME_GREY
    )


def _draw_space(pen: PaperPen, space: Space) -> None:
    pen.line([*space.outline_mm, space.outline_mm[0]])
    ys = [y for _, y in space.outline_mm]
    x, _ = space.centre_mm
    pen.text(space.label, (x, max(ys) - 4.0), LABEL_MM, PALE)
    _draw_sign(pen, space)


def _draw_tray(pen: PaperPen, tray: Space) -> None:
    """Where counted tokens are laid: its outline, whose they are, and how to lay them."""
    pen.line([*tray.outline_mm, tray.outline_mm[0]])
    x, y = tray.centre_mm
    pen.text(tray.label, (x, y), TRAY_LABEL_MM, PALE)
    pen.text("side by side, none on another", (x, y + 5.0), 3.0, PALE)


def _draw_sign(pen: PaperPen, space: Space) -> None:
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
