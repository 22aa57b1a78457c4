"""End poses: the spaces where a piece may come to stand, and its headings on each of them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.board import NO_LOOK, Board, BoardPlan, Look, Piece, PointMm, Pose
from ui.scene.steps import is_printed, without_coordinates
from ui.scene.theme import Reach
from ui.scene.values import Key, KeyLook
from ui.touch.actions import Action, Answer, AskWhy, Enlarge, Panel, Show

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from companion.core.question import Option
    from ui.scene.map import MapCell, MapState, MapView

_HALF = 0.45
"""How far from a window's edge a space's middle lies at least, in steps."""

_OF_HEX = 6
"""Headings of a board of hexes."""

Bounds = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class PoseSpace:
    """A space where the piece may end: its headings (degrees clockwise from the screen's top).

    A touch chooses the space where there are several, else it answers. `lit`: sight offers a pose
    on it, `lit_deg` its heading; `chosen`: its headings are being asked. `label` is printed on it.
    """

    space: str
    outline_mm: tuple[PointMm, ...]
    headings_deg: tuple[float, ...]
    action: Action | None
    lit: bool = False
    chosen: bool = False
    lit_deg: float = 0.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class ClosedSpace:
    """A space where the piece may not end; a touch `asks` the rules why."""

    space: str
    asks: AskWhy


@dataclass(frozen=True, slots=True)
class HeadingKey:
    """One heading of the chosen space: where on the rosette (of two rows of three) it lies."""

    key: Key
    turned_deg: float
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class PosePad:
    """Where a piece may end: `drawn` is its silhouette, `headings` those of the chosen space.

    `closed` are the spaces where it may not, `astray` is one of them where it is seen. `near` is
    the space around which a board is enlarged whose spaces are too small for a finger.
    `window_mm` is the part of the table that is shown.
    """

    drawn: Look
    spaces: tuple[PoseSpace, ...]
    headings: tuple[HeadingKey, ...]
    chosen: str
    window_mm: Bounds
    closed: tuple[ClosedSpace, ...] = ()
    near: str = ""
    astray: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """The question whose options these are, and which of them sight offers, since when."""

    key: str
    opened: int
    seen: str = ""
    age: str = ""

    def answer(self, option: Option[Any]) -> Answer:
        """The touch that gives this option."""
        return Answer(self.key, self.opened, option.name)


@dataclass(frozen=True, slots=True)
class _End:
    """One option and the pose it leaves its piece in."""

    option: Option[Any]
    pose: Pose


def ends_on_hexes(plan: BoardPlan, options: Sequence[Option[Any]]) -> Piece | None:
    """The one piece that the options move to spaces of a board; None if it is not so."""
    moved = [option for option in options if option.shows]
    pieces = {piece for option in moved for piece in option.shows or ()}
    if len(pieces) != 1:
        return None
    (piece,) = pieces
    poses = [(option.shows or {})[piece] for option in moved]
    return piece if all(pose.space in plan.board_of for pose in poses) else None


def pose_pad(
    view: MapView,
    asked: Asked,
    options: Sequence[Option[Any]],
    piece: Piece,
    chosen: str = "",
    astray: str = "",
    near: str = "",
) -> PosePad:
    """The spaces that can be reached, and the headings of the one that was touched.

    `near` is the space around which the board is enlarged, if any. `astray` is a space to be shown,
    too: the piece is seen there, where it may not end.
    """
    by_space: dict[str, list[_End]] = {}
    for option in options:
        if option.shows:
            end = _End(option, option.shows[piece])
            by_space.setdefault(end.pose.space, []).append(end)
    if len(by_space) == 1:
        chosen = next(iter(by_space))
    return PosePad(
        drawn=view.looks.get(piece, NO_LOOK),
        spaces=tuple(
            _space(view, asked, name, there, chosen=name == chosen)
            for name, there in by_space.items()
        ),
        headings=_rosette(view, asked, by_space.get(chosen, ())),
        chosen=chosen if chosen in by_space else "",
        window_mm=_around(view.plan.board_of[next(iter(by_space))], view),
        closed=_closed(view, asked, by_space),
        near=near,
        astray=astray,
    )


def _closed(
    view: MapView, asked: Asked, ends: Mapping[str, Sequence[_End]]
) -> tuple[ClosedSpace, ...]:
    """The other spaces of the board: a touch asks the rules why the piece may not end there."""
    first = next(iter(ends.values()))[0]
    board = view.plan.board_of[first.pose.space]
    facing = _heading_in(first, board)
    return tuple(
        ClosedSpace(space.name, AskWhy(asked.key, asked.opened, f"{space.name} {facing}".strip()))
        for space in board.spaces
        if space.name not in ends
    )


def _heading_in(end: _End, board: Board) -> str:
    """The heading that an option's name ends with; empty where it names none."""
    if end.pose.facing is None or not board.facings:
        return ""
    name = board.facings[end.pose.facing]
    return name if end.option.name.endswith(f" {name}") else ""


def space_pad(
    view: MapView, touches: Mapping[str, Action], chosen: Collection[str], near: str
) -> PosePad:
    """Spaces that are touched for themselves, without headings; the chosen ones are inverted.

    `near` is the space around which the board is enlarged, if any.
    """
    spaces = tuple(
        PoseSpace(name, _outline_mm(view, name), (), touch, chosen=name in chosen)
        for name, touch in touches.items()
    )
    window = _around(view.plan.board_of[next(iter(touches))], view)
    return PosePad(NO_LOOK, spaces, (), "", window, near=near)


def _outline_mm(view: MapView, name: str) -> tuple[PointMm, ...]:
    board, space = view.plan.board_of[name], view.plan.spaces[name]
    return tuple(view.seen_mm(board.to_table(point)) for point in space.outline_mm)


def _space(
    view: MapView, asked: Asked, name: str, ends: Sequence[_End], *, chosen: bool
) -> PoseSpace:
    turns = {view.heading_deg(end.pose) for end in ends}
    alone = len(ends) == 1
    seen = next((end for end in ends if end.option.name == asked.seen), None)
    return PoseSpace(
        space=name,
        outline_mm=_outline_mm(view, name),
        headings_deg=tuple(sorted(turn for turn in turns if turn is not None)),
        action=asked.answer(ends[0].option) if alone else Show(Panel.PAD, name),
        lit=seen is not None,
        chosen=chosen,
        lit_deg=(view.heading_deg(seen.pose) or 0.0) if seen is not None else 0.0,
        label=printed_label(view.plan.spaces[name].label),
    )


def printed_label(label: str) -> str:
    """What is printed on a space; nothing where only we call it so."""
    return label if is_printed(label) else ""


# -- the rosette ---------------------------------------------------------------------------


def _rosette(view: MapView, asked: Asked, ends: Sequence[_End]) -> tuple[HeadingKey, ...]:
    """A key for each heading, laid out as they point; options that end alike follow them."""
    if any(end.pose.facing is None for end in ends):
        return _by_label(view, asked, ends)
    keys: list[HeadingKey] = []
    taken: set[tuple[int, int]] = set()
    for end in ends:
        deg = view.heading_deg(end.pose) or 0.0
        row, column = _place(deg, len(view.plan.board_of[end.pose.space].facings) or _OF_HEX)
        while (row, column) in taken:
            row += 1
        taken.add((row, column))
        keys.append(HeadingKey(_heading_key(view, asked, end), deg, row, column))
    return tuple(keys)


def _by_label(view: MapView, asked: Asked, ends: Sequence[_End]) -> tuple[HeadingKey, ...]:
    """What differs is no heading: a key for each, told by its words, row by row."""
    return tuple(
        HeadingKey(
            Key(
                said_here(view.plan, end.option.label),
                asked.answer(end.option),
                seen=asked.age if end.option.name == asked.seen else "",
            ),
            0.0,
            *divmod(at, 3),
        )
        for at, end in enumerate(ends)
    )


def said_here(plan: BoardPlan, label: str) -> str:
    """What an option says of the space that was touched: that one is "here"."""

    def here(how: str, _space: str) -> str:
        return f"{how} here" if how else "Here"

    return without_coordinates(plan, label, here)


def _heading_key(view: MapView, asked: Asked, end: _End) -> Key:
    facings = view.plan.board_of[end.pose.space].facings
    name = facings[end.pose.facing or 0] if facings else end.option.label
    seen = asked.age if end.option.name == asked.seen else ""
    return Key(name, asked.answer(end.option), look=KeyLook.PLAIN, seen=seen)


def _place(heading_deg: float, headings: int = 6) -> tuple[int, int]:
    """Row and column where a heading points: of six in two rows of three, of eight around a middle.

    >>> [_place(deg) for deg in (300, 0, 60, 120, 180, 240)]
    [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]
    >>> [_place(deg) for deg in (270, 330, 30, 90, 150, 210)]
    [(0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0)]
    >>> [_place(deg, 8) for deg in (315, 0, 45, 90, 135, 180, 225, 270)]
    [(0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0)]
    """
    if headings != _OF_HEX:
        turn = math.radians(45.0 * round(heading_deg / 45.0))
        return 1 - round(math.cos(turn)), 1 + round(math.sin(turn))
    step = math.floor(((heading_deg + 90.0) % 360.0) / 60.0 + 1e-6)
    return (0, step) if step < 3 else (1, 5 - step)


# -- the windows ---------------------------------------------------------------------------


def _around(board: Board, view: MapView) -> Bounds:
    """All spaces of a board."""
    seen = [view.seen_mm(corner) for corner in view.plan.bounds_mm[board.name]]
    (left, right), (top, bottom) = map(sorted, zip(*seen, strict=True))
    return (left, top, right - left, bottom - top)


def _first_middle(ends: Sequence[PointMm], size: PointMm, step: float) -> PointMm:
    """The middle of a window around all ends, or around the leftmost of the topmost ones."""
    room = (size[0] - step, size[1] - step)
    ys = [y for _, y in ends]
    y = (min(ys) + max(ys)) / 2 if max(ys) - min(ys) <= room[1] else min(ys) + room[1] / 2
    xs = [x for x, at in ends if abs(at - y) <= room[1] / 2 + 1e-6]
    x = (min(xs) + max(xs)) / 2 if max(xs) - min(xs) <= room[0] else min(xs) + room[0] / 2
    return (x, y)


def _towards_all(
    middle: PointMm, size: PointMm, centres: Sequence[PointMm], step: float
) -> PointMm:
    """The window's middle, moved so that no more of it than needed lies beside the board."""

    def within(at: float, wide: float, low: float, high: float) -> float:
        low, high = low - 0.55 * step, high + 0.55 * step
        if high - low <= wide:
            return (low + high) / 2
        return min(max(at, low + wide / 2), high - wide / 2)

    xs, ys = [x for x, _ in centres], [y for _, y in centres]
    return (
        within(middle[0], size[0], min(xs), max(xs)),
        within(middle[1], size[1], min(ys), max(ys)),
    )


def _step_mm(centres: Sequence[PointMm]) -> float:
    """From the middle of a space to that of its neighbour."""
    first = centres[0]
    return min((math.dist(first, other) for other in centres[1:]), default=1.0)


def _inside(point: PointMm, bounds: Bounds, step: float) -> bool:
    """Whether a space lies in a window so far that a finger finds it."""
    left, top, wide, high = bounds
    edge = step * _HALF
    across = left + edge <= point[0] <= left + wide - edge
    return across and top + edge <= point[1] <= top + high - edge


def whole_board_key(pad: PosePad) -> tuple[Key, ...]:
    """Back from the enlarged part of a board, if it is enlarged."""
    return (Key("Board", Enlarge(""), "all of it", "screen"),) if pad.near else ()


def enlarged(state: MapState, pad: PosePad) -> MapState:
    """The map with no more of it than the pad's window."""
    return replace(state, bounds_mm=pad.window_mm)


# -- what a finger finds in a room ---------------------------------------------------------


@dataclass(frozen=True, slots=True)
class InRoom:
    """What of a pad is shown in a room: the whole board, or what a finger finds of it.

    `whole`: its spaces are too small, a touch enlarges what lies around it.
    """

    pad: PosePad
    whole: bool = False


def seen_in(pad: PosePad, cells: Sequence[MapCell], wide: float, high: float) -> InRoom:
    """The whole board where its ends lie far enough apart for fingers; else all ends, enlarged.

    Where these need more room than there is the whole board is shown to be touched first, and then
    what lies around that touch.
    """
    centres = {cell.space: _middle(cell.outline_mm) for cell in cells}
    ends = [centres[space.space] for space in pad.spaces]
    scale, (_, _, across, down) = _scale(ends), pad.window_mm
    if min(wide / across, high / down) >= scale:
        return InRoom(pad)
    step = _step_mm(list(centres.values()))
    size = (wide / scale, high / scale)
    around = [*ends, *([centres[pad.astray]] if pad.astray else [])]
    fits = _holds(around, size, step)
    near = pad.chosen or pad.near
    if not fits and near not in centres:
        bare = (replace(one, headings_deg=(), label="", action=None) for one in pad.spaces)
        return InRoom(replace(pad, spaces=tuple(bare), closed=()), whole=True)
    middle = _first_middle(around, size, step) if fits else centres[near]
    x, y = _towards_all(middle, size, list(centres.values()), step)
    bounds = (x - size[0] / 2, y - size[1] / 2, *size)
    held = (one for one in pad.spaces if _inside(centres[one.space], bounds, step))
    return InRoom(replace(pad, spaces=tuple(held), window_mm=bounds))


def _middle(outline_mm: Sequence[PointMm]) -> PointMm:
    xs, ys = [x for x, _ in outline_mm], [y for _, y in outline_mm]
    return ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)


def _scale(ends: Sequence[PointMm]) -> float:
    """How many u a mm must be for no finger to find two of these at once."""
    wide, high = Reach.TARGET
    scale = 0.0
    listed = sorted(ends, key=lambda end: end[1])
    for n, (x, y) in enumerate(listed):
        for other_x, other_y in listed[n + 1 :]:
            if (other_y - y) * scale >= high:
                break
            across = wide / max(abs(other_x - x), 1e-6)
            scale = max(scale, min(across, high / max(other_y - y, 1e-6)))
    return scale


def _holds(points: Sequence[PointMm], size: PointMm, step: float) -> bool:
    """Whether a window of this size has room for all of these spaces."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    edge = 2 * _HALF * step
    return max(xs) - min(xs) + edge <= size[0] and max(ys) - min(ys) + edge <= size[1]
