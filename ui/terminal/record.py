"""`companion matches`, `stats`, `players`, `check`, `backup`, `restore`: the record.

Also how a command opens a record.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from csv import DictWriter
from dataclasses import asdict
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, JustifyMethod
from rich.progress import Progress
from rich.table import Table

from companion.core.errors import BadCall, RecordError, RecordReadOnly
from companion.core.offers import Stamp
from companion.core.ruling import TABLE, Seat
from companion.core.text import counted
from companion.games import find_rulebook
from companion.record.backup import KEPT, back_up, put_back, told_of
from companion.record.match import MatchLine, MatchState
from companion.record.place import is_begun
from companion.record.record import Record
from companion.record.signing import TableKey, usual_key
from companion.record.signing import told as told_of_signature
from companion.record.store import behind, is_url
from companion.season.counting import FORM, count_logs, keep_periods
from companion.season.measured import FIGURES, FigureTable, Measured, ToldAs
from companion.season.seating import CountedBy
from companion.season.statistics import (
    COLUMNS,
    Counted,
    MatchFilter,
    count_season,
    count_simulated_season,
    rate_season,
)
from ui.table.settings_file import SettingsFile
from ui.terminal.options import AsJson, RecordPlace
from ui.terminal.voice import plain, say

if TYPE_CHECKING:
    from companion.record.listing import Standings
    from companion.record.players import KnownPlayer, Players


# Opening the record: the one named, or the one this table is set to.


def open_record(place: str | None, *, adds: bool = False) -> Record:
    """Open a record to read in it; RecordError where the one that was named is not there.

    The one this table is set to is begun where there is none: it may be the table's first day.
    Whoever `adds` to it hears that it takes nothing when that fails, and not before, too.
    """
    own = place in (None, "", os.environ.get("COMPANION_RECORD"))
    if place and not own and not is_begun(place):
        raise RecordError(
            f"no such record: {place}; a match that is kept there begins it, "
            "and without --record this table's own is meant"
        )
    record = begin_record(place)
    if record.read_only is not None and not adds:
        tell(record.read_only.looked_at)
    return record


def begin_record(place: str | None) -> Record:
    """Open it, or begin it, and tell on standard error what opening brought to light."""
    record = Record.open(place or SettingsFile.load().settings.record_place)
    for said in record.said:
        tell(said)
    return record


def tell(told: str) -> None:
    """A line on standard error: the answer itself stays as it is."""
    print(f"companion: {told}", file=sys.stderr)  # noqa: T201 - this is the terminal


def is_there(name: str) -> bool:
    """Whether an argument names a file rather than a match."""
    return Path(name).is_file()


# The commands.

COLOURS = {MatchState.OPEN: "cyan", MatchState.ENDED: "green", MatchState.DAMAGED: "red"}
A_PAGE = 50
Page = Annotated[int, typer.Option(min=1, help=f"Which {A_PAGE}, counted from the newest.")]


def matches(record: RecordPlace = None, *, page: Page = 1, json: AsJson = False) -> int:
    """List the matches of the record, the newest first; 1 if one of them is known to be damaged.

    With --json all of them, a line each.
    """
    with open_record(record) as opened:
        listed = opened.matches() if json else _page(opened, page)
        name, from_damaged, count = opened.name, opened.saved_from(), opened.count()
    if json:
        for line in listed:
            say(asdict(line))
    elif not count:
        console().print(f"No match is recorded in {plain(name)} yet.", soft_wrap=True)
    else:
        _print_page(listed, page, count)
    if from_damaged:
        print(f"companion: {from_damaged}", file=sys.stderr)  # noqa: T201
    return 1 if any(line.damage or line.saved for line in listed) else 0


def _page(opened: Record, page: int) -> Sequence[MatchLine]:
    """The matches of a page; BadCall if there are not so many."""
    count = opened.count()
    if page > max(1, _pages(count)):
        raise BadCall(f"matches fill {counted(_pages(count), 'page')}; --page names one of them")
    return opened.matches(A_PAGE, skip=A_PAGE * (page - 1))


def _pages(count: int) -> int:
    return -(-count // A_PAGE)


def _print_page(listed: Sequence[MatchLine], page: int, count: int) -> None:
    console().print(_table(listed, console().width))
    for line in listed:
        for told in filter(None, (line.damage, line.saved)):
            console().print(f"[red]{plain(told)}[/]", soft_wrap=True)
    if _pages(count) > 1:
        more = f"; --page {page + 1} has earlier ones" if page < _pages(count) else ""
        console().print(f"page {page} of {_pages(count)}, {count} matches{more}", soft_wrap=True)


def check(
    match: Annotated[str | None, typer.Argument(help="One match; else every one.")] = None,
    record: RecordPlace = None,
    *,
    all_: Annotated[bool, typer.Option("--all", help="Those verified before, too.")] = False,
    witness: Annotated[
        bool, typer.Option("--witness", help="Then begin a new witness of what stands.")
    ] = False,
) -> int:
    """Read matches whole and hold every line against its seal; 1 if anything is wrong."""
    if match is not None and all_:
        raise BadCall("name a match, or --all of them, not both")
    if match is not None and witness:
        raise BadCall("a witness is begun of the whole record: leave the match away")
    os.nice(_GENTLY)
    with open_record(record, adds=witness) as opened:
        one = opened.find(match) if match is not None else ""
        said, told = _looked_through(opened, one, again=all_)
        begun = ""
        try:
            begun = _witness_begun(opened) if witness else ""
        finally:  # a disk that takes no witness keeps nobody from what was found
            for fault in said:
                console().print(f"[red]{plain(fault)}[/]", soft_wrap=True)
            for signed in _signed_elsewhere(opened, one):
                console().print(plain(signed), soft_wrap=True)
            console().print(plain(f"{told}{begun}"), soft_wrap=True)
            if not one and opened.saved_from():
                tell(opened.saved_from())
    return 1 if said else 0


def _looked_through(opened: Record, one: str, *, again: bool) -> tuple[Sequence[str], str]:
    """What is wrong with the record, or one match of it; and what was done, in a sentence."""
    said = [*(opened.against_witness(one) if one else opened.check_file())]
    wanted = [one] if one else opened.unverified(again=again)
    said += _verified(opened, wanted)
    if not one:
        known = [*opened.known_faults()]
        said += [fault for fault in known if fault not in (*said, opened.saved_from())]
    if not (one or opened.read_only):
        said += filter(None, [_in_none(_count_all(opened, anew=again))])
    left = 0 if one else opened.count() - len(wanted)
    before = f"; {left} were verified before, --all reads them again" if left else ""
    state = "with faults" if said else "all sound" if len(wanted) != 1 else "sound"
    kept = "; none of it is noted, as the record takes nothing" if opened.read_only else ""
    done = f"{counted(len(wanted), 'match', 'matches')} verified, {state}{before}{kept}"
    return said, done if wanted else f"nothing new to verify{before}"


def _signed_elsewhere(opened: Record, one: str) -> Sequence[str]:
    """Which matches other tables have signed: no fault, where somebody has brought them here."""
    own = TableKey.known_at(usual_key())
    of: dict[str, list[str]] = {}
    for match_id, signature in () if own is None else opened.not_signed_by(own, one):
        of.setdefault(told_of_signature(signature), []).append(match_id)
    return [
        f"{counted(len(ids), 'match is', 'matches are')} {words}: {_some(ids)}"
        for words, ids in of.items()
    ]


def _witness_begun(opened: Record) -> str:
    """Begin a new witness, once everything was held against the old one; what is told of it."""
    aside = opened.begin_witness_anew(now_utc())
    kept = f"; the old one is kept as {aside}" if aside is not None else ""
    return f"; a new witness has seen every match as it stands{kept}"


_GENTLY = 10
"""A table that plays meanwhile goes first."""


def _verified(opened: Record, wanted: Sequence[str]) -> list[str]:
    """What is wrong with matches; a bar on standard error tells how far it is."""
    said: list[str] = []
    with shown_progress() as bar:
        found = opened.verify(wanted, now_utc())
        for troubles in bar.track(found, len(wanted), description="verifying"):
            said += troubles
    return said


def shown_progress() -> Progress:
    """A bar on standard error while something is done; nothing at all where that is no screen."""
    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)


def _count_all(opened: Record, *, anew: bool) -> Sequence[str]:
    """Bring the statistics up to date; with `anew` they are thrown away first. What is in none."""
    unread: list[str] = []
    with suppress(RecordReadOnly):
        if anew:
            opened.sums.forget()
        whole = opened.count()
        with shown_progress() as progress:
            task = progress.add_task("counting", total=whole if anew else None)
            for now in count_logs(opened):
                progress.advance(task, now.number)
                unread += now.unread
        rate_season(opened)
        for _ in keep_periods(opened):
            pass
    return unread


_NAMED = 5
"""So many matches are told by their ids."""


def _in_none(unread: Sequence[str]) -> str:
    """Which matches are in no statistics; nothing where all are."""
    if not unread:
        return ""
    many = counted(len(unread), "match is", "matches are")
    return (
        f"{many} in no statistics, as what the list tells of them cannot be read: {_some(unread)}; "
        "`companion check --all` makes it anew"
    )


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_NAMED]) + (", ..." if len(ids) > _NAMED else "")


def console() -> Console:
    """Where commands print: plain words keep their own colours."""
    return Console(highlight=False)


_WIDE = 100
"""Letters across: a narrower terminal has no room for times of day and numbers of lines."""


def _table(listed: Sequence[MatchLine], wide: int) -> Table:
    is_wide = wide >= _WIDE
    cells: dict[str, Callable[[MatchLine], str]] = {
        "no.": lambda line: str(line.number),
        "match": lambda line: line.match_id,
        "begun": lambda line: line.begun[: 16 if is_wide else 10].replace("T", " "),
        "lines": lambda line: str(line.entries),
        "state": lambda line: f"[{COLOURS[line.state]}]{line.state}[/]",
        "checked": lambda line: line.verified[0 if is_wide else 5 : 10] or "never",
        "box": lambda line: plain(line.box),
        "who": lambda line: plain(_who(line)),  # the one that may take a second line
    }
    if not is_wide:
        del cells["lines"]
    table = Table(box=None, pad_edge=False)
    for heading in cells:
        side: JustifyMethod = "right" if heading in ("no.", "lines") else "left"
        table.add_column(heading, justify=side, no_wrap=heading != "who")
    for line in listed:
        table.add_row(*(cell(line) for cell in cells.values()))
    return table


def _who(line: MatchLine) -> str:
    """Who won, if it ended, and who sat there; whether only bots did, and how."""
    by_bots = "simulated" if line.simulated else "demo"
    shown = by_bots if line.demonstration else ""
    people = _people(line)
    winners = [people.get(side, side) for side in line.winners]
    won = " and ".join(winners) + " won" if winners else "a draw"
    names = ", ".join(people.values())
    return "; ".join(part for part in (shown, won if line.outcome else "", names) if part)


def _people(line: MatchLine) -> dict[str, str]:
    """Who sat where, in the book's order; else what was said of each seat."""
    try:
        rulebook = find_rulebook(line.box).in_variants(line.variants).seated(line.options)
    except BadCall:
        return {str(seat): name for seat, name in line.seats.items()}
    there = (seat for seat in rulebook.seats if seat in line.seats)
    return {seat: rulebook.person(line.seats[seat]) for seat in there}


def backup(
    to: Annotated[Path, typer.Argument(help="A folder that is there, as that of a stick.")],
    record: RecordPlace = None,
    *,
    keep: Annotated[int, typer.Option(min=1, help="So many are kept there.")] = KEPT,
) -> int:
    """Copy the record while it is in use, and verify the copy; 1 if a match in it is damaged."""
    place = _file_of(record)
    with shown_progress() as bar:
        task = bar.add_task("copying")
        made = back_up(
            place,
            to,
            now_utc(),
            keep=keep,
            progress=lambda done, whole: bar.update(task, completed=done, total=whole),
        )
    for told in made.troubles:
        console().print(f"[red]{plain(told)}[/]", soft_wrap=True)
    console().print(plain(told_of(made)), soft_wrap=True)
    return 1 if made.troubles else 0


def restore(
    source: Annotated[Path, typer.Argument(help="A backup, or the folder that has them.")],
    record: RecordPlace = None,
) -> int:
    """Put a backup in the record's place; the record that stands there is kept beside it."""
    place = _file_of(record)
    folder, aside = put_back(source, place, now_utc())
    kept = f"; the record that stood there is kept as {aside}" if aside is not None else ""
    console().print(plain(f"{place} is again what {folder} holds{kept}"), soft_wrap=True)
    return 0


def now_utc() -> str:
    """Now, as ISO 8601 to the millisecond."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _file_of(record: str | None) -> Path:
    """The file of a record; BadCall for one on a server."""
    named = str(record or SettingsFile.load().settings.record_place)
    if is_url(named) and not named.startswith("sqlite:///"):
        raise BadCall("a server's record is backed up by the server's own tools, as pg_dump")
    return Path(named.removeprefix("sqlite:///")).expanduser().absolute()


STATISTICS: Mapping[str, Callable[[tuple[str, str], int], object]] = {
    "box": lambda of, _: of[0],
    "winners": lambda of, _: of[1],
    "matches": lambda _, number: number,
}
"""The columns of `stats`, in CSV and in the rows of its JSON: a row is a box and who won in it."""


_Day = Annotated[str, typer.Option(help="A day or time, as 2026-11 or 2026-11-26.")]


def stats(  # noqa: PLR0913 - the options of a command
    record: RecordPlace = None,
    *,
    by: Annotated[
        list[CountedBy] | None, typer.Option("--by", help="Count by these. Repeats.")
    ] = None,
    box: Annotated[str, typer.Option(help="Only matches of this box.")] = "",
    since: _Day = "",
    until: _Day = "",
    who: Annotated[
        list[str] | None, typer.Option("--who", help="Only matches with this player. Repeats.")
    ] = None,
    json: AsJson = False,
    csv: Annotated[bool, typer.Option("--csv", help="A table for a spreadsheet.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", help="Write a page with plots: FILE.html.")
    ] = None,
    count: Annotated[
        bool, typer.Option("--count", help="Only count what is new, gently; say nothing.")
    ] = False,
    simulated: Annotated[
        bool, typer.Option("--simulated", help="Of simulated matches alone, out of their logs.")
    ] = False,
    most: Annotated[
        int, typer.Option(min=0, help="So many rows a table, those with most matches; 0: all.")
    ] = 50,
) -> int:
    """Count who won how often; demonstrations never count, simulated matches by themselves.

    With --by, a filter or --out: wins and hits with their 95 % intervals, damage, evasion, cards,
    rounds, disputes and players' ratings. With a filter alone by everything there is.
    """
    _refuse_outputs(json + csv, out)
    if count:
        os.nice(_GENTLY)
        with open_record(record) as opened:
            _count_all(opened, anew=False)
        return 0
    if not (by or box or since or until or who or out or simulated):
        return _stats_of_outcomes(record, json=json, csv=csv)
    with open_record(record) as opened:
        wanted = _wanted(opened, box, *_days(since, until), who or ())
        one_more = most + 1 if most and not (json or csv) else 0  # it tells that there are more
        limit = one_more if out is None else _MOST_ON_A_PAGE
        rows, left = _counted_now(opened, by or (), wanted, limit, simulated=simulated)
    if out is not None:
        from ui.sharing.season_page import write_season_page

        write_season_page(out, rows, wanted, simulated=simulated)
        told = "; ".join((f"{out} is written; open it in any browser", *left))
        console().print(plain(told), soft_wrap=True)
        return 0
    if json or csv:
        _say_rows(rows, as_csv=csv)
        return 0
    for told in (*_print_tables(rows, most, simulated=simulated), *left):
        console().print(plain(told), soft_wrap=True)
    return 0


def _refuse_outputs(formats: int, out: Path | None) -> None:
    """BadCall for several at once, and for a page that cannot be written: before all is counted."""
    if formats + (out is not None) > 1:
        raise BadCall("name one of --json, --csv and --out")
    if out is not None:
        from ui.sharing.season_page import refuse_no_page

        refuse_no_page(out)


def _wanted(opened: Record, box: str, since: str, until: str, who: Sequence[str]) -> MatchFilter:
    """BadCall for a box or a player that nobody knows."""
    if box:
        find_rulebook(box)
    known = opened.players()
    return MatchFilter(box, since, until, tuple(known.find(name).name for name in who))


def _counted_now(
    opened: Record, by: Sequence[CountedBy], wanted: MatchFilter, most: int, *, simulated: bool
) -> tuple[Sequence[Counted], Sequence[str]]:
    """The rows that are wanted, and what is told of those that are in none of them."""
    if simulated:
        return count_simulated_season(opened, by, wanted), ()
    left = [*_count_what_is_new(opened), *_left_out(opened.tally())]
    if not wanted.who:
        _keep_months(opened, wanted)
    return count_season(opened, by, wanted, most), left


def _keep_months(opened: Record, wanted: MatchFilter) -> None:
    """Add up the months of these days for a while: the next look at any of them reads no match."""
    began = monotonic()
    if opened.read_only or not (wanted.since or wanted.until):
        return
    with suppress(RecordReadOnly):
        for _ in keep_periods(opened, wanted.since, wanted.until):
            if monotonic() - began > COUNTS_FOR_S:
                return


def _left_out(tally: Standings) -> Sequence[str]:
    """That simulated matches are in none of these figures, and how they are counted."""
    if not tally.simulated:
        return ()
    many = counted(tally.simulated, "simulated match is", "simulated matches are")
    return (f"{many} left out; `companion stats --simulated` counts them by themselves",)


_MOST_ON_A_PAGE = 24
"""Rows of each kind on a page with plots: so many can be told apart."""

COUNTS_FOR_S = 20.0
"""So long `stats` counts matches that are new; a check counts however many there are."""


_UNCOUNTED = (
    "The record takes nothing: matches that ended since they were counted last are in none of "
    "these figures. `companion backup` makes a copy that can be counted"
)


def _count_what_is_new(opened: Record) -> Sequence[str]:
    """Count matches that ended since the last time, for a while; what is left, in sentences."""
    if opened.read_only:
        return (_UNCOUNTED,) if opened.sums.lacks_counts(FORM) else ()
    began, done = monotonic(), 0
    unread: list[str] = []
    with suppress(RecordReadOnly):
        for now in count_logs(opened) if opened.sums.lacks_counts(FORM) else ():
            done += now.number
            unread += now.unread
            if monotonic() - began > COUNTS_FOR_S:
                more = (
                    f"{done} matches were counted now and there are more: "
                    "`companion check` counts all"
                )
                return [*filter(None, (more, _in_none(unread)))]
        rate_season(opened)
    return [*filter(None, (_in_none(unread),))]


def _days(since: str, until: str) -> tuple[str, str]:
    """From when until when, as it was typed; BadCall where one is no day, or nothing is between."""
    first, last = _day(since), _day(until)
    if last and first > behind(last):
        raise BadCall(f"--since {first} is later than --until {last}")
    return first, last


def _day(text: str) -> str:
    """A day or time as it was typed; BadCall where it is none."""
    if text and not (_DAY.fullmatch(text) and _is_in_calendar(text)):
        raise BadCall(f"{text!r} is no day; write it as 2026-11-26, or 2026-11 for a month")
    return text


_DAY = re.compile(r"\d{4}(-\d\d(-\d\d(T[\d:.]+Z?)?)?)?", re.ASCII)


def _is_in_calendar(text: str) -> bool:
    """Whether there is such a year, month, day or time."""
    try:
        datetime.fromisoformat(text + "0001-01-01"[len(text) :])
    except ValueError:
        return False
    return True


def _say_rows(rows: Sequence[Counted], *, as_csv: bool) -> None:
    """As a table for a spreadsheet, or as JSON, a row a line."""
    if not as_csv:
        for row in rows:
            say(row.to_json())
        return
    writer = DictWriter(sys.stdout, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.to_flat() for row in rows)


_SHOWN_WITH = {
    FigureTable.FIRE: (Measured.HITS, Measured.TAKEN),
    FigureTable.HURT: (Measured.HITS, Measured.TAKEN),
    FigureTable.TIMES: (Measured.ROUND,),
}
"""Each table, and the figures of which one must have been counted."""


def _print_tables(rows: Sequence[Counted], most: int, *, simulated: bool) -> Sequence[str]:
    """So many rows of each kind, where a number is said; what is told of those left out."""
    if not rows:
        whose = "simulated match that ended" if simulated else "match that people played to its end"
        return (f"No {whose} is among these.",)
    is_cut = False
    for by, of in groupby(rows, key=lambda row: row.by):
        told = [*of]
        if most and len(told) > most:
            told, is_cut = sorted(told, key=lambda row: (-row.matches, row.name))[:most], True
        _print_counted(f"By {by}", told, _RESULTS)
        for table, shown in _SHOWN_WITH.items():
            if any(row.sum(measured).number for row in told for measured in shown):
                _print_counted(f"{table}, by {by}", told, _cells_of(table))
    more = f"tables end after {most} rows, those with the most matches; --most 0 shows all"
    return (more,) if is_cut else ()


_Cells = Mapping[str, Callable[[Counted], str]]
_RESULTS: _Cells = {
    "matches": lambda row: str(row.matches),
    "won": lambda row: str(row.won),
    "drawn": lambda row: str(row.drawn),
    "share won (95 %)": lambda row: str(row.share),
    "rating": lambda row: f"{row.rating.mu:.1f} ± {row.rating.sigma:.1f}" if row.rating else "",
}


def _cells_of(table: FigureTable) -> _Cells:
    """The columns of a table: of each figure how many there were, how it stands, by what."""
    cells: dict[str, Callable[[Counted], str]] = {}
    for measured, figure in FIGURES.items():
        if figure.table is table:
            columns = {
                figure.number_head: _number,
                figure.head: _value,
                figure.parts_head: _parts,
            }
            cells |= {head: partial(of, measured) for head, of in columns.items() if head}
    return cells


def _number(measured: Measured, row: Counted) -> str:
    return str(row.sum(measured).number)


def _value(measured: Measured, row: Counted) -> str:
    """A share or a mean; no seconds where no clock ran, as in a match of an old release."""
    told = FIGURES[measured].told
    if told is ToldAs.SHARE:
        share = row.share_of(measured)
        return str(share) if share.of else ""
    mean = row.mean_of(measured)
    return "" if told is ToldAs.SECONDS and not mean.total else str(mean)


def _parts(measured: Measured, row: Counted) -> str:
    """By its details: "range 1 60 % of 5, range 2 41 % of 17", or "2: 1 stands, 1 corrected"."""
    parts = row.details(measured)
    if FIGURES[measured].told is ToldAs.SHARE:
        shares = {part: row.share_of(measured, part) for part in parts}
        return ", ".join(f"{part} {one.share:.0%} of {one.of}" for part, one in shares.items())
    ends = {part: row.sum(measured, part).number for part in parts}
    told = ", ".join(f"{number} {end}" for end, number in ends.items())
    return f"{sum(ends.values())}: {told}" if ends else ""


_LONG = {figure.parts_head for figure in FIGURES.values() if figure.told is ToldAs.SHARE}
"""Columns that may take several lines."""


def _print_counted(title: str, rows: Sequence[Counted], cells: _Cells) -> None:
    """A row a name; columns in which no row has anything are left out."""
    console().print(f"[italic]{plain(title)}[/]", soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    told = {heading: [cell(row) for row in rows] for heading, cell in cells.items()}
    told = {heading: column for heading, column in told.items() if any(column)}
    several = len({row.box for row in rows}) > 1
    if several:
        table.add_column("box")
    table.add_column("", min_width=8)
    for heading in told:
        is_long = heading in _LONG
        table.add_column(heading, justify="left" if is_long else "right", no_wrap=not is_long)
    for at, row in enumerate(rows):
        boxes = [plain(row.box)] if several else []
        table.add_row(*boxes, plain(row.name), *(column[at] for column in told.values()))
    console().print(table)


def _stats_of_outcomes(record: str | None, *, json: bool, csv: bool) -> int:
    """Who won how often in each box, of all matches."""
    with open_record(record) as opened:
        tally = opened.tally()
    wins = Counter({(b, " and ".join(w) or "draw"): n for (b, w), n in tally.outcomes.items()})
    states = Counter({state.value: number for state, number in tally.states.items()})
    rows = [
        {name: of(key, number) for name, of in STATISTICS.items()}
        for key, number in wins.most_common()
    ]
    if csv:
        writer = DictWriter(sys.stdout, list(STATISTICS), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return 0
    if json:
        counts = {"matches": tally.matches, "states": states, "outcomes": _nested(wins)}
        counts |= {"demonstrations": tally.demonstrations, "simulated": tally.simulated}
        say({**counts, "rows": rows})
        return 0
    number = counted(tally.matches, "match", "matches")
    shown = tally.demonstrations
    beside = f"; {counted(shown, 'demonstration')} not counted" if shown else ""
    console().print(f"{number}: {_told(states)}{beside}", soft_wrap=True)
    for told in _left_out(tally):
        console().print(told, soft_wrap=True)
    for (box, winners), count in Counter(tally.outcomes).most_common():
        console().print(plain(f"{box}: {_won_so_often(box, winners, count)}"), soft_wrap=True)
    return 0


def _won_so_often(box: str, winners: Sequence[str], count: int) -> str:
    """How often a side won, as the book calls it: "Player B won 3"."""
    titles: Mapping[Seat, str] = {}
    with suppress(BadCall):
        titles = find_rulebook(box).seats
    won = " and ".join(titles.get(Seat(one), one) for one in winners)
    return f"{won} won {count}" if won else counted(count, "draw")


def _told(states: Counter[str]) -> str:
    return ", ".join(f"{count} {state}" for state, count in states.most_common()) or "none"


def _nested(wins: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (box, winner), count in wins.items():
        nested.setdefault(box, {})[winner] = count
    return nested


# `companion players`: which names are one player's. No log is touched.


def players(
    names: Annotated[
        list[str] | None, typer.Argument(help="Names as they were typed; none lists everybody.")
    ] = None,
    record: RecordPlace = None,
    *,
    player: Annotated[
        str | None, typer.Option("--are", help="Whose they are: names are merged, or renamed.")
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Each is a player of its own again.")
    ] = False,
    by: Annotated[str, typer.Option(help="Who says so.")] = str(TABLE),
    json: AsJson = False,
) -> int:
    """List who sat at this table, or say which names are one player's; no match is changed."""
    if player is not None and alone:
        raise BadCall("names are a player's or stand alone, not both")
    if (player is not None or alone) and not names:
        raise BadCall("type the names first: companion players 'A. K.' Anna --are 'Anna Klein'")
    adds = bool(names) and (player is not None or alone)
    with open_record(record, adds=adds) as opened:
        known = opened.players()
        if names and adds:
            known = _say_whose(opened, names, player, by)
        shown = _meant(known, names or [], player)
    if json:
        for one in shown:
            say(asdict(one))
    else:
        _print_players(shown)
    return 0


def _say_whose(opened: Record, names: list[str], player: str | None, by: str) -> Players:
    """Write down whose names these are; each its own where no player is named."""
    if not by.isprintable():
        raise BadCall(f"--by {by!r} is no name: type letters")
    stamp = Stamp(by, now_utc(), 0.0)
    known = there = opened.players()
    for some in [names] if player is not None else [[name] for name in names]:
        known = opened.name_player(some, some[0] if player is None else player, stamp)
    for name in names:
        if not any(one.name == there.of(name) for one in there.known):
            tell(f"nobody has sat at this table as {name!r}; it is noted for when somebody does")
    if player is not None:
        return opened.name_player(names, player, stamp)
    known = opened.players()
    for name in names:
        known = opened.name_player([name], name, stamp)
    return known


def _meant(known: Players, names: list[str], player: str | None) -> list[KnownPlayer]:
    """Everybody, or whoever these names mean now."""
    if not names:
        return list(known.known)
    found = [known.find(name) for name in ([player] if player is not None else names)]
    return [one for at, one in enumerate(found) if one not in found[:at]]


def _print_players(shown: list[KnownPlayer]) -> None:
    if not shown:
        console().print("Nobody has sat at this table under a name yet.")
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("player")
    table.add_column("seats taken", justify="right")
    table.add_column("also written")
    for one in shown:
        others = ", ".join(name for name in one.names if name != one.name)
        table.add_row(plain(one.name), str(one.seats), plain(others))
    console().print(table)
