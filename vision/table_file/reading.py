"""The table's own file (TOML): which box, where its markers are, how high its tokens, which lens.

Everything but the box is optional and replaces one thing of its own plan. `outlines_mm` gives a
board other corners of its spaces and trays by their names, as `corners_mm` does of its markers::

    box = "jaws-and-paws"
    dictionary = "4X4_50"

    [markers]                      # piece, or kind of counted token = id of its marker
    jaws = 16
    [sides_mm]                     # piece = side of its marker's black square
    jaws = 20.0
    [heights_mm]                   # piece = height of its marker above the board
    sun = 2.5

    [boards."Jaws Pilot View"]     # corner marker id = [x, y] of its centre, mm from the top left
    corner_side_mm = 30.0
    corners_mm = { 0 = [18, 18], 1 = [222, 18], 2 = [222, 92], 3 = [18, 92] }

    [lens]                         # written by `companion calibrate`, as is what follows
    camera = "usb-Acme_Webcam-video-index0"
    size_px = [1280, 720]
    focal_px = [1108.5, 1108.5]
    centre_px = [639.5, 359.5]
    distortion = [-0.11, 0.0, 0.0, 0.0, 0.0]
    # assumed = true               # guessed; spread: each way in which it may be off, by one
    # spread = [[-0.04, 0.0, 0.0, 0.01, 0.0]]   # standard deviation: focal, x, y (shares), k1, k2

    [calibration]                  # holds for this camera at this size, and no other
    camera = "usb-Acme_Webcam-video-index0"
    size_px = [1280, 720]
    made_on = "2026-11-21"
    blur_px = 0.8
    px_per_mm = 1.4
    [calibration.boards."Jaws Pilot View"]   # its corners in the picture, printed top left first
    outline_px = [[300.1, 402.5], [624.8, 404.0], [624.1, 552.9], [299.6, 551.2]]
    markers = 4
    error_px = 0.12
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.core.board import Board, BoardPlan, Counter, PointMm, Space, Token
from companion.core.errors import BadFile, CameraError, unread_toml
from companion.core.files import first_fault, line_of, text_of
from vision.boards.lens import Lens, LensSpread
from vision.boards.place import BoardFound, Calibration, check_camera
from vision.boards.view import MARKERS_NEEDED
from vision.markers.choice import OneToken
from vision.markers.dictionaries import PREFIX, WEAK, dictionary_names, load_dictionary

# The file's parts as pydantic reads them: each key, and what is allowed there.

Millimetres = Annotated[float, Field(gt=0, lt=3000, allow_inf_nan=False)]
Place = Annotated[float, Field(gt=-3000, lt=3000, allow_inf_nan=False)]
Outline = Annotated[list[tuple[Place, Place]], Field(min_length=3)]
MarkerId = Annotated[int, Field(ge=0, lt=1024)]
Pixels = Annotated[int, Field(ge=16, le=20_000)]
Focal = Annotated[float, Field(gt=10, lt=100_000, allow_inf_nan=False)]
Coefficient = Annotated[float, Field(gt=-100, lt=100, allow_inf_nan=False)]
Position = Annotated[float, Field(gt=-40_000, lt=40_000, allow_inf_nan=False)]
Share = Annotated[float, Field(gt=-0.9, lt=10, allow_inf_nan=False)]
Way = tuple[Share, Share, Share, Coefficient, Coefficient]
Measured = Annotated[float, Field(ge=0, lt=100, allow_inf_nan=False)]

MEND = "mend it there, or take the file away and calibrate anew"
"""The way out of a file that is torn, or lacks what it needs."""


class FileTable(BaseModel):
    """A table of the file; a key that is not one of its own is refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class LensPart(FileTable):
    """`[lens]`: the camera's lens; `assumed` where it was guessed, with `spread` how unsure."""

    camera: str = ""
    size_px: tuple[Pixels, Pixels]
    focal_px: tuple[Focal, Focal]
    centre_px: tuple[Focal, Focal]
    distortion: Annotated[list[Coefficient], Field(min_length=4, max_length=5)] = [0.0] * 5
    rms_px: Measured = 0.0
    assumed: bool = False
    spread: Annotated[list[Way], Field(max_length=10)] = []

    def lens(self) -> Lens:
        """The lens it describes."""
        return Lens(
            size_px=self.size_px,
            focal_px=self.focal_px,
            centre_px=self.centre_px,
            distortion=tuple(self.distortion),
            rms_px=self.rms_px,
            camera=self.camera,
            assumed=self.assumed,
            spread=tuple(LensSpread(*way) for way in self.spread),
        )


class BoardTable(FileTable):
    """`[boards."..."]`: what is different from the box's own board."""

    size_mm: tuple[Millimetres, Millimetres] | None = None
    corner_side_mm: Millimetres | None = None
    corners_mm: dict[MarkerId, tuple[Place, Place]] | None = None
    centre_mm: tuple[Place, Place] | None = None
    turn_deg: Annotated[float, Field(ge=-360, le=360)] | None = None
    outlines_mm: dict[str, Outline] = {}


Corner = tuple[Position, Position]


class FoundPart(FileTable):
    """`[calibration.boards."..."]`: where a board lay in the picture, and how well it fitted."""

    outline_px: tuple[Corner, Corner, Corner, Corner]
    markers: Annotated[int, Field(ge=1, le=100)] = 4
    error_px: Measured = 0.0


class CalibrationPart(FileTable):
    """`[calibration]`: the camera it holds for, and where it saw the boards."""

    camera: str = ""
    size_px: tuple[Pixels, Pixels]
    made_on: str = ""
    blur_px: Measured = 0.0
    px_per_mm: Measured = 0.0
    boards: dict[str, FoundPart] = {}

    def calibration(self, lens: Lens) -> Calibration:
        """The calibration it describes, seen through that lens."""
        boards = {
            name: BoardFound(found.outline_px, found.markers, found.error_px)
            for name, found in self.boards.items()
        }
        return Calibration(
            camera=self.camera,
            size_px=self.size_px,
            lens=lens,
            boards=boards,
            blur_px=self.blur_px,
            px_per_mm=self.px_per_mm,
            made_on=self.made_on,
        )


class TablePart(FileTable):
    """The whole file."""

    box: str
    dictionary: str | None = None
    markers: dict[str, MarkerId] = {}
    sides_mm: dict[str, Millimetres] = {}
    heights_mm: dict[str, Annotated[float, Field(ge=0, lt=300)]] = {}
    boards: dict[str, BoardTable] = {}
    lens: LensPart | None = None
    calibration: CalibrationPart | None = None


# The file read.

PlaceKey = tuple[str, ...]
"""A key of the file from the outside in: ("boards", "Jaws Pilot View", "size_mm")."""


@dataclass(frozen=True)
class TableSetup:
    """A table as its file has it: the plan with what the file replaces, the lens if known.

    `calibration` is where the boards lay when the camera was calibrated, if it was.
    """

    plan: BoardPlan
    lens: Lens | None = None
    source: str = ""
    calibration: Calibration | None = None

    def check_camera(self, camera: str, size_px: tuple[int, int]) -> None:
        """Refuse another camera, or another size of picture, than the table was calibrated with.

        `camera` is a device's stable name, empty for pictures and films. Raises `CameraError` with
        the way out.
        """
        source = self.source or "this table"
        if self.calibration is not None:
            made = self.calibration
            check_camera(made.camera, made.size_px, camera, size_px, source)
        elif self.lens is not None:
            check_camera(self.lens.camera, (0, 0), camera, size_px, source)


def load_table(path: Path, plans: Mapping[str, Callable[[], BoardPlan]]) -> TableSetup:
    """Read a table's file; `plans` gives each box's own plan by the box's name.

    Raises `BadFile` naming the file, the line, the key and what is allowed there.
    """
    return _Reading(path, plans).table()


def box_of(path: Path) -> str:
    """Whose file this is; empty where there is none, or where it cannot be told."""
    try:
        box = tomllib.loads(text_of(path)).get("box")
    except (OSError, ValueError, RecursionError):
        return ""
    return box if isinstance(box, str) else ""


class _Reading:
    """One file while it is read: its text, so that each refusal can name the line."""

    def __init__(self, path: Path, plans: Mapping[str, Callable[[], BoardPlan]]) -> None:
        self._path = path
        self._plans = plans
        try:
            self._text = text_of(path)
        except OSError as trouble:
            raise BadFile(str(path), "", f"cannot be read: {trouble.strerror}") from trouble
        except UnicodeDecodeError as trouble:
            raise BadFile(str(path), "", "is no text file (a table's file is TOML)") from trouble

    def table(self) -> TableSetup:
        file = self._parsed()
        if file.box not in self._plans:
            raise self._fault(("box",), f"{file.box!r} is no box here; {_one_of(self._plans)}")
        plan = self._plans[file.box]()
        if file.dictionary is not None:
            plan = replace(plan, dictionary=self._dictionary_name(file.dictionary))
        self._check_names(plan, file)
        tokens = tuple(_marked(token, token.piece, file) for token in plan.tokens)
        counters = tuple(_marked(kind, kind.name, file) for kind in plan.counters)
        boards = self._boards(plan, file)
        self._check_ids(plan.dictionary, _ids(boards, tokens, counters))
        plan = replace(plan, tokens=tokens, counters=counters, boards=boards)
        lens = file.lens.lens() if file.lens else None
        return TableSetup(plan, lens, str(self._path), self._calibration(plan, file, lens))

    def _calibration(
        self, plan: BoardPlan, file: TablePart, lens: Lens | None
    ) -> Calibration | None:
        """What was calibrated; with the lens that belongs to it, or else the usual one."""
        part = file.calibration
        if part is None:
            return None
        known = [board.name for board in plan.boards]
        for name in part.boards:
            if name not in known:
                text = f"no such board; {_one_of(known)}"
                raise self._fault(("calibration", "boards", name), text)
        try:
            fitting = lens.at(part.size_px) if lens is not None else Lens.usual(part.size_px)
        except CameraError as trouble:
            raise self._fault(("lens", "size_px"), str(trouble)) from trouble
        return part.calibration(fitting)

    def _parsed(self) -> TablePart:
        try:
            return TablePart.model_validate(tomllib.loads(self._text))
        except ValidationError as trouble:
            first, (_, text) = trouble.errors()[0], first_fault(trouble, TablePart)
            text = _OWN_WORDS.get(first["type"], text)
            raise self._fault(_key(first["loc"]), text) from trouble
        except (ValueError, RecursionError) as trouble:
            raise BadFile(str(self._path), "", f"{unread_toml(trouble)}; {MEND}") from trouble

    def _dictionary_name(self, name: str) -> str:
        """OpenCV's name for a dictionary; files of codes are for looking, not for a table."""
        strong = [known for known in dictionary_names() if known not in WEAK]
        if name.removeprefix(PREFIX) not in strong:
            why = "is found by chance where there is none" if name in WEAK else "is not OpenCV's"
            raise self._fault(("dictionary",), f"{name!r} {why}; {_one_of(strong)}")
        return name.removeprefix(PREFIX)

    def _check_names(self, plan: BoardPlan, file: TablePart) -> None:
        """Markers are given to the plan's own pieces and kinds of counted tokens alone."""
        known = [
            *(str(token.piece) for token in plan.tokens),
            *(kind.name for kind in plan.counters),
        ]
        for part in ("markers", "sides_mm", "heights_mm"):
            for piece in getattr(file, part):
                if piece not in known:
                    raise self._fault((part, piece), f"no such piece; {_one_of(known)}")

    def _boards(self, plan: BoardPlan, file: TablePart) -> tuple[Board, ...]:
        known = [board.name for board in plan.boards]
        for name in file.boards:
            if name not in known:
                raise self._fault(("boards", name), f"no such board; {_one_of(known)}")
        return tuple(
            self._board(board, file.boards[board.name]) if board.name in file.boards else board
            for board in plan.boards
        )

    def _board(self, board: Board, part: BoardTable) -> Board:
        size_mm = part.size_mm or board.size_mm
        corners = part.corners_mm if part.corners_mm is not None else board.corners or {}
        self._check_corners(("boards", board.name, "corners_mm"), corners, size_mm)
        self._check_outlines(("boards", board.name, "outlines_mm"), board, part.outlines_mm)
        given = part.model_dump(exclude_none=True, exclude={"outlines_mm", "corners_mm"})
        spaces, trays = (
            tuple(_outlined(place, part) for place in places)
            for places in (board.spaces, board.trays)
        )
        return replace(board, **given, corners=corners or None, spaces=spaces, trays=trays)

    def _check_corners(
        self, key: PlaceKey, corners: Mapping[int, PointMm], size_mm: PointMm
    ) -> None:
        """Enough of them, and on the board: centimetres for millimetres end up in one corner."""
        if 0 < len(corners) < MARKERS_NEEDED:
            text = f"has {len(corners)} markers; a board needs {MARKERS_NEEDED}, better 4"
            raise self._fault(key, text)
        for marker, (x, y) in corners.items():
            if not (0 <= x <= size_mm[0] and 0 <= y <= size_mm[1]):
                text = (
                    f"[{x:g}, {y:g}] is off the board, which is {size_mm[0]:g} x {size_mm[1]:g} mm"
                )
                raise self._fault((*key, str(marker)), text)

    def _check_outlines(
        self, key: PlaceKey, board: Board, outlines: Mapping[str, Sequence[PointMm]]
    ) -> None:
        known = [place.name for place in (*board.spaces, *board.trays)]
        for name, outline in outlines.items():
            if name not in known:
                raise self._fault((*key, name), f"no such space there; {_one_of(known)}")
            if not _convex(outline):
                text = "is not convex: give its corners in order around it, none pointing inwards"
                raise self._fault((*key, name), text)

    def _check_ids(self, dictionary: str, ids: Iterable[tuple[int, str, PlaceKey]]) -> None:
        """Each marker stands for one thing, and the dictionary has it."""
        size = load_dictionary(dictionary).size
        owner: dict[int, str] = {}
        for marker, owned_by, place in ids:
            if marker in owner:
                text = f"marker {marker} is already that of {owner[marker]}: give another id"
                raise self._fault(place, text)
            if marker >= size:
                text = f"marker {marker}: {dictionary} has only 0 to {size - 1}"
                raise self._fault(place, text)
            owner[marker] = owned_by

    def _fault(self, key: PlaceKey, text: str) -> BadFile:
        line = line_of(self._text, key)
        place = ".".join(_quoted(part) for part in key)
        return BadFile(str(self._path), f"line {line}, {place}" if line else place, text)


def _key(place: Sequence[int | str]) -> PlaceKey:
    """The place as the file has it, without pydantic's additions ("[key]", positions in a row)."""
    return tuple(part for part in place if isinstance(part, str) and part != "[key]")


_OWN_WORDS = {
    "missing": f"is missing; {MEND}",
    "extra_forbidden": "is no key of a table's file (see vision/README.md)",
}
"""What is said of some kinds of faults here: what mends them lies outside the file."""


def _ids(
    boards: Sequence[Board], tokens: Sequence[Token], counters: Sequence[Counter]
) -> list[tuple[int, str, PlaceKey]]:
    """Every marker id in play, whose it is and where the file would say so."""
    corners = [
        (marker, f"the {board.name}", ("boards", board.name, "corners_mm"))
        for board in boards
        for marker in board.corners or {}
    ]
    flown = [(token.marker, f"the {token.label}", ("markers", token.piece)) for token in tokens]
    counted = [(kind.marker, f"each {kind.label}", ("markers", kind.name)) for kind in counters]
    return [*corners, *flown, *counted]


def _marked(token: OneToken, name: str, file: TablePart) -> OneToken:
    """A token with the marker, side and height that the file gives for its name."""
    return replace(
        token,
        marker=file.markers.get(name, token.marker),
        side_mm=file.sides_mm.get(name, token.side_mm),
        height_mm=file.heights_mm.get(name, token.height_mm),
    )


def _outlined(place: Space, part: BoardTable) -> Space:
    """A space or tray with the outline that the file gives it."""
    return replace(place, outline_mm=tuple(part.outlines_mm.get(place.name, place.outline_mm)))


def _convex(outline: Sequence[PointMm]) -> bool:
    """Whether every corner turns the same way, none of them straight on."""
    rolled = (*outline[1:], *outline[:2])
    turns = [
        (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        for (ax, ay), (bx, by), (cx, cy) in zip(outline, rolled, rolled[1:], strict=False)
    ]
    return all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)


def _one_of(names: Mapping[str, object] | Sequence[str]) -> str:
    return f"one of: {', '.join(names)}"


def _quoted(part: str) -> str:
    return part if re.fullmatch(r"[\w-]+", part) else f'"{part}"'
