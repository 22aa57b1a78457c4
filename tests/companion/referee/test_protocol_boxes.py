"""A match of each box, refereed and corrected; its protocol read as an appeal reads it.

Bots of the hidden table give the answers; the words that matter are held, not the whole prose.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.match.match import Match
from companion.match.simulation import STAMP, bots_of, play_out
from ui.terminal.app import run
from ui.terminal.setting_up import WantedMatch, set_up

NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eve", "Finn")
ANSWERS = 40


@pytest.fixture(scope="module")
def protocols(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """Protocols that were read already, by box."""
    return {}


def seats_of(box: str) -> str:
    fours = {"jaws-and-paws": ("JP", "JG", "PP", "PG"), "dogfight-hex": ("A", "B", "C", "D")}
    letters = fours.get(box, ("A", "B"))
    return ",".join(f"{seat}={name}" for seat, name in zip(letters, NAMES, strict=False))


def script_of(box: str, seed: int = 3) -> list[tuple[str, Any]]:
    """So many answers of bots: the lines of a script, each with the answer of its log."""
    setup = set_up(WantedMatch(box, (), seats_of(box)))
    match = Match[Any].start(setup, STAMP)
    play_out(match, bots_of(setup, Random(seed)), ANSWERS)
    lines = (
        (
            "!clock end" if entry.answer == "zero" else f"{entry.key}: {json.dumps(entry.answer)}",
            entry,
        )
        for entry in match.entries
        if entry.kind == "answer"
    )
    return list(lines)


def read(box: str, place: Path, capsys: pytest.CaptureFixture[str], *verbs: str) -> list[str]:
    """Play it with these verbs at its end, and read its protocol."""
    script = place.with_name("script.txt")
    script.write_text("\n".join([line for line, _ in script_of(box)] + list(verbs)) + "\n")
    call = ["--seats", seats_of(box), "--arbiter", "Judy", "--record", str(place)]
    assert run(["referee", box, "--script", str(script), *call]) == 0, capsys.readouterr().out
    capsys.readouterr()
    assert run(["show", "last", "--record", str(place)]) == 0
    return capsys.readouterr().out.splitlines()


BOXES = (
    ("jaws-and-paws", '{"sun": "Jaws.GC"}', "Sun Jaws.GC, was "),
    ("dogfight-1917", '{"Ana.tokens": 5}', "Ana: tokens 5, was "),
    ("dogfight-hex", '{"first": "Ben"}', "Starting player Ben, was Ana"),
    ("starship-edition", '{"Ana.hull": 2}', "Ana: hull 2, was "),
    ("talespin-dogfight", '{"draw": 20}', "Draw pile 20, was "),
)


@pytest.mark.slow(gate=1)
@pytest.mark.parametrize(("box", "changes", "told"), BOXES)
def test_an_appeal_reads_who_corrected_what_and_what_had_been_ruled(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], box: str, changes: str, told: str
) -> None:
    """A challenge, an adjustment, an undo of twenty answers: each in words, with who and why."""
    answers = [entry.seq for _, entry in script_of(box)]
    verbs = (
        "challenge Ana # a hand was over the board",
        f"!adjust {changes} # counted again",
        "decided # recounted",
        f"!undo {answers[-20]} # told to the wrong seat",
    )
    lines = read(box, tmp_path / "record.db", capsys, *verbs)
    challenge = next(line for line in lines if "A challenge is open, by Ana" in line)
    assert "Reason: a hand was over the board" in challenge
    assert "(Judy" in challenge
    assert any(told in line and "Reason: counted again" in line for line in lines)
    undo = next(line for line in lines if "is taken back" in line)
    assert "Reason: told to the wrong seat  (Judy)" in undo
    taken_back = [line for line in lines if line.startswith("        ~ Taken back by line")]
    assert len(taken_back) >= 20
    assert all(
        "(Judy, " in line and line.endswith("told to the wrong seat.") for line in taken_back
    )
    assert any(line.startswith("        had been ruled, until line") for line in lines)
    assert lines[-1].startswith("open: ")


@pytest.mark.parametrize("box", [box for box, _, _ in BOXES])
def test_people_are_named_and_never_lettered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], box: str
) -> None:
    """Before the key in brackets no line has a seat's code for a person who has a name."""
    lines = read(box, tmp_path / "record.db", capsys)
    for line in lines[3:]:
        words = line.rpartition("  (")[0] if line.endswith(")") else line
        for title in ("Player A", "Player B", "[A]", "JP:", "PG:"):
            assert title not in words, line


def test_a_late_card_stands_in_the_protocol_with_its_ruling(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """JP-5.7: who reported it, and what was ruled of it, as sentences."""
    place, script = tmp_path / "record.db", tmp_path / "script.txt"
    script.write_text(
        "Jaws\nJaws.GL\nplaced\nJaws: ready\nPaws: ready\n!clock end\njaws/1: 1 0\npaws/3: 0 1\n"
        '!report {"what": "late card", "player": "Dan", "section": 3} # all saw it\nchecked\n'
    )
    call = ["--seats", seats_of("jaws-and-paws"), "--arbiter", "Judy", "--record", str(place)]
    assert run(["referee", "jaws-and-paws", "--script", str(script), *call]) == 0
    capsys.readouterr()
    assert run(["show", "last", "--record", str(place)]) == 0
    told = capsys.readouterr().out
    assert "Reported: Dan laid a card late, on section 3. Reason: all saw it  (Judy)" in told
    rows = [row.strip() for row in told.splitlines()]
    lock = next(at for at, row in enumerate(rows) if row.startswith("10 "))
    assert "Paws section 3" in rows[lock]
    assert rows[lock + 1] == "~ Corrected by line 11: pilot 0, gunner 0."
    assert (
        "! Paws section 3: a card of Paws Gunner Dan laid late returns to the hand, not played."
        in told
    )
    assert "JP-5.7, RULING 6; JP-E20]" in told
