"""Asking the system to run this process first and to keep it in memory.

Under load the ordinary scheduler wakes a process 3 to 10 ms late, a real-time one 0.1 ms. Both
wishes may be refused; then the process goes on without and says so.
"""

from __future__ import annotations

import ctypes
import gc
import os
from dataclasses import dataclass

PRIORITY = 20
"""Above every ordinary process, below the kernel's own interrupt threads (50)."""

_MCL_CURRENT = 1

_WAY_OUT = (
    "allow it with the lines `@gpio - rtprio 20` and `@gpio - memlock 262144` in "
    "/etc/security/limits.d/companion.conf, then log in again"
)


@dataclass(frozen=True, slots=True)
class RealTime:
    """What the system granted; `note` is a sentence for people."""

    first: bool
    in_memory: bool
    note: str


def ask_first() -> str | None:
    """Ask for SCHED_FIFO for this thread and those it starts; None, or why it was refused."""
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except (OSError, AttributeError) as error:
        return str(error)
    return None


def ask_in_memory() -> str | None:
    """Pin the pages of now in memory; None, or why it was refused.

    Only those of now: with a limit on locked memory, locking the future too would let a later
    allocation fail.
    """
    gc.collect()
    gc.freeze()  # what stands now is never walked again: a collection takes microseconds
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.mlockall(_MCL_CURRENT) == 0:
        return None
    return os.strerror(ctypes.get_errno())


def granted(first: str | None, in_memory: str | None) -> RealTime:
    """Put the two refusals (None: granted) into words."""
    refused = [
        f"{wish} was refused ({why})"
        for wish, why in (("real-time scheduling", first), ("locking memory", in_memory))
        if why is not None
    ]
    note = f"{' and '.join(refused)}: {_WAY_OUT}" if refused else "real-time, locked in memory"
    return RealTime(first is None, in_memory is None, note)
