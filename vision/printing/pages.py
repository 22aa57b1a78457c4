"""Pages: the paper that takes a board, rows of things to cut out, a ruler at the foot of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportlab.lib.pagesizes import A0, A1, A2, A3, A4, landscape, portrait
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.board import PointMm
from companion.errors import BadCall
from vision.printing.items import CAPTION_MM, Item
from vision.printing.pen import INK, Pen

MARGIN_MM = 12.0
RULER_MM = 100
RULER_FOOT_MM = 16.0
"""Kept free at the foot of each page for the ruler."""
GAP_MM = 8.0
PAPERS = tuple(turn(paper) for paper in (A4, A3, A2, A1, A0) for turn in (landscape, portrait))
"""The smallest first, lying before standing."""
LINE_MM = 6.0


@dataclass(frozen=True)
class Sheet:
    """One page: what it is called and what lies on it, in mm from the page's top left.

    `lines` are words from the top down, the first of them larger.
    """

    title: str
    size_mm: PointMm
    items: tuple[Item, ...]
    lines: tuple[str, ...] = ()

    def draw(self, canvas: Canvas, title: str) -> None:
        """Draw the page; its frame has y down, as boards have, until it is shown."""
        canvas.setPageSize((self.size_mm[0] * mm, self.size_mm[1] * mm))
        pen = Pen(canvas, self.size_mm[1])
        for item in self.items:
            item.draw(pen)
        for number, words in enumerate(self.lines):
            place = (MARGIN_MM, MARGIN_MM + 4.0 + LINE_MM * number)
            pen.words(words, place, 5.0 if number == 0 else 3.6, bold=number == 0)
        _draw_ruler(pen, self.size_mm, title)
        canvas.showPage()


def whole_page(item: Item, name: str) -> Sheet:
    """One thing in the middle of the smallest paper that takes it; `BadCall` where none does."""
    size = _paper_for(item.size_mm, name)
    return Sheet(name, size, (replace(item, place_mm=_centred(item.size_mm, size)),))


def to_cut_out(title: str, items: Sequence[Item]) -> Iterator[Sheet]:
    """Small things in rows, on as many pages as they need."""
    width, height = smallest_paper()
    x = y = MARGIN_MM
    row_mm = 0.0
    placed: list[Item] = []
    for item in items:
        wide, high = item.wide_mm, item.size_mm[1]
        if x + wide > width - MARGIN_MM and x > MARGIN_MM:
            x, y, row_mm = MARGIN_MM, y + row_mm + CAPTION_MM + GAP_MM, 0.0
        if y + high + CAPTION_MM > height - MARGIN_MM - RULER_FOOT_MM and placed:
            yield Sheet(title, (width, height), tuple(placed))
            placed, x, y, row_mm = [], MARGIN_MM, MARGIN_MM, 0.0
        inset = (wide - item.size_mm[0]) / 2
        placed.append(replace(item, place_mm=(x + inset, y)))
        x, row_mm = x + wide + GAP_MM, max(row_mm, high)
    if placed:
        yield Sheet(title, (width, height), tuple(placed))


def smallest_paper() -> PointMm:
    """A4 lying, mm."""
    width, height = PAPERS[0]
    return (width / mm, height / mm)


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
