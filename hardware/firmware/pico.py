"""The box's pins on a Raspberry Pi Pico. Thin on purpose: everything else is tested without it.

The alarm is the chip's own timer. Its callback runs in the interrupt, waits out the last part of a
millisecond and sets the pins, so neither this program, nor a collection of garbage, nor the line
to the companion can delay the buzzer.
"""

import os
import select
import sys
import time

import micropython
from machine import PWM, WDT, Pin, Timer, reset, unique_id

from hardware.firmware.board import Board
from hardware.firmware.ticks import PERIOD, Clock

BUZZER = 15
LAMPS = (16, 17, 18, 19)
"""10, 5, 3 and 0 s."""
SLOTS = (2, 3, 4, 5, 6, 7, 8, 9)
"""Track 1, sections 1 to 4, then track 2."""
BUTTONS = (10, 11, 12, 13)
"""Ready 1, ready 2, challenge 1, challenge 2."""

LAMPS_HZ = 1_000
FULL = 65_535

STAY = "stay"
"""While a file of this name lies on the board, main.py does not start."""

SPIN_US = 1_000
"""The timer wakes so much early, and the rest is waited out to the microsecond."""
NEAR_US = 60_000_000
WATCHDOG_MS = 8_000
READ_MAX = 256


class Pico(Board):
    """A Pico with switches to ground, sensors that pull low over a card, and five outputs."""

    def __init__(self) -> None:
        self.identity = _hex(unique_id())
        self.boot = _hex(os.urandom(4))
        self._clock = Clock(time.ticks_us())
        self._buzzer = Pin(BUZZER, Pin.OUT, value=0)
        self._lamps = [PWM(Pin(number), freq=LAMPS_HZ, duty_u16=0) for number in LAMPS]
        self._shine = FULL
        self._showing = 0
        self._slots = [Pin(number, Pin.IN, Pin.PULL_UP) for number in SLOTS]
        self._buttons = [Pin(number, Pin.IN, Pin.PULL_UP) for number in BUTTONS]
        self._timer = Timer()
        self._far = None  # an alarm too far ahead for the counter: when, and what
        self._due = 0  # counter and outputs of the alarm that is set
        self._bits = 0
        self._fired = False
        self._fired_at = 0
        self._leaving_at = None
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        micropython.alloc_emergency_exception_buf(100)
        micropython.kbd_intr(-1)  # a 3 in what the companion sends is no Ctrl-C
        self._watchdog = WDT(timeout=WATCHDOG_MS)

    def now(self) -> int:
        return self._clock.at(time.ticks_us())

    def levels(self) -> tuple[list[int], list[int]]:
        buttons = [1 - pin.value() for pin in self._buttons]
        return buttons, [1 - pin.value() for pin in self._slots]

    def apply(self, outputs: int) -> None:
        self._buzzer.value(outputs & 1)
        self._showing = outputs
        for lamp in self._lamps:
            outputs >>= 1
            lamp.duty_u16(self._shine if outputs & 1 else 0)

    def dim(self, brightness: int) -> None:
        self._shine = FULL * brightness * brightness // 10_000  # eyes take steps by their ratio
        self.apply(self._showing)

    def alarm(self, at_us: int | None, outputs: int) -> None:
        self._timer.deinit()
        self._far = None
        if at_us is None:
            return
        ahead = at_us - self.now()
        if ahead > NEAR_US:
            self._far = (at_us, outputs)
            return
        ahead = max(ahead, 1)
        self._bits = outputs
        self._due = (time.ticks_us() + ahead) % PERIOD
        period = max(1, ahead - SPIN_US)
        try:
            self._start(period, hard=True)
        except TypeError:  # an older MicroPython knows no hard timers: a little later, then
            self._start(period)

    def _start(self, period: int, **how: bool) -> None:
        self._timer.init(
            mode=Timer.ONE_SHOT, period=period, tick_hz=1_000_000, callback=self._alarmed, **how
        )

    def _alarmed(self, _timer: Timer) -> None:
        """In the interrupt: nothing here may allocate."""
        while time.ticks_diff(self._due, time.ticks_us()) > 0:
            pass
        self.apply(self._bits)
        self._fired_at = time.ticks_us()
        self._fired = True

    def fired(self) -> int | None:
        if self._far is not None and self._far[0] - self.now() <= NEAR_US:
            self.alarm(self._far[0], self._far[1])
        if not self._fired:
            return None
        self._fired = False
        return self._clock.at(self._fired_at)

    def write(self, line: bytes) -> None:
        sys.stdout.buffer.write(line)

    def read(self) -> bytes:
        """What the companion has sent, as far as it is here."""
        data = b""
        while len(data) < READ_MAX and self._poll.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def maintain(self) -> None:
        with open(STAY, "w") as file:
            file.write("the box's program starts again once this file is gone\n")
        self._leaving_at = self.now() + 300_000  # the reply goes out first

    def rest(self) -> None:
        """Between two turns: tell the watchdog that all is well, and leave where that was asked."""
        self._watchdog.feed()
        if self._leaving_at is not None and self.now() >= self._leaving_at:
            reset()


def _hex(data: bytes) -> str:
    return "".join([f"{byte:02x}" for byte in data])
