"""Calibration of a table: from some frames, where every board lies and how well it is known.

For the app, the terminal and tests alike, from one thread::

    calibrating = Calibrating(plan, camera.name, lens)    # a device's stable name
    while not (progress := calibrating.look(camera.read())).stage.over:
        show(progress.words, progress.boards)     # which stage, what to do, a line a board
    calibration = calibrating.result("2026-11-21")

Nothing waits and nothing is written in here: `vision.table_file.writing` puts the result into the
table's file. A look costs about one full search of a frame. It is over after `READS` still frames,
or after `PATIENCE` frames with the boards there are; `result` may be asked for at any time.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.board import Board, BoardPlan
from companion.core.errors import CameraError
from vision.boards.lens import Lens, times
from vision.boards.place import BoardPlace, Calibration, found_of
from vision.boards.view import (
    MARKERS_NEEDED,
    WORTH_TELLING_MM,
    PlacesTold,
    TableView,
    places_told,
    tallest_mm,
)
from vision.camera.frame import Frame, GreyImage
from vision.markers.corners import ALONG, sample
from vision.markers.reading import CornersPx, MarkerReader, MarkerSeen, ThoroughReader

# Sharpness, read off the sides of markers: each is an edge known to be crisp.

Floats = NDArray[np.float64]

MOST_BLUR_PX = 1.5
"""Above this, markers of 30 px are missed: the lens must be turned."""
STEP_PX = 0.25
REACH_PX = 4.0
LEAST_CONTRAST = 25.0
"""Levels of grey between a marker's black and its rim; of less nothing can be said."""

WINDOW_PX = 9
SCHARR_SUM = 32.0
STRONG, STRONGEST_PERCENT, LEAST_EDGES = 60.0, 98.0, 50
"""Which edges of a whole picture are looked at: 60 levels at the least, the strongest 2 of 100."""
LEAST_SLOPE = 1.0
"""Levels a px: flat paper next to an edge is its own strongest, and no edge."""
CRISP_PERCENT = 25.0
"""Not every strong edge is a crisp one in the world: the crisper quarter speaks for the lens."""


def blur_of(grey: GreyImage, markers: Sequence[MarkerSeen]) -> float | None:
    """The blur in the middle of some markers, sigma in px; None where no marker tells."""
    each = [blur for marker in markers if (blur := _blur(grey, marker)) is not None]
    return float(np.median(each)) if each else None


def _blur(grey: GreyImage, marker: MarkerSeen) -> float | None:
    """The blur at one marker, its four sides together; None for one without contrast."""
    course = _course(grey, marker.corners_px)
    climb = np.gradient(course, STEP_PX)
    steepest, contrast = float(climb.max()), float(course.max() - course.min())
    if contrast < LEAST_CONTRAST or steepest <= 0:
        return None
    return contrast / (steepest * float(np.sqrt(2 * np.pi)))


def _course(grey: GreyImage, corners: Floats) -> Floats:
    """The mean brightness across a marker's sides, from inside outwards."""
    sides = np.roll(corners, -1, axis=0) - corners
    lengths = np.linalg.norm(sides, axis=1, keepdims=True)
    outward = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths
    offsets = np.arange(-REACH_PX, REACH_PX + STEP_PX / 2, STEP_PX)
    feet = corners[:, None] + ALONG[:, None] * sides[:, None]
    points = feet[:, :, None] + offsets[:, None] * outward[:, None, None]
    flat = points.reshape(-1, len(offsets), 2).astype(np.float32)
    levels = sample(grey, flat[..., 0], flat[..., 1])
    return np.asarray(np.mean(levels, axis=0), np.float64)


def blur_of_picture(grey: GreyImage) -> float | None:
    """The blur of a picture in which no marker can be read, from its strongest edges.

    None for a picture that shows nothing. Above 2.5 px it says no more than that.
    """
    around = np.ones((WINDOW_PX, WINDOW_PX), np.uint8)
    contrast = cv2.subtract(cv2.dilate(grey, around), cv2.erode(grey, around))
    slopes = [cv2.Scharr(grey, cv2.CV_32F, *axis) / SCHARR_SUM for axis in ((1, 0), (0, 1))]
    slope = np.hypot(*(np.asarray(one, np.float32) for one in slopes))
    on_edges = (slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8))) & (slope > LEAST_SLOPE)
    if not on_edges.any():
        return None
    edges = contrast[on_edges]
    strongest = max(STRONG, float(np.percentile(edges, STRONGEST_PERCENT)))
    chosen = on_edges & (np.asarray(contrast) >= strongest)
    if chosen.sum() < LEAST_EDGES:
        return None
    each = np.asarray(contrast)[chosen] / (slope[chosen] * np.sqrt(2 * np.pi))
    return float(np.percentile(each, CRISP_PERCENT))


# Which box lies on the table: the one most of the corner markers belong to.


def plan_shown(plans: Sequence[BoardPlan], markers: Sequence[MarkerSeen]) -> int | None:
    """The place in a row of plans of the one that is seen; None where no board of any is."""
    shown = [_shown(plan, markers) for plan in plans]
    best = max(range(len(shown)), key=lambda at: shown[at], default=None)
    return best if best is not None and shown[best] else None


def _shown(plan: BoardPlan, markers: Sequence[MarkerSeen]) -> int:
    """How many corner markers of a plan's boards are seen, of boards that show enough of them."""
    ids = {marker.id for marker in markers if marker.dictionary == plan.dictionary}
    shown = (len(ids & set(board.corners or ())) for board in plan.boards)
    return sum(count for count in shown if count >= MARKERS_NEEDED)


# The calibration.

READS = 10
"""A marker's corners are the median of so many reads."""
THOROUGH_EVERY = 3
"""While markers are missing, one frame of so many is read with all care."""
PATIENCE = 60
"""Frames after which boards that are not seen are done without."""
SAME_PLACE_PX = 1.5
GOOD_PX, FAIR_PX = 0.35, 1.0
"""How well a board's corners fit (rms): a flat board and a known lens leave 0.1 to 0.3 px."""
DARKEST = 30.0
"""Mean grey level under which nothing is to be seen."""
MOST_DOUBT_MM = 6.0
"""Before a guessed lens, a board whose places are told no surer is none to rely on: no lens does
that, for which the print and the table are as they should be."""
MEASURE = "Measure the lens"


class Stage(StrEnum):
    """How far a calibration is; over with READY, and with POOR if nothing better is to be had."""

    DARK = "dark"
    EMPTY = "empty"
    BLURRED = "blurred"
    STEADYING = "steadying"
    READY = "ready"
    POOR = "poor"

    @property
    def over(self) -> bool:
        """Whether looking at more frames changes nothing."""
        return self in {Stage.READY, Stage.POOR}


class Quality(StrEnum):
    """What a board's place is worth."""

    GOOD = "good"
    FAIR = "fair"
    POOR = "poor"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class BoardCheck:
    """One board: its markers seen of how many, how well they fit, and in words what to do.

    `error_px` and `error_mm` are rms over the corners, `within_mm` is how surely places on it are
    told; None for a board that has no place.
    """

    board: str
    markers: int
    of: int
    quality: Quality
    error_px: float | None
    error_mm: float | None
    words: str
    within_mm: float | None = None

    @property
    def will_do(self) -> bool:
        """Whether pieces on it can be relied on."""
        return self.quality in {Quality.GOOD, Quality.FAIR}

    @property
    def names_lens(self) -> bool:
        """Whether the lens is the first thing to better."""
        return self.words.startswith(MEASURE)

    def __str__(self) -> str:
        """One line for people."""
        fit = ""
        if self.error_px is not None and self.error_mm is not None:
            fit = f", {self.error_px:.2f} px ({self.error_mm:.2f} mm) rms"
        told = f"{self.board}: {self.quality}, {self.markers} of {self.of} corner markers{fit}"
        return f"{told}. {self.words}" if self.words else told


@dataclass(frozen=True, slots=True)
class Progress:
    """What is known so far: the stage, what to do, a check for each board that has markers.

    `frames` is how many were looked at, `blur_px` the picture's blur (sigma; None if it cannot be
    told), `px_per_mm` the scale over the boards (0 while none is seen), `told`
    how surely tokens are told on them.
    """

    stage: Stage
    words: str
    frames: int
    boards: tuple[BoardCheck, ...] = ()
    blur_px: float | None = None
    px_per_mm: float = 0.0
    told: PlacesTold | None = None

    @property
    def hindered(self) -> bool:
        """Whether somebody must do something before it can go on well."""
        return not self.stage.over and self.words != _STEADY


@dataclass(slots=True)
class _Reads:
    """The last reads of one marker in one place."""

    corners: deque[CornersPx] = field(default_factory=lambda: deque[CornersPx](maxlen=READS))

    def add(self, corners_px: CornersPx) -> None:
        if self.corners and np.abs(corners_px - self.middle).max() > SAME_PLACE_PX:
            self.corners.clear()  # it was nudged: what was read before is of another place
        self.corners.append(corners_px)

    @property
    def middle(self) -> CornersPx:
        return np.asarray(np.median(np.stack(self.corners), axis=0), np.float64)


class Calibrating:
    """One calibration of a plan's boards before one camera; `lens` if it was measured.

    `camera` is a device's stable name, empty for pictures and films; `others` are other boxes whose
    boards may lie there by mistake: then they are named.

    >>> from companion.games.jaws_and_paws.boards import board_plan
    >>> calibrating = Calibrating(board_plan())
    >>> str(calibrating.look(Frame(np.zeros((720, 1280), np.uint8), 0.0, 0)).stage)
    'dark'
    """

    def __init__(
        self,
        plan: BoardPlan,
        camera: str = "",
        lens: Lens | None = None,
        others: Sequence[BoardPlan] = (),
    ) -> None:
        self.plan = plan
        self.camera = camera
        self._lens = lens
        self._boards = [board for board in plan.boards if board.corners]
        if not self._boards:
            raise CameraError(
                f"no board of {plan.box} has corner markers: give them in the table's file"
            )
        ids = {marker for board in self._boards for marker in board.corners or {}}
        self._quick = MarkerReader(plan.dictionary, ids)
        self._thorough = ThoroughReader(plan.dictionary, ids)
        self._reads: dict[int, _Reads] = {}
        self._doubles: deque[set[int]] = deque(maxlen=READS)
        self._blurs: deque[float] = deque(maxlen=READS)
        self._size_px = (0, 0)
        self._frames = 0
        self._words = _EMPTY
        self._others = [other for other in others if other.box != plan.box]
        self._mistaken = ""
        self._view = TableView(plan, lens)

    def look(self, frame: Frame) -> Progress:
        """Take in a frame; `CameraError` for one of another size than those before."""
        if self._frames and frame.size_px != self._size_px:
            raise CameraError(
                f"{frame.source} is {times(frame.size_px)} and the frames before are "
                f"{times(self._size_px)}: a calibration is for one size of picture"
            )
        self._size_px = frame.size_px
        self._frames += 1
        found = self._read(frame)
        if not found:
            return self._nothing(frame)
        blur_px = blur_of(frame.grey, found)
        if blur_px is not None:
            self._blurs.append(blur_px)
        self._view = TableView(self.plan, self._lens)
        self._view.look(self._markers, frame.size_px)
        return self._progress()

    def result(self, made_on: str = "") -> Calibration:
        """Where the boards lie, for the table's file; `CameraError` says why it cannot be had.

        `made_on` is the day as the file shall say it.
        """
        if not self._view.places or self._view.lens is None:
            raise CameraError(f"there is nothing to calibrate: {self._words}")
        if (blur_px := self._blur_px) is not None and blur_px > MOST_BLUR_PX:
            raise CameraError(f"{BLURRED} (blur {blur_px:.1f} px, at most {MOST_BLUR_PX} will do)")
        if self._view.trouble:
            raise CameraError(self._view.trouble)
        boards = {name: found_of(place) for name, place in self._view.places.items()}
        return Calibration(
            camera=self.camera,
            size_px=self._size_px,
            lens=self._view.lens,
            boards=boards,
            blur_px=round(self._blur_px or 0.0, 2),
            px_per_mm=round(self._px_per_mm, 3),
            made_on=made_on,
        )

    def _read(self, frame: Frame) -> list[MarkerSeen]:
        """The corner markers of a frame, kept with those before; thorough while some are missing.

        One that is there twice belongs to two boards, and so to neither.
        """
        wanted = sum(len(board.corners or ()) for board in self._boards)
        found = self._quick.read(frame.grey)
        if len(found) < wanted and self._frames % THOROUGH_EVERY == 1:
            found = self._thorough.read(frame.grey)
        count = Counter(marker.id for marker in found)
        self._doubles.append({number for number, seen in count.items() if seen > 1})
        twice = self._twice
        for number in twice:
            self._reads.pop(number, None)
        once = [marker for marker in found if marker.id not in twice]
        for marker in once:
            self._reads.setdefault(marker.id, _Reads()).add(marker.corners_px)
        return once

    @property
    def _twice(self) -> set[int]:
        """Markers that were lately seen twice in one frame."""
        return {number for doubles in self._doubles for number in doubles}

    @property
    def _markers(self) -> list[MarkerSeen]:
        """Each marker in the middle of its reads."""
        name = self.plan.dictionary
        return [MarkerSeen(number, name, reads.middle) for number, reads in self._reads.items()]

    @property
    def _blur_px(self) -> float | None:
        return float(np.median(self._blurs)) if self._blurs else None

    @property
    def _px_per_mm(self) -> float:
        scales = [place.px_per_mm for place in self._view.places.values()]
        return float(np.mean(scales)) if scales else 0.0

    def _nothing(self, frame: Frame) -> Progress:
        """No corner marker was read: too dark, too blurred, or none is there."""
        stage, words = why_nothing(frame)
        if stage is Stage.EMPTY:
            words = self._doubled() or self._mistake(frame) or words
        self._words = words
        return Progress(stage, words, self._frames, self._checks(), blur_of_picture(frame.grey))

    def _mistake(self, frame: Frame) -> str:
        """Whether the picture is mirrored, or another box's boards lie there; looked at rarely."""
        if self._frames % THOROUGH_EVERY == 1:
            self._mistaken = mirrored(frame, self._quick) or self._other_box(frame)
        return self._mistaken

    def _other_box(self, frame: Frame) -> str:
        """Which other box's boards lie there; empty for none."""
        readers = [MarkerReader(name) for name in {other.dictionary for other in self._others}]
        found = [marker for reader in readers for marker in reader.read(frame.grey)]
        shown = plan_shown(self._others, found)
        if shown is None:
            return ""
        other = self._others[shown].box
        return (
            f"The boards of {other} lie there, and those of {self.plan.box} are looked for: lay "
            f"those out, or choose {other}."
        )

    def _progress(self) -> Progress:
        checks = self._checks()
        stage, self._words = self._stage(checks)
        return Progress(
            stage, self._words, self._frames, checks, self._blur_px, self._px_per_mm,
            self._view.told,
        )  # fmt: skip

    def _stage(self, checks: Sequence[BoardCheck]) -> tuple[Stage, str]:
        """How far it is, and the worst that is to be said."""
        if (blur_px := self._blur_px) is not None and blur_px > MOST_BLUR_PX:
            return Stage.BLURRED, BLURRED
        faulty = [check for check in checks if check.quality in {Quality.MISSING, Quality.POOR}]
        seen = [check for check in checks if check.quality is not Quality.MISSING]
        steady = bool(seen) and all(len(reads.corners) >= READS for reads in self._reads.values())
        if not steady and self._frames < PATIENCE:
            return Stage.STEADYING, self._doubled() or _STEADY
        if not faulty:
            several = f"All {len(checks)} boards are known."
            return Stage.READY, several if len(checks) > 1 else "The board is known."
        if self._frames < PATIENCE:
            return Stage.STEADYING, str(faulty[0])
        return Stage.POOR, f"{len(seen)} of {len(checks)} boards are known. {faulty[0]}"

    def _doubled(self) -> str:
        """Which corner markers are there twice; empty for none."""
        if not self._twice:
            return ""
        boards = [board.name for board in self._boards if self._twice & set(board.corners or ())]
        numbers = ", ".join(map(str, sorted(self._twice)))
        return (
            f"Corner marker {numbers} ({', '.join(boards)}) is there twice: take one of the two "
            "boards away, or print the other one's own sheet."
        )

    def _checks(self) -> tuple[BoardCheck, ...]:
        return tuple(self._check(board) for board in self._boards)

    def _check(self, board: Board) -> BoardCheck:
        corners: Mapping[int, object] = board.corners or {}
        seen, of = sum(number in self._reads for number in corners), len(corners)
        place = self._view.places.get(board.name)
        if place is None:
            words = self._doubled() if self._twice & set(corners) else _missing(seen)
            return BoardCheck(board.name, seen, of, Quality.MISSING, None, None, words)
        told = places_told([place], tallest_mm(self.plan) if board.holds_pieces else 0.0)
        quality, words = _worth(place, told, seen, of)
        return BoardCheck(
            board.name, seen, of, quality, place.error_px, place.error_mm, words,
            told.within_mm if told is not None else None,
        )  # fmt: skip


_STEADY = "Keep hands off the table for a moment."
_DARK = "The picture is dark: switch a light on, or open the camera's lid."
BLURRED = "Out of focus: turn the lens until the corner markers are crisp."
_MIRRORED = (
    "The picture is mirrored, and markers cannot be read so: switch mirroring (horizontal flip) "
    "off in the camera's own settings."
)
_EMPTY = (
    "No corner marker of these boards is seen: lay the boards with their printed corners under the "
    "camera, and see that it is this box that is looked for."
)


def mirrored(frame: Frame, reader: MarkerReader) -> str:
    """What to do about a picture in which markers are read only once it is turned over; or none.

    A camera, or what brings its picture here, shows it as a mirror does.
    """
    found = reader.read(np.ascontiguousarray(frame.grey[:, ::-1]))
    return _MIRRORED if len(found) >= MARKERS_NEEDED else ""


def why_nothing(frame: Frame) -> tuple[Stage, str]:
    """Why no corner marker is read in a frame, and what to do: it is dark, blurred, or empty."""
    if float(frame.grey.mean()) < DARKEST:
        return Stage.DARK, _DARK
    blur_px = blur_of_picture(frame.grey)
    if blur_px is not None and blur_px > MOST_BLUR_PX:
        return Stage.BLURRED, BLURRED
    return Stage.EMPTY, _EMPTY


def _missing(seen: int) -> str:
    if not seen:
        return "It is not seen: lay it into the picture, or do without it."
    return f"It needs {MARKERS_NEEDED} corner markers: uncover them, and keep glare off them."


def _worth(place: BoardPlace, told: PlacesTold | None, seen: int, of: int) -> tuple[Quality, str]:
    """What a board's place is worth, and what would better it; a guessed lens before the paper."""
    first = f"{MEASURE}: companion calibrate --lens usb. Or else: " if place.lens.assumed else ""
    doubtful = place.lens.assumed and told is not None and told.within_mm >= MOST_DOUBT_MM
    if place.error_px > FAIR_PX or doubtful:
        flat = "Lay it flat, or print its sheet at 100 %: its corners do not fit."
        return Quality.POOR, f"{first}{flat}"
    if told is not None and told.within_mm >= WORTH_TELLING_MM and place.lens.assumed:
        return Quality.FAIR, f"{MEASURE}. Now {told}."
    if place.error_px > GOOD_PX:
        return Quality.FAIR, f"{first}It does not lie quite flat."
    if seen < of:
        return Quality.FAIR, "A corner marker is covered."
    return Quality.GOOD, ""
