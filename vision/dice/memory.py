"""The dice beside the boards: where they lie, what they show, and since when."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import is_not

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.lens import Points
from vision.boards.view import BoardPlace
from vision.camera.frame import ColourImage, Frame
from vision.dice.dice import ColourOf, DieSeen, Point, read_dice
from vision.dice.stance import FlatAt, FlatDie
from vision.markers.reading import Crop, MarkerSeen

SAME_SIDES = 0.25
"""Found again within so many sides of where it lay, a die has not been touched."""
DOUBTED_SIDES = 0.5
"""The same where it was in doubt, for then its middle is not well known."""
READS = 5
"""So many reads of a die count: the last ones."""
AROUND_SIDES = 1.5
"""So many sides round a change are read, for a die needs its edges."""
CLEAR_SIDES = 0.4
"""No die lies nearer to a board's edge than that; a print of the edge may look like pips."""
GONE = 24
"""So many dice that were lost are remembered: one that is found again has not been thrown."""


Window = tuple[int, int, int, int]
"""Left, top, right and bottom of a part of the picture, px; the last two are outside."""


@dataclass(slots=True)
class _Lying:
    """A die that lies there: its middle, what was read of it last, and since when (monotonic s)."""

    centre_px: Point
    side_px: float
    reads: deque[int | None]
    since: float

    @property
    def value(self) -> int | None:
        """What most reads say; None where one says another, or as many say nothing."""
        sure = [read for read in self.reads if read is not None]
        agreed = len(set(sure)) == 1 and 2 * len(sure) > len(self.reads)
        return sure[0] if agreed else None

    def is_at(self, die: DieSeen) -> bool:
        doubted = die.value is None or self.reads[-1] is None
        sides = DOUBTED_SIDES if doubted else SAME_SIDES
        return math.dist(self.centre_px, die.centre_px) <= sides * self.side_px


@dataclass(frozen=True, slots=True, eq=False)
class _Ground:
    """Where boards lie, their outlines px, and how wide a die is beside them."""

    places: Sequence[BoardPlace]
    outlines: Sequence[Points]
    side_px: float


class DiceMemory:
    """Reads dice where a still picture has changed, and remembers the others."""

    def __init__(self, die_mm: float) -> None:
        self._die_mm = die_mm
        self._lying: list[_Lying] = []
        self._gone: deque[_Lying] = deque(maxlen=GONE)
        self._ground: _Ground | None = None
        self.begun = False

    @property
    def dice(self) -> tuple[DieSeen, ...]:
        """What lies there, from left to right; a die in doubt has no value."""
        ordered = sorted(self._lying, key=lambda die: die.centre_px)
        return tuple(DieSeen(die.value, die.centre_px, die.side_px) for die in ordered)

    @property
    def values(self) -> tuple[int | None, ...]:
        """The values of those dice."""
        return tuple(die.value for die in self.dice)

    @property
    def thrown_at(self) -> float:
        """Since when all of them have lain where they do, monotonic s; 0 where none lies."""
        return min((die.since for die in self._lying), default=0.0)

    def forget(self) -> None:
        """Another picture, or the camera was moved: no die is known."""
        self._lying.clear()
        self._gone.clear()
        self.begun = False

    def read(
        self,
        frame: Frame,
        places: Iterable[BoardPlace],
        markers: Sequence[MarkerSeen],
        areas: Sequence[Crop] | None,
    ) -> None:
        """Read the dice of a still frame, in the changed areas or (None) in all of it.

        Without a board's place nothing is read: it tells how large a die is.
        """
        known = list(places)
        if not known:
            return
        self.begun = True
        ground = self._ground_of(known)
        boards, side_px = ground.outlines, ground.side_px
        for window in _windows(frame, areas, side_px):
            if not any(_lies_on(window, board) for board in boards):
                left, top, right, bottom = window
                tokens = [one.centre_px + 1.6 * (one.corners_px - one.centre_px) for one in markers]
                grey = np.ascontiguousarray(frame.grey[top:bottom, left:right])
                mask = _table(window, [*boards, *tokens], side_px)
                flat_at, colour = self._flat_at(known, left, top), _colour_of(frame, window)
                found = read_dice(grey, side_px, mask, flat_at, colour)
                self._take(_shifted(found, left, top), window, side_px, frame.taken_at)

    def _flat_at(self, places: Sequence[BoardPlace], left: int, top: int) -> FlatAt:
        """How a flat die looks at a point of a part of the picture: as the nearest board tells."""

        def flat(point: Point) -> FlatDie:
            at = np.array([(point[0] + left, point[1] + top)])
            nearest = min(places, key=lambda place: _far_px(place, at))
            return _flat_die(nearest, at, self._die_mm)

        return flat

    def _ground_of(self, places: Sequence[BoardPlace]) -> _Ground:
        """Worked out once as long as no board moves: its place is the same object."""
        last = self._ground
        if last is None or len(last.places) != len(places) or any(map(is_not, last.places, places)):
            side_px = max(_die_px(place, self._die_mm) for place in places)
            last = self._ground = _Ground(places, [place.outline_px for place in places], side_px)
        return last

    def _take(
        self, found: Sequence[DieSeen], window: Window, side_px: float, taken_at: float
    ) -> None:
        """What was found in a part of the picture replaces what was known of it."""
        left, top, right, bottom = window
        rim = side_px  # a die on the rim of the part was not seen whole
        lost = [
            die
            for die in self._lying
            if left + rim < die.centre_px[0] < right - rim
            and top + rim < die.centre_px[1] < bottom - rim
            and not any(die.is_at(one) for one in found)
        ]
        self._gone.extend(lost)
        self._lying = [die for die in self._lying if die not in lost]
        for one in found:
            before = next((die for die in self._lying if die.is_at(one)), None)
            if before is not None:
                before.reads.append(one.value)
            else:
                self._lying.append(self._put(one, side_px, taken_at))

    def _put(self, one: DieSeen, side_px: float, taken_at: float) -> _Lying:
        """A die that was not there; unless it was, and only could not be read for a while."""
        again = (die for die in self._gone if die.is_at(one) and die.value == one.value)
        before = next(again, None)
        since = taken_at if before is None else before.since
        return _Lying(one.centre_px, side_px, deque([one.value], maxlen=READS), since)


def _colour_of(frame: Frame, window: Window) -> ColourOf:
    """A part of the picture in colour, once it is asked for."""
    left, top, right, bottom = window

    def colour() -> ColourImage | None:
        whole = frame.in_colour()
        return None if whole is None else whole[top:bottom, left:right]

    return colour


def _die_px(place: BoardPlace, die_mm: float) -> float:
    """How wide a die's upper face is in the picture, about."""
    x, y = (side / 2 for side in place.board.size_mm)
    across = place.to_picture(np.array([(x - 50.0, y), (x + 50.0, y)]), die_mm)
    return float(np.linalg.norm(across[1] - across[0])) / 100.0 * die_mm


def _far_px(place: BoardPlace, at: Points) -> float:
    """How far a board's middle is from a point of the picture."""
    return float(np.linalg.norm(place.outline_px.mean(axis=0) - at[0]))


def _flat_die(place: BoardPlace, at: Points, die_mm: float) -> FlatDie:
    """How a die that lies flat beside a board is seen where its upper face is at a point."""
    on_board = place.to_board(at, die_mm)
    half = die_mm / 2
    around = on_board + np.array([(-half, 0.0), (half, 0.0), (0.0, -half), (0.0, half)])
    ends = place.to_picture(around, die_mm)
    across = np.stack([ends[1] - ends[0], ends[3] - ends[2]])
    foot = (place.to_picture(on_board, 0.0) - at)[0]
    side_px = math.sqrt(abs(float(np.linalg.det(across))))
    return FlatDie(side_px, (float(foot[0]), float(foot[1])))


def _lies_on(window: Window, board: Points) -> bool:
    """Whether a part of the picture shows nothing but a board."""
    left, top, right, bottom = window
    outline = board.astype(np.float32)
    return all(
        cv2.pointPolygonTest(outline, (x, y), measureDist=False) > 0
        for x in (left, right)
        for y in (top, bottom)
    )


def _table(window: Window, things: Sequence[Points], side_px: float) -> NDArray[np.bool_]:
    """Where in a part of the picture dice may lie: on no board and on no marker."""
    left, top, right, bottom = window
    mask = np.full((bottom - top, right - left), 255, np.uint8)
    for outline in things:
        cv2.fillPoly(mask, [np.rint(outline - (left, top)).astype(np.int32)], 0)
    reach = max(1, round(CLEAR_SIDES * side_px))
    return np.asarray(cv2.erode(mask, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)) > 0)


def _windows(frame: Frame, areas: Sequence[Crop] | None, side_px: float) -> list[Window]:
    """What is to be read; parts that overlap are read as one."""
    width, height = frame.size_px
    if areas is None:
        return [(0, 0, width, height)]
    reach, windows = round(AROUND_SIDES * side_px), list[Window]()
    for left, top, wide, high in areas:
        window = (left - reach, top - reach, left + wide + reach, top + high + reach)
        while (other := next((one for one in windows if _meet(one, window)), None)) is not None:
            windows.remove(other)
            lows = (min(window[0], other[0]), min(window[1], other[1]))
            window = (*lows, max(window[2], other[2]), max(window[3], other[3]))
        windows.append(window)
    return [(max(0, x0), max(0, y0), min(width, x1), min(height, y1)) for x0, y0, x1, y1 in windows]


def _meet(one: Window, other: Window) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _shifted(found: Sequence[DieSeen], left: int, top: int) -> list[DieSeen]:
    """Dice of a part of the picture, in the whole of it."""
    return [
        DieSeen(die.value, (die.centre_px[0] + left, die.centre_px[1] + top), die.side_px)
        for die in found
    ]
