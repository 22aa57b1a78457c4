"""Which box lies on the table: the one that most of the corner markers in sight belong to."""

from __future__ import annotations

from collections.abc import Sequence

from companion.board import BoardPlan
from vision.calibration import MARKERS_NEEDED
from vision.observation import MarkerSeen


def plan_shown(plans: Sequence[BoardPlan], markers: Sequence[MarkerSeen]) -> int | None:
    """The place in a row of plans of the one that is seen; None where no board of any is."""
    shown = [_shown(plan, markers) for plan in plans]
    best = max(range(len(shown)), key=lambda at: shown[at], default=None)
    return best if best is not None and shown[best] else None


def _shown(plan: BoardPlan, markers: Sequence[MarkerSeen]) -> int:
    """How many corner markers of a plan's boards are seen, of boards that show enough of them."""
    ids = {marker.id for marker in markers if marker.dictionary == plan.dictionary}
    shown = (len(ids & set(board.corners or ())) for board in plan.boards)
    return sum(count for count in shown if count >= MARKERS_NEEDED)
