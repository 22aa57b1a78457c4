"""What the touch app costs, beside a blank Kivy app that is started in the same run.

Ours is the command itself: `companion` with a home, a record and settings of its own. The blank app
is Kivy as it comes, with an empty widget, in the same size and on the same display. They take
turns, and each figure is the median of several runs.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.benchmarks.conftest import Table

TOP = Path(__file__).resolve().parents[2]
WATCH = Path(__file__).with_name("window_watch.py")

BLANK = "import sitecustomize; sitecustomize.run_blank()"
OURS = "from ui.terminal.app import main; main()"
"""What `.venv/bin/companion` runs."""

RUNS = 5
WINDOW_PX = (800, 480)
PATIENCE_S = 60.0
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


class Watched:
    """A Kivy app in a process of its own, whose window is watched and touched."""

    def __init__(self, process: subprocess.Popen[str], lines: Path, began: float) -> None:
        self.process = process
        self.lines = lines
        self.began = began
        self._read = 0

    def told(self) -> dict[str, Any]:
        """The next line from within."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and self.process.poll() is None:
            lines = self.lines.read_text("utf-8").splitlines(keepends=True)
            if len(lines) > self._read and lines[self._read].endswith("\n"):
                self._read += 1
                return dict(json.loads(lines[self._read - 1]))
            time.sleep(0.01)
        raise AssertionError(f"the app says nothing; it ended with {self.process.poll()}")

    def ask(self, verb: str, words: str = "") -> dict[str, Any]:
        """One question to the watch within, and its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{verb} {words}\n")
        self.process.stdin.flush()
        return self.told()

    def resident_mb(self) -> float:
        """Its own memory in RAM, MB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return int(line.split()[1]) / 1024

    def cpu_s(self) -> float:
        """Processor time of all its threads so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / TICKS_PER_S

    def idle_share(self, seconds: float) -> float:
        """Processor time while nobody touches anything, as a share of one core."""
        before, began = self.cpu_s(), time.monotonic()
        time.sleep(seconds)
        return (self.cpu_s() - before) / (time.monotonic() - began)


@contextmanager
def watched(
    folder: Path, source: str, *arguments: str, settings: Mapping[str, str] | None = None
) -> Generator[Watched]:
    """The app, started now; it is ended at the end, with whatever it has started itself."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(WATCH, folder / "sitecustomize.py")
    own = folder / "config" / "companion"
    own.mkdir(parents=True, exist_ok=True)
    rows = [f"{name} = {json.dumps(value)}" for name, value in (settings or {}).items()]
    (own / "settings.toml").write_text("\n".join(rows) + "\n", "utf-8")
    lines = folder / "lines"
    lines.write_text("")
    homes = {"XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data", "XDG_RUNTIME_DIR": "run"}
    for name in homes.values():
        (folder / name).mkdir(mode=0o700, exist_ok=True)
    environment = {
        **os.environ,
        **{variable: str(folder / name) for variable, name in homes.items()},
        "PYTHONPATH": f"{folder}:{TOP}",
        "WINDOW_WATCH": str(lines),
        "KIVY_WINDOW": "sdl2",
        "KIVY_NO_ARGS": "1",
        "KIVY_NO_CONFIG": "1",
        "KIVY_NO_FILELOG": "1",
        "KCFG_GRAPHICS_WIDTH": str(WINDOW_PX[0]),
        "KCFG_GRAPHICS_HEIGHT": str(WINDOW_PX[1]),
        "KCFG_GRAPHICS_MULTISAMPLES": "0",
    }
    began = time.monotonic()
    with (folder / "stderr").open("w", encoding="utf-8") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", source, *arguments], cwd=folder, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said,
        )  # fmt: skip
    try:
        yield Watched(process, lines, began)
    finally:
        process.terminate()
        process.wait(PATIENCE_S)


FIRST_FRAME = 1.5


def test_the_first_frame_stands_nearly_as_soon_as_a_blank_one(
    tmp_path: Path, table_of_speeds: Table
) -> None:
    """From the start of the process to the first frame: at most 1.5 times as long."""
    taken: dict[str, list[float]] = {BLANK: [], OURS: []}
    for source in (BLANK, OURS) * (RUNS + 1):
        with watched(tmp_path, source) as app:
            taken[source].append(app.told()["first_frame_at"] - app.began)
    blank, ours = (statistics.median(runs[1:]) for runs in taken.values())  # caches are full
    assert table_of_speeds.at_most("first frame / blank Kivy app", ours, blank, FIRST_FRAME, "s")
