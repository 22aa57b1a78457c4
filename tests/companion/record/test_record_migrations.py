"""A record of any release becomes one of today, whole; the steps are the only way to its tables."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import event

from companion.core.errors import RecordError, RecordReadOnly
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.match import MatchState
from companion.record.migrations import migrate
from companion.record.record import Record
from companion.record.store import (
    ADDED,
    NEWEST,
    SINCE,
    VERSION,
    made_in,
    open_sqlite,
    tables,
    writer,
    written_about,
)

RELEASED = Path(__file__).with_name("released")
STEPS = [step for step, _ in SINCE]
ENDED, OPEN = "41f82de710", "4e0e0d9f8a"
STAMP = Stamp("Ana", "2026-11-23T19:00:00Z", 0.0)


def released(step: str, folder: Path) -> Path:
    """A record as the program of that step left it: one match that has ended, one under way."""
    path = folder / "record.db"
    with closing(sqlite3.connect(path)) as database:
        database.executescript((RELEASED / f"{step}.sql").read_text("utf-8"))
    return path


def changed(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


def kind_of(path: Path, name: str) -> str:
    """Whether that is a table, an index or a trigger."""
    with closing(sqlite3.connect(path)) as database:
        found = database.execute("SELECT type FROM sqlite_master WHERE name = ?", [name])
        return str(found.fetchone()[0])


def noted(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as database:
        return [str(row[0]) for row in database.execute("SELECT version_num FROM alembic_version")]


def test_every_step_is_tried_from_a_file_of_its_release() -> None:
    """A released step without its file would be one that no test takes a record over."""
    assert [path.stem for path in sorted(RELEASED.glob("*.sql"))] == STEPS[:-1]


@pytest.mark.parametrize("step", STEPS[:-1])
def test_a_released_record_is_whole_after_all_steps(step: str, tmp_path: Path) -> None:
    """Its matches read as they did, are listed, and go on; who sat there is known."""
    path = released(step, tmp_path)
    with Record.open(path) as record:
        assert not record.said
        ended, under_way = record.load(ENDED), record.load(OPEN)
        assert [entry.answer for entry in ended.entries[1:]] == ["Jaws", {"n": 1 / 7}]
        assert ended.closing is not None
        assert ended.damage is under_way.damage is None
        assert [line.state for line in record.matches()] == [MatchState.OPEN, MatchState.ENDED]
        assert record.tally().outcomes == {("jaws-and-paws", ("Jaws",)): 1}
        assert [(one.name, one.seats) for one in record.players().known] == [("Ana", 2), ("Ben", 2)]
        rest = record.last_rest(OPEN, "round-1/locked")
        assert rest is not None
        assert rest.rest_s == 17.5
        record.append(OPEN, [Entry(2, "answer", "sun", "Jaws.GL")])
        assert not record.check()
    assert noted(path) == [NEWEST]


def test_a_signature_stays_over_all_steps(tmp_path: Path) -> None:
    with Record.open(released("3", tmp_path)) as record:
        loaded = record.load(ENDED)
        assert loaded.signature is not None
        assert loaded.signature.table == "Club table 3"


@pytest.mark.parametrize("step", STEPS)
def test_a_step_makes_what_is_said_of_it(step: str, tmp_path: Path) -> None:
    """No more and no less, so that what a record has tells which steps it took."""
    engine = open_sqlite(tmp_path / "record.db")
    with writer(engine).begin() as database:
        migrate(database, step)
        made = made_in(database) - {VERSION}
    wanted = [name for at, made in SINCE if at <= step for name in made]
    assert made == {*wanted}
    engine.dispose()


def test_the_steps_make_the_tables_that_the_program_knows(tmp_path: Path) -> None:
    """Alembic's own comparison finds nothing between them."""
    with Record.open(tmp_path / "record.db") as record, record._engine.begin() as database:
        assert not compare_metadata(MigrationContext.configure(database), tables)


@pytest.mark.parametrize("lost", sorted(ADDED))
def test_a_table_index_or_trigger_that_is_gone_is_made_again(lost: str, tmp_path: Path) -> None:
    """Whatever alembic has noted: a step that was half done is done again."""
    path = released("3", tmp_path)
    Record.open(path).close()
    changed(path, f"DROP {kind_of(path, lost)} {lost}")
    with Record.open(path) as record:
        assert not record.check()
        assert record.load(ENDED).closing is not None
    assert noted(path) == [NEWEST]


@pytest.mark.parametrize(
    "wrong", ["DELETE FROM alembic_version", "UPDATE alembic_version SET version_num = '1'"]
)
def test_the_tables_tell_where_the_note_of_the_steps_does_not(wrong: str, tmp_path: Path) -> None:
    path = released("3", tmp_path)
    Record.open(path).close()
    changed(path, wrong)
    with Record.open(path) as record:
        assert len(record.matches()) == 2
    assert noted(path) == [NEWEST]


def test_a_newer_program_s_further_tables_are_left_alone(tmp_path: Path) -> None:
    """The older program is this one then: it reads and writes, and takes no step back."""
    path = released("3", tmp_path)
    Record.open(path).close()
    changed(
        path, "CREATE TABLE laurels (name TEXT)", "UPDATE alembic_version SET version_num = '99'"
    )
    with Record.open(path) as record:
        record.create(Setup("jaws-and-paws"), STAMP)
        assert len(record.matches()) == 3
    assert noted(path) == ["99"]


def test_a_newer_format_is_told_to_an_older_program(tmp_path: Path) -> None:
    """Where lines themselves have changed it reads nothing, and says what helps."""
    path = released("3", tmp_path)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE about SET text = ?", [written_about(2)])
    before = path.read_bytes()
    with pytest.raises(RecordError, match=r"newer companion \(format 2, this one reads 1\)"):
        Record.open(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("step", STEPS[:-1])
def test_an_older_record_that_takes_nothing_is_read_as_it_is(step: str, tmp_path: Path) -> None:
    """On a card that is locked no step can be taken: the matches are shown all the same."""
    path = released(step, tmp_path)
    reading = open_sqlite(path, mode="ro", immutable="1")
    with Record.open(path) as record:
        record._engine.dispose()
        record.read_only = RecordReadOnly("locked")
        record._engine = reading
        record._missing = frozenset(name for at, made in SINCE if at > step for name in made)
        assert record.load(ENDED).damage is None
        assert len(record.matches()) == 2
        assert record.tally().matches == 2
        assert record.players().of("Ana") == "Ana"
        assert not record.known_faults()
        assert not record.saved_from()


def test_a_new_record_has_what_the_steps_make_one_by_one(tmp_path: Path) -> None:
    """Tables, their order, indexes and alembic's note: as if each step had been taken in turn."""
    made: list[list[tuple[str, ...]]] = []
    for name, steps in (("at-once.db", ["head"]), ("one-by-one.db", STEPS)):
        engine = open_sqlite(tmp_path / name)
        for step in steps:
            with writer(engine).begin() as database:
                migrate(database, step)
        engine.dispose()
        with closing(sqlite3.connect(tmp_path / name)) as database:
            tables = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
            made.append([tuple(" ".join(str(cell).split()) for cell in row) for row in tables])
        assert noted(tmp_path / name) == [NEWEST]
    assert made[0] == made[1], "new.sql is not what the steps make"


def test_a_new_record_needs_no_alembic(tmp_path: Path) -> None:
    """It would take a table's first evening 12 MB and a tenth of a second."""
    source = (
        "import sys; from companion.record.record import Record; Record.open(sys.argv[1]); "
        "sys.exit('alembic' in sys.modules)"
    )
    called = [sys.executable, "-c", source, str(tmp_path / "new.db")]
    assert subprocess.run(called, check=False).returncode == 0
    assert noted(tmp_path / "new.db") == [NEWEST]


def test_the_busiest_names_are_found_without_going_through_all_sums(tmp_path: Path) -> None:
    """Their index has all that is asked for: a page of players reads no table of many thousands."""
    sent: list[tuple[str, tuple[str, ...]]] = []
    with Record.open(released("8", tmp_path)) as record:
        event.listen(
            record._engine, "before_cursor_execute", lambda *told: sent.append((told[2], told[3]))
        )
        for box in ("", "jaws-and-paws"):
            assert record.sums.busiest("player", "won", box) == {"Ana": 1, "Ben": 1}
        asked = [one for one in sent if one[0].startswith("SELECT sums")]
        with record._engine.begin() as database:
            plans = [
                database.exec_driver_sql(f"EXPLAIN QUERY PLAN {one[0]}", one[1]) for one in asked
            ]
            ways = [[row.detail for row in plan] for plan in plans]
    way = "SEARCH sums USING COVERING INDEX sums_figures (about=? AND figure=?)"
    assert ways == [[way], [way]]
