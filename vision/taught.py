"""Tokens without stickers, known by how they look: shown once each, then found on their boards.

A board's own empty look is taken out of its picture; what is left are tokens. Each is compared with
those that were shown: its colour where the camera gives colours, its brightness, its size, and its
picture turned to every heading. Weaker than markers, and said so: what is not clearly one token,
on one space, with one heading, is unsure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.board import Board, BoardPlan, Piece, Token
from companion.errors import BadCall
from companion.offers import PictureState, Seen, SeenState, Sighting
from vision.board_place import BoardPlace
from vision.frame import Frame
from vision.observation import facings_at, placed
from vision.spaces import Spaces

PX_PER_MM = 1.25
PATCH_MM = 44.0
"""The side of a token's learned picture: the largest token with its nose, turned any way."""
CHANGED = 20.0
"""Levels by which a token differs from the board under it, in at least one channel."""
LEAST_MM2, MOST_MM2 = 180.0, 4000.0
SIZE_LIMITS = (0.6, 1.6)
"""What differs is a token where it is about as large as one that was shown."""
TURN_STEP_DEG = 5.0
BESIDE_DEG = 25.0
"""Headings this near to the best one are no other headings."""
SURE, CLEAR = 0.62, 0.08
"""How like a shown token something must be, and by how much more than like any other."""
CLEAR_TURN = 0.03
"""The same for its heading, against any other heading that is not beside it."""
BORDER_MM = 5.0
"""Places are less exact than those of markers: nearer to a border than this they are unsure."""
CHANNELS = 3
SHIFTS_PX = (-4, -2, -1, 0, 1, 2, 4)

Grid = NDArray[np.float32]
Picture = NDArray[np.float32]
"""[height, width, 3]: lightness and two colours; grey pictures have no colours."""


@dataclass(frozen=True, eq=False)
class TaughtLook:
    """One token as it was shown, pointing to the top: its picture, where it lies in it, its size.

    `margin` is how much less any other shown token is like it: what reading it can be trusted.
    """

    piece: Piece
    picture: Picture
    mask: NDArray[np.bool_]
    area_mm2: float
    headed: bool
    margin: float = 1.0


@dataclass(frozen=True, eq=False)
class Found:
    """Something that lies on a board: where, how large, and its picture, not yet turned."""

    board: str
    middle_mm: tuple[float, float]
    area_mm2: float
    picture: Picture
    mask: NDArray[np.bool_]


@dataclass(frozen=True)
class Likeness:
    """How like one look a found thing is, at its best heading, and how clear that heading is."""

    score: float
    heading_deg: float
    turn_margin: float


class EmptyBoards:
    """How the boards of a plan look when nothing stands on them, from above at a token's height."""

    def __init__(self, height_mm: float) -> None:
        self.height_mm = height_mm
        self._empty: dict[str, Picture] = {}
        self._grids: dict[str, tuple[BoardPlace, Grid]] = {}

    @property
    def known(self) -> frozenset[str]:
        """The boards that were learned."""
        return frozenset(self._empty)

    @property
    def pictures(self) -> Mapping[str, Picture]:
        """Each board as it was learned, from above."""
        return self._empty

    def recall(self, board: str, picture: Picture) -> None:
        """A board as it was learned another time."""
        self._empty[board] = picture

    def learn(self, frame: Frame, places: Mapping[str, BoardPlace]) -> None:
        """The boards that pieces stand on, as they look now."""
        for name, place in places.items():
            if place.board.holds_pieces:
                self._empty[name] = self._flat(frame, place)

    def differing(self, frame: Frame, place: BoardPlace) -> list[Found]:
        """What lies on one board; nothing on a board that was never learned."""
        empty = self._empty.get(place.board.name)
        if empty is None:
            return []
        return _found(place.board, empty, self._flat(frame, place))

    def _flat(self, frame: Frame, place: BoardPlace) -> Picture:
        """The board from above; where its points lie is worked out once for each place."""
        known = self._grids.get(place.board.name)
        if known is None or known[0] is not place:
            known = self._grids[place.board.name] = (place, grid_of(place, self.height_mm))
        return flattened(frame, known[1])


def flat_size_px(board: Board) -> tuple[int, int]:
    """Width and height of a board's picture from above."""
    width, height = (max(1, round(side * PX_PER_MM)) for side in board.size_mm)
    return (width, height)


def grid_of(place: BoardPlace, height_mm: float) -> Grid:
    """Where the points of a board, at some height over it, lie in the picture, [h, w, 2] px."""
    width, height = flat_size_px(place.board)
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    points = np.asarray(np.column_stack([x.ravel(), y.ravel()]) / PX_PER_MM, np.float64)
    return place.to_picture(points, height_mm).astype(np.float32).reshape(height, width, 2)


def flattened(frame: Frame, grid: Grid) -> Picture:
    """A board from above: lightness and colours, float."""
    source = frame.colour if frame.colour is not None else cv2.merge([frame.grey] * CHANNELS)
    flat = cv2.remap(np.asarray(source, np.uint8), grid[..., 0], grid[..., 1], cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(flat, (0, 0), 0.6 * PX_PER_MM)
    return np.asarray(cv2.cvtColor(smooth.astype(np.float32) / 255, cv2.COLOR_BGR2Lab), np.float32)


def _found(board: Board, empty: Picture, now: Picture) -> list[Found]:
    """Connected parts of a board that differ from its empty look, large enough for a token."""
    lit = now.copy()
    lightness = np.maximum(now[..., 0], 1.0)
    lit[..., 0] *= float(np.median(empty[..., 0] / lightness))
    differs = np.abs(lit - empty) * np.array([2.55, 2.0, 2.0], np.float32) > CHANGED
    mask = np.asarray(differs.any(axis=2), np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    opened = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, kernel, iterations=2)
    count, labels, stats, middles = cv2.connectedComponentsWithStats(np.asarray(closed, np.uint8))
    found: list[Found] = []
    for label in range(1, count):
        area_mm2 = float(stats[label, cv2.CC_STAT_AREA]) / PX_PER_MM**2
        if LEAST_MM2 <= area_mm2 <= MOST_MM2:
            middle = (float(middles[label][0]), float(middles[label][1]))
            own = np.asarray(labels == label)
            patch, inside = _patch(lit, own, middle)
            at_mm = ((middle[0] + 0.5) / PX_PER_MM, (middle[1] + 0.5) / PX_PER_MM)
            found.append(Found(board.name, at_mm, area_mm2, patch, inside))
    return found


def _patch(
    picture: Picture, mask: NDArray[np.bool_], middle: tuple[float, float]
) -> tuple[Picture, NDArray[np.bool_]]:
    """The surroundings of a point, and which of them belong to the thing there."""
    side = round(PATCH_MM * PX_PER_MM)
    shift = np.array([[1, 0, side / 2 - middle[0]], [0, 1, side / 2 - middle[1]]], np.float64)
    patch = cv2.warpAffine(picture, shift, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(mask.astype(np.uint8), shift, (side, side), flags=cv2.INTER_NEAREST)
    return np.asarray(patch, np.float32), np.asarray(inside, np.uint8).astype(bool)


def taught(token: Token, things: Sequence[Found], *, headed: bool) -> TaughtLook:
    """What was shown: the only thing on the boards. `headed`: it points to its board's top.

    Raises `BadCall` where nothing or more than one thing lies there.
    """
    if not things:
        raise BadCall(
            f"no token is seen: put the {token.label} on a board, alone, and take hands away; a "
            "token of the board's own colour needs a sticker"
        )
    if len(things) > 1:
        raise BadCall(
            f"{len(things)} things lie on the boards: leave the {token.label} alone there"
        )
    (thing,) = things
    return TaughtLook(token.piece, thing.picture, thing.mask, thing.area_mm2, headed)


def with_margins(looks: Sequence[TaughtLook]) -> tuple[TaughtLook, ...]:
    """The looks, each with how clearly it differs from the others that were shown."""
    judged: list[TaughtLook] = []
    for look in looks:
        shown = Found("", (0.0, 0.0), look.area_mm2, look.picture, look.mask)
        others = (Turned(one).likeness(shown).score for one in looks if one is not look)
        own = Turned(look).likeness(shown).score
        judged.append(replace(look, margin=max(0.0, own - max(others, default=0.0))))
    return tuple(judged)


class Turned:
    """One look at every heading, ready to be held against what lies on a board."""

    def __init__(self, look: TaughtLook) -> None:
        self.look = look
        self.turns = np.arange(0.0, 360.0, TURN_STEP_DEG)
        shown = [_turned(look.picture[..., 0], look.mask, turn) for turn in self.turns]
        self._masks = np.stack([mask.ravel() for _, mask in shown]).astype(np.float32)
        levels = np.stack([picture.ravel() for picture, _ in shown])
        self._count = self._masks.sum(axis=1)
        means = (levels * self._masks).sum(axis=1) / self._count
        self._levels = ((levels - means[:, None]) * self._masks).astype(np.float32)
        self._norms = np.linalg.norm(self._levels, axis=1)

    def likeness(self, thing: Found, around: Around | None = None) -> Likeness:
        """How like the look a found thing is, 0 to 1, turned to the heading that fits best."""
        ratio = thing.area_mm2 / self.look.area_mm2
        if not SIZE_LIMITS[0] <= ratio <= SIZE_LIMITS[1]:
            return Likeness(0.0, 0.0, 0.0)
        size = math.exp(-((math.log(ratio) / 0.3) ** 2))
        each = self._fits(around or Around.of(thing))
        best = int(each.argmax())
        apart = np.abs((self.turns - self.turns[best] + 180) % 360 - 180) > BESIDE_DEG
        score = 0.5 * float(each[best]) + 0.35 * _colour_likeness(thing, self.look) + 0.15 * size
        return Likeness(score, _peak(self.turns, each, best), float(each[best] - each[apart].max()))

    def _fits(self, around: Around) -> NDArray[np.float64]:
        """For each heading the correlation of the brightness, and how well the outlines agree.

        The best of a few shifts counts: a token's shadow, which does not turn with it, draws the
        middle of what differs aside.
        """
        sums, squares = self._masks @ around.levels, self._masks @ around.squares
        spread = np.sqrt(np.maximum(squares - sums**2 / self._count[:, None], 1e-6))
        same = (self._levels @ around.levels) / (self._norms[:, None] * spread + 1e-6)
        shared = self._masks @ around.masks
        outline = shared / (self._count[:, None] + around.masks.sum(axis=0) - shared)
        return np.asarray((np.maximum(0.0, same) * outline).max(axis=1), np.float64)


@dataclass(frozen=True, eq=False)
class Around:
    """A found thing at a few places round its own: brightness, square, mask; [pixels, shifts]."""

    levels: NDArray[np.float32]
    squares: NDArray[np.float32]
    masks: NDArray[np.float32]

    @classmethod
    def of(cls, thing: Found) -> Around:
        """Shift it every way."""
        levels, mask = thing.picture[..., 0], thing.mask.astype(np.float32)
        shifts = [(dy, dx) for dx in SHIFTS_PX for dy in SHIFTS_PX]
        shifted = np.stack([np.roll(levels, shift, (0, 1)).ravel() for shift in shifts], axis=1)
        masks = np.stack([np.roll(mask, shift, (0, 1)).ravel() for shift in shifts], axis=1)
        return cls(shifted, shifted**2, masks)


def _turned(
    levels: NDArray[np.float32], mask: NDArray[np.bool_], turn_deg: float
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """A picture and its mask, turned clockwise about their middle."""
    side = levels.shape[0]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), -turn_deg, 1.0)
    picture = cv2.warpAffine(levels, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(mask.astype(np.uint8), matrix, (side, side), flags=cv2.INTER_NEAREST)
    return np.asarray(picture, np.float32), np.asarray(inside, np.uint8).astype(bool)


def _peak(turns: NDArray[np.float64], fits: NDArray[np.float64], best: int) -> float:
    """The heading between the steps, by the parabola through the best one and its neighbours."""
    before, top, after = fits[best - 1], fits[best], fits[(best + 1) % len(fits)]
    bend = before - 2 * top + after
    off = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float((turns[best] + off * TURN_STEP_DEG) % 360.0)


def _colour_likeness(thing: Found, look: TaughtLook) -> float:
    """By the mean lightness and colour of both."""
    mine, other = thing.picture[thing.mask], look.picture[look.mask]
    apart = np.abs(mine.mean(axis=0) - other.mean(axis=0)) * (0.6, 1.0, 1.0)
    return math.exp(-float(np.linalg.norm(apart)) / 14.0)


class TaughtReader:
    """Finds the tokens that were shown; fills them into sightings of the settled table.

    `by_look` has the tokens that were filled in last, each with the margin of its look.
    """

    def __init__(self, plan: BoardPlan, empty: EmptyBoards, looks: Sequence[TaughtLook]) -> None:
        self.plan = plan
        self.looks = with_margins(looks)
        self._turned = [Turned(look) for look in self.looks]
        self._empty = empty
        self._spaces = {board.name: Spaces(board) for board in plan.boards}
        self.by_look: Mapping[Piece, float] = {}
        self._last: tuple[Sighting | None, Sighting | None] = (None, None)

    def see(self, frame: Frame, sighting: Sighting, places: Mapping[str, BoardPlace]) -> Sighting:
        """The sighting with the taught tokens in it; the same object while nothing else is seen."""
        before, told = self._last
        if sighting is before and told is not None:
            return told
        told = sighting
        if sighting.state is PictureState.SETTLED:
            told = replace(sighting, pieces=self.filled(frame, sighting.pieces, places))
        self._last = (sighting, told)
        return told

    def filled(
        self, frame: Frame, pieces: Mapping[Piece, Seen], places: Mapping[str, BoardPlace]
    ) -> dict[Piece, Seen]:
        """The pieces, with those that no marker told of as their looks tell."""
        lost = {piece for piece, seen in pieces.items() if seen.state is SeenState.LOST}
        if not lost & {look.piece for look in self.looks}:
            self.by_look = {}
            return dict(pieces)
        read = self.read(frame, places)
        fresh = {piece: seen for piece, seen in read.items() if piece in lost}
        found = {piece for piece, seen in fresh.items() if seen.state is not SeenState.LOST}
        self.by_look = {look.piece: look.margin for look in self.looks if look.piece in found}
        return {**pieces, **fresh}

    def read(self, frame: Frame, places: Mapping[str, BoardPlace]) -> dict[Piece, Seen]:
        """Each taught token in one picture: seen, unsure, or lost."""
        things = [
            thing
            for place in places.values()
            if place.board.holds_pieces
            for thing in self._empty.differing(frame, place)
        ]
        scores = [self._likenesses(thing) for thing in things]
        seen = {look.piece: Seen(SeenState.LOST) for look in self.looks}
        free = set(range(len(self.looks)))
        for at in sorted(range(len(things)), key=lambda n: -_best(scores[n], free)):
            which = max(free, key=lambda n: scores[at][n].score, default=None)
            if which is None or scores[at][which].score < SURE / 2:
                continue
            free.discard(which)
            others = [one.score for n, one in enumerate(scores[at]) if n != which]
            clear = scores[at][which].score - max(others, default=0.0) >= CLEAR
            look = self.looks[which]
            sure = clear and scores[at][which].score >= SURE
            seen[look.piece] = self._seen(things[at], look, scores[at][which], sure=sure)
        return seen

    def _likenesses(self, thing: Found) -> list[Likeness]:
        around = Around.of(thing)
        return [turned.likeness(thing, around) for turned in self._turned]

    def _seen(self, thing: Found, look: TaughtLook, like: Likeness, *, sure: bool) -> Seen:
        """One token on its space, or between the two that it may stand on."""
        board = self.plan.board(thing.board)
        x, y = thing.middle_mm
        heading = like.heading_deg if look.headed else None
        bare = Seen(SeenState.UNSURE, None, (), board.name, x, y, heading)
        near = self._spaces[board.name].nearest((x, y), 2)
        close = tuple(name for name, inside_mm in near if inside_mm > -BORDER_MM)
        if not close:
            return bare
        facings = facings_at(board, like.heading_deg) if look.headed and board.facings else ()
        if facings and like.turn_margin < CLEAR_TURN:
            facings = (*facings[:1], (facings[0] + len(board.facings) // 2) % len(board.facings))
        told = placed(bare, close, facings)
        return told if sure else replace(told, state=SeenState.UNSURE, pose=None)


def _best(scores: Sequence[Likeness], free: set[int]) -> float:
    return max((scores[n].score for n in free), default=0.0)
