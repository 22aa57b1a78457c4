"""Whoever calls the library with arguments of another kind is told so, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import BadCall, Drift, Match, Offer, Record, Setup, Stamp, find_rulebook, replay

NOW = Stamp("Ana", "2026-11-21T19:00:00Z", 0.0)
TOSS = Offer("set-up/toss", "Jaws", "script", "table")  # type: ignore[arg-type]

SETUPS: dict[str, tuple[dict[str, Any], str]] = {
    "box": ({"box": None}, "box of a set-up: the name of a box is wanted, not None"),
    "variants": ({"variants": "night"}, "variants of a set-up: a list of names is wanted"),
    "a variant": ({"variants": (3,)}, "variants of a set-up: a list of names is wanted"),
    "seats": ({"seats": ["Ana"]}, "seats of a set-up: people's names by seat are wanted"),
    "a seat": ({"seats": {"JP": 3}}, "seats of a set-up: people's names by seat are wanted"),
    "options": ({"options": ["timer_s"]}, "options of a set-up: values by name are wanted"),
    "cards": ({"cards": [1]}, "cards of a set-up: a table's own data by name are wanted"),
    "position": ({"position": "x"}, "position of a set-up: a position file's object is wanted"),
    "edition": ({"edition": "x"}, "edition of a set-up: a number is wanted, not 'x'"),
}


@pytest.mark.parametrize("what", SETUPS)
def test_a_set_up_of_another_kind_is_refused_by_its_field(what: str) -> None:
    """When it is made: no rulebook has to make sense of it."""
    wrong, text = SETUPS[what]
    fields: dict[str, Any] = {"box": "jaws-and-paws", **wrong}
    with pytest.raises(BadCall) as refused:
        Setup(**fields)
    assert str(refused.value).startswith(text)


CALLS: dict[str, tuple[Callable[[Any, Any], object], str]] = {
    "answer": (lambda match, _: match.answer("Jaws", NOW), "an Offer is wanted, not 'Jaws'"),
    "answer when": (lambda match, no: match.answer(TOSS, no), "a Stamp is wanted, not 'now'"),
    "undo": (lambda match, _: match.undo("x", stamp=NOW), "a line's number is wanted, not 'x'"),
    "undo when": (lambda match, no: match.undo(1, stamp=no), "a Stamp is wanted, not 'now'"),
    "back": (lambda match, _: match.bring_back("x", stamp=NOW), "a line's number is wanted"),
    "amend": (lambda match, _: match.amend("x", "Paws"), "a line's number is wanted, not 'x'"),
    "amend when": (
        lambda match, no: match.amend(1, "Paws").commit(no), "a Stamp is wanted, not 'now'"
    ),
    "adjust": (
        lambda match, _: match.adjust(["JP.deck"], "", stamp=NOW),
        "changes: values by name are wanted, not ['JP.deck']",
    ),
    "adjust name": (
        lambda match, _: match.adjust({3: 1}, "", stamp=NOW),
        "changes: values by name are wanted, not {3: 1}",
    ),
    "adjust when": (
        lambda match, no: match.adjust({"JP.deck": 25, "JP.hand": 5}, "", stamp=no),
        "a Stamp is wanted, not 'now'",
    ),
    "adjust before": (
        lambda match, _: match.adjust({"JP.deck": 25}, "", before="x", stamp=NOW),
        "a line's number is wanted, not 'x'",
    ),
    "report": (lambda match, _: match.report("ufo", NOW), "a report: values by name are wanted"),
    "restart": (
        lambda match, _: match.restart(None, "", NOW), "a position: values by name are wanted"
    ),
    "close": (
        lambda match, _: match.close("Jaws", "", "", NOW),
        "winners: a list of names is wanted, not 'Jaws'",
    ),
    "close when": (
        lambda match, no: match.close(["Jaws"], "", "", no), "a Stamp is wanted, not 'now'"
    ),
    "clock": (
        lambda match, no: match.note_clock("k", {"event": "started"}, no), "a Stamp is wanted"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", CALLS)
def test_a_verb_with_an_argument_of_another_kind_changes_nothing(what: str) -> None:
    """It is refused before anything is judged: log, position and questions stand."""
    call, text = CALLS[what]
    match = Match[Any].start(Setup("jaws-and-paws"), NOW)
    match.answer(TOSS, NOW)
    before = ([*match.entries], match.position.digest(), [*match.open], [*match.steps])
    with pytest.raises(BadCall) as refused:
        call(match, "now")
    assert str(refused.value).startswith(text)
    assert ([*match.entries], match.position.digest(), [*match.open], [*match.steps]) == before
    match.answer(Offer("set-up/sun", "Paws.PL", "script", match.open["set-up/sun"].by), NOW)


def test_a_match_begins_with_a_set_up_and_a_stamp() -> None:
    """Neither may be a word; nor may the box that is looked for be another thing."""
    with pytest.raises(BadCall, match="a Setup is wanted, not 'jaws-and-paws'"):
        Match.start("jaws-and-paws", NOW)  # type: ignore[arg-type]
    with pytest.raises(BadCall, match="a Stamp is wanted, not None"):
        Match.start(Setup("jaws-and-paws"), None)  # type: ignore[arg-type]
    with pytest.raises(BadCall, match="no box is called None"):
        find_rulebook(None)  # type: ignore[arg-type]


def test_what_is_no_log_is_not_replayed() -> None:
    """Words, and lines as they stand in files."""
    with pytest.raises(Drift, match="line 0: the record has no set-up line"):
        replay("abc")  # type: ignore[arg-type]
    match = Match[Any].start(Setup("jaws-and-paws"), NOW)
    with pytest.raises(Drift, match="line 1: the record has 'abc', the rules have a line"):
        replay([*match.entries, "abc"])  # type: ignore[list-item]


RECORDS: dict[str, tuple[Callable[[Any, str], object], str]] = {
    "create": (lambda record, _: record.create("x", NOW), "a Setup is wanted, not 'x'"),
    "create when": (
        lambda record, _: record.create(Setup("jaws-and-paws"), "now"),
        "a Stamp is wanted, not 'now'",
    ),
    "append": (lambda record, one: record.append(one, "x"), "a list of lines of a log is wanted"),
    "append what": (
        lambda record, one: record.append(one, ["x"]),
        "a list of lines of a log is wanted",
    ),
    "load": (lambda record, _: record.load(None), "has no match None"),
    "finish": (lambda record, one: record.finish(one, None), "a Closing is wanted, not None"),
    "open": (lambda record, _: record.open(3), "the path or the URL of a record is wanted, not 3"),
}


@pytest.mark.parametrize("what", RECORDS)
def test_a_record_refuses_arguments_of_another_kind(what: str, tmp_path: Path) -> None:
    """And nothing is written."""
    call, text = RECORDS[what]
    with Record.open(tmp_path / "record.db") as record:
        one = record.create(Setup("jaws-and-paws"), NOW)
        before = record.export(one)
        with pytest.raises(BadCall) as refused:
            call(record, one)
        assert text in str(refused.value)
        assert record.export(one) == before
        assert record.count() == 1
