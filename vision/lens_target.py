"""What a lens is measured with: a flat sheet of squares whose corners a picture gives exactly."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.errors import BadCall
from vision.dictionaries import MarkerDictionary, load_dictionary
from vision.frame import GreyImage
from vision.lens import Points

PRINTED_SQUARES = (10, 6)
PRINTED_SQUARE_MM = 25.0
PRINTED_MARKER_MM = 18.0
PRINTED_DICTIONARY = "5X5_100"
"""The calibration board on our own sheets."""

LEAST_CORNERS = 12
"""Fewer of them in one picture say little of the lens, and of the sheet's tilt nothing."""
FEWEST_SQUARES, MOST_SQUARES = 3, 40


@dataclass(frozen=True, slots=True, eq=False)
class TargetView:
    """A target in one picture: its inner corners, mm on the sheet and px in the picture, [n, 2]."""

    size_px: tuple[int, int]
    on_sheet_mm: Points
    in_picture_px: Points

    @property
    def middle_px(self) -> tuple[float, float]:
        """The mean of its corners."""
        x, y = self.in_picture_px.mean(axis=0)
        return (float(x), float(y))


class LensTarget(ABC):
    """A flat sheet of `squares` (columns, rows) of `square_mm`."""

    kind = "calibration board"

    def __init__(self, squares: tuple[int, int], square_mm: float) -> None:
        if not all(FEWEST_SQUARES <= side <= MOST_SQUARES for side in squares):
            raise BadCall(
                f"a calibration board of {squares[0]} x {squares[1]} squares is none: "
                f"{FEWEST_SQUARES} to {MOST_SQUARES} each way"
            )
        if not 1.0 <= square_mm <= 500.0:
            raise BadCall(f"squares of {square_mm:g} mm: write their side in mm, 1 to 500")
        self.squares = squares
        self.square_mm = square_mm

    def __str__(self) -> str:
        """What it is called where it is not seen."""
        return f"{self.kind} of {self.squares[0]} x {self.squares[1]} squares"

    @abstractmethod
    def find(self, grey: GreyImage) -> TargetView | None:
        """The sheet in a picture, or None where too little of it is seen."""

    @property
    def inner(self) -> tuple[int, int]:
        """Inner corners, columns and rows."""
        return (self.squares[0] - 1, self.squares[1] - 1)

    @property
    def middle_mm(self) -> tuple[float, float]:
        """The middle of the sheet in the frame of `on_sheet_mm`."""
        x, y = self._corners_mm.mean(axis=0)
        return (float(x), float(y))

    @cached_property
    def _corners_mm(self) -> Points:
        """All inner corners, row by row, [n, 2]."""
        columns, rows = self.inner
        grid = np.mgrid[0:columns, 0:rows].T.reshape(-1, 2).astype(np.float64)
        return np.asarray((grid + 1.0) * self.square_mm, np.float64)


class Checkerboard(LensTarget):
    """A plain board of black and white squares, all of which must be in the picture.

    >>> Checkerboard((8, 8), 25.4).find(np.full((480, 640), 200, np.uint8)) is None
    True
    """

    kind = "checkerboard"

    def find(self, grey: GreyImage) -> TargetView | None:
        """All inner corners, or None."""
        found, corners = cv2.findChessboardCornersSB(grey, self.inner)
        if not found:
            return None
        height, width = grey.shape
        pixels = np.asarray(corners, np.float64).reshape(-1, 2)
        return TargetView((width, height), self._corners_mm, pixels)


class CharucoBoard(LensTarget):
    """A board with a marker in each white square: any part of it in the picture will do.

    Without arguments it is the calibration board of our own sheets.

    >>> CharucoBoard().inner
    (9, 5)
    """

    kind = "ChArUco board"

    def __init__(
        self,
        squares: tuple[int, int] = PRINTED_SQUARES,
        square_mm: float = PRINTED_SQUARE_MM,
        marker_mm: float = PRINTED_MARKER_MM,
        dictionary: MarkerDictionary | str = PRINTED_DICTIONARY,
    ) -> None:
        super().__init__(squares, square_mm)
        known = load_dictionary(dictionary) if isinstance(dictionary, str) else dictionary
        needed = squares[0] * squares[1] // 2
        if known.size < needed:
            raise BadCall(
                f"{squares[0]} x {squares[1]} squares need {needed} markers, and {known.name} has "
                f"{known.size}: use a larger dictionary"
            )
        if not 0 < marker_mm < square_mm:
            raise BadCall(f"markers of {marker_mm:g} mm do not fit into squares of {square_mm:g}")
        board = cv2.aruco.CharucoBoard(squares, square_mm, marker_mm, known.codes)
        self._detector = cv2.aruco.CharucoDetector(board)

    def find(self, grey: GreyImage) -> TargetView | None:
        """The inner corners that are seen, if they are enough and do not lie in one row."""
        corners, ids, _, _ = self._detector.detectBoard(grey)
        numbers = _ids(ids)
        if len(numbers) < LEAST_CORNERS:
            return None
        columns = self.inner[0]
        if len(set(numbers % columns)) < 3 or len(set(numbers // columns)) < 3:
            return None
        height, width = grey.shape
        pixels = np.asarray(corners, np.float64).reshape(-1, 2)
        return TargetView((width, height), self._corners_mm[numbers], pixels)


def _ids(found: object) -> NDArray[np.int64]:
    """OpenCV's ids as a row of numbers; it gives None, against its own types, where it has none."""
    return np.empty(0, np.int64) if found is None else np.ravel(np.asarray(found, np.int64))


def target_of(words: str, square_mm: float | None = None) -> LensTarget:
    """The target that a call names: `charuco` (our own sheet), `8x8`, or `charuco:8x8:4X4_50`.

    A bare size is a checkerboard of so many squares, columns by rows; a ChArUco board of one's own
    has markers of three quarters of a square. `square_mm` is 25 where it is not given. Raises
    `BadCall` with what may be written.

    >>> target_of("8x8", 25.4).inner, target_of("charuco").inner
    ((7, 7), (9, 5))
    """
    kind, _, rest = words.partition(":")
    side_mm = PRINTED_SQUARE_MM if square_mm is None else square_mm
    if words == "charuco":
        return CharucoBoard(
            square_mm=side_mm, marker_mm=side_mm * PRINTED_MARKER_MM / PRINTED_SQUARE_MM
        )
    if kind == "charuco":
        size, _, dictionary = rest.partition(":")
        codes = load_dictionary(dictionary or PRINTED_DICTIONARY)
        return CharucoBoard(_squares(size, words), side_mm, 0.75 * side_mm, codes)
    return Checkerboard(_squares(words, words), side_mm)


def _squares(size: str, words: str) -> tuple[int, int]:
    columns, _, rows = size.lower().partition("x")
    if not (columns.isdecimal() and rows.isdecimal()):
        raise BadCall(
            f"--target {words!r} is no calibration board: write charuco for the sheet that "
            "`companion markers` prints, 8x8 for a checkerboard of 8 x 8 squares, or "
            "charuco:8x8:4X4_50"
        )
    return (int(columns), int(rows))
