"""The record from the terminal: list, show, replay, export and import; damage is never silent."""

from __future__ import annotations

import errno
import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random
from shutil import rmtree
from threading import Event
from threading import enumerate as enumerate_threads
from typing import Any

import pytest

from companion.core.errors import RecordError, RecordReadOnly
from companion.match.entry import app_version
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.record import place as record_place
from companion.record.file import Export
from companion.record.lines import Closing
from companion.record.outbox import TakenOver
from companion.record.record import Record
from companion.season.counting import FORM
from companion.season.seating import CountedBy
from tests.patience import STALL_S

GOLDEN = Path(__file__).parents[2] / "golden"
Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A record with one match that ended and one that is open."""
    path = tmp_path / "record.db"
    monkeypatch.setenv("COMPANION_RECORD", str(path))
    with Record.open(path) as record:
        keep(record, 1, most=20_000)
        keep(record, 2, most=40)
    return path


@cache
def played(seed: int, most: int) -> Match[Any]:
    """A match of which bots have played up to `most` answers."""
    setup = Setup("jaws-and-paws", ("day",), {"JP": "Ana"}, {"timer_s": 30})  # type: ignore[dict-item]
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)), most)
    return match


def keep(record: Record, seed: int, most: int) -> str:
    """Record such a match."""
    match = played(seed, most)
    match_id = record.create(match.setup, STAMP)
    record.append(match_id, match.entries)
    if match.outcome is not None:
        record.finish(match_id, Closing.of(match, ""))
    return match_id


def change(place: Path, statement: str) -> None:
    """Do to the tables what no companion does."""
    with closing(sqlite3.connect(place)) as database, database:
        database.execute(statement)


def test_matches_are_listed(place: Path, call: Call) -> None:
    """Newest first, with their state; as JSON one object a line."""
    status, out, _ = call("matches")
    assert status == 0
    assert "jaws-and-paws" in out
    assert out.index("open") < out.index("ended")
    assert "won; Ana" in out
    status, out, _ = call("matches", "--json")
    newest, oldest = (json.loads(line) for line in out.splitlines())
    assert (newest["number"], newest["state"], newest["entries"]) == (2, "open", 41)
    assert (oldest["number"], oldest["state"], oldest["seats"]) == (1, "ended", {"JP": "Ana"})


def test_who_won_is_listed_by_name(tmp_path: Path, call: Call) -> None:
    """A player who won is called as they were named, and a seat without a name by its letter."""
    record, script = str(tmp_path / "named.db"), tmp_path / "script.txt"
    script.write_text('!close {"winners": ["B"], "text": "A gives up."}\n')
    for seats in (["--seats", "A=Ana,B=Bo"], []):
        words = [*seats, "--script", str(script), "--record", record]
        assert call("referee", "talespin-dogfight", *words)[0] == 0
    _, out, _ = call("matches", "--record", record)
    assert "Bo won; Ana, Bo" in " ".join(out.split())
    assert "B won" in " ".join(out.replace("Bo won", "").split())


def test_an_empty_record_says_so(tmp_path: Path, call: Call) -> None:
    Record.open(tmp_path / "new.db").close()
    status, out, _ = call("matches", "--record", str(tmp_path / "new.db"))
    assert (status, "No match is recorded" in out) == (0, True)


@pytest.mark.parametrize(
    "command",
    ["matches", "stats", "show last", "replay last", "export last", "learned last"],
)
@pytest.mark.parametrize("named", ["{}", "sqlite:///{}"])
def test_a_mistyped_record_is_not_begun(
    tmp_path: Path, call: Call, command: str, named: str
) -> None:
    """What only reads says that there is no such record; no file and no folder is made."""
    place = tmp_path / "recrod" / "record.db"
    status, out, err = call(*command.split(), "--record", named.format(place))
    assert (status, out) == (2, "")
    assert f"no such record: {named.format(place)}" in err
    assert err.count("\n") == 1
    assert not place.parent.exists()


def test_an_import_begins_a_record(place: Path, tmp_path: Path, call: Call) -> None:
    """What writes may be the first to: a record is begun where it is told to."""
    _, exported, _ = call("export", "last", "--record", str(place))
    (tmp_path / "match.jsonl").write_text(exported)
    new = tmp_path / "new.db"
    status, out, _ = call("import", str(tmp_path / "match.jsonl"), "--record", str(new))
    assert (status, out.startswith("match ")) == (0, True)
    assert call("matches", "--record", str(new))[0] == 0


def test_a_foreign_database_that_cannot_be_written_is_no_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty database without our tables, which may only be read, is named for what it is."""
    path = tmp_path / "empty.db"
    with closing(sqlite3.connect(path)) as database:
        database.execute("PRAGMA user_version = 1")
    assert path.stat().st_size > 0

    def closed(*_: object) -> None:
        raise RecordReadOnly(f"{path}: the file may not be written")

    monkeypatch.setattr(record_place, "make_tables", closed)
    with pytest.raises(RecordError, match="is no record of matches"):
        Record.open(path)


def test_show_prints_each_line_with_its_rulings(place: Path, call: Call) -> None:
    """Number, time, what was answered and by whom; the rulings with their rule; how it ended."""
    status, out, _ = call("show", "1")
    assert status == 0
    assert "Ana" in out
    assert "timer_s=30" in out
    assert "Which team wins the toss? — " in out
    assert "set-up/toss)" in out
    assert "[JP-3.5]" in out
    assert "» " in out
    assert out.splitlines()[-1].startswith("= ")


def test_show_of_an_open_match_names_the_open_questions(place: Path, call: Call) -> None:
    status, out, _ = call("show", "last")
    assert status == 0
    assert out.splitlines()[-1].startswith("open: ")
    assert "(round-" in out.splitlines()[-1]


def test_what_was_taken_back_is_not_ruled(place: Path, call: Call) -> None:
    """An undone answer stands in the log; what it had brought is told as what had been ruled."""
    with Record.open(place) as record:
        match_id = record.find("last")
        match = Match[Any].replay(record.load(match_id).entries)
        match.undo(2, "misplaced", stamp=STAMP)
        record.append(match_id, match.entries[-1:])
    status, out, _ = call("show", "last")
    assert status == 0
    assert "Line 2 is taken back" in out
    assert "Reason: misplaced" in out
    assert "had been ruled, until line" in out
    assert "        » " not in out
    assert out.splitlines()[-1].endswith("(set-up/sun)")


def test_show_position_writes_a_file_that_begins_a_match(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """`show --position` of an open match, given to `referee --position`, asks the same."""
    status, out, _ = call("show", "last", "--position")
    assert status == 0
    file = tmp_path / "position.json"
    file.write_text(out)
    (tmp_path / "empty.txt").write_text("")
    script = ("--script", str(tmp_path / "empty.txt"), "--json")
    status, out, _ = call("referee", "jaws-and-paws", "--position", str(file), *script)
    with Record.open(place) as record:
        match = Match[Any].replay(record.load(record.find("last")).entries)
    asked = [question["key"] for question in json.loads(out.splitlines()[-2])["questions"]]
    assert asked == list(match.open)


def test_replay_rules_every_line_once_more(place: Path, call: Call) -> None:
    """Exit 0 where the same rulings and digests come out."""
    status, out, _ = call("replay", "1")
    assert status == 0
    assert "digests equal: " in out
    assert call("replay", "last")[0] == 0


def test_replay_names_the_first_line_that_diverges(place: Path, call: Call) -> None:
    """Lines that are sealed but do not follow from the rules: exit 1, and the line's number."""
    with Record.open(place) as record:
        entries = list(record.load(record.find("1")).entries)
        wrong = entries[2]._replace(answer="Paws.PC", chain="")
        other = record.create(record.load(record.find("1")).setup, STAMP)
        record.append(other, [entries[1], wrong])
    status, out, _ = call("replay", "last")
    assert status == 1
    assert "diverges: line 2: the record has" in out.replace("\n", " ")
    assert call("show", "last")[0] == 1


def test_a_digest_that_differs_is_a_divergence(place: Path, call: Call) -> None:
    """The same answers under other rules: told at the line where the positions part."""
    with Record.open(place) as record:
        loaded = record.load(record.find("1"))
        at = next(entry.seq for entry in loaded.entries if entry.digest)
        entries = [*loaded.entries[:at], loaded.entries[at]._replace(digest="0" * 16)]
        record.append(record.create(loaded.setup, STAMP), entries[1:])
    status, out, _ = call("replay", "last")
    assert status == 1
    assert f"line {at}: the record has digest 0000000000000000" in out.replace("\n", " ")


@pytest.mark.parametrize(
    ("wrote", "said"),
    [
        ("0.0.7", "Written by companion 0.0.7 with edition 2 of jaws-and-paws; this is companion"),
        ("", "Written by a companion that left no version"),
        (app_version(), f"Companion {app_version()} wrote it, as this one is called"),
    ],
)
def test_a_divergence_names_the_version_that_wrote_the_match(
    place: Path, call: Call, wrote: str, said: str
) -> None:
    """After an upgrade people read who wrote the match and that it stays readable."""
    with Record.open(place) as record:
        loaded = record.load(record.find("1"))
        setup = replace(loaded.setup, app_version=wrote)
        at = next(entry.seq for entry in loaded.entries if entry.digest)
        entries = [*loaded.entries[:at], loaded.entries[at]._replace(digest="0" * 16)]
        record.append(record.create(setup, STAMP), entries[1:])
    for words in (("replay", "last"), ("show", "last")):
        status, out, _ = call(*words)
        assert status == 1
        assert said in out
        assert "`companion show` reads it" in out
    status, _, err = call("show", "last", "--position")
    assert (status, said in err) == (2, True)


def test_a_match_that_no_longer_replays_is_shown_by_what_it_ended_with(
    place: Path, call: Call
) -> None:
    """Rulings and outcome were kept as text; nothing is lost but the replay, and that is said."""
    closing_line = Closing("Paws fell.", "JP-11.1", ("Jaws",), (("A hit.", "JP-14.1"),))
    with Record.open(place) as record:
        match = Match[Any].start(Setup("jaws-and-paws"), STAMP)
        match_id = record.create(match.setup, STAMP)
        line = match.entries[0]._replace(seq=1, kind="answer", key="gone", answer="x")
        record.append(match_id, [line])
        record.finish(match_id, closing_line)
    status, out, _ = call("show", "last")
    assert status == 1
    assert "A hit. [JP-14.1]" in out
    assert "= Paws fell." in out
    assert "line 1: the record has" in out


def test_an_export_imports_elsewhere_and_replays_to_the_same(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """To a new file, into an empty record, by the same name; a file is replayed as it lies."""
    file, away = tmp_path / "match.jsonl", str(tmp_path / "away.db")
    assert call("export", "1", "--out", str(file))[0] == 0
    assert call("replay", str(file))[0] == 0
    status, out, _ = call("import", str(file), "--record", away)
    assert status == 0
    with Record.open(place) as record:
        assert out.startswith(f"match {record.find('1')}; signed by ")
    assert call("replay", "last", "--record", away)[1] == call("replay", "1")[1]
    status, out, _ = call("import", str(file), "--record", away)
    assert (status, "is here already" in out) == (0, True)


def test_an_export_overwrites_no_file(place: Path, call: Call, tmp_path: Path) -> None:
    file = tmp_path / "holiday.txt"
    file.write_text("sand")
    status, _, err = call("export", "1", "--out", str(file))
    assert status == 2
    assert "exists; name a new file" in err
    assert file.read_text() == "sand"


def test_an_export_that_finds_no_room_leaves_no_torn_file(
    place: Path, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the next try would be told that the file is there already."""

    def no_room(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file = tmp_path / "match.jsonl"
    with monkeypatch.context() as disk:
        disk.setattr("os.fsync", no_room)
        status, _, err = call("export", "1", "--out", str(file))
    assert (status, "No space left" in err, file.exists()) == (2, True, False)
    assert call("export", "1", "--out", str(file))[0] == 0


def test_an_export_goes_to_standard_output(place: Path, call: Call) -> None:
    """One JSON object a line."""
    status, out, _ = call("export", "last")
    assert status == 0
    assert all(set(json.loads(line)) == {"chain", "line"} for line in out.splitlines())


def test_a_changed_export_is_refused_by_line_or_taken_in_part(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """Exit 2 and the line's number; `--good-part` takes what stands before it and exits 1."""
    file, away = tmp_path / "match.jsonl", str(tmp_path / "away.db")
    text = call("export", "1")[1].splitlines(keepends=True)
    text[9] = text[9].replace('"seq":8', '"seq":9')
    file.write_text("".join(text))
    status, out, err = call("import", str(file), "--record", away)
    assert (status, out) == (2, "")
    assert (
        err == f"companion: {file}: line 10: this line was changed, or one before it is missing\n"
    )
    status, _, err = call("import", str(file), "--record", away, "--good-part")
    assert (status, "line 10" in err) == (1, True)
    assert call("replay", "last", "--record", away)[0] == 0
    status, out, _ = call("replay", str(file))
    assert (status, "line 10" in out) == (1, True)


def test_a_damaged_match_is_listed_shown_in_part_and_exits_1(place: Path, call: Call) -> None:
    """The others are whole; the message names the line."""
    change(place, "UPDATE entries SET line = '?' WHERE seq = 12 AND match_id IN "
                  "(SELECT id FROM matches WHERE number = 1)")  # fmt: skip
    status, out, _ = call("check")
    assert status == 1
    assert "line 12 is not what was written" in out
    assert "2 matches verified, with faults" in out
    status, out, _ = call("matches")
    assert status == 1
    assert "damaged" in out
    assert "line 12 is not what was written" in out
    status, out, _ = call("show", "1")
    assert (status, "line 12 is not what was written" in out) == (1, True)
    assert call("replay", "1")[0] == 1
    assert call("show", "2")[0] == 0


def test_a_damaged_file_is_set_aside_and_told(place: Path, call: Call) -> None:
    """Any command that opens it: what can be read is kept, and standard error says so.

    Only its head is gone: how long each match was can still be read, and nothing of them is lost.
    """
    raw = bytearray(place.read_bytes())
    raw[:16] = b"not SQLite at al"
    place.write_bytes(raw)
    status, out, err = call("matches", "--json")
    assert "was damaged" in err
    assert len(out.splitlines()) == 2
    assert list(place.parent.glob("record.damaged-*"))
    assert [line["saved"] for line in map(json.loads, out.splitlines())] == ["", ""]
    assert (status, call("check")[0]) == (0, 0)


def test_a_match_saved_from_a_damaged_file_says_so_every_time(place: Path, call: Call) -> None:
    """Not only the first call tells what may be lost: the match is marked for good."""
    change(place, "DELETE FROM lengths")
    place.write_bytes(bytes(16) + place.read_bytes()[16:])
    call("matches")
    status, out, err = call("show", "2")
    assert status == 1
    assert "saved from a damaged file, kept as record.damaged-" in out
    assert "was damaged" not in err
    status, out, err = call("matches")
    assert (status, "what came after line 40 may be lost" in " ".join(out.split())) == (1, True)
    assert "whole matches may be missing" in err
    assert "whole matches may be missing" in call("check")[2]
    assert "whole matches may be missing" not in call("check", "1")[2]
    _, out, _ = call("referee", "--resume", "2", "--script", "-", "--record", str(place))
    assert "may be lost" in out


def test_check_reads_each_match_once_and_all_of_them_when_asked(place: Path, call: Call) -> None:
    """The list says when each was verified; a match named is read by itself."""
    listed = [json.loads(line) for line in call("matches", "--json")[1].splitlines()]
    assert [line["verified"] for line in listed] == ["", ""]
    assert "1 match verified, sound" in call("check", "1")[1]
    assert "1 match verified, all sound; 1" not in call("check", "1")[1]
    status, out, _ = call("check")
    assert (status, "1 match verified, sound; 1 were verified before" in out) == (0, True), out
    assert "nothing new to verify" in call("check")[1]
    assert "2 matches verified, all sound" in call("check", "--all")[1]
    listed = [json.loads(line) for line in call("matches", "--json")[1].splitlines()]
    assert all(line["verified"].startswith("20") for line in listed)
    status, _, err = call("check", "1", "--all")
    assert (status, "not both" in err) == (2, True)


def test_a_page_of_matches_that_is_not_there_is_named(place: Path, call: Call) -> None:
    assert call("matches", "--page", "1")[0] == 0
    status, _, err = call("matches", "--page", "2")
    assert (status, "matches fill 1 page" in err) == (2, True), err


def test_stats_count_who_won(place: Path, call: Call) -> None:
    """Of the matches that ended."""
    status, out, _ = call("stats", "--json")
    assert status == 0
    said = json.loads(out)
    assert said["matches"] == 2
    assert said["states"] == {"open": 1, "ended": 1}
    assert sum(said["outcomes"]["jaws-and-paws"].values()) == 1
    assert call("stats")[0] == 0


def test_a_full_disk_begins_no_record_and_leaves_no_file(tmp_path: Path) -> None:
    """The disk is named, not the file; and nothing empty is left that looks like a record."""
    place = tmp_path / "new.db"
    full = ("import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (0, -1)); "
            "from ui.terminal.app import run; sys.exit(run(sys.argv[1:]))")  # fmt: skip
    call = [sys.executable, "-c", full, "referee", "jaws-and-paws", "--script", "-"]
    told = subprocess.run(
        [*call, "--record", str(place)], input="", capture_output=True, text=True, check=False
    )
    assert told.returncode == 2
    assert f"{place}: the disk " in told.stderr
    assert "so no record is begun there; make room" in told.stderr
    assert "no record of matches" not in told.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("verb", ["show", "export"])
def test_a_file_named_instead_of_a_match_is_told_how_to_be_taken_in(
    place: Path, call: Call, tmp_path: Path, verb: str
) -> None:
    """People name the file they were sent."""
    file = tmp_path / "match.jsonl"
    call("export", "1", "--out", str(file))
    status, _, err = call(verb, str(file))
    assert status == 2
    assert f"is a file, no match of this record; `companion import {file}` takes it in" in err


def test_a_match_says_in_every_place_by_whom_it_is_signed(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """`show`, `show --json`, `import`; `key` shows whose key that is, and renews it."""
    status, out, _ = call("key")
    assert status == 0
    finger = out.split(": ")[1].split(",")[0]
    assert f"(key {finger})" in call("show", "1")[1]
    assert finger in json.loads(call("show", "1", "--json")[1].splitlines()[0])["match"]["signed"]
    file = tmp_path / "match.jsonl"
    call("export", "1", "--out", str(file))
    assert finger in call("import", str(file), "--record", str(tmp_path / "other.db"))[1]
    assert call("key", "--export", str(tmp_path / "public"))[0] == 0
    assert call("key", "--name", "Club")[0] == 2
    status, out, _ = call("key", "--renew", "--name", "Club")
    assert (status, "is kept as" in out, "Club: " in out, finger in out) == (0, True, True, False)
    assert f"(key {finger})" in call("show", "1")[1]


@pytest.mark.usefixtures("place")
def test_an_exported_match_named_as_the_record_is_left_alone(call: Call, tmp_path: Path) -> None:
    """Its lines look like those of a damaged record; whoever meant `import` is told so."""
    for name, words in (("match.jsonl", "export"), ("page.html", "page")):
        file = tmp_path / name
        assert call(words, "1", "--out", str(file))[0] == 0
        before = file.read_bytes()
        for bad in (("matches",), ("import", str(file)), ("check",)):
            status, out, err = call(*bad, "--record", str(file))
            assert (status, out, f"`companion import {file}`" in err) == (2, "", True), bad
        assert file.read_bytes() == before
    assert sorted(file.name for file in tmp_path.iterdir() if "damaged" in file.name) == []


@pytest.mark.usefixtures("place")
def test_what_was_refused_is_not_said_to_be_noted(call: Call) -> None:
    status, out, err = call("players", "Nobody", "--are", "")
    assert (status, out, "noted" in err) == (2, "", False)
    assert "it is noted for when somebody does" in call("players", "Nobody", "--are", "Ann")[2]
    assert call("players", "Nobody", "Ann", "--alone")[0] == 0


@pytest.mark.usefixtures("place")
def test_a_house_rule_that_no_match_has_is_refused(call: Call) -> None:
    """There are matches: only none of a box that knows the rule."""
    status, out, err = call("reread", "--all", "--option", "nothing=1")
    assert (status, out) == (2, "")
    assert "no match here is of a box that has the house rule nothing" in err


@pytest.mark.usefixtures("place")
def test_a_dash_is_no_file(call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    status, _, err = call("export", "1", "--out", "-")
    assert (status, "leave --out away" in err, (tmp_path / "-").exists()) == (2, True, False)


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("url", ["http://club/db", "mysql://club/db"])
def test_a_club_of_another_kind_is_told_what_there_is(call: Call, url: str) -> None:
    status, _, err = call("sync", url)
    assert (status, "name a path or postgresql://" in err, "pip" in err) == (2, True, False)


def test_a_key_that_cannot_be_kept_is_told(
    call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user's data folder is no folder, as where the disk may not be written."""
    (tmp_path / "file").write_text("")
    monkeypatch.setattr("ui.terminal.past_match.usual_key", lambda: tmp_path / "file" / "key.toml")
    for words in (("key",), ("key", "--renew")):
        status, out, err = call(*words)
        assert (status, out) == (2, "")
        assert "this table's key cannot be kept as " in err


def test_a_witness_that_is_gone_is_told_until_a_new_one_is_begun(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """By check and show, and beside every file that is made of the match."""
    rmtree(place.with_name("record.db-witness"))
    assert (call("check")[0], call("check", "1")[0]) == (1, 1)
    gone = "the folder record.db-witness, is gone"
    assert gone in call("show", "1")[1]
    for name, words in (("page.html", ("page", "1")), ("sheet.pdf", ("sheet", "1"))):
        status, _, err = call(*words, "--out", str(tmp_path / name))
        assert (status, gone in err) == (1, True)
    status, out, _ = call("check", "--witness")
    assert (status, "a new witness has seen every match as it stands" in out) == (1, True)
    assert (call("check")[0], call("show", "1")[0]) == (0, 0)
    assert call("check", "1", "--witness")[0] == 2


def test_a_record_is_backed_up_and_put_back(place: Path, call: Call, tmp_path: Path) -> None:
    """With a fault that stands in it told; a server is left to its own tools."""
    stick = tmp_path / "stick"
    assert call("backup", str(stick))[0] == 2
    stick.mkdir()
    status, out, _ = call("backup", str(stick))
    assert (status, "2 matches, every line verified" in out) == (0, True)
    shown = call("show", "1")[1]
    change(place, "UPDATE entries SET line = '?' WHERE seq = 12")
    assert call("backup", str(stick), "--keep", "9")[0] == 1
    (first, _) = sorted(stick.glob("record-2*"))
    status, out, _ = call("restore", str(first))
    assert (status, "is kept as" in out) == (0, True)
    assert call("show", "1")[1] == shown
    status, _, err = call("backup", str(stick), "--record", "postgresql://club/db")
    assert (status, "pg_dump" in err) == (2, True)


def test_a_merged_player_is_rated_though_no_match_is_new(place: Path, call: Call) -> None:
    """Names were said to be one player's after all was counted."""
    with Record.open(place) as opened:
        opened.import_file(GOLDEN / "dogfight-1917-edition-3-base-1.jsonl")

    def rated() -> dict[str, float | None]:
        rows = map(json.loads, call("stats", "--by", "player", "--json")[1].splitlines())
        return {row["name"]: row["rating"] for row in rows}

    before = rated()
    assert None not in before.values()
    assert before
    assert call("players", "Ana", "--are", "Anna Klein")[0] == 0
    after = rated()
    assert after["Anna Klein"] == before["Ana"]


@pytest.mark.parametrize("days", [(), ("--since", "2026")])
def test_tables_of_stats_end_after_so_many_rows(
    place: Path, call: Call, days: tuple[str, ...]
) -> None:
    """A season's thousand players are no page; JSON and CSV have them all."""
    with Record.open(place) as opened:
        opened.import_file(GOLDEN / "dogfight-1917-edition-3-base-1.jsonl")
    words = ("stats", "--by", "player", *days)
    names = [json.loads(row)["name"] for row in call(*words, "--json")[1].splitlines()]
    assert len(names) > 1
    for most, shown in ((1, names[:1]), (len(names), names), (0, names)):
        out = call(*words, "--most", str(most))[1]
        assert [name for name in names if f"\n{name} " in out] == shown
        assert ("--most 0 shows all" in out) == (len(shown) < len(names))
    assert call(*words, "--most", "-1")[0] == 2
    assert len(call(*words, "--csv", "--most", "1")[1].splitlines()) == len(names) + 1


def test_stats_refuse_a_page_before_anything_is_counted(
    place: Path, call: Call, tmp_path: Path
) -> None:
    """It may take long, and would be for nothing."""
    with Record.open(place) as opened:
        opened.import_file(GOLDEN / "dogfight-1917-edition-3-base-1.jsonl")
    mine = tmp_path / "mine.html"
    mine.write_text("<p>my own page</p>")
    status, _, err = call("stats", "--out", str(mine))
    assert (status, "no page of plots" in err) == (2, True)
    assert mine.read_text() == "<p>my own page</p>"
    with Record.open(place) as opened:
        assert opened.sums.lacks_counts(FORM)


def test_a_club_that_falls_silent_is_told_and_nobody_waits(
    place: Path, call: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that stands still ends no statement: what asks it is left behind."""
    asked, left = Event(), Event()

    def stands_still(*_: object, **__: object) -> None:
        asked.set()
        left.wait(STALL_S)

    monkeypatch.setattr("companion.record.club.carry", stands_still)
    monkeypatch.setattr("ui.terminal.sharing.SILENT_S", 0.1)
    status, _, err = call("sync", str(tmp_path / "club.db"))
    left.set()
    for thread in enumerate_threads():
        if thread.name == "club":
            thread.join(STALL_S)
    assert status == 2
    assert "club.db has not answered for 0.1 s; what was carried stays, call again" in err


def test_a_month_that_stats_shows_is_added_up(place: Path, call: Call) -> None:
    """The next look at it reads no match, and tells the same."""
    with Record.open(place) as opened:
        opened.import_file(GOLDEN / "talespin-dogfight-edition-2-two-1.jsonl")
    words = ("stats", "--by", "seat", "--since", "2026-11", "--until", "2026-11", "--json")
    status, first, _ = call(*words)
    assert (status, bool(first)) == (0, True)
    with Record.open(place) as opened:
        assert not opened.sums.missing_periods("2026-11", "2026-11")
        assert opened.sums.between([CountedBy.SEAT], "2026-11", "2026-11").kept
    assert call(*words)[1] == first


def test_stats_of_a_record_that_takes_nothing_say_what_is_not_counted(
    place: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not only that no match is among these."""

    def opens(_: object) -> Record:
        record = Record.open(place)
        record.read_only = RecordReadOnly("the file may not be written")
        return record

    monkeypatch.setattr("ui.terminal.record.open_record", opens)
    status, out, _ = call("stats", "--by", "player")
    told = "matches that ended since they were counted last are in none of these figures"
    assert (status, told in " ".join(out.split())) == (0, True)
    monkeypatch.undo()
    assert call("stats", "--by", "player", "--record", str(place))[0] == 0
    monkeypatch.setattr("ui.terminal.record.open_record", opens)
    assert told not in " ".join(call("stats", "--by", "player")[1].split())


def test_demonstrations_alone_are_not_ruled_again(tmp_path: Path, call: Call) -> None:
    """And that is said, in place of an empty table."""
    with Record.open(tmp_path / "demo.db") as record:
        record.create(Setup("talespin-dogfight", ("base",), demonstration=True), STAMP)
    words = ("reread", "--all", "--option", "sight=accept", "--record", str(tmp_path / "demo.db"))
    assert "No match that people played is in the record" in call(*words)[1]


def test_players_are_listed_merged_and_parted(place: Path, call: Call) -> None:
    """Whoever sat there; a name that is somebody's is counted with that one."""
    assert "Ana" in call("players")[1]
    assert call("players", "Ana", "--are", "Anna", "--by", "B\udcff")[0] == 2
    status, out, err = call("players", "ana", "A. K.", "--are", "Anna Klein", "--json")
    assert "nobody has sat at this table as 'A. K.'" in err
    assert "'ana'" not in err
    assert (status, json.loads(out)) == (
        0,
        {"name": "Anna Klein", "names": ["A. K.", "Ana", "ana"], "seats": 2},
    )
    assert call("players", "Ana", "--alone")[0] == 0
    names = [json.loads(line)["name"] for line in call("players", "--json")[1].splitlines()]
    assert names == ["Ana", "Anna Klein"]
    assert call("players", "--alone")[0] == call("players", "Zoe")[0] == 2


def test_a_club_gets_what_was_played_and_gives_it_back(
    place: Path, tmp_path: Path, call: Call
) -> None:
    """A file does as well as a server; the record itself is no club."""
    club, other = str(tmp_path / "club.db"), str(tmp_path / "other.db")
    status, out, err = call("sync", club)
    assert (status, out.endswith("club.db: 2 matches sent, 0 taken\n")) == (0, True)
    assert "club.db: a new club's record is begun there" in err
    Record.open(other).close()
    assert call("sync", club, "--record", other)[1].endswith("0 matches sent, 1 taken\n")
    status, out, err = call("sync", club)
    assert (out.endswith("0 matches sent, 0 taken\n"), "begun" in err) == (True, False)
    assert call("sync", club, "--whole")[1].endswith("0 matches sent, 0 taken\n")
    assert call("sync", str(place))[0] == call("sync")[0] == 2


def test_what_is_refused_says_what_there_is(place: Path, call: Call, tmp_path: Path) -> None:
    """A house rule that a box has not, a kind that nothing is counted by, a folder not made yet."""
    _, _, err = call("reread", "1", "--option", "none=1")
    assert "has no house rule 'none'; it has " in err
    assert "timer_s" in err
    _, _, err = call("stats", "--by", "x")
    assert "Invalid value for '--by': 'x' is not one of 'player'" in err
    nowhere = tmp_path / "nowhere"
    _, _, err = call("export", "1", "--out", str(nowhere / "match.jsonl"))
    assert f"there is no folder {nowhere}; make it, or name another" in err
    with closing(Record.open(tmp_path / "new.db")):
        pass
    _, _, err = call("show", "last", "--record", str(tmp_path / "new.db"))
    assert "has no match 'last'; no match was played yet" in err


def test_a_simulation_that_fills_its_disk_says_how_many_matches_are_kept(
    call: Call, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Those are whole; the one that did not fit is not there."""
    place, take, taken = str(tmp_path / "bots.db"), Record.take, list[str]()

    def fills(record: Record, copy: Export) -> TakenOver:
        if len(taken) == 2:
            raise RecordReadOnly("the disk is full", "make room", place=record.name)
        taken.append(copy.match_id)
        return take(record, copy)

    monkeypatch.setattr(Record, "take", fills)
    status, out, err = call("simulate", "talespin-dogfight", "--matches", "5", "--record", place)
    assert (status, out, err) == (
        2,
        "",
        (
            f"companion: {place}: the disk is full. The first 2 matches are kept there, whole; "
            "make room or name another place with --record.\n"
        ),
    )
    assert "2 matches verified, all sound" in call("check", "--record", place)[1]
