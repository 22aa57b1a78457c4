"""How dice stand: whether a face that was read is the upper one of a die that lies flat, alone.

A die that is cocked, or lies on another, shows more than a flat one can: its face is squeezed, it
has no edge where a flat one has, and pips are in sight where a flat die has none. How a flat die
would look at a place the camera's own place over the table tells; without it any side may show.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

import numpy as np
from numpy.typing import NDArray

from vision.dice.faces import Floats, Pips, Places, pip_wider
from vision.markers.corners import sample

LEAST_SIZE, MOST_SIZE = 0.89, 1.2
"""A face is so wide at least and at most, in widths of one that lies flat there."""
CLOSEST, WIDEST = 0.66, 1.27
"""So wide its pips tell it at least and at most, where edges show that it lies flat: on some dice
they are close together, on others near to the edges."""
LEAST_ALIKE = 0.94
"""The same where the dice themselves show how wide they are: at least so many widths of theirs."""
ALIKE, AGREED = 3, 0.05
"""So many faces tell the size of all, if they agree to so much of it."""
SQUARE = 4
"""So many pips show that a face is square."""
TELLING = 3
"""Faces of fewer pips do not tell their size well."""
LEAST_ONE = 0.88
"""A pip that would be a 1's is so wide at least, as it tells the width of its face."""
LEAST_EDGE, LEAST_EDGE_OF_ONE, EDGE_SHARE = 3.2, 4.3, 0.02
"""Grey levels that a step at a face's edge has at least, and that in parts of its contrast."""
COLOUR_EDGE = 1.1
"""The same in colour, so many times: four noisy pictures have larger steps than one."""
NEAREST_EDGE, FARTHEST_EDGE = 0.46, 0.56
"""How far from its middle a face ends, in widths as its pips tell it."""
NEAREST_OF_ONE = 0.44
"""As near a 1 ends, in widths of a flat die: its pip tells no width."""
EDGE_WITHIN, END_WITHIN = 0.03, 0.05
"""So exactly an edge lies there; and the foot of a side that is seen, in widths."""
SIDE_SEEN = 0.06
"""A side of a flat die that shows less than that, in widths, is not seen."""
STRAIGHT_DOWN = 1e-6
"""A foot that is seen nearer than that, px, is beneath its face: by that much no share is lost."""
SIDE_INSIDE, LEAST_OF_SIDE, OTHER_DIE = 0.08, 0.3, 0.6
"""So far inside of its outline, in widths, so much of a side is unlike the ground; and what is as
near to another die, in widths, or to where that stands, is that one's."""
AROUND = 0.95
"""So near to a face's middle, in widths, no pip is but its own, or another die's."""
AS_STRONG = 0.5
"""Such a pip's response is at least so large a part of the weakest of the face's own."""
STRONG_IF_DEEP, DEEP = 0.4, 0.45
"""The first is enough where it is darker than its ring by the second, in contrasts: so are narrow
pips, of a face seen at a grazing angle. Those of an upper 5 seen at 67 degrees had 0.43 and 0.5."""
PIP_DEPTH, AS_BRIGHT, PIP_DARK = 0.3, 0.5, 0.25
"""A pip is so much darker than its ring, which is about as bright as the face, and than the face: a
bare corner on brighter paper is no pip. In contrasts."""
AS_ON_TOP, DEEP_ON_TOP = 0.8, 0.72
"""A pip on a side that is seen is not both so strong as the face's own and so deep, in contrasts:
on drawn flat dice they were 0.49 deep at most, on white paper 0.69; on one that leant 0.74."""
TWINS, FAINT, SHALLOW = 1.4, 0.25, 0.15
"""The pips of a 2 or a 3 that tell no width are so alike, the strongest and the faintest; what is
so strong beside them, in parts of the faintest, and so deep, in contrasts, is another pip. On
photographs they were by 1.25, and spots by 0.16; on a die that leant 1.82, and 0.3 and 0.56."""
AS_DEEP = 1.45
"""So many times as deep as the other a pip of a 2 is at most: one of a side is seen more flatly and
in less light. On drawn 2s by 1.18, over-exposed 1.32; of a 1 and its side 1.67."""
NOOK, NOOK_OPENED = 0.9, 0.3
"""Ground shows where dice meet: so near to the middle of one that was read, in widths, and as dark
on so much of the way round it. Drawn nooks are on 0.37 of it, pips beside a die on 0.19 at most."""
INNER, INNER_SHARE = (0.3, 0.37), 0.6
"""A 1 has no step there, in widths from its middle, that is so large a part of its largest."""
BESIDE = 1.25
"""Dice whose middles are nearer than that, in widths, may touch: no step in grey need be there."""
OWN_AREA = 0.9
"""So far from its middle, in widths, what is seen may be another die's."""
BRIGHTER, BRIGHTER_SHARE = 22.0, 0.3
"""Grey levels by which something beside a die is brighter than the ground, and that in parts of
what the die itself is: a shadow never is."""
MOST_BRIGHT = 0.02
"""So much of it, in faces, is no die's own glint."""
BESIDE_FROM, BESIDE_TO = 0.1, 0.85
"""It lies so far outside of a flat die's outline, and so near to its middle, in widths."""
BENEATH_TO, MOST_BENEATH, BRIGHT_BENEATH = 1.2, 0.066, 40.0
STRANGE_BENEATH, STRANGE_SHARE = 16.0, 0.125
"""A die beneath is seen further off, too: so near, in widths, there is no more, in faces, that is
brighter than the ground by so many levels, or whose colour differs by so many and by such a share
of the ground's light: it glows of the die. Beside real dice that lay flat were 0.047 and 0.033."""
SECTORS = 8
"""A print is seen all round a die: in more than half of so many sectors of what is round it."""

STRANGE, STRANGE_TIMES, GROUND_SHARE = 12.0, 1.5, 0.9
"""Levels by which another colour differs from the ground's in any light; and that in times of how
much so large a part of the ground itself does at most."""
STRANGE_FROM, MOST_STRANGE = 0.13, 0.05
"""So far outside of a flat die's outline (cameras blur colours), and so much of it, in faces."""
HARDLY_MORE, COLOURED = 1.35, 25.0
"""What is brighter than the ground by so much at most, and of its colour, is a part of it; where
the ground's colour is so many levels from a grey that is as bright."""
DARKEST, DARKEST_OF_DARK, DARK_DIE = 0.1, 0.4, 0.5
"""In a die's shadow the ground has so much of its light at least: one lamp alone leaves little. The
sides of a die that has less than so much of the ground's light are no lighter than the second."""

RING, SAME_COLOUR = 0.19, 0.25
"""So far round a pip its face is looked at, in widths; a face varies by so much at most, in parts
of its contrast: drawn 2s do by 0.12, and a black die differs from a green one by 0.36."""

FACE_INSIDE, PIP_ROUND, RING_TO = 0.08, 0.2, 0.3
MOST_OF_FACE, MOST_BARE, ONE_COLOUR = 0.8, 0.9, 0.22
"""So far inside of its outline, in widths, and so far outside of its pip so much of a 1's face (the
second, of a 2 or a 3 whose pips tell no width)
differs from what is just round the pip by so much of its contrast at most: on drawn 1s by 0.16, on
the corner of a 2 beneath another die by 0.39."""

MOST_ROUND, ROUND_COLOUR = 0.75, 0.33
"""So much of the way round a 2's pip its face differs from the usual there by so much of its
contrast at most: on drawn 2s by 0.29; of a patch in sight beneath another die by 0.37."""

SPOT, SAME_PIPS = 0.05, 0.4
"""So far round its middle, in widths, a pip has its own colour; those of a face differ by so much
at most, in parts of its contrast: drawn ones do by 0.23, a white pip and a yellow corner by 0.78.
"""
SAME_SPOT = 0.15
"""Two places so near to each other, in widths, are one pip."""

VARIED, PLAIN_RING, PLAIN = 10.0, (0.28, 0.4), 0.09
"""Round a die the colours of a print differ from the usual one by that much or more (see
`GROUND_SHARE`); so far from the middle of a 1 its face has nothing darker than its usual grey by so
much of its contrast: drawn 1s have 0.05 at most, dots that were told as a 1 had 0.12 at least."""

EVEN_RINGS, UNEVEN, UNEVEN_ON_PRINT = (0.16, 0.19), 0.18, 0.1
"""So far round the pip of a 1, in widths, its face differs by so much of its contrast at most: on
drawn 1s by 0.14; round a pip of a 4 that one on the side of the die above touches by 0.27. On a
print by less: on drawn 1s there by 0.05, round a dot that was told as a 1 by 0.13."""

NO_SIDES_TIMES = 1.6
"""On a print the edges of a 1 whose sides nobody sees are so many times as strong as elsewhere."""

STRAIGHT, EVEN = 0.9, 0.35
"""Along so much of a side it has a step; one of so many times the side's usual one at least."""

_ALONG, _ALL_ALONG = np.linspace(-0.3, 0.3, 13), np.linspace(-0.36, 0.36, 10)
_OUT = np.arange(0.24, 0.92, 0.02)
_STEP = 4
_AT: NDArray[np.float64] = _OUT[_STEP // 2 : _STEP // 2 + len(_OUT) - _STEP]
_INNER = np.abs(_AT - sum(INNER) / 2) <= (INNER[1] - INNER[0]) / 2 + 1e-6
_WAYS = np.radians(np.arange(0, 360, 30.0))
_RING = np.column_stack([np.cos(_WAYS), np.sin(_WAYS)])
_GRID_REACH, _GRID_STEP = 1.5, 0.06
_GRID = np.stack(
    np.meshgrid(*[np.arange(-_GRID_REACH, _GRID_REACH + 0.01, _GRID_STEP)] * 2), axis=-1
).reshape(-1, 2)
_FAR = np.hypot(*_GRID.T)
_SECTOR = np.floor(SECTORS * (np.arctan2(_GRID[:, 1], _GRID[:, 0]) / (2 * math.pi) + 0.5)) % SECTORS
_MAY_BE_FACE = _FAR < 0.71
"""Beyond that there is no face, however it is turned."""
LEAST_GROUND = 0.1
"""So much of what is looked at round a die must be ground to know how bright it is."""
_TURNS, _TURNS_OF_ONE = np.radians((-6.0, -3.0, 0.0, 3.0, 6.0)), np.radians(np.arange(0, 90, 6.0))
TURNS_OF_ONE: Sequence[float] = _TURNS_OF_ONE.tolist()
"""A 1 may be turned by any of them, radians."""

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FlatDie:
    """How a die that lies flat looks at a place: its upper face's width and its foot, px.

    `foot_px` is how far from the middle of the upper face that of the lower one is seen; None where
    nobody knows how the camera stands.
    """

    side_px: float
    foot_px: Point | None = None

    def scaled(self, share: float) -> FlatDie:
        """A die that is so many times as large."""
        foot = self.foot_px and (share * self.foot_px[0], share * self.foot_px[1])
        return FlatDie(share * self.side_px, foot)


FlatAt = Callable[[Point], FlatDie]
"""How a flat die looks at a point of the picture."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceRead:
    """A face that was read: `box` is its middle x, y px, turn (radians), width and height px."""

    value: int
    box: NDArray[np.float64]
    level: float
    contrast: float
    pips: Places

    @property
    def size_px(self) -> float:
        """Its width, were it square; a six's rows may lie nearer than its pips in a row."""
        return math.sqrt(float(self.box[3] * self.box[4]))


def common_size(faces: Sequence[FaceRead], flats: Sequence[FlatDie]) -> float | None:
    """How wide the dice of a picture are, in widths of what was expected; None if they differ."""
    sizes = [
        face.size_px / flat.side_px
        for face, flat in zip(faces, flats, strict=True)
        if face.value >= TELLING
    ]
    middle = median(sizes) if sizes else 0.0
    agreeing = [size for size in sizes if abs(size - middle) <= AGREED * middle]
    return middle if len(agreeing) >= max(ALIKE, 0.7 * len(sizes)) else None


@dataclass(frozen=True, slots=True, eq=False)
class FaceSurroundings:
    """What is round a face: the picture as it is, where the table is, and the other dice.

    `others` [n, 2] are their middles px, `sure` those of dice that were read, `other_pips` [m, 2]
    all of their pips; `on_them` tells
    of places [k, 2] which are on the face of one that was read, or on a side that it shows.
    `colours` gives the picture's three colours, where it has them.
    """

    grey: Floats
    table: NDArray[np.bool_]
    others: Places
    sure: Places
    other_pips: Places
    on_them: Callable[[Places], NDArray[np.bool_]]
    colours: Callable[[], tuple[Floats, ...]]


@dataclass(frozen=True, eq=False)
class FaceSeen:
    """A face that may be that of a flat die, and what is round it: all of it is looked up once.

    The places are those of a grid round its middle, in widths of the flat die.
    """

    face: FaceRead
    flat: FlatDie
    around: FaceSurroundings

    @property
    def turns(self) -> Sequence[float]:
        """The ways in which it may be turned, radians: the pip of a 1 does not tell."""
        return TURNS_OF_ONE if self.face.value == 1 else [float(self.face.box[2])]

    @cached_property
    def wider(self) -> float:
        """How much wider the pip of a 1 is than others, from its middle, in widths."""
        if self.face.value != 1:
            return 0.0
        return pip_wider(self.around.grey, self.face.box[:2], self.flat.side_px)

    @cached_property
    def grey(self) -> Floats:
        """What each place shows in grey."""
        return self._on_grid(self.around.grey)

    @cached_property
    def colours(self) -> Floats | None:
        """What each place shows in colour, [places, planes]; None where there are no colours."""
        planes = self.around.colours()
        return np.column_stack([self._on_grid(plane) for plane in planes]) if planes else None

    @cached_property
    def ground(self) -> NDArray[np.bool_] | None:
        """Which places further off are ground; None where too few are to know how it looks."""
        ground = self.free(OWN_AREA) & (_FAR > 1.05)
        return None if ground.mean() < LEAST_GROUND else ground

    @cached_property
    def strange(self) -> NDArray[np.bool_] | None:
        """Which places have not the ground's colour; None where there are no colours."""
        return self.unlike_ground(STRANGE)

    def unlike_ground(self, least: float, share: float = 0.0) -> NDArray[np.bool_] | None:
        """The same, of what differs by so many levels at least and such a share of its light."""
        if self.colours is None or self.ground is None:
            return None
        own, level = (float(np.median(self.grey[it])) for it in (_FAR < 0.5, self.ground))
        darkest = DARKEST_OF_DARK if own < DARK_DIE * level else DARKEST
        light = float(np.linalg.norm(np.median(self.colours[self.ground], axis=0)))
        return is_strange(self.colours, self.ground, darkest, max(least, share * light))

    @cached_property
    def as_ground(self) -> NDArray[np.bool_]:
        """Which places have the ground's own colour, where it has one, in hardly more light."""
        if self.colours is None or self.ground is None or self.strange is None:
            return np.zeros(len(_GRID), np.bool_)
        ground = self.colours[self.ground]
        usual = np.median(ground, axis=0)
        plain = np.full((1, usual.size), float(np.linalg.norm(usual)) / math.sqrt(usual.size))
        off, _ = _off_colour(plain.astype(np.float32), ground)
        _, light = _off_colour(self.colours, ground)
        return np.asarray(~self.strange & (light < HARDLY_MORE) & bool(off[0] > COLOURED))

    def free(self, own_sides: float) -> NDArray[np.bool_]:
        """Which places are on the table, and so far from any other die."""
        table, near = self._table_and_others
        return table & (near > own_sides * self.flat.side_px)

    @cached_property
    def _table_and_others(self) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
        """Which places are on the table; and how far from each another die or its foot is, px."""
        table = self._on_grid(self.around.table.astype(np.float32)) > 0.99
        near, others = np.full(len(_GRID), np.inf), self.around.others
        if len(others):
            foot = np.array(self.flat.foot_px or (0.0, 0.0))
            away = np.concatenate([others + share * foot for share in (0.0, 0.5, 1.0)])
            away -= self.face.box[:2]
            away = away[np.abs(away).max(axis=1) < (_GRID_REACH + OWN_AREA) * self.flat.side_px]
            if len(away):
                near = _nearest(away, self.flat.side_px * _GRID)
        return table, near

    def _on_grid(self, plane: Floats) -> Floats:
        places = self.face.box[:2] + self.flat.side_px * _GRID
        return sample(plane, places[:, :1], places[:, 1:])[:, 0]


def lies_alone(pips: Pips, seen: FaceSeen) -> bool:
    """Whether nothing beside a face shows that its die leans or lies on another.

    `pips` are all that were found in the picture in which its own are dark. How wide the face is
    says `has_its_width`.
    """
    if has_strays(pips, seen) or not _are_found(pips, seen.face, seen.flat):
        return False
    if seen.face.value == 2 and not _are_as_deep(pips, seen.face):
        return False
    if seen.flat.foot_px is None:  # nobody knows how it should look: what is round it tells
        return True
    return not _lies_on_more(seen)


def has_edges(smooth: Floats, seen: FaceSeen) -> bool:
    """Whether a face ends on all sides where a flat one does: in grey, else in any colour.

    `smooth` is the picture in which its pips are dark.
    """
    least = _least_edge(seen.face)
    if _edge_step([smooth], seen) >= least:
        return True
    planes = seen.around.colours()
    return bool(planes) and _edge_step([smooth, *planes], seen) >= COLOUR_EDGE * least


def _least_edge(face: FaceRead) -> float:
    least = LEAST_EDGE_OF_ONE if face.value == 1 else LEAST_EDGE
    return max(least, EDGE_SHARE * face.contrast)


def has_its_width(face: FaceRead, flat: FlatDie, *, sure: bool) -> bool:
    """Whether a face's pips lie as on a flat die's; `sure` if the dice themselves show how.

    One pip tells little: only that of a neighbour that is half covered is smaller.
    """
    size = face.size_px / flat.side_px
    if face.value == 1:
        return size >= LEAST_ONE
    least = LEAST_ALIKE if sure and face.value != 6 else LEAST_SIZE
    return least <= size <= MOST_SIZE


def may_have_its_width(face: FaceRead, flat: FlatDie, others: Sequence[float]) -> bool:
    """Whether there are dice whose pips lie so close together, or so far apart, as a face's.

    That of a 1 may be small. Two or three in a row do not show that it is square: then one of the
    `others` that lie flat, in widths of a flat die, must have them so, too.
    """
    size = face.size_px / flat.side_px
    if not CLOSEST <= size <= WIDEST:
        return False
    if face.value in {2, 3}:
        return any(abs(size - other) <= AGREED * other for other in others)
    return True


def _are_found(pips: Pips, face: FaceRead, flat: FlatDie) -> bool:
    """Whether each pip of a face is one in the picture: on three sides of a die one is a corner.

    Those of a 6 may lie so near to each other that not all of them are.
    """
    if face.value == 6:
        return True
    return bool((_nearest(pips.places, face.pips) < SAME_SPOT * flat.side_px).all())


def _are_as_deep(pips: Pips, face: FaceRead) -> bool:
    """Whether the pips of a face differ alike from what is round them: they lie on one side."""
    away = np.linalg.norm(pips.places[:, None] - face.pips, axis=2)
    own = (pips.rings - pips.levels)[away.argmin(axis=0)]
    return bool(own.max() <= AS_DEEP * own.min())


def is_of_one_colour(seen: FaceSeen) -> bool:
    """Whether all pips of a face are of one colour, and one or two lie on one.

    A 1 on another die and a pip of that one seldom do; nor is the bright corner of that one like
    the pip. A pip of what is seen of a die beneath another has less than a face round it.
    """
    face, flat, planes = seen.face, seen.flat, seen.around.colours()
    if not planes:
        return True
    spots = face.pips[:, None] + SPOT * flat.side_px * _RING
    own = _colours_at(planes, spots)
    if np.ptp(own, axis=1).max() > SAME_PIPS * face.contrast:
        return False
    if face.value == 1:
        return seen.colours is None or _is_all_face(seen.colours, seen)
    if face.value != 2:
        return True
    spots = face.pips[:, None] + RING * flat.side_px * _RING
    if np.ptp(_colours_at(planes, spots), axis=1).max() > SAME_COLOUR * face.contrast:
        return False
    ring = np.stack([sample(plane, spots[..., 0], spots[..., 1]) for plane in planes])
    off = np.abs(ring - np.median(ring, axis=(1, 2), keepdims=True)).max(axis=0)
    return float(np.quantile(off, MOST_ROUND, axis=1).max()) <= ROUND_COLOUR * face.contrast


def _is_all_face(colours: Floats, seen: FaceSeen) -> bool:
    """Whether round a 1's pip there is nothing but its face, however it is turned."""
    face, flat, far = seen.face, seen.flat, _FAR - seen.wider
    ring = np.median(colours[(far > PIP_ROUND) & (far < RING_TO)], axis=0)
    on_face = (far > PIP_ROUND) & _MAY_BE_FACE
    off = np.abs(colours[on_face] - ring).max(axis=1)
    tops = on_top(flat.side_px * _GRID[on_face], flat, TURNS_OF_ONE, -FACE_INSIDE)
    most = min(float(np.quantile(off[top], MOST_OF_FACE)) for top in tops)
    return most <= ONE_COLOUR * face.contrast


def _colours_at(planes: Sequence[Floats], spots: NDArray[np.float64]) -> Floats:
    """The usual colour of each of some rings of spots [n, k, 2]: [planes, n]."""
    at = [sample(plane, spots[..., 0], spots[..., 1]) for plane in planes]
    return np.asarray(np.median(np.stack(at), axis=2), np.float32)


def has_strays(pips: Pips, seen: FaceSeen) -> bool:
    """Whether a pip is near that is neither the face's own nor another die's, nor on its side."""
    face, flat, around = seen.face, seen.flat, seen.around
    away = pips.places - face.box[:2]
    own = _nearest(face.pips, pips.places)
    mine = own < SAME_SPOT * flat.side_px
    if not mine.any():
        return False
    strong = pips.responses >= AS_STRONG * pips.responses[mine].min()
    deep = pips.rings - pips.levels >= DEEP * face.contrast
    strong |= deep & (pips.responses >= STRONG_IF_DEEP * pips.responses[mine].min())
    strays = strong & ~mine & (np.hypot(*away.T) < AROUND * flat.side_px)
    strays &= pips.rings - pips.levels >= PIP_DEPTH * face.contrast
    strays &= pips.rings >= face.level - AS_BRIGHT * face.contrast
    strays &= pips.levels <= face.level - PIP_DARK * face.contrast
    if len(around.other_pips):
        strays &= _nearest(around.other_pips, pips.places) >= SAME_SPOT * flat.side_px
    if not strays.any():
        return False
    strays &= ~around.on_them(pips.places)
    if len(around.sure):
        beside = _nearest(around.sure, pips.places) < NOOK * flat.side_px
        strays &= ~(beside & (pips.opened >= NOOK_OPENED))
    as_on_top = pips.responses >= AS_ON_TOP * pips.responses[mine].min()
    as_on_top &= pips.rings - pips.levels >= DEEP_ON_TOP * face.contrast
    if len(around.others):
        as_on_top &= _nearest(around.others, pips.places) > OTHER_DIE * flat.side_px
    on_side = on_sides(away, flat, [float(face.box[2])])[0] & ~as_on_top
    return bool((strays & ~on_side).any())


def _lies_on_more(seen: FaceSeen) -> bool:
    """Whether something that is neither ground nor its shadow shows beside a die: one below it."""
    if seen.ground is None:
        return False
    near = seen.free(OWN_AREA) & (_FAR < BESIDE_TO)
    bright = near & is_bright(seen.grey, seen.ground, _FAR < 0.5) & ~seen.as_ground
    if _shows_beside(bright, seen, BESIDE_FROM, MOST_BRIGHT):
        return True
    strange = seen.strange
    if strange is not None and _shows_beside(near & strange, seen, STRANGE_FROM, MOST_STRANGE):
        return True
    return _shows_beneath(seen) and not _is_print_all_round(seen)


def _shows_beneath(seen: FaceSeen) -> bool:
    """Whether so much that is no ground shows further off that there may be a die beneath."""
    if seen.ground is None:
        return False
    near = seen.free(OWN_AREA) & (_FAR < BENEATH_TO)
    bright = is_bright(seen.grey, seen.ground, _FAR < 0.5, BRIGHT_BENEATH) & ~seen.as_ground
    if _shows_beside(near & bright, seen, BESIDE_FROM, MOST_BENEATH):
        return True
    strange = seen.unlike_ground(STRANGE_BENEATH, STRANGE_SHARE)
    return strange is not None and _shows_beside(near & strange, seen, STRANGE_FROM, MOST_BENEATH)


def shows_its_sides(seen: FaceSeen) -> bool:
    """Whether where a flat die shows its sides there is neither ground nor another die.

    A side itself is seen above the ground, or before another die.
    """
    if seen.ground is None:
        return False
    flat, more = seen.flat, is_bright(seen.grey, seen.ground, _FAR < 0.5)
    if seen.strange is not None:
        more |= seen.strange
    more &= seen.free(OTHER_DIE)
    farthest = math.sqrt(0.5) + math.hypot(*(flat.foot_px or (0.0, 0.0))) / flat.side_px
    where = np.abs(_FAR - (0.5 + farthest) / 2) < (farthest - 0.5) / 2  # else face, or no side
    away, more = flat.side_px * _GRID[where], more[where]
    sides = on_sides(away, flat, seen.turns, -SIDE_INSIDE)
    sides &= ~on_top(away, flat, seen.turns, SIDE_INSIDE)
    return bool(((sides & more).sum(axis=1) >= LEAST_OF_SIDE * sides.sum(axis=1)).any())


def lies_on_print(seen: FaceSeen) -> bool:
    """Whether what is round a face has several colours: their edges may seem to enclose it."""
    if seen.ground is None or seen.colours is None:
        return False
    colours = seen.colours[seen.ground]
    off, _ = _off_colour(colours, colours)
    return float(np.quantile(off, GROUND_SHARE)) >= VARIED


def _is_print_all_round(seen: FaceSeen) -> bool:
    """Whether the ground has several colours in most ways from a face: a die has them in a few."""
    if seen.ground is None or seen.colours is None:
        return False
    off, _ = _off_colour(seen.colours[seen.ground], seen.colours[seen.ground])
    sectors = [off[_SECTOR[seen.ground] == at] for at in range(SECTORS)]
    varied = [float(np.quantile(it, GROUND_SHARE)) >= VARIED for it in sectors if len(it)]
    return sum(varied) > len(varied) / 2


def is_plain_one(seen: FaceSeen) -> bool:
    """Whether a 1 has nothing dark but its pip: beside a map's dot there may be letters.

    That light falls from one side, or a shadow's edge on the face, is nothing of the kind.
    """
    nearest, farthest = PLAIN_RING[0] + seen.wider, PLAIN_RING[1]
    ring = np.abs(_FAR - (nearest + farthest) / 2) < (farthest - nearest) / 2
    grey, slopes = seen.grey[ring], np.column_stack([np.ones(len(_GRID)), _GRID])[ring]
    even = grey - slopes @ (np.linalg.pinv(slopes) @ grey)
    return float(np.median(even) - even.min()) <= PLAIN * seen.face.contrast


def has_twins(pips: Pips, seen: FaceSeen) -> bool:
    """Whether a face's pips are alike, and nothing beside them is but a little like a pip.

    Those of two faces of a die that leans are not, and the others of these faces are seen.
    """
    face, flat = seen.face, seen.flat
    mine = _nearest(face.pips, pips.places) < SAME_SPOT * flat.side_px
    if not mine.any():
        return False
    own = pips.responses[mine]
    away, turn = pips.places - face.box[:2], [float(face.box[2])]
    near = ~mine & (np.hypot(*away.T) < AROUND * flat.side_px)
    near &= pips.responses >= FAINT * own.min()
    near &= pips.rings - pips.levels >= SHALLOW * face.contrast
    on_side = on_sides(away, flat, turn)[0] & ~on_top(away, flat, turn, EDGE_WITHIN)[0]
    return bool(own.max() <= TWINS * own.min()) and not (near & ~on_side).any()


def is_bare(seen: FaceSeen) -> bool:
    """Whether there is nothing on a face but its pips: no letters, no edge and no other face."""
    face, flat = seen.face, seen.flat
    looks = seen.grey[:, None] if seen.colours is None else seen.colours
    away = flat.side_px * _GRID
    own = _nearest(face.pips - face.box[:2], away) / flat.side_px
    top = on_top(away, flat, seen.turns, -FACE_INSIDE)[0]
    usual = np.median(looks[top & (own > PIP_ROUND) & (own < RING_TO)], axis=0)
    off = np.abs(looks[top & (own > PIP_ROUND)] - usual).max(axis=1)
    return float(np.quantile(off, MOST_BARE)) <= ONE_COLOUR * face.contrast


def is_even_one(seen: FaceSeen, *, printed: bool) -> bool:
    """Whether a 1's face is alike all round its pip: no other pip and no print touches it."""
    rings = np.array(EVEN_RINGS) + seen.wider
    spots = seen.face.box[:2] + seen.flat.side_px * np.multiply.outer(rings, _RING)
    grey = sample(seen.around.grey, spots[..., 0], spots[..., 1])
    most = UNEVEN_ON_PRINT if printed else UNEVEN
    return float(np.ptp(grey, axis=1).max()) <= most * seen.face.contrast


def _shows_beside(
    places: NDArray[np.bool_], seen: FaceSeen, slack_sides: float, most: float
) -> bool:
    """Whether more of some places of the grid than `most`, in faces, is beside a flat die.

    The pip of a 1 does not tell how its die is turned: it is as leaves the least.
    """
    count = int(most / _GRID_STEP**2)
    if np.count_nonzero(places) <= count:
        return False
    beside = ~on_sides(seen.flat.side_px * _GRID[places], seen.flat, seen.turns, slack_sides)
    return bool((np.count_nonzero(beside, axis=1) > count).all())


def is_bright(
    grey: Floats, ground: NDArray[np.bool_], own: NDArray[np.bool_], least: float = BRIGHTER
) -> NDArray[np.bool_]:
    """Which places are brighter than the ground, by so many levels at least: no shadow is."""
    level = float(np.median(grey[ground]))
    usual = STRANGE_TIMES * float(np.quantile(grey[ground], GROUND_SHARE) - level)
    above = max(least, usual, BRIGHTER_SHARE * (float(np.median(grey[own])) - level))
    return np.asarray(grey > level + above)


def is_strange(
    colours: Floats, ground: NDArray[np.bool_], darkest: float, least: float
) -> NDArray[np.bool_]:
    """Which places have not the ground's colour in any light, or are darker than its shadow."""
    off, light = _off_colour(colours, colours[ground])
    usual = float(np.quantile(off[ground], GROUND_SHARE))
    return np.asarray((off > max(least, STRANGE_TIMES * usual)) | (light < darkest))


def _off_colour(colours: Floats, ground: Floats) -> tuple[Floats, Floats]:
    """How far each colour is from the ground's usual one in any light; and in how much it is."""
    plain = np.median(ground, axis=0)
    light = colours @ plain / max(1.0, float(plain @ plain))
    off = np.linalg.norm(colours - light[:, None] * plain, axis=1)
    return np.asarray(off, np.float32), np.asarray(light, np.float32)


def on_sides(
    away: Places, flat: FlatDie, turns: Sequence[float], slack_sides: float = 0.06
) -> NDArray[np.bool_]:
    """Which places, from the middle of a face, are on it or a side that a flat die shows there.

    For each of the ways in which it may be turned, radians: [turns, n].
    """
    if flat.foot_px is None:
        return np.zeros((len(turns), len(away)), np.bool_)
    axes = _axes(turns)
    own, foot = axes @ away.T, axes @ np.array(flat.foot_px)
    reach = (0.5 + slack_sides) * flat.side_px
    # On the way from face to foot the square passes over a place, from one share of it to another.
    foot = np.where(np.abs(foot) < STRAIGHT_DOWN, STRAIGHT_DOWN, foot)[..., None]
    before, after = (own - reach) / foot, (own + reach) / foot
    first, last = np.minimum(before, after), np.maximum(before, after)
    first, last = np.maximum(first[:, 0], first[:, 1]), np.minimum(last[:, 0], last[:, 1])
    return np.asarray(np.maximum(first, 0.0) <= np.minimum(last, 1.0))


def side_middles(flat: FlatDie, turn: float) -> Places:
    """The middles of those sides that a flat die shows, from the middle of its face, [n, 2] px."""
    outwards, foot = _outwards(np.array([turn]))[0], np.array(flat.foot_px or (0.0, 0.0))
    seen = outwards @ foot > SIDE_SEEN * flat.side_px
    return np.asarray((flat.side_px * outwards[seen] + foot) / 2, np.float64)


def on_top(
    away: Places, flat: FlatDie, turns: Sequence[float], slack_sides: float = 0.0
) -> NDArray[np.bool_]:
    """Which places, from the middle of a face, are on it, for each way it may be turned."""
    own = np.abs(_axes(turns) @ away.T)
    return np.asarray(np.maximum(own[:, 0], own[:, 1]) <= (0.5 + slack_sides) * flat.side_px)


def _axes(turns: Sequence[float]) -> NDArray[np.float64]:
    """The ways along the upper and the left edge of a face for each turn, [turns, 2, 2]."""
    cos, sin = np.cos(turns), np.sin(turns)
    return np.stack([np.stack([cos, sin], axis=1), np.stack([-sin, cos], axis=1)], axis=1)


def _edge_step(planes: Sequence[Floats], seen: FaceSeen) -> float:
    """The faintest of the four steps at the edges of a face, where they fit it best.

    A step is that of the plane (grey, or one colour) that has the largest there.

    An edge towards another die that touches it need have none.
    """
    face, flat, one = seen.face, seen.flat, seen.face.value == 1
    turns = _TURNS_OF_ONE if one else face.box[2] + _TURNS
    outwards = _outwards(turns)
    found = [_steps(plane, face.box[:2], outwards, flat.side_px) for plane in planes]
    steps = np.max(found, axis=0)
    if one:  # nothing but its pip is nearer than its edge: else it is seen at a slant
        inner = steps[..., _INNER].max(axis=-1, keepdims=True)
        steps = np.where(inner < steps.max(axis=-1, keepdims=True) * INNER_SHARE, steps, 0.0)
    foot = np.array(flat.foot_px or (0.0, 0.0))
    sides = np.maximum(0.0, outwards @ foot) / flat.side_px
    steps[_towards(seen.around.others - face.box[:2], outwards, flat)] = np.inf
    small, large = (float(n) / flat.side_px for n in sorted(face.box[3:]))
    nearest = NEAREST_OF_ONE if one else NEAREST_EDGE * small
    ends = np.arange(nearest, FARTHEST_EDGE * (1.0 if one else large), 0.02)
    return max((_faintest(steps, sides, end) for end in ends.tolist()), default=0.0)


def _towards(others: Places, outwards: NDArray[np.float64], flat: FlatDie) -> NDArray[np.bool_]:
    """Which of the ways outwards lead to another die that touches a face, if it does, [n, 4]."""
    there = np.zeros(outwards.shape[:2], np.bool_)
    for other in others:
        away = float(np.hypot(*other))
        if away < BESIDE * flat.side_px:
            there |= outwards @ (other / away) > 0.8
    return there


def is_outlined(plane: Floats, seen: FaceSeen, *, times: float = 1.0) -> bool:
    """Whether straight edges of a flat die enclose a face: a map's dot has a few lines beside it.

    In a plane (grey, or one colour) it ends on all four sides with a step the same way, up or down,
    along nearly all of each side, so many `times` as large as is asked of one; none is needed
    towards a die that was read and may touch it.
    """
    face, flat = seen.face, seen.flat
    outwards = _outwards(_TURNS_OF_ONE if face.value == 1 else face.box[2] + _TURNS)
    foot = np.array(flat.foot_px or (0.0, 0.0))
    sides = np.maximum(0.0, outwards @ foot) / flat.side_px
    ends = np.flatnonzero((_AT > NEAREST_OF_ONE - 1e-6) & (_AT < FARTHEST_EDGE))
    feet = np.minimum(ends[:, None, None] + np.rint(sides / 0.02).astype(int), len(_AT) - 1)
    free = _towards(seen.around.sure - face.box[:2], outwards, flat)
    shown = sides > SIDE_SEEN
    least = times * _least_edge(face)
    steps = _steps_along(plane, face.box[:2], outwards, flat.side_px)
    for way in (steps, -steps):
        edge, end = _largest(way, 1)[ends], _largest(way, 2)
        foot_steps = np.take_along_axis(end, feet[..., None], axis=0)
        shares = _straight(edge, least)
        shares = np.maximum(shares, np.where(shown, _straight(foot_steps, least), 0))
        if (np.where(free, 1.0, shares).min(axis=-1) >= STRAIGHT).any():
            return True
    return False


def _largest(steps: Floats, reach: int) -> Floats:
    """The largest of each step [k, ...] and so many before and after it."""
    near = steps.copy()
    for off in range(1, reach + 1):
        near[off:] = np.maximum(near[off:], steps[:-off])
        near[:-off] = np.maximum(near[:-off], steps[off:])
    return near


def _straight(steps: Floats, least: float) -> NDArray[np.float64]:
    """Along what share of each side [..., 10] it has its step."""
    middle = np.median(steps, axis=-1, keepdims=True)
    return np.asarray((steps >= np.maximum(0.8 * least, EVEN * middle)).mean(axis=-1))


def _steps_along(
    plane: Floats, middle: Places, outwards: NDArray[np.float64], side_px: float
) -> Floats:
    """The steps in grey on each way outwards, for each place along that side, [k, n, 4, 10]."""
    along = np.stack([-outwards[..., 1], outwards[..., 0]], axis=-1)
    spots = outwards[:, :, None, None] * _OUT[:, None, None]
    spots = middle + side_px * (spots + along[:, :, None, None] * _ALL_ALONG[:, None])
    xs, ys = (spots[..., at].reshape(-1, 1) for at in (0, 1))
    grey = sample(plane, xs, ys).reshape(spots.shape[:-1])
    steps = grey[:, :, _STEP:] - grey[:, :, :-_STEP]
    return np.ascontiguousarray(np.moveaxis(steps, 2, 0), np.float32)


def _outwards(turns: NDArray[np.float64]) -> NDArray[np.float64]:
    """The four ways outwards for each turn of a face, [n, 4, 2]."""
    angles = turns[:, None] + np.arange(4) * math.pi / 2
    return np.stack([np.cos(angles), np.sin(angles)], axis=-1)


def _steps(smooth: Floats, middle: Places, outwards: NDArray[np.float64], side_px: float) -> Floats:
    """The steps in grey on each way outwards, [n, 4, k]."""
    along = np.stack([-outwards[..., 1], outwards[..., 0]], axis=-1)
    spots = outwards[:, :, None, None] * _OUT[:, None, None]
    spots = middle + side_px * (spots + along[:, :, None, None] * _ALONG[:, None])
    xs, ys = (spots[..., at].reshape(-1, 1) for at in (0, 1))
    half = len(_ALONG) // 2  # an odd number has one in the middle: no need for a mean
    grey = np.partition(sample(smooth, xs, ys).reshape(spots.shape[:-1]), half, axis=-1)[..., half]
    return np.asarray(np.abs(grey[..., _STEP:] - grey[..., :-_STEP]), np.float32)


def _faintest(steps: Floats, sides: NDArray[np.float64], end: float) -> float:
    """The faintest step of four at one distance, for the best turn.

    Where a side is seen below an edge, the step may be at that side's foot instead.
    """
    here = np.where(np.abs(_AT - end) <= EDGE_WITHIN + 1e-6, steps, 0.0).max(axis=-1)
    there = np.abs(_AT - end - sides[..., None]) <= END_WITHIN
    foot = np.where(there & (sides[..., None] > SIDE_SEEN), steps, 0.0).max(axis=-1)
    return float(np.maximum(here, foot).min(axis=-1).max())


def _nearest(places: Places, others: Places) -> NDArray[np.float64]:
    """How far from each of the others the nearest of some places is."""
    return np.asarray(np.linalg.norm(others[:, None] - places, axis=2).min(axis=1))
