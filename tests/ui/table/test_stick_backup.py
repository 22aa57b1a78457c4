"""A stick that is named for it gets a backup by itself."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path, PosixPath

import pytest

from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.backup import backups, put_back
from companion.record.record import Record
from ui.scene.values import Mark
from ui.table.stick_backup import FOLDER, StickBackup

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A record with one match in it."""
    place = tmp_path / "matches.sqlite"
    with Record.open(place) as record:
        match_id = record.create(Setup("jaws-and-paws"), STAMP)
        record.append(match_id, [Entry(1, "answer", "set-up/toss", "Jaws")])
    return place


@pytest.fixture
def stick(tmp_path: Path) -> Path:
    """Where a stick called so would be mounted; the test plugs it in."""
    return tmp_path / "media" / "COMPANION"


@pytest.fixture
def backup(place: Path, stick: Path) -> StickBackup:
    moments: Iterator[datetime] = (
        datetime(2026, 11, 21, 19, tzinfo=UTC) + timedelta(seconds=n) for n in range(99)
    )
    return StickBackup(
        place,
        lambda: "COMPANION",
        found=lambda: sorted(stick.parent.glob("*")),
        utc=lambda: next(moments),
    )


def told(backup: StickBackup) -> tuple[str, Mark]:
    assert backup.line is not None
    return backup.line.value, backup.line.mark


def test_a_stick_of_the_name_gets_one_backup_that_can_be_put_back(
    backup: StickBackup, place: Path, stick: Path
) -> None:
    """One each time it is plugged in; it is told that the stick may go."""
    backup.look()
    assert backup.line is None
    stick.mkdir(parents=True)
    backup.look()
    backup.look()
    value, mark = told(backup)
    assert value.startswith("1 match on COMPANION, ")
    assert value.endswith("it may be pulled out")
    assert mark is Mark.OK
    assert len(backups(stick / FOLDER)) == 1
    place.unlink()
    put_back(stick / FOLDER, place, "2026-11-22T19:00:00Z")
    with Record.open(place) as record:
        assert record.count() == 1


def test_a_match_that_was_played_is_copied_while_the_stick_stays(
    backup: StickBackup, stick: Path
) -> None:
    stick.mkdir(parents=True)
    backup.look()
    backup.changed()
    backup.look()
    assert len(backups(stick / FOLDER)) == 2


def test_a_stick_that_comes_back_gets_another(backup: StickBackup, stick: Path) -> None:
    """And while none is plugged in, nothing is told."""
    stick.mkdir(parents=True)
    backup.look()
    elsewhere = stick.with_name("away")
    stick.rename(elsewhere)
    backup.look()
    assert backup.line is None
    elsewhere.rename(stick)
    backup.look()
    assert len(backups(stick / FOLDER)) == 2


def test_any_other_stick_is_left_alone(backup: StickBackup, stick: Path) -> None:
    other = stick.with_name("HOLIDAYS")
    other.mkdir(parents=True)
    backup.look()
    assert backup.line is None
    assert not list(other.iterdir())


def test_nothing_is_begun_while_a_round_runs(backup: StickBackup, stick: Path) -> None:
    stick.mkdir(parents=True)
    backup.busy = True
    backup.look()
    assert not list(stick.iterdir())
    backup.busy = False
    backup.look()
    assert len(backups(stick / FOLDER)) == 1


def test_a_stick_that_takes_nothing_is_told_and_tried_again_when_it_comes_back(
    backup: StickBackup, stick: Path
) -> None:
    """What went wrong stays on the screen when the stick is pulled out."""
    stick.mkdir(parents=True)
    (stick / FOLDER).write_text("no folder")
    backup.look()
    value, mark = told(backup)
    assert value.startswith("none on COMPANION: ")
    assert mark is Mark.BAD
    shutil.rmtree(stick)
    backup.look()
    assert told(backup)[1] is Mark.BAD
    stick.mkdir()
    backup.look()
    assert told(backup)[1] is Mark.OK


def test_a_record_that_cannot_be_copied_is_told(
    backup: StickBackup, place: Path, stick: Path
) -> None:
    stick.mkdir(parents=True)
    place.write_bytes(b"no record")
    backup.look()
    assert told(backup)[1] is Mark.BAD
    assert not backups(stick / FOLDER)


def test_without_a_name_no_stick_is_looked_for(place: Path, stick: Path) -> None:
    stick.mkdir(parents=True)
    backup = StickBackup(place, lambda: "", found=lambda: [stick])
    backup.look()
    assert not list(stick.iterdir())


def test_closing_ends_the_thread(backup: StickBackup) -> None:
    backup.start()
    backup.close(most_s=60.0)
    assert not backup.is_watching


def test_closing_before_the_start_is_no_fault(backup: StickBackup) -> None:
    backup.close()
    assert not backup.is_watching


def test_a_disk_that_fails_is_told_and_ends_no_watch(stick: Path) -> None:
    """Of whatever is asked of it, even whether there is a record; the next look is tried."""

    class Failing(PosixPath):
        def is_file(self) -> bool:
            raise OSError(errno.EIO, "Input/output error")

    backup = StickBackup(Failing("m.sqlite"), lambda: "COMPANION", found=lambda: [stick])
    for _ in range(2):
        backup.look()
        assert told(backup)[1] is Mark.BAD
