"""A sensor box without a box: the same program that runs on the Pico, behind a pseudo-terminal.

For trying things out, for demonstrations and for tests; `companion box simulate` runs it by itself.
It can be made to suffer everything that a real line suffers (`Faults`).
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Self

from companion.errors import BadCall, PanelError
from hardware.box_faults import Faults, FaultyWire
from hardware.firmware.board import Board
from hardware.firmware.box import BUTTONS, SLOTS, Box
from hardware.firmware.frame import Lines
from hardware.firmware.ticks import PERIOD, Clock

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

    def unplug(self) -> None:
        """Pull the cable: whoever has the terminal open loses it. The box keeps its power."""
        if self._master < 0:
            return
        if self._link is not None:
            self._link.unlink(missing_ok=True)
        os.close(self._master)
        os.close(self._slave)
        self._master = self._slave = -1
        self._plugged_at = self._clock() + REPLUG_S
        self.unplugs += 1

    def reset(self) -> None:
        """Take its power away for a moment: it forgets everything, its clock begins at nought."""
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
