"""The camera's last frame with what was recognised in it, for the table check."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core.offers import Seen, SeenState
from ui.presenters.common import Mark
from ui.presenters.table_check import Picture, PictureMark

if TYPE_CHECKING:
    from companion.core.board import Token
    from ui.camera_watch import CameraWatch
    from vision.markers.reading import MarkerSeen
    from vision.tracking.tracker import Tracker

STATE_MARKS = {
    SeenState.SEEN: Mark.OK,
    SeenState.UNSURE: Mark.WARN,
    SeenState.COVERED: Mark.WARN,
    SeenState.LOST: Mark.BAD,
}


def picture_of(watch: CameraWatch | None, now: float) -> Picture | None:
    """The newest picture; None while there is none."""
    if watch is None or watch.frame is None or watch.tracker is None:
        return None
    frame, tracker = watch.frame, watch.tracker
    image = frame.colour if frame.colour is not None else np.dstack([frame.grey] * 3)
    boards = sum(1 for board in tracker.plan.boards if board.corners)
    seen = len(watch.sighting.boards_seen) if watch.sighting is not None else 0
    state = watch.sighting.state if watch.sighting is not None else "waiting"
    age = max(0.0, now - frame.taken_at)
    return Picture(
        image=image,
        number=frame.number,
        size_px=frame.size_px,
        marks=_marks(watch, tracker),
        note=f"{age:.1f} s old · {state} · {seen} of {boards} boards",
        note_mark=Mark.OK if seen == boards else Mark.WARN,
    )


@lru_cache(maxsize=4)
def kept_picture(path: Path) -> Picture | None:
    """A picture of the record's evidence, as it was kept; None where it cannot be read."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        return None
    height, width = image.shape[:2]
    return Picture(np.asarray(image, np.uint8), 0, (width, height))


AROUND = 0.2
"""So much of a section's own size is shown on each side of it."""


@lru_cache(maxsize=8)
def kept_section(path: Path, outline_px: tuple[tuple[float, float], ...], note: str) -> Picture:
    """The part of a kept picture round a section, which is bracketed; all of it without outline.

    Without an image where it cannot be read.
    """
    whole = kept_picture(path)
    if whole is None:
        return Picture(None, 0, (4, 3), note=f"{path.name} cannot be read.")
    if not outline_px:
        return replace(whole, note=note, note_mark=Mark.NONE)
    left, top, right, low = _around(outline_px, whole.size_px)
    image = np.ascontiguousarray(whole.image[top:low, left:right])
    within = tuple((x - left, y - top) for x, y in outline_px)
    mark = PictureMark("piece", "", within)
    return Picture(image, 0, (right - left, low - top), (mark,), note, Mark.NONE)


def _around(
    outline_px: tuple[tuple[float, float], ...], size_px: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what is shown, inside the picture."""
    xs, ys = (sorted(values) for values in zip(*outline_px, strict=True))
    reach = AROUND * max(xs[-1] - xs[0], ys[-1] - ys[0])
    left, top = (max(0, round(low - reach)) for low in (xs[0], ys[0]))
    right, bottom = (
        max(first + 1, min(side, round(high + reach)))
        for first, side, high in zip((left, top), size_px, (xs[-1], ys[-1]), strict=True)
    )
    return left, top, right, bottom


def _marks(watch: CameraWatch, tracker: Tracker) -> tuple[PictureMark, ...]:
    tokens = {token.marker: token for token in tracker.plan.tokens}
    counted = {kind.marker: kind.label for kind in tracker.plan.counters}
    return tuple(
        _piece(marker, tokens[marker.id], watch)
        if marker.id in tokens
        else _counter(marker, counted[marker.id])
        if marker.id in counted
        else _corner(marker)
        for marker in tracker.markers
    )


def _corner(marker: MarkerSeen) -> PictureMark:
    return PictureMark("corner", "", _outline(marker))


def _counter(marker: MarkerSeen, label: str) -> PictureMark:
    """One of many alike: no place is told of it, for only their number counts."""
    return PictureMark("piece", label, _outline(marker))


def _piece(marker: MarkerSeen, token: Token, watch: CameraWatch) -> PictureMark:
    seen = watch.sighting.pieces.get(token.piece) if watch.sighting is not None else None
    seen = seen or Seen(SeenState.UNSURE)
    where = seen.pose.space if seen.pose is not None else " / ".join(seen.spaces) or "?"
    return PictureMark(
        "piece", f"{token.label} · {where}", _outline(marker), STATE_MARKS[seen.state]
    )


def _outline(marker: MarkerSeen) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in marker.corners_px.tolist())
