"""A timer for `poll` that fires at an absolute monotonic time (Linux timerfd).

`select`, `poll` and `epoll` round a long time-out up: 20 ms late at 20 s. A timerfd is a file
descriptor that becomes readable at its time, so one `poll` without a time-out waits for the
deadline, the socket and the buttons at once, to a tenth of a millisecond.
"""

from __future__ import annotations

import ctypes
import os
import time
from typing import Self

_CLOCK_MONOTONIC = 1
_TFD_TIMER_ABSTIME = 1
_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC  # what TFD_NONBLOCK and TFD_CLOEXEC are


class _Timespec(ctypes.Structure):
    _fields_ = (("sec", ctypes.c_long), ("nsec", ctypes.c_long))


class _Itimerspec(ctypes.Structure):
    _fields_ = (("interval", _Timespec), ("value", _Timespec))


_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


class AbsoluteTimer:
    """Readable from a given moment on.

    >>> with AbsoluteTimer() as timer:
    ...     timer.set(time.monotonic() - 1.0)  # what is past fires at once
    ...     timer.fired()
    True
    """

    def __init__(self) -> None:
        self._fd = _checked(_libc.timerfd_create(_CLOCK_MONOTONIC, _FLAGS))

    def fileno(self) -> int:
        """The descriptor, as `select.poll` wants it."""
        return self._fd

    def set(self, at: float | None) -> None:
        """Fire at `at` (monotonic s), in place of what was set; None: never."""
        sec, nsec = (0, 0) if at is None else divmod(max(1, round(at * 1e9)), 1_000_000_000)
        spec = _Itimerspec(_Timespec(0, 0), _Timespec(sec, nsec))
        _checked(_libc.timerfd_settime(self._fd, _TFD_TIMER_ABSTIME, ctypes.byref(spec), None))

    def fired(self) -> bool:
        """Whether it has fired since it was last set or asked."""
        try:
            os.read(self._fd, 8)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def sleep_until(at: float) -> None:
    """Sleep to an absolute monotonic time; at once where it is past.

    `time.sleep` is an absolute clock_nanosleep from Python 3.11 on.
    """
    ahead = at - time.monotonic()
    if ahead > 0.0:
        time.sleep(ahead)
