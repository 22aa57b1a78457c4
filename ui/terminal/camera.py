"""`companion see`, `teach` and `markers`: the camera alone, lessons of tokens, sheets to print."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from companion.core.board import BoardPlan
from companion.core.errors import BadCall, CameraError, CompanionError
from companion.core.files import write_whole
from companion.core.offers import PictureState
from companion.core.text import counted
from companion.games import find_rulebook
from ui.table import TABLE_FILE_NAME
from ui.table.eyes import file_of
from ui.table.settings_file import SettingsFile
from ui.terminal.options import DONE, WRONG, AsJson, Box, FigureFile, HouseRules, Variants
from ui.terminal.setting_up import plan_of, plans, read_options
from ui.terminal.voice import say
from vision import see as vision_see
from vision.boards.view import TableView
from vision.camera.camera import Camera, open_camera
from vision.camera.frame import Frame
from vision.camera.kept import KeptCall, head_of, is_inside, is_kept, words_then
from vision.evidence.keeping import KeptFolder
from vision.looks.file import looks_beside
from vision.looks.teaching import Shown, Teaching, margin_words
from vision.markers.choice import CAMERAS, Scale, sized_for, sizes_of
from vision.markers.dictionaries import load_dictionary
from vision.markers.reading import ThoroughReader
from vision.printing.sheets import papers_needed, write_sheets
from vision.see import PictureSeen
from vision.table_file.reading import TableSetup, load_table
from vision.table_file.writing import write_sizes
from vision.tracking.observation import observe

# `companion see`: what is found in pictures, without a match.

DIE_MM = 16.0
"""The side of most dice."""
LEAST_DIE_MM, MOST_DIE_MM = 5.0, 50.0
LEAST_DIE_PX = 12.0
"""Pips of smaller ones run into each other."""
UNKNOWN_SIZE = (
    "no board tells how large the dice are: measure one's side in the picture in px, in any viewer "
    "of pictures, divide that by its mm (48 px of 16 mm: 3), and say --px-per-mm 3"
)
NO_DIE = "no die is found that is about {px:.0f} px wide: measure one's side in the picture again"
SLANTED = "say how many degrees the camera is tilted from straight down, as --tilt 25"
NO_DIE_SLANTED = f"{NO_DIE}, or, where the camera looks at a slant, {SLANTED}"
IN_DOUBT = f"A die in doubt (?) may be seen at a slant: {SLANTED}."
MOST_TILTED_DEG = 45.0
"""Of dice that are seen more flatly nobody can tell which of two faces is the upper one."""
RESTED = frozenset({PictureState.STILL, PictureState.SETTLED})
NEVER_SETTLED = (
    "A folder's pictures are read as a film of one table, and these never rest; separate ones are "
    "read one by one, a call each."
)


@dataclass(frozen=True, slots=True)
class DiceSize:
    """How large dice are: their side, and how many px a mm of the picture has (0: a board tells).

    Without a board, also by how much the camera is tilted from straight down, where that is told.
    Raises `BadCall` for what no picture can be read with.
    """

    die_mm: float = DIE_MM
    px_per_mm: float = 0.0
    tilt_deg: float | None = None

    def __post_init__(self) -> None:
        if not LEAST_DIE_MM <= self.die_mm <= MOST_DIE_MM:
            limits = f"{LEAST_DIE_MM:g} to {MOST_DIE_MM:g} mm"
            raise BadCall(f"--die-mm {self.die_mm:g}: a die's side is {limits}")
        if self.px_per_mm and not LEAST_DIE_PX <= self.die_px < math.inf:
            told = f"a die of {self.die_mm:g} mm is {self.die_px:g} px wide then"
            raise BadCall(f"--px-per-mm {self.px_per_mm:g}: {told}; it takes {LEAST_DIE_PX:g}")
        if self.tilt_deg is not None and not 0.0 <= self.tilt_deg <= MOST_TILTED_DEG:
            limits = f"0 (straight down) to {MOST_TILTED_DEG:g} degrees"
            raise BadCall(f"--tilt {self.tilt_deg:g}: dice are told from {limits}")

    @property
    def die_px(self) -> float:
        """How wide a die is in the picture, px."""
        return self.die_mm * self.px_per_mm


def see(  # noqa: PLR0913 - each is an option of the call
    source: Annotated[str, typer.Argument(help="A picture, folder, film or camera.")],
    table: Annotated[Path | None, typer.Option(help="The table's file (TOML).")] = None,
    dictionary: Annotated[
        list[str] | None, typer.Option(help="Markers to look for, as 4X4_50. Repeats.")
    ] = None,
    data: FigureFile = None,
    die_mm: Annotated[float, typer.Option(help="With --dice: a die's side, mm.")] = DIE_MM,
    px_per_mm: Annotated[
        float, typer.Option(help="Of dice with no board in sight: a die's side, px, by its mm.")
    ] = 0.0,
    tilt: Annotated[
        float | None,
        typer.Option(
            help="Of dice with no board in sight: degrees that the camera is tilted from straight "
            "down, the picture's upper edge being the far one."
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(help="Keep pictures of the boards, and what is told, in a new folder."),
    ] = None,
    *,
    whole: Annotated[
        bool, typer.Option("--whole", help="With --keep: whole pictures, faces and all.")
    ] = False,
    dice: Annotated[bool, typer.Option("--dice", help="Look for dice, too.")] = False,
    json: AsJson = False,
) -> int:
    """Tell what is seen in pictures: markers, pieces, spaces, headings, dice.

    A film's frames, and a folder's pictures, are of one table: moving, under a hand, in changed
    light, still for now, or settled, which is when the app believes them. One picture is still.
    A folder that --keep made is looked at as it was then, and tells the same.
    """
    if whole and keep is None:
        raise BadCall("--whole: of which pictures? It goes with --keep FOLDER")
    wanted = dice or px_per_mm or tilt is not None
    size = DiceSize(die_mm, px_per_mm, tilt) if wanted else None
    call = _Call(table, tuple(dictionary or ()), data, size)
    folder = Path(source)
    then: list[str | None] | None = None
    if is_kept(folder):
        call, then = call.or_kept(folder), words_then(folder)
    return _see(source, call, keep, whole=whole, telling=_Telling(json=json, then=then))


@dataclass(frozen=True, slots=True)
class _Call:
    """What `see` is told beside its source; `figures` is the table's own file of its box.

    Dice of a size that is told are looked for beside a board or, where their px are told, without
    one.
    """

    table: Path | None = None
    dictionaries: tuple[str, ...] = ()
    figures: Path | None = None
    dice: DiceSize | None = None

    def or_kept(self, folder: Path) -> _Call:
        """The same; where it says nothing at all, what the folder's pictures were seen with."""
        kept = head_of(folder).call
        if self != _Call():
            return self
        paths = [(folder / name, name) for name in kept.dictionaries]
        return _Call(
            _in_folder(folder, kept.table, "--table"),
            tuple(str(path) if path.is_file() else name for path, name in paths),
            _in_folder(folder, kept.figures, "--data"),
            DiceSize(kept.die_mm, kept.px_per_mm, kept.tilt_deg) if kept.dice else None,
        )

    def kept(self, looks: Path | None) -> tuple[KeptCall, dict[str, Path]]:
        """The same as a folder keeps it, and the files that go there; `looks` are the tokens'."""
        files = dict[str, Path]()
        names = list[str]()
        for name in self.dictionaries:
            path = Path(name)
            names.append(_name_of_codes(path, names) if path.is_file() else name)
            if path.is_file():
                files[names[-1]] = path
        table = "table.toml" if self.table is not None else ""
        figures = "" if self.figures is None else "figures.toml"
        if self.figures is not None and self.figures.suffix.lower() == ".json":
            figures = "figures.json"
        pairs = ((table, self.table), (figures, self.figures), ("looks", looks))
        files |= {name: path for name, path in pairs if path is not None}
        size = self.dice or DiceSize()
        call = KeptCall(
            table=table, figures=figures, dictionaries=tuple(names),
            dice=self.dice is not None, die_mm=size.die_mm, px_per_mm=size.px_per_mm,
            tilt_deg=size.tilt_deg,
        )  # fmt: skip
        return call, files


def _name_of_codes(path: Path, before: Sequence[str]) -> str:
    """What a file of codes is called in a folder: as it is, for its markers are called by it."""
    name = f"{path.stem}.json"
    free = name not in {*before, "figures.json"} and is_inside(name)
    return name if free else f"codes-{len(before) + 1}.json"


def _in_folder(folder: Path, name: str, option: str) -> Path | None:
    """A file that was kept with the pictures; `BadCall` where it is gone."""
    path = folder / name
    if name and not path.is_file():
        raise BadCall(f"{path} is missing, and its pictures were looked at with it: name {option}")
    return path if name else None


def _see(source: str, call: _Call, keep: Path | None, *, whole: bool, telling: _Telling) -> int:
    """1 where something is wrong with a picture, else 0."""
    if call.figures is not None and call.table is None:
        file = call.figures
        raise BadCall(f"--data {file}: of which box? Name the table's file too, with --table")
    boxes, dice = plans(call.figures), call.dice
    setup = load_table(call.table, boxes) if call.table is not None else None
    known = [plan() for plan in boxes.values()] if setup is None else []
    if dice is not None:
        known = [replace(plan, dice_mm=dice.die_mm) for plan in known]
        setup = setup and replace(setup, plan=replace(setup.plan, dice_mm=dice.die_mm))
    wanted = {load_dictionary(name).name for name in call.dictionaries}
    guesses = [plan for plan in known if not wanted or plan.dictionary in wanted]
    size = dice or DiceSize()
    keeping = None if keep is None else _keeping(keep, call, setup, whole=whole)
    found = vision_see.see(
        source, table=setup, guesses=guesses, dictionaries=call.dictionaries,
        die_px=size.die_px, tilt_deg=size.tilt_deg, keeping=keeping,
    )  # fmt: skip
    doubted = False
    try:
        for seen in found:
            telling.compare(seen)
            telling.tell(seen if dice is None else _with_dice(seen, dice))
            doubted |= seen.pieces is None and any(die.value is None for die in seen.dice)
    finally:
        telling.end()
        if doubted and size.tilt_deg is None:
            _note(IN_DOUBT)
        if keeping is not None:
            _note(keeping.words)
    return WRONG if telling.troubled else DONE


def _keeping(folder: Path, call: _Call, setup: TableSetup | None, *, whole: bool) -> KeptFolder:
    """The folder that pictures are kept in, once it was said of whom."""
    looks = None
    if setup is not None and call.table is not None:
        beside = looks_beside(call.table, setup.plan.box)
        looks = beside.parent if beside.is_dir() else None
    keeping = KeptFolder(folder, *call.kept(looks), whole=whole)
    _note(keeping.consent)
    return keeping


def _with_dice(seen: PictureSeen, size: DiceSize) -> PictureSeen:
    """The same picture, with what is wrong where dice are looked for and cannot be found."""
    if seen.pieces is not None or seen.trouble or seen.dice:
        return seen
    none = NO_DIE_SLANTED if size.tilt_deg is None else NO_DIE
    return replace(seen, trouble=none.format(px=size.die_px) if size.die_px else UNKNOWN_SIZE)


class _Telling:
    """Each picture in a line; of a film only where something else is seen than before."""

    def __init__(self, *, json: bool, then: Sequence[str | None] | None = None) -> None:
        self.troubled = False
        self._json = json
        self._then = then
        self._number = self._compared = 0
        self._otherwise: list[tuple[PictureSeen, str]] = []
        self._last: PictureSeen | None = None
        self._untold = 0
        self._files = 0
        self._states: set[PictureState] = set()
        self._size_told = False

    def tell(self, seen: PictureSeen) -> None:
        """One picture; how dice are measured is told once."""
        self.troubled |= bool(seen.trouble)
        if self._json:
            say(seen.to_json())
            return
        before, self._last = self._last, seen
        self._files += before is None or before.source != seen.source
        self._states.add(seen.state)
        if before is not None and (before.source, before.told) == (seen.source, seen.told):
            self._untold += 1
            return
        self._untold = 0
        again = self._size_told and seen.trouble == UNKNOWN_SIZE
        self._size_told |= seen.trouble == UNKNOWN_SIZE
        _print(replace(seen, trouble="no board, as before") if again else seen)

    def end(self) -> None:
        """How long the last of it lasted, and what becomes of separate pictures in a folder."""
        if self._last is not None and self._untold:
            _print(f"{self._last.source} [{self._last.frame}] the same to the end")
        separate = self._files > 1 and self._then is None
        if separate and not self._states & RESTED:
            _print(NEVER_SETTLED)
        if self._then is not None and not self._json and (self._number or not self._then):
            _print(self._as_then())

    def compare(self, seen: PictureSeen) -> None:
        """Of a kept picture: whether the same is told as when it was kept."""
        then = self._then or ()
        was = then[self._number] if self._number < len(then) else None
        self._number += 1
        self._compared += was is not None
        if was is not None and was != seen.told:
            self._otherwise.append((seen, was))

    def _as_then(self) -> str:
        if not self._then:
            return "No picture was kept in it."
        if not self._compared:
            return "Nothing of it can be compared with what was told when it was kept."
        if not self._otherwise:
            return "All of it was told so when it was kept."
        seen, was = self._otherwise[0]
        told = counted(len(self._otherwise), "picture")
        return f"Otherwise than when it was kept: {told}. First [{seen.frame}], told then: {was}"


def _note(text: str) -> None:
    print(f"companion: {text}", file=sys.stderr, flush=True)  # noqa: T201 - this is the terminal


def _print(told: object) -> None:
    print(told, flush=True)  # noqa: T201 - this is the terminal


# `companion teach`: a box's tokens shown to a camera one by one.

FRESH_S = 0.5
"""After a touch of Enter so many seconds of pictures are let go: they were taken before it."""
FIRST_S = 10.0
WAIT_S = 0.005
LEAVE_OUT = "s"


def teach(
    source: Annotated[
        str, typer.Argument(help="A camera; or pictures: the empty boards, then a token each.")
    ],
    table: Annotated[
        Path | None, typer.Option(help="The table's file (TOML); the looks go beside it.")
    ] = None,
    box: Annotated[str, typer.Option(help="The box on the table; else the file's.")] = "",
    piece: Annotated[list[str] | None, typer.Option(help="Teach this token only. Repeats.")] = None,
) -> int:
    """Show tokens without stickers once each, to be known by their looks."""
    # A device waits for Enter, pictures are taken one a step; 1 where no token is known then.
    pieces = piece or ()
    path = table or Path(TABLE_FILE_NAME)
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
    table = file_of(Path(file.settings.table_file or file.path.parent / TABLE_FILE_NAME), box)
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


# `companion markers`: sheets to print, as large as the camera needs them.


@dataclass(frozen=True, slots=True)
class Sheets:
    """The sheets that a call asks for: `camera` as 1080p or 1920x1080, `field` as 90x60, in cm.

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


def markers(  # noqa: PLR0913, PLR0917 - each is an option of the call
    box: Box,
    out: Annotated[Path, typer.Option(help="The PDF to write.")],
    variant: Variants = None,
    option: HouseRules = None,
    table: Annotated[
        Path | None, typer.Option(help="The table's file: sizes from it, and other ones into it.")
    ] = None,
    camera: Annotated[
        str, typer.Option(help="Markers as large as this camera needs: 720p, 1080p, 1280x960.")
    ] = "",
    field: Annotated[
        str, typer.Option(help="What it sees of the table, cm, as 90x60; else the whole of it.")
    ] = "",
    paper: Annotated[
        str, typer.Option(help="All on A4, A3, letter or tabloid, larger boards in parts to glue.")
    ] = "",
    data: FigureFile = None,
) -> int:
    """Print a box's marker sheets, true to size, as large as the camera needs them."""
    return _print_sheets(
        Sheets(box, out, variant or (), option or (), table, camera, field, paper, data)
    )


def _print_sheets(wanted: Sheets) -> int:
    """Write the sheets as a PDF.

    Variants and house rules may bring more boards and tokens. BadCall where the file would be
    called something else, or where no marker that fits on the table is large enough.
    """
    out = wanted.out
    if out.suffix.lower() != ".pdf":
        raise BadCall(f"--out {out}: the sheets are a PDF; name it {out.with_suffix('.pdf')}")
    own = _own_plan(wanted)
    setup = _setup_for_sheets(wanted, own)
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
        _tell(f"{wanted.table}: the sides of the markers are written.")
    else:
        pages = write_sheets(plan, out, wanted.paper, own)
    if scale is not None:
        _tell(f"{scale.why}: {scale.px_per_mm:.2f} px a mm; {_told(plan, scale)}")
    papers = papers_needed(plan, wanted.paper)
    _tell(
        f"{out}: {pages} sheets ({papers}); print them at 100 %, then measure the ruler at the "
        "foot of the first."
    )
    return 0


def _write_both(wanted: Sheets, table: Path, plan: BoardPlan, own: BoardPlan) -> int:
    """Write the table's file, then the sheets: both or, where one cannot be written, neither.

    Markers that are printed larger than the camera is told are read in the wrong places.
    """
    before = table.read_bytes() if table.exists() else None
    write_sizes(table, plan, own)
    try:
        return write_sheets(plan, wanted.out, wanted.paper, own)
    except CompanionError:
        if before is None:
            table.unlink(missing_ok=True)
        else:
            write_whole(table, before)
        raise


def _own_plan(wanted: Sheets) -> BoardPlan:
    chapters = find_rulebook(wanted.box).in_variants(wanted.variants)
    options = read_options(wanted.options, chapters)
    return plan_of(wanted.box, wanted.variants, options, wanted.figures)


def _setup_for_sheets(wanted: Sheets, own: BoardPlan) -> TableSetup:
    """The table as its file has it, if it is there."""
    if wanted.table is None or not wanted.table.exists():
        return TableSetup(own)
    setup = load_table(wanted.table, {**plans(), own.box: lambda: own})
    if setup.plan.box != own.box:
        raise BadCall(f"--table {wanted.table}: that is the table of {setup.plan.box}")
    return setup


def _scale(wanted: Sheets, setup: TableSetup) -> Scale | None:
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


def _tell(words: str) -> None:
    print(words)  # noqa: T201 - this is the terminal
