"""Recorded matches of every released edition rule today as they ruled then."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.games.dogfight_1917.rules import Dogfight1917
from companion.match.match import Match
from companion.record.file import read_export
from companion.record.lines import read_closing, read_entry

HERE = Path(__file__).parent
TOP = HERE.parents[1]
MATCHES = sorted(HERE.glob("*.jsonl"))

REPLAY_ALL = """
import sys
from pathlib import Path
from ui.terminal.app import run
sys.exit(max(run(["replay", name]) for name in sys.argv[1:]))
"""


def test_there_are_golden_matches() -> None:
    """A test over no files would be green for nothing: some of each box, one of each mode."""
    assert len(MATCHES) >= 12
    for name in Dogfight1917.variants:
        assert any(file.stem.startswith(f"dogfight-1917-edition-3-{name}-") for file in MATCHES)


@pytest.mark.parametrize("file", MATCHES, ids=lambda file: file.stem)
def test_a_recorded_match_replays_to_the_same_rulings(file: Path) -> None:
    """Each line meets the question it was meant for; digests and cites are equal.

    Not the words: they may be said better, or in another language. What an earlier edition ruled
    may rest on more paragraphs by now, never on others.
    """
    export = read_export(file)
    match = Match[Any].replay([read_entry(row.line, row.chain) for row in export.rows])
    assert f"edition-{match.setup.edition}" in file.stem
    assert sum(bool(entry.digest) for entry in match.entries) > 0
    assert export.closing is not None
    closing, _ = read_closing(export.closing.line)
    now, then = [said.cite for said in match.rulings], [cite for _, cite in closing.rulings]
    if match.setup.edition < match.rulebook.edition:
        pairs = zip((str(cite).split(", ") for cite in now), then, strict=True)
        assert all({*was.split(", ")} <= {*is_now} for is_now, was in pairs)
    else:
        assert list(map(str, now)) == then
    assert match.outcome is not None
    assert tuple(match.outcome.winners) == closing.winners
    assert set(closing.cite.split(", ")) <= set(str(match.outcome.ruling.cite).split(", "))


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["0", "1"])
def test_nothing_hangs_on_the_order_of_sets(seed: str) -> None:
    """The same under two seeds of Python's hashes, each in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", REPLAY_ALL, *map(str, MATCHES)],
        cwd=TOP,
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("digests equal") == len(MATCHES)
