"""The record that a command means: the one named, or the one this table is set to."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.core.errors import RecordError
from companion.record.record import Record, is_begun
from ui.settings_file import SettingsFile


def open_record(place: str | None) -> Record:
    """Open a record to read in it; RecordError where the one that was named is not there.

    The one this table is set to is begun where there is none: it may be the table's first day.
    """
    own = place in (None, "", os.environ.get("COMPANION_RECORD"))
    if place and not own and not is_begun(place):
        raise RecordError(
            f"no such record: {place}; a match that is kept there begins it, "
            "and without --record this table's own is meant"
        )
    return begin_record(place)


def begin_record(place: str | None) -> Record:
    """Open it, or begin it, and tell on standard error what opening brought to light."""
    record = Record.open(place or SettingsFile.load().settings.record_place)
    for said in (*record.said, *([record.read_only] if record.read_only else [])):
        print(f"companion: {said}", file=sys.stderr)  # noqa: T201 - this is the terminal
    return record


def is_there(name: str) -> bool:
    """Whether an argument names a file rather than a match."""
    return Path(name).is_file()
