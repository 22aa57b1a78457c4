"""Whole matches by fingers on the app's window: taken back, amended, disputed, killed, resumed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pytest

from companion.games import RULEBOOKS
from companion.record.record import Record
from companion.referee.challenge import Verdict, challenges_in

SITTER = Path(__file__).with_name("sitter.py")
TOP = SITTER.parents[3]
KINDS = (
    "answers",
    "hands have done it",
    "leads there",
    "undo",
    "amend",
    "challenge",
    "two_fingers",
    "cautioned",
)
"""What touches are for; every other kind has an empty touch in it."""


def sitting(folder: Path, box: str, seed: int, rounds: int = 0) -> subprocess.Popen[str]:
    """The app in a process of its own, somebody at its window; with `rounds` a long evening."""
    command = [sys.executable, str(SITTER), str(folder), box, str(seed), str(rounds)]
    kivy = {"KIVY_NO_CONSOLELOG": "1", "KIVY_NO_ARGS": "1", "PYTHONPATH": str(TOP)}
    said = (folder / "said.txt").open("a", encoding="utf-8")
    with said:
        return subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=said, text=True, env={**os.environ, **kivy}
        )


def told_by(process: subprocess.Popen[str]) -> Iterator[dict[str, Any]]:
    """Its lines, as they come."""
    assert process.stdout is not None
    with process.stdout as lines:
        for line in lines:
            if line.endswith("\n"):  # a kill may cut the last one
                yield json.loads(line)


def play_with_kills(folder: Path, box: str, kills: Sequence[Any]) -> dict[str, Any]:
    """On to the result; at each of `kills` (so many touches, or a screen) the process is killed."""
    told: dict[str, Any] = {}
    waiting, lines = [*kills], 0
    for _ in range(len(kills) + 1):
        process = sitting(folder, box, seed=1)
        for first, told in enumerate(told_by(process)):
            if first == 0 and "lines" in told:
                assert told["lines"] >= lines, "what was confirmed is gone"
            if waiting and is_time(told, waiting[0]):
                waiting.pop(0)
                lines = told["lines"]
                process.kill()  # kill -9
                break
        process.wait()
    assert "kinds" in told, (folder / "said.txt").read_text("utf-8")[-3000:]
    assert not waiting, f"the match ended before it was killed at {waiting}"
    return told


def is_time(told: Mapping[str, Any], when: int | str) -> bool:
    """Whether all that was planned is done, and so many touches were made or this screen is up."""
    if told.get("left", 1):
        return False
    if isinstance(when, int):
        return int(told.get("made", 0)) >= when
    return told.get("screen") == when


def holds_together(folder: Path) -> None:
    """The record is sound, and what was corrected and disputed is in it."""
    with Record.open(str(folder / "matches.sqlite")) as record:
        assert not list(record.check())
        (match,) = record.matches()
        entries = list(record.load(match.match_id).entries)
    kinds = Counter(entry.kind for entry in entries)
    assert kinds["undo"] >= 2
    assert kinds["amend"] == 1
    (challenge,) = challenges_in(entries)
    assert challenge.verdict is Verdict.STANDS


def row(box: str, told: Mapping[str, Any]) -> str:
    """A line of the table: touches, rounds, touches a round, empty ones, then by kind."""
    kinds = told["kinds"]
    played = sum(many for kind, many in kinds.items() if kind not in {*KINDS[3:7]})
    empty = sum(many for kind, many in kinds.items() if kind.startswith("empty"))
    a_round = played / max(1, told["rounds"])
    parts = [f"{kinds.get(kind, 0):6}" for kind in KINDS]
    return f"{box:18}{sum(kinds.values()):8}{told['rounds']:8}{a_round:9.1f}{empty:7}" + "".join(
        parts
    )


HEAD = f"{'box':18}{'touches':>8}{'rounds':>8}{'a round':>9}{'empty':>7} of them: " + ", ".join(
    KINDS
)


def test_a_short_match_is_played_by_fingers_from_home_to_its_result(
    window: Any, tmp_path: Path
) -> None:
    """READY of both teams by two fingers, an undo, an amendment, a challenge; no touch is empty."""
    from tests.ui.window.sitter import play

    sitter = play(window, tmp_path, "jaws-and-paws", seed=1)
    assert sitter.paired
    assert not sitter.planned
    assert not any(kind.startswith("empty") for kind in sitter.kinds), sitter.kinds
    holds_together(tmp_path)


@pytest.mark.soak
@pytest.mark.parametrize("box", RULEBOOKS)
def test_whole_matches_of_all_boxes_by_touch_outlive_kills(
    tmp_path: Path, box: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed twice, once in a round that runs where the box has one; no touch is empty."""
    kills = [45, "Round" if box == "jaws-and-paws" else 60]
    told = play_with_kills(tmp_path, box, kills)
    holds_together(tmp_path)
    others = {kind: many for kind, many in told["kinds"].items() if kind not in KINDS}
    with capsys.disabled():
        sys.stdout.write(f"\n{HEAD}\n{row(box, told)} {others or ''}\n")
    assert not [kind for kind in others if kind.startswith("empty")], "touches that order nothing"
    assert not told["off"], "keys that cannot be touched in their middle"


EARLY, LATE, SOME = 50, 500, 50
GROWS_LESS = 1.05


@pytest.mark.soak
@pytest.mark.parametrize("box", ["jaws-and-paws", "dogfight-1917"])
def test_memory_grows_less_than_5_percent_between_rounds_50_and_500(
    tmp_path: Path, box: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Match after match in one process, log, rules, adjust, report, settings opened in each round.

    Resident memory is read at home after a match, when garbage is collected and what is free was
    given back to the system (`malloc_trim`). Textures are kept up to a number and come and go: the
    median of the readings from round 50 on is held against that of the last fifty rounds.
    """
    with sitting(tmp_path, box, seed=1, rounds=LATE + SOME) as process:
        told = list(told_by(process))
    assert told, (tmp_path / "said.txt").read_text("utf-8")[-3000:]
    assert told[-1]["rounds"] >= LATE + SOME, (tmp_path / "said.txt").read_text("utf-8")[-3000:]
    early, late = (
        median(one["mb"] for one in told if begin <= one["rounds"] <= begin + SOME)
        for begin in (EARLY, LATE)
    )
    with capsys.disabled():
        sys.stdout.write(f"\n{box}: {early} MB from round {EARLY}, {late} MB from round {LATE}\n")
    assert late < early * GROWS_LESS
