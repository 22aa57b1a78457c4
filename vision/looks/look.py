"""How one token looks, and how like that is what lies on a board, turned to every heading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Piece, Token
from companion.core.errors import BadCall
from vision.looks.boards import CHANNELS, Found, Picture, in_lab

SIZE_LIMITS = (0.6, 1.6)
"""What differs is a token where it is about as large as one that was shown."""
TURN_STEP_DEG = 5.0
BESIDE_DEG = 25.0
"""Headings this near to the best one are no other headings."""
SURE, CLEAR = 0.62, 0.08
"""How like a shown token something must be, and by how much more than like any other."""
SHOWN_TWICE = 0.12
"""By so much one token that was shown twice was less like itself at the most, on drawn tables;
different ones of two boxes by 0.33 at the least."""
SURE_SHAPE = 0.62
"""The same for its shape alone: one colour and one size are common, and another token's shape was
never so like on photographs."""
INDEPENDENT = 10.0
"""Points of a token's picture that tell of its heading by themselves: from errors that were found
on drawn tables."""
LEAST_SD_DEG = 0.5
LEAST_SPREAD = 1.0
"""Lightness and colours that differ less than this over a thing are noise, and show no shape."""
SHIFTS_PX = (-2, -1, 0, 1, 2)


@dataclass(frozen=True, eq=False)
class TaughtLook:
    """One token as it was shown, pointing to the top: its picture, where it lies in it, its size.

    `margin` is how much less than itself the likest other token, `likest`, is like it, 0 to 1: how
    far reading it can be trusted. Alone it has no other.
    """

    piece: Piece
    picture: Picture
    mask: NDArray[np.bool_]
    area_mm2: float
    headed: bool
    margin: float = 1.0
    likest: Piece | None = None

    @property
    def is_clear(self) -> bool:
        """Whether it can be told from every other token that was shown, also when seen again."""
        return self.margin >= CLEAR + SHOWN_TWICE

    @property
    def is_coloured(self) -> bool:
        """Whether it was shown in colours; the channels of a grey picture are all one."""
        return bool(np.ptp(self.picture[self.mask], axis=-1).any())


@dataclass(frozen=True)
class Likeness:
    """How like one look a found thing is, at its best heading, and how clear that heading is.

    `shape` is what picture and outline tell of it without colour and size, 0 to 1.
    """

    score: float
    shape: float = 0.0
    heading_deg: float = 0.0
    heading_sd_deg: float = 180.0
    turn_margin: float = 0.0


def taught(token: Token, things: Sequence[Found], *, headed: bool) -> TaughtLook:
    """What was shown: the only thing on the boards. `headed`: it points to its board's top.

    Raises `BadCall` where nothing or more than one thing lies there.
    """
    if not things:
        raise BadCall(
            f"nothing new is seen: put the {token.label} on a board, alone; one of the board's own "
            "colour needs a sticker"
        )
    if len(things) > 1:
        raise BadCall(
            f"{len(things)} things lie on the boards: leave the {token.label} alone there"
        )
    (thing,) = things
    return TaughtLook(token.piece, thing.picture, thing.mask, thing.area_mm2, headed)


def with_margins(looks: Sequence[TaughtLook]) -> tuple[TaughtLook, ...]:
    """The looks, each with how clearly it differs from the others that were shown."""
    turned = [TurnedLook(look) for look in looks]
    return tuple(_judged(look, turned) for look in looks)


def _judged(look: TaughtLook, turned: Sequence[TurnedLook]) -> TaughtLook:
    shown = Found("", (0.0, 0.0), look.area_mm2, look.picture, look.mask)
    around = Around.of(shown)
    scores = {one.look.piece: one.likeness(shown, around).score for one in turned}
    own = scores.pop(look.piece)
    likest = max(scores, key=scores.__getitem__, default=None)
    margin = own - (scores[likest] if likest is not None else 0.0)
    return replace(look, margin=max(0.0, margin), likest=likest)


class TurnedLook:
    """One look at every heading, ready to be held against what lies on a board."""

    def __init__(self, look: TaughtLook) -> None:
        self.look = look
        self.turns = np.arange(0.0, 360.0, TURN_STEP_DEG)
        levels, mask = _halved(in_lab(look.picture)), _halved_mask(look.mask)
        shown = [_turned(levels, mask, turn) for turn in self.turns]
        self._masks = np.stack([mask.ravel() for _, mask in shown]).astype(np.float32)
        self._count = self._masks.sum(axis=1)
        self._levels = np.stack([_about_mean(*one).ravel() for one in shown])
        self._norms = np.linalg.norm(self._levels, axis=1)

    def under(self, limit: Sequence[float]) -> TurnedLook:
        """The same, as a camera shows it that tells nothing above some levels."""
        shown = self.look.picture[self.look.mask]
        if (np.quantile(shown, 0.9, axis=0) <= limit).all():
            return self
        seen = np.minimum(self.look.picture, np.array(limit, np.float32))
        return TurnedLook(replace(self.look, picture=seen))

    def likeness(self, thing: Found, around: Around | None = None) -> Likeness:
        """How like the look a found thing is, 0 to 1, turned to the heading that fits best."""
        ratio = thing.area_mm2 / self.look.area_mm2
        if not SIZE_LIMITS[0] <= ratio <= SIZE_LIMITS[1] or not (
            thing.mask.any() and self.look.mask.any()
        ):
            return Likeness(0.0)
        size = math.exp(-((math.log(ratio) / 0.3) ** 2))
        each = self._fits(around or Around.of(thing))
        best = int(each.argmax())
        apart = np.abs((self.turns - self.turns[best] + 180) % 360 - 180) > BESIDE_DEG
        score = 0.5 * float(each[best]) + 0.35 * _colour_likeness(thing, self.look) + 0.15 * size
        heading_deg, sd_deg = _peak(self.turns, each, best)
        margin = float(each[best] - each[apart].max())
        return Likeness(score, float(each[best]), heading_deg, sd_deg, margin)

    def _fits(self, around: Around) -> NDArray[np.float64]:
        """For each heading the correlation of lightness and colours, and how outlines agree.

        The best of a few shifts counts: a token's shadow, which does not turn with it, draws the
        middle of what differs aside.
        """
        sums = (self._masks @ around.by_channel).reshape(len(self.turns), CHANNELS, -1)
        means = (sums**2).sum(axis=1) / self._count[:, None]
        flat = LEAST_SPREAD**2 * self._count[:, None]
        spread = np.sqrt(np.maximum(self._masks @ around.squares - means, flat))
        same = (self._levels @ around.levels) / (self._norms[:, None] * spread + 1e-6)
        shared = self._masks @ around.masks
        outline = shared / (self._count[:, None] + around.masks.sum(axis=0) - shared)
        return np.asarray((np.clip(same, 0.0, 1.0) * outline).max(axis=1), np.float64)


@dataclass(frozen=True, eq=False)
class Around:
    """A found thing at a few places round its own; the last axis is where.

    `levels` [pixels * channels, places], the same `by_channel` [pixels, channels * places], their
    `squares` over all channels and the `masks` [pixels, places].
    """

    levels: NDArray[np.float32]
    by_channel: NDArray[np.float32]
    squares: NDArray[np.float32]
    masks: NDArray[np.float32]

    @classmethod
    def of(cls, thing: Found) -> Around:
        """Shift it every way."""
        seen = np.minimum(thing.picture, np.array(thing.limit, np.float32))
        levels, mask = _halved(in_lab(seen)), _halved_mask(thing.mask).astype(np.float32)
        shifts = [(dy, dx) for dx in SHIFTS_PX for dy in SHIFTS_PX]
        shifted = np.stack([np.roll(levels, by, (0, 1)) for by in shifts], axis=-1)
        masks = np.stack([np.roll(mask, by, (0, 1)).ravel() for by in shifts], axis=-1)
        pixels = shifted.shape[0] * shifted.shape[1]
        return cls(
            shifted.reshape(pixels * CHANNELS, -1),
            shifted.reshape(pixels, -1),
            (shifted**2).sum(axis=2).reshape(pixels, -1),
            masks,
        )


def _halved(picture: Picture) -> Picture:
    """Half as many points along each side: what tells tokens apart is coarser than they are."""
    size = (picture.shape[1] // 2, picture.shape[0] // 2)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32)


def _halved_mask(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray(_halved(mask.astype(np.float32)) > 0.5)


def _about_mean(picture: Picture, mask: NDArray[np.bool_]) -> Picture:
    """What of each channel differs from its mean over a mask; nothing outside of it."""
    spread = np.zeros_like(picture)
    if mask.any():
        spread[mask] = picture[mask] - picture[mask].mean(axis=0)
    return spread


def _turned(
    picture: Picture, mask: NDArray[np.bool_], turn_deg: float
) -> tuple[Picture, NDArray[np.bool_]]:
    """A picture and its mask, turned clockwise about their middle."""
    side = picture.shape[0]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), -turn_deg, 1.0)
    turned = cv2.warpAffine(picture, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inside = cv2.warpAffine(mask.astype(np.uint8), matrix, (side, side), flags=cv2.INTER_NEAREST)
    return np.asarray(turned, np.float32), np.asarray(inside, np.uint8).astype(bool)


def _peak(turns: NDArray[np.float64], fits: NDArray[np.float64], best: int) -> tuple[float, float]:
    """The heading between the steps, by the parabola through the best one and its neighbours.

    With its standard deviation: the flatter the top, and the worse the fit there, the larger.
    """
    before, top, after = fits[best - 1], fits[best], fits[(best + 1) % len(fits)]
    bend = before - 2 * top + after
    if bend >= 0:
        return float(turns[best]), TURN_STEP_DEG
    off = 0.5 * (before - after) / bend
    sd_deg = TURN_STEP_DEG * math.sqrt(max(0.0, 1 - top) / -bend / INDEPENDENT)
    return float((turns[best] + off * TURN_STEP_DEG) % 360.0), max(LEAST_SD_DEG, sd_deg)


def _colour_likeness(thing: Found, look: TaughtLook) -> float:
    """By the mean lightness and colour of both, as bright as the camera could show them."""
    limit = np.array(thing.limit, np.float32)
    mine, other = (
        in_lab(np.minimum(one.picture, limit))[one.mask].mean(axis=0) for one in (thing, look)
    )
    apart = np.abs(mine - other) * (0.6, 1.0, 1.0)
    return math.exp(-float(np.linalg.norm(apart)) / 14.0)
