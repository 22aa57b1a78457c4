"""The club's record, kept up by itself: what is played here goes there, and the other way.

The settings name it (`club`, a URL or a path). A thread of its own carries now and then and after
each match, never while a round runs; it has records of its own open, so that nothing at the table
waits for a network. How it stands is a line at the foot of home.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from threading import Event, Thread, get_native_id

from companion.core.errors import CompanionError
from companion.core.text import without_secrets
from companion.record.club import Carried, carry
from companion.record.record import Record
from ui.scene.values import Line, Mark

LABEL = "Club"
LOOK_S = 5.0
EVERY_S, PATIENCE_S = 60.0, 300.0
"""So often it is asked for news; so seldom while it does not answer."""
_GENTLE = 10
"""The thread's niceness: the table goes first."""


class ClubCarrier:
    """Carries between the record at `place` and the one that `club` names now (empty: none).

    `utc` tells the time. Every method but `look` returns at once.
    """

    def __init__(
        self,
        place: str,
        club: Callable[[], str],
        *,
        utc: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.line: Line | None = None
        """How it stands; None where no club is named."""
        self.busy = False
        """A round runs: nothing is begun."""
        self._place, self._club, self._utc = place, club, utc
        self._waits_s = 0.0
        self._well: str = ""
        self._closed = Event()
        self._thread = Thread(target=self._work, name="club", daemon=True)

    def start(self) -> None:
        """Carry from now on."""
        self._thread.start()

    def changed(self) -> None:
        """There is more in the record now: the club gets it soon."""
        self._waits_s = 0.0

    def close(self, most_s: float = 1.0) -> None:
        """Begin no more; what was being carried is carried at the next start."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(most_s)

    # -- the thread ------------------------------------------------------------------------

    def _work(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _GENTLE)
        while not self._closed.wait(LOOK_S):
            self._waits_s -= LOOK_S
            if self._waits_s <= 0:
                self.look()

    def look(self) -> None:
        """Carry once, unless a round runs or no club is named."""
        club = self._club()
        if not club:
            self.line = None
        elif not self.busy:
            self._waits_s = EVERY_S
            self._carry(club)

    def _carry(self, club: str) -> None:
        try:
            with Record.open(self._place) as here, Record.open(club) as there:
                done = carry(here, there)
        except CompanionError as wrong:
            self._waits_s = PATIENCE_S
            since = f"; what is played here since {self._well} waits" if self._well else ""
            said = without_secrets(str(wrong)).partition(". ")[0]
            self.line = Line(LABEL, f"not reached{since}: {said}", Mark.WARN)
        else:
            self._well = f"{self._utc().astimezone():%H:%M}"
            self.line = _told(done, self._well)


def _told(done: Carried, when: str) -> Line:
    """That both have the same, or what people have to look at."""
    if not done.told:
        return Line(LABEL, f"has everything, {when}", Mark.OK)
    more = f" and {len(done.told) - 1} more" if len(done.told) > 1 else ""
    return Line(LABEL, f"{done.told[0]}{more}", Mark.WARN)
