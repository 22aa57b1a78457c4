"""`companion markers`: what the camera looks for, on paper, as large as the camera needs it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands.plans import plan_of, plans
from companion.commands.setting_up import read_options
from companion.core.errors import BadCall, CompanionError
from companion.core.files import write_whole
from companion.games import find_rulebook
from vision.markers.choice import CAMERAS, Scale, sized_for, sizes_of
from vision.printing.sheets import papers_needed, write_sheets
from vision.table_file.reading import TableSetup, load_table
from vision.table_file.writing import write_sizes

if TYPE_CHECKING:
    from companion.core.board import BoardPlan


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a call asks for: `camera` as 1080p or 1920x1080, `field` as 90x60, in cm.

    `figures` is the table's own file of the box, which may give its map another size.
    """

    box: str
    out: Path
    variants: Sequence[str] = ()
    options: Sequence[str] = ()
    table: Path | None = None
    camera: str = ""
    field: str = ""
    paper: str = ""
    figures: Path | None = None


def markers(wanted: Wanted) -> int:
    """Write a box's marker and calibration sheets as a PDF, true to size.

    `variants` and `options` may bring more boards and tokens. BadCall where the file would be
    called something else, or where no marker that fits on the table is large enough.
    """
    out = wanted.out
    if out.suffix.lower() != ".pdf":
        raise BadCall(f"--out {out}: the sheets are a PDF; name it {out.with_suffix('.pdf')}")
    own = _own_plan(wanted)
    setup = _setup(wanted, own)
    scale = _scale(wanted, setup)
    plan = setup.plan if scale is None else sized_for(setup.plan, scale)
    larger = plan != setup.plan
    if larger and wanted.table is None:
        raise BadCall(
            f"this camera needs other sizes than the box's own ({_told(plan, scale)}): name the "
            "file that tells them to the camera too, as --table table.toml"
        )
    if larger and wanted.table is not None:
        pages = _write_both(wanted, wanted.table, plan, own)
        _say(f"{wanted.table}: the sides of the markers are written.")
    else:
        pages = write_sheets(plan, out, wanted.paper)
    if scale is not None:
        _say(f"{scale.why}: {scale.px_per_mm:.2f} px a mm; {_told(plan, scale)}")
    papers = papers_needed(plan, wanted.paper)
    _say(
        f"{out}: {pages} sheets ({papers}); print them at 100 %, then measure the ruler at the "
        "foot of the first."
    )
    return 0


def _write_both(wanted: Wanted, table: Path, plan: BoardPlan, own: BoardPlan) -> int:
    """Write the table's file, then the sheets: both or, where one cannot be written, neither.

    Markers that are printed larger than the camera is told are read in the wrong places.
    """
    before = table.read_bytes() if table.exists() else None
    write_sizes(table, plan, own)
    try:
        return write_sheets(plan, wanted.out, wanted.paper)
    except CompanionError:
        if before is None:
            table.unlink(missing_ok=True)
        else:
            write_whole(table, before)
        raise


def _own_plan(wanted: Wanted) -> BoardPlan:
    chapters = find_rulebook(wanted.box).in_variants(wanted.variants)
    options = read_options(wanted.options, chapters)
    return plan_of(wanted.box, wanted.variants, options, wanted.figures)


def _setup(wanted: Wanted, own: BoardPlan) -> TableSetup:
    """The table as its file has it, if it is there."""
    if wanted.table is None or not wanted.table.exists():
        return TableSetup(own)
    setup = load_table(wanted.table, {**plans(), own.box: lambda: own})
    if setup.plan.box != own.box:
        raise BadCall(f"--table {wanted.table}: that is the table of {setup.plan.box}")
    return setup


def _scale(wanted: Wanted, setup: TableSetup) -> Scale | None:
    """What is named, else what a calibration measured; None where neither is."""
    if wanted.camera:
        size_px = CAMERAS.get(wanted.camera.lower()) or _pair(
            wanted.camera, "--camera", f"1920x1080, nor one of {', '.join(CAMERAS)}"
        )
        field_cm = _pair(wanted.field, "--field", "90x60") if wanted.field else None
        across, along = field_cm or (side / 10 for side in setup.plan.table_mm)
        return Scale.of_field(size_px, (across * 10.0, along * 10.0))
    if wanted.field:
        raise BadCall(f"--field {wanted.field}: of which camera? Add --camera 720p or 1080p")
    if setup.calibration is not None and setup.calibration.px_per_mm > 0:
        why = f"the picture that {setup.source} was calibrated with"
        return Scale(setup.calibration.px_per_mm, why)
    return None


def _pair(words: str, option: str, example: str) -> tuple[int, int]:
    first, _, second = words.lower().partition("x")
    if not (first.isdecimal() and second.isdecimal() and int(first) and int(second)):
        raise BadCall(f"{option} {words!r} is not WIDTHxHEIGHT, as in {example}")
    return (int(first), int(second))


def _told(plan: BoardPlan, scale: Scale | None) -> str:
    if scale is None:
        return ""
    return "; ".join(str(size) for size in sizes_of(plan, scale))


def _say(words: str) -> None:
    print(words)  # noqa: T201 - this is the terminal
