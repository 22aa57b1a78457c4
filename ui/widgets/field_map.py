"""The map of a field: what is printed on it, pieces, lines of fire, and where a piece may end."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from companion.core.board import Look, PointMm
from ui.scene.map import MapCell, MapFire, MapPiece, MapState
from ui.scene.theme import Caps, Colour, Face, Reach, Rgba, SideColours
from ui.scene.values import Mark
from ui.screens.match.field_poses import HeadingKey, PosePad, PoseSpace, enlarged, seen_in
from ui.touch.actions import AskWhy, Enlarge
from ui.widgets.box import Box
from ui.widgets.part import Glide, Part
from ui.widgets.pen import Pen
from ui.widgets.shape import Disc, Point, Shape, Solid, Stroke, rounded
from ui.widgets.signs import SIGNS

# What every map has: millimetres on the screen, pieces, paths, the legend.

_LEAST_LETTERED = 16.0


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


# Lines of fire: dotted from attacker to target, a ring round the target.

_LINE_WIDE = 3.0
_DOT, _GAP = 0.5, 8.0
_RING = 0.62
"""The ring's radius, in heights of the target."""
_REACH_HIGH = 24.0


@dataclass(frozen=True, kw_only=True)
class FirePart(Part):
    """One line of fire, from the edge of the attacker to the ring round the target."""

    start: Point
    end: Point
    radius: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        frame = (self.box.wide, self.box.high)
        start, end = self._local(self.start), self._local(self.end)
        far = math.dist(start, end)
        pen.shapes(self.box, (Disc(end, self.radius, 2.2),), frame, Colour.INK)
        if far > 2 * self.radius:
            line = (
                _between(start, end, self.radius / far),
                _between(end, start, self.radius / far),
            )
            dots = Stroke(line, _LINE_WIDE, dash=_DOT, gap=_GAP)
            pen.shapes(self.box, (dots,), frame, Colour.INK)

    def _local(self, point: Point) -> Point:
        return (point[0] - self.box.x, point[1] - self.box.y)


@dataclass(frozen=True, kw_only=True)
class ReachPart(Part):
    """How far the attack goes, in the book's words."""

    words: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.LAND, 5)
        pen.text(self.words, self.box.inset(4), 15, Colour.INK)


def _between(start: Point, end: Point, share: float) -> Point:
    return (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)


def lines_of_fire(
    frame: MapFrame, fires: Sequence[MapFire], side: float
) -> Iterator[tuple[str, Part]]:
    """The lines of all attacks under way; `side` is how large the pieces are drawn, u."""
    radius = side * _RING
    for n, fire in enumerate(fires):
        start, end = frame.point(fire.start_mm), frame.point(fire.end_mm)
        xs, ys = (start[0], end[0]), (start[1], end[1])
        box = Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)).grown(radius + 3)
        yield f"map/fire/{n}", FirePart(box=box, start=start, end=end, radius=radius)


def reach_of(
    land: Box, fires: Sequence[MapFire], taken: Mapping[str, Box]
) -> Iterator[tuple[str, Part]]:
    """The reach of the only attack, in the first corner from the left top one on that is free."""
    if len(fires) != 1 or not fires[0].reach:
        return
    words = fires[0].reach.capitalize()
    wide = 10.0 * len(words) + 8
    xs, ys = (land.x + 6, land.right - wide - 6), (land.y + 6, land.bottom - _REACH_HIGH - 6)
    corners = [Box(x, y, wide, _REACH_HIGH) for y in ys for x in xs]
    free = (
        box for box in corners if not any(box.meets(other, slack=3) for other in taken.values())
    )
    box = next(free, None)
    if box is not None:
        yield "map/reach", ReachPart(box=box, words=words)


# The map of a field.

_GRID_WIDE = 1.2
_PLANE_SHARE = 1.06
"""A plane's silhouette, in heights of a space."""
_TOKEN_SHARE = 0.96
_LEAST_DISC = 20.0
"""A piece without a drawing is a disc with a letter, which must be read."""
_MARGIN = 5.0
_LEGEND_HIGH = 22.0
_MOST_NUMBERED = 30
_LEAST_NUMBERED = 26.0
"""Of boards with no more spaces than that, those so large are drawn with their numbers."""
_NEAR_SIDE = 60.0
"""What a touch that enlarges a part of a board is meant for, at the least."""
_A_LETTER = 11.0
"""What a letter of such a number takes, at most."""

Polygon = tuple[Point, ...]


@dataclass(frozen=True, kw_only=True)
class HexBoardPart(Part):
    """Everything that is printed: the land, the spaces, their tokens; drawn once."""

    cells: tuple[Polygon, ...]
    signs: tuple[tuple[str, Box], ...]

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box, Colour.LAND, 5)
        pen.edge(self.box, Colour.GRID, 1.2, 5)
        frame = (self.box.wide, self.box.high)
        local = tuple(self._local(cell) for cell in self.cells)
        pen.shapes(self.box, tuple(Solid(cell) for cell in local), frame, Colour.CELL)
        strokes = tuple(Stroke(cell, _GRID_WIDE, closed=True) for cell in local)
        pen.shapes(self.box, strokes, frame, Colour.GRID)
        for name, where in self.signs:
            pen.sign(name, where, Colour.INK2)

    def _local(self, cell: Polygon) -> Polygon:
        return tuple((x - self.box.x, y - self.box.y) for x, y in cell)


@dataclass(frozen=True, kw_only=True)
class LitPart(Part):
    """The space that words beside the map speak of."""

    outline: Polygon

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        local = tuple((x - self.box.x, y - self.box.y) for x, y in self.outline)
        frame = (self.box.wide, self.box.high)
        pen.shapes(self.box, (Solid(local),), frame, Colour.KEY)
        pen.shapes(self.box, (Stroke(local, 5.0, closed=True),), frame, Colour.INK)


@dataclass(frozen=True, kw_only=True)
class CompassPart(Part):
    """Where the board's first heading points, with its name."""

    name: str
    turned_deg: float

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.fill(self.box.grown(3), Colour.LAND, 6)
        needle = self.box.top(self.box.high - 18).square()
        pen.sign("north", needle, Colour.INK2, self.turned_deg)
        letters = Box(self.box.x, self.box.bottom - 15, self.box.wide, 15)
        pen.text(self.name, letters, 14, Colour.INK2, align="centre")


@dataclass(frozen=True, kw_only=True)
class TurnPart(Part):
    """How a piece turned where it stands: dashed from where its nose was to where it is."""

    turned: tuple[float, float]
    tint: Look

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        was, now = self.turned
        by = (now - was + 180.0) % 360.0 - 180.0 or 180.0
        frame, ink = (self.box.wide, self.box.high), pen.theme.side(self.tint).text
        reach = min(frame) / 2
        bend = math.copysign(min(abs(by) / 2, 26.0), by)  # the head takes so much of the way

        def point(deg: float, far: float) -> Point:
            turn = math.radians(deg)
            return (
                frame[0] / 2 + reach * far * math.sin(turn),
                frame[1] / 2 - reach * far * math.cos(turn),
            )

        way = tuple(point(was + (by - bend) * n / _ARC_STEPS, 0.92) for n in range(_ARC_STEPS + 1))
        head = (point(now, 0.92), point(now - bend, 1.12), point(now - bend, 0.72))
        wide = max(1.6, reach * 0.08)
        pen.shapes(self.box, (Stroke(way, wide, dash=6, gap=3),), frame, ink)
        pen.filled_shape(self.box, (Disc(way[0], wide * 1.6), Solid(head)), frame, ink)


_ARC_STEPS = 12


@dataclass(frozen=True, kw_only=True)
class EndPart(Part):
    """A space where the plane may end: the whole hex lights up, a finger needs only its middle.

    The only heading, or the one that sight offers, is drawn as the plane's ghost; several are
    arrow heads at the rim.
    """

    end: PoseSpace
    outline: Polygon
    drawn: Look

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        inverted = pressed or self.end.chosen
        around = _around(self.outline)
        local = tuple((x - around.x, y - around.y) for x, y in self.outline)
        frame = (around.wide, around.high)
        pen.filled_shape(around, (Solid(local),), frame, Colour.GO if inverted else Colour.KEY)
        edge, wide = (Colour.OK, 7.0) if self.end.lit else (Colour.INK2, 2.6)
        pen.shapes(around, (Stroke(local, wide, closed=True),), frame, edge)
        ink = Colour.GO_INK if inverted else Colour.INK
        alone = self.end.headings_deg if len(self.end.headings_deg) == 1 else ()
        ghost = (self.end.lit_deg,) if self.end.lit else alone
        if ghost and self.drawn.sign in SIGNS:
            side = around.high * 0.82
            tint = ink if inverted else pen.theme.side(self.drawn).text
            pen.ghost(self.drawn.sign, around.square(side), tint, ghost[0])
            return
        if not self.end.headings_deg and self.end.label:
            caps = _space_caps(pen, self.end.label, around.wide)
            pen.text(self.end.label, around, caps, ink, align="centre")
            return
        heads = tuple(_head(frame, deg) for deg in self.end.headings_deg)
        pen.shapes(around, heads, frame, ink)


_SPACE_LABELS = (26.0, 20.0, Caps.DETAIL)
"""Of a space's print, in units; as large as two figures have room there, so that all look alike."""


def _space_caps(pen: Pen, label: str, wide: float) -> float:
    widest = max(pen.width(label, Caps.DETAIL), pen.width("00", Caps.DETAIL)) / Caps.DETAIL
    return next((caps for caps in _SPACE_LABELS if widest * caps <= wide - 12), Caps.DETAIL)


def _head(frame: tuple[float, float], heading_deg: float) -> Solid:
    """An arrow head at a space's rim."""
    reach = min(frame) / 2
    turn = math.radians(heading_deg)
    ahead, aside = (math.sin(turn), -math.cos(turn)), (math.cos(turn), math.sin(turn))

    def point(far: float, across: float) -> Point:
        return (
            frame[0] / 2 + reach * (far * ahead[0] + across * aside[0]),
            frame[1] / 2 + reach * (far * ahead[1] + across * aside[1]),
        )

    return Solid((point(0.86, 0.0), point(0.5, 0.24), point(0.5, -0.24)))


# --- putting it together ---


def hex_map(
    room: Box,
    state: MapState,
    *,
    poses: PosePad | None = None,
) -> Iterator[tuple[str, Part]]:
    """The map's parts in drawing order; only what lies wholly in the room is shown."""
    margin = _MARGIN if poses is None else 1.0
    land = room.top(room.high - _LEGEND_HIGH) if state.legend else room
    frame = MapFrame.fit(land.inset(margin), state.bounds_mm)
    spaces = [cell for board in state.boards for cell in board.cells]
    outlines = {cell.space: _outline(frame, cell) for cell in spaces}
    shown = {name: line for name, line in outlines.items() if land.holds(_around(line), slack=1)}
    yield "map/board", HexBoardPart(
        box=room,
        cells=tuple(shown.values()),
        signs=tuple(_signs(cell, shown[cell.space]) for cell in spaces
                    if cell.space in shown and cell.sign in SIGNS),
    )  # fmt: skip
    taken = {piece.space for piece in state.pieces}
    for name in sorted(state.lit & shown.keys()):
        yield f"map/lit/{name}", LitPart(box=_around(shown[name]), outline=shown[name])
    yield from _on_spaces(poses, spaces, outlines, shown, taken)
    ending = (
        {end.space for end in poses.spaces if end.headings_deg} if poses is not None else set[str]()
    )
    pieces = dict(_pieces(state, frame, shown, ending))
    if state.compass is not None and poses is None:
        yield "map/compass", _compass(land, state.compass, [part.box for part in pieces.values()])
    side = max((part.box.high for part in pieces.values()), default=0.0)
    yield from lines_of_fire(frame, state.fires if poses is None else (), side)
    yield from pieces.items()
    if poses is None:
        yield from reach_of(land, state.fires, {name: part.box for name, part in pieces.items()})
    if state.legend:
        legend = Box(room.x + 8, land.bottom, room.wide - 16, _LEGEND_HIGH - 2)
        yield "map/legend", LegendPart(box=legend, legend=state.legend)


def _on_spaces(
    poses: PosePad | None,
    spaces: Sequence[MapCell],
    outlines: dict[str, Polygon],
    shown: dict[str, Polygon],
    taken: Collection[str],
) -> Iterator[tuple[str, Part]]:
    """What stands on spaces themselves: numbers, or where a piece may end and where not."""
    if poses is not None:
        yield from _closed(poses, shown)
        yield from _ends(poses, outlines, taken)
        return
    if len(shown) <= _MOST_NUMBERED:
        yield from _labels(spaces, shown, taken)
    yield from _picks(spaces, shown)


@dataclass(frozen=True, kw_only=True)
class LabelPart(Part):
    """What is printed on a space, where nothing stands on it."""

    label: str

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        pen.text(self.label, self.box, 14, Colour.INK2, align="centre")


def _labels(
    spaces: Sequence[MapCell], shown: dict[str, Polygon], taken: Collection[str]
) -> Iterator[tuple[str, Part]]:
    """The numbers of a board's few large spaces: all that are free have theirs, or none has."""
    numbered = [
        (cell, _around(shown[cell.space]))
        for cell in spaces
        if cell.space in shown
        and cell.space not in taken
        and cell.action is None
        and cell.label
        and cell.sign not in SIGNS
    ]
    if any(min(a.wide, a.high) < _least_room(cell.label) for cell, a in numbered):
        return
    for cell, around in numbered:
        box = around.square(min(around.wide, around.high) - 4)
        yield f"map/label/{cell.space}", LabelPart(box=box, label=cell.label)


def _least_room(label: str) -> float:
    """How wide a space must be for what is printed on it to be read whole."""
    return max(_LEAST_NUMBERED, 4 + _A_LETTER * len(label))


def _outline(frame: MapFrame, cell: MapCell) -> Polygon:
    points = (frame.point(point) for point in cell.outline_mm)
    return tuple((round(x, 2), round(y, 2)) for x, y in points)


def _around(outline: Polygon) -> Box:
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _signs(cell: MapCell, outline: Polygon) -> tuple[str, Box]:
    around = _around(outline)
    return cell.sign, around.square(min(around.wide, around.high) * _TOKEN_SHARE)


def _compass(land: Box, compass: tuple[str, float], taken: Sequence[Box]) -> CompassPart:
    """In the first corner, from the right top one on, where no piece stands and no arrow runs."""
    name, turned = compass
    xs, ys = (land.right - 37, land.x + 7), (land.y + 8, land.bottom - 52)
    corners = [Box(x, y, 30, 44) for y in ys for x in xs]
    free = (box for box in corners if not any(box.meets(other, slack=3.0) for other in taken))
    return CompassPart(box=next(free, corners[0]), name=name, turned_deg=turned)


@dataclass(frozen=True, kw_only=True)
class ClosedPart(Part):
    """A space where the piece may not end: nothing to see, but a touch in it is answered.

    It is no target for a finger, which may well be meant for another: what it says changes nothing.
    """

    outline: Polygon
    asks: AskWhy

    def action_at(self, x: float, y: float) -> AskWhy | None:
        """Why not, within the outline alone: boxes of neighbours overlap."""
        return self.asks if is_within((x, y), self.outline) else None

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if pressed:
            around = _around(self.outline)
            local = tuple((x - around.x, y - around.y) for x, y in self.outline)
            frame = (around.wide, around.high)
            pen.shapes(around, (Stroke(local, 3.0, closed=True),), frame, Colour.BAD)


def is_within(point: Point, outline: Polygon) -> bool:
    """Whether a point lies in a polygon: a ray from it to the right leaves an odd number of times.

    >>> is_within((5.0, 5.0), ((0, 0), (10, 0), (10, 10), (0, 10)))
    True
    >>> is_within((15.0, 5.0), ((0, 0), (10, 0), (10, 10), (0, 10)))
    False
    """
    x, y = point
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    crossed = [
        (ax + (y - ay) * (bx - ax) / (by - ay)) > x
        for (ax, ay), (bx, by) in edges
        if (ay > y) != (by > y)
    ]
    return sum(crossed) % 2 == 1


def _closed(poses: PosePad, shown: dict[str, Polygon]) -> Iterator[tuple[str, Part]]:
    """Spaces that are touched in vain: they say why."""
    for space in poses.closed:
        if space.space in shown:
            outline = shown[space.space]
            part = ClosedPart(box=_around(outline), outline=outline, asks=space.asks)
            yield f"map/closed/{space.space}", part


def _ends(
    poses: PosePad, outlines: dict[str, Polygon], taken: Collection[str]
) -> Iterator[tuple[str, Part]]:
    """The spaces to be touched; where a piece stands nothing is written under it."""
    for end in sorted(poses.spaces, key=lambda end: end.lit or end.chosen):
        outline = outlines[end.space]
        bare = replace(end, label="") if end.space in taken else end
        box = _reach(outline)
        part = EndPart(box=box, end=bare, outline=outline, drawn=poses.drawn, action=end.action)
        yield f"map/end/{end.space}", part


@dataclass(frozen=True, kw_only=True)
class NearPart(Part):
    """A part of a board that is shown as a whole: a touch enlarges what lies around it."""

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        if pressed:
            pen.edge(self.box, Colour.INK, Reach.HOLD_EDGE, Reach.RADIUS)


def touched_board(room: Box, state: MapState, pad: PosePad) -> Iterator[tuple[str, Part]]:
    """A board on which spaces are touched, as large as the room has it.

    The whole of it where fingers find its spaces; else a first touch enlarges what lies around it.
    """
    cells = [cell for board in state.boards for cell in board.cells]
    shown = seen_in(pad, cells, room.wide - 2, room.high - 2)
    yield from hex_map(room, enlarged(state, shown.pad), poses=shown.pad)
    if shown.whole:
        yield from _near_parts(room, state, shown.pad)


def _near_parts(room: Box, state: MapState, poses: PosePad) -> Iterator[tuple[str, Part]]:
    """A target wherever spaces are lit: it enlarges around its middle."""
    frame = MapFrame.fit(room.inset(1.0), poses.window_mm)
    middles = {
        cell.space: _around(_outline(frame, cell)).centre
        for board in state.boards for cell in board.cells
    }  # fmt: skip
    lit = [middles[end.space] for end in poses.spaces]
    rows = frame.box.rows([1] * max(1, int(frame.box.high // _NEAR_SIDE)))
    for n, row in enumerate(rows):
        for m, box in enumerate(row.columns([1] * max(1, int(row.wide // _NEAR_SIDE)))):
            if any(box.holds(Box(x, y, 0, 0)) for x, y in lit):
                space = min(middles, key=lambda name: math.dist(middles[name], box.centre))
                yield f"map/near/{n}.{m}", NearPart(box=box, action=Enlarge(space))


def _reach(outline: Polygon) -> Box:
    """What of a space a finger may touch: apart from the reach of each of its neighbours."""
    around = _around(outline)
    wide, high = (0.75, 1.0) if around.wide > around.high else (1.0, 0.75)
    x, y = around.centre
    wide, high = max(around.wide * wide, Reach.TARGET[0]), max(around.high * high, Reach.TARGET[1])
    return Box(x - wide / 2, y - high / 2, wide, high)


def _picks(spaces: Sequence[MapCell], shown: dict[str, Polygon]) -> Iterator[tuple[str, Part]]:
    """Spaces that are keys of another kind of question, over those that are touched in vain."""
    for cell in spaces:
        if cell.asks is not None and cell.space in shown:
            outline = shown[cell.space]
            barred = ClosedPart(box=_around(outline), outline=outline, asks=cell.asks)
            yield f"map/closed/{cell.space}", barred
    for cell in spaces:
        if cell.action is None or cell.space not in shown:
            continue
        end = PoseSpace(cell.space, cell.outline_mm, (), cell.action, cell.lit)
        outline = shown[cell.space]
        box = _reach(outline)
        part = EndPart(box=box, end=end, outline=outline, drawn=Look(), action=cell.action)
        yield f"map/end/{cell.space}", part


def _pieces(
    state: MapState, frame: MapFrame, shown: dict[str, Polygon], ending: Collection[str]
) -> Iterator[tuple[str, Part]]:
    """Planes; smaller on a space whose headings are asked at its rim."""
    boxes: dict[tuple[str, bool], Box] = {}
    shares = {
        (piece.piece, piece.dashed): _share(_around(shown[piece.space]), piece, state.pieces)
        for piece in state.pieces
        if piece.space in shown
    }
    for piece in state.pieces:
        if piece.space not in shown:
            continue
        box = _stand(shares[piece.piece, piece.dashed], piece, _free(shares, piece))
        if piece.space in ending:
            box = box.square(box.wide * 0.55)
        boxes[piece.piece, piece.dashed] = box
    yield from piece_parts(state, boxes)
    for n, arrow in enumerate(state.arrows):
        start, end = frame.point(arrow.start_mm), frame.point(arrow.end_mm)
        length = math.dist(start, end) or 1.0
        short = max(0.35, 1 - 0.42 * _size(boxes) / length)
        tip = (start[0] + (end[0] - start[0]) * short, start[1] + (end[1] - start[1]) * short)
        yield f"map/arrow/{n}", ArrowPart(box=_around((start, tip)), start=start, end=tip)


def piece_parts(
    state: MapState, boxes: Mapping[tuple[str, bool], Box]
) -> Iterator[tuple[str, Part]]:
    """The pieces in their boxes, dashed ones first; each that moved glides in its turn.

    The arrow of one that only turned lies under all of them: it may hide no other piece.
    """
    ghosts = {piece.piece: piece for piece in state.pieces if piece.dashed}
    turned = {
        piece.piece: (ghost.heading_deg or 0.0, piece.heading_deg or 0.0)
        for piece in state.pieces
        if (ghost := ghosts.get(piece.piece)) is not None and _only_turned(ghost, piece)
    }
    for piece in state.pieces:
        if piece.piece in turned and not piece.dashed and (piece.piece, False) in boxes:
            around = boxes[piece.piece, False]
            around = around.grown(around.high * 0.1)
            part = TurnPart(box=around, turned=turned[piece.piece], tint=piece.tint)
            yield f"map/turn/{piece.piece}", part
    glides = 0
    for piece in state.pieces:
        box = boxes.get((piece.piece, piece.dashed))
        if box is None or (piece.dashed and piece.piece in turned):
            continue
        if piece.dashed:
            yield f"map/ghost/{piece.piece}", PiecePart(box=box, piece=piece)
            continue
        if piece.piece in turned:
            box = box.inset(box.high * _BESIDE_A_TURN)
        ghost, start, glide = ghosts.get(piece.piece), boxes.get((piece.piece, True)), None
        if state.glides and ghost is not None and start is not None:
            glide = _glide(start, box, (ghost.heading_deg, piece.heading_deg), glides)
            glides += 1
        yield f"map/piece/{piece.piece}", PiecePart(box=box, piece=piece, glide=glide)


_BESIDE_A_TURN = 0.16
"""What the arrow of a turn takes on each side of the piece that it goes round."""


def _only_turned(ghost: MapPiece, piece: MapPiece) -> bool:
    """Whether a piece looks elsewhere on the space it stood on: its ghost would lie under it."""
    same = ghost.dashed and not piece.dashed and ghost.piece == piece.piece
    headings = ghost.heading_deg is not None and piece.heading_deg is not None
    return same and headings and ghost.space == piece.space


def _glide(
    start: Box, end: Box, headings: tuple[float | None, float | None], turn_in: int
) -> Glide:
    """From box to box, turning the shorter way round."""
    (ax, ay), (bx, by) = start.centre, end.centre
    was, now = headings
    turned = (was - now + 180.0) % 360.0 - 180.0 if was is not None and now is not None else 0.0
    return Glide(round(ax - bx, 2), round(ay - by, 2), turned, turn_in)


def _share(around: Box, piece: MapPiece, pieces: Sequence[MapPiece]) -> Box:
    """A piece's own part of a space on which several stand, so that none hides another."""
    there = [p.piece for p in pieces if p.space == piece.space and p.dashed == piece.dashed]
    if len(there) == 1:
        return around
    across = math.ceil(math.sqrt(len(there)))
    down = math.ceil(len(there) / across)
    row, column = divmod(there.index(piece.piece), across)
    wide, high = around.wide / across, around.high / down
    return Box(around.x + column * wide, around.y + row * high, wide, high)


def _size(boxes: dict[tuple[str, bool], Box]) -> float:
    return max((box.wide for box in boxes.values()), default=0.0)


def _free(shares: Mapping[tuple[str, bool], Box], piece: MapPiece) -> float:
    """How large a piece may be drawn for the next one to be seen whole."""
    x, y = shares[piece.piece, piece.dashed].centre
    ways = (
        max(abs(box.centre[0] - x), abs(box.centre[1] - y))
        for (other, dashed), box in shares.items()
        if dashed == piece.dashed and other != piece.piece
    )
    return min(ways, default=math.inf)


def _stand(around: Box, piece: MapPiece, free: float) -> Box:
    """A plane fills its space; pieces without a drawing stand smaller.

    Those are no smaller than their letter needs, unless they would hide their neighbours.
    """
    side = min(around.wide, around.high)
    if piece.tint.sign in SIGNS:
        return around.square(side * _PLANE_SHARE)
    return around.square(max(min(_LEAST_DISC, free), side * 0.8))


# Heading keys: the plane's silhouette as it would look, and the heading's name.


@dataclass(frozen=True, kw_only=True)
class HeadingPart(Part):
    """The plane turned to the heading; lit where sight offers just this."""

    heading: HeadingKey
    drawn: Look

    def draw(self, pen: Pen, *, pressed: bool) -> None:
        key = self.heading.key
        pen.fill(self.box, Colour.GO if pressed else Colour.KEY, Reach.RADIUS)
        edge, wide = (Colour.OK, Reach.HOLD_EDGE) if key.seen else (Colour.EDGE, Reach.EDGE)
        pen.edge(self.box, edge, wide, Reach.RADIUS)
        ink = Colour.GO_INK if pressed else Colour.INK
        if " " in key.label:  # what differs is no heading
            pen.text(key.label, self.box.inset(5, 4), 17, ink, align="centre", lines=3)
            return
        letters = Box(self.box.x + 4, self.box.bottom - 21, self.box.wide - 8, 17)
        pen.text(key.label, letters, 17, ink, align="centre")
        room = Box(self.box.x, self.box.y + 3, self.box.wide, self.box.high - 25)
        side = min(room.high, room.wide, 62.0)
        tint = ink if pressed else pen.theme.side(self.drawn).text
        sign = self.drawn.sign if self.drawn.sign in SIGNS else "up"
        pen.sign(sign, room.square(side), tint, self.heading.turned_deg)
        if key.seen:
            pen.sign(Mark.OK, Box(self.box.right - 21, self.box.y + 4, 16, 16), Colour.INK)
