"""What the touch app costs, beside a blank Kivy app that is started in the same run.

Ours is the command itself: `companion` with a home, a record and settings of its own. The blank app
is Kivy as it comes, with an empty widget, in the same size and on the same display. They take
turns, and each figure is the median of several runs.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import pytest

from companion.games import RULEBOOKS
from companion.games.jaws_and_paws.boards import board_plan
from vision.drawing.table import SimulatedTable
from vision.evidence.evidence import KEPT_S

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
SCHEDULED = 2
"""Linux's clock of a process, by its number: see `clock_getcpuclockid(3)`."""


_MAPPED = re.compile(r"[0-9a-f]+-[0-9a-f]+ ")
"""The first line of a mapped piece of memory in `smaps`; the last word is its file's name."""


class Watched:
    """A Kivy app in a process of its own, whose window is watched and touched."""

    def __init__(
        self, process: subprocess.Popen[str], lines: Path, began: float, *, is_ours: bool
    ) -> None:
        self.process = process
        self.is_ours = is_ours
        self.lines = lines
        self.began = began
        self._read = 0

    def first_frame_at(self) -> float:
        """When its first frame stood (monotonic s)."""
        return float(self.told()["first_frame_at"])

    def opened(self) -> float:
        """Wait for its first frame and, unless it is blank, for its first screen.

        The processor time until then, s.
        """
        told = self.told()
        if self.is_ours:
            told = self.told()
            assert told["screen"]
        return float(told["cpu_s"])

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
        """Its own memory in RAM, MB, without the compiler that draws where there is no GPU."""
        resident_kb, name = 0, ""
        for line in Path(f"/proc/{self.process.pid}/smaps").read_text("utf-8").splitlines():
            if _MAPPED.match(line):
                name = line.split(maxsplit=5)[-1].rpartition("/")[2]
            elif line.startswith("Rss:") and not name.startswith("libLLVM"):
                resident_kb += int(line.split()[1])
        return resident_kb / 1024

    def cpu_s(self) -> float:
        """Processor time of all its threads so far, to the nanosecond."""
        return time.clock_gettime(~self.process.pid << 3 | SCHEDULED)


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
        yield Watched(process, lines, began, is_ours=source == OURS)
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


FIRST_FRAME = 1.5
BESIDES_MB = 150.0
IDLE = 2.0
IDLE_S = 5.0
BEGUN_S = 3.0
"""What the app puts off until its first screen stands, 0.3 s of work, is done by then."""
LATENCIES = (
    ("inverted_ms", 20.0, "touch to inverted key"),
    ("shown_ms", 60.0, "touch to next screen"),
    ("frames_ms", 16.0, "frame in a round"),
    ("inverted_work_ms", 20.0, "work from touch to inverted key"),
    ("shown_work_ms", 60.0, "work from touch to next screen"),
    ("work_ms", 16.0, "work for a frame in a round"),
)
"""Milliseconds by the clock, then of the main thread's own processor time.

By the clock all of them wait for a core on a busy machine, and for one of 60 turns a second on any.
"""
TAPS = 24
CALM_S = 0.5
"""After a change of screen all keys are deaf for a moment; so does a finger rest."""

STANDING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("home", ()),
    ("settings", ("Settings",)),
    ("new match", ("Back", "New match")),
    ("table check", ("Table check",)),
    ("question", ("Start",)),
    ("log", ("Log",)),
    ("arbiter", ("Back", "Arbiter")),
)
"""Screens that stand until somebody touches them, and the keys that lead on to the next."""


def led(app: Watched, keys: Sequence[str]) -> None:
    """Touch these keys one after another."""
    for words in keys:
        time.sleep(CALM_S)
        told = app.ask("tap", words)
        assert "missing" not in told, (told, app.ask("keys"))


def p95(samples: Sequence[float]) -> float:
    """All but one in twenty take at most so long."""
    assert len(samples) >= TAPS
    return sorted(samples)[math.ceil(0.95 * len(samples)) - 1]


def test_the_first_frame_stands_nearly_as_soon_as_a_blank_one(
    tmp_path: Path, table_of_speeds: Table
) -> None:
    """From the start of the process to the first frame: at most 1.5 times as long."""
    taken: dict[str, list[float]] = {BLANK: [], OURS: []}
    for source in (BLANK, OURS) * (RUNS + 1):
        with watched(tmp_path, source) as app:
            taken[source].append(app.first_frame_at() - app.began)
            app.process.kill()  # it would load all the rules first; nothing else has begun yet
    blank, ours = (statistics.median(runs[1:]) for runs in taken.values())  # caches are full
    assert table_of_speeds.at_most("first frame / blank Kivy app", ours, blank, FIRST_FRAME, "s")


@pytest.fixture(scope="module")
def before_a_camera(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Watched, float]]:
    """A match before a film as camera, and when it began (monotonic s).

    It fills a minute of pictures, for whoever disputes, while other things are measured.
    """
    folder = tmp_path_factory.mktemp("before-a-camera")
    film = filmed(folder / "table.avi")
    with watched(folder, OURS, settings={"camera": str(film), "pins": "none"}) as app:
        app.opened()
        led(app, ("New match", "Table check"))
        time.sleep(FILM_S / 8)  # the boards are found
        led(app, ("Start",))
        yield app, time.monotonic()


def test_a_screen_that_stands_costs_little_more_than_a_blank_window(
    tmp_path: Path, before_a_camera: object, table_of_speeds: Table
) -> None:
    """Processor time of the whole process while nobody touches: at most twice a blank app's."""
    del before_a_camera  # its minute passes
    with watched(tmp_path / "blank", BLANK) as blank, watched(tmp_path / "ours", OURS) as ours:
        blank.opened()
        ours.opened()
        time.sleep(BEGUN_S)
        held: list[bool] = []
        for screen, keys in STANDING:
            led(ours, keys)
            time.sleep(CALM_S)
            share, beside = idle_shares(ours, blank)
            held.append(
                table_of_speeds.at_most(
                    f"idle, {screen} / blank", 100 * share, 100 * beside, IDLE, "%"
                )
            )
    assert all(held), table_of_speeds.rows


def idle_shares(*apps: Watched) -> list[float]:
    """Processor time of each, as a share of a core, over the same seconds."""
    before, began = [app.cpu_s() for app in apps], time.monotonic()
    time.sleep(IDLE_S)
    over = time.monotonic() - began
    return [(app.cpu_s() - was) / over for app, was in zip(apps, before, strict=True)]


def test_a_match_before_a_camera_needs_little_more_memory_than_a_blank_app(
    tmp_path: Path, before_a_camera: tuple[Watched, float], table_of_speeds: Table
) -> None:
    """Resident with a film as camera, its last minute kept: 150 MB more at most."""
    with watched(tmp_path, BLANK) as app:
        app.opened()
        time.sleep(CALM_S)
        blank = app.resident_mb()
    app, began = before_a_camera
    time.sleep(max(0.0, began + KEPT_S - time.monotonic()))
    assert app.ask("keys")["screen"] == "Choose"
    ours = app.resident_mb()
    app.process.terminate()  # it is in nobody's way any more
    row = "resident in a match with a camera / blank"
    assert table_of_speeds.at_most(row, ours, blank, 1.0, "MB", besides=BESIDES_MB)


TO_A_ROUND = (
    "New match", "Table check", "Start", "Jaws", "GL", "Placed", "JAWS", "PAWS",
)  # fmt: skip
"""The keys from home into the first round of Jaws & Paws."""


def test_a_finger_in_a_round_does_not_wait(tmp_path: Path, table_of_speeds: Table) -> None:
    """While a round of 20 s runs: keys, screens and frames, p95 each."""
    taken: dict[str, list[float]] = {name: [] for name, _limit, _row in LATENCIES}
    with watched(tmp_path, OURS, settings={"pins": "none"}) as app:
        app.opened()
        led(app, TO_A_ROUND)
        time.sleep(CALM_S)
        assert app.ask("frames")["screen"] == "Round"
        for tap in range(TAPS):
            time.sleep(CALM_S + random.random() / 30)  # at any moment of a tick
            for told in (app.ask("tap", ("Log", "Back")[tap % 2]), app.ask("frames")):
                for name, figure in told.items():
                    if name in taken:
                        taken[name] += figure if isinstance(figure, list) else [figure]
    held = [
        table_of_speeds.at_most(f"{row}, p95 / {limit:g} ms", p95(taken[name]), limit, 1.0, "ms")
        for name, limit, row in LATENCIES
    ]
    assert all(held), table_of_speeds.rows


TIMED = Path(__file__).with_name("timed_sitter.py")
NEXT_SCREEN_MS = 60.0
MANY_TOUCHES = 60
SLOWEST = 5
BOXES = [
    pytest.param(box, marks=() if box == "jaws-and-paws" else pytest.mark.soak) for box in RULEBOOKS
]
"""One of them each time; whole matches of the others take minutes."""


@pytest.mark.parametrize("box", BOXES)
def test_the_next_screen_of_a_whole_match_comes_soon_after_a_touch(
    tmp_path: Path, box: str, table_of_speeds: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """By fingers from home to home again: work of the main thread from touch to frame, p95."""
    touches = timed(tmp_path, box, seed=1)
    assert len(touches) >= MANY_TOUCHES
    leading = [one for one in touches if one["from"] != one["to"]]
    held: list[bool] = []
    for those, touch in ((touches, "any touch"), (leading, "touch to another screen")):
        took = p95([one["work_ms"] for one in those])
        row = f"{box}, work from {touch} to its frame, p95 / {NEXT_SCREEN_MS:g} ms"
        held.append(table_of_speeds.at_most(row, took, NEXT_SCREEN_MS, 1.0, "ms"))
    with capsys.disabled():
        sys.stdout.write(f"\n{box}: {len(touches)} touches, {len(leading)} to another screen\n")
        for one in sorted(touches, key=lambda one: -one["work_ms"])[:SLOWEST]:
            sys.stdout.write(
                f"  {one['from']} -> {one['to']} by {one['by']}: {one['work_ms']} ms\n"
            )
    assert all(held), table_of_speeds.rows


def timed(folder: Path, box: str, seed: int) -> list[dict[str, Any]]:
    """A whole match in a window of its own; what each touch cost."""
    command = [sys.executable, str(TIMED), str(folder), box, str(seed)]
    kivy = {"KIVY_NO_CONSOLELOG": "1", "KIVY_NO_ARGS": "1", "PYTHONPATH": str(TOP)}
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **kivy}, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return [json.loads(line) for line in done.stdout.splitlines()]


FILM_S, FILM_FPS = 80, 15


def filmed(path: Path) -> Path:
    """A film of a drawn table on which nobody moves anything."""
    table = SimulatedTable(board_plan(), seed=1)
    shown = (table.read().in_colour() for _ in range(6))
    pictures = [picture for picture in shown if picture is not None]
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), FILM_FPS, table.size_px)
    for number in range(FILM_S * FILM_FPS):
        film.write(pictures[number % len(pictures)])
    film.release()
    return path
