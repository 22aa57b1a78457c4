"""How far boards lie from where they were, in words: nudged, moved, or the camera itself was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

IGNORED_PX = 1.0
"""A board that lies this near to where it was has not moved."""
NUDGED_PX = 5.0
"""Up to here it was nudged; beyond, somebody moved it."""
ALIKE_SHARE = 0.5
"""Boards that all shift by about the same were not each pushed: the camera was."""


class DriftKind(StrEnum):
    """What became of a board."""

    STILL = "still"
    NUDGED = "nudged"
    MOVED = "moved"


@dataclass(frozen=True, slots=True)
class Drift:
    """A board's way from where it was first found: in the picture, on the table, and its turn.

    `along_px` is the way of its middle, x and y; `shift_px` the mean way of its four corners,
    `shift_mm` the same on the table; `turn_deg` clockwise.
    """

    board: str
    along_px: tuple[float, float]
    shift_px: float
    shift_mm: float
    turn_deg: float

    @property
    def kind(self) -> DriftKind:
        """Still up to 1 px, nudged up to 5, moved beyond."""
        if self.shift_px <= IGNORED_PX:
            return DriftKind.STILL
        return DriftKind.NUDGED if self.shift_px <= NUDGED_PX else DriftKind.MOVED

    def __str__(self) -> str:
        """As the table check says it.

        >>> print(Drift("Hexagon Map", (9.0, 1.0), 9.1, 6.2, 0.4))
        Hexagon Map was moved (6 mm): it is followed, pieces keep their spaces
        """
        if self.kind is DriftKind.STILL:
            return f"{self.board} lies where it was"
        turned = f", {self.turn_deg:+.0f} degrees" if abs(self.turn_deg) >= 1 else ""
        way = f"{self.shift_mm:.0f} mm" if self.shift_mm >= 1 else f"{self.shift_mm:.1f} mm"
        followed = "it is followed, pieces keep their spaces"
        return f"{self.board} was {self.kind} ({way}{turned}): {followed}"


def told(drifts: Mapping[str, Drift], placed: Sequence[str]) -> tuple[str, ...]:
    """What to say of boards that are not where they were; nothing where all are.

    Where all boards that are `placed`, two at the least, shifted alike, it was the camera.
    """
    shifted = [one for one in drifts.values() if one.kind is not DriftKind.STILL]
    if len(shifted) >= 2 and len(shifted) == len(placed) and _alike(shifted):
        way_px = max(one.shift_px for one in shifted)
        found = "all boards were found anew; calibrate again when there is time"
        return (f"the camera was moved, or the table under it ({way_px:.0f} px): {found}",)
    return tuple(str(one) for one in shifted)


def _alike(drifts: Sequence[Drift]) -> bool:
    """Whether all went about the same way: none differs from the mean by half of it."""
    x = sum(one.along_px[0] for one in drifts) / len(drifts)
    y = sum(one.along_px[1] for one in drifts) / len(drifts)
    limit = ALIKE_SHARE * max((x * x + y * y) ** 0.5, IGNORED_PX)
    return all(
        ((one.along_px[0] - x) ** 2 + (one.along_px[1] - y) ** 2) ** 0.5 <= limit for one in drifts
    )
