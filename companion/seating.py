"""Seats round a table: who comes after whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.ruling import Seat


def clockwise_from(first: Seat, seats: Sequence[Seat]) -> list[Seat]:
    """These seats round the table, beginning at one of them; ValueError if it is none of them.

    >>> clockwise_from("C", ["A", "B", "C", "D"])
    ['C', 'D', 'A', 'B']
    """
    at = list(seats).index(first)
    return [*seats[at:], *seats[:at]]
