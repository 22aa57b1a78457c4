"""A panel without pins: a keyboard or a script presses its buttons; lamps and sounds are only kept.

It serves terminals, demonstrations and tests. Time is handed in, so a demonstration may step it:
the same timeline that drives real pins gives the same signs at the same seconds. Nothing sounds
unless `tick` is called.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.core.errors import BadFile, PanelError
from companion.core.offers import Button, Press, SignalEvent
from companion.core.round_clock import Running
from hardware.panel.panel import (
    DARK,
    EdgeSink,
    Lamps,
    Manner,
    Percent,
    Sound,
    every_lamp,
    sound_named,
)
from hardware.panel.pins import LAMPS_S
from hardware.panel.sounding import Sounding
from hardware.signals.folder import zero_of

KEYS: Mapping[str, Button] = {
    "1": Button.READY_FIRST,
    "2": Button.READY_SECOND,
    "4": Button.CHALLENGE_FIRST,
    "5": Button.CHALLENGE_SECOND,
    "0": Button.REFEREE,
}
"""The keyboard's keys in place of buttons; the touch app and the terminal share them."""


@dataclass(frozen=True, slots=True)
class ScriptedPress:
    """A press of a script: which button, so many seconds after the script began."""

    after_s: float
    button: Button


def read_script(text: str, source: str = "script") -> list[ScriptedPress]:
    r"""A script of presses: `SECONDS BUTTON` a line, `#` begins a comment; sorted by time.

    Error: BadFile naming the line and what may stand there.

    >>> read_script("0.5 ready-1  # Jaws\n2 referee")[1]
    ScriptedPress(after_s=2.0, button=<Button.REFEREE: 'referee'>)
    """
    presses: list[ScriptedPress] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].split()
        if words:
            presses.append(_scripted(words, source, f"line {number}"))
    return sorted(presses, key=lambda press: press.after_s)


def _scripted(words: Sequence[str], source: str, place: str) -> ScriptedPress:
    try:
        seconds, name = words
        after_s, button = float(seconds), Button(name)
    except ValueError:
        allowed = ", ".join(Button)
        text = f"{' '.join(words)!r} is not `SECONDS BUTTON` with a button of {allowed}"
        raise BadFile(source, place, text) from None
    if not 0.0 <= after_s < float("inf"):
        raise BadFile(
            source, place, f"{seconds} is not a number of seconds from the script's start"
        )
    return ScriptedPress(after_s, button)


class DeskWires:
    """Wires that lead nowhere: they remember whether the buzzer sounds and what is lit."""

    factory = "desk"

    def __init__(self) -> None:
        self.on_edge: EdgeSink | None = None
        self.buzzing = False
        self.lamps: Lamps = DARK

    def buzz(self, tone_hz: float, volume: Percent = 100) -> None:
        self.buzzing = tone_hz > 0.0 and volume > 0

    def light(self, lamps: Lamps, brightness: Percent = 100) -> None:
        self.lamps = lamps

    def levels(self) -> Mapping[Button, bool]:
        return dict.fromkeys(Button, False)

    def push(self, button: Button, *, down: bool) -> None:
        raise PanelError(f"{button}: a desk has no wires to push; call DeskPanel.push")

    def close(self) -> None:
        self.buzz(0.0)
        self.light(DARK)


def _silence(_line: str) -> None:
    """Say nothing."""


class DeskPanel:
    """A panel on the desk, on a given clock: `round_clock.Signals` and `panel.Panel`.

    `say` gets a line for people whenever a lamp or a sound changes. `heard` keeps every sound with
    its time (s on the given clock).

    >>> now = 100.0
    >>> desk = DeskPanel(clock=lambda: now)
    >>> desk.arm("round-1", 120.0, (5.0, 0.0), 20.0)
    >>> now = 120.0
    >>> [(event.kind.value, event.rest_s) for event in desk.events()]
    [('armed', 20.0), ('cue', 5.0), ('zero', 0.0)]
    """

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        say: Callable[[str], None] | None = None,
        script: Sequence[ScriptedPress] = (),
    ) -> None:
        self.on_press: Callable[[Press], None] | None = None
        self.on_event: Callable[[SignalEvent], None] | None = None
        self.heard: list[tuple[float, Sound]] = []
        self._clock = clock
        self._say = say or _silence
        self._wires = DeskWires()
        self._sounding = Sounding(self._wires, self, clock)
        self._began = clock()
        self._script = deque(script)
        self._signed: deque[SignalEvent] = deque(maxlen=1000)
        self._told: deque[SignalEvent | Press] = deque(maxlen=1000)

    @property
    def lamps(self) -> Lamps:
        """The lamps as they are lit."""
        return self._wires.lamps

    @property
    def buzzing(self) -> bool:
        """Whether the buzzer would sound now."""
        return self._wires.buzzing

    @property
    def next_at(self) -> float | None:
        """When `tick` has something to do; a stepped clock may jump there."""
        scripted = self._began + self._script[0].after_s if self._script else None
        times = [at for at in (self._sounding.next_at, scripted) if at is not None]
        return min(times, default=None)

    def arm(self, round_id: str, deadline: float, cues: Sequence[float], total_s: float) -> None:
        running = self._sounding.running
        if running is not None and running.round_id != round_id:
            raise PanelError(f"{running.round_id} is armed: adopt or stop it before {round_id}")
        self._tell(self._sounding.arm(Running(round_id, deadline, total_s), cues))

    def pause(self) -> float:
        return self._stopped(self._sounding.stop(hold=True))

    def stop(self) -> float:
        return self._stopped(self._sounding.stop())

    def _stopped(self, stopped: SignalEvent | None) -> float:
        if stopped is None:
            return 0.0
        self._tell(stopped)
        return stopped.rest_s

    def stand(self, round_id: str, rest_s: float) -> None:
        self._tell(self._sounding.stand(round_id, rest_s))
        self._say_lamps()

    def set_manner(self, manner: Manner) -> None:
        self._sounding.manner = manner

    def history(self, round_id: str) -> list[SignalEvent]:
        return [event for event in self._signed if event.round_id == round_id]

    def adopt(self) -> Running | None:
        return self._sounding.running

    def fired(self, round_id: str) -> SignalEvent | None:
        return zero_of(self.history(round_id))

    def show(self, lamps: Sequence[bool]) -> None:
        self._sounding.show(every_lamp(lamps))
        self._say_lamps()

    def sound(self, signal: str) -> None:
        self._sounding.sound(sound_named(signal))

    def play(self, sound: Sound, percent: int) -> None:
        """Be the timeline's voice: keep what is heard, and say it."""
        if percent:
            self.heard.append((self._clock(), sound))
        self._say(f"buzzer: {sound}" if percent else f"buzzer (muted): {sound}")

    def push(self, button: Button, held_s: float = 0.0) -> None:
        """Press a button now."""
        self._tell(Press(button, self._clock(), held_s))

    def key(self, character: str) -> bool:
        """Press the button of a keyboard's key; False for a key that has none."""
        button = KEYS.get(character)
        if button is not None:
            self.push(button)
        return button is not None

    def tick(self) -> None:
        """Do what is due by the clock: signs, edges, scripted presses."""
        now = self._clock()
        while self._script and self._began + self._script[0].after_s <= now:
            self.push(self._script.popleft().button)
        for event in self._sounding.perform():
            self._say_lamps()
            self._tell(event)

    def events(self) -> list[SignalEvent | Press]:
        """What was told since the last call, oldest first, all that is due included."""
        self.tick()
        told = list(self._told)
        self._told.clear()
        return told

    def _tell(self, told: SignalEvent | Press) -> None:
        if isinstance(told, SignalEvent):
            self._signed.append(told)
        if isinstance(told, Press) and self.on_press is not None:
            self.on_press(told)
        elif isinstance(told, SignalEvent) and self.on_event is not None:
            self.on_event(told)
        else:
            self._told.append(told)

    def _say_lamps(self) -> None:
        lit = zip(LAMPS_S, self.lamps, strict=True)
        self._say("lamps: " + " ".join(f"[{at_s:g}]" if on else "[ ]" for at_s, on in lit))
