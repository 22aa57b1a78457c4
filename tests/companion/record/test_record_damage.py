"""A record torn or damaged at any byte says so in plain words and keeps every other match."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import (
    BadFile,
    CompanionError,
    RecordDamaged,
    RecordError,
    RecordReadOnly,
)
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record import salvage, store
from companion.record.file import read_export
from companion.record.lines import Closing, read_entry
from companion.record.match import MatchState
from companion.record.record import Record
from companion.record.salvage import _workshop, sweep
from companion.record.store import plain_errors
from companion.season.counting import count_logs, keep_periods
from companion.season.statistics import count_season, rate_season

GOLDEN = Path(__file__).parents[2] / "golden"
MATCHES = 5
LINES = 24
CLOSING = Closing("Paws win.", "JP-11.1", ("Paws",), (("A hit.", "JP-14.1"),))


class Truth(dict[str, tuple[Entry, ...]]):
    """Every match as it was written; short when a failing example is told."""

    def __repr__(self) -> str:
        return f"Truth({list(self)})"


def write(record: Record) -> Truth:
    """A few matches of different lengths, some ended; one has a line longer than a page."""
    truth = Truth()
    for number in range(MATCHES):
        stamp = Stamp("Ana", f"2026-11-{number + 10}T19:00:00Z", 0.0)
        setup = Setup("jaws-and-paws", ("day",), options={"timer_s": 10 * (number + 1)})
        match_id = record.create(setup, stamp)
        for seq in range(1, LINES + number):
            long = "why " * (1500 if (number, seq) == (2, 20) else 3)
            entry = Entry(seq, "answer", f"round-{seq}/reveal", "MPL own", reason=long)
            record.append(match_id, [entry._replace(at_utc=f"2026-11-21T19:{seq % 60:02d}:00Z")])
        if number % 2:
            record.finish(
                match_id, Closing("Paws win.", "JP-11.1", ("Paws",), (("Hit.", "JP-14"),))
            )
        truth[match_id] = record.load(match_id).entries
    return truth


@pytest.fixture(scope="module")
def at_rest(memory: Path) -> tuple[Path, Truth]:
    """A record closed in order: one file."""
    path = Path(tempfile.mkdtemp(dir=memory)) / "record.db"
    with Record.open(path) as record:
        truth = write(record)
    assert not path.with_name("record.db-wal").exists()
    return path, truth


@pytest.fixture(scope="module")
def after_a_crash(memory: Path) -> tuple[Path, Truth]:
    """A record whose program was killed: the newest lines stand in the write-ahead log alone."""
    folder = Path(tempfile.mkdtemp(dir=memory))
    with Record.open(folder / "live.db") as record:
        truth = write(record)
        for suffix in ("", "-wal"):
            shutil.copy(folder / f"live.db{suffix}", folder / f"record.db{suffix}")
    assert (folder / "record.db-wal").stat().st_size > 100_000
    return folder / "record.db", truth


def told_and_kept(path: Path, truth: Truth) -> tuple[int, int]:
    """Open a damaged record and hold it against the truth; matches whole, and matches hurt.

    What is shown was written, word for word. What is not shown is told: by the match itself or by
    what opening said.
    """
    with Record.open(path) as record:
        record.check()
        listed = {line.match_id: line for line in record.matches()}
        whole = 0
        for match_id, entries in truth.items():
            line = listed.get(match_id)
            shown = _shown(record, match_id) if line is not None else ()
            assert shown == entries[: len(shown)]
            if len(shown) == len(entries):
                whole += 1
            else:
                assert (line is not None and line.state is MatchState.DAMAGED) or record.said
        assert not set(listed) - set(truth), "a match that nobody played"
        fresh = record.create(Setup("jaws-and-paws"), Stamp("", "2026-12-01T00:00:00Z", 0.0))
        record.append(fresh, [Entry(1, "answer", "toss", "Jaws")])
        assert len(record.load(fresh).entries) == 2
    return whole, len(truth) - whole


def _shown(record: Record, match_id: str) -> tuple[Entry, ...]:
    try:
        return record.load(match_id).entries
    except RecordDamaged:
        return ()


def damaged_copy(path: Path, folder: str) -> Path:
    """A copy of a record to damage, its write-ahead log beside it."""
    copy = Path(folder) / "record.db"
    for suffix in ("", "-wal"):
        if path.with_name(path.name + suffix).exists():
            shutil.copy(path.with_name(path.name + suffix), copy.with_name(copy.name + suffix))
    return copy


def flip(path: Path, at: int, mask: int) -> None:
    """Change one byte of a file."""
    raw = bytearray(path.read_bytes())
    raw[at % len(raw)] ^= mask
    path.write_bytes(raw)


@pytest.mark.slow
@given(at=st.integers(0, 10**9), mask=st.integers(1, 255))
def test_any_byte_of_the_file_may_change(at_rest: tuple[Path, Truth], at: int, mask: int) -> None:
    """One byte costs at most one match some of its lines; all else is whole."""
    path, truth = at_rest
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = damaged_copy(path, folder)
        flip(copy, at, mask)
        whole, hurt = told_and_kept(copy, truth)
    assert whole >= MATCHES - 1
    assert hurt <= 1


@pytest.mark.slow
@given(at=st.integers(0, 99), mask=st.integers(1, 255))
def test_any_byte_of_the_files_header_may_change(
    at_rest: tuple[Path, Truth], at: int, mask: int
) -> None:
    """The hundred bytes that say what the file is cost no line at all."""
    path, truth = at_rest
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = damaged_copy(path, folder)
        flip(copy, at, mask)
        whole, _ = told_and_kept(copy, truth)
    assert whole >= MATCHES - 1


@pytest.mark.slow
@given(size=st.integers(0, 10**9))
def test_the_file_may_be_cut_off_anywhere(at_rest: tuple[Path, Truth], size: int) -> None:
    """A torn file: what stands before the cut is kept, and people are told."""
    path, truth = at_rest
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = damaged_copy(path, folder)
        raw = copy.read_bytes()
        copy.write_bytes(raw[: size % len(raw)])
        told_and_kept(copy, truth)


@pytest.mark.slow
@given(page=st.integers(0, 10**6), seed=st.integers(0, 10**6))
def test_a_whole_page_may_turn_into_noise(
    at_rest: tuple[Path, Truth], page: int, seed: int
) -> None:
    """A block of a card that died. The first page too, on which SQLite itself stands."""
    path, truth = at_rest
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = damaged_copy(path, folder)
        raw = bytearray(copy.read_bytes())
        at = page % (len(raw) // 4096) * 4096
        raw[at : at + 4096] = random.Random(seed).randbytes(4096)
        copy.write_bytes(raw)
        whole, _ = told_and_kept(copy, truth)
    assert whole >= MATCHES - 3


def test_a_destroyed_header_sets_the_file_aside_and_keeps_it(
    at_rest: tuple[Path, Truth], tmp_path: Path
) -> None:
    """The damaged file stays byte for byte, named by when it was last written; a new one serves."""
    path, truth = at_rest
    copy = damaged_copy(path, str(tmp_path))
    raw = bytearray(copy.read_bytes())
    raw[:100] = bytes(100)
    copy.write_bytes(raw)
    with Record.open(copy) as record:
        assert "was damaged: it does not begin as a record does" in record.said[0]
        assert {line.match_id for line in record.matches()} == set(truth)
        numbers = [line.number for line in record.matches()]
    (aside,) = tmp_path.glob("record.damaged-*Z.db")
    assert aside.read_bytes() == bytes(raw)
    assert numbers == sorted(numbers, reverse=True)
    with Record.open(copy) as again:
        assert not again.said


def test_a_second_damage_does_not_overwrite_the_first(
    at_rest: tuple[Path, Truth], tmp_path: Path
) -> None:
    """Two files of the same second set aside are two files."""
    path, _ = at_rest
    copy = damaged_copy(path, str(tmp_path))
    for _ in range(2):
        flip(copy, 0, 1)

        os.utime(copy, (1_700_000_000, 1_700_000_000))
        Record.open(copy).close()
    assert len(list(tmp_path.glob("record.damaged-20231114T221320Z*.db"))) == 2


CUT_OFF = """
import os, sys
from pathlib import Path
from companion.record import salvage
from companion.record.record import Record
def die(*_, **__): os._exit(9)
at = sys.argv[2]
if at == "poured":
    salvage._set_aside = die
elif at == "log away":
    Path.replace = die
else:
    unlink = Path.unlink
    Path.unlink = lambda self, **how: die() if self.name.endswith("-wal") else unlink(self, **how)
Record.open(sys.argv[1])
"""


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize("at", ["poured", "set aside", "log away"])
def test_a_kill_while_mending_loses_nothing(
    after_a_crash: tuple[Path, Truth], tmp_path: Path, at: str
) -> None:
    """The next start mends from what was set aside, its log with it; nothing is left lying."""
    copy = damaged_copy(after_a_crash[0], str(tmp_path))
    flip(copy, 0, 1)
    raw, log = copy.read_bytes(), copy.with_name("record.db-wal").read_bytes()
    ended = subprocess.run([sys.executable, "-c", CUT_OFF, str(copy), at], check=False)
    assert ended.returncode == 9
    whole, hurt = told_and_kept(copy, after_a_crash[1])
    assert (whole, hurt) == (MATCHES, 0)
    (aside,) = tmp_path.glob("record.damaged-*Z.db")
    assert (aside.read_bytes(), aside.with_name(f"{aside.name}-wal").read_bytes()) == (raw, log)
    assert not list(tmp_path.glob(".salvage-*"))


def test_a_mending_that_goes_on_is_not_swept_away(tmp_path: Path) -> None:
    """Another program may be at work on this very record."""
    record = tmp_path / "record.db"
    with _workshop(record) as folder:
        sweep(record)
        assert folder.is_dir()
        left = tmp_path / f".salvage-{record.name}-cut"
        left.mkdir()
        (left / "copy").touch()
    sweep(record)
    assert not left.exists()


def test_a_file_that_another_program_writes_is_not_set_aside(
    at_rest: tuple[Path, Truth], tmp_path: Path
) -> None:
    """It would go on writing into the damaged file; it has to end first, and is named."""
    path = tmp_path / "record.db"
    shutil.copy(at_rest[0], path)
    path.write_bytes(bytes(100) + path.read_bytes()[100:])
    waits = "import sys; file = open(sys.argv[1]); print(flush=True); sys.stdin.read()"
    call = [sys.executable, "-c", waits, str(path)]
    with subprocess.Popen(call, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(RecordError, match=rf"open in process {other.pid} .*end that program"):
            Record.open(path)
        other.communicate()
    with Record.open(path) as mended:
        assert mended.count() == MATCHES


def test_a_file_of_zeros_is_set_aside(at_rest: tuple[Path, Truth], tmp_path: Path) -> None:
    """What a dying card often gives; nothing can be read, a new record is begun, and it is said."""
    copy = damaged_copy(at_rest[0], str(tmp_path))
    copy.write_bytes(bytes(copy.stat().st_size))
    with Record.open(copy) as record:
        assert "No line of it could be read" in record.said[1]
        assert not record.matches()
    assert len(list(tmp_path.glob("record.damaged-*"))) == 1


def test_an_empty_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "record.db").touch()
    with Record.open(tmp_path / "record.db") as record:
        assert "was an empty file" in record.said[0]


# -- the write-ahead log -------------------------------------------------------------------


def test_after_a_crash_every_line_is_there(
    after_a_crash: tuple[Path, Truth], tmp_path: Path
) -> None:
    """A kill -9 costs nothing that was confirmed, and is nothing to talk about."""
    path, truth = after_a_crash
    copy = damaged_copy(path, str(tmp_path))
    with Record.open(copy) as record:
        assert not record.said
        assert {name: record.load(name).entries for name in truth} == truth


@given(at=st.integers(0, 10**9), mask=st.integers(1, 255))
def test_any_byte_of_the_log_may_change(
    after_a_crash: tuple[Path, Truth], at: int, mask: int
) -> None:
    """SQLite drops the log from the first damaged frame on, silently: those lines are put back."""
    path, truth = after_a_crash
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = damaged_copy(path, folder)
        flip(copy.with_name("record.db-wal"), at, mask)
        with Record.open(copy) as record:
            lost = [name for name in truth if _shown(record, name) != truth[name]]
            if lost and len(_shown(record, lost[0])) < len(truth[lost[0]]) - 2:
                assert record.said
                assert record.load(lost[0]).damage
        assert len(lost) <= 1


@pytest.mark.slow
@given(size=st.integers(0, 10**9))
def test_the_log_may_be_cut_off_anywhere(after_a_crash: tuple[Path, Truth], size: int) -> None:
    """What was written before the cut is there: a prefix of each match, in the order of writing."""
    path, truth = after_a_crash
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy = damaged_copy(path, folder)
        wal = copy.with_name("record.db-wal")
        raw = wal.read_bytes()
        wal.write_bytes(raw[: size % len(raw)])
        with Record.open(copy) as record:
            for line in record.matches():
                entries = record.load(line.match_id).entries
                assert entries == truth[line.match_id][: len(entries)]


# -- a season of all boxes, with all that is derived from it --------------------------------

OF_EACH_BOX = (
    "jaws-and-paws-edition-2-arbiter",
    "jaws-and-paws-edition-2-day-1",
    "dogfight-1917-edition-3-arbiter",
    "dogfight-1917-edition-3-draft-1",
    "dogfight-hex-edition-2-leaving",
    "dogfight-hex-edition-2-three-1",
    "starship-edition-edition-3-all-kinds",
    "starship-edition-edition-3-base-1",
    "talespin-dogfight-edition-2-giving-up",
    "talespin-dogfight-edition-2-two-1",
)
"""Two recorded matches of each box."""
PAGE = 4096
CUT_FILES = 300


@pytest.fixture(scope="module")
def season(memory: Path) -> tuple[Path, Path, Truth]:
    """A record closed in order; the same as a kill left it, with its log; and what was confirmed.

    Statistics, ratings, periods and names are in both, and the witness beside them.
    """
    folder = Path(tempfile.mkdtemp(dir=memory))
    path, killed, truth = folder / "record.db", folder / "killed" / "record.db", Truth()
    killed.parent.mkdir()
    with Record.open(path) as record:
        for name in OF_EACH_BOX:
            match_id = _written_down(record, name)
            truth[match_id] = record.load(match_id).entries
        record.name_player(["Bo"], "Ana", Stamp("Ana", "2026-12-01T00:00:00Z", 0.0))
        for _ in (*count_logs(record), rate_season(record), *keep_periods(record)):
            pass
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{killed}{end}")
    shutil.copytree(f"{path}-witness", f"{killed}-witness")
    return path, killed, truth


def _written_down(record: Record, name: str) -> str:
    """A recorded match, written line by line as a table writes it."""
    rows = read_export(GOLDEN / f"{name}.jsonl").rows
    first, *rest = (read_entry(row.line, row.chain) for row in rows)
    answer: Any = first.answer
    match_id = record.create(Setup.from_json(answer), Stamp("Ana", first.at_utc, 0.0))
    for entry in rest:
        record.append(match_id, [entry])
    record.finish(match_id, CLOSING)
    return match_id


def _cut(raw: bytearray, chance: random.Random) -> None:
    del raw[chance.randrange(len(raw)) :]


def _zero_pages(raw: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 8)):
        at = chance.randrange(len(raw) // PAGE) * PAGE
        raw[at : at + PAGE] = bytes(PAGE)


def _noise(raw: bytearray, chance: random.Random) -> None:
    for _ in range(chance.randint(1, 40)):
        at = chance.randrange(len(raw))
        noise = chance.randbytes(chance.randint(1, 64))
        raw[at : at + len(noise)] = noise


HURTS: tuple[Callable[[bytearray, random.Random], None], ...] = (_cut, _zero_pages, _noise)


def silently_lost(path: Path, truth: Truth) -> tuple[str, Sequence[str]]:
    """How a damaged record was told of; and the matches that lack lines without a word of it."""
    try:
        record = Record.open(path)
    except RecordError as refused:
        return f"refused: {str(refused)[:60]}", ()
    with record:
        said = [*record.said, *record.check()]
        lost, listed = list[str](), {line.match_id for line in record.matches()}
        for match_id, entries in truth.items():
            try:
                loaded = record.load(match_id)
            except CompanionError:
                named = match_id in listed or match_id in f"{said}"
            else:
                assert loaded.entries == entries[: len(loaded.entries)]
                named = len(loaded.entries) == len(entries) or loaded.damage is not None
            lost += [] if named or record.said else [match_id]
        assert listed <= {*truth}, "one nobody played"
        count_season(record)
    return "said at the start" if record.said else "said by a check" if said else "whole", lost


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(30, marks=pytest.mark.slow),
        pytest.param(CUT_FILES, marks=pytest.mark.soak),
    ],
)
def test_torn_records_of_all_boxes_lose_nothing_in_silence(
    season: tuple[Path, Path, Truth], memory: Path, files: int
) -> None:
    """Cut anywhere, pages of zeros, noise: in a closed file, in a killed one, in its log."""
    closed, killed, truth = season
    told = Counter[str]()
    for seed in range(files):
        chance = random.Random(seed)
        with tempfile.TemporaryDirectory(dir=memory) as folder:
            whole = (closed, killed, killed)[seed % 3]
            copy = damaged_copy(whole, folder)
            shutil.copytree(f"{whole}-witness", f"{copy}-witness")
            hurt = copy.with_name("record.db-wal") if seed % 3 == 2 else copy
            raw = bytearray(hurt.read_bytes())
            HURTS[seed // 3 % 3](raw, chance)
            hurt.write_bytes(raw)
            words, lost = silently_lost(copy, truth)
        assert not lost, (seed, words)
        told[words] += 1
    assert told["said at the start"] > files // 3, told


def test_a_torn_log_that_cannot_be_kept_leaves_no_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would lie there as if it were whole."""

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        salvage.keep_wal(tmp_path / "record.db", b"log", "20261128T170000Z")
    assert not list(tmp_path.iterdir())


# -- an exported file ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, Truth]:
    """A match as a file."""
    folder = tmp_path_factory.mktemp("export")
    with Record.open(folder / "record.db") as record:
        truth = write(record)
        name = next(iter(truth))
        return record.export(name).encode(), Truth({name: truth[name]})


@pytest.mark.slow
@given(at=st.integers(0, 10**9), mask=st.integers(1, 255))
def test_an_export_with_any_byte_changed_is_refused_by_line(
    exported: tuple[bytes, Truth], memory: Path, at: int, mask: int
) -> None:
    """The line that was changed is named, and nothing is taken; blanks and line ends are free."""
    raw, truth = exported
    changed = bytearray(raw)
    changed[at % len(raw)] ^= mask
    line = raw[: at % len(raw)].count(b"\n") + 1
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        path = Path(folder) / "match.jsonl"
        path.write_bytes(changed)
        with Record.open(Path(folder) / "record.db") as record:
            refused = _refused(record, path)
            if refused:
                assert f"line {line}:" in refused or "byte" in refused
                assert not record.matches()
            else:
                (imported,) = record.matches()
                assert record.load(imported.match_id).entries == next(iter(truth.values()))


def _refused(record: Record, path: Path) -> str:
    try:
        record.import_file(path)
    except BadFile as error:
        return str(error)
    return ""


@pytest.mark.slow
@given(size=st.integers(0, 10**9))
def test_an_export_cut_off_anywhere_is_refused(
    exported: tuple[bytes, Truth], memory: Path, size: int
) -> None:
    """A half copied file is no match; with `good_part` the lines before the cut are one."""
    raw, truth = exported
    (entries,) = truth.values()
    cut = raw[: size % (len(raw) - 1)]
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        path = Path(folder) / "match.jsonl"
        path.write_bytes(cut)
        with Record.open(Path(folder) / "record.db") as record:
            with pytest.raises(BadFile):
                record.import_file(path)
            assert not record.matches()
            if cut.count(b"\n") >= 2:
                imported = record.import_file(path, good_part=True)
                shown = record.load(imported.match_id).entries
                assert shown == entries[: len(shown)]
                assert len(shown) >= cut.count(b"\n") - 1
                assert imported.damage


def test_a_record_error_names_the_file(tmp_path: Path) -> None:
    """One line that a terminal can print."""
    path = tmp_path / "notes"
    path.write_text("nothing of ours")
    with pytest.raises(RecordError) as raised:
        Record.open(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


REFUSES = "/proc/self/mem"
"""A file that is there, and of which no byte is given: EIO, as a worn card answers."""


@pytest.mark.skipif(not Path(REFUSES).exists(), reason="only Linux has such a file")
def test_a_disk_that_refuses_is_not_called_a_damaged_file(tmp_path: Path) -> None:
    """SQLite tells EIO as damage; setting a file aside is no way out where none can be read."""
    noise = tmp_path / "noise.db"
    noise.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)

    def said(where: str) -> RecordError:
        with contextlib.closing(sqlite3.connect(noise)) as database:
            try:
                with plain_errors(where):
                    database.execute("SELECT name FROM sqlite_master")
            except RecordError as told:
                return told
        pytest.fail("noise was read")

    assert isinstance(said(str(noise)), RecordDamaged)
    refused = said(REFUSES)
    assert isinstance(refused, RecordReadOnly)
    assert "the disk fails" in str(refused)
    assert "start the machine again" in str(refused)
    assert "aside" not in str(refused)


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_PROTOCOL])
def test_who_is_crowded_out_by_other_programs_is_told_so(tmp_path: Path, code: int) -> None:
    """SQLite calls it busy, or a locking protocol where many readers came first for ten seconds."""
    crowded = sqlite3.OperationalError("locking protocol")
    crowded.sqlite_errorcode = code
    told = pytest.raises(RecordError, match="is held by another program")
    with told, plain_errors(str(tmp_path / "record.db")):
        raise crowded


def test_a_record_on_a_disk_that_refuses_is_left_as_it_is(
    at_rest: tuple[Path, Truth], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be read now is not mended: the start says that the disk fails."""
    copy = damaged_copy(at_rest[0], str(tmp_path))
    raw = bytearray(copy.read_bytes())
    raw[4096:8192] = bytes(range(256)) * 16
    copy.write_bytes(raw)
    for room in (salvage, store):
        monkeypatch.setattr(room, "disk_refuses", lambda _: True)
    with pytest.raises(RecordReadOnly, match="the disk fails"):
        Record.open(copy)
    assert copy.read_bytes() == bytes(raw)
    assert not [*tmp_path.glob("*damaged*")]


# -- looked at by the program that has it open ---------------------------------------------------

_LOOK_IN = """
import sqlite3, sys
with sqlite3.connect(sys.argv[1]) as database:
    print(database.execute("SELECT max(seq) FROM entries").fetchone()[0])
database.close()  # whoever is the last to close a record folds its log in, and takes it away
"""


def newest_line(path: Path) -> int:
    """What another program sees, that opens the record and closes it."""
    call = [sys.executable, "-S", "-c", _LOOK_IN, str(path)]
    return int(subprocess.run(call, check=True, capture_output=True, text=True).stdout)


LOOKS: dict[str, Callable[[Path], object]] = {
    "check": lambda path: Record.open_again(path).check_file(),
    "open": lambda path: Record.open(path).close(),
    "examine": lambda path: salvage.examine(path, whole=True),
    "a disk that refuses": store.disk_refuses,
}


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_a_record_that_is_open_is_looked_at_without_losing_its_log(
    tmp_path: Path, look: Callable[[Path], object]
) -> None:
    """A file that is closed takes every lock on it away, and others the log of whoever wrote on."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        stamp = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
        match_id = record.create(Setup("jaws-and-paws"), stamp)
        look(path)
        log = path.with_name("record.db-wal").stat().st_ino
        assert newest_line(path) == 0
        assert path.with_name("record.db-wal").stat().st_ino == log
        record.append(match_id, [Entry(1, "answer", "set-up/toss", "Jaws")])
        assert newest_line(path) == 1, "what is confirmed is there for everybody"
    assert newest_line(path) == 1
