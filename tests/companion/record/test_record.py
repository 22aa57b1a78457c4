"""The record: a match written line by line is read back word for word, or not shown as written."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadCall, RecordDamaged, RecordError, RecordReadOnly
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.lines import Closing, read_entry, seal, write_entry
from companion.record.match import MatchState
from companion.record.record import Record
from companion.record.store import plain_errors, written_about

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
SETUP = Setup("jaws-and-paws", ("day",), {Seat("JP"): "Ana"}, {"timer_s": 20}, app_version="0.1.0")
CLOSING = Closing(
    "Paws are shot down.", "JP-11.1", ("Jaws",), (("The Sun moves left.", "JP-13.2"),)
)


def lines(count: int, first: int = 1) -> list[Entry]:
    """Answers as a match logs them."""
    return [
        Entry(
            seq,
            "answer",
            f"round-{seq}/reveal/jaws",
            "MPL own",
            author="Ben",
            source="touch",
            at_utc=f"2026-11-21T19:00:{seq % 60:02d}Z",
            match_s=seq / 7,
        )
        for seq in range(first, first + count)
    ]


def unsealed(entries: Sequence[Entry]) -> list[Entry]:
    """Entries as the match has them, before the record sealed them."""
    return [entry._replace(chain="") for entry in entries]


@pytest.fixture
def record(tmp_path: Path) -> Iterator[Record]:
    with Record.open(tmp_path / "record.db") as opened:
        yield opened


def test_what_is_appended_is_read_back_word_for_word(record: Record) -> None:
    """Line 0 is the set-up; each later line stands as it was given, sealed over the one before."""
    match_id = record.create(SETUP, STAMP)
    record.append(match_id, lines(3))
    record.append(match_id, lines(2, first=4))
    loaded = record.load(match_id)
    assert loaded.damage is None
    assert loaded.setup == SETUP
    assert loaded.entries[0].kind == "setup"
    assert Setup.from_json(loaded.entries[0].answer) == SETUP  # type: ignore[arg-type]
    assert unsealed(loaded.entries[1:]) == lines(5)


def test_a_line_is_sealed_over_the_one_before(record: Record) -> None:
    """The seal is the hash of the seal before it and the line, so no line can be changed alone."""
    match_id = record.create(SETUP, STAMP)
    first, second = record.append(match_id, lines(2))
    assert second.chain == seal(first.chain, write_entry(second))
    assert record.load(match_id).entries[1:] == (first, second)


def test_another_program_reads_what_append_has_returned(record: Record, tmp_path: Path) -> None:
    """Confirmed means on disk: a plain reader of the file sees the line once append is back."""
    match_id = record.create(SETUP, STAMP)
    record.append(match_id, lines(1))
    program = (
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1])"
        ".execute('SELECT count(*) FROM entries').fetchone()[0])"
    )
    call = [sys.executable, "-c", program, str(tmp_path / "record.db")]
    assert subprocess.run(call, capture_output=True, text=True, check=True).stdout == "2\n"


def test_every_commit_is_synced(record: Record) -> None:
    """SQLite is told to wait for the disk: write-ahead log, synchronous FULL (2)."""
    with record._engine.connect() as database:
        assert database.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert database.exec_driver_sql("PRAGMA synchronous").scalar() == 2


def test_a_gap_is_refused_and_nothing_is_written(record: Record) -> None:
    """Line 5 cannot follow line 0; neither can a batch with a gap leave its first half."""
    match_id = record.create(SETUP, STAMP)
    with pytest.raises(RecordError, match=r"line 5 .* cannot follow line 0"):
        record.append(match_id, lines(1, first=5))
    with pytest.raises(RecordError, match=r"line 3 .* cannot follow line 1"):
        record.append(match_id, [*lines(1), *lines(1, first=3)])
    assert len(record.load(match_id).entries) == 1


def test_the_same_line_again_is_confirmed_again(record: Record) -> None:
    """A call whose end was not seen is repeated without writing twice."""
    match_id = record.create(SETUP, STAMP)
    first = record.append(match_id, lines(3))
    again = record.append(match_id, lines(4))
    assert list(again[:3]) == list(first)
    assert [entry.seq for entry in record.load(match_id).entries] == [0, 1, 2, 3, 4]


def test_a_second_program_on_the_same_match_is_named(record: Record, tmp_path: Path) -> None:
    """Whoever comes second writes nothing, and is told what stands there and by whom."""
    match_id = record.create(SETUP, STAMP)
    record.append(match_id, lines(1))
    with Record.open(tmp_path / "record.db") as second:
        second.append(match_id, [lines(1, first=2)[0]._replace(author="Cleo")])
    with pytest.raises(RecordError, match=r"Line 2 .* written by another program.* by Cleo"):
        record.append(match_id, lines(1, first=2))
    assert record.load(match_id).entries[2].author == "Cleo"
    record.append(match_id, lines(1, first=3))


def test_what_a_match_ended_with_is_kept_as_text(record: Record) -> None:
    """A match that can no longer be replayed is still shown: outcome and rulings stand as text."""
    match_id = record.create(SETUP, STAMP)
    record.append(match_id, lines(2))
    record.finish(match_id, CLOSING)
    assert record.load(match_id).closing == CLOSING
    (listed,) = record.matches()
    assert (listed.state, listed.outcome) == (MatchState.ENDED, "Paws are shot down.")


def test_a_match_that_goes_on_after_its_end_is_open_again(record: Record, tmp_path: Path) -> None:
    """An undo after the outcome takes the closing back, also where another program wrote it."""
    match_id = record.create(SETUP, STAMP)
    record.append(match_id, lines(2))
    record.finish(match_id, CLOSING)
    with Record.open(tmp_path / "record.db") as later:
        later.append(match_id, [Entry(3, "undo", target=2, reason="wrong card")])
        assert later.load(match_id).closing is None
        assert later.matches()[0].state is MatchState.OPEN
    assert record.matches()[0].state is MatchState.OPEN


def test_matches_are_listed_newest_first(record: Record) -> None:
    """A line says box, variants, seats, when it began and was last played, and how long it is."""
    first = record.create(SETUP, STAMP)
    second = record.create(replace(SETUP, variants=("night",)), STAMP)
    record.append(first, lines(2))
    newest, oldest = record.matches()
    assert [newest.match_id, oldest.match_id] == [second, first]
    assert (oldest.number, oldest.box, oldest.variants) == (1, "jaws-and-paws", ("day",))
    assert oldest.seats == {"JP": "Ana"}
    assert (oldest.begun, oldest.last) == ("2026-11-21T19:00:00Z", "2026-11-21T19:00:02Z")
    assert (oldest.entries, oldest.state) == (3, MatchState.OPEN)


def test_two_matches_of_the_same_second_are_two(record: Record) -> None:
    """The same set-up twice at the same time is no reason to write into one match."""
    assert record.create(SETUP, STAMP) != record.create(SETUP, STAMP)


def test_a_match_is_found_by_number_by_the_start_of_its_id_and_as_the_last(record: Record) -> None:
    """What `companion show` takes; none or several is a BadCall that says so."""
    first, second = record.create(SETUP, STAMP), record.create(SETUP, STAMP)
    assert record.find("1") == first
    assert record.find(second[:7]) == second
    assert record.find("last") == second
    with pytest.raises(BadCall, match="has no match 'zz'"):
        record.find("zz")
    with pytest.raises(BadCall, match="has no match ''"):
        record.find("")


def test_a_beginning_that_several_ids_share_is_refused(record: Record) -> None:
    """A hundred ids share a first figure somewhere; nobody is given a match at random."""
    ids = [record.create(SETUP, STAMP) for _ in range(100)]
    shared = next(i[0] for i in ids if sum(j.startswith(i[0]) for j in ids) > 1 and i[0] >= "a")
    with pytest.raises(BadCall, match="type more of it"):
        record.find(shared)


def test_an_unknown_match_is_named(record: Record) -> None:
    with pytest.raises(BadCall, match="has no match 'nobody'"):
        record.load("nobody")
    with pytest.raises(BadCall, match="has no match 'nobody'"):
        record.append("nobody", lines(1))


def test_a_rest_is_noted_and_no_line_of_the_log(record: Record, tmp_path: Path) -> None:
    """Once a second: the last note counts, also for the program that comes after a crash."""
    match_id = record.create(SETUP, STAMP)
    assert record.last_rest(match_id, "round-1/locked") is None
    for rest_s in (20.0, 19.0, 18.0):
        record.note_rest(match_id, "round-1/locked", rest_s, "boot-7", at=1000.0 - rest_s)
    with Record.open(tmp_path / "record.db") as later:
        rest = later.last_rest(match_id, "round-1/locked")
    assert rest is not None
    assert (rest.rest_s, rest.boot_id, rest.at) == (18.0, "boot-7", 982.0)
    assert len(record.load(match_id).entries) == 1


def test_evidence_has_a_folder_of_its_own_beside_the_record(record: Record, tmp_path: Path) -> None:
    match_id = record.create(SETUP, STAMP)
    folder = record.evidence(match_id)
    assert folder.is_dir()
    assert folder.is_relative_to(tmp_path)
    assert folder != record.evidence(record.create(SETUP, STAMP))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(answer=JSON, author=st.text(st.characters()), reason=st.text(), match_s=st.floats(0, 1e9))
def test_any_entry_is_read_back_as_written(
    answer: object, author: str, reason: str, match_s: float
) -> None:
    """Whatever people type as names and reasons, down to half characters and control codes."""
    entry = Entry(7, "adjust", "", answer, None, author, "terminal", reason, "", match_s)  # type: ignore[arg-type]
    line = write_entry(entry)
    assert line.isascii()
    assert read_entry(line) == entry


def test_a_number_that_json_lacks_is_refused_before_it_is_written(record: Record) -> None:
    match_id = record.create(SETUP, STAMP)
    with pytest.raises(BadCall, match="cannot be written down"):
        record.append(match_id, [Entry(1, "adjust", answer=float("nan"))])
    assert len(record.load(match_id).entries) == 1


# -- disks that take nothing ---------------------------------------------------------------


def test_a_full_disk_leaves_the_match_as_it_was_and_goes_on_later(tmp_path: Path) -> None:
    """Play goes on unconfirmed and says so; with room again the same lines are written.

    The kernel refuses to let the file grow, in a process of its own.
    """
    program = """
import resource, signal, sys
from companion.record.record import Record
from companion.core.errors import RecordReadOnly
from companion.match.entry import Entry
from companion.core.offers import Stamp
from companion.match.rulebook import Setup
record = Record.open(sys.argv[1])
match_id = record.create(Setup("jaws-and-paws"), Stamp("", "", 0.0))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    record.append(match_id, [Entry(1, "answer", reason="x" * 200_000)])
except RecordReadOnly as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
record.append(match_id, [Entry(1, "answer", reason="x" * 200_000)])
print(len(record.load(match_id).entries), record.load(match_id).damage)
"""
    call = [sys.executable, "-c", program, str(tmp_path / "record.db")]
    ended = subprocess.run(call, capture_output=True, text=True, check=True)
    first, second = ended.stdout.splitlines()
    assert "not confirmed" in first
    assert second == "2 None"


@pytest.mark.parametrize("left_open", [False, True])
def test_a_record_that_may_not_be_written_is_still_read(tmp_path: Path, *, left_open: bool) -> None:
    """A read-only card: matches are listed and shown, and what cannot be done is said at once.

    `left_open`: the app was killed, so SQLite's notes lie beside the file and it opens in silence.
    """
    folder = tmp_path / "card"
    with contextlib.ExitStack() as closed:
        record = closed.enter_context(Record.open(folder / "record.db"))
        match_id = record.create(SETUP, STAMP)
        record.append(match_id, lines(2))
        if left_open:
            shutil.copytree(folder, tmp_path / "killed")
    if left_open:
        shutil.rmtree(folder)
        (tmp_path / "killed").rename(folder)
        assert (folder / "record.db-wal").is_file()
    program = """
import os, sys
from companion.record.record import Record
from companion.core.errors import RecordReadOnly
from companion.match.entry import Entry
Record.open(sys.argv[3]).close()
if os.geteuid() == 0:
    os.setuid(65534)
record = Record.open(sys.argv[1])
print(record.read_only)
print(len(record.load(sys.argv[2]).entries))
try:
    record.append(sys.argv[2], [Entry(3, "answer")])
except RecordReadOnly as error:
    print(error)
"""
    for file in folder.glob("record.db*"):
        file.chmod(0o555 if file.is_dir() else 0o444)
    folder.chmod(0o555)
    for parent in (tmp_path, *tmp_path.parents[:3]):
        if os.geteuid() == 0 and parent.owner() == "root" and parent != Path("/tmp"):  # noqa: S108
            parent.chmod(0o755)
    files = str(folder / "record.db"), match_id, str(tmp_path / "other.db")
    call = [sys.executable, "-c", program, *files]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    folder.chmod(0o755)
    assert ended.returncode == 0, ended.stderr
    said, count, refused = ended.stdout.splitlines()
    assert said == refused
    assert "not confirmed" in said
    assert count == "3"


def test_what_was_full_when_it_was_opened_is_written_once_there_is_room(tmp_path: Path) -> None:
    """A crash left a torn log, and no room to mend it: read first, written later, all of it told.

    The kernel refuses every byte, in a process of its own.
    """
    program = """
import resource, signal, sys
from companion.record.record import Record
from companion.core.errors import RecordReadOnly
from companion.match.entry import Entry
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
record = Record.open(sys.argv[1])
try:
    record.append(sys.argv[2], [Entry(3, "answer")])
except RecordReadOnly as error:
    print(error)
print(bool(record.read_only))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
record.append(sys.argv[2], [Entry(3, "answer")])
print(repr(record.read_only), len(record.load(sys.argv[2]).entries))
"""
    place = tmp_path / "record.db"
    with Record.open(place) as record:
        match_id = record.create(SETUP, STAMP)
        record.append(match_id, lines(2))
    with sqlite3.connect(place) as database:
        database.execute("DROP TABLE listed")
    database.close()
    call = [sys.executable, "-c", program, str(place), match_id]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    refused, closed, written = ended.stdout.splitlines()
    assert "not confirmed" in refused
    assert (closed, written) == ("True", "None 4")


def test_a_match_that_was_half_written_when_the_disk_was_full_is_not_there_later(
    tmp_path: Path,
) -> None:
    """However much of it was: SQLite's log holds lines of it that were never committed."""
    program = """
import os, resource, signal, sys
from companion.core.errors import RecordError
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.record import Record
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)

def fill(place, most):
    kept = 0
    with Record.open(place) as record:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        try:
            while True:
                now = Stamp("Ana", f"2026-11-21T19:00:{kept}Z", 0.0)
                made = record.create(Setup("jaws-and-paws"), now)
                lines = [Entry(n, "answer", f"q-{n}", reason="x" * 90) for n in range(1, 150)]
                record.append(made, lines)
                kept += 1
        except RecordError:
            print(kept, flush=True)
            os._exit(0)

for most in range(300_000, 660_000, 24_000):
    place = f"{sys.argv[1]}/{most}.db"
    if not os.fork():
        fill(place, most)
    os.wait()
    with Record.open(place) as record:
        whole = [line for line in record.matches() if line.entries == 150]
        said = [*record.said, *record.check()]
        lines = [line.entries for line in record.matches() if line.entries > 1]
        print(len(whole), lines, said, flush=True)  # a copy of this process prints nothing again
"""
    call = [sys.executable, "-c", program, str(tmp_path)]
    ended = subprocess.run(call, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    rows = ended.stdout.splitlines()
    assert len(rows) == 2 * 15
    assert len({*rows[::2]}) > 2
    for kept, found in zip(rows[::2], rows[1::2], strict=True):
        assert found == f"{kept} {[150] * int(kept)} []"


# -- places that are no record ---------------------------------------------------------------


def test_a_folder_is_no_record(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="is a folder"):
        Record.open(tmp_path)


@pytest.mark.parametrize(
    "content", [b"Shopping list: " + b"milk " * 2000, b"\x89PNG\r\n" * 900, b"eggs"]
)
def test_another_programs_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    """A wrong --record must not cost anybody a file."""
    path = tmp_path / "list.txt"
    path.write_bytes(content)
    with pytest.raises(RecordError, match="no record of matches"):
        Record.open(path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "places.sqlite"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE places (name TEXT)")
    database.close()
    before = path.read_bytes()
    with pytest.raises(RecordError, match="no record of matches"):
        Record.open(path)
    assert path.read_bytes() == before


def test_a_newer_companions_record_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    Record.open(path).close()
    with sqlite3.connect(path) as database:
        database.execute("UPDATE about SET text = ?", (written_about(9),))
    database.close()
    with pytest.raises(RecordError, match=r"newer companion.*format 9"):
        Record.open(path)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("sqlite://", "names no file"),
        ("nonsense://host/name", "nonsense"),
        ("postgresql://nobody@127.0.0.1:1/none", "does not answer|needs psycopg"),
    ],
)
def test_a_wrong_url_is_named(url: str, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        Record.open(url)


def test_a_sqlite_url_is_a_path(tmp_path: Path) -> None:
    with Record.open(f"sqlite:///{tmp_path}/record.db") as record:
        record.create(SETUP, STAMP)
    with Record.open(tmp_path / "record.db") as record:
        assert len(record.matches()) == 1


def test_a_damaged_match_takes_no_more_lines(tmp_path: Path) -> None:
    """Nothing is added after a line that is not what was written; the way out is said."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        match_id = record.create(SETUP, STAMP)
        record.append(match_id, lines(4))
    with sqlite3.connect(path) as database:
        database.execute("UPDATE entries SET line = replace(line, 'MPL', 'MPR') WHERE seq = 3")
    database.close()
    with Record.open(path) as record:
        with pytest.raises(RecordDamaged, match=r"line 3 is not what was written.*export"):
            record.append(match_id, lines(1, first=5))
        assert len(record.load(match_id).entries) == 3
        assert any("line 3" in fault for fault in record.check())


def test_a_new_record_is_read_by_its_user_alone(tmp_path: Path) -> None:
    """Its log, its pictures and its witness, too: what people said at a table is theirs."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        match_id = record.create(SETUP, STAMP)
        record.evidence(match_id)
        made = [path, *tmp_path.glob("record*")]
        assert len(made) >= 5
        assert not record.said
        assert not [file for file in made if file.stat().st_mode & 0o077]


@pytest.mark.parametrize(
    "url",
    [
        "nonsense://club:geheim@host/name",
        "postgresql://club:geheim@127.0.0.1:1/none",
        "postgresql://club:geheim@[::1/none",
        "oracle://club:geheim@127.0.0.1/none",
    ],
)
def test_no_password_is_told(url: str) -> None:
    """Whatever is wrong with a server's URL."""
    with pytest.raises(RecordError) as raised:
        Record.open(url)
    assert "geheim" not in str(raised.value)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_CANTOPEN])
@pytest.mark.parametrize(("free", "why"), [(0, "the disk is full"), (1 << 30, "")])
def test_a_full_disk_is_told_as_full_however_sqlite_meets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, free: int, why: str
) -> None:
    """Where SQLite cannot make its own notes beside a file, it speaks of a disk that fails."""
    met = sqlite3.OperationalError("disk I/O error")
    met.sqlite_errorcode = code
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    with pytest.raises(RecordReadOnly) as told, plain_errors(str(tmp_path / "record.db")):
        raise met
    assert (f": {why}." in str(told.value)) is bool(why)
    mends = "make it writable" if code == sqlite3.SQLITE_CANTOPEN else "start the machine again"
    assert told.value.way_out == ("make room" if why else mends)
