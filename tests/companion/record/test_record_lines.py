"""A line of the record as text: what is written, what is refused, what a seal holds together."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadCall
from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.record.lines import (
    UNSEALED,
    Closing,
    Length,
    StoredLine,
    closing_row,
    json_object,
    next_row,
    read_closing,
    read_entry,
    read_rows,
    seal,
    with_seal,
    write_closing,
    write_entry,
)

FULL = Entry(
    7,
    "amend",
    "r1-jp",
    {"a": [1, None]},
    3,
    "Ana",
    "touch",
    "misread",
    "2026-11-21",
    1.5,
    "ab",
    "cd",
)
CLOSING = Closing(
    "Jaws win.", "JP-11.6", ("Jaws", "JP"), (("Hit.", "JP-9.1"), ("Out.", "JP-9.2")), "t"
)


def rows_of(*entries: Entry, before: str = UNSEALED) -> list[StoredLine]:
    """Rows of which each is sealed over the one before."""
    rows: list[StoredLine] = []
    for entry in entries:
        rows.append(next_row(before, entry))
        before = rows[-1].chain
    return rows


LOG = [Entry(0, "setup"), Entry(1, "answer", "q-1", 5), Entry(2, "undo", target=1)]


def test_a_line_says_only_what_is_not_as_usual() -> None:
    """Its seal is beside it, not in it."""
    assert write_entry(Entry(0, "setup")) == '{"kind":"setup","seq":0}'
    assert write_entry(Entry(4, "answer", "q", 0, chain="ab")) == (
        '{"answer":0,"key":"q","kind":"answer","seq":4}'
    )
    assert set(json_object(write_entry(FULL))) == set(Entry._fields) - {"chain"}


@pytest.mark.parametrize("entry", [FULL, *LOG])
def test_a_line_is_read_back_with_the_seal_it_was_stored_under(entry: Entry) -> None:
    assert read_entry(write_entry(entry), "seal") == entry._replace(chain="seal")
    assert read_entry(write_entry(entry)).chain == ""


@pytest.mark.parametrize("answer", [None, True, 1, 1.5, "a", [], {}])
def test_an_answer_may_be_anything_that_json_says(answer: Any) -> None:
    assert read_entry(write_entry(Entry(1, "answer", "q", answer))).answer == answer


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "1",
        '{"seq": 1}',
        '{"kind": "answer"}',
        '{"seq": 1, "kind": "answer", "mood": "good"}',
        '{"seq": "1", "kind": "answer"}',
        '{"seq": true, "kind": "answer"}',
        '{"seq": 1, "kind": 2}',
        '{"seq": 1, "kind": "answer", "target": 1.5}',
        '{"seq": 1, "kind": "answer", "match_s": "1"}',
        '{"seq": 1, "kind": "answer", "match_s": false}',
        '{"seq": 1, "kind": "answer", "digest": null}',
        '{"seq": 1, "kind": "answer", "answer": NaN}',
        '{"seq": 1, "kind": "answer", "match_s": Infinity}',
        '{"seq": 1, "kind": "answer"',
    ],
)
def test_what_is_no_line_of_a_log_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_entry(line)


@pytest.mark.parametrize("name", ["match_s", "seq"])
def test_the_word_at_fault_is_named(name: str) -> None:
    line = f'{{"kind": "answer", "seq": 1, "{name}": true}}'
    with pytest.raises(ValueError, match=f"^{name} cannot be True$"):
        read_entry(line)


def test_a_seal_is_of_the_line_and_of_the_seal_before_it() -> None:
    """These figures stand in every record: another way to seal would break them all."""
    assert seal("", "line") == "7adf5524891ccfc1b93c5a5af84383f7"
    assert seal("before", "line") != seal("", "line")


def test_a_row_has_the_lines_number_its_text_and_its_seal() -> None:
    row = next_row("before", FULL)
    assert row == StoredLine(7, write_entry(FULL), seal("before", write_entry(FULL)))
    assert with_seal(FULL, row) == FULL._replace(chain=row.chain)


def test_rows_are_read_as_long_as_each_follows_from_the_one_before() -> None:
    rows = rows_of(*LOG)
    sound = read_rows(rows)
    assert sound.damage is None
    assert sound.chain == rows[-1].chain
    assert [entry._replace(chain="") for entry in sound.entries] == LOG
    assert [entry.chain for entry in sound.entries] == [row.chain for row in rows]
    assert read_rows([]).chain == UNSEALED


def test_rows_are_read_on_from_a_line_that_was_read() -> None:
    rows = rows_of(*LOG)
    sound = read_rows(rows[1:], 1, rows[0].chain)
    assert (len(sound.entries), sound.damage) == (2, None)
    assert read_rows(rows[1:], 1).damage == "line 1 is not what was written"
    assert read_rows(rows[1:]).damage == "line 0 is missing"


def test_rows_are_read_up_to_the_first_that_is_missing_changed_or_unreadable() -> None:
    first, second, third = rows_of(*LOG)
    missing = read_rows([first, third])
    assert (len(missing.entries), missing.damage) == (1, "line 1 is missing")
    assert missing.chain == first.chain
    changed = read_rows([first, StoredLine(1, second.line.replace("5", "6"), second.chain), third])
    assert (len(changed.entries), changed.damage) == (1, "line 1 is not what was written")
    for line in ('{"seq": 1}', "[" * 100_000):
        newer = read_rows([first, StoredLine(1, line, seal(first.chain, line)), third])
        assert (len(newer.entries), newer.damage) == (1, "line 1 cannot be read by this version")


def test_the_length_of_a_match_counts_its_lines_and_is_sealed_for_it() -> None:
    last = rows_of(*LOG)[-1]
    length = Length.up_to(last)
    assert length == Length(3, last.chain)
    sealed = length.seal("m1")
    assert Length.read("m1", 3, last.chain, sealed) == length
    assert Length.read("m2", 3, last.chain, sealed) is None
    assert Length.read("m1", 4, last.chain, sealed) is None
    assert Length.read("m1", 3, last.chain, None) is None
    assert Length.read("m1", None, last.chain, sealed) is None
    assert Length.read("m1", "3", last.chain, sealed) is None
    assert Length.read("m1", 3, None, seal("None", "m1 3")) is None


def test_a_closing_is_read_back_with_its_number_of_lines() -> None:
    assert read_closing(write_closing(CLOSING, 12)) == (CLOSING, 12)
    assert read_closing(write_closing(Closing("Draw.", "JP-11.6", (), ()), 1))[0].winners == ()


def test_a_closing_stands_after_the_last_line_counts_it_and_is_sealed_after_it() -> None:
    """Line 11 is the last of twelve, for the first is line 0; so the closing is row 12."""
    last = next_row(UNSEALED, Entry(11, "answer", "q"))
    row = closing_row(CLOSING, last)
    assert row == StoredLine(12, row.line, seal(last.chain, row.line))
    assert read_closing(row.line) == (CLOSING, 12)


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "[]",
        '{"lines": 2}',
        '{"closing": 1, "lines": 2}',
        write_closing(CLOSING, 2).replace('"lines":2', '"lines":null'),
        write_closing(CLOSING, 2).replace('"lines":2', '"line":2'),
        write_closing(CLOSING, 2).replace('"at_utc"', '"at"'),
        write_closing(CLOSING, 2).replace('["Hit.","JP-9.1"]', '["Hit."]'),
    ],
)
def test_what_closes_no_log_is_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_closing(line)


def test_a_match_without_an_outcome_has_no_closing() -> None:
    match = Match[Any].start(Setup("jaws-and-paws"), Stamp("Ana", "2026-11-21T19:00:00Z", 0.0))
    with pytest.raises(BadCall, match="no outcome yet"):
        Closing.of(match, "2026-11-21T20:00:00Z")


def test_a_closing_says_who_won_and_every_ruling_with_its_rule() -> None:
    """So it can be read when the match itself can no longer be replayed."""
    stamp = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
    match = Match[Any].start(Setup("jaws-and-paws"), stamp)
    match.close(match.rulebook.sides[:1], "Jaws win.", "Paws went home", stamp)
    closing = Closing.of(match, "2026-11-21T20:00:00Z")
    (ruling,) = match.rulings
    assert closing == Closing(
        "Jaws win.",
        str(ruling.cite),
        ("Jaws",),
        (("Jaws win.", str(ruling.cite)),),
        "2026-11-21T20:00:00Z",
    )
