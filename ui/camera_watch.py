"""The camera watched: frames to sightings, on a thread of its own or step by step.

Whatever happens to the camera is a state with an age, never an exception: it is absent, found,
live, stale or lost, and a lost one is opened again until it is back.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.errors import CameraError, CompanionError
from ui.presenters.common import Device, DeviceState
from vision.evidence import Evidence

if TYPE_CHECKING:
    from companion.board import BoardPlan
    from companion.offers import Sighting
    from vision.camera import Camera
    from vision.frame import Frame
    from vision.tracker import Tracker

STALE_S = 1.0
"""Frames come many times a second; after this long without one the picture is old."""
FROZEN_S = 3.0
"""A camera that gives nothing for so long is closed and opened again."""
RETRY_S = 2.0
IDLE_S = 0.01


class CameraWatch:
    """One camera before one table. Safe to look at from any thread.

    `open_camera` opens the chosen source, `tracker_for` makes the tracker of an opened camera, and
    `tracker_of` that of another box's boards (None: it looks for the same ones all along);
    `listeners` are told each new sighting, on the thread that watches.
    """

    def __init__(
        self,
        open_camera: Callable[[], Camera],
        tracker_for: Callable[[Camera], Tracker],
        *,
        tracker_of: Callable[[BoardPlan], Tracker] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.listeners: list[Callable[[Sighting], None]] = []
        self.frame: Frame | None = None
        self.sighting: Sighting | None = None
        self.tracker: Tracker | None = None
        self.evidence = Evidence()
        self._open_camera, self._tracker_for, self._clock = open_camera, tracker_for, clock
        self._tracker_of = tracker_of
        self._wanted: BoardPlan | None = None
        self._camera: Camera | None = None
        self._trouble = ""
        self._was_live = False
        self._heard_at: float | None = None
        self._opened_at = 0.0
        self._again_at = 0.0
        self._ending = threading.Event()
        self._thread: threading.Thread | None = None
        self._look_again = False

    # -- from any thread -------------------------------------------------------------------

    def start(self) -> None:
        """Watch on a thread of its own until `close`."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching and let go of the camera."""
        self._ending.set()
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        self._let_go()

    def retry(self) -> None:
        """Open a lost camera at once instead of in a while."""
        self._again_at = 0.0

    def look_again(self) -> None:
        """Forget what was seen and read the whole table afresh."""
        self._look_again = True

    def look_for(self, plan: BoardPlan) -> None:
        """From the next frame on look for these boards and pieces: a match of another box begins.

        What was seen of the boards before is forgotten at once.
        """
        if self._tracker_of is not None:
            self._wanted, self.sighting = plan, None

    def device(self, now: float) -> Device:
        """How far the camera can be relied on, with the age of its last frame."""
        age = None if self._heard_at is None else max(0.0, now - self._heard_at)
        state = self._state(age)
        return Device("CAM", state, age, "Camera", self._text(state), self._trouble)

    def _state(self, age: float | None) -> DeviceState:
        if self._trouble:
            return DeviceState.LOST if self._was_live else DeviceState.ABSENT
        if age is None:
            return DeviceState.FOUND if self._camera is not None else DeviceState.ABSENT
        return DeviceState.LIVE if age < STALE_S else DeviceState.STALE

    def _text(self, state: DeviceState) -> str:
        if self._trouble:
            return self._trouble
        if self.sighting is None or state is DeviceState.FOUND:
            return "waits for its first picture"
        boards = len(self.sighting.boards_seen)
        return f"{self.sighting.state}, {boards} boards seen"

    # -- one frame -------------------------------------------------------------------------

    def step(self) -> bool:
        """Read one frame and pass on what it shows; whether there was one."""
        camera = self._opened()
        self._turn_to_what_is_wanted()
        if camera is None or self.tracker is None:
            return False
        if self._look_again:
            self._look_again = False
            self.tracker.look_again()
        try:
            frame = camera.read()
        except CameraError as gone:
            self._lose(str(gone))
            return False
        if frame is None:
            return self._without_frame(camera)
        self._take(frame, self.tracker)
        return True

    def _turn_to_what_is_wanted(self) -> None:
        """Another tracker at once, and one like it whenever the camera is opened anew."""
        plan, self._wanted = self._wanted, None
        make = self._tracker_of
        if plan is not None and make is not None:
            self._tracker_for = _for_any_camera(make, plan)
            self.tracker, self.sighting = make(plan), None

    def _take(self, frame: Frame, tracker: Tracker) -> None:
        self.frame, self._heard_at, self._was_live = frame, self._clock(), True
        self.evidence.add(frame)
        self._pass_on(tracker.see(frame))

    def _pass_on(self, sighting: Sighting) -> None:
        """The tracker gives the same object as long as nothing in it changes."""
        if sighting is self.sighting:
            return
        self.sighting = sighting
        for listener in tuple(self.listeners):
            listener(sighting)

    def _without_frame(self, camera: Camera) -> bool:
        if not camera.live:
            self._lose("the film or folder has ended: choose it again to begin anew")
            return False
        silent = self._clock() - (self._heard_at or self._opened_at)
        if silent >= FROZEN_S:
            self._lose(f"no picture for {silent:.0f} s: look at its cable")
        return False

    def _opened(self) -> Camera | None:
        """The camera, opened if it is time to try."""
        if self._camera is not None:
            return self._camera
        if self._clock() < self._again_at:
            return None
        try:
            self._camera = self._open_camera()
            self.tracker = self._tracker_for(self._camera)
        except CompanionError as wrong:
            self._lose(str(wrong))
            return None
        self._trouble, self._heard_at, self._opened_at = "", None, self._clock()
        return self._camera

    def _lose(self, trouble: str) -> None:
        """Close it, say why, and look for it again in a while; sight is blind meanwhile."""
        self._trouble, self._again_at = trouble, self._clock() + RETRY_S
        if self.tracker is not None and self._was_live:
            self._pass_on(self.tracker.blind(self._clock()))
        self._let_go()

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.close()

    def _run(self) -> None:
        while not self._ending.is_set():
            if not self.step():
                self._ending.wait(IDLE_S if self._camera is not None else RETRY_S / 4)


def _for_any_camera(
    make: Callable[[BoardPlan], Tracker], plan: BoardPlan
) -> Callable[[Camera], Tracker]:
    """A tracker of these boards, whichever camera looks at them."""

    def tracker(_: Camera) -> Tracker:
        return make(plan)

    return tracker
