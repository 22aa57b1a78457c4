"""How much room the record still has, as a line at the foot of home."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from ui.presenters.common import Line, Mark

if TYPE_CHECKING:
    from companion.record.record import Record

LABEL = "Disk space"
LOW_MB, FULL_MB = 200, 20
LARGE_MB = 10_000
MEGABYTE = 1_000_000


def disk_line(record: Record) -> tuple[Line, ...]:
    """One line; none for a record on a server."""
    if record.read_only:
        return (Line(LABEL, f"read-only: {record.read_only}", Mark.BAD),)
    path = Path(record.name)
    if "://" in record.name or not path.parent.exists():
        return ()
    free_mb = shutil.disk_usage(path.parent).free // MEGABYTE
    mark = Mark.OK if free_mb >= LOW_MB else Mark.WARN if free_mb >= FULL_MB else Mark.BAD
    return (Line(LABEL, f"{_in_words(free_mb)} left", mark),)


def _in_words(free_mb: int) -> str:
    """In the unit in which people have the figure before them.

    >>> _in_words(61), _in_words(76152)
    ('61 MB', '76 GB')
    """
    return f"{free_mb} MB" if free_mb < LARGE_MB else f"{free_mb // 1000} GB"
