"""The list of past matches: what a damaged file may have cost is told there, and play goes on."""

from __future__ import annotations

import errno
import os
import shutil
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.offers import Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.rulebook import Setup
from companion.match.simulation import bots_of
from companion.record.evidence import EvidenceFile, EvidencePart, Occasion
from companion.record.record import Record
from ui.samples.beside import PASTS
from ui.scene.scene import PastMatch, Situation
from ui.scene.theme import Theme
from ui.scene.values import Key, Mark
from ui.screens.arbiter.evidence import EvidenceState
from ui.screens.arbiter.log import LogState
from ui.screens.beside.past import (
    ExportState,
    MatchRow,
    PastLine,
    PastMatchState,
    PastState,
    present_past,
)
from ui.screens.beside.table_check import TableCheckState
from ui.screens.beside.trouble import TroubleState
from ui.screens.match.ready import ReadyState
from ui.screens.match.result import ResultState
from ui.screens.registry import parts_of
from ui.table import export
from ui.table.past_matches import past_matches
from ui.table.settings_file import sticks
from ui.touch import actions as a
from ui.touch.acting import act
from ui.touch.view import View
from ui.widgets.box import Box


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
    state = present_past(Situation(0.0, matches=shown), View())
    assert isinstance(state, PastState)
    (line,) = state.lines
    assert line.mark is Mark.WARN
    assert "what came after line 1 may be lost" in line.value
    assert line.key is not None
    assert line.key.action == a.Show(a.Panel.PAST, match_id)


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
    person.touch(a.Show(a.Panel.NEW_MATCH))
    state = person.touch(a.SetupChoice("seat.JP", "An\u202ea"))
    assert state.frame.bottom.next.action is None
    assert "an invisible character" in state.frame.bottom.next.second


# One of them in full.


def won_by_paws(person: Any) -> str:
    """A match that the arbiter closed for Paws is in the record, and nothing is under way."""
    person.to_ready()
    person.touch(a.Close(("Paws",), "time is up"))
    match_id: str = person.table.match_id
    person.touch(a.Leave())
    return match_id


def key_of(state: Any, label: str) -> Key:
    """The bottom key of that label."""
    keys: tuple[Key, ...] = state.frame.bottom.keys
    return next(key for key in keys if key.label == label)


def test_a_match_of_the_list_opens_in_full(person: Any) -> None:
    """Who won and why with its rule, each seat's counts, how long it took; nothing is begun."""
    match_id = won_by_paws(person)
    listed = person.touch(a.Show(a.Panel.PAST))
    state = person.touch(listed.lines[0].key.action)
    assert isinstance(state, PastMatchState)
    assert state.band.lines == ("PAWS WIN",)
    assert state.band.note.startswith("The arbiter closed the match (")
    assert [(line.name, line.value) for line in state.sheet] == [
        ("Ana", "Pilot"), ("Bo", "Gunner"), ("Cleo", "Pilot"), ("Dan", "Gunner"),
    ]  # fmt: skip
    assert state.sheet[0].right.startswith("Deck 26 · Hand 4")
    assert "no picture kept" in state.facts
    assert key_of(state, "Evidence").action is None
    assert person.table.match is None
    back = person.touch(key_of(state, "Back").action)
    assert isinstance(back, PastState)
    assert person.touch(a.Show(a.Panel.PAST, match_id)) == state


def test_back_leads_from_the_log_of_a_past_match_to_its_page(person: Any) -> None:
    """Who only looked goes on looking; what leads on from the page leads into the match."""
    match_id = won_by_paws(person)
    state = person.touch(a.Show(a.Panel.PAST, match_id))
    assert isinstance(person.touch(key_of(state, "Log").action), LogState)
    assert person.touch(a.Back()) == state
    assert person.table.match is None
    assert isinstance(person.go_on(), ResultState), "no deed of long ago is told again"


def test_whoever_corrects_a_past_match_is_in_it(person: Any) -> None:
    """Then Back closes the log over the match, with what is left to do at the table."""
    match_id = won_by_paws(person)
    person.touch(a.LookInto(match_id))
    person.touch(a.Undo(person.match.last_act))
    person.touch(a.Show(a.Panel.LOG))
    assert not isinstance(person.touch(a.Back()), PastMatchState)
    assert person.table.match is not None


def test_the_pictures_of_a_past_match_are_seen_without_a_camera(person: Any) -> None:
    """They lie beside the record, whoever looks now."""
    match_id = won_by_paws(person)
    kept = EvidenceFile(3, Occasion.ZERO, EvidencePart.AT, "2026-11-21T19:34:07.250Z")
    picture = person.table.record.evidence(match_id) / kept.name
    cv2.imwrite(str(picture), np.full((90, 160, 3), 120, np.uint8))
    state = person.touch(a.Show(a.Panel.PAST, match_id))
    key = key_of(state, "Evidence")
    assert key.second == "1 kept"
    shown = person.touch(key.action)
    assert isinstance(shown, EvidenceState)
    assert shown.picture.size_px == (160, 90)


def test_a_rematch_has_set_up_and_seats_of_the_past_one(person: Any) -> None:
    """One touch; whoever goes back from the table check finds them chosen."""
    person.to_ready(timer_s=30, public_counts=False)
    match_id = person.table.match_id
    before = person.match.setup
    person.touch(a.Leave())
    state = person.touch(a.Show(a.Panel.PAST, match_id))
    assert isinstance(person.touch(key_of(state, "Rematch").action), TableCheckState)
    after = person.match.setup
    assert person.table.match_id != match_id
    assert (after.box, after.variants, after.seats, after.options) == (
        before.box, before.variants, before.seats, before.options,
    )  # fmt: skip
    state = person.touch(a.Leave())
    assert [field.player for field in state.seats] == ["Ana", "Bo", "Cleo", "Dan"]


def test_an_open_match_goes_on_from_its_page(person: Any) -> None:
    person.to_ready()
    match_id = person.table.match_id
    person.touch(a.Leave())
    state = person.touch(a.Show(a.Panel.PAST, match_id))
    assert state.band.lines == ("OPEN",)
    assert state.band.note == "Asked next: Jaws: ready?"
    assert isinstance(person.go_on(), ReadyState)


def test_a_damaged_match_is_told_and_can_be_taken_along(tmp_path: Path, new_person: Any) -> None:
    """Its sound part is exported; it is not gone on with."""
    person = new_person(tmp_path)
    person.to_ready()
    match_id = person.table.match_id
    person.touch(a.Leave())
    person.table.close()
    with closing(sqlite3.connect(tmp_path / "record.sqlite")) as database, database:
        database.execute("UPDATE entries SET line = replace(line, 'Jaws.GL', 'Jaws.GR')")
    again = new_person(tmp_path)
    state = again.touch(a.Show(a.Panel.PAST, match_id))
    assert isinstance(state, PastMatchState)
    assert state.band.lines == ("CANNOT BE READ",)
    assert state.band.note
    assert [key.label for key in state.frame.bottom.keys] == ["Back", "Export"]
    assert state.frame.bottom.next is not None
    assert state.frame.bottom.next.action is None


def test_a_match_that_is_not_there_shows_the_list(person: Any) -> None:
    assert isinstance(person.touch(a.Show(a.Panel.PAST, "gone")), PastState)
    state = person.touch(a.Rematch("gone"))
    assert state.frame.refusal.mark is Mark.BAD


# Taken along.


def stick(person: Any, folder: Path) -> Path:
    """A drive is plugged in."""
    folder.mkdir()
    person.table.past.sticks = lambda: (folder,)
    return folder


@pytest.mark.slow
def test_a_match_is_written_to_a_stick(person: Any, tmp_path: Path) -> None:
    """Log and pictures, whole; another table takes the log in."""
    match_id = won_by_paws(person)
    kept = EvidenceFile(3, Occasion.ZERO, EvidencePart.AT, "2026-11-21T19:34:07.250Z")
    (person.table.record.evidence(match_id) / kept.name).write_bytes(b"a picture")
    drive = stick(person, tmp_path / "KINGSTON")
    state = person.touch(a.Show(a.Panel.EXPORT, match_id))
    assert isinstance(state, ExportState)
    assert [key.label for key in state.places] == ["KINGSTON", "This machine"]
    assert state.places[0].second.endswith(" free")
    for _ in range(2):  # the second time in its place
        state = person.touch(state.places[0].action)
        told = state.frame.refusal
        assert told.mark is Mark.OK
        assert told.text.endswith("log, protocol, page, score sheet, 1 picture")
        assert told.way_out == "The stick may be pulled out now."
    (home,) = drive.iterdir()
    assert home.name.startswith("Jaws-Paws-")
    assert sorted(path.name for path in home.iterdir()) == [
        kept.name,
        "match.html",
        "match.jsonl",
        "protocol.txt",
        "sheet.pdf",
    ]
    with Record.open(tmp_path / "other.sqlite") as other:
        assert other.import_file(home / "match.jsonl").match_id == match_id


def test_the_match_under_way_is_written_from_its_result(person: Any, tmp_path: Path) -> None:
    """The result leads to the same places; Back leads to it."""
    person.to_ready()
    person.touch(a.Close(("Paws",), "time is up"))
    person.read_rulings()
    drive = stick(person, tmp_path / "STICK")
    state = person.touch(key_of(person.state, "Export").action)
    person.touch(state.places[0].action)
    assert len(list(drive.iterdir())) == 1
    assert isinstance(person.touch(a.Back()), ResultState)


def test_without_a_stick_it_says_so(person: Any) -> None:
    """There is always this machine, which says where it has put it."""
    match_id = won_by_paws(person)
    person.table.past.sticks = tuple
    state = person.touch(a.Show(a.Panel.EXPORT, match_id))
    assert state.told.startswith("No stick is plugged in.")
    told = person.touch(state.places[0].action).frame.refusal
    assert told.way_out.startswith("In /")


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "it is full"),
        (errno.EROFS, "nothing can be written to it"),
        (errno.EACCES, "nothing can be written to it"),
        (errno.EIO, "it does not answer any more"),
        (errno.ENOENT, "it is gone"),
        (errno.ENAMETOOLONG, "File name too long"),
    ],
)
def test_a_stick_that_takes_nothing_says_why(
    person: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    """In words with the way out; nothing half written stays, and what was there before stays."""
    match_id = won_by_paws(person)
    drive = stick(person, tmp_path / "STICK")
    action = person.touch(a.Show(a.Panel.EXPORT, match_id)).places[0].action
    person.touch(action)
    before = [path.read_bytes() for path in drive.rglob("*.jsonl")]

    def refuse(path: Path, content: bytes) -> None:
        path.write_bytes(content[:9])
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(export, "_write", refuse)
    refusal = person.touch(action).frame.refusal
    assert refusal.text == "Nothing was written to STICK"
    assert words in refusal.way_out
    assert refusal.mark is Mark.BAD
    assert [path.read_bytes() for path in drive.rglob("*.jsonl")] == before
    assert not list(drive.glob("*.part"))


def test_a_stick_that_was_pulled_out_is_no_place(person: Any, tmp_path: Path) -> None:
    """Its key may still be under the finger."""
    match_id = won_by_paws(person)
    drive = stick(person, tmp_path / "STICK")
    action = person.touch(a.Show(a.Panel.EXPORT, match_id)).places[0].action
    person.table.past.sticks = tuple
    drive.rmdir()
    drive.parent.joinpath("STICK").write_text("a file is there now")
    refusal = person.touch(action).frame.refusal
    assert refusal.text == "Nothing was written to STICK"


def test_only_what_is_mounted_is_a_stick(tmp_path: Path) -> None:
    """Drives a level or two below where a system mounts them."""
    for name in ("ana/KINGSTON", "ana/empty", "DISK"):
        (tmp_path / name).mkdir(parents=True)
    mounted = {tmp_path / "ana/KINGSTON", tmp_path / "DISK"}
    found = sticks((tmp_path, tmp_path / "none"), is_mount=mounted.__contains__)
    assert sorted(path.name for path in found) == ["DISK", "KINGSTON"]


def test_a_drive_that_answers_no_more_hides_no_other(tmp_path: Path) -> None:
    """It was pulled out while it was mounted: to look at it is an error."""
    for name in ("GONE", "KINGSTON"):
        (tmp_path / name).mkdir()

    def is_mounted(path: Path) -> bool:
        if path.name == "GONE":
            raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")
        return True

    found = sticks((tmp_path,), is_mounted)
    assert [path.name for path in found] == ["KINGSTON"]


def test_a_full_stick_is_no_key(person: Any, tmp_path: Path, monkeypatch: Any) -> None:
    """It says so before anybody touches it; so does one that takes no writing."""
    match_id = won_by_paws(person)
    stick(person, tmp_path / "STICK")
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=4096))
    state = person.touch(a.Show(a.Panel.EXPORT, match_id))
    assert (state.places[0].action, state.places[0].second) == (None, export.FULL)
    monkeypatch.undo()
    monkeypatch.setattr(os, "access", lambda *_: False)
    state = person.touch(a.Show(a.Panel.EXPORT, match_id))
    assert (state.places[0].action, state.places[0].second) == (None, export.READ_ONLY)


def test_only_who_plays_is_listed(tmp_path: Path) -> None:
    """A box for six that two play: neither the list nor home names the four others."""
    with Record.open(tmp_path / "record.db") as record:
        record.create(Setup("talespin-dogfight"), Stamp("", "2026-11-20T19:00:00Z", 0.0))
        seats = {Seat("A"): "Ana", Seat("B"): "Ben"}
        setup = Setup("starship-edition", ("base",), seats, {"players": 2})
        record.create(setup, Stamp("", "2026-11-21T19:00:00Z", 0.0))
        (ships, planes) = past_matches(record)
    assert ships.players == ("Ana", "Ben")
    assert [team.name for team in ships.teams] == ["Ana", "Ben"]
    assert planes.players == ("Player A", "Player B")
    assert "open after 1 line" in planes.summary.split(" · ")


def test_the_line_of_the_match_that_home_offers_says_which_game_it_is(person: Any) -> None:
    """As those of all others do; then what is asked next."""
    person.to_ready()
    person.touch(a.Leave())
    lines = person.touch(a.Show(a.Panel.PAST)).lines
    assert lines[0].value == "Jaws & Paws · asked next: Jaws: ready?"


def test_the_list_names_winners_as_they_are_called_and_says_it_once(person: Any) -> None:
    """Not "Player C won · Eve has the last vessel and wins"."""
    seats = {Seat("A"): "Ana", Seat("B"): "Bo"}
    for reason in ("Bo has the last vessel and wins.", "Time is up."):
        person.table.new_match(Setup("starship-edition", options={"players": 2}, seats=seats))
        person.table.refereed().close([Seat("B")], reason, "late", person.table.clock())
        person.table.leave()
    told = {past.summary for past in person.table.situation().matches}
    assert told == {
        "Dog Fight: Starship Edition · Bo has the last vessel and wins",
        "Dog Fight: Starship Edition · Bo won · Time is up",
    }


WIDE = ("Ana", "Bartholomew Q", "W" * 20, "MWMWMWMWMWMWMWMWMWMW")
LONG = ("Wilhelmine Hohenzollern", "Bartholomäus Quince-Ota", "Cleopatra Vandenberghe")


def matches_of(people: Sequence[str], summary: str) -> tuple[PastMatch, ...]:
    """Nine of them, on one evening."""
    return tuple(
        PastMatch(f"m{n}", "Starship", "", tuple(people), summary, f"2026-11-28T1{n}:00:00Z",
                  ended=True, people=tuple(people))
        for n in range(9)
    )  # fmt: skip


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (480, 800), (720, 1280)])
@pytest.mark.parametrize(
    "people", [LONG, LONG[:2], (*LONG, "Maximilian von Eschenbach"), WIDE, WIDE[1:3], WIDE[3:]]
)
@pytest.mark.parametrize(
    "summary",
    [
        "Dog Fight: Starship Edition · Wilhelmine Hohenzollern has the last vessel and wins",
        "Jaws & Paws · Paws won · Jaws are shot down at the end of step 5 of section 1",
        "Dog Fight: Starship Edition · open after 112 lines",
    ],
)
def test_eight_matches_of_people_with_long_names_are_whole_on_a_page(
    make_sheet: Any, judge: Any, size: tuple[int, int], people: Sequence[str], summary: str
) -> None:
    """In either format; who won stands in it, and nothing is cut."""
    situation = Situation(0.0, matches=matches_of(people, summary))
    state = present_past(situation, View().opened(a.Panel.PAST))
    assert isinstance(state, PastState)
    assert (len(state.lines), state.pages) == (8, 2)
    sheet = make_sheet(Theme(size_px=size))
    sheet.show("Past", parts_of(state, sheet.theme))
    assert list(judge.all(sheet)) == []
    told = [text for name, text in sheet.written() if name.startswith("line/")]
    assert not [text for text in told if text.cut]
    assert len([text for text in told if "28 Nov 1" in text.text]) == 8


def test_a_line_tells_who_won_and_the_match_why(make_sheet: Any) -> None:
    """First names, where nobody else here has that one."""
    told = "Dogfight! hex ships · Cleopatra Vandenberghe has the last ship and wins"
    _, *line = first_line(make_sheet, (800, 480), LONG, told)
    assert line == ["28 Nov 10:00", "Dogfight! hex ships · Cleopatra won"]


@pytest.mark.parametrize(
    ("people", "narrow", "upright"),
    [
        (("Ana, Ana", "Bo, Cleopatra"), "Ana / Bo, Cleopatra", "Ana / Bo, Cleopatra"),
        (LONG[1:], "Bartholomäus / Cleopatra", "Bartholomäus / Cleopatra"),
        (LONG, "Wilhelmine and 2 more", "Wilhelmine and 2 more"),
        (WIDE, "Ana and 3 more", "Ana / Bartholomew and 2 more"),
        (WIDE[2:], "2 players", "2 players"),
    ],
)
def test_as_many_players_are_named_as_the_line_has_room_for(
    make_sheet: Any, people: Sequence[str], narrow: str, upright: str
) -> None:
    """By how wide their names are, not by how many letters they have."""
    for size, named in ((800, 480), narrow), ((480, 800), upright):
        told, *_ = first_line(make_sheet, size, people, "Draw")
        assert told == named


def first_line(
    make_sheet: Any, size: tuple[int, int], people: Sequence[str], summary: str
) -> list[str]:
    """What the first line of the list says on a window of that size: players, day, how it ended."""
    state = present_past(
        Situation(0.0, matches=matches_of(people, summary)), View().opened(a.Panel.PAST)
    )
    assert isinstance(state, PastState)
    sheet = make_sheet(Theme(size_px=size))
    sheet.show("Past", parts_of(state, sheet.theme))
    day, players, ended = (text.text for name, text in sheet.written() if name == "line/0")
    return [players, day, ended]


def test_the_list_of_the_log_tells_long_names_in_short(person: Any) -> None:
    """So what was done has room; the line itself tells the whole name."""
    seats = {Seat("A"): "Bartholomäus Quince-Ota", Seat("B"): "Bo Li"}
    person.table.new_match(Setup("dogfight-1917", seats=seats))
    person.view = act(a.Checked(), person.table, View())
    bots, ruled = bots_of(person.match.setup, Random(1)), 0
    for _ in range(8):
        for ruling in person.match.rulings[ruled:]:
            bots.perform(ruling.deeds)
        ruled = len(person.match.rulings)
        question = next(
            q for key, q in person.match.open.items() if key not in person.match.answered
        )
        raw = question.parse(bots.act(question)).plain
        person.do(a.Answer(question.key, question.opened, raw))
    state = person.touch(a.Show(a.Panel.LOG))
    told = " ".join(f"{line.text} {line.ruled}" for line in state.lines)
    assert "Bartholomäus" in told
    assert "Quince-Ota" not in told


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (720, 1280)])
def test_how_a_match_ended_is_whole_with_the_rules_that_say_so(
    make_sheet: Any, size: tuple[int, int]
) -> None:
    """Upright it takes three lines."""
    note = (
        "Paws are shot down at the end of Repairing: a card had to be taken and was not there "
        "(JP-11.1, JP-11.5, RULING 11)"
    )
    sample = next(one for one in PASTS.values() if isinstance(one, PastMatchState))
    state = replace(sample, band=replace(sample.band, note=note))
    sheet = make_sheet(Theme(size_px=size))
    sheet.show("PastMatch", parts_of(state, sheet.theme))
    told = [text for _, text in sheet.written() if text.text == note]
    assert [text.cut for text in told] == [False]


def test_a_long_line_of_the_list_keeps_clear_of_its_edges(make_sheet: Any) -> None:
    """Two rows of how it ended, and the players' names did not lie on the edge above them."""
    line = MatchRow("Ferdinand and 2 more", "Dog Fight: Starship Edition · Wilhelmine won", Mark.OK,
                    "27 Nov 21:02")  # fmt: skip
    box = Box(410, 60, 384, 76.5)
    sheet = make_sheet(Theme(size_px=(800, 480)))
    sheet.show("Past", {"line/0": PastLine(box=box, line=line)})
    told = [text for _, text in sheet.written()]
    assert len(told) == 3
    assert all(box.y + 4 <= text.ink.y for text in told)
    assert all(text.ink.bottom <= box.bottom - 4 for text in told)
