"""The last frames, kept in bounded memory: stills for a ruling, or a clip of them.

The newest frames are kept as they came, so that the one at the buzzer is there exactly; of older
ones a few a second are kept as grey JPEG, and fewer where they would take too much room. Moments
between which nothing changed share a picture. Nothing is written until somebody asks for it.
"""

from __future__ import annotations

import math
import os
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.errors import BadCall, RecordError
from companion.core.files import write_whole
from vision.camera.frame import ColourImage, Frame, GreyImage, quieten_opencv

# The ring of frames.

KEPT_S = 60.0
OFF_S = 0.5
"""A picture taken further than this from a moment shows another one."""
CALM_S = 2.0
"""Moments no further from each other than this share a picture where nothing has changed."""
SQUARE_PX, CHANGED = 8, 6
"""Squares of so many pixels; by so much (of 255) must one of them have changed: noise does not."""
SUFFIXES = (".jpg", ".jpeg", ".png")


QUALITY = 75
"""Of the JPEGs: a fifteenth of the picture's own size, and markers are read off them as before."""


def as_jpeg(picture: GreyImage | ColourImage) -> bytes:
    """A picture as JPEG; to be worked out where nobody waits for it."""
    _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    return coded.tobytes()


SMALL_PX = 480
"""So wide is a picture in a page that is read beside many others."""


def small_jpeg(content: bytes) -> bytes | None:
    """A picture's file as a small JPEG; None for what is no picture."""
    coded = np.frombuffer(content, np.uint8)
    whole = _decoded(coded) if coded.size else None
    if whole is None:
        return None
    high, wide = whole.shape[:2]
    share = min(1.0, SMALL_PX / wide)
    size = (max(1, round(wide * share)), max(1, round(high * share)))
    small = cv2.resize(whole, size, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 70])[1].tobytes()


def _decoded(coded: NDArray[Any]) -> NDArray[Any] | None:
    """A picture's file in half its size, which is quick; whole where half a line of pixels is none.

    Of such a line OpenCV 4 makes an empty picture, OpenCV 5 an error.
    """
    with suppress(cv2.error):
        half = cv2.imdecode(coded, cv2.IMREAD_REDUCED_COLOR_2)
        if half is None or half.size:
            return half
    return cv2.imdecode(coded, cv2.IMREAD_COLOR)


@dataclass(frozen=True, slots=True, eq=False)
class Still:
    """One kept picture: when it was taken (monotonic s), its number, the grey picture itself.

    `kept` is JPEG, or as the camera gave it where nobody has coded it yet: coding and decoding take
    tens of milliseconds on a Pi, and are for whoever writes or looks.
    """

    taken_at: float
    number: int
    kept: bytes | GreyImage

    def decoded(self) -> GreyImage:
        """The picture, not to be drawn on; worked out at each call."""
        if not isinstance(self.kept, bytes):
            return self.kept
        coded = np.frombuffer(self.kept, np.uint8)
        return np.asarray(cv2.imdecode(coded, cv2.IMREAD_GRAYSCALE), np.uint8)

    def coded(self) -> bytes:
        """The picture as JPEG; worked out at each call where it is not kept as one."""
        return self.kept if isinstance(self.kept, bytes) else as_jpeg(self.kept)

    def save(self, path: Path) -> Path:
        """Write the picture as JPEG or PNG, as the name ends, in place of an older one.

        Raises `BadCall` for another ending, `RecordError` when the disk does not take it.
        """
        if path.suffix.lower() not in SUFFIXES:
            raise BadCall(f"{path.name}: a still is kept as {' or '.join(SUFFIXES)}")
        as_png = path.suffix.lower() == ".png"
        content = cv2.imencode(".png", self.decoded())[1].tobytes() if as_png else self.coded()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        except OSError as trouble:
            raise RecordError(
                f"{trouble.strerror}: the still {path} could not be kept; make room or choose "
                "another place for the record"
            ) from trouble
        return path


@dataclass(slots=True)
class _Shared:
    """A JPEG, and the moments that it shows: when each frame was taken, and its number."""

    coded: bytes
    moments: list[tuple[float, int]]

    @property
    def began_at(self) -> float:
        return self.moments[0][0]

    @property
    def ended_at(self) -> float:
        return self.moments[-1][0]


class Evidence:
    """A ring of frames; `add` from the thread that reads the camera, ask from any.

    `newest` frames are kept as they came, fewer if they take more than `most_raw_bytes`; older ones
    every `every_s`, for `keep_s`. When those take more than `most_bytes`, some between others go:
    large pictures reach as far back, at longer steps.

    >>> evidence = Evidence()
    >>> for n in range(3):
    ...     evidence.add(Frame(np.full((48, 64), 60 * n, np.uint8), taken_at=n / 20, number=n))
    >>> evidence.still_at(0.06).number
    1
    """

    def __init__(
        self,
        *,
        newest: int = 12,
        every_s: float = 0.25,
        keep_s: float = KEPT_S,
        most_bytes: int = 10_000_000,
        most_raw_bytes: int = 4_000_000,
    ) -> None:
        self._newest: deque[Frame] = deque()
        self._most_newest = newest
        self._older: deque[_Shared] = deque()
        self._squares: GreyImage | None = None
        self._bytes = 0
        self._every_s, self._keep_s = every_s, keep_s
        self._most_bytes, self._most_raw_bytes = most_bytes, most_raw_bytes
        self._lock = threading.Lock()

    def add(self, frame: Frame) -> None:
        """Keep a frame's grey picture, which must not be drawn on afterwards."""
        room = max(1, min(self._most_newest, self._most_raw_bytes // frame.grey.nbytes))
        with self._lock:
            self._newest.append(frame.in_grey())
            leaving = [self._newest.popleft() for _ in range(len(self._newest) - room)]
        for old in leaving:
            if not self._older or old.taken_at - self._older[-1].ended_at >= self._every_s:
                self._keep(old)

    def still_at(self, at: float) -> Still | None:
        """The frame taken nearest to a moment (monotonic s); None before the first frame."""
        with self._lock:
            newest, older = list(self._newest), self._stills()
        kept = min(older, key=lambda still: abs(still.taken_at - at), default=None)
        frame = min(newest, key=lambda one: abs(one.taken_at - at), default=None)
        if frame is None or (kept and abs(kept.taken_at - at) < abs(frame.taken_at - at)):
            return kept
        return _still(frame)

    def between(self, start: float, end: float) -> tuple[Still, ...]:
        """Every picture kept from a stretch of time, oldest first: the clip of a ruling."""
        with self._lock:
            older = [still for still in self._stills() if start <= still.taken_at <= end]
            newest = [frame for frame in self._newest if start <= frame.taken_at <= end]
        return (*older, *map(_still, newest))

    @property
    def bytes_kept(self) -> int:
        """How much memory the ring holds."""
        with self._lock:
            return self._bytes + sum(frame.grey.nbytes for frame in self._newest)

    def _stills(self) -> list[Still]:
        return [Still(*moment, one.coded) for one in self._older for moment in one.moments]

    def _keep(self, old: Frame) -> None:
        """Another moment of the newest picture where that shows it too; else another picture."""
        squares = _squares(old.grey)
        last, before = self._older[-1] if self._older else None, self._squares
        calm = last is not None and old.taken_at - last.began_at <= CALM_S
        if calm and before is not None and not _differ(before, squares):
            coded = b""
        else:
            coded, self._squares = as_jpeg(old.grey), squares
        with self._lock:
            if coded:
                self._older.append(_Shared(coded, []))
                self._bytes += len(coded)
            self._older[-1].moments.append((old.taken_at, old.number))
            while self._older[0].ended_at < old.taken_at - self._keep_s:
                self._bytes -= len(self._older.popleft().coded)
            while self._bytes > self._most_bytes:
                self._thin_out()

    def _thin_out(self) -> None:
        """Let the picture go whose neighbours are nearest to each other; of two the older one."""
        pairs = zip(self._older, list(self._older)[2:], strict=False)
        gaps = [after.began_at - before.ended_at for before, after in pairs]
        at = 1 + gaps.index(min(gaps)) if gaps else 0
        self._bytes -= len(self._older[at].coded)
        del self._older[at]


def _squares(grey: GreyImage) -> GreyImage:
    """How bright each square of a picture is."""
    high, wide = grey.shape
    size = (max(1, wide // SQUARE_PX), max(1, high // SQUARE_PX))
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8)


def _differ(before: GreyImage, after: GreyImage) -> bool:
    same_size = before.shape == after.shape
    return not same_size or bool(cv2.absdiff(before, after).max() >= CHANGED)


def _still(frame: Frame) -> Still:
    return Still(frame.taken_at, frame.number, frame.grey)


# Clips: the stills as Motion JPEG, which every player shows.

ENDING = ".avi"
STEPS_A_SECOND = 10.0


def write_clip(stills: Sequence[Still], path: Path, fps: float = STEPS_A_SECOND) -> Path:
    """Write stills as a film that runs as fast as the table did, in place of an older one.

    Between two stills the earlier one stays. Raises `BadCall` without stills or for another ending,
    `RecordError` when the disk does not take all of it.
    """
    if path.suffix != ENDING:
        raise BadCall(f"{path.name}: a clip is kept as {ENDING}")
    if not stills:
        raise BadCall("no picture was kept of that time, so there is no clip of it")
    quieten_opencv()  # on a full disk it has a line for each picture
    part = path.with_name(f"{path.stem}.part{ENDING}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _check(_film(stills, part, fps), part)
        part.replace(path)
    except OSError as trouble:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise RecordError(
            f"{trouble.strerror or trouble}: the clip {path} could not be kept; make room or "
            "choose another place for the record"
        ) from trouble
    return path


def _film(stills: Sequence[Still], path: Path, fps: float) -> int:
    """Write the frames; how many they are. The first still's size is that of all."""
    height, width = stills[0].decoded().shape
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (width, height))
    count = 0
    try:
        for still, steps in _even(stills, fps):
            grey = still.decoded()
            if grey.shape != (height, width):
                grey = np.asarray(cv2.resize(grey, (width, height)), np.uint8)
            picture = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
            for _ in range(steps):
                film.write(picture)
            count += steps
    finally:
        film.release()
    return count


def _even(stills: Sequence[Still], fps: float) -> Iterator[tuple[Still, int]]:
    """Each still that stands at any step of the film, and at how many it does."""
    first_s = stills[0].taken_at
    last = int((stills[-1].taken_at - first_s) * fps)
    begins = [math.ceil((still.taken_at - first_s) * fps - 1e-6) for still in stills]
    for still, begin, end in zip(stills, begins, (*begins[1:], last + 1), strict=True):
        if end > begin:
            yield still, end - begin


def _check(written: int, path: Path) -> None:
    """OpenCV does not say when the disk is full: hold what is on it against what was written."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
    film = cv2.VideoCapture(str(path))
    try:
        kept = int(film.get(cv2.CAP_PROP_FRAME_COUNT)) if film.isOpened() else 0
    finally:
        film.release()
    if kept < written:
        raise OSError(f"{kept} of {written} pictures are on the disk")
