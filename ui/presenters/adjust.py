"""Adjust: the arbiter sets quantities and places together: thing, quantity, value, reason."""

from __future__ import annotations

from dataclasses import dataclass

from ui.presenters.common import Frame, Key, Line


@dataclass(frozen=True, slots=True)
class AdjustState:
    """Four columns touched from left to right; `changes` are those written so far.

    `sums` tells per owner whether the invariant holds ("Dan 30 of 30", ok).
    """

    frame: Frame
    things: tuple[Key, ...]
    quantities: tuple[Key, ...]
    values: tuple[Key, ...]
    reasons: tuple[Key, ...]
    changes: tuple[Line, ...]
    sums: tuple[Line, ...] = ()
