"""A film of the stills that were kept: Motion JPEG, which every player shows."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadCall, RecordError
from vision.evidence import Still
from vision.quiet import quieten_opencv

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
