"""The protocol of a match: what an appeal reads, in words, in a file and as JSON."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.offers import Offer, Stamp
from companion.core.ruling import Seat
from companion.match.entry import Entry
from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP, bots_of, play_out
from companion.referee.protocol import Protocol, ProtocolLine, clock_in_words, read_protocol
from ui.table.protocol import rows_of
from ui.terminal.app import run
from ui.terminal.past_match import line_json

Tally = Callable[..., Any]
ANA = Stamp("Ana", "2026-11-21T19:42:10Z", 65.0)


def at_utc(at: str) -> str:
    return at[11:19]


def protocol_of(match: Match[Any]) -> Protocol:
    return read_protocol(match.entries, at_utc)


def line(protocol: Protocol, seq: int) -> ProtocolLine:
    return next(line for line in protocol.lines if line.entry.seq == seq)


def round_of(table: Any, a: int, b: int, bonus: str = "no") -> None:
    """One round of Tally: lines a, b, done, bonus."""
    place = table.match.position.where()[0]
    table.say(f"{place}/a", a)
    table.say(f"{place}/b", b)
    table.say(f"{place}/done", "ready")
    table.say(f"{place}/bonus", bonus)


def test_a_line_has_its_question_its_answer_and_its_ruling(tally: Tally) -> None:
    """What was asked stands beside what was answered, in words and not by a key alone."""
    table = tally()
    round_of(table, 1, 0, "yes")
    protocol = protocol_of(table.match)
    bonus = line(protocol, 4)
    assert (bonus.asked, bonus.told, bonus.cite) == ("Take the bonus?", "Yes", "T-1")
    assert [str(said) for said in bonus.rulings] == ["A bonus of one. [T-1]"]
    assert [question.key for question in protocol.open] == [
        "round-2/a",
        "round-2/b",
        "round-2/done",
    ]


def test_what_was_taken_back_says_by_whom_when_why_and_what_had_been_ruled(tally: Tally) -> None:
    """An undo to line 3 takes line 4 along: both are marked, the undo names them."""
    table = tally()
    round_of(table, 1, 0, "yes")
    table.match.undo(3, "miscounted", stamp=ANA)
    protocol = protocol_of(table.match)
    for seq, had in ((3, "The tally is 1."), (4, "A bonus of one.")):
        gone = line(protocol, seq)
        assert not gone.in_effect
        assert [mark.text for mark in gone.marks] == [
            "Taken back by line 5 (Ana, 19:42:10): miscounted."
        ]
        assert (gone.rulings, gone.was[0].until, gone.was[0].rulings[0].text) == ((), 5, had)
    assert line(protocol, 5).told == "Line 3 is taken back, and with it line 4."


def test_what_was_amended_has_both_answers_and_both_rulings(tally: Tally) -> None:
    """Lines that followed are still in effect, and what they ruled before stands beside it."""
    table = tally()
    round_of(table, 1, 0)
    round_of(table, 2, 0)
    table.match.amend(1, 3, "recounted").commit(ANA)
    protocol = protocol_of(table.match)
    amended, closing = line(protocol, 1), line(protocol, 7)
    assert (amended.in_effect, amended.told, amended.now) == (True, "1", "3")
    assert amended.marks[0].text == "Amended to “3” by line 9 (Ana, 19:42:10): recounted."
    assert closing.was[0].rulings[0].text == "The tally is 3."
    assert [said.text for said in closing.rulings] == ["The tally is 5."]
    assert line(protocol, 9).told == "Line 1 is amended to “3”; it had been “1”."


def test_only_rulings_that_a_correction_changed_are_said_to_be_ruled_now() -> None:
    """An amended throw with as many successes: other dice, the same damage."""
    players: dict[str, Any] = {
        seat: {"fighter": fighter, "pilot": "mentor", "place": place, "tokens": 0,
               "deck": 12, "hand": 0, "discard": 4, "damage": 4}
        for seat, fighter, place in (("A", "camel", "0,1 N"), ("B", "spad", "0,-1 N"))
    }  # fmt: skip
    position: dict[str, Any] = {"turn": 7, "phase": "engagement", "active": "A", "players": players}
    match: Match[Any] = Match.start(Setup("dogfight-1917", position=position), STAMP)
    match.answer(Offer("turn-7/1/action", "Basic Attack", "script", Seat("A")), STAMP)
    match.answer(Offer("turn-7/1/fire", [6, 1, 1], "script", Seat("A")), STAMP)
    match.amend(2, [5, 1, 1], "misread").commit(ANA)
    told = [row.text.strip() for row in rows_of(line(protocol_of(match), 2))]
    hit = "against Difficulty 5: 1 die on the Gunsight."
    assert [text.partition(" [")[0] for text in told[2:]] == [
        f"had been ruled, until line 3: Player A rolled 6, 1, 1 {hit}",
        f"ruled now: Player A rolled 5, 1, 1 {hit}",
        "» Player B takes 1 damage: 1 off the Deck, 11 left.",
    ]


def test_an_amend_that_is_taken_back_leaves_the_first_answer(tally: Tally) -> None:
    """The amend itself is marked, and rulings that are the same again are told once."""
    table = tally()
    round_of(table, 1, 0)
    table.match.amend(1, 3, "recounted").commit(ANA)
    table.match.undo(5, "no: one it was", stamp=ANA)
    protocol = protocol_of(table.match)
    assert not line(protocol, 5).in_effect
    assert line(protocol, 5).marks[0].text.startswith("Taken back by line 6 (Ana, 19:42:10): no")
    first = line(protocol, 1)
    assert (first.in_effect, first.now) == (True, "")
    assert first.marks[-1].text.startswith("It stands again as told before, by line 6")
    assert [said.text for said in line(protocol, 3).rulings] == ["The tally is 1."]


def test_an_answer_told_anew_counts_no_more_until_the_new_one_is_taken_back(tally: Tally) -> None:
    """In an open form the last word counts."""
    table = tally()
    table.say("round-1/a", 1)
    table.say("round-1/a", 2)
    assert line(protocol_of(table.match), 1).marks[0].text == "Told anew by line 2."
    table.match.undo(2, stamp=ANA)
    first = line(protocol_of(table.match), 1)
    assert (first.in_effect, first.marks[-1].text) == (True, "It counts again since line 3.")
    assert table.match.answered == {"round-1/a": 1}


def test_an_adjustment_says_what_was_and_what_is_now(tally: Tally) -> None:
    table = tally()
    round_of(table, 1, 0)
    table.match.adjust({"tally": 3}, "a token lay under the board", stamp=ANA)
    protocol = protocol_of(table.match)
    assert line(protocol, 5).told == "The record is corrected: Tally 3, was 1."


def test_notices_reports_and_their_solution_are_sentences(tally: Tally) -> None:
    table = tally()
    table.match.report({"what": "spill"}, ANA)
    table.match.report({"what": "solved", "code": "T-E1"}, ANA, "wiped")
    protocol = protocol_of(table.match)
    spill = line(protocol, 1)
    assert spill.told == "Reported: spill."
    assert spill.notice is not None
    assert spill.notice.text == "Something was spilled."
    assert spill.marks[0].text == "Solved by line 2 (Ana, 19:42:10): wiped."
    assert line(protocol, 2).told == "The notice T-E1 is solved."


@pytest.mark.parametrize(
    ("event", "who", "told"),
    [
        ({"event": "started", "rest_s": 20.0}, "", "The clock started with 20 s left."),
        (
            {"event": "paused", "rest_s": 12.4},
            "Ana",
            "The clock was paused by Ana with 12.4 s left.",
        ),
        (
            {"event": "given", "given_s": 5.0, "rest_s": 9.0},
            "",
            "5 s were given, so that 9 s are left.",
        ),
        (
            {"event": "resumed", "rest_s": 3, "silent": "pins are gone"},
            "",
            "The clock was started again with 3 s left. Nothing sounded: pins are gone",
        ),
        ({"event": "challenged", "by": "table"}, "", "A challenge is open, by the table."),
        ({"event": "decided", "by": "Paws"}, "", "The challenge by Paws is decided."),
        (
            {"event": "sounded", "late_s": 0.0004},
            "",
            "The end of the phase sounded, 0.4 ms late.",
        ),
    ],
)
def test_what_the_clock_did_is_a_sentence(event: dict[str, Any], who: str, told: str) -> None:
    assert clock_in_words(event, who) == told


def test_lines_after_one_that_no_longer_replays_are_as_they_were_written(tally: Tally) -> None:
    """Those before it keep their words and rulings."""
    table = tally()
    round_of(table, 1, 0)
    entries = [*table.match.entries, Entry(5, "answer", "round-9/a", 2), Entry(6, "undo", target=5)]
    protocol = read_protocol(entries, at_utc)
    assert protocol.drift is not None
    assert [said.text for said in line(protocol, 3).rulings] == ["The tally is 1."]
    assert [(line(protocol, seq).told, line(protocol, seq).in_effect) for seq in (5, 6)] == [
        ("2", False),
        ("", False),
    ]


@pytest.mark.slow
def test_a_long_match_with_many_corrections_is_read_at_once() -> None:
    """Reading costs little more than playing the log once more."""
    setup = Setup("jaws-and-paws", ("day",))
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(3)))
    answers = [entry for entry in match.entries if entry.kind == "answer"]
    for entry in Random(1).sample(answers, 20):
        try:
            match.amend(entry.seq, entry.answer, "looked again").commit(ANA)
        except CompanionError:
            continue
    began = time.process_time()
    Match[Any].replay(match.entries)
    played = time.process_time() - began
    began = time.process_time()
    protocol = protocol_of(match)
    assert time.process_time() - began < 4 * played + 0.2
    assert len(protocol.lines) == len(match.entries) - 1


# -- printed -----------------------------------------------------------------------------------


@pytest.fixture
def corrected(tmp_path: Path) -> str:
    """A record with a match in which the Sun was amended, and one answer was taken back."""
    place = str(tmp_path / "record.db")
    script = tmp_path / "script.txt"
    script.write_text(
        "Jaws\nJaws.GL\nplaced\nJaws: ready\n!undo # too soon\n!amend 2 Jaws.PR # so\n"
    )
    call = ["referee", "jaws-and-paws", "--script", str(script), "--record", place]
    assert run(call) == 0
    return place


def test_a_protocol_in_a_file_has_the_same_words(
    corrected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`show --out FILE`: what the console says, to a new file only."""
    capsys.readouterr()
    assert run(["show", "last", "--record", corrected]) == 0
    told = capsys.readouterr().out
    file = tmp_path / "protocol.txt"
    assert run(["show", "last", "--record", corrected, "--out", str(file)]) == 0
    console, paragraphs, _ = file.read_text().partition("\nWhat the rules say that are cited")
    assert console == told
    assert paragraphs
    assert "~ Taken back by line 5 (the table, " in told
    assert "): too soon." in told
    assert "had been ruled, until line 6: Jaws place the Sun on Jaws.GL. [JP-3.5]" in told
    assert "ruled now: Jaws place the Sun on Jaws.PR. [JP-3.5]" in told
    assert run(["show", "last", "--record", corrected, "--out", str(file)]) == 2
    assert "protocol.txt exists" in capsys.readouterr().err


def test_a_protocol_for_programs_is_an_object_a_line(
    corrected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """`show --json`: the match, its lines, its end."""
    capsys.readouterr()
    assert run(["show", "last", "--record", corrected, "--json"]) == 0
    said = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [next(iter(one)) for one in said] == ["match", *["line"] * 6, "end"]
    sun = said[2]["line"]
    assert (sun["told"], sun["amended_to"], sun["in_effect"]) == ("Jaws.GL", "Jaws.PR", True)
    assert [had["text"] for had in sun["had_been_ruled"]] == ["Jaws place the Sun on Jaws.GL."]
    assert said[-1]["end"]["open"][0]["key"] == "round-1/ready/jaws"
    assert said[-1]["end"]["troubles"] == []


def test_position_is_printed_alone(corrected: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", "last", "--record", corrected, "--position", "--json"]) == 2
    assert "--position prints a file as it is" in capsys.readouterr().err


def _played(setup: Setup, answers: list[Any]) -> Match[Any]:
    """A match in which each answer is given to whatever is asked first."""
    match: Match[Any] = Match.start(setup, STAMP)
    for raw in answers:
        key = next(key for key in match.open if key not in match.answered)
        match.answer(Offer(key, raw, "script", match.open[key].by), STAMP)
    return match


def json_of(told: ProtocolLine) -> dict[str, Any]:
    """A line as programs read it."""
    said: dict[str, Any] = json.loads(json.dumps(line_json(told)))
    return said


DISCARD = "Player B discards a card of the hand, of Player B's own choice."


@pytest.fixture
def beaten() -> Match[Any]:
    """A dogfight by RANGE whose loser discards three cards, each told by a ruling of its own."""
    set_up = ["A", 5, 5, 6, 4, 4, 4, 3, 3, 2, 5, 5, 5, *([0] * 6), 40, 10]
    fight = ["range", "Player card", "B", "nobody", "defend", "nobody", "nobody", 7, 9, 2, 1]
    setup = Setup("talespin-dogfight", options={"players": 3})
    return _played(setup, [*set_up, *fight, "concede", "nobody", "nobody"])


def test_of_equal_rulings_the_one_that_an_amend_strikes_is_told(beaten: Match[Any]) -> None:
    """Before it is put into effect, in the protocol for people, and in that for programs."""
    damage = next(step.seq for step in beaten.steps if step.key.endswith("attack-2/damage"))
    won = next(step.seq for step in beaten.steps if step.key.endswith("won-attacker/A/1/card"))
    revision = beaten.amend(damage, 1, "the card prints 1")
    takes, discards = revision.flips
    assert takes.old is not None
    assert takes.old.text.startswith("Player B takes 3 Damage")
    assert discards.old is not None
    assert (discards.old.text, discards.new) == (DISCARD, None)
    amended = revision.commit(ANA).seq
    told = line(protocol_of(beaten), won)
    rows = [row.text.strip().partition(" [")[0] for row in rows_of(told)]
    assert rows.count(f"had been ruled, until line {amended}: {DISCARD}") == 1
    assert rows.count(f"» {DISCARD}") == 1
    had_been_ruled = [one["text"] for one in json_of(told)["had_been_ruled"]]
    assert had_been_ruled[1:] == [DISCARD]


def test_of_equal_rulings_only_what_came_is_ruled_now(beaten: Match[Any]) -> None:
    """A point of Damage less and then more again: a card comes back, the other one had stayed."""
    damage = next(step.seq for step in beaten.steps if step.key.endswith("attack-2/damage"))
    won = next(step.seq for step in beaten.steps if step.key.endswith("won-attacker/A/1/card"))
    beaten.amend(damage, 1, "misread").commit(ANA)
    beaten.amend(damage, 2, "it was 2").commit(ANA)
    rows = [row.text.strip().partition(" [")[0] for row in rows_of(line(protocol_of(beaten), won))]
    assert rows.count(f"» {DISCARD}") == 2
    assert f"ruled now: {DISCARD}" not in rows


def test_a_ruling_that_stays_is_not_said_to_go_and_come() -> None:
    """An attack that no longer hits: what follows is ruled as before, though by another line."""
    people = {Seat("A"): "Ana", Seat("B"): "Ben", Seat("C"): "Cas"}
    setup = Setup("dogfight-hex", options={"players": 3}, seats=people)
    placed = ["2,0", "lot", 42, "A", "-5,1 E", "5,-1 W", "0,-5 SE", "laid", "laid", "laid"]
    shown = ["-1,1 E", "2,-1 W", "-1,-1 SE", "short", "shield anchor", "short", "-2,0", "0,1"]
    match = _played(setup, [*placed, *shown])
    moved = next(step.seq for step in match.steps if step.key.endswith("turn-1/move/A"))
    flips = match.amend(moved, "stay", "misread").flips
    gone = {flip.old.text for flip in flips if flip.old is not None}
    come = {flip.new.text for flip in flips if flip.new is not None}
    assert "Ana stays on -5,1 E." in come
    assert "Ana hits Cas: 1 hull point left." in gone
    for stays in ("Ben's shield waits for a hit.", "Ben has the starting-player token."):
        assert stays in {ruling.text for ruling in match.rulings}
        assert stays not in gone | come
