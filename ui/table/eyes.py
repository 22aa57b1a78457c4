"""The table's file of boards and lens as the app uses it, and the pictures that screens show."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from companion.core.errors import CompanionError
from companion.core.offers import Seen, SeenState, Sighting
from ui.scene.steps import is_printed
from ui.scene.values import Mark, Picture, PictureMark, ShownPicture
from ui.scene.words import age_in_words
from ui.table import TABLE_FILE_NAME
from ui.table.calibration import (
    CalibrationState,
    EyesState,
    HeightAsked,
    KeepingState,
    TableCalibration,
    TableKeeping,
)
from ui.table.export import take_along
from ui.table.lesson import Lesson, LooksState
from ui.table.settings_file import sticks
from vision.evidence.flat import FlatTable, changed_spots
from vision.looks.file import looks_beside, reader_of
from vision.table_file.reading import TableSetup, box_of, load_table
from vision.table_file.trackers import TableTrackers

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Piece, Token
    from ui.table.camera_watch import CameraWatch
    from vision.boards.place import BoardPlace, Calibration
    from vision.camera.frame import Frame
    from vision.looks.taught import TaughtReader
    from vision.markers.reading import MarkerSeen
    from vision.tracking.tracker import Tracker

# The table's file, and the trackers that follow boards by it.

Plans = Mapping[str, Callable[[], "BoardPlan"]]
KEPT = "kept"
"""So the names of folders of kept pictures begin."""


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
        self.sticks: Callable[[], Iterable[Path]] = sticks
        """The drives that are plugged in now."""
        self.path = Path(named).expanduser() if named else folder / TABLE_FILE_NAME
        self.trackers = TableTrackers(usual, self._setup_of, tell, self._taught_of)
        self._is_named = bool(named)
        self._plans = plans
        self._day = day
        self._calibration: TableCalibration | None = None
        self._lesson: Lesson | None = None
        self._keeping: TableKeeping | None = None
        self._asked: HeightAsked | KeepingState | None = None

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
        state = EyesState(
            trouble=trouble, run=self.calibration, looks=looks, told=self.trackers.told,
            height=self._asked if isinstance(self._asked, HeightAsked) else None,
            keeping=self._kept,
        )  # fmt: skip
        if used is None:
            return state
        return replace(state, made_on=used.made_on or "an earlier day", boards=len(used.boards))

    def ask_height(self, plan: BoardPlan | None, height_mm: float | None) -> None:
        """Ask how high tokens' markers are over the board; `height_mm` is what was chosen by now.

        A game without boards (None) has none.
        """
        if plan is None:
            return
        tokens = self._as_in_file(plan).tokens
        usual_mm = tuple(sorted({token.height_mm for token in tokens}))
        self._asked = HeightAsked(usual_mm, height_mm)

    def leave_asked(self) -> None:
        """What is asked is let be, and no more pictures are kept."""
        self._asked = None
        if self._keeping is not None:
            self._keeping.end()

    @property
    def _kept(self) -> KeepingState | None:
        if isinstance(self._asked, KeepingState):
            return self._asked
        return self._keeping.state if self._keeping is not None else None

    def keep_pictures(
        self, watch: CameraWatch, plan: BoardPlan | None, *, agreed: bool, whole: bool
    ) -> None:
        """Keep pictures of a box's table for a while in a new folder, once all `agreed`.

        They are looked at as `companion see` does, which then tells the same of that folder. Before
        that it is asked. A game without boards (None) has no such table.
        """
        running = self._keeping is not None and self._keeping.state.running
        if running or plan is None:
            return
        folder = self._new_folder()
        self._asked = None if agreed else KeepingState(folder.name, asked=True)
        if not agreed:
            return
        try:
            self._keeping = self._keeping_of(watch, plan, folder, whole=whole)
        except CompanionError as wrong:
            self._asked = KeepingState(folder.name, trouble=str(wrong))
        else:
            self._keeping.start()

    def _new_folder(self) -> Path:
        day = self._day() or "today"
        names = (f"{KEPT}-{day}-{n}" for n in count(1))
        return next(self.path.with_name(n) for n in names if not self.path.with_name(n).exists())

    def _keeping_of(
        self, watch: CameraWatch, plan: BoardPlan, folder: Path, *, whole: bool
    ) -> TableKeeping:
        from vision.camera.kept import KeptCall
        from vision.evidence.keeping import KeptFolder
        from vision.see import keep_pictures

        path, looks = self.file_of(plan), self.looks_folder(plan.box)
        setup = load_table(path, self._plans) if path.exists() else None
        files = {"table.toml": path} if setup is not None else {}
        if setup is not None and looks.is_dir():
            files["looks"] = looks.parent
        call = KeptCall(table="table.toml" if setup is not None else "")
        guesses = [make() for make in self._plans.values()] if setup is None else []
        return TableKeeping(
            watch,
            KeptFolder(folder, call, files, whole=whole),
            partial(keep_pictures, table=setup, guesses=guesses),
            lambda: take_along(sorted(self.path.parent.glob(f"{KEPT}-*/")), self.sticks()),
        )

    def calibrate(
        self, watch: CameraWatch, plan: BoardPlan | None, height_mm: float | None = None
    ) -> None:
        """Begin to calibrate a box's boards before the camera that is watched; one at a time.

        `height_mm` is how high tokens' markers are over the board, kept with it; None leaves that
        as it was. A game without boards (None) has nothing to calibrate.
        """
        self._asked = None
        running = self._calibration is not None and self._calibration.state.running
        if running or plan is None:
            return
        from vision.table_file.writing import write_calibration, write_heights

        def keep(of: BoardPlan, found: Calibration) -> None:
            write_calibration(self.file_of(of), of.box, found)
            if height_mm is not None:
                write_heights(self.file_of(of), of, height_mm)

        self._calibration = TableCalibration(
            watch,
            plan,
            keep,
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
        self._asked = None
        if self._keeping is not None:
            self._keeping.end()
            self._keeping = None
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


# Pictures for screens: the newest one, and those kept as evidence.

SHOWN_S = 0.5
"""So long one and the same picture is shown while the table lies still."""

STATE_MARKS = {
    SeenState.SEEN: Mark.OK,
    SeenState.UNSURE: Mark.WARN,
    SeenState.COVERED: Mark.WARN,
    SeenState.LOST: Mark.BAD,
}


def picture_of(watch: CameraWatch | None, now: float) -> Picture | None:
    """The newest picture; None while there is none.

    While nothing else is seen on it a picture is shown for `SHOWN_S`: a table that lies still asks
    for no drawing with every frame.
    """
    if watch is None or watch.frame is None or watch.tracker is None:
        return None
    shown = watch.shown
    fresh = shown is not None and shown.sighting is watch.sighting
    if shown is None or not fresh or watch.frame.taken_at - shown.taken_at >= SHOWN_S:
        picture = _picture(watch, watch.frame, watch.tracker)
        shown = watch.shown = ShownPicture(picture, watch.frame.taken_at, watch.sighting)
    age = age_in_words(now - watch.frame.taken_at)
    if not age:
        return shown.picture
    return replace(shown.picture, note=f"{shown.picture.note} · {age} old", note_mark=Mark.WARN)


def _picture(watch: CameraWatch, frame: Frame, tracker: Tracker) -> Picture:
    """A frame with what was recognised on it."""
    image = frame.colour if frame.colour is not None else np.dstack([frame.grey] * 3)
    boards = sum(1 for board in tracker.plan.boards if board.corners)
    seen = len(watch.sighting.boards_seen) if watch.sighting is not None else 0
    state = watch.sighting.state if watch.sighting is not None else "waiting"
    return Picture(
        image=image,
        number=frame.number,
        size_px=frame.size_px,
        marks=_marks(watch, tracker),
        note=f"{state} · {seen} of {boards} board{'' if boards == 1 else 's'}",
        note_mark=Mark.OK if seen == boards else Mark.WARN,
    )


RING = 0.72
"""A ring round a piece reaches so much of its side from its middle."""
_RING_POINTS = 12


UNSEEN_S = 3.0
"""Pictures that no screen has asked for in so long are let go: each takes megabytes."""


class ShownEyes:
    """The newest picture as screens show it: as taken, and drawn flat; for one table.

    Nothing is worked out before a screen asks, and then once for each picture that is shown.
    """

    def __init__(self) -> None:
        self._table: FlatTable | None = None
        self._drawn: tuple[ShownPicture, Picture] | None = None
        self._asked_at: float | None = None

    def picture(self, watch: CameraWatch | None, now: float) -> Picture | None:
        """The newest picture as it was taken; None while there is none."""
        self._asked_at = now
        return picture_of(watch, now)

    def tick(self, watch: CameraWatch | None, now: float) -> None:
        """Let go of what no screen shows any more."""
        if self._asked_at is not None and now - self._asked_at > UNSEEN_S:
            self._table = self._drawn = self._asked_at = None
            if watch is not None:
                watch.shown = None

    def flat(self, watch: CameraWatch | None, turn_deg: int, now: float) -> Picture | None:
        """All boards flat, with rings round the pieces; None unless every board is seen.

        The table is turned by `turn_deg`, quarters clockwise.
        """
        raw = self.picture(watch, now)
        if watch is None or raw is None or watch.shown is None or watch.tracker is None:
            return None
        places, plan = dict(watch.tracker.view.places), watch.tracker.plan
        wanted = {board.name for board in plan.boards if board.corners}
        flat = self._flat(places, turn_deg) if wanted and wanted <= places.keys() else None
        if flat is None:
            return None
        if self._drawn is None or self._drawn[0] is not watch.shown:
            marks = flat_marks(flat, plan, watch.sighting) if watch.sighting is not None else ()
            marks += _counters_on(flat, watch.tracker)
            picture = Picture(flat.drawn(raw.image), raw.number, flat.size_px, marks)
            self._drawn = (watch.shown, picture)
        return replace(self._drawn[1], note=raw.note, note_mark=raw.note_mark)

    def _flat(self, places: Mapping[str, BoardPlace], turn_deg: int) -> FlatTable | None:
        """How these boards are drawn flat, worked out anew where one was moved."""
        if self._table is None or not self._table.holds(places, turn_deg):
            self._table, self._drawn = FlatTable.of(places, turn_deg), None
        return self._table


def flat_marks(flat: FlatTable, plan: BoardPlan, sighting: Sighting) -> tuple[PictureMark, ...]:
    """A ring round each piece that is seen on a board, with what it is called and where it is."""
    marks: list[PictureMark] = []
    for piece, seen in sighting.pieces.items():
        token = plan.token_of.get(piece)
        if token is None or seen.board is None or seen.x_mm is None or seen.y_mm is None:
            continue
        middle = flat.spot(seen.board, (seen.x_mm, seen.y_mm))
        if middle is None:
            continue
        radius = RING * token.side_mm * flat.px_per_mm
        label = _called(token, seen)
        marks.append(PictureMark("ring", label, _circle(middle, radius), STATE_MARKS[seen.state]))
    return tuple(marks)


def _counters_on(flat: FlatTable, tracker: Tracker) -> tuple[PictureMark, ...]:
    """Those of which only the number counts, each where the camera has it."""
    counted = {kind.marker: kind.label for kind in tracker.plan.counters}
    marks: list[PictureMark] = []
    for marker in tracker.markers:
        corners = flat.to_flat(marker.corners_px) if marker.id in counted else None
        if corners is not None:
            outline = tuple((float(x), float(y)) for x, y in corners)
            marks.append(PictureMark("piece", counted[marker.id], outline))
    return tuple(marks)


def _circle(middle: tuple[float, float], radius: float) -> tuple[tuple[float, float], ...]:
    turns = [2 * np.pi * n / _RING_POINTS for n in range(_RING_POINTS)]
    return tuple(
        (middle[0] + radius * float(np.cos(turn)), middle[1] + radius * float(np.sin(turn)))
        for turn in turns
    )


@lru_cache(maxsize=4)
def kept_picture(path: Path) -> Picture | None:
    """A picture of the record's evidence, as it was kept; None where it cannot be read."""
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        return None
    height, width = image.shape[:2]
    return Picture(np.asarray(image, np.uint8), 0, (width, height))


@lru_cache(maxsize=4)
def kept_pair(before: Path, after: Path) -> tuple[Picture, Picture] | None:
    """Two kept pictures, with rings where the later one differs; None where one is not read.

    Worked out once for a pair: a screen asks many times a second.
    """
    one, two = kept_picture(before), kept_picture(after)
    if one is None or two is None:
        return None
    return replace(one, number=-1), replace(two, number=-2, marks=_rings(one, two))


def flat_pair(
    before: Path, after: Path, places: Mapping[str, BoardPlace], turn_deg: int
) -> tuple[Picture, Picture] | None:
    """Two kept pictures drawn flat as they lie before the screen, ringed where they differ.

    None where one is not read, or no board was seen. Each call works it out anew.
    """
    one, two = kept_picture(before), kept_picture(after)
    flat = FlatTable.of(places, turn_deg)
    if one is None or two is None or flat is None:
        return None
    first = Picture(flat.drawn(one.image), -3, flat.size_px)
    second = Picture(flat.drawn(two.image), -4, flat.size_px)
    return first, replace(second, marks=_rings(first, second))


def _rings(before: Picture, after: Picture) -> tuple[PictureMark, ...]:
    """Round what differs."""
    first = np.asarray(cv2.cvtColor(before.image, cv2.COLOR_BGR2GRAY), np.uint8)
    second = np.asarray(cv2.cvtColor(after.image, cv2.COLOR_BGR2GRAY), np.uint8)
    return tuple(
        PictureMark(
            "ring", "", ((x, y), (x + wide, y), (x + wide, y + high), (x, y + high)), Mark.BAD
        )
        for x, y, wide, high in changed_spots(first, second)
    )


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
    return PictureMark("piece", _called(token, seen), _outline(marker), STATE_MARKS[seen.state])


def _called(token: Token, seen: Seen) -> str:
    """What a piece is called, and its place by what is printed there: coordinates are ours."""
    spaces = (seen.pose.space,) if seen.pose is not None else seen.spaces
    printed = " / ".join(space for space in spaces if is_printed(space))
    return f"{token.label} · {printed or '?'}" if printed or not spaces else token.label


def _outline(marker: MarkerSeen) -> tuple[tuple[float, float], ...]:
    return tuple((x, y) for x, y in marker.corners_px.tolist())
