"""`companion calibrate`: where the boards lie, through which lens, kept in the table's own file."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.core.errors import BadCall, CameraError
from companion.games import find_rulebook
from ui.table import TABLE_FILE_NAME
from ui.table.eyes import file_of
from ui.table.settings_file import SettingsFile
from ui.terminal.options import AsJson, FigureFile, HouseRules, Variants
from ui.terminal.setting_up import plan_of, plans, read_options
from ui.terminal.voice import say
from vision.boards.calibrating import (
    Calibrating,
    Progress,
    Quality,
    Stage,
    mirrored,
    plan_shown,
    why_nothing,
)
from vision.boards.lens_fit import LensFit, LensViews, target_of
from vision.boards.proving import Proof, ProofStage, ProofState
from vision.camera.camera import Camera, open_camera
from vision.markers.choice import Scale, sizes_of
from vision.markers.reading import MarkerReader, ThoroughReader
from vision.table_file.reading import TableSetup, load_table
from vision.table_file.writing import write_calibration, write_heights, write_lens
from vision.tracking.tracker import Tracker

if TYPE_CHECKING:
    from companion.core.board import BoardPlan, Token
    from companion.core.ruling import Json
    from vision.boards.lens import Lens
    from vision.boards.place import Calibration
    from vision.camera.frame import Frame

USUAL_FILE = Path("table.toml")
WAIT_S = 0.005
MOST_S = 55.0
"""A calibration is done in a minute, well or not."""
PROOF_S = 180.0
"""Time to put a token on three spaces."""
MOST_HIGH_MM = 100.0
"""No token's marker is higher above the board."""
LENS_S = 300.0
"""Time to hold a calibration board to a dozen places."""


@dataclass(frozen=True, slots=True)
class WantedCalibration:
    """What a call asks for; None and empty where it leaves that to the table's file or settings.

    `figures` is the table's own file of the box, which may give its map another size.
    """

    source: str | None
    box: str
    out: Path | None
    variants: Sequence[str]
    options: Sequence[str]
    lens: str
    target: str
    square_mm: float | None
    size: str
    json: bool
    check: bool
    figures: Path | None
    height_mm: float | None


def calibrate(  # noqa: PLR0913, PLR0917 - each is an option of the call
    source: Annotated[
        str | None, typer.Argument(help="A camera, picture, folder or film; else the app's camera.")
    ] = None,
    box: Annotated[
        str, typer.Option(help="The box on the table; else the file's, or the one that is seen.")
    ] = "",
    out: Annotated[
        Path | None, typer.Option(help="The table's file (TOML); else table.toml.")
    ] = None,
    variant: Variants = None,
    option: HouseRules = None,
    lens: Annotated[
        str, typer.Option(help="Measure the lens first: pictures of a calibration board, a camera.")
    ] = "",
    target: Annotated[
        str, typer.Option(help="That board: charuco (our sheet), 8x8 squares, charuco:8x8:4X4_50.")
    ] = "charuco",
    square_mm: Annotated[
        float | None, typer.Option("--square-mm", help="The side of its squares; else 25.")
    ] = None,
    size: Annotated[str, typer.Option(help="What is asked of a camera, px.")] = "1280x720",
    data: FigureFile = None,
    height_mm: Annotated[
        float | None,
        typer.Option(
            "--height-mm",
            min=0.0,
            max=MOST_HIGH_MM,
            help="How high tokens' markers are above the board.",
        ),
    ] = None,
    *,
    check: Annotated[
        bool, typer.Option("--check", help="Then have a token put on three spaces, to be sure.")
    ] = False,
    json: AsJson = False,
) -> int:
    """Find where the boards lie, and how well, and keep it in the table's file."""
    chapters = (variant or (), option or ())
    return _calibrate(
        WantedCalibration(
            source, box, out, *chapters, lens, target, square_mm, size, json, check, data,
            height_mm,
        )
    )  # fmt: skip


def _calibrate(wanted: WantedCalibration) -> int:
    """Find the boards, and the lens if asked; 1 where one is missing, bad, or read wrong."""
    if wanted.lens and wanted.source is None:
        return _lens_alone(wanted)
    source = wanted.source or SettingsFile.load().settings.camera or "usb"
    out = wanted.out or USUAL_FILE
    setup = _setup(wanted, out)
    if wanted.lens:
        open_camera(source, size_px=_size(wanted.size)).close()  # refused now, or after the lens
    fit = _measured(wanted) if wanted.lens else None
    with closing(open_camera(source, size_px=_size(wanted.size))) as camera:
        last, calibrating = _look(wanted, camera, setup, fit)
        calibration = calibrating.result(date.today().isoformat())  # noqa: DTZ011 - this table's day
        plan = calibrating.plan
        write_calibration(out, plan.box, calibration)
        height_mm = (
            wanted.height_mm if wanted.height_mm is not None else _measured_height(wanted, plan)
        )
        if height_mm is not None:
            write_heights(out, plan, height_mm)
            plan = replace(plan, tokens=_so_high(plan, height_mm))
        _tell_end(wanted, out, last, plan, calibration)
        proved = not wanted.check or _proved(wanted, camera, plan, calibration)
    bad = {Quality.POOR, Quality.MISSING}
    return 0 if proved and not any(check.quality in bad for check in last.boards) else 1


def _measured_height(wanted: WantedCalibration, plan: BoardPlan) -> float | None:
    """What somebody at the terminal measures; None where nobody sits there, or it is as taken."""
    if wanted.json or sys.stdin is None or not sys.stdin.isatty():
        return None
    question = f"How high is a token's marker above the board, mm? Enter for {_heights(plan)}: "
    while True:
        try:
            words = input(question).strip()
        except EOFError:
            return None
        if not words:
            return None
        with suppress(ValueError):
            if 0.0 <= (height_mm := float(words.removesuffix("mm"))) <= MOST_HIGH_MM:
                return height_mm
        question = f"{words!r} is none: write millimetres from 0 to {MOST_HIGH_MM:g}, as 5.5: "


def _heights(plan: BoardPlan) -> str:
    """How high tokens' markers are taken to be, mm."""
    heights = sorted({token.height_mm for token in plan.tokens})
    return " and ".join(f"{height:g}" for height in heights)


def _so_high(plan: BoardPlan, height_mm: float) -> tuple[Token, ...]:
    return tuple(replace(token, height_mm=height_mm) for token in plan.tokens)


# -- the boards ----------------------------------------------------------------------------------


def _setup(wanted: WantedCalibration, out: Path) -> TableSetup | None:
    """The table as its file has it, or its box alone; None where the picture must tell the box.

    What would keep it from being written is refused before anybody looks at anything.
    """
    if not out.absolute().parent.is_dir():
        raise BadCall(f"--out {out}: there is no folder {out.parent}")
    plan = None
    if wanted.box:
        plan = plan_of(wanted.box, wanted.variants, _options(wanted), wanted.figures)
    elif wanted.figures is not None and not out.exists():
        raise BadCall(f"--data {wanted.figures}: of which box? Name it with --box")
    boxes = dict(plans(wanted.figures))
    if plan is not None:
        boxes[plan.box] = lambda: plan
    if not out.exists():
        return TableSetup(plan) if plan is not None else None
    setup = load_table(out, boxes)
    if plan is not None and setup.plan.box != plan.box:
        raise BadCall(
            f"--box {plan.box}: {out} is the table of {setup.plan.box}; name another with --out"
        )
    return setup


def _options(wanted: WantedCalibration) -> Mapping[str, Json]:
    return read_options(wanted.options, find_rulebook(wanted.box).in_variants(wanted.variants))


def _look(
    wanted: WantedCalibration, camera: Camera, setup: TableSetup | None, fit: LensFit | None
) -> tuple[Progress, Calibrating]:
    """Frame after frame until the boards are known, or no frame is left."""
    calibrating: Calibrating | None = None
    progress: Progress | None = None
    readers: dict[str, ThoroughReader] = {}
    for frame in _frames(wanted, camera, MOST_S):
        setup = setup or _guess(frame, readers)
        if setup is None:
            nothing = _nothing(frame, readers)
            _tell(wanted, progress, nothing, live=camera.live)
            progress = nothing
            continue
        if calibrating is None:
            name = camera.name if camera.live else ""
            others = [make() for make in plans().values()]
            calibrating = Calibrating(setup.plan, name, _lens(setup, fit, camera, frame), others)
        before, progress = progress, calibrating.look(frame)
        _tell(wanted, before, progress, live=camera.live)
        if progress.stage.over:
            break
    if calibrating is None or progress is None:
        words = progress.words if progress is not None else "It gave no picture."
        raise CameraError(f"{camera.name}: no board of any box is seen. {words}")
    return progress, calibrating


def _lens(setup: TableSetup, fit: LensFit | None, camera: Camera, frame: Frame) -> Lens | None:
    """The lens just measured, else one that was measured before with this camera."""
    lens = fit.lens if fit is not None else setup.lens
    if lens is None or lens.assumed:
        return None
    if fit is None and camera.live and lens.camera and lens.camera != camera.name:
        return None  # of another camera: the calibration that is written replaces it
    return lens.at(frame.size_px)


def _guess(frame: Frame, readers: dict[str, ThoroughReader]) -> TableSetup | None:
    """The box whose boards are seen."""
    known = [make() for make in plans().values()]
    for plan in known:
        readers.setdefault(plan.dictionary, ThoroughReader(plan.dictionary))
    markers = [marker for reader in readers.values() for marker in reader.read(frame.grey)]
    best = plan_shown(known, markers)
    return None if best is None else TableSetup(known[best])


def _nothing(frame: Frame, readers: Mapping[str, ThoroughReader]) -> Progress:
    """Why no board of any box is seen."""
    stage, words = why_nothing(frame)
    if stage is Stage.EMPTY:
        flipped = (mirrored(frame, MarkerReader(name)) for name in readers)
        words = next(filter(None, flipped), words)
    return Progress(stage, words, 0)


def _frames(wanted: WantedCalibration, camera: Camera, most_s: float) -> Iterator[Frame]:
    """Frames while there are any, of a device for so long; a picture that is none is told."""
    began = time.monotonic()
    while time.monotonic() - began < most_s or not camera.live:
        try:
            frame = camera.read()
        except CameraError as trouble:
            if camera.live:
                raise
            _say(wanted, f"passed over: {trouble}")
            continue
        if frame is not None:
            yield frame
        elif camera.live:
            time.sleep(WAIT_S)
        else:
            return


def _proved(
    wanted: WantedCalibration, camera: Camera, plan: BoardPlan, calibration: Calibration
) -> bool:
    """Have one token put on three spaces; whether each of them was read right in time."""
    tracker, proof = Tracker(plan, calibration.lens), Proof(plan)
    tracker.view.remember(calibration)
    before = None
    for frame in _frames(wanted, camera, PROOF_S):
        state = proof.look(tracker.see(frame))
        if state != before:
            _tell_proof(wanted, state)
            before = state
        if state.stage is ProofStage.PROVED:
            return True
    _say(wanted, f"The check is not done: {proof.state.words}")
    if not camera.live:
        _say(wanted, "Pictures cannot be asked to move a token: the check needs a camera.")
    return False


# -- the lens ------------------------------------------------------------------------------------


def _measured(wanted: WantedCalibration) -> LensFit:
    """The lens from views of a calibration board; CameraError says what is wrong with them."""
    target = target_of(wanted.target, wanted.square_mm)
    with closing(open_camera(wanted.lens, size_px=_size(wanted.size))) as camera:
        by_itself = camera.live or camera.size_px != (0, 0)  # a device or a film, not pictures
        views = LensViews(target, camera.name if camera.live else "", live=by_itself)
        advice = ""
        for frame in _frames(wanted, camera, LENS_S):
            views.look(frame)
            if camera.live and views.advice != advice:
                advice = views.advice
                _say(wanted, f"{len(views)} views. {advice}")
            if by_itself and views.enough:
                break
        fit = views.fit()
    if wanted.json:
        say({"lens": _lens_json(fit)})
    else:
        _say(wanted, str(fit))
    return fit


def _lens_alone(wanted: WantedCalibration) -> int:
    """Measure a lens, and put it into a table's file where one is named.

    That file is looked at first: minutes with the board in hand are not lost to a name.
    """
    out = wanted.out
    setup = _setup(wanted, out) if out is not None else None
    if out is not None and setup is None:
        raise BadCall(f"--out {out}: there is no such table yet; name its box with --box")
    if out is None and not wanted.json:
        _say(wanted, "Without --out the lens is measured and not kept.")
    fit = _measured(wanted)
    if out is not None and setup is not None:
        write_lens(out, setup.plan.box, fit.lens)
        _say(wanted, f"{out}: the lens is written; now `companion calibrate SOURCE --out {out}`.")
        return 0
    _say(wanted, "Nothing was kept; to keep it: companion calibrate --lens SOURCE --out table.toml")
    return 0


def _size(words: str) -> tuple[int, int]:
    width, _, height = words.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
        raise BadCall(f"--size {words!r}: write width x height in px, as 1920x1080")
    return (int(width), int(height))


# -- what is said --------------------------------------------------------------------------------


def _tell(wanted: WantedCalibration, before: Progress | None, now: Progress, *, live: bool) -> None:
    """What has changed, for whoever stands at the table; at pictures, only how it ended.

    What nobody can mend while it looks is said once, by the end.
    """
    if not live and not wanted.json and not now.stage.over:
        return
    if before is not None and (before.stage, before.words) == (now.stage, now.words):
        return
    if wanted.json:
        say({"stage": now.stage.value, "words": now.words, "frames": now.frames})
    else:
        _say(wanted, now.words)


def _tell_proof(wanted: WantedCalibration, state: ProofState) -> None:
    if wanted.json:
        say({"check": state.stage.value, "words": state.words, "right": state.right})
    else:
        _say(wanted, f"{state.right} of {state.of}. {state.words}")


def _tell_end(
    wanted: WantedCalibration, out: Path, last: Progress, plan: BoardPlan, calibration: Calibration
) -> None:
    sizes = sizes_of(plan, Scale(calibration.px_per_mm, "the picture as it is"))
    if wanted.json:
        say(_end_json(out, last, calibration))
        return
    for check in last.boards:
        _say(wanted, str(check))
    _say(wanted, f"blur {calibration.blur_px:.1f} px, {calibration.px_per_mm:.2f} px a mm")
    for size in sizes:
        _say(wanted, str(size))
    if not all(size.will_do for size in sizes):
        _say(
            wanted,
            f"Print larger markers: companion markers {plan.box} --table {out} --out sheets.pdf",
        )
    _say(wanted, _heights_asked(plan))
    if calibration.lens.assumed:
        gain = f"; {last.told}" if last.told is not None else ""
        call = f"companion calibrate --lens {_camera_of(wanted, calibration)} --out {out}"
        _say(wanted, f"The lens is guessed from the boards{gain}: {call}")
    camera = calibration.camera or "pictures"
    _say(wanted, f"{out}: written, for {camera} at {_times(calibration.size_px)} px.")
    file = SettingsFile.load()
    ours = file_of(Path(file.settings.table_file or file.path.parent / TABLE_FILE_NAME), plan.box)
    if out.absolute() != ours.absolute():
        _say(
            wanted,
            f"The app reads {ours}: name this file in its settings, or calibrate with --out {ours}",
        )


def _camera_of(wanted: WantedCalibration, calibration: Calibration) -> str:
    """The source whose lens is to be measured; of pictures nobody knows which camera took them."""
    if not calibration.camera:
        return "SOURCE"
    return wanted.source or SettingsFile.load().settings.camera or "usb"


def _heights_asked(plan: BoardPlan) -> str:
    """How high tokens are taken to be, and what to do where they are not."""
    return (
        f"Tokens' markers are taken to be {_heights(plan)} mm above the board: measure one; "
        "if it is not so, --height-mm has them right."
    )


def _end_json(out: Path, last: Progress, calibration: Calibration) -> dict[str, Json]:
    boards: list[Json] = [
        {
            "board": check.board,
            "markers": check.markers,
            "of": check.of,
            "quality": check.quality.value,
            "error_px": _rounded(check.error_px),
            "error_mm": _rounded(check.error_mm),
            "within_mm": _rounded(check.within_mm),
        }
        for check in last.boards
    ]
    return {
        "stage": last.stage.value,
        "words": last.words,
        "frames": last.frames,
        "table": str(out),
        "camera": calibration.camera,
        "size_px": list(calibration.size_px),
        "blur_px": calibration.blur_px,
        "px_per_mm": calibration.px_per_mm,
        "lens_assumed": calibration.lens.assumed,
        "within_mm": _rounded(last.told.within_mm) if last.told is not None else None,
        "measured_within_mm": _rounded(last.told.measured_mm) if last.told is not None else None,
        "boards": boards,
    }


def _lens_json(fit: LensFit) -> dict[str, Json]:
    lens = fit.lens
    return {
        "rms_px": round(lens.rms_px, 4),
        "views": fit.views,
        "left_out": fit.dropped,
        "focal_px": [round(focal, 2) for focal in lens.focal_px],
        "centre_px": [round(centre, 2) for centre in lens.centre_px],
        "distortion": [round(one, 5) for one in lens.distortion],
        "unseen": list(fit.unseen),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)


def _times(size_px: tuple[int, int]) -> str:
    return f"{size_px[0]} x {size_px[1]}"


def _say(wanted: WantedCalibration, words: str) -> None:
    """A line for people; for a program one object, as all it is told."""
    if wanted.json:
        say({"words": words})
    else:
        print(words, flush=True)  # noqa: T201 - this is the terminal
