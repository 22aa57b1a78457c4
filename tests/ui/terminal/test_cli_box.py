"""`companion box`: install, monitor, simulate, as somebody at a terminal uses them."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hardware.sensor_box.simulated import SimulatedBox
from tests.patience import PATIENCE_S
from ui.terminal.app import run

TOP = Path(__file__).parents[3]

try:
    os.close(os.openpty()[0])
except OSError:
    pytest.skip("this system gives no pseudo-terminals", allow_module_level=True)


@pytest.fixture
def link(tmp_path: Path) -> Path:
    return tmp_path / "box"


@pytest.fixture
def simulated(link: Path) -> Iterator[SimulatedBox]:
    with SimulatedBox(link) as box:
        yield box


Out = Callable[[], str]


@pytest.fixture
def out(capsys: pytest.CaptureFixture[str]) -> Out:
    return lambda: capsys.readouterr().out


def test_the_monitor_shows_what_a_box_says_and_keeps_it(
    simulated: SimulatedBox, link: Path, tmp_path: Path, out: Out
) -> None:
    """Raw lines, their meaning; kept traffic tells the same again."""
    kept = tmp_path / "traffic.jsonl"
    simulated.after(0.5, lambda: simulated.lay("1.3", 2))
    live, seconds = "", 1.0
    while "laid slot=1.3" not in live:  # a crowded machine takes longer
        assert (
            run(["box", "monitor", str(link), "--seconds", f"{seconds}", "--record", str(kept)])
            == 0
        )
        live, seconds = out(), 2 * seconds
    assert "= board SIMULATED0000001, program 1.0.0, protocol 1" in live
    assert "laid slot=1.3 cards=2" in live
    assert "= track 1 section 3: laid, 2 cards now (± " in live
    assert run(["box", "monitor", "--replay", str(kept)]) == 0
    again = out()
    assert [line[11:] for line in again.splitlines() if "1.3" in line] == [
        line[11:] for line in live.splitlines() if "1.3" in line
    ]


@pytest.mark.parametrize(
    ("call", "status", "said"),
    [
        (["monitor", "/dev/none", "--seconds", "1"], 1, "/dev/none is not there"),
        (["monitor", "--replay", "/none.jsonl"], 2, "no file of a box's traffic"),
        (["monitor", "--seconds", "-1", "socket://none:1"], 2, "give a number of seconds"),
        (["monitor", "tcp://none:1"], 1, "tcp:// is no address of a serial line"),
        (["simulate", "--fault", "noise=1"], 2, "no FAULT=NUMBER with a fault of garbage"),
        (["simulate", "--fault", "garbage=7"], 2, "a share from 0 to 1"),
        (["simulate", "--script", "/none.txt"], 2, "cannot be read"),
        (["install", "/dev/none"], 1, "/dev/none is not there"),
        (["install", "NOSUCHNUMBER"], 1, "hold its BOOTSEL key"),
    ],
)
def test_what_cannot_be_done_is_said(
    call: list[str], status: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, with the way out."""
    assert run(["box", *call]) == status
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1


def test_a_busy_box_is_named(
    simulated: SimulatedBox, link: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another program has it: said as such, by the monitor and before an install."""
    command = [sys.executable, "-m", "companion", "box", "monitor", str(link), "--seconds", "600"]
    with subprocess.Popen(command, cwd=TOP, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert "opened" in other.stdout.readline()
        try:
            assert run(["box", "monitor", str(link), "--seconds", "1"]) == 1
            assert "is busy by another program (" in capsys.readouterr().err
            assert run(["box", "install", str(link)]) == 1
            assert "is busy by another program (" in capsys.readouterr().err
        finally:
            other.kill()


@pytest.mark.slow
def test_a_box_is_simulated_with_typed_hands_and_a_script(link: Path, tmp_path: Path) -> None:
    """What is typed is what hands do; what is none of it is said, and nothing ends."""
    script = tmp_path / "evening.txt"
    script.write_text("0.5 lay 2.4\n", "utf-8")
    command = [sys.executable, "-m", "companion", "box", "simulate", "--link", str(link)]
    with subprocess.Popen(
        [*command, "--script", str(script), "--fault", "garbage=0.1"],
        cwd=TOP, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as simulator:  # fmt: skip
        assert simulator.stdin is not None
        assert simulator.stdout is not None
        assert str(link) in simulator.stdout.readline()
        assert "companion box monitor" in simulator.stdout.readline()
        assert "lay SLOT" in simulator.stdout.readline()
        simulator.stdin.write("dance\npress ready-1\n")
        simulator.stdin.flush()
        watched = watched_until(link, "ready-1 pressed", "track 2 section 4: laid")
        _, complained = simulator.communicate("quit\n", timeout=PATIENCE_S)
    assert watched
    assert "'dance' is nothing that hands do" in complained
    assert simulator.returncode == 0
    assert not link.exists()


def watched_until(link: Path, *said: str) -> bool:
    """Whether a monitor says all this, within as many seconds as a crowded machine takes."""
    command = [sys.executable, "-m", "companion", "box", "monitor", str(link), "--seconds"]
    heard = ""
    for seconds in (1.5, 15, 150):
        watched = subprocess.run(
            [*command, str(seconds)],
            cwd=TOP, capture_output=True, text=True, timeout=PATIENCE_S, check=False,
        )  # fmt: skip
        assert watched.returncode == 0, watched.stderr
        heard += watched.stdout
        if all(words in heard for words in said):
            return True
    return False


def test_a_simulation_ends_by_itself(link: Path) -> None:
    """After the seconds it was given, also where nothing is typed."""
    began = time.monotonic()
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "box", "simulate", "--link", str(link),
         "--seconds", "0.5"],
        cwd=TOP, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=PATIENCE_S, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert time.monotonic() - began < PATIENCE_S
