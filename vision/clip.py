"""A film of the stills that were kept: Motion JPEG, which every player shows."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.errors import BadCall, RecordError
from vision.evidence import Still

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
    part = path.with_name(f"{path.stem}.part{ENDING}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _check(_film(stills, part, fps), part)
        part.replace(path)
    except OSError as trouble:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise RecordError(
            f"the clip {path} could not be kept: {trouble.strerror or trouble}; make room or "
            "choose another place for the record"
        ) from trouble
    return path


def _film(stills: Sequence[Still], path: Path, fps: float) -> int:
    """Write the frames; how many they are. The first still's size is that of all."""
    height, width = stills[0].grey.shape
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), fps, (width, height))
    count = 0
    try:
        for still in _even(stills, fps):
            grey = still.grey
            if grey.shape != (height, width):
                grey = np.asarray(cv2.resize(grey, (width, height)), np.uint8)
            film.write(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
            count += 1
    finally:
        film.release()
    return count


def _even(stills: Sequence[Still], fps: float) -> Iterator[Still]:
    """The still that stood at each step of the film."""
    at = 0
    steps = int((stills[-1].taken_at - stills[0].taken_at) * fps) + 1
    for step in range(steps):
        now = stills[0].taken_at + step / fps
        while at + 1 < len(stills) and stills[at + 1].taken_at <= now:
            at += 1
        yield stills[at]


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
