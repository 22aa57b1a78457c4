"""The process that owns the pins and the deadline, and outlives the screen.

`python -m hardware.signal_process --pins lgpio|mock` serves the panel of this machine until nobody
needs it. Programs start it by themselves through `SignalClient`; it writes one line to standard
output once it serves (`{"ready": ...}`) or why it cannot (`{"failed": ..., "text": ...}`).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import FrameType

from companion.errors import BadCall, CompanionError, PinsMissing
from companion.offers import Json
from hardware.gpio_panel import GpioPanel, PinFactory
from hardware.pin_plan import PinPlan
from hardware.real_time import ask_first, ask_in_memory, granted
from hardware.signal_folder import AlreadyServed, SignalFolder
from hardware.signal_protocol import Failure, write_line
from hardware.signal_server import SignalServer, Terms
from hardware.speaker import NONE, PLAYERS, Speaker

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
    parser = argparse.ArgumentParser(prog="python -m hardware.signal_process", description=__doc__)
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
