"""Cameras that read from disk: one picture, a folder in natural order, or a film."""

from __future__ import annotations

import codecs
import math
import re
import stat
import struct
import zlib
from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Self

import cv2
import numpy as np

from companion.core.errors import CameraError
from vision.camera.frame import ColourImage, Frame, quieten_opencv

# Pictures: one, or a folder of them.

SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff", ".pgm", ".ppm"})
FRAME_S = 0.05
"""A folder's pictures count as taken at 20 a second."""

JPEG_START, JPEG_END = b"\xff\xd8\xff", 0xD9
JPEG_MARKER = re.compile(rb"\xff([\x02-\xcf\xd8-\xfe])")
"""In a scan each 0xFF that is no marker has a 0 behind it, and restarts have 0xD0 to 0xD7."""
JPEG_SIZE, SIZED = struct.Struct(">2xBHH"), frozenset({*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC})
"""The parts of a JPEG that tell its size: length, bits, height, width."""
PNG_START, CHUNK, PNG_SIZE = b"\x89PNG\r\n\x1a\n", struct.Struct(">I4s"), struct.Struct(">II")

MOST_PX = 120_000_000
"""The most pixels of a picture: no telephone takes more. A file of half a megabyte can ask for more
memory than a Pi has."""

OTHER_KINDS = ("BMP", "PPM", "TIFF", "WEBP")
"""What is decoded beside JPEG and PNG, in Pillow's names: of these it reads the size from the head.
What else OpenCV would decode (JPEG 2000, AVIF, Radiance...) is refused: nobody bounds it."""
TILE_WIDE, TILE_HIGH = 322, 323
"""Of a TIFF: its pixels are decoded tile by tile, and a tile may be larger than the picture."""
NO_PICTURE = "is no picture: use JPEG, PNG, BMP, WebP, TIFF or PGM"


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


class BadPicture(CameraError):
    """One of several pictures cannot be read, `source`; the next call goes on."""

    def __init__(self, source: Path, trouble: str) -> None:
        super().__init__(trouble)
        self.source = str(source)


def read_one_of(path: Path, flags: int = cv2.IMREAD_COLOR) -> ColourImage:
    """As `read_picture`, with the picture's own name in what is raised."""
    try:
        return read_picture(path, flags)
    except CameraError as trouble:
        raise BadPicture(path, str(trouble)) from trouble


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
        raise CameraError(f"{path} {NO_PICTURE}")
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

    def read(self) -> Frame | None:
        """The next picture; `BadPicture` names one that is none, and the next call goes on."""
        if self._next >= len(self._paths):
            return None
        number, path = self._next, self._paths[self._next]
        self._next += 1
        colour = read_one_of(path)
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
        return _jpeg_fault(content)
    if content.startswith(PNG_START):
        return _png_fault(content)
    return _other_fault(content)


def _jpeg_fault(content: bytes) -> str:
    """Walk a JPEG's parts up to its end; telephones put a film of the moment behind that."""
    at = 2
    while found := JPEG_MARKER.search(content, at):
        if found[1][0] == JPEG_END:
            return ""
        if found[1][0] in SIZED and found.end() + JPEG_SIZE.size <= len(content):
            _, height, width = JPEG_SIZE.unpack_from(content, found.end())
            if height * width > MOST_PX:
                return _too_large(width, height)
        at = found.end() + int.from_bytes(content[found.end() : found.end() + 2], "big")
    return "is a torn picture: it ends inside a scan; take it again"


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
        if kind == b"IHDR" and length >= PNG_SIZE.size:
            width, height = PNG_SIZE.unpack_from(content, at + CHUNK.size)
            if height * width > MOST_PX:
                return _too_large(width, height)
        if kind == b"IEND":
            return ""
        at = end + 4
    return "is a torn picture: its end is missing; take it again"


def _other_fault(content: bytes) -> str:
    """Have Pillow read the head, which says the size; no pixel is decoded."""
    from PIL import Image, TiffImagePlugin

    try:
        with Image.open(BytesIO(content), formats=OTHER_KINDS) as head:
            sizes = [head.size]
            if isinstance(head, TiffImagePlugin.TiffImageFile):
                sizes.append((head.tag_v2.get(TILE_WIDE, 0), head.tag_v2.get(TILE_HIGH, 0)))
    except Image.DecompressionBombError:  # half as much again as we take
        return f"has more than {MOST_PX // 1_000_000} million pixels: make it smaller first"
    except Exception:  # noqa: BLE001 - its readers raise whatever a torn head leads them to
        return NO_PICTURE
    return next((_too_large(*size) for size in sizes if math.prod(size) > MOST_PX), "")


def _too_large(width: int, height: int) -> str:
    most = MOST_PX // 1_000_000
    return f"has {width:,} x {height:,} pixels, more than {most} million: make it smaller first"


# A film's own account of its length, read without decoding anything.

HEAD_BYTES = 16
BOX_KINDS = frozenset(b"ftyp styp moov moof mfra mdat meta sidx uuid udta free skip wide".split())
"""The boxes that an MP4 or MOV is made of; anything else behind them is none of its own."""
EBML, SEGMENT = b"\x1a\x45\xdf\xa3", b"\x18\x53\x80\x67"
"""How Matroska and WebM begin, and what holds all of their pictures."""


def missing_bytes(path: Path) -> int:
    """How many bytes a film lacks at the least by its own account; 0 where that tells nothing.

    AVI, MP4, MOV, Matroska and WebM have sizes of what they hold. A film whose writer never got to
    fill them in, and one of another kind, has none.
    """
    size = path.stat().st_size
    with path.open("rb") as film:
        return max(0, _end(film, size) - size)


def _end(film: BinaryIO, size: int) -> int:
    """Where the last part that begins inside the file ends."""
    head = film.read(HEAD_BYTES)
    if head.startswith(b"RIFF"):
        return _walked(film, size, _riff_bytes)
    if head[4:8] in BOX_KINDS:
        return _walked(film, size, _box_bytes)
    if head.startswith(EBML):
        return _walked(film, size, _element_bytes)
    return 0


def _walked(film: BinaryIO, size: int, length: Callable[[bytes], int]) -> int:
    """From part to part of the outermost level; `length` is 0 for what is no part or has none."""
    at = 0
    while at < size:
        film.seek(at)
        step = length(film.read(HEAD_BYTES))
        if not step:
            break
        at += step
    return at


def _riff_bytes(head: bytes) -> int:
    """One chunk of an AVI: its kind, its length, its content, filled up to an even number."""
    if len(head) < 8 or not head.startswith(b"RIFF"):
        return 0
    content = int.from_bytes(head[4:8], "little")
    return 8 + content + content % 2 if content else 0


def _box_bytes(head: bytes) -> int:
    """One box of an MP4: its length, which may stand behind its kind in eight bytes of its own."""
    if len(head) < 8 or head[4:8] not in BOX_KINDS:
        return 0
    (short,) = struct.unpack_from(">I", head)
    if short == 1 and len(head) >= 16:
        (long,) = struct.unpack_from(">Q", head, 8)
        return int(long) if long >= 16 else 0
    return int(short) if short >= 8 else 0  # 0: as far as the file goes


def _element_bytes(head: bytes) -> int:
    """One element of a Matroska file: its kind, then its length with the length's own length."""
    if len(head) < 5 or head[:4] not in {EBML, SEGMENT} or not head[4]:
        return 0
    wide = 9 - head[4].bit_length()
    told = int.from_bytes(head[4 : 4 + wide], "big") & ((1 << 7 * wide) - 1)
    unknown = told == (1 << 7 * wide) - 1
    return 0 if unknown or len(head) < 4 + wide else 4 + wide + told


# A film.

USUAL_FPS = 20.0
CUT_SHORT = 0.9
"""A film with less than this share of the frames it announces is torn; many announce a guess."""


class VideoFile:
    """Every frame of a film, in order; `taken_at` follows the film's own rate from 0."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name = path.name
        self._path = path
        self._capture = _open(path)
        fps = self._capture.get(cv2.CAP_PROP_FPS)
        self._fps = fps if 0 < fps < 1000 else USUAL_FPS
        self._announced = self._capture.get(cv2.CAP_PROP_FRAME_COUNT)
        self._next = 0
        self._is_checked = False
        self.size_px = (
            int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
        )
        if math.prod(self.size_px) > MOST_PX:
            self.close()
            raise CameraError(f"{path} {_too_large(*self.size_px)}")

    def read(self) -> Frame | None:
        """The next frame, None after the last; `CameraError` once where the film is torn."""
        grabbed, picture = self._capture.read()
        if not grabbed:
            self._check_end()
            return None
        colour = np.asarray(picture, np.uint8)
        grey = np.asarray(cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY), np.uint8)
        number = self._next
        self._next += 1
        return Frame(grey, number / self._fps, number, colour, str(self._path))

    def close(self) -> None:
        """Let go of the file."""
        self._capture.release()

    def _check_end(self) -> None:
        if self._is_checked:
            return
        self._is_checked = True
        torn = "it is torn; what was read so far holds"
        if self._next < CUT_SHORT * self._announced:
            announced = f"announces {self._announced:.0f} frames and ends after {self._next}"
            raise CameraError(f"{self._path} {announced}: {torn}")
        try:
            missing = missing_bytes(self._path)
        except OSError as trouble:
            raise cannot_be_read(self._path, trouble) from trouble
        if missing:
            raise CameraError(f"{self._path} lacks {missing} bytes at its end or more: {torn}")


_BEGINNING_BYTES = 4096


def _is_text(begins: bytes) -> bool:
    """Whether a file begins with words; of films only one kind, bare pictures, may look so."""
    try:
        words = codecs.getincrementaldecoder("utf-8")().decode(begins)  # the last may be cut
    except UnicodeDecodeError:
        return False
    if begins.startswith(b"YUV4MPEG2"):
        return False
    return all(letter.isprintable() or letter.isspace() for letter in words.replace("\x1b", ""))


def _open(path: Path) -> cv2.VideoCapture:
    try:
        with path.open("rb") as file:
            begins = file.read(_BEGINNING_BYTES)
    except OSError as trouble:
        raise cannot_be_read(path, trouble) from trouble
    if not begins:
        raise CameraError(f"{path} is empty (0 bytes)")
    if _is_text(begins):  # FFmpeg would draw it as a terminal does
        raise CameraError(f"{path} is a text, no picture and no film")
    quieten_opencv()
    for backend in (cv2.CAP_FFMPEG, cv2.CAP_GSTREAMER):
        capture = cv2.VideoCapture(str(path), backend)
        if capture.isOpened():
            return capture
    raise CameraError(f"{path} is neither a picture nor a film that OpenCV reads")
