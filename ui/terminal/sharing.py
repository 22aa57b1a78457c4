"""What leaves this table: a match by `page` or `sheet`, to look on by `live`, all by `sync`."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, wait
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from companion.core.errors import BadCall, CompanionError, RecordError
from companion.core.round_clock import RoundClock
from companion.core.text import counted, without_secrets
from companion.match.match import Match
from companion.record.place import is_begun
from companion.record.record import Record
from ui.table.settings_file import SettingsFile
from ui.terminal.options import MatchName, RecordPlace
from ui.terminal.past_match import named_as, read_printed, tell_troubles, write_new
from ui.terminal.record import console, open_record, shown_progress, tell
from ui.terminal.voice import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.match.entry import Entry
    from companion.record.club import Carried
    from ui.live.feed import LiveShow

T = TypeVar("T")
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
    at: Annotated[
        str, typer.Option(help="Where it is served; 0.0.0.0:8080 lets phones reach it.")
    ] = "127.0.0.1:8080",
    broker: Annotated[str, typer.Option(help="An MQTT broker that is told too.")] = "",
) -> int:
    """Serve a page on which browsers follow the newest match; Ctrl-C ends it."""
    from ui.live.feed import LiveShow

    with open_record(record) as opened:
        show = LiveShow(at, broker)
        print(f"{show.url} and {show.url}overlay; Ctrl-C ends it", flush=True)  # noqa: T201
        if show.is_here_alone:
            tell("no phone reaches it there: --at 0.0.0.0:8080 serves it in this machine's network")
        try:
            _follow(opened, show)
        except KeyboardInterrupt:
            return 0
        finally:
            show.close()
    raise BadCall(show.trouble)


def _follow(record: Record, show: LiveShow) -> None:
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


# `companion sync`: a club's tables and the record that they share.


def sync(
    club: Annotated[
        str | None, typer.Argument(help="The club's record: a URL or a path; else the setting.")
    ] = None,
    record: RecordPlace = None,
    *,
    whole: Annotated[
        bool, typer.Option("--whole", help="Compare everything, not what is new alone.")
    ] = False,
) -> int:
    """Carry matches and players between this record and a club's; 1 if people must look at one.

    A match that was changed on both sides stays as it is on both, and is told each time.
    """
    named = club or SettingsFile.load().settings.club
    if not named:
        raise BadCall("name the club's record: companion sync postgresql://club@host/matches")
    with shown_progress() as bar:
        task = bar.add_task("comparing")

        def progress(at: int, of: int) -> None:
            bar.update(task, completed=at, total=of)

        name, done = heard_from(
            named, lambda: _carry(record, named, whole=whole, progress=progress)
        )
    for told in done.told:
        console().print(f"[red]{plain(told)}[/]", soft_wrap=True)
    console().print(plain(f"{name}: {done}"), soft_wrap=True)
    return 1 if done.told else 0


def _carry(
    record: str | None, club: str, *, whole: bool, progress: Callable[[int, int], None]
) -> tuple[str, Carried]:
    """What was carried, and what the club's record is called."""
    from companion.record.club import carry

    is_new = not is_begun(club)
    with ExitStack() as opened:
        here = opened.enter_context(open_record(record, adds=True))
        own = here.outbox.identity()  # a record that takes nothing begins no other
        there = opened.enter_context(Record.open(club))
        if is_new:
            tell(f"there was nothing at {there.name}: a new club's record is begun there")
        if here.name == there.name or own == there.outbox.identity():
            raise BadCall(f"{there.name} is this table's own record")
        return there.name, carry(here, there, whole=whole, progress=progress)


SILENT_S = 30.0
"""A server that works ends each statement sooner, or gives it up (`record/store.py`)."""


def heard_from(club: str, call: Callable[[], T]) -> T:
    """What a call comes to that asks a club's record; RecordError once that has fallen silent.

    Then the call is left behind in its thread: a server that stands still ends no statement.
    """
    from sqlalchemy import Engine, event

    heard = [monotonic()]

    def answered(*_: object) -> None:
        heard[0] = monotonic()

    coming: Future[T] = Future()

    def calls() -> None:
        try:
            coming.set_result(call())
        except BaseException as wrong:  # noqa: BLE001 - raised where it is waited for
            coming.set_exception(wrong)

    event.listen(Engine, "after_cursor_execute", answered)
    try:
        Thread(target=calls, name="club", daemon=True).start()
        while not coming.done():
            if monotonic() - heard[0] > SILENT_S:
                told = f"{club} has not answered for {SILENT_S:g} s"
                raise RecordError(without_secrets(f"{told}; what was carried stays, call again"))
            wait([coming], SILENT_S / 10)
    finally:
        event.remove(Engine, "after_cursor_execute", answered)
    return coming.result()
