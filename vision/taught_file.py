"""Looks that were taught, kept in a folder: a picture a token, and a TOML file to be read.

`looks.toml` has a table for each token::

    box = "dogfight-1917"

    [looks.camel]
    picture = "camel.png"        # from above, its front up; clear where the board begins
    headed = true                # whether it points somewhere
    area_mm2 = 2796.0            # what of the board it covers
    margin = 0.26                # how much less any other token is like it, 0 to 1
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from companion.board import BoardPlan, Piece
from companion.errors import BadFile, RecordError
from vision.taught import PATCH_MM, PX_PER_MM, TaughtLook

FILE = "looks.toml"
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
    looks: dict[str, _LookPart] = {}


def save_looks(folder: Path, box: str, looks: Sequence[TaughtLook]) -> Path:
    """Write every look; the TOML file last, so that it never names a picture that is not there.

    Raises `RecordError` when the disk does not take it.
    """
    lines = [f'box = "{box}"']
    try:
        folder.mkdir(parents=True, exist_ok=True)
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


def load_looks(folder: Path, plan: BoardPlan) -> tuple[TaughtLook, ...]:
    """Read the looks of a plan's tokens; `BadFile` names the file, the key and what is allowed."""
    path = folder / FILE
    part = _read(path)
    if part.box != plan.box:
        raise BadFile(str(path), "box", f"{part.box!r}, while {plan.box} is on the table")
    strange = [piece for piece in part.looks if piece not in plan.token_of]
    if strange:
        known = ", ".join(plan.token_of)
        raise BadFile(
            str(path), f"looks.{strange[0]}", f"no token of {plan.box}; there are {known}"
        )
    return tuple(_look(folder, Piece(piece), look) for piece, look in part.looks.items())


def _read(path: Path) -> _LooksPart:
    try:
        return _LooksPart.model_validate(tomllib.loads(path.read_text("utf-8")))
    except OSError as trouble:
        raise BadFile(str(path), "", f"cannot be read: {trouble.strerror}") from trouble
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as trouble:
        raise BadFile(str(path), "", f"is no TOML: {trouble}") from trouble
    except ValidationError as trouble:
        first = trouble.errors()[0]
        raise BadFile(str(path), ".".join(map(str, first["loc"])), first["msg"]) from trouble


def _look(folder: Path, piece: Piece, part: _LookPart) -> TaughtLook:
    path = folder / part.picture
    image = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
    if image is None or image.shape != (_SIDE_PX, _SIDE_PX, 4):
        raise BadFile(
            str(path), "", f"is no picture of {_SIDE_PX} x {_SIDE_PX} px with a clear rim"
        )
    mask = np.asarray(image[..., 3], np.uint8) > 127
    if not mask.any():
        raise BadFile(str(path), "", "shows nothing: teach this token again")
    colour = np.asarray(image[..., :3], np.float32) / 255
    picture = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2Lab), np.float32)
    return TaughtLook(piece, picture, mask, part.area_mm2, part.headed, part.margin)


def _picture_of(look: TaughtLook) -> bytes:
    """Colours, and what belongs to the token as what covers."""
    colour = np.asarray(cv2.cvtColor(look.picture, cv2.COLOR_Lab2BGR), np.float32)
    levels = np.rint(np.clip(colour, 0, 1) * 255).astype(np.uint8)
    cover = np.where(look.mask, 255, 0).astype(np.uint8)
    return cv2.imencode(".png", np.dstack([levels, cover]))[1].tobytes()


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    part.replace(path)
