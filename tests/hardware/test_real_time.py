"""What the system grants, in words."""

from __future__ import annotations

import errno
import gc
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.panel import deadline
from hardware.panel.deadline import PRIORITY, granted

TOP = Path(__file__).resolve().parents[2]

ASK = """
import gc
import os
from pathlib import Path
from hardware.panel.deadline import PRIORITY, ask_first, ask_in_memory

def locked_kb():
    status = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in status if line.startswith("VmLck")).split()[1])

refused = ask_first()
first = os.sched_getscheduler(0) == os.SCHED_FIFO
print((refused is None) == first, first == (os.sched_getparam(0).sched_priority == PRIORITY))
print((ask_in_memory() is None) == (locked_kb() > 0), gc.get_freeze_count() > 0)
"""


@pytest.mark.parametrize(
    ("first", "in_memory", "words"),
    [
        (None, None, "real-time, locked in memory"),
        ("no", None, "real-time scheduling was refused (no): allow it"),
        (None, "full", "locking memory was refused (full): allow it"),
        ("no", "full", "refused (no) and locking memory was refused (full): allow it"),
    ],
)
def test_a_refusal_is_said_with_the_way_out(
    first: str | None, in_memory: str | None, words: str
) -> None:
    """It goes on without, and says so: the file to write stands in the sentence."""
    said = granted(first, in_memory)
    assert (said.first, said.in_memory) == (first is None, in_memory is None)
    assert words in said.note
    assert ("limits.d/companion.conf" in said.note) == bool(first or in_memory)


def test_the_way_out_asks_for_the_priority_that_is_wanted() -> None:
    """Neither more nor less than the kernel would have to grant."""
    assert f"rtprio {PRIORITY}`" in granted("no", None).note


def test_asking_tells_the_truth() -> None:
    """In a program of its own: what was said to be granted is what the kernel has."""
    command = [sys.executable, "-c", ASK]
    said = subprocess.run(command, capture_output=True, text=True, cwd=TOP, check=True).stdout
    assert said == "True True\nTrue True\n"
    assert os.sched_getscheduler(0) == os.SCHED_OTHER, "the tests themselves stay ordinary"


def test_why_memory_is_not_locked_is_what_the_kernel_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked for pages that there are not, it names the fault."""
    monkeypatch.setattr(deadline, "_MCL_CURRENT", 1 << 20)
    try:
        assert deadline.ask_in_memory() == os.strerror(errno.EINVAL)
    finally:
        gc.unfreeze()
