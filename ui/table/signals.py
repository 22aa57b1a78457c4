"""The signals of a table: what sounds at each happening, and its devices in the top bar.

Every sound has its shape on a screen as well (`SHAPES`), so that nobody depends on ears.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.errors import CompanionError, PanelError
from companion.core.question import Locked, Ready
from companion.referee.desk import Happening
from hardware.panel.debounce import Contact
from hardware.panel.desk import DeskPanel
from hardware.panel.panel import Sound
from hardware.sensor_box.sensor_box import BoxConnection, BoxState
from hardware.sensor_box.words import FAULTS, input_named
from hardware.signals.both import BothSignals
from hardware.signals.client import Connection, PanelState, SignalClient, SignalWatch
from hardware.signals.process import Wanted
from ui.scene.values import Device, DeviceState
from ui.table.settings import Settings

if TYPE_CHECKING:
    from companion.core.offers import Press, SignalEvent
    from companion.match.match import Match
    from companion.referee.challenge import Challenge
    from companion.referee.late import Tracks
    from companion.referee.referee import Referee
    from ui.table.voice import TableVoice

# What sounds when something happens.

SHAPES: Mapping[Sound, str] = {
    Sound.READY: "the team's own tick, on the screen that waits for both",
    Sound.START: "the round's screen, its seconds and its bar",
    Sound.CUE: "the seconds themselves, and the lamps drawn beside them",
    Sound.LOCK: "the word LOCK over the whole band, on a screen of its own",
    Sound.END: "the words of how it ended, then the result",
    Sound.ERROR: "the band with a cross: what was refused, and the way out",
    Sound.CHALLENGE: "a hand and CHALLENGE over a screen of its own, a banner on every other",
}
"""Where a screen shows what a sound says, as a shape or a word and never as a colour alone."""


@dataclass(frozen=True, slots=True)
class SoundMoment:
    """What of a match decides whether something sounds."""

    said: int  # words given in the open form: ready, locked
    running: bool
    over: bool
    challenge: Challenge | None

    @classmethod
    def of(cls, referee: Referee) -> SoundMoment:
        """The present moment of a match."""
        clock, match = referee.clock, referee.match
        running = clock is not None and clock.running
        over, challenge = match.outcome is not None, referee.presses.challenge
        return cls(_words(match), running, over, challenge)


def _words(match: Match[Any]) -> int:
    given = (match.open[key] for key in match.answered if key in match.open)
    return sum(isinstance(question, Ready | Locked) for question in given)


class TableSignals:
    """The panel of one table: sounds what happens, follows the settings, and is kept alive."""

    def __init__(
        self,
        panel: SignalClient | DeskPanel | None,
        settings: Settings,
        on_event: Callable[[SignalEvent], None],
        on_press: Callable[[Press], None],
        voice: TableVoice | None = None,
    ) -> None:
        self.panel = panel
        self.voice = voice
        self._watch = SignalWatch(panel) if isinstance(panel, SignalClient) else None
        self._moment = SoundMoment(0, running=False, over=False, challenge=None)
        self._referee: Referee | None = None  # of the match that stands; another's means nothing
        if panel is not None:
            panel.on_event, panel.on_press = on_event, on_press
        self.obey(settings)

    def tick(self, now: float) -> None:
        """Do what is due, and replace a signal process that died."""
        if isinstance(self.panel, DeskPanel):
            self.panel.tick()
        if self._watch is not None:
            self._watch.look(now)
        if self.voice is not None:
            self.voice.tick(self._referee.clock if self._referee is not None else None, now)

    def obey(self, settings: Settings) -> None:
        """As loud and as bright as the settings say; a lost panel hears it when it is found."""
        if self.panel is not None:
            with suppress(PanelError):  # the panel's own state says that it is gone
                self.panel.set_manner(settings.manner)
        if self.voice is not None:
            self.voice.obey(settings)

    def retry(self) -> None:
        """Start the signal process again, if it is gone."""
        if isinstance(self.panel, SignalClient):
            with suppress(PanelError):
                self.panel.connect()

    def begin(self, referee: Referee) -> None:
        """A match stands at the table: what it was before is nothing new, and did sound."""
        self._referee, self._moment = referee, SoundMoment.of(referee)

    def follow(self, referee: Referee, happening: Happening) -> None:
        """Sound what has happened, if it has a sound."""
        if referee is not self._referee:
            return
        before, self._moment = self._moment, SoundMoment.of(referee)
        sound = sound_of(before, self._moment, happening)
        if sound is not None and self.voice is not None:
            self.voice.sounds(sound)
        if sound is not None and self.panel is not None:
            with suppress(CompanionError):  # a sound less; the device's own state says why
                self.panel.sound(sound)

    def read_out(self, words: str) -> None:
        """The screen says this now in its largest letters: speak it, where somebody wants that."""
        if self.voice is not None:
            self.voice.follow(words)

    @property
    def voice_trouble(self) -> str:
        """Why the voice that is wanted is not heard; empty where it is, or none is wanted."""
        return self.voice.trouble if self.voice is not None else ""

    def close(self) -> None:
        """Leave the panel; a running round goes on in the signal process."""
        if self._watch is not None:
            self._watch.close()
        if isinstance(self.panel, SignalClient):
            self.panel.close()


def sound_of(before: SoundMoment, now: SoundMoment, happening: Happening) -> Sound | None:
    """The sound of a happening; cues and zero sound by themselves, at their deadlines."""
    if happening is Happening.REFUSED:
        return Sound.ERROR
    if now.over and not before.over:
        return Sound.END
    if now.challenge is not None and before.challenge is None:
        return Sound.CHALLENGE
    if now.running and not before.running:
        return Sound.START
    return Sound.READY if now.said > before.said else None


# The panel (lamps, buzzer, buttons) as a device in the top bar.

LABEL = "Lamps, buzzer"
PRETENDED = "mock"
"""The pin factory that moves nothing: no lamp shines, so no tick may say that one does."""
WIRING = "Screen and loudspeaker tell the time; Settings, Pins."
STATES = {
    Connection.ABSENT: DeviceState.ABSENT,
    Connection.LIVE: DeviceState.LIVE,
    Connection.STALE: DeviceState.STALE,
    Connection.LOST: DeviceState.LOST,
}

JAMMED = {
    Contact.STUCK: "{0} is held down all the time: free it, or mend its wire; its key on the "
    "screen does the same",
    Contact.CHATTER: "{0} catches noise: look for a loose wire; its key on the screen does the "
    "same",
}
"""What mends a button, and what does its work meanwhile."""

NAMES = {Contact.STUCK: "stuck", Contact.CHATTER: "noisy"}


def wanted_process(settings: Settings) -> Wanted:
    """The signal process as the table's settings want it."""
    return Wanted(settings.pins, settings.player, plan=settings.panel.plan)


def signals_device(signals: SignalClient | DeskPanel | None) -> Device:
    """The panel's state, its pin factory by name and what is wrong with it."""
    if isinstance(signals, SignalClient):
        return _of_process(signals.state())
    if signals is None:
        text = "none: the screen counts"
        return Device(
            "PINS", DeviceState.ABSENT, None, LABEL, text, "Settings, Pins.", chosen=False
        )
    return Device("PINS", DeviceState.LIVE, 0.0, LABEL, "on the screen alone")


def _of_process(state: PanelState) -> Device:
    pretended = state.pins == PRETENDED
    words = ["not wired (mock)" if pretended else f"pins: {state.pins}"]
    if state.wanted_pins != state.pins:
        words.append(f"wanted: {state.wanted_pins}")
    words += [f"{button} {fault}" for button, fault in state.faults.items()]
    shown = STATES[state.connection]
    if shown is DeviceState.LIVE and (state.trouble or state.faults):
        shown = DeviceState.STALE
    if shown is DeviceState.LIVE and pretended:
        shown = DeviceState.ABSENT
    age = state.age_s if state.connection in (Connection.LIVE, Connection.STALE) else None
    jammed = "; ".join(JAMMED[fault].format(button) for button, fault in state.faults.items())
    alarm = ", ".join(
        f"button {button} is {NAMES[fault]}" for button, fault in state.faults.items()
    )
    way_out = state.trouble or jammed or (WIRING if pretended else "")
    return Device("PINS", shown, age, LABEL, ", ".join(words), way_out, alarm)


# The sensor box as a device in the top bar.

NAME, BOX_LABEL = "BOX", "Sensor box"
BY_HAND = "People tell what the sensors do not: tap as always"
WHOSE = "the match asks whose it is: touch who laid it, or In time"
SAID_TWICE = "no sensor box is plugged in; "
"""Of the port's words what the state says already."""
OTHER = "no sensor box with the serial number "
"""How the port's words begin where the box that was chosen is not there, be there others or not."""
BOX_STATES = {
    BoxConnection.ABSENT: DeviceState.ABSENT,
    BoxConnection.FOUND: DeviceState.FOUND,
    BoxConnection.HANDSHAKEN: DeviceState.FOUND,
    BoxConnection.LIVE: DeviceState.LIVE,
    BoxConnection.STALE: DeviceState.STALE,
    BoxConnection.LOST: DeviceState.LOST,
}

WORDS = {
    BoxConnection.ABSENT: "none plugged in",
    BoxConnection.FOUND: "plugged in, has not answered yet",
    BoxConnection.HANDSHAKEN: "answers, its clock is being measured",
    BoxConnection.LIVE: "live",
    BoxConnection.STALE: "says nothing any more",
    BoxConnection.LOST: "no longer found",
}


def box_devices(signals: object, referee: Referee | None = None) -> tuple[Device, ...]:
    """The sensor box of these signals, if any; late cards that wait for a word are its alarm."""
    if not isinstance(signals, BothSignals):
        return ()
    device = box_device(signals.box.state())
    waiting = referee.late.waiting if referee is not None else ()
    late = [card for card in waiting if card.felt is not None]
    if not late or device.state is DeviceState.LOST:
        return (device,)
    told = "; ".join(f"{card.team} {card.number}: laid {card.felt}" for card in late)
    return (replace(device, alarm=told, way_out=WHOSE),)


def sense_tracks(signals: object, tracks: Tracks) -> None:
    """Tell a match's tracks how their sensors are; a dead sensor box is not relied on."""
    if isinstance(signals, BothSignals):
        state = signals.box.state()
        tracks.sense(state.slots if state.usable else None, counts=state.counts)


def box_device(state: BoxState) -> Device:
    """The sensor box's state with the age of its last word, what is wrong, and what mends it."""
    way_out = state.trouble.removeprefix(SAID_TWICE)
    if state.connection in (BoxConnection.LOST, BoxConnection.STALE):
        trouble = state.trouble[:1].upper() + state.trouble[1:]
        if state.trouble.startswith((SAID_TWICE, OTHER)):
            trouble = "Plug it in again"
        way_out = ". ".join(filter(None, (trouble, BY_HAND)))
    shown = BOX_STATES[state.connection]
    return Device(NAME, shown, state.age_s, BOX_LABEL, _text(state), way_out, _alarm(state))


def _alarm(state: BoxState) -> str:
    """What is worth a banner though the sensor box is not lost."""
    if state.connection is BoxConnection.FOUND and state.trouble and state.firmware:
        return "The sensor box does not fit this companion"
    faults = _faults(state)
    return f"Sensor box: {', '.join(faults)}: look at its plug and wires" if faults else ""


def _text(state: BoxState) -> str:
    words = [WORDS[state.connection]]
    if state.connection is BoxConnection.ABSENT and state.trouble.startswith(OTHER):
        words = ["the chosen one is not plugged in"]
    if state.connection is BoxConnection.LIVE and state.error_s is not None:
        words = [f"times within {max(1, math.ceil(state.error_s * 1000))} ms"]
    words += _faults(state)
    if state.lost_events:
        words.append(f"events lost: {state.lost_events}")
    return ", ".join(words)


def _faults(state: BoxState) -> list[str]:
    return [f"{input_named(name)} {FAULTS[fault]}" for name, fault in state.faults.items()]
