"""What the round tells the camera: its tracks are empty now, its buzzer sounded."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.offers import SignalEvent, SignalKind
from companion.core.question import Locked

if TYPE_CHECKING:
    from companion.referee.referee import Referee
    from ui.camera_watch import CameraWatch
    from ui.evidence_keeping import EvidenceKeeping

FRESH_S = 0.5
"""A phase that has so much less than all of its time left has not begun just now."""


class RoundEyes:
    """Between the signals and the camera; `signal` from any thread, all else on the table's."""

    def __init__(self, watch: CameraWatch | None) -> None:
        self._watch = watch
        self._armed: SignalEvent | None = None
        self._zero_at: float | None = None

    def signal(self, event: SignalEvent) -> None:
        """A phase was armed, or ended."""
        if event.kind is SignalKind.ARMED:
            self._armed = event
        if event.kind is SignalKind.ZERO:
            self._zero_at = event.at
            if self._watch is not None:
                self._watch.buzzer(event.at)

    def new_match(self) -> None:
        """The table is set up: nothing lies on its tracks."""
        if self._watch is not None:
            self._watch.sections_are_empty()

    def tick(self, referee: Referee, keeping: EvidenceKeeping | None, now: float) -> None:
        """Tell the camera of a phase that began; keep the pictures of what happened."""
        armed, self._armed = self._armed, None
        at, self._zero_at = self._zero_at, None
        if armed is not None and _has_begun(referee, armed) and self._watch is not None:
            self._watch.sections_are_empty()
        if keeping is not None:
            if at is not None:
                keeping.zero(at)
            keeping.look(referee, now)


def _has_begun(referee: Referee, armed: SignalEvent) -> bool:
    """Whether a phase has all of its time before it: cards lie on tracks from then on alone."""
    asked = (one for one in referee.match.open.values() if isinstance(one, Locked))
    whole_s = next((one.seconds for one in asked if one.seconds is not None), None)
    return whole_s is not None and armed.rest_s >= whole_s - FRESH_S
