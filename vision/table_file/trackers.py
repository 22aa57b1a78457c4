"""Trackers of one table: by its file where that fits the camera, else by the box as printed."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.board import BoardPlan
from companion.core.errors import CompanionError
from vision.boards.lens import Lens
from vision.boards.place import Calibration
from vision.boards.view import PlacesTold
from vision.camera.camera import Camera
from vision.looks.taught import TaughtReader
from vision.table_file.reading import TableSetup
from vision.tracking.tracker import Tracker

SetupOf = Callable[[BoardPlan], TableSetup]
"""Reads the table's file for a box's boards; raises what is wrong with it."""

TaughtOf = Callable[[BoardPlan], TaughtReader | None]
"""What knows a box's tokens by their looks, if they were taught; raises what is wrong there."""


class TableTrackers:
    """Makes a tracker for each camera that is opened and each box that is played.

    A file that cannot be used, or that was calibrated for another camera or size of picture, never
    keeps people from playing: the boards are found by their corner markers alone, and `trouble`
    says why and what would mend it. It is also the `trouble` of the tracker's view, for the table
    check; `tell` is told of it once. Looks that cannot be read are told likewise, and markers do
    without them. `calibration` is the one in use, if one is, `taught` the
    reader of looks in use.
    """

    def __init__(
        self,
        usual: BoardPlan,
        setup_of: SetupOf | None = None,
        tell: Callable[[str], None] = lambda _: None,
        taught_of: TaughtOf = lambda _: None,
    ) -> None:
        self.trouble = ""
        self.calibration: Calibration | None = None
        self.taught: TaughtReader | None = None
        self._tell = tell
        self._told = ""
        self._plan = usual
        self._setup_of = setup_of
        self._taught_of = taught_of
        self._camera: Camera | None = None
        self._tracker: Tracker | None = None

    def use_looks(self, taught: TaughtReader) -> None:
        """Read tokens by these looks from the next picture on, and by no others.

        Looks of other boards than those looked for now are left alone: they are kept on the disk.
        """
        tracker = self._tracker
        if (tracker.plan if tracker is not None else self._plan) != taught.plan:
            return
        self.taught = taught
        if tracker is not None:
            tracker.taught = taught

    @property
    def told(self) -> PlacesTold | None:
        """How surely tokens are told by the tracker in use; None while it sees no board."""
        return self._tracker.view.told if self._tracker is not None else None

    @property
    def camera_name(self) -> str:
        """The device that was opened last, by its stable name; empty for pictures and films."""
        camera = self._camera
        return camera.name if camera is not None and camera.live else ""

    @property
    def lens(self) -> Lens | None:
        """The lens of the table's file, if it is of this camera; None where it is not known."""
        try:
            setup = self._setup_of(self._plan) if self._setup_of is not None else None
        except CompanionError:
            return None
        lens = setup.lens if setup is not None else None
        fits = lens is not None and (not lens.camera or lens.camera == self.camera_name)
        return lens if fits else None

    def for_camera(self, camera: Camera) -> Tracker:
        """A tracker of the box that was looked for last, before a camera that was just opened."""
        self._camera = camera
        return self.of(self._plan)

    def of(self, plan: BoardPlan) -> Tracker:
        """A tracker of a box's boards, before the camera that was opened last."""
        tracker = self._following(plan)
        try:
            taught = tracker.taught = self._taught_of(tracker.plan)
            if taught is not None and taught.trouble:
                self._tell_once(taught.trouble)
        except CompanionError as wrong:
            self._tell_once(str(wrong))
        except Exception as bug:  # noqa: BLE001 - whatever looks are like, markers do without them
            self._tell_once(f"the taught looks cannot be read ({bug!r}): teach the tokens again")
        self.taught, self._tracker = tracker.taught, tracker
        return tracker

    def _following(self, plan: BoardPlan) -> Tracker:
        self._plan, self.trouble, self.calibration = plan, "", None
        if self._setup_of is None:
            return Tracker(plan)
        try:
            setup = self._setup_of(plan)
        except CompanionError as wrong:
            return self._without(plan, str(wrong))
        if setup.plan.box != plan.box:
            return self._with_lens_of(setup, plan)
        try:
            self._check(setup)
        except CompanionError as wrong:
            return self._without(setup.plan, str(wrong))
        tracker = Tracker(setup.plan, setup.lens)
        self.calibration = setup.calibration
        if setup.calibration is not None:
            tracker.view.remember(setup.calibration)
        return tracker

    def _with_lens_of(self, setup: TableSetup, plan: BoardPlan) -> Tracker:
        """The file tells of another box: its lens still holds for the same camera."""
        lens: Lens | None = setup.lens
        try:
            self._check(setup)
        except CompanionError:
            lens = None
        return Tracker(plan, lens)

    def _check(self, setup: TableSetup) -> None:
        camera = self._camera
        if camera is not None:
            setup.check_camera(self.camera_name, camera.size_px)

    def _without(self, plan: BoardPlan, why: str) -> Tracker:
        tracker = Tracker(plan)
        self.trouble = tracker.view.trouble = why
        self._tell_once(why)
        return tracker

    def _tell_once(self, why: str) -> None:
        if why != self._told:
            self._told = why
            self._tell(why)
