"""No sleep during a match: the lock is taken, held, and gone with whoever held it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.patience import wait_until
from ui.window.appliance import PROGRAM, Awake

TOP = Path(__file__).parents[3]


@pytest.fixture
def locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system that grants the lock: its program runs the child, and notes that it is held."""
    program, held = tmp_path / "bin" / PROGRAM, tmp_path / "held"
    program.parent.mkdir()
    script = f'#!/bin/sh\necho "$@" >{held}\nshift 4\n"$@"\nrm {held}\n'
    program.write_text(script, "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    return held


def test_the_lock_is_held_while_it_is_needed(locks: Path) -> None:
    """Sleep and idling are blocked, with a reason that people can read."""
    awake = Awake()
    awake.keep(needed=True)
    wait_until(lambda: locks.exists() and "--what=sleep:idle" in locks.read_text("utf-8"))
    assert "--why=a match runs" in locks.read_text("utf-8")
    awake.keep(needed=True)
    assert awake.held
    awake.keep(needed=False)
    wait_until(lambda: not locks.exists())
    assert not awake.held
    awake.keep(needed=True)
    wait_until(locks.exists)
    awake.close()
    wait_until(lambda: not locks.exists())


def test_the_lock_is_gone_with_an_app_that_is_killed(locks: Path) -> None:
    """The kill of an app leaves no machine that never sleeps again."""
    source = (
        "import sys, time; from ui.window.appliance import Awake; a = Awake(); a.keep(needed=True)"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", f"{source}; print('up', flush=True); time.sleep(600)"],
        stdout=subprocess.PIPE,
        cwd=TOP,
    )
    with child:
        assert child.stdout is not None
        child.stdout.readline()
        wait_until(locks.exists)
        child.send_signal(signal.SIGKILL)
    wait_until(lambda: not locks.exists())


def test_a_lock_that_is_refused_is_asked_for_once_a_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A service without a session may not ask: no process is started with every tick."""
    program, asked = tmp_path / PROGRAM, tmp_path / "asked"
    program.write_text(f"#!/bin/sh\necho once >>{asked}\nexit 1\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    awake = Awake()
    for _ in range(20):
        awake.keep(needed=True)
        time.sleep(0.02)
    assert asked.read_text("utf-8").split() == ["once"]
    assert not awake.held


def test_a_system_without_the_program_goes_by_its_own_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    awake = Awake()
    awake.keep(needed=True)
    assert not awake.held
    awake.close()
