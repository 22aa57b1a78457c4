"""`companion matches` and `stats`: what the record holds; and how a command opens a record."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from companion.core.errors import BadCall, RecordError
from companion.games import find_rulebook
from companion.record.match import MatchState
from companion.record.record import Record, is_begun
from ui.table.settings_file import SettingsFile
from ui.terminal.options import AsJson, RecordPlace
from ui.terminal.voice import plain, say

if TYPE_CHECKING:
    from rich.console import JustifyMethod

    from companion.record.match import MatchLine


# Opening the record: the one named, or the one this table is set to.


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


# The two commands.

COLOURS = {MatchState.OPEN: "cyan", MatchState.ENDED: "green", MatchState.DAMAGED: "red"}


def matches(record: RecordPlace = None, *, json: AsJson = False) -> int:
    """List the matches of the record, the newest first."""
    with open_record(record) as opened:
        listed = opened.matches()
        name, from_damaged = opened.name, opened.saved_from()
    if json:
        for line in listed:
            say(asdict(line))
    elif not listed:
        _console().print(f"No match is recorded in {plain(name)} yet.", soft_wrap=True)
    else:
        _console().print(_table(listed))
        for line in listed:
            for told in filter(None, (line.damage, line.saved)):
                _console().print(f"[red]{plain(told)}[/]", soft_wrap=True)
    if from_damaged:
        print(f"companion: {from_damaged}", file=sys.stderr)  # noqa: T201
    return 1 if any(line.damage or line.saved for line in listed) else 0


def _console() -> Console:
    return Console(highlight=False)


def _table(listed: Sequence[MatchLine]) -> Table:
    table = Table(box=None, pad_edge=False)
    for heading in ("no.", "match", "begun", "lines", "state", "box"):
        side: JustifyMethod = "right" if heading in ("no.", "lines") else "left"
        table.add_column(heading, justify=side, no_wrap=True)
    table.add_column("who")  # the one that may take a second line
    for line in listed:
        table.add_row(
            str(line.number),
            line.match_id,
            line.begun[:16].replace("T", " "),
            str(line.entries),
            f"[{COLOURS[line.state]}]{line.state}[/]",
            plain(line.box),
            plain(_who(line)),
        )
    return table


def _who(line: MatchLine) -> str:
    """Who won, if it ended, and who sat there; whether only bots did."""
    shown = "demonstration" if line.demonstration else ""
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


def stats(record: RecordPlace = None, *, json: AsJson = False) -> int:
    """Count who won how often."""
    with open_record(record) as opened:
        listed = opened.matches()
    wins = Counter(
        (line.box, " and ".join(line.winners) or "draw")
        for line in listed
        if line.state is MatchState.ENDED
    )
    states = Counter(line.state.value for line in listed)
    if json:
        say({"matches": len(listed), "states": states, "outcomes": _nested(wins)})
        return 0
    counted = "1 match" if len(listed) == 1 else f"{len(listed)} matches"
    _console().print(f"{counted}: {_told(states)}", soft_wrap=True)
    for (box, winner), count in wins.most_common():
        _console().print(f"{box}: {plain(winner)} {count}", soft_wrap=True)
    return 0


def _told(states: Counter[str]) -> str:
    return ", ".join(f"{count} {state}" for state, count in states.most_common()) or "none"


def _nested(wins: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    nested: dict[str, dict[str, int]] = {}
    for (box, winner), count in wins.items():
        nested.setdefault(box, {})[winner] = count
    return nested
