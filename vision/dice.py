"""Dice by their pips, in plain OpenCV: a value where all is as it must be, else no value.

Pips are found first, for a white die on white paper shows little else. Two of them that lie as far
apart as the opposite corners of a face suggest that face, one alone suggests a 1; then the face is
looked at squarely. It counts if the pips, and nothing but the pips, of one value stand out, if the
rest is like a face of that value, and if an edge goes round it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import GreyImage

PIP_OFF = 0.25
"""How far the outer pips are from a face's middle, in sides of the die."""
PIP_RADIUS = 0.1
NEAR_DIAGONAL, FAR_DIAGONAL = 0.48, 0.86
"""Between so many sides the pips in opposite corners of a face lie apart."""
STRETCHES = (1.0, 1.2, 1.45)
"""The two rows of a six may lie nearer to each other than its pips in a row: so many times."""
LEAST_RESPONSE = 7.0
"""Of a pip, in grey levels, after smoothing."""
LEAST_ROUNDNESS = 0.3
MOST_PIPS = 300
"""The strongest are looked at: a picture of gravel must not hold the table up."""
LEAST_CONTRAST = 35.0
"""Between a face and its pips, in grey levels."""
MOST_UNEVEN = 0.25
"""Among the places of a face that have no pip, in parts of the same."""
WITHIN = 0.85
"""So much of its expected side a one is looked at: its pip does not tell how large the die is."""
STRONG = 0.5
"""Pips of one face are at least so strong as the strongest of them."""
LEAST_GAP = 0.6
"""Between the faintest pip and the darkest of what is none, in parts of their whole contrast."""
LEAST_LIKENESS = 0.88
LEAST_LEAD = 0.08
"""How like its value's picture a face must be, and by how much more than like another's."""
LEAST_EDGE = 9.0
EDGES_NEEDED = 2
"""How many sides of a face must differ from what lies beyond them, and by how many grey levels."""
AS_STRONG = 0.7
ON_FACE, AROUND, ALONE = 0.5, 0.62, 0.8
"""Pips are on a face so near to its middle; and nearer than this, a one's than that, none is as
strong: it would be another pip of the same die."""
DOUBT_LIKENESS = 0.6
"""A face less like its value's picture than it must be is told as a die in doubt from here on."""

_FACE_PX = 40
_WAYS = ((1, 0), (0, 1), (1, 1), (1, -1))
_CELLS = tuple((column, row) for row in (-1, 0, 1) for column in (-1, 0, 1))
_PATTERNS: Mapping[frozenset[int], int] = {
    frozenset(cells): value
    for value, cells in (
        (1, (4,)),
        (2, (0, 8)),
        (2, (2, 6)),
        (3, (0, 4, 8)),
        (3, (2, 4, 6)),
        (4, (0, 2, 6, 8)),
        (5, (0, 2, 4, 6, 8)),
        (6, (0, 2, 3, 5, 6, 8)),
        (6, (0, 1, 2, 6, 7, 8)),
    )
}
"""The nine places of a face by rows, and what they show when just these are pips."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die in a picture: what it shows (None: in doubt) and the middle of its upper face, px."""

    value: int | None
    centre_px: Point
    side_px: float


@dataclass(frozen=True, slots=True)
class _Pip:
    x: float
    y: float
    response: float


@dataclass(frozen=True, slots=True)
class _Face:
    """A face that may be there: its middle, the way of its upper edge, its width and height, px.

    Where those differ, only a six in columns may be on it.
    """

    x: float
    y: float
    turn: float
    width_px: float
    height_px: float


@dataclass(frozen=True, slots=True)
class _Judged:
    face: _Face
    value: int | None
    likeness: float


def read_dice(
    grey: GreyImage, side_px: float, where: NDArray[np.bool_] | None = None
) -> tuple[DieSeen, ...]:
    """Every die in a picture whose dice are about `side_px` wide, from left to right.

    Light dice with dark pips and dark ones with light pips; `where` is false for pixels that are no
    table, [height, width]. A die that is cocked, half covered or blemished has no value, or is not
    found; it never has a wrong one but by a blemish that looks just like a pip.
    """
    response = _response(grey, side_px)
    if where is not None:
        response = np.where(where, response, np.float32(0.0))
    dark = _dice_of(grey, response, side_px)
    light = _dice_of(np.asarray(255 - grey, np.uint8), -response, side_px)
    return tuple(sorted(_apart([*dark, *light]), key=lambda die: die.centre_px))


def _dice_of(grey: GreyImage, response: NDArray[np.float32], side_px: float) -> list[_Judged]:
    """Dice with pips darker than their faces."""
    pips = _pips(response, side_px)
    faces = list(_suggested(pips, side_px))
    values = _values(grey, faces, side_px)
    judged = (
        _judge(grey, face, value, pips, side_px)
        for face, value in zip(faces, values, strict=True)
        if value
    )
    return [one for one in judged if one is not None]


def _apart(judged: Sequence[_Judged]) -> list[DieSeen]:
    """The likeliest face at each place; one in doubt where two values are about as likely."""
    kept: list[_Judged] = []
    doubted: set[int] = set()
    for one in sorted(judged, key=lambda one: -one.likeness):
        rival = next((at for at, other in enumerate(kept) if _overlap(one, other)), None)
        if rival is None:
            kept.append(one)
        elif one.value != kept[rival].value and one.likeness > kept[rival].likeness - LEAST_LEAD:
            doubted.add(rival)
    return [
        DieSeen(None if at in doubted else one.value, (one.face.x, one.face.y), one.face.width_px)
        for at, one in enumerate(kept)
    ]


def _overlap(one: _Judged, other: _Judged) -> bool:
    apart = math.hypot(one.face.x - other.face.x, one.face.y - other.face.y)
    return apart < 0.8 * max(one.face.width_px, other.face.width_px)


def _response(grey: GreyImage, side_px: float) -> NDArray[np.float32]:
    """How much darker each place of the size of a pip is than what is around it."""
    radius_px, picture = PIP_RADIUS * side_px, grey.astype(np.float32)
    near = cv2.GaussianBlur(picture, (0, 0), 0.65 * radius_px)
    around = cv2.GaussianBlur(picture, (0, 0), 1.5 * radius_px)
    return np.asarray(around - near, np.float32)


def _pips(response: NDArray[np.float32], side_px: float) -> list[_Pip]:
    """Round dark spots of the size of a pip; long ones are edges, or the grain of wood."""
    reach = max(1, round(0.9 * PIP_RADIUS * side_px))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * reach + 1, 2 * reach + 1))
    peaks = (response >= cv2.dilate(response, kernel)) & (response > LEAST_RESPONSE)
    peaks[:reach] = peaks[-reach:] = peaks[:, :reach] = peaks[:, -reach:] = False
    ys, xs = np.nonzero(peaks)
    falls = np.array([_falls(response, xs, ys, across, down, reach) for across, down in _WAYS])
    ys, xs = (at[falls.min(axis=0) > LEAST_ROUNDNESS * falls.max(axis=0)] for at in (ys, xs))
    found = [_fine(response, int(x), int(y)) for x, y in zip(xs, ys, strict=True)]
    return sorted(found, key=lambda pip: -pip.response)[:MOST_PIPS]


def _falls(
    response: NDArray[np.float32],
    xs: NDArray[np.intp],
    ys: NDArray[np.intp],
    across: int,
    down: int,
    reach: int,
) -> NDArray[np.float32]:
    """By how much the response falls off to both sides of each peak along a line."""
    far = reach if not (across and down) else max(1, round(reach / math.sqrt(2)))
    before = response[ys - far * down, xs - far * across]
    after = response[ys + far * down, xs + far * across]
    return np.asarray(response[ys, xs] - (before + after) / 2, np.float32)


def _fine(response: NDArray[np.float32], x: int, y: int) -> _Pip:
    """The peak between pixels: of a parabola through its neighbours."""
    here = float(response[y, x])
    off_x = _peak(float(response[y, x - 1]), here, float(response[y, x + 1]))
    off_y = _peak(float(response[y - 1, x]), here, float(response[y + 1, x]))
    return _Pip(x + off_x, y + off_y, here)


def _peak(before: float, here: float, after: float) -> float:
    bend = before - 2 * here + after
    return 0.0 if bend >= 0 else max(-0.5, min(0.5, (before - after) / (2 * bend)))


def _suggested(pips: Sequence[_Pip], side_px: float) -> Iterator[_Face]:
    """A face for every two pips in its opposite corners, and one for every pip alone."""
    for one, other in _pairs(pips, NEAR_DIAGONAL * side_px, FAR_DIAGONAL * side_px):
        across, down = other.x - one.x, other.y - one.y
        diagonal, way = math.hypot(across, down) / (2 * PIP_OFF), math.atan2(down, across)
        x, y = (one.x + other.x) / 2, (one.y + other.y) / 2
        for stretch in STRETCHES:
            lean = math.atan(stretch)
            width, height = diagonal * math.cos(lean), diagonal * math.sin(lean)
            yield _Face(x, y, way - lean, width, height)
            if stretch > 1.0:  # a square looks the same from its other diagonal
                yield _Face(x, y, way + lean, width, height)
    for pip in pips:
        for turn in np.radians(range(0, 90, 10)):
            yield _Face(pip.x, pip.y, float(turn), WITHIN * side_px, WITHIN * side_px)


def _pairs(pips: Sequence[_Pip], near_px: float, far_px: float) -> Iterator[tuple[_Pip, _Pip]]:
    """Every two pips so far apart that are about as strong."""
    if len(pips) < 2:
        return
    places = np.array([(pip.x, pip.y) for pip in pips])
    responses = np.array([pip.response for pip in pips])
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    weaker = np.minimum(responses[:, None], responses) / np.maximum(responses[:, None], responses)
    fitting = np.triu((apart >= near_px) & (apart <= far_px) & (weaker > STRONG))
    yield from ((pips[one], pips[other]) for one, other in np.argwhere(fitting).tolist())


def _values(grey: GreyImage, faces: Sequence[_Face], side_px: float) -> list[int]:
    """What the nine places of each face show, where the dark ones stand out; 0 for nothing."""
    if not faces:
        return []
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.05 * side_px).astype(np.float32)
    at = _places(faces)
    dark = -cv2.remap(smooth, at[..., 0], at[..., 1], cv2.INTER_LINEAR)
    order = np.argsort(-dark, axis=1)
    levels = np.take_along_axis(dark, order, axis=1)
    steps, contrast = levels[:, :-1] - levels[:, 1:], levels[:, 0] - levels[:, -1]
    pips = steps.argmax(axis=1) + 1
    blank = np.take_along_axis(levels, pips[:, None], axis=1)[:, 0]
    clear = (contrast >= LEAST_CONTRAST) & (steps.max(axis=1) >= LEAST_GAP * contrast)
    clear &= blank - levels[:, -1] <= MOST_UNEVEN * contrast
    return [
        _PATTERNS.get(frozenset(row[:count].tolist()), 0) if good else 0
        for row, count, good in zip(order, pips.tolist(), clear.tolist(), strict=True)
    ]


def _places(faces: Sequence[_Face]) -> NDArray[np.float32]:
    """The nine places of each face in the picture, [n, 9, 2]."""
    rows = [(face.x, face.y, face.turn, face.width_px, face.height_px) for face in faces]
    x, y, turn, width, height = np.array(rows).T[..., None]
    columns, lines = np.array(_CELLS).T
    across, down = PIP_OFF * width * columns, PIP_OFF * height * lines
    cos, sin = np.cos(turn), np.sin(turn)
    places = (x + cos * across - sin * down, y + sin * across + cos * down)
    return np.stack(places, axis=-1).astype(np.float32)


def _judge(
    grey: GreyImage, face: _Face, value: int, pips: Sequence[_Pip], side_px: float
) -> _Judged | None:
    """A face that seems to show a value: whether it does, is in doubt, or is none."""
    if not math.isclose(face.width_px, face.height_px) and value != 6:
        return None
    square = _squared(grey, face, 1.0)
    if square is None or _spoilt(face, value, pips, side_px):
        return None
    even = _evened(square)
    likeness = {each: _likeness(even, each) for each in range(1, 7)}
    own = likeness.pop(value)
    edges = _edges(grey, replace(face, width_px=side_px, height_px=side_px))
    if own >= LEAST_LIKENESS and own - max(likeness.values()) >= LEAST_LEAD:
        return _Judged(face, value if edges >= EDGES_NEEDED else None, own) if edges else None
    if value == 1 or own < DOUBT_LIKENESS or edges < EDGES_NEEDED:
        return None
    return _Judged(face, None, own - 1.0)


def _spoilt(face: _Face, value: int, pips: Sequence[_Pip], side_px: float) -> bool:
    """Whether there are more pips on a face than its value has, or as strong ones beside it.

    Those on the sides of a die are seen at a slant, and are fainter.
    """
    reach = (ALONE if value == 1 else AROUND) * side_px
    on_face: list[float] = []
    beside: list[float] = []
    for pip in pips:
        apart = math.hypot(pip.x - face.x, pip.y - face.y)
        if apart < ON_FACE * face.width_px:
            on_face.append(pip.response)
        elif apart < reach:
            beside.append(pip.response)
    on_face.sort(reverse=True)
    strongest = on_face[0] if on_face else 0.0
    too_many = len(on_face) > value and on_face[value] > STRONG * strongest
    return too_many or any(response > AS_STRONG * strongest for response in beside)


def _squared(grey: GreyImage, face: _Face, sides: float) -> NDArray[np.float32] | None:
    """A face seen squarely, so many sides wide; None where it is cut by the picture's edge."""
    reach = sides * max(face.width_px, face.height_px) / math.sqrt(2)
    height, width = grey.shape
    if not (reach < face.x < width - reach and reach < face.y < height - reach):
        return None
    size = round(_FACE_PX * sides)
    wide, high = face.width_px / _FACE_PX, face.height_px / _FACE_PX
    cos, sin = math.cos(face.turn), math.sin(face.turn)
    turn = np.array([[cos * wide, -sin * high], [sin * wide, cos * high]])
    shift = np.array([face.x, face.y]) - turn @ np.full(2, (size - 1) / 2)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    onto = np.column_stack([turn, shift])
    return np.asarray(cv2.warpAffine(grey, onto, (size, size), flags=flags), np.float32)


def _likeness(square: NDArray[np.float32], value: int) -> float:
    """How like the picture of a value a face is, -1 to 1, turned the better way."""
    return max(_correlation(square, picture) for picture in _pictures(value))


def _evened(square: NDArray[np.float32]) -> NDArray[np.float32]:
    """A face without its rim, its noise, and the light that falls from one side.

    Every value's pips are the same when turned by half, so a slope of light is never of pips.
    """
    inner = cv2.GaussianBlur(square, (0, 0), 0.05 * _FACE_PX)[_inner()]
    slope = np.linspace(-1.0, 1.0, inner.shape[0], dtype=np.float32)
    share = float((slope * slope).sum()) * inner.shape[0]
    across, down = float((inner * slope).sum()), float((inner * slope[:, None]).sum())
    return np.asarray(inner - (across * slope + down * slope[:, None]) / share, np.float32)


@cache
def _inner() -> tuple[slice, slice]:
    rim = round(0.08 * _FACE_PX)
    return (slice(rim, _FACE_PX - rim), slice(rim, _FACE_PX - rim))


@cache
def _pictures(value: int) -> tuple[NDArray[np.float32], ...]:
    """Pictures of a face, each way that a value can lie."""
    found: list[NDArray[np.float32]] = []
    for cells, shows in _PATTERNS.items():
        if shows == value:
            picture = np.full((_FACE_PX, _FACE_PX), 255, np.float32)
            for at in cells:
                x, y = ((_FACE_PX - 1) / 2 + PIP_OFF * _FACE_PX * off for off in _CELLS[at])
                centre = (round(x * 16), round(y * 16))
                radius = round(PIP_RADIUS * _FACE_PX * 16)
                cv2.circle(picture, centre, radius, 0, -1, cv2.LINE_AA, 4)
            soft = cv2.GaussianBlur(picture, (0, 0), 0.07 * _FACE_PX)[_inner()]
            found.append(np.asarray(soft, np.float32))
    return tuple(found)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    a, b = one - one.mean(), other - other.mean()
    size = float(np.sqrt((a * a).sum() * (b * b).sum()))
    return float((a * b).sum()) / size if size else 0.0


def _edges(grey: GreyImage, face: _Face) -> int:
    """How many sides of a face differ from what lies beyond them."""
    wide = _squared(grey, face, 1.5)
    if wide is None:
        return 0
    size = wide.shape[0]
    middle, long = size // 2, round(0.25 * _FACE_PX)
    rows = slice(middle - long, middle + long + 1)
    inside, beyond = (round(middle + part * _FACE_PX) for part in (0.38, 0.66))
    count = 0
    for turned in (wide, wide[::-1], wide.T, wide.T[::-1]):
        here, there = sorted(turned[inside, rows]), sorted(turned[beyond, rows])
        count += abs(float(here[long]) - float(there[long])) >= LEAST_EDGE
    return count
