"""What the terminal says and writes down: whose answer it is, what was passed over, how it is read.

Scripts are played as people type them; what they read is held against whole sentences.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.cli import run
from companion.match import Match
from companion.rulebook import Setup
from companion.simulation import STAMP, bots_of, play_out

HEX_PEOPLE = "A=Ana,B=Ben,C=Cas,D=Dee"
PEOPLE_1917 = "A=Ana,B=Ben"
Play = Callable[..., str]


def bots_script(box: str, seed: int, before: str = "") -> str:
    """The answers of a match that bots play, down to the question with that key (empty: all)."""
    setup = Setup(box, ("base",) if box == "dogfight-1917" else ())
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)))
    told: list[str] = []
    for entry in match.entries[1:]:
        if entry.key == before:
            break
        if entry.kind == "answer":
            said = (
                "!clock end"
                if entry.answer == "zero"
                else f"{entry.key}: {json.dumps(entry.answer)}"
            )
            told.append(said)
    return "\n".join(told) + "\n"


@pytest.fixture
def play(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Play:
    """Types a script at a terminal, kept in a record of its own: what people read of it."""
    monkeypatch.setenv("COLUMNS", "400")

    def typed(script: str, box: str, *more: str) -> str:
        file = tmp_path / "script.txt"
        file.write_text(script)
        record = str(tmp_path / "record.db")
        run(["referee", box, "--script", str(file), "--record", record, *more])
        return capsys.readouterr().out

    return typed


@pytest.fixture
def show(tmp_path: Path, capsys: pytest.CaptureFixture[str], play: Play) -> Callable[..., str]:
    """The protocol of the match that was played last."""
    assert play

    def shown(*more: str) -> str:
        run(["show", "last", "--record", str(tmp_path / "record.db"), *more])
        return capsys.readouterr().out

    return shown


Show = Callable[..., str]


def lines_of(text: str) -> list[dict[str, Any]]:
    """The lines of a protocol as JSON."""
    said = [json.loads(line) for line in text.splitlines()]
    return [line["line"] for line in said if "line" in line]


def test_an_answer_behind_an_optional_question_has_its_author_and_says_what_was_passed(
    play: Play, show: Show
) -> None:
    """Nobody rolls again; Ben's Evade is Ben's, and the silence before it is told."""
    script = bots_script("dogfight-1917", 3, "turn-1/4/fire/again-1")
    said = play(script + "evade: pass\n", "dogfight-1917", "--seats", PEOPLE_1917)
    assert "Nobody took “Ana: Basic Attack at Ben: rolled 6, 1, 1, 5" in said
    assert "”; it is passed. !undo" in said
    silence, evade = lines_of(show("--json"))[-2:]
    assert (evade["key"], evade["by"], evade["who"]) == ("turn-1/4/evade", "B", "Ben")
    assert (silence["by"], silence["who"]) == ("A", "Ana")


JAWS_PEOPLE = "JP=Ana,JG=Bo,PP=Cleo,PG=Dan"
OPENING = "Jaws\nJaws.GL\nplaced\nJaws: ready\nPaws: ready\n"
"""Jaws & Paws up to the first Action Phase."""


def authors_of(lines: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    """Of each line of the clock and of the arbiter: what it tells, its code, its name."""
    kinds = ("clock", "undo", "adjust")
    return [(line["told"], line["by"], line["who"]) for line in lines if line["kind"] in kinds]


def test_each_kind_of_line_has_its_author_in_text_in_a_file_and_as_json(
    play: Play, show: Show, tmp_path: Path
) -> None:
    """Cleo's challenge is hers; what Judy does is the arbiter's; the clock starts by itself."""
    script = (
        "challenge Cleo\ndecided\n" + OPENING + "!clock pause\nchallenge\ndecided\n"
        "!by Judy\nchallenge Cleo\ndecided # looked it up\n!clock end\n!undo\n"
    )
    play(script, "jaws-and-paws", "--seats", JAWS_PEOPLE)
    lines = authors_of(lines_of(show("--json")))
    assert lines[0] == ("A challenge is open, by Cleo.", "PP", "Cleo")
    assert lines[1] == ("The challenge by Cleo is decided.", "table", "the table")
    assert [(by, who) for told, by, who in lines if told.startswith("The clock started")] == [
        ("clock", "the clock")
    ]
    assert [(by, who) for told, by, who in lines if "paused with" in told] == [
        ("table", "the table")
    ]
    judys = [(by, who) for _, by, who in lines if who == "Judy"]
    assert judys == [("arbiter", "Judy")] * len(judys)
    assert len(judys) >= 4
    told = show()
    assert "A challenge is open, by Cleo.  (Cleo)" in told
    assert "The challenge by Cleo is decided by Judy. Reason: looked it up  (Judy, " in told
    assert "()" not in told
    file = tmp_path / "protocol.txt"
    show("--out", str(file))
    assert file.read_text() == told
