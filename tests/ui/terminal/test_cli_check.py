"""`companion check` and who signed: what is found is told, whatever the disk does meanwhile."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import RecordReadOnly
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.record.lines import Closing
from companion.record.record import Record
from companion.record.signing import TableKey, usual_key

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record with two matches that have ended, of a table with a key of its own."""
    path = tmp_path / "record.db"
    monkeypatch.setenv("COMPANION_RECORD", str(path))
    monkeypatch.setattr("platformdirs.user_data_path", lambda *_: tmp_path / "home")
    TableKey.make(usual_key(), "Table 3")
    with Record.open(path) as record:
        for seed in (1, 2):
            keep(record, seed)
    return path


def keep(record: Record, seed: int) -> str:
    """Let bots play a match to its end, and record it."""
    setup = Setup("talespin-dogfight")
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)), 20_000)
    match_id = record.create(match.setup, STAMP)
    record.append(match_id, match.entries)
    record.finish(match_id, Closing.of(match, ""))
    return match_id


def changed(place: Path) -> None:
    with closing(sqlite3.connect(place)) as database, database:
        database.execute("UPDATE entries SET line = '?' WHERE seq = 12 AND match_id = "
                         "(SELECT id FROM matches WHERE number = 1)")  # fmt: skip


def witnesses(place: Path) -> dict[str, dict[str, str]]:
    """Every witness beside the record, file by file."""
    return {
        folder.name: {file.name: file.read_text() for file in folder.iterdir()}
        for folder in place.parent.glob("record.db-witness*")
    }


def test_what_was_found_is_told_before_a_witness_that_cannot_be_written(
    place: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full by then; the old witness stays in its place, whole."""
    changed(place)
    before = witnesses(place)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", full)
        status, out, err = call("check", "--all", "--witness")
    assert (status, "line 12 is not what was written" in out) == (2, True)
    assert "2 matches verified, with faults" in out
    assert "cannot be begun anew: No space left on device" in err
    assert witnesses(place) == before
    assert "has seen every match" in call("check", "--witness")[1]
    newest = {name: text.splitlines()[-1:] for name, text in before["record.db-witness"].items()}
    anew = witnesses(place)["record.db-witness"]
    assert {name: text.splitlines() for name, text in anew.items()} == newest


def test_a_fault_that_is_known_is_told_by_every_check(place: Path, call: Call) -> None:
    """A check that reads nothing anew calls no record sound that is not."""
    changed(place)
    for words, told in (
        (("check", "--all"), "2 matches verified, with faults"),
        (("check",), "nothing new to verify; 2 were verified before"),
    ):
        status, out, _ = call(*words)
        assert (status, out.count("line 12 is not what was written")) == (1, 1)
        assert told in out


def test_a_match_that_another_table_signed_is_told_as_one(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """By check and show, on sheet and page; an own key that was put aside is still one's own."""
    public = usual_key()
    assert "not this table's key" not in call("check")[1]
    assert "Signed by Table 3 (key " in call("show", "1")[1]
    call("key", "--renew", "--name", "Table 4")
    assert "not this table's key" not in call("check", "--all")[1] + call("show", "1")[1]
    public.parent.rename(tmp_path / "elsewhere")
    for words, told in (
        (("show", "1"), "Signed by Table 3 (key "),
        (("check", "1"), "1 match is signed by Table 3 (key "),
        (("check",), "2 matches are signed by Table 3 (key "),
    ):
        status, out, _ = call(*words)
        assert (status, told in out, "), not this table's key" in out) == (0, True, True)
    said = json.loads(call("show", "1", "--json")[1].splitlines()[0])["match"]["signed"]
    assert said.startswith("signed by Table 3 (key ")
    assert call("page", "1", "--out", str(tmp_path / "page.html"))[0] == 0
    assert "), not this table&#x27;s key." in (tmp_path / "page.html").read_text("utf-8")


def test_a_key_that_cannot_be_read_calls_nobody_else_s(place: Path, call: Call) -> None:
    assert place.exists()
    usual_key().write_text("torn")
    told = call("check")[1] + call("show", "1")[1]
    assert "Signed by Table 3" in told
    assert "not this table's key" not in told


TAKES_NOTHING = RecordReadOnly("the file may not be written", "make it writable")


@pytest.mark.parametrize(
    "words", [("matches",), ("check",), ("show", "1"), ("players",), ("stats",)], ids=" ".join
)
def test_whoever_looks_at_a_record_that_takes_nothing_hears_it_once(
    place: Path, call: Call, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """What cannot be done and the way out, and nothing of answers: nobody plays here."""
    open_place = Record.open

    def opens(_: object) -> Record:
        record = open_place(place)
        record.read_only = TAKES_NOTHING
        return record

    monkeypatch.setattr("ui.terminal.record.Record.open", opens)
    _, _, err = call(*words)
    assert err.splitlines() == [
        (
            "companion: the file may not be written. It can be looked at; to add to it make it "
            "writable."
        )
    ]


@pytest.mark.parametrize(
    ("words", "writes"),
    [
        (("players", "Ana", "--are", "Anna"), "name_player"),
        (("check", "--witness"), "begin_witness_anew"),
        (("import", "match.jsonl"), "import_file"),
    ],
    ids=["players", "witness", "import"],
)
def test_what_a_record_does_not_take_is_told_once_and_is_no_answer(
    call: Call, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], writes: str
) -> None:
    """By the command that wanted it written."""

    def takes_nothing(*_: object, **__: object) -> None:
        raise TAKES_NOTHING

    monkeypatch.setattr(Record, writes, takes_nothing)
    status, _, err = call(*words)
    assert status == 2
    assert err.splitlines() == [
        (
            "companion: the file may not be written. Nothing was written; make it writable or name "
            "another place with --record."
        )
    ]


def test_what_a_call_lacks_is_told_of_that_call(place: Path, call: Call) -> None:
    """Nobody said --all, nobody looked for people's matches: what was typed is named."""
    assert place.exists()
    _, _, err = call("check", "1", "--witness")
    assert err == "companion: a witness is begun of the whole record: leave the match away\n"
    assert call("stats", "--simulated")[1] == "No simulated match that ended is among these.\n"


def test_stats_say_who_won_as_the_book_calls_them(place: Path, call: Call) -> None:
    """Not by the letter of a seat alone; and a draw is one."""
    with Record.open(place) as record:
        for winners in (("B",), ()):
            made = record.create(Setup("dogfight-1917"), STAMP)
            record.finish(made, Closing("It is over.", "DF-2.1", winners, ()))
    out = call("stats")[1]
    assert "dogfight-1917: Player B won 1\n" in out
    assert "dogfight-1917: 1 draw\n" in out


@pytest.mark.parametrize(
    ("at", "alone"), [("127.0.0.1:8080", True), ("localhost", True), ("0.0.0.0:8080", False)]
)
def test_a_live_page_that_no_phone_reaches_is_told_as_one(
    call: Call, monkeypatch: pytest.MonkeyPatch, at: str, *, alone: bool
) -> None:
    """With the way in which it is reached."""

    class Nobody:
        trouble = "served to nobody"

        def __init__(self, *_: str, **__: str) -> None:
            pass

        def close(self) -> None:
            pass

    monkeypatch.setattr("ui.live.feed.LiveFeed", Nobody)
    status, out, err = call("live", "--at", at)
    assert (status, "Ctrl-C ends it" in out) == (2, True)
    assert ("no phone reaches it" in err) is alone
