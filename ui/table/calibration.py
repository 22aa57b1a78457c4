"""Calibration of the table from within the app, and pictures kept of one that is read wrongly.

Either has a thread of its own beside the camera watch, for a look takes as long as a full search;
screens ask how far it is. When a calibration is done the table's file is written and the watch
follows the boards as it has them.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from ui.table.lesson import LooksState
from vision.boards.calibrating import Calibrating, Progress

if TYPE_CHECKING:
    from companion.core.board import BoardPlan
    from ui.table.camera_watch import CameraWatch
    from vision.boards.lens import Lens
    from vision.boards.place import Calibration
    from vision.boards.view import PlacesTold
    from vision.camera.camera import Camera
    from vision.camera.frame import Frame
    from vision.evidence.keeping import KeptFolder
    from vision.see import PictureSeen

IDLE_S = 0.01
MOST_S = 60.0
"""A calibration is done within a minute, well or not."""
SILENT_S = 5.0
"""No new picture for so long, and it is the camera that has to be looked at."""
LEFT = "The calibration was left."
NO_PICTURE = "The camera gives no picture: look at its line here, then calibrate again."


@dataclass(frozen=True, slots=True)
class CalibrationState:
    """How far a calibration is; `trouble` says why it came to nothing, in words for the screen.

    `kept` once the table's file is written; `running` until it is over, well or not.
    """

    running: bool
    kept: bool = False
    progress: Progress | None = None
    trouble: str = ""

    @property
    def words(self) -> str:
        """What to tell: the trouble, or else what the calibration says."""
        if self.trouble:
            return self.trouble
        return self.progress.words if self.progress is not None else "Looking at the table."

    def failed(self, trouble: str) -> CalibrationState:
        """Over and come to nothing, as far as it was."""
        return CalibrationState(running=False, progress=self.progress, trouble=trouble)


@dataclass(frozen=True, slots=True)
class HeightAsked:
    """Before a calibration: how high are tokens' markers over the board, mm?

    `usual_mm` is what the table takes them to be, the least first; `chosen_mm` what somebody
    measured, None while it is as usual.
    """

    usual_mm: tuple[float, ...]
    chosen_mm: float | None = None


@dataclass(frozen=True, slots=True)
class KeepingState:
    """Pictures of the table that are kept: how many `pictures` by now, in the folder called `name`.

    `asked` while nobody has agreed yet, `running` from then on until it is over; `trouble` says why
    there are no more, `stick` is the name of one that has them, too.
    """

    name: str
    asked: bool = False
    running: bool = False
    pictures: int = 0
    trouble: str = ""
    stick: str = ""


@dataclass(frozen=True, slots=True)
class EyesState:
    """How well the camera knows where the boards lie.

    `made_on` is the day of the calibration in use (empty for none), `boards` how many it has,
    `trouble` why it cannot be used; `run` is the calibration that was begun here, if one was.
    `looks` is what is known of tokens without stickers, `told` how surely the camera tells where
    tokens stand; None while no board is seen. `height` is asked before a calibration, `keeping` are
    pictures that are kept.
    """

    made_on: str = ""
    boards: int = 0
    trouble: str = ""
    run: CalibrationState | None = None
    looks: LooksState = field(default_factory=LooksState)
    told: PlacesTold | None = None
    height: HeightAsked | None = None
    keeping: KeepingState | None = None


class TableCalibration:
    """One calibration of what a watch looks at, from `start` on; `state` from any thread.

    `camera` names the device before the table (empty for files), `lens` what was measured of it,
    `others` are boxes whose boards may lie there by mistake, `keep` takes the result for the
    table's file and raises what hinders it. `as_laid` is the plan with what the table's file has of
    it otherwise (None: nothing); the watch is given `plan`, to which that is added anew.
    """

    def __init__(
        self,
        watch: CameraWatch,
        plan: BoardPlan,
        keep: Callable[[BoardPlan, Calibration], None],
        *,
        camera: str = "",
        lens: Lens | None = None,
        others: Sequence[BoardPlan] = (),
        as_laid: BoardPlan | None = None,
        day: Callable[[], str] = lambda: "",
    ) -> None:
        self.state = CalibrationState(running=True)
        self._watch, self._plan, self._keep, self._day = watch, plan, keep, day
        self._camera, self._lens, self._others = camera, lens, others
        self._as_laid = as_laid or plan
        self._calibrating: Calibrating | None = None
        self._number, self._looked_at = -1, 0.0
        self._ending = threading.Event()
        self._leaving = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="calibration", daemon=True)

    def start(self) -> None:
        """Look on a thread of its own until it is over."""
        self._thread.start()

    def cancel(self) -> None:
        """Leave it; nothing is kept but what is being written at this moment.

        From here on it does not say any more what the watch looks for: that may be another box.
        """
        with self._leaving:
            self._ending.set()

    def join(self, seconds: float = 5.0) -> None:
        """Wait until it is over, for so long."""
        self._thread.join(seconds)

    def step(self) -> bool:
        """Look at the watch's newest picture; whether there was a new one."""
        frame = self._watch.frame
        if frame is None or frame.number == self._number or not self.state.running:
            return False
        self._number, self._looked_at = frame.number, time.monotonic()
        try:
            self._look(frame)
        except CompanionError as trouble:
            self.state = self.state.failed(str(trouble))
        except Exception as bug:  # noqa: BLE001 - a thread that ends in silence looks like one at work
            self.state = self.state.failed(f"The calibration failed ({bug!r}): calibrate again.")
        return True

    def _look(self, frame: Frame) -> None:
        if self._calibrating is None:
            lens, others = self._fitting_lens(), self._others
            self._calibrating = Calibrating(self._as_laid, self._camera, lens, others)
        progress = self._calibrating.look(frame)
        self.state = CalibrationState(running=True, progress=progress)
        if progress.stage.over and not self._ending.is_set():
            self._end(self._calibrating, progress)

    def _fitting_lens(self) -> Lens | None:
        """The lens that was measured, at this picture's size; None for one that was guessed."""
        frame = self._watch.frame
        if self._lens is None or self._lens.assumed or frame is None:
            return None
        return self._lens.at(frame.size_px)

    def _end(self, calibrating: Calibrating, progress: Progress) -> None:
        self._keep(self._plan, calibrating.result(self._day()))
        with self._leaving:
            if not self._ending.is_set():
                self._watch.look_for(self._plan)
        self.state = CalibrationState(running=False, kept=True, progress=progress)

    def _run(self) -> None:
        began = time.monotonic()
        while self.state.running and not self._ending.is_set():
            if time.monotonic() - began >= MOST_S:
                self.state = self.state.failed(self._why_not())
            elif not self.step():
                self._ending.wait(IDLE_S)
        if self.state.running:
            self.state = CalibrationState(running=False, trouble=LEFT)

    def _why_not(self) -> str:
        """What kept it from an end for so long, as it was seen last."""
        progress = self.state.progress
        if progress is None or time.monotonic() - self._looked_at > SILENT_S:
            return NO_PICTURE
        return f"{progress.words} Then calibrate again: it was tried for {MOST_S:.0f} s."


# Pictures kept of a table that is read wrongly, as `companion see --keep` keeps them.

KEPT_S, KEPT_PICTURES = 20.0, 100
"""So long pictures are kept, and so many at the most: a megabyte each, about."""
STOPPING_S = 2.0
NO_BOARD = "no board was seen, so nothing was kept"

Looks = Callable[["Camera", "KeptFolder"], "Iterator[PictureSeen]"]


class TableKeeping:
    """Keeps what a watch looks at in a folder, from `start` on; `state` from any thread.

    `look` tells of a camera's pictures as `companion see` does, and keeps them. Afterwards `along`
    copies them onto a stick, and tells its name; empty where none is plugged in.
    """

    def __init__(
        self, watch: CameraWatch, keeping: KeptFolder, look: Looks, along: Callable[[], str]
    ) -> None:
        self.state = KeepingState(keeping.folder.name, running=True)
        self._pictures = _Watched(watch)
        self._keeping, self._look, self._along = keeping, look, along
        self._thread = threading.Thread(target=self._run, name="keeping", daemon=True)

    def start(self) -> None:
        """Look on a thread of its own until enough is kept."""
        self._thread.start()

    def end(self) -> None:
        """Keep no more than the picture that is being written."""
        self._pictures.ended.set()
        self._thread.join(STOPPING_S)

    def _run(self) -> None:
        trouble = ""
        try:
            for _ in self._look(self._pictures, self._keeping):
                kept = self._keeping.pictures
                self.state = KeepingState(self.state.name, running=True, pictures=kept)
                if kept >= KEPT_PICTURES:
                    break
        except CompanionError as wrong:
            trouble = str(wrong).removeprefix("--keep ")  # as the terminal has it
        except Exception as bug:  # noqa: BLE001 - a thread that ends in silence looks like one at work
            trouble = f"keeping pictures failed ({bug!r})"
        kept, stick = self._keeping.pictures, ""
        try:
            stick = self._along() if kept else ""
        except CompanionError as wrong:
            trouble = trouble or str(wrong)
        trouble = trouble or ("" if kept else NO_BOARD)
        self.state = KeepingState(self.state.name, pictures=kept, trouble=trouble, stick=stick)


class _Watched:
    """A watch's newest pictures, each once, as a camera that ends after a while."""

    name = "the table"
    live = False  # as pictures that are looked at again: nothing hangs on which camera it was

    def __init__(self, watch: CameraWatch) -> None:
        self.ended = threading.Event()
        self._watch, self._last, self._began = watch, watch.frame, time.monotonic()

    @property
    def size_px(self) -> tuple[int, int]:
        frame = self._watch.frame
        return frame.size_px if frame is not None else (0, 0)

    def read(self) -> Frame | None:
        """The next picture that the watch takes; None once it is over."""
        while not self.ended.is_set() and time.monotonic() - self._began < KEPT_S:
            frame = self._watch.frame
            if frame is not None and frame is not self._last:
                self._last = frame
                return frame
            self.ended.wait(IDLE_S)
        return None

    def close(self) -> None:
        """The watch keeps its camera."""
