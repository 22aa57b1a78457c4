"""Pages: the paper that takes a board, rows of things to cut out, a ruler at the foot of each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reportlab.lib.pagesizes import A0, A1, A2, A3, A4, LETTER, TABLOID, landscape, portrait
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from companion.core.board import PointMm
from companion.core.errors import BadCall
from vision.printing.items import CAPTION_MM, BoardItem, Item
from vision.printing.pen import INK, PaperPen
from vision.printing.tiles import tiles_in_turn

MARGIN_MM = 12.0
RULER_MM = 100
RULER_FOOT_MM = 16.0
"""Kept free at the foot of each page for the ruler."""
GAP_MM = 8.0
TICKS_MM = 5.0
"""Around a part of a board, for the ticks that its edges are cut and laid by."""
PAPERS = tuple(turn(paper) for paper in (A4, A3, A2, A1, A0) for turn in (landscape, portrait))
"""The smallest first, lying before standing."""
LINE_MM = 6.0
ASIDE_MM = 94.0
"""How far from the right edge the second column of words begins."""
PAPER_NAMES = {
    "A4": A4,
    "A3": A3,
    "A2": A2,
    "A1": A1,
    "A0": A0,
    "letter": LETTER,
    "tabloid": TABLOID,
}
NAMED_PAPERS = {"A4": A4, "A3": A3, "letter": LETTER, "tabloid": TABLOID}
"""What home and office printers take."""


@dataclass(frozen=True)
class PrintedPage:
    """One page: what it is called and what lies on it, in mm from the page's top left.

    `lines` are words from the top down, the first of them larger; `aside` stand right of them.
    """

    title: str
    size_mm: PointMm
    items: tuple[Item, ...]
    lines: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()

    @property
    def paper(self) -> str:
        """What its paper is called, lying or standing."""
        sides = sorted(round(side) for side in self.size_mm)
        return next(
            name
            for name, paper in PAPER_NAMES.items()
            if sorted(round(side / mm) for side in paper) == sides
        )

    def draw(self, canvas: Canvas, title: str) -> None:
        """Draw the page; its frame has y down, as boards have, until it is shown."""
        canvas.setPageSize((self.size_mm[0] * mm, self.size_mm[1] * mm))
        pen = PaperPen(canvas, self.size_mm[1])
        for item in self.items:
            item.draw(pen)
        for number, words in enumerate(self.lines):
            place = (MARGIN_MM, MARGIN_MM + 4.0 + LINE_MM * number)
            pen.words(words, place, 5.0 if number == 0 else 3.6, bold=number == 0)
        for number, words in enumerate(self.aside, 1):
            place = (self.size_mm[0] - ASIDE_MM, MARGIN_MM + 4.0 + LINE_MM * number)
            pen.words(words, place, 3.2)
        _draw_ruler(pen, self.size_mm, title)
        canvas.showPage()


def whole_page(item: Item, name: str, paper: str = "") -> PrintedPage:
    """One thing in the middle of the smallest paper that takes it; `BadCall` where none does.

    Of the named `paper`, if one is named and the thing fits on it.
    """
    page = page_of(paper)
    size = page if _fits(item.size_mm, page) else _paper_for(item.size_mm, name)
    return PrintedPage(name, size, (replace(item, place_mm=_centred(item.size_mm, size)),))


def in_parts(board: BoardItem, name: str, paper: str) -> Iterator[PrintedPage]:
    """A board on pages of one paper: whole where it fits, else in parts, on as few as will do."""
    lying = page_of(paper)
    standing = (lying[1], lying[0])
    for size in (lying, standing):
        if _fits(board.size_mm, size):
            yield PrintedPage(name, size, (replace(board, place_mm=_centred(board.size_mm, size)),))
            return
    size, parts = min(
        ((size, list(tiles_in_turn(board, _tile_room(size)))) for size in (lying, standing)),
        key=lambda choice: len(choice[1]),
    )
    for which, tile in parts:
        at = (MARGIN_MM + TICKS_MM, MARGIN_MM + TICKS_MM)
        yield PrintedPage(f"{name}, {which}", size, (replace(tile, place_mm=at),))


def _tile_room(page_mm: PointMm) -> PointMm:
    """What a part of a board may fill, with the ticks around it."""
    width, height = _room(page_mm)
    return (width - 2 * TICKS_MM, height - 2 * TICKS_MM)


def to_cut_out(title: str, items: Sequence[Item], paper: str = "") -> Iterator[PrintedPage]:
    """Small things in rows, on as many pages as they need; A4 unless another paper is named."""
    width, height = page_of(paper)
    x = y = MARGIN_MM
    row_mm = 0.0
    placed: list[Item] = []
    for item in items:
        wide, high = item.wide_mm, item.size_mm[1]
        if x + wide > width - MARGIN_MM and x > MARGIN_MM:
            x, y, row_mm = MARGIN_MM, y + row_mm + CAPTION_MM + GAP_MM, 0.0
        if y + high + CAPTION_MM > height - MARGIN_MM - RULER_FOOT_MM and placed:
            yield PrintedPage(title, (width, height), tuple(placed))
            placed, x, y, row_mm = [], MARGIN_MM, MARGIN_MM, 0.0
        inset = (wide - item.size_mm[0]) / 2
        placed.append(replace(item, place_mm=(x + inset, y)))
        x, row_mm = x + wide + GAP_MM, max(row_mm, high)
    if placed:
        yield PrintedPage(title, (width, height), tuple(placed))


def page_of(paper: str = "") -> PointMm:
    """A named paper lying, mm; A4 where none is named. `BadCall` names those there are."""
    known = next((name for name in NAMED_PAPERS if name.lower() == paper.lower()), "")
    if paper and not known:
        raise BadCall(f"paper {paper!r} is unknown; there are {', '.join(NAMED_PAPERS)}")
    width, height = landscape(NAMED_PAPERS[known or "A4"])
    return (width / mm, height / mm)


def _paper_for(size_mm: PointMm, name: str) -> PointMm:
    """The smallest paper that takes a board with margins and ruler."""
    for paper in PAPERS:
        width, height = (side / mm for side in paper)
        if _fits(size_mm, (width, height)):
            return (width, height)
    raise BadCall(
        f"{name} is {size_mm[0]:g} x {size_mm[1]:g} mm: larger than any paper (A0); print it in "
        "parts: --paper A4"
    )


def _room(page_mm: PointMm) -> PointMm:
    """What of a page may be drawn on: without its margins and the ruler."""
    return (page_mm[0] - 2 * MARGIN_MM, page_mm[1] - 2 * MARGIN_MM - RULER_FOOT_MM)


def _fits(size_mm: PointMm, page_mm: PointMm) -> bool:
    width, height = _room(page_mm)
    return size_mm[0] <= width and size_mm[1] <= height


def _centred(inner_mm: PointMm, page_mm: PointMm) -> PointMm:
    high = page_mm[1] - RULER_FOOT_MM
    return ((page_mm[0] - inner_mm[0]) / 2, (high - inner_mm[1]) / 2)


def _draw_ruler(pen: PaperPen, page_mm: PointMm, title: str) -> None:
    """A ruler to check the print with, and how to print."""
    y, left = page_mm[1] - MARGIN_MM, MARGIN_MM
    for tick in range(RULER_MM + 1):
        length = 4.0 if tick % 10 == 0 else 2.5 if tick % 5 == 0 else 1.5
        pen.line([(left + tick, y), (left + tick, y - length)], INK)
    pen.line([(left, y), (left + RULER_MM, y)], INK)
    for tick in range(0, RULER_MM + 1, 10):
        pen.text(str(tick), (left + tick, y - 5.0), 2.5)
    pen.words(title, (left, y - 10.5), 3.0)
    pen.words("Print at 100 %, not fitted to the page:", (left + RULER_MM + 6.0, y - 4.5), 3.0)
    pen.words(f"this ruler must measure {RULER_MM} mm.", (left + RULER_MM + 6.0, y), 3.0)
