"""What `companion box install`, `monitor` and `simulate` do."""

from __future__ import annotations

import os
import queue
import select
import sys
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from companion.core.errors import BadCall, BadFile, PanelError
from hardware.firmware.frame import Lines
from hardware.sensor_box.install import install as put_on_board
from hardware.sensor_box.line import find_ports, open_port
from hardware.sensor_box.sensor_box import SensorBox
from hardware.sensor_box.simulated import (
    WORDS,
    SimulatedBox,
    TimedDeed,
    faults_of,
    read_deed,
    read_script,
)
from hardware.sensor_box.traffic import Monitor, Piece, Tap, TappedPort, TrafficFile, read_traffic
from hardware.signals.folder import SignalFolder
from ui.terminal.options import DONE, WRONG

LOOK_S = 0.05


def install(port: str) -> int:
    """Put the program on the board; 1 if that failed."""
    try:
        put_on_board(port, _say)
    except PanelError as why:
        _complain(str(why))
        return WRONG
    return DONE


def monitor(
    port: str, record: Path | None, replay: Path | None, seconds: float | None, *, everything: bool
) -> int:
    """Show a box's traffic, or kept traffic; 1 if no box was heard."""
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


def simulate(
    link: Path | None, faults: Sequence[str], script: Path | None, seconds: float | None, seed: int
) -> int:
    """Serve a simulated box until its time is over, `quit` is typed, or Ctrl-C."""
    suffered, deeds, until = faults_of(list(faults)), _script(script), _until(seconds)
    try:
        with SimulatedBox(link or _default_link(), suffered, seed=seed) as box:
            _say(f"a simulated sensor box is at {box.path}")
            _say(f"look at it with: companion box monitor {box.path}")
            _say(f"type what hands do: {'; '.join(WORDS)}; quit")
            _serve(box, deque(deeds), until)
    except PanelError as why:
        _complain(str(why))
        return WRONG
    except KeyboardInterrupt:
        return DONE
    return DONE


def _script(path: Path | None) -> list[TimedDeed]:
    if path is None:
        return []
    try:
        return read_script(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(str(path), "", f"cannot be read ({error})") from error


def _default_link() -> Path:
    folder = SignalFolder()
    folder.make()
    return folder.path / "box"


def _serve(box: SimulatedBox, deeds: deque[TimedDeed], until: float) -> None:
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


def _do(box: SimulatedBox, line: str) -> None:
    try:
        box.act(partial(read_deed(line), box))
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
