"""The simulated sensor box: the program that runs on the Pico, behind a pseudo-terminal.

It serves for trying things out, for demonstrations and for tests; `companion box simulate` runs it
by itself. It can be made to suffer everything that a real line suffers (`Faults`).
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from random import Random
from typing import Self

from companion.core.errors import BadCall, BadFile, PanelError
from hardware.firmware.board import Board
from hardware.firmware.box import BUTTONS, SLOTS, Box
from hardware.firmware.frame import Lines
from hardware.firmware.ticks import PERIOD, Clock

# Faults of a line, by a seed: garbage, torn lines, delays, duplicates, losses.

GARBAGE_MAX = 40


@dataclass(frozen=True, slots=True)
class Faults:
    """How often each line suffers what (0 to 1), and what befalls the box itself.

    `garbage` changes, adds or takes bytes anywhere in it; `torn` cuts it short, its end included;
    `delayed` holds it and all behind it back for up to `delay_s`. `drift` is how much faster the
    box's clock goes (s/s); resets and pulled cables come after `reset_s` and `unplug_s` on average
    (0: never).
    """

    garbage: float = 0.0
    torn: float = 0.0
    duplicate: float = 0.0
    missing: float = 0.0
    delayed: float = 0.0
    delay_s: float = 0.05
    drift: float = 0.0
    reset_s: float = 0.0
    unplug_s: float = 0.0

    def __post_init__(self) -> None:
        for share in ("garbage", "torn", "duplicate", "missing", "delayed"):
            if not 0.0 <= getattr(self, share) <= 1.0:
                raise BadCall(f"{share} is a share from 0 to 1, not {getattr(self, share):g}")
        if not -0.01 <= self.drift <= 0.01:
            raise BadCall(f"drift is from -0.01 to 0.01 seconds a second, not {self.drift:g}")
        for span in ("delay_s", "reset_s", "unplug_s"):
            if not 0.0 <= getattr(self, span) < float("inf"):
                raise BadCall(f"{span} is a number of seconds, not {getattr(self, span):g}")


def faults_of(words: list[str]) -> Faults:
    """Faults as they are typed: `garbage=0.01 unplug_s=30`; BadCall names those there are.

    >>> faults_of(["torn=0.5", "drift=20e-6"])
    Faults(garbage=0.0, torn=0.5, duplicate=0.0, missing=0.0, delayed=0.0, delay_s=0.05, \
drift=2e-05, reset_s=0.0, unplug_s=0.0)
    """
    names = [field.name for field in fields(Faults)]
    given: dict[str, float] = {}
    for word in words:
        name, _, value = word.partition("=")
        try:
            number = float(value)
        except ValueError:
            number = None
        if name not in names or number is None:
            raise BadCall(f"{word!r} is no FAULT=NUMBER with a fault of {', '.join(names)}")
        given[name] = number
    return Faults(**given)


class FaultyWire:
    """One direction of a line: put lines in, take bytes out when they are due, in order."""

    def __init__(self, faults: Faults, chance: Random) -> None:
        self._faults = faults
        self._chance = chance
        self._held: deque[tuple[float, bytes]] = deque()
        self.spoilt = 0

    def put(self, line: bytes, now: float) -> None:
        """A line sets out at `now`."""
        faults = self._faults
        if self._happens(faults.missing):
            return
        copies = 2 if self._happens(faults.duplicate) else 1
        late_s = self._chance.uniform(0.0, faults.delay_s) if self._happens(faults.delayed) else 0.0
        due = max(now + late_s, self._held[-1][0] if self._held else now)
        for _ in range(copies):
            self._held.append((due, self._suffered(line)))

    def take(self, now: float) -> bytes:
        """What has arrived by `now`."""
        come = bytearray()
        while self._held and self._held[0][0] <= now:
            come += self._held.popleft()[1]
        return bytes(come)

    @property
    def next_at(self) -> float | None:
        """When something arrives."""
        return self._held[0][0] if self._held else None

    def _happens(self, share: float) -> bool:
        happens = share > 0.0 and self._chance.random() < share
        self.spoilt += happens
        return happens

    def _suffered(self, line: bytes) -> bytes:
        if self._happens(self._faults.torn):
            line = line[: self._chance.randrange(len(line))]
        if self._happens(self._faults.garbage):
            line = self._garbled(line)
        return line

    def _garbled(self, line: bytes) -> bytes:
        """A stretch anywhere in the line becomes other bytes, more or fewer."""
        begin = self._chance.randrange(len(line) + 1)
        end = min(len(line), begin + self._chance.randrange(8))
        noise = self._chance.randbytes(self._chance.randrange(GARBAGE_MAX))
        return line[:begin] + noise + line[end:]


# The simulated box.

TURN_S = 0.004
REPLUG_S = 0.3
SHOWN_KEPT = 256
IDENTITY = "SIMULATED0000001"


class SimulatedBoard(Board):
    """A board whose pins are lists, and whose clock is ours with an offset and a drift."""

    def __init__(self, clock: Callable[[], float], drift: float, chance: Random) -> None:
        self.identity = IDENTITY
        self.boot = f"{chance.getrandbits(32):08x}"
        self.counts = True
        self.buttons = [0] * len(BUTTONS)
        self.slots = [0] * len(SLOTS)
        self.outputs = 0
        self.shown: deque[int] = deque(maxlen=SHOWN_KEPT)  # the latest outputs, oldest first
        self.brightness = 100
        self.sent: deque[bytes] = deque()
        self.maintained = False
        self.alarm_at: int | None = None
        self._alarm_outputs = 0
        self._clock, self._rate = clock, 1.0 + drift
        self._began = clock()
        self._counter = chance.randrange(PERIOD)
        self._ticks = Clock(self._counter)

    def now(self) -> int:
        passed_us = int((self._clock() - self._began) * self._rate * 1e6)
        return self._ticks.at((self._counter + passed_us) % PERIOD)

    def ours(self, at_us: int) -> float:
        """A moment of this board on the clock that it was given."""
        return self._began + at_us * 1e-6 / self._rate

    def levels(self) -> tuple[list[int], list[int]]:
        return self.buttons, self.slots

    def apply(self, outputs: int) -> None:
        self.outputs = outputs
        self.shown.append(outputs)

    def dim(self, brightness: int) -> None:
        self.brightness = brightness

    def alarm(self, at_us: int | None, outputs: int) -> None:
        self.alarm_at, self._alarm_outputs = at_us, outputs

    def fired(self) -> int | None:
        now = self.now()
        if self.alarm_at is None or now < self.alarm_at:
            return None
        self.alarm_at = None
        self.apply(self._alarm_outputs)
        return now

    def write(self, line: bytes) -> None:
        self.sent.append(line)

    def maintain(self) -> None:
        self.maintained = True


class SimulatedBox:
    """One simulated box on one line. `link` is a path that always leads to the present terminal.

    Its methods may be called from any thread while it runs.
    """

    def __init__(
        self,
        link: Path | None = None,
        faults: Faults | None = None,
        *,
        seed: int = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.faults = faults or Faults()
        self.resets = self.unplugs = 0
        self._link, self._clock = link, clock
        self._chance = Random(seed)
        self._acts: deque[Callable[[], None]] = deque()
        self._later: list[tuple[float, Callable[[], object]]] = []
        self._wake, self._waker = os.pipe()
        self._master = self._slave = -1
        self._plugged_at = clock()
        self._ending = False
        self._thread: threading.Thread | None = None
        self._power_on()
        self.plug()

    def _power_on(self, slots: list[int] | None = None) -> None:
        self.board = SimulatedBoard(self._clock, self.faults.drift, self._chance)
        self.board.slots = slots or self.board.slots  # cards lie where they lay
        self.box = Box(self.board)
        self._out = FaultyWire(self.faults, self._chance)
        self._in = FaultyWire(self.faults, self._chance)
        self._received = Lines()
        self._reset_at = self._next(self.faults.reset_s)

    def _next(self, mean_s: float) -> float:
        wait_s = self._chance.expovariate(1.0 / mean_s) if mean_s > 0.0 else float("inf")
        return self._clock() + wait_s

    # -- the cable -------------------------------------------------------------------------

    @property
    def path(self) -> str:
        """Where the companion finds it: the link, or the terminal of this moment."""
        return str(self._link) if self._link is not None else os.ttyname(self._slave)

    def plug(self) -> None:
        """Put the cable in: a new terminal, and the link leads to it."""
        if self._master >= 0:
            return
        try:
            self._master, self._slave = os.openpty()
        except OSError as error:
            raise PanelError(f"this system gives no pseudo-terminal ({error})") from error
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        if self._link is not None:
            fresh = self._link.with_name(self._link.name + ".new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(os.ttyname(self._slave))
            fresh.replace(self._link)
        self._unplug_at = self._next(self.faults.unplug_s)

    def unplug(self, out_s: float = REPLUG_S) -> None:
        """Pull the cable for so long: whoever has the terminal open loses it.

        The box keeps its power.
        """
        if self._master < 0:
            return
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self._plugged_at = self._clock() + out_s
        self.unplugs += 1

    def reset(self) -> None:
        """Take its power away for a moment: it forgets everything, its clock begins at 0."""
        self._power_on(self.board.slots)
        self.resets += 1

    # -- hands -----------------------------------------------------------------------------

    def lay(self, slot: str, cards: int = 1) -> None:
        """Let so many cards lie on a slot, as "1.3"; BadCall names the slots there are."""
        if slot not in SLOTS:
            raise BadCall(f"no slot {slot!r}; there are {', '.join(SLOTS)}")
        if not 0 <= cards <= 9:
            raise BadCall(f"{cards} cards do not lie on a slot; 0 to 9 do")
        self.board.slots[SLOTS.index(slot)] = cards

    def lift(self, slot: str) -> None:
        """Take the cards off a slot."""
        self.lay(slot, 0)

    def hold(self, button: str, *, down: bool) -> None:
        """Hold or release a button; BadCall names the buttons there are."""
        if button not in BUTTONS:
            raise BadCall(f"no button {button!r}; there are {', '.join(BUTTONS)}")
        self.board.buttons[BUTTONS.index(button)] = int(down)

    def act(self, deed: Callable[[], object]) -> None:
        """Let the box's own thread do something between two looks at its inputs."""
        done = threading.Event()

        def do() -> None:
            deed()
            done.set()

        self._acts.append(do)
        with suppress(OSError):
            os.write(self._waker, b".")
        if threading.current_thread() is not self._thread and self._thread is not None:
            done.wait(5.0)

    def after(self, wait_s: float, deed: Callable[[], object]) -> None:
        """Let the box's own thread do something in a while."""
        self._later.append((self._clock() + wait_s, deed))

    # -- the loop --------------------------------------------------------------------------

    def turn(self) -> None:
        """One turn: hands, what came, the box's own turn, what goes out, the cable."""
        self.box.turn()
        for at, deed in list(self._later):
            if at <= self._clock():
                self._later.remove((at, deed))
                deed()
        while self._acts:
            self._acts.popleft()()
            self.box.turn()
        self._read()
        self.box.turn()
        self._write()
        self._suffer()

    def _read(self) -> None:
        now = self._clock()
        if self._master >= 0:
            with suppress(OSError):
                for line in self._received.feed(os.read(self._master, 65536)):
                    self._in.put(line + b"\n", now)
        data = self._in.take(now)
        if data:
            self.box.take(data)

    def _write(self) -> None:
        now = self._clock()
        while self.board.sent:
            self._out.put(self.board.sent.popleft(), now)
        data = self._out.take(now)
        if data and self._master >= 0:
            with suppress(OSError):  # nobody reads: what does not fit is dropped, as on the Pico
                os.write(self._master, data)

    def _suffer(self) -> None:
        now = self._clock()
        if now >= self._reset_at or self.board.maintained:
            self.reset()
        if self._master >= 0 and now >= self._unplug_at:
            self.unplug()
        elif self._master < 0 and now >= self._plugged_at:
            self.plug()

    def run(self) -> None:
        """Serve until `close`."""
        while not self._ending:
            self._rest()
            self.turn()

    def _rest(self) -> None:
        """Wait for bytes, hands, the alarm or the next turn."""
        poll = select.poll()
        poll.register(self._wake, select.POLLIN)
        if self._master >= 0:
            poll.register(self._master, select.POLLIN)
        wait_s = TURN_S
        if self.board.alarm_at is not None:
            wait_s = min(wait_s, self.board.ours(self.board.alarm_at) - self._clock())
        if wait_s > 0.001:
            for fd, _ in poll.poll(int(wait_s * 1000)):
                if fd == self._wake:
                    os.read(self._wake, 4096)
        elif wait_s > 0.0:
            time.sleep(wait_s)

    def start(self) -> None:
        """Serve on a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="simulated box", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End: the cable is pulled for good."""
        self._ending = True
        with suppress(OSError):
            os.write(self._waker, b".")
        if self._thread is not None:
            self._thread.join(timeout=5.0)
        self.unplug()
        for fd in (self._wake, self._waker):
            with suppress(OSError):
                os.close(fd)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# What hands do to it, as words: typed, or read from a script with seconds.

WORDS = (
    "lay SLOT [CARDS]",
    "lift SLOT",
    "press BUTTON",
    "hold BUTTON",
    "release BUTTON",
    "reset",
    "unplug",
    "plug",
)
"""All that can be done; SLOT as 1.3, BUTTON as ready-1."""

Deed = Callable[[SimulatedBox], None]


@dataclass(frozen=True, slots=True)
class TimedDeed:
    """A deed of a script, so many seconds after its beginning."""

    after_s: float
    deed: Deed


def read_deed(text: str) -> Deed:
    """What a line of words does; BadCall names the words there are.

    >>> read_deed("lay 1.3 2").keywords
    {'slot': '1.3', 'cards': 2}
    """
    word, *rest = text.split() or [""]
    if word in ("reset", "unplug", "plug") and not rest:
        return lambda box: getattr(box, word)()
    if word == "lay" and len(rest) in (1, 2):
        return partial(_lay, slot=_slot(rest[0]), cards=_cards(rest[1:]))
    if word == "lift" and len(rest) == 1:
        return partial(_lay, slot=_slot(rest[0]), cards=0)
    if word in ("press", "hold", "release") and len(rest) == 1:
        return partial(_press, button=_button(rest[0]), word=word)
    raise BadCall(f"{text.strip()!r} is nothing that hands do; there is {'; '.join(WORDS)}")


def read_script(text: str, source: str) -> list[TimedDeed]:
    """A script: `SECONDS WORDS` a line, `#` begins a comment; sorted by time.

    Error: BadFile naming the line.
    """
    deeds: list[TimedDeed] = []
    for number, line in enumerate(text.splitlines(), start=1):
        seconds, _, words = line.partition("#")[0].strip().partition(" ")
        if not seconds:
            continue
        try:
            deeds.append(TimedDeed(_seconds(seconds), read_deed(words)))
        except BadCall as wrong:
            raise BadFile(source, f"line {number}", str(wrong)) from wrong
    return sorted(deeds, key=lambda timed: timed.after_s)


PRESS_S = 0.1


def _lay(box: SimulatedBox, slot: str, cards: int) -> None:
    box.act(lambda: box.lay(slot, cards))


def _press(box: SimulatedBox, button: str, word: str) -> None:
    if word != "release":
        box.act(lambda: box.hold(button, down=True))
    if word == "press":
        box.after(PRESS_S, lambda: box.hold(button, down=False))
    elif word == "release":
        box.act(lambda: box.hold(button, down=False))


def _slot(text: str) -> str:
    if text not in SLOTS:
        raise BadCall(f"no slot {text!r}; there are {', '.join(SLOTS)}")
    return text


def _button(text: str) -> str:
    if text not in BUTTONS:
        raise BadCall(f"no button {text!r}; there are {', '.join(BUTTONS)}")
    return text


def _cards(rest: Sequence[str]) -> int:
    if not rest:
        return 1
    if rest[0] not in tuple("123456789"):
        raise BadCall(f"{rest[0]!r} cards do not lie on a slot; 1 to 9 do")
    return int(rest[0])


def _seconds(text: str) -> float:
    try:
        after_s = float(text)
    except ValueError:
        after_s = -1.0
    if not 0.0 <= after_s < float("inf"):
        raise BadCall(f"{text} is no number of seconds from the script's start")
    return after_s
