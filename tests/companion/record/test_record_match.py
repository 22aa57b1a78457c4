"""A match with a damaged line is shown up to its last sound one, and the line is named."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.core.errors import RecordDamaged, RecordReadOnly
from companion.core.files import written
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record import place as record_place
from companion.record.lines import Closing, seal
from companion.record.match import MatchState
from companion.record.record import Record


@pytest.fixture
def three(tmp_path: Path) -> tuple[Path, str]:
    """A record with one match of eleven lines."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        match_id = record.create(Setup("jaws-and-paws"), Stamp("", "2026-11-21T19:00:00Z", 0.0))
        record.append(match_id, [Entry(n, "answer", f"q-{n}", n) for n in range(1, 11)])
        record.finish(match_id, Closing("Draw.", "JP-11.6", (), ()))
    return path, match_id


def change(path: Path, statement: str) -> None:
    """Do to the tables what no companion does."""
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


@pytest.mark.parametrize(
    ("statement", "said", "shown"),
    [
        ("UPDATE entries SET line = replace(line, '7', '8') WHERE seq = 7", "line 7 is not", 7),
        ("UPDATE entries SET chain = '' WHERE seq = 7", "line 7 is not what was written", 7),
        ("DELETE FROM entries WHERE seq = 4", "line 4 is missing", 4),
        ("DELETE FROM entries WHERE seq > 8", "lines 9 to 10 are missing", 9),
        ("UPDATE entries SET line = 'x' WHERE seq = 10", "line 10 is not", 10),
        ("UPDATE closings SET line = replace(line, 'Draw', 'Jaws')", "what it ended with", 11),
        ("UPDATE closings SET line = '{}'", "what it ended with cannot be read", 11),
        ("UPDATE entries SET line = x'ff00' WHERE seq = 5", "line 5 is not", 5),
    ],
)
def test_a_match_is_shown_up_to_its_last_sound_line(
    three: tuple[Path, str], statement: str, said: str, shown: int
) -> None:
    """What follows is kept but not shown, and the message names the line."""
    path, match_id = three
    change(path, statement)
    with Record.open(path) as record:
        loaded = record.load(match_id)
        (listed,) = record.matches()
    assert loaded.damage is not None
    assert said in loaded.damage
    assert len(loaded.entries) == shown
    assert (listed.state, listed.damage) == (MatchState.DAMAGED, loaded.damage)


def test_a_damaged_set_up_line_costs_nothing(three: tuple[Path, str]) -> None:
    """Without its set-up a match tells nothing, so that line is stored twice."""
    path, match_id = three
    change(path, "UPDATE entries SET line = 'noise' WHERE seq = 0")
    with Record.open(path) as record:
        assert record.load(match_id).damage is None
        assert record.load(match_id).setup.box == "jaws-and-paws"


def test_a_match_without_any_set_up_is_listed_and_refused(three: tuple[Path, str]) -> None:
    """Both copies gone: the match stands in the list as damaged, and loading it says why."""
    path, match_id = three
    change(path, "UPDATE entries SET line = 'noise' WHERE seq = 0")
    change(path, "UPDATE matches SET line = 'noise'")
    with Record.open(path) as record:
        with pytest.raises(RecordDamaged, match=r"first line .* is lost"):
            record.load(match_id)
        assert record.matches()[0].state is MatchState.DAMAGED


def test_a_sealed_line_of_a_newer_companion_is_not_guessed_at(three: tuple[Path, str]) -> None:
    """A line that is sound but has a field unknown here ends what this version shows."""
    path, match_id = three
    with Record.open(path) as record:
        before = record.load(match_id).entries[9].chain
    line = written({"seq": 10, "kind": "answer", "mood": "good"})
    with closing(sqlite3.connect(path)) as database, database:
        query = "UPDATE entries SET line = ?, chain = ? WHERE seq = 10"
        database.execute(query, (line, seal(before, line)))
    with Record.open(path) as record:
        assert "line 10 cannot be read by this version" in str(record.load(match_id).damage)


@pytest.mark.parametrize(
    "wrong",
    [
        {"box": None},
        {"variants": [1]},
        {"seats": "Ana"},
        {"seats": {"JP": 3}},
        {"options": []},
        {"cards": 99},
        {"position": "p"},
        {"edition": "2"},
        {"app_version": 1},
        {"mood": "good"},
    ],
)
def test_a_sealed_set_up_of_another_kind_hides_no_other_match(
    three: tuple[Path, str], wrong: dict[str, object]
) -> None:
    """Whoever writes a wrong set-up with right seals spoils that one match, not the list."""
    path, good = three
    setup = Setup("jaws-and-paws", ("day",)).to_json() | wrong
    line = written({"seq": 0, "kind": "setup", "answer": setup})  # type: ignore[dict-item]
    chain = seal("", line)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(
            "INSERT INTO matches (id, line, chain) VALUES ('bad', ?, ?)", (line, chain)
        )
        query = "INSERT INTO entries (match_id, seq, line, chain) VALUES ('bad', 0, ?, ?)"
        database.execute(query, (line, chain))
    with Record.open(path) as record:
        bad, other = record.matches()
        assert (bad.match_id, bad.state) == ("bad", MatchState.DAMAGED)
        assert "this version cannot read its set-up" in bad.damage
        assert (other.match_id, other.state) == (good, MatchState.ENDED)


def open_one(tmp_path: Path) -> tuple[Path, str]:
    """A record closed in order, with one open match of 61 lines."""
    path = tmp_path / "torn.db"
    with Record.open(path) as record:
        match_id = record.create(Setup("jaws-and-paws"), Stamp("", "2026-11-21T19:00:00Z", 0.0))
        for n in range(1, 61):
            record.append(match_id, [Entry(n, "answer", f"q-{n}", n, reason="why " * 70)])
    return path, match_id


def older(path: Path) -> None:
    """Make it the record of a program that noted no lengths and had no witness."""
    shutil.rmtree(path.with_name(f"{path.name}-witness"))
    change(path, "DROP TABLE lengths")
    change(path, "DROP TABLE saved")


def test_a_match_cut_off_with_its_file_is_marked_for_good(tmp_path: Path) -> None:
    """Whoever opens it after the first one reads what may be lost, and where the old file is."""
    path, match_id = open_one(tmp_path)
    older(path)
    path.write_bytes(path.read_bytes()[:-8192])
    with Record.open(path) as record:
        assert "was damaged" in record.said[0]
    (aside,) = tmp_path.glob("torn.damaged-*.db")
    with Record.open(path) as record:
        loaded, (listed,) = record.load(match_id), record.matches()
        last = loaded.entries[-1].seq
        assert not record.said
        assert 0 < last < 60
        assert f"kept as {aside.name}; what came after line {last} may be lost" in loaded.saved
        assert listed.saved == loaded.saved
        assert listed.saved in record.check()
        assert "whole matches may be missing" in record.saved_from()
        record.append(match_id, [Entry(last + 1, "answer", "q", 1)])
        assert record.load(match_id).troubles == [loaded.saved]


def test_a_match_that_lost_lines_it_is_known_to_have_had_is_damaged(tmp_path: Path) -> None:
    """The record knows how many lines a match had, wherever the file was cut."""
    path, match_id = open_one(tmp_path)
    raw = path.read_bytes()
    at = raw.rindex(b'"q-60"') // 4096 * 4096
    path.write_bytes(raw[:at] + bytes(4096) + raw[at + 4096 :])
    Record.open(path).close()
    with Record.open(path) as record:
        loaded, (listed,) = record.load(match_id), record.matches()
    assert listed.state is MatchState.DAMAGED
    assert "line 60 is missing" in str(loaded.damage)
    assert "what came after line 59 may be lost" in loaded.saved


def test_a_match_that_is_known_to_be_whole_bears_no_mark(tmp_path: Path) -> None:
    """Damage to the head of the file costs no line, and nobody is told that it may have."""
    path, match_id = open_one(tmp_path)
    raw = path.read_bytes()
    path.write_bytes(raw[:70] + b"?" + raw[71:])
    with Record.open(path) as record:
        assert "was damaged" in record.said[0]
        assert len(record.load(match_id).entries) == 61
        assert not record.load(match_id).troubles


def test_a_mark_outlives_a_second_salvage(tmp_path: Path) -> None:
    """What was told of the first damaged file is told after the second, too."""
    path, match_id = open_one(tmp_path)
    older(path)
    told = ""
    for _ in range(2):
        path.write_bytes(bytes(16) + path.read_bytes()[16:])
        with Record.open(path) as record:
            told = record.load(match_id).saved
    assert told.count("after line 60 may be lost") == 1


def test_lines_cut_from_the_end_are_missed(tmp_path: Path) -> None:
    """An open match has no closing; that its last lines are gone is told all the same."""
    path, match_id = open_one(tmp_path)
    change(path, "DELETE FROM entries WHERE seq >= 58")
    with Record.open(path) as record:
        assert "lines 58 to 60 are missing" in str(record.load(match_id).damage)


def test_a_match_without_any_line_is_not_sound(tmp_path: Path) -> None:
    """Its set-up is kept twice; the copy alone is no whole match."""
    path, match_id = open_one(tmp_path)
    change(path, "DELETE FROM entries")
    with Record.open(path) as record:
        assert "lines 1 to 60 are missing" in str(record.load(match_id).damage)


def test_an_end_that_was_forged_is_told(tmp_path: Path) -> None:
    """Lines sealed anew by somebody else do not end as the match did."""
    path, match_id = open_one(tmp_path)
    with Record.open(path) as record:
        before = record.load(match_id).entries[59].chain
    line = '{"answer":1,"key":"x","kind":"answer","seq":60}'
    statement = f"UPDATE entries SET line = '{line}', chain = '{seal(before, line)}' WHERE seq = 60"  # noqa: S608
    change(path, statement)
    with Record.open(path) as record:
        assert "line 60 is not what was written" in str(record.load(match_id).damage)


@pytest.mark.parametrize("statement", ["UPDATE lengths SET lines = 99", "DROP TABLE lengths"])
def test_a_match_whose_length_is_unknown_goes_on(tmp_path: Path, statement: str) -> None:
    """An older program noted no length, and damage to the note costs no line."""
    path, match_id = open_one(tmp_path)
    change(path, statement)
    with Record.open(path) as record:
        assert not record.load(match_id).troubles
        record.append(match_id, [Entry(61, "answer", "q", 1)])
        assert len(record.load(match_id).entries) == 62
    change(path, "DELETE FROM entries WHERE seq = 61")
    with Record.open(path) as record:
        assert "line 61 is missing" in str(record.load(match_id).damage)


def test_a_match_that_is_missing_in_the_list_comes_back(tmp_path: Path) -> None:
    """Its lines are sound: it is listed again, and people are told."""
    path, match_id = open_one(tmp_path)
    change(path, "DELETE FROM matches")
    with Record.open(path) as record:
        assert f"Match {match_id} was missing in the list" in record.said[0]
        assert len(record.load(match_id).entries) == 61
    with Record.open(path) as record:
        assert not record.said
        assert [line.match_id for line in record.matches()] == [match_id]


def test_an_older_record_that_cannot_be_written_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has no table of lengths, and none can be added."""
    path, match_id = open_one(tmp_path)
    older(path)

    def closed(*_: object, **__: object) -> None:
        raise RecordReadOnly("the file may not be written")

    monkeypatch.setattr(record_place, "_begin", closed)
    with Record.open(path) as record:
        assert len(record.load(match_id).entries) == 61
        assert not record.saved_from()
