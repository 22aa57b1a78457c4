"""The cheap first look at each frame: did anything move, is a hand there, was it only the light?

It works on a picture a quarter as wide and high (about 320 x 180), so that a still table costs next
to nothing. The frame is held against the one before (does anything move?) and against the
*background*: the table as it was when it last lay settled (is something foreign there?). The light
of the whole frame is fitted first, so that a lamp or the camera's exposure is no motion.

Shadow and hand are told apart by the print below: in a shadow the table keeps its pattern, a hand
brings its own. A hand is foreign *and* reaches in from the picture's edge; a card or a token that
was put down does not. What reaches in and only lies there (`take_for_table`) is part of the table
until it moves; the table beneath is remembered meanwhile.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.offers import PictureState
from vision.camera.frame import GreyImage
from vision.markers.reading import Crop

Mask = NDArray[np.uint8]
"""[height, width] of the small picture: 255 where it holds, 0 elsewhere."""

# -- Is it another picture at all? Sizes are px of the small one, brightness levels of grey.

SMALL_WIDTH_PX = 320
"""How wide the small picture is, about: a marker of 28 px is seven of its pixels."""
LEVELS_CHANGED = 12
"""A pixel that changed by less has not: noise, averaged over 4 x 4 pixels, stays far below."""
NOISE_TIMES, MOST_LEVELS = 5.0, 24.0
"""Where a camera's noise (sigma of the difference of two frames) is so large that so many times of
it are more, that is the limit instead; from the second on hands would be lost in it."""
NOISE_EVERY_PX, NOISE_FRAMES = 4, 15
"""One pixel of so many, each way, tells a frame's noise; the median of so many frames counts."""
CALM_EVERY = 4
"""While a calm camera's table rests, one frame of so many is measured; each is as soon as anything
moves, and be it by noise."""
SMOOTHINGS = (1, 3, 5)
"""A picture too grainy is smoothed first, over so many small pixels: the least that will do."""
LEAST_PX = 8
"""Fewer pixels are no motion however small the picture is."""
MOVING_SHARE = 20 / 57_600
"""Motion begins at this share of the small picture (a token moved 2 mm changes five times that)."""
DARK_LEVELS = 4
"""Added to both sides of a ratio of light: of 2 levels to 1 nobody can say that it doubled."""
THIRD = 3
"""A picture so many times as wide and high is made small by its middles of squares."""
GAIN_EVERY_PX = 8
"""One pixel of so many, each way, tells how the light of the whole changed: some 900."""

# -- Is a part of it the table in another light, or something foreign on it? Figures are of drawn
# shadows that take half of the light, and of drawn hands.

PATTERN_PX = 7
"""The window in which two patterns are compared: as wide as a marker."""
PLAIN_LEVELS = 5.0
"""A patch that varies by less (standard deviation) has no pattern to compare: bare paper."""
LOST_PATTERN = 0.4
"""A correlation under this is another pattern: shadows leave 0.99 in the middle, hands 0.14."""
SAME_PATTERN = 0.9
"""A correlation from this on is the same thing, uncovered again."""
MOST_LIGHT, LEAST_LIGHT = 1.5, 0.25
"""No lamp adds half of the light to a part, no shadow takes more than three quarters of it."""
FOREIGN_SHARE, FOREIGN_PX = 0.16, 12
"""A part of which less is foreign is light: of a shadow 0.07 is or less, of a hand 0.17 or more."""

# -- Is what is foreign a hand?

EDGE_PX = 2
"""What is in so many outermost pixels reaches the edge: the last are averaged thin."""
REACH_SHARE = 0.06
"""A foreign thing that stays within this share of the height from the edge is nobody's hand."""
NEAR_SHARE = 0.1
"""A hand that was there may lift its sleeve so far (a share of the height) from the edge."""
LEVELS_HINTED = 6
"""Levels that are no change by themselves, but join one that is to the picture's edge: a sleeve is
often about as bright as the table."""
STAYS_SHARE = 0.6
"""A hand that was there stays one near the edge, as long as it is nearly as large as it was; what
it leaves behind is smaller."""
GHOST_REST = 15
"""After so many motionless frames a "hand" is asked whether it is not rather a hole left by one."""
GHOST_LEVELS, GHOST_TIMES = 8.0, 1.7
"""It is a hole if its outline stood out by so much more in the background, and so many times as
much. By what is steep across an outline and not along it, hands that are there are 19 levels and
more on the one side, holes 16 and more on the other (28 drawn ones); by all that is steep they mix,
for print is steep too. Where a white sheet lies over a white board's edge, what differs ends at
that edge: it stood out as much as the sheet does, or half as much again. A hole over print, as a
hand leaves it beside cards, stood out 1.9 times as much."""
GHOST_EDGE_PX = 2
"""Nearer to the picture's edge the outline is not asked: there it is the edge's own."""
OUTLINE_SMOOTH_PX = 1.5
"""An outline's way outwards is that of a mask so much smoothed (sigma)."""

# -- Does what reaches in only lie there?

LAID_MARGIN_PX = 2
"""A thing's outline is soft: so much more, in small pixels, is taken for it."""
TOUCH_PX = 5
"""What is so near to it, in small pixels, may be held by it."""

# -- How often, and how coarsely?

JUDGED_EVERY = 8
"""What lies motionless is judged again only so often, in frames."""
USELESS_SHARE = 0.5
"""Areas that fill more of the picture say nothing of where to read: all of it is read."""


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """What one frame is good for, and where it differs from the settled table.

    `state` is still, moving, hand or light. `moved` tells whether it differs from the frame before,
    `rest` for how many frames none did. `areas` are where it differs from the background, in px of
    the whole picture; `everywhere` that these are so large that they are of no use; `fresh` that
    there is no background yet.
    """

    state: PictureState
    moved: bool
    areas: tuple[Crop, ...] = ()
    everywhere: bool = False
    fresh: bool = False
    rest: int = 0


class Gate:
    """Looks at frame after frame of one camera; `learn` when the table lies settled."""

    def __init__(self) -> None:
        self._scale = 1
        self._raw: Mask | None = None
        self._small: Mask | None = None
        self._ground: _Ground | None = None
        self._over: _Overlay | None = None
        self._hand: Mask | None = None
        self._between: dict[tuple[str, tuple[int, int]], Mask] = {}
        self._smoothing = 0
        self._noise = tuple(deque[float](maxlen=NOISE_FRAMES) for _ in SMOOTHINGS)
        self._levels = float(LEVELS_CHANGED)
        self._judged: Glance | None = None
        self._rest = 0
        self._largest_hand = 0

    def look(self, grey: GreyImage) -> Glance:
        """Judge the next frame."""
        raw_before, raw = self._raw, self._shrink(grey)
        self._raw = raw
        if raw_before is None or raw_before.shape != raw.shape:
            for noise in self._noise:
                noise.clear()
            self._small = _smoothed(raw, SMOOTHINGS[self._smoothing])
            self.forget()
            return Glance(PictureState.MOVING, moved=True, everywhere=True, fresh=True)
        if self._is_noise_due:
            self._measure(raw_before, raw)
        before, small = self._small, _smoothed(raw, SMOOTHINGS[self._smoothing])
        self._small = small
        moved = before is None or _differs(before, small, self._levels)
        self._rest = 0 if moved else self._rest + 1
        if self._ground is None:
            state = PictureState.MOVING if moved else PictureState.STILL
            return Glance(state, moved, everywhere=True, fresh=True, rest=self._rest)
        background = self._background(self._ground, small)
        glance = self._against(background, small, moved=moved)
        return replace(glance, areas=glance.areas + self._uncovered(glance), rest=self._rest)

    def _uncovered(self, glance: Glance) -> tuple[Crop, ...]:
        """What lay over the edge is away: what was beneath it is to be read, though it is known."""
        over = self._over
        if over is None or over.lies or glance.state is not PictureState.STILL:
            return ()
        return (Crop(*cv2.boundingRect(over.mask)).scaled(self._scale),)

    def _background(self, ground: _Ground, small: Mask) -> Mask:
        """The settled table: with what lies over its edge, as long as that has not moved."""
        wide, over = SMOOTHINGS[self._smoothing], self._over
        if over is None:
            return ground.smoothed(wide)
        lies = over.is_there(small, wide, self._levels)
        if lies is not over.lies:
            over.lies, self._judged = lies, None
        return (over.with_it if lies else ground).smoothed(wide)

    @property
    def noise_levels(self) -> float:
        """Sigma of the difference of two small pictures where nothing moves."""
        return _median(self._noise[0])

    @property
    def is_calm(self) -> bool:
        """Whether the camera's noise is so small that what differs by half a limit would show."""
        noise = self._noise[0]
        return len(noise) >= 3 and NOISE_TIMES * _median(noise) <= LEVELS_CHANGED / 2

    @property
    def is_too_noisy(self) -> bool:
        """Whether the camera's grain hides what moves: then no frame is surely still."""
        return NOISE_TIMES * _median(self._noise[self._smoothing]) > MOST_LEVELS

    @property
    def _is_noise_due(self) -> bool:
        is_known = len(self._noise[0]) == NOISE_FRAMES and self.is_calm
        return not (is_known and self._rest % CALM_EVERY)

    def _measure(self, before: Mask, now: Mask) -> None:
        """The noise of the newest frame, and what follows: how much is smoothed, and the limit."""
        for noise, wide in zip(self._noise, SMOOTHINGS, strict=True):
            noise.append(_noise_of(_smoothed(before, wide), _smoothed(now, wide)))
            if NOISE_TIMES * _median(noise) <= LEVELS_CHANGED:
                break  # nearly always at once
        fits = (NOISE_TIMES * _median(noise) <= LEVELS_CHANGED for noise in self._noise)
        chosen = next((at for at, fit in enumerate(fits) if fit), len(SMOOTHINGS) - 1)
        limit = NOISE_TIMES * _median(self._noise[chosen])
        self._levels = min(MOST_LEVELS, max(float(LEVELS_CHANGED), limit))
        if chosen != self._smoothing:
            self._smoothing = chosen
            self._small, self._judged = _smoothed(before, SMOOTHINGS[chosen]), None

    def _against(self, background: Mask, small: Mask, *, moved: bool) -> Glance:
        """The frame held against the settled table; what lies motionless only now and then."""
        known = self._judged
        if known is not None and not (moved or known.moved) and self._rest % JUDGED_EVERY:
            return known
        if _differs(background, small, self._levels):
            self._judged = self._judge(background, small, moved=moved)
            return self._judged
        self._judged = self._hand = None
        self._largest_hand = 0  # it has left: what is put down next is no part of it
        # What moves but leaves everything as it was: the tail of a change of light.
        return Glance(PictureState.LIGHT if moved else PictureState.STILL, moved)

    def learn(self) -> None:
        """The frame last looked at is the settled table: the background from now on."""
        self._judged = None
        if self._raw is None:
            return
        self._ground = _Ground(self._raw)
        if self._over is not None and self._over.lies:
            self._over.with_it = self._ground
            self._ground = _Ground(self._over.without_it(self._raw))
        else:
            self._over = None

    def forget(self) -> None:
        """There is no settled table: the camera was moved, or is another."""
        self._ground = self._over = self._judged = self._hand = None
        self._largest_hand = 0

    def take_for_table(self) -> bool:
        """What reaches in lies there and is no hand: part of the table until it moves.

        Whether it was taken for that: not where no hand was seen last, or one that hides too much.
        """
        ground, raw, hand = self._ground, self._raw, self._hand
        if ground is None or raw is None or hand is None:
            return False
        mask = _grown(hand, LAID_MARGIN_PX)
        beneath = ground.raw
        if self._over is not None and self._over.lies:  # more of the same thing, or a second one
            mask = np.asarray(cv2.bitwise_or(mask, self._over.mask), np.uint8)
            beneath = self._over.beneath
        if cv2.countNonZero(mask) > USELESS_SHARE * mask.size:
            return False
        self._over = _Overlay(mask, _Ground(_pasted(raw, mask, ground.raw)), beneath)
        self._judged, self._hand, self._largest_hand = None, None, 0
        return True

    @property
    def over_edge(self) -> bool:
        """Whether something that was taken for part of the table is remembered; it may be away."""
        return self._over is not None

    @property
    def lies_over(self) -> bool:
        """Whether that lay as it was taken in the frame last looked at."""
        return self._over is not None and self._over.lies

    def is_touched(self, outline_px: NDArray[Any]) -> bool:
        """Whether what lies over the edge hides a part of an outline, [n, 2] px, or is close."""
        if self._over is None or not self._over.lies:
            return False
        inside = np.zeros_like(self._over.mask)
        corners = np.asarray(outline_px, np.float64) / self._scale
        cv2.fillConvexPoly(inside, np.rint(np.clip(corners, -4096, 4096)).astype(np.int32), 255)
        return bool(cv2.countNonZero(cv2.bitwise_and(inside, self._over.near)))

    def looks_as_before(self, area: Crop) -> bool:
        """Whether a part of the picture has the pattern that it has in the background."""
        if self._ground is None or self._small is None:
            return False
        background = self._ground.smoothed(SMOOTHINGS[self._smoothing])
        left, top, width, height = (side // self._scale for side in area)
        ends = (top, top + height + 1), (left, left + width + 1)
        window = tuple(slice(max(0, first), max(0, end)) for first, end in ends)
        return _is_alike(background[window], self._small[window])

    def _shrink(self, grey: GreyImage) -> Mask:
        """The small picture, a copy of its own."""
        scale = self._scale = max(1, round(grey.shape[1] / SMALL_WIDTH_PX))
        while scale % 2 == 0:  # halving averages as well, in a third of the time
            size, scale = _parted(grey, 2), scale // 2
            room = self._room("half", size) if scale > 1 else None
            half = cv2.resize(grey, size, room, interpolation=cv2.INTER_LINEAR)
            grey = np.asarray(half, np.uint8)
            if scale == 1:
                return grey
        if scale == THIRD and grey.shape[0] % THIRD == grey.shape[1] % THIRD == 0:
            means = self._room("means", (grey.shape[1], grey.shape[0]))
            cv2.blur(grey, (THIRD, THIRD), means)  # the same as below, in less time
            return np.ascontiguousarray(means[THIRD // 2 :: THIRD, THIRD // 2 :: THIRD])
        size = _parted(grey, scale)
        return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)

    def _room(self, name: str, size: tuple[int, int]) -> Mask:
        """Where a picture between is made, of that width and height: the same with each frame.

        To be given so much memory anew costs half as much as the picture.
        """
        if (name, size) not in self._between:
            self._between[name, size] = np.empty(size[::-1], np.uint8)
        return self._between[name, size]

    def _judge(self, background: Mask, small: Mask, *, moved: bool) -> Glance:
        """A frame that differs from the background: by a hand, by light, or by what was moved."""
        gain = _gain(background, small)
        different = _changed(_lit(background, gain), small, self._levels)
        foreign = _foreign(background, small, different, gain)
        blobs = _blobs(different, foreign)
        if hand := self._is_hand_there(blobs, background, small, gain):
            state = PictureState.HAND
        elif not moved:
            state = PictureState.STILL
        else:
            light = all(blob.is_light for blob in blobs)
            state = PictureState.LIGHT if light else PictureState.MOVING
        if not hand:
            self._largest_hand, self._hand = 0, None
        changed_px = sum(blob.box.width * blob.box.height for blob in blobs)
        areas = tuple(blob.box.scaled(self._scale) for blob in blobs)
        return Glance(state, moved, areas, changed_px > USELESS_SHARE * small.size)

    def _is_hand_there(
        self, blobs: Sequence[_Blob], background: Mask, small: Mask, gain: float
    ) -> bool:
        suspects = [blob for blob in blobs if blob.reaches_in and not blob.is_light]
        if not suspects:
            return False
        levels = LEVELS_HINTED * self._levels / LEVELS_CHANGED
        leading_out = _leading_out(blobs, _changed(_lit(background, gain), small, levels))
        hands = [blob for blob in suspects if self._is_hand(blob, leading_out)]
        if self._rest > GHOST_REST:
            hands = [blob for blob in hands if not _is_ghost(background, small, blob)]
        self._largest_hand = max([self._largest_hand, *(hand.pixels for hand in hands)])
        self._hand = _as_things(hands, blobs, leading_out)
        return bool(hands)

    def _is_hand(self, blob: _Blob, leading_out: Mask) -> bool:
        """Whether something foreign reaches in from the edge, or nearly so just after it did."""
        if cv2.countNonZero(cv2.bitwise_and(leading_out, blob.mask)):
            return True
        was_there = bool(self._largest_hand)
        return was_there and blob.near_edge and blob.pixels > STAYS_SHARE * self._largest_hand


@dataclass(frozen=True, slots=True, eq=False)
class _Blob:
    """A part of the picture that differs from the background; counts in small pixels."""

    box: Crop
    pixels: int
    foreign: int
    near_edge: bool
    reaches_in: bool
    mask: Mask

    @property
    def is_light(self) -> bool:
        """Nearly all of it keeps the table's pattern."""
        return self.foreign < max(FOREIGN_PX, FOREIGN_SHARE * self.pixels)


class _Ground:
    """A small picture of the settled table, smoothed as far as the camera's grain asks for."""

    def __init__(self, raw: Mask) -> None:
        self.raw = raw
        self._wide, self._smooth = 1, raw

    def smoothed(self, wide: int) -> Mask:
        """Averaged over a square so many pixels wide."""
        if wide != self._wide:
            self._wide, self._smooth = wide, _smoothed(self.raw, wide)
        return self._smooth


class _Overlay:
    """What lies over the picture's edge and is no hand, as long as it does not move.

    `mask` is where it lies, `near` that and a little more; `with_it` is the table as it is with it,
    `beneath` as it was before, both small pictures. `lies` tells whether it is there as it lay, in
    the frame last looked at.
    """

    def __init__(self, mask: Mask, with_it: _Ground, beneath: Mask) -> None:
        self.mask, self.near = mask, _grown(mask, TOUCH_PX)
        self.with_it, self.beneath = with_it, beneath
        self.lies = True
        left, top, width, height = cv2.boundingRect(mask)
        self._window = slice(top, top + height), slice(left, left + width)

    def is_there(self, small: Mask, wide: int, levels: float) -> bool:
        """Whether it lies as it lay, in the light of then or, each pixel for itself, of now.

        Paper that is cut off at white stays white in less light.
        """
        before, now = self.with_it.smoothed(wide), small[self._window]
        then = before[self._window]
        changed = self.mask[self._window]
        for one in (then, _lit(then, _gain(before, small))):
            changed = np.asarray(cv2.bitwise_and(changed, _changed(one, now, levels)), np.uint8)
        return cv2.countNonZero(changed) < _least(small)

    def without_it(self, raw: Mask) -> Mask:
        """The table as it is now, with what was beneath the thing in the light of now."""
        return _pasted(_lit(self.beneath, _gain(self.beneath, raw)), self.mask, raw)


def _pasted(part: Mask, mask: Mask, on: Mask) -> Mask:
    """A copy of a picture with a part of another in it."""
    return np.asarray(cv2.copyTo(part, mask, on.copy()), np.uint8)


def _grown(mask: Mask, by_px: int) -> Mask:
    square = np.ones((2 * by_px + 1, 2 * by_px + 1), np.uint8)
    return np.asarray(cv2.dilate(mask, square), np.uint8)


def _as_things(hands: Sequence[_Blob], blobs: Sequence[_Blob], leading_out: Mask) -> Mask | None:
    """All of some hands, the fainter parts by which they lead out of the picture, their shadows."""
    if not hands:
        return None
    whole = np.zeros_like(leading_out)
    for hand in hands:
        cv2.bitwise_or(whole, hand.mask, whole)
    things = _connected(np.asarray(cv2.bitwise_or(whole, leading_out), np.uint8), whole)
    near = _grown(things, TOUCH_PX)
    for blob in blobs:
        if cv2.countNonZero(cv2.bitwise_and(blob.mask, near)):
            cv2.bitwise_or(things, blob.mask, things)
    return things


def _parted(grey: GreyImage, parts: int) -> tuple[int, int]:
    """The width and height of a picture so many times smaller, one px at the least."""
    return (max(1, grey.shape[1] // parts), max(1, grey.shape[0] // parts))


def _least(small: Mask) -> int:
    """How many pixels must differ to be a motion."""
    return max(LEAST_PX, round(small.size * MOVING_SHARE))


def _smoothed(small: Mask, wide: int) -> Mask:
    """A picture averaged over a square so many pixels wide."""
    return small if wide == 1 else np.asarray(cv2.blur(small, (wide, wide)), np.uint8)


_WHITE = 255


def _noise_of(before: Mask, now: Mask) -> float:
    """Sigma of the difference of two frames where nothing moves: by the median, of whole levels.

    What moves, if it is less than half of the picture, has no say; nor has the light of the whole.
    """
    each = slice(None, None, NOISE_EVERY_PX)
    apart = now[each, each].astype(np.intp)
    apart -= before[each, each]
    apart += _WHITE
    each_level = np.bincount(apart.ravel(), minlength=2 * _WHITE + 1)
    up_to = np.cumsum(each_level)
    low, high = np.searchsorted(up_to, ((apart.size - 1) // 2, apart.size // 2), side="right")
    light = _WHITE + int((int(low + high) - 2 * _WHITE) / 2)
    counts = np.zeros(2 * _WHITE + 1, np.intp)
    counts[: len(each_level) - light] = each_level[light:]
    counts[1 : light + 1] += each_level[:light][::-1]
    sums, half = np.cumsum(counts), apart.size / 2
    level = int(np.searchsorted(sums, half))
    share = 1.0 - float((sums[level] - half) / counts[level])
    # A level k stands for all from k - 1/2 to k + 1/2; the lowest for those from 0.
    middle = 0.5 * share if level == 0 else level - 0.5 + share
    return 1.4826 * middle


def _median(numbers: Sequence[float]) -> float:
    """The middle one of some numbers; 0 while they are too few to tell."""
    return sorted(numbers)[len(numbers) // 2] if len(numbers) >= 3 else 0.0


def _differs(before: Mask, now: Mask, limit: float) -> bool:
    """Whether anything is another, and be it the light of the whole frame."""
    if cv2.norm(before, now, cv2.NORM_INF) <= limit:  # as a rule
        return False
    return cv2.countNonZero(_changed(before, now, limit)) >= _least(now)


def _gain(before: Mask, now: Mask) -> float:
    """By how much the light of the whole frame changed; what changed in parts has no say."""
    each = slice(None, None, GAIN_EVERY_PX)
    first, second = (part[each, each].astype(np.float32) + DARK_LEVELS for part in (before, now))
    share = second / first
    light = np.sort(share, axis=None)  # its median, in half the time
    return float((light[(light.size - 1) // 2] + light[light.size // 2]) / 2)


def _lit(picture: Mask, gain: float) -> Mask:
    """A picture in so many times the light."""
    return np.asarray(cv2.convertScaleAbs(picture, alpha=gain), np.uint8)


def _changed(before: Mask, now: Mask, levels: float) -> Mask:
    """Where two frames differ by more than some grey levels."""
    difference = cv2.absdiff(before, now)
    return np.asarray(cv2.threshold(difference, levels, 255, cv2.THRESH_BINARY)[1], np.uint8)


_SQUARE_3, _SQUARE_5 = np.ones((3, 3), np.uint8), np.ones((5, 5), np.uint8)


def _foreign(background: Mask, now: Mask, different: Mask, gain: float) -> Mask:
    """Where the pattern is another one: not the table in another light, but something on it."""
    found = np.zeros_like(different)
    window = _window_of(different, PATTERN_PX)
    if window is None:
        return found
    found[window] = _new_pattern(background[window], now[window], gain)
    return np.asarray(cv2.bitwise_and(found, different), np.uint8)


def _new_pattern(background: Mask, now: Mask, gain: float) -> Mask:
    first, second = background.astype(np.float32), now.astype(np.float32)
    mean_1, mean_2 = _mean(first), _mean(second)
    variance_1 = _mean(first * first) - mean_1 * mean_1
    variance_2 = _mean(second * second) - mean_2 * mean_2
    spread_1, spread_2 = np.sqrt(variance_1.clip(0)), np.sqrt(variance_2.clip(0))
    alike = (_mean(first * second) - mean_1 * mean_2) / (spread_1 * spread_2 + 1e-3)
    light = (mean_2 + DARK_LEVELS) / (mean_1 + DARK_LEVELS)
    lit_1 = spread_1 * light
    other = (np.maximum(lit_1, spread_2) > PLAIN_LEVELS) & (alike < LOST_PATTERN)
    beyond = (light > MOST_LIGHT * gain) | (light < LEAST_LIGHT * gain)
    return np.asarray((other | beyond) * np.uint8(255), np.uint8)


def _mean(picture: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(picture, (PATTERN_PX, PATTERN_PX)), np.float32)


def _blobs(different: Mask, foreign: Mask) -> list[_Blob]:
    """The connected parts that differ; specks are left out."""
    window = _window_of(different, len(_SQUARE_5))  # nearly all of the picture is as it was
    if window is None:
        return []
    joined = cv2.morphologyEx(different[window], cv2.MORPH_CLOSE, _SQUARE_5)
    thick = np.asarray(cv2.morphologyEx(foreign[window], cv2.MORPH_OPEN, _SQUARE_3), np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found: list[_Blob] = []
    for label in range(1, count):
        if int(stats[label, cv2.CC_STAT_AREA]) >= _least(different) // 2:
            own = np.zeros_like(different)
            own[window] = cv2.inRange(labels, label, label)
            found.append(_blob(own, window, thick, stats[label].tolist()))
    return found


def _window_of(mask: Mask, margin: int) -> tuple[slice, slice] | None:
    """Rows and columns of all that holds in a mask and a little more; None where nothing does."""
    left, top, width, height = cv2.boundingRect(mask)
    if not width:
        return None
    rows = slice(max(0, top - margin), top + height + margin)
    return rows, slice(max(0, left - margin), left + width + margin)


def _blob(mask: Mask, window: tuple[slice, slice], thick: Mask, stats: Sequence[int]) -> _Blob:
    """One part by its mask; `thick` is what is foreign in the window, `stats` are of the window."""
    rows, columns = mask.shape
    left, top, width, height, pixels = stats
    left, top = left + window[1].start, top + window[0].start
    own = np.zeros_like(mask)
    own[window] = cv2.bitwise_and(thick, mask[window])
    inner, near = round(REACH_SHARE * rows), round(NEAR_SHARE * rows)
    reach = cv2.countNonZero(own[inner : rows - inner, inner : columns - inner])
    gap = min(left, top, columns - left - width, rows - top - height)
    box = Crop(left, top, width, height)
    return _Blob(box, pixels, cv2.countNonZero(own), gap <= near, bool(reach), mask)


def _leading_out(blobs: Sequence[_Blob], hinted: Mask) -> Mask:
    """The connected parts that touch the picture's edge, of all that differs or seems to."""
    whole, edge = hinted.copy(), np.zeros_like(hinted)
    for blob in blobs:
        cv2.bitwise_or(whole, blob.mask, whole)
    for strip in _rim(edge, EDGE_PX):
        strip[...] = 255
    return _connected(whole, edge)


def _connected(whole: Mask, to: Mask) -> Mask:
    """The connected parts of a mask that another one has a pixel of."""
    found = np.zeros_like(whole)
    window = _window_of(whole, 0)
    if window is None:
        return found
    touching = np.asarray(cv2.bitwise_and(whole[window], to[window]), np.uint8)
    if not cv2.countNonZero(touching):
        return found
    count, parts = cv2.connectedComponents(whole[window])
    labels, levels = np.asarray(parts, np.int32), np.zeros(count, np.uint8)
    levels[labels[touching > 0]] = 255
    found[window] = levels[labels]
    return found


def _rim(picture: NDArray[Any], wide: int) -> tuple[NDArray[Any], ...]:
    """The strips along the four edges of a picture, views."""
    return (picture[:wide], picture[-wide:], picture[:, :wide], picture[:, -wide:])


def _is_ghost(background: Mask, now: Mask, blob: _Blob) -> bool:
    """Whether the thing was in the background and is gone now: then its outline was there, too."""
    was, is_now = (_outlined(picture, blob.mask) for picture in (background, now))
    return was > is_now + GHOST_LEVELS and was > GHOST_TIMES * is_now


def _outlined(picture: Mask, mask: Mask) -> float:
    """By how much steeper a picture is across a mask's outline than along it, levels.

    A thing's outline is steep across; print goes on below it, and is as steep either way.
    """
    ring = cv2.morphologyEx(mask, cv2.MORPH_GRADIENT, _SQUARE_3).astype(bool)
    for strip in _rim(ring, GHOST_EDGE_PX):
        strip[...] = False
    if not ring.any():
        return 0.0
    soft = cv2.GaussianBlur(mask.astype(np.float32), (0, 0), OUTLINE_SMOOTH_PX)
    (out_x, out_y), (x, y) = ([part[ring] for part in _slopes(one)] for one in (soft, picture))
    length = np.hypot(out_x, out_y) + 1e-6
    across, along = x * out_x + y * out_y, x * out_y - y * out_x
    outwards = (np.abs(across) - np.abs(along)) / length
    return float(outwards.mean())


def _slopes(picture: NDArray[Any]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    across, down = (cv2.Sobel(picture, cv2.CV_32F, *order) for order in ((1, 0), (0, 1)))
    return np.asarray(across, np.float32), np.asarray(down, np.float32)


def _is_alike(first: Mask, second: Mask) -> bool:
    """Whether two small patches have one pattern; so have two that are plain, or outside."""
    if not first.size:
        return True
    one, other = (patch.astype(np.float32) - float(patch.mean()) for patch in (first, second))
    scale = float(np.sqrt((one * one).sum() * (other * other).sum()))
    is_plain = max(float(one.std()), float(other.std())) < PLAIN_LEVELS
    return is_plain or float((one * other).sum()) > SAME_PATTERN * scale
