"""The list of matches: kept as matches begin and end, made again where it lacks, never trusted."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.errors import RecordReadOnly
from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record import salvage
from companion.record.lines import Closing
from companion.record.match import MatchLine, MatchState
from companion.record.record import Record

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
DAY = Setup("jaws-and-paws", ("day",), options={"timer_s": 30})
DRAW = Closing("Draw.", "JP-11.2", (), (("Draw.", "JP-11.2"),))
JAWS = Closing("Jaws win.", "JP-11.1", ("Jaws",), (("Jaws win.", "JP-11.1"),))


def play(record: Record, lines: int = 4, closing: Closing | None = None, setup: Setup = DAY) -> str:
    """A match of so many lines, ended or open."""
    match_id = record.create(setup, STAMP)
    rows = [
        Entry(n, "answer", f"q-{n}", n, at_utc=f"2026-11-21T19:00:{n:02}Z") for n in range(1, lines)
    ]
    record.append(match_id, rows)
    if closing is not None:
        record.finish(match_id, closing)
    return match_id


def change(path: Path, *statements: str) -> None:
    """Change a record behind the program's back."""
    with closing(sqlite3.connect(path)) as database, database:
        for statement in statements:
            database.execute(statement)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A record with an open match, one that Jaws won, a draw, and a demonstration."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        play(record)
        play(record, 5, JAWS)
        play(record, 6, DRAW)
        play(record, 3, JAWS, replace(DAY, demonstration=True))
    return path


def listed(path: Path) -> Sequence[MatchLine]:
    with Record.open(path) as record:
        return record.matches()


# -- kept, and made again -------------------------------------------------------------------


@pytest.mark.parametrize(
    "hand",
    [
        "DROP TABLE listed",
        "DELETE FROM listed",
        "DELETE FROM listed WHERE state = 'ended'",
        "UPDATE listed SET setup = 'noise'",
        "UPDATE listed SET winners = '{'",
        "UPDATE listed SET state = 'open'",
        "UPDATE listed SET state = 'lost'",
    ],
)
def test_the_list_is_the_same_whatever_became_of_its_rows(place: Path, hand: str) -> None:
    """An older program writes none, and a hand may spoil them: the logs tell everything anew."""
    before = listed(place)
    change(place, hand)
    assert listed(place) == before


def test_a_row_that_lies_is_put_right_when_its_match_is_verified(place: Path) -> None:
    before = [replace(line, verified="") for line in listed(place)]
    change(
        place, """UPDATE listed SET winners = '["Paws"]', box = 'no-box' WHERE winners != '[]'"""
    )
    with Record.open(place) as record:
        assert record.matches()[0].box == "no-box"
        assert not record.check()
        assert [replace(line, verified="") for line in record.matches()] == before


def test_an_older_program_that_goes_on_with_a_match_is_noticed(place: Path) -> None:
    """It takes the closing away and knows nothing of the list."""
    change(place, "DELETE FROM closings WHERE match_id = (SELECT id FROM matches WHERE number = 2)")
    states = {line.number: (line.state, line.winners) for line in listed(place)}
    assert states[2] == (MatchState.OPEN, ())
    assert states[3] == (MatchState.ENDED, ())


def test_a_damaged_log_is_told_once_it_was_verified(place: Path) -> None:
    """The list reads no log; what verifying found stays, until the match is sound again."""
    change(place, "UPDATE entries SET line = replace(line, 'q-2', 'q-9') WHERE seq = 2")
    with Record.open(place) as record:
        assert {line.state for line in record.matches()} == {MatchState.OPEN, MatchState.ENDED}
        assert len(record.check()) == 4
    assert {line.state for line in listed(place)} == {MatchState.DAMAGED}
    assert all("line 2 is not what was written" in line.damage for line in listed(place))
    change(place, "UPDATE entries SET line = replace(line, 'q-9', 'q-2') WHERE seq = 2")
    with Record.open(place) as record:
        assert not record.check()
    assert {line.state for line in listed(place)} == {MatchState.OPEN, MatchState.ENDED}


def test_the_list_says_when_each_match_was_verified(place: Path) -> None:
    """A match that ends afterwards counts as unverified again."""
    with Record.open(place) as record:
        assert len(record.unverified(again=False)) == 4
        list(record.verify(record.unverified()[:2], "2026-11-22T10:00:00Z"))
        assert [bool(line.verified) for line in record.matches()] == [True, True, False, False]
        assert len(record.unverified(again=False)) == 2
        open_match = record.matches()[3].match_id
        list(record.verify([open_match], "2026-11-22T10:00:00Z"))
        record.finish(open_match, DRAW)
        assert open_match in record.unverified(again=False)


def test_verifying_a_record_that_takes_nothing_tells_all_the_same(place: Path) -> None:
    place.chmod(0o444)
    with Record.open(f"{place}") as record:
        record.read_only = record.read_only or RecordReadOnly("a card with its lock on")
        assert not record.check()
        assert not any(line.verified for line in record.matches())


# -- pages, names, statistics ---------------------------------------------------------------


def test_the_list_is_read_in_pages(place: Path) -> None:
    with Record.open(place) as record:
        whole = record.matches()
        assert record.matches(3) == whole[:3]
        assert record.matches(3, skip=3) == whole[3:]
        assert not record.matches(3, skip=4)
        assert record.count() == 4


def test_a_number_goes_before_the_beginning_of_an_id(tmp_path: Path) -> None:
    with Record.open(tmp_path / "record.db") as record:
        ids = [play(record, 2) for _ in range(40)]
        for number, match_id in enumerate(ids, 1):
            assert record.find(str(number)) == match_id
        digits = next(i for i in ids if i[:3].isdecimal())
        assert record.find(digits[:7]) == digits


def test_statistics_count_outcomes_and_no_demonstration(place: Path) -> None:
    with Record.open(place) as record:
        tally = record.tally()
    assert tally.matches == 3
    assert tally.demonstrations == 1
    assert tally.states == {MatchState.OPEN: 1, MatchState.ENDED: 2}
    assert tally.outcomes == {("jaws-and-paws", ("Jaws",)): 1, ("jaws-and-paws", ()): 1}


# -- what costs nothing, however many there are ----------------------------------------------


def test_reading_takes_no_write_lock(place: Path) -> None:
    """While another program writes, a record is opened, listed, counted and shown."""
    with closing(sqlite3.connect(place, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with Record.open(place) as record:
            assert len(record.matches()) == 4
            assert record.tally().matches == 3
            assert record.load(record.find("last")).damage is None
            assert record.export(record.find("1"))
        other.execute("ROLLBACK")


def test_a_large_file_is_not_looked_through_at_every_start(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was met as damaged is: the next start reads every page and sets the file aside."""
    raw = bytearray(place.read_bytes())
    at = raw.rindex(b'"q-5"') // 4096 * 4096
    raw[at : at + 4096] = b"\xff" * 4096
    place.write_bytes(raw)
    monkeypatch.setattr(salvage, "SMALL_BYTES", 0)
    with Record.open(place) as record:
        assert not record.said
        assert record.check()
    place.with_name(f"{place.name}-suspect").touch()
    with Record.open(place) as record:
        assert "was damaged" in record.said[0]
    assert not place.with_name(f"{place.name}-suspect").exists()


def test_damage_that_is_met_marks_the_file_for_the_next_start(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = bytearray(place.read_bytes())
    for at in range(4096, len(raw), 4096):
        if b'"q-' in raw[at : at + 4096]:
            raw[at : at + 4096] = b"\xff" * 4096
    place.write_bytes(raw)
    monkeypatch.setattr(salvage, "SMALL_BYTES", 0)
    with Record.open(place) as record, pytest.raises(Exception, match="Start again"):
        record.load(record.find("1"))
    with Record.open(place) as record:
        assert "was damaged" in record.said[0]


def test_two_programs_begin_matches_at_once(place: Path) -> None:
    """Each has its rows, whoever comes first."""
    failed: list[BaseException] = []

    def begin() -> None:
        try:
            with Record.open(place) as record:
                for _ in range(10):
                    play(record, 2, DRAW)
        except BaseException as wrong:  # noqa: BLE001 - told by the test
            failed.append(wrong)

    both = [threading.Thread(target=begin) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert not failed
    lines = listed(place)
    assert len(lines) == 24
    assert sum(line.state is MatchState.ENDED for line in lines) == 23


def test_pages_hold_where_numbers_have_gaps(place: Path) -> None:
    """A server's numbers may."""
    change(place, "UPDATE matches SET number = 9 WHERE number = 3")
    with Record.open(place) as record:
        numbers = [line.number for line in record.matches()]
        assert numbers == [9, 4, 2, 1]
        assert [record.matches(1, skip=n)[0].number for n in range(4)] == numbers


def test_half_a_letter_and_a_nul_are_listed_as_marks(place: Path) -> None:
    """As in another program's file: no database takes them, and the log keeps them."""
    odd = "A\ud800na\0"
    setup = replace(DAY, seats={Seat("JP"): odd})
    with Record.open(place) as record:
        match_id = play(record, 4, Closing(f"{odd} wins.", "JP-11.1", ("Jaws",), ()), setup)
        assert record.matches(1)[0].outcome == "A?na? wins."
        assert record.load(match_id).setup.seats == {"JP": odd}
