"""The list of past matches: what a damaged file may have cost is told there, and play goes on."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.core.offers import Stamp
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.record.record import Record
from ui.scene.scene import Situation
from ui.scene.values import Mark
from ui.screens.beside.lists import present_past
from ui.screens.beside.trouble import TroubleState
from ui.table.past_matches import past_matches
from ui.touch import actions as a
from ui.touch.view import View


def test_a_match_saved_from_a_damaged_file_says_so_and_can_go_on(tmp_path: Path) -> None:
    """Its line is a warning with the last line that is kept, and has a key to go on."""
    path = tmp_path / "record.db"
    with Record.open(path) as record:
        match_id = record.create(Setup("jaws-and-paws"), Stamp("", "2026-11-21T19:00:00Z", 0.0))
        record.append(match_id, [Entry(1, "answer", "set-up/toss", "Jaws")])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE lengths")
    raw = path.read_bytes()
    path.write_bytes(raw[:70] + b"?" + raw[71:])
    Record.open(path).close()
    with Record.open(path) as record:
        shown = past_matches(record)
    assert shown[0].offered
    (line,) = present_past(Situation(0.0, matches=shown), View()).lines
    assert line.mark is Mark.WARN
    assert "what came after line 1 may be lost" in line.value
    assert line.key is not None
    assert line.key.action == a.ResumeMatch(match_id)


def test_a_match_saved_from_a_damaged_file_is_resumed_with_a_warning(
    tmp_path: Path, new_person: Any
) -> None:
    """Whoever goes on with it is told where, and which line is the last that is kept."""
    path = tmp_path / "record.sqlite"
    with Record.open(path) as record:
        match_id = record.create(Setup("jaws-and-paws"), Stamp("", "2026-11-21T19:00:00Z", 0.0))
        record.append(match_id, [Entry(1, "answer", "set-up/toss", "Jaws")])
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("DROP TABLE lengths")
    raw = path.read_bytes()
    path.write_bytes(raw[:70] + b"?" + raw[71:])
    person = new_person(tmp_path)
    refusal = person.touch(a.ResumeMatch(match_id)).frame.refusal
    assert refusal.mark is Mark.WARN
    assert "was saved from a damaged file" in refusal.text
    assert "what came after line 1 may be lost" in refusal.text


def test_the_app_rules_no_match_that_another_program_goes_on_with(
    tmp_path: Path, new_person: Any
) -> None:
    """It says so, takes no answer, and leads home, where the match goes on from the other's."""
    first = new_person(tmp_path)
    first.begin()
    match_id = first.table.match_id
    second = new_person(tmp_path)
    second.touch(a.ResumeMatch(match_id))
    (question,) = second.match.open.values()
    second.touch(a.Answer(question.key, question.opened, "Jaws"))
    state = first.touch(a.Answer(question.key, question.opened, "Paws"))
    assert isinstance(state, TroubleState)
    assert state.band.lines == ("ANOTHER PROGRAM HAS THIS MATCH",)
    assert "was written by another program" in state.text
    lines = len(first.match.entries)
    (sun,) = first.match.open.values()
    first.do(a.Answer(sun.key, sun.opened, "Jaws.GL"))
    assert len(first.match.entries) == lines
    home = state.frame.bottom.next
    assert home is not None
    first.touch(home.action)
    first.touch(a.ResumeMatch(match_id))
    assert [entry.answer for entry in first.match.entries if entry.kind == "answer"] == ["Jaws"]


def test_a_name_with_an_invisible_letter_is_refused_where_it_stands(person: Any) -> None:
    """A keyboard that is plugged in can type one."""
    person.touch(a.Show(a.Panel.NEW_MATCH, "SEATS"))
    state = person.touch(a.SetupChoice("seat.JP", "An\u202ea"))
    assert state.frame.bottom.next.action is None
    assert "an invisible character" in state.frame.bottom.next.second
