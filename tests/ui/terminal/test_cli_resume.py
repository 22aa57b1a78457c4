"""`companion referee` as people use it: pipes, prose, and matches of the record gone on with."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

from companion.match.match import Match
from companion.match.rulebook import Setup
from companion.match.simulation import STAMP
from companion.record.record import Record
from tests.ui.terminal.conftest import OPENING
from ui.terminal.app import run


def test_a_pipe_is_a_script(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines on standard input, without a script named."""
    monkeypatch.setattr("sys.stdin", io.StringIO("Jaws\nJaws.GL\n"))
    assert run(["referee", "jaws-and-paws"]) == 0
    told = capsys.readouterr().out
    assert "» Jaws place the Sun on Jaws.GL.  [JP-3.5]" in told
    assert "\x1b" not in told


def test_people_read_rulings_refusals_and_the_outcome(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without --json: plain words with the rule behind each, no colour codes in a file."""
    script = tmp_path / "script.txt"
    script.write_text('Jaws\nPaws.PC\n!close {"winners": [], "text": "Rain."}\n')
    assert run(["referee", "jaws-and-paws", "--script", str(script)]) == 1
    told = capsys.readouterr().out
    assert "x refused" in told
    assert "[JP-3.5]" in told
    assert "= A draw. Rain." in told


def test_people_read_how_to_count_and_which_line_was_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At the lock: an example under each question, and the refused line with its number and aim."""
    script = tmp_path / "script.txt"
    script.write_text(OPENING + "!clock end\n1 0\nlooked\n")
    assert run(["referee", "jaws-and-paws", "--script", str(script)]) == 1
    told = capsys.readouterr().out
    assert "round-1/lock/paws/4  as 1 0: pilot, gunner" in told
    line = OPENING.count("\n") + 3
    assert f"x refused line {line}, 'looked' for round-1/lock/jaws/2: Name 2 counts, as 1 0" in told


def test_a_long_form_is_not_read_out_again_after_each_verb(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """People have nine questions before them; a verb that changes none of them says so."""
    script = tmp_path / "script.txt"
    script.write_text(OPENING + '!clock end\n!adjust {"sun": "Jaws.PL"} # knocked over\n')
    assert run(["referee", "jaws-and-paws", "--script", str(script)]) == 0
    told = capsys.readouterr().out
    assert told.count("round-1/lock/jaws/1") == 1
    assert "The same 9 questions are open; ? lists them." in told


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (["--resume", "last"], "no such record: "),
        (["jaws-and-paws", "--resume", "last"], "--resume goes on with a match as it was set up"),
        (["--resume", "last", "--option", "timer_s=9"], "it takes no box and no other option"),
        ([], "Missing argument BOX (as jaws-and-paws), or --resume MATCH."),
    ],
)
def test_a_resume_that_cannot_be_is_told_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], call: list[str], said: str
) -> None:
    (tmp_path / "script.txt").write_text("")
    script = ["--script", str(tmp_path / "script.txt"), "--record", str(tmp_path / "record.db")]
    assert run(["referee", *call, *script]) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert (told.err.count("\n"), told.out) == (1, "")


def test_a_match_that_does_not_replay_is_not_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The line that differs, who wrote it, and that it can be read; nothing is written."""
    place = tmp_path / "record.db"
    setup = Setup("jaws-and-paws", ("day",), app_version="0.0.7")
    with Record.open(place) as record:
        match = Match[Any].start(setup, STAMP)
        line = match.entries[0]._replace(seq=1, kind="answer", key="gone", answer="x")
        record.append(record.create(match.setup, STAMP), [line])
    (tmp_path / "script.txt").write_text("")
    script = ["--script", str(tmp_path / "script.txt"), "--record", str(place)]
    assert run(["referee", "--resume", "last", *script]) == 2
    told = capsys.readouterr().err
    assert "line 1: the record has answer gone" in told
    assert "Written by companion 0.0.7 with edition 2 of jaws-and-paws" in told
    assert "`companion show` reads it" in told
    with Record.open(place) as record:
        assert record.matches()[0].entries == 2


def part(tmp_path: Path, lines: str, *call: str) -> int:
    """Play a part of a match that is kept in the record of this test."""
    script = tmp_path / "part.txt"
    script.write_text(lines)
    record = str(tmp_path / "record.db")
    return run(["referee", *call, "--script", str(script), "--record", record])


def test_a_resume_names_the_challenge_that_is_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Else nobody knows why no round starts; the refusal says what to type, `show` says it too."""
    part(tmp_path, "Jaws\nsun: Jaws.GL\nplaced\nchallenge Paws\n", "jaws-and-paws")
    capsys.readouterr()
    assert part(tmp_path, "Jaws: ready\n", "--resume", "last") == 1
    told = capsys.readouterr().out
    assert told.index("A challenge by Paws is open: say `decided`") < told.index("? Jaws")
    assert "until the arbiter has decided it. Say `decided` when that is done." in told
    run(["show", "last", "--record", str(tmp_path / "record.db")])
    assert "A challenge by Paws is open; it is not decided yet.\nopen:" in capsys.readouterr().out
    assert part(tmp_path, "decided\nJaws: ready\n", "--resume", "last") == 0
    run(["show", "last", "--record", str(tmp_path / "record.db")])
    assert "is not decided yet" not in capsys.readouterr().out


def test_a_resume_in_a_half_told_form_asks_what_is_not_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was told stands with its answer; it is not put as a question again."""
    part(tmp_path, OPENING + "!clock end\n1 0\n", "jaws-and-paws")
    capsys.readouterr()
    part(tmp_path, "stands\n", "--resume", "last")
    told = capsys.readouterr().out.partition("\n  Round")[0]
    assert "1 of 9 told" in told
    assert "round-1/lock/jaws/2" in told
    assert "round-1/lock/jaws/1" not in told


def test_a_byte_order_mark_before_a_script_is_no_part_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some editors put one there; the first line is read like any other, in a file and a pipe."""
    script = tmp_path / "script.txt"
    script.write_text("Jaws\nJaws.GL\n", encoding="utf-8-sig")
    assert run(["referee", "jaws-and-paws", "--script", str(script)]) == 0
    with script.open(encoding="utf-8") as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        assert run(["referee", "jaws-and-paws"]) == 0
    assert capsys.readouterr().out.count("» Jaws place the Sun on Jaws.GL.") == 2


def test_a_refusal_repeats_the_beginning_of_a_long_line_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file piped in by mistake is not printed back; nor does a number turn into a word."""
    lines = ("J" * 90_000, "!" + "u" * 90_000, "P" * 90_000 + ": 1", "[" + "1, " * 90_000 + "1]")
    script = tmp_path / "pipe.txt"
    script.write_text("".join(f"{line}\n" for line in (*lines, "[1e400]", "!by Ann\u200ba")))
    with script.open() as pipe, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", pipe)
        assert run(["referee", "jaws-and-paws"]) == 1
    told = capsys.readouterr().out
    refused = [line for line in told.splitlines() if line.startswith("x refused")]
    assert len(refused) == 6
    assert all(len(line) < 600 for line in refused), max(refused, key=len)
    assert "'1e400' is too large a number" in refused[4]
    assert "an invisible character" in refused[5]


def test_the_table_that_is_not_asked_begins_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refusal is a sentence, whoever it is about."""
    part(tmp_path, "Jaws\ntable: 3\n", "jaws-and-paws")
    assert ": The table is not asked now; " in capsys.readouterr().out
