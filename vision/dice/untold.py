"""Dice of a picture that shows no board, where nobody tells how the camera stands.

Pips alone tell few dice that are seen at a slant. So the picture is also read as if a camera took
it that is tilted by this much or that, and dice were of this size or that: each such view judges a
die as strictly as beside a board. A value counts where views agree on it, and none tells another;
nor do they agree on one of another face of the same die.

What pips alone tell counts, too, for dice seen through a glass have neither edges nor sides; but
not where views know that the camera is slanted: then sides of a die look like its upper face. Nor
does it where more views see another face of the same die, or where a face is too narrow for a die
and no view tells it: it may be a side of one that leans.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from vision.camera.frame import ColourImage, Frame
from vision.dice.dice import DieSeen, read_dice
from vision.dice.memory import dice_before
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
SAME_DIE = 0.75
"""Two faces so near to each other, in widths of a die, are of one die, or one lies on another."""
NARROW = 0.7
"""A face of less than so much of a die's width may be a side; through glass there were 0.79."""


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
    clear = [place for place in places if len(place.values) == 1]
    by_views = [place for place in clear if place.is_agreed(best)]
    agreed = [
        place for place in by_views if sum(_is_one_die(place, it, die_px) for it in by_views) == 1
    ]
    by_pips_alone = [
        place
        for place in clear
        if place.is_told_by_pips and not _may_be_side(place, places, die_px)
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


def _may_be_side(place: _Place, places: Sequence[_Place], die_px: float) -> bool:
    """Whether what pips alone tell may be no upper face."""
    narrow = place.all_told[0].side_px < NARROW * die_px and not place.views
    return narrow or any(_is_side_of(place, other, die_px) for other in places)


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
