"""What people take from a match: `page`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.core.text import counted
from companion.referee.protocol import read_protocol
from ui.table.protocol import Printed, time_of_day
from ui.terminal.matches import open_record
from ui.terminal.options import MatchName, RecordPlace
from ui.terminal.past_match import find_match, write_new
from vision.evidence.evidence import small_jpeg

if TYPE_CHECKING:
    from companion.record.evidence import EvidenceFile
    from companion.record.record import Record

OutFile = Annotated[Path, typer.Option(help="A new file.")]


def read_printed(name: str, record: Record) -> Printed:
    """A match of the record with everything that is told of it."""
    loaded = record.load(find_match(name, record))
    kept = record.evidence_of(loaded.match_id)
    folder = record.evidence(loaded.match_id) if kept else None
    return Printed(loaded, read_protocol(loaded.entries, time_of_day), kept, folder)


def thumbnails(printed: Printed) -> Callable[[EvidenceFile], bytes | None]:
    """Its kept pictures, small; None for one that cannot be read."""

    def small(file: EvidenceFile) -> bytes | None:
        try:
            return small_jpeg((printed.folder / file.name).read_bytes()) if printed.folder else None
        except OSError:
            return None

    return small


def page(match: MatchName, out: OutFile, record: RecordPlace = None) -> int:
    """Write a match as one HTML page to step through; `import` takes it back in."""
    from ui.sharing.page import page_of

    with open_record(record) as opened:
        printed = read_printed(match, opened)
        log = opened.export(printed.loaded.match_id)
    write_new(out, page_of(printed, log, thumbnails(printed)))
    told = counted(len(printed.loaded.entries), "line")
    print(f"{out}: match {printed.loaded.match_id}, {told}")  # noqa: T201
    return 1 if printed.troubles else 0
