"""The map: boards as they lie before the screen, pieces, ghosts, the hand's paths, hits.

It knows outlines in millimetres and names of signs, no box: zones, sections and hexes are all
polygons. Boards, labels and pieces are parts of their own, so a moved piece redraws itself alone.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.core.board import NO_LOOK, Look
from ui.scene.map import MapArrow, MapBoard, MapCell, MapPiece, MapState
from ui.scene.theme import Caps, Colour, Rgba
from ui.widgets.box import Box
from ui.widgets.field_map import ArrowPart, ClosedPart, LegendPart, MapFrame, hex_map, piece_parts
from ui.widgets.part import Part
from ui.widgets.pen import Pen
from ui.widgets.shape import Point, Solid, Stroke
from ui.widgets.signs import SIGNS
from ui.widgets.teams import draw_emblem

TITLE_HIGH = 20.0
LABEL_CAPS = 15.0
_STRETCH = 2.2
_MOST_COLUMNS = 4
"""Teams side by side; more stand in two rows."""
_LEAST_LABELS, _LEAST_WIDE = 15.0, 96.0
"""Of a board whose zones have their names under them."""


@dataclass(frozen=True, kw_only=True)
class BoardPart(Part):
    """A board's land in a frame of its owner's colour; `cells_box` is where its cells lie."""

    board: MapBoard

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.board.side.tint)
        pen.fill(self.box, Colour.LAND, 5)
        pen.edge(self.box, colours.text, 1.6, 5)


@dataclass(frozen=True, kw_only=True)
class CellPart(Part):
    """One space: its polygon, the sign in its middle, its label, lit when sight offers it.

    `told`: words beside the map speak of it.
    """

    cell: MapCell
    outline: tuple[Point, ...]
    label_box: Box | None
    label_tint: Look
    second: bool = False
    told: bool = False

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        local = tuple((x - self.box.x, y - self.box.y) for x, y in self.outline)
        frame = (self.box.wide, self.box.high)
        tappable = self.action is not None
        fill: Colour | Rgba = Colour.CELL2 if self.second or tappable else Colour.CELL
        if pressed:
            fill = Colour.GO
        elif tappable:
            fill = Colour.KEY
        pen.filled_shape(self.box, (Solid(local),), frame, fill)
        if tappable or len(self.outline) > 4:
            edge, wide = (Colour.OK, 7.0) if self.cell.lit else (Colour.EDGE, 2.4)
            pen.shapes(self.box, (Stroke(local, wide, closed=True),), frame, edge)
        if self.told:
            pen.shapes(self.box, (Stroke(local, 5.0, closed=True),), frame, Colour.INK)
        self._draw_sign(pen)
        if self.label_box is not None:
            tint = pen.theme.side(self.label_tint).text
            pen.text(self.cell.label, self.label_box, LABEL_CAPS, tint, align="centre")

    def _draw_sign(self, pen: Pen) -> None:
        name = {"cross": "cross-hair"}.get(self.cell.sign, self.cell.sign)
        if name in SIGNS:
            side = min(self.box.wide, self.box.high) * 0.72
            pen.sign(name, self.box.square(side), Colour.GRID)


@dataclass(frozen=True, kw_only=True)
class BoardTitle(Part):
    """Whose boards these are: emblem, team, and the boards' titles from left to right, if told."""

    board: MapBoard
    titles: tuple[str, ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        colours = pen.theme.side(self.board.side.tint)
        wide = 18 if len(self.board.side.tint.letter) <= 1 or self._is_drawn else 26
        draw_emblem(pen, self.board.side, Box(self.box.x, self.box.y, wide, self.box.high - 4))
        told = f" · {', '.join(self.titles)}" if self.titles else ""
        text = f"{self.board.side.name.upper()}{told}"
        words = self.box.beside(wide + 6).top(self.box.high - 5)
        if pen.width(text, Caps.DETAIL) <= words.wide:  # else the emblem alone says whose they are
            pen.text(text, words, LABEL_CAPS, colours.text)

    @property
    def _is_drawn(self) -> bool:
        return self.board.side.tint.sign in SIGNS


# --- putting it together ---


_SIDE_BY_SIDE = 2
"""So many pieces share a zone beside each other; more stand in rows."""


def board_map(room: Box, state: MapState, *, titled: bool = True) -> Iterator[tuple[str, Part]]:
    """The map's parts in drawing order; `titled` gives each team a line at its boards."""
    if state.field:
        yield from hex_map(room, state)
        return
    if len(owners_of(state)) > 2:
        yield from _by_owner(room, state)
        return
    inner = room
    if titled:
        inner = Box(room.x, room.y + TITLE_HIGH, room.wide, room.high - 2 * TITLE_HIGH - 1)
    rows_only = all(in_a_row(board) for board in state.boards)
    frame = MapFrame.fit(inner, state.bounds_mm, _STRETCH if rows_only else 1.0)
    if titled:
        yield from _titles(frame, state)
    for board in state.boards:
        yield from _board(frame, board, state.lit)
    yield from _things(frame, state)
    if state.legend and titled:
        legend = Box(room.right - 180, room.bottom - TITLE_HIGH, 180, TITLE_HIGH)
        yield "map/legend", LegendPart(box=legend, legend=state.legend)


def owners_of(state: MapState) -> tuple[str, ...]:
    """Whose boards the map has, in their order."""
    return tuple(dict.fromkeys(board.side.name for board in state.boards))


def _by_owner(room: Box, state: MapState) -> Iterator[tuple[str, Part]]:
    """A column for each of more than two teams, who lie too far apart for one picture.

    Its boards stand one under another, as they are seen from their own side.
    """
    owners = owners_of(state)
    columns = len(owners) if len(owners) <= _MOST_COLUMNS else -(-len(owners) // 2)
    legend = TITLE_HIGH if state.legend else 0.0
    rows = room.top(room.high - legend).rows([1] * -(-len(owners) // columns), gap=6)
    boards: list[MapBoard] = []
    for n, owner in enumerate(owners):
        box = rows[n // columns].columns([1] * columns, gap=8)[n % columns]
        own = [board for board in state.boards if board.side.name == owner]
        titled = BoardTitle(box=box.top(TITLE_HIGH), board=_bare(own[0]), titles=())
        yield f"map/title/{owner}", titled
        places = box.below(TITLE_HIGH - 1).rows([1] * len(own), gap=4)
        boards += (_laid(board, place) for board, place in zip(own, places, strict=True))
    laid = replace(state, boards=tuple(boards), arrows=_known_arrows(state))
    frame = MapFrame(room, room.x, room.y, 1.0, 1.0)  # outlines are in u already
    for board in laid.boards:
        yield from _board(frame, board, state.lit)
    yield from _things(frame, laid)
    if state.legend:
        below = Box(room.right - 180, room.bottom - TITLE_HIGH, 180, TITLE_HIGH)
        yield "map/legend", LegendPart(box=below, legend=state.legend)


def _laid(board: MapBoard, box: Box) -> MapBoard:
    """A board in a box of the screen, the right way up for whoever sits at it."""
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    cells = board.cells
    if board.turned:
        cells = tuple(
            replace(cell, outline_mm=tuple((-x, -y) for x, y in cell.outline_mm)) for cell in cells
        )
    return replace(board, outline_mm=corners, cells=cells, turned=False)


def _known_arrows(state: MapState) -> tuple[MapArrow, ...]:
    """The paths whose ends are pieces: their places on the screen are known."""
    centres = {piece.centre_mm for piece in state.pieces}
    return tuple(a for a in state.arrows if a.start_mm in centres and a.end_mm in centres)


def _board(
    frame: MapFrame, board: MapBoard, told: Collection[str] = ()
) -> Iterator[tuple[str, Part]]:
    box = frame.around(board.outline_mm)
    yield f"map/board/{board.name}", BoardPart(box=box, board=_bare(board))
    labels_high = _labels_high(board, box)
    for n, cell in enumerate(board.cells):
        part = _cell(frame, board, box, cell, labels_high, second=n == 1)
        yield f"map/cell/{cell.space}", replace(part, told=cell.space in told)
        if cell.asks is not None:
            barred = ClosedPart(box=part.box, outline=part.outline, asks=cell.asks)
            yield f"map/closed/{cell.space}", barred


def _bare(board: MapBoard) -> MapBoard:
    """The board without its cells: they are parts of their own."""
    return MapBoard(board.name, board.title, board.side, board.outline_mm, (), board.turned)


def in_a_row(board: MapBoard) -> bool:
    """Whether the frame has room for the cells' labels: few zones in one row."""
    tops = {round(min(y for _, y in cell.outline_mm)) for cell in board.cells}
    return len(tops) == 1 and len(board.cells) <= 6


def _labels_high(board: MapBoard, on: Box) -> float:
    """The strip of the labels; none where they would be too small to be read."""
    if not in_a_row(board):
        return 0.0
    high = min(22.0, on.high * 0.34)
    return high if high >= _LEAST_LABELS and on.wide >= _LEAST_WIDE else 0.0


def _cell(
    frame: MapFrame, board: MapBoard, on: Box, cell: MapCell, labels_high: float, *, second: bool
) -> CellPart:
    """A cell under (of a near board: over) the strip with its label."""
    if not in_a_row(board):
        outline = tuple(frame.point(point) for point in cell.outline_mm)
        box = frame.around(cell.outline_mm)
        return CellPart(
            box=box, cell=cell, outline=outline, label_box=None, label_tint=NO_LOOK,
            action=cell.action,
        )  # fmt: skip
    place = _spread(board, on, cell)
    label_y = on.y + 1 if board.turned else on.bottom - labels_high - 1
    label = Box(place.x, label_y, place.wide, labels_high) if labels_high else None
    top = on.y + labels_high + 1 if board.turned else on.y + 3
    box = Box(place.x, top, place.wide, on.high - labels_high - 4)
    corners = ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom))
    return CellPart(
        box=box, cell=cell, outline=corners, label_box=label, label_tint=board.side.tint,
        second=second, action=cell.action,
    )  # fmt: skip


def _spread(board: MapBoard, on: Box, cell: MapCell) -> Box:
    """The cell's share of the board's whole width, markers' columns included."""
    order = sorted(board.cells, key=lambda each: each.centre_mm[0])
    boxes = on.inset(3).columns([1] * len(order), gap=3)
    return boxes[[each.space for each in order].index(cell.space)]


def _things(frame: MapFrame, state: MapState) -> Iterator[tuple[str, Part]]:
    places = {cell.space: (board, cell) for board in state.boards for cell in board.cells}
    boxes: dict[tuple[str, bool], Box] = {}
    for piece in state.pieces:
        if piece.space not in places:
            continue
        board, cell = places[piece.space]
        boxes[piece.piece, piece.dashed] = _stand(frame, board, cell, piece, state.pieces)
    yield from piece_parts(state, boxes)
    for n, arrow in enumerate(state.arrows):
        yield f"map/arrow/{n}", _arrow(frame, state, arrow, boxes)


def _stand(
    frame: MapFrame, board: MapBoard, cell: MapCell, piece: MapPiece, all_pieces: Sequence[MapPiece]
) -> Box:
    """Where a piece stands: in its cell's middle, or side by side with those it shares it with."""
    on = frame.around(board.outline_mm)
    labels_high = _labels_high(board, on)
    room = _cell(frame, board, on, cell, labels_high, second=False).box
    sharing = [
        other.piece
        for other in all_pieces
        if other.space == piece.space and other.dashed == piece.dashed
    ]
    if len(sharing) > _SIDE_BY_SIDE:
        share = in_rows(room, len(sharing))[sharing.index(piece.piece)]
        return share.square(min(share.wide, share.high, 64) - 1)
    share = room.columns([1] * len(sharing))[sharing.index(piece.piece)]
    if len(sharing) > 1:
        return share.square(min(share.wide * 1.18, share.high - 4, 64))
    return share.square(min(share.wide, share.high) - 2)


def in_rows(room: Box, pieces: int) -> list[Box]:
    """Boxes for so many pieces, in as many rows as let each be drawn largest; none overlap."""

    def side(down: int) -> float:
        return min(room.high / down, room.wide / -(-pieces // down))

    down = max(range(1, pieces + 1), key=side)
    across = -(-pieces // down)
    return [box for row in room.rows([1] * down) for box in row.columns([1] * across)][:pieces]


def _arrow(
    frame: MapFrame, state: MapState, arrow: MapArrow, boxes: dict[tuple[str, bool], Box]
) -> ArrowPart:
    """From the middle of the one to the edge of the other end."""
    start, end = frame.point(arrow.start_mm), frame.point(arrow.end_mm)
    for piece in state.pieces:
        box = boxes.get((piece.piece, piece.dashed))
        if box is not None and piece.centre_mm == arrow.start_mm:
            start = box.centre
        elif box is not None and piece.centre_mm == arrow.end_mm:
            end = box.centre
    length = max(1.0, ((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2) ** 0.5)
    short = max(0.35, 1 - 22 / length)
    tip = (start[0] + (end[0] - start[0]) * short, start[1] + (end[1] - start[1]) * short)
    xs, ys = (start[0], tip[0]), (start[1], tip[1])
    box = Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
    return ArrowPart(box=box, start=start, end=tip)


def _titles(frame: MapFrame, state: MapState) -> Iterator[tuple[str, Part]]:
    """A line over the boards at the top and under those at the bottom."""
    for turned in (True, False):
        boards = [board for board in state.boards if board.turned is turned]
        if not boards:
            continue
        boards.sort(key=lambda board: frame.around(board.outline_mm).x)
        boxes = [frame.around(board.outline_mm) for board in boards]
        top, bottom = min(box.y for box in boxes), max(box.bottom for box in boxes)
        y = top - TITLE_HIGH if turned else bottom + 3
        line = Box(frame.box.x, y, frame.box.wide, TITLE_HIGH)
        name = "map/title/far" if turned else "map/title/near"
        owners = dict.fromkeys(board.side.name for board in boards)
        if len(owners) == 1:
            titles = tuple(board.title.removesuffix(" View") for board in boards)
            yield name, BoardTitle(box=line, board=_bare(boards[0]), titles=titles)
            continue
        for owner in owners:  # each over its own boards; what they are their zones tell
            board, box = next(
                pair for pair in zip(boards, boxes, strict=True) if pair[0].side.name == owner
            )
            over = Box(box.x, y, box.wide, TITLE_HIGH)
            yield f"{name}/{owner}", BoardTitle(box=over, board=_bare(board), titles=())
