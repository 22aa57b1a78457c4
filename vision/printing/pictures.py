"""Small pictures for the first sheet: how a table is laid, how the parts of a board are glued."""

from __future__ import annotations

from dataclasses import dataclass

from companion.core.board import Board, BoardPlan, PointMm
from vision.printing.items import Item
from vision.printing.pen import INK, PALE, PaperPen

PICTURE_MM = 30.0
WORDS_MM = 2.6
TOKENS_SHOWN = 4


@dataclass(frozen=True)
class LaidItem(Item):
    """A plan's table from above: its boards with their corner markers, and some tokens on them."""

    plan: BoardPlan

    @property
    def size_mm(self) -> PointMm:
        """As high as all these pictures are, and as wide as the table is then."""
        width, height = self.plan.table_mm
        return (width * PICTURE_MM / height, PICTURE_MM + 4.0)

    def draw(self, pen: PaperPen) -> None:
        """Draw what the camera shall see: all of it, with some table around."""
        mine, scale = pen.at(self.place_mm), PICTURE_MM / self.plan.table_mm[1]
        width, height = (side * scale for side in self.plan.table_mm)
        mine.line([(0, 0), (width, 0), (width, height), (0, height), (0, 0)], INK)
        for board in self.plan.boards:
            _draw_board(mine, board, scale)
        boards = [board for board in self.plan.boards if board.holds_pieces]
        for at in range(min(TOKENS_SHOWN, len(self.plan.tokens)) if boards else 0):
            board = boards[at % len(boards)]
            space = board.spaces[(5 * at + 1) % len(board.spaces)]
            x, y = board.to_table(space.centre_mm)
            mine.ring((x * scale, y * scale), 16.0 * scale, INK)
        mine.words("all of this in the picture; rings are tokens", (0, height + 3.6), WORDS_MM)


def _draw_board(pen: PaperPen, board: Board, scale: float) -> None:
    """A board's outline, and a black square for each corner marker."""
    width, height = board.size_mm
    around = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height), (0.0, 0.0)]
    pen.line([_scaled(board.to_table(corner), scale) for corner in around], PALE, 0.3)
    half = board.corner_side_mm / 2
    for x, y in (board.corners or {}).values():
        square = [(x - half, y - half), (x + half, y - half), (x + half, y + half)]
        corners = [*square, (x - half, y + half)]
        pen.shape([_scaled(board.to_table(corner), scale) for corner in corners])


def _scaled(point: PointMm, scale: float) -> PointMm:
    return (point[0] * scale, point[1] * scale)


@dataclass(frozen=True)
class GluedItem(Item):
    """Two parts of a board: the right one, cut at its left dashes, over the left one's strip."""

    @property
    def size_mm(self) -> PointMm:
        """Room for two parts of 30 mm, one beside the other."""
        return (70.0, PICTURE_MM + 4.0)

    def draw(self, pen: PaperPen) -> None:
        """Draw the two before they are put together, and which way."""
        mine, high, strip = pen.at(self.place_mm), PICTURE_MM, 5.0
        mine.line([(0, 0), (30, 0), (30, high), (0, high), (0, 0)], INK)
        mine.fill([(30 - strip, 0.3, strip - 0.2, high - 0.5)], 0.85)
        mine.line([(38, 0), (68, 0), (68, high), (38, high), (38, 0)], INK)
        mine.dashes([(38 + strip, 0), (38 + strip, high)])
        mine.text("glue here", (30 - strip - 6.5, high / 2), WORDS_MM)
        mine.text("cut here", (38 + strip + 7, high / 2), WORDS_MM)
        mine.line([(37, high / 3), (31, high / 3)], INK, 0.4)
        mine.shape([(30, high / 3), (32.5, high / 3 - 1.5), (32.5, high / 3 + 1.5)])
        mine.words("a board in parts: the later part over the strip", (0, high + 3.6), WORDS_MM)
