"""The rig: a table in a virtual machine, made once, and a fresh copy of it for each scenario."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Generator, Iterator
from inspect import getsource
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.rig.hands import Screen
from tests.rig.machine import Machine, State, overlay
from tests.rig.rig import COMPANION, RECORD, RESUME, SETTINGS, Keeping, Rig

HERE = Path(__file__).parent
HOME = Path(pwd.getpwuid(os.getuid()).pw_dir)  # the tests themselves are given folders of their own
CACHE = Path(os.environ.get("RIG_CACHE") or HOME / ".cache" / "companion-rig")
"""Where the system, its disk and kept states lie: some 10 GB, made again where they are missing."""

RESULTS = Path(os.environ.get("RIG_RESULTS") or CACHE / "results")
"""Where each scenario leaves the pictures and logs that it judged."""

NEEDED = {
    "qemu-system-x86_64": "qemu-system-x86",
    "qemu-img": "qemu-utils",
    "qemu-storage-daemon": "qemu-system-common",
    "debootstrap": "debootstrap",
    "mke2fs": "e2fsprogs",
}


class Row(NamedTuple):
    """A scenario as the table at the end tells it."""

    scenario: str
    outcome: str
    minutes: float
    judged: str


rows: list[Row] = []
REPORT = pytest.StashKey[pytest.TestReport]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of this folder's scenarios are for `make rig` alone; its fast tests are not."""
    for item in items:
        if item.nodeid.startswith("tests/rig/") and "rig" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.rig)


def why_not() -> str:
    """Why there can be no machine here, in words; empty where there can.

    What apt can bring it brings: this is root's machine, or there is no rig.
    """
    if os.geteuid() != 0:
        return "the rig prepares a disk with debootstrap and chroot: let root call `make rig`"
    missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    install = ("apt-get", "-qq", "install", "-y", "--no-install-recommends", *missing)
    if missing and shutil.which("apt-get") is not None:
        subprocess.run(install, stdout=subprocess.DEVNULL, check=False)
        missing = [package for program, package in NEEDED.items() if shutil.which(program) is None]
    return f"the rig wants {', '.join(missing)}, which could not be had here" if missing else ""


@pytest.fixture(scope="session")
def kernel() -> Path:
    """The folder of the disk, the kernel and the kept states; the disk is made where it is not."""
    if reason := why_not():
        pytest.skip(reason)
    if os.environ.get("RIG_AS_IT_IS") and (CACHE / "disk.img").exists():
        return CACHE  # with the project as it was when the disk was made: for work on the rig
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "prepare.log").open("wb") as told:
        made = subprocess.run(
            [HERE / "prepare-image", CACHE], stdout=told, stderr=told, check=False
        )
    if made.returncode != 0:
        last = (CACHE / "prepare.log").read_text("utf-8", "replace").splitlines()[-3:]
        pytest.skip(f"no disk could be made ({CACHE / 'prepare.log'}): {' | '.join(last)}")
    return CACHE


@pytest.fixture
def rig(kernel: Path, request: pytest.FixtureRequest) -> Iterator[Rig]:
    """The rig, for one scenario."""
    folder = RESULTS / re.sub(r"\W+", "-", request.node.name).strip("-")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    one, began = Rig(kernel, folder), time.monotonic()
    try:
        yield one
    finally:
        one.close()
        report = request.node.stash.get(REPORT, None)
        outcome = "passed" if report is not None and report.passed else "FELL"
        minutes = (time.monotonic() - began) / 60
        rows.append(Row(request.node.name, outcome, minutes, "; ".join(one.judged)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A scenario's fixture wants to know how it went."""
    report = yield
    if report.when == "call":
        item.stash[REPORT] = report
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The table."""
    if not rows:
        return
    terminalreporter.section(f"the rig; what was judged is kept in {RESULTS}")
    table = [f"{row.outcome:7}{row.minutes:6.1f} min  {row.scenario}: {row.judged}" for row in rows]
    for line in table:
        terminalreporter.write_line(line)
    (RESULTS / "table.txt").write_text("\n".join(table) + "\n", "utf-8")


# -- states to begin from, made once for a disk and kept ------------------------------------------


@pytest.fixture(scope="session")
def kept(kernel: Path) -> Keeping:
    """Gives a state by its name; `make`, given a folder, makes the machine that is in it.

    It holds for this very disk, this kind of machine and this way of making it.
    """

    def give(name: str, make: Callable[[Path], Machine], /) -> State:
        made_of = (kernel / "project").read_text() + getsource(Machine._command) + getsource(make)
        mark = hashlib.sha256(made_of.encode()).hexdigest()[:12]
        state = State(kernel / "states" / f"{name}-{mark}")
        if not state.exists():
            for other in (kernel / "states").glob(f"{name}-*"):
                shutil.rmtree(other)
            folder = CACHE / f"making-{name}"
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder).keep(state)
            shutil.rmtree(folder)
        return state

    return give


PI_INSIDE_THE_WALLS = "/etc/systemd/system/companion.service.d/rig.conf"
"""A walled service has a /proc of its own, without the name of a Pi that the rig lays over it."""


@pytest.fixture(scope="session")
def at_home(kernel: Path, kept: Keeping) -> State:
    """Installed, started anew, and the app on its first screen by itself."""

    def make(folder: Path) -> Machine:
        disk = overlay(kernel / "disk.img", folder / "disk.qcow2")
        machine = Machine(kernel, disk, folder).wait_until_booted()
        machine.run(f"{COMPANION} install --user pi --on lite")
        machine.write(
            PI_INSIDE_THE_WALLS, "[Service]\nBindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo\n"
        )
        machine.switch_off()
        machine = machine.again().wait_until_booted()
        machine.wait_for("systemctl is-active companion")
        machine.run("sleep 5")
        return machine

    return kept("home", make)


PLACED = "Jaws\nJaws.PL\nplaced\n"
"""The answers of a set-up, up to the first question whether both teams are ready."""


@pytest.fixture(scope="session")
def at_ready(kernel: Path, at_home: State, kept: Keeping) -> State:
    """A match of four people, set up; the screen asks whether both teams are ready; real pins."""

    def make(folder: Path) -> Machine:
        disk = overlay(at_home.disk, folder / "disk.qcow2")
        machine = Machine(kernel, disk, folder, going_on=at_home.memory).wait_until_booted()
        machine.run("systemctl stop companion")
        machine.write(SETTINGS, 'pins = "lgpio"\nloudspeaker = "always"\n', user="pi")
        machine.write("/home/pi/placed.txt", PLACED)
        seats = "JP=Ana,JG=Al,PP=Ben,PG=Bo"
        play = f"{COMPANION} referee jaws-and-paws --seats {seats} --record {RECORD}"
        play += " --script ~/placed.txt"  # a script's match is kept where a record is named
        machine.run(play, user="pi")
        machine.run("systemctl start companion")
        screen = Screen(machine, folder)
        machine.run("sleep 5")
        home = screen.picture("home")
        screen.touch(*RESUME)
        screen.wait_for_change("ready", home)
        return machine

    return kept("ready", make)
