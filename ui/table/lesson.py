"""A lesson for one token without a sticker: once the table rests, its look is learned, or undone.

A lesson has a thread of its own, for it waits until hands are gone, and what is learned is written
to disk; the screen asks how far it is. What was learned is used from the next picture on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from companion.core.board import BoardPlan, Piece
from companion.core.errors import CompanionError
from companion.core.offers import PictureState
from vision.looks.teaching import Shown, Teaching

if TYPE_CHECKING:
    from pathlib import Path

    from ui.table.camera_watch import CameraWatch
    from vision.camera.frame import Frame
    from vision.looks.boards import Found
    from vision.looks.look import TaughtLook
    from vision.looks.taught import LookReading, TaughtReader


# What screens show of a lesson, and of known looks.

EMPTY = Piece("")
"""In place of a token: the boards with nothing on them."""

Outline = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class LessonState:
    """How far a lesson is; `piece` is the token it is about, or `EMPTY`.

    `told` says what was learned, `trouble` why nothing was and the way out, `waits` what it waits
    for while it runs. `new_px` are the outlines, in the picture, of what was new on the boards
    where that was not one thing alone.
    """

    piece: Piece
    running: bool
    told: str = ""
    trouble: str = ""
    waits: str = ""
    new_px: tuple[Outline, ...] = ()


@dataclass(frozen=True, slots=True)
class LooksState:
    """The tokens that were taught, and what came of looking for them.

    `boards` is how many boards were seen empty, without which nothing can be taught; `taught` has
    each known token's look, `by_look` how surely each of them was read that lies on the table now.
    `lesson` is the one that was begun last here, if one was; `lacks_colour` as the reader has it.
    """

    boards: int = 0
    taught: Mapping[Piece, TaughtLook] = field(default_factory=dict[Piece, "TaughtLook"])
    by_look: Mapping[Piece, LookReading] = field(default_factory=dict[Piece, "LookReading"])
    lesson: LessonState | None = None
    lacks_colour: bool = False

    @classmethod
    def of(cls, reader: TaughtReader | None, lesson: LessonState | None) -> LooksState:
        """As a reader of looks has it; of none nothing is known."""
        if reader is None:
            return cls(lesson=lesson)
        looks = {look.piece: look for look in reader.looks}
        return cls(len(reader.empty.known), looks, reader.by_look, lesson, reader.lacks_colour)

    @property
    def running(self) -> LessonState | None:
        """The lesson under way."""
        return self.lesson if self.lesson is not None and self.lesson.running else None


# The lesson.

IDLE_S = 0.01
FRESH_FRAMES = 2
"""The first picture after a touch may have been taken before it."""
MOST_S = 15.0
LEAST_FRAMES, MOST_SLOW_S = 60, 60.0
"""A lesson is over after so long without rest; where pictures come slowly (a busy machine) not
before so many, but then after that long."""
AROUND_MM = 15.0
"""From a thing's middle to the side of the square that is drawn round it."""
WAITS = {
    PictureState.HAND: "Take your hand away.",
    PictureState.MOVING: "Hold everything still.",
    PictureState.LIGHT: "The light has just changed: wait.",
    PictureState.BLIND: "The camera sees nothing.",
}
RESTLESS = {
    PictureState.HAND: "A hand or a sleeve is in view: take it away, then learn again",
    PictureState.MOVING: "The table never came to rest: hold everything still, then learn again",
    PictureState.LIGHT: "The light keeps changing: leave the lamps alone, then learn again",
    PictureState.BLIND: "No board is seen: let the camera see the boards' corners, upright and "
    "not mirrored, then learn again",
}
NO_PICTURE = "The camera gives no picture: look at its line on the table check, then learn again"


class Lesson:
    """One token learned of what a watch looks at, from `start` on; `state` from any thread.

    `use` is given what reads the table by all that is known then. With `forget` the token is
    forgotten instead, which needs no picture.
    """

    def __init__(
        self,
        watch: CameraWatch,
        plan: BoardPlan,
        folder: Path,
        piece: Piece,
        use: Callable[[TaughtReader], None],
        *,
        forget: bool = False,
    ) -> None:
        self.state = LessonState(piece, running=True)
        self._watch, self._plan, self._folder, self._use = watch, plan, folder, use
        self._piece, self._forget = piece, forget
        self._newest = watch.frame.number if watch.frame is not None else -1
        self._from = self._newest + FRESH_FRAMES if watch.frame is not None else 0
        self._came_at = 0.0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lesson", daemon=True)

    def start(self) -> None:
        """Wait and learn on a thread of its own until it is over."""
        self._thread.start()

    def cancel(self) -> None:
        """Leave it; what was not learned yet is not."""
        self._ending.set()

    def join(self, seconds: float = 5.0) -> None:
        """Wait until it is over, for so long."""
        self._thread.join(seconds)

    def _run(self) -> None:
        began = time.monotonic()
        while not self._ending.is_set() and self._has_time(time.monotonic() - began):
            shown = None if self._forget else self._rested()
            if self._forget or shown is not None:
                self._teach(shown)
                return
            self._ending.wait(IDLE_S)
        self.state = LessonState(self._piece, running=False, trouble=self._why_not())

    def _has_time(self, passed_s: float) -> bool:
        """Whether the table may still come to rest: it had its time, or its pictures."""
        if passed_s < MOST_S:
            return True
        few = 0 < self._newest - self._from + FRESH_FRAMES < LEAST_FRAMES
        return few and time.monotonic() - self._came_at < MOST_S and passed_s < MOST_SLOW_S

    def _rested(self) -> Shown | None:
        """The newest picture that was read, if it is of after the touch and the table rests in it.

        A newer one that the watch has not read yet may have a hand in it.
        """
        watch = self._watch
        sighting, judged = watch.sighting, watch.judged
        if sighting is None or judged is None:
            return None
        shows = judged.sighting.state
        if self._is_fresh(judged.frame) and sighting.state is shows is PictureState.SETTLED:
            return Shown(judged.frame, judged.places, judged.markers)
        waits = WAITS.get(sighting.state, "")
        if waits != self.state.waits:
            self.state = LessonState(self._piece, running=True, waits=waits)
        return None

    def _is_fresh(self, frame: Frame) -> bool:
        """Whether a picture was taken since the touch; a camera opened anew counts from 0 again."""
        if frame.number < self._newest:
            self._from = 0
        if frame.number != self._newest:
            self._came_at = time.monotonic()
        self._newest = frame.number
        return frame.number >= self._from

    def _teach(self, shown: Shown | None) -> None:
        try:
            self.state = self._taught(shown)
        except Exception as bug:  # noqa: BLE001 - a thread that ends in silence looks like one at work
            trouble = f"The lesson failed ({bug!r}): learn it again"
            self.state = LessonState(self._piece, running=False, trouble=trouble)

    def _taught(self, shown: Shown | None) -> LessonState:
        teaching = Teaching(self._plan, self._folder)
        try:
            self._learned(teaching, shown)
        except CompanionError as wrong:
            new = _outlines(teaching, shown) if shown is not None and self._piece else ()
            return LessonState(self._piece, running=False, trouble=str(wrong), new_px=new)
        self._use(teaching.reader())
        lost = teaching.still_lost
        told = f"{teaching.told}. {lost}" if lost else teaching.told
        return LessonState(self._piece, running=False, told=told)

    def _learned(self, teaching: Teaching, shown: Shown | None) -> None:
        if shown is None:
            teaching.forget(self._piece)
        elif self._piece == EMPTY:
            teaching.learn_empty(shown)
        else:
            teaching.learn_token(self._piece, shown)

    def _why_not(self) -> str:
        """What kept the table from resting, as it was seen last."""
        if self._ending.is_set():
            return "The lesson was left: nothing was learned"
        frame, sighting = self._watch.frame, self._watch.sighting
        if sighting is None or frame is None or not self._is_fresh(frame):
            return NO_PICTURE
        return RESTLESS.get(sighting.state, NO_PICTURE)


def _outlines(teaching: Teaching, shown: Shown) -> tuple[Outline, ...]:
    """Where in the picture everything lies that is new on the boards."""
    return tuple(_outline(thing, teaching, shown) for thing in teaching.new_things(shown))


def _outline(thing: Found, teaching: Teaching, shown: Shown) -> Outline:
    x, y = thing.middle_mm
    corners = [(x + dx * AROUND_MM, y + dy * AROUND_MM) for dx, dy in _SQUARE]
    place, height_mm = shown.places[thing.board], teaching.empty.height_mm
    found = place.to_picture(np.array(corners, np.float64), height_mm)
    return tuple((float(px), float(py)) for px, py in found)


_SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))
