"""What people take from a match: `page`, `sheet`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.core.text import counted
from ui.terminal.matches import open_record
from ui.terminal.options import MatchName, RecordPlace
from ui.terminal.past_match import read_printed, write_new

OutFile = Annotated[Path, typer.Option(help="A new file.")]


def page(match: MatchName, out: OutFile, record: RecordPlace = None) -> int:
    """Write a match as one HTML page to step through; `import` takes it back in."""
    from ui.sharing.page import page_of

    with open_record(record) as opened:
        printed = read_printed(match, opened)
        log = opened.export(printed.loaded.match_id)
    write_new(out, page_of(printed, log, printed.thumbnail))
    told = counted(len(printed.loaded.entries), "line")
    print(f"{out}: match {printed.loaded.match_id}, {told}")  # noqa: T201
    return 1 if printed.troubles else 0


def sheet(match: MatchName, out: OutFile, record: RecordPlace = None) -> int:
    """Write a match's score sheet as PDF on one page, with lines for signatures."""
    from ui.sharing.sheet import score_sheet

    with open_record(record) as opened:
        printed = read_printed(match, opened)
    write_new(out, score_sheet(printed))
    print(f"{out}: match {printed.loaded.match_id}, {printed.result}")  # noqa: T201
    return 1 if printed.troubles else 0
