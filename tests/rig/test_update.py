"""A newer release by a stick: taken, given up by itself where it does not start, and gone back."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.rig.hands import colours
from tests.rig.machine import Machine, State
from tests.rig.rig import COMPANION, Rig

PROJECT = Path(__file__).parents[2]
PARTS = ("companion", "hardware", "vision", "ui")
STICK = "/media/COMPANION"


def release(folder: Path, version: str, *, broken: bool = False) -> Path:
    """Our tree as a wheel of another version; `broken`: its commands run, its app does not."""
    tree = folder / version
    for part in PARTS:
        leave = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PROJECT / part, tree / part, ignore=leave)
    shutil.copy(PROJECT / "README.md", tree)
    project = (PROJECT / "pyproject.toml").read_text("utf-8")
    (tree / "pyproject.toml").write_text(
        project.replace('version = "0.1.0"', f'version = "{version}"', 1), "utf-8"
    )
    if broken:
        (tree / "ui/window/assembly.py").write_text("raise OSError('torn')\n", "utf-8")
    words = ("wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation")
    call = (sys.executable, "-m", "pip", *words, "--wheel-dir", folder, tree)
    subprocess.run(call, check=True, capture_output=True)
    return next(folder.glob(f"dogfight_companion-{version}-*.whl"))


def plug_a_stick(machine: Machine, *files: Path) -> None:
    """A file system of its own, mounted where a desktop mounts sticks, with these files on it."""
    machine.run(
        "dd if=/dev/zero of=/stick bs=1M count=64 status=none; mkfs.ext4 -q /stick; "
        f"mkdir -p {STICK}; mount -o loop /stick {STICK}; chown pi {STICK}"
    )
    for file in files:
        machine.put(file, f"{STICK}/{file.name}", user="pi")


def version(machine: Machine) -> str:
    """What the command says that it is."""
    return machine.run(f"{COMPANION} --version", user="pi").split()[-1]


def test_a_newer_release_comes_by_a_stick_and_goes_back(rig: Rig, at_home: State) -> None:
    """The app starts anew with it, and with the one before; a broken one is given up by itself."""
    newer, torn = release(rig.folder, "0.2.0"), release(rig.folder, "0.3.0", broken=True)
    machine = rig.at(at_home)
    first = version(machine)
    plug_a_stick(machine, newer)
    said = machine.run(f"{COMPANION} update", user="pi")
    assert version(machine) == "0.2.0"
    rig.screen(machine).picture("newer")
    assert machine.run(f"{COMPANION} update --back", user="pi")
    assert version(machine) == first
    machine.run("sleep 5")
    assert colours(rig.screen(machine).picture("back")) > 100
    machine.put(torn, f"/home/pi/{torn.name}", user="pi")
    tried = machine.try_to(f"{COMPANION} update ~/{torn.name}", user="pi")
    said += tried.out + tried.err
    rig.keep("update.txt", said)
    assert tried.status == 1, said
    assert version(machine) == first
    machine.wait_for("systemctl is-active companion")
    rig.saw(f"{first}, 0.2.0 by a stick, back to {first}, a broken 0.3.0 given up by itself")
