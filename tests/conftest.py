"""What every test stands on: no real pins, no window on the desktop, no record of the user's."""

from __future__ import annotations

import atexit
import gc
import os
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import Engine, create_engine

from tests.patience import PATIENCE_S

TOP = Path(__file__).parent.parent

# Kivy, gpiozero and platformdirs read these when they are first imported, so they are set here,
# before any test module is. Each worker has a home of its own.
_HOME = Path(tempfile.mkdtemp(prefix="companion-tests-"))
atexit.register(shutil.rmtree, _HOME, ignore_errors=True)
(_HOME / "runtime").mkdir(mode=0o700)
os.environ |= {
    "GPIOZERO_PIN_FACTORY": "mock",
    "KIVY_HOME": str(_HOME / "kivy"),
    "KIVY_LOG_MODE": "PYTHON",  # Kivy leaves the root logger and stderr to pytest
    "KIVY_NO_ARGS": "1",
    "KIVY_NO_FILELOG": "1",
    "XDG_CACHE_HOME": str(_HOME / "cache"),
    "XDG_CONFIG_HOME": str(_HOME / "config"),
    "XDG_DATA_HOME": str(_HOME / "share"),
    "XDG_RUNTIME_DIR": str(_HOME / "runtime"),
    "XDG_STATE_HOME": str(_HOME / "state"),
}
os.environ.pop("COMPANION_RECORD", None)

# Each worker has a core, more or less. Threads of libraries beside it wait for each other by
# counting: tests of looks took three times their work. Speeds are compared with all of them.
SPEEDS = any("benchmarks" in word for word in sys.argv)
if not SPEEDS:
    os.environ |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1")

if not os.environ.get("DISPLAY"):
    os.environ["SDL_VIDEODRIVER"] = "offscreen"

# Tests start the command many times: compiled anew each time it would take twice as long.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# One gate, one verdict: it tries the same examples each time, so a red test is red again. Fresh
# ones are for `make soak`. No deadline: a shared core says nothing about the code.
settings.register_profile(
    "gate",
    deadline=None,
    derandomize=True,
    max_examples=24,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=3_000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Modules and tests are here to stay: who collects what tests leave need not go through them.

    A fifth of all work went into that, and a fifth of the collection itself.
    """
    if SPEEDS:
        return (yield)
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


class OnlyExamples:
    """A module without examples is not gone through for them.

    No hook of this file itself: it would be asked of files in this folder alone.
    """

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        """Leave out the examples of a file that has none."""
        found = yield
        if file_path.suffix != ".py" or b">>>" in file_path.read_bytes():
            return found
        return [one for one in found if type(one).__name__ != "DoctestModule"]


def pytest_configure(config: pytest.Config) -> None:
    """Have examples looked for in whatever folder, where there are some."""
    config.pluginmanager.register(OnlyExamples())


@pytest.fixture(scope="session", autouse=True)
def wide_awake() -> Iterator[None]:
    """A command that works gently does not slow its worker for good: niceness is never given back.

    A worker that had called `check` twice was left a fiftieth of a core beside two others.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr(os, "nice", lambda _more: 0)
    yield
    patch.undo()


@pytest.fixture(scope="session", autouse=True)
def patient_signals() -> None:
    """The signal process is waited for as long as anything else.

    On a table two seconds without an answer are long; beside other tests they mean nothing.
    """
    from hardware.signals import link, process, session

    link.REPLY_MAX_S = process.START_MAX_S = session._ENDING_S = PATIENCE_S


@pytest.fixture(scope="session", autouse=True)
def statements_compiled_once() -> Iterator[None]:
    """What was compiled for one record serves the next: a program opens one, its tests thousands.

    A statement is compiled for a dialect, and each engine would have its own. Opening, writing and
    checking a record costs two thirds of the work so.
    """
    from companion.record import store

    first = create_engine("sqlite://")
    first.connect().close()  # asks the library what it can do
    compiled: dict[Any, Any] = {}

    def alike(*how: Any, **named: Any) -> Engine:
        engine = create_engine(*how, execution_options={"compiled_cache": compiled}, **named)
        if engine.name == first.name:
            engine.dialect = first.dialect
        return engine

    patch = pytest.MonkeyPatch()
    patch.setattr(store, "create_engine", alike)
    yield
    patch.undo()
    first.dispose()


MEMORY = Path("/dev/shm")  # noqa: S108 - folders of our own are made in it


@pytest.fixture(scope="session")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory, where the machine has one: thousands of lines wait for no disk."""
    there = MEMORY if MEMORY.is_dir() else tmp_path_factory.mktemp("memory")
    with tempfile.TemporaryDirectory(dir=there) as folder:
        yield Path(folder)


@pytest.fixture
def pseudo_terminals() -> None:
    """For a test that cannot do without one: it skips where the system gives none."""
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as none:
        pytest.skip(f"this system gives no pseudo-terminals: {none.strerror}")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test marked `seeds(gate, soak)` a `seed`: the first in the gate, all in the soak.

    A run that wants no soak is not given thousands of tests to leave out.
    """
    soaked = "not soak" not in str(metafunc.config.getoption("markexpr"))
    for marker in metafunc.definition.iter_markers("seeds"):
        gate, soak = marker.args
        more = range(gate, soak if soaked else gate)
        extra = [pytest.param(seed, marks=pytest.mark.soak) for seed in more]
        metafunc.parametrize("seed", [*range(gate), *extra])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all of tests/benchmarks `bench`, and let the gate have its examples of slow tests.

    A comparison of speeds wants the machine to itself.
    """
    examples = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if item.nodeid.startswith("tests/benchmarks/"):
            item.add_marker("bench")
        if item.get_closest_marker("slow") and not item.get_closest_marker("soak"):
            examples[item.nodeid.partition("[")[0]].append(item)
    for those in examples.values():
        kept = next(those[0].iter_markers("slow")).kwargs.get("gate", 0)
        for at in range(kept):
            item = those[at * len(those) // kept]
            item.own_markers[:] = [mark for mark in item.own_markers if mark.name != "slow"]


@pytest.fixture(scope="session")
def photos() -> Path:
    """The folder of real photographs beside the project; skips the test where it is missing."""
    folder = TOP.parent / "shared" / "photos"
    if not (folder / "truth.json").is_file():
        pytest.skip(f"no photographs here: {folder} is missing")
    return folder
