"""What one frame shows: markers, and the pieces they stand for on the boards they lie on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.board import Piece
from companion.offers import Seen

CornersPx = NDArray[np.float64]
"""Four corners of a marker, [4, 2], x and y in px, the marker's own top left first, clockwise."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerSeen:
    """One marker found in a picture: its id, its dictionary's name and its corners."""

    id: int
    dictionary: str
    corners_px: CornersPx

    @property
    def centre_px(self) -> tuple[float, float]:
        """The mean of the four corners."""
        x, y = self.corners_px.mean(axis=0)
        return (float(x), float(y))

    @property
    def side_px(self) -> float:
        """The mean length of the four sides."""
        return float(
            np.linalg.norm(np.roll(self.corners_px, -1, axis=0) - self.corners_px, axis=1).mean()
        )


@dataclass(frozen=True, slots=True, eq=False)
class Observation:
    """What one frame shows, with no memory of the pieces in the frames before.

    `pieces` has every piece of the plan: seen, unsure (between two spaces, or on none) or lost (its
    marker was not found); whether a lost one is covered by a hand, settling decides. `boards_seen`
    are the boards whose place in the picture is known. `conflicts` are pieces whose marker was
    found twice; they are unsure.
    """

    frame: int
    taken_at: float
    markers: tuple[MarkerSeen, ...] = ()
    pieces: Mapping[Piece, Seen] = field(default_factory=dict)
    boards_seen: frozenset[str] = frozenset()
    conflicts: tuple[Piece, ...] = ()
