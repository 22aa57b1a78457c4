"""The sensor box: install, monitor, simulate."""

from __future__ import annotations

import os
import queue
import select
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from companion.core.errors import BadCall, BadFile, PanelError
from companion.core.files import text_of
from hardware.firmware.frame import Lines
from hardware.sensor_box import simulated
from hardware.sensor_box.install import install as put_on_board
from hardware.sensor_box.line import find_ports, open_port
from hardware.sensor_box.sensor_box import SensorBox
from hardware.sensor_box.traffic import Monitor, Piece, Tap, TappedPort, TrafficFile, read_traffic
from hardware.signals.folder import SignalFolder
from ui.terminal.options import DONE, WRONG

LOOK_S = 0.05

box = typer.Typer(no_args_is_help=True, add_completion=False, rich_markup_mode=None, help=__doc__)

Port = Annotated[
    str, typer.Argument(help="Its serial number, path or address; else whatever looks like a box.")
]


@box.command()
def install(port: Port = "") -> int:
    """Put the box's program on a Raspberry Pi Pico that runs MicroPython."""
    try:
        put_on_board(port, _say)
    except PanelError as why:
        _complain(str(why))
        return WRONG
    return DONE


@box.command()
def monitor(
    port: Port = "",
    record: Annotated[Path | None, typer.Option(help="Keep the raw traffic in this file.")] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Show kept traffic instead of a box's.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="End after so long.")] = None,
    *,
    everything: Annotated[
        bool, typer.Option("--all", help="Also what comes all the time.")
    ] = False,
) -> int:
    """Show what a sensor box says, and what it means. Ctrl-C ends it."""
    shown = Monitor(everything)
    try:
        if replay is not None:
            for piece in read_traffic(replay):
                _show(shown, piece)
            return DONE
        return _watch(port, record, seconds, shown)
    except PanelError as why:
        _complain(str(why))
        return WRONG
    except KeyboardInterrupt:
        return DONE


def _watch(port: str, record: Path | None, seconds: float | None, shown: Monitor) -> int:
    pieces: queue.SimpleQueue[Piece] = queue.SimpleQueue()
    taps: list[Tap] = []
    with ExitStack() as stack:
        if record is not None:
            file = TrafficFile(record)
            stack.callback(file.close)
            taps.append(file)

        def tap(piece: Piece) -> None:
            pieces.put(piece)
            for one in taps:
                one(piece)

        find_ports(port)  # one that is not there is said at once
        box = stack.enter_context(
            SensorBox(port, opener=lambda name: TappedPort(open_port(name), tap))
        )
        return _show_until(box, pieces, shown, _until(seconds))


def _show_until(
    box: SensorBox, pieces: queue.SimpleQueue[Piece], shown: Monitor, until: float
) -> int:
    trouble = ""
    heard = False
    while time.monotonic() < until:
        try:
            _show(shown, pieces.get(timeout=LOOK_S))
        except queue.Empty:
            state = box.state()
            heard |= state.usable
            if state.trouble and state.trouble != trouble:
                _complain(f"{state.trouble}; trying again, Ctrl-C ends it")
            trouble = state.trouble
    return DONE if heard else WRONG


def _show(shown: Monitor, piece: Piece) -> None:
    for line in shown.lines(piece):
        _say(line)


@box.command()
def simulate(
    link: Annotated[Path | None, typer.Option(help="Where the companion shall find it.")] = None,
    fault: Annotated[
        list[str] | None,
        typer.Option("--fault", help="What goes wrong, as garbage=0.01 or unplug_s=30. Repeats."),
    ] = None,
    script: Annotated[
        Path | None, typer.Option(help="What hands do: `SECONDS WORDS` a line.")
    ] = None,
    seconds: Annotated[float | None, typer.Option(help="End after so long.")] = None,
    seed: Annotated[int, typer.Option(help="Faults by another chance.")] = 0,
) -> int:
    """Pretend a sensor box behind a pseudo-terminal; what is typed is what hands do."""
    suffered, deeds, until = simulated.faults_of(fault or []), _script(script), _until(seconds)
    try:
        with simulated.SimulatedBox(link or _default_link(), suffered, seed=seed) as pretended:
            _say(f"a simulated sensor box is at {pretended.path}")
            _say(f"look at it with: companion box monitor {pretended.path}")
            _say(f"type what hands do: {'; '.join(simulated.WORDS)}; quit")
            _serve(pretended, deque(deeds), until)
    except PanelError as why:
        _complain(str(why))
        return WRONG
    except KeyboardInterrupt:
        return DONE
    return DONE


def _script(path: Path | None) -> list[simulated.TimedDeed]:
    if path is None:
        return []
    try:
        return simulated.read_script(text_of(path), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(str(path), "", f"cannot be read ({error})") from error


def _default_link() -> Path:
    folder = SignalFolder()
    folder.make()
    return folder.path / "box"


def _serve(box: simulated.SimulatedBox, deeds: deque[simulated.TimedDeed], until: float) -> None:
    began = time.monotonic()
    typed = _typed()
    while time.monotonic() < until:
        while deeds and began + deeds[0].after_s <= time.monotonic():
            deeds.popleft().deed(box)
        line = next(typed, None)
        if line is not None and line.strip() == "quit":
            return
        if line is not None and line.strip():
            _do(box, line)
        elif line is None:
            time.sleep(LOOK_S)


def _do(box: simulated.SimulatedBox, line: str) -> None:
    try:
        box.act(partial(simulated.read_deed(line), box))
    except BadCall as wrong:
        _complain(str(wrong))


def _typed() -> Iterator[str]:
    """Lines as they are typed; an empty one while nothing is, and no more after the end."""
    lines = Lines()
    while True:
        ready, _, _ = select.select([sys.stdin], [], [], LOOK_S)
        data = os.read(sys.stdin.fileno(), 4096) if ready else b""
        if ready and not data:
            return
        for line in lines.feed(data):
            yield line.decode("utf-8", "replace")
        yield ""


def _until(seconds: float | None) -> float:
    if seconds is not None and not 0.0 < seconds < float("inf"):
        raise BadCall(f"--seconds {seconds:g}: give a number of seconds above 0")
    return float("inf") if seconds is None else time.monotonic() + seconds


def _say(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command speaks


def _complain(text: str) -> None:
    print(f"companion: {text}", file=sys.stderr, flush=True)  # noqa: T201 - as above
