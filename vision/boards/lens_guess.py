"""A lens guessed from the boards of one picture, and how sure that is.

What a lens does not know of itself, the printed corners tell: how their markers' shapes and the
ways between them differ from the print. Focal length, middle and bend are fitted together with
where every board lies, all boards on one table, by damped least squares; what cameras are like as a
rule goes in as a further reading (a prior), so that what the corners do not tell stays what it
usually is, with a spread as wide. The spread goes with the lens into the error of every place.

Source: bundle adjustment, B. Triggs et al. (2000), sections 3 and 9; the bend is Brown's, k1, k2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.boards.lens import Lens, LensSpread, Points

Floats = NDArray[np.float64]
Places = NDArray[np.intp]

# What cameras over tables are like. A lens is told in five numbers that mean the same for any size
# of picture and any width: the logarithm of the focal length per width, where its middle lies off
# the picture's (x and y, per width), and by which share k1 and k2 push out the picture's corners.

USUAL = np.array([math.log(0.72), 0.0, 0.0, -0.03, 0.0])
"""70 degrees across, bent inwards a little."""
USUAL_SD = np.array([0.25, 0.014, 0.014, 0.10, 0.05])
"""50 to 90 degrees; two photographed cameras have a middle 0.016 off, bends of 0.02 and -0.06."""
CORNER_PX = 0.1
"""How far off a corner that was read is, along each axis."""
WORTH = 20
"""So many readings is the figure above worth, beside what the corners themselves leave over."""
TILT_SD, HEIGHT_SD_SHARE = math.radians(0.15), 0.001
"""Boards on one table: card and cloth tilt them a little, and lift them by a share of the way to
the camera."""
WIDER = 1.4
"""A real lens is not quite k1 and k2: its spread is told so much wider than the corners say."""

BLOOM_SD_PX = 0.3
"""How far out or in the edges of all markers seem to lie: blur, ink and a bright lamp move them
(drawn ones of 25 px by 0.02 to 0.2 px). Else markers that seem too large bend the lens."""

LENS, BLOOM, PLANE, EACH = 5, 1, 3, 6
"""Numbers for the lens; how far out edges lie, px; for the table: tilts about x and y (per focal
length in widths), distance (logarithm, per focal length); for each board: its middle in the picture
(x, y, per width), its turn, and its own tilts and height over the table."""
SHARED, UNEVEN = LENS + BLOOM + PLANE, 3
"""Numbers that move the corners of all boards; a board's own tilts and height, which are also read:
as what they are as a rule."""
MOST_STEPS = 40
FIRST_DAMPING, LEAST_DAMPING, MOST_DAMPING = 1e-4, 1e-9, 1e6
DONE = 1e-3
"""A step that betters the sum of squares by less is the last."""
LEAST_WIDTH_PX = 1.0
"""Corners nearer than that to one straight line tell nothing."""
NUDGE = 1e-6
"""For the derivatives, all of which are differences."""
LOW_SDS, MOST_SKEW = 2.0, 3.0
LEAST_RISE = 1e-3


class _NoLens(Exception):
    """Corners that no camera sees so: a board from behind, or all corners in one place."""


def guessed_lens(
    size_px: tuple[int, int], boards_mm: Sequence[Points], boards_px: Sequence[Points]
) -> Lens:
    """Guess a lens from printed boards in one picture, with its spread.

    Each board gives its corners on the board, mm, and in the picture, px, [n, 2] each: three at the
    least that do not lie in one row. Without any board, or where no lens shows such corners, it is
    the usual one, as unsure as that is.
    """
    usual = lens_of(USUAL, np.diag(USUAL_SD), size_px)
    if not boards_mm:
        return usual
    try:
        return _fitted(_BoardsFit(size_px, boards_mm, boards_px), size_px)
    except (cv2.error, np.linalg.LinAlgError, _NoLens):
        return usual


def _fitted(fit: _BoardsFit, size_px: tuple[int, int]) -> Lens:
    """The lens that fits best, with its spread; `_NoLens` where the fit came to no numbers."""
    found = fit.solved(fit.start(float(USUAL[0])), USUAL, USUAL_SD)
    if not (np.isfinite(found.values).all() and np.isfinite(found.covariance).all()):
        raise _NoLens
    ways = np.asarray(np.linalg.cholesky(WIDER**2 * found.covariance), np.float64)
    # Rather wide than narrow: towards wider lenses the corners object much later than a parabola.
    ways[:, 0] *= -fit.skew(found)
    return lens_of(found.values[:LENS], ways, size_px, found.rms_px)


def lens_of(values: Floats, ways: Floats, size_px: tuple[int, int], rms_px: float = 0.0) -> Lens:
    """The lens of five numbers, and its spread: each column of `ways` is one standard deviation."""
    width = size_px[0]
    lens = _bare(values, size_px, rms_px)
    others = [_bare(values + way, size_px, rms_px) for way in ways.T]
    spread = tuple(
        LensSpread(
            other.focal_px[0] / lens.focal_px[0] - 1.0,
            (other.centre_px[0] - lens.centre_px[0]) / width,
            (other.centre_px[1] - lens.centre_px[1]) / width,
            other.distortion[0] - lens.distortion[0],
            other.distortion[1] - lens.distortion[1],
        )
        for other in others
    )
    return replace(lens, spread=spread)


def _bare(values: Floats, size_px: tuple[int, int], rms_px: float) -> Lens:
    focal, x, y, k1, k2 = (float(one[0]) for one in _parts(values[None], size_px))
    return Lens(size_px, (focal, focal), (x, y), (k1, k2, 0.0, 0.0, 0.0), rms_px, assumed=True)


def _parts(values: Floats, size_px: tuple[int, int]) -> tuple[Floats, ...]:
    """Focal length and middle in px, k1 and k2; each [m], of [m, 5]."""
    width, height = size_px
    focal = np.exp(values[:, 0]) * width
    x = (width - 1) / 2 + values[:, 1] * width
    y = (height - 1) / 2 + values[:, 2] * width
    corner = (focal / (math.hypot(width, height) / 2)) ** 2
    return focal, x, y, values[:, 3] * corner, values[:, 4] * corner**2


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """What fits best: all its numbers, and the covariance [5, 5] of the lens's five.

    `cost` is the sum of squares, what lenses are usually like included; the corners alone are off
    by `rms_px`, and `excess` times as much (squared) as they are read.
    """

    values: Floats
    covariance: Floats
    cost: float
    excess: float
    rms_px: float


class _BoardsFit:
    """The corners of some boards in one picture, and what is tried to explain them."""

    def __init__(
        self, size_px: tuple[int, int], boards_mm: Sequence[Points], boards_px: Sequence[Points]
    ) -> None:
        self._size_px = size_px
        self._width = size_px[0]
        self._boards = len(boards_mm)
        self._px = np.concatenate(boards_px)
        self._each_px = boards_px
        self._mm = [_upright(mm, px) for mm, px in zip(boards_mm, boards_px, strict=True)]
        self._flat = np.concatenate(self._mm)
        self._outward = np.concatenate([_outward(px) for px in boards_px])
        self._of = np.repeat(np.arange(self._boards), [len(mm) for mm in boards_mm])
        own = np.tile(np.eye(EACH), self._boards)
        self._nudges = NUDGE * np.block([
            [np.zeros((1, SHARED + own.shape[1]))],
            [np.eye(SHARED), np.zeros((SHARED, own.shape[1]))],
            [np.zeros((EACH, SHARED)), own],
        ])  # fmt: skip
        self._own = self._own_slopes()

    def _own_slopes(self) -> tuple[Places, Places, Places]:
        """Where among all slopes those with boards' own numbers are: numbers, nudges, readings."""
        no_board = np.full(LENS + BLOOM, -1)
        each = np.repeat(np.arange(self._boards), UNEVEN)
        board = np.concatenate([np.repeat(self._of, 2), no_board, each])
        readings, which = np.nonzero(np.repeat(board[:, None] >= 0, EACH, axis=1))
        return SHARED + EACH * board[readings] + which, SHARED + which, readings

    def start(self, log_focal: float) -> Floats:
        """Where the boards lie by a straight lens of that focal length."""
        focal = math.exp(log_focal)
        middle = (np.array(self._size_px) - 1) / 2
        poses = [
            _pose(mm, (px - middle) / (focal * self._width))
            for mm, px in zip(self._mm, self._each_px, strict=True)
        ]
        normal = np.sum([turn[:, 2] for turn, _ in poses], axis=0)
        normal /= np.linalg.norm(normal)
        about_x, about_y = math.atan2(-normal[1], normal[2]), math.asin(normal[0])
        far = float(np.mean([normal @ shift for _, shift in poses]))
        if not far > 0:  # False where it is no number
            raise _NoLens
        table = (_about_x(about_x) @ _about_y(about_y)).T
        each = np.zeros((self._boards, EACH))
        for row, (turn, shift) in zip(each, poses, strict=True):
            own = table @ turn
            row[:2] = shift[:2] / shift[2] * focal
            row[2] = math.atan2(own[1, 0], own[0, 0])
        lens = np.array([log_focal, 0.0, 0.0, 0.0, 0.0])
        plane = [about_x / focal, about_y / focal, math.log(far / (focal * self._width))]
        return np.concatenate([lens, np.zeros(BLOOM), plane, each.ravel()])

    def solved(self, values: Floats, usual: Floats, usual_sd: Floats) -> _Found:
        """The least squares from a start, with what lenses are usually like."""
        damping = FIRST_DAMPING
        off, slope = self._slopes(values, usual, usual_sd)
        for _ in range(MOST_STEPS):
            normal = _squared(slope)
            damped = normal + damping * np.diag(np.diag(normal))
            downhill = slope.T @ off
            tried = values - np.linalg.solve(damped, downhill)
            off_there, slope_there = self._slopes(tried, usual, usual_sd)
            better = _squares(off) - _squares(off_there)
            if better > 0:  # False where it is no number; as a rule true
                values, damping = tried, max(damping / 10, LEAST_DAMPING)
                off, slope = off_there, slope_there
            elif (damping := damping * 10) > MOST_DAMPING:
                break
            if 0 < better < DONE:
                break
        return self._judged(values, off, slope)

    def skew(self, found: _Found) -> float:
        """By how much a focal length two deviations shorter fits better than a parabola has it."""
        log_focal = float(found.values[0]) - LOW_SDS * math.sqrt(found.covariance[0, 0])
        pinned, pinned_sd = USUAL.copy(), USUAL_SD.copy()
        pinned[0], pinned_sd[0] = log_focal, NUDGE
        low = self.solved(self.start(log_focal), pinned, pinned_sd)
        rise = low.cost + ((log_focal - USUAL[0]) / USUAL_SD[0]) ** 2 - found.cost
        return min(MOST_SKEW, max(1.0, LOW_SDS / math.sqrt(max(rise / found.excess, LEAST_RISE))))

    def _judged(self, values: Floats, off: Floats, slope: Floats) -> _Found:
        readings = 2 * len(self._flat)
        left = _squares(off[:readings])
        free = max(0, readings - EACH * self._boards)
        excess = max(1.0, (WORTH + left) / (WORTH + free))
        covariance = np.asarray(np.linalg.inv(_squared(slope))[:LENS, :LENS] * excess, np.float64)
        rms_px = CORNER_PX * math.sqrt(left / len(self._flat))
        return _Found(values, covariance, _squares(off), excess, rms_px)

    def _slopes(self, values: Floats, usual: Floats, usual_sd: Floats) -> tuple[Floats, Floats]:
        """What is off, [r], and how it changes with each number, [r, n].

        A board's own numbers move no other's corners: all boards' first ones are nudged at once, so
        are all their second ones, and what changes with each is what changes of that board.
        """
        off = self._off(values + self._nudges, usual, usual_sd)
        change = (off[1:] - off[0]) / NUDGE
        slope = np.zeros((len(values), off.shape[1]))
        slope[:SHARED] = change[:SHARED]
        numbers, nudges, readings = self._own
        slope[numbers, readings] = change[nudges, readings]
        return off[0], slope.T

    def _off(self, values: Floats, usual: Floats, usual_sd: Floats) -> Floats:
        """What is off, in standard deviations, for each row of numbers: corners, lens, boards."""
        each = values[:, SHARED:].reshape(len(values), self._boards, EACH)
        corners = (self._pictured(values, each) - self._px) / CORNER_PX
        lens = (values[:, :LENS] - usual) / usual_sd
        uneven = each[..., -UNEVEN:] / (TILT_SD, TILT_SD, HEIGHT_SD_SHARE)
        bloom = values[:, LENS : LENS + BLOOM] / BLOOM_SD_PX
        rows = (corners, lens, bloom, uneven)
        return np.concatenate([part.reshape(len(values), -1) for part in rows], axis=1)

    def _pictured(self, values: Floats, each: Floats) -> Floats:
        """Where the corners fall in the picture, px, [m, n, 2]."""
        focal, x, y, k1, k2 = (part[:, None] for part in _parts(values, self._size_px))
        turn, shift = self._poses(values, each, focal / self._width)
        (across, down), bloom = self._flat.T, values[:, LENS, None]
        left, up, far = (
            across * turn[..., row, 0].take(self._of, axis=1)
            + down * turn[..., row, 1].take(self._of, axis=1)
            + shift[..., row].take(self._of, axis=1)
            for row in range(3)
        )
        left, up = left / far, up / far
        square = left * left + up * up
        stretch = focal * (1 + square * (k1 + k2 * square))
        out_x, out_y = self._outward.T
        ends = (left * stretch + x + bloom * out_x, up * stretch + y + bloom * out_y)
        return np.stack(ends, axis=-1)

    def _poses(self, values: Floats, each: Floats, focal: Floats) -> tuple[Floats, Floats]:
        """How each board is turned, [m, b, 3, 3], and where its origin is, [m, b, 3]."""
        about_x, about_y, log_far = values[:, LENS + BLOOM : LENS + BLOOM + PLANE].T
        table = _about_x(about_x * focal[:, 0]) @ _about_y(about_y * focal[:, 0])
        own = _about_z(each[..., 2]) @ _about_x(each[..., 3]) @ _about_y(each[..., 4])
        ones = np.ones((*each.shape[:2], 1))
        ray = np.concatenate([each[..., :2] / focal[..., None], ones], axis=-1)
        far = np.exp(log_far)[:, None] * focal * self._width * (1 + each[..., 5])
        depth = far / np.einsum("mj,mbj->mb", table[:, :, 2], ray)
        return np.asarray(table[:, None] @ own, np.float64), ray * depth[..., None]


def _squared(slope: Floats) -> Floats:
    """Its columns' products with each other, [n, n] of [r, n].

    OpenCV's: numpy's wakes threads for those of six boards, which cost more than they bring.
    """
    return np.asarray(cv2.mulTransposed(np.ascontiguousarray(slope), aTa=True), np.float64)


def _squares(off: Floats) -> float:
    return float(off @ off)


def _outward(px: Points) -> Floats:
    """How each corner moves, px, where all edges of its marker lie a px further out; [n, 2].

    Four corners in turn are a marker's; others do not move.
    """
    if len(px) % 4:
        return np.zeros_like(px)
    sides = np.roll(px.reshape(-1, 4, 2), -1, axis=1) - px.reshape(-1, 4, 2)
    along = sides / np.maximum(np.linalg.norm(sides, axis=-1, keepdims=True), 1e-9)
    return np.asarray((np.roll(along, 1, axis=1) - along).reshape(-1, 2), np.float64)


def _upright(mm: Points, px: Points) -> Points:
    """A board's corners about their middle, turned as the picture has them.

    So its own turn stays small, however it lies before the camera.
    """
    there, here = px - px.mean(axis=0), mm - mm.mean(axis=0)
    if not np.linalg.norm(there, -2) >= LEAST_WIDTH_PX:  # False where it is no number
        raise _NoLens
    turn = math.atan2(
        float(here[:, 0] @ there[:, 1] - here[:, 1] @ there[:, 0]), float((here * there).sum())
    )
    cos, sin = math.cos(turn), math.sin(turn)
    return np.asarray(here @ np.array([[cos, sin], [-sin, cos]]), np.float64)


def _pose(mm: Points, rays: Points) -> tuple[Floats, Floats]:
    """A board's turn [3, 3] and shift [3] before a straight lens."""
    flat = np.column_stack([mm, np.zeros(len(mm))])
    _, turn, shift = cv2.solvePnP(flat, rays, np.eye(3), np.zeros(5), flags=cv2.SOLVEPNP_IPPE)
    return np.asarray(cv2.Rodrigues(turn)[0], np.float64), np.asarray(shift, np.float64).ravel()


def _about(first: int, second: int, angle: float | Floats) -> Floats:
    """Turns in the plane of two axes, by angles of any shape; [..., 3, 3]."""
    angles = np.asarray(angle, np.float64)
    turn = np.zeros((*angles.shape, 3, 3))
    cos, sin = np.cos(angles), np.sin(angles)
    turn[..., 3 - first - second, 3 - first - second] = 1.0
    turn[..., first, first] = turn[..., second, second] = cos
    turn[..., first, second], turn[..., second, first] = -sin, sin
    return turn


def _about_x(angle: float | Floats) -> Floats:
    return _about(1, 2, angle)


def _about_y(angle: float | Floats) -> Floats:
    return _about(2, 0, angle)


def _about_z(angle: float | Floats) -> Floats:
    return _about(0, 1, angle)
