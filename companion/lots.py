"""Lots drawn from words that everybody heard, so that anybody can check them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

HIGHEST = 99
"""Of the number that somebody says, from 1 on."""


def drawn(things: Sequence[T], words: str) -> T:
    """One of several, each about equally likely; the same for the same words.

    >>> drawn("ABCD", "Ana, Ben/47/first"), drawn("ABCD", "Ana, Ben/48/first")
    ('A', 'D')
    """
    figures = hashlib.blake2b(words.encode(), digest_size=8).digest()
    return things[int.from_bytes(figures, "big") % len(things)]
