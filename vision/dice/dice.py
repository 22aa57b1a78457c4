"""Reads dice by their pips, in plain OpenCV: a value where everything fits, else none.

Pips are found first, for a white die on white paper shows little else. Two of them that lie as far
apart as the opposite corners of a face suggest that face, one alone suggests a 1; then the face is
looked at squarely. It counts if only one value can have its pips, if it is like a picture of that
value, if it ends where a die ends, and if no other pip belongs to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import ColourImage, GreyImage
from vision.dice.faces import ABOUT_AS_STRONG, Faces, Floats, Pips, Places, find_faces, find_pips
from vision.dice.stance import (
    LEAST_SIZE,
    NO_SIDES_TIMES,
    SQUARE,
    TURNS_OF_ONE,
    FaceRead,
    FaceSeen,
    FaceSurroundings,
    FlatAt,
    FlatDie,
    common_size,
    has_edges,
    has_its_width,
    has_strays,
    is_even_one,
    is_of_one_colour,
    is_outlined,
    is_plain_one,
    lies_alone,
    lies_on_print,
    may_have_its_width,
    on_sides,
    on_top,
    shows_its_sides,
    side_middles,
)
from vision.markers.corners import sample

SIZES = (0.8, 1.0)
"""Dice of these parts of the size that is expected are looked for, each a tenth more or less."""
SMOOTH = 0.05
"""What is smaller than that, in sides of a die, is noise."""
LEAST_LIKENESS, LEAST_OF_ONE = 0.93, 0.95
"""How like its value's picture a face must be; a 1 is the easiest to find by chance."""
LEAST_LEAD = 0.08
"""By how much more than like another's."""
LIKE_ON_PRINT, PIP_ON_PRINT = 0.965, 0.3
"""On a printed map a face that no edges enclose must be so like its value's picture, and each of
its pips be found so near, in widths: drawn dice are by 0.98 and 0.25 (but one in a thousand),
places between a map's lines that were told as a 6 by 0.95 and 0.37."""
BETTER_PART = 0.04
"""Where some pips of a face alone are so much more like a value, the others are not its own."""
DOUBT_LIKENESS = 0.88
"""A face less like any picture is no die; above it, it is one in doubt."""
LEAST_OUTLINE = 0.3
"""In so many directions, of all, a face must end where a die does."""
AS_DARK = 0.5
OF_ITS_LEVEL = 0.5
DARKER = 0.25
"""Another pip of the same die is about so dark against its own ring, has a ring about as bright as
the face, and is darker than that; all in parts of the contrast of the face's pips."""
RIM, IN_SIGHT = 1.2, 0.42
"""So far the picture's edge goes on beyond it, in sides; so far from a face's middle, in widths, it
is still in the picture."""
CORNER, DARK_CORNER = 0.38, 0.42
"""So far out, in widths of a face, its corner is no darker than that, in parts of the contrast."""
ON_FACE, BESIDE = 0.62, 0.9
"""So near to a face's middle another pip is on it; and nearer than this, in sides, one is if there
is nothing darker in between."""
AT_ONE_PLACE = 0.3
"""Dark pips and light ones so near to each other, in sides, are those of a die and gaps between."""
STRONG_BESIDE = 0.6
"""A pip beside a face is at least so strong: those on the sides of a die are seen at a slant."""
OWN_PIP = 0.12
"""A pip so near to one of a face's, in its widths, is that one."""
BETWEEN = 0.18
"""A pip ends so far from its middle, in widths of its face."""
UPON, SIDE_BY_SIDE = 0.85, 1.0
"""Two dice cannot lie nearer together than that, in sides."""
APART = 0.93
"""Nor if both lie flat, in widths of a die there."""
TOUCHING = 1.25
"""Nearer together than that, in sides, dice may touch, or one hide some of another."""
REACH = 4.0
"""No pip beside a face is on a die further away than that, in sides, nor on a side of it."""
MANY, FEW = 4, 2
"""So many pips are no chance; so few often are part of another value's."""
OF_GAPS = 3
"""So many gaps between dice may lie like pips."""
SAME_PIP = 0.15
"""Two places so near to each other, in sides, are one pip."""
STEEPEST = 1.0
"""A die whose foot is seen further from its upper face, in sides, shows a side as large as that."""
AT_ITS_EDGE = 0.12
"""Spots so far outside of a face, in sides, are its corners: pips are further from any edge."""
SIDE_MIDDLE = 0.15
"""A side of a flat die, as large as a face where the camera is slanted by 45 degrees, is so near to
where it must be, in sides, however far that is from the die's upper face."""
FLAT_EVERY = 0.5
"""How a flat die looks is asked for at points so far apart, in sides: it hardly changes between."""
NARROWEST = (0.55, 0.25)
"""A side with four pips or more is read as a face if it is so high, in sides; one with fewer is."""
AS_HIGH = 0.55
"""Straight edges that enclose a square are not those of a side that is less high, in sides."""
OVER = 0.75
"""The middle of a die is so near above that of the one it lies on, in sides, or it falls off."""
SIDE_CONTRAST = 0.8
"""Less light falls on the sides of a die: their pips are that much fainter than those on top."""

Point = tuple[float, float]
ColourOf = Callable[[], ColourImage | None]
"""The same picture in colour; asked for only where grey does not tell a die from its ground."""


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die in a picture: what it shows (None: in doubt) and the middle of its upper face, px."""

    value: int | None
    centre_px: Point
    side_px: float


@dataclass(frozen=True, slots=True, eq=False)
class _Judged:
    """A face with its value (None: in doubt), the pips that make it and how sure it is.

    `beside` [k, 2] are pips of another face, of the same die unless they are a neighbour's. `flat`
    is how a die that lies flat there looks.
    """

    x: float
    y: float
    width_px: float
    value: int | None
    likeness: float
    contrast: float
    pips: Places
    box: NDArray[np.float64]
    level: float
    dark: bool
    beside: Places
    flat: FlatDie

    @property
    def turns(self) -> Sequence[float]:
        """The ways in which it may be turned, radians: one pip does not tell."""
        return TURNS_OF_ONE if self.value == 1 else [float(self.box[2])]

    @property
    def is_seen_steeply(self) -> bool:
        """Whether a side is as large as the upper face here: nobody can tell which is which."""
        return math.hypot(*(self.flat.foot_px or (0.0, 0.0))) > STEEPEST * self.flat.side_px

    def may_show(self, other: _Judged) -> bool:
        """Whether another face is near enough to be a side of this one's die."""
        reach = SIDE_BY_SIDE * self.flat.side_px + math.hypot(*(self.flat.foot_px or (0.0, 0.0)))
        return math.hypot(self.x - other.x, self.y - other.y) < reach

    def on_its_sides(self, places: Places) -> NDArray[np.bool_]:
        """Which places are on those sides that a flat die shows there, if this is its face."""
        away, turns = places - (self.x, self.y), self.turns
        seen = on_sides(away, self.flat, turns) & ~on_top(away, self.flat, turns)
        most: NDArray[np.bool_] = seen[np.count_nonzero(seen, axis=1).argmax()]
        return most

    def on_its_top(self, places: Places) -> NDArray[np.bool_]:
        """Which places are on its face or at the edge of it, however it is turned."""
        away = places - (self.x, self.y)
        top = on_top(away, self.flat, self.turns, AT_ITS_EDGE)
        return np.asarray(top.all(axis=0), np.bool_)

    def may_have(self, places: Places) -> bool:
        """Whether any place is near enough to be on its die, or on a side of it."""
        reach = max(self.flat.side_px, self.width_px) + math.hypot(*(self.flat.foot_px or (0, 0)))
        return bool((np.hypot(*(places - (self.x, self.y)).T) < reach).any())

    def has(self, places: Places, side_px: float) -> NDArray[np.bool_]:
        """Which places are on the sides that its die shows, or are its own pips."""
        away = np.linalg.norm(places[:, None] - self.pips, axis=2).min(axis=1)
        return np.asarray(self.on_its_sides(places) | (away < SAME_PIP * side_px))

    def has_for(self, one: _Judged, side_px: float) -> NDArray[np.bool_]:
        """Which pips beside a face are its own: of a neighbour's, what is on its face, too."""
        own = self.has(one.beside, side_px)
        return own if one is self else own | self.on_its_top(one.beside)

    def has_side_at(self, other: _Judged) -> bool:
        """Whether another face is a side that a flat die shows there, if this is its upper face.

        It is just where that side is, or is made of some pips of it and too small for a die.
        """
        if other.width_px < LEAST_SIZE * other.flat.side_px:
            return bool(self.on_its_sides(other.pips).all())
        away = np.array([(other.x - self.x, other.y - self.y)])
        middles = np.concatenate([side_middles(self.flat, turn) for turn in self.turns])
        within = SIDE_MIDDLE * self.flat.side_px
        return bool((np.linalg.norm(middles - away, axis=1) < within).any())


@dataclass(frozen=True, slots=True, eq=False)
class _Shade:
    """A picture in which pips are dark, be they so or not, and the pips in it."""

    smooth: Floats
    pips: Pips
    dark: bool


def read_dice(
    grey: GreyImage,
    side_px: float,
    where: NDArray[np.bool_] | None = None,
    flat_at: FlatAt | None = None,
    colour: ColourOf | None = None,
) -> tuple[DieSeen, ...]:
    """Every die in a picture whose dice are about `side_px` wide, from left to right.

    They may be a quarter smaller or a tenth larger, light with dark pips or dark with light ones.
    `where` is false for pixels that are no table, [height, width]. `flat_at` tells how a flat die
    would look at a point of the picture: one that is cocked or lies on another is in doubt, and a
    size that fits neither it nor the other dice is, too. Without it only pips tell of a lean. A die
    that is half covered or blemished has no value, or is not found. `colour` shows the edges of a
    die that is as bright as what it lies on.
    """
    return done(dice_in_steps(grey, side_px, where, flat_at, colour))


def done(steps: DiceSteps) -> tuple[DieSeen, ...]:
    """What comes of some steps, all of them done at once."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            dice: tuple[DieSeen, ...] = end.value
            return dice


DiceSteps = Generator[float, None, tuple[DieSeen, ...]]
"""Reads dice step by step, and gives before each step about how much work it is.

The unit is what a search for markers takes for one px of a picture.
"""
SHADE_WORK = 7.5
FACES_WORK, FACES_WORK_OF_PIP = 30_000.0, 25_000.0
JUDGED_WORK, BESIDE_WORK, APART_WORK = 65_000.0, 14_000.0, 8_000.0
FLAT_WORK, EDGES_WORK, OUTLINE_WORK, COLOURS_WORK = 230_000.0, 75_000.0, 160_000.0, 4.0
COLOUR_WORK, ONE_WORK = 40_000.0, 60_000.0
"""So much is looking for pips, for each px; finding faces, and more for each pip; judging a face;
whose the pips beside it are, for each neighbour; telling it from those near it; judging how a die
lies and what edges it has (of a 1, which may be turned by any angle, twice as much), and where its
face ends in one plane; and for each px the colours that the first of them may want. All of it as
measured, beside searches in one thread."""


def dice_in_steps(
    grey: GreyImage,
    side_px: float,
    where: NDArray[np.bool_] | None = None,
    flat_at: FlatAt | None = None,
    colour: ColourOf | None = None,
) -> DiceSteps:
    """As `read_dice`, for who can spare only a little time now and a little with the next frame."""
    rim = math.ceil(RIM * side_px)  # a die at the picture's edge is looked at like any other
    wide, table = _with_rim(grey, where, rim)
    flat = _known_nearby(flat_at, side_px, rim)
    judged, shades = yield from _faces(wide, table, side_px, flat, known=flat_at is not None)
    colours = cache(lambda: _colours(None if colour is None else colour(), rim, side_px))
    cleared = yield from _cleared(judged, side_px, neighbours=flat_at is not None)
    apart = yield from _apart(cleared, side_px)
    values = yield from _Throw(apart, shades, table, colours, side_px).standing()
    dice = [
        DieSeen(value, (one.x - rim, one.y - rim), one.width_px)
        for (one, _), value in zip(apart, values, strict=True)
    ]
    return tuple(sorted(dice, key=lambda die: die.centre_px))


def _known_nearby(flat_at: FlatAt | None, side_px: float, rim: int) -> FlatAt:
    """How a flat die looks at a point of the picture with its rim: as at the nearest of some."""
    every_px = FLAT_EVERY * side_px

    @cache
    def at(column: int, row: int) -> FlatDie:
        if flat_at is None:
            return FlatDie(side_px)
        return flat_at((every_px * column - rim, every_px * row - rim))

    return lambda point: at(round(point[0] / every_px), round(point[1] / every_px))


def _faces(
    wide: Floats, table: NDArray[np.bool_], side_px: float, flat: FlatAt, *, known: bool
) -> Generator[float, None, tuple[list[_Judged], tuple[_Shade, ...]]]:
    """Faces of both sizes that dark or light pips make, and the picture for pips of the larger."""
    judged, shades = list[_Judged](), tuple[_Shade, ...]()
    for size in SIZES:
        shades = ()
        for dark in (True, False):
            yield SHADE_WORK * wide.size
            shade = _shade(wide, table, size * side_px, dark=dark)
            shades = (*shades, shade)
            yield FACES_WORK + FACES_WORK_OF_PIP * len(shade.pips)
            faces = find_faces(shade.smooth, shade.pips, size * side_px, side_px, known=known)
            if faces is not None:
                judged += yield from _judged(shade, faces, side_px, flat)
    return judged, shades


def _with_rim(
    grey: GreyImage, where: NDArray[np.bool_] | None, rim: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """The picture with its edge repeated around it, and where on it dice are looked for."""
    wide = cv2.copyMakeBorder(grey, rim, rim, rim, rim, cv2.BORDER_REPLICATE).astype(np.float32)
    table = np.zeros(wide.shape, np.bool_)
    table[rim:-rim, rim:-rim] = True if where is None else where
    return wide, table


def _shade(wide: Floats, table: NDArray[np.bool_], side_px: float, *, dark: bool) -> _Shade:
    """The picture for dark pips, or for light ones."""
    smooth = np.asarray(cv2.GaussianBlur(wide, (0, 0), SMOOTH * side_px), np.float32)
    smooth = smooth if dark else np.float32(255.0) - smooth
    return _Shade(smooth, find_pips(smooth, side_px, table), dark)


def _colours(colour: ColourImage | None, rim: int, side_px: float) -> tuple[Floats, ...]:
    """Blue, green and red each as grey is looked at; none where there are none."""
    if colour is None:
        return ()
    wide = cv2.copyMakeBorder(colour, rim, rim, rim, rim, cv2.BORDER_REPLICATE).astype(np.float32)
    soft = cv2.GaussianBlur(wide, (0, 0), SMOOTH * side_px)
    return tuple(np.asarray(plane, np.float32) for plane in cv2.split(soft))


@dataclass(frozen=True, slots=True, eq=False)
class _Throw:
    """All faces that were found, each with its value (None: in doubt), and the pictures of them."""

    found: Sequence[tuple[_Judged, int | None]]
    shades: tuple[_Shade, ...]
    table: NDArray[np.bool_]
    colours: Callable[[], tuple[Floats, ...]]
    side_px: float

    @property
    def sure(self) -> list[_Judged]:
        """Those that have a value."""
        return [one for one, value in self.found if value is not None]

    def standing(self) -> Generator[float, None, list[int | None]]:
        """The value of each; of one that does not lie flat and alone, none. In steps.

        Only a die that lies so vouches for a pip beside a neighbour: the others show faces and
        sides where none of a flat die would be.
        """
        sure = self.sure
        common = common_size([_face(one) for one in sure], [one.flat for one in sure])
        lying, fallen = list[_Judged](), list[_Judged]()
        for at, one in enumerate(sorted(sure, key=lambda one: one.value or 0, reverse=True)):
            more_work = COLOURS_WORK * self.table.size * (not at)
            lies = yield from self._lies(one, common, lying, more_work)
            (lying if lies else fallen).append(one)
        while fallen:
            near = [one for one in lying if any(_is_near(it, one, self.side_px) for it in fallen)]
            yield BESIDE_WORK * len(near) * (1 + len(lying))
            fallen = [one for one in near if not self._is_vouched_for(one, lying, common)]
            lying = [one for one in lying if one not in fallen]
        return [value if one in lying else None for one, value in self.found]

    def _lies(
        self, one: _Judged, common: float | None, lying: Sequence[_Judged], more_work: float
    ) -> Generator[float, None, bool]:
        """Whether a die lies flat and alone, if all others with a value do.

        Pips tell how wide it is, as most dice have them; where they do not, its edges must. Of
        those with more pips it is known which are `lying` flat.
        """
        yield FLAT_WORK * (2 if one.value == 1 else 1) + more_work
        if one.is_seen_steeply or not self._is_in_picture(one):
            return False
        if any(other is not one and other not in self._others(one) for other in self.sure):
            return False
        flat, known = _scaled(one.flat, common), one.flat.foot_px is not None
        if not known or has_its_width(_face(one), flat, sure=common is not None):
            by_edges = known and (one.value == 1 or self._may_be_under(one))
            if (yield from self._lies_as(one, flat, by_edges=by_edges)):
                return True
        widths = [_face(it).size_px / it.flat.side_px for it in lying if (it.value or 0) >= SQUARE]
        if not known or not may_have_its_width(_face(one), one.flat, widths):
            return False
        if not self._is_clear(one):
            return False
        yield FLAT_WORK
        return (yield from self._lies_as(one, one.flat, by_edges=True))

    def _is_in_picture(self, one: _Judged) -> bool:
        """Whether the picture's edge leaves all of a face in sight."""
        rim = math.ceil(RIM * self.side_px)
        reach = IN_SIGHT * one.width_px * (abs(math.sin(one.box[2])) + abs(math.cos(one.box[2])))
        ends = [at for n in (one.x, one.y) for at in (n - reach, n + reach)]
        height, width = self.table.shape
        most = (width - rim, width - rim, height - rim, height - rim)
        return all(rim <= end < last for end, last in zip(ends, most, strict=True))

    def _lies_as(
        self, one: _Judged, flat: FlatDie, *, by_edges: bool
    ) -> Generator[float, None, bool]:
        """Whether a die lies as a flat one would, and its edges enclose it where they must."""
        shade, seen = self._shade_of(one), FaceSeen(_face(one), flat, self._around(one, self.sure))
        if not lies_alone(shade.pips, seen):
            return False
        if flat.foot_px is not None:
            yield EDGES_WORK * (2 if one.value == 1 else 1)
            if not has_edges(shade.smooth, seen):
                return False
        yield COLOUR_WORK * (3 if one.value == 1 else 1)
        if not is_of_one_colour(seen):
            return False
        if self._may_be_side_under(one):
            high = math.hypot(*(flat.foot_px or (0.0, 0.0))) >= AS_HIGH * flat.side_px
            if high and not shows_its_sides(seen):
                return False
            by_edges = by_edges or not high
        if not by_edges and not self._may_be_print(one, seen):
            return True
        return (yield from self._is_enclosed(one, seen))

    def _may_be_print(self, one: _Judged, seen: FaceSeen) -> bool:
        """Whether places between a map's lines, or a dot and a die's pip, may be the pips.

        On a print faces are less plain.
        """
        away = np.linalg.norm(one.pips[:, None] - self._shade_of(one).pips.places, axis=2)
        missed = away.min(axis=1) > PIP_ON_PRINT * seen.flat.side_px
        doubtful = one.value == FEW or one.likeness < LIKE_ON_PRINT or bool(missed.any())
        return doubtful and lies_on_print(seen)

    def _is_enclosed(self, one: _Judged, seen: FaceSeen) -> Generator[float, None, bool]:
        """Whether edges enclose a face, and what a printed map shows by chance is none of it."""
        times = 1.0
        if one.value == 1:
            yield ONE_WORK
            printed, plain = lies_on_print(seen), is_plain_one(seen)
            if not is_even_one(seen, printed=printed) or (printed and not plain):
                return False
            if (printed or not plain) and not shows_its_sides(seen):
                if not plain:
                    return False
                times = NO_SIDES_TIMES
        for plane in (self._shade_of(one).smooth, *seen.around.colours()):
            yield OUTLINE_WORK
            if is_outlined(plane, seen, times=times):
                return True
        return False

    def _is_vouched_for(self, one: _Judged, lying: Sequence[_Judged], common: float | None) -> bool:
        """Whether a die's own pips and those of dice that lie flat are all that is near it."""
        seen = FaceSeen(_face(one), _scaled(one.flat, common), self._around(one, lying))
        if has_strays(self._shade_of(one).pips, seen):
            return False
        near = [other for other in lying if _is_near(other, one, self.side_px)]
        return not len(one.beside) or _is_all_of(
            *(other.has_for(one, self.side_px) for other in near)
        )

    def _is_clear(self, one: _Judged) -> bool:
        """Whether no other face is so near that its die may touch a die, or lie on it."""
        return bool((self._away(one).min(axis=0) >= TOUCHING * one.flat.side_px).all())

    def _may_be_under(self, one: _Judged) -> bool:
        """Whether a die with few pips may lie beneath another."""
        _, upon = self._away(one) < TOUCHING * one.flat.side_px
        return (one.value or 0) <= MANY and bool(upon.any())

    def _may_be_side_under(self, one: _Judged) -> bool:
        """Whether a face may be a side of a die whose upper face another die covers.

        Where that is seen from high above it is too narrow for one.
        """
        foot_px = math.hypot(*(one.flat.foot_px or (0.0, 0.0)))
        least = NARROWEST[(one.value or 0) < SQUARE]
        if foot_px < least * one.flat.side_px:
            return False
        others = _middles([face for face, _ in self.found if face is not one])
        foot = np.array(one.flat.foot_px or (0.0, 0.0))
        middles = np.concatenate([side_middles(one.flat, turn) for turn in one.turns])
        tops = (one.x, one.y) - middles
        away = np.linalg.norm((others + foot)[:, None] - tops, axis=2)
        return bool((away < OVER * one.flat.side_px).any())

    def _away(self, one: _Judged) -> NDArray[np.float64]:
        """How far every other face is: if its die lies beside a die, and if on it, [2, n] px."""
        foot = np.array(one.flat.foot_px or (0.0, 0.0))
        others = [face for face, _ in self.found if face is not one and not one.has_side_at(face)]
        away = _middles(others) - (one.x, one.y)
        return np.asarray(np.linalg.norm(np.stack([away, away + foot]), axis=2), np.float64)

    def _shade_of(self, one: _Judged) -> _Shade:
        return self.shades[0 if one.dark else 1]

    def _others(self, one: _Judged) -> list[_Judged]:
        """All that lie as far from a face as another die does."""
        return [other for other, _ in self.found if _are_two(one, other, one.flat.side_px)]

    def _around(self, one: _Judged, vouching: Sequence[_Judged]) -> FaceSurroundings:
        others = self._others(one)
        sure = [other for other in others if other in vouching]

        def on_them(places: Places) -> NDArray[np.bool_]:
            seen = [other.on_its_sides(places) | other.on_its_top(places) for other in sure]
            return np.any(seen, axis=0) if seen else np.zeros(len(places), np.bool_)

        return FaceSurroundings(
            self.shades[0].smooth, self.table, _middles(others), _middles(sure),
            np.concatenate([np.empty((0, 2)), *(other.pips for other in others)]), on_them,
            self.colours,
        )  # fmt: skip


def _scaled(flat: FlatDie, common: float | None) -> FlatDie:
    """A flat die as wide as the dice of the picture are, if they tell; else as one is there."""
    return flat if common is None or flat.foot_px is None else flat.scaled(common)


def _middles(faces: Sequence[_Judged]) -> Places:
    return np.array([(one.x, one.y) for one in faces]).reshape(-1, 2)


def _face(one: _Judged) -> FaceRead:
    return FaceRead(one.value or 0, one.box, one.level, one.contrast, one.pips)


def _are_two(one: _Judged, other: _Judged, side_px: float) -> bool:
    """Whether two dice that lie flat can be so far apart."""
    return math.hypot(one.x - other.x, one.y - other.y) >= APART * side_px


def _judged(
    shade: _Shade, faces: Faces, full_px: float, flat_at: FlatAt
) -> Generator[float, None, list[_Judged]]:
    """The faces that show a value, or would but for one thing; the likeliest first. In steps."""
    likeness = np.where(faces.may_be, faces.likeness, -1.0)
    own, values = likeness.max(axis=1), likeness.argmax(axis=1) + 1
    good = np.flatnonzero((own >= DOUBT_LIKENESS) & (faces.outlined >= LEAST_OUTLINE))
    done: list[tuple[int, Places]] = []
    judged = list[_Judged]()
    for face in good[np.argsort(-own[good], kind="stable")].tolist():
        value, middle = int(values[face]), faces.boxes[face, :2]
        near = 0.1 * full_px
        if any(value == other and math.dist(middle, place) < near for other, place in done):
            continue  # the same one, suggested by other pips
        done.append((value, middle))
        yield JUDGED_WORK
        one = _judged_face(shade, faces, face, value, full_px, flat_at)
        if one.value is not None or value > FEW:  # else a pip or two of another value's
            judged.append(one)
    return judged


def _judged_face(
    shade: _Shade, faces: Faces, face: int, value: int, full_px: float, flat_at: FlatAt
) -> _Judged:
    """A face that is most like a value, with that value if nothing speaks against it."""
    smooth = shade.smooth
    more, beside = _more(smooth, shade.pips, faces, face, full_px)
    sure = (
        _is_sure(faces, face, value)
        and not faces.leans(face, value)
        and (value > OF_GAPS or faces.are_enclosed(smooth, face, value))
        and _has_corners(smooth, faces, face, value, full_px)
        and not more
    )
    x, y, _, width, height = faces.boxes[face].tolist()
    return _Judged(
        x, y, max(width, height), value if sure else None, float(faces.likeness[face, value - 1]),
        float(faces.contrast[face]), faces.pips_of(face, value), faces.boxes[face],
        float(faces.level[face]), shade.dark, beside, flat_at((x, y)),
    )  # fmt: skip


def _cleared(
    judged: Sequence[_Judged], side_px: float, *, neighbours: bool
) -> Generator[float, None, list[_Judged]]:
    """The faces beside which no pip is but those of `neighbours`, if there may be any; in steps.

    Another is in doubt: what is beside it may be another side of the same die.
    """
    sure = [one for one in judged if one.value is not None and (neighbours or not len(one.beside))]
    theirs = dict[int, list[tuple[int, NDArray[np.bool_]]]]()
    for one in sure:
        if len(one.beside):
            near = [other for other in sure if _is_near(other, one, side_px)]
            near = [other for other in near if other is one or other.may_have(one.beside)]
            yield BESIDE_WORK * (1 + len(near))
            theirs[id(one)] = [(id(face), face.has_for(one, side_px)) for face in near]
    clear, before = {id(one) for one in sure}, 0
    while len(clear) != before:
        before = len(clear)
        clear = {
            one for one in clear
            if one not in theirs or _is_all_of(*(has for face, has in theirs[one] if face in clear))
        }  # fmt: skip
    return [
        one if id(one) in clear or one.value is None else replace(one, value=None)
        for one in judged
        if id(one) in clear or one.value is None or one.value > FEW
    ]


def _is_near(other: _Judged, one: _Judged, side_px: float) -> bool:
    """Whether pips beside a face may be another's: those of its own sides, or a neighbour's."""
    if other is one:
        return True
    near = math.hypot(one.x - other.x, one.y - other.y) < REACH * side_px
    return near and _are_two(one, other, side_px)


def _is_all_of(*masks: NDArray[np.bool_]) -> bool:
    """Whether each place is in one of some masks at least."""
    return bool(masks) and bool(np.any(masks, axis=0).all())


def _is_sure(faces: Faces, face: int, value: int) -> bool:
    """Whether a face can only have this value and is very like it."""
    likeness = faces.likeness[face]
    lead = likeness[value - 1] - np.delete(likeness, value - 1).max()
    least = LEAST_OF_ONE if value == 1 else LEAST_LIKENESS
    alone = faces.may_be[face].sum() == 1
    return bool(alone and likeness[value - 1] >= least and lead >= LEAST_LEAD)


def _has_corners(smooth: Floats, faces: Faces, face: int, value: int, full_px: float) -> bool:
    """Whether a 2 or a 3 has the two corners without pips.

    Half a 4 or a 6, seen beside a finger, shows the pips of a smaller 2 or 3 that lies crosswise.
    """
    if value not in {2, 3}:
        return True
    share = CORNER * min(1.0, full_px * 1.08 / float(faces.boxes[face, 3]))
    dark = faces.bare_corners(smooth, face, share)
    return bool((dark <= DARK_CORNER).all())


def _more(
    smooth: Floats, pips: Pips, faces: Faces, face: int, full_px: float
) -> tuple[bool, Places]:
    """Whether a face has another pip; and the pips beside it, where it goes on without an edge."""
    middle, width = faces.boxes[face, :2], float(faces.boxes[face, 3:].max())
    level, contrast = float(faces.level[face]), float(faces.contrast[face])
    own = faces.dark_places(face)
    near = _like_its_own(pips, middle, width, level, contrast, full_px)
    others = near[np.linalg.norm(near[:, None] - own, axis=2).min(axis=1) >= OWN_PIP * width]
    if (np.hypot(*(others - middle).T) < ON_FACE * width).any():
        return True, others
    least = level - AS_DARK * contrast
    joined = [_is_bright_between(smooth, place, own, width, least) for place in others]
    return False, others[np.array(joined, np.bool_)]


def _like_its_own(
    pips: Pips, middle: Places, width: float, level: float, contrast: float, full_px: float
) -> Places:
    """The pips near a face's middle that are like those of the face, [k, 2]."""
    away = np.hypot(*(pips.places - middle).T)
    near = away < BESIDE * full_px
    if not near.any():
        return np.empty((0, 2))
    least = np.where(away < ON_FACE * width, ABOUT_AS_STRONG, STRONG_BESIDE)
    like = near & (pips.responses >= least * pips.responses[near].max())
    like &= pips.rings - pips.levels >= AS_DARK * contrast
    like &= pips.rings >= level - OF_ITS_LEVEL * contrast
    like &= pips.levels <= level - DARKER * contrast
    return np.asarray(pips.places[like])


def _is_bright_between(
    smooth: Floats, place: Places, own: Places, width_px: float, least: float
) -> bool:
    """Whether nothing as dark as the ground lies between a pip and the nearest of a face's own."""
    start = own[np.hypot(*(own - place).T).argmin()]
    line = start + (place - start) * np.linspace(0.0, 1.0, 15)[:, None]
    pips = np.vstack([own, place])
    clear = np.linalg.norm(line[:, None] - pips, axis=2).min(axis=1) > BETWEEN * width_px
    between = line[clear]
    return not len(between) or bool(sample(smooth, between[:, :1], between[:, 1:]).min() > least)


def _apart(
    judged: Iterable[_Judged], side_px: float
) -> Generator[float, None, list[tuple[_Judged, int | None]]]:
    """The face with most pips at each place, in steps; in doubt where another fits as well."""
    kept: list[tuple[_Judged, list[_Judged]]] = []
    for one in sorted(judged, key=lambda one: (-(one.value or 0), -one.likeness)):
        yield APART_WORK
        near = [at for at, (best, _) in enumerate(kept) if _overlap(one, best, side_px)]
        if all(_is_side_of(kept[at][0], one) for at in near):
            for at in reversed(near):
                kept.pop(at)
            kept.append((one, []))
            continue
        for at in near:  # a pip or two of one that stays take no neighbour's place
            kept[at][1].append(one)
    told = list[tuple[_Judged, int | None]]()
    for best, others in kept:
        yield APART_WORK * len(others)
        theirs = [
            face for face, _ in kept if face.value is not None and _are_two(face, best, side_px)
        ]
        doubted = any(_rivals(one, best, theirs) for one in others)
        told.append((best, None if doubted else best.value))
    return told


def _is_side_of(one: _Judged, other: _Judged) -> bool:
    """Whether a face is rather the side of a die that shows another: there, or near and fainter."""
    if other.value is None or not other.may_show(one) or _shared(one, other).any():
        return False
    near = not _are_two(one, other, other.flat.side_px)
    fainter = near and one.contrast < SIDE_CONTRAST * other.contrast
    return fainter or bool(other.on_its_sides(one.pips).all())


def _overlap(one: _Judged, other: _Judged, side_px: float) -> bool:
    """Whether two faces cannot be those of two dice; one in doubt may be the side of the other."""
    apart = math.hypot(one.x - other.x, one.y - other.y)
    if _is_side_of(one, other) or _is_side_of(other, one):
        near = apart < SIDE_BY_SIDE * max(one.width_px, other.width_px, side_px)
        return near or other.has_side_at(one) or one.has_side_at(other)
    if None in {one.value, other.value}:
        return apart < SIDE_BY_SIDE * max(one.width_px, other.width_px, side_px)
    return apart < UPON * max(one.width_px, other.width_px, side_px)


def _rivals(one: _Judged, best: _Judged, neighbours: Sequence[_Judged]) -> bool:
    """Whether another value is about as likely, made by pips that are not the face's own.

    What is made of its pips and those of neighbours that are as sure is none.
    """
    if any(_is_side_of(one, face) for face in (best, *neighbours)):
        return False
    shared = _shared(one, best)
    for face in neighbours:
        if one.value is None or face.likeness > one.likeness - LEAST_LEAD:
            shared |= _shared(one, face)
    if one.value == best.value:  # the same face, or another such die too near to this one
        return not shared.any() and one.likeness > best.likeness - LEAST_LEAD
    if one.value is None:  # another side of the same die, which then leans; or best is gaps
        is_there = math.hypot(one.x - best.x, one.y - best.y) < AT_ONE_PLACE * best.flat.side_px
        as_like = one.likeness > best.likeness - BETTER_PART
        like = one.likeness >= LEAST_LIKENESS or (one.dark != best.dark and is_there and as_like)
        return len(one.pips) >= MANY and like and not shared.any()
    if shared.all():  # a part of its pips, or of its neighbours'
        return one.likeness > best.likeness + BETTER_PART
    return one.likeness > best.likeness - LEAST_LEAD


def _shared(one: _Judged, other: _Judged) -> NDArray[np.bool_]:
    """Which of a face's pips are the other's as well."""
    apart = np.linalg.norm(one.pips[:, None] - other.pips, axis=2).min(axis=1)
    return np.asarray(apart < OWN_PIP * other.width_px, np.bool_)
