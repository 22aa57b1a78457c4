"""Table check: the camera's picture with what was recognised, and a line a part."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ui.presenters.common import Band, Frame, Line, Mark


@dataclass(frozen=True, slots=True)
class PictureMark:
    """Something recognised: a corner (circled) or a piece (bracketed), outline in picture px."""

    kind: str
    label: str
    outline_px: tuple[tuple[float, float], ...]
    mark: Mark = Mark.OK


@dataclass(frozen=True, slots=True)
class Picture:
    """The camera's last frame: `image` is [height, width, 3] BGR, None while there is none."""

    image: Any = field(compare=False, repr=False)
    number: int
    size_px: tuple[int, int]
    marks: tuple[PictureMark, ...] = ()
    note: str = ""
    note_mark: Mark = Mark.OK


@dataclass(frozen=True, slots=True)
class TableCheckState:
    """The band is the deed for the worst line; Start is impossible while a line is red."""

    frame: Frame
    band: Band
    picture: Picture | None
    lines: tuple[Line, ...]
