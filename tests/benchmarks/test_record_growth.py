"""A record of many matches: what people wait for takes the time that it takes with ten.

Each verb is timed in one run on a record of ten matches and on a large one, every time on a record
that was just opened. The large one has five thousand matches here, a hundred thousand in the soak.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from companion.core.offers import Stamp
from companion.match.rulebook import Setup
from companion.record.file import read_export
from companion.record.lines import (
    UNSEALED,
    Closing,
    Length,
    StoredLine,
    next_row,
    read_entry,
    seal,
    write_closing,
)
from companion.record.record import Record
from ui.table.past_matches import latest_arbiters, past_matches

if TYPE_CHECKING:
    from companion.match.entry import Entry
    from tests.benchmarks.conftest import Table

GOLDEN = Path(__file__).parents[1] / "golden" / "jaws-and-paws-edition-2-day-2.jsonl"
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
FEW, MANY, MOST = 10, 5_000, 100_000
ROUNDS = 15
RATIO = 1.2
SLACK_MS = 4.0
"""Of more pages more are read from the disk at the first look: besides the ratio."""
PAGE_MS = 50.0


def of_many(log: list[Entry], number: int) -> Iterator[tuple[str, list[StoredLine]]]:
    """A real match, so many times; each is sealed anew from a first line of its own."""
    first: Any = log[0].answer
    for n in range(number):
        answer = {**first, "seats": {"JP": f"Player {n}", "PP": f"Player {n % 97}"}}
        at_utc = f"{2000 + n % 26}-{n // 26 % 12 + 1:02}-{n // 312 % 28 + 1:02}T19:00:00Z"
        rows = [next_row(UNSEALED, log[0]._replace(answer=answer, at_utc=at_utc))]
        for entry in log[1:]:
            rows.append(next_row(rows[-1].chain, entry))
        yield rows[0].chain[:10], rows


def grown(path: Path, number: int) -> Path:
    """A record of so many matches that Jaws won."""
    Record.open(path).close()
    log = [read_entry(row.line) for row in read_export(GOLDEN).rows]
    text = write_closing(Closing("Jaws win.", "JP-11.1", ("Jaws",), ()), len(log))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("PRAGMA synchronous=OFF")
        for match_id, rows in of_many(log, number):
            end, last = (match_id, text, seal(rows[-1].chain, text)), Length.up_to(rows[-1])
            head = (match_id, rows[0].line, rows[0].chain)
            database.execute("INSERT INTO matches (id, line, chain) VALUES (?, ?, ?)", head)
            lines = [(match_id, row.seq, row.line, row.chain) for row in rows]
            database.executemany("INSERT INTO entries VALUES (?, ?, ?, ?)", lines)
            length = (match_id, last.lines, last.chain, last.seal(match_id))
            database.execute("INSERT INTO lengths VALUES (?, ?, ?, ?)", length)
            database.execute("INSERT INTO closings VALUES (?, ?, ?)", end)
    Record.open(path).close()  # it makes the list, once
    return path


def show_last(record: Record) -> None:
    assert record.load(record.find("last")).damage is None


def app_start(record: Record) -> None:
    """What home asks of the record."""
    assert past_matches(record)
    latest_arbiters(record)


def page_in_the_middle(record: Record) -> None:
    assert record.matches(50, skip=record.count() // 2)


def statistics_page(record: Record) -> None:
    assert record.tally().matches


def create(record: Record) -> None:
    record.create(Setup("jaws-and-paws", ("day",)), STAMP)


def import_again(record: Record) -> None:
    record.import_file(GOLDEN)


VERBS: dict[str, Callable[[Record], None]] = {
    "show last": show_last,
    "app start": app_start,
    "create a match": create,
    "import a match": import_again,
}
PAGES: dict[str, Callable[[Record], None]] = {
    "page of the list": page_in_the_middle,
    "statistics": statistics_page,
}


def median_ms(path: Path, verb: Callable[[Record], None], *, opening: bool = True) -> float:
    """Opening the record and the verb; or the verb alone."""
    taken: list[float] = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        with Record.open(path) as record:
            opened = time.perf_counter()
            verb(record)
            taken.append(time.perf_counter() - (start if opening else opened))
    return statistics.median(taken) * 1000


@pytest.mark.parametrize(
    "number", [MANY, pytest.param(MOST, marks=pytest.mark.soak)], ids=lambda n: f"{n}"
)
def test_verbs_take_the_time_that_they_take_with_ten(
    tmp_path: Path, table_of_speeds: Table, number: int
) -> None:
    """Opened anew each time; a page of the list or of statistics within 50 ms."""
    few, many = grown(tmp_path / "few.db", FEW), grown(tmp_path / "many.db", number)
    held: list[bool] = []
    for name, verb in VERBS.items():
        ours, reference = median_ms(many, verb), median_ms(few, verb)
        row = f"{name}, {number:,} matches / {FEW}"
        held.append(table_of_speeds.at_most(row, ours, reference, RATIO, "ms", besides=SLACK_MS))
    for name, verb in PAGES.items():
        row = f"{name} of {number:,} / {PAGE_MS:g} ms"
        ours = median_ms(many, verb, opening=False)
        held.append(table_of_speeds.at_most(row, ours, PAGE_MS, 1.0, "ms"))
    assert all(held), table_of_speeds.rows
