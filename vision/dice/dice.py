"""Reads dice by their pips, in plain OpenCV: a value where everything fits, else none.

Pips are found first, for a white die on white paper shows little else. Two of them that lie as far
apart as the opposite corners of a face suggest that face, one alone suggests a 1; then the face is
looked at squarely. It counts if only one value can have its pips, if it is like a picture of that
value, if it ends where a die ends, and if no other pip belongs to it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import ColourImage, GreyImage
from vision.dice.faces import (
    ABOUT_AS_STRONG,
    Faces,
    Floats,
    Pips,
    Places,
    faces_in_steps,
    find_big_pips,
    find_pips,
)
from vision.dice.lying import (
    BESIDE_WORK,
    FEW,
    MANY,
    RIM,
    SIDE_BY_SIDE,
    Judged,
    LyingDice,
    Shade,
    are_two,
    is_all_of,
    is_near,
)
from vision.dice.stance import FlatAt, FlatDie
from vision.markers.corners import sample

SIZES = (0.8, 1.0)
"""Dice of these parts of the size that is expected are looked for, each a tenth more or less."""
SMOOTH = 0.05
"""What is smaller than that, in sides of a die, is noise."""
LEAST_LIKENESS, LEAST_OF_ONE = 0.93, 0.95
"""How like its value's picture a face must be; a 1 is the easiest to find by chance."""
LEAST_ALONG = 0.96
"""How like its picture a 2 or a 3 must be whose pips lie along its edges."""
LEAST_LEAD = 0.08
"""By how much more than like another's."""
BETTER_PART = 0.04
"""Where some pips of a face alone are so much more like a value, the others are not its own."""
BETTER_ONE = 0.03
"""A 1 that is so much more like its picture than a 2 made of its pip and one on its side: drawn 2s
are more like theirs."""
AS_LIKE_ONE = 0.004
"""A pip of a 2 may be a 1's if that is hardly less like its picture than so."""
DOUBT_LIKENESS = 0.88
"""A face less like any picture is no die; above it, it is one in doubt."""
AS_DARK = 0.5
OF_ITS_LEVEL = 0.5
DARKER = 0.25
"""Another pip of the same die is about so dark against its own ring, has a ring about as bright as
the face, and is darker than that; all in parts of the contrast of the face's pips."""
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
UPON = 0.85
"""Two dice cannot lie nearer together than that, in sides, if one is upon the other."""
OF_GAPS = 3
"""So many gaps between dice may lie like pips."""
FLAT_EVERY = 0.5
"""How a flat die looks is asked for at points so far apart, in sides: it hardly changes between."""
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
SHADE_WORK, BIG_WORK = 7.5, 2.6
JUDGED_WORK, APART_WORK = 80_000.0, 10_000.0
"""So much is looking for pips, and for wide ones, for each px; judging a face; telling it from
those near it. All of it as measured, beside searches in one thread. Finding faces takes more
(`faces.FACES_WORK`), and so does how a die lies (`lying.FLAT_WORK`)."""


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
    values = yield from LyingDice(apart, shades, table, colours, side_px).standing()
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
) -> Generator[float, None, tuple[list[Judged], tuple[Shade, ...]]]:
    """Faces of both sizes that dark or light pips make, and the picture for pips of the larger."""
    judged, shades = list[Judged](), tuple[Shade, ...]()
    for size in SIZES:
        shades = ()
        for dark in (True, False):
            big = known and size == max(SIZES)
            yield (SHADE_WORK + BIG_WORK * big) * wide.size
            shade = _shade(wide, table, size * side_px, dark=dark, big=big)
            shades = (*shades, shade)
            faces = yield from faces_in_steps(
                shade.smooth, shade.pips, shade.big, size * side_px, side_px, known=known
            )
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


def _shade(
    wide: Floats, table: NDArray[np.bool_], side_px: float, *, dark: bool, big: bool
) -> Shade:
    """The picture for dark pips, or for light ones."""
    smooth = np.asarray(cv2.GaussianBlur(wide, (0, 0), SMOOTH * side_px), np.float32)
    smooth = smooth if dark else np.float32(255.0) - smooth
    wider = find_big_pips(smooth, side_px, table) if big else None
    return Shade(smooth, find_pips(smooth, side_px, table), wider, dark)


def _colours(colour: ColourImage | None, rim: int, side_px: float) -> tuple[Floats, ...]:
    """Blue, green and red each as grey is looked at; none where there are none."""
    if colour is None:
        return ()
    wide = cv2.copyMakeBorder(colour, rim, rim, rim, rim, cv2.BORDER_REPLICATE).astype(np.float32)
    soft = cv2.GaussianBlur(wide, (0, 0), SMOOTH * side_px)
    return tuple(np.asarray(plane, np.float32) for plane in cv2.split(soft))


def _judged(
    shade: Shade, faces: Faces, full_px: float, flat_at: FlatAt
) -> Generator[float, None, list[Judged]]:
    """The faces that show a value, or would but for one thing; the likeliest first. In steps."""
    likeness = np.where(faces.may_be, faces.likeness, -1.0)
    own, values = likeness.max(axis=1), likeness.argmax(axis=1) + 1
    good = np.flatnonzero(own >= DOUBT_LIKENESS)
    done: list[tuple[tuple[int, bool], Places]] = []
    judged = list[Judged]()
    for face in good[np.argsort(-own[good], kind="stable")].tolist():
        value, middle = int(values[face]), faces.boxes[face, :2]
        near = 0.1 * full_px
        kind = (value, bool(faces.along[face]))
        if any(kind == other and math.dist(middle, place) < near for other, place in done):
            continue  # the same one, suggested by other pips
        done.append((kind, middle))
        yield JUDGED_WORK
        one = _judged_face(shade, faces, face, value, full_px, flat_at)
        few = value <= FEW or one.along  # a pip or two of another value's
        if one.value is not None or not few:
            judged.append(one)
    return judged


def _judged_face(
    shade: Shade, faces: Faces, face: int, value: int, full_px: float, flat_at: FlatAt
) -> Judged:
    """A face that is most like a value, with that value if nothing speaks against it."""
    smooth = shade.smooth
    more, beside = _more(smooth, shade.pips, faces, face, full_px)
    along = bool(faces.along[face])
    sure = (
        _is_sure(faces, face, value)
        and not faces.leans(face, value)
        and (value > OF_GAPS or faces.are_enclosed(smooth, face, value))
        and (along or _has_corners(smooth, faces, face, value, full_px))
        and not more
    )
    x, y, turn, width, height = faces.boxes[face].tolist()
    flat = flat_at((x, y))
    if along:
        sure, width = sure and not len(beside), flat.side_px
    box = np.array((x, y, turn, width, width if along else height))
    return Judged(
        x, y, max(width, height), value if sure else None, float(faces.likeness[face, value - 1]),
        float(faces.contrast[face]), faces.pips_of(face, value), box,
        float(faces.level[face]), shade.dark, beside, flat, along,
    )  # fmt: skip


def _cleared(
    judged: Sequence[Judged], side_px: float, *, neighbours: bool
) -> Generator[float, None, list[Judged]]:
    """The faces beside which no pip is but those of `neighbours`, if there may be any; in steps.

    Another is in doubt: what is beside it may be another side of the same die.
    """
    sure = [one for one in judged if one.value is not None and (neighbours or not len(one.beside))]
    theirs = dict[int, list[tuple[int, NDArray[np.bool_]]]]()
    for one in sure:
        if len(one.beside):
            near = [other for other in sure if is_near(other, one, side_px)]
            near = [other for other in near if other is one or other.may_have(one.beside)]
            yield BESIDE_WORK * (1 + len(near))
            theirs[id(one)] = [(id(face), face.has_for(one, side_px)) for face in near]
    clear, before = {id(one) for one in sure}, 0
    while len(clear) != before:
        before = len(clear)
        clear = {
            one for one in clear
            if one not in theirs or is_all_of(*(has for face, has in theirs[one] if face in clear))
        }  # fmt: skip
    return [
        one if id(one) in clear or one.value is None else replace(one, value=None)
        for one in judged
        if id(one) in clear or one.value is None or one.value > FEW
    ]


def _is_sure(faces: Faces, face: int, value: int) -> bool:
    """Whether a face can only have this value and is very like it."""
    likeness = faces.likeness[face]
    lead = likeness[value - 1] - np.delete(likeness, value - 1).max()
    least = LEAST_OF_ONE if value == 1 else LEAST_LIKENESS
    least = LEAST_ALONG if faces.along[face] else least
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
    judged: Sequence[Judged], side_px: float
) -> Generator[float, None, list[tuple[Judged, int | None]]]:
    """The face with most pips at each place, in steps; in doubt where another fits as well."""
    kept: list[tuple[Judged, list[Judged]]] = []
    ones = [one for one in judged if one.value == 1]
    judged = [one for one in judged if not any(_is_one_and_side(one, it) for it in ones)]
    for one in sorted(judged, key=lambda one: (-(one.value or 0), one.along, -one.likeness)):
        yield APART_WORK
        near = [at for at, (best, _) in enumerate(kept) if _overlap(one, best, side_px)]
        if all(_is_side_of(kept[at][0], one) for at in near):
            for at in reversed(near):
                kept.pop(at)
            kept.append((one, []))
            continue
        for at in near:  # a pip or two of one that stays take no neighbour's place
            kept[at][1].append(one)
    told = list[tuple[Judged, int | None]]()
    for best, others in kept:
        yield APART_WORK * len(others)
        theirs = [
            face for face, _ in kept if face.value is not None and are_two(face, best, side_px)
        ]
        doubted = any(_rivals(one, best, theirs) for one in others)
        along = (one for one in others if one.along and one.value == best.value)
        told_of = replace(best, otherwise=next(along, None), or_one=_may_be_one(best, others))
        told.append((told_of, None if doubted else best.value))
    return told


def _is_one_and_side(two: Judged, one: Judged) -> bool:
    """Whether a 2 is the pip of a 1, which is more like its picture, and one on that die's side."""
    if two.value != FEW or one.likeness < two.likeness + BETTER_ONE:
        return False
    shared = _shared(two, one)
    return bool(shared.any() and (shared | one.on_its_sides(two.pips)).all())


def _may_be_one(best: Judged, others: Sequence[Judged]) -> bool:
    """Whether one pip of a 2 is as like a 1: the other may be of a side, or of the die below."""
    return best.value == FEW and any(
        one.value == 1 and one.likeness > best.likeness - AS_LIKE_ONE and _shared(one, best).any()
        for one in others
    )


def _is_side_of(one: Judged, other: Judged) -> bool:
    """Whether a face is rather the side of a die that shows another: there, or near and fainter."""
    if other.value is None or not other.may_show(one) or _shared(one, other).any():
        return False
    near = not are_two(one, other, other.flat.side_px)
    fainter = near and one.contrast < SIDE_CONTRAST * other.contrast
    return fainter or bool(other.on_its_sides(one.pips).all())


def _overlap(one: Judged, other: Judged, side_px: float) -> bool:
    """Whether two faces cannot be those of two dice; one in doubt may be the side of the other."""
    apart = math.hypot(one.x - other.x, one.y - other.y)
    if _is_side_of(one, other) or _is_side_of(other, one):
        near = apart < SIDE_BY_SIDE * max(one.width_px, other.width_px, side_px)
        return near or other.has_side_at(one) or one.has_side_at(other)
    if None in {one.value, other.value}:
        return apart < SIDE_BY_SIDE * max(one.width_px, other.width_px, side_px)
    return apart < UPON * max(one.width_px, other.width_px, side_px)


def _rivals(one: Judged, best: Judged, neighbours: Sequence[Judged]) -> bool:
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
    if (shared | best.on_its_sides(one.pips)).all():  # some of them, and some on its own sides
        return one.likeness > best.likeness
    return one.likeness > best.likeness - LEAST_LEAD


def _shared(one: Judged, other: Judged) -> NDArray[np.bool_]:
    """Which of a face's pips are the other's as well."""
    apart = np.linalg.norm(one.pips[:, None] - other.pips, axis=2).min(axis=1)
    return np.asarray(apart < OWN_PIP * other.width_px, np.bool_)
