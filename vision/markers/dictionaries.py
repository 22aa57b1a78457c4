"""Marker dictionaries: OpenCV's by name (without `DICT_`), or a JSON file of codes."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field

from companion.core.errors import BadCall, BadFile
from companion.core.files import read_edited_file, read_model

PREFIX = "DICT_"
WEAK = frozenset({"APRILTAG_16h5", "ARUCO_ORIGINAL", "4X4_250", "4X4_1000"})
"""Families whose codes differ so little, or are so many, that photographs hold them by chance."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerDictionary:
    """A set of marker codes: its name as results carry it, OpenCV's object, how many ids it has."""

    name: str
    codes: cv2.aruco.Dictionary
    size: int

    def picture(self, marker: int, side_px: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
        """Draw one marker, black square without rim, [side_px, side_px]."""
        if not 0 <= marker < self.size:
            raise BadCall(f"{self.name} has markers 0 to {self.size - 1}, not {marker}")
        return np.asarray(self.codes.generateImageMarker(marker, side_px), np.uint8)

    @property
    def cells(self) -> int:
        """Cells along a side, black border included."""
        return int(self.codes.markerSize) + 2


class CodesFile(BaseModel):
    """A JSON file of codes: each a row-by-row string of 0 (black) and 1 (white)."""

    model_config = ConfigDict(extra="forbid")

    bits_per_side: Annotated[int, Field(ge=3, le=8)]
    max_correction_bits: Annotated[int, Field(ge=0)]
    codes_row_by_row: Annotated[list[str], Field(min_length=1)]
    source: str = ""


@cache
def dictionary_names() -> tuple[str, ...]:
    """Every dictionary this OpenCV has, as the command line names it.

    Of two spellings of one (36H11, 36h11) it is the lower one.

    >>> "ARUCO_MIP_36h12" in dictionary_names() and "4X4_50" in dictionary_names()
    True
    """
    found = sorted(name for name in dir(cv2.aruco) if name.startswith(PREFIX))
    names = {getattr(cv2.aruco, name): name.removeprefix(PREFIX) for name in found}  # the last wins
    return tuple(sorted(names.values()))


def load_dictionary(name_or_file: str) -> MarkerDictionary:
    """Find a dictionary by OpenCV's name, or read it from a JSON file of codes.

    Raises `BadCall` for a name that is neither, `BadFile` for a file that holds no dictionary.

    >>> load_dictionary("4X4_50").size
    50
    """
    key = name_or_file.removeprefix(PREFIX).casefold()
    known = {name.casefold(): name for name in dictionary_names()}
    if key in known:
        name = known[key]
        codes = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, PREFIX + name))
        return MarkerDictionary(name, codes, len(codes.bytesList))
    if Path(name_or_file).suffix == ".json" or _is_file(Path(name_or_file)):
        return _from_file(Path(name_or_file))
    close = get_close_matches(key, known, n=3, cutoff=0.5)
    hint = [known[match] for match in close] or list(dictionary_names())
    raise BadCall(
        f"no marker dictionary {name_or_file!r}: use a JSON file of codes or one of OpenCV's, "
        f"such as {', '.join(hint)}"
    )


def _is_file(path: Path) -> bool:
    """Whether it is one; what no file can be called is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _from_file(path: Path) -> MarkerDictionary:
    codes = _read_codes(path)
    side = codes.bits_per_side
    if codes.max_correction_bits >= side * side // 2:
        text = f"{codes.max_correction_bits} of {side * side} bits: give fewer than half of them"
        raise BadFile(str(path), "max_correction_bits", text)
    rows = [
        _bytes_of(path, number, code, side) for number, code in enumerate(codes.codes_row_by_row)
    ]
    if len(set(codes.codes_row_by_row)) < len(rows):
        raise BadFile(str(path), "codes_row_by_row", "a code stands there twice")
    dictionary = cv2.aruco.Dictionary(np.concatenate(rows), side, codes.max_correction_bits)
    return MarkerDictionary(path.stem, dictionary, len(rows))


def _read_codes(path: Path) -> CodesFile:
    return read_model(CodesFile, read_edited_file(path), str(path))


def _bytes_of(path: Path, number: int, code: str, side: int) -> np.ndarray[Any, Any]:
    if len(code) != side * side or set(code) - {"0", "1"}:
        place = f"codes_row_by_row[{number}]"
        raise BadFile(str(path), place, f"not {side * side} characters of 0 and 1, but {code!r}")
    bits = np.frombuffer(code.encode(), np.uint8).reshape(side, side) - ord("0")
    return np.asarray(cv2.aruco.Dictionary.getByteListFromBits(bits))
