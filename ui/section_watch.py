"""What lies on the tracks before one camera: what the round says of them, and what came late."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vision.cards.cards import CardMemory
from vision.evidence.evidence import OFF_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.core.offers import Sighting
    from vision.boards.place import BoardPlace
    from vision.camera.frame import Frame
    from vision.evidence.evidence import Evidence
    from vision.tracking.tracker import Tracker


class SectionWatch:
    """Fills the cards into sightings; `see` on the thread that watches, all else from any."""

    def __init__(self, evidence: Evidence) -> None:
        self._evidence = evidence
        self._cards: CardMemory | None = None
        self._tracker: Tracker | None = None
        self._buzzed_at: float | None = None
        self._are_empty = False

    def sections_are_empty(self) -> None:
        """Who knows the rules says so: what the sections look like next is empty.

        A phase begins with it, so that a buzzer whose picture nobody could read yet is over.
        """
        self._buzzed_at = None
        self._are_empty = True

    def buzzer(self, at: float) -> None:
        """The buzzer sounded (monotonic s): cards that come to the tracks from now on are late."""
        self._buzzed_at = at

    def see(self, frame: Frame, sighting: Sighting, tracker: Tracker) -> Sighting:
        """The sighting with what lies on tracks; of a box without decks as it is."""
        if not tracker.plan.card_backs:
            return sighting
        cards, places = self._memory(tracker), tracker.view.places
        if self._are_empty:
            self._are_empty = False
            cards.take_for_empty()
        if self._buzzed_at is not None and places:
            self._take_buzzer(cards, self._buzzed_at, places)
        return cards.see(frame, sighting, places)

    def _take_buzzer(self, cards: CardMemory, at: float, places: Mapping[str, BoardPlace]) -> None:
        """What lay there at the buzzer; with no picture of that moment nothing is known of it."""
        still = self._evidence.still_at(at)
        if still is None:
            return
        self._buzzed_at = None
        if abs(still.taken_at - at) <= OFF_S:
            cards.buzzer(still.decoded(), still.taken_at, places)
        else:
            cards.buzzer(still.decoded(), at, {})

    def _memory(self, tracker: Tracker) -> CardMemory:
        """What is known of the sections; a camera opened anew knows the same boards still.

        A table's file gives each tracker a plan of its own, so plans are compared by what they say.
        """
        known = self._cards
        if known is None or (tracker is not self._tracker and known.plan != tracker.plan):
            known = self._cards = CardMemory(tracker.plan)
        self._tracker = tracker
        return known
