"""The sensor box's raw traffic: kept as it came and went, shown to people, and replayed.

A file of it has one JSON line a piece: `{"at": 12.345678, "from": "box", "bytes": "..."}`; `at` in
monotonic s, `from` is `box`, `companion` or `port` (opened, lost), each byte a character of the
same number.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from companion.core.errors import BadFile
from companion.core.files import text_of
from hardware.firmware.frame import Lines
from hardware.sensor_box.clock import BoxTime
from hardware.sensor_box.line import BoxGone, Port, open_port
from hardware.sensor_box.session import BoxSession, EventsLost, Inbox, Told
from hardware.sensor_box.words import (
    FAULTS,
    Beat,
    CardWord,
    FaultWord,
    Hello,
    KeyWord,
    SignWord,
    input_named,
)
from hardware.signals.protocol import parse_object

# Traffic: pieces of it, kept in a file and read again.

SIZE_MAX = 4_000_000
"""Bytes after which a file of traffic is set aside as `NAME.old` and begun anew: some hours."""

BOX, COMPANION, PORT = "box", "companion", "port"


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that went over the line together: when (monotonic s), and who sent them."""

    at: float
    sender: str
    data: bytes

    def line(self) -> str:
        """The piece as a line of a file, its end included."""
        text = self.data.decode("latin-1")
        return (
            json.dumps({"at": round(float(self.at), 6), "from": self.sender, "bytes": text}) + "\n"
        )

    @classmethod
    def read(cls, line: str) -> Self:
        """A piece of a file; ValueError says what is wrong."""
        fields = parse_object(line.encode())
        at, sender, text = fields.get("at"), fields.get("from"), fields.get("bytes")
        if isinstance(at, float) and sender in (BOX, COMPANION, PORT) and isinstance(text, str):
            return cls(at, str(sender), text.encode("latin-1"))
        raise ValueError(
            'a line is {"at": seconds, "from": "box", "companion" or "port", "bytes": text}'
        )


Tap = Callable[[Piece], None]


class TappedPort:
    """A port whose traffic is told to `tap` as well, in both directions."""

    def __init__(self, port: Port, tap: Tap, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = port.name
        self._port, self._tap, self._clock = port, tap, clock
        tap(Piece(clock(), PORT, f"opened {port.name}".encode()))

    def read(self) -> bytes:
        try:
            data = self._port.read()
        except BoxGone as gone:
            self._tap(Piece(self._clock(), PORT, f"lost: {gone}".encode()))
            raise
        if data:
            self._tap(Piece(self._clock(), BOX, data))
        return data

    def write(self, data: bytes) -> None:
        self._tap(Piece(self._clock(), COMPANION, data))
        self._port.write(data)

    def close(self) -> None:
        self._port.close()
        if isinstance(self._tap, TrafficFile):
            self._tap.close()


class TrafficFile:
    """A tap that keeps what it hears; a full disk stops the keeping and nothing else."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.trouble = ""
        self._size = 0
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("a", encoding="ascii")
            self._size = path.stat().st_size
        except OSError as error:
            raise BadFile(str(path), "", f"cannot be written ({error.strerror})") from error

    def __call__(self, piece: Piece) -> None:
        line = piece.line()
        try:
            if self._size > SIZE_MAX:
                self._set_aside()
            self._file.write(line)
            self._file.flush()
            self._size += len(line)
        except (OSError, ValueError) as full:
            self.trouble = f"{self.path} takes no more ({full})"

    def _set_aside(self) -> None:
        self._file.close()
        self.path.replace(self.path.with_name(self.path.name + ".old"))
        self._file = self.path.open("a", encoding="ascii")
        self._size = 0

    def close(self) -> None:
        with suppress(OSError):
            self._file.close()


def kept_in(path: Path) -> Callable[[str], Port]:
    """How to open a port so that its traffic is kept in a file; where it cannot be, without.

    A port is open for one program alone: while a match runs, this is the only way to listen in.
    """

    def opened(name: str) -> Port:
        port = open_port(name)
        try:
            return TappedPort(port, TrafficFile(path))
        except BadFile:
            return port

    return opened


def read_traffic(path: Path) -> Iterator[Piece]:
    """The pieces of a file, in order; a torn last line is passed over.

    Error: BadFile names the line.
    """
    try:
        lines = text_of(path).splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(str(path), "", f"is no file of a box's traffic ({error})") from error
    for number, line in enumerate(lines, start=1):
        try:
            yield Piece.read(line)
        except ValueError as wrong:
            if number == len(lines) and not line.endswith("\n"):
                return
            raise BadFile(str(path), f"line {number}", str(wrong)) from wrong


class Replay:
    """What traffic tells, read again with the clock it was recorded by."""

    def __init__(self) -> None:
        self.inbox, self.time = Inbox(), BoxTime()
        self.session = self._begun()

    def _begun(self) -> BoxSession:
        return BoxSession("replay", self.inbox, self.time)

    def take(self, piece: Piece) -> list[Told]:
        """What one more piece tells."""
        if piece.sender == PORT:
            self.session = self._begun()
        elif piece.sender == COMPANION:
            self.session.overhear(piece.data, piece.at)
        else:
            return self.session.receive(piece.data, piece.at)
        return []


# Monitor: raw lines for people, and beside them what they mean.

QUIET = ("beat", "time", "ack")
"""Words that come all the time: shown on demand."""

ARROWS = {"box": "<", COMPANION: ">", PORT: "-"}


@dataclass(slots=True)
class Monitor:
    """Turns pieces of traffic into lines for people. `everything`: also the words that always come.

    Each line has the seconds since the first piece, an arrow (`<` the box, `>` the companion, `-`
    the port, `=` what it means, `!` what is wrong) and a text.
    """

    everything: bool = False
    replay: Replay = field(default_factory=Replay)
    _began: float | None = None
    _lines: dict[str, Lines] = field(default_factory=dict[str, Lines])
    _bad: int = 0

    def lines(self, piece: Piece) -> Iterator[str]:
        """The lines of one more piece."""
        if self._began is None:
            self._began = piece.at
        at = f"{piece.at - self._began:10.4f}"
        if piece.sender == PORT:
            self._lines.clear()
            self._bad = 0
            yield f"{at} - {piece.data.decode('utf-8', 'replace')}"
        else:
            yield from (f"{at} {line}" for line in self._raw(piece))
        told = self.replay.take(piece)
        yield from (f"{at} ! {why}" for why in self._complaints())
        yield from (
            f"{at} = {meaning}"
            for one in told
            if (meaning := meant(one, self.replay.time)) and (self.everything or _matters(one))
        )

    def _raw(self, piece: Piece) -> Iterator[str]:
        for line in self._lines.setdefault(piece.sender, Lines()).feed(piece.data):
            text = line.decode("ascii", "backslashreplace").rstrip("\r")
            word = text.split(" ")[1:2]
            if self.everything or not word or word[0] not in QUIET:
                yield f"{ARROWS[piece.sender]} {text!s}"

    def _complaints(self) -> list[str]:
        session = self.replay.session
        fresh = session.bad_lines - self._bad
        self._bad = session.bad_lines
        return list(session.bad)[-fresh:] if fresh > 0 else []


def _matters(told: Told) -> bool:
    return not isinstance(told, Beat)


def meant(told: Told, box_time: BoxTime) -> str:
    """A word of the box as a sentence."""
    if isinstance(told, Hello):
        return f"board {told.board}, program {told.firmware}, protocol {told.protocol}"
    if isinstance(told, Beat):
        return f"slots {''.join(map(str, told.slots))}, {_clock(box_time)}"
    if isinstance(told, EventsLost):
        return str(told)
    if isinstance(told, FaultWord):
        return f"{input_named(told.input)} {FAULTS[told.what]}"
    if isinstance(told, KeyWord):
        held = "pressed" if told.held_us is None else f"released after {told.held_us / 1e6:.2f} s"
        return f"{told.button} {held}{_error(told.at_us, told.error_us, box_time)}"
    if isinstance(told, CardWord):
        place = f"track {told.track + 1} section {told.section}"
        cards = "1 card" if told.cards == 1 else f"{told.cards} cards"
        return f"{place}: {told.move}, {cards} now{_error(told.at_us, told.error_us, box_time)}"
    return _sign(told)


def _sign(told: SignWord) -> str:
    what = f"{told.rest_ms / 1000:g} s left" if told.rest_ms else "zero"
    return f"{told.round}: {what} sounded, {told.late_us / 1000:.2f} ms late"


def _error(at_us: int, error_us: int, box_time: BoxTime) -> str:
    if not box_time.known:
        return ""
    return f" (± {(box_time.ours(at_us).error_s * 1000 + error_us / 2000):.1f} ms)"


def _clock(box_time: BoxTime) -> str:
    if box_time.error_s is None or box_time.drift is None:
        return "its clock is not known yet"
    drift = f"drift {box_time.drift * 1e6:+.0f} ppm"
    return f"its clock is known to {box_time.error_s * 1000:.2f} ms, {drift}"
