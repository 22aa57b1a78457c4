"""Lots drawn from a number that somebody said; anybody can check them.  (RULING 3, RULING 5)"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def drawn(things: Sequence[T], number: int, purpose: str) -> T:
    """One of several, each about equally likely; the same for the same number and purpose.

    >>> drawn("ABCD", 4711, "first"), drawn("ABCD", 4712, "first")
    ('C', 'B')
    """
    figures = hashlib.blake2b(f"{number}/{purpose}".encode(), digest_size=8).digest()
    return things[int.from_bytes(figures, "big") % len(things)]
