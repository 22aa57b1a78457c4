"""A match as a file: it imports anywhere, is proved line by line, and overwrites nothing."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.errors import BadFile
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.file import read_export
from companion.record.lines import Closing
from companion.record.record import Record

STAMP = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
CLOSING = Closing("Draw.", "JP-11.6", (), (("Both are down.", "JP-11.6"),))


def lines(count: int, first: int = 1) -> list[Entry]:
    """Answers as a match logs them."""
    return [Entry(seq, "answer", f"q-{seq}", {"n": seq}) for seq in range(first, first + count)]


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Record]:
    with Record.open(tmp_path / "home" / "record.db") as record:
        yield record


@pytest.fixture
def away(tmp_path: Path) -> Iterator[Record]:
    with Record.open(tmp_path / "away" / "record.db") as record:
        yield record


@pytest.fixture
def match_id(home: Record) -> str:
    name = home.create(Setup("jaws-and-paws"), STAMP)
    home.append(name, lines(3))
    return name


def test_a_match_travels_whole(home: Record, away: Record, match_id: str, tmp_path: Path) -> None:
    """Lines, seals, closing and name are the same on another device; the match goes on there."""
    home.finish(match_id, CLOSING)
    file = tmp_path / "match.jsonl"
    file.write_text(home.export(match_id))
    imported = away.import_file(file)
    assert (imported.match_id, imported.is_new) == (match_id, True)
    assert away.load(match_id).entries == home.load(match_id).entries
    assert away.load(match_id).closing == CLOSING
    away.append(match_id, [Entry(4, "undo", target=3)])
    assert away.export(match_id) != home.export(match_id)


def test_every_line_of_the_file_is_json(home: Record, match_id: str) -> None:
    """The first tells what the file is, the last how many lines the log has."""
    first, *log, last = [json.loads(line) for line in home.export(match_id).splitlines()]
    assert first["line"] == {"format": 1, "match": match_id}
    assert [line["line"]["seq"] for line in log] == [0, 1, 2, 3]
    assert last["line"] == {"lines": 4, "match": match_id}


def test_a_match_that_is_here_stays_as_it_is(home: Record, match_id: str, tmp_path: Path) -> None:
    """Importing an export again, or an older one after the match went on, changes nothing."""
    file = tmp_path / "match.jsonl"
    file.write_text(home.export(match_id))
    home.append(match_id, lines(1, first=4))
    assert not home.import_file(str(file)).is_new, "a path may be a word"
    assert len(home.matches()) == 1
    assert len(home.load(match_id).entries) == 5


def test_another_match_under_the_same_name_gets_a_new_one(
    home: Record, away: Record, match_id: str, tmp_path: Path
) -> None:
    """Two devices went on from one match: both stories are kept, the first under its own name."""
    file = tmp_path / "match.jsonl"
    file.write_text(home.export(match_id))
    away.import_file(file)
    away.append(match_id, [lines(1, first=4)[0]._replace(author="Cleo")])
    home.append(match_id, lines(1, first=4))
    file.write_text(away.export(match_id))
    imported = home.import_file(file)
    assert imported.is_new
    assert imported.was == match_id != imported.match_id
    assert home.load(imported.match_id).entries[4].author == "Cleo"
    assert home.load(match_id).entries[4].author == ""
    assert home.import_file(file) == replace(imported, is_new=False)


def test_the_sound_part_of_a_damaged_match_becomes_a_match(
    home: Record, match_id: str, tmp_path: Path
) -> None:
    """The way out of damage: exported up to the last sound line, imported under a new name."""
    with home._engine.begin() as database:
        database.exec_driver_sql("UPDATE entries SET line = '?' WHERE seq = 2")
    file = tmp_path / "match.jsonl"
    file.write_text(home.export(match_id))
    (listed,) = home.matches()
    assert listed.entries == 2
    imported = home.import_file(file)
    assert imported.match_id != match_id
    home.append(imported.match_id, lines(1, first=2))
    assert home.load(imported.match_id).damage is None


def _changed(text: str) -> str:
    return text.replace('"n":2', '"n":1')


def _no_number(text: str) -> str:
    return text.replace('"n":2', '"n":NaN')


def _without_third(text: str) -> str:
    return _without(text, 3)


def _without_last_line_of_the_log(text: str) -> str:
    return _without(text, 5)


def _one_line_more(text: str) -> str:
    return text + "{}\n"


def _a_blank_line_first(text: str) -> str:
    return f"\n{text}"


def _another_word(text: str) -> str:
    return text.replace("chain", "chains", 1)


def _nothing(_: str) -> str:
    return ""


def _unsealed(_: str) -> str:
    return '{"chain":"","line":{}}\n'


def _nested(_: str) -> str:
    return "[" * 100_000


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (_changed, "line 4: this line was changed"),
        (_without_third, "line 3: this line was changed, or one before it is missing"),
        (_without_last_line_of_the_log, "line 5: this line was changed, or one before it"),
        (_one_line_more, "line 7: the file has ended before this line"),
        (_a_blank_line_first, "line 1: this is no line of an exported match"),
        (_nothing, "the file is empty; `companion export` writes one"),
        (_unsealed, "line 1: this line was changed"),
        (_nested, "line 1: this is no line"),
        (_no_number, "line 4: this is no line"),
        (_another_word, "line 1: this is no line"),
    ],
)
def test_a_file_that_was_changed_is_refused_by_line(
    home: Record, match_id: str, tmp_path: Path, wrong: Callable[[str], str], said: str
) -> None:
    """The number is the one an editor shows; nothing of the file is taken."""
    file = tmp_path / "match.jsonl"
    file.write_text(wrong(home.export(match_id)))
    with pytest.raises(BadFile, match=said):
        home.import_file(file)
    assert len(home.matches()) == 1


def _without(text: str, number: int) -> str:
    kept = text.splitlines(keepends=True)
    del kept[number - 1]
    return "".join(kept)


def test_a_file_that_is_not_there_or_no_text_is_named(home: Record, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"none\.jsonl: cannot be read: No such file"):
        home.import_file(tmp_path / "none.jsonl")
    (tmp_path / "picture.jsonl").write_bytes(b"\xff\xd8\xff\xe0")
    with pytest.raises(BadFile, match="byte 0: this is no text"):
        home.import_file(tmp_path / "picture.jsonl")
    with pytest.raises(BadFile, match="cannot be read: Is a directory"):
        home.import_file(tmp_path)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be"])
def test_a_file_that_a_console_wrote_as_utf_16_is_told_so(
    home: Record, match_id: str, tmp_path: Path, encoding: str
) -> None:
    """As `companion export last > match.jsonl` comes out of some consoles."""
    file = tmp_path / "match.jsonl"
    file.write_text(
        f"{'' if encoding == 'utf-16' else chr(0xFEFF)}{home.export(match_id)}", encoding
    )
    with pytest.raises(BadFile, match="UTF-16; save it as UTF-8, or export it with --out FILE"):
        home.import_file(file)


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ('{"chain":"0","line":' + "[" * 100_000, "lists or objects lie too deep in one another"),
        ('{"chain":"0","line":{"seq":0,"kind":"setup', "it breaks off or goes wrong at column 37"),
        ('{"chain":"0"}', "it lacks 'line'"),
        ('{"chain":"0","line":' + "9" * 5000 + "}", "a number has too many digits to be read"),
        ("[]", "this is no JSON object"),
    ],
)
def test_a_line_that_is_none_is_refused_in_plain_words(
    home: Record, away: Record, match_id: str, tmp_path: Path, second: str, why: str
) -> None:
    """Named by its number, not in the words of Python's reader."""
    file = tmp_path / "match.jsonl"
    first = home.export(match_id).splitlines()[0]
    file.write_text(f"{first}\n{second}\n")
    with pytest.raises(BadFile) as refused:
        away.import_file(file)
    assert refused.value.place == "line 2"
    assert refused.value.text == f"this is no line of an exported match: {why}"


def test_a_byte_order_mark_is_no_part_of_the_file(
    home: Record, away: Record, match_id: str, tmp_path: Path
) -> None:
    """An editor has saved it with one; the lines are the same."""
    file = tmp_path / "match.jsonl"
    file.write_text(home.export(match_id), encoding="utf-8-sig")
    assert away.import_file(file).match_id == match_id


def test_a_whole_record_is_no_exported_match_and_says_what_to_do(tmp_path: Path) -> None:
    with Record.open(tmp_path / "other.db") as other:
        other.create(Setup("jaws-and-paws"), Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))
    with pytest.raises(BadFile, match="this is a whole record: --record opens it"):
        read_export(tmp_path / "other.db")
    (tmp_path / "noise").write_bytes(b"\xff" * 9)
    with pytest.raises(BadFile, match="byte 0: this is no text"):
        read_export(tmp_path / "noise")
