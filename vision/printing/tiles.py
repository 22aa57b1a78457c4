"""A board on several pages: parts that overlap for glue, cut where no marker lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.core.board import PointMm
from vision.printing.items import BoardItem, Item
from vision.printing.pen import INK, PALE, PaperPen

FLAP_MM = 12.0
"""What a part has beyond its own share, for the next one to be glued over."""
AROUND_MM = 9.0
"""Kept around a board, where its name and the ticks of its edges stand."""
CLEAR_MM = 4.0
"""No seam comes nearer to a marker."""
Span = tuple[float, float]


@dataclass(frozen=True)
class TileItem(Item):
    """One part of a board: `across` and `down` are its share, in mm of the board's own frame.

    `more` says whether another part follows to the right, and below: then it has a flap there.
    """

    board: BoardItem
    across: Span
    down: Span
    more: tuple[bool, bool]

    @property
    def size_mm(self) -> PointMm:
        """Its share and its flaps."""
        right, below = (FLAP_MM if more else 0.0 for more in self.more)
        return (self.across[1] - self.across[0] + right, self.down[1] - self.down[0] + below)

    def draw(self, pen: PaperPen) -> None:
        """Draw what of the board lies here, where to cut it, and where the next part goes."""
        mine = pen.at(self.place_mm)
        with mine.within(self.size_mm):
            self.board.draw(mine.at((-self.across[0], -self.down[0])))
        self._draw_cuts(mine)
        self._draw_flaps(mine)

    def _draw_cuts(self, mine: PaperPen) -> None:
        """The left and upper edges that lie over another part's flap: cut exactly there."""
        width, height = self.size_mm
        if self.across[0] > -AROUND_MM:
            mine.dashes([(0.0, 0.0), (0.0, height)])
            mine.line([(0.0, -5.0), (0.0, -1.0)], INK)
            mine.line([(0.0, height + 1.0), (0.0, height + 5.0)], INK)
        if self.down[0] > -AROUND_MM:
            mine.dashes([(0.0, 0.0), (width, 0.0)])
            mine.line([(-5.0, 0.0), (-1.0, 0.0)], INK)
            mine.line([(width + 1.0, 0.0), (width + 5.0, 0.0)], INK)

    def _draw_flaps(self, mine: PaperPen) -> None:
        """Where the next part's edge goes; what lies beyond is covered by it."""
        (width, height), (right, below) = self.size_mm, self.more
        words = "glue the next part over this strip, its edge along this line"
        if right:
            at = width - FLAP_MM
            mine.line([(at, 0.0), (at, height)], PALE)
            for start, end in ((-5.0, -1.0), (height + 1.0, height + 5.0)):
                mine.line([(at, start), (at, end)], INK)
        if below:
            at = height - FLAP_MM
            mine.line([(0.0, at), (width, at)], PALE)
            for start, end in ((-5.0, -1.0), (width + 1.0, width + 5.0)):
                mine.line([(start, at), (end, at)], INK)
            mine.text(words, (width / 2, height - 2.0), 2.5, PALE)
        elif right:
            mine.text(words, (width / 2, height + 4.0), 2.5, PALE)


def tiles_of(board: BoardItem, room_mm: PointMm) -> list[list[TileItem]]:
    """A board in rows of parts, none larger than `room_mm` with its flaps.

    Room is asked for that is wider than a marker and a flap: any paper in use is.
    """
    width, height = board.size_mm
    half = board.board.corner_side_mm / 2 + CLEAR_MM
    places = list((board.board.corners or {}).values())
    columns = _shares(width, room_mm[0], [(x - half, x + half) for x, _ in places])
    rows = _shares(height, room_mm[1], [(y - half, y + half) for _, y in places])
    return [
        [
            TileItem((0.0, 0.0), board, across, down, (across != columns[-1], down != rows[-1]))
            for across in columns
        ]
        for down in rows
    ]


def _shares(length_mm: float, room_mm: float, markers: Sequence[Span]) -> list[Span]:
    """A length, and what is kept around it, in parts; no cut goes through a marker."""
    start, end = -AROUND_MM, length_mm + AROUND_MM
    shares: list[Span] = []
    while end - start > room_mm:
        cut = _clear(start + room_mm - FLAP_MM, markers)
        shares.append((start, cut))
        start = cut
    return [*shares, (start, end)]


def _clear(cut: float, markers: Sequence[Span]) -> float:
    """The last place up to `cut` that no marker covers."""
    for low, high in sorted(markers, reverse=True):
        if low < cut < high:
            cut = low
    return cut


def tiles_in_turn(board: BoardItem, room_mm: PointMm) -> Iterator[tuple[str, TileItem]]:
    """Each part of a board with what to call it, row by row."""
    rows = tiles_of(board, room_mm)
    for number, row in enumerate(rows, 1):
        for at, tile in enumerate(row, 1):
            yield f"row {number} of {len(rows)}, part {at} of {len(row)}", tile
