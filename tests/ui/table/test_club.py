"""The app carries to the club by itself, and no table waits for it."""

from __future__ import annotations

import socket
import sqlite3
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.club import Carried, carry
from companion.record.meanwhile import NAME, open_or_stand_in, waiting
from companion.record.record import Record
from tests.patience import STALL_S
from ui.scene.values import Line, Mark
from ui.table.club import SILENT_S, ClubCarrier, HomeComing

PICTURE = "00001-reveal-before-20261121T193407.250Z.jpg"
STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A record with one match in it."""
    place = tmp_path / "matches.sqlite"
    with Record.open(place) as record:
        record.create(Setup("jaws-and-paws"), STAMP)
    return place


def carrier(place: Path, club: str) -> ClubCarrier:
    return ClubCarrier(str(place), lambda: club, utc=lambda: datetime(2026, 11, 21, tzinfo=UTC))


def test_a_named_club_gets_the_matches(place: Path, tmp_path: Path) -> None:
    """Not while a round runs; without a name nothing is said."""
    nobody = carrier(place, "")
    nobody.look()
    assert nobody.line is None
    club = carrier(place, str(tmp_path / "club.db"))
    club.busy = True
    club.look()
    assert not (tmp_path / "club.db").exists()
    club.busy = False
    club.look()
    assert club.line is not None
    assert (club.line.mark, club.line.value[:14]) == (Mark.OK, "has everything")
    with Record.open(tmp_path / "club.db") as there:
        assert there.count() == 1


def test_a_club_whose_drive_is_away_is_not_begun_anew(place: Path, tmp_path: Path) -> None:
    """On the empty folder where it is mounted, that would be no club's record."""
    drive, away = tmp_path / "drive", tmp_path / "away"
    club = carrier(place, str(drive / "club.db"))
    club.look()
    drive.rename(away)
    drive.mkdir()
    club.look()
    assert club.line is not None
    assert club.line.mark is Mark.WARN
    assert "club.db is not there" in club.line.value
    assert not any(drive.iterdir())


def test_whatever_goes_wrong_is_told_and_ends_no_carrying(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A thread that had ended would leave its last word standing: that all is well."""

    def fails(*_: object) -> None:
        raise ZeroDivisionError("a fault of ours")

    monkeypatch.setattr("ui.table.club.carry", fails)
    club = carrier(place, str(tmp_path / "club.db"))
    club.look()
    assert club.line is not None
    assert (club.line.mark, "a fault of ours" in club.line.value) == (Mark.WARN, True)


@pytest.fixture
def silent() -> Iterator[int]:
    """A port that takes a connection and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


def test_a_club_that_stalls_holds_up_nobody(place: Path, silent: int) -> None:
    """The table writes while its carrier waits; it is told in words, without the password."""
    pytest.importorskip("psycopg", reason="psycopg is not installed")
    url = f"postgresql+psycopg://ana:geheim@127.0.0.1:{silent}/club?connect_timeout=2"
    club = carrier(place, url)
    club.start()
    club._waits_s = 0.0
    with Record.open(place) as record:
        match_id = record.find("last")
        for seq in range(1, 4):
            began = time.monotonic()
            record.append(match_id, [Entry(seq, "answer", f"q-{seq}")])
            assert time.monotonic() - began < STALL_S
    club.look()
    assert club.line is not None
    assert club.line.mark is Mark.WARN
    assert "not reached" in club.line.value
    assert "geheim" not in club.line.value
    club.close()


def test_a_club_that_stops_in_the_middle_is_told_to_be_silent(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last good word is not told as if it held still; once it answers that is told again."""
    now, lines = [0.0], list[Line | None]()
    club = ClubCarrier(
        str(place), lambda: str(tmp_path / "club.sqlite"),
        utc=lambda: datetime(2026, 11, 21, tzinfo=UTC), clock=lambda: now[0],
    )  # fmt: skip
    club.look()
    well = club.line
    assert well is not None
    assert well.mark is Mark.OK
    carried = carry

    def stalling(here: Record, there: Record) -> Carried:
        for now[0] in (SILENT_S - 1, SILENT_S):
            lines.append(club.line)
        return carried(here, there)

    monkeypatch.setattr("ui.table.club.carry", stalling)
    club.look()
    since = well.value.partition(", ")[2]
    told = f"has not answered since {since}; what is played here waits"
    assert lines == [well, Line(well.name, told, Mark.WARN)]
    assert club.line == well


def test_damage_is_left_to_the_next_start(place: Path, tmp_path: Path) -> None:
    """The app writes the file: taken away from under it, what it writes next would be lost."""
    with Record.open(place) as app:
        match_id = app.find("last")
        file = place.stat().st_ino
        _spoil_an_index(place)
        club = carrier(place, str(tmp_path / "club.db"))
        club.look()
        assert place.stat().st_ino == file
        app.append(match_id, [Entry(1, "answer", "q-1")])
    with Record.open(place) as after:
        assert any("was damaged" in told for told in after.said)
        assert len(after.load(match_id).entries) == 2


def _spoil_an_index(place: Path) -> None:
    """Write nonsense over a page that no line stands on."""
    with sqlite3.connect(place) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        where = "SELECT rootpage FROM sqlite_master WHERE name = 'seated_names'"
        page = database.execute(where).fetchone()[0]
    with place.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 100)


# What was kept elsewhere while a server stalled.


@pytest.fixture
def away(tmp_path: Path) -> Path:
    """A folder with a stand-in that has a match with a picture."""
    folder = tmp_path / "spare"
    folder.mkdir()
    with Record.open(folder / NAME) as record:
        match_id = record.create(Setup("dogfight-1917"), STAMP)
        (record.evidence(match_id) / PICTURE).write_bytes(b"a picture")
    return folder


def test_what_was_kept_elsewhere_comes_home_when_its_match_is_left(place: Path, away: Path) -> None:
    """Not while it is written, nor in a round; with its pictures, once, and nothing is left."""
    home = HomeComing(str(place), [away])
    home.look()
    assert (away / NAME).exists(), "a match may be written there"
    home.changed()
    home.busy = True
    home.look()
    with Record.open(place) as record:
        assert record.count() == 1
    home.busy = False
    home.look()
    assert home.line is not None
    assert (home.line.mark, home.line.value[:7]) == (Mark.OK, "1 match")
    with Record.open(place) as record:
        assert record.count() == 2
        newest = record.matches(1)[0].match_id
        assert (record.evidence(newest) / PICTURE).read_bytes() == b"a picture"
    home.changed()
    home.look()
    assert home.line is not None
    assert not [*away.glob("meanwhile*")]


def test_what_a_server_does_not_take_waits_and_the_next_start_finds_it(
    place: Path, away: Path, tmp_path: Path
) -> None:
    """A second match that is kept elsewhere meanwhile gets a place of its own."""
    home = HomeComing("postgresql+psycopg://nobody@127.0.0.1:9/none", [away])
    home.changed()
    home.look()
    assert home.line is not None
    assert home.line.mark is Mark.WARN
    assert home.line.value.startswith("what was kept elsewhere waits: ")
    with Record.open(away / NAME) as second:
        second.create(Setup("jaws-and-paws", ("night",)), STAMP)
        home.changed()
        assert (away / NAME).exists(), "it is open: nothing is taken from under it"
    home.changed()
    assert len(waiting([away])) == 2
    opened = open_or_stand_in(place, [away])
    with opened.record as record:
        assert record.count() == 3
        assert [told[:7] for told in opened.said] == ["1 match"] * 2
    assert not waiting([away])
