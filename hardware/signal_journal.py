"""The journal of what sounded when: one JSON line each, appended beside the socket.

A program that was stopped or killed while a round ran learns from it afterwards what the table
heard. Lines carry the boot's id, for monotonic times of another boot mean nothing, and UTC for
people. A torn or foreign line is passed over.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from companion.offers import Json, SignalEvent, SignalKind
from hardware.signal_protocol import BadRequest, parse_object, read_told, write_line

SIZE_MAX = 1_000_000
"""Bytes after which a new server sets the journal aside: about 5,000 rounds."""


class Journal:
    """The open journal of one server; a full disk stops the writing and nothing else."""

    def __init__(self, path: Path, boot: str) -> None:
        self._boot = boot
        self._fd = -1
        self.trouble: str | None = None
        try:
            if path.exists() and path.stat().st_size > SIZE_MAX:
                path.replace(path.with_suffix(".old.jsonl"))
            flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
            self._fd = os.open(path, flags, 0o600)
            self._end_torn_line()
        except OSError as error:
            self.trouble = str(error)

    def _end_torn_line(self) -> None:
        size = os.fstat(self._fd).st_size
        if size and os.pread(self._fd, 1, size - 1) != b"\n":
            os.write(self._fd, b"\n")

    def append(self, fields: Mapping[str, Json]) -> None:
        """Add a line, dated in UTC; where the disk refuses, `trouble` says why."""
        line = write_line({"boot": self._boot, "utc": utc_now(), **fields})
        if self._fd < 0:
            return
        try:
            os.write(self._fd, line)
        except OSError as error:
            self.trouble = str(error)

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
        self._fd = -1


def utc_now() -> str:
    """The present moment in UTC, ISO 8601 with milliseconds and a trailing Z."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def read_journal(path: Path, boot: str, round_id: str) -> list[SignalEvent]:
    """What was signalled for a round in this boot, oldest first; empty where nothing was."""
    events: list[SignalEvent] = []
    named = json.dumps(round_id).encode("ascii")  # most lines are of other rounds: not parsed
    for source in (path.with_suffix(".old.jsonl"), path):
        with suppress(OSError):
            for line in source.read_bytes().splitlines():
                event = _event_of(line, boot) if named in line else None
                if event is not None and event.round_id == round_id:
                    events.append(event)
    return events


def zero_of(events: Sequence[SignalEvent]) -> SignalEvent | None:
    """The zero that sounded since the round was last armed; None if it has not."""
    latest = events[-1] if events else None
    return latest if latest is not None and latest.kind is SignalKind.ZERO else None


def _event_of(line: bytes, boot: str) -> SignalEvent | None:
    try:
        fields = parse_object(line)
        told = read_told(fields) if fields.get("boot") == boot and "event" in fields else None
    except BadRequest:
        return None
    return told if isinstance(told, SignalEvent) else None
