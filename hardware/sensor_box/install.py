"""Puts the sensor box's program on a board with mpremote, MicroPython's own tool.

The board needs MicroPython first, which is put there once, by hand: its makers give it as a file
to be copied onto the drive that a Pico shows while its BOOTSEL key is held.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from companion.core.errors import PanelError
from hardware.sensor_box.line import BoxAbsent, BoxBusy, find_ports, open_port
from hardware.sensor_box.sensor_box import SensorBox
from hardware.sensor_box.words import SHIPPED

FIRMWARE = Path(__file__).parents[1] / "firmware"
FOLDER = "hardware/firmware"
STEP_S = 60.0
GREETING_S = 4.0
RETURN_S = 15.0

NEW_BOARD = (
    "a new one needs MicroPython first: hold its BOOTSEL key while plugging it in, and copy "
    "MicroPython's file for the Pico (RPI_PICO-….uf2) onto the drive that appears; then try again"
)
NO_BOARD = f"plug the Pico in with a cable that carries data; {NEW_BOARD}"
NO_TOOL = "mpremote is not installed: `pip install mpremote`"

MAKE_FOLDERS = """
import os
for name in ("hardware", "hardware/firmware"):
    try:
        os.mkdir(name)
    except OSError:
        pass
"""
LEAVE_MAINTENANCE = """
import os
try:
    os.remove("stay")
except OSError:
    pass
"""

Say = Callable[[str], None]


class InstallFailed(PanelError):
    """The board did not take the program; what mpremote said is in the message."""


def firmware_files() -> list[Path]:
    """The files that go into the board's folder; main.py goes to its top."""
    return sorted(path for path in FIRMWARE.glob("*.py") if path.name != "main.py")


def install(wanted: str, say: Say) -> None:
    """Put the program on the board and hear it greet.

    Errors: BoxAbsent, BoxBusy and InstallFailed, each with the way out.
    """
    port = _board(wanted)
    say(f"board on {port}")
    _ask_to_leave(port, say)
    port = _returned(wanted, port)
    say(f"copying {len(firmware_files()) + 1} files")
    _mpremote(port, _steps())
    say("started again; waiting for its greeting")
    say(_greeting(wanted or port))


def _board(wanted: str) -> str:
    try:
        return find_ports(wanted)[0]
    except BoxAbsent as absent:
        raise BoxAbsent(f"no board was found ({absent}): {NO_BOARD}") from absent


def _steps() -> list[str]:
    """All that mpremote does, one after the other; it ends at the first that fails."""
    files = [str(path) for path in firmware_files()]
    return [
        *("exec", MAKE_FOLDERS),
        *("+", "fs", "cp", "-f", *files, f":{FOLDER}/"),
        *("+", "fs", "cp", "-f", str(FIRMWARE / "main.py"), ":main.py"),
        *("+", "exec", LEAVE_MAINTENANCE),
        *("+", "reset"),
    ]


def _mpremote(port: str, command: list[str]) -> None:
    whole = [sys.executable, "-m", "mpremote", "connect", port, *command]
    try:
        ran = subprocess.run(whole, capture_output=True, text=True, timeout=STEP_S, check=False)
    except subprocess.TimeoutExpired as slow:
        raise InstallFailed(
            f"the board on {port} does not answer: pull its cable and plug it in again; if that "
            "does not help, hold BOOTSEL and put MicroPython on it anew"
        ) from slow
    if ran.returncode != 0:
        raise _failure(port, (ran.stderr or ran.stdout).strip())


def _failure(port: str, said: str) -> PanelError:
    if "No module named mpremote" in said:
        return InstallFailed(NO_TOOL)
    if "in use" in said or "exclusively" in said:
        return BoxBusy(f"{port} is busy by another program: close the companion, then try again")
    if "raw repl" in said:
        return InstallFailed(f"what is on {port} does not answer as MicroPython does: {NO_BOARD}")
    return InstallFailed(f"mpremote: {said.splitlines()[-1] if said else 'failed without a word'}")


def _ask_to_leave(port: str, say: Say) -> None:
    """A box that runs its program lets nobody at its prompt: it must begin anew without it."""
    with SensorBox(port) as box:
        until = time.monotonic() + GREETING_S
        while time.monotonic() < until and not box.state().usable:
            if box.state().trouble and "busy" in box.state().trouble:
                raise BoxBusy(box.state().trouble)
            time.sleep(0.05)
        state = box.state()
        if not state.usable:
            say("no box's program answers: a board with MicroPython alone, or another program")
            return
        say(f"it runs program {state.firmware}; asking it to stand aside")
        box.maintain()


def _returned(wanted: str, port: str) -> str:
    """The port once the board is back from its new beginning; its name may have changed."""
    until = time.monotonic() + RETURN_S
    time.sleep(1.0)
    while time.monotonic() < until:
        try:
            found = find_ports(wanted)[0]
            open_port(found).close()
        except PanelError:
            time.sleep(0.2)
        else:
            return found
    raise InstallFailed(f"the board on {port} did not come back: pull its cable and plug it in")


def _greeting(wanted: str) -> str:
    with SensorBox(wanted) as box:
        until = time.monotonic() + RETURN_S
        while time.monotonic() < until:
            state = box.state()
            if state.usable and state.firmware == SHIPPED:
                return f"board {state.board} runs program {state.firmware}"
            time.sleep(0.05)
        raise InstallFailed(
            f"the board has the files but does not greet ({box.state().trouble or 'no word'}): "
            "pull its cable, plug it in again, and look with `companion box monitor`"
        )
