"""What is kept of months and years is what their matches add, whatever becomes of these."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.match import Match
from companion.record.file import Export, read_export
from companion.record.lines import UNSEALED, StoredLine, next_row, read_entry, seal
from companion.record.match import MatchState
from companion.record.record import Record
from companion.record.sums import KeptFigures, Sum, periods_within
from companion.season import statistics
from companion.season.adding import MatchCount
from companion.season.counting import count_logs, keep_periods
from companion.season.measured import Measured
from companion.season.seating import ALL_KINDS
from companion.season.statistics import Counted, MatchFilter, count_season

GOLDEN = Path(__file__).parents[2] / "golden"
SHORT = ("talespin-dogfight-edition-2-two-1", "jaws-and-paws-edition-2-two-players")
DAYS = ("2025-12-31", "2026-01-01", "2026-01-31", "2026-02-14", "2026-03-02")
NAMES = ("Ana", "Bo", "A. K.", "Cleo", "")
RANGES = (
    ("2026-01", "2026-01"),
    ("2026-01-01", "2026-01-31"),
    ("2026-01-02", ""),
    ("", "2026-02-13"),
    ("2025", "2026"),
    ("2026", "2026-02"),
)
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
Rows = list[dict[str, object]]


def ended(kind: str, at_utc: str, people: Sequence[str]) -> Export:
    """A real match, begun on such a day by such people: sealed anew from a first line of its own.

    Its first seat has won it.
    """
    old = [read_entry(row.line) for row in read_export(GOLDEN / f"{kind}.jsonl").rows]
    first: Any = old[0].answer
    sat = dict(zip(first["seats"], people, strict=False)) or first["seats"]
    head = old[0]._replace(answer={**first, "seats": sat}, at_utc=at_utc)
    rows = [next_row(UNSEALED, head)]
    for entry in old[1:]:
        rows.append(next_row(rows[-1].chain, entry))
    line = '{"closing":{"at_utc":"2026","cite":"JP-11.1","outcome":"Won.","rulings":[],"winners":'
    line += f'["{next(iter(first["seats"]), "P1")}"]}},"lines":{len(rows)}}}'
    end = StoredLine(rows[-1].seq + 1, line, seal(rows[-1].chain, line))
    return Export(rows[0].chain[:10], tuple(rows), end)


def flat(rows: Sequence[Counted]) -> Rows:
    return [{**row.to_json(), "rating": None, "rating_sigma": None} for row in rows]


def one_by_one(record: Record, wanted: MatchFilter) -> Rows:
    """The meaning of it: every match of these days, read and added by itself."""
    told = record.sums.told(wanted.box, wanted.since, wanted.until)
    counts = filter(None, map(MatchCount.read, told))
    rows = statistics._counted(counts, record.players(), ALL_KINDS)
    order = statistics._in_order(rows.values())
    return flat([row for kind in ALL_KINDS for row in order if row.by is kind])


def assert_same(record: Record) -> None:
    for since, until in RANGES:
        for box in ("", "jaws-and-paws"):
            wanted = MatchFilter(box, since, until)
            assert flat(count_season(record, (), wanted)) == one_by_one(record, wanted), wanted


class Fate:
    """What becomes of a record's matches, by chance."""

    def __init__(self, record: Record, path: Path, random: Random) -> None:
        self.record, self.path, self.random = record, path, random

    def deeds(self, number: int) -> Iterator[None]:
        """So many; each may have left what is kept behind."""
        every = (self.arrives, self.arrives, self.ends_otherwise, self.goes, self.is_named)
        for at in range(number):
            (self.arrives if at < 3 else self.random.choice(every))()
            if self.random.random() < 0.7:
                list(count_logs(self.record))
            if self.random.random() < 0.5:
                list(keep_periods(self.record))
            yield

    def arrives(self) -> None:
        day = self.random.choice(DAYS)
        people = self.random.choices(NAMES, k=4)
        kind, second = self.random.choice(SHORT), self.random.randrange(10**6)
        self.record.take(ended(kind, f"{day}T19:00:00.{second:06}Z", people))

    def ends_otherwise(self) -> None:
        lines = self.record.matches()
        over = [line.match_id for line in lines if line.state is MatchState.ENDED]
        match_id = self.random.choice(over) if over else ""
        loaded = self.record.load(match_id) if over else None
        if loaded is None or loaded.closing is None:
            return
        match = Match[Any].replay(loaded.entries)
        match.undo(stamp=STAMP)
        self.record.append(match_id, match.entries[len(loaded.entries) :])
        if self.random.random() < 0.7:  # else it goes on
            seats = match.rulebook.seats_taken()
            winners = tuple(Seat(one) for one in seats if self.random.random() < 0.5)
            self.record.finish(match_id, replace(loaded.closing, winners=winners))

    def goes(self) -> None:
        """Taken out by another hand: from every table that a match has rows in."""
        ids = [line.match_id for line in self.record.matches()]
        if ids:
            gone = self.random.choice(ids)
            with closing(sqlite3.connect(self.path)) as database, database:
                database.execute("DELETE FROM matches WHERE id = ?", [gone])
                for table in ("entries", "closings", "lengths", "listed", "seated", "outbox"):
                    database.execute(f"DELETE FROM {table} WHERE match_id = ?", [gone])  # noqa: S608

    def is_named(self) -> None:
        name, player = self.random.sample(NAMES[:4], 2)
        self.record.name_player([name], player, STAMP)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("seed", range(8))
def test_periods_are_their_matches_one_by_one(tmp_path: Path, seed: int) -> None:
    """Through arrivals, other ends, matches that go on or are gone, and names of one player."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        for _ in Fate(record, path, Random(seed)).deeds(6):
            assert_same(record)
        list(count_logs(record))
        list(keep_periods(record))
        assert not record.sums.missing_periods()
        assert_same(record)
        period = record.sums.between(ALL_KINDS, "2025", "2026")
        assert bool(period.kept) == bool(record.tally().outcomes)
        assert not period.told, "whole months read no match"


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Record]:
    """Two matches in January, counted and added up."""
    with Record.open(tmp_path / "record.db") as record:
        for day in DAYS[1:3]:
            record.take(ended(SHORT[1], f"{day}T19:00:00Z", ("Ana", "Bo")))
        list(count_logs(record))
        list(keep_periods(record))
        yield record


def test_a_period_whose_row_cannot_be_read_is_read_match_by_match(
    kept: Record, tmp_path: Path
) -> None:
    """Whatever stands there: an older program's count beside it, or a torn text."""
    wanted = MatchFilter(since="2026-01", until="2026-01")
    right = flat(count_season(kept, (), wanted))
    assert right
    for wrong in ("told = '[[1'", "told = '[3]'"):
        with closing(sqlite3.connect(tmp_path / "record.db")) as database, database:
            database.execute(f"UPDATE periods SET {wrong} WHERE about = 'seat'")  # noqa: S608
        assert flat(count_season(kept, (), wanted)) == right, wrong


def test_a_month_that_was_added_up_without_its_matches_is_added_up_anew(
    kept: Record, tmp_path: Path
) -> None:
    """As a server whose language passes over signs had it, in the form of then."""
    wanted = MatchFilter(since="2026-01", until="2026-01")
    right = flat(count_season(kept, (), wanted))
    with closing(sqlite3.connect(tmp_path / "record.db")) as database, database:
        database.execute("DELETE FROM periods WHERE about NOT LIKE 'form %'")
        database.execute("UPDATE periods SET about = 'form 2'")
    assert flat(count_season(kept, (), wanted)) == right
    assert [*kept.sums.missing_periods()] == ["2026-01", "2026"]
    list(keep_periods(kept))
    assert not kept.sums.missing_periods()
    assert flat(count_season(kept, (), wanted)) == right


def test_a_period_with_one_letter_changed_is_read_match_by_match(
    kept: Record, tmp_path: Path
) -> None:
    """It is sealed, so its figures need no look of their own."""
    wanted = MatchFilter(since="2026-01", until="2026-01")
    right = flat(count_season(kept, (), wanted))
    with closing(sqlite3.connect(tmp_path / "record.db")) as database, database:
        changed = "told = replace(told, 'won', 'one') WHERE about = 'player' AND told LIKE '%won%'"
        assert database.execute(f"UPDATE periods SET {changed}").rowcount  # noqa: S608
    assert flat(count_season(kept, (), wanted)) == right


def test_a_period_that_an_older_program_added_up_is_added_up_anew(
    kept: Record, tmp_path: Path
) -> None:
    with closing(sqlite3.connect(tmp_path / "record.db")) as database, database:
        database.execute("UPDATE periods SET about = '', told = '[]' WHERE about LIKE 'form%'")
    wanted = MatchFilter(since="2026-01", until="2026-01")
    assert flat(count_season(kept, (), wanted)) == one_by_one(kept, wanted)
    assert list(keep_periods(kept)) == ["2026-01", "2026"]
    assert not kept.sums.missing_periods()


def test_a_period_that_changed_while_it_was_added_up_is_passed_over(kept: Record) -> None:
    wanted = MatchFilter(since="2026-01", until="2026-01")
    read = kept.sums.period("2026-01")
    kept.take(ended(SHORT[1], "2026-01-09T10:00:00Z", ("Ana", "Cleo")))
    list(count_logs(kept))
    kept.sums.put_period("2026-01", read.seals, {}, Measured.WON)
    assert flat(count_season(kept, (), wanted)) == one_by_one(kept, wanted)
    assert kept.sums.missing_periods() == ["2026-01", "2026"]


_BOTH = ["2026-01", "2026"]


@pytest.mark.parametrize(
    ("deed", "gone"),
    [
        ("DELETE FROM counted WHERE match_id IN (SELECT match_id FROM counted LIMIT 1)", _BOTH),
        ("UPDATE counted SET told = '{}' WHERE match_id IN (SELECT max(id) FROM matches)", _BOTH),
        ("INSERT INTO counted SELECT 'gone', form, seal, told FROM counted LIMIT 1", []),
        ("DELETE FROM listed WHERE match_id IN (SELECT max(id) FROM matches)", _BOTH),
        ("UPDATE listed SET begun = '' WHERE match_id IN (SELECT max(id) FROM matches)", _BOTH),
        ("UPDATE listed SET begun = begun, verified = '2026-03-01'", []),
    ],
)
def test_whoever_counts_otherwise_throws_the_month_away(
    kept: Record, tmp_path: Path, deed: str, gone: list[str]
) -> None:
    """An older program, or another hand: the record itself sees to it."""
    with closing(sqlite3.connect(tmp_path / "record.db")) as database, database:
        database.execute(deed)
    assert kept.sums.missing_periods() == gone


def test_a_match_that_begins_throws_no_month_away(kept: Record) -> None:
    """Only one that counts changes what a month comes to."""
    kept.take(ended(SHORT[1], "2026-01-09T10:00:00Z", ("Ana", "Cleo")))
    assert not kept.sums.missing_periods()
    list(count_logs(kept))
    assert kept.sums.missing_periods() == ["2026-01", "2026"]


def test_months_of_some_days_are_added_up_alone(tmp_path: Path) -> None:
    """Whoever looks at them has read their matches anyway; years are left to who counts all."""
    with Record.open(tmp_path / "record.db") as record:
        for day in DAYS:
            record.take(ended(SHORT[0], f"{day}T19:00:00Z", ("Ana", "Bo")))
        list(count_logs(record))
        assert list(keep_periods(record, "2026-01-20", "2026-02")) == ["2026-02", "2026-01"]
        assert not record.sums.missing_periods("2026-01", "2026-02-28")
        assert_same(record)
        assert not record.sums.between(ALL_KINDS, "2026-01", "2026-02").told
        assert list(keep_periods(record)) == ["2026-03", "2026", "2025-12", "2025"]


def test_rows_that_nobody_looks_at_are_put_in_order_unread(
    kept: Record, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a year's thousand players a page shows fifty: the figures of others are not made."""
    read: list[str] = []

    def noted(one: KeptFigures) -> dict[tuple[str, str], Sum]:
        read.append(one.name)
        return {("won", ""): Sum(one.matches, 0.0, 0.0)}

    monkeypatch.setattr(KeptFigures, "figures", property(noted))
    rows = count_season(kept, (), MatchFilter(since="2026-01", until="2026-01"))
    assert {row.matches for row in rows} == {2, 4}
    assert not read
    assert rows[0].figures
    assert read == [rows[0].name]


@pytest.mark.parametrize(
    ("since", "until", "periods"),
    [
        ("", "", ["2025", "2026"]),
        ("2026-01-01", "2026-01-31", ["2026-01"]),
        ("2026-01-01", "2026-12-31", ["2026"]),
        ("2025-12-02", "2026-01-30", []),
        ("2025", "2025", ["2025"]),
        ("2025-12", "2026-01", ["2025-12", "2026-01"]),
        ("2025-12-01T10", "2026-02", ["2026-01"]),
        ("2026-13-99", "2026-99-99", []),
    ],
)
def test_which_periods_lie_within_some_days(
    tmp_path: Path, since: str, until: str, periods: list[str]
) -> None:
    with Record.open(tmp_path / "record.db") as record:
        for day in DAYS[:2]:
            record.take(ended(SHORT[0], f"{day}T19:00:00Z", ()))
        list(count_logs(record))
        list(keep_periods(record))
        with record._reading() as database:
            assert list(periods_within(database, since, until)) == periods
