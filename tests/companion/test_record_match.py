"""A match with a damaged line is shown up to its last sound one, and the line is named."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.entry import Entry
from companion.errors import RecordDamaged
from companion.offers import Stamp
from companion.record import Record
from companion.record_line import Closing, seal, written
from companion.record_match import MatchState
from companion.rulebook import Setup


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
        ("DELETE FROM entries WHERE seq > 8", "line 9 is missing", 9),
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
        assert record.matches()[0].state is MatchState.DAMAGED
        with pytest.raises(RecordDamaged, match=r"first line .* is lost"):
            record.load(match_id)


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
