"""How long a film's file says it is: the containers' own sizes, read without decoding anything."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

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
