"""How long tests wait: no verdict of theirs depends on how fast the machine is.

What must come is waited for, however long that takes; how late things may be is measured by
`tests/benchmarks`, on a machine that does nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 600.0
"""A net, not a limit: what has not come by then hangs."""

STALL_S = 60.0
"""By how much a crowded machine may be late at anything."""


def wait_until(
    holds: Callable[[], object],
    why: Callable[[], object] = lambda: "it never came to be so",
    *,
    most_s: float = PATIENCE_S,
    every_s: float = 0.01,
) -> None:
    """Look again and again until it holds; the test fails with `why()` if it never does."""
    until = time.monotonic() + most_s
    while not holds():
        assert time.monotonic() < until, why()
        time.sleep(every_s)
