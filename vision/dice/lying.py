"""Which faces that were read are those of dice that lie flat and alone: the others are in doubt.

A face is held against how a flat die would look there, and against the other faces of the throw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.dice.faces import RING, Floats, Pips, Places, joined
from vision.dice.stance import (
    LEAST_SIZE,
    NO_SIDES_TIMES,
    SQUARE,
    TURNS_OF_ONE,
    FaceRead,
    FaceSeen,
    FaceSurroundings,
    FlatDie,
    common_size,
    has_edges,
    has_its_width,
    has_strays,
    has_twins,
    is_bare,
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

LIKE_ON_PRINT, PIP_ON_PRINT = 0.965, 0.3
"""On a printed map a face that no edges enclose must be so like its value's picture, and each of
its pips be found so near, in widths: drawn dice are by 0.98 and 0.25 (but one in a thousand),
places between a map's lines that were told as a 6 by 0.95 and 0.37."""
RIM, IN_SIGHT = 1.2, 0.42
"""So far the picture's edge goes on beyond it, in sides; so far from a face's middle, in widths, it
is still in the picture."""
SIDE_BY_SIDE, APART = 1.0, 0.93
"""Two dice lie no nearer together than the second if both lie flat, in widths of a die there; nor
than the first, as their pips tell how wide they are."""
TOUCHING = 1.25
"""Nearer together than that, in sides, dice may touch, or one hide some of another."""
REACH = 4.0
"""No pip beside a face is on a die further away than that, in sides, nor on a side of it."""
IN_A_ROW = (2, 3)
"""The pips of such a face do not show that it is square."""
MANY, FEW = 4, 2
"""So many pips are no chance; so few often are part of another value's."""
SAME_PIP = 0.15
"""Two places so near to each other, in sides, are one pip."""
STEEPEST = 1.0
"""A die whose foot is seen further from its upper face, in sides, shows a side as large as that."""
AT_ITS_EDGE = 0.12
"""Spots so far outside of a face, in sides, are its corners: pips are further from any edge."""
SIDE_MIDDLE = 0.15
"""A side of a flat die, as large as a face where the camera is slanted by 45 degrees, is so near to
where it must be, in sides, however far that is from the die's upper face."""
NARROWEST = (0.55, 0.25)
"""A side with four pips or more is read as a face if it is so high, in sides; one with fewer is."""
AS_HIGH = 0.55
"""Straight edges that enclose a square are not those of a side that is less high, in sides."""
UNKNOWN_WIDTHS = (1.1, 1.0, 0.93, 0.86, 0.8, 0.75)
"""So wide an upper face may be, in widths of the die that is looked for, where nothing tells."""
MAY_HIDE = 1.6
"""The middle of a die is so near to any pip of the one it lies on, in sides, before a camera that
is tilted by 35 degrees at the most."""
OVER = 0.75
"""The middle of a die is so near above that of the one it lies on, in sides, or it falls off."""

BESIDE_WORK, FLAT_WORK, EDGES_WORK = 14_000.0, 290_000.0, 140_000.0
OUTLINE_WORK, COLOURS_WORK, COLOUR_WORK, ONE_WORK = 320_000.0, 4.0, 90_000.0, 130_000.0
"""So much work is (see `dice.DiceSteps`): whose the pips beside a face are, for each neighbour;
judging how a die lies and what edges it has (of a 1, which may be turned by any angle, twice as
much), and where its face ends in one plane; and for each px the colours that the first of them may
want. All of it as measured, beside searches in one thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A face with its value (None: in doubt), the pips that make it and how sure it is.

    `beside` [k, 2] are pips of another face, of the same die unless they are a neighbour's. `flat`
    is how a die that lies flat there looks; as wide is a face whose pips lie `along` its edges.
    `otherwise` is the same face if they lie so, where they may lie from corner to corner, too;
    `or_one` whether a pip of a 2 alone is as like a 1.
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
    along: bool = False
    otherwise: Judged | None = None
    or_one: bool = False

    @property
    def turns(self) -> Sequence[float]:
        """The ways in which it may be turned, radians: one pip does not tell."""
        return TURNS_OF_ONE if self.value == 1 else [float(self.box[2])]

    @property
    def is_seen_steeply(self) -> bool:
        """Whether a side is as large as the upper face here: nobody can tell which is which."""
        return math.hypot(*(self.flat.foot_px or (0.0, 0.0))) > STEEPEST * self.flat.side_px

    def may_show(self, other: Judged) -> bool:
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

    def has_for(self, one: Judged, side_px: float) -> NDArray[np.bool_]:
        """Which pips beside a face are its own: of a neighbour's, what is on its face, too."""
        own = self.has(one.beside, side_px)
        return own if one is self else own | self.on_its_top(one.beside)

    def has_side_at(self, other: Judged) -> bool:
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
class Shade:
    """A picture in which pips are dark, be they so or not, and the pips in it.

    `big` are wider ones, where they were looked for.
    """

    smooth: Floats
    pips: Pips
    big: Pips | None
    dark: bool

    def pips_for(self, seen: FaceSeen) -> Pips:
        """All pips near a face, the wide one of a 1 among them."""
        if self.big is None or not seen.wider:
            return self.pips
        return joined(self.pips, self.big, RING * seen.flat.side_px)


@dataclass(frozen=True, slots=True, eq=False)
class LyingDice:
    """All faces that were found, each with its value (None: in doubt), and the pictures of them."""

    found: Sequence[tuple[Judged, int | None]]
    shades: tuple[Shade, ...]
    table: NDArray[np.bool_]
    colours: Callable[[], tuple[Floats, ...]]
    side_px: float

    @property
    def sure(self) -> list[Judged]:
        """Those that have a value."""
        return [one for one, value in self.found if value is not None]

    def standing(self) -> Generator[float, None, list[int | None]]:
        """The value of each; of one that does not lie flat and alone, none. In steps.

        Only a die that lies so vouches for a pip beside a neighbour: the others show faces and
        sides where none of a flat die would be.
        """
        sure = self.sure
        telling = [one for one in sure if not one.along]
        common = common_size([_face(one) for one in telling], [one.flat for one in telling])
        lying, fallen = list[Judged](), list[Judged]()
        for at, one in enumerate(sorted(sure, key=lambda one: one.value or 0, reverse=True)):
            more_work = COLOURS_WORK * self.table.size * (not at)
            lies = yield from self._lies(one, common, lying, more_work)
            (lying if lies else fallen).append(one)
        while fallen:
            near = [one for one in lying if any(is_near(it, one, self.side_px) for it in fallen)]
            yield BESIDE_WORK * len(near) * (1 + len(lying))
            fallen = [one for one in near if not self._is_vouched_for(one, lying, common)]
            lying = [one for one in lying if one not in fallen]
        return [value if one in lying else None for one, value in self.found]

    def _lies(
        self, one: Judged, common: float | None, lying: Sequence[Judged], more_work: float
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
        if not one.along and (yield from self._lies_as_most(one, common, lying)):
            return True
        if one.flat.foot_px is None or one.value not in IN_A_ROW:
            return False
        for other in (_as_wide_as_flat(one), *([one.otherwise] if one.otherwise else [])):
            found = [(other if face is one else face, value) for face, value in self.found]
            if (yield from replace(self, found=found).lies_bare(other)):
                return True
        return False

    def lies_bare(self, one: Judged) -> Generator[float, None, bool]:
        """Whether a 2 or a 3 lies flat and alone whose pips tell no width: bare, within edges."""
        if not self._is_clear(one):
            return False
        seen = FaceSeen(_face(one), one.flat, self._around(one, self.sure))
        if not is_bare(seen) or not has_twins(self._shade_of(one).pips, seen):
            return False
        yield FLAT_WORK
        return (yield from self._lies_as(one, one.flat, by_edges=True))

    def _lies_as_most(
        self, one: Judged, common: float | None, lying: Sequence[Judged]
    ) -> Generator[float, None, bool]:
        """Whether a die lies flat and alone if its pips lie as on most dice."""
        flat, known = _scaled(one.flat, common), one.flat.foot_px is not None
        if not known or has_its_width(_face(one), flat, sure=common is not None):
            by_edges = known and (one.value == 1 or one.or_one or self._may_be_under(one))
            if (yield from self._lies_as(one, flat, by_edges=by_edges)):
                return True
        widths = [_face(it).size_px / it.flat.side_px for it in lying if (it.value or 0) >= SQUARE]
        if not known or not may_have_its_width(_face(one), one.flat, widths):
            return False
        if not self._is_clear(one):
            return False
        yield FLAT_WORK
        return (yield from self._lies_as(one, one.flat, by_edges=True))

    def _is_in_picture(self, one: Judged) -> bool:
        """Whether the picture's edge leaves all of a face in sight."""
        rim = math.ceil(RIM * self.side_px)
        reach = IN_SIGHT * one.width_px * (abs(math.sin(one.box[2])) + abs(math.cos(one.box[2])))
        ends = [at for n in (one.x, one.y) for at in (n - reach, n + reach)]
        height, width = self.table.shape
        most = (width - rim, width - rim, height - rim, height - rim)
        return all(rim <= end < last for end, last in zip(ends, most, strict=True))

    def _lies_as(
        self, one: Judged, flat: FlatDie, *, by_edges: bool
    ) -> Generator[float, None, bool]:
        """Whether a die lies as a flat one would, and its edges enclose it where they must."""
        shade, seen = self._shade_of(one), FaceSeen(_face(one), flat, self._around(one, self.sure))
        if not lies_alone(shade.pips_for(seen), seen):
            return False
        if flat.foot_px is None:
            return (yield from self._ends_as_a_die(one, seen))
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

    def _ends_as_a_die(self, one: Judged, seen: FaceSeen) -> Generator[float, None, bool]:
        """Whether a face has edges where a die of any usual size has, and none may hide some of it.

        Nobody knows its size. It is asked of a picture in colour. Of few pips, and on a print,
        edges must enclose it.
        """
        if not self.colours():
            return True
        if not self._is_clear(one, MAY_HIDE):
            return False
        chance = (one.value or 0) <= FEW or lies_on_print(seen)
        for share in UNKNOWN_WIDTHS:
            flat = seen.flat.scaled(share)
            as_wide = _as_wide_as_flat(replace(one, flat=flat))
            other = replace(seen, face=_face(as_wide), flat=flat)
            yield EDGES_WORK * (2 if one.value == 1 else 1)
            edged = has_edges(self._shade_of(one).smooth, other)
            if edged and (not chance or (yield from self._is_enclosed(as_wide, other))):
                return True
        return False

    def _may_be_print(self, one: Judged, seen: FaceSeen) -> bool:
        """Whether places between a map's lines, or a dot and a die's pip, may be the pips.

        On a print faces are less plain.
        """
        away = np.linalg.norm(one.pips[:, None] - self._shade_of(one).pips.places, axis=2)
        missed = away.min(axis=1) > PIP_ON_PRINT * seen.flat.side_px
        doubtful = one.value == FEW or one.likeness < LIKE_ON_PRINT or bool(missed.any())
        return doubtful and lies_on_print(seen)

    def _is_enclosed(self, one: Judged, seen: FaceSeen) -> Generator[float, None, bool]:
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
        elif one.value in IN_A_ROW and lies_on_print(seen) and not shows_its_sides(seen):
            times = NO_SIDES_TIMES
        for plane in (self._shade_of(one).smooth, *seen.around.colours()):
            yield OUTLINE_WORK
            if is_outlined(plane, seen, times=times):
                return True
        return False

    def _is_vouched_for(self, one: Judged, lying: Sequence[Judged], common: float | None) -> bool:
        """Whether a die's own pips and those of dice that lie flat are all that is near it."""
        seen = FaceSeen(_face(one), _scaled(one.flat, common), self._around(one, lying))
        if has_strays(self._shade_of(one).pips_for(seen), seen):
            return False
        near = [other for other in lying if is_near(other, one, self.side_px)]
        return not len(one.beside) or is_all_of(
            *(other.has_for(one, self.side_px) for other in near)
        )

    def _is_clear(self, one: Judged, sides: float = TOUCHING) -> bool:
        """Whether no other face is so near that its die may touch a die, or lie on it."""
        return bool((self._away(one).min(axis=0) >= sides * one.flat.side_px).all())

    def _may_be_under(self, one: Judged) -> bool:
        """Whether a die with few pips may lie beneath another."""
        _, upon = self._away(one) < TOUCHING * one.flat.side_px
        return (one.value or 0) <= MANY and bool(upon.any())

    def _may_be_side_under(self, one: Judged) -> bool:
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

    def _away(self, one: Judged) -> NDArray[np.float64]:
        """How far every other face is: if its die lies beside a die, and if on it, [2, n] px."""
        foot = np.array(one.flat.foot_px or (0.0, 0.0))
        others = [face for face, _ in self.found if face is not one and not one.has_side_at(face)]
        away = _middles(others) - (one.x, one.y)
        return np.asarray(np.linalg.norm(np.stack([away, away + foot]), axis=2), np.float64)

    def _shade_of(self, one: Judged) -> Shade:
        return self.shades[0 if one.dark else 1]

    def _others(self, one: Judged) -> list[Judged]:
        """All that lie as far from a face as another die does."""
        return [other for other, _ in self.found if are_two(one, other, one.flat.side_px)]

    def _around(self, one: Judged, vouching: Sequence[Judged]) -> FaceSurroundings:
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


def _as_wide_as_flat(one: Judged) -> Judged:
    """A face that is as wide as a die that lies flat, whatever its pips tell."""
    wide = one.flat.side_px
    return replace(one, box=np.array((*one.box[:3], wide, wide)), width_px=wide)


def _middles(faces: Sequence[Judged]) -> Places:
    return np.array([(one.x, one.y) for one in faces]).reshape(-1, 2)


def _face(one: Judged) -> FaceRead:
    return FaceRead(one.value or 0, one.box, one.level, one.contrast, one.pips)


def are_two(one: Judged, other: Judged, side_px: float) -> bool:
    """Whether two dice that lie flat can be so far apart."""
    return math.hypot(one.x - other.x, one.y - other.y) >= APART * side_px


def is_near(other: Judged, one: Judged, side_px: float) -> bool:
    """Whether pips beside a face may be another's: those of its own sides, or a neighbour's."""
    if other is one:
        return True
    near = math.hypot(one.x - other.x, one.y - other.y) < REACH * side_px
    return near and are_two(one, other, side_px)


def is_all_of(*masks: NDArray[np.bool_]) -> bool:
    """Whether each place is in one of some masks at least."""
    return bool(masks) and bool(np.any(masks, axis=0).all())
