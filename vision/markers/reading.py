"""Markers found in a frame: OpenCV's detector, tuned for small markers on a table.

Two settings matter most. `minMarkerDistanceRate` 0.05: with the default of 0.125 the outline of a
marker's white rim is taken for the marker, and the marker itself thrown away. And one threshold
window instead of three: markers of 28 px and more lose nothing by it, and a frame costs half.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.camera.frame import GreyImage
from vision.markers.corners import sharpen
from vision.markers.dictionaries import MarkerDictionary, load_dictionary

# Crops: what of a picture changed, what of it to read.


class Crop(NamedTuple):
    """Its left and top edge, its width and height, px; it may reach over the picture's edge.

    >>> Crop(-20, 10, 50, 30).inside((640, 480)), Crop(-90, 10, 50, 30).inside((640, 480))
    (Crop(left=0, top=10, width=30, height=30), Crop(left=0, top=10, width=0, height=30))
    """

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column beyond it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row beyond it."""
        return self.top + self.height

    @classmethod
    def between(cls, left: int, top: int, right: int, bottom: int) -> Self:
        """The rectangle of these edges, the last two beyond it."""
        return cls(left, top, right - left, bottom - top)

    def of(self, grey: GreyImage) -> GreyImage:
        """The part of a picture that lies inside, a view; empty where none does."""
        left, top, width, height = self.inside((grey.shape[1], grey.shape[0]))
        return grey[top : top + height, left : left + width]

    def inside(self, size_px: tuple[int, int]) -> Self:
        """What of it lies in a picture of that width and height; no wider than 0 beside it."""
        width, height = size_px
        left, top = min(max(0, self.left), width), min(max(0, self.top), height)
        right, bottom = min(max(left, self.right), width), min(max(top, self.bottom), height)
        return self.between(left, top, right, bottom)

    def grown(self, by_px: int) -> Self:
        """With a margin on all four sides."""
        return self.between(
            self.left - by_px, self.top - by_px, self.right + by_px, self.bottom + by_px
        )

    def joined(self, other: Crop) -> Self:
        """The least one that holds both."""
        left, top = min(self.left, other.left), min(self.top, other.top)
        return self.between(left, top, max(self.right, other.right), max(self.bottom, other.bottom))

    def scaled(self, scale: int) -> Self:
        """The same part of a picture so many times as wide and high."""
        return type(self)(*(side * scale for side in self))

    def holds(self, other: Crop) -> bool:
        """Whether the other lies wholly in it."""
        inside = other.left >= self.left and other.top >= self.top
        return inside and other.right <= self.right and other.bottom <= self.bottom

    def touches(self, other: Crop) -> bool:
        """Whether they have a pixel in common."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


# Readers.

NEAREST_CANDIDATES_RATE = 0.05
WINDOW_PX = 23
SMALLEST_WINDOW_PX, WINDOW_STEP_PX = 3, 10
SMALLEST_PERIMETER_RATE, CROP_SMALLEST_PERIMETER_RATE = 0.03, 0.2
"""Of a marker to the longer side of the picture, or of a crop with little more than a marker."""
LARGE_CROP_PX = 300
"""From this side on a crop is searched as a picture is: a small marker is a small part of it."""
ENLARGED = 2


Quad = NDArray[Any]
"""Four corners as the detector has them, [1, 4, 2]."""


class MarkerReader:
    """Finds the markers of one dictionary in grey pictures.

    `ids` is the list of ids in play: others are chance hits and left out. A square is compared with
    no others, which takes most of the time it takes to read it. The detector is kept, for building
    one costs more than a crop; a reader belongs to one thread.

    >>> reader = MarkerReader("4X4_50", ids=range(16))
    >>> reader.read(np.full((480, 640), 200, np.uint8))
    ()
    """

    def __init__(
        self, dictionary: MarkerDictionary | str, ids: Collection[int] | None = None
    ) -> None:
        known = load_dictionary(dictionary) if isinstance(dictionary, str) else dictionary
        self.dictionary = known
        self.ids = None if ids is None else frozenset(ids)
        every = range(known.size)
        self._ids = np.array([n for n in every if self.ids is None or n in self.ids], np.int64)
        self._codes = _codes_of(known, self._ids)
        self._whole = cv2.aruco.ArucoDetector(self._codes, _one_window())
        self._part = cv2.aruco.ArucoDetector(self._codes, _one_window(CROP_SMALLEST_PERIMETER_RATE))

    def read(self, grey: GreyImage, crop: Crop | None = None) -> tuple[MarkerSeen, ...]:
        """The markers of the whole picture or of one crop, in order of their ids.

        A crop needs the marker's rim and more around it: a third of its side at the least. Corners
        are always those of the whole picture.
        """
        return self.read_crops(grey, [crop]) if crop is not None else self._whole_of(grey)

    def read_crops(self, grey: GreyImage, crops: Sequence[Crop]) -> tuple[MarkerSeen, ...]:
        """The markers of several crops, in order of their ids; what two show is there twice.

        All their corners are sharpened at once, which costs little more than those of one.
        """
        size_px = (grey.shape[1], grey.shape[0])
        quads, places, origins = list[Quad](), list[int](), list[tuple[int, int]]()
        for crop in crops:
            left, top, width, height = crop.inside(size_px)
            if not width or not height:
                continue
            detector = self._whole if max(width, height) >= LARGE_CROP_PX else self._part
            part = np.ascontiguousarray(grey[top : top + height, left : left + width])
            found, which, _ = detector.detectMarkers(part)
            if found:
                quads += found
                places += _places(which)
                origins += [(left, top)] * len(found)
        return self._sharp(grey, self._rough(quads, places, origins))

    def _whole_of(self, grey: GreyImage) -> tuple[MarkerSeen, ...]:
        return self._sharp(grey, self._found(self._whole, grey))

    def _found(self, detector: cv2.aruco.ArucoDetector, grey: GreyImage) -> _Rough:
        """What a detector finds in the whole of a picture."""
        quads, places, _ = detector.detectMarkers(grey)
        return self._rough(quads, _places(places) if quads else [], [(0, 0)])

    def _rough(
        self,
        quads: Sequence[Quad],
        places: Sequence[int],
        origins: Sequence[tuple[int, int]],
    ) -> _Rough:
        """Quads [1, 4, 2] that begin at these origins, their codes at these places of ours."""
        if not quads or not len(self._ids):
            return _Rough(np.empty(0, np.int64), np.empty((0, 4, 2)))
        corners_px = np.array(quads, np.float64).reshape(-1, 4, 2)
        return _Rough(self._ids[places], corners_px + np.array(origins)[:, None])

    def _sharp(self, grey: GreyImage, rough: _Rough, scale: float = 1.0) -> tuple[MarkerSeen, ...]:
        """Markers with the corners sharpened, in a picture that was enlarged by so much.

        Pixel centres are whole numbers, hence the halves.
        """
        order = np.argsort(rough.ids, kind="stable")
        sharp = sharpen(grey, rough.corners_px[order], self.dictionary.cells)
        corners = (sharp + 0.5) / scale - 0.5
        return tuple(
            MarkerSeen(number, self.dictionary.name, corners[row])
            for row, number in enumerate(rough.ids[order].tolist())
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Rough:
    """Markers as the detector has them: `ids` [n] and `corners_px` [n, 4, 2]."""

    ids: NDArray[np.int64]
    corners_px: NDArray[np.float64]


class ThoroughReader(MarkerReader):
    """Takes its time over a single picture: three threshold windows, then the picture enlarged.

    It finds markers of half the size, three quarters turned away, for six times the work, be it in
    the whole or in crops; what both passes find is reported once.
    """

    def __init__(
        self, dictionary: MarkerDictionary | str, ids: Collection[int] | None = None
    ) -> None:
        super().__init__(dictionary, ids)
        self._windows = cv2.aruco.ArucoDetector(self._codes, _three_windows())

    def read_crops(self, grey: GreyImage, crops: Sequence[Crop]) -> tuple[MarkerSeen, ...]:
        """The markers of several crops, in order of their ids; what two show is there twice."""
        found = [
            replace(marker, corners_px=marker.corners_px + _origin(crop))
            for crop in crops
            for marker in self._whole_of(np.ascontiguousarray(crop.of(grey)))
        ]
        return tuple(sorted(found, key=lambda marker: marker.id))

    def _whole_of(self, grey: GreyImage) -> tuple[MarkerSeen, ...]:
        if not grey.size:
            return ()
        first = self._sharp(grey, self._found(self._windows, grey))
        large = np.asarray(
            cv2.resize(grey, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC),
            np.uint8,
        )
        second = self._sharp(large, self._found(self._whole, large), ENLARGED)
        new = [marker for marker in second if not any(_same_place(marker, one) for one in first)]
        return tuple(sorted((*first, *new), key=lambda marker: marker.id))


def read_each(readers: Sequence[MarkerReader], grey: GreyImage) -> tuple[MarkerSeen, ...]:
    """The markers of several dictionaries; a square that two of them read is of the finer one.

    Now and then a code of 6 x 6 cells, looked at in 4 x 4, is one of a smaller dictionary, too.
    """
    found = [(reader.dictionary.cells, one) for reader in readers for one in reader.read(grey)]
    return tuple(
        one
        for cells, one in found
        if not any(finer > cells and _same_place(one, other) for finer, other in found)
    )


def _places(which: NDArray[Any]) -> list[int]:
    """At which places of the codes' list markers were found, of the detector's [n, 1]."""
    return np.asarray(which, np.int64).ravel().tolist()


def _origin(crop: Crop) -> tuple[float, float]:
    """Where the part of a picture that a crop shows begins, px."""
    return (float(max(0, crop.left)), float(max(0, crop.top)))


def _codes_of(known: MarkerDictionary, ids: NDArray[np.int64]) -> cv2.aruco.Dictionary:
    """The codes of some ids alone, in their order; all of them where none is named."""
    if not len(ids):
        return known.codes
    codes = known.codes
    kept = np.ascontiguousarray(codes.bytesList[ids])
    return cv2.aruco.Dictionary(kept, codes.markerSize, codes.maxCorrectionBits)


def _one_window(
    smallest_perimeter_rate: float = SMALLEST_PERIMETER_RATE,
) -> cv2.aruco.DetectorParameters:
    parameters = _parameters()
    parameters.adaptiveThreshWinSizeMin = WINDOW_PX
    parameters.adaptiveThreshWinSizeMax = WINDOW_PX
    parameters.minMarkerPerimeterRate = smallest_perimeter_rate
    return parameters


def _three_windows() -> cv2.aruco.DetectorParameters:
    parameters = _parameters()
    parameters.adaptiveThreshWinSizeMin = SMALLEST_WINDOW_PX
    parameters.adaptiveThreshWinSizeMax = WINDOW_PX
    parameters.adaptiveThreshWinSizeStep = WINDOW_STEP_PX
    return parameters


def _parameters() -> cv2.aruco.DetectorParameters:
    parameters = cv2.aruco.DetectorParameters()
    parameters.minMarkerDistanceRate = NEAREST_CANDIDATES_RATE
    return parameters


def _same_place(one: MarkerSeen, other: MarkerSeen) -> bool:
    apart = np.hypot(*np.subtract(one.centre_px, other.centre_px))
    return bool(apart < 0.5 * max(one.side_px, other.side_px))


CornersPx = NDArray[np.float64]
"""Four corners of a marker, [4, 2], x and y in px, the marker's own top left first, clockwise."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerSeen:
    """One marker found in a picture: its id, its dictionary's name and its corners."""

    id: int
    dictionary: str
    corners_px: CornersPx

    @property
    def centre_px(self) -> tuple[float, float]:
        """The mean of the four corners."""
        (x1, y1), (x2, y2), (x3, y3), (x4, y4) = self.corners_px.tolist()
        return ((x1 + x2 + x3 + x4) / 4, (y1 + y2 + y3 + y4) / 4)

    @property
    def side_px(self) -> float:
        """The mean length of the four sides."""
        first, second, third, fourth = self.corners_px.tolist()
        across = math.dist(first, second) + math.dist(third, fourth)
        return (across + math.dist(second, third) + math.dist(fourth, first)) / 4
