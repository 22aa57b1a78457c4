"""`companion show`, `replay`, `export` and `import`: one match of the record."""

from __future__ import annotations

import contextlib
import json as json_text
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from companion.commands.origin import why_drifted
from companion.commands.protocol import Printed
from companion.commands.record_here import begin_record, is_there, open_record
from companion.commands.voice import plain
from companion.core.errors import BadCall, Drift
from companion.match.match import Match
from companion.record.file import read_export
from companion.record.lines import read_entry
from companion.referee.protocol import read_protocol
from ui.local_time import time_of_day

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from companion.record.record import Record


def show(name: str, place: str | None, *, json: bool, out: Path | None) -> int:
    """Print the protocol of a match; 1 if it is damaged or cannot be replayed whole.

    With `out` it is written to a new file instead. BadCall: that file is there already.
    """
    with open_record(place) as record:
        loaded = record.load(_find(name, record))
        kept = record.evidence_of(loaded.match_id)
        folder = record.evidence(loaded.match_id) if kept else None
    printed = Printed(loaded, read_protocol(loaded.entries, time_of_day), kept, folder)
    if out is None and not json:
        printed.to_console(_console())
    else:
        text = printed.as_json() if json else printed.as_text()
        if out is None:
            print(text, end="")  # noqa: T201
        else:
            write_new(out, text)
            print(f"{out}: match {loaded.match_id}, {len(loaded.entries)} lines")  # noqa: T201
    return 1 if printed.troubles else 0


def _find(name: str, record: Record) -> str:
    """The match meant; BadCall says of a file how it is taken in."""
    try:
        return record.find(name)
    except BadCall as unknown:
        if not is_there(name):
            raise
        text = f"{name} is a file, no match of this record; `companion import {name}` takes it in"
        raise BadCall(text) from unknown


def show_position(name: str, place: str | None) -> int:
    """Print the position file of where a match stands; 1 if it is damaged."""
    with open_record(place) as record:
        loaded = record.load(_find(name, record))
    try:
        match = Match[Any].replay(loaded.entries)
    except Drift as wrong:
        trouble = loaded.damage or why_drifted(wrong, loaded.entries[0])
        raise BadCall(f"no position can be shown: {trouble}") from wrong
    print(json_text.dumps(match.position_file(), indent=2, ensure_ascii=False))  # noqa: T201
    if loaded.damage:
        print(f"companion: {loaded.damage}", file=sys.stderr)  # noqa: T201
    return 1 if loaded.damage else 0


def replay(name: str, place: str | None) -> int:
    """Re-adjudicate a match of the record or of a file; 1 at the first line that diverges."""
    entries, damage = _entries_of(name, place)
    try:
        match = Match[Any].replay(entries)
    except Drift as drift:
        why = why_drifted(drift, entries[0])
        _console().print(f"[red]diverges:[/] {plain(why)}", soft_wrap=True)
        return 1
    if damage:
        _console().print(f"[red]{plain(damage)}[/]", soft_wrap=True)
        return 1
    digests = sum(1 for entry in entries if entry.digest)
    ended = match.outcome.ruling.text if match.outcome is not None else "it is still open."
    told = f"{len(entries)} lines replayed, {digests} digests equal: {ended}"
    _console().print(plain(told), soft_wrap=True)
    return 0


def _entries_of(name: str, place: str | None) -> tuple[Sequence[Entry], str]:
    """The lines of a match and what is wrong after them; a file is taken before a match."""
    if is_there(name):
        export = read_export(Path(name), good_part=True)
        entries = [read_entry(row.line, row.chain) for row in export.rows]
        return entries, str(export.damage or "")
    with open_record(place) as record:
        loaded = record.load(record.find(name))
    return loaded.entries, loaded.damage or ""


def export(name: str, place: str | None, out: Path | None) -> int:
    """Write a match as JSON lines, to a new file or to standard output; 1 if it is damaged."""
    with open_record(place) as record:
        match_id = _find(name, record)
        loaded, text = record.load(match_id), record.export(match_id)
    if loaded.damage:
        print(f"companion: {loaded.damage}", file=sys.stderr)  # noqa: T201
    if out is None:
        print(text, end="")  # noqa: T201
    else:
        write_new(out, text)
        print(f"{out}: match {match_id}, {len(loaded.entries)} lines")  # noqa: T201
    return 1 if loaded.damage else 0


def write_new(path: Path, text: str) -> None:
    """A file that was not there, on disk before it is told; BadCall where there is one."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as wrong:
        raise BadCall(f"{path} exists; name a new file: no export overwrites another") from wrong
    except OSError as wrong:
        with contextlib.suppress(OSError):  # a torn file would stand in the way of the next try
            path.unlink(missing_ok=True)
        raise BadCall(f"{path} cannot be written: {wrong.strerror}") from wrong


def import_match(path: Path, place: str | None, *, good_part: bool) -> int:
    """Take a match in from a file; 1 if only its good part could be taken."""
    with begin_record(place) as record:
        imported = record.import_file(path, good_part=good_part)
    if imported.damage:
        print(f"companion: {imported.damage}", file=sys.stderr)  # noqa: T201
    if not imported.is_new:
        told = f"match {imported.match_id} is here already; nothing was changed"
    elif imported.match_id != imported.was:
        told = f"match {imported.match_id}: another one is called {imported.was} here"
    else:
        told = f"match {imported.match_id}"
    print(told)  # noqa: T201
    return 1 if imported.damage else 0


def _console() -> Console:
    return Console(highlight=False)
