"""A folder of kept pictures: what a camera showed, when, and what was told of it, to look again.

`told.jsonl` begins with a line that says how the pictures were looked at (`KeptHead`); each further
line is a picture (`KeptLine`), written once the picture itself lies beside it. Of most pictures the
boards' rectangle alone is kept: what lay round it is not in the folder, and its place in the
picture is filled with the rectangle's own edge, stretched outwards. So boards stay where they were
in the picture, an arm still reaches in from its edge, and grain has no hole.
"""

from __future__ import annotations

import re
from contextlib import closing
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.core.errors import BadFile, CameraError
from companion.core.files import first_fault
from vision.camera.frame import Frame
from vision.camera.pictures import BadPicture, PictureFolder, cannot_be_read, read_one_of

TOLD_FILE = "told.jsonl"
LONGEST_LINE = 16 << 20
HOLDS = "what else is listed holds"
WAY_OUT = "take this file out of the folder, and its pictures are read as any others"

# The file's lines as pydantic reads them. A folder comes from elsewhere: names stay inside it.

LONGEST_NAME = 100
INSIDE = re.compile(r"^(\w[\w.-]*)?$")
Inside = Annotated[str, Field(pattern=INSIDE, max_length=LONGEST_NAME)]
Pixels = Annotated[int, Field(ge=1, le=10_000)]
Offset = Annotated[int, Field(ge=0, le=10_000)]
Seconds = Annotated[float, Field(allow_inf_nan=False)]


class Reads(StrEnum):
    """How pictures are looked at: quickly as of a film, thoroughly in a row, or one by itself."""

    FILM = "film"
    PICTURES = "pictures"
    PICTURE = "picture"


class _Kept(BaseModel):
    model_config = ConfigDict(frozen=True)


class KeptCall(_Kept):
    """What `companion see` was told beside its source; files by their names in the folder."""

    table: Inside = ""
    figures: Inside = ""
    dictionaries: tuple[Inside, ...] = ()
    dice: bool = False
    die_mm: Seconds = 0.0
    px_per_mm: Seconds = 0.0
    tilt_deg: Seconds | None = None


class KeptHead(_Kept):
    """The first line; `whole` is whether more than the boards' rectangle was asked for."""

    kept_by: Literal["companion see"] = "companion see"
    reads: Reads
    whole: bool
    call: KeptCall


class KeptLine(_Kept):
    """One picture: where it lies in the camera's own one of `size_px`, and what was told of it.

    `taken_at` is s on the camera's own clock. One that could not be read has `trouble` and no
    picture.
    """

    frame: Annotated[int, Field(ge=0)]
    taken_at: Seconds = 0.0
    size_px: tuple[Pixels, Pixels] = (1, 1)
    at_px: tuple[Offset, Offset] = (0, 0)
    picture: Inside = ""
    trouble: str = ""
    words: str
    told: dict[str, Any]


# A rectangle of a picture, alone.


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle of a picture, px: its left, its top, its width and its height."""

    left: int
    top: int
    width: int
    height: int

    def cut(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """That part of a picture, grey or in colours."""
        return picture[self.top : self.top + self.height, self.left : self.left + self.width]

    def stretched(self, part: NDArray[np.uint8], size_px: tuple[int, int]) -> NDArray[np.uint8]:
        """A picture of `size_px` with the part in its place, and its edge drawn out round it.

        >>> Rectangle(1, 0, 2, 1).stretched(np.array([[7, 9]], np.uint8), (4, 2)).tolist()
        [[7, 7, 9, 9], [7, 7, 9, 9]]
        """
        right = size_px[0] - self.left - self.width
        below = size_px[1] - self.top - self.height
        drawn = cv2.copyMakeBorder(
            part, self.top, below, self.left, right, cv2.BORDER_REPLICATE
        )  # fmt: skip
        return np.asarray(drawn, np.uint8)


def shown_alone(frame: Frame, area: Rectangle | None) -> Frame:
    """The frame as a kept one comes back: of that area alone, its grey that of its colours."""
    colour = frame.in_colour()
    picture = frame.grey if colour is None else colour
    if area is not None:
        picture = area.stretched(area.cut(picture), frame.size_px)
    return _frame_of(picture, frame)


def _frame_of(picture: NDArray[np.uint8], like: Frame) -> Frame:
    """A frame of a grey or coloured picture, with the time and number of another."""
    if picture.ndim == 2:
        return replace(like, grey=picture, colour=None, undeveloped=None)
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    return replace(like, grey=grey, colour=picture, undeveloped=None)


# Read again.


def is_inside(name: str) -> bool:
    """Whether a file of that name may lie in the folder."""
    return len(name) <= LONGEST_NAME and INSIDE.fullmatch(name) is not None


def is_kept(folder: Path) -> bool:
    """Whether a folder has the list of kept pictures; not where it does not let that be seen."""
    try:
        return (folder / TOLD_FILE).is_file()
    except OSError:
        return False  # whoever reads its pictures is told why


class KeptPictures:
    """The pictures of a folder in their order, each with the time and number it had.

    `CameraError` names a picture that cannot be read, or a torn line; the next call goes on.
    """

    live = False

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.size_px = (0, 0)
        self._folder = folder
        self._lines = _Lines(folder / TOLD_FILE)

    @property
    def head(self) -> KeptHead:
        """How they were looked at."""
        return self._lines.head

    def read(self) -> Frame | None:
        """The next picture, None after the last."""
        line = self._lines.next()
        if line is None:
            return None
        if not line.picture:
            raise CameraError(line.trouble or f"{self._folder}: picture {line.frame} was not kept")
        self.size_px = line.size_px
        return self._frame(line)

    def _frame(self, line: KeptLine) -> Frame:
        path = self._folder / line.picture
        part = read_one_of(path, cv2.IMREAD_ANYCOLOR)
        (left, top), (height, width) = line.at_px, part.shape[:2]
        if left + width > line.size_px[0] or top + height > line.size_px[1]:
            larger = f"{path} is larger than {TOLD_FILE} says: it is another picture"
            raise BadPicture(path, larger)
        picture = Rectangle(left, top, width, height).stretched(part, line.size_px)
        like = Frame(picture[..., 0] if picture.ndim == 3 else picture, line.taken_at, line.frame)
        film = self.head.reads is Reads.FILM
        return replace(_frame_of(picture, like), source=str(self._folder if film else path))

    def close(self) -> None:
        """Let go of the list."""
        self._lines.close()


def words_then(folder: Path) -> list[str | None]:
    """What was told of each kept picture, in their order; None for a torn line."""
    told = list[str | None]()
    with closing(_Lines(folder / TOLD_FILE)) as lines:
        while True:
            try:
                line = lines.next()
            except CameraError:
                told.append(None)
            else:
                if line is None:
                    return told
                told.append(line.words)


def head_of(folder: Path) -> KeptHead:
    """How a folder's pictures were looked at; `BadFile` where that is torn."""
    with closing(_Lines(folder / TOLD_FILE)) as lines:
        return lines.head


class _Lines:
    """`told.jsonl`, line by line: it may be longer than memory."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._file: BinaryIO = path.open("rb")
            first = self._file.readline(LONGEST_LINE)
        except OSError as trouble:
            raise cannot_be_read(path, trouble) from trouble
        self._number = 1
        try:
            self.head = KeptHead.model_validate_json(first)
        except ValidationError as wrong:
            self._file.close()
            place, fault = first_fault(wrong, KeptHead)
            where = ".".join(("line 1", *place))
            raise BadFile(str(path), where, f"{fault}; {WAY_OUT}") from wrong

    def next(self) -> KeptLine | None:
        """The next line, None at the end; `CameraError` for one that is torn."""
        try:
            raw = self._file.readline(LONGEST_LINE)
        except OSError as trouble:
            raise cannot_be_read(self._path, trouble) from trouble
        if not raw:
            return None
        self._number += 1
        try:
            return KeptLine.model_validate_json(raw)
        except ValidationError as wrong:
            torn = f"{self._path}, line {self._number} is torn: {HOLDS}"
            raise CameraError(torn) from wrong

    def close(self) -> None:
        self._file.close()


def reads_of(camera: object) -> Reads:
    """How a camera's pictures are looked at; kept ones as they were then."""
    if isinstance(camera, KeptPictures):
        return camera.head.reads
    if isinstance(camera, PictureFolder):
        return Reads.PICTURE if len(camera) == 1 else Reads.PICTURES
    return Reads.FILM
