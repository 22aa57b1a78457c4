"""A line that is on disk before it is confirmed, beside a bare SQLite insert as safe as that."""

from __future__ import annotations

import sqlite3
import statistics
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.lines import write_entry
from companion.record.record import Record

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

LINES = 400
"""Lines each way and round: a long match."""

AIM = 2.0
"""Durable append over a bare insert with synchronous=FULL."""


def an_answer(seq: int) -> Entry:
    """A line as a match logs it."""
    return Entry(
        seq,
        "answer",
        f"round-{seq}/section-2/reveal/jaws",
        "MPL own",
        author="Ana",
        source="touch",
        at_utc="2026-11-21T19:00:00Z",
        match_s=seq * 1.5,
    )


def bare_insert(path: Path) -> Callable[[int], None]:
    """The same text into the same key with the standard library alone, committed and synced."""
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("PRAGMA synchronous=FULL")
    database.execute(
        "CREATE TABLE lines (match_id TEXT, seq INTEGER, line TEXT, UNIQUE (match_id, seq))"
    )
    text = write_entry(an_answer(1))

    def insert(seq: int) -> None:
        database.execute("INSERT INTO lines VALUES ('a-match', ?, ?)", (seq, text))
        database.commit()

    return insert


def durable_append(record: Record) -> Callable[[int], None]:
    """What the referee does before anything is shown as confirmed."""
    match_id = record.create(Setup("jaws-and-paws"), Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))

    def append(seq: int) -> None:
        record.append(match_id, [an_answer(seq)])

    return append


def taken_s(write: Callable[[int], None], first: int, count: int) -> list[float]:
    """How long each of `count` writes took."""
    times: list[float] = []
    for seq in range(first, first + count):
        began = time.perf_counter()
        write(seq)
        times.append(time.perf_counter() - began)
    return times


def test_a_durable_append_costs_at_most_two_bare_inserts(
    tmp_path: Path, table_of_speeds: Table
) -> None:
    """Turn and turn about in one run, so that both meet the same disk; medians are compared."""
    bare_s: list[float] = []
    ours_s: list[float] = []
    with Record.open(tmp_path / "record.db") as record:
        bare, ours = bare_insert(tmp_path / "bare.db"), durable_append(record)
        for first in range(1, LINES, 20):
            bare_s += taken_s(bare, first, 20)
            ours_s += taken_s(ours, first, 20)
    ours_us, bare_us = (1e6 * statistics.median(taken) for taken in (ours_s, bare_s))
    assert table_of_speeds.at_most(
        "durable append, beside a bare insert", ours_us, bare_us, AIM, "us"
    )
