"""Tables of a club and their common record: nothing is lost, doubled or merged in silence."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, event

from companion.core.errors import RecordError
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.backup import back_up, put_back
from companion.record.club import carry
from companion.record.lines import Closing
from companion.record.record import Record

END = Closing("Jaws win.", "JP-11.1", ("Jaws",), ())


def begin(record: Record, at: int, *, shown: bool = False, jaws: str = "Ana") -> str:
    stamp = Stamp("Ana", f"2026-11-21T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}Z", 0.0)
    seats = {Seat("JP"): jaws, Seat("PP"): "Ben"}
    return record.create(Setup("jaws-and-paws", ("day",), seats, demonstration=shown), stamp)


def go_on(record: Record, match_id: str, said: str) -> None:
    seq = len(record.load(match_id).entries)
    record.append(match_id, [Entry(seq, "answer", f"q-{seq}", said, author=said)])


def log(record: Record, match_id: str) -> list[str]:
    return [entry.chain for entry in record.load(match_id).entries]


@pytest.fixture
def two(tmp_path: Path) -> Iterator[tuple[Record, Record]]:
    """A table and a club."""
    with Record.open(tmp_path / "table.db") as table, Record.open(tmp_path / "club.db") as club:
        yield table, club


def test_a_match_goes_to_the_club_and_to_another_table(
    two: tuple[Record, Record], tmp_path: Path
) -> None:
    """With every seal and signature, once it has ended; what was said of players too."""
    table, club = two
    match_id = begin(table, 1)
    begin(table, 2, shown=True)
    carry(table, club)
    with Record.open(tmp_path / "other.db") as other:
        assert not carry(other, club).taken
        own = begin(other, 3)
        go_on(table, match_id, "x")
        table.finish(match_id, END)
        table.name_player(["Ana"], "Anna", Stamp("Ben", "2026-11-22T00:00:00Z", 0.0))
        assert carry(table, club).sent == 1
        done = carry(other, club)
        assert (done.sent, done.taken, done.names, done.told) == (1, 1, 1, [])
        assert other.load(match_id).signature == table.load(match_id).signature
        assert other.load(match_id).signature is not None
        assert log(other, match_id) == log(table, match_id)
        assert other.players().of("Ana") == "Anna"
        assert other.find("last") == own
        assert str(carry(other, club)) == "0 matches sent, 0 taken"
        assert not (other.check())
        assert not (club.check())


def test_a_match_changed_on_both_sides_is_told_and_left_alone(two: tuple[Record, Record]) -> None:
    """Until it is settled it is told each time, on a further try too."""
    table, club = two
    match_id = begin(table, 1)
    go_on(table, match_id, "x")
    carry(table, club)
    go_on(table, match_id, "here")
    go_on(club, match_id, "there")
    before = log(table, match_id), log(club, match_id)
    for _ in range(2):
        (told,) = carry(table, club).told
        assert "changed on both sides: line 2 is answer q-2 by " in told
        assert "by here" in told
        assert "by there" in told
    assert (log(table, match_id), log(club, match_id)) == before


def test_a_match_changed_after_signing_is_not_taken(
    two: tuple[Record, Record], tmp_path: Path
) -> None:
    """Somebody at the server seals a line anew: the table's signature no longer holds."""
    table, club = two
    match_id = begin(table, 1)
    go_on(table, match_id, "x")
    table.finish(match_id, END)
    carry(table, club)
    with club._writer.begin() as database:
        database.exec_driver_sql("UPDATE signatures SET value = replace(value, '1', '2')")
    with Record.open(tmp_path / "other.db") as other:
        (told,) = carry(other, club).told
        assert "it was changed after it was signed by" in told
        assert not other.matches()


def test_a_damaged_match_is_told_and_not_carried(two: tuple[Record, Record]) -> None:
    table, club = two
    match_id, sound = begin(table, 1), begin(table, 2)
    go_on(table, match_id, "x")
    with table._writer.begin() as database:
        database.exec_driver_sql("UPDATE entries SET line = replace(line, 'q-1', 'q-2')")
    done = carry(table, club)
    assert "line 1 is not what was written" in done.told[0]
    assert carry(table, club).told == done.told, "all is not well the second time either"
    assert [line.match_id for line in club.matches()] == [sound]


def test_two_matches_of_one_name_are_both_kept(two: tuple[Record, Record]) -> None:
    """By chance two tables may call different matches the same; neither comes back doubled."""
    table, club = two
    match_id, other = begin(table, 1), begin(club, 2)
    for each in ("matches", "entries", "lengths", "listed", "outbox", "seated"):
        with club._writer.begin() as database:
            name = "id" if each == "matches" else "match_id"
            database.exec_driver_sql(f"UPDATE {each} SET {name} = '{match_id}'")  # noqa: S608
    assert other != match_id
    for record in (table, club):
        go_on(record, match_id, "x")
        record.finish(match_id, END)
    for _ in range(3):
        assert not carry(table, club, whole=True).told
    assert table.count() == club.count() == 2
    assert {tuple(log(table, one.match_id)) for one in table.matches()} == {
        tuple(log(club, one.match_id)) for one in club.matches()
    }


def test_a_club_put_back_gets_everything_though_it_has_grown_since(tmp_path: Path) -> None:
    """Its changes are numbered as far as before by then; it is known as another record."""
    club, stick = tmp_path / "club.db", tmp_path / "stick"
    stick.mkdir()
    with Record.open(tmp_path / "table.db") as table, Record.open(tmp_path / "b.db") as other:
        begin(table, 1)
        with Record.open(club) as there:
            carry(table, there)
        back_up(club, stick, "2026-11-21T20:00:00.000Z")
        begin(table, 2)
        with Record.open(club) as there:
            carry(table, there)
        put_back(stick, club, "2026-11-21T21:00:00.000Z")
        for at in (3, 4, 5):
            begin(other, at)
        with Record.open(club) as there:
            carry(other, there)
            assert carry(table, there).sent == 1
            assert there.count() == 5


def test_a_club_put_back_to_an_earlier_day_gets_everything_again(tmp_path: Path) -> None:
    """A new server, or an old backup of it: what it lacks is sent once more."""
    with Record.open(tmp_path / "table.db") as table:
        ids = {begin(table, n) for n in range(3)}
        with Record.open(tmp_path / "club.db") as club:
            assert carry(table, club).sent == 3
            with club._writer.begin() as database:
                for each in ("entries", "lengths", "listed", "outbox"):
                    database.exec_driver_sql(f"DELETE FROM {each}")  # noqa: S608
                database.exec_driver_sql("DELETE FROM matches")
            assert carry(table, club).sent == 3
        with Record.open(tmp_path / "new.db") as new:
            assert carry(table, new).sent == 3
            assert {line.match_id for line in new.matches()} == ids


# Links that are cut at any statement.


@dataclass
class Link:
    """One table, its view of the club, and a link that is cut before or after a statement."""

    table: Record
    club: Record
    chance: Random
    likely: float = 0.0
    begun: list[str] = field(default_factory=list[str])

    def __post_init__(self) -> None:
        event.listen(self.club._engine, "before_cursor_execute", self._perhaps_cut)
        event.listen(self.club._engine, "commit", self._perhaps_unheard)

    def _perhaps_cut(self, *_: Any) -> None:
        if self.chance.random() < self.likely:
            raise sqlite3.OperationalError("the link was cut")

    def _perhaps_unheard(self, connection: Connection) -> None:
        """The club has it on disk, and the table never hears so; or it has not."""
        if self.chance.random() < self.likely:
            driver: Any = connection.connection.driver_connection
            if self.chance.random() < 0.5:
                driver.commit()
            else:
                driver.rollback()
            raise sqlite3.OperationalError("the link was cut")

    def play(self, at: int) -> None:
        """One thing that happens at a table."""
        unfinished = [one for one in self.begun if self.table.load(one).closing is None]
        match self.chance.randrange(5):
            case 0:
                self.begun.append(begin(self.table, at, jaws=f"P{self.chance.randrange(9)}"))
            case 1 | 2 if unfinished:
                go_on(self.table, self.chance.choice(unfinished), f"a-{at}")
            case 3 if unfinished:
                self.table.finish(self.chance.choice(unfinished), END)
            case 4:
                stamp = Stamp("Ana", f"2026-11-21T00:{at // 60:02}:{at % 60:02}Z", 0.0)
                self.table.name_player([f"P{self.chance.randrange(9)}"], f"N{at % 7}", stamp)
            case _:
                """Nothing is under way that could go on or end."""


@contextmanager
def joined(folder: Path, tables: int, chance: Random) -> Generator[list[Link]]:
    """Tables of one club."""
    links = [
        Link(Record.open(folder / f"{n}.db"), Record.open(folder / "club.db"), chance)
        for n in range(tables)
    ]
    try:
        yield links
    finally:
        for link in links:
            link.table.close()
            link.club.close()


@pytest.mark.seeds(1, 40)
def test_links_cut_at_random_lose_and_double_nothing(seed: int, tmp_path: Path) -> None:
    """Every table ends with its own matches and all that have ended; the club with every one."""
    chance = Random(seed)
    with joined(tmp_path, 10 if seed else 3, chance) as links:
        cuts = 0
        for at in range(300 if seed else 60):
            link = chance.choice(links)
            link.play(at)
            if chance.random() < 0.3:
                link.likely = chance.choice((0.0, 0.02, 0.1, 0.4))
                try:
                    carry(link.table, link.club)
                except RecordError:
                    cuts += 1
                link.likely = 0.0
        for link in links * 2:
            assert not carry(link.table, link.club).told
        assert cuts
        agree(links)


def agree(links: list[Link]) -> None:
    club = links[0].club
    logs = {one: log(link.table, one) for link in links for one in link.begun}
    assert sorted(line.match_id for line in club.matches()) == sorted(logs)
    assert all(log(club, one) == lines for one, lines in logs.items())
    ended = {one for one in logs if club.load(one).closing is not None}
    for link in links:
        here = [line.match_id for line in link.table.matches()]
        assert sorted(here) == sorted({*link.begun, *ended})
        assert all(log(link.table, one) == logs[one] for one in here)
        assert link.table.namings() == club.namings()
        assert not link.table.check()
