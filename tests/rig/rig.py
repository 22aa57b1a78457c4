"""What a scenario begins with: machines, the hands on them, and where what it saw is kept."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from tests.rig.hands import COMPANION, CameraCable, Loudspeaker, Pins, Power, Screen, SensorBoxCable
from tests.rig.machine import Machine, State, overlay

__all__ = [
    "COMPANION",
    "LOG",
    "RECORD",
    "RESUME",
    "SETTINGS",
    "Keeping",
    "Rig",
    "companion",
    "readable_by_others",
    "restarts",
]

SETTINGS = "/home/pi/.config/companion/settings.toml"
RECORD = "/home/pi/.local/share/companion/matches.sqlite"
LOG = "/home/pi/.local/state/companion/log/companion.log"
"""What the app itself tells of its evening."""

RESUME = (244, 330)
"""Where home has its key Resume, in pixels."""


def companion(*words: str) -> subprocess.CompletedProcess[str]:
    """The command, here: an emulated processor takes minutes to start it."""
    call = (sys.executable, "-m", "companion", *words)
    return subprocess.run(call, capture_output=True, text=True, check=False)


def restarts(machine: Machine) -> str:
    """How often systemd has started the app anew."""
    return machine.run("systemctl show -p NRestarts --value companion").strip()


def readable_by_others(machine: Machine) -> str:
    """What of the record, its pictures and the app's log another user of the machine may read."""
    machine.run("chmod 755 /home/pi")  # as some systems make a home
    places = f"{Path(RECORD).parent} {Path(LOG).parent}"
    assert machine.run(f"find {places} -type f").split(), "nothing is there to be read"
    return machine.run(f"runuser -u nobody -- find {places} -type f -readable 2>/dev/null; true")


class Keeping(Protocol):
    """Gives a state by its name; `make`, given a folder, makes the machine that is in it."""

    def __call__(self, name: str, make: Callable[[Path], Machine], /) -> State: ...


@dataclass
class Rig:
    """What a scenario begins with: machines, hands on them, and a folder for what it saw."""

    kernel: Path
    folder: Path
    judged: list[str] = field(default_factory=list[str])
    _machines: list[Machine] = field(default_factory=list[Machine])

    def fresh(self, *, rtc: str = "") -> Machine:
        """A machine on which the project is set up and nothing is installed, booted."""
        return self._booted(
            Machine(self.kernel, self._disk(self.kernel / "disk.img"), self.folder, rtc=rtc)
        )

    def at(self, state: State) -> Machine:
        """A machine that goes on from a kept state."""
        disk = self._disk(state.disk)
        return self._booted(Machine(self.kernel, disk, self.folder, going_on=state.memory))

    def _disk(self, on: Path) -> Path:
        return overlay(on, self.folder / f"disk-{len(self._machines)}.qcow2")

    def _booted(self, machine: Machine) -> Machine:
        self._machines.append(machine)
        return machine.wait_until_booted()

    def pins(self, machine: Machine) -> Pins:
        """Its 40-pin header."""
        return Pins(machine)

    def screen(self, machine: Machine) -> Screen:
        """Its screen; pictures are kept with the scenario."""
        return Screen(machine, self.folder)

    def power(self, machine: Machine) -> Power:
        """Its plug."""
        return Power(machine, self._machines.append)

    def loudspeaker(self, machine: Machine) -> Loudspeaker:
        """What its sound card played."""
        return Loudspeaker(machine)

    def camera(self, machine: Machine, number: int = 0) -> CameraCable:
        """The cable of its camera; of the second one where `number` is 1."""
        return CameraCable(machine, self.folder, number)

    def sensor_boxes(self, machine: Machine, *serials: str) -> list[SensorBoxCable]:
        """The cables of sensor boxes with these serial numbers."""
        return [SensorBoxCable(machine, serial, n) for n, serial in enumerate(serials)]

    def record(self, machine: Machine) -> Path:
        """A copy of the machine's record as it is now, with its pictures; it is sound.

        Nobody may write meanwhile: a round that runs or is locked waits for people.
        """
        here, place = self.folder / "record", Path(RECORD)
        shutil.rmtree(here, ignore_errors=True)
        machine.run(f"tar --create --file /run/record.tar --directory {place.parent} .")
        packed = machine.get("/run/record.tar", self.folder / "record.tar")
        with tarfile.open(packed) as files:
            files.extractall(here, filter="data")
        packed.unlink()
        checked = companion("check", "--record", str(here / place.name))
        assert checked.returncode == 0, checked.stdout + checked.stderr
        return here / place.name

    def log(self, machine: Machine) -> str:
        """The protocol of the newest match as the record has it; it is kept."""
        shown = companion("show", "last", "--record", str(self.record(machine)))
        assert shown.returncode == 0, shown.stderr
        self.keep("log.txt", shown.stdout)
        return shown.stdout

    def jaws_are_ready(self, machine: Machine) -> bool:
        """Whether the record has it that Jaws are ready for round 1: answered, not only asked."""
        return "Jaws: ready" in self.log(machine).replace("open: Jaws: ready", "")

    def saw(self, what: str) -> None:
        """Something that held, for the table at the end."""
        self.judged.append(what)

    def keep(self, name: str, text: str) -> None:
        """Keep a log that was judged."""
        (self.folder / name).write_text(text, "utf-8")

    def close(self) -> None:
        """End all machines; their disks go, what was judged stays."""
        for machine in self._machines:
            machine.close()
        for disk in self.folder.glob("disk-*.qcow2"):
            disk.unlink()
