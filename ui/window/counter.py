"""The statistics kept up by themselves: each match is counted after its end, old ones bit by bit.

A log is played again for it, which takes a good part of a second: a process of its own does that,
gently, and is ended when a round begins. What it had not counted yet waits.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from io import BytesIO
from threading import Event, Thread
from typing import IO

from ui.scene.values import Line, Mark

LABEL = "Statistics"
LOOK_S = 2.0
ENDS_WITHIN_S = 3.0


class SeasonCounter:
    """Counts the matches of the record at `place`. Every method returns at once."""

    def __init__(self, place: str, command: Sequence[str] = ()) -> None:
        self.line: Line | None = None
        """Why the last count failed, at the foot of home; None while all is well."""
        self.busy = False
        """A round runs: nothing is counted."""
        self._command = [*command] or [sys.executable, "-m", "companion", "stats", "--count"]
        self._command += ["--record", place]
        self._is_due = True
        self._closed = Event()
        self._counting: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] = BytesIO()
        self._thread = Thread(target=self._work, name="statistics", daemon=True)

    def start(self) -> None:
        """Count from now on; first what ended while nobody counted."""
        self._thread.start()

    def changed(self) -> None:
        """There is more in the record now."""
        self._is_due = True

    def close(self) -> None:
        """Count no more."""
        self._closed.set()
        if self._thread.is_alive():
            self._thread.join(ENDS_WITHIN_S)
        else:
            self._leave_off()

    def _work(self) -> None:
        while not self._closed.wait(LOOK_S):
            self.look()
        self._leave_off()

    def look(self) -> None:
        """Begin to count where that is due, and leave off while a round runs."""
        counting = self._counting
        if counting is not None and counting.poll() is not None:
            self.line = self._told(counting.returncode)
            self._counting = counting = None
        if self.busy:
            self._leave_off()
        elif self._is_due and counting is None:
            self._is_due = False
            self._begin()

    def _begin(self) -> None:
        nothing = subprocess.DEVNULL
        try:
            self._said = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process is
            self._counting = subprocess.Popen(
                self._command, stdin=nothing, stdout=nothing, stderr=self._said
            )
        except OSError as wrong:
            self._said.close()
            self.line = Line(LABEL, f"not counted: {wrong.strerror}", Mark.WARN)

    def _told(self, status: int) -> Line | None:
        """What the process that has just ended said last, where it failed."""
        with self._said as file:
            file.seek(0)
            lines = file.read().decode(errors="replace").strip().splitlines()
        if status == 0:
            return None
        ended = f"it ended with {status}" if status > 0 else f"it was ended by signal {-status}"
        said = lines[-1].removeprefix("companion: ") if lines else ended
        return Line(LABEL, f"not counted: {said}; `companion stats --count` tries again", Mark.WARN)

    def _leave_off(self) -> None:
        """End the process; what it has not written yet it counts the next time."""
        counting, self._counting = self._counting, None
        self._said.close()
        if counting is None or counting.poll() is not None:
            return
        self._is_due = True
        counting.terminate()
        with suppress(subprocess.TimeoutExpired):
            counting.wait(ENDS_WITHIN_S)
