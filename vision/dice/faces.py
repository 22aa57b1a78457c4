"""Pips and faces of dice: where pips suggest a face, and how like each value the picture is."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.markers.corners import sample

# Pips: round dark spots of about one size.

PIP_RADIUS = 0.1
"""Of a pip, in sides of its die."""
LEAST_RESPONSE = 6.0
"""Of a pip, in grey levels, after smoothing."""
LEAST_ROUNDNESS = 0.3
MOST_PIPS = 300
"""The strongest are looked at: a picture of gravel must not hold the table up."""
RING = 0.2
"""How far from a pip's middle there is face again, in sides of the die."""

Floats = NDArray[np.float32]
Places = NDArray[np.float64]
"""Points of a picture, [n, 2], x and y in px."""

_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
_AROUND = np.linspace(0.0, 2 * np.pi, 16, endpoint=False)
_PIP_ENDS = np.arange(0.03, 0.31, 0.01)


@dataclass(frozen=True, slots=True, eq=False)
class Pips:
    """Dark spots: their `places` px, how strong each is, its `level` of grey and that around it.

    `opened` tells on how much of the way round a spot it is as dark: where dice meet, ground shows.
    """

    places: Places
    responses: Floats
    levels: Floats
    rings: Floats
    opened: Floats

    def __len__(self) -> int:
        return len(self.places)


def find_pips(smooth: Floats, side_px: float, where: NDArray[np.bool_]) -> Pips:
    """The dark spots like pips of dice about `side_px` wide, the strongest first.

    Long ones are left out: they are edges, or the grain of wood. `smooth` is the picture without
    its noise; `where` is false where no die lies.
    """
    response = np.where(where, _response(smooth, side_px), np.float32(0.0))
    reach = max(1, round(0.9 * PIP_RADIUS * side_px))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    peaks = (response >= cv2.dilate(response, kernel)) & (response > LEAST_RESPONSE)
    peaks[:reach] = peaks[-reach:] = peaks[:, :reach] = peaks[:, -reach:] = False
    ys, xs = np.nonzero(peaks)
    falls = np.array([_falls(response, xs, ys, across, down, reach) for across, down in _WAYS])
    round_ones = falls.min(axis=0) > LEAST_ROUNDNESS * falls.max(axis=0)
    ys, xs = ys[round_ones], xs[round_ones]
    strongest = np.argsort(-response[ys, xs], kind="stable")[:MOST_PIPS]
    ys, xs = ys[strongest], xs[strongest]
    places = np.column_stack([xs + _off(response, xs, ys, 1, 0), ys + _off(response, xs, ys, 0, 1)])
    around, levels = _around(smooth, places, RING * side_px), smooth[ys, xs]
    rings = np.median(around, axis=1).astype(np.float32)
    brightest = around.max(axis=1, initial=0.0)
    as_dark = around < (levels + AS_PIP * (brightest - levels))[:, None]
    opened = as_dark.mean(axis=1).astype(np.float32)
    return Pips(places, response[ys, xs], levels, rings, opened)


def find_big_pips(smooth: Floats, side_px: float, where: NDArray[np.bool_]) -> Pips:
    """The dark spots that are twice as wide: on some dice the pip of a 1 is."""
    half = cv2.resize(smooth, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    table = cv2.resize(where.astype(np.uint8), half.shape[::-1], interpolation=cv2.INTER_NEAREST)
    found = find_pips(np.asarray(half, np.float32), side_px, table > 0)
    return replace(found, places=2.0 * found.places + 0.5)


def joined(pips: Pips, big: Pips, apart_px: float) -> Pips:
    """Pips and those that are wider; of what is seen as both, the latter."""
    if not len(big) or not len(pips):
        return pips if not len(big) else big
    away = np.linalg.norm(pips.places[:, None] - big.places, axis=2).min(axis=1)
    own = away >= apart_px
    return Pips(
        np.concatenate([pips.places[own], big.places]),
        np.concatenate([pips.responses[own], big.responses]),
        np.concatenate([pips.levels[own], big.levels]),
        np.concatenate([pips.rings[own], big.rings]),
        np.concatenate([pips.opened[own], big.opened]),
    )


def pip_wider(grey: Floats, middle: Places, width_px: float) -> float:
    """How much further from its middle the pip of a 1 ends than others do, in widths."""
    reach = _PIP_ENDS * width_px
    spots = middle[:2] + reach[:, None, None] * np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
    rings = np.median(sample(grey, spots[..., 0], spots[..., 1]), axis=1)
    off = np.abs(rings - rings[0])
    return max(0.0, float(_PIP_ENDS[np.argmax(off >= off.max() / 2)]) - USUAL_PIP)


def _response(smooth: Floats, side_px: float) -> Floats:
    """How much darker each place of the size of a pip is than what is around it."""
    radius_px = PIP_RADIUS * side_px
    # `smooth` has lost half a radius of detail already; variances add up.
    near = cv2.GaussianBlur(smooth, (0, 0), math.sqrt(0.65**2 - 0.5**2) * radius_px)
    around = cv2.GaussianBlur(smooth, (0, 0), math.sqrt(1.5**2 - 0.5**2) * radius_px)
    difference = around - near
    return np.asarray(difference, np.float32)


def _falls(
    response: Floats,
    xs: NDArray[np.intp],
    ys: NDArray[np.intp],
    across: int,
    down: int,
    reach: int,
) -> Floats:
    """By how much the response falls off to both sides of each peak along a line."""
    far = reach if not (across and down) else max(1, round(reach / math.sqrt(2)))
    before = response[ys - far * down, xs - far * across]
    after = response[ys + far * down, xs + far * across]
    return np.asarray(response[ys, xs] - (before + after) / 2, np.float32)


def _off(
    response: Floats, xs: NDArray[np.intp], ys: NDArray[np.intp], across: int, down: int
) -> NDArray[np.float64]:
    """How far from its pixel each peak lies, -0.5 to 0.5: that of a parabola."""
    before = response[ys - down, xs - across].astype(np.float64)
    after = response[ys + down, xs + across].astype(np.float64)
    bend = np.minimum(before - 2 * response[ys, xs] + after, -1e-6)
    return np.asarray(np.clip((before - after) / (2 * bend), -0.5, 0.5), np.float64)


def _around(smooth: Floats, places: Places, radius_px: float) -> Floats:
    """The picture in a ring round each place, [n, 16]."""
    xs = places[:, :1] + radius_px * np.cos(_AROUND)
    return sample(smooth, xs, places[:, 1:] + radius_px * np.sin(_AROUND))


# Faces.

PIP_OFF = 0.25
"""How far from the middle of a face its outer pips are, in parts of its width. (On some dice they
are further out: such a face is taken for that much wider than its die.)"""
NEAR_DIAGONAL, FAR_DIAGONAL = 0.48, 1.0
"""Between so many sides of the die the pips in opposite corners lie apart."""
NEAR_ALONG, FAR_ALONG = 0.34, 0.62
"""On some dice the pips of a 2 and the outer ones of a 3 lie along the edges, so many sides apart:
told only where it is known how a flat die looks."""
STRETCHES, STRETCHES_OF_KNOWN = (1.0, 1.2, 1.45), (1.0, 1.2, 1.6)
"""The two rows of a six may lie nearer to each other than its pips in a row: so many times, and
where it is known how a flat die looks (gravel has such a six, but no edges round it)."""
ROWS_APART = 1.3
"""Nor are they so many times further apart than a row is long: such are a 3 and a side's pips."""
ALONE = (1.0, 1.25)
"""So wide a one is looked at, in sides of the die: its pip does not tell how large the die is."""
ABOUT_AS_STRONG = 0.5
"""Pips of one face are at least so strong as the strongest of them."""
LEAST_CONTRAST = 35.0
"""Between a face and its pips, in grey levels."""
MOST_UNEVEN = 0.25
"""Among the brightest places of a face, in parts of the same."""
PIP_FROM, BLANK_TO = 0.55, 0.3
"""So dark, in parts of the same, a place of a face surely is a pip, or surely is none."""
USUAL_PIP = 0.13
"""A pip is no wider, from its middle, but that of a 1 on some dice."""
ROUND_PIP, OWN_RING = 0.19, 0.2
"""So far from a pip's middle, in widths of its face, the face shows all round it; but nearer than
that to another pip of its own there may be that one."""
AS_PIP, MOST_OPEN = 0.3, 0.25
"""What is so much as dark as the pip, in parts of its contrast, is no face; and so much of the way
round a pip at most: a gap between two dice is open at its ends."""
STEP = 5.0
"""Grey levels from a die to what lies round it."""

LEAST_OUTLINE = 0.3
"""In so many directions, of all, a face must end where a die does."""
FACES_WORK, FACES_WORK_OF_PIP, LIKE_WORK = 60_000.0, 16_000.0, 2_600.0
"""Finding faces, and more for each pip; telling how like each value one is; as `DiceSteps` has
it."""
COMPARED_AT_ONCE = 96
"""So many faces are compared in one step. Products of a hundred rows and more OpenCV leaves to a
library that wakes threads for them, which count on for up to 25 ms: as much as two searches."""

Layouts = NDArray[np.bool_]

_CELLS = np.array([(column, row) for row in (-1, 0, 1) for column in (-1, 0, 1)], np.float64)
_LAYOUTS: tuple[tuple[int, tuple[int, ...]], ...] = (
    (1, (4,)),
    (2, (0, 8)),
    (2, (2, 6)),
    (3, (0, 4, 8)),
    (3, (2, 4, 6)),
    (4, (0, 2, 6, 8)),
    (5, (0, 2, 4, 6, 8)),
    (6, (0, 2, 3, 5, 6, 8)),
    (6, (0, 1, 2, 6, 7, 8)),
    (2, (3, 5)),
    (3, (3, 4, 5)),
)
"""What each value's pips are of the nine places of a face by rows; the last two lie along."""
_VALUES = np.array([value for value, _ in _LAYOUTS])
_FAR_ROWS = np.array([cells == (0, 1, 2, 6, 7, 8) for _, cells in _LAYOUTS])
"""Where a face is higher than wide, the rows of such a 6 are further apart than a row is long."""
_LIES_ALONG = np.arange(len(_LAYOUTS)) >= len(_LAYOUTS) - 2
_IS_PIP: Layouts = np.array([np.isin(range(9), cells) for _, cells in _LAYOUTS])

_RADII = (0.08, 0.1, 0.125)
_RADII_OF_ONE, _RADII_ALONG = (0.065, *_RADII, 0.16, 0.2), (*_RADII, 0.15)
_REACH, _POINTS = 0.33, 22
"""What of a face is compared, from its middle in widths: pips, and nothing beyond the die."""
_SOFT = 0.027
_DIRECTIONS = np.linspace(0.0, 2 * np.pi, 32, endpoint=False)
_RIM = np.arange(0.34, 0.86, 0.04)
_GAP = 4
_NOTHING: Floats = np.empty((0, 0), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Faces:
    """Faces that may be there, n of them.

    `boxes` [n, 5]: their middles x and y px, the way of their upper edges (radians), width and
    height px. `darkness` [n, 9]: how dark each of the nine places is, 0 as the face and 1 as its
    darkest place. `level` of grey of the face, and the `contrast` of its pips. `may_be` [n, 6]:
    whether the places allow each value from 1 to 6. `likeness` [n, 6]: how like each it looks, at
    most 1, once they were compared. `along`: whether pips lie along the edges of it, which then do
    not tell how wide it is.
    """

    boxes: NDArray[np.float64]
    darkness: Floats
    level: Floats
    contrast: Floats
    may_be: NDArray[np.bool_]
    likeness: Floats
    along: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.boxes)

    def those(self, kept: NDArray[np.bool_]) -> Faces:
        """Some of them."""
        return Faces(
            self.boxes[kept], self.darkness[kept], self.level[kept], self.contrast[kept],
            self.may_be[kept], self.likeness[kept], self.along[kept],
        )  # fmt: skip

    def leans(self, face: int, value: int) -> bool:
        """Whether it can only be the face of a die that leans: squeezed, and no six."""
        width, height = self.boxes[face, 3:].tolist()
        return value != 6 and not math.isclose(width, height)

    def dark_places(self, face: int) -> Places:
        """The places of a face that may be pips, [k, 2]."""
        dark = _CELLS[self.darkness[face] >= BLANK_TO]
        xs, ys = _placed(self.boxes[face : face + 1], PIP_OFF * dark)
        return np.column_stack([xs[0], ys[0]])

    def bare_corners(self, smooth: Floats, face: int, off: float) -> Floats:
        """How dark its corners without pips are, so far from its middle in widths, [k]."""
        corners = [at for at in (0, 2, 6, 8) if self.darkness[face, at] < PIP_FROM]
        grey = _at(smooth, self.boxes[face : face + 1], off * _CELLS[corners])[0]
        return np.asarray((self.level[face] - grey) / self.contrast[face], np.float32)

    def pips_of(self, face: int, value: int) -> Places:
        """Where the pips of a face are if it shows a value, [value, 2]."""
        darkest = np.argsort(-self.darkness[face], kind="stable")[:value]
        xs, ys = _placed(self.boxes[face : face + 1], PIP_OFF * _CELLS[darkest])
        return np.column_stack([xs[0], ys[0]])

    def are_enclosed(self, smooth: Floats, face: int, value: int) -> bool:
        """Whether the face shows round each of its pips, if it has that value."""
        pips, width = self.pips_of(face, value), float(self.boxes[face, 3:].max())
        wider = pip_wider(smooth, pips[0], width) if value == 1 else 0.0
        ways = (ROUND_PIP + wider) * width * np.column_stack([np.cos(_AROUND), np.sin(_AROUND)])
        spots = pips[:, None] + ways
        away = np.linalg.norm(spots[:, :, None] - pips, axis=3)
        away[np.arange(value), :, np.arange(value)] = np.inf
        counts = away.min(axis=2) > OWN_RING * width
        own = sample(smooth, pips[:, :1], pips[:, 1:])
        as_pip = sample(smooth, spots[..., 0], spots[..., 1]) < own + AS_PIP * (
            self.level[face] - own
        )
        open_ways = (as_pip & counts).sum(axis=1)
        return bool((open_ways <= MOST_OPEN * np.maximum(1, counts.sum(axis=1))).all())


def get_ready() -> None:
    """Do beforehand what the first die of an evening would wait for: half a frame's time."""
    _known()
    np.median(np.zeros(2))  # loads more of numpy when it is first called


def faces_in_steps(
    smooth: Floats, pips: Pips, big: Pips | None, side_px: float, full_px: float, *, known: bool
) -> Generator[float, None, Faces | None]:
    """The faces that pips suggest, that may show a value and end where a die does; else None.

    In steps: gives before each about how much work it is. `big` are pips that only a 1 may have.
    `side_px` is the size of die that is looked for just now, `full_px` the largest; `known` tells
    whether it is known how a flat die looks.
    """
    yield FACES_WORK + FACES_WORK_OF_PIP * (len(pips) + (0 if big is None else len(big)))
    found = _suggested_faces(smooth, pips, big, side_px, known=known)
    if found is not None:
        found = found.those(_outlined(smooth, found.boxes, full_px) >= LEAST_OUTLINE)
    if found is None or not len(found):
        return None
    likeness = list[Floats]()
    for first in range(0, len(found), COMPARED_AT_ONCE):
        part = slice(first, first + COMPARED_AT_ONCE)
        boxes = found.boxes[part]
        yield LIKE_WORK * len(boxes)
        likeness.append(_likeness(smooth, boxes, found.along[part]))
    return replace(found, likeness=np.concatenate(likeness))


def _suggested_faces(
    smooth: Floats, pips: Pips, big: Pips | None, side_px: float, *, known: bool
) -> Faces | None:
    """The faces that pips suggest and that may show a value, not yet compared with any."""
    boxes = _suggested(pips, side_px, STRETCHES_OF_KNOWN if known else STRETCHES)
    if big is not None:
        boxes = np.concatenate([boxes, *_suggested_ones(big, side_px)])
    own = len(boxes)
    if known:
        boxes = np.concatenate([boxes, _suggested_along(pips, side_px)])
    if not len(boxes):
        return None
    along = np.arange(len(boxes)) >= own
    grey = _at(smooth, boxes, PIP_OFF * _CELLS)
    ordered = np.sort(grey, axis=1)
    level, brightest = ordered[:, -3:].mean(axis=1), ordered[:, -1]
    contrast = level - ordered[:, 0]
    clear = (contrast >= LEAST_CONTRAST) & (brightest - ordered[:, -3] <= MOST_UNEVEN * contrast)
    darkness = (level[:, None] - grey) / np.maximum(contrast, 1.0)[:, None]
    square = np.isclose(boxes[:, 3], boxes[:, 4])
    tall = boxes[:, 4] > ROWS_APART * boxes[:, 3]
    may_be = _may_be(darkness, square, tall, along) & clear[:, None]
    unlike = np.zeros((len(boxes), 6), np.float32)
    found = Faces(boxes, darkness, level, contrast, may_be, unlike, along)
    return found.those(may_be.any(axis=1))


def _suggested(pips: Pips, side_px: float, stretches: Sequence[float]) -> NDArray[np.float64]:
    """A face for every two pips in its opposite corners, and some for every pip alone, [n, 5]."""
    ones, others = _pairs(pips, NEAR_DIAGONAL * side_px, FAR_DIAGONAL * side_px)
    middle, apart = (ones + others) / 2, others - ones
    wide = np.hypot(*apart.T) / (2 * PIP_OFF)
    way = np.arctan2(apart[:, 1], apart[:, 0])
    found: list[NDArray[np.float64]] = []
    for stretch in stretches:
        lean = math.atan(stretch)
        width, height = wide * math.cos(lean), wide * math.sin(lean)
        # A square looks the same from its other diagonal.
        turns = (way - lean,) if stretch == 1.0 else (way - lean, way + lean)
        found += [np.column_stack([middle, turn, width, height]) for turn in turns]
    return np.concatenate([*found, *_suggested_ones(pips, side_px)])


def _suggested_ones(pips: Pips, side_px: float) -> list[NDArray[np.float64]]:
    """Some faces for every pip alone, each [n, 5]."""
    found: list[NDArray[np.float64]] = []
    for share in ALONE:
        size = np.full(len(pips), share * side_px)
        same = (np.full(len(pips), turn) for turn in np.radians(range(0, 90, 15)))
        found += [np.column_stack([pips.places, turn, size, size]) for turn in same]
    return found


def _suggested_along(pips: Pips, side_px: float) -> NDArray[np.float64]:
    """A face for every two pips that may lie along its edges, [n, 5]."""
    ones, others = _pairs(pips, NEAR_ALONG * side_px, FAR_ALONG * side_px)
    apart = others - ones
    wide = np.hypot(*apart.T) / (2 * PIP_OFF)
    return np.column_stack([(ones + others) / 2, np.arctan2(apart[:, 1], apart[:, 0]), wide, wide])


def _pairs(pips: Pips, least_px: float, most_px: float) -> tuple[Places, Places]:
    """Every two pips so far apart that are about as strong."""
    apart = np.hypot(*(pips.places[:, None] - pips.places[None]).transpose(2, 0, 1))
    one, other = pips.responses[:, None], pips.responses[None]
    alike = np.minimum(one, other) > ABOUT_AS_STRONG * np.maximum(one, other)
    fits = (apart >= least_px) & (apart <= most_px) & alike
    ones, others = np.nonzero(np.triu(fits))
    return pips.places[ones], pips.places[others]


def _may_be(
    darkness: Floats,
    square: NDArray[np.bool_],
    tall: NDArray[np.bool_],
    along: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Which values leave no surely dark place without a pip and no pip surely bright, [n, 6].

    A face that is no square may be a six, or a 4 or 5 of a die that leans.
    """
    missing = (_IS_PIP & (darkness <= BLANK_TO)[:, None]).any(axis=2)
    too_many = (~_IS_PIP & (darkness >= PIP_FROM)[:, None]).any(axis=2)
    fits = ~missing & ~too_many & (square[:, None] | (_VALUES >= 4))
    fits &= (along[:, None] == _LIES_ALONG) & ~(tall[:, None] & _FAR_ROWS)
    return np.stack([fits[:, value == _VALUES].any(axis=1) for value in range(1, 7)], axis=1)


def _placed(
    boxes: NDArray[np.float64], points: Places
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points of a face, in its widths from its middle, in the picture: x and y, [n, k] each."""
    x, y, turn, width, height = boxes.T[..., None]
    across, down = width * points[:, 0], height * points[:, 1]
    cos, sin = np.cos(turn), np.sin(turn)
    return x + cos * across - sin * down, y + sin * across + cos * down


def _at(smooth: Floats, boxes: NDArray[np.float64], points: Places) -> Floats:
    return sample(smooth, *_placed(boxes, points))


def _likeness(smooth: Floats, boxes: NDArray[np.float64], along: NDArray[np.bool_]) -> Floats:
    """How like the best picture of each value each face is, -1 to 1, [n, 6]."""
    faces = _at(smooth, boxes, _grid())
    faces -= faces.mean(axis=1, keepdims=True)  # of small numbers single precision loses nothing
    known, values, lie_along = _known()
    # OpenCV's product: numpy's wakes threads for it, as this does where faces are a hundred.
    parts = np.asarray(cv2.gemm(faces, known, 1.0, _NOTHING, 0.0, flags=cv2.GEMM_2_T), np.float32)
    # Pictures have no slope of light, so of a face it needs to be taken from its length alone.
    squared = np.einsum("ij,ij->i", faces, faces) - (parts[:, :3] ** 2).sum(axis=1)
    alike = parts[:, 3:] / np.sqrt(np.maximum(squared, 1e-12))[:, None]
    alike[~along[:, None] & lie_along] = -1.0
    best = [alike[:, values == value].max(axis=1) for value in range(1, 7)]
    return np.stack(best, axis=1).astype(np.float32)


@cache
def _known() -> tuple[Floats, NDArray[np.int_], NDArray[np.bool_]]:
    """What a face is compared with, [3 + m, points]: slopes of light, and pictures of values.

    Also each picture's value, and whether its pips lie along the edges.
    """
    pictures, values, along = _pictures()
    return np.concatenate([_slopes(), pictures]).astype(np.float32), values, along


def _slopes() -> NDArray[np.float64]:
    """Even light, and light from one side or from above, each of length 1, [3, points]."""
    x, y = _grid().T
    slopes = np.stack([np.ones(len(x)), x, y])
    return np.asarray(slopes / np.linalg.norm(slopes, axis=1, keepdims=True))


def _evened(faces: NDArray[np.float64]) -> NDArray[np.float64]:
    """Faces [n, points] without the light that falls from one side, each of length 1.

    Every value's pips are the same when turned by half, so a slope of light is never of pips.
    """
    slopes = _slopes()
    even = faces - (faces @ slopes.T) @ slopes
    return np.asarray(even / np.maximum(np.linalg.norm(even, axis=1, keepdims=True), 1e-6))


@cache
def _grid() -> Places:
    """Where a face is compared, in its widths from its middle."""
    along = np.linspace(-_REACH, _REACH, _POINTS)
    return np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)


@cache
def _pictures() -> tuple[NDArray[np.float64], NDArray[np.int_], NDArray[np.bool_]]:
    """Pictures of faces, evened, [m, points], the value of each, and whether its pips lie along."""
    drawn, values, along = list[NDArray[np.float64]](), list[int](), list[bool]()
    for (value, cells), lies_along in zip(_LAYOUTS, _LIES_ALONG.tolist(), strict=True):
        for radius in _RADII_OF_ONE if value == 1 else _RADII_ALONG if lies_along else _RADII:
            away = np.linalg.norm(_grid()[:, None] - PIP_OFF * _CELLS[list(cells)], axis=2)
            drawn.append(-(1 / (1 + np.exp((away - radius) / _SOFT))).sum(axis=1))
            values.append(value)
            along.append(lies_along)
    return _evened(np.array(drawn)), np.array(values), np.array(along)


def _outlined(smooth: Floats, boxes: NDArray[np.float64], full_px: float) -> Floats:
    """In what share of all directions the grey takes a step where a die's side may be."""
    along = np.outer(np.stack([np.cos(_DIRECTIONS), np.sin(_DIRECTIONS)]), _RIM * full_px)
    xs, ys = (boxes[:, at, None] + along[at * 32 : at * 32 + 32].ravel() for at in (0, 1))
    rim = sample(smooth, xs, ys).reshape(len(boxes), len(_DIRECTIONS), len(_RIM))
    steps = np.abs(rim[..., _GAP:] - rim[..., :-_GAP]).max(axis=-1)
    return np.asarray((steps >= STEP).mean(axis=-1), np.float32)
