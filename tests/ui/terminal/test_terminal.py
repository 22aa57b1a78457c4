"""The terminal as people use it: typed lines on a pseudo-terminal, a real clock, a kept record."""

from __future__ import annotations

import os
import pty
import re
import resource
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.record.record import Record
from tests.patience import PATIENCE_S

TOP = Path(__file__).parents[3]


class Terminal:
    """A companion on a pseudo-terminal: type lines, wait for what it says."""

    def __init__(self, *call: str, record: Path) -> None:
        try:
            self._ours, theirs = pty.openpty()
        except OSError as none:
            pytest.skip(f"this machine lends no pseudo-terminal: {none}")
        environ = {**os.environ, "COMPANION_RECORD": str(record), "COLUMNS": "200"}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion", *call],
            cwd=TOP,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environ,
        )
        os.close(theirs)
        self.text = ""
        self._read_to = 0

    def type(self, line: str) -> None:
        os.write(self._ours, f"{line}\n".encode("utf-8", "surrogateescape"))

    def wait_for(self, said: str) -> str:
        """What was said since the last wait, down to the words waited for."""
        until = time.monotonic() + PATIENCE_S
        while said not in self.text[self._read_to :]:
            assert time.monotonic() < until, f"{said!r} never came:\n{self.text}"
            self._read()
        end = self.text.index(said, self._read_to) + len(said)
        heard, self._read_to = self.text[self._read_to : end], end
        return heard

    def _read(self) -> None:
        ready, _, _ = select.select([self._ours], [], [], 0.1)
        try:
            raw = os.read(self._ours, 65536) if ready else b""
        except OSError:  # the other end is closed
            raw = b""
            time.sleep(0.01)
        self.text += re.sub(r"\x1b\[[0-9;]*m", "", raw.decode("utf-8", "replace"))

    def end(self) -> int:
        """Wait for its end; the exit status."""
        status = self.process.wait(PATIENCE_S)
        os.close(self._ours)
        return status


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    """Those started by a test; none of them outlives it."""
    started: list[Terminal] = []
    yield started
    for terminal in started:
        terminal.process.kill()
        terminal.process.wait()


def test_people_type_a_match_while_the_clock_runs(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """Answers, help, a refusal, the phase's own end at zero; what was confirmed is on disk."""
    place = tmp_path / "record.db"
    terminal = Terminal("referee", "jaws-and-paws", "--option", "timer_s=2", record=place)
    terminals.append(terminal)
    terminal.wait_for("? helps")
    terminal.type("Jaws")
    terminal.wait_for("Jaws: place the Sun")
    terminal.type("Paws.PC")
    terminal.wait_for("x refused")
    terminal.type("?")
    terminal.wait_for("Jaws.PL | Jaws.PC")
    terminal.type("!dance")
    terminal.wait_for("!dance is no verb")
    terminal.type("Jaws.GL")
    terminal.type("placed")
    terminal.type("Jaws: ready")
    began = time.monotonic()
    terminal.type("Paws: ready")
    terminal.wait_for(" s: lay your cards")
    terminal.wait_for("0 s: cards stay where they are")
    assert time.monotonic() - began >= 2.0
    terminal.wait_for("round-1/lock/jaws/1")
    terminal.type("log")
    terminal.wait_for("— Zero")
    terminal.type("quit")
    assert terminal.end() == 0
    with Record.open(place) as record:
        entries = record.load(record.find("last")).entries
    assert [entry.source for entry in entries if entry.kind == "answer"] == [
        *["terminal"] * 5,
        "clock",
    ]
    assert record.read_only is None


@pytest.mark.slow
def test_the_arbiter_is_asked_once_and_an_amend_before_it_counts(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """A name before the first verb; yes or no after the change was shown; `log` has it in words."""
    place = tmp_path / "record.db"
    terminal = Terminal("referee", "jaws-and-paws", record=place)
    terminals.append(terminal)
    terminal.wait_for("? helps")
    for line in ("Jaws", "Jaws.GL"):
        terminal.type(line)
    terminal.wait_for("Is everything in place")
    terminal.type("!amend 2 Jaws.PR # it stood there")
    terminal.wait_for("Who is the arbiter? (Enter: table)")
    terminal.type("!undo")
    terminal.wait_for("Who is the arbiter? (Enter: table)")
    terminal.type("Judy")
    heard = terminal.wait_for("Put this into effect? (yes/no)")
    assert "was ruled: Jaws place the Sun on Jaws.GL." in heard
    terminal.type("no")
    terminal.wait_for("Line 2 stays as it is.")
    terminal.type("!amend 2 Jaws.PR # it stood there")
    heard = terminal.wait_for("Put this into effect? (yes/no)")
    assert "Who is the arbiter" not in heard
    terminal.type("perhaps")
    terminal.wait_for("Put this into effect? (yes/no)")
    terminal.type("yes")
    terminal.wait_for("Hands: Put the table right: Sun to Jaws.PR.")
    terminal.type("log 2")
    heard = terminal.wait_for("Reason: it stood there  (Judy)")
    assert "Amended to “Jaws.PR” by line 3 (Judy, " in heard
    assert "ruled now: Jaws place the Sun on Jaws.PR." in heard
    terminal.type("quit")
    assert terminal.end() == 0
    with Record.open(place) as record:
        amend = record.load(record.find("last")).entries[-1]
    assert (amend.kind, amend.author, amend.reason) == ("amend", "Judy", "it stood there")


def begun_jaws(terminals: list[Terminal], place: Path, *lines: str) -> Terminal:
    """Jaws & Paws at a terminal, after these answers."""
    terminal = Terminal(
        "referee", "jaws-and-paws", "--seats", "JP=Ana,JG=Bo,PP=Cleo,PG=Dan", record=place
    )
    terminals.append(terminal)
    terminal.wait_for("? helps")
    for line in lines:
        terminal.type(line)
    return terminal


@pytest.mark.slow
def test_an_answer_or_a_word_of_the_desk_is_no_arbiter(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """Only a name is taken for one, and said back; what only looks is shown meanwhile."""
    place = tmp_path / "record.db"
    terminal = begun_jaws(terminals, place, "Jaws")
    terminal.wait_for("place the Sun")
    terminal.type("!undo")
    terminal.wait_for("Who is the arbiter? (Enter: table)")
    for answer in ("yes", "No", "Jaws.GL", "set-up/sun: Jaws.GL", "-1,-1 NE", "7", "checked", "OK"):
        terminal.type(answer)
        heard = terminal.wait_for("That is an answer; who is the arbiter? (Enter: table)")
        assert "is taken back" not in heard, answer
    for word, told in (
        ("help", "leave the match open"),
        ("stands", "Asked: "),
        ("rule JP-1.5", "JP-1.5"),
        ("log", "— Jaws"),
        ("!clock pause", "No timed phase is open"),
        ("!adjust", ""),
        ("x" * 30, "A name has at most 24 letters."),
    ):
        terminal.type(word)
        terminal.wait_for(told)
        heard = terminal.wait_for("ho is the arbiter? (Enter: table)")
        assert "from now on" not in heard, word
    terminal.type("Cleo")
    terminal.wait_for("Cleo is the arbiter from now on.")
    terminal.wait_for("Line 1 is taken back. It said: ")
    for answer in ("yes", "No", "7", "checked"):
        terminal.type(f"!by {answer}")
        heard = terminal.wait_for("is an answer, no name; !by NAME says who the arbiter is: add a")
        assert "from now on" not in heard, answer
    terminal.type("!by Eva")
    terminal.wait_for("Eva is the arbiter from now on.")
    terminal.type("quit")
    assert terminal.end() == 0
    with Record.open(place) as record:
        assert record.load(record.find("last")).entries[-1].author == "Cleo"


@pytest.mark.slow
def test_people_see_what_an_undo_takes_with_it_before_it_counts(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """Question and answer of each line, then yes or no; a single line goes at once."""
    place = tmp_path / "record.db"
    terminal = begun_jaws(terminals, place, "Jaws", "Jaws.GL", "placed", "!by Eva")
    terminal.wait_for("Eva is the arbiter")
    terminal.type("!undo set-up/sun")
    heard = terminal.wait_for("Take them back? (yes/no)")
    assert "1 later line would be taken back with line 2:" in heard
    assert re.search(r"Line 2: [^\n]*Sun[^\n]* — Jaws\.GL", heard)
    assert re.search(r"Line 3: Is everything in place[^\n]* — ", heard)
    terminal.type("no")
    terminal.wait_for("Nothing is taken back.")
    terminal.type("!undo set-up/sun")
    terminal.wait_for("Take them back? (yes/no)")
    terminal.type("stands")
    terminal.wait_for("Asked: ")
    terminal.wait_for("Take them back? (yes/no)")
    terminal.type("yes")
    terminal.wait_for("Line 2 is taken back, and with it 1 later line. It said: ")
    terminal.wait_for("place the Sun")
    terminal.type("!undo")
    assert "Take them back" not in terminal.wait_for("Line 1 is taken back. It said: ")
    terminal.type("quit")
    assert terminal.end() == 0
    with Record.open(place) as record:
        entries = record.load(record.find("last")).entries
    assert [entry.target for entry in entries if entry.kind == "undo"] == [2, 1]


@pytest.mark.slow
def test_what_is_refused_whoever_asks_for_it_asks_for_no_name(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """Nothing to decide, a report of nothing, a line that is none: judged first."""
    terminal = begun_jaws(terminals, tmp_path / "record.db", "Jaws")
    terminal.wait_for("place the Sun")
    for line in (
        "decided",
        '!report {"what": "dance"}',
        "!undo 99",
        "!amend 99 Paws",
        "!amend 1 Bears",
        '!adjust {"nobody": 3}',
        "!clock pause",
        '!close {"winners": "Jaws"}',
    ):
        terminal.type(line)
        assert "arbiter" not in terminal.wait_for("x refused"), line
    terminal.type("challenge")
    terminal.wait_for("Who is the arbiter?")
    terminal.type("quit")
    assert terminal.end() == 0
    assert "arbiter" not in terminal.text.partition("Who is the arbiter?")[0]


@pytest.mark.slow
def test_people_look_things_up_before_they_say_yes_to_an_odd_answer(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """The note says what the rules say; `rule`, `stands` and `?` work, and it is asked again."""
    lock = ("!by Eva", "!clock end", "1 0", *("0 0",) * 7, "checked", "0", "0", "0", "0", "drawn")
    ready = ("Jaws", "Jaws.GL", "placed", "Jaws: ready", "Paws: ready")
    terminal = begun_jaws(terminals, tmp_path / "record.db", *ready, *lock)
    terminal.wait_for("round-1/section-1/reveal/jaws")
    terminal.type("SH GC")
    heard = terminal.wait_for("Is that the answer all the same? (yes/no)")
    assert "no rule forbids such a card" in heard
    assert "accepted" not in heard
    for word, told in (("rule JP-1.5", "JP-1.5  "), ("stands", "Asked: "), ("?", "As in:")):
        terminal.type(word)
        terminal.wait_for(told)
        terminal.wait_for("Is that the answer all the same? (yes/no)")
    terminal.type("yes")
    terminal.wait_for("Shoot GC misses")
    terminal.type("quit")
    assert terminal.end() == 0


@pytest.mark.slow
def test_the_end_of_typing_leaves_the_match_open(tmp_path: Path, terminals: list[Terminal]) -> None:
    """Ctrl-D puts the match away; it stands in the record as it was left."""
    place = tmp_path / "record.db"
    terminal = Terminal("referee", "jaws-and-paws", record=place)
    terminals.append(terminal)
    terminal.wait_for("? helps")
    terminal.type("Jaws")
    terminal.wait_for("place the Sun")
    os.write(terminal._ours, b"\x04")
    assert terminal.end() == 0
    with Record.open(place) as record:
        assert record.matches()[0].entries == 2


@pytest.mark.slow
def test_a_torn_letter_is_refused_and_typing_goes_on(
    tmp_path: Path, terminals: list[Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half an é is left when its other half is rubbed out; most desktops read strictly."""
    monkeypatch.setenv("PYTHONIOENCODING", "utf-8:strict")
    terminal = Terminal("referee", "jaws-and-paws", record=tmp_path / "record.db")
    terminals.append(terminal)
    terminal.wait_for("wins the toss?")
    terminal.type("\udcc3")
    assert r"\xc3" in terminal.wait_for("is none of Jaws, Paws")
    terminal.type("Paws")
    terminal.wait_for("set-up/sun")
    terminal.type("quit")
    assert terminal.end() == 0


def test_a_killed_terminal_has_lost_no_confirmed_line(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """What was asked next is only asked once the answer is on disk."""
    place = tmp_path / "record.db"
    terminal = Terminal("referee", "jaws-and-paws", record=place)
    terminals.append(terminal)
    terminal.wait_for("? helps")
    terminal.type("Jaws")
    terminal.type("Jaws.GL")
    terminal.wait_for("set-up/placed")
    terminal.process.kill()
    terminal.process.wait()
    with Record.open(place) as record:
        assert [entry.answer for entry in record.load(record.find("last")).entries[1:]] == [
            "Jaws",
            "Jaws.GL",
        ]


@pytest.mark.slow
def test_a_match_left_in_its_phase_goes_on_with_the_clock_standing(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """`quit` says how to go on; `--resume` asks the same, the rest kept until `!clock resume`."""
    place = tmp_path / "record.db"
    terminals.append(Terminal("referee", "jaws-and-paws", record=place))
    first = terminals[0]
    for line in ("Jaws", "Jaws.GL", "placed", "Jaws: ready", "Paws: ready"):
        first.type(line)
    first.wait_for("20 s: lay your cards")
    first.type("quit")
    first.wait_for("companion referee --resume ")
    assert first.end() == 0
    terminals.append(Terminal("referee", "--resume", "last", record=place))
    again = terminals[1]
    heard = again.wait_for("the clock stands; !clock resume starts it")
    assert "place the Sun" not in heard
    again.type("!clock resume")
    again.wait_for("Who is the arbiter?")
    again.type("")
    again.type("!clock end")
    again.wait_for("round-1/lock/jaws/1")
    again.type("help")
    again.wait_for("!undo [LINE|KEY]")
    again.type("quit")
    assert again.end() == 0
    with Record.open(place) as record:
        entries = record.load(record.find("last")).entries
    clock = [entry.answer for entry in entries if entry.kind == "clock"]
    events = [event["event"] for event in clock if isinstance(event, dict)]
    assert events[:3] == ["started", "paused", "resumed"]


@pytest.mark.slow
def test_people_read_of_a_demonstration_in_words(tmp_path: Path, terminals: list[Terminal]) -> None:
    """A sentence at its end; the JSON line is for programs."""
    call = ("demo", "--terminal", "--rounds", "1", "--pace", "0")
    terminals.append(Terminal(*call, record=tmp_path / "record.db"))
    terminals[0].wait_for("1 round played; the camera settled ")
    terminals[0].wait_for("never wrong; ")
    assert terminals[0].end() == 0
    assert "sightings_right" not in terminals[0].text


@pytest.mark.slow
def test_leaving_with_lines_that_the_disk_did_not_take_says_so(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """The disk fills during play: how many lines are lost is told, and the call fails."""
    place = tmp_path / "record.db"
    terminal = Terminal("referee", "jaws-and-paws", record=place)
    terminals.append(terminal)
    terminal.wait_for("? helps")
    resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    terminal.type("Jaws")
    terminal.wait_for("not confirmed")
    terminal.type("quit")
    terminal.wait_for("1 line is not in the record: ")
    told = terminal.wait_for("or the app.")
    assert "The match stays open" not in told
    assert terminal.end() == 1


@pytest.mark.slow
def test_a_second_program_ends_the_first_ones_match(
    tmp_path: Path, terminals: list[Terminal]
) -> None:
    """Who did not see the other's lines rules no more; the match goes on where it is written."""
    place = tmp_path / "record.db"
    first = Terminal("referee", "jaws-and-paws", record=place)
    terminals.append(first)
    first.wait_for("? helps")
    second = Terminal("referee", "--resume", "last", record=place)
    terminals.append(second)
    second.wait_for("? helps")
    second.type("Jaws")
    second.wait_for("place the Sun")
    first.type("Paws")
    assert "place the Sun" not in first.wait_for("was written by another program")
    first.wait_for("1 line is not in the record.")
    first.wait_for("To go on: companion referee --resume")
    assert first.end() == 1
    second.type("quit")
    second.wait_for("stays open")
    assert second.end() == 0
