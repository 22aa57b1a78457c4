"""A dogfight at the terminal: short lines reach the question that they mean."""

from __future__ import annotations

from pathlib import Path

import pytest

import companion.games.talespin_dogfight as box
from companion.cli import run

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
