"""Starting the signal process so that it outlives whoever started it."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from companion.errors import PanelError, PinsMissing
from hardware.pin_plan import PINS, PinPlan
from hardware.signal_folder import SignalFolder
from hardware.signal_protocol import BadRequest, Failure, Fields, parse_object
from hardware.speaker import NONE

START_MAX_S = 15.0
"""A Pi that boots from a slow card takes seconds to load Python and the pin library."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the signal process shall be: its pin factory, loudspeaker, patience, and pins.

    `speaker`: "auto", "none" or a player's name. By default one thing sounds, not two: the buzzer
    on real pins, the loudspeaker with mock pins or where no buzzer is wired.
    """

    pins: str
    speaker: str = ""
    linger_s: float = 30.0
    plan: PinPlan = PINS

    @property
    def player(self) -> str:
        """The loudspeaker as the process takes it."""
        wired = self.pins != "mock" and self.plan.buzzer is not None
        return self.speaker or (NONE if wired else "auto")


def start_process(folder: SignalFolder, wanted: Wanted) -> None:
    """Start a signal process in a session of its own; returns once one serves.

    A signal that ends the program's process group, or its terminal, does not reach it. Errors:
    PinsMissing and PanelError with what the process said.
    """
    folder.make()
    with folder.log.open("ab") as log, _popen(folder, wanted, log.fileno()) as process:
        line = _first_line(process)
        process.wait()  # it has forked: the one that serves is nobody's child
    _judge(line, folder)


def _popen(folder: SignalFolder, wanted: Wanted, log: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "hardware.signal_process", "--detach"]
    command += ["--pins", wanted.pins, "--speaker", wanted.player]
    command += ["--plan", json.dumps(wanted.plan.to_json())]
    command += ["--folder", str(folder.path), "--linger", str(wanted.linger_s)]
    source = str(Path(__file__).resolve().parents[1])
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
    try:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=log,
            start_new_session=True,
            cwd=folder.path,
            env={**os.environ, "PYTHONPATH": path},
        )
    except OSError as error:
        raise PanelError(f"the signal process cannot be started: {error}") from error


def _first_line(process: subprocess.Popen[bytes]) -> bytes:
    """What the process says within START_MAX_S; empty if it says nothing."""
    assert process.stdout is not None
    ready, _, _ = select.select([process.stdout], [], [], START_MAX_S)
    if ready:
        return process.stdout.readline()
    process.kill()
    return b""


def _judge(line: bytes, folder: SignalFolder) -> None:
    try:
        fields = parse_object(line)
        if "ready" in fields:
            return
        failed, text = Fields(fields).text("failed"), str(fields.get("text"))
    except BadRequest:
        raise PanelError(
            f"the signal process did not come up within {START_MAX_S:g} s: what it wrote stands "
            f"in {folder.log}"
        ) from None
    if failed == Failure.SERVED:
        return  # another program was quicker: its process serves us too
    raise (PinsMissing if failed == Failure.PINS_MISSING else PanelError)(text)
