"""The record that a command means: the one named, or the one this table is set to."""

from __future__ import annotations

import sys
from pathlib import Path

from companion.record import Record
from ui.settings_file import SettingsFile


def open_record(place: str | None) -> Record:
    """Open it and tell on standard error what opening brought to light; RecordError otherwise."""
    record = Record.open(place or SettingsFile.load().settings.record_place)
    for said in (*record.said, *([record.read_only] if record.read_only else [])):
        print(f"companion: {said}", file=sys.stderr)  # noqa: T201 - this is the terminal
    return record


def is_there(name: str) -> bool:
    """Whether an argument names a file rather than a match."""
    return Path(name).is_file()
