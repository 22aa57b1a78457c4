"""A backup is the record as it was: made while a match is played, verified, rotated, put back."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import BadCall, RecordDamaged
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record import backup as backup_module
from companion.record.backup import back_up, backups, put_back, told_of
from companion.record.lines import Closing
from companion.record.record import Record

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
AT = "2026-11-22T09:00:00.000Z"
TIMES = (f"2026-11-22T{n // 60:02}:{n % 60:02}:00.000Z" for n in range(1440))
DRAW = Closing("Draw.", "JP-11.2", (), ())


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A record of three matches; one has a picture."""
    path = tmp_path / "table" / "matches.sqlite"
    with Record.open(path) as record:
        for _ in range(3):
            play(record)
        picture = record.evidence(record.find("last")) / "00001-zero-at-20261121T190000.000Z.jpg"
        picture.write_bytes(b"picture")
    return path


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    (tmp_path / "stick").mkdir()
    return tmp_path / "stick"


def play(record: Record) -> str:
    match_id = record.create(Setup("jaws-and-paws"), STAMP)
    record.append(match_id, [Entry(n, "answer", f"q-{n}", n) for n in range(1, 6)])
    record.finish(match_id, DRAW)
    return match_id


def whole(path: Path) -> dict[str, str]:
    """Every match as a file, by its name."""
    with Record.open(path) as record:
        assert not record.check()
        return {line.match_id: record.export(line.match_id) for line in record.matches()}


def test_a_record_beside_which_nothing_can_be_written_is_copied(
    place: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A read-only card: SQLite makes no notes there; what stands in its log alone comes along."""

    def refuses(*_: object) -> None:
        error = sqlite3.OperationalError("attempt to write a readonly database")
        error.sqlite_errorcode = sqlite3.SQLITE_READONLY
        raise error

    monkeypatch.setattr(backup_module, "_copy_in_use", refuses)
    with Record.open(place) as record:
        newest = play(record)
        assert place.with_name(f"{place.name}-wal").stat().st_size
        made = back_up(place, stick, next(TIMES))
        there = {line.match_id: record.export(line.match_id) for line in record.matches()}
    assert (made.matches, list(made.troubles)) == (4, [])
    assert newest in there
    assert whole(made.folder / place.name) == there
    assert not [*made.folder.glob("*-wal")]


def test_a_backup_put_back_is_the_same_record(place: Path, stick: Path) -> None:
    """Lines, seals, signatures, witness and pictures; the record that stood there is kept."""
    before = whole(place)
    made = back_up(place, stick, next(TIMES))
    assert (made.matches, list(made.troubles)) == (3, [])
    with Record.open(place) as record:
        later = play(record)
        picture = next(record.evidence(record.find("3")).iterdir())
    picture.unlink()
    folder, aside = put_back(stick, place, AT)
    assert folder == made.folder
    assert whole(place) == before
    assert picture.read_bytes() == b"picture"
    assert aside is not None
    assert later in whole(aside)


def test_a_backup_says_when_its_matches_were_verified(place: Path, stick: Path) -> None:
    """It was then: every line of it is read as it is made."""
    made = back_up(place, stick, AT)
    put_back(made.folder, place, AT)
    with Record.open(place) as record:
        assert {line.verified for line in record.matches()} == {AT}


def test_a_plug_pulled_while_one_is_put_back_leaves_a_record(
    place: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one, whole, until the new one comes there in one step; then it can be done again."""
    back_up(place, stick, next(TIMES))
    with Record.open(place) as record:
        play(record)
    before = whole(place)

    def pulled(fresh: Path, _place: Path) -> Path:
        raise KeyboardInterrupt(fresh.name)

    with monkeypatch.context() as power:
        power.setattr(Path, "replace", pulled)
        with pytest.raises(KeyboardInterrupt):
            put_back(stick, place, AT)
    assert whole(place) == before
    _, aside = put_back(stick, place, AT)
    assert aside is not None
    assert whole(aside) == before != whole(place)


@pytest.mark.parametrize("moment", range(5))
def test_a_kill_at_any_step_of_putting_back_leaves_one_record_with_its_own_witness(
    place: Path, stick: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    """The old one or the new one; what was on its way is gone, and it can be done again."""
    back_up(place, stick, next(TIMES))
    new = whole(place)
    with Record.open(place) as record:
        play(record)
        play(record)
    old, steps = whole(place), list[str]()

    def dies(*words: object, **_: object) -> None:
        steps.append(str(words))
        if len(steps) > moment:
            os._exit(9)

    pid = os.fork()
    if not pid:
        sys.addaudithook(lambda event, words: dies(words) if event in STEPS else None)
        put_back(stick, place, AT)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9
    with Record.open(place) as record:
        assert not record.said
        assert not record.check()
    assert whole(place) in (old, new)
    assert not list(place.parent.glob(".*"))
    put_back(stick, place, TIMES.__next__())
    assert whole(place) == new


STEPS = ("os.rename", "shutil.rmtree", "os.link")
"""What the system is asked for, one after the other, as a backup takes a record's place."""


def test_a_backup_is_put_on_a_new_machine(place: Path, stick: Path, tmp_path: Path) -> None:
    before = whole(place)
    back_up(place, stick, next(TIMES))
    other = tmp_path / "new" / "here" / "club.sqlite"
    assert put_back(stick, other, AT)[1] is None
    assert whole(other) == before


def test_what_is_played_before_a_backup_is_whole_is_not_missed_in_it(
    place: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A match that begins once the lines are copied: nothing beside them says that it was seen."""
    copied = backup_module._copy_database

    def copied_and_played_on(*of: Any) -> None:
        copied(*of)
        with Record.open(place) as record:
            play(record)

    monkeypatch.setattr(backup_module, "_copy_database", copied_and_played_on)
    before = whole(place)
    made = back_up(place, stick, next(TIMES))
    assert not made.troubles
    assert whole(made.folder / place.name) == before


def test_a_match_is_played_on_while_the_backup_is_made(place: Path, stick: Path) -> None:
    """Nobody waits: what was written before it began is in it, whole."""
    before, stop = whole(place), threading.Event()
    wrong: list[BaseException] = []

    def table() -> None:
        try:
            with Record.open(place) as record:
                while not stop.is_set():
                    play(record)
        except BaseException as error:  # noqa: BLE001 - told by the test
            wrong.append(error)

    player = threading.Thread(target=table)
    player.start()
    made = back_up(place, stick, next(TIMES))
    stop.set()
    player.join()
    assert not wrong
    there = whole(made.folder / place.name)
    assert before.items() <= there.items()


def test_the_newest_backups_are_kept(place: Path, stick: Path) -> None:
    """And nothing else in the folder is touched."""
    (stick / "holiday-20260101T000000.000Z").mkdir()
    (stick / "matches-notes").mkdir()
    made = [back_up(place, stick, next(TIMES), keep=2) for _ in range(4)]
    assert backups(stick, "matches") == [one.folder for one in made[-2:]]
    assert [path for one in made for path in one.removed] == [one.folder for one in made[:2]]
    assert (stick / "holiday-20260101T000000.000Z").is_dir()
    assert (stick / "matches-notes").is_dir()
    assert "1 older backup removed" in told_of(made[-1])
    assert put_back(stick, place, AT)[0] == made[-1].folder


def test_two_backups_of_one_moment_are_two_calls(place: Path, stick: Path) -> None:
    back_up(place, stick, AT)
    with pytest.raises(BadCall, match="is a backup already"):
        back_up(place, stick, AT)
    assert len(backups(stick)) == 1


def test_pictures_are_copied_once(place: Path, stick: Path) -> None:
    back_up(place, stick, next(TIMES))
    (picture,) = (stick / "matches-evidence").rglob("*.jpg")
    at = picture.stat().st_mtime_ns, picture.stat().st_ino
    back_up(place, stick, next(TIMES))
    assert (picture.stat().st_mtime_ns, picture.stat().st_ino) == at


# -- what goes wrong ---------------------------------------------------------------------------


def test_no_stick_no_record_and_no_room_are_named(
    place: Path, stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadCall, match="is the stick plugged in"):
        back_up(place, tmp_path / "none", next(TIMES))
    with pytest.raises(BadCall, match="no record at"):
        back_up(tmp_path / "none.sqlite", stick, next(TIMES))
    monkeypatch.setattr(backup_module, "SPARE_BYTES", 10**18)
    with pytest.raises(BadCall, match=r" MB left; the backup takes 0\.\d MB, and \d+ MB stay"):
        back_up(place, stick, next(TIMES))
    assert not list(stick.iterdir())


def test_room_is_wanted_for_the_witness_too_there_and_back(
    place: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long witness fills a stick as a record does; nothing is begun that has no room."""
    folder = back_up(place, stick, next(TIMES)).folder
    before = place.read_bytes()
    usual = shutil.disk_usage(stick)
    free = usual._replace(free=backup_module.SPARE_BYTES + 2 * place.stat().st_size)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    back_up(place, stick, next(TIMES))
    for witness in (place.with_name(f"{place.name}-witness"), folder / f"{place.name}-witness"):
        (witness / "00").write_bytes(bytes(2 * len(before)))
    with pytest.raises(BadCall, match="; the backup takes"):
        back_up(place, stick, next(TIMES))
    with pytest.raises(BadCall, match="; what is put back takes"):
        put_back(folder, place, next(TIMES))
    assert place.read_bytes() == before
    assert [one.name for one in place.parent.glob("*before*")] == []


def test_a_stick_that_fails_leaves_no_half_backup(
    place: Path, stick: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pulled out, or full after all: told, and what was begun is taken away."""

    def pulled(*_: object) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(backup_module, "_copy_tree", pulled)
    with pytest.raises(BadCall, match="takes no backup: Input/output error"):
        back_up(place, stick, next(TIMES))
    assert not backups(stick)
    assert not list(stick.glob(".*part"))


def test_what_a_killed_backup_left_is_swept_by_the_next(place: Path, stick: Path) -> None:
    """Else a stick fills with halves; one that is made just now is let alone."""
    for number in range(2):
        pid = os.fork()
        if not pid:
            back_up(place, stick, next(TIMES), progress=lambda *_: os._exit(9))
            os._exit(0)
        next(TIMES)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 9, number
        assert len(list(stick.glob(".*"))) == 1
    beside: list[int] = []

    def another(*_: object) -> None:
        if not beside:
            beside.append(1)
            back_up(place, stick, next(TIMES))
            beside.append(len(list(stick.glob(".*"))))

    back_up(place, stick, next(TIMES), progress=another)
    assert beside == [1, 1]
    assert not list(stick.glob(".*"))
    assert len(backups(stick)) == 2


def test_damage_in_the_record_is_told_and_copied_as_it_is(place: Path, stick: Path) -> None:
    with Record.open(place) as record, record._engine.begin() as database:
        database.exec_driver_sql("UPDATE entries SET line = 'x' WHERE seq = 3")
    made = back_up(place, stick, next(TIMES))
    assert len(made.troubles) == 3
    assert all("line 3 is not what was written" in told for told in made.troubles)


def test_a_damaged_file_is_not_passed_on_as_a_backup(place: Path, stick: Path) -> None:
    raw = bytearray(place.read_bytes())
    raw[4096:] = b"\xff" * (len(raw) - 4096)
    place.write_bytes(raw)
    with pytest.raises(RecordDamaged):
        back_up(place, stick, next(TIMES))
    assert not backups(stick)


@pytest.mark.parametrize("what", ["no folder", "empty", "torn"])
def test_what_is_no_backup_is_named_and_the_record_stays(
    place: Path, stick: Path, what: str
) -> None:
    before = whole(place)
    made = back_up(place, stick, next(TIMES))
    if what == "no folder":
        source, said = stick / "none", "is no folder"
    elif what == "empty":
        (stick / "other").mkdir()
        source, said = stick / "other", "there is no backup in"
    else:
        source, said = stick, "holds no sound record"
        file = made.folder / place.name
        file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(BadCall, match=said):
        put_back(source, place, AT)
    assert whole(place) == before


@pytest.mark.slow
def test_a_record_that_another_program_has_open_is_not_replaced(place: Path, stick: Path) -> None:
    back_up(place, stick, next(TIMES))
    program = (
        "import sys\n"
        "from companion.record.record import Record\n"
        f"record = Record.open({str(place)!r})\n"
        "record.matches()\n"
        "print('open', flush=True)\n"
        "sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(BadCall, match=rf"open in process {other.pid}"):
            put_back(stick, place, AT)
        other.communicate()
    put_back(stick, place, AT)
