"""Frame to markers: OpenCV's detector, tuned for small markers on a table.

Two settings matter most. `minMarkerDistanceRate` 0.05: with the default of 0.125 the outline of a
marker's white rim is taken for the marker, and the marker itself thrown away. And one threshold
window instead of three: markers of 28 px and more lose nothing by it, and a frame costs half.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np

from vision.corners import sharpen
from vision.dictionaries import MarkerDictionary, load_dictionary
from vision.frame import GreyImage
from vision.observation import MarkerSeen

NEAREST_CANDIDATES_RATE = 0.05
WINDOW_PX = 23
SMALLEST_WINDOW_PX, WINDOW_STEP_PX = 3, 10
CROP_SMALLEST_PERIMETER_RATE = 0.2
ENLARGED = 2


@dataclass(frozen=True, slots=True)
class Crop:
    """A rectangle of a picture, px: its left and top edge, its width and height."""

    left: int
    top: int
    width: int
    height: int

    def of(self, grey: GreyImage) -> GreyImage:
        """The part of the picture that lies inside, a view."""
        return grey[
            max(0, self.top) : self.top + self.height, max(0, self.left) : self.left + self.width
        ]


class MarkerReader:
    """Finds the markers of one dictionary in grey pictures.

    `ids` is the list of ids in play: others are chance hits and left out. The detector is kept, for
    building one costs more than a crop; a reader belongs to one thread.

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
        self._whole = cv2.aruco.ArucoDetector(known.codes, _one_window())
        self._part = cv2.aruco.ArucoDetector(known.codes, _one_window(CROP_SMALLEST_PERIMETER_RATE))

    def read(self, grey: GreyImage, crop: Crop | None = None) -> tuple[MarkerSeen, ...]:
        """The markers of the whole picture or of one crop, in order of their ids.

        A crop needs the marker's rim and more around it: a third of its side at the least. Corners
        are always those of the whole picture.
        """
        if crop is None:
            return self._found(self._whole, grey, (0.0, 0.0))
        part = crop.of(grey)
        if not part.size:
            return ()
        origin = (float(max(0, crop.left)), float(max(0, crop.top)))
        return self._found(self._part, np.ascontiguousarray(part), origin)

    def _found(
        self,
        detector: cv2.aruco.ArucoDetector,
        grey: GreyImage,
        origin: tuple[float, float],
        scale: float = 1.0,
    ) -> tuple[MarkerSeen, ...]:
        """Detect, keep the ids in play, sharpen the corners and move them into the whole picture.

        Pixel centres are whole numbers, hence the halves where a picture was enlarged.
        """
        quads, ids, _ = detector.detectMarkers(grey)
        if not quads:
            return ()
        numbers = [int(number) for number in np.ravel(ids)]
        kept = [at for at, number in enumerate(numbers) if self.ids is None or number in self.ids]
        kept.sort(key=lambda at: numbers[at])
        rough = np.asarray(quads, np.float64).reshape(-1, 4, 2)[kept]
        corners = (sharpen(grey, rough, self.dictionary.cells) + 0.5) / scale - 0.5 + origin
        return tuple(
            MarkerSeen(numbers[at], self.dictionary.name, corners[row])
            for row, at in enumerate(kept)
        )


class ThoroughReader(MarkerReader):
    """Takes its time over a single picture: three threshold windows, then the picture enlarged.

    It finds markers of half the size, three quarters turned away, for six times the work; what
    both passes find is reported once.
    """

    def __init__(
        self, dictionary: MarkerDictionary | str, ids: Collection[int] | None = None
    ) -> None:
        super().__init__(dictionary, ids)
        self._windows = cv2.aruco.ArucoDetector(self.dictionary.codes, _three_windows())

    def read(self, grey: GreyImage, crop: Crop | None = None) -> tuple[MarkerSeen, ...]:
        """The markers of a picture or crop, in order of their ids."""
        part = grey if crop is None else np.ascontiguousarray(crop.of(grey))
        if not part.size:
            return ()
        origin = (0.0, 0.0) if crop is None else (float(max(0, crop.left)), float(max(0, crop.top)))
        first = self._found(self._windows, part, origin)
        large = cv2.resize(part, None, fx=ENLARGED, fy=ENLARGED, interpolation=cv2.INTER_CUBIC)
        second = self._found(self._whole, np.asarray(large, np.uint8), origin, ENLARGED)
        new = [marker for marker in second if not any(_same_place(marker, one) for one in first)]
        return tuple(sorted((*first, *new), key=lambda marker: marker.id))


def _one_window(smallest_perimeter_rate: float = 0.03) -> cv2.aruco.DetectorParameters:
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
