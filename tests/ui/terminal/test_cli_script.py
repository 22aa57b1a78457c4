"""The lines of a script: answers, the arbiter's verbs, reasons; what is no line is named."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import BadFile
from companion.games import RULEBOOKS, find_rulebook
from companion.match.rulebook import Setup
from companion.referee.script import ScriptLine, Verb, read_line, read_script
from ui.terminal.app import run


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("Jaws", ScriptLine(Verb.ANSWER, "Jaws")),
        ("  SH PL  ", ScriptLine(Verb.ANSWER, "SH PL")),
        ("Paws.GR", ScriptLine(Verb.ANSWER, "Paws.GR")),
        ("3", ScriptLine(Verb.ANSWER, "3")),
        ("JP: 2", ScriptLine(Verb.ANSWER, "2", "JP")),
        ("Jaws Pilot:2", ScriptLine(Verb.ANSWER, "2", "Jaws Pilot")),
        ("round-1/lock/jaws/1: 1 0", ScriptLine(Verb.ANSWER, "1 0", "round-1/lock/jaws/1")),
        ('{"pilot": 1}', ScriptLine(Verb.ANSWER, {"pilot": 1})),
        (
            'jaws/1: {"pilot": 1} # seen',
            ScriptLine(Verb.ANSWER, {"pilot": 1}, "jaws/1", reason="seen"),
        ),
        ("[1, 0]", ScriptLine(Verb.ANSWER, [1, 0])),
        ('"MPL own"', ScriptLine(Verb.ANSWER, "MPL own")),
        ("MPL own # so: it lies", ScriptLine(Verb.ANSWER, "MPL own", reason="so: it lies")),
        ("!undo", ScriptLine(Verb.UNDO)),
        ("!undo 12 # wrong card", ScriptLine(Verb.UNDO, seq=12, reason="wrong card")),
        ("!UNDO # all of it", ScriptLine(Verb.UNDO, reason="all of it")),
        ("!amend 12 MPL enemy # seen", ScriptLine(Verb.AMEND, "MPL enemy", seq=12, reason="seen")),
        ("!amend 12 [1, 0]", ScriptLine(Verb.AMEND, [1, 0], seq=12)),
        ('!adjust {"sun": "#"} # moved', ScriptLine(Verb.ADJUST, {"sun": "#"}, reason="moved")),
        ("!clock pause", ScriptLine(Verb.CLOCK, "pause")),
        ("!clock give 5.5 # rules asked", ScriptLine(Verb.CLOCK, 5.5, reason="rules asked")),
        ("!clock give -3", ScriptLine(Verb.CLOCK, -3.0)),
        ("!clock set 12.5", ScriptLine(Verb.CLOCK, {"set": 12.5})),
        ('!report {"what": "x"}', ScriptLine(Verb.REPORT, {"what": "x"})),
        ("!restart my file.toml # power", ScriptLine(Verb.RESTART, "my file.toml", reason="power")),
        ('!close {"winners": []}', ScriptLine(Verb.CLOSE, {"winners": []})),
    ],
)
def test_a_line_is_read(text: str, line: ScriptLine) -> None:
    """`[SEAT|KEY:] ANSWER`, or a verb, each with `# reason`."""
    assert read_line(text) == line


@pytest.mark.parametrize("text", ["", "   ", "# a remark", "  # another: one"])
def test_remarks_and_blanks_are_no_lines(text: str) -> None:
    assert read_line(text) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("!dance", "!dance is no verb; there are !undo, !amend, !adjust"),
        ("!undo last", "!undo takes the number of a line, or a question's key, not 'last'"),
        ("!undo -3", "!undo takes the number"),
        (
            "!undo " + "9" * 5000,
            "!undo takes the number of a line, or a question's key, not '99999",
        ),
        ("!amend " + "9" * 5000 + " A", "!amend takes the number of a line and its new answer"),
        ("!clock give " + "9" * 400, "!clock takes pause"),
        ("!clock set " + "9" * 400, "!clock takes pause"),
        ("!amend", "!amend takes the number of a line and its new answer"),
        ("!amend 3", "!amend takes the number of a line and its new answer"),
        ("!amend MPL", "!amend takes the number"),
        ("!adjust sun", "!adjust takes a JSON object"),
        ("!adjust [1]", "!adjust takes a JSON object"),
        ('!adjust {"sun": }', "begins as JSON and is none"),
        ('{"a": NaN}', "NaN is no number"),
        ('{"a": 1} and more', "nothing but # and a reason follows JSON"),
        ("[" * 100_000, "begins as JSON and is none"),
        ("!clock", "!clock takes pause, resume, end, give S or set S"),
        ("!clock give", "!clock takes pause"),
        ("!clock stop", "!clock takes pause"),
        ("!clock set -3", "!clock takes pause"),
        ("!report", "!report takes a JSON object"),
        ("!restart", "!restart takes a position file"),
        ("!close Jaws", "!close takes a JSON object"),
        (": MPL own", "a seat or key stands before the colon"),
        ("JP:", "an answer is missing"),
        ("JP: # nothing", "an answer is missing"),
    ],
)
def test_what_is_no_line_says_why(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=r"[a-z]") as raised:
        read_line(text)
    assert said in str(raised.value)


def test_a_bad_script_is_named_by_file_and_line() -> None:
    """Before anything is played, with the number that an editor shows."""
    with pytest.raises(BadFile, match=r"match\.txt: line 3: !dance is no verb"):
        list(read_script("Jaws\n\n!dance\n", "match.txt"))


@given(text=st.text())
def test_any_text_is_a_line_or_says_why_not(text: str) -> None:
    """Whatever is typed, nothing else is ever raised."""
    try:
        read_line(text)
    except ValueError as wrong:
        assert str(wrong)  # noqa: PT017 - a refusal is as good as a line here


@pytest.mark.parametrize(
    ("box", "verb"), list(zip(RULEBOOKS, itertools.cycle(("adjust", "report", "close"))))
)
def test_an_example_is_shown_in_the_words_of_the_box(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], box: str, verb: str
) -> None:
    """Whatever else a verb is given is answered with what the box's own rulebook shows."""
    example = find_rulebook(box)(Setup(box)).examples()[verb]
    script = tmp_path / "script.txt"
    script.write_text(f"!{verb} everything\n")
    assert run(["referee", box, "--script", str(script)]) == 2
    told = capsys.readouterr().err
    assert f"line 1: !{verb} takes a JSON object, as in !{verb} " in told
    assert json.loads(told.partition(f"as in !{verb} ")[2]) == example


def test_who_closes_a_form_is_told_in_words_as_everybody_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The question has no options any more once its form is closed."""
    script = tmp_path / "script.txt"
    counted = ("1 0", "0 0", "0 0", "0 0") * 2
    told = ("Jaws", "Jaws.PL", "placed", "ready", "ready", "!clock end", *counted, "checked")
    script.write_text("\n".join((*told, "0", "0", "0", "0", "drawn", "Shoot PC", "Shoot PL", "")))
    assert run(["referee", "jaws-and-paws", "--script", str(script)]) == 0
    out = capsys.readouterr().out
    assert "+ Jaws: Shoot PC - 1 of 2 told" in out
    assert "+ Paws: Shoot PL - 2 of 2 told" in out
