"""Whoever calls the library with arguments of another kind is told so, and nothing is changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import (
    BadCall,
    Drift,
    Match,
    MatchClosed,
    Offer,
    Record,
    Referee,
    Setup,
    StaleOffer,
    Stamp,
    find_rulebook,
    replay,
)

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
    "clock what": (
        lambda match, _: match.note_clock("k", "started", NOW),
        "what the clock did: values by name are wanted, not 'started'",
    ),
    "together": (
        lambda match, _: match.judge_together("Jaws"), "answers: values by name are wanted"
    ),
    "reread": (lambda match, _: match.reread("night"), "a Setup is wanted, not 'night'"),
    "reread box": (
        lambda match, _: match.reread(Setup("dogfight-hex")),
        "a match of jaws-and-paws cannot be read as one of dogfight-hex",
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


STAMPS: dict[str, tuple[dict[str, Any], str]] = {
    "author": ({"author": 3}, "author of a stamp: a name is wanted, not 3"),
    "no time": ({"at_utc": None}, "at_utc of a stamp: a time such as "),
    "match_s": ({"match_s": "0"}, "match_s of a stamp: a number of seconds is wanted, not '0'"),
    "nan": (
        {"match_s": float("nan")},
        "match_s of a stamp: a number of seconds is wanted, not nan",
    ),
}


@pytest.mark.parametrize("what", STAMPS)
def test_a_stamp_that_no_log_could_keep_is_refused_by_its_field(what: str) -> None:
    """Such as seconds that no line of JSON can hold."""
    wrong, text = STAMPS[what]
    fields: dict[str, Any] = {"author": "Ana", "at_utc": "2026-11-21T19:00:00Z", "match_s": 0.0}
    with pytest.raises(BadCall) as refused:
        Stamp(**{**fields, **wrong})
    assert str(refused.value).startswith(text)


def test_a_stamp_takes_a_time_of_any_form() -> None:
    """A log of another program may tell it so; its match is kept elsewhere under the same stamp."""
    assert Stamp("Ana", "26 November, at seven", 0.0).at_utc == "26 November, at seven"


OFFERS: dict[str, tuple[dict[str, Any], str]] = {
    "key": ({"key": ["set-up/toss"]}, "key of an offer: a word is wanted, not ['set-up/toss']"),
    "source": ({"source": None}, "source of an offer: a word is wanted, not None"),
    "by": ({"by": 4}, "by of an offer: a word is wanted, not 4"),
    "opened": ({"opened": "7"}, "opened of an offer: a line's number is wanted, not '7'"),
}


@pytest.mark.parametrize("what", OFFERS)
def test_an_offer_of_another_kind_is_refused_by_its_field(what: str) -> None:
    """When it is made, before it meets a match."""
    wrong, text = OFFERS[what]
    fields: dict[str, Any] = {"key": "set-up/toss", "raw": "Jaws", "source": "bot", "by": "Jaws"}
    with pytest.raises(BadCall) as refused:
        Offer(**{**fields, **wrong})
    assert str(refused.value).startswith(text)


def test_a_question_that_is_not_asked_has_no_word_before() -> None:
    """It says what is asked, as an answer to it would."""
    match = Match[Any].start(Setup("jaws-and-paws"), NOW)
    with pytest.raises(StaleOffer, match="set-up/sun is not asked now; open: set-up/toss"):
        match.word_before("set-up/sun", "Paws.PL")


def test_a_match_that_was_closed_says_how_in_a_sentence() -> None:
    """Whether or not the arbiter ended the words with a full stop."""
    match = Match[Any].start(Setup("jaws-and-paws"), NOW)
    match.close((), "Rain", "", NOW)
    with pytest.raises(MatchClosed, match=r"has ended already: Rain\. Another result comes by"):
        match.close((), "Hail", "", NOW)


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
    "find": (lambda record, _: record.find(1), "the name of a match is wanted, not 1"),
    "import": (
        lambda record, _: record.import_file(3),
        "the path of a file is wanted, not 3",
    ),
    "record": (
        lambda _, __: Record("record.db"),  # type: ignore[arg-type]
        "an open database is wanted (Record.open opens a record), not 'record.db'",
    ),
    "referee": (
        lambda _, __: Referee(None, None, None),  # type: ignore[arg-type]
        "a Match is wanted, not None",
    ),
    "keeping": (
        lambda record, _: Referee(Match.start(Setup("jaws-and-paws"), NOW), record, None),  # type: ignore[arg-type]
        "a Keeping is wanted, not <",
    ),
    "open nothing": (
        lambda record, _: record.open(""),
        "the path or the URL of a record is wanted, not ''",
    ),
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
