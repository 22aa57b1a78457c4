"""The signal process, which owns the pins and the deadline and outlives the screen.

`python -m hardware.signals.process --pins lgpio|mock` serves the panel of this machine until nobody
needs it. Programs start it by themselves through `SignalClient`; it writes one line to standard
output once it serves (`{"ready": ...}`) or why it cannot (`{"failed": ..., "text": ...}`).
"""

from __future__ import annotations

import argparse
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from companion.core.errors import BadCall, CompanionError, PanelError, PinsMissing
from companion.core.ruling import Json
from hardware.panel.deadline import ask_first, ask_in_memory, granted
from hardware.panel.gpio import GpioPanel, PinFactory
from hardware.panel.pins import PINS, PinPlan
from hardware.panel.speaker import NONE, PLAYERS, Speaker
from hardware.signals.folder import AlreadyServed, SignalFolder
from hardware.signals.protocol import BadRequest, Failure, Fields, parse_object, write_line
from hardware.signals.server import SignalServer, Terms

ENDED_WELL = 0
CANNOT_SERVE = 1
BAD_CALL = 2


def main(arguments: list[str] | None = None) -> int:
    """Serve the panel; the exit status."""
    called = _parser().parse_args(arguments)
    if called.detach and os.fork() > 0:
        os._exit(ENDED_WELL)  # the child goes on; whoever started us need not wait for it
    try:
        _serve(called)
    except CompanionError as error:
        _say({"failed": _failure(error), "text": str(error)})
        return BAD_CALL if isinstance(error, BadCall) else CANNOT_SERVE
    return ENDED_WELL


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m hardware.signals.process", description=__doc__)
    pins = parser.add_argument("--pins", required=True, choices=list(PinFactory))
    pins.help = "the pin factory; never guessed"
    parser.add_argument("--plan", default="{}", help="part and pin as JSON, where not as shipped")
    parser.add_argument("--folder", type=Path, help="where socket and journal lie")
    parser.add_argument("--speaker", default=NONE, choices=["auto", NONE, *PLAYERS])
    parser.add_argument("--linger", type=float, default=30.0, help="s to wait unneeded")
    parser.add_argument("--detach", action="store_true", help="serve from a process of its own")
    return parser


def _serve(called: argparse.Namespace) -> None:
    plan = read_plan(called.plan)
    folder = SignalFolder(called.folder)
    lock = folder.claim()
    _work_in(folder.path)
    signal.signal(signal.SIGTERM, _leave)
    speaker = Speaker(called.speaker)  # before the wish below: it is nobody's first concern
    first = ask_first()  # before the pins: the library's threads inherit it
    with GpioPanel(called.pins, plan) as wires:
        terms = Terms(granted(first, ask_in_memory()), called.linger, plan)
        server = SignalServer(wires, folder, speaker, terms)
        try:
            _say({"ready": os.getpid()})
            server.run()
        finally:
            server.close()
            folder.leave()
            os.close(lock)


def read_plan(text: str) -> PinPlan:
    """The pin plan of a command line; BadCall where it is none."""
    try:
        return PinPlan.from_json(json.loads(text))
    except ValueError as wrong:
        if isinstance(wrong, BadCall):
            raise
        raise BadCall(f"--plan is no JSON: {wrong}") from wrong


def _work_in(path: Path) -> None:
    """Work in the runtime folder: lgpio makes a pipe where it is started, and needs to write there.

    Its library looks for the pipe in LG_WD, its Python half in the working folder.
    """
    os.chdir(path)
    os.environ.pop("LG_WD", None)


def _leave(_signal: int, _frame: FrameType | None) -> None:
    raise SystemExit(ENDED_WELL)


def _failure(error: CompanionError) -> Failure:
    if isinstance(error, PinsMissing):
        return Failure.PINS_MISSING
    return Failure.SERVED if isinstance(error, AlreadyServed) else Failure.PANEL


def _say(fields: Mapping[str, Json]) -> None:
    """Write the one line that the starter waits for; it may have gone already."""
    try:
        sys.stdout.buffer.write(write_line(fields))
        sys.stdout.flush()
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, sys.stdout.fileno())
        os.close(quiet)
    except OSError:
        return


if __name__ == "__main__":
    raise SystemExit(main())


# Starting it so that it outlives whoever started it.

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
    command = [sys.executable, "-m", "hardware.signals.process", "--detach"]
    command += ["--pins", wanted.pins, "--speaker", wanted.player]
    command += ["--plan", json.dumps(wanted.plan.to_json())]
    command += ["--folder", str(folder.path), "--linger", str(wanted.linger_s)]
    source = str(Path(__file__).resolve().parents[2])
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
