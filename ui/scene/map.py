"""The map on the screen: what it shows as plain values, and how a box's board plan becomes them."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from companion.core.board import NO_LOOK, Board, BoardPlan, Look, Piece, PointMm, Pose, Space
from companion.core.ruling import LineOfFire
from ui.scene.steps import is_printed
from ui.scene.values import Side
from ui.touch.actions import Action, AskWhy

# What a map shows: boards and pieces as they lie, in millimetres of the table.


@dataclass(frozen=True, slots=True)
class MapCell:
    """One space: its label if one is printed, its outline on the table, its `sign` ("ring").

    `action` makes it a key (a question whose options are places); `lit` says sight offers it. One
    that the rules bar is no key, and a touch `asks` why.
    """

    space: str
    label: str
    outline_mm: tuple[PointMm, ...]
    sign: str = ""
    action: Action | None = None
    lit: bool = False
    asks: AskWhy | None = None

    @property
    def centre_mm(self) -> PointMm:
        xs, ys = zip(*self.outline_mm, strict=True)
        return (sum(xs) / len(xs), sum(ys) / len(ys))


@dataclass(frozen=True, slots=True)
class MapBoard:
    """One board: outline on the table, whose it is, title ("Gunner"), and whether it is turned.

    Of a turned (far) board the labels stay upright and its order is reversed.
    """

    name: str
    title: str
    side: Side
    outline_mm: tuple[PointMm, ...]
    cells: tuple[MapCell, ...]
    turned: bool = False


@dataclass(frozen=True, slots=True)
class MapPiece:
    """A piece on the map: solid is the table, dashed is where it was, or where the record has it.

    `struck` draws the burst of a hit; `facing` 0-5 clockwise, None where the box has none;
    `heading_deg` is where that points, clockwise from the screen's top.
    """

    piece: str
    label: str
    tint: Look
    space: str
    centre_mm: PointMm
    facing: int | None = None
    dashed: bool = False
    struck: bool = False
    heading_deg: float | None = None


@dataclass(frozen=True, slots=True)
class MapArrow:
    """The path of the hand from one space to another, table mm."""

    start_mm: PointMm
    end_mm: PointMm


@dataclass(frozen=True, slots=True)
class MapFire:
    """A line of fire from attacker to target, table mm; `reach` is its length in words."""

    start_mm: PointMm
    end_mm: PointMm
    reach: str = ""


@dataclass(frozen=True, slots=True)
class MapState:
    """Everything on the map; the screen scales `bounds_mm` (left, top, width, height) to fit.

    `legend` is what dashed outlines mean here ("" where there are none). `compass` names the first
    heading of a board that has any, and where it points, clockwise from the screen's top. `field`:
    pieces move about on many spaces, which are drawn as they lie. `fires` are the attacks under
    way. `lit` are the spaces that words beside the map speak of; with `glides` each piece glides
    from where it is dashed to where it stands.
    """

    boards: tuple[MapBoard, ...]
    pieces: tuple[MapPiece, ...] = ()
    arrows: tuple[MapArrow, ...] = ()
    bounds_mm: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    legend: str = ""
    compass: tuple[str, float] | None = None
    field: bool = False
    fires: tuple[MapFire, ...] = ()
    lit: frozenset[str] = frozenset()
    glides: bool = False

    def telling(self, spaces: Collection[str]) -> MapState:
        """The same as words beside it tell it: these spaces lit, and what moved glides."""
        return replace(self, lit=frozenset(spaces), glides=True)

    def homeward(self) -> MapState:
        """The same with the hand's path from where a piece stands to where it is drawn dashed."""
        back = tuple(MapArrow(arrow.end_mm, arrow.start_mm) for arrow in self.arrows)
        return replace(self, arrows=back)


# From a board plan to a map.

SCREEN_TURNS_DEG = {"near": 0.0, "left": 270.0, "far": 180.0, "right": 90.0}
"""Where the screen stands at the table, and how far the map turns so that it lies as seen there."""


def turn_of(screen_side: str) -> int:
    """By how many degrees, clockwise, the table turns to lie as it is seen from the screen."""
    return round(SCREEN_TURNS_DEG[screen_side])


_CLOSE_UP_SPACES = 1.9
"""So much of the board is shown around the pieces of a close-up, in sizes of a space."""

_FEW_TEAMS = 2

APART_MM = 13.0
"""Pieces that share a space are drawn this far to each side of its middle."""


@dataclass(frozen=True, slots=True)
class Pick:
    """A space that may be touched: what that means, and whether sight offers it now.

    Without an `action` it is barred, and a touch `asks` the rules why.
    """

    action: Action | None
    lit: bool = False
    asks: AskWhy | None = None


@dataclass(frozen=True)
class MapView:
    """A board plan as one table's screen shows it: the looks of its box, and the screen's place.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> view = MapView(board_plan())
    >>> [board.name for board in view.draw({}).boards if board.turned]
    ['Paws Pilot View', 'Paws Gunner View']
    """

    plan: BoardPlan
    screen_side: str = "near"
    looks: Mapping[str, Look] = field(default_factory=dict[str, Look])

    def draw(
        self,
        placement: Mapping[Piece, Pose],
        *,
        ghosts: Mapping[Piece, Pose] | None = None,
        struck: Sequence[Piece] = (),
        picks: Mapping[str, Pick] | None = None,
        arrows: bool = False,
        legend: str = "",
        fires: Sequence[LineOfFire] = (),
    ) -> MapState:
        """Pieces solid where `placement` has them, dashed where `ghosts` has them.

        `arrows` draws the hand's path from each ghost to its piece, `fires` who attacks whom.
        """
        solid = self._pieces(placement, struck=struck)
        dashed = self._pieces(ghosts or {}, dashed=True)
        boards = self._picked(picks) if picks else self._bare
        return MapState(
            boards=self._concerned(boards, (*dashed, *solid)) if arrows else boards,
            pieces=(*dashed, *solid),
            arrows=_paths(dashed, solid) if arrows else (),
            bounds_mm=self._close_up(solid, dashed) if arrows else self._bounds_mm,
            legend=legend if dashed else "",
            compass=self._compass(),
            field=self.has_field,
            fires=_fires(solid, fires),
        )

    def laid(self) -> MapState:
        """Every board as it lies, those on which only cards lie too; no piece stands yet."""
        boards = tuple(self._board(board, {}) for board in self.plan.boards)
        xs, ys = zip(*(point for board in boards for point in board.outline_mm), strict=True)
        bounds = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        return MapState(boards, bounds_mm=bounds, field=self.has_field)

    def _concerned(
        self, boards: tuple[MapBoard, ...], pieces: Sequence[MapPiece]
    ) -> tuple[MapBoard, ...]:
        """Of many teams' boards those where something moved or was hit; else all of them."""
        if len(self.owners) <= _FEW_TEAMS:
            return boards
        moved = {piece.piece for piece in pieces if piece.dashed}
        told = [piece for piece in pieces if piece.piece in moved or piece.struck]
        owners = {self.plan.board_of[piece.space].owner for piece in told}
        return tuple(board for board in boards if board.side.name in owners) or boards

    def heading_deg(self, pose: Pose) -> float | None:
        """Where a pose looks, degrees clockwise from the screen's top; None without a heading."""
        board = self.plan.board_of.get(pose.space)
        if pose.facing is None or board is None:
            return None
        printed = board.facing_deg(pose.facing) if board.facings else 60.0 * pose.facing
        return (printed + board.turn_deg + self._turn_deg) % 360.0

    def seen_mm(self, point: PointMm) -> PointMm:
        """A point of the table turned about its middle, as it lies before the screen."""
        middle_x, middle_y = self.plan.table_mm[0] / 2, self.plan.table_mm[1] / 2
        x, y = point[0] - middle_x, point[1] - middle_y
        cos, sin = self._turned
        return (middle_x + cos * x - sin * y, middle_y + sin * x + cos * y)

    def _compass(self) -> tuple[str, float] | None:
        """The first heading's name and where it points; None where pieces have no heading."""
        headed = [board for board in self._boards if board.facings]
        if not headed:
            return None
        board = headed[0]
        turned = board.first_facing_deg + board.turn_deg + self._turn_deg
        return board.facings[0], turned % 360.0

    @property
    def _boards(self) -> tuple[Board, ...]:
        return tuple(board for board in self.plan.boards if board.holds_pieces)

    @property
    def owners(self) -> tuple[str, ...]:
        """Whose boards pieces stand on."""
        return tuple(dict.fromkeys(board.owner for board in self._boards))

    @property
    def has_field(self) -> bool:
        """Whether pieces move about on a board of many spaces."""
        return any(board.is_field for board in self._boards)

    @cached_property
    def _turned(self) -> tuple[int, int]:
        """Cosine and sine of the map's turn: quarter turns only."""
        angle = math.radians(self._turn_deg)
        return round(math.cos(angle)), round(math.sin(angle))

    @property
    def _turn_deg(self) -> float:
        return SCREEN_TURNS_DEG[self.screen_side]

    @cached_property
    def _bare(self) -> tuple[MapBoard, ...]:
        return self._picked({})

    def _picked(self, picks: Mapping[str, Pick]) -> tuple[MapBoard, ...]:
        return tuple(self._board(board, picks) for board in self._boards)

    def _side(self, owner: str) -> Side:
        return Side(owner, self.looks.get(owner, NO_LOOK))

    def _board(self, board: Board, picks: Mapping[str, Pick]) -> MapBoard:
        width, height = board.size_mm
        corners = ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))
        return MapBoard(
            name=board.name,
            title=board.name.removeprefix(board.owner).strip(),
            side=self._side(board.owner),
            outline_mm=tuple(self.seen_mm(board.to_table(corner)) for corner in corners),
            cells=tuple(self._cell(board, space, picks.get(space.name)) for space in board.spaces),
            turned=90.0 < (board.turn_deg + self._turn_deg) % 360.0 < 270.0,
        )

    def _cell(self, board: Board, space: Space, pick: Pick | None) -> MapCell:
        return MapCell(
            space=space.name,
            label=space.label if is_printed(space.label) else "",
            outline_mm=tuple(self.seen_mm(board.to_table(point)) for point in space.outline_mm),
            sign=space.sign,
            action=pick.action if pick else None,
            lit=pick.lit if pick else False,
            asks=pick.asks if pick else None,
        )

    def _pieces(
        self,
        placement: Mapping[Piece, Pose],
        *,
        dashed: bool = False,
        struck: Sequence[Piece] = (),
    ) -> tuple[MapPiece, ...]:
        return tuple(
            MapPiece(
                piece=piece,
                label=self.plan.token_of[piece].label,
                tint=self.looks.get(piece, NO_LOOK),
                space=pose.space,
                centre_mm=self._spot(piece, pose, placement),
                facing=pose.facing,
                heading_deg=self.heading_deg(pose),
                dashed=dashed,
                struck=piece in struck,
            )
            for piece, pose in placement.items()
            if pose.space in self.plan.board_of and self.plan.board_of[pose.space].holds_pieces
        )

    def _spot(self, piece: Piece, pose: Pose, placement: Mapping[Piece, Pose]) -> PointMm:
        """The middle of the space, or beside it where pieces share the space."""
        sharing = [other for other, there in placement.items() if there.space == pose.space]
        offset = (2 * sharing.index(piece) - (len(sharing) - 1)) * APART_MM
        x, y = self.seen_mm(self.plan.centre_on_table(pose.space))
        return (x + offset, y)

    def _close_up(
        self, solid: Sequence[MapPiece], dashed: Sequence[MapPiece]
    ) -> tuple[float, float, float, float]:
        """Of a field no more than where what moved stands and stood; other boards whole."""
        whole = self._bounds_mm
        fields = [board for board in self._boards if board.is_field]
        moved = {piece.piece for piece in dashed}
        told = [piece for piece in solid if piece.piece in moved or piece.struck]
        pieces = [*dashed, *told] or solid
        if not fields or not pieces:
            return whole
        margin = _CLOSE_UP_SPACES * math.sqrt(_area(fields[0].spaces[0].outline_mm))
        xs, ys = zip(*(piece.centre_mm for piece in pieces), strict=True)
        left, top = max(min(xs) - margin, whole[0]), max(min(ys) - margin, whole[1])
        right = min(max(xs) + margin, whole[0] + whole[2])
        bottom = min(max(ys) + margin, whole[1] + whole[3])
        return (left, top, right - left, bottom - top)

    @cached_property
    def _bounds_mm(self) -> tuple[float, float, float, float]:
        corners = [
            self.seen_mm(board.to_table(corner))
            for board in self._boards
            for corner in _extent(board)
        ]
        if not corners:
            return (0.0, 0.0, 1.0, 1.0)
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
        return (left, top, right - left, bottom - top)


_VIEWS: dict[tuple[int, str, int], MapView] = {}
MOST_VIEWS = 8


def view_of(plan: BoardPlan, screen_side: str, looks: Mapping[str, Look]) -> MapView:
    """The view of this very plan with these very looks: its boards are laid out once.

    Screens ask many times a second. A view that is kept keeps what it was made of, so that no
    other plan can come to have the same identity.
    """
    key = (id(plan), screen_side, id(looks))
    if key not in _VIEWS:
        if len(_VIEWS) >= MOST_VIEWS:
            _VIEWS.clear()
        _VIEWS[key] = MapView(plan, screen_side, looks)
    return _VIEWS[key]


def _area(outline: Sequence[PointMm]) -> float:
    """Of a polygon, square mm."""
    pairs = zip(outline, (*outline[1:], outline[0]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _extent(board: Board) -> Sequence[PointMm]:
    """What of a board is worth the screen's room: of a field the spaces, not the margin around."""
    if not board.is_field:
        return ((0.0, 0.0), board.size_mm)
    return [point for space in board.spaces for point in space.outline_mm]


def _fires(solid: Sequence[MapPiece], fires: Sequence[LineOfFire]) -> tuple[MapFire, ...]:
    """Between pieces that stand on the map; one that has left it is fired at no more."""
    spots = {piece.piece: piece.centre_mm for piece in solid}
    return tuple(
        MapFire(spots[fire.attacker], spots[fire.target], fire.reach)
        for fire in fires
        if fire.attacker in spots and fire.target in spots
    )


def _paths(was: tuple[MapPiece, ...], now: tuple[MapPiece, ...]) -> tuple[MapArrow, ...]:
    ends = {piece.piece: piece.centre_mm for piece in now}
    return tuple(
        MapArrow(ghost.centre_mm, ends[ghost.piece])
        for ghost in was
        if ghost.piece in ends and ghost.centre_mm != ends[ghost.piece]
    )
