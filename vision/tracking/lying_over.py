"""What lies over the picture's edge and is no hand: a sheet of paper, a bag, a sleeve left there.

After some still seconds it is part of the table. An arm may rest as long as that, and with a piece
in its fingers: so what it hides keeps its place, and a marker that touches it counts only where it
stood before, until it is moved again or the thing leaves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.core.board import PointMm
from companion.core.offers import PictureState
from vision.markers.reading import MarkerSeen
from vision.tracking.gate import Gate, Glance

LAID_S = 15.0
"""A hand that has not moved for so long is a thing that lies there."""
MOVED_PX = 3.0
"""A marker this far from where it touched the thing has been moved since."""
LIES_OVER_EDGE = "something lies over the picture's edge: what it hides keeps its place"


class LyingOver:
    """Asks the gate to take for table what has lain still, and knows which markers touch it."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._since_s: float | None = None
        self._touching: dict[int, PointMm] = {}
        self._is_fresh = False

    def take(self, glance: Glance, taken_at: float) -> bool:
        """Whether a hand has become a thing with this frame."""
        if glance.state is not PictureState.HAND or not glance.rest:
            self._since_s = None
            return False
        self._since_s = taken_at if self._since_s is None else self._since_s
        if taken_at - self._since_s < LAID_S or not self._gate.take_for_table():
            return False
        self._since_s, self._touching, self._is_fresh = None, {}, True
        return True

    def held(self, glance: Glance, markers: Sequence[MarkerSeen]) -> frozenset[int]:
        """Of the markers of this frame, those that touch the thing and have not moved since.

        Each is one that touched it before anything else moved: later ones were put down there.
        """
        if not self._gate.over_edge:
            self._touching = {}
        if not self._gate.lies_over:
            return frozenset()
        if glance.state in {PictureState.HAND, PictureState.MOVING}:
            self._is_fresh = False
        if self._is_fresh:
            for marker in markers:
                if marker.id not in self._touching and self._gate.is_touched(marker.corners_px):
                    self._touching[marker.id] = marker.centre_px
        return frozenset(marker.id for marker in markers if self._is_held(marker))

    def _is_held(self, marker: MarkerSeen) -> bool:
        at = self._touching.get(marker.id)
        return at is not None and math.dist(at, marker.centre_px) <= MOVED_PX
