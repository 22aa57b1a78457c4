"""A dogfight at the terminal: short lines reach the question that they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

import companion.games.talespin_dogfight as box
from ui.terminal.app import run

EXAMPLE = Path(box.__file__).parent / "positions/announce.toml"


def refereed(folder: Path, position: Path, *lines: str, **house: object) -> int:
    """The status of a script that goes on from a position."""
    script = folder / "script.txt"
    script.write_text("\n".join(lines))
    options = [f"--option={name}={value}" for name, value in house.items()]
    return run(["referee", "talespin-dogfight", "--position", str(position), "--script",
                str(script), *options])  # fmt: skip


def test_the_end_of_a_key_passes_the_windows_before_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """RULING 1: `decides: defend` closes both windows, `maneuver: 9` five questions and more."""
    lines = ("Pilot card", "decides: defend", "answer-1/maneuver: 9")
    assert refereed(tmp_path, EXAMPLE, *lines) == 0
    said = capsys.readouterr().out
    assert "Player A draws 3 cards." in said
    assert "Player B meets it with a 9." in said


def test_no_end_of_a_key_passes_what_has_to_be_answered(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beyond a question that silence does not answer nothing is reached; nothing is changed."""
    assert refereed(tmp_path, EXAMPLE, "Pilot card", "answer-1/maneuver: 9") == 1
    assert refereed(tmp_path, EXAMPLE, "Pilot card", "decide: defend") == 1
    assert "'decide' is not asked now" in capsys.readouterr().out


def test_under_ask_the_windows_are_not_passed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`windows` ask: the line is refused, and says who is asked."""
    assert refereed(tmp_path, EXAMPLE, "Pilot card", "decides: defend", windows="ask") == 1
    assert "'decides' is not asked now; Player A is: " in capsys.readouterr().out


def test_what_stands_and_what_is_offered_are_said_in_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No code of a step or a location, no title or value twice."""
    lines = ("stands", "Pilot card", "pass", "stands", "pass", "defend", "nobody", "nobody",
             "Maneuver 7", "stands", "!undo", "Strafe")  # fmt: skip
    assert refereed(tmp_path, EXAMPLE, *lines) == 0
    said = capsys.readouterr().out
    assert "Dogfight 1, start of a dogfight." in said
    assert "Dogfight 1, cards of the defender on being attacked." in said
    assert "Dogfight 1, maneuver 2 of the attacker." in said
    assert "Plane A on location 3, Plane B on location 5." in said
    assert "location-" not in said
    assert "meets it with Maneuver 7 (assumed figure)." in said
    assert "meets it with Strafe (8) (assumed figure)." in said
    assert "| Maneuver 7 | " in said
    assert "| Strafe (8) | " in said
    assert "pilot (A Pilot card that is not listed)" in said


def test_cargo_is_asked_for_as_cards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """How many cards of packed cargo lie there, not how many cargo."""
    script = tmp_path / "script.txt"
    script.write_text("A\n5\n5\n4\n4\n3\n3\n5\n5\n")
    run(["referee", "talespin-dogfight", "--seats", "A=Ana,B=Ben", "--script", str(script)])
    assert "Ana: how many cards of packed cargo, face down?" in capsys.readouterr().out


def test_a_late_card_no_longer_stands_when_the_match_has_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before the end it holds its place in `stands`; afterwards no card is taken back."""
    late = '!report {"what": "card", "player": "A", "window": "start_own"}'
    lines = ("Pilot card", "nobody", "decline", late, "stands", "nobody")
    assert refereed(tmp_path, EXAMPLE, *lines) == 0
    notice = "Player A's window on starting a dogfight is closed"
    assert notice in capsys.readouterr().out.partition("Dogfight 1,")[2]
    ends = ("nothing", "hand", "hand", "hand", "nobody", "stands")
    refereed(tmp_path, EXAMPLE, *lines, *ends)
    last = capsys.readouterr().out.rpartition("Dogfight 1, over.")[2]
    assert "The match has ended" in last
    assert notice not in last
