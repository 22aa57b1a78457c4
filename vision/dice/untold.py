"""Dice of a picture that shows no board, where nobody tells how the camera stands.

Pips alone tell few dice that are seen at a slant. So the picture is also read as if a camera took
it that is tilted by this much or that, and dice were of this size or that: each such view judges a
die as strictly as beside a board. A value counts where views agree on it, and none tells another;
nor do they agree on one of another face of the same die.

What pips alone tell counts, too, for dice seen through a glass have neither edges nor sides; but
not where views know that the camera is slanted: then sides of a die look like its upper face. Nor
does it where more views see another face of the same die. Where no view tells the face it may be a
side of a die that leans: if it is too narrow for a die, or if the die's outline shows its foot
where no camera sees that of a flat one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.boards.place import BoardPlace
from vision.camera.frame import ColourImage, Frame
from vision.dice.dice import DieSeen, Point, read_dice
from vision.dice.memory import dice_before, flat_die
from vision.dice.outline import SAME_DIE, Outlines
from vision.dice.slant import tilted_place

TILTS_DEG = (5.0, 15.0, 25.0, 35.0)
"""The cameras that are tried, from straight down, the picture's upper edge being the far one: one
of them is within 5 degrees of each that is tilted by 40 at the most, and that is near enough."""
SIZES = (1.0, 0.93, 0.86)
"""The widths of an upper face that are tried, in parts of a die's: its edges are round."""
AGREEING = 2
"""So many of these views tell a die at least; pips alone are one more."""
KNOWN = 2
"""A view knows how the camera stands if it tells so many times as many dice as it misses of those
that pips alone tell."""
SAME_PLACE = 0.5
"""Two dice so near to each other, in sides, are one in two views."""
NARROW = 0.7
"""A face of less than so much of a die's width may be a side; through glass there were 0.79."""
MOST_TILT_DEG = 40.0
"""People's cameras are tilted by no more."""
FOOT_OFF = 0.2
"""So far from where such a camera sees the foot of a flat die, in widths, it may seem to be: on
photographs it was by 0.18, of sides of dice that leant by 0.32."""


@dataclass(slots=True, eq=False)
class _Place:
    """What pips alone tell of one die (None: they find none), and what each view that finds it."""

    by_pips: DieSeen | None = None
    by_view: dict[int, DieSeen] = field(default_factory=dict[int, DieSeen])

    @property
    def all_told(self) -> list[DieSeen]:
        """All that was found there; that by pips first."""
        return [*([self.by_pips] if self.by_pips else []), *self.by_view.values()]

    @property
    def values(self) -> set[int]:
        """All that it may show."""
        return {die.value for die in self.all_told if die.value is not None}

    @property
    def is_told_by_pips(self) -> bool:
        """Whether pips alone tell a value."""
        return self.by_pips is not None and self.by_pips.value is not None

    @property
    def views(self) -> set[int]:
        """The views that tell a value."""
        return {at for at, die in self.by_view.items() if die.value is not None}

    def is_agreed(self, best: set[int]) -> bool:
        """Whether enough tell a value, one of the `best` views or pips among them."""
        enough = len(self.views) + self.is_told_by_pips >= AGREEING
        return enough and (self.is_told_by_pips or bool(self.views & best))

    def told(self, *, sure: bool) -> DieSeen | None:
        """The die there, in doubt unless `sure`; None where hardly anything finds one."""
        found = self.all_told
        if not self.values and self.by_pips is None and len(found) <= _VIEWS / 2:
            return None
        die = next((die for die in found if die.value is not None), found[0])
        return die if sure else DieSeen(None, die.centre_px, die.side_px)


_VIEWS = len(TILTS_DEG) * len(SIZES)


def dice_untold(frame: Frame, die_px: float) -> tuple[DieSeen, ...]:
    """Every die of a picture whose dice are about `die_px` wide, from left to right."""
    by_pips = dice_by_pips(frame, die_px)
    views = [
        dice_before(frame, tilted_place(frame.size_px, tilt_deg, size * die_px), 1.0)
        for size in SIZES
        for tilt_deg in TILTS_DEG
    ]
    counts = [sum(die.value is not None for die in view) for view in views]
    best = {at for at, count in enumerate(counts) if count == max(counts)}
    places = _places(by_pips, views)
    sides = _may_be_sides(places, frame, die_px)
    clear = [place for place in places if len(place.values) == 1]
    by_views = [place for place in clear if place.is_agreed(best)]
    agreed = [
        place for place in by_views if sum(_is_one_die(place, it, die_px) for it in by_views) == 1
    ]
    by_pips_alone = [
        place
        for place in clear
        if place.is_told_by_pips
        and place not in sides
        and not any(_is_side_of(place, other, die_px) for other in places)
    ]
    missed = [place for place in by_pips_alone if not place.views & best]
    slanted = all(at % len(TILTS_DEG) for at in best) and max(counts) >= KNOWN * len(missed)
    sure = agreed if slanted else agreed + by_pips_alone
    dice = (place.told(sure=place in sure) for place in places)
    return tuple(sorted((die for die in dice if die), key=lambda die: die.centre_px))


def dice_by_pips(frame: Frame, die_px: float) -> tuple[DieSeen, ...]:
    """The same by pips alone, a dozen times as quickly: hardly any that is seen at a slant."""

    def colour() -> ColourImage:
        own = frame.in_colour()
        grey = cv2.cvtColor(frame.grey, cv2.COLOR_GRAY2BGR) if own is None else own
        return np.asarray(grey, np.uint8)

    return read_dice(frame.grey, die_px, colour=colour)


def _places(by_pips: Sequence[DieSeen], views: Sequence[Sequence[DieSeen]]) -> list[_Place]:
    """What was found in all views, gathered by where it is."""
    places = [_Place(die) for die in by_pips]
    for at, view in enumerate(views):
        for die in view:
            near = (place for place in places if _is_there(die, place))
            place = min(near, key=lambda one: _apart_px(die, one), default=None)
            if place is None:
                places.append(place := _Place())
            before = place.by_view.get(at)
            if before is None or before.value is None:
                place.by_view[at] = die
    return places


def _may_be_sides(places: Sequence[_Place], frame: Frame, die_px: float) -> list[_Place]:
    """Those that pips alone tell, no view, and that may be no upper face of a flat die."""
    asked = [place for place in places if place.is_told_by_pips and not place.views]
    sides = [place for place in asked if place.all_told[0].side_px < NARROW * die_px]
    if len(sides) == len(asked):
        return sides
    dice = [die for place in places if (die := place.told(sure=False))]
    outlines = Outlines.of(frame, [die.centre_px for die in dice], die_px)
    tilts_deg = (0.0, *TILTS_DEG, MOST_TILT_DEG)
    cameras = [tilted_place(frame.size_px, tilt_deg, die_px) for tilt_deg in tilts_deg]
    for place in asked:
        middle = place.all_told[0].centre_px
        foot = outlines.foot_from(middle)
        if foot is not None and _off_flat(foot, middle, cameras) > FOOT_OFF:
            sides.append(place)
    return sides


def _off_flat(foot: Point, middle: Point, cameras: Sequence[BoardPlace]) -> float:
    """How far from where any of some cameras sees the foot of a flat die another is, in widths.

    From far away a camera sees it the more nearly beneath the face.
    """
    flats = [flat_die(camera, np.array([middle]), 1.0) for camera in cameras]
    feet = [np.array(flat.foot_px) / flat.side_px for flat in flats]
    there = cv2.convexHull(np.array([(0.0, 0.0), *feet], np.float32))
    return -cv2.pointPolygonTest(there, foot, measureDist=True)


def _is_side_of(place: _Place, other: _Place, die_px: float) -> bool:
    """Whether views rather see another face of that die, or of one that hides some of it."""
    return _is_one_die(place, other, die_px) and len(place.by_view) < len(other.by_view)


def _is_one_die(place: _Place, other: _Place, die_px: float) -> bool:
    """Whether two faces are nearer to each other than two dice that lie side by side."""
    return _apart_px(place.all_told[0], other) < SAME_DIE * die_px


def _is_there(die: DieSeen, place: _Place) -> bool:
    return _apart_px(die, place) < SAME_PLACE * die.side_px


def _apart_px(die: DieSeen, place: _Place) -> float:
    return math.dist(die.centre_px, place.all_told[0].centre_px)
