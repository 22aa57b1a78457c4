"""The table's own file in the app: read for each camera and box, written when it is calibrated."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from ui.calibration import CalibrationState, EyesState, TableCalibration
from ui.lesson import Lesson
from ui.looks import LooksState
from vision.looks.file import looks_beside, reader_of
from vision.table_file.reading import TableSetup, box_of, load_table
from vision.table_file.trackers import TableTrackers
from vision.table_file.writing import write_calibration

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Piece
    from ui.camera_watch import CameraWatch
    from vision.looks.taught import TaughtReader

FILE_NAME = "table.toml"
"""Beside the settings, where the settings name no other."""

Plans = Mapping[str, Callable[[], "BoardPlan"]]


def file_of(path: Path, box: str) -> Path:
    """The file that knows a box's boards: its own, or one beside another's.

    `table.toml` is of the box that was calibrated first; `table-dogfight-1917.toml` is then of that
    one.
    """
    if box_of(path) in {"", box}:
        return path
    return path.with_name(f"{path.stem}-{box}{path.suffix}")


class TableEyes:
    """Where one table's file is, and the trackers that follow its boards by it.

    `named` is the file that the settings name; without it there may be one in their `folder`. It is
    of one box; other boxes have theirs beside it (`file_of`).
    `plans` gives each box's own boards, `usual` those looked for before a match; `tell` is told
    what is wrong with the file, once.
    """

    def __init__(
        self,
        folder: Path,
        named: str,
        plans: Plans,
        usual: BoardPlan,
        *,
        tell: Callable[[str], None] = lambda _: None,
        day: Callable[[], str] = lambda: "",
    ) -> None:
        self.path = Path(named).expanduser() if named else folder / FILE_NAME
        self.trackers = TableTrackers(usual, self._setup_of, tell, self._taught_of)
        self._is_named = bool(named)
        self._plans = plans
        self._day = day
        self._calibration: TableCalibration | None = None
        self._lesson: Lesson | None = None

    @property
    def calibration(self) -> CalibrationState | None:
        """How far the calibration is that was begun last; None before the first."""
        return self._calibration.state if self._calibration is not None else None

    @property
    def state(self) -> EyesState:
        """How well the camera knows where the boards lie, for the table check."""
        used, trouble = self.trackers.calibration, self.trackers.trouble
        lesson = self._lesson.state if self._lesson is not None else None
        looks = LooksState.of(self.trackers.taught, lesson)
        if used is None:
            return EyesState(trouble=trouble, run=self.calibration, looks=looks)
        made_on, boards = used.made_on or "an earlier day", len(used.boards)
        return EyesState(made_on, boards, trouble, self.calibration, looks)

    def calibrate(self, watch: CameraWatch, plan: BoardPlan | None) -> None:
        """Begin to calibrate a box's boards before the camera that is watched; one at a time.

        A game without boards (None) has nothing to calibrate.
        """
        running = self._calibration is not None and self._calibration.state.running
        if running or plan is None:
            return
        self._calibration = TableCalibration(
            watch,
            plan,
            lambda of, found: write_calibration(self.file_of(of), of.box, found),
            camera=self.trackers.camera_name,
            lens=self.trackers.lens,
            others=[make() for make in self._plans.values()],
            as_laid=self._as_in_file(plan),
            day=self._day,
        )
        self._calibration.start()

    def teach(
        self, watch: CameraWatch, plan: BoardPlan | None, piece: Piece, *, forget: bool = False
    ) -> None:
        """Begin to learn how a token looks (`EMPTY`: the boards without any), or to forget it.

        One at a time, before the camera that is watched; a game without boards (None) has none.
        """
        running = self._lesson is not None and self._lesson.state.running
        if running or plan is None:
            return
        folder, use = self.looks_folder(plan.box), self.trackers.use_looks
        self._lesson = Lesson(watch, _in_use(watch, plan), folder, piece, use, forget=forget)
        self._lesson.start()

    def file_of(self, plan: BoardPlan) -> Path:
        """The file that knows a box's boards, be it there or not yet."""
        return file_of(self.path, plan.box)

    def looks_folder(self, box: str) -> Path:
        """Where the looks of a box's tokens are kept, beside the table's file."""
        return looks_beside(self.path, box)

    def _taught_of(self, plan: BoardPlan) -> TaughtReader | None:
        return reader_of(self.looks_folder(plan.box), plan, whole=False)

    def put_away(self) -> None:
        """Leave what runs here, and say no more of what is over."""
        if self._lesson is not None:
            self._lesson.cancel()
            self._lesson = None
        if self._calibration is not None:
            self._calibration.cancel()
            self._calibration = None

    def _setup_of(self, plan: BoardPlan) -> TableSetup:
        """The table as its file has it; the box alone where nobody has calibrated yet.

        Where only another box was calibrated it is that one's, for the lens.
        """
        path = self.file_of(plan)
        if path != self.path and not path.exists():
            return self._of_another_box(plan)
        if not self._is_named and not path.exists():
            return TableSetup(plan)
        return load_table(path, {**self._plans, plan.box: lambda: plan})

    def _as_in_file(self, plan: BoardPlan) -> BoardPlan:
        """The plan with what the file has otherwise; what is wrong there is told elsewhere."""
        try:
            found = self._setup_of(plan).plan
        except CompanionError:
            return plan
        return found if found.box == plan.box else plan

    def _of_another_box(self, plan: BoardPlan) -> TableSetup:
        try:
            return load_table(self.path, self._plans)
        except CompanionError:  # boards of more teams, say: nothing that this box has to tell of
            return TableSetup(plan)


def _in_use(watch: CameraWatch, plan: BoardPlan) -> BoardPlan:
    """The same boards as the watch reads them: the table's file may give them another size."""
    if watch.tracker is None:
        return plan
    used = watch.tracker.plan
    names = [board.name for board in used.boards] == [board.name for board in plan.boards]
    return used if used.box == plan.box and names else plan
