"""The same record on a club's PostgreSQL server, by URL; skipped where none can be started."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, create_engine, event

from companion.core.errors import RecordError
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of, play_out
from companion.record.club import carry
from companion.record.lines import Closing
from companion.record.match import MatchState
from companion.record.meanwhile import open_or_stand_in, waiting
from companion.record.record import Record
from companion.record.store import ADDED, VERSION, made_in, tables
from companion.season.counting import count_logs, keep_periods
from ui.table.club import STALLED_S, HomeComing, Patience, keeping_of
from ui.terminal.app import run

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
START_S = 30.0
ORDER = ("--locale-provider=icu", "--icu-locale=en-u-ka-shifted")
"""A language that passes over signs where it puts texts in order, as those of most servers do."""


def program(name: str) -> str:
    """A program of the server, which Debian keeps off the path."""
    found = shutil.which(name)
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if found is None and not places:
        pytest.skip(f"no PostgreSQL server here: {name} is missing")
    return str(places[-1]) if places else str(found)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A server of our own on a socket of our own, gone afterwards."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    initdb, postgres = program("initdb"), program("postgres")
    nobody = 65534 if os.geteuid() == 0 else None  # the server refuses to run as root
    with tempfile.TemporaryDirectory() as folder:
        if nobody is not None:
            os.chown(folder, nobody, nobody)
        call = [initdb, "-D", f"{folder}/data", "-U", "club", "-A", "trust", "-E", "UTF8", *ORDER]
        subprocess.run(call, check=True, capture_output=True, user=nobody, cwd=folder)
        server = subprocess.Popen(
            [postgres, "-D", f"{folder}/data", "-k", folder, "-c", "listen_addresses="],
            user=nobody, cwd=folder, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            yield wait_for(f"postgresql+psycopg://club@/postgres?host={folder}")
        finally:
            server.send_signal(signal.SIGINT)  # fast: whoever is still connected is cut off
            server.wait()


def wait_for(url: str) -> str:
    """The URL, once the server answers at it."""
    until = time.monotonic() + START_S
    while True:
        try:
            Record.open(url).close()
        except RecordError:
            if time.monotonic() > until:
                raise
            time.sleep(0.1)
        else:
            return url


def test_a_match_is_kept_listed_and_read_back(url: str) -> None:
    """Every verb of the record, down to names that PostgreSQL's own text would refuse."""
    lines = [Entry(n, "answer", f"q-{n}", {"n": n / 7}, author="A\0\ud800") for n in range(1, 6)]
    with Record.open(url) as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.append(match_id, lines)
        record.finish(match_id, Closing("Draw.", "JP-11.6", (), ()))
        record.note_rest(match_id, "round-1/locked", 17.5, "boot", 3.25)
    with Record.open(url) as record:
        loaded = record.load(match_id)
        assert [entry.answer for entry in loaded.entries[1:]] == [line.answer for line in lines]
        assert loaded.entries[1].author == "A\0\ud800"
        assert record.matches()[0].state is MatchState.ENDED
        rest = record.last_rest(match_id, "round-1/locked")
        assert rest is not None
        assert (rest.rest_s, rest.at) == (17.5, 3.25)
        assert not record.check()
        record.append(match_id, [Entry(6, "undo", target=5)])
        assert record.load(match_id).closing is None


def test_matches_are_found_by_their_days_and_ids_in_any_order_of_texts(url: str) -> None:
    """What begins so is meant, though the server's language passes over the signs in it."""
    stamp = replace(STAMP, at_utc="2031-05-31T23:59:59.999Z")
    with Record.open(url) as record:
        match_id = record.create(Setup("jaws-and-paws"), stamp)
        record.append(match_id, [Entry(1, "answer", "toss", "Paws")])
        record.finish(match_id, Closing("Draw.", "JP-11.6", (), ()))
        for until in ("2031", "2031-05", "2031-05-31", "2031-05-31T23:59:59"):
            assert [one.begun for one in record.played(since=until, until=until)] == [stamp.at_utc]
        assert not record.played(since="2031-04", until="2031-04")
        assert not record.played(since="2031-06", until="2031-06")
        assert record.find(match_id[:6]) == match_id


def test_a_match_travels_from_a_table_to_the_club(url: str, tmp_path: Path) -> None:
    """Exported from a file's record, imported into the server's: the same lines and seals."""
    file = tmp_path / "match.jsonl"
    with Record.open(tmp_path / "record.db") as table, Record.open(url) as club:
        match_id = table.create(Setup("jaws-and-paws", options={"timer_s": 90}), STAMP)
        table.append(match_id, [Entry(1, "answer", "toss", "Jaws")])
        file.write_text(table.export(match_id))
        assert club.import_file(file).match_id == match_id
        assert club.load(match_id).entries == table.load(match_id).entries


def test_two_tables_on_one_match_are_told_apart(url: str) -> None:
    """The second writer of a line is refused, and told who was first."""
    with Record.open(url) as one, Record.open(url) as other:
        match_id = one.create(Setup("jaws-and-paws"), STAMP)
        one.append(match_id, [Entry(1, "answer", "toss", "Jaws", author="Ana")])
        other.append(match_id, [Entry(2, "answer", "sun", "Jaws.GL", author="Ben")])
        with pytest.raises(RecordError, match=r"Line 2 .* by Ben"):
            one.append(match_id, [Entry(2, "answer", "sun", "Jaws.GR", author="Ana")])


def test_a_changed_line_is_found_on_a_server_too(url: str) -> None:
    with Record.open(url) as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.append(match_id, [Entry(1, "answer", "toss", "Jaws")])
        with record._engine.begin() as database:
            database.exec_driver_sql(
                "UPDATE entries SET line = replace(line, 'Jaws', 'Paws') WHERE seq = 1"
            )
        assert "line 1 is not what was written" in str(record.load(match_id).damage)


def of_its_own(url: str, name: str) -> str:
    """Another database of that server, with nothing in it."""
    server = create_engine(url, isolation_level="AUTOCOMMIT")
    with closing(server.connect()) as database:
        database.exec_driver_sql(f"CREATE DATABASE {name}")
    server.dispose()
    return url.replace("/postgres?", f"/{name}?")


@pytest.mark.seeds(1, 11)
def test_a_club_s_links_are_cut_at_any_statement(url: str, tmp_path: Path, seed: int) -> None:
    """Three tables or ten, connections closed under their feet: nothing is lost or doubled."""
    chance, of_club, of_evenings = Random(seed + 2), 10 if seed else 3, 120 if seed else 24
    likely, url = [0.1], of_its_own(url, f"club_{seed}")

    def cut(connection: Connection, *_: Any) -> None:
        if chance.random() < likely[0]:
            driver: Any = connection.connection.driver_connection
            driver.close()

    tables = [Record.open(tmp_path / f"{n}.db") for n in range(of_club)]
    begun: dict[str, Record] = {}
    cuts = 0
    for at in range(of_evenings):
        table = chance.choice(tables)
        stamp = Stamp("Ana", f"2026-11-22T19:{at // 60:02}:{at % 60:02}Z", 0.0)
        match_id = table.create(Setup("jaws-and-paws", seats={Seat("JP"): "Ana"}), stamp)
        table.append(match_id, [Entry(1, "answer", "toss", "Jaws")])
        if at % 2:
            table.finish(match_id, Closing("Draw.", "JP-11.6", (), ()))
        table.name_player([f"P{at}"], "Ana", stamp)
        begun[match_id] = table
        try:
            with Record.open(url) as there:
                event.listen(there._engine, "before_cursor_execute", cut)
                carry(table, there)
        except RecordError:
            cuts += 1
    likely[0] = 0.0
    with Record.open(url) as club:
        assert cuts
        assert not any(carry(table, club).told for table in tables * 2)
        assert {line.match_id for line in club.matches()} == set(begun)
        for match_id, table in begun.items():
            assert club.load(match_id).entries == table.load(match_id).entries
        ended = {one for one in begun if club.load(one).closing is not None}
        assert all(ended <= {line.match_id for line in table.matches()} for table in tables)
        assert all(len(table.namings()) == of_evenings for table in tables)
        assert not club.check()


def test_a_password_is_never_told(url: str, tmp_path: Path, capsys: Any) -> None:
    """Neither where the club answers nor where it does not."""
    secret = url.replace("club@", "club:geheim@")
    place = str(tmp_path / "record.db")
    Record.open(place).close()
    assert run(["sync", secret, "--record", place]) == 0
    assert run(["sync", "postgresql://club:geheim@127.0.0.1:9/x", "--record", place]) == 2
    said = capsys.readouterr()
    assert "***" in said.out
    assert "geheim" not in said.out + said.err


def test_tables_of_every_release_are_taken_to_these(url: str) -> None:
    """A server's record from before alembic: its tables are what a release made, and it goes on."""
    with Record.open(url) as record:
        match_id = record.create(Setup("jaws-and-paws", seats={Seat("JP"): "Ana"}), STAMP)
        with record._engine.begin() as database:
            for table in [VERSION, *ADDED.intersection(tables.tables)]:
                database.exec_driver_sql(f"DROP TABLE {table}")
    with Record.open(url) as record:
        assert record.load(match_id).damage is None
        assert record.players().find("Ana").seats
        assert record.outbox.newest() >= record.count()
        with record._engine.begin() as database:
            assert not compare_metadata(MigrationContext.configure(database), tables)
            assert made_in(database).issuperset(ADDED)


_BOTH = ["2026-11", "2026"]


@pytest.mark.parametrize(
    ("deed", "gone"),
    [
        ("DELETE FROM counted WHERE match_id = %s", _BOTH),
        ("UPDATE counted SET told = '{}' WHERE match_id = %s", _BOTH),
        ("DELETE FROM listed WHERE match_id = %s", _BOTH),
        ("UPDATE listed SET begun = '' WHERE match_id = %s", _BOTH),
        ("UPDATE listed SET begun = begun WHERE match_id = %s", []),
    ],
)
def test_a_server_throws_a_month_away_that_is_counted_otherwise(
    url: str, deed: str, gone: list[str]
) -> None:
    """Whoever does it; a match that only begins changes nothing."""
    with Record.open(url) as record:
        match_id = record.create(Setup("jaws-and-paws", seats={Seat("JP"): "Ana"}), STAMP)
        record.append(match_id, [Entry(1, "answer", "q-1", {})])
        record.finish(match_id, Closing("Jaws win.", "JP-11.1", (Seat("JP"),), ()))
        for _ in (*count_logs(record), *keep_periods(record)):
            pass
        record.create(Setup("jaws-and-paws"), STAMP)
        assert not record.sums.missing_periods()
        with record._engine.begin() as database:
            database.exec_driver_sql(deed, (match_id,))
        assert record.sums.missing_periods() == gone


def test_a_server_that_stalls_in_a_match_never_stalls_the_table(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped, as a machine that hangs: the connection stands, and no answer comes."""
    monkeypatch.setattr("ui.table.club.stand_ins", lambda: (tmp_path,))
    match = Match[Any].start(Setup("jaws-and-paws", ("day",)), STAMP)
    bots = bots_of(match.setup, Random(1))
    record = Record.open(url)
    before, patience = record.count(), Patience(record)
    keeping = keeping_of(record, match, "boot", patience)
    keeping.append(match.entries)
    with record._engine.begin() as database:
        pids = [int(pid) for (pid,) in database.exec_driver_sql("SELECT pid FROM pg_stat_activity")]
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        play_out(match, bots, 10)
        began = time.monotonic()
        keeping.append(match.entries[1:])
        keeping.note_rest("round-1", 7.0, 0.0)
        assert time.monotonic() - began < 2.0 + STALLED_S, "once, and to open what stands in"
        assert keeping.away
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
    keeping.record.close()
    wait_for_threads("record", "record-asked")
    assert patience(record.count) == before + 1, "it answers again, and is asked again"
    patience.close()
    record.close()
    opened = open_or_stand_in(url, [tmp_path])
    assert opened.said == ("1 match that was kept elsewhere came home.",)
    assert len(opened.record.load(keeping.match_id).entries) == len(match.entries)
    opened.record.close()


class Relay:
    """A link to the server that may be slow, or stand still: a port here that leads to it."""

    def __init__(self, folder: str) -> None:
        self.late_s = 0.0
        self.flows = threading.Event()
        self.flows.set()
        self._there = f"{folder}/.s.PGSQL.5432"
        self._port = socket.create_server(("127.0.0.1", 0))
        self.url = f"postgresql+psycopg://club@127.0.0.1:{self._port.getsockname()[1]}/postgres"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                here, _ = self._port.accept()
                there = socket.socket(socket.AF_UNIX)
                there.connect(self._there)
                for pair in ((here, there), (there, here)):
                    threading.Thread(target=self._carry, args=pair, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError), target:
            while told := source.recv(1 << 16):
                self.flows.wait(START_S)
                time.sleep(self.late_s)
                target.sendall(told)

    def close(self) -> None:
        """Take no more connections."""
        self.flows.set()
        self._port.close()


@pytest.fixture
def relay(url: str) -> Iterator[Relay]:
    with closing(Relay(url.partition("host=")[2])) as relay:
        yield relay


def test_what_was_played_beside_a_slow_server_comes_home(
    relay: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It answers, later than a table waits; once it is quick again it gets every line, once."""
    monkeypatch.setattr("ui.table.club.stand_ins", lambda: (tmp_path,))
    match = Match[Any].start(Setup("jaws-and-paws", ("day",)), STAMP)
    record = Record.open(relay.url)
    before = record.count()
    patience = Patience(record)
    keeping = keeping_of(record, match, "boot", patience)
    keeping.append(match.entries)
    written = len(match.entries)
    relay.late_s = STALLED_S * 1.5
    play_out(match, bots_of(match.setup, Random(1)), 12)
    began = time.monotonic()
    keeping.append(match.entries[written:])
    assert time.monotonic() - began < 2.0 + STALLED_S
    assert keeping.away
    relay.late_s = 0.0
    keeping.record.close()
    coming = HomeComing(relay.url, [tmp_path])
    coming.changed()
    until = time.monotonic() + START_S
    while waiting([tmp_path]) and time.monotonic() < until:
        coming.look()
    assert coming.line is not None
    assert coming.line.value == "1 match that was kept elsewhere came home."
    with Record.open(relay.url) as again:
        assert again.count() == before + 1
        loaded = again.load(keeping.match_id)
        assert [one.answer for one in loaded.entries] == [one.answer for one in match.entries]
        assert loaded.damage is None
    patience.close()
    wait_for_threads("record", "record-asked")
    record.close()


def wait_for_threads(*names: str) -> None:
    """Until those that were left behind have ended, and let go of their connections."""
    for thread in threading.enumerate():
        if thread.name in names:
            thread.join(START_S)


def test_a_server_that_stands_still_in_a_sync_is_told(
    relay: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    """Neither `sync` waits for ever, nor is anything lost or doubled when it is called again."""
    place = str(tmp_path / "record.db")
    with Record.open(place) as table:
        begun = (Stamp("Ana", f"2026-11-23T19:00:{n:02}Z", 0.0) for n in range(3))
        made = [table.create(Setup("jaws-and-paws"), stamp) for stamp in begun]
    monkeypatch.setattr("ui.terminal.sharing.SILENT_S", 3.0)
    taken: list[str] = []

    def take(there: Record, copy: Any, where: str = "") -> Any:
        if there.name != place and len(taken) == 1:
            relay.flows.clear()
        taken.append(there.name)
        return whole(there, copy, where)

    whole = Record.take
    monkeypatch.setattr(Record, "take", take)
    assert run(["sync", relay.url, "--record", place]) == 2
    assert "has not answered for 3 s" in capsys.readouterr().err
    relay.flows.set()
    wait_for_threads("club")
    assert run(["sync", relay.url, "--record", place]) in {0, 1}, "1: what other tests have damaged"
    with Record.open(relay.url) as club:
        assert {*made} <= {line.match_id for line in club.matches()}
        assert all(club.load(one).damage is None for one in made)
