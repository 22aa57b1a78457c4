"""`companion teach`: a box's tokens shown to a camera one by one, known by their looks afterwards.

The looks go beside the table's file, where `companion see --table` reads them; so does the app, if
that is the table's file in its settings. Where it is not, the last line says so.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from companion.commands.plans import plan_of, plans
from companion.core.board import BoardPlan
from companion.core.errors import BadCall, CameraError
from ui.settings_file import SettingsFile
from ui.table_eyes import FILE_NAME, file_of
from vision.boards.view import TableView
from vision.camera.camera import Camera, open_camera
from vision.camera.frame import Frame
from vision.looks.file import looks_beside
from vision.looks.teaching import Shown, Teaching, margin_words
from vision.markers.reading import ThoroughReader
from vision.table_file.reading import TableSetup, load_table
from vision.tracking.observation import observe

FRESH_S = 0.5
"""After a touch of Enter so many seconds of pictures are let go: they were taken before it."""
FIRST_S = 10.0
WAIT_S = 0.005
LEAVE_OUT = "s"


def teach(source: str, table: Path | None, box: str, pieces: Sequence[str]) -> int:
    """Lead through the tokens: a device waits for Enter, pictures are taken one a step, in order.

    0 where at least one token is known then, else 1. Raises `BadCall` for a piece that the box has
    not, and for pictures that do not show what they should.
    """
    path = table or Path(FILE_NAME)
    setup = _setup(path, box)
    _check_pieces(setup.plan, pieces)
    teaching = Teaching(setup.plan, looks_beside(path, setup.plan.box))
    if teaching.trouble:
        _say(teaching.trouble)
    with closing(open_camera(source)) as camera:
        looking = _Looking(camera, setup)
        if not camera.live:
            _say(_order(teaching, setup.plan, pieces))
        while not teaching.over:
            token = teaching.token
            if token is not None and pieces and token.piece not in pieces:
                teaching.pass_over()
            elif camera.live:
                _ask(teaching, looking)
            else:
                teaching.learn(looking.next())
                _say(teaching.told)
    _end(teaching)
    return 0 if teaching.looks else 1


def _end(teaching: Teaching) -> None:
    """Each look against all others, where they are kept, and whether the app reads them there."""
    for look in teaching.looks:
        token = teaching.plan.token_of[look.piece]
        _say(f"{token.label}: {margin_words(look, teaching.plan)}")
    _say(f"{teaching.folder}: {teaching.words}")
    file, box = SettingsFile.load(), teaching.plan.box
    table = file_of(Path(file.settings.table_file or file.path.parent / FILE_NAME), box)
    ours = looks_beside(table, box)
    if ours.absolute() != teaching.folder.absolute():
        call = f"--table {table}" if table.exists() else f"--table {table} --box {box}"
        _say(f"The app reads {ours}: name this table's file in its settings, or teach with {call}")


def _setup(path: Path, box: str) -> TableSetup:
    """The table as its file has it; without one the box alone."""
    if path.exists():
        setup = load_table(path, plans())
        if box and setup.plan.box != box:
            raise BadCall(f"--box {box}: {path} is the table of {setup.plan.box}")
        return setup
    if not box:
        raise BadCall(f"{path} is not there: name the box with --box, or its file with --table")
    return TableSetup(plan_of(box))


def _order(teaching: Teaching, plan: BoardPlan, pieces: Sequence[str]) -> str:
    """Which picture must show what; the empty boards may be known from another day."""
    first = ["the empty boards"] if teaching.token is None else []
    known = {look.piece for look in teaching.looks}
    labels = [
        token.label
        for token in plan.tokens
        if (token.piece in pieces if pieces else token.piece not in known)
    ]
    return f"Pictures, in this order: {', '.join([*first, *labels])}."


def _check_pieces(plan: BoardPlan, pieces: Sequence[str]) -> None:
    strange = [piece for piece in pieces if piece not in plan.token_of]
    if strange:
        known = ", ".join(plan.token_of)
        raise BadCall(f"--piece {strange[0]}: no token of {plan.box}; there are {known}")


class _Looking:
    """A camera's pictures with where the boards lie in each."""

    def __init__(self, camera: Camera, setup: TableSetup) -> None:
        self._camera = camera
        self._reader = ThoroughReader(setup.plan.dictionary)
        self._view = TableView(setup.plan, setup.lens)
        if setup.calibration is not None:
            self._view.remember(setup.calibration)

    def next(self) -> Shown:
        """The next picture; of a device one that was taken from now on."""
        frame = self._fresh() if self._camera.live else self._camera.read()
        if frame is None:
            raise CameraError(
                f"{self._camera.name}: no picture is left; it takes one of the empty boards, then "
                "one of each token"
            )
        markers = self._reader.read(frame.grey)
        observe(frame, markers, self._view)
        return Shown(frame, self._view.places, markers)

    def _fresh(self) -> Frame | None:
        began, newest = time.monotonic(), None
        for frame in _read(self._camera, began + FIRST_S):
            newest = frame
            if time.monotonic() - began >= FRESH_S:
                break
        return newest


def _read(camera: Camera, until: float) -> Iterator[Frame]:
    while time.monotonic() < until:
        frame = camera.read()
        if frame is not None:
            yield frame
        else:
            time.sleep(WAIT_S)


def _ask(teaching: Teaching, looking: _Looking) -> None:
    """One step before a device; what goes wrong is said, and the step is asked for again."""
    passing = f" ({LEAVE_OUT} passes over)" if teaching.token is not None else ""
    words = teaching.words.replace("touch Learn", f"press Enter{passing}")
    try:
        answer = input(f"{words}: ")
    except EOFError as over:
        raise BadCall("nobody answers: teaching before a camera needs a keyboard") from over
    if answer.strip().lower() == LEAVE_OUT:
        if teaching.token is None:
            _say(
                "The empty boards cannot be passed over: tokens are told by what differs from them"
            )
        teaching.pass_over()
        return
    try:
        teaching.learn(looking.next())
    except BadCall as wrong:
        _say(str(wrong))
    else:
        _say(teaching.told)


def _say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - this is the terminal
