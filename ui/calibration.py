"""The table calibrated from the app: the watch goes on, and its pictures are looked at besides.

On a thread of its own, for a look takes as long as a full search; the screen asks how far it is.
When it is done the table's file is written and the watch follows the boards as it has them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.errors import CompanionError
from ui.looks import LooksState
from vision.calibrating import Calibrating, Progress

if TYPE_CHECKING:
    from companion.board import BoardPlan
    from ui.camera_watch import CameraWatch
    from vision.calibrated import Calibration
    from vision.lens import Lens

IDLE_S = 0.01
MOST_S = 60.0
"""A calibration is done within a minute, well or not."""
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


@dataclass(frozen=True, slots=True)
class EyesState:
    """How well the camera knows where the boards lie.

    `made_on` is the day of the calibration in use (empty for none), `boards` how many it has,
    `trouble` why it cannot be used; `run` is the calibration that was begun here, if one was.
    `looks` is what is known of tokens without stickers.
    """

    made_on: str = ""
    boards: int = 0
    trouble: str = ""
    run: CalibrationState | None = None
    looks: LooksState = field(default_factory=LooksState)


class TableCalibration:
    """One calibration of what a watch looks at, from `start` on; `state` from any thread.

    `camera` names the device before the table (empty for files), `lens` what was measured of it,
    `others` are boxes whose boards may lie there by mistake, `keep` takes the result for the
    table's file and raises what hinders it.
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
        day: Callable[[], str] = lambda: "",
    ) -> None:
        self.state = CalibrationState(running=True)
        self._watch, self._plan, self._keep, self._day = watch, plan, keep, day
        self._camera, self._lens, self._others = camera, lens, others
        self._calibrating: Calibrating | None = None
        self._number = -1
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="calibration", daemon=True)

    def start(self) -> None:
        """Look on a thread of its own until it is over."""
        self._thread.start()

    def cancel(self) -> None:
        """Leave it; nothing is kept."""
        self._ending.set()

    def join(self, seconds: float = 5.0) -> None:
        """Wait until it is over, for so long."""
        self._thread.join(seconds)

    def step(self) -> bool:
        """Look at the watch's newest picture; whether there was a new one."""
        frame = self._watch.frame
        if frame is None or frame.number == self._number or not self.state.running:
            return False
        self._number = frame.number
        try:
            if self._calibrating is None:
                lens, others = self._fitting_lens(), self._others
                self._calibrating = Calibrating(self._plan, self._camera, lens, others)
            progress = self._calibrating.look(frame)
            self.state = CalibrationState(running=True, progress=progress)
            if progress.stage.over:
                self._end(self._calibrating, progress)
        except CompanionError as trouble:
            self.state = CalibrationState(running=False, trouble=str(trouble))
        return True

    def _fitting_lens(self) -> Lens | None:
        """The lens that was measured, at this picture's size; None for one that was guessed."""
        frame = self._watch.frame
        if self._lens is None or self._lens.assumed or frame is None:
            return None
        return self._lens.at(frame.size_px)

    def _end(self, calibrating: Calibrating, progress: Progress) -> None:
        self._keep(self._plan, calibrating.result(self._day()))
        self._watch.look_for(self._plan)
        self.state = CalibrationState(running=False, kept=True, progress=progress)

    def _run(self) -> None:
        waited_s = 0.0
        while self.state.running and not self._ending.is_set():
            if self.step():
                continue
            self._ending.wait(IDLE_S)
            waited_s += IDLE_S
            if waited_s >= MOST_S:
                self.state = CalibrationState(
                    running=False, progress=self.state.progress, trouble=NO_PICTURE
                )
        if self.state.running:
            self.state = CalibrationState(running=False, trouble="The calibration was left.")
