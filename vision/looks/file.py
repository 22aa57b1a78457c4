"""Looks that were taught, kept in a folder: a picture for each token, and a TOML file about them.

`looks.toml` has a table for each token::

    box = "dogfight-1917"
    height_mm = 8.0              # of the tokens over the boards

    [empty]                      # the boards with nothing on them, from above
    Battlefield = "board-0.png"

    [looks.camel]
    picture = "camel.png"        # from above, its front up; clear where the board begins
    headed = true                # whether it points somewhere
    area_mm2 = 2796.0            # what of the board it covers
    margin = 0.26                # how much less any other token is like it, 0 to 1
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from companion.core.board import BoardPlan, Piece
from companion.core.errors import BadFile, CameraError, RecordError
from companion.core.files import read_edited_file, read_model, write_whole
from vision.camera.frame import ColourImage
from vision.camera.pictures import read_picture
from vision.looks.boards import PATCH_MM, PX_PER_MM, EmptyBoards, Picture, flat_size_px
from vision.looks.look import TaughtLook
from vision.looks.taught import TaughtReader

FILE = "looks.toml"
SET_ASIDE = "looks.toml.old"
_SIDE_PX = round(PATCH_MM * PX_PER_MM)


class _LookPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    picture: Annotated[str, Field(pattern=r"^[\w-]+\.png$")]
    headed: bool
    area_mm2: Annotated[float, Field(gt=0, lt=100_000, allow_inf_nan=False)]
    margin: Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)] = 0.0


class _LooksPart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    box: str
    height_mm: Annotated[float, Field(ge=0, lt=1000, allow_inf_nan=False)] = 0.0
    empty: dict[str, Annotated[str, Field(pattern=r"^[\w-]+\.png$")]] = {}
    looks: dict[str, _LookPart] = {}


@dataclass(frozen=True, eq=False)
class KeptLooks:
    """What can be read of the looks in a folder, and what is wrong with the rest of it.

    `troubles` are by the piece, or by the name of the board, whose picture it is.
    """

    empty: EmptyBoards
    looks: tuple[TaughtLook, ...]
    troubles: Mapping[str, BadFile]

    @property
    def words(self) -> str:
        """What is lost, if anything is, and the way out."""
        if not self.troubles:
            return ""
        wrong = "; ".join(map(str, self.troubles.values()))
        return f"{wrong}; the other looks are known: teach this anew"


def save_looks(
    folder: Path, box: str, looks: Sequence[TaughtLook], empty: EmptyBoards | None = None
) -> Path:
    """Write every look and the empty boards; the TOML file last, and each picture before it.

    Each file is on the disk before the next is begun, and is written only where it changes.
    Raises `RecordError` when the disk does not take it.
    """
    lines = [f'box = "{box}"']
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lines += _saved_boards(folder, empty) if empty is not None else []
        for look in looks:
            name = f"{look.piece}.png"
            _write(folder / name, _picture_of(look))
            lines += ["", f'[looks."{look.piece}"]', f'picture = "{name}"']
            lines += [f"headed = {str(look.headed).lower()}", f"area_mm2 = {look.area_mm2:.1f}"]
            lines += [f"margin = {min(1.0, look.margin):.3f}"]
        _write(folder / FILE, ("\n".join(lines) + "\n").encode())
    except OSError as trouble:
        raise RecordError(
            f"the looks in {folder} could not be kept: {trouble.strerror}; make room there"
        ) from trouble
    return folder / FILE


def forget_looks(folder: Path, pieces: Iterable[Piece]) -> None:
    """Take away the pictures of tokens that the file names no longer; what is not there is gone."""
    for piece in pieces:
        with contextlib.suppress(OSError):  # the file alone says what is known
            (folder / f"{piece}.png").unlink()


def set_aside(folder: Path) -> None:
    """Keep a file that cannot be read under another name, for who wants to mend it.

    Raises `RecordError` when the disk does not take it.
    """
    try:
        (folder / FILE).replace(folder / SET_ASIDE)
    except OSError as trouble:
        text = f"{folder / FILE} could not be set aside: {trouble.strerror}; take it away"
        raise RecordError(text) from trouble


def looks_beside(table: Path, box: str) -> Path:
    """The folder beside a table's file that keeps what a box's tokens look like."""
    return table.parent / "looks" / box


def reader_of(folder: Path, plan: BoardPlan, *, whole: bool = True) -> TaughtReader | None:
    """What reads a plan's tokens by the looks kept in a folder; None where nobody taught any.

    Raises `BadFile`, which names the file, the key and what is allowed; unless the `whole` of it is
    wanted, pictures that cannot be read are done without, and its `trouble` tells of them.
    """
    if not (folder / FILE).exists():
        return None
    kept = load_kept(folder, plan)
    if whole and kept.troubles:
        raise next(iter(kept.troubles.values()))
    return TaughtReader(plan, kept.empty, kept.looks, kept.words)


def _saved_boards(folder: Path, empty: EmptyBoards) -> list[str]:
    """Write the empty boards; the lines that name them."""
    lines = [f"height_mm = {empty.height_mm:.2f}", "", "[empty]"]
    for number, (board, picture) in enumerate(empty.pictures.items()):
        name = f"board-{number}.png"
        _write(folder / name, cv2.imencode(".png", _levels(picture))[1].tobytes())
        lines.append(f'{json.dumps(board)} = "{name}"')
    return lines


def load_kept(folder: Path, plan: BoardPlan) -> KeptLooks:
    """Read what can be read: each picture by itself, for one that is torn takes no other with it.

    Raises `BadFile` where the file that names them cannot be read.
    """
    part = _read_of(folder / FILE, plan)
    empty, looks, troubles = EmptyBoards(part.height_mm), list[TaughtLook](), dict[str, BadFile]()
    for name, file in part.empty.items():
        try:
            empty.recall(name, _board(folder, plan, name, file))
        except BadFile as wrong:
            troubles[name] = wrong
    for piece, look in part.looks.items():
        try:
            looks.append(_look(folder, plan, piece, look))
        except BadFile as wrong:
            troubles[piece] = wrong
    return KeptLooks(empty, tuple(looks), troubles)


def _read_of(path: Path, plan: BoardPlan) -> _LooksPart:
    part = _read(path)
    if part.box != plan.box:
        raise BadFile(str(path), "box", f"{part.box!r}, while {plan.box} is on the table")
    return part


def _read(path: Path) -> _LooksPart:
    return read_model(_LooksPart, read_edited_file(path), str(path))


def _board(folder: Path, plan: BoardPlan, name: str, file: str) -> Picture:
    """How one board looks with nothing on it."""
    known = {board.name: board for board in plan.boards}
    if name not in known:
        text = f"no board of {plan.box}; there are {', '.join(known)}"
        raise BadFile(str(folder / FILE), f"empty.{name}", text)
    width, height = flat_size_px(known[name])
    image = _image(folder / file, cv2.IMREAD_COLOR)
    if image is None or image.shape[:2] != (height, width):
        text = f"is no picture of {width} x {height} px: teach the tokens again"
        raise BadFile(str(folder / file), "", text)
    return image.astype(np.float32)


def _image(path: Path, flags: int) -> ColourImage | None:
    """A picture as it is kept; None where it is none, or torn."""
    try:
        return read_picture(path, flags)
    except CameraError:
        return None


def _look(folder: Path, plan: BoardPlan, piece: str, part: _LookPart) -> TaughtLook:
    if piece not in plan.token_of:
        known = ", ".join(plan.token_of)
        text = f"no token of {plan.box}; there are {known}"
        raise BadFile(str(folder / FILE), f"looks.{piece}", text)
    path = folder / part.picture
    image = _image(path, cv2.IMREAD_UNCHANGED)
    if image is None or image.shape != (_SIDE_PX, _SIDE_PX, 4):
        raise BadFile(
            str(path), "", f"is no picture of {_SIDE_PX} x {_SIDE_PX} px with a clear rim"
        )
    mask = np.asarray(image[..., 3], np.uint8) > 127
    if not mask.any():
        raise BadFile(str(path), "", "shows nothing: teach this token again")
    picture = image[..., :3].astype(np.float32)
    return TaughtLook(Piece(piece), picture, mask, part.area_mm2, part.headed, part.margin)


def _picture_of(look: TaughtLook) -> bytes:
    """Colours, and what belongs to the token as what covers."""
    cover = np.where(look.mask, 255, 0).astype(np.uint8)
    return cv2.imencode(".png", np.dstack([_levels(look.picture), cover]))[1].tobytes()


def _levels(picture: Picture) -> ColourImage:
    """As a file has them."""
    return np.rint(np.clip(picture, 0, 255)).astype(np.uint8)


def _write(path: Path, content: bytes) -> None:
    """Write a file as a whole, where it is not so already: a card lasts longer for it."""
    with contextlib.suppress(OSError):
        if path.read_bytes() == content:
            return
    write_whole(path, content)
