"""What people take from a match, and how they look on: `page`, `sheet`, `live`."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion.core.errors import BadCall, CompanionError
from companion.core.round_clock import RoundClock
from companion.core.text import counted
from companion.match.match import Match
from ui.terminal.options import MatchName, RecordPlace
from ui.terminal.past_match import named_as, read_printed, tell_troubles, write_new
from ui.terminal.record import open_record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.match.entry import Entry
    from companion.record.record import Record

OutFile = Annotated[Path, typer.Option(help="A new file.")]


def page(match: MatchName, out: OutFile, record: RecordPlace = None) -> int:
    """Write a match as one HTML page to step through; `import` takes it back in."""
    from ui.sharing.page import page_of

    named_as(out, "a page", ".html", besides=(".htm",))
    with open_record(record) as opened:
        printed = read_printed(match, opened)
        log = opened.export(printed.loaded.match_id)
    write_new(out, page_of(printed, log, printed.thumbnail))
    told = counted(len(printed.loaded.entries), "line")
    print(f"{out}: match {printed.loaded.match_id}, {told}")  # noqa: T201
    tell_troubles(printed)
    return 1 if printed.troubles else 0


def sheet(match: MatchName, out: OutFile, record: RecordPlace = None) -> int:
    """Write a match's score sheet as PDF on one page, with lines for signatures."""
    from ui.sharing.sheet import score_sheet

    named_as(out, "a score sheet", ".pdf")
    with open_record(record) as opened:
        printed = read_printed(match, opened)
    write_new(out, score_sheet(printed))
    print(f"{out}: match {printed.loaded.match_id}, {printed.result}")  # noqa: T201
    tell_troubles(printed)
    return 1 if printed.troubles else 0


# `companion live`: the newest match of the record, for browsers.

LOOK_S = 0.3


def live(
    record: RecordPlace = None,
    at: Annotated[str, typer.Option(help="Where it is served.")] = "127.0.0.1:8080",
    broker: Annotated[str, typer.Option(help="An MQTT broker that is told too.")] = "",
) -> int:
    """Serve a page on which browsers follow the newest match; Ctrl-C ends it."""
    from ui.live.feed import LiveShow

    with open_record(record) as opened:
        show = LiveShow(at, broker)
        print(f"{show.url} and {show.url}overlay; Ctrl-C ends it", flush=True)  # noqa: T201
        try:
            _follow(opened, show)
        except KeyboardInterrupt:
            return 0
        finally:
            show.close()
    raise BadCall(show.trouble)


def _follow(record: Record, show: Any) -> None:
    """Look for new lines until nobody is served any more."""
    seen: tuple[str, int] | None = None
    match: Match[Any] | None = None
    while not show.trouble:
        newest = next(iter(record.matches(1)), None)
        if newest is not None and (newest.match_id, newest.entries) != seen:
            seen = (newest.match_id, newest.entries)
            try:
                match = Match[Any].replay(record.load(newest.match_id).entries)
            except CompanionError:
                match = None  # damaged, or another version's: there is nothing to show
        now = time.time()
        clock = None if match is None else clock_in(match.entries)
        show.tick(match, "" if seen is None else seen[0], clock, now)
        time.sleep(LOOK_S)


def clock_in(entries: Sequence[Entry]) -> RoundClock | None:
    """The clock as the log's last line of it left it, in Unix time; None where none is shown."""
    last = next((entry for entry in reversed(entries) if entry.kind == "clock"), None)
    if last is None or not isinstance(last.answer, dict):
        return None
    event, rest = last.answer.get("event"), last.answer.get("rest_s")
    after = [entry for entry in entries[last.seq :] if entry.kind == "answer"]
    if not isinstance(rest, int | float) or event in ("stopped", "ended", "sounded"):
        return None
    if any(entry.source == "clock" for entry in after):
        return None
    runs = event in ("started", "resumed", "adopted", "given", "set", "sounds again")
    try:
        since = datetime.fromisoformat(last.at_utc).timestamp() if runs else None
    except ValueError:
        return None
    return RoundClock(last.key, max(0.0, float(rest)), max(0.0, float(rest)), since)
