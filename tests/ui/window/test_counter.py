"""Statistics kept up beside the app: counted when there is time, left off while a round runs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from errno import ENOSPC
from os import strerror
from pathlib import Path
from sqlite3 import connect

import pytest

from tests.patience import PATIENCE_S, wait_until
from ui.window.counter import SeasonCounter

GOLDEN = Path(__file__).parents[2] / "golden"
SLOW = (
    sys.executable,
    "-c",
    "import sys, time; open(sys.argv[2], 'a').write('.'); time.sleep(600)",
)


def begun(log: Path) -> int:
    """How many times the command was begun."""
    return len(log.read_text()) if log.exists() else 0


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def slow(log: Path) -> Iterator[SeasonCounter]:
    """One whose command notes that it was begun, and is long at it."""
    counter = SeasonCounter(str(log), SLOW)
    yield counter
    counter.busy = True
    counter.look()


def test_what_ended_while_nobody_counted_is_counted_at_the_start(
    slow: SeasonCounter, log: Path
) -> None:
    slow.look()
    wait_until(lambda: begun(log) == 1)
    slow.look()
    slow.changed()
    slow.look()
    assert begun(log) == 1, "one at a time"


def test_a_round_ends_the_count_which_goes_on_after_it(slow: SeasonCounter, log: Path) -> None:
    slow.look()
    wait_until(lambda: begun(log) == 1)
    slow.busy = True
    slow.look()
    slow.look()
    slow.busy = False
    slow.look()
    wait_until(lambda: begun(log) == 2)


def test_a_command_that_cannot_be_begun_stops_nothing(tmp_path: Path) -> None:
    counter = SeasonCounter(str(tmp_path), (str(tmp_path / "none"),))
    counter.look()
    assert counter.line is not None
    assert counter.line.value == "not counted: No such file or directory"
    counter.changed()
    counter.look()
    counter.close()


@pytest.mark.slow
def test_a_full_disk_stops_nothing(slow: SeasonCounter, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the command says is kept in a file, which a full disk does not take."""

    def full(*_: object) -> None:
        raise OSError(ENOSPC, strerror(ENOSPC))

    monkeypatch.setattr("tempfile.TemporaryFile", full)
    slow.look()
    assert slow.line is not None
    assert slow.line.value == "not counted: No space left on device"


def test_a_count_that_failed_is_told_until_one_succeeds(tmp_path: Path) -> None:
    """The last line that it said; that it was killed, where it said nothing."""
    place = tmp_path / "record.db"
    place.write_text("shopping: milk, eggs" * 300)
    counter = SeasonCounter(str(place))

    def told() -> str:
        counter.changed()
        counter.look()
        wait_until(lambda: counter._counting is None or counter._counting.poll() is not None)
        counter.busy = True
        counter.look()
        counter.busy = False
        return counter.line.value if counter.line is not None else ""

    assert "is no record of matches" in told()
    counter._command = [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"]
    assert told().startswith("not counted: it was ended by signal 9")
    counter._command = [sys.executable, "-c", ""]
    assert not told()
    counter.close()


@pytest.mark.slow
def test_the_command_of_the_app_counts_a_match_of_people(tmp_path: Path) -> None:
    """The real one: after it what the match adds is kept beside the logs."""
    place = tmp_path / "record.db"
    export = next(GOLDEN.glob("jaws-and-paws*-day*.jsonl"))
    take = (sys.executable, "-m", "companion", "import", str(export), "--record", str(place))
    subprocess.run(take, check=True, capture_output=True, timeout=PATIENCE_S)
    counter = SeasonCounter(str(place))
    command = counter._command
    assert subprocess.run(command, check=False, timeout=PATIENCE_S).returncode == 0
    with closing(connect(place)) as database:
        (counted,) = database.execute("SELECT count(*) FROM counted").fetchone()
    assert counted == 1
