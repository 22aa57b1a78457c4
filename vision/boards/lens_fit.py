"""A camera's lens measured from several pictures of a flat sheet, and how sure that is.

It has two coefficients of bend, k1 and k2, and no more: a third fits noise in the middle of the
picture and runs away at its corners, where the boards are.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import BadCall, CameraError
from vision.boards.lens import USUAL_FOCAL_PER_WIDTH, Lens, Points
from vision.camera.frame import Frame, GreyImage
from vision.markers.dictionaries import MarkerDictionary, load_dictionary

# Targets: flat sheets of squares whose corners a picture gives exactly.

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


# The fit.

MOST_RMS_PX = 0.70
"""A lens that leaves more is refused: places would be as wrong as with no lens at all."""
LEAST_VIEWS, WANTED_VIEWS = 5, 12
NEW_VIEW_SHARE = 0.04
"""Of the picture's width: what moved less since another view is that view again."""
HELD_PX = 1.0
"""A sheet that moved less than this since the frame before is held still."""
MOST_FOCAL_DOUBT = 0.02
"""Standard deviation of the focal length, as a share of it: above, the sheet was never tilted. It
is also the share by which the height of tokens is misjudged: 0.1 mm at the edge of a table."""
LEAST_TILT_DEG = 8.0
"""Between the two views that are tilted most unlike: of sheets that all lie one way the focal
length cannot be told, and what the fit says of its own doubt is worth nothing."""
STRAY_TIMES = 3.0
"""A view whose error is so many times the middle one's was blurred or bent."""
WHERE = (
    ("top left", "top", "top right"),
    ("left", "middle", "right"),
    ("bottom left", "bottom", "bottom right"),
)
Cells = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens that was measured: from how many views, how many were left out, how sure it is.

    `focal_doubt` is the standard deviation of the focal length as a share of it; `unseen` names the
    parts of the picture that no view reached, where the lens is less sure.
    """

    lens: Lens
    views: int
    dropped: int
    focal_doubt: float
    unseen: tuple[str, ...]

    def __str__(self) -> str:
        """One line for people."""
        k1, k2 = self.lens.distortion[:2]
        told = (
            f"lens: {self.lens.rms_px:.2f} px rms over {self.views} views (at most "
            f"{MOST_RMS_PX:.2f}), focal length {self.lens.focal_px[0]:.0f} px, k1 {k1:.3f}, "
            f"k2 {k2:.3f}"
        )
        if self.dropped:
            told += f"; {self.dropped} views were left out, for they were blurred or bent"
        if self.unseen:
            told += f"; no view reached the picture's {', '.join(self.unseen)}"
        return told


class LensViews:
    """Views of one target by one camera, gathered until a lens can be had from them.

    Pictures taken one by one all count; of a film or a device (`live`) those in which the sheet is
    held still, and elsewhere than in the views before.

    >>> from vision.boards.lens_fit import CharucoBoard
    >>> views = LensViews(CharucoBoard())
    >>> views.look(Frame(np.full((720, 1280), 200, np.uint8), 0.0, 0)), len(views)
    (False, 0)
    """

    def __init__(self, target: LensTarget, camera: str = "", *, live: bool = False) -> None:
        self.target = target
        self.camera = camera
        self._live = live
        self._before: TargetView | None = None
        self._views: list[TargetView] = []

    def __len__(self) -> int:
        return len(self._views)

    def look(self, frame: Frame) -> bool:
        """Keep a picture if it shows the sheet as a view should; whether it was kept.

        Raises `CameraError` for a picture of another size than the first.
        """
        view = self.target.find(frame.grey)
        if view is None:
            self._before = None
            return False
        if self._views and view.size_px != self._views[0].size_px:
            (width, height), (first, second) = view.size_px, self._views[0].size_px
            raise CameraError(
                f"{frame.source} is {width} x {height} and the pictures before are {first} x "
                f"{second}: a lens is measured at one size, that of the game"
            )
        if self._live and not self._is_new(view):
            return False
        self._views.append(view)
        return True

    def _is_new(self, view: TargetView) -> bool:
        """Whether a sheet is held still in a film, in a place that is not seen yet."""
        before, self._before = self._before, view
        if before is None or _apart_px(view, before) > HELD_PX:
            return False
        new_px = NEW_VIEW_SHARE * view.size_px[0]
        return all(_apart_px(view, other) >= new_px for other in self._views)

    @property
    def advice(self) -> str:
        """What to do with the sheet for the next view, in words for the player."""
        if not self._views:
            return "Hold the calibration board before the camera, flat and still."
        if unseen := _unseen(self._views):
            return f"Move the calibration board to the {unseen[0]} of the picture, and hold still."
        return "Tilt the calibration board, another way each time, and hold still."

    @property
    def enough(self) -> bool:
        """Whether as many views were seen as are wanted, all over the picture."""
        return len(self._views) >= WANTED_VIEWS and not _unseen(self._views)

    def fit(self) -> LensFit:
        """The lens of these views; `CameraError` says why there is none, and what to do."""
        if not self._views:
            raise CameraError(
                f"no {self.target} was seen: hold that one before the camera, flat and whole; "
                "another calibration board is named with --target"
            )
        if len(self._views) < LEAST_VIEWS:
            raise CameraError(
                f"the calibration board was seen in {len(self._views)} different places: a lens "
                f"needs {LEAST_VIEWS}, better {WANTED_VIEWS}. {self.advice}"
            )
        solved = _solve(self._views)
        kept = [view for view, stray in zip(self._views, solved.strays, strict=True) if not stray]
        if LEAST_VIEWS <= len(kept) < len(self._views):
            solved = _solve(kept)
        else:
            kept = self._views
        solved.check()
        width, height = size = kept[0].size_px
        fx, fy, cx, cy, k1, k2 = solved.values
        lens = Lens(size, (fx, fy), (cx, cy), (k1, k2, 0.0, 0.0, 0.0), solved.rms_px, self.camera)
        _check_bend(lens, width, height)
        dropped = len(self._views) - len(kept)
        return LensFit(lens, len(kept), dropped, solved.focal_doubt, _unseen(kept))


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    """What OpenCV makes of some views: fx, fy, cx, cy, k1, k2; and how well each view fits."""

    values: tuple[float, float, float, float, float, float]
    rms_px: float
    focal_doubt: float
    view_errors_px: NDArray[np.float64]
    tilt_deg: float

    @property
    def strays(self) -> list[bool]:
        limit_px = STRAY_TIMES * float(np.median(self.view_errors_px))
        return [bool(error_px > limit_px) for error_px in self.view_errors_px]

    def check(self) -> None:
        """`CameraError` for a lens that does not fit what was seen, or was not told by it."""
        if not (np.isfinite(self.rms_px) and self.rms_px <= MOST_RMS_PX):
            raise CameraError(
                f"the lens leaves {self.rms_px:.2f} px rms, and {MOST_RMS_PX:.2f} is the most: "
                "glue the calibration board flat on card, check its ruler, hold it still, and let "
                "the picture be sharp"
            )
        if self.tilt_deg < LEAST_TILT_DEG or not self.focal_doubt <= MOST_FOCAL_DOUBT:
            raise CameraError(
                "the focal length cannot be told from these views, whose tilts differ by "
                f"{self.tilt_deg:.0f} degrees: tilt the calibration board by 20 to 40 degrees, "
                "another way each time"
            )


def _solve(views: Sequence[TargetView]) -> _Solved:
    on_sheet = [
        np.column_stack([view.on_sheet_mm, np.zeros(len(view.on_sheet_mm))]).astype(np.float32)
        for view in views
    ]
    in_picture = [view.in_picture_px.astype(np.float32).reshape(-1, 1, 2) for view in views]
    width, height = size = views[0].size_px
    focal = USUAL_FOCAL_PER_WIDTH * width
    guess = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
    try:
        rms, matrix, bend, turns, _, doubts, _, errors = cv2.calibrateCameraExtended(
            on_sheet, in_picture, size, guess, np.zeros(5), flags=flags
        )
    except cv2.error as trouble:
        raise CameraError(
            "no lens fits these pictures of the calibration board: take them anew, tilted another "
            "way each time"
        ) from trouble
    (fx, _, cx), (_, fy, cy), _ = np.asarray(matrix, np.float64).tolist()
    k1, k2 = np.ravel(bend)[:2].tolist()
    shares = np.ravel(doubts)[:2] / np.array([fx, fy])
    doubt = float(shares.max())
    errors_px = np.ravel(np.asarray(errors, np.float64))
    tilt_deg = _widest_deg([np.asarray(turn, np.float64) for turn in turns])
    return _Solved((fx, fy, cx, cy, k1, k2), float(rms), doubt, errors_px, tilt_deg)


def _widest_deg(turns: Sequence[NDArray[np.float64]]) -> float:
    """The largest angle between the normals of two sheets, from their rotation vectors."""
    normals = np.stack([np.asarray(cv2.Rodrigues(turn)[0])[:, 2] for turn in turns])
    cosines = normals @ normals.T
    return float(np.degrees(np.arccos(np.clip(cosines.min(), -1.0, 1.0))))


def _check_bend(lens: Lens, width: int, height: int) -> None:
    """`CameraError` where the bend folds the picture over before its corners."""
    (fx, fy), (cx, cy) = lens.focal_px, lens.centre_px
    across = max(cx, width - 1 - cx) / fx
    along = max(cy, height - 1 - cy) / fy
    radius = np.linspace(0.0, float(np.hypot(across, along)), 64)
    k1, k2 = lens.distortion[:2]
    growth = 1 + 3 * k1 * radius**2 + 5 * k2 * radius**4
    if not (0 <= cx < width and 0 <= cy < height and bool((growth > 0).all())):
        raise CameraError(
            "the lens found folds the picture over at its edge, as no lens does: take pictures "
            "with the calibration board in the picture's corners too"
        )


def _apart_px(view: TargetView, other: TargetView) -> float:
    """How far apart two views show the corners that both have; infinite where there are none."""
    places = {tuple(place): at for at, place in enumerate(other.on_sheet_mm.tolist())}
    pairs = [
        (at, places[tuple(place)])
        for at, place in enumerate(view.on_sheet_mm.tolist())
        if tuple(place) in places
    ]
    if not pairs:
        return float("inf")
    mine, others = zip(*pairs, strict=True)
    apart_px = view.in_picture_px[[*mine]] - other.in_picture_px[[*others]]
    return float(np.linalg.norm(apart_px, axis=1).mean())


def _unseen(views: Sequence[TargetView]) -> tuple[str, ...]:
    """The ninths of the picture in which no view has a corner."""
    seen: Cells = np.zeros((3, 3), np.bool_)
    for view in views:
        cells = (3 * view.in_picture_px / np.array(view.size_px)).astype(int).clip(0, 2)
        seen[cells[:, 1], cells[:, 0]] = True
    return tuple(
        WHERE[row][column] for row in range(3) for column in range(3) if not seen[row, column]
    )
