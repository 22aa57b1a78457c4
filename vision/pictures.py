"""Pictures on disk as a camera: one, or a folder in natural order."""

from __future__ import annotations

import re
import stat
import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import cv2
import numpy as np

from companion.errors import CameraError
from vision.frame import ColourImage, Frame

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})
FRAME_S = 0.05
"""A folder's pictures count as taken at 20 a second."""

JPEG_START, JPEG_SCAN, JPEG_END = b"\xff\xd8\xff", b"\xff\xda", b"\xff\xd9"
PNG_START, CHUNK = b"\x89PNG\r\n\x1a\n", struct.Struct(">I4s")


def is_picture(path: Path) -> bool:
    """Whether a file is meant as a picture: by its name, or by how it begins.

    Raises `CameraError` where only its beginning would tell, and cannot be read.
    """
    if path.suffix.lower() in SUFFIXES:
        return True
    _check_ends(path)
    try:
        with path.open("rb") as file:
            return file.read(8).startswith((JPEG_START, PNG_START))
    except OSError as trouble:
        raise cannot_be_read(path, trouble) from trouble


def _check_ends(path: Path) -> None:
    """Refuse a pipe or a device: who reads one may wait for ever."""
    try:
        mode = path.stat().st_mode
    except OSError:
        return  # whoever opens it is told why
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise CameraError(f"{path} is no file but a pipe or a device: name a picture's file")


def cannot_be_read(path: Path, trouble: OSError) -> CameraError:
    """What the system refused, with the way out where it is a matter of rights."""
    way_out = ""
    if isinstance(trouble, PermissionError):
        way_out = ": give this user the right to, or name another source"
    return CameraError(f"{path} cannot be read: {trouble.strerror}{way_out}")


def read_picture(path: Path, flags: int = cv2.IMREAD_COLOR) -> ColourImage:
    """Read one picture, [height, width, 3]; `CameraError` in one line where it is none or torn.

    `flags` are OpenCV's: with others than the usual ones there may be more planes, or fewer.
    """
    _check_ends(path)
    try:
        content = path.read_bytes()
    except OSError as trouble:
        raise cannot_be_read(path, trouble) from trouble
    fault = _fault(content)
    if fault:
        raise CameraError(f"{path} {fault}")
    try:
        picture = cv2.imdecode(np.frombuffer(content, np.uint8), flags)
    except cv2.error as trouble:
        raise CameraError(f"{path} is no picture that OpenCV reads: {trouble.err}") from trouble
    if picture is None:
        raise CameraError(f"{path} is no picture: use JPEG, PNG, BMP, WebP, TIFF or PGM")
    return np.asarray(picture, np.uint8)


class PictureFolder:
    """A row of pictures on disk, read one by one in natural order (frame2 before frame10)."""

    live = False

    def __init__(self, paths: Sequence[Path], name: str) -> None:
        self.name = name
        self.size_px = (0, 0)
        self._paths = tuple(paths)
        self._next = 0

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """Every picture that lies in a folder; `CameraError` if none does, or it is closed."""
        try:
            found = [path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES]
        except OSError as trouble:
            raise cannot_be_read(folder, trouble) from trouble
        if not found:
            kinds = " ".join(sorted(SUFFIXES))
            raise CameraError(f"{folder} holds no picture (looked for {kinds})")
        return cls(sorted(found, key=lambda path: natural_order(path.name)), name=folder.name)

    def __len__(self) -> int:
        return len(self._paths)

    @property
    def number(self) -> int:
        """The number of the picture that was read last, or tried."""
        return self._next - 1

    def read(self) -> Frame | None:
        """The next picture; `CameraError` names one that is none, and the next call goes on."""
        if self._next >= len(self._paths):
            return None
        number, path = self._next, self._paths[self._next]
        self._next += 1
        colour = read_picture(path)
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
        frame = Frame(grey, number * FRAME_S, number, colour, str(path))
        self.size_px = frame.size_px
        return frame

    def close(self) -> None:
        """Nothing is held open; reading is over."""
        self._next = len(self._paths)


def natural_order(name: str) -> list[tuple[int, str]]:
    """A sort key that counts: frame2 before frame10.

    >>> sorted(["frame10.png", "frame2.png", "a.png"], key=natural_order)
    ['a.png', 'frame2.png', 'frame10.png']
    """
    parts = re.split(r"(\d+)", name.casefold())
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in parts if part]


def _fault(content: bytes) -> str:
    """What is wrong with a picture's bytes, as far as they tell without decoding."""
    if not content:
        return "is empty (0 bytes)"
    if content.startswith(JPEG_START):
        # In a scan 0xFF is always stuffed: the last scan of a whole picture has an end after it.
        torn = content.rfind(JPEG_END) < content.rfind(JPEG_SCAN)
        return "is a torn picture: it ends inside a scan; take it again" if torn else ""
    if content.startswith(PNG_START):
        return _png_fault(content)
    return ""


def _png_fault(content: bytes) -> str:
    """Walk a PNG's chunks: each has its length, its kind and a checksum behind it."""
    at = len(PNG_START)
    while at + CHUNK.size <= len(content):
        length, kind = CHUNK.unpack_from(content, at)
        end = at + CHUNK.size + length
        if end + 4 > len(content):
            break
        if zlib.crc32(content[at + 4 : end]) != int.from_bytes(content[end : end + 4], "big"):
            return f"is a damaged picture (its part {kind!r} is not what was written)"
        if kind == b"IEND":
            return ""
        at = end + 4
    return "is a torn picture: its end is missing; take it again"
