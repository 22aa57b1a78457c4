"""The dice beside the boards: where they lie, what they show, and since when."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from operator import is_not

import numpy as np
from numpy.typing import NDArray

from vision.boards.lens import Points
from vision.boards.view import BoardPlace
from vision.camera.frame import ColourImage, Frame
from vision.dice.dice import ColourOf, DiceSteps, DieSeen, Point, dice_in_steps, done
from vision.dice.faces import get_ready
from vision.dice.parts import (
    AROUND_SIDES,
    PartToRead,
    Window,
    is_clear_of_rim,
    is_in,
    lies_on,
    like_pips,
    table_in,
    tiles,
    windows_round,
)
from vision.dice.slant import from_above
from vision.dice.stance import FlatAt, FlatDie
from vision.markers.reading import Crop, MarkerSeen

SAME_SIDES = 0.25
"""Found again within so many sides of where it lay, a die has not been touched."""
DOUBTED_SIDES = 0.5
"""The same where it was in doubt, for then its middle is not well known."""
READS = 5
"""So many reads of a die count: the last ones."""
GONE = 24
"""So many dice that were lost are remembered: one that is found again has not been thrown."""

# -- A little with each frame.

CHANGED_READS, AGREEING_READS = 3, 2
"""A part that changed is read in so many frames; so is a die that was found where all was read.
Where the first ones tell the same of each of its dice so many do."""
SPOTS_WORK, PART_WORK, ABOVE_WORK = 0.65, 60_000.0, 5.0
"""What looking for all that is like a pip takes for a px, any part besides, and the view from above
for each of its own px, in grey and in colours; as `DiceSteps` has it."""
FRAME_SHARE = 0.7
"""So much of what a search for markers takes in the whole picture is spent on dice in one frame;
more only on a single step that takes more."""


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

    @property
    def is_agreed(self) -> bool:
        """Whether enough reads tell its value, and none says another or nothing."""
        return len(self.reads) >= AGREEING_READS and set(self.reads) == {self.value} - {None}

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


@dataclass(slots=True, eq=False)
class _Begun:
    """A part of one frame that is being read: what is left to do, and the work of the next step."""

    part: PartToRead
    steps: DiceSteps
    work: float
    side_px: float


class DiceMemory:
    """Reads dice where a still picture has changed, and remembers the others.

    `read` does it at once. Where frame follows on frame, `look_for` says what is to be read and
    `work` does a little of it with each still frame, until there is nothing more to read (`busy`).
    """

    def __init__(self, die_mm: float) -> None:
        self._die_mm = die_mm
        self._lying: list[_Lying] = []
        self._gone: deque[_Lying] = deque(maxlen=GONE)
        self._ground: _Ground | None = None
        self._parts: list[PartToRead] = []
        self._begun: _Begun | None = None
        self.begun = False
        get_ready()

    @property
    def busy(self) -> bool:
        """Whether something was looked for that has not been read, so that dice may be missing."""
        return bool(self._parts)

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
        self._parts.clear()
        self._begun = None
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
        side_px = self._ground_of(known).side_px
        for window in windows_round(frame.size_px, areas, side_px):
            part = PartToRead(window, areas, frame.taken_at, 1)
            found = done(self._steps(frame, known, markers, window))
            self._take(found, part, frame.size_px, side_px)

    def look_for(
        self,
        frame: Frame,
        places: Iterable[BoardPlace],
        areas: Sequence[Crop] | None,
        since: float,
    ) -> None:
        """Some areas of the picture, or (None) all of it, may hold dice that came to lie there.

        They have lain still `since` then, monotonic s. Without a board's place, as `read`.
        """
        known = list(places)
        if not known:
            return
        self.begun = True
        ground = self._ground_of(known)
        windows = [
            window
            for whole in windows_round(frame.size_px, areas, ground.side_px)
            for window in tiles(whole, frame.size_px, ground.side_px)
        ]
        left = [it for it in self._parts if not any(is_in(it.window, one) for one in windows)]
        reads = 1 if areas is None else CHANGED_READS
        self._parts = left + [
            PartToRead(window, areas, since, reads)
            for window in windows
            if not any(lies_on(window, board) for board in ground.outlines)
        ]
        self._begun = None

    def work(
        self, frame: Frame, places: Iterable[BoardPlace], markers: Sequence[MarkerSeen]
    ) -> None:
        """Read a little of what is to be read: in this still frame, or in one begun with before."""
        known = list(places)
        left = FRAME_SHARE * frame.grey.size
        idle = True
        while known and (begun := self._begun or self._begin(frame, known, markers)) is not None:
            self._begun = begun
            if begun.work > left and not idle:
                return
            left, idle = left - begun.work, False
            try:
                begun.work = next(begun.steps)
            except StopIteration as end:
                self._begun = None
                self._finish(begun, end.value, frame.size_px)

    def pause(self) -> None:
        """Something moves: what was begun with is another picture now."""
        self._begun = None

    def _begin(
        self, frame: Frame, places: Sequence[BoardPlace], markers: Sequence[MarkerSeen]
    ) -> _Begun | None:
        """The next part that this frame has not been read for; None where there is none."""
        part = next((part for part in self._parts if part.frame != frame.number), None)
        if part is None:
            return None
        part.frame = frame.number
        steps = self._steps(frame, places, markers, part.window)
        return _Begun(part, steps, next(steps), self._ground_of(places).side_px)

    def _finish(self, begun: _Begun, found: Sequence[DieSeen], size_px: tuple[int, int]) -> None:
        """A part was read: once more later, or its dice alone where all of the picture is."""
        part = begun.part
        dice = self._take(found, part, size_px, begun.side_px)
        part.reads -= 1
        self._parts.remove(part)
        if part.reads and not self._are_agreed(dice):
            self._parts.append(part)
        if part.areas is None:
            around = [_around(die, size_px) for die in dice]
            self._parts += [
                PartToRead(window, (), part.since, CHANGED_READS - 1, part.frame)
                for window in around
            ]

    def _steps(
        self,
        frame: Frame,
        places: Sequence[BoardPlace],
        markers: Sequence[MarkerSeen],
        window: Window,
    ) -> DiceSteps:
        """The reading of a part of a frame, step by step."""
        ground = self._ground_of(places)
        boards, side_px = ground.outlines, ground.side_px
        left, top, right, bottom = window
        tokens = [one.centre_px + 1.6 * (one.corners_px - one.centre_px) for one in markers]
        grey = np.ascontiguousarray(frame.grey[top:bottom, left:right])
        yield PART_WORK + SPOTS_WORK * grey.size
        table = table_in(window, [*boards, *tokens], side_px)
        found = list[DieSeen]()
        for x0, y0, x1, y1 in like_pips(grey, table, side_px):
            spot = (slice(y0, y1), slice(x0, x1))
            own = (left + x0, top + y0, left + x1, top + y1)
            nearest = _nearest(places, np.array([((own[0] + own[2]) / 2, (own[1] + own[3]) / 2)]))
            found += yield from _spot_steps(frame, nearest, own, table[spot], self._die_mm)
        return tuple(found)

    def _ground_of(self, places: Sequence[BoardPlace]) -> _Ground:
        """Worked out once as long as no board moves: its place is the same object."""
        last = self._ground
        if last is None or len(last.places) != len(places) or any(map(is_not, last.places, places)):
            side_px = max(_die_px(place, self._die_mm) for place in places)
            last = self._ground = _Ground(places, [place.outline_px for place in places], side_px)
        return last

    def _take(
        self, found: Sequence[DieSeen], part: PartToRead, size_px: tuple[int, int], side_px: float
    ) -> list[DieSeen]:
        """What was found in a part of the picture replaces what was known of it; what counts of it.

        A die on the rim of the part was not seen whole.
        """
        left, top, right, bottom = part.window
        rim = side_px
        lost = [
            die
            for die in self._lying
            if left + rim < die.centre_px[0] < right - rim
            and top + rim < die.centre_px[1] < bottom - rim
            and not any(die.is_at(one) for one in found)
        ]
        self._gone.extend(lost)
        self._lying = [die for die in self._lying if die not in lost]
        whole = [die for die in found if is_clear_of_rim(die.centre_px, part.window, size_px, rim)]
        for one in whole:
            before = next((die for die in self._lying if die.is_at(one)), None)
            if before is not None:
                before.reads.append(one.value)
            else:
                self._lying.append(self._put(one, side_px, self._since(one, part)))
        return whole

    def _are_agreed(self, dice: Sequence[DieSeen]) -> bool:
        """Whether there are dice, and enough reads tell the same of each."""
        lying = [next((it for it in self._lying if it.is_at(die)), None) for die in dice]
        return bool(lying) and all(it is not None and it.is_agreed for it in lying)

    def _since(self, die: DieSeen, part: PartToRead) -> float:
        """Since when a die that was not there may have lain there: since its place last changed."""
        changed = (one.since for one in (part, *self._parts) if one.changed(*die.centre_px))
        return max(changed, default=part.since)

    def _put(self, one: DieSeen, side_px: float, since: float) -> _Lying:
        """A die that was not there; unless it was, and only could not be read for a while."""
        again = (die for die in self._gone if die.is_at(one) and die.value == one.value)
        before = next(again, None)
        since = since if before is None else before.since
        return _Lying(one.centre_px, side_px, deque([one.value], maxlen=READS), since)


def dice_before(frame: Frame, place: BoardPlace, die_mm: float) -> tuple[DieSeen, ...]:
    """Every die of a picture that shows no board, from left to right.

    `place` is where a board would lie before the camera, could it be seen.
    """
    grey = frame.grey
    table = np.ones(grey.shape, np.bool_)
    middle = ((grey.shape[1] - 1) / 2, (grey.shape[0] - 1) / 2)
    side_px = flat_die(place, np.array([middle]), die_mm).side_px
    found = list[DieSeen]()
    for own in like_pips(grey, table, side_px):
        left, top, right, bottom = own
        spot = table[top:bottom, left:right]
        found += done(_spot_steps(frame, place, own, spot, die_mm))
    return tuple(sorted(found, key=lambda die: die.centre_px))


def _spot_steps(
    frame: Frame, place: BoardPlace, own: Window, table: NDArray[np.bool_], die_mm: float
) -> Generator[float, None, tuple[DieSeen, ...]]:
    """The reading of what may be pips: as it is, or as from above where the camera is not."""
    left, top, right, bottom = own
    grey = np.ascontiguousarray(frame.grey[top:bottom, left:right])
    flat_at, colour = _flat_in(place, left, top, die_mm), _colour_of(frame, own)
    above = from_above(place, own, die_mm)
    if above is None:
        here_px = flat_at(((right - left) / 2, (bottom - top) / 2)).side_px
        found = yield from dice_in_steps(grey, here_px, table, flat_at, colour)
        return _shifted(found, own)
    if above.is_too_flat:
        return ()
    yield ABOVE_WORK * above.size_px[0] * above.size_px[1]
    found = yield from dice_in_steps(
        above.turned(grey), above.side_px, above.table(table),
        above.flat_at(flat_at), above.colour(colour),
    )  # fmt: skip
    return _shifted(above.in_part(found), own)


def _flat_in(place: BoardPlace, left: int, top: int, die_mm: float) -> FlatAt:
    """How a flat die looks at a point of a part of the picture: as a board tells."""

    def flat(point: Point) -> FlatDie:
        return flat_die(place, np.array([(point[0] + left, point[1] + top)]), die_mm)

    return flat


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


def _nearest(places: Sequence[BoardPlace], at: Points) -> BoardPlace:
    """The board that is nearest to a point of the picture: it tells best how things look there."""
    return min(places, key=lambda place: _far_px(place, at))


def _far_px(place: BoardPlace, at: Points) -> float:
    """How far a board's middle is from a point of the picture."""
    return float(np.linalg.norm(place.outline_px.mean(axis=0) - at[0]))


def flat_die(place: BoardPlace, at: Points, die_mm: float) -> FlatDie:
    """How a die that lies flat beside a board is seen where its upper face is at a point."""
    on_board = place.to_board(at, die_mm)
    half = die_mm / 2
    around = on_board + np.array([(-half, 0.0), (half, 0.0), (0.0, -half), (0.0, half)])
    ends = place.to_picture(around, die_mm)
    across = np.stack([ends[1] - ends[0], ends[3] - ends[2]])
    foot = (place.to_picture(on_board, 0.0) - at)[0]
    side_px = math.sqrt(abs(float(np.linalg.det(across))))
    return FlatDie(side_px, (float(foot[0]), float(foot[1])))


def _around(die: DieSeen, size_px: tuple[int, int]) -> Window:
    """A die with what is round it."""
    (x, y), reach = die.centre_px, (0.5 + AROUND_SIDES) * die.side_px
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    return (left, top, min(size_px[0], int(x + reach) + 1), min(size_px[1], int(y + reach) + 1))


def _shifted(found: Sequence[DieSeen], window: Window) -> tuple[DieSeen, ...]:
    """Dice of a part of the picture, in the whole of it."""
    left, top, _, _ = window
    return tuple(
        DieSeen(die.value, (die.centre_px[0] + left, die.centre_px[1] + top), die.side_px)
        for die in found
    )
