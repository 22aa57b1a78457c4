"""A backup by itself: whenever a stick that is named for it is plugged in, the record is copied.

The stick's name is a setting. A thread of its own looks for the stick every few seconds, never
while a round runs; what it does, and what it needs, is a line at the foot of home.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread, get_native_id

from companion.core.errors import CompanionError
from companion.core.text import counted
from companion.record.backup import Backup, back_up
from ui.scene.values import Line, Mark
from ui.table.export import in_words
from ui.table.settings_file import sticks

LABEL = "Backup"
FOLDER = "companion-backup"
"""What is made on the stick lies in here."""
LOOK_S = 5.0
_GENTLE = 10
"""The thread's niceness: the table goes first."""


class StickBackup:
    """Watches for the stick, and copies the record onto it.

    `place` is the record's file, `name` what the stick is called now (empty: none is wanted);
    `found` lists what is plugged in, `utc` tells the time. Every method returns at once.
    """

    def __init__(
        self,
        place: Path,
        name: Callable[[], str],
        *,
        found: Callable[[], Iterable[Path]] = sticks,
        utc: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.line: Line | None = None
        """What people are told; None while no such stick was plugged in."""
        self.busy = False
        """A round runs: nothing is begun."""
        self._place, self._name, self._found, self._utc = place, name, found, utc
        self._due = True
        self._closed = Event()
        self._thread = Thread(target=self._work, name="stick-backup", daemon=True)

    def start(self) -> None:
        """Watch from now on."""
        self._thread.start()

    @property
    def is_watching(self) -> bool:
        """Whether it looks for the stick."""
        return self._thread.is_alive()

    def changed(self) -> None:
        """There is more in the record now: a stick that is still plugged in gets it."""
        self._due = True

    def close(self, most_s: float = 2.0) -> None:
        """Begin no more; one that is being made ends with the program, and leaves only a part."""
        self._closed.set()
        if self.is_watching:
            self._thread.join(most_s)

    # -- the thread ------------------------------------------------------------------------

    def _work(self) -> None:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, get_native_id(), _GENTLE)
        while not self._closed.wait(LOOK_S):
            self.look()

    def look(self) -> None:
        """Look once, and copy where a copy is due; a disk that fails ends no watch."""
        try:
            self._look()
        except OSError as wrong:
            self.line = Line(LABEL, in_words(wrong), Mark.BAD)

    def _look(self) -> None:
        name = self._name()
        stick = next((path for path in self._found() if name and path.name == name), None)
        if stick is None:
            self._due = True
            if self.line is not None and self.line.mark is not Mark.BAD:
                self.line = None
        elif self._due and not self.busy and self._place.is_file():
            self._due = False
            self._make(stick)

    def _make(self, stick: Path) -> None:
        self.line = Line(LABEL, f"being written to {stick.name}: leave it in", Mark.WARN)
        at = self._utc().astimezone(UTC)
        moment = f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"
        try:
            (stick / FOLDER).mkdir(exist_ok=True)
            made = back_up(self._place, stick / FOLDER, moment)
        except CompanionError as wrong:
            self.line = Line(LABEL, str(wrong), Mark.BAD)
        except OSError as wrong:
            self.line = Line(LABEL, f"none on {stick.name}: {in_words(wrong)}", Mark.BAD)
        else:
            self.line = _told(made, stick, at)


def _told(made: Backup, stick: Path, at: datetime) -> Line:
    """What was made, and that the stick may go."""
    kept = f"{counted(made.matches, 'match', 'matches')} on {stick.name}, {at.astimezone():%H:%M}"
    if not made.troubles:
        return Line(LABEL, f"{kept}; it may be pulled out", Mark.OK)
    damaged = counted(len(made.troubles), "match", "matches")
    return Line(LABEL, f"{kept}; {damaged} damaged: see Past matches", Mark.WARN)
