"""No sleep during a match: the machine neither sleeps nor idles while one is under way.

`systemd-inhibit` holds the lock for as long as its child lives; it dies with us, whatever ends us.
Where there is no such program, or it is refused, the machine goes by its own settings.
"""

from __future__ import annotations

import logging
import shutil
import subprocess

PROGRAM = "systemd-inhibit"
_log = logging.getLogger(__name__)


class Awake:
    """Keeps the machine awake while `keep` is told that it must be."""

    def __init__(self) -> None:
        self._lock: subprocess.Popen[bytes] | None = None
        self._refused = False

    @property
    def held(self) -> bool:
        """Whether the machine is kept awake now."""
        return self._lock is not None and self._lock.poll() is None

    def keep(self, *, needed: bool) -> None:
        """Take the lock or let go of it; the same word twice changes nothing."""
        if not needed:
            self._let_go()
            self._refused = False
        elif self._lock is None and not self._refused:
            self._take()
        elif self._lock is not None and self._lock.poll() is not None:
            _log.info("%s refused to keep the machine awake", PROGRAM)
            self._let_go()
            self._refused = True

    def _take(self) -> None:
        program = shutil.which(PROGRAM)
        if program is None:
            self._refused = True
            return
        what = ("--what=sleep:idle", "--mode=block", "--who=companion", "--why=a match runs")
        try:
            self._lock = subprocess.Popen(
                [program, *what, "cat"],  # `cat` ends with the pipe, and the pipe with us
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            self._refused = True

    def _let_go(self) -> None:
        lock, self._lock = self._lock, None
        if lock is None:
            return
        if lock.stdin is not None:
            lock.stdin.close()
        try:
            lock.wait(1.0)
        except subprocess.TimeoutExpired:
            lock.kill()
            lock.wait()

    def close(self) -> None:
        """Let go of it for good."""
        self._let_go()
